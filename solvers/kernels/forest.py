"""Many games at once on the compiled tree search, for self-play: a tree for each, the leaves of all in one batch.

The walks are those of `solvers.kernels.mcts`. What differs from board to board in games that are dealt, and what a game
must remember of its past, stands in a `boards`: the packed rules themselves, or a class that offers the hooks below.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.kernels import encoding
from solvers.kernels.jit import jit
from solvers.kernels.mcts import CONTROLS, USED, Tree, foresee, gather, is_known, replant, settle
from solvers.kernels.rules import generate, offered_or, play, prepare


def board(boards: Any, at: int) -> Any:
    """The packed rules of game `at`; `boards` itself where it does not offer this."""
    raise NotImplementedError


def remember(boards: Any, at: int, positions: Any) -> None:
    """Notes that game `at` went from row 0 to row 1 of `positions`; for most games, nothing."""
    raise NotImplementedError


def drawn(boards: Any, at: int, positions: Any) -> bool:
    """Whether row 0 of `positions` stood so often in game `at` that it is drawn; for most games, never."""
    raise NotImplementedError


class Forest(NamedTuple):
    """The trees of many games, and the room that a walk through any of them needs.

    moves, parents, firsts, counts, visits: int32[trees, nodes], won, priors: float64[trees, nodes], and
    control: int64[trees, CONTROLS], as in `solvers.kernels.mcts.Tree`.  roots: uint64[trees, words].
    positions: uint64[plies, words].  legal: int32[plies, width].  weights: int64[plies, width].
    places: int32[nodes], room for `advance`.
    """

    moves: NDArray[np.int32]
    parents: NDArray[np.int32]
    firsts: NDArray[np.int32]
    counts: NDArray[np.int32]
    visits: NDArray[np.int32]
    won: NDArray[np.float64]
    priors: NDArray[np.float64]
    control: NDArray[np.int64]
    roots: NDArray[np.uint64]
    positions: NDArray[np.uint64]
    legal: NDArray[np.int32]
    weights: NDArray[np.int64]
    places: NDArray[np.int32]


def plant_all(trees: int, *, nodes: int, plies: int, words: int, width: int) -> Forest:
    """A forest of unexpanded roots, with room for `nodes` nodes in each tree and walks of at most `plies` plies."""
    rows = plies + 2
    control = np.zeros((trees, CONTROLS), np.int64)
    control[:, USED] = 1
    return Forest(
        moves=np.full((trees, nodes), -1, np.int32),
        parents=np.full((trees, nodes), -1, np.int32),
        firsts=np.zeros((trees, nodes), np.int32),
        counts=np.full((trees, nodes), -1, np.int32),
        visits=np.zeros((trees, nodes), np.int32),
        won=np.zeros((trees, nodes), np.float64),
        priors=np.ones((trees, nodes), np.float64),
        control=control,
        roots=np.zeros((trees, words), np.uint64),
        positions=np.zeros((rows, words), np.uint64),
        legal=np.zeros((rows, width), np.int32),
        weights=np.zeros((rows, width), np.int64),
        places=np.zeros(nodes, np.int32),
    )


@jit
def _tree(forest: Forest, at: int) -> Tree:
    """Tree `at`, its root's position in row 0."""
    for word in range(forest.roots.shape[1]):
        forest.positions[0, word] = forest.roots[at, word]
    return Tree(
        forest.moves[at],
        forest.parents[at],
        forest.firsts[at],
        forest.counts[at],
        forest.visits[at],
        forest.won[at],
        forest.priors[at],
        forest.positions,
        forest.legal,
        forest.weights,
        forest.control[at],
        forest.places,
    )


@jit
def gather_all(
    boards: Any,
    forest: Forest,
    wanted: NDArray[np.int32],
    each: int,
    owners: NDArray[np.int32],
    leaves: NDArray[np.int32],
    positions: NDArray[np.uint64],
    exploration: float,
    scale: float,
) -> int:
    """Walks to at most `each` leaves in every tree whose root has fewer visits than wanted; how many it found.

    wanted: int32[trees].  owners, leaves: int32[batch] take the tree and the node of each, positions: uint64[batch,
    words] its position.
    """
    found = np.int64(0)
    for at in range(wanted.size):
        room = min(np.int64(wanted[at] - forest.visits[at, 0]), np.int64(each), leaves.size - found)
        if room > 0:
            tree = _tree(forest, at)
            last = found + room
            count = gather(board(boards, at), tree, leaves[found:last], positions[found:last], exploration, scale)
            for place in range(found, found + count):
                owners[place] = at
            found += count
    return found


@jit
def settle_all(
    boards: Any,
    forest: Forest,
    owners: NDArray[np.int32],
    leaves: NDArray[np.int32],
    positions: NDArray[np.uint64],
    priors: NDArray[np.float32],
    values: NDArray[np.float32],
) -> None:
    """Expands the gathered leaves with an evaluator's priors [batch, moves] and values [batch], as `settle`."""
    first = np.int64(0)
    while first < owners.size:
        last = first + 1
        while last < owners.size and owners[last] == owners[first]:
            last += 1
        at = owners[first]
        tree = _tree(forest, at)
        settle(
            board(boards, at), tree, leaves[first:last], positions[first:last], priors[first:last], values[first:last]
        )
        first = last


@jit
def encode_owned(
    boards: Any,
    facts: NDArray[np.int64],
    owners: NDArray[np.int32],
    positions: NDArray[np.uint64],
    planes: NDArray[np.float32],
) -> None:
    """What networks see of the positions of many games: facts int64[trees, n], planes float32[batch, planes, ...]."""
    planes.fill(0.0)
    for at in range(owners.size):
        encoding.encode(board(boards, owners[at]), facts[owners[at]], positions, at, planes, at)


@jit
def write_owned_priors(
    boards: Any,
    facts: NDArray[np.int64],
    owners: NDArray[np.int32],
    positions: NDArray[np.uint64],
    logits: NDArray[np.float32],
    priors: NDArray[np.float32],
) -> None:
    """As `write_priors` for many games: logits float32[batch, actions], priors float32[batch, packed moves]."""
    for at in range(owners.size):
        encoding.write_priors(board(boards, owners[at]), facts[owners[at]], positions, at, logits, priors)


@jit
def uproot(forest: Forest, at: int) -> None:
    """Leaves tree `at` an unexpanded root."""
    forest.control[at, USED] = 1
    forest.counts[at, 0], forest.parents[at, 0] = -1, -1
    forest.visits[at, 0], forest.won[at, 0] = 0, 0.0


@jit
def advance(boards: Any, forest: Forest, at: int, move: int) -> None:
    """Plays `move` in game `at`, whose tree keeps what hangs below it."""
    tree = _tree(forest, at)
    rules = board(boards, at)
    prepare(rules, tree.positions, 0, tree.legal, tree.weights)
    play(rules, tree.positions, 0, move)
    remember(boards, at, tree.positions)
    for word in range(forest.roots.shape[1]):
        forest.roots[at, word] = tree.positions[1, word]
    for node in range(tree.firsts[0], tree.firsts[0] + max(tree.counts[0], 0)):
        if tree.moves[node] == move and tree.counts[node] > 0:
            replant(rules, tree, node, 0)
            return
    uproot(forest, at)


@jit
def judge(boards: Any, forest: Forest, at: int, scale: float) -> tuple[bool, bool, float]:
    """Whether game `at` is over, whether its result is known, and it, for the side to move."""
    tree = _tree(forest, at)
    rules = board(boards, at)
    if drawn(boards, at, tree.positions):
        return True, True, 0.0
    known, value = is_known(rules, tree, scale)
    return known and generate(rules, tree.positions, 0, tree.legal, tree.weights) == 0, known, value


@jit
def foresee_at(boards: Any, forest: Forest, at: int, moves: NDArray[np.int32], scores: NDArray[np.int64]) -> int:
    """As `solvers.kernels.mcts.foresee`, for game `at`; moves int32[width], scores int64[width]."""
    return foresee(board(boards, at), _tree(forest, at), moves, scores)


@jit
def number_at(
    boards: Any,
    forest: Forest,
    facts: NDArray[np.int64],
    at: int,
    moves: NDArray[np.int32],
    numbers: NDArray[np.int64],
) -> None:
    """The network's numbers of packed moves of game `at`: moves int32[n], numbers int64[n]."""
    tree = _tree(forest, at)
    encoding.number_moves(board(boards, at), facts[at], tree.positions, 0, moves, numbers)


offered_or(board, lambda boards, at: boards)
offered_or(remember, lambda boards, at, positions: None)
offered_or(drawn, lambda boards, at, positions: False)
