"""Connect Four's rules against published counts and positions written by hand."""

import numpy as np
import pytest

from games.connect_four import GAME, ConnectFour
from games.core import Cell, IllegalMoveError, Observation, Options, PositionError, SettingsError, UnreadableError

# Games by ply: 7^n until a column fills (ply 7) and rows win (ply 8 on).  Distinct positions by ply: OEIS A212693.
GAMES_BY_PLY = [1, 7, 49, 343, 2401, 16807]
POSITIONS_BY_PLY = [1, 7, 49, 238, 1120, 4263]


def after(text: str, **options: int) -> ConnectFour:
    return GAME.parse(text, Options(**options))


def test_positions_by_ply_are_those_of_the_encyclopedia():
    games, distinct = [1], [1]
    layer = {GAME.parse(""): 1}
    while len(distinct) < len(POSITIONS_BY_PLY):
        below: dict[ConnectFour, int] = {}
        for state, ways in layer.items():
            for move in state.legal_moves():
                child = state.play(move)
                below[child] = below.get(child, 0) + ways
        layer = below
        games.append(sum(layer.values()))
        distinct.append(len(layer))
    assert games == GAMES_BY_PLY
    assert distinct == POSITIONS_BY_PLY


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("1212121", 0),  # a column
        ("1122334", 0),  # the bottom row
        ("12233434474", 0),  # a rising diagonal
        ("76655454414", 0),  # a falling diagonal
        ("1122433", None),  # three, a gap, and the rival above it
    ],
)
def test_four_in_a_row_wins_in_every_direction(text, winner):
    ended = after(text).outcome()
    assert (ended and ended.winner) == winner


def test_a_full_board_without_four_in_a_row_is_drawn():
    state = after("121212212121343434434343565656656565777777")
    assert state.outcome().scores == (0.5, 0.5)
    assert state.legal_moves() == ()


def test_other_sizes_and_lengths_are_played():
    assert after("12121", rows=4, cols=4, length=3).outcome().winner == 0
    assert after("1212121", rows=9, cols=9, length=5).outcome() is None
    with pytest.raises(SettingsError, match="5 in a row"):
        after("", rows=4, cols=4, length=5)


def test_illegal_moves_are_refused_with_the_reason():
    with pytest.raises(IllegalMoveError, match="column 4 is full"):
        after("444444").play(3)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        after("1212121").play(2)
    with pytest.raises(PositionError, match="move 2 of '48'"):
        after("48")


def test_the_player_to_move_is_told_by_the_discs():
    grid = after("4453").grid
    assert GAME.read(Observation.certain(grid)).player == 0
    exchanged = tuple(tuple((0, 2, 1)[kind] for kind in row) for row in after("445").grid)
    assert GAME.read(Observation.certain(exchanged)) == after("445")


def test_a_reading_names_the_moves_since_the_position_before():
    before = after("44")
    seen = GAME.read(GAME.show(after("4453")), before)
    assert seen.moves == (3, 3, 4, 2)
    assert GAME.read(GAME.show(before), before).moves == before.moves


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["000", "010", "000"], "no disc below"),
        (["000", "000", "011"], "2 and 0 discs"),
        (["000", "000", "01?"], "could not be read"),
        (["222", "111"], "no game leads"),
    ],
)
def test_pictures_that_no_game_leads_to_are_refused(rows, words):
    grid = [[-1 if letter == "?" else int(letter) for letter in row] for row in rows]
    with pytest.raises(UnreadableError, match=words):
        GAME.read(Observation.certain(grid, {"length": 3}))


def test_while_both_have_as_many_discs_they_may_be_each_others():
    before = after("4453")
    (other,) = GAME.otherwise(before, GAME.show(before))
    assert GAME.show(other).grid.tolist() == [[(0, 2, 1)[kind] for kind in row] for row in before.grid]
    assert other.player == before.player
    assert GAME.otherwise(after("445"), GAME.show(before)) == ()
    assert GAME.otherwise(after(""), GAME.show(before)) == ()


def test_a_reading_three_moves_on_is_refused():
    with pytest.raises(UnreadableError, match="no one or two moves"):
        GAME.read(GAME.show(after("4453")), after("4"))


def test_a_disc_that_falls_after_the_game_was_won_makes_nobody_else_the_winner():
    before = after("462234")
    won = before.play(4)
    grid = [list(row) for row in won.grid]
    grid[4][4] = 2  # a page drops the loser's next disc before it looks who won
    late = Observation.certain(grid)
    with pytest.raises(UnreadableError, match="after the game was over"):
        GAME.read(late, before)
    with pytest.raises(UnreadableError):
        GAME.read(late, won)


def test_random_games_survive_show_and_read_and_their_order_of_play_is_legal():
    rng = np.random.default_rng(4)
    for _ in range(60):
        state = GAME.deal(rng)
        while state.outcome() is None:
            state = state.play(int(rng.choice(state.legal_moves())))
            seen = GAME.read(GAME.show(state))
            assert seen == state
            assert GAME.parse(GAME.format(seen)) == state  # replays the reconstructed order, move by move
            assert seen.outcome() == state.outcome()


def test_a_tap_goes_to_the_column_and_first_to_where_the_disc_lands():
    (tap,) = GAME.gestures(after("44"), 3)
    assert tap.target == "column:3"
    assert tap.alternatives[0] == Cell(3, 3)
    assert set(tap.alternatives) == {Cell(row, 3) for row in range(6)}
