"""What the page draws of a position beside its grid: territories, winning lines, corners, steps and paths.

One function for each game that has such marks; a game without one is drawn by its grid alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Marks = dict[str, Any]
Cells = list[tuple[int, int]]


def marks_of(game: str, state: Any) -> Marks:
    """The marks of `state`, a position of `game`: JSON values, cells as [row, col]."""
    find = MARKS.get(game)
    return find(state) if find else {}


def flood_it_marks(state: Any) -> Marks:
    """``owner``: 1 for the flooded cells.  ``current``: the colours that cannot be chosen."""
    return {"owner": _owners(state.grid, [state.flooded()]), "current": [state.colour], "starts": [list(state.start)]}


def filler_marks(state: Any) -> Marks:
    """``owner``: 1 or 2 for the players' cells, 0 for nobody's.  ``cells``: how many each has."""
    return {
        "owner": _owners(state.grid, state.territories),
        "current": list(state.current),
        "cells": list(state.cells),
        "starts": [list(start) for start in state.starts],
    }


def connect_four_marks(state: Any) -> Marks:
    """``won``: the cells of the rows that won."""
    from games.connect_four import DIRECTIONS

    rows, cols = len(state.grid), len(state.grid[0])
    won: set[tuple[int, int]] = set()
    for row in range(rows):
        for col in range(cols):
            for down, right in DIRECTIONS:
                run = [(row + step * down, col + step * right) for step in range(state.length)]
                on_board = all(0 <= r < rows and 0 <= c < cols for r, c in run)
                if on_board and state.grid[row][col] and len({state.grid[r][c] for r, c in run}) == 1:
                    won.update(run)
    return {"won": sorted(won)}


def blokus_marks(state: Any) -> Marks:
    """``corners``: cells of which the next piece covers one.  ``left``: the names of each colour's pieces.

    ``forms``: each piece's first form.  ``colour``: to move.  ``starts``: the start cells of each colour.
    """
    from games.polyominoes import PIECES

    board = state.board
    return {
        "corners": list(board.list(state.corners(state.colour))),
        "left": [[PIECES[number].name for number in left] for left in state.left],
        "forms": {piece.name: piece.forms[0] for piece in PIECES},
        "colour": state.colour,
        "starts": [list(board.list(start)) for start in board.starts],
        "covered": [cells.bit_count() for cells in state.cells],
    }


def quoridor_marks(state: Any) -> Marks:
    """``steps``: where the pawn can go.  ``paths``: a shortest path of each player.  ``left``: walls."""
    over = state.outcome() is not None
    return {"steps": [] if over else state.steps(), "paths": list(state.paths()), "left": list(state.left)}


MARKS: dict[str, Callable[[Any], Marks]] = {
    "flood_it": flood_it_marks,
    "filler": filler_marks,
    "connect_four": connect_four_marks,
    "blokus": blokus_marks,
    "quoridor": quoridor_marks,
}
"""Name of a game -> what finds its marks."""


def _owners(grid: Any, territories: Iterable[Iterable[tuple[int, int]]]) -> list[list[int]]:
    owner = [[0] * len(row) for row in grid]
    for number, cells in enumerate(territories, 1):
        for row, col in cells:
            owner[row][col] = number
    return owner


def changed(before: list[list[int]], after: list[list[int]]) -> Cells:
    """The cells that show something else than they did, and not nothing: where a move is to be seen."""
    return [
        (row, col)
        for row, (olds, news) in enumerate(zip(before, after, strict=True))
        for col, (old, new) in enumerate(zip(olds, news, strict=True))
        if old != new and new
    ]
