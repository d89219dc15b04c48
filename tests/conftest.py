from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from bot.ports import ScreenError
from bot.screens.browser import BrowserScreen
from bot.screens.chromium import find_chromium
from bot.screens.virtual import open_virtual_display
from bot.web.pages import PageServer


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


@pytest.fixture
def open_page(page_server: PageServer, chromium: Path) -> Iterator[Callable[..., BrowserScreen]]:
    """open_page(game, scale=, size=, **settings of the page): a headless screen, closed after the test."""
    with ExitStack() as stack:

        def launch(
            game: str, *, scale: float = 1.0, size: tuple[int, int] = (1280, 900), **settings: Any
        ) -> BrowserScreen:
            url = page_server.url(game, **settings)
            screen = BrowserScreen.launch(url, scale=scale, size=size, executable=chromium)
            return stack.enter_context(closing(screen))

        yield launch


@pytest.fixture(scope="session")
def x_display() -> Iterator[str]:
    """The name of an Xvfb display, 1920x1080, with a window manager; it is this process's DISPLAY from then on."""
    try:
        with open_virtual_display() as name:
            yield name
    except ScreenError as error:
        pytest.skip(str(error))
