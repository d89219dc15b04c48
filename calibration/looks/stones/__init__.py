"""Stones or marks of two players on a grid of lines: in its squares, as in Reversi, or on its crossings (gomoku)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice
from calibration.frame import Frame, Pixel
from calibration.lattice import Usual
from calibration.look import Look, Proposal
from calibration.looks.stones.board import read_board
from calibration.looks.stones.reader import StoneReader
from calibration.places import with_patches
from calibration.scene import Scene
from games import find_game
from games.core import UNREAD

FEWEST = 3
"""Rows or columns of squares that have lines between them to go by."""

FEWEST_CROSSINGS = 9
"""Rows or columns from which stones stand on the crossings of lines: the smallest such board is that of go on 9x9."""

EVEN = 1.15
"""How many times as high as wide places are at most, or as wide as high."""

STRANGE = 0.1
"""The share of the places that may show neither side's stones, as under a window; of other boards more do."""


class StoneLook(Look):
    """The look of games like Reversi, tic-tac-toe and gomoku."""

    name = "stones"

    @property
    def usual(self) -> Usual:
        """The usual sizes of all games that are drawn so."""
        return {size: usual for name in self.games for size, usual in find_game(name).usual_sizes().items()}

    def alike(self, lattice: Lattice) -> Sequence[Lattice]:
        """The lattice, the one between its places and the one round them: lines and what they enclose look alike."""
        corners = lattice.corners
        return lattice, corners.part(1, 1, lattice.rows - 1, lattice.cols - 1), corners

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these places, between lines or where they cross, whichever are drawn."""
        across, down = lattice.pitch
        if max(across, down) > EVEN * min(across, down):
            return None
        names, size = self.games if game is None else (game,), (lattice.rows, lattice.cols)
        usual = max(find_game(name).usual_sizes().get(size, 0.0) for name in names)
        ways = [crossings for crossings, least in ((False, FEWEST), (True, FEWEST_CROSSINGS)) if min(size) >= least]
        boards = [read_board(scene, lattice, usual, crossings=crossings) for crossings in ways]
        board = max((one for one in boards if one is not None), key=lambda one: one.lined, default=None)
        if board is None:
            return None
        bare = Calibration(game="", lattice=lattice, palette=(), size=(scene.width, scene.height), look=self.name)
        return Proposal(lattice.box, board.explanation, with_patches(bare, board.patches), board.features)

    def refute(self, proposal: Proposal, frame: Frame, grid: NDArray[np.int8], *, named: bool) -> str:
        """Another game's board, where nobody named this one and only others are played on so many places.

        Or a board of more kinds than two sides' stones.
        """
        assert proposal.calibration is not None
        game, rows, cols = proposal.calibration.game, *grid.shape
        fitting = [name for name in self.games if (rows, cols) in find_game(name).usual_sizes()]
        if not named and (strange := int((grid == UNREAD).sum())) > STRANGE * grid.size:
            return f"{strange} of its {grid.size} places show neither side's stones"
        if named or not fitting or game in fitting:
            return ""
        return f"{find_game(fitting[0]).title} is played on {rows}x{cols} cells, {find_game(game).title} seldom is"

    def reader(self, calibration: Calibration, offset: Pixel) -> StoneReader:
        """A reader of places by their patches."""
        return StoneReader(calibration, offset)


LOOK = StoneLook()
