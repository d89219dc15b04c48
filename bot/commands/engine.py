"""Answer another program: one JSON object a line on standard input, one for each on standard output, in order.

    {"cmd": "new", "size": "7x8", "colours": 6}     a new game and its options
    {"cmd": "position", "text": "4453"}             set the position
    {"cmd": "play", "move": "4"}                    make a move
    {"cmd": "go", "seconds": 1.0}                   search (also "nodes", "depth"); the answer is that of `solve`
    {"cmd": "options"}                              what "new" and "go" may be told, and what holds
    {"cmd": "stop"}                                 end the searches asked for so far: they answer the best they have
    {"cmd": "quit"}                                 the same, and end

Every answer has "ok"; where that is false, "error" and "message" say why, and the next line is read.
With "info": true, "go" also writes lines {"info": {...}} before its answer, one for each better move found.

With --gtp it speaks the Go Text Protocol instead, as Pentobi does: set_game, boardsize, clear_board, play, genmove,
undo, final_score and others (list_commands).  With --qtp it speaks the Quoridor Text Protocol, which has playmove,
playwall, genmove, winner and others.
"""

from __future__ import annotations

import argparse
import sys

from bot.commands.options import add_game, add_limit, add_solver, game_of, limit_of, options_of, solver_of
from bot.protocol.engine import EngineSession, serve
from bot.protocol.gtp import GtpSession, serve_gtp
from bot.protocol.lines import bounded_lines
from bot.protocol.qtp import QtpSession


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight engine``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_game(parser)
    add_solver(parser)
    add_limit(parser)
    protocol = parser.add_mutually_exclusive_group()
    protocol.add_argument("--gtp", action="store_true", help="speak the Go Text Protocol")
    protocol.add_argument("--qtp", action="store_true", help="speak the Quoridor Text Protocol")


def run(args: argparse.Namespace) -> int:
    """Read commands until ``quit`` or the end of the input."""
    game = game_of(args)
    told = (game, solver_of(args, game), options_of(args), limit_of(args))
    lines = bounded_lines(sys.stdin.buffer)
    if args.gtp or args.qtp:
        serve_gtp(QtpSession(*told) if args.qtp else GtpSession(*told), lines)
    else:
        serve(EngineSession(*told), lines)
    return 0
