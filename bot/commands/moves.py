"""List the legal moves of a position, or of each one in a file; none when the game is over."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bot.commands.options import add_game, game_of
from bot.commands.positions import add_positions, answer_each, parsed_positions

if TYPE_CHECKING:
    from bot.protocol.answer import Answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight moves``."""
    add_game(parser)
    add_positions(parser)


def run(args: argparse.Namespace) -> int:
    """Print the moves as texts: one a line, those of a file's position in a line, or as ``{"moves": [...]}``."""
    game = game_of(args)

    def answer(state: Any) -> Answer:
        return {"moves": [game.format_move(move, state) for move in state.legal_moves()]}

    def lines(answer: Answer) -> Iterator[str]:
        yield from answer["moves"] if args.positions is None else (" ".join(answer["moves"]),)

    return answer_each(args, parsed_positions(args, game), answer, lines)
