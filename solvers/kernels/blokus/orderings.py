"""What every placement of a Blokus position leads to: the counts the heuristic player orders placements by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import popcount
from solvers.kernels.blokus.board import Blokus, colour_of, copy_down, is_done, pass_on, put
from solvers.kernels.blokus.moves import corners_in, count_moves, list_moves
from solvers.kernels.jit import jit

SQUARES, MINE, THEIRS, MOBILITY = range(4)
"""What `measure` counts: squares of the piece; afterwards the free corners of the mover's side and of the others; the
placements the others have (its largest part by far, so left out where nobody asks)."""


@jit
def corners_of(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> int:
    """The free cells where a next piece of `colour` may begin."""
    count = np.int64(0)
    for row in range(rules.side):
        count += popcount(corners_in(rules, positions, ply, colour, row))
    return count


@jit
def measure(
    rules: Blokus,
    positions: NDArray[np.uint64],
    moves: NDArray[np.int32],
    found: NDArray[np.uint64],
    counts: NDArray[np.int64],
    mobility: bool,
) -> int:
    """Lists the placements of row 0 in ``moves: int32[1, width]`` and counts for each (`counts`: int64[width, 4]).

    positions: uint64[2, words]; row 1 is room.  Returns how many placements there are.
    """
    mover = colour_of(rules, positions, 0)
    total = list_moves(rules, positions, 0, moves)
    for at in range(total):
        move = np.int64(moves[0, at])
        copy_down(rules, positions, 0)
        put(rules, positions, 1, move)
        for kind in range(4):
            counts[at, kind] = 0
        counts[at, SQUARES] = rules.size_of[move // rules.cells]
        for step in range(rules.colours):
            colour = (mover + step) % rules.colours
            if rules.seats[colour] == rules.seats[mover]:
                counts[at, MINE] += corners_of(rules, positions, 1, colour)
            elif not is_done(rules, positions, 1, colour):
                counts[at, THEIRS] += corners_of(rules, positions, 1, colour)
                if mobility:
                    while colour_of(rules, positions, 1) != colour:
                        pass_on(rules, positions, 1)
                    counts[at, MOBILITY] += count_moves(rules, positions, 1, found)[0]
    return total
