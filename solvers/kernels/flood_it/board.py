"""Flood-It packed: components of one colour as bits of uint64 words.

A `Packed` board never changes; a position is a pair of bit sets, the components flooded and their neighbours (the
frontier). Playing colour c takes ``X = frontier & classes[c]``: ``flooded |= X``, and the frontier becomes
``(frontier | links of X) & ~flooded``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.jit import jit

Bits = NDArray[np.uint64]


class Packed(NamedTuple):
    """A board as its components; component 0 holds the start, the others follow in breadth-first order.

    sizes: int32[n], cells of each component.  kinds: int8[n], the colour of each.
    links: uint64[n, words], the neighbours of each.  classes: uint64[colours, words], the components of each colour.
    Cells that cannot be reached from the start are in no component.
    """

    sizes: NDArray[np.int32]
    kinds: NDArray[np.int8]
    links: Bits
    classes: Bits


@jit(arrays=True)
def pack(grid: NDArray[np.int8], row: int, col: int, colours: int, beside: NDArray[np.int32]) -> Packed:
    """The components of `grid`, int8[rows, cols] with negative numbers where no cell is, from the start at row, col.

    beside: int32[rows * cols, n], the neighbours of each cell by their numbers, -1 where there are fewer.
    """
    rows, cols = grid.shape
    label = np.full(rows * cols, -1, np.int32)
    queue = np.empty(rows * cols, np.int32)
    first = np.empty(rows * cols + 1, np.int32)  # where each component's cells begin in `queue`
    flat = grid.ravel()
    label[row * cols + col] = 0
    queue[0] = row * cols + col
    count, end = 1, _gather(flat, beside, label, queue, 0)
    first[0], first[1] = 0, end
    current = 0
    while current < count:
        for at in range(first[current], first[current + 1]):
            for there in beside[queue[at]]:
                if there >= 0 and flat[there] >= 0 and label[there] < 0:
                    label[there] = count
                    queue[end] = there
                    end = _gather(flat, beside, label, queue, end)
                    count += 1
                    first[count] = end
        current += 1
    return _link(flat, beside, label, queue[:end], colours)


@jit(arrays=True)
def _gather(
    flat: NDArray[np.int8], beside: NDArray[np.int32], label: NDArray[np.int32], queue: NDArray[np.int32], at: int
) -> int:
    """Label what is connected to the cell ``queue[at]`` in its colour, append it to `queue` and give the new end."""
    end = at + 1
    while at < end:
        cell = queue[at]
        at += 1
        for there in beside[cell]:
            if there >= 0 and label[there] < 0 and flat[there] == flat[cell]:
                label[there] = label[cell]
                queue[end] = there
                end += 1
    return end


@jit(arrays=True)
def _link(
    flat: NDArray[np.int8],
    beside: NDArray[np.int32],
    label: NDArray[np.int32],
    cells: NDArray[np.int32],
    colours: int,
) -> Packed:
    count = label[cells[-1]] + 1
    words = (count + 63) // 64
    sizes = np.zeros(count, np.int32)
    kinds = np.empty(count, np.int8)
    links = np.zeros((count, words), np.uint64)
    classes = np.zeros((colours, words), np.uint64)
    for cell in cells:
        mine = label[cell]
        sizes[mine] += 1
        kinds[mine] = flat[cell]
        classes[flat[cell], mine >> 6] |= np.uint64(1) << np.uint64(mine & 63)
        for there in beside[cell]:
            if there >= 0 and label[there] >= 0 and label[there] != mine:
                links[mine, label[there] >> 6] |= np.uint64(1) << np.uint64(label[there] & 63)
    return Packed(sizes, kinds, links, classes)
