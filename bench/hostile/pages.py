"""Games on the bundled pages in a real Chromium while things go wrong there; the pages' referees know the truth.

``python -m bench hostile_pages --set games=100 seed=1`` makes the record.  The fault plans are those of the drawn
screen, as far as a page can bring them about; what befalls pictures, pointers and processes is not among them.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bench.hostile.judged import FINISHED, JudgedGame, keeps
from bench.results import left_out
from bench.screens.pages import agree, journal_line
from bench.screens.record import ending
from bot.compose import play_on
from bot.faults.plans import KINDS, FaultPlan, draw_plan
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import SavedRun, open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import PageServer

GAMES = 8
"""Games of the short run."""

BOARDS: dict[str, dict[str, Any]] = {
    "flood_it": {"rows": 6, "cols": 6, "colours": 4, "limit": 30},
    "filler": {"rows": 5, "cols": 6, "colours": 5},
    "connect_four": {},
    "quoridor": {"size": 5},
}
"""What is played, with the settings of its page."""

MOST = 6
"""Own moves after which a game is left: with 3 s of lag and 2 s of animation each takes 5."""

RACE = 0.25
"""Seconds that a press may come too late to know of what struck: a picture takes 0.05 to 0.1, if not more."""

ON_PAGES = tuple(
    kind
    for kind, each in KINDS.items()
    if each.on != "capture" and kind not in ("board", "lock", "hand", "corner", "ask", "gone")
)
"""The kinds of faults that the bundled pages bring about."""


@dataclass(frozen=True)
class PageGame(JudgedGame):
    """A game on a page.  presses: how many were judged.  seconds: that it took."""

    presses: int
    seconds: float


def page_plan(seed: int) -> FaultPlan:
    """The plan of that number without what a page cannot bring about."""
    plan = draw_plan(seed)
    return replace(plan, faults=tuple(fault for fault in plan.faults if fault.kind in ON_PAGES), noise=0.0)


def page_settings(plan: FaultPlan) -> dict[str, object]:
    """The settings that bring a plan about on a bundled page, for `PageServer.url`.

    What befalls pictures and the pointer is not the page's to bring about.
    """
    faults = [asdict(fault) for fault in plan.faults if fault.kind in ON_PAGES]
    times = {"lag": round(1e3 * plan.lag), "animation": round(1e3 * plan.animation)}
    return {**times, "faults": json.dumps(faults)}


def play_one(
    screen: BrowserScreen, pages: PageServer, name: str, seed: int, *, plan: FaultPlan | None = None
) -> PageGame:
    """Plays game `name` on its page with the plan of `seed`, or `plan`; judged by what the page's referee tells."""
    plan = page_plan(seed) if plan is None else plan
    seats = {} if name == "flood_it" else {"first": "person", "second": "random", "pause": 300}
    screen.page.goto(pages.url(name, seed=seed, **BOARDS[name], **seats, **page_settings(plan)))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as runs:
        solver = "greedy" if name == "flood_it" else "random:seed=7"
        settings = Settings(game=name, solver=solver, seat="first", answer=28, max_moves=MOST, runs=runs)
        ended, message = ending(
            lambda: play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)[0]
        )
        run = open_run(next(Path(runs).iterdir()))
    told, faults = screen.page.evaluate("[({...boardsightReferee}), boardsightFaults]")
    struck = tuple(fault["kind"] for fault in faults)
    allowed = {cause for kind in struck for cause in KINDS[kind].causes}
    right = ended in allowed or (ended in FINISHED and (told["over"] or len(run.turns) == MOST or bool(allowed)))
    offences = (*judge(told["clicks"], faults), *_misplayed(name, run, told["moves"], struck))
    spent = time.monotonic() - began
    return PageGame(
        *(name, seed, struck, ended, message, right, offences, keeps(run)), presses=len(told["clicks"]), seconds=spent
    )


def judge(presses: Sequence[dict[str, Any]], faults: Sequence[dict[str, Any]]) -> list[str]:
    """What was wrong with the presses: those beside everything, and those made before the last one was heard."""
    found = []
    struck = [fault["at"] for fault in faults if KINDS[fault["kind"]].on in ("board", "sight", "end")]
    heard = 0.0
    for press in presses:
        at = press["at"]
        if press["hit"] == "none" and not any(0 <= at - when < 1e3 * RACE for when in struck):
            found.append(
                f"{at / 1e3:.3f} s: a press beside the board and its controls: {press['x']:.0f}, {press['y']:.0f}"
            )
        if at < heard:
            found.append(f"{at / 1e3:.3f} s: a press while the last one was not yet heard")
        heard = max(heard, press.get("heard", float("inf") if press["effect"] == "waiting" else at))
    return found


def _misplayed(name: str, run: SavedRun, moves: Sequence[str | int], struck: Sequence[str]) -> list[str]:
    """Whether the journal tells another game than the page's referee, where nothing struck that begins another one."""
    ours = journal_line(run)
    if not all(KINDS[kind].passes for kind in struck):
        return []
    theirs = [str(move) for move in moves if move != "-"][: len(ours)]  # Flood-It's page tells numbers
    if agree(ours, theirs, colours=name in ("filler", "flood_it")):
        return []
    return [f"move: the journal tells of {' '.join(ours)}, the page of {' '.join(theirs)}"]


def lines(games: Sequence[PageGame]) -> Iterator[str]:
    """The page of figures."""
    passing = [each for each in games if each.passing]
    offences = [offence for each in games for offence in each.offences]
    yield "| what | figure |"
    yield "|---|---:|"
    yield f"| games in Chromium | {len(games)} |"
    yield f"| presses, each judged | {sum(each.presses for each in games)} |"
    yield f"| presses that nothing justified | {sum(': a press ' in offence for offence in offences)} |"
    yield f"| games of which the journal tells otherwise | {sum('move: ' in offence for offence in offences)} |"
    yield f"| finished or stopped with the right cause | {sum(each.right for each in games)} |"
    yield f"| finished, where what happened passes | {sum(each.finished for each in passing)} of {len(passing)} |"
    yield f"| journals with a cause and the last picture | {sum(each.kept for each in games)} |"
    yield f"| longest game, s | {max((each.seconds for each in games), default=0.0):.0f} |"
    yield f"| faults that struck | {sum(len(each.happened) for each in games)} |"
    yield ""
    for each in games:
        if each.flawed:
            yield from each.told()


def play_games(numbers: Sequence[int]) -> Iterator[PageGame]:
    """The games of those numbers, in one Chromium."""
    names = list(BOARDS)
    with PageServer() as pages:
        screen = BrowserScreen.launch(pages.url("index"))
        try:
            for number in numbers:
                yield play_one(screen, pages, names[number % len(names)], number)
        finally:
            screen.close()


def tables(games: int = GAMES, seed: int = 0) -> Iterator[str]:
    """The page of so many games; seed: number of the first one's plan."""
    yield from left_out(BOARDS, "its page and its boards are not set up here")
    yield ""
    yield from lines(list(play_games(range(seed, seed + games))))
