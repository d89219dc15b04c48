"""GNOME's Four-in-a-row at its hardest level (Debian's four-in-a-row), played by pixels and mouse."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from bench.screens.pages import SEATS
from bench.screens.programs import desktop_program, home_of
from bench.screens.record import HEAD, RULE, RecordedGame, SeriesRecord, counts, finished, problems, stopped
from bench.screens.virtual import open_virtual_display
from bot.compose import play_on, wait_for_board
from bot.ports import Pointer, Screen
from bot.settings import Settings
from games.core import BoardsightError

PROGRAM = "/usr/games/four-in-a-row"
SCHEMA = "org.gnome.Four-in-a-row"
HARDEST = 3
THEMES = (0, 2)
"""Two of the program's five themes."""

GAMES = 5
"""Games in each theme, the sides beginning in turn."""


def tables(games: int = GAMES, themes: tuple[int, ...] = THEMES, *, keep: Path | None = None) -> Iterator[str]:
    """A row for each theme and seat; a series that was broken off goes on where it is kept."""
    yield f"{PROGRAM}, level {HARDEST}, under Xvfb; solver exact"
    yield ""
    yield f"| theme | we move | {HEAD} |"
    yield f"|---:|---|{RULE}|"
    record = SeriesRecord(keep)
    with open_virtual_display(size=(1280, 900)):
        for theme, seat in product(themes, SEATS):
            every = [record.game(play_one, theme, seat, number) for number in range(games) if SEATS[number % 2] == seat]
            yield f"| {theme} | {seat} | {counts(every)} |"
            yield from problems(every)


def play_one(theme: int, seat: str, number: int, *, runs: Path) -> RecordedGame:
    """Plays one game on the display of this process; the program's chance is its own in every `number`."""
    with tempfile.TemporaryDirectory() as home, program(theme, seat, Path(home)) as (screen, pointer):
        settings = Settings(game="connect_four", solver="exact", seat=seat, runs=str(runs), patience=2.5)
        try:
            wait_for_board(screen, "connect_four")
            result, _ = play_on(screen, pointer, settings, name="desktop", quiet=True)
        except BoardsightError as problem:
            return stopped(problem)
    return finished(result)


@contextmanager
def program(theme: int, seat: str, home: Path, level: int = HARDEST) -> Iterator[tuple[Screen, Pointer]]:
    """The program with a computer opponent, in a settings folder of its own."""
    wishes: dict[str, object] = {
        "num-players": 1,
        "opponent": level,
        "first-player": "human" if seat == "first" else "computer",
        "theme-id": theme,
        "sound": "false",
    }
    with desktop_program(PROGRAM, environment=environment_of(home, wishes)) as devices:
        yield devices


def environment_of(home: Path, wishes: dict[str, object]) -> dict[str, str]:
    """The environment in which the program finds its settings, after those wishes were written there."""
    environment = {**home_of(home), "GSETTINGS_BACKEND": "keyfile"}
    for key, value in wishes.items():
        subprocess.run(["gsettings", "set", SCHEMA, key, str(value)], env=environment, check=True, capture_output=True)
    return environment
