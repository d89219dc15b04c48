"""Shapes that repeat: closed blobs of one size whose middles lie on a lattice, as cells, holes and discs do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixel, Pixels

STEP = 12
"""The smallest difference inside 3 x 3 pixels, in the channel that differs most, that ends a blob."""

SMALLEST = 7
"""Pixels. The side of the smallest blob: a cell of 13 pixels loses 2 on each side to its border."""

FIELD, OBLONG = 110, 1.8
"""Pixels, the smallest side of a field; and how many times as long as wide it is at most."""

CORNERS = 4
"""Corners of the outline of a blob at least; photographs are full of specks that have fewer."""

ALIKE = 0.13
"""How much, in proportion, the sides of blobs of one kind may differ: blur and rounding make up to 2 of 15 pixels."""

STRAY = 0.16
"""How far, in pitches, a blob's middle may lie from the lattice: pieces sit unevenly in their holes."""

BETWEEN = 0.6
"""The share of a lattice's places between which other blobs must lie for its pitch to be half as long."""

FEWEST = 6
"""Fewer blobs make no lattice."""

GROUPS = 10
"""Sizes followed; a board's blobs were of one of the first four wherever it was found."""

SEEDS = 150
"""Blobs from which a group's pitch and phase are looked for; the lattice is then that of all of them."""

CROWD = 1200
"""More blobs of one size than any board has: text."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Blobs:
    """The closed blobs of even colour in a picture.

    middles: float64[n, 2], the middle (x, y) of each blob's box.  sizes: float64[n, 2], the box's width and height.
    full: float64[n], the share of its box that lies in a blob's outline.
    fields: float64[m, 4], the boxes (x, y, width, height) of large blobs, less than twice as long as wide.
    every: float64[k, 5], the box of each blob of any form, and the area in its outline.
    """

    middles: Floats
    sizes: Floats
    full: Floats
    fields: Floats
    every: Floats


def blobs(pixels: Pixels, step: int = STEP) -> Blobs:
    """Every blob with sides from SMALLEST to a quarter of the picture, and at most twice as long as wide."""
    gradient = cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    even = cv2.inRange(gradient, (0, 0, 0), (step - 1, step - 1, step - 1))
    contours, links = cv2.findContours(even, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    outlines = [
        contour
        for contour, link in zip(contours, links[0] if contours else (), strict=True)
        if link[3] < 0 and len(contour) >= CORNERS
    ]
    if not outlines:
        return Blobs(np.empty((0, 2)), np.empty((0, 2)), np.empty(0), np.empty((0, 4)), np.empty((0, 5)))
    boxes = np.array([(*cv2.boundingRect(outline), cv2.contourArea(outline)) for outline in outlines])
    every = boxes + np.array([-1.0, -1.0, 2.0, 2.0, 0.0])
    every[:, 4] += boxes[:, 2:4].sum(axis=1)  # the ring that ends the blob is its own, and the middle of its outline
    boxes = boxes[:, :4]
    wide, high = boxes[:, 2], boxes[:, 3]
    fits = (np.minimum(wide, high) >= SMALLEST) & (np.maximum(wide, high) <= max(pixels.shape[:2]) / 4)
    fits &= (wide <= 2 * high) & (high <= 2 * wide)
    large = (np.minimum(wide, high) >= FIELD) & (wide <= OBLONG * high) & (high <= OBLONG * wide)
    fields = boxes[large] + (-1.0, -1.0, 2.0, 2.0)
    boxes, full = boxes[fits], every[fits, 4] / every[fits, 2:4].prod(axis=1)
    return Blobs(boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:] + 2, full, fields, every)


@dataclass(frozen=True, eq=False)
class Repeat:
    """A lattice of equal blobs.

    lattice: where the middles lie.  size: the blobs' median width and height.  full: the median share of their boxes
    that their outlines hold: 1 squares, 0.8 discs, 0.5 triangles, less what is left between discs.
    filled: bool[rows, cols], where a blob lies, of that size or of another that fits between its neighbours.
    """

    lattice: Lattice
    size: tuple[float, float]
    filled: NDArray[np.bool_]
    full: float = 1.0

    @classmethod
    def everywhere(cls, lattice: Lattice) -> Repeat:
        """Every cell of `lattice` for a blob, as lines show them."""
        return cls(lattice, lattice.pitch, np.ones((lattice.rows, lattice.cols), dtype=bool))

    @property
    def count(self) -> int:
        """How many blobs lie on the lattice."""
        return int(self.filled.sum())

    def shown(self, top: int, left: int, rows: int, cols: int) -> NDArray[np.bool_]:
        """bool[rows, cols]: where blobs lie in that part of the lattice, which may reach beyond it."""
        part = np.zeros((rows, cols), dtype=bool)
        high, wide = self.filled.shape
        own = self.filled[max(0, top) : max(0, min(top + rows, high)), max(0, left) : max(0, min(left + cols, wide))]
        part[max(0, -top) :, max(0, -left) :][: own.shape[0], : own.shape[1]] = own
        return part

    def inside(self, tops: NDArray[np.intp], lefts: NDArray[np.intp], rows: int, cols: int) -> NDArray[np.intp]:
        """How many of them lie in each part of the lattice from these places on, which may reach beyond it."""
        high, wide = self.filled.shape
        bottoms, rights = np.clip(tops + rows, 0, high), np.clip(lefts + cols, 0, wide)
        tops, lefts = np.clip(tops, 0, high), np.clip(lefts, 0, wide)
        sums = cv2.integral(self.filled.astype(np.uint8)).astype(np.intp)
        return np.asarray(sums[bottoms, rights] - sums[tops, rights] - sums[bottoms, lefts] + sums[tops, lefts])

    def parts(self, rows: int, cols: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """intp[n, m] twice: the first rows and columns of all parts so large that lie on it, or on which it lies."""
        down, right = self.lattice.rows - rows, self.lattice.cols - cols
        tops, lefts = np.mgrid[min(0, down) : max(0, down) + 1, min(0, right) : max(0, right) + 1]
        return tops, lefts


def repeats(found: Blobs) -> list[Repeat]:
    """The lattices of equal blobs, the fullest first."""
    lattices = [_grown(found, repeat) for group in _groups(found.sizes) for repeat in _lattices(found, group)]
    kept: list[Repeat] = []
    for repeat in sorted(lattices, key=lambda repeat: -repeat.count):
        if not any(_same(repeat.lattice, other.lattice) for other in kept):
            kept.append(repeat)
    return kept


def _same(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices have the same places."""
    moved = other.cell(one.origin)
    if moved is None or abs(one.pitch[0] / other.pitch[0] - 1) > 0.03 or abs(one.pitch[1] / other.pitch[1] - 1) > 0.03:
        return False
    return moved.row + one.rows <= other.rows and moved.col + one.cols <= other.cols


def _grown(found: Blobs, repeat: Repeat) -> Repeat:
    """The lattice with the blobs of other sizes that lie on it, and the rows and columns that at least half fill."""
    lattice = _filled_in(found, repeat)
    pitch = np.array(lattice.pitch)
    steps = (found.middles - np.array(lattice.origin)) / pitch
    share = found.sizes / pitch
    fits = (
        (np.abs(steps - np.rint(steps)) < STRAY).all(axis=1) & (share.max(axis=1) <= 1.05) & (share.min(axis=1) >= 0.35)
    )
    margin = 2
    places = np.rint(steps[fits]).astype(int) + margin
    filled = np.zeros((lattice.rows + 2 * margin, lattice.cols + 2 * margin), dtype=bool)
    inside = (places >= 0).all(axis=1) & (places[:, 0] < filled.shape[1]) & (places[:, 1] < filled.shape[0])
    filled[places[inside, 1], places[inside, 0]] = True
    top, bottom, left, right = margin, margin + lattice.rows, margin, margin + lattice.cols
    for _ in range(margin):
        top -= top > 0 and filled[top - 1, left:right].mean() >= 0.5
        bottom += bottom < len(filled) and filled[min(bottom, len(filled) - 1), left:right].mean() >= 0.5
        left -= left > 0 and filled[top:bottom, left - 1].mean() >= 0.5
        right += right < filled.shape[1] and filled[top:bottom, min(right, filled.shape[1] - 1)].mean() >= 0.5
    grown = lattice.part(top - margin, left - margin, int(bottom - top), int(right - left))
    return Repeat(grown, repeat.size, filled[top:bottom, left:right], repeat.full)


def _filled_in(found: Blobs, repeat: Repeat) -> Lattice:
    """The lattice at half the pitch along an axis where blobs lie between its places, too: a little smaller ones.

    Cells of a broken pitch are 14 and 16 pixels wide by turns.
    """
    lattice = repeat.lattice
    for axis, halved in enumerate(((0.5, 1.0), (1.0, 0.5))):
        pitch = np.array(lattice.pitch) * halved
        steps = (found.middles - np.array(lattice.origin)) / pitch
        share = found.sizes / pitch
        near = (np.abs(steps - np.rint(steps)) < STRAY).all(axis=1) & (share <= 1.05).all(axis=1)
        near &= (share.min(axis=1) >= 0.35) & (np.rint(steps[:, axis]) % 2 == 1)
        counts = np.array([lattice.cols, lattice.rows]) * np.where(np.array(halved) < 1, 2, 1) - (np.array(halved) < 1)
        near &= ((steps > -0.5) & (steps < counts - 0.5)).all(axis=1)
        if near.sum() >= BETWEEN * repeat.count:
            lattice = Lattice(lattice.origin, (float(pitch[0]), float(pitch[1])), int(counts[1]), int(counts[0]))
    return lattice


def _groups(sizes: Floats) -> Iterator[NDArray[np.intp]]:
    """Blobs of about one size, the most frequent size first; a blob may be in two groups."""
    if not len(sizes):
        return
    each, of, counts = np.unique(sizes, axis=0, return_inverse=True, return_counts=True)
    logs = np.log(each)
    alike = np.abs(logs[:, None, :] - logs[None, :, :]).max(axis=2) <= ALIKE
    free = counts.astype(np.float64)
    for _ in range(GROUPS):
        near = (alike @ free) * (free > 0)
        seed = int(near.argmax())
        if near[seed] < FEWEST:
            return
        free[alike[seed]] = 0
        members = np.flatnonzero(alike[seed][of.reshape(-1)])
        if len(members) <= CROWD:
            yield members


def _lattices(found: Blobs, group: NDArray[np.intp]) -> Iterator[Repeat]:
    """The lattices that the blobs of one group lie on: there may be several boards of one cell size."""
    middles, size, full = found.middles[group], np.median(found.sizes[group], axis=0), found.full[group]
    for _ in range(3):
        if len(middles) < FEWEST:
            return
        members, repeat = _lattice(middles, size)
        if repeat is None:
            return
        yield replace(repeat, full=float(np.median(full[members])))
        middles, full = np.delete(middles, members, axis=0), np.delete(full, members)


def _lattice(middles: Floats, size: Floats) -> tuple[NDArray[np.intp], Repeat | None]:
    """The lattice of most of `middles`, and which of them lie on it."""
    pitch = np.array([_pitch(middles, size, axis) for axis in (0, 1)])
    none: NDArray[np.intp] = np.empty(0, dtype=np.intp)
    if not pitch.all():
        return none, None
    seeds = middles[_some(len(middles))]
    steps = (middles[None, :, :] - seeds[:, None, :]) / pitch
    on = (np.abs(steps - np.rint(steps)) < STRAY).all(axis=2) & (np.abs(steps).max(axis=2) < 40)
    seed = int(on.sum(axis=1).argmax())
    members = np.flatnonzero(on[seed])
    places = np.rint(steps[seed, members]).astype(int)
    for _ in range(2):
        if len(members) < FEWEST:
            return none, None
        fits = [_line(places[:, axis], middles[members, axis], pitch[axis]) for axis in (0, 1)]
        origin, pitch = np.array([fit[0] for fit in fits]), np.array([fit[1] for fit in fits])
        steps_on = (middles - origin) / pitch
        near = (np.abs(steps_on - np.rint(steps_on)) < STRAY).all(axis=1) & (np.abs(steps_on).max(axis=1) < 60)
        members = np.flatnonzero(near)
        places = np.rint(steps_on[members]).astype(int)
    members, places = _together(members, places)
    if len(members) < FEWEST:
        return none, None
    low, high = places.min(axis=0), places.max(axis=0)
    cols, rows = (int(value) for value in high - low + 1)
    if rows < 2 or cols < 2:
        return members, None
    fits = [_line(places[:, axis], middles[members, axis], pitch[axis]) for axis in (0, 1)]  # without what lay far off
    origin, pitch = np.array([fit[0] for fit in fits]), np.array([fit[1] for fit in fits])
    filled = np.zeros((rows, cols), dtype=bool)
    filled[places[:, 1] - low[1], places[:, 0] - low[0]] = True
    first = origin + low * pitch
    lattice = Lattice(Pixel(float(first[0]), float(first[1])), (float(pitch[0]), float(pitch[1])), rows, cols)
    return members, Repeat(lattice, (float(size[0]), float(size[1])), filled)


def _some(count: int) -> NDArray[np.intp]:
    """At most SEEDS of `count` places, evenly spread."""
    return np.unique(np.linspace(0, count - 1, min(count, SEEDS)).astype(np.intp))


def _pitch(middles: Floats, size: Floats, axis: int) -> float:
    """The distance from blob to blob along `axis`, 0 where there is no common one."""
    seeds = middles[_some(len(middles))]
    across = middles[None, :, axis] - seeds[:, None, axis]
    beside = np.abs(middles[None, :, 1 - axis] - seeds[:, None, 1 - axis]) < 0.2 * size[1 - axis]
    across = np.where(beside & (across > 0.8 * size[axis]), across, np.inf)
    nearest = across.min(axis=1)
    nearest = np.sort(nearest[nearest < 6 * size[axis]])
    if len(nearest) < 3:
        return 0.0
    votes = (np.abs(nearest[:, None] - nearest[None, :]) < 0.06 * nearest[:, None] + 0.6).sum(axis=1)
    return float(np.median(nearest[np.abs(nearest - nearest[votes.argmax()]) < 0.06 * nearest[votes.argmax()] + 0.6]))


def _line(places: NDArray[np.intp], at: Floats, pitch: float) -> tuple[float, float]:
    """Origin and pitch that put `places` nearest to `at`; the given pitch where all lie in one place."""
    spread = places - places.mean()
    if not spread.any():
        return float(np.median(at - places * pitch)), pitch
    slope = float((spread * at).sum() / (spread**2).sum())
    return float(np.median(at - places * slope)), slope


def _together(members: NDArray[np.intp], places: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The largest part of a lattice that has no gap of two empty places."""
    low = places.min(axis=0)
    extent = places.max(axis=0) - low + 1
    if extent.max() > 128:
        return members[:0], places[:0]
    mask = np.zeros((extent[1], extent[0]), np.uint8)
    mask[places[:, 1] - low[1], places[:, 0] - low[0]] = 1
    joined = cv2.dilate(cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0), np.ones((3, 3), np.uint8))
    labels = cv2.connectedComponents(joined.astype(np.uint8), connectivity=4)[1][1:-1, 1:-1]
    mine = labels[places[:, 1] - low[1], places[:, 0] - low[0]]
    best = np.bincount(mine).argmax()
    return members[mine == best], places[mine == best]
