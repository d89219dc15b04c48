"""What a person does on a page before its game is there is done for him, and again when the page is loaded again."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from bot.cli import main
from bot.ports import ScreenError
from bot.screens import browser
from bot.screens.browser import BrowserScreen
from bot.settings import Settings, load_settings
from bot.steps import parse_step
from bot.web.pages import PageServer
from games.core import SettingsError

MENU = """<body><select id=level><option>Easy<option>Very hard</select><input id=name>
<button onclick="document.title = [level.value, document.getElementById('name').value].join()">Play vs CPU</button>
<script>addEventListener("keydown", (event) => document.title += event.key)</script>"""
STEPS = ("select #level=Very hard", "fill #name=Ann", "click text=Play vs CPU", "press x")


@pytest.mark.parametrize("text", ["", "click", "dance #level", "select #level", "fill =Ann"])
def test_what_is_no_step_is_refused_with_the_steps_there_are(text: str) -> None:
    with pytest.raises(SettingsError, match="click SELECTOR, select SELECTOR=OPTION"):
        parse_step(text)


def test_steps_are_settings_of_a_page(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("url = 'http://127.0.0.1'\nbefore = ['press Enter', 'click text=Go']\n")
    assert load_settings(path, {}).before == ("press Enter", "click text=Go")
    path.write_text("url = 'http://127.0.0.1'\nbefore = 'press Enter'\n")
    with pytest.raises(SettingsError, match="list of texts"):
        load_settings(path, {})
    with pytest.raises(SettingsError, match="needs `url`"):
        Settings(before=("press Enter",))
    with pytest.raises(SettingsError, match="needs `url`"):
        Settings(new_game="reload")


@pytest.mark.browser
def test_steps_are_taken_when_a_page_is_opened_and_when_it_is_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"data:text/html,{quote(MENU)}"
    with closing(BrowserScreen.launch(url, before=STEPS)) as screen:
        assert screen.page.title() == "Very hard,Annx"
        screen.page.evaluate("document.title = ''")
        screen.reload()
        assert screen.page.title() == "Very hard,Annx"
    monkeypatch.setattr(browser, "DEADLINE", 4.0)
    with pytest.raises(ScreenError, match="'click text=Play alone' cannot be done"):
        BrowserScreen.launch(url, before=["click text=Play alone"])


@pytest.mark.browser
def test_a_series_on_a_page_begins_each_game_by_loading_it_again(
    page_server: PageServer, tmp_path: Path, capsys: Any
) -> None:
    url = page_server.url("flood_it", rows=5, cols=5, colours=4, seed=3, animation=0, limit=30)
    words = ["--headless", "--games", "2", "--before", "press n", "--solver", "greedy", "--runs", str(tmp_path)]
    assert main(["play", "--url", url, "--json", *words]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["games"], answer["won"]) == (2, 2)
    first, second = (json.loads(path.read_text().splitlines()[0]) for path in sorted(tmp_path.glob("*/journal.jsonl")))
    assert first["settings"]["before"] == second["settings"]["before"] == ["press n"]
