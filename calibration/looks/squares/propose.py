"""Where a Blokus board may be: on nets of equal blobs, in fields that lines divide, in squares that edges enclose."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import straight
from calibration.board import Lattice
from calibration.frame import Box
from calibration.lines import aligned, profiles
from calibration.look import Proposal
from calibration.looks.squares.board import (
    SIZES,
    drawn_lines,
    read_board,
)
from calibration.mesh import grown
from calibration.scene import Scene

CLOSED = 0.6
"""The share of a board's own border that is drawn at least; its ground may be the page's on one side."""

ALIGNED = 0.3
"""How much more of the edges inside a field lies on the lines that divide it than chance puts there: 0.1 by chance."""

ENCLOSED, DIVIDED = 24, 4
"""Enclosed squares that are looked into, and how many divisions of them are read: of a grid any part is a square."""

SPARE = 8
"""Rows and columns around a net that may belong to the board, too."""

BLANK = 0.002
"""The share of a bare field's pixels that are edges at most: the rims of two start marks are half of it."""


def proposals_on(scene: Scene, lattice: Lattice, drawn: float, *, named: bool) -> Iterator[Proposal]:
    """The proposal on a lattice, if it can be read as a board at all.

    Where nobody named the game, a bare net is one only if the network does not take it for another game's.
    """
    board = read_board(scene, lattice, drawn)
    if board is not None and (named or board.pieces or scene.may_show(board.look)):
        yield board.proposal(scene, named=named)


def field_lattices(scene: Scene) -> Iterator[Lattice]:
    """The division of each large square field."""
    for field in _fields(scene):
        if abs(field.width / field.height - 1) <= 0.04:
            yield from (lattice for _, lattice in _divided(scene, field))


def enclosed_lattices(scene: Scene) -> Iterator[Lattice]:
    """The best divisions of the squares that long edges enclose, large ones before the parts of them."""
    found = [part for field in islice(straight.squares(scene), ENCLOSED) for part in _divided(scene, field)]
    found.sort(key=lambda part: -part[0] * part[1].box.width)
    yield from (lattice for _, lattice in found[:DIVIDED])


def blob_lattices(scene: Scene) -> Iterator[tuple[Lattice, float]]:
    """Squares of a usual size on every net of equal blobs, with the share of the net's edges that lie inside."""
    tried: list[Lattice] = []
    for repeat in scene.repeats[:5]:
        across, down = repeat.lattice.pitch
        known = any(_alike(repeat.lattice, other) for other in tried)
        if 0.95 <= across / down <= 1.05 and repeat.count >= 10 and not known:
            tried.append(repeat.lattice)
            yield from _squares(scene, repeat.lattice)


def _fields(scene: Scene) -> list[Box]:
    """The boxes of large even blobs."""
    return [Box(*map(float, box)) for box in scene.closed.fields]


def _divided(scene: Scene, field: Box) -> Iterator[tuple[float, Lattice]]:
    """The division of a large square blob into squares on whose lines the edges inside it lie, and how well they do.

    See `calibration.lines.aligned`; no division at all where they lie anywhere.
    """
    across, down = profiles(scene, field)
    if min(across.sum(), down.sum()) < 4 * 13:
        return
    gain, side = max(
        (min(aligned(across, field.width, side), aligned(down, field.height, side)), side) for side in SIZES
    )
    if gain >= ALIGNED:
        yield gain, Lattice.dividing(field, side, side)


def bare_fields(scene: Scene) -> Iterator[Lattice]:
    """The largest square field, cut as an empty board for two players is."""
    side = 14
    square = [box for box in _fields(scene) if abs(box.width / box.height - 1) <= 0.02 and box.width >= 13 * side]
    for box in sorted(square, key=lambda box: -box.width)[:1]:
        yield Lattice.dividing(box, side, side)


def is_smooth(scene: Scene, lattice: Lattice) -> bool:
    """Whether a field has hardly an edge inside: a start mark or two."""
    across, down = profiles(scene, lattice.box)
    return bool(max(across.sum(), down.sum()) <= BLANK * len(across) * len(down))


def _alike(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices have one pitch and phase, and about one place."""
    if abs(one.pitch[0] / other.pitch[0] - 1) > 0.01:
        return False
    steps = ((one.origin.x - other.origin.x) / other.pitch[0], (one.origin.y - other.origin.y) / other.pitch[1])
    return all(abs(step - round(step)) < 0.15 and abs(step) < 25 for step in steps)


def _squares(scene: Scene, net: Lattice) -> Iterator[tuple[Lattice, float]]:
    """The squares of a usual size that hold most of the net's edges and whose own border is drawn."""
    wide = grown(scene, net, SPARE)
    if max(wide.rows, wide.cols) > 60:
        return
    sums_u, sums_l = (cv2.integral(part.astype(np.uint8)).astype(np.int64) for part in drawn_lines(scene, wide))
    everything = int(sums_u[-1, -1] + sums_l[-1, -1])
    found = []
    for side, usual in SIZES.items():
        if side > min(wide.rows, wide.cols):
            continue
        inside = _sums(sums_u, side, side + 1) + _sums(sums_l, side + 1, side)
        beside, below = _sums(sums_u, side, 1), _sums(sums_l, 1, side)
        border = beside[:, : -side or None] + beside[:, side:] + below[: -side or None] + below[side:]
        closed = border / (4 * side)
        worth = inside / max(1, everything) * closed**2 * usual**0.3
        worth[closed < CLOSED] = 0
        for place in np.argsort(-worth, axis=None)[:2]:
            row, col = np.unravel_index(place, worth.shape)
            if worth[row, col] > 0:
                share = float(inside[row, col]) / everything
                found.append((float(worth[row, col]), share, side, int(row), int(col)))
    found.sort(reverse=True)
    for _, share, side, row, col in found[:3]:
        yield wide.part(row, col, side, side), share


def _sums(sums: NDArray[np.int64], high: int, wide: int) -> NDArray[np.int64]:
    """The sum over every rectangle of that height and width, from an integral picture."""
    return sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
