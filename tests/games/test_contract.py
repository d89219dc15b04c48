"""What every game promises, over the whole registry and a small game that is registered here alone.

A new game brings its perft file and a playthrough.
"""

import itertools
import json
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

from games import GAMES, find_game
from games.core import Cell, Drag, IllegalMoveError, Options, PositionError, SettingsError, Tap, UnreadableError
from games.perft import perft
from tests import walked

FIXTURES = Path(__file__).parents[2] / "fixtures"
LONGEST = 2_000
"""Moves after which a random game of any game here must have ended."""

QUICK, SLOW = 3_000, 500_000
"""Counts up to which perft is tried in the fast and in the slow tests; the kernels go further."""


def perft_cases(game):
    path = FIXTURES / "perft" / f"{game}.json"
    return json.loads(path.read_text())["cases"] if path.exists() else []


def perft_depths(least, most):
    """Each game, case and its depths whose counts are in the range."""
    for game in GAMES:
        for case in perft_cases(game):
            counts = {depth: count for depth, count in enumerate(case["counts"], 1) if least <= count < most}
            if counts:
                yield pytest.param(game, case, counts, id=f"{game}-{case['position'][:20]}")


@pytest.mark.parametrize(("game", "case", "counts"), list(perft_depths(0, QUICK)))
def test_the_rules_allow_as_many_sequences_as_counted_elsewhere(game, case, counts):
    start = find_game(game).parse(case["position"], Options(**case.get("options", {})))
    assert {depth: perft(start, depth) for depth in counts} == counts


@pytest.mark.slow
@pytest.mark.parametrize(("game", "case", "counts"), list(perft_depths(QUICK, SLOW)))
def test_the_rules_allow_as_many_long_sequences_as_counted_elsewhere(game, case, counts):
    start = find_game(game).parse(case["position"], Options(**case.get("options", {})))
    assert {depth: perft(start, depth) for depth in counts} == counts


@pytest.mark.parametrize("game", GAMES)
def test_every_game_brings_its_data(game):
    assert perft_cases(game), f"write fixtures/perft/{game}.json: positions with counts found by something else"
    assert sorted((FIXTURES / "playthroughs").glob(f"{game}-*.txt")), f"write fixtures/playthroughs/{game}-NAME.txt"


def random_game(game, seed):
    """The positions of one game of random moves from a dealt start to the end."""
    rng = np.random.default_rng(seed)
    state = game.deal(rng)
    yield state
    while moves := state.legal_moves():
        state = state.play(moves[rng.integers(len(moves))])
        yield state


PLAYED = (*itertools.product(GAMES, (1, 2)), *itertools.product(["hedge"], (3, 4)), ("the documents'", 5))
"""Games and seeds: those of the small one have answers that take back what the move before them changed."""


@pytest.fixture(scope="module", params=PLAYED, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def played(request, tmp_path_factory):
    """A game and the positions of one of its random games."""
    name, seed = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "hedge", "tests.hedge")
        if name == "the documents'":
            name = walked.register(patch, tmp_path_factory.mktemp("game"))
        game = find_game(name)
        yield game, list(itertools.islice(random_game(game, seed), LONGEST))


def test_a_game_is_found_by_its_own_name(played):
    game, _ = played
    assert find_game(game.name) is game


def test_a_random_game_ends_with_a_score_for_every_seat(played):
    game, states = played
    outcome = states[-1].outcome()
    assert outcome is not None
    assert len(outcome.scores) == game.players
    assert outcome.winner is None or outcome.winner in range(game.players)
    assert outcome.reason


def test_the_seat_with_the_highest_score_has_won(played):
    game, states = played
    outcome = states[-1].outcome()
    best = [seat for seat, score in enumerate(outcome.scores) if score == max(outcome.scores)]
    assert outcome.winner == (best[0] if len(best) == 1 else None) or game.players == 1


def test_an_estimate_is_worth_no_more_than_a_win_where_scores_only_tell_who_won(played):
    game, states = played
    assert game.counted or all(abs(game.estimate(state)) <= 1 for state in states[:-1])


def test_moves_are_legal_exactly_while_the_game_goes_on(played):
    _, states = played
    assert all(state.outcome() is None and state.legal_moves() for state in states[:-1])
    assert not states[-1].legal_moves()


def test_a_seat_is_to_move_in_every_position(played):
    game, states = played
    assert {state.player for state in states} <= set(range(game.players))


def test_a_position_survives_its_text(played):
    game, states = played
    for state in states:
        again = game.parse(game.format(state), game.options(state))
        assert again == state
        assert hash(again) == hash(state)


def test_a_position_is_read_from_what_is_seen_of_it(played):
    game, states = played
    for state in states:
        assert game.read(game.show(state), seat=state.player) == state


def test_a_move_is_read_from_what_is_seen_after_it(played):
    game, states = played
    for before, after in itertools.pairwise(states):
        assert game.read(game.show(after), before=before) == after
        assert game.read(game.show(before), before=before) == before


def test_the_moves_between_two_positions_are_found(played):
    game, states = played
    for plies in range(3 if game.players > 1 else 2):
        for before, after in itertools.islice(zip(states, states[plies:], strict=False), 60):
            line = game.line(before, after)
            assert len(line) == plies
            assert reduce(lambda at, move: at.play(move), line, before) == after


def test_what_one_side_does_in_a_row_is_read_at_once(hedge):
    game, most = find_game(hedge), 0
    for seed in range(8):
        for _, run in itertools.groupby(random_game(game, seed), key=lambda state: state.player):
            before, *after = run
            for moves, state in enumerate(after, 1):
                assert game.read(game.show(state), before).grid == state.grid
                most = max(most, moves)
    assert most > 2


def test_what_both_sides_do_in_a_third_turn_is_no_more_read(hedge):
    game = find_game(hedge)
    before = game.parse("", Options(rows=5, cols=5))
    after = reduce(lambda state, move: state.play(move), (Cell(0, 0), Cell(2, 2), Cell(4, 4)), before)
    with pytest.raises(UnreadableError, match="3 of 25"):
        game.read(game.show(after), before)


def test_two_moves_are_read_from_what_is_seen_after_them(played):
    game, states = played
    for before, after in itertools.islice(zip(states, states[2:], strict=False), 60 if game.players > 1 else 0):
        read = game.read(game.show(after), before=before)
        assert np.array_equal(game.show(read).grid, game.show(after).grid)
        assert len(game.line(before, read)) == 2


def test_each_move_has_a_text_of_its_own(played):
    game, states = played
    for state in states:
        moves = list(state.legal_moves())
        texts = [game.format_move(move, state) for move in moves]
        assert len(set(texts)) == len(moves)
        assert [game.parse_move(text, state) for text in texts] == moves


def test_playing_a_move_leaves_the_position_as_it_was(played):
    game, states = played
    for state in states:
        before = game.format(state)
        assert all(state.play(move) != state for move in state.legal_moves())
        assert game.format(state) == before


@pytest.mark.parametrize("text", ["", " ", "?", "zz99", "-1", "1e9", "a1,b", "\N{BLACK CHESS PAWN}", "1 1", "e2e4"])
def test_a_text_that_is_no_move_is_refused_by_name(played, text):
    game, states = played
    with pytest.raises((PositionError, IllegalMoveError), match=r"\w{3}"):
        game.parse_move(text, states[0])


def test_no_move_can_be_made_when_the_game_is_over(played):
    game, states = played
    before, last = states[-2], states[-1]
    for move in before.legal_moves():
        with pytest.raises(IllegalMoveError, match="over"):
            last.play(move)
        with pytest.raises((PositionError, IllegalMoveError)):
            game.parse_move(game.format_move(move, before), last)


@pytest.mark.parametrize("text", ["?", "01/2/", "012/0!2", "@1,1", "9" * 5_000, "a1 b2 c3 d4,", "12 x 4", "\0"])
def test_a_text_that_is_no_position_is_refused_by_name(played, text):
    game, _ = played
    with pytest.raises((PositionError, IllegalMoveError), match=r"\w{3}"):
        game.parse(text)


@pytest.mark.parametrize("options", [Options(rows=1, cols=1), Options(rows=5_000, cols=5_000)])
def test_a_board_of_a_foolish_size_is_refused_by_name(played, options):
    game, _ = played
    with pytest.raises(SettingsError, match=r"1x1|5000"):
        game.deal(np.random.default_rng(0), options)


def test_a_variant_that_there_is_none_of_is_refused_by_name(played):
    game, _ = played
    with pytest.raises(SettingsError, match="dou"):
        game.deal(np.random.default_rng(0), Options(variant="dou"))


def test_a_hand_finds_every_cell_it_must_touch(played):
    game, states = played
    for state in states:
        rows, cols = game.show(state).grid.shape
        for move in state.legal_moves():
            gestures = game.gestures(state, move)
            assert gestures
            for target in (target for gesture in gestures for target in targets(gesture)):
                assert isinstance(target, str) or (target.row in range(rows) and target.col in range(cols))


def targets(gesture):
    if isinstance(gesture, Tap):
        return (gesture.target, *gesture.alternatives)
    return (gesture.start, gesture.end) if isinstance(gesture, Drag) else ()
