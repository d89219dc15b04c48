"""Thousands of Connect Four boards a call, for learning: play, start again where a game ended.

Boards are ``uint64[n, 2]`` as the rules beside this file pack them; players take turns, and every view is that of
the side to move.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO
from solvers.kernels.connect_four.rules import ALL, OWN, ConnectFour, has_row
from solvers.kernels.jit import jit

ILLEGAL = -1.0
"""The reward of a move into a full column, which loses the game."""


@jit(arrays=True)
def drop(rules: ConnectFour, own: np.uint64, every: np.uint64, column: int) -> tuple[np.uint64, np.uint64, int]:
    """The position after a disc fell into `column`, for the other side, and how it ended: see `step`."""
    high = np.uint64(rules.rows + 1)
    foot = ONE << (np.uint64(column) * high)
    grown = every | (every + foot)
    if grown & ~rules.board:
        return own, every, 3
    stones = own | (grown ^ every)
    if has_row(rules, stones):
        return own ^ every, grown, 1
    return own ^ every, grown, 2 if grown == rules.board else 0


@jit(arrays=True)
def step(
    rules: ConnectFour,
    boards: NDArray[np.uint64],
    columns: NDArray[np.int32],
    rewards: NDArray[np.float32],
    ended: NDArray[np.bool_],
) -> None:
    """Plays one move on every board; ended games start again from the empty board.

    columns: int32[n].  rewards: float32[n] takes what the side that moved won: 1 for a win, -1 for a full column, else
    0.  ended: bool[n] takes whether the game ended.
    """
    for at in range(boards.shape[0]):
        own, every, how = drop(rules, boards[at, OWN], boards[at, ALL], columns[at])
        rewards[at] = 1.0 if how == 1 else ILLEGAL if how == 3 else 0.0
        ended[at] = how != 0
        boards[at, OWN], boards[at, ALL] = (ZERO, ZERO) if how else (own, every)


@jit(arrays=True)
def legal(rules: ConnectFour, boards: NDArray[np.uint64], mask: NDArray[np.bool_]) -> None:
    """Which columns have room, into ``bool[n, cols]``."""
    top = rules.bottom << np.uint64(rules.rows - 1)
    for at in range(boards.shape[0]):
        full = boards[at, ALL] & top
        for column in range(rules.cols):
            mask[at, column] = (full >> np.uint64(column * (rules.rows + 1) + rules.rows - 1)) & ONE == ZERO
