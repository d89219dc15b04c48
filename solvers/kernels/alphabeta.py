"""Alpha-beta, compiled once for each game's packed rules (`solvers.kernels.rules`).

Promise: `search` returns a score for the side to move and whether it is proven. Fail-soft: at or below `alpha` it is an
upper bound, at or above `beta` a lower bound, between them it is exact for the depth. Proven means that no `evaluate`
had a part in it, so it bounds the value of the game; unproven scores are those of a search of `depth` plies, but for
what the game has cut short (`reduce`, `margin`, `wait`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import mixed, prefetch
from solvers.kernels.jit import jit
from solvers.kernels.rules import (
    SCORE_LIMIT,
    bounds,
    evaluate,
    generate,
    identify,
    margin,
    play,
    promise,
    reduce,
    refine,
    repeats,
    turn,
    wait,
)

STOP, NODES, NODE_LIMIT, AGE, HELPED = range(5)
"""Places in ``Memory.control``."""

WAYS = 4
"""Entries of a bucket: with their keys they fill one cache line of 64 bytes."""

LOWER, UPPER, EXACT = 1, 2, 3
"""What the score of a table entry is to the value: their bits say on which sides it bounds."""

ENTIRE = 255
"""A depth no game reaches: the search goes to the end of the game."""

ENHANCED_DEPTH = 2
"""From this depth on the children are looked up in the table before one is searched."""

NULL_DEPTH = 3
NULL_LESS = 2
"""From which depth on the null move is tried, and how many plies less than other moves it is searched."""

LATER = np.int64(1) << 61
"""By how much less a move weighs that another thread searches."""

APART_DEPTH, APART_PLIES = 3, 12
"""From which depth on, and how far from the root, threads put off the moves that another one searches.

Jean-Christophe Weill's ABDADA (1996) as Tom Kerrigan simplified it: what each is at stands in a table that they share.
"""

FIRST = np.int64(1) << 62
KILLER = 40_000
HISTORY_LIMIT = 20_000


class Memory(NamedTuple):
    """All a search writes; the Python side owns it and may read `control` and `lines` while the search runs.

    table: uint64[buckets, 2 * WAYS], keys (each xor its entry) then entries; buckets is a power of two.
    positions: uint64[plies, words].  moves: int32[plies, width].  weights: int64[plies, width].
    keys: uint64[plies, width], of the positions after the moves.
    killers: int32[plies, 2].  history: int32[2, actions].
    lines: int32[plies, plies], the expected moves from each ply.  lengths: int64[plies], how many of them hold.
    busy: uint64[a power of two], what the threads search that share it.
    control: int64[8], see STOP, NODES, NODE_LIMIT, AGE, HELPED; setting STOP from another thread ends the search.
    """

    table: NDArray[np.uint64]
    positions: NDArray[np.uint64]
    moves: NDArray[np.int32]
    weights: NDArray[np.int64]
    keys: NDArray[np.uint64]
    killers: NDArray[np.int32]
    history: NDArray[np.int32]
    lines: NDArray[np.int32]
    lengths: NDArray[np.int64]
    busy: NDArray[np.uint64]
    control: NDArray[np.int64]


def allocate(*, plies: int, words: int, width: int, actions: int, table_bytes: int) -> Memory:
    """Memory for games of at most `plies` plies from the root, `width` legal moves and `actions` different moves.

    Positions take `words` words; the table at most `table_bytes`.
    """
    buckets = 1 << max(4, (table_bytes // (16 * WAYS)).bit_length() - 1)
    rows = plies + 2
    room = np.zeros((buckets + 1) * 2 * WAYS, np.uint64)
    start = -(room.ctypes.data // 8) % (2 * WAYS)  # a bucket across two cache lines would cost two misses
    return Memory(
        table=room[start : start + buckets * 2 * WAYS].reshape(buckets, 2 * WAYS),
        positions=np.zeros((rows, words), np.uint64),
        moves=np.zeros((rows, width), np.int32),
        weights=np.zeros((rows, width), np.int64),
        keys=np.zeros((rows, width), np.uint64),
        killers=np.full((rows, 2), -1, np.int32),
        history=np.zeros((2, actions), np.int32),
        lines=np.zeros((rows, rows), np.int32),
        lengths=np.zeros(rows, np.int64),
        busy=np.zeros(1 << 12, np.uint64),
        control=np.array([0, 0, np.iinfo(np.int64).max, 0, 0, 0, 0, 0], np.int64),
    )


def beside(memory: Memory, *, seed: int) -> Memory:
    """Memory for a thread that searches the same beside the one of `memory`, over its table and knowing what it is at.

    Moves that no search has learned about come in an order of its own, so that the threads do not do the same work.
    """
    fresh = Memory(memory.table, *(np.zeros_like(array) for array in memory[1:]))._replace(busy=memory.busy)
    fresh.killers.fill(-1)
    fresh.history[:] = np.random.default_rng(seed).integers(0, HISTORY_LIMIT // 8, fresh.history.shape)
    fresh.control[:] = memory.control
    fresh.control[NODES], fresh.control[NODE_LIMIT] = 0, np.iinfo(np.int64).max
    return fresh


# A table entry, from the low bits: bound 2, proven 1, age 6, work 6, draft 8, score + 32,768 16, move + 1 25.


@jit(arrays=True)
def _pack(move: int, score: int, draft: int, work: int, age: int, proven: bool, bound: int) -> np.uint64:
    high = ((move + 1) << 39) | ((score + 32768) << 23) | (min(draft, ENTIRE) << 15)
    return np.uint64(high | (work << 9) | (age << 3) | (int(proven) << 2) | bound)


@jit(arrays=True)
def entry_move(entry: np.uint64) -> int:
    """The move that was best or refuted, -1 if none did."""
    return np.int64(entry >> np.uint64(39)) - 1


@jit(arrays=True)
def _entry_score(entry: np.uint64) -> int:
    return np.int64((entry >> np.uint64(23)) & np.uint64(0xFFFF)) - 32768


@jit(arrays=True)
def _entry_draft(entry: np.uint64) -> int:
    return np.int64((entry >> np.uint64(15)) & np.uint64(0xFF))


@jit(arrays=True)
def _entry_proven(entry: np.uint64) -> bool:
    return (entry & np.uint64(4)) != 0


@jit(arrays=True)
def _entry_bound(entry: np.uint64) -> int:
    return np.int64(entry & np.uint64(3))


@jit(arrays=True)
def look_up(table: NDArray[np.uint64], key: np.uint64) -> np.uint64:
    """The entry of a position, 0 where the table has none."""
    bucket = np.int64(key & np.uint64(table.shape[0] - 1))
    for way in range(WAYS):
        entry = table[bucket, WAYS + way]
        if table[bucket, way] ^ entry == key:
            return entry
    return np.uint64(0)


@jit(arrays=True)
def _keep(table: NDArray[np.uint64], key: np.uint64, entry: np.uint64, age: int) -> None:
    """Stores `entry` over that of the same position, or over the one of a bucket that is old and took least work.

    Threads share the table without locks: a key is stored xor its entry, so that the halves of two entries, written at
    once, are none (Robert Hyatt and Timothy Mann, "A lock-less transposition table implementation", 2002).
    """
    bucket = np.int64(key & np.uint64(table.shape[0] - 1))
    victim = 0
    least = np.int64(1 << 40)
    for way in range(WAYS):
        old = table[bucket, WAYS + way]
        if table[bucket, way] ^ old == key:
            victim = way
            break
        years = (age - np.int64((old >> np.uint64(3)) & np.uint64(63))) & 63
        value = np.int64((old >> np.uint64(9)) & np.uint64(63)) - 4 * years
        if old == 0:
            value = -1000
        if value < least:
            least = value
            victim = way
    table[bucket, victim] = key ^ entry
    table[bucket, WAYS + victim] = entry


@jit(arrays=True)
def _log2(count: int) -> int:
    """The number of bits of a positive count."""
    bits = 0
    while count:
        count >>= 1
        bits += 1
    return bits


@jit(arrays=True)
def _weigh(memory: Memory, ply: int, count: int, first: int) -> None:
    """Adds what the search learned to the weights the game gave: the table's move first, killers, history."""
    for at in range(count):
        move = memory.moves[ply, at]
        memory.weights[ply, at] += memory.history[ply & 1, move]
        if move == memory.killers[ply, 0] or move == memory.killers[ply, 1]:
            memory.weights[ply, at] += KILLER
        if move == first:
            memory.weights[ply, at] = FIRST


@jit(arrays=True)
def _bring_best(memory: Memory, ply: int, at: int, count: int) -> int:
    """Exchanges the heaviest of the moves from `at` on with the one at `at`, and returns it."""
    best = at
    for other in range(at + 1, count):
        if memory.weights[ply, other] > memory.weights[ply, best]:
            best = other
    move, weight = memory.moves[ply, best], memory.weights[ply, best]
    memory.moves[ply, best], memory.weights[ply, best] = memory.moves[ply, at], memory.weights[ply, at]
    memory.moves[ply, at], memory.weights[ply, at] = move, weight
    return np.int64(move)


@jit(arrays=True)
def _learn(memory: Memory, ply: int, move: int, depth: int) -> None:
    """Remembers that `move` refuted the position at `ply`."""
    if memory.killers[ply, 0] != move:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = move
    side = ply & 1
    memory.history[side, move] += min(depth, 64)
    if memory.history[side, move] > HISTORY_LIMIT:
        for other in range(memory.history.shape[1]):
            memory.history[side, other] >>= 1


@jit(arrays=True)
def _note_line(memory: Memory, ply: int, move: int) -> None:
    """Makes `move` and the line expected after it the line expected at `ply`."""
    length = memory.lengths[ply + 1]
    memory.lines[ply, 0] = move
    for at in range(length):
        memory.lines[ply, at + 1] = memory.lines[ply + 1, at]
    memory.lengths[ply] = length + 1


# `_nrt=False`: the function makes no array, and numba need not count at every call, with a locked instruction for each,
# who owns those it is given.
@jit
def search(rules: Any, memory: Memory, ply: int, depth: int, alpha: int, beta: int) -> tuple[int, bool]:
    """The score of row `ply` within (alpha, beta) at `depth` plies, and whether it is proven; see the module.

    Row 0 is the root, which always gets a line; a position that only needs a score may stand in row 1.
    When STOP is set or NODE_LIMIT is reached it returns at once, and what it returns means nothing: look at STOP.
    """
    control = memory.control
    control[NODES] += 1
    memory.lengths[ply] = 0
    if control[STOP] != 0 or control[NODES] >= control[NODE_LIMIT]:
        control[STOP] = 1
        return 0, False
    low, high = np.int64(-SCORE_LIMIT), np.int64(SCORE_LIMIT)
    if ply > 0:  # the root is asked for a move, not only for its score
        low, high = bounds(rules, memory.positions, ply)
        if low >= beta or low == high:
            return low, True
        if high <= alpha:
            return high, True
        if repeats(rules, memory.positions, ply):
            return min(max(np.int64(0), low), high), False
    if depth <= 0:
        guess = np.int64(evaluate(rules, memory.positions, ply))
        guess = np.int64(refine(rules, memory.positions, ply, guess, alpha, beta))
        return min(max(guess, low), high), False

    key, symmetry = identify(rules, memory.positions, ply)
    entry = look_up(memory.table, key)
    first = np.int64(-1)
    if entry != 0:
        score, bound, proven = _entry_score(entry), _entry_bound(entry), _entry_proven(entry)
        decides = bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)
        if beta - alpha > 1:
            decides = False  # on the principal variation every move is wanted, not only the score
        if ply > 0 and decides and (proven or _entry_draft(entry) >= min(depth, ENTIRE)):
            return score, proven
        if ply > 0 and proven and bound == LOWER:
            low = max(low, score)
        if ply > 0 and proven and bound == UPPER:
            high = min(high, score)
        if entry_move(entry) >= 0:
            first = np.int64(turn(rules, entry_move(entry), symmetry))
    alpha = max(alpha, low - 1)
    beta = min(beta, high)
    most = high

    started = control[NODES]
    if ply > 1 and beta - alpha == 1:  # the root's moves are all to leave something in the table, for `outlook`
        enough = np.int64(beta + margin(rules, depth))
        if enough <= SCORE_LIMIT:
            guess = np.int64(evaluate(rules, memory.positions, ply))
            guess = np.int64(refine(rules, memory.positions, ply, guess, enough - 1, enough))
            if guess >= enough:
                return guess, False
        if depth >= NULL_DEPTH and wait(rules, memory.positions, ply, beta):
            score = -search(rules, memory, ply + 1, depth - 1 - NULL_LESS, -beta, -alpha)[0]
            if control[STOP] != 0:
                return 0, False
            if score >= beta:
                return beta, False
    count = generate(rules, memory.positions, ply, memory.moves, memory.weights)
    if ply > 0 and depth >= ENHANCED_DEPTH:
        # Enhanced transposition cutoff: a child already known to be bad enough for the other side.
        for at in range(count):
            memory.keys[ply, at] = 0
            if reduce(rules, memory.weights[ply, at], 0, depth) > 0:
                continue  # not worth it for moves that are hardly searched
            play(rules, memory.positions, ply, memory.moves[ply, at])
            high = bounds(rules, memory.positions, ply + 1)[1]
            if -high >= beta:
                return -high, True
            memory.weights[ply, at] += promise(rules, memory.positions, ply + 1)
            child = identify(rules, memory.positions, ply + 1)[0]
            memory.keys[ply, at] = child
            prefetch(memory.table, 2 * WAYS * np.int64(child & np.uint64(memory.table.shape[0] - 1)))
        for at in range(count):
            if memory.keys[ply, at] == 0:
                continue
            known = look_up(memory.table, memory.keys[ply, at])
            if known != 0 and _entry_bound(known) & UPPER:
                proven = _entry_proven(known)
                if -_entry_score(known) >= beta and (proven or _entry_draft(known) >= min(depth - 1, ENTIRE)):
                    return -_entry_score(known), proven
    _weigh(memory, ply, count, first)

    best, best_move, best_proven, all_proven = np.int64(-SCORE_LIMIT - 1), np.int64(-1), False, True
    reached = alpha
    apart = control[HELPED] != 0 and depth >= APART_DEPTH and ply <= APART_PLIES
    mark, place = np.uint64(0), np.int64(0)
    at = np.int64(0)
    while at < count:
        move = _bring_best(memory, ply, at, count)
        if apart:
            mark = mixed(key ^ np.uint64(move + 1))
            place = np.int64(mark & np.uint64(memory.busy.shape[0] - 1))
            if memory.weights[ply, at] < -LATER // 2:
                memory.weights[ply, at] += LATER
            elif at > 0 and memory.busy[place] == mark:
                memory.weights[ply, at] -= LATER
                continue
        less = np.int64(0) if at == 0 else np.int64(reduce(rules, memory.weights[ply, at], at, depth))
        if less > 0 and less >= depth:
            all_proven = False
            if not apart:
                break  # those that come weigh less
            at += 1
            continue
        if apart:
            memory.busy[place] = mark
        play(rules, memory.positions, ply, move)
        score, proven, hopeful = np.int64(0), False, True
        if less > 0:
            score, proven = search(rules, memory, ply + 1, depth - 1 - less, -reached - 1, -reached)
            hopeful = -score > reached
        if hopeful and at > 0 and beta - reached > 1:
            score, proven = search(rules, memory, ply + 1, depth - 1, -reached - 1, -reached)
            hopeful = reached < -score < beta
        if hopeful:
            score, proven = search(rules, memory, ply + 1, depth - 1, -beta, -reached)
        if control[STOP] != 0:
            return 0, False
        if apart and memory.busy[place] == mark:
            memory.busy[place] = 0
        score = -score
        all_proven &= proven
        if score > best:
            best, best_move, best_proven = score, move, proven
            if score > reached:
                reached = score
                _note_line(memory, ply, move)
        if best >= beta:
            break
        at += 1

    if best >= beta:
        bound = LOWER
        proven = best_proven
        _learn(memory, ply, best_move, depth)
        if best >= most and proven:
            bound = EXACT
    else:
        proven = all_proven
        bound = EXACT if best > alpha else UPPER
    stored = best_move if bound != UPPER else first
    if stored >= 0:
        stored = np.int64(turn(rules, stored, symmetry))
    work = _log2(control[NODES] - started + 1)
    _keep(memory.table, key, _pack(stored, best, depth, work, control[AGE], proven, bound), control[AGE])
    return best, proven


@jit(arrays=True)
def outlook(rules: Any, memory: Memory, moves: NDArray[np.int32], scores: NDArray[np.int64]) -> int:
    """What the table says each move of row 0 is worth at most; returns of how many it says something.

    moves: int32[width] and scores: int64[width] take them in the order of `generate`.
    """
    known = 0
    for at in range(generate(rules, memory.positions, 0, memory.moves, memory.weights)):
        play(rules, memory.positions, 0, memory.moves[0, at])
        entry = look_up(memory.table, identify(rules, memory.positions, 1)[0])
        if entry != 0 and _entry_bound(entry) & LOWER:
            moves[known], scores[known] = memory.moves[0, at], -_entry_score(entry)
            known += 1
    return known
