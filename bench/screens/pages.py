"""The games of two on their bundled pages in a real Chromium, by pixels and clicks, against the pages' own players.

The pages' referees are read only afterwards: they tell every press and the moves as they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from bench.renaming import renamed
from bench.results import left_out
from bench.screens.record import HEAD, RULE, RecordedGame, SeriesRecord, counts, finished, problems, stopped
from bot.compose import play_on
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import SavedRun, open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import PageServer
from games import find_game

GAMES = ("filler", "connect_four", "blokus", "quoridor")
RIVALS = {"random": 10, "greedy": 5}
"""The pages' players, and how many games are played against each from either seat."""

SEATS = ("first", "second")

REFEREE = "referee.json"
"""What the page's referee told in the end, in the folder of the run."""

PAUSE = 120
"""Milliseconds the page's player takes to move."""

EFFECTS = {"move", "picked", "turned", "shown"}
"""What the presses of a hand that knows what it does come to."""


def tables(games: Sequence[str] = GAMES, each: dict[str, int] = RIVALS, *, keep: Path | None = None) -> Iterator[str]:
    """A row for each game, rival and seat; a series that was broken off goes on where it is kept."""
    yield f"the pages as they are, a rival's pause of {PAUSE} ms, animations of 150 ms; headless Chromium"
    yield from left_out(games, "it has no page of its own for two, or none was asked for")
    yield ""
    yield f"| game | solver | rival | seat | {HEAD} |"
    yield f"|---|---|---|---|{RULE}|"
    record = SeriesRecord(keep)
    with PageServer() as pages:
        screen = BrowserScreen.launch(pages.url("index"))
        try:
            for game, (rival, count), seat in product(games, each.items(), SEATS):
                yield from _row(record, screen, pages, game, rival, seat, count)
        finally:
            screen.close()


def _row(
    record: SeriesRecord, screen: BrowserScreen, pages: PageServer, game: str, rival: str, seat: str, count: int
) -> list[str]:
    solver = find_game(game).solver  # any that makes legal moves shows whether moves arrive
    play = partial(play_one, screen, pages, solver=solver)
    played = [record.game(play, game, rival, seat, seed) for seed in range(count)]
    return [f"| {game} | {solver} | {rival} | {seat} | {counts(played)} |", *problems(played)]


def play_one(
    screen: BrowserScreen,
    pages: PageServer,
    game: str,
    rival: str,
    seat: str,
    seed: int,
    *,
    solver: str,
    runs: Path,
    **more: Any,
) -> RecordedGame:
    """Plays one game of the page from `seat` against its player `rival`."""
    seats = {"first": "person", "second": rival} if seat == "first" else {"first": rival, "second": "person"}
    screen.page.goto(pages.url(game, seed=seed, **{"pause": PAUSE, **seats, **more}))
    settings = Settings(game=game, solver=solver, seconds=0.2, answer=30.0, runs=str(runs))
    problem: Exception | None = None
    try:
        result, folder = play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
    except Exception as error:  # a table tells of everything that goes wrong
        problem, (folder,) = error, runs.iterdir()
    run = open_run(folder)
    told = screen.page.evaluate("({...boardsightReferee})")
    (folder / REFEREE).write_text(json.dumps(told), encoding="utf-8")
    stray = sum(click["effect"] not in EFFECTS for click in told["clicks"])
    agrees = agree(journal_line(run), [move for move in told["moves"] if move != "-"], colours=game == "filler")
    if problem is not None:
        return stopped(problem, moves=len(run.turns), agrees=agrees, stray=stray)
    return finished(result, agrees=agrees, stray=stray)


OTHER = "another"
"""What stands for a move that the journal tells by the position after it alone."""


def journal_line(run: SavedRun) -> list[str]:
    """The moves of both sides as the journal holds them, in order; OTHER where the board showed another than ours."""
    line = [move for answer in run.answers if answer.after == 0 for move in answer.moves]
    for turn in run.turns:
        line.append(OTHER if turn.outcome == "other move" else turn.played)
        line += [move for answer in run.answers if answer.after == turn.number for move in answer.moves]
    return line


def agree(ours: Sequence[str], theirs: Sequence[str], *, colours: bool) -> bool:
    """Whether two records of a game are the same, but for one move before we looked for the first time.

    colours: whether the moves are colours, which have other numbers here and there.
    """
    theirs = theirs[len(theirs) - len(ours) :] if 0 <= len(theirs) - len(ours) <= 1 else theirs
    if len(ours) != len(theirs):
        return False
    pairs = [(_points(one), _points(other)) for one, other in zip(ours, theirs, strict=True) if one != OTHER]
    if colours:
        return renamed((one for one, _ in pairs), (other for _, other in pairs))
    return all(one == other for one, other in pairs)


def _points(move: str) -> frozenset[str]:
    """A move without the order of its points."""
    return frozenset(move.split(","))
