"""`boardsight play`: finds the board, plays it to the end and says how it went."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.commands.options import require_web

if TYPE_CHECKING:
    from bot.play.result import RunResult
    from bot.play.series import FinishedGame
    from bot.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    from dataclasses import fields

    from bot.settings import Settings

    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="TOML file (default: your own, and boardsight.toml here)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    for setting in fields(Settings):
        flag, words = "--" + setting.name.replace("_", "-"), setting.metadata.get("help")
        kind: type = type(setting.default)
        if words and kind is bool:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=words)
        elif words and kind is tuple:
            parser.add_argument(flag, action="append", metavar="STEP", help=words)
        elif words:
            parser.add_argument(flag, type=kind, metavar=_METAVARS[kind], help=words)
    parser.add_argument(
        "--watch", action="store_true", help="show what it sees and decides in a page, until Ctrl-C after the run"
    )
    parser.add_argument("--no-open", action="store_true", help="only say where that page is")
    parser.add_argument("--size", metavar="ROWSxCOLS", help="board size, where it is known (drawn screen)")


_METAVARS: dict[type, str] = {str: "TEXT", int: "N", float: "X"}


def run(args: argparse.Namespace) -> int:
    """Plays; exit status 0 when the run ended as asked, however the game did."""
    from bot.compose import play
    from bot.protocol.values import parse_size
    from bot.settings import kinds, load_settings

    flags = {name: value for name, value in vars(args).items() if name in kinds()}
    flags["before"] = None if args.before is None else tuple(args.before)
    if args.size is not None:
        flags["rows"], flags["cols"] = parse_size(args.size)
    settings = load_settings(args.settings, flags, say=partial(print, file=sys.stderr, flush=True))
    if settings.screen == "folder" or settings.pictures:
        suggest_for_each(settings)
        return 0
    seen = sys.stderr.isatty()  # where nobody sees the page's address, nobody ends it
    with open_viewer(settings, opened=seen and not args.no_open) if args.watch else nullcontext():
        every = play(settings, quiet=args.json)
        if args.json:
            print(json.dumps(describe_games(every)), flush=True)
        if args.watch and seen:
            wait_for_ctrl_c()
    return 0


@contextmanager
def open_viewer(settings: Settings, *, opened: bool) -> Iterator[None]:
    """A page that shows what the bot sees and decides, on the loopback interface, while the block runs.

    opened: whether the browser shows it, unless it could cover the board, and its pictures be taken for the board.
    """
    require_web()
    from bot.commands.serve import open_in_browser
    from bot.compose import chosen_screen
    from bot.web.server import ViewerServer

    with ViewerServer(runs=Path(settings.runs)) as server:
        address = server.address("watch.html")
        print(f"watch at {address}", file=sys.stderr, flush=True)
        with open_in_browser(address) if opened and chosen_screen(settings) != "desktop" else nullcontext():
            yield


def wait_for_ctrl_c() -> None:
    """Returns when a person ends it."""
    with suppress(KeyboardInterrupt):
        print("the page stays until Ctrl-C", file=sys.stderr, flush=True)
        threading.Event().wait()


def suggest_for_each(settings: Settings) -> None:
    """Says, for each saved screenshot of a folder, the move that would be made; nothing is clicked."""
    from bot.compose import refuse_unknown
    from bot.play.observer import Observer
    from bot.play.terminal import Terminal
    from bot.ports import SystemClock
    from bot.screens.folder import FolderScreen
    from games import find_game
    from games.core import BoardsightError
    from solvers import find_solver

    refuse_unknown(settings.game, settings.solver, settings.variant)
    terminal = Terminal()
    screen = FolderScreen(Path(settings.pictures))
    for number, picture in enumerate(screen.pictures, 1):
        observer = Observer(screen, SystemClock(), settings.game or None, options=settings.options)
        try:
            observer.find()
            game = find_game(observer.calibration.game)
            state = game.read(observer.read().observation)
            ended = state.outcome()
            solver = find_solver(settings.solver or game.solver, game.name)
            line = (
                ended.reason
                if ended
                else terminal.announce(
                    game, number, state, solver.decide(state, settings.search_limit), observer.calibration
                )
            )
        except BoardsightError as problem:
            line = str(problem)
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


def describe_result(result: RunResult, folder: Path) -> dict[str, Any]:
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
