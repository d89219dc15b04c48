"""Many games of Blokus side by side, by the packed rules: their placements found, and laid, in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.blokus.board import Blokus, colour_of, is_done, is_over, pass_on, put
from solvers.kernels.blokus.moves import list_moves
from solvers.kernels.jit import jit


@jit
def find_all(rules: Blokus, positions: NDArray[np.uint64], moves: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
    """Lists the placements of the colour to move on each board, after passing for those that have none.

    positions: uint64[n, words].  moves: int32[n, width].  counts: int64[n] takes how many, 0 where the game is over.
    """
    for at in range(positions.shape[0]):
        counts[at] = 0
        while counts[at] == 0 and not is_over(rules, positions, at):
            if not is_done(rules, positions, at, colour_of(rules, positions, at)):
                counts[at] = list_moves(rules, positions, at, moves)
            if counts[at] == 0:
                pass_on(rules, positions, at)


@jit
def put_all(rules: Blokus, positions: NDArray[np.uint64], chosen: NDArray[np.int64]) -> None:
    """Lays a piece on each board; chosen: int64[n], -1 for none."""
    for at in range(positions.shape[0]):
        if chosen[at] >= 0:
            put(rules, positions, at, chosen[at])
