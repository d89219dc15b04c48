"""Blokus's own Monte Carlo tree search, for any number of seats: what is known of the game guides it at three places.

Children take priors from what a placement does at a glance (`_glance`): its squares, the corners it opens, what it
takes from the others near their corners. The tree keeps for each child also how games went in which its placement was
made later by the same colour (RAVE: most placements stay possible for long), worth a few dozen visits. Playouts
lay large pieces first and prefer those that cover the others' corners.

Where there is a network (`solvers.kernels.blokus.value`), it is asked about each of the children that promise most at a
glance: its answers are their priors, their first values, and in place of playouts the results of walks that end there.

A result is 0 to 1 for each seat: mostly who won, partly by how much, so that a won game is won clearly and a lost one
made close.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import ONE, ZERO, bit_number, lowest, mixed, popcount
from solvers.kernels.blokus.board import (
    EVERY_PIECE,
    HALF,
    LEFT,
    LOW,
    MARGIN,
    MEMBERS0,
    MEMBERS1,
    PAD,
    Blokus,
    colour_of,
    copy_down,
    is_done,
    is_over,
    pass_on,
    points_of,
    put,
)
from solvers.kernels.blokus.moves import OPEN, copy_rows, corners_in, list_moves, ways_at, ways_off
from solvers.kernels.blokus.value import Desk, Net, chance, desk_of, odds_after, survey
from solvers.kernels.blokus.ways import FORMS, ways_of_size
from solvers.kernels.jit import jit

COMPILE_SECONDS = 40

STOP, USED, SEED, PLAYED = range(4)
"""Places in ``Tree.control``: setting STOP from another thread ends `grow`; nodes in use; the dice; playouts."""

FIVES, FOURS = np.array(ways_of_size(5)), np.array(ways_of_size(4))
MOST_TURNS = 96
"""No game has more placements: 84, 21 for each of four colours."""


class SearchParameters(NamedTuple):
    """What a search may be tuned by.

    exploration: of PUCT.  temperature: of the priors, in the unit of `_glance`.  rave: visits RAVE counts for at most.
    squares, opened, covered, near, middle: worth of a square, of a corner opened, of another's corner covered, of a
    cell beside one; of a first piece's way to the board's middle.
    large: of 256 placements in a playout so many are drawn from those of the largest size that fits; covering: and so
    many from those that cover a corner of another side, where there are any.  draws: how many are drawn, the one worth
    most at a glance being laid.
    margin: the part of a result that the margin decides.  scale: squares that move it from a half to 0.73.
    fpu: how much less than its siblings' mean an untried child is taken to be worth.
    besides: children a node has at most, the root excepted: the best at a glance.
    heat: with a network, the temperature of the priors, in the unit of its odds.  trust: visits its answer counts for.
    """

    exploration: float
    temperature: float
    rave: float
    squares: float
    opened: float
    covered: float
    near: float
    lost: float
    invading: float
    liberties: float
    middle: float
    large: float
    covering: float
    draws: float
    margin: float
    scale: float
    fpu: float
    besides: float
    heat: float
    trust: float


class Tree(NamedTuple):
    """A tree of nodes, number 0 the root, and the room a walk through it needs.

    moves, firsts, counts: int32[nodes], the placement that led here, the first child, the number of children, which
    stand side by side, the best by prior first (-1 before they are known, 0 where the game is over).
    visits: int32[nodes].  won: float64[nodes], the results of the seat that moved here.
    rave_visits, rave_won: float32[nodes], the same of games in which the placement was made later.
    priors: float32[nodes].  guesses: float32[nodes], the network's, of the result of the seat that moved here.
    colours: int8[nodes], the colour that moves next.
    positions: uint64[2, words], the root and the walk.  legal: int32[2, width].  worths: float32[width].
    found: uint64[256, 6], what was found at each corner.
    path: int32[turns], the nodes of a walk.  line: int32[turns], its placements.  movers: int8[turns], their colours.
    places: int32[nodes], where `uproot` puts the nodes it keeps.
    stamps: int32[colours, moves], when in which walk a placement was made.
    results: float64[8], those of the seats, then their points.  control: int64[4].
    net: of no rows where there is none.  desk: its room.
    """

    moves: NDArray[np.int32]
    firsts: NDArray[np.int32]
    counts: NDArray[np.int32]
    visits: NDArray[np.int32]
    won: NDArray[np.float64]
    rave_visits: NDArray[np.float32]
    rave_won: NDArray[np.float32]
    priors: NDArray[np.float32]
    guesses: NDArray[np.float32]
    colours: NDArray[np.int8]
    positions: NDArray[np.uint64]
    legal: NDArray[np.int32]
    worths: NDArray[np.float32]
    found: NDArray[np.uint64]
    path: NDArray[np.int32]
    line: NDArray[np.int32]
    movers: NDArray[np.int8]
    places: NDArray[np.int32]
    stamps: NDArray[np.int32]
    results: NDArray[np.float64]
    control: NDArray[np.int64]
    net: Net
    desk: Desk


def plant(rules: Blokus, position: NDArray[np.uint64], *, nodes: int, width: int, seed: int, net: Net) -> Tree:
    """A tree of an unexpanded root at `position`, with room for `nodes` nodes of at most `width` children."""
    return Tree(
        moves=np.full(nodes, -1, np.int32),
        firsts=np.zeros(nodes, np.int32),
        counts=np.full(nodes, -1, np.int32),
        visits=np.zeros(nodes, np.int32),
        won=np.zeros(nodes, np.float64),
        rave_visits=np.zeros(nodes, np.float32),
        rave_won=np.zeros(nodes, np.float32),
        priors=np.ones(nodes, np.float32),
        guesses=np.full(nodes, 0.5, np.float32),
        colours=np.zeros(nodes, np.int8),
        positions=np.stack([position, position]),
        legal=np.zeros((2, width), np.int32),
        worths=np.zeros(width, np.float32),
        found=np.zeros((256, 6), np.uint64),
        path=np.zeros(MOST_TURNS, np.int32),
        line=np.zeros(MOST_TURNS, np.int32),
        movers=np.zeros(MOST_TURNS, np.int8),
        places=np.zeros(nodes, np.int32),
        stamps=np.zeros((rules.colours, len(FORMS) * rules.cells), np.int32),
        results=np.zeros(8),
        control=np.array([0, 1, seed, 0], np.int64),
        net=net,
        desk=desk_of(rules.side),
    )


@jit
def _roll(tree: Tree) -> np.uint64:
    """32 random bits."""
    tree.control[SEED] += 1
    return mixed(np.uint64(tree.control[SEED])) >> HALF


@jit
def _mark_others(rules: Blokus, tree: Tree, colour: int) -> None:
    """Writes the free corners of the other sides' colours to row 1's second scratch words."""
    second = rules.scratch + rules.side + MARGIN
    for at in range(rules.side + MARGIN):
        tree.positions[1, second + at] = ZERO
    for other in range(rules.colours):
        if rules.seats[other] != rules.seats[colour] and not is_done(rules, tree.positions, 1, other):
            for row in range(rules.side):
                tree.positions[1, second + PAD + row] |= corners_in(rules, tree.positions, 1, other, row) & LOW


@jit
def _skip(rules: Blokus, tree: Tree) -> int:
    """Lists the placements of the next colour that has any, letting the others pass; 0 where the game is over."""
    while not is_over(rules, tree.positions, 1):
        if not is_done(rules, tree.positions, 1, colour_of(rules, tree.positions, 1)):
            count = list_moves(rules, tree.positions, 1, tree.legal)
            if count:
                return count
        pass_on(rules, tree.positions, 1)
    return 0


@jit
def _appraise(rules: Blokus, tree: Tree, parameters: SearchParameters, count: int) -> None:
    """Writes to ``tree.worths`` what each listed placement is worth at a glance."""
    colour = colour_of(rules, tree.positions, 1)
    base = colour * rules.block
    _mark_others(rules, tree, colour)
    first = tree.positions[1, base + rules.side + MARGIN + LEFT] & EVERY_PIECE == EVERY_PIECE
    for at in range(count):
        move = np.int64(tree.legal[1, at])
        tree.worths[at] = _glance(rules, tree, parameters, colour, move)
        if first:
            form = move // rules.cells
            rest = move - form * rules.cells
            row = rest // rules.side
            tree.worths[at] += parameters.middle * _towards_middle(rules, form, row, rest - row * rules.side)


@jit
def _glance(rules: Blokus, tree: Tree, parameters: SearchParameters, colour: int, move: int) -> float:
    """What a placement of `colour` in row 1 is worth at a glance; the others' corners stand marked."""
    base = colour * rules.block
    second = rules.scratch + rules.side + MARGIN + PAD
    form = move // rules.cells
    rest = move - form * rules.cells
    row = rest // rules.side
    shift = np.uint64(rest - row * rules.side + PAD)
    opened, covered, near = np.int64(0), np.int64(0), np.int64(0)
    lost, invading, liberties = np.int64(0), np.int64(0), np.int64(0)
    above, at = tree.positions[1, base + row + PAD - 2], base + row + PAD - 1
    for step in range(7):
        word, below = tree.positions[1, at + step], tree.positions[1, at + step + 1]
        mine = (rules.own[form, step] << shift) >> ONE
        corners = (word >> HALF) & ~word
        new = (mine >> HALF) & ~(word | corners) & LOW
        lost += popcount(corners & mine & LOW)
        if new:
            opened += popcount(new)
            free = ~(word | mine)
            liberties += popcount((new << ONE) & free) + popcount((new >> ONE) & free)
            liberties += popcount(new & ~above) + popcount(new & ~below)
            invading += popcount(new & _beside_others(tree, second + row - 1 + step))
        above = word
    for step in range(5):
        mine = rules.theirs[form, step] << shift
        if mine:
            theirs = tree.positions[1, second + row + step]
            covered += popcount(mine & theirs)
            near += popcount(mine & _beside_others(tree, second + row + step) & ~theirs)
    worth = (
        parameters.squares * rules.size_of[form]
        + parameters.opened * opened
        + parameters.covered * covered
        + parameters.near * near
    )
    return worth + parameters.lost * lost + parameters.invading * invading + parameters.liberties * liberties


@jit
def _beside_others(tree: Tree, at: int) -> np.uint64:
    """The cells of a marked row at and beside corners of the other sides."""
    theirs = tree.positions[1, at]
    return theirs | (theirs << ONE) | (theirs >> ONE) | tree.positions[1, at - 1] | tree.positions[1, at + 1]


@jit
def _towards_middle(rules: Blokus, form: int, row: int, col: int) -> float:
    """How near to the board's middle, from 0 to 1, the nearest cell of a placement comes."""
    nearest = np.float64(2 * rules.side)
    for step in range(5):
        cells = rules.theirs[form, step]
        while cells:
            down = abs(2 * (row + step) - rules.side + 1)
            right = abs(2 * (col + lowest(cells)) - rules.side + 1)
            nearest = min(nearest, np.float64(down + right) / 2)
            cells &= cells - ONE
    return 1.0 - nearest / rules.side


@jit
def _expand(rules: Blokus, tree: Tree, parameters: SearchParameters, node: int) -> None:
    """Gives `node`, whose position stands in row 1, its children; none where the tree is full."""
    count = _skip(rules, tree)
    tree.colours[node] = colour_of(rules, tree.positions, 1)
    kept = min(count, np.int64(parameters.besides)) if node else count
    used = tree.control[USED]
    if used + kept > tree.moves.size:
        return
    tree.counts[node] = kept
    tree.firsts[node] = used
    tree.control[USED] = used + kept
    if not kept:
        return
    _appraise(rules, tree, parameters, count)
    _bring_best(tree, count, kept)
    temperature = parameters.temperature
    if has_net(tree):
        _ask_net(rules, tree, kept)
        temperature = parameters.heat
    best, total = tree.worths[0], 0.0
    for place in range(kept):
        best = max(best, tree.worths[place])
    for place in range(kept):
        child = used + place
        tree.moves[child] = tree.legal[1, place]
        tree.counts[child] = -1
        tree.visits[child] = 0
        tree.won[child] = 0.0
        tree.rave_visits[child] = 0.0
        tree.rave_won[child] = 0.0
        tree.guesses[child] = chance(tree.worths[place])
        tree.priors[child] = np.exp((tree.worths[place] - best) / temperature)
        total += tree.priors[child]
    for child in range(used, used + kept):
        tree.priors[child] /= total


@jit
def _bring_best(tree: Tree, count: int, kept: int) -> None:
    """Brings the `kept` of `count` listed placements that are worth most to the front, in any order (quickselect)."""
    first, last = 0, count - 1
    while first < last and kept < count:
        middle = tree.worths[(first + last) >> 1]
        left, right = first, last
        while left <= right:
            while tree.worths[left] > middle:
                left += 1
            while tree.worths[right] < middle:
                right -= 1
            if left <= right:
                tree.legal[1, left], tree.legal[1, right] = tree.legal[1, right], tree.legal[1, left]
                tree.worths[left], tree.worths[right] = tree.worths[right], tree.worths[left]
                left += 1
                right -= 1
        if kept <= right:
            last = right
        elif kept > left:
            first = left
        else:
            return


@jit
def has_net(tree: Tree) -> bool:
    """Whether a network judges."""
    return tree.net.rows.shape[0] > 0


@jit
def _ask_net(rules: Blokus, tree: Tree, count: int) -> None:
    """Puts the first `count` placements listed for row 1 in the order of the network's odds, their worths from now."""
    colour = colour_of(rules, tree.positions, 1)
    survey(rules, tree.net, tree.desk, tree.positions, 1, colour)
    for at in range(count):
        move = tree.legal[1, at]
        worth = odds_after(rules, tree.net, tree.desk, tree.positions, 1, colour, np.int64(move))
        place = at
        while place > 0 and tree.worths[place - 1] < worth:
            tree.worths[place], tree.legal[1, place] = tree.worths[place - 1], tree.legal[1, place - 1]
            place -= 1
        tree.worths[place], tree.legal[1, place] = worth, move


@jit
def _choose(tree: Tree, parameters: SearchParameters, node: int) -> int:
    """The child to follow: mean result with RAVE, and what PUCT adds for a prior and few visits."""
    scale = parameters.exploration * np.sqrt(np.float64(tree.visits[node]) + 1.0)
    first, count = np.int64(tree.firsts[node]), np.int64(tree.counts[node])
    if has_net(tree):
        return _choose_by_guess(tree, parameters, first, count, scale)
    seen, won = 1.0, 0.5
    for child in range(first, first + count):
        if tree.visits[child]:
            seen += tree.visits[child]
            won += tree.won[child]
    usual = won / seen - parameters.fpu
    best, most = first, -1.0
    for child in range(first, first + count):
        own = np.float64(tree.visits[child])
        later = np.float64(tree.rave_visits[child])
        weight = parameters.rave * later / (later + parameters.rave)
        value = tree.won[child] + 0.5 * usual
        if later > 0.0:
            value += weight * tree.rave_won[child] / later
        promise = value / (own + weight + 0.5) + scale * tree.priors[child] / (1.0 + own)
        if promise > most:
            best, most = child, promise
    return best


@jit
def _choose_by_guess(tree: Tree, parameters: SearchParameters, first: int, count: int, scale: float) -> int:
    """The same with the network's guess for the first visits.

    An untried child promises more than those behind it, so these are untried too, and need no look.
    """
    best, most = first, -1.0
    for child in range(first, first + count):
        own = np.float64(tree.visits[child])
        value = (tree.won[child] + parameters.trust * tree.guesses[child]) / (own + parameters.trust)
        promise = value + scale * tree.priors[child] / (1.0 + own)
        if promise > most:
            best, most = child, promise
        if own == 0.0:
            break
    return best


@jit
def _playout_move(rules: Blokus, tree: Tree, parameters: SearchParameters) -> int:
    """A placement drawn for the colour to move in row 1, -1 where it has none."""
    positions, found = tree.positions, tree.found
    colour = colour_of(rules, positions, 1)
    end = colour * rules.block + rules.side + MARGIN
    member0, member1 = positions[1, end + MEMBERS0], positions[1, end + MEMBERS1]
    second = rules.scratch + rules.side + MARGIN
    copy_rows(rules, positions, 1, colour)
    _mark_others(rules, tree, colour)
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
    dice = _roll(tree)
    mask0, mask1 = ~ZERO, ~ZERO
    count = fives + fours + others
    if np.int64(dice & np.uint64(255)) < parameters.large:
        if fives:
            mask0, mask1, count = FIVES[0], FIVES[1], fives
        elif fours:
            mask0, mask1, count = FOURS[0], FOURS[1], fours
    if np.int64((dice >> np.uint64(8)) & np.uint64(255)) < parameters.covering:
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
            return _draw_best(rules, tree, parameters, colour, noted, 3, ~ZERO, ~ZERO, covering)
    return _draw_best(rules, tree, parameters, colour, noted, 0, mask0, mask1, count)


@jit
def _draw_best(
    rules: Blokus,
    tree: Tree,
    parameters: SearchParameters,
    colour: int,
    noted: int,
    words: int,
    mask0: np.uint64,
    mask1: np.uint64,
    count: int,
) -> int:
    """Of a few drawn as by `_draw` the one worth most at a glance."""
    chosen = _draw(rules, tree, noted, words, mask0, mask1, count)
    if parameters.draws < 2.0 or count == 1:
        return chosen
    best = _glance(rules, tree, parameters, colour, chosen)
    for _ in range(np.int64(parameters.draws) - 1):
        other = _draw(rules, tree, noted, words, mask0, mask1, count)
        worth = _glance(rules, tree, parameters, colour, other)
        if worth > best:
            best, chosen = worth, other
    return chosen


@jit
def _draw(rules: Blokus, tree: Tree, noted: int, words: int, mask0: np.uint64, mask1: np.uint64, count: int) -> int:
    """One of the `count` noted ways that stand in words `words` and the next and in the masks."""
    rest = np.int64((_roll(tree) * np.uint64(count)) >> np.uint64(32))
    for at in range(noted):
        low, high = tree.found[at, words] & mask0, tree.found[at, words + 1] & mask1
        place = np.int64(tree.found[at, 2])
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
        move = np.int64(tree.legal[1, np.int64((_roll(tree) * np.uint64(count)) >> np.uint64(32))])
        if rules.size_of[move // rules.cells] == 5:
            break
    return move


@jit
def _note(tree: Tree, turn: int, move: int, colour: int) -> int:
    """Writes down placement number `turn` of a walk; returns the next number."""
    tree.line[turn] = move
    tree.movers[turn] = colour
    tree.stamps[colour, move] = np.int32((tree.control[PLAYED] << 7) | turn)
    return turn + 1


@jit
def _finish(rules: Blokus, tree: Tree, parameters: SearchParameters, turn: int) -> None:
    """Plays row 1 to its end from placement number `turn` on, and writes the results."""
    while not is_over(rules, tree.positions, 1):
        colour = colour_of(rules, tree.positions, 1)
        move = np.int64(-1)
        if not is_done(rules, tree.positions, 1, colour):
            move = _playout_move(rules, tree, parameters)
        if move < 0:
            pass_on(rules, tree.positions, 1)
        else:
            turn = _note(tree, turn, move, colour)
            put(rules, tree.positions, 1, move)
    _judge(rules, tree, parameters)


@jit
def _judge(rules: Blokus, tree: Tree, parameters: SearchParameters) -> None:
    """Writes each seat's result of the game that ended in row 1."""
    points, seats = tree.results, np.int64(0)
    for seat in range(4):
        points[4 + seat] = 0.0
    for colour in range(rules.colours):
        seat = rules.seats[colour]
        if seat >= 0:
            points[4 + seat] += points_of(rules, tree.positions, 1, colour)
            seats = max(seats, seat + 1)
    for seat in range(seats):
        rival, equal = -1.0, 1.0
        for other in range(seats):
            if other != seat:
                equal += points[4 + other] == points[4 + seat]
                rival = max(rival, points[4 + other])
        margin = points[4 + seat] - rival
        won = 0.0 if margin < 0 else 1.0 / equal
        part = 1.0 / (1.0 + np.exp(-margin / parameters.scale))
        tree.results[seat] = (1.0 - parameters.margin) * won + parameters.margin * part


@jit
def _learn(rules: Blokus, tree: Tree, depth: int) -> None:
    """Adds the results to the nodes of the walk, and to their children whose placements were made later."""
    walk = np.int32(tree.control[PLAYED])
    for step in range(depth + 1):
        node = np.int64(tree.path[step])
        tree.visits[node] += 1
        if step:
            seat = rules.seats[tree.movers[step - 1]]
            tree.won[node] += tree.results[seat] if seat >= 0 else 0.5
        if tree.counts[node] <= 0 or has_net(tree):
            continue
        colour = np.int64(tree.colours[node])
        seat = rules.seats[colour]
        result = np.float32(tree.results[seat] if seat >= 0 else 0.5)
        first = np.int64(tree.firsts[node])
        for child in range(first, first + tree.counts[node]):
            stamp = tree.stamps[colour, tree.moves[child]]
            if stamp >> 7 == walk and (stamp & 127) >= step:
                tree.rave_visits[child] += np.float32(1.0)
                tree.rave_won[child] += result


@jit
def grow(rules: Blokus, tree: Tree, parameters: SearchParameters, playouts: int) -> None:
    """Adds `playouts` playouts from the root in row 0; stops when STOP is set."""
    for _ in range(playouts):
        if tree.control[STOP] != 0:
            return
        tree.control[PLAYED] += 1
        copy_down(rules, tree.positions, 0)
        node, depth, turn = np.int64(0), np.int64(0), np.int64(0)
        tree.path[0] = 0
        while True:
            if tree.counts[node] < 0:
                if node and not tree.visits[node]:
                    break
                _expand(rules, tree, parameters, node)
            if tree.counts[node] <= 0:
                break
            _skip_to(rules, tree, tree.colours[node])
            child = _choose(tree, parameters, node)
            move, colour = np.int64(tree.moves[child]), np.int64(tree.colours[node])
            put(rules, tree.positions, 1, move)
            turn = _note(tree, turn, move, colour)
            depth += 1
            tree.path[depth] = child
            node = child
        if has_net(tree) and depth and tree.counts[node] < 0:
            seat = rules.seats[tree.movers[depth - 1]]
            tree.results[seat] = tree.guesses[node]
            tree.results[1 - seat] = 1.0 - tree.guesses[node]
        else:
            _finish(rules, tree, parameters, turn)
        _learn(rules, tree, depth)


@jit
def _skip_to(rules: Blokus, tree: Tree, colour: int) -> None:
    """Lets the colours before `colour`, which were found to have no placement, pass."""
    while colour_of(rules, tree.positions, 1) != colour:
        pass_on(rules, tree.positions, 1)


@jit
def uproot(tree: Tree, root: int) -> None:
    """Keeps of the tree what is below `root`, and makes that node number 0; the caller sets row 0.

    Children stand behind their parents, and all that is kept keeps its order, so it can be moved forward in place.
    """
    used = tree.control[USED]
    for node in range(used):
        tree.places[node] = -1
    tree.places[root] = 0
    kept = np.int32(0)
    for node in range(root, used):
        if tree.places[node] >= 0:
            tree.places[node] = kept
            kept += 1
            first = np.int64(tree.firsts[node])
            for child in range(first, first + max(tree.counts[node], 0)):
                tree.places[child] = 0
    for node in range(root, used):
        place = np.int64(tree.places[node])
        if place >= 0:
            tree.moves[place] = tree.moves[node]
            tree.counts[place] = tree.counts[node]
            tree.firsts[place] = tree.places[tree.firsts[node]] if tree.counts[node] > 0 else 0
            tree.visits[place] = tree.visits[node]
            tree.won[place] = tree.won[node]
            tree.rave_visits[place] = tree.rave_visits[node]
            tree.rave_won[place] = tree.rave_won[node]
            tree.priors[place] = tree.priors[node]
            tree.guesses[place] = tree.guesses[node]
            tree.colours[place] = tree.colours[node]
    tree.control[USED] = np.int64(kept)
