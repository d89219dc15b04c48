"""What a person reads in the terminal, in colours only where they are wanted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bot.play.loop import UNSEEN
from bot.play.result import RunResult
from bot.play.terminal import Terminal, summary
from bot.protocol.answer import verdict
from bot.screens.drawn.screen import DrawnScreen
from calibration.locate import locate
from games import find_game
from games.core import Cell, Outcome
from solvers import find_solver
from solvers.connect_four.players import pons
from solvers.core import Candidate, Decision
from solvers.quoridor.players import AlphaBeta
from solvers.units import MOVES, VALUE, lead_in


def announced(game: str, decision: Decision, **options: Any) -> str:
    """The line of the first move of a game."""
    rules = find_game(game)
    state = rules.deal(np.random.default_rng(1))
    return Terminal(**options).announce(rules, 1, state, decision, locate(DrawnScreen(rules, state).grab(), game))


STEPS, WORTH = AlphaBeta.unit, lead_in(find_game("filler"))


@pytest.mark.parametrize(
    ("game", "decision", "said"),
    [
        ("filler", Decision(2, 4.0, True, unit=WORTH), "2  4 cells ahead, proven"),
        ("filler", Decision(2, -0.04, unit=WORTH), "2  level"),
        ("filler", Decision(2, -12.6, unit=WORTH), "2  13 cells behind"),
        (
            "filler",
            Decision(2, 1.26, unit=WORTH, candidates=(Candidate(2, 1.26), Candidate(3, -0.3, at_most=True))),
            "2  1.3 cells ahead  then 3: at most 0.3 cells behind",
        ),
        ("filler", Decision(2, 0.31, unit=VALUE, candidates=(Candidate(2, 0.31, 8),)), "2  value +0.31"),
        ("flood_it", Decision(2, 1.0, True, unit=MOVES), "2  1 move to the end, proven"),
        (
            "connect_four",
            Decision(3, 18, True, unit=pons(find_game("connect_four").parse("4455"))),
            "4  wins in 2, proven",
        ),
        ("connect_four", Decision(3, 0, True, unit=pons(find_game("connect_four").parse(""))), "4  a draw, proven"),
        ("quoridor", Decision(Cell(7, 4), 300, True, line=(Cell(7, 4),), unit=STEPS), "e2  wins, proven"),
        ("quoridor", Decision(Cell(7, 4), -1.27, unit=STEPS), "e2  1.3 steps behind"),
        ("quoridor", Decision(Cell(7, 4), 299.4, unit=STEPS), "e2  seems won"),
    ],
)
def test_a_move_is_announced_with_what_it_is_worth_in_the_unit_of_its_score(
    game: str, decision: Decision, said: str
) -> None:
    assert announced(game, decision, colours=False) == f"  1  {said}"


def test_a_move_that_wins_at_once_is_said_to() -> None:
    game = find_game("quoridor")
    state = game.parse("e2 d9 e3 c9 e4 b9 e5 a9 e6 b9 e7 c9 e8 b9")
    decision = find_solver("alphabeta:depth=2", "quoridor").decide(state)
    assert (game.format_move(decision.move, state), verdict(state, decision)) == ("e9", "wins in 1")


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
    ],
)
def test_what_goes_to_no_terminal_is_coloured_where_that_is_asked_for(
    environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[48" in announced("flood_it", Decision(2, candidates=(Candidate(2),)))) == coloured


def test_an_end_that_only_the_rules_tell_is_named_so() -> None:
    reason = "4 in a row"
    ended = RunResult("won", reason + UNSEEN, Outcome((1.0, 0.0), 0, reason), moves=7)
    assert summary(ended) == "won: 4 in a row after 7 moves; the last board was not shown, 0.0 s"


def test_what_was_waited_for_last_has_a_line_of_its_own_once_the_terminal_is_closed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    terminal = Terminal(colours=False)
    terminal.wait("waiting: 5 s")
    terminal.close()
    terminal.close()
    assert capsys.readouterr().out == "waiting: 5 s\n"
