"""Regions: cells that hang together."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from games.core import Cell


def components(cells: NDArray[np.bool_], connectivity: int = 4) -> int:
    """How many parts cells, bool[rows, cols], make that hang together at their sides (4), or at corners, too (8)."""
    return int(cv2.connectedComponents(cells.astype(np.uint8), connectivity=connectivity)[0]) - 1


def corner_regions(kinds: NDArray[np.integer[Any]]) -> dict[Cell, NDArray[np.bool_]]:
    """The cells, bool[rows, cols], connected to each corner through cells of its kind; kinds: [rows, cols]."""
    rows, cols = kinds.shape
    regions = {}
    for corner in (Cell(0, 0), Cell(0, cols - 1), Cell(rows - 1, 0), Cell(rows - 1, cols - 1)):
        same = (kinds == kinds[corner]).astype(np.uint8)
        labels = cv2.connectedComponents(same, connectivity=4)[1]
        regions[corner] = labels == labels[corner]
    return regions
