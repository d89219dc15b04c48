"""The models that come with Boardsight: for each a card, NAME.toml, and its weights."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent


def model_names() -> list[str]:
    """The names of the models that come with Boardsight."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def models_of(game: str) -> tuple[str, ...]:
    """The names of the models that come with Boardsight and play `game`."""
    cards = {name: tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")) for name in model_names()}
    return tuple(name for name, card in cards.items() if card["game"] == game)
