"""What a network sees of packed positions, and how its outputs number packed moves, for many positions a call.

Both are those of the readable encoders in `solvers.learned.planes`, which tests hold them against: seen from the side
to move, the board turned so that its own row or corner lies where the first player's does.

A game offers `encode` and `action` for its packed rules as it offers the hooks of `solvers.kernels.rules`. What the
encoder knows and the rules do not comes along as numbers (``facts: int64[n]``), named by the constants of each game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, lowest
from solvers.kernels.blokus import small as blokus_small
from solvers.kernels.blokus.rules import FORM_NUMBER, FORMS
from solvers.kernels.connect_four import rules as connect_four
from solvers.kernels.filler import rules as filler
from solvers.kernels.jit import jit
from solvers.kernels.quoridor import rules as quoridor
from solvers.kernels.rules import offers

COMPILE_SECONDS = 10

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]


def encode(rules: Any, facts: Any, positions: Any, at: int, planes: Any, to: int) -> None:
    """Writes what is seen of ``positions[at]`` to ``planes[to]``, float32[planes, rows, cols] full of zeros."""
    raise NotImplementedError


def action(rules: Any, facts: Any, positions: Any, at: int, move: int) -> int:
    """The number a network has for a packed move in ``positions[at]``; -1 where it has none."""
    raise NotImplementedError


@jit
def encode_all(rules: Any, facts: Numbers, positions: Words, planes: Floats) -> None:
    """What is seen of each position of one board; planes: float32[n, planes, rows, cols]."""
    planes.fill(0.0)
    for at in range(positions.shape[0]):
        encode(rules, facts, positions, at, planes, at)


@jit
def write_priors(rules: Any, facts: Numbers, positions: Words, at: int, logits: Floats, priors: Floats) -> None:
    """Writes a policy's weights of packed moves to ``priors[at]``, from ``logits[at]``, those of the network's."""
    most = logits[at, 0]
    for number in range(logits.shape[1]):
        most = max(most, logits[at, number])
    for move in range(priors.shape[1]):
        number = action(rules, facts, positions, at, move)
        priors[at, move] = np.exp(logits[at, number] - most) if number >= 0 else np.float32(0.0)


@jit
def write_all_priors(rules: Any, facts: Numbers, positions: Words, logits: Floats, priors: Floats) -> None:
    """As `write_priors`, for each position: logits float32[n, actions], priors float32[n, packed moves]."""
    for at in range(positions.shape[0]):
        write_priors(rules, facts, positions, at, logits, priors)


@jit
def number_moves(
    rules: Any, facts: Numbers, positions: Words, at: int, moves: NDArray[np.int32], numbers: Numbers
) -> None:
    """The network's numbers of packed moves of one position: moves int32[n], numbers int64[n]."""
    for place in range(moves.size):
        numbers[place] = action(rules, facts, positions, at, moves[place])


# Connect Four

THREATS = 0
"""Whether, beside both sides' discs, where either wins and where discs fall to is seen."""


@offers(encode, connect_four.ConnectFour)
def _encode_discs(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    own, every = positions[at, connect_four.OWN], positions[at, connect_four.ALL]
    _fill_columns(rules, own, planes, to, 0)
    _fill_columns(rules, own ^ every, planes, to, 1)
    if facts[THREATS] != 0:
        _fill_columns(rules, connect_four.winning_cells(rules, own, every), planes, to, 2)
        _fill_columns(rules, connect_four.winning_cells(rules, own ^ every, every), planes, to, 3)
        _fill_columns(rules, (every + rules.bottom) & rules.board, planes, to, 4)


@jit
def _fill_columns(rules: connect_four.ConnectFour, cells: np.uint64, planes: Floats, to: int, plane: int) -> None:
    high = np.int64(rules.rows) + 1
    while cells:
        at = lowest(cells)
        cells &= cells - ONE
        col = at // high
        planes[to, plane, rules.rows - 1 - (at - col * high), col] = 1.0


@offers(action, connect_four.ConnectFour)
def _number_column(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    return np.int64(move)


# Filler

START, REACH = 0, 2
"""The number of the first player's corner cell, with the second's behind it, and whether reach is seen, too."""

FAR = 12
"""Moves that no plane tells apart from more."""


@offers(encode, filler.Filler)
def _encode_colours(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    own, rival, status = positions[at, filler.OWN], positions[at, filler.RIVAL], positions[at, filler.STATUS]
    mine, theirs = np.int64(status & np.uint64(255)), np.int64((status >> np.uint64(8)) & np.uint64(255))
    first = (own >> np.uint64(facts[START])) & ONE != ZERO
    corner = facts[START] if first else facts[START + 1]
    neutral, unit = rules.board & ~(own | rival), np.float32(4 if facts[REACH] != 0 else 1)
    for colour in range(rules.colours):
        _fill_turned(rules, rules.classes[colour] & neutral, corner, planes, to, colour, unit)
    _fill_turned(rules, own, corner, planes, to, mine, unit)
    _fill_turned(rules, rival, corner, planes, to, theirs, unit)
    _fill_turned(rules, own, corner, planes, to, rules.colours, unit)
    _fill_turned(rules, rival, corner, planes, to, rules.colours + 1, unit)
    planes[to, rules.colours + 2] = np.float32((status >> np.uint64(16)) & np.uint64(15)) * (unit / np.float32(4))
    if facts[REACH] != 0:
        _fill_reach(rules, own, rival, corner, planes, to, rules.colours + 3)
        _fill_reach(rules, rival, own, corner, planes, to, rules.colours + 4)


@jit
def _fill_reach(
    rules: filler.Filler, own: np.uint64, rival: np.uint64, corner: int, planes: Floats, to: int, plane: int
) -> None:
    """Sets 4 where `own` captures with one move, and in the next plane but one how many moves each cell is off."""
    planes[to, plane + 2] = np.float32(FAR)
    _fill_turned(rules, own, corner, planes, to, plane + 2, 0.0)
    reached, neutral = own, rules.board & ~(own | rival)
    for moves in range(1, FAR):
        near = filler.gains(rules, reached, neutral & ~reached)
        if near == ZERO:
            break
        if moves == 1:
            _fill_turned(rules, near, corner, planes, to, plane, 4.0)
        _fill_turned(rules, near, corner, planes, to, plane + 2, moves)
        reached |= near


@jit
def _fill_turned(
    rules: filler.Filler, cells: np.uint64, corner: int, planes: Floats, to: int, plane: int, value: float
) -> None:
    """Sets `cells` in a plane to a value, mirrored so that the cell `corner` comes to the top left."""
    cols = np.int64(rules.cols)
    below, right = corner >= cols, corner % cols != 0
    while cells:
        at = lowest(cells)
        cells &= cells - ONE
        row, col = at // cols, at % cols
        planes[to, plane, planes.shape[2] - 1 - row if below else row, cols - 1 - col if right else col] = value


@offers(action, filler.Filler)
def _number_colour(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    return np.int64(move) if move < rules.colours else np.int64(-1)


# Quoridor

WALLS = 0
"""How many walls each player begins with."""


@offers(encode, quoridor.Quoridor)
def _encode_pawns_and_walls(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    status = positions[at, quoridor.STATUS]
    side = quoridor.side_of(status)
    cols, most = np.int64(rules.cols), np.float32(max(facts[WALLS], 1))
    for plane in range(2):
        seat = side if plane == 0 else 1 - side
        cell = _turned_cell(rules, quoridor.pawn_of(status, seat), side)
        planes[to, plane, cell // cols, cell % cols] = 1.0
        planes[to, 4 + plane] = np.float32(quoridor.left_of(status, seat)) / most
    _fill_walls(rules, positions, at, quoridor.H_LOW, side, planes, to, 2)
    _fill_walls(rules, positions, at, quoridor.V_LOW, side, planes, to, 3)


@jit
def _turned_cell(rules: quoridor.Quoridor, cell: int, side: int) -> int:
    return np.int64(rules.rows) * np.int64(rules.cols) - 1 - cell if side else np.int64(cell)


@jit
def _turned_wall(rules: quoridor.Quoridor, wall: int, side: int) -> int:
    return (np.int64(rules.rows) - 1) * np.int64(rules.cols) - 2 - wall if side else np.int64(wall)


@jit
def _fill_walls(
    rules: quoridor.Quoridor, positions: Words, at: int, word: int, side: int, planes: Floats, to: int, plane: int
) -> None:
    cols = np.int64(rules.cols)
    for half in range(2):
        walls = positions[at, word + half]
        while walls:
            place = _turned_wall(rules, 64 * half + lowest(walls), side)
            walls &= walls - ONE
            planes[to, plane, place // cols, place % cols] = 1.0


@offers(action, quoridor.Quoridor)
def _number_step_or_wall(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    rows, cols = np.int64(rules.rows), np.int64(rules.cols)
    side = quoridor.side_of(positions[at, quoridor.STATUS])
    kind = move // quoridor.CELLS
    place = np.int64(move - kind * quoridor.CELLS)
    if place >= rows * cols:
        return np.int64(-1)
    if kind == 0:
        return _turned_cell(rules, place, side)
    if place // cols == rows - 1 or place % cols == cols - 1:
        return np.int64(-1)
    place = _turned_wall(rules, place, side)
    first = rows * cols + (kind - 1) * (rows - 1) * (cols - 1)
    return first + place // cols * (cols - 1) + place % cols


# Blokus for two on small boards

HEIGHTS = np.array([1 + max(row for row, _ in form) for form in FORMS])
WIDTHS = np.array([1 + max(col for _, col in form) for form in FORMS])
UPSIDE_DOWN = np.array(
    [
        FORM_NUMBER[tuple(sorted((int(high) - 1 - row, int(wide) - 1 - col) for row, col in form))]
        for form, high, wide in zip(FORMS, HEIGHTS, WIDTHS, strict=True)
    ]
)
"""int64[91]: the form that each is when it is turned by half."""

PIECES = 21


@offers(encode, blokus_small.SmallBlokus)
def _encode_squares_and_pieces(rules: Any, facts: Numbers, positions: Words, at: int, planes: Floats, to: int) -> None:
    status = positions[at, blokus_small.STATUS]
    last = np.int64(rules.side) - 1
    turned = status & blokus_small.SECOND != ZERO
    for plane in range(2):
        cells = positions[at, blokus_small.OWN if plane == 0 else blokus_small.RIVAL]
        while cells:
            cell = lowest(cells)
            cells &= cells - ONE
            row, col = cell // 8, cell % 8
            planes[to, plane, last - row if turned else row, last - col if turned else col] = 1.0
    for piece in range(2 * PIECES):
        if (status >> np.uint64(piece)) & ONE:
            planes[to, 2 + piece] = 1.0


@offers(action, blokus_small.SmallBlokus)
def _number_placement(rules: Any, facts: Numbers, positions: Words, at: int, move: int) -> int:
    if move == rules.moves.size:
        return np.int64(-1)
    number, side = np.int64(rules.moves[move]), np.int64(rules.side)
    if positions[at, blokus_small.STATUS] & blokus_small.SECOND == ZERO:
        return number
    form = number // (side * side)
    row, col = number // side % side, number % side
    row, col = side - HEIGHTS[form] - row, side - WIDTHS[form] - col
    return UPSIDE_DOWN[form] * side * side + row * side + col
