"""A table of how good it is to reach a position of Blokus, for boards of at most 8x8 cells, and the best move by it.

A move is worth what the table says of the position it leads to; positions that differ by a mirror share an entry. What
the table does not know is worth what `evaluate` says of it, times a factor.

A table has room for a power of two of entries: ``keys: uint64[room]``, 0 where there is none, and ``values:
float32[room]``, from the view of the side that has just moved.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO
from solvers.kernels.blokus.board import UNIT
from solvers.kernels.blokus.small import SmallBlokus
from solvers.kernels.jit import jit
from solvers.kernels.rules import evaluate, generate, identify, play

FULL_WORTH = 16.0
"""Squares of margin, by `evaluate`, that would be worth a whole win."""


@jit
def place_of(keys: NDArray[np.uint64], key: np.uint64) -> int:
    """Where a key stands, or would stand."""
    last = np.uint64(keys.size - 1)
    at = key & last
    while keys[at] != ZERO and keys[at] != key:
        at = (at + ONE) & last
    return np.int64(at)


@jit
def guess(rules: SmallBlokus, positions: NDArray[np.uint64], ply: int, factor: float) -> float:
    """What row `ply` is worth to the side that has just moved, where no table knows it."""
    if factor == 0.0:
        return 0.0
    worth = -evaluate(rules, positions, ply) / (UNIT * FULL_WORTH)
    return factor * min(1.0, max(-1.0, worth))


@jit
def value_moves(
    rules: SmallBlokus,
    positions: NDArray[np.uint64],
    ply: int,
    moves: NDArray[np.int32],
    weights: NDArray[np.int64],
    keys: NDArray[np.uint64],
    values: NDArray[np.float32],
    factor: float,
    worths: NDArray[np.float32],
) -> int:
    """Writes the moves of row `ply` to `moves`, and to ``worths: float32[width]`` what each is worth to the mover.

    Returns how many there are.
    """
    count = generate(rules, positions, ply, moves, weights)
    for at in range(count):
        play(rules, positions, ply, moves[ply, at])
        place = place_of(keys, identify(rules, positions, ply + 1)[0])
        worths[at] = values[place] if keys[place] != ZERO else guess(rules, positions, ply + 1, factor)
    return count


@jit
def lay_out(
    listed: NDArray[np.uint64], worths: NDArray[np.float32], keys: NDArray[np.uint64], values: NDArray[np.float32]
) -> None:
    """Puts listed entries where `place_of` looks for them."""
    for at in range(listed.size):
        place = place_of(keys, listed[at])
        keys[place] = listed[at]
        values[place] = worths[at]
