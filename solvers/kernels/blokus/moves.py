"""Blokus packed: the placements of a colour, listed, counted, or drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, bit_number, lowest, popcount
from solvers.kernels.blokus.board import HALF, LOW, MARGIN, MEMBERS0, MEMBERS1, PAD, Blokus, colour_of
from solvers.kernels.blokus.ways import GROUP_ENTRIES, OPEN_WAYS
from solvers.kernels.jit import jit

OPEN = 4
"""The direction of a cell that has no two barred neighbours at right angles."""

BEGUN = np.uint64(1 << PAD)
"""The column of the cell itself in a window that begins PAD columns before it."""

THREE, THREE_UP = np.uint64(3), np.uint64(7 << 1)
SEVEN_BITS = np.uint64(127)
TOP_OF_SEVEN = np.uint64(7 << 4)


@jit
def ways_at(
    rules: Blokus, positions: NDArray[np.uint64], ply: int, row: int, col: int
) -> tuple[np.uint64, np.uint64, int]:
    """The ways not barred at a cell, with any piece, and the direction they are numbered by.

    The barred cells stand in the scratch words. The direction is OPEN where a pair of neighbours is free.
    """
    at = np.uint64(rules.scratch + PAD + row)
    shift = np.uint64(col)  # the window's first column is col - 4, which is bit `col`
    step = ONE
    if (positions[ply, at - ONE] >> shift) & BEGUN == ZERO:
        step = ~ZERO  # -1
        if (positions[ply, at + ONE] >> shift) & BEGUN == ZERO:
            return ZERO, ZERO, OPEN
    mirrored = ZERO
    if (positions[ply, at] >> shift) & (BEGUN >> ONE) == ZERO:
        mirrored = ONE
        if (positions[ply, at] >> shift) & (BEGUN << ONE) == ZERO:
            return ZERO, ZERO, OPEN
    low, high = ways_off(rules, positions, ply, at, shift, step, mirrored)
    return low, high, np.int64((ONE - step) + mirrored)


@jit
def ways_off(
    rules: Blokus,
    positions: NDArray[np.uint64],
    ply: int,
    at: np.uint64,
    shift: np.uint64,
    step: np.uint64,
    mirrored: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """The ways that keep off the cells marked in some words, of which that of the cell's row is number `at`.

    shift: the cell's column.  step: 1 where the cell above is barred, -1 where the one below is.  mirrored: 0 where
    that at the left is, 1 at the right. (Unsigned numbers spare numba the case of an index below 0.)
    """
    here = positions[ply, at] >> shift
    two, three = step << ONE, (step << ONE) + step
    above3 = positions[ply, at - three] >> shift
    above2 = positions[ply, at - two] >> shift
    above1 = positions[ply, at - step] >> shift
    if mirrored:
        first = ((above3 >> np.uint64(3)) & ONE) | ((above2 >> ONE) & THREE_UP) | ((above1 << THREE) & TOP_OF_SEVEN)
        second = here & SEVEN_BITS
    else:
        first = ((above3 >> np.uint64(5)) & ONE) | ((above2 >> THREE) & THREE_UP) | ((above1 >> ONE) & TOP_OF_SEVEN)
        second = (here >> np.uint64(2)) & SEVEN_BITS
    third = ((positions[ply, at + step] >> shift) >> ONE) & SEVEN_BITS
    fourth = ((positions[ply, at + two] >> shift) >> np.uint64(2)) & np.uint64(31)
    fourth |= ((positions[ply, at + three] >> shift) << np.uint64(2)) & np.uint64(7 << 5)
    fourth |= ((positions[ply, at + two + two] >> shift) << np.uint64(4)) & np.uint64(1 << 8)
    base = mirrored * np.uint64(2 * GROUP_ENTRIES)
    a, b = base + (first << ONE), base + np.uint64(2 * 128) + (second << ONE)
    c, d = base + np.uint64(2 * 256) + (third << ONE), base + np.uint64(2 * 384) + (fourth << ONE)
    low = (rules.fits[a] & rules.fits[b]) & (rules.fits[c] & rules.fits[d])
    high = (rules.fits[a + ONE] & rules.fits[b + ONE]) & (rules.fits[c + ONE] & rules.fits[d + ONE])
    return low, high


@jit
def copy_rows(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> None:
    """Copies what is barred for `colour` to the scratch words."""
    base = colour * rules.block
    for at in range(rules.side + MARGIN):
        positions[ply, rules.scratch + at] = positions[ply, base + at] & LOW


@jit
def corners_in(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int, row: int) -> np.uint64:
    """The cells of a row where pieces of `colour` may begin; column 0 is bit PAD."""
    word = positions[ply, colour * rules.block + PAD + row]
    return (word >> HALF) & ~word


@jit
def fits_open(rules: Blokus, positions: NDArray[np.uint64], ply: int, move: int) -> bool:
    """Whether a form that lies on the board covers nothing barred in the scratch words."""
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    shift = np.uint64(rest - row * rules.side + PAD)
    hit = ZERO
    for at in range(5):
        hit |= positions[ply, rules.scratch + PAD + row + at] & (rules.theirs[form, at] << shift)
    return hit == ZERO


@jit
def _inside(rules: Blokus, row: int, col: int) -> bool:
    """Whether every way from a cell lies on the board, so that its move is the cell plus an offset."""
    return PAD <= row < rules.side - PAD and PAD <= col < rules.side - PAD


@jit
def list_moves(rules: Blokus, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32]) -> int:
    """Writes the placements of the colour to move to that row of `moves`; returns how many there are."""
    colour = colour_of(rules, positions, ply)
    end = colour * rules.block + rules.side + MARGIN
    member0, member1 = positions[ply, end + MEMBERS0], positions[ply, end + MEMBERS1]
    copy_rows(rules, positions, ply, colour)
    count = 0
    for row in range(rules.side):
        corners = corners_in(rules, positions, ply, colour, row)
        while corners:
            col = lowest(corners) - PAD
            corners &= corners - ONE
            if count + OPEN_WAYS > moves.shape[1]:
                return count  # no game comes near this, but no position may write beyond its row
            low, high, direction = ways_at(rules, positions, ply, row, col)
            cell = row * rules.side + col
            if direction == OPEN:
                count = _list_open(rules, positions, ply, moves, count, row, col)
            low &= member0
            high &= member1
            while low:
                moves[ply, count] = cell + rules.offsets[direction, lowest(low)]
                count += 1
                low &= low - ONE
            while high:
                moves[ply, count] = cell + rules.offsets[direction, 64 + lowest(high)]
                count += 1
                high &= high - ONE
            positions[ply, rules.scratch + PAD + row] |= ONE << np.uint64(PAD + col)
    return count


@jit
def _open_move(rules: Blokus, positions: NDArray[np.uint64], ply: int, row: int, col: int, way: int) -> int:
    """The move of one of the 414 ways at a cell, -1 where it does not fit."""
    offset = np.int64(rules.open_offsets[way])
    # An offset is form * cells + down * side + right with down and right from -4 to 0.
    form = (offset + PAD * rules.side + PAD) // rules.cells
    rest = offset - form * rules.cells
    down = -((PAD - rest) // rules.side)
    right = rest - down * rules.side
    if row + down < 0 or col + right < 0:
        return -1
    move = offset + row * rules.side + col
    return move if fits_open(rules, positions, ply, move) else -1


@jit
def _list_open(
    rules: Blokus, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], count: int, row: int, col: int
) -> int:
    """As `list_moves` for one cell in the open, where no piece was laid yet; returns them plus `count`."""
    if _inside(rules, row, col) and _count_open(rules, positions, ply, row, col) == OPEN_WAYS:
        for way in range(OPEN_WAYS):
            moves[ply, count + way] = row * rules.side + col + rules.open_offsets[way]
        return count + OPEN_WAYS
    for way in range(OPEN_WAYS):
        move = _open_move(rules, positions, ply, row, col, way)
        if move >= 0:
            moves[ply, count] = move
            count += 1
    return count


FOUND = 4
"""Words `count_moves` notes of a corner: placements up to it, its two words of ways, its cell and direction."""

MOST_CORNERS = 256


@jit
def count_moves(rules: Blokus, positions: NDArray[np.uint64], ply: int, found: NDArray[np.uint64]) -> tuple[int, int]:
    """How many placements the colour to move has, at how many corners; ``found: uint64[256, 4]`` takes notes."""
    colour = colour_of(rules, positions, ply)
    end = colour * rules.block + rules.side + MARGIN
    member0, member1 = positions[ply, end + MEMBERS0], positions[ply, end + MEMBERS1]
    copy_rows(rules, positions, ply, colour)
    count, noted = np.int64(0), np.int64(0)
    for row in range(rules.side):
        corners = corners_in(rules, positions, ply, colour, row)
        while corners:
            col = lowest(corners) - PAD
            corners &= corners - ONE
            low, high, direction = ways_at(rules, positions, ply, row, col)
            low &= member0
            high &= member1
            if direction == OPEN:
                count += _count_open(rules, positions, ply, row, col)
            else:
                count += popcount(low) + popcount(high)
            found[noted, 0] = np.uint64(count)
            found[noted, 1] = low
            found[noted, 2] = high
            found[noted, 3] = np.uint64(((row << 5) | col) << 3 | direction)
            noted += 1
            positions[ply, rules.scratch + PAD + row] |= ONE << np.uint64(PAD + col)
    return count, noted


@jit
def _count_open(rules: Blokus, positions: NDArray[np.uint64], ply: int, row: int, col: int) -> int:
    """How many of the 414 ways fit: all where nothing is barred within reach."""
    reach, shift = ONE, np.uint64(col)
    hit = ZERO
    for down in range(-PAD, PAD + 1):
        wide = PAD - abs(down)
        reach = ((ONE << np.uint64(2 * wide + 1)) - ONE) << np.uint64(PAD - wide)
        hit |= (positions[ply, rules.scratch + PAD + row + down] >> shift) & reach
    if hit == ZERO:
        return OPEN_WAYS
    count = 0
    for way in range(OPEN_WAYS):
        count += _open_move(rules, positions, ply, row, col, way) >= 0
    return count


@jit
def pick_move(rules: Blokus, positions: NDArray[np.uint64], ply: int, found: NDArray[np.uint64], number: int) -> int:
    """Placement `number`, from 0, of those that `count_moves` has just counted, in the order of `list_moves`."""
    corner, before = 0, ZERO
    wanted = np.uint64(number)
    while found[corner, 0] <= wanted:
        before = found[corner, 0]
        corner += 1
    rest = np.int64(wanted - before)
    place = np.int64(found[corner, 3])
    direction, row, col = place & 7, place >> 8, (place >> 3) & 31
    if direction == OPEN:
        return _pick_open(rules, positions, ply, row, col, rest)
    word, first = found[corner, 1], 0
    if rest >= popcount(word):
        rest -= popcount(word)
        word, first = found[corner, 2], 64
    return row * rules.side + col + np.int64(rules.offsets[direction, first + bit_number(word, rest)])


@jit
def _pick_open(rules: Blokus, positions: NDArray[np.uint64], ply: int, row: int, col: int, number: int) -> int:
    # The cell itself was noted as covered after it was counted.
    positions[ply, rules.scratch + PAD + row] &= ~(ONE << np.uint64(PAD + col))
    if _inside(rules, row, col) and _count_open(rules, positions, ply, row, col) == OPEN_WAYS:
        return row * rules.side + col + np.int64(rules.open_offsets[number])
    for way in range(OPEN_WAYS):
        move = _open_move(rules, positions, ply, row, col, way)
        if move >= 0:
            if number == 0:
                return move
            number -= 1
    return -1
