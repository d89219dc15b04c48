"""Where the lines of a lattice lie to a fraction of a pixel: where each cell is its own mirror image most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Box, Pixel, Pixels

SHIFT, TURN = 0.15, 0.08
"""How far, in pitches, the edges of the picture may move the ends of a board apart, and all of it along an axis: heat
alone was right to that on 552 and on 564 of 565 boards.  Where they might move more, more boards came out worse.
"""

PITCHES, TURNS = 23, 41
"""How many pitches and phases are tried between these."""

OWN, BLUR = 0.75, 0.01
"""How far about a cell's middle edges are its own, and how broad they are taken to be, in pitches."""

NEARBY, BORDERED, ABOUT = 0.12, 0.5, 0.18
"""How far about a border, in pitches, edges are its own, the share of all that are so where cells end in lines, and how
far about it their middle is taken."""

RIM, FEW = 0.15, 4
"""The part of the outer cells, in pitches, in which edges tell of a frame, and not of cells; of few cells the outer
lines tell most."""

NEARLY = 0.95
"""The part of what speaks for the pitches along either axis that must speak for one and the same along both."""

SHORTEST = 7
"""Pixels along an axis that tell nothing of lines."""

Floats = NDArray[np.float64]

_TURNED = np.linspace(-TURN, TURN, TURNS)


def refined(lattice: Lattice, pixels: Pixels) -> Lattice:
    """The lattice moved and stretched a little to where the picture's edges swing with it, along each axis."""
    return LatticeLines(lattice, pixels).through(0, lattice.rows, 0, lattice.cols)


class LatticeLines:
    """The lines through a picture that lie near those of a lattice, settled for any of its rows and columns."""

    def __init__(self, lattice: Lattice, pixels: Pixels) -> None:
        self._lattice, self._pixels = lattice, pixels
        self._along = cache(self._cut)

    def through(self, top: int, bottom: int, left: int, right: int) -> Lattice:
        """The lattice of rows `top` to `bottom` and columns `left` to `right`, which may lie beyond it.

        Its cells are square where the edges speak nearly as much for that.
        """
        along, aside = self._along(0, left, right), self._along(1, top, bottom)
        square = common((along.pitches, along.told), (aside.pitches, aside.told))
        (x, across), (y, down) = along.settled(square), aside.settled(square)
        if square is not None:
            across = down = (across + down) / 2
        origin = Pixel(x - across * (right - left - 1) / 2, y - down * (bottom - top - 1) / 2)
        return Lattice(origin, (across, down), bottom - top, right - left)

    @cached_property
    def _profiles(self) -> tuple[Floats, Floats]:
        """The edges across and down the picture along the lattice, and half as far again to both sides."""
        x, y, wide, high = self._lattice.box
        (left, top), (right, bottom) = self._begin, (x + 1.5 * wide, y + 1.5 * high)
        across, down = Box(left, y, right - left, high), Box(x, top, wide, bottom - top)
        return edges_in(self._pixels, across)[0], edges_in(self._pixels, down)[1]

    @property
    def _begin(self) -> tuple[int, int]:
        """Where its profiles begin, in pixels across and down."""
        x, y, wide, high = self._lattice.box
        return max(0, round(x - wide / 2)), max(0, round(y - high / 2))

    def _cut(self, axis: int, first: int, last: int) -> _Row:
        """The cells from one to another along an axis."""
        pitch = self._lattice.pitch[axis]
        start = self._lattice.box[axis] + first * pitch
        rim = RIM * pitch if last - first > FEW else 0.0
        off, ends = self._begin[axis], (start + rim, start + pitch * (last - first) - rim)
        low, high = (max(0, round(end) - off) for end in ends)
        return _Row(self._profiles[axis][low : max(low, high - 1)], low + off, start, pitch, last - first)


@dataclass(frozen=True, eq=False)
class _Row:
    """So many cells along an axis, about where they are, and the edges there.

    edges: float64[n], how much changes from pixel `begin` + k to the next.  start, pitch: pixels.
    """

    edges: Floats
    begin: int
    start: float
    pitch: float
    count: int

    def settled(self, shared: float | None) -> tuple[float, float]:
        """The cells' middle and their pitch: about the `shared` one, else about that with which they mirror best."""
        if len(self.edges) < SHORTEST:
            return self._middle, self.pitch
        pitch = float(self.pitches[int(self.told.argmax())]) if shared is None else shared
        start, pitch = self._bordered(self._evenly(pitch), pitch)
        return start + pitch * self.count / 2, pitch

    @cached_property
    def _at(self) -> Floats:
        """float64[n]: where the edges are, in pixels."""
        return np.arange(len(self.edges), dtype=np.float64) + (self.begin + 1.0)

    @property
    def _middle(self) -> float:
        return self.start + self.pitch * self.count / 2

    @cached_property
    def pitches(self) -> Floats:
        """float64[p]: the pitches that the cells may have."""
        slip = SHIFT / self.count
        return self.pitch * (1 + np.linspace(-slip, slip, PITCHES))

    @cached_property
    def told(self) -> Floats:
        """float64[p], up to 1: how well the cells mirror themselves with each of the pitches."""
        if len(self.edges) < SHORTEST:
            return np.ones(len(self.pitches))
        told = self._mirrored.max(axis=1)
        return np.asarray(told / max(1e-9, told.max()))

    @cached_property
    def _mirrored(self) -> Floats:
        """float64[p, TURNS]: how well the edges of cells mirror themselves about their middles, by pitch and turn.

        Cells are drawn alike to both sides of their middle, each in its own way: what one shows tells nothing of the
        next one but where that is.
        """
        pitch = self.pitch
        edges = cv2.GaussianBlur(self.edges[None], (0, 0), max(0.6, BLUR * pitch))[0]
        off, far = np.arange(self.count) - (self.count - 1) / 2, TURN + SHIFT / 2
        shifts = np.linspace(-far, far, 2 * TURNS)
        told = np.zeros((len(self.pitches), TURNS))
        for cell in off:
            middle = self._middle + cell * pitch - self._at[0]
            low, high = (int(np.clip(middle + side * OWN * pitch, 0, len(edges))) for side in (-1, 1))
            if high > low:
                own = np.convolve(edges[low:high], edges[low:high])
                at = np.interp(middle + shifts * pitch, low + np.arange(len(own)) / 2, own)
                told += np.interp(_TURNED + (cell * (self.pitches / pitch - 1))[:, None], shifts, at)
        return told

    def _evenly(self, pitch: float) -> float:
        """The start of cells of a pitch that mirror themselves best."""
        told = self._mirrored[int(np.abs(self.pitches - pitch).argmin())]
        return self._middle + float(_TURNED[int(told.argmax())]) * self.pitch - pitch * self.count / 2

    def _bordered(self, start: float, pitch: float) -> tuple[float, float]:
        """Start and pitch from the middles of the edges about the borders between two cells.

        As given where most of the edges lie elsewhere.
        """
        at, edges, borders = self._at, self.edges, np.arange(1, self.count)
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


def edges_in(pixels: Pixels, box: Box) -> tuple[Floats, Floats]:
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


def common(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> float | None:
    """The pitch for which most speaks along both axes, where nearly as much does so along each as for any.

    one, other: pitches, ascending, and how much speaks for each, up to 1.
    """
    low, high = max(one[0][0], other[0][0]), min(one[0][-1], other[0][-1])
    if low > high:
        return None
    pitches = np.linspace(low, high, max(len(one[0]), len(other[0])))
    told = np.stack([np.interp(pitches, *each) for each in (one, other)])
    best = int(told.sum(axis=0).argmax())
    return float(pitches[best]) if told[:, best].min() >= NEARLY else None
