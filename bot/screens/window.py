"""A page's pixels where its window shows on an X display: a picture takes a millisecond, over the protocol forty.

What the display shows counts only as far as a picture that the browser gave of the page has just been found there,
pixel by pixel: windows move, and others lie over them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.ports import ScreenError
from bot.screens.chromium import VIEWPORT
from bot.screens.desktop import DesktopScreen, why_no_display
from bot.screens.virtual import VirtualDisplay
from calibration.frame import Pixels, Rect

LINES = 4
"""Every so many-th line of pixels, across and down, is looked at to tell where a picture lies."""

EDGES = 50
"""Pairs of neighbours of different colours in them, across and down, that tell exactly where."""

SAME = 0.9
"""The share of them that must be the same on the display; the rest may be in motion."""

ROWS = 6
"""Rows of a page, those with most edges of as many parts, that are looked for on the display; some may be in motion."""

BLOCK, UNLIKE = 32, 48
"""Side of squares in pixels, and by how much in a channel most of one differs where something lies over a page."""


class Corner(NamedTuple):
    """Where the top left pixel of a page is on the display, in pixels."""

    left: int
    top: int


class WindowView:
    """The viewport of a browser's only window on the display of `screen`, which may be our `own`.

    proven: whether the display showed the last whole picture of the page, so that `grab` works.
    """

    def __init__(self, screen: DesktopScreen, own: VirtualDisplay | None = None) -> None:
        self._screen, self._own = screen, own
        self._corner: Corner | None = None
        self._size = 0, 0
        self.proven = False

    @property
    def environment(self) -> Mapping[str, str]:
        """What a browser needs, besides what this process has, to show itself on the display."""
        return {} if self._own is None else self._own.environment

    @property
    def own(self) -> bool:
        """Whether nobody sees the window, so that it may be as large as we like."""
        return self._own is not None

    def prove(self, whole: Pixels) -> None:
        """Takes `whole`, a picture of the viewport, for the truth: `grab` works while the display shows the same."""
        self._size = whole.shape[1], whole.shape[0]
        known, self.proven = self._corner, False
        try:
            if known is not None and shows(whole, self._screen.grab(Rect(*known, *self._size)).pixels):
                self.proven = True
                return
            shown = self._screen.grab().pixels
        except ScreenError:
            return
        for left, top in _places(whole, shown):
            if shows(whole, shown[top : top + self._size[1], left : left + self._size[0]]):
                self._corner, self.proven = Corner(left, top), True
                return

    def grab(self, left: int, top: int, width: int, height: int) -> Pixels | None:
        """That part of the viewport, in its pixels; None where it is not known to show on the display."""
        if self._corner is None or not self.proven:
            return None
        if left < 0 or top < 0 or left + width > self._size[0] or top + height > self._size[1]:
            return None
        try:
            frame = self._screen.grab(Rect(self._corner.left + left, self._corner.top + top, width, height))
        except ScreenError:
            return None
        return frame.pixels if frame.pixels.shape[:2] == (height, width) else None

    def close(self) -> None:
        """Let go of the display, and end it if it is ours."""
        self._screen.close()
        if self._own is not None:
            self._own.close()


def open_window_view(scale: float = 1.0, *, size: tuple[int, int] = VIEWPORT) -> WindowView | None:
    """For a page of that size in CSS pixels on the display there is, or else on one of our own.

    None where there can be none: only what X displays show can be had.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        if why_no_display(os.environ) is None:
            screen = DesktopScreen()
            screen.grab()
            return WindowView(screen)
        room = ceil(2 * size[0] * scale) + 2, ceil(2 * size[1] * scale)  # its mouse rests in the middle: off the window
        display = VirtualDisplay(room)
    except ScreenError:
        return None
    return WindowView(display.screen, display)


def shows(page: Pixels, shown: Pixels) -> bool:
    """Whether the display shows a page exactly there, with nothing over it; both uint8[height, width, 3].

    What is in motion may differ, where only a little of it or only by a little.
    """
    if page.shape != shown.shape:
        return False
    down, others_down = (each[:, ::LINES].swapaxes(0, 1) for each in (page, shown))
    for lines, others in ((page[::LINES], shown[::LINES]), (down, others_down)):
        codes = _codes(lines)
        edges, same = codes[:, 1:] != codes[:, :-1], codes == _codes(others)
        if edges.sum() < EDGES or (edges & same[:, 1:] & same[:, :-1]).sum() < SAME * edges.sum():
            return False
    return np.array_equal(page, shown) or not _covered(page, shown)


def _covered(page: Pixels, shown: Pixels) -> bool:
    """Whether any square of a page looks quite otherwise."""
    unlike = (np.maximum(page, shown) - np.minimum(page, shown)).max(axis=2) > UNLIKE
    height, width = (side // BLOCK for side in unlike.shape)
    squares = unlike[: height * BLOCK, : width * BLOCK].reshape(height, BLOCK, width, BLOCK)
    return bool((squares.mean(axis=(1, 3)) > 0.5).any())


def _places(page: Pixels, shown: Pixels) -> Iterator[Corner]:
    """Where the display may show a page: where it shows a row of it with many edges."""
    edges = (page[:, 1:] != page[:, :-1]).any(axis=2).sum(axis=1)
    width, everything = shown.shape[1], shown.tobytes()
    for part in np.array_split(np.arange(len(page)), ROWS):
        row = int(part[edges[part].argmax()])
        at = everything.find(page[row].tobytes())
        while at >= 0 and at % 3:
            at = everything.find(page[row].tobytes(), at + 1)
        top, left = divmod(at // 3, width)
        if at >= 0 and top >= row:
            yield Corner(left, top - row)


def _codes(pixels: Pixels) -> NDArray[np.uint32]:
    """uint32[height, width]: a number for each colour."""
    wide = pixels.astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], dtype=np.uint32)
