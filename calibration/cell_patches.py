"""What the cells of a lattice look like: each one a tiny picture, grouped by likeness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Box, Pixels

ZONES = 6
"""A patch is ZONES x ZONES mean colours: enough to tell a cross from a ring, few enough to forgive half a pixel."""

FINER = 4
"""Samples across and down each zone."""

SHADING = 30
"""How far, in the channel that differs most, the middles of cells of one kind lie from the commonest of them."""

CellPatches = NDArray[np.float32]
"""float32[..., ZONES, ZONES, 3]."""


def cell_patches(pixels: Pixels, lattice: Lattice, reach: tuple[float, float]) -> CellPatches:
    """float32[rows, cols, ZONES, ZONES, 3]: each cell from its centre to `reach` (x, y), in pitches, on all sides.

    Beyond the picture's edge its last pixels go on.
    """
    return PatchSampler(lattice, reach).take(pixels)


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """Where a picture differs from the one before.

    rows: intp[height + 1], how many rows above each one differ.  cols: intp[width + 1], the same of columns, of which
    some beside those that differ may be counted, too.
    """

    rows: NDArray[np.intp]
    cols: NDArray[np.intp]

    def __bool__(self) -> bool:
        """Whether they differ at all."""
        return bool(self.rows[-1])


class Changes:
    """Tells where a part of one picture after the other has changed."""

    def __init__(self, box: Box) -> None:
        """box: the part that is looked at."""
        self._box = box
        self._last: Pixels | None = None
        self._unlike = np.zeros((0, 0), dtype=np.bool_)

    def take(self, pixels: Pixels) -> Changed | None:
        """How `pixels` differ from those of the last time; None where these do not compare.

        pixels: uint8[height, width, 3], not to be written to after.
        """
        before, self._last = self._last, pixels
        if before is None or before.shape != pixels.shape:
            return None
        height, width = pixels.shape[:2]
        top, left = max(0, int(self._box.y)), max(0, int(self._box.x))
        foot = min(height, max(top, int(self._box.y + self._box.height) + 1))
        right = min(width, max(left, int(self._box.x + self._box.width) + 1))
        high, wide = foot - top, right - left
        if self._unlike.shape != (high, -(-3 * wide // 8) * 8):
            self._unlike = np.zeros((high, -(-3 * wide // 8) * 8), dtype=np.bool_)
        unlike = self._unlike[:, : 3 * wide].reshape(high, wide, 3)
        np.not_equal(pixels[top:foot, left:right], before[top:foot, left:right], out=unlike)
        words = self._unlike.view(np.uint64)  # eight at a time: a third of the time
        rows, cols = np.zeros(height + 1, dtype=np.intp), np.zeros(width + 4, dtype=np.intp)
        rows[top + 1 : foot + 1] = changed = np.bitwise_or.reduce(words, axis=1) > 0
        found = np.flatnonzero(np.bitwise_or.reduce(words[changed], axis=0)) * 8 // 3
        cols[left + 1 + found[:, None] + np.arange(4)] = 1
        return Changed(rows.cumsum(), cols[: width + 1].cumsum())


class PatchSampler:
    """Takes the `patches` of one lattice from picture after picture; those of cells that stay as they were are kept."""

    def __init__(self, lattice: Lattice, reach: tuple[float, float], *, along: int | None = None) -> None:
        """along: of the patches' axes the one along which the zones' median is taken, which leaves ZONES of them."""
        steps = (np.arange(ZONES * FINER) + 0.5) / (ZONES * FINER) * 2 - 1
        self._along = along
        self._xs = lattice.origin.x + lattice.pitch[0] * (np.arange(lattice.cols)[:, None] + reach[0] * steps)
        self._ys = lattice.origin.y + lattice.pitch[1] * (np.arange(lattice.rows)[:, None] + reach[1] * steps)
        self._last: tuple[Pixels, CellPatches] | None = None
        self._places: tuple[NDArray[np.float32], NDArray[np.float32]]

    def take(self, pixels: Pixels, changed: Changed | None = None) -> CellPatches:
        """The patches that `pixels` show; the very array of the last time where none changed.

        Neither the picture nor the patches may be written to after.
        changed: where this picture differs from the one that was taken last, if that is known.
        """
        every = np.arange(len(self._ys)), np.arange(len(self._xs))
        if self._last is None or self._last[0].shape != pixels.shape:
            self._prepare(pixels)
            self._last = pixels, self._sampled(pixels, *every)
            return self._last[1]
        before, shown = self._last
        if changed is None:
            ends = zip(*self._rows, strict=True)
            rows = np.flatnonzero([(pixels[top:foot] != before[top:foot]).any() for top, foot in ends])
            cols = every[1]
        else:
            rows = np.flatnonzero(changed.rows[self._rows[1]] > changed.rows[self._rows[0]])
            cols = np.flatnonzero(changed.cols[self._cols[1]] > changed.cols[self._cols[0]])
        if len(rows) and len(cols):
            part = np.ix_(rows, cols)
            if not np.array_equal(new := self._sampled(pixels, rows, cols), shown[part]):
                shown = shown.copy()
                shown[part] = new
        self._last = pixels, shown
        return shown

    def _prepare(self, pixels: Pixels) -> None:
        """Reckons where the samples lie in pictures of this shape, and from which pixels those of each cell come."""
        places, ends = [], []
        for at, length in ((self._xs, pixels.shape[1]), (self._ys, pixels.shape[0])):
            inside = np.clip(at - 0.5, 0, length - 1).astype(np.float32)  # the middle of pixel 0 lies at 0.5
            first, last = inside[:, [0, -1]].astype(np.intp).T
            places.append(inside)
            ends.append((first, np.minimum(last + 2, length)))
        self._places, (self._cols, self._rows) = (places[0], places[1]), ends

    def _sampled(self, pixels: Pixels, rows: NDArray[np.intp], cols: NDArray[np.intp]) -> CellPatches:
        """float32[len(rows), len(cols), ZONES, ZONES, 3]: of some rows and columns; less the axis `along`."""
        xs, ys = self._places[0][cols].ravel(), self._places[1][rows].ravel()
        shape = (len(ys), len(xs))  # a seventh of the time that indexing takes
        across, down = np.ascontiguousarray(np.broadcast_to(xs, shape)), np.repeat(ys, shape[1]).reshape(shape)
        samples = cv2.remap(pixels, across, down, cv2.INTER_LINEAR)  # else cells of a broken pitch seem different
        small = cv2.resize(samples, (len(cols) * ZONES, len(rows) * ZONES), interpolation=cv2.INTER_AREA)
        shaped = small.reshape(len(rows), ZONES, len(cols), ZONES, 3).swapaxes(1, 2)
        return np.ascontiguousarray(shaped if self._along is None else median(shaped, self._along), dtype=np.float32)


def median(values: NDArray[Any], axis: int) -> NDArray[np.float32]:
    """float32, less the axis: as numpy's of `values` of any shape, in a fraction of its time where they are few."""
    ordered = np.sort(values, axis=axis)
    count = values.shape[axis]
    low, high = (ordered.take(at, axis=axis) for at in ((count - 1) // 2, count // 2))
    return np.asarray((low.astype(np.float32) + high) / 2, dtype=np.float32)


def middles(cells: CellPatches) -> NDArray[np.float32]:
    """float32[..., 3]: the mean colour in the middle of each patch."""
    half = ZONES // 2
    return np.asarray(cells[..., half - 1 : half + 1, half - 1 : half + 1, :].mean(axis=(-3, -2)), dtype=np.float32)


def unlikeness(one: CellPatches, other: CellPatches) -> NDArray[np.float32]:
    """float32[...]: how different patches, [..., ZONES, ZONES, 3], are.

    That is the mean over the zones of the channel that differs most, 0 to 255.
    """
    return np.asarray(np.abs(one - other).max(axis=-1).mean(axis=(-2, -1)), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class PatchClusters:
    """Cells clustered by likeness.

    labels: intp[rows, cols], the cluster of each cell, the largest 0.  patches: float32[clusters, ZONES, ZONES, 3].
    sizes: intp[clusters].
    """

    labels: NDArray[np.intp]
    patches: CellPatches
    sizes: NDArray[np.intp]


def varied(cells: CellPatches, most: int, share: float) -> bool:
    """Whether the middles of more than 1 - `share` of the cells are of none of the `most` commonest colours.

    cells: float32[rows, cols, ZONES, ZONES, 3].
    It is a quick look before they are clustered: they hardly differ in the middle where they are one kind.
    """
    colours = middles(cells).reshape(-1, 3)
    near = np.abs(colours[:, None] - colours[None]).max(axis=2) <= SHADING
    left = np.ones(len(colours), dtype=bool)
    for _ in range(most):
        left &= ~near[int((near & left).sum(axis=1).argmax())]
    return bool(left.mean() > 1 - share)


def cluster_patches(cells: CellPatches, nearest: float, *, at_most: int) -> PatchClusters | None:
    """Clusters in which every cell is less than `nearest` unlike some other one: slow shading is one kind.

    cells: float32[rows, cols, ZONES, ZONES, 3].
    None where there are more than `at_most` clusters: cells that show so many different things are no board's.
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
    return PatchClusters(labels.reshape(rows, cols), middles.astype(np.float32), sizes[order])


def _spread(flat: CellPatches, labels: NDArray[np.intp], label: int, nearest: float) -> None:
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
