"""Connect Four packed: the stones of the side to move and all stones, one word each.

Column c takes the bits from ``c * (rows + 1)`` on, its lowest cell first; the bit above its top cell stays empty, so
that shifts along rows and diagonals never run from one column into the next.
Scores are Pons's (half the stones left at the win, 0 a draw, negative a loss) times UNIT, which leaves `evaluate` room.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, mixed, popcount
from solvers.kernels.jit import jit
from solvers.kernels.rules import bounds, evaluate, generate, identify, offers, play, prepare, turn

OWN, ALL = range(2)
"""The two words of a position: the stones of the side to move, and all stones."""

UNIT = 256
"""A point of Pons's score in this module's."""

MIRRORED = 1
"""The one symmetry: left and right exchanged."""


class ConnectFour(NamedTuple):
    """The rules of one size of board.

    rows, cols, length: as in the game.  board: a bit for each cell.  bottom: a bit for the lowest cell of each column.
    """

    rows: int
    cols: int
    length: int
    board: np.uint64
    bottom: np.uint64


def rules_of(rows: int, cols: int, length: int) -> ConnectFour:
    """The packed rules; raises ValueError where a position does not fit into words of 64 bits."""
    if (rows + 1) * cols > 64:
        raise ValueError(f"{rows}x{cols} cells and one spare row need {(rows + 1) * cols} bits: 64 can be packed")
    bottom = sum(1 << (col * (rows + 1)) for col in range(cols))
    return ConnectFour(rows, cols, length, np.uint64(bottom * ((1 << rows) - 1)), np.uint64(bottom))


@jit(arrays=True)
def winning_cells(rules: ConnectFour, own: np.uint64, every: np.uint64) -> np.uint64:
    """The empty cells, reachable or not, where one more stone of `own` makes a row that wins."""
    found = ZERO
    high = np.int64(rules.rows) + 1
    for step in (np.int64(1), high - 1, high, high + 1):
        if rules.length == 4:
            shift = np.uint64(step)
            twice, thrice = np.uint64(2 * step), np.uint64(3 * step)
            pair = (own << shift) & (own << twice)
            found |= pair & (own << thrice)
            found |= pair & (own >> shift)
            pair = (own >> shift) & (own >> twice)
            found |= pair & (own << shift)
            found |= pair & (own >> thrice)
        else:
            for gap in range(rules.length):
                line = rules.board
                for at in range(-gap, rules.length - gap):
                    if at < 0:
                        line &= own << np.uint64(-at * step)
                    elif at > 0:
                        line &= own >> np.uint64(at * step)
                found |= line
    return found & (rules.board ^ every)


@jit(arrays=True)
def has_row(rules: ConnectFour, stones: np.uint64) -> bool:
    """Whether `stones` hold a row that wins."""
    high = np.int64(rules.rows) + 1
    for step in (np.int64(1), high - 1, high, high + 1):
        line = stones
        for at in range(1, rules.length):
            line &= stones >> np.uint64(at * step)
        if line != ZERO:
            return True
    return False


@jit(arrays=True)
def mirror(rules: ConnectFour, word: np.uint64) -> np.uint64:
    """`word` with left and right exchanged."""
    high = np.uint64(rules.rows + 1)
    column = (ONE << high) - ONE
    seen = ZERO
    for _ in range(rules.cols):
        seen = (seen << high) | (word & column)
        word >>= high
    return seen


@offers(generate, ConnectFour)
def _generate(
    rules: ConnectFour, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> int:
    own, every = positions[ply, OWN], positions[ply, ALL]
    if has_row(rules, own ^ every):
        return 0
    free = (every + rules.bottom) & rules.board
    high = np.int64(rules.rows) + 1
    threats = winning_cells(rules, own ^ every, every)
    count = 0
    for col in range(rules.cols):
        stone = free & (((ONE << np.uint64(rules.rows)) - ONE) << np.uint64(col * high))
        if stone == ZERO:
            continue
        ahead = popcount(winning_cells(rules, own | stone, every | stone))
        weight = (ahead << 20) + ((rules.cols - abs(2 * col - rules.cols + 1)) << 12)
        if stone & threats:
            weight += np.int64(1) << 40
        if (stone << ONE) & threats:
            weight -= np.int64(1) << 40
        moves[ply, count] = col
        weights[ply, count] = weight
        count += 1
    return count


@offers(play, ConnectFour)
def _play(rules: ConnectFour, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    own, every = positions[ply, OWN], positions[ply, ALL]
    foot = ONE << np.uint64(move * (rules.rows + 1))
    positions[ply + 1, OWN] = own ^ every
    positions[ply + 1, ALL] = every | (every + foot)


@offers(bounds, ConnectFour)
def _bounds(rules: ConnectFour, positions: NDArray[np.uint64], ply: int) -> tuple[int, int]:
    own, every = positions[ply, OWN], positions[ply, ALL]
    cells = rules.rows * rules.cols
    stones = popcount(every)
    if has_row(rules, own ^ every):
        lost = -((cells + 2 - stones) // 2) * UNIT
        return lost, lost
    if stones == cells:
        return 0, 0
    free = (every + rules.bottom) & rules.board
    if winning_cells(rules, own, every) & free:
        won = ((cells + 1 - stones) // 2) * UNIT
        return won, won
    threats = winning_cells(rules, own ^ every, every) & free
    if threats & (threats - ONE):
        lost = -((cells - stones) // 2) * UNIT
        return lost, lost
    return -((cells - stones) // 2) * UNIT, ((cells - 1 - stones) // 2) * UNIT


@offers(evaluate, ConnectFour)
def _evaluate(rules: ConnectFour, positions: NDArray[np.uint64], ply: int) -> int:
    """Cells that would win, those in a row good for their owner (odd rows for the first player) twice."""
    own, every = positions[ply, OWN], positions[ply, ALL]
    odd = rules.bottom
    for row in range(2, rules.rows, 2):
        odd |= rules.bottom << np.uint64(row)
    good, bad = (odd, ~odd) if popcount(every) % 2 == 0 else (~odd, odd)
    mine, theirs = winning_cells(rules, own, every), winning_cells(rules, own ^ every, every)
    return (popcount(mine) + popcount(mine & good) - popcount(theirs) - popcount(theirs & bad)) * (UNIT // 32)


@offers(identify, ConnectFour)
def _identify(rules: ConnectFour, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, int]:
    key = positions[ply, OWN] + positions[ply, ALL] + rules.bottom
    seen = mirror(rules, positions[ply, OWN]) + mirror(rules, positions[ply, ALL]) + rules.bottom
    if seen < key:
        return mixed(seen), MIRRORED
    return mixed(key), 0


@offers(turn, ConnectFour)
def _turn(rules: ConnectFour, move: int, symmetry: int) -> int:
    return rules.cols - 1 - move if symmetry == MIRRORED else move


@offers(prepare, ConnectFour)
def _prepare(
    rules: ConnectFour, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> None:
    """Nothing: `play` needs the stones alone."""
