"""Connect Four's solvers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from games.connect_four import ConnectFour
from games.core import SettingsError
from solvers import compiled
from solvers.kernels import connect_four as packed


class Packing:
    """Connect Four's states as two words: the stones of the side to move, and all stones."""

    unit = packed.UNIT

    def rules(self, state: ConnectFour) -> packed.ConnectFour:
        """The packed rules of the board's size; raises SettingsError where it needs more than 64 bits."""
        try:
            return packed.rules_of(len(state.grid), len(state.grid[0]), state.length)
        except ValueError as error:
            raise SettingsError(f"{error}: use the solvers 'mcts-readable' or 'alphabeta-readable'") from error

    def family(self, state: ConnectFour) -> tuple[int, int, int]:
        """The size of the board and the length of a winning row."""
        return len(state.grid), len(state.grid[0]), state.length

    def sizes(self, state: ConnectFour) -> compiled.Sizes:
        """A move for each cell at most, one for each column at a time."""
        cols = len(state.grid[0])
        return compiled.Sizes(len(state.grid) * cols, 2, cols, cols)

    def pack(self, state: ConnectFour) -> NDArray[np.uint64]:
        """The stones of the side to move, and all stones."""
        rows = len(state.grid)
        stones = [0, 0, 0]
        for row, kinds in enumerate(state.grid):
            for col, kind in enumerate(kinds):
                stones[kind] |= 1 << (col * (rows + 1) + rows - 1 - row)
        return np.array([stones[state.player + 1], stones[1] | stones[2]], np.uint64)

    def pack_move(self, move: int, state: ConnectFour) -> int:
        """The column."""
        return move

    def unpack_move(self, move: int, state: ConnectFour) -> int:
        """The column."""
        return move


class AlphaBeta(compiled.AlphaBeta):
    """Looks ahead; scores are Pons's once proven, and his with fractions for threats before."""

    packing: ClassVar[compiled.Packing] = Packing()
