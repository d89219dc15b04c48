"""A picture prepared for seeing: its steps of colour, its straight edges, and the windows worth a look."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Pixels

STEP = 12
"""The smallest difference of neighbouring pixels, in the channel that differs most, that counts as an edge.

Page gradients change by 1 or 2 a pixel, JPEG ringing by up to 10; the colours of the palest palettes differ by 20.
"""

STRAIGHT = 7
"""How many pixels in a row make an edge straight: half the side of the smallest cell worth playing on (14 px)."""

BLOCK = 8
"""The side, in pixels, of the blocks in which windows are looked for."""

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a picture, in whole pixels; `bottom` and `right` are the first beyond it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.bottom - self.top

    def overlap(self, other: Window) -> float:
        """Common area over joint area."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        if across <= 0 or down <= 0:
            return 0.0
        common = across * down
        return common / (self.width * self.height + other.width * other.height - common)


class Sight:
    """What every look at a picture needs, computed once and when first asked for.

    An edge at x lies between the pixels x - 1 and x, so that edges and cell borders share one coordinate.
    """

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        self.height, self.width = pixels.shape[:2]

    @cached_property
    def upright(self) -> Mask:
        """uint8[height, width]: 1 where colour changes from the pixel on the left."""
        return _steps(self.pixels[:, 1:], self.pixels[:, :-1], (0, 0, 1, 0))

    @cached_property
    def level(self) -> Mask:
        """uint8[height, width]: 1 where colour changes from the pixel above."""
        return _steps(self.pixels[1:], self.pixels[:-1], (1, 0, 0, 0))

    @cached_property
    def upright_lines(self) -> Mask:
        """`upright` where it goes on for STRAIGHT pixels downwards."""
        return cv2.morphologyEx(self.upright, cv2.MORPH_OPEN, np.ones((STRAIGHT, 1), np.uint8)).astype(np.uint8)

    @cached_property
    def level_lines(self) -> Mask:
        """`level` where it goes on for STRAIGHT pixels to the right."""
        return cv2.morphologyEx(self.level, cv2.MORPH_OPEN, np.ones((1, STRAIGHT), np.uint8)).astype(np.uint8)

    @cached_property
    def upright_sums(self) -> NDArray[np.int32]:
        """int32[height + 1, width + 1]: the integral picture of `upright`."""
        return cv2.integral(self.upright).astype(np.int32, copy=False)

    @cached_property
    def level_sums(self) -> NDArray[np.int32]:
        """int32[height + 1, width + 1]: the integral picture of `level`."""
        return cv2.integral(self.level).astype(np.int32, copy=False)

    @cached_property
    def windows(self) -> list[Window]:
        """Where straight edges of both directions lie close together, richest first; the whole picture is the last."""
        found: list[tuple[float, Window]] = []
        upright, level = _blocks(self.upright_lines), _blocks(self.level_lines)
        crowded = ((upright + level) > 0).astype(np.uint8)
        for reach in (1, 5, 11):  # gaps of 8, 40 and 88 pixels are bridged: hairlines, roomy gaps, flooded regions
            joined = cv2.morphologyEx(crowded, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
            count, _, boxes, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
            for left, top, width, height, _ in boxes[1:count]:
                if min(width, height) * BLOCK < 3 * STRAIGHT:
                    continue
                part = np.s_[top : top + height, left : left + width]
                worth = float(min(upright[part].sum(), level[part].sum()))
                found.append((worth, self._window(int(left), int(top), int(width), int(height))))
        whole = Window(0, 0, self.width, self.height)
        kept: list[Window] = []
        for _, window in sorted(found, key=lambda pair: -pair[0]):
            if all(window.overlap(other) < 0.9 for other in [*kept, whole]):
                kept.append(window)
        return [*kept[:7], whole]

    def _window(self, left: int, top: int, width: int, height: int) -> Window:
        return Window(
            max(0, (left - 1) * BLOCK),
            max(0, (top - 1) * BLOCK),
            min(self.width, (left + width + 1) * BLOCK),
            min(self.height, (top + height + 1) * BLOCK),
        )


def _steps(here: Pixels, before: Pixels, border: tuple[int, int, int, int]) -> Mask:
    """1 where any channel changes by STEP or more, with a border of 0 where there is no pixel before."""
    change = cv2.absdiff(here, before)
    red, green, blue = cv2.split(change)
    most = cv2.max(cv2.max(red, green), blue)
    mask = cv2.threshold(most, STEP - 1, 1, cv2.THRESH_BINARY)[1]
    return cv2.copyMakeBorder(mask, *border, cv2.BORDER_CONSTANT, value=0).astype(np.uint8)


def _blocks(mask: Mask) -> NDArray[np.float32]:
    """The share of each BLOCK x BLOCK block that is set."""
    height, width = mask.shape
    across, down = -(-width // BLOCK), -(-height // BLOCK)
    padded = cv2.copyMakeBorder(mask, 0, down * BLOCK - height, 0, across * BLOCK - width, cv2.BORDER_CONSTANT, value=0)
    shares: NDArray[np.float32] = padded.reshape(down, BLOCK, across, BLOCK).mean(axis=(1, 3), dtype=np.float32)
    return shares
