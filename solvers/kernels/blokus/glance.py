"""What placements of Blokus promise at a glance: the priors of the tree search.

A placement counts for its squares, for the corners it opens, and for what it takes from the others near their corners.
"""

from __future__ import annotations

import numpy as np

from solvers.kernels.bits import ONE, ZERO, lowest, popcount
from solvers.kernels.blokus.board import EVERY_PIECE, HALF, LEFT, LOW, MARGIN, PAD, Blokus, colour_of, is_done
from solvers.kernels.blokus.guided import GuidedBlokus
from solvers.kernels.blokus.moves import corners_in
from solvers.kernels.jit import jit
from solvers.kernels.mcts import Tree

COMPILE_SECONDS = 8


@jit
def mark_others(rules: Blokus, tree: Tree, colour: int) -> None:
    """Writes the free corners of the other sides' colours to row 1's second scratch words."""
    second = rules.scratch + rules.side + MARGIN
    for at in range(rules.side + MARGIN):
        tree.positions[1, second + at] = ZERO
    for other in range(rules.colours):
        if rules.seats[other] != rules.seats[colour] and not is_done(rules, tree.positions, 1, other):
            for row in range(rules.side):
                tree.positions[1, second + PAD + row] |= corners_in(rules, tree.positions, 1, other, row) & LOW


@jit
def glance_at_all(guided: GuidedBlokus, tree: Tree, count: int) -> None:
    """Writes to ``guided.worths`` what each placement listed for row 1 is worth at a glance."""
    rules, worths = guided.board, guided.worths
    colour = colour_of(rules, tree.positions, 1)
    base = colour * rules.block
    mark_others(rules, tree, colour)
    first = tree.positions[1, base + rules.side + MARGIN + LEFT] & EVERY_PIECE == EVERY_PIECE
    for at in range(count):
        move = np.int64(tree.legal[1, at])
        worths[at] = _glance(guided, tree, colour, move)
        if first:
            form = move // rules.cells
            rest = move - form * rules.cells
            row = rest // rules.side
            worths[at] += guided.parameters.middle * _towards_middle(rules, form, row, rest - row * rules.side)


@jit
def _glance(guided: GuidedBlokus, tree: Tree, colour: int, move: int) -> float:
    """What a placement of `colour` in row 1 is worth at a glance; the others' corners stand marked."""
    rules, parameters = guided.board, guided.parameters
    base = colour * rules.block
    second = rules.scratch + rules.side + MARGIN + PAD
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    shift = np.uint64(rest - row * rules.side + PAD)
    opened, covered, near = np.int64(0), np.int64(0), np.int64(0)
    lost, liberties = np.int64(0), np.int64(0)
    above, at = tree.positions[1, base + row + PAD - 2], base + row + PAD - 1
    for step in range(7):
        word, below = tree.positions[1, at + step], tree.positions[1, at + step + 1]
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
            theirs = tree.positions[1, second + row + step]
            covered += popcount(mine & theirs)
            near += popcount(mine & _beside_others(tree, second + row + step) & ~theirs)
    worth = (
        parameters.squares * rules.size_of[form]
        + parameters.opened * opened
        + parameters.covered * covered
        + parameters.near * near
    )
    return worth + parameters.lost * lost + parameters.liberties * liberties


@jit
def _beside_others(tree: Tree, at: int) -> np.uint64:
    """The cells of a marked row at and beside corners of the other sides."""
    theirs = tree.positions[1, at]
    return theirs | (theirs << ONE) | (theirs >> ONE) | tree.positions[1, at - 1] | tree.positions[1, at + 1]


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
