"""Colour buttons: patches of one size beside the board that show its colours once each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour
from calibration.frame import Box, Pixel, Pixels
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

PLAIN = 0.4
"""Pitches of the board. Smaller patches are buttons only if no colour is missing: a window's own three are smaller."""

ALIGNED = 0.2
"""How far, in its own size, a button's middle may lie beside its row's or column's."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch of colour beside the board.  kind: whose colour it has, -1 for none of the palette."""

    kind: int
    colour: Colour
    box: Box


@dataclass(frozen=True, slots=True)
class Buttons:
    """The colour buttons.  controls: where each is.  palette: the board's, and the colours only buttons show."""

    controls: Mapping[str, Pixel]
    palette: tuple[Colour, ...]


def colour_buttons(sight: Sight, calibration: Calibration) -> Buttons:
    """The buttons that play the board's colours; no controls where the game has no such buttons."""
    palette = calibration.palette
    best: list[Patch] = []
    for line in _lines(_patches(sight, calibration)):
        if _worth(line) > _worth(best):
            best = line
    kinds = {patch.kind for patch in best} - {-1}
    plain = all(min(patch.box.width, patch.box.height) >= PLAIN * min(calibration.lattice.pitch) for patch in best)
    if len(kinds) < max(2, len(palette) - len(calibration.marked) - (MISSING if plain else 0)):
        return Buttons({}, palette)
    controls = {f"colour:{patch.kind}": patch.box.centre for patch in best if patch.kind >= 0}
    strangers = [patch for patch in best if patch.kind < 0]
    missing = sorted(set(range(len(palette))) - kinds)
    for patch in strangers[len(missing) :]:  # as many strangers as colours are missing are these, greyed out
        controls[f"colour:{len(palette)}"] = patch.box.centre
        palette = (*palette, patch.colour)
    return Buttons(dict(sorted(controls.items())), palette)


def _worth(line: list[Patch]) -> tuple[int, float]:
    """More colours and fewer doubles first, then larger patches."""
    kinds = [patch.kind for patch in line if patch.kind >= 0]
    return 2 * len(set(kinds)) - len(kinds), sum(patch.box.width * patch.box.height for patch in line)


def _lines(patches: list[Patch]) -> list[list[Patch]]:
    """All patches as large as one of them: altogether, in its row, and in its column."""
    found = []
    for first in patches:
        if first.kind < 0:
            continue
        alike = [patch for patch in patches if _same_size(first.box, patch.box)]
        at, (_, _, width, height) = first.box.centre, first.box
        row = [patch for patch in alike if abs(patch.box.centre.y - at.y) <= ALIGNED * height]
        column = [patch for patch in alike if abs(patch.box.centre.x - at.x) <= ALIGNED * width]
        found += [[patch for patch in alike if patch.kind >= 0], _even(row, 0), _even(column, 1)]
    return found


def _even(line: list[Patch], axis: int) -> list[Patch]:
    """The patches of a line, without strangers that lie farther off than the known ones lie apart."""
    known = sorted(patch.box.centre[axis] for patch in line if patch.kind >= 0)
    if len(known) < 3:
        return [patch for patch in line if patch.kind >= 0]
    step = float(np.median(np.diff(known)))
    kept = []
    for patch in line:
        away = min(abs(patch.box.centre[axis] - place) for place in known)
        if patch.kind >= 0 or abs(away / step - 1) < 0.1:
            kept.append(patch)
    return kept


def _same_size(one: Box, other: Box) -> bool:
    return abs(one.width / other.width - 1) <= SAME_SIZE and abs(one.height / other.height - 1) <= SAME_SIZE


def _patches(sight: Sight, calibration: Calibration) -> list[Patch]:
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
    distance = np.sqrt(((colours[:, None] - palette[None]) ** 2).sum(axis=2))
    nearest = np.where(distance.min(axis=1) <= calibration.tolerance, distance.argmin(axis=1), -1)
    return [
        Patch(int(kind), (int(red), int(green), int(blue)), Box(*map(float, box)))
        for kind, (red, green, blue), box in zip(nearest, colours, boxes, strict=True)
    ]


def _colours(pixels: Pixels, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n, 3]: the median colour of the middle of each box."""
    steps = np.linspace(0.5 - INTERIOR, 0.5 + INTERIOR, 5)
    columns = (boxes[:, 0, None] + boxes[:, 2, None] * steps).astype(int)
    rows = (boxes[:, 1, None] + boxes[:, 3, None] * steps).astype(int)
    samples = pixels[rows[:, :, None], columns[:, None, :]].reshape(len(boxes), 25, 3)
    return np.asarray(np.median(samples, axis=1))
