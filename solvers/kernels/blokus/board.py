"""Blokus packed, for every size and variant: for each colour a word for each row of the board.

A colour's words hold in their low half the cells it may not cover, in their high half those across from its own pieces;
bit ``PAD + col`` belongs to column `col`, and PAD rows and columns round the board are covered for everybody. Then come
three words for its pieces, and after the colours the status and two hashes (see Layout).

Placements are found where they begin, at the free cells across from own pieces (corners). Beside such a cell one
of the cells above or below and one of those at its sides is beside the own piece and barred; the 127 ways to cover the
cell with a piece that keeps off these two reach over 28 other cells. The cells barred among them, in four groups, index
tables of which ways they leave, two words each: four loads and six ands find every placement at the cell. A cell that
was looked at counts as covered for those that follow, so nothing is found twice. Mirrored boards serve the other three
directions. Only where a first piece begins in the open, all 414 ways count. (The dissertation this project grew
from looks at the same 28 cells, 22 at the core, 6 at the rim, one placement after another.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.polyominoes import PIECES, shape_of
from solvers.kernels.bits import ONE, ZERO, mixed
from solvers.kernels.blokus.ways import (
    FORM_NUMBER,
    FORMS,
    corner_ways,
    fits_tables,
    members_of,
    offset_of,
    open_ways,
    own_rows,
    rows_of_cells,
    way_cells,
)
from solvers.kernels.jit import jit

UNIT = 16
"""A square of margin in this module's scores."""

PAD = 4
"""Covered rows and columns round the board: no piece reaches further from its corner cell."""

MARGIN = 2 * PAD
WINDOW = 2 * PAD + 1
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)

MEMBERS0, MEMBERS1, LEFT = range(3)
"""The words behind a colour's rows: which of the 127 ways are of pieces it still has; the pieces themselves (bits 0 to
20), the cells it covers (from AREA on), and whether its last piece was the single square (MONOMINO_LAST)."""

EVERY_PIECE = np.uint64((1 << len(PIECES)) - 1)
AREA = np.uint64(32)
MONOMINO_LAST = np.uint64(1 << 48)
AREA_BITS = np.uint64(127)
MOST_AREA = 89
"""The squares of all pieces of a colour."""

COLOUR = np.uint64(3)
"""The bits of the status that name the colour to move; from DONE on a bit for each colour that has no placement."""

DONE = 2


class Blokus(NamedTuple):
    """The rules of one board.

    side, colours: as in the game.  block: words of a colour.  status: where the status stands, the hashes follow.
    scratch: where room for two copies of a colour's rows begins.  cells: side * side, the moves of one form.
    seats: int64[colours], whose points each colour's are, -1 for a colour that counts for nobody.  bonus: its points.
    fits: uint64[2 * 896 * 2], for a table mirrored or not, an index, and a word, the ways that are not barred.
    offsets: int32[4, 127], the move of each way less the cell it begins at, for the four directions.
    open_offsets: int32[414], the same for a first piece in the open.  members: uint64[21, 2], the ways of each piece.
    own: uint64[91, 7], what each row of a colour's words takes when it lays a form: its cells and those beside them,
    and those across.  theirs: uint64[91, 5], the cells alone, for the other colours.
    piece_of, size_of, transposed: int64[91], of each form the piece, its cells, and the form seen in a mirror.
    height, width: int64[91].  starts: uint64[colours, side + 8], the start cells as a colour's rows hold them.
    symmetric: whether rows and columns may change places.
    """

    side: int
    colours: int
    block: int
    status: int
    scratch: int
    cells: int
    bonus: int
    symmetric: bool
    seats: NDArray[np.int64]
    fits: NDArray[np.uint64]
    offsets: NDArray[np.int32]
    open_offsets: NDArray[np.int32]
    members: NDArray[np.uint64]
    own: NDArray[np.uint64]
    theirs: NDArray[np.uint64]
    piece_of: NDArray[np.int64]
    size_of: NDArray[np.int64]
    transposed: NDArray[np.int64]
    starts: NDArray[np.uint64]


def rules_of(side: int, starts: list[list[tuple[int, int]]], seats: list[int], *, bonus: bool = False) -> Blokus:
    """The packed rules of a board; `starts` holds each colour's start cells, `seats` as in Blokus."""
    colours = len(starts)
    block = side + MARGIN + 3
    status = colours * block
    flipped = [sorted((col, row) for row, col in cells) for cells in starts]
    rows = np.zeros((colours, side + MARGIN), np.uint64)
    for colour, cells in enumerate(starts):
        for row, col in cells:
            rows[colour, PAD + row] |= np.uint64(1 << (PAD + col + 32))
    ways = corner_ways()
    return Blokus(
        side=side,
        colours=colours,
        block=block,
        status=status,
        scratch=status + 3,
        cells=side * side,
        bonus=int(bonus),
        symmetric=flipped == [sorted(cells) for cells in starts],
        seats=np.array(seats, np.int64),
        fits=fits_tables(ways),
        offsets=np.array([[offset_of(way, side) for way in mirrored] for mirrored in way_cells()], np.int32),
        open_offsets=np.array([offset_of(way, side) for way in open_ways()], np.int32),
        members=members_of(ways),
        own=np.array([own_rows(form) for form in FORMS], np.uint64),
        theirs=np.array([rows_of_cells(form, 5, 0) for form in FORMS], np.uint64),
        piece_of=np.array([number for number, piece in enumerate(PIECES) for _ in piece.forms], np.int64),
        size_of=np.array([len(form) for form in FORMS], np.int64),
        transposed=np.array([FORM_NUMBER[shape_of((col, row) for row, col in form)] for form in FORMS], np.int64),
        starts=rows,
    )


def pass_of(rules: Blokus) -> int:
    """The move of a colour that has no placement; every other move is less."""
    return len(FORMS) * rules.cells


def words_of(rules: Blokus) -> int:
    """How many words a position has, room for working included."""
    return rules.scratch + 2 * (rules.side + MARGIN)


@jit
def set_up(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> None:
    """Writes the start position to row `ply`."""
    inside = ((ONE << np.uint64(rules.side)) - ONE) << np.uint64(PAD)
    for colour in range(rules.colours):
        base = colour * rules.block
        for row in range(rules.side + MARGIN):
            barred = LOW
            if PAD <= row < PAD + rules.side:
                barred = LOW ^ inside
            positions[ply, base + row] = barred | rules.starts[colour, row]
        end = base + rules.side + MARGIN
        positions[ply, end + MEMBERS0] = ~ZERO
        positions[ply, end + MEMBERS1] = ~ZERO >> ONE
        positions[ply, end + LEFT] = EVERY_PIECE
    for at in range(3):
        positions[ply, rules.status + at] = ZERO


@jit
def colour_of(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> int:
    """The colour to move."""
    return np.int64(positions[ply, rules.status] & COLOUR)


@jit
def is_done(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> bool:
    """Whether `colour` was found to have no placement."""
    return (positions[ply, rules.status] >> np.uint64(DONE + colour)) & ONE != ZERO


@jit
def pass_on(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> None:
    """Notes in row `ply` that the colour to move has no placement, and gives the turn to the next."""
    colour = colour_of(rules, positions, ply)
    positions[ply, rules.status] |= ONE << np.uint64(DONE + colour)
    _next_turn(rules, positions, ply, colour)


@jit
def later(rules: Blokus, colour: int, turns: int) -> int:
    """The colour that comes so many turns after one, less than a round."""
    after = colour + turns
    return after if after < rules.colours else after - rules.colours


@jit
def _next_turn(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> None:
    positions[ply, rules.status] = (positions[ply, rules.status] & ~COLOUR) | np.uint64(later(rules, colour, 1))


@jit
def put(rules: Blokus, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    """Lays a piece in row `ply` for the colour to move, and gives the turn to the next."""
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    col = rest - row * rules.side
    colour = colour_of(rules, positions, ply)
    base = colour * rules.block
    end = base + rules.side + MARGIN
    if positions[ply, end + LEFT] & EVERY_PIECE == EVERY_PIECE:
        for at in range(PAD, PAD + rules.side):
            positions[ply, base + at] &= LOW
    shift = np.uint64(col + PAD - 1)
    for at in range(7):
        positions[ply, base + row + PAD - 1 + at] |= rules.own[form, at] << shift
    shift += ONE
    for other in range(rules.colours):
        if other != colour:
            first = other * rules.block + row + PAD
            for at in range(5):
                positions[ply, first + at] |= rules.theirs[form, at] << shift
    piece = rules.piece_of[form]
    positions[ply, end + MEMBERS0] &= ~rules.members[piece, 0]
    positions[ply, end + MEMBERS1] &= ~rules.members[piece, 1]
    left = (positions[ply, end + LEFT] & ~(ONE << np.uint64(piece)) & ~MONOMINO_LAST) + (
        np.uint64(rules.size_of[form]) << AREA
    )
    if piece == 0:
        left |= MONOMINO_LAST
    positions[ply, end + LEFT] = left
    positions[ply, rules.status + 1] ^= mixed(np.uint64(4 * move + colour + 1))
    if rules.symmetric:
        mirrored = rules.transposed[form] * rules.cells + col * rules.side + row
        positions[ply, rules.status + 2] ^= mixed(np.uint64(4 * mirrored + colour + 1))
    _next_turn(rules, positions, ply, colour)


@jit
def copy_down(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> None:
    """Copies row `ply` to the next one."""
    for at in range(rules.scratch):
        positions[ply + 1, at] = positions[ply, at]


@jit
def is_over(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> bool:
    """Whether every colour was found to have no placement."""
    return positions[ply, rules.status] >> np.uint64(DONE) == (ONE << np.uint64(rules.colours)) - ONE


@jit
def area_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> int:
    """The squares `colour` covers."""
    return np.int64((positions[ply, colour * rules.block + rules.side + MARGIN + LEFT] >> AREA) & AREA_BITS)


@jit
def points_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> int:
    """The points of `colour` as they stand: its squares, and the bonuses where they count."""
    points = area_of(rules, positions, ply, colour)
    if rules.bonus and points == MOST_AREA:
        word = positions[ply, colour * rules.block + rules.side + MARGIN + LEFT]
        points += 20 if word & MONOMINO_LAST else 15
    return points
