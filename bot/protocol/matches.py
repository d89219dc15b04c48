"""The games of a match as work that any process can do, players that are other programs included."""

from __future__ import annotations

from contextlib import ExitStack

from bot.protocol.process import EngineProcess
from games import find_game
from solvers import find_solver
from solvers.arena import ArenaGame, Contest, play_contest
from solvers.core import Solver

ENGINE = "engine:"
"""What begins the name of a player that is another program."""


def play(contest: Contest) -> list[ArenaGame]:
    """The games of a contest; a program is started for them alone."""
    with ExitStack() as stack:

        def find(name: str, game: str) -> Solver:
            if name.startswith(ENGINE):
                return stack.enter_context(EngineProcess(name.removeprefix(ENGINE), find_game(game)))
            return find_solver(name, game)

        return play_contest(contest, find)
