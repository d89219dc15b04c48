"""Packed positions of Blokus for two on small boards as networks see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.kernels.bits import ONE, ZERO, lowest
from solvers.kernels.blokus import small as blokus_small
from solvers.kernels.blokus.ways import FORM_NUMBER, FORMS
from solvers.kernels.encoding import Floats, Numbers, Words, action, encode
from solvers.kernels.rules import offers

HEIGHTS = np.array([1 + max(row for row, _ in form) for form in FORMS])
WIDTHS = np.array([1 + max(col for _, col in form) for form in FORMS])
UPSIDE_DOWN = np.array(
    [
        FORM_NUMBER[tuple(sorted((int(high) - 1 - row, int(wide) - 1 - col) for row, col in form))]
        for form, high, wide in zip(FORMS, HEIGHTS, WIDTHS, strict=True)
    ]
)
"""int64[91]: the form that each is when it is turned by half."""

PIECES = 21


@offers(encode, blokus_small.SmallBlokus)
def _encode_squares_and_pieces(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    status = positions[at, blokus_small.STATUS]
    last = np.int64(rules.side) - 1
    turned = status & blokus_small.SECOND != ZERO
    for plane in range(2):
        cells = positions[at, blokus_small.OWN if plane == 0 else blokus_small.RIVAL]
        while cells:
            cell = lowest(cells)
            cells &= cells - ONE
            row, col = cell // 8, cell % 8
            planes[to, plane, last - row if turned else row, last - col if turned else col] = 1.0
    for piece in range(2 * PIECES):
        if (status >> np.uint64(piece)) & ONE:
            planes[to, 2 + piece] = 1.0


@offers(action, blokus_small.SmallBlokus)
def _number_placement(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    if move == rules.moves.size:
        return np.int64(-1)
    number, side = np.int64(rules.moves[move]), np.int64(rules.side)
    if positions[at, blokus_small.STATUS] & blokus_small.SECOND == ZERO:
        return number
    form = number // (side * side)
    row, col = number // side % side, number % side
    row, col = side - HEIGHTS[form] - row, side - WIDTHS[form] - col
    return UPSIDE_DOWN[form] * side * side + row * side + col
