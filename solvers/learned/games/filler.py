"""Filler as networks see it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.filler.rules import Filler
from games.flood import neighbours
from solvers.learned.encoder import ColourEncoder, NetworkGame, PackedGame, Planes

FAR = 12
"""Moves that no plane tells apart from more."""


class FillerPlanes(ColourEncoder):
    """A plane for each colour, the own and the rival's territory, and the share of idle moves; an action is a colour.

    The board is mirrored where needed, so that the own corner is the top left one.
    """

    @property
    def shape(self) -> tuple[int, int, int]:
        """The colours and three planes more."""
        return self.actions + 3, self.board.rows or 7, self.board.cols or 8

    def planes(self, state: Filler) -> Planes:
        """float32[planes, rows, cols]: the colours, the own territory, the rival's, idle moves in fourths."""
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

    def facts(self, state: Filler) -> list[int]:
        """The cells of both starts, and whether reach is seen, too."""
        return [*(cell.row * len(state.grid[0]) + cell.col for cell in state.starts), 0]


class FillerReach(FillerPlanes):
    """As `FillerPlanes`, and for both players what a move would capture and how many moves each cell is off."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Four planes more."""
        planes, rows, cols = super().shape
        return planes + 4, rows, cols

    def planes(self, state: Filler) -> Planes:
        """float32[planes, rows, cols]: as before, then cells one move would capture, and moves to each; all times 4."""
        distances = [_moves_to(state, seat, FAR) for seat in (state.player, 1 - state.player)]
        corner = state.starts[state.player]
        down, right = (-1 if corner.row else 1), (-1 if corner.col else 1)
        turned = np.array([*(4 * (moves == 1) for moves in distances), *distances], np.float32)
        return np.concatenate([4 * super().planes(state), turned[:, ::down, ::right]])

    def facts(self, state: Filler) -> list[int]:
        """As before; it is."""
        return [*super().facts(state)[:-1], 1]


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


def _packed() -> PackedGame:
    import solvers.kernels.filler.encoding  # noqa: F401  (offers its hooks)
    from solvers.filler.players import Mcts, Packing
    from solvers.kernels.filler.boards import FillerBoards

    return PackedGame(Packing(), Mcts.scale, FillerBoards)


NETWORK_GAME = NetworkGame(
    {"filler": FillerPlanes, "filler-reach": FillerReach},
    _packed,
    prover="exact",
    methods=("alphazero", "supervised", "dqn", "published-dqn"),
    batch="solvers.training.filler_batch:FillerBatch",
    label_sources="solvers.training.filler_labels",
    rewards=("article",),
)
