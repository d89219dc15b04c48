"""Filler's boards, thousands a call: each is dealt, so that every one has rules of its own."""

from __future__ import annotations

import numpy as np

from games.core import Options, SettingsError
from solvers.kernels.filler import deals
from solvers.kernels.filler.boards import FillerBoards
from solvers.kernels.filler.rules import UNIT
from solvers.training.batches import BoardBatch


class FillerBatch(BoardBatch):
    """Filler on boards dealt anew for each game, as on phones unless the variant is "uniform".

    Rewards are margins as shares of the board.
    """

    def __init__(self, encoder: str, board: Options, count: int, seed: int) -> None:
        """`count` boards dealt from `seed`."""
        super().__init__(encoder, board, count, seed)
        self._uniform, self._seed = "uniform" in (board.variant or "").split("+"), seed
        self._scale = float(UNIT * np.bitwise_count(self.rules.board))
        self.rules = FillerBoards.empty(self.rules, count)
        self.ended[:] = True
        self._renew()
        self.ended[:] = False

    def _renew(self) -> None:
        """Deals the boards of finished games, from numbers that follow the seed."""
        at, rules = self.ended, self.rules.rules
        dealt = np.zeros((int(at.sum()), deals.CLASSES + self.actions), np.uint64)
        deals.deal(rules, self._uniform, dealt, self._seed)
        self._seed += 1_000_003
        classes = dealt[:, deals.CLASSES :]
        self.boards[at] = 0
        self.boards[at, : deals.CLASSES], self.rules.classes[at] = dealt[:, : deals.CLASSES], classes
        right, below = (classes & (classes >> np.uint64(step)) for step in (1, rules.cols))
        self.rules.like_right[at] = np.bitwise_or.reduce(right, axis=1) & rules.not_right
        self.rules.like_below[at] = np.bitwise_or.reduce(below, axis=1)

    def _check(self, board: Options) -> None:
        if self.board.variant:
            raise SettingsError(f"batches of Filler know its own rules, not {self.board.variant!r}")
