"""What patches of places show: an empty place, a piece, how far a preview is on the way from one to the other."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, CellPatch, Lattice, rgb
from calibration.cell_patches import ZONES, CellPatches, PatchSampler
from calibration.look import ReadBoard
from calibration.scene import Scene

REACH = 0.42
"""How far from its centre a cell is looked at, in pitches: the whole disc, and a little of what lies round it."""

APART = 8.0
"""Unlikeness from which two cells show different things; noise and shading stay under 5, the palest pieces over 12."""

SORTS = 12
"""More different cells than a board has, marks and a pointer included: a page of icons, a calendar."""

SHOWN = 0.9
"""The share of its places that an empty board shows at least, or of the lines between them."""

SPREAD = 0.5
"""The share of a cell's middle that a piece changes at least: a cross changes 0.6, a pointer on it less than 0.4."""

OUTLINE, SEVERAL = 0.25, 4
"""The same of a piece that is an outline, such as a smiling face, and how many cells must show one: no pointer does."""

UNEVEN = 0.7
"""The most by which a single piece may differ from its mirror image, in parts of itself: a pointer differs by 1."""

SAME = 16
"""Two colours are one if they lie less than this apart in every channel."""

GHOST = 0.75
"""A cell less than this part of the way from the empty place to a piece is a preview; a marked piece goes on."""


@dataclass(frozen=True, eq=False)
class PlaceBoard(ReadBoard):
    """Places read as a board on which pieces of two players lie.

    grid: int8[rows, cols], 0 empty, 1, 2.  patches: of the empty place and of each kind of piece seen.
    odd: the share of the places that are unlike their kind.  lined: that of the lines between them that is drawn.
    ring: the share of the places beyond one side that look like its own, at the side where that is most.
    sorts: how many different patches there are.  contrast: the least unlikeness of two of the kinds.
    """

    grid: NDArray[np.int8]
    patches: CellPatches
    odd: float
    ring: float
    lined: float
    contrast: float
    sorts: int

    @property
    @abstractmethod
    def own(self) -> dict[str, float]:
        """The features that only boards of its look have."""

    @cached_property
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""
        pieces, (across, down) = int((self.grid > 0).sum()), self.lattice.pitch
        return {
            "pieces": float(np.log1p(pieces) / 3),
            "bare": float(pieces == 0),
            "odd": min(0.3, self.odd) * 10,
            "ring": self.ring,
            "lined": self.lined,
            "contrast": min(60.0, self.contrast) / 60,
            "sorts": min(SORTS, self.sorts) / SORTS,
            "stretched": abs(float(np.log(across / down))),
            "small": max(0.0, float(np.log(30 / min(across, down)))),
            **self.own,
        }

    def known(self, scene: Scene) -> dict[str, Any]:
        """The patches and the palette."""
        return kinds_of(self.patches)


def reach_of(lattice: Lattice) -> tuple[float, float]:
    """How far from its centre a place is looked at, in pitches: where the lattice has gaps, as far as they begin."""
    across, down = (
        (1 - gap / pitch) / 2 if gap else REACH for gap, pitch in zip(lattice.gap, lattice.pitch, strict=True)
    )
    return across, down


def laid_on(calibration: Calibration, lattice: Lattice) -> Calibration:
    """`calibration` on a lattice found anew, perhaps by what lies within the rims of its places alone: as both know it.

    Its patches are cut to what is looked at there; where it kept within the rims itself, so does the lattice.
    """
    scale = np.divide(lattice.pitch, calibration.lattice.pitch)
    if not any(lattice.gap):
        wide, high = (scale * calibration.lattice.gap).tolist()
        lattice = replace(lattice, gap=(wide, high))
    if any(calibration.lattice.gap) or not any(lattice.gap) or not calibration.patches:
        return replace(calibration, lattice=lattice)
    looks = np.array(calibration.patches, dtype=np.float32).reshape(-1, ZONES, ZONES, 3)
    for axis, reach in zip((2, 1), reach_of(lattice), strict=True):
        at = np.arange(ZONES) - (ZONES - 1) / 2
        at = at * reach / REACH + (ZONES - 1) / 2
        low = np.floor(at).astype(np.intp)
        share = (at - low).astype(np.float32).reshape(-1, *[1] * (3 - axis))
        looks = (1 - share) * looks.take(low, axis) + share * looks.take(low + 1, axis)
    return with_patches(replace(calibration, lattice=lattice), looks)


def place_sampler(lattice: Lattice) -> PatchSampler:
    """Takes the patches of places with a little of what lies round them; between gaps, of what lies within alone."""
    return PatchSampler(lattice, reach_of(lattice))


def may_be_piece(patch: CellPatches, count: int, empty: CellPatches) -> bool:
    """Whether a patch that `count` cells show can be a piece's: it differs from the empty place all over, or evenly."""
    if share_changed(patch, empty) >= SPREAD:
        return count > 1 or is_symmetric(patch, empty)
    return count >= SEVERAL and share_changed(patch, empty) >= OUTLINE


def share_changed(patch: CellPatches, empty: CellPatches) -> float:
    """The share of the cell's middle where a patch differs from the empty place."""
    return float((np.abs(patch - empty).max(axis=-1)[1:-1, 1:-1] > 10).mean())


def is_symmetric(patch: CellPatches, empty: CellPatches) -> bool:
    """Whether what differs from the empty place is about its own mirror image, as a pointer's never is."""
    strength = np.abs(patch - empty).max(axis=-1)
    return bool(np.abs(strength - strength[:, ::-1]).sum() < UNEVEN * strength.sum())


def progress(some: CellPatches, empty: CellPatches, piece: CellPatches) -> NDArray[np.float32]:
    """float32[n]: how far on the way from the empty place to the piece each of n patches is.

    It is the median over the zones where these two differ.
    """
    way = (piece - empty).reshape(-1, 3)
    length = (way**2).sum(axis=1)
    told = length > 0.25 * length.max()
    change = (some - empty).reshape(len(some), -1, 3)[:, told]
    return np.asarray(np.median((change * way[told]).sum(axis=2) / length[told], axis=1))


def with_patches(calibration: Calibration, looks: CellPatches) -> Calibration:
    """`calibration` with the patches of the kinds, and the colours of their middles for a palette."""
    return replace(calibration, **kinds_of(looks))


def kinds_of(looks: CellPatches) -> dict[str, Any]:
    """What a calibration holds of kinds that look so: the patches, and the colours of their middles for a palette."""
    middles = np.median(looks[:, 2:4, 2:4].reshape(len(looks), -1, 3), axis=1)
    return {"palette": tuple(map(rgb, middles)), "patches": as_points(looks)}


def as_points(looks: CellPatches) -> tuple[CellPatch, ...]:
    """Patches, [n, ZONES, ZONES, 3], as a calibration holds them."""
    return tuple(tuple(map(rgb, patch.reshape(-1, 3))) for patch in looks)


def corner_colour(empty: CellPatches) -> NDArray[np.float32]:
    """float32[3]: the colour of the corners of the empty place."""
    return np.asarray(np.median(empty[[0, 0, -1, -1], [0, -1, 0, -1]], axis=0))
