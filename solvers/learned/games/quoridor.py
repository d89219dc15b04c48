"""Quoridor as networks see it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from games.core import Cell
from games.quoridor.board import Size, Wall
from games.quoridor.rules import Quoridor, usual_walls
from solvers.learned.encoder import MirroredEncoder, NetworkGame, PackedGame, Planes, Symmetry


class QuoridorPlanes(MirroredEncoder):
    """Pawns, walls and walls left, the second player's board turned upside down.

    Six planes: the own pawn, the rival's, walls "h" and "v" at the upper left of the four cells round their middles,
    everywhere the share of the own walls left, and of the rival's.  An action is the cell stepped to, row by row, then
    the walls "h" row by row, then those "v".
    """

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
        """float32[6, rows, cols]: what the side to move sees, its goal at the top."""
        planes, own = np.zeros(self.shape, np.float32), state.player
        most = self._walls
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

    def facts(self, state: Quoridor) -> list[int]:
        """The walls each player begins with."""
        return [self._walls]

    @cached_property
    def mirror(self) -> Symmetry:
        """Left and right exchanged; a wall stands between two columns, so that there is one place less for it."""
        _, rows, cols = self.shape
        planes = self.places()[:, :, ::-1].copy()
        for plane in (2, 3):
            planes[plane] = np.roll(planes[plane], -1, axis=1)
            planes[plane, :, -1] = -1
        steps = np.arange(rows * cols).reshape(rows, cols)[:, ::-1].ravel()
        walls = np.arange(2 * (rows - 1) * (cols - 1)).reshape(2, rows - 1, cols - 1)[:, :, ::-1].ravel()
        return Symmetry(planes.ravel(), np.concatenate([steps, rows * cols + walls]))

    @property
    def _walls(self) -> int:
        """The walls each player begins with."""
        _, rows, cols = self.shape
        return usual_walls(Size(rows, cols)) if self.board.walls is None else self.board.walls

    def _turned(self, cell: Cell, state: Quoridor) -> Cell:
        _, rows, cols = self.shape
        return cell if state.player == 0 else Cell(rows - 1 - cell.row, cols - 1 - cell.col)

    def _turned_wall(self, wall: Wall, state: Quoridor) -> tuple[int, int]:
        _, rows, cols = self.shape
        return (wall.row, wall.col) if state.player == 0 else (rows - 2 - wall.row, cols - 2 - wall.col)


def _packed() -> PackedGame:
    import solvers.kernels.quoridor.encoding  # noqa: F401  (offers its hooks)
    from solvers.kernels.quoridor.boards import QuoridorBoards
    from solvers.quoridor.players import TUNED, Packing

    return PackedGame(Packing(TUNED), boards=QuoridorBoards)


NETWORK_GAME = NetworkGame(
    {"quoridor": QuoridorPlanes},
    _packed,
    methods=("alphazero", "dqn"),
    blocks=6,
    batch="solvers.training.batches:BoardBatch",
)
