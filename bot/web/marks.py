"""What a table points out on a board: where a move is to be seen."""

from __future__ import annotations

from pathlib import Path

DRAWINGS = Path(__file__).parent / "static" / "games"
"""The modules of the page that draw games, each named as its game is."""

ANY_GAME = "cells"
"""The one that draws all others."""


def drawing_of(game: str) -> str:
    """The module that draws a game."""
    return game if (DRAWINGS / f"{game}.js").is_file() else ANY_GAME


def changed(before: list[list[int]], after: list[list[int]]) -> list[tuple[int, int]]:
    """The cells that show something else than they did, and not nothing: where a move is to be seen."""
    return [
        (row, col)
        for row, (olds, news) in enumerate(zip(before, after, strict=True))
        for col, (old, new) in enumerate(zip(olds, news, strict=True))
        if old != new and new
    ]
