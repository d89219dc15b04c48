"""`boardsight play`: finds the board, plays it to the end and says how it went."""

from __future__ import annotations

import argparse
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.loop import Result
    from bot.ports import Pointer, Screen
    from bot.settings import Settings

HELP = {
    "screen": "auto, desktop, browser, drawn or folder",
    "url": "page to open in a browser of our own",
    "attach": "debugging address of a running browser, such as http://127.0.0.1:9222",
    "headless": "open the browser without a window",
    "scale": "device scale of the browser that is opened",
    "pictures": "folder of saved screenshots",
    "game": "flood_it, filler, ... (default: recognise it)",
    "colours": "how many colours the game has",
    "limit": "moves the game allows",
    "calibration": "saved calibration (default: calibrate)",
    "solver": "solver and its options, such as lookahead:depth=3",
    "seconds": "CPU seconds a move",
    "nodes": "positions visited a move",
    "depth": "plies looked ahead",
    "delay": "seconds to wait before each click",
    "dry_run": "look once and say the whole game; click nothing",
    "suggest": "say each move and wait for you to make it",
    "max_moves": "stop after so many moves",
    "patience": "seconds without effect after which a click is made again",
    "repaint": "seconds a picture may be in motion",
    "lost": "seconds to look for a board that is covered or gone",
    "runs": "folder that gets one folder a run",
}
"""The flags, by the names of the settings they overrule."""


def add_parser(subparsers: Any) -> None:
    """The command's flags."""
    from bot.settings import Settings

    parser = subparsers.add_parser("play", help="find a board on the screen and play it", description=__doc__)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="TOML file (default: boardsight.toml, if any)")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    defaults = Settings()
    for name, words in HELP.items():
        kind = type(getattr(defaults, name))
        flag = "--" + name.replace("_", "-")
        if kind is bool:
            parser.add_argument(flag, dest=name, action=argparse.BooleanOptionalAction, default=None, help=words)
        else:
            parser.add_argument(flag, dest=name, type=kind, metavar=_METAVARS[kind], help=words)
    parser.add_argument("--size", metavar="ROWSxCOLS", help="board size, where it is known (drawn screen)")


_METAVARS: dict[type, str] = {str: "TEXT", int: "N", float: "X"}


def run(args: argparse.Namespace) -> int:
    """Plays; exit status 0 when the run ended as asked, 1 when the game was lost."""
    from bot.commands.options import parse_size
    from bot.settings import load_settings

    flags = {name: getattr(args, name) for name in HELP}
    if args.size is not None:
        flags["rows"], flags["cols"] = parse_size(args.size)
    settings = load_settings(args.settings, flags)
    if settings.screen == "folder" or settings.pictures:
        suggest_for_each(settings)
        return 0
    result, folder = play(settings, quiet=args.json)
    if args.json:
        print(json.dumps(describe_result(result, folder)))
    return 1 if result.outcome is not None and result.outcome.winner is None else 0


def play(settings: Settings, *, quiet: bool = False) -> tuple[Result, Path]:
    """Plays as `settings` say and writes the run with its report; gives the result and the run's folder.

    Raises the BoardsightError that stopped the run; its message names the run's folder.
    """
    from bot.parts import chosen_screen, open_parts

    with open_parts(settings) as (screen, pointer):
        return play_on(screen, pointer, settings, name=chosen_screen(settings), quiet=quiet)


def suggest_for_each(settings: Settings) -> None:
    """Says, for each saved screenshot of a folder, the move that would be made; nothing is clicked."""
    from bot.eye import Eye
    from bot.ports import SystemClock
    from bot.screens.folder import FolderScreen
    from bot.terminal import Terminal
    from games import find_game
    from games.core import BoardsightError
    from solvers import DEFAULTS, find_solver

    terminal = Terminal()
    screen = FolderScreen(Path(settings.pictures))
    for number, picture in enumerate(screen.pictures, 1):
        eye = Eye(screen, SystemClock(), settings.game or None, numbers=_numbers(settings))
        try:
            eye.find()
            game = find_game(eye.calibration.game)
            state = game.read(eye.look().observation)
            ended = state.outcome()
            solver = find_solver(settings.solver or DEFAULTS[game.name], game.name)
            line = (
                ended.reason
                if ended
                else terminal.announce(
                    game, number, state, solver.decide(state, settings.search_limit), eye.calibration
                )
            )
        except BoardsightError as problem:
            line = f"{type(problem).__name__}: {problem}"
        terminal.say(f"{picture.name}: {line}")
        if number < len(screen.pictures):
            screen.advance()


def play_on(
    screen: Screen, pointer: Pointer, settings: Settings, *, name: str, quiet: bool = False, show_board: bool = False
) -> tuple[Result, Path]:
    """Plays on an open `screen` with `pointer`, as `play` does.

    name: what kind of screen it is.  show_board: whether the terminal shows the board with each move.
    """
    from bot.eye import Eye
    from bot.journal import JournalWriter
    from bot.loop import Loop
    from bot.pointers.guard import GuardedPointer, stop_on_signals
    from bot.ports import SystemClock
    from bot.report import write_report
    from bot.terminal import Terminal, summary
    from calibration.board import load_calibration
    from games.core import BoardsightError

    terminal, clock = Terminal(show_board=show_board), SystemClock()
    say = (lambda line: None) if quiet else terminal.say
    saved = load_calibration(Path(settings.calibration).read_text(encoding="utf-8")) if settings.calibration else None
    folder = new_folder(Path(settings.runs), settings.game or "auto")
    stop = threading.Event()
    guard = GuardedPointer(pointer, stop=stop, desktop=screen.grab().region)
    with JournalWriter(folder, about(settings, name)) as journal, stop_on_signals(stop):
        eye = Eye(screen, clock, settings.game or None, numbers=_numbers(settings))
        loop = Loop(settings, eye, guard, clock, journal, say=say, announce=terminal.announce)
        try:
            result = loop.run(saved)
        except BoardsightError as problem:
            journal.close()
            problem.add_note(f"the run is kept in {folder}: {write_report(folder)}")
            raise
    say(summary(result))
    say(f"report: {write_report(folder)}")
    return result, folder


def _numbers(settings: Settings) -> dict[str, int]:
    return {"left": settings.limit} if settings.limit else {}


def about(settings: Settings, screen: str) -> dict[str, Any]:
    """What a run's first line says: the settings, the parts and the versions."""
    import platform
    from dataclasses import asdict
    from datetime import datetime
    from importlib.metadata import version

    versions = {name: version(name) for name in ("boardsight", "numpy", "numba", "opencv-python-headless")}
    return {
        "screen": screen,
        "started": datetime.now().astimezone().isoformat(timespec="seconds"),
        "settings": asdict(settings),
        "versions": {"python": platform.python_version(), **versions},
    }


def new_folder(runs: Path, game: str) -> Path:
    """A folder in `runs` that does not exist yet, named by the time and the game."""
    from datetime import datetime

    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{game}"
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 1000))
    return next(runs / name for name in names if not (runs / name).exists())


def describe_result(result: Result, folder: Path) -> dict[str, Any]:
    """The result as one JSON object."""
    outcome = result.outcome
    return {
        "cause": result.cause,
        "message": result.message,
        "over": outcome is not None,
        "scores": None if outcome is None else list(outcome.scores),
        "winner": None if outcome is None else outcome.winner,
        "moves": result.moves,
        "retries": result.retries,
        "misreads": result.misreads,
        "recalibrations": result.recalibrations,
        "seconds": round(result.seconds, 3),
        "own_ms": [round(spent, 2) for spent in result.overhead],
        "run": str(folder),
    }
