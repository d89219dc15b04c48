"""Where a move may show before it is made: on cells, and between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.board import Lattice
from calibration.frame import Box, Pixel
from calibration.unchanged import FRAME, place_at
from games.core import Cell, Game, Gesture

PIECE = 0.9
"""The length from which a place between cells is no crossing, of the longest one's."""

ROUND = 0.15
"""Pitches round a target in which anything may show: a mark, a shadow, a cell that grows."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Where a move may show before it is made, as may what the pointer rests on.

    cells: those that change or are marked.  grooves: places between cells, in pixels of the full picture.
    """

    cells: frozenset[Cell] = frozenset()
    grooves: tuple[Box, ...] = ()

    @property
    def pieces(self) -> tuple[Box, ...]:
        """The places between cells that are as long as cells: what crosses grooves may leave the crossing bare."""
        longest = max((max(each.width, each.height) for each in self.grooves), default=0.0)
        return tuple(each for each in self.grooves if max(each.width, each.height) > PIECE * longest)

    @property
    def extent(self) -> tuple[float, float]:
        """How far the places between cells reach, across and down."""
        boxes = self.grooves
        across = max(each.x + each.width for each in boxes) - min(each.x for each in boxes)
        return across, max(each.y + each.height for each in boxes) - min(each.y for each in boxes)

    def joined(self, other: Expected) -> Expected:
        """All places of both."""
        return Expected(self.cells | other.cells, self.grooves + other.grooves)


def groove(lattice: Lattice, row: int, col: int) -> Box:
    """What lies between cells at a place of a grid of cells and grooves by turns, and as much again beside it."""
    (x, y), (across, down), (gap, high) = lattice.origin, lattice.pitch, lattice.gap
    width, height = 2 * gap if col % 2 else across, 2 * high if row % 2 else down
    return Box(x + col / 2 * across - width / 2, y + row / 2 * down - height / 2, width, height)


def expected_of(game: Game[Any, Any], lattice: Lattice, state: Any, move: Any, gestures: Sequence[Gesture]) -> Expected:
    """Where a move that is made by `gestures` in `state` may show before it is made."""
    before, after = (game.show(each).grid for each in (state, state.play(move)))
    cells = {each for gesture in gestures for each in getattr(gesture, "alternatives", ()) if isinstance(each, Cell)}
    places = np.argwhere(before != after).tolist()
    if lattice.grid_step(before) == 1:
        return Expected(frozenset(cells.union(Cell(*place) for place in places)))
    cells.update(Cell(row // 2, col // 2) for row, col in places if not (row % 2 or col % 2))
    return Expected(frozenset(cells), tuple(groove(lattice, row, col) for row, col in places if row % 2 or col % 2))


def every_groove(lattice: Lattice) -> Iterator[Box]:
    """What lies between cells, place by place."""
    for row in range(2 * lattice.rows - 1):
        yield from (groove(lattice, row, col) for col in range(2 * lattice.cols - 1) if row % 2 or col % 2)


def about(lattice: Lattice, at: Pixel) -> Box:
    """A place of the board, or beside it, and what lies round it."""
    (x, y, width, height), (across, down) = place_at(lattice, at), lattice.pitch
    return Box(x - ROUND * across, y - ROUND * down, width + 2 * ROUND * across, height + 2 * ROUND * down)


def edges(lattice: Lattice, cells: Collection[Cell]) -> Iterator[Box]:
    """What lies beside the board next to cells at its edge, which a mark of a whole row or column may cover."""
    across, down = lattice.pitch
    for cell in cells:
        x, y = lattice.centre(cell)
        for row, col in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if cell.row + row not in range(lattice.rows) or cell.col + col not in range(lattice.cols):
                yield Box(x + (col - 0.5) * across, y + (row - 0.5) * down, across, down)


def between(lattice: Lattice, cells: Collection[Cell]) -> Iterator[Box]:
    """What lies between a cell and those beside it, on boards where no groove does: a mark of a row may cover it.

    Of cells that seem to touch it is the frame round a hole.
    """
    across, down = lattice.pitch
    wide, high = (max(gap, FRAME * pitch) for gap, pitch in zip(lattice.gap, lattice.pitch, strict=True))
    for cell in cells:
        x, y = lattice.centre(cell)
        for side in (-0.5, 0.5):
            yield Box(x + side * across - wide / 2 * (side + 0.5), y - down / 2, wide / 2, down)
            yield Box(x - across / 2, y + side * down - high / 2 * (side + 0.5), across, high / 2)
