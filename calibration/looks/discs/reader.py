"""Reads a board of discs in picture after picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration
from calibration.cell_patches import CellPatches, middles
from calibration.frame import Frame, Pixel
from calibration.looks.discs.light import without_light
from calibration.place_reader import PlaceReader, led_to
from calibration.places import SAME
from games import find_game
from games.core import UNREAD, Observation

TOLD = 24
"""How far the corners of an empty place must lie from its middle, in the channel that differs most, to be relied on."""


def _open(cells: CellPatches, empty: CellPatches) -> NDArray[np.bool_]:
    """bool[rows, cols]: whether cells that look empty in their middle show the board about it, as the empty place does.

    Holes that show the page look like any page or note of its colour that lies over them.
    """
    inner, corners = middles(cells), cells[..., [0, 0, -1, -1], [0, -1, 0, -1], :]
    due = np.abs(middles(empty) - empty[[0, 0, -1, -1], [0, -1, 0, -1]]).max(axis=-1)
    if due.min() < TOLD:
        return np.ones(cells.shape[:2], dtype=bool)
    shown = np.abs(inner[..., None, :] - corners).max(axis=-1) >= due / 3
    alike = np.abs(inner - middles(empty)).max(axis=-1) < SAME
    return np.asarray(~alike | (shown.sum(axis=-1) >= len(due) - 1))


class DiscReader(PlaceReader):
    """Reads places under light and behind holes, in columns down which pieces fall."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        super().__init__(calibration, offset)
        self._fall = find_game(calibration.game).pieces_fall

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now: 0 empty, 1, 2; cells that are covered or like nothing known are UNREAD."""
        cells = self._take(frame)
        grid, confidence = self._read(cells)
        if self._fall:
            self._bear(cells, grid)
        hidden = (grid == 0) & ~_open(cells, self._known[0])
        if hidden.any():  # what is round the holes may be shaded until it looks like them
            grid[hidden & ~led_to(cells, (grid == 0) & ~hidden)] = UNREAD
        return Observation(grid, confidence)

    def _take(self, frame: Frame) -> CellPatches:
        return without_light(super()._take(frame))

    def _bear(self, cells: CellPatches, grid: NDArray[np.int8]) -> None:
        """What lies under a piece is a piece, however little of it can be seen: the one of which more zones show.

        Nothing is not what lies there: something like an empty place covers it.
        """
        hollow = np.zeros(grid.shape[1], dtype=bool)
        for row in range(1, len(grid)):
            hollow = (grid[row] == 0) & (hollow | (grid[row - 1] > 0))
            grid[row, hollow] = UNREAD
            for col in np.flatnonzero((grid[row] == UNREAD) & (grid[row - 1] > 0) & ~hollow):
                parts = self._alike(cells[row, col])[1:]
                if len(parts) == 1 or parts.min() < parts.max():
                    grid[row, col] = 1 + int(parts.argmax())

    def _learn(self, cells: CellPatches, strange: NDArray[np.bool_]) -> None:
        """Learn from strange patches that lie as pieces do."""
        if self._fall:
            below = np.vstack([strange[1:], np.ones((1, strange.shape[1]), dtype=bool)])
            strange = strange & (below | (np.roll(self._match(cells)[0], -1, axis=0) > 0))
        super()._learn(cells, strange)
