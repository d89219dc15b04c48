"""What Blokus Duo's network sees of a whole position: `solvers.kernels.blokus.value` from nothing, not by steps.

Trainings learn from it, and tests hold `odds_after` against it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, lowest
from solvers.kernels.blokus.board import HALF, LOW, PAD, Blokus, is_done
from solvers.kernels.blokus.value import (
    CELLS,
    PLANES,
    SIDE,
    STATES,
    Net,
    Workspace,
    choose_pieces,
    done_bits,
    judged,
    pieces_left,
    reach,
    stage_of,
)
from solvers.kernels.jit import jit
from solvers.kernels.rows import sum_rows


@jit
def sketch(rules: Blokus, positions: NDArray[np.uint64], ply: int, mover: int, words: NDArray[np.uint64]) -> None:
    """Writes four words for each row: two for `mover`, two for the other; column 0 is bit 0.

    The first of two marks cells the next piece may cover; the second, of those, where it may begin, and of the others,
    which are not barred. (The next piece reaches its squares less one from where it begins.)
    """
    inside = (ONE << np.uint64(rules.side)) - ONE
    for view in range(2):
        colour = (mover + view) & 1
        base, at = colour * rules.block + PAD, 2 * view
        active = not is_done(rules, positions, ply, colour)
        for row in range(rules.side):
            word = positions[ply, base + row]
            begun = ((word >> HALF) & ~word & LOW) >> np.uint64(PAD) if active else ZERO
            words[PLANES * row + at] = begun
            words[PLANES * row + at + 1] = begun
        for _ in range(reach(pieces_left(rules, positions, ply, colour)) if active else 0):
            above = ZERO
            for row in range(rules.side):
                word = words[PLANES * row + at]
                below = words[PLANES * (row + 1) + at] if row + 1 < rules.side else ZERO
                grown = word | (word << ONE) | (word >> ONE) | above | below
                above = word
                words[PLANES * row + at] = grown & (~positions[ply, base + row] >> np.uint64(PAD)) & inside
        for row in range(rules.side):
            free = (~positions[ply, base + row] >> np.uint64(PAD)) & inside
            words[PLANES * row + at + 1] |= free & ~words[PLANES * row + at]


@jit
def choose_rows(
    rules: Blokus,
    words: NDArray[np.uint64],
    own: np.uint64,
    other: np.uint64,
    done: int,
    turned: bool,
    mirrored: bool,
    chosen: NDArray[np.int32],
) -> int:
    """Lists the rows of a sketch; returns how many.

    own, other: the pieces left.  done: 1 if the mover is done, plus 2 if the other is.  turned: by half.
    mirrored: rows and columns exchanged.
    """
    count, side, margin = 0, rules.side, (SIDE - rules.side) >> 1
    for row in range(side):
        one, two = words[PLANES * row], words[PLANES * row + 1]
        three, four = words[PLANES * row + 2], words[PLANES * row + 3]
        some = one | two | three | four
        while some:
            col = lowest(some)
            some &= some - ONE
            bit = np.uint64(col)
            state = ((one >> bit) & ONE) << np.uint64(3) | ((two >> bit) & ONE) << np.uint64(2)
            state |= ((three >> bit) & ONE) << ONE | ((four >> bit) & ONE)
            down, right = (col, row) if mirrored else (row, col)
            cell = (down + margin) * SIDE + right + margin
            if turned:
                cell = CELLS - 1 - cell
            chosen[count] = cell * STATES + np.int64(state)
            count += 1
    return choose_pieces(own, other, done, chosen, count)


@jit
def answer(net: Net, workspace: Workspace, count: int, stage: int) -> float:
    """The network's output for the first `count` chosen rows: the logarithm of the odds."""
    sum_rows(net.rows, workspace.chosen, count, workspace.hidden)
    return judged(net, workspace, stage)


@jit
def odds(
    rules: Blokus,
    net: Net,
    workspace: Workspace,
    words: NDArray[np.uint64],
    positions: NDArray[np.uint64],
    ply: int,
    mover: int,
) -> float:
    """The logarithm of the odds of `mover`, who has just moved; ``words: uint64[side * PLANES]`` takes the sketch."""
    sketch(rules, positions, ply, mover, words)
    own, other = pieces_left(rules, positions, ply, mover), pieces_left(rules, positions, ply, 1 - mover)
    done = done_bits(rules, positions, ply, mover)
    count = choose_rows(rules, words, own, other, done, mover == 1, False, workspace.chosen)
    return answer(net, workspace, count, stage_of(own, other))
