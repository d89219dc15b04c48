"""What placements of Blokus promise at a glance, as `solvers.kernels.blokus.glance` has it, on boards of 14 columns.

Rows are of 16 columns, the board's first at bit 1, and four of them are a word: two words hold all that a placement
lies in, the row above it and the six that follow. A board has such a window for each row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, popcount
from solvers.kernels.blokus.board import HALF, LOW, PAD, Blokus
from solvers.kernels.blokus.ways import FORMS, own_rows, rows_of_cells
from solvers.kernels.jit import jit

WIDEST = 14
"""Columns of a board that leave one at either side."""

ROW = np.uint64(16)
ROW_BITS = np.uint64(0xFFFF)

BARRED, CORNERS, THEIRS, BESIDE = range(4)
"""Windows: cells that are barred for the mover, its corners, the corners of other sides, and those with what is beside.
"""

SHAPE = (4, WIDEST + 2, 2)
"""Of the windows; the first is that of the row above the board."""


def _masks() -> list[list[int]]:
    """Of each form, lying in the first column: what it bars, what lies across from it, its cells, two words each."""
    masks = []
    for form in FORMS:
        words = [0] * 6
        for step, row in enumerate(own_rows(form)):
            word, place = step // 4, 16 * (step % 4)
            words[word] |= (int(row) & 0xFFFFFFFF) << place
            words[2 + word] |= (int(row) >> 32) << place
        for step, row in enumerate(rows_of_cells(form, 5, 0), 1):
            words[4 + step // 4] |= (int(row) << 1) << 16 * (step % 4)
        masks.append(words)
    return masks


MASKS = np.array(_masks(), np.uint64)


@jit
def open_windows(
    rules: Blokus, positions: NDArray[np.uint64], colour: int, marked: int, windows: NDArray[np.uint64]
) -> None:
    """Writes the windows of row 1; the other sides' corners stand in its words from `marked` on, from row 0 on."""
    windows[:] = ZERO
    for row in range(-2, rules.side + 6):
        barred, corners, theirs, beside = ROW_BITS, ZERO, ZERO, ZERO
        if 0 <= row < rules.side:
            word, at = positions[1, colour * rules.block + PAD + row], marked + row
            barred = _narrow(word & LOW)
            corners = _narrow((word >> HALF) & ~word)
            own = positions[1, at]
            theirs = _narrow(own)
            beside = _narrow(own | (own << ONE) | (own >> ONE) | positions[1, at - 1] | positions[1, at + 1])
        for step in range(8):
            window = row + 1 - step  # the board's row that the placement would begin in
            if -1 <= window <= rules.side:
                word, place = step >> 2, ROW * np.uint64(step & 3)
                windows[BARRED, window + 1, word] |= barred << place
                windows[CORNERS, window + 1, word] |= corners << place
                windows[THEIRS, window + 1, word] |= theirs << place
                windows[BESIDE, window + 1, word] |= beside << place


@jit
def _narrow(word: np.uint64) -> np.uint64:
    return (word >> np.uint64(PAD - 1)) & ROW_BITS


@jit
def glance_through(parameters: Any, windows: NDArray[np.uint64], form: int, size: int, row: int, col: int) -> float:
    """What a placement of `size` squares is worth at a glance, its top left corner at `row` and `col`."""
    opened, covered, near = np.int64(0), np.int64(0), np.int64(0)
    lost, liberties = np.int64(0), np.int64(0)
    shift, at = np.uint64(col), row + 1
    for word in range(2):
        mine, cells = MASKS[form, word] << shift, MASKS[form, 4 + word] << shift
        barred, corners = windows[BARRED, at, word], windows[CORNERS, at, word]
        theirs = windows[THEIRS, at, word]
        new = (MASKS[form, 2 + word] << shift) & ~(barred | corners)
        free = ~(barred | mine)
        lost += popcount(corners & mine)
        opened += popcount(new)
        liberties += popcount((new << ONE) & free) + popcount((new >> ONE) & free)
        liberties += popcount(new & ~windows[BARRED, at - 1, word]) + popcount(new & ~windows[BARRED, at + 1, word])
        covered += popcount(cells & theirs)
        near += popcount(cells & windows[BESIDE, at, word] & ~theirs)
    worth = (
        parameters.squares * size + parameters.opened * opened + parameters.covered * covered + parameters.near * near
    )
    return worth + parameters.lost * lost + parameters.liberties * liberties
