"""The games of two on their bundled pages in a real Chromium, by pixels and clicks, against the pages' own players.

The pages' referees are read only afterwards: they tell every press and the moves as they were.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.commands.play import play_on
from bot.journal import Run, open_run
from bot.pointers.browser import BrowserPointer
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import PageServer
from solvers import DEFAULTS

GAMES = ("filler", "connect_four", "blokus", "quoridor")
RIVALS = {"random": 10, "greedy": 5}
"""The pages' players, and how many games are played against each from either seat."""


PAUSE = 120
"""Milliseconds the page's player takes to move."""

EFFECTS = {"move", "picked", "turned"}
"""What the presses of a hand that knows what it does come to."""


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went, by the referee.

    cause: of the end, or the error's name.  agrees: the journal holds the page's moves, in their order.
    stray: presses that hit nothing, or did nothing.
    """

    cause: str
    agrees: bool
    stray: int
    misreads: int
    retries: int
    moves: int
    seconds: float
    problem: str = ""


def tables(games: Sequence[str] = GAMES, each: dict[str, int] = RIVALS) -> Iterator[str]:
    """A row for each game, rival and seat."""
    yield f"the pages as they are, a rival's pause of {PAUSE} ms, animations of 150 ms; headless Chromium"
    yield ""
    yield (
        "| game | solver | rival | seat | games | finished | won | drawn | lost | journal agrees | misread | "
        "clicks again | stray presses | moves | s a move |"
    )
    yield "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    with PageServer() as pages:
        screen = BrowserScreen.launch(pages.url("index"))
        try:
            for game in games:
                for rival, count in each.items():
                    for seat in ("first", "second"):
                        yield _row(screen, pages, game, rival, seat, count)
        finally:
            screen.close()


def _row(screen: BrowserScreen, pages: PageServer, game: str, rival: str, seat: str, count: int) -> str:
    solver = DEFAULTS.get(game, "random")  # any that makes legal moves shows whether moves arrive
    played = [play_one(screen, pages, game, solver, rival=rival, seat=seat, seed=seed) for seed in range(count)]
    causes = Counter(each.cause for each in played)
    ends = [causes[cause] for cause in ("won", "drawn", "lost")]
    moves = sum(each.moves for each in played)
    facts = [
        *(sum(ends), *ends, sum(each.agrees for each in played), sum(each.misreads for each in played)),
        *(sum(each.retries for each in played), sum(each.stray for each in played), moves),
    ]
    pace = sum(each.seconds for each in played) / max(1, moves)
    row = f"| {game} | {solver} | {rival} | {seat} | {count} | {' | '.join(map(str, facts))} | {pace:.2f} |"
    return "\n".join([row, *(f"  {each.problem}" for each in played if each.problem)])


def play_one(
    screen: BrowserScreen, pages: PageServer, game: str, solver: str, *, rival: str, seat: str, seed: int, **more: Any
) -> Played:
    """Plays one game of the page from `seat` against its player `rival`."""
    seats = {"first": "person", "second": rival} if seat == "first" else {"first": rival, "second": "person"}
    screen.page.goto(pages.url(game, seed=seed, **{"pause": PAUSE, **seats, **more}))
    with tempfile.TemporaryDirectory() as runs:
        settings = Settings(game=game, solver=solver, seconds=0.2, answer=30.0, runs=runs)
        problem, cause = "", ""
        try:
            result, folder = play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)
        except Exception as error:  # a table tells of everything that goes wrong
            problem, cause, result = f"{type(error).__name__}: {error}", type(error).__name__, None
            (folder,) = Path(runs).iterdir()
        run = open_run(folder)
    told = screen.page.evaluate("({...boardsightReferee})")
    stray = sum(click["effect"] not in EFFECTS for click in told["clicks"])
    agrees = agree(journal_line(run), [move for move in told["moves"] if move != "-"], renamed=game == "filler")
    if result is None:
        return Played(cause, agrees, stray, 1, 0, len(run.turns), 0.0, problem)
    return Played(result.cause, agrees, stray, result.misreads, result.retries, result.moves, result.seconds)


def journal_line(run: Run) -> list[str]:
    """The moves of both sides as the journal holds them, in order."""
    line = [move for answer in run.answers if answer.after == 0 for move in answer.moves]
    for turn in run.turns:
        line.append(turn.played)
        line += [move for answer in run.answers if answer.after == turn.number for move in answer.moves]
    return line


def agree(ours: Sequence[str], theirs: Sequence[str], *, renamed: bool) -> bool:
    """Whether two records of a game are the same, but for one move before we looked for the first time.

    renamed: whether the moves are colours, which have other numbers here and there.
    """
    theirs = theirs[len(theirs) - len(ours) :] if 0 <= len(theirs) - len(ours) <= 1 else theirs
    if len(ours) != len(theirs):
        return False
    pairs = {(_points(one), _points(other)) for one, other in zip(ours, theirs, strict=True)}
    if renamed:
        return len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
    return all(one == other for one, other in pairs)


def _points(move: str) -> frozenset[str]:
    """A move without the order of its points."""
    return frozenset(move.split(","))
