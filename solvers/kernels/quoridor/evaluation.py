"""Quoridor packed: what a position is worth at a glance, and what a search may leave out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.board import (
    BEST,
    CELLS,
    H_HIGH,
    H_LOW,
    KEY,
    LEAD,
    LEFT,
    LENGTHS,
    MIRROR_KEY,
    MOST_LEFT,
    MOVE,
    QUIET_PLIES,
    SECOND,
    SIDE,
    STATUS,
    STEP,
    V_HIGH,
    V_LOW,
    WAITED,
    WIN,
    WORDS,
    Board,
    Quoridor,
    bit,
    has,
    left_of,
    length_of,
    passages,
    pawn_of,
    side_of,
    spread,
    up,
)
from solvers.kernels.quoridor.moves import cut_by, next_on_path, room
from solvers.kernels.quoridor.network import corrected, orders
from solvers.kernels.quoridor.rules import CLOSING, CUT, KNOWN_GOOD, ON_PATH
from solvers.kernels.rules import SCORE_LIMIT, evaluate, margin, offers, reduce, refine, wait


@offers(evaluate, Quoridor)
def _evaluate(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> int:
    """The lead in steps, the move, and the walls left; see LEAD."""
    status, lengths = positions[ply, STATUS], positions[ply, LENGTHS]
    side = side_of(status)
    lead = length_of(lengths, 1 - side) - length_of(lengths, side)
    mine, theirs = min(left_of(status, side), MOST_LEFT), min(left_of(status, 1 - side), MOST_LEFT)
    worth, both = rules.worth, mine + theirs
    score = worth[LEAD, both] * lead + worth[MOVE, both] + worth[LEFT, mine] - worth[LEFT, theirs]
    return min(max(score, -WIN // 2), WIN // 2)


@jit(arrays=True)
def threats(board: Board, positions: NDArray[np.uint64], ply: int, seat: int) -> tuple[int, int]:
    """How much longer the worst wall, and the next, would make the way of `seat`; none that cuts the rival's path.

    A path that a wall cuts comes to it by cells no nearer than before, and leaves it by cells that are as near to the
    row as before: only the way between the two is looked for.
    """
    east_low, east_high, south_low, south_high = passages(
        board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    free = room(board, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH])
    own = cut_by(board, positions, ply, 1 - seat)
    h_low, h_high, v_low, v_high = free[0] & ~own[0], free[1] & ~own[1], free[2] & ~own[2], free[3] & ~own[3]
    layers, cols = board.layers, np.int64(board.cols)
    length = length_of(positions[ply, LENGTHS], seat)
    here, before = pawn_of(positions[ply, STATUS], seat), np.int64(-1)
    low, high = bit(here)
    for at in range(length):
        layers[at, 0], layers[at, 1] = low, high
        low, high = spread(board, east_low, east_high, south_low, south_high, low, high)
    low, high = board.goals[seat, 0], board.goals[seat, 1]
    for at in range(length):
        layers[CELLS + at, 0], layers[CELLS + at, 1] = low, high
        low, high = spread(board, east_low, east_high, south_low, south_high, low, high)
    worst, next_worst = np.int64(0), np.int64(0)
    for step in range(length):
        ahead = next_on_path(board, positions, ply, seat, here, before)
        edge = min(here, ahead)
        upright = abs(ahead - here) == 1
        across = cols if upright else np.int64(1)
        for back in range(2):
            wall = edge - back * across
            if wall < 0 or not (has(v_low, v_high, wall) if upright else has(h_low, h_high, wall)):
                continue
            a, b = bit(wall)
            c, d = bit(wall + across)
            e, f, g, h = east_low, east_high, south_low, south_high
            other = wall + (1 - back) * across
            x, y = bit(other)
            if upright:
                v_low, v_high = v_low & ~a, v_high & ~b
                x, y = x & east_low, y & east_high
                i, j = up(x, y, ONE)
                e, f = e & ~(a | c), f & ~(b | d)
            else:
                h_low, h_high = h_low & ~a, h_high & ~b
                x, y = x & south_low, y & south_high
                i, j = up(x, y, np.uint64(cols))
                g, h = g & ~(a | c), h & ~(b | d)
            x, y = x | i, y | j
            gone, rest = step, length - 1 - step
            while gone > 0 and ((layers[gone - 1, 0] & x) | (layers[gone - 1, 1] & y)) != ZERO:
                gone -= 1
            while rest > 0 and ((layers[CELLS + rest - 1, 0] & x) | (layers[CELLS + rest - 1, 1] & y)) != ZERO:
                rest -= 1
            low, high = layers[gone, 0], layers[gone, 1]
            goal_low, goal_high = layers[CELLS + rest, 0], layers[CELLS + rest, 1]
            while (low & goal_low) | (high & goal_high) == ZERO:
                was_low, was_high = low, high
                low, high = spread(board, e, f, g, h, low, high)
                gone += 1
                if low == was_low and high == was_high:
                    gone = -CELLS  # it may not be placed
                    break
            more = gone + rest - length
            if more > worst:
                worst, next_worst = more, worst
            elif more > next_worst:
                next_worst = more
        here, before = ahead, here
    return worst, next_worst


@offers(refine, Quoridor)
def _refine(rules: Quoridor, positions: NDArray[np.uint64], ply: int, score: int, alpha: int, beta: int) -> int:
    """Adds what walls threaten that are not laid yet, where that may decide; only a player with walls threatens."""
    worth = rules.worth
    near = worth[BEST, 0]
    if near == 0 or score >= beta + near or score <= alpha - near:
        return score
    status, lengths = positions[ply, STATUS], positions[ply, LENGTHS]
    side = side_of(status)
    own = rival = np.int64(0), np.int64(0)
    if worth[BEST, 1]:
        if left_of(status, 1 - side):
            own = threats(rules.board, positions, ply, side)
        if left_of(status, side):
            rival = threats(rules.board, positions, ply, 1 - side)
    score += _cost(worth, rival[0], rival[1]) - _cost(worth, own[0], own[1])
    if rules.network.rows.shape[0] == 0:
        return score
    score = corrected(
        rules.network,
        side,
        (positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]),
        (pawn_of(status, side), pawn_of(status, 1 - side)),
        (left_of(status, side), left_of(status, 1 - side)),
        (length_of(lengths, side), length_of(lengths, 1 - side)),
        (own[0], own[1], rival[0], rival[1]),
        score,
    )
    return min(max(score, -WIN // 2), WIN // 2)


@jit(arrays=True)
def _cost(worth: NDArray[np.int64], worst: int, next_worst: int) -> int:
    """What walls that would cost so many steps cost already."""
    cost = worth[BEST, min(worst, 2 * MOST_LEFT)] if worst else np.int64(0)
    return cost + worth[SECOND, min(next_worst, 2 * MOST_LEFT)]


LATE, LATE_DEPTH = 4, 3
"""From which place on, and from how many plies to go, moves in an order that was learned are searched less."""

LATER = 12
"""After so many more places they are searched another ply less.

With 4 and 12, 107 of 160 games were won at equal positions from a search without the order; with 8 and 30 94, with 4
and 8 99, with 3 and 6 92.
"""


@offers(reduce, Quoridor)
def _reduce(rules: Quoridor, weight: int, at: int, depth: int) -> int:
    """Walls that cut no path are searched less, and left out just before the end, where they can only cost."""
    if rules.full:
        return 0
    late = np.int64(0)
    if orders(rules.network) and depth >= LATE_DEPTH and at >= LATE:
        late = np.int64(1) + at // LATER
    return late + _reduced(weight, at, depth)


@jit(arrays=True)
def _reduced(weight: int, at: int, depth: int) -> int:
    """The same by what kind of move it is alone."""
    if weight >= CUT - CLOSING:
        return 1 if at >= 6 and depth >= 3 and weight < ON_PATH - CLOSING else 0
    if weight >= KNOWN_GOOD:
        return depth if depth <= 1 else 1 + depth // 6
    return depth if depth <= 2 else 2 + depth // 4


@offers(margin, Quoridor)
def _margin(rules: Quoridor, depth: int) -> int:
    """A good wall, and a step and a half for each ply to go; a proof leaves nothing at what it seems."""
    return 2 * SCORE_LIMIT if rules.full or depth > 3 else STEP + 3 * STEP // 2 * depth


@offers(wait, Quoridor)
def _wait(rules: Quoridor, positions: NDArray[np.uint64], ply: int, beta: int) -> bool:
    """Whoever has a wall left can lay it where it hardly matters; pawns face to face would rather not move."""
    status = positions[ply, STATUS]
    if rules.full or status & WAITED or left_of(status, side_of(status)) == 0:
        return False
    if evaluate(rules, positions, ply) < beta:
        return False
    after = ply + 1
    for word in range(WORDS):
        positions[after, word] = positions[ply, word]
    positions[after, STATUS] = ((status & ~QUIET_PLIES) ^ SIDE) | WAITED  # nothing before counts as repeated
    positions[after, KEY], positions[after, MIRROR_KEY] = ~positions[ply, KEY], ~positions[ply, MIRROR_KEY]
    return True
