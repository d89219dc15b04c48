"""Levels for people to play against: what each of them sees, and that a seed repeats its games."""

import numpy as np
import pytest

from games import GAMES, find_game
from games.core import Options, SettingsError
from solvers import find_solver, solver_names
from solvers.levels import STRONGEST, UNMEASURED, levels_of

OF_TWO = [name for name in GAMES if find_game(name).players == 2]

WON_AT_ONCE = [
    ("connect_four", "112233", "4"),
    ("quoridor", "e2 d9 e3 c9 e4 b9 e5 a9 e6 b9 e7 a9 e8 b9", "e9"),
    ("mnk", "xx./oo./...", "c3"),
]
"""A game, a position, and the one move that wins it at once."""

LOST_ELSE = [("connect_four", "41424", "4"), ("mnk", "xx./o../...", "c3")]
"""A game, a position, and the one move that does not let the rival win at once."""


@pytest.mark.parametrize("name", OF_TWO)
def test_a_game_of_two_has_eight_levels(name):
    assert "level" in solver_names(name)
    assert len(levels_of(name)) == STRONGEST
    for number in (0, STRONGEST + 1):
        with pytest.raises(SettingsError, match=f"no level {number}: choose one of 1 to 8"):
            find_solver(f"level:{number}", name)


def test_a_game_for_one_has_no_levels():
    alone = [name for name in GAMES if find_game(name).players == 1]
    assert alone
    for name in alone:
        assert "level" not in solver_names(name)


def test_the_number_of_a_level_may_stand_alone_before_its_seed():
    assert find_solver("level:3,seed=7", "filler") == find_solver("level:number=3,seed=7", "filler")
    with pytest.raises(SettingsError, match="number='three' of solver 'level' is no int"):
        find_solver("level:three", "filler")


@pytest.mark.parametrize("number", [1, 4, STRONGEST])
@pytest.mark.parametrize(("name", "position", "move"), WON_AT_ONCE)
def test_every_level_takes_a_win(name, position, move, number):
    game = find_game(name)
    state = game.parse(position)
    decision = find_solver(f"level:{number}", name).decide(state)
    assert game.format_move(decision.move, state) == move


@pytest.mark.parametrize(("name", "position", "move"), LOST_ELSE)
def test_the_strongest_level_stops_a_win(name, position, move):
    game = find_game(name)
    state = game.parse(position)
    assert game.format_move(find_solver(f"level:{STRONGEST}", name).decide(state).move, state) == move


def first_moves(name, spec, options):
    """What a level plays in six positions of one random game."""
    rng = np.random.default_rng(1)
    state, moves = find_game(name).deal(rng, options), []
    for _ in range(6):
        moves.append(find_solver(spec, name).decide(state).move)
        state = state.play(state.legal_moves()[int(rng.integers(len(state.legal_moves())))])
    return moves


@pytest.mark.parametrize("name", OF_TWO)
def test_a_seed_repeats_its_moves_and_another_plays_others(name):
    small = find_game(name).small
    games = [first_moves(name, f"level:1,seed={seed}", small) for seed in (1, 1, 2, 3, 4)]
    assert games[0] == games[1]
    assert any(game != games[0] for game in games[2:])


def test_a_board_that_the_solver_of_a_level_refuses_is_played_by_the_rules_alone():
    state = find_game("filler").deal(np.random.default_rng(1), Options(9, 9))
    assert levels_of("filler")[0].solver
    assert not UNMEASURED[0].solver
    assert find_solver("level:1", "filler").decide(state).move in state.legal_moves()
