"""Quoridor packed: what the shared searches ask of the rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, lowest
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.board import (
    CELLS,
    H_HIGH,
    H_LOW,
    KEY,
    LENGTHS,
    MIRROR_KEY,
    PATHS,
    SIDE,
    STATUS,
    V_HIGH,
    V_LOW,
    WAITED,
    WIN,
    WORDS,
    Board,
    H,
    Quoridor,
    V,
    bit,
    has,
    left_of,
    length_of,
    passages,
    pawn_of,
    quiet_of,
    side_of,
    spread,
)
from solvers.kernels.quoridor.moves import (
    cut_by,
    keys_after,
    legal_steps,
    legal_walls,
    move_pawn,
    next_on_path,
    put_wall,
    touching,
)
from solvers.kernels.quoridor.network import PathsNetwork, gain_weight, orders, place_weight
from solvers.kernels.rules import bounds, generate, identify, offers, play, promise, repeats, turn


@offers(play, Quoridor)
def _play(rules: Quoridor, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    after = ply + 1
    for word in range(WORDS):
        positions[after, word] = positions[ply, word]
    status = positions[after, STATUS] & ~WAITED
    positions[after, STATUS] = status
    side = side_of(status)
    if move < H:
        a, b = keys_after(rules.board, 2 + side, 0, pawn_of(status, side))
        c, d = keys_after(rules.board, 2 + side, 0, move)
        move_pawn(rules.board, positions, after, np.int64(move))
    else:
        vertical = move >= V
        wall = np.int64(move) - (V if vertical else H)
        a, b = keys_after(rules.board, 1 if vertical else 0, 1, wall)
        left = left_of(status, side)
        c = rules.board.zobrist[4 + side, left] ^ rules.board.zobrist[4 + side, left - 1]
        d = c
        put_wall(rules.board, positions, after, wall, vertical)
    positions[after, STATUS] ^= SIDE
    positions[after, KEY], positions[after, MIRROR_KEY] = (
        ~(positions[after, KEY] ^ a ^ c),
        ~(positions[after, MIRROR_KEY] ^ b ^ d),
    )


ON_PATH, CUT, OTHER_STEP, NEAR, QUIET = 5 << 17, 3 << 17, 3 << 17, 1 << 17, 0
"""Weights of moves: a step along the path, a wall through the rival's path, another step, a wall that touches
something, and any other wall. What the search learned of a move (up to 65,535) adds to its class."""

CLOSING = 1 << 15
"""More weight for a wall that touches others or the edge at two of its points, less for one that cuts the own path."""

KNOWN_GOOD = 1 << 16
"""From this weight on a wall touches something or refuted other moves before."""


@jit(arrays=True)
def _list_walls(
    moves: NDArray[np.int32],
    weights: NDArray[np.int64],
    ply: int,
    count: int,
    walls: np.uint64,
    first: int,
    cut: np.uint64,
    own: np.uint64,
    close: np.uint64,
    network: PathsNetwork,
    seat: int,
    pawns: tuple[int, int],
) -> int:
    """Adds `walls`, numbered from the move `first` on, behind the `count` moves listed; how many there are then.

    network, seat, pawns: see `place_weight`.
    """
    ordered = orders(network)
    while walls:
        at = lowest(walls)
        bit = walls & (~walls + ONE)
        walls ^= bit
        weight = np.int64(QUIET)
        if cut & bit:
            weight = CUT
        elif close & bit:
            weight = NEAR
        if close & bit:
            weight += CLOSING
        if own & bit:
            weight -= CLOSING
        if ordered:
            weight += place_weight(network, seat, pawns, first % CELLS + at, first >= V)
        moves[ply, count] = first + at
        weights[ply, count] = weight
        count += 1
    return count


@offers(generate, Quoridor)
def _generate(
    rules: Quoridor, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> int:
    status = positions[ply, STATUS]
    side = side_of(status)
    if has(rules.board.goals[1 - side, 0], rules.board.goals[1 - side, 1], pawn_of(status, 1 - side)):
        return 0
    here = pawn_of(status, side)
    low, high = legal_steps(rules.board, positions, ply)
    count = 0
    first = PATHS + 4 * side
    while low | high:
        if low:
            at = lowest(low)
            low &= low - ONE
        else:
            at = 64 + lowest(high)
            high &= high - ONE
        edge = min(here, at)
        along = first + 2 if abs(at - here) == 1 else first
        jumps = abs(at - here) != 1 and abs(at - here) != rules.board.cols
        ahead = jumps or has(positions[ply, along], positions[ply, along + 1], edge)
        moves[ply, count] = at
        weights[ply, count] = ON_PATH if ahead else OTHER_STEP
        count += 1
    if left_of(status, side) == 0:
        return count
    walls = legal_walls(rules.board, positions, ply)
    cut, own = cut_by(rules.board, positions, ply, 1 - side), cut_by(rules.board, positions, ply, side)
    close = touching(
        rules.board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    pawns = 0, 0
    if orders(rules.network):
        rival = pawn_of(status, 1 - side)
        pawns = np.int64(rules.network.flips[side, here]), np.int64(rules.network.flips[side, rival])
    for word in range(4):
        first = (H, H + 64, V, V + 64)[word]
        count = _list_walls(
            moves,
            weights,
            ply,
            count,
            walls[word],
            first,
            cut[word],
            own[word],
            close[word],
            rules.network,
            side,
            pawns,
        )
    return count


@offers(promise, Quoridor)
def _promise(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> int:
    """By how much longer the two ways became."""
    if not orders(rules.network):
        return 0
    rival = side_of(positions[ply, STATUS])
    before, after = positions[ply - 1, LENGTHS], positions[ply, LENGTHS]
    own = length_of(after, 1 - rival) - length_of(before, 1 - rival)
    return gain_weight(rules.network, own, length_of(after, rival) - length_of(before, rival))


@jit(arrays=True)
def _walks_home(board: Board, positions: NDArray[np.uint64], ply: int, seat: int) -> bool:
    """Whether `seat`, whose rival has no wall left, wins by walking: it is first, and the pawns never come to meet."""
    status, lengths = positions[ply, STATUS], positions[ply, LENGTHS]
    own, rival = length_of(lengths, seat), length_of(lengths, 1 - seat)
    waits = 0 if side_of(status) == seat else 1
    if own + waits > rival:
        return False
    east_low, east_high, south_low, south_high = passages(
        board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    low, high = bit(pawn_of(status, 1 - seat))
    here, before = pawn_of(status, seat), np.int64(-1)
    for _ in range(waits):
        low, high = spread(board, east_low, east_high, south_low, south_high, low, high)
        if has(low, high, here):
            return False
    for _ in range(own):
        here, before = next_on_path(board, positions, ply, seat, here, before), here
        # The rival must not stand there already, nor beside it with its next move: it could jump.
        low, high = spread(board, east_low, east_high, south_low, south_high, low, high)
        if has(low, high, here):
            return False
    return True


@offers(bounds, Quoridor)
def _bounds(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> tuple[int, int]:
    """A game that is over or decided by the next step, and races the rival cannot hinder any more."""
    status, lengths = positions[ply, STATUS], positions[ply, LENGTHS]
    side = side_of(status)
    if length_of(lengths, 1 - side) == 0:
        return -WIN, -WIN
    own = length_of(lengths, side)
    if own == 1:
        low, high = legal_steps(rules.board, positions, ply)
        if (low & rules.board.goals[side, 0]) | (high & rules.board.goals[side, 1]):
            return WIN - 1, WIN - 1
    if left_of(status, 1 - side) == 0 and _walks_home(rules.board, positions, ply, side):
        return WIN - own, WIN - 1
    if left_of(status, side) == 0 and _walks_home(rules.board, positions, ply, 1 - side):
        lost = length_of(lengths, 1 - side) - WIN
        return -WIN, lost
    return -WIN, WIN - 1


@offers(identify, Quoridor)
def _identify(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, int]:
    key, mirror = positions[ply, KEY], positions[ply, MIRROR_KEY]
    if mirror < key:
        return mirror, 1
    return key, 0


@offers(turn, Quoridor)
def _turn(rules: Quoridor, move: int, symmetry: int) -> int:
    if symmetry == 0:
        return move
    kind = move // CELLS
    return kind * CELLS + rules.board.mirrored[min(kind, 1), move - kind * CELLS]


@offers(repeats, Quoridor)
def _repeats(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> bool:
    quiet = quiet_of(positions[ply, STATUS])
    key = positions[ply, KEY]
    for back in range(4, quiet + 1, 2):
        earlier = ply - back
        if earlier >= 0:
            if positions[earlier, KEY] == key:
                return True
        elif -earlier > rules.history.size:
            return False
        elif rules.history[rules.history.size + earlier] == key:
            return True
    return False
