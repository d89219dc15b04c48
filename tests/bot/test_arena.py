"""`boardsight arena` and `python -m bench`: what they print."""

import json
import re
import shlex
import sys
from contextlib import closing
from functools import partial

import pytest

from bench.__main__ import TABLES
from bench.__main__ import main as bench
from bench.solvers import blokus_strength, filler, learned, quoridor, reversi
from bot.cli import main
from games import find_game
from games.core import Options
from solvers.training.cluster import workers_for


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


@pytest.mark.slow
def test_it_does_not_matter_how_many_processes_play(capsys, tmp_path):
    words = (
        "--game",
        "connect_four",
        "random",
        "mcts-readable",
        "--nodes",
        "30",
        "--games",
        "9",
        "--json",
        "--records",
    )
    alone, shared = (
        json.loads(arena(capsys, *words, str(tmp_path / name), *more))
        for name, more in (("alone.pgn", ()), ("shared.pgn", ("--workers", "2")))
    )
    assert {**alone, "seconds": 0} == {**shared, "seconds": 0}
    assert (tmp_path / "alone.pgn").read_text() == (tmp_path / "shared.pgn").read_text()


class Refusing:
    """Workers that say what they were to do."""

    def map(self, work, jobs):
        raise LookupError(f"{len(jobs)} times {work.__name__}")


@pytest.mark.parametrize(
    "tables",
    [
        partial(blokus_strength.tables, 2),
        partial(filler.tables, 1),
        partial(learned.tables, 2, 1),
        partial(quoridor.match_table, 2, 0.01),
        partial(reversi.tables, 1, 4, 2),
    ],
    ids=lambda tables: tables.func.__module__.rpartition(".")[2],
)
def test_workers_play_the_matches_of_the_benches(tables):
    with pytest.raises(LookupError, match=r"[12] times play_contest"):
        list(tables(workers=Refusing()))


@pytest.mark.slow
def test_a_table_is_the_same_whoever_plays_its_match():
    with closing(workers_for("2")) as workers:
        assert list(filler.greedy_table(2, workers)) == list(filler.greedy_table(2))


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


def games_in(text):
    """The tags and the moves of each record."""
    for game in re.split(r"\n\n(?=\[Game)", text.strip()):
        head, moves = game.split("\n\n")
        yield dict(json_string(line) for line in head.splitlines()), re.sub(r"\d+\.\s", "", moves).split()


def json_string(line):
    """The name and the value of a tag, whose quotes are escaped as in JSON."""
    name, _, value = line.strip("[]").partition(" ")
    return name, json.loads(value)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("connect_four", ["random:seed=1", "random:seed=2", "--size", "5x5"]),
        ("quoridor", ["random:seed=1", "random:seed=2", "--size", "5x5"]),
        ("flood_it", ["greedy", "random", "--size", "4x4"]),
    ],
)
def test_every_record_leads_from_its_position_to_its_result(game, words, tmp_path, capsys):
    arena(capsys, "--game", game, *words, "--games", "4", "--records", str(tmp_path / "games.pgn"))
    rules, wins = find_game(game), {"1-0": 0, "0-1": 1, "1/2-1/2": None}
    records = list(games_in((tmp_path / "games.pgn").read_text()))
    assert len(records) == 4 * (3 - rules.players)
    for tags, (*moves, result) in records:
        state = rules.parse(tags["Position"], Options(**json.loads(tags["Options"])))
        for move in moves:
            state = state.play(rules.parse_move(move, state))
        end = state.outcome()
        assert result == tags["Result"]
        if rules.players == 2:
            assert {tags["First"], tags["Second"]} == set(words[:2])
            assert (end.winner, end.reason) == (wins[result], tags["Termination"])
        else:
            assert (end.winner == 0) == (result == "1-0")


def test_a_book_is_played_line_by_line_from_both_sides(tmp_path, capsys):
    book, records = tmp_path / "book.txt", tmp_path / "games.pgn"
    book.write_text("44\n4455\n")
    words = ["random:seed=1", "random:seed=2", "--games", "5", "--book", str(book), "--records", str(records)]
    assert "0 random moves first" in arena(capsys, "--game", "connect_four", *words)
    positions, firsts = zip(
        *[(tags["Position"], tags["First"]) for tags, _ in games_in(records.read_text())], strict=True
    )
    assert positions == ("44", "44", "4455", "4455", "44")
    assert firsts == ("random:seed=1", "random:seed=2") * 2 + ("random:seed=1",)


def test_what_a_solver_has_proven_need_not_be_played(capsys):
    words = ["--game", "connect_four", "--size", "4x4", "--length", "3", "alphabeta", "alphabeta", "--games", "6"]
    played, proven = (json.loads(arena(capsys, *words, "--json", *more)) for more in ([], ["--adjudicate"]))
    assert proven["seats"] == played["seats"]
    assert max(proven["moves"]) < 1 < min(played["moves"])


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
        (["random", "random", "--book", "/nowhere"], "/nowhere"),
        (["random", "random", "--book", "/dev/null"], "needs positions"),
        (["random", "random", "--records", "/nowhere/at/all"], "cannot be written"),
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
