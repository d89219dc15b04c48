"""Look for better values of a solver's options by games against itself, all options at once (SPSA).

After Ctrl-C it says how far it came.  What it finds is no proof: the arena says whether it is stronger.
"""

from __future__ import annotations

import argparse
import json
import shlex
from contextlib import closing
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from bot.commands.options import (
    add_game,
    add_json,
    add_limit,
    add_solver,
    add_workers,
    game_of,
    limit_of,
    options_of,
    solver_of,
    workers_of,
)
from bot.progress import INTERRUPTED, ProgressLine
from bot.protocol.values import values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solvers.spsa import Knob, Shares

PAIRS = 8
"""Pairs of players that a round compares, two games each: what more workers than these could not share."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight tune``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add_game(parser)
    add_solver(parser)
    parser.add_argument("knobs", nargs="+", metavar="KEY=LOW:HIGH", help="an option, and between what it is looked for")
    parser.add_argument("--games", type=int, default=2_000, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--openings", type=int, metavar="K", help="random moves first (default: as the arena's)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of all chance (default: %(default)s)")
    add_limit(parser)
    add_workers(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the values it came to, and how to prove them; status 130 after Ctrl-C."""
    import numpy as np

    from games.core import SettingsError
    from solvers.arena import Contest, Terms, pairings, play_contest, usual_openings
    from solvers.spsa import tune
    from solvers.training.cluster import in_order

    game, options = game_of(args), options_of(args)
    if args.games < 2 * PAIRS or args.seed < 0 or (args.openings or 0) < 0:
        raise SettingsError(f"--games is at least {2 * PAIRS}, --seed and --openings at least 0")
    spec = args.solver or game.solver
    solver, rng = solver_of(args, game), np.random.default_rng(args.seed)
    knobs = [_knob(text, solver) for text in args.knobs]
    begin = [float(getattr(solver, knob.name)) for knob in knobs]
    openings = usual_openings(game, options) if args.openings is None else args.openings
    terms, rounds = Terms(options, openings, limit=limit_of(args)), args.games // (2 * PAIRS)
    came: list[Shares] = []

    with closing(workers_of(args)) as workers, ProgressLine() as line:

        def compare(number: int, players: Sequence[tuple[Shares, Shares]]) -> list[float]:
            starts = pairings(game, 2 * len(players), rng, terms)
            contests = [
                Contest(start, (_named(spec, knobs, one), _named(spec, knobs, other)), args.seed + number)
                for start, (one, other) in zip(starts, players, strict=True)
            ]
            played = in_order(workers, play_contest, contests)
            return [2 * sum(each.points for each in games) / len(games) - 1 for games in played]

        def told(number: int, at: Shares) -> None:
            came.append(at)
            line.show(f"{2 * PAIRS * (number + 1)} of {args.games} games: {_named('', knobs, at)}")

        status = 0
        try:
            found = tune(knobs, begin, rounds, PAIRS, rng, compare, told)
        except KeyboardInterrupt:
            if not came:
                raise
            found, status = came[-1], INTERRUPTED
    better = _named(spec, knobs, found)
    values = {knob.name: knob.value(share) for knob, share in zip(knobs, found, strict=True)}
    words = ["boardsight", "arena", "--game", args.game, better, spec, "--games", "10000", "--sprt", "0,10"]
    prove = shlex.join(
        [*words, *(word for key, value in values_of(terms.limit).items() for word in (f"--{key}", str(value)))]
    )
    result = {"solver": better, "games": 2 * PAIRS * len(came), "values": values, "prove": prove}
    print(
        json.dumps(result)
        if args.json
        else f"{better}, after {result['games']} games; whether it is stronger says\n{prove}"
    )
    return status


def _knob(text: str, solver: Any) -> Knob:
    """The option of `solver` that a word such as ``exploration=0.5:3`` names, and its range; raises SettingsError."""
    from games.core import SettingsError, choices
    from solvers.spsa import Knob

    name, _, bounds = text.partition("=")
    numbers = {
        each.name: getattr(solver, each.name)
        for each in (fields(solver) if is_dataclass(solver) else ())
        if type(getattr(solver, each.name)) in (int, float) and each.name != "seed"
    }
    if name not in numbers:
        raise SettingsError(f"the solver has no number called {name!r}; {choices(name, list(numbers))}")
    try:
        low, high = map(float, bounds.split(":"))
    except ValueError:
        low = high = 0.0
    if not low < high:
        raise SettingsError(f"{text!r} is no KEY=LOW:HIGH, such as {name}=0.5:3")
    return Knob(name, low, high, isinstance(numbers[name], int))


def _named(spec: str, knobs: Sequence[Knob], shares: Shares) -> str:
    """The solver with its options at `shares` of their ranges."""
    name, _, options = spec.partition(":")
    turned = {knob.name: f"{knob.value(share):.6g}" for knob, share in zip(knobs, shares, strict=True)}
    kept = [each for each in options.split(",") if each and each.partition("=")[0] not in turned]
    words = ",".join([*kept, *(f"{key}={value}" for key, value in turned.items())])
    return f"{name}:{words}" if name else words
