"""Where models are found: those that come with Boardsight by name, others by the path of their card."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from games.core import Options, SettingsError, choices
from solvers.learned.card import Card, ModelError, checked_weights, read_card
from solvers.learned.registry import describe, full_options
from solvers.models import FOLDER, model_names, models_of

Loaded = TypeVar("Loaded")


def find_model(name: str) -> Path:
    """The path of a card: of the model of that name, or `name` itself, or the card in the run's folder of that name.

    Raises SettingsError that lists the names there are.
    """
    for path in (FOLDER / f"{name}.toml", Path(name), Path(name) / "model.toml"):
        if path.suffix == ".toml" and path.is_file():
            return path
    raise SettingsError(
        f"no model is called {name!r}, and no card lies there; {choices(name, model_names())}, "
        "or name a card's file or a run's folder"
    )


def load_card(name: str, game: str) -> tuple[Card, Path]:
    """The card of a model that plays `game`, and its checked weights; raises SettingsError and ModelError."""
    path = find_model(name)
    card = read_card(path)
    if card.game != game:
        raise SettingsError(f"the model {name!r} plays {card.game}, not {game}")
    return card, checked_weights(card, path)


def load_once(name: str, game: str, load: Callable[[Card, Path], Loaded]) -> Loaded:
    """What `load` makes of a model's card and weights: made on first use, then shared by all players in all threads.

    Loaded again where either has changed.  Raises SettingsError, ModelError, and what `load` raises.
    """
    path = find_model(name).absolute()
    with _LOADING:
        written = path.stat().st_mtime_ns
        weights = _weights(path, written)
        changed = weights.stat().st_mtime_ns if weights.is_file() else 0
        loaded: Loaded = _load(path, (written, changed), game, load)
    return loaded


_LOADING = threading.Lock()
"""Held while a model is looked up or loaded."""


@lru_cache(maxsize=16)
def _weights(path: Path, changed: int) -> Path:
    return path.parent / read_card(path).weights


@lru_cache(maxsize=16)
def _load(path: Path, changed: tuple[int, int], game: str, load: Callable[[Card, Path], Any]) -> Any:
    return load(*load_card(str(path), game))


@lru_cache(maxsize=64)
def model_for(game: str, board: Options, kinds: tuple[str, ...], preferred: tuple[str, ...] = ()) -> str:
    """The name of a model that comes with Boardsight for a board, one of `preferred` first; raises SettingsError.

    kinds: the suffixes of the weights wanted.
    """
    cards = {name: read_card(FOLDER / f"{name}.toml") for name in models_of(game)}
    mine = [name for name in (*preferred, *cards) if name in cards and Path(cards[name].weights).suffix in kinds]
    for name in mine:
        if full_options(game, cards[name].board) == full_options(game, board):
            return name
    known = sorted({describe(full_options(game, cards[name].board)) for name in mine})
    raise SettingsError(
        f"no model that comes with Boardsight plays {game} on {describe(board)}: there are models for "
        f"{'; '.join(known) or 'no board'}; train one, or name one with model="
    )


__all__ = ["FOLDER", "ModelError", "find_model", "load_card", "load_once", "model_for", "model_names"]
