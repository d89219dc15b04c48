"""A run is watched while it is written, and long after; nothing else of the disk is shown."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from bot.cli import main
from bot.runs.journal import LINES, open_run
from bot.web import watching
from bot.web.documents import document
from bot.web.server import STATIC, ViewerServer
from bot.web.watching import follow, latest, picture_file
from games.core import SettingsError


@pytest.fixture
def runs(finished_run):
    """A folder of runs that holds one, of a small Flood-It game."""
    return finished_run.parent


async def collect(runs, name, count):
    """The first `count` lines that a watcher is told."""
    told = []
    async for line in follow(runs, name):
        told.append(line)
        if len(told) == count:
            break
    return told


def test_a_saved_run_is_told_line_by_line_with_its_board(runs, result_of):
    lines = (runs / "run" / LINES).read_text().splitlines()
    told = result_of(collect(runs, "run", len(lines)))
    assert [line.line["kind"] for line in told][:2] == ["run", "playing"]
    turns = [line for line in told if line.line["kind"] == "turn"]
    assert len(turns) == len(open_run(runs / "run").turns) > 3
    assert all((runs / line.picture.removeprefix("runs/")).is_file() for line in turns)
    (calibrated,) = (line for line in told if line.board)
    assert (calibrated.board["rows"], calibrated.board["cols"]) == (6, 6)


def test_a_run_is_told_while_it_is_written_but_no_half_line(runs, tmp_path, result_of, monkeypatch):
    whole = (runs / "run" / LINES).read_bytes().splitlines(keepends=True)
    shutil.copytree(runs / "run", tmp_path / "now")
    journal = tmp_path / "now" / LINES
    journal.write_bytes(whole[0] + whole[1][:5])
    told_since, looks = watching._told_since, []
    monkeypatch.setattr(watching, "_told_since", lambda *args: looks.append(args) or told_since(*args))

    async def watch():
        told = asyncio.create_task(collect(tmp_path, "", 2))
        while len(looks) < 4:
            await asyncio.sleep(0)
        assert not told.done()
        journal.write_bytes(whole[0] + whole[1])
        return await asyncio.wait_for(told, 240)

    assert [line.line["kind"] for line in result_of(watch())] == ["run", "playing"]


def test_the_next_run_is_followed_when_it_begins(runs, tmp_path, result_of):
    assert latest(tmp_path) is None
    shutil.copytree(runs / "run", tmp_path / "first")
    lines = len((tmp_path / "first" / LINES).read_text().splitlines())

    async def watch():
        told = []
        async for line in follow(tmp_path, ""):
            told.append(line.run)
            if len(told) == lines:
                shutil.copytree(runs / "run", tmp_path / "second")
            if len(told) > lines:
                break
        return told

    assert result_of(watch()) == [*["first"] * lines, "second"]


@pytest.mark.parametrize("run", ["../run", "..", "", "nothing", "run/../run"])
def test_only_runs_of_the_folder_are_told(runs, run):
    with pytest.raises(SettingsError):
        picture_file(runs, run, "end.png")


def test_only_pictures_are_served(runs):
    with ViewerServer(runs=runs) as server:
        with urllib.request.urlopen(server.address("runs/run/turn-001.png"), timeout=240) as answer:
            assert answer.read(4) == b"\x89PNG"
        for path in ("runs/run/journal.jsonl", "runs/run/calibration-1.toml", "runs/..%2f..%2fetc/passwd", "runs/x/y"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(server.address(path), timeout=240)
            assert refused.value.code == 404
            refused.value.close()


def test_play_offers_the_page_that_watches_it(tmp_path, capsys):
    words = ["play", "--watch", "--screen", "drawn", "--solver", "greedy", "--dry-run", "--runs", str(tmp_path)]
    assert main([*words, "--size", "6x6", "--wait", "0.5"]) == 0
    told = capsys.readouterr()
    assert re.search(r"watch at http://127\.0\.0\.1:\d+/watch\.html\?token=[\w-]{32}\n", told.err)
    assert "a dry run" in told.out


WATCHED = """
import sys, webbrowser
webbrowser.open = lambda address: print("opened", address, flush=True)
from bot.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(("flags", "opened"), [([], True), (["--no-open"], False)])
def test_on_a_terminal_the_page_is_opened_and_stays_until_ctrl_c(tmp_path, flags, opened):
    pty = pytest.importorskip("pty")
    words = ["play", "--watch", *flags, "--screen", "drawn", "--solver", "greedy", "--max-moves", "1", "--size", "6x6"]
    ours, theirs = pty.openpty()
    heard = ["env", "--default-signal=INT"]  # where the tests run in the background Ctrl-C is ignored
    command = [*heard, sys.executable, "-c", WATCHED, *words, "--runs", str(tmp_path)]
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        os.close(theirs)
        said = b""
        while b"stays until Ctrl-C" not in said:
            said += os.read(ours, 4096)
        address = re.search(rb"watch at (http://\S+)", said)[1].decode()
        with urllib.request.urlopen(address, timeout=240) as answer:
            assert b"<run-viewer live>" in answer.read()
        process.send_signal(signal.SIGINT)
        told = process.communicate()[0]
    os.close(ours)
    assert process.returncode == 0
    assert (b"opened file://" in told) is opened
    assert address.encode() not in told  # everybody can read the words of a command


@pytest.mark.browser
def test_the_viewer_shows_picture_reading_candidates_and_times(browser, runs, serious_findings):
    page = browser.page
    with ViewerServer(runs=runs) as server:
        page.goto(server.address("watch.html?run=run"))
        page.wait_for_selector(".ending:has-text('won')")
        run = open_run(runs / "run")
        last, many = run.turns[-1], len(run.turns)
        page.wait_for_selector(f".ply:text-is('turn {many} of {many}')")
        page.wait_for_selector(".stage .overlay .click", state="attached")
        assert page.locator(".stage .overlay .cell").count() == 36
        assert page.evaluate("document.querySelector('.seen').naturalWidth") > 50
        page.wait_for_selector(".whole .found", state="attached")
        assert page.locator(".whole svg image").count() == 1
        page.wait_for_selector(".position board-view [class*='fill-']")
        assert page.get_attribute('.bars [data-state="chosen"]', "data-move") == last.played
        assert page.locator(".times dt").all_text_contents() == list(last.milliseconds)
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector(f".ply:text-is('turn {many - 1} of {many}')")
        assert f"plays {run.turns[-2].played}" in page.inner_text(".turn").replace("  ", " ")
        assert not serious_findings(page)
        page.goto("about:blank")


def test_a_position_is_drawn_in_the_same_styles_as_at_the_table():
    sheets = {
        name: set(re.findall(r'href="(\w+\.css)"', document(STATIC, name))) for name in ("index.html", "watch.html")
    }
    drawing = {
        path.name for path in STATIC.glob("*.css") if re.search(r"\.(disc|dimple|territory|wall)\b", path.read_text())
    }
    assert drawing
    assert drawing <= sheets["index.html"] & sheets["watch.html"]
