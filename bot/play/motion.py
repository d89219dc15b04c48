"""Whether something moved between two pictures, told by the mean colours of small squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.frame import Pixels

BLOCK = 4
"""Side of the squares of pixels whose mean colours are compared to see what moves: noise averages out in them."""

MOVING = 6.0
"""How much a square changes, in the channel that differs most, where something moves.

Noise of 4 a pixel leaves a difference of 1.4; a piece that fades in over 2 s changes by 7 in the time of two looks.
"""

FLICKER = 0.002
"""The share of a picture's squares that may change while it is still: a text cursor, a clock's second."""


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
