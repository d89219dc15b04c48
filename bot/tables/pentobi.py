"""Pentobi (Debian's pentobi), the strongest public Blokus program, played by pixels and keys on a virtual screen.

Its referee is the record it saves when it is asked to; nothing is read from it before.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.commands.play import play_on
from bot.journal import open_run
from bot.parts import open_parts, wait_for_board
from bot.ports import Pointer, SystemClock
from bot.screens.virtual import open_virtual_display
from bot.settings import Settings
from bot.tables.pages import agree, journal_line
from games.core import BoardsightError
from solvers import DEFAULTS

PROGRAM = "/usr/games/pentobi"
GAMES = 10
LEVELS = (1, 2, 3)
SIZE = (1280, 900)
RECORD = "Untitled.blksgf"
"""The name its dialog offers for a record, in the home folder."""


def tables(games: int = GAMES, variant: str = "duo") -> Iterator[str]:
    """A row for each game: the level, our colour, how it ended, and whether the saved record agrees."""
    yield f"{PROGRAM}, variant {variant} and one game of classic_2, under Xvfb; solver {DEFAULTS['blokus']}"
    yield ""
    yield "| variant | level | colour | ended | score | our moves | record agrees | misread | tries again | seconds |"
    yield "|---|---:|---|---|---|---:|---|---:|---:|---:|"
    with open_virtual_display(size=SIZE):
        for number in range(games):
            seat = "second" if number % 2 else "first"
            level = LEVELS[number % len(LEVELS)]
            yield f"| {variant} | {level} | {seat} | {play_one(variant, level, seat, seed=number + 1)} |"
        yield f"| classic_2 | 1 | first | {play_one('classic_2', 1, 'first', seed=1)} |"


def play_one(variant: str, level: int, seat: str, *, seed: int) -> str:
    """Plays one game on the display of this process; gives the row's facts."""
    desktop = Settings(screen="desktop")
    with (
        tempfile.TemporaryDirectory() as home,
        program(variant, level, seat, Path(home), seed=seed),
        open_parts(desktop) as (screen, pointer),
    ):
        wait_for_board(screen, "blokus")
        if seat == "second":
            pointer.press("ctrl+l")  # it does not begin by itself
        settings = Settings(game="blokus", seat=seat, seconds=0.3, runs=f"{home}/runs", patience=2.0, answer=60.0)
        try:
            result, folder = play_on(screen, pointer, settings, name="desktop", quiet=True)
        except BoardsightError as problem:
            return f"{type(problem).__name__}: {problem} | | | | | |"
        agrees = agree(journal_line(open_run(folder)), saved_record(pointer, Path(home)), renamed=False)
    assert result.outcome is not None
    score = " to ".join(f"{points:g}" for points in result.outcome.scores)
    return (
        f"{result.cause} | {score} | {result.moves} | {'yes' if agrees else 'NO'} | {result.misreads} | "
        f"{result.retries} | {result.seconds:.0f}"
    )


@contextmanager
def program(variant: str, level: int, seat: str, home: Path, *, seed: int) -> Iterator[None]:
    """The program with a computer opponent, in a settings folder of its own."""
    colours = 4 if variant.startswith("classic") else 2
    ours = 0 if seat == "first" else 1
    plays = "".join(f"computerPlays{colour}={str(colour % 2 != ours).lower()}\n" for colour in range(colours))
    folder = home / ".config" / "Pentobi"
    folder.mkdir(parents=True)
    home.chmod(0o700)
    (folder / "Pentobi.conf").write_text(
        f"[General]\nvariant={variant}\nlevel={level}\nthemeName=light\nwidth=1000\nheight=760\nx=20\ny=20\n{plays}"
        "initComputerColorsOnNewGame=false\n[GameViewDesktop]\nenableAnimations=false\nmoveMarking=last_dot\n"
        "showCoordinates=false\n",
        encoding="utf-8",
    )
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": f"{home}/.config",
        "QT_QUICK_BACKEND": "software",
        "QT_QPA_PLATFORM": "xcb",
    }
    command = [PROGRAM, "--nodelay", "--seed", str(seed), "--threads", "1", "--maxlevel", "7"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def saved_record(pointer: Pointer, home: Path, tries: int = 5) -> list[str]:
    """The placements of the record that the program saves when it is asked to, in order; none if it does not."""
    clock, record = SystemClock(), home / RECORD
    pointer.press("enter")  # the message that says who won
    clock.sleep(0.5)
    pointer.press("ctrl+s")
    for _ in range(tries):
        clock.sleep(1.5)  # the dialog takes its time to appear and to write
        if record.exists():
            return re.findall(r"(?:B|W|;[1-4])\[([a-t0-9,]+)\]", record.read_text(encoding="utf-8"))
        pointer.press("enter")
    return []
