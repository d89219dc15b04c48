"""Boards seen through something: dimmed, blurred, behind a veil, with a dialog over a part of them.

What lies over a whole picture mixes each of its colours with one and the same colour, in equal shares.  So what a board
would show is known up to four numbers, a share and a colour, from a clear picture of it; of the grids that it may show
the one is told with which the picture agrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixels

INNER = 0.12
"""Half the side of the square in the middle of a place that is looked at, in pitches; grooves are a quarter wide."""

THIN = 0.12
"""The least share of a picture that must show through: veils of pages leave 0.15, a dialog lets nothing through."""

NEAR = 0.3
"""A place agrees with a kind whose colour lies within this part of the way from that kind to the one most like it."""

NOISE = 6.0
"""RGB distance that is never taken for a difference: pictures are scaled, blurred and compressed."""

IN_SIGHT = 0.5
"""The share of the places that must agree with a grid for it to be what shows."""

GROOVE = 64
"""What is added to the kinds of places between cells: a wall has another colour than a pawn, a groove than a cell."""

OTHERWISE = 0.1
"""The share of the places that may show another kind than the grid has: dialogs have colours of kinds here and there,
a board that was scrolled or played on shows them all over."""


def place_colours(pixels: Pixels, lattice: Lattice, grid: NDArray[np.int8]) -> NDArray[np.float32]:
    """float32[rows, cols, 3]: the mean colour in the middle of each place of a grid shaped as `grid`."""
    step = lattice.grid_step(grid)
    (x, y), (across, down) = lattice.origin, lattice.pitch
    wide, high = (max(1, round(INNER / step * side)) for side in (across, down))
    colours = np.zeros((*grid.shape, 3), dtype=np.float32)
    for row, col in np.ndindex(grid.shape):
        left, top = round(x + col / step * across), round(y + row / step * down)
        patch = pixels[max(0, top - high) : top + high + 1, max(0, left - wide) : left + wide + 1]
        colours[row, col] = patch.reshape(-1, 3).mean(axis=0) if patch.size else np.nan
    return colours


@dataclass(frozen=True, slots=True, eq=False)
class ClearView:
    """A board as it showed clearly: float32[rows, cols, 3] colours of the places, and int8[rows, cols] their kinds.

    step: every so many places there is a cell; the others lie between cells.
    """

    colours: NDArray[np.float32]
    grid: NDArray[np.int8]
    step: int = 1

    def shows(self, colours: NDArray[np.float32], grids: Sequence[NDArray[np.int8]]) -> int | None:
        """The number of the one of `grids` that `colours`, of a later picture, show, if only through something.

        The one with which most places agree, at least half of them and all that tell it from `self.grid`; None where
        there is none, and where several agree as well.
        """
        known = self._kinds_of(self.grid)
        agreeing = [self._agreeing(colours, known, self._kinds_of(grid)) for grid in grids]
        most = max(agreeing, default=0)
        return agreeing.index(most) if most and agreeing.count(most) == 1 else None

    def _kinds_of(self, grid: NDArray[np.int8]) -> NDArray[np.int8]:
        """`grid` with kinds of their own for the places between cells."""
        kinds = grid + np.int8(GROOVE)
        kinds[:: self.step, :: self.step] -= GROOVE
        return kinds

    def _agreeing(self, colours: NDArray[np.float32], known: NDArray[np.int8], grid: NDArray[np.int8]) -> int:
        """How many places agree with `grid`; 0 where too few do, or what tells it from the `known` one does not."""
        kinds = {int(kind): np.median(self.colours[known == kind], axis=0) for kind in np.unique(known)}
        if not set(np.unique(grid).tolist()) <= set(kinds):
            return 0
        changes = grid != known
        expected = self.colours.copy()
        for kind, colour in kinds.items():
            expected[changes & (grid == kind)] = colour
        alike = (pair for pair in combinations(kinds, 2) if pair[0] // GROOVE == pair[1] // GROOVE)
        apart = min((float(np.linalg.norm(kinds[one] - kinds[other])) for one, other in alike), default=0.0)
        best, disagrees = 0, True
        for share, veil in _mixtures(expected, colours, grid):
            near = max(NOISE, NEAR * share * apart)
            off, before = (
                np.linalg.norm(colours - (share * clear + veil), axis=-1) for clear in (expected, self.colours)
            )
            agrees = int((off <= near).sum())
            if agrees > best and _of_other_kinds(colours, kinds, grid, share, veil, near) <= OTHERWISE * grid.size:
                told = changes & ((off <= near) | (before <= near))  # else behind a dialog
                best, disagrees = agrees, not told.any() or bool((off >= before)[told].any())
        return 0 if disagrees or best < IN_SIGHT * grid.size else best


def _mixtures(
    clear: NDArray[np.float32], veiled: NDArray[np.float32], grid: NDArray[np.int8]
) -> Iterator[tuple[float, NDArray[np.float32]]]:
    """The shares of `clear` and the colours added to them that may give `veiled`: told by each two kinds of places."""
    medians = [
        (np.median(clear[grid == kind], axis=0), np.median(veiled[grid == kind], axis=0)) for kind in np.unique(grid)
    ]
    for (x, y), (other_x, other_y) in combinations(medians, 2):
        across = x - other_x
        share = min(1.0, float(across @ (y - other_y) / max(1e-6, float(across @ across))))
        veil = y - share * x
        if share >= THIN and veil.min() >= -NOISE and veil.max() <= 255 * (1 - share) + NOISE:
            yield share, veil


def _of_other_kinds(
    colours: NDArray[np.float32],
    kinds: dict[int, NDArray[np.float32]],
    grid: NDArray[np.int8],
    share: float,
    veil: NDArray[np.float32],
    near: float,
) -> int:
    """How many places show, through the veil, a kind that `grid` has not there."""
    off = np.stack([np.linalg.norm(colours - (share * clear + veil), axis=-1) for clear in kinds.values()])
    off[[grid // GROOVE != kind // GROOVE for kind in kinds]] = np.inf
    shown = np.array(list(kinds))[off.argmin(axis=0)]
    return int(((off.min(axis=0) <= near) & (shown != grid)).sum())
