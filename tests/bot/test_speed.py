"""`boardsight speed`: what it says of this machine, whatever the times are."""

import json

import pytest

from bot.cli import main
from bot.commands.speed import speed_of
from games import GAMES


def test_the_speed_of_a_game_is_one_json_object(capsys):
    assert main(["speed", "--game", "flood_it", "--json"]) == 0
    (speed,) = json.loads(capsys.readouterr().out)["games"]
    assert list(speed) == ["game", "find_ms", "read_ms", "solver", "positions_per_second"]
    assert speed["game"] == "flood_it"
    assert min(speed["find_ms"], speed["read_ms"], speed["positions_per_second"]) > 0


def test_the_speed_of_all_games_is_a_table_with_a_row_each(capsys, monkeypatch):
    one = speed_of("flood_it")
    monkeypatch.setattr("bot.commands.speed.speed_of", lambda name: type(one)(name, 12.5, 0.25, "exact", 1_200_000))
    assert main(["speed"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split("  ")[0] == "game"
    assert [row.split()[0] for row in rows] == list(GAMES)
    assert all(row.endswith("1,200,000") for row in rows)


@pytest.mark.parametrize("words", [["--game", "chess"], ["--game", "chess", "--json"]])
def test_the_speed_of_an_unknown_game_is_refused_by_name(words, capsys):
    assert main(["speed", *words]) == 2
    captured = capsys.readouterr()
    assert "no game is called 'chess'" in captured.out + captured.err
