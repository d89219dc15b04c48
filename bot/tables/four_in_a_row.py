"""GNOME's Four-in-a-row at its hardest level (Debian's four-in-a-row), played by pixels and mouse."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.commands.play import play_on
from bot.parts import open_parts, wait_for_board
from bot.screens.virtual import open_virtual_display
from bot.settings import Settings
from games.core import BoardsightError

PROGRAM = "/usr/games/four-in-a-row"
SCHEMA = "org.gnome.Four-in-a-row"
HARDEST = 3
THEMES = (0, 2)
"""Two of the program's five themes."""

GAMES = 5
"""Games in each theme with either side beginning."""


def tables(games: int = GAMES, themes: tuple[int, ...] = THEMES) -> Iterator[str]:
    """A row for each game: who began, how it ended, and what was misread or clicked in vain."""
    yield f"{PROGRAM}, level {HARDEST}, under Xvfb; solver exact"
    yield ""
    yield "| theme | we move | ended | our moves | misread | clicks again | seconds |"
    yield "|---:|---|---|---:|---:|---:|---:|"
    with open_virtual_display(size=(1280, 900)):
        for theme in themes:
            for number in range(games):
                seat = "second" if number % 2 else "first"
                yield f"| {theme} | {seat} | {play_one(theme, seat)} |"


def play_one(theme: int, seat: str) -> str:
    """Plays one game on the display of this process; gives the row's facts."""
    desktop = Settings(screen="desktop")
    with (
        tempfile.TemporaryDirectory() as home,
        program(theme, seat, Path(home)),
        open_parts(desktop) as (screen, pointer),
    ):
        wait_for_board(screen, "connect_four")
        settings = Settings(game="connect_four", solver="exact", seat=seat, runs=f"{home}/runs", patience=2.5)
        try:
            result, _ = play_on(screen, pointer, settings, name="desktop", quiet=True)
        except BoardsightError as problem:
            return f"{type(problem).__name__}: {problem} | | | |"
    return f"{result.cause} | {result.moves} | {result.misreads} | {result.retries} | {result.seconds:.1f}"


@contextmanager
def program(theme: int, seat: str, home: Path, level: int = HARDEST) -> Iterator[None]:
    """The program with a computer opponent, in a settings folder of its own."""
    environment = {
        **os.environ,
        "HOME": str(home),
        "GSETTINGS_BACKEND": "keyfile",
        "XDG_CONFIG_HOME": f"{home}/.config",
    }
    wishes = {
        "num-players": 1,
        "opponent": level,
        "first-player": "human" if seat == "first" else "computer",
        "theme-id": theme,
        "sound": "false",
    }
    for key, value in wishes.items():
        subprocess.run(["gsettings", "set", SCHEMA, key, str(value)], env=environment, check=True, capture_output=True)
    process = subprocess.Popen([PROGRAM], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()
