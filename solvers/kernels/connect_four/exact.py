"""Connect Four solved exactly: a search written for this game alone, on the usual board of 6 rows and 7 columns.

After Pascal Pons's "Solving Connect 4: how to build a perfect AI" (http://blog.gamesolver.org): null windows, moves
that do not lose at once, moves ordered by the threats they make, a table of bounds. What is different: the threats of a
move, counted to order it, are handed to the position after it; early positions and their mirror images share an entry;
children that the table already refutes are found first; an entry holds its whole key in one word; and where the second
player can answer every move on top of it, the filled board is known (claimeven, Victor Allis, "A Knowledge-based
Approach of Connect-Four", 1988) and bounds the score.

Promise: `score_of` returns Pons's score for the side to move: 22 less the stones it will have played when it wins, 0
for a draw, negative where the rival wins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, popcount, prefetch
from solvers.kernels.jit import jit

HIGH = 7
CELLS = 42
BOTTOM = np.uint64(sum(1 << (7 * col) for col in range(7)))
BOARD = np.uint64(int(BOTTOM) * 63)
COLUMN = np.uint64(63)
FIRSTS = np.uint64(int(BOTTOM) * 0b010101)
SECONDS = np.uint64(int(BOTTOM) * 0b101010)
"""The cells either player gets where the second answers every move in the same column."""

STOP, NODES, NODE_LIMIT, AGE = range(4)
"""Places in ``control: int64[4]``, as in `solvers.kernels.alphabeta`."""

MIRROR_STONES = 12
"""Up to so many stones mirror images share an entry; later they meet too rarely to pay for the mirroring."""

ENHANCED_STONES = 36
"""Up to so many stones the children are looked up before one is searched; later searching is cheaper."""

LEAST, MOST = -(CELLS // 2) + 3, (CELLS + 1) // 2 - 3
"""The range of scores: nobody wins with fewer than four stones."""

GLANCE = 100_000
"""Positions looked at for one window before the others are tried."""

KEY_BITS = np.uint64(49)
KEY_MASK = np.uint64((1 << 49) - 1)
VALUE_MASK = np.uint64(0x7F)


@jit(arrays=True)
def winning_cells(own: np.uint64, free: np.uint64) -> np.uint64:
    """The cells of `free`, reachable or not, where one more stone of `own` makes four in a row."""
    found = (own << np.uint64(1)) & (own << np.uint64(2)) & (own << np.uint64(3))
    for step in (6, 7, 8):
        one, two, three = np.uint64(step), np.uint64(2 * step), np.uint64(3 * step)
        pair = (own << one) & (own << two)
        found |= pair & ((own << three) | (own >> one))
        pair = (own >> one) & (own >> two)
        found |= pair & ((own >> three) | (own << one))
    return found & free


@jit(arrays=True)
def has_four(own: np.uint64) -> bool:
    """Whether four in a row are among the cells of `own`."""
    found = ZERO
    for step in (1, 6, 7, 8):
        pair = own & (own >> np.uint64(step))
        found |= pair & (pair >> np.uint64(2 * step))
    return found != ZERO


@jit(arrays=True)
def claimed(first: np.uint64, second: np.uint64) -> int:
    """The most that the first player to move can score where every column has an even number of empty cells.

    The second player answers each move on top of it, so the first gets no other cells than FIRSTS. Where that makes no
    four the second has a draw; where the second's cells do, its win: a score of 1 at least, for its last stone.
    MOST where the first player's cells do.
    """
    empty = BOARD ^ (first | second)
    if has_four(first | (empty & FIRSTS)):
        return MOST
    return -1 if has_four(second | (empty & SECONDS)) else 0


@jit(arrays=True)
def mirrored(word: np.uint64) -> np.uint64:
    """A word of columns with left and right exchanged."""
    seen = ZERO
    for _ in range(7):
        seen = (seen << np.uint64(7)) | (word & np.uint64(127))
        word >>= np.uint64(7)
    return seen


@jit(arrays=True)
def key_of(own: np.uint64, every: np.uint64, stones: int) -> np.uint64:
    """A different number of 49 bits for every position, the same for mirror images early in the game."""
    key = own + every + BOTTOM
    if stones <= MIRROR_STONES:
        key = min(key, mirrored(own) + mirrored(every) + BOTTOM)
    return key


@jit(arrays=True)
def _slot(table: NDArray[np.uint64], key: np.uint64) -> int:
    """The first of the two places of a key."""
    return np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & (table.size - 2)


@jit(arrays=True)
def _look_up(table: NDArray[np.uint64], slot: int, key: np.uint64) -> int:
    """What the table knows of a position: 0, or a lower (above MOST - LEAST + 1) or an upper bound."""
    entry = table[slot]
    if entry & KEY_MASK == key:
        return np.int64((entry >> KEY_BITS) & VALUE_MASK)
    entry = table[slot + 1]
    if entry & KEY_MASK == key:
        return np.int64((entry >> KEY_BITS) & VALUE_MASK)
    return 0


@jit(arrays=True)
def _keep(table: NDArray[np.uint64], slot: int, key: np.uint64, value: int, age: np.uint64) -> None:
    """Stores a bound: in the first place unless an earlier position of the same age stands there, else in the second.

    age: how many cells are empty in 6 bits, and above them the age of the solve in 2.
    """
    entry = key | (np.uint64(value) << KEY_BITS) | (age << np.uint64(56))
    old = table[slot]
    if old & KEY_MASK == key or (old ^ entry) >> np.uint64(62) or old >> np.uint64(56) <= age:
        table[slot] = entry
    else:
        table[slot + 1] = entry


@jit(arrays=True)
def is_ended(control: NDArray[np.int64]) -> bool:
    """Whether a search was stopped or has looked at as many positions as it may."""
    return control[NODES] >= control[NODE_LIMIT] or control[STOP] != 0


# `_nrt=False`: see solvers.kernels.alphabeta.
@jit
def negamax(
    table: NDArray[np.uint64],
    control: NDArray[np.int64],
    threats: NDArray[np.uint64],
    keys: NDArray[np.uint64],
    own: np.uint64,
    every: np.uint64,
    theirs: np.uint64,
    stones: int,
    alpha: int,
    beta: int,
    turned: bool,
) -> int:
    """The score within (alpha, beta), fail-hard, where the side to move cannot win at once.

    threats, keys: uint64[42, 8], room for those of each column's move at each number of stones.
    theirs: the empty cells where the rival would complete a row.
    turned: whether equally good moves are tried from the right, as a thread does that helps another one.
    """
    control[NODES] += 1
    if is_ended(control):
        return 0
    free = (every + BOTTOM) & BOARD
    forced = free & theirs
    if forced != ZERO:
        if forced & (forced - ONE):
            return -((CELLS - stones) // 2)
        free = forced
    free &= ~(theirs >> ONE)
    if free == ZERO:
        return -((CELLS - stones) // 2)
    if stones >= CELLS - 2:
        return 0
    least = -((CELLS - 2 - stones) // 2)
    most = (CELLS - 1 - stones) // 2
    if alpha < least:
        alpha = least
        if alpha >= beta:
            return alpha
    if beta > most:
        beta = most
        if alpha >= beta:
            return beta
    odd = (every + BOTTOM) & SECONDS
    if odd == ZERO:
        if beta > -1:
            beta = min(beta, claimed(own, own ^ every))
            if alpha >= beta:
                return beta
    elif odd & (odd - ONE) == ZERO and stones & 1 and alpha < 1:
        # One move leaves even columns.
        alpha = max(alpha, -claimed(own ^ every, own | odd))
        if alpha >= beta:
            return alpha
    key = key_of(own, every, stones)
    slot = _slot(table, key)
    value = _look_up(table, slot, key)
    if value > MOST - LEAST + 1:
        known = value + 2 * LEAST - MOST - 2
        if alpha < known:
            alpha = known
            if alpha >= beta:
                return alpha
    elif value:
        known = value + LEAST - 1
        if beta > known:
            beta = known
            if alpha >= beta:
                return beta

    # Lanes of 8 bits, the best move in the lowest: one more than twice the threats it makes, those above a threat of
    # the rival's counted once (nobody gets there); then its column.
    order = ZERO
    empty = BOARD ^ every
    for from_left in (3, 2, 4, 1, 5, 0, 6):
        col = 6 - from_left if turned else from_left
        stone = free & (COLUMN << np.uint64(HIGH * col))
        if stone:
            if stones <= ENHANCED_STONES:
                child = key_of(own ^ every, every | stone, stones + 1)
                keys[stones, col] = child
                prefetch(table, _slot(table, child))  # it comes while the threats are counted
            made = winning_cells(own | stone, empty)
            threats[stones, col] = made
            rank = np.uint64((2 * popcount(made) - popcount(made & (theirs << ONE)) + 1) << 3)
            shift = ZERO
            while (order >> shift) & np.uint64(0xF8) >= rank:
                shift += np.uint64(8)
            low = (ONE << shift) - ONE
            order = (order & low) | ((rank | np.uint64(col)) << shift) | ((order & ~low) << np.uint64(8))
    count = popcount(free)
    if stones <= ENHANCED_STONES:
        # Enhanced transposition cutoff: a child that is already known to be bad enough for the rival.
        ordered = order
        for _ in range(count):
            child = keys[stones, np.int64(ordered & np.uint64(7))]
            ordered >>= np.uint64(8)
            value = _look_up(table, _slot(table, child), child)
            if 0 < value <= MOST - LEAST + 1 and -(value + LEAST - 1) >= beta:
                return -(value + LEAST - 1)

    for _ in range(count):
        col = np.int64(order & np.uint64(7))
        order >>= np.uint64(8)
        stone = free & (COLUMN << np.uint64(HIGH * col))
        made = threats[stones, col] & ~stone
        score = -negamax(
            table, control, threats, keys, own ^ every, every | stone, made, stones + 1, -beta, -alpha, turned
        )
        if is_ended(control):
            return 0
        if score >= beta:
            _keep(table, slot, key, score + MOST - 2 * LEAST + 2, np.uint64(control[AGE] << 6 | (CELLS - stones)))
            return score
        alpha = max(alpha, score)
    _keep(table, slot, key, alpha - LEAST + 1, np.uint64(control[AGE] << 6 | (CELLS - stones)))
    return alpha


@jit(arrays=True)
def _between(low: int, high: int) -> int:
    """The next window to look into, from the outside inwards: the farther from 0, the sooner it is decided."""
    middle = low + (high - low) // 2
    if middle <= 0:
        return min(middle, low // 2)
    return max(middle, high // 2)


@jit(arrays=True)
def score_of(
    table: NDArray[np.uint64],
    control: NDArray[np.int64],
    own: np.uint64,
    every: np.uint64,
    low: int,
    high: int,
    turned: bool = False,
) -> int:
    """The score of a position that is not over, known to be within low..high; narrowed down by null windows.

    As long as each takes no more than a glance these halve what is left; from then on each stands beside the one
    before, the first at 0, for most scores that are hard to find are small.

    Threads may share the table, whose entries are single words; each has a `control` of its own.
    """
    stones = popcount(every)
    empty = BOARD ^ every
    mine, theirs = winning_cells(own, empty), winning_cells(own ^ every, empty)
    if mine & (every + BOTTOM):
        return (CELLS + 1 - stones) // 2
    low = max(low, -((CELLS - stones) // 2))
    high = min(high, (CELLS - 1 - stones) // 2)
    threats, keys = np.empty((CELLS, 8), np.uint64), np.empty((CELLS, 8), np.uint64)
    limit, guess, glancing = control[NODE_LIMIT], 0, high - low > 1
    while low < high:
        middle = _between(low, high) if glancing else min(max(guess, low), high - 1)
        if glancing:
            control[NODE_LIMIT] = min(limit, control[NODES] + GLANCE)
        score = negamax(table, control, threats, keys, own, every, theirs, stones, middle, middle + 1, turned)
        left_open = is_ended(control)
        control[NODE_LIMIT] = limit
        if is_ended(control):
            control[STOP] = 1
            return 0
        if left_open:
            glancing = False
            continue
        if score <= middle:
            high = score
        else:
            low = score
        if not glancing:
            guess = score
    return low


@jit(arrays=True)
def scores_of(
    table: NDArray[np.uint64], control: NDArray[np.int64], positions: NDArray[np.uint64], scores: NDArray[np.int8]
) -> None:
    """The scores of many positions ``uint64[n, 2]`` (the stones of the side to move, all stones) into ``int8[n]``."""
    for at in range(positions.shape[0]):
        scores[at] = score_of(table, control, positions[at, 0], positions[at, 1], LEAST, MOST)
