import urllib.error
import urllib.request

import pytest

from bench.screens.page import deal_page_board
from bot.web.pages import PAGES, PageServer
from games.core import SettingsError


def test_every_file_of_the_pages_is_served_as_what_it_is(page_server: PageServer) -> None:
    kinds = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for path in (path for path in PAGES.rglob("*") if path.is_file()):
        url = f"http://127.0.0.1:{page_server.port}/{path.relative_to(PAGES).as_posix()}"
        with urllib.request.urlopen(url) as answer:
            assert answer.headers["Content-Type"].startswith(kinds[path.suffix])
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.read() == path.read_bytes()


@pytest.mark.parametrize("path", ["/shared/", "/rules/", "/../pages.py", "/%2e%2e/pages.py", "/no.html"])
def test_nothing_but_the_files_of_the_pages_is_served(page_server: PageServer, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"http://127.0.0.1:{page_server.port}{path}")


def test_no_page_asks_another_host_for_anything() -> None:
    for path in (path for path in PAGES.rglob("*") if path.is_file()):
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, path


def test_a_game_without_a_page_is_told_which_pages_there_are(page_server: PageServer) -> None:
    with pytest.raises(SettingsError, match="flood_it"):
        page_server.url("chess")


def test_a_closed_server_gives_its_port_back_and_may_be_closed_again() -> None:
    with PageServer() as server:
        url = server.url("flood_it")
    server.close()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url)


def test_the_dealt_board_of_a_seed_stays_what_it_was() -> None:
    assert deal_page_board(7, 3, 6, 6) == ((0, 0, 5, 4, 3, 2), (2, 1, 3, 4, 1, 0), (4, 3, 1, 2, 1, 3))
