"""Quoridor: equal cells with grooves between them, two pawns, and walls that fill grooves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from calibration.board import Calibration, Colour, Lattice
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.grooves.board import SIZES, GroovedSampler
from calibration.looks.grooves.propose import likely_gaps, narrowed, open_rim, usual_squares
from calibration.looks.grooves.reader import GrooveReader
from calibration.scene import Scene


class GrooveLook(Look):
    """The look of Quoridor."""

    name = "grooves"
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best board on each lattice of equal blobs with room between them."""
        for repeat in scene.repeats[:8]:
            found: list[Proposal] = []
            for lattice, seen in usual_squares(repeat):
                board = GroovedSampler(narrowed(scene.pixels, lattice)).board(scene.pixels, seen)
                wider = None if board is None else open_rim(scene.pixels, board)
                if wider is not None:
                    board = GroovedSampler(wider).board(scene.pixels, seen)
                found += [] if board is None else [board.proposal(scene, named=game is not None)]
            if found:
                yield max(found, key=lambda each: each.confidence)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells, with the grooves that explain most of what lies between them."""
        if lattice.rows != lattice.cols:
            return None
        gaps = [lattice.gap] if lattice.gap != (0.0, 0.0) else likely_gaps(scene, lattice)
        read = (GroovedSampler(replace(lattice, gap=gap)).board(scene.pixels, 1.0) for gap in gaps)
        found = [board.proposal(scene, named=game is not None) for board in read if board is not None]
        return max(found, key=lambda each: each.confidence, default=None)

    def ground(self, calibration: Calibration) -> Colour | None:
        """The bare grooves' colour."""
        return calibration.palette[1]

    def reader(self, calibration: Calibration, offset: Pixel) -> GrooveReader:
        """A reader of pawns and walls."""
        return GrooveReader(calibration, offset)


LOOK = GrooveLook()
