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


def labels_of(cells: NDArray[np.bool_], across: NDArray[np.bool_], down: NDArray[np.bool_]) -> NDArray[np.int32]:
    """int32[rows, cols]: the same number for cells that hang together, 0 for those that are none.

    cells: bool[rows, cols].  across, down: bool[rows, cols - 1] and bool[rows - 1, cols], whether each would hang
    together with its neighbour on the right and below.
    """
    rows, cols = cells.shape
    paths = np.zeros((2 * rows - 1, 2 * cols - 1), np.uint8)
    paths[0::2, 0::2] = cells
    paths[0::2, 1::2] = across
    paths[1::2, 0::2] = down
    return cv2.connectedComponents(paths, connectivity=4)[1][0::2, 0::2].astype(np.int32)


def corner_regions(kinds: NDArray[np.integer[Any]]) -> dict[Cell, NDArray[np.bool_]]:
    """The cells, bool[rows, cols], connected to each corner through cells of its kind; kinds: [rows, cols]."""
    rows, cols = kinds.shape
    regions = {}
    for corner in (Cell(0, 0), Cell(0, cols - 1), Cell(rows - 1, 0), Cell(rows - 1, cols - 1)):
        same = (kinds == kinds[corner]).astype(np.uint8)
        labels = cv2.connectedComponents(same, connectivity=4)[1]
        regions[corner] = labels == labels[corner]
    return regions
