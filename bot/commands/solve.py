"""Find the best move of a position, or of every position in a file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bot.commands.answer import Answer, decide, error_answer
from bot.commands.options import (
    LONGEST_LINE,
    add_game,
    add_json,
    add_limit,
    add_position,
    add_solver,
    game_of,
    limit_of,
    lines_of,
    options_of,
    solver_of,
)
from bot.commands.table import table

if TYPE_CHECKING:
    from games.core import Game

SHOWN = 10
"""Candidates that a person is shown; JSON has them all."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of ``boardsight solve``."""
    parser = subparsers.add_parser("solve", description=__doc__)
    add_game(parser)
    add_solver(parser)
    add_limit(parser)
    add_position(parser)
    parser.add_argument("--positions", metavar="FILE", help="a position a line, - for standard input; empty: the start")
    add_json(parser)
    parser.add_argument(
        "--json-lines", action="store_true", help="print one JSON object a position; errors stand in their line"
    )
    parser.add_argument("--png", metavar="FILE", help="also draw the boards of the line as one picture")


def run(args: argparse.Namespace) -> int:
    """Print what the solver decides in each position; status 1 where a line of a file had no answer."""
    from games.core import BoardsightError, SettingsError

    many = args.positions is not None
    args.json = args.json or args.json_lines
    if many and (args.position or args.png):
        raise SettingsError("--positions takes the positions from its file alone, and draws no picture")
    game, options, limit = game_of(args), options_of(args), limit_of(args)
    solver = solver_of(args, game)
    status = 0
    for text in lines_of(args.positions) if many else [" ".join(args.position)]:
        try:
            if len(text) > LONGEST_LINE:
                raise SettingsError(f"a position has at most {LONGEST_LINE} letters")
            state: Any = game.parse(text, options)
            answer = decide(game, solver, state, limit)
            if args.png:
                _draw(args.png, game, state, answer)
        except BoardsightError as error:
            if not many and not args.json_lines:
                raise
            answer, status = error_answer(error), 1
        print(json.dumps(answer) if args.json else "\n".join(_lines(answer, brief=many)), flush=True)
    return status


def _lines(answer: Answer, *, brief: bool) -> Iterator[str]:
    """The answer for a person: in one line, or with its line of moves and its candidates."""
    if "error" in answer:
        yield f"{answer['error']}: {answer['message']}"
        return
    if answer["move"] is None:
        yield f"no move: {answer['over']}"
        return
    yield f"{answer['move']}  {_verdict(answer)}"
    if brief:
        return
    yield f"line: {' '.join(answer['line'])} ({len(answer['line'])} moves)"
    if len(answer["best"]) > 1:
        yield f"as good: {' '.join(answer['best'])}"
    shown = answer["candidates"][:SHOWN]
    yield from table(("move", "score", "visits"), [(entry["move"], entry["score"], entry["visits"]) for entry in shown])
    if len(answer["candidates"]) > SHOWN:
        yield f"... and {len(answer['candidates']) - SHOWN} more"


def _verdict(answer: Answer) -> str:
    score = "no score" if answer["score"] is None else f"score {answer['score']:g}"
    proven = " proven" if answer["proven"] else f" (bound {answer['bound']:g})" if "bound" in answer else ""
    return f"{score}{proven}, {answer['nodes']:,} nodes, {answer['seconds'] * 1e3:.3g} ms"


def _draw(path: str, game: Game[Any, Any], state: Any, answer: Answer) -> None:
    """Save the boards from `state` to the end of the answer's line."""
    from bot.storyboard import storyboard
    from games.core import SettingsError

    states, captions = [state], ["start"]
    for number, text in enumerate(answer["line"], 1):
        states.append(states[-1].play(game.parse_move(text, states[-1])))
        captions.append(f"{number}: {text}")
    try:
        storyboard([game.show(each) for each in states], captions).save(path)
    except (OSError, ValueError) as error:
        raise SettingsError(f"cannot write the picture {path}: {error}") from error
