"""Tabular Q-learning: the table learns, goes on where it stopped, and plays as it was taught."""

import dataclasses

import numpy as np
import pytest

from games import find_game
from games.core import Options, SettingsError
from solvers import find_solver
from solvers.blokus.players import SmallPacking
from solvers.kernels.blokus import table as blokus_table
from solvers.learned.blokus_table import Entries, read_entries, spread, write_entries
from solvers.learned.card import ModelError, read_card, write_card
from solvers.learned.player import player_for
from solvers.training import blokus_q_learning as q_learning
from solvers.training.kernels import blokus as kernel
from solvers.training.run import Plan, TrainingRun

BOARD = Options(rows=4, cols=4)
PLAN = Plan("blokus", "q-learning", seed=2, budget=20_000, board=BOARD)
SETTINGS = q_learning.QLearningSettings(factor=0.0, room=18)
WATCHED = kernel.Lesson(0.0, 0.0, 1.0, 0.0, 2)
"""A learner that plays by its table and learns nothing."""


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    q_learning.learn(TrainingRun(folder, PLAN), SETTINGS)
    return folder


def test_a_table_that_knew_nothing_learns_to_beat_a_random_player(learned):
    before = q_learning.play(q_learning.prepare(BOARD, SETTINGS), WATCHED, 2000, 1)
    assert 0.4 < q_learning.share_of(before, 0, 1) < 0.6
    after = [record for record in TrainingRun(learned, PLAN, resume=True).records() if "random_first" in record][-1]
    assert after["random_first"] > 0.9
    assert after["random_second"] > 0.75


def test_its_last_checkpoint_leaves_the_same_table(learned, checkpoint_card):
    left = checkpoint_card(q_learning, learned, PLAN, SETTINGS)
    assert left.sha256 == read_card(learned / "model.toml").sha256


def test_its_card_says_what_the_table_and_what_its_guesses_alone_are_worth(learned):
    figures = {figure.what: figure for figure in read_card(learned / "model.toml").figures}
    assert figures["random, moving first"].of == q_learning.GAMES / 2
    assert figures["random, moving first"].share > figures["no table, guesses alone: random, moving first"].share + 0.2


def test_a_table_learns_to_beat_a_player_that_looks_ahead():
    settings = dataclasses.replace(SETTINGS, rival="minimax")
    work = q_learning.prepare(BOARD, settings)
    before = q_learning.share_of(q_learning.play(work, WATCHED, 1000, 1), 0)
    q_learning.play(work, kernel.Lesson(0.3, 0.1, 1.0, 0.0, 0), 20_000, 1)
    assert q_learning.share_of(q_learning.play(work, WATCHED, 1000, 1), 0) > before + 0.2


def test_a_stopped_run_learns_the_same_table(learned, tmp_path, monkeypatch):
    monkeypatch.setattr(TrainingRun, "due", lambda run: True)
    plays = [None] * 5  # two chunks of four, each with its trials

    def interrupted(*arguments):
        if not plays:
            raise KeyboardInterrupt
        plays.pop()
        return play(*arguments)

    play = q_learning.play
    with monkeypatch.context() as patch:
        patch.setattr(q_learning, "play", interrupted)
        with pytest.raises(KeyboardInterrupt):
            q_learning.learn(TrainingRun(tmp_path, PLAN), SETTINGS)
    q_learning.learn(TrainingRun(tmp_path, PLAN, resume=True), SETTINGS)
    whole, halves = (read_entries(folder / "model.npz") for folder in (learned, tmp_path))
    assert (whole.keys == halves.keys).all()
    assert (whole.values == halves.values).all()


def test_the_rivals_look_ahead_is_minimaxs():
    packing, solver = SmallPacking(), find_solver("minimax:depth=2", "blokus")
    rng, game = np.random.default_rng(3), find_game("blokus")
    board = Options(rows=5, cols=5)
    work = q_learning.prepare(board, SETTINGS)
    for plies in (0, 1, 1, 2, 2, 3):
        state = game.deal(rng, board)
        for _ in range(plies):
            moves = state.legal_moves()
            state = state.play(moves[rng.integers(len(moves))]) if moves else state
        if state.outcome() is None:
            work.rival.memory.positions[0] = packing.pack(state)
            move = packing.unpack_move(int(kernel._look_ahead(work.rules, work.rival.memory, 2)), state)
            decision = solver.decide(state)
            scores = {each.move: each.score for each in decision.candidates}
            assert scores[move] == decision.score


def test_the_player_plays_the_move_its_table_values_most(learned):
    player, state = player_for("blokus", str(learned)), find_game("blokus").deal(np.random.default_rng(0), BOARD)
    decision, entries = player.decide(state), read_entries(learned / "model.npz")
    work, keys = q_learning.prepare(BOARD, SETTINGS), dict(zip(entries.keys.tolist(), entries.values, strict=True))
    assert len(decision.candidates) == len(state.legal_moves())
    for candidate in decision.candidates:
        after = state.play(candidate.move)
        if not all(after.active):
            continue  # found out at once by the readable rules, on its turn by the packed ones
        positions = np.zeros((2, 3), np.uint64)
        positions[0] = SmallPacking().pack(after)
        key = int(kernel.key_of(work.rules, positions))
        assert candidate.score == pytest.approx(keys.get(key, 0.0), abs=1e-6)
    assert decision.score == max(candidate.score for candidate in decision.candidates)


def test_a_table_is_the_same_after_it_was_kept(tmp_path):
    keys = np.sort(np.random.default_rng(0).integers(1, 1 << 63, 500).astype(np.uint64) * np.uint64(2))
    entries = Entries(keys, np.linspace(-1, 1, 500, dtype=np.float32), 0.5)
    write_entries(tmp_path / "model.npz", entries)
    kept = read_entries(tmp_path / "model.npz")
    assert (kept.keys == keys).all()
    assert np.abs(kept.values - entries.values).max() <= 0.0005
    laid, values = spread(kept, 1024)
    places = [blokus_table.place_of(laid, key) for key in keys]
    assert (laid[places] == keys).all()
    assert (values[places] == kept.values).all()


def test_a_table_that_could_run_code_is_refused(learned, tmp_path):
    np.savez(tmp_path / "model.npz", steps=np.array([{}], object), values=np.zeros(1), factor=0.0)
    write_card(read_card(learned / "model.toml"), tmp_path / "model.toml")
    state = find_game("blokus").deal(np.random.default_rng(0), BOARD)
    with pytest.raises(ModelError, match="no table of values"):
        player_for("blokus", str(tmp_path)).decide(state)


def test_a_board_too_large_for_a_table_is_refused():
    with pytest.raises(SettingsError, match="at most 8x8"):
        q_learning.prepare(Options(rows=10, cols=10), SETTINGS)
    with pytest.raises(SettingsError, match="no rival"):
        q_learning.prepare(BOARD, dataclasses.replace(SETTINGS, rival="nobody"))


def test_a_full_table_says_so(tmp_path):
    with pytest.raises(SettingsError, match="set a larger room"):
        q_learning.learn(TrainingRun(tmp_path, PLAN), dataclasses.replace(SETTINGS, room=6))
