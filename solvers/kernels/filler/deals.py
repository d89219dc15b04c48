"""Thousands of boards of Filler dealt a call.

All have the same size, of at most 64 cells. Each is a row of ``uint64[n, 3 + colours]``: the territories of the side to
move and of its rival, a status as in the rules beside this file, and the cells of each colour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, mixed, popcount
from solvers.kernels.filler.rules import OWN, RIVAL, STATUS, Filler, flood
from solvers.kernels.jit import jit

CLASSES = 3
"""The first of the words that hold the colours."""


@jit(arrays=True)
def deal_board(rules: Filler, uniform: bool, board: NDArray[np.uint64], dice: np.uint64) -> np.uint64:
    """Deals a board with unlike corners and, if not `uniform`, unlike neighbours; returns the dice for the next one."""
    last = popcount(rules.board) - 1
    while True:
        for colour in range(rules.colours):
            board[CLASSES + colour] = ZERO
        word, left = ZERO, 0
        for cell in range(last + 1):
            bit = ONE << np.uint64(cell)
            above = bit >> np.uint64(rules.cols)
            beside = (bit & rules.not_left) >> ONE
            while True:
                if left == 0:
                    dice += np.uint64(0x9E3779B97F4A7C15)
                    word, left = mixed(dice), 4
                colour = np.int64(((word & np.uint64(0xFFFF)) * np.uint64(rules.colours)) >> np.uint64(16))
                word >>= np.uint64(16)
                left -= 1
                if uniform or not board[CLASSES + colour] & (above | beside):
                    break
            board[CLASSES + colour] |= bit
        first, second = ZERO, ZERO
        for colour in range(rules.colours):
            if board[CLASSES + colour] & ONE:
                first = np.uint64(colour)
            if board[CLASSES + colour] >> np.uint64(last):
                second = np.uint64(colour)
        if first != second:
            break
    board[OWN] = flood(rules, ONE, board[CLASSES + np.int64(first)])
    board[RIVAL] = flood(rules, ONE << np.uint64(last), board[CLASSES + np.int64(second)])
    board[STATUS] = first | (second << np.uint64(8))
    return dice


@jit(arrays=True)
def deal(rules: Filler, uniform: bool, boards: NDArray[np.uint64], seed: int) -> None:
    """Deals a new board in every row; of `rules` only the size and the number of colours count."""
    for at in range(boards.shape[0]):
        deal_board(rules, uniform, boards[at], mixed(np.uint64(seed) + np.uint64(at) * np.uint64(0x9E3779B97F4A7C15)))
