"""Connect Four: drop discs into columns until four of one player stand in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core import (
    Cell,
    Game,
    Gesture,
    Grid,
    Hover,
    IllegalMoveError,
    Observation,
    Options,
    Outcome,
    PositionError,
    Press,
    SettingsError,
    Tap,
    UnreadableError,
    Wait,
    chosen_way,
)
from games.in_a_row import counts_of, exchanged, longest_row, marks_in, players_exchanged, won_cells

COLUMNS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The letters of columns 0, 1, ... in texts."""

ROWS, COLS, LENGTH = 6, 7, 4
"""The board of the box, and how many discs in a row win."""

FOLLOWS = 0.4
"""Seconds after which a disc that follows the pointer has reached its column: page animations last 0.2 to 0.3."""

LEAD = 2
"""Discs that one player may have more than the other: one, and one may be misread or in the air."""


@dataclass(frozen=True, slots=True)
class ConnectFour:
    """A Connect Four position; two that show the same discs are equal, however they came about.

    grid: rows from the top; 0 empty, 1 a disc of the first player, 2 of the second.
    moves: one order of columns, from 0, that leads here from the empty board.
    length: how many discs in a row win.
    """

    grid: Grid
    moves: tuple[int, ...] = field(default=(), compare=False)
    length: int = LENGTH

    @property
    def player(self) -> int:
        """The seat to move: 0 while both have played equally often."""
        return len(self.moves) % 2

    def landing(self, column: int) -> Cell | None:
        """Where a disc dropped into `column` comes to rest, None where it is full."""
        for row in reversed(range(len(self.grid))):
            if self.grid[row][column] == 0:
                return Cell(row, column)
        return None

    def legal_moves(self) -> Sequence[int]:
        """Every column with room, from the left, counted from 0."""
        if _last_disc_won(self):
            return ()
        return tuple(column for column, kind in enumerate(self.grid[0]) if kind == 0)

    def play(self, move: int) -> ConnectFour:
        """The position after a disc fell into column `move`; raises IllegalMoveError."""
        if move not in self.legal_moves():
            raise IllegalMoveError(self._why_illegal(move))
        cell = self.landing(move)
        assert cell is not None
        row = list(self.grid[cell.row])
        row[move] = self.player + 1
        grid = (*self.grid[: cell.row], tuple(row), *self.grid[cell.row + 1 :])
        return ConnectFour(grid, (*self.moves, move), self.length)

    def outcome(self) -> Outcome | None:
        """Won by the player of the last disc where it stands in a row long enough; drawn on a full board."""
        if _last_disc_won(self):
            winner = 1 - self.player
            return Outcome((1.0 - winner, float(winner)), winner, f"{self.length} in a row")
        if len(self.moves) == len(self.grid) * len(self.grid[0]):
            return Outcome((0.5, 0.5), None, "the board is full")
        return None

    def _why_illegal(self, move: int) -> str:
        ended = self.outcome()
        if ended is not None:
            return f"the game is over: {ended.reason}"
        if move in range(len(self.grid[0])):
            return f"column {COLUMNS[move]} is full: choose one of {_names(self.legal_moves())}"
        return f"there is no column {move} counted from 0: choose one of 0 to {len(self.grid[0]) - 1}"


class ConnectFourGame(Game[ConnectFour, int]):
    """The rules of Connect Four, as every room of Boardsight uses them."""

    name = "connect_four"
    drawn = "discs"
    ways = ("column", "hole", "hover", "above", "key")
    pieces_fall = True
    demo_seconds = 0.0
    variants = (Options(4, 5, length=3),)
    solver = "exact"
    fallbacks = ("alphabeta:depth=12", "mcts-readable")
    remembers = True
    hidden = True

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> ConnectFour:
        """The empty board: 6 rows, 7 columns and 4 in a row unless `options` say otherwise."""
        return _empty(options)

    def show(self, state: ConnectFour) -> Observation:
        """The grid (0 empty, 1 the first player, 2 the second), and the number ``length``."""
        return Observation.certain(state.grid, {"length": state.length})

    def read(self, observation: Observation, before: ConnectFour | None = None, seat: int | None = None) -> ConnectFour:
        """The position in `observation`, the player to move told by the numbers of discs.

        Where the second colour shows one disc more it began, and the state numbers it 1.
        With `before`, only that position, or one or two moves from it, is believed; a picture with the two colours
        exchanged counts as the same picture.
        Raises UnreadableError for unread cells, discs without a disc below, and positions no game leads to.
        """
        grid = _legible(observation)
        length = before.length if before is not None else observation.numbers.get("length", LENGTH)
        if before is not None:
            return _successor(grid, before)
        first, second = counts_of(grid)
        if second == first + 1:
            grid, first, second = exchanged(grid), second, first
        if first - second not in (0, 1):
            raise UnreadableError(f"{first} and {second} discs: in turns, the numbers differ by one at most")
        return ConnectFour(grid, _order_of_play(grid, length), length)

    def otherwise(self, before: ConnectFour, observation: Observation) -> Sequence[ConnectFour]:
        """The same discs with the players exchanged, where no count tells whose are whose."""
        return players_exchanged(self, before)

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Why discs do not stack so where two players move in turn; grid: int8[rows, cols] as of an Observation."""
        hanging = int(((grid[:-1] > 0) & (grid[1:] == 0)).sum())
        ones, twos = int((grid == 1).sum()), int((grid == 2).sum())
        if hanging > 1:
            return f"{hanging} discs hang in the air"
        return f"{ones} discs lie against {twos}" if abs(ones - twos) > LEAD else ""

    def gestures(self, state: ConnectFour, move: int, how: str = "") -> Sequence[Gesture]:
        """What drops a disc, with k the column from 0.

        column: a tap on the control ``column:k``, or on any cell of it (where the disc will land first).
        hole: a tap where the disc will land.  above: a tap above the column, on the control ``above:k``.
        hover: rest over the column until the disc has followed, then tap.  key: press the column's digit.
        """
        landing = state.landing(move)
        assert landing is not None
        cells = [Cell(row, move) for row in range(len(state.grid))]
        cells.sort(key=lambda cell: cell != landing)
        tap = Tap(f"column:{move}", tuple(cells))
        ways: dict[str, Sequence[Gesture]] = {
            "column": (tap,),
            "hole": (Tap(landing),),
            "above": (Tap(f"above:{move}"),),
            "hover": (Hover(f"column:{move}"), Wait(FOLLOWS), tap),
            "key": (Press(COLUMNS[move]),),
        }
        return ways[chosen_way(self.ways, how)]

    def marks(self, state: ConnectFour) -> dict[str, Any]:
        """``won``: the cells of the rows that won."""
        return {"won": won_cells(state.grid, state.length)}

    def numbers(self, options: Options) -> dict[str, int]:
        """``length``, where it is told how many in a row win."""
        return {} if options.length is None else {"length": options.length}

    def options(self, state: ConnectFour) -> Options:
        """The size and the length of a winning row."""
        return Options(rows=len(state.grid), cols=len(state.grid[0]), length=state.length)

    def parse(self, text: str, options: Options = Options()) -> ConnectFour:
        """The position after the columns of a text, ``1`` for the leftmost, were played from the empty board.

        Raises PositionError.

        >>> GAME.parse("4453").grid[5]
        (0, 0, 2, 1, 1, 0, 0)
        """
        state = _empty(options)
        for number, letter in enumerate(text.strip()):
            try:
                state = state.play(self.parse_move(letter, state))
            except (PositionError, IllegalMoveError) as error:
                raise PositionError(f"move {number + 1} of {text.strip()!r}: {error}") from error
        return state

    def format(self, state: ConnectFour) -> str:
        """The columns played, in one order that leads to the position."""
        return "".join(COLUMNS[move] for move in state.moves)

    def parse_move(self, text: str, state: ConnectFour) -> int:
        """The column a digit names, if it has room; raises PositionError or IllegalMoveError."""
        name = text.strip()
        if len(name) != 1 or name not in COLUMNS[: len(state.grid[0])]:
            raise PositionError(f"{name!r} is no column: choose one of {_names(range(len(state.grid[0])))}")
        move = COLUMNS.index(name)
        if move not in state.legal_moves():
            raise IllegalMoveError(state._why_illegal(move))
        return move

    def format_move(self, move: int, state: ConnectFour) -> str:
        """The digit of a column, ``1`` for the leftmost."""
        return COLUMNS[move]


def _names(moves: Sequence[int]) -> str:
    return " ".join(COLUMNS[move] for move in moves)


def _empty(options: Options) -> ConnectFour:
    if options.variant:
        raise SettingsError(f"Connect Four has no variant {options.variant!r}: it is played in one way")
    rows = ROWS if options.rows is None else options.rows
    cols = COLS if options.cols is None else options.cols
    length = LENGTH if options.length is None else options.length
    if rows not in range(1, 36) or cols not in range(1, len(COLUMNS) + 1):
        raise SettingsError(f"a board of {rows}x{cols} is no Connect Four board: each side has 1 to 35 cells")
    if length not in range(2, max(rows, cols) + 1):
        raise SettingsError(f"{length} in a row cannot win on {rows}x{cols}: choose 2 to {max(rows, cols)}")
    return ConnectFour(((0,) * cols,) * rows, (), length)


def _last_disc_won(state: ConnectFour) -> bool:
    if not state.moves:
        return False
    column = state.moves[-1]
    row = next(row for row in range(len(state.grid)) if state.grid[row][column])
    return longest_row(state.grid, Cell(row, column)) >= state.length


def _legible(observation: Observation) -> Grid:
    """The observed grid; raises UnreadableError where it cannot be one of discs that fell."""
    grid = marks_in(observation)
    for row, (kinds, below) in enumerate(pairwise(grid)):
        for col, (kind, under) in enumerate(zip(kinds, below, strict=True)):
            if kind and not under:
                raise UnreadableError(f"the disc at row {row}, col {col} has no disc below it: it may still fall")
    return grid


def _successor(grid: Grid, before: ConnectFour) -> ConnectFour:
    """`before`, or the position one or two moves later, that looks like `grid`."""
    if (len(grid), len(grid[0])) != (len(before.grid), len(before.grid[0])):
        raise UnreadableError(
            f"the board has {len(grid)}x{len(grid[0])} cells, it had {len(before.grid)}x{len(before.grid[0])}"
        )
    for seen in (grid, exchanged(grid)):
        added = [
            (new, Cell(row, col))
            for row, (kinds, olds) in enumerate(zip(seen, before.grid, strict=True))
            for col, (new, old) in enumerate(zip(kinds, olds, strict=True))
            if new != old
        ]
        added.sort(key=lambda change: change[0] != before.player + 1)
        state = before
        for _, cell in added[:2]:
            if cell.col in state.legal_moves():
                state = state.play(cell.col)
        if state.grid == seen:
            return state
        if len(added) == 2 and (ended := state.outcome()) is not None:
            raise UnreadableError(f"a disc fell after the game was over: {ended.reason}")
    had, has = (" and ".join(map(str, counts_of(seen))) for seen in (before.grid, grid))
    raise UnreadableError(f"{had} discs became {has}, and no one or two moves explain that")


def _order_of_play(grid: Grid, length: int) -> tuple[int, ...]:
    """One order in which the discs can have been played; raises UnreadableError where there is none.

    Takes discs off again, the last player's first; while two rows win, only a disc common to all of them.
    """
    rows, cols = len(grid), len(grid[0])
    heights = tuple(sum(1 for row in grid if row[col]) for col in range(cols))
    last = _last_columns(grid, heights, length)
    undone: list[int] = []
    dead: set[tuple[int, ...]] = set()
    stack = [(heights, iter(last))]
    while sum(stack[-1][0]):
        now, choices = stack[-1]
        column = next(choices, None)
        if column is None:
            dead.add(now)
            stack.pop()
            if not stack:
                raise UnreadableError(
                    "no game leads to these discs: some lie too early under others, or both sides won"
                )
            undone.pop()
            continue
        below = (*now[:column], now[column] - 1, *now[column + 1 :])
        if below in dead:
            continue
        owner = 2 - sum(below) % 2
        tops = (col for col in range(cols) if below[col] and grid[rows - below[col]][col] == owner)
        undone.append(column)
        stack.append((below, iter(tuple(tops))))
    return tuple(reversed(undone))


def _last_columns(grid: Grid, heights: tuple[int, ...], length: int) -> list[int]:
    """The columns whose top disc can have been the last one played: taking it off leaves no row that wins."""
    rows = len(grid)
    owner = 2 - sum(heights) % 2
    columns = []
    for col, height in enumerate(heights):
        if not height or grid[rows - height][col] != owner:
            continue
        top = rows - height
        rest = tuple(
            tuple(0 if (row, at) == (top, col) else kind for at, kind in enumerate(kinds))
            for row, kinds in enumerate(grid)
        )
        cells = (Cell(row, at) for row in range(rows) for at in range(len(heights)) if rest[row][at])
        if all(longest_row(rest, cell) < length for cell in cells):
            columns.append(col)
    return columns


GAME = ConnectFourGame()
