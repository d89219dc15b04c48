"""The change between two readings is explained by exactly what was played."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from bot.play.changes import explain, movers, positions
from games import GAMES, find_game
from games.core import Observation, UnreadableError


def game_of(name: str, seed: int, plies: int) -> list[tuple[Any, Any]]:
    """Positions of a random game, each with the move made there."""
    game, rng = find_game(name), np.random.default_rng(seed)
    state, line = game.deal(rng), []
    while (moves := state.legal_moves()) and len(line) < plies:
        line.append((state, moves[rng.integers(len(moves))]))
        state = state.play(line[-1][1])
    return line


def shown(game: Any, state: Any) -> Observation:
    """What an eye sees of `state`: the cells and nothing else."""
    return Observation.certain(game.show(state).grid.tolist())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_the_change_of_one_move_is_explained_by_that_move(name: str, seed: int) -> None:
    game = find_game(name)
    for state, move in game_of(name, seed, 40):
        change = explain(game, state, shown(game, state.play(move)))
        assert change.moves == (move,)
        assert change.after == state.play(move)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in GAMES if find_game(name).players > 1])
def test_the_change_of_a_move_and_its_answer_is_explained_by_both(name: str, seed: int) -> None:
    game = find_game(name)
    line = game_of(name, seed, 40)
    for (state, move), (middle, answer) in itertools.pairwise(line):
        change = explain(game, state, shown(game, middle.play(answer)), made=move)
        assert change.moves == (move, answer)
        assert movers(state, change.moves) == (state.player, middle.player)


@pytest.mark.parametrize("name", GAMES)
def test_a_board_that_stays_as_it_is_needs_no_move(name: str) -> None:
    game = find_game(name)
    for state, move in game_of(name, 1, 12):
        assert explain(game, state, shown(game, state), made=move).moves == ()


@pytest.mark.parametrize("name", GAMES)
def test_a_change_that_no_move_explains_is_refused(name: str) -> None:
    game = find_game(name)
    line = game_of(name, 2, 12)
    with pytest.raises(UnreadableError):
        explain(game, line[-1][0], shown(game, line[1][0]))


def test_connect_four_tells_whose_turn_it_is_and_filler_does_not() -> None:
    for name, count in (("connect_four", 1), ("filler", 2), ("flood_it", 1)):
        game = find_game(name)
        state = game_of(name, 4, 12)[-1][0]
        found = positions(game, shown(game, state))
        assert len(found) == count
        assert len({each.player for each in found}) == count


def test_filler_tells_whose_turn_it_is_likely_to_be_while_a_player_has_not_grown() -> None:
    game = find_game("filler")
    state = game.deal(np.random.default_rng(2))
    assert [each.player for each in positions(game, shown(game, state))] == [0, 1]
    growing = next(move for move in state.legal_moves() if state.captured(move))
    assert [each.player for each in positions(game, shown(game, state.play(growing)))] == [1, 0]


def test_a_move_from_the_other_corner_is_not_taken_for_the_move_made() -> None:
    game = find_game("filler")
    state = game.deal(np.random.default_rng(2))
    turned = game.parse(game.format(state).replace(" 1", " 2"), game.options(state))
    move = next(move for move in turned.legal_moves() if move in state.legal_moves())
    with pytest.raises(UnreadableError):
        explain(game, state, shown(game, turned.play(move)), made=move)
    assert explain(game, turned, shown(game, turned.play(move)), made=move).moves == (move,)
