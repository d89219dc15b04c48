"""How far a board of coloured cells reaches: grown, cut off where the page begins, refined until it stays."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.lattice import densest
from calibration.looks.coloured.board import PLAIN, CellKinds, Cells, ColouredBoard, every_cell, kinds_of
from calibration.mesh import MOST_CELLS, Mesh, Part, grown, measure, refined
from calibration.samples import ALIKE
from calibration.scene import Scene

WHOLE = 0.65
"""How much less, as a share, an outer row may look like its kinds than the board does before it is cut off."""

NEAR, FAR = 3, 8
"""Cells looked at round a board whose end was seen, and round one that reaches to the end of what was looked at."""

ROUNDS = 6
"""How often its extent and its lattice are refined at most; most stay the same after two."""

AROUND = 0.5
"""The share of the cells about a board that must be of one area for that to be a page; a region starts at a corner."""

FARTHER = 24
"""Cells looked at round a board where a region in one of its colours runs out of what was looked at."""

LUMPED = 0.5
"""The share of a board's drawn borders from which a piece that the page parts from it is cut as the board is.

Buttons of four cells across have none inside; where cells keep no gaps, some four of five are drawn on a board.
"""

MOST_SHADES = 200
"""Different colours among the cells of what may be a board; there are more in a photo."""


def settled_board(scene: Scene, lattice: Lattice, round_cells: bool) -> ColouredBoard | None:
    """The board that `lattice` is a part of.

    What lies round it and runs on may be a flooded region, or a page whose colour some cells have: that way is taken
    that gives the better board.
    """
    found, doubtful = _settled(scene, lattice, round_cells, closed=False)
    if doubtful and (found is None or not found.certain):
        other, _ = _settled(scene, lattice, round_cells, closed=True)
        both = [board for board in (found, other) if board is not None]
        found = max(both, key=lambda board: board.worth, default=None)
    if found is not None and any(found.too_fine):
        found, _ = _settled(scene, found.coarser, round_cells, closed=False)
    return None if found is None or any(found.too_fine) else found


def _settled(scene: Scene, lattice: Lattice, round_cells: bool, *, closed: bool) -> tuple[ColouredBoard | None, bool]:
    """`lattice` grown, cut to its extent and refined until it stays the same; and whether `closed` makes a difference.

    closed: what lies round the lattice on most sides is none of its cells.
    """
    open_ended, doubtful = True, False
    for _ in range(ROUNDS):
        if min(lattice.rows, lattice.cols) < 1 or lattice.rows * lattice.cols > MOST_CELLS:
            return None, doubtful
        mesh = measure(scene, grown(scene, lattice, FAR if open_ended else NEAR), round_cells=round_cells)
        page, part = _page(scene, mesh), _place(mesh.lattice, lattice)
        around = _around(mesh, part)
        doubtful |= bool((around & ~page).any())
        if closed:
            page |= around
        elif open_ended and _runs_out(mesh, page, part):
            mesh = measure(scene, grown(scene, lattice, FARTHER), round_cells=round_cells)
            page, part = _page(scene, mesh), _place(mesh.lattice, lattice)
            around = _around(mesh, part)
            doubtful |= bool((around & ~page).any())
        extent = _extent(mesh, page, around & page, part)
        if extent is None:
            return None, doubtful
        board = mesh.part(extent)
        open_ended = any(end == last for end, last in zip(extent, every_cell(mesh), strict=True))
        if board.lattice == lattice:
            break
        settled = (board.lattice.rows, board.lattice.cols) == (lattice.rows, lattice.cols)
        lattice = board.lattice if settled else refined(board)
    kinds = kinds_of(board, np.ones(board.plain.shape, dtype=bool), every_cell(board))
    if kinds is None:
        return None, doubtful
    part = _trimmed(kinds)
    if part != (0, lattice.rows, 0, lattice.cols):
        board = board.part(part)
        kinds = kinds_of(board, np.ones(board.plain.shape, dtype=bool), every_cell(board))
    if kinds is None or min(board.plain.shape) < 2:
        return None, doubtful
    return ColouredBoard(board, kinds), doubtful


def _place(whole: Lattice, lattice: Lattice) -> Part:
    """Which rows and columns of a grown lattice were there before."""
    left = round((lattice.origin.x - whole.origin.x) / whole.pitch[0])
    top = round((lattice.origin.y - whole.origin.y) / whole.pitch[1])
    return top, top + lattice.rows, left, left + lattice.cols


def _around(mesh: Mesh, part: Part) -> Cells:
    """bool[rows, cols]: the cells of what makes up most of the ring of cells about `part`, all of one area."""
    top, bottom, left, right = part
    inside, wider = np.zeros(mesh.areas.shape, dtype=bool), np.zeros(mesh.areas.shape, dtype=bool)
    inside[top:bottom, left:right] = True
    wider[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = True
    ring = mesh.areas[wider & ~inside]
    if not len(ring):
        return np.zeros(mesh.areas.shape, dtype=bool)
    commonest = int(np.bincount(ring).argmax())
    return np.asarray((mesh.areas == commonest) & ((ring == commonest).mean() >= AROUND))


def _runs_out(mesh: Mesh, page: Cells, part: Part) -> bool:
    """Whether something of a colour of the board in `part` seems to be page: a flooded region that goes on and on."""
    top, bottom, left, right = part
    inside = np.zeros(page.shape, dtype=bool)
    inside[top:bottom, left:right] = True
    board = np.unique(mesh.colours[inside & ~page & (mesh.plain >= PLAIN)], axis=0)
    areas = np.unique(mesh.areas[page & cv2.dilate(inside.astype(np.uint8), np.ones((3, 3))).astype(bool)])
    if not len(board) or not len(areas) or len(board) > MOST_SHADES:
        return False
    open_ = np.stack([np.median(mesh.colours[mesh.areas == area], axis=0) for area in areas])
    away = np.abs(open_[:, None] - board.astype(np.float64)).max(axis=2)
    return bool((away <= ALIKE).any())


def _extent(mesh: Mesh, page: Cells, around: Cells, part: Part) -> Part | None:
    """The rectangle in which cells of the kinds at home in `part` outnumber everything else most.

    around: cells of the page that lies about the board.
    """
    kinds = kinds_of(mesh, ~page, part)
    if kinds is None:
        return None
    wanted = (kinds.of >= 0) & (kinds.like >= PLAIN)
    for _ in range(3):
        good = wanted & np.isin(kinds.of, _at_home(mesh, kinds.of, part))
        again = _undivided(mesh, densest(np.where(good, 1.0, -1.0)), around)
        top, bottom, left, right = again
        if bottom - top < 2 or right - left < 2:
            return None
        if again == part:
            break
        part = again
    return part


def _undivided(mesh: Mesh, part: Part, around: Cells) -> Part:
    """`part` without what rows, and columns, of nothing but what lies `around` the board part from most of it.

    Only where that is cut otherwise, as large buttons are: what a flooded region of the page's colour parts is the
    board's.
    """
    for axis in (0, 1):
        top, bottom, left, right = part
        lines = around[top:bottom, left:right].all(axis=1 - axis)
        ends = np.flatnonzero(np.diff(np.concatenate([[1], lines, [1]]).astype(np.int8))).reshape(-1, 2).tolist()
        pieces: list[Part] = [
            (top, bottom, left + first, left + last) if axis else (top + first, top + last, left, right)
            for first, last in ends
        ]
        if len(pieces) > 1:
            shares = [_cut(mesh.part(each), around[each[0] : each[1], each[2] : each[3]]) for each in pieces]
            most = max(range(len(pieces)), key=lambda number: ends[number][1] - ends[number][0])
            like = [each for each, share in zip(pieces, shares, strict=True) if share >= LUMPED * shares[most]]
            part = like[0][0], like[-1][1], like[0][2], like[-1][3]
    return part


def _cut(mesh: Mesh, around: Cells) -> float:
    """The share of the borders between cells side by side, neither of what lies `around` them, that are drawn."""
    upright, level = mesh.drawn
    across, down = ~(around[:, 1:] | around[:, :-1]), ~(around[1:] | around[:-1])
    drawn = (upright & across).sum() + (level & down).sum()
    return float(drawn / max(1, across.sum() + down.sum()))


def _at_home(mesh: Mesh, of: NDArray[np.intp], part: Part) -> NDArray[np.intp]:
    """The kinds that belong to the board in `part`: they meet other cells there, at drawn borders, in both directions.

    A row of the page or of a toolbar beside the board meets the board on one side only.
    """
    top, bottom, left, right = part
    board, kinds = mesh.part(part), of[top:bottom, left:right]
    upright, level = board.drawn
    across, down = _beside(upright), _beside(level.T).T
    size = int(of.max()) + 2
    all_of = np.bincount(kinds.ravel() + 1, minlength=size)[1:]
    cornered = np.bincount(kinds[across & down] + 1, minlength=size)[1:]
    return np.flatnonzero((cornered >= 2) | (cornered >= 0.5 * all_of) & (cornered > 0))


def _beside(borders: Cells) -> Cells:
    """bool[rows, cols + 1]: the cells on either side of some of the borders between them, bool[rows, cols]."""
    return np.asarray(np.pad(borders, ((0, 0), (1, 0))) | np.pad(borders, ((0, 0), (0, 1))))


def _page(scene: Scene, mesh: Mesh) -> Cells:
    """bool[rows, cols]: the cells that run on, four and more, into what lies round the mesh.

    Where a cell's outer border is drawn nothing runs on.  Where the picture ends with the mesh, a board may be cut
    off: only what takes a tenth of the rim is page there.
    """
    (x, y), (across, down) = mesh.lattice.origin, mesh.lattice.pitch
    rows, cols = mesh.areas.shape
    rim, ring = np.zeros(mesh.areas.shape, dtype=bool), np.zeros(mesh.areas.shape, dtype=bool)
    for side, drawn, cut_off in (
        (np.s_[:, 0], mesh.upright[:, 0], x <= across),
        (np.s_[:, -1], mesh.upright[:, -1], x + across * cols >= scene.width),
        (np.s_[0], mesh.level[0], y <= down),
        (np.s_[-1], mesh.level[-1], y + down * rows >= scene.height),
    ):
        rim[side] |= np.isnan(drawn)
        ring[side] |= np.isnan(drawn) & (not cut_off)
    sizes = np.bincount(mesh.areas.ravel())
    on_rim = np.bincount(mesh.areas[rim], minlength=len(sizes)) / (2 * (rows + cols) - 4)
    open_ = np.isin(mesh.areas, mesh.areas[ring]) & (sizes[mesh.areas] >= 4)
    return np.asarray(open_ | (on_rim[mesh.areas] >= 0.1))


def _trimmed(kinds: CellKinds) -> Part:
    """The mesh less outer rows and columns that are no cells: they look less like their kinds than the board does."""
    top, bottom, left, right = 0, kinds.whole.shape[0], 0, kinds.whole.shape[1]
    while bottom - top > 2 and right - left > 2:
        whole = kinds.whole[top:bottom, left:right]
        like = [float(np.median(side)) for side in (whole[0], whole[-1], whole[:, 0], whole[:, -1])]
        worst = int(np.argmin(like))
        if like[worst] >= WHOLE * float(np.median(whole)):
            break
        top, bottom = top + (worst == 0), bottom - (worst == 1)
        left, right = left + (worst == 2), right - (worst == 3)
    return top, bottom, left, right
