"""The players: every solver, found by its name and its game.

>>> from solvers import find_solver
>>> find_solver("random:seed=3", "flood_it")
Random(seed=3)
"""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module
from typing import Any

from games.core import SettingsError
from solvers.core import Solver

TWO_PLAYERS = {
    "alphabeta-readable": "solvers.readable.alphabeta:AlphaBeta",
    "mcts-readable": "solvers.readable.mcts:Mcts",
}
"""The solvers of any game in which one side wins what the other loses."""

SOLVERS: dict[str, dict[str, str]] = {
    "*": {"random": "solvers.baseline:Random"},
    "filler": {
        **TWO_PLAYERS,
        "exact": "solvers.filler:Exact",
        "alphabeta": "solvers.filler:AlphaBeta",
        "mcts": "solvers.filler:Mcts",
        "alphazero": "solvers.learned.search:NetworkSearch",
        "network": "solvers.learned.player:NetworkPlayer",
        "greedy": "solvers.filler:Greedy",
    },
    "connect_four": {
        **TWO_PLAYERS,
        "exact": "solvers.connect_four.players:Exact",
        "alphabeta": "solvers.connect_four.players:AlphaBeta",
        "mcts": "solvers.connect_four.players:Mcts",
        "alphazero": "solvers.learned.search:NetworkSearch",
        "network": "solvers.learned.player:NetworkPlayer",
    },
    "quoridor": {
        **TWO_PLAYERS,
        "alphabeta": "solvers.quoridor.players:AlphaBeta",
        "mcts": "solvers.quoridor.players:Mcts",
        "alphazero": "solvers.learned.search:NetworkSearch",
        "network": "solvers.learned.player:NetworkPlayer",
        "draft": "solvers.quoridor.players:Draft",
        "exact": "solvers.quoridor.players:Exact",
    },
    "blokus": {
        "heuristic": "solvers.blokus.players:Heuristic",
        "minimax": "solvers.blokus.players:Minimax",
        "alphabeta": "solvers.blokus.players:AlphaBeta",
        "exact": "solvers.blokus.players:Exact",
        "mixed": "solvers.blokus.players:Mixed",
        "mcts": "solvers.blokus.mcts:Mcts",
        "alphazero": "solvers.learned.search:NetworkSearch",
        "network": "solvers.learned.player:NetworkPlayer",
        "q-table": "solvers.learned.q_table:QTablePlayer",
    },
    "flood_it": {
        "greedy": "solvers.flood_it:Greedy",
        "lookahead": "solvers.flood_it:Lookahead",
        "beam": "solvers.flood_it:Beam",
        "exact": "solvers.flood_it:Exact",
        "anytime": "solvers.flood_it:Anytime",
    },
}
"""Game -> name of a solver -> where it stands; ``*`` plays every game."""

DEFAULTS: dict[str, str] = {
    "flood_it": "anytime",
    "filler": "exact",
    "connect_four": "exact",
    "blokus": "mcts",
    "quoridor": "alphabeta",
}
"""The solver that plays when none is named."""


def solver_names(game: str) -> list[str]:
    """The names of the solvers that play `game`."""
    return [*SOLVERS["*"], *SOLVERS.get(game, {})]


def find_solver(spec: str, game: str) -> Solver:
    """The solver that `spec` names, such as ``random`` or ``lookahead:depth=3,prefer=finish``.

    Raises SettingsError that names the solvers or the options there are.
    """
    name, _, options = spec.partition(":")
    place = {**SOLVERS["*"], **SOLVERS.get(game, {})}.get(name)
    if place is None:
        raise SettingsError(f"no solver of {game} is called {name!r}; choose one of: {', '.join(solver_names(game))}")
    module, _, factory = place.partition(":")
    make = getattr(import_module(module), factory)
    solver: Solver = make(**_parse_options(name, options, make, game))
    return solver


def files_named(spec: str) -> list[str]:
    """The options in `spec`, those of nested players included, that name a file, each as ``key=value``.

    What a stranger's settings or run asks for must name none: `cache` is written to, and a model may be any file.  A
    model that comes with Boardsight is none.

    >>> files_named("alphabeta:depth=4,cache=/etc/motd")
    ['cache=/etc/motd']
    """
    from solvers.models import model_names

    options = [(key, value.strip()) for key, value in re.findall(r"\b(cache|model)\s*=([^,]*)", spec)]
    known = model_names() if options else []
    return [f"{key}={value}" for key, value in options if key == "cache" or value not in known]


def _parse_options(name: str, text: str, make: Any, game: str) -> dict[str, Any]:
    """Keyword arguments for `make`, a dataclass, from ``key=value,key=value``; its `game`, if it has one, is `game`."""
    kinds = {field.name: field for field in fields(make) if field.init}
    values: dict[str, Any] = {"game": game} if kinds.pop("game", None) else {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or key not in kinds:
            raise SettingsError(
                f"solver {name!r} has no option {part!r}; write key=value with a key of: {', '.join(kinds) or 'none'}"
            )
        values[key] = parse_value(f"option {key}={value!r} of solver {name!r}", value, kinds[key].default)
    return values


def parse_value(what: str, text: str, default: object) -> Any:
    """The value that `text` gives to an option or setting, of the type of its default; raises SettingsError.

    what: the option, for the message.  Tuples of numbers are joined by ``+``, such as ``256+128``.
    """
    try:
        match default:
            case bool():
                return {"true": True, "false": False}[text.lower()]
            case int() | float():
                return type(default)(text)
            case tuple():
                return tuple(type(default[0])(part) for part in text.split("+"))
    except (KeyError, ValueError):
        raise SettingsError(f"{what} is no {type(default).__name__}") from None
    return text


__all__ = ["DEFAULTS", "SOLVERS", "files_named", "find_solver", "parse_value", "solver_names"]
