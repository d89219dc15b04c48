"""The commands of `boardsight`: each command's module is imported only when that command runs."""

from __future__ import annotations

import argparse
import errno
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("watch a bundled game being found, read and won", "bot.commands.demo"),
    "play": ("find a board on the screen and play it", "bot.commands.play"),
    "calibrate": ("find the board and save where it is", "bot.commands.calibrate"),
    "read": ("read the board in screenshots", "bot.commands.read"),
    "replay": ("walk a saved run offline with today's code", "bot.commands.replay"),
    "report": ("write the HTML page of a saved run", "bot.commands.report"),
    "keep": ("turn a step of a run into a test's fixture", "bot.commands.keep"),
    "doctor": ("say what keeps the bot from playing on this machine", "bot.commands.doctor"),
    "speed": ("measure finding, reading and searching on this machine", "bot.commands.speed"),
    "moves": ("list the legal moves of a position", "bot.commands.moves"),
    "perft": ("count the positions at each depth", "bot.commands.perft"),
    "solve": ("find the best move of a position, or of a file of positions", "bot.commands.solve"),
    "analyse": ("say of each move of a recorded game what a solver thinks of it", "bot.commands.analyse"),
    "estimate": ("estimate how many nodes a game's tree has", "bot.commands.estimate"),
    "engine": ("answer another program, one JSON object a line", "bot.commands.engine"),
    "arena": ("play a match between two players and measure the difference", "bot.commands.arena"),
    "train": ("let a player learn a game, or go on with a stopped run", "bot.commands.train"),
    "models": ("list, verify, show and measure the learned players", "bot.commands.models"),
    "serve": ("play any game against any solver in the browser and see how it decides", "bot.commands.serve"),
}
"""Name of each command -> its line in the help, the module with its ``add_arguments`` and ``run``."""

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells give it: 128 + SIGINT."""

NOT_READ = 141
"""Exit status when nobody reads the output any more, as shells give it: 128 + SIGPIPE."""

UNSAID = 2
"""Exit status when the output cannot be written."""

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""How a standard output that is full, broken or closed fails; such an error names no file."""

ELSEWHERE = "send it to a file or a terminal that takes it"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command `argv` names (default: the process's arguments) and return its exit status.

    A BoardsightError is printed as one line, or as one JSON object where ``--json`` asks for that, with status 2, and
    so is a standard output that is closed or full.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if not _has_streams():
        return UNSAID
    try:
        try:
            return _run(words)
        finally:  # also after --help, which ends by SystemExit
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return NOT_READ
    except OSError as problem:
        if problem.errno not in UNWRITABLE or problem.filename is not None:
            raise
        _discard_output()
        print(f"boardsight: standard output cannot be written ({problem.strerror}): {ELSEWHERE}", file=sys.stderr)
        return UNSAID


def _run(words: Sequence[str]) -> int:
    parser = _parser(words[0] if words else "")
    args = parser.parse_args(words)
    if args.command is None:
        parser.print_help()
        return 2
    try:
        status: int = import_module(COMMANDS[args.command][1]).run(args)
    except Exception as error:
        from games.core import BoardsightError

        if not isinstance(error, BoardsightError):
            raise
        _report(error, as_json=getattr(args, "json", False))
        return 2
    return status


def _has_streams() -> bool:
    """Whether there is a standard output to answer on; of the other two, what is closed is opened upon nothing.

    A closed stream would be None, and its number that of the next file, into which others would write then.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        if sys.stderr is not None:
            print(f"boardsight: standard output is closed: {ELSEWHERE}", file=sys.stderr)
        return False
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a file's name may be no text
    return True


def _discard_output() -> None:
    """Have what is still to be written go nowhere: the interpreter flushes standard output once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(chosen: str) -> argparse.ArgumentParser:
    """The parser of every command; only the `chosen` one knows its own arguments."""
    parser = argparse.ArgumentParser(
        prog="boardsight", description="Finds a board game on the screen, reads it, solves it and plays it."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (line, module) in COMMANDS.items():
        command = subparsers.add_parser(name, help=line)
        if name == chosen:
            code = import_module(module)
            command.description = code.__doc__
            code.add_arguments(command)
    return parser


class _Version(argparse.Action):
    """Prints the installed version; a class of its own because looking it up takes as long as the whole help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print("boardsight", version("boardsight"))
        parser.exit()


def _report(error: Exception, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"error": type(error).__name__, "message": str(error)}))
    else:
        print("\n".join([f"boardsight: {error}", *getattr(error, "__notes__", [])]), file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
