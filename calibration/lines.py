"""Lines of a lattice in a picture: how much of each cell's border is drawn, and how well edges fit a division."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.scene import Scene

EDGE = 4
"""Pixels. A field's own border is no line inside it."""

BESIDE, BROAD = 2, 0.08
"""An edge so many pixels, or so large a part of a cell, near to a border belongs to it: broad lines, gaps, rounding."""

MIDDLE = 0.6
"""The middle part of a cell's side on which its border is looked for: corners may be round."""

Shares = NDArray[np.float64]


def borders(scene: Scene, lattice: Lattice, *, broad: float = BROAD, middle: float = MIDDLE) -> tuple[Shares, Shares]:
    """float64[rows, cols + 1] and float64[rows + 1, cols]: how much of the cells' left and upper borders is an edge.

    The last column and row are the right and lower borders of the last cells.
    broad: how far beside its border, as a part of the pitch, an edge may lie.  middle: the part of a side looked at.
    """
    x, y, _, _ = lattice.box
    xs = x + lattice.pitch[0] * np.arange(lattice.cols + 1, dtype=np.float64)
    ys = y + lattice.pitch[1] * np.arange(lattice.rows + 1, dtype=np.float64)
    return _drawn(scene.upright, xs, ys, broad, middle), _drawn(scene.level.T, ys, xs, broad, middle).T


def _drawn(steps: NDArray[np.uint8], lines: Shares, ends: Shares, broad: float, middle: float) -> Shares:
    """float64[len(ends) - 1, len(lines)]: between two ends, the share with an edge near a line."""
    low, high = max(0, int(ends[0])), max(1, min(steps.shape[0], int(np.ceil(ends[-1]))))
    beside = max(BESIDE, round(broad * float(lines[-1] - lines[0]) / (len(lines) - 1)))
    columns = np.rint(lines).astype(int)[:, None] + np.arange(-beside, beside + 1)[None, :]
    near = steps[low:high, np.clip(columns, 0, steps.shape[1] - 1)].max(axis=2)
    sums = np.vstack([np.zeros((1, len(lines)), dtype=np.int32), near.cumsum(axis=0, dtype=np.int32)])
    trim = (1 - middle) / 2 * (ends[-1] - ends[0]) / (len(ends) - 1)
    first = np.clip(np.rint(ends[:-1] + trim).astype(int) - low, 0, len(sums) - 1)
    last = np.clip(np.rint(ends[1:] - trim).astype(int) - low, 0, len(sums) - 1)
    return np.asarray((sums[last] - sums[first]) / np.maximum(1, last - first)[:, None], dtype=np.float64)


def aligned(profile: NDArray[np.float64], length: float, parts: int) -> float:
    """The share of a profile of edges on the lines that cut a field of that length in `parts`, less what chance gives.

    The profile begins EDGE pixels inside the field.
    """
    total = profile.sum()
    if total <= 0:
        return 0.0
    pitch = length / parts
    offset = (np.arange(len(profile)) + EDGE) / pitch
    near = np.abs(offset - np.rint(offset)) * pitch <= max(BESIDE, BROAD * pitch)
    return float(profile[near].sum() / total - near.mean())
