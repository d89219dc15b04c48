"""Packed positions of Connect Four as networks see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.kernels.bits import ONE, lowest
from solvers.kernels.connect_four import rules as connect_four
from solvers.kernels.encoding import Floats, Numbers, Words, action, encode
from solvers.kernels.jit import jit
from solvers.kernels.rules import offers

THREATS = 0
"""Whether, beside both sides' discs, where either wins and where discs fall to is seen."""


@offers(encode, connect_four.ConnectFour)
def _encode_discs(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    own, every = positions[at, connect_four.OWN], positions[at, connect_four.ALL]
    _fill_columns(rules, own, planes, to, 0)
    _fill_columns(rules, own ^ every, planes, to, 1)
    if facts[THREATS] != 0:
        _fill_columns(rules, connect_four.winning_cells(rules, own, every), planes, to, 2)
        _fill_columns(rules, connect_four.winning_cells(rules, own ^ every, every), planes, to, 3)
        _fill_columns(rules, (every + rules.bottom) & rules.board, planes, to, 4)


@jit
def _fill_columns(rules: connect_four.ConnectFour, cells: np.uint64, planes: Floats, to: int, plane: int) -> None:
    high = np.int64(rules.rows) + 1
    while cells:
        at = lowest(cells)
        cells &= cells - ONE
        col = at // high
        planes[to, plane, rules.rows - 1 - (at - col * high), col] = 1.0


@offers(action, connect_four.ConnectFour)
def _number_column(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    return np.int64(move)
