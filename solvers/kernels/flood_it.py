"""Flood-It packed: components of one colour as bits of uint64 words, and the searches over them.

A `Packed` board never changes; a position is a pair of bit sets, the components flooded and their neighbours (the
frontier). Playing colour c takes ``X = frontier & classes[c]``: ``flooded |= X``, and the frontier becomes
``(frontier | links of X) & ~flooded``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

COMPILE_SECONDS = 10
"""What a first run takes on a slow core, for the line that announces it."""

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


def _lowest(typingctx: Any, word: Any) -> Any:
    """The index of the lowest bit set in `word`, a uint64 that is not 0 (one machine instruction)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, 1))

    return types.int64(types.uint64), codegen


lowest: Any = intrinsic(_lowest)


@njit(cache=True)
def pack(grid: NDArray[np.int8], row: int, col: int, colours: int) -> Packed:
    """The components of `grid`, int8[rows, cols] with negative numbers where no cell is, from the start at row, col."""
    rows, cols = grid.shape
    label = np.full(rows * cols, -1, np.int32)
    queue = np.empty(rows * cols, np.int32)
    first = np.empty(rows * cols + 1, np.int32)  # where each component's cells begin in `queue`
    flat = grid.ravel()
    label[row * cols + col] = 0
    queue[0] = row * cols + col
    count, end = 1, _gather(flat, cols, label, queue, 0)
    first[0], first[1] = 0, end
    current = 0
    while current < count:
        for at in range(first[current], first[current + 1]):
            for there in _around(queue[at], flat.size, cols):
                if there >= 0 and flat[there] >= 0 and label[there] < 0:
                    label[there] = count
                    queue[end] = there
                    end = _gather(flat, cols, label, queue, end)
                    count += 1
                    first[count] = end
        current += 1
    return _link(flat, cols, label, queue[:end], colours)


@njit(cache=True)
def _around(cell: int, size: int, cols: int) -> tuple[int, int, int, int]:
    """The four neighbours of a cell by its number, -1 where the board ends."""
    col = cell % cols
    return (
        cell - cols,
        cell - 1 if col > 0 else -1,
        cell + 1 if col < cols - 1 else -1,
        cell + cols if cell + cols < size else -1,
    )


@njit(cache=True)
def _gather(flat: NDArray[np.int8], cols: int, label: NDArray[np.int32], queue: NDArray[np.int32], at: int) -> int:
    """Label what is connected to the cell ``queue[at]`` in its colour, append it to `queue` and give the new end."""
    end = at + 1
    while at < end:
        cell = queue[at]
        at += 1
        for there in _around(cell, flat.size, cols):
            if there >= 0 and label[there] < 0 and flat[there] == flat[cell]:
                label[there] = label[cell]
                queue[end] = there
                end += 1
    return end


@njit(cache=True)
def _link(
    flat: NDArray[np.int8], cols: int, label: NDArray[np.int32], cells: NDArray[np.int32], colours: int
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
        for there in _around(cell, flat.size, cols):
            if there >= 0 and label[there] >= 0 and label[there] != mine:
                links[mine, label[there] >> 6] |= np.uint64(1) << np.uint64(label[there] & 63)
    return Packed(sizes, kinds, links, classes)


class Sequences(NamedTuple):
    """How far a walk over all sequences of `depth` colours has come; it can stop and go on.

    at: int64[2], the ply it stands at (-1: done) and the positions visited.
    colour: int64[depth + 1], the colour of the region at each ply.  cells: int64[depth + 1], its size.
    position: uint64[depth + 1, 2, words], flooded and frontier at each ply.
    most: int64[colours], the most cells any sequence floods that begins with the colour, -1 for the region's own.
    soonest: int64[colours], the fewest moves of such a sequence that floods the whole board, or depth + 1.
    """

    at: NDArray[np.int64]
    colour: NDArray[np.int64]
    cells: NDArray[np.int64]
    position: Bits
    most: NDArray[np.int64]
    soonest: NDArray[np.int64]


@njit(cache=True)
def sequences(board: Packed, depth: int) -> Sequences:
    """The walk over every sequence of `depth` colours, at its beginning."""
    colours, words = board.classes.shape
    colour = np.full(depth + 1, -1, np.int64)
    cells = np.zeros(depth + 1, np.int64)
    position = np.zeros((depth + 1, 2, words), np.uint64)
    cells[0] = board.sizes[0]
    position[0, 0, 0] = 1
    for word in range(words):
        position[0, 1, word] = board.links[0, word]
    most = np.full(colours, -1, np.int64)
    soonest = np.full(colours, depth + 1, np.int64)
    return Sequences(np.zeros(2, np.int64), colour, cells, position, most, soonest)


@njit(cache=True)
def walk(board: Packed, seen: Sequences, nodes: int) -> bool:
    """Visit up to `nodes` further positions of the walk; True when all have been.

    `colour[ply]` is the colour tried last from the position at `ply`. A colour that takes nothing is tried at the
    first ply only, where it is a move to be ranked: later it would only repeat a shorter sequence.
    """
    depth, colours = seen.colour.size - 1, seen.most.size
    total = board.sizes.sum()
    gains = np.empty(colours, np.int64)
    ply, stop = seen.at[0], seen.at[1] + nodes
    while ply >= 0 and seen.at[1] < stop:
        if ply == depth - 1:  # the last colour needs no position of its own, only the cells it takes
            seen.at[1] += 1
            _frontier_cells(board, seen.position[ply, 1], gains)
            for colour in range(colours):
                if ply == 0 and colour == board.kinds[0]:
                    continue
                _note(seen, colour if ply == 0 else seen.colour[0], seen.cells[ply] + gains[colour], total, depth)
            ply -= 1
            continue
        seen.colour[ply] += 1
        colour = seen.colour[ply]
        if colour == colours:
            seen.colour[ply] = -1
            ply -= 1
        elif ply > 0 or colour != board.kinds[0]:
            gain = _play(board, seen.position[ply], colour, seen.position[ply + 1])
            if gain > 0 or ply == 0:
                seen.at[1] += 1
                seen.cells[ply + 1] = seen.cells[ply] + gain
                _note(seen, seen.colour[0], seen.cells[ply + 1], total, ply + 1)
                if seen.cells[ply + 1] < total:
                    ply += 1
    seen.at[0] = ply
    return bool(ply < 0)


@njit(cache=True)
def _note(seen: Sequences, first: int, cells: int, total: int, moves: int) -> None:
    seen.most[first] = max(seen.most[first], cells)
    if cells == total:
        seen.soonest[first] = min(seen.soonest[first], moves)


@njit(cache=True)
def _frontier_cells(board: Packed, frontier: Bits, gains: NDArray[np.int64]) -> None:
    """Fill `gains` with the cells of the frontier in each colour."""
    gains.fill(0)
    for word in range(frontier.size):
        left = frontier[word]
        while left:
            component = word * 64 + lowest(left)
            gains[board.kinds[component]] += board.sizes[component]
            left &= left - np.uint64(1)


@njit(cache=True)
def _play(board: Packed, position: Bits, colour: int, after: Bits) -> int:
    """Write the position after `colour` to `after`, uint64[2, words]; the cells gained."""
    words = position.shape[1]
    for word in range(words):  # written out: a slice assigned takes numba two seconds more to compile
        after[0, word], after[1, word] = position[0, word], position[1, word]
    gain = 0
    for word in range(words):
        left = position[1, word] & board.classes[colour, word]
        after[0, word] |= left
        while left:
            component = word * 64 + lowest(left)
            gain += board.sizes[component]
            for other in range(words):
                after[1, other] |= board.links[component, other]
            left &= left - np.uint64(1)
    for word in range(words):
        after[1, word] &= ~after[0, word]
    return gain
