"""Connect Four for learning: random and sensible games, the score of every move, and what a network sees.

Positions are ``uint64[n, 2]`` as `solvers.kernels.connect_four.exact` takes them: the stones of the side to move, and
all stones, on the usual board.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, mixed, popcount
from solvers.kernels.connect_four.exact import BOARD, BOTTOM, CELLS, HIGH, LEAST, MOST, score_of, winning_cells
from solvers.kernels.jit import jit

ILLEGAL = -128
"""The score of a column that is full."""

COLUMN = np.uint64(63)
STEP = np.uint64(0x9E3779B97F4A7C15)


@jit(arrays=True)
def _pick(cells: np.uint64, dice: np.uint64) -> np.uint64:
    """One of the bits of `cells`, by chance."""
    number = np.int64(((dice >> np.uint64(32)) * np.uint64(popcount(cells))) >> np.uint64(32))
    for _ in range(number):
        cells &= cells - ONE
    return cells & (~cells + ONE)


@jit(arrays=True)
def choose(own: np.uint64, every: np.uint64, sense: float, dice: np.uint64) -> np.uint64:
    """The stone of a random move; with chance `sense` one that wins, or else prevents a win, where there is one."""
    free = (every + BOTTOM) & BOARD
    if np.float64(dice & np.uint64(0xFFFF)) < sense * 65536.0:
        mine = winning_cells(own, free)
        if mine:
            return _pick(mine, dice)
        theirs = winning_cells(own ^ every, free)
        if theirs:
            return _pick(theirs, dice)
    return _pick(free, dice)


@jit(arrays=True)
def random_positions(positions: NDArray[np.uint64], low: int, high: int, seed: int) -> None:
    """Fills ``uint64[n, 2]`` with positions that are not over, of low to high - 1 stones, each number as likely.

    Each is reached by a random game whose players look after wins at hand always, half the time or never.
    """
    dice = mixed(np.uint64(seed) + ONE)
    for at in range(positions.shape[0]):
        dice += STEP
        draw = mixed(dice)
        stones = low + np.int64(((draw >> np.uint64(32)) * np.uint64(high - low)) >> np.uint64(32))
        sense = np.float64(draw % np.uint64(3)) / 2.0
        while True:
            own, every = ZERO, ZERO
            count = 0
            while count < stones:
                dice += STEP
                stone = choose(own, every, sense, mixed(dice))
                if winning_cells(own, stone):
                    break
                own, every = own ^ every, every | stone
                count += 1
            if count == stones and every != BOARD:
                break
        positions[at, 0], positions[at, 1] = own, every


@jit(arrays=True)
def judge_moves(
    table: NDArray[np.uint64], control: NDArray[np.int64], positions: NDArray[np.uint64], scores: NDArray[np.int8]
) -> None:
    """The score of each column of many positions into ``int8[n, 7]``: Pons's for the side to move, or ILLEGAL.

    Exact are the highest score and which moves have it, which is about half the cost of exact scores for all. Of the
    others it says only whether they win: 1 where they do, else LEAST.
    """
    for at in range(positions.shape[0]):
        own, every = positions[at, 0], positions[at, 1]
        free = (every + BOTTOM) & BOARD
        wins = winning_cells(own, free)
        full = every | free == BOARD and popcount(free) == 1
        top = 0 if full and not wins else score_of(table, control, own, every, LEAST, MOST)
        for col in range(7):
            stone = free & (COLUMN << np.uint64(HIGH * col))
            if not stone:
                scores[at, col] = ILLEGAL
                continue
            reply = -top
            if not full and not stone & wins:  # a move that leaves a win at hand is not best, whatever follows
                reply = 1 - top if wins else score_of(table, control, own ^ every, every | stone, -top, 1 - top)
            if reply == -top:
                scores[at, col] = top
            elif top > 0 and score_of(table, control, own ^ every, every | stone, -1, 0) < 0:
                scores[at, col] = 1
            else:
                scores[at, col] = LEAST


@jit(arrays=True)
def follow(positions: NDArray[np.uint64], after: NDArray[np.uint64], scores: NDArray[np.int8]) -> None:
    """The positions after each column, ``uint64[n, 7, 2]`` for the other side, and the scores of those that end a game.

    scores: int8[n, 7], ILLEGAL for full columns and 0 where the game goes on.
    """
    for at in range(positions.shape[0]):
        own, every = positions[at, 0], positions[at, 1]
        free = (every + BOTTOM) & BOARD
        wins = winning_cells(own, free)
        for col in range(7):
            stone = free & (COLUMN << np.uint64(HIGH * col))
            after[at, col, 0], after[at, col, 1] = own ^ every, every | stone
            scores[at, col] = ILLEGAL if not stone else (CELLS + 1 - popcount(every)) // 2 if stone & wins else 0


@jit(arrays=True)
def random_games(
    sense: float,
    games: int,
    seed: int,
    positions: NDArray[np.uint64],
    results: NDArray[np.int8],
    lengths: NDArray[np.int64],
) -> int:
    """Plays whole games, writes the position after each move with how its game ended for its side to move.

    positions: uint64[42 * games, 2].  results: int8[42 * games].  lengths: int64[games], the moves of each game.
    Returns the number of positions.
    """
    dice = mixed(np.uint64(seed) + ONE)
    total = 0
    for game in range(games):
        own, every, first = ZERO, ZERO, total
        won = False
        while every != BOARD and not won:
            dice += STEP
            stone = choose(own, every, sense, mixed(dice))
            won = winning_cells(own, stone) != ZERO
            own, every = own ^ every, every | stone
            positions[total, 0], positions[total, 1] = own, every
            total += 1
        lengths[game] = total - first
        for at in range(first, total):
            results[at] = 0 if not won else -1 if (total - 1 - at) % 2 == 0 else 1
    return total
