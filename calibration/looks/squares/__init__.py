"""Blokus: a large square of small squares, empty or in a few colours whose pieces touch at corners alone."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from calibration.board import Calibration, Lattice
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.squares.board import SIZES, calibration_of, read_board
from calibration.looks.squares.reader import SquareReader
from calibration.looks.squares.tray import FULL, glossy_pieces, silhouettes, tray_pieces
from calibration.scene import Scene
from games.polyominoes import PIECE_OF, PIECES


class SquareLook(Look):
    """The look of Blokus."""

    name = "squares"
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        board = None if lattice.rows != lattice.cols else read_board(scene, lattice)
        if board is None:
            return None
        return Proposal(lattice.box, board.explanation, calibration_of(scene, board), board.features)

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` with the pieces that wait beside the board as controls ``piece:TRAY,NAME``."""
        controls: dict[str, Pixel] = {}
        pieces = tray_pieces(scene, calibration)
        if len(pieces) < FULL * len(PIECES):
            pieces = max(pieces, silhouettes(scene, calibration), glossy_pieces(scene, calibration), key=len)
        for (tray, form), at in pieces.items():
            if form in PIECE_OF:  # of a piece in two forms the one in its tray: the other one shows what is in hand
                controls.setdefault(f"piece:{tray},{PIECES[PIECE_OF[form]].name}", at)
        return replace(calibration, controls=controls)

    def reader(self, calibration: Calibration, offset: Pixel) -> SquareReader:
        """A reader of squares by their colour."""
        return SquareReader(calibration, offset)


LOOK = SquareLook()
