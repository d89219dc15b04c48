"""What presses cost: from arrival at a target to its press, in a turn besides thinking, until the first on a page."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import numpy as np

from bench.screens.virtual import open_virtual_display
from bot.compose import open_devices, play_on, wait_for_board
from bot.pointers.browser import BrowserPointer
from bot.pointers.mouse import MousePointer
from bot.ports import Pointer, Screen
from bot.runs.journal import SavedRun, open_run
from bot.screens.browser import BrowserScreen
from bot.screens.desktop import DesktopScreen
from bot.screens.window import open_window_view
from bot.settings import Settings
from bot.web.pages import PageServer
from calibration.frame import Frame, Rect, Spot

GAMES = ("flood_it", "connect_four", "quoridor")
"""Pages with buttons, with columns, and with cells and grooves."""

WINDOW = (1280, 900)


class CountedScreen:
    """A screen whose pictures are counted, and how many milliseconds they took altogether."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self.grabs, self.spent = 0, 0.0

    def grab(self, region: Rect | None = None) -> Frame:
        """What the screen shows."""
        began = time.perf_counter()
        frame = self._screen.grab(region)
        self.grabs += 1
        self.spent += 1e3 * (time.perf_counter() - began)
        return frame

    def close(self) -> None:
        """Nothing: the screen is its owner's."""


class TimedPointer:
    """A pointer that notes what was done from its arrival at a place to the press there.

    presses: of each the milliseconds, those of our own processor time, the pictures, and the milliseconds these took.
    """

    def __init__(self, pointer: Pointer, screen: CountedScreen) -> None:
        self._pointer, self._screen = pointer, screen
        self._arrived: tuple[Spot, float, float, int, float] | None = None
        self.presses: list[tuple[float, float, int, float]] = []

    def move(self, spot: Spot) -> None:
        """Rest at `spot`, and begin to count."""
        self._arrived = spot, time.perf_counter(), time.thread_time(), self._screen.grabs, self._screen.spent
        self._pointer.move(spot)

    def tap(self, spot: Spot) -> None:
        """Press at `spot`."""
        if self._arrived is not None and self._arrived[0] == spot:
            _, began, own, grabs, spent = self._arrived
            milliseconds, own = 1e3 * (time.perf_counter() - began), 1e3 * (time.thread_time() - own)
            self.presses.append((milliseconds, own, self._screen.grabs - grabs, self._screen.spent - spent))
        self._pointer.tap(spot)

    def drag(self, start: Spot, end: Spot) -> None:
        """Pass on."""
        self._pointer.drag(start, end)

    def hold(self, spot: Spot) -> None:
        """Pass on."""
        self._pointer.hold(spot)

    def release(self) -> None:
        """Pass on."""
        self._pointer.release()

    def press(self, key: str) -> None:
        """Pass on."""
        self._pointer.press(key)

    def position(self) -> Spot | None:
        """Where the pointer is."""
        return self._pointer.position()


def tables(moves: int = 12) -> Iterator[str]:
    """A row for each way to look and game; then for each game how soon a process that begins makes its first press."""
    yield f"bundled pages, {moves} own moves each; medians from arrival at a target to the press on it, and of a turn's"
    yield "own time besides thinking and the page's animation"
    yield ""
    yield (
        "| screen | game | presses | pictures a press | ms of pictures | own CPU ms | ms altogether | 95% within | "
        "own ms a turn |"
    )
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|"
    with PageServer() as pages:
        with closing(BrowserScreen.launch(pages.url("index"), size=WINDOW)) as browser:
            for game in GAMES:
                yield _row("Chromium, protocol", browser, browser, BrowserPointer(browser), pages, game, moves)
        view = open_window_view(size=WINDOW)
        with closing(BrowserScreen.launch(pages.url("index"), size=WINDOW, view=view)) as browser:
            for game in GAMES:
                yield _row("Chromium, window", browser, browser, BrowserPointer(browser), pages, game, moves)
        with (
            open_virtual_display(size=WINDOW),
            closing(BrowserScreen.launch(pages.url("index"), headless=False, size=WINDOW)) as browser,
            closing(DesktopScreen()) as desktop,
        ):
            for game in GAMES:
                yield _row("desktop", desktop, browser, MousePointer(), pages, game, moves)
    yield from _first_presses()


def _row(
    name: str, screen: Screen, browser: BrowserScreen, pointer: Pointer, pages: PageServer, game: str, moves: int
) -> str:
    """Plays one game on its page and gives the row of it."""
    browser.page.goto(_page(pages, game))
    counted = CountedScreen(screen)
    timed = TimedPointer(pointer, counted)
    wait_for_board(screen, game)
    with tempfile.TemporaryDirectory() as runs:
        solver = "greedy" if game == "flood_it" else "random:seed=5"
        settings = Settings(game=game, solver=solver, seat="first", max_moves=moves, runs=runs)
        _, folder = play_on(counted, timed, settings, name=name, quiet=True)
        turn = np.median(_own(open_run(folder)))
    spent, own, grabs, pictures = np.array(timed.presses).T
    medians = " | ".join(f"{np.median(each):.1f}" for each in (pictures, own, spent))
    figures = f"{grabs.mean():.2f} | {medians} | {np.percentile(spent, 95):.1f} | {turn:.1f}"
    return f"| {name} | {game} | {len(spent)} | {figures} |"


def _page(pages: PageServer, game: str) -> str:
    seats = {} if game == "flood_it" else {"first": "person", "second": "random"}
    return pages.url(game, seed=3, **seats)


def _own(run: SavedRun) -> list[float]:
    """Milliseconds of each turn that were neither the solver's nor the page's."""
    return [turn.milliseconds["own"] for turn in run.turns]


def _first_presses() -> Iterator[str]:
    """A row for each game, played by `boardsight play --url` as it is, with the game's own solver."""
    yield ""
    yield "medians of three processes, each of which plays a page anew: seconds from the page's load to the first press"
    yield ""
    yield "| game | seconds | of them thinking |"
    yield "|---|---:|---:|"
    for game in GAMES:
        seconds, thought = np.median([_in_new_process(game) for _ in range(3)], axis=0)
        yield f"| {game} | {seconds:.2f} | {thought:.2f} |"


def _in_new_process(game: str) -> tuple[float, float]:
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(first_press, game).result()


def first_press(game: str) -> tuple[float, float]:
    """Plays one move on its page: seconds from the load to the press by the page's clock, and those of the solver."""
    with PageServer() as pages, tempfile.TemporaryDirectory() as runs:
        settings = Settings(url=_page(pages, game), max_moves=1, runs=runs)
        with open_devices(settings) as (screen, pointer):
            assert isinstance(screen, BrowserScreen)
            _, folder = play_on(screen, pointer, settings, name="browser", quiet=True)
            pressed, loaded = screen.page.evaluate(
                "[boardsightReferee.clicks[0].at, performance.getEntriesByType('navigation')[0].loadEventEnd]"
            )
        return (pressed - loaded) / 1e3, open_run(folder).turns[0].milliseconds["decide"] / 1e3
