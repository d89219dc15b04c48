"""Blokus's compiled rules against the readable ones, and against other engines' counts."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench.solvers import blokus_bitmasks
from bench.solvers.random_games import blokus_games, blokus_perft
from games.blokus import GAME
from games.core import Options
from solvers.blokus.players import MOST_MOVES, pack, pack_move, rules_of, unpack_move
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus.moves import FOUND, MOST_CORNERS, count_moves, list_moves, pick_move

PERFT = Path(__file__).parents[2] / "fixtures" / "perft" / "blokus.json"

VARIANTS = [
    {"rows": 5, "cols": 5, "variant": "corners"},
    {"rows": 9, "cols": 9, "variant": "corners", "players": 3},
    {"variant": "duo"},
    {"variant": "duo-either"},
    {"variant": "classic"},
    {"variant": "classic-2+bonus"},
]


def perft(options, depth):
    rules = rules_of(GAME.parse("", Options(**options)).board)
    positions = np.zeros((depth + 1, packed.words_of(rules)), np.uint64)
    moves = np.zeros((depth + 1, MOST_MOVES), np.int32)
    packed.set_up(rules, positions, 0)
    return [blokus_perft(rules, positions, moves, 0, length) for length in range(1, depth + 1)]


@pytest.mark.parametrize("case", json.loads(PERFT.read_text())["cases"], ids=lambda case: str(case["options"]))
def test_the_compiled_rules_count_as_other_engines_do(case):
    assert perft(case["options"], len(case["counts"])) == case["counts"]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_both_rules_find_the_same_placements_throughout_random_games(options):
    rng = np.random.default_rng(11)
    state = GAME.deal(rng, Options(**options))
    rules = rules_of(state.board)
    moves, found = np.zeros((1, MOST_MOVES), np.int32), np.zeros((MOST_CORNERS, FOUND), np.uint64)
    played = pack(state, rules)
    while legal := state.legal_moves():
        positions = pack(state, rules)
        listed = moves[0, : list_moves(rules, positions, 0, moves)].tolist()
        assert sorted(listed) == sorted(pack_move(move, state.board) for move in legal)
        assert {unpack_move(move, state.board) for move in listed} == set(legal)
        count, _ = count_moves(rules, positions, 0, found)
        assert [pick_move(rules, positions, 0, found, number) for number in range(count)] == listed
        while packed.colour_of(rules, played, 0) != state.colour:
            packed.pass_on(rules, played, 0)
        assert np.array_equal(played[0, : rules.status], positions[0, : rules.status])
        assert played[0, rules.status + 1] == positions[0, rules.status + 1]
        move = legal[rng.integers(len(legal))]
        packed.put(rules, played, 0, pack_move(move, state.board))
        state = state.play(move)
    points = [packed.points_of(rules, played, 0, colour) for colour in range(rules.colours)]
    seats = range(state.board.players)
    assert [sum(points[c] for c in range(rules.colours) if rules.seats[c] == seat) for seat in seats] == list(
        state.scores
    )


def test_counting_and_listing_play_the_same_random_games_of_the_usual_length():
    rules = rules_of(GAME.parse("", Options(variant="classic")).board)
    positions = np.zeros((1, packed.words_of(rules)), np.uint64)
    moves, found = np.zeros((1, MOST_MOVES), np.int32), np.zeros((MOST_CORNERS, FOUND), np.uint64)
    played = [blokus_games(rules, positions, found, moves, 1000, 3, listing) for listing in (False, True)]
    assert played[0] == played[1]
    assert played[0][0] / 1000 == pytest.approx(59.0, abs=0.6)  # four standard errors of a thousand games


def test_the_dissertations_bitmasks_play_the_same_games():
    rules = rules_of(GAME.parse("", Options(10, 10, variant="corners")).board)
    positions = np.zeros((1, packed.words_of(rules)), np.uint64)
    moves, found = np.zeros((1, MOST_MOVES), np.int32), np.zeros((MOST_CORNERS, FOUND), np.uint64)
    known = blokus_games(rules, positions, found, moves, 200, 3, False)[:2]
    assert blokus_bitmasks.random_games_by_masks(rules, positions, blokus_bitmasks.masks(), moves, 200, 3) == known
