"""Quoridor packed: the moves that a tree search tries, and those that its playouts make."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, lowest, popcount
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.board import (
    BYTE,
    CELLS,
    H_HIGH,
    H_LOW,
    STATUS,
    V_HIGH,
    V_LOW,
    Board,
    H,
    Quoridor,
    has,
    left_of,
    pawn_of,
    side_of,
)
from solvers.kernels.quoridor.moves import cut_by, legal_steps, next_on_path, room, shuts_off
from solvers.kernels.quoridor.rules import CLOSING, CUT, NEAR, ON_PATH
from solvers.kernels.rules import likely, offers, prepare, roll


@offers(prepare, Quoridor)
def _prepare(
    rules: Quoridor, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> None:
    """Nothing: rows are complete as `play` writes them."""


@offers(likely, Quoridor)
def _likely(rules: Quoridor, weight: int) -> float:
    """Of the walls only those through the rival's path and those that may close something off are tried."""
    if weight >= ON_PATH:
        return 8.0
    if weight >= CUT - CLOSING:
        return 2.0 if weight > CUT else 1.0
    return 0.25 if weight >= NEAR else 0.0


WALK = np.uint64(179)
"""The chance, in 256, that a playout's move follows the path and is no wall: 0.7."""


@offers(roll, Quoridor)
def _roll(
    rules: Quoridor,
    positions: NDArray[np.uint64],
    ply: int,
    moves: NDArray[np.int32],
    weights: NDArray[np.int64],
    dice: np.uint64,
) -> int:
    """Mostly a step along the path, else a wall through the rival's path and not through the own one."""
    status = positions[ply, STATUS]
    side = side_of(status)
    if left_of(status, side) and (dice & BYTE) >= WALK:
        wall = _roll_wall(rules.board, positions, ply, dice >> np.uint64(8))
        if wall >= 0:
            return wall
    here, rival = pawn_of(status, side), pawn_of(status, 1 - side)
    ahead = next_on_path(rules.board, positions, ply, side, here, np.int64(-1))
    if ahead != rival:
        return ahead
    low, high = legal_steps(rules.board, positions, ply)
    beyond = next_on_path(rules.board, positions, ply, side, rival, here)
    if has(low, high, beyond):
        return beyond
    at = lowest(low)
    return at if at < 64 else 64 + lowest(high)


@jit(arrays=True)
def _roll_wall(board: Board, positions: NDArray[np.uint64], ply: int, dice: np.uint64) -> int:
    """A wall that leaves a path to both, -1 where the one that was drawn does not."""
    side = side_of(positions[ply, STATUS])
    h_low, h_high = positions[ply, H_LOW], positions[ply, H_HIGH]
    v_low, v_high = positions[ply, V_LOW], positions[ply, V_HIGH]
    free = room(board, h_low, h_high, v_low, v_high)
    cut, own = cut_by(board, positions, ply, 1 - side), cut_by(board, positions, ply, side)
    count, place = np.int64(0), np.int64(-1)
    for part in range(4):
        count += popcount(free[part] & cut[part] & ~own[part])
    pick = np.int64(((dice & np.uint64(0xFFFFFFFF)) * np.uint64(count)) >> np.uint64(32))
    for part in range(4):
        word = free[part] & cut[part] & ~own[part]
        among = popcount(word)
        if 0 <= pick < among:
            for _ in range(pick):
                word &= word - ONE
            place = 64 * part + lowest(word)
        pick -= among
    if count == 0 or shuts_off(board, positions, ply, place % CELLS, place >= CELLS, 1 - side):
        return -1
    return H + place
