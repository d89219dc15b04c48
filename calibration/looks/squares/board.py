"""A square lattice read as a Blokus board, and what speaks for and against it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Colour, Lattice, rgb
from calibration.cell_patches import cell_patches
from calibration.lines import borders
from calibration.look import ReadBoard
from calibration.looks.squares.shades import (
    LARGEST,
    OUTER,
    TOLERANCE,
    bears_mark,
    start_discs,
    start_signs,
    start_tints,
    tones_of,
    voted,
    zone_colours,
)
from calibration.looks.squares.tray import tray_pieces
from calibration.palette import cluster
from calibration.regions import components
from calibration.scene import Scene
from games.core import Cell
from games.polyominoes import PIECES

SIZES = {14: 1.0, 20: 1.0, 16: 0.6, 12: 0.6, 10: 0.6, 15: 0.5, 18: 0.5, 22: 0.4, 11: 0.4, 13: 0.4, 17: 0.3}
"""How usual the sizes are: 14 for two players, 20 for four, the rest in variants."""

REACH = 0.34
"""How far from its centre a square is looked at, in pitches: inside bevels and lines."""

TINTED = 0.04
"""The share of the squares that each tint of a chequered ground has at least."""

DRAWN = 0.8
"""The share of a square's side that must be an edge for its border to count as drawn."""

GAP = 0.065
"""How far beside its border, as a part of the pitch, a square may end: half the widest gap seen, 9 pixels of 72."""

LINED = 0.6
"""The share of the lines between squares that is drawn on a board of lines; pieces may cover the rest."""

MOST_STARTS = 4
"""Empty squares that are marked as starts at most: one of each player."""

TINT = 0.97
"""The cosine of the angle between a tint and its colour, both from the ground, at least: two players' lie 0.9 apart."""

BEYOND = 0.38
"""How far beyond its outline, in pitches, it is looked whether the ground still goes on: where stones stand on the
crossings, it does for half a square."""

CLEAR = 0.6
"""The share of its rim that must be of one colour for a square to be taken as that colour."""


@dataclass(frozen=True, eq=False)
class SquareBoard(ReadBoard):
    """A square lattice read as a Blokus board.

    grid: int8[side, side], 0 empty, 1.. the players.  palette: the empty square's colour and the players'; tones: those
    at its end that are a player's, too, of the piece laid last.
    broken: groups of squares that no legal pieces explain, as a share of all groups.  flat: the share of plain squares.
    lined: the share of the lines inside that are drawn.  framed: the share of its outline that is drawn, at the side
    with least of it.
    ring: the share of the squares along one side of it, the worst, that look like its own.
    margin: the share of the places a little beyond one side of it, the one with fewest, that look like an empty square.
    tray: how many pieces wait beside it, in parts of a full set.
    marked: the share of the empty squares that hold something else in their middle: a digit, a disc, a flag.
    start: where the first tray's player starts, by the tint of such a mark, or else the first mark.
    """

    look = "squares"
    grid: NDArray[np.int8]
    palette: tuple[Colour, ...]
    tones: frozenset[int]
    pieces: int
    broken: float
    flat: float
    lined: float
    framed: float
    ring: float
    margin: float
    tray: float
    marked: float
    start: Cell | None = None

    @cached_property
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""
        sizes = np.bincount(self.grid.ravel())[1:]
        side = self.lattice.rows
        return {
            "usual": float(np.log(SIZES.get(side, 0.1))),
            "pieces": 1 - 0.8**self.pieces,
            "bare": float(self.pieces == 0),
            "broken": self.broken,
            "plain": self.flat,
            "lined": self.lined,
            "framed": self.framed,
            "ring": self.ring,
            "margin": self.margin,
            "tray": min(1.0, self.tray),
            "marked": self.marked,
            "players": float(len(sizes) == 3) + 2 * float(len(sizes) > 4),
            "uneven": float(np.ptp(sizes) / sizes.max()) if len(sizes) > 1 else 1.0,
            "piece size": float(sizes.sum() / max(1, self.pieces) / LARGEST),
            "crowded": float((self.grid > 0).mean()),
        }

    @property
    def explanation(self) -> str:
        """What speaks for and against it, in words."""
        side = self.lattice.rows
        return (
            f"{side}x{side} squares, {self.pieces} pieces, {self.broken:.0%} of them illegal, {self.flat:.0%} of the "
            f"squares plain, {self.lined:.0%} of the lines between them drawn"
        )

    def known(self, scene: Scene) -> dict[str, Any]:
        """The colours, and where the first player starts."""
        return {"palette": self.palette, "marked": self.tones, "start": self.start}


def read_board(scene: Scene, lattice: Lattice) -> SquareBoard | None:
    """Read the cells of `lattice` as squares and pieces; None where they have too many colours."""
    side = lattice.rows
    last = lattice.centre(Cell(side - 1, side - 1))
    if min(lattice.origin) < 0 or last.x >= scene.width or last.y >= scene.height:
        return None
    zones, colours, flat = zone_colours(cell_patches(scene.pixels, lattice, (REACH, REACH)))
    clear = flat >= CLEAR
    if clear.mean() < 0.5 or len(np.unique(np.rint(colours[clear] / 8), axis=0)) > 100:
        return None
    palette = cluster(colours[clear])
    count = len(palette.colours)
    kinds = np.full((side, side), -1, dtype=np.intp)
    kinds[clear] = palette.kinds
    kinds = _without_chequer(kinds, palette.colours)
    ground = min(range(min(count, 5)), key=lambda kind: (_illegal(kinds, kind)[0], -(kinds == kind).sum()))
    kinds[kinds < 0] = voted(zones[kinds < 0], palette.colours, np.unique(kinds[kinds >= 0]), ground)
    taken, empty = kinds != ground, palette.colours[ground]
    starts = start_discs(cell_patches(scene.pixels, lattice, (OUTER, OUTER)), taken, empty)
    starts |= start_tints(colours, taken, empty) | start_signs(zones, colours, taken)
    kinds[starts] = ground
    tones = tones_of(kinds, palette.colours, ground)
    for tone, player in tones.items():
        kinds[kinds == tone] = player
    tones = {tone: player for tone, player in tones.items() if player != ground}
    illegal, pieces = _illegal(kinds, ground)
    upright, level = drawn_lines(scene, lattice)
    players = [kind for kind in range(count) if kind != ground and (kinds == kind).any()]
    numbers = np.zeros(count, dtype=np.int8)
    numbers[players] = np.arange(1, len(players) + 1)
    shades = tuple(rgb(palette.colours[kind]) for kind in (ground, *players, *tones))
    marks = bears_mark(zones, colours) & (kinds == ground)
    starts |= marks & (marks.sum() <= MOST_STARTS)
    board = SquareBoard(
        lattice,
        numbers[kinds],
        shades,
        frozenset(range(len(shades) - len(tones), len(shades))),
        pieces,
        broken=illegal,
        flat=float(clear.mean()),
        lined=float((upright[:, 1:-1].mean() + level[1:-1].mean()) / 2),
        framed=float(min(side.mean() for side in (upright[:, 0], upright[:, -1], level[0], level[-1]))),
        ring=_ring(scene, lattice, np.array(shades, dtype=np.float32)),
        margin=_margin(scene, lattice, empty),
        tray=0.0,
        marked=float(marks[kinds == ground].mean()) if (kinds == ground).any() else 0.0,
    )
    waiting = tray_pieces(scene, board.calibration(scene))
    own = [scene.pixels[int(at.y), int(at.x)] - empty for at in list(waiting.values())[:1]]
    return replace(board, tray=len(waiting) / len(PIECES), start=_start(starts, colours - empty, own))


def _start(starts: NDArray[np.bool_], tints: NDArray[np.float32], own: list[NDArray[np.float32]]) -> Cell | None:
    """The start that has a tint of the colour `own`, or else the first one that is marked; None where there is none.

    tints, own: float32[rows, cols, 3] and float32[3], how they differ from an empty square.
    """
    marked = [Cell(int(row), int(col)) for row, col in np.argwhere(starts)]
    return next((each for each in marked for colour in own if _alike(tints[each], colour)), next(iter(marked), None))


def _alike(tint: NDArray[np.float32], colour: NDArray[np.float32]) -> bool:
    """Whether what a tint adds to a ground is a part of what a colour does."""
    return bool(tint @ colour >= TINT * np.linalg.norm(tint) * np.linalg.norm(colour) > 0)


def drawn_lines(scene: Scene, lattice: Lattice) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """bool[rows, cols + 1] and bool[rows + 1, cols]: whether a square's left and upper border is drawn."""
    upright, level = borders(scene, lattice, broad=GAP)
    return upright >= DRAWN, level >= DRAWN


def _ring(scene: Scene, lattice: Lattice, shades: NDArray[np.float32]) -> float:
    """The share of the squares along one side, the worst, that have one of the `shades` and the lines of the rest.

    Where no lines are drawn inside, none are to be seen there: then the board's own border must not be drawn.
    """
    wider = lattice.ringed
    upright, level = drawn_lines(scene, wider)
    lined = float((upright[1:-1, 2:-2].mean() + level[2:-2, 1:-1].mean()) / 2) >= LINED
    _, colours, flat = zone_colours(cell_patches(scene.pixels, wider, (REACH, REACH)))
    away = np.abs(colours[:, :, None] - shades).max(axis=3).min(axis=2)
    known = (flat >= CLEAR) & (away <= TOLERANCE / 2)
    places = (known[0, 1:-1], known[-1, 1:-1], known[1:-1, 0], known[1:-1, -1])
    going = (upright[0, 2:-2], upright[-1, 2:-2], level[2:-2, 0], level[2:-2, -1])
    own = (level[1, 1:-1], level[-2, 1:-1], upright[1:-1, 1], upright[1:-1, -2])
    return max(
        min(float(place.mean()), float(lines.mean()) if lined else 1 - float(border.mean()))
        for place, lines, border in zip(places, going, own, strict=True)
    )


def _margin(scene: Scene, lattice: Lattice, empty: NDArray[np.float32]) -> float:
    """The share of the places a little beyond one side, the one with fewest, that have the `empty` square's colour."""
    (x, y, wide, high), (across, down) = lattice.box, lattice.pitch
    middles = (np.arange(lattice.rows) + 0.5) / lattice.rows  # beside a square's middle no line goes on, nor is a label
    xs, ys = x + wide * middles, y + high * middles
    sides = (
        (xs, np.full_like(xs, y - BEYOND * down)),
        (xs, np.full_like(xs, y + high + BEYOND * down)),
        (np.full_like(ys, x - BEYOND * across), ys),
        (np.full_like(ys, x + wide + BEYOND * across), ys),
    )
    shares = []
    for right, below in sides:
        cols, rows = right.astype(int), below.astype(int)
        inside = (cols >= 0) & (cols < scene.width) & (rows >= 0) & (rows < scene.height)
        away = np.abs(scene.pixels[rows[inside], cols[inside]] - empty).max(axis=1, initial=0.0)
        shares.append(float((away <= TOLERANCE / 2).sum()) / len(cols))
    return min(shares)


def _without_chequer(kinds: NDArray[np.intp], colours: NDArray[np.float32]) -> NDArray[np.intp]:
    """The kinds with two of like colour taken for one where each lies on squares of one parity alone."""
    parity = np.add.outer(np.arange(len(kinds)), np.arange(len(kinds))) % 2
    often = [kind for kind in range(len(colours)) if (kinds == kind).mean() >= TINTED]
    odd = {kind: float(parity[kinds == kind].mean()) for kind in often}
    for one, other in combinations(often, 2):
        parted = min(odd[one], odd[other]) < 0.03 and max(odd[one], odd[other]) > 0.97
        if parted and np.abs(colours[one] - colours[other]).max() <= 2 * TOLERANCE:
            return np.where(kinds == other, one, kinds)
    return kinds


def _illegal(kinds: NDArray[np.intp], ground: int) -> tuple[float, int]:
    """The share of groups too large for a piece or hanging alone, were `ground` the empty square; their number."""
    groups = wrong = 0
    for kind in range(int(kinds.max()) + 1):
        if kind == ground:
            continue
        mine = (kinds == kind).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mine, connectivity=4)
        sizes = stats[1:count, 4]
        groups += count - 1
        wrong += int((sizes > LARGEST).sum()) + max(0, components(kinds == kind, 8) - 1)
    return (min(1.0, wrong / groups) if groups else 0.0), groups
