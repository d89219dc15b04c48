"""Where a board's lattice lies: pitch, phase and extent fitted to the heat of middles, then to the picture itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.detect import Place
from calibration.frame import Pixel, Pixels
from calibration.settled import Floats, LatticeLines, common, edges_in
from calibration.unchanged import strongest

OFF = 1.35
"""How many times as long or short as the network says a pitch may be."""

HARMONICS = 4
"""Up to so many waves in a pitch the lines of a picture are followed: cells have several edges."""

SLIGHT = 0.2
"""What a pitch counts that the heat swings with and no edge does; one that both do counts 1 more."""

MIDDLE = 0.3
"""The heat that speaks as much for a cell as against it; the mean of a cell's heat and what the plan says counts."""

MOST = 100
"""Rows and columns of a board at most."""

UNSEEN, EVEN, CHANGE = -0.2, -0.1, 12
"""What a place counts that was not looked at: it lies off the picture; what one counts at least in which no pixel
differs so much from the next, in any channel: there the network sees no cells, whether there are some or not."""

HIDDEN = 0.35
"""How much of a row or column of a board may lie off the picture, in cells: of more too little is seen to be read."""

SOLID = 1.2
"""What a cell counts that nothing is doubtful of."""

FURTHEST, UNUSUAL, TRIED = 3.0, 0.7, 12
"""Rows of solid cells that a part may lack beside the densest one, those that a size costs that is none of the usual,
and the parts that are tried: the right one was among them on 150 of 151 screenshots."""

Part = tuple[int, int, int, int]
"""Rows and columns of a lattice: top, bottom, left, right, where bottom and right are the first beyond."""

Usual = Mapping[tuple[int, int], float]
"""How usual sizes are, rows and columns, up to 1."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What speaks for each cell on the lines of a lattice, about a board and a little further.

    worth: float64[rows, cols], above 0 for what is more likely a cell of the board than none.
    """

    lattice: Lattice
    worth: Floats

    @cached_property
    def densest(self) -> Part | None:
        """The cells for which most speaks; None for less than two rows or columns."""
        top, bottom, left, right = densest(self.worth)
        return (top, bottom, left, right) if bottom - top >= 2 and right - left >= 2 else None

    def likely(
        self, usual: Usual, pixels: Pixels, *, square: bool = False, hidden: float = HIDDEN
    ) -> Iterator[tuple[Lattice, float]]:
        """Lattices of the parts that may be the board in a picture, and the rows that each lacks beside the densest.

        Those are the densest part, the same with a row or column more or less at each side, and the best of each of the
        usual sizes, if there are such; the likeliest first.
        square: whether it has as many rows as columns.  hidden: how much of one may lie off the picture.
        """
        if self.densest is None:
            return
        top, bottom, left, right = self.densest
        lines = LatticeLines(self._part(self.densest), pixels)
        steps = product((0, -1, 1), repeat=4)
        parts = {(top + a, bottom + b, left + c, right + d) for a, b, c, d in steps} | {*self._of_sizes(usual)}
        solid = SOLID * ((bottom - top) * (right - left)) ** 0.5
        costs = {}
        for part in parts:
            rows, cols = part[1] - part[0], part[3] - part[2]
            lacking = (self._sum(self.densest) - self._sum(part)) / solid
            fits = min(rows, cols) >= 2 and (rows == cols or not square)
            if fits and lacking <= FURTHEST and self._shows(part, pixels, hidden):
                costs[part] = lacking + UNUSUAL * (1 - usual.get((rows, cols), 0.0) if usual else 0.0), lacking
        for part in sorted(costs, key=lambda each: (costs[each], each))[:TRIED]:
            yield lines.through(part[0] - top, part[1] - top, part[2] - left, part[3] - left), costs[part][1]

    def _shows(self, part: Part, pixels: Pixels, hidden: float) -> bool:
        """Whether no more than so much of a row or column of a part lies off the picture."""
        x, y, wide, high = self._part(part).box
        (across, down), (height, width) = self.lattice.pitch, pixels.shape[:2]
        left, top, right, bottom = x / across, y / down, (x + wide - width) / across, (y + high - height) / down
        return min(left, top) >= -hidden and max(right, bottom) <= hidden

    def _of_sizes(self, usual: Usual) -> Iterator[Part]:
        """Where boards of the usual sizes lie best."""
        high, wide = self.worth.shape
        for rows, cols in usual:
            down, right = max(0, rows - high), max(0, cols - wide)
            about = np.pad(self.worth, ((down, down), (right, right)), constant_values=UNSEEN)
            sums = _summed(about) if down or right else self._sums
            worth = sums[rows:, cols:] - sums[:-rows, cols:] - sums[rows:, :-cols] + sums[:-rows, :-cols]
            top, left = (int(at) for at in np.unravel_index(int(worth.argmax()), worth.shape))
            yield top - down, top - down + rows, left - right, left - right + cols

    def _sum(self, part: Part) -> float:
        """What speaks for all cells of a part, which may reach beyond what was looked at."""
        high, wide = self.worth.shape
        top, bottom, left, right = part
        low, first = min(max(0, top), high), min(max(0, left), wide)
        last, end = max(low, min(bottom, high)), max(first, min(right, wide))
        sums = self._sums
        inside = sums[last, end] - sums[low, end] - sums[last, first] + sums[low, first]
        return float(inside + UNSEEN * ((bottom - top) * (right - left) - (last - low) * (end - first)))

    @cached_property
    def _sums(self) -> Floats:
        return _summed(self.worth)

    def _part(self, part: Part) -> Lattice:
        top, bottom, left, right = part
        return self.lattice.part(top, left, bottom - top, right - left)


def _summed(values: Floats) -> Floats:
    """float64[rows + 1, cols + 1]: the integral picture of `values`, float64[rows, cols]."""
    return np.pad(values.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))


def fitted(place: Place, pixels: Pixels) -> Lattice | None:
    """The lattice of a board that the network saw in a picture, uint8[height, width, 3]; None where it shows none."""
    seen = ground(place, pixels)
    return None if seen is None else next((lattice for lattice, _ in seen.likely({}, pixels)), None)


def ground(place: Place, pixels: Pixels) -> Ground | None:
    """What the heat tells, on the lines it swings with that the edges of the picture, uint8[h, w, 3], swing with, too.

    It is right to some tenth of a pitch.  None where there is too little heat.
    """
    glance, (x, y, wide, high) = place.glance, place.box
    step, corner = glance.step, glance.corner
    left, top = (max(0, int((at - begin) / by - 1)) for at, begin, by in zip((x, y), corner, step, strict=True))
    right, bottom = (
        int(np.ceil((at + long - begin) / by + 1))
        for at, long, begin, by in zip((x, y), (wide, high), corner, step, strict=True)
    )
    heat = glance.heat[top:bottom, left:right].astype(np.float64)
    if min(heat.shape) < 4 or heat.max() < MIDDLE:
        return None
    combs = [
        _comb(heat.sum(axis=axis), step[axis], place.pitch[axis], edges)
        for axis, edges in enumerate(edges_in(pixels, place.box))
    ]
    pitch = common(*combs)
    across, down = (float(pitches[int(told.argmax())]) if pitch is None else pitch for pitches, told in combs)
    x, y = (
        corner[axis] + _phase(heat.sum(axis=axis), step[axis], pitch) + (first + 0.5) * step[axis]
        for axis, first, pitch in ((0, left, across), (1, top, down))
    )
    return _ground(place, Lattice(Pixel(x, y), (across, down), 1, 1), pixels)


def _comb(profile: Floats, step: float, pitch: float, edges: Floats) -> tuple[Floats, Floats]:
    """Pitches about one, float64[p], in pixels, and how much a profile and edges swing with each, float64[p], up to 1.

    profile: float64[n], one value each `step` pixels.  edges: float64[m], how much changes from pixel to pixel; a
    pitch that is wrong by one cell in all of a board swings with the profile nearly as the right one does.
    """
    weights, longest, shortest = profile - profile.mean(), pitch * OFF, pitch / OFF
    count = int(8 * step * len(profile) * (1 / shortest - 1 / longest)) + 8
    frequencies = np.linspace(1 / shortest, 1 / longest, count)
    waves = np.exp(-2j * np.pi * frequencies[:, None] * step * np.arange(len(profile))) @ weights
    told = np.abs(waves) * (SLIGHT + _swing(edges, frequencies))
    return 1 / frequencies, np.asarray(told / max(1e-9, told.max()))


def _phase(profile: Floats, step: float, pitch: float) -> float:
    """Where, in pixels, the first wave of a pitch is highest that a profile swings with."""
    wave = np.exp(-2j * np.pi / pitch * step * np.arange(len(profile))) @ (profile - profile.mean())
    return float(-np.angle(wave) / (2 * np.pi) * pitch)


def _swing(edges: Floats, frequencies: Floats) -> Floats:
    """float64[f], 0 to 1: how much edges, float64[n], swing with waves of a pitch's length and of parts of it.

    That is the most of such frequencies so near that a profile does not tell them apart.
    """
    most = np.abs(_waves(edges, np.arange(len(edges), dtype=np.float64), frequencies)).sum(axis=0)
    near = np.maximum(most, np.maximum(np.append(most[1:], 0), np.append(0, most[:-1])))
    return np.asarray(near / max(1e-9, near.max()))


def _waves(edges: Floats, at: Floats, frequencies: Floats) -> NDArray[np.complex128]:
    """complex128[HARMONICS, f]: how edges, float64[n], at places `at` swing with frequencies and their multiples."""
    wave = np.exp(-2j * np.pi * frequencies[:, None] * at)
    weights = edges - edges.mean()
    return np.stack([power @ weights for power in accumulate([wave] * HARMONICS, np.multiply)])


def _ground(place: Place, lattice: Lattice, pixels: Pixels) -> Ground | None:
    """The cells on the lines of `lattice` about a place; None where they are too many for a board."""
    x, y, wide, high = place.box
    (across, down), origin = lattice.pitch, lattice.origin
    left, top = round((x - origin.x) / across) - 1, round((y - origin.y) / down) - 1
    right, bottom = round((x + wide - origin.x) / across) + 1, round((y + high - origin.y) / down) + 1
    if max(right - left, bottom - top) > MOST:
        return None
    whole = lattice.part(top, left, bottom - top + 1, right - left + 1)
    xs = np.asarray(whole.origin.x + across * np.arange(whole.cols), np.float64)
    ys = np.asarray(whole.origin.y + down * np.arange(whole.rows), np.float64)
    heat, board = _seen(place, xs, ys)
    worth = np.nan_to_num((heat - MIDDLE) + (board - 0.5), nan=UNSEEN)
    return Ground(whole, np.where(_even(whole, pixels), np.maximum(worth, EVEN), worth))


def _even(lattice: Lattice, pixels: Pixels) -> NDArray[np.bool_]:
    """bool[rows, cols]: whether nothing changes in a cell, as in the midst of a large region of one colour."""
    x, y, wide, high = lattice.box
    left, top = max(0, int(x)), max(0, int(y))
    part = np.ascontiguousarray(pixels[top : int(y + high) + 1, left : int(x + wide) + 1])
    changes = strongest(cv2.morphologyEx(part, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))) >= CHANGE
    sums = cv2.integral(changes.astype(np.uint8))
    xs = np.clip(np.rint(x - left + lattice.pitch[0] * np.arange(lattice.cols + 1)).astype(int), 0, part.shape[1])
    ys = np.clip(np.rint(y - top + lattice.pitch[1] * np.arange(lattice.rows + 1)).astype(int), 0, part.shape[0])
    corners = sums[np.ix_(ys, xs)]
    return np.asarray(corners[1:, 1:] - corners[:-1, 1:] - corners[1:, :-1] + corners[:-1, :-1] == 0)


def _seen(place: Place, xs: Floats, ys: Floats) -> tuple[Floats, Floats]:
    """float64[len(ys), len(xs)] twice: the most heat about each middle, and the chance that a board is there.

    Both are nan where it was not looked at.
    """
    glance = place.glance
    wide = cv2.dilate(glance.heat, np.ones((3, 3), np.uint8))
    board = 1 - glance.kinds[0]
    found = []
    for values, by in ((wide, 1), (board, 2)):
        cols = np.floor((xs - glance.corner.x) / (by * glance.step[0])).astype(int)
        rows = np.floor((ys - glance.corner.y) / (by * glance.step[1])).astype(int)
        inside = np.outer((rows >= 0) & (rows < len(values)), (cols >= 0) & (cols < values.shape[1]))
        taken = values[np.ix_(rows.clip(0, len(values) - 1), cols.clip(0, values.shape[1] - 1))]
        found.append(np.where(inside, taken, np.nan))
    return found[0], found[1]


def densest(values: Floats) -> tuple[int, int, int, int]:
    """Top, bottom, left and right of the rectangle of the largest sum of `values`, float64[rows, cols].

    Kadane's scan, for all pairs of rows at once.
    """
    rows = values.shape[0]
    sums = np.vstack([np.zeros(values.shape[1]), values.cumsum(axis=0)])
    tops, bottoms = np.triu_indices(rows + 1, 1)
    lines = np.zeros((len(tops), values.shape[1] + 1))
    np.cumsum(sums[bottoms] - sums[tops], axis=1, out=lines[:, 1:])
    gains = lines - np.minimum.accumulate(lines, axis=1)
    pair, right = np.unravel_index(int(np.argmax(gains)), gains.shape)
    left = np.argmin(lines[pair, : right + 1])
    return int(tops[pair]), int(bottoms[pair]), int(left), int(right)
