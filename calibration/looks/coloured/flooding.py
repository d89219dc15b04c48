"""Which grids flooding games deal and leave while they are played, and why other lattices of colours are none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Colour
from calibration.look import STRICT, Proposal
from calibration.regions import corner_regions
from games.core import BLOCKED

FEWEST_CELLS = 36
"""Flooding boards have 6 x 6 cells or more; smaller lattices of colours are word games and sliding tiles."""

FEWEST_WITH_BUTTONS = 16
"""Cells of the smallest flooding boards, known by a button in each of their colours."""

STREAKED = "its colours do not lie as flooding leaves them"

LONGEST = 3.0
"""Rows to columns, or the reverse; longer lattices are calendars of a year."""

FEW = 12
"""Cells outside of the regions at the corners that say nothing: what is left near the end of a game."""

GROUND = 0.4
"""The share of a board's cells that are its ground, at least, where pieces lie in its middle; of three colours a third
is of each."""

KINDS = range(3, 11)
"""Colours of a flooding game in play; two are crosswords and codes, more are colour pickers."""

Grid = NDArray[np.int8]


def refute(proposal: Proposal, grid: Grid, *, named: bool) -> str:
    """Why no flooding game leads to a `grid`, int8[rows, cols]; "" where one may.

    Games that were asked for may show any colours, for they end in one, but on a board of some size.
    """
    grid, buttons = _playable(proposal, grid)
    if named or buttons:
        rows, cols = grid.shape
        if grid.size < FEWEST_WITH_BUTTONS or max(rows, cols) > LONGEST * min(rows, cols):
            return f"no flooding game is played on {rows}x{cols} cells"
        bare = grid.size < FEWEST_CELLS and proposal.features.get("shaped") != 1.0
        if bare and (proposal.confidence < STRICT or not strewn(grid, FEW)):
            return f"{rows}x{cols} cells are few for a flooding game without buttons"
        if named or strewn(grid, FEW):
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
    if len(kinds) == 3 and len(corners) == 1 and (grid == corners.pop()).mean() > GROUND:
        return False  # a ground with two players' pieces in its middle
    return strewn(grid, FEW)


def strewn(grid: NDArray[np.int8], few: int) -> bool:
    """Whether few colours outside of the regions at the corners meet as chance has them, as on no chequerboard.

    True for `few` cells.  grid: as for plausible_flood.
    """
    kinds = np.unique(grid[grid >= 0])
    rest = (grid >= 0) & ~np.any(list(corner_regions(grid).values()), axis=0)
    if rest.sum() < few:
        return True
    across, down = rest[:, 1:] & rest[:, :-1], rest[1:] & rest[:-1]
    pairs = int(across.sum() + down.sum())
    equal = int(((grid[:, 1:] == grid[:, :-1]) & across).sum() + ((grid[1:] == grid[:-1]) & down).sum())
    chance = 1 / len(kinds)
    fewest = min(0.08 * pairs, chance * pairs - 3 * np.sqrt(chance * (1 - chance) * pairs))  # of few pairs none may be
    return len(kinds) > 4 or equal >= fewest  # else it is a chequerboard
