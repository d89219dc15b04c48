"""What a table points out on a board: where a move is to be seen, and which module of the page draws it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from games import find_game
from games.core import Game

DRAWINGS = Path(__file__).parent / "static" / "games"
"""The modules of the page that draw games: one that a game needs of its own is named as it is."""

ANY_GAME = "cells"
"""The one that draws all others."""

COLUMNS = "123456789abcdefghijklmnopqrstuvwxyz"
"""How columns are named by moves that are columns."""


def drawing_of(game: str) -> str:
    """The module that draws a game: its own, or the one that its facts ask for."""
    return game if (DRAWINGS / f"{game}.js").is_file() else _fitting(find_game(game))


@cache
def _fitting(game: Game[Any, Any]) -> str:
    state = game.deal(np.random.default_rng(0))
    columns = len(game.show(state).grid[0])
    moves = [game.format_move(move, state) for move in state.legal_moves()]
    if game.pieces_fall and moves == [*COLUMNS[:columns]]:
        return "falling"
    return "territories" if "owner" in game.marks(state) else ANY_GAME


def changed(before: list[list[int]], after: list[list[int]]) -> list[tuple[int, int]]:
    """The cells that show something else than they did, and not nothing: where a move is to be seen."""
    return [
        (row, col)
        for row, (olds, news) in enumerate(zip(before, after, strict=True))
        for col, (old, new) in enumerate(zip(olds, news, strict=True))
        if old != new and new
    ]
