"""What a game shows is what is read from its picture, at two scales and with noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bot.ports import FakeClock
from bot.screens.drawn import DrawnScreen
from bot.screens.looks import LOOKS
from calibration.observe import Reader
from games import find_game

NOISE = 4.0
"""Standard deviation of each channel: more than JPEG of usual quality adds inside a cell."""


def states(game: Any, rng: np.random.Generator) -> list[Any]:
    """Every third position of a random game."""
    state = game.deal(rng)
    seen = [state]
    while state.outcome() is None and len(seen) < 40:
        moves = state.legal_moves()
        state = state.play(moves[rng.integers(len(moves))])
        seen.append(state)
    return seen[::3]


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("name", LOOKS)
def test_what_is_shown_is_read_back(name: str, scale: float) -> None:
    game = find_game(name)
    rng = np.random.default_rng(7)
    for number, state in enumerate(states(game, rng)):
        screen = DrawnScreen(game, state, clock=FakeClock(), scale=scale, noise=NOISE, seed=number)
        observation = Reader(screen.calibration()).read(screen.grab())
        assert observation.grid.tolist() == game.show(state).grid.tolist()
        assert observation.confidence.min() > 0.5
        shown = game.show(state)
        assert game.read(type(shown)(observation.grid, observation.confidence, shown.numbers)) == game.read(shown)
