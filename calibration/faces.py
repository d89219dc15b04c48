"""What the cells of a lattice look like: each one a tiny picture, grouped by likeness."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixels

ZONES = 6
"""A face is ZONES x ZONES mean colours: enough to tell a cross from a ring, few enough to forgive half a pixel."""

FINER = 4
"""Samples across and down each zone."""

Faces = NDArray[np.float32]
"""float32[..., ZONES, ZONES, 3]."""


def faces(pixels: Pixels, lattice: Lattice, reach: tuple[float, float]) -> Faces:
    """float32[rows, cols, ZONES, ZONES, 3]: each cell from its centre to `reach` (x, y), in pitches, on all sides.

    Beyond the picture's edge its last pixels go on.
    """
    count = ZONES * FINER
    steps = (np.arange(count) + 0.5) / count * 2 - 1
    xs = lattice.origin.x + lattice.pitch[0] * (np.arange(lattice.cols)[:, None] + reach[0] * steps).ravel()
    ys = lattice.origin.y + lattice.pitch[1] * (np.arange(lattice.rows)[:, None] + reach[1] * steps).ravel()
    columns = np.clip(np.floor(xs), 0, pixels.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.floor(ys), 0, pixels.shape[0] - 1).astype(np.intp)
    samples = pixels[rows[:, None], columns[None, :]]
    small = cv2.resize(samples, (lattice.cols * ZONES, lattice.rows * ZONES), interpolation=cv2.INTER_AREA)
    shaped = small.reshape(lattice.rows, ZONES, lattice.cols, ZONES, 3).swapaxes(1, 2)
    return np.ascontiguousarray(shaped, dtype=np.float32)


def unlikeness(one: Faces, other: Faces) -> NDArray[np.float32]:
    """How different faces are: the mean over the zones of the channel that differs most, 0 to 255."""
    return np.asarray(np.abs(one - other).max(axis=-1).mean(axis=(-2, -1)), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Cells grouped by likeness.

    labels: intp[rows, cols], the group of each cell, the largest group 0.  faces: float32[groups, ZONES, ZONES, 3].
    sizes: intp[groups].
    """

    labels: NDArray[np.intp]
    faces: Faces
    sizes: NDArray[np.intp]


def group(cells: Faces, nearest: float) -> Kinds:
    """Groups in which every cell is less than `nearest` unlike some other one: slow shading is one kind."""
    rows, cols = cells.shape[:2]
    flat = cells.reshape(rows * cols, -1, 3)
    apart = np.empty((len(flat), len(flat)), dtype=np.float32)
    for index, face in enumerate(flat):
        apart[index] = np.abs(flat - face).max(axis=2).mean(axis=1)
    count, labels = _components(apart < nearest)
    sizes = np.bincount(labels, minlength=count)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(count)
    labels = rank[labels]
    middles = np.stack([np.median(flat[labels == label], axis=0) for label in range(count)])
    return Kinds(labels.reshape(rows, cols), middles.reshape(count, ZONES, ZONES, 3).astype(np.float32), sizes[order])


def _components(linked: NDArray[np.bool_]) -> tuple[int, NDArray[np.intp]]:
    """Connected components of a symmetric relation."""
    labels = np.full(len(linked), -1, dtype=np.intp)
    count = 0
    for start in range(len(linked)):
        if labels[start] >= 0:
            continue
        reached = np.zeros(len(linked), dtype=bool)
        fresh = np.zeros(len(linked), dtype=bool)
        fresh[start] = True
        while fresh.any():
            reached |= fresh
            fresh = linked[fresh].any(axis=0) & ~reached
        labels[reached] = count
        count += 1
    return count, labels
