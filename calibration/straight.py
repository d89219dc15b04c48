"""What long straight edges make: the squares they enclose, and the nets that evenly spaced lines weave.

Both are found wherever else the lines go on or end: a frame, a tray, a banner may touch a board, and the net of a game
drawn as noughts and crosses is has no outer lines at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Box, Pixel
from calibration.scene import FIELD, OUTLINED, Mask, Scene

GAP = 9
"""Pixels. Gaps in a line up to so long are closed: a cursor's tip, a rounded corner, the blur of JPEG."""

RUN = 60
"""Pixels of an edge without a larger gap that make a line: half a side of the smallest field, three cells of a net."""

MOST_LINES = 60
"""Lines looked at in each direction, the longest: a page has 10 to 40."""

SQUARE = 0.02
"""How much, as a share, the sides may differ."""

SAME = 2
"""Pixels. Squares whose sides lie no further apart are one: a frame of 3 pixels has an inside and an outside."""

DASH = 13
"""Pixels. Gaps so long are closed in a net's lines: where others cross them, and between dashes."""

LEVEL = 0.3
"""How far, in pitches, the lines of a net may begin and end beside each other."""

STEADY, ROUNDED = 0.03, 1.5
"""How far, in pitches or in pixels, a line of a net may lie from its place; a window's side lies somewhere."""

MOSTLY = 0.7
"""A line lies in the columns with so many of the edges that the fullest one has, as a share."""

DASHES = 0.25
"""The share of a line that is drawn at least: of dashes a third is, of the sides of stones in a row a sixth."""

FEWEST_LINES, MOST_SEGMENTS = 3, 400
"""Lines that show a pitch, and straight edges followed in each direction: a page of tables has 200.

Two lines do that where others cross them in the middle, as far from their ends as from each other.
"""


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
    broad, long = _runs(edges, GAP)
    runs = long.sum(axis=0, dtype=np.int32)
    own = edges.sum(axis=0, dtype=np.int32)
    worth = np.where(runs > 0, own, 0)
    beside = np.pad(worth, 1)
    peaks = np.flatnonzero((worth > 0) & (worth >= beside[:-2]) & (worth > beside[2:]))
    columns = np.sort(peaks[np.argsort(-runs[peaks], kind="stable")[:MOST_LINES]])
    return columns, np.vstack([np.zeros((1, len(columns)), np.int32), broad[:, columns].cumsum(axis=0, dtype=np.int32)])


def _runs(edges: Mask, gap: int) -> tuple[Mask, Mask]:
    """The edges, a pixel broader on both sides; and what of them runs down for RUN pixels with no longer `gap`."""
    broad = cv2.dilate(edges, np.ones((1, 3), np.uint8))  # smoothed by a browser's zoom a line wavers by a pixel
    closed = cv2.morphologyEx(broad, cv2.MORPH_CLOSE, np.ones((gap, 1), np.uint8))
    long = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((RUN, 1), np.uint8))
    return np.asarray(broad, dtype=np.uint8), np.asarray(long, dtype=np.uint8)


def _pairs(at: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The numbers of all pairs of lines that lie FIELD or more apart."""
    first, second = np.nonzero(at[None] - at[:, None] >= FIELD)
    return first, second


def nets(scene: Scene) -> Iterator[Lattice]:
    """The cells between evenly spaced lines; those beyond the outermost ones, too, as far as the crossing lines go."""
    upright = list(_spaced_lines(scene.upright))
    level = list(_spaced_lines(np.ascontiguousarray(scene.level.T)))
    for (columns, (top, bottom)), (lines, (left, right)) in product(upright, level):
        across, cols, x = _cells(*columns, left, right)
        down, rows, y = _cells(*lines, top, bottom)
        if cols and rows and 0.7 <= across / down <= 1.4:
            yield Lattice(Pixel(x + across / 2, y + down / 2), (across, down), rows, cols)


Ends = tuple[float, float]

Strokes = tuple[NDArray[np.float64], NDArray[np.float64]]
"""float64[n], float64[n]: where lines lie, and how broad they are."""


def _spaced_lines(edges: Mask) -> Iterator[tuple[Strokes, Ends]]:
    """Lines down the picture that begin and end beside each other, and the ends they share."""
    boxes = cv2.connectedComponentsWithStats(_runs(edges, DASH)[1], connectivity=8)[2][1:].astype(np.float64)
    boxes = boxes[boxes[:, 2] <= DASH][:MOST_SEGMENTS]
    seen = np.array([_middle(edges, box.astype(int)) for box in boxes]).reshape(-1, 2)
    left = np.column_stack([seen[:, 0], boxes[:, 1], boxes[:, 1] + boxes[:, 3]])[seen[:, 1] >= DASHES]
    while len(left) > 1:
        longest = left[np.argmax(left[:, 2] - left[:, 1])]
        beside = np.abs(left[:, 1:] - longest[1:]).max(axis=1) <= LEVEL * (longest[2] - longest[1]) / FEWEST_LINES
        lines = _merged(np.sort(left[beside, 0]))
        if len(lines[0]) > 1:
            yield lines, (float(np.median(left[beside, 1])), float(np.median(left[beside, 2])))
        left = left[~beside]


def _middle(edges: Mask, box: NDArray[np.intp]) -> tuple[float, float]:
    """Where the line in `box` lies: where most edges do, for something short may touch it; the share that is drawn."""
    x, y, width, height = box[:4]
    counts = edges[y : y + height, x : x + width].sum(axis=0, dtype=np.float64)
    along = np.flatnonzero(counts >= MOSTLY * counts.max())
    return float(x + (along[0] + along[-1]) / 2), float(counts.max() / height)


def _merged(at: NDArray[np.float64]) -> Strokes:
    """Lines, ascending, of which each may have two edges."""
    parts = [part for part in np.split(at, np.flatnonzero(np.diff(at) > DASH) + 1) if len(part)]
    ends = np.array([(part[0], part[-1]) for part in parts]).reshape(-1, 2)
    return ends.mean(axis=1), np.ptp(ends, axis=1)


def _cells(
    lines: NDArray[np.float64], broad: NDArray[np.float64], first: float, last: float
) -> tuple[float, int, float]:
    """The pitch of cells between `lines`, how many lie from `first` to `last`, and where they begin; 0 if none.

    Half of the lines may be missing: something beside the board goes on where they end.
    """
    steps = np.diff(lines)
    if len(lines) < FEWEST_LINES and abs(last - first - FEWEST_LINES * steps[0]) > LEVEL * steps[0]:
        return 0.0, 0, 0.0
    usual = _spaced(lines, broad, first, last, float(np.median(steps)))
    return usual if usual[1] else _spaced(lines, broad, first, last, float(steps.min()))


def _spaced(
    lines: NDArray[np.float64], broad: NDArray[np.float64], first: float, last: float, pitch: float
) -> tuple[float, int, float]:
    """The same, about `pitch` apart; a broad line, such as the rim of a board, tells less of where cells end."""
    apart = (lines[:, None] - lines) / pitch
    reach = np.maximum(max(ROUNDED, STEADY * pitch), broad / 2)
    beside = np.abs(apart - np.rint(apart)) * pitch <= np.maximum(reach, reach[:, None])
    one = int(beside.sum(axis=1).argmax())
    places, steady = -apart[one], beside[one]
    if steady.sum() < max(2, 0.8 * len(lines)):
        return 0.0, 0, 0.0
    worth = 1 / (1 + broad[steady])
    pitch, start = (float(value) for value in np.polyfit(np.rint(places[steady]), lines[steady], 1, w=worth))
    before, after = (start - first) / pitch, (last - start) / pitch
    even = abs(before - round(before)) <= LEVEL and abs(after - round(after)) <= LEVEL
    count = round(before) + round(after)
    return pitch, count if even and count > 0 else 0, start - round(before) * pitch
