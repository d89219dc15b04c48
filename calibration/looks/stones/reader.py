"""Reads stones on a grid in picture after picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.cell_patches import CellPatches
from calibration.frame import Frame
from calibration.place_reader import PlaceReader
from calibration.places import APART, SAME
from games.core import UNREAD, Observation


class StoneReader(PlaceReader):
    """Reads a board whose stones lie anywhere, and tells where something covers it."""

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now: 0 empty, 1, 2; cells round which the board does not show are covered, and UNREAD."""
        cells = self._take(frame)
        grid, confidence = self._read(cells)
        covered = (self._nearest(cells) >= APART) & self._covered(cells)
        return Observation(np.where(covered, UNREAD, grid).astype(np.int8), confidence)

    def _covered(self, cells: CellPatches) -> NDArray[np.bool_]:
        """bool[rows, cols]: the places most of whose corners, those on the board, are of no colour that others have."""
        corners = cells[:, :, [0, 0, -1, -1], [0, -1, 0, -1]]
        inside = np.ones(corners.shape[:3], dtype=bool)
        inside[0, :, :2] = inside[-1, :, 2:] = inside[:, 0, ::2] = inside[:, -1, 1::2] = False
        usual = np.stack([patch[[0, 0, -1, -1], [0, -1, 0, -1]] for patch in self._known])
        away = np.abs(corners[:, :, None] - usual).max(axis=-1).min(axis=2) >= SAME
        return np.asarray(2 * (away & inside).sum(axis=-1) > inside.sum(axis=-1))
