"""A lattice read as places of which some hold a stone or a mark of one of two players."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.cell_patches import ZONES, CellPatches, PatchClusters, cluster_patches, middles, unlikeness
from calibration.frame import Pixel
from calibration.lines import borders
from calibration.places import APART, SORTS, PlaceBoard, is_symmetric, place_sampler
from calibration.scene import Scene

MAIN = 0.6
"""The share of the cells that show the three commonest things at least: nothing, and a stone of either player."""

PLAIN = 0.5
"""The share of the zones that tell a stone which differ from a place's corners at most where it is empty."""

CHANGED, DRAWN = 10, 0.3
"""How much a zone differs from the empty place where a stone or a mark lies, and the least share of such zones."""

DASHED = 0.4
"""The share of a cell's side that must be an edge for a line to be drawn there."""

UNUSUAL = 0.02
"""How usual any other size is."""


@dataclass(frozen=True, eq=False)
class StoneBoard(PlaceBoard):
    """A rectangle of places read as a board, on which the first player's stones are the darker ones.

    crossings: whether its places are the crossings of its lines, and not what lies between.
    going: the share of the lines beyond one side that are drawn, at the side where that is most.
    usual: how usual a board of its size is, up to 1.
    """

    look = "stones"
    crossings: bool
    going: float
    usual: float

    @property
    def own(self) -> dict[str, float]:
        """The features that only boards of its look have."""
        usual = float(np.log(max(self.usual, UNUSUAL)))
        return {"usual": usual, "going": self.going, "crossings": float(self.crossings)}

    @property
    def explanation(self) -> str:
        """What speaks for and against it, in words."""
        rows, cols = self.grid.shape
        where = "crossings" if self.crossings else "squares"
        return (
            f"{rows}x{cols} {where}, {int((self.grid > 0).sum())} stones, {self.odd:.0%} of the places odd, "
            f"{self.lined:.0%} of the lines drawn"
        )


def read_board(scene: Scene, lattice: Lattice, usual: float, *, crossings: bool) -> StoneBoard | None:
    """Read the places of a lattice; None where they show too many different things, or lines are missing."""
    lined, going = _lined(scene, lattice, crossings=crossings)
    if lined < MAIN:
        return None
    everything = place_sampler(lattice.ringed).take(scene.pixels)
    cells = everything[1:-1, 1:-1]
    kinds = cluster_patches(cells, APART, at_most=SORTS)
    if kinds is None or kinds.sizes[:3].sum() < MAIN * kinds.labels.size:
        return None
    mains, grid = roles_of(kinds, crossings=crossings)
    away = np.stack([unlikeness(cells, main) for main in mains])
    odd = float((away.min(axis=0) > 2 * APART).mean())
    sides = (everything[0, 1:-1], everything[-1, 1:-1], everything[1:-1, 0], everything[1:-1, -1])
    ring = max(
        float((np.stack([unlikeness(side, main) for main in mains]).min(axis=0) < APART).mean()) for side in sides
    )
    pairs = [float(unlikeness(one, other)) for at, one in enumerate(mains) for other in mains[:at]]
    return StoneBoard(
        lattice,
        grid,
        mains,
        crossings=crossings,
        lined=lined,
        odd=odd,
        sorts=len(kinds.sizes),
        contrast=min(pairs, default=3 * APART),
        ring=ring,
        going=going,
        usual=usual,
    )


def roles_of(kinds: PatchClusters, *, crossings: bool) -> tuple[CellPatches, NDArray[np.int8]]:
    """The patches of the empty place and of the stones, the darker player's first, and the grid that follows.

    The empty place is the plainest of the kinds; where all places hold stones, it is what lies round these.
    """
    corners = np.median(kinds.patches[:, [0, 0, -1, -1], [0, -1, 0, -1]], axis=1)
    grounds = np.broadcast_to(corners[:, None, None], kinds.patches.shape).astype(np.float32)
    told = _told(crossings=crossings)
    worth = kinds.sizes * (PLAIN - _changed(kinds.patches, grounds)[:, told].mean(axis=1))
    empty = kinds.patches[int(worth.argmax())] if worth.max() > 0 else grounds[0]
    changed = _changed(kinds.patches, empty)[:, told].mean(axis=1)
    pieces = [at for at, patch in enumerate(kinds.patches) if changed[at] >= DRAWN and is_symmetric(patch, empty)]
    players: list[int] = []
    for number in pieces:  # the commonest come first; a stone with a mark on it is like one of them
        if len(players) < 2 and all(_apart(kinds.patches[number], kinds.patches[other], empty) for other in players):
            players.append(number)
    players.sort(key=lambda number: float(middles(kinds.patches[number]).sum()))
    mains = np.stack([empty, *(kinds.patches[number] for number in players)])
    roles = np.zeros(len(kinds.sizes), dtype=np.int8)
    for number in pieces:
        roles[number] = 1 + int(np.argmin([unlikeness(kinds.patches[number], main) for main in mains[1:]]))
    return mains, roles[kinds.labels]


def _told(*, crossings: bool) -> NDArray[np.bool_]:
    """bool[ZONES, ZONES]: the zones in which a stone lies, and no line, nor what is in the very middle alone."""
    zones = np.zeros((ZONES, ZONES), dtype=bool)
    if crossings:
        zones[1::3, 1::3] = True
    else:
        zones[1:-1, 1:-1] = True
        zones[2:-2, 2:-2] = False
    return zones


def _changed(some: CellPatches, other: CellPatches) -> NDArray[np.bool_]:
    """bool[n, ZONES, ZONES]: where patches show another colour than `other`."""
    return np.asarray(np.abs(some - other).max(axis=-1) > CHANGED)


def _apart(one: CellPatches, other: CellPatches, empty: CellPatches) -> bool:
    """Whether two stones are those of two players: they differ by a good part of what tells one from nothing."""
    return float(unlikeness(one, other)) > max(APART, 0.3 * float(unlikeness(other, empty)))


def _lined(scene: Scene, lattice: Lattice, *, crossings: bool) -> tuple[float, float]:
    """The share of the lines that is drawn: between the places, or from place to place.

    Then the share of those beyond one side that are, at the side where that is most: there the board would go on.
    """
    if crossings:
        half = Pixel(lattice.pitch[0] / 2, lattice.pitch[1] / 2)
        lattice = lattice.part(0, 0, lattice.rows - 1, lattice.cols - 1).moved(half)
    upright, level = (drawn >= DASHED for drawn in borders(scene, lattice.ringed))
    outer = 1 if crossings else 2
    inner = (upright[1:-1, outer:-outer], level[outer:-outer, 1:-1])
    beyond = (upright[0, 2:-2], upright[-1, 2:-2], level[2:-2, 0], level[2:-2, -1])
    drawn = float(np.concatenate([lines.ravel() for lines in inner]).mean())
    return drawn, max(float(lines.mean()) for lines in beyond)
