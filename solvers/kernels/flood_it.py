"""Flood-It packed: components of one colour as bits of uint64 words, and the searches over them.

A `Packed` board never changes; a position is a pair of bit sets, the components flooded and their neighbours (the
frontier). Playing colour c takes ``X = frontier & classes[c]``: ``flooded |= X``, and the frontier becomes
``(frontier | links of X) & ~flooded``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from solvers.kernels.jit import jit

COMPILE_SECONDS = 15
"""What a first run takes on a slow core, for the line that announces it."""

Bits = NDArray[np.uint64]
Lanes = tuple[int, ...]
"""As many zeros as a set has words, or none: its length is known when a search is compiled."""


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


def _highest(typingctx: Any, word: Any) -> Any:
    """The index of the highest bit set in `word`, a uint64 that is not 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], context.get_constant(types.boolean, 1))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.uint64), codegen


highest: Any = intrinsic(_highest)


def _ones(typingctx: Any, word: Any) -> Any:
    """How many bits of `word`, a uint64, are set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


ones: Any = intrinsic(_ones)


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


@jit(arrays=True)
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


@jit(arrays=True)
def _around(cell: int, size: int, cols: int) -> tuple[int, int, int, int]:
    """The four neighbours of a cell by its number, -1 where the board ends."""
    col = cell % cols
    return (
        cell - cols,
        cell - 1 if col > 0 else -1,
        cell + 1 if col < cols - 1 else -1,
        cell + cols if cell + cols < size else -1,
    )


@jit(arrays=True)
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


@jit(arrays=True)
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


@jit(arrays=True)
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


@jit(arrays=True)
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


@jit(arrays=True)
def _note(seen: Sequences, first: int, cells: int, total: int, moves: int) -> None:
    seen.most[first] = max(seen.most[first], cells)
    if cells == total:
        seen.soonest[first] = min(seen.soonest[first], moves)


@jit(arrays=True)
def _frontier_cells(board: Packed, frontier: Bits, gains: NDArray[np.int64]) -> None:
    """Fill `gains` with the cells of the frontier in each colour."""
    gains.fill(0)
    for word in range(frontier.size):
        left = frontier[word]
        while left:
            component = word * 64 + lowest(left)
            gains[board.kinds[component]] += board.sizes[component]
            left &= left - np.uint64(1)


@jit(arrays=True)
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


# --- the search for a shortest line ---------------------------------------------------------------------------------
#
# Everything a search knows lies in one array of int64, its heap: words of sets and plain numbers side by side. One
# array costs little to hand to compiled code, can be given more room at any moment, and bounds the memory used.

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
def search(heap: Heap, lanes: Lanes, limit: int, width: int, budget: int) -> int:
    """Go on looking for a line of up to `limit` moves, layer by layer, for about `budget` more positions.

    width: how many positions of each layer are kept, those with the lowest bound and then the least sum of distances
    to all that is left; 0 keeps every position whose bound allows `limit` moves, which makes NONE a proof.
    Each flooded set is kept once in its layer.  A colour b after a is left out where b then a floods as much: where
    all that b takes was in the frontier before a, and either b uncovers more of a's colour or b is the lower one.

    A row holds the sets within 0, 1, .. steps of the flooded region (the first is what is flooded, the sets left out
    hold all), the frontier before the last move, and a word of its rank, its FIRST_END and its last move + 1.
    """
    words = _words(heap, lanes)
    colours, steps, every = heap[COLOURS], heap[STEPS], heap[EVERY]
    classes, taken, reach = CLASSES + 1, heap[TAKEN], heap[REACH]
    span = heap[COMPONENTS] * steps + 1
    stop = heap[NODES] + budget
    while heap[NODES] < stop:
        if heap[NEXT] == heap[COUNT]:
            if heap[BORN] == 0:
                return CUT if heap[HAS_CUT] else NONE
            _turn(heap, limit, width)
        levels, below = heap[LEVELS], heap[BELOW]
        size, new_size = (levels + 1) * words + 1, (below + 1) * words + 1
        if (heap[BORN] + colours + 1) * new_size > heap[MAX_LAYER] or heap[LINKED] + colours > heap[MAX_LINKS]:
            return FULL
        if (heap[BORN] + colours) * 2 > heap[SLOTS]:
            if heap[SLOTS] * 2 > heap[MAX_SLOTS]:
                return FULL
            _fill_table(heap, heap[SLOTS] * 2)
        row = heap[LAYERS] + heap[SIDE] * heap[MAX_LAYER] + heap[NEXT] * size
        born = heap[LAYERS] + (1 - heap[SIDE]) * heap[MAX_LAYER]
        near = row + words if levels > 1 else every
        before = row + levels * words
        last = (peek(heap, before + words) & 31) - 1
        level = max((peek(heap, before + words) >> 5 & 4095) - 1, 0)
        moves_left = limit - heap[DEPTH] - 1
        forced = _forced(heap, lanes, row, near)
        tight = _tight_levels(heap, lanes, row, levels, moves_left + 1)
        for colour in range(colours):
            if forced >= 0 and colour != forced:
                continue
            new = born + heap[BORN] * new_size
            count, fresh, left = 0, 0, 0
            for word in range(words):
                flooded = peek(heap, row + word)
                take = peek(heap, near + word) & ~flooded & peek(heap, classes + colour * words + word)
                fresh |= take & ~peek(heap, before + word)
                left |= peek(heap, every + word) & ~(flooded | take)
                poke(heap, new + word, flooded | take)
                while take:
                    poke(heap, taken + count, reach + (word * 64 + lowest(take)) * steps * words)
                    count += 1
                    take &= take - 1
            if count == 0:
                continue
            if left == 0:
                heap[FIRST_LINK] += heap[NEXT]
                heap[LAST_MOVE] = colour
                return FOUND
            commutes = forced < 0 and last >= 0 and fresh == 0
            if commutes and (colour < last or _uncovers(heap, lanes, near, count, last)):
                continue
            if moves_left < 1 or (tight > 0 and _falls_behind(heap, lanes, row, tight, count)):
                continue
            slot = _slot(heap, words, born, new, new_size)
            if peek(heap, slot) >= 0:
                continue
            _reach_out(heap, row, new, below * words, count)
            value = _bound(heap, lanes, moves_left, new, below, level)
            if value > moves_left:
                continue
            for word in range(words):
                poke(heap, new + below * words + word, peek(heap, near + word) & ~peek(heap, row + word))
            rank = value * span + _far(heap, lanes, new, below) if width > 0 else 0
            poke(
                heap, new + (below + 1) * words, rank << 17 | heap[FIRST_END] << 5 | (0 if forced >= 0 else colour + 1)
            )
            poke(heap, slot, heap[BORN])
            poke(heap, heap[LINKS] + heap[LINKED], (heap[FIRST_LINK] + heap[NEXT]) * 16 + colour)
            heap[LINKED] += 1
            heap[BORN] += 1
        heap[NEXT] += 1
        heap[NODES] += 1
    return RUNNING


@jit(arrays=True)
def lower_bound(heap: Heap, lanes: Lanes, limit: int) -> int:
    """A number of moves that the start position needs at least, or ``limit + 1``."""
    return int(_bound(heap, lanes, limit, heap[REACH], heap[STEPS], 0))


@jit(arrays=True)
def _bound(heap: Heap, lanes: Lanes, limit: int, row: int, levels: int, level: int) -> int:
    """A number of moves the position at `row` needs at least, ``limit + 1`` as soon as that exceeds `limit`.

    Each move reaches one step farther at most, and ends at most one colour. So after k moves no more is flooded than
    the set within k steps; and a colour of which all that is left lies in the frontier may as well be ended at once,
    since one move must end it some time. The bound counts such endings and, where none is possible, a step that takes
    the whole frontier whatever its colours.

    level: one at which something is left of every colour unfinished; the level of the first ending goes to FIRST_END.
    """
    words = _words(heap, lanes)
    classes, every, stride = CLASSES + 1, heap[EVERY], heap[STEPS] * words
    near = heap[REACH] + (words if heap[STEPS] > 1 else 0)
    flooded, frontier = heap[SCRATCH], heap[SCRATCH] + words
    unfinished = 0
    for colour in range(heap[COLOURS]):
        left = 0
        for word in range(words):
            left |= peek(heap, classes + colour * words + word) & ~peek(heap, row + word)
        unfinished |= (1 if left else 0) << colour
    for word in range(words):
        poke(heap, flooded + word, peek(heap, row + level * words + word))
    moves, first = level, -1
    while True:
        after = row + (level + 1) * words if level + 1 < levels else every
        for word in range(words):
            poke(heap, frontier + word, peek(heap, after + word))
        if first >= 0 and level < levels:  # what endings have flooded beyond the set within `level` steps
            for word in range(words):
                rest = peek(heap, flooded + word) & ~peek(heap, row + level * words + word)
                while rest:
                    beside = near + (word * 64 + lowest(rest)) * stride
                    rest &= rest - 1
                    for other in range(words):
                        poke(heap, frontier + other, peek(heap, frontier + other) | peek(heap, beside + other))
        ended = True
        while ended:
            ended = False
            colours = unfinished
            while colours:
                colour = lowest(colours)
                colours &= colours - 1
                out = 0
                for word in range(words):
                    out |= peek(heap, classes + colour * words + word) & ~peek(heap, frontier + word)
                if out:
                    continue
                unfinished ^= 1 << colour
                moves += 1
                if first < 0:
                    first = level
                if not unfinished:
                    heap[FIRST_END] = first
                    return moves
                ended = True
                for word in range(words):
                    rest = peek(heap, classes + colour * words + word) & ~peek(heap, flooded + word)
                    poke(heap, flooded + word, peek(heap, flooded + word) | rest)
                    while rest:
                        beside = near + (word * 64 + lowest(rest)) * stride
                        rest &= rest - 1
                        for other in range(words):
                            poke(heap, frontier + other, peek(heap, frontier + other) | peek(heap, beside + other))
        level += 1
        moves += 1
        if moves + ones(unfinished) > limit:
            return limit + 1
        for word in range(words):
            poke(heap, flooded + word, peek(heap, frontier + word))


@jit(arrays=True)
def _reach_out(heap: Heap, old: int, new: int, size: int, count: int) -> None:
    """Write `size` words of distance sets at `new`: those at `old` and those of the components at TAKEN."""
    taken = heap[TAKEN]
    beside = peek(heap, taken)
    for index in range(size):
        poke(heap, new + index, peek(heap, old + index) | peek(heap, beside + index))
    for other in range(1, count):
        beside = peek(heap, taken + other)
        for index in range(size):
            poke(heap, new + index, peek(heap, new + index) | peek(heap, beside + index))


@jit(arrays=True)
def _colours_beyond(heap: Heap, lanes: Lanes, near: int) -> int:
    """The number of colours with something outside the set at `near`."""
    words = _words(heap, lanes)
    count = 0
    for colour in range(heap[COLOURS]):
        left = 0
        for word in range(words):
            left |= peek(heap, CLASSES + 1 + colour * words + word) & ~peek(heap, near + word)
        count += 1 if left else 0
    return count


@jit(arrays=True)
def _tight_levels(heap: Heap, lanes: Lanes, row: int, levels: int, moves: int) -> int:
    """Find the levels of a row at which as many colours lie beyond as there are moves after it, out of `moves`.

    The next move must bring one of those colours within each of these levels, or `moves` will not do.
    """
    words, tight = _words(heap, lanes), heap[TIGHT]
    count = 0
    for beyond in range(1, heap[COLOURS] + 1):
        level = moves - beyond
        if 0 <= level < levels and _colours_beyond(heap, lanes, row + level * words) == beyond:
            poke(heap, tight + 2 * count, level * words)
            poke(heap, tight + 2 * count + 1, beyond)
            count += 1
    return count


@jit(arrays=True)
def _falls_behind(heap: Heap, lanes: Lanes, row: int, tight: int, count: int) -> bool:
    """Whether flooding the components at TAKEN leaves too much beyond one of the tight levels."""
    words, near, taken = _words(heap, lanes), heap[SCRATCH], heap[TAKEN]
    for place in range(heap[TIGHT], heap[TIGHT] + 2 * tight, 2):
        level = peek(heap, place)
        for word in range(words):
            within = peek(heap, row + level + word)
            for other in range(count):
                within |= peek(heap, peek(heap, taken + other) + level + word)
            poke(heap, near + word, within)
        if _colours_beyond(heap, lanes, near) >= peek(heap, place + 1):
            return True
    return False


@jit(arrays=True)
def _forced(heap: Heap, lanes: Lanes, row: int, near: int) -> int:
    """A colour of which all that is left lies in the frontier (playing it is never worse than any other), or -1."""
    words = _words(heap, lanes)
    for colour in range(heap[COLOURS]):
        left, out = 0, 0
        for word in range(words):
            mine = peek(heap, CLASSES + 1 + colour * words + word)
            left |= mine & ~peek(heap, row + word)
            out |= mine & ~peek(heap, near + word)
        if left != 0 and out == 0:
            return colour
    return -1


@jit(arrays=True)
def _uncovers(heap: Heap, lanes: Lanes, near: int, count: int, colour: int) -> bool:
    """Whether flooding the components at TAKEN brings anything new of `colour` into the frontier."""
    words = _words(heap, lanes)
    if heap[LEVELS] < 2:
        return False
    new = 0
    for other in range(count):
        beside = peek(heap, heap[TAKEN] + other) + words
        for word in range(words):
            mine = peek(heap, CLASSES + 1 + colour * words + word)
            new |= peek(heap, beside + word) & mine & ~peek(heap, near + word)
    return new != 0


@jit(arrays=True)
def _far(heap: Heap, lanes: Lanes, row: int, levels: int) -> int:
    """The sum over all components of the steps they are away."""
    words = _words(heap, lanes)
    total = 0
    for level in range(levels):
        for word in range(words):
            total += ones(peek(heap, heap[EVERY] + word) & ~peek(heap, row + level * words + word))
    return total


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


@jit(arrays=True)
def _turn(heap: Heap, limit: int, width: int) -> None:
    """Make the layer that was born the one to expand, cut to `width` positions."""
    heap[FIRST_LINK] = heap[LINKED] - heap[BORN]
    _drop_dominated(heap)
    if 0 < width < heap[BORN]:
        _cut(heap, width)
    heap[DEPTH] += 1
    heap[LEVELS] = heap[BELOW]
    heap[BELOW] = min(heap[BELOW], limit - heap[DEPTH] - 1)
    heap[SIDE] = 1 - heap[SIDE]
    heap[COUNT], heap[BORN], heap[NEXT] = heap[BORN], 0, 0
    slots = 64
    while slots < min(heap[COUNT] * 4, heap[MAX_SLOTS]):
        slots *= 2
    _fill_table(heap, slots)


@jit(arrays=True)
def _cut(heap: Heap, width: int) -> None:
    """Keep the `width` positions of the layer just born that rank lowest, in their order."""
    heap[HAS_CUT] = 1
    size = (heap[BELOW] + 1) * heap[WORDS] + 1
    rows = heap[LAYERS] + (1 - heap[SIDE]) * heap[MAX_LAYER]
    ranks = np.empty(heap[BORN], np.int64)
    for index in range(heap[BORN]):
        ranks[index] = heap[rows + (index + 1) * size - 1] >> 17
    low, high = ranks[0], ranks[0]
    for rank in ranks:
        low, high = min(low, rank), max(high, rank)
    counts = np.zeros(high - low + 1, np.int64)
    for rank in ranks:
        counts[rank - low] += 1
    worst, room = low, width
    while counts[worst - low] <= room:
        room -= counts[worst - low]
        worst += 1
    kept = 0
    for index in range(heap[BORN]):
        if ranks[index] > worst or (ranks[index] == worst and room == 0):
            continue
        if ranks[index] == worst:
            room -= 1
        _keep(heap, rows, size, index, kept)
        kept += 1
    heap[BORN] = kept
    heap[LINKED] = heap[FIRST_LINK] + kept


@jit(arrays=True)
def _keep(heap: Heap, rows: int, size: int, index: int, place: int) -> None:
    """Move a position of the layer just born, with its link, to an earlier place."""
    for word in range(size):
        poke(heap, rows + place * size + word, peek(heap, rows + index * size + word))
    links = heap[LINKS] + heap[FIRST_LINK]
    heap[links + place] = heap[links + index]


@jit(arrays=True)
def _drop_dominated(heap: Heap) -> None:
    """Drop each position of the layer just born of which another one has flooded all, and more.

    The room of the layer before, which has been expanded, holds a bit matrix: for each component the positions that
    have flooded it. Its rows are intersected for the components of a position, the farthest (and so rarest) first.
    """
    words, born = heap[WORDS], heap[BORN]
    size = (heap[BELOW] + 1) * words + 1
    rows = heap[LAYERS] + (1 - heap[SIDE]) * heap[MAX_LAYER]
    above = np.full(born, -1, np.int32)
    window = min(WINDOW, (heap[MAX_LAYER] - words) // (heap[COMPONENTS] + 1) * 64)
    for begin in range(0, born, window):
        _find_dominated(heap, rows, size, begin, min(begin + window, born), above)
    kept = 0
    for index in range(born):
        if above[index] < 0:
            continue
        if not peek(heap, rows + (index + 1) * size - 1) & 31:  # nothing was left out after a forced move
            top = above[index]
            while above[top] >= 0:
                top = above[top]
            poke(heap, rows + (top + 1) * size - 1, peek(heap, rows + (top + 1) * size - 1) & ~31)
    for index in range(born):
        if above[index] < 0:
            _keep(heap, rows, size, index, kept)
            kept += 1
    heap[BORN] = kept
    heap[LINKED] = heap[FIRST_LINK] + kept


@jit(arrays=True)
def _find_dominated(heap: Heap, rows: int, size: int, begin: int, end: int, above: NDArray[np.int32]) -> None:
    """Write to `above` for the positions `begin` to `end` one of them that has flooded more than it, if any."""
    words = heap[WORDS]
    across = (end - begin + 63) // 64
    matrix = heap[LAYERS] + heap[SIDE] * heap[MAX_LAYER]
    common = matrix + heap[COMPONENTS] * across
    found = common + words
    for index in range(matrix, common):
        poke(heap, index, 0)
    for word in range(words):
        every = -1
        for row in range(rows + begin * size, rows + end * size, size):
            every &= peek(heap, row + word)
        poke(heap, common + word, every)
    for index in range(begin, end):
        place, bit = matrix + (index - begin >> 6), np.int64(1) << np.int64(index - begin & 63)
        for word in range(words):
            left = peek(heap, rows + index * size + word) & ~peek(heap, common + word)
            while left:
                there = place + (word * 64 + lowest(left)) * across
                left &= left - 1
                poke(heap, there, peek(heap, there) | bit)
    for index in range(begin, end):
        for place in range(across):
            poke(heap, found + place, -1)
        if (end - begin) & 63:
            poke(heap, found + across - 1, (np.int64(1) << np.int64((end - begin) & 63)) - 1)
        mine = found + (index - begin >> 6)
        poke(heap, mine, peek(heap, mine) ^ np.int64(1) << np.int64(index - begin & 63))
        low, high = 0, across
        word = words - 1
        left = peek(heap, rows + index * size + word) & ~peek(heap, common + word)
        while True:
            while low < high and peek(heap, found + low) == 0:
                low += 1
            while low < high and peek(heap, found + high - 1) == 0:
                high -= 1
            while left == 0 and word > 0:
                word -= 1
                left = peek(heap, rows + index * size + word) & ~peek(heap, common + word)
            if left == 0 or low == high:
                break
            bit = highest(left)
            left ^= np.int64(1) << bit
            line = matrix + (word * 64 + bit) * across
            for place in range(low, high):
                poke(heap, found + place, peek(heap, found + place) & peek(heap, line + place))
        if low < high:
            above[index] = begin + low * 64 + lowest(peek(heap, found + low))
