"""Which of several proposals is the board: the likeliest that the rules of its game do not speak against."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration
from calibration.frame import Frame
from calibration.look import Proposal
from calibration.probes import ALIKE, Probes
from calibration.read import Reader

STRICT = 0.8
"""From this confidence a board holds all that lies on it."""

LEAD = 2
"""Discs that one player may have more than the other: one, and one may be misread or in the air."""

SET = np.array([1, 1, 2, 5, 12, 0])
"""How many pieces of one square, of two, and so on a player has; none of more than five."""

Grid = NDArray[np.int8]

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


def weighed(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The proposals that may be boards, the likeliest first.

    A small part of a larger one that is likely, too, is a part of that board, or of what is drawn on it.
    """
    likely = sorted((c for c in proposals if c.calibration is not None), key=lambda c: -c.confidence)
    return [c for c in likely if not any(_swallows(other, c) for other in likely)]


def _swallows(large: Proposal, small: Proposal) -> bool:
    """Whether `small` is a part, of less than half the area, of a `large` one that is nearly as likely."""
    box, other = large.box, small.box
    inside = box.contains(other.centre) and box.width * box.height > 2 * other.width * other.height
    return inside and large.confidence >= min(STRICT, small.confidence)


def refute(proposal: Proposal, frame: Frame, *, named: bool) -> str:
    """Why the rules of its game speak against a proposal, as its own reader reads it; "" where they do not.

    It is the second look at a proposal, apart from all that its confidence was reckoned from.  Flooding games that
    were asked for may show any colours, for they end in one, but on a board of some size.
    """
    if proposal.calibration is None:
        return "it is no board"
    grid = Reader(proposal.calibration).read(frame).grid
    if proposal.calibration.look == "coloured" and _of_stones(proposal.calibration, frame, grid):
        return "discs lie on cells of one colour"
    if proposal.calibration.look == "coloured" and (named or proposal.features.get("buttons") == 1.0):
        rows, cols = grid.shape
        if grid.size < FEWEST_WITH_BUTTONS or max(rows, cols) > LONGEST * min(rows, cols):
            return f"no flooding game is played on {rows}x{cols} cells"
        if grid.size < FEWEST_CELLS and proposal.features.get("shaped") != 1.0 and proposal.confidence < STRICT:
            return f"{rows}x{cols} cells are few for a flooding game without buttons"
        if named or (grid.size < FEWEST_CELLS and strewn(grid, FEW)):
            return ""
    return REFUTATIONS[proposal.calibration.look](grid)


def _of_stones(calibration: Calibration, frame: Frame, grid: Grid) -> bool:
    """Whether cells of one colour fill their place and those of one or two others are round: it is another game's."""
    corners = Probes(calibration.lattice, reach=CORNER, count=2).take(frame.pixels).astype(np.int16)
    kinds, palette = grid.ravel(), np.asarray(calibration.palette, dtype=np.int16)
    filled = (np.abs(corners - palette[np.maximum(kinds, 0), None]).max(axis=2) <= ALIKE / 2).mean(axis=1)
    shares = [float(filled[kinds == kind].mean()) for kind in np.unique(kinds[kinds >= 0])]
    filling, round_ = sum(share >= SHAPED for share in shares), sum(share <= 1 - SHAPED for share in shares)
    return filling == 1 and round_ in (1, 2) and len(shares) == 1 + round_


def _flooding(grid: Grid) -> str:
    return "" if plausible_flood(grid) else STREAKED


def _stacked(grid: Grid) -> str:
    hanging = int(((grid[:-1] > 0) & (grid[1:] == 0)).sum())
    ones, twos = int((grid == 1).sum()), int((grid == 2).sum())
    if hanging > 1:
        return f"{hanging} discs hang in the air"
    return f"{ones} discs lie against {twos}" if abs(ones - twos) > LEAD else ""


def _pieced(grid: Grid) -> str:
    """Squares of one player that share a side are one piece, of up to five squares; a set has few of the small ones."""
    groups = wrong = 0
    for player in range(1, int(grid.max(initial=0)) + 1):
        count, _, stats, _ = cv2.connectedComponentsWithStats((grid == player).astype(np.uint8), connectivity=4)
        sizes = np.bincount(np.minimum(stats[1:, 4], len(SET)), minlength=len(SET) + 1)[1:]
        groups, wrong = groups + count - 1, wrong + int(np.maximum(sizes - SET, 0).sum())
    return f"{wrong} of {groups} pieces are larger than five squares or none of the set" if wrong > 0.2 * groups else ""


def _walled(grid: Grid) -> str:
    pawns = np.argwhere(grid[::2, ::2] > 0)
    if len(pawns) != 2:
        return f"{len(pawns)} pawns stand on it"
    free = np.asarray(grid != 1, dtype=np.uint8)  # between cells, where no wall lies
    free[::2, ::2], free[1::2, 1::2] = 1, 0
    labels = cv2.connectedComponents(free, connectivity=4)[1]
    ways = [set(labels[end, ::2].tolist()) for end in (0, -1)]
    shut = [not all(int(labels[2 * row, 2 * col]) in way for way in ways) for row, col in pawns]
    return "its walls leave a pawn no way" if any(shut) else ""


REFUTATIONS: dict[str, Callable[[Grid], str]] = {
    "coloured": _flooding,
    "discs": _stacked,
    "squares": _pieced,
    "grooves": _walled,
}


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
    rest = (grid >= 0) & ~_grown(grid)
    if rest.sum() < few:
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
