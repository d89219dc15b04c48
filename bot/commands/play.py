"""`boardsight play`: finds the board, plays it to the end and says how it went."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.play.loop import Result
    from bot.play.series import FinishedGame
    from bot.settings import Settings

HELP = {
    "screen": "auto, desktop, browser, drawn or folder",
    "url": "page to open in a browser of our own",
    "attach": "debugging address of a running browser, such as http://127.0.0.1:9222",
    "headless": "open the browser without a window",
    "scale": "device scale of the browser that is opened",
    "pictures": "folder of saved screenshots",
    "game": "flood_it, filler, ... (default: recognise it)",
    "variant": "rule set, such as duo or classic-2",
    "players": "how many play: 1 or 2",
    "colours": "how many colours the game has",
    "walls": "walls of each player",
    "length": "discs in a row that win",
    "limit": "moves the game allows",
    "calibration": "saved calibration (default: calibrate)",
    "seat": "first, second or auto (default: whoever moves while we watch is the other side)",
    "games": "games to play in a row",
    "new_game": "what begins the next game: a key such as n or ctrl+n, or a place X,Y",
    "solver": "solver and its options, such as lookahead:depth=3",
    "seconds": "CPU seconds a move",
    "nodes": "positions visited a move",
    "depth": "plies looked ahead",
    "controls": "buttons no picture names, such as confirm=640,512 for one that makes moves final",
    "how": "way moves are made, such as twice or confirm (default: find it out)",
    "delay": "seconds to wait before each click",
    "dry_run": "look once and say the whole game; click nothing",
    "suggest": "say each move and wait for you to make it",
    "max_moves": "stop after so many moves",
    "patience": "seconds without effect after which a click is made again",
    "repaint": "seconds a picture may be in motion",
    "lost": "seconds to look for a board that is covered or gone",
    "wait": "seconds another side gets to move before the turn is taken for ours",
    "answer": "seconds another side may think",
    "runs": "folder that gets one folder a run",
    "faults": "what goes wrong on the drawn screen: a number, or a fault plan's file",
    "record_faults": "keep the faults that were met as a plan in the run's folder",
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
    parser.add_argument("--watch", action="store_true", help="show what it sees and decides in a page while it plays")
    parser.add_argument("--size", metavar="ROWSxCOLS", help="board size, where it is known (drawn screen)")


_METAVARS: dict[type, str] = {str: "TEXT", int: "N", float: "X"}


def run(args: argparse.Namespace) -> int:
    """Plays; exit status 0 when the run ended as asked, 1 when a game was lost."""
    from bot.protocol.values import parse_size
    from bot.settings import load_settings

    flags = {name: getattr(args, name) for name in HELP}
    if args.size is not None:
        flags["rows"], flags["cols"] = parse_size(args.size)
    settings = load_settings(args.settings, flags)
    if settings.screen == "folder" or settings.pictures:
        suggest_for_each(settings)
        return 0
    with open_viewer(Path(settings.runs)) if args.watch else nullcontext():
        every = play(settings, quiet=args.json)
    if args.json:
        print(json.dumps(describe_games(every)))
    return int(any(played.result.cause == "lost" for played in every))


@contextmanager
def open_viewer(runs: Path) -> Iterator[None]:
    """A page that shows what the bot sees and decides, on the loopback interface, while the block runs."""
    from bot.web.extra import require_web

    require_web()
    from bot.web.server import ViewerServer, build_app

    with ViewerServer(build_app(runs=runs)) as server:
        print(f"watch at {server.url}watch.html", file=sys.stderr, flush=True)
        yield


def play(settings: Settings, *, quiet: bool = False) -> list[FinishedGame]:
    """Plays as `settings` say and writes each run with its report.

    Raises the BoardsightError that stopped a run; its message names the run's folder.
    """
    from bot.compose import chosen_screen, open_parts, play_series

    with open_parts(settings) as (screen, pointer):
        return play_series(screen, pointer, settings, name=chosen_screen(settings), quiet=quiet)


def suggest_for_each(settings: Settings) -> None:
    """Says, for each saved screenshot of a folder, the move that would be made; nothing is clicked."""
    from bot.play.observer import Observer
    from bot.play.terminal import Terminal
    from bot.ports import SystemClock
    from bot.screens.folder import FolderScreen
    from games import find_game
    from games.core import BoardsightError
    from solvers import DEFAULTS, find_solver

    terminal = Terminal()
    screen = FolderScreen(Path(settings.pictures))
    for number, picture in enumerate(screen.pictures, 1):
        observer = Observer(screen, SystemClock(), settings.game or None, options=settings.options)
        try:
            observer.find()
            game = find_game(observer.calibration.game)
            state = game.read(observer.read().observation)
            ended = state.outcome()
            solver = find_solver(settings.solver or DEFAULTS.get(game.name, "random"), game.name)
            line = (
                ended.reason
                if ended
                else terminal.announce(
                    game, number, state, solver.decide(state, settings.search_limit), observer.calibration
                )
            )
        except BoardsightError as problem:
            line = f"{type(problem).__name__}: {problem}"
        terminal.say(f"{picture.name}: {line}")
        if number < len(screen.pictures):
            screen.advance()


def describe_games(every: list[FinishedGame]) -> dict[str, Any]:
    """The result of one game, or a series with the results of its games, as one JSON object."""
    from bot.play.series import describe_series

    described = [describe_result(played.result, played.folder) for played in every]
    if len(every) == 1:
        return described[0]
    return {**describe_series([played.result for played in every]), "results": described}


def describe_result(result: Result, folder: Path) -> dict[str, Any]:
    """The result as one JSON object."""
    outcome = result.outcome
    return {
        "cause": result.cause,
        "message": result.message,
        "over": outcome is not None,
        "scores": None if outcome is None else list(outcome.scores),
        "winner": None if outcome is None else outcome.winner,
        "seat": result.seat,
        "moves": result.moves,
        "answers": result.answers,
        "retries": result.retries,
        "misreads": result.misreads,
        "recalibrations": result.recalibrations,
        "seconds": round(result.seconds, 3),
        "own_ms": [round(spent, 2) for spent in result.overhead],
        "run": str(folder),
    }
