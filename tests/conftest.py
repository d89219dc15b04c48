from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench.screens.virtual import open_virtual_display
from bot.ports import ScreenError
from bot.screens.browser import BrowserScreen
from bot.screens.chromium import find_chromium
from bot.web.pages import PageServer
from games import GAMES
from tests import walked


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, then those with many: what is long is not begun last, while other workers idle."""
    many = Counter(item.path for item in items)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, -many[item.path], item.path))


@pytest.fixture(scope="session", autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for what is kept of pages in the place of the user's own, for this process and those it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.storage.pages.user_data_dir", lambda *_, **__: str(tmp_path_factory.mktemp("data")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def hedge(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a small game that no room knows, registered while the test runs."""
    monkeypatch.setitem(GAMES, "hedge", "tests.hedge")
    return "hedge"


@pytest.fixture(scope="session")
def walk_through() -> str:
    """The text of docs/add-a-game.md."""
    return walked.PAGE.read_text()


@pytest.fixture
def from_the_docs(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of the game that docs/add-a-game.md walks through, registered while the test runs.

    Its moves go from one cell to another.
    """
    return walked.register(monkeypatch, tmp_path_factory.mktemp("game"))


@pytest.fixture(scope="session")
def page_server() -> Iterator[PageServer]:
    """The bundled pages, on a loopback port."""
    with PageServer() as server:
        yield server


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The Chromium of this machine; tests that ask for it are marked `browser`."""
    try:
        return find_chromium()
    except ScreenError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def only_browser(page_server: PageServer, chromium: Path) -> Iterator[BrowserScreen]:
    """A headless Chromium that all tests share."""
    with closing(BrowserScreen.launch(page_server.url("index"), executable=chromium)) as screen:
        yield screen


def look_through(browser: BrowserScreen, window: tuple[int, int], scale: float) -> None:
    """Has the page shown in a window of so many CSS pixels, with `scale` device pixels to each of them."""
    metrics = {"width": window[0], "height": window[1], "deviceScaleFactor": scale, "mobile": False}
    browser.send("Emulation.setDeviceMetricsOverride", metrics)


@pytest.fixture(scope="module")
def browser(only_browser: BrowserScreen) -> BrowserScreen:
    """The Chromium as it was begun, for the tests of a module."""
    only_browser.page.goto("about:blank")
    look_through(only_browser, (1280, 900), 1.0)
    return only_browser


@pytest.fixture
def show(browser: BrowserScreen, page_server: PageServer) -> Callable[..., BrowserScreen]:
    """show(game, scale=, window=, **settings): the page of a game; still, unless its settings say otherwise."""

    def go(game: str, *, scale: float = 1.0, window: tuple[int, int] = (1280, 900), **settings: Any) -> BrowserScreen:
        look_through(browser, window, scale)
        browser.page.goto(page_server.url(game, **{"animation": 0, "pause": 0, **settings}))
        return browser

    return go


@pytest.fixture(scope="session")
def x_display() -> Iterator[str]:
    """The name of an Xvfb display, 1920x1080, with a window manager; it is this process's DISPLAY from then on."""
    try:
        with open_virtual_display() as name:
            yield name
    except ScreenError as error:
        pytest.skip(str(error))
