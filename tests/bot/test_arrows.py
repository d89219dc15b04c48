"""A piece that keys take, turn and move is laid where it shall lie, whatever it lies over on its way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.drag.gestures import NotInHandError
from bot.play.executor import Executor
from bot.play.observer import Observer
from bot.pointers.guard import GuardedPointer
from bot.ports import FakeClock
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from games import find_game
from games.blokus import Blokus

BLOKUS = find_game("blokus")
PATIENCE = 4.0


def position(seed: int, plies: int) -> Blokus:
    rng = np.random.default_rng(seed)
    state: Blokus = BLOKUS.deal(rng)
    for _ in range(plies):
        moves = state.legal_moves()
        state = state.play(moves[rng.integers(len(moves))])
    return state


def executor_on(screen: DrawnScreen) -> Executor:
    observer = Observer(screen, screen.clock, "blokus", patience=PATIENCE)
    observer.adopt(screen.calibration(), screen.grab())
    guard = GuardedPointer(screen.pointer, desktop=screen.grab().region)
    executor = Executor(BLOKUS, observer, guard, screen.clock)
    executor.adopt()
    return executor


@pytest.mark.parametrize(
    ("plies", "lag", "noise"),
    [
        *((plies, 0.0, 0.0) for plies in (0, 1, 18, 19, 22, 23)),
        (19, 2.5, 0.0),
        pytest.param(22, 1.0, 2.0, marks=pytest.mark.slow),
    ],
)
def test_a_piece_of_either_colour_is_laid_among_its_own(plies: int, lag: float, noise: float) -> None:
    before = position(2, plies)
    screen = DrawnScreen(BLOKUS, before, clock=FakeClock(), how="keys", lag=lag, noise=noise)
    move = before.legal_moves()[-1]
    executor_on(screen).make(before, move, "keys", 0)
    screen.clock.sleep(lag)
    screen.grab()
    assert screen.state == before.play(move)


@pytest.mark.parametrize("lost", [0, 1, 4])
def test_a_piece_is_laid_though_a_key_is_lost(lost: int) -> None:
    before = position(3, 12)
    screen = DrawnScreen(BLOKUS, before, clock=FakeClock(), how="keys", drops={lost})
    move = before.legal_moves()[-1]
    executor_on(screen).make(before, move, "keys", 0)
    assert screen.state == before.play(move)


def test_a_piece_that_no_key_takes_is_not_laid_and_said_so() -> None:
    before = position(3, 4)
    screen = DrawnScreen(BLOKUS, before, clock=FakeClock(), how="tray")
    with pytest.raises(NotInHandError, match="could not be brought there by arrows"):
        executor_on(screen).make(before, before.legal_moves()[0], "keys", 0)
    assert screen.moves == []


class Deaf(DrawnScreen):
    """A screen that hears no letter for the first piece that is taken after the first move of the hand."""

    letter = ""

    def _key(self, key: str) -> None:
        if len(self.moves) >= 2 and not self.letter:
            self.letter = key
        if key != self.letter:
            super()._key(key)


@pytest.mark.slow
def test_the_next_best_move_is_made_where_a_piece_cannot_be_taken(
    play_drawn: Callable[..., Any], tmp_path: Path
) -> None:
    rng = np.random.default_rng(4)
    played = play_drawn(
        tmp_path,
        BLOKUS.deal(rng),
        game=BLOKUS,
        settings=Settings(solver="random:seed=7", max_moves=2, patience=1.0),
        calibrated="keys",
        how="keys",
        drawn=Deaf,
        rival=lambda state: state.legal_moves()[rng.integers(len(state.legal_moves()))],
    )
    assert (played.error, played.result.cause) == (None, "asked")
    assert "the next best move is tried" in (tmp_path / "run" / "journal.jsonl").read_text()
