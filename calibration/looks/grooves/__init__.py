"""Quoridor: equal cells with grooves between them, two pawns, and walls that fill grooves."""

from __future__ import annotations

from types import MappingProxyType

from calibration.board import Calibration, Colour, Lattice
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.grooves.board import SIZES, GroovedSampler
from calibration.looks.grooves.gap import with_grooves
from calibration.looks.grooves.reader import GrooveReader
from calibration.scene import Scene


class GrooveLook(Look):
    """The look of Quoridor."""

    name = "grooves"
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells, with the grooves that its gap says, or else those that show between them.

        Of two pawns the lower one is taken for the first player's, who starts at the bottom.
        """
        if lattice.rows != lattice.cols:
            return None
        grooved = lattice if lattice.gap != (0.0, 0.0) else with_grooves(scene.pixels, lattice)
        board = None if grooved is None else GroovedSampler(grooved).board(scene.pixels)
        if board is None:
            return None
        palette = board.palette
        if len(board.pawns) == 2 and board.pawns[0].row < board.pawns[1].row:
            palette = (*palette[:2], palette[3], palette[2])
        size = (scene.width, scene.height)
        calibration = Calibration(game="", lattice=board.lattice, palette=palette, size=size, look=self.name)
        return Proposal(board.lattice.box, board.explanation, calibration, board.features)

    def ground(self, calibration: Calibration) -> Colour | None:
        """The bare grooves' colour."""
        return calibration.palette[1]

    def reader(self, calibration: Calibration, offset: Pixel) -> GrooveReader:
        """A reader of pawns and walls."""
        return GrooveReader(calibration, offset)


LOOK = GrooveLook()
