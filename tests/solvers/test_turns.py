"""The searches of any game where sides pass and move twice, against brute force."""

from functools import cache, reduce

import numpy as np
import pytest

from solvers.core import Limit
from solvers.readable import alphabeta, mcts
from tests.hedge import Hedge

BOARDS = ((3, 3), (2, 4), (1, 7))


@cache
def margin_of(state) -> float:
    """The first player's stones less the second's at the end of best play, by the definition: nothing is negated."""
    ended = state.outcome()
    if ended is not None:
        return ended.scores[0] - ended.scores[1]
    best = (max, min)[state.player]
    return best(margin_of(state.play(move)) for move in state.legal_moves())


def seen_by(player: int, margin: float) -> float:
    return margin if player == 0 else -margin


def positions(count: int):
    """Every position of random games."""
    rng = np.random.default_rng(1)
    for number in range(count):
        rows, cols = BOARDS[number % len(BOARDS)]
        state = Hedge(((0,) * cols,) * rows)
        while moves := state.legal_moves():
            yield state
            state = state.play(moves[rng.integers(len(moves))])


def test_sides_pass_and_move_twice_in_the_game_these_tests_play():
    again = [
        np.array(state.grid) * np.array(after.grid) == 2
        for state in positions(90)
        for after in map(state.play, state.legal_moves())
        if after.player == state.player and after.outcome() is None
    ]
    twice = sum(turned.sum() > 1 for turned in again)
    assert twice > 50
    assert len(again) - twice > 20


@pytest.mark.slow
def test_alpha_beta_finds_the_value_by_definition_whoever_moves_next():
    for state in positions(30):
        score, line = alphabeta.search(state, 99)
        assert score == seen_by(state.player, margin_of(state))
        end = reduce(lambda at, move: at.play(move), line, state)
        assert seen_by(state.player, margin_of(end)) == score


@pytest.mark.slow
def test_narrow_windows_bound_the_value_whoever_moves_next():
    for state in positions(12):
        value = seen_by(state.player, margin_of(state))
        for asked in range(-4, 5):
            score, _ = alphabeta.search(state, 99, asked - 0.5, asked + 0.5)
            assert score == value if abs(score - asked) < 0.5 else value <= score < asked or value >= score > asked


@pytest.mark.slow
def test_the_alpha_beta_player_proves_a_best_move_whoever_moves_next():
    for state in positions(12):
        decision = alphabeta.AlphaBeta(depth=12).decide(state)
        assert decision.proven
        assert decision.score == seen_by(state.player, margin_of(state))
        assert seen_by(state.player, margin_of(state.play(decision.move))) == decision.score


def test_tree_search_credits_the_side_that_moved_whoever_moves_next():
    def judged(state):
        moves = state.legal_moves()
        value = np.sign(margin_of(state))
        return dict.fromkeys(moves, 1 / len(moves)), seen_by(state.player, value)

    for state in positions(12):
        root = mcts.Node(state)
        for _ in range(1 + len(state.legal_moves())):
            mcts.grow(root, judged, exploration=1e6)
        for child in root.children.values():
            assert child.visits == 1
            assert child.value == seen_by(state.player, np.sign(margin_of(child.state)))


@pytest.mark.slow
def test_tree_search_finds_a_best_move_in_many_playouts_whoever_moves_next():
    for state in positions(9):
        decision = mcts.Mcts().decide(state, Limit(nodes=1500))
        result = np.sign(margin_of(state.play(decision.move)))
        assert result == np.sign(margin_of(state))
