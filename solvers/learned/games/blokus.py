"""Blokus as networks see it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from games.blokus.board import BlokusBoard, board_of
from games.blokus.position import Blokus
from games.core import Cell
from games.polyominoes import PIECES, shape_of
from solvers.learned.encoder import MirroredEncoder, NetworkGame, PackedGame, Planes, Symmetry

FORMS = tuple(form for piece in PIECES for form in piece.forms)
"""The 91 forms of the pieces, by number."""

FORM_NUMBERS = {form: number for number, form in enumerate(FORMS)}
"""The number of each form."""

WIN = 8 * 16.0
"""The packed margin that counts as a whole win: eight squares."""


class BlokusPlanes(MirroredEncoder):
    """The squares of each colour from the one to move on, and a plane for each piece that each of them still has.

    On two colours' boards the second sees it upside down; where four play, each sees it turned so that its own corner
    is the top left one.  An action is a placement: its form's number times the cells, and where the upper left corner
    of its box lies.
    """

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
        """float32[planes, side, side]: squares of each colour, then pieces of each colour, the one to move first."""
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

    @cached_property
    def mirror(self) -> Symmetry:
        """Rows and columns exchanged: the own corner stays at the top left, the rival's opposite."""
        side = self.shape[1]
        forms = [FORM_NUMBERS[shape_of([Cell(col, row) for row, col in form])] for form in FORMS]
        numbers = np.arange(self.actions).reshape(len(FORMS), side, side)
        return Symmetry(self.places().transpose(0, 2, 1).ravel(), numbers[forms].transpose(0, 2, 1).ravel())

    def covered(self, actions: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32[n, side, side]: the cells that each placement covers."""
        return placement_planes(actions, self._board.side)

    def _quarters(self, state: Blokus) -> int:
        """Quarter turns to the left that bring the own corner to the top left."""
        return state.colour * 4 // self._board.colours

    def _turned(self, cell: Cell, quarters: int) -> Cell:
        last = self._board.side - 1
        for _ in range(quarters):
            cell = Cell(last - cell.col, cell.row)
        return cell


def placement_planes(actions: NDArray[np.int64], side: int) -> NDArray[np.float32]:
    """float32[n, side, side]: the cells that each placement of `BlokusPlanes` covers."""
    planes = np.zeros((len(actions), side, side), np.float32)
    for at, action in enumerate(actions.tolist()):
        form, place = divmod(action, side * side)
        row, col = divmod(place, side)
        for down, right in FORMS[form]:
            planes[at, row + down, col + right] = 1
    return planes


def _packed() -> PackedGame:
    import solvers.kernels.blokus.encoding  # noqa: F401  (offers its hooks)
    from solvers.blokus.players import SmallPacking

    return PackedGame(SmallPacking(), WIN)


NETWORK_GAME = NetworkGame({"blokus": BlokusPlanes}, _packed, methods=("alphazero", "q-learning", "state-action"))
