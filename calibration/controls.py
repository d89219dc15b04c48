"""Buttons: patches of one size beside the board, one in each of its colours, or one over each of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice
from calibration.frame import Pixel, Pixels
from calibration.probes import INTERIOR
from calibration.sight import Sight

SMALLEST = 10.0
"""Pixels. A smaller patch of colour is a legend, not a button."""

LARGEST = 4.0
"""Pitches of the board. Nothing larger is a colour button."""

SAME_SIZE = 0.15
"""How much the sides of buttons differ, as a share: borders of a chosen one take a few pixels."""

MISSING = 2
"""How many of the board's colours may have no button: those that may not be played now are hidden in some games."""

ALIGNED = 0.2
"""How far, in its own size, a button's middle may lie beside its row's or column's."""

FARTHEST = 1.5
"""How far from the board, in pitches, the middles of the buttons of its columns lie at most."""

LONGEST_ROW = 10
"""Colours of the game that has most; more equal patches than twice that are no buttons."""

LOOSE = 75.0
"""RGB distance. Shading lifts the colour of a cell from that of its flat button by up to 50; others are farther."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches of colour beside the board.

    boxes: float64[n, 4], left, top, width and height.  away: float64[n, kinds], how far each is from each colour.
    """

    boxes: NDArray[np.float64]
    colours: NDArray[np.float64]
    away: NDArray[np.float64]

    @property
    def centres(self) -> NDArray[np.float64]:
        """float64[n, 2]: the middle (x, y) of each."""
        return np.asarray(self.boxes[:, :2] + self.boxes[:, 2:] / 2)


@dataclass(frozen=True, slots=True)
class Buttons:
    """The colour buttons.  controls: where each is.  palette: the board's, and the colours only buttons show."""

    controls: Mapping[str, Pixel]
    palette: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Equal patches in line: which patch shows which kind, and which show none of the board's.

    worth: how many kinds, each less the further its patch's colour is off, less the strangers.
    """

    kinds: Mapping[int, int]
    strangers: tuple[int, ...]
    worth: float


def colour_buttons(sight: Sight, calibration: Calibration) -> Buttons:
    """The buttons that play the board's colours; no controls where the game has no such buttons."""
    palette = calibration.palette
    patches = _patches(sight, calibration)
    lines = [_matched(patches, line, calibration.tolerance) for line in _rows(patches)]
    due = len(palette)
    enough = [line for line in lines if len(line.kinds) == due or len(line.kinds) >= max(3, due - MISSING)]
    best = max(enough, key=lambda line: line.worth, default=None)
    if best is None or best.worth < 0.5 * due:
        return Buttons({}, palette)
    centres = patches.centres
    controls = {f"colour:{kind}": Pixel(*map(float, centres[patch])) for kind, patch in sorted(best.kinds.items())}
    for patch in best.strangers[due - len(best.kinds) :]:  # as many strangers as colours are missing are these, faded
        controls[f"colour:{len(palette)}"] = Pixel(*map(float, centres[patch]))
        red, green, blue = patches.colours[patch]
        palette = (*palette, (int(red), int(green), int(blue)))
    return Buttons(controls, palette)


def column_buttons(sight: Sight, lattice: Lattice) -> dict[str, Pixel]:
    """The buttons that drop a piece into each column: equal patches in one row above or below; none where they lack."""
    boxes = sight.patches[np.argsort(-sight.patches[:, 2:4].prod(axis=1), kind="stable"), :4]
    x, y = boxes[:, 0] + boxes[:, 2] / 2, boxes[:, 1] + boxes[:, 3] / 2
    column = np.rint((x - lattice.origin.x) / lattice.pitch[0])
    over = np.abs(x - lattice.origin.x - column * lattice.pitch[0]) <= ALIGNED / 2 * lattice.pitch[0]
    over &= (column >= 0) & (column < lattice.cols)
    over &= (boxes[:, 2:].min(axis=1) >= SMALLEST) & (boxes[:, 2] <= lattice.pitch[0])
    reach, top, bottom = FARTHEST * lattice.pitch[1], lattice.box.y, lattice.box.y + lattice.box.height
    for side in ((top - reach < y) & (y < top), (bottom < y) & (y < bottom + reach)):
        patches = np.flatnonzero(over & side)
        row = patches[np.unique(column[patches], return_index=True)[1]]  # the largest over each column
        if len(row) == lattice.cols and _equal(boxes[row]):
            return {f"column:{col}": Pixel(float(x[patch]), float(y[patch])) for col, patch in enumerate(row)}
    return {}


def _equal(boxes: NDArray[np.float64]) -> bool:
    """Whether boxes have one size and lie at one height, but for two pixels of rounding."""
    return bool((np.ptp(boxes[:, 1:], axis=0) <= 2).all())


def _matched(patches: Patches, line: NDArray[np.intp], tolerance: float) -> Line:
    """Each kind given to the patch of `line` that is nearest to it in colour, the nearest pair first."""
    away = patches.away[line].copy()
    kinds: dict[int, int] = {}
    worth = 0.0
    while away.size and (nearest := float(away.min())) <= LOOSE:
        patch, kind = np.unravel_index(int(away.argmin()), away.shape)
        kinds[int(kind)] = int(line[patch])
        worth += 1 - nearest / LOOSE
        away[patch], away[:, kind] = np.inf, np.inf
    taken = set(kinds.values())
    rest = [int(patch) for patch in line if int(patch) not in taken]
    doubles = sum(bool(patches.away[patch].min() <= tolerance) for patch in rest)
    strangers = tuple(patch for patch in rest if patches.away[patch].min() > LOOSE)
    faded = patches.away.shape[1] - len(kinds)  # the buttons of colours that may not be played now
    return Line(kinds, strangers, worth - 0.5 * max(0, len(rest) - faded) - doubles)


def _rows(patches: Patches) -> list[NDArray[np.intp]]:
    """Patches of one size in a row, in a column, or in a few rows: evenly spaced, but for a hidden one."""
    found: list[NDArray[np.intp]] = []
    left = np.arange(len(patches.boxes))
    while len(left):
        size = patches.boxes[left[0], 2:]
        alike = (np.abs(patches.boxes[left, 2:] / size - 1) <= SAME_SIZE).all(axis=1)
        group, left = left[alike], left[~alike]
        for axis in (0, 1):
            for line in _split(patches, group, 1 - axis):
                found += _even(patches, line, axis)
        if 2 <= len(group) <= 2 * LONGEST_ROW:
            found.append(group)
    return [line for line in found if len(line) >= 2]


def _split(patches: Patches, group: NDArray[np.intp], axis: int) -> list[NDArray[np.intp]]:
    """The patches of `group` by their place along `axis`."""
    order = group[np.argsort(patches.centres[group, axis], kind="stable")]
    places = patches.centres[order, axis]
    cuts = np.flatnonzero(np.diff(places) > ALIGNED * np.median(patches.boxes[order, 2 + axis])) + 1
    return np.split(order, cuts)


def _even(patches: Patches, line: NDArray[np.intp], axis: int) -> list[NDArray[np.intp]]:
    """The runs of `line` along `axis` in which patches follow each other at one step, or at two where one is hidden."""
    order = line[np.argsort(patches.centres[line, axis], kind="stable")]
    if len(order) < 3:
        return [order]
    steps = np.diff(patches.centres[order, axis])
    step = float(np.median(steps))
    regular = np.abs(steps / step - np.clip(np.rint(steps / step), 1, 2)) <= 0.1
    return np.split(order, np.flatnonzero(~regular) + 1)


def _patches(sight: Sight, calibration: Calibration) -> Patches:
    """The patches outside of the board that a button could be."""
    boxes = sight.patches[:, :4]
    left, top, width, height = calibration.lattice.box
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    beside = (centres[:, 0] < left) | (centres[:, 0] > left + width)
    beside |= (centres[:, 1] < top) | (centres[:, 1] > top + height)
    whole = (boxes[:, :2] > 1).all(axis=1)
    whole &= (boxes[:, 0] + boxes[:, 2] < sight.width - 1) & (boxes[:, 1] + boxes[:, 3] < sight.height - 1)
    fits = (boxes[:, 2:].min(axis=1) >= SMALLEST) & (
        boxes[:, 2:].max(axis=1) <= LARGEST * max(calibration.lattice.pitch)
    )
    boxes = boxes[beside & whole & fits]
    colours = _colours(sight.pixels, boxes)
    palette = np.asarray(calibration.palette, dtype=np.float64)
    away = np.sqrt(((colours[:, None] - palette[None]) ** 2).sum(axis=2))
    away[:, list(calibration.marked)] = np.inf
    return Patches(boxes, colours, away)


def _colours(pixels: Pixels, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n, 3]: the median colour of the middle of each box."""
    steps = np.linspace(0.5 - INTERIOR, 0.5 + INTERIOR, 5)
    columns = (boxes[:, 0, None] + boxes[:, 2, None] * steps).astype(int)
    rows = (boxes[:, 1, None] + boxes[:, 3, None] * steps).astype(int)
    samples = pixels[rows[:, :, None], columns[:, None, :]].reshape(len(boxes), 25, 3)
    return np.asarray(np.median(samples, axis=1))
