"""Reversi (Othello): a disc turns the rival's discs that it encloses; who has the most at the end wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from games.core import (
    Cell,
    Game,
    IllegalMoveError,
    Observation,
    Options,
    Outcome,
    PositionError,
    SettingsError,
    UnreadableError,
)
from games.in_a_row import marks_in

SIZES = range(4, 17, 2)
"""Sides of a board: even, for the four discs of the start stand in its middle."""

SIDE = 8
CORNER, GIVEN = 8.0, 3.0
"""What a corner is worth, and a disc beside an empty one costs, in moves to choose from.

Of 16 pairs, from 4 and 0 to 16 and 5, none won more than 53% of 80 games against this one, two plies deep.
"""

EMPTY, DARK, LIGHT = 0, 1, 2
LETTERS = ".xo"
COLUMNS = "abcdefghijklmnop"


@dataclass(frozen=True, slots=True)
class Reversi:
    """A Reversi position.

    dark, light: the discs of the first and of the second player, bit ``row * cols + col`` for each.
    player: the seat to move; a side without a legal move is passed over, so it has one unless the game is over.
    rows, cols: the board's size.
    """

    dark: int
    light: int
    player: int
    rows: int = SIDE
    cols: int = SIDE

    def legal_moves(self) -> Sequence[Cell]:
        """Every empty cell from which a disc turns others, row by row."""
        own, rival = self._sides()
        return _cells(_moves(own, rival, self.rows, self.cols), self.cols)

    def play(self, move: Cell) -> Reversi:
        """The position after a disc was laid on cell `move` and turned what it encloses."""
        own, rival = self._sides()
        row, col = move
        inside = row in range(self.rows) and col in range(self.cols)
        turned = _turned(own, rival, row * self.cols + col, self.rows, self.cols) if inside else 0
        if not turned:
            raise IllegalMoveError(self._why_illegal(move))
        own, rival = own | turned | 1 << row * self.cols + col, rival & ~turned
        answered = bool(_moves(rival, own, self.rows, self.cols)) or not _moves(own, rival, self.rows, self.cols)
        player = 1 - self.player if answered else self.player
        dark, light = (rival, own) if self.player else (own, rival)
        return Reversi(dark, light, player, self.rows, self.cols)

    def outcome(self) -> Outcome | None:
        """Over when neither side has a move; won by the side with more discs."""
        own, rival = self._sides()
        if _moves(own, rival, self.rows, self.cols) or _moves(rival, own, self.rows, self.cols):
            return None
        dark, light = self.dark.bit_count(), self.light.bit_count()
        winner = None if dark == light else int(light > dark)
        return Outcome((float(dark), float(light)), winner, f"{dark} discs to {light}")

    def _sides(self) -> tuple[int, int]:
        return (self.light, self.dark) if self.player else (self.dark, self.light)

    def _why_illegal(self, move: Cell) -> str:
        ended = self.outcome()
        if ended is not None:
            return f"the game is over: {ended.reason}"
        return f"a disc at {_name(move)} turns none of the rival's: choose one of {_names(self.legal_moves())}"


class ReversiGame(Game[Reversi, Cell]):
    """The rules of Reversi, as every room of Boardsight uses them."""

    name = "reversi"
    counted = ("disc", "discs")
    small = Options(rows=4)
    solver = "alphabeta"

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> Reversi:
        """Two discs of each side crosswise in the middle, the first player's on the rising diagonal; 8x8 by default."""
        if options.variant:
            raise SettingsError(f"Reversi has no variant {options.variant!r}: it is played in one way")
        rows = SIDE if options.rows is None else options.rows
        cols = rows if options.cols is None else options.cols
        if rows not in SIZES or cols not in SIZES:
            raise SettingsError(f"a board of {rows}x{cols} is no Reversi board: each side has an even 4 to 16 cells")
        corner = (rows // 2 - 1) * cols + cols // 2 - 1
        return Reversi(1 << corner + 1 | 1 << corner + cols, 1 << corner | 1 << corner + cols + 1, 0, rows, cols)

    def show(self, state: Reversi) -> Observation:
        """The grid: 0 empty, 1 a disc of the first player, 2 of the second."""
        return Observation.certain(_grid(state))

    def read(self, observation: Observation, before: Reversi | None = None, seat: int | None = None) -> Reversi:
        """The position in `observation`.

        Without `before`, `seat` is to move, or else who would be if nobody had passed; a side without a move is passed
        over.
        """
        if before is not None:
            return self.follow(observation, before)
        dark, light = _legible(observation)
        rows, cols = observation.grid.shape
        if rows not in SIZES or cols not in SIZES:
            raise UnreadableError(f"a board of {rows}x{cols} is no Reversi board: each side has an even 4 to 16 cells")
        player = (dark | light).bit_count() % 2 if seat is None else seat
        return _to_move(Reversi(dark, light, player, rows, cols))

    def usual_sizes(self) -> dict[tuple[int, int], float]:
        """8x8, and the smaller and the larger board of many apps."""
        return {(8, 8): 1.0, (6, 6): 0.5, (10, 10): 0.3}

    def estimate(self, state: Reversi) -> float:
        """How many more discs the side to move may have at the end, by corners and by moves to choose from."""
        own, rival = state._sides()
        rows, cols = state.rows, state.cols
        corners, near = _corners(own | rival, rows, cols)
        held = (own & corners).bit_count() - (rival & corners).bit_count()
        given = (own & near).bit_count() - (rival & near).bit_count()
        free = _moves(own, rival, rows, cols).bit_count() - _moves(rival, own, rows, cols).bit_count()
        return CORNER * held - GIVEN * given + float(free)

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Why no game comes to `grid`: the middle is empty, or discs lie apart from all others; one may be misread."""
        rows, cols = grid.shape
        if rows not in SIZES or cols not in SIZES:
            return f"no Reversi board has {rows}x{cols} cells"
        if (grid[rows // 2 - 1 : rows // 2 + 1, cols // 2 - 1 : cols // 2 + 1] == EMPTY).sum() > 1:
            return "discs are missing in the middle of the board"
        beside = np.zeros((rows + 2, cols + 2), dtype=bool)
        for down, right in product(range(3), repeat=2):
            beside[down : down + rows, right : right + cols] |= (grid != EMPTY) & ((down, right) != (1, 1))
        return "discs lie apart from all others" if ((grid > 0) & ~beside[1:-1, 1:-1]).sum() > 1 else ""

    def parse(self, text: str, options: Options = Options()) -> Reversi:
        """The position of rows of ``.``, ``x`` (first player) and ``o``, then who is to move; "" is the start.

        >>> GAME.format(GAME.parse(".xo./..../..../.... x"))
        '.xo./..../..../.... x'
        """
        if not text.strip():
            return self.deal(np.random.default_rng(0), options)
        board, _, side = text.strip().partition(" ")
        lines = board.split("/")
        rows, cols = len(lines), len(lines[0])
        if rows not in SIZES or cols not in SIZES or any(len(line) != cols for line in lines):
            raise PositionError("a Reversi board has rows of equal length joined by '/', an even 4 to 16 each way")
        if set(board) - set(LETTERS + "/") or side not in ("x", "o"):
            raise PositionError("a Reversi position is rows of '.', 'x' and 'o', then ' x' or ' o' for who is to move")
        bits = {letter: _bits(letter, "".join(lines)) for letter in "xo"}
        state = Reversi(bits["x"], bits["o"], "xo".index(side), rows, cols)
        if state != _to_move(state):
            raise PositionError(f"{side!r} has no move here and is passed over: write the other side")
        return state

    def format(self, state: Reversi) -> str:
        """The rows of letters, and the letter of the side to move."""
        rows = ("".join(LETTERS[kind] for kind in row) for row in _grid(state))
        return f"{'/'.join(rows)} {'xo'[state.player]}"

    def parse_move(self, text: str, state: Reversi) -> Cell:
        """The cell that ``d3`` names (column d, row 3 from the top), if a disc may be laid there."""
        word = text.strip().lower()
        row = word[1:]
        if word[:1] not in COLUMNS[: state.cols] or not word or row not in map(str, range(1, state.rows + 1)):
            raise PositionError(f"{word[:8]!r} is no cell: write its column's letter and its row's number, as in d3")
        move = Cell(int(row) - 1, COLUMNS.index(word[0]))
        if move not in state.legal_moves():
            raise IllegalMoveError(state._why_illegal(move))
        return move

    def format_move(self, move: Cell, state: Reversi) -> str:
        """The column's letter and the row's number from the top."""
        return _name(move)


def _name(move: Cell) -> str:
    return f"{COLUMNS[move.col]}{move.row + 1}" if move.col in range(len(COLUMNS)) else str(tuple(move))


def _names(moves: Sequence[Cell]) -> str:
    return " ".join(map(_name, moves))


def _bits(letter: str, cells: str) -> int:
    return sum(1 << at for at, kind in enumerate(cells) if kind == letter)


def _grid(state: Reversi) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(state.dark >> at & 1 or (state.light >> at & 1) * LIGHT for at in range(start, start + state.cols))
        for start in range(0, state.rows * state.cols, state.cols)
    )


def _cells(bits: int, cols: int) -> tuple[Cell, ...]:
    cells = []
    while bits:
        at = (bits & -bits).bit_length() - 1
        cells.append(Cell(*divmod(at, cols)))
        bits &= bits - 1
    return tuple(cells)


@cache
def _directions(rows: int, cols: int) -> tuple[tuple[int, int], ...]:
    """Of each of the four lines through a cell: the step in bits, and the cells that a step along it may reach.

    A step against the line's direction is the opposite shift, from the same cells.
    """
    every = (1 << rows * cols) - 1
    first = sum(1 << row * cols for row in range(rows))
    inner = every & ~first & ~(first << cols - 1)
    return ((1, inner), (cols, every), (cols + 1, inner), (cols - 1, inner))


@cache
def _edges(rows: int, cols: int) -> tuple[tuple[int, int], ...]:
    """Of each corner: its bit, and the bits of the three cells about it."""
    pairs = []
    for row, down in ((0, 1), (rows - 1, -1)):
        for col, right in ((0, 1), (cols - 1, -1)):
            about = ((row, col + right), (row + down, col), (row + down, col + right))
            pairs.append((1 << row * cols + col, sum(1 << r * cols + c for r, c in about)))
    return tuple(pairs)


def _corners(laid: int, rows: int, cols: int) -> tuple[int, int]:
    """All corners, and the cells about those that are empty."""
    edges = _edges(rows, cols)
    return sum(corner for corner, _ in edges), sum(about for corner, about in edges if not laid & corner)


@lru_cache(maxsize=1 << 16)
def _moves(own: int, rival: int, rows: int, cols: int) -> int:
    """The cells where a disc of `own` would turn some of `rival`."""
    empty = ~(own | rival) & (1 << rows * cols) - 1
    found = 0
    for step, mask in _directions(rows, cols):
        through = rival & mask  # a line goes on only over cells from which it does not leave the board's sides
        ahead, behind = own << step & through, own >> step & through
        while more := (ahead << step | ahead) & through ^ ahead:
            ahead |= more
        while more := (behind >> step | behind) & through ^ behind:
            behind |= more
        found |= ahead << step | behind >> step
    return found & empty


def _turned(own: int, rival: int, at: int, rows: int, cols: int) -> int:
    """The discs of `rival` that one of `own` laid at bit `at` turns; 0 where that is not allowed."""
    disc = 1 << at
    turned = 0
    if disc & (own | rival):
        return 0
    for step, mask in _directions(rows, cols):
        through = rival & mask
        line, front = 0, disc << step & through
        while front:
            line |= front
            front = front << step
            if front & own:
                turned |= line
            front &= through
        line, front = 0, disc >> step & through
        while front:
            line |= front
            front = front >> step
            if front & own:
                turned |= line
            front &= through
    return turned


def _to_move(state: Reversi) -> Reversi:
    """`state`, or where its side has no move and the other has, the same with the other to move."""
    if state.legal_moves() or state.outcome() is not None:
        return state
    return Reversi(state.dark, state.light, 1 - state.player, state.rows, state.cols)


def _legible(observation: Observation) -> tuple[int, int]:
    """The discs of both sides; raises UnreadableError for cells that show neither disc nor nothing."""
    kinds = [kind for row in marks_in(observation) for kind in row]
    dark, light = (sum(1 << at for at, kind in enumerate(kinds) if kind == side) for side in (DARK, LIGHT))
    return dark, light


GAME = ReversiGame()
