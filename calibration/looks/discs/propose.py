"""Where a Connect Four board may be: on lattices of equal blobs and between evenly spaced lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.look import Proposal
from calibration.looks.discs.board import SIZES, LatticeWindow, read_board, window_at
from calibration.places import SHOWN
from calibration.repeats import Repeat
from calibration.scene import Scene

UNSEEN = 0.15
"""How much less a rectangle of places counts that shows no blobs: of two nearly as likely one shows more of them."""

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
    found: list[tuple[float, Proposal]] = []
    for window in places:
        board = read_board(scene, window)
        if board is not None:
            found.append((board.seen * board.grid.size, board.proposal(scene, named=named)))
            if found[-1][1].confidence >= CERTAIN and window.count == most:
                break
    if found:
        shown = max(found, key=lambda one: one[0])[0]
        yield max(found, key=lambda one: (1 - UNSEEN * (1 - one[0] / shown)) * one[1].confidence)[1]


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
    chosen: list[LatticeWindow] = []
    of_size: Counter[tuple[int, int]] = Counter()
    for _, _, rows, cols, top, left in found:
        if of_size[rows, cols] < 2 and len(chosen) < RECTANGLES:
            of_size[rows, cols] += 1
            chosen.append(window_at(repeat, top, left, rows, cols))
    return chosen


def _overlaps(
    repeat: Repeat, tops: NDArray[np.intp], lefts: NDArray[np.intp], rows: int, cols: int
) -> NDArray[np.bool_]:
    """Whether the top row or a side has hardly a blob where all the rest has them: numbers, arrows, a legend.

    The lowest row is not asked: it fills first, with pieces that may be no blobs.  tops, lefts: of each rectangle.
    """
    inside, lattice = repeat.inside(tops, lefts, rows, cols), repeat.lattice
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
