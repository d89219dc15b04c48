"""Learned players: what they see, their cards, and that only weights their card describes are played with."""

import dataclasses
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from games import GAMES, find_game
from games.core import Cell, Options, SettingsError
from games.flood import neighbours, region
from games.quoridor.board import Wall
from solvers import find_solver
from solvers.learned.card import (
    Card,
    Figure,
    ModelError,
    format_card,
    parse_card,
    read_card,
    wilson,
    write_card,
)
from solvers.learned.encoder import action_mask, legal_actions
from solvers.learned.player import check_model, player_for
from solvers.learned.registry import encoder_names, encoder_of
from solvers.learned.store import find_model, load_once, model_for
from solvers.models import model_names

BOARDS = [
    ("connect_four", "connect_four", Options()),
    ("connect_four-threats", "connect_four", Options()),
    ("filler", "filler", Options(rows=5, cols=6, colours=5)),
    ("filler-reach", "filler", Options(rows=5, cols=6, colours=5)),
    ("flood_it", "flood_it", Options(rows=6, colours=4)),
    ("quoridor", "quoridor", Options(rows=5, cols=4, walls=3)),
    ("blokus", "blokus", Options(rows=6, cols=6)),
    ("blokus", "blokus", Options()),
    ("blokus", "blokus", Options(rows=7, cols=7, players=3)),
    ("blokus", "blokus", Options(variant="classic")),
]
BOARDS += [(name, name, find_game(name).small) for name in GAMES if name not in {game for _, game, _ in BOARDS}]


def random_game(game, board, seed, *, most=40):
    """The positions of a game of random moves, its end left out."""
    rng = np.random.default_rng(seed)
    state, found = find_game(game).deal(rng, board), []
    while len(found) < most and (moves := state.legal_moves()):
        found.append(state)
        state = state.play(moves[rng.integers(len(moves))])
    return found


def test_every_encoder_is_tried():
    assert {name for name, _, _ in BOARDS} == {*encoder_names()}


@pytest.mark.parametrize(("name", "game", "board"), BOARDS, ids=lambda value: value if type(value) is str else "")
def test_every_legal_move_has_a_number_of_its_own_that_leads_back_to_it(name, game, board):
    encoder = encoder_of(name, board)
    for state in random_game(game, board, 4):
        moves = state.legal_moves()
        actions = legal_actions(encoder, state)
        assert len(set(actions.tolist())) == len(moves)
        assert actions.min() >= 0
        assert actions.max() < encoder.actions
        assert [encoder.move(int(action), state) for action in actions] == list(moves)
        assert action_mask(encoder, state).sum() == len(moves)


@pytest.mark.parametrize(("name", "game", "board"), BOARDS, ids=lambda value: value if type(value) is str else "")
def test_positions_that_differ_look_different_to_whoever_moves(name, game, board):
    encoder, seen = encoder_of(name, board), {}
    for state in random_game(game, board, 5):
        planes = encoder.planes(state)
        assert planes.shape == encoder.shape
        assert planes.dtype == np.float32
        assert seen.setdefault((state.player, planes.tobytes()), state) == state


def test_connect_fours_threats_are_the_cells_where_a_disc_would_win():
    encoder = encoder_of("connect_four-threats", Options())
    for state in random_game("connect_four", Options(), 8)[1:]:
        wins, losses, falls = encoder.planes(state)[2:]
        assert sorted(np.flatnonzero(falls.any(axis=0))) == sorted(state.legal_moves())
        for column in state.legal_moves():
            cell = state.landing(column)
            after = state.play(column).outcome()
            assert wins[cell] == (after is not None and after.winner == state.player)
            rivals = dataclasses.replace(
                state, moves=(*state.moves, state.moves[-1])
            )  # the same discs, the rival to move
            after = rivals.play(column).outcome()
            assert losses[cell] == (after is not None and after.winner == rivals.player)


def test_the_second_quoridor_player_sees_what_the_first_would_on_the_turned_board():
    encoder = encoder_of("quoridor", Options(rows=5, cols=5, walls=3))
    for state in random_game("quoridor", Options(rows=5, cols=5, walls=3), 6):
        size = state.size
        turned = dataclasses.replace(
            state,
            pawns=tuple(Cell(size.rows - 1 - row, size.cols - 1 - col) for row, col in reversed(state.pawns)),
            walls=frozenset(Wall(way, size.rows - 2 - row, size.cols - 2 - col) for way, row, col in state.walls),
            left=state.left[::-1],
            player=1 - state.player,
        )
        assert (encoder.planes(turned) == encoder.planes(state)).all()
        assert set(legal_actions(encoder, turned)) == set(legal_actions(encoder, state))


def test_the_second_filler_player_sees_its_own_corner_at_the_top_left():
    encoder = encoder_of("filler", Options(rows=5, cols=6, colours=5))
    for state in random_game("filler", Options(rows=5, cols=6, colours=5), 7):
        planes = encoder.planes(state)
        assert planes[5, 0, 0] == 1
        assert planes[6, -1, -1] == 1
        assert planes[5].sum() == state.cells[state.player]
        assert planes[state.current[state.player], 0, 0] == 1


def test_a_filler_player_sees_how_many_moves_of_its_own_each_cell_is_off():
    board = Options(rows=5, cols=6, colours=5)
    encoder = encoder_of("filler-reach", board)
    for state in random_game("filler", board, 7):
        now, _, moves, rivals_moves = encoder.planes(state)[8:] / 4
        turned = slice(None, None, -1 if state.player else 1)
        assert (now == (moves == 0.25)).all()
        captured = set().union(*(state.captured(colour) for colour in range(5)))
        assert {Cell(*cell) for cell in np.argwhere(now[turned, turned]).tolist()} == captured
        for seat, seen in ((state.player, moves), (1 - state.player, rivals_moves)):
            distances = 4 * seen[turned, turned]
            for row, col in np.ndindex(5, 6):
                cell = Cell(row, col)
                if cell in state.territories[seat]:
                    assert distances[cell] == 0
                elif cell in state.territories[1 - seat]:
                    assert distances[cell] == 12
                else:
                    cells = region(state.grid, cell) - state.territories[0] - state.territories[1]
                    around = {near for each in cells for near in neighbours(state.grid, each)} - cells
                    assert distances[cell] == min(12, 1 + min(distances[near] for near in around))


def test_each_blokus_player_sees_its_own_start_where_the_first_sees_its_own():
    for board in (Options(rows=6, cols=6), Options(rows=7, cols=7, players=3), Options()):
        encoder, states = encoder_of("blokus", board), random_game("blokus", board, 2, most=3)
        firsts = [set(legal_actions(encoder, state)) for state in states[: states[0].board.colours]]
        assert len(set(map(frozenset, firsts[:1]))) == 1
        assert firsts[1] <= firsts[0]  # what the first player laid may be in the way


CARD = Card(
    name="a",
    game="connect_four",
    board=Options(rows=6, cols=7),
    method="supervised",
    encoder="connect_four",
    weights="a.onnx",
    sha256="0" * 64,
    commit="c0ffee",
    command="boardsight train --game connect_four",
    seed=3,
    budget="10 games",
    hardware="a slide rule",
    note='two "lines"\nof it',
    figures=(Figure("random, both seats", 10, 7, 1, 2, "boardsight models measure a random"),),
)


def test_a_card_is_the_same_after_it_was_written_and_read():
    assert parse_card(format_card(CARD)) == CARD


def test_a_cards_figures_are_written_with_their_share_and_interval():
    text = format_card(CARD)
    assert "share = 0.75" in text
    low, high = CARD.figures[0].interval
    assert f"{low:.4f}"[:5] in text
    assert low < 0.75 < high


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("seed = 3", 'seed = "3"'), "seed"),
        (('name = "a"\n', ""), "name"),
        (('weights = "a.onnx"', 'weights = "../a.onnx"'), "beside it"),
        (('weights = "a.onnx"', 'weights = "a.pkl"'), "beside it"),
        (("[board]", "[board"), "no card"),
        (("rows = 6", "lines = 6"), "lines"),
    ],
)
def test_a_broken_card_is_refused_with_the_reason(change, said):
    text = format_card(CARD)
    assert change[0] in text
    with pytest.raises(ModelError, match=said):
        parse_card(text.replace(*change))


@pytest.mark.parametrize(("successes", "trials", "low", "high"), [(0, 10, 0, 0.2775), (81, 263, 0.2553, 0.3662)])
def test_wilsons_interval_is_the_one_of_his_paper(successes, trials, low, high):
    # The second: Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, 81 of 263.
    assert wilson(successes, trials) == pytest.approx((low, high), abs=2e-4)


def write_model(folder, biases, *, output="policy", game="connect_four", encoder="connect_four", **changes):
    """A model in `folder` whose answer is `biases`, whatever it sees; returns its card's path."""
    shape = encoder_of(encoder, Options()).shape
    size = int(np.prod(shape))
    weights = np.zeros((size, len(biases)), np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("Flatten", ["planes"], ["flat"]),
            helper.make_node("Gemm", ["flat", "weights", "biases"], [output]),
        ],
        "fixed",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["n", *shape])],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", len(biases)])],
        [
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array(biases, np.float32), "biases"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, folder / "model.onnx")
    card = dataclasses.replace(CARD, game=game, board=Options(), encoder=encoder, weights="model.onnx", **changes)
    write_card(card, folder / "model.toml")
    return folder / "model.toml"


def test_a_network_plays_the_legal_move_it_likes_best_and_shows_what_it_thinks_of_the_others(tmp_path):
    player = player_for("connect_four", str(write_model(tmp_path, [0, 1, 2, 9, 4, 3, 1], output="q")))
    game = find_game("connect_four")
    assert player.decide(game.parse("")).move == 3
    decision = player.decide(game.parse("444444"))
    assert [(each.move, each.score) for each in decision.candidates[:3]] == [(4, 4.0), (5, 3.0), (2, 2.0)]
    assert (decision.move, decision.score) == (4, 4.0)


def test_a_policy_is_shown_as_probabilities_of_the_legal_moves(tmp_path):
    player = player_for("connect_four", str(write_model(tmp_path, [0, 0, 0, 5, 0, 0, 0])))
    scores = [each.score for each in player.decide(find_game("connect_four").parse("444444")).candidates]
    assert scores == pytest.approx([1 / 6] * 6)


def test_a_model_is_loaded_once_for_all_players_and_again_when_its_card_changes(tmp_path):
    path, loads = write_model(tmp_path, [0, 1, 2, 9, 4, 3, 1]), []

    def load(card, weights):
        loads.append(weights)
        return object()

    with ThreadPoolExecutor(8) as threads:
        kept = set(threads.map(lambda _: load_once(str(path), "connect_four", load), range(32)))
    assert len(kept) == len(loads) == 1
    os.utime(path, ns=(1, 1))
    assert load_once(str(path), "connect_four", load) not in kept


def test_weights_that_are_not_the_cards_are_not_played_with(tmp_path):
    path = write_model(tmp_path, [0] * 7)
    check_model(str(tmp_path))
    with (tmp_path / "model.onnx").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelError, match=r"is not the file its card describes.*boardsight train"):
        check_model(str(path))
    (tmp_path / "model.onnx").unlink()
    with pytest.raises(ModelError, match="are missing"):
        check_model(str(path))


def test_a_file_that_is_no_network_is_refused(tmp_path):
    path = write_model(tmp_path, [0] * 7)
    (tmp_path / "model.onnx").write_bytes(b"no network")
    write_card(read_card(path), path)
    with pytest.raises(ModelError, match="no network"):
        check_model(str(path))


def test_a_network_for_other_planes_than_its_card_says_is_refused(tmp_path):
    path = write_model(tmp_path, [0] * 7)
    write_card(dataclasses.replace(read_card(path), encoder="connect_four-threats"), path)
    with pytest.raises(ModelError, match="takes planes of"):
        check_model(str(path))


def test_a_model_plays_only_its_own_game_and_board(tmp_path):
    path = str(write_model(tmp_path, [0] * 7))
    with pytest.raises(SettingsError, match="plays connect_four, not filler"):
        player_for("filler", path).decide(find_game("filler").deal(np.random.default_rng(0)))
    with pytest.raises(SettingsError, match="learned 6x7, 4 in a row, not 5x6"):
        player_for("connect_four", path).decide(find_game("connect_four").parse("", Options(rows=5, cols=6)))


def test_a_name_that_is_no_model_is_answered_with_those_there_are():
    with pytest.raises(SettingsError, match="no model is called 'nobody'"):
        find_model("nobody")
    with pytest.raises(SettingsError, match="plays flood_it on 3x3"):
        model_for("flood_it", Options(rows=3, cols=3, colours=4), (".onnx",))


@pytest.mark.parametrize("name", model_names())
def test_a_model_that_comes_with_boardsight_is_the_one_its_card_describes(name):
    check_model(name)


def test_playing_needs_no_torch(tmp_path):
    path = write_model(tmp_path, [0] * 7)
    script = f"""
import sys
from solvers.learned.player import check_model
check_model({str(path)!r})
assert not {{"torch", "gymnasium", "onnx"}} & set(sys.modules), sorted(sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=240)
    assert run.returncode == 0, run.stderr


def test_a_player_that_looks_ahead_counts_the_squares_it_lays_and_the_best_answer():
    state = random_game("blokus", Options(10, 10), 3, most=99)[-4]
    moves = state.legal_moves()
    plain = find_solver("network", "blokus").decide(state)
    ahead = find_solver("network:ahead=2", "blokus").decide(state)
    worths = {candidate.move: candidate.score for candidate in ahead.candidates}
    for candidate in plain.candidates[:2]:
        after = state.play(candidate.move)
        best = find_solver("network", "blokus").decide(after).candidates[0].score
        sign = 1 if after.player == state.player else -1
        assert worths[candidate.move] == pytest.approx(len(candidate.move) / 10 + sign * 0.99 * best, abs=1e-5)
    rest = [candidate.move for candidate in plain.candidates[2:]]
    assert len(rest) > 2
    assert [candidate.move for candidate in ahead.candidates][2:] == rest
    assert (len(ahead.candidates), ahead.nodes) == (len(moves), 3)


def test_a_player_that_looks_ahead_knows_the_result_of_a_last_move():
    state = random_game("blokus", Options(10, 10), 3, most=99)[-1]
    for candidate in find_solver("network:ahead=99", "blokus").decide(state).candidates:
        winner = state.play(candidate.move).outcome().winner
        result = 0 if winner is None else 1 if winner == state.player else -1
        assert candidate.score == pytest.approx(len(candidate.move) / 10 + result)


def test_a_pair_player_plays_ends_that_are_proven_and_else_by_its_network():
    game = random_game("blokus", Options(10, 10), 3, most=99)
    player = find_solver("network:ahead=2,proof_nodes=2000", "blokus")
    late, early = player.decide(game[-4]), player.decide(game[1])
    assert late.proven
    assert late.score == find_solver("exact", "blokus").decide(game[-4]).score
    assert not early.proven
    assert early.nodes > 2000  # those of the proof that failed, too
    assert early.move == find_solver("network:ahead=2", "blokus").decide(game[1]).move
