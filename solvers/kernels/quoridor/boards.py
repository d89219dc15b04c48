"""Many games of Quoridor on the compiled tree search, each with the positions it remembers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.forest import board, drawn, remember
from solvers.kernels.quoridor import board as quoridor
from solvers.kernels.rules import offers

MOST_REMEMBERED = 128
"""Positions since the last wall that a game of Quoridor remembers."""

REPEATS = 3
"""A position that stands for this time draws a game of self-play."""


class QuoridorBoards(NamedTuple):
    """Games of Quoridor on boards of one size.

    rules: the packed rules.  histories: uint64[games, MOST_REMEMBERED], hashes of the positions since the last wall,
    the oldest first.  lengths: int64[games], how many.
    """

    rules: quoridor.Quoridor
    histories: NDArray[np.uint64]
    lengths: NDArray[np.int64]

    @classmethod
    def empty(cls, rules: quoridor.Quoridor, games: int) -> QuoridorBoards:
        """Room for so many games by these packed rules."""
        return cls(rules, np.zeros((games, MOST_REMEMBERED), np.uint64), np.zeros(games, np.int64))

    def put(self, at: int, rules: quoridor.Quoridor) -> None:
        """Has game `at` remember what `rules` do."""
        kept = rules.history[-MOST_REMEMBERED:]
        self.histories[at, : len(kept)] = kept
        self.lengths[at] = len(kept)


@offers(board, QuoridorBoards)
def _quoridor_board(boards: Any, at: int) -> Any:
    return quoridor.with_history(boards.rules, boards.histories[at, : boards.lengths[at]])


@offers(remember, QuoridorBoards)
def _remember_pawns(boards: Any, at: int, positions: Any) -> None:
    length = boards.lengths[at]
    if quoridor.quiet_of(positions[1, quoridor.STATUS]) == 0:
        boards.lengths[at] = 0
    else:
        if length == MOST_REMEMBERED:
            for place in range(1, length):
                boards.histories[at, place - 1] = boards.histories[at, place]
            length -= 1
        boards.histories[at, length] = positions[0, quoridor.KEY]
        boards.lengths[at] = length + 1


@offers(drawn, QuoridorBoards)
def _stood_thrice(boards: Any, at: int, positions: Any) -> bool:
    stood = np.int64(1)
    for place in range(boards.lengths[at]):
        stood += boards.histories[at, place] == positions[0, quoridor.KEY]
    return stood >= REPEATS
