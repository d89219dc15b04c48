"""The whole bot against the bundled page in a real Chromium: only pixels and clicks; the DOM is the referee."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench.screens.page import deal_page_board, simulate
from bot.cli import main
from bot.compose import play_on
from bot.pointers.browser import BrowserPointer
from bot.ports import ScreenError
from bot.runs.journal import SavedRun, open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import PageServer
from calibration.frame import Spot
from games import find_game
from games.core import BoardsightError, Options
from solvers import find_solver

pytestmark = pytest.mark.browser

Show = Callable[..., BrowserScreen]


def after_click(screen: BrowserScreen, number: int, script: str) -> None:
    """Has the page run `script` in the event of its click `number`, from 1."""
    screen.page.evaluate(
        f"let clicks = 0; addEventListener('click', () => {{ if (++clicks === {number}) {{ {script} }} }})"
    )


def play(screen: BrowserScreen, runs: Path, **settings: Any) -> tuple[str, SavedRun]:
    """Plays the page on `screen` greedily; gives the cause of the end and the run."""
    wanted = Settings(game="flood_it", solver="greedy", limit=60, runs=str(runs), **settings)
    try:
        result, folder = play_on(screen, BrowserPointer(screen), wanted, name="browser", quiet=True)
        cause = result.cause
    except BoardsightError as problem:
        cause = type(problem).__name__
        (folder,) = runs.iterdir()
    return cause, open_run(folder)


def referee(screen: BrowserScreen) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(screen.page.evaluate("JSON.stringify({...boardsightReferee})"))
    return truth


def assert_every_click_landed(screen: BrowserScreen) -> None:
    clicks = referee(screen)["clicks"]
    assert clicks
    assert {click["hit"] for click in clicks} <= {"colour", "cell"}


@pytest.mark.parametrize(
    ("scale", "skin", "controls"),
    [(1.0, "gaps", "buttons"), (1.25, "rounded", "cells"), (1.5, "dark", "buttons"), (2.0, "plain", "cells")],
)
def test_the_page_goes_move_by_move_as_the_offline_simulation(
    show: Show, tmp_path: Path, scale: float, skin: str, controls: str
) -> None:
    assert main(["warm", "flood_it", "--solver", "greedy", "--size", "7x7"]) == 0  # else a light one begins
    screen = show("flood_it", scale=scale, rows=7, cols=7, seed=11, skin=skin, controls=controls, limit=60)
    cause, run = play(screen, tmp_path)
    assert cause == "won"
    assert referee(screen)["over"]
    assert_every_click_landed(screen)
    first = run.turns[0]
    state = find_game("flood_it").parse(first.state, Options(**first.options))
    # The bot numbers the colours in the order it finds them, so the simulation is given the board in its numbers.
    dealt = deal_page_board(11, 7, 7, 6)
    names = {str(seen): told for seen, told in zip(sum(state.grid, ()), sum(dealt, ()), strict=True)}
    assert len(set(names.values())) == len(names) == 6
    assert tuple(tuple(names[str(kind)] for kind in row) for row in state.grid) == dealt
    simulated = simulate(state, find_solver("greedy", "flood_it"))
    assert [names[move] for move in simulated] == referee(screen)["moves"]


def test_lag_animation_and_a_swallowed_click_are_survived(show: Show, tmp_path: Path) -> None:
    screen = show("flood_it", rows=6, cols=6, colours=4, seed=5, limit=60, lag=300, animation=400, drop="3")
    cause, run = play(screen, tmp_path, patience=1.5)
    assert cause == "won"
    assert_every_click_landed(screen)
    assert max(turn.tries for turn in run.turns) == 2
    assert [turn.outcome for turn in run.turns] == ["confirmed"] * len(run.turns)


@pytest.mark.parametrize(
    "script",
    [
        "document.body.style.transform = 'translate(70px, 20px)'",
        "document.body.style.zoom = 0.8",
    ],
)
def test_a_board_that_moves_or_shrinks_in_mid_game_is_found_again(show: Show, tmp_path: Path, script: str) -> None:
    screen = show("flood_it", rows=6, cols=6, colours=4, seed=5, limit=60, skin="gaps")
    after_click(screen, 3, script)
    cause, run = play(screen, tmp_path)
    assert cause == "won"
    assert len(run.regions) >= 2
    assert_every_click_landed(screen)


def test_a_board_that_is_covered_for_a_while_is_waited_for(show: Show, tmp_path: Path) -> None:
    screen = show("flood_it", rows=6, cols=6, colours=4, seed=5, limit=60)
    cover = (
        "const cover = document.createElement('div');"
        "cover.style = 'position: fixed; inset: 0; background: #345; z-index: 99';"
        "document.body.append(cover); setTimeout(() => cover.remove(), 2500)"
    )
    after_click(screen, 3, cover)
    cause, _ = play(screen, tmp_path)
    assert cause == "won"
    assert_every_click_landed(screen)


def test_a_page_that_is_closed_stops_the_run_with_a_named_error(
    page_server: PageServer, chromium: Path, tmp_path: Path
) -> None:
    class Closing(BrowserPointer):
        """A hand that closes the page with its third click."""

        taps = 0

        def tap(self, spot: Spot) -> None:
            super().tap(spot)
            self.taps += 1
            if self.taps == 3:
                screen.page.close()

    url = page_server.url("flood_it", rows=6, cols=6, colours=4, seed=5, limit=60)
    settings = Settings(game="flood_it", solver="greedy", runs=str(tmp_path), lost=2.0)
    with closing(BrowserScreen.launch(url, executable=chromium)) as screen, pytest.raises(ScreenError):
        play_on(screen, Closing(screen), settings, name="browser", quiet=True)
    (folder,) = tmp_path.iterdir()
    run = open_run(folder)
    assert run.end is not None
    assert (run.end["cause"], run.end["picture"]) == ("ScreenError", "end.png")
    assert len(run.turns) == 2


def test_a_reload_in_mid_game_stops_the_run(show: Show, tmp_path: Path) -> None:
    screen = show("flood_it", rows=6, cols=6, colours=4, limit=60)  # no seed: another board after each load
    after_click(screen, 3, "location.reload()")
    cause, run = play(screen, tmp_path, lost=2.0, repaint=1.0)
    assert cause == "ForeignMoveError"
    assert run.end is not None
    assert "was a new game started?" in run.end["message"]


@pytest.mark.slow
@pytest.mark.parametrize("lay", ["tap", "twice", "enter", "confirm"])
def test_walls_are_laid_in_every_way_in_which_a_page_wants_it(show: Show, tmp_path: Path, lay: str) -> None:
    screen = show("quoridor", size=5, seed=3, lay=lay, first="person", second="random", pause=100, animation=100)
    more: dict[str, Any] = {}
    if lay == "confirm":
        box = screen.page.locator("[data-press=confirm]").bounding_box()
        assert box is not None
        more["controls"] = f"confirm={box['x'] + box['width'] / 2},{box['y'] + box['height'] / 2}"
    wanted = Settings(
        game="quoridor", solver="random:seed=7", seat="first", max_moves=6, patience=1.5, runs=str(tmp_path), **more
    )
    result, folder = play_on(screen, BrowserPointer(screen), wanted, name="browser", quiet=True)
    assert (result.cause, result.misreads) == ("asked", 0)
    run, truth = open_run(folder), referee(screen)
    played = [turn.played for turn in run.turns]
    assert truth["moves"][: 2 * len(played) : 2] == played
    assert sum(len(move) == 3 for move in played) >= 2
    assert sum(turn.tries > 1 for turn in run.turns) <= 1  # the first wall shows which way it is
