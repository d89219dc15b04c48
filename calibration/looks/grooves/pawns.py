"""What stands on the cells of a Quoridor board: the pawns, and hints of where they may go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Colour, rgb
from calibration.cell_patches import CellPatches, PatchClusters, cluster_patches, median, unlikeness, varied
from calibration.looks.grooves.walls import Edges, edges_of
from games.core import Cell

APART = 7.0
"""Unlikeness from which two cells show different things; noise and shading stay under 5."""

MOST_KINDS = 30
"""More different cells than tints, pawns, previews and a pointer make: a page of icons or numbers."""

BARE = 0.5
"""The share of the cells with nothing on them, in one or two tints, at least."""

FAINT = 15.0
"""The mean change of a cell's middle from which something stands on it; a star on a pale pawn's disc changes 25."""

FAINTER = 5.0
"""The same of a pawn of its cell's own colour, of which a rim and some shade show, where no other is found."""

TAKEN = 2
"""Cells of a goal row of its own tint on which something may stand: the others look alike."""

FEWEST_TINTED = 3
"""Cells of one tint that lie in a row of goals alone: in a row of two tints there are four of one, and maybe a pawn."""

LOPSIDED = 0.7
"""How much less what is all on one side of a cell counts as a pawn."""

FEWEST_HINTS, ALIKE = 2, 20.0
"""Marks of where a pawn may go, of which a pawn in the open has three or four; and how unlike they may be."""

MOST_HINTS = 8
"""Cells that differ from the commonest at most for some to be hints: more are a chequer's, or a row's of goals."""

FILLED = 3
"""As many of them where pawns may seem pale beside them: filled cells."""

RIMMED = 30.0
"""How far, in the channel that differs most, the rim of a filled cell may lie off its colour.

Blur takes parts of it past 20; that of cells which a note covers in part lies past 40.
"""

PAIRED = 6
"""Things on cells that stand out most, among which the two pawns are looked for."""

UNSHARP = 5.0
"""How far beside the way from the cell to a pawn's colour a ghost's may lie by the noise of JPEG."""


@dataclass(frozen=True, slots=True, eq=False)
class CellContents:
    """What is on the cells.  See `GroovedBoard`.

    pawn_colours: the colours of the pawns.  middle: that of the commonest cells.
    filled: bool[rows, cols], cells marked as places where a pawn may go.
    """

    edges: Edges
    filled: NDArray[np.bool_]
    pawns: tuple[Cell, ...]
    strangers: Mapping[Cell, Colour]
    pawn_colours: tuple[Colour, ...]
    bare: float
    sorts: int
    middle: NDArray[np.float32]


def contents_of(cells: CellPatches) -> CellContents | None:
    """What is on these cells; None where they have nothing in common."""
    if varied(cells, 2, BARE):
        return None
    kinds = cluster_patches(cells, APART, at_most=MOST_KINDS)
    if kinds is None:
        return None
    plain = _plain(kinds)
    if not plain.any():
        return None
    bare = cells.copy()
    for row, col in np.argwhere(~plain):
        bare[row, col] = _ground(cells, plain, int(row), int(col))
    standing, strangers, hints = _pawns(cells, plain, bare)
    filled = np.zeros_like(plain)
    for cell in hints:
        filled[cell] = _to_the_rim(cells[cell])
    return CellContents(
        edges_of(cells, bare, plain, filled),
        filled,
        tuple(standing),
        {cell: _centre_colour(cells[cell]) for cell in strangers},
        tuple(_centre_colour(cells[pawn]) for pawn in standing),
        bare=float(plain.mean()),
        sorts=len(kinds.sizes),
        middle=median(cells[kinds.labels == 0].reshape(-1, 3), axis=0),
    )


def _plain(kinds: PatchClusters) -> NDArray[np.bool_]:
    """bool[rows, cols]: cells with nothing on them, of the commonest kinds or of a goal row's own."""
    rows, cols = kinds.labels.shape
    common = kinds.sizes >= rows - TAKEN
    if not common.any():
        return np.zeros((rows, cols), dtype=np.bool_)
    for row in (kinds.labels[0], kinds.labels[-1], kinds.labels[:, 0], kinds.labels[:, -1]):
        held = np.bincount(row, minlength=len(common))
        common |= (held == kinds.sizes) & (held >= FEWEST_TINTED)
    return np.isin(kinds.labels, np.flatnonzero(common))


def _centre_colour(patch: NDArray[np.float32]) -> Colour:
    """The colour in the middle of a cell."""
    return rgb(median(patch[2:4, 2:4].reshape(-1, 3), axis=0))


def _to_the_rim(cell: NDArray[np.float32]) -> bool:
    """Whether the rim of a cell, float32[zones, zones, 3], has one colour: that of a cell covered in part has two."""
    rim = np.concatenate([cell[[0, -1]].reshape(-1, 3), cell[:, [0, -1]].reshape(-1, 3)])
    return bool((np.abs(rim - median(rim, axis=0)).max(axis=1) <= RIMMED).all())


def _pawns(
    cells: CellPatches, plain: NDArray[np.bool_], bare: CellPatches
) -> tuple[list[Cell], list[Cell], list[Cell]]:
    """The two cells that stand out most and are no ghosts of each other, others that do, and hints."""
    rows, cols = plain.shape
    change = cells - bare
    inner = change[:, :, 1:-1, 1:-1]
    strength = np.abs(inner).max(axis=-1).reshape(rows, cols, -1)
    strong = strength.mean(axis=2) * _symmetry(change)
    tint = np.zeros((rows, cols, 3))
    for row, col in np.argwhere(~plain):
        top = np.argsort(strength[row, col])[-4:]
        tint[row, col] = inner[row, col].reshape(-1, 3)[top].mean(axis=0)
    things = [Cell(int(r), int(c)) for r, c in np.argwhere(~plain & (strong > FAINTER))]
    things.sort(key=lambda cell: -strong[cell])
    order, faint = ([cell for cell in things if (strong[cell] > FAINT) == clear] for clear in (True, False))
    pale = {one for one in order for other in order if in_reach(one, other) and _ghost(tint[one], tint[other])}
    vivid = [cell for cell in order if cell not in pale]
    hints = _hints(order, cells, fewest=FILLED) or _hints(vivid, cells, fewest=FEWEST_HINTS)
    order = [cell for cell in order if cell not in hints]

    def paired(things: list[Cell]) -> dict[tuple[Cell, Cell], float]:
        return {
            (one, other): float(strong[one] * strong[other])
            for one, other in combinations(things[:PAIRED], 2)
            if not (in_reach(one, other) and _ghost(tint[other], tint[one]))
        }

    pairs = paired(order) or paired(order + faint)
    pawns = list(max(pairs, key=lambda pair: pairs[pair], default=order[:2]))
    least = 0.5 * min((float(strong[pawn]) for pawn in pawns), default=0.0)
    strangers = [
        cell
        for cell in order
        if cell not in pawns
        and strong[cell] > least
        and not any(in_reach(cell, pawn) and _ghost(tint[cell], tint[pawn]) for pawn in pawns)
    ]
    return pawns, strangers, hints


def _hints(things: list[Cell], cells: CellPatches, *, fewest: int) -> list[Cell]:
    """Those of the things on cells that show where a pawn may go: all that look alike, where they lie about another.

    The pawn in their middle may look like them: they are its ghosts.
    """
    for one in things:
        like = [cell for cell in things if unlikeness(cells[one], cells[cell]) <= ALIKE]
        middle = [pawn for pawn in like if len(like) > 2 and all(_beside(cell, pawn) for cell in like if cell != pawn)]
        like = [cell for cell in like if cell not in middle]
        rest = [cell for cell in things if cell not in like]
        about = any(all(in_reach(cell, pawn) for cell in like) for pawn in rest)
        if about and len(like) >= fewest and len(rest) >= 2:
            return like
    return []


def hints_of(cells: CellPatches, pawns: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells that are marked, be it by a dot, as places where one of `pawns` may go; () where there are none."""
    usual = median(cells.reshape(-1, *cells.shape[2:]), axis=0)
    odd = (Cell(int(row), int(col)) for row, col in np.argwhere(unlikeness(cells, usual) > APART))
    marked = [cell for cell in odd if cell not in pawns]
    return tuple(_hints([*marked, *pawns], cells, fewest=FEWEST_HINTS)) if len(marked) <= MOST_HINTS else ()


def _symmetry(change: CellPatches) -> NDArray[np.float32]:
    """float32[rows, cols]: 1 where what is on a cell is its own mirror image, as pawns nearly are, to 0.3 where not.

    The pointer, and what sticks out over the board from beside it, are not.
    """
    strength = np.abs(change).max(axis=-1)
    uneven = np.abs(strength - strength[..., ::-1]).sum(axis=(2, 3)) / (strength.sum(axis=(2, 3)) + 1e-6)
    return np.asarray(1 - LOPSIDED * np.minimum(1.0, uneven), dtype=np.float32)


def _beside(cell: Cell, pawn: Cell) -> bool:
    return abs(cell.row - pawn.row) + abs(cell.col - pawn.col) == 1


def in_reach(cell: Cell, pawn: Cell) -> bool:
    """Whether a pawn could go there in one move, jumping included."""
    return 1 <= abs(cell.row - pawn.row) + abs(cell.col - pawn.col) <= 2


def _ground(cells: NDArray[np.float32], plain: NDArray[np.bool_], row: int, col: int) -> NDArray[np.float32]:
    """How the cell would look without anything on it: as the nearest bare cells of its row and its colour do."""
    found = np.argwhere(plain)
    away = np.abs(found - (row, col)).sum(axis=1) + 3 * ((found.sum(axis=1) - row - col) % 2) + 2 * (found[:, 0] != row)
    near = found[np.argsort(away, kind="stable")[:3]]
    return median(cells[near[:, 0], near[:, 1]], axis=0)


def _ghost(one: NDArray[np.float64], pawn: NDArray[np.float64]) -> bool:
    """Whether `one` is a paler version of `pawn`."""
    length = float(np.linalg.norm(pawn))
    if length == 0:
        return False
    part = float(one @ pawn) / length**2
    beside = float(np.linalg.norm(one - part * pawn))
    return part < 0.85 and beside < min(0.2 * length, UNSHARP + 0.25 * float(np.linalg.norm(one)))
