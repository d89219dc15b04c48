"""Connected regions of one colour: what flooding takes, and what else hangs together on a grid."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.core import BLOCKED, Cell, Grid, PositionError

DIGITS = "0123456789abcdef"
"""The letters of colours 0 to 15 in texts."""

WALL = "."
"""The letter of a cell that is not playable."""


def as_grid(cells: NDArray[np.int8]) -> Grid:
    """The grid of int8[rows, cols] colours."""
    return tuple(tuple(row) for row in cells.tolist())


SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))

JOINED = ("wraps", "corners")
"""What pages join besides cells that share an edge: those at opposite edges of the board, those that share a corner."""


def neighbours(grid: Grid, cell: Cell, joined: str = "") -> list[Cell]:
    """The playable cells that share an edge with `cell`, or what the words of JOINED in `joined` say."""
    rows, cols = len(grid), len(grid[0])
    steps = SIDES if not joined or "corners" not in joined else SIDES + CORNERS
    cells = [(cell.row + down, cell.col + across) for down, across in steps]
    if joined and "wraps" in joined:
        cells = [(row % rows, col % cols) for row, col in cells]
    return [Cell(row, col) for row, col in cells if 0 <= row < rows and 0 <= col < cols and grid[row][col] != BLOCKED]


@lru_cache(maxsize=256)
def region(grid: Grid, start: Cell, joined: str = "") -> frozenset[Cell]:
    """The cells connected to `start` through cells of its colour, each a neighbour of the next.

    >>> sorted(region(((0, 0, 1), (2, 0, 1)), Cell(0, 0)))
    [Cell(row=0, col=0), Cell(row=0, col=1), Cell(row=1, col=1)]
    """
    colour = grid[start.row][start.col]
    found = {start}
    frontier = [start]
    while frontier:
        for cell in neighbours(grid, frontier.pop(), joined):
            if cell not in found and grid[cell.row][cell.col] == colour:
                found.add(cell)
                frontier.append(cell)
    return frozenset(found)


def recoloured(before: Grid, after: Grid, joined: str = "") -> list[frozenset[Cell]]:
    """The cells that look otherwise in `after`, by the connected regions of `before` that they lie in."""
    cells = [
        Cell(row, col) for row, kinds in enumerate(before) for col, kind in enumerate(kinds) if kind != after[row][col]
    ]
    regions = dict.fromkeys(region(before, cell, joined) for cell in cells)
    return [each.intersection(cells) for each in regions]


def corners_of(grid: Grid) -> list[Cell]:
    """The cells at the corners of a board, from the top left one."""
    return [Cell(row, col) for row in (0, len(grid) - 1) for col in (0, len(grid[0]) - 1)]


def cells_of(grid: Grid, colour: int) -> list[Cell]:
    """The cells of a colour, row by row."""
    return [Cell(row, col) for row, kinds in enumerate(grid) for col, kind in enumerate(kinds) if kind == colour]


def start_in(grid: Grid, cells: frozenset[Cell]) -> Cell:
    """Where a player who owns `cells` is likely to have begun: at a corner of the board, if one is among them."""
    edges = (0, len(grid) - 1), (0, len(grid[0]) - 1)
    return min(cells, key=lambda cell: (cell.row not in edges[0] or cell.col not in edges[1], cell))


def like_pairs(grid: Grid, skipped: frozenset[Cell]) -> tuple[int, int]:
    """How many pairs of neighbours there are among the cells but those `skipped`, and how many are of one colour."""
    cells = [Cell(row, col) for row in range(len(grid)) for col in range(len(grid[0]))]
    free = [cell for cell in cells if grid[cell.row][cell.col] != BLOCKED and cell not in skipped]
    pairs = [(cell, near) for cell in free for near in neighbours(grid, cell) if near > cell and near not in skipped]
    return len(pairs), sum(grid[one.row][one.col] == grid[other.row][other.col] for one, other in pairs)


def reachable(grid: Grid, start: Cell, joined: str = "") -> frozenset[Cell]:
    """The playable cells that some sequence of colours could flood from `start`."""
    flat = tuple(tuple(BLOCKED if kind == BLOCKED else 0 for kind in row) for row in grid)
    return region(flat, start, joined)


def enclosed(grid: Grid, cells: frozenset[Cell], joined: str = "") -> bool:
    """Whether nothing but walls and the board's edge borders on `cells`."""
    return all(neighbour in cells for cell in cells for neighbour in neighbours(grid, cell, joined))


def paint(grid: Grid, cells: frozenset[Cell], colour: int) -> Grid:
    """The grid with `cells` recoloured."""
    rows = [list(row) for row in grid]
    for row, col in cells:
        rows[row][col] = colour
    return tuple(map(tuple, rows))


def owners(grid: Grid, *territories: frozenset[Cell]) -> list[list[int]]:
    """Whose each cell of the grid is: the number of its territory from 1, or 0."""
    numbers = {cell: number for number, cells in enumerate(territories, 1) for cell in cells}
    return [[numbers.get(Cell(row, col), 0) for col in range(len(kinds))] for row, kinds in enumerate(grid)]


def format_grid(grid: Grid) -> str:
    """Rows of colour digits from the top, joined by ``/``.

    >>> format_grid(((0, 11), (BLOCKED, 2)))
    '0b/.2'
    """
    return "/".join("".join(WALL if kind == BLOCKED else DIGITS[kind] for kind in row) for row in grid)


def parse_grid(text: str) -> Grid:
    """The grid of `format_grid`'s text; raises PositionError with the place of the fault."""
    rows = text.split("/")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]) or not row:
            raise PositionError(
                f"row {number} of the board has {len(row)} cells where row 0 has {len(rows[0])}: "
                "write every row of colour digits with the same length, joined by '/'"
            )
        for col, letter in enumerate(row):
            if letter not in DIGITS and letter != WALL:
                raise PositionError(
                    f"row {number}, column {col} of the board is {letter!r}: colours are 0-9 and a-f, '.' is a wall"
                )
    return tuple(tuple(BLOCKED if letter == WALL else DIGITS.index(letter) for letter in row) for row in rows)


def parse_colour(text: str, colours: int) -> int:
    """The colour a digit names; raises PositionError where it is none of the first `colours`."""
    if len(text) != 1 or text not in DIGITS[:colours]:
        raise PositionError(f"{text!r} is no colour here: choose one of {' '.join(DIGITS[:colours])}")
    return DIGITS.index(text)
