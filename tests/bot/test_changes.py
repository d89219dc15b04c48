"""What was played between two pictures where something covers some cells."""

from dataclasses import replace

import numpy as np
import pytest

from bot.play.changes import Change, explain_in_part, explain_otherwise, is_hidden, may_be_another, nearest, positions
from games import find_game
from games.core import UNREAD, Cell, Observation, Options, UnreadableError

START = find_game("reversi").parse("")
MARKS = find_game("mnk").parse("")


def covered(game, state, *cells):
    grid = game.show(state).grid.copy()
    for cell in cells:
        grid[cell] = UNREAD
    return Observation.certain(grid.tolist())


def test_the_cells_in_sight_tell_a_move_that_turns_some_of_them():
    game, move = find_game("reversi"), Cell(2, 3)
    seen = covered(game, START.play(move), move, *(Cell(0, col) for col in range(8)))
    assert explain_in_part(game, START, seen) == Change(START, (move,), START.play(move))
    assert explain_in_part(game, START, seen, made=move, ours=(0,)) == Change(START, (move,), START.play(move))


def test_an_answer_is_told_by_the_cells_in_sight():
    game, move = find_game("reversi"), Cell(2, 3)
    answer = START.play(move).legal_moves()[0]
    after = START.play(move).play(answer)
    seen = covered(game, after, Cell(0, 0))
    assert explain_in_part(game, START, seen, made=move, ours=(0,)) == Change(START, (move, answer), after)


def test_what_may_be_under_the_cover_is_not_guessed():
    game = find_game("mnk")
    assert explain_in_part(game, MARKS, covered(game, MARKS, Cell(0, 0))) is None
    assert explain_in_part(game, MARKS, covered(game, MARKS, Cell(0, 0)), ours=(0,)) == Change(MARKS, (), MARKS)


def test_a_board_of_which_too_little_is_seen_tells_nothing():
    game, move = find_game("reversi"), Cell(2, 3)
    most = [Cell(int(row), int(col)) for row, col in np.argwhere(np.ones((8, 8))) if (row + col) % 7]
    assert explain_in_part(game, START, covered(game, START.play(move), *most), made=move, ours=(0,)) is None


@pytest.mark.parametrize("wrong", [1, 2])
def test_a_change_that_no_move_makes_is_none(wrong):
    game = find_game("reversi")
    grid = game.show(START).grid.copy()
    grid[0, 0], grid[7, 7] = UNREAD, wrong
    assert explain_in_part(game, START, Observation.certain(grid.tolist())) is None


def test_two_moves_of_a_side_whose_rival_must_pass_are_told_by_the_cells_in_sight():
    game = find_game("reversi")
    before = game.parse(".o.x/xoxx/ooox/xo.. x")
    made = game.parse_move("c4", before)
    middle = before.play(made)
    once = middle.play(game.parse_move("a1", middle))
    assert once.player == middle.player
    after = once.play(game.parse_move("d4", once))
    seen = covered(game, after, Cell(0, 2), Cell(0, 3))
    assert explain_in_part(game, before, seen, made=made, ours=(0,)).after == after


def test_boards_on_which_our_move_comes_first_are_believed_before_those_on_which_another_does():
    game = find_game("blokus")
    four, two = (game.parse("", Options(rows=20, cols=20, variant=each)) for each in ("classic", "corners"))
    move = game.parse_move("b18,c18,a19,b19,a20", two)
    answer = game.parse_move("t1,r2,s2,t2,s3", two.play(move))
    after = two.play(move).play(answer)
    assert explain_otherwise(game, four, game.show(after), made=move) == Change(two, (move, answer), after)


def test_a_colour_that_only_a_page_with_wider_rules_lets_one_name_is_explained_by_these_alone():
    game = find_game("filler")
    before = game.parse("00134/21302/41322")
    wider = replace(before, rules=replace(before.rules, shared=True))
    change = explain_otherwise(game, before, game.show(wider.play(2)), proven=True)
    assert change == Change(wider, (2,), wider.play(2))
    kept = replace(before, rules=replace(before.rules, kept=True)).play(1)
    with pytest.raises(UnreadableError):
        explain_otherwise(game, before, game.show(kept), proven=True)


@pytest.mark.parametrize(("name", "another"), [("flood_it", True), ("filler", False)])
def test_what_changed_from_one_kind_to_one_is_somebodys_move_where_somebody_else_moves(
    name: str, *, another: bool
) -> None:
    game = find_game(name)
    before = game.parse("0001/0001/2223")
    grid = game.show(before).grid.copy()
    grid[grid == 1] = 2  # under a panel, say, on which the end is told
    assert may_be_another(game, before, Observation.certain(grid.tolist())) == another


@pytest.mark.parametrize("name", ["connect_four", "quoridor"])
def test_a_fresh_board_is_one_where_some_cells_stay_covered(name):
    game = find_game(name)
    start = game.deal(np.random.default_rng(0))
    seen = covered(game, start, Cell(2, 1), Cell(2, 2))
    with pytest.raises(UnreadableError):
        positions(game, seen)
    assert positions(game, seen, covered=True)[0] == start
    moved = covered(game, start.play(start.legal_moves()[0]), Cell(2, 1))
    with pytest.raises(UnreadableError):
        positions(game, moved, covered=True)


def test_a_flood_that_is_shown_on_all_that_it_takes_is_not_hidden():
    game = find_game("flood_it")
    before = game.parse("0122/3312/0213")
    after = before.play(1)
    assert not is_hidden(game, covered(game, before, Cell(0, 0), Cell(0, 1)), before, after)
    assert is_hidden(game, covered(game, before, Cell(0, 0), Cell(0, 1), Cell(0, 2)), before, after)


@pytest.mark.parametrize(("moves", "hides"), [("1213141", True), ("121314", False)])
def test_what_a_dialog_covers_a_part_of_may_be_where_a_move_lies_that_ends_the_game(moves, hides):
    game = find_game("connect_four")
    after, before = game.parse(moves), game.parse(moves[:-1])
    row, col = np.argwhere(game.show(after).grid != game.show(before).grid)[0]
    seen = covered(game, before, *(Cell(row - 1, col + side) for side in (0, 1)))
    assert is_hidden(game, seen, before, after) is hides
    far = covered(game, before, Cell(0, 6), Cell(0, 5))
    assert not is_hidden(game, far, before, after)


def test_the_nearest_move_is_named_of_boards_of_one_size_alone() -> None:
    four = find_game("connect_four")
    start = four.parse("")
    grid = four.show(four.parse("43")).grid
    assert nearest(four, [start], grid) == "nearest is 4, but for 1 of them, the first at row 5, col 2"
    assert nearest(four, [start], grid[:5]) == ""
