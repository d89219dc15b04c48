"""What every solver promises, over the whole registry: each solver on each game it plays."""

import dataclasses
import functools

import numpy as np
import pytest

from games import GAMES, find_game
from games.core import Options
from solvers import find_solver, solver_names, solvers_of
from solvers.core import Limit
from solvers.learned.card import Card, write_card
from solvers.learned.registry import encoder_of
from solvers.training import alphazero
from solvers.training.networks import export

NODES = 200
SLACK = 25_000
"""Positions a search may visit beyond its limit: one slice of a compiled search between two looks at it."""


@functools.cache
def random_game(name):
    """Every position of one game of random moves."""
    rng = np.random.default_rng(3)
    states = [find_game(name).deal(rng, find_game(name).small)]
    while moves := states[-1].legal_moves():
        states.append(states[-1].play(moves[rng.integers(len(moves))]))
    return states


def positions(name):
    """The start, the middle and a late position of a game."""
    states = random_game(name)
    return states[0], states[len(states) // 2], states[-4]


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """Makes the card of a network for a game's board that has learned nothing."""

    @functools.cache
    def make(game):
        folder, board = tmp_path_factory.mktemp(game), find_game(game).small
        packed = alphazero.new_network(game, board, alphazero.AlphaZeroSettings(channels=4, blocks=1), 0)
        export(packed.network(), encoder_of(game, board), folder / "model.onnx")
        card = Card(game, game, board, "alphazero", game, "model.onnx", "", "", "", 0, "nothing", "")
        write_card(card, folder / "model.toml")
        return folder

    return make


@pytest.fixture(params=[(game, name) for game in GAMES for name in solver_names(game)], ids="-".join)
def case(request, untrained):
    """The name of a game and a solver that plays it, with a network that learned nothing where it plays by one."""
    game, name = request.param
    place = solvers_of(game)[name]
    learned = place.startswith(("solvers.learned.player:", "solvers.learned.pairs:"))
    if (learned and find_game(game).small != Options()) or place.startswith("solvers.learned.search:"):
        return game, find_solver(f"{name}:model={untrained(game)}", game)
    return game, find_solver(name, game)


def check(state, decision):
    """A Decision that can be believed: every move in it is one."""
    legal = list(state.legal_moves())
    assert decision.move in legal
    assert decision.nodes >= 0
    assert decision.seconds >= 0
    assert not decision.line or decision.line[0] == decision.move
    for move in decision.line:
        assert move in state.legal_moves()
        state = state.play(move)
    considered = [candidate.move for candidate in decision.candidates]
    assert not considered or considered[0] == decision.move
    assert len(set(considered)) == len(considered)
    assert set(considered) <= set(legal)
    assert not decision.best or decision.move in decision.best
    assert set(decision.best) <= set(legal)
    assert not decision.proven or decision.score is not None


def test_a_solver_is_a_frozen_dataclass_that_its_name_makes(case):
    _, solver = case
    assert dataclasses.is_dataclass(solver)
    assert type(solver).__dataclass_params__.frozen


@pytest.mark.parametrize("limit", [Limit(nodes=NODES), Limit(nodes=1), Limit(depth=1), Limit(seconds=0.02)], ids=str)
def test_a_limited_search_gives_a_legal_decision(case, limit):
    name, solver = case
    for state in positions(name):
        check(state, solver.decide(state, limit))


def test_a_search_ends_when_it_has_visited_its_nodes(case):
    name, solver = case
    for state in positions(name):
        assert solver.decide(state, Limit(nodes=NODES)).nodes <= NODES + SLACK


def test_a_search_ends_when_its_progress_is_told_to(case):
    name, solver = case
    for state in positions(name):
        told = []

        def stop(decision, told=told):
            told.append(decision)
            return True

        check(state, solver.decide(state, progress=stop))
        assert len(told) <= 1
        for decision in told:
            check(state, decision)


def test_no_solver_moves_when_the_game_is_over(case):
    name, solver = case
    with pytest.raises(ValueError, match="over"):
        solver.decide(random_game(name)[-1])


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_usual_solver(game):
    assert find_game(game).solver in solver_names(game)
