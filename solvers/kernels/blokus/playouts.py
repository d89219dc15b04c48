"""How a game of Blokus is played out: large pieces first, and what covers the others' corners before other places."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, bit_number, lowest, popcount
from solvers.kernels.blokus.board import (
    MARGIN,
    MEMBERS0,
    MEMBERS1,
    PAD,
    Blokus,
    colour_of,
    is_done,
    is_over,
    pass_on,
    points_of,
    put,
)
from solvers.kernels.blokus.glance import mark_others
from solvers.kernels.blokus.guided import GuidedBlokus, roll_dice
from solvers.kernels.blokus.moves import OPEN, copy_rows, corners_in, list_moves, ways_at, ways_off
from solvers.kernels.blokus.ways import ways_of_size
from solvers.kernels.jit import jit
from solvers.kernels.mcts import Tree

FIVES, FOURS = np.array(ways_of_size(5)), np.array(ways_of_size(4))

PLAYED = 3
"""The place in ``Tree.control`` of the number of playouts."""


@jit
def note(guided: GuidedBlokus, tree: Tree, turn: int, move: int, colour: int) -> int:
    """Notes placement number `turn` of a walk; returns the next number."""
    guided.stamps[colour, move] = np.int32((tree.control[PLAYED] << 7) | turn)
    return turn + 1


@jit
def finish(guided: GuidedBlokus, tree: Tree, turn: int) -> None:
    """Plays row 1 to its end from placement number `turn` on, and writes the results."""
    rules = guided.board
    while not is_over(rules, tree.positions, 1):
        colour = colour_of(rules, tree.positions, 1)
        move = np.int64(-1)
        if not is_done(rules, tree.positions, 1, colour):
            move = _playout_move(guided, tree)
        if move < 0:
            pass_on(rules, tree.positions, 1)
        else:
            turn = note(guided, tree, turn, move, colour)
            put(rules, tree.positions, 1, move)
    judge(rules, tree.positions, 1, guided.results, guided.parameters.margin, guided.parameters.scale)


@jit
def _playout_move(guided: GuidedBlokus, tree: Tree) -> int:
    """A placement drawn for the colour to move in row 1, -1 where it has none."""
    rules, positions, found = guided.board, tree.positions, guided.found
    colour = colour_of(rules, positions, 1)
    end = colour * rules.block + rules.side + MARGIN
    member0, member1 = positions[1, end + MEMBERS0], positions[1, end + MEMBERS1]
    second = rules.scratch + rules.side + MARGIN
    copy_rows(rules, positions, 1, colour)
    mark_others(rules, tree.positions, colour)
    noted = np.int64(0)
    fives, fours, others = np.int64(0), np.int64(0), np.int64(0)
    for row in range(rules.side):
        corners = corners_in(rules, positions, 1, colour, row)
        while corners:
            col = lowest(corners) - PAD
            corners &= corners - ONE
            low, high, direction = ways_at(rules, positions, 1, row, col)
            positions[1, rules.scratch + PAD + row] |= ONE << np.uint64(PAD + col)
            if direction == OPEN:
                return _open_move(rules, tree)
            low &= member0
            high &= member1
            if low | high == ZERO:
                continue
            large = popcount(low & FIVES[0]) + popcount(high & FIVES[1])
            middling = popcount(low & FOURS[0]) + popcount(high & FOURS[1])
            fives += large
            fours += middling
            others += popcount(low) + popcount(high) - large - middling
            found[noted, 0] = low
            found[noted, 1] = high
            found[noted, 2] = np.uint64((row << 8) | (col << 3) | direction)
            noted += 1
    if noted == 0:
        return -1
    dice = roll_dice(tree)
    mask0, mask1 = ~ZERO, ~ZERO
    count = fives + fours + others
    if np.int64(dice & np.uint64(255)) < guided.parameters.large:
        if fives:
            mask0, mask1, count = FIVES[0], FIVES[1], fives
        elif fours:
            mask0, mask1, count = FOURS[0], FOURS[1], fours
    if np.int64((dice >> np.uint64(8)) & np.uint64(255)) < guided.parameters.covering:
        covering = np.int64(0)
        for at in range(noted):
            place = np.int64(found[at, 2])
            row, col, direction = place >> 8, (place >> 3) & 31, place & 7
            low, high = found[at, 0] & mask0, found[at, 1] & mask1
            if (positions[1, second + PAD + row] >> np.uint64(PAD + col)) & ONE == ZERO:
                off0, off1 = ways_off(
                    rules,
                    positions,
                    1,
                    np.uint64(second + PAD + row),
                    np.uint64(col),
                    ONE - np.uint64(direction & 2),
                    np.uint64(direction & 1),
                )
                low &= ~off0
                high &= ~off1
            found[at, 3] = low
            found[at, 4] = high
            covering += popcount(low) + popcount(high)
        if covering:
            return _draw(guided, tree, noted, 3, ~ZERO, ~ZERO, covering)
    return _draw(guided, tree, noted, 0, mask0, mask1, count)


@jit
def _draw(
    guided: GuidedBlokus, tree: Tree, noted: int, words: int, mask0: np.uint64, mask1: np.uint64, count: int
) -> int:
    """One of the `count` noted ways that stand in words `words` and the next and in the masks."""
    rules, found = guided.board, guided.found
    rest = np.int64((roll_dice(tree) * np.uint64(count)) >> np.uint64(32))
    for at in range(noted):
        low, high = found[at, words] & mask0, found[at, words + 1] & mask1
        place = np.int64(found[at, 2])
        cell = (place >> 8) * rules.side + ((place >> 3) & 31)
        here = popcount(low)
        if rest < here:
            return cell + np.int64(rules.offsets[place & 7, bit_number(low, rest)])
        rest -= here
        here = popcount(high)
        if rest < here:
            return cell + np.int64(rules.offsets[place & 7, 64 + bit_number(high, rest)])
        rest -= here
    return -1


@jit
def _open_move(rules: Blokus, tree: Tree) -> int:
    """A first piece drawn in the open: of a few, the first with five squares."""
    count = list_moves(rules, tree.positions, 1, tree.legal)
    move = np.int64(-1)
    for _ in range(8 if count else 0):
        move = np.int64(tree.legal[1, np.int64((roll_dice(tree) * np.uint64(count)) >> np.uint64(32))])
        if rules.size_of[move // rules.cells] == 5:
            break
    return move


@jit
def judge(
    rules: Blokus, positions: NDArray[np.uint64], ply: int, points: NDArray[np.float64], share: float, scale: float
) -> None:
    """Writes each seat's result, from 0 to 1, of the game that ended in row `ply` to ``points: float64[8]``.

    share: the part of it that the margin decides.  scale: squares of margin that count as much as the odds 1 to 2.7.
    """
    seats = np.int64(0)
    for seat in range(4):
        points[4 + seat] = 0.0
    for colour in range(rules.colours):
        seat = rules.seats[colour]
        if seat >= 0:
            points[4 + seat] += points_of(rules, positions, ply, colour)
            seats = max(seats, seat + 1)
    for seat in range(seats):
        rival, equal = -1.0, 1.0
        for other in range(seats):
            if other != seat:
                equal += points[4 + other] == points[4 + seat]
                rival = max(rival, points[4 + other])
        margin = points[4 + seat] - rival
        won = 0.0 if margin < 0 else 1.0 / equal
        part = 1.0 / (1.0 + np.exp(-margin / scale))
        points[seat] = (1.0 - share) * won + share * part
