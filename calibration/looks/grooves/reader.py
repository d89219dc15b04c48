"""Reads pawns and walls in picture after picture."""

from __future__ import annotations

from itertools import combinations
from math import dist

import numpy as np

from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.looks.grooves.board import GroovedBoard, GroovedSampler
from calibration.looks.grooves.pawns import in_reach
from games.core import UNREAD, Cell, Observation

SAME = 30.0
"""RGB distance within which two things on cells are of one colour; the pawns of a game lie farther apart."""


class GrooveReader:
    """Reads a Quoridor board again and again."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        self._calibration = calibration
        self._sampler = GroovedSampler(calibration.lattice.moved(Pixel(-offset.x, -offset.y)))
        self._colours = calibration.palette[2:]

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now, as int8[2 * rows - 1, 2 * cols - 1]: cells lie at even places, grooves between them.

        A cell is 0, or 1 or 2 where that player's pawn stands; a place of a groove is 1 where a wall lies, also the
        crossing under a wall's middle.  Previews of moves and walls are neither; where they show which pawn may go
        there, the number ``player`` tells it.  A piece of groove that something
        else than a whole wall lies on is UNREAD, and so is everything where two pawns do not show.
        """
        rows, cols = self._sampler.lattice.rows, self._sampler.lattice.cols
        board = self._sampler.board(frame.pixels)
        grid = np.zeros((2 * rows - 1, 2 * cols - 1), dtype=np.int8)
        if board is None or len(board.pawns) < 2:
            return Observation(np.full_like(grid, UNREAD), np.zeros(grid.shape, dtype=np.float32))
        for way, row, col in board.walls:
            if way == "h":
                grid[2 * row + 1, 2 * col : 2 * col + 3] = 1
            else:
                grid[2 * row : 2 * row + 3, 2 * col + 1] = 1
        for place in board.odd:
            grid[place] = UNREAD
        pawns = self._in_order(board)
        for player, cell in enumerate(pawns, 1):
            grid[2 * cell.row, 2 * cell.col] = UNREAD if self._on_its_way(board) else player
        goes = [seat for seat, pawn in enumerate(pawns) if all(in_reach(hint, pawn) for hint in board.hints)]
        numbers = {"player": goes[0]} if len(goes) == 1 else {}
        return Observation(grid, np.full(grid.shape, board.even, dtype=np.float32), numbers)

    def learned(self) -> Calibration:
        """The calibration as it is: both pawns stand on the board from the start."""
        return self._calibration

    def _on_its_way(self, board: GroovedBoard) -> bool:
        """Whether a pawn's colour shows on two cells: it fades out of one while it fades into the other."""
        if len(self._colours) < 2 or max(abs(a - b) for a, b in zip(*self._colours, strict=True)) <= SAME:
            return False
        shown = [*zip(board.pawns, board.palette[2:], strict=True), *board.strangers.items()]
        return any(
            in_reach(cell, other)
            for pawn in self._colours
            for (cell, _), (other, _) in combinations([seen for seen in shown if dist(seen[1], pawn) <= SAME], 2)
        )

    def _in_order(self, board: GroovedBoard) -> tuple[Cell, ...]:
        """The pawns in the players' order, told by the calibration's colours, be other things plainer."""
        if len(self._colours) < 2:
            return board.pawns
        shown = {**dict(zip(board.pawns, board.palette[2:], strict=True)), **board.strangers}
        near = [[cell for cell, colour in shown.items() if dist(colour, own) <= SAME] for own in self._colours]
        if [len(cells) for cells in near] == [1, 1] and near[0] != near[1]:
            return near[0][0], near[1][0]
        (first, second), (one, other) = board.palette[2:], self._colours
        kept = dist(first, one) + dist(second, other) <= dist(first, other) + dist(second, one)
        return board.pawns if kept else board.pawns[::-1]
