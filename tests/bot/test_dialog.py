"""A dialog or a banner over the board is told from all that belongs to a page, and named where a run stops for it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.compose import play_on
from bot.play.observer import Observer
from bot.pointers.browser import BrowserPointer
from bot.ports import SystemClock
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.storage.pictures import load_picture
from calibration.dialog import has_dialog
from calibration.frame import Box
from calibration.locate import BoardNotFoundError
from games.core import BoardsightError

SCREENS = Path(__file__).parents[2] / "fixtures" / "screens"
SKINS = {
    "flood_it": ("rounded", "gaps", "borders", "dark", "plain"),
    "connect_four": ("classic", "dark", "flat", "lines"),
    "quoridor": ("wood", "blue", "night"),
    "blokus": ("classic", "gaps", "gradient"),
}


WEAR = "skin => { document.documentElement.dataset.skin = skin; dispatchEvent(new Event('resize')) }"
"""Has a page look as if its address had named that skin, and its board take its size."""


def picture_of(screen: BrowserScreen) -> Any:
    screen.page.locator("[data-state]").wait_for()
    return screen.grab().pixels


@pytest.mark.parametrize("path", sorted(SCREENS.rglob("*.png")), ids=lambda path: path.stem)
def test_nothing_of_a_kept_screen_is_a_dialog(path: Path) -> None:
    assert not has_dialog(load_picture(path))


@pytest.mark.browser
@pytest.mark.parametrize("game", SKINS)
def test_a_dialog_and_a_banner_are_seen_and_no_page_without_one_has_any(
    show: Callable[..., BrowserScreen], game: str
) -> None:
    for before in ("nothing", "cookies", "rules"):
        screen = show(game, window=(1000, 720), seed=5, before=before)
        for skin in SKINS[game]:
            screen.page.evaluate(WEAR, skin)
            pixels = picture_of(screen)
            assert has_dialog(pixels) == (before != "nothing"), (before, skin)
            assert not has_dialog(pixels, Box(0, 0, 200, 200))


SAID = r"(?i)a dialog lies over the board: close it, or name the act with --before"


@pytest.mark.browser
def test_a_board_that_is_not_found_for_a_dialog_is_told_so(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", window=(1280, 900), seed=1, size=5, before="cookies")
    picture_of(screen)
    with pytest.raises(BoardNotFoundError, match=SAID):
        Observer(screen, SystemClock(), None).find()


@pytest.mark.browser
@pytest.mark.parametrize("game", ["filler", "quoridor"])
def test_a_run_that_stops_behind_a_dialog_says_so(
    show: Callable[..., BrowserScreen], tmp_path: Path, game: str
) -> None:
    screen = show(game, window=(900, 700), seed=3, before="rules", first="person", second="random")
    settings = Settings(seconds=0.1, patience=0.2, wait=0.3, answer=1.0, runs=str(tmp_path))
    with pytest.raises(BoardsightError, match=SAID):
        play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)


@pytest.mark.browser
def test_of_a_board_that_a_banner_cuts_no_part_is_played_for_want_of_more(
    show: Callable[..., BrowserScreen], tmp_path: Path
) -> None:
    screen = show("flood_it", window=(1280, 900), seed=1, size=5, before="cookies")
    settings = Settings(patience=0.2, url=screen.page.url, runs=str(tmp_path))
    with pytest.raises(BoardNotFoundError, match=SAID) as found:
        play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
    assert str(found.value).count("--before") == 1


@pytest.mark.browser
def test_of_a_page_that_shows_no_board_it_is_told_how_to_get_past_a_menu(
    show: Callable[..., BrowserScreen], tmp_path: Path
) -> None:
    screen = show("flood_it", seed=1, before="start")
    settings = Settings(url=screen.page.url, runs=str(tmp_path))
    with pytest.raises(BoardNotFoundError, match="--before 'click text=Start' gets past it"):
        play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
