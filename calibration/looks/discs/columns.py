"""Where a column is clicked: its top place, above it, or a button."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixel, Pixels
from calibration.places import SAME
from calibration.scene import Scene
from games.core import Cell

SMALLEST = 10.0
"""Pixels. A smaller blob is no button."""

BESIDE = 0.1
"""How far, in pitches, a button's middle may lie beside its column's."""

MIDDLE = 0.25
"""How far about a place above a column, in pitches, nothing may be seen."""

FARTHEST = 1.5
"""How far from the board, in pitches, the middles of the buttons of its columns lie at most."""


def column_places(pixels: Pixels, lattice: Lattice) -> dict[str, Pixel]:
    """Where a column is clicked: at its top place, which is free whenever the column can be played, or above that.

    Above only where nothing is to be seen there: nobody knows what a click on something does.
    """
    places = {f"column:{col}": lattice.centre(Cell(0, col)) for col in range(lattice.cols)}
    above = {f"above:{col}": lattice.centre(Cell(-1, col)) for col in range(lattice.cols)}
    return places | above if all(_bare(pixels, at, lattice.pitch) for at in above.values()) else places


def _bare(pixels: Pixels, at: Pixel, pitch: tuple[float, float]) -> bool:
    """Whether the picture shows one colour about a place; not outside of the picture."""
    left, right, top, foot = (round(at[axis] + side * MIDDLE * pitch[axis]) for axis in (0, 1) for side in (-1, 1))
    inside = left >= 0 and right < pixels.shape[1] and top >= 0 and foot < pixels.shape[0]
    return inside and bool(np.ptp(pixels[top : foot + 1, left : right + 1].astype(int), axis=(0, 1)).max() < SAME)


def column_buttons(scene: Scene, lattice: Lattice) -> dict[str, Pixel]:
    """The buttons that drop a piece into each column: equal blobs in one row above or below; none where they lack."""
    boxes = scene.blobs[np.argsort(-scene.blobs[:, 2:4].prod(axis=1), kind="stable"), :4]
    x, y = boxes[:, 0] + boxes[:, 2] / 2, boxes[:, 1] + boxes[:, 3] / 2
    column = np.rint((x - lattice.origin.x) / lattice.pitch[0])
    over = np.abs(x - lattice.origin.x - column * lattice.pitch[0]) <= BESIDE * lattice.pitch[0]
    over &= (column >= 0) & (column < lattice.cols)
    over &= (boxes[:, 2:].min(axis=1) >= SMALLEST) & (boxes[:, 2] <= lattice.pitch[0])
    reach, top, bottom = FARTHEST * lattice.pitch[1], lattice.box.y, lattice.box.y + lattice.box.height
    for side in ((top - reach < y) & (y < top), (bottom < y) & (y < bottom + reach)):
        blobs = np.flatnonzero(over & side)
        row = blobs[np.unique(column[blobs], return_index=True)[1]]  # the largest over each column
        if len(row) == lattice.cols and _equal(boxes[row]):
            return {f"column:{col}": Pixel(float(x[blob]), float(y[blob])) for col, blob in enumerate(row)}
    return {}


def _equal(boxes: NDArray[np.float64]) -> bool:
    """Whether boxes have one size and lie at one height, but for two pixels of rounding."""
    return bool((np.ptp(boxes[:, 1:], axis=0) <= 2).all())
