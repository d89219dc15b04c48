"""Connect Four: discs in holes, loose discs, crosses and noughts, squares in a table; told by how pieces stack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from calibration.board import Calibration, Colour, Lattice, rgb
from calibration.cell_patches import ZONES
from calibration.frame import Pixel
from calibration.look import CERTAIN, Look, Proposal
from calibration.looks.discs.board import SIZES, LatticeWindow, read_board
from calibration.looks.discs.columns import column_buttons
from calibration.looks.discs.propose import best_board_on
from calibration.looks.discs.reader import DiscReader
from calibration.places import corner_colour
from calibration.repeats import Repeat
from calibration.scene import Scene

GAP = 0.5
"""The share of its box that fills what is left free between four discs that touch each other: 0.2 to 0.4."""


class DiscLook(Look):
    """The look of Connect Four."""

    name = "discs"
    usual = MappingProxyType(SIZES)

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best board on each lattice of equal blobs, but for those of what discs that touch leave free."""
        for repeat in scene.repeats[:8]:
            if repeat.full >= GAP:
                yield from best_board_on(scene, repeat, named=game is not None)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """Boards on shaded blobs, round what discs that touch leave free, and where the network sees them."""
        gaps = [Repeat.everywhere(repeat.lattice.corners) for repeat in scene.repeats[:8] if repeat.full < GAP]
        for repeat in (*(shade for shade in scene.shaded[:4] if shade.full >= GAP), *gaps):
            yield from best_board_on(scene, repeat, named=game is not None)
        for _, ground in self.seen(scene, game):
            for lattice, _ in ground.likely(self.usual, scene.pixels):
                found = self.on(scene, lattice, game)
                if found is not None:
                    yield found
                    if found.confidence >= CERTAIN:
                        break

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        stack = read_board(scene, LatticeWindow(lattice, seen=1.0))
        return None if stack is None else stack.proposal(scene, named=game is not None)

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
