"""Read a calibrated board from a picture: the kind of each cell, and how clearly it was told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.mesh import FLAT, INTERIOR, PROBES
from games.core import BLOCKED, UNREAD, Observation

AMBIGUOUS = 0.2
"""A cell whose two nearest colours are this close in proportion, (second - first) / (second + first), is unread."""

PLAIN = 0.5
"""The share of a cell's samples that must look like its median; below it something lies over the cell."""


class Reader:
    """Reads one board again and again; made once for a calibration and the place its pictures are cut from."""

    def __init__(self, calibration: Calibration, offset: Pixel = Pixel(0, 0)) -> None:
        """Prepare to read pictures whose top left pixel is `offset` in the picture of the calibration."""
        self._calibration = calibration
        lattice = calibration.lattice
        steps = np.linspace(-INTERIOR, INTERIOR, PROBES)
        self._columns = _places(lattice.origin.x - offset.x, lattice.pitch[0], lattice.cols, steps)
        self._rows = _places(lattice.origin.y - offset.y, lattice.pitch[1], lattice.rows, steps)
        self._palette = np.asarray(calibration.palette, dtype=np.float32)
        self._blocked = np.zeros((lattice.rows, lattice.cols), dtype=bool)
        for cell in calibration.blocked:
            self._blocked[cell] = True
        self._numbers = {"colours": len(calibration.palette)}
        if calibration.start is not None:
            self._numbers |= {"start_row": calibration.start.row, "start_col": calibration.start.col}

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now; cells that are covered, off the picture or of no known colour are UNREAD."""
        colours, plain = self._cells(frame)
        distance = np.sqrt(((colours[:, None, :] - self._palette[None, :, :]) ** 2).sum(axis=2))
        nearest = distance.argmin(axis=1)
        first, second = _two_nearest(distance)
        margin = (second - first) / (second + first + 1e-6)
        seen = (first <= self._calibration.tolerance) & (margin >= AMBIGUOUS) & (plain >= PLAIN)
        shape = self._blocked.shape
        grid = np.where(seen, nearest, UNREAD).reshape(shape)
        confidence = np.where(seen, margin * plain, 0.0).reshape(shape)
        grid[self._blocked] = BLOCKED
        confidence[self._blocked] = 1.0
        return Observation(grid.astype(np.int8), confidence.astype(np.float32), self._numbers)

    def _cells(self, frame: Frame) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The median colour of each cell, float32[cells, 3], and the share of its samples that look like it."""
        rows, columns = np.clip(self._rows, 0, frame.height - 1), np.clip(self._columns, 0, frame.width - 1)
        patches = frame.pixels[rows[:, None, :, None], columns[None, :, None, :]].reshape(-1, PROBES * PROBES, 3)
        middle = np.sort(patches, axis=1)[:, PROBES * PROBES // 2]
        away = np.maximum(patches, middle[:, None]) - np.minimum(patches, middle[:, None])
        plain = (away.max(axis=2) <= FLAT).mean(axis=1, dtype=np.float32)
        inside = _inside(self._rows, frame.height)[:, None] & _inside(self._columns, frame.width)[None, :]
        return middle.astype(np.float32), np.where(inside.ravel(), plain, 0.0).astype(np.float32)


def _two_nearest(distance: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The distance of each cell to the nearest colour and to the next; a palette of one has no next."""
    if distance.shape[1] == 1:
        return distance[:, 0], np.full_like(distance[:, 0], 255.0)
    ordered = np.partition(distance, 1, axis=1)
    return ordered[:, 0], ordered[:, 1]


def _places(origin: float, pitch: float, count: int, steps: NDArray[np.float64]) -> NDArray[np.intp]:
    """intp[count, PROBES]: the pixels sampled along one axis."""
    return np.floor(origin + pitch * (np.arange(count)[:, None] + steps)).astype(np.intp)


def _inside(places: NDArray[np.intp], end: int) -> NDArray[np.bool_]:
    """Whether the middle sample of each cell lies in the picture."""
    middle = places[:, PROBES // 2]
    return np.asarray((middle >= 0) & (middle < end))
