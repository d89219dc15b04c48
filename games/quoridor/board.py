"""Quoridor's board: cells, the walls between them, and the paths that are left."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from games.core import Cell, PositionError

LETTERS = "abcdefghijklmnopqrs"
"""The names of columns 0, 1, ..., as many as the largest board has."""


Place = TypeVar("Place")


class Wall(NamedTuple):
    """A wall two cells long, placed by the upper left one of the four cells round its middle.

    way "h": under cells (row, col) and (row, col + 1); "v": right of cells (row, col) and (row + 1, col).
    """

    way: str
    row: int
    col: int


class Size(NamedTuple):
    """Rows and columns of cells."""

    rows: int
    cols: int

    def holds(self, cell: Cell) -> bool:
        """Whether `cell` is on the board."""
        return 0 <= cell.row < self.rows and 0 <= cell.col < self.cols

    def has_room(self, wall: Wall) -> bool:
        """Whether all of `wall` would be on the board."""
        return wall.way in ("h", "v") and 0 <= wall.row < self.rows - 1 and 0 <= wall.col < self.cols - 1

    def walls(self) -> Iterator[Wall]:
        """Every wall there could be, row by row, "h" before "v"."""
        for row in range(self.rows - 1):
            for col in range(self.cols - 1):
                yield Wall("h", row, col)
                yield Wall("v", row, col)


def between(one: Cell, other: Cell) -> tuple[Wall, Wall]:
    """The two walls that would stand between two neighbouring cells."""
    row, col = min(one.row, other.row), min(one.col, other.col)
    if one.row == other.row:
        return Wall("v", row, col), Wall("v", row - 1, col)
    return Wall("h", row, col), Wall("h", row, col - 1)


def clashes(wall: Wall) -> tuple[Wall, Wall, Wall, Wall]:
    """The walls that leave no room for `wall`: itself, the two it would overlap, and last the one it would cross."""
    way, row, col = wall
    if way == "h":
        return wall, Wall("h", row, col - 1), Wall("h", row, col + 1), Wall("v", row, col)
    return wall, Wall("v", row - 1, col), Wall("v", row + 1, col), Wall("h", row, col)


def ways_out(size: Size, walls: Collection[Wall], cell: Cell) -> list[Cell]:
    """The neighbours of `cell` that no wall keeps it from: above, to the left, to the right, below."""
    row, col = cell
    found = []
    if row > 0 and ("h", row - 1, col) not in walls and ("h", row - 1, col - 1) not in walls:
        found.append(Cell(row - 1, col))
    if col > 0 and ("v", row, col - 1) not in walls and ("v", row - 1, col - 1) not in walls:
        found.append(Cell(row, col - 1))
    if col < size.cols - 1 and ("v", row, col) not in walls and ("v", row - 1, col) not in walls:
        found.append(Cell(row, col + 1))
    if row < size.rows - 1 and ("h", row, col) not in walls and ("h", row, col - 1) not in walls:
        found.append(Cell(row + 1, col))
    return found


def steps(size: Size, walls: Collection[Wall], here: Cell, rival: Cell) -> list[Cell]:
    """The cells a pawn can go to: a neighbour, or over the rival's pawn, or round it where the way is shut."""
    found = []
    for cell in ways_out(size, walls, here):
        if cell != rival:
            found.append(cell)
            continue
        round_it = [other for other in ways_out(size, walls, rival) if other != here]
        behind = Cell(2 * rival.row - here.row, 2 * rival.col - here.col)
        found += [behind] if behind in round_it else round_it
    return found


def shortest_path(size: Size, walls: Collection[Wall], start: Cell, goal: int) -> list[Cell]:
    """The cells of one shortest path from `start` to row `goal`, both ends included; empty where there is none.

    >>> shortest_path(Size(3, 3), {Wall("h", 1, 0)}, Cell(2, 1), 0)
    [Cell(row=2, col=1), Cell(row=2, col=2), Cell(row=1, col=2), Cell(row=0, col=2)]
    """
    came: dict[Cell, Cell] = {start: start}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell.row == goal:
            return walk(came, cell)
        for other in ways_out(size, walls, cell):
            if other not in came:
                came[other] = cell
                queue.append(other)
    return []


def reaches(size: Size, walls: Collection[Wall], start: Cell, goal: int) -> bool:
    """Whether there is a path from `start` to row `goal`: as `shortest_path`, but straight ahead first, for any one.

    >>> reaches(Size(3, 3), {Wall("h", 1, 0)}, Cell(2, 1), 0)
    True
    """
    seen, stack = {start}, [start]
    while stack:
        cell = stack.pop()
        if cell.row == goal:
            return True
        found = [other for other in ways_out(size, walls, cell) if other not in seen]
        seen.update(found)
        stack += found[::-1] if goal < cell.row else found  # the last one is looked at first
    return False


def walk(came: Mapping[Place, Place], end: Place) -> list[Place]:
    """The places from the first one, which came from itself, to `end`."""
    path = [end]
    while came[path[-1]] != path[-1]:
        path.append(came[path[-1]])
    return path[::-1]


def format_cell(cell: Cell, size: Size) -> str:
    """The name of a cell: its column's letter, its rank counted from the bottom."""
    return f"{LETTERS[cell.col]}{size.rows - cell.row}"


def format_wall(wall: Wall, size: Size) -> str:
    """The name of a wall: the lower left one of the four cells round its middle, then "h" or "v"."""
    return format_cell(Cell(wall.row + 1, wall.col), size) + wall.way


def parse_place(text: str, size: Size) -> Cell | Wall:
    """The cell or the wall a text names; raises PositionError where the board has none of that name.

    >>> parse_place("e3h", Size(9, 9))
    Wall(way='h', row=5, col=4)
    """
    way = text[-1:] if text[-1:] in ("h", "v") and len(text) > 2 else ""
    letter, rank = text[:1], text[1:].removesuffix(way)
    if letter not in LETTERS or not (rank.isascii() and rank.isdecimal() and rank[0] != "0" and len(rank) < 3):
        raise PositionError(f"{text!r} is no move: write a cell such as e2 or a wall such as e3h or d6v")
    cell = Cell(size.rows - int(rank), LETTERS.index(letter))
    if not way and size.holds(cell):
        return cell
    wall = Wall(way, cell.row - 1, cell.col)
    if way and size.has_room(wall):
        return wall
    last = format_cell(Cell(1 if way else 0, size.cols - (2 if way else 1)), size)
    kind = "wall" if way else "cell"
    raise PositionError(f"the {size.rows}x{size.cols} board has no {kind} {text}: they go from a1 to {last}")


def names(cells: Sequence[Cell], size: Size) -> str:
    """The names of cells for a person."""
    return " ".join(format_cell(cell, size) for cell in cells)
