"""The Quoridor Text Protocol: what its referee says, and what it is answered."""

import pytest

from bot.protocol.qtp import QtpSession
from games import find_game
from games.core import Options, SettingsError
from solvers import find_solver
from solvers.core import Limit


def session(seed=1, **options):
    return QtpSession(
        find_game("quoridor"), find_solver(f"random:seed={seed}", "quoridor"), Options(**options), Limit()
    )


def ask(engine, line):
    """What stands behind the "=" of a response."""
    answer = engine.answer(line.encode())
    assert (answer[0], answer.find("\n\n")) == ("=", len(answer) - 2), answer
    return answer[1:].strip()


def begin(engine, size, walls):
    """As the referee begins each game."""
    for line in (f"boardsize {size}", "clear_board", f"walls {walls}"):
        assert ask(engine, line) == ""


def test_black_begins_at_the_top_and_wins_at_the_bottom():
    engine = session()
    begin(engine, 3, 0)
    board = [row.split() for row in ask(engine, "showboard").split("\n")]
    assert (board[0][2], board[-1][2]) == ("1", "2")  # with the grooves between the cells
    ask(engine, "playmove black A3")
    ask(engine, "playmove white c1")
    ask(engine, "playmove b a2")
    ask(engine, "playmove w c2")
    assert ask(engine, "winner") == "false"
    ask(engine, "playmove black a1")
    assert ask(engine, "winner") == "true black"
    assert engine.answer(b"genmove white").startswith("?")


def test_a_wall_lies_below_and_right_of_the_cell_that_names_it():
    engine = session()
    begin(engine, 5, 3)
    ask(engine, "playwall black c5 h")
    ask(engine, "playwall white b2 VERTICAL")
    assert engine.answer(b"playmove black c4") == "? illegal move\n\n"
    ask(engine, "playmove black b5")
    assert engine.answer(b"playmove white b1") == "? illegal move\n\n"
    ask(engine, "playmove white d1")
    before = ask(engine, "showboard")
    assert engine.answer(b"undo 5") == "? cannot undo: 4 moves were played\n\n"
    assert ask(engine, "showboard") == before
    ask(engine, "undo 2")
    assert engine.answer(b"playwall black d5 horizontal").startswith("? illegal")  # over the half of another


WRONG = ("playmove black", "playmove red e2", "playmove black 22", "playwall black a1", "playwall black a1 slanted")
WRONG += (
    "genmove",
    "undo many",
    "undo 5",
    "walls -1",
    "boardsize 1",
    "play b e2",
    "playmove white e2",
    "genmove white",
)


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wrong_is_said_and_changes_nothing(line):
    engine = session()
    before = ask(engine, "showboard")
    assert engine.answer(line.encode()).startswith("? ")
    assert ask(engine, "showboard") == before


def test_two_engines_play_whole_games_and_agree_about_the_winner():
    for seed in range(3):
        engines = session(seed, limit=400), session(seed + 10, limit=400)
        for engine in engines:
            begin(engine, 5, 3)
        while ask(engines[0], "winner") == "false":
            for colour, engine, other in (("black", *engines), ("white", *engines[::-1])):
                move = ask(engine, f"genmove {colour}").split()
                ask(other, f"{'playwall' if move[1:] else 'playmove'} {colour} {' '.join(move)}")
                if ask(engine, "winner") != "false":
                    break
        assert ask(engines[0], "winner") == ask(engines[1], "winner")
        assert ask(engines[0], "showboard") == ask(engines[1], "showboard")


def test_a_game_without_walls_is_refused():
    with pytest.raises(SettingsError, match="no walls"):
        QtpSession(find_game("connect_four"), find_solver("random", "connect_four"), Options(), Limit())
