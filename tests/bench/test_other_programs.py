"""Matches by the text protocols of other programs, against our own engine in a process of its own."""

import re
import sys

import pytest

from bench.solvers import blokus_gtp, quoridor_qtp
from bench.solvers.other_programs import FIRST_SECONDS, Clocks, Engine


@pytest.fixture
def command(tmp_path, request):
    """A program that plays at random, and takes the options that Pentobi's engine takes."""
    script = tmp_path / "engine"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} -m boardsight engine {request.param} --solver random:seed=1\n")
    script.chmod(0o755)
    return str(script)


@pytest.mark.parametrize("command", ["--gtp --game blokus"], indirect=True)
def test_a_match_is_played_to_the_end_from_either_seat_and_counted(command):
    *rows, _, told = list(blokus_gtp.tables(command, games=2, seconds=0.01, player="light", seed=3))[-4:]
    assert [row.split(" | ")[1] for row in rows] == ["1", "2"]
    for row in rows:
        ours, theirs = map(int, re.search(r"(\d+) to (\d+)", row).groups())
        assert 20 < theirs < ours < 90  # the light player beats the random one
    assert told.startswith("Won 2, drawn 0, lost 0: 100.0%")


@pytest.mark.parametrize("command", ["--qtp --game quoridor"], indirect=True)
def test_walls_and_moves_of_a_match_mean_the_same_to_both(command):
    *rows, _, told = list(quoridor_qtp.tables(command, games=4, seconds=0.01, seed=3))[-6:]
    assert [row.split(" | ")[1:3] for row in rows] == [["1", "won"], ["2", "won"]] * 2
    assert told.startswith("Won 4, drawn 0, lost 0: 100.0%")


@pytest.mark.parametrize("command", ["--gtp --game blokus"], indirect=True)
def test_what_the_engine_refuses_is_told(command):
    engine = Engine(command)
    with pytest.raises(ValueError, match="refuses 'p a1'"):
        engine.ask("p a1")
    engine.close()


def test_time_that_was_saved_goes_to_the_next_moves_until_both_took_as_much():
    assert Clocks().due() == FIRST_SECONDS
    assert Clocks(ours=3.0, theirs=3.0, our_moves=3, their_moves=3).due() == pytest.approx(1.0)
    saved, spent = Clocks(1.0, 3.0, 3, 3), Clocks(9.0, 3.0, 3, 3)
    assert 1.0 < saved.due() <= 3.0
    assert 0.0 < spent.due() < 1.0
