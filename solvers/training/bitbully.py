"""What another program, bitbully, says of Connect Four positions (``pip install 'boardsight[book]'``)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

HIGH = 7
"""Bits of a column, as `solvers.kernels.connect_four.rules` packs positions."""


def scores_after(positions: NDArray[np.uint64]) -> NDArray[np.int16]:
    """int16[n, 7]: the score of each column of positions ``uint64[n, 2]`` by bitbully, anything where it is full.

    At once for 10 and 11 stones, whose moves lead to its book of 12. Raises ImportError where it is not installed.
    """
    solver = solver_of_12_stones()
    words = positions.tolist()
    return np.array([solver.scoreMoves(board_of(own, every)) for own, every in words], np.int16).reshape(-1, 7)


def solver_of_12_stones() -> Any:
    """Bitbully's search with its book of 12 stones; raises ImportError where it is not installed."""
    from bitbully import bitbully_core
    from bitbully_databases import BitBullyDatabases

    return bitbully_core.BitBullyCore(BitBullyDatabases.get_database_path("12-ply-dist"))


def board_of(own: int, every: int) -> Any:
    """A position as bitbully has it; raises ValueError where it refuses it."""
    from bitbully import bitbully_core

    board = bitbully_core.BoardCore()
    first = own if every.bit_count() % 2 == 0 else own ^ every
    bits = [[1 << (HIGH * col + row) for row in range(6)] for col in range(7)]
    kinds = [[0 if not every & bit else 1 if first & bit else 2 for bit in column] for column in bits]
    if not board.setBoard(kinds):
        raise ValueError(f"bitbully refuses the position {own:#x} of {every:#x}")
    return board
