"""Edges that repeat along an axis: how alike the cells of a division are, and where their middles lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BINS = 24
"""Places to a period at which the edges of two periods are compared."""

Profile = NDArray[np.float64]
"""float64[width or height]: how many edges, or how much of them, lie at each place along an axis."""


def periods(profile: Profile, middle: float, pitch: float, count: int) -> NDArray[np.float64]:
    """float64[count, BINS]: the edges in each part of each cell, the cells lying evenly round `middle`."""
    places = middle + pitch * (np.arange(count * BINS + 1) / BINS - count / 2)
    sums = np.interp(places, np.arange(len(profile) + 1) - 0.5, np.concatenate([[0.0], np.cumsum(profile)]))
    return np.asarray(np.diff(sums).reshape(count, BINS), dtype=np.float64)


def coherence(cells: NDArray[np.float64]) -> float:
    """The mean correlation between two different periods: 1 where all are alike, about 0 for noise."""
    away = cells - cells.mean()
    alone = float((away**2).sum())
    if alone <= 0:
        return 0.0
    return (float((away.sum(axis=0) ** 2).sum()) / alone - 1) / (len(cells) - 1)


def symmetry_offset(shape: NDArray[np.float64], most: float) -> float:
    """How far right of the period's middle, at most `most` periods, the place is about which it is most symmetric."""
    if not shape.any():
        return 0.0
    turned = np.fft.ifft(np.fft.fft(shape) ** 2).real  # turned[s]: the shape against its mirror about s / 2
    places = (np.arange(2 * BINS) / 2 + 0.5) / BINS - 0.5
    values = turned[np.arange(2 * BINS) % BINS]
    near = np.abs(places) <= most
    return float(places[near][np.argmax(values[near])])
