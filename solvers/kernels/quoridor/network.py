"""What a small network, trained on games of the search against itself, adds to what Quoridor's evaluation says.

It sees the board from the side to move, which walks upward: the pawns, the walls, how many either has left, how far
either has to go, and what the worst wall and the next would cost. Each of these chooses a row of the first layer. Their
sum is kept for either side, as of the last position of that side that was judged: where a search goes from one to the
next few of them change, on the way down and up alike, so that nothing need be undone.

What was learned with it says which moves are to be looked at first: walls by how they lie to either pawn, and what is
looked at further by how much longer the two ways become.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, lowest
from solvers.kernels.jit import jit
from solvers.kernels.whole_rows import UNITS, revise_row, weigh_row

SIDE, CELLS = 9, 81
"""Of the board it knows."""

MOST_LEFT, MOST_STEPS, MOST_COST = 10, 19, 7
"""Walls left, steps to go and steps that a wall costs; more count as that many."""

OWN, RIVAL, H_WALLS, V_WALLS = 0, CELLS, 2 * CELLS, 3 * CELLS
LEFT = 4 * CELLS
STEPS = LEFT + 2 * (MOST_LEFT + 1)
COSTS = STEPS + 2 * (MOST_STEPS + 1)
ROWS = COSTS + 4 * (MOST_COST + 1)
"""The first row of each kind of fact, those of the mover before those of the rival; how many there are in all."""

PAWNS, FACTS = 2, 10
"""How many rows are chosen for other things than walls: first those for the pawns."""

STAGES, STAGE_WALLS = 8, 3
"""Second layers, and how many walls left to both each serves."""

ONE_UNIT, ONE_WEIGHT = 256, 256
"""What 1 is in the sums, and in the second layers."""

ODDS = 400
"""What 1 more of the logarithm of the odds to win is worth, in hundredths of a step."""

WORDS = 4
"""Of the walls."""

AROUND = (2, 2, 2 * SIDE - 1, SIDE)
"""Whose pawn, the mover's or the rival's; wall "h" or "v"; rows from it to the wall, those ahead first; columns."""

SHORTER, LENGTHS = 2, 10
"""By how many steps at most a move makes a way shorter, a jump, and how many changes of a way are told apart."""


class PathsNetwork(NamedTuple):
    """The weights, and room to work in.

    rows: int16[ROWS, UNITS], none where there is no network.  heads: int16[STAGES, UNITS].
    shares: int64[STAGES, 2], of the plain evaluation in ONE_UNIT, and a constant in hundredths of a step.
    flips: int32[2, CELLS], where a cell is seen by either side, and in the rows below where a wall is.
    places: int32[2, CELLS, 2 * CELLS], what a wall, "h" or "v", weighs for where the mover's pawn and the rival's are,
    all as the mover sees them.  gains: int32[LENGTHS, LENGTHS], what a move weighs for making the mover's way and the
    rival's so much longer.  Both are empty where no order of moves was learned.
    sums: int16[2, UNITS], of the rows chosen for either side.  walls: uint64[2, WORDS] and facts: int32[2, FACTS], what
    was chosen.  added, taken: int32[n], rows to add and to take away.
    """

    rows: NDArray[np.int16]
    heads: NDArray[np.int16]
    shares: NDArray[np.int64]
    flips: NDArray[np.int32]
    places: NDArray[np.int32]
    gains: NDArray[np.int32]
    sums: NDArray[np.int16]
    walls: NDArray[np.uint64]
    facts: NDArray[np.int32]
    added: NDArray[np.int32]
    taken: NDArray[np.int32]


def beside(pawn: NDArray[np.int64], wall: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column in AROUND of a wall from a pawn, both as cells; a wall is between two columns and two rows."""
    rows, cols = wall // SIDE - pawn // SIDE, wall % SIDE - pawn % SIDE
    return rows + SIDE - 1, np.where(cols < 0, -1 - cols, cols)


class MoveOrder(NamedTuple):
    """What was learned of which moves to look at first.

    around: int32[AROUND].  gains: int32[LENGTHS, LENGTHS].
    """

    around: NDArray[np.int32]
    gains: NDArray[np.int32]

    def places(self) -> NDArray[np.int32]:
        """As `PathsNetwork` has them; walls lie to a pawn's left as to its right."""
        cells = np.arange(CELLS)
        far = beside(cells[:, None], cells[None])
        return self.around[:, :, far[0], far[1]].transpose(0, 2, 1, 3).reshape(2, CELLS, 2 * CELLS)


def network_of(
    rows: NDArray[np.int16], heads: NDArray[np.int16], shares: NDArray[np.int64], order: MoveOrder | None = None
) -> PathsNetwork:
    """The network of these weights, with room of its own."""
    cells = np.arange(CELLS)
    row, col = cells // SIDE, cells % SIDE
    flips = np.stack([cells, (SIDE - 1 - row) * SIDE + col, cells, np.maximum(SIDE - 2 - row, 0) * SIDE + col])
    network = PathsNetwork(
        rows=rows,
        heads=heads,
        shares=shares,
        flips=flips.astype(np.int32),
        places=np.zeros((2, 0, 0), np.int32) if order is None else order.places(),
        gains=np.zeros((0, 0), np.int32) if order is None else order.gains,
        sums=np.zeros((2, UNITS), np.int16),
        walls=np.zeros((2, WORDS), np.uint64),
        facts=np.zeros((2, FACTS), np.int32),
        added=np.zeros(2 * CELLS + FACTS, np.int32),
        taken=np.zeros(2 * CELLS + FACTS, np.int32),
    )
    if len(rows):
        network.sums[:] = FACTS * rows[0]  # as if row 0 had been chosen for every fact
    return network


def no_network() -> PathsNetwork:
    """Stands for a network where there is none."""
    return network_of(
        np.zeros((0, UNITS), np.int16), np.zeros((STAGES, UNITS), np.int16), np.zeros((STAGES, 2), np.int64)
    )


@jit(arrays=True)
def _list_walls(
    network: PathsNetwork, seat: int, bits: np.uint64, start: int, base: int, added: bool, count: int
) -> int:
    """Lists the rows of walls, numbered from `start` on, behind `count` rows; returns how many there are then."""
    while bits:
        row = base + network.flips[2 + seat, start + lowest(bits)]
        bits &= bits - ONE
        if added:
            network.added[count] = row
        else:
            network.taken[count] = row
        count += 1
    return count


@jit(arrays=True)
def _exchange_walls(
    network: PathsNetwork, seat: int, word: int, now: np.uint64, start: int, base: int, more: int, less: int
) -> tuple[int, int]:
    """Lists what has changed in a word of walls, and keeps it."""
    before = network.walls[seat, word]
    changed = before ^ now
    if changed != ZERO:
        network.walls[seat, word] = now
        more = _list_walls(network, seat, changed & now, start, base, True, more)
        less = _list_walls(network, seat, changed & before, start, base, False, less)
    return more, less


@jit(arrays=True)
def _exchange_fact(network: PathsNetwork, seat: int, fact: int, row: int, count: int) -> int:
    """Lists the row of a fact, and the one before, where it has changed."""
    before = network.facts[seat, fact]
    if before != row:
        network.facts[seat, fact] = row
        network.taken[count], network.added[count] = before, row
        return count + 1
    return count


@jit(arrays=True)
def orders(network: PathsNetwork) -> bool:
    """Whether an order of moves was learned."""
    return network.gains.shape[0] > 0


@jit(arrays=True)
def place_weight(network: PathsNetwork, seat: int, pawns: tuple[int, int], wall: int, vertical: bool) -> int:
    """What weighs for a wall of `seat`; pawns: the mover's and the rival's, as the mover sees them."""
    seen = np.int64(network.flips[2 + seat, wall]) + (CELLS if vertical else 0)
    return np.int64(network.places[0, pawns[0], seen]) + np.int64(network.places[1, pawns[1], seen])


@jit(arrays=True)
def gain_weight(network: PathsNetwork, own: int, rival: int) -> int:
    """What weighs for a move that makes the mover's way and the rival's so much longer."""
    return np.int64(
        network.gains[
            min(max(own + SHORTER, 0), LENGTHS - 1),
            min(max(rival + SHORTER, 0), LENGTHS - 1),
        ]
    )


@jit(arrays=True)
def stage_of(one: int, other: int) -> int:
    """Which second layer serves where the players have so many walls left."""
    return min((one + other + STAGE_WALLS - 1) // STAGE_WALLS, STAGES - 1)


@jit(arrays=True)
def corrected(
    network: PathsNetwork,
    seat: int,
    walls: tuple[np.uint64, np.uint64, np.uint64, np.uint64],
    pawns: tuple[int, int],
    left: tuple[int, int],
    steps: tuple[int, int],
    costs: tuple[int, int, int, int],
    score: int,
) -> int:
    """`score` as the network corrects it for `seat`, the side to move; of each pair the mover's is first.

    walls: "h" and "v", low and high.  costs: of the worst wall and the next against the mover, then against the rival.
    """
    count = _exchange_fact(network, seat, 0, OWN + np.int64(network.flips[seat, pawns[0]]), 0)
    count = _exchange_fact(network, seat, 1, RIVAL + np.int64(network.flips[seat, pawns[1]]), count)
    count = _exchange_fact(network, seat, 2, LEFT + min(left[0], MOST_LEFT), count)
    count = _exchange_fact(network, seat, 3, LEFT + MOST_LEFT + 1 + min(left[1], MOST_LEFT), count)
    count = _exchange_fact(network, seat, 4, STEPS + min(steps[0], MOST_STEPS), count)
    count = _exchange_fact(network, seat, 5, STEPS + MOST_STEPS + 1 + min(steps[1], MOST_STEPS), count)
    count = _exchange_fact(network, seat, 6, COSTS + min(costs[0], MOST_COST), count)
    count = _exchange_fact(network, seat, 7, COSTS + MOST_COST + 1 + min(costs[1], MOST_COST), count)
    count = _exchange_fact(network, seat, 8, COSTS + 2 * (MOST_COST + 1) + min(costs[2], MOST_COST), count)
    count = _exchange_fact(network, seat, 9, COSTS + 3 * (MOST_COST + 1) + min(costs[3], MOST_COST), count)
    more, less = _exchange_walls(network, seat, 0, walls[0], 0, H_WALLS, count, count)
    more, less = _exchange_walls(network, seat, 1, walls[1], 64, H_WALLS, more, less)
    more, less = _exchange_walls(network, seat, 2, walls[2], 0, V_WALLS, more, less)
    more, less = _exchange_walls(network, seat, 3, walls[3], 64, V_WALLS, more, less)
    revise_row(network.rows, network.added, more, network.taken, less, network.sums, seat)
    stage = stage_of(left[0], left[1])
    found = weigh_row(network.sums, seat, network.heads, stage) * ODDS // (ONE_UNIT * ONE_WEIGHT)
    return found + network.shares[stage, 1] + score * network.shares[stage, 0] // ONE_UNIT
