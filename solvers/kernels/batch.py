"""Thousands of boards of one game a call, for learning: which actions are legal, and a move on each of them.

Positions are ``uint64[n, words]`` as the game's packed rules lay them out, all without a past; what differs from board
to board in games that are dealt stands in `boards` (`solvers.kernels.forest`). Players take turns, and every view is
that of the side to move. Actions are numbered as a network does (`solvers.kernels.encoding`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels import encoding
from solvers.kernels.forest import board
from solvers.kernels.jit import jit
from solvers.kernels.rules import bounds, generate, play

ILLEGAL = -1.0
"""The reward of an action the rules do not allow, which loses the game."""


class BatchRoom(NamedTuple):
    """What one move needs: a position and the next one, uint64[2, words], and the legal moves of both.

    legal: int32[2, width].  weights: int64[2, width].
    """

    positions: NDArray[np.uint64]
    legal: NDArray[np.int32]
    weights: NDArray[np.int64]


def room_for(words: int, width: int) -> BatchRoom:
    """BatchRoom for positions of so many words and legal moves."""
    return BatchRoom(np.zeros((2, words), np.uint64), np.zeros((2, width), np.int32), np.zeros((2, width), np.int64))


@jit
def _generate_at(rules: Any, room: BatchRoom, positions: NDArray[np.uint64], at: int) -> int:
    """Puts board `at` into row 0, with its legal moves; how many these are."""
    for word in range(positions.shape[1]):
        room.positions[0, word] = positions[at, word]
    return generate(rules, room.positions, 0, room.legal, room.weights)


@jit
def legal(
    boards: Any, room: BatchRoom, facts: NDArray[np.int64], positions: NDArray[np.uint64], mask: NDArray[np.bool_]
) -> None:
    """Which actions the rules allow on each board, into ``bool[n, actions]``; facts: int64[m], the encoder's."""
    for at in range(positions.shape[0]):
        for number in range(mask.shape[1]):
            mask[at, number] = False
        rules = board(boards, at)
        for place in range(_generate_at(rules, room, positions, at)):
            mask[at, encoding.action(rules, facts, room.positions, 0, room.legal[0, place])] = True


@jit
def step(
    boards: Any,
    room: BatchRoom,
    facts: NDArray[np.int64],
    positions: NDArray[np.uint64],
    actions: NDArray[np.int64],
    scale: float,
    rewards: NDArray[np.float32],
    ended: NDArray[np.bool_],
) -> None:
    """Plays one action on every board; those on which it is not allowed stay as they are.

    actions: int64[n].  rewards: float32[n] takes what the side that moved won: its score at the end as a share of
    `scale`, at most 1 and at least -1, ILLEGAL for an action that is not allowed, else 0.
    ended: bool[n] takes whether the game ended.
    """
    for at in range(positions.shape[0]):
        rewards[at], ended[at] = ILLEGAL, True
        rules = board(boards, at)
        for place in range(_generate_at(rules, room, positions, at)):
            move = room.legal[0, place]
            if encoding.action(rules, facts, room.positions, 0, move) != actions[at]:
                continue
            play(rules, room.positions, 0, move)
            low, high = bounds(rules, room.positions, 1)
            ended[at] = low == high and generate(rules, room.positions, 1, room.legal, room.weights) == 0
            rewards[at] = min(max(-low / scale, -1.0), 1.0) if ended[at] else 0.0
            for word in range(positions.shape[1]):
                positions[at, word] = room.positions[1, word]
            break
