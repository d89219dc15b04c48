"""Flood-It as networks see it."""

from __future__ import annotations

import numpy as np

from games.flood_it import FloodIt
from solvers.learned.encoder import ColourEncoder, NetworkGame, Planes


class FloodItPlanes(ColourEncoder):
    """A plane for each colour and the flooded region, the start corner at the top left; an action is a colour."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The colours and one plane more."""
        rows = self.board.rows or 14
        return self.actions + 1, rows, self.board.cols or rows

    def planes(self, state: FloodIt) -> Planes:
        """float32[planes, rows, cols]: the colours of all cells, the flooded region."""
        grid = np.array(state.grid)
        planes = np.zeros(self.shape, np.float32)
        planes[:-1] = grid == np.arange(self.actions)[:, None, None]
        for cell in state.flooded():
            planes[-1, cell.row, cell.col] = 1
        down, right = (-1 if state.start.row else 1), (-1 if state.start.col else 1)
        return np.ascontiguousarray(planes[:, ::down, ::right])


NETWORK_GAME = NetworkGame({"flood_it": FloodItPlanes})
