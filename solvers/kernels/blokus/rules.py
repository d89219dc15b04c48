"""Blokus packed: what the shared searches ask for, where two seats play; a forced pass keeps them taking turns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, below, mixed, popcount, rolled
from solvers.kernels.blokus.board import (
    HALF,
    LOW,
    MOST_AREA,
    PAD,
    UNIT,
    Blokus,
    area_of,
    colour_of,
    copy_down,
    is_done,
    is_over,
    pass_on,
    points_of,
    put,
)
from solvers.kernels.blokus.moves import corners_in, count_moves, list_moves, pick_move
from solvers.kernels.jit import jit
from solvers.kernels.rules import bounds, evaluate, generate, identify, offers, play, turn


@jit
def hope_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> int:
    """More points than this `colour` cannot win any more."""
    if is_done(rules, positions, ply, colour):
        return 0
    free = np.int64(0)
    for at in range(PAD, PAD + rules.side):
        free += popcount(~positions[ply, colour * rules.block + at] & LOW)
    left = MOST_AREA - area_of(rules, positions, ply, colour)
    return left + 20 * rules.bonus if free >= left else free


@offers(generate, Blokus)
def _generate(
    rules: Blokus, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> int:
    count = 0
    if not is_done(rules, positions, ply, colour_of(rules, positions, ply)):
        count = list_moves(rules, positions, ply, moves)
    if count == 0:
        moves[ply, 0] = 91 * rules.cells
        weights[ply, 0] = 0
        return 1
    for at in range(count):
        weights[ply, at] = promise_of(rules, positions, ply, moves[ply, at]) << 14
    return count


@jit
def promise_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, move: int) -> int:
    """How good a placement looks: its squares, corners it opens for itself, corners of others it covers."""
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    col = rest - row * rules.side
    colour = colour_of(rules, positions, ply)
    gain = 4 * np.int64(rules.size_of[form])
    shift = np.uint64(col + PAD - 1)
    base = colour * rules.block + row + PAD - 1
    for at in range(7):
        mine = positions[ply, base + at]
        gain += popcount(((rules.own[form, at] << shift) >> HALF) & ~(mine | (mine >> HALF)) & LOW)
    shift += ONE
    for other in range(rules.colours):
        if (other - colour) % 2 != 0:
            first = other * rules.block + row + PAD
            for at in range(5):
                theirs = positions[ply, first + at]
                gain += 3 * popcount((theirs >> HALF) & ~theirs & (rules.theirs[form, at] << shift))
    return gain


@offers(play, Blokus)
def _play(rules: Blokus, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    copy_down(rules, positions, ply)
    if move == 91 * rules.cells:
        pass_on(rules, positions, ply + 1)
    else:
        put(rules, positions, ply + 1, move)


@offers(bounds, Blokus)
def _bounds(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> tuple[int, int]:
    mover = colour_of(rules, positions, ply)
    margin, gain, loss = np.int64(0), np.int64(0), np.int64(0)
    for colour in range(rules.colours):
        hope = hope_of(rules, positions, ply, colour)
        points = points_of(rules, positions, ply, colour)
        if (colour - mover) % 2 == 0:
            margin += points
            gain += hope
        else:
            margin -= points
            loss += hope
    return (margin - loss) * UNIT, (margin + gain) * UNIT


@offers(evaluate, Blokus)
def _evaluate(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> int:
    mover = colour_of(rules, positions, ply)
    score = np.int64(0)
    for colour in range(rules.colours):
        worth = UNIT * points_of(rules, positions, ply, colour)
        if not is_done(rules, positions, ply, colour):
            worth += room_of(rules, positions, ply, colour)
        score += worth if (colour - mover) % 2 == 0 else -worth
    return score


REACH = 4
"""Steps from a corner to the last square of the largest piece."""


@jit
def room_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> int:
    """Twice the free cells a next piece of `colour` can reach, and five times the corners where it can begin."""
    base = colour * rules.block + PAD
    corners = np.int64(0)
    for row in range(rules.side):
        begun = corners_in(rules, positions, ply, colour, row)
        corners += popcount(begun)
        positions[ply, rules.scratch + PAD + row] = begun
    positions[ply, rules.scratch + PAD - 1] = ZERO
    positions[ply, rules.scratch + PAD + rules.side] = ZERO
    cells = np.int64(0)
    for _ in range(REACH):
        above = ZERO
        cells = 0
        for row in range(rules.side):
            at = rules.scratch + PAD + row
            word = positions[ply, at]
            grown = word | (word << ONE) | (word >> ONE) | above | positions[ply, at + 1]
            above = word
            positions[ply, at] = grown & ~positions[ply, base + row] & LOW
            cells += popcount(positions[ply, at])
    return 2 * cells + 5 * corners


@offers(identify, Blokus)
def _identify(rules: Blokus, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, int]:
    status = mixed(positions[ply, rules.status] + ONE)
    key = positions[ply, rules.status + 1]
    if rules.symmetric and positions[ply, rules.status + 2] < key:
        return mixed(positions[ply, rules.status + 2] ^ status), 1
    return mixed(key ^ status), 0


@offers(turn, Blokus)
def _turn(rules: Blokus, move: int, symmetry: int) -> int:
    form = move // rules.cells
    if symmetry == 0 or form == 91:
        return move
    rest = move - form * rules.cells
    row = rest // rules.side
    return rules.transposed[form] * rules.cells + (rest - row * rules.side) * rules.side + row


@jit
def count_all(rules: Blokus, positions: NDArray[np.uint64], found: NDArray[np.uint64]) -> int:
    """The placements that all colours have in row 0, whoever is to move; row 1 is room, `found` as in `count_moves`."""
    copy_down(rules, positions, 0)
    count = np.int64(0)
    for colour in range(rules.colours):
        if not is_done(rules, positions, 0, colour):
            positions[1, rules.status] = np.uint64(colour)
            count += count_moves(rules, positions, 1, found)[0]
    return count


@jit
def random_paths(
    rules: Blokus, positions: NDArray[np.uint64], found: NDArray[np.uint64], samples: NDArray[np.float64], seed: int
) -> None:
    """Fills `samples` with estimates of the size of the game tree below row 0 (Knuth 1975); row 1 is room.

    Each is the number of nodes a tree would have whose nodes branched everywhere as along one random path; the mean of
    such numbers is the size of the tree. Turns that are skipped are no nodes.
    """
    dice = mixed(np.uint64(seed) + ONE)
    for at in range(samples.size):
        copy_down(rules, positions, 0)
        nodes, width = 1.0, 1.0
        while not is_over(rules, positions, 1):
            count = np.int64(0)
            if not is_done(rules, positions, 1, colour_of(rules, positions, 1)):
                count, _ = count_moves(rules, positions, 1, found)
            if count == 0:
                pass_on(rules, positions, 1)
                continue
            width *= count
            nodes += width
            dice = rolled(dice)
            put(rules, positions, 1, pick_move(rules, positions, 1, found, below(dice, count)))
        samples[at] = nodes
