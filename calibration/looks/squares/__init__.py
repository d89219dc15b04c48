"""Blokus: a large square of small squares, empty or in a few colours whose pieces touch at corners alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from calibration.board import Calibration, Lattice
from calibration.frame import Pixel
from calibration.look import Look, Proposal
from calibration.looks.squares.board import LINED, SIZES, read_board
from calibration.looks.squares.propose import (
    bare_fields,
    blob_lattices,
    enclosed_lattices,
    field_lattices,
    is_smooth,
    proposals_on,
)
from calibration.looks.squares.reader import SquareReader
from calibration.looks.squares.tray import FULL, glossy_pieces, silhouettes, tray_pieces
from calibration.scene import STEP, Scene
from games.polyominoes import PIECE_OF, PIECES

BARE = 0.5
"""The confidence in a bare board, which shows no size: as likely right as wrong."""


class SquareLook(Look):
    """The look of Blokus."""

    name = "squares"
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best boards on each lattice of equal blobs."""
        for lattice, drawn in blob_lattices(scene):
            yield from proposals_on(scene, lattice, drawn, named=game is not None)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """What divides large square fields; a bare field as a fresh board where Blokus is known to be, or pieces wait.

        Nothing shows how large its squares are; it is taken to have the usual size for two.
        """
        for lattice in field_lattices(scene):
            yield from proposals_on(scene, lattice, 1.0, named=game is not None)
        for lattice in enclosed_lattices(scene):
            board = read_board(scene, lattice, 1.0)
            if board is not None and board.pieces and board.lined < LINED:  # the squares of a grid are blobs
                yield board.proposal(scene, named=game is not None)
        for lattice in bare_fields(scene) if scene.step < STEP else ():  # pale lines would say more
            board = read_board(scene, lattice, 1.0)
            if (
                board is not None
                and (game in self.games or board.tray >= FULL)
                and is_smooth(scene, lattice)
                and not board.pieces
                and board.flat >= 0.95
            ):
                yield Proposal(lattice.box, "a bare square field", board.calibration(scene, BARE), board.features)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        board = None if lattice.rows != lattice.cols else read_board(scene, lattice, 1.0)
        return None if board is None else board.proposal(scene, named=game is not None)

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
