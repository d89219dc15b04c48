"""Blobs of colour beside a board, one of which a button in each of its colours may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration
from calibration.frame import Pixel, Pixels
from calibration.palette import distances_lit
from calibration.samples import ALIKE, CENTRE, INTERIOR
from calibration.scene import Scene
from calibration.targets import FADED, OFF_TINT, off_the_way

SMALLEST = 10.0
"""Pixels. A smaller blob of colour is a legend, not a button."""

LARGEST = 4.0
"""Pitches of the board. Nothing whose shorter side is longer is a colour button."""

RIM = 2
"""Pixels from a button's corner to what is round it."""

DOUBLE = 24.0
"""RGB distance. A blob nearer than that to a colour whose button is found is a second one: no row of buttons."""

CLEAR, WIDE, WORDED = 0.6, 0.42, 9
"""The share of the middle of a button that has its colour, unless there is a word on it; and how far from its centre,
and in how many rows and columns, its ground is looked for then."""

LOOSE = 75.0
"""RGB distance. Shading lifts the colour of a cell from that of its flat button by up to 50; others are farther."""


@dataclass(frozen=True, eq=False)
class ButtonBlobs:
    """Blobs of colour beside the board.

    pixels: the whole picture.  boxes: float64[n, 4], left, top, width and height.  colours: float64[n, 3].
    palette: float64[kinds, 3], the colours of the board.  away: float64[n, kinds], how far each blob is from each of
        them; inf where it cannot be its button.
    """

    pixels: Pixels
    boxes: NDArray[np.float64]
    colours: NDArray[np.float64]
    palette: NDArray[np.float64]
    away: NDArray[np.float64]

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """float64[n, 2]: the middle (x, y) of each."""
        return np.asarray(self.boxes[:, :2] + self.boxes[:, 2:] / 2)

    @cached_property
    def off(self) -> NDArray[np.float64]:
        """float64[n, kinds]: how far each is from the way from a kind's colour to that of what is round the blob.

        inf where that is too far for the kind's button that may not be pressed.
        """
        left, top = np.maximum(0, self.boxes[:, :2].astype(int) - RIM).T
        around = self.pixels[top, left].astype(np.float64)
        aside = off_the_way(self.palette, self.colours[:, None], around[:, None], FADED)
        return np.asarray(np.where((aside <= OFF_TINT) | (self.away <= DOUBLE), aside, np.inf))

    @cached_property
    def due(self) -> NDArray[np.intp]:
        """The kinds that may have a button among them."""
        return np.flatnonzero(np.isfinite(self.away).any(axis=0))


def button_blobs(
    scene: Scene, calibration: Calibration, boxes: NDArray[np.float64], without: Sequence[Pixel] = ()
) -> ButtonBlobs:
    """The blobs outside of the board that a button could be; without: the middles of some that are left out."""
    left, top, width, height = calibration.lattice.box
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    beside = (centres[:, 0] < left) | (centres[:, 0] > left + width)
    beside |= (centres[:, 1] < top) | (centres[:, 1] > top + height)
    whole = (boxes[:, :2] > 1).all(axis=1)
    whole &= (boxes[:, 0] + boxes[:, 2] < scene.width - 1) & (boxes[:, 1] + boxes[:, 3] < scene.height - 1)
    short = boxes[:, 2:].min(axis=1)
    fits = (short >= SMALLEST) & (short <= LARGEST * max(calibration.lattice.pitch))
    for at in without:
        fits &= (np.abs(centres - at) >= boxes[:, 2:] / 2).any(axis=1)
    boxes = boxes[beside & whole & fits]
    colours = _grounds(scene.pixels, boxes)
    palette = np.asarray(calibration.palette, dtype=np.float64)
    away = distances_lit(colours, palette, calibration.lit)
    dotted = np.abs(_colours(scene.pixels, boxes, CENTRE) - colours).max(axis=1) > ALIKE
    for kind in calibration.marked:  # of two equal colours the marked one has the button with a mark
        twin = calibration.palette.index(calibration.palette[kind])
        away[~dotted, kind] = np.inf
        away[dotted, twin] = np.inf
    return ButtonBlobs(scene.pixels, boxes, colours, palette, away)


def _grounds(pixels: Pixels, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n, 3]: the colour of the middle of each box, or of its ground where a word leaves no one colour there."""
    colours = _colours(pixels, boxes, INTERIOR)
    samples = _samples(pixels, boxes, INTERIOR).astype(np.float64)
    mixed = (np.abs(samples - colours[:, None]).max(axis=2) <= ALIKE).mean(axis=1) < CLEAR
    wide = _samples(pixels, boxes[mixed], WIDE, WORDED).astype(np.float64)
    alike = np.abs(wide[:, :, None] - wide[:, None]).max(axis=3) <= ALIKE
    colours[mixed] = np.take_along_axis(wide, alike.sum(axis=2).argmax(axis=1)[:, None, None], axis=1)[:, 0]
    return colours


def _colours(pixels: Pixels, boxes: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """float64[n, 3]: the median colour of the middle of each box, up to `reach` of its sides from the centre."""
    return np.asarray(np.median(_samples(pixels, boxes, reach), axis=1))


def _samples(pixels: Pixels, boxes: NDArray[np.float64], reach: float, side: int = 5) -> Pixels:
    """uint8[n, side * side, 3]: pixels of each box, up to `reach` of its sides from the centre."""
    steps = np.linspace(0.5 - reach, 0.5 + reach, side)
    columns = (boxes[:, 0, None] + boxes[:, 2, None] * steps).astype(int)
    rows = (boxes[:, 1, None] + boxes[:, 3, None] * steps).astype(int)
    return np.asarray(pixels[rows[:, :, None], columns[:, None, :]].reshape(len(boxes), side * side, 3))
