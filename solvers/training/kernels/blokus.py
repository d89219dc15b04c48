"""Q-learning at Blokus in compiled code: whole episodes against a random player or one that looks ahead."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.alphabeta import Memory
from solvers.kernels.bits import ONE, ZERO, mixed
from solvers.kernels.blokus.small import SmallBlokus
from solvers.kernels.blokus.table import guess, place_of, value_moves
from solvers.kernels.jit import jit
from solvers.kernels.rules import SCORE_LIMIT, bounds, evaluate, generate, identify, play, turn

STEP = np.uint64(0x9E3779B97F4A7C15)


class Table(NamedTuple):
    """What is learned: see `solvers.kernels.blokus.table`; ``visits: int32[room]``, how often each was updated."""

    keys: NDArray[np.uint64]
    values: NDArray[np.float32]
    visits: NDArray[np.int32]


class Rival(NamedTuple):
    """The opponent.

    memory: of its search.  keys, moves: uint64[room] and int32[room], the moves it has decided on.
    depth: plies it looks ahead, 0 for random moves.  chance: of a random move nevertheless.
    """

    memory: Memory
    keys: NDArray[np.uint64]
    moves: NDArray[np.int32]
    depth: int
    chance: float


class Lesson(NamedTuple):
    """What the learner does: its chance of a random move, its rates, and the factor of what it does not know.

    rate: of each update, 0 to learn nothing.  discount: of what comes later.  seat: 0, 1, or 2 for both in turn.
    """

    chance: float
    rate: float
    discount: float
    factor: float
    seat: int


@jit(arrays=True)
def _chosen(count: int, dice: np.uint64) -> int:
    return np.int64(((dice >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@jit(arrays=True)
def _share(dice: np.uint64) -> float:
    return np.float64(dice >> np.uint64(11)) / 9007199254740992.0


# Not `solvers.kernels.alphabeta.search`, and no recursion: numba (0.68) does not link a cached function to a recursive
# one with overloads that comes from the cache, too ("unresolved symbol", or a crash in the next process).
@jit(arrays=True)
def _look_ahead(rules: SmallBlokus, memory: Memory, depth: int) -> int:
    """The best move in row 0 by alpha-beta of `depth` plies."""
    positions, moves, weights = memory.positions, memory.moves, memory.weights
    counts, at = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    alpha, beta = np.full(depth, -SCORE_LIMIT, np.int64), np.full(depth, SCORE_LIMIT, np.int64)
    counts[0] = generate(rules, positions, 0, moves, weights)
    best, ply = moves[0, 0], 0
    while True:
        if at[ply] < counts[ply] and alpha[ply] < beta[ply]:
            play(rules, positions, ply, moves[ply, at[ply]])
            low, high = bounds(rules, positions, ply + 1)
            if low < high and ply + 1 < depth:
                ply += 1
                alpha[ply], beta[ply] = -beta[ply - 1], -alpha[ply - 1]
                counts[ply], at[ply] = generate(rules, positions, ply, moves, weights), 0
                continue
            score = -low if low == high else -evaluate(rules, positions, ply + 1)
        elif ply == 0:
            return best
        else:
            score = -alpha[ply]
            ply -= 1
        if score > alpha[ply]:
            alpha[ply] = score
            if ply == 0:
                best = moves[0, at[0]]
        at[ply] += 1


@jit(arrays=True)
def _rival_move(
    rules: SmallBlokus,
    rival: Rival,
    positions: NDArray[np.uint64],
    moves: NDArray[np.int32],
    weights: NDArray[np.int64],
    dice: np.uint64,
) -> int:
    """The rival's move in row 0, from its cache where it has met the position before."""
    count = generate(rules, positions, 0, moves, weights)
    if rival.depth == 0 or count == 1 or _share(dice) < rival.chance:
        return moves[0, _chosen(count, mixed(dice + ONE))]
    key, symmetry = identify(rules, positions, 0)
    place = place_of(rival.keys, key)
    if rival.keys[place] == ZERO:
        for word in range(positions.shape[1]):
            rival.memory.positions[0, word] = positions[0, word]
        rival.keys[place] = key
        rival.moves[place] = turn(rules, _look_ahead(rules, rival.memory, rival.depth), symmetry)
    return turn(rules, rival.moves[place], symmetry)


@jit(arrays=True)
def _best(worths: NDArray[np.float32], count: int, dice: np.uint64) -> int:
    """The move of the highest worth, by chance among equals."""
    best, equals = 0, 1
    for at in range(1, count):
        if worths[at] > worths[best]:
            best, equals = at, 1
        elif worths[at] == worths[best]:
            equals += 1
            dice = mixed(dice + STEP)
            if _chosen(equals, dice) == 0:
                best = at
    return best


@jit(arrays=True)
def _update(table: Table, key: np.uint64, known: float, target: float, rate: float) -> None:
    """Moves an entry, or the guess that stands for one, towards `target`; at first by larger steps."""
    place = place_of(table.keys, key)
    if table.keys[place] == ZERO:
        table.keys[place] = key
        table.values[place] = known
    table.visits[place] += 1
    step = max(rate, 1.0 / (table.visits[place] + 1.0))
    table.values[place] += step * (target - table.values[place])


@jit(arrays=True)
def key_of(rules: SmallBlokus, positions: NDArray[np.uint64]) -> np.uint64:
    """Under which key the position in row 0 stands."""
    return identify(rules, positions, 0)[0]


@jit(arrays=True)
def play_episodes(
    rules: SmallBlokus,
    start: NDArray[np.uint64],
    table: Table,
    rival: Rival,
    lesson: Lesson,
    episodes: int,
    seed: int,
    results: NDArray[np.int64],
) -> int:
    """Plays games from ``start: uint64[words]``, learning from each; returns how many were played.

    It stops early where the table is nearly full. results: int64[2, 3] takes the learner's wins, draws and losses as
    the first and as the second player.
    """
    width = rules.cells.size + 1
    positions = np.zeros((2, start.size), np.uint64)
    moves, weights = np.zeros((1, width), np.int32), np.zeros((1, width), np.int64)
    worths = np.zeros(width, np.float32)
    dice = mixed(np.uint64(seed) + ONE)
    entries = np.int64(0)
    for at in range(table.keys.size):
        entries += table.keys[at] != ZERO
    for episode in range(episodes):
        if 4 * entries > 3 * table.keys.size:
            return episode
        seat = episode % 2 if lesson.seat == 2 else lesson.seat
        positions[0] = start
        last_key, last_known, mover = ZERO, 0.0, 0
        while True:
            low, high = bounds(rules, positions, 0)
            if low == high:
                margin = low if mover == seat else -low
                reward = 1.0 if margin > 0 else -1.0 if margin < 0 else 0.0
                results[seat, 0 if margin > 0 else 1 if margin == 0 else 2] += 1
                if last_key != ZERO and lesson.rate > 0:
                    place = place_of(table.keys, last_key)
                    entries += table.keys[place] == ZERO
                    _update(table, last_key, last_known, reward, lesson.rate)
                break
            dice += STEP
            draw = mixed(dice)
            if mover != seat:
                move = _rival_move(rules, rival, positions, moves, weights, draw)
            else:
                count = value_moves(
                    rules, positions, 0, moves, weights, table.keys, table.values, lesson.factor, worths
                )
                chosen = _best(worths, count, draw)
                if last_key != ZERO and lesson.rate > 0:
                    place = place_of(table.keys, last_key)
                    entries += table.keys[place] == ZERO
                    _update(table, last_key, last_known, lesson.discount * worths[chosen], lesson.rate)
                if _share(draw) < lesson.chance:
                    chosen = _chosen(count, mixed(draw + ONE))
                move = moves[0, chosen]
                play(rules, positions, 0, move)
                last_key = identify(rules, positions, 1)[0]
                last_known = guess(rules, positions, 1, lesson.factor)
            play(rules, positions, 0, move)
            positions[0] = positions[1]
            mover = 1 - mover
    return episodes
