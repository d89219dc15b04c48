"""A page seen by its window on a display: the pixels are the page's, or they are not taken from there."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import psutil
import pytest

from bot.compose import open_devices
from bot.ports import ScreenError
from bot.screens.browser import BrowserScreen
from bot.screens.chromium import open_chromium_window
from bot.screens.desktop import DesktopScreen
from bot.screens.window import WindowView, open_window_view, shows
from bot.settings import Settings
from bot.web.pages import PageServer
from calibration.frame import Rect

PART = Rect(301.3, 105.7, 399.9, 250.2)
"""A part of the page with cells of its board, not cut at whole pixels."""


def test_a_page_shows_exactly_where_it_is_and_where_nothing_lies_over_it() -> None:
    rng = np.random.default_rng(1)
    colours, kinds = rng.integers(0, 256, (4, 3), dtype=np.uint8), rng.integers(0, 4, (12, 16))
    page = colours[kinds.repeat(20, axis=0).repeat(20, axis=1)]
    assert shows(page, page.copy())
    for axis in (0, 1):
        assert not shows(page, np.roll(page, 1, axis=axis))
    pulsing, covered = page.copy(), page.copy()
    pulsing[40:80, 60:100] ^= 8
    covered[40:80, 60:100] ^= 128
    assert shows(page, pulsing)
    assert not shows(page, covered)
    blank = np.full_like(page, 200)
    assert not shows(blank, blank)


@pytest.fixture
def view(chromium: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., WindowView]:
    """view(scale): what sees a window on a display of our own, which the screen that it is given to closes."""
    monkeypatch.delenv("DISPLAY", raising=False)

    def make(scale: float = 1.0) -> WindowView:
        made = open_window_view(scale)
        if made is None:
            pytest.skip("there is no Xvfb")
        return made

    return make


@contextmanager
def shown(pages: PageServer, view: WindowView, scale: float = 1.0) -> Iterator[BrowserScreen]:
    """A still page of Flood-It in a window."""
    url = pages.url("flood_it", seed=3, skin="plain", animation=0)
    with closing(BrowserScreen.launch(url, view=view, scale=scale)) as screen:
        screen.page.locator("[data-state=playing]").wait_for()
        yield screen


def is_seen_on_display(view: WindowView) -> bool:
    return view.grab(300, 100, 400, 250) is not None


def assert_part_is_page(screen: BrowserScreen) -> None:
    whole, part = screen.grab(), screen.grab(PART)
    assert np.array_equal(part.pixels, whole.crop(part.region).pixels)


@pytest.mark.browser
@pytest.mark.display
@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_the_parts_that_the_display_shows_are_the_same_pixels_as_the_page(
    page_server: PageServer, view: Callable[..., WindowView], scale: float
) -> None:
    with shown(page_server, own := view(scale), scale) as screen:
        whole = screen.grab()
        assert (whole.region.width, whole.region.height) == pytest.approx((1280, 900), abs=2)
        assert whole.scale == pytest.approx((scale, scale))
        assert is_seen_on_display(own)
        assert_part_is_page(screen)
        screen.page.evaluate("document.querySelector('.colour').click()")
        assert_part_is_page(screen)


@pytest.mark.browser
@pytest.mark.display
def test_a_window_that_was_moved_is_found_again(page_server: PageServer, view: Callable[..., WindowView]) -> None:
    with shown(page_server, own := view()) as screen:
        screen.grab()
        before = own.grab(300, 100, 400, 250)
        window = screen.send("Browser.getWindowForTarget")["windowId"]
        screen.send("Browser.setWindowBounds", {"windowId": window, "bounds": {"left": 57, "top": 31}})
        for _ in range(100):
            if not np.array_equal(own.grab(300, 100, 400, 250), before):
                break
            time.sleep(0.05)
        assert_part_is_page(screen)
        assert is_seen_on_display(own)


@pytest.mark.browser
@pytest.mark.display
def test_a_page_behind_another_window_is_seen_over_the_protocol(
    page_server: PageServer, view: Callable[..., WindowView], monkeypatch: pytest.MonkeyPatch
) -> None:
    with shown(page_server, own := view()) as screen:
        screen.grab()
        before = own.grab(300, 100, 400, 250)
        for name, value in own.environment.items():
            monkeypatch.setenv(name, value)
        with open_chromium_window(page_server.url("index"), size=(700, 500), position=(200, 150)):
            for _ in range(200):
                if not np.array_equal(own.grab(300, 100, 400, 250), before):
                    break
                time.sleep(0.05)
            assert_part_is_page(screen)
            assert not is_seen_on_display(own)


@pytest.mark.browser
@pytest.mark.display
def test_a_page_on_which_nothing_tells_where_it_lies_is_seen_over_the_protocol(
    page_server: PageServer, view: Callable[..., WindowView]
) -> None:
    with shown(page_server, own := view()) as screen:
        screen.page.goto("about:blank")
        assert_part_is_page(screen)
        assert not is_seen_on_display(own)
        screen.page.go_back()
        screen.page.locator("[data-state=playing]").wait_for()
        assert_part_is_page(screen)
        assert is_seen_on_display(own)


@pytest.mark.browser
@pytest.mark.display
def test_without_a_display_a_page_gets_a_window_on_one_of_its_own_that_ends_with_it(
    page_server: PageServer, view: Callable[..., WindowView]
) -> None:
    view().close()
    others = set(psutil.Process().children())
    with open_devices(Settings(url=page_server.url("flood_it"))) as (screen, _):
        (server,) = (each for each in set(psutil.Process().children()) - others if each.name() == "Xvfb")
        assert screen.grab().region == Rect(0, 0, 1280, 900)
    assert not server.is_running()


@pytest.mark.display
def test_a_display_of_our_own_opens_to_us_alone_and_ends_when_we_are_killed() -> None:
    code = """
import json, time
from bot.screens.virtual import VirtualDisplay
display = VirtualDisplay()
print(json.dumps(display.environment), flush=True)
time.sleep(60)"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        environment = json.loads(run.stdout.readline())
        (server,) = psutil.Process(run.pid).children()
        with closing(DesktopScreen(environment=environment)) as screen:
            assert not screen.grab().pixels.any()
        with pytest.raises(ScreenError, match="lets you in"):
            DesktopScreen(environment={**environment, "XAUTHORITY": "/dev/null"}).grab()
        run.kill()
    server.wait(10)
