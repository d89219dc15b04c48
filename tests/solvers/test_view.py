"""What networks see of packed positions against the readable encoders, on random games of every variant."""

import numpy as np
import pytest

from games import find_game
from games.core import Options, SettingsError
from solvers.kernels import encoding
from solvers.learned.registry import encoder_of
from solvers.learned.view import NetworkEvaluator, view_of

BOARDS = [
    ("connect_four", "connect_four", Options()),
    ("connect_four", "connect_four-threats", Options(rows=5, cols=6, length=3)),
    ("filler", "filler", Options()),
    ("filler", "filler", Options(rows=5, cols=6, colours=4, variant="open")),
    ("filler", "filler-reach", Options()),
    ("filler", "filler-reach", Options(rows=5, cols=6, colours=4, variant="uniform")),
    ("quoridor", "quoridor", Options(rows=5, cols=5)),
    ("quoridor", "quoridor", Options(rows=9, cols=9, walls=7)),
    ("quoridor", "quoridor", Options(rows=4, cols=6, walls=0)),
    ("blokus", "blokus", Options(rows=7, cols=7, variant="corners")),
]


def games_of(name, board, count=4):
    """The positions of random games."""
    game, rng = find_game(name), np.random.default_rng(5)
    for _ in range(count):
        state = game.deal(rng, board)
        while moves := state.legal_moves():
            yield state, moves
            state = state.play(moves[rng.integers(len(moves))])


@pytest.mark.parametrize(("game", "name", "board"), BOARDS, ids=str)
def test_a_network_sees_and_numbers_packed_positions_as_the_readable_encoder_does(game, name, board):
    view = view_of(game, encoder_of(name, board), board)
    for state, moves in games_of(game, board):
        rules, facts = view.packing.rules(state), view.facts_of(state)
        words, planes = view.packing.pack(state)[None], np.ones((1, *view.encoder.shape), np.float32)
        encoding.encode_all(rules, facts, words, planes)
        np.testing.assert_array_equal(planes[0], view.encoder.planes(state))
        packed = np.array([view.packing.pack_move(move, state) for move in moves], np.int32)
        numbers = np.zeros(len(packed), np.int64)
        encoding.number_moves(rules, facts, words, 0, packed, numbers)
        assert numbers.tolist() == [view.encoder.action(move, state) for move in moves]


@pytest.mark.parametrize(("game", "name", "board"), BOARDS, ids=str)
def test_a_judge_gives_every_packed_move_the_weight_of_its_logit(game, name, board):
    view, rng = view_of(game, encoder_of(name, board), board), np.random.default_rng(2)

    def network(planes):
        assert planes.shape[1:] == view.encoder.shape
        return {"policy": logits[: len(planes)], "value": planes.mean(axis=(1, 2, 3))}

    logits = rng.normal(size=(1, view.encoder.actions)).astype(np.float32)
    for state, moves in games_of(game, board, 1):
        priors, values = NetworkEvaluator(network, view, state)(view.packing.pack(state)[None])
        assert priors.shape == (1, view.packing.sizes(state).actions)
        assert values[0] == pytest.approx(view.encoder.planes(state).mean(), abs=1e-6)
        packed = [view.packing.pack_move(move, state) for move in moves]
        wanted = np.exp(logits[0, [view.encoder.action(move, state) for move in moves]])
        np.testing.assert_allclose(priors[0, packed] / priors[0, packed].sum(), wanted / wanted.sum(), rtol=1e-4)


def test_a_board_of_blokus_that_is_too_large_is_refused():
    view = view_of("blokus", encoder_of("blokus", Options()), Options())
    with pytest.raises(SettingsError, match="8x8"):
        view.packing.rules(find_game("blokus").deal(np.random.default_rng(0)))


def test_a_game_without_two_sides_is_refused():
    with pytest.raises(SettingsError, match="flood_it"):
        view_of("flood_it", encoder_of("flood_it", Options()), Options())
