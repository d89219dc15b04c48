"""Packed positions of Filler as networks see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.kernels.bits import ONE, ZERO, lowest
from solvers.kernels.encoding import Floats, Numbers, Words, action, encode
from solvers.kernels.filler import rules as filler
from solvers.kernels.jit import jit
from solvers.kernels.rules import offers

START, REACH = 0, 2
"""The number of the first player's corner cell, with the second's behind it, and whether reach is seen, too."""

FAR = 12
"""Moves that no plane tells apart from more."""


@offers(encode, filler.Filler)
def _encode_colours(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    own, rival, status = positions[at, filler.OWN], positions[at, filler.RIVAL], positions[at, filler.STATUS]
    mine, theirs = np.int64(status & np.uint64(255)), np.int64((status >> np.uint64(8)) & np.uint64(255))
    first = (own >> np.uint64(facts[START])) & ONE != ZERO
    corner = facts[START] if first else facts[START + 1]
    neutral, unit = rules.board & ~(own | rival), np.float32(4 if facts[REACH] != 0 else 1)
    for colour in range(rules.colours):
        _fill_turned(rules, rules.classes[colour] & neutral, corner, planes, to, colour, unit)
    _fill_turned(rules, own, corner, planes, to, mine, unit)
    _fill_turned(rules, rival, corner, planes, to, theirs, unit)
    _fill_turned(rules, own, corner, planes, to, rules.colours, unit)
    _fill_turned(rules, rival, corner, planes, to, rules.colours + 1, unit)
    planes[to, rules.colours + 2] = np.float32((status >> np.uint64(16)) & np.uint64(15)) * (unit / np.float32(4))
    if facts[REACH] != 0:
        _fill_reach(rules, own, rival, corner, planes, to, rules.colours + 3)
        _fill_reach(rules, rival, own, corner, planes, to, rules.colours + 4)


@jit
def _fill_reach(
    rules: filler.Filler, own: np.uint64, rival: np.uint64, corner: int, planes: Floats, to: int, plane: int
) -> None:
    """Sets 4 where `own` captures with one move, and in the next plane but one how many moves each cell is off."""
    planes[to, plane + 2] = np.float32(FAR)
    _fill_turned(rules, own, corner, planes, to, plane + 2, 0.0)
    reached, neutral = own, rules.board & ~(own | rival)
    for moves in range(1, FAR):
        near = filler.gains(rules, reached, neutral & ~reached)
        if near == ZERO:
            break
        if moves == 1:
            _fill_turned(rules, near, corner, planes, to, plane, 4.0)
        _fill_turned(rules, near, corner, planes, to, plane + 2, moves)
        reached |= near


@jit
def _fill_turned(
    rules: filler.Filler, cells: np.uint64, corner: int, planes: Floats, to: int, plane: int, value: float
) -> None:
    """Sets `cells` in a plane to a value, mirrored so that the cell `corner` comes to the top left."""
    cols = np.int64(rules.cols)
    below, right = corner >= cols, corner % cols != 0
    while cells:
        at = lowest(cells)
        cells &= cells - ONE
        row, col = at // cols, at % cols
        planes[to, plane, planes.shape[2] - 1 - row if below else row, cols - 1 - col if right else col] = value


@offers(action, filler.Filler)
def _number_colour(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    return np.int64(move) if move < rules.colours else np.int64(-1)
