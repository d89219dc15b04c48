"""Thousands of Quoridor boards a call, for learning: play, start again where a game ended.

Boards are ``uint64[n, WORDS]`` as the rules beside this file pack them; players take turns, and every view is that of
the side to move.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, below, mixed, popcount, rolled
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.rules import (
    ACTIONS,
    CELLS,
    SIDE,
    STATUS,
    WORDS,
    H,
    Quoridor,
    V,
    has,
    left_of,
    legal_steps,
    legal_walls,
    move_pawn,
    put_wall,
    side_of,
)
from solvers.kernels.rules import play

COMPILE_SECONDS = 20

ILLEGAL = -1.0
"""The reward of a move the rules do not allow, which loses the game."""


@jit(arrays=True)
def _legal(rules: Quoridor, boards: NDArray[np.uint64], at: int) -> tuple[np.uint64, ...]:
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
        for word in _legal(rules, boards, at):
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
        words = _legal(rules, boards, at)
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


@jit(arrays=True)
def _nth(word: np.uint64, number: int) -> int:
    """The place of the set bit with that number, counted from 0."""
    place = np.int64(0)
    for width in (32, 16, 8, 4, 2, 1):
        below = popcount(word & ((ONE << np.uint64(width)) - ONE))
        if number >= below:
            number -= below
            word >>= np.uint64(width)
            place += width
    return place


@jit
def play_randomly(rules: Quoridor, boards: NDArray[np.uint64], start: NDArray[np.uint64], plies: int, seed: int) -> int:
    """Plays `plies` uniformly random legal moves on every board; returns how many games ended and began anew.

    start: uint64[1, WORDS]. Hashes and the paths of players who can meet no more walls are not kept up to date.
    """
    games = 0
    for at in range(boards.shape[0]):
        dice = mixed(np.uint64(seed) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15))
        for _ in range(plies):
            words = _legal(rules, boards, at)
            count = np.int64(0)
            for part in words:
                count += popcount(part)
            dice = rolled(dice)
            pick = below(dice, count)
            place = np.int64(0)
            for part in words:
                among = popcount(part)
                if pick < among:
                    place += _nth(part, pick)
                    break
                pick -= among
                place += 64
            status = boards[at, STATUS]
            side = side_of(status)
            if place >= H:
                put_wall(rules, boards, at, place % CELLS, place >= V)
            elif left_of(status, 0) + left_of(status, 1):
                move_pawn(rules, boards, at, place)
            else:
                shift = np.uint64(8 * side)
                boards[at, STATUS] = (status & ~(np.uint64(0xFF) << shift)) | (np.uint64(place) << shift)
            if place < H and has(rules.goals[side, 0], rules.goals[side, 1], place):
                games += 1
                for word in range(WORDS):
                    boards[at, word] = start[0, word]
            else:
                boards[at, STATUS] ^= SIDE
    return games
