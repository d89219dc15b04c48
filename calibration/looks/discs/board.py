"""A lattice read as a Connect Four board, and what speaks for and against it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.cell_patches import CellPatches, cluster_patches, unlikeness, varied
from calibration.lines import borders
from calibration.looks.discs.columns import column_places
from calibration.looks.discs.light import without_light
from calibration.looks.discs.roles import floating, roles_of
from calibration.places import APART, SORTS, PlaceBoard, place_sampler
from calibration.scene import Scene
from calibration.unchanged import slices_of

SIZES = {
    (6, 7): 1.0, (5, 7): 0.6, (5, 6): 0.7, (6, 8): 0.7, (7, 8): 0.75, (8, 8): 0.6, (7, 9): 0.7, (7, 10): 0.7,
    (6, 9): 0.6, (8, 9): 0.6, (8, 7): 0.6, (7, 6): 0.75, (5, 8): 0.5, (6, 6): 0.5, (8, 10): 0.5,
}  # fmt: skip
"""How usual the sizes are, rows by columns; the rules were published for 6 x 7, the rest are its variants."""

UNUSUAL = 0.02
"""How usual any other size is, where a person points at a board of it."""

ABOVE = 0.87
"""A row above of which more looks like the board's own belongs to it; one disc waiting over 7 columns leaves 0.86."""

RIM = 0.56
"""The share of the pitch that lies between holes within their rims, where these are thick."""

MAIN = 0.6
"""The share of the cells that show the three commonest things at least: nothing, and a piece of either player."""

DASHED, NARROW = 0.4, 0.05
"""The share of a cell's side that must be an edge, so near to its border, for a line, which may be dashed, to be drawn.
"""

ENDS = 0.5, 0.9, 0.25
"""The parts of a side between which a line goes on, and the share of it there: discs that touch do not reach so far."""

LINED = 0.6
"""The share of the lines between cells that is drawn on a board of lines; pieces may cover the rest."""


@dataclass(frozen=True, eq=False)
class DiscBoard(PlaceBoard):
    """A rectangle of cells read as a Connect Four board.

    Of what is odd pieces with one mark and one whole column count a quarter; of the ring the row above counts only as a
    whole, for the next disc may wait there.
    floating: pieces with nothing under them.
    reaching: where lines are drawn between the cells, the share of them that goes on to the outermost cells.
    """

    look = "discs"
    floating: int
    reaching: float

    @property
    def own(self) -> dict[str, float]:
        """The features that only boards of its look have."""
        ones, twos = int((self.grid == 1).sum()), int((self.grid == 2).sum())
        return {
            "usual": float(np.log(SIZES.get((self.lattice.rows, self.lattice.cols), UNUSUAL))),
            "unfair": min(6, max(0, abs(ones - twos) - 1)) / 3,
            "one sided": float(min(ones, twos) == 0 and ones + twos > 2),
            "floating": min(4, self.floating) / 2,
            "reaching": self.reaching,
            "borne": min(10, int((self.grid[:-1] > 0).sum())) / 10,
        }

    def known(self, scene: Scene) -> dict[str, Any]:
        """The patches and the palette, and where columns are clicked."""
        return super().known(scene) | {"controls": column_places(scene.pixels, self.lattice)}

    @property
    def explanation(self) -> str:
        """What speaks for and against it, in words."""
        rows, cols = self.grid.shape
        return (
            f"{rows}x{cols} places, {int((self.grid > 0).sum())} pieces, {self.floating} of them floating, "
            f"{self.odd:.0%} of the cells odd, {self.ring:.0%} of the places beyond one side like its own"
        )


def read_board(scene: Scene, lattice: Lattice) -> DiscBoard | None:
    """Read the cells of a lattice as places and pieces; None where they show too many different things."""
    wider = lattice.ringed
    everything = place_sampler(wider).take(scene.pixels)
    cells = without_light(everything[1:-1, 1:-1])
    if varied(cells, 3, MAIN):
        return None
    kinds = cluster_patches(cells, APART, at_most=SORTS)
    if kinds is None or kinds.sizes[:3].sum() < MAIN * kinds.labels.size:
        if lattice.gap != (0.0, 0.0):
            return None
        across, down = lattice.pitch  # each row may show more of what is within the rims of its holes, or less
        return read_board(scene, replace(lattice, gap=(RIM * across, RIM * down)))
    mains, grid = roles_of(kinds)
    looks = kinds.patches[mains]
    away = np.stack([unlikeness(cells, look) for look in looks]).min(axis=0)
    contrast = min((float(unlikeness(one, other)) for one, other in combinations(looks, 2)), default=3 * APART)
    inner, reaching, going = _lined(scene, wider)
    lined = inner > LINED
    if not lined and not (grid > 0).any() and np.ptp(scene.pixels[slices_of(lattice.box)], axis=(0, 1)).max() < APART:
        return None  # nothing at all is there
    sides = (everything[0, 1:-1], everything[-1, 1:-1], everything[1:-1, 0], everything[1:-1, -1])
    nearest = (cells[0], cells[-1], cells[:, 0], cells[:, -1])
    shaped = np.ptp(looks[0], axis=(0, 1)).max() >= APART  # no page looks like such a place
    alike = []
    for side, own, on in zip(sides, nearest, going, strict=True):
        pieces = looks_like(side, looks[1:])
        known = pieces | looks_like(side, looks[:1]) | (unlikeness(side, own) < APART)  # a frame may be shaded
        if not (lined and on):
            known &= pieces | shaped  # the page may look like an empty place
        alike.append(float(known.mean()))
    ring = max(*alike[1:], float(alike[0] > ABOVE))
    strange = away > max(APART, 0.4 * contrast)
    strange &= (kinds.labels != mains[0]) | (unlikeness(_shape(cells), _shape(looks[0])) >= APART)  # the page is shaded
    dressed = strange & (grid > 0) & (kinds.sizes[kinds.labels] > 1)
    odd = float(strange.mean() - 0.75 * dressed.mean())
    return DiscBoard(
        lattice,
        grid,
        looks,
        floating=floating(grid),
        odd=odd,
        ring=ring,
        reaching=reaching if lined else 1.0,
        lined=inner,
        contrast=contrast,
        sorts=len(kinds.sizes),
    )


def _shape(some: CellPatches) -> CellPatches:
    """CellPatches without what all of their zones have in common."""
    return np.asarray(some - some.mean(axis=(-3, -2), keepdims=True), dtype=np.float32)


def looks_like(cells: CellPatches, looks: CellPatches) -> NDArray[np.bool_]:
    """bool[rows, cols]: which cells look like one of `looks`, patches as theirs."""
    known = np.zeros(cells.shape[:-3], dtype=bool)
    for look in looks:
        known |= unlikeness(cells, look) < APART
    return known


def _lined(scene: Scene, wider: Lattice) -> tuple[float, float, tuple[bool, ...]]:
    """How much of the lines between the cells is drawn, on which part of them they reach the border, where they go on.

    wider: the board with one place more on all sides.  The lines may go on beyond its top, bottom, left and right side.
    """
    upright, level = _drawn(scene, wider)
    inner = np.concatenate([upright[1:-1, 2:-2].ravel(), level[2:-2, 1:-1].ravel()])
    ends = (level[2:-2, 1], level[2:-2, -2], upright[1, 2:-2], upright[-2, 2:-2])
    beyond = (upright[0, 2:-2], upright[-1, 2:-2], level[2:-2, 0], level[2:-2, -1])
    going = tuple(bool(lines.mean() > LINED) for lines in beyond)
    return float(inner.mean()), min(float(end.mean()) for end in ends), going


def _drawn(scene: Scene, lattice: Lattice) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """bool[rows, cols + 1] and bool[rows + 1, cols]: whether a line is drawn at the cells' left and upper borders."""
    near, far, least = ENDS
    middles = borders(scene, lattice, broad=NARROW, middle=near)
    sides = borders(scene, lattice, broad=NARROW, middle=far)
    upright, level = (
        (side >= DASHED) & (far * side - near * middle >= least * (far - near))
        for side, middle in zip(sides, middles, strict=True)
    )
    return upright, level
