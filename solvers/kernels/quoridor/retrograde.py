"""Quoridor solved backwards, for boards of at most 32 cells and 16 places for walls: no search, no evaluation.

Walls never leave the board, so positions with the same walls form a small graph of their own: pawns walk in it, for
ever if they like, and leave it by placing a wall. `solve` goes from the fullest boards to the emptiest. What is won and
lost with the same walls spreads backwards over the steps until nothing changes; what neither side can force is a draw
(the value that play without end, or drawn by repetition, has).

Walls are a code: bit ``row * (cols - 1) + col`` for a wall "h" there, bits from the number of places on for walls "v".
A set of positions with the same walls and the same side to move is a table, uint32[cells]: row `second`, bit `first`
for the cells of the pawns.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.jit import jit

CELLS, PLACES = 32, 16

Tables = NDArray[np.uint32]
"""uint32[walls, shares, 2 players, 2, cells]: for each code of walls and each number of them that the first player
placed, by the side to move, the positions it wins and those it loses."""

WON, LOST = range(2)
STOP = 0
"""The place in ``control: int64[1]`` that ends `solve` when another thread sets it."""


class BoardSize(NamedTuple):
    """A size of board.  left: walls of both players before any of the codes is placed."""

    rows: int
    cols: int
    left: tuple[int, int]


def bytes_of(board: BoardSize, placed: int) -> int:
    """The bytes of `Tables` for each code of `placed` walls."""
    shares = min(placed, board.left[0]) - max(0, placed - board.left[1]) + 1
    return shares * 2 * 2 * 4 * board.rows * board.cols


@jit(arrays=True)
def clash(board: BoardSize, code: int, place: int, upright: int) -> bool:
    """Whether a wall has no room beside those of `code`."""
    cols = board.cols - 1
    places = (board.rows - 1) * cols
    every = code | (code >> places)
    if (every >> place) & 1:
        return True
    if upright:
        above = place >= cols and (code >> (places + place - cols)) & 1
        return above or (place + cols < places and (code >> (places + place + cols)) & 1) != 0
    before = place % cols > 0 and (code >> (place - 1)) & 1
    return before or (place % cols < cols - 1 and (code >> (place + 1)) & 1) != 0


@jit(arrays=True)
def following(board: BoardSize, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every code with one wall more, some of them more than once."""
    places = (board.rows - 1) * (board.cols - 1)
    found, count = np.empty(codes.size * 2 * places, np.int64), 0
    for code in codes:
        for wall in range(2 * places):
            if not clash(board, code, wall % places, wall // places):
                found[count] = code | (np.int64(1) << wall)
                count += 1
    return found[:count]


@jit(arrays=True)
def mirrored(board: BoardSize, code: int) -> int:
    """The code with left and right exchanged."""
    cols = board.cols - 1
    result = np.int64(0)
    for bit in range(2 * (board.rows - 1) * cols):
        if (code >> bit) & 1:
            result |= np.int64(1) << (bit - bit % cols + cols - 1 - bit % cols)
    return result


@jit(arrays=True)
def passages(board: BoardSize, code: int) -> tuple[np.uint32, np.uint32]:
    """The cells with a way to the right, and those with a way down."""
    rows, cols = board.rows, board.cols
    places = (rows - 1) * (cols - 1)
    east, south = np.uint32(0), np.uint32(0)
    for row in range(rows):
        for col in range(cols):
            bit = np.uint32(1 << (row * cols + col))
            if col < cols - 1:
                east |= bit
            if row < rows - 1:
                south |= bit
    for place in range(places):
        cell = place // (cols - 1) * cols + place % (cols - 1)
        if (code >> place) & 1:
            south &= ~np.uint32(3 << cell)
        if (code >> (places + place)) & 1:
            east &= ~(np.uint32(1 << cell) | np.uint32(1 << (cell + cols)))
    return east, south


@jit(arrays=True)
def spread(cols: int, east: np.uint32, south: np.uint32, cells: np.uint32) -> np.uint32:
    """The cells one step away."""
    return np.uint32(
        ((cells & east) << np.uint32(1))
        | ((cells >> np.uint32(1)) & east)
        | ((cells & south) << np.uint32(cols))
        | ((cells >> np.uint32(cols)) & south)
    )


@jit(arrays=True)
def homes(board: BoardSize, east: np.uint32, south: np.uint32) -> tuple[np.uint32, np.uint32]:
    """The cells from which the first player's row can be reached, and the second's."""
    top = np.uint32((1 << board.cols) - 1)
    first, second = top, np.uint32(top << np.uint32((board.rows - 1) * board.cols))
    while True:
        a = first | spread(board.cols, east, south, first)
        b = second | spread(board.cols, east, south, second)
        if a == first and b == second:
            return first, second
        first, second = a, b


@jit(arrays=True)
def jumps(board: BoardSize, east: np.uint32, south: np.uint32, found: NDArray[np.int64]) -> int:
    """Writes each jump there can be to ``found: int64[n, 3]``: whence, over which cell, whereto; how many there are."""
    cols, count = board.cols, 0
    for over in range(board.rows * cols):
        beside = spread(cols, east, south, np.uint32(1 << over))
        for whence in range(board.rows * cols):
            if not (beside >> np.uint32(whence)) & np.uint32(1):
                continue
            behind = 2 * over - whence
            straight = 0 <= behind < board.rows * cols and (beside >> np.uint32(behind)) & np.uint32(1)
            for to in range(board.rows * cols):
                if to == whence or not (beside >> np.uint32(to)) & np.uint32(1):
                    continue
                if to == behind or not straight:
                    found[count, 0], found[count, 1], found[count, 2] = whence, over, to
                    count += 1
    return count


@jit
def before(
    board: BoardSize,
    east: np.uint32,
    south: np.uint32,
    leaps: NDArray[np.int64],
    player: int,
    goals: NDArray[np.uint32],
    result: NDArray[np.uint32],
) -> None:
    """Writes to `result` the pawns from which a step of `player` can come into the table `goals`.

    leaps: int64[n, 3] as `jumps` found them. Pawns on one cell are left to the caller to take out.
    """
    cols = board.cols
    cells = board.rows * cols
    if player == 0:
        for second in range(cells):
            result[second] = spread(cols, east, south, goals[second])
        for at in range(leaps.shape[0]):
            if (goals[leaps[at, 1]] >> np.uint32(leaps[at, 2])) & np.uint32(1):
                result[leaps[at, 1]] |= np.uint32(1) << np.uint32(leaps[at, 0])
        return
    for second in range(cells):
        found = np.uint32(0)
        bit = np.uint32(1) << np.uint32(second)
        if east & bit:
            found |= goals[second + 1]
        if south & bit:
            found |= goals[second + cols]
        if second >= 1 and east & (bit >> np.uint32(1)):
            found |= goals[second - 1]
        if second >= cols and south & (bit >> np.uint32(cols)):
            found |= goals[second - cols]
        result[second] = found
    for at in range(leaps.shape[0]):
        if (goals[leaps[at, 2]] >> np.uint32(leaps[at, 1])) & np.uint32(1):
            result[leaps[at, 0]] |= np.uint32(1) << np.uint32(leaps[at, 1])


@jit
def settle(
    board: BoardSize,
    east: np.uint32,
    south: np.uint32,
    leaps: NDArray[np.int64],
    valid: NDArray[np.uint32],
    wins: NDArray[np.uint32],
    escapes: NDArray[np.uint32],
    found: NDArray[np.uint32],
    ranks: NDArray[np.int64],
    room: NDArray[np.uint32],
) -> None:
    """Spreads what is won and lost with the same walls backwards over the steps.

    valid: uint32[cells], pawns that can both come home.  wins, escapes: uint32[2, cells], what the side to move wins by
    a wall, and where it has a wall that does not lose.  found: uint32[2, 2, cells] takes the answer, as in `Tables`.
    ranks: int64[2, cells, cells] takes the round in which a position was decided, by side, second and first pawn; empty
    to do without.  room: uint32[3, cells].
    """
    cells = board.rows * board.cols
    top = np.uint32((1 << board.cols) - 1)
    lowest_row = cells - board.cols
    for second in range(cells):
        over = valid[second] if second >= lowest_row else np.uint32(0)
        found[0, LOST, second], found[1, LOST, second] = over, valid[second] & top & ~over
        found[0, WON, second], found[1, WON, second] = np.uint32(0), np.uint32(0)
    went_on, turn = True, 0
    while went_on:
        went_on = False
        for player in range(2):
            turn += 1
            rival = found[1 - player]
            # Won: a wall or a step into what the rival loses.  Lost: no wall or step but into what it wins.
            for second in range(cells):
                room[0, second] = valid[second] & ~rival[WON, second]
            before(board, east, south, leaps, player, rival[LOST], room[1])
            before(board, east, south, leaps, player, room[0], room[2])
            for second in range(lowest_row):
                playing = valid[second] & ~top
                won = playing & (wins[player, second] | room[1, second]) & ~found[player, WON, second]
                lost = playing & ~(escapes[player, second] | room[2, second]) & ~found[player, LOST, second]
                if not won | lost:
                    continue
                went_on = True
                found[player, WON, second] |= won
                found[player, LOST, second] |= lost
                for first in range(cells if ranks.size else 0):
                    if ((won | lost) >> np.uint32(first)) & np.uint32(1):
                        ranks[player, second, first] = turn


@jit(arrays=True)
def _reflect(cols: int, cells: int, table: NDArray[np.uint32], result: NDArray[np.uint32]) -> None:
    """Writes `table` with left and right exchanged to `result`."""
    row = np.uint32((1 << cols) - 1)
    for second in range(cells):
        bits, reflected = table[second - second % cols + cols - 1 - second % cols], np.uint32(0)
        for _ in range(cells // cols):
            part = bits & row
            for _ in range(cols):
                reflected = np.uint32((reflected << np.uint32(1)) | (part & np.uint32(1)))
                part >>= np.uint32(1)
            bits >>= np.uint32(cols)
        turned = np.uint32(0)  # the rows came out in the order opposite to theirs
        for _ in range(cells // cols):
            turned = np.uint32((turned << np.uint32(cols)) | (reflected & row))
            reflected >>= np.uint32(cols)
        result[second] = turned


@jit(arrays=True)
def place_of(codes: NDArray[np.int64], code: int) -> int:
    """Where `code` stands in the sorted `codes`, -1 if nowhere."""
    at = np.searchsorted(codes, code)
    return np.int64(at) if at < codes.size and codes[at] == code else np.int64(-1)


@jit(arrays=True)
def solve(
    board: BoardSize,
    placed: int,
    codes: NDArray[np.int64],
    later_codes: NDArray[np.int64],
    later: NDArray[np.uint32],
    ranks: NDArray[np.int64],
    control: NDArray[np.int64],
) -> NDArray[np.uint32]:
    """The `Tables` of boards with `placed` walls more than the first, from those with one more still.

    codes, later_codes: int64[walls], sorted; later: `Tables` of `later_codes`.  ranks: see `settle`; of the last code.
    """
    cells, cols = board.rows * board.cols, board.cols
    places = (board.rows - 1) * (cols - 1)
    least = max(0, placed - board.left[1])
    shares = min(placed, board.left[0]) - least + 1
    later_least = max(0, placed + 1 - board.left[1])
    tables = np.zeros((codes.size, shares, 2, 2, cells), np.uint32)
    wins, escapes = np.zeros((2, cells), np.uint32), np.zeros((2, cells), np.uint32)
    valid, room = np.zeros(cells, np.uint32), np.zeros((3, cells), np.uint32)
    later_valid = np.zeros((2 * places, cells), np.uint32)
    leaps, walls = np.zeros((8 * cells * 3, 3), np.int64), np.zeros(2 * places, np.int64)
    for at in range(codes.size):
        if control[STOP] != 0:
            break
        code = codes[at]
        twin = place_of(codes, mirrored(board, code))
        if 0 <= twin < at:
            for share in range(shares):
                for part in range(4):
                    player, kind = part // 2, part % 2
                    _reflect(cols, cells, tables[twin, share, player, kind], tables[at, share, player, kind])
            continue
        east, south = passages(board, code)
        _validate(board, east, south, valid)
        known = leaps[: jumps(board, east, south, leaps)]
        count = 0
        for wall in range(2 * places):
            if later_codes.size and not clash(board, code, wall % places, wall // places):
                walls[count] = place_of(later_codes, code | (np.int64(1) << wall))
                later_east, later_south = passages(board, later_codes[walls[count]])
                _validate(board, later_east, later_south, later_valid[count])
                count += 1
        for share in range(shares):
            wins[:] = 0
            escapes[:] = 0
            for player in range(2):
                laid = least + share if player == 0 else placed - least - share
                if laid == board.left[player]:
                    continue
                column = least + share + (1 - player) - later_least
                for other in range(count):
                    table = later[walls[other], column, 1 - player]
                    for second in range(cells):
                        wins[player, second] |= table[LOST, second]
                        escapes[player, second] |= later_valid[other, second] & ~table[WON, second]
            settle(board, east, south, known, valid, wins, escapes, tables[at, share], ranks, room)
    return tables


@jit(arrays=True)
def _validate(board: BoardSize, east: np.uint32, south: np.uint32, valid: NDArray[np.uint32]) -> None:
    """Writes the pawns that can both come home."""
    first, second = homes(board, east, south)
    for cell in range(board.rows * board.cols):
        bit = np.uint32(1) << np.uint32(cell)
        valid[cell] = first & ~bit if second & bit else np.uint32(0)
