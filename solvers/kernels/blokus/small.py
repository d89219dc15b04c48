"""Blokus packed for two players on boards of at most 8x8 cells: one word for the cells of each, for proofs to the end.

Cell (row, col) is bit ``8 * row + col`` on every board, so that rows and columns change places in a few steps.
Placements are found as in `solvers.kernels.blokus.moves`, from lists of those that begin at a cell and keep off two of
its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.polyominoes import PIECES
from solvers.kernels.bits import ONE, ZERO, lowest, mixed, popcount
from solvers.kernels.blokus.board import UNIT
from solvers.kernels.blokus.ways import FORMS
from solvers.kernels.jit import jit
from solvers.kernels.rules import bounds, evaluate, generate, identify, offers, play, turn

LARGEST_SIDE = 8
ROW = np.uint64(8)

OWN, RIVAL, STATUS = range(3)
"""The words of a position: the cells of the side to move, those of the other, and what they have left."""

WORDS = 3

# A status: the pieces left to the side to move in bits 0 to 20, of the other from 21 on; whether the side to move was
# found to have no placement, whether the other was, and whether the second player is to move.
SIDE = np.uint64(21)
EVERY_PIECE = np.uint64((1 << 21) - 1)
DONE = np.uint64(1 << 42)
RIVAL_DONE = np.uint64(1 << 43)
SECOND = np.uint64(1 << 44)

NOT_LEFT = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_RIGHT = np.uint64(0x7F7F7F7F7F7F7F7F)


class SmallBlokus(NamedTuple):
    """The rules of one board.

    board: a bit for each cell.  starts: uint64[2], the start cells of each player.  bonus: whether bonuses count.
    symmetric: whether rows and columns may change places.  side: cells of a row.
    cells, near, across: uint64[placements], the cells of each, those beside them with themselves, those across.
    moves: int32[placements], their numbers in `solvers.kernels.blokus.board`; numbers: int32[moves], the way back.
    pieces: int64[placements].  transposed: int32[placements].
    lists: int32[entries], ends: int32[65 * 5]: for each cell and direction (as in the packed rules; the fifth
    is for cells in the open) the placements that begin there, largest first.
    sizes: int64[21].
    """

    side: int
    board: np.uint64
    symmetric: bool
    starts: NDArray[np.uint64]
    cells: NDArray[np.uint64]
    near: NDArray[np.uint64]
    across: NDArray[np.uint64]
    moves: NDArray[np.int32]
    numbers: NDArray[np.int32]
    pieces: NDArray[np.int64]
    transposed: NDArray[np.int32]
    lists: NDArray[np.int32]
    ends: NDArray[np.int32]
    sizes: NDArray[np.int64]


Square = tuple[int, int]


def rules_of(side: int, starts: list[list[Square]]) -> SmallBlokus:
    """The packed rules; raises ValueError for a board that is too large, or not for two."""
    if side > LARGEST_SIDE or len(starts) != 2:
        raise ValueError(f"{side}x{side} cells and {len(starts)} colours: 8x8 and two can be packed")
    placed = [
        (number, row, col)
        for number, form in enumerate(FORMS)
        for row in range(side - max(r for r, _ in form))
        for col in range(side - max(c for _, c in form))
    ]
    shapes = [frozenset((row + r, col + c) for r, c in FORMS[number]) for number, row, col in placed]
    order = sorted(range(len(placed)), key=lambda at: -len(shapes[at]))
    placed, shapes = [placed[at] for at in order], [shapes[at] for at in order]
    index = {shape: at for at, shape in enumerate(shapes)}
    moves = [form * side * side + row * side + col for form, row, col in placed]
    numbers = np.full(len(FORMS) * side * side, -1, np.int32)
    numbers[moves] = np.arange(len(moves))
    lists, ends = _lists(shapes, side)
    near = [_around(shape, side, ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))) for shape in shapes]
    far = [_around(shape, side, ((1, 1), (1, -1), (-1, 1), (-1, -1))) for shape in shapes]
    across = [cells - beside for cells, beside in zip(far, near, strict=True)]
    piece_of = [number for number, piece in enumerate(PIECES) for _ in piece.forms]
    return SmallBlokus(
        side=side,
        board=np.uint64(_mask((row, col) for row in range(side) for col in range(side))),
        symmetric=all(sorted(mine) == sorted((col, row) for row, col in mine) for mine in starts),
        starts=np.array([_mask(mine) for mine in starts], np.uint64),
        cells=np.array([_mask(shape) for shape in shapes], np.uint64),
        near=np.array([_mask(each) for each in near], np.uint64),
        across=np.array([_mask(each) for each in across], np.uint64),
        moves=np.array(moves, np.int32),
        numbers=numbers,
        pieces=np.array([piece_of[form] for form, _, _ in placed], np.int64),
        transposed=np.array([index[frozenset((col, row) for row, col in shape)] for shape in shapes], np.int32),
        lists=lists,
        ends=ends,
        sizes=np.array([piece.size for piece in PIECES], np.int64),
    )


def _mask(cells: Iterable[Square]) -> int:
    return sum(1 << (8 * row + col) for row, col in cells)


def _around(shape: frozenset[Square], side: int, steps: Iterable[Square]) -> frozenset[Square]:
    """The cells of the board that lie those steps from one of `shape`."""
    cells = {(row + down, col + right) for row, col in shape for down, right in steps}
    return frozenset((row, col) for row, col in cells if 0 <= row < side and 0 <= col < side)


BARRED = (((-1, 0), (0, -1)), ((-1, 0), (0, 1)), ((1, 0), (0, -1)), ((1, 0), (0, 1)), ())
"""Which neighbours of the cell the placements of each list keep off."""


def _lists(shapes: list[frozenset[Square]], side: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    found: list[int] = []
    ends = np.zeros(65 * len(BARRED), np.int32)
    for place in range(64):
        row, col = divmod(place, 8)
        for direction, steps in enumerate(BARRED):
            off = {(row + down, col + right) for down, right in steps}
            found += [at for at, shape in enumerate(shapes) if (row, col) in shape and not off & shape]
            ends[len(BARRED) * place + direction + 1] = len(found)
    return np.array(found, np.int32), ends


@jit
def beside(rules: SmallBlokus, cells: np.uint64) -> np.uint64:
    """`cells` and those that share an edge with one of them."""
    wide = cells | ((cells & NOT_RIGHT) << ONE) | ((cells & NOT_LEFT) >> ONE)
    return (wide | (cells << ROW) | (cells >> ROW)) & rules.board


@jit
def corners_of(rules: SmallBlokus, cells: np.uint64, barred: np.uint64, player: int) -> np.uint64:
    """Where a next piece of `player`, who has `cells`, may begin."""
    if cells == ZERO:
        return rules.starts[player] & ~barred
    sides = ((cells & NOT_RIGHT) << ONE) | ((cells & NOT_LEFT) >> ONE)
    return ((sides << ROW) | (sides >> ROW)) & rules.board & ~barred


@jit
def mover_of(positions: NDArray[np.uint64], ply: int) -> int:
    """The player to move in row `ply`."""
    return 1 if positions[ply, STATUS] & SECOND else 0


@jit
def transposed(word: np.uint64) -> np.uint64:
    """Rows and columns exchanged (three rounds of exchanges across the diagonal: Hacker's Delight, 7-3)."""
    swap = (word ^ (word >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    word ^= swap ^ (swap << np.uint64(7))
    swap = (word ^ (word >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    word ^= swap ^ (swap << np.uint64(14))
    swap = (word ^ (word >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return word ^ swap ^ (swap << np.uint64(28))


@offers(generate, SmallBlokus)
def _generate(
    rules: SmallBlokus, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> int:
    own, rival, status = positions[ply, OWN], positions[ply, RIVAL], positions[ply, STATUS]
    count = 0
    if status & DONE == ZERO:
        player = mover_of(positions, ply)
        barred = rival | beside(rules, own)
        corners = corners_of(rules, own, barred, player)
        theirs = rival | own | beside(rules, rival)
        targets = corners_of(rules, rival, theirs, 1 - player)
        begun = corners
        while corners:
            cell = lowest(corners)
            bit = corners & (~corners + ONE)
            above = row_of(cell) == 0 or barred & (bit >> ROW) != ZERO
            below = row_of(cell) == rules.side - 1 or barred & (bit << ROW) != ZERO
            left = col_of(cell) == 0 or barred & (bit >> ONE) != ZERO
            right = col_of(cell) == rules.side - 1 or barred & (bit << ONE) != ZERO
            direction = 4
            if (above or below) and (left or right):
                direction = (0 if above else 2) + (0 if left else 1)
            place = 5 * cell + direction
            for at in range(rules.ends[place], rules.ends[place + 1]):
                number = np.int64(rules.lists[at])
                cells = rules.cells[number]
                piece = rules.pieces[number]
                if cells & barred == ZERO and (status >> np.uint64(piece)) & ONE:
                    opened = popcount(rules.across[number] & ~(barred | begun))
                    lost = popcount(theirs | cells) - popcount(theirs)
                    worth = 6 * rules.sizes[piece] + 2 * opened + 5 * popcount(cells & targets) + lost
                    moves[ply, count] = number
                    weights[ply, count] = worth << 12
                    count += 1
            barred |= bit
            corners ^= bit
    if count == 0:
        moves[ply, 0] = rules.cells.size
        weights[ply, 0] = 0
        return 1
    return count


@jit
def row_of(cell: int) -> int:
    """The row of a bit."""
    return cell >> 3


@jit
def col_of(cell: int) -> int:
    """The column of a bit."""
    return cell & 7


@offers(play, SmallBlokus)
def _play(rules: SmallBlokus, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    own, status = positions[ply, OWN], positions[ply, STATUS]
    if move == rules.cells.size:
        status |= DONE
    else:
        own |= rules.cells[move]
        status &= ~(ONE << np.uint64(rules.pieces[move]))
    positions[ply + 1, OWN] = positions[ply, RIVAL]
    positions[ply + 1, RIVAL] = own
    after = ((status >> SIDE) & EVERY_PIECE) | ((status & EVERY_PIECE) << SIDE) | ((status & SECOND) ^ SECOND)
    if status & DONE:
        after |= RIVAL_DONE
    if status & RIVAL_DONE:
        after |= DONE
    positions[ply + 1, STATUS] = after


@jit
def _hope(rules: SmallBlokus, own: np.uint64, other: np.uint64, left: np.uint64, player: int) -> int:
    """More cells than this `player` will not cover any more: those its pieces could ever reach, and its pieces' own."""
    barred = other | beside(rules, own)
    reach = corners_of(rules, own, barred, player)
    free = rules.board & ~barred
    while True:
        sides = reach | ((reach & NOT_RIGHT) << ONE) | ((reach & NOT_LEFT) >> ONE)
        grown = (sides | (sides << ROW) | (sides >> ROW)) & free
        if grown == reach:
            break
        reach = grown
    squares = np.int64(0)
    cells = popcount(reach)
    while left and squares < cells:
        piece = np.int64(63) - _leading(left)
        squares += rules.sizes[piece]
        left ^= ONE << np.uint64(piece)
    return min(squares, cells)


@jit
def _leading(word: np.uint64) -> int:
    """How many bits stand above the highest one set."""
    place = np.int64(63)
    while (word >> np.uint64(place)) & ONE == ZERO:
        place -= 1
    return 63 - place


@offers(bounds, SmallBlokus)
def _bounds(rules: SmallBlokus, positions: NDArray[np.uint64], ply: int) -> tuple[int, int]:
    own, rival, status = positions[ply, OWN], positions[ply, RIVAL], positions[ply, STATUS]
    player = mover_of(positions, ply)
    margin = popcount(own) - popcount(rival)
    gain, loss = np.int64(0), np.int64(0)
    if status & DONE == ZERO:
        gain = _hope(rules, own, rival, status & EVERY_PIECE, player)
    if status & RIVAL_DONE == ZERO:
        loss = _hope(rules, rival, own, (status >> SIDE) & EVERY_PIECE, 1 - player)
    return (margin - loss) * UNIT, (margin + gain) * UNIT


@jit
def _room(rules: SmallBlokus, own: np.uint64, other: np.uint64, player: int) -> int:
    """The free cells within a piece's reach of the corners of `player`, and twice the corners."""
    barred = other | beside(rules, own)
    reach = corners_of(rules, own, barred, player)
    corners = popcount(reach)
    for _ in range(4):
        reach = beside(rules, reach) & ~barred
    return popcount(reach) + 2 * corners


@offers(evaluate, SmallBlokus)
def _evaluate(rules: SmallBlokus, positions: NDArray[np.uint64], ply: int) -> int:
    own, rival, status = positions[ply, OWN], positions[ply, RIVAL], positions[ply, STATUS]
    player = mover_of(positions, ply)
    score = (popcount(own) - popcount(rival)) * UNIT
    if status & DONE == ZERO:
        score += 2 * _room(rules, own, rival, player)
    if status & RIVAL_DONE == ZERO:
        score -= 2 * _room(rules, rival, own, 1 - player)
    return score


@offers(identify, SmallBlokus)
def _identify(rules: SmallBlokus, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, int]:
    own, rival = positions[ply, OWN], positions[ply, RIVAL]
    status = positions[ply, STATUS] >> np.uint64(42)
    key = mixed(mixed(own + ONE) ^ rival) + status * np.uint64(0x9E3779B97F4A7C15)
    if rules.symmetric:
        own, rival = transposed(own), transposed(rival)
        mirrored = mixed(mixed(own + ONE) ^ rival) + status * np.uint64(0x9E3779B97F4A7C15)
        if mirrored < key:
            return mixed(mirrored), 1
    return mixed(key), 0


@offers(turn, SmallBlokus)
def _turn(rules: SmallBlokus, move: int, symmetry: int) -> int:
    return move if symmetry == 0 or move == rules.cells.size else np.int64(rules.transposed[move])
