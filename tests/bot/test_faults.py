"""Fault plans as texts, and the command that plays with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli import main
from bot.faults.plans import Fault, FaultPlan, draw_plan, find_plan, format_plan, parse_plan
from games.core import SettingsError


@given(seed=st.integers(0, 10**6))
def test_a_plan_is_the_same_after_it_was_written_and_read(seed: int) -> None:
    plan = draw_plan(seed)
    assert parse_plan(format_plan(plan)) == plan
    assert find_plan(str(seed)) == plan


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lag = -1", "from 0 to"),
        ("lag = nan", "from 0 to"),
        ("lag = 'slow'", "is a float"),
        ("wind = 3", "a plan has no 'wind'"),
        ("faults = 3", "list of tables"),
        ("[[faults]]\nmove = 2", "must say its kind"),
        ("[[faults]]\nkind = 'flood'", "no fault is called 'flood'"),
        ("[[faults]]\nkind = 'drop'\nmove = -2", "move of a drop"),
        ("[[faults]]\nkind = 'drop'\nspeed = 2", "a fault has no 'speed'"),
        ("= 3", "no TOML"),
    ],
)
def test_a_plan_that_is_none_is_refused_with_the_key(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=words):
        find_plan(str(path))


def test_faults_are_asked_for_and_recorded_by_the_command(tmp_path: Path, capsys: Any) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(format_plan(FaultPlan((Fault("drop", move=1), Fault("move", move=3, after=0.1, x=-40, y=10)))))
    words = ["play", "--game", "flood_it", "--screen", "drawn", "--size", "6x6", "--colours", "4"]
    words += ["--solver", "greedy", "--delay", "0.3"]  # a board of chance: one in 200 is taken for another game's
    status = main([*words, "--faults", str(plan), "--record-faults", "--runs", str(tmp_path / "runs"), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (status, answer["over"], answer["retries"], answer["recalibrations"]) == (0, True, 1, 1)
    met = find_plan(str(Path(answer["run"]) / "faults.toml"))
    assert [(fault.kind, fault.move) for fault in met.faults] == [("drop", 1), ("move", 3)]
    assert abs(met.faults[1].x + 40) < 3
    assert abs(met.faults[1].y - 10) < 3


def test_faults_are_refused_where_there_is_no_drawn_screen(capsys: Any) -> None:
    assert main(["play", "--faults", "3", "--url", "http://127.0.0.1:1"]) == 2
    assert "drawn screen alone" in capsys.readouterr().err


def test_a_board_that_moves_by_less_than_half_a_cell_is_found_before_the_next_click(
    play_drawn: Any, tmp_path: Path
) -> None:
    played = play_drawn(tmp_path, cell=60.0, events={2: lambda screen: screen.move_window(26, 0)})
    assert played.result is not None
    assert (played.result.cause, played.result.retries, played.result.recalibrations) == ("won", 0, 1)
