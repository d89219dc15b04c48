"""Stones or marks of two players on a grid of lines: in its squares, as in Reversi, or on its crossings (gomoku)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice
from calibration.frame import Frame, Pixel
from calibration.lattice import Usual
from calibration.look import Look, Proposal
from calibration.looks.stones.board import read_board
from calibration.looks.stones.reader import StoneReader
from calibration.mesh import measure, refined
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
    def usual(self) -> Usual:  # type: ignore[override]
        """How usual its games' sizes are."""
        return {size: worth for name in self.games for size, worth in find_game(name).usual_sizes().items()}

    def read(self, scene: Scene, lattice: Lattice, game: str | None) -> Iterator[Proposal]:
        """The boards between lines and where they cross, of even places; of a usual size, unless a game is named."""
        (across, down), fewest = lattice.pitch, min(lattice.rows, lattice.cols)
        usual = self.usual.get((lattice.rows, lattice.cols), 0.0)
        if max(across, down) > EVEN * min(across, down) or not (usual or game):
            return
        for crossings, least in ((False, FEWEST), (True, FEWEST_CROSSINGS)):
            at = lattice if crossings else _between_lines(scene, lattice)
            board = read_board(scene, at, usual, crossings=crossings) if fewest >= least else None
            if board is not None:
                yield board.proposal(scene, named=game is not None)

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


def _between_lines(scene: Scene, lattice: Lattice) -> Lattice:
    """The lattice whose inner lines lie nearest to edges: the outer ones may be those of a broad rim."""
    mesh = measure(scene, lattice)
    mesh.upright[:, [0, -1]], mesh.level[[0, -1]] = np.nan, np.nan
    return refined(mesh)


LOOK = StoneLook()
