"""The 21 free polyominoes of one to five squares and their 91 oriented forms, generated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.core import Cell
from games.flood import region

LARGEST = 5
"""Squares of the largest pieces."""

Shape = tuple[tuple[int, int], ...]
"""Squares as (row, col) in reading order, the topmost in row 0 and the leftmost in column 0."""


class Piece(NamedTuple):
    """A free polyomino: its usual name, how many squares it has, and every form it can be turned and flipped to."""

    name: str
    size: int
    forms: tuple[Shape, ...]


def groups_in(grid: NDArray[np.int8]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """The connected squares of each kind but 0, row by row: their kind, and where they are."""
    kinds = tuple(map(tuple, grid.tolist()))
    seen: set[Cell] = set()
    for cell in (Cell(int(row), int(col)) for row, col in np.argwhere(grid != 0)):
        if cell not in seen:
            group = region(kinds, cell)
            seen |= group
            yield kinds[cell.row][cell.col], tuple(sorted(group))


def shape_of(cells: Iterable[tuple[int, int]]) -> Shape:
    """`cells` moved to the top left corner, in reading order.

    >>> shape_of([(4, 7), (3, 7), (4, 6)])
    ((0, 1), (1, 0), (1, 1))
    """
    listed = sorted(cells)
    top = listed[0][0]
    left = min(col for _, col in listed)
    return tuple((row - top, col - left) for row, col in listed)


def rotated(shape: Shape) -> Shape:
    """A quarter turn to the right."""
    return shape_of((col, -row) for row, col in shape)


def flipped(shape: Shape) -> Shape:
    """The mirror image, left and right exchanged."""
    return shape_of((row, -col) for row, col in shape)


def middle(shape: Shape) -> tuple[int, int]:
    """The square nearest to the shape's middle, the first of equals: where a hand holds the piece.

    >>> middle(((0, 0), (0, 1), (0, 2)))
    (0, 1)
    """
    down, right = (sum(axis) / len(shape) for axis in zip(*shape, strict=True))
    return min(shape, key=lambda cell: round((cell[0] - down) ** 2 + (cell[1] - right) ** 2, 9))


def _forms(shape: Shape) -> tuple[Shape, ...]:
    found = set()
    for _ in range(4):
        shape = rotated(shape)
        found |= {shape, flipped(shape)}
    return tuple(sorted(found))


def _grown(shapes: Iterable[Shape]) -> set[Shape]:
    """Every shape with one more square."""
    return {
        shape_of([*shape, (row + down, col + right)])
        for shape in shapes
        for row, col in shape
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
        if (row + down, col + right) not in shape
    }


NAMES = (
    *("1", "2", "I3", "V3", "I4", "L4", "T4", "O", "Z4"),
    *("I5", "L5", "Y", "P", "U", "V5", "T5", "N", "F", "W", "Z5", "X"),
)
"""The players' names of the pieces, by size and then by their first form."""


def _generate() -> tuple[Piece, ...]:
    pieces: list[tuple[Shape, ...]] = []
    level: set[Shape] = {((0, 0),)}
    for _ in range(LARGEST):
        pieces += sorted({_forms(shape) for shape in level})
        level = _grown(level)
    return tuple(Piece(name, len(forms[0]), forms) for name, forms in zip(NAMES, pieces, strict=True))


PIECES = _generate()
"""All pieces, the smallest first; a piece's number is its place here."""

PIECE_OF: dict[Shape, int] = {form: number for number, piece in enumerate(PIECES) for form in piece.forms}
"""The number of the piece that has each of the 91 forms."""

MONOMINO = 0
"""The number of the piece of one square."""
