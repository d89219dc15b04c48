"""Quoridor packed, for boards of at most 128 cells: walls as bits of two words each, and a shortest path each.

Cell ``row * cols + col`` has the bit of that number, in a low and a high word. A wall has the bit of the upper left one
of the four cells round its middle. Paths are bits too: an edge to the cell below or to the right has the bit of the
cell it leaves. They are found anew only when a wall cuts them or a pawn leaves them: most moves cost no search.

A wall can only close something off if it touches other walls or the edge at two of its three points, and only a player
whose path it cuts; the few that are left are tried by a flood of bits.

Moves: a cell's number for a step there, H or V more for a wall. Scores are for the side to move: STEP for a step of
lead, WIN less the steps still to walk for a game that is won.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, lowest, popcount
from solvers.kernels.jit import jit
from solvers.kernels.rules import (
    SCORE_LIMIT,
    bounds,
    evaluate,
    generate,
    identify,
    likely,
    margin,
    offers,
    play,
    prepare,
    reduce,
    refine,
    repeats,
    roll,
    turn,
    wait,
)

COMPILE_SECONDS = 40

CELLS = 128
H, V, ACTIONS = CELLS, 2 * CELLS, 3 * CELLS
"""What is added to a wall's number in moves, and how many moves there are."""

WORDS = 16
H_LOW, H_HIGH, V_LOW, V_HIGH, STATUS, KEY, MIRROR_KEY, LENGTHS, PATHS = range(9)
"""The words of a position: walls "h" and "v", the status, two hashes, the lengths of the paths, and from PATHS on
for each player the edges of its path downward (low, high) and to the right (low, high)."""

WIN = 30_000
STEP = 100
"""What a step's lead is worth in scores."""

MOST_LEFT = 31
"""More walls than that are worth no more."""

LEAD, MOVE, LEFT, BEST, SECOND = range(5)
"""The rows of an evaluation's table: by the walls both have left, what a step's lead and what the move is worth; by the
walls one has left, what these are worth; by the steps that the worst wall and the next would cost, what that costs
already. The first of BEST is how far from the window a score may be to have walls looked for at all."""

SIDE = np.uint64(1 << 32)
BYTE = np.uint64(0xFF)
QUIET_PLIES = np.uint64(127 << 40)
WAITED = np.uint64(1 << 47)

# A status, from the low bits: cell of the first pawn 8, of the second 8, walls left to the first 8, to the second 8,
# side to move 1, from bit 40 on the plies since the last wall (up to 127) 7, and whether the last ply was none 1.


class Quoridor(NamedTuple):
    """The rules of one size of board.

    rows, cols: as in the game.  full: whether a search must look at every wall, as a proof has to.
    slots: low and high word of the walls there can be.  east, south: the cells with a neighbour on that side.
    goals: uint64[2, 2], the rows the players go to.  edges: uint64[2], the points where walls meet the edge.
    top: the points of the first row, through which a wall "v" touches the upper edge.
    zobrist: uint64[6, 128], for walls "h" and "v", the pawns, and the walls left.
    mirrored: int64[2, 128], where a cell and a wall are with left and right exchanged.
    worth: int64[5, 2 * MOST_LEFT + 1], see LEAD.  layers: uint64[258, 2], room for two searches for paths.
    history: uint64[n], hashes of the positions since the last wall before the root, the latest last.
    """

    rows: int
    cols: int
    full: bool
    slots: NDArray[np.uint64]
    east: NDArray[np.uint64]
    south: NDArray[np.uint64]
    goals: NDArray[np.uint64]
    edges: NDArray[np.uint64]
    top: np.uint64
    zobrist: NDArray[np.uint64]
    mirrored: NDArray[np.int64]
    worth: NDArray[np.int64]
    layers: NDArray[np.uint64]
    history: NDArray[np.uint64]


def rules_of(rows: int, cols: int) -> Quoridor:
    """The packed rules, with an evaluation that knows nothing; raises ValueError for a board of more than 128 cells."""
    if rows * cols > CELLS:
        raise ValueError(f"{rows}x{cols} cells are {rows * cols}: {CELLS} can be packed")
    every = [(row, col) for row in range(rows) for col in range(cols)]

    def words(cells: list[tuple[int, int]]) -> NDArray[np.uint64]:
        bits = sum(1 << (row * cols + col) for row, col in cells)
        return np.array([bits % (1 << 64), bits >> 64], np.uint64)

    mirrored = np.zeros((2, CELLS), np.int64)
    for row, col in every:
        mirrored[0, row * cols + col] = row * cols + cols - 1 - col
        mirrored[1, row * cols + col] = row * cols + max(cols - 2 - col, 0)
    return Quoridor(
        rows=rows,
        cols=cols,
        full=False,
        slots=words([(row, col) for row, col in every if row < rows - 1 and col < cols - 1]),
        east=words([(row, col) for row, col in every if col < cols - 1]),
        south=words([(row, col) for row, col in every if row < rows - 1]),
        goals=np.array([words([(goal, col) for col in range(cols)]) for goal in (0, rows - 1)]),
        edges=words([(row, col) for row, col in every if row == rows - 1 or col == cols - 1]),
        top=np.uint64((1 << cols) - 1),
        zobrist=np.random.default_rng(9).integers(0, 1 << 64, (6, CELLS), np.uint64),
        mirrored=mirrored,
        worth=np.zeros((5, 2 * MOST_LEFT + 1), np.int64),
        layers=np.zeros((2 * CELLS + 2, 2), np.uint64),
        history=np.zeros(0, np.uint64),
    )


@jit(arrays=True)
def _up(low: np.uint64, high: np.uint64, by: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Both words shifted to higher numbers."""
    return low << by, (high << by) | (low >> (np.uint64(64) - by))


@jit(arrays=True)
def _down(low: np.uint64, high: np.uint64, by: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Both words shifted to lower numbers."""
    return (low >> by) | (high << (np.uint64(64) - by)), high >> by


@jit(arrays=True)
def _bit(at: int) -> tuple[np.uint64, np.uint64]:
    """The low and the high word with bit `at` set."""
    if at < 64:
        return ONE << np.uint64(at), ZERO
    return ZERO, ONE << np.uint64(at - 64)


@jit(arrays=True)
def has(low: np.uint64, high: np.uint64, at: int) -> bool:
    """Whether bit `at` is set."""
    if at < 64:
        return (low >> np.uint64(at)) & ONE != ZERO
    return (high >> np.uint64(at - 64)) & ONE != ZERO


@jit(arrays=True)
def side_of(status: np.uint64) -> int:
    """The seat to move."""
    return np.int64((status >> np.uint64(32)) & ONE)


@jit(arrays=True)
def pawn_of(status: np.uint64, seat: int) -> int:
    """The cell of a pawn."""
    return np.int64((status >> np.uint64(8 * seat)) & BYTE)


@jit(arrays=True)
def left_of(status: np.uint64, seat: int) -> int:
    """The walls a player has left."""
    return np.int64((status >> np.uint64(16 + 8 * seat)) & BYTE)


@jit(arrays=True)
def quiet_of(status: np.uint64) -> int:
    """The plies since the last wall, 127 for more."""
    return np.int64((status >> np.uint64(40)) & np.uint64(127))


@jit(arrays=True)
def length_of(lengths: np.uint64, seat: int) -> int:
    """The steps a player needs to its row, the rival's pawn aside."""
    return np.int64((lengths >> np.uint64(8 * seat)) & BYTE)


@jit(arrays=True)
def passages(
    rules: Quoridor, h_low: np.uint64, h_high: np.uint64, v_low: np.uint64, v_high: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The cells with a way to the right (low, high) and down (low, high) between these walls."""
    low, high = _up(v_low, v_high, np.uint64(rules.cols))
    east_low, east_high = rules.east[0] & ~(v_low | low), rules.east[1] & ~(v_high | high)
    low, high = _up(h_low, h_high, ONE)
    return east_low, east_high, rules.south[0] & ~(h_low | low), rules.south[1] & ~(h_high | high)


@jit(arrays=True)
def _reaches(
    rules: Quoridor,
    east_low: np.uint64,
    east_high: np.uint64,
    south_low: np.uint64,
    south_high: np.uint64,
    pawn: int,
    seat: int,
) -> bool:
    """Whether the pawn can come to its row through these passages."""
    cols = np.uint64(rules.cols)
    low, high = _bit(pawn)
    goal_low, goal_high = rules.goals[seat, 0], rules.goals[seat, 1]
    while True:
        was_low, was_high = low, high
        more_low, more_high = _up(low & south_low, high & south_high, cols)
        low, high = low | more_low, high | more_high
        more_low, more_high = _up(low & east_low, high & east_high, ONE)
        low, high = low | more_low, high | more_high
        more_low, more_high = _down(low, high, cols)
        low, high = low | (more_low & south_low), high | (more_high & south_high)
        more_low, more_high = _down(low, high, ONE)
        low, high = low | (more_low & east_low), high | (more_high & east_high)
        if (low & goal_low) | (high & goal_high):
            return True
        if low == was_low and high == was_high:
            return False


@jit(arrays=True)
def _spread(
    rules: Quoridor,
    east_low: np.uint64,
    east_high: np.uint64,
    south_low: np.uint64,
    south_high: np.uint64,
    low: np.uint64,
    high: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """These cells and those one step away."""
    cols = np.uint64(rules.cols)
    a, b = _up(low & south_low, high & south_high, cols)
    c, d = _up(low & east_low, high & east_high, ONE)
    e, f = _down(low, high, cols)
    g, h = _down(low, high, ONE)
    return low | a | c | (e & south_low) | (g & east_low), high | b | d | (f & south_high) | (h & east_high)


@jit(arrays=True)
def find_path(rules: Quoridor, positions: NDArray[np.uint64], ply: int, seat: int) -> bool:
    """Writes a shortest path of `seat` to row `ply`, and its length; False where there is none."""
    east_low, east_high, south_low, south_high = passages(
        rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    layers = rules.layers
    low, high = _bit(pawn_of(positions[ply, STATUS], seat))
    goal_low, goal_high = rules.goals[seat, 0], rules.goals[seat, 1]
    length = np.int64(0)
    while (low & goal_low) | (high & goal_high) == ZERO:
        layers[length, 0], layers[length, 1] = low, high
        was_low, was_high = low, high
        low, high = _spread(rules, east_low, east_high, south_low, south_high, low, high)
        if low == was_low and high == was_high:
            return False
        length += 1
    at = lowest(low & goal_low)
    if at == 64:
        at = 64 + lowest(high & goal_high)
    cols = np.int64(rules.cols)
    right_low, right_high, down_low, down_high = ZERO, ZERO, ZERO, ZERO
    for step in range(length - 1, -1, -1):
        low, high = layers[step, 0], layers[step, 1]
        # Bits shifted in from beyond the board are never passages, so no border needs a test.
        if at >= cols and has(low & south_low, high & south_high, at - cols):
            at -= cols
            a, b = _bit(at)
            down_low, down_high = down_low | a, down_high | b
        elif has(south_low, south_high, at) and has(low, high, at + cols):
            a, b = _bit(at)
            down_low, down_high = down_low | a, down_high | b
            at += cols
        elif at > 0 and has(low & east_low, high & east_high, at - 1):
            at -= 1
            a, b = _bit(at)
            right_low, right_high = right_low | a, right_high | b
        else:
            a, b = _bit(at)
            right_low, right_high = right_low | a, right_high | b
            at += 1
    first = PATHS + 4 * seat
    positions[ply, first], positions[ply, first + 1], positions[ply, first + 2], positions[ply, first + 3] = (
        down_low,
        down_high,
        right_low,
        right_high,
    )
    shift = np.uint64(8 * seat)
    positions[ply, LENGTHS] = (positions[ply, LENGTHS] & ~(BYTE << shift)) | (np.uint64(length) << shift)
    return True


@jit(arrays=True)
def cut_by(
    rules: Quoridor, positions: NDArray[np.uint64], ply: int, seat: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" (low, high) and "v" (low, high) that would cut the path of `seat`."""
    first = PATHS + 4 * seat
    down_low, down_high = positions[ply, first], positions[ply, first + 1]
    right_low, right_high = positions[ply, first + 2], positions[ply, first + 3]
    a, b = _down(down_low, down_high, ONE)
    c, d = _down(right_low, right_high, np.uint64(rules.cols))
    return down_low | a, down_high | b, right_low | c, right_high | d


@jit(arrays=True)
def room(
    rules: Quoridor, h_low: np.uint64, h_high: np.uint64, v_low: np.uint64, v_high: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" and "v" that neither overlap nor cross one that stands."""
    cols = np.uint64(rules.cols)
    a, b = _up(h_low, h_high, ONE)
    c, d = _down(h_low, h_high, ONE)
    e, f = _up(v_low, v_high, cols)
    g, h = _down(v_low, v_high, cols)
    every = h_low | v_low, h_high | v_high
    low, high = rules.slots[0] & ~every[0], rules.slots[1] & ~every[1]
    return low & ~(a | c), high & ~(b | d), low & ~(e | g), high & ~(f | h)


@jit(arrays=True)
def touching(
    rules: Quoridor, h_low: np.uint64, h_high: np.uint64, v_low: np.uint64, v_high: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" and "v" that would touch walls or the edge at two or more of their ends and middle."""
    cols = np.uint64(rules.cols)
    a, b = _up(h_low, h_high, ONE)
    c, d = _down(h_low, h_high, ONE)
    e, f = _up(v_low, v_high, cols)
    g, h = _down(v_low, v_high, cols)
    # Points are numbered like the walls whose middle they are. Those at the left edge have the numbers of the right
    # edge of the row above, which is an edge as well.
    low = rules.edges[0] | h_low | v_low | a | c | e | g
    high = rules.edges[1] | h_high | v_high | b | d | f | h
    a, b = _up(low, high, ONE)
    a |= ONE
    c, d = _down(low, high, ONE)
    e, f = _up(low, high, cols)
    e |= rules.top
    g, h = _down(low, high, cols)
    return (
        (a & c) | (low & (a | c)),
        (b & d) | (high & (b | d)),
        (e & g) | (low & (e | g)),
        (f & h) | (high & (f | h)),
    )


@jit(arrays=True)
def _shuts_off(rules: Quoridor, positions: NDArray[np.uint64], ply: int, wall: int, vertical: bool, seat: int) -> bool:
    """Whether a wall more would leave `seat` without a path."""
    low, high = _bit(wall)
    if vertical:
        passage = passages(
            rules,
            positions[ply, H_LOW],
            positions[ply, H_HIGH],
            positions[ply, V_LOW] | low,
            positions[ply, V_HIGH] | high,
        )
    else:
        passage = passages(
            rules,
            positions[ply, H_LOW] | low,
            positions[ply, H_HIGH] | high,
            positions[ply, V_LOW],
            positions[ply, V_HIGH],
        )
    return not _reaches(
        rules, passage[0], passage[1], passage[2], passage[3], pawn_of(positions[ply, STATUS], seat), seat
    )


@jit(arrays=True)
def _without_shutting(
    rules: Quoridor,
    positions: NDArray[np.uint64],
    ply: int,
    walls: np.uint64,
    doubtful: np.uint64,
    first: int,
    vertical: bool,
    seat: int,
) -> np.uint64:
    """`walls`, numbered from `first` on, less those of `doubtful` that leave `seat` without a path."""
    rest = walls & doubtful
    while rest:
        at = lowest(rest)
        rest &= rest - ONE
        if _shuts_off(rules, positions, ply, first + at, vertical, seat):
            walls ^= ONE << np.uint64(at)
    return walls


@jit(arrays=True)
def legal_walls(
    rules: Quoridor, positions: NDArray[np.uint64], ply: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The walls "h" and "v" the rules allow in row `ply`, whoever has walls left; both paths must be known."""
    walls = room(rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH])
    close = touching(
        rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    for seat in range(2):
        cut = cut_by(rules, positions, ply, seat)
        walls = (
            _without_shutting(rules, positions, ply, walls[0], close[0] & cut[0], 0, False, seat),
            _without_shutting(rules, positions, ply, walls[1], close[1] & cut[1], 64, False, seat),
            _without_shutting(rules, positions, ply, walls[2], close[2] & cut[2], 0, True, seat),
            _without_shutting(rules, positions, ply, walls[3], close[3] & cut[3], 64, True, seat),
        )
    return walls


@jit(arrays=True)
def legal_steps(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, np.uint64]:
    """The cells the pawn of the side to move can go to."""
    side = side_of(positions[ply, STATUS])
    here, rival = pawn_of(positions[ply, STATUS], side), pawn_of(positions[ply, STATUS], 1 - side)
    east_low, east_high, south_low, south_high = passages(
        rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    own_low, own_high = _bit(here)
    low, high = _spread(rules, east_low, east_high, south_low, south_high, own_low, own_high)
    low, high = low & ~own_low, high & ~own_high
    if not has(low, high, rival):
        return low, high
    rival_low, rival_high = _bit(rival)
    low, high = low & ~rival_low, high & ~rival_high
    a, b = _spread(rules, east_low, east_high, south_low, south_high, rival_low, rival_high)
    a, b = a & ~(own_low | rival_low), b & ~(own_high | rival_high)
    behind = 2 * rival - here
    if 0 <= behind < CELLS and has(a, b, behind):
        a, b = _bit(behind)
    return low | a, high | b


@jit(arrays=True)
def _keys_after(rules: Quoridor, table: int, kind: int, at: int) -> tuple[np.uint64, np.uint64]:
    """What a thing at a place adds to the hash and to that of the mirrored position; kind: 0 a cell, 1 a wall."""
    return rules.zobrist[table, at], rules.zobrist[table, rules.mirrored[kind, at]]


@jit(arrays=True)
def first_position(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> None:
    """Finishes row `ply`, of which walls and status are set: hashes and paths."""
    key, mirror = ZERO, ZERO
    for wall in range(rules.rows * rules.cols):
        for table in range(2):
            if has(positions[ply, H_LOW + 2 * table], positions[ply, H_HIGH + 2 * table], wall):
                a, b = _keys_after(rules, table, 1, wall)
                key, mirror = key ^ a, mirror ^ b
    status = positions[ply, STATUS]
    for seat in range(2):
        a, b = _keys_after(rules, 2 + seat, 0, pawn_of(status, seat))
        count = rules.zobrist[4 + seat, left_of(status, seat)]
        key, mirror = key ^ a ^ count, mirror ^ b ^ count
    if side_of(status):
        key, mirror = ~key, ~mirror
    positions[ply, KEY], positions[ply, MIRROR_KEY] = key, mirror
    find_path(rules, positions, ply, 0)
    find_path(rules, positions, ply, 1)


@jit(arrays=True)
def move_pawn(rules: Quoridor, positions: NDArray[np.uint64], ply: int, cell: int) -> None:
    """Row `ply` after a step of the side to move to `cell`, but for the hashes and the side to move."""
    status = positions[ply, STATUS]
    side = side_of(status)
    here = pawn_of(status, side)
    shift = np.uint64(8 * side)
    quiet = min(quiet_of(status) + 1, 127)
    status = (status & ~((BYTE << shift) | QUIET_PLIES)) | (np.uint64(cell) << shift)
    positions[ply, STATUS] = status | (np.uint64(quiet) << np.uint64(40))
    edge = min(here, cell)
    first = PATHS + 4 * side
    if abs(cell - here) == 1:
        first += 2
    elif abs(cell - here) != rules.cols:
        find_path(rules, positions, ply, side)
        return
    low, high = _bit(edge)
    if (positions[ply, first] & low) | (positions[ply, first + 1] & high):
        positions[ply, first], positions[ply, first + 1] = (
            positions[ply, first] & ~low,
            positions[ply, first + 1] & ~high,
        )
        positions[ply, LENGTHS] -= ONE << shift
    else:
        find_path(rules, positions, ply, side)


@jit(arrays=True)
def put_wall(rules: Quoridor, positions: NDArray[np.uint64], ply: int, wall: int, vertical: bool) -> None:
    """Row `ply` after a wall of the side to move, but for the hashes and the side to move."""
    side = side_of(positions[ply, STATUS])
    low, high = _bit(wall)
    cut_first, cut_second = cut_by(rules, positions, ply, 0), cut_by(rules, positions, ply, 1)
    positions[ply, STATUS] = (positions[ply, STATUS] - (ONE << np.uint64(16 + 8 * side))) & ~QUIET_PLIES
    if vertical:
        positions[ply, V_LOW], positions[ply, V_HIGH] = positions[ply, V_LOW] | low, positions[ply, V_HIGH] | high
        cuts_first = (cut_first[2] & low) | (cut_first[3] & high)
        cuts_second = (cut_second[2] & low) | (cut_second[3] & high)
    else:
        positions[ply, H_LOW], positions[ply, H_HIGH] = positions[ply, H_LOW] | low, positions[ply, H_HIGH] | high
        cuts_first = (cut_first[0] & low) | (cut_first[1] & high)
        cuts_second = (cut_second[0] & low) | (cut_second[1] & high)
    if cuts_first:
        find_path(rules, positions, ply, 0)
    if cuts_second:
        find_path(rules, positions, ply, 1)


@offers(play, Quoridor)
def _play(rules: Quoridor, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    after = ply + 1
    for word in range(WORDS):
        positions[after, word] = positions[ply, word]
    status = positions[after, STATUS] & ~WAITED
    positions[after, STATUS] = status
    side = side_of(status)
    if move < H:
        a, b = _keys_after(rules, 2 + side, 0, pawn_of(status, side))
        c, d = _keys_after(rules, 2 + side, 0, move)
        move_pawn(rules, positions, after, np.int64(move))
    else:
        vertical = move >= V
        wall = np.int64(move) - (V if vertical else H)
        a, b = _keys_after(rules, 1 if vertical else 0, 1, wall)
        left = left_of(status, side)
        c = rules.zobrist[4 + side, left] ^ rules.zobrist[4 + side, left - 1]
        d = c
        put_wall(rules, positions, after, wall, vertical)
    positions[after, STATUS] ^= SIDE
    positions[after, KEY], positions[after, MIRROR_KEY] = (
        ~(positions[after, KEY] ^ a ^ c),
        ~(positions[after, MIRROR_KEY] ^ b ^ d),
    )


ON_PATH, CUT, OTHER_STEP, NEAR, QUIET = 5 << 17, 3 << 17, 3 << 17, 1 << 17, 0
"""Weights of moves: a step along the path, a wall through the rival's path, another step, a wall that touches
something, and any other wall. What the search learned of a move (up to 65,535) adds to its class."""

CLOSING = 1 << 15
"""More weight for a wall that touches others or the edge at two of its points, less for one that cuts the own path."""

KNOWN_GOOD = 1 << 16
"""From this weight on a wall touches something or refuted other moves before."""


@jit(arrays=True)
def _list_walls(
    moves: NDArray[np.int32],
    weights: NDArray[np.int64],
    ply: int,
    count: int,
    walls: np.uint64,
    first: int,
    cut: np.uint64,
    own: np.uint64,
    close: np.uint64,
) -> int:
    """Adds `walls`, numbered from the move `first` on, behind the `count` moves listed; how many there are then."""
    while walls:
        at = lowest(walls)
        bit = walls & (~walls + ONE)
        walls ^= bit
        weight = np.int64(QUIET)
        if cut & bit:
            weight = CUT
        elif close & bit:
            weight = NEAR
        if close & bit:
            weight += CLOSING
        if own & bit:
            weight -= CLOSING
        moves[ply, count] = first + at
        weights[ply, count] = weight
        count += 1
    return count


@offers(generate, Quoridor)
def _generate(
    rules: Quoridor, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> int:
    status = positions[ply, STATUS]
    side = side_of(status)
    if has(rules.goals[1 - side, 0], rules.goals[1 - side, 1], pawn_of(status, 1 - side)):
        return 0
    here = pawn_of(status, side)
    low, high = legal_steps(rules, positions, ply)
    count = 0
    first = PATHS + 4 * side
    while low | high:
        if low:
            at = lowest(low)
            low &= low - ONE
        else:
            at = 64 + lowest(high)
            high &= high - ONE
        edge = min(here, at)
        along = first + 2 if abs(at - here) == 1 else first
        jumps = abs(at - here) != 1 and abs(at - here) != rules.cols
        ahead = jumps or has(positions[ply, along], positions[ply, along + 1], edge)
        moves[ply, count] = at
        weights[ply, count] = ON_PATH if ahead else OTHER_STEP
        count += 1
    if left_of(status, side) == 0:
        return count
    walls = legal_walls(rules, positions, ply)
    cut, own = cut_by(rules, positions, ply, 1 - side), cut_by(rules, positions, ply, side)
    close = touching(
        rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    count = _list_walls(moves, weights, ply, count, walls[0], H, cut[0], own[0], close[0])
    count = _list_walls(moves, weights, ply, count, walls[1], H + 64, cut[1], own[1], close[1])
    count = _list_walls(moves, weights, ply, count, walls[2], V, cut[2], own[2], close[2])
    return _list_walls(moves, weights, ply, count, walls[3], V + 64, cut[3], own[3], close[3])


@jit(arrays=True)
def _next_on_path(rules: Quoridor, positions: NDArray[np.uint64], ply: int, seat: int, here: int, before: int) -> int:
    """The cell behind `here` on the path of `seat`, to which it came from `before`."""
    first = PATHS + 4 * seat
    down_low, down_high = positions[ply, first], positions[ply, first + 1]
    right_low, right_high = positions[ply, first + 2], positions[ply, first + 3]
    cols = np.int64(rules.cols)
    if here + cols != before and has(down_low, down_high, here):
        return here + cols
    if here - cols != before and here >= cols and has(down_low, down_high, here - cols):
        return here - cols
    if here + 1 != before and has(right_low, right_high, here):
        return here + 1
    return here - 1


@jit(arrays=True)
def _walks_home(rules: Quoridor, positions: NDArray[np.uint64], ply: int, seat: int) -> bool:
    """Whether `seat`, whose rival has no wall left, wins by walking: it is first, and the pawns never come to meet."""
    status, lengths = positions[ply, STATUS], positions[ply, LENGTHS]
    own, rival = length_of(lengths, seat), length_of(lengths, 1 - seat)
    waits = 0 if side_of(status) == seat else 1
    if own + waits > rival:
        return False
    east_low, east_high, south_low, south_high = passages(
        rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    low, high = _bit(pawn_of(status, 1 - seat))
    here, before = pawn_of(status, seat), np.int64(-1)
    for _ in range(waits):
        low, high = _spread(rules, east_low, east_high, south_low, south_high, low, high)
        if has(low, high, here):
            return False
    for _ in range(own):
        here, before = _next_on_path(rules, positions, ply, seat, here, before), here
        # The rival must not stand there already, nor beside it with its next move: it could jump.
        low, high = _spread(rules, east_low, east_high, south_low, south_high, low, high)
        if has(low, high, here):
            return False
    return True


@offers(bounds, Quoridor)
def _bounds(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> tuple[int, int]:
    """A game that is over or decided by the next step, and races the rival cannot hinder any more."""
    status, lengths = positions[ply, STATUS], positions[ply, LENGTHS]
    side = side_of(status)
    if length_of(lengths, 1 - side) == 0:
        return -WIN, -WIN
    own = length_of(lengths, side)
    if own == 1:
        low, high = legal_steps(rules, positions, ply)
        if (low & rules.goals[side, 0]) | (high & rules.goals[side, 1]):
            return WIN - 1, WIN - 1
    if left_of(status, 1 - side) == 0 and _walks_home(rules, positions, ply, side):
        return WIN - own, WIN - 1
    if left_of(status, side) == 0 and _walks_home(rules, positions, ply, 1 - side):
        lost = length_of(lengths, 1 - side) - WIN
        return -WIN, lost
    return -WIN, WIN - 1


@offers(evaluate, Quoridor)
def _evaluate(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> int:
    """The lead in steps, the move, and the walls left; see LEAD."""
    status, lengths = positions[ply, STATUS], positions[ply, LENGTHS]
    side = side_of(status)
    lead = length_of(lengths, 1 - side) - length_of(lengths, side)
    mine, theirs = min(left_of(status, side), MOST_LEFT), min(left_of(status, 1 - side), MOST_LEFT)
    worth, both = rules.worth, mine + theirs
    score = worth[LEAD, both] * lead + worth[MOVE, both] + worth[LEFT, mine] - worth[LEFT, theirs]
    return min(max(score, -WIN // 2), WIN // 2)


@jit(arrays=True)
def threats(rules: Quoridor, positions: NDArray[np.uint64], ply: int, seat: int) -> tuple[int, int]:
    """How much longer the worst wall, and the next, would make the way of `seat`; none that cuts the rival's path.

    A path that a wall cuts comes to it by cells no nearer than before, and leaves it by cells that are as near to the
    row as before: only the way between the two is looked for.
    """
    east_low, east_high, south_low, south_high = passages(
        rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH]
    )
    free = room(rules, positions[ply, H_LOW], positions[ply, H_HIGH], positions[ply, V_LOW], positions[ply, V_HIGH])
    own = cut_by(rules, positions, ply, 1 - seat)
    h_low, h_high, v_low, v_high = free[0] & ~own[0], free[1] & ~own[1], free[2] & ~own[2], free[3] & ~own[3]
    layers, cols = rules.layers, np.int64(rules.cols)
    length = length_of(positions[ply, LENGTHS], seat)
    here, before = pawn_of(positions[ply, STATUS], seat), np.int64(-1)
    low, high = _bit(here)
    for at in range(length):
        layers[at, 0], layers[at, 1] = low, high
        low, high = _spread(rules, east_low, east_high, south_low, south_high, low, high)
    low, high = rules.goals[seat, 0], rules.goals[seat, 1]
    for at in range(length):
        layers[CELLS + at, 0], layers[CELLS + at, 1] = low, high
        low, high = _spread(rules, east_low, east_high, south_low, south_high, low, high)
    worst, next_worst = np.int64(0), np.int64(0)
    for step in range(length):
        ahead = _next_on_path(rules, positions, ply, seat, here, before)
        edge = min(here, ahead)
        upright = abs(ahead - here) == 1
        across = cols if upright else np.int64(1)
        for back in range(2):
            wall = edge - back * across
            if wall < 0 or not (has(v_low, v_high, wall) if upright else has(h_low, h_high, wall)):
                continue
            a, b = _bit(wall)
            c, d = _bit(wall + across)
            e, f, g, h = east_low, east_high, south_low, south_high
            other = wall + (1 - back) * across
            x, y = _bit(other)
            if upright:
                v_low, v_high = v_low & ~a, v_high & ~b
                x, y = x & east_low, y & east_high
                i, j = _up(x, y, ONE)
                e, f = e & ~(a | c), f & ~(b | d)
            else:
                h_low, h_high = h_low & ~a, h_high & ~b
                x, y = x & south_low, y & south_high
                i, j = _up(x, y, np.uint64(cols))
                g, h = g & ~(a | c), h & ~(b | d)
            x, y = x | i, y | j
            gone, rest = step, length - 1 - step
            while gone > 0 and ((layers[gone - 1, 0] & x) | (layers[gone - 1, 1] & y)) != ZERO:
                gone -= 1
            while rest > 0 and ((layers[CELLS + rest - 1, 0] & x) | (layers[CELLS + rest - 1, 1] & y)) != ZERO:
                rest -= 1
            low, high = layers[gone, 0], layers[gone, 1]
            goal_low, goal_high = layers[CELLS + rest, 0], layers[CELLS + rest, 1]
            while (low & goal_low) | (high & goal_high) == ZERO:
                was_low, was_high = low, high
                low, high = _spread(rules, e, f, g, h, low, high)
                gone += 1
                if low == was_low and high == was_high:
                    gone = -CELLS  # it may not be placed
                    break
            more = gone + rest - length
            if more > worst:
                worst, next_worst = more, worst
            elif more > next_worst:
                next_worst = more
        here, before = ahead, here
    return worst, next_worst


@offers(refine, Quoridor)
def _refine(rules: Quoridor, positions: NDArray[np.uint64], ply: int, score: int, alpha: int, beta: int) -> int:
    """Adds what walls threaten that are not laid yet, where that may decide; only a player with walls threatens."""
    worth = rules.worth
    near = worth[BEST, 0]
    if near == 0 or score >= beta + near or score <= alpha - near:
        return score
    status = positions[ply, STATUS]
    for seat in range(2):
        if left_of(status, 1 - seat):
            worst, next_worst = threats(rules, positions, ply, seat)
            cost = worth[BEST, min(worst, 2 * MOST_LEFT)] if worst else np.int64(0)
            cost += worth[SECOND, min(next_worst, 2 * MOST_LEFT)]
            score += -cost if seat == side_of(status) else cost
    return score


@offers(identify, Quoridor)
def _identify(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, int]:
    key, mirror = positions[ply, KEY], positions[ply, MIRROR_KEY]
    if mirror < key:
        return mirror, 1
    return key, 0


@offers(turn, Quoridor)
def _turn(rules: Quoridor, move: int, symmetry: int) -> int:
    if symmetry == 0:
        return move
    kind = move // CELLS
    return kind * CELLS + rules.mirrored[min(kind, 1), move - kind * CELLS]


@offers(repeats, Quoridor)
def _repeats(rules: Quoridor, positions: NDArray[np.uint64], ply: int) -> bool:
    quiet = quiet_of(positions[ply, STATUS])
    key = positions[ply, KEY]
    for back in range(4, quiet + 1, 2):
        earlier = ply - back
        if earlier >= 0:
            if positions[earlier, KEY] == key:
                return True
        elif -earlier > rules.history.size:
            return False
        elif rules.history[rules.history.size + earlier] == key:
            return True
    return False


@offers(reduce, Quoridor)
def _reduce(rules: Quoridor, weight: int, at: int, depth: int) -> int:
    """Walls that cut no path are searched less, and left out just before the end, where they can only cost."""
    if rules.full:
        return 0
    if weight >= CUT - CLOSING:
        return 1 if at >= 6 and depth >= 3 and weight < ON_PATH - CLOSING else 0
    if weight >= KNOWN_GOOD:
        return depth if depth <= 1 else 1 + depth // 6
    return depth if depth <= 2 else 2 + depth // 4


@offers(margin, Quoridor)
def _margin(rules: Quoridor, depth: int) -> int:
    """A good wall, and a step and a half for each ply to go; a proof leaves nothing at what it seems."""
    return 2 * SCORE_LIMIT if rules.full or depth > 3 else STEP + 3 * STEP // 2 * depth


@offers(wait, Quoridor)
def _wait(rules: Quoridor, positions: NDArray[np.uint64], ply: int, beta: int) -> bool:
    """Whoever has a wall left can lay it where it hardly matters; pawns face to face would rather not move."""
    status = positions[ply, STATUS]
    if rules.full or status & WAITED or left_of(status, side_of(status)) == 0:
        return False
    if evaluate(rules, positions, ply) < beta:
        return False
    after = ply + 1
    for word in range(WORDS):
        positions[after, word] = positions[ply, word]
    positions[after, STATUS] = ((status & ~QUIET_PLIES) ^ SIDE) | WAITED  # nothing before counts as repeated
    positions[after, KEY], positions[after, MIRROR_KEY] = ~positions[ply, KEY], ~positions[ply, MIRROR_KEY]
    return True


@offers(prepare, Quoridor)
def _prepare(
    rules: Quoridor, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> None:
    """Nothing: rows are complete as `play` writes them."""


@offers(likely, Quoridor)
def _likely(rules: Quoridor, weight: int) -> float:
    """Of the walls only those through the rival's path and those that may close something off are tried."""
    if weight >= ON_PATH:
        return 8.0
    if weight >= CUT - CLOSING:
        return 2.0 if weight > CUT else 1.0
    return 0.25 if weight >= NEAR else 0.0


WALK = np.uint64(179)
"""The chance, in 256, that a playout's move follows the path and is no wall: 0.7."""


@offers(roll, Quoridor)
def _roll(
    rules: Quoridor,
    positions: NDArray[np.uint64],
    ply: int,
    moves: NDArray[np.int32],
    weights: NDArray[np.int64],
    dice: np.uint64,
) -> int:
    """Mostly a step along the path, else a wall through the rival's path and not through the own one."""
    status = positions[ply, STATUS]
    side = side_of(status)
    if left_of(status, side) and (dice & BYTE) >= WALK:
        wall = _roll_wall(rules, positions, ply, dice >> np.uint64(8))
        if wall >= 0:
            return wall
    here, rival = pawn_of(status, side), pawn_of(status, 1 - side)
    ahead = _next_on_path(rules, positions, ply, side, here, np.int64(-1))
    if ahead != rival:
        return ahead
    low, high = legal_steps(rules, positions, ply)
    beyond = _next_on_path(rules, positions, ply, side, rival, here)
    if has(low, high, beyond):
        return beyond
    at = lowest(low)
    return at if at < 64 else 64 + lowest(high)


@jit(arrays=True)
def _roll_wall(rules: Quoridor, positions: NDArray[np.uint64], ply: int, dice: np.uint64) -> int:
    """A wall that leaves a path to both, -1 where the one that was drawn does not."""
    side = side_of(positions[ply, STATUS])
    h_low, h_high = positions[ply, H_LOW], positions[ply, H_HIGH]
    v_low, v_high = positions[ply, V_LOW], positions[ply, V_HIGH]
    free = room(rules, h_low, h_high, v_low, v_high)
    cut, own = cut_by(rules, positions, ply, 1 - side), cut_by(rules, positions, ply, side)
    count, place = np.int64(0), np.int64(-1)
    for part in range(4):
        count += popcount(free[part] & cut[part] & ~own[part])
    pick = np.int64(((dice & np.uint64(0xFFFFFFFF)) * np.uint64(count)) >> np.uint64(32))
    for part in range(4):
        word = free[part] & cut[part] & ~own[part]
        among = popcount(word)
        if 0 <= pick < among:
            for _ in range(pick):
                word &= word - ONE
            place = 64 * part + lowest(word)
        pick -= among
    if count == 0 or _shuts_off(rules, positions, ply, place % CELLS, place >= CELLS, 1 - side):
        return -1
    return H + place
