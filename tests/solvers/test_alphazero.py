"""AlphaZero: a small game is learned in seconds, a stopped run goes on with the same games, whoever plays them."""

import dataclasses

import numpy as np
import pytest

from games import find_game
from games.core import Options, SettingsError
from solvers import find_solver
from solvers.core import Limit
from solvers.learned.card import ModelError, read_card
from solvers.learned.player import NetworkPlayer
from solvers.learned.search import NetworkSearch
from solvers.training import alphazero
from solvers.training.alphazero import AlphaZeroSettings, GateJob, play_gate
from solvers.training.generations import PLOT, rate_generations
from solvers.training.networks import Mlp, export
from solvers.training.run import Plan, TrainingRun

BOARD = Options(rows=4, cols=4, length=3)
PLAN = Plan("connect_four", "alphazero", seed=1, budget=2, board=BOARD, command="boardsight train ...")
TINY = AlphaZeroSettings(
    channels=8, blocks=1, games=12, piece=4, visits=12, fast=4, share=0.5, gate_games=6, gate_visits=8, batch=16, warm=4
)
SMALL = dataclasses.replace(
    TINY, channels=16, games=64, piece=64, visits=48, fast=16, gate_games=32, gate_visits=32, batch=64
)


class StoppedError(Exception):
    """Stands for a kill."""


def learn(folder, settings=TINY, plan=PLAN, **options):
    run = TrainingRun(folder, plan, resume=folder.exists(), threads=1, **options)
    alphazero.learn(run, settings)
    return run


def left_by(folder):
    """What a run leaves that must not depend on how it came about: its games and its player."""
    games = {}
    for path in sorted(folder.glob("games-*.npz")):
        with np.load(path) as file:
            games[path.name] = {name: file[name].tobytes() for name in file.files}
    return games, (folder / "model.onnx").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [1, 4])
def test_a_run_that_is_stopped_among_its_games_goes_on_with_the_same_ones(tmp_path, monkeypatch, pieces):
    learn(tmp_path / "whole")
    play, left = alphazero.play_games, [None] * pieces

    def play_and_die(piece):
        if not left:
            raise StoppedError
        left.pop()
        return play(piece)

    with monkeypatch.context() as patch:
        patch.setattr(alphazero, "play_games", play_and_die)
        with pytest.raises(StoppedError):
            learn(tmp_path / "halves")
    learn(tmp_path / "halves")
    assert left_by(tmp_path / "whole") == left_by(tmp_path / "halves")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The folder of a player that learned for some seconds."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    learn(folder, SMALL, dataclasses.replace(PLAN, budget=6))
    return folder


@pytest.mark.slow
def test_some_seconds_of_self_play_teach_to_win_the_small_game(trained):
    game, exact = find_game("connect_four"), find_solver("alphabeta", "connect_four")
    start, player = game.deal(np.random.default_rng(0), BOARD), NetworkPlayer("connect_four", model=str(trained))
    state = start
    while state.outcome() is None:  # the first player wins, as the exact search proves
        chosen = player if state.player == 0 else exact
        state = state.play(chosen.decide(state).move)
    assert exact.decide(start).score > 0
    assert state.outcome().winner == 0
    assert {"gate", "policy_loss", "value_loss"} < set(
        TrainingRun(trained, dataclasses.replace(PLAN, budget=6), resume=True).records()[-1]
    )


def test_its_last_checkpoint_leaves_the_best_network(trained, checkpoint_card):
    left = checkpoint_card(alphazero, trained, dataclasses.replace(PLAN, budget=6), SMALL)
    assert left.sha256 == read_card(trained / "model.toml").sha256


def test_a_learned_player_searches_with_its_network_and_shows_its_visits(trained):
    game, player = find_game("connect_four"), NetworkSearch("connect_four", model=str(trained))
    state = game.deal(np.random.default_rng(0), BOARD)
    decision = player.decide(state, Limit(nodes=60))
    assert decision.nodes == 60
    assert sum(candidate.visits for candidate in decision.candidates) == 59
    won = state.play(0).play(1).play(0).play(1)
    assert player.decide(won) == dataclasses.replace(player.decide(won), move=0, score=1.0, proven=True)
    view = []
    player.decide(state, Limit(seconds=0.5), progress=lambda decision: bool(view.append(decision)) or len(view) > 1)
    assert len(view) == 2
    drawn = {
        NetworkSearch("connect_four", model=str(trained), nodes=8, temperature=1.0, seed=seed).decide(state).move
        for seed in range(30)
    }
    assert len(drawn) > 1


def test_a_search_plays_what_is_proven_in_time_and_what_it_visits_most_elsewhere():
    game = find_game("connect_four")
    player = NetworkSearch("connect_four", "connect-four-mlp", nodes=20, proof_nodes=5000)
    late, start = game.parse("52477351623747267122231"), game.parse("")
    exact = find_solver("exact", "connect_four").decide(late)
    for proving in (player, NetworkSearch("connect_four", "connect-four-mlp", seconds=60, proof=0.5)):
        found = proving.decide(late)
        assert found.proven
        assert found.score == exact.score == -3
        assert found.move in exact.best
    guessed = player.decide(start)
    assert not guessed.proven
    assert sum(candidate.visits or 0 for candidate in guessed.candidates) > 0
    with pytest.raises(SettingsError, match="leave proof=0"):
        NetworkSearch("quoridor", proof=0.5)._prover()


def test_a_network_without_a_policy_is_no_guide_for_a_search(trained, tmp_path):
    from solvers.learned.card import write_card
    from solvers.learned.registry import encoder_of

    export(
        Mlp((2, 4, 4), 4, (4,), ("value",)),
        encoder_of("connect_four", Options(rows=4, cols=4)),
        tmp_path / "model.onnx",
    )
    write_card(dataclasses.replace(read_card(trained / "model.toml"), weights="model.onnx"), tmp_path / "model.toml")
    with pytest.raises(ModelError, match="policy and value"):
        NetworkSearch("connect_four", model=str(tmp_path)).decide(
            find_game("connect_four").deal(np.random.default_rng(0), BOARD)
        )


def test_equal_networks_share_the_points_of_a_match():
    packed = alphazero.new_network("connect_four", BOARD, TINY, 3)
    score = play_gate(
        GateJob(packed, packed, 12, dataclasses.replace(TINY, gate_visits=12, openings=2, plies=40), (5,))
    )
    assert score.won == score.lost
    assert sum(score) == 12


def test_a_game_no_search_knows_is_refused_before_anything_is_played(tmp_path):
    plan = Plan("blokus", "alphazero", board=Options(rows=14, cols=14), command="")
    with pytest.raises(SettingsError, match="8x8"):
        learn(tmp_path / "large", plan=plan)


@pytest.mark.slow
def test_a_network_that_looks_at_each_colour_guides_the_search_it_learned_from(tmp_path):
    plan = Plan("filler", "alphazero", seed=1, budget=1, board=Options(rows=4, cols=4, colours=4))
    learn(tmp_path / "run", dataclasses.replace(TINY, network="colours", encoder="filler-reach"), plan)
    state = find_game("filler").deal(np.random.default_rng(0), plan.board)
    decision = NetworkSearch("filler", str(tmp_path / "run"), nodes=40).decide(state)
    assert {each.move for each in decision.candidates} == set(state.legal_moves())


def test_a_game_whose_moves_are_no_colours_has_no_network_that_looks_at_each(tmp_path):
    with pytest.raises(SettingsError, match="residual"):
        learn(tmp_path / "run", dataclasses.replace(TINY, network="colours"))


def test_generations_that_passed_are_rated_once_each(tmp_path):
    """With no gate every generation passes."""
    learn(tmp_path / "run", dataclasses.replace(TINY, gate_games=0))
    first, second = rate_generations(tmp_path / "run", "random", seconds=(0.001,), games=4)
    assert [first["step"], second["step"]] == [1, 2]
    name = "Elo beside random, 4 games of 0.001 s a move"
    assert -400 < first[name] < 400
    assert (tmp_path / "run" / PLOT).read_bytes().startswith(b"\x89PNG")
    told = []
    again = list(rate_generations(tmp_path / "run", "random", seconds=(0.001,), games=4, told=told.append))
    assert again == [first, second]
    assert not told  # neither match was played again


def test_a_run_without_generations_is_told_so(tmp_path):
    with pytest.raises(SettingsError, match="keeps no generations"):
        next(rate_generations(tmp_path, "random", seconds=(0.1,), games=2))
