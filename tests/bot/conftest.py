"""Games played by the real loop on the drawn screen, for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.eye import Eye
from bot.journal import JournalWriter, Run, open_run
from bot.loop import Loop, Result
from bot.pointers.guard import GuardedPointer
from bot.ports import FakeClock
from bot.screens.drawn import DrawnScreen
from bot.settings import Settings
from bot.terminal import Terminal
from calibration.board import Calibration
from games import find_game
from games.core import BoardsightError, Game, Options

FLOOD_IT = find_game("flood_it")
SMALL = Options(rows=8, cols=8, colours=5, limit=25)


@dataclass
class Played:
    """What a run left: its result or its error, the screen it was played on, and its journal."""

    result: Result | None
    error: BoardsightError | None
    screen: DrawnScreen
    run: Run
    calibration: Calibration | None = None


def play(
    folder: Path,
    state: Any = None,
    *,
    game: Game[Any, Any] = FLOOD_IT,
    settings: Settings | None = None,
    mixed_up: bool = False,
    **faults: Any,
) -> Played:
    """Plays Flood-It greedily, or another game, on a drawn screen with `faults`.

    mixed_up: with a calibration whose buttons are one off.
    """
    state = FLOOD_IT.deal(np.random.default_rng(3), SMALL) if state is None else state
    settings = settings or Settings(solver="greedy", lost=3.0)
    clock = FakeClock()
    screen = DrawnScreen(game, state, clock=clock, **faults)
    result, error = None, None
    guard = GuardedPointer(screen.pointer, desktop=screen.grab().region)
    with JournalWriter(folder / "run", {"screen": "drawn", "settings": {}}) as journal:
        left = getattr(state, "left", None)
        eye = Eye(screen, clock, game.name, numbers={"left": left} if isinstance(left, int) else {})
        terminal = Terminal(colours=False)
        loop = Loop(settings, eye, guard, clock, journal, say=lambda line: None, announce=terminal.announce)
        try:
            result = loop.run(_mixed_up(screen.calibration()) if mixed_up else None)
        except BoardsightError as problem:
            error = problem
    return Played(result, error, screen, open_run(folder / "run"), eye.calibration if result else None)


def _mixed_up(calibration: Calibration) -> Calibration:
    places = list(calibration.controls.values())
    return replace(calibration, controls=dict(zip(calibration.controls, places[2:] + places[:2], strict=True)))


@pytest.fixture(scope="session")
def play_drawn() -> Callable[..., Played]:
    """`play`, for tests: they cannot import from each other."""
    return play
