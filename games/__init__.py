"""The rules of the games Boardsight plays, and the registry that names them.

>>> from games import find_game
>>> find_game("flood_it").name
'flood_it'
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from games.core import Game, SettingsError, choices

GAMES: dict[str, str] = {
    "flood_it": "games.flood_it",
    "filler": "games.filler",
    "connect_four": "games.connect_four",
    "blokus": "games.blokus",
    "quoridor": "games.quoridor",
    "reversi": "games.reversi",
    "mnk": "games.mnk",
}
"""Name of each game -> the module whose ``GAME`` plays it."""


def find_game(name: str) -> Game[Any, Any]:
    """The game called `name`; raises SettingsError naming the games there are."""
    try:
        module = GAMES[name]
    except KeyError:
        raise SettingsError(f"no game is called {name!r}; {choices(name, GAMES)}") from None
    game: Game[Any, Any] = import_module(module).GAME
    return game


def part_of(game: str, package: str) -> ModuleType | None:
    """What another room says of a game in the module or package of that name in `package`, None where it says nothing.

    >>> part_of("filler", "solvers").__name__
    'solvers.filler'
    """
    name = f"{package}.{game}"
    return import_module(name) if game in GAMES and find_spec(name) else None


__all__ = ["GAMES", "find_game", "part_of"]
