"""A bare square field as a fresh Blokus board, which shows nothing of its squares."""

from __future__ import annotations

import numpy as np

from calibration.board import Lattice
from calibration.frame import Pixel
from calibration.look import Proposal
from calibration.looks.squares.board import read_board
from calibration.looks.squares.tray import FULL
from calibration.scene import Scene

BARE = 0.5
"""The confidence in a bare board, which shows no size: as likely right as wrong."""

SIDE = 14
"""Squares along the side of an empty board for two players."""

SQUARE, EDGE = 0.02, 4
"""How much its sides may differ, as a share, and how many pixels of it at each side tell of its border."""

PALE, BLANK = 6, 0.002
"""What differs so much from the next pixel is drawn on it, if palely, and the share of its pixels that are so at most:
the rims of two start marks are half of it."""


def bare_board(scene: Scene, *, named: bool) -> Proposal | None:
    """The largest square field, where Blokus is known to be, or pieces wait; None where it is not bare."""
    wide, high = scene.fields[:, 2:].T
    square = scene.fields[(np.abs(wide / high - 1) <= SQUARE) & (wide >= 13 * SIDE)]
    if not len(square):
        return None
    x, y, width, height = square[square[:, 2].argmax()]
    inner = np.s_[round(y) + EDGE : round(y + height) - EDGE, round(x) + EDGE : round(x + width) - EDGE]
    field = scene.pixels[inner].astype(np.int16)
    if any((np.abs(np.diff(field, axis=axis)).max(axis=2) >= PALE).mean() > BLANK for axis in (0, 1)):
        return None
    across, down = width / SIDE, height / SIDE
    board = read_board(scene, Lattice(Pixel(x + across / 2, y + down / 2), (across, down), SIDE, SIDE))
    if board is None or board.pieces or board.flat < 0.95 or not (named or board.tray >= FULL):
        return None
    return Proposal(board.lattice.box, "a bare square field", board.calibration(scene, BARE), board.features)
