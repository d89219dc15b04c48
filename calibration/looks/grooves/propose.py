"""Where a Quoridor board may be: on lattices of equal blobs with room between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Pixel, Pixels
from calibration.looks.grooves.board import NARROWEST, SIZES, WIDEST, GroovedBoard
from calibration.repeats import Repeat
from calibration.scene import Scene

BLURRED, FAINTEST = 2.0, 6.0
"""Pixels by which a groove must look narrower than blobs say, or beside its place, to be taken so; and the least change
that is a groove."""

FOUND = 0.6
"""The share of the cells that are found as blobs at least, where no others are: walls may hide some."""

LIKE, GOES_ON = 24.0, 0.75
"""How far, in the channel that differs most, a cell or a groove may lie off the others' colour; and the share of those
round a board that must look so where it goes on there: on some stand pawns, walls and marks."""

GUESSES = 3
"""How many widths of the grooves are tried where a person points at a board."""


def likely_gaps(scene: Scene, lattice: Lattice) -> list[tuple[float, float]]:
    """The likeliest widths of the grooves: where, beside the cells' middles, most edges run on both sides."""
    x, y, width, height = (round(value) for value in lattice.box)
    part = np.s_[max(0, y) : max(1, y + height), max(0, x) : max(1, x + width)]
    bins = np.linspace((1 - WIDEST) / 2, (1 - NARROWEST) / 2, 25)
    edges = np.zeros(len(bins) - 1)
    for axis, profile in enumerate((scene.upright[part].mean(axis=0), scene.level[part].mean(axis=1))):
        places = (np.arange(len(profile)) + max(0, (x, y)[axis]) - lattice.origin[axis]) / lattice.pitch[axis]
        edges += np.histogram(np.abs(places - np.rint(places)), bins, weights=profile)[0]
    best = np.argsort(-edges, kind="stable")[:GUESSES]
    shares = 1 - (bins[best] + bins[best + 1])
    return [(float(share) * lattice.pitch[0], float(share) * lattice.pitch[1]) for share in shares]


def usual_squares(repeat: Repeat) -> Iterator[tuple[Lattice, float]]:
    """The usual squares laid over a lattice, the best filled first, with the share of filled places."""
    lattice, count = repeat.lattice, repeat.count
    if not 0.5 <= lattice.pitch[0] / lattice.pitch[1] <= 2.0:
        return
    found = []
    for side in SIZES:
        tops, lefts = repeat.parts(side, side)
        counts = repeat.inside(tops, lefts, side, side)
        for inside, top, left in np.stack([counts, tops, lefts], axis=-1).reshape(-1, 3).tolist():
            found.append((2.5 * inside - 1.5 * count - 0.8 * side * side, inside, side, top, left))
    found.sort(reverse=True)
    for place, (worth, inside, side, top, left) in enumerate(found[:2]):
        if worth > 0 or (place == 0 and inside == count and inside >= FOUND * side * side):
            gap = (lattice.pitch[0] - repeat.size[0], lattice.pitch[1] - repeat.size[1])
            yield replace(lattice.part(top, left, side, side), gap=gap), inside / side**2


def open_rim(pixels: Pixels, board: GroovedBoard) -> Lattice | None:
    """The lattice of `board` with the cells round it, where its grooves go on between these; None where they end.

    Without a frame the cells at the rim go over into what is round the board, and are no blobs.
    """
    wider, ring = board.lattice.ringed, board.lattice.rows + 1
    if wider.rows not in SIZES:
        return None
    (x, y), (across, down) = wider.origin, wider.pitch
    rims = [(at, side) for side in (0, ring) for at in np.arange(ring + 1.0)]
    gaps = [(at + 0.5, side) for at, side in rims if at < ring]
    cell, groove = (np.array(colour, dtype=np.float32) for colour in board.palette[:2])

    def share(places: list[tuple[float, int]], like: NDArray[np.float32], unlike: NDArray[np.float32]) -> float:
        at = np.array([*places, *((second, first) for first, second in places)])
        columns = np.clip(np.rint(x + across * at[:, 0]), 0, pixels.shape[1] - 1).astype(np.intp)
        rows = np.clip(np.rint(y + down * at[:, 1]), 0, pixels.shape[0] - 1).astype(np.intp)
        seen = pixels[rows, columns].astype(np.float32)
        near = np.abs(seen - like).max(axis=1)
        return float(((near < np.abs(seen - unlike).max(axis=1)) & (near <= LIKE)).mean())

    return wider if min(share(rims, cell, groove), share(gaps, groove, cell)) >= GOES_ON else None


def narrowed(pixels: Pixels, lattice: Lattice) -> Lattice:
    """`lattice` with grooves as narrow as they look, and where: a blurred or half shaded cell is a smaller blob."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    seen = (
        _groove(pixels.swapaxes(0, 1), lattice.cols, (x, y), (across, down)),
        _groove(pixels, lattice.rows, (y, x), (down, across)),
    )
    told = [
        (new, off if abs(off) > BLURRED else 0.0) if new < old - BLURRED else (old, 0.0)
        for old, (new, off) in zip(lattice.gap, seen, strict=True)
    ]
    (wide, right), (high, below) = told
    return replace(lattice.moved(Pixel(right, below)), gap=(wide, high))


def _groove(pixels: Pixels, count: int, origin: tuple[float, float], pitch: tuple[float, float]) -> tuple[float, float]:
    """How many pixels high the grooves between `count` rows of as many cells are, and how far below their middles.

    They are where most differs from the cells.  origin, pitch: of the lattice, down and along.
    """
    reach = round(pitch[0] / 3)
    rows = _rows_about(pixels, count, origin[0], pitch[0], reach)
    places = origin[1] + pitch[1] * (np.arange(count)[:, None] + np.array([-0.15, 0.0, 0.15])).ravel()
    columns = np.clip(np.floor(places).astype(np.intp), 0, pixels.shape[1] - 1)
    strips = pixels[rows[:, :, None], columns].astype(np.float32)
    beside = (strips[:, :1] + strips[:, -1:]) / 2
    change = np.median(np.abs(strips - beside).max(axis=3), axis=(0, 2))
    high = np.flatnonzero(change > max(FAINTEST, 0.5 * float(change.max())))
    return (float(high[-1] - high[0] + 1), float(high[-1] + high[0]) / 2 - reach) if len(high) else (float("inf"), 0.0)


def _rows_about(pixels: Pixels, count: int, origin: float, pitch: float, reach: int) -> NDArray[np.intp]:
    """intp[count - 1, 2 * reach + 1]: the rows of pixels about the middle between each two of `count` rows of cells."""
    middles = np.floor(origin + pitch * (np.arange(count - 1) + 0.5)).astype(np.intp)
    return np.asarray(np.clip(middles[:, None] + np.arange(-reach, reach + 1), 0, len(pixels) - 1), dtype=np.intp)
