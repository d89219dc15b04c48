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

from games.blokus.pieces import PIECES, Shape, shape_of
from solvers.kernels.bits import ONE, ZERO, below, bit_number, lowest, mixed, popcount, rolled
from solvers.kernels.jit import jit
from solvers.kernels.rules import bounds, evaluate, generate, identify, offers, play, turn

COMPILE_SECONDS = 25

UNIT = 16
"""A square of margin in this module's scores."""

PAD = 4
"""Covered rows and columns round the board: no piece reaches further from its corner cell."""

MARGIN = 2 * PAD
WINDOW = 2 * PAD + 1
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)

FORMS: tuple[Shape, ...] = tuple(form for piece in PIECES for form in piece.forms)
"""The 91 forms, by number."""

FORM_NUMBER: dict[Shape, int] = {form: number for number, form in enumerate(FORMS)}

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

WAYS = 127
OPEN_WAYS = 414
ROWS_AT = ((-3, 1, 1), (-2, 0, 3), (-1, 1, 3), (0, -2, 7), (1, -3, 7), (2, -2, 5), (3, -1, 3), (4, 0, 1))
"""The cells the ways reach over where the cells above and at the left are barred: row, first column, number of columns;
of row 0, three are not reached or known."""

MIRRORED_AT = ((-3, -1, 1), (-2, -2, 3), (-1, -3, 3), (0, -4, 7), (1, -3, 7), (2, -2, 5), (3, -1, 3), (4, 0, 1))
"""The same where the cell at the right is barred instead of that at the left."""

GROUPS = ((0, 3), (3, 4), (4, 5), (5, 8))
"""Which of those rows form each group; a group's cells are an index of 7, 7, 7 and 9 bits."""

STARTS_OF_GROUPS = (0, 128, 256, 384)
GROUP_ENTRIES = 896


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
    ways = _ways()
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
        fits=_fits_tables(ways),
        offsets=np.array([[_offset(way, side) for way in mirrored] for mirrored in way_cells()], np.int32),
        open_offsets=np.array([_offset(way, side) for way in _open_ways()], np.int32),
        members=_members(ways),
        own=np.array([_own_rows(form) for form in FORMS], np.uint64),
        theirs=np.array([_rows(form, 5, 0) for form in FORMS], np.uint64),
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


def ways_of_size(squares: int) -> tuple[np.uint64, np.uint64]:
    """The ways of the pieces with so many squares, as two words."""
    bits = sum(1 << number for number, way in enumerate(_ways()) if len(way) == squares)
    return np.uint64(bits % (1 << 64)), np.uint64(bits >> 64)


Way = tuple[tuple[int, int], ...]
"""The cells of a placement relative to the cell where it begins."""


def _open_ways() -> list[Way]:
    """Every way to cover a cell, by form."""
    return [tuple((r - row, c - col) for r, c in form) for form in FORMS for row, col in form]


def _ways() -> list[Way]:
    """The ways that keep off the cells above and at the left of the one covered."""
    return [way for way in _open_ways() if (-1, 0) not in way and (0, -1) not in way]


def _directions(ways: list[Way]) -> list[list[Way]]:
    """The ways where above and left, above and right, below and left, below and right are barred."""
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    return [[tuple((down * r, right * c) for r, c in way) for way in ways] for down, right in signs]


def way_cells() -> list[list[Way]]:
    """The 127 ways in each of the four directions."""
    return _directions(_ways())


def _offset(way: Way, side: int) -> int:
    form = FORM_NUMBER[shape_of(way)]
    return form * side * side + min(r for r, _ in way) * side + min(c for _, c in way)


def _fits_tables(ways: list[Way]) -> NDArray[np.uint64]:
    tables = np.zeros((2, GROUP_ENTRIES, 2), np.uint64)
    for table, windows, sign in ((tables[0], ROWS_AT, 1), (tables[1], MIRRORED_AT, -1)):
        for group, (first, last) in enumerate(GROUPS):
            places: dict[tuple[int, int], int] = {}
            for row, start, count in windows[first:last]:
                places |= {(row, start + at): len(places) + at for at in range(count)}
            index = np.arange(1 << len(places))
            for number, way in enumerate(ways):
                needed = sum(1 << places[r, sign * c] for r, c in way if (r, sign * c) in places and (r, c) != (0, 0))
                free = (index & needed) == 0
                bit = np.uint64(1 << (number % 64))
                table[STARTS_OF_GROUPS[group] : STARTS_OF_GROUPS[group] + len(index), number // 64] |= free * bit
    return tables.reshape(-1)


def _members(ways: list[Way]) -> NDArray[np.uint64]:
    numbers = {form: number for number, piece in enumerate(PIECES) for form in piece.forms}
    members = [[0, 0] for _ in PIECES]
    for number, way in enumerate(ways):
        members[numbers[shape_of(way)]][number // 64] |= 1 << (number % 64)
    return np.array(members, np.uint64)


def _rows(cells: Shape, count: int, shift: int) -> list[int]:
    """Bits of `cells` by row, both counted from `shift` before the first."""
    return [sum(1 << (col + shift) for row, col in cells if row + shift == at) for at in range(count)]


def _own_rows(form: Shape) -> list[int]:
    near = {(r + down, c + right) for r, c in form for down, right in ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))}
    far = {(r + down, c + right) for r, c in form for down in (1, -1) for right in (1, -1)} - near
    barred, across = (_rows(tuple(cells), 7, 1) for cells in (near, far))
    return [low | high << 32 for low, high in zip(barred, across, strict=True)]


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
def _next_turn(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> None:
    after = colour + 1 if colour + 1 < rules.colours else 0
    positions[ply, rules.status] = (positions[ply, rules.status] & ~COLOUR) | np.uint64(after)


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


@jit
def is_over(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> bool:
    """Whether every colour was found to have no placement."""
    return positions[ply, rules.status] >> np.uint64(DONE) == (ONE << np.uint64(rules.colours)) - ONE


# What the shared searches ask for, where two seats play; a forced pass keeps the seats taking turns.


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


@jit
def hope_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> int:
    """More points than this `colour` cannot win any more."""
    if is_done(rules, positions, ply, colour):
        return 0
    free = np.int64(0)
    for at in range(PAD, PAD + rules.side):
        free += popcount(~positions[ply, colour * rules.block + at] & LOW)
    left = MOST_AREA - area_of(rules, positions, ply, colour)
    return left + 20 * rules.bonus if free >= left else free


@offers(generate, Blokus)
def _generate(
    rules: Blokus, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> int:
    count = 0
    if not is_done(rules, positions, ply, colour_of(rules, positions, ply)):
        count = list_moves(rules, positions, ply, moves)
    if count == 0:
        moves[ply, 0] = 91 * rules.cells
        weights[ply, 0] = 0
        return 1
    for at in range(count):
        weights[ply, at] = promise_of(rules, positions, ply, moves[ply, at]) << 14
    return count


@jit
def promise_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, move: int) -> int:
    """How good a placement looks: its squares, corners it opens for itself, corners of others it covers."""
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    col = rest - row * rules.side
    colour = colour_of(rules, positions, ply)
    gain = 4 * np.int64(rules.size_of[form])
    shift = np.uint64(col + PAD - 1)
    base = colour * rules.block + row + PAD - 1
    for at in range(7):
        mine = positions[ply, base + at]
        gain += popcount(((rules.own[form, at] << shift) >> HALF) & ~(mine | (mine >> HALF)) & LOW)
    shift += ONE
    for other in range(rules.colours):
        if (other - colour) % 2 != 0:
            first = other * rules.block + row + PAD
            for at in range(5):
                theirs = positions[ply, first + at]
                gain += 3 * popcount((theirs >> HALF) & ~theirs & (rules.theirs[form, at] << shift))
    return gain


@offers(play, Blokus)
def _play(rules: Blokus, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    copy_down(rules, positions, ply)
    if move == 91 * rules.cells:
        pass_on(rules, positions, ply + 1)
    else:
        put(rules, positions, ply + 1, move)


@offers(bounds, Blokus)
def _bounds(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> tuple[int, int]:
    mover = colour_of(rules, positions, ply)
    margin, gain, loss = np.int64(0), np.int64(0), np.int64(0)
    for colour in range(rules.colours):
        hope = hope_of(rules, positions, ply, colour)
        points = points_of(rules, positions, ply, colour)
        if (colour - mover) % 2 == 0:
            margin += points
            gain += hope
        else:
            margin -= points
            loss += hope
    return (margin - loss) * UNIT, (margin + gain) * UNIT


@offers(evaluate, Blokus)
def _evaluate(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> int:
    mover = colour_of(rules, positions, ply)
    score = np.int64(0)
    for colour in range(rules.colours):
        worth = UNIT * points_of(rules, positions, ply, colour)
        if not is_done(rules, positions, ply, colour):
            worth += room_of(rules, positions, ply, colour)
        score += worth if (colour - mover) % 2 == 0 else -worth
    return score


REACH = 4
"""Steps from a corner to the last square of the largest piece."""


@jit
def room_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> int:
    """Twice the free cells a next piece of `colour` can reach, and five times the corners where it can begin."""
    base = colour * rules.block + PAD
    corners = np.int64(0)
    for row in range(rules.side):
        begun = corners_in(rules, positions, ply, colour, row)
        corners += popcount(begun)
        positions[ply, rules.scratch + PAD + row] = begun
    positions[ply, rules.scratch + PAD - 1] = ZERO
    positions[ply, rules.scratch + PAD + rules.side] = ZERO
    cells = np.int64(0)
    for _ in range(REACH):
        above = ZERO
        cells = 0
        for row in range(rules.side):
            at = rules.scratch + PAD + row
            word = positions[ply, at]
            grown = word | (word << ONE) | (word >> ONE) | above | positions[ply, at + 1]
            above = word
            positions[ply, at] = grown & ~positions[ply, base + row] & LOW
            cells += popcount(positions[ply, at])
    return 2 * cells + 5 * corners


@offers(identify, Blokus)
def _identify(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, int]:
    status = mixed(positions[ply, rules.status] + ONE)
    key = positions[ply, rules.status + 1]
    if rules.symmetric and positions[ply, rules.status + 2] < key:
        return mixed(positions[ply, rules.status + 2] ^ status), 1
    return mixed(key ^ status), 0


@offers(turn, Blokus)
def _turn(rules: Blokus, move: int, symmetry: int) -> int:
    form = move // rules.cells
    if symmetry == 0 or form == 91:
        return move
    rest = move - form * rules.cells
    row = rest // rules.side
    return rules.transposed[form] * rules.cells + (rest - row * rules.side) * rules.side + row


@jit
def random_paths(
    rules: Blokus, positions: NDArray[np.uint64], found: NDArray[np.uint64], samples: NDArray[np.float64], seed: int
) -> None:
    """Fills `samples` with estimates of the size of the game tree below row 0 (Knuth 1975); row 1 is room.

    Each is the number of nodes a tree would have whose nodes branched everywhere as along one random path; the mean of
    such numbers is the size of the tree. Turns that are skipped are no nodes.
    """
    dice = mixed(np.uint64(seed) + ONE)
    for at in range(samples.size):
        copy_down(rules, positions, 0)
        nodes, width = 1.0, 1.0
        while not is_over(rules, positions, 1):
            count = np.int64(0)
            if not is_done(rules, positions, 1, colour_of(rules, positions, 1)):
                count, _ = count_moves(rules, positions, 1, found)
            if count == 0:
                pass_on(rules, positions, 1)
                continue
            width *= count
            nodes += width
            dice = rolled(dice)
            put(rules, positions, 1, pick_move(rules, positions, 1, found, below(dice, count)))
        samples[at] = nodes
