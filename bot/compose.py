"""The composition root: opens the real screen and pointer that a run asks for, and plays on them."""

from __future__ import annotations

import os
import platform
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.play.preparing import Preparation
from bot.play.result import RunResult
from bot.play.series import FinishedGame, play_games
from bot.play.terminal import Terminal, summary, summary_of_series
from bot.pointers.dry_run import DryRunPointer
from bot.ports import Pointer, ReloadableScreen, Screen, SystemClock
from bot.settings import Settings
from bot.storage.pages import PageMemory
from calibration.locate import BoardNotFoundError, locate
from games import GAMES, find_game
from games.core import Game, Options, SettingsError
from solvers import find_solver

if TYPE_CHECKING:
    from bot.screens.browser import BrowserScreen

THINKING = 0.4
"""Seconds that the other side of a drawn screen takes for a move: long enough to be seen."""


def has_display() -> bool:
    """Whether this process can reach a desktop with a pointer."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY"))


def chosen_screen(settings: Settings) -> str:
    """The kind of screen that "auto" means here; raises SettingsError where there is none."""
    if settings.screen != "auto":
        return settings.screen
    if settings.url or settings.attach:
        return "browser"
    if has_display():
        return "desktop"
    raise SettingsError(
        "there is no display here (DISPLAY is not set): name a page with --url to play it in a browser of our own, "
        "or choose --screen drawn"
    )


@contextmanager
def open_devices(settings: Settings) -> Iterator[tuple[Screen, Pointer]]:
    """The screen and the pointer of a run, closed at the end; raises ScreenError, PointerError or SettingsError."""
    screen, pointer = _OPENERS[chosen_screen(settings)](settings)
    try:
        by_hand = settings.dry_run or settings.suggest  # a person's pointer is neither moved nor watched
        yield screen, DryRunPointer() if by_hand else pointer
    finally:
        screen.close()


def wait_for_board(screen: Screen, game: str, *, seconds: float = 30.0) -> None:
    """Returns once the page is painted; raises BoardNotFoundError when it never is."""
    clock = SystemClock()
    deadline = clock.now() + seconds
    while True:
        try:
            locate(screen.grab(), game)
        except BoardNotFoundError:
            if clock.now() > deadline:
                raise
            clock.sleep(0.3)
        else:
            return


def play(settings: Settings, *, quiet: bool = False) -> list[FinishedGame]:
    """Plays as `settings` say and writes each run with its report.

    Raises the BoardsightError that stopped a run; its message names the run's folder.
    """
    refuse_unknown(settings.game, settings.solver, settings.variant)
    with open_devices(settings) as (screen, pointer):
        name, memory = chosen_screen(settings), page_memory(screen, settings)
        return play_series(screen, pointer, settings, name=name, quiet=quiet, memory=memory)


def refuse_unknown(game: str, solver: str, variant: str = "") -> None:
    """Raises SettingsError where `game`, or every game for "", lacks such a solver or variant; "" is always right."""
    problems: list[SettingsError] = []
    for each in [find_game(game)] if game else map(find_game, GAMES):
        try:
            find_solver(solver or each.solver, each.name)
            each.deal(np.random.default_rng(0), Options(variant=variant or None))
        except SettingsError as problem:
            problems.append(problem)
        else:
            return
    raise SettingsError("\n".join(map(str, problems)))


def play_on(
    screen: Screen, pointer: Pointer, settings: Settings, *, name: str, quiet: bool = False, show_board: bool = False
) -> tuple[RunResult, Path]:
    """Plays one game on an open `screen` with `pointer`, as `play` does.

    name: what kind of screen it is.  show_board: whether the terminal shows the board with each move.
    """
    (played,) = play_series(screen, pointer, settings, name=name, quiet=quiet, show_board=show_board)
    return played.result, played.folder


def page_memory(screen: Screen, settings: Settings, *, folder: Path | None = None) -> PageMemory | None:
    """What is kept of the page on `screen`, in `folder` or the user's own; None where nothing is to be."""
    if not settings.remember or not isinstance(screen, ReloadableScreen):
        return None
    memory = PageMemory(screen.address, say=partial(print, file=sys.stderr, flush=True), folder=folder)
    if settings.forget:
        memory.forget()
    return memory


def play_series(
    screen: Screen,
    pointer: Pointer,
    settings: Settings,
    *,
    name: str,
    quiet: bool = False,
    show_board: bool = False,
    memory: PageMemory | None = None,
) -> list[FinishedGame]:
    """Plays as many games as `settings` ask for, as `play_on` plays one; `memory` is what is kept of the page."""
    terminal = Terminal(show_board=show_board)
    say, waits = terminal.say, terminal.wait
    if quiet:
        say = waits = lambda line: None
    every: list[FinishedGame] = []
    with closing(terminal), Preparation() as preparation:
        for played in play_games(
            *(screen, pointer, settings),
            about=about(settings, name),
            say=say,
            announce=terminal.announce,
            waits=waits,
            memory=memory,
            preparation=preparation,
        ):
            every.append(played)
            say(summary(played.result))
            if late := preparation.late():
                say(late)
            say(f"report: {played.folder / 'report.html'}")
    if settings.games > 1:
        say(summary_of_series([played.result for played in every]))
    return every


def about(settings: Settings, screen: str) -> dict[str, Any]:
    """What a run's first line says: the settings, the kind of screen and the versions."""
    versions = {name: version(name) for name in ("boardsight", "numpy", "numba", "opencv-python-headless")}
    return {
        "screen": screen,
        "started": datetime.now().astimezone().isoformat(timespec="seconds"),
        "settings": asdict(settings),
        "versions": {"python": platform.python_version(), **versions},
    }


def _open_desktop(settings: Settings) -> tuple[Screen, Pointer]:
    from bot.pointers.mouse import MousePointer
    from bot.screens.desktop import DesktopScreen

    return DesktopScreen(), MousePointer()


def _open_browser(settings: Settings) -> tuple[Screen, Pointer]:
    from bot.pointers.browser import BrowserPointer
    from bot.screens.browser import BrowserScreen

    if settings.attach:
        screen = BrowserScreen.attach(settings.attach, match=settings.url, before=settings.before)
    else:
        screen = _open_page(settings)
    return screen, BrowserPointer(screen)


def _open_page(settings: Settings) -> BrowserScreen:
    """The page of the settings in a window that is seen on a display; without one where there can be none."""
    from bot.screens.browser import BrowserScreen
    from bot.screens.window import open_window_view

    view = None if settings.headless else open_window_view(settings.scale)
    headless = view is None and (settings.headless or not has_display())
    try:
        return BrowserScreen.launch(
            settings.url, headless=headless, scale=settings.scale, before=settings.before, view=view
        )
    except BaseException:
        if view is not None:
            view.close()
        raise


def _open_drawn(settings: Settings) -> tuple[Screen, Pointer]:
    game = find_game(settings.game or next(iter(GAMES)))
    state = game.deal(np.random.default_rng(), settings.options)
    alone: dict[str, Any] = {"rival": None} if settings.players == 1 else {}
    return open_drawn(
        *(game, state, settings.faults), scale=settings.scale, rival_begins=settings.own_seat == 1, **alone
    )


def open_drawn(game: Game[Any, Any], state: Any, faults: str, **options: Any) -> tuple[Screen, Pointer]:
    """A drawn screen with the faults that `faults` names, if any; a stop they ask for comes as Ctrl-C does.

    The other sides of a game that has some play by chance, unless the options say otherwise.
    """
    from bot.faults.plans import find_plan
    from bot.faults.screen import HostileScreen
    from bot.screens.drawn.screen import DrawnScreen

    if game.players > 1:
        chance = find_solver("random", game.name)
        options = {"rival": lambda state: chance.decide(state).move, "thinking": THINKING, **options}
    if faults:
        ask = partial(signal.raise_signal, signal.SIGINT)
        screen: DrawnScreen = HostileScreen(game, state, find_plan(faults), clock=SystemClock(), ask=ask, **options)
    else:
        screen = DrawnScreen(game, state, **options)
    return screen, screen.pointer


_OPENERS = {"desktop": _open_desktop, "browser": _open_browser, "drawn": _open_drawn}
