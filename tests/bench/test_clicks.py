"""Clicks aimed by pixels alone land inside the cells and controls of the bundled pages, at every scale and zoom."""

from itertools import cycle

import pytest

from bench.screens import clicks
from bot.screens.browser import BrowserScreen
from bot.web.pages import PageServer

ALL_AT_ONCE = [*zip(cycle(clicks.SCALES), clicks.ZOOMS, strict=False)]
"""Every scale and every zoom, not every pair of them: `python -m bench clicks` tries those."""


@pytest.mark.browser
@pytest.mark.parametrize(("scale", "zoom"), ALL_AT_ONCE)
@pytest.mark.parametrize("game", clicks.SKINS)
def test_every_click_lands_in_its_cell_or_control(
    browser: BrowserScreen, page_server: PageServer, game: str, scale: float, zoom: float
) -> None:
    boards = list(clicks.boards(page_server, game))
    name, page = boards[5 * clicks.ZOOMS.index(zoom) % len(boards)]
    aim = clicks.aim(browser, page, scale=scale, zoom=zoom)
    assert aim.good, f"{name}: {aim.problem or aim.missed}"
    assert aim.places >= 42
    assert aim.off < 0.2


@pytest.mark.browser
def test_a_click_beside_its_cell_is_noticed(browser: BrowserScreen, page_server: PageServer) -> None:
    page = page_server.url("flood_it", seed=1, animation=0)
    assert clicks.aim(browser, page, scale=3.0).good  # the ring about a button is none
    browser.page.evaluate("document.querySelector('.cell').style.pointerEvents = 'none'")
    assert clicks.landed(browser).missed == ("cell:0,0 hits None",)


def test_boards_are_shown_fresh_and_played_in_every_skin(page_server: PageServer) -> None:
    names = [name for name, _ in clicks.boards(page_server, "quoridor")]
    assert names == [f"{skin}{played}" for skin in clicks.SKINS["quoridor"] for played in ("", ", played")]
