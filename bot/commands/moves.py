"""List the legal moves of a position; none when the game is over."""

from __future__ import annotations

import argparse
import json
from typing import Any

from bot.commands.options import add_game, add_json, add_position, game_of, options_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight moves``."""
    add_game(parser)
    add_position(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the moves as texts, one a line or as ``{"moves": [...]}``."""
    game = game_of(args)
    state: Any = game.parse(" ".join(args.position), options_of(args))
    moves = [game.format_move(move, state) for move in state.legal_moves()]
    if args.json:
        print(json.dumps({"moves": moves}))
    elif moves:
        print(*moves, sep="\n")
    return 0
