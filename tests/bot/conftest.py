"""Games played by the real loop on the drawn screen, for the tests of this room."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import axe_playwright_python
import numpy as np
import pytest

from bot.play.loop import Loop
from bot.play.observer import Observer
from bot.play.result import RunResult
from bot.play.terminal import Terminal
from bot.pointers.guard import GuardedPointer
from bot.ports import FakeClock
from bot.runs.journal import JournalWriter, SavedRun, open_run
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from calibration.board import Calibration
from games import find_game
from games.core import BoardsightError, Game, Options

FLOOD_IT = find_game("flood_it")
SMALL = Options(rows=8, cols=8, colours=5, limit=25)


@dataclass
class DrawnRun:
    """What a run left: its result or its error, the screen it was played on, and its journal."""

    result: RunResult | None
    error: BoardsightError | None
    screen: DrawnScreen
    run: SavedRun
    calibration: Calibration | None = None


def play(
    folder: Path,
    state: Any = None,
    *,
    game: Game[Any, Any] = FLOOD_IT,
    settings: Settings | None = None,
    mixed_up: bool = False,
    calibrated: str = "",
    ask: Callable[[str], str] | None = None,
    waits: Callable[[str], None] | None = None,
    drawn: type[DrawnScreen] = DrawnScreen,
    **faults: Any,
) -> DrawnRun:
    """Plays Flood-It greedily, or another game, on a drawn screen with `faults`.

    mixed_up: with a calibration whose buttons are one off.  calibrated: with the true one, and this way to make moves.
    ask: answers questions.  waits: is told what is waited for.  drawn: the kind of screen.
    """
    state = FLOOD_IT.deal(np.random.default_rng(3), SMALL) if state is None else state
    settings = settings or Settings(solver="greedy", lost=3.0)
    clock = FakeClock()
    screen = drawn(game, state, clock=clock, **faults)
    result, error = None, None
    guard = GuardedPointer(screen.pointer, desktop=screen.grab().region)
    with JournalWriter(folder / "run", {"screen": "drawn", "settings": {}}) as journal:
        left = getattr(state, "left", None)
        options = Options(limit=left if isinstance(left, int) else None)
        observer = Observer(screen, clock, game.name, options=options, patience=settings.patience)
        terminal = Terminal(colours=False)
        loop = Loop(
            settings,
            observer,
            guard,
            clock,
            journal,
            say=lambda line: None,
            announce=terminal.announce,
            waits=waits,
            ask=ask,
        )
        try:
            saved = _mixed_up(screen.calibration()) if mixed_up else None
            result = loop.run(replace(screen.calibration(), how=calibrated) if calibrated else saved)
        except BoardsightError as problem:
            error = problem
    return DrawnRun(result, error, screen, open_run(folder / "run"), observer.calibration if result else None)


def _mixed_up(calibration: Calibration) -> Calibration:
    places = list(calibration.controls.values())
    return replace(calibration, controls=dict(zip(calibration.controls, places[2:] + places[:2], strict=True)))


@pytest.fixture(scope="session")
def play_drawn() -> Callable[..., DrawnRun]:
    """`play`, for tests: they cannot import from each other."""
    return play


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small game of Flood-It played to its end, for all tests to read and none to write into."""
    state = FLOOD_IT.deal(np.random.default_rng(3), Options(rows=6, cols=6, colours=4))
    return play(tmp_path_factory.mktemp("finished"), state).run.folder


@pytest.fixture(scope="session")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that ended after two moves, to read or to copy."""
    return play(tmp_path_factory.mktemp("short"), settings=Settings(solver="greedy", max_moves=2)).run.folder


@pytest.fixture(scope="session")
def result_of() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """What a coroutine returns, run in a thread of its own: a browser of other tests has an event loop in theirs."""

    def run(work: Coroutine[Any, Any, Any]) -> Any:
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, work).result()

    return run


AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
STANDARDS = {
    "dark": {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]},
    "light": {"runOnly": {"type": "rule", "values": ["color-contrast"]}},
}
"""What axe looks for: by night at everything, by day at what alone is another thing then."""

CONTRAST = """
async (place) => {
  const moving = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map((each) => each.finished));
  return axe.run(place, { runOnly: { type: "rule", values: ["color-contrast"] } });
}
"""

PATIENCE = 240_000
"""Milliseconds: a solver may have to be compiled first."""


@pytest.fixture
def open_page(browser):
    """open_page(**settings): a page of its own, with what it may keep; an error on it fails the test."""
    contexts, wrong = [], []

    def note(line):
        if line.type == "error" and not re.search("WebSocket|Failed to load", line.text):  # a server may have gone
            wrong.append(line.text)

    def start(**settings):
        context = browser.page.context.browser.new_context(**settings)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", note)
        return page

    yield start
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture(scope="session")
def serious_findings() -> Callable[[Any], list[str]]:
    """What axe finds wrong with a Playwright page as it is, light and dark, of the kinds that keep somebody out."""

    def find(page: Any) -> list[str]:
        page.evaluate(AXE.read_text())
        said = []
        for scheme, standards in STANDARDS.items():
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("options => axe.run(document, options)", standards)
            assert found["passes"]
            said += [
                f"{scheme}: {finding['impact']}: {finding['id']}: {node['html'][:120]}"
                for finding in found["violations"]
                for node in finding["nodes"]
                if finding["impact"] in ("serious", "critical")
            ]
        return said

    return find


@pytest.fixture(scope="session")
def faint_texts() -> Callable[[Any, str], list[str]]:
    """faint_texts(page, place): the texts in a place of a page that stand out too little, once nothing moves."""

    def find(page: Any, place: str) -> list[str]:
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(AXE.read_text())
        found = page.evaluate(CONTRAST, place)
        assert found["passes"]
        return [node["html"][:120] for finding in found["violations"] for node in finding["nodes"]]

    return find
