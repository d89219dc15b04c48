"""The words of the command line: every command, its arguments, and how a shell completes them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn, cast

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("watch a bundled game being found, read and won", "bot.commands.demo"),
    "play": ("find a board on the screen and play it", "bot.commands.play"),
    "calibrate": ("find the board and save where it is", "bot.commands.calibrate"),
    "read": ("read the board in screenshots", "bot.commands.read"),
    "replay": ("walk a saved run offline with today's code", "bot.commands.replay"),
    "report": ("write the HTML page of a saved run, or its film", "bot.commands.report"),
    "keep": ("turn a step of a run into a test's fixture", "bot.commands.keep"),
    "doctor": ("say what keeps the bot from playing on this machine", "bot.commands.doctor"),
    "warm": ("compile a game's solver beforehand, so that its first move comes at once", "bot.commands.warm"),
    "speed": ("measure finding, reading and searching on this machine", "bot.commands.speed"),
    "moves": ("list the legal moves of a position", "bot.commands.moves"),
    "perft": ("count the positions at each depth", "bot.commands.perft"),
    "solve": ("find the best move of a position, or of a file of positions", "bot.commands.solve"),
    "analyse": ("say of each move of a recorded game what a solver thinks of it", "bot.commands.analyse"),
    "estimate": ("estimate how many nodes a game's tree has", "bot.commands.estimate"),
    "engine": ("answer another program, one JSON object a line", "bot.commands.engine"),
    "arena": ("play a match between two players and measure the difference", "bot.commands.arena"),
    "tune": ("look for better values of a solver's options by games", "bot.commands.tune"),
    "train": ("let a player learn a game, or go on with a stopped run", "bot.commands.train"),
    "models": ("list, verify, show and measure the learned players", "bot.commands.models"),
    "config": ("show every setting of play, its value and where it is from", "bot.commands.config"),
    "shell": ("print completion for your shell, or the manual page", "bot.commands.shell"),
    "serve": ("play any game against any solver in the browser and see how it decides", "bot.commands.serve"),
}
"""Name of each command -> its line in the help, the module with its ``add_arguments`` and ``run``."""

DESCRIPTION = "Finds a board game on the screen, reads it, solves it and plays it."

PARTS = ("numpy", "numba", "opencv-python-headless", "playwright", "onnxruntime", "torch")
"""Packages of which a report of a fault should name the versions."""


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser of one command with all its arguments."""
    subparsers = next(action for action in parser_for(command)._actions if action.dest == "command")
    chosen: argparse.ArgumentParser = cast("dict[str, argparse.ArgumentParser]", subparsers.choices)[command]
    return chosen


def complete() -> None:
    """Answers the shell that asks how the line in its environment may go on, and ends the process."""
    import argcomplete

    from games import GAMES
    from solvers import solver_names
    from solvers.models import models_of

    def solvers(parsed_args: argparse.Namespace, **_: object) -> Sequence[str]:
        return [*solver_names(parsed_args.game), *models_of(parsed_args.game)] if parsed_args.game in GAMES else []

    known = {"game": lambda **_: GAMES, "solver": solvers}
    words = os.environ.get("COMP_LINE", "").split()
    parser = parser_for(words[1] if len(words) > 1 else "")
    for action in _actions(parser):
        if action.dest in known:
            action.completer = known[action.dest]  # type: ignore[attr-defined]  # argcomplete's
    argcomplete.autocomplete(parser)


class _Parser(argparse.ArgumentParser):
    """Says of a word that it does not know which one may be meant."""

    def error(self, message: str) -> NoReturn:
        """Prints the message and ends the process with status 2."""
        if "invalid choice" in message:
            unknown, *known = re.findall(r"'([^']*)'", message)
            words = [unknown]
        else:
            words = re.findall(r"--[a-z-]+", message)
            known = [flag for action in _actions(self) for flag in action.option_strings]
        meant = [close for word in words for close in get_close_matches(word, known, 1)]
        super().error(message + "".join(f"; did you mean {word}?" for word in meant))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its commands, as far as these know theirs."""
    for action in parser._actions:
        yield action
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from _actions(command)


def parser_for(chosen: str) -> argparse.ArgumentParser:
    """The parser of every command; only the `chosen` one knows its own arguments."""
    parser = _Parser(prog="boardsight", description=DESCRIPTION)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the versions of what matters and exit")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (line, module) in COMMANDS.items():
        command = subparsers.add_parser(name, help=line)
        if name == chosen:
            code = import_module(module)
            command.description = code.__doc__
            code.add_arguments(command)
    return parser


class _Version(argparse.Action):
    """Prints the installed versions; a class of its own because looking them up takes as long as the whole help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version
        from platform import platform, python_version

        print("boardsight", version("boardsight"))
        print(f"python {python_version()} on {platform()}")
        for name in PARTS:
            try:
                print(name, version(name))
            except PackageNotFoundError:
                print(name, "not installed")
        parser.exit()
