"""Segmentation of a piece under the pointer: half clear, told from rings, handles and whatever it lies over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.drag.hypotheses import AREA, CHANGED, PALE
from calibration.cell_patches import ZONES
from calibration.regions import labels_of
from games.polyominoes import LARGEST, Shape

FULL = 0.7
"""The share of its cells that a piece covers: gaps and round corners take the rest, handles round it are thinner."""

ALIKE = 30.0
"""How much the cells of one piece in hand differ: it is half clear, and lies over a chequer."""


AWAY = 2.0
"""Cells by which a piece in hand may lie beside the pointer: some pages show it a cell or so away, to be seen."""


@dataclass(frozen=True, slots=True)
class PieceSegment:
    """A piece under the pointer as it shows.

    form: its cells.  top, left: where its top left corner is, in cells and parts of one.
    contrast: how much it changes the colour of what it lies over.
    """

    form: Shape
    top: float
    left: float
    contrast: float


def segment_piece(
    base: NDArray[np.float32], now: NDArray[np.float32], count: int, *, held: tuple[float, float] | None = None
) -> PieceSegment | None:
    """The piece in one colour among what changed from `base` to `now`; None where there is none.

    Of several the one in most contrast to what was there: handles and rings round a piece are paler. It has `count`
    cells, unless there is none so large. A half clear piece that lies over several colours shows in several: what
    hangs together and is a piece of `count` cells is one, then, without the cell under the pointer where that is lit.
    held: where the pointer is, in cells: a piece in hand is near it, and what changed elsewhere is none.
    base, now: float32[ZONES * rows, ZONES * cols, 3], as finely as a piece may lie between cells.
    """
    change = np.abs(now - base).max(axis=2)
    found: list[PieceSegment] = []
    for zones in _patches(change > CHANGED, now, ALIKE):
        segments = (_piece_of(zones, size, change) for size in range(1, LARGEST + 1))
        found += [segment for segment in segments if segment is not None and _near(segment, held)]
    most = max((segment.contrast for segment in found), default=0.0)
    strong = [segment for segment in found if segment.contrast >= PALE * most]
    best = max(strong, key=lambda segment: (len(segment.form) == count, len(segment.form)), default=None)
    if best is None or len(best.form) != count:
        changed = change > CHANGED
        whole = [changed, *([] if held is None else [changed & ~_lit_at(held, now, change)])]
        whole += [change > PALE * np.median(change[changed])] if changed.any() else []  # without its shadow
        mixed = (_piece_of(zones, count, change) for each in whole for zones in _patches(each, now, np.inf))
        return next((segment for segment in mixed if segment is not None and _near(segment, held)), best)
    return best


def _lit_at(held: tuple[float, float], now: NDArray[np.float32], change: NDArray[np.float32]) -> NDArray[np.bool_]:
    """The zones of the cell under the pointer, where that is lit and has another colour than what shows round it."""
    rows, cols = np.indices(change.shape)
    at = (rows // ZONES == int(held[0])) & (cols // ZONES == int(held[1]))
    inner = np.isin(rows % ZONES, (0, ZONES - 1), invert=True) & np.isin(cols % ZONES, (0, ZONES - 1), invert=True)
    lit, others = (now[inner & (change > CHANGED) & where] for where in (at, ~at))
    told = bool(len(lit) and len(others)) and np.abs(np.median(lit, axis=0) - np.median(others, axis=0)).max() > CHANGED
    return np.asarray(at & bool(told))


def _near(segment: PieceSegment, held: tuple[float, float] | None) -> bool:
    """Whether a piece that shows so may be the one that the pointer holds."""
    if held is None:
        return True
    (top, left), high, wide = held, *(1 + max(cell[axis] for cell in segment.form) for axis in (0, 1))
    return segment.top - AWAY <= top <= segment.top + high + AWAY and (
        segment.left - AWAY <= left <= segment.left + wide + AWAY
    )


def _patches(changed: NDArray[np.bool_], now: NDArray[np.float32], alike: float) -> Iterator[NDArray[np.intp]]:
    """The changed zones, intp[n, 2], that hang together, neighbours of `alike` colours."""
    across, down = (np.abs(np.diff(now, axis=axis)).max(axis=2) <= alike for axis in (1, 0))
    labels = labels_of(changed, across, down)[changed]
    order = np.argsort(labels, kind="stable")
    yield from np.split(np.argwhere(changed)[order], np.flatnonzero(np.diff(labels[order])) + 1)


def _piece_of(zones: NDArray[np.intp], count: int, change: NDArray[np.float32]) -> PieceSegment | None:
    """The piece that covers these zones; None where they are no `count` cells."""
    if not FULL * count <= len(zones) / AREA <= 1.1 * count:
        return None
    extent = np.ptp(zones, axis=0) + 1
    top, left = zones.min(axis=0) - (np.maximum(1, np.rint(extent / ZONES)) * ZONES - extent) / 2
    places, filled = np.unique(((zones - (top, left)) // ZONES).astype(int), axis=0, return_counts=True)
    cells = places[filled >= FULL / 2 * AREA]
    if len(cells) != count:
        return None
    form = tuple((int(row), int(col)) for row, col in cells)
    contrast = float(np.median(change[zones[:, 0], zones[:, 1]]))
    return PieceSegment(form, float(top) / ZONES, float(left) / ZONES, contrast)
