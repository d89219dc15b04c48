"""What the cells of a lattice look like: each one a tiny picture, grouped by likeness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixels

ZONES = 6
"""A face is ZONES x ZONES mean colours: enough to tell a cross from a ring, few enough to forgive half a pixel."""

FINER = 4
"""Samples across and down each zone."""

SHADING = 30
"""How far, in the channel that differs most, the middles of cells of one kind lie from the commonest of them."""

Faces = NDArray[np.float32]
"""float32[..., ZONES, ZONES, 3]."""


def faces(pixels: Pixels, lattice: Lattice, reach: tuple[float, float]) -> Faces:
    """float32[rows, cols, ZONES, ZONES, 3]: each cell from its centre to `reach` (x, y), in pitches, on all sides.

    Beyond the picture's edge its last pixels go on.
    """
    return Sampler(lattice, reach).take(pixels)


class Sampler:
    """Takes the `faces` of one lattice from picture after picture; rows of cells that stay as they were are kept."""

    def __init__(self, lattice: Lattice, reach: tuple[float, float]) -> None:
        steps = (np.arange(ZONES * FINER) + 0.5) / (ZONES * FINER) * 2 - 1
        self._shape = lattice.rows, lattice.cols
        self._xs = lattice.origin.x + lattice.pitch[0] * (np.arange(lattice.cols)[:, None] + reach[0] * steps).ravel()
        self._ys = lattice.origin.y + lattice.pitch[1] * (np.arange(lattice.rows)[:, None] + reach[1] * steps).ravel()
        self._last: tuple[Pixels, Faces] | None = None
        self._places: tuple[NDArray[np.float32], NDArray[np.float32]]

    def take(self, pixels: Pixels) -> Faces:
        """The faces that `pixels` show; the very array of the last time where none changed.

        Neither the picture nor the faces may be written to after.
        """
        if self._last is None or self._last[0].shape != pixels.shape:
            self._prepare(pixels)
            self._last = pixels, self._sampled(pixels, range(self._shape[0]))
            return self._last[1]
        before, shown = self._last
        changed = [row for row, part in enumerate(self._parts) if not np.array_equal(pixels[part], before[part])]
        if changed and not np.array_equal(new := self._sampled(pixels, changed), shown[changed]):
            shown = shown.copy()
            shown[changed] = new
        self._last = pixels, shown
        return shown

    def _prepare(self, pixels: Pixels) -> None:
        """Reckons where the samples lie in pictures of this shape, and from which rows of pixels each row's come."""
        columns = np.clip(self._xs - 0.5, 0, pixels.shape[1] - 1).astype(
            np.float32
        )  # the middle of pixel 0 lies at 0.5
        rows = np.clip(self._ys - 0.5, 0, pixels.shape[0] - 1).astype(np.float32)
        shape = (len(rows), len(columns))  # a seventh of the time that indexing takes
        self._places = np.ascontiguousarray(np.broadcast_to(columns, shape)), np.repeat(rows, shape[1]).reshape(shape)
        ends = rows.reshape(self._shape[0], -1)[:, [0, -1]].astype(np.intp)
        self._parts = [slice(int(top), int(foot) + 2) for top, foot in ends]

    def _sampled(self, pixels: Pixels, some: Sequence[int]) -> Faces:
        """float32[len(some), cols, ZONES, ZONES, 3]: of some rows of cells."""
        xs, ys = self._places
        if len(some) < self._shape[0]:
            steps = (np.asarray(some)[:, None] * (ZONES * FINER) + np.arange(ZONES * FINER)).ravel()
            xs, ys = xs[steps], ys[steps]
        samples = cv2.remap(pixels, xs, ys, cv2.INTER_LINEAR)  # else cells of a broken pitch seem different
        cols = self._shape[1]
        small = cv2.resize(samples, (cols * ZONES, len(some) * ZONES), interpolation=cv2.INTER_AREA)
        shaped = small.reshape(len(some), ZONES, cols, ZONES, 3).swapaxes(1, 2)
        return np.ascontiguousarray(shaped, dtype=np.float32)


def median(values: NDArray[Any], axis: int) -> NDArray[np.float32]:
    """As numpy's, in a fraction of its time where there are few values, and always of type float32."""
    ordered = np.sort(values, axis=axis)
    count = values.shape[axis]
    low, high = (ordered.take(at, axis=axis) for at in ((count - 1) // 2, count // 2))
    return np.asarray((low.astype(np.float32) + high) / 2, dtype=np.float32)


def middles(cells: Faces) -> NDArray[np.float32]:
    """float32[..., 3]: the mean colour in the middle of each face."""
    half = ZONES // 2
    return np.asarray(cells[..., half - 1 : half + 1, half - 1 : half + 1, :].mean(axis=(-3, -2)), dtype=np.float32)


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


def varied(cells: Faces, most: int, share: float) -> bool:
    """Whether the middles of more than 1 - `share` of the cells are of none of the `most` commonest colours.

    It is a quick look before they are grouped: they hardly differ in the middle where they are one kind.
    """
    colours = middles(cells).reshape(-1, 3)
    near = np.abs(colours[:, None] - colours[None]).max(axis=2) <= SHADING
    left = np.ones(len(colours), dtype=bool)
    for _ in range(most):
        left &= ~near[int((near & left).sum(axis=1).argmax())]
    return bool(left.mean() > 1 - share)


def group(cells: Faces, nearest: float, *, at_most: int) -> Kinds | None:
    """Groups in which every cell is less than `nearest` unlike some other one: slow shading is one kind.

    None where there are more than `at_most` groups: cells that show so many different things are no board's.
    """
    rows, cols = cells.shape[:2]
    flat = cells.reshape(rows * cols, ZONES, ZONES, 3)
    labels = np.full(len(flat), -1, dtype=np.intp)
    count = 0
    while (labels < 0).any():
        if count == at_most:
            return None
        _spread(flat, labels, count, nearest)
        count += 1
    sizes = np.bincount(labels, minlength=count)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(count)
    labels = rank[labels]
    middles = np.stack([np.median(flat[labels == label], axis=0) for label in range(count)])
    return Kinds(labels.reshape(rows, cols), middles.astype(np.float32), sizes[order])


def _spread(flat: Faces, labels: NDArray[np.intp], label: int, nearest: float) -> None:
    """Give `label` to the first free cell and all that it leads to; the least alike of each step lead on."""
    seeds = [int(np.flatnonzero(labels < 0)[0])]
    while seeds:
        seed = seeds.pop()
        labels[seed] = label
        free = np.flatnonzero(labels < 0)
        away = unlikeness(flat[free], flat[seed])
        joined = away < nearest
        labels[free[joined]] = label
        farthest = free[joined][np.argsort(-away[joined], kind="stable")]
        seeds += [int(cell) for cell in farthest[:2] if away[free == cell][0] > 0.3 * nearest]
