"""The 91 forms of Blokus's pieces, the ways they cover a cell, and the tables that tell which of them fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.polyominoes import PIECES, Shape, shape_of

FORMS: tuple[Shape, ...] = tuple(form for piece in PIECES for form in piece.forms)
"""The 91 forms, by number."""

FORM_NUMBER: dict[Shape, int] = {form: number for number, form in enumerate(FORMS)}

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


def ways_of_size(squares: int) -> tuple[np.uint64, np.uint64]:
    """The ways of the pieces with so many squares, as two words."""
    bits = sum(1 << number for number, way in enumerate(corner_ways()) if len(way) == squares)
    return np.uint64(bits % (1 << 64)), np.uint64(bits >> 64)


Way = tuple[tuple[int, int], ...]
"""The cells of a placement relative to the cell where it begins."""


def open_ways() -> list[Way]:
    """Every way to cover a cell, by form."""
    return [tuple((r - row, c - col) for r, c in form) for form in FORMS for row, col in form]


def corner_ways() -> list[Way]:
    """The ways that keep off the cells above and at the left of the one covered."""
    return [way for way in open_ways() if (-1, 0) not in way and (0, -1) not in way]


def _directions(ways: list[Way]) -> list[list[Way]]:
    """The ways where above and left, above and right, below and left, below and right are barred."""
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    return [[tuple((down * r, right * c) for r, c in way) for way in ways] for down, right in signs]


def way_cells() -> list[list[Way]]:
    """The 127 ways in each of the four directions."""
    return _directions(corner_ways())


def offset_of(way: Way, side: int) -> int:
    """The move of a way less the cell it begins at, on a board of `side` cells a row."""
    form = FORM_NUMBER[shape_of(way)]
    return form * side * side + min(r for r, _ in way) * side + min(c for _, c in way)


def fits_tables(ways: list[Way]) -> NDArray[np.uint64]:
    """``Blokus.fits``: for a table mirrored or not, an index of barred cells, and a word, the ways that fit."""
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


def members_of(ways: list[Way]) -> NDArray[np.uint64]:
    """uint64[21, 2]: the ways of each piece."""
    numbers = {form: number for number, piece in enumerate(PIECES) for form in piece.forms}
    members = [[0, 0] for _ in PIECES]
    for number, way in enumerate(ways):
        members[numbers[shape_of(way)]][number // 64] |= 1 << (number % 64)
    return np.array(members, np.uint64)


def rows_of_cells(cells: Shape, count: int, shift: int) -> list[int]:
    """Bits of `cells` by row, both counted from `shift` before the first."""
    return [sum(1 << (col + shift) for row, col in cells if row + shift == at) for at in range(count)]


def own_rows(form: Shape) -> list[int]:
    """What each of 7 rows of a colour's words takes when it lays a form: see ``Blokus.own``."""
    near = {(r + down, c + right) for r, c in form for down, right in ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))}
    far = {(r + down, c + right) for r, c in form for down in (1, -1) for right in (1, -1)} - near
    barred, across = (rows_of_cells(tuple(cells), 7, 1) for cells in (near, far))
    return [low | high << 32 for low, high in zip(barred, across, strict=True)]
