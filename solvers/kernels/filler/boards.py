"""Many games of Filler on the compiled tree search, each with colours of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.filler import rules as filler
from solvers.kernels.forest import board
from solvers.kernels.rules import offers


class FillerBoards(NamedTuple):
    """Games of Filler on boards of one size, each with colours of its own; see `solvers.kernels.filler.rules.Filler`.

    rules: what all boards share.  classes: uint64[games, colours].  like_right, like_below, salts: uint64[games].
    """

    rules: filler.Filler
    classes: NDArray[np.uint64]
    like_right: NDArray[np.uint64]
    like_below: NDArray[np.uint64]
    salts: NDArray[np.uint64]

    @classmethod
    def empty(cls, rules: filler.Filler, games: int) -> FillerBoards:
        """Room for so many games by these packed rules."""
        words = np.zeros((3, games), np.uint64)
        return cls(rules, np.zeros((games, len(rules.classes)), np.uint64), *words)

    def put(self, at: int, rules: filler.Filler) -> None:
        """Gives game `at` the board of `rules`."""
        self.classes[at], self.salts[at] = rules.classes, rules.salt
        self.like_right[at], self.like_below[at] = rules.like_right, rules.like_below


@offers(board, FillerBoards)
def _filler_board(boards: Any, at: int) -> Any:
    rules = boards.rules
    return filler.Filler(
        boards.classes[at],
        rules.board,
        rules.not_left,
        rules.not_right,
        boards.like_right[at],
        boards.like_below[at],
        rules.cols,
        rules.colours,
        rules.plain,
        rules.majority,
        rules.ring,
        rules.gain,
        rules.kept,
        rules.shared,
        rules.idle_limit,
        boards.salts[at],
    )
