"""The command line of `boardsight`: what a command says, fails with, and how it ends."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from bot.commands.parser import COMMANDS, DESCRIPTION, complete, parser_for
from bot.progress import INTERRUPTED

BEGIN = f"""{DESCRIPTION}

Begin with one of these:
  boardsight demo                  watch a game being found, read and won
  boardsight play --url ADDRESS    play the board of a page; without --url, the one on the screen
  boardsight doctor                say what keeps the bot from playing on this machine

All commands: boardsight --help
"""
"""What somebody sees who names no command."""

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
    if "_ARGCOMPLETE" in os.environ:
        complete()
    args = parser_for(words[0] if words else "").parse_args(words)
    if args.command is None:
        print(BEGIN, end="")
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


def _report(error: Exception, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"error": type(error).__name__, "message": str(error)}))
    else:
        print("\n".join([f"boardsight: {error}", *getattr(error, "__notes__", [])]), file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
