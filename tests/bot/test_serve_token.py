"""The token in the printed address: without it, or the cookie that it leaves, nothing is shown to anybody."""

import re
import subprocess
import sys
import urllib.error
import urllib.request
from http.cookies import SimpleCookie

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from bot.commands.serve import is_loopback, open_in_browser
from bot.storage.pictures import encode_png
from bot.web.server import ViewerServer
from bot.web.token import choose_token
from games.core import SettingsError

PATIENCE = 240

PICTURE = encode_png(np.zeros((4, 4, 3), np.uint8))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    (runs / "run").mkdir()
    (runs / "run" / "journal.jsonl").write_text("")
    (runs / "run" / "end.png").write_bytes(PICTURE)
    with ViewerServer(runs=runs) as running:
        yield running


def status(address, **headers):
    """The status of an answer, its headers and its text."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, refused.read()


PATHS = ["", "watch.html", "table.js", "runs/run/end.png", "nothing"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?token=%ff%00", "?" + "&".join(["a=1"] * 30)])
def test_without_the_token_nothing_is_shown(server, path, query):
    code, headers, text = status(f"{server.origin}/{path}{query}")
    assert code == 403
    assert "Set-Cookie" not in headers
    assert b"open the address that its terminal printed" in text
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_the_token_leaves_a_cookie_for_this_site_alone_that_is_enough(server):
    code, headers, _ = status(server.url)
    assert code == 200
    told = headers["Set-Cookie"]
    assert "HttpOnly" in told
    assert "SameSite=Strict" in told
    (cookie,) = SimpleCookie(told).values()
    assert str(server.port) in cookie.key  # a host's cookies are the same for all of its ports
    kept = f"other=1; {cookie.key}={cookie.value}"
    assert status(f"{server.origin}/runs/run/end.png", Cookie=kept)[2] == PICTURE
    assert status(f"{server.origin}/", Cookie=f"{cookie.key}=wrong")[0] == 403
    assert status(f"{server.origin}/", Cookie="\x01=;;")[0] == 403
    address = f"{server.origin}/play".replace("http", "ws")
    with connect(address, origin=server.origin, additional_headers={"Cookie": kept}) as socket:
        assert "INIT" in socket.recv(timeout=PATIENCE)


@pytest.mark.parametrize("path", ["play", "watch", "watch?run=run", "play?token=wrong"])
def test_no_socket_is_opened_without_the_token(server, path):
    with pytest.raises(InvalidStatus) as refused:
        connect(f"{server.origin}/{path}".replace("http", "ws"), origin=server.origin)
    assert refused.value.response.status_code == 403


def test_the_token_opens_nothing_for_another_site_or_name(server):
    with pytest.raises(InvalidStatus):
        connect(server.address("play").replace("http", "ws"), origin="https://example.org")
    code, headers, _ = status(server.url, Host="rebound.example.org")
    assert code == 421
    assert "Set-Cookie" not in headers


def test_a_token_is_fresh_or_the_one_that_was_chosen_if_nobody_guesses_it():
    assert choose_token({}) != choose_token({})
    assert choose_token({"BOARDSIGHT_TOKEN": "a-token_of-20-letters"}) == "a-token_of-20-letters"
    for short in ("secret", "x; Path=/; a=0123456789", "ü" * 30, " " * 30):
        with pytest.raises(SettingsError, match="no token"):
            choose_token({"BOARDSIGHT_TOKEN": short})


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_serve_prints_the_address_with_its_token_and_warns_beyond_this_machine(tmp_path, host, warned):
    words = [sys.executable, "-m", "bot.cli", "serve", "--port", "0", "--host", host, "--runs", str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            found = re.search(r"(http://\S+:\d+/)\?token=[\w-]{32}(?=\s)", process.stdout.readline())
            assert found
            here = found[0].replace("0.0.0.0", "127.0.0.1")
            assert status(here)[0] == 200
            assert status(here.partition("?")[0])[0] == 403
        finally:
            process.terminate()
            told = process.communicate()[1]
        assert ("other machines can reach this page" in told) == warned


def test_what_is_beyond_this_machine_is_known():
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.2", "fe80::1%eth0")))


def test_the_browser_is_opened_without_the_token_in_a_command(monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with open_in_browser("http://127.0.0.1:1/?token=known-to-one&x=1"):
        (address,) = opened
        assert address.startswith("file:///")
        assert "known-to-one" not in address
        with urllib.request.urlopen(address) as page:
            assert b"http://127.0.0.1:1/?token=known-to-one&amp;x=1" in page.read()


@pytest.mark.browser
def test_the_page_forgets_the_token_and_plays_by_its_cookie(browser, server):
    page = browser.page
    page.goto(f"{server.url}#connect_four")
    page.wait_for_selector('board-view[data-ply="0"]')
    assert page.url == f"{server.origin}/#connect_four"
    assert page.evaluate("document.cookie") == ""
    page.reload()
    page.wait_for_selector('board-view[data-ply="0"]')
    page.goto("about:blank")
