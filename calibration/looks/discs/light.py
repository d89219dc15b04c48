"""The light on the column of a board that would be played."""

from __future__ import annotations

import numpy as np

from calibration.cell_patches import CellPatches
from calibration.places import SHOWN

LIT, STEADY = (6.0, 60.0), 6.0
"""How far the ground of the column under the pointer lies from its neighbours', and how much this and itself vary."""


def without_light(cells: CellPatches) -> CellPatches:
    """The cells, float32[rows, cols, ZONES, ZONES, 3], without the shade of one whole column's ground.

    It is the column that would be played.
    """
    if cells.shape[1] < 3:
        return cells
    ground = np.median(cells[:, :, [0, 0, -1, -1], [0, -1, 0, -1]], axis=2)
    beside = np.stack([ground[:, [1, *range(cells.shape[1] - 1)]], ground[:, [*range(1, cells.shape[1]), -2]]])
    shift = np.median(ground - beside.mean(axis=0), axis=0)
    col = int(np.abs(shift).max(axis=1).argmax())
    apart = (ground - beside)[:, :, col]
    steady = np.abs(apart - shift[col]).max(axis=(0, 2)) <= STEADY
    if not LIT[0] <= np.abs(shift[col]).max() <= LIT[1] or steady.mean() < SHOWN:
        return cells
    lit = cells[:, col]
    own = np.abs(lit - ground[:, col, None, None]).max(axis=-1, keepdims=True) <= STEADY
    unlit = cells.copy()
    unlit[:, col] = np.where(own, lit - shift[col], lit)
    return unlit
