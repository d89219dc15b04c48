"""The arguments several commands share, and what they mean: the game and its variant, positions, limits."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.core import Game, Options
    from solvers.core import Limit, Solver

LONGEST_LINE = 1 << 16
"""Bytes of the longest line that is read: the longest position (64x64 cells) takes 4 KB, the longest game 2 KB."""

MOST = 10**15
"""The largest number any option or limit takes: a clear refusal instead of an overflow in a kernel."""

NUMBERS = ("colours", "walls", "length", "players", "limit")
"""The options of a game that are whole numbers from 0."""


def add_game(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """``--game`` and the options of its variants."""
    parser.add_argument("--game", required=required, metavar="NAME", help="flood_it, filler, connect_four, ...")
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


def add_limit(parser: argparse.ArgumentParser) -> None:
    """``--seconds``, ``--nodes`` and ``--depth`` of a search."""
    limits = parser.add_argument_group("limits of the search (default: the solver's own)")
    limits.add_argument("--seconds", type=float, metavar="X", help="CPU seconds a move")
    limits.add_argument("--nodes", type=int, metavar="N", help="positions visited a move")
    limits.add_argument("--depth", type=int, metavar="N", help="plies looked ahead")


def add_solver(parser: argparse.ArgumentParser) -> None:
    """``--solver``."""
    parser.add_argument("--solver", metavar="NAME[:KEY=VALUE,...]", help="such as lookahead:depth=3")


def solver_of(args: argparse.Namespace, game: Game[Any, Any]) -> Solver:
    """The solver the arguments name, else the game's usual one; raises SettingsError."""
    from solvers import DEFAULTS, find_solver

    return find_solver(args.solver or DEFAULTS.get(game.name, "random"), game.name)


def game_of(args: argparse.Namespace) -> Game[Any, Any]:
    """The game the arguments name; raises SettingsError."""
    from games import find_game

    return find_game(args.game)


def options_of(args: argparse.Namespace) -> Options:
    """The variant the arguments ask for; raises SettingsError."""
    names = ("size", "variant", *NUMBERS)
    return options_from({name: getattr(args, name) for name in names if getattr(args, name) is not None})


def options_from(values: Mapping[str, object]) -> Options:
    """The variant that `values` describe: ``size`` ("14x14"), or ``rows`` and ``cols``, and the other options by name.

    Raises SettingsError for a name that is no option and a value of the wrong kind.

    >>> options_from({"size": "7x8", "colours": 6}).cols
    8
    """
    from games.core import Options, SettingsError

    settings: dict[str, Any] = {}
    for name, value in values.items():
        if name == "size" and isinstance(value, str):
            settings["rows"], settings["cols"] = parse_size(value)
        elif name == "variant" and isinstance(value, str):
            settings["variant"] = value
        elif name in ("rows", "cols", *NUMBERS) and type(value) is int and 0 <= value <= MOST:
            settings[name] = value
        else:
            raise SettingsError(
                f"option {name!r} cannot be {value!r}: size is a text such as '14x14', variant a name, "
                f"and rows, cols, {', '.join(NUMBERS)} are whole numbers from 0 to {MOST:.0e}"
            )
    return Options(**settings)


def parse_size(text: str) -> tuple[int, int]:
    """Rows and columns of ``14x14``, or of ``14`` for a square; raises SettingsError."""
    rows, times, cols = text.strip().lower().partition("x")
    sides = (rows, cols if times else rows)
    if all(side.isdecimal() and len(side) <= 4 for side in sides):
        return int(sides[0]), int(sides[1])
    from games.core import SettingsError

    raise SettingsError(f"{text!r} is no board size: write ROWSxCOLS, such as 14x14")


def limit_of(args: argparse.Namespace) -> Limit:
    """The limit the arguments set; raises SettingsError."""
    return limit_from({"seconds": args.seconds, "nodes": args.nodes, "depth": args.depth})


def limit_from(values: Mapping[str, object]) -> Limit:
    """The limit of ``seconds``, ``nodes`` and ``depth``, each a number above 0 or None; raises SettingsError."""
    from games.core import SettingsError
    from solvers.core import Limit

    kinds: dict[str, tuple[type, ...]] = {"seconds": (int, float), "nodes": (int,), "depth": (int,)}
    for name, value in values.items():
        if name not in kinds:
            raise SettingsError(f"{name!r} is no limit of a search: choose from {', '.join(kinds)}")
        if value is None:
            continue
        if type(value) not in kinds[name] or not 0 < value <= MOST:  # type: ignore[operator]
            kind = "number" if float in kinds[name] else "whole number"
            raise SettingsError(f"{name} cannot be {value!r}: a limit is a {kind} above 0, at most {MOST:.0e}")
    return Limit(**values)  # type: ignore[arg-type]


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


def bounded_lines(file: IO[bytes], *, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of `file` without their ends; of a line of more than `longest` bytes only one more than these."""
    while line := file.readline(longest + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(longest)
        yield line.rstrip(b"\r\n")[: longest + 1]
