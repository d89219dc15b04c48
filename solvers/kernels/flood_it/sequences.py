"""Every sequence of a few colours, walked through: what the lookahead ranks its moves by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import lowest
from solvers.kernels.flood_it.board import Bits, Packed
from solvers.kernels.jit import jit


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
def begin(board: Packed, depth: int) -> Sequences:
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
