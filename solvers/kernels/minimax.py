"""Minimax without pruning, compiled for each game's packed rules: the plainest search, and alpha-beta's witness."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.kernels.alphabeta import NODE_LIMIT, NODES, STOP, Memory
from solvers.kernels.jit import jit
from solvers.kernels.rules import SCORE_LIMIT, bounds, evaluate, generate, play


@jit
def minimax(rules: Any, memory: Memory, ply: int, depth: int) -> int:
    """The score of row `ply` for the side to move at `depth` plies; means nothing once STOP is set."""
    control = memory.control
    control[NODES] += 1
    if control[STOP] != 0 or control[NODES] >= control[NODE_LIMIT]:
        control[STOP] = 1
        return 0
    low, high = bounds(rules, memory.positions, ply)
    if low == high:
        return low
    if depth <= 0:
        return min(max(np.int64(evaluate(rules, memory.positions, ply)), low), high)
    best = -SCORE_LIMIT
    count = generate(rules, memory.positions, ply, memory.moves, memory.weights)
    for at in range(count):
        play(rules, memory.positions, ply, memory.moves[ply, at])
        best = max(best, -minimax(rules, memory, ply + 1, depth - 1))
    return best


@jit
def advance(rules: Any, memory: Memory, move: int) -> None:
    """Plays `move` in row 0, so that the position after it stands in row 1."""
    play(rules, memory.positions, 0, move)
