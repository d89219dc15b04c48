"""The engine under random attack: every line has its answer, and none ends it."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.protocol.engine import EngineSession, parse_command, serve
from games import GAMES, find_game
from games.core import Options
from solvers.baseline import Random
from solvers.core import Limit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["text", "move", "seconds", "nodes", "depth", "size", "rows", "cols", "colours", "variant", "limit", "walls"]
WORDS = ["", "1", "4453", "012/210/001", "7x8", "duo", "e2", "\ud800", "\0"]
COMMAND = st.builds(
    lambda name, arguments: json.dumps({"cmd": name, **arguments}).encode(),
    st.sampled_from(["new", "position", "play", "go", "stop", "fly"]),
    st.dictionaries(st.sampled_from(KEYS), st.sampled_from(WORDS) | st.integers(-5, 40) | JSON, max_size=2),
)
LINE = (COMMAND | JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=30)).filter(
    lambda line: parse_command(line).name != "quit"
)


QUICKLY = settings(
    max_examples=40,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("name", GAMES)
@given(lines=st.lists(LINE, max_size=12))
@QUICKLY
def test_every_line_has_one_answer_with_a_named_error(name, lines, capsys):
    capsys.readouterr()
    serve(EngineSession(find_game(name), Random(1), Options(), Limit(nodes=10)), lines)
    out, err = capsys.readouterr()
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(lines)
    assert err == ""  # no traceback: every refusal is one of ours
    for answer in answers:
        assert answer["ok"] is True or (answer["error"].endswith("Error") and answer["message"])


@QUICKLY
@given(line=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_a_line_is_a_known_command_or_an_error(line):
    command = parse_command(line)
    assert bool(command.name) != bool(command.error)
