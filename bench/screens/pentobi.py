"""Pentobi (Debian's pentobi), the strongest public Blokus program, played by pixels and keys on a virtual screen.

Its referee is the record it saves when it is asked to; nothing is read from it before.

``python -m bench pentobi --set games=20 levels=[5] classic=False seconds=0.25`` plays a match on Duo at one level.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.screens.pages import SEATS, agree, journal_line
from bench.screens.programs import desktop_program, home_of
from bench.screens.record import HEAD, RULE, RecordedGame, SeriesRecord, counts, finished, problems, stopped
from bench.screens.virtual import open_virtual_display
from bot.compose import play_on, wait_for_board
from bot.ports import Pointer, Screen, SystemClock
from bot.runs.journal import open_run
from bot.settings import Settings
from games import find_game
from games.core import BoardsightError

PROGRAM = "/usr/games/pentobi"
GAMES = 10
LEVELS = (1, 2, 3)
SIZE = (1280, 900)
SECONDS = 0.3
"""Seconds of thought a move."""

RECORD = "Untitled.blksgf"
"""The name its dialog offers for a record, in the home folder."""


def tables(
    games: int = GAMES,
    levels: Sequence[int] = LEVELS,
    seconds: float = SECONDS,
    classic: bool = True,
    *,
    keep: Path | None = None,
) -> Iterator[str]:
    """A row for each game; a series that was broken off goes on where it is kept.

    levels: of the program, in turn.  seconds: of thought a move, ours.  classic: whether a game on 20x20 ends it.
    """
    wanted = [("duo", levels[number % len(levels)], SEATS[number % 2], number + 1) for number in range(games)]
    wanted += [("classic_2", 1, "first", 1)] * classic
    yield f"{PROGRAM} under Xvfb; solver {find_game('blokus').solver}, {seconds:g} s a move"
    yield ""
    yield f"| variant | level | colour | score | {HEAD} |"
    yield f"|---|---:|---|---|{RULE}|"
    record = SeriesRecord(keep)
    every: list[RecordedGame] = []
    with open_virtual_display(size=SIZE):
        for variant, level, seat, seed in wanted:
            game = record.game(partial(play_one, seconds=seconds), variant, level, seat, seed)
            every.append(game)
            yield f"| {variant} | {level} | {seat} | {game.score} | {counts([game])} |"
            yield from problems([game])
    yield f"| all | | | | {counts(every)} |"


def play_one(variant: str, level: int, seat: str, seed: int, *, runs: Path, seconds: float = SECONDS) -> RecordedGame:
    """Plays one game on the display of this process."""
    with (
        tempfile.TemporaryDirectory() as home,
        program(variant, level, seat, Path(home), seed=seed) as (screen, pointer),
    ):
        settings = Settings(
            game="blokus", players=2, seat=seat, seconds=seconds, runs=str(runs), patience=2.0, answer=60.0
        )
        try:
            wait_for_board(screen, "blokus")
            if seat == "second":
                pointer.press("ctrl+l")  # it does not begin by itself
            result, folder = play_on(screen, pointer, settings, name="desktop", quiet=True)
        except BoardsightError as problem:
            return stopped(problem)
        saved = saved_record(pointer, Path(home))
    (folder / RECORD).write_text(saved, encoding="utf-8")
    return finished(result, agrees=agree(journal_line(open_run(folder)), placements(saved), colours=False))


@contextmanager
def program(variant: str, level: int, seat: str, home: Path, *, seed: int) -> Iterator[tuple[Screen, Pointer]]:
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
    words = ["--nodelay", "--seed", str(seed), "--threads", "1", "--maxlevel", "7"]
    with desktop_program(PROGRAM, *words, environment=environment_of(home)) as devices:
        yield devices


def environment_of(home: Path) -> dict[str, str]:
    """The environment in which the program keeps its settings in `home` and draws without a graphics card."""
    return {**home_of(home), "QT_QUICK_BACKEND": "software", "QT_QPA_PLATFORM": "xcb"}


def saved_record(pointer: Pointer, home: Path, tries: int = 5) -> str:
    """The record that the program saves when it is asked to; empty if it does not."""
    clock, record = SystemClock(), home / RECORD
    for _ in range(tries):
        pointer.press("enter")  # the message that says who won
        clock.sleep(1.0)
        pointer.press("ctrl+s")
        for _ in range(tries):
            clock.sleep(1.5)  # the dialog takes its time to appear and to write
            if record.exists():
                return record.read_text(encoding="utf-8")
            pointer.press("enter")
    return ""


def placements(record: str) -> list[str]:
    """The placements of a record of Pentobi, in order.

    >>> placements("(;GM[Blokus Duo];B[f7,f8];W[j5,k5])")
    ['f7,f8', 'j5,k5']
    """
    return re.findall(r"\b(?:B|W|[1-4])\[([a-t0-9,]+)\]", record)
