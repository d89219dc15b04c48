"""Rows of equal marks on a grid, by which Connect Four and m,n,k games are won."""

from __future__ import annotations

from typing import Any

import numpy as np

from games.core import Cell, Game, Grid, Observation, S, UnreadableError

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Row and column steps along which marks may stand in a row."""


def longest_row(grid: Grid, cell: Cell) -> int:
    """The longest run of one player's marks through `cell`."""
    rows, cols = len(grid), len(grid[0])
    owner = grid[cell.row][cell.col]
    longest = 0
    for down, right in DIRECTIONS:
        run = 1
        for sign in (1, -1):
            row, col = cell.row + sign * down, cell.col + sign * right
            while 0 <= row < rows and 0 <= col < cols and grid[row][col] == owner:
                run += 1
                row, col = row + sign * down, col + sign * right
        longest = max(longest, run)
    return longest


def won_cells(grid: Grid, length: int) -> list[tuple[int, int]]:
    """The cells of all rows of `length` marks of one player, in order."""
    rows, cols = len(grid), len(grid[0])
    won: set[tuple[int, int]] = set()
    for row, col in np.ndindex(rows, cols):
        for down, right in DIRECTIONS:
            run = [(row + step * down, col + step * right) for step in range(length)]
            on_board = all(r in range(rows) and c in range(cols) for r, c in run)
            if on_board and grid[row][col] and len({grid[r][c] for r, c in run}) == 1:
                won.update(run)
    return sorted(won)


def marks_in(observation: Observation) -> Grid:
    """The observed grid of empty cells and two players' marks; raises UnreadableError for cells that show neither."""
    if unread := observation.unread():
        raise UnreadableError(
            f"{len(unread)} of {observation.grid.size} cells could not be read, "
            f"the first at row {unread[0].row}, col {unread[0].col}"
        )
    for row, col in np.argwhere((observation.grid < 0) | (observation.grid > 2)):
        raise UnreadableError(
            f"row {row}, col {col} shows {observation.grid[row, col]}: 0 is empty, 1 and 2 are the players"
        )
    return tuple(tuple(row) for row in observation.grid.tolist())


def counts_of(grid: Grid) -> tuple[int, int]:
    """How many marks the first and the second player have."""
    return sum(row.count(1) for row in grid), sum(row.count(2) for row in grid)


def exchanged(grid: Grid) -> Grid:
    """The same marks with the players exchanged."""
    return tuple(tuple((0, 2, 1)[kind] for kind in row) for row in grid)


def players_exchanged(game: Game[S, Any], state: S) -> tuple[S, ...]:
    """The position with each other's marks where both players have as many, and there are any; () where none is."""
    shown = game.show(state)
    grid = exchanged(tuple(map(tuple, shown.grid.tolist())))
    first, second = counts_of(grid)
    if first != second or not first:
        return ()
    try:
        return (game.read(Observation.certain(grid, shown.numbers)),)
    except UnreadableError:
        return ()
