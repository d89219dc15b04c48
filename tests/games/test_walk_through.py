"""The game that docs/add-a-game.md walks through is a game like any other, from the page's own text."""

import json
import re

import numpy as np
import pytest

from bot.cli import main
from bot.runs.journal import open_run
from games import find_game
from games.core import Options
from games.perft import perft
from solvers import find_solver, solver_names
from tests.games.test_playthroughs import transcript


@pytest.fixture
def clobber(from_the_docs):
    """The registered game."""
    assert from_the_docs == "clobber"
    return find_game(from_the_docs)


def test_its_rules_are_those_of_clobber(clobber):
    start = clobber.parse("")
    assert len(start.legal_moves()) == 5 * 5 + 4 * 6  # a neighbouring pair of squares each
    rng = np.random.default_rng(4)
    state = start
    while moves := state.legal_moves():
        after = state.play(moves[rng.integers(len(moves))])
        assert np.count_nonzero(after.grid) == np.count_nonzero(state.grid) - 1
        assert clobber.read(clobber.show(after), before=state) == after
        assert clobber.parse(clobber.format(after)) == after
        assert [clobber.parse_move(clobber.format_move(move, state), state) for move in moves] == list(moves)
        state = after
    assert state.outcome().winner == 1 - state.player


def test_its_data_are_as_the_page_says(clobber, walk_through):
    (data,) = re.findall(r"^```json\n(.*?)^```", walk_through, re.MULTILINE | re.DOTALL)
    for case in json.loads(data)["cases"]:
        start = clobber.parse(case["position"], Options(**case.get("options", {})))
        assert [perft(start, depth) for depth in (1, 2)] == case["counts"][:2]
    (recorded,) = re.findall(r"^```\n(# .*?)^```", walk_through, re.MULTILINE | re.DOTALL)
    assert transcript(recorded).endswith("over: the other side cannot move\nwinner: seat 1\nscores: 1 0\n")


def test_every_solver_of_any_game_plays_it(clobber):
    state = clobber.parse("", clobber.small)
    assert {"random", "greedy", "alphabeta", "mcts-readable"} <= {*solver_names("clobber")}
    scores = {
        find_solver(f"{name}:depth=20", "clobber").decide(state).score for name in ("alphabeta", "alphabeta-readable")
    }
    assert len(scores) == 1


def test_it_is_found_and_played_to_its_end_on_the_drawn_screen(clobber, tmp_path, capsys):
    words = ["--seed", "1", "--delay", "0", "--solver", "random:seed=1", "--runs", str(tmp_path / "runs")]
    assert main(["demo", "--game", "clobber", "--screen", "drawn", *words]) == 0, capsys.readouterr().err
    (folder,) = (tmp_path / "runs").iterdir()
    run = open_run(folder)
    assert run.end is not None
    assert len(run.turns) > 5
