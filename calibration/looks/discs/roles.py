"""Which kinds of patches are the empty place and which the pieces."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.cell_patches import PatchClusters, unlikeness
from calibration.places import may_be_piece

CHOICES = 12
"""Choices of what is nothing and what a piece that are tried, those first that explain most cells."""

EMPTIES = 3
"""The commonest kinds, of which one is the empty place."""


def floating(grid: NDArray[np.int8]) -> int:
    """How many pieces of a grid, int8[rows, cols], have an empty place under them."""
    return int(((grid[:-1] > 0) & (grid[1:] == 0)).sum())


def roles_of(kinds: PatchClusters) -> tuple[list[int], NDArray[np.int8]]:
    """Which kinds are the empty place and the pieces (most of them first), and the grid that follows: 0, 1 or 2.

    Every choice is tried; the best one leaves no piece floating, as many pieces of one player as of the other, and
    few cells unlike their kind.
    """
    count = len(kinds.sizes)
    apart = np.stack([unlikeness(kinds.patches, patch) for patch in kinds.patches])
    choices = []
    for empty in range(min(count, EMPTIES)):
        others = [
            kind
            for kind in range(min(count, 6))
            if kind != empty and may_be_piece(kinds.patches[kind], int(kinds.sizes[kind]), kinds.patches[empty])
        ]
        for players in [(), *((kind,) for kind in others), *combinations(others, 2)]:
            unlike = np.minimum(apart[:, [empty, *players]].min(axis=1), 40.0)
            choices.append((float(unlike @ kinds.sizes / kinds.sizes.sum()) + 0.2 * len(players), [empty, *players]))
    best: tuple[float, list[int], NDArray[np.int8]] | None = None
    for least, mains in sorted(choices)[:CHOICES]:
        if best is not None and least >= best[0]:
            break
        grid = apart[:, mains].argmin(axis=1).astype(np.int8)[kinds.labels]
        uneven = abs(int((grid == 1).sum()) - int((grid == 2).sum()))
        cost = least + 6 * floating(grid) + 3 * max(0, uneven - 1)
        if best is None or cost < best[0]:
            best = (cost, mains, grid)
    assert best is not None
    return best[1], best[2]
