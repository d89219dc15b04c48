"""Training: a known small skill is learned in seconds, a stopped run goes on as if it never stopped."""

import dataclasses
import json

import numpy as np
import pytest
import torch

from games import find_game
from games.core import Options, SettingsError
from solvers import find_solver
from solvers.connect_four import book as connect_four_book
from solvers.connect_four.players import Packing
from solvers.learned.card import add_figures, read_card
from solvers.learned.encoder import action_mask
from solvers.learned.network import Network
from solvers.learned.player import check_model, spec_for
from solvers.learned.registry import encoder_of, full_options
from solvers.training import connect_four_labels as sources
from solvers.training import filler_labels, supervised
from solvers.training.kernels import connect_four as four
from solvers.training.measure import accuracy, measure
from solvers.training.methods import METHODS, find_method, games_of, parse_settings
from solvers.training.run import Plan, TrainingRun

SMALL = supervised.SupervisedSettings(network="mlp", layers=(64,), epochs=4, batch=128)
PLAN = Plan("connect_four", "supervised", seed=1, budget=1600, command="boardsight train ...")


@pytest.fixture
def late(monkeypatch):
    """Only positions late in a game, whose scores are found at once, in small pieces."""
    monkeypatch.setattr(sources.ConnectFourScores, "SHARES", ((26, 34, 1.0),))
    monkeypatch.setattr(supervised, "PIECE", 400)


def weights_of(folder):
    return (folder / "model.onnx").read_bytes()


class StoppedError(Exception):
    """Stands for Ctrl-C."""


def stop_after(monkeypatch, checkpoints):
    """Have a run stop once it has kept so many checkpoints."""
    save = TrainingRun.save

    def save_and_stop(self, **state):
        save(self, **state)
        left.pop()
        if not left:
            raise StoppedError

    left = [None] * checkpoints
    monkeypatch.setattr(TrainingRun, "save", save_and_stop)


@pytest.mark.slow
def test_a_stopped_run_goes_on_as_if_it_had_never_stopped(tmp_path, monkeypatch, late):
    supervised.learn(TrainingRun(tmp_path / "whole", PLAN, threads=1), SMALL)
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        with pytest.raises(StoppedError):
            supervised.learn(TrainingRun(tmp_path / "halves", PLAN, threads=1), SMALL)
    run = TrainingRun(tmp_path / "halves", PLAN, resume=True)
    supervised.learn(run, SMALL)
    assert weights_of(tmp_path / "whole") == weights_of(tmp_path / "halves")
    losses = [
        [record["loss"] for record in TrainingRun(folder, PLAN, resume=True).records()] for folder in tmp_path.iterdir()
    ]
    assert losses[0] == losses[1]
    assert len(losses[0]) == 4


def test_a_finished_run_holds_a_player_its_card_its_log_and_its_curve(tmp_path, late):
    supervised.learn(TrainingRun(tmp_path, PLAN, threads=1), SMALL)
    check_model(str(tmp_path))
    card = read_card(tmp_path / "model.toml")
    assert (card.seed, card.command) == (1, "boardsight train ...")
    assert [figure.what.partition(",")[0] for figure in card.figures] == ["optimal moves", "value-keeping moves"]
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((tmp_path / "tensorboard").iterdir())
    assert json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])["step"] > 0


def test_a_mirrored_network_answers_a_position_and_its_mirror_image_alike(tmp_path, late, checkpoint_card):
    settings = dataclasses.replace(SMALL, network="windows", channels=8, mirrored=True)
    supervised.learn(TrainingRun(tmp_path, PLAN, threads=1), settings)
    left = checkpoint_card(supervised, tmp_path, PLAN, settings)
    assert left.sha256 == read_card(tmp_path / "model.toml").sha256
    source = sources.ConnectFourScores(Options())
    planes = source.labelled(source.make(50, 3)).planes
    network = Network(tmp_path / "model.onnx")
    one, other = network(planes), network(planes[..., ::-1])
    assert np.allclose(one["policy"], other["policy"][:, ::-1], atol=1e-5)
    assert np.allclose(one["value"], other["value"], atol=1e-5)
    assert not np.allclose(one["policy"], one["policy"][:, ::-1], atol=1e-2)
    with pytest.raises(SettingsError, match="has no mirror"):
        encoder_of("filler", Options()).mirror.planes  # noqa: B018


def test_a_network_that_looks_at_colours_one_by_one_thinks_alike_of_exchanged_colours():
    encoder = encoder_of("filler-reach", Options())
    settings = supervised.SupervisedSettings(network="colours", channels=8, blocks=1)
    network = supervised.build(settings, encoder.shape, encoder.actions).eval()
    state = find_game("filler").deal(np.random.default_rng(4), Options())
    planes = torch.from_numpy(encoder.planes(state)[None])
    order = [3, 0, 5, 1, 2, 4]
    exchanged = planes.clone()
    exchanged[:, :6] = planes[:, order]
    with torch.no_grad():
        (policy, value), (other, same) = network(planes), network(exchanged)
    assert torch.allclose(policy[:, order], other, atol=1e-5)
    assert torch.allclose(value, same, atol=1e-5)
    assert policy.std() > 1e-3


@pytest.mark.slow
def test_a_network_learns_from_exact_answers_to_take_a_win_at_hand(tmp_path, late):
    plan = dataclasses.replace(PLAN, budget=12_000)
    supervised.learn(
        TrainingRun(tmp_path, plan, threads=1),
        dataclasses.replace(SMALL, layers=(128,), epochs=20, rate=4e-3),
    )
    network, source = Network(tmp_path / "model.onnx"), sources.ConnectFourScores(Options())
    unseen = source.make(400, 99)
    labelled, top = source.labelled(unseen), unseen["scores"].max(axis=1)
    wins = top == (43 - np.bitwise_count(unseen["positions"][:, 1])) // 2
    choices = np.where(labelled.legal, network(labelled.planes)["policy"], -np.inf).argmax(axis=1)
    assert wins.sum() > 100
    assert labelled.best[wins].sum() < 0.6 * labelled.legal[wins].sum()
    assert labelled.best[np.arange(len(choices)), choices][wins].mean() > 0.9


def test_the_moves_a_teacher_calls_best_and_those_it_says_keep_the_result_are_the_exact_solvers(monkeypatch):
    quick = ((0, 9, 0.4), (11, 12, 0.06), (19, 24, 0.1), (24, 41, 0.1))
    monkeypatch.setattr(sources.ConnectFourScores, "SHARES", quick)
    source = sources.ConnectFourScores(Options())
    found = source.make(100, 2)
    labelled = source.labelled(found)
    solver, game = find_solver("exact:every=true", "connect_four"), find_game("connect_four")
    rng = np.random.default_rng(0)
    positions = found["positions"]
    counts = np.bitwise_count(positions[:, 1])
    looked_up, judged = np.flatnonzero(counts < 9), np.flatnonzero(counts > 9)
    assert (counts[judged].min(), counts[judged].max() > 30) == (11, True)
    for at in np.concatenate([rng.choice(looked_up, 8, replace=False), judged]):
        decision = solver.decide(game.parse(moves_to(*positions[at].tolist())))
        signs = {each.move for each in decision.candidates if np.sign(each.score) == np.sign(decision.score)}
        assert set(np.flatnonzero(labelled.best[at])) == set(decision.best)
        assert decision.score < 0 or set(np.flatnonzero(labelled.keeps[at])) == signs
        assert labelled.values[at] == np.sign(decision.score)


def test_every_position_of_an_opening_is_learned_from_as_often_as_games_come_to_it(monkeypatch):
    monkeypatch.setattr(sources.ConnectFourScores, "SHARES", ((0, 10, 1.0),))
    source = sources.ConnectFourScores(Options())
    made = source.make(2000, 5)
    training, holdout = supervised._parted([source.labelled(made)])
    stones = [each.planes[:, :2].sum(axis=(1, 2, 3)) for each in (training, holdout)]
    counts = np.bitwise_count(made["positions"][:, 1])
    assert stones[1].min() == 8
    assert [int((stones[0] == count).sum()) for count in range(8)] == np.bincount(counts)[:8].tolist()
    assert 150 < (counts == 0).sum() < 250


def test_a_move_that_keeps_the_result_is_worth_what_the_settings_say(late):
    source = sources.ConnectFourScores(Options())
    labelled = source.labelled(source.make(200, 99))
    settings = dataclasses.replace(SMALL, keeping=0.5)
    worths = np.concatenate(
        [part[1] for part in supervised._batches(settings, source, labelled, np.random.default_rng(0))]
    )
    keeping = labelled.keeps & ~labelled.best
    assert [int((worths == worth).sum()) for worth in (1, 0.5, 0)] == [
        int(some.sum()) for some in (labelled.best, keeping, ~labelled.keeps)
    ]
    assert keeping.sum() > 50


def test_a_network_that_judges_moves_one_by_one_learns_what_each_is_worth(tmp_path, late):
    plan = dataclasses.replace(PLAN, budget=6_000)
    supervised.learn(
        TrainingRun(tmp_path, plan, threads=1),
        dataclasses.replace(SMALL, epochs=10, rate=4e-3, judged=True),
    )
    source = sources.ConnectFourScores(Options())
    labelled = source.labelled(source.make(400, 99))
    worths = 1 / (1 + np.exp(-Network(tmp_path / "model.onnx")(labelled.planes)["policy"]))
    assert abs(worths.sum() / labelled.best.sum() - 1) < 0.1
    assert worths[labelled.best].mean() > worths[~labelled.best & labelled.legal].mean() + 0.1
    assert worths[~labelled.legal].mean() < 0.05


def moves_to(own, every):
    """The text of one game that leads to a position: columns in an order in which each player owns its discs."""
    heights = [0] * 7
    mover = own if every.bit_count() % 2 == 0 else every ^ own
    columns = [
        [bool(mover >> (7 * col + row) & 1) for row in range((every >> 7 * col & 63).bit_count())] for col in range(7)
    ]

    def search(turn, text):
        if len(text) == every.bit_count():
            return text
        for col, discs in enumerate(columns):
            if heights[col] < len(discs) and discs[heights[col]] == turn:
                heights[col] += 1
                found = search(not turn, text + str(col + 1))
                heights[col] -= 1
                if found:
                    return found
        return ""

    return search(True, "")


def test_a_compiled_eye_sees_what_the_readable_one_does():
    positions = np.zeros((200, 2), np.uint64)
    four.random_positions(positions, 0, 41, 3)
    planes = sources.ConnectFourScores(Options()).planes(positions)
    encoder, game = encoder_of("connect_four-threats", Options()), find_game("connect_four")
    for at in range(0, 200, 10):
        state = game.parse(moves_to(*positions[at].tolist()))
        assert (Packing().pack(state) == positions[at]).all()
        assert (encoder.planes(state) == planes[at]).all()


@pytest.mark.parametrize(("low", "high"), [(0, 24), (24, 41)])
@pytest.mark.parametrize("kind", [sources.ConnectFourScores, sources.ConnectFourGames])
def test_a_teacher_of_connect_four_shows_of_a_position_what_a_player_sees_of_it(kind, low, high):
    positions, source = np.zeros((40, 2), np.uint64), kind(Options())
    four.random_positions(positions, low, high, 7)
    scores = sources._proven(positions) if low else np.zeros((40, 7), np.int8)
    labelled = source.labelled({"positions": positions, "scores": scores, "results": np.zeros(40, np.int8)})
    encoder, game = encoder_of(source.encoder, Options()), find_game("connect_four")
    for at, position in enumerate(positions):
        state = game.parse(moves_to(*position.tolist()))
        np.testing.assert_array_equal(labelled.planes[at], encoder.planes(state))
        if low and kind is sources.ConnectFourScores:
            np.testing.assert_array_equal(labelled.legal[at], action_mask(encoder, state))


@pytest.mark.parametrize("variant", [None, "uniform"])
def test_a_teacher_of_filler_shows_of_a_position_what_a_player_sees_of_it(variant, monkeypatch):
    board, judged, exact = Options(rows=4, cols=5, colours=5, variant=variant), [], find_solver("exact", "filler")

    class Watched:
        def decide(self, state, limit):
            judged.append(state)
            return exact.decide(state, limit)

    monkeypatch.setattr(
        filler_labels, "find_solver", lambda name, game: Watched() if name == "exact" else find_solver(name, game)
    )
    source = filler_labels.FillerMargins(board)
    labelled = source.labelled(source.make(30, 4))
    encoder = encoder_of(source.encoder, full_options("filler", board))
    assert {state.player for state in judged[:30]} == {0, 1}
    for at, state in enumerate(judged[:30]):
        np.testing.assert_array_equal(labelled.planes[at], encoder.planes(state))
        np.testing.assert_array_equal(labelled.legal[at], action_mask(encoder, state))


def test_what_is_held_back_is_never_learned_from_not_even_mirrored(late):
    source = sources.ConnectFourScores(Options())
    pieces = [source.labelled(source.make(400, seed)) for seed in (1, 2, 1)]
    mirrored = dataclasses.replace(pieces[0], planes=pieces[0].planes[..., ::-1])
    training, holdout = supervised._parted([*pieces, mirrored])
    learned = {planes.tobytes() for side in (1, -1) for planes in np.ascontiguousarray(training.planes[..., ::side])}
    held = [planes.tobytes() for planes in holdout.planes]
    assert len(held) > 20
    assert len(set(held)) == len(held)
    assert not learned & set(held)
    with pytest.raises(SettingsError, match="too few"):
        supervised._parted([source.labelled(source.make(1, 1))])


def test_mirror_images_and_no_others_are_kin():
    early, every = np.zeros((400, 2), np.uint64), np.zeros((500, 2), np.uint64)
    four.random_positions(early, 0, 10, 5)
    four.random_positions(every, 0, 41, 6)
    positions = np.unique(np.concatenate([early, every]), axis=0)
    planes = sources.ConnectFourScores(Options()).planes(positions)
    shown = [min(one.tobytes(), one[..., ::-1].tobytes()) for one in planes]
    keys = connect_four_book.keys_of(positions).tolist()
    assert len({*zip(shown, keys, strict=True)}) == len({*shown}) == len({*keys}) < len(positions)


def test_a_folder_with_a_run_is_neither_overwritten_nor_continued_with_another_plan(tmp_path):
    TrainingRun(tmp_path / "a", PLAN)
    with pytest.raises(SettingsError, match="--resume"):
        TrainingRun(tmp_path / "a", PLAN)
    with pytest.raises(SettingsError, match="another seed"):
        TrainingRun(tmp_path / "a", dataclasses.replace(PLAN, seed=2), resume=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("keep me")
    with pytest.raises(SettingsError, match="holds no run"):
        TrainingRun(tmp_path / "b", PLAN)


def test_chance_goes_on_where_the_checkpoint_was_kept(tmp_path):
    run = TrainingRun(tmp_path, PLAN)
    run.rng.random(5)
    run.save(done=3)
    expected = run.rng.random(3), torch.rand(3)
    again = TrainingRun(tmp_path, PLAN, resume=True)
    assert again.load() == {"done": 3}
    assert (again.rng.random(3) == expected[0]).all()
    assert (torch.rand(3) == expected[1]).all()


@pytest.mark.slow
def test_moves_are_judged_beside_perfect_ones():
    board = Options(rows=4, cols=4, colours=5)
    for game, options, positions in (("filler", board, 40), ("connect_four", Options(), 12)):
        for name in ("exact", "random:seed=1"):
            best, keeps = accuracy(find_solver(name, game), game, positions=positions, seed=3, board=options)
            assert best.of == keeps.of == positions
            assert best.won <= keeps.won
            assert (best.share == 1.0) == (name == "exact")
            assert (keeps.share == 1.0) == (name == "exact")
    with pytest.raises(SettingsError, match="no solver here knows"):
        accuracy(find_solver("random", "blokus"), "blokus", positions=1, seed=0)


def test_a_measured_player_has_a_row_for_each_seat(tmp_path, late):
    supervised.learn(TrainingRun(tmp_path, PLAN, threads=1), SMALL)
    figures = measure(spec_for(str(tmp_path)), "connect_four", "random", games=20, seed=1, command="again")
    card = add_figures(tmp_path / "model.toml", figures)
    both, first, second = card.figures[-3:]
    assert (both.of, first.of, second.of) == (20, 10, 10)
    assert (both.won, both.drawn, both.lost) == (
        first.won + second.won,
        first.drawn + second.drawn,
        first.lost + second.lost,
    )
    assert add_figures(tmp_path / "model.toml", figures).figures == card.figures


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_settings_that_are_numbers_texts_or_tuples_of_them(name):
    _, kind = find_method(name, games_of(name)[0])
    words = [
        f"{field.name}={'+'.join(map(str, field.default)) if isinstance(field.default, tuple) else field.default}"
        for field in dataclasses.fields(kind)
    ]
    assert parse_settings(kind, words) == kind()
    with pytest.raises(SettingsError, match="no setting"):
        parse_settings(kind, ["nonsense=1"])


def test_a_method_refuses_a_game_it_cannot_learn():
    with pytest.raises(SettingsError, match="no method is called"):
        find_method("guessing", "filler")
    with pytest.raises(SettingsError, match="does not learn"):
        find_method("supervised", "quoridor")
    with pytest.raises(SettingsError, match=r"no method does, but boardsight\.environment"):
        find_method("dqn", "mnk")


def test_fillers_teacher_names_every_best_colour_also_when_colours_are_exchanged():
    board = Options(rows=4, cols=4, colours=5)
    source = filler_labels.FillerMargins(board)
    examples = source.make(12, 4)
    labelled = source.labelled(examples)
    solver, game = find_solver("exact", "filler"), find_game("filler")
    moves = labelled.best.astype(np.float32)
    for planes, best in (
        (labelled.planes, moves),
        source.augmented(labelled.planes, moves, np.random.default_rng(1)),
    ):
        for at in range(12):
            state = game.parse(filler_text(planes[at]), board)
            decision = solver.decide(state)
            assert set(np.flatnonzero(best[at]).tolist()) == set(decision.best)
            assert decision.score == examples["margins"][at]


def filler_text(planes):
    """The position that planes of five colours, in fourths, show with the first player to move."""
    grid = planes[:5].argmax(axis=0)
    owners = np.where(planes[5] > 0, "1", np.where(planes[6] > 0, "2", "."))
    idle = f" +{planes[7, 0, 0]}" if planes[7, 0, 0] else ""
    rows = "/".join("".join(map(str, row)) for row in grid)
    return f"{rows} 1{idle} =" + "/".join("".join(row) for row in owners)
