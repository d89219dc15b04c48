"""Quoridor: equal cells with grooves between them, two pawns, and walls that fill grooves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from calibration.board import Calibration, Colour, Lattice
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.grooves.board import SIZES, GroovedSampler
from calibration.looks.grooves.propose import likely_gaps
from calibration.looks.grooves.reader import GrooveReader
from calibration.scene import Scene


class GrooveLook(Look):
    """The look of Quoridor."""

    name = "grooves"
    square = True
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Iterator[Proposal]:
        """The boards on these cells, with the grooves that explain most of what lies between them."""
        if lattice.rows != lattice.cols:
            return
        for gap in [lattice.gap] if lattice.gap != (0.0, 0.0) else likely_gaps(scene, lattice):
            board = GroovedSampler(replace(lattice, gap=gap)).board(scene.pixels)
            if board is not None:
                yield board.proposal(scene, named=game is not None)

    def ground(self, calibration: Calibration) -> Colour | None:
        """The bare grooves' colour."""
        return calibration.palette[1]

    def reader(self, calibration: Calibration, offset: Pixel) -> GrooveReader:
        """A reader of pawns and walls."""
        return GrooveReader(calibration, offset)


LOOK = GrooveLook()
