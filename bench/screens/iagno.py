"""Reversi on GNOME's iagno at its hardest level (Debian's iagno), played by pixels and mouse."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.screens.pages import SEATS
from bench.screens.programs import desktop_program, home_of
from bench.screens.record import HEAD, RULE, RecordedGame, SeriesRecord, counts, finished, problems, stopped
from bench.screens.virtual import open_virtual_display
from bot.compose import play_on, wait_for_board
from bot.ports import Pointer, Screen
from bot.settings import Settings
from calibration.frame import Spot
from games.core import BoardsightError

PROGRAM = "/usr/games/iagno"
SCHEMA = "org.gnome.Reversi"
HARDEST = 3
SIZE = (1280, 900)
START = Spot(639, 624)
"""Where the button that starts a game lies in the program's first window, which stands in the middle of the display."""

SECONDS = 0.5
GAMES = 6
"""CPU seconds a move, and games, the sides beginning in turn."""


def tables(games: int = GAMES, *, keep: Path | None = None) -> Iterator[str]:
    """A row for each seat; a series that was broken off goes on where it is kept."""
    yield f"{PROGRAM}, level {HARDEST}, under Xvfb; solver alphabeta, {SECONDS:g} s a move"
    yield ""
    yield f"| we move | {HEAD} |"
    yield f"|---|{RULE}|"
    record = SeriesRecord(keep)
    with open_virtual_display(size=SIZE):
        for at, seat in enumerate(SEATS):
            every = [record.game(play_one, seat, number) for number in range(at, games, len(SEATS))]
            yield f"| {seat} | {counts(every)} |"
            yield from problems(every)


def play_one(seat: str, number: int, *, runs: Path) -> RecordedGame:
    """Plays one game on the display of this process; the program's chance is its own in every `number`."""
    with tempfile.TemporaryDirectory() as home, program(seat, Path(home)) as (screen, pointer):
        settings = Settings(game="reversi", seat=seat, seconds=SECONDS, runs=str(runs), patience=4.0)
        try:
            wait_for_board(screen, "reversi")
            result, _ = play_on(screen, pointer, settings, name="desktop", quiet=True)
        except BoardsightError as problem:
            return stopped(problem)
    return finished(result)


@contextmanager
def program(seat: str, home: Path, level: int = HARDEST) -> Iterator[tuple[Screen, Pointer]]:
    """The program with a computer opponent, in a settings folder of its own, once its game has begun."""
    environment = {**home_of(home), "GSETTINGS_BACKEND": "keyfile"}
    wishes = {"computer-level": str(level), "color": "dark" if seat == "first" else "light", "sound": "false"}
    for key, value in wishes.items():
        subprocess.run(["gsettings", "set", SCHEMA, key, value], env=environment, check=True, capture_output=True)
    with desktop_program(PROGRAM, environment=environment) as devices:
        subprocess.run(
            ["xdotool", "search", "--sync", "--onlyvisible", "--class", "iagno"], check=True, env=environment
        )
        devices[1].tap(START)
        yield devices
