"""The colours of a board: how cells fall into kinds, and how far the kinds lie apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, degrees
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.frame import Pixels

MAX_KINDS = 16
"""More colours than any flooding game has; a lattice of more is a photo, a palette or a table."""

CLOSEST = 10.0
"""RGB distance. Two kinds are never closer: noise and rounding spread one kind over up to 6."""

NEAREST = 12.0
"""RGB distance by which a cell may be off its kind, however near others lie."""

CHROMA = 60
"""How far the channels of a colour that has a hue lie apart at least."""

FARTHEST = 60.0
"""RGB distance. Cells farther apart are never one kind."""

LUMA = np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
"""What red, green and blue count in the grey of a colour (ITU-R BT.709)."""

Lit = tuple[float, float, float]
"""How cells are lit: how many times as far from a light they lie, which light, 0 or 255, and how much more vivid."""

UNLIT: Lit = 1.0, 0.0, 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """Kinds of cells by colour.

    colours: float32[kinds, 3], the median of each kind, largest kind first.
    kinds: intp[n], the kind of each colour given.
    gap: the RGB distance between the two nearest kinds.
    spread: the largest step of colour within a kind.
    """

    colours: NDArray[np.float32]
    kinds: NDArray[np.intp]
    gap: float
    spread: float

    @property
    def margin(self) -> float:
        """0 where kinds run into each other, 1 where they lie far apart for their spread."""
        return float(np.clip((self.gap - self.spread) / (self.gap + self.spread + 1e-6), 0.0, 1.0))

    def without_singles(self) -> Palette:
        """The same, with each kind of one cell given to a kind that is less than half as far away as kinds else lie.

        But none farther than one kind's cells ever lie apart, or of another hue: that is a colour of which one cell is
        left.  The cell under the pointer is often a little lighter than its kind.
        """
        counts = np.bincount(self.kinds, minlength=len(self.colours))
        several = np.flatnonzero(counts > 1)
        if len(several) < 2 or len(several) == len(counts):
            return self
        gap = gap_of(self.colours[several])
        renamed = np.arange(len(counts))
        for kind in np.flatnonzero(counts == 1):
            away = distances(self.colours[kind : kind + 1], self.colours[several])[0]
            nearest = several[away.argmin()]
            if away.min() < gap / 2 and not _of_other_hue(self.colours[kind], self.colours[nearest]):
                renamed[kind] = nearest
        kept, kinds = np.unique(renamed[self.kinds], return_inverse=True)
        colours = self.colours[kept]
        return Palette(colours, kinds.reshape(-1), gap_of(colours), self.spread)

    def assigned(self, colours: Pixels) -> Palette:
        """The same palette with the kind of each of `colours`, uint8[n, 3]: the nearest, or -1 where none is near."""
        away = distances(colours.astype(np.float32), self.colours)
        near = max(CLOSEST, self.gap / 2, self.spread)
        return replace(self, kinds=np.where(away.min(axis=1) <= near, away.argmin(axis=1), -1))


def cluster(colours: NDArray[np.float32]) -> Palette:
    """The kinds in `colours`, float32[n, 3]: single linkage, cut at the first leap between two joins."""
    unique, inverse, counts = np.unique(
        np.rint(colours).astype(np.int64), axis=0, return_inverse=True, return_counts=True
    )
    inverse = inverse.reshape(-1)
    joins, met = _spanning_tree(unique.astype(np.float64))
    cut = _cut(joins)
    kind = np.cumsum([0, *(join > cut for join in joins)])  # all of a kind are met before one of the next is
    labels = np.empty_like(met)
    labels[met] = np.unique(met[np.searchsorted(kind, kind)], return_inverse=True)[1]
    order = np.argsort(-np.bincount(labels, weights=counts), kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    kinds = rank[labels][inverse]
    medians = np.stack([np.median(colours[kinds == kind], axis=0) for kind in range(len(order))]).astype(np.float32)
    above, below = [join for join in joins if join > cut], [join for join in joins if join <= cut]
    return Palette(medians, kinds, float(min(above, default=2 * FARTHEST)), float(max(below, default=0.0)))


def _of_other_hue(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether some channels lie higher and some lower: what is under a pointer is lighter or darker in all."""
    steps = one - other
    return bool(steps.max() >= CLOSEST and steps.min() <= -CLOSEST)


def hue_angle(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Degrees between the hues of two colours, float[3], 180 where one has none."""
    if min(float(np.ptp(one)), float(np.ptp(other))) < CHROMA:
        return 180.0
    angles = [degrees(atan2(3**0.5 * (green - blue), 2 * red - green - blue)) for red, green, blue in (one, other)]
    apart = abs(angles[0] - angles[1])
    return float(min(apart, 360 - apart))


def gap_of(colours: NDArray[np.float32]) -> float:
    """The RGB distance between the two nearest of some colours, float32[n, 3], as far as kinds are told apart by it."""
    apart = distances(colours, colours)[~np.eye(len(colours), dtype=bool)]
    return float(apart.min(initial=2 * FARTHEST))


def tolerance_of(gap: float) -> float:
    """How far off its kind a cell's colour may be, where the two nearest kinds lie so far apart."""
    return max(NEAREST, gap / 2)


def distances_lit(some: NDArray[Any], palette: NDArray[Any], lit: Lit | None) -> NDArray[Any]:
    """As `distances`, to colours of a palette as they are or as they are lit, whichever are nearer."""
    usual = distances(some, palette)
    return usual if lit in (None, UNLIT) else np.minimum(usual, distances(some, lighted(palette, *lit)))


def lighted(colours: NDArray[Any], times: NDArray[Any] | float, light: float, vivid: float) -> NDArray[Any]:
    """`colours`, float[n, 3], `vivid` times as far from their grey, and so many times as far from a light, cut off.

    light: 0 for black or 255 for white.
    """
    grey = (colours @ LUMA)[:, None]
    return np.clip(light + times * (grey + vivid * (colours - grey) - light), 0, 255)


def distances(some: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
    """float[some, others]: how far colours, float[n, 3], lie from each other in RGB."""
    return np.asarray(np.sqrt(((some[:, None] - others[None]) ** 2).sum(axis=2)))


def _cut(joins: list[float]) -> float:
    """The length up to which joins stay inside a kind: the first that the next one doubles.

    Within a kind single linkage goes on in small steps; the way to the next kind is a leap.
    """
    lengths = [CLOSEST / 2, *sorted(join for join in joins if join > CLOSEST / 2), 2 * FARTHEST]
    for before, after in pairwise(lengths):
        if after >= CLOSEST and (after >= 2 * before or after > FARTHEST):
            return before
    return FARTHEST


def _spanning_tree(points: NDArray[np.float64]) -> tuple[list[float], NDArray[np.intp]]:
    """Prim's minimum spanning tree: the length of each join, and intp[points], the order in which points are met."""
    nearest = np.full(len(points), np.inf)
    outside = np.ones(len(points), dtype=bool)
    met, joins = [0], []
    while len(met) < len(points):
        outside[met[-1]] = False
        nearest = np.minimum(nearest, np.sqrt(((points - points[met[-1]]) ** 2).sum(axis=1)))
        met.append(int(np.argmin(np.where(outside, nearest, np.inf))))
        joins.append(float(nearest[met[-1]]))
    return joins, np.array(met, dtype=np.intp)
