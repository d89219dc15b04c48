"""The games that networks play, and their encoders by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from games import find_game
from games.core import Options, SettingsError
from solvers.learned.encoder import Encoder, NetworkGame
from solvers.learned.games import blokus, connect_four, filler, flood_it, quoridor

NETWORK_GAMES: dict[str, NetworkGame] = {
    "flood_it": flood_it.NETWORK_GAME,
    "filler": filler.NETWORK_GAME,
    "connect_four": connect_four.NETWORK_GAME,
    "blokus": blokus.NETWORK_GAME,
    "quoridor": quoridor.NETWORK_GAME,
}
"""Name of each game -> what networks know of it."""

ENCODERS: dict[str, Callable[[Options], Encoder]] = {
    name: make for game in NETWORK_GAMES.values() for name, make in game.encoders.items()
}
"""The encoders by the names that cards give them; each game's own has its name."""


@lru_cache(maxsize=32)
def encoder_of(name: str, board: Options) -> Encoder:
    """The encoder of that name for the boards of a variant; raises SettingsError."""
    if name not in ENCODERS:
        raise SettingsError(f"no encoder is called {name!r}: choose one of {', '.join(ENCODERS)}")
    return ENCODERS[name](board)


@lru_cache(maxsize=32)
def full_options(game: str, board: Options) -> Options:
    """`board` with everything it leaves to the game filled in, as a dealt position says it."""
    rules = find_game(game)
    return rules.options(rules.deal(np.random.default_rng(0), board))


def check_board(game: str, board: Options, state: Any) -> None:
    """Raises SettingsError where `state` is of another variant than `board`, whatever number of moves is allowed."""
    wanted, found = (
        replace(options, limit=None) for options in (full_options(game, board), find_game(game).options(state))
    )
    if wanted != found:
        raise SettingsError(f"this player learned {describe(wanted)}, not {describe(found)}: choose another model")


def describe(board: Options) -> str:
    """A variant in a few words.

    >>> describe(Options(rows=7, cols=8, colours=6))
    '7x8, 6 colours'
    """
    words = [] if board.rows is None else [f"{board.rows}x{board.cols}"]
    words += [f"{value} {name}" for name in ("colours", "walls", "players") if (value := getattr(board, name))]
    words += [f"variant {board.variant}"] if board.variant else []
    words += [f"{board.length} in a row"] if board.length else []
    words += [f"limit {board.limit}"] if board.limit else []
    return ", ".join(words) or "the usual board"
