"""What a search for a shortest line knows, in one array of int64, its heap: how it is laid out, and the table in it.

Words of sets and plain numbers stand side by side. One array costs little to hand to compiled code, can be given more
room at any moment, and bounds the memory used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from solvers.kernels.bits import lowest
from solvers.kernels.flood_it.board import Packed
from solvers.kernels.jit import jit

Lanes = tuple[int, ...]
"""As many zeros as a set has words, or none: its length is known when a search is compiled."""


def _highest(typingctx: Any, word: Any) -> Any:
    """The index of the highest bit set in `word`, a uint64 that is not 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], context.get_constant(types.boolean, 1))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), codegen


highest: Any = intrinsic(_highest)


def _peek(typingctx: Any, array: Any, index: Any) -> Any:
    """``array[index]`` of a one-dimensional array without numba's care for negative indices, which costs a third."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.load(builder.gep(data, [args[1]]))

    return array.dtype(array, types.int64), codegen


peek: Any = intrinsic(_peek)


def _poke(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    """``array[index] = value`` in the same way."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        builder.store(args[2], builder.gep(data, [args[1]]))
        return context.get_dummy_value()

    return types.void(array, types.int64, array.dtype), codegen


poke: Any = intrinsic(_poke)


(
    WORDS,  # words in a set
    COLOURS,
    COMPONENTS,
    STEPS,  # steps from the start to the farthest component, whatever the colours
    REACH,  # place of the components within k steps of component i, at REACH + (i * STEPS + k) * WORDS
    EVERY,  # place of the set of all components
    SCRATCH,  # place of two sets
    TIGHT,  # place of the levels, with the number of colours beyond, at which a position has no move to spare
    TAKEN,  # place of the components a move takes
    TABLE,  # place of the table: positions of the next layer by the hash of their flooded set
    LINKS,  # place of the links: how each position kept was reached, the link before it * 16 + the move
    LAYERS,  # place of the two layers' rows, the one after the other
    SLOTS,  # slots in use, a power of 2
    MAX_SLOTS,  # room for slots,
    MAX_LINKS,  # links,
    MAX_LAYER,  # and words of rows in a layer
    DEPTH,  # moves made by the positions of this layer
    NEXT,  # the first of them not yet expanded
    COUNT,  # how many they are
    BORN,  # positions in the next layer
    LEVELS,  # distance sets in each row of this layer,
    BELOW,  # and of the next
    SIDE,  # which of the two layers' places this one has
    LINKED,  # links kept
    FIRST_LINK,  # the link of this layer's first position; when a line was found, of the position before its last move
    LAST_MOVE,  # and that move
    HAS_CUT,  # whether a width has left positions out
    NODES,  # positions expanded since the search began
    FIRST_END,  # the level at which `_bound` ended the first colour
    CLASSES,  # place of the components of each colour; the last number of the header
) = range(30)

RUNNING, FOUND, NONE, CUT, FULL = range(5)
"""How `search` returns: its budget is spent; a line was found; proven that there is none; there is none among the
positions that the width kept; the heap is full (move it to a larger one and go on)."""

WINDOW = 1 << 15
"""Positions of a layer that are compared with each other; in larger layers only neighbours are, to bound the cost."""

Heap = NDArray[np.int64]


@jit(arrays=True)
def _words(heap: Heap, lanes: Lanes) -> int:
    """The words in a set: a constant where `lanes` gives them, which unrolls the loops over them."""
    return len(lanes) or heap[WORDS]


@jit(arrays=True)
def prepare(board: Packed, words: int, most_steps: int, heap: Heap) -> int:
    """Lay out `heap` for a search of `board` with sets of `words` words; the words it needs at least.

    Nothing is written when the heap is smaller than that. The distance sets take most of it; `most_steps`, at least 2,
    stops them early, which saves room and leaves every bound true but less sharp.
    """
    count, colours, steps = board.sizes.size, board.classes.shape[0], min(_eccentricity(board), most_steps)
    reach = CLASSES + 1 + colours * words
    every = reach + count * steps * words
    scratch = every + words
    tight = scratch + 2 * words
    taken = tight + 2 * colours
    table = taken + count
    rows = (colours + 2) * ((steps + 1) * words + 1)
    needed = table + 2 * (1024 + 16 * (count + colours) + 2 * (rows + count + words))
    if heap.size < needed:
        return needed
    heap[WORDS], heap[COLOURS], heap[COMPONENTS], heap[STEPS] = words, colours, count, steps
    heap[REACH], heap[EVERY], heap[SCRATCH], heap[TIGHT] = reach, every, scratch, tight
    heap[TAKEN], heap[TABLE] = taken, table
    heap[CLASSES] = CLASSES + 1
    for index in range(CLASSES + 1, scratch):
        heap[index] = 0
    for component in range(count):
        bit = np.int64(1) << np.int64(component & 63)
        heap[every + (component >> 6)] |= bit
        heap[CLASSES + 1 + board.kinds[component] * words + (component >> 6)] |= bit
        heap[reach + component * steps * words + (component >> 6)] |= bit
    used = board.links.shape[1]
    for step in range(1, steps):
        for component in range(count):
            here = reach + (component * steps + step) * words
            for word in range(used):
                poke(heap, here + word, peek(heap, here - words + word))
            for word in range(used):
                left = board.links[component, word]
                while left:
                    there = reach + ((word * 64 + lowest(left)) * steps + step - 1) * words
                    left &= left - np.uint64(1)
                    for other in range(used):
                        poke(heap, here + other, peek(heap, here + other) | peek(heap, there + other))
    _share_out(heap)
    return needed


@jit(arrays=True)
def _eccentricity(board: Packed) -> int:
    """The steps from component 0 to the farthest one: as they are numbered breadth first, to the last."""
    count, words = board.links.shape
    steps = np.zeros(count, np.int64)
    for component in range(count):
        for word in range(words):
            left = board.links[component, word]
            while left:
                other = word * 64 + lowest(left)
                left &= left - np.uint64(1)
                if other > component and steps[other] == 0:
                    steps[other] = steps[component] + 1
    return int(steps[count - 1])


@jit(arrays=True)
def _share_out(heap: Heap) -> None:
    """Give the room behind the fixed parts to the table (a sixteenth at most), the links (the same) and the layers."""
    room = heap.size - heap[TABLE]
    slots = 64
    while slots * 32 <= room:
        slots *= 2
    heap[MAX_SLOTS] = slots
    heap[LINKS] = heap[TABLE] + slots
    heap[MAX_LINKS] = max(room // 16, heap[COLOURS] + 2)
    heap[LAYERS] = heap[LINKS] + heap[MAX_LINKS]
    heap[MAX_LAYER] = (heap.size - heap[LAYERS]) // 2


@jit(arrays=True)
def move(heap: Heap, larger: Heap) -> None:
    """Go on with a search in a larger heap."""
    for index in range(heap[TABLE]):
        larger[index] = heap[index]
    _share_out(larger)
    for index in range(heap[LINKED]):
        larger[larger[LINKS] + index] = heap[heap[LINKS] + index]
    for side in range(2):
        old, new = heap[LAYERS] + side * heap[MAX_LAYER], larger[LAYERS] + side * larger[MAX_LAYER]
        for index in range(heap[MAX_LAYER]):
            larger[new + index] = heap[old + index]
    _fill_table(larger, heap[SLOTS])


@jit(arrays=True)
def begin(heap: Heap, limit: int) -> None:
    """Put the start position alone into the first layer of a search for lines of up to `limit` moves."""
    words = heap[WORDS]
    for field in (DEPTH, NEXT, BORN, SIDE, FIRST_LINK, HAS_CUT, NODES):
        heap[field] = 0
    heap[COUNT], heap[LINKED] = 1, 1
    heap[heap[LINKS]] = -1
    heap[LEVELS], heap[BELOW] = min(heap[STEPS], limit), min(heap[STEPS], limit - 1)
    size = heap[LEVELS] * words
    for index in range(size):
        heap[heap[LAYERS] + index] = heap[heap[REACH] + index]
    for index in range(size, size + words + 1):
        heap[heap[LAYERS] + index] = 0
    _fill_table(heap, 64)


@jit(arrays=True)
def _slot(heap: Heap, words: int, born: int, row: int, size: int) -> int:
    """Where in the heap the table has the position at `row` by what it has flooded, or a place for it (below 0)."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for word in range(words):
        mixed = (mixed ^ np.uint64(peek(heap, row + word))) * np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(32)
    table, mask = heap[TABLE], heap[SLOTS] - 1
    slot = np.int64(mixed >> np.uint64(1)) & mask
    while True:
        there = peek(heap, table + slot)
        if there < 0:
            return table + slot
        differ = 0
        for word in range(words):
            differ |= peek(heap, born + there * size + word) ^ peek(heap, row + word)
        if not differ:
            return table + slot
        slot = (slot + 1) & mask


@jit(arrays=True)
def _fill_table(heap: Heap, slots: int) -> None:
    """Spread the positions born so far over `slots` slots."""
    heap[SLOTS] = slots
    words = heap[WORDS]
    size = (heap[BELOW] + 1) * words + 1
    born = heap[LAYERS] + (1 - heap[SIDE]) * heap[MAX_LAYER]
    for slot in range(slots):
        poke(heap, heap[TABLE] + slot, -1)
    for index in range(heap[BORN]):
        heap[_slot(heap, words, born, born + index * size, size)] = index
