"""Several lines on demand: the best moves have exact scores, as searches of the positions after them find them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import find_game
from games.core import Options
from solvers import find_solver
from solvers.core import Candidate, Limit

LINES = 3

PROVEN = [
    ("connect_four", Options(4, 5), "alphabeta", "33"),
    ("connect_four", Options(), "exact", "4453425"),
    ("filler", Options(5, 5, colours=4), "exact", None),
    ("filler", Options(5, 5, colours=4), "alphabeta", None),
    ("flood_it", Options(7, 7, colours=5, limit=30), "exact", None),
    ("mnk", Options(variant="tic-tac-toe"), "alphabeta:depth=0", ".../.x./..."),
]


def position(game: str, options: Options, text: str | None) -> Any:
    rules = find_game(game)
    return rules.deal(np.random.default_rng(4), options) if text is None else rules.parse(text, options)


def worth(spec: str, game: str, state: Any, move: Any) -> float:
    """What `move` is worth by a search of the position after it, by a solver that knows nothing of other moves."""
    after = state.play(move)
    told = find_solver(spec, game).decide(after)
    assert told.proven
    assert told.score is not None
    return 1 + told.score if find_game(game).players == 1 else -told.score


@pytest.mark.parametrize(("game", "options", "spec", "text"), PROVEN)
def test_the_best_moves_are_scored_as_searches_after_them_score_them(
    game: str, options: Options, spec: str, text: str | None
) -> None:
    state = position(game, options, text)
    told = find_solver(spec, game).decide(state, Limit(lines=LINES))
    assert told.proven
    scores = {move: worth(spec, game, state, move) for move in state.legal_moves() if not state.play(move).outcome()}
    best = sorted(scores.values(), reverse=find_game(game).players == 2)[:LINES]
    assert [each.score for each in told.candidates[:LINES]] == best
    assert all(each.score == scores[each.move] and not each.at_most for each in told.candidates[:LINES])
    rest = [each for each in told.candidates[LINES:] if each.score is not None]
    assert all(each.at_most or each.score == scores[each.move] for each in rest)
    assert all(scores[each.move] <= each.score for each in rest if each.at_most and each.score is not None)


PLAYED = [
    *PROVEN,
    ("quoridor", Options(5, 5), "alphabeta:depth=3", ""),
    ("blokus", Options(7, 7), "alphabeta:depth=2", ""),
]


@pytest.mark.parametrize(
    ("game", "options", "spec", "text"),
    [*PLAYED, ("connect_four", Options(), "mcts", "44"), ("filler", Options(), "mcts", None)],
)
def test_each_of_the_best_moves_has_a_line_that_can_be_played(
    game: str, options: Options, spec: str, text: str | None
) -> None:
    state = position(game, options, text)
    told = find_solver(spec, game).decide(state, Limit(lines=LINES))
    for candidate in told.candidates[:LINES]:
        assert candidate.line[0] == candidate.move
        after = state
        for move in candidate.line:
            assert move in after.legal_moves()
            after = after.play(move)
    assert not any(each.line for each in told.candidates[LINES:])
    assert told.candidates[0].line == told.line


def test_a_search_that_is_stopped_gives_the_lines_of_the_depth_that_was_finished() -> None:
    state = find_game("connect_four").parse("44")
    told = find_solver("alphabeta", "connect_four").decide(state, Limit(nodes=200_000, lines=LINES))
    assert not told.proven
    assert [bool(each.line) for each in told.candidates] == [True] * LINES + [False] * 4
    assert [each.at_most for each in told.candidates] == [False] * LINES + [True] * 4


def test_one_line_is_told_where_no_more_are_asked_for() -> None:
    state = find_game("connect_four").parse("44")
    for told in (
        find_solver("alphabeta:depth=6", "connect_four").decide(state, Limit(lines=lines)) for lines in (None, 1)
    ):
        assert not any(each.line for each in told.candidates)
        assert [each.at_most for each in told.candidates] == [False] + [True] * 6
    assert Candidate(1).line == ()
