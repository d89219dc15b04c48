"""Where a Connect Four board may be: on lattices of equal blobs and between evenly spaced lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.look import Proposal
from calibration.looks.discs.board import (
    ABOVE,
    GOES_ON,
    LINED,
    MOST,
    SIZES,
    DiscBoard,
    LatticeWindow,
    read_board,
    window_at,
)
from calibration.places import SHOWN
from calibration.repeats import Repeat
from calibration.scene import Scene

UNSEEN = 0.15
"""How much less a rectangle of places counts that shows no blobs: of two nearly as likely one shows more of them."""

TOUCHING, SQUARE = 0.9, 0.81
"""Pitches that cells are wide between which only lines lie; and the share of their boxes that they fill: discs 0.79."""

LIKELY, SURE = 0.5, 0.9
"""The confidence from which a larger board of lines is taken for the one that a part of it was found of; and any."""

CERTAIN = 0.99
"""The confidence from which no other rectangle on a lattice is looked at, if none shows more blobs."""

RECTANGLES = 6
"""Rectangles of usual sizes tried on a lattice: the right one was among the first four wherever it was found."""

STRAYS = 0.3
"""The share of an outer row's places that show a blob at most where the row is none of the board's."""


def best_board_on(scene: Scene, repeat: Repeat, *, named: bool) -> Iterator[Proposal]:
    """The likeliest board on a lattice."""
    places = _rectangles(repeat)
    most = max((window.count for window in places), default=0.0)
    read: list[tuple[Proposal, DiscBoard]] = []
    for window in places:
        stack = read_board(scene, window)
        if stack is not None:
            read.append((stack.proposal(scene, named=named), stack))
            if read[-1][0].confidence >= CERTAIN and window.count == most and max(stack.sides) <= GOES_ON:
                break
    if read:
        yield _likeliest(scene, read, named=named)


def _likeliest(scene: Scene, read: list[tuple[Proposal, DiscBoard]], *, named: bool) -> Proposal:
    """The likeliest of the boards on one lattice, or what each of them is a part of."""
    most = max(stack.seen * stack.grid.size for _, stack in read)
    shares = [1 - UNSEEN * (1 - stack.seen * stack.grid.size / most) for _, stack in read]
    ranked = sorted(zip(shares, read, strict=True), key=lambda one: -one[0] * one[1][0].confidence)
    found: list[tuple[float, Proposal]] = []
    for share, (own, stack) in ranked:
        other = _likelier(scene, own, stack, named=named)
        found.append((share * other.confidence, other))
        if other.confidence >= CERTAIN:
            break
    return max(found, key=lambda one: one[0])[1]


def _likelier(scene: Scene, own: Proposal, stack: DiscBoard, *, named: bool) -> Proposal:
    """The larger board that `stack` is a part of, where that may be one, or `own`: a row for dropping is lined, too."""
    other = whole_board(scene, stack)
    if other is stack:
        return own
    found = other.proposal(scene, named=named)
    least = LIKELY if stack.lined > LINED else min(own.confidence, SURE)
    return found if found.confidence > least else own


def whole_board(scene: Scene, stack: DiscBoard) -> DiscBoard:
    """`stack`, or the larger board that it is a part of: where places like its own go on, and the lines between them.

    A few of the places that it has more may be odd: a pointer lies there.
    """
    while max(stack.grid.shape) <= MOST:
        top, foot, left, right = (int(side > GOES_ON) for side in stack.sides)
        top &= stack.lined > LINED or stack.sides[0] > ABOVE
        if not (top or foot or left or right):
            break
        larger = read_board(scene, stack.window.grown(top, foot, left, right))
        if larger is None or larger.lined <= LINED < stack.lined:
            break
        more = larger.grid.size - stack.grid.size
        if larger.odd * larger.grid.size - stack.odd * stack.grid.size > (1 - GOES_ON) * more:
            break
        stack = larger
    return stack


def _rectangles(repeat: Repeat) -> list[LatticeWindow]:
    """The usual sizes on a lattice where most of its blobs fall inside."""
    lattice, count = repeat.lattice, repeat.count
    if not 0.6 <= lattice.pitch[0] / lattice.pitch[1] <= 1.6:
        return []
    # of two places that are as good the one is tried first on whose floor the lowest blobs lie
    found: list[tuple[float, int, int, int, int, int]] = []
    for (rows, cols), usual in SIZES.items():
        tops, lefts = repeat.parts(rows, cols)
        inside = repeat.inside(tops, lefts, rows, cols)
        worth = inside - 0.8 * (count - inside) - 0.7 * (rows * cols - inside) + 25 * usual
        worth[_overlaps(repeat, tops, lefts, rows, cols)] = 0
        for place in np.argwhere(worth > 0):
            top, left = int(tops[*place]), int(lefts[*place])
            found.append((float(worth[*place]), -abs(top - lattice.rows + rows), rows, cols, top, left))
    found.sort(reverse=True)
    chosen = [window_at(repeat, -1, -1, lattice.rows + 2, lattice.cols + 2)] if _inner(repeat) else []
    of_size: Counter[tuple[int, int]] = Counter()
    for _, _, rows, cols, top, left in found:
        if of_size[rows, cols] < 2 and len(chosen) < RECTANGLES:
            of_size[rows, cols] += 1
            chosen.append(window_at(repeat, top, left, rows, cols))
    return chosen


def _inner(repeat: Repeat) -> bool:
    """Whether all cells between lines may be the inner ones of a board of a usual size without outer lines."""
    rows, cols = repeat.lattice.rows + 2, repeat.lattice.cols + 2
    return (rows, cols) in SIZES and repeat.filled.mean() >= SHOWN and _touching(repeat)


def _touching(repeat: Repeat) -> bool:
    """Whether nothing but lines lies between the blobs: they are no discs."""
    shares = [side / pitch for side, pitch in zip(repeat.size, repeat.lattice.pitch, strict=True)]
    return min(shares) >= TOUCHING and repeat.full >= SQUARE


def _overlaps(
    repeat: Repeat, tops: NDArray[np.intp], lefts: NDArray[np.intp], rows: int, cols: int
) -> NDArray[np.bool_]:
    """Whether the top row or a side has hardly a blob where all the rest has them: numbers, arrows, a legend.

    The lowest row is not asked: it fills first, with pieces that may be no blobs.  tops, lefts: of each rectangle.
    """
    inside, lattice = repeat.inside(tops, lefts, rows, cols), repeat.lattice
    high, wide = np.full_like(tops, rows), np.full_like(lefts, cols)
    if not _touching(repeat):  # else the outermost cells may lie between lines on three sides, and be no blobs
        high = np.minimum(tops + rows, lattice.rows) - np.maximum(tops, 0)  # beyond the lattice there are no blobs
        wide = np.minimum(lefts + cols, lattice.cols) - np.maximum(lefts, 0)
    doubted = np.zeros(tops.shape, dtype=bool)
    for count, length, on_lattice in (
        (repeat.inside(tops, lefts, 1, cols), cols, wide * (tops >= 0)),
        (repeat.inside(tops, lefts, rows, 1), rows, high * (lefts >= 0)),
        (repeat.inside(tops, lefts + cols - 1, rows, 1), rows, high * (lefts + cols <= lattice.cols)),
    ):
        doubted |= (count <= STRAYS * length) & (inside - count >= SHOWN * (high * wide - on_lattice))
    return doubted
