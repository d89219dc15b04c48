"""What a found board tells beside its lattice: kinds told by a mark, walls, and the corner where the game starts."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice
from calibration.frame import Pixel, Pixels
from calibration.looks.coloured.flooding import greyer
from calibration.mesh import Mesh, grown
from calibration.regions import components, corner_regions
from calibration.samples import ALIKE, CENTRE, STANDING, PointSampler, heights, likeness, marks, middle, same, shading
from calibration.scene import Scene
from games.core import Cell

Of = NDArray[np.intp]
"""intp[rows, cols]: the kind of each cell."""

SCATTERED = 3
"""Marked regions of one colour that are not a player's own, which hang together, and a cell under the pointer."""

TELLING, LEAST_TOLD = 12, 0.4
"""Corners between cells that must be seen to know what lies between them; on small boards, the share of all of them."""

GROWN = 16
"""Cells a corner's region must have to be taken for the player's own.

By chance it has so many on 1 random board of 100 with 3 colours, on 1 of 5,000 with 6 (8,000 boards of each were
counted).
Most games start at the top left, so that a wrong guess costs more than none.
"""

FAINTEST, BESIDE = 4, 2
"""The faintest line there is between cells that are else of one colour, and how many pixels it may lie off its place.
"""

CLEAR = 0.985
"""The share of a cell's samples, taken densely, that must have its colour where nothing at all is drawn on it."""

DENSE = 13
"""Samples across and down a cell that find whatever is drawn on it: the strokes of a letter are a tenth of it wide."""

HELD = 0.8
"""The share of the corners between cells at which the ground can be seen; round marks and a pointer hide some."""

LEADING = 2.0
"""How many times larger than in any other corner the region must be for its corner to be the start."""

COMMON = 0.35
"""How many marked cells a colour must have, of what a kind of cells usually has, to be two kinds: bonuses are few."""

MARKED = 0.8
"""The share of each other kind's cells that carry a mark where cells without one are none."""


def marked_cells(scene: Scene, mesh: Mesh) -> NDArray[np.bool_]:
    """bool[rows, cols]: the cells whose very middle is unlike the rest of them."""
    return marks(_centres(scene, mesh), mesh.colours.reshape(-1, 3)).reshape(mesh.plain.shape)


def _centres(scene: Scene, mesh: Mesh) -> Pixels:
    """uint8[cells, samples, 3]: the very middle of each cell."""
    return PointSampler(mesh.lattice, reach=CENTRE, count=3).take(scene.pixels)


def _densely(scene: Scene, mesh: Mesh) -> Pixels:
    """uint8[cells, samples, 3]: so many samples of each cell that whatever is drawn on it is among them."""
    return PointSampler(mesh.lattice, count=DENSE).take(scene.pixels)


def _likeness(scene: Scene, mesh: Mesh) -> NDArray[np.float32]:
    """float32[rows, cols]: the share of them that are as each cell's colour."""
    return likeness(_densely(scene, mesh), mesh.colours.reshape(-1, 3)).reshape(mesh.plain.shape)


def twins(scene: Scene, mesh: Mesh, of: Of, marked: NDArray[np.bool_]) -> list[int]:
    """The kinds that are two kinds of one colour, told apart by a mark.

    What has no mark in the middle is plain all over: where all cells carry an icon, some only seem to have none.
    Its marks stand out: where cells are shaded, some are only a little lighter in the middle than others.  Marks that
    show a start or an owner lie on one connected region; a kind's are strewn over the board.
    """
    if not marked[of >= 0].any():
        return []
    found = []
    like = _likeness(scene, mesh)
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


def _corners(scene: Scene, lattice: Lattice) -> NDArray[np.float64]:
    """float64[rows - 1, cols - 1, 3]: the colour where four cells meet."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    places = Lattice(Pixel(x + across / 2, y + down / 2), (across, down), lattice.rows - 1, lattice.cols - 1)
    corners = PointSampler(places, reach=0.0, count=1).take(scene.pixels)
    return corners.reshape(places.rows, places.cols, 3).astype(np.float64)


def _covered(mesh: Mesh, ground: NDArray[np.float64]) -> NDArray[np.bool_]:
    """bool[rows - 1, cols - 1]: the corners of one colour with all four cells about them: something covers these."""
    colours = mesh.colours.astype(np.float64)
    four = np.stack([colours[1:, 1:], colours[:-1, :-1], colours[1:, :-1], colours[:-1, 1:]])
    return np.asarray((np.abs(four - ground).max(axis=3) <= ALIKE / 2).all(axis=0))


def holes(scene: Scene, mesh: Mesh, of: Of) -> list[int]:
    """The kinds whose cells are none, as their look tells.

    They show what can be seen at the corners between all other cells, or run together where others keep apart, or carry
    no mark where all others do.  A region that was flooded in the page's colour is no hole: most of it hangs together
    at a corner.
    """
    ground = _corners(scene, mesh.lattice)
    covered = _covered(mesh, ground)
    height = heights(_centres(scene, mesh), mesh.colours.reshape(-1, 3)).reshape(of.shape)
    found = []
    for kind in np.unique(of[of >= 0]):
        mine = of == kind
        others = ground[~(mine[1:, 1:] | mine[:-1, :-1] | mine[1:, :-1] | mine[:-1, 1:] | covered)]
        away = np.abs(others - np.median(mesh.colours[mine], axis=0)).max(axis=1)
        shown = len(others) >= min(TELLING, LEAST_TOLD * covered.size)
        shown = shown and float(np.median(away)) <= ALIKE / 2 and float((away <= ALIKE).mean()) >= HELD
        bare = mine.sum() >= 2 and _all_marked(height, np.where(mine, -1, of))
        bare = bare and bool((_likeness(scene, mesh)[mine] >= CLEAR).all())
        own = max(float(region[mine].mean()) for region in corner_regions(of).values())
        if own < 0.5 and (shown or bare or _apart(scene, mesh, of, int(kind))):
            found.append(int(kind))
    return found


def _all_marked(height: NDArray[np.float32], of: Of) -> bool:
    """Whether cells of each kind carry a mark, and there are several: a player's own region may carry one, too."""
    kinds = np.unique(of[of >= 0])
    return len(kinds) >= 2 and all(float((height[of == kind] >= 2 * ALIKE).mean()) >= MARKED for kind in kinds)


def _apart(scene: Scene, mesh: Mesh, of: Of, kind: int) -> bool:
    """Whether the cells of `kind` run together where others keep their distance."""
    return _runs_together(mesh, of, kind) and not _as_lines(scene, mesh, of, kind)


def is_wall(scene: Scene, calibration: Calibration, mesh: Mesh, of: Of, kind: int, played: Collection[int]) -> bool:
    """Whether a kind's cells cannot be played; `played` are the kinds that have a button.

    A wall runs together where other cells keep their distance. Or it is dull, far greyer than the other colours, and
    has no button where all others have one. Or it is far more frequent than chance gives a colour and looks like the
    page. The region at a corner says nothing: it grows in play, and its colour's button may be hidden; unless it is
    another corner than the usual one, and such cells lie elsewhere, too.
    """
    if kind in played:
        return False
    if _apart(scene, mesh, of, kind):
        return True
    regions = {corner: region for corner, region in corner_regions(of).items() if of[corner] == kind}
    rest = of[~np.any(list(regions.values()), axis=0)] if regions else of.ravel()
    kinds = len(np.unique(of[of >= 0]))
    expected = rest.size / kinds
    frequent = int((rest == kind).sum()) > expected + 4 * np.sqrt(expected)
    if frequent and (played or _like_page(scene, calibration, kind)):
        return True
    elsewhere = not regions or ((0, 0) not in regions and bool((rest == kind).any()))
    return len(played) == kinds - 1 and elsewhere and greyer(calibration.palette, kind)


def _like_page(scene: Scene, calibration: Calibration, kind: int) -> bool:
    """Whether a kind's colour is the usual one of the cells that would lie round the board."""
    around = PointSampler(grown(scene, calibration.lattice, 1), count=1)
    ring = np.ones(around.shape, dtype=bool)
    ring[1:-1, 1:-1] = False
    page = middle(around.take(scene.pixels)[ring.ravel()].swapaxes(0, 1))[0].astype(np.float64)
    return float(np.sqrt(((page - calibration.palette[kind]) ** 2).sum())) <= calibration.tolerance


def _runs_together(mesh: Mesh, of: Of, kind: int) -> bool:
    """Whether no borders are drawn between cells of `kind`, while they are between cells of each other kind.

    Side by side and one below the other by themselves: cells shaded from top to bottom differ one way alone.
    """
    told, pairs, (upright, level) = [], 0, mesh.drawn
    for equal, of_kind, drawn in (
        (of[:, 1:] == of[:, :-1], of[:, 1:] == kind, upright),
        (of[1:] == of[:-1], of[1:] == kind, level),
    ):
        mine, others = drawn[equal & of_kind], drawn[equal & ~of_kind]
        if len(mine) >= 2 and len(others) >= 3:
            pairs += len(mine)
            told.append(mine.mean() < 0.1 and others.mean() > 0.8)
    return pairs >= 3 and all(told)


def _as_lines(scene: Scene, mesh: Mesh, of: Of, kind: int) -> bool:
    """Whether lines can be made out between cells of `kind` after all: they have nearly its colour."""
    (x, y), (across, down) = mesh.lattice.origin, mesh.lattice.pitch
    near = np.arange(-BESIDE, BESIDE + 1)
    strongest = []
    for pixels, colours, kinds, (begin, step), (first, apart) in (
        (scene.pixels, mesh.colours, of, (x, across), (y, down)),
        (scene.pixels.swapaxes(0, 1), mesh.colours.swapaxes(0, 1), of.T, (y, down), (x, across)),
    ):
        for row, col in np.argwhere((kinds[:, 1:] == kind) & (kinds[:, :-1] == kind)):
            line = np.clip(np.floor(begin + (col + 0.5) * step) + near, 0, pixels.shape[1] - 1).astype(int)
            part = pixels[min(pixels.shape[0] - 1, int(first + row * apart)), line].astype(np.int16)
            strongest.append(np.abs(part - colours[row, col]).max())
    return float(np.median(strongest)) >= FAINTEST
