"""Connect Four as networks see it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from games.connect_four import ConnectFour
from solvers.learned.encoder import MirroredEncoder, NetworkGame, PackedGame, Planes, Symmetry


class ConnectFourPlanes(MirroredEncoder):
    """The discs of the side to move and those of its rival; an action is a column."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Two planes."""
        return 2, self.board.rows or 6, self.board.cols or 7

    @property
    def actions(self) -> int:
        """One a column."""
        return self.shape[2]

    def planes(self, state: ConnectFour) -> Planes:
        """float32[2, rows, cols]: own discs, the rival's."""
        grid = np.array(state.grid)
        return np.stack([grid == state.player + 1, grid == 2 - state.player]).astype(np.float32)

    def facts(self, state: ConnectFour) -> list[int]:
        """Whether threats are seen, too."""
        return [0]

    @cached_property
    def mirror(self) -> Symmetry:
        """Left and right exchanged."""
        return Symmetry(self.places()[:, :, ::-1].ravel(), np.arange(self.actions)[::-1].copy())


class ConnectFourThreats(ConnectFourPlanes):
    """As `ConnectFourPlanes`, and the empty cells where either wins, and the cells a disc can fall to now."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Five planes."""
        return 5, self.board.rows or 6, self.board.cols or 7

    def planes(self, state: ConnectFour) -> Planes:
        """float32[5, rows, cols]: own discs, the rival's, where either would win, where discs fall to."""
        discs = super().planes(state)
        empty = discs.sum(axis=0) == 0
        wins = [_completing(side > 0, state.length) & empty for side in discs]
        falls = empty & np.vstack([~empty[1:], np.ones((1, empty.shape[1]), np.bool_)])
        return np.concatenate([discs, np.stack([*wins, falls]).astype(np.float32)])

    def facts(self, state: ConnectFour) -> list[int]:
        """They are."""
        return [1]


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


def _packed() -> PackedGame:
    import solvers.kernels.connect_four.encoding  # noqa: F401  (offers its hooks)
    from solvers.connect_four.players import Packing

    return PackedGame(Packing())


NETWORK_GAME = NetworkGame(
    {"connect_four": ConnectFourPlanes, "connect_four-threats": ConnectFourThreats},
    _packed,
    prover="exact:book={book}",
    models=("connect-four", "connect-four-mlp"),
    methods=("alphazero", "supervised", "dqn"),
    batch="solvers.training.batches:BoardBatch",
    label_sources="solvers.training.connect_four_labels",
)
