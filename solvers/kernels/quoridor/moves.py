"""Quoridor packed: the shortest paths, the walls and steps that the rules allow, and what they change."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, lowest
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.board import (
    BYTE,
    CELLS,
    H_HIGH,
    H_LOW,
    KEY,
    LENGTHS,
    MIRROR_KEY,
    PATHS,
    QUIET_PLIES,
    STATUS,
    V_HIGH,
    V_LOW,
    Board,
    bit,
    down,
    has,
    left_of,
    passages,
    pawn_of,
    quiet_of,
    reaches,
    side_of,
    spread,
    up,
)


@jit(arrays=True)
def find_path(board: Board, positions: NDArray[np.uint64], ply: int, seat: int) -> bool:
    """Writes a shortest path of `seat` to row `ply`, and its length; False where there is none."""
    east_low, east_high, south_low, south_high = passages(
        board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    layers = board.layers
    low, high = bit(pawn_of(positions[ply, STATUS], seat))
    goal_low, goal_high = board.goals[seat, 0], board.goals[seat, 1]
    length = np.int64(0)
    while (low & goal_low) | (high & goal_high) == ZERO:
        layers[length, 0], layers[length, 1] = low, high
        was_low, was_high = low, high
        low, high = spread(board, east_low, east_high, south_low, south_high, low, high)
        if low == was_low and high == was_high:
            return False
        length += 1
    at = lowest(low & goal_low)
    if at == 64:
        at = 64 + lowest(high & goal_high)
    cols = np.int64(board.cols)
    right_low, right_high, down_low, down_high = ZERO, ZERO, ZERO, ZERO
    for step in range(length - 1, -1, -1):
        low, high = layers[step, 0], layers[step, 1]
        # Bits shifted in from beyond the board are never passages, so no border needs a test.
        if at >= cols and has(low & south_low, high & south_high, at - cols):
            at -= cols
            a, b = bit(at)
            down_low, down_high = down_low | a, down_high | b
        elif has(south_low, south_high, at) and has(low, high, at + cols):
            a, b = bit(at)
            down_low, down_high = down_low | a, down_high | b
            at += cols
        elif at > 0 and has(low & east_low, high & east_high, at - 1):
            at -= 1
            a, b = bit(at)
            right_low, right_high = right_low | a, right_high | b
        else:
            a, b = bit(at)
            right_low, right_high = right_low | a, right_high | b
            at += 1
    first = PATHS + 4 * seat
    positions[ply, first], positions[ply, first + 1], positions[ply, first + 2], positions[ply, first + 3] = (
        down_low,
        down_high,
        right_low,
        right_high,
    )
    shift = np.uint64(8 * seat)
    positions[ply, LENGTHS] = (positions[ply, LENGTHS] & ~(BYTE << shift)) | (np.uint64(length) << shift)
    return True


@jit(arrays=True)
def cut_by(
    board: Board, positions: NDArray[np.uint64], ply: int, seat: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" (low, high) and "v" (low, high) that would cut the path of `seat`."""
    first = PATHS + 4 * seat
    down_low, down_high = positions[ply, first], positions[ply, first + 1]
    right_low, right_high = positions[ply, first + 2], positions[ply, first + 3]
    a, b = down(down_low, down_high, ONE)
    c, d = down(right_low, right_high, np.uint64(board.cols))
    return down_low | a, down_high | b, right_low | c, right_high | d


@jit(arrays=True)
def room(
    board: Board, h_low: np.uint64, h_high: np.uint64, v_low: np.uint64, v_high: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" and "v" that neither overlap nor cross one that stands."""
    cols = np.uint64(board.cols)
    a, b = up(h_low, h_high, ONE)
    c, d = down(h_low, h_high, ONE)
    e, f = up(v_low, v_high, cols)
    g, h = down(v_low, v_high, cols)
    every = h_low | v_low, h_high | v_high
    low, high = board.slots[0] & ~every[0], board.slots[1] & ~every[1]
    return low & ~(a | c), high & ~(b | d), low & ~(e | g), high & ~(f | h)


@jit(arrays=True)
def touching(
    board: Board, h_low: np.uint64, h_high: np.uint64, v_low: np.uint64, v_high: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" and "v" that would touch walls or the edge at two or more of their ends and middle."""
    cols = np.uint64(board.cols)
    a, b = up(h_low, h_high, ONE)
    c, d = down(h_low, h_high, ONE)
    e, f = up(v_low, v_high, cols)
    g, h = down(v_low, v_high, cols)
    # Points are numbered like the walls whose middle they are. Those at the left edge have the numbers of the right
    # edge of the row above, which is an edge as well.
    low = board.edges[0] | h_low | v_low | a | c | e | g
    high = board.edges[1] | h_high | v_high | b | d | f | h
    a, b = up(low, high, ONE)
    a |= ONE
    c, d = down(low, high, ONE)
    e, f = up(low, high, cols)
    e |= board.top
    g, h = down(low, high, cols)
    return (
        (a & c) | (low & (a | c)),
        (b & d) | (high & (b | d)),
        (e & g) | (low & (e | g)),
        (f & h) | (high & (f | h)),
    )


@jit(arrays=True)
def shuts_off(board: Board, positions: NDArray[np.uint64], ply: int, wall: int, vertical: bool, seat: int) -> bool:
    """Whether a wall more would leave `seat` without a path."""
    low, high = bit(wall)
    if vertical:
        passage = passages(
            board,
            positions[ply, H_LOW],
            positions[ply, H_HIGH],
            positions[ply, V_LOW] | low,
            positions[ply, V_HIGH] | high,
        )
    else:
        passage = passages(
            board,
            positions[ply, H_LOW] | low,
            positions[ply, H_HIGH] | high,
            positions[ply, V_LOW],
            positions[ply, V_HIGH],
        )
    return not reaches(
        board, passage[0], passage[1], passage[2], passage[3], pawn_of(positions[ply, STATUS], seat), seat
    )


@jit(arrays=True)
def _without_shutting(
    board: Board,
    positions: NDArray[np.uint64],
    ply: int,
    walls: np.uint64,
    doubtful: np.uint64,
    first: int,
    vertical: bool,
    seat: int,
) -> np.uint64:
    """`walls`, numbered from `first` on, less those of `doubtful` that leave `seat` without a path."""
    rest = walls & doubtful
    while rest:
        at = lowest(rest)
        rest &= rest - ONE
        if shuts_off(board, positions, ply, first + at, vertical, seat):
            walls ^= ONE << np.uint64(at)
    return walls


@jit(arrays=True)
def legal_walls(
    board: Board, positions: NDArray[np.uint64], ply: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" and "v" the rules allow in row `ply`, whoever has walls left; both paths must be known."""
    walls = room(board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH])
    close = touching(
        board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    for seat in range(2):
        cut = cut_by(board, positions, ply, seat)
        walls = (
            _without_shutting(board, positions, ply, walls[0], close[0] & cut[0], 0, False, seat),
            _without_shutting(board, positions, ply, walls[1], close[1] & cut[1], 64, False, seat),
            _without_shutting(board, positions, ply, walls[2], close[2] & cut[2], 0, True, seat),
            _without_shutting(board, positions, ply, walls[3], close[3] & cut[3], 64, True, seat),
        )
    return walls


@jit(arrays=True)
def legal_steps(board: Board, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, np.uint64]:
    """The cells the pawn of the side to move can go to."""
    side = side_of(positions[ply, STATUS])
    here, rival = pawn_of(positions[ply, STATUS], side), pawn_of(positions[ply, STATUS], 1 - side)
    east_low, east_high, south_low, south_high = passages(
        board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    own_low, own_high = bit(here)
    low, high = spread(board, east_low, east_high, south_low, south_high, own_low, own_high)
    low, high = low & ~own_low, high & ~own_high
    if not has(low, high, rival):
        return low, high
    rival_low, rival_high = bit(rival)
    low, high = low & ~rival_low, high & ~rival_high
    a, b = spread(board, east_low, east_high, south_low, south_high, rival_low, rival_high)
    a, b = a & ~(own_low | rival_low), b & ~(own_high | rival_high)
    behind = 2 * rival - here
    if 0 <= behind < CELLS and has(a, b, behind):
        a, b = bit(behind)
    return low | a, high | b


@jit(arrays=True)
def keys_after(board: Board, table: int, kind: int, at: int) -> tuple[np.uint64, np.uint64]:
    """What a thing at a place adds to the hash and to that of the mirrored position; kind: 0 a cell, 1 a wall."""
    return board.zobrist[table, at], board.zobrist[table, board.mirrored[kind, at]]


@jit(arrays=True)
def first_position(board: Board, positions: NDArray[np.uint64], ply: int) -> None:
    """Finishes row `ply`, of which walls and status are set: hashes and paths."""
    key, mirror = ZERO, ZERO
    for wall in range(board.rows * board.cols):
        for table in range(2):
            if has(positions[ply, H_LOW + 2 * table], positions[ply, H_HIGH + 2 * table], wall):
                a, b = keys_after(board, table, 1, wall)
                key, mirror = key ^ a, mirror ^ b
    status = positions[ply, STATUS]
    for seat in range(2):
        a, b = keys_after(board, 2 + seat, 0, pawn_of(status, seat))
        count = board.zobrist[4 + seat, left_of(status, seat)]
        key, mirror = key ^ a ^ count, mirror ^ b ^ count
    if side_of(status):
        key, mirror = ~key, ~mirror
    positions[ply, KEY], positions[ply, MIRROR_KEY] = key, mirror
    find_path(board, positions, ply, 0)
    find_path(board, positions, ply, 1)


@jit(arrays=True)
def move_pawn(board: Board, positions: NDArray[np.uint64], ply: int, cell: int) -> None:
    """Row `ply` after a step of the side to move to `cell`, but for the hashes and the side to move."""
    status = positions[ply, STATUS]
    side = side_of(status)
    here = pawn_of(status, side)
    shift = np.uint64(8 * side)
    quiet = min(quiet_of(status) + 1, 127)
    status = (status & ~((BYTE << shift) | QUIET_PLIES)) | (np.uint64(cell) << shift)
    positions[ply, STATUS] = status | (np.uint64(quiet) << np.uint64(40))
    edge = min(here, cell)
    first = PATHS + 4 * side
    if abs(cell - here) == 1:
        first += 2
    elif abs(cell - here) != board.cols:
        find_path(board, positions, ply, side)
        return
    low, high = bit(edge)
    if (positions[ply, first] & low) | (positions[ply, first + 1] & high):
        positions[ply, first], positions[ply, first + 1] = (
            positions[ply, first] & ~low,
            positions[ply, first + 1] & ~high,
        )
        positions[ply, LENGTHS] -= ONE << shift
    else:
        find_path(board, positions, ply, side)


@jit(arrays=True)
def put_wall(board: Board, positions: NDArray[np.uint64], ply: int, wall: int, vertical: bool) -> None:
    """Row `ply` after a wall of the side to move, but for the hashes and the side to move."""
    side = side_of(positions[ply, STATUS])
    low, high = bit(wall)
    cut_first, cut_second = cut_by(board, positions, ply, 0), cut_by(board, positions, ply, 1)
    positions[ply, STATUS] = (positions[ply, STATUS] - (ONE << np.uint64(16 + 8 * side))) & ~QUIET_PLIES
    if vertical:
        positions[ply, V_LOW], positions[ply, V_HIGH] = positions[ply, V_LOW] | low, positions[ply, V_HIGH] | high
        cuts_first = (cut_first[2] & low) | (cut_first[3] & high)
        cuts_second = (cut_second[2] & low) | (cut_second[3] & high)
    else:
        positions[ply, H_LOW], positions[ply, H_HIGH] = positions[ply, H_LOW] | low, positions[ply, H_HIGH] | high
        cuts_first = (cut_first[0] & low) | (cut_first[1] & high)
        cuts_second = (cut_second[0] & low) | (cut_second[1] & high)
    if cuts_first:
        find_path(board, positions, ply, 0)
    if cuts_second:
        find_path(board, positions, ply, 1)


@jit(arrays=True)
def next_on_path(board: Board, positions: NDArray[np.uint64], ply: int, seat: int, here: int, before: int) -> int:
    """The cell behind `here` on the path of `seat`, to which it came from `before`."""
    first = PATHS + 4 * seat
    down_low, down_high = positions[ply, first], positions[ply, first + 1]
    right_low, right_high = positions[ply, first + 2], positions[ply, first + 3]
    cols = np.int64(board.cols)
    if here + cols != before and has(down_low, down_high, here):
        return here + cols
    if here - cols != before and here >= cols and has(down_low, down_high, here - cols):
        return here - cols
    if here + 1 != before and has(right_low, right_high, here):
        return here + 1
    return here - 1
