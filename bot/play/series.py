"""Games in a row on one screen: each with a run of its own, the same observer for all, and how it went altogether."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.faults.plans import FAULTS, format_plan, plan_met
from bot.play.loop import Announce, Loop
from bot.play.observer import Observer
from bot.play.preparing import Preparation
from bot.play.recognition import OtherGameError
from bot.play.result import RunResult
from bot.pointers.guard import GuardedPointer, StoppedError, stop_on_signals
from bot.ports import Clock, Pointer, PointerError, Screen, ScreenError, SystemClock
from bot.runs.journal import JournalWriter, open_run
from bot.runs.report import write_report
from bot.settings import Settings
from bot.storage.files import read_calibration, write_calibration, write_text
from bot.storage.pages import PageMemory
from calibration.board import Calibration
from games.core import BoardsightError, SettingsError

BLAMELESS = ScreenError, PointerError, StoppedError, SettingsError
"""Errors that say nothing against what is known of a page."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game: how it went, and the folder of its run with the report."""

    result: RunResult
    folder: Path


def play_games(
    screen: Screen,
    pointer: Pointer,
    settings: Settings,
    *,
    about: dict[str, Any],
    say: Callable[[str], None],
    announce: Announce,
    waits: Callable[[str], None] | None = None,
    clock: Clock | None = None,
    memory: PageMemory | None = None,
    preparation: Preparation | None = None,
) -> Iterator[FinishedGame]:
    """Plays as many games as `settings` ask for, each as soon as the one before is over; gives each as it ends.

    A series ends early with a game that is not played to its end.  What was learned of the screen is kept in the
    calibration's file, where one is named, and in `memory`; a run that fails on a page leaves nothing in that.
    Raises the BoardsightError that stopped a game; a note on it names the run's folder.
    """
    clock, stop = clock or SystemClock(), threading.Event()
    saved, last, known = _saved(settings), None, None
    settings = _with_restart(settings, saved)
    guard = GuardedPointer(pointer, stop=stop, desktop=screen.grab().region)
    observer = Observer(
        *(screen, clock, settings.game or None), options=settings.options, patience=settings.patience, memory=memory
    )
    with stop_on_signals(stop):
        number = 1
        while number <= settings.games:
            folder = new_folder(Path(settings.runs), settings.game or "auto")
            with JournalWriter(folder, about) as journal:
                loop = Loop(
                    *(settings, observer, guard, clock, journal),
                    say=say,
                    announce=announce,
                    waits=waits,
                    ask=person(),
                    preparation=preparation,
                )
                try:
                    result = loop.run(saved, after=last, known=known)
                except OtherGameError as other:
                    say(str(other))
                    guard.confirmed()
                    known, settings = other.recognised, replace(settings, game=other.game.name)
                    saved = None if known is None else replace(observer.calibration, game=settings.game)
                    observer.game = settings.game
                    continue
                except BoardsightError as problem:
                    journal.close()
                    if memory is not None and not isinstance(problem, BLAMELESS):
                        memory.forget()  # what was known of the page may be what failed
                    problem.add_note(f"the run is kept in {folder}: {_told(folder, settings)}")
                    raise
            saved, last, known = observer.calibration, loop.last, None
            settings = replace(settings, controls="", how="")  # the calibration has them, at the place of today
            if result.moves:
                observer.keep(loop.habits)
            if settings.calibration:
                write_calibration(Path(settings.calibration), saved)
            _told(folder, settings)
            yield FinishedGame(result, folder)
            if result.outcome is None:
                return
            number += 1
            if number <= settings.games:
                loop.begin_another()  # last of all: the other side may begin at once
                saved = observer.calibration


def _told(folder: Path, settings: Settings) -> Path:
    """Writes what is told of a run that ended: its page, and the faults it met where they are asked for."""
    if settings.record_faults:
        write_text(folder / FAULTS, format_plan(plan_met(open_run(folder))))
    return write_report(folder)


def new_folder(runs: Path, game: str) -> Path:
    """A folder in `runs` that does not exist yet, named by the time and the game."""
    from datetime import datetime

    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}"
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 1000))
    return next(runs / name for name in names if not (runs / name).exists())


def describe_series(results: Sequence[RunResult]) -> dict[str, Any]:
    """How the games went altogether, as one JSON object."""
    causes = Counter(result.cause for result in results)
    moves = sum(result.moves for result in results)
    return {
        "games": len(results),
        "won": causes["won"],
        "drawn": causes["drawn"],
        "lost": causes["lost"],
        "moves": moves,
        "seconds_a_move": round(sum(result.seconds for result in results) / max(1, moves), 3),
        "misreads": sum(result.misreads for result in results),
        "misclicks": sum(result.retries for result in results),
    }


def _saved(settings: Settings) -> Calibration | None:
    """The calibration the settings name; None where there is none, or its file is still to be written.

    Raises SettingsError for a link, too: what is learned of the screen is written to that file.
    """
    path = Path(settings.calibration)
    if settings.calibration and path.is_symlink():
        raise SettingsError(f"{path} is a link, which is not written over: name the file itself")
    if not settings.calibration or not path.exists():
        return None
    return read_calibration(path)


def _with_restart(settings: Settings, saved: Calibration | None) -> Settings:
    """`settings` with what begins another game: of a page that it is loaded again, else asked of a person.

    Raises SettingsError where there is nobody to ask.
    """
    told = settings.new_game or settings.url or settings.attach  # a page can be loaded again
    if settings.games == 1 or told or (saved is not None and "new" in saved.controls):
        return settings
    ask = person()
    remedy = "a key such as n or ctrl+n, a place X,Y of the picture, or wait where it begins by itself"
    if ask is None:
        raise SettingsError(f"what begins another game here?  Say it with --new-game: {remedy}")
    return replace(settings, new_game=ask(f"What begins another game?  Type {remedy}") or "wait")


def person() -> Callable[[str], str] | None:
    """Asks the person at the terminal; None where there is none."""
    if not sys.stdin.isatty():
        return None

    def ask(question: str) -> str:
        print(f"{question}: ", end="", flush=True)
        return sys.stdin.readline().strip()

    return ask
