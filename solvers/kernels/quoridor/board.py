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

from solvers.kernels.bits import ONE, ZERO
from solvers.kernels.jit import jit
from solvers.kernels.quoridor.network import PathsNetwork, no_network

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


class Board(NamedTuple):
    """One size of board, which is all that the ways and the legal moves depend on: calls are quicker without the rest.

    rows, cols: as in the game.  slots: low and high word of the walls there can be.
    east, south: the cells with a neighbour on that side.
    goals: uint64[2, 2], the rows the players go to.  edges: uint64[2], the points where walls meet the edge.
    top: the points of the first row, through which a wall "v" touches the upper edge.
    zobrist: uint64[6, 128], for walls "h" and "v", the pawns, and the walls left.
    mirrored: int64[2, 128], where a cell and a wall are with left and right exchanged.
    layers: uint64[258, 2], room for two searches for paths.
    """

    rows: int
    cols: int
    slots: NDArray[np.uint64]
    east: NDArray[np.uint64]
    south: NDArray[np.uint64]
    goals: NDArray[np.uint64]
    edges: NDArray[np.uint64]
    top: np.uint64
    zobrist: NDArray[np.uint64]
    mirrored: NDArray[np.int64]
    layers: NDArray[np.uint64]


class Quoridor(NamedTuple):
    """The rules of one size of board.

    full: whether a search must look at every wall, as a proof has to.
    worth: int64[5, 2 * MOST_LEFT + 1], see LEAD.
    history: uint64[n], hashes of the positions since the last wall before the root, the latest last.
    network: what corrects the evaluation, if there is one.
    """

    board: Board
    full: bool
    worth: NDArray[np.int64]
    history: NDArray[np.uint64]
    network: PathsNetwork


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
    board = Board(
        rows=rows,
        cols=cols,
        slots=words([(row, col) for row, col in every if row < rows - 1 and col < cols - 1]),
        east=words([(row, col) for row, col in every if col < cols - 1]),
        south=words([(row, col) for row, col in every if row < rows - 1]),
        goals=np.array([words([(goal, col) for col in range(cols)]) for goal in (0, rows - 1)]),
        edges=words([(row, col) for row, col in every if row == rows - 1 or col == cols - 1]),
        top=np.uint64((1 << cols) - 1),
        zobrist=np.random.default_rng(9).integers(0, 1 << 64, (6, CELLS), np.uint64),
        mirrored=mirrored,
        layers=np.zeros((2 * CELLS + 2, 2), np.uint64),
    )
    worth, history = np.zeros((5, 2 * MOST_LEFT + 1), np.int64), np.zeros(0, np.uint64)
    return Quoridor(board, full=False, worth=worth, history=history, network=no_network())


@jit(arrays=True)
def with_history(rules: Quoridor, history: NDArray[np.uint64]) -> Quoridor:
    """The rules, with these positions since the last wall."""
    return Quoridor(rules.board, rules.full, rules.worth, history, rules.network)


@jit(arrays=True)
def up(low: np.uint64, high: np.uint64, by: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Both words shifted to higher numbers."""
    return low << by, (high << by) | (low >> (np.uint64(64) - by))


@jit(arrays=True)
def down(low: np.uint64, high: np.uint64, by: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Both words shifted to lower numbers."""
    return (low >> by) | (high << (np.uint64(64) - by)), high >> by


@jit(arrays=True)
def bit(at: int) -> tuple[np.uint64, np.uint64]:
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
    board: Board, h_low: np.uint64, h_high: np.uint64, v_low: np.uint64, v_high: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The cells with a way to the right (low, high) and down (low, high) between these walls."""
    low, high = up(v_low, v_high, np.uint64(board.cols))
    east_low, east_high = board.east[0] & ~(v_low | low), board.east[1] & ~(v_high | high)
    low, high = up(h_low, h_high, ONE)
    return east_low, east_high, board.south[0] & ~(h_low | low), board.south[1] & ~(h_high | high)


@jit(arrays=True)
def reaches(
    board: Board,
    east_low: np.uint64,
    east_high: np.uint64,
    south_low: np.uint64,
    south_high: np.uint64,
    pawn: int,
    seat: int,
) -> bool:
    """Whether the pawn can come to its row through these passages."""
    cols = np.uint64(board.cols)
    low, high = bit(pawn)
    goal_low, goal_high = board.goals[seat, 0], board.goals[seat, 1]
    while True:
        was_low, was_high = low, high
        more_low, more_high = up(low & south_low, high & south_high, cols)
        low, high = low | more_low, high | more_high
        more_low, more_high = up(low & east_low, high & east_high, ONE)
        low, high = low | more_low, high | more_high
        more_low, more_high = down(low, high, cols)
        low, high = low | (more_low & south_low), high | (more_high & south_high)
        more_low, more_high = down(low, high, ONE)
        low, high = low | (more_low & east_low), high | (more_high & east_high)
        if (low & goal_low) | (high & goal_high):
            return True
        if low == was_low and high == was_high:
            return False


@jit(arrays=True)
def spread(
    board: Board,
    east_low: np.uint64,
    east_high: np.uint64,
    south_low: np.uint64,
    south_high: np.uint64,
    low: np.uint64,
    high: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """These cells and those one step away."""
    cols = np.uint64(board.cols)
    a, b = up(low & south_low, high & south_high, cols)
    c, d = up(low & east_low, high & east_high, ONE)
    e, f = down(low, high, cols)
    g, h = down(low, high, ONE)
    return low | a | c | (e & south_low) | (g & east_low), high | b | d | (f & south_high) | (h & east_high)
