"""Connect Four: discs in holes, loose discs, crosses and noughts, squares in a table; told by how pieces stack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from calibration.board import Calibration, Colour, Lattice, rgb
from calibration.cell_patches import ZONES
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.discs.board import SIZES, read_board
from calibration.looks.discs.columns import column_buttons
from calibration.looks.discs.reader import DiscReader
from calibration.places import corner_colour
from calibration.scene import Scene


class DiscLook(Look):
    """The look of Connect Four."""

    name = "discs"
    usual = MappingProxyType(SIZES)
    hidden = 0.75  # what is left of a row tells that it is there, and its size what a board has

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Iterator[Proposal]:
        """The board on these cells."""
        board = read_board(scene, lattice)
        if board is not None:
            yield board.proposal(scene, named=game is not None)

    def ground(self, calibration: Calibration) -> Colour | None:
        """The colour of the corners of the empty place."""
        if not calibration.patches:
            return None
        return rgb(corner_colour(np.array(calibration.patches[0], dtype=np.float32).reshape(ZONES, ZONES, 3)))

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` with the buttons of its columns, where it has any."""
        buttons = column_buttons(scene, calibration.lattice)
        return replace(calibration, controls=buttons) if buttons else calibration

    def reader(self, calibration: Calibration, offset: Pixel) -> DiscReader:
        """A reader of cells by their patches."""
        return DiscReader(calibration, offset)


LOOK = DiscLook()
