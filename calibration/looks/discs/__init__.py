"""Connect Four: discs in holes, loose discs, crosses and noughts, squares in a table; told by how pieces stack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.board import Calibration, Colour, Lattice, rgb
from calibration.cell_patches import ZONES
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.discs.board import SIZES, read_board
from calibration.looks.discs.columns import column_buttons, column_places
from calibration.looks.discs.reader import DiscReader
from calibration.places import corner_colour, with_patches
from calibration.scene import Scene


class DiscLook(Look):
    """The look of Connect Four."""

    name = "discs"
    usual = SIZES

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        stack = read_board(scene, lattice)
        if stack is None:
            return None
        bare = Calibration(
            game="",
            lattice=stack.lattice,
            palette=(),
            size=(scene.width, scene.height),
            controls=column_places(scene.pixels, stack),
            look=self.name,
        )
        calibration = with_patches(bare, stack.patches)
        return Proposal(stack.lattice.box, stack.explanation, calibration, stack.features)

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
