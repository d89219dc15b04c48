"""Which walls lie in the grooves between the cells of a square lattice, told by the colours of its pieces of groove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.cell_patches import CellPatches, median
from games.core import Cell

WALL = 22.0
"""How far a groove's colour must lie from the bare groove's, in the channel that differs most, to be covered."""

MARKED = 44.0
"""The same beside cells that are filled as marks, whose colour JPEG and rounding carry over their edge."""

MATERIAL = 70.0
"""How much the two pieces of a wall may differ, in the channel that differs most: ends are shaded, tooltips paler."""

GHOST = 0.62
"""A colour this part of the way from the ground to a wall's is its ghost: previews are drawn half clear."""

NOISE, HUE = 5.0, 0.12
"""How far a ghost may lie beside the way from the ground to a wall: by JPEG, and as a part of its own length."""

FEWEST_SIDES, FEWEST_RINGS = 2, 2
"""The sides of a cell, at least, on which a ring round it shows, which may fall beside the middle of a groove; and the
cells with rings, at least, where a pawn may go."""

MOST_WALLS = 20
"""Walls that both players have together; the smaller boards have fewer."""

Wall = tuple[str, int, int]
"""The way it lies, "h" or "v", and the cell above and left of its middle."""

Colours = dict[str, NDArray[np.float32]]
"""Of pieces of groove: "h" [n - 1, n, 3] below the cells, "v" [n, n - 1, 3] right of them, "x" [n - 1, n - 1, 3] the
crossings below and right of them."""

Edges = dict[str, tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]]
"""Of two opposite edges of each cell, "h" its top and foot, "v" its left and right one: their colours,
float32[rows, cols, 2, 3], whether something lies there, bool[rows, cols, 2], and their colours where nothing does."""

_Mask = NDArray[np.bool_]
_Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class GrooveWalls:
    """What lies in the grooves.

    walls: as they lie.  odd: places, in an Observation's grid, on which something lies that is no whole wall.
    even: the share of the pieces that are bare or part of a wall.  ground: float32[3], the bare grooves' colour.
    ringed: the cells all round which something lies: marks of where a pawn may go, of which no piece is odd.
    """

    walls: tuple[Wall, ...]
    odd: tuple[Cell, ...]
    even: float
    ground: _Floats
    ringed: tuple[Cell, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether that explains all of the grooves."""
        return self.even == 1 and len(self.walls) <= MOST_WALLS


def find_walls(parts: Colours, filled: _Mask, before: GrooveWalls | None = None) -> GrooveWalls:
    """The walls that pieces of these colours show, with the bare colour that leaves the most of them whole.

    There are never so many walls that the board is full of them.
    filled: bool[rows, cols], cells filled as marks of where a pawn may go: what these do to grooves beside is no wall.
    before: what lay there in the picture before; its bare colour is kept while it leaves nothing unexplained.
    """
    if before is not None and (seen := _walls_over(parts, before.ground, filled)).whole:
        return seen
    colours = np.concatenate([parts[way].reshape(-1, 3) for way in ("h", "v", "x")])
    rest, found = colours, []
    for _ in range(2):
        if len(rest) < 0.2 * len(colours):
            break
        ground = median(rest, axis=0)
        near = np.abs(rest - ground).max(axis=1) <= WALL
        ground = median(rest[near], axis=0) if near.any() else ground
        found.append(_walls_over(parts, ground, filled))
        if found[-1].whole:
            break
        rest = rest[np.abs(rest - ground).max(axis=1) > WALL]
    return max(found, key=lambda seen: (len(seen.walls) <= MOST_WALLS, seen.even))


def pawns_in(grid: NDArray[np.int8]) -> list[list[int]]:
    """The [row, col] of each pawn in an Observation's grid with grooves, int8[2 rows - 1, 2 cols - 1], by player."""
    cells = grid[::2, ::2]
    return [[int(row), int(col)] for player in (1, 2) for row, col in np.argwhere(cells == player)]


def walls_in(grid: NDArray[np.int8]) -> list[Wall]:
    """The walls in an Observation's grid with grooves, int8[2 rows - 1, 2 cols - 1].

    Each covers two pieces and the crossing between.
    """
    covered = grid == 1
    pieces = np.stack([covered[1::2, ::2], covered[::2, 1::2].T])
    crossings = np.stack([covered[1::2, 1::2], covered[1::2, 1::2].T])
    return sorted(_wall(*place) for place in _pairs(pieces, crossings))


def places(wall: Wall) -> list[Cell]:
    """The three places of an Observation's grid that a wall covers."""
    way, row, col = wall
    down, right = (0, 1) if way == "h" else (1, 0)
    return [Cell(2 * row + 1 + step * down, 2 * col + 1 + step * right) for step in (-1, 0, 1)]


def overlaid(walls: tuple[Wall, ...], parts: Colours, edges: Edges) -> list[Wall]:
    """Those that go on over the edges of the cells on both sides, as walls never do but notes."""
    over = {way: _overlaid(way, parts[way], edges[way]) for way in ("h", "v") if edges[way][1].any()}
    return [
        (way, row, col)
        for way, row, col in walls
        if way in over and (over[way][row, col] or over[way][row + (way == "v"), col + (way == "h")])
    ]


def edges_of(cells: CellPatches, bare: CellPatches, plain: _Mask, filled: _Mask) -> Edges:
    """The edges of cells; something lies on those that are unlike the bare cell's, or the cell's other edge.

    bare: the cells without what is on them.  plain, filled: bool[rows, cols], cells with nothing on them, whose edges
    may differ as they are shaded, and cells that are filled up to their edges and no further.
    """
    found = {}
    for way, turned, free in (("h", cells, bare), ("v", cells.swapaxes(2, 3), bare.swapaxes(2, 3))):
        shown, usual = (median(patches[:, :, [0, -1]], axis=3) for patches in (turned, free))
        slope = shown - shown[:, :, ::-1]
        away = np.maximum(np.abs(slope - median(slope[plain], axis=0)), np.abs(shown - usual))
        found[way] = shown, (away.max(axis=-1) > WALL) & ~filled[:, :, None], np.broadcast_to(usual, shown.shape)
    return found


def _overlaid(way: str, part: _Floats, edge: tuple[_Floats, _Mask, _Floats]) -> _Mask:
    """Bool for each piece of groove: whether what is on it lies on the edges of the cells on both sides, too.

    There it is nearer to what is on the piece than a bare edge is, which a wall throws its shadow on.
    """
    shown, covered, usual = (value if way == "h" else value.swapaxes(0, 1) for value in edge)
    part = part if way == "h" else part.swapaxes(0, 1)
    both = np.ones(part.shape[:2], dtype=np.bool_)
    for cells, side in ((np.s_[:-1], 1), (np.s_[1:], 0)):
        away, bare = (np.abs(seen[cells, :, side] - part).max(axis=2) for seen in (shown, usual))
        both &= covered[cells, :, side] & (away <= MATERIAL) & (away < bare)
    return both if way == "h" else both.swapaxes(0, 1)


def _walls_over(parts: Colours, ground: _Floats, filled: _Mask) -> GrooveWalls:
    """What lies in grooves whose colour is `ground` where they are bare.

    Pieces are numbered by way (0 across, 1 down), groove, and place along it.
    """
    pieces = np.stack([parts["h"], parts["v"].swapaxes(0, 1)])
    crossings = np.stack([parts["x"], parts["x"].swapaxes(0, 1)])
    away = pieces - ground
    away[_whole_ways(pieces)] = 0.0
    lifted, over = np.abs(away).max(axis=3) > WALL, np.abs(crossings - ground).max(axis=3) > WALL
    beside = _beside(filled)
    if filled.any():
        lifted &= ~beside | _clear(away, lifted & ~beside)
    if not lifted.any():
        return GrooveWalls((), (), 1.0, ground)
    covered = lifted & ~_previewed(away, lifted, over)
    alike = np.abs(pieces[:, :, 1:] - pieces[:, :, :-1]).max(axis=3) <= MATERIAL  # what lies over one of them is not
    found = _pairs(covered, over & alike)
    apart = _pairs(covered, alike)  # some pages draw the pieces beside the cells alone
    if np.array_equal(_taken(apart, covered.shape), covered):
        found = apart
    ringed, tint = _ringed(away)
    ringed &= bool((covered & ~_taken(found, covered.shape)).any())  # walls alone are told by their length
    tinted = _along(away, tint) > 0
    about = _beside(ringed) & tinted
    if ringed.sum() >= FEWEST_RINGS and not (_along(away[lifted & ~about], tint) > 0).any():
        covered &= ~about  # where walls have that colour, too, these are told by their length
        found = _pairs(covered, over & alike)
    alone = covered & ~_taken(found, covered.shape) & ~beside
    focus = _on_most(_sides(alone))  # something goes round a cell, and walls are longer than that
    odd = np.argwhere(alone & ~tinted & ~_beside(focus)).tolist()
    return GrooveWalls(
        tuple(sorted(_wall(*place) for place in found)),
        tuple(_place(*place) for place in odd),
        1 - len(odd) / covered.size,
        ground,
        tuple(Cell(*place) for place in np.argwhere(ringed).tolist()),
    )


def _whole_ways(pieces: _Floats) -> _Mask:
    """bool[2, grooves]: the grooves that show one colour from end to end: walls leave pawns a way."""
    usual = median(pieces, axis=2)
    return np.asarray((np.abs(pieces - usual[:, :, None]).max(axis=3) <= WALL / 2).all(axis=2))


def _ringed(away: _Floats) -> tuple[_Mask, _Floats]:
    """bool[rows, cols]: the cells with one colour on all of their sides but one at most, and on two at least.

    And how far that colour lies from the bare groove's, float32[3].  away: how far those of the pieces do.
    """
    about = _sides(away)
    strong = np.abs(about).max(axis=3)
    ring = np.take_along_axis(about, strong.argmax(axis=0)[None, :, :, None], axis=0)[0]
    ringed = (strong.max(axis=0) > WALL) & _on_most(_along(about, ring) > WALL / 2)
    return ringed, ring[ringed].mean(axis=0) if ringed.any() else np.zeros(3, dtype=np.float32)


def _sides(pieces: NDArray[Any]) -> NDArray[Any]:
    """[4, rows, cols, ...]: what pieces, [2, grooves, places, ...], are on each side of the cells; 0 at an edge."""
    padded = np.pad(pieces, ((0, 0), (1, 1), *[(0, 0)] * (pieces.ndim - 2)))
    return np.stack([padded[0, :-1], padded[0, 1:], padded[1, :-1].swapaxes(0, 1), padded[1, 1:].swapaxes(0, 1)])


def _on_most(sides: _Mask) -> _Mask:
    """bool[rows, cols]: whether it is so on all sides of a cell, bool[4, rows, cols], but one, and on two at least."""
    there = np.full(sides.shape[1:], len(sides))
    there[[0, -1]] -= 1
    there[:, [0, -1]] -= 1
    return np.asarray(sides.sum(axis=0) >= np.maximum(there - 1, FEWEST_SIDES))


def _beside(cells: _Mask) -> _Mask:
    """Bool for each piece: whether it lies beside one of the cells, bool[rows, cols]."""
    return np.stack([cells[1:] | cells[:-1], (cells[:, 1:] | cells[:, :-1]).T])


def _along(colours: _Floats, ring: _Floats) -> _Floats:
    """How far each of some changes of colour goes the way of a ring's; 0 for one that goes far aside of it."""
    length = np.linalg.norm(ring, axis=-1, keepdims=True)
    way = ring / np.maximum(length, 1.0)
    along = (colours * way).sum(axis=-1)
    aside = np.linalg.norm(colours - along[..., None] * way, axis=-1)
    return np.asarray(np.where(aside > NOISE + HUE * np.abs(along), 0.0, along), dtype=np.float32)


def _clear(away: _Floats, others: _Mask) -> _Mask:
    """Bool for each piece: whether it is far from bare, or as some of the `others` are."""
    clear: _Mask = np.abs(away).max(axis=3) > MARKED
    if others.any():
        clear |= np.abs(away[:, :, :, None] - away[others]).max(axis=4).min(axis=3) <= WALL
    return clear


def _taken(found: list[tuple[int, int, int]], shape: tuple[int, ...]) -> _Mask:
    """bool[2, grooves, pieces]: the pieces that walls cover."""
    taken = np.zeros(shape, dtype=np.bool_)
    for way, line, place in found:
        taken[way, line, place : place + 2] = True
    return taken


def _previewed(away: _Floats, lifted: _Mask, over: _Mask) -> _Mask:
    """Bool for each piece: whether what lies on it is a preview, paler than walls are.

    The pointer shows one wall at a time: paler ones of which there are more are in a second player's colour.
    """
    pale, changes = np.zeros_like(lifted), away[lifted]
    if np.ptp(changes, axis=0).max() <= WALL:
        return pale
    pale[lifted] = _pale(changes)
    colours = np.array([away[place] for place in _pairs(pale, over)]).reshape(-1, 3)
    alike = (np.abs(colours[:, None] - colours).max(axis=2) <= WALL).sum(axis=1)
    if int((alike == 1).sum()) > 1:
        return np.zeros_like(lifted)
    second = colours[alike > 1]
    if len(second):
        pale &= np.abs(away[:, :, :, None] - second).max(axis=4).min(axis=3) > WALL
    return pale


def _pale(changes: _Floats) -> _Mask:
    """bool[n]: whether each change of colour, float32[n, 3], is a paler version of two others: of one wall's."""
    lengths = (changes**2).sum(axis=1)
    part = changes @ changes.T / lengths
    rest = lengths[:, None] - part**2 * lengths  # what is left is upright on what is taken away
    beside = (NOISE + HUE * np.sqrt(lengths[:, None])) ** 2
    return np.asarray(((part > 0) & (part < GHOST) & (rest < beside)).sum(axis=1) >= 2)


def _pairs(covered: _Mask, crossings: _Mask) -> list[tuple[int, int, int]]:
    """Where walls begin: in a run of covered pieces they follow each other."""
    found = []
    last = (-1, -1, -1)
    for way, line, place in np.argwhere(covered[:, :, :-1] & covered[:, :, 1:] & crossings).tolist():
        if (way, line, place - 1) != last:
            last = (way, line, place)
            found.append(last)
    return found


def _wall(way: int, line: int, place: int) -> Wall:
    return ("v", place, line) if way else ("h", line, place)


def _place(way: int, line: int, place: int) -> Cell:
    """A piece's place in an Observation's grid."""
    return Cell(2 * place, 2 * line + 1) if way else Cell(2 * line + 1, 2 * place)
