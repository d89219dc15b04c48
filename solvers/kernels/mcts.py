"""Monte Carlo tree search with PUCT, compiled once for each game's packed rules (`solvers.kernels.rules`).

The formula is that of the readable `solvers.readable.mcts`. A leaf is worth the end of one playout, or what the game's
own `evaluate` guesses (`grow`), or what an evaluator outside says of it: `gather` walks to a batch of different leaves,
marking each walk as lost until its value is known, and `settle` takes the evaluator's priors and values. Values are
from -1 to 1.

A game may guide its search by hooks of its own, offered as those of `solvers.kernels.rules`: for the walk (`embark`,
`opens`, `choose`, `follow`), for what it brings home (`appraise`, `learn`), and for what is kept (`carry`). Without
them two sides take turns, all leaves are alike, and a result counts for the nodes of its walk alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels.bits import mixed
from solvers.kernels.jit import jit
from solvers.kernels.rules import (
    bounds,
    evaluate,
    generate,
    identify,
    likely,
    offered_or,
    play,
    prepare,
    repeats,
    roll,
)

STOP, USED, SEED = range(3)
"""Places in ``Tree.control``: setting STOP from another thread ends `grow`; nodes in use; the state of the dice."""

FULL, CONTROLS = 4, 5
"""The place that says that a node got no children for want of room (the one before is the rules'); how many there are.
"""


class Tree(NamedTuple):
    """A tree of nodes, number 0 the root, and the room a walk through it needs.

    moves, parents, firsts, counts: int32[nodes], the move that led here, the node it was played in, the first of the
    node's children, which stand side by side, and their number (-1 before it was expanded, 0 where the game is over).
    visits: int32[nodes].  won: float64[nodes], the sum of results for the side that moved here.
    priors: float64[nodes], of the move that led here.
    positions: uint64[plies, words].  legal: int32[plies, width].  weights: int64[plies, width].
    control: int64[CONTROLS].  places: int32[nodes], room for `replant` to note where nodes go.
    """

    moves: NDArray[np.int32]
    parents: NDArray[np.int32]
    firsts: NDArray[np.int32]
    counts: NDArray[np.int32]
    visits: NDArray[np.int32]
    won: NDArray[np.float64]
    priors: NDArray[np.float64]
    positions: NDArray[np.uint64]
    legal: NDArray[np.int32]
    weights: NDArray[np.int64]
    control: NDArray[np.int64]
    places: NDArray[np.int32]


def plant(*, nodes: int, plies: int, words: int, width: int, seed: int = 0) -> Tree:
    """A tree of an unexpanded root with room for `nodes` nodes of games of at most `plies` plies."""
    rows = plies + 2
    return Tree(
        moves=np.full(nodes, -1, np.int32),
        parents=np.full(nodes, -1, np.int32),
        firsts=np.zeros(nodes, np.int32),
        counts=np.full(nodes, -1, np.int32),
        visits=np.zeros(nodes, np.int32),
        won=np.zeros(nodes, np.float64),
        priors=np.ones(nodes, np.float64),
        positions=np.zeros((rows, words), np.uint64),
        legal=np.zeros((rows, width), np.int32),
        weights=np.zeros((rows, width), np.int64),
        control=np.array([0, 1, seed, 0, 0], np.int64),
        places=np.empty(nodes, np.int32),
    )


def embark(rules: Any, tree: Any) -> None:
    """Begins a walk at the root, whose position stands in row 0; for most games, nothing."""
    raise NotImplementedError


def opens(rules: Any, tree: Any, node: int) -> bool:
    """Whether a walk that came to `node` gave it children just now and goes on to one of them; for most games, never.

    Where it does not, the leaf gets its children when it is appraised.
    """
    raise NotImplementedError


def choose(rules: Any, tree: Any, node: int, exploration: float) -> int:
    """The child to follow; for most games by PUCT, the first of equals."""
    raise NotImplementedError


def follow(rules: Any, tree: Any, ply: int, node: int, child: int) -> None:
    """Goes from `node`, whose position stands in row `ply`, to `child`, whose position most games write to the next."""
    raise NotImplementedError


def appraise(rules: Any, tree: Any, leaf: int, ply: int, scale: float, guess: float) -> float:
    """What the leaf of a walk is worth to its side to move; see `grow`."""
    raise NotImplementedError


def learn(rules: Any, tree: Any, leaf: int, ply: int, value: float) -> None:
    """Takes what a walk of `ply` moves to `leaf` came to into the tree."""
    raise NotImplementedError


def carry(rules: Any, at: int, to: int) -> None:
    """Moves what the rules have noted of node `at` to node `to`; most have noted nothing."""
    raise NotImplementedError


def _choose(rules: Any, tree: Any, node: int, exploration: float) -> int:
    scale = exploration * np.sqrt(np.float64(tree.visits[node]))
    best, most = np.int64(-1), -np.inf
    for child in range(tree.firsts[node], tree.firsts[node] + tree.counts[node]):
        visits = tree.visits[child]
        value = tree.won[child] / visits if visits else 0.0
        promise = value + scale * tree.priors[child] / (1 + visits)
        if promise > most:
            best, most = np.int64(child), promise
    return best


def _follow(rules: Any, tree: Any, ply: int, node: int, child: int) -> None:
    prepare(rules, tree.positions, ply, tree.legal, tree.weights)
    play(rules, tree.positions, ply, tree.moves[child])


offered_or(embark, lambda rules, tree: None)
offered_or(opens, lambda rules, tree, node: False)
offered_or(choose, _choose)
offered_or(follow, _follow)
offered_or(carry, lambda rules, at, to: None)


@jit
def _descend(rules: Any, tree: Tree, exploration: float) -> tuple[int, int]:
    """The leaf that the walk leads to and its ply."""
    node, ply = np.int64(0), np.int64(0)
    embark(rules, tree)
    while tree.counts[node] > 0 or opens(rules, tree, node):
        child = choose(rules, tree, node, exploration)
        follow(rules, tree, ply, node, child)
        node = child
        ply += 1
    return node, ply


@jit
def _expand(rules: Any, tree: Tree, node: int, ply: int, count: int, every: bool) -> bool:
    """Gives `node` a child for `every` legal move in row `ply`, or for those likely at all; whether there was room."""
    used = tree.control[USED]
    if used + count > tree.moves.size:
        tree.control[FULL] = 1
        return False
    total, child = 0.0, used
    for at in range(count):
        prior = 1.0 if every else np.float64(likely(rules, tree.weights[ply, at]))
        if prior > 0.0:
            tree.moves[child], tree.parents[child] = tree.legal[ply, at], node
            tree.counts[child], tree.visits[child], tree.won[child] = -1, 0, 0.0
            tree.priors[child] = prior
            total += prior
            child += 1
    for at in range(used, child):
        tree.priors[at] /= total
    tree.firsts[node], tree.counts[node] = used, child - used
    tree.control[USED] = child
    return True


@jit
def _carry_up(tree: Tree, node: int, value: float, visits: int) -> None:
    """Adds `value`, which is for the side to move at `node`, and `visits` to the nodes from it to the root."""
    while node >= 0:
        value = -value
        tree.won[node] += value
        tree.visits[node] += visits
        node = np.int64(tree.parents[node])


@jit
def _result(rules: Any, positions: NDArray[np.uint64], ply: int, scale: float) -> tuple[bool, float]:
    """Whether the value of row `ply` is known, and it: a score of `scale` or more is a win, repetition a draw."""
    low, high = bounds(rules, positions, ply)
    if low < scale and high > -scale and repeats(rules, positions, ply):
        return True, 0.0
    return low == high or low >= scale or high <= -scale, min(max(low / scale, -1.0), 1.0)


@jit
def _play_out(rules: Any, tree: Tree, ply: int, scale: float) -> float:
    """The value for the side to move in row `ply` of one game played on from there."""
    sign = 1.0
    last = tree.positions.shape[0] - 1
    while ply < last:
        known, value = _result(rules, tree.positions, ply, scale)
        if known:
            return sign * value
        tree.control[SEED] += 1
        dice = mixed(np.uint64(tree.control[SEED]))
        play(rules, tree.positions, ply, roll(rules, tree.positions, ply, tree.legal, tree.weights, dice))
        ply += 1
        sign = -sign
    return 0.0


def _appraise(rules: Any, tree: Any, leaf: int, ply: int, scale: float, guess: float) -> float:
    known, value = _result(rules, tree.positions, ply, scale)
    if leaf == 0 or not known:
        count = generate(rules, tree.positions, ply, tree.legal, tree.weights)
        _expand(rules, tree, leaf, ply, count, False)
        if guess > 0.0:
            value = np.tanh(evaluate(rules, tree.positions, ply) / guess)
        else:
            value = _play_out(rules, tree, ply, scale)
    return value


offered_or(appraise, _appraise)
offered_or(learn, lambda rules, tree, leaf, ply, value: _carry_up(tree, leaf, value, 1))


@jit
def grow(rules: Any, tree: Tree, playouts: int, exploration: float, scale: float, guess: float) -> None:
    """Adds `playouts` visits from the root, whose position stands in row 0; stops when STOP is set.

    guess: 0 to have leaves played out, else the score that `evaluate` gives to a likely win: the leaf is worth the
    hyperbolic tangent of the score's share of it.
    """
    for _ in range(playouts):
        if tree.control[STOP] != 0:
            return
        if tree.control[FULL] != 0:
            thin(rules, tree)
        leaf, ply = _descend(rules, tree, exploration)
        learn(rules, tree, leaf, ply, appraise(rules, tree, leaf, ply, scale, guess))


@jit
def thin(rules: Any, tree: Tree) -> None:
    """Takes their children from the nodes visited least until at most half of the tree is in use.

    What was found below them still counts for them; a walk that comes there again opens them anew.
    """
    least, kept = np.int64(2), np.int64(tree.control[USED])
    while 2 * kept > tree.moves.size and least <= tree.visits[0]:
        least += (least + 1) // 2
        kept = 1
        for node in range(tree.control[USED]):
            if tree.counts[node] > 0 and (tree.visits[node] >= least or node == 0):
                kept += tree.counts[node]
    replant(rules, tree, 0, least)
    tree.control[FULL] = 0


@jit
def replant(rules: Any, tree: Tree, node: int, least: int) -> None:
    """Makes `node` the root and keeps what hangs below it; the root's position is left to the caller.

    Children stand behind their parents, so going through the nodes in order moves each to a place that is free already.
    least: nodes with fewer visits, the root excepted, lose their children.
    """
    used, places = np.int64(0), tree.places
    for at in range(node, tree.control[USED]):
        parent = np.int64(tree.parents[at])
        hangs = parent >= node and places[parent] >= 0 and tree.counts[places[parent]] > 0
        places[at] = used if hangs or at == node else -1
        if places[at] < 0:
            continue
        if hangs and tree.firsts[places[parent]] == at:
            tree.firsts[places[parent]] = used
        tree.parents[used] = places[parent] if hangs else -1
        tree.moves[used], tree.priors[used] = tree.moves[at], tree.priors[at]
        seldom = at != node and tree.visits[at] < least and tree.counts[at] > 0
        tree.firsts[used], tree.counts[used] = tree.firsts[at], -1 if seldom else tree.counts[at]
        tree.visits[used], tree.won[used] = tree.visits[at], tree.won[at]
        carry(rules, at, used)
        used += 1
    tree.control[USED] = used


@jit
def find(rules: Any, tree: Tree) -> int:
    """The node one or two moves below the root whose position stands in row 3; -1 where there is none."""
    wanted = identify(rules, tree.positions, 3)
    prepare(rules, tree.positions, 0, tree.legal, tree.weights)
    for child in range(tree.firsts[0], tree.firsts[0] + tree.counts[0]):
        play(rules, tree.positions, 0, tree.moves[child])
        if identify(rules, tree.positions, 1) == wanted:
            return child
        if tree.counts[child] > 0:
            prepare(rules, tree.positions, 1, tree.legal, tree.weights)
            for below in range(tree.firsts[child], tree.firsts[child] + tree.counts[child]):
                play(rules, tree.positions, 1, tree.moves[below])
                if identify(rules, tree.positions, 2) == wanted:
                    return below
    return -1


@jit
def gather(
    rules: Any,
    tree: Tree,
    leaves: NDArray[np.int32],
    positions: NDArray[np.uint64],
    exploration: float,
    scale: float,
) -> int:
    """Walks to at most ``leaves.size`` leaves that want an evaluation, and returns how many it found.

    leaves: int32[batch] takes their nodes, positions: uint64[batch, words] their positions. Walks that end where the
    value is proven count at once; a walk to a leaf that was gathered before ends the batch.
    """
    if tree.control[FULL] != 0:
        thin(rules, tree)
    found = 0
    for _ in range(leaves.size):
        leaf, ply = _descend(rules, tree, exploration)
        known, value = _result(rules, tree.positions, ply, scale)
        if known and leaf != 0:
            _carry_up(tree, leaf, value, 1)
            continue
        for at in range(found):
            if leaves[at] == leaf:
                return found
        leaves[found] = leaf
        for word in range(positions.shape[1]):
            positions[found, word] = tree.positions[ply, word]
        _carry_up(tree, leaf, 0.0, 1)
        node = leaf
        while node >= 0:  # lost for everybody who walked here, so that the next walk goes elsewhere
            tree.won[node] -= 1.0
            node = np.int64(tree.parents[node])
        found += 1
    return found


@jit
def settle(
    rules: Any,
    tree: Tree,
    leaves: NDArray[np.int32],
    positions: NDArray[np.uint64],
    priors: NDArray[np.float32],
    values: NDArray[np.float32],
) -> None:
    """Expands gathered leaves with an evaluator's answers.

    leaves: int32[n].  positions: uint64[n, words].  priors: float32[n, actions], not negative; those of legal moves are
    scaled to the sum 1.  values: float32[n], for the side to move, from -1 to 1.
    """
    row = tree.positions.shape[0] - 2
    for at in range(leaves.size):
        node = np.int64(leaves[at])
        while node >= 0:
            tree.won[node] += 1.0
            node = np.int64(tree.parents[node])
        node = np.int64(leaves[at])
        _carry_up(tree, node, np.float64(values[at]), 0)
        for word in range(positions.shape[1]):
            tree.positions[row, word] = positions[at, word]
        count = generate(rules, tree.positions, row, tree.legal, tree.weights)
        if _expand(rules, tree, node, row, count, True):
            total = 0.0
            for child in range(tree.firsts[node], tree.firsts[node] + count):
                total += priors[at, tree.moves[child]]
            for child in range(tree.firsts[node], tree.firsts[node] + count):
                if total > 0.0:
                    tree.priors[child] = priors[at, tree.moves[child]] / total


@jit
def foresee(rules: Any, tree: Tree, moves: NDArray[np.int32], scores: NDArray[np.int64]) -> int:
    """Each legal move of the root and the score that is sure after it, for its side; returns how many there are.

    moves: int32[width].  scores: int64[width]. Where the root's result is known, the best of them brings it nearer,
    which the tree does not see: it counts every win alike.
    """
    count = generate(rules, tree.positions, 0, tree.legal, tree.weights)
    for at in range(count):
        moves[at] = tree.legal[0, at]
        play(rules, tree.positions, 0, moves[at])
        scores[at] = -bounds(rules, tree.positions, 1)[1]
    return count


@jit
def is_known(rules: Any, tree: Tree, scale: float) -> tuple[bool, float]:
    """Whether the result of the root is proven, whatever stood before, and the result."""
    low, high = bounds(rules, tree.positions, 0)
    return low == high or low >= scale or high <= -scale, min(max(low / scale, -1.0), 1.0)
