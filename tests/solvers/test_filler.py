"""Filler's solvers against the value by definition, found with every move tried and nothing proven early."""

from functools import cache

import numpy as np
import pytest

from games import find_game
from games.core import Options, SettingsError
from solvers.core import Limit
from solvers.filler import players as filler
from solvers.readable import alphabeta

GAME = find_game("filler")


@cache
def value(state) -> float:
    """Minimax over the readable rules; the cache holds positions, no bounds."""
    ended = state.outcome()
    if ended is not None:
        return alphabeta.margin(ended, state)
    return max(value_of(move, state) for move in state.legal_moves())


def value_of(move: int, state) -> float:
    after = state.play(move)
    return value(after) if after.player == state.player else -value(after)


def positions(count: int, variant: str | None, seed: int):
    rng = np.random.default_rng(seed)
    sizes = [(3, 3, 4), (2, 5, 4), (4, 3, 3), (2, 4, 5), (3, 4, 4)]
    while count:
        rows, cols, colours = sizes[count % len(sizes)]
        state = GAME.deal(rng, Options(rows=rows, cols=cols, colours=colours, variant=variant))
        for _ in range(int(rng.integers(4))):
            if state.outcome() is None:
                state = state.play(int(rng.choice(state.legal_moves())))
        if state.outcome() is None:
            count -= 1
            yield state


@pytest.mark.parametrize(
    "variant", [None, "uniform", "ring", "majority", "gain", "open", "kept", "shared", "patient", "passing"]
)
def test_the_exact_search_names_every_best_colour_and_the_margin_by_definition(variant):
    solver = filler.Exact(megabytes=1)
    for state in positions(6, variant, seed=3):
        value.cache_clear()
        decision = solver.decide(state)
        best = {move for move in state.legal_moves() if value_of(move, state) == value(state)}
        assert decision.proven
        assert decision.score == value(state)
        assert set(decision.best) == best
        assert decision.move == decision.best[0] == decision.line[0]


def test_null_windows_and_a_full_window_prove_the_same_margin():
    rng = np.random.default_rng(5)
    for _ in range(6):
        state = GAME.deal(rng, Options(rows=5, cols=5, colours=5))
        windows = filler.Exact(megabytes=1).decide(state)
        full = filler.AlphaBeta(megabytes=1).decide(state)
        assert windows.proven
        assert full.proven
        assert windows.score == full.score


def test_the_expected_line_of_a_proof_ends_with_the_proven_margin():
    rng = np.random.default_rng(9)
    for _ in range(5):
        state = GAME.deal(rng, Options(rows=5, cols=4, colours=5))
        decision = filler.Exact(megabytes=1).decide(state)
        for move in decision.line:
            assert state.outcome() is None
            state = state.play(move)
        rest = filler.Exact(megabytes=1).decide(state).score if state.outcome() is None else None
        end = alphabeta.margin(state.outcome(), state) if rest is None else rest
        assert end == decision.score * (-1) ** len(decision.line)


@pytest.mark.slow
def test_a_phones_board_is_proven_from_the_start():
    state = GAME.deal(np.random.default_rng(0))
    decision = filler.Exact().decide(state)
    assert decision.proven
    replies = {move: filler.Exact().decide(state.play(move)) for move in state.legal_moves()}
    assert {move for move, reply in replies.items() if -reply.score == decision.score} == set(decision.best)


def test_limits_leave_a_legal_move_and_no_proof():
    state = GAME.deal(np.random.default_rng(1), Options(rows=8, cols=8))
    solver = filler.Exact(megabytes=4)
    for limit in (Limit(nodes=1), Limit(nodes=30_000), Limit(seconds=0.05)):
        decision = solver.decide(state, limit)
        assert decision.move in state.legal_moves()
        assert not decision.proven
        assert limit.nodes is None or decision.nodes <= limit.nodes


def test_greedy_takes_the_colour_that_captures_most():
    state = GAME.parse("0112/2310/3203 1")
    assert filler.Greedy().decide(state).move == 1


def test_boards_that_do_not_fit_a_word_are_refused_with_a_remedy():
    with pytest.raises(SettingsError, match="lookahead"):
        filler.Exact().decide(GAME.deal(np.random.default_rng(0), Options(rows=9, cols=9)))
