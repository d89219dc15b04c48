"""Boards of coloured cells: Flood-It and Filler, with gaps or without, rounded, lined, walled, half flooded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice
from calibration.frame import Frame, Pixel
from calibration.look import Look, Proposal
from calibration.looks.coloured.annotations import (
    holes,
    is_wall,
    kinds_beside_corners,
    marked_cells,
    start_corner,
    twins,
)
from calibration.looks.coloured.board import ColouredBoard, every_cell, kinds_of
from calibration.looks.coloured.buttons import colour_buttons
from calibration.looks.coloured.extent import settled_board
from calibration.looks.coloured.flooding import refute
from calibration.looks.coloured.propose import boards_in_groups, proposal_of
from calibration.looks.coloured.reader import ColourReader
from calibration.mesh import measure
from calibration.scene import Scene
from games import find_game
from games.core import Cell


class ColouredLook(Look):
    """The look of the flooding games."""

    name = "coloured"
    filled = True

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best board that each group of equal blobs leads to."""
        return boards_in_groups(scene, scene.groups, game)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The boards on the lattices that the network sees."""
        for lattice in self.seen_lattices(scene, game):
            board = settled_board(scene, lattice, round_cells=False) or settled_board(scene, lattice, round_cells=True)
            if board is not None:
                yield proposal_of(scene, board, game)

    def reader(self, calibration: Calibration, offset: Pixel) -> ColourReader:
        """A reader of cells by their colour."""
        return ColourReader(calibration, offset)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        boards = []
        for round_cells in (False, True):
            mesh = measure(scene, lattice, round_cells=round_cells)
            kinds = kinds_of(mesh, np.ones(mesh.plain.shape, dtype=bool), every_cell(mesh))
            if kinds is not None:
                boards.append(ColouredBoard(mesh, kinds))
        best = max(boards, key=lambda board: board.quality, default=None)
        return None if best is None else Proposal(lattice.box, best.explanation, best.calibration(scene, game))

    def refute(self, proposal: Proposal, frame: Frame, grid: NDArray[np.int8], *, named: bool) -> str:
        """Why no flooding game leads to these cells."""
        return refute(proposal, grid, named=named)

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` with the kinds told by marks, the colour buttons, the walls and the start corner."""
        mesh = measure(scene, calibration.lattice)
        of = ColourReader(calibration).read(scene.frame).grid.astype(np.intp)
        marked = marked_cells(scene, mesh)
        pairs = twins(scene, mesh, of, marked)
        known = replace(
            calibration,
            palette=calibration.palette + tuple(calibration.palette[kind] for kind in pairs),
            marked=frozenset(range(len(calibration.palette), len(calibration.palette) + len(pairs))),
        )
        none = holes(scene, mesh, of)
        gone = np.setdiff1d(np.arange(len(known.palette)), of).tolist()
        buttons = colour_buttons(scene, known, none, gone, kinds_beside_corners(of))
        single = np.setdiff1d(of[of >= 0], pairs)  # of two kinds in one colour neither is too frequent
        played = {int(name.partition(":")[2]) for name in buttons.controls} | buttons.disabled
        walls = [int(kind) for kind in single if is_wall(known, of, int(kind), played)]
        walls += [kind for kind in none if kind not in played]
        start = start_corner(of, marked) if find_game(calibration.game).players == 1 else None
        blocked = frozenset(Cell(int(row), int(col)) for row, col in np.argwhere(np.isin(of, walls)))
        return replace(
            known,
            palette=buttons.palette,
            controls=buttons.controls,
            disabled=frozenset(f"colour:{kind}" for kind in buttons.disabled),
            blocked=blocked,
            start=start,
        )


LOOK = ColouredLook()
