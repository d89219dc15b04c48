"""A match of Blokus by GTP, against our own engine in a process of its own."""

import re
import sys

import pytest

from bench.solvers.blokus_gtp import Engine, tables


@pytest.fixture
def command(tmp_path):
    """A program that speaks GTP and takes the options that Pentobi's engine takes."""
    script = tmp_path / "engine"
    script.write_text(
        f"#!/bin/sh\nexec {sys.executable} -m boardsight engine --gtp --game blokus --solver random:seed=1\n"
    )
    script.chmod(0o755)
    return str(script)


def test_a_match_is_played_to_the_end_from_either_seat_and_counted(command):
    *rows, _, told = list(tables(command, games=2, seconds=0.01, player="light", seed=3))[-4:]
    assert [row.split(" | ")[1] for row in rows] == ["1", "2"]
    for row in rows:
        ours, theirs = map(int, re.search(r"(\d+) to (\d+)", row).groups())
        assert 20 < theirs < ours < 90  # the light player beats the random one
    assert told.startswith("Won 2, drawn 0, lost 0: 100.0%")


def test_what_the_engine_refuses_is_told(command):
    engine = Engine(command)
    with pytest.raises(ValueError, match="refuses 'p a1'"):
        engine.ask("p a1")
    engine.close()
