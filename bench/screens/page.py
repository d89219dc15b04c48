"""The bundled Flood-It page in a real Chromium, played by pixels and clicks; its DOM is read only as the referee."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.screens.sgt_flood import same_but_for_names
from bot.compose import play_on
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import PageServer
from games import find_game
from games.core import BoardsightError, Grid, Options
from solvers import find_solver
from solvers.core import Solver

SKINS = ("rounded", "gaps", "borders", "plain", "gradient", "dark", "pastel", "discs")
SCALES = (1.0, 1.5, 2.0)
EACH = 3
"""Games in each skin at each scale."""

GAMES = 100
LIMIT = 25


@dataclass(frozen=True, slots=True)
class BrowserGame:
    """How one game went, by the referee.

    read: the first reading is the board that was dealt.  landed: every press of the pointer hit a colour's button or
    cell.  same: the moves are those of the offline simulation.  moves, seconds, own: of the run, own in ms a turn.
    """

    read: bool
    landed: bool
    same: bool
    won: bool
    moves: int
    seconds: float
    own: float
    problem: str = ""


def tables(solver: str = find_game("flood_it").solver, games: int = GAMES) -> Iterator[str]:
    """First each skin at each device scale, then `games` games in a row at scale 1."""
    yield f"solver {solver}; 14x14, 6 colours, {LIMIT} moves, headless Chromium"
    yield ""
    yield "| skin | scale | games | read | clicks landed | as simulated | won | seconds a game | own ms a turn |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    with PageServer() as pages:
        for scale in SCALES:
            for number, skin in enumerate(SKINS):
                controls = "cells" if number % 2 else "buttons"
                played = list(_series(pages, solver, range(EACH), scale=scale, skin=skin, controls=controls))
                yield _row(f"{skin}, {controls}", scale, played)
        yield _row("gaps", 1.0, list(_series(pages, solver, range(games), skin="gaps")))


def _series(
    pages: PageServer, solver: str, seeds: range, *, scale: float = 1.0, **settings: Any
) -> Iterator[BrowserGame]:
    """A game for each of `seeds`, in one browser."""
    first = pages.url("flood_it", seed=seeds[0], limit=LIMIT, animation=0, **settings)
    screen = BrowserScreen.launch(first, scale=scale)
    try:
        for seed in seeds:
            screen.page.goto(pages.url("flood_it", seed=seed, limit=LIMIT, animation=0, **settings))
            yield _play(screen, solver)
    finally:
        screen.close()


def _play(screen: BrowserScreen, solver: str) -> BrowserGame:
    truth = tuple(tuple(row) for row in screen.page.evaluate("boardsightReferee.grid"))
    with tempfile.TemporaryDirectory() as runs:
        settings = Settings(game="flood_it", solver=solver, limit=LIMIT, runs=runs)
        try:
            result, folder = play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
        except BoardsightError as problem:
            return BrowserGame(False, False, False, False, 0, 0.0, 0.0, f"{type(problem).__name__}: {problem}")
        run = open_run(Path(folder))
    clicks = screen.page.evaluate("boardsightReferee.clicks")
    seen = find_game("flood_it").parse(run.turns[0].state, Options(colours=6, limit=LIMIT))
    return BrowserGame(
        read=same_but_for_names(seen.grid, truth),
        landed=len(clicks) == result.moves + result.retries and all(_hit_a_colour(click) for click in clicks),
        same=[turn.played for turn in run.turns] == simulate(seen, find_solver(solver, "flood_it")),
        won=result.cause == "won",
        moves=result.moves,
        seconds=result.seconds,
        own=statistics.median(result.overhead),
    )


def simulate(state: Any, solver: Solver) -> list[str]:
    """The moves of the same game played without a screen."""
    game = find_game("flood_it")
    moves = []
    while state.outcome() is None:
        move = solver.decide(state).move
        moves.append(game.format_move(move, state))
        state = state.play(move)
    return moves


def _hit_a_colour(click: dict[str, Any]) -> bool:
    return str(click.get("hit", "")) in ("colour", "cell")


def _row(name: str, scale: float, played: list[BrowserGame]) -> str:
    counts = [sum(getattr(game, fact) for game in played) for fact in ("read", "landed", "same", "won")]
    seconds = statistics.median(game.seconds for game in played)
    own = statistics.median(game.own for game in played)
    row = f"| {name} | {scale:g} | {len(played)} | {' | '.join(map(str, counts))} | {seconds:.2f} | {own:.1f} |"
    return "\n".join([row, *(f"  {game.problem}" for game in played if game.problem)])


def mulberry32(seed: int) -> Iterator[float]:
    """Numbers in [0, 1), the same that ``page/shared/random.js`` draws from this 32-bit `seed`."""
    state = seed & 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = ((state ^ (state >> 15)) * (state | 1)) & 0xFFFFFFFF
        mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) & 0xFFFFFFFF
        yield (mixed ^ (mixed >> 14)) / 0x100000000


def deal_page_board(seed: int, rows: int, cols: int, colours: int) -> Grid:
    """The board that the Flood-It page deals for ``?seed=``: floor(u * colours), row by row, for u of mulberry32."""
    chance = mulberry32(seed)
    return tuple(tuple(int(next(chance) * colours) for _ in range(cols)) for _ in range(rows))
