"""Where a column is clicked: its top place, above it, or a button."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Box, Frame, Pixel, Pixels
from calibration.lit import buttons_in
from calibration.places import SAME
from calibration.scene import Scene
from games.core import Cell

SMALLEST = 10.0
"""Pixels. A smaller blob is no button."""

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
    """The buttons that drop a piece into each column: one row of equal ones above or below; none where they lack.

    They are blobs, or bear a sign where they are hardly darker or paler than the page.
    """
    if row := _row(scene.blobs[:, :4], lattice):
        return row
    return _row(np.array(list(_signed(scene.frame, lattice)), dtype=np.float64).reshape(-1, 4), lattice)


def _signed(frame: Frame, lattice: Lattice) -> Iterator[Box]:
    """What bears a sign in the strips above and below the board, but for what they cut off."""
    (x, y, width, height), (across, down) = lattice.box, lattice.pitch
    reach = (FARTHEST + 1) * down
    left, right = max(0, round(x - across)), min(frame.width, round(x + width + across))
    for begin in (y - reach, y + height):
        top, bottom = max(0, round(begin)), min(frame.height, round(begin + reach))
        if bottom - top < SMALLEST:
            continue
        strip = frame.crop(frame.rect(Box(left, top, right - left, bottom - top)))
        for each in buttons_in(strip, Box(x - left, y - top, width, height)):
            if each.box.y > 0 and each.box.y + each.box.height < strip.height:
                yield Box(each.box.x + left, each.box.y + top, each.box.width, each.box.height)


def _row(boxes: NDArray[np.float64], lattice: Lattice) -> dict[str, Pixel]:
    """The middles of one row of equal `boxes`, float64[n, 4], one to each column; none where there is no such row."""
    boxes = boxes[np.argsort(-boxes[:, 2:].prod(axis=1), kind="stable")]
    x, y = boxes[:, 0] + boxes[:, 2] / 2, boxes[:, 1] + boxes[:, 3] / 2
    column = np.rint((x - lattice.origin.x) / lattice.pitch[0])
    over = (column >= 0) & (column < lattice.cols)
    over &= (boxes[:, 2:].min(axis=1) >= SMALLEST) & (boxes[:, 2] <= lattice.pitch[0])
    reach, top, bottom = FARTHEST * lattice.pitch[1], lattice.box.y, lattice.box.y + lattice.box.height
    for side in ((top - reach < y) & (y < top), (bottom < y) & (y < bottom + reach)):
        every = np.flatnonzero(over & side)
        row = every[np.unique(column[every], return_index=True)[1]]  # the largest over each column
        if len(row) == lattice.cols and _even(boxes[row]):
            return {f"column:{col}": Pixel(float(x[at]), float(y[at])) for col, at in enumerate(row)}
    return {}


def _even(boxes: NDArray[np.float64]) -> bool:
    """Whether boxes have one size, and lie at one height and as far apart, but for two pixels of rounding."""
    return bool((np.ptp(boxes[:, 1:], axis=0) <= 2).all() and np.ptp(np.diff(boxes[:, 0])) <= 2)
