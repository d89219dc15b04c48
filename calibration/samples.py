"""Samples inside cells: the same few pixels of every cell, taken in one go."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixel, Pixels

INTERIOR = 0.3
"""How far from its centre, in pitches, a cell is sampled: inside cells that leave gaps of up to 0.35 of the pitch."""

CENTRE = 0.06
"""How far from the centre, in pitches, a mark in the middle is looked for: the smallest dots reach to 0.1."""

COUNT = 5
"""Samples across and down each cell: 25 in all, so that a mark in the middle stays a minority."""

ALIKE = 24
"""How far, in the channel that differs most, two samples of one colour may lie apart.

Twice the step that counts as an edge: noise and shading inside a cell stay below, the next colour seldom does.
"""

STANDING = 3.0
"""How many times farther from the cell's colour a mark lies than what is in the middle of unmarked cells."""

SLOPING = 0.8
"""The share of a cell's samples that must lie on a plane for its colour to slope evenly: text and edges leave less."""


class PointSampler:
    """The pixels to sample in every cell of one lattice, on pictures cut out at one place."""

    def __init__(
        self, lattice: Lattice, offset: Pixel = Pixel(0, 0), *, reach: float = INTERIOR, count: int = COUNT
    ) -> None:
        """Sample `count` x `count` pixels up to `reach` pitches from each centre; `offset` is the picture's corner."""
        steps = np.linspace(-reach, reach, count)
        self.shape = (lattice.rows, lattice.cols)
        self._columns = _places(lattice.origin.x - offset.x, lattice.pitch[0], lattice.cols, steps)
        self._rows = _places(lattice.origin.y - offset.y, lattice.pitch[1], lattice.rows, steps)

    def take(self, pixels: Pixels) -> Pixels:
        """uint8[cells, samples, 3]: the samples, row by row; those beyond the picture repeat its border."""
        rows = np.clip(self._rows, 0, pixels.shape[0] - 1)
        columns = np.clip(self._columns, 0, pixels.shape[1] - 1)
        count = rows.shape[1] * columns.shape[1]
        return pixels[rows[:, None, :, None], columns[None, :, None, :]].reshape(-1, count, 3)

    def inside(self, pixels: Pixels) -> NDArray[np.bool_]:
        """bool[cells]: whether the middle of each cell lies in the picture."""
        rows, columns = self._rows[:, self._rows.shape[1] // 2], self._columns[:, self._columns.shape[1] // 2]
        down = (rows >= 0) & (rows < pixels.shape[0])
        across = (columns >= 0) & (columns < pixels.shape[1])
        return np.asarray(down[:, None] & across[None, :]).ravel()


def middle(samples: Pixels) -> Pixels:
    """uint8[cells, 3]: the median of each cell's samples, channel by channel."""
    return np.sort(samples, axis=1)[:, samples.shape[1] // 2]


def same(samples: Pixels, others: Pixels) -> NDArray[np.bool_]:
    """bool[cells, samples]: whether each sample is ALIKE the other one (uint8 that broadcasts)."""
    away = np.maximum(samples, others) - np.minimum(samples, others)
    return np.asarray(away.max(axis=2) <= ALIKE)


def likeness(samples: Pixels, colours: Pixels) -> NDArray[np.float32]:
    """float32[cells]: the share of each cell's samples that are ALIKE its colour, uint8[cells, 3]."""
    return np.asarray(same(samples, colours[:, None]).mean(axis=1, dtype=np.float32))


def heights(centres: Pixels, colours: Pixels) -> NDArray[np.float32]:
    """float32[cells]: how far the middle of each cell, uint8[cells, samples, 3], lies from its colour, uint8[cells, 3].

    In the channel that differs most.
    """
    away = np.maximum(centres, colours[:, None]) - np.minimum(centres, colours[:, None])
    return np.asarray(np.median(away.max(axis=2), axis=1), dtype=np.float32)


def marks(centres: Pixels, colours: Pixels) -> NDArray[np.bool_]:
    """bool[cells]: whether the very middle of each cell, uint8[cells, samples, 3], is unlike its colour.

    Where cells are shaded, whether it stands out far more than is usual.
    """
    height, unlike = heights(centres, colours), likeness(centres, colours) < 0.5
    shade = shading(height)
    return unlike & (height >= STANDING * shade) if shade > ALIKE / 2 else unlike


def shading(height: NDArray[np.float32]) -> float:
    """How far the middle of an unmarked cell lies from its colour: at least a quarter of the cells carry no mark.

    height: float32[cells], as of `heights`.
    """
    return float(np.quantile(height, 0.25))


def plainness(samples: Pixels, colours: Pixels) -> NDArray[np.float32]:
    """float32[cells]: the share of each cell's samples that are ALIKE its median colour, uint8[cells, 3].

    Or ALIKE a plane through them, where nearly all are: colour that slopes evenly over a cell is as plain.
    """
    plain = likeness(samples, colours)
    rough = np.flatnonzero(plain < SLOPING)
    if len(rough):
        sloping = _on_planes(samples[rough].astype(np.float32))
        plain[rough] = np.where(sloping >= SLOPING, sloping, plain[rough])
    return plain


def _on_planes(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32[cells]: the share of the samples, float32[cells, side * side, 3], ALIKE their plane of best fit."""
    side = round(samples.shape[1] ** 0.5)
    steps = np.arange(side, dtype=np.float32) - (side - 1) / 2
    ways = np.stack([np.tile(steps, side), np.repeat(steps, side)])
    slopes = np.einsum("ws,csk->cwk", ways / (ways**2).sum(axis=1, keepdims=True), samples)
    left = samples - np.einsum("ws,cwk->csk", ways, slopes)
    away = np.abs(left - np.median(left, axis=1, keepdims=True)).max(axis=2)
    return np.asarray((away <= ALIKE).mean(axis=1, dtype=np.float32))


def _places(origin: float, pitch: float, count: int, steps: NDArray[np.float64]) -> NDArray[np.intp]:
    """intp[count, samples]: the pixels sampled along one axis."""
    return np.floor(origin + pitch * (np.arange(count)[:, None] + steps)).astype(np.intp)
