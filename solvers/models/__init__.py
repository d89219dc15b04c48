"""The models that come with Boardsight: for each a card, NAME.toml, and its weights."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def model_names() -> list[str]:
    """The names of the models that come with Boardsight."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))
