"""Thousands of boards of Filler dealt a call.

All have the same size, of at most 64 cells. Each is a row of ``uint64[n, 3 + colours]``: the territories of the side to
move and of its rival, a status as in the rules beside this file, and the cells of each colour.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, mixed
from solvers.kernels.filler.rules import OWN, RIVAL, STATUS
from solvers.kernels.jit import jit

CLASSES = 3
"""The first of the words that hold the colours."""


class BoardMasks(NamedTuple):
    """The size of the boards, and the masks it gives: all cells, those not in the first or the last column.

    uniform: whether each cell's colour is drawn alone, so that neighbours may be alike.
    """

    rows: int
    cols: int
    colours: int
    uniform: bool
    board: np.uint64
    not_left: np.uint64
    not_right: np.uint64


def masks_of(rows: int, cols: int, colours: int, *, uniform: bool = False) -> BoardMasks:
    """The masks of a size; raises ValueError for boards of more than 64 cells."""
    if rows * cols > 64:
        raise ValueError(f"{rows}x{cols} boards have {rows * cols} cells: 64 can be packed")
    cells = range(rows * cols)
    not_left, not_right = (sum(1 << at for at in cells if at % cols != edge) for edge in (0, cols - 1))
    board = np.uint64((1 << len(cells)) - 1)
    return BoardMasks(rows, cols, colours, uniform, board, np.uint64(not_left), np.uint64(not_right))


@jit(arrays=True)
def flood_within(size: BoardMasks, cells: np.uint64, within: np.uint64) -> np.uint64:
    """`cells` and what is connected to them within `within`."""
    up = np.uint64(size.cols)
    while True:
        around = ((cells & size.not_right) << ONE) | ((cells & size.not_left) >> ONE) | (cells << up) | (cells >> up)
        grown = cells | (around & within)
        if grown == cells:
            return cells
        cells = grown


@jit(arrays=True)
def deal_board(size: BoardMasks, board: NDArray[np.uint64], dice: np.uint64) -> np.uint64:
    """Deals a board, no two corners and on a phone's no two neighbours alike, and returns the dice for the next one."""
    last = size.rows * size.cols - 1
    while True:
        for colour in range(size.colours):
            board[CLASSES + colour] = ZERO
        word, left = ZERO, 0
        for cell in range(last + 1):
            bit = ONE << np.uint64(cell)
            above = bit >> np.uint64(size.cols)
            beside = (bit & size.not_left) >> ONE
            while True:
                if left == 0:
                    dice += np.uint64(0x9E3779B97F4A7C15)
                    word, left = mixed(dice), 4
                colour = np.int64(((word & np.uint64(0xFFFF)) * np.uint64(size.colours)) >> np.uint64(16))
                word >>= np.uint64(16)
                left -= 1
                if size.uniform or not board[CLASSES + colour] & (above | beside):
                    break
            board[CLASSES + colour] |= bit
        first, second = ZERO, ZERO
        for colour in range(size.colours):
            if board[CLASSES + colour] & ONE:
                first = np.uint64(colour)
            if board[CLASSES + colour] >> np.uint64(last):
                second = np.uint64(colour)
        if first != second:
            break
    board[OWN] = flood_within(size, ONE, board[CLASSES + np.int64(first)])
    board[RIVAL] = flood_within(size, ONE << np.uint64(last), board[CLASSES + np.int64(second)])
    board[STATUS] = first | (second << np.uint64(8))
    return dice


@jit(arrays=True)
def deal(size: BoardMasks, boards: NDArray[np.uint64], seed: int) -> None:
    """Deals a new board in every row."""
    for at in range(boards.shape[0]):
        deal_board(size, boards[at], mixed(np.uint64(seed) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15)))
