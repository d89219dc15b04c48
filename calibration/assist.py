"""Boards that a person points at: two corner cells fix where a board lies, its picture tells everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import product
from math import exp, log

import numpy as np

from calibration.board import Lattice
from calibration.frame import Pixel
from calibration.lines import BINS, Profile, coherence, periods, symmetry_offset
from calibration.look import Look, Proposal
from calibration.scene import Scene
from games.core import SettingsError

Corners = tuple[Pixel, Pixel]
"""A place in the top left and one in the bottom right cell of a board, best in their middles."""

Size = tuple[int, int]
"""Rows and columns."""

MOST = 64
"""Cells in a row or a column, at most."""

SMALLEST = 6.0
"""Pixels. No cell is smaller."""

SLACK = 0.3
"""How far from its middle, in pitches, a person may hit a corner cell."""

FAINT, PLAIN = 2.0, 40.0
"""Steps of colour from which an edge counts, and from which it counts no more: lines may be paler than pieces."""

ALIKE, TRIED = 0.3, 10
"""The part of the best coherence that a count of cells must reach to be tried, and how many counts are tried at most.

The coherence of two or three cells taken for one is as good as that of one or better, but the lowest of such counts
reaches 0.35 of it.
"""

CHANCE = 0.1
"""The coherence that a wrong count of cells has by chance: where the right one has little more, it tells little."""

LEAST = 0.01
"""What a board counts in which a look has no confidence at all: a person said that it is one."""

FEWEST = 36
"""Cells. Smaller boards are rarer the smaller they are: rather several cells were taken for one."""

OBLONG = 1.6
"""How much longer than wide a cell may be, or the reverse."""

UNUSUAL = 0.1
"""How usual any size is that is none of a look's usual ones."""

LOOKED_AT = 12
"""Lattices that each look reads; the right one was among the first four on all of 200 drawn boards."""

UNEVEN = 3.0
"""What cells that are not square cost: the odds fall with the square of the logarithm of their sides' ratio."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """Evenly spaced cells along one axis.

    first: the middle of the first cell, in pixels.  coherence: how alike the edges of all cells are, up to 1.
    """

    count: int
    first: float
    pitch: float
    coherence: float


def check_pointed(corners: Corners, size: Size | None) -> None:
    """Raises SettingsError where no board can lie between these corners."""
    (left, top), (right, bottom) = corners
    if right - left < SMALLEST or bottom - top < SMALLEST:
        raise SettingsError(f"{corners[1]} is not right of and below {corners[0]}: name the top left corner cell first")
    if size is not None and not (min(size) >= 2 and max(size) <= MOST):
        raise SettingsError(f"a board of {size[0]}x{size[1]} cells: rows and columns go from 2 to {MOST}")


def pointed(
    scene: Scene, looks: Sequence[Look], game: str | None, corners: Corners, size: Size | None = None
) -> list[Proposal]:
    """The boards between two corner cells, the likeliest first.

    size: rows and columns, where the person said them, too.
    """
    profiles = _profile(scene, corners, 0), _profile(scene, corners, 1)
    found = []
    for look in looks:
        usual = look.usual if size is None else {size: 1.0}
        across = _rulers(profiles[0], corners[0].x, corners[1].x, {cols for _, cols in usual}, only=size is not None)
        down = _rulers(profiles[1], corners[0].y, corners[1].y, {rows for rows, _ in usual}, only=size is not None)
        for worth, lattice in _lattices(across, down, usual)[:LOOKED_AT]:
            proposal = look.on(scene, lattice, game)
            if proposal is not None:
                found.append((worth * (LEAST + proposal.confidence), proposal))
    return [proposal for _, proposal in sorted(found, key=lambda pair: -pair[0])]


def _lattices(across: list[Ruler], down: list[Ruler], usual: Mapping[Size, float]) -> list[tuple[float, Lattice]]:
    """The lattices of two rulers and how much speaks for each, the likeliest first; none has oblong cells."""
    found = []
    for x, y in product(across, down):
        oblong = abs(log(x.pitch / y.pitch))
        if oblong <= log(OBLONG) or len(across) == len(down) == 1:
            worth = (CHANCE + max(0.0, x.coherence)) * (CHANCE + max(0.0, y.coherence)) * exp(-UNEVEN * oblong**2)
            worth *= min(1.0, x.count * y.count / FEWEST) ** 0.5
            worth *= usual.get((y.count, x.count), UNUSUAL) if usual else 1.0
            found.append((worth, Lattice(Pixel(x.first, y.first), (x.pitch, y.pitch), y.count, x.count)))
    return sorted(found, key=lambda pair: -pair[0])


def _profile(scene: Scene, corners: Corners, axis: int) -> Profile:
    """float64[width or height]: how much colour changes at each place along an axis, between the two corners."""
    (left, top), (right, bottom) = corners
    rows = slice(max(0, int(top)), max(1, int(bottom) + 1))
    cols = slice(max(0, int(left)), max(1, int(right) + 1))
    part = scene.pixels[rows] if axis == 0 else scene.pixels[:, cols].swapaxes(0, 1)
    steps = np.abs(np.diff(part.astype(np.int16), axis=1)).max(axis=2)
    edges = np.where(steps < FAINT, 0.0, np.minimum(steps, PLAIN)).mean(axis=0)
    padded = np.pad(edges, (2, 1))
    return np.asarray((padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4)


def _rulers(profile: Profile, first: float, last: float, counts: AbstractSet[int], *, only: bool) -> list[Ruler]:
    """The even divisions along an axis on which the edges of all cells are most alike, and those into `counts` cells.

    only: no others than those.
    """
    most = int(min(MOST, (last - first) / SMALLEST + 1))
    found = [_ruler(profile, first, last, count) for count in (sorted(counts) if only else range(2, most + 1))]
    found.sort(key=lambda ruler: -ruler.coherence)
    enough = ALIKE * (CHANCE + found[0].coherence) - CHANCE
    alike = [ruler for ruler in found if ruler.coherence >= enough][:TRIED]
    return alike + [ruler for ruler in found if ruler.count in counts and ruler not in alike]


def _ruler(profile: Profile, first: float, last: float, count: int) -> Ruler:
    """The most coherent division into `count` cells."""
    length, middle = last - first, (first + last) / 2
    slack = 2 * SLACK * length / (count - 1)
    best = Ruler(count, first, length / (count - 1), -1.0)
    shape = np.zeros(BINS, dtype=np.float64)
    for more in np.linspace(-slack, slack, int(np.clip(2 * slack, 3, 80)) | 1):
        pitch = (length + more) / (count - 1)
        cells = periods(profile, middle, pitch, count)
        alike = coherence(cells)
        if alike > best.coherence:
            best, shape = Ruler(count, middle - (count - 1) / 2 * pitch, pitch, alike), cells.mean(axis=0)
    return Ruler(
        count, float(best.first + symmetry_offset(shape, SLACK) * best.pitch), float(best.pitch), best.coherence
    )
