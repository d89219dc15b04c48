"""Count the sequences of legal moves of each length from a position, to compare two sets of rules."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bot.commands.options import add_game, game_of
from bot.commands.positions import add_positions, answer_each, parsed_positions

if TYPE_CHECKING:
    from bot.protocol.answer import Answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight perft``."""
    add_game(parser)
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="longest sequence to count")
    add_positions(parser)


def run(args: argparse.Namespace) -> int:
    """Print the counts of depth 1 to N: one a line, those of a file's position in a line, or as ``{"counts": [...]}``.

    Those of one position are printed each as soon as it is counted.
    """
    from games.core import SettingsError
    from games.perft import perft

    if args.depth < 1:
        raise SettingsError(f"--depth {args.depth} counts nothing: the shortest sequence has 1 move")
    one_by_one = args.positions is None and not (args.json or args.json_lines)

    def answer(state: Any) -> Answer:
        counts = []
        for depth in range(1, args.depth + 1):
            counts.append(perft(state, depth))
            if one_by_one:
                print(f"{depth:2d} {counts[-1]:,}", flush=True)
        return {"counts": counts}

    def lines(answer: Answer) -> Iterator[str]:
        if not one_by_one:
            yield " ".join(map(str, answer["counts"]))

    return answer_each(args, parsed_positions(args, game_of(args)), answer, lines)
