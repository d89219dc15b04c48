"""Whether something moved between two pictures, told by the mean colours of small squares."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from operator import and_

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixels
from calibration.unchanged import changed_cells
from games.core import Cell

BLOCK = 4
"""Side of the squares of pixels whose mean colours are compared to see what moves: noise averages out in them."""

MOVING = 6.0
"""How much a square changes, in the channel that differs most, where something moves.

Noise of 4 a pixel leaves a difference of 1.4; a piece that fades in over 2 s changes by 7 in the time of two looks.
"""

FLICKER = 0.002
"""The share of a picture's squares that may change while it is still: a text cursor, a clock's second."""

FADE = 4
"""Looks for which a cell that breathes is on its way: what goes away for good fades in a quarter of a second."""

BREATHING = 0.15
"""The share of the cells, or two of them, that may breathe: more are an animation of the whole board."""


def mean_colours(pixels: Pixels) -> NDArray[np.float32]:
    """float32[height / BLOCK, width / BLOCK, 3]: the mean colour of each square of a picture."""
    rows, cols = (side // BLOCK * BLOCK for side in pixels.shape[:2])
    lines = np.zeros((rows // BLOCK, cols, 3), dtype=np.uint16)  # ten times quicker than the mean of a reshaped array
    for row in range(BLOCK):
        lines += pixels[row:rows:BLOCK, :cols]
    flat = lines.reshape(rows // BLOCK, 3 * cols)
    sums = np.zeros((rows // BLOCK, cols // BLOCK, 3), dtype=np.uint16)
    for number in range(3 * BLOCK):  # a colour at a time: numpy is slow where it adds three numbers in a row
        sums[..., number % 3] += flat[:, number :: 3 * BLOCK]
    return np.asarray(sums / np.float32(BLOCK**2))


def changed(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """The share of squares that look otherwise in two pictures, downsampled; 1 for those of other sizes."""
    if one.shape != other.shape:
        return 1.0
    moved = np.abs(one - other) > MOVING
    return float((moved[..., 0] | moved[..., 1] | moved[..., 2]).mean())


def still(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether nothing moved between two pictures, downsampled."""
    return changed(one, other) <= FLICKER


def breathing(pictures: Sequence[Pixels], lattice: Lattice, otherwise: Collection[Cell]) -> frozenset[Cell] | None:
    """The cells of a board that swell or glow from picture to picture; None where most of it moves.

    otherwise: those that were read as something else in between, which must look again as they did at first.
    """
    since_first = [changed_cells(pictures[0], pixels, lattice) for pixels in pictures]
    until_last = [changed_cells(pixels, pictures[-1], lattice) for pixels in pictures]
    seen = frozenset[Cell]().union(*since_first)
    if len(seen) > max(2, BREATHING * lattice.rows * lattice.cols):
        return None
    looks = ((cell, [cell in each for each in since_first], [cell in each for each in until_last]) for cell in seen)
    return frozenset(cell for cell, *each in looks if _breathes(*each, strictly=cell in otherwise))


def _breathes(since_first: Sequence[bool], until_last: Sequence[bool], *, strictly: bool) -> bool:
    """Whether a cell that at these looks differed from the first, and from the last, came back to what it was first.

    Or, unless `strictly`, was on its way for several looks, longer than what goes away for good.
    """
    came_back = any(then and not now for then, now in pairwise(since_first))
    return came_back or (not strictly and sum(map(and_, since_first, until_last)) >= FADE)
