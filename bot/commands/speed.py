"""Measure this machine: how long finding and reading a board takes, and how many positions a second solvers search.

The boards are drawn on a desktop of 1280x800 pixels; the first run takes longer, as it compiles the solvers.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from bot.commands.options import add_json
from bot.commands.table import table

TIMES = 5
"""How often finding and reading are measured; the median counts."""

PLIES = 14
"""Random moves before a search is measured: beyond the openings that a book answers."""

SECONDS = 0.3
"""CPU seconds of the measured search."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What one game takes: milliseconds to find its board and to read it, and its solver's positions a CPU second."""

    game: str
    find_ms: float
    read_ms: float
    solver: str
    positions_per_second: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight speed``."""
    parser.add_argument("--game", metavar="NAME", help="only this one (default: all games)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print a row a game, or ``{"games": [...]}``; raises SettingsError for an unknown game."""
    from games import GAMES, find_game

    names = [find_game(args.game).name] if args.game else list(GAMES)
    speeds = [speed_of(name) for name in names]
    if args.json:
        print(json.dumps({"games": [asdict(speed) for speed in speeds]}))
        return 0
    columns = ("game", "find a board, ms", "read it, ms", "solver", "positions/s")
    rows = [
        (one.game, f"{one.find_ms:.1f}", f"{one.read_ms:.2f}", one.solver, f"{one.positions_per_second:,.0f}")
        for one in speeds
    ]
    print("\n".join(table(columns, rows)))
    return 0


def speed_of(name: str) -> Speed:
    """The figures of one game with its usual solver."""
    import numpy as np

    from bot.ports import FakeClock
    from bot.screens.drawn.screen import DrawnScreen
    from calibration.locate import locate
    from calibration.looks import reader_of
    from games import find_game
    from solvers import find_solver
    from solvers.core import Limit

    game, rng = find_game(name), np.random.default_rng(1)
    state = game.deal(rng)
    frame = DrawnScreen(game, state, clock=FakeClock()).grab()
    reader = reader_of(locate(frame, name))
    solver = find_solver(game.solver, name)
    solver.decide(state, Limit(nodes=1000))  # compiles what is not compiled yet
    if game.players > 1:
        state = _played(state, PLIES, rng)
    decision = solver.decide(state, Limit(seconds=SECONDS))
    return Speed(
        game=name,
        find_ms=round(_milliseconds(lambda: locate(frame, name)), 2),
        read_ms=round(_milliseconds(lambda: reader.read(frame)), 3),
        solver=game.solver,
        positions_per_second=round(decision.nodes / max(decision.seconds, 1e-9)),
    )


def _played(state: Any, plies: int, rng: Any) -> Any:
    """The position after so many random moves, or the last one before the game ends."""
    for _ in range(plies):
        moves = state.legal_moves()
        after = state.play(moves[rng.integers(len(moves))])
        if after.outcome() is not None:
            return state
        state = after
    return state


def _milliseconds(job: Callable[[], Any]) -> float:
    """The median time of `job`."""
    spent = []
    for _ in range(TIMES):
        began = time.perf_counter()
        job()
        spent.append(1e3 * (time.perf_counter() - began))
    return median(spent)
