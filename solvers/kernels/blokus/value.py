"""How a game of two or four colours stands, by a small network that was trained on games of itself.

Of each cell it sees what each colour may still do there: nothing, lay a later piece, lay its next piece, begin its next
piece. The sixteen states of each cell for a pair of colours that move one after the other choose a row of the first
layer, seen from the colour that has just moved, the board turned so that all colours have one network. Pieces left,
colours that are out of placements, and among four who moves next choose rows too. Which weights the second layer has
depends on how many pieces lie.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.polyominoes import PIECES
from solvers.kernels.bits import ONE, ZERO, lowest, popcount
from solvers.kernels.blokus.board import EVERY_PIECE, HALF, LEFT, MARGIN, PAD, Blokus, is_done, later
from solvers.kernels.blokus.lanes import (
    ACROSS,
    BARRED,
    COVERED,
    LANES,
    MASKS,
    NO_FORM,
    differ,
    masks_of,
    plan,
    width_of,
    word_of,
)
from solvers.kernels.jit import jit
from solvers.kernels.rows import BLOCK, exchange_rows, sum_rows, weigh_row

STATES = 16
"""Of a cell for a pair of colours: four for each."""

STAGES, STAGE_PIECES = 6, 5
"""Second layers, and after how many pieces of each pair of colours the next one serves."""

TWO, THREE = np.uint64(2), np.uint64(3)

PLANES = 4
"""Boards that tell what a pair of colours may still do: two for each, see `solvers.kernels.blokus.lanes.plan`."""


class Net(NamedTuple):
    """The weights.

    rows: float32[rows_of, units], of each state of each cell, of each colour's pieces left, of colours that are
    done, of who moves next.  heads: float32[STAGES, units + 1], the second layers and their constants.
    """

    rows: NDArray[np.float32]
    heads: NDArray[np.float32]


class Workspace(NamedTuple):
    """Room to work in.

    chosen, taken: int32[rows], rows of the net.  hidden, before: float32[units], sums of rows, those before a
    placement. fields: uint[2 * colours, lanes], of each colour from the mover on the cells that are free, and those
    across from its own.  planes: uint[6 * colours, lanes], those of each colour before a placement, then
    after it, then nothing.  changed: uint64[a board's words].  masks: those of `masks_of`. places: int32[2 * colours,
    cells], for each colour, then for each on a board whose rows and columns are exchanged, the first row of the net
    that a cell chooses from; the last ones, from ``base`` on, are none of cells.
    """

    chosen: NDArray[np.int32]
    taken: NDArray[np.int32]
    hidden: NDArray[np.float32]
    before: NDArray[np.float32]
    fields: NDArray[Any]
    planes: NDArray[Any]
    changed: NDArray[np.uint64]
    masks: NDArray[Any]
    places: NDArray[np.int32]
    base: int


def learned_side(colours: int) -> int:
    """Of the board that a network learns; a smaller one lies in its middle, as if what is round it were barred."""
    return 14 if colours == 2 else 20


def rows_of(colours: int) -> int:
    """Rows of the first layer."""
    cells = learned_side(colours) ** 2 * STATES * (colours // 2)
    return cells + len(PIECES) * colours + colours + (colours if colours > 2 else 0)


def no_net() -> Net:
    """Stands for a network where there is none."""
    return Net(np.zeros((0, BLOCK), np.float32), np.zeros((STAGES, BLOCK + 1), np.float32))


def workspace_of(side: int, colours: int, units: int) -> Workspace:
    """Room for a board of two colours or four, and a network of so many hidden units."""
    width, learned, pairs = width_of(side), learned_side(colours), colours // 2
    lanes, margin = LANES[width], (learned - side) // 2
    whole = np.arange(learned**2, dtype=np.int32).reshape(learned, learned) * STATES * pairs
    places = []
    for mirrored in (False, True):
        for colour in range(colours):
            seen = np.rot90(whole.T if mirrored else whole, -(colour * 4 // colours))
            places.append(seen[margin : margin + side, margin : margin + side].ravel())
    rows = side * side * pairs + (len(PIECES) + 2) * colours
    return Workspace(
        chosen=np.zeros(rows, np.int32),
        taken=np.zeros(rows, np.int32),
        hidden=np.zeros(units, np.float32),
        before=np.zeros(units, np.float32),
        fields=np.zeros((2 * colours, lanes), f"uint{width}"),
        planes=np.zeros((6 * colours, lanes), f"uint{width}"),
        changed=np.zeros(lanes * width // 64, np.uint64),
        masks=masks_of(width),
        places=np.array(places),
        base=learned**2 * STATES * pairs,
    )


@jit
def pieces_left(rules: Blokus, positions: NDArray[np.uint64], ply: int, colour: int) -> np.uint64:
    """The pieces `colour` still has, a bit each."""
    return positions[ply, colour * rules.block + rules.side + MARGIN + LEFT] & EVERY_PIECE


@jit
def reach(left: np.uint64) -> int:
    """Steps from the first to the last square of the largest piece left."""
    if left >> np.uint64(9):
        return 4
    if left >> np.uint64(4):
        return 3
    if left >> np.uint64(2):
        return 2
    return 1 if left >> ONE else 0


@jit
def add_pieces(workspace: Workspace, view: int, left: np.uint64, count: int) -> int:
    """Adds the rows of pieces left to a list of `count` chosen ones; returns how many there are then."""
    first = workspace.base + view * len(PIECES)
    while left:
        workspace.chosen[count] = first + lowest(left)
        count += 1
        left &= left - ONE
    return count


@jit
def add_status(workspace: Workspace, colours: int, done: int, turn: int, count: int) -> int:
    """The same of the colours that are done, bits of `done` from the mover on, and of who is next, `turn` turns on."""
    first = workspace.base + len(PIECES) * colours
    for view in range(colours):
        if (done >> view) & 1:
            workspace.chosen[count] = first + view
            count += 1
    if colours > 2:
        workspace.chosen[count] = first + colours + turn
        count += 1
    return count


@jit
def stage_of(laid: int, colours: int) -> int:
    """Which second layer serves when `laid` pieces lie."""
    return min(2 * laid // (STAGE_PIECES * colours), STAGES - 1)


@jit
def judged(net: Net, workspace: Workspace, stage: int) -> float:
    """The output for what stands in ``workspace.hidden``."""
    return net.heads[stage, workspace.hidden.size] + weigh_row(net.heads, stage, workspace.hidden)


@jit
def chance(logarithm: float) -> float:
    """From 0 to 1, of odds."""
    return 1.0 / (1.0 + np.exp(-logarithm))


@jit
def look(rules: Blokus, workspace: Workspace, positions: NDArray[np.uint64], ply: int, mover: int) -> None:
    """Writes the fields and the planes of a position as `mover` sees it."""
    inside = (ONE << np.uint64(rules.side)) - ONE
    for view in range(rules.colours):
        colour = later(rules, mover, view)
        base, done = colour * rules.block + PAD, is_done(rules, positions, ply, colour)
        for row in range(rules.side):
            word = positions[ply, base + row]
            workspace.fields[2 * view, row + 1] = ((~word >> np.uint64(PAD)) & inside) << ONE
            across = (word >> (HALF + np.uint64(PAD))) & inside
            workspace.fields[2 * view + 1, row + 1] = ZERO if done else across << ONE
        steps, nothing = reach(pieces_left(rules, positions, ply, colour)), MASKS * NO_FORM
        plan(workspace.fields, workspace.masks, workspace.planes, 2 * view, nothing, nothing, 0, 0, steps, 2 * view)


@jit
def add_cells(rules: Blokus, workspace: Workspace, seen: int) -> int:
    """Lists the rows that cells choose by the planes before a placement, which row `seen` of places numbers."""
    return _list_changes(rules, workspace, seen, 4 * rules.colours, 0, 0)[0]


@jit
def _list_changes(rules: Blokus, workspace: Workspace, seen: int, old: int, new: int, less: int) -> tuple[int, int]:
    """Lists the rows that cells choose by the planes from row `new` on and did not by those from row `old` on.

    Those that they chose no more come behind the first `less` that are taken; returns how many either are then.
    """
    more, planes = 0, workspace.planes
    for pair in range(rules.colours >> 1):
        before, after = old + PLANES * pair, new + PLANES * pair
        differ(planes, before, after, workspace.changed)
        for word in range(workspace.changed.size):
            changed = workspace.changed[word]
            while changed:
                number = lowest(changed)
                changed &= changed - ONE
                lane, bit = _place_of(workspace, word, number)
                first = workspace.places[seen, (lane - 1) * rules.side + bit - 1] + STATES * pair
                state = _state_of(workspace, before, word, number)
                workspace.taken[less] = first + state
                less += state != 0
                state = _state_of(workspace, after, word, number)
                workspace.chosen[more] = first + state
                more += state != 0
    return more, less


@jit
def _place_of(workspace: Workspace, word: int, number: int) -> tuple[int, int]:
    """The lane and the bit in it of a bit of a word of ``workspace.changed``."""
    width = 8 * workspace.planes.itemsize
    return (64 * word + number) // width, number % width


@jit
def _state_of(workspace: Workspace, first: int, word: int, number: int) -> int:
    """The state of a cell for the pair whose planes begin in row `first`: which of its rows it chooses."""
    planes, place = workspace.planes, np.uint64(number)
    own, begun = word_of(planes, first, word) >> place, word_of(planes, first + 1, word) >> place
    other, theirs = word_of(planes, first + 2, word) >> place, word_of(planes, first + 3, word) >> place
    return np.int64((own & ONE) << THREE | (begun & ONE) << TWO | (other & ONE) << ONE | (theirs & ONE))


@jit
def survey(rules: Blokus, net: Net, workspace: Workspace, positions: NDArray[np.uint64], ply: int, mover: int) -> int:
    """Prepares `odds_after` for the placements `mover` has in a position: what all may do, as if it had just moved.

    Returns how many pieces lie.
    """
    look(rules, workspace, positions, ply, mover)
    return _sum_up(rules, net, workspace, positions, ply, mover, 1)


@jit
def _sum_up(
    rules: Blokus, net: Net, workspace: Workspace, positions: NDArray[np.uint64], ply: int, mover: int, turn: int
) -> int:
    """Writes the sum of the rows of what was looked at to ``workspace.before``; returns how many pieces lie."""
    count, laid, done, colours = add_cells(rules, workspace, mover), 0, 0, rules.colours
    for view in range(colours):
        colour = later(rules, mover, view)
        left = pieces_left(rules, positions, ply, colour)
        count = add_pieces(workspace, view, left, count)
        laid += len(PIECES) - popcount(left)
        done |= np.int64(is_done(rules, positions, ply, colour)) << view
    count = add_status(workspace, colours, done, turn, count)
    sum_rows(net.rows, workspace.chosen, count, workspace.before)
    return laid


@jit
def odds(
    rules: Blokus, net: Net, workspace: Workspace, positions: NDArray[np.uint64], ply: int, colour: int, turn: int
) -> float:
    """The logarithm of the odds of `colour`, `turn` turns before the one to move: 1 if it has just moved."""
    look(rules, workspace, positions, ply, colour)
    laid = _sum_up(rules, net, workspace, positions, ply, colour, turn)
    for unit in range(workspace.hidden.size):
        workspace.hidden[unit] = workspace.before[unit]
    return judged(net, workspace, stage_of(laid, rules.colours))


@jit
def odds_after(
    rules: Blokus,
    net: Net,
    workspace: Workspace,
    positions: NDArray[np.uint64],
    ply: int,
    mover: int,
    move: int,
    laid: int,
) -> float:
    """As `odds` after a placement of `mover` in the position that was surveyed last, in which `laid` pieces lie."""
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    col = rest - row * rules.side
    piece, nothing = rules.piece_of[form], MASKS * NO_FORM
    fields, masks, planes = workspace.fields, workspace.masks, workspace.planes
    own = pieces_left(rules, positions, ply, mover)
    if own == EVERY_PIECE:  # no start cell serves a second piece
        for lane in range(fields.shape[1]):
            fields[1, lane] = ZERO
    left, after = reach(own & ~(ONE << np.uint64(piece))), 2 * rules.colours
    plan(fields, masks, planes, 0, MASKS * form + BARRED, MASKS * form + ACROSS, row, col, left, after)
    for view in range(1, rules.colours):
        colour = later(rules, mover, view)
        steps = reach(pieces_left(rules, positions, ply, colour))
        plan(fields, masks, planes, 2 * view, MASKS * form + COVERED, nothing, row, col, steps, after + 2 * view)
    workspace.taken[0] = workspace.base + piece
    more, less = _list_changes(rules, workspace, mover, 0, after, 1)
    exchange_rows(net.rows, workspace.chosen, more, workspace.taken, less, workspace.before, workspace.hidden)
    return judged(net, workspace, stage_of(laid + 1, rules.colours))
