"""The record of a table's games: what was played is played once, and what went wrong is kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.__main__ import SERIES, TABLES, ended_by_signal, main
from bench.screens.record import GAMES, HEAD, RULE, RecordedGame, SeriesRecord, counts, problems, stopped
from bot.play.seen import BoardLostError
from bot.pointers.guard import StoppedError

WON = RecordedGame("won", agrees=True, moves=20, misreads=0, retries=0, seconds=10.0, score="3 to 1")
CLICKED_TWICE = RecordedGame("lost", agrees=True, moves=10, misreads=0, retries=1, seconds=5.0)


def test_a_series_that_was_broken_off_goes_on_with_the_game_it_was_at(tmp_path: Path) -> None:
    asked: list[int] = []

    def play(number: int, *, runs: Path) -> RecordedGame:
        asked.append(number)
        assert list(runs.iterdir()) == []
        (runs / "journal").write_text("half of it")
        if len(asked) == 2:
            raise KeyboardInterrupt
        return WON

    record = SeriesRecord(tmp_path / "kept")
    record.game(play, 0)
    with pytest.raises(KeyboardInterrupt):
        record.game(play, 1)
    again = SeriesRecord(tmp_path / "kept")
    assert [again.game(play, number) for number in range(3)] == [WON] * 3
    assert asked == [0, 1, 1, 2]


def test_only_runs_with_a_flaw_are_kept(tmp_path: Path) -> None:
    games = {"flawless": WON, "twice": CLICKED_TWICE, "lost": stopped(BoardLostError("it is gone"))}

    def play(name: str, *, runs: Path) -> RecordedGame:
        (runs / "journal").touch()
        return games[name]

    record = SeriesRecord(tmp_path)
    for name in games:
        record.game(play, name)
    assert {folder.name for folder in tmp_path.iterdir() if folder.is_dir()} == {"twice", "lost"}


def test_a_stop_that_was_asked_for_breaks_the_series_off(tmp_path: Path) -> None:
    def play(*, runs: Path) -> RecordedGame:
        return stopped(StoppedError("asked", "as asked"))

    with pytest.raises(StoppedError):
        SeriesRecord(tmp_path).game(play)
    assert not (tmp_path / "games.jsonl").exists()


def test_a_record_without_a_folder_leaves_nothing_behind() -> None:
    left: list[Path] = []

    def play(*, runs: Path) -> RecordedGame:
        left.append(runs)
        return WON

    assert SeriesRecord().game(play) == WON
    assert not left[0].exists()


def test_the_counts_of_games_stand_below_the_head() -> None:
    lost = stopped(BoardLostError("it is gone"), moves=4, agrees=False)
    row = counts([WON, CLICKED_TWICE, lost])
    cells = dict(zip(HEAD.split(" | "), row.split(" | "), strict=True))
    told = {name: cells[name] for name in ("games", "finished", "won", "lost", "record agrees", "misread")}
    assert told == {"games": "3", "finished": "2", "won": "1", "lost": "1", "record agrees": "2", "misread": "1"}
    assert cells["clicks again"] == "1"
    assert RULE.count("|") == HEAD.count("|")
    assert problems([WON, lost]) == ["  BoardLostError: it is gone"]


@pytest.mark.parametrize("name", SERIES)
def test_every_table_of_a_series_can_be_kept(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Path | None] = []

    def tables(*, keep: Path | None = None) -> list[str]:
        given.append(keep)
        return []

    monkeypatch.setattr(f"{TABLES[name][1]}.tables", tables)
    assert main([name, "--keep", str(tmp_path), "--results", str(tmp_path / "results")]) == 0
    assert given == [tmp_path / name]


def test_a_table_of_no_series_cannot_be_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["seeing", "--keep", str(tmp_path)])
    assert "--keep is for pages, four_in_a_row, iagno, pentobi" in capsys.readouterr().err


def test_a_bench_that_is_asked_to_end_does_so_and_leaves_its_handlers_as_they_were() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit, match="ended by SIGTERM"), ended_by_signal():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.browser
@pytest.mark.slow
def test_a_series_in_a_browser_that_is_asked_to_end_keeps_the_games_played(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "bench", "tricks", "--keep", str(tmp_path), "--results", str(tmp_path)]
    series = subprocess.Popen([*words, "--set", "games=60", "seed=6"], stderr=subprocess.PIPE, text=True)
    kept = tmp_path / "tricks" / GAMES
    while series.poll() is None and not (kept.exists() and kept.read_text().endswith("\n")):
        time.sleep(0.1)
    series.terminate()
    _, told = series.communicate(timeout=120)
    assert (series.returncode, told.count("ended by SIGTERM")) == (1, 1)
    assert {json.loads(line)["seed"] for line in kept.read_text().splitlines()} < set(range(6, 66))
