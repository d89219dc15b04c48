"""m,n,k games: two sides mark cells in turns until one has k in a row; tic-tac-toe is 3,3,3, gomoku 15,15,5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core import (
    Cell,
    Game,
    Grid,
    IllegalMoveError,
    Observation,
    Options,
    Outcome,
    PositionError,
    SettingsError,
    UnreadableError,
    choices,
    format_cell,
)
from games.in_a_row import DIRECTIONS, counts_of, exchanged, longest_row, marks_in, players_exchanged, won_cells

VARIANTS = {"tic-tac-toe": (3, 3, 3), "gomoku": (15, 15, 5)}
"""Rows, columns and the length of a winning row; a longer row wins as well."""

SIZES = range(2, 27)
LETTERS = ".xo"
SURE, LIKELY = 0.95, 0.9
"""Estimates of a game that is as good as over, and the most of any other."""

STEP = 5
"""So many lines of n marks are worth one of n + 1."""


@dataclass(frozen=True, slots=True)
class Mnk:
    """A position of an m,n,k game.

    grid: rows from the top; 0 empty, 1 a mark of the first player, 2 of the second.
    length: how many in a row win.
    player: the seat to move: 0 while both have marked equally many cells.
    winner: the seat that has a row, None while nobody has.
    """

    grid: Grid
    length: int
    player: int = 0
    winner: int | None = None

    def legal_moves(self) -> Sequence[Cell]:
        """Every empty cell, row by row."""
        if self.winner is not None:
            return ()
        return tuple(
            Cell(row, col) for row, kinds in enumerate(self.grid) for col, kind in enumerate(kinds) if not kind
        )

    def play(self, move: Cell) -> Mnk:
        """The position after cell `move` was marked."""
        row, col = move
        inside = row in range(len(self.grid)) and col in range(len(self.grid[0]))
        if self.winner is not None or not inside or self.grid[row][col]:
            raise IllegalMoveError(self._why_illegal(move))
        kinds = self.grid[row]
        marked = (*kinds[:col], self.player + 1, *kinds[col + 1 :])
        grid = (*self.grid[:row], marked, *self.grid[row + 1 :])
        won = longest_row(grid, move) >= self.length
        return Mnk(grid, self.length, 1 - self.player, self.player if won else None)

    def outcome(self) -> Outcome | None:
        """Won by the side with enough marks in a row; drawn on a full board."""
        if self.winner is not None:
            return Outcome((1.0 - self.winner, float(self.winner)), self.winner, f"{self.length} in a row")
        if all(map(all, self.grid)):
            return Outcome((0.5, 0.5), None, "the board is full")
        return None

    def _why_illegal(self, move: Cell) -> str:
        ended = self.outcome()
        if ended is not None:
            return f"the game is over: {ended.reason}"
        rows, cols = len(self.grid), len(self.grid[0])
        if move.row in range(rows) and move.col in range(cols):
            return f"{format_cell(move, rows)} is marked already: choose an empty cell"
        return f"{tuple(move)} is no cell of a board of {rows}x{cols}"


class MnkGame(Game[Mnk, Cell]):
    """The rules of m,n,k games, as every room of Boardsight uses them."""

    name = "mnk"
    hidden = True
    title = "m,n,k"
    offered = tuple(VARIANTS)
    solver = "alphabeta"

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> Mnk:
        """The empty board of the variant (tic-tac-toe by default), or of another size and length."""
        variant = options.variant or next(iter(VARIANTS))
        if variant not in VARIANTS:
            raise SettingsError(f"no m,n,k game is called {variant!r}; {choices(variant, VARIANTS)}")
        rows, cols, length = VARIANTS[variant]
        rows = rows if options.rows is None else options.rows
        cols = (cols if options.rows is None else rows) if options.cols is None else options.cols
        length = length if options.length is None else options.length
        if rows not in SIZES or cols not in SIZES:
            raise SettingsError(f"a board of {rows}x{cols} is none of an m,n,k game: each side has 2 to 26 cells")
        if length not in range(2, max(rows, cols) + 1):
            raise SettingsError(f"{length} in a row cannot win on {rows}x{cols}: choose 2 to {max(rows, cols)}")
        return Mnk(((0,) * cols,) * rows, length)

    def show(self, state: Mnk) -> Observation:
        """The grid (0 empty, 1 the first player, 2 the second), and the number ``length``."""
        return Observation.certain(state.grid, {"length": state.length})

    def read(self, observation: Observation, before: Mnk | None = None, seat: int | None = None) -> Mnk:
        """The position in `observation`, the player to move told by the numbers of marks.

        Where the second side shows one mark more it began, and the state numbers it 1.  Without `before`, 3 in a row
        win on boards of less than 5 cells each way and 5 on others, unless the number ``length`` tells.
        With `before`, a picture with the marks exchanged counts as the same picture.
        Raises UnreadableError for unread cells and for marks that no game leads to.
        """
        if before is not None:
            return self._next(observation, before)
        grid = marks_in(observation)
        few = 3 if max(len(grid), len(grid[0])) < 5 else 5
        first, second = counts_of(grid)
        if second == first + 1:
            grid, first, second = exchanged(grid), second, first
        if first - second not in (0, 1):
            raise UnreadableError(f"{first} and {second} marks: in turns, the numbers differ by one at most")
        return _judged(grid, observation.numbers.get("length", few))

    def marks(self, state: Mnk) -> dict[str, Any]:
        """``won``: the cells of the rows that won."""
        return {"won": won_cells(state.grid, state.length)}

    def numbers(self, options: Options) -> dict[str, int]:
        """``length``, where it or a variant is told."""
        length = VARIANTS[options.variant][2] if options.variant in VARIANTS else options.length
        return {} if length is None else {"length": length}

    def usual_sizes(self) -> dict[tuple[int, int], float]:
        """Tic-tac-toe's and gomoku's, the board of go on which gomoku is played too, and sizes between them."""
        return {(3, 3): 1.0, (15, 15): 1.0, (19, 19): 0.3, (13, 13): 0.3, (5, 5): 0.3, (4, 4): 0.3, (9, 9): 0.2}

    def estimate(self, state: Mnk) -> float:
        """From -1 to 1, by the lines of `length` cells in which only one side has marks, and how many it lacks in them.

        A side to move that lacks one mark has won; one that must stop two such lines of the other has lost.
        """
        marks = np.array(state.grid, dtype=np.int8).ravel()[_lines(len(state.grid), len(state.grid[0]), state.length)]
        own, rival = ((marks == side).sum(axis=1) for side in (state.player + 1, 2 - state.player))
        lacks_one = state.length - 1
        if ((own == lacks_one) & (rival == 0)).any():
            return SURE
        ends = (rival == lacks_one) & (own == 0)
        if ends.sum() > 1:
            return -SURE
        open_own, open_rival = np.bincount(own[rival == 0]), np.bincount(rival[own == 0])
        weight = float(STEP) ** np.arange(state.length + 1) / STEP**state.length
        worth = open_own @ weight[: len(open_own)] - open_rival @ weight[: len(open_rival)]
        return float(np.clip(worth, -LIKELY, LIKELY))

    def _next(self, observation: Observation, before: Mnk) -> Mnk:
        try:
            return self.follow(observation, before)
        except UnreadableError:
            kinds = observation.grid
            other = replace(observation, grid=np.where(kinds > 0, 3 - kinds, kinds).astype(np.int8))
            try:
                return self.follow(other, before)
            except UnreadableError:
                pass
            raise

    def otherwise(self, before: Mnk, observation: Observation) -> Sequence[Mnk]:
        """The same marks with the players exchanged, where no count tells whose are whose."""
        return players_exchanged(self, before)

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Why no game comes to `grid`: one side has far more marks, more than a covered or a misread cell makes."""
        first, second = int((grid == 1).sum()), int((grid == 2).sum())
        few = 2 + int((grid < 0).sum()) + (first + second) // 8
        return "" if abs(first - second) <= few else f"{first} and {second} marks: in turns, the numbers differ by one"

    def options(self, state: Mnk) -> Options:
        """The size and the length of a winning row."""
        return Options(rows=len(state.grid), cols=len(state.grid[0]), length=state.length)

    def parse(self, text: str, options: Options = Options()) -> Mnk:
        """The position of rows of ``.``, ``x`` (first player) and ``o``; "" is the empty board.

        >>> GAME.parse("x.o/.x./...").player
        1
        """
        start = self.deal(np.random.default_rng(0), options)
        lines = text.strip().split("/")
        if lines == [""]:
            return start
        if set(text.strip()) - set(LETTERS + "/"):
            raise PositionError("a position of an m,n,k game is rows of '.', 'x' and 'o' joined by '/'")
        if len(lines) not in SIZES or len(lines[0]) not in SIZES or len(set(map(len, lines))) > 1:
            raise PositionError("rows have equally many cells: 2 to 26 each way")
        grid = tuple(tuple(map(LETTERS.index, line)) for line in lines)
        try:
            return self.read(Observation.certain(grid, self.numbers(options)))
        except UnreadableError as error:
            raise PositionError(str(error)) from error

    def format(self, state: Mnk) -> str:
        """The rows of letters."""
        return "/".join("".join(LETTERS[kind] for kind in row) for row in state.grid)


@cache
def _lines(rows: int, cols: int, length: int) -> NDArray[np.intp]:
    """intp[lines, length]: the cells of each line that would win, as ``row * cols + col``."""
    lines = []
    for row in range(rows):
        for col in range(cols):
            for down, right in DIRECTIONS:
                cells = [(row + step * down, col + step * right) for step in range(length)]
                if all(0 <= r < rows and 0 <= c < cols for r, c in cells):
                    lines.append([r * cols + c for r, c in cells])
    return np.array(lines, dtype=np.intp).reshape(-1, length)


def _judged(grid: Grid, length: int) -> Mnk:
    """The position of these marks; raises UnreadableError where no game leads there.

    The last mark made one row or several long enough, and before it there was none.
    """
    player = sum(counts_of(grid)) % 2
    marked = [Cell(row, col) for row, kinds in enumerate(grid) for col, kind in enumerate(kinds) if kind]
    won = [cell for cell in marked if longest_row(grid, cell) >= length]
    if not won:
        return Mnk(grid, length, player)
    if all(grid[cell.row][cell.col] == 2 - player for cell in won):
        for cell in won:
            row = grid[cell.row]
            rest = (*grid[: cell.row], (*row[: cell.col], 0, *row[cell.col + 1 :]), *grid[cell.row + 1 :])
            if all(longest_row(rest, other) < length for other in won if other != cell):
                return Mnk(grid, length, player, 1 - player)
    raise UnreadableError(f"no game leads to these marks: more than one move has {length} in a row")


GAME = MnkGame()
