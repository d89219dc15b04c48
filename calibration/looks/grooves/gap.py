"""How broad the grooves between the cells of a lattice are, and where they lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.board import Lattice
from calibration.frame import Pixel, Pixels

FAINTEST = 3.0
"""The least change, in the channel that differs most, that is a groove."""

BESIDE = 2.0
"""Pixels by which grooves must lie beside their places for the lattice to be moved: edges are blurred."""


def with_grooves(pixels: Pixels, lattice: Lattice) -> Lattice | None:
    """`lattice` with the gap and the place that the grooves between its cells show; None where they show none."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    seen = (
        _groove(pixels.swapaxes(0, 1), lattice.cols, (x, y), (across, down)),
        _groove(pixels, lattice.rows, (y, x), (down, across)),
    )
    grooves = [groove for groove in seen if groove is not None]
    if len(grooves) < len(seen):
        return None
    (wide, right), (high, below) = grooves
    by = Pixel(*(off if abs(off) > BESIDE else 0.0 for off in (right, below)))
    return replace(lattice.moved(by), gap=(wide, high))


def _groove(
    pixels: Pixels, count: int, origin: tuple[float, float], pitch: tuple[float, float]
) -> tuple[float, float] | None:
    """How many pixels high the grooves between `count` rows of as many cells are, and how far below their middles.

    They are where most differs from the cells.  origin, pitch: of the lattice, down and along.
    """
    reach = round(pitch[0] / 3)
    middles = np.floor(origin[0] + pitch[0] * (np.arange(count - 1) + 0.5)).astype(np.intp)
    rows = np.clip(middles[:, None] + np.arange(-reach, reach + 1), 0, len(pixels) - 1)
    places = origin[1] + pitch[1] * (np.arange(count)[:, None] + np.array([-0.15, 0.0, 0.15])).ravel()
    columns = np.clip(np.floor(places).astype(np.intp), 0, pixels.shape[1] - 1)
    strips = pixels[rows[:, :, None], columns].astype(np.float32)
    beside = (strips[:, :1] + strips[:, -1:]) / 2
    change = np.median(np.abs(strips - beside).max(axis=3), axis=(0, 2))
    high = np.flatnonzero(change > max(FAINTEST, 0.5 * float(change.max())))
    return (float(high[-1] - high[0] + 1), float(high[-1] + high[0]) / 2 - reach) if len(high) else None
