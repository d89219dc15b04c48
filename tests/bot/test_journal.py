"""A run on disk survives being cut off anywhere, and is refused with the place of the fault where it is damaged."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.hostile.screens import play
from bot.faults.plans import draw_plan
from bot.runs.fixtures import keep
from bot.runs.journal import LINES, JournalError, JournalWriter, open_run
from bot.runs.replay import replay
from bot.runs.report import write_report
from bot.settings import Settings
from bot.storage.pictures import AS_IT_IS, data_url, decode_picture, encode_png
from games.core import SettingsError


def start_playing(runs: Path) -> subprocess.Popen[str]:
    """A game on the drawn screen in a process of its own, slow enough to be interrupted."""
    command = [sys.executable, "-m", "bot.cli", "play", "--screen", "drawn", "--solver", "greedy", "--delay", "0.2"]
    return subprocess.Popen([*command, "--runs", str(runs)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def lines_of(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline() for _ in range(count)]


def test_a_replay_of_a_run_differs_nowhere(finished_run: Path) -> None:
    steps = list(replay(open_run(finished_run)))
    assert [difference for _, differences in steps for difference in differences] == []
    assert len(steps) == 1 + len(open_run(finished_run).turns)


def test_a_replay_says_where_the_reading_and_the_decision_differ(finished_run: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in finished_run.iterdir():
        if path.name != LINES:
            (copy / path.name).write_bytes(path.read_bytes())
    lines = [json.loads(line) for line in (finished_run / LINES).read_text().splitlines()]
    turns = [line for line in lines if line["kind"] == "turn"]
    turns[0]["picture"] = turns[1]["picture"]
    turns[2]["decision"]["move"] = "9"
    (copy / LINES).write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = [difference for _, differences in replay(open_run(copy)) for difference in differences]
    assert [(difference.turn, difference.what) for difference in found] == [(1, "reading"), (3, "decision")]


def test_a_journal_cut_off_at_any_byte_opens_up_to_its_last_whole_line(finished_run: Path, tmp_path: Path) -> None:
    data = (finished_run / LINES).read_bytes()
    whole = open_run(finished_run)
    first_line = data.index(b"\n") + 1
    for size in range(first_line, len(data), 997):
        (tmp_path / LINES).write_bytes(data[:size])
        whole_lines = data[:size].split(b"\n")[:-1]
        assert open_run(tmp_path).turns == whole.turns[: sum(b'"kind":"turn"' in line for line in whole_lines)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "does not begin with a 'run' line"),
        ("{}\n", "does not begin with a 'run' line"),
        ("[1]\n", "line 1: a line must be an object"),
        ('{"kind": "run", "version": 99}\n', "of version 99"),
        ('{"kind": "run", "version": 2}\nnonsense\n', "line 2: no JSON"),
        ('{"kind": "run", "version": 2}\n{"kind": "turn"}\n', "line 2, 'turn': keys are missing"),
        ('{"kind": "run", "version": 2}\n{"kind": "dance"}\n', "line 2, 'dance': of no kind that is known"),
        (
            '{"kind": "run", "version": 2}\n{"kind": "calibrated", "number": 1}\n',
            "line 2, 'calibrated': keys are missing",
        ),
    ],
)
def test_a_damaged_journal_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / LINES).write_text(text)
    with pytest.raises(JournalError, match=words):
        open_run(tmp_path)


def test_a_folder_that_exists_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="exists already"):
        JournalWriter(tmp_path, {})


def test_a_disk_that_refuses_is_reported(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "run", {})
    begun = threading.Event()
    writer._jobs.put(begun.set)  # the first line is written by then
    begun.wait()
    writer._lines.close()
    with Path(os.devnull).open(encoding="utf-8") as unwritable:
        writer._lines = unwritable  # as on a full disk, a write raises OSError
        writer.note("lost")
        with pytest.raises(JournalError, match="cannot be kept"):
            writer.close()


def turns_in(page: str) -> list[dict[str, Any]]:
    """The turns that a report holds, each with its picture."""
    (lines,) = re.findall(r'<script type="application/json" id="turns">(.*?)</script>', page, re.DOTALL)
    return [json.loads(line) for line in lines.split("\n")]


def test_the_report_is_one_file_that_asks_no_other_host(finished_run: Path, tmp_path: Path) -> None:
    page = write_report(finished_run, tmp_path / "page.html").read_text(encoding="utf-8")
    run = open_run(finished_run)
    shown = turns_in(page)
    assert [turn["number"] for turn in shown] == [turn.number for turn in run.turns]
    for turn, told in zip(run.turns, shown, strict=True):
        assert told["picture"].startswith("data:image/")
        assert len(told["clicks"]) == len(turn.clicks) == 1
        assert told["grid"] == turn.grid
    assert page.replace("http://www.w3.org/2000/svg", "").count("http://") == 0  # the name of a language, not a place
    assert "https://" not in page
    assert re.search(
        r"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; script-src 'sha256-", page
    )


def test_a_report_of_photographs_stays_small_and_what_is_drawn_loses_nothing() -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 256, (500, 500, 3), dtype=np.uint8)
    drawn = np.kron(rng.integers(0, 200, (50, 50, 3), dtype=np.uint8), np.ones((10, 10, 1), np.uint8))
    for pixels, exact in ((noise, False), (drawn, True)):
        png = encode_png(pixels)
        assert len(png) > AS_IT_IS
        kind, data = data_url(png).removeprefix("data:image/").split(";base64,")
        packed = base64.b64decode(data)
        assert kind == "webp"
        assert len(packed) < len(png)
        assert (decode_picture(packed, "it") == pixels).all() == exact


def test_a_step_is_kept_as_a_picture_that_reads_as_its_truth_says(finished_run: Path, tmp_path: Path) -> None:
    from bot.storage.pictures import load_frame
    from calibration.answer import answer

    picture, truth = keep(open_run(finished_run), 3, tmp_path, name="third")
    facts = json.loads(truth.read_text())
    seen = answer(load_frame(picture), "flood_it")
    assert (seen["rows"], seen["cols"]) == (facts["rows"], facts["cols"])
    matched = {
        (kind, shown)
        for kinds, row in zip(facts["grid"], seen["grid"], strict=True)
        for kind, shown in zip(kinds, row, strict=True)
    }
    assert len(matched) == len({kind for kind, _ in matched}) == len({shown for _, shown in matched})
    with pytest.raises(SettingsError, match="exists already"):
        keep(open_run(finished_run), 3, tmp_path, name="third")
    with pytest.raises(SettingsError, match="has no turn 99"):
        keep(open_run(finished_run), 99, tmp_path)


def test_a_killed_run_loses_nothing_but_the_turn_in_flight(tmp_path: Path) -> None:
    process = start_playing(tmp_path)
    said = lines_of(process, 6)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert said[-1].split()[0].isdecimal()
    (folder,) = tmp_path.iterdir()
    run = open_run(folder)
    assert run.end is None
    assert len(run.turns) >= int(said[-1].split()[0]) - 2
    assert all(run.picture(turn.picture).size for turn in run.turns)
    assert [difference for _, differences in replay(run) for difference in differences] == []


def test_ctrl_c_stops_a_run_before_its_next_click(tmp_path: Path) -> None:
    process = start_playing(tmp_path)
    lines_of(process, 5)
    process.send_signal(signal.SIGINT)
    _, problem = process.communicate()
    assert process.returncode == 2
    assert "nothing more is clicked" in problem
    (folder,) = tmp_path.iterdir()
    run = open_run(folder)
    assert run.end is not None
    assert run.end["cause"] == "StoppedError"


def test_settings_are_refused_by_name_and_remedy(tmp_path: Path) -> None:
    from bot.settings import load_settings

    file = tmp_path / "boardsight.toml"
    for text, words in (
        ("solvr = 'x'", "unknown key 'solvr'"),
        ("delay = 'slow'", "delay = 'slow' must be of type float"),
        ("delay = -1.0", "must not be negative"),
        ("delay = ", "is no TOML"),
        ("players = 5", "alone or against up to three other sides"),
        ("screen = 'moon'", "is none of"),
        ("screen = 'folder'", "needs `pictures`"),
    ):
        file.write_text(text)
        with pytest.raises(SettingsError, match=words):
            load_settings(file, {})
    file.write_text("delay = 1\nsolver = 'greedy'")
    assert load_settings(file, {"solver": "random"}) == Settings(delay=1.0, solver="random")


def test_a_journal_cut_anywhere_opens_or_was_never_begun_and_loses_only_its_last_line(tmp_path: Path) -> None:
    play("flood_it", 4, tmp_path / "run", plan=draw_plan(3, last=0.0))
    whole = open_run(tmp_path / "run")
    data = (tmp_path / "run" / "journal.jsonl").read_bytes()
    for size in random.Random(5).sample(range(len(data)), 60):
        (tmp_path / "run" / "journal.jsonl").write_bytes(data[:size])
        if b"\n" not in data[:size]:
            with pytest.raises(JournalError, match="does not begin"):
                open_run(tmp_path / "run")
            continue
        cut = open_run(tmp_path / "run")
        assert (
            cut.turns
            == whole.turns[: data[:size].count(b'{"kind":"turn"') - (b'{"kind":"turn"' in data[:size].split(b"\n")[-1])]
        )
    assert [d for _, differences in replay(cut) for d in differences] == []


def test_a_run_that_is_not_begun_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "rename", lambda self, target: (_ for _ in ()).throw(OSError(28, "no room")))
    with pytest.raises(JournalError, match="no room"):
        JournalWriter(tmp_path / "run", {})
    assert list(tmp_path.iterdir()) == []
