"""`boardsight moves`, `perft` and `solve`: the texts other programs rely on."""

import io
import json
import sys

import numpy as np
import pytest
from PIL import Image

from bot.cli import main
from bot.screens.drawn.screen import DrawnScreen
from games import GAMES, find_game
from games.core import Options

SMALL = "012/210/001"


@pytest.fixture
def say(capsys, monkeypatch):
    """Run one command; its exit status, the lines it printed and what it said on standard error."""

    def run(*words, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = main(words)
        out, err = capsys.readouterr()
        return status, out.splitlines(), err

    return run


def test_moves_are_one_object_of_texts(say):
    assert say("moves", "--game", "flood_it", SMALL, "--json") == (0, ['{"moves": ["1", "2"]}'], "")


def test_moves_are_one_a_line_for_a_person(say):
    assert say("moves", "--game", "flood_it", SMALL) == (0, ["1", "2"], "")


def test_the_words_of_a_position_need_no_quotes(say):
    assert say("moves", "--game", "flood_it", SMALL, "@2,2") == (0, ["0", "2"], "")


def test_options_of_the_game_change_the_moves(say):
    assert say("moves", "--game", "flood_it", SMALL, "--colours", "4") == (0, ["1", "2", "3"], "")


@pytest.mark.parametrize("words", [("000/000",), (SMALL, "--limit", "0")])
def test_there_are_no_moves_when_the_game_is_over(say, words):
    assert say("moves", "--game", "flood_it", "--json", *words) == (0, ['{"moves": []}'], "")


def test_perft_counts_by_depth(say):
    assert say("perft", "--game", "flood_it", "--depth", "5", SMALL, "--json")[1] == ['{"counts": [2, 4, 8, 16, 26]}']
    assert say("perft", "--game", "flood_it", "--depth", "2", SMALL)[1] == [" 1 2", " 2 4"]


def test_solve_prints_the_keys_that_other_programs_read(say):
    status, lines, _ = say("solve", "--game", "flood_it", "--solver", "random:seed=1", SMALL, "--json")
    answer = json.loads(lines[0])
    assert (status, len(lines)) == (0, 1)
    assert list(answer) == ["move", "line", "score", "proven", "best", "nodes", "seconds", "candidates"]
    assert answer["move"] == answer["line"][0] == answer["candidates"][0]["move"]
    assert [list(entry) for entry in answer["candidates"]] == [["move", "score", "visits"]] * 2


def test_solve_for_a_person_shows_the_line_and_the_candidates(say):
    _, lines, _ = say("solve", "--game", "flood_it", "--solver", "random:seed=1", SMALL)
    assert lines[0].startswith(("1  ", "2  "))
    assert lines[1].endswith("(1 move)")
    assert sorted(line.split()[0] for line in lines[3:]) == ["1", "2"]


def test_a_won_board_is_no_move_from_its_end(say):
    answer = json.loads(say("solve", "--game", "flood_it", "000/000", "--solver", "random", "--json")[1][0])
    assert (answer["move"], answer["line"], answer["score"], answer["proven"]) == (None, [], 0, True)
    assert answer["over"] == "the board is flooded"


def test_a_lost_board_has_no_score(say):
    words = ("solve", "--game", "flood_it", SMALL, "--limit", "0", "--solver", "random")
    assert json.loads(say(*words, "--json")[1][0])["score"] is None
    assert say(*words)[1] == ["no move: no move is left"]


BATCH = f"{SMALL}\n\n01/1\n{SMALL} @2,2\r\n{'0' * 70_000}\n000/000"
"""A good line, the start that Flood-It does not have, a fault, a line from elsewhere, one too long, one without end."""


def test_every_line_of_a_batch_has_its_answer_or_its_error(say):
    words = ("solve", "--game", "flood_it", "--solver", "random", "--positions", "-", "--json-lines")
    status, lines, _ = say(*words, stdin=BATCH)
    answers = [json.loads(line) for line in lines]
    assert status == 1
    assert [answer.get("error", "move" in answer) for answer in answers] == [
        True,
        "PositionError",
        "PositionError",
        True,
        "PositionError",
        True,
    ]
    assert "no fixed start" in answers[1]["message"]
    assert "65536 letters" in answers[4]["message"]


def test_a_batch_may_stand_in_a_file_and_be_read_by_a_person(say, tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text(BATCH)
    status, lines, _ = say("solve", "--game", "flood_it", "--solver", "random", "--positions", str(file))
    assert (status, len(lines)) == (1, 6)
    assert lines[1].startswith("Flood-It has no fixed start")
    assert lines[5] == "no move: the board is flooded"


def test_a_batch_without_faults_has_status_0(say):
    words = ("solve", "--game", "flood_it", "--solver", "random", "--positions", "-", "--json-lines")
    assert say(*words, stdin=f"{SMALL}\n{SMALL}\n")[0] == 0
    assert say(*words, stdin="") == (0, [], "")


def test_a_line_is_drawn_as_one_picture(say, tmp_path):
    file = tmp_path / "line.png"
    assert say("solve", "--game", "flood_it", "--solver", "random", SMALL, "--png", str(file))[0] == 0
    picture = Image.open(file).convert("RGB")
    reds = [colour for _, colour in picture.getcolors(1 << 16) if colour == (214, 72, 76)]
    assert picture.width > 2 * 168
    assert reds


FAULTS = [
    (["moves", "--game", "chess", SMALL], "choose one of: " + ", ".join(GAMES)),
    (["moves", "--game", "flood_it"], "no fixed start"),
    (["moves", "--game", "flood_it", SMALL, "--size", "3by3"], "ROWSxCOLS"),
    (["moves", "--game", "flood_it", SMALL, "--walls", "-1"], "from 0"),
    (["perft", "--game", "flood_it", SMALL, "--depth", "0"], "shortest sequence"),
    (["solve", "--game", "flood_it", SMALL, "--solver", "oracle"], "random"),
    (["solve", SMALL], "which game?"),
    (["solve", "nowhere.png"], "nowhere.png"),
    (["solve", "--game", "flood_it", SMALL, "--seconds", "nan"], "above 0"),
    (["solve", "--game", "flood_it", SMALL, "--nodes", "0"], "above 0"),
    (["solve", "--game", "flood_it", "--solver", "random", "--positions", "/nowhere/at/all"], "cannot read"),
    (["solve", "--game", "flood_it", "--positions", "-", SMALL], "file alone"),
    (["solve", "--game", "flood_it", "--solver", "random", SMALL, "--png", "/nowhere/at/all.png"], "cannot write"),
    (["solve", "--game", "flood_it", "--solver", "random", SMALL, "--png", "a.picture"], "cannot write"),
]


@pytest.mark.parametrize(("words", "remedy"), FAULTS)
def test_a_fault_is_one_line_with_its_remedy(say, words, remedy):
    status, lines, err = say(*words)
    assert (status, lines, err.count("\n")) == (2, [], 1)
    assert err.startswith("boardsight: ")
    assert remedy in err


@pytest.mark.parametrize(("words", "remedy"), FAULTS)
def test_a_fault_is_an_object_where_json_is_asked_for(say, words, remedy):
    status, lines, err = say(*words, "--json")
    assert (status, err) == (2, "")
    answer = json.loads(lines[0])
    assert list(answer) == ["error", "message"]
    assert remedy in answer["message"]


def test_a_screenshot_is_solved_like_the_position_it_shows(say, tmp_path):
    game = find_game("flood_it")
    state = game.deal(np.random.default_rng(4), Options(rows=9, colours=5))
    picture = tmp_path / "desk top.png"
    Image.fromarray(DrawnScreen(game, state).grab().pixels).save(picture)
    answer = json.loads(say("solve", str(picture), "--solver", "greedy", "--json")[1][0])
    seen = game.parse(answer["position"])
    names = set(zip(game.format(state).replace("/", ""), answer["position"].replace("/", ""), strict=True))
    assert len(names) == 5  # one number of its own for each colour, whichever that is
    assert len(seen.play(game.parse_move(answer["move"], seen)).flooded()) == max(
        len(state.play(move).flooded()) for move in state.legal_moves()
    )


def test_a_screenshot_without_a_board_says_what_was_looked_for(say, tmp_path):
    picture = tmp_path / "empty.png"
    Image.new("RGB", (640, 480), (236, 238, 241)).save(picture)
    status, lines, _ = say("solve", str(picture), "--game", "flood_it", "--json")
    assert (status, json.loads(lines[0])["error"]) == (2, "BoardNotFoundError")


def test_a_limit_that_is_too_small_is_said_with_the_line_that_it_would_take(capsys):
    assert (
        main(["solve", "--game", "flood_it", "--solver", "exact", "--limit", "2", "--json", "0123/1230/2301/3012"]) == 0
    )
    answer = json.loads(capsys.readouterr().out)
    assert (answer["score"], answer["proven"], len(answer["line"])) == (6, True, 6)
    assert answer["beyond_limit"] == "the limit of 2 moves is too small: this line takes 6"
