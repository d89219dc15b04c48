"""Thousands of Quoridor boards a call, for learning: play, start again where a game ended.

Boards are ``uint64[n, WORDS]`` as the rules beside this file pack them; players take turns, and every view is that of
the side to move.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.board import ACTIONS, STATUS, WORDS, H, Quoridor, has, left_of, side_of
from solvers.kernels.quoridor.moves import legal_steps, legal_walls
from solvers.kernels.rules import play

ILLEGAL = -1.0
"""The reward of a move the rules do not allow, which loses the game."""


@jit(arrays=True)
def legal_words(rules: Quoridor, boards: NDArray[np.uint64], at: int) -> tuple[np.uint64, ...]:
    """The legal moves as words: steps (low, high), walls "h" (low, high), walls "v" (low, high)."""
    low, high = legal_steps(rules, boards, at)
    status = boards[at, STATUS]
    if left_of(status, side_of(status)) == 0:
        return low, high, ZERO, ZERO, ZERO, ZERO
    walls = legal_walls(rules, boards, at)
    return low, high, walls[0], walls[1], walls[2], walls[3]


@jit(arrays=True)
def legal(rules: Quoridor, boards: NDArray[np.uint64], mask: NDArray[np.bool_]) -> None:
    """Which moves the rules allow, into ``bool[n, ACTIONS]``."""
    for at in range(boards.shape[0]):
        place = 0
        for word in legal_words(rules, boards, at):
            for bit in range(64):
                mask[at, place + bit] = (word >> np.uint64(bit)) & ONE != ZERO
            place += 64


@jit(arrays=True)
def step(
    rules: Quoridor,
    boards: NDArray[np.uint64],
    start: NDArray[np.uint64],
    moves: NDArray[np.int32],
    rewards: NDArray[np.float32],
    ended: NDArray[np.bool_],
) -> None:
    """Plays one move on every board; ended games start again from `start`.

    start: uint64[1, WORDS].  moves: int32[n].  rewards: float32[n] takes what the side that moved won: 1 for a win, -1
    for an illegal move, which loses, else 0.  ended: bool[n] takes whether the game ended.
    """
    rows = np.zeros((2, WORDS), np.uint64)
    for at in range(boards.shape[0]):
        move = np.int64(moves[at])
        words = legal_words(rules, boards, at)
        allowed = False
        if 0 <= move < ACTIONS:
            allowed = (words[move // 64] >> np.uint64(move % 64)) & ONE != ZERO
        side = side_of(boards[at, STATUS])
        won = allowed and move < H and has(rules.goals[side, 0], rules.goals[side, 1], move)
        rewards[at] = 1.0 if won else 0.0 if allowed else ILLEGAL
        ended[at] = won or not allowed
        if ended[at]:
            boards[at] = start[0]
        else:
            rows[0] = boards[at]
            play(rules, rows, 0, move)
            boards[at] = rows[1]
