"""Deep Q-learning: small skills are learned in seconds, targets are what they should be, stopped runs go on."""

import dataclasses

import numpy as np
import pytest
import torch

from games import find_game
from games.core import Options, SettingsError
from solvers.learned.card import read_card
from solvers.learned.encoder import legal_actions
from solvers.learned.network import Network
from solvers.learned.player import check_model, player_for
from solvers.training import blokus_pairs, dqn, published_dqn
from solvers.training.batches import batch_of
from solvers.training.blokus_games import BlokusGames
from solvers.training.networks import export
from solvers.training.run import Plan, TrainingRun

THREE = Options(rows=4, cols=4, length=3)
PLAN = Plan("connect_four", "dqn", seed=1, budget=24_000, board=THREE)
SETTINGS = dqn.DqnSettings(network="mlp", layers=(64,), boards=64, room=20_000, warm=2_000, steps=1, rate=2e-3, lag=50)


@pytest.mark.slow
def test_a_network_learns_by_self_play_to_beat_a_random_player(tmp_path):
    dqn.learn(TrainingRun(tmp_path, PLAN, threads=1), SETTINGS)
    learner = dqn.Learner(SETTINGS, (2, 4, 4), 4)
    assert dqn.trial(learner, "connect_four", THREE, seed=5) < 0.7
    assert TrainingRun(tmp_path, PLAN, resume=True).records()[-1]["random"] > 0.8
    check_model(str(tmp_path))


def test_a_network_that_looks_at_each_colour_learns_from_batches_that_show_how_far_cells_are(tmp_path, checkpoint_card):
    plan = Plan("filler", "dqn", seed=1, budget=1_500, board=Options(rows=4, cols=4, colours=4, variant="uniform"))
    seeing = {"network": "colours", "encoder": "filler-reach", "channels": 8, "blocks": 1}
    settings = dataclasses.replace(SETTINGS, **seeing, warm=500, reward="margin")
    dqn.learn(TrainingRun(tmp_path, plan, threads=1), settings)
    assert read_card(tmp_path / "model.toml").encoder == "filler-reach"
    check_model(str(tmp_path))
    left = checkpoint_card(dqn, tmp_path, plan, settings)
    assert left.sha256 == read_card(tmp_path / "model.toml").sha256


def test_a_stopped_run_goes_on_from_its_checkpoint(tmp_path, monkeypatch):
    plan = dataclasses.replace(PLAN, budget=3_000)
    monkeypatch.setattr(TrainingRun, "due", lambda run: True)
    run = TrainingRun(tmp_path, plan, threads=1)
    saves = []

    def save(self, **state):
        keep(self, **state)
        saves.append(state["done"])
        if len(saves) == 20:
            raise KeyboardInterrupt

    keep = TrainingRun.save
    with monkeypatch.context() as patch:
        patch.setattr(TrainingRun, "save", save)
        with pytest.raises(KeyboardInterrupt):
            dqn.learn(run, SETTINGS)
    dqn.learn(TrainingRun(tmp_path, plan, resume=True, threads=1), SETTINGS)
    assert saves[-1] == 20 * 64
    assert read_card(tmp_path / "model.toml").budget.startswith("3,000 moves")


def test_what_follows_a_move_counts_for_the_other_side_until_the_game_ends():
    batch = batch_of("connect_four", THREE, 1, 0)
    memory = dqn.ReplayBuffer(8, 1, (2, 4, 4), 4)
    for reward, ended in ((0.0, False), (0.5, False), (1.0, True), (0.0, False), (0.0, False), (0.0, False)):
        batch.rewards[:], batch.ended[:] = reward, ended
        memory.add(batch.planes(), batch.masks(), np.array([memory.made % 4]), batch)
    _, actions, totals, factors, _, _ = memory.draw(np.random.default_rng(0), 200, 2, 0.9)
    found = {
        int(action): (round(float(total), 4), round(float(factor), 4))
        for action, total, factor in zip(actions, totals, factors, strict=True)
    }
    assert found == {0: (-0.45, 0.81), 1: (0.5 - 0.9, 0.0), 2: (1.0, 0.0), 3: (0.0, 0.81)}


def test_the_targets_maximum_is_over_legal_moves_alone():
    settings = dataclasses.replace(SETTINGS, batch=8, discount=1.0, double=False, dueling=False)
    learner = dqn.Learner(settings, (2, 4, 4), 4)
    with torch.no_grad():
        for network in (learner.network, learner.slow):
            for part in network.parameters():
                part.zero_()
            network.heads.advantage.bias[:] = torch.tensor([100.0, 0.25, 0.0, 0.0])
    batch, memory = batch_of("connect_four", THREE, 1, 0), dqn.ReplayBuffer(4, 1, (2, 4, 4), 4)
    masks = np.array([[False, True, True, True]])
    for _ in range(4):
        batch.rewards[:], batch.ended[:] = 0.0, False
        memory.add(batch.planes(), masks, np.array([1]), batch)
    assert learner.learn(memory, np.random.default_rng(0)) == pytest.approx(0.5 * 0.5**2)  # 0.25 against -0.25


@pytest.mark.parametrize("change", [{"network": "magic"}, {"reward": "fame"}])
def test_settings_that_mean_nothing_are_refused(change, tmp_path):
    with pytest.raises(SettingsError, match="is called"):
        dqn.learn(TrainingRun(tmp_path, PLAN), dataclasses.replace(SETTINGS, **change))


FILLER = Plan("filler", "published-dqn", seed=3, budget=400, board=Options(rows=4, cols=4, colours=4))
PUBLISHED = published_dqn.PublishedDqnSettings(layers=(16,), room=500)


@pytest.mark.parametrize("filtered", [True, False])
def test_the_published_learner_makes_barred_moves_only_where_they_are_not_filtered(
    tmp_path, monkeypatch, filtered, checkpoint_card
):
    monkeypatch.setattr(published_dqn, "LOOK", 100)
    run, seen = TrainingRun(tmp_path, FILLER, threads=1), []
    step = published_dqn.BoardGame.step

    def watched(self, action):
        seen.append(bool(self.action_masks()[int(action)]))
        return step(self, action)

    monkeypatch.setattr(published_dqn.BoardGame, "step", watched)
    settings = dataclasses.replace(PUBLISHED, filtered=filtered)
    published_dqn.learn(run, settings)
    assert len(seen) == 400
    assert all(seen) == filtered
    check_model(str(tmp_path))
    assert [record["step"] for record in run.records()] == [100, 200, 300, 400]
    assert checkpoint_card(published_dqn, tmp_path, FILLER, settings).budget.startswith("400 steps")


def test_the_published_learner_goes_on_with_all_it_remembered(tmp_path):
    run = TrainingRun(tmp_path, FILLER, threads=1)
    model = published_dqn.make(run, PUBLISHED)
    model.learn(152, callback=published_dqn.RunCallback(run, 152))  # it looks up after every fourth step
    again = published_dqn.make(run, PUBLISHED)
    assert published_dqn.restore(run, again) == 152
    assert again.replay_buffer.pos == model.replay_buffer.pos
    assert (again.replay_buffer.actions == model.replay_buffer.actions).all()
    assert np.allclose(again.replay_buffer.observations, model.replay_buffer.observations)


def test_the_published_figures_are_the_usual_settings():
    model = published_dqn.make(Run_of_nothing(), published_dqn.PublishedDqnSettings(room=100))
    layers = [part.out_features for part in model.q_net.q_net if isinstance(part, torch.nn.Linear)]
    usual = published_dqn.PublishedDqnSettings()
    assert layers == [256, 128, 4]
    assert (model.learning_rate, model.gamma, model.batch_size) == (1e-4, 0.99, 32)
    assert (usual.room, published_dqn.USUAL_BUDGET, usual.opponent) == (100_000, 500_000, "random")


class Run_of_nothing:  # noqa: N801
    """Only what a learner asks of a run before it begins."""

    plan = FILLER
    rng = np.random.default_rng(0)


BLOKUS = Options(rows=4, cols=4)
PAIRS = blokus_pairs.StateActionSettings(
    channels=8, blocks=1, width=16, boards=4, judged=16, batch=16, rate=3e-3, lag=20
)


@pytest.mark.parametrize("opponent", ["self", "random", "heuristic:order=size"])
@pytest.mark.parametrize("way", ["dqn", "negamax"])
def test_a_network_of_pairs_leaves_a_player_that_judges_every_placement(way, opponent, tmp_path, checkpoint_card):
    plan = Plan("blokus", "state-action", seed=1, budget=12, board=BLOKUS)
    settings = dataclasses.replace(PAIRS, way=way, opponent=opponent)
    blokus_pairs.learn(TrainingRun(tmp_path, plan, threads=1), settings)
    player, state = player_for("blokus", str(tmp_path)), find_game("blokus").deal(np.random.default_rng(0), BLOKUS)
    decision = player.decide(state)
    assert {each.move for each in decision.candidates} == set(state.legal_moves())
    assert decision.score == max(each.score for each in decision.candidates)
    left = checkpoint_card(blokus_pairs, tmp_path, plan, settings)
    assert left.sha256 == read_card(tmp_path / "model.toml").sha256


def test_a_network_of_pairs_answers_for_a_seat_as_that_seats_network_does(tmp_path):
    pairs = blokus_pairs.begin(BLOKUS, PAIRS)
    export(blokus_pairs.BothSeats(pairs.network), pairs.games.encoder, tmp_path / "n.onnx")
    pairs.games.deal(0)
    pairs.games.find()
    planes, actions = pairs.games.planes(0), pairs.games.legal(0)
    whole = np.concatenate([np.repeat(planes[None], len(actions), 0), pairs.games.covered[actions][:, None]], axis=1)
    for seat in (0, 1):
        seats = np.full(len(actions), seat)
        found = Network(tmp_path / "n.onnx")(whole, actions=actions, seats=seats)["q"]
        np.testing.assert_allclose(found, pairs.judge(seat, [planes], [actions])[0], atol=1e-4)


def games_of_pairs(settings, count=6):
    """What some random games are remembered as, and their memory."""
    pairs, rng = blokus_pairs.begin(BLOKUS, settings), np.random.default_rng(2)
    play, memory, groups = (
        blokus_pairs.SideBySide(pairs, BLOKUS, rng),
        blokus_pairs.PairReplayBuffer(500, (44, 4, 4), 8),
        [],
    )
    while len(groups) < count:
        for moves, _ in play.round(1.0):
            memory.add(moves)
            groups.append(moves)
    return pairs, memory, groups


def test_two_networks_learn_from_one_memory_what_a_game_brought():
    settings = dataclasses.replace(PAIRS, discount=0.0, reward="result")
    pairs, memory, groups = games_of_pairs(settings)
    assert all([move.sign for move in moves].index(0) == len(moves) - 1 for moves in groups)
    assert {move.ply.seat for moves in groups for move in moves} == {0, 1}
    rng = np.random.default_rng(0)
    losses = [pairs.learn(memory.draw(rng, 32)) for _ in range(80)]
    assert np.mean(losses[-5:]) < 0.3 * np.mean(losses[:5]) + 1e-3


@pytest.mark.parametrize("way", ["dqn", "negamax"])
def test_the_target_is_the_reward_and_the_best_answer_counted_for_its_side(way):
    pairs, memory, _ = games_of_pairs(dataclasses.replace(PAIRS, way=way))
    batch = memory.draw(np.random.default_rng(1), 40)
    targets, first = pairs.targets(batch), 0
    for at, count in enumerate(batch.counts.tolist()):
        answers, best = batch.answers[first : first + count], 0.0
        if batch.signs[at]:
            planes, owners = batch.planes_after[at : at + 1], np.zeros(count, np.int64)
            with torch.no_grad():
                best = float(pairs.values(pairs.slow, int(batch.seats_after[at]), planes, owners, answers).max())
        assert targets[at] == pytest.approx(batch.rewards[at] + 0.99 * batch.signs[at] * best, abs=1e-5)
        assert batch.signs[at] in ((0, 1) if way == "dqn" else (0, 1, -1))
        first += count


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_what_the_moves_of_a_game_bring_adds_up_to_its_margin_and_result(seat):
    laid = ((0, 5), (1, 4), (0, 3), (0, 1))
    plies = [blokus_pairs.Ply(who, np.zeros(0), 0, squares, np.zeros(0)) for who, squares in laid]
    moves, value = blokus_pairs.remembered(plies, 5, 10, "squares", seat=seat), 0.0
    for move in reversed(moves):
        value = move.reward + move.sign * value
    missed = 5 if seat == 1 else 0  # what was laid before its first move
    assert value == pytest.approx((-1 if seat == 1 else 1) * (5 - missed) / 10 + (-1 if seat == 1 else 1))


def test_games_side_by_side_are_those_of_the_rules():
    games, rng = BlokusGames(Options(rows=6, cols=6), 3), np.random.default_rng(4)
    encoder, rules = games.encoder, find_game("blokus")
    states = [rules.deal(rng, Options(rows=6, cols=6))] * 3
    for at in range(3):
        games.deal(at)
    while any(state.outcome() is None for state in states):
        games.find()
        actions = np.full(3, -1)
        for at, state in enumerate(states):
            if state.outcome() is None:
                legal = games.legal(at)
                assert sorted(legal) == sorted(legal_actions(encoder, state))
                assert games.seat(at) == state.player
                np.testing.assert_array_equal(games.planes(at), encoder.planes(state))
                actions[at] = rng.choice(legal)
                states[at] = state.play(encoder.move(int(actions[at]), state))
            else:
                assert games.counts[at] == 0
        games.play(actions)
    for at, state in enumerate(states):
        first, second = state.outcome().scores
        assert games.margin(at) == first - second


def test_the_mirror_image_of_what_is_remembered_is_legal_too():
    pairs, memory, _ = games_of_pairs(PAIRS)
    batch = memory.draw(np.random.default_rng(3), 20)
    twin = pairs.mirrored(batch)
    for kind in ("actions", "answers"):
        there, here = pairs.games.covered[getattr(twin, kind)], pairs.games.covered[getattr(batch, kind)]
        np.testing.assert_array_equal(there, here.swapaxes(1, 2))
    again = pairs.mirrored(twin)
    assert all((one == other).all() for one, other in zip(again, batch, strict=True))


def test_pairs_are_refused_for_more_than_two_colours():
    with pytest.raises(SettingsError, match="two players"):
        blokus_pairs.begin(Options(variant="classic"), PAIRS)
