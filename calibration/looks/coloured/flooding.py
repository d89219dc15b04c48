"""Which grids flooding games deal and leave while they are played, and why other lattices of colours are none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour
from calibration.frame import Frame
from calibration.look import STRICT, Proposal
from calibration.regions import corner_regions
from calibration.samples import ALIKE, PointSampler
from games.core import BLOCKED

FEWEST_CELLS = 36
"""Flooding boards have 6 x 6 cells or more; smaller lattices of colours are word games and sliding tiles."""

FEWEST_WITH_BUTTONS = 16
"""Cells of the smallest flooding boards, known by a button in each of their colours."""

CORNER, SHAPED = 0.45, 0.8
"""How far from its centre, in pitches, a corner of a cell is looked at; the share of the corners of a kind's cells that
have its colour where they are square, and that have not where they are round.
"""

STREAKED = "its colours do not lie as flooding leaves them"

LONGEST = 3.0
"""Rows to columns, or the reverse; longer lattices are calendars of a year."""

FEW = 12
"""Cells outside of the regions at the corners that say nothing: what is left near the end of a game."""

KINDS = range(3, 11)
"""Colours of a flooding game in play; two are crosswords and codes, more are colour pickers."""

Grid = NDArray[np.int8]


def refute(proposal: Proposal, frame: Frame, grid: Grid, *, named: bool) -> str:
    """Why no flooding game leads to a `grid`, int8[rows, cols]; "" where one may.

    Games that were asked for may show any colours, for they end in one, but on a board of some size.
    """
    assert proposal.calibration is not None
    if _of_stones(proposal.calibration, frame, grid):
        return "discs lie on cells of one colour"
    grid, buttons = _playable(proposal, grid)
    if named or buttons:
        rows, cols = grid.shape
        if grid.size < FEWEST_WITH_BUTTONS or max(rows, cols) > LONGEST * min(rows, cols):
            return f"no flooding game is played on {rows}x{cols} cells"
        if grid.size < FEWEST_CELLS and proposal.features.get("shaped") != 1.0 and proposal.confidence < STRICT:
            return f"{rows}x{cols} cells are few for a flooding game without buttons"
        if named or (grid.size < FEWEST_CELLS and strewn(grid, FEW)):
            return ""
    return "" if plausible_flood(grid) else STREAKED


def _playable(proposal: Proposal, grid: Grid) -> tuple[Grid, bool]:
    """`grid` with the cells of a grey kind not playable where it alone has no button; whether each other kind has."""
    assert proposal.calibration is not None
    palette = proposal.calibration.palette
    grey = [kind for kind in range(len(palette)) if greyer(palette, kind)]
    shown = round(proposal.features.get("buttons", 0.0) * len(palette))
    if len(grey) == 1 and shown == len(palette) - 1:
        return np.where(grid == grey[0], np.int8(BLOCKED), grid), True
    return grid, shown == len(palette)


def greyer(palette: tuple[Colour, ...], kind: int) -> bool:
    """Whether a colour's channels lie less than half as far apart as is usual in `palette`."""
    spans = [max(colour) - min(colour) for colour in palette]
    return spans[kind] < 0.5 * float(np.median(spans))


def _of_stones(calibration: Calibration, frame: Frame, grid: Grid) -> bool:
    """Whether cells of one colour fill their place and those of one or two others are round: it is another game's."""
    corners = PointSampler(calibration.lattice, reach=CORNER, count=2).take(frame.pixels).astype(np.int16)
    kinds, palette = grid.ravel(), np.asarray(calibration.palette, dtype=np.int16)
    filled = (np.abs(corners - palette[np.maximum(kinds, 0), None]).max(axis=2) <= ALIKE / 2).mean(axis=1)
    shares = [float(filled[kinds == kind].mean()) for kind in np.unique(kinds[kinds >= 0])]
    filling, round_ = sum(share >= SHAPED for share in shares), sum(share <= 1 - SHAPED for share in shares)
    return filling == 1 and round_ in (1, 2) and len(shares) == 1 + round_


def plausible_flood(grid: NDArray[np.int8]) -> bool:
    """Whether flooding games deal such grids and leave them while they are played, but for the last few moves.

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
    return strewn(grid, FEW)


def strewn(grid: NDArray[np.int8], few: int) -> bool:
    """Whether the colours outside of the regions at the corners lie as chance strews them; True for `few` cells.

    grid: as for plausible_flood.
    """
    kinds = np.unique(grid[grid >= 0])
    rest = (grid >= 0) & ~np.any(list(corner_regions(grid).values()), axis=0)
    if rest.sum() < few:
        return True
    shares = np.array([(grid[rest] == kind).mean() for kind in kinds])
    across, down = rest[:, 1:] & rest[:, :-1], rest[1:] & rest[:-1]
    pairs = int(across.sum() + down.sum())
    equal = int(((grid[:, 1:] == grid[:, :-1]) & across).sum() + ((grid[1:] == grid[:-1]) & down).sum())
    if len(kinds) <= 4 and equal < 0.08 * pairs:
        return False  # a chequerboard
    return bool(shares.max() <= 0.75 and equal <= (float((shares**2).sum()) + 0.3) * max(1, pairs))
