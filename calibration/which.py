"""Which of the games a picture shows, where nobody said: the stricter a look's rules, the more its candidate counts."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box, Frame
from calibration.look import Candidate
from calibration.observe import Reader

STRICT = 0.6
"""From this confidence a position of a game with strict rules (stacked discs, touching pieces, walls) is that game."""

FEWEST_CELLS = 36
"""Flooding boards have 6 x 6 cells or more; smaller lattices of colours are word games and sliding tiles."""

LONGEST = 3.0
"""Rows to columns, or the reverse; longer lattices are calendars of a year."""

KINDS = range(3, 11)
"""Colours of a flooding game in play; two are crosswords and codes, more are colour pickers."""


def weighed(candidates: list[Candidate], frame: Frame) -> list[Candidate]:
    """The candidates that may be boards of the game they stand for, the likeliest first."""
    strict = [c for c in candidates if c.calibration and c.calibration.look != "coloured" and c.confidence >= STRICT]
    coloured = [c for c in candidates if c.calibration and c.calibration.look == "coloured"]
    coloured = sorted(coloured, key=lambda candidate: -candidate.confidence)[:3]
    flooding = [candidate for candidate in coloured if _flooding(candidate, frame)]
    kept = [candidate for candidate in strict if not any(_swallows(other.box, candidate.box) for other in flooding)]
    return sorted(kept, key=lambda c: -c.confidence) + sorted(flooding, key=lambda c: -c.confidence)


def _swallows(large: Box, small: Box) -> bool:
    """Whether `small` is a part, of less than half the area, of `large`."""
    return large.contains(small.centre) and large.width * large.height > 2 * small.width * small.height


def _flooding(candidate: Candidate, frame: Frame) -> bool:
    """Whether a coloured board is a position that flooding leads to."""
    if candidate.calibration is None or candidate.confidence < 0.5:
        return False
    return plausible_flood(Reader(candidate.calibration).read(frame).grid)


def plausible_flood(grid: NDArray[np.int8]) -> bool:
    """Whether flooding games deal and leave such grids: regions that grew from corners, the rest in random colours.

    grid: int8[rows, cols] of colours, negative where unread or not playable.
    """
    rows, cols = grid.shape
    if rows * cols < FEWEST_CELLS or max(rows, cols) > LONGEST * min(rows, cols):
        return False
    kinds = np.unique(grid[grid >= 0])
    if len(kinds) not in KINDS:
        return False
    corners = {int(grid[row, col]) for row in (0, -1) for col in (0, -1)}
    if len(kinds) == 3 and len(corners) == 1:
        return False  # a ground with two players' pieces in its middle
    rest = (grid >= 0) & ~_grown(grid)
    if rest.sum() < 12:
        return True
    shares = np.array([(grid[rest] == kind).mean() for kind in kinds])
    across, down = rest[:, 1:] & rest[:, :-1], rest[1:] & rest[:-1]
    pairs = int(across.sum() + down.sum())
    equal = int(((grid[:, 1:] == grid[:, :-1]) & across).sum() + ((grid[1:] == grid[:-1]) & down).sum())
    if len(kinds) <= 4 and equal < 0.08 * pairs:
        return False  # a chequerboard
    return bool(shares.max() <= 0.75 and equal <= (float((shares**2).sum()) + 0.3) * max(1, pairs))


def _grown(grid: NDArray[np.int8]) -> NDArray[np.bool_]:
    """The regions at the corners."""
    grown = np.zeros(grid.shape, dtype=bool)
    for row, col in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        labels = cv2.connectedComponents((grid == grid[row, col]).astype(np.uint8), connectivity=4)[1]
        grown |= labels == labels[row, col]
    return grown
