"""What placements of Blokus promise at a glance: the priors of the tree search.

A placement counts for its squares, for the corners it opens, and for what it takes from the others near their corners.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, lowest, popcount
from solvers.kernels.blokus.board import EVERY_PIECE, HALF, LEFT, LOW, MARGIN, PAD, Blokus, colour_of, is_done
from solvers.kernels.blokus.guided import SearchParameters
from solvers.kernels.blokus.moves import corners_in
from solvers.kernels.blokus.windows import WIDEST, glance_through, open_windows
from solvers.kernels.jit import jit


@jit
def mark_others(rules: Blokus, positions: NDArray[np.uint64], colour: int) -> None:
    """Writes the free corners of the other sides' colours to row 1's second scratch words."""
    second = rules.scratch + rules.side + MARGIN
    for at in range(rules.side + MARGIN):
        positions[1, second + at] = ZERO
    for other in range(rules.colours):
        if rules.seats[other] != rules.seats[colour] and not is_done(rules, positions, 1, other):
            for row in range(rules.side):
                positions[1, second + PAD + row] |= corners_in(rules, positions, 1, other, row) & LOW


@jit
def glance_at_all(
    rules: Blokus,
    parameters: SearchParameters,
    positions: NDArray[np.uint64],
    legal: NDArray[np.int32],
    worths: NDArray[np.float32],
    windows: NDArray[np.uint64],
    count: int,
) -> None:
    """Writes to `worths` what each of `count` placements that `legal` lists for row 1 is worth at a glance.

    windows: uint64[windows.SHAPE], room.
    """
    colour = colour_of(rules, positions, 1)
    base = colour * rules.block
    mark_others(rules, positions, colour)
    first = positions[1, base + rules.side + MARGIN + LEFT] & EVERY_PIECE == EVERY_PIECE
    narrow, part_of_form, part_of_row = rules.side <= WIDEST, _part(rules.cells), _part(rules.side)
    if narrow:
        open_windows(rules, positions, colour, rules.scratch + rules.side + MARGIN + PAD, windows)
    for at in range(count):
        move = np.int64(legal[1, at])
        form = (move * part_of_form) >> 32
        rest = move - form * rules.cells
        row = (rest * part_of_row) >> 32
        col = rest - row * rules.side
        if narrow:
            worths[at] = glance_through(parameters, windows, form, rules.size_of[form], row, col)
        else:
            worths[at] = glance(rules, parameters, positions, colour, form, row, col)
        if first:
            worths[at] += parameters.middle * _towards_middle(rules, form, row, col)


@jit
def _part(number: int) -> int:
    """What moves are multiplied with to be divided by `number`, times 2^32: quicker, and exact as far as moves go."""
    return (1 << 32) // number + 1


@jit
def glance(
    rules: Blokus,
    parameters: SearchParameters,
    positions: NDArray[np.uint64],
    colour: int,
    form: int,
    row: int,
    col: int,
) -> float:
    """What a placement of `colour` in row 1 is worth at a glance; the others' corners stand marked."""
    base = colour * rules.block
    second = rules.scratch + rules.side + MARGIN + PAD
    shift = np.uint64(col + PAD)
    opened, covered, near = np.int64(0), np.int64(0), np.int64(0)
    lost, liberties = np.int64(0), np.int64(0)
    above, at = positions[1, base + row + PAD - 2], base + row + PAD - 1
    for step in range(7):
        word, below = positions[1, at + step], positions[1, at + step + 1]
        mine = (rules.own[form, step] << shift) >> ONE
        corners = (word >> HALF) & ~word
        new = (mine >> HALF) & ~(word | corners) & LOW
        lost += popcount(corners & mine & LOW)
        if new:
            opened += popcount(new)
            free = ~(word | mine)
            liberties += popcount((new << ONE) & free) + popcount((new >> ONE) & free)
            liberties += popcount(new & ~above) + popcount(new & ~below)
        above = word
    for step in range(5):
        mine = rules.theirs[form, step] << shift
        if mine:
            theirs = positions[1, second + row + step]
            covered += popcount(mine & theirs)
            near += popcount(mine & _beside_others(positions, second + row + step) & ~theirs)
    worth = (
        parameters.squares * rules.size_of[form]
        + parameters.opened * opened
        + parameters.covered * covered
        + parameters.near * near
    )
    return worth + parameters.lost * lost + parameters.liberties * liberties


@jit
def _beside_others(positions: NDArray[np.uint64], at: int) -> np.uint64:
    """The cells of a marked row at and beside corners of the other sides."""
    theirs = positions[1, at]
    return theirs | (theirs << ONE) | (theirs >> ONE) | positions[1, at - 1] | positions[1, at + 1]


@jit
def _towards_middle(rules: Blokus, form: int, row: int, col: int) -> float:
    """How near to the board's middle, from 0 to 1, the nearest cell of a placement comes."""
    nearest = np.float64(2 * rules.side)
    for step in range(5):
        cells = rules.theirs[form, step]
        while cells:
            down = abs(2 * (row + step) - rules.side + 1)
            right = abs(2 * (col + lowest(cells)) - rules.side + 1)
            nearest = min(nearest, np.float64(down + right) / 2)
            cells &= cells - ONE
    return 1.0 - nearest / rules.side
