"""Blokus against a program that speaks GTP as Pentobi's engine does, with the CPU time of both."""

from __future__ import annotations

from collections.abc import Iterator

from bench.solvers.other_programs import OPENINGS, ProgramMatch
from games.blokus import GAME
from games.blokus.texts import format_move, parse_points
from games.core import Options

COMMAND = "pentobi-gtp --threads 1 --nobook --noresign --quiet"
"""The engine, without its name for the board, its level and its seed; CMake builds it with -DPENTOBI_BUILD_GTP=ON."""

BOARDS = {"duo": "duo", "classic-2": "classic_2"}
"""Variants for two players, and what the engine calls them."""


def tables(
    command: str = COMMAND,
    level: int = 6,
    games: int = 40,
    seconds: float = 0.25,
    variant: str = "duo",
    player: str = "mcts",
    seed: int = 0,
) -> Iterator[str]:
    """A match, a row a game and then the points, as Markdown; `seconds` 0: as long as the other takes, in the mean."""
    yield f"{player} on {variant} against level {level}, {OPENINGS} random placements first, one thread each"
    yield ""
    match = ProgramMatch(
        game="blokus",
        player=player,
        seconds=seconds,
        position=GAME.parse("", Options(variant=variant)),
        start=lambda engine: None,
        tell=lambda engine, state, move: engine.ask(f"p {format_move(move, state.board)}"),
        ask=lambda engine, state: parse_points(engine.ask("g"), state.board),
        said=lambda state, seat: f"{state.scores[seat]} to {state.scores[1 - seat]} squares",
    )
    own = f"{command} --game {BOARDS[variant]} --level {level} --seed"
    yield from match.tables(lambda number: f"{own} {number}", games, seed)
