"""The search that plays any game of two sides, from its rules alone."""

from functools import cache

import pytest

from games import GAMES, find_game, reversi
from games.core import Options
from solvers import find_solver
from solvers.any_game import AlphaBeta, PositionTree
from solvers.core import Limit
from solvers.readable import alphabeta
from tests.solvers.test_turns import margin_of, positions, seen_by

ENDS = [
    ("x.xxoxxx/ooxxxoxx/..ooooox/.ooxxooo/oooxxxxx/.ooxoxxx/ooooxxx./oooo.x.o x", 0),
    ("xxxxxx../xxoxxxxx/xoxxx.xx/xoxoxxxx/xoooxox./xoooooxx/.o.ooooo/o.xooo.o x", 12),
    ("xxxxxx../xxoxxxxx/xoxxx.xo/xoxoxxo./xoooxox./xoooooxx/.x.ooooo/..xooo.o x", -4),
    ("..x.ooo./..xxoo.o/xxxooooo/..ooxxoo/xooxxxoo/xoooxoxo/xxxxoxxx/x.xxxxxo x", 20),
    ("xxx.oo../xoo.oo../ooooooxo/ooooooxx/ooooooox/..oxoxox/..xoooox/ooooooox x", 20),
]
"""Reversi with 8 and 10 empty squares, and the margin for the side to move by a separate program in C:
an array of cells, every sequence of moves but for plain alpha-beta."""


@pytest.fixture
def hedge(monkeypatch):
    monkeypatch.setitem(GAMES, "hedge", "tests.hedge")


def test_it_proves_the_value_by_definition_whoever_moves_next(hedge):
    for state in positions(6):
        decision = AlphaBeta("hedge", depth=0).decide(state)
        assert decision.proven
        assert decision.score == seen_by(state.player, margin_of(state))
        assert seen_by(state.player, margin_of(state.play(decision.move))) == decision.score


@pytest.mark.parametrize(("position", "margin"), ENDS, ids=[f"{text[:8]}-{margin}" for text, margin in ENDS])
def test_ends_of_reversi_are_exact(position, margin):
    decision = AlphaBeta("reversi", depth=0).decide(find_game("reversi").parse(position))
    assert decision.proven
    assert decision.score == margin


def test_tic_tac_toe_is_drawn():
    decision = AlphaBeta("mnk", depth=0).decide(find_game("mnk").parse(""))
    assert decision.proven
    assert decision.score == 0


@pytest.mark.parametrize("game", ["reversi", "mnk"])
def test_to_a_depth_it_finds_what_the_readable_search_finds(game):
    rules = find_game(game)
    state = rules.parse("", Options(rows=6) if game == "reversi" else Options(rows=4, length=4))
    for _ in range(6):
        plain, _ = alphabeta.search(state, 3, guess=cache(rules.estimate))
        assert PositionTree(rules, Limit()).value(state, 3, float("-inf"), float("inf")) == (plain, True)
        state = state.play(state.legal_moves()[-1])


def test_a_search_cut_short_answers_with_a_legal_move_and_its_nodes():
    state = find_game("reversi").parse("")
    decision = find_solver("alphabeta", "reversi").decide(state, Limit(nodes=100))
    assert decision.move in state.legal_moves()
    assert not decision.proven
    assert decision.nodes <= 101


def test_greedy_takes_most_cells():
    state = reversi.GAME.parse("......../......../..ooo.../.xooox../...xo.../......../......../........ x")
    decision = find_solver("greedy", "reversi").decide(state)
    after = {move: state.play(move).dark.bit_count() for move in state.legal_moves()}
    assert after[decision.move] == max(after.values()) == decision.score


def test_it_wins_against_greedy_nearly_always():
    greedy, search = find_solver("greedy", "reversi"), AlphaBeta("reversi", depth=2)
    for seat in (0, 1):
        state = reversi.GAME.parse("", Options(rows=6))
        while state.legal_moves():
            player = search if state.player == seat else greedy
            state = state.play(player.decide(state).move)
        assert state.outcome().winner == seat
