"""What a terminal sees of a command that takes long, and what Ctrl-C gives: everything in a real terminal."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bot.progress import ERASE, ProgressLine

BOARDSIGHT = ["env", "--default-signal=INT", sys.executable, "-m", "bot.cli"]


def in_a_terminal(*words: str, interrupted_after: str, program: str = "bot.cli") -> tuple[int, str]:
    """The exit status, as a shell tells it, and what a command showed that is interrupted once it has shown a text.

    Where Ctrl-C is caught in code that was compiled from a string, such as a dataclass as it is imported, `python -m`
    ends by the signal itself, whatever status was asked for; a shell tells both alike.
    """
    own, theirs = pty.openpty()
    process = subprocess.Popen([*BOARDSIGHT[:-1], program, *words], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    seen, sent = "", False
    while True:
        try:
            seen += os.read(own, 4096).decode(errors="replace")
        except OSError:  # the last program has left the terminal
            break
        if not sent and re.search(interrupted_after, seen):
            process.send_signal(signal.SIGINT)
            sent = True
    os.close(own)
    status = process.wait()
    return (128 - status if status < 0 else status), seen


@pytest.mark.timeout(300)
def test_a_search_shows_what_it_thinks_and_gives_its_best_move_when_it_is_interrupted() -> None:
    words = ("--game", "connect_four", "--solver", "alphabeta-readable:depth=30", "44")
    status, seen = in_a_terminal("solve", *words, interrupted_after=r"nodes: \d")
    *shown, answer = seen.split("\r\x1b[2K")
    assert status == 130
    assert any(re.fullmatch(r"[\d,]+ nodes: \d, value 0", line) for line in shown)
    assert re.match(r"\d  value 0; [\d,]+ nodes, ", answer)


@pytest.mark.timeout(300)
def test_a_match_shows_how_it_stands_and_gives_its_result_when_it_is_interrupted() -> None:
    words = ("--game", "connect_four", "random:seed=1", "random:seed=2", "--games", "100000")
    status, seen = in_a_terminal("arena", *words, interrupted_after=r"\d of 100000 games: A scores")
    assert status == 130
    assert re.search(r"\x1b\[2K\d+ of 100000 games: A scores \d+%, \S+ Elo \(\S+ to \S+\), \d+ s left", seen)
    assert "95% interval" in seen.split("\x1b[2K")[-1]


@pytest.mark.timeout(300)
def test_training_shows_how_far_it_is_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = ("--game", "connect_four", "--method", "supervised", "--out", str(tmp_path / "run"))
    status, seen = in_a_terminal("train", *words, interrupted_after=r"\d of [\d,]+ examples")
    assert status == 130
    assert re.search(r"\x1b\[2K0 of [\d,]+ examples", seen)
    assert "stopped; go on with: boardsight train" in seen.split("\x1b[2K")[-1]


@pytest.mark.timeout(300)
def test_a_bench_shows_how_far_it_is_and_ends_without_a_trace_when_it_is_interrupted() -> None:
    status, seen = in_a_terminal("seeing", interrupted_after=r"seeing: \d+ s of some", program="bench")
    assert status == 130
    assert re.search(r"\x1b\[2Kseeing: \d+ s of some \d+ (s|min), \d+ lines", seen)
    assert seen.split("\x1b[2K")[-1].startswith("ended by Ctrl-C: nothing is saved")


def test_what_ticks_is_gone_before_anything_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with ProgressLine() as line, line.ticking(lambda: "so far"):
        while "so far" not in (shown := capsys.readouterr().err):
            time.sleep(0.01)
        line.say("a line")
        told = capsys.readouterr()
    assert shown == f"{ERASE}so far"
    assert (told.out, told.err[: len(ERASE)]) == ("a line\n", ERASE)


def test_nothing_of_it_goes_to_a_pipe() -> None:
    words = ("arena", "--game", "connect_four", "random:seed=1", "random:seed=2", "--games", "4")
    done = subprocess.run([*BOARDSIGHT, *words], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
