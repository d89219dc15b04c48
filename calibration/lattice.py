"""Where a board's lattice lies: pitch, phase and extent fitted to the heat of middles, then to the picture itself."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.detect import Place
from calibration.frame import Box, Pixel, Pixels

OFF = 1.35
"""How many times as long or short as the network says a pitch may be."""

HARMONICS = 4
"""Up to so many waves in a pitch the lines of a picture are followed: cells have several edges."""

SLIGHT = 0.2
"""What a pitch counts that the heat swings with and no edge does; one that both do counts 1 more."""

SLIP, SHIFT, TURN = 0.02, 0.2, 0.22
"""How much the picture may change a pitch, or all of a few, and how far, in pitches, a phase."""

NEARBY, BORDERED, ABOUT = 0.12, 0.5, 0.18
"""How far about a border, in pitches, edges are its own, the share of all that are so where cells end in lines, and how
far about it their middle is taken."""

MIDDLE = 0.3
"""The heat that speaks as much for a cell as against it; the mean of a cell's heat and what the plan says counts."""

MOST = 100
"""Rows and columns of a board at most."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What speaks for each cell on the lines of a lattice, about a board and a little further.

    worth: float64[rows, cols], above 0 for what is more likely a cell of the board than none.
    """

    lattice: Lattice
    worth: Floats

    def densest(self) -> Lattice | None:
        """The cells for which most speaks; None for less than two rows or columns."""
        top, bottom, left, right = densest(self.worth)
        many = bottom - top >= 2 and right - left >= 2
        return self.lattice.part(top, left, bottom - top, right - left) if many else None


def fitted(place: Place, pixels: Pixels) -> Lattice | None:
    """The lattice of a board that the network saw in a picture, uint8[height, width, 3]; None where it shows none."""
    seen = ground(place, pixels)
    rough = None if seen is None else seen.densest()
    return None if rough is None else refined(rough, pixels)


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
    edges = _edges(pixels, place.box)
    lines = []
    for axis, first in ((0, left), (1, top)):
        longest, shortest = place.pitch[axis] * OFF, place.pitch[axis] / OFF
        pitch, phase = _comb(heat.sum(axis=axis), step[axis], shortest, longest, edges[axis])
        lines.append((pitch, corner[axis] + phase + (first + 0.5) * step[axis]))
    (across, start_x), (down, start_y) = lines
    return _ground(place, Lattice(Pixel(start_x, start_y), (across, down), 1, 1))


def _comb(profile: Floats, step: float, shortest: float, longest: float, edges: Floats) -> tuple[float, float]:
    """Pitch and phase, in pixels, of the even spacing that a profile and edges swing with most.

    profile: float64[n], one value each `step` pixels.  edges: float64[m], how much changes from pixel to pixel; a
    pitch that is wrong by one cell in all of a board swings with the profile nearly as the right one does.
    """
    at = step * np.arange(len(profile))
    weights = profile - profile.mean()
    count = int(8 * step * len(profile) * (1 / shortest - 1 / longest)) + 8
    frequencies = np.linspace(1 / longest, 1 / shortest, count)
    waves = np.exp(-2j * np.pi * frequencies[:, None] * at) @ weights
    told = np.abs(waves) * (SLIGHT + _swing(edges, frequencies))
    best = int(told.argmax())
    pitch = 1 / frequencies[best]
    return float(pitch), float(-np.angle(waves[best]) / (2 * np.pi) * pitch)


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


def _ground(place: Place, lattice: Lattice) -> Ground | None:
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
    return Ground(whole, (heat - MIDDLE) + (board - 0.5))


def _seen(place: Place, xs: Floats, ys: Floats) -> tuple[Floats, Floats]:
    """float64[len(ys), len(xs)] twice: the most heat about each middle, and the chance that a board is there."""
    glance = place.glance
    wide = cv2.dilate(glance.heat, np.ones((3, 3), np.uint8))
    board = 1 - glance.kinds[0]
    found = []
    for values, by in ((wide, 1), (board, 2)):
        cols = np.floor((xs - glance.corner.x) / (by * glance.step[0])).astype(int)
        rows = np.floor((ys - glance.corner.y) / (by * glance.step[1])).astype(int)
        inside = np.outer((rows >= 0) & (rows < len(values)), (cols >= 0) & (cols < values.shape[1]))
        taken = values[np.ix_(rows.clip(0, len(values) - 1), cols.clip(0, values.shape[1] - 1))]
        found.append(np.where(inside, taken, -1.0))
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


def refined(lattice: Lattice, pixels: Pixels) -> Lattice:
    """The lattice moved and stretched a little to where the picture's edges swing with it, along each axis."""
    box = lattice.box
    profiles = _edges(pixels, box)
    if min(map(len, profiles)) < 7:
        return lattice
    ends = []
    for edges, count, first, rough in zip(profiles, (lattice.cols, lattice.rows), box[:2], lattice.pitch, strict=True):
        begin = max(0, round(first))
        start, pitch = _settled(edges, *_aligned(edges, first - begin, rough, count), count)
        ends.append((begin + start, pitch))
    (x, across), (y, down) = ends
    return Lattice(Pixel(x + across / 2, y + down / 2), (across, down), lattice.rows, lattice.cols)


def _edges(pixels: Pixels, box: Box) -> tuple[Floats, Floats]:
    """float64[width - 1] and float64[height - 1]: how much changes from each pixel of a box to the next, and below."""
    left, top = max(0, round(box.x)), max(0, round(box.y))
    part = pixels[top : round(box.y + box.height), left : round(box.x + box.width)]
    if min(part.shape[:2]) < 2:
        return np.zeros(0), np.zeros(0)
    found = []
    for axis in (1, 0):
        before, after = (part[:, :-1], part[:, 1:]) if axis else (part[:-1], part[1:])
        means = cv2.reduce(cv2.absdiff(after, before), 1 - axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
        found.append(np.asarray(means.reshape(-1, 3).sum(axis=1), np.float64))
    return found[0], found[1]


def _aligned(edges: Floats, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Start and pitch of `count` cells, near the given ones, about whose borders edges lie evenly.

    edges: float64[n], how much changes from pixel k to pixel k + 1.  Cells are drawn alike to both sides of their
    middle, so that each wave of the edges is at its height or its depth on a border.
    """
    at = np.arange(len(edges), dtype=np.float64) + 1.0
    middle = start + pitch * count / 2
    slip = max(SLIP, SHIFT / count)
    spread = np.linspace(-slip, slip, 2 * int(4 * HARMONICS * slip * count) + 9)
    pitches = pitch * (1 + spread)
    waves = _waves(edges, at - middle, 1 / pitches)
    best = int(np.abs(waves).sum(axis=0).argmax())
    turns = np.linspace(-TURN, TURN, 89)
    phase = middle + (0.5 * pitches[best] if count % 2 else 0.0)  # a border lies in the middle of an even count
    phases = np.exp(2j * np.pi * np.arange(1, HARMONICS + 1)[:, None] * (turns + (phase - middle) / pitches[best]))
    even = np.abs((waves[:, best, None] * phases).real).sum(axis=0)
    turn = float(turns[int(even.argmax())])
    found = float(pitches[best])
    return middle + turn * found - found * count / 2, found


def _settled(edges: Floats, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Start and pitch of `count` cells, from the middles of the edges about the borders between two of them.

    edges: float64[n], how much changes from pixel k to pixel k + 1.  As given where most of them lie elsewhere.
    """
    at, borders = np.arange(len(edges)) + 1.0, np.arange(1, count)
    away = np.abs((at - start + pitch / 2) % pitch - pitch / 2)
    if edges[away <= NEARBY * pitch].sum() < BORDERED * edges.sum():
        return start, pitch
    near = np.abs(at - (start + pitch * borders)[:, None]) <= ABOUT * pitch
    told = np.where(near, edges - np.min(np.where(near, edges, np.inf), axis=1, keepdims=True), 0.0)
    sums = told.sum(axis=1)
    clear = sums > 0
    if clear.sum() < 2:
        return start, pitch
    middles, weights = (told @ at)[clear] / sums[clear], np.minimum(sums[clear], np.median(sums[clear]))
    pitch, start = (float(value) for value in np.polyfit(borders[clear], middles, 1, w=np.sqrt(weights)))
    return start, pitch
