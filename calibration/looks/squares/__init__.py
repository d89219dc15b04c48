"""Blokus: a large square of small squares, empty or in a few colours whose pieces touch at corners alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

from calibration.board import Calibration, Lattice
from calibration.detect import Place
from calibration.frame import Box, Pixel
from calibration.lattice import OFF
from calibration.look import Look, Proposal
from calibration.looks.squares.bare import BARE, SQUARE, bare_board
from calibration.looks.squares.board import SIZES, read_board
from calibration.looks.squares.reader import SquareReader
from calibration.looks.squares.tray import FULL, glossy_pieces, silhouettes, tray_pieces
from calibration.scene import Scene
from calibration.settled import refined
from calibration.unchanged import slices_of
from games.polyominoes import PIECE_OF, PIECES

BARELY = 0.5
"""Edges in a field without lines, as long as it, to a row of squares at most: pieces have some, lines two each."""


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

    def outlined(self, scene: Scene, place: Place) -> Iterator[tuple[Lattice, float]]:
        """The lattices of usual sizes that fill a square field: few pieces without lines tell how large squares are."""
        for x, y, width, height in scene.fields.tolist():
            box = Box(x, y, width, height)
            if box.contains(place.box.centre) and abs(width / height - 1) <= SQUARE:
                part = slices_of(box)
                lines = (scene.upright[part].sum() + scene.level[part].sum()) / (width + height)
                for side in sorted(SIZES, key=lambda each: -SIZES[each]):
                    across, down = width / side, height / side
                    if 1 / OFF <= across / min(place.pitch) <= OFF and lines <= BARELY * side:
                        within = Lattice(Pixel(x + across / 2, y + down / 2), (across, down), side, side)
                        yield refined(within, scene.pixels), 0.0

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
