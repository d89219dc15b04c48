"""A browser or an X server that is killed while `boardsight play` runs: the run says so, and its journal is whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from bench.screens.virtual import open_virtual_display
from bot.runs.journal import SavedRun, open_run
from bot.runs.replay import replay
from bot.screens.chromium import open_chromium_window
from bot.storage.pictures import load_picture
from bot.web.pages import PageServer

FLOOD_IT = {"rows": 10, "cols": 10, "colours": 6, "seed": 5, "limit": 60}
SLOWLY = ["--game", "flood_it", "--solver", "greedy", "--delay", "0.3", "--patience", "1", "--lost", "3"]
LONGEST = 90.0
"""Seconds for which a run may go on, before and after the kill: a machine that is busy is slow."""


@contextmanager
def playing(runs: Path, *words: str, display: str = "") -> Iterator[subprocess.Popen[str]]:
    """`boardsight play` in a process of its own."""
    command = [sys.executable, "-m", "bot.cli", "play", *SLOWLY, "--runs", str(runs), *words]
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | ({"DISPLAY": display} if display else {})
    run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield run
    finally:
        if run.poll() is None:
            run.kill()
        run.communicate()


def wait_for_turns(runs: Path, count: int) -> None:
    """Until the one run has so many turns in its journal."""
    for _ in range(int(LONGEST / 0.05)):
        journals = [*runs.glob("*/journal.jsonl")]
        if journals and journals[0].read_bytes().count(b'{"kind":"turn"') >= count:
            return
        time.sleep(0.05)
    raise AssertionError("the run did not come so far")


def kill(pid: int) -> None:
    """End one process, which a run must not be able to prevent."""
    os.kill(pid, signal.SIGKILL)


def ended_by_itself(run: subprocess.Popen[str], runs: Path, causes: set[str]) -> SavedRun:
    """The run as its journal tells it, after it ended with one of these causes, in words and with its last picture."""
    said, _ = run.communicate(timeout=LONGEST)
    assert run.returncode not in (0, None), said
    assert run.returncode > 0, said  # a negative one is a signal's
    assert "Traceback" not in said
    (folder,) = runs.iterdir()
    kept = open_run(folder)
    assert kept.end is not None, said
    assert kept.end["cause"] in causes
    assert kept.end["message"] in said
    assert len(kept.turns) >= 2
    assert [differences for _, differences in replay(kept) if differences] == []
    assert load_picture(folder / kept.end["picture"]).any()
    return kept


def browsers_of(run: subprocess.Popen[str]) -> list[psutil.Process]:
    """The browser that a run has opened, without its renderers and helpers."""
    below = [(each, each.cmdline()) for each in psutil.Process(run.pid).children(recursive=True)]
    return [each for each, words in below if "--remote-debugging-pipe" in words and "--type=" not in " ".join(words)]


def x_servers() -> set[int]:
    """The process numbers of the X servers that this process has started."""
    return {each.pid for each in psutil.Process().children() if each.name() == "Xvfb"}


@pytest.mark.browser
@pytest.mark.slow
def test_a_browser_that_is_killed_stops_the_run_with_its_cause(page_server: PageServer, tmp_path: Path) -> None:
    url = page_server.url("flood_it", **FLOOD_IT)
    with playing(tmp_path / "runs", "--url", url, "--headless") as run:
        wait_for_turns(tmp_path / "runs", 2)
        (browser,) = browsers_of(run)
        kill(browser.pid)
        ended_by_itself(run, tmp_path / "runs", {"ScreenError", "PointerError"})


@pytest.mark.browser
@pytest.mark.slow
def test_a_page_whose_renderer_is_killed_stops_the_run_with_its_cause(page_server: PageServer, tmp_path: Path) -> None:
    url = page_server.url("flood_it", **FLOOD_IT)
    with playing(tmp_path / "runs", "--url", url, "--headless") as run:
        wait_for_turns(tmp_path / "runs", 2)
        below = psutil.Process(run.pid).children(recursive=True)
        for each in below:
            if "--type=renderer" in each.cmdline():
                kill(each.pid)
        ended_by_itself(run, tmp_path / "runs", {"ScreenError", "PointerError", "BoardLostError"})


@pytest.mark.browser
@pytest.mark.display
@pytest.mark.slow
def test_an_x_server_that_is_killed_stops_the_run_with_its_cause(
    page_server: PageServer, chromium: Path, tmp_path: Path
) -> None:
    others = x_servers()  # those of other tests; process numbers begin anew, so the highest is not the latest
    with open_virtual_display((1000, 900)) as display:
        url = page_server.url("flood_it", **FLOOD_IT)
        (server,) = x_servers() - others
        with (
            open_chromium_window(url, extra=[f"--display={display}"], executable=chromium),
            playing(tmp_path / "runs", "--screen", "desktop", display=display) as run,
        ):
            wait_for_turns(tmp_path / "runs", 2)
            kill(server)
            ended_by_itself(run, tmp_path / "runs", {"ScreenError", "PointerError"})
