"""`boardsight arena` and `python -m bench`: what they print."""

import json
import shlex
import sys

import pytest

from bench.__main__ import TABLES
from bench.__main__ import main as bench
from bot.cli import main


def arena(capsys, *words):
    assert main(["arena", *words]) == 0
    return capsys.readouterr().out


def test_a_match_is_one_object_whose_figures_agree(capsys):
    result = json.loads(arena(capsys, "--game", "connect_four", "random", "random", "--games", "21", "--json"))
    assert (result["a"], result["b"], result["games"], result["openings"]) == ("random", "random", 21, 4)
    assert result["wins"] + result["draws"] + result["losses"] == 21
    assert [sum(column) for column in zip(*result["seats"], strict=True)] == [
        result["wins"],
        result["draws"],
        result["losses"],
    ]
    assert sum(result["pairs"]) == 11
    assert result["elo_interval"][0] < result["elo"] < result["elo_interval"][1]
    assert result["method"] == "pentanomial"


def test_the_same_seed_plays_the_same_match(capsys):
    words = ("--game", "filler", "random", "random", "--games", "6", "--json", "--size", "4x4", "--seed")
    again = [arena(capsys, *words, seed) for seed in ("3", "3", "4")]
    assert again[0] == again[1] != again[2]


def test_a_race_of_one_player_counts_boards(capsys):
    words = ("--game", "flood_it", "--size", "4x4", "random:seed=1", "random:seed=1", "--games", "5", "--json")
    result = json.loads(arena(capsys, *words))
    assert (result["wins"], result["draws"], result["losses"]) == (0, 5, 0)
    assert (result["method"], result["finished"], result["elo"]) == ("trinomial", [5, 5], 0)


def test_a_match_ends_as_soon_as_one_of_two_differences_is_the_likelier(capsys):
    words = (
        "--game",
        "connect_four",
        "alphabeta-readable:depth=2",
        "random:seed=5",
        "--games",
        "400",
        "--sprt",
        "0,100",
    )
    result = json.loads(arena(capsys, *words, "--json"))
    assert result["games"] < 100
    assert result["games"] % 2 == 0
    assert (result["sprt"]["accepted"], result["sprt"]["llr"] > 2.94) == (100, True)
    said = [line for line in arena(capsys, *words).splitlines() if line.startswith("SPRT")]
    assert said == [f"SPRT of +0 against +100 Elo: likelihood ratio {result['sprt']['llr']:+.2f}, +100 Elo is accepted"]


def test_a_person_sees_who_played_and_how_it_went(capsys):
    lines = arena(capsys, "--game", "connect_four", "random", "random:seed=5", "--games", "4").splitlines()
    assert lines[:3] == ["A  random", "B  random:seed=5", "4 games of connect_four, seed 0, 4 random moves first"]
    assert "95% interval" in lines[3]
    assert lines[4].split()[:4] == ["player", "wins", "draws", "losses"]
    assert lines[7].startswith("A moving first: ")


def test_a_player_that_loses_everything_is_infinitely_weaker(capsys):
    words = ("--game", "connect_four", "random:seed=1", "alphabeta-readable:depth=3", "--games", "4")
    assert "A scores 0.0%: -inf Elo, 95% interval -inf to " in arena(capsys, *words)
    assert json.loads(arena(capsys, *words, "--json"))["elo"] is None


def test_another_program_plays_a_match(capsys):
    engine = f"engine:{shlex.quote(sys.executable)} -m bot.cli engine --game connect_four --solver random:seed=1"
    result = json.loads(arena(capsys, "--game", "connect_four", engine, "random", "--games", "2", "--json"))
    assert result["games"] == 2
    assert result["forfeits"] == [0, 0]


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["random", "random", "--games", "0"], "at least 1"),
        (["random", "random", "--seed", "-1"], "at least 0"),
        (["random", "random", "--sprt", "5"], "no ELO0,ELO1"),
        (["random", "random", "--sprt", "10,0"], "smaller difference first"),
        (["random", "oracle"], "choose one of"),
        (["random", "engine:/nowhere/at/all"], "cannot start"),
    ],
)
def test_a_match_that_cannot_be_played_says_why(words, remedy, capsys):
    assert main(["arena", "--game", "connect_four", *words]) == 2
    assert remedy in capsys.readouterr().err


def test_the_tables_are_listed_with_a_line_each(capsys):
    assert bench(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(TABLES)


def test_an_unknown_table_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        bench(["phrenology"])
    assert "no table is called 'phrenology'" in capsys.readouterr().err
