"""The page on which a person points at two corner cells: from the rings on the screenshot to the saved calibration."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from bot.screens.browser import BrowserScreen
from bot.storage.pictures import save_picture
from bot.web.assist import AssistServer
from calibration.board import load_calibration
from calibration.frame import Frame, Rect
from games.core import SettingsError

PAINTS = np.array([(220, 40, 50), (40, 120, 220), (60, 180, 75), (245, 200, 40), (150, 60, 190)], np.uint8)


@pytest.fixture(scope="module")
def frame() -> Frame:
    """A mosaic of 14x20 tiles; nothing tells that the board is rows 3 to 10, columns 5 to 12 of it."""
    pixels = np.full((640, 900, 3), 240, np.uint8)
    for (row, col), kind in np.ndenumerate(np.random.default_rng(4).integers(0, 5, (14, 20))):
        pixels[20 + 42 * row : 60 + 42 * row, 30 + 42 * col : 70 + 42 * col] = PAINTS[kind]
    return Frame(pixels, Rect(0, 0, 900, 640))


@pytest.fixture
def assist(frame: Frame) -> Iterator[AssistServer]:
    with AssistServer(frame, "flood_it") as server:
        yield server


def ask(assist: AssistServer, path: str, wish: object = None, **headers: str) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    connection = http.client.HTTPConnection(urlsplit(assist.url).netloc)
    body = None if wish is None else json.dumps(wish)
    headers = ({"Content-Type": "application/json"} if body else {}) | headers
    connection.request("POST" if body else "GET", path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def beside(assist: AssistServer, name: str) -> str:
    return urlsplit(assist.url).path.replace("assist.html", name)


WISH = {"first": [260, 166], "last": [554, 460]}


def test_who_does_not_know_the_secret_sees_nothing(assist: AssistServer) -> None:
    assert ask(assist, beside(assist, "screenshot.png"))[0] == 200
    assert ask(assist, "/screenshot.png")[0] == 404
    assert ask(assist, "/guess/screenshot.png")[0] == 404
    assert ask(assist, beside(assist, "look"), WISH, Host="elsewhere.example")[0] == 404
    assert ask(assist, beside(assist, "look"), WISH, **{"Content-Type": "text/plain"})[0] == 404
    assert ask(assist, beside(assist, "../pages.py"))[0] == 404


def test_what_was_seen_last_is_what_is_saved(assist: AssistServer) -> None:
    assert json.loads(ask(assist, beside(assist, "look"), WISH)[1])["rows"] == 8
    assert json.loads(ask(assist, beside(assist, "look"), {**WISH, "rows": 8, "cols": 8})[1])["cols"] == 8
    assert ask(assist, beside(assist, "seen.png"))[1].startswith(b"\x89PNG")
    ask(assist, beside(assist, "end"), {"keep": True})
    assert assist.wait().lattice.cols == 8


def test_a_wish_without_sense_is_answered_in_words(assist: AssistServer) -> None:
    said = [
        json.loads(ask(assist, beside(assist, path), wish)[1])["error"]
        for path, wish in [("look", {}), ("look", {**WISH, "last": [1, 1]}), ("end", {"keep": True})]
    ]
    assert "no wish of this page" in said[0]
    assert "top left corner cell first" in said[1]
    assert "point at the two corner cells first" in said[2]
    assert json.loads(ask(assist, beside(assist, "end"), {"keep": False})[1])["message"].startswith("Nothing")
    with pytest.raises(SettingsError, match="nothing is saved"):
        assist.wait()


@pytest.mark.browser
def test_a_person_drags_the_rings_sees_the_lattice_and_saves_it(
    browser: BrowserScreen, frame: Frame, tmp_path: Path
) -> None:
    picture, toml = tmp_path / "shot.png", tmp_path / "board.toml"
    save_picture(picture, frame.pixels)
    command = [sys.executable, "-m", "bot.cli", "calibrate", str(picture), "--game", "flood_it", "--assist"]
    files = ["--save", str(toml), "--overlay", str(tmp_path / "seen.png")]
    environment = os.environ | {"BROWSER": "true"}  # a program that opens nothing: this test is the browser
    with subprocess.Popen([*command, *files], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        url = process.stdout.readline().rpartition(" ")[2].strip()
        asked: list[str] = []
        page = browser.page
        page.on("request", lambda request: asked.append(request.url))
        page.goto(url)
        page.locator(".ring").first.wait_for()
        shown = page.locator(".picture").bounding_box()
        assert shown is not None
        scale = shown["width"] / 900
        for corner, (x, y) in (("first", (263, 162)), ("last", (551, 463))):
            ring = page.locator(f'[data-corner="{corner}"]')
            box = ring.bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.down()
            page.mouse.move(shown["x"] + x * scale, shown["y"] + y * scale, steps=4)
            page.mouse.up()
        page.get_by_text("8x8 cells").wait_for()
        page.locator('[data-corner="first"]').press("ArrowLeft")
        page.get_by_text("8x8 cells").wait_for()
        save_picture(tmp_path / "page.png", browser.grab().pixels)
        page.get_by_role("button", name="Save this board").click()
        page.get_by_text("Saved").wait_for()
        assert process.wait(timeout=240) == 0
    assert {urlsplit(address).hostname for address in asked} == {"127.0.0.1"}
    lattice = load_calibration(toml.read_text()).lattice
    assert (lattice.rows, lattice.cols) == (8, 8)
    assert lattice.origin == pytest.approx((260, 166), abs=1)
