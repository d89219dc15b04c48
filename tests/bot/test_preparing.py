"""A solver that is not compiled is compiled in a process of its own, while a light one plays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.compose import play
from bot.play.preparing import Preparation
from bot.runs.journal import open_run
from bot.runs.replay import replay
from bot.settings import Settings
from games import GAMES, find_game
from games.core import Options
from solvers import find_solver

FOUR = find_game("connect_four")


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for kernels."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def asked(preparation: Preparation, said: list[str]) -> bool:
    return preparation.is_under_way(FOUR, "exact", find_solver("exact", FOUR.name), FOUR.parse(""), say=said.append)


@pytest.mark.slow
def test_a_solver_takes_over_when_it_is_compiled_and_is_ready_from_then_on(cold: Path) -> None:
    said: list[str] = []
    with Preparation() as preparation:
        assert asked(preparation, said)
        assert preparation.late()
        (process,) = preparation._processes.values()
        assert process.wait() == 0
        assert not asked(preparation, said)
        assert not preparation.late()
    assert [line.partition(":")[0] for line in said] == [
        "playing lightly while the strong solver is being prepared",
        "the strong solver is ready and plays from here on",
    ]
    with Preparation() as another:
        assert not asked(another, said)
    assert len(said) == 2


def test_what_is_not_compiled_when_a_run_ends_is_given_up(cold: Path) -> None:
    with Preparation() as preparation:
        assert asked(preparation, [])
        (process,) = preparation._processes.values()
    assert process.returncode == -15


def test_a_game_is_played_lightly_until_the_solver_is_ready_and_can_be_replayed(
    cold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wishes: dict[str, Any] = {"rows": 5, "cols": 5, "seat": "first", "max_moves": 2, "seconds": 0.05}
    (played,) = play(Settings(screen="drawn", game="quoridor", runs=str(cold), **wishes))
    assert "playing lightly while the strong solver is being prepared" in capsys.readouterr().out
    run = open_run(played.folder)
    assert run.turns[0].decision["solver"] == "light"
    assert [different for _, found in replay(run) for different in found if different.what == "decision"] == []


@pytest.mark.slow
def test_a_solver_that_needs_nothing_compiled_plays_at_once(cold: Path) -> None:
    with Preparation() as preparation:
        for spec in ("random", "alphabeta-readable", "light"):
            solver = find_solver(spec, FOUR.name)
            assert not preparation.is_under_way(FOUR, spec, solver, FOUR.parse(""), say=pytest.fail)
        assert not preparation._processes


def test_what_was_compiled_beforehand_is_ready(cold: Path) -> None:
    words = [sys.executable, "-m", "bot.cli", "warm", "connect_four"]
    said = [subprocess.run(words, env=os.environ, capture_output=True, text=True, check=True) for _ in range(2)]
    assert said[0].stdout.startswith("Connect Four: ready after ")
    assert said[1].stdout == "Connect Four: ready\n"
    assert [each.stderr for each in said] == ["", ""]


@pytest.mark.parametrize("name", GAMES)
def test_the_light_solver_beats_chance(name: str) -> None:
    game, options = find_game(name), Options(10, 10, colours=5) if name == "flood_it" else Options()
    lengths: dict[str, int] = {}
    for spec in ("light", "random:seed=4"):
        players = find_solver(spec, name), find_solver("random:seed=5", name)
        state = game.deal(np.random.default_rng(3), options)
        while (outcome := state.outcome()) is None and lengths.get(spec, 0) < 200:
            state = state.play(players[state.player].decide(state).move)
            lengths[spec] = lengths.get(spec, 0) + 1
        if spec == "light":
            assert outcome is not None
            assert outcome.winner == 0
    assert game.players == 2 or lengths["light"] < lengths["random:seed=4"]
