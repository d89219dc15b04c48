"""What a person reads in the terminal, in colours only where they are wanted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bot.play.terminal import Terminal
from bot.screens.drawn.screen import DrawnScreen
from calibration.locate import locate
from games import find_game
from solvers.core import Candidate, Decision


def announced(game: str, decision: Decision, **options: Any) -> str:
    """The line of the first move of a game."""
    rules = find_game(game)
    state = rules.deal(np.random.default_rng(1))
    return Terminal(**options).announce(rules, 1, state, decision, locate(DrawnScreen(rules, state).grab(), game))


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
    ],
)
def test_what_goes_to_no_terminal_is_coloured_where_that_is_asked_for(
    environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[48" in announced("flood_it", Decision(2, candidates=(Candidate(2),)))) == coloured
