"""What a network sees of a position, and how its outputs name moves: one encoder a game.

Every board is seen from the side to move: its own things come first, and the board is turned so that its own corner or
row lies where the first player's does.  So one network plays both seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from games import find_game
from games.blokus.board import BlokusBoard, board_of
from games.blokus.pieces import PIECES, shape_of
from games.blokus.position import Blokus
from games.connect_four import ConnectFour
from games.core import Cell, Options, SettingsError
from games.filler import Filler
from games.flood import neighbours
from games.flood_it import FloodIt
from games.quoridor.board import Wall
from games.quoridor.rules import Quoridor, usual_walls
from solvers.core import Move

Planes = NDArray[np.float32]
"""float32[planes, rows, cols]."""


class Encoder(Protocol):
    """The eyes and the hand of a network for one game on one board."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns."""
        ...

    @property
    def actions(self) -> int:
        """How many moves a network's output tells apart, legal or not."""
        ...

    def planes(self, state: Any) -> Planes:
        """What is seen of `state` by the side to move."""
        ...

    def action(self, move: Move, state: Any) -> int:
        """The number of a move of `state`, as the side to move sees it."""
        ...

    def move(self, action: int, state: Any) -> Move:
        """The move with that number; the inverse of `action`."""
        ...


def legal_actions(encoder: Encoder, state: Any) -> NDArray[np.int64]:
    """int64[moves]: the numbers of the legal moves, in their order."""
    return np.array([encoder.action(move, state) for move in state.legal_moves()], np.int64)


def action_mask(encoder: Encoder, state: Any) -> NDArray[np.bool_]:
    """bool[actions]: which numbers stand for legal moves."""
    mask = np.zeros(encoder.actions, np.bool_)
    mask[legal_actions(encoder, state)] = True
    return mask


@dataclass(frozen=True)
class ConnectFourPlanes:
    """The discs of the side to move and those of its rival; an action is a column."""

    board: Options

    @property
    def shape(self) -> tuple[int, int, int]:
        """Two planes."""
        return 2, self.board.rows or 6, self.board.cols or 7

    @property
    def actions(self) -> int:
        """One a column."""
        return self.shape[2]

    def planes(self, state: ConnectFour) -> Planes:
        """Own discs, the rival's."""
        grid = np.array(state.grid)
        return np.stack([grid == state.player + 1, grid == 2 - state.player]).astype(np.float32)

    def action(self, move: int, state: ConnectFour) -> int:
        """The column."""
        return move

    def move(self, action: int, state: ConnectFour) -> int:
        """The column."""
        return action


@dataclass(frozen=True)
class ConnectFourThreats(ConnectFourPlanes):
    """As `ConnectFourPlanes`, and the empty cells where either wins, and the cells a disc can fall to now."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Five planes."""
        return 5, self.board.rows or 6, self.board.cols or 7

    def planes(self, state: ConnectFour) -> Planes:
        """Own discs, the rival's, where a disc would win for itself, where for the rival, where discs fall to."""
        discs = super().planes(state)
        empty = discs.sum(axis=0) == 0
        wins = [_completing(side > 0, state.length) & empty for side in discs]
        falls = empty & np.vstack([~empty[1:], np.ones((1, empty.shape[1]), np.bool_)])
        return np.concatenate([discs, np.stack([*wins, falls]).astype(np.float32)])


def _completing(discs: NDArray[np.bool_], length: int) -> NDArray[np.bool_]:
    """bool[rows, cols]: where one more disc completes a row of `length`."""
    rows, cols = discs.shape
    found, reach = np.zeros((rows, cols), np.bool_), length - 1
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        high, wide, first = rows - reach * down, cols - reach * abs(right), reach if right < 0 else 0
        steps = [
            (slice(step * down, step * down + high), slice(first + step * right, first + step * right + wide))
            for step in range(length)
        ]
        if high > 0 and wide > 0:
            lacking_one = np.sum([discs[step] for step in steps], axis=0) >= reach
            for step in steps:
                found[step] |= lacking_one
    return found


@dataclass(frozen=True)
class FillerPlanes:
    """A plane for each colour, the own and the rival's territory, and the share of idle moves; an action is a colour.

    The board is mirrored where needed, so that the own corner is the top left one.
    """

    board: Options

    @property
    def shape(self) -> tuple[int, int, int]:
        """The colours and three planes more."""
        return self.actions + 3, self.board.rows or 7, self.board.cols or 8

    @property
    def actions(self) -> int:
        """One a colour."""
        return self.board.colours or 6

    def planes(self, state: Filler) -> Planes:
        """The colours of all cells, the own territory, the rival's, idle moves in fourths."""
        grid = np.array(state.grid)
        planes = np.zeros((self.actions + 3, *grid.shape), np.float32)
        planes[: self.actions] = grid == np.arange(self.actions)[:, None, None]
        for plane, seat in enumerate((state.player, 1 - state.player), self.actions):
            for cell in state.territories[seat]:
                planes[plane, cell.row, cell.col] = 1
        planes[self.actions + 2] = state.idle / 4
        corner = state.starts[state.player]
        down, right = (-1 if corner.row else 1), (-1 if corner.col else 1)
        return np.ascontiguousarray(planes[:, ::down, ::right])

    def action(self, move: int, state: Filler) -> int:
        """The colour."""
        return move

    def move(self, action: int, state: Filler) -> int:
        """The colour."""
        return action


@dataclass(frozen=True)
class FillerReach(FillerPlanes):
    """As `FillerPlanes`, and for both players what a move would capture and how many moves each cell is off."""

    FAR: ClassVar[int] = 12
    """Moves that no plane tells apart from more."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Four planes more."""
        planes, rows, cols = super().shape
        return planes + 4, rows, cols

    def planes(self, state: Filler) -> Planes:
        """As before, then the neutral cells that one move would capture, and the moves to each cell; all in fourths."""
        distances = [_moves_to(state, seat, self.FAR) for seat in (state.player, 1 - state.player)]
        corner = state.starts[state.player]
        down, right = (-1 if corner.row else 1), (-1 if corner.col else 1)
        turned = np.array([*(4 * (moves == 1) for moves in distances), *distances], np.float32)
        return np.concatenate([4 * super().planes(state), turned[:, ::down, ::right]])


def _moves_to(state: Filler, seat: int, far: int) -> NDArray[np.int64]:
    """int64[rows, cols]: how many moves of its own a player is from taking each cell; `far` where it cannot or more."""
    rival = state.territories[1 - seat]
    distances = np.full((len(state.grid), len(state.grid[0])), far)
    frontier, moves = list(state.territories[seat]), 0
    for cell in frontier:
        distances[cell] = 0
    while frontier and moves < far - 1:
        moves += 1
        entered = [
            near
            for cell in frontier
            for near in neighbours(state.grid, cell)
            if distances[near] > moves and near not in rival
        ]
        frontier = []
        while entered:
            cell = entered.pop()
            if distances[cell] > moves:
                distances[cell] = moves
                frontier.append(cell)
                entered += [
                    near
                    for near in neighbours(state.grid, cell)
                    if state.grid[near.row][near.col] == state.grid[cell.row][cell.col] and near not in rival
                ]
    return distances


@dataclass(frozen=True)
class FloodItPlanes:
    """A plane for each colour and the flooded region, the start corner at the top left; an action is a colour."""

    board: Options

    @property
    def shape(self) -> tuple[int, int, int]:
        """The colours and one plane more."""
        rows = self.board.rows or 14
        return self.actions + 1, rows, self.board.cols or rows

    @property
    def actions(self) -> int:
        """One a colour."""
        return self.board.colours or 6

    def planes(self, state: FloodIt) -> Planes:
        """The colours of all cells, the flooded region."""
        grid = np.array(state.grid)
        planes = np.zeros(self.shape, np.float32)
        planes[:-1] = grid == np.arange(self.actions)[:, None, None]
        for cell in state.flooded():
            planes[-1, cell.row, cell.col] = 1
        down, right = (-1 if state.start.row else 1), (-1 if state.start.col else 1)
        return np.ascontiguousarray(planes[:, ::down, ::right])

    def action(self, move: int, state: FloodIt) -> int:
        """The colour."""
        return move

    def move(self, action: int, state: FloodIt) -> int:
        """The colour."""
        return action


@dataclass(frozen=True)
class QuoridorPlanes:
    """Pawns, walls and walls left, the second player's board turned upside down.

    Six planes: the own pawn, the rival's, walls "h" and "v" at the upper left of the four cells round their middles,
    everywhere the share of the own walls left, and of the rival's.  An action is the cell stepped to, row by row, then
    the walls "h" row by row, then those "v".
    """

    board: Options

    @property
    def shape(self) -> tuple[int, int, int]:
        """Six planes."""
        return 6, self.board.rows or 9, self.board.cols or 9

    @property
    def actions(self) -> int:
        """The cells, and each place for a wall twice."""
        _, rows, cols = self.shape
        return rows * cols + 2 * (rows - 1) * (cols - 1)

    def planes(self, state: Quoridor) -> Planes:
        """What the side to move sees, its goal at the top."""
        planes, own = np.zeros(self.shape, np.float32), state.player
        most = usual_walls(state.size) if self.board.walls is None else self.board.walls
        for plane, seat in enumerate((own, 1 - own)):
            planes[(plane, *self._turned(state.pawns[seat], state))] = 1
            planes[4 + plane] = state.left[seat] / max(most, 1)
        for wall in state.walls:
            planes[(2 if wall.way == "h" else 3, *self._turned_wall(wall, state))] = 1
        return planes

    def action(self, move: Cell | Wall, state: Quoridor) -> int:
        """The cell or the wall's place as the side to move sees it."""
        _, rows, cols = self.shape
        if isinstance(move, Wall):
            row, col = self._turned_wall(move, state)
            first = rows * cols + (move.way == "v") * (rows - 1) * (cols - 1)
            return first + row * (cols - 1) + col
        row, col = self._turned(move, state)
        return row * cols + col

    def move(self, action: int, state: Quoridor) -> Cell | Wall:
        """The step or the wall."""
        _, rows, cols = self.shape
        if action < rows * cols:
            return self._turned(Cell(*divmod(action, cols)), state)
        number, place = divmod(action - rows * cols, (rows - 1) * (cols - 1))
        wall = Wall("hv"[number], *divmod(place, cols - 1))
        return Wall(wall.way, *self._turned_wall(wall, state))

    def _turned(self, cell: Cell, state: Quoridor) -> Cell:
        _, rows, cols = self.shape
        return cell if state.player == 0 else Cell(rows - 1 - cell.row, cols - 1 - cell.col)

    def _turned_wall(self, wall: Wall, state: Quoridor) -> tuple[int, int]:
        _, rows, cols = self.shape
        return (wall.row, wall.col) if state.player == 0 else (rows - 2 - wall.row, cols - 2 - wall.col)


@dataclass(frozen=True)
class BlokusPlanes:
    """The squares of each colour from the one to move on, and a plane for each piece that each of them still has.

    On two colours' boards the second sees it upside down; where four play, each sees it turned so that its own corner
    is the top left one.  An action is a placement: its form's number times the cells, and where the upper left corner
    of its box lies.
    """

    board: Options

    @cached_property
    def _board(self) -> BlokusBoard:
        return board_of(self.board)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Twenty-two planes a colour: 44 for two."""
        board = self._board
        return board.colours * (1 + len(PIECES)), board.side, board.side

    @property
    def actions(self) -> int:
        """The 91 forms at every cell, those that reach beyond the edge too."""
        return len(FORMS) * self._board.side**2

    def planes(self, state: Blokus) -> Planes:
        """Squares of each colour, then pieces of each colour, the one to move first."""
        board, colours = self._board, self._board.colours
        planes = np.zeros(self.shape, np.float32)
        for seat in range(colours):
            colour = (state.colour + seat) % colours
            for cell in board.list(state.cells[colour]):
                planes[seat, cell.row, cell.col] = 1
            first = colours + seat * len(PIECES)
            planes[[first + piece for piece in state.left[colour]]] = 1
        return np.ascontiguousarray(np.rot90(planes, self._quarters(state), axes=(1, 2)))

    def action(self, move: tuple[Cell, ...], state: Blokus) -> int:
        """The number of a placement as the side to move sees it."""
        side = self._board.side
        cells = [self._turned(cell, self._quarters(state)) for cell in move]
        row, col = min(row for row, _ in cells), min(col for _, col in cells)
        return FORM_NUMBERS[shape_of(cells)] * side**2 + row * side + col

    def move(self, action: int, state: Blokus) -> tuple[Cell, ...]:
        """The cells of a placement, in reading order."""
        form, place = divmod(action, self._board.side**2)
        row, col = divmod(place, self._board.side)
        back = -self._quarters(state) % 4
        return tuple(sorted(self._turned(Cell(row + down, col + right), back) for down, right in FORMS[form]))

    def _quarters(self, state: Blokus) -> int:
        """Quarter turns to the left that bring the own corner to the top left."""
        return state.colour * 4 // self._board.colours

    def _turned(self, cell: Cell, quarters: int) -> Cell:
        last = self._board.side - 1
        for _ in range(quarters):
            cell = Cell(last - cell.col, cell.row)
        return cell


FORMS = tuple(form for piece in PIECES for form in piece.forms)
"""The 91 forms of the pieces, by number."""

FORM_NUMBERS = {form: number for number, form in enumerate(FORMS)}


def placement_planes(actions: NDArray[np.int64], side: int) -> NDArray[np.float32]:
    """float32[n, side, side]: the cells that each placement of `BlokusPlanes` covers."""
    planes = np.zeros((len(actions), side, side), np.float32)
    for at, action in enumerate(actions.tolist()):
        form, place = divmod(action, side * side)
        row, col = divmod(place, side)
        for down, right in FORMS[form]:
            planes[at, row + down, col + right] = 1
    return planes


ENCODERS: dict[str, Callable[[Options], Encoder]] = {
    "connect_four": ConnectFourPlanes,
    "connect_four-threats": ConnectFourThreats,
    "filler": FillerPlanes,
    "filler-reach": FillerReach,
    "flood_it": FloodItPlanes,
    "quoridor": QuoridorPlanes,
    "blokus": BlokusPlanes,
}
"""The encoders by the names that cards give them; each game's own has its name."""


@lru_cache(maxsize=32)
def encoder_of(name: str, board: Options) -> Encoder:
    """The encoder of that name for the boards of a variant; raises SettingsError."""
    if name not in ENCODERS:
        raise SettingsError(f"no encoder is called {name!r}: choose one of {', '.join(ENCODERS)}")
    return ENCODERS[name](board)


@lru_cache(maxsize=32)
def full_options(game: str, board: Options) -> Options:
    """`board` with everything it leaves to the game filled in, as a dealt position says it."""
    rules = find_game(game)
    return rules.options(rules.deal(np.random.default_rng(0), board))


def check_board(game: str, board: Options, state: Any) -> None:
    """Raises SettingsError where `state` is of another variant than `board`, whatever number of moves is allowed."""
    wanted, found = (
        replace(options, limit=None) for options in (full_options(game, board), find_game(game).options(state))
    )
    if wanted != found:
        raise SettingsError(f"this player learned {describe(wanted)}, not {describe(found)}: choose another model")


def describe(board: Options) -> str:
    """A variant in a few words.

    >>> describe(Options(rows=7, cols=8, colours=6))
    '7x8, 6 colours'
    """
    words = [] if board.rows is None else [f"{board.rows}x{board.cols}"]
    words += [f"{value} {name}" for name in ("colours", "walls", "players") if (value := getattr(board, name))]
    words += [f"variant {board.variant}"] if board.variant else []
    words += [f"{board.length} in a row"] if board.length else []
    words += [f"limit {board.limit}"] if board.limit else []
    return ", ".join(words) or "the usual board"
