"""What a picture shows at each cell and at each cell border of a lattice hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixel, Pixels
from calibration.lattice import Part
from calibration.regions import labels_of
from calibration.samples import ALIKE, COUNT, PointSampler, middle, plainness
from calibration.scene import Scene

SIDE = 0.5
"""The middle part of a cell's side on which its border is looked for: rounded corners leave at least that much."""

REACH = 0.15
"""How far beside its line, in pitches, a border may lie: cells have gaps and, in tables, uneven sides."""

ON = 0.8
"""The share of a cell's side that must be an edge for its border to count as drawn."""

WHOLE = 0.45
"""How far from its centre, in pitches, a cell is looked at to see whether it is as all cells of its kind."""

ACROSS = 7
"""Samples across and down each cell, 0.15 of a pitch apart."""

INNER = np.flatnonzero(np.pad(np.ones((COUNT, COUNT), dtype=bool), (ACROSS - COUNT) // 2).ravel())
"""Those of them that are samples of its colour: they reach INTERIOR from the centre."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A lattice laid over a picture.

    upright: float32[rows, cols + 1], how far right of the left border of each cell (and of the right border of the
        last) its edge was found, in pixels; nan where none is drawn.
    level: float32[rows + 1, cols], how far below the upper border; nan where none is drawn.
    samples: uint8[rows, cols, samples, 3], pixels of each cell.  colours: uint8[rows, cols, 3], their median.
    plain: float32[rows, cols], the share of the samples that look like the median, or slope evenly.
    areas: int32[rows, cols], one number for all cells that run into each other: alike, with no edge between them.
    """

    lattice: Lattice
    upright: NDArray[np.float32]
    level: NDArray[np.float32]
    samples: Pixels
    colours: Pixels
    plain: NDArray[np.float32]
    areas: NDArray[np.int32]

    @property
    def drawn(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """bool[rows, cols - 1] and bool[rows - 1, cols]: between which cells side by side, and below, an edge runs."""
        return ~np.isnan(self.upright[:, 1:-1]), ~np.isnan(self.level[1:-1])

    def part(self, part: Part) -> Mesh:
        """The mesh of some of the rows and columns."""
        top, bottom, left, right = part
        cells = np.s_[top:bottom, left:right]
        return Mesh(
            self.lattice.part(top, left, bottom - top, right - left),
            self.upright[top:bottom, left : right + 1],
            self.level[top : bottom + 1, left:right],
            self.samples[cells],
            self.colours[cells],
            self.plain[cells],
            self.areas[cells],
        )


def grown(scene: Scene, lattice: Lattice, by: int) -> Lattice:
    """`lattice` with up to `by` more rows and columns on every side, as far as the picture shows their middle."""
    left, right = _room(lattice.origin.x, lattice.pitch[0], lattice.cols, scene.width, by)
    top, bottom = _room(lattice.origin.y, lattice.pitch[1], lattice.rows, scene.height, by)
    return lattice.part(-top, -left, lattice.rows + top + bottom, lattice.cols + left + right)


def _room(first: float, pitch: float, count: int, end: int, by: int) -> tuple[int, int]:
    """How many more centres, at most `by`, have their place before the first and after the last of `count`."""
    before = int(np.clip((first - 1) // pitch, 0, by))
    after = int(np.clip((end - 2 - first) // pitch - (count - 1), 0, by))
    return before, after


def measure(scene: Scene, lattice: Lattice, *, round_cells: bool = False) -> Mesh:
    """The mesh of `lattice`; the borders of round cells need not be straight."""
    shape = (lattice.rows, lattice.cols)
    samples = PointSampler(lattice, reach=WHOLE, count=ACROSS).take(scene.pixels)
    inner = samples[:, INNER]
    colours = middle(inner)
    xs = lattice.origin.x + lattice.pitch[0] * np.arange(lattice.cols, dtype=np.float64)
    ys = lattice.origin.y + lattice.pitch[1] * np.arange(lattice.rows, dtype=np.float64)
    upright = _borders(scene.upright_sums, xs, ys, lattice.pitch, straight=not round_cells)
    level = _borders(scene.level_sums.T, ys, xs, lattice.pitch[::-1], straight=not round_cells).T
    return Mesh(
        lattice,
        upright,
        level,
        samples.reshape(*shape, -1, 3),
        colours.reshape(*shape, 3),
        plainness(inner, colours).reshape(shape),
        _areas(upright, level, colours.reshape(*shape, 3)),
    )


def _borders(
    sums: NDArray[np.int32],
    xs: NDArray[np.float64],
    ys: NDArray[np.float64],
    pitches: tuple[float, float],
    *,
    straight: bool,
) -> NDArray[np.float32]:
    """float32[len(ys), len(xs) + 1]: where edges run along each border between the centres `xs`, from its line.

    Two edges, at both sides of a gap, count as one in their middle.
    """
    height, width = sums.shape
    pitch, other = pitches
    reach = int(max(2, round(REACH * pitch)))
    lines = np.append(xs - pitch / 2, xs[-1] + pitch / 2)
    shifts = np.arange(-reach, reach + 1)
    columns = np.rint(lines)[:, None].astype(int) + shifts[None, :]
    low = np.clip(np.rint(ys - SIDE / 2 * other), 0, height - 1).astype(int)
    high = np.clip(np.rint(ys + SIDE / 2 * other), 0, height - 1).astype(int)
    edge = np.clip(columns, 0, width - 2)
    bands = sums[high] - sums[low]
    counts = (bands[:, edge + 1] - bands[:, edge]) * ((columns > 0) & (columns < width - 1))
    due = ON * np.maximum(high - low, 1)
    if straight:
        counts = counts * (counts >= due[:, None, None])
    found = counts.sum(axis=2)
    middles = (counts * shifts).sum(axis=2) / np.maximum(found, 1) + (np.rint(lines) - lines)
    return np.where(found >= due[:, None], middles, np.nan).astype(np.float32)


def _areas(upright: NDArray[np.float32], level: NDArray[np.float32], colours: Pixels) -> NDArray[np.int32]:
    across = np.isnan(upright[:, 1:-1]) & _alike(colours[:, 1:], colours[:, :-1])
    down = np.isnan(level[1:-1]) & _alike(colours[1:], colours[:-1])
    return labels_of(np.ones(colours.shape[:2], np.bool_), across, down)


def _alike(one: Pixels, other: Pixels) -> NDArray[np.bool_]:
    return np.asarray((np.maximum(one, other) - np.minimum(one, other)).max(axis=2) <= ALIKE)


def refined(mesh: Mesh) -> Lattice:
    """The lattice whose lines lie nearest to the edges found, by least squares along each axis."""
    lattice = mesh.lattice
    x, across = _fit(mesh.upright, lattice.pitch[0])
    y, down = _fit(mesh.level.T, lattice.pitch[1])
    return replace(lattice, origin=Pixel(lattice.origin.x + x, lattice.origin.y + y), pitch=(across, down))


def _fit(edges: NDArray[np.float32], pitch: float) -> tuple[float, float]:
    """How far the first centre must move, and the pitch, so that lines meet the median edge of each line."""
    drawn = ~np.isnan(edges)
    counts = drawn.sum(axis=0)
    lines = np.flatnonzero(counts)
    if len(lines) < 2:
        return 0.0, pitch
    away = np.nanmedian(edges[:, lines], axis=0)
    slope, start = np.polyfit(lines, away, 1, w=np.sqrt(counts[lines]))
    return float(start + slope / 2), float(pitch + slope)
