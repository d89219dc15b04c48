"""The line protocol, from both sides: `boardsight engine`, and the process that other programs are asked through."""

import io
import json
import os
import shlex
import subprocess
import sys
import threading
from dataclasses import dataclass, field

import psutil
import pytest

from bot.cli import main
from bot.protocol.engine import EngineSession, serve
from bot.protocol.process import LAST_WORDS, UNASKED, EngineError, EngineProcess
from games import find_game
from games.core import IllegalMoveError, Options
from solvers.core import Decision, Limit

SMALL = "012/210/001"
ENGINE = f"{shlex.quote(sys.executable)} -m bot.cli engine --solver random:seed=1 --game"


@pytest.fixture
def talk(capsys, monkeypatch):
    """The answers to the lines, a text or a command each."""

    def run(*lines, game="connect_four", solver="random"):
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode(errors="surrogateescape"))))
        assert main(["engine", "--game", game, "--solver", solver]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_a_game_is_set_up_played_and_asked_about(talk):
    answers = talk(
        {"cmd": "new", "size": "5x5", "length": 3},
        {"cmd": "position", "text": "1212"},
        {"cmd": "go", "seconds": 1.0},
        {"cmd": "play", "move": "1"},
        {"cmd": "go"},
        {"cmd": "stop"},
        {"cmd": "quit"},
        {"cmd": "go"},
    )
    assert [answer["ok"] for answer in answers] == [True] * 7  # nothing is answered after quit
    assert answers[0] == {"ok": True, "position": "", "player": 0, "over": None}
    assert answers[1] == {"ok": True, "position": "1212", "player": 0, "over": None}
    assert list(answers[2]) == ["ok", "move", "line", "score", "proven", "best", "nodes", "seconds", "candidates"]
    assert answers[3] == {"ok": True, "position": "12121", "player": 1, "over": "3 in a row"}
    assert (answers[4]["move"], answers[4]["over"]) == (None, "3 in a row")
    assert answers[5:] == [{"ok": True}] * 2


def test_a_search_tells_what_it_has_found_while_it_goes_on(talk):
    *found, answer = talk({"cmd": "go", "depth": 5, "info": True}, solver="alphabeta")
    told = [line["info"] for line in found]
    assert [info["depth"] for info in told if info["depth"]] == [1, 2, 3, 4, 5]
    assert [info["nodes"] for info in told] == sorted(info["nodes"] for info in told)
    assert all(info["line"][0] == info["move"] for info in told)
    assert (told[-1]["move"], told[-1]["score"], told[-1]["line"]) == (answer["move"], answer["score"], answer["line"])


def test_an_engine_lists_what_it_may_be_told(talk):
    (options,) = talk({"cmd": "options"})
    assert set(options["takes"]["go"]) == {"seconds", "nodes", "depth", "info", "lines", "threads"}
    assert {"size", "variant"} < set(options["takes"]["new"])
    assert options["holds"] == {"new": {}, "go": {}}


def test_a_game_without_a_fixed_start_waits_for_its_position(talk):
    answers = talk(
        {"cmd": "go"},
        {"cmd": "new", "colours": 4},
        {"cmd": "play", "move": "1"},
        {"cmd": "position", "text": SMALL},
        {"cmd": "play", "move": "3"},
        game="flood_it",
    )
    assert [answer["ok"] for answer in answers] == [False, True, False, True, True]
    assert answers[0]["error"] == "PositionError"
    assert answers[1] == {"ok": True, "position": None}
    assert answers[4]["position"] == "312/210/001"


BAD_LINES = [
    ("", "SettingsError"),
    ("hello", "SettingsError"),
    ("[1, 2]", "SettingsError"),
    ("[" * 60_000, "SettingsError"),
    ("{" * 70_000, "SettingsError"),
    ('{"cmd": "go"', "SettingsError"),
    ("\udcff\udcfe", "SettingsError"),
    ("9" * 5_000, "SettingsError"),
    ({}, "SettingsError"),
    ({"cmd": "fly"}, "SettingsError"),
    ({"cmd": ["go"]}, "SettingsError"),
    ({"cmd": None}, "SettingsError"),
    ({"cmd": "new", "colors": 5}, "SettingsError"),
    ({"cmd": "new", "size": "7 by 8"}, "SettingsError"),
    ({"cmd": "new", "rows": 10**30}, "SettingsError"),
    ({"cmd": "new", "rows": True}, "SettingsError"),
    ({"cmd": "new", "rows": 7.0}, "SettingsError"),
    ({"cmd": "position"}, "SettingsError"),
    ({"cmd": "position", "text": 4453}, "SettingsError"),
    ({"cmd": "position", "text": "44x"}, "PositionError"),
    ({"cmd": "position", "text": "4444444"}, "PositionError"),
    ({"cmd": "position", "text": "\ud800"}, "PositionError"),
    ({"cmd": "play", "move": "8"}, "PositionError"),
    ({"cmd": "play", "move": "4", "seconds": 1}, "SettingsError"),
    ({"cmd": "go", "seconds": -1}, "SettingsError"),
    ({"cmd": "go", "seconds": "1"}, "SettingsError"),
    ('{"cmd": "go", "seconds": NaN}', "SettingsError"),
    ('{"cmd": "go", "seconds": 1e999}', "SettingsError"),
    ({"cmd": "go", "nodes": 1.5}, "SettingsError"),
    ({"cmd": "go", "nodes": 10**40}, "SettingsError"),
    ({"cmd": "go", "time": 3}, "SettingsError"),
    ({"cmd": "go", "info": 3}, "SettingsError"),
]


def test_a_bad_line_is_answered_by_its_error_and_changes_nothing(talk):
    answers = talk(*(line for line, _ in BAD_LINES), {"cmd": "play", "move": "4"})
    assert [answer.get("error") for answer in answers[:-1]] == [error for _, error in BAD_LINES]
    assert all(answer["message"] and answer["ok"] is False for answer in answers[:-1])
    assert answers[-1]["position"] == "4"


@dataclass
class Ponderer:
    """Thinks until it is stopped, then plays the move it found last."""

    thinking: threading.Event = field(default_factory=threading.Event)

    def decide(self, state, limit=Limit(), *, progress=None):
        decisions = [Decision(move, line=(move,)) for move in state.legal_moves()]
        while True:
            for nodes, decision in enumerate(decisions):
                self.thinking.set()
                if progress(decision):
                    return Decision(decision.move, line=decision.line, nodes=nodes + 1)


@pytest.mark.parametrize("word", ["stop", "quit"])
def test_a_search_that_is_stopped_answers_its_best_so_far(word, capsys):
    solver = Ponderer()

    def lines():
        yield b'{"cmd": "go"}'
        solver.thinking.wait()
        yield json.dumps({"cmd": word}).encode()

    serve(EngineSession(find_game("connect_four"), solver, Options(), Limit()), lines())
    found, stopped = map(json.loads, capsys.readouterr().out.splitlines())
    assert found["ok"]
    assert found["move"] in "1234567"
    assert stopped == {"ok": True}


def test_a_stop_ends_only_the_searches_asked_for_before_it(capsys):
    solver = Ponderer()

    def lines():
        yield from [b'{"cmd": "go"}', b'{"cmd": "stop"}', b'{"cmd": "play", "move": "1"}']
        solver.thinking.wait()
        solver.thinking.clear()
        yield b'{"cmd": "go"}'
        solver.thinking.wait()
        yield b'{"cmd": "stop"}'

    serve(EngineSession(find_game("connect_four"), solver, Options(), Limit()), lines())
    assert [json.loads(line)["ok"] for line in capsys.readouterr().out.splitlines()] == [True] * 5


class Broken:
    """A solver with a fault."""

    def decide(self, state, limit=Limit(), *, progress=None):
        raise ZeroDivisionError("a fault")


def test_a_fault_of_a_solver_is_an_answer_and_a_traceback_aside(capsys):
    session = EngineSession(find_game("connect_four"), Broken(), Options(), Limit())
    serve(session, [b'{"cmd": "go"}', b'{"cmd": "play", "move": "4"}'])
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert (first["ok"], first["error"], second["ok"]) == (False, "ZeroDivisionError", True)
    assert "Traceback" in err


def test_an_engine_ends_when_nobody_reads_it():
    process = subprocess.Popen(
        [*shlex.split(ENGINE), "connect_four"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    _, err = process.communicate(b'{"cmd": "go"}\n' * 3, timeout=240)
    assert (process.returncode, err) == (141, b"")


@pytest.mark.parametrize(("name", "text"), [("connect_four", "4453"), ("flood_it", SMALL)])
def test_a_process_is_asked_for_moves_like_any_solver(name, text):
    game = find_game(name)
    state = game.parse(text, Options(limit=9))
    with EngineProcess(f"{ENGINE} {name}", game) as engine:
        for _ in range(3):
            decision = engine.decide(state, Limit(nodes=10))
            assert decision.nodes == 1
            state = state.play(decision.move)
        with pytest.raises(ValueError, match="over"):
            engine.decide(game.parse("1212121" if name == "connect_four" else "00/00"))


def answering(line):
    """A program that answers every line with `line`."""
    return shlex.join([sys.executable, "-c", f"import sys\nfor _ in sys.stdin: print({line!r}, flush=True)"])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/nowhere/at/all", "cannot start"),
        ("", "cannot start"),
        ("'", "cannot start"),
        (shlex.join([sys.executable, "-c", "raise SystemExit('out of order')"]), "out of order"),
        (answering("thinking ..."), "answered"),
        (answering('{"ok": false, "error": "PositionError", "message": "no"}'), "PositionError"),
        (answering("[]"), "answered"),
    ],
)
def test_a_process_that_fails_is_named_with_what_it_said(command, said):
    game = find_game("connect_four")
    with pytest.raises(EngineError, match=said), EngineProcess(command, game) as engine:
        engine.decide(game.parse(""))


def test_a_process_that_hangs_is_given_up_and_ended():
    game = find_game("connect_four")
    command = shlex.join([sys.executable, "-c", "import sys\nfor _ in sys.stdin: pass"])
    with pytest.raises(EngineError, match="in time"), EngineProcess(command, game, patience=0.2) as engine:
        engine.decide(game.parse(""))


@pytest.mark.parametrize("move", ['"9"', "null", "4", '"5 or so"'])
def test_an_illegal_move_of_a_process_is_an_illegal_move(move):
    game = find_game("connect_four")
    with EngineProcess(answering(f'{{"ok": true, "move": {move}}}'), game) as engine:
        state = game.parse("444444")
        with pytest.raises(IllegalMoveError, match="plays"):
            engine.decide(state)


FLOODING = """
import json, sys, threading
def flood():
    while True:
        sys.stderr.write("x" * 65535 + chr(10))
threading.Thread(target=flood, daemon=True).start()
for line in sys.stdin:
    print(json.dumps({"ok": True, "move": "4"}), flush=True)
    if json.loads(line)["cmd"] == "go":
        print((("y" * 1000) + chr(10)) * 200, flush=True)
"""
"""An engine that answers, and says far more than it was asked on both streams."""


def test_what_a_process_says_unasked_is_held_up_to_a_bound():
    game = find_game("connect_four")
    with EngineProcess(shlex.join([sys.executable, "-c", FLOODING]), game) as engine:
        assert engine.decide(game.parse("")) is not None
        while len(engine._errors) < LAST_WORDS or engine._answers.qsize() < UNASKED:
            pass
        assert len(engine._errors) == LAST_WORDS
        assert engine._answers.qsize() == UNASKED


STARTING = """
import json, os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}")
for line in sys.stdin:
    print(json.dumps({"ok": True, "move": "4"}), flush=True)
"""
"""An engine that starts another process."""

ASKING = """
import shlex, sys
from bot.protocol.process import EngineProcess
from games import find_game
game = find_game("connect_four")
engine = EngineProcess(shlex.join([sys.executable, "-c", *sys.argv[1:]]), game)
engine.decide(game.parse(""))
print("asked", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_a_process_and_what_it_started_end_with_an_asker_that_is_killed(tmp_path):
    note = tmp_path / "pids"
    words = [sys.executable, "-c", ASKING, STARTING, str(note)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as asker:
        assert asker.stdout.readline() == b"asked\n"
        started = [psutil.Process(int(pid)) for pid in note.read_text().split()]
        asker.kill()
    assert len(started) == 2
    _, alive = psutil.wait_procs(started, timeout=60)
    assert alive == []


def test_a_process_that_hangs_is_ended_at_once_and_not_asked_again():
    game = find_game("connect_four")
    command = shlex.join([sys.executable, "-c", "import sys\nfor _ in sys.stdin: pass"])
    with EngineProcess(command, game, patience=0.2) as engine:
        with pytest.raises(EngineError, match="in time"):
            engine.decide(game.parse(""))
        assert engine._process.returncode is not None
        with pytest.raises(EngineError, match="takes no commands"):
            engine.decide(game.parse(""))
