"""Blokus placements one after another, as in the dissertation this project grew from: a yardstick for `blokus`.

At each corner the 28 cells within reach are gathered into one word, and each way's mask is held against it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, below, lowest, mixed, rolled
from solvers.kernels.blokus.board import (
    MARGIN,
    MEMBERS0,
    PAD,
    WINDOW,
    Blokus,
    colour_of,
    is_done,
    is_over,
    pass_on,
    put,
    set_up,
)
from solvers.kernels.blokus.moves import OPEN, copy_rows, corners_in, ways_at
from solvers.kernels.blokus.ways import WAYS, way_cells
from solvers.kernels.jit import jit


def masks() -> NDArray[np.uint64]:
    """uint64[4, 127, 2]: for each direction and way its cells, 9 bits for each of the 9 rows within reach."""
    found = np.zeros((4, WAYS, 2), np.uint64)
    for direction, ways in enumerate(way_cells()):
        for number, way in enumerate(ways):
            for row, col in way:
                word, place = divmod((row + PAD) * WINDOW + col + PAD, 5 * WINDOW)
                found[direction, number, word] |= np.uint64(1 << place)
    return found


@jit
def count_by_masks(
    rules: Blokus, positions: NDArray[np.uint64], ply: int, masks: NDArray[np.uint64], moves: NDArray[np.int32]
) -> int:
    """As `solvers.kernels.blokus.moves.list_moves`."""
    colour = colour_of(rules, positions, ply)
    end = colour * rules.block + rules.side + MARGIN
    copy_rows(rules, positions, ply, colour)
    count = 0
    for row in range(rules.side):
        corners = corners_in(rules, positions, ply, colour, row)
        while corners:
            col = lowest(corners) - PAD
            corners &= corners - ONE
            _, _, direction = ways_at(rules, positions, ply, row, col)
            first, second = ZERO, ZERO
            for at in range(WINDOW):
                bits = (positions[ply, rules.scratch + row + at] >> np.uint64(col)) & np.uint64(511)
                if at < 5:
                    first |= bits << np.uint64(9 * at)
                else:
                    second |= bits << np.uint64(9 * at - 45)
            cell = row * rules.side + col
            for way in range(WAYS if direction != OPEN else 0):
                word = positions[ply, end + MEMBERS0 + way // 64] >> np.uint64(way % 64)
                hit = (masks[direction, way, 0] & first) | (masks[direction, way, 1] & second)
                if word & ONE != ZERO and hit == ZERO:
                    moves[ply, count] = cell + rules.offsets[direction, way]
                    count += 1
            positions[ply, rules.scratch + PAD + row] |= ONE << np.uint64(PAD + col)
    return count


@jit
def random_games_by_masks(
    rules: Blokus,
    positions: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    moves: NDArray[np.int32],
    games: int,
    seed: int,
) -> tuple[int, int]:
    """As `random_games` of the packed rules: how many placements were made and found. First pieces: corners only."""
    dice = mixed(np.uint64(seed) + ONE)
    made, seen = np.int64(0), np.int64(0)
    for _ in range(games):
        set_up(rules, positions, 0)
        while not is_over(rules, positions, 0):
            count = 0
            if not is_done(rules, positions, 0, colour_of(rules, positions, 0)):
                count = count_by_masks(rules, positions, 0, masks, moves)
            if count == 0:
                pass_on(rules, positions, 0)
                continue
            dice = rolled(dice)
            put(rules, positions, 0, np.int64(moves[0, below(dice, count)]))
            made += 1
            seen += count
    return made, seen
