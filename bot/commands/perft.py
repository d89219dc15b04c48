"""Count the sequences of legal moves of each length from a position, to compare two sets of rules."""

from __future__ import annotations

import argparse
import json
from typing import Any

from bot.commands.options import add_game, add_json, add_position, game_of, options_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight perft``."""
    add_game(parser)
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="longest sequence to count")
    add_position(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the counts of depth 1 to N, one a line or as ``{"counts": [...]}``."""
    from games.core import SettingsError
    from games.perft import perft

    if args.depth < 1:
        raise SettingsError(f"--depth {args.depth} counts nothing: the shortest sequence has 1 move")
    game = game_of(args)
    state: Any = game.parse(" ".join(args.position), options_of(args))
    counts = []
    for depth in range(1, args.depth + 1):
        counts.append(perft(state, depth))
        if not args.json:
            print(f"{depth:2d} {counts[-1]:,}", flush=True)
    if args.json:
        print(json.dumps({"counts": counts}))
    return 0
