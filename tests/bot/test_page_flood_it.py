"""The Flood-It page against the rules: the referee in the page tells what happened, games.flood_it what should have."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bench.screens.page import deal_page_board
from bot.pointers.browser import BrowserPointer
from bot.screens.browser import BrowserScreen
from calibration.frame import Spot
from games.core import Cell, Options
from games.flood_it import GAME, FloodIt

pytestmark = pytest.mark.browser

SKINS = ["rounded", "gaps", "borders", "plain", "gradient", "dark", "pastel", "discs"]
CELL_CENTRES = """[...document.querySelectorAll(".cell")].map((cell) => {
  const {x, y, width, height} = cell.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})"""
HEAR_RESIZE = """void (window.resized = new Promise(
  (done) => addEventListener("resize", () => requestAnimationFrame(done))))"""
CORNERS = {"top-left": (0, 0), "top-right": (0, 1), "bottom-left": (1, 0), "bottom-right": (1, 1)}


def referee(screen: BrowserScreen) -> dict[str, Any]:
    return dict(screen.page.evaluate("({...boardsightReferee})"))


def centre(screen: BrowserScreen, selector: str) -> Spot:
    box = screen.page.locator(selector).bounding_box()
    assert box is not None
    return Spot(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def position(told: dict[str, Any]) -> FloodIt:
    left = None if told["limit"] is None else told["limit"] - len(told["moves"])
    return GAME.parse(told["position"], Options(colours=told["colours"], limit=left))


@pytest.mark.parametrize("controls", ["buttons", "cells"])
@pytest.mark.parametrize("corner", CORNERS)
def test_random_games_on_the_page_follow_the_rules(
    show: Callable[..., BrowserScreen], controls: str, corner: str
) -> None:
    rng = np.random.default_rng([len(controls), list(CORNERS).index(corner)])
    rows, cols, colours = int(rng.integers(2, 12)), int(rng.integers(2, 12)), int(rng.integers(2, 11))
    screen = show("flood_it", rows=rows, cols=cols, colours=colours, start=corner, controls=controls, seed=11, limit=20)
    down, right = CORNERS[corner]
    start = Cell(down * (rows - 1), right * (cols - 1))
    state = FloodIt(deal_page_board(11, rows, cols, colours), start, colours, 20)
    pointer = BrowserPointer(screen)
    while state.outcome() is None:
        assert position(referee(screen)) == state
        wanted = {kind for row in state.grid for kind in row} if controls == "cells" else set(range(colours))
        move = int(rng.choice(sorted(wanted & set(state.legal_moves()))))
        selector = (
            f".colour[data-colour='{move}']" if controls == "buttons" else f".cell[data-colour='{move}'] >> nth=0"
        )
        pointer.tap(centre(screen, selector))
        state = state.play(move)
    told = referee(screen)
    assert position(told) == state
    assert told["over"]
    assert told["won"] == (state.outcome().winner == 0)
    assert screen.page.locator("body").get_attribute("data-state") == ("won" if told["won"] else "lost")
    assert [click["effect"] for click in told["clicks"]] == ["move"] * len(told["moves"])


@pytest.mark.parametrize("size", [2, 9, 64])
def test_a_seed_deals_the_board_that_python_deals(show: Callable[..., BrowserScreen], size: int) -> None:
    told = referee(show("flood_it", seed=4294967295 - size, rows=size, cols=size + 3 if size < 60 else 64, colours=10))
    dealt = deal_page_board(told["seed"], size, len(told["grid"][0]), 10)
    assert [tuple(row) for row in told["grid"]] == list(dealt)


def test_a_new_game_deals_the_board_of_the_next_seed(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", seed=41, rows=6, cols=6)
    BrowserPointer(screen).tap(centre(screen, ".new"))
    told = referee(screen)
    assert told["moves"] == []
    assert [tuple(row) for row in told["grid"]] == list(deal_page_board(42, 6, 6, 6))


def test_a_given_board_is_shown_with_its_walls(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", board="01.2/1.02/0012", colours=4)
    assert referee(screen)["position"] == "01.2/1.02/0012"
    assert screen.page.locator(".colour").count() == 4


@pytest.mark.parametrize("skin", SKINS)
def test_every_skin_paints_equal_colours_alike_and_different_ones_apart(
    show: Callable[..., BrowserScreen], skin: str
) -> None:
    screen = show("flood_it", seed=3, skin=skin, colours=10)
    frame, kinds = screen.grab(), np.array(referee(screen)["grid"]).ravel()
    pixels = [frame.pixel(Spot(*spot)) for spot in screen.page.evaluate(CELL_CENTRES)]
    paints = np.array([frame.pixels[int(y), int(x)] for x, y in pixels], dtype=float)
    apart = np.linalg.norm(paints[:, None] - paints[None], axis=2)
    alike = kinds[:, None] == kinds[None]
    assert apart[alike].max() < 6
    assert apart[~alike].min() > 35


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (14, 14), (64, 64), (2, 64), (64, 2)])
def test_boards_of_all_sizes_fit_windows_of_all_sizes(show: Callable[..., BrowserScreen], rows: int, cols: int) -> None:
    over = "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
    screen = show("flood_it", window=(390, 844), rows=rows, cols=cols, colours=10)
    assert max(screen.page.evaluate(over)) <= 0
    for width, height in [(1280, 900), (1920, 1080), (800, 500)]:
        screen.page.evaluate(HEAR_RESIZE)
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        screen.send("Emulation.setDeviceMetricsOverride", metrics)
        screen.page.evaluate("resized")  # waits for it
        assert screen.page.evaluate("[innerWidth, innerHeight]") == [width, height]
        assert max(screen.page.evaluate(over)) <= 0, (width, height)


def test_the_message_at_the_end_covers_nothing_and_moves_nothing(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", board="00/01", colours=2)
    before = screen.page.locator(".board").bounding_box()
    BrowserPointer(screen).tap(centre(screen, ".colour[data-colour='1']"))
    assert referee(screen)["won"]
    message = screen.page.locator(".message").bounding_box()
    assert screen.page.locator(".board").bounding_box() == before
    assert message is not None
    assert before is not None
    assert message["y"] + message["height"] <= before["y"]


def test_the_click_log_tells_hits_from_misses(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", seed=5, rows=4, cols=4, colours=3)
    pointer = BrowserPointer(screen)
    other = (referee(screen)["grid"][0][0] + 1) % 3
    for spot in (Spot(3, 3), centre(screen, ".cell >> nth=0"), centre(screen, f".colour[data-colour='{other}']")):
        pointer.tap(spot)
    log = [(click["hit"], click["effect"]) for click in referee(screen)["clicks"]]
    assert log == [("none", "none"), ("cell", "ignored"), ("colour", "move")]


def test_the_presses_named_in_drop_are_swallowed(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", board="012/012/012", drop="1,3")
    pointer = BrowserPointer(screen)
    for colour in (1, 1, 2, 2):
        pointer.tap(centre(screen, f".colour[data-colour='{colour}']"))
    told = referee(screen)
    assert [click["effect"] for click in told["clicks"]] == ["dropped", "move", "dropped", "move"]
    assert told["moves"] == [1, 2]


def test_a_lag_delays_the_effect_and_an_animation_the_picture(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", board="012/012/012", lag=60_000)
    BrowserPointer(screen).tap(centre(screen, ".colour[data-colour='1']"))
    assert [click["effect"] for click in referee(screen)["clicks"]] == ["waiting"]
    assert referee(screen)["moves"] == []
    screen = show("flood_it", board="012/012/012", lag=200, animation=10_000)
    BrowserPointer(screen).tap(centre(screen, ".colour[data-colour='1']"))
    while not (told := referee(screen))["moves"]:
        time.sleep(0.05)
    assert told["position"] == "112/112/112"
    assert told["animating"]


def test_the_page_is_played_with_the_keyboard_alone(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", board="012/012/012")
    pointer = BrowserPointer(screen)
    pointer.press("2")
    pointer.press("3")
    assert referee(screen)["won"]
    screen = show("flood_it", board="012/012/012", controls="cells")
    screen.page.locator(".cell >> nth=0").focus()
    for key in ("right", "enter", "right", "enter"):
        pointer.press(key)
    assert referee(screen)["won"]


def test_a_setting_that_makes_no_sense_is_told_and_replaced(show: Callable[..., BrowserScreen]) -> None:
    screen = show("flood_it", rows=65, skin="tartan")
    message = screen.page.locator(".message").inner_text()
    assert "from 2 to 64" in message
    assert "tartan" in message
    assert len(referee(screen)["grid"]) == 14
