"""Small Quoridor boards solved backwards: who wins, and every move that keeps the value."""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.core import Cell
from games.quoridor import Move, Quoridor, Wall
from solvers.core import Candidate, Decision, Progress
from solvers.kernels.quoridor import retrograde as kernel
from solvers.kernels.quoridor.retrograde import LOST, WON, Tables
from solvers.threads import watched
from solvers.units import Unit

WIN = 300
"""The score of a game that is won; 0 is a draw."""

STEPS = Unit("step", "steps", lead=True, won=WIN / 2)
"""What is estimated is kept below half of a won game's score."""

MOST_BYTES = 2 << 30
"""Boards of which the tables of one number of walls would take more are not solved: 5x5 with 5 each takes 0.7 GB."""


class Solved(NamedTuple):
    """A position and what follows from it.

    tables, ranks: with its walls, as the kernel's.  codes, later: the walls one wall on, and their tables.
    """

    state: Quoridor
    tables: Tables
    ranks: NDArray[np.int64]
    codes: NDArray[np.int64]
    later: Tables

    def value(self, move: Move) -> int:
        """What `move` is worth to the side that makes it: 1 won, 0 drawn, -1 lost."""
        state, player = self.state, self.state.player
        if isinstance(move, Wall):
            at = np.searchsorted(self.codes, _code(state) | _bit(move, state))
            share = 1 - player if state.left[1] else 0
            table = self.later[at, share, 1 - player]
            first, second = state.pawns
        else:
            table = self.tables[0, 0, 1 - player]
            first, second = (move, state.pawns[1]) if player == 0 else (state.pawns[0], move)
        row, bit = _place(second, state), _place(first, state)
        return int(table[LOST, row] >> bit & 1) - int(table[WON, row] >> bit & 1)

    def turn(self, pawns: tuple[Cell, Cell], player: int) -> int:
        """The turn, counted back from the end, in which a position with the same walls was decided."""
        return int(self.ranks[player, _place(pawns[1], self.state), _place(pawns[0], self.state)])

    def haste(self, move: Move) -> int:
        """As `turn`, for what stands after a step; a wall brings the end nearer than any of the steps it decides."""
        if isinstance(move, Wall):
            return self.turn(self.state.pawns, self.state.player) - 1
        player, pawns = self.state.player, self.state.pawns
        return self.turn((move, pawns[1]) if player == 0 else (pawns[0], move), 1 - player)


def fits(state: Quoridor) -> bool:
    """Whether the board is small enough to be solved backwards, however many walls are left."""
    rows, cols = state.size
    return rows * cols <= kernel.CELLS and (rows - 1) * (cols - 1) <= kernel.PLACES


def decide(state: Quoridor, guess: Decision, progress: Progress | None = None) -> Decision | None:
    """A move that keeps the value; `guess` where `progress` stops it, None where the tables would be too large.

    The move brings a won game nearest to its end, and one that is lost least near.
    """
    codes = _codes(state)
    if codes is None:
        return None
    control = np.zeros(1, np.int64)
    stopped = None if progress is None else partial(progress, guess)
    solved, seconds = watched(partial(_solve, state, codes, control), control, None, stopped)
    if control[kernel.STOP]:
        return guess
    values = {move: solved.value(move) for move in state.legal_moves()}
    most = max(values.values())
    best = [move for move in values if values[move] == most]
    chosen = min(best, key=lambda move: most * solved.haste(move))
    order = sorted(values, key=lambda move: (-values[move], move != chosen))
    return Decision(
        chosen,
        WIN * most,
        proven=True,
        line=(chosen,),
        best=tuple(move for move in order if values[move] == most),
        nodes=sum(each.size for each in codes),
        seconds=seconds,
        candidates=tuple(Candidate(move, float(WIN * values[move])) for move in order),
        unit=STEPS,
    )


def _codes(state: Quoridor) -> list[NDArray[np.int64]] | None:
    """The walls that can come to stand, one array for each number of them more; None if they are too many."""
    board = kernel.BoardSize(*state.size, state.left)
    codes = [np.array([_code(state)], np.int64)]
    for placed in range(1, sum(state.left) + 1):
        codes.append(np.unique(kernel.following(board, codes[-1])))
        if codes[-1].size * kernel.bytes_of(board, placed) > MOST_BYTES:
            return None
    return codes


def _solve(state: Quoridor, codes: list[NDArray[np.int64]], control: NDArray[np.int64]) -> tuple[Solved, float]:
    """Solves one number of walls after the other, the most first; also the CPU seconds that took."""
    started = time.thread_time()
    board = kernel.BoardSize(*state.size, state.left)
    cells = board.rows * board.cols
    ranks, nothing = np.zeros((2, cells, cells), np.int64), np.zeros(0, np.int64)
    later = tables = np.zeros((0, 1, 2, 2, cells), np.uint32)
    for placed, these in reversed(list(enumerate(codes))):
        after = codes[placed + 1] if placed + 1 < len(codes) else nothing
        later = tables
        tables = kernel.solve(board, placed, these, after, later, ranks[: 0 if placed else 2], control)
    return Solved(state, tables, ranks, codes[1] if len(codes) > 1 else nothing, later), time.thread_time() - started


def _place(cell: Cell, state: Quoridor) -> int:
    return cell.row * state.size.cols + cell.col


def _bit(wall: Wall, state: Quoridor) -> int:
    """The bit of a wall in the kernel's codes."""
    places = (state.size.rows - 1) * (state.size.cols - 1)
    return 1 << (places * (wall.way == "v") + wall.row * (state.size.cols - 1) + wall.col)


def _code(state: Quoridor) -> int:
    return sum(_bit(wall, state) for wall in state.walls)
