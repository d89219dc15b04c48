"""Filler's boards, thousands a call: each is dealt, so that every one has rules of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.core import Options, SettingsError
from solvers.kernels.filler import batch as filler_batch
from solvers.kernels.filler.boards import FillerBoards
from solvers.training.batches import BoardBatch, Masks


class FillerBatch(BoardBatch):
    """Filler by `solvers.kernels.filler.batch`, on phone-style boards unless the variant is "uniform".

    Rewards are margins as shares of the board.
    """

    def __init__(self, encoder: str, board: Options, count: int, seed: int) -> None:
        """`count` boards dealt from `seed`."""
        super().__init__(encoder, board, count, seed)
        uniform = "uniform" in (board.variant or "").split("+")
        _, rows, cols = self.encoder.shape
        self._size, self._seed = filler_batch.masks_of(rows, cols, self.actions, uniform=uniform), seed
        self.boards = np.zeros((count, filler_batch.CLASSES + self.actions), np.uint64)
        filler_batch.deal(self._size, self.boards, seed)

    def _play(self, actions: NDArray[np.int64]) -> None:
        """Plays the colours; new boards are dealt from numbers that follow the seed."""
        self._seed += 1_000_003
        filler_batch.step(self._size, self.boards, actions.astype(np.int32), self.rewards, self.ended, self._seed)

    def masks(self) -> Masks:
        """bool[count, colours]: the colours that are not barred."""
        mask = np.empty((self.count, self.actions), np.bool_)
        filler_batch.legal(self._size, self.boards, mask)
        return mask

    def packed_rules(self) -> FillerBoards:
        """The colours of every board, and which neighbours are alike."""
        classes, size = np.ascontiguousarray(self.boards[:, filler_batch.CLASSES :]), self._size
        right = np.bitwise_or.reduce(classes & (classes >> np.uint64(1)), axis=1) & size.not_right
        below = np.bitwise_or.reduce(classes & (classes >> np.uint64(size.cols)), axis=1)
        return FillerBoards(self.rules, classes, right, below, np.zeros(self.count, np.uint64))

    def _check(self, board: Options) -> None:
        if self.board.variant:
            raise SettingsError(f"batches of Filler know its own rules, not {self.board.variant!r}")
