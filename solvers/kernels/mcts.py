"""Monte Carlo tree search with PUCT, compiled once for each game's packed rules (`solvers.kernels.rules`).

The formula is that of the readable `solvers.mcts`. A leaf is worth the end of one random playout (`grow`), or what an
evaluator outside says of it: `gather` walks to a batch of different leaves, marking each walk as lost until its value
is known, and `settle` takes the evaluator's priors and values. Values are from -1 to 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.kernels.bits import mixed
from solvers.kernels.rules import bounds, generate, play

STOP, USED, SEED = range(3)
"""Places in ``Tree.control``: setting STOP from another thread ends `grow`; nodes in use; the state of the dice."""


class Tree(NamedTuple):
    """A tree of nodes, number 0 the root, and the room a walk through it needs.

    moves, parents, firsts, counts: int32[nodes], the move that led here, the node it was played in, the first of the
    node's children, which stand side by side, and their number (-1 before it was expanded, 0 where the game is over).
    visits: int32[nodes].  won: float64[nodes], the sum of results for the side that moved here.
    priors: float64[nodes], of the move that led here.
    positions: uint64[plies, words].  legal: int32[plies, width].  weights: int64[plies, width].  control: int64[4].
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
        control=np.array([0, 1, seed, 0], np.int64),
    )


@njit(cache=True)
def _choose(tree: Tree, node: int, exploration: float) -> int:
    """The child that PUCT follows; the first of equals."""
    scale = exploration * np.sqrt(np.float64(tree.visits[node]))
    best, most = np.int64(-1), -np.inf
    for child in range(tree.firsts[node], tree.firsts[node] + tree.counts[node]):
        visits = tree.visits[child]
        value = tree.won[child] / visits if visits else 0.0
        promise = value + scale * tree.priors[child] / (1 + visits)
        if promise > most:
            best, most = np.int64(child), promise
    return best


@njit(cache=True)
def _descend(rules: Any, tree: Tree, exploration: float) -> tuple[int, int]:
    """The leaf PUCT leads to and its ply; its position stands in the row of that ply."""
    node, ply = np.int64(0), np.int64(0)
    while tree.counts[node] > 0:
        node = _choose(tree, node, exploration)
        # `play` may need what `generate` noted in the row of the parent.
        generate(rules, tree.positions, ply, tree.legal, tree.weights)
        play(rules, tree.positions, ply, tree.moves[node])
        ply += 1
    return node, ply


@njit(cache=True)
def _expand(tree: Tree, node: int, ply: int, count: int) -> bool:
    """Gives `node` a child for each of the legal moves in row `ply`, all as likely; whether there was room."""
    used = tree.control[USED]
    if used + count > tree.moves.size:
        return False
    for at in range(count):
        child = used + at
        tree.moves[child], tree.parents[child] = tree.legal[ply, at], node
        tree.counts[child], tree.visits[child], tree.won[child] = -1, 0, 0.0
        tree.priors[child] = 1.0 / count
    tree.firsts[node], tree.counts[node] = used, count
    tree.control[USED] = used + count
    return True


@njit(cache=True)
def _carry_up(tree: Tree, node: int, value: float, visits: int) -> None:
    """Adds `value`, which is for the side to move at `node`, and `visits` to the nodes from it to the root."""
    while node >= 0:
        value = -value
        tree.won[node] += value
        tree.visits[node] += visits
        node = np.int64(tree.parents[node])


@njit(cache=True)
def _result(rules: Any, positions: NDArray[np.uint64], ply: int, scale: float) -> tuple[bool, float]:
    """Whether the value of row `ply` is proven, and that value: a score of `scale` or more is a win."""
    low, high = bounds(rules, positions, ply)
    return low == high, min(max(low / scale, -1.0), 1.0)


@njit(cache=True)
def _play_out(rules: Any, tree: Tree, ply: int, scale: float) -> float:
    """The value for the side to move in row `ply` of one game of random moves from there."""
    sign = 1.0
    last = tree.positions.shape[0] - 1
    while ply < last:
        known, value = _result(rules, tree.positions, ply, scale)
        if known:
            return sign * value
        count = generate(rules, tree.positions, ply, tree.legal, tree.weights)
        tree.control[SEED] += 1
        dice = mixed(np.uint64(tree.control[SEED]))
        pick = np.int64((dice >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))
        play(rules, tree.positions, ply, tree.legal[ply, pick])
        ply += 1
        sign = -sign
    return 0.0


@njit(cache=True, nogil=True)
def grow(rules: Any, tree: Tree, playouts: int, exploration: float, scale: float) -> None:
    """Adds `playouts` random playouts from the root, whose position stands in row 0; stops when STOP is set."""
    for _ in range(playouts):
        if tree.control[STOP] != 0:
            return
        leaf, ply = _descend(rules, tree, exploration)
        known, value = _result(rules, tree.positions, ply, scale)
        if leaf == 0 or not known:
            count = generate(rules, tree.positions, ply, tree.legal, tree.weights)
            _expand(tree, leaf, ply, count)
            value = _play_out(rules, tree, ply, scale)
        _carry_up(tree, leaf, value, 1)


@njit(cache=True, nogil=True)
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
        positions[found] = tree.positions[ply]
        _carry_up(tree, leaf, 0.0, 1)
        node = leaf
        while node >= 0:  # lost for everybody who walked here, so that the next walk goes elsewhere
            tree.won[node] -= 1.0
            node = np.int64(tree.parents[node])
        found += 1
    return found


@njit(cache=True, nogil=True)
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
        tree.positions[row] = positions[at]
        count = generate(rules, tree.positions, row, tree.legal, tree.weights)
        if _expand(tree, node, row, count):
            total = 0.0
            for child in range(tree.firsts[node], tree.firsts[node] + count):
                total += priors[at, tree.moves[child]]
            for child in range(tree.firsts[node], tree.firsts[node] + count):
                if total > 0.0:
                    tree.priors[child] = priors[at, tree.moves[child]] / total
