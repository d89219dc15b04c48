"""The games that networks play, and their encoders by name."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from games import GAMES, find_game, part_of
from games.core import Options, SettingsError, choices
from solvers.learned.encoder import CellPlanes, Encoder, NetworkGame


@lru_cache(maxsize=32)
def network_game(name: str) -> NetworkGame:
    """What networks know of a game: what ``solvers.learned.games.GAME`` says, else what its cells show."""
    own = part_of(name, "solvers.learned.games")
    game: NetworkGame = NetworkGame({name: partial(CellPlanes, game=name)}) if own is None else own.NETWORK_GAME
    return game


def encoder_names() -> list[str]:
    """The names that cards give to encoders: each game's own is called as the game is."""
    return [name for game in GAMES for name in network_game(game).encoders]


@lru_cache(maxsize=32)
def encoder_of(name: str, board: Options) -> Encoder:
    """The encoder of that name for the boards of a variant; raises SettingsError."""
    if name not in encoder_names():
        raise SettingsError(f"no encoder is called {name!r}; {choices(name, encoder_names())}")
    return network_game(name.partition("-")[0]).encoders[name](board)


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
