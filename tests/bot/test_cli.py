"""The command line itself: its help, its errors, and what it does when it is interrupted or not read."""

import signal
import subprocess
import sys

import pytest

from bot.cli import COMMANDS, main

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


def test_no_command_at_all_shows_the_help(capsys):
    assert main([]) == 2
    assert "commands:" in capsys.readouterr().out


def test_an_unknown_command_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["fly"])
    assert stop.value.code == 2
    assert "'moves', 'perft', 'solve'" in capsys.readouterr().err


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.startswith("boardsight 0.")


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
