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

from games import find_game, part_of
from games.core import SettingsError, choices
from solvers.core import Solver
from solvers.readable import READABLE

LIGHT = "light"
"""The player that needs nothing compiled: it plays until another one is ready."""

ANY = {"random": "solvers.baseline:Random", LIGHT: "solvers.light:Light"}
"""Name of each solver that plays every game -> where it stands."""

FROM_RULES = {"alphabeta": "solvers.any_game:AlphaBeta", "greedy": "solvers.any_game:Greedy"}
"""The same of those that play a game of one or two sides by its rules, where it has none of its own."""


LEVELS = {"level": "solvers.levels:LevelPlayer"}
"""The same of the levels for people to play against, which each game of two has."""


def solvers_of(game: str) -> dict[str, str]:
    """Name of each solver of `game` -> where it stands: what ``solvers.GAME`` says, else those that play any game."""
    own = part_of(game, "solvers")
    players = find_game(game).players
    generic = {**READABLE, **FROM_RULES} if players <= 2 else {}
    return {**ANY, **(LEVELS if players == 2 else {}), **getattr(own, "SOLVERS", generic)}


def solver_names(game: str) -> list[str]:
    """The names of the solvers that play `game`."""
    return list(solvers_of(game))


def find_solver(spec: str, game: str) -> Solver:
    """The solver that `spec` names, such as ``random`` or ``lookahead:depth=3,prefer=finish``, or a model's name.

    Raises SettingsError that names the solvers, the models or the options there are.
    """
    from solvers.models import models_of

    name, _, options = spec.partition(":")
    place = solvers_of(game).get(name)
    if place is None and spec in models_of(game):
        learned: Solver = import_module("solvers.learned.player").player_for(game, spec)
        return learned
    if place is None:
        known = (*solver_names(game), *models_of(game))
        raise SettingsError(f"no solver of {game} is called {name!r}; {choices(name, known)}")
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
    """Keyword arguments for `make`, a dataclass, from ``key=value,key=value``; its `game`, if it has one, is `game`.

    The first part may be a value alone where `make` names the option that is meant in `alone`.
    """
    kinds = {field.name: field for field in fields(make) if field.init}
    values: dict[str, Any] = {"game": game} if kinds.pop("game", None) else {}
    alone = getattr(make, "alone", "")
    if alone and text and "=" not in text.split(",", maxsplit=1)[0]:
        text = f"{alone}={text}"
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


__all__ = ["LIGHT", "files_named", "find_solver", "parse_value", "solver_names", "solvers_of"]
