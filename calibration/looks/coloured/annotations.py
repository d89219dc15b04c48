"""What a found board tells beside its lattice: kinds told by a mark, walls, and the corner where the game starts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice, rgb
from calibration.frame import Pixel, Pixels
from calibration.looks.coloured.flooding import greyer
from calibration.mesh import Mesh
from calibration.palette import CLOSEST, Lit, distances, gap_of, lighted
from calibration.regions import components, corner_regions
from calibration.samples import ALIKE, CENTRE, STANDING, PointSampler, heights, likeness, marks, middle, same, shading
from calibration.scene import Scene
from calibration.targets import OFF_TINT
from games.core import Cell

Of = NDArray[np.intp]
"""intp[rows, cols]: the kind of each cell."""

SCATTERED = 3
"""Marked regions of one colour that are not a player's own, which hang together, and a cell under the pointer."""

TELLING, LEAST_TOLD = 12, 0.3
"""Corners between cells that must be seen to know what lies between them; on small boards, the share of all of them."""

GROWN = 16
"""Cells a corner's region must have to be taken for the player's own.

By chance it has so many on 1 random board of 100 with 3 colours, on 1 of 5,000 with 6 (8,000 boards of each were
counted).
Most games start at the top left, so that a wrong guess costs more than none.
"""

CLEAR = 0.985
"""The share of a cell's samples, taken densely, that must have its colour where nothing at all is drawn on it."""

DENSE = 13
"""Samples across and down a cell that find whatever is drawn on it: the strokes of a letter are a tenth of it wide."""

HELD = 0.8
"""The share of the corners between cells at which the ground can be seen; round marks and a pointer hide some."""

LEADING = 2.0
"""How many times larger than in any other corner the region must be for its corner to be the start."""

OWN, LIGHTEST = 0.1, 1.6
"""The share of a board that a start region has at most which is drawn lighter than such cells elsewhere, or darker, and
how many times as far from black or white it is at most."""

LIGHTS = 0.0, 255.0
"""Black, from which brightness takes the colours of cells, and white, to which opacity lets them fade on such pages."""

VIVID = 1.0, 1.15, 1.3
"""How many times as far from its grey a colour is tried: the first that fits is taken."""

FULL = 250
"""By how much of 255 a channel differs from a light that may have been cut off."""

COMMON = 0.35
"""How many marked cells a colour must have, of what a kind of cells usually has, to be two kinds: bonuses are few."""


def marked_cells(scene: Scene, mesh: Mesh) -> NDArray[np.bool_]:
    """bool[rows, cols]: the cells whose very middle is unlike the rest of them."""
    return marks(_centres(scene, mesh), mesh.colours.reshape(-1, 3)).reshape(mesh.plain.shape)


def _centres(scene: Scene, mesh: Mesh) -> Pixels:
    """uint8[cells, samples, 3]: the very middle of each cell."""
    return PointSampler(mesh.lattice, reach=CENTRE, count=3).take(scene.pixels)


def _densely(scene: Scene, mesh: Mesh) -> Pixels:
    """uint8[cells, samples, 3]: so many samples of each cell that whatever is drawn on it is among them."""
    return PointSampler(mesh.lattice, count=DENSE).take(scene.pixels)


def twins(scene: Scene, mesh: Mesh, of: Of, marked: NDArray[np.bool_]) -> list[int]:
    """The kinds that are two kinds of one colour, told apart by a mark.

    What has no mark in the middle is plain all over: where all cells carry an icon, some only seem to have none.
    Its marks stand out: where cells are shaded, some are only a little lighter in the middle than others.  Marks that
    show a start or an owner lie on one connected region; a kind's are strewn over the board.
    """
    if not marked[of >= 0].any():
        return []
    found = []
    like = likeness(_densely(scene, mesh), mesh.colours.reshape(-1, 3)).reshape(of.shape)
    height = heights(_centres(scene, mesh), mesh.colours.reshape(-1, 3)).reshape(of.shape)
    shaded = shading(height) > ALIKE / 2
    usual_size = float(np.median(np.bincount(of[of >= 0])))
    for kind in np.unique(of[marked & (of >= 0)]):
        mine = of == kind
        if shaded and (mine & ~marked).any():  # plain is what looks as unmarked cells of its kind do
            every = _densely(scene, mesh)[mine.ravel()]
            usual = middle(every[~marked[mine]].swapaxes(0, 1))
            like[mine] = same(every, usual[None]).mean(axis=1)
        plain = like >= CLEAR
        bare, held = mine & ~marked & plain, mine & (marked | ~plain)
        if not bare.any() or held.sum() < max(2.0, COMMON * usual_size) or float(marked[held].mean()) < HELD:
            continue
        clear = float(np.median(height[held])) >= STANDING * max(ALIKE / 2, float(np.median(height[bare])))
        if clear and components(held) >= SCATTERED:
            found.append(int(kind))
    return found


def start_corner(of: Of, marked: NDArray[np.bool_]) -> Cell | None:
    """The corner of a far larger region than any other, or the only marked one; None where neither tells."""
    regions = corner_regions(of)
    with_marks = [corner for corner in regions if marked[corner]]
    if len(with_marks) == 1 and marked.sum() <= 2:
        return with_marks[0]
    sizes = sorted(((int(region.sum()), corner) for corner, region in regions.items()), reverse=True)
    return sizes[0][1] if sizes[0][0] >= GROWN and sizes[0][0] >= LEADING * sizes[1][0] else None


def lit_starts(
    palette: tuple[Colour, ...], mesh: Mesh, of: Of, played: Mapping[int, Pixel | None]
) -> Iterator[tuple[Colour, Lit, bool]]:
    """What may be the colour of cells in which only their owner shows: how lit against their kind's, and if surely.

    It is that of a small region at a corner and of no other cell, of one colour though it may be of no kind, or taken
    for one whose other cells are all alike.  Surely then, or where it is nearer to its kind than any two others are to
    each other.  played: the kinds that have a button, and where; it has none, or that of its kind.
    """
    colours = np.asarray(palette, dtype=np.float32)
    for corner, region in corner_regions(of).items():
        kind, seen = int(of[corner]), mesh.colours[region].astype(np.float32)
        taken = kind if kind >= 0 and _stands_out(seen, mesh.colours[(of == kind) & ~region], colours[kind]) else None
        own = kind < 0 or taken is not None
        if own and not (mesh.plain[region].min() >= HELD and np.ptp(seen, axis=0).max() <= ALIKE):
            continue
        alone = taken is not None or (of == kind).sum() <= len(seen)
        if not alone or region.mean() > OWN or len(colours) < 3:
            continue
        colour = np.median(seen, axis=0) if own else colours[kind]
        others = colours if own else np.delete(colours, kind, axis=0)
        tries = (min(_lit(colour, others, light, vivid) for light in LIGHTS) for vivid in VIVID)
        fits = next((each for each in tries if each[0] <= OFF_TINT), None)
        if fits is None:
            continue
        _, nearest, lit = fits
        of_kind = nearest if own else nearest + (kind <= nearest)
        if taken in (None, of_kind) and (own or kind not in played or played[kind] == played.get(of_kind)):
            near = distances(colour[None], others)[0, nearest] < gap_of(others)
            yield rgb(colour), lit, bool(own or near)


def _stands_out(seen: NDArray[np.float32], rest: Pixels, usual: NDArray[np.float32]) -> bool:
    """Whether cells taken for a kind have another colour than the rest of its cells, which all have the same."""
    off, own = np.abs(rest - usual).max(axis=1), np.abs(seen - usual).max(axis=1)
    return len(off) > 0 and float(off.max()) <= CLOSEST / 2 and float(own.min()) >= CLOSEST


def _lit(
    colour: NDArray[np.float32], others: NDArray[np.float32], light: float, vivid: float
) -> tuple[float, int, Lit]:
    """How far off `colour` is when another one is lit best by `light`, so vivid; which that is, and how it is lit."""
    own, far = np.abs(colour - light), np.abs(lighted(others, 1.0, light, vivid) - light)
    full = (own >= FULL) & (own < FULL).any()  # such a channel tells less than it would
    times = own[~full].sum() / np.maximum(1.0, far[:, ~full].sum(axis=1))
    off = np.linalg.norm(lighted(others, times[:, None], light, vivid) - colour, axis=1)
    off[np.abs(np.log(np.maximum(times, 0.01))) > np.log(LIGHTEST)] = np.inf
    nearest = int(off.argmin())
    return float(off[nearest]), nearest, (float(times[nearest]), light, vivid)


def kinds_beside_corners(of: Of) -> set[frozenset[int]]:
    """The kinds beside each region at a corner, which may be all that its owner can take."""
    found = set()
    for region in corner_regions(of).values():
        padded = np.pad(region, 1)
        near = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
        found.add(frozenset(of[near & ~region & (of >= 0)].tolist()))
    return found


def _corners(scene: Scene, lattice: Lattice) -> NDArray[np.float64]:
    """float64[rows - 1, cols - 1, 3]: the colour where four cells meet."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    places = Lattice(Pixel(x + across / 2, y + down / 2), (across, down), lattice.rows - 1, lattice.cols - 1)
    corners = PointSampler(places, reach=0.0, count=1).take(scene.pixels)
    return corners.reshape(places.rows, places.cols, 3).astype(np.float64)


def holes(scene: Scene, mesh: Mesh, of: Of) -> list[int]:
    """The kinds whose cells are none: they show what can be seen at the corners between all other cells.

    A region that was flooded in the page's colour is no hole: most of it hangs together at a corner.
    """
    ground = _corners(scene, mesh.lattice)
    found = []
    for kind in np.unique(of[of >= 0]):
        mine = of == kind
        others = ground[~(mine[1:, 1:] | mine[:-1, :-1] | mine[1:, :-1] | mine[:-1, 1:])]
        away = np.abs(others - np.median(mesh.colours[mine], axis=0)).max(axis=1)
        shown = len(others) >= min(TELLING, LEAST_TOLD * ground[..., 0].size)
        shown = shown and float(np.median(away)) <= ALIKE / 2 and float((away <= ALIKE).mean()) >= HELD
        if shown and max(float(region[mine].mean()) for region in corner_regions(of).values()) < 0.5:
            found.append(int(kind))
    return found


def is_wall(calibration: Calibration, of: Of, kind: int, played: Collection[int], marked: NDArray[np.bool_]) -> bool:
    """Whether a kind's cells cannot be played; `played` are the kinds that have a button.

    A wall is dull, far greyer than the other colours, and has no button where all others have one, or is far rarer than
    chance deals a colour where there are no buttons; or it has none and is far more frequent than that.  The region at
    a corner says nothing: it grows in play, and its colour's button may be hidden; unless it is another corner than the
    usual one, and such cells lie elsewhere, too, or bear marks (`marked`) as no others do.
    """
    if kind in played:
        return False
    every = corner_regions(of)
    regions = {corner: region for corner, region in every.items() if of[corner] == kind}
    rest = of[~np.any(list(regions.values()), axis=0)] if regions else of.ravel()
    kinds = len(np.unique(of[of >= 0]))
    expected = rest.size / kinds
    beyond = (int((rest == kind).sum()) - expected) / np.sqrt(max(expected, 1.0))  # in standard deviations
    if played and beyond > 4:
        return True
    strewn = bool((rest == kind).any())
    elsewhere = not regions or (strewn and ((0, 0) not in regions or np.array_equal(of == kind, marked)))
    dealt = max(float(region.mean()) for region in every.values()) <= OWN
    alone = len(played) == kinds - 1 if played else dealt and beyond < -2.5
    return alone and elsewhere and greyer(calibration.palette, kind)
