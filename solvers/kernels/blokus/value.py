"""How a game of two colours stands, by a small network that was trained on games of itself.

Of each cell it sees what either colour may still do there: nothing, lay a later piece, lay its next piece, begin its
next piece. These sixteen states of each cell choose a row of the first layer each, seen from the colour that has just
moved, the board turned by half for the second colour, so that both have one network. Pieces left and colours that are
out of placements choose rows too. Which weights the second layer has depends on how many pieces lie.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, lowest, popcount
from solvers.kernels.blokus.board import EVERY_PIECE, HALF, LEFT, MARGIN, PAD, Blokus, is_done
from solvers.kernels.blokus.windows import MASKS
from solvers.kernels.jit import jit
from solvers.kernels.rows import UNITS, exchange_rows, sum_rows

STATES = 16
"""Of a cell: four for each colour."""

SIDE = 14
"""Of the board that networks learn; a smaller one lies in its middle, as if what is round it were barred."""

CELLS = SIDE * SIDE

PIECE_ROWS, DONE_ROWS = 42, 2

ROWS = CELLS * STATES + PIECE_ROWS + DONE_ROWS
"""Of the first layer."""

STAGES, STAGE_PIECES = 6, 5
"""Second layers, and after how many pieces the next one serves."""

PLANES = 4
"""Words of a board that tell what either colour may still do: two for each, see `_plan`."""


class Net(NamedTuple):
    """The weights.

    rows: float32[ROWS, UNITS], of each state of each cell, of each colour's pieces left, of colours that are
    done.  heads: float32[STAGES, UNITS + 1], the second layers and their constants.
    """

    rows: NDArray[np.float32]
    heads: NDArray[np.float32]


class Workspace(NamedTuple):
    """Room to work in.

    chosen, taken: int32[cells + 44], rows of the net.
    hidden, before: float32[UNITS], sums of rows, those before a placement.
    fields: uint64[4, 4], of the mover and of the other the cells that are free, and those across from its own.
    planes: uint64[2, 4, 4], a sketch before and after a placement.  marks: uint64[3, 4], the cells a placement bars for
    the mover, those across from it, and its own. (Four words are a board: see `survey`.)
    """

    chosen: NDArray[np.int32]
    taken: NDArray[np.int32]
    hidden: NDArray[np.float32]
    before: NDArray[np.float32]
    fields: NDArray[np.uint64]
    planes: NDArray[np.uint64]
    marks: NDArray[np.uint64]


def no_net() -> Net:
    """Stands for a network where there is none."""
    return Net(np.zeros((0, UNITS), np.float32), np.zeros((STAGES, UNITS + 1), np.float32))


def workspace_of(side: int) -> Workspace:
    """Room for a board."""
    rows = side * side + PIECE_ROWS + DONE_ROWS
    return Workspace(
        chosen=np.zeros(rows, np.int32),
        taken=np.zeros(rows, np.int32),
        hidden=np.zeros(UNITS, np.float32),
        before=np.zeros(UNITS, np.float32),
        fields=np.zeros((4, 4), np.uint64),
        planes=np.zeros((2, 4, 4), np.uint64),
        marks=np.zeros((3, 4), np.uint64),
    )


@jit
def pieces_left(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> np.uint64:
    """The pieces `colour` still has, a bit each."""
    return positions[ply, colour * rules.block + rules.side + MARGIN + LEFT] & EVERY_PIECE


@jit
def reach(left: np.uint64) -> int:
    """Steps from the first to the last square of the largest piece left."""
    if left >> np.uint64(9):
        return 4
    if left >> np.uint64(4):
        return 3
    if left >> np.uint64(2):
        return 2
    return 1 if left >> ONE else 0


@jit
def choose_pieces(own: np.uint64, other: np.uint64, done: int, chosen: NDArray[np.int32], count: int) -> int:
    """Adds the rows of pieces and of colours that are done to a list of `count`; returns how many there are then."""
    base = CELLS * STATES
    pieces = own | other << np.uint64(PIECE_ROWS // 2)
    while pieces:
        chosen[count] = base + lowest(pieces)
        count += 1
        pieces &= pieces - ONE
    for bit in range(DONE_ROWS):
        if (done >> bit) & 1:
            chosen[count] = base + PIECE_ROWS + bit
            count += 1
    return count


@jit
def done_bits(rules: Blokus, positions: NDArray[np.uint64], ply: int, mover: int) -> int:
    """1 if the mover is done, plus 2 if the other is."""
    return np.int64(is_done(rules, positions, ply, mover)) + 2 * np.int64(is_done(rules, positions, ply, 1 - mover))


@jit
def stage_of(own: np.uint64, other: np.uint64) -> int:
    """Which second layer serves."""
    return min((PIECE_ROWS - popcount(own) - popcount(other)) // STAGE_PIECES, STAGES - 1)


@jit
def judged(net: Net, workspace: Workspace, stage: int) -> float:
    """The output for what stands in ``workspace.hidden``."""
    total = net.heads[stage, UNITS]
    for unit in range(UNITS):
        total += max(workspace.hidden[unit], np.float32(0)) * net.heads[stage, unit]
    return np.float64(total)


@jit
def chance(logarithm: float) -> float:
    """From 0 to 1, of odds."""
    return 1.0 / (1.0 + np.exp(-logarithm))


# What a placement changes; boards of at most 15x15 are four words of four rows of 16 columns, the last of them barred.

WORDS = 4
ROW_BITS = np.uint64(16)
THREE_ROWS, FOUR_ROWS = np.uint64(48), np.uint64(64)


@jit
def survey(rules: Blokus, net: Net, workspace: Workspace, positions: NDArray[np.uint64], ply: int, mover: int) -> None:
    """Prepares `odds_after` for the placements `mover` has in a position: what both may do, as if it had just moved."""
    inside = (ONE << np.uint64(rules.side)) - ONE
    for view in range(2):
        base = ((mover + view) & 1) * rules.block + PAD
        for word in range(WORDS):
            free, across = ZERO, ZERO
            for row in range(4 * word, min(4 * word + 4, rules.side)):
                cells, place = positions[ply, base + row], ROW_BITS * np.uint64(row & 3)
                free |= ((~cells >> np.uint64(PAD)) & inside) << place
                across |= ((cells >> (HALF + np.uint64(PAD))) & inside) << place
            workspace.fields[2 * view, word] = free
            workspace.fields[2 * view + 1, word] = across
            workspace.marks[0, word] = workspace.marks[1, word] = workspace.marks[2, word] = ZERO
        colour = (mover + view) & 1
        left, done = pieces_left(rules, positions, ply, colour), is_done(rules, positions, ply, colour)
        _plan(workspace, 0, view, left, done)
    count = 0
    for word in range(WORDS):
        some = ZERO
        for plane in range(PLANES):
            some |= workspace.planes[0, plane, word]
        while some:
            bit = lowest(some)
            some &= some - ONE
            workspace.chosen[count] = _first_row_of(rules, word, bit, mover) + _state_of(workspace.planes[0], word, bit)
            count += 1
    own, other = pieces_left(rules, positions, ply, mover), pieces_left(rules, positions, ply, 1 - mover)
    done = done_bits(rules, positions, ply, mover)
    count = choose_pieces(own, other, done, workspace.chosen, count)
    sum_rows(net.rows, workspace.chosen, count, workspace.before)


@jit
def _plan(workspace: Workspace, step: int, view: int, left: np.uint64, done: bool) -> None:
    """Writes the planes of the mover (view 0) or the other, before (step 0) or after what is marked."""
    fields, marks, planes = workspace.fields, workspace.marks, workspace.planes[step]
    barred = 0 if view == 0 else 2
    free0, free1 = fields[2 * view, 0] & ~marks[barred, 0], fields[2 * view, 1] & ~marks[barred, 1]
    free2, free3 = fields[2 * view, 2] & ~marks[barred, 2], fields[2 * view, 3] & ~marks[barred, 3]
    near0, near1, near2, near3 = ZERO, ZERO, ZERO, ZERO
    if not done:
        near0, near1 = fields[2 * view + 1, 0] & free0, fields[2 * view + 1, 1] & free1
        near2, near3 = fields[2 * view + 1, 2] & free2, fields[2 * view + 1, 3] & free3
        if view == 0:
            near0, near1 = near0 | (marks[1, 0] & free0), near1 | (marks[1, 1] & free1)
            near2, near3 = near2 | (marks[1, 2] & free2), near3 | (marks[1, 3] & free3)
    begun0, begun1, begun2, begun3 = near0, near1, near2, near3
    if not done:
        for _ in range(reach(left)):
            grown0 = _grown(near0, ZERO, near1) & free0
            grown1 = _grown(near1, near0, near2) & free1
            grown2 = _grown(near2, near1, near3) & free2
            near3 = _grown(near3, near2, ZERO) & free3
            near0, near1, near2 = grown0, grown1, grown2
    first = 2 * view
    planes[first, 0], planes[first, 1], planes[first, 2], planes[first, 3] = near0, near1, near2, near3
    planes[first + 1, 0], planes[first + 1, 1] = begun0 | (free0 & ~near0), begun1 | (free1 & ~near1)
    planes[first + 1, 2], planes[first + 1, 3] = begun2 | (free2 & ~near2), begun3 | (free3 & ~near3)


@jit
def _grown(word: np.uint64, above: np.uint64, below: np.uint64) -> np.uint64:
    """The cells of a word, and those beside them or beside cells of the words above and below."""
    beside = (word << ONE) | (word >> ONE) | (word << ROW_BITS) | (word >> ROW_BITS)
    return word | beside | (above >> THREE_ROWS) | (below << THREE_ROWS)


@jit
def _first_row_of(rules: Blokus, word: int, bit: int, mover: int) -> int:
    """The first of the rows of the net that a cell chooses from."""
    margin = (SIDE - rules.side) >> 1
    cell = (4 * word + (bit >> 4) + margin) * SIDE + (bit & 15) + margin
    return (CELLS - 1 - cell if mover == 1 else cell) * STATES


@jit
def _state_of(planes: NDArray[np.uint64], word: int, bit: int) -> int:
    """The state of a cell: which of its rows it chooses."""
    place = np.uint64(bit)
    own = ((planes[0, word] >> place) & ONE) << np.uint64(3) | ((planes[1, word] >> place) & ONE) << np.uint64(2)
    other = ((planes[2, word] >> place) & ONE) << ONE | ((planes[3, word] >> place) & ONE)
    return np.int64(own | other)


@jit
def odds_after(
    rules: Blokus, net: Net, workspace: Workspace, positions: NDArray[np.uint64], ply: int, mover: int, move: int
) -> float:
    """As `odds` after a placement of `mover` in the position that was surveyed last."""
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    _mark(workspace, form, row, rest - row * rules.side)
    piece = rules.piece_of[form]
    own, other = pieces_left(rules, positions, ply, mover), pieces_left(rules, positions, ply, 1 - mover)
    if own == EVERY_PIECE:  # no start cell serves a second piece
        for word in range(WORDS):
            workspace.fields[1, word] = ZERO
    own &= ~(ONE << np.uint64(piece))
    _plan(workspace, 1, 0, own, False)
    _plan(workspace, 1, 1, other, is_done(rules, positions, ply, 1 - mover))
    before, after = workspace.planes[0], workspace.planes[1]
    more, less = 0, 1
    workspace.taken[0] = CELLS * STATES + piece
    for word in range(WORDS):
        changed = ZERO
        for plane in range(PLANES):
            changed |= before[plane, word] ^ after[plane, word]
        while changed:
            bit = lowest(changed)
            changed &= changed - ONE
            first = _first_row_of(rules, word, bit, mover)
            state = _state_of(before, word, bit)
            workspace.taken[less] = first + state
            less += state != 0
            state = _state_of(after, word, bit)
            workspace.chosen[more] = first + state
            more += state != 0
    exchange_rows(net.rows, workspace.chosen, more, workspace.taken, less, workspace.before, workspace.hidden)
    return judged(net, workspace, stage_of(own, other))


@jit
def _mark(workspace: Workspace, form: int, row: int, col: int) -> None:
    """Marks the cells of a placement, those it bars for its colour, and those across from it.

    What is marked beside the board does not matter: nothing there is free.
    """
    shift, above = np.uint64(col), max(row - 1, 0)
    first, place = above >> 2, ROW_BITS * np.uint64(above & 3)
    marks = workspace.marks
    for plane in range(3):
        low, high = (MASKS[form, 2 * plane] << shift) >> ONE, (MASKS[form, 2 * plane + 1] << shift) >> ONE
        if row == 0:
            low, high = (low >> ROW_BITS) | (high << THREE_ROWS), high >> ROW_BITS
        marks[plane, 0] = marks[plane, 1] = marks[plane, 2] = marks[plane, 3] = ZERO
        marks[plane, first] = low << place
        if first < 3:
            over = FOUR_ROWS - place
            marks[plane, first + 1] = (high << place) | (low >> over if place else ZERO)
            if first < 2 and place:
                marks[plane, first + 2] = high >> over
