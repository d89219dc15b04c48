"""Print what a shell reads to complete this command's words, or the manual page.

bash: ``boardsight shell bash >> ~/.bashrc``; zsh: the same into ~/.zshrc; fish: into
~/.config/fish/completions/boardsight.fish; man: ``boardsight shell man > /usr/local/share/man/man1/boardsight.1``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser

SHELLS = ("bash", "zsh", "fish")
MAN = "man"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight shell``."""
    parser.add_argument("what", choices=(*SHELLS, MAN), help="the shell, or man for the manual page")


def run(args: argparse.Namespace) -> int:
    """Print the text."""
    if args.what == MAN:
        from bot.commands.parser import COMMANDS, parser_of

        print(*manual([parser_of(name) for name in COMMANDS]), sep="\n")
        return 0
    from argcomplete.shell_integration import shellcode

    print(shellcode(["boardsight"], shell=args.what))
    return 0


def manual(commands: list[ArgumentParser]) -> Iterator[str]:
    """The lines of the manual page of these commands, as man(7) reads them."""
    from importlib.metadata import version

    from bot.commands.parser import DESCRIPTION

    yield f'.TH BOARDSIGHT 1 "" "boardsight {version("boardsight")}"'
    yield from (".SH NAME", r"boardsight \- finds a board game on the screen, reads it, solves it and plays it")
    yield from (".SH SYNOPSIS", ".B boardsight", ".I COMMAND", "[options]", ".SH DESCRIPTION", _plain(DESCRIPTION))
    yield ".SH COMMANDS"
    for command in commands:
        yield f'.SS "{command.prog}"'
        yield _plain(command.description or "")
        for action in command._actions:  # argparse has no public way to ask
            if action.help not in (None, argparse.SUPPRESS) and action.dest != "help":
                yield from (".TP", f".B {_plain(_named(action))}", _plain(action.help % vars(action)))


def _named(action: argparse.Action) -> str:
    """The flags of an argument and what it takes, as its help shows them."""
    takes = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if action.choices and not action.metavar:
        takes = "{" + ",".join(map(str, action.choices)) + "}"
    return f"{', '.join(action.option_strings)} {takes}".strip()


def _plain(text: str) -> str:
    r"""Text in which roff finds no commands.

    >>> _plain("--seed S")
    '\\-\\-seed S'
    """
    lines = text.replace("\\", r"\e").replace("-", r"\-").splitlines()
    return "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in lines)
