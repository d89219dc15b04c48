"""The arguments several commands share, and what they mean: the game and its variant, positions, limits."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from bot.protocol.lines import bounded_lines
from bot.protocol.values import LIMITS, NUMBERS, limit_from, options_from

if TYPE_CHECKING:
    from calibration.frame import Frame
    from games.core import Game, Options
    from solvers.core import Limit, Solver
    from solvers.training.cluster import Workers


NEEDED_BY_PAGES = ("starlette", "uvicorn", "websockets", "pydantic")


def require_web() -> None:
    """Raises SettingsError that says how to install what the pages' server stands on, where that is missing."""
    from games.core import SettingsError, not_installed

    missing = [name for name in NEEDED_BY_PAGES if find_spec(name) is None]
    if missing:
        raise SettingsError(not_installed("serve", *missing))


def add_game(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """``--game`` and the options of its variants."""
    parser.add_argument("--game", required=required, metavar="NAME", help="flood_it, filler, connect_four, ...")
    add_variant(parser)


def add_variant(parser: argparse.ArgumentParser) -> None:
    """The options of a game's variants."""
    variant = parser.add_argument_group("variant of the game (default: the game's own)")
    variant.add_argument("--size", metavar="ROWSxCOLS", help="board size, such as 14x14")
    variant.add_argument("--colours", type=int, metavar="N", help="number of colours")
    variant.add_argument("--walls", type=int, metavar="N", help="walls of each player")
    variant.add_argument("--variant", metavar="NAME", help="rule set, such as duo")
    variant.add_argument("--length", type=int, metavar="N", help="discs in a row that win")
    variant.add_argument("--players", type=int, metavar="N", help="number of players")
    variant.add_argument("--limit", type=int, metavar="N", help="moves the game allows")


def add_position(parser: argparse.ArgumentParser) -> None:
    """The position; words are joined by spaces, so that a list of moves needs no quotes."""
    parser.add_argument("position", nargs="*", metavar="POSITION", help="position text (default: the start)")


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_limit(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """``--seconds``, ``--nodes``, ``--depth`` and ``--threads`` of a search; gives their group."""
    limits = parser.add_argument_group("limits of the search (default: the solver's own)")
    limits.add_argument("--seconds", type=float, metavar="X", help="CPU seconds a move")
    limits.add_argument("--nodes", type=int, metavar="N", help="positions visited a move")
    limits.add_argument("--depth", type=int, metavar="N", help="plies looked ahead")
    limits.add_argument(
        "--threads", type=int, metavar="N", help="threads that search together (default: one, so that results repeat)"
    )
    return limits


def add_workers(parser: argparse.ArgumentParser) -> None:
    """``--workers`` and ``--cluster``: who does the work."""
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--workers", type=int, metavar="N", help="processes that share the work (default: this one alone)")
    who.add_argument("--cluster", metavar="ADDRESS", help="share it on this Ray cluster, or auto for this machine's")


def workers_of(args: argparse.Namespace) -> Workers:
    """Who does the work, to be closed; raises SettingsError."""
    from solvers.training.cluster import workers_for

    return workers_for(worker_spec(args))


def worker_spec(args: argparse.Namespace) -> str:
    """The same as a word that `solvers.training.cluster.workers_for` takes; raises SettingsError."""
    from games.core import SettingsError

    if args.workers is not None and args.workers < 1:
        raise SettingsError("--workers is at least 1")
    return args.cluster or str(args.workers or "")


def add_solver(parser: argparse.ArgumentParser) -> None:
    """``--solver``."""
    parser.add_argument("--solver", metavar="NAME[:KEY=VALUE,...]", help="such as lookahead:depth=3")


def solver_of(args: argparse.Namespace, game: Game[Any, Any]) -> Solver:
    """The solver the arguments name, else the game's usual one; raises SettingsError."""
    from solvers import find_solver

    return find_solver(args.solver or game.solver, game.name)


def game_of(args: argparse.Namespace) -> Game[Any, Any]:
    """The game the arguments name; raises SettingsError."""
    from games import find_game

    return find_game(args.game)


def options_of(args: argparse.Namespace) -> Options:
    """The variant the arguments ask for; raises SettingsError."""
    names = ("size", "variant", *NUMBERS)
    return options_from({name: getattr(args, name) for name in names if getattr(args, name) is not None})


def limit_of(args: argparse.Namespace) -> Limit:
    """The limit the arguments set; raises SettingsError."""
    return limit_from({name: getattr(args, name, None) for name in LIMITS})


def load_screenshot(path: Path) -> Frame:
    """A saved screenshot; says on the standard error where looking at it takes long.  Raises SettingsError."""
    from bot.storage.pictures import load_frame
    from calibration.locate import AT_ONCE

    frame = load_frame(path)
    if frame.width * frame.height > AT_ONCE:
        print(
            f"{path} has {frame.width}x{frame.height} pixels: to find a board in so many takes seconds, or a minute; "
            "a part with the board alone is quicker",
            file=sys.stderr,
            flush=True,
        )
    return frame


def lines_of(path: str) -> Iterator[str]:
    """The lines of the file at `path`, ``-`` for standard input, each as soon as it is there.

    Raises SettingsError where the file cannot be read.
    """
    from games.core import SettingsError

    with ExitStack() as stack:
        try:
            file: IO[bytes] = sys.stdin.buffer if path == "-" else stack.enter_context(Path(path).open("rb"))
            for line in bounded_lines(file):
                yield line.decode(errors="replace")
        except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
            reason = getattr(error, "strerror", None) or error
            raise SettingsError(f"cannot read {path!r}: {reason}; name a file of positions, one a line") from error
