"""Packed positions of Quoridor as networks see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.kernels.bits import ONE, lowest
from solvers.kernels.encoding import Floats, Numbers, Words, action, encode
from solvers.kernels.jit import jit
from solvers.kernels.quoridor import board as quoridor
from solvers.kernels.rules import offers

WALLS = 0
"""How many walls each player begins with."""


@offers(encode, quoridor.Quoridor)
def _encode_pawns_and_walls(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    status = positions[at, quoridor.STATUS]
    side = quoridor.side_of(status)
    cols, most = np.int64(rules.board.cols), np.float32(max(facts[WALLS], 1))
    for plane in range(2):
        seat = side if plane == 0 else 1 - side
        cell = _turned_cell(rules.board, quoridor.pawn_of(status, seat), side)
        planes[to, plane, cell // cols, cell % cols] = 1.0
        planes[to, 4 + plane] = np.float32(quoridor.left_of(status, seat)) / most
    _fill_walls(rules.board, positions, at, quoridor.H_LOW, side, planes, to, 2)
    _fill_walls(rules.board, positions, at, quoridor.V_LOW, side, planes, to, 3)


@jit
def _turned_cell(board: quoridor.Board, cell: int, side: int) -> int:
    return np.int64(board.rows) * np.int64(board.cols) - 1 - cell if side else np.int64(cell)


@jit
def _turned_wall(board: quoridor.Board, wall: int, side: int) -> int:
    return (np.int64(board.rows) - 1) * np.int64(board.cols) - 2 - wall if side else np.int64(wall)


@jit
def _fill_walls(
    board: quoridor.Board, positions: Words, at: int, word: int, side: int, planes: Floats, to: int, plane: int
) -> None:
    cols = np.int64(board.cols)
    for half in range(2):
        walls = positions[at, word + half]
        while walls:
            place = _turned_wall(board, 64 * half + lowest(walls), side)
            walls &= walls - ONE
            planes[to, plane, place // cols, place % cols] = 1.0


@offers(action, quoridor.Quoridor)
def _number_step_or_wall(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    rows, cols = np.int64(rules.board.rows), np.int64(rules.board.cols)
    side = quoridor.side_of(positions[at, quoridor.STATUS])
    kind = move // quoridor.CELLS
    place = np.int64(move - kind * quoridor.CELLS)
    if place >= rows * cols:
        return np.int64(-1)
    if kind == 0:
        return _turned_cell(rules.board, place, side)
    if place // cols == rows - 1 or place % cols == cols - 1:
        return np.int64(-1)
    place = _turned_wall(rules.board, place, side)
    first = rows * cols + (kind - 1) * (rows - 1) * (cols - 1)
    return first + place // cols * (cols - 1) + place % cols
