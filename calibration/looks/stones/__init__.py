"""Stones or marks of two players on a grid of lines: in its squares, as in Reversi, or on its crossings (gomoku)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice
from calibration.frame import Frame, Pixel
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

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The boards whose places are equal blobs between lines."""
        for repeat in scene.repeats[:6]:
            crossed = repeat.lattice.corners
            inner = crossed.part(1, 1, crossed.rows - 2, crossed.cols - 2)
            yield from self._on(scene, repeat.lattice, game, crossings=False)
            for lattice in (crossed, inner):
                yield from self._on(scene, lattice, game, crossings=True)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The board on the likeliest lattice of each that the network sees: between lines, or where they cross."""
        usual = {size: worth for name in self._names(game) for size, worth in find_game(name).usual_sizes().items()}
        for _, ground in self.seen(scene, game):
            for lattice, _ in islice(ground.likely(usual, scene.pixels), 1):
                yield from self._on(scene, _between_lines(scene, lattice), game, crossings=False)
                yield from self._on(scene, lattice, game, crossings=True)

    def _names(self, game: str | None) -> tuple[str, ...]:
        """The game that was asked for, or all that are drawn so."""
        return self.games if game is None else (game,)

    def _on(self, scene: Scene, lattice: Lattice, game: str | None, *, crossings: bool) -> Iterator[Proposal]:
        """The board on a lattice of even places; one of a usual size, unless its game is named."""
        usual = max(find_game(name).usual_sizes().get((lattice.rows, lattice.cols), 0.0) for name in self._names(game))
        across, down = lattice.pitch
        few = min(lattice.rows, lattice.cols) < (FEWEST_CROSSINGS if crossings else FEWEST)
        if (usual or game is not None) and not few and max(across, down) <= EVEN * min(across, down):
            board = read_board(scene, lattice, usual, crossings=crossings)
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

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these places, between lines or where they cross, whichever are drawn."""
        fewest = min(lattice.rows, lattice.cols)
        ways = [crossings for crossings, least in ((False, FEWEST), (True, FEWEST_CROSSINGS)) if fewest >= least]
        boards = [read_board(scene, lattice, 1.0, crossings=crossings) for crossings in ways]
        found = [board.proposal(scene, named=game is not None) for board in boards if board is not None]
        return max(found, key=lambda one: one.confidence, default=None)

    def reader(self, calibration: Calibration, offset: Pixel) -> StoneReader:
        """A reader of places by their patches."""
        return StoneReader(calibration, offset)


def _between_lines(scene: Scene, lattice: Lattice) -> Lattice:
    """The lattice whose inner lines lie nearest to edges: the outer ones may be those of a broad rim."""
    mesh = measure(scene, lattice)
    mesh.upright[:, [0, -1]], mesh.level[[0, -1]] = np.nan, np.nan
    return refined(mesh)


LOOK = StoneLook()
