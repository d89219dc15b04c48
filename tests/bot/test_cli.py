"""The command line itself: its help, its errors, and what it does when it is interrupted or not read."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
from PIL import Image

from bot.cli import main
from bot.commands.parser import COMMANDS, PARTS

BOARDSIGHT = [sys.executable, "-m", "bot.cli"]


def test_the_help_lists_every_command_with_its_line(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    help_text = capsys.readouterr().out
    assert stop.value.code == 0
    for name, (line, _) in COMMANDS.items():
        assert f"    {name}" in help_text
        assert line in " ".join(help_text.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_its_arguments(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert f"boardsight {command}" in capsys.readouterr().out


def test_no_command_at_all_names_the_three_to_begin_with(capsys):
    assert main([]) == 2
    begin = capsys.readouterr().out
    assert [line.split()[1] for line in begin.splitlines() if line.startswith("  ")] == ["demo", "play", "doctor"]


def test_an_unknown_command_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["fly"])
    assert stop.value.code == 2
    assert "'moves', 'perft', 'solve'" in capsys.readouterr().err


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    first, *parts = capsys.readouterr().out.splitlines()
    assert first.startswith("boardsight 0.")
    assert [line.split()[0] for line in parts] == ["python", *PARTS]


def test_ctrl_c_ends_a_command_quietly():
    words = ["solve", "--game", "flood_it", "--solver", "random", "--positions", "-", "--json-lines"]
    heard = ["env", "--default-signal=INT"]  # where the tests run in the background Ctrl-C is ignored
    process = subprocess.Popen(
        [*heard, *BOARDSIGHT, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdin.write("01/10\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith("{")  # it waits for the second line now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=240)
    assert (process.returncode, out, err) == (130, "", "")


def test_a_reader_that_has_gone_ends_a_command_quietly():
    words = ["solve", "--game", "flood_it", "--solver", "random", "--positions", "-", "--json-lines"]
    process = subprocess.Popen(
        [*BOARDSIGHT, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.close()
    _, err = process.communicate("01/10\n" * 3, timeout=240)
    assert (process.returncode, err) == (141, "")


MOVES = ["moves", "--game", "connect_four"]


@pytest.mark.parametrize(
    ("words", "shell", "said"),
    [
        (MOVES, ">&-", "standard output is closed"),
        (["--help"], ">&-", "standard output is closed"),
        (MOVES, "> /dev/full", "No space left on device"),
        ([*MOVES, "--json"], "> /dev/full", "No space left on device"),
        ([*MOVES, "--json", "nonsense"], "> /dev/full", "No space left on device"),
        (["--version"], "> /dev/full", "No space left on device"),
        (["solve", "--game", "flood_it", "--solver", "random", "01/10"], "> /dev/full", "No space left on device"),
    ],
)
def test_an_output_that_takes_nothing_is_named_in_one_line(words, shell, said):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {shell}', "sh", *BOARDSIGHT, *words], stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_closed_streams_beside_the_output_are_no_matter():
    closed = ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", *BOARDSIGHT]
    done = subprocess.run([*closed, *MOVES, "--json"], stdout=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    words = ["solve", "--game", "flood_it", "--solver", "random", "--positions", "-", "--json-lines"]
    done = subprocess.run([*closed, *words], stdout=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    done = subprocess.run([*closed, "moves", "--game", "chess"], stdout=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_fault_of_ours_is_not_taken_for_a_full_output(monkeypatch):
    def broken(args):
        raise OSError(28, "No space left on device", "/some/file")

    monkeypatch.setattr("bot.commands.moves.run", broken)
    with pytest.raises(OSError, match="/some/file"):
        main(MOVES)


def test_a_name_that_is_no_text_is_printed(tmp_path):
    odd = os.fsencode(tmp_path) + b"/odd-\xff.png"
    Image.new("RGB", (40, 40)).save(tmp_path / "plain.png")
    os.rename(os.fsencode(tmp_path / "plain.png"), odd)
    done = subprocess.run([*BOARDSIGHT, "read", odd], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "odd-\\udcff.png: no game board in the 40x40 picture" in done.stdout


@pytest.mark.parametrize("words", [["--faults", "7"], ["--faults", "7", "--screen", "auto"]])
def test_a_demo_under_faults_needs_no_display(tmp_path, words):
    without = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    plan = tmp_path / "plan.toml"
    plan.write_text("lag = 2000000.0")  # so that the demo ends before it plays: a plan may not be so late
    done = subprocess.run(
        [*BOARDSIGHT, "demo", *words[:1], str(plan), *words[2:]],
        capture_output=True,
        text=True,
        env=without,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("boardsight: the lag is")


NOWHERE = "http://127.0.0.1:9/"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["play", "--url", NOWHERE, "--solver", "exacd"],
            "no solver of quoridor is called 'exacd'; did you mean 'exact'",
        ),
        (["play", "--url", NOWHERE, "--game", "filler", "--solver", "mtcs"], "did you mean 'mcts'"),
        (["play", "--url", NOWHERE, "--game", "blokus", "--variant", "dou"], "Blokus has no variant 'dou'"),
        (["play", "--url", NOWHERE, "--variant", "dou"], "Quoridor has no variant 'dou'"),
        (["demo", "--solver", "exacd"], "did you mean 'exact'"),
        (["demo", "--skin", "darc"], "the page of flood_it has no skin 'darc'; did you mean 'dark'"),
        (["demo", "--skin", "darc", "--screen", "drawn"], "no skin is called 'darc'"),
    ],
)
def test_what_no_game_has_is_said_before_a_screen_is_opened(words, said, capsys):
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_a_demo_on_a_screen_there_is_none_of_is_refused(capsys):
    assert main(["demo", "--screen", "moon"]) == 2
    assert "screen 'moon' is none of: auto, desktop, browser, drawn" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "key", "first"), [("moves", "moves", 7), ("perft --depth 2", "counts", 2), ("solve", "candidates", 7)]
)
def test_a_file_of_positions_is_answered_line_by_line(command, key, first, tmp_path, capsys):
    file = tmp_path / "positions.txt"
    file.write_text("\n99\n4453\n", encoding="utf-8")
    solver = ["--solver", "random"] if command == "solve" else []
    words = [*command.split(), *solver, "--game", "connect_four", "--positions", str(file)]
    assert main([*words, "--json-lines"]) == 1
    start, wrong, later = map(json.loads, capsys.readouterr().out.splitlines())
    assert (len(start[key]), wrong["error"], len(later[key])) == (first, "PositionError", first)
    assert main(words) == 1
    assert capsys.readouterr().out.splitlines()[1].startswith("move 1 of '99': '9' is no column")
    assert main([*words, "4453"]) == 2
    assert "from its file alone" in capsys.readouterr().err


@pytest.mark.slow
def test_it_does_not_matter_how_many_processes_answer(tmp_path, capsys):
    file = tmp_path / "positions.txt"
    file.write_text("4453\n99\n" + "44\n" * 80 + "445\n", encoding="utf-8")
    words = ["solve", "--game", "connect_four", "--solver", "light", "--positions", str(file), "--json-lines"]
    told = []
    for more in ([], ["--workers", "1"], ["--workers", "2"]):
        assert main([*words, *more]) == 1
        told.append([json.loads(line) | {"seconds": 0} for line in capsys.readouterr().out.splitlines()])
    assert told[0] == told[1] == told[2]
    assert len(told[0]) == 83
    assert main(["solve", "--game", "connect_four", "--workers", "2"]) == 2
    assert "name it with --positions" in capsys.readouterr().err


def test_a_learned_player_is_a_solver_by_its_name(capsys):
    assert main(["solve", "--game", "connect_four", "--solver", "connect-four", "--json", "121212"]) == 0
    assert json.loads(capsys.readouterr().out)["move"] in "1234567"
    assert main(["solve", "--game", "filler", "--solver", "connect-four"]) == 2
    assert "filler-published" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("moves --game filer", "filler"),
        ("solve --game connect_four --solver alfabeta", "alphabeta"),
        ("solve --game connect_four --solver conect-four", "connect-four"),
        ("models card quoridor-9x", "quoridor-9x9"),
        ("moves --game mnk --variant gomuku", "gomoku"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_likeliest(words, meant, capsys):
    assert main(words.split()) == 2
    assert f"did you mean {meant!r}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "meant"),
    [("slove", "solve"), ("solve --gmae filler", "--game"), ("play --seet first", "--seat"), ("shell bsh", "bash")],
)
def test_a_misspelt_command_or_flag_is_answered_with_the_likeliest(words, meant, capsys):
    with pytest.raises(SystemExit) as stop:
        main(words.split())
    assert stop.value.code == 2
    assert f"did you mean {meant}?" in capsys.readouterr().err


def completions(line, tmp_path):
    told = tmp_path / "completions"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    environment = {**os.environ, **asked, "_ARGCOMPLETE_STDOUT_FILENAME": str(told)}
    subprocess.run(BOARDSIGHT, env=environment, check=True)
    return [word.strip() for word in told.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("boardsight so", "solve"),
        ("boardsight play --hea", "--headless"),
        ("boardsight solve --game fi", "filler"),
        ("boardsight solve --game filler --solver filler-", "filler-published"),
    ],
)
def test_a_shell_completes_commands_flags_games_and_solvers(line, word, tmp_path):
    assert word in completions(line, tmp_path)


@pytest.mark.parametrize("what", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(what, capsys):
    assert main(["shell", what]) == 0
    assert "_ARGCOMPLETE" in capsys.readouterr().out


def test_the_manual_page_has_every_command_and_flag_and_is_read_without_a_warning(capsys, tmp_path):
    assert main(["shell", "man"]) == 0
    page = capsys.readouterr().out
    for name in COMMANDS:
        assert f'.SS "boardsight {name}"' in page
    assert r"\-\-json\-lines" in page
    file = tmp_path / "boardsight.1"
    file.write_text(page, encoding="utf-8")
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", file], capture_output=True, text=True, check=True)
        assert done.stderr == ""


def test_the_settings_are_shown_with_the_file_that_each_is_from(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boardsight.toml").write_text('game = "filler"\n', encoding="utf-8")
    assert main(["config", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["game"] == {"value": "filler", "from": "boardsight.toml"}
    assert told["seat"] == {"value": "auto", "from": "default"}
    (tmp_path / "boardsight.toml").write_text('gmae = "filler"\n', encoding="utf-8")
    assert main(["config"]) == 2
    assert "unknown key 'gmae'; did you mean 'game'? choose one of: " in capsys.readouterr().err


def test_a_candidate_of_which_only_a_bound_is_known_is_shown_as_that(capsys):
    words = ["solve", "--game", "quoridor", "--size", "5x5", "--walls", "2", "--solver", "alphabeta:depth=3"]
    assert main([*words, "--json"]) == 0
    best, *others = json.loads(capsys.readouterr().out)["candidates"]
    assert "at_most" not in best
    assert others
    assert all(each["at_most"] is True and each["score"] <= best["score"] for each in others)
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("at most" in line for line in lines) == min(9, len(others))


def test_the_best_moves_have_a_line_each_where_they_are_asked_for(capsys):
    words = ["solve", "--game", "connect_four", "--lines", "2", "4455"]
    assert main([*words, "--json"]) == 0
    first, second, *others = json.loads(capsys.readouterr().out)["candidates"]
    assert first["line"][0] == first["move"]
    assert second["line"][0] == second["move"]
    assert not any("line" in each for each in others)
    assert main(words) == 0
    best, _, _, header, *rows = capsys.readouterr().out.splitlines()
    assert best.startswith("3  wins in 2, proven; ")
    assert header.split() == ["move", "score", "line"]
    assert [" ".join(second["line"]) in row for row in rows] == [False, True, *[False] * 5]
    assert main(["solve", "--game", "connect_four", "--lines", "0"]) == 2
    assert "lines cannot be 0" in capsys.readouterr().err


def test_a_lost_game_is_played_to_its_end_as_well(tmp_path, capsys):
    assert (
        main(["play", "--screen", "drawn", "--game", "flood_it", "--limit", "3", "--json", "--runs", str(tmp_path)])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["cause"] == "lost"
