"""A square of cells and grooves read as a Quoridor board, and what speaks for and against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Colour, Lattice, rgb
from calibration.cell_patches import CellPatches, Changed, Changes, PatchSampler
from calibration.frame import Pixels
from calibration.look import ReadBoard
from calibration.looks.grooves.pawns import MOST_KINDS, CellContents, contents_of, hints_of
from calibration.looks.grooves.pieces import GrooveColours, cleared, evened, levelled
from calibration.looks.grooves.walls import MOST_WALLS, Colours, GrooveWalls, Wall, find_walls, overlaid, places
from calibration.scene import Scene
from games.core import Cell

SIZES = {9: 1.0, 7: 0.8, 5: 0.7, 11: 0.7}
"""How usual the sizes are; the published game has 9 x 9 cells."""

UNUSUAL = 0.02
"""How usual any other size is, where a person points at a board of it."""

NARROWEST, THIN, WIDEST = 0.003, 0.055, 0.6
"""The parts of the pitch that grooves take; thin ones are lines, over which walls lie that are wider than they."""

ANEW = 0.5
"""The share of a board's rows of pixels that change where all of it is learned anew: it may have faded in, or moved."""

PATCH, LINED_PATCH = 0.44, 0.38
"""How far from its middle a cell is looked at, as a part of its width; where walls lie over lines."""

CLOSER = 0.5
"""The part of a patch that is looked at where nothing is seen to stand on cells: marks as small as a letter."""


@dataclass(frozen=True, eq=False)
class GroovedBoard(ReadBoard):
    """A square of cells read as a Quoridor board.

    pawns: their cells, the more certain first.  walls: as they lie.  odd: places of grooves, in an Observation's grid,
    on which something lies that is no whole wall.  bare: the share of cells that look like the commonest.
    strangers: the cells on which something is that is no pawn and no ghost of one, with its colour.
    even: the share of grooves that are bare or part of a wall.
    sorts: how many different cells there are.  grooves: the colours of what lies between them.
    palette: the colours of the cells, of the bare grooves and of the pawns.
    hints: the cells that are marked as places where a pawn may go.
    """

    look = "grooves"
    pawns: tuple[Cell, ...]
    walls: tuple[Wall, ...]
    odd: tuple[Cell, ...]
    bare: float
    strangers: Mapping[Cell, Colour]
    even: float
    sorts: int
    grooves: Colours
    palette: tuple[Colour, ...]
    hints: tuple[Cell, ...]

    @cached_property
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""
        middle, ground = self.palette[:2]
        return {
            "usual": float(np.log(SIZES.get(self.lattice.rows, UNUSUAL))),
            "two": float(len(self.pawns) == 2),
            "strangers": min(6, len(self.strangers)) / 2,
            "bare": self.bare,
            "uneven": 1 - self.even,
            "walls": float(np.log1p(len(self.walls)) / 3),
            "none": float(not self.walls),
            "too many": float(len(self.walls) > MOST_WALLS),
            "sorts": min(MOST_KINDS, self.sorts) / 10,
            "contrast": min(60.0, max(abs(one - other) for one, other in zip(middle, ground, strict=True))) / 60,
            "gap": float(self.lattice.gap[0] / self.lattice.pitch[0]),
            "level": float(np.abs(np.log(self.lattice.pitch[0] / self.lattice.pitch[1])) * 20),
        }

    @property
    def explanation(self) -> str:
        """What speaks for and against it, in words."""
        return (
            f"{self.lattice.rows}x{self.lattice.cols} cells, {self.bare:.0%} of them bare, {len(self.pawns)} pawns, "
            f"{len(self.strangers)} more things, {len(self.walls)} walls, {self.even:.0%} of the grooves explained"
        )

    def known(self, scene: Scene) -> dict[str, Any]:
        """The palette; of two pawns the lower one is taken for the first player's, who starts at the bottom."""
        middle, ground, *pawns = self.palette
        turned = len(pawns) == 2 and self.pawns[0].row < self.pawns[1].row
        return {"palette": (middle, ground, *(pawns[::-1] if turned else pawns))}


class GroovedSampler:
    """Reads a lattice as a Quoridor board in picture after picture, anew what lies on cells or grooves that changed."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        gap = np.array(lattice.gap) / lattice.pitch
        self._fits = bool(gap.min() >= NARROWEST and gap.max() <= WIDEST)
        reach = (1 - gap) * np.where(gap < THIN, LINED_PATCH, PATCH)
        self._cells = PatchSampler(lattice, (float(reach[0]), float(reach[1])))
        self._grooves = GrooveColours(lattice, gap)
        self._centres = PatchSampler(lattice, (float(reach[0]) * CLOSER, float(reach[1]) * CLOSER))
        self._changes = Changes(lattice.box)
        self._board: GroovedBoard | None = None
        self._seen: tuple[CellPatches, CellContents | None] | None = None
        self._walls: tuple[Colours, NDArray[np.bool_], GrooveWalls] | None = None

    def board(self, pixels: Pixels) -> GroovedBoard | None:
        """What `pixels` show; None where its cells leave no room for walls or have nothing in common."""
        if not self._fits:
            return None
        changed = self._changes.take(pixels)
        if changed is not None and changed.rows[-1] > ANEW * self.lattice.box.height:
            changed = None
        if changed is None or changed or self._board is None:
            self._board = self._read(pixels, changed)
        return self._board

    def _read(self, pixels: Pixels, changed: Changed | None) -> GroovedBoard | None:
        cells = self._cells.take(pixels, changed)
        if self._seen is None or self._seen[0] is not cells:
            self._seen = cells, self._standing(pixels, cells)
        on = self._seen[1]
        grooves = self._grooves.take(pixels, changed)
        if on is None:
            return None
        if self._walls is None or self._walls[0] is not grooves or not np.array_equal(self._walls[1], on.filled):
            before = None if self._walls is None else self._walls[2]
            clear = cleared(grooves, on.edges, on.middle)
            self._walls = grooves, on.filled, find_walls(evened(levelled(clear, on.middle)), on.filled, before)
        between = self._walls[2]
        under = overlaid(between.walls, grooves, on.edges)
        return GroovedBoard(
            self.lattice,
            on.pawns,
            tuple(wall for wall in between.walls if wall not in under),
            (*between.odd, *(place for wall in under for place in places(wall))),
            bare=on.bare,
            strangers=on.strangers,
            even=between.even,
            sorts=on.sorts,
            grooves=grooves,
            palette=(rgb(on.middle), rgb(between.ground), *on.pawn_colours),
            hints=hints_of(self._centres.take(pixels), on.pawns)
            or tuple(cell for cell in between.ringed if cell not in on.pawns),
        )

    def _standing(self, pixels: Pixels, cells: CellPatches) -> CellContents | None:
        """What is on the cells, from nearer by where no two pawns are seen: they may be single letters."""
        on = contents_of(cells)
        if on is None or len(on.pawns) == 2:
            return on
        closer = contents_of(self._centres.take(pixels))
        if closer is None or len(closer.pawns) < 2:
            return on
        return replace(on, pawns=closer.pawns, pawn_colours=closer.pawn_colours, strangers=closer.strangers)
