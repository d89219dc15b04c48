"""Games in a row: the next one is begun as the settings or a calibration say, and all are summed up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.compose import open_devices, play_series
from bot.compose import play as play_as_asked
from bot.play.seen import GameOverError
from bot.play.series import describe_series, play_games
from bot.play.terminal import Terminal
from bot.pointers.browser import BrowserPointer
from bot.ports import FakeClock
from bot.runs.journal import open_run
from bot.screens.drawn.screen import DrawnScreen
from bot.settings import Settings
from calibration.board import load_calibration
from calibration.frame import Frame, Rect, Spot
from games import find_game
from games.core import SettingsError

FOUR = find_game("connect_four")


def drawn(seed: int) -> DrawnScreen:
    """Connect Four against a player of random moves; the key n begins the next game, which the other side begins."""
    rng = np.random.default_rng(seed)
    begun = iter((FOUR.parse(""), *(FOUR.parse(str(column)) for column in (2, 5))))
    screen: Any = DrawnScreen(
        FOUR,
        next(begun),
        clock=FakeClock(),
        monitors=(Rect(0, 0, 900, 700),),
        rival=lambda state: state.legal_moves()[rng.integers(len(state.legal_moves()))],
        thinking=0.3,
        another=lambda: next(begun),
    )
    return screen


def play(screen: DrawnScreen, settings: Settings) -> list[Any]:
    announce = Terminal(colours=False).announce
    said: list[str] = []
    return list(
        play_games(screen, screen.pointer, settings, about={}, say=said.append, announce=announce, clock=screen.clock)
    )


@pytest.mark.parametrize("seat", ["first", "second"])
def test_the_drawn_screen_of_a_game_for_two_has_another_side(seat: str, tmp_path: Path) -> None:
    wishes = {"screen": "drawn", "game": "connect_four", "seat": seat, "solver": "random", "max_moves": 2}
    (played,) = play_as_asked(Settings(**wishes, runs=str(tmp_path)), quiet=True)
    assert (played.result.moves, played.result.seat) == (2, ("first", "second").index(seat))
    assert played.result.answers >= 1


def test_a_series_begins_each_game_with_its_key_and_takes_the_seat_that_is_free(tmp_path: Path) -> None:
    settings = Settings(game="connect_four", solver="random:seed=3", games=3, new_game="n", runs=str(tmp_path))
    every = play(drawn(1), settings)
    assert len(every) == 3
    assert all(played.result.outcome is not None for played in every)
    assert {(played.result.misreads, played.result.retries) for played in every} == {(0, 0)}
    told = describe_series([played.result for played in every])
    assert told["games"] == told["won"] + told["drawn"] + told["lost"] == 3
    assert told["moves"] == sum(len(open_run(played.folder).turns) for played in every)
    assert [len(open_run(played.folder).regions) for played in every][1:] == [1, 1]


def test_a_series_whose_next_game_does_not_begin_says_that_the_last_one_still_shows(tmp_path: Path) -> None:
    settings = Settings(game="connect_four", solver="random:seed=3", games=2, new_game="q", runs=str(tmp_path))
    with pytest.raises(GameOverError, match="--new-game"):
        play(drawn(1), settings)


def test_a_series_without_a_word_of_what_begins_the_next_game_is_refused_before_the_first(tmp_path: Path) -> None:
    screen = drawn(1)
    with pytest.raises(SettingsError, match="--new-game"):
        play(screen, Settings(game="connect_four", games=2, runs=str(tmp_path)))
    assert screen.clicks == []


@pytest.mark.browser
@pytest.mark.slow
def test_a_place_that_began_a_game_once_is_kept_in_the_calibration(show: Any, tmp_path: Path) -> None:
    screen = show("filler", seed=3, rows=4, cols=4, colours=5, pause=50)
    box = screen.page.locator('[data-press="new"]').bounding_box()
    place = f"{box['x'] + box['width'] / 2},{box['y'] + box['height'] / 2}"
    settings = Settings(
        game="filler",
        solver="greedy",
        seat="first",
        games=2,
        runs=str(tmp_path / "runs"),
        calibration=str(tmp_path / "page.toml"),
    )
    with pytest.raises(SettingsError, match="--new-game"):
        play_series(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
    for wish in (place, ""):
        wanted = replace(settings, new_game=wish)
        every = play_series(screen, BrowserPointer(screen), wanted, name="browser", quiet=True)
        assert all(played.result.outcome is not None for played in every)
        screen.page.locator('[data-press="new"]').click()
    kept = load_calibration((tmp_path / "page.toml").read_text(encoding="utf-8"))
    assert "new" in kept.controls


class ByHand:
    """A screen at which a person sits, who moves the pointer and, at every eighth look, plays."""

    def __init__(self, screen: Any) -> None:
        self._screen, self._looks = screen, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._screen, name)

    def grab(self, region: Rect | None = None) -> Frame:
        self._looks += 1
        if self._looks % 8 == 0 and self._screen.state.outcome() is None:
            self._screen.pointer.move(Spot(300 + self._looks, 200))
            self._screen.play(self._screen.state.legal_moves()[0])
        frame: Frame = self._screen.grab(region)
        return frame


def test_a_person_who_makes_the_moves_that_are_suggested_may_move_the_pointer(tmp_path: Path) -> None:
    settings = Settings(screen="drawn", game="flood_it", suggest=True, max_moves=3, runs=str(tmp_path))
    with open_devices(settings) as (screen, pointer):
        played = play_series(ByHand(screen), pointer, settings, name="drawn", quiet=True)
    assert [each.result.cause for each in played] == ["asked"]
    assert screen.clicks == []
