"""Whether a dialog or a banner lies over what a picture shows: a plain panel whose edge cuts what is behind it."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box, Pixels

REMEDY = "a dialog lies over the board: close it, or name the act with --before"
"""What is said where one does, and what to do."""

COLOURS = 6
"""So many of the commonest colours of a picture may be that of a panel."""

LEAST = 0.03
"""The share of a picture that a panel has at least."""

PLAIN = 0.55
"""The share of a panel that has its colour: the rest is text and buttons."""

ROUND = 0.12
"""The part of a panel's side at each end that may be a rounded corner."""

NEAR = 2, 5
"""Pixels from a panel's side at which it is looked, without for what it cuts, and within for none of that."""

STEP = 8
"""Levels of a channel between neighbours that are an edge: under a veil dark colours differ by 10."""

CUT = 6
"""Edges along the sides of a panel from which it cuts what lies behind it: of three things."""


def has_dialog(pixels: Pixels, over: Box | None = None) -> bool:
    """Whether a dialog lies over something, or over a board that is known; pixels: uint8[height, width, 3].

    A panel on which things were laid out has nothing but the page beside it.
    """
    panels = (box for box in _panels(pixels) if over is None or box.common(over))
    return any(_lies_over(pixels, box) for box in panels)


def _panels(pixels: Pixels) -> Iterator[Box]:
    """The plain rectangles of a picture that are no page themselves."""
    height, width = pixels.shape[:2]
    wide = pixels.astype(np.uint32)
    codes = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    values, counts = np.unique(codes[::4, ::4], return_counts=True)
    for code in values[np.argsort(counts)[-COLOURS:]]:
        found, _, stats, _ = cv2.connectedComponentsWithStats((codes == code).astype(np.uint8), connectivity=4)
        for x, y, across, down, area in stats[1:found].tolist():
            page = across > 0.95 * width and down > 0.95 * height
            if across * down >= LEAST * width * height and area >= PLAIN * across * down and not page:
                yield Box(x, y, across, down)


def _lies_over(pixels: Pixels, box: Box) -> bool:
    """Whether a panel, plain at its sides, cuts what lies behind it."""
    x, y, right, foot = int(box.x), int(box.y), int(box.x + box.width), int(box.y + box.height)
    across, down = int(ROUND * box.width), int(ROUND * box.height)
    cols, rows = slice(x + across, right - across), slice(y + down, foot - down)
    upright, level = pixels[rows].swapaxes(0, 1), pixels[:, cols]
    sides = [(level, y, -1), (level, foot - 1, 1), (upright, x, -1), (upright, right - 1, 1)]
    cut = 0
    for lines, at, out in sides:
        without = [at + out * near for near in NEAR]
        plain = not any(_edges(lines[at - out * near]) for near in NEAR)
        if plain and all(place in range(len(lines)) for place in without):
            cut += min(_edges(lines[place]) for place in without)
    return cut >= CUT


def _edges(line: NDArray[np.uint8]) -> int:
    """Edges along a line of pixels, uint8[length, 3]: steps in colour that go on for a few pixels count once."""
    steps = np.abs(np.diff(line.astype(np.int16), axis=0)).max(axis=1, initial=0) > STEP
    return int((steps[1:] & ~steps[:-1]).sum()) + int(steps[:1].sum())
