"""What a window's edge cuts comes into view, a board or its buttons: the window grows where nobody sees it, or else the
page is scrolled; where nothing lacks, both stay."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.compose import play_on
from bot.play.observer import Observer
from bot.play.scrolling import find_in_view
from bot.pointers.browser import BrowserPointer
from bot.ports import SystemClock
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from calibration.locate import BoardNotFoundError
from tests.pages import until

pytestmark = pytest.mark.browser


def found(screen: BrowserScreen, game: str | None = None) -> Observer:
    """What finds the board of a page that is there."""
    screen.page.locator("[data-state=playing]").wait_for()
    observer = Observer(screen, SystemClock(), game)
    find_in_view(lambda tries: observer.find(), observer)
    return observer


def scrolled(screen: BrowserScreen) -> float:
    return float(screen.page.evaluate("scrollY"))


@pytest.fixture
def seen(show: Callable[..., BrowserScreen], monkeypatch: pytest.MonkeyPatch) -> Callable[..., BrowserScreen]:
    """The pages of `show` in a window that somebody sees: it stays as large as it is."""
    monkeypatch.setattr(BrowserScreen, "enlarge", lambda screen: False)
    return show


@pytest.mark.parametrize("size", [{"variant": "duo"}, {"variant": "classic", "third": "random", "fourth": "random"}])
def test_a_window_that_nobody_sees_grows_until_it_shows_the_board_and_every_piece(
    show: Callable[..., BrowserScreen], size: dict[str, str]
) -> None:
    screen = show("blokus", traysAt="below", second="random", **size)
    calibration = found(screen).calibration
    assert len([name for name in calibration.controls if name.startswith("piece:1,")]) == 21
    assert scrolled(screen) == 0


def test_a_window_that_nobody_sees_grows_where_its_edge_cuts_a_tray_of_which_some_pieces_show(
    show: Callable[..., BrowserScreen],
) -> None:
    screen = show("blokus", traysAt="below", first="random", second="person", pause=20, cell=34)
    until(screen.page, "boardsightReferee.moves.length === 1")
    calibration = found(screen).calibration
    assert len([name for name in calibration.controls if name.startswith("piece:2,")]) == 21


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("crop", ["board", "buttons"])
def test_a_board_and_buttons_below_the_windows_edge_are_scrolled_into_view(
    seen: Callable[..., BrowserScreen], crop: str, scale: float
) -> None:
    screen = seen("filler", scale=scale, crop=crop, rows=7, cols=6, seed=106, skin="plain")
    calibration = found(screen).calibration
    assert (calibration.lattice.rows, calibration.lattice.cols) == (7, 6)
    assert len(calibration.controls) >= 4  # those of the two players may be faded
    assert scrolled(screen) > 0


def test_a_page_that_a_key_scrolled_shows_the_whole_board_again(
    show: Callable[..., BrowserScreen], tmp_path: Path
) -> None:
    screen = show("filler", crop="board", rows=7, cols=6, seed=106, skin="plain", second="random", pause=20)
    screen.page.locator("[data-state=playing]").wait_for()
    keys = "document.addEventListener('click', () => scrollBy({ top: -90, behavior: 'instant' }), { once: true })"
    screen.page.evaluate(keys)
    settings = Settings(game="filler", seat="first", max_moves=3, runs=str(tmp_path))
    result, _ = play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
    assert (result.cause, result.moves) == ("asked", 3)


def test_a_page_that_goes_on_without_any_more_of_the_game_shows_what_it_did(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", controls="cells", skin="gaps", seed=4)
    screen.page.evaluate("document.body.style.minHeight = '3000px'")
    calibration = found(screen, "flood_it").calibration
    assert (calibration.lattice.rows, calibration.lattice.cols) == (14, 14)
    assert scrolled(screen) == 0


def test_a_page_without_a_board_shows_what_it_did(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it")
    screen.page.goto("data:text/html,<body style='height: 3000px'>no board at all")
    observer = Observer(screen, SystemClock(), None)
    with pytest.raises(BoardNotFoundError, match="Bring the whole board into view"):
        find_in_view(lambda tries: observer.find(), observer)
    assert scrolled(screen) == 0


def test_a_board_that_goes_on_below_the_edge_is_named_so(show: Callable[..., BrowserScreen]) -> None:
    screen = show("filler", crop="board", rows=6, cols=6, seed=901, skin="plain")
    screen.page.locator("[data-state=playing]").wait_for()
    with pytest.raises(BoardNotFoundError, match="goes on below the edge, it seems: scroll, or make the window larger"):
        Observer(screen, SystemClock(), None).find()


def test_a_board_that_was_scrolled_into_view_is_the_one_of_which_most_is_explained(
    show: Callable[..., BrowserScreen],
) -> None:
    options = {"first": "random", "second": "person", "pause": 20, "lay": "confirm", "seed": 71204}
    screen = show("quoridor", size=7, skin="blue", crop="board", **options)
    until(screen.page, "boardsightReferee.moves.length === 1")
    calibration = found(screen).calibration
    assert (calibration.game, calibration.lattice.rows) == ("quoridor", 7)
