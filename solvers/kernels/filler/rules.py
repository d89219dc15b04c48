"""Filler packed, for boards of at most 64 cells: the two territories, one word each, and the colours they have.

Neutral cells never change their colour, so the board's colours are masks of the rules, not of the position.

Cell ``row * cols + col`` has the bit of that number. Scores are the margin of cells times UNIT, which leaves `evaluate`
room for half cells.

Proofs without search (`bounds`), for the plain rules: a cell that only one player can reach through neutral cells will
be that player's, however the rival plays, if the last move captured something. The rival can bar a colour only by
having it, and must give it up on its next move, so whoever has cells to take is never kept from it for four moves in a
row. Hence the margin is exact once no neutral cell can be reached by both, and bounded by the contested cells before:
of those the side to move can take the most any colour captures, and then its rival the most of all colours but the one
the side to move has taken, at least the second most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, mixed, popcount
from solvers.kernels.jit import jit
from solvers.kernels.rules import SCORE_LIMIT, bounds, evaluate, generate, identify, offers, play, turn

OWN, RIVAL, STATUS, CONTESTED, CAPTURES = range(5)
"""The words of a position: the territories of the side to move and of its rival, its status, the cells both can reach
where its bounds are known, and from CAPTURES on, three for each colour, what `generate` found of the move: the cells it
captures, the status and the contested cells it leads to."""

MOST_COLOURS = 10
WORDS = CAPTURES + 3 * MOST_COLOURS

UNIT = 2
"""A cell of margin in this module's scores."""

PROMISING_STEPS = 3
"""How far `promise` looks: the order is as good as by looking to the end (less than half the positions of a proof
without looking), and costs less."""

# A status, from the low bits: own colour 8, rival's colour 8, idle moves 4, first move open 1, margin known 1, then
# the margin without the contested cells plus 4,096 in 16 bits.
OPEN = np.uint64(1 << 20)
KNOWN = np.uint64(1 << 21)
IDENTITY = np.uint64((1 << 21) - 1)


class Filler(NamedTuple):
    """One board and its rules.

    classes: uint64[colours], the cells of each colour when the game was dealt.  board: a bit for each playable cell.
    not_left, not_right: the cells that are not in the first or last column.  like_right, like_below: those with a
    neighbour of the same colour there.  cols: cells of a row.  colours: how many.
    plain: whether neither of the following is in force, so that `bounds` may prove anything.
    majority, ring, gain, shared, idle_limit: as in ``games.filler.Rules``.  kept: whether players keep their colours.
    salt: a hash of the board, so that boards may share a table.
    """

    classes: NDArray[np.uint64]
    board: np.uint64
    not_left: np.uint64
    not_right: np.uint64
    like_right: np.uint64
    like_below: np.uint64
    cols: int
    colours: int
    plain: bool
    majority: bool
    ring: bool
    gain: bool
    kept: bool
    shared: bool
    idle_limit: int
    salt: np.uint64


@jit(arrays=True)
def status_of(own: int, rival: int, idle: int, opening: bool) -> np.uint64:
    """The status of a position of unknown bounds: the colours, idle moves, whether the rival's colour is open."""
    return np.uint64(own | (rival << 8) | (idle << 16) | (int(opening) << 20))


@jit(arrays=True)
def spread(rules: Filler, cells: np.uint64) -> np.uint64:
    """`cells` and their neighbours."""
    right = (cells & rules.not_right) << ONE
    left = (cells & rules.not_left) >> ONE
    return cells | right | left | (cells << np.uint64(rules.cols)) | (cells >> np.uint64(rules.cols))


@jit(arrays=True)
def flood(rules: Filler, cells: np.uint64, within: np.uint64) -> np.uint64:
    """The cells of `within` that are connected to `cells` through `within`, not counting those only in `cells`."""
    found = spread(rules, cells) & within
    if found == ZERO:
        return found
    while True:
        grown = spread(rules, found) & within
        if grown == found:
            return found
        found = grown


@jit(arrays=True)
def _divided(rules: Filler, own: np.uint64, rival: np.uint64) -> tuple[int, np.uint64]:
    """The margin of `own` without the cells that both can reach, and those, if the last move captured something."""
    neutral = rules.board & ~(own | rival)
    mine, theirs = flood(rules, own, neutral), flood(rules, rival, neutral)
    return popcount(own | (mine & ~theirs)) - popcount(rival | (theirs & ~mine)), mine & theirs


@jit(arrays=True)
def gains(rules: Filler, own: np.uint64, within: np.uint64) -> np.uint64:
    """The cells of `within`, neutral ones, that `own` would take, each with its own colour: all moves at once."""
    found = spread(rules, own) & within
    while True:
        right, below = rules.like_right, rules.like_below
        grown = found | ((found & right) << ONE) | ((found >> ONE) & right)
        grown |= ((found & below) << np.uint64(rules.cols)) | ((found >> np.uint64(rules.cols)) & below)
        grown &= within
        if grown == found:
            return found
        found = grown


@jit(arrays=True)
def _sure(rules: Filler, own: np.uint64, contested: np.uint64, barred: int) -> tuple[int, int]:
    """The most and the second most contested cells that `own` takes with one colour that is not `barred`."""
    taken = gains(rules, own, contested)
    most, second = np.int64(0), np.int64(0)
    for colour in range(rules.colours):
        if colour != barred:
            gain = popcount(taken & rules.classes[colour])
            if gain > most:
                most, second = gain, most
            elif gain > second:
                second = gain
    return most, second


@jit(arrays=True)
def nearer(rules: Filler, mover: np.uint64, other: np.uint64) -> int:
    """The margin of `mover`, whose turn it is, if each cell went to the player fewer moves away (a Voronoi diagram)."""
    neutral = rules.board & ~(mover | other)
    while neutral:
        mine = spread(rules, mover) & neutral
        neutral ^= mine
        theirs = spread(rules, other) & neutral
        neutral ^= theirs
        if mine | theirs == ZERO:
            break
        mover |= mine
        other |= theirs
    return popcount(mover) - popcount(other)


@jit(arrays=True)
def promise(rules: Filler, own: np.uint64, rival: np.uint64) -> int:
    """How early to search a move after which `own` and `rival` stand so: who is nearer to more, then the frontier.

    Cells at the same distance go to nobody; given to the side to move, as in `nearer`, they make a better guess at the
    score and a worse order (twice the positions to prove a phone's board).
    """
    frontier = popcount(spread(rules, own) & ~rival)
    neutral = rules.board & ~(own | rival)
    for _ in range(PROMISING_STEPS):
        mine, theirs = spread(rules, own) & neutral, spread(rules, rival) & neutral
        if mine | theirs == ZERO:
            break
        neutral &= ~(mine | theirs)
        own |= mine & ~theirs
        rival |= theirs & ~mine
    return 4 * (popcount(own) - popcount(rival)) + frontier


@jit(arrays=True)
def over(rules: Filler, own: np.uint64, rival: np.uint64, status: np.uint64) -> bool:
    """Whether the rules end the game here."""
    if own | rival == rules.board or (status >> np.uint64(16)) & np.uint64(15) >= np.uint64(rules.idle_limit):
        return True
    return rules.majority and 2 * max(popcount(own), popcount(rival)) > popcount(rules.board)


@offers(generate, Filler)
def _generate(
    rules: Filler, positions: NDArray[np.uint64], ply: int, moves: NDArray[np.int32], weights: NDArray[np.int64]
) -> int:
    own, rival, status = positions[ply, OWN], positions[ply, RIVAL], positions[ply, STATUS]
    if over(rules, own, rival, status):
        return 0
    mine = np.int64(status & np.uint64(255))
    theirs = np.int64((status >> np.uint64(8)) & np.uint64(255))
    idle = np.int64((status >> np.uint64(16)) & np.uint64(15))
    opening = status & OPEN != ZERO
    neutral = rules.board & ~(own | rival)
    within_reach = spread(rules, own) & neutral if rules.ring else gains(rules, own, neutral)
    count, gaining = 0, 0
    unmoved = np.int64(SCORE_LIMIT)
    for colour in range(rules.colours):
        if colour == mine or (colour == theirs and not opening):
            continue
        taken = within_reach & rules.classes[colour]
        grown = own | taken
        after = status_of(theirs, mine if rules.kept else colour, 0 if taken else idle + 1, rules.shared)
        if taken:
            weight = promise(rules, grown, rival)
        else:
            if unmoved == SCORE_LIMIT:
                unmoved = promise(rules, own, rival)
            weight = unmoved
        if taken and rules.plain:
            margin, contested = _divided(rules, rival, grown)
            after |= KNOWN | np.uint64(margin + 4096) << np.uint64(22)
            weight -= 4 * margin
            positions[ply, CAPTURES + 3 * colour + 2] = contested
        positions[ply, CAPTURES + 3 * colour] = taken
        positions[ply, CAPTURES + 3 * colour + 1] = after
        moves[ply, count] = colour
        weights[ply, count] = weight << 20
        count += 1
        gaining += taken != ZERO
    if rules.gain and gaining:
        kept = 0
        for at in range(count):
            if positions[ply, CAPTURES + 3 * moves[ply, at]]:
                moves[ply, kept], weights[ply, kept] = moves[ply, at], weights[ply, at]
                kept += 1
        return kept
    return count


@offers(play, Filler)
def _play(rules: Filler, positions: NDArray[np.uint64], ply: int, move: int) -> None:
    positions[ply + 1, OWN] = positions[ply, RIVAL]
    positions[ply + 1, RIVAL] = positions[ply, OWN] | positions[ply, CAPTURES + 3 * move]
    positions[ply + 1, STATUS] = positions[ply, CAPTURES + 3 * move + 1]
    positions[ply + 1, CONTESTED] = positions[ply, CAPTURES + 3 * move + 2]


@offers(bounds, Filler)
def _bounds(rules: Filler, positions: NDArray[np.uint64], ply: int) -> tuple[int, int]:
    own, rival, status = positions[ply, OWN], positions[ply, RIVAL], positions[ply, STATUS]
    if status & KNOWN:
        margin = np.int64((status >> np.uint64(22)) & np.uint64(0xFFFF)) - 4096
        contested = positions[ply, CONTESTED]
        if contested == ZERO:
            return UNIT * margin, UNIT * margin
        open_cells = popcount(contested)
        gain, _ = _sure(rules, own, contested, np.int64((status >> np.uint64(8)) & np.uint64(255)))
        _, loss = _sure(rules, rival, contested, -1)
        return UNIT * (margin - open_cells + 2 * gain), UNIT * (margin + open_cells - 2 * loss)
    if over(rules, own, rival, status):
        margin = UNIT * (popcount(own) - popcount(rival))
        return margin, margin
    return -SCORE_LIMIT, SCORE_LIMIT


@offers(evaluate, Filler)
def _evaluate(rules: Filler, positions: NDArray[np.uint64], ply: int) -> int:
    return UNIT * nearer(rules, positions[ply, OWN], positions[ply, RIVAL])


@offers(identify, Filler)
def _identify(rules: Filler, positions: NDArray[np.uint64], ply: int) -> tuple[np.uint64, int]:
    status = positions[ply, STATUS] & IDENTITY
    key = mixed(positions[ply, OWN] + rules.salt)
    return mixed(key ^ positions[ply, RIVAL] ^ (status << np.uint64(43)) ^ (status * np.uint64(0x9E3779B9))), 0


@offers(turn, Filler)
def _turn(rules: Filler, move: int, symmetry: int) -> int:
    return move
