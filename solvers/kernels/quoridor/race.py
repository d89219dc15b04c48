"""Quoridor without walls left to lay: how every race of the pawns between the same walls ends, and when.

No player is ever without a step: the way home of a pawn whose only neighbour is the rival leads over that pawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, lowest
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.board import CELLS, SIDE, STATUS, Board, has
from solvers.kernels.quoridor.moves import legal_steps


@jit(arrays=True)
def race(
    board: Board,
    positions: NDArray[np.uint64],
    steps: NDArray[np.uint64],
    ends: NDArray[np.int16],
) -> None:
    """Fills `ends: int16[2, CELLS, CELLS]`, zeros before, by the side to move, its pawn, and the rival's.

    n: the side to move wins with its n-th step.  -n: its rival does.  0: neither can force a win.
    positions: uint64[1, WORDS], with the walls.  steps: uint64[2, CELLS, CELLS, 2], room for those there are.
    """
    cells = board.rows * board.cols
    for side in range(2):
        goal_low, goal_high = board.goals[side, 0], board.goals[side, 1]
        rival_low, rival_high = board.goals[1 - side, 0], board.goals[1 - side, 1]
        for own in range(cells):
            for rival in range(cells):
                if own == rival or has(goal_low, goal_high, own) or has(rival_low, rival_high, rival):
                    continue
                pawns = own << (8 * side) | rival << (8 * (1 - side))
                positions[0, STATUS] = np.uint64(pawns) | (SIDE if side else np.uint64(0))
                low, high = legal_steps(board, positions, 0)
                steps[side, own, rival, 0], steps[side, own, rival, 1] = low, high
                if (low & goal_low) | (high & goal_high):
                    ends[side, own, rival] = 1
    turn, went_on = np.int64(0), True
    while went_on:
        # What only leads to where the rival wins in so many steps, then what leads to where it loses so.
        turn, went_on = turn + 1, False
        for losing in range(2):
            for side in range(2):
                for own in range(cells):
                    for rival in range(cells):
                        low, high = steps[side, own, rival, 0], steps[side, own, rival, 1]
                        if ends[side, own, rival] or not low | high:
                            continue
                        if losing == 0 and _all_lost(ends, side, rival, low, high, turn):
                            ends[side, own, rival], went_on = -turn, True
                        elif losing == 1 and _one_wins(ends, side, rival, low, high, turn):
                            ends[side, own, rival] = turn + 1


@jit(arrays=True)
def _all_lost(ends: NDArray[np.int16], side: int, rival: int, low: np.uint64, high: np.uint64, turn: int) -> bool:
    """Whether after each of these steps the rival wins with its `turn`-th step or before."""
    while low | high:
        low, high, to = _next(low, high)
        if not 0 < ends[1 - side, rival, to] <= turn:
            return False
    return True


@jit(arrays=True)
def _one_wins(ends: NDArray[np.int16], side: int, rival: int, low: np.uint64, high: np.uint64, turn: int) -> bool:
    """Whether after one of these steps the side that made it wins with its `turn`-th from there on."""
    while low | high:
        low, high, to = _next(low, high)
        if ends[1 - side, rival, to] == -turn:
            return True
    return False


@jit(arrays=True)
def _next(low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64, int]:
    """The words without their lowest bit, and which that was."""
    if low:
        return low & (low - ONE), high, lowest(low)
    return low, high & (high - ONE), 64 + lowest(high)


def room() -> tuple[NDArray[np.uint64], NDArray[np.int16]]:
    """The room for steps, and ends yet unknown."""
    return np.zeros((2, CELLS, CELLS, 2), np.uint64), np.zeros((2, CELLS, CELLS), np.int16)
