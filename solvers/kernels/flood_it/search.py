"""The search for a shortest line, layer by layer: its bound, what it leaves out, and the cut to a width."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import lowest, popcount
from solvers.kernels.flood_it.heap import (
    BELOW,
    BORN,
    CLASSES,
    COLOURS,
    COMPONENTS,
    COUNT,
    CUT,
    DEPTH,
    EVERY,
    FIRST_END,
    FIRST_LINK,
    FOUND,
    FULL,
    HAS_CUT,
    LAST_MOVE,
    LAYERS,
    LEVELS,
    LINKED,
    LINKS,
    MAX_LAYER,
    MAX_LINKS,
    MAX_SLOTS,
    NEXT,
    NODES,
    NONE,
    REACH,
    RUNNING,
    SCRATCH,
    SIDE,
    SLOTS,
    STEPS,
    TAKEN,
    TIGHT,
    WINDOW,
    WORDS,
    Heap,
    Lanes,
    _fill_table,
    _slot,
    _words,
    highest,
    peek,
    poke,
)
from solvers.kernels.jit import jit


@jit(arrays=True)
def search(heap: Heap, lanes: Lanes, limit: int, width: int, uncut: int, budget: int) -> int:
    """Go on looking for a line of up to `limit` moves, layer by layer, for about `budget` more positions.

    width: how many positions of each layer are kept, those with the lowest bound and then the least sum of distances
    to all that is left; 0 keeps every position whose bound allows `limit` moves, which makes NONE a proof.
    uncut: how many are kept as long as no layer had more.
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
            _turn(heap, limit, width, uncut)
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
        if moves + popcount(unfinished) > limit:
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
            total += popcount(peek(heap, heap[EVERY] + word) & ~peek(heap, row + level * words + word))
    return total


@jit(arrays=True)
def _turn(heap: Heap, limit: int, width: int, uncut: int) -> None:
    """Make the layer that was born the one to expand, cut to `width` positions where one has had more than `uncut`."""
    heap[FIRST_LINK] = heap[LINKED] - heap[BORN]
    _drop_dominated(heap)
    if 0 < (width if heap[HAS_CUT] else max(width, uncut)) < heap[BORN]:
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
