"""The folder of a run may come from a stranger: its links lead nowhere, and what it says opens no other file."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.runs.fixtures import keep
from bot.runs.journal import LINES, JournalError, open_run
from bot.runs.replay import replay
from bot.runs.report import report, write_report
from bot.storage.files import write_file
from bot.web.watching import follow, latest, picture_file
from games.core import SettingsError

SECRET = b"root:x:0:0: a line of a system's file\n"


@pytest.fixture
def run(short_run: Path, tmp_path: Path) -> Path:
    """A copy of the run, in a folder of runs, beside a file that is none of its business."""
    (tmp_path / "secret").write_bytes(SECRET)
    return Path(shutil.copytree(short_run, tmp_path / "runs" / "run"))


def linked(path: Path, *, hard: bool = False) -> Path:
    """Puts a link to the secret where a file of the run was, and gives that file's place."""
    path.unlink(missing_ok=True)
    (path.hardlink_to if hard else path.symlink_to)(path.parents[2] / "secret")
    return path


def lines_with(run: Path, kind: str, **changes: object) -> None:
    """Writes the journal anew with `changes` in its lines of a kind."""
    lines = [json.loads(line) for line in (run / LINES).read_text().splitlines()]
    changed = [line | changes if line["kind"] == kind else line for line in lines]
    (run / LINES).write_text("".join(json.dumps(line) + "\n" for line in changed))


# Links.


@pytest.mark.parametrize("name", ["end.png", "turn-001.png", "calibration-1.png"])
def test_a_picture_that_is_a_link_gets_into_no_report(run: Path, name: str) -> None:
    lines_with(run, "end", picture="end.png")
    linked(run / name)
    with pytest.raises(JournalError, match=f"{name}.* is a link"):
        report(open_run(run))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("name", ["end.png", "turn-001.png"])
def test_a_link_to_a_true_picture_is_not_followed_either(run: Path, name: str, hard: bool) -> None:
    lines_with(run, "end", picture="end.png")
    shutil.copy(run / "turn-001.png", run.parents[1] / "secret")
    linked(run / name, hard=hard)
    with pytest.raises(JournalError, match=f"{name}.* is a link"):
        report(open_run(run))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("name", ["calibration-1.toml", LINES])
def test_a_calibration_or_a_journal_that_is_a_link_is_not_read(run: Path, name: str, hard: bool) -> None:
    shutil.copy(run / name, run.parents[1] / "secret")
    linked(run / name, hard=hard)
    with pytest.raises(JournalError, match=f"{name} is a link"):
        list(replay(open_run(run)))


@pytest.mark.parametrize("data", [SECRET, b"\x89PNG\r\n\x1a\n" + SECRET, b"GIF89a" + SECRET])
def test_what_is_no_png_is_not_embedded(run: Path, data: bytes) -> None:
    (run / "end.png").write_bytes(data)
    lines_with(run, "end", picture="end.png")
    with pytest.raises(JournalError, match=r"end\.png is no PNG file"):
        report(open_run(run))
    with pytest.raises(SettingsError, match=r"end\.png is no PNG file"):
        picture_file(run.parent, "run", "end.png")
    assert base64.b64encode(SECRET).decode() not in str(list(run.iterdir()))


def test_a_picture_or_a_run_that_is_a_link_is_not_served(run: Path) -> None:
    linked(run / "end.png")
    with pytest.raises(SettingsError, match="is a link"):
        picture_file(run.parent, "run", "end.png")
    (run.parent / "elsewhere").symlink_to(run, target_is_directory=True)
    with pytest.raises(SettingsError, match="no run 'elsewhere'"):
        picture_file(run.parent, "elsewhere", "turn-001.png")
    os.utime(run / LINES)
    assert latest(run.parent) == run


def test_a_journal_that_is_a_link_is_not_watched(run: Path, result_of: Callable[..., Any]) -> None:
    (run.parents[1] / "secret").write_text('{"kind": "note", "text": "of another program"}\n')
    linked(run / LINES)

    async def first() -> object:
        return await anext(follow(run.parent, "run"))

    with pytest.raises(SettingsError, match="is a link"):
        result_of(first())


def test_a_page_that_is_a_link_overwrites_nothing(run: Path) -> None:
    linked(run / "report.html")
    with pytest.raises(SettingsError, match="is a link"):
        write_report(run)
    assert (run.parents[1] / "secret").read_bytes() == SECRET
    assert write_report(run, run.parents[1] / "page.html").is_file()


def test_a_page_that_is_another_file_by_a_second_name_leaves_that_one_as_it_is(run: Path) -> None:
    linked(run / "report.html", hard=True)
    assert write_report(run).stat().st_nlink == 1
    assert (run.parents[1] / "secret").read_bytes() == SECRET


def test_a_calibration_that_is_a_link_is_refused_before_a_game_is_played(run: Path, capsys: Any) -> None:
    linked(run / "calibration-1.toml")
    words = ["--screen", "drawn", "--dry-run", "--calibration", str(run / "calibration-1.toml")]
    assert main(["play", *words, "--runs", str(run.parents[1] / "new")]) == 2
    assert "is a link" in capsys.readouterr().err
    assert not (run.parents[1] / "new").exists()


def test_a_fixture_that_is_a_link_overwrites_nothing(run: Path) -> None:
    place = run.parents[1] / "kept" / "flood_it"
    place.mkdir(parents=True)
    for name in ("one.png", "one.json"):
        (place / name).symlink_to(run.parents[1] / "new" / name)
    (run.parents[1] / "new").mkdir()
    with pytest.raises(SettingsError, match="is a link"):
        keep(open_run(run), 1, place.parent, name="one")
    assert list((run.parents[1] / "new").iterdir()) == []


# Writing.


def test_what_lies_in_the_way_of_a_written_file_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(SECRET)
    (tmp_path / "page.html.part").symlink_to(victim)
    write_file(tmp_path / "page.html", b"new")
    assert victim.read_bytes() == SECRET
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", Path(os.devnull), tmp_path / "page.html.part", tmp_path / "missing" / "page"):
        with pytest.raises(SettingsError, match=r"not written over|cannot write"):
            write_file(path, b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "page.html", "page.html.part", "victim"]


FULL = """
import resource, signal, sys
from bot.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("words", [["report", "RUN"], ["keep", "RUN", "1", "--to", "RUN/kept"]])
def test_a_full_disk_is_named_and_leaves_no_half_of_a_file(run: Path, words: list[str]) -> None:
    before = sorted(run.iterdir())
    words = [word.replace("RUN", str(run)) for word in words]
    done = subprocess.run([sys.executable, "-c", FULL, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.search(r"cannot write '.*' \(File too large\)", done.stderr)
    assert done.stderr.count("\n") == 1
    assert sorted(path for path in run.rglob("*") if path.is_file()) == before


# What a journal says.


@pytest.mark.parametrize("text", ["\ud800", "a \udcff name that is no UTF-8", "\udfff\ud800"])
def test_half_a_character_in_a_message_is_shown_as_a_question_mark(run: Path, text: str) -> None:
    lines_with(run, "end", message=text)
    page = write_report(run).read_text(encoding="utf-8")
    assert "?" in page
    assert page.endswith("</html>")
    assert open_run(run).end["message"].encode()  # type: ignore[index]


def test_a_run_whose_name_is_no_utf_8_has_a_page(run: Path) -> None:
    odd = run.rename(run.with_name(os.fsdecode(b"run-\xff")))
    assert "run-?" in write_report(odd).read_text(encoding="utf-8")


def test_a_whole_character_that_json_writes_in_two_halves_stays_itself(run: Path) -> None:
    lines_with(run, "end", message="won \U0001f3c6")
    assert "won \U0001f3c6" in report(open_run(run))


@pytest.mark.parametrize("move", ["²", "z", "٣", "A", "Ⅷ"])
def test_a_move_that_is_no_colour_is_shown_as_it_stands(run: Path, move: str) -> None:
    lines_with(run, "turn", played=move)
    assert f'"played":"{move}"' in report(open_run(run))


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!--<script>", "<img src=x onerror=alert(1)>"])
def test_what_a_journal_says_ends_no_element_of_the_page(run: Path, text: str) -> None:
    plain = report(open_run(run))
    lines_with(run, "turn", played=text, state=text, outcome=text)
    lines_with(run, "end", message=text, cause=text)
    page = report(open_run(run))
    assert text not in page
    assert page.count("<script") == plain.count("<script")
    assert page.count("<img") == plain.count("<img")


@pytest.mark.parametrize("name", ["colour:²", "colour:red", "colour:", f"colour:{'9' * 5000}"])
def test_a_control_that_is_no_colour_is_kept_as_none(run: Path, tmp_path: Path, name: str) -> None:
    path = run / "calibration-1.toml"
    path.write_text(path.read_text().replace("[controls]\n", f'[controls]\n"{name}" = [1.0, 2.0]\n'))
    _, truth = keep(open_run(run), 1, tmp_path / "kept")
    assert len(json.loads(truth.read_text())["buttons"]) == 5


@pytest.mark.parametrize("option", ["cache=PLACE", "model=PLACE", "depth=1,cache=PLACE"])
def test_a_solver_of_a_run_opens_no_file(run: Path, capsys: Any, option: str) -> None:
    place = run.parents[1] / "victim"
    lines_with(run, "playing", game="blokus", solver=f"alphabeta:{option.replace('PLACE', str(place))}")
    assert main(["replay", str(run)]) == 2
    assert "names a file" in capsys.readouterr().err
    assert not place.exists()
