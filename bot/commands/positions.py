"""Positions that are answered one after the other: a command's argument, or the lines of a file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.commands.options import add_json, lines_of, options_of
from bot.protocol.answer import error_answer
from bot.protocol.lines import LONGEST_LINE

if TYPE_CHECKING:
    from bot.protocol.answer import Answer
    from games.core import Game, Options


def add_positions(parser: argparse.ArgumentParser) -> None:
    """The position, ``--positions``, ``--json`` and ``--json-lines``; the words of one need no quotes."""
    parser.add_argument("position", nargs="*", metavar="POSITION", help="position text (default: the start)")
    parser.add_argument("--positions", metavar="FILE", help="a position a line, - for standard input; empty: the start")
    add_json(parser)
    parser.add_argument(
        "--json-lines", action="store_true", help="print one JSON object a position; errors stand in their line"
    )


def parsed_positions(args: argparse.Namespace, game: Game[Any, Any]) -> Iterator[Callable[[], Any]]:
    """Functions that give a position each, or raise what is wrong with its text.

    Raises SettingsError where both an argument and a file name positions, or the file cannot be read.
    """
    from games.core import SettingsError

    if args.positions is not None and args.position:
        raise SettingsError("--positions takes the positions from its file alone")
    if args.positions is not None:
        yield from positions_in(args.positions, game, options_of(args))
    else:
        yield partial(parsed, " ".join(args.position), game, options_of(args))


def positions_in(path: str, game: Game[Any, Any], options: Options) -> Iterator[Callable[[], Any]]:
    """Functions that give the position of each line of a file, or raise what is wrong with its text.

    Raises SettingsError where the file cannot be read.
    """
    for text in lines_of(path):
        yield partial(parsed, text, game, options)


def parsed(text: str, game: Game[Any, Any], options: Options) -> Any:
    """The position of a text; raises PositionError."""
    from games.core import PositionError

    if len(text) > LONGEST_LINE:
        raise PositionError(f"a position has at most {LONGEST_LINE} letters")
    return game.parse(text, options)


def answer_each(
    args: argparse.Namespace,
    positions: Iterator[Callable[[], Any]],
    answer: Callable[[Any], Answer],
    lines: Callable[[Answer], Iterator[str]],
) -> int:
    """Prints the answer to each position, as JSON or in `lines`; status 1 where a line of a file had none.

    Raises what is wrong with a position that stands alone.
    """
    alone = args.positions is None and not args.json_lines
    if alone:
        return print_each(args, (answer(position()) for position in positions), lines)
    return print_each(args, (answered(position, answer) for position in positions), lines)


def answered(position: Callable[[], Any], answer: Callable[[Any], Answer]) -> Answer:
    """The answer to a position, or the object that says what is wrong with it."""
    from games.core import BoardsightError

    try:
        return answer(position())
    except BoardsightError as error:
        return error_answer(error)


def print_each(args: argparse.Namespace, answers: Iterator[Answer], lines: Callable[[Answer], Iterator[str]]) -> int:
    """Prints answers, as JSON or in `lines`; status 1 where one is an error."""
    status = 0
    for told in answers:
        status |= "error" in told
        as_json = args.json or args.json_lines
        said = [json.dumps(told)] if as_json else [told["message"]] if "error" in told else lines(told)
        for line in said:
            print(line, flush=True)
    return status
