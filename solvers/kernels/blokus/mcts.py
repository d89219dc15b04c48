"""What guides the shared tree search (`solvers.kernels.mcts`) in Blokus, for any number of seats.

Children take priors from what a placement does at a glance (`solvers.kernels.blokus.glance`). For each child counts
also how games went in which its placement was made later by the same colour (RAVE: most placements stay possible
for long), worth a few dozen visits. Leaves are played out by a policy that knows the game.

Where there is a network (`solvers.kernels.blokus.value`), it is asked about each of the children that promise most at a
glance: its answers are their priors, their first values, and the results of walks that end there: in the opening
alone, and later together with a playout's, for it knows less and less of how the last pieces fit.

A result is 0 to 1 for each seat: mostly who won, partly by how much, so that a won game is won clearly and a lost one
made close. Walks stand in row 1 alone, and colours that have no placement are passed over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from games.polyominoes import PIECES
from solvers.kernels.bits import popcount
from solvers.kernels.blokus.board import Blokus, colour_of, copy_down, is_done, is_over, later, pass_on, put
from solvers.kernels.blokus.glance import glance_at_all
from solvers.kernels.blokus.guided import GuidedBlokus, has_net
from solvers.kernels.blokus.moves import list_moves
from solvers.kernels.blokus.playouts import PLAYED, finish, note
from solvers.kernels.blokus.value import chance, odds, odds_after, pieces_left, survey
from solvers.kernels.jit import jit
from solvers.kernels.mcts import FULL, USED, Tree, appraise, carry, choose, embark, follow, learn, opens
from solvers.kernels.rules import offers


@offers(embark, GuidedBlokus)
def _embark(rules: Any, tree: Any) -> None:
    tree.control[PLAYED] += 1
    copy_down(rules.board, tree.positions, 0)


@offers(opens, GuidedBlokus)
def _opens(rules: Any, tree: Any, node: int) -> bool:
    """On the second visit; the root at once."""
    if tree.counts[node] >= 0 or (node and not tree.visits[node]):
        return False
    _expand(rules, tree, node)
    return tree.counts[node] > 0


@jit
def _expand(guided: GuidedBlokus, tree: Tree, node: int) -> None:
    """Gives `node`, whose position stands in row 1, its children; none where the tree is full."""
    rules, parameters, worths = guided.board, guided.parameters, guided.worths
    count = _skip(rules, tree)
    guided.colours[node] = colour_of(rules, tree.positions, 1)
    kept = np.int64(min(count, np.int64(parameters.besides)) if node else count)
    used = tree.control[USED]
    if used + kept > tree.moves.size:
        tree.control[FULL] = 1
        return
    tree.counts[node] = kept
    tree.firsts[node] = used
    tree.control[USED] = used + kept
    if not kept:
        return
    if kept < count or not has_net(guided):
        glance_at_all(rules, parameters, tree.positions, tree.legal, worths, guided.windows, count)
        _bring_best(guided, tree, count, kept)
    temperature = parameters.temperature
    if has_net(guided):
        _ask_net(guided, tree, kept)
        temperature = parameters.heat
    best, total = worths[0], 0.0
    for place in range(kept):
        best = max(best, worths[place])
    for place in range(kept):
        child = used + place
        tree.moves[child], tree.parents[child] = tree.legal[1, place], node
        tree.counts[child] = -1
        tree.visits[child] = 0
        tree.won[child] = 0.0
        guided.rave_visits[child] = 0.0
        guided.rave_won[child] = 0.0
        guided.guesses[child] = chance(worths[place])
        tree.priors[child] = np.exp((worths[place] - best) / temperature)
        total += tree.priors[child]
    for child in range(used, used + kept):
        tree.priors[child] /= total


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
def _bring_best(guided: GuidedBlokus, tree: Tree, count: int, kept: int) -> None:
    """Brings the `kept` of `count` listed placements that are worth most to the front, in any order (quickselect)."""
    worths = guided.worths
    first, last = 0, count - 1
    while first < last and kept < count:
        middle = worths[(first + last) >> 1]
        left, right = first, last
        while left <= right:
            while worths[left] > middle:
                left += 1
            while worths[right] < middle:
                right -= 1
            if left <= right:
                tree.legal[1, left], tree.legal[1, right] = tree.legal[1, right], tree.legal[1, left]
                worths[left], worths[right] = worths[right], worths[left]
                left += 1
                right -= 1
        if kept <= right:
            last = right
        elif kept > left:
            first = left
        else:
            return


@jit
def _ask_net(guided: GuidedBlokus, tree: Tree, count: int) -> None:
    """Puts the first `count` placements listed for row 1 in the order of the network's odds, their worths from now."""
    rules, net, workspace, worths = guided.board, guided.net, guided.workspace, guided.worths
    colour = colour_of(rules, tree.positions, 1)
    laid = survey(rules, net, workspace, tree.positions, 1, colour)
    for at in range(count):
        move = tree.legal[1, at]
        worth = odds_after(rules, net, workspace, tree.positions, 1, colour, np.int64(move), laid)
        place = at
        while place > 0 and worths[place - 1] < worth:
            worths[place], tree.legal[1, place] = worths[place - 1], tree.legal[1, place - 1]
            place -= 1
        worths[place], tree.legal[1, place] = worth, move


@offers(choose, GuidedBlokus)
def _choose(rules: Any, tree: Any, node: int, exploration: float) -> int:
    """The child to follow: mean result with RAVE, and what PUCT adds for a prior and few visits."""
    scale = exploration * np.sqrt(np.float64(tree.visits[node]) + 1.0)
    if has_net(rules):
        return _choose_by_guess(rules, tree, node, scale)
    return _choose_by_rave(rules, tree, node, scale)


@jit
def _choose_by_rave(rules: GuidedBlokus, tree: Tree, node: int, scale: float) -> int:
    """The same without a network; an untried child is worth a little less than its siblings."""
    parameters = rules.parameters
    first, count = np.int64(tree.firsts[node]), np.int64(tree.counts[node])
    seen, won = 1.0, 0.5
    for child in range(first, first + count):
        if tree.visits[child]:
            seen += tree.visits[child]
            won += tree.won[child]
    usual = won / seen - parameters.fpu
    best, most = first, -1.0
    for child in range(first, first + count):
        own = np.float64(tree.visits[child])
        later = np.float64(rules.rave_visits[child])
        weight = parameters.rave * later / (later + parameters.rave)
        value = tree.won[child] + 0.5 * usual
        if later > 0.0:
            value += weight * rules.rave_won[child] / later
        promise = value / (own + weight + 0.5) + scale * tree.priors[child] / (1.0 + own)
        if promise > most:
            best, most = child, promise
    return best


@jit
def _choose_by_guess(rules: GuidedBlokus, tree: Tree, node: int, scale: float) -> int:
    """The same with the network's guess for the first visits.

    An untried child promises more than those behind it, so these are untried too, and need no look.
    """
    trust, first = rules.parameters.trust, np.int64(tree.firsts[node])
    best, most = first, -1.0
    for child in range(first, first + tree.counts[node]):
        own = np.float64(tree.visits[child])
        value = (tree.won[child] + trust * rules.guesses[child]) / (own + trust)
        promise = value + scale * tree.priors[child] / (1.0 + own)
        if promise > most:
            best, most = child, promise
        if own == 0.0:
            break
    return best


@offers(follow, GuidedBlokus)
def _follow(rules: Any, tree: Any, ply: int, node: int, child: int) -> None:
    """Colours before that of `node`, which were found to have no placement, pass."""
    board, positions = rules.board, tree.positions
    colour, move = np.int64(rules.colours[node]), np.int64(tree.moves[child])
    while colour_of(board, positions, 1) != colour:
        pass_on(board, positions, 1)
    put(board, positions, 1, move)
    note(rules, tree, ply, move, colour)


@offers(appraise, GuidedBlokus)
def _appraise(rules: Any, tree: Any, leaf: int, ply: int, scale: float, guess: float) -> float:
    """Writes the results of all seats; what it returns counts for nobody."""
    if has_net(rules) and ply and tree.counts[leaf] < 0:
        share = _share_of_playout(rules, tree)
        _guess_all(rules, tree, leaf)
        if share > 0.0:
            _play_on(rules, tree, ply, share)
    else:
        finish(rules, tree, ply)
    return 0.0


@jit
def _guess_all(guided: GuidedBlokus, tree: Tree, leaf: int) -> None:
    """Writes the results of all seats as the network guesses them for a leaf, whose position stands in row 1."""
    rules, results = guided.board, guided.results
    mover = np.int64(guided.colours[tree.parents[leaf]])
    seat = rules.seats[mover]
    results[seat] = guided.guesses[leaf]
    if rules.colours == 2 or rules.seats[2] == rules.seats[0]:
        results[1 - seat] = 1.0 - results[seat]
        return
    for view in range(1, rules.colours):
        colour = later(rules, mover, view)
        turn = (1 - view) % rules.colours
        said = odds(rules, guided.net, guided.workspace, tree.positions, 1, colour, turn)
        results[rules.seats[colour]] = chance(said)


@jit
def _share_of_playout(guided: GuidedBlokus, tree: Tree) -> float:
    """What a playout from row 1 counts for beside the network's guess."""
    rules, parameters, left = guided.board, guided.parameters, 0
    for colour in range(rules.colours):
        left += popcount(pieces_left(rules, tree.positions, 1, colour))
    laid = 2 * (len(PIECES) - left / rules.colours) - parameters.opening
    return parameters.playout * min(max(laid / (parameters.middle_game - parameters.opening), 0.0), 1.0)


@jit
def _play_on(guided: GuidedBlokus, tree: Tree, ply: int, share: float) -> None:
    """Mixes the results of a playout from row 1 into those that were guessed."""
    results = guided.results
    guessed = results[0], results[1], results[2], results[3]
    finish(guided, tree, ply)
    for seat in range(4):
        results[seat] = share * results[seat] + (1.0 - share) * guessed[seat]


@offers(learn, GuidedBlokus)
def _learn(rules: Any, tree: Any, leaf: int, ply: int, value: float) -> None:
    """Adds the results to the nodes of the walk, and to their children whose placements were made later (RAVE)."""
    seats, walk = rules.board.seats, np.int32(tree.control[PLAYED])
    node, step = np.int64(leaf), ply
    while node >= 0:
        tree.visits[node] += 1
        parent = np.int64(tree.parents[node])
        if parent >= 0:
            seat = seats[rules.colours[parent]]
            tree.won[node] += rules.results[seat] if seat >= 0 else 0.5
        if tree.counts[node] > 0 and not has_net(rules):
            _learn_later(rules, tree, node, step, walk)
        node = parent
        step -= 1


@jit
def _learn_later(rules: GuidedBlokus, tree: Tree, node: int, step: int, walk: int) -> None:
    """Adds the results to the children of `node`, which was the walk's number `step`, by the placements made since."""
    colour = np.int64(rules.colours[node])
    seat = rules.board.seats[colour]
    result = np.float32(rules.results[seat] if seat >= 0 else 0.5)
    first = np.int64(tree.firsts[node])
    for child in range(first, first + tree.counts[node]):
        stamp = rules.stamps[colour, tree.moves[child]]
        if stamp >> 7 == walk and (stamp & 127) >= step:
            rules.rave_visits[child] += np.float32(1.0)
            rules.rave_won[child] += result


@offers(carry, GuidedBlokus)
def _carry(rules: Any, at: int, to: int) -> None:
    rules.rave_visits[to], rules.rave_won[to] = rules.rave_visits[at], rules.rave_won[at]
    rules.guesses[to], rules.colours[to] = rules.guesses[at], rules.colours[at]
