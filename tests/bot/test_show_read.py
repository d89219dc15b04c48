"""What a game shows is what is read from its picture, at two scales and with noise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.cli import main
from bot.ports import FakeClock
from bot.screens.drawn.screen import DrawnScreen
from bot.storage.pictures import save_picture
from calibration.looks import reader_of
from games import GAMES, find_game

NOISE = 4.0
"""Standard deviation of each channel: more than JPEG of usual quality adds inside a cell."""


def states(game: Any, rng: np.random.Generator) -> list[Any]:
    """Every sixth position of a random game."""
    state = game.deal(rng)
    seen = [state]
    while state.outcome() is None and len(seen) < 40:
        moves = state.legal_moves()
        state = state.play(moves[rng.integers(len(moves))])
        seen.append(state)
    return seen[::6]


@pytest.mark.parametrize("scale", [1.0, pytest.param(1.5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_shown_is_read_back(name: str, scale: float) -> None:
    game = find_game(name)
    rng = np.random.default_rng(7)
    for number, state in enumerate(states(game, rng)):
        screen = DrawnScreen(game, state, clock=FakeClock(), scale=scale, noise=NOISE, seed=number)
        observation = reader_of(screen.calibration()).read(screen.grab())
        assert observation.grid.tolist() == game.show(state).grid.tolist()
        assert observation.confidence.min() > 0.5
        shown = game.show(state)
        assert game.read(type(shown)(observation.grid, observation.confidence, shown.numbers)) == game.read(shown)


def test_a_court_is_told_in_words_with_its_pawns_and_walls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = find_game("quoridor")
    screen = DrawnScreen(game, game.parse("e2 e8 e3h d5v"), clock=FakeClock())
    save_picture(tmp_path / "court.png", screen.grab().pixels)
    assert main(["read", str(tmp_path / "court.png"), "--game", "quoridor"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert "Quoridor, 9x9" in head
    words = "\n".join(lines)
    assert words.count(".") == 81 - 2
    assert sorted(words.replace(".", "").split()) == ["-----", "1", "2", "|", "|", "|"]
