"""Pages with the habits of real ones: what is drawn, what is true of a game, which presses were wrong."""

from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import main
from bench.screens.conventions import (
    ENDS,
    GAMES,
    StrangePage,
    conventions_of,
    draw_page,
    lines,
    play_one,
    truth_of,
    wrong_presses,
)
from bot.web.pages import PageServer


def told(**more: Any) -> dict[str, Any]:
    """What a referee tells of a game that the person at the second seat won."""
    won = {"winner": 1, "at": 9000.0, "moves": ["4"]}
    return {"ended": [won], "seats": ["random", "person"], "clicks": [], **more}


def press(at: float, effect: str) -> dict[str, Any]:
    return {"at": at, "effect": effect, "by": "pointer", "target": "cell:1,2"}


def test_pages_are_the_same_for_a_seed_and_have_every_habit_sooner_or_later() -> None:
    assert draw_page(7) == draw_page(7)
    drawn = [draw_page(seed) for seed in range(300)]
    habits = {each for name, settings in drawn for each in conventions_of(name, settings)}
    assert {f"end={end}" for end in ENDS[1:]} | {"seat=first", "seat=second", "turn=mirror"} <= habits
    assert {name for name, _ in drawn} == set(GAMES)


def test_the_truth_is_that_of_the_first_game_at_the_seat_of_the_person() -> None:
    lost = {"winner": 0, "at": 1.0, "moves": []}
    assert truth_of(told()) == "won"
    assert truth_of(told(ended=[lost, told()["ended"][0]])) == "lost"
    assert truth_of(told(ended=[{**lost, "winner": None}])) == "drawn"
    assert truth_of({"ended": [{"won": False, "at": 1.0, "moves": []}]}) == "lost"
    assert truth_of(told(ended=[])) == ""


def test_presses_are_wrong_on_what_cannot_be_played_and_after_the_end() -> None:
    put_away = press(10900, "ignored") | {"by": "keyboard"}
    fine = [press(100, "move"), press(200, "shown"), press(9500, "ignored"), put_away]
    assert list(wrong_presses(told(clicks=fine))) == []
    found = [press(100, "hidden"), press(200, "lacking"), press(300, "move")]
    assert list(wrong_presses(told(clicks=found))) == []
    assert len(list(wrong_presses(told(clicks=found + found)))) == 2
    wrong = [press(100, "illegal"), press(200, "none"), press(300, "new game"), press(10100, "move")]
    assert len(list(wrong_presses(told(clicks=[*fine, *wrong])))) == 4


def test_the_table_counts_by_convention() -> None:
    common = {"moves": 3, "seconds": 1.0, "message": "", "name": "quoridor"}
    played = [
        StrangePage(1, conventions=("end=veil",), cause="won", truth="won", wrong=(), **common),
        StrangePage(2, conventions=("end=veil",), cause="won", truth="lost", wrong=("a press",), **common),
        StrangePage(3, conventions=("end=blur",), cause="won", truth="", wrong=(), taken="filler", **common),
    ]
    table = list(lines(played))
    assert "| all pages | 3 | 2 | 1 | 1 |" in table
    assert "| end=veil | 2 | 2 | 1 | 1 |" in table
    assert "| end=blur | 1 | 0 | 0 | 0 |" in table
    assert any("truly not over, taken for filler; end=blur" in line for line in table)


@pytest.mark.browser
def test_a_game_on_such_a_page_is_played_and_judged_by_its_referee(
    page_server: PageServer, chromium: Path, tmp_path: Path
) -> None:
    page = {"size": 5, "colours": 4, "seed": 3, "animation": 0, "limit": 0, "before": "level", "mouse": "board"}
    played = play_one(page_server, 0, runs=tmp_path, page=page)
    assert (played.cause, played.truth, played.true, played.wrong) == ("won", "won", True, ())
    assert played.taken == played.name
    assert next(tmp_path.glob("*/referee.json")).is_file()


def test_arguments_of_a_table_may_be_flags(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["conventions", "--cats", "4"])
    assert "conventions takes pages, seed, not cats" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["conventions", "--pages"])
    assert "unrecognized arguments: --pages" in capsys.readouterr().err
