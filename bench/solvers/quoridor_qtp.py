"""Quoridor against a program that speaks the Quoridor Text Protocol, with the CPU time of both."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.solvers.other_programs import OPENINGS, Engine, ProgramMatch
from games.quoridor import GAME

COLOURS = ("black", "white")


def tables(
    command: str = "quoridor-qtp",
    games: int = 100,
    seconds: float = 0.0,
    player: str = "alphabeta",
    seed: int = 0,
    dialect: str = "referee",
) -> Iterator[str]:
    """A match, a row a game and then the points, as Markdown; `seconds` 0: as long as the other takes, in the mean.

    command: the program.  dialect: "referee" for the protocol as its referee speaks it, "tokens" for programs that name
    a wall in one word, by the row below it.
    """
    yield f"{player} against {Path(shlex.split(command)[0]).name}, {OPENINGS} random moves first, one thread each"
    yield ""
    position = GAME.parse("")
    rows = GAME.options(position).rows or 0

    def turned(move: str) -> str:
        """A move on the board as the other side sees it, of whose walls the row may be that below them."""
        name = move.rstrip("hv")
        lies = move[len(name) :]
        return f"{name[0]}{rows + (0 if lies and dialect == 'tokens' else 1) - int(name[1:])}{lies}"

    def tell(engine: Engine, state: Any, move: Any) -> None:
        said = turned(GAME.format_move(move, state))
        wall = said[-1] in "hv"
        if wall and dialect == "referee":
            said = f"{said[:-1]} {'horizontal' if said[-1] == 'h' else 'vertical'}"
        engine.ask(f"{'playwall' if wall else 'playmove'} {COLOURS[state.player]} {said}")

    def ask(engine: Engine, state: Any) -> Any:
        cell, _, lies = engine.ask(f"genmove {COLOURS[state.player]}").partition(" ")
        return GAME.parse_move(turned(cell + lies[:1]), state)

    match = ProgramMatch(
        game="quoridor",
        player=player,
        seconds=seconds,
        position=position,
        start=lambda engine: engine.ask("clear_board"),
        tell=tell,
        ask=ask,
        said=lambda state, seat: "won" if state.outcome().winner == seat else "lost",
    )
    yield from match.tables(lambda number: command, games, seed)
