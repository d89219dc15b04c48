"""The compiled tree search against the readable one, and both against positions whose answer is known."""

import numpy as np
import pytest

from games import find_game
from solvers.connect_four import players as connect_four
from solvers.core import Limit
from solvers.filler import players as filler
from solvers.kernels import mcts as kernel
from solvers.readable import mcts
from solvers.tree_search import TreeSearch

FOUR = find_game("connect_four")
PACKING = connect_four.Packing()


def judged(own: int, every: int) -> tuple[np.ndarray, float]:
    """Priors and a value that are only a function of the position."""
    dice = np.random.default_rng([own, every])
    return dice.random(7) + 0.1, float(dice.uniform(-1, 1))


def batch(positions):
    answers = [judged(int(own), int(every)) for own, every in positions]
    priors = np.array([priors for priors, _ in answers], np.float32)
    return priors, np.array([value for _, value in answers], np.float32)


def one(state):
    own, every = PACKING.pack(state)
    priors, value = judged(int(own), int(every))
    moves = state.legal_moves()
    total = sum(float(np.float32(priors[move])) for move in moves)
    return {move: float(np.float32(priors[move])) / total for move in moves}, float(np.float32(value))


@pytest.mark.parametrize("text", ["", "4"])
def test_with_one_leaf_at_a_time_both_searches_visit_the_same(text):
    # Wide rather than deep: once a leaf could win at once, the packed rules know it a ply before the readable ones.
    state = FOUR.parse(text)
    root = mcts.Node(state)
    for _ in range(250):
        mcts.grow(root, one, 8.0)
    search = TreeSearch(PACKING, state, exploration=8.0, nodes=1 << 14)
    search.evaluate(batch, 250, batch=1)
    assert search.visits().tolist() == [root.children[move].visits for move in range(7)]
    for candidate in search.decision().candidates:
        assert candidate.score == pytest.approx(root.children[candidate.move].value)


def test_batches_of_leaves_visit_as_often_as_asked():
    sizes = []

    def counted(positions):
        sizes.append(len(positions))
        return batch(positions)

    search = TreeSearch(PACKING, FOUR.parse("44"), nodes=1 << 14)
    search.evaluate(counted, 500, batch=32)
    assert search.decision().nodes == 500
    assert max(sizes) > 4
    assert abs(search.tree.won).max() <= 500  # no walk is left marked as lost


@pytest.mark.parametrize(("text", "moves"), [("112233", {3}), ("12121", {0}), ("4455", {2, 5})])
def test_a_win_or_a_forced_block_is_found(text, moves):
    decision = connect_four.Mcts().decide(FOUR.parse(text), Limit(nodes=4000))
    assert decision.move in moves


def test_limits_hold_and_every_playout_is_counted():
    state = find_game("filler").deal(np.random.default_rng(0))
    assert filler.Mcts().decide(state, Limit(nodes=500)).nodes == 500
    decision = filler.Mcts().decide(state, Limit(seconds=0.05))
    assert decision.nodes > 1
    assert sum(candidate.visits for candidate in decision.candidates) == decision.nodes - 1


def test_more_playouts_beat_fewer_against_greedy():
    rng = np.random.default_rng(2)
    margin = 0.0
    for _ in range(4):
        state = find_game("filler").deal(rng)
        for seat in (0, 1):
            at = state
            players = [filler.Mcts(), filler.Greedy()]
            while at.outcome() is None:
                player = players[(at.player + seat) % 2]
                at = at.play(player.decide(at, Limit(nodes=400)).move)
            scores = at.outcome().scores
            margin += scores[seat] - scores[1 - seat]
    assert margin > 0


def children(tree, node):
    return range(tree.firsts[node], tree.firsts[node] + max(tree.counts[node], 0))


def test_a_full_tree_gives_up_what_was_visited_least_and_grows_on():
    state = FOUR.parse("44")
    search = TreeSearch(PACKING, state, nodes=1 << 9)
    search.play_out(5000)
    tree = search.tree
    assert tree.control[kernel.USED] <= tree.moves.size
    assert sum(candidate.visits for candidate in search.decision().candidates) == tree.visits[0] - 1 == 4999
    for node in range(tree.control[kernel.USED]):
        below = children(tree, node)
        assert all(tree.parents[child] == node for child in below)
        assert sum(tree.visits[child] for child in below) <= tree.visits[node]
    depths = [0] * int(tree.control[kernel.USED])
    for node in range(1, len(depths)):
        depths[node] = depths[tree.parents[node]] + 1
    assert max(depths) > 7  # a tree that stands still once it is full comes to 6


@pytest.mark.parametrize(("text", "moves"), [("112233", {3}), ("4455", {2, 5})])
def test_a_win_or_a_forced_block_is_found_in_a_tree_that_is_soon_full(text, moves):
    search = TreeSearch(PACKING, FOUR.parse(text), nodes=1 << 8)
    search.play_out(4000)
    assert search.decision().move in moves
