"""Compile what a game's solver needs beforehand, so that its first move comes at once.

Without a game, what the usual solver of every game needs.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from bot.commands.options import add_solver, add_variant, options_of
from bot.progress import ProgressLine

SHORT = 0.1
"""CPU seconds of the decision for which everything is compiled."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("game", nargs="?", metavar="GAME", help="the name of one game (default: every game)")
    add_solver(parser)
    add_variant(parser)


def run(args: argparse.Namespace) -> int:
    """Compile for one game, or for each, and say how long it took."""
    from games import GAMES, find_game

    for name in [args.game] if args.game else GAMES:
        _warm(find_game(name), args)
    return 0


def _warm(game: Any, args: argparse.Namespace) -> None:
    """Has a solver decide about a dealt position, which has everything compiled that is not in the cache."""
    import numpy as np

    from solvers import find_solver
    from solvers.core import Limit
    from solvers.kernels import Compiling
    from solvers.kernels.ready import expected_seconds, mark_of, note_ready

    spec = args.solver or game.solver
    solver, state = find_solver(spec, game.name), game.deal(np.random.default_rng(0), options_of(args))
    mark, began = mark_of(game.name, spec, solver, state), time.process_time()
    expected = expected_seconds(game.name, spec)

    with ProgressLine() as line:

        def show(kernels: int) -> None:
            line.show(f"{game.title}: {time.process_time() - began:.0f} s of about {expected:.0f} s")

        with Compiling(show) as compiling:
            solver.decide(state, Limit(seconds=SHORT))
    spent = time.process_time() - began
    note_ready(mark, game.name, spec, spent if compiling.kernels else 0.0)
    print(f"{game.title}: {f'ready after {spent:.1f} CPU s' if compiling.kernels else 'ready'}", flush=True)
