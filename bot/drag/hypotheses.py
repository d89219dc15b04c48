"""Where a piece in hand may lie: every place of every form that explains a picture, found by laying it there.

A piece over others of its own colour shows in part only. What shows still tells where it may lie and where it cannot:
nothing outside of it has changed to its colour, and nothing under it has another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.cell_patches import ZONES
from games.core import Carry, Cell
from games.polyominoes import LARGEST, Shape, shape_of

OWN = 40.0
"""How far a colour may lie from the piece's to be taken for it: a ring that makes what it lies over paler takes one of
Pentobi's colours 64 away."""

EVIDENCE = 0.5
"""Cells of a piece that must show at least."""

WRONG = 0.2
"""The part of a piece's cells that may look otherwise than it should: lines between cells, edges between zones."""

WORSE = 0.4
"""Cells by which a hypothesis may explain the picture worse than the best: a fifth one is seen or not by a whole."""

ASIDE = 2
"""Zones by which two hypotheses of one form differ at least: those between them are the same one."""

MOST = 300
"""Placements at most: so many remain where next to nothing shows."""

AREA = ZONES**2

REACH = 2
"""How many cells a piece reaches from the one it is held by, where that is the nearest to its middle."""

PLACES = 3
"""Open places at which a piece in hand is looked for, before the one where it shall lie."""

CHANGED = 10.0
"""How much a cell's colour changes, in the channel that differs most, where a piece is shown over it."""

PALE = 0.6
"""The part of a piece's contrast below which something is no piece."""

STEPS = (0.06, 0.02)
"""Cells by which a hypothesis is moved to and fro while it fits better, the last one a part of a pixel."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One place of one form that explains the picture.

    form: the piece's cells.  top, left: where its corner lies, in cells and parts of one.
    wrong: how many cells look otherwise.  shown: how many show.
    """

    form: Shape
    top: float
    left: float
    wrong: float
    shown: float

    @property
    def centre(self) -> NDArray[np.float64]:
        """float64[2]: the row and the column of its middle, the mean of its cells'."""
        return np.add((self.top, self.left), np.mean(self.form, axis=0))


def hypotheses(
    base: NDArray[np.float32], now: NDArray[np.float32], colour: NDArray[np.float32], forms: Sequence[Shape]
) -> list[Hypothesis]:
    """Every place of one of the `forms` in `colour` that explains what changed from `base` to `now`, best first.

    base, now: float32[ZONES * rows, ZONES * cols, 3].  colour: float32[3].
    """
    cover, told = covered(base, now, colour)
    shows, bare = told & (cover > 0.5), told & (cover <= 0.5)
    if shows.sum() < EVIDENCE * AREA:
        return []
    edge = LARGEST * ZONES
    balance = _boxes(np.pad(bare.astype(np.int32) - shows, edge))
    seen = _boxes(np.pad(shows.astype(np.int32), edge))
    found: list[NDArray[np.float64]] = []  # of each hypothesis: wrong, shown, the form's number, y, x
    for number, form in enumerate(forms):
        wrong = (int(shows.sum()) + _over(balance, form)) / AREA
        shown = _over(seen, form) / AREA
        at = np.nonzero((wrong <= WRONG * len(form) + 0.1) & (shown >= EVIDENCE))
        found.append(np.column_stack((wrong[at], -shown[at], np.full(len(at[0]), number), *at)))
    every = np.concatenate(found)
    every = every[every[:, 0] <= every[:, 0].min(initial=np.inf) + WORSE]
    kept: list[Hypothesis] = []
    taken: set[tuple[int, int, int]] = set()
    for much, hidden, *place in every[np.lexsort(every.T[::-1])].tolist():
        number, y, x = map(int, place)
        if (number, y, x) in taken or len(kept) == MOST:
            continue
        near = range(-ASIDE, ASIDE + 1)
        taken |= {(number, y + down, x + right) for down in near for right in near}
        kept.append(Hypothesis(forms[number], (y - edge) / ZONES, (x - edge) / ZONES, much, -hidden))
    return kept


def exactly(
    placed: Hypothesis, base: NDArray[np.float32], now: NDArray[np.float32], colour: NDArray[np.float32]
) -> Hypothesis:
    """`placed`, moved by parts of a zone to where it explains the picture best."""
    cover, told = covered(base, now, colour)
    best = (_unlike(placed.form, placed.top, placed.left, cover, told), placed.top, placed.left)
    for step in STEPS:
        while True:
            near = [
                (top, left)
                for top in (best[1] - step, best[1], best[1] + step)
                for left in (best[2] - step, best[2], best[2] + step)
            ]
            better = min((_unlike(placed.form, *each, cover, told), *each) for each in near)
            if better[0] >= best[0]:
                break
            best = better
    return Hypothesis(placed.form, best[1], best[2], placed.wrong, placed.shown)


def covered(
    base: NDArray[np.float32], now: NDArray[np.float32], colour: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """How much of each zone is covered by something of `colour`, 0 to 1, and whether it tells.

    The colour over itself does not.
    """
    before, after = np.abs(base - colour).max(axis=2), np.abs(now - colour).max(axis=2)
    other = before > OWN
    cover = np.where(other, np.clip(1 - after / np.maximum(before, 1), 0, 1), 0)
    return cover.astype(np.float32), other | (after > OWN)


def strongest(base: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """float32[3]: the colour that changed most from `base` to `now`, an opaque piece's; None where nothing changed."""
    change = np.abs(now - base).max(axis=2)
    if not (change > CHANGED).any():
        return None
    most = np.percentile(change[change > CHANGED], 95)
    return np.asarray(np.median(now[change >= PALE * most], axis=0))


def open_places(bare: NDArray[np.bool_], hold: Cell, reach: int = REACH) -> list[Cell]:
    """Where a piece in hand is held to see it whole: the cells with most bare ones round them, the nearest first.

    Over pieces of its own colour it does not show.

    bare: bool[rows, cols].  hold: where the piece shall be held in the end.  reach: how many cells it reaches from it.
    """
    round_it = np.pad(bare, reach).astype(int)
    windows = np.lib.stride_tricks.sliding_window_view(round_it, (2 * reach + 1, 2 * reach + 1)).sum(axis=(2, 3))
    away = ((np.indices(bare.shape) - np.array(hold)[:, None, None]) ** 2).sum(axis=0)
    order = np.lexsort((away.ravel(), -windows.ravel()))[:PLACES]
    return list(dict.fromkeys([*(Cell(*divmod(int(at), bare.shape[1])) for at in order), hold]))


def by_form(carried: Iterable[Carry]) -> dict[Shape, list[tuple[Cell, ...]]]:
    """The cells that pieces of each form would cover."""
    laid: dict[Shape, list[tuple[Cell, ...]]] = {}
    for each in carried:
        laid.setdefault(shape_of(each.cells), []).append(tuple(each.cells))
    return laid


def never_laid(
    cells: Collection[Cell], legal: Collection[tuple[Cell, ...]], shape: tuple[int, ...]
) -> list[tuple[Cell, ...]]:
    """The place nearest to `cells` where the same form lies on a board of this shape and not as in `legal`, if any."""
    form = np.subtract(sorted(cells), np.min(list(cells), axis=0))
    found = []
    for corner in np.ndindex(*np.subtract(shape, form.max(axis=0)).tolist()):
        place = tuple(Cell(*each) for each in (form + corner).tolist())
        if place not in legal:
            found.append(place)
    return sorted(found, key=lambda place: np.abs(np.subtract(place, sorted(cells))).sum())[:1]


def _boxes(zones: NDArray[np.int32]) -> NDArray[np.int32]:
    """The sums over every square of a cell's size, at its top left corner."""
    sums = np.pad(zones.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32), ((1, 0), (1, 0)))
    return np.asarray(sums[ZONES:, ZONES:] - sums[:-ZONES, ZONES:] - sums[ZONES:, :-ZONES] + sums[:-ZONES, :-ZONES])


def _over(boxes: NDArray[np.int32], form: Shape) -> NDArray[np.int32]:
    """The sum over the cells of `form`, at each place of its top left corner."""
    height, width = (1 + max(cell[axis] for cell in form) for axis in (0, 1))
    rows, cols = (side - ZONES * (extent - 1) for side, extent in zip(boxes.shape, (height, width), strict=True))
    total = np.zeros((rows, cols), dtype=np.int32)
    for row, col in form:
        total += boxes[ZONES * row : ZONES * row + rows, ZONES * col : ZONES * col + cols]
    return total


def _unlike(form: Shape, top: float, left: float, cover: NDArray[np.float32], told: NDArray[np.bool_]) -> float:
    """How unlike what shows is to the form lying there: the squares of the differences, in zones."""
    first = np.maximum(0, (int(np.floor(top * ZONES)) - 2, int(np.floor(left * ZONES)) - 2))
    last = first + (LARGEST + 1) * ZONES + 4
    part = np.s_[first[0] : last[0], first[1] : last[1]]
    height, width = cover[part].shape
    model = np.zeros((height, width))
    for row, col in form:
        model += np.outer(_span((top + row) * ZONES - first[0], height), _span((left + col) * ZONES - first[1], width))
    return float((((model - cover[part]) ** 2)[told[part]]).sum())


def _span(begin: float, count: int) -> NDArray[np.float64]:
    """How much of each of `count` zones lies in the ZONES from `begin` on."""
    zones = np.arange(count)
    return np.asarray(np.clip(np.minimum(zones + 1, begin + ZONES) - np.maximum(zones, begin), 0, 1))
