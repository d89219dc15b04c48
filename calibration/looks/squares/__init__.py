"""Blokus: a large square of small squares, empty or in a few colours whose pieces touch at corners alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from calibration.board import Calibration, Lattice
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.squares.bare import BARE, bare_board
from calibration.looks.squares.board import SIZES, read_board
from calibration.looks.squares.reader import SquareReader
from calibration.looks.squares.tray import FULL, glossy_pieces, silhouettes, tray_pieces
from calibration.scene import Scene
from games.polyominoes import PIECE_OF, PIECES


class SquareLook(Look):
    """The look of Blokus."""

    name = "squares"
    square = True
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The boards that the network sees; where none of them is likely, a bare field."""
        found = list(super().proposals(scene, game))
        yield from found
        bare = bare_board(scene, named=game is not None) if all(each.confidence < BARE for each in found) else None
        if bare is not None:
            yield bare

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Iterator[Proposal]:
        """The board on these cells; of a usual size, unless a game is named."""
        rows, cols = lattice.rows, lattice.cols
        board = read_board(scene, lattice) if rows == cols and (game or rows in SIZES) else None
        if board is not None:
            yield board.proposal(scene, named=game is not None)

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
