"""The squares that long straight edges enclose, wherever else these go on: a frame, a tray, a banner may touch one."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box
from calibration.repeats import FIELD
from calibration.scene import Mask, Scene

GAP = 9
"""Pixels. Gaps in a line up to so long are closed: a cursor's tip, a rounded corner, the blur of JPEG."""

RUN = 60
"""Pixels of an edge without a larger gap that make a line: half a side of the smallest field."""

MOST_LINES = 60
"""Lines looked at in each direction, the longest: a page has 10 to 40."""

SQUARE = 0.02
"""How much, as a share, the sides may differ."""

OUTLINED = 0.6
"""The share of each side that must be an edge."""

SAME = 2
"""Pixels. Squares whose sides lie no further apart are one: a frame of 3 pixels has an inside and an outside."""


def squares(scene: Scene) -> Iterator[Box]:
    """The squares of at least FIELD pixels whose four sides are edges, for the most part; the largest first."""
    xs, upright = _lines(scene.upright)
    ys, level = _lines(np.ascontiguousarray(scene.level.T))
    left, right = _pairs(xs)
    top, bottom = _pairs(ys)
    wide, high = xs[right] - xs[left], ys[bottom] - ys[top]
    across, down = np.nonzero(np.abs(wide[:, None] - high) <= SQUARE * high)
    left, right, top, bottom = left[across], right[across], top[down], bottom[down]
    drawn = [upright[ys[bottom], side] - upright[ys[top], side] >= OUTLINED * high[down] for side in (left, right)]
    drawn += [level[xs[right], side] - level[xs[left], side] >= OUTLINED * wide[across] for side in (top, bottom)]
    sound = np.flatnonzero(np.all(drawn, axis=0))
    taken: list[NDArray[np.int64]] = []
    for at in sound[np.argsort(-wide[across[sound]], kind="stable")]:
        sides = np.array([xs[left[at]], xs[right[at]], ys[top[at]], ys[bottom[at]]])
        if all(np.abs(sides - other).max() > SAME for other in taken):
            taken.append(sides)
            yield Box(float(sides[0]), float(sides[2]), float(sides[1] - sides[0]), float(sides[3] - sides[2]))


def _lines(edges: Mask) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The columns with long runs of edges, ascending, int64[n]; int32[height + 1, n], the edges in each above a row."""
    broad, long = _runs(edges)
    runs = long.sum(axis=0, dtype=np.int32)
    own = edges.sum(axis=0, dtype=np.int32)
    worth = np.where(runs > 0, own, 0)
    beside = np.pad(worth, 1)
    peaks = np.flatnonzero((worth > 0) & (worth >= beside[:-2]) & (worth > beside[2:]))
    columns = np.sort(peaks[np.argsort(-runs[peaks], kind="stable")[:MOST_LINES]])
    return columns, np.vstack([np.zeros((1, len(columns)), np.int32), broad[:, columns].cumsum(axis=0, dtype=np.int32)])


def _runs(edges: Mask) -> tuple[Mask, Mask]:
    """The edges, a pixel broader on both sides; and what of them runs down for RUN pixels with no longer GAP."""
    broad = cv2.dilate(edges, np.ones((1, 3), np.uint8))  # smoothed by a browser's zoom a line wavers by a pixel
    closed = cv2.morphologyEx(broad, cv2.MORPH_CLOSE, np.ones((GAP, 1), np.uint8))
    long = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((RUN, 1), np.uint8))
    return np.asarray(broad, dtype=np.uint8), np.asarray(long, dtype=np.uint8)


def _pairs(at: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The numbers of all pairs of lines that lie FIELD or more apart."""
    first, second = np.nonzero(at[None] - at[:, None] >= FIELD)
    return first, second
