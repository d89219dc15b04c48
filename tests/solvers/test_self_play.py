"""Many games at once on the compiled tree search: against one tree alone, and against the rules of the games."""

import dataclasses

import numpy as np
import pytest

from games import find_game
from games.core import Cell, Options
from games.quoridor.board import Wall
from solvers.learned.encoder import Symmetry, action_mask
from solvers.learned.registry import encoder_of
from solvers.learned.view import NetworkEvaluator, view_of
from solvers.training.self_play import SelfPlaySettings, join, play_itself, policies_of
from solvers.training.vector_environments import VectorEnvironment, VectorSearch
from solvers.tree_search import TreeSearch

BOARDS = {
    "connect_four": Options(rows=4, cols=5, length=3),
    "filler": Options(rows=4, cols=4, colours=4),
    "quoridor": Options(rows=3, cols=3, walls=2),
    "blokus": Options(rows=5, cols=5, variant="corners"),
}


def view_at(game):
    return view_of(game, encoder_of(game, BOARDS[game]), BOARDS[game])


def network_for(view):
    """A network that is only a function of the position."""
    rng = np.random.default_rng(4)
    size = int(np.prod(view.encoder.shape))
    weights = rng.normal(size=(size, view.encoder.actions + 1)).astype(np.float32)

    def answer(planes):
        found = np.stack([row.reshape(-1) @ weights for row in planes])  # each row alone, whatever the batch
        return {"policy": found[:, :-1], "value": np.tanh(found[:, -1])}

    return answer


SOME = [game if game in ("connect_four", "quoridor") else pytest.param(game, marks=pytest.mark.slow) for game in BOARDS]
"""Every game; those that take longest to compile only with the slow tests."""


@pytest.mark.parametrize("game", SOME)
def test_a_tree_among_many_grows_as_it_would_alone(game):
    view, rng = view_at(game), np.random.default_rng(1)
    network, environment = network_for(view), VectorEnvironment(view, 3)
    trees = VectorSearch(environment, network, 400, 1.4)
    states = []
    for at in range(3):
        dice = np.random.default_rng([1, at])
        trees.begin(at, environment.deal(at, dice))
        states.append(find_game(game).deal(np.random.default_rng([1, at]), view.board))
    before = [None] * 3
    for _ in range(4):
        trees.think_through(trees.visits + 40)
        for at, state in enumerate(states):
            if state.outcome() is not None:
                continue
            nodes = trees.forest.moves.shape[1]
            alone = TreeSearch(view.packing, state, scale=view.scale, nodes=nodes, before=before[at])
            alone.evaluate(NetworkEvaluator(network, view, state), 40, batch=1)
            before[at] = alone
            moves, visits = trees.children(at)
            assert alone.visits()[moves].tolist() == visits.tolist()
            chosen = int(moves[rng.choice(np.flatnonzero(visits))])
            trees.advance(at, chosen)
            states[at] = state.play(view.packing.unpack_move(chosen, state))
            if any(trees.judge(at)[:2]):  # from here the games would go separate ways: what is known is not searched
                states[at] = find_game(game).deal(np.random.default_rng([2, at]), view.board)
                trees.begin(at, environment.deal(at, np.random.default_rng([2, at])))
                before[at] = None


@pytest.mark.parametrize("game", SOME)
def test_self_play_leaves_legal_moves_true_results_and_the_same_games_for_the_same_seed(game):
    view = view_at(game)
    settings = SelfPlaySettings(visits=24, fast=8, share=0.5, places=5, warm=4)
    examples, report = play_itself(view, network_for(view), settings, 12, [3, 1])
    again, _ = play_itself(view, network_for(view), settings, 12, [3, 1])
    other, _ = play_itself(view, network_for(view), settings, 12, [3, 2])
    assert all((one == two).all() for one, two in zip(examples, again, strict=True))
    assert len(other) != len(examples) or (other.planes != examples.planes).any()
    assert report.games == 12
    assert len(examples) > 12
    policies = policies_of(examples, np.arange(len(examples)), view.encoder.actions)
    sums = policies.sum(axis=1)
    assert ((np.abs(sums - 1) < 1e-3) | (sums == 0)).all()
    assert (np.abs(examples.values) <= 1).all()
    known = dict(legal_by_view(game, view.encoder)) if game != "filler" else {}
    compared = 0
    for planes, policy in zip(examples.planes, policies, strict=True):
        mask = barred_on(planes, view.encoder.actions) if game == "filler" else known.get(planes.tobytes())
        if mask is not None:
            assert not policy[~mask].any()
            compared += 1
    assert compared > 3


def legal_by_view(game, encoder):
    """What is seen of many positions, and the legal moves there."""
    for state, _ in positions_of(game, 60):
        yield encoder.planes(state).astype(np.float16).tobytes(), action_mask(encoder, state)


def barred_on(planes, colours):
    """The colours of Filler that neither territory has."""
    owned = planes[colours] + planes[colours + 1] > 0
    return np.array([not planes[colour][owned].any() for colour in range(colours)])


def positions_of(game, count):
    """Positions of random games and their moves, each game from a board of its own."""
    rules, rng = find_game(game), np.random.default_rng(3)
    for _ in range(count):
        state = rules.deal(rng, BOARDS[game])
        while moves := state.legal_moves():
            yield state, moves
            state = state.play(moves[rng.integers(len(moves))])


def test_a_game_of_quoridor_that_repeats_itself_is_drawn():
    view = view_at("quoridor")
    environment = VectorEnvironment(view, 2)
    trees = VectorSearch(environment, network_for(view), 10, 1.4)
    state = find_game("quoridor").deal(np.random.default_rng(0), view.board)
    trees.begin(1, environment.deal(1, np.random.default_rng(0)))
    there = [Cell(2, 0), Cell(0, 0), Cell(2, 1), Cell(0, 1)]
    for turn, cell in enumerate(there * 2):
        assert trees.judge(1)[:2] == (False, False), turn
        trees.advance(1, view.packing.pack_move(cell, state))
    assert trees.judge(1) == (True, True, 0.0)
    assert environment.boards.lengths.tolist() == [0, 8]
    trees.begin(1, environment.deal(1, np.random.default_rng(0)))
    trees.advance(1, view.packing.pack_move(Wall("h", 0, 0), state))
    assert environment.boards.lengths[1] == 0


def test_a_side_that_is_sure_to_lose_gives_up_where_it_may():
    view = view_at("connect_four")

    def gloomy(planes):
        return {"policy": np.zeros((len(planes), 5), np.float32), "value": np.full(len(planes), -1, np.float32)}

    def cheerful(planes):
        return {"policy": np.zeros((len(planes), 5), np.float32), "value": np.full(len(planes), 1, np.float32)}

    settings = SelfPlaySettings(visits=2, fast=2, places=4, resign=0.4)
    _, report = play_itself(view, gloomy, SelfPlaySettings(visits=2, fast=2, places=4), 8, 1)
    _, short = play_itself(view, cheerful, settings, 8, 1)
    assert short.plies < report.plies


def test_examples_are_joined_in_order():
    view = view_at("connect_four")
    settings = SelfPlaySettings(visits=8, fast=8, places=2, share=1.0)
    parts = [play_itself(view, network_for(view), settings, 3, seed)[0] for seed in range(3)]
    whole, first = join(parts), len(parts[0])
    assert len(whole) == sum(map(len, parts))
    chosen = np.array([first + 2, 0, first])
    expected = [policies_of(parts[1], np.array([2, 0]), 5), policies_of(parts[0], np.array([0]), 5)]
    found = policies_of(whole, chosen, 5)
    assert (found == np.stack([expected[0][0], expected[1][0], expected[0][1]])).all()


@pytest.mark.parametrize("game", ["connect_four", "quoridor", "filler", "blokus"])
def test_a_twin_is_what_the_network_sees_of_the_mirrored_game(game):
    encoder, rng = encoder_of(game, BOARDS[game]), np.random.default_rng(6)
    for state, moves in positions_of(game, 3):
        symmetry = encoder.symmetry(rng)
        mirrored, moved = mirror(game, state, symmetry)
        policy = np.zeros((1, encoder.actions), np.float32)
        policy[0, [encoder.action(move, state) for move in moves]] = np.arange(1, len(moves) + 1)
        planes, policies = symmetry.applied(encoder.planes(state)[None], policy)
        np.testing.assert_array_equal(planes[0], encoder.planes(mirrored))
        for place, move in enumerate(moves, start=1):
            assert policies[0, encoder.action(moved(move), mirrored)] == place
        assert {moved(move) for move in moves} == set(mirrored.legal_moves())


def mirror(game, state, symmetry: Symmetry):
    """The state seen through the symmetry, by the game's own words, and what it does to moves."""
    if game == "filler":
        order = symmetry.actions.tolist()
        colour = {old: new for new, old in enumerate(order)}
        grid = tuple(tuple(colour[kind] for kind in row) for row in state.grid)
        return dataclasses.replace(state, grid=grid), lambda move: colour[move]
    if (symmetry.actions == np.arange(len(symmetry.actions))).all():
        return state, lambda move: move
    return {"connect_four": mirror_columns, "quoridor": mirror_walls, "blokus": transpose}[game](state)


def mirror_columns(state):
    last, game = len(state.grid[0]) - 1, find_game("connect_four")
    mirrored = game.deal(np.random.default_rng(0), BOARDS["connect_four"])
    for move in state.moves:
        mirrored = mirrored.play(last - move)
    return mirrored, lambda move: last - move


def mirror_walls(state):
    last = state.size.cols - 1

    def moved(move):
        if isinstance(move, Wall):
            return Wall(move.way, move.row, last - 1 - move.col)
        return Cell(move.row, last - move.col)

    mirrored = find_game("quoridor").deal(np.random.default_rng(0), BOARDS["quoridor"])
    for move in state.moves:
        mirrored = mirrored.play(moved(move))
    return mirrored, moved


def transpose(state):
    def moved(move):
        return tuple(sorted(Cell(col, row) for row, col in move))

    mirrored = find_game("blokus").deal(np.random.default_rng(0), BOARDS["blokus"])
    for move in state.moves:
        mirrored = mirrored.play(moved(move))
    return mirrored, moved
