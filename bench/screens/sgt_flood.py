"""The Flood-It of Simon Tatham's puzzles (Debian's sgt-puzzles), played by pixels and mouse on a virtual screen.

The program tells nobody what its board holds, but `--generate` prints the board and the limit of a game id: that is the
referee here.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from bench.renaming import renamed
from bench.screens.programs import desktop_program
from bench.screens.virtual import open_virtual_display
from bot.compose import play_on, wait_for_board
from bot.runs.journal import open_run
from bot.settings import Settings
from games import find_game
from games.core import BoardsightError, Grid
from games.flood import parse_grid

PROGRAM = "/usr/games/sgt-flood"

IDS = (
    *("12x12c6m5#1", "12x12c6m5#2", "12x12c6m2#3", "14x14c6m5#4", "14x14c6m2#5", "16x16c6m2#6", "16x16c6m0#7"),
    *("6x6c4m3#8", "8x8c5m2#9", "10x10c6m2#10", "9x13c6m5#11", "20x10c6m5#12", "5x5c3m2#13", "12x12c4m2#14"),
    *("18x18c6m5#15", "24x24c6m5#16", "7x20c5m3#17", "12x12c6m0#18", "30x20c6m5#19", "15x15c3m2#20"),
)
"""Twenty games of different sizes and up to 6 colours; ``m`` is how many moves the limit leaves over its own solver."""


def tables(solver: str = find_game("flood_it").solver) -> Iterator[str]:
    """A row for each game id: read right? finished? within the game's own limit? and the own time a turn."""
    yield f"solver {solver}; {PROGRAM} under Xvfb, 1920x1080"
    yield ""
    yield "| game id | read | finished | moves | limit | clicks again | seconds | own ms a turn |"
    yield "|---|---|---|---:|---:|---:|---:|---:|"
    read, done, within = 0, 0, 0
    with open_virtual_display():
        for game in IDS:
            row = play_one(game, solver)
            read, done, within = (
                read + row.read,
                done + row.finished,
                within + (row.finished and row.moves <= row.limit),
            )
            yield (
                f"| {game} | {_yes(row.read)} | {_yes(row.finished)} | {row.moves} | {row.limit} | {row.retries} | "
                f"{row.seconds:.2f} | {row.own:.1f} |"
            )
    yield f"| all {len(IDS)} | {read} | {done} | | {within} within | | | |"


@dataclass
class FloodGame:
    """How one game went: its first reading right, played to its end; own: milliseconds a turn."""

    truth: Grid
    limit: int
    read: bool = False
    finished: bool = False
    moves: int = 0
    retries: int = 0
    seconds: float = 0.0
    own: float = 0.0


def play_one(game: str, solver: str) -> FloodGame:
    """Plays one game id on the display of this process."""
    row = FloodGame(*generate(game))
    with tempfile.TemporaryDirectory() as runs, desktop_program(PROGRAM, game) as (screen, pointer):
        settings = Settings(game="flood_it", solver=solver, runs=runs)
        try:
            wait_for_board(screen, "flood_it")
            result, folder = play_on(screen, pointer, settings, name="desktop", quiet=True)
        except BoardsightError as problem:
            print(f"{game}: {type(problem).__name__}: {problem}", file=sys.stderr)
            if not any(Path(runs).iterdir()):  # no board was found
                return row
            (folder,) = Path(runs).iterdir()
        else:
            own = sorted(result.overhead)
            row.finished, row.moves, row.retries = result.cause == "won", result.moves, result.retries
            row.seconds, row.own = result.seconds, own[len(own) // 2]
        turns = open_run(folder).turns
        row.read = bool(turns) and same_but_for_names(parse_grid(turns[0].state.split(" ")[0]), row.truth)
    return row


def generate(game: str) -> tuple[Grid, int]:
    """The board and the limit of a game id, as the program itself prints them."""
    printed = subprocess.run([PROGRAM, "--generate", "1", game], capture_output=True, text=True, check=True).stdout
    size, _, board = printed.strip().partition(":")
    cols, rows = (int(side) for side in size.split("x"))
    digits, limit = board.split(",")
    return parse_grid("/".join(digits[row * cols : (row + 1) * cols] for row in range(rows))), int(limit)


def same_but_for_names(seen: Grid, truth: Grid) -> bool:
    """Whether two boards are the same but for which number each colour has."""
    if (len(seen), len(seen[0])) != (len(truth), len(truth[0])):
        return False
    return renamed(chain(*seen), chain(*truth))


def _yes(fact: bool) -> str:
    return "yes" if fact else "NO"
