"""How pages want moves made, learned while playing: buttons that light up, places that the pointer must rest on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from math import dist
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.compose import play_on
from bot.drag.gestures import NotInHandError
from bot.play.aim import Aiming, WithheldError
from bot.play.executor import Executor
from bot.play.expected import Expected
from bot.play.observer import Observer
from bot.play.unshown import Unshown
from bot.pointers.browser import BrowserPointer
from bot.pointers.guard import GuardedPointer
from bot.ports import WHEEL, SystemClock
from bot.runs.journal import open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from calibration.frame import Box, Frame, Pixel, Rect, Spot
from calibration.lit import lit_buttons
from calibration.locate import BoardNotFoundError, locate
from calibration.switches import switches_beside
from games import find_game
from games.core import Cell, Tap
from games.polyominoes import PIECE_OF, PIECES, shape_of
from solvers.core import Decision
from tests.pages import until

pytestmark = pytest.mark.browser

Show = Callable[..., BrowserScreen]

A_LONG_REST = 0.7
"""Seconds in which a page on a busy machine shows what lies under the pointer."""


def box(screen: BrowserScreen, selector: str) -> Box:
    found = screen.page.locator(selector).first.bounding_box()
    assert found is not None
    return Box(found["x"], found["y"], found["width"], found["height"])


def middle(part: Box) -> Pixel:
    return Pixel(part.x + part.width / 2, part.y + part.height / 2)


def lit_by(screen: BrowserScreen, press: str) -> list[Pixel]:
    """What lights up when `press` is clicked."""
    before = screen.grab()
    screen.page.locator(f'[data-press="{press}"] >> nth=0').click()
    screen.page.mouse.move(2, 450)
    until(screen.page, "document.getAnimations().length === 0")
    return lit_buttons(before, screen.grab(), box(screen, ".board"))


@pytest.mark.parametrize(("game", "press"), [("quoridor", "cell:7,4"), ("connect_four", "cell:0,3")])
def test_the_one_button_that_lights_up_with_a_shown_move_is_seen(show: Show, game: str, press: str) -> None:
    screen = show(game, stage="confirm", second="person")
    (seen,) = lit_by(screen, press)
    assert abs(seen.x - middle(box(screen, ".confirm")).x) < 4
    assert abs(seen.y - middle(box(screen, ".confirm")).y) < 4


def test_no_button_is_seen_where_words_a_counter_and_whose_turn_it_is_change(show: Show) -> None:
    screen = show("quoridor", second="person")
    assert lit_by(screen, "cell:7,4") == []


def carrying(screen: BrowserScreen) -> Executor:
    """What makes moves of Blokus on a page, and is allowed to."""
    observer = Observer(screen, SystemClock(), "blokus", patience=4.0)
    observer.find()
    executor = Executor(find_game("blokus"), observer, GuardedPointer(BrowserPointer(screen)), SystemClock())
    executor.adopt()
    return executor


def play(screen: BrowserScreen, runs: Path, **more: Any) -> tuple[str, dict[str, Any], int]:
    """The end's cause, what the referee tells, and how many presses were made in vain."""
    settings = Settings(patience=1.5, runs=str(runs), **more)
    result, folder = play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
    assert open_run(folder).end is not None
    return result.cause, dict(screen.page.evaluate("({...boardsightReferee})")), result.retries


@pytest.mark.parametrize(
    ("game", "page"),
    [
        ("connect_four", {}),
        pytest.param("quoridor", {"size": 5}, marks=pytest.mark.slow),
        pytest.param("filler", {"rows": 6, "cols": 6, "skin": "gaps"}, marks=pytest.mark.slow),
        pytest.param("blokus", {}, marks=pytest.mark.slow),
    ],
)
def test_a_move_that_is_only_shown_is_made_by_the_button_that_lights_up(
    show: Show, tmp_path: Path, game: str, page: dict[str, Any]
) -> None:
    screen = show(game, stage="confirm", second="random", pause=20, animation=0, seed=7, **page)
    cause, told, retries = play(screen, tmp_path, game=game, solver="light", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] not in ("piece", "turn")]
    assert (cause, effects) == ("asked", ["shown", "move"] * 2)
    assert retries <= 1


@pytest.mark.slow
def test_what_made_a_pawns_move_final_comes_before_a_button_that_lights_up_with_a_wall(
    show: Show, tmp_path: Path
) -> None:
    screen = show("quoridor", stage="twice", undo="on", size=5, second="greedy", pause=20, animation=0, seed=260049)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=3", max_moves=3)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects.count("undone"), effects.count("move")) == ("asked", 0, 3)
    assert any(click["hit"] == "wall" for click in told["clicks"])


@pytest.mark.slow
def test_a_piece_that_is_held_at_its_corner_is_pressed_again_where_it_was_laid(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", stage="twice", held="corner", second="random", pause=20, animation=0, seed=320023)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="light", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] not in ("piece", "turn")]
    assert (cause, effects.count("move"), effects.count("illegal")) == ("asked", 2, 0)


def test_the_letters_that_name_pieces_are_tried_but_not_first_where_there_are_trays(show: Show) -> None:
    screen, clock, game = show("blokus", second="random", seed=7), SystemClock(), find_game("blokus")
    observer = Observer(screen, clock, "blokus", patience=1.0)
    observer.find()
    state = game.read(observer.read().observation)
    ways = Executor(game, observer, GuardedPointer(BrowserPointer(screen)), clock).ways(state, state.legal_moves()[0])
    assert ways[0] == ways[1] == "tray"
    assert "keys" in ways[2:]


def test_the_pointer_rests_where_no_column_hears_it_though_there_is_most_room_above(show: Show) -> None:
    screen = show("connect_four", skin="pastel", second="random", crop="buttons", preview="landing", seed=320012)
    observer = Observer(screen, SystemClock(), "connect_four", patience=1.0)
    observer.find()
    x, y = observer.beside()
    board = observer.board_rect()
    assert max(board.y, board.x) == board.y
    assert screen.page.evaluate(f"document.elementFromPoint({x}, {y}).closest('.board')") is None


@pytest.mark.slow
def test_a_game_that_the_first_of_two_presses_has_ended_is_told_by_the_rules(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the other side moved late twice, and presses that came too soon were thought to show a move only."""
    monkeypatch.setattr(Executor, "ways", lambda self, state, move: ["tap+twice"])
    screen = show("quoridor", size=5, second="random", pause=400, animation=0, end="result", endAfter=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="quoridor", seconds=0.05)
    assert told["ended"]
    assert cause == "won"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "turns"), [("connect_four", 3), ("quoridor", 2)])
def test_a_button_that_hides_a_shown_move_is_pressed_once_and_the_move_made_anew(
    show: Show, tmp_path: Path, game: str, turns: int
) -> None:
    """A shown disc looks like one that was dropped, so that the turn in which it went is one more."""
    screen = show(game, stage="twice", undo="shown", second="random", pause=20, seed=7)
    cause, told, _ = play(screen, tmp_path, game=game, solver="light", max_moves=turns)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects.count("hidden"), effects.count("move")) == ("asked", 1, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("undo", "hidden"), [("off", 0), ("shown", 1)])
def test_a_button_that_never_lights_up_is_tried_where_nothing_else_makes_a_move_final(
    show: Show, tmp_path: Path, undo: str, hidden: int
) -> None:
    page = {"skin": "flat", "undo": undo, "lights": "off", "pause": 20, "animation": 0, "seed": 270057}
    screen = show("connect_four", stage="confirm", second="random", **page)
    cause, told, _ = play(screen, tmp_path, game="connect_four", solver="light", max_moves=2 + hidden, answer=4.0)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects.count("hidden"), effects.count("move")) == ("asked", hidden, 2)


@pytest.mark.slow
def test_a_side_that_is_shut_in_and_passed_over_is_not_waited_for(show: Show, tmp_path: Path) -> None:
    board = "024331/000031/052031/000031/045031"  # the first move shuts the other side in
    screen = show("filler", over="passing", board=board, second="greedy", pause=20, animation=0)
    cause, told, _ = play(screen, tmp_path, game="filler", seat="first", answer=4.0)
    assert (cause, told["winner"]) == ("won", 0)


@pytest.mark.slow
def test_a_turn_in_which_we_cannot_move_is_passed_by_the_button_for_it(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", variant="corners", size=5, passes="pressed", second="greedy", pause=20, animation=0, seed=1)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=1", seat="first", wait=0.5)
    assert cause == {None: "drawn", 0: "won", 1: "lost"}[told["winner"]]
    assert "passed" in [click["effect"] for click in told["clicks"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "page"),
    [
        ("filler", {"rows": 6, "cols": 6}),
        ("quoridor", {"size": 5, "walls": 0}),
        ("quoridor", {"size": 5, "walls": 0, "undo": "on"}),
    ],
)
def test_a_page_on_which_nobody_else_moves_is_played_for_each_side(
    show: Show, tmp_path: Path, game: str, page: dict[str, Any]
) -> None:
    screen = show(game, first="person", second="person", animation=0, seed=3, **page)
    cause, told, _ = play(screen, tmp_path, game=game, solver="light", answer=4.0)
    assert cause == {None: "drawn", 0: "won", 1: "lost"}[told["winner"]]
    assert told["over"]


FIRST_PRESS_IS_THE_OTHERS = """() => document.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    event.stopImmediatePropagation();
    setTimeout(() => event.target.click(), 300);
}, { capture: true, once: true })"""
"""Has nobody hear the first press, and the other side make that very move a moment later."""


@pytest.mark.slow
def test_no_button_is_tried_where_the_other_side_may_have_made_our_move(show: Show, tmp_path: Path) -> None:
    page = {"rows": 6, "cols": 8, "skin": "gaps", "barred": "gone", "animation": 0, "seed": 420006}
    screen = show("filler", first="person", second="person", **page)
    screen.page.evaluate(FIRST_PRESS_IS_THE_OTHERS)
    cause, told, _ = play(screen, tmp_path, game="filler", solver="light", max_moves=2, answer=4.0)
    assert (cause, "new game" in [click["effect"] for click in told["clicks"]]) == ("asked", False)


LIT_BY_PRESSES = """() => {
    const lit = "box-shadow: inset 0 -12px 0 0 rgb(255 255 255 / 40%), 0 6px 0 rgb(0 0 0 / 45%)";
    const sheet = [...document.styleSheets].at(-1);
    sheet.insertRule(".pawn[data-turn]::before { animation: none !important; }", sheet.cssRules.length);
    sheet.insertRule(`.lit .pawn[data-turn]::before { ${lit}; }`, sheet.cssRules.length);
    document.addEventListener("pointerdown", () => document.documentElement.classList.toggle("lit"), true);
}"""
"""Has the pawn to move lit from each other press to the next, in place of by turns."""


@pytest.mark.slow
def test_a_move_is_seen_to_be_shown_though_a_pawn_glowed_when_it_was_pressed_first(show: Show, tmp_path: Path) -> None:
    page = {"size": 5, "skin": "dark", "pulse": "glow", "preview": "off", "pause": 120, "animation": 0, "seed": 290009}
    screen = show("quoridor", first="random", second="person", stage="enter", hover="needed", **page)
    screen.page.evaluate(LIT_BY_PRESSES)
    cause, told, _ = play(screen, tmp_path, game="quoridor", seconds=0.2, max_moves=2)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects.count("illegal"), effects.count("move")) == ("asked", 0, 2)


@pytest.mark.slow
def test_presses_are_made_while_what_was_played_last_still_fades(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", pulse="latest", second="random", pause=20, animation=0, seed=7)
    cause, _, retries = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=4)
    (journal,) = tmp_path.glob("*/journal.jsonl")
    assert (cause, retries) == ("asked", 0)
    assert "of the board changed when the pointer came" not in journal.read_text()


@pytest.mark.parametrize("seed", [3, 4])
def test_a_button_that_comes_back_slowly_is_waited_for(show: Show, tmp_path: Path, seed: int) -> None:
    page = {"second": "random", "pause": 20, "animation": 0, "skin": "dark", "seed": seed}
    cause, told, retries = play(show("filler", barred="fading", **page), tmp_path, solver="greedy", max_moves=6)
    assert (cause, retries, {click["effect"] for click in told["clicks"]}) == ("asked", 0, {"move"})


@pytest.mark.parametrize("preview", ["holes", "landing", "strip"])
def test_what_a_page_leaves_where_the_pointer_was_is_no_piece(show: Show, tmp_path: Path, preview: str) -> None:
    page = {"second": "random", "pause": 300, "animation": 150, "skin": "classic", "seed": 5}
    cause, told, _ = play(show("connect_four", leave="stays", preview=preview, **page), tmp_path, max_moves=3)
    assert (cause, {click["effect"] for click in told["clicks"]}) == ("asked", {"move"})


@pytest.mark.slow
def test_a_hole_is_pressed_though_a_sign_shows_that_the_disc_will_lie_in_it(show: Show, tmp_path: Path) -> None:
    screen = show("connect_four", preview="landing", second="random", pause=20, animation=0, seed=5)
    cause, _, retries = play(screen, tmp_path, game="connect_four", solver="random:seed=5")  # it fills a column
    assert (cause, retries) == ("won", 0)


@pytest.mark.slow
def test_a_column_is_pressed_that_lights_up_down_to_its_lowest_hole(show: Show, tmp_path: Path) -> None:
    screen = show("connect_four", preview="strip", skin="dark", second="random", pause=20, animation=0, seed=5)
    cause, _, retries = play(screen, tmp_path, game="connect_four", solver="random:seed=5")
    assert (cause, retries) == ("won", 0)


@pytest.mark.slow
def test_a_colour_is_learned_without_what_the_page_shows_under_the_pointer(show: Show, tmp_path: Path) -> None:
    page = {"skin": "lines", "preview": "strip", "stage": "confirm", "pause": 300, "animation": 400, "seed": 420017}
    screen = show("connect_four", first="greedy", second="person", **page)
    cause, told, _ = play(screen, tmp_path, solver="light", max_moves=2)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["shown", "move"] * 2)


@pytest.mark.slow
def test_the_button_of_a_shown_move_is_found_though_the_move_hides_cells(show: Show, tmp_path: Path) -> None:
    page = {"rows": 7, "cols": 8, "corners": "sides", "deal": "uniform", "patch": "cell", "seed": 91021}
    screen = show("filler", stage="confirm", second="random", pause=20, animation=0, **page)
    cause, told, _ = play(screen, tmp_path, game="filler", solver="light", max_moves=2)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["shown", "move"] * 2)


@pytest.mark.slow
@pytest.mark.parametrize("page", [{"pulse": "on", "stage": "twice"}, {"barred": "plain", "controls": "cells"}])
def test_players_who_keep_colours_of_their_own_are_played_against_as_such(
    show: Show, tmp_path: Path, page: dict[str, Any]
) -> None:
    screen = show("filler", paint="owner", rows=6, cols=6, second="greedy", pause=20, animation=0, seed=102081, **page)
    cause, told, _ = play(screen, tmp_path, solver="light", max_moves=3)
    assert cause == "asked"
    assert [click["effect"] for click in told["clicks"]].count("move") == 3
    assert "illegal" not in [click["effect"] for click in told["clicks"]]


@pytest.mark.parametrize(
    "page",
    [
        {"stage": "twice", "preview": "off", "skin": "pastel"},
        {"stage": "enter"},
        {"stage": "enter", "skin": "lines", "about": "none", "pause": 900},  # no disc shows beside the board
        {"stage": "confirm", "lights": "on", "skin": "dark", "lift": "on", "answer": "twice"},  # lit while it is shown
    ],
)
def test_a_piece_that_was_only_shown_is_laid_by_no_press_beside_it_and_known_by_how_it_looks_then(
    show: Show, tmp_path: Path, page: dict[str, Any]
) -> None:
    page = {"pause": 20, "lights": "off", **page}
    screen = show("connect_four", second="random", animation=0, seed=102142, **page)
    cause, told, _ = play(screen, tmp_path, game="connect_four", solver="random:seed=7", max_moves=3)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["shown", "move"] * 3)


def test_a_buttons_name_that_shows_over_the_board_while_it_is_pointed_at_keeps_no_press_from_it(
    show: Show, tmp_path: Path
) -> None:
    screen = show("flood_it", tips="on", board="0123/0012/0003/0000", cell=40)
    cause, told, _ = play(screen, tmp_path, game="flood_it", max_moves=2)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["move"] * 2)


def test_a_panel_that_is_lit_while_the_pointer_is_over_its_board_keeps_no_press_from_it(
    show: Show, tmp_path: Path
) -> None:
    screen = show("quoridor", lift="panel", size=5, second="random", pause=20, animation=0)
    cause, told, _ = play(screen, tmp_path, game="quoridor", max_moves=2, lost=6.0)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["move"] * 2)


def test_what_a_pawn_does_that_shall_go_while_its_way_is_pointed_at_covers_no_part_of_its_cell(
    show: Show, tmp_path: Path
) -> None:
    screen = show("quoridor", size=5, second="random", pause=20, animation=0)
    glance = ".board:has(.square[data-hint]:hover) .pawn[data-turn]::before { transform: translateX(-20%); }"
    screen.page.evaluate(
        "(css) => { document.adoptedStyleSheets.push(new CSSStyleSheet());"
        " document.adoptedStyleSheets.at(-1).replaceSync(css); }",
        glance,
    )
    cause, told, _ = play(screen, tmp_path, game="quoridor", max_moves=2, lost=6.0)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["move"] * 2)


@pytest.mark.slow
def test_a_page_that_covers_its_buttons_after_the_last_move_it_allows_has_ended_the_game(
    show: Show, tmp_path: Path
) -> None:
    page = {"size": 5, "colours": 4, "skin": "borders", "start": "2,2", "icons": "on", "cells": "wide", "seed": 250010}
    screen = show("flood_it", end="blur", endAfter=400, animation=0, **page)
    cause, told, _ = play(screen, tmp_path, lost=6.0)
    assert (cause, [end["won"] for end in told["ended"]]) == ("lost", [False])


@pytest.mark.slow
def test_a_first_colour_that_may_not_be_played_tells_that_the_players_start_elsewhere(
    show: Show, tmp_path: Path
) -> None:
    page = {"rows": 7, "cols": 8, "skin": "gaps", "corners": "sides", "controls": "cells", "seed": 250001}
    screen = show("filler", first="person", second="greedy", pause=20, animation=0, **page)
    cause, told, _ = play(screen, tmp_path, game="filler", solver="light", max_moves=2)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects.count("move")) == ("asked", 2)
    assert effects.count("illegal") <= 2


@pytest.mark.slow
def test_a_board_that_floods_from_one_cell_is_played_on_alone_where_nobody_answers(show: Show, tmp_path: Path) -> None:
    page = {"size": 12, "colours": 6, "skin": "dark", "patch": "cell", "obstacles": 3, "seed": 91015}
    screen = show("flood_it", animation=0, **page)
    cause, told, _ = play(screen, tmp_path, answer=2.0, max_moves=4)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects) == ("asked", ["move"] * 5)  # the first was made in a game that it is not


@pytest.mark.slow
def test_what_looks_like_a_colour_that_nothing_is_coloured_with_is_an_obstacle(show: Show, tmp_path: Path) -> None:
    page = {"size": 8, "colours": 4, "skin": "borders", "controls": "cells", "starts": "none", "obstacles": 8}
    screen = show("flood_it", animation=0, seed=470010, **page)
    cause, told, _ = play(screen, tmp_path, max_moves=3)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects[-3:]) == ("asked", ["move"] * 3)


@pytest.mark.slow
def test_a_move_that_shows_at_another_start_than_believed_is_made_final(show: Show, tmp_path: Path) -> None:
    page = {"rows": 7, "cols": 8, "skin": "plain", "controls": "cells", "turn": "mirror", "seed": 83091}
    screen = show("filler", stage="enter", first="random", second="person", pause=20, animation=0, **page)
    cause, told, _ = play(screen, tmp_path, game="filler", solver="light", max_moves=2)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["shown", "move"] * 2)


def test_a_pawn_that_shows_under_the_pointer_swallows_one_press(show: Show, tmp_path: Path) -> None:
    screen = show("quoridor", size=5, steps="ghost", walls=0, second="random", pause=20, animation=0, seed=4)
    cause, told, _ = play(screen, tmp_path, max_moves=3)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["swallowed", *["move"] * 3])


def test_a_page_that_swallows_presses_of_a_pointer_that_did_not_rest_swallows_one(show: Show, tmp_path: Path) -> None:
    screen = show("connect_four", hover="needed", second="random", pause=20, animation=0, seed=7)
    cause, told, retries = play(screen, tmp_path, game="connect_four", solver="random:seed=7", max_moves=4)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, effects.count("move")) == ("asked", 4)
    assert len(effects) == 4 + retries
    assert retries <= 1  # whichever the machine was too quick for, if any


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["twice", "enter"])
def test_pieces_that_are_only_shown_where_they_were_laid_are_laid_without_a_button(
    show: Show, tmp_path: Path, stage: str
) -> None:
    screen = show("blokus", stage=stage, turns="keys", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] not in ("piece", "turn")]
    assert (cause, effects) == ("asked", ["shown", "move"] * 2)


@pytest.mark.slow
def test_pieces_are_turned_by_buttons_that_look_the_same_with_empty_hands(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", turns="lasting", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] != "piece"]
    assert (cause, effects) == ("asked", ["move", "turned", "move"])


@pytest.mark.slow
def test_modes_are_found_and_told_apart_though_cells_glow_over_the_grooves_beside_them(
    show: Show, tmp_path: Path
) -> None:
    page = {"modes": "row", "pulse": "hints", "skin": "dark", "size": 7, "seed": 7}
    screen = show("quoridor", second="random", pause=20, animation=0, **page)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=3", max_moves=3)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] != "mode"]
    assert (cause, effects) == ("asked", ["move"] * 3)


@pytest.mark.slow
def test_pieces_are_carried_and_laid_by_a_button_that_a_person_named(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", stage="confirm", second="random", pause=20, animation=0, seed=7)
    at = middle(box(screen, ".confirm"))
    cause, told, retries = play(screen, tmp_path, game="blokus", max_moves=2, controls=f"confirm={at.x},{at.y}")
    effects = [click["effect"] for click in told["clicks"] if click["hit"] not in ("piece", "turn")]
    assert (cause, effects, retries) == ("asked", ["shown", "move"] * 2, 0)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["confirm", "enter"])
def test_pieces_that_follow_no_pointer_are_brought_by_taps_and_laid_by_what_makes_moves_final(
    show: Show, tmp_path: Path, stage: str
) -> None:
    screen = show("blokus", pieces="set", stage=stage, turns="keys", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=3)
    assert (cause, len(told["moves"]) >= 5) == ("asked", True)
    effects = [click["effect"] for click in told["clicks"]]
    assert (effects.count("move"), "illegal" in effects) == (3, False)


@pytest.mark.slow
def test_a_piece_is_laid_once_it_shows_at_its_place_for_good_where_it_follows_the_pointer_late(
    show: Show, tmp_path: Path
) -> None:
    screen = show("blokus", follow="late", turns="keys", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] == "cell"]
    assert (cause, effects) == ("asked", ["move", "move"])


@pytest.mark.slow
def test_a_piece_that_shows_over_free_cells_alone_is_turned_at_its_place_on_a_crowded_board(
    show: Show, tmp_path: Path
) -> None:
    page = {"preview": "free", "turns": "keys", "variant": "corners", "size": 10}
    screen = show("blokus", **page, second="random", pause=20, animation=0, seed=5)
    cause, told, retries = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=7)
    assert (cause, retries) == ("asked", 0)
    assert not {"illegal", "none"} & {click["effect"] for click in told["clicks"]}


@pytest.mark.slow
def test_a_tray_that_shows_in_our_turn_alone_is_found_before_the_first_move(show: Show, tmp_path: Path) -> None:
    seats = {"first": "greedy", "second": "person"}
    screen = show("blokus", trays="turn", turns="keys", pause=1500, animation=0, seed=7, **seats)
    cause, _, retries = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=1)
    assert (cause, retries) == ("asked", 0)


@pytest.mark.slow
@pytest.mark.parametrize("turns", ["keys", "wheel"])
def test_pieces_that_no_tap_takes_are_dragged_and_turned_while_the_button_is_down(
    show: Show, tmp_path: Path, turns: str
) -> None:
    screen = show("blokus", pieces="dragged", turns=turns, second="random", pause=20, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] == "drag"]
    assert (cause, effects) == ("asked", ["move", "move"])


def test_a_page_that_a_key_scrolls_while_a_piece_is_dragged_shows_again_what_it_did(show: Show) -> None:
    screen = show("blokus", pieces="dragged", turns="wheel", second="person", animation=0)
    screen.page.evaluate("document.body.style.paddingBottom = '600px'")
    scrolls = "({ key }) => key === ' ' && scrollBy({ top: 300, behavior: 'instant' })"
    screen.page.evaluate(f"document.addEventListener('keydown', {scrolls})")
    executor = carrying(screen)
    state = executor.game.read(executor.observer.read().observation)
    turned = next(move for move in state.legal_moves() if len(move) == 5 and len({cell.col for cell in move}) == 1)
    executor.make(state, turned, "", 0)
    assert screen.page.evaluate("boardsightReferee.moves") == [executor.game.format_move(turned, state)]
    assert screen.page.evaluate("scrollY") == 0


def test_a_piece_is_laid_with_few_looks_where_each_takes_long(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = show("blokus", turns="keys", second="person", animation=0)
    executor, grab, looks = carrying(screen), screen.grab, 0
    game, observer = executor.game, executor.observer

    def grab_slowly(region: Rect | None = None) -> Frame:
        nonlocal looks
        looks += 1
        frame = grab(region)
        time.sleep(0.3)
        return frame

    monkeypatch.setattr(screen, "grab", grab_slowly)
    counts, state = [], game.deal(np.random.default_rng(0))
    for name in ("F", "X", "L5"):
        executor.pointer.confirmed()
        reading = observer.read()
        state, looks = game.read(reading.observation, state), 0
        moves = (each for each in state.legal_moves() if PIECES[PIECE_OF[shape_of(each)]].name == name)
        executor.make(state, list(moves)[-1], "", 0, confirmed=reading)
        counts.append(looks)
    assert len(screen.page.evaluate("boardsightReferee.moves")) == 3
    assert max(counts[1:]) <= 15  # 19 where each is looked at until it is still


@pytest.mark.slow
def test_pieces_that_are_dragged_are_turned_in_their_tray_where_nothing_turns_them_in_the_hand(
    show: Show, tmp_path: Path
) -> None:
    screen = show("blokus", pieces="dragged", turns="tray", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=3)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] == "drag"]
    turned = [click["effect"] for click in told["clicks"] if click["hit"] == "turn"]
    assert (cause, effects.count("move"), "turned" in turned) == ("asked", 3, True)


@pytest.mark.slow
def test_a_piece_that_shows_only_where_all_of_it_lies_on_the_board_is_brought_to_its_edge(
    show: Show, tmp_path: Path
) -> None:
    page = {"held": "corner", "turns": "keys", "variant": "corners", "first": "random", "second": "person"}
    screen = show("blokus", pause=20, seed=7, **page)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=3", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] == "cell"]
    assert (cause, effects) == ("asked", ["move", "move"])


@pytest.mark.slow
def test_a_piece_is_taken_where_it_went_as_the_tray_closed_up_without_finding_the_board_anew(
    show: Show, tmp_path: Path
) -> None:
    screen = show("blokus", used="none", trays="own", turns="keys", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=4)
    laid = [click["effect"] for click in told["clicks"] if click["hit"] == "cell"]
    assert (cause, laid) == ("asked", ["move"] * 4)
    [run] = tmp_path.iterdir()
    assert not any("a press was not made" in note["text"] for _, note in open_run(run).notes)


@pytest.mark.slow
def test_another_piece_is_laid_where_the_first_goes_as_the_pointer_comes(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", trays="own", turns="keys", second="random", pause=20, animation=0, seed=7)
    screen.page.evaluate(
        "document.querySelector('.tray, .pieces, body').addEventListener('mouseover', (event) => {"
        " const piece = event.target.closest('.piece');"
        " if (piece && !window.gone) { window.gone = piece; piece.style.visibility = 'hidden'; } }, true)"
    )
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=1)
    assert screen.page.evaluate("window.gone.dataset.press").startswith("piece:1,")
    assert (cause, [click["effect"] for click in told["clicks"] if click["hit"] == "cell"]) == ("asked", ["move"])


@pytest.mark.slow
def test_pieces_are_turned_by_the_buttons_that_light_up_with_them(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", turns="buttons", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=3)
    pressed = {click["target"] for click in told["clicks"] if click["by"] == "pointer" and click["hit"] == "turn"}
    assert (cause, len(told["moves"]) >= 5) == ("asked", True)
    assert pressed >= {"turn:rotate"}
    assert not any(click["effect"] in ("illegal", "none") for click in told["clicks"])


def test_the_buttons_that_light_up_with_a_piece_are_found_though_another_one_stayed_in_the_hand(show: Show) -> None:
    """No key puts a piece away here that was not laid because it showed that it may not lie there."""
    screen, clock, game = (
        show("blokus", turns="buttons", second="person", animation=0),
        SystemClock(),
        find_game("blokus"),
    )
    observer = Observer(screen, clock, "blokus", patience=4.0)
    observer.find()
    executor = Executor(game, observer, GuardedPointer(BrowserPointer(screen)), clock)
    executor.adopt()
    state = game.read(observer.read().observation)
    wrong = game.otherwise(state, game.show(state))[0]
    cross = next(move for move in wrong.legal_moves() if len(PIECES[PIECE_OF[shape_of(move)]].forms) == 1 < len(move))
    turned = next(move for move in state.legal_moves() if len(move) == 5 and len({cell.col for cell in move}) == 1)
    executor.doubt(wrong, cross, [state])
    with pytest.raises(NotInHandError) as problem:
        executor.make(wrong, cross, "", 0)
    executor.doubt(state, turned, [])
    executor.make(state, turned, "", 0)
    assert problem.value.refused
    assert screen.page.evaluate("boardsightReferee.moves") == [game.format_move(turned, state)]


@pytest.mark.slow
def test_pieces_are_turned_by_double_clicks_that_are_heard_one_after_the_other(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", turns="double", second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=2", max_moves=3)
    turned = [click["effect"] for click in told["clicks"] if click["hit"] == "turn"]
    assert (cause, len(told["moves"]) >= 5, set(turned)) == ("asked", True, {"turned"})
    assert len(turned) >= 3


@pytest.mark.slow
def test_pieces_are_turned_by_what_shows_all_their_forms_in_turn(show: Show, tmp_path: Path) -> None:
    screen = show("blokus", turns="wheel", crop="buttons", second="random", pause=20, animation=0, seed=7)
    cause, told, retries = play(screen, tmp_path, game="blokus", solver="random:seed=3", max_moves=4)
    assert (cause, len(told["moves"]) >= 7, retries) == ("asked", True, 0)
    assert not any(click["effect"] in ("illegal", "none") for click in told["clicks"])


@pytest.mark.slow
@pytest.mark.parametrize("turn", ["none", "half", "mirror", "flip"])
def test_a_piece_is_laid_at_no_start_where_it_shows_that_it_may_not(show: Show, tmp_path: Path, turn: str) -> None:
    screen = show("blokus", turn=turn, second="random", pause=20, animation=0, seed=7)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=5", max_moves=2)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] == "cell"]
    assert (cause, effects) == ("asked", ["move", "move"])


@pytest.mark.slow
def test_no_first_piece_is_laid_that_shows_alike_everywhere_where_another_form_may_lie_elsewhere(
    show: Show, tmp_path: Path
) -> None:
    seats = {"first": "greedy", "second": "person", "third": "greedy", "fourth": "greedy"}
    screen = show("blokus", variant="classic", turn="mirror", pause=20, animation=0, seed=5, **seats)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="random:seed=2", max_moves=1)
    assert (cause, [click["effect"] for click in told["clicks"] if click["hit"] == "cell"]) == ("asked", ["move"])


def test_a_wall_that_only_follows_the_pointer_does_not_lie_there(show: Show) -> None:
    screen, clock, game = show("quoridor", size=5, preview="solid", drop=1), SystemClock(), find_game("quoridor")
    observer = Observer(screen, clock, "quoridor", patience=1.0)
    observer.find()
    executor = Executor(game, observer, GuardedPointer(BrowserPointer(screen)), clock)
    executor.adopt()
    state = game.read(observer.read().observation)
    executor.make(state, game.parse_move("b2h", state), "tap", 0)
    until(screen.page, "boardsightReferee.clicks.at(-1)?.effect === 'dropped'")
    assert game.read(observer.read().observation, state) == state


@pytest.mark.slow
@pytest.mark.parametrize(("animation", "slow"), [(0, 0.0), (400, 0.08)])
def test_the_first_piece_is_laid_at_its_start_though_pieces_show_alike_everywhere(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, animation: int, slow: float
) -> None:
    screen = show("blokus", tells="off", second="random", pause=20, animation=animation, seed=3)
    grab = screen.grab

    def grab_slowly(*region: Rect) -> Frame:
        frame = grab(*region)
        time.sleep(slow)
        return frame

    monkeypatch.setattr(screen, "grab", grab_slowly)
    cause, told, _ = play(screen, tmp_path, game="blokus", solver="light", max_moves=1)
    effects = [click["effect"] for click in told["clicks"] if click["hit"] != "turn"]
    assert (cause, effects) == ("asked", ["picked", "move"])


@pytest.mark.slow
def test_a_flood_over_corners_that_is_drawn_by_and_by_is_no_other_game(show: Show, tmp_path: Path) -> None:
    screen = show("flood_it", edge="corners", size=8, colours=6, skin="gaps", animation=400, seed=350045)
    cause, told, _ = play(screen, tmp_path, max_moves=4)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["move"] * 4)


@pytest.mark.slow
def test_nothing_is_pressed_on_a_blurred_board_under_words_after_as_many_moves_as_most_pages_allow(
    show: Show, tmp_path: Path
) -> None:
    screen = show("flood_it", end="blur", endAfter=400, size=5, colours=4, skin="gaps", animation=150, seed=350050)
    cause, told, _ = play(screen, tmp_path)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, set(effects), len(effects)) == ("lost", {"move"}, 5)


@pytest.mark.slow
@pytest.mark.parametrize("preview", ["on", "off"])
def test_walls_are_pressed_where_they_come_to_lie_once_it_showed_that_they_lie_beside(
    show: Show, tmp_path: Path, preview: str
) -> None:
    screen = show("quoridor", size=5, slot="before", preview=preview, second="random", pause=20, animation=0, seed=3)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=8)
    (folder,) = tmp_path.iterdir()
    turns = open_run(folder).turns
    walls = [turn for turn in turns if len(turn.played) == 3]
    astray = [turn for turn in walls if turn.played not in turn.after.split()]
    assert cause == "asked"
    assert len(walls) >= 3
    assert len(astray) <= (0 if preview == "on" else 2)  # one of each way
    assert not any(click["effect"] == "illegal" for click in told["clicks"])


def test_a_wall_is_pressed_where_the_page_shows_it_and_not_where_it_shows_none(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the page ends walls in the part that is pressed, this one's first part would build over another wall."""
    monkeypatch.setattr("bot.play.aim.RESTS", A_LONG_REST)
    screen = show("quoridor", size=7, slot="before", second="person", animation=0)
    clock, game = SystemClock(), find_game("quoridor")
    presses(screen, "cell:5,3", "wall:h,4,2")
    observer = Observer(screen, clock, "quoridor", patience=4.0)
    observer.find()
    executor = Executor(game, observer, GuardedPointer(BrowserPointer(screen)), clock)
    executor.adopt()
    state = game.parse("d2 c3h", game.options(game.read(observer.read().observation)))
    executor.make(state, game.parse_move("e3h", state), "tap", 0)
    told = screen.page.evaluate("({...boardsightReferee})")
    assert (told["moves"][2:], told["clicks"][-1]["effect"]) == (["e3h"], "move")


@pytest.mark.slow
def test_no_wall_is_pressed_that_a_page_does_not_offer_which_has_fewer(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.play.aim.RESTS", A_LONG_REST)
    screen = show("quoridor", size=5, walls=1, second="random", pause=20, animation=0, seed=3)
    cause, told, retries = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=5)
    presses = [(click["hit"], click["effect"]) for click in told["clicks"]]
    assert (cause, presses.count(("wall", "move")), presses.count(("cell", "move"))) == ("asked", 1, 4)
    assert ("illegal" in [effect for _, effect in presses], retries >= 1) == (False, True)


def test_a_board_is_found_whose_holes_are_darker_in_the_column_under_the_pointer(show: Show, tmp_path: Path) -> None:
    screen = show("connect_four", preview="holes", skin="pastel", second="random", pause=20, animation=0)
    screen.page.locator(".board").hover()
    with pytest.raises(BoardNotFoundError):
        locate(screen.grab())
    cause, told, _ = play(screen, tmp_path, max_moves=2)
    assert (cause, [click["effect"] for click in told["clicks"]]) == ("asked", ["move", "move"])


@pytest.mark.slow
def test_each_kind_of_move_is_made_final_as_it_was_before(show: Show, tmp_path: Path) -> None:
    """Return on a cell that was tapped taps it again, and on a groove does nothing."""
    screen = show("quoridor", size=5, stage="twice", hover="needed", first="random", second="person", pause=20, seed=3)
    cause, told, retries = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=7)
    presses = [(click["hit"], click["effect"]) for click in told["clicks"] if click["effect"] != "swallowed"]
    assert (cause, {hit for hit, _ in presses}) == ("asked", {"cell", "wall"})
    assert [effect for _, effect in presses] == ["shown", "move"] * 7
    assert retries <= 3


@pytest.mark.slow
def test_walls_are_swiped_where_taps_lay_none(show: Show, tmp_path: Path) -> None:
    screen = show("quoridor", size=5, lay="swipe", second="random", pause=20, animation=0, seed=3)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=4)
    presses = [(click["hit"], click["effect"]) for click in told["clicks"]]
    assert (cause, presses.count(("drag", "move"))) == ("asked", 3)
    assert presses.count(("groove", "ignored")) <= 2


@pytest.mark.slow
def test_pawns_are_dragged_where_taps_move_none(show: Show, tmp_path: Path) -> None:
    screen = show("quoridor", size=5, pieces="dragged", walls=0, second="random", pause=20, animation=0, seed=3)
    cause, told, _ = play(screen, tmp_path, game="quoridor", max_moves=3)
    presses = [(click["hit"], click["effect"]) for click in told["clicks"]]
    assert (cause, presses.count(("drag", "move"))) == ("asked", 3)
    assert presses.count(("drag", "ignored")) == 0


@pytest.mark.slow
@pytest.mark.parametrize("modes", ["right", "key"])
def test_walls_are_laid_in_the_mode_in_which_the_page_shows_them_under_the_pointer(
    show: Show, tmp_path: Path, modes: str
) -> None:
    screen = show("quoridor", size=5, modes=modes, second="random", pause=20, animation=0, seed=3)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=5)
    assert (cause, {len(move) for move in told["moves"][::2]}) == ("asked", {2, 3})
    assert {click["effect"] for click in told["clicks"]} <= {"move", "turned", "ignored"}


@pytest.mark.parametrize(
    ("page", "places", "listed"),
    [
        ({"modes": "row"}, ["mode:walk", "mode:h", "mode:v"], False),
        ({"modes": "row", "skin": "night"}, ["mode:walk", "mode:h", "mode:v"], False),
        ({"modes": "list"}, ["list"], True),
        ({"modes": "toggle"}, ["mode"], False),
        ({}, [], False),
        ({"lay": "confirm", "undo": "on"}, [], False),
    ],
)
def test_what_may_switch_a_page_between_modes_is_seen_beside_its_board(
    show: Show, page: dict[str, Any], places: list[str], listed: bool
) -> None:
    screen = show("quoridor", second="person", **page)
    frame = screen.grab()
    found = switches_beside(frame, locate(frame, "quoridor").lattice)
    boxes = [box(screen, f'[data-press="{place}"]') for place in places]
    shown = [each.boxes for each in found if each.sure or places]
    assert len(shown) == bool(places)
    for each, seen in zip(boxes, shown[0] if shown else (), strict=True):
        assert dist(middle(each), seen.centre) <= 3
    assert [each.listed for each in found if places] == [listed] * bool(places)


def test_a_press_that_lays_a_wall_the_other_way_tells_what_its_mode_lays() -> None:
    """Of two modes that show nothing the first is taken for that of walls across, until it lays one upright."""
    chosen: list[int] = []
    switches: Any = SimpleNamespace(modes=(1, 2), choose=chosen.append, slots=False)
    aim: Any = SimpleNamespace(follower=lambda target: (0, 0))
    wall = {way: Tap(f"wall:{way},1,1", (f"wall:{way},1,1", Cell(1, 1), Cell(1, 2))) for way in "hv"}
    wish = {way: (wall[way], Expected(frozenset(), (Box(0, 0, 30, 3), Box(30, 0, 3, 3)))) for way in "hv"}
    unshown = Unshown(switches, aim, ["wall:h", "wall:v"], lambda key: None)
    assert unshown.lay(wish["h"]) == 1
    unshown.laid(wall["v"].target)
    assert [unshown.lay(wish[way]) for way in "vh"] == [1, 0]  # of the place nothing is known since
    assert (chosen, unshown.lacks(wall["h"].target)) == ([1, 1, 2], False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("modes", "more"),
    [
        ("toggle", {}),
        ("row", {}),
        ("row", {"preview": "off"}),
        ("row", {"preview": "every", "laid": "grooves"}),
        ("row", {"joints": "bare"}),
        ("row", {"pulse": "bob"}),
        ("list", {}),
        ("list", {"preview": "off"}),
    ],
)
def test_what_switches_a_page_to_walls_is_found_beside_its_board_before_the_first_move(
    show: Show, tmp_path: Path, modes: str, more: dict[str, str]
) -> None:
    page = {"size": 5, "modes": modes, "second": "random", "pause": 20, "animation": 0, "seed": 3}
    screen = show("quoridor", **page, **more)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=5)
    assert (cause, {move[2:] for move in told["moves"][::2]}) == ("asked", {"", "h", "v"})
    assert {click["effect"] for click in told["clicks"]} <= {"move", "turned", "opened"}


@pytest.mark.slow
@pytest.mark.parametrize(("preview", "laid"), [("every", "cells"), ("off", "grooves")])
def test_walls_are_laid_on_grooves_or_on_cells_whichever_hears_them(
    show: Show, tmp_path: Path, preview: str, laid: str
) -> None:
    page = {"size": 5, "modes": "row", "second": "random", "pause": 20, "animation": 0, "seed": 3}
    cause, told, _ = play(
        show("quoridor", preview=preview, laid=laid, **page), tmp_path, solver="random:seed=7", max_moves=5
    )
    assert (cause, {move[2:] for move in told["moves"][::2]}) == ("asked", {"", "h", "v"})
    effects = [click["effect"] for click in told["clicks"]]
    assert (set(effects) <= {"move", "turned", "ignored"}, effects.count("ignored") <= 2) == (True, True)


@pytest.mark.slow
def test_moves_that_cannot_be_made_here_are_left_for_others_that_can(show: Show, tmp_path: Path) -> None:
    screen = show("quoridor", size=5, modes="right", preview="off", second="random", pause=20, animation=0, seed=3)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=3)
    assert cause == "asked"
    assert sum(len(move) == 3 for move in told["moves"][::2]) == 0
    (folder,) = tmp_path.iterdir()
    others = [turn for turn in open_run(folder).turns if turn.decision["move"] != turn.played]
    assert len(others) == 1  # the solver is asked for no wall again
    assert len({click["target"] for click in told["clicks"] if click["hit"] == "wall"}) == 1


@pytest.mark.slow
def test_no_wall_is_pressed_again_where_walls_were_laid_the_other_way(show: Show, tmp_path: Path) -> None:
    screen = show("quoridor", size=5, modes="wheel", preview="off", second="random", pause=20, animation=0, seed=3)
    cause, told, _ = play(screen, tmp_path, game="quoridor", solver="random:seed=7", max_moves=7)
    (folder,) = tmp_path.iterdir()
    walls = [turn.played[-1] for turn in open_run(folder).turns if len(turn.played) == 3]
    assert (cause, walls.count("v")) == ("asked", 1)
    assert {click["effect"] for click in told["clicks"]} == {"move"}


@pytest.mark.parametrize("skin", ["classic", "lines"])
def test_buttons_that_a_disc_fills_under_the_pointer_are_pressed(show: Show, tmp_path: Path, skin: str) -> None:
    screen = show("connect_four", controls="rings", skin=skin, second="random", pause=20, animation=0, seed=4)
    cause, told, _ = play(screen, tmp_path, seconds=0.2, max_moves=3)
    presses = [click["effect"] for click in told["clicks"] if click["hit"] == "column"]
    assert (cause, presses) == ("asked", ["move"] * 3)


@pytest.mark.slow
def test_another_row_of_the_same_buttons_is_pressed_where_each_player_has_one(show: Show, tmp_path: Path) -> None:
    screen = show("filler", controls="rows", first="greedy", second="person", pause=20, animation=0, seed=5)
    cause, told, retries = play(screen, tmp_path, solver="greedy", max_moves=4)
    assert (cause, retries) == ("asked", 2)
    assert [click["effect"] for click in told["clicks"]] == ["ignored"] * 2 + ["move"] * 4


def test_buttons_of_columns_that_hardly_show_are_pressed_first(show: Show, tmp_path: Path) -> None:
    screen = show("connect_four", controls="pale", second="random", pause=20, animation=0, seed=4)
    cause, _, retries = play(screen, tmp_path, seconds=0.2, max_moves=3)
    assert (cause, retries) == ("asked", 0)


def test_a_page_that_blurs_all_under_a_small_dialog_after_the_move_that_wins_has_ended(
    show: Show, tmp_path: Path
) -> None:
    page = {"end": "blur", "endAfter": 0, "skin": "lines", "controls": "pale", "seed": 460012}
    screen = show("connect_four", first="random", second="person", pause=120, animation=0, **page)
    cause, told, _ = play(screen, tmp_path, lost=4.0)
    assert (cause, {click["effect"] for click in told["clicks"]}) == ("won", {"move"})


@pytest.mark.parametrize("lay", ["enter", "twice"])
def test_a_button_that_lit_up_with_a_move_and_was_not_needed_for_it_is_never_pressed(
    show: Show, tmp_path: Path, lay: str
) -> None:
    """Undo, say, which lights up with the first pawn's move: later walls are laid by something else."""
    screen = show("quoridor", size=7, lay=lay, undo="on", second="greedy", pause=200, seed=5)
    cause, told, _ = play(screen, tmp_path, game="quoridor", seconds=0.2, max_moves=6)
    assert cause == "asked"
    assert "undone" not in [click["effect"] for click in told["clicks"]]
    assert "h" in "".join(told["moves"]) or "v" in "".join(told["moves"])


@pytest.mark.parametrize(("pulse", "breathing"), [("on", {Cell(4, 2)}), ("bob", {Cell(4, 2)}), ("off", set())])
def test_cells_that_breathe_are_learned_by_watching_them_while_nothing_is_done(
    show: Show, pulse: str, breathing: set[Cell]
) -> None:
    screen = show("quoridor", size=5, pulse=pulse, second="person")
    clock = SystemClock()
    observer = Observer(screen, clock, "quoridor", patience=1.0)
    observer.find()
    aim = Aiming(observer, GuardedPointer(BrowserPointer(screen)), clock)
    aim.watch()
    assert observer.breathing == breathing


@pytest.mark.parametrize(("pulse", "later"), [("glow", 600), ("bob", 1000)])
def test_a_pawn_that_is_known_to_glow_or_to_bob_is_covered_by_nothing(show: Show, pulse: str, later: int) -> None:
    screen = show("quoridor", size=7, pulse=pulse, second="person")
    clock = SystemClock()
    observer = Observer(screen, clock, "quoridor", patience=1.0)
    observer.find()
    pointer = GuardedPointer(BrowserPointer(screen))
    executor = Executor(find_game("quoridor"), observer, pointer, clock)
    executor.adopt()
    executor.watch()
    assert observer.breathing == {Cell(6, 3)}
    at = "document.getAnimations().forEach((each) => { each.pause(); each.currentTime = %d; })"
    screen.page.evaluate(at % 0)
    confirmed = observer.read()
    screen.page.evaluate(at % later)
    state = find_game("quoridor").read(confirmed.observation)
    executor.make(state, Cell(5, 3), "tap", 0, confirmed=confirmed)
    assert [click["effect"] for click in screen.page.evaluate("boardsightReferee.clicks")] == ["move"]


@pytest.mark.parametrize("faces", ["plain", "wide"])
def test_each_colour_of_a_page_has_its_button_whatever_its_form(show: Show, faces: str) -> None:
    screen = show("flood_it", faces=faces, skin="pastel", colours=6, size=12, hover="needed", seed=102035)
    observer = Observer(screen, SystemClock(), None)
    observer.find()
    assert set(observer.calibration.controls) == {f"colour:{kind}" for kind in range(6)}


def test_a_small_board_without_buttons_is_found_where_there_is_to_be_one(show: Show) -> None:
    page = {"size": 5, "colours": 6, "skin": "borders", "controls": "cells", "starts": "rim", "start": "bottom-right"}
    observer = Observer(show("flood_it", seed=91005, **page), SystemClock(), None, patience=1.0)
    with pytest.raises(BoardNotFoundError):
        observer.find()
    observer.find(hoped=True)
    assert (observer.calibration.lattice.rows, observer.calibration.lattice.cols) == (5, 5)
    assert len(observer.calibration.palette) == 6


def test_nothing_is_hoped_to_be_a_board_on_a_page_without_one(show: Show) -> None:
    observer = Observer(show("index"), SystemClock(), None, patience=1.0)
    with pytest.raises(BoardNotFoundError):
        observer.find(hoped=True)


def presses(screen: BrowserScreen, *names: str) -> None:
    """A person's clicks on a page."""
    for name in names:
        screen.page.locator(f'[data-press="{name}"]').first.click()
    screen.page.mouse.move(2, 450)
    screen.page.wait_for_timeout(100)


def test_controls_look_as_when_the_board_was_found_last(show: Show) -> None:
    screen = show("filler", second="person", hover="free", animation=0, seed=3)
    observer = Observer(screen, SystemClock(), "filler", patience=1.0)
    observer.find()
    screen.page.keyboard.press("n")  # a board on which other colours come first
    observer.find()
    for name, patch in observer.patches.items():
        kind = observer.calibration.palette[int(name.partition(":")[2])]
        assert max(abs(one - other) for one, other in zip(patch.colour, kind, strict=True)) < 20


def test_pieces_that_slope_from_light_to_dark_are_learned(show: Show) -> None:
    screen = show("blokus", skin="gradient", second="person", animation=0)
    observer = Observer(screen, SystemClock(), "blokus", patience=1.0)
    observer.find()
    presses(screen, "piece:1,X", "cell:4,5", "piece:2,X", "cell:9,8")
    assert observer.read().observation.unread() == []


def test_the_place_of_a_piece_is_that_in_its_tray_and_not_where_it_shows_what_is_in_hand(show: Show) -> None:
    screen = show("blokus", second="person")
    observer = Observer(screen, SystemClock(), "blokus", patience=1.0)
    observer.find()
    known = observer.calibration.controls["piece:1,L5"]
    presses(screen, "piece:1,L5")
    screen.page.keyboard.press("r")
    observer.find_controls()
    assert observer.calibration.controls["piece:1,L5"] == known


@pytest.mark.parametrize("tray", ["bits", "solid"])
def test_a_piece_that_its_tray_shows_in_white_while_it_is_chosen_is_there_still(show: Show, tray: str) -> None:
    screen = show("blokus", second="person", chosen="lit", tray=tray)
    observer = Observer(screen, SystemClock(), "blokus", patience=1.0)
    observer.find()
    observer.picture("piece:1,W")
    known = observer.calibration.controls["piece:1,W"]
    presses(screen, "piece:1,W")
    observer.find_controls()
    assert observer.calibration.controls["piece:1,W"] == known


def test_a_piece_that_went_out_of_the_picture_with_the_board_is_there_no_more(show: Show) -> None:
    screen = show("blokus", second="person")
    observer = Observer(screen, SystemClock(), "blokus", patience=1.0)
    observer.find()
    observer.picture("piece:1,W")
    controls = dict(observer.calibration.controls)
    observer.amend(replace(observer.calibration, controls={**controls, "piece:1,W": Pixel(-60, 100)}))
    screen.page.evaluate("document.querySelector('[data-press=\"piece:1,W\"]').dataset.used = ''")
    observer.find_controls()
    assert observer.calibration.controls.keys() == controls.keys() - {"piece:1,W"}


def test_a_button_is_found_where_it_went_when_the_tray_above_it_became_smaller(show: Show) -> None:
    screen = show("blokus", second="person", stage="confirm", traysAt="below", used="none", trays="all")
    screen.enlarge()
    observer = Observer(screen, SystemClock(), "blokus", patience=1.0)
    observer.find()
    box = "document.querySelector('.confirm').getBoundingClientRect()"
    middle = f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({box})"
    was = Pixel(*screen.page.evaluate(middle))
    observer.amend(replace(observer.calibration, controls={**observer.calibration.controls, "confirm": was}))
    observer.picture("confirm")
    screen.page.evaluate(
        "[...document.querySelectorAll('.piece')].slice(0, 8).forEach((piece) => (piece.dataset.used = ''))"
    )
    now = screen.page.evaluate(middle)
    observer.find_controls()
    assert dist(now, was) > 10
    assert observer.calibration.controls["confirm"] == pytest.approx(now, abs=2)


def test_a_piece_that_was_laid_is_no_control_any_more(show: Show) -> None:
    screen = show("blokus", second="person", animation=0)
    observer = Observer(screen, SystemClock(), "blokus", patience=1.0)
    observer.find()
    presses(screen, "piece:1,X", "cell:4,5")
    observer.find_controls()
    assert {"piece:1,F", "piece:2,X"} <= set(observer.calibration.controls)
    assert "piece:1,X" not in observer.calibration.controls


def test_pieces_are_where_they_went_as_those_before_them_were_laid(show: Show) -> None:
    screen = show("blokus", second="person", skin="gaps", used="none")
    observer = Observer(screen, SystemClock(), "blokus", patience=1.0)
    observer.find()
    for laid in ("X F", "T5 P", "Z5 Y", "W U", "N T4"):
        for piece in laid.split():
            name = f'[data-press="piece:1,{piece}"]'
            screen.page.evaluate("(name) => (document.querySelector(name).dataset.used = '')", name)
        observer.find_controls()
    under = "([x, y]) => document.elementFromPoint(x, y).closest('[data-press]')?.dataset.press"
    waiting = {name: at for name, at in observer.calibration.controls.items() if name.startswith("piece:1,")}
    assert [screen.page.evaluate(under, list(at)) for at in waiting.values()] == [*waiting]
    assert len(waiting) == 11


def test_a_piece_that_no_tray_shows_is_left_for_those_that_show(show: Show) -> None:
    screen, clock, game = show("blokus", second="person", animation=0), SystemClock(), find_game("blokus")
    observer = Observer(screen, clock, "blokus", patience=1.0)
    observer.find()
    executor = Executor(game, observer, GuardedPointer(BrowserPointer(screen)), clock)
    state = game.read(observer.read().observation)
    move = state.legal_moves()[0]
    (carried,) = game.gestures(state, move)
    assert executor.possible(state, Decision(move)) == move
    tray = {name: at for name, at in observer.calibration.controls.items() if name not in carried.take.alternatives}
    observer.amend(replace(observer.calibration, controls=tray))
    assert executor.lacks_button(state, move)
    (other,) = game.gestures(state, executor.possible(state, Decision(move)))
    assert other.take.target in tray


def test_a_place_from_which_the_piece_is_gone_is_not_pressed(show: Show) -> None:
    screen = show("blokus", second="person", animation=0)
    clock = SystemClock()
    observer = Observer(screen, clock, "blokus", patience=1.0)
    observer.find()
    executor = Executor(find_game("blokus"), observer, GuardedPointer(BrowserPointer(screen)), clock)
    executor.adopt()
    presses(screen, "piece:1,X", "cell:4,5")
    with pytest.raises(WithheldError):
        executor.act(Tap("piece:1,X"))


@pytest.mark.parametrize("turns", ["wheel", "double"])
def test_the_wheel_and_a_double_click_turn_a_piece_where_a_page_hears_them(
    show: Show, monkeypatch: pytest.MonkeyPatch, turns: str
) -> None:
    monkeypatch.setattr("bot.pointers.browser.DOUBLE", 60.0)  # however slow the machine is
    screen = show("blokus", second="person", turns=turns)
    pointer, at = BrowserPointer(screen), Spot(*middle(box(screen, '[data-press="piece:1,L5"]')))
    pointer.tap(at)
    lay = screen.page.evaluate("String(boardsightReferee.hand.cells)")
    if turns == "wheel":
        pointer.press(WHEEL)
    else:
        pointer.tap(at)
    until = time.monotonic() + 60
    while screen.page.evaluate("String(boardsightReferee.hand.cells)") == lay:
        assert time.monotonic() < until


@pytest.mark.parametrize(
    ("turn", "hints", "told"), [("none", "on", {"player": 1}), ("half", "on", {"player": 0}), ("half", "off", {})]
)
def test_the_pawn_is_to_move_whose_steps_a_page_marks(show: Show, turn: str, hints: str, told: dict[str, int]) -> None:
    screen = show("quoridor", size=7, first="random", second="person", pause=20, turn=turn, hints=hints, seed=71219)
    until(screen.page, "boardsightReferee.moves.length === 1")  # a wall: whose it is does not show
    observer = Observer(screen, SystemClock(), "quoridor", patience=1.0)
    observer.find()
    assert observer.read().observation.numbers == told


@pytest.mark.parametrize("seed", [300004, 300064])
def test_a_small_court_after_its_first_move_is_no_board_of_stones(show: Show, seed: int) -> None:
    screen = show("quoridor", size=5, skin="night", first="greedy", second="person", pause=20, animation=0, seed=seed)
    until(screen.page, "boardsightReferee.moves.length === 1")
    assert locate(screen.grab()).game == "quoridor"


def test_cells_without_a_button_are_walls_though_one_lies_in_a_corner(show: Show) -> None:
    screen = show("flood_it", size=8, skin="borders", obstacles=3, seed=83410)
    observer = Observer(screen, SystemClock(), "flood_it", patience=1.0)
    observer.find()
    assert observer.calibration.blocked == {Cell(2, 4), Cell(6, 4), Cell(7, 7)}


def test_where_cells_are_pressed_a_colour_that_has_none_is_left_for_another(show: Show) -> None:
    screen, clock = show("filler", controls="cells", second="person", seed=3), SystemClock()
    observer = Observer(screen, clock, "filler", patience=1.0)
    observer.find()
    state = find_game("filler").read(observer.read().observation)
    executor = Executor(find_game("filler"), observer, GuardedPointer(BrowserPointer(screen)), clock)
    more = replace(state, colours=state.colours + 1)
    assert executor.possible(more, Decision(state.colours)) in state.legal_moves()


@pytest.mark.parametrize(("options", "lies"), [({"variant": "corners"}, "corners"), ({"turn": "mirror"}, "duo+lies1")])
@pytest.mark.parametrize("starts", ["mark", "tint"])
def test_where_the_first_piece_lies_is_told_by_the_marks_of_the_starts(
    show: Show, options: dict[str, str], lies: str, starts: str
) -> None:
    observer = Observer(show("blokus", starts=starts, **options), SystemClock(), "blokus", patience=1.0)
    observer.find()
    game = find_game("blokus")
    assert game.options(game.read(observer.read().observation)).variant == lies


@pytest.mark.parametrize("second", ["greedy", "random"])
def test_a_side_whose_cells_all_fade_by_turns_is_played_for(show: Show, tmp_path: Path, second: str) -> None:
    page = {"rows": 6, "cols": 6, "skin": "plain", "seed": 5, "animation": 0, "pause": 50}
    cause, told, _ = play(show("filler", pulse="region", second=second, **page), tmp_path, solver="greedy", max_moves=5)
    assert cause == "asked"
    assert {click["effect"] for click in told["clicks"]} == {"move"}


@pytest.mark.parametrize(
    ("skin", "pulse"), [("rounded", "lit"), ("pastel", "lit"), ("gaps", "pale"), ("plain", "pale")]
)
def test_a_board_whose_own_cells_are_lighter_than_others_or_others_paler_is_flooded_to_the_end(
    show: Show, tmp_path: Path, skin: str, pulse: str
) -> None:
    page = {"size": 8, "skin": skin, "controls": "buttons", "seed": 3, "animation": 0, "limit": 0}
    cause, told, retries = play(show("flood_it", pulse=pulse, **page), tmp_path, solver="greedy")
    assert (cause, retries) == ("won", 0)
    assert {click["effect"] for click in told["clicks"]} == {"move"}


def test_a_button_is_pressed_whatever_number_the_page_has_put_on_it_since(show: Show, tmp_path: Path) -> None:
    page = {"size": 8, "skin": "rounded", "controls": "buttons", "seed": 3, "animation": 0, "limit": 0}
    cause, told, retries = play(show("flood_it", faces="counts", **page), tmp_path, solver="greedy")
    assert (cause, retries) == ("won", 0)
    assert {click["effect"] for click in told["clicks"]} == {"move"}


def test_a_board_whose_own_cell_grows_paler_by_turns_is_flooded_from_there(show: Show, tmp_path: Path) -> None:
    page = {"size": 5, "colours": 6, "skin": "pastel", "turn": "flip", "seed": 70325, "animation": 0}
    cause, told, retries = play(show("flood_it", pulse="on", **page), tmp_path, solver="greedy", max_moves=3)
    assert (cause, retries) == ("asked", 0)
    assert {click["effect"] for click in told["clicks"]} == {"move"}


@pytest.mark.parametrize("skin", ["classic", "dark"])
def test_a_star_on_the_square_where_one_starts_is_no_piece(show: Show, tmp_path: Path, skin: str) -> None:
    others = {"first": "random", "third": "random", "fourth": "random"}
    page = {"variant": "classic", "starts": "star", "pause": 20, "animation": 0, "skin": skin, "seed": 3}
    screen = show("blokus", second="person", **others, **page)
    cause, told, _ = play(screen, tmp_path, solver="random:seed=3", max_moves=1)
    effects = [click["effect"] for click in told["clicks"]]
    assert (cause, told["moves"][1] != "-", effects[-1]) == ("asked", True, "move")
    assert "illegal" not in effects
