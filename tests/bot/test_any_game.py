"""A game that no room knows is found, played and served by one module and its line in the registry."""

import json

import pytest

from bot.cli import main
from bot.runs.journal import open_run
from bot.web.lobby import catalogue
from bot.web.pages import stand, taps_of
from games.core import BoardsightError, Cell, Drag, Press, Tap


@pytest.fixture
def said(hedge, capsys):
    """What a command prints about the game."""

    def run(command, *words, status=0):
        assert main([command, "--game", hedge, *words]) == status
        return capsys.readouterr().out

    return run


def test_its_moves_are_listed_counted_and_chosen(said):
    assert len(json.loads(said("moves", "--size", "3x3", "--json"))["moves"]) == 9
    assert said("perft", "--size", "2x2", "--depth", "2")
    answer = json.loads(said("solve", "--size", "3x3", "--solver", "alphabeta-readable:depth=9", "--json"))
    assert answer["proven"]
    assert json.loads(said("solve", "--nodes", "50", "--json"))["move"]


def test_its_players_meet_in_the_arena(said):
    assert "1" in said("arena", "random", "alphabeta-readable:depth=1", "--size", "3x3", "--games", "2")


def test_a_demo_of_it_is_played_to_the_end_on_the_drawn_screen(said, tmp_path):
    words = [
        "--screen",
        "drawn",
        "--seed",
        "1",
        "--delay",
        "0",
        "--solver",
        "alphabeta-readable:depth=1",
        "--runs",
        str(tmp_path),
    ]
    assert "on the drawn" in said("demo", *words)
    (folder,) = tmp_path.iterdir()
    run = open_run(folder)
    assert run.end is not None
    assert len(run.turns) > 5


@pytest.mark.browser
def test_a_demo_of_it_is_played_to_the_end_in_a_browser(said, chromium, tmp_path):
    words = ["--screen", "browser", "--seed", "1", "--delay", "0", "--runs", str(tmp_path)]
    assert "on the browser" in said("demo", *words, "--solver", "alphabeta-readable:depth=1")
    (folder,) = tmp_path.iterdir()
    assert open_run(folder).end is not None


def test_its_page_is_told_what_the_rules_say(hedge):
    start = stand({"game": hedge, "rows": "2", "cols": "3", "seed": "1"})
    assert (start["title"], start["position"], start["over"]) == ("Hedge", "000/000 1", None)
    assert {"move": "b1", "taps": [["1,1"]]} in start["legal"]
    after = stand({"game": hedge, "position": start["position"], "move": "b1"})
    assert (after["grid"], after["player"]) == ([[0, 0, 0], [0, 1, 0]], 1)
    for wrong in ({"move": "b9"}, {"move": "?"}, {"position": "x"}, {"rows": "9" * 20}, {"game": "chess"}):
        with pytest.raises(BoardsightError):
            stand({"game": hedge, **wrong})


def test_a_move_is_made_by_the_cells_to_press_one_after_the_other():
    cell, other = Cell(1, 2), Cell(0, 0)
    assert taps_of([Tap("colour:1", (cell, other))]) == [["1,2", "0,0"]]
    assert taps_of([Drag(cell, other)]) == [["1,2"], ["0,0"]]
    assert taps_of([Tap(cell), Press("enter")]) == [["1,2"]]
    assert taps_of([Tap("rotate"), Tap(cell)]) == []


def test_the_table_offers_it_with_a_drawing_for_any_game(hedge):
    (info,) = [game for game in catalogue().games if game.name == hedge]
    assert (info.title, info.drawing) == ("Hedge", "cells")
    assert {"random", "greedy", "alphabeta", "mcts-readable", "alphabeta-readable"} == {*info.solvers}
