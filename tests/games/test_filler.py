"""Filler's rules against boards worked out by hand."""

import numpy as np
import pytest

from games.core import Cell, IllegalMoveError, Observation, Options, PositionError, SettingsError, UnreadableError
from games.filler import GAME, Filler

BOARD = "0112/2310/3203"


def after(text: str, *moves: int, variant: str | None = None, colours: int | None = None) -> Filler:
    state = GAME.parse(text, Options(variant=variant, colours=colours))
    for move in moves:
        state = state.play(move)
    return state


def random_games(count: int, variant: str | None = None, **options: int):
    rng = np.random.default_rng(7)
    for _ in range(count):
        state = GAME.deal(rng, Options(variant=variant, **options))
        while state.outcome() is None:
            yield state
            state = state.play(int(rng.choice(state.legal_moves())))
        yield state


def test_a_move_floods_all_connected_cells_of_its_colour():
    state = after(BOARD, 1)
    assert state.territories[0] == {Cell(0, 0), Cell(0, 1), Cell(0, 2), Cell(1, 2)}
    assert GAME.format(state) == "1112/2310/3203 2"


def test_both_current_colours_are_barred_and_others_are_not():
    assert after(BOARD).legal_moves() == (1, 2)  # 0 is its own colour, 3 the rival's
    with pytest.raises(IllegalMoveError, match="colour 3 is the rival's"):
        after(BOARD).play(3)
    with pytest.raises(IllegalMoveError, match="has colour 0 already"):
        after(BOARD).play(0)


def test_four_moves_without_a_capture_end_the_game():
    state = after("00100/00100/11111/00100/00133 1", 2, 4, 5, colours=6)
    assert (state.idle, state.outcome()) == (3, None)
    assert state.play(2).idle == 4
    assert state.play(2).outcome().reason.startswith("4 to 2 cells: 4 moves in a row")
    assert state.play(1).idle == 0


def test_a_board_that_is_owned_throughout_ends_with_the_difference_of_cells():
    ended = after("001/022 1", 1)
    assert ended.outcome().scores == (4.0, 2.0)
    assert ended.outcome().winner == 0
    assert ended.legal_moves() == ()


def test_ring_capture_takes_only_what_touches():
    state = after(BOARD, 1, variant="ring")
    assert state.territories[0] == {Cell(0, 0), Cell(0, 1)}
    assert GAME.parse(GAME.format(state), GAME.options(state)) == state


def test_the_first_move_may_name_the_rivals_colour_where_the_site_lets_it():
    state = after(BOARD, variant="open")
    assert state.legal_moves() == (1, 2, 3)
    assert state.play(3).current == (3, 3)
    assert state.play(3).legal_moves() == (0, 1, 2)


def test_gaining_colours_only_bars_the_others():
    assert after(BOARD, variant="gain").legal_moves() == (1, 2)
    assert after(BOARD.replace("2", "1", 1), variant="gain").legal_moves() == (1, 2)
    assert after("0100/1100/0002", variant="gain").legal_moves() == (1,)


def test_players_that_keep_their_colours_take_cells_into_them_and_are_passed_over_where_they_find_none():
    state = after("40012/11210/22125", variant="kept")
    assert state.legal_moves() == (0, 1)
    took = state.play(0)
    assert GAME.format(took) == "44412/11210/22125 2"
    assert took.legal_moves() == (0, 2)
    walled = after("4112/4444/4445", 1, variant="kept")
    assert (walled.player, walled.outcome()) == (0, None)
    assert walled.play(2).outcome().reason == "11 to 1 cells: every cell is owned"


def test_a_first_picture_shows_that_players_keep_colours_that_nobody_else_has():
    for state in (GAME.deal(np.random.default_rng(seed), Options(variant="kept", rows=5, cols=5)) for seed in range(4)):
        seen = Observation.certain(state.grid, {})
        assert GAME.read(seen) == state
        follows = state.play(state.legal_moves()[0])
        assert GAME.read(GAME.show(follows), state) == follows
        moved = GAME.starts(state)[1].play(GAME.starts(state)[1].legal_moves()[0])
        found = GAME.otherwise(state, GAME.show(moved))
        assert GAME.read(GAME.show(moved), found[0]) == moved
    usual = GAME.deal(np.random.default_rng(1))
    assert not GAME.read(Observation.certain(usual.grid, {})).rules.kept


def test_a_majority_ends_the_game_where_the_site_counts_so():
    text = "0011/0033/0012"
    assert after(text, 3).outcome() is None
    assert after(text, 3, variant="majority").outcome().winner == 0
    assert after(text, variant="majority").outcome() is None


def test_a_patient_game_goes_on_for_longer_where_nobody_captures_anything():
    text = "0000/1212/0000/5555 1 +3"
    ended, longer = after(text, 3), after(text, 3, variant="patient")
    assert ended.outcome().reason == "4 to 4 cells: 4 moves in a row captured nothing"
    assert (longer.outcome(), GAME.reopened(ended), GAME.decided(longer).outcome()) == (None, longer, ended.outcome())
    assert GAME.ruled_wider(after(text[:-3]))[1:] == []
    assert GAME.ruled_wider(after(text))[1].play(3) == longer


def test_where_colours_are_shared_only_ones_own_is_barred_and_a_rivals_cells_are_not_taken():
    state = after("0011/0033/0012", variant="shared")
    assert state.legal_moves() == (1, 2, 3)
    shared = state.play(2)
    assert shared.legal_moves() == (0, 1, 3)
    assert after("01/21", 1, variant="shared").cells == (1, 2)


def test_a_phones_board_has_no_two_like_neighbours_and_its_corners_differ():
    rng = np.random.default_rng(0)
    for _ in range(50):
        cells = np.array(GAME.deal(rng).grid)
        assert cells.shape == (7, 8)
        assert (cells[1:] != cells[:-1]).all()
        assert (cells[:, 1:] != cells[:, :-1]).all()
        assert cells[0, 0] != cells[-1, -1]


def test_uniform_boards_have_every_colour_equally_often():
    rng = np.random.default_rng(0)
    cells = np.array([GAME.deal(rng, Options(rows=10, cols=10, variant="uniform")).grid for _ in range(60)])
    counts = np.bincount(cells.ravel(), minlength=6)
    assert abs(counts - 1000).max() < 120  # four standard deviations


def test_who_can_capture_nothing_is_passed_over_where_that_is_the_rule():
    shut = "0231/0001/0001"
    waiting, passed = after(shut, 3), after(shut, 3, variant="passing")
    assert (waiting.player, passed.player, passed.play(2).outcome().winner) == (1, 0, 0)
    assert (GAME.ruled_otherwise(waiting)[-1], GAME.ruled_otherwise(passed)[-1]) == (passed, waiting)
    assert not any(each.rules.passing for each in GAME.ruled_otherwise(after(shut)))


@pytest.mark.parametrize(
    "variant",
    [None, "uniform", "ring", "open+uniform", "majority", "gain+ring", "kept+uniform", "shared", "patient", "passing"],
)
def test_random_games_survive_texts_and_pictures(variant):
    for state in random_games(6, variant, rows=6, cols=5):
        assert GAME.parse(GAME.format(state), GAME.options(state)) == state
        assert GAME.read(GAME.show(state)) == state


def test_a_reading_names_one_or_two_moves():
    before = after(BOARD)
    one, two = before.play(1), before.play(1).play(0)
    assert GAME.read(GAME.show(one), before) == one
    assert GAME.read(GAME.show(two), before) == two
    with pytest.raises(UnreadableError, match="no one or two moves"):
        GAME.read(GAME.show(two.play(2)), before)


def test_a_change_that_only_other_corners_explain_tells_those_corners():
    guessed = after(BOARD)
    real = after(BOARD + " 1 @2,0 @0,3", 1)
    others = GAME.otherwise(guessed, GAME.show(real))
    assert real in [other.play(move) for other in others for move in other.legal_moves()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no fixed start"),
        ("00/00", "connected"),
        ("01/23 3", "no part of"),
        ("01/23 1 @0,0", "1 start is given"),
        ("01/23 1 @0,0 @5,5", "5,5 is no playable cell"),
        ("01/23 1 =1./.1", "is not of one colour"),
    ],
)
def test_texts_that_are_no_position_are_refused(text, words):
    with pytest.raises(PositionError, match=words):
        GAME.parse(text)


def test_an_unknown_variant_is_refused_with_the_known_ones():
    with pytest.raises(SettingsError, match="join words of: phone"):
        GAME.deal(np.random.default_rng(0), Options(variant="turbo"))


def test_a_tap_goes_to_the_colour_and_first_to_cells_that_it_captures():
    (tap,) = GAME.gestures(after("0102/2311/1203"), 1)
    assert tap.target == "colour:1"
    assert tap.alternatives == (Cell(0, 1), Cell(1, 2), Cell(1, 3), Cell(2, 0))


def test_a_number_of_moves_that_no_game_has_is_refused() -> None:
    with pytest.raises(PositionError, match="no part of a Filler position"):
        GAME.parse("0404/1230/4013/2302 1 +" + "9" * 5000, Options())
