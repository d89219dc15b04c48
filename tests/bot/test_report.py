"""The page of a saved run: a viewer that is worked by keys and by pointer, quick for long runs; and its film."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.cli import main
from bot.runs.film import CAPTION, MOST, write_film
from bot.runs.journal import LINES, open_run
from bot.runs.report import write_report
from bot.runs.viewing import doubts
from games.core import SettingsError


def changed(run: Path, to: Path, turns: Any) -> Path:
    """A copy of `run` at `to` whose turns are what `turns` makes of their lines."""
    shutil.copytree(run, to)
    lines = [json.loads(line) for line in (run / LINES).read_text().splitlines()]
    first = next(at for at, line in enumerate(lines) if line["kind"] == "turn")
    own = [line for line in lines if line["kind"] == "turn"]
    others = [line for line in lines if line["kind"] != "turn"]
    told = [*others[:first], *turns(own), *others[first:]]
    (to / LINES).write_text("".join(json.dumps(line) + "\n" for line in told))
    return to


@pytest.fixture
def doubtful(finished_run: Path, tmp_path: Path) -> Path:
    """A run whose third turn has a cell in doubt."""

    def doubt(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
        turns[2]["confidence"][1][4] = 0.31
        return turns

    return changed(finished_run, tmp_path / "run", doubt)


def test_a_turn_is_doubtful_for_its_cells_its_tries_and_its_outcome(doubtful: Path) -> None:
    turns = open_run(doubtful).turns
    assert [doubts(turn) for turn in turns[:4]] == [[], [], ["1 cell doubtful"], []]


@pytest.mark.browser
def test_the_page_is_walked_by_keys_turn_by_turn(browser: Any, doubtful: Path, serious_findings: Any) -> None:
    page, run = browser.page, open_run(doubtful)
    many = len(run.turns)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(write_report(doubtful).as_uri())
    page.wait_for_selector(f".ply:text-is('turn 1 of {many}')")
    page.wait_for_selector(".stage .overlay .cell", state="attached")
    assert page.locator(".film [data-turn]").count() == many
    for key, turn in (("ArrowRight", 2), ("End", many), ("Home", 1), ("d", 3), ("ArrowLeft", 2)):
        page.keyboard.press(key)
        page.wait_for_selector(f".ply:text-is('turn {turn} of {many}')")
        assert page.evaluate("location.hash") == f"#turn-{turn}"
    for number, tab in enumerate(("seen", "why", "pressed", "times"), 1):
        page.keyboard.press(str(number))
        assert page.locator("[role=tabpanel]:visible").get_attribute("id") == f"panel-{tab}"
    assert page.locator(".times dt").all_inner_texts() == list(run.turns[1].milliseconds)
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.wait_for_selector(f".ply:text-is('turn {many} of {many}')")
    page.wait_for_selector("[data-do=play][aria-pressed=false]")
    assert not serious_findings(page)
    assert {address.partition(":")[0] for address in asked} <= {"file", "data"}
    page.goto("about:blank")


@pytest.mark.browser
def test_a_run_without_a_turn_shows_the_board_it_found_and_what_was_noted(
    browser: Any, finished_run: Path, tmp_path: Path
) -> None:
    page, note = browser.page, {"kind": "note", "text": "the board <i>moves</i>"}
    page.goto(write_report(changed(finished_run, tmp_path / "run", lambda turns: [note])).as_uri())
    page.wait_for_selector(".whole .found", state="attached")
    assert page.inner_text("#panel-seen") == "the board <i>moves</i>"
    for key in ("ArrowRight", "Space", "d", "End"):
        page.keyboard.press(key)
    assert page.inner_text(".ply") == "no turn yet"
    page.goto("about:blank")


@pytest.mark.browser
def test_a_cell_in_doubt_is_looked_at_closely(browser: Any, doubtful: Path) -> None:
    page = browser.page
    page.goto(f"{write_report(doubtful).as_uri()}#turn-3")
    page.wait_for_selector(".doubts:has-text('1 cell doubtful')")
    page.wait_for_selector(".stage .overlay .doubtful", state="attached")
    page.click(".least button:first-child")
    assert "row 2, column 5" in page.inner_text(".closer")
    assert "confidence 0.31" in page.inner_text(".closer")
    assert page.locator(".closer canvas").count() == 1
    page.focus(".stage .frame")
    page.keyboard.press("ArrowDown")
    assert "row 3, column 5" in page.inner_text(".closer")
    window, low = page.context.new_cdp_session(page), {"width": 1280, "height": 500}  # for the picture's full width
    window.send("Emulation.setDeviceMetricsOverride", {**low, "deviceScaleFactor": 1, "mobile": False})
    middle = page.evaluate("""() => {
        const box = document.querySelector(".stage .overlay .doubtful").getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }""")
    page.mouse.click(*middle)
    assert "row 2, column 5" in page.inner_text(".closer")
    board, drawn = (page.locator(f".stage .frame {each}").bounding_box() for each in ("img", ".lattice"))
    for at, long in (("x", "width"), ("y", "height")):
        assert board[at] - 1 <= drawn[at]
        assert drawn[at] + drawn[long] <= board[at] + board[long] + 1
    window.send("Emulation.clearDeviceMetricsOverride")
    page.goto("about:blank")


@pytest.mark.browser
def test_of_a_long_run_only_what_is_in_sight_is_drawn(browser: Any, finished_run: Path, tmp_path: Path) -> None:
    def long(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [turns[at % len(turns)] | {"number": at + 1} for at in range(4000)]

    page = browser.page
    page.goto(write_report(changed(finished_run, tmp_path / "run", long)).as_uri())
    page.wait_for_selector(".ply:text-is('turn 1 of 4,000')")
    assert 3 < page.locator(".film [data-turn]").count() < 60
    page.keyboard.press("End")
    page.wait_for_selector(".ply:text-is('turn 4,000 of 4,000')")
    page.wait_for_selector(".film [data-now]:has-text('4000:')")
    assert 3 < page.locator(".film [data-turn]").count() < 60
    page.goto("about:blank")


@pytest.mark.parametrize("name", ["film.gif", "film.png"])
def test_a_film_shows_every_turn_and_the_end(finished_run: Path, tmp_path: Path, name: str, capsys: Any) -> None:
    path = tmp_path / name
    assert main(["report", str(finished_run), "--film", "--output", str(path)]) == 0
    assert capsys.readouterr().out.strip() == str(path)
    with Image.open(path) as film:
        pace = 0.0
        for at in range(getattr(film, "n_frames", 1)):
            film.seek(at)
            pace += film.info["duration"]
        assert max(film.size) <= 480 + CAPTION
    assert pace >= 600 * len(open_run(finished_run).turns)  # pictures that are alike are joined


def test_a_film_of_a_long_run_is_bounded_and_one_of_no_turn_is_refused(finished_run: Path, tmp_path: Path) -> None:
    def long(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [turns[at % len(turns)] | {"number": at + 1} for at in range(2 * MOST + 1)]

    film = write_film(changed(finished_run, tmp_path / "long", long))
    with Image.open(film) as pictures:
        assert pictures.n_frames <= MOST + 1  # type: ignore[attr-defined]
    with pytest.raises(SettingsError, match="has no turn"):
        write_film(changed(finished_run, tmp_path / "none", lambda turns: []))
    with pytest.raises(SettingsError, match=r"end its name in \.gif or \.png"):
        write_film(finished_run, tmp_path / "film.txt")
