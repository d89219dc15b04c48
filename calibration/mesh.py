"""What a picture shows at each cell and at each cell border of a lattice hypothesis."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.combs import Comb
from calibration.frame import Pixel
from calibration.sight import Sight, Window

SIDE = 0.5
"""The middle part of a cell's side on which its border is looked for: rounded corners leave at least that much."""

INTERIOR = 0.3
"""How far from its centre, in pitches, a cell is sampled: inside cells that leave gaps of up to 0.35 of the pitch."""

PROBES = 5
"""Samples across and down each cell: 25 in all, so that a mark in the middle stays a minority."""

ON = 0.8
"""The share of a cell's side that must be an edge for its border to count as drawn."""

FLAT = 24.0
"""How far, in the channel that differs most, a sample may lie from its cell's median and still belong to it."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A lattice laid over a picture.

    upright: bool[rows, cols + 1], whether an edge runs along the left border of each cell (and the right of the last).
    level: bool[rows + 1, cols], whether one runs along the upper border.
    colours: float32[rows, cols, 3], the median of each cell's samples.
    flat: float32[rows, cols], the share of the samples that look like the median.
    areas: int32[rows, cols], one number for all cells that run into each other: alike, with no edge between them.
    """

    lattice: Lattice
    upright: NDArray[np.bool_]
    level: NDArray[np.bool_]
    colours: NDArray[np.float32]
    flat: NDArray[np.float32]
    areas: NDArray[np.int32]

    def part(self, top: int, bottom: int, left: int, right: int) -> Mesh:
        """The rows from `top` and columns from `left` before `bottom` and `right`."""
        place = self.lattice.origin
        across, down = self.lattice.pitch
        origin = Pixel(place.x + left * across, place.y + top * down)
        return Mesh(
            Lattice(origin, self.lattice.pitch, bottom - top, right - left),
            self.upright[top:bottom, left : right + 1],
            self.level[top : bottom + 1, left:right],
            self.colours[top:bottom, left:right],
            self.flat[top:bottom, left:right],
            self.areas[top:bottom, left:right],
        )


def lay(sight: Sight, window: Window, across: Comb, down: Comb) -> Mesh | None:
    """The mesh of all cells whose centre lies in `window` or one cell around it; None where that is no 2 x 2."""
    xs = _centres(across, window.left, window.right, sight.width)
    ys = _centres(down, window.top, window.bottom, sight.height)
    if len(xs) < 2 or len(ys) < 2:
        return None
    return measure(sight, Lattice(Pixel(xs[0], ys[0]), (across.pitch, down.pitch), len(ys), len(xs)))


def measure(sight: Sight, lattice: Lattice) -> Mesh:
    """The mesh of `lattice`, whose centres must lie in the picture."""
    xs = lattice.origin.x + lattice.pitch[0] * np.arange(lattice.cols, dtype=np.float64)
    ys = lattice.origin.y + lattice.pitch[1] * np.arange(lattice.rows, dtype=np.float64)
    colours, flat = _sample(sight, xs, ys, lattice.pitch)
    upright = _borders(sight.upright_sums, xs, ys, *lattice.pitch)
    level = _borders(sight.level_sums.T, ys, xs, lattice.pitch[1], lattice.pitch[0]).T
    return Mesh(lattice, upright, level, colours, flat, _areas(upright, level, colours))


def _centres(comb: Comb, low: int, high: int, end: int) -> NDArray[np.float64]:
    middle = comb.phase + comb.pitch / 2
    shifted = Comb(comb.pitch, middle % comb.pitch, comb.strength)
    return shifted.lines(max(1.0, low - comb.pitch), min(end - 2.0, high + comb.pitch))


def _borders(
    sums: NDArray[np.int32], xs: NDArray[np.float64], ys: NDArray[np.float64], pitch: float, other: float
) -> NDArray[np.bool_]:
    """bool[len(ys), len(xs) + 1]: whether an edge runs along the middle of each border between the centres `xs`.

    It may lie up to 0.15 of a pitch (at least 2 pixels) beside the border: cells have gaps and uneven sides.
    """
    height, width = sums.shape
    reach = int(max(2, round(0.15 * pitch)))
    lines = np.append(xs - pitch / 2, xs[-1] + pitch / 2)
    columns = np.rint(lines)[:, None].astype(int) + np.arange(-reach, reach + 1)[None, :]
    inside = (columns >= 0) & (columns < width - 1)
    columns = np.clip(columns, 0, width - 2)
    low = np.clip(np.rint(ys - SIDE / 2 * other), 0, height - 1).astype(int)[:, None, None]
    high = np.clip(np.rint(ys + SIDE / 2 * other), 0, height - 1).astype(int)[:, None, None]
    counts = sums[high, columns + 1] - sums[low, columns + 1] - sums[high, columns] + sums[low, columns]
    share = np.where(inside, counts / np.maximum(high - low, 1), 0.0)
    return np.asarray(share.max(axis=2) >= ON)


def _areas(upright: NDArray[np.bool_], level: NDArray[np.bool_], colours: NDArray[np.float32]) -> NDArray[np.int32]:
    rows, cols = colours.shape[:2]
    paths = np.zeros((2 * rows - 1, 2 * cols - 1), np.uint8)
    paths[0::2, 0::2] = 1
    paths[0::2, 1::2] = ~upright[:, 1:-1] & (np.abs(colours[:, 1:] - colours[:, :-1]).max(axis=2) < FLAT)
    paths[1::2, 0::2] = ~level[1:-1] & (np.abs(colours[1:] - colours[:-1]).max(axis=2) < FLAT)
    return cv2.connectedComponents(paths, connectivity=4)[1][0::2, 0::2].astype(np.int32)


def _sample(
    sight: Sight, xs: NDArray[np.float64], ys: NDArray[np.float64], pitch: tuple[float, float]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    steps = np.linspace(-INTERIOR, INTERIOR, PROBES)
    columns = np.clip(np.floor(xs[:, None] + steps * pitch[0]), 0, sight.width - 1).astype(int)
    rows = np.clip(np.floor(ys[:, None] + steps * pitch[1]), 0, sight.height - 1).astype(int)
    patches = sight.pixels[rows[:, None, :, None], columns[None, :, None, :]].astype(np.float32)
    patches = patches.reshape(len(ys), len(xs), PROBES * PROBES, 3)
    colours = np.median(patches, axis=2)
    flat = (np.abs(patches - colours[:, :, None, :]).max(axis=3) <= FLAT).mean(axis=2)
    return colours.astype(np.float32), flat.astype(np.float32)


def islands(mesh: Mesh) -> list[tuple[int, int, int, int, int]]:
    """The groups of drawn borders that hang together, as (borders, top, bottom, left, right), most borders first.

    Groups less than two cells apart count as one: a flooded region separates the borders left inside it.
    """
    rows, cols = mesh.colours.shape[:2]
    drawn = np.zeros((2 * rows + 1, 2 * cols + 1), np.uint8)
    drawn[1::2, 0::2] = mesh.upright
    drawn[0::2, 1::2] = mesh.level
    borders = drawn.copy()
    joined = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels = cv2.connectedComponents(joined.astype(np.uint8), connectivity=8)
    weights = np.bincount(labels[borders > 0], minlength=count)
    found = []
    for label in range(1, count):
        ys, xs = np.nonzero((labels == label) & (borders > 0))
        if len(ys):
            found.append(
                (
                    int(weights[label]),
                    int(ys.min()) // 2,
                    -(-int(ys.max()) // 2),
                    int(xs.min()) // 2,
                    -(-int(xs.max()) // 2),
                )
            )
    return sorted(found, reverse=True)
