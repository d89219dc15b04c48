"""The Go Text Protocol: what controllers of other programs say, and what they are answered."""

from dataclasses import asdict

import pytest

from bot.protocol.gtp import GtpSession
from games import GAMES, find_game
from games.core import Options
from solvers import find_solver
from solvers.core import Limit


def session(name, solver="random:seed=3", **options):
    return GtpSession(find_game(name), find_solver(solver, name), Options(**options), Limit())


def ask(engine, line):
    """What stands behind the "=" of a response."""
    answer = engine.answer(line.encode())
    assert (answer[0], answer.find("\n\n")) == ("=", len(answer) - 2), answer
    return answer[1:].strip()


def test_a_session_of_pentobis_manual_is_answered_as_pentobi_does():
    engine = session("blokus")
    assert (ask(engine, "protocol_version"), ask(engine, "name")) == ("2", "Boardsight")
    assert ask(engine, "set_game Blokus Duo") == ""
    assert ask(engine, "play b e8,d9,e9,f9,e10") == ""
    move = ask(engine, "genmove w")
    assert len(move.split(",")) <= 5
    board = ask(engine, "showboard").split("\n")
    assert [len(row.split()) for row in board] == [14] * 14
    assert board[4].split()[4] == "1"  # e10
    assert float(ask(engine, "cputime")) > 0
    assert ask(engine, "known_command genmove") == "true"
    assert {"undo", "final_score", "all_legal", "quit"} <= {*ask(engine, "list_commands").split()}
    ask(engine, "quit")
    assert engine.over


FIXED_START = [name for name in GAMES if find_game(name).players == 2 and name != "filler"]


@pytest.mark.parametrize("name", FIXED_START)
def test_two_engines_play_a_whole_game_and_agree_about_its_end(name):
    game = find_game(name)
    engines = session(name, **asdict(game.small)), session(name, "random:seed=4", **asdict(game.small))
    state = game.parse("", game.small)
    while state.outcome() is None:
        colour = "bw"[game.colour(state)]
        mover, other = engines if colour == "b" else engines[::-1]
        move = ask(mover, f"genmove {colour}")
        ask(other, f"play {colour} {move}")
        state = state.play(game.parse_move(move, state))
    assert ask(engines[0], "final_score") == ask(engines[1], "final_score")
    assert ask(engines[0], "genmove b") == "pass"


def test_moves_are_taken_back_one_by_one():
    engine = session("connect_four")
    before = ask(engine, "showboard")
    ask(engine, "play b 4")
    after = ask(engine, "showboard")
    ask(engine, "play w 4")
    ask(engine, "undo")
    assert ask(engine, "showboard") == after != before
    ask(engine, "undo")
    assert ask(engine, "showboard") == before
    assert engine.answer(b"undo") == "? cannot undo: no move was played\n\n"


def test_four_colours_have_numbers():
    engine = session("blokus")
    ask(engine, "set_game Blokus Two-Player")
    assert engine.answer(b"genmove 2").startswith("?")
    cells = [len(ask(engine, f"genmove {colour}").split(",")) for colour in "1234"]
    board = ask(engine, "showboard").split()
    assert [board.count(colour) for colour in "1234"] == cells


def test_board_sizes_and_walls_begin_anew():
    engine = session("quoridor")
    ask(engine, "boardsize 5")
    ask(engine, "walls 2")
    assert len(ask(engine, "all_legal b").split()) == 3 + 2 * 4 * 4
    assert ask(engine, "all_legal w") == ""
    ask(engine, "play black C2")
    assert engine.answer(b"boardsize 99x99").startswith("?")
    assert len(ask(engine, "all_legal w").split()) == 3 + 2 * 4 * 4  # what was refused changed nothing


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", ""),
        ("   # a remark", ""),
        ("17 name # a remark", "=17 Boardsight\n\n"),
        ("17", "?17 no command\n\n"),
        ("fly", "? unknown command: fly\n\n"),
        ("play b", "? syntax error: play COLOUR MOVE\n\n"),
        ("name it", "? syntax error: name\n\n"),
        ("play w 4", "? illegal move: it is not the turn of w\n\n"),
        ("play purple 4", "? syntax error: 'purple' is no colour\n\n"),
        ("play w pass", "= \n\n"),  # a colour that was passed over says so
        ("genmove w", "? it is not the turn of w\n\n"),
        ("final_score", "? the game is not over\n\n"),
        ("walls many", "? syntax error: 'many' is no number of walls\n\n"),
        ("set_game Chess", "? unknown game: this is Connect Four\n\n"),
        ("\x00na\x07me\r", "= Boardsight\n\n"),
    ],
)
def test_each_line_is_answered(line, answer):
    assert session("connect_four").answer(line.encode()) == answer


def test_what_cannot_be_read_is_refused_and_changes_nothing():
    engine = session("connect_four")
    before = ask(engine, "showboard")
    for line in (b"\xff\xfe\xfd", b"play b " + b"9" * 70_000, b"play b nine", b"play b 9", b"boardsize \xc2\xb2"):
        assert engine.answer(line).startswith("?")
    assert ask(engine, "showboard") == before


def test_a_game_without_a_fixed_start_says_so():
    engine = session("filler")
    assert engine.answer(b"genmove b") == "? Filler has no fixed start position\n\n"
