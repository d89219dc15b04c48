"""`boardsight tune`: better values of a solver's options by games, and what it refuses."""

from __future__ import annotations

import json

import pytest

from bot.cli import main
from solvers import find_solver

WORDS = ["tune", "--game", "connect_four", "--size", "4x4", "--length", "3", "--nodes", "40"]


def test_what_it_comes_to_can_be_played_and_proven(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for workers in ([], ["--workers", "1"]):
        assert (
            main([*WORDS, "--solver", "mcts-readable", "exploration=0.1:9", "--games", "40", "--json", *workers]) == 0
        )
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0]["games"] == 32
    player = find_solver(told[0]["solver"], "connect_four")
    assert player.exploration == pytest.approx(told[0]["values"]["exploration"], rel=1e-5)  # type: ignore[attr-defined]
    assert told[0]["prove"].startswith(f"boardsight arena --game connect_four {told[0]['solver']} mcts-readable ")


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["--solver", "mcts-readable", "explore=1:2"], "no number called 'explore'; did you mean 'exploration'?"),
        (["--solver", "mcts-readable", "exploration=2:1"], "such as exploration=0.5:3"),
        (["--solver", "mcts-readable", "exploration"], "such as exploration=0.5:3"),
        (["--solver", "random", "seed=1:2"], "no number called 'seed'"),
        (["--solver", "mcts-readable", "exploration=1:2", "--games", "3"], "--games is at least 16"),
        (["--solver", "mcts-readable", "exploration=1:2", "--workers", "0"], "--workers is at least 1"),
    ],
)
def test_what_cannot_be_tuned_is_refused(words: list[str], remedy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, *words]) == 2
    assert remedy in capsys.readouterr().err
