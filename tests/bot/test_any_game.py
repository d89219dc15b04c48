"""A game that no room knows is found, played and served by one module and its line in the registry."""

import json

import pytest

from bot.cli import main
from bot.runs.journal import open_run
from bot.web.lobby import catalogue
from bot.web.pages import stand, taps_of
from games import find_game
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
    assert "on a drawn desktop" in said("demo", *words)
    (folder,) = tmp_path.iterdir()
    run = open_run(folder)
    assert run.end is not None
    assert len(run.turns) > 5


@pytest.mark.browser
def test_a_demo_of_it_is_played_to_the_end_in_a_browser(said, chromium, tmp_path):
    words = ["--screen", "browser", "--seed", "1", "--delay", "0", "--runs", str(tmp_path)]
    assert "in a browser" in said("demo", *words, "--solver", "alphabeta-readable:depth=1")
    (folder,) = tmp_path.iterdir()
    assert open_run(folder).end is not None


@pytest.mark.browser
def test_a_move_from_one_cell_to_another_is_made_by_two_presses_or_a_drag(from_the_docs, show):
    page = show(from_the_docs, rows=3, cols=4, second="person").page
    page.wait_for_selector('[data-press="cell:2,3"][data-owner="2"]')

    def centre(cell):
        box = page.locator(f'[data-press="cell:{cell}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(start, end):
        page.mouse.move(*centre(start))
        page.mouse.down()
        page.mouse.move(*centre(end), steps=3)
        page.mouse.up()

    drag("1,0", "1,1")  # the other side's
    drag("0,0", "2,2")
    drag("0,0", "0,1")
    page.wait_for_selector('[data-press="cell:0,1"][data-owner="1"]')
    page.mouse.click(*centre("2,3"))
    page.mouse.click(*centre("1,3"))
    page.wait_for_selector('[data-press="cell:1,3"][data-owner="2"]')
    assert page.evaluate("boardsightReferee.moves") == ["a3-b3", "d1-d2"]


@pytest.mark.browser
def test_a_game_whose_pieces_are_dragged_is_played_in_a_browser(from_the_docs, chromium, monkeypatch, tmp_path):
    game = type(find_game(from_the_docs))
    monkeypatch.setattr(game, "ways", ("drag",))
    monkeypatch.setattr(game, "gestures", lambda self, state, move, how="": (Drag(*move),))
    words = ["--seed", "1", "--delay", "0", "--solver", "random:seed=1", "--runs", str(tmp_path)]
    assert main(["demo", "--game", from_the_docs, "--screen", "browser", *words]) == 0
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
    assert {"random", "greedy", "level", "light", "alphabeta", "mcts-readable", "alphabeta-readable"} == {*info.solvers}
