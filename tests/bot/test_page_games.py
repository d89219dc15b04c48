"""The whole bot on the Flood-It page in a real browser: by pixels and clicks alone, with the page as the referee."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.eye import Eye
from bot.journal import JournalWriter, Run, open_run
from bot.loop import Loop, Result
from bot.pointers.browser import BrowserPointer
from bot.pointers.guard import GuardedPointer
from bot.ports import SystemClock
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.terminal import Terminal
from bot.web.pages import deal_page_board
from games import find_game
from games.core import Cell, Options
from games.flood_it import FloodIt
from solvers import find_solver

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAME = find_game("flood_it")
SOLVER = "lookahead"
LIMIT = 25


def play(screen: BrowserScreen, folder: Path) -> tuple[Result, Run, dict[str, Any]]:
    """Plays the game the page shows: the result, the journal, and what the page's referee tells."""
    clock = SystemClock()
    pointer = GuardedPointer(BrowserPointer(screen), desktop=screen.grab().region)
    terminal = Terminal(colours=False)
    with JournalWriter(folder, {"screen": "browser", "settings": {}}) as journal:
        eye = Eye(screen, clock, "flood_it", numbers={"left": LIMIT})
        settings = Settings(solver=SOLVER, patience=3.0)
        loop = Loop(settings, eye, pointer, clock, journal, say=lambda line: None, announce=terminal.announce)
        result = loop.run()
    return result, open_run(folder), screen.page.evaluate("({...boardsightReferee})")


def assert_played_as_simulated(seed: int, run: Run, told: dict[str, Any]) -> None:
    """The board was read right, and every move is the one the simulation of that board makes.

    The bot numbers the colours in the order it finds them, so the simulation is given the board in the bot's numbers.
    """
    state = GAME.parse(run.turns[0].state, Options(colours=6, limit=LIMIT))
    dealt = FloodIt(deal_page_board(seed, 14, 14, 6), Cell(0, 0), 6, LIMIT)
    names = dict(zip(sum(state.grid, ()), sum(dealt.grid, ()), strict=True))
    assert len(set(names.values())) == len(names) == 6
    assert [[names[kind] for kind in row] for row in state.grid] == [list(row) for row in dealt.grid]
    solver, moves = find_solver(SOLVER, "flood_it"), []
    while state.outcome() is None:
        moves.append(solver.decide(state).move)
        state = state.play(moves[-1])
    assert [names[move] for move in moves] == told["moves"]
    assert (state.outcome().winner == 0) == told["won"]


def assert_every_click_made_a_move(told: dict[str, Any]) -> None:
    assert [click["effect"] for click in told["clicks"]] == ["move"] * len(told["moves"])


@pytest.mark.parametrize(
    ("skin", "scale", "controls"),
    [
        ("rounded", 1.0, "buttons"),
        ("gaps", 1.5, "buttons"),
        ("borders", 2.0, "buttons"),
        ("plain", 1.0, "cells"),
        ("gradient", 1.5, "buttons"),
        ("dark", 2.0, "cells"),
        ("pastel", 1.25, "buttons"),
        ("discs", 1.0, "cells"),
    ],
)
def test_a_game_in_the_browser_goes_move_by_move_as_the_simulation_of_its_seed(
    show: Callable[..., BrowserScreen], tmp_path: Path, skin: str, scale: float, controls: str
) -> None:
    seed = len(skin) + int(scale * 100)
    screen = show("flood_it", scale=scale, seed=seed, skin=skin, controls=controls, limit=LIMIT)
    result, run, told = play(screen, tmp_path / "run")
    assert told["over"]
    assert (result.cause == "won") == told["won"]
    assert_played_as_simulated(seed, run, told)
    assert_every_click_made_a_move(told)
    assert (result.retries, result.misreads) == (0, 0)


def test_a_slow_and_animated_game_is_played_without_a_click_too_many(
    show: Callable[..., BrowserScreen], tmp_path: Path
) -> None:
    screen = show("flood_it", seed=77, lag=300, animation=400, limit=LIMIT)
    _, run, told = play(screen, tmp_path / "run")
    assert_played_as_simulated(77, run, told)
    assert_every_click_made_a_move(told)


def test_swallowed_clicks_are_made_again(show: Callable[..., BrowserScreen], tmp_path: Path) -> None:
    screen = show("flood_it", seed=78, drop="3,9", limit=LIMIT)
    result, run, told = play(screen, tmp_path / "run")
    assert_played_as_simulated(78, run, told)
    assert result.retries == 2
    assert [click["number"] for click in told["clicks"] if click["effect"] == "dropped"] == [3, 9]
    assert {click["hit"] for click in told["clicks"]} == {"colour"}
