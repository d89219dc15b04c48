"""Games on pages with the habits of real ones, drawn by chance, in Chromium: does each end, and is it told truly?

``python -m bench conventions --pages 400 --seed 1`` makes the record.  The habits are settings of the bundled pages
(`shared/conventions.js`): how a game ends, how the board lies, who begins, how moves are made.  The bot gets the page
and nothing else; the page's referee tells afterwards how the game went.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.screens.record import ending, kept_series
from bot.compose import play_on
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import PageServer

PAGES = 10
"""Pages of the short run."""

REFEREE = "referee.json"
"""What the page's referee told in the end, in the folder of the run."""

LATE = 1000.0
"""Milliseconds after a game's end in which a press may have been on its way."""

Habits = dict[str, tuple[Any, ...]]
"""Name of a setting -> its values, each as likely."""

ENDS = ("above", "below", "dialog", "blur", "veil", "blink", "recolour", "result", "alert", "reset", "dealt")
TURNS = ("none", "half", "mirror", "flip")
STAGES = ("none", "none", "twice", "enter", "confirm")

LOOKS: Habits = {"endAfter": (0, 100, 400, 1500), "animation": (0, 150, 400)}
"""How all pages differ, in what is no convention."""

FOR_TWO: Habits = {
    "answer": ("apart", "together", "twice"),
    "about": ("all", "none"),
    "stage": STAGES,
    "lights": ("on", "off"),
    "undo": ("off", "on", "shown"),
}
"""The conventions of pages on which two play."""

EVERYWHERE: Habits = {
    "hover": ("free", "needed"),
    "counter": ("above", "below", "none"),
    "before": ("nothing", "start", "level", "cookies", "rules"),
    "crop": ("none", "none", "buttons", "board"),
    "mouse": ("away", "board"),
}
"""The conventions of all pages, beside how they end; mouse: where it lies at the start, which is no page's."""

GAMES: dict[str, tuple[Habits, Habits]] = {
    "flood_it": (
        {"size": (5, 8, 12), "colours": (4, 6), "skin": ("rounded", "gaps", "borders", "dark", "pastel")},
        {
            "turn": TURNS,
            "controls": ("buttons", "cells"),
            "limit": (None, 0),
            "start": ("top-left", "top-right", "bottom-left", "bottom-right", "2,2", "3,1"),
            "starts": ("mark", "rim", "none"),
            "edge": ("wall", "wraps", "corners"),
            "patch": ("region", "cell"),
            "obstacles": (0, 3, 8),
            "icons": ("off", "on"),
            "faces": ("plain", "gradient", "wide", "counts"),
            "cells": ("square", "wide"),
            "pulse": ("off", "on", "region", "lit", "pale"),
            "tips": ("off", "on"),
            "lift": ("off", "on", "panel"),
        },
    ),
    "filler": (
        {"rows": (6, 7), "cols": (6, 8), "skin": ("rounded", "gaps", "plain", "dark")},
        {
            "turn": TURNS,
            "corners": ("diagonal", "sides"),
            "controls": ("buttons", "cells", "rows"),
            "barred": ("faded", "fading", "crossed", "small", "missing", "gone", "plain"),
            "starts": ("mark", "rim", "none"),
            "deal": ("phone", "uniform"),
            "patch": ("region", "cell"),
            "faces": ("plain", "gradient", "wide"),
            "cells": ("square", "wide"),
            "pulse": ("off", "on", "region", "lit", "pale"),
            "paint": ("taken", "owner"),
            "over": ("full", "majority", "patient", "passing"),
            "bars": ("both", "own"),
            "tips": ("off", "on"),
            "lift": ("off", "on", "panel"),
        },
    ),
    "connect_four": (
        {"skin": ("classic", "dark", "flat", "lines", "pastel")},
        {
            "controls": ("columns", "arrows", "rings", "pale"),
            "preview": ("on", "off", "column", "holes", "strip", "arrow", "landing"),
            "leave": ("clears", "stays"),
            "end": (*ENDS, "more", "more"),
            "lift": ("off", "on", "panel"),
        },
    ),
    "blokus": (
        {"skin": ("classic", "gaps", "dark", "gradient")},
        {
            "turn": TURNS,
            "variant": ("duo", "corners", "classic", "classic-2"),
            "starts": ("mark", "tint", "star", "none"),
            "tray": ("bits", "solid", "glossy"),
            "trays": ("all", "own", "turn"),
            "preview": ("on", "free"),
            "used": ("gap", "none"),
            "traysAt": ("beside", "below"),
            "offers": ("none", "dots"),
            "turns": ("all", "keys", "buttons", "wheel", "double", "tray", "listed", "lasting"),
            "passes": ("over", "pressed"),
            "lift": ("off", "on", "panel"),
            "pieces": ("carried", "carried", "carried", "set", "dragged"),
            "held": ("middle", "corner"),
            "chosen": ("ring", "lit"),
            "follow": ("now", "late"),
            "tells": ("on", "off"),
            "pulse": ("off", "latest"),
        },
    ),
    "quoridor": (
        {"size": (5, 7, 9), "skin": ("wood", "blue", "dark", "night")},
        {
            "turn": TURNS,
            "lay": ("tap", "twice", "enter", "confirm", "swipe"),
            "hints": ("on", "off"),
            "slot": ("after", "before"),
            "preview": ("on", "off", "solid", "every"),
            "joints": ("covered", "bare"),
            "laid": ("cells", "grooves"),
            "modes": ("none", "toggle", "right", "row", "list", "wheel", "key"),
            "pulse": ("off", "on", "glow", "bob", "hints"),
            "walls": (None, 2, 5),
            "jumps": ("on", "off"),
            "steps": ("plain", "ghost"),
            "pieces": ("carried", "dragged"),
            "lift": ("off", "panel"),
            "focus": ("within", "around"),
        },
    ),
}
"""By game: how its boards look, and the conventions of its pages, each with what is usual first."""

BEFORE = {
    "start": ("click text=Play vs CPU",),
    "level": ("select #level=Hard", "click text=Go!"),
    "cookies": ("click text=Accept",),
    "rules": ("click text=Got it",),
}
"""What a person is told to say of a page that has something before its board."""

SEATS = ("first", "second", "third", "fourth")
FOR_FOUR = "classic"
"""The variant that four play."""

STRANGE = 0.2
"""The chance of each convention that a page has it: with more, few pages have less than three, as real ones do."""

SLOW = 3000
"""Milliseconds that are long for a player that is no person."""

RIVALS = {"random": (20, 120, 400), "greedy": (20, 400, 900, SLOW)}
"""The pages' players, and the milliseconds after which they move: before the own move is drawn, soon, or late."""


@dataclass(frozen=True)
class StrangePage:
    """One page, and how its game went.

    conventions: its habits as ``name=value``, and its seat where two play.  cause, message: of the run's end, or the
    error.  truth: the cause that is true, by the referee; "" where the game did not end.  wrong: the presses on what
    could be seen to be wrong.  moves: own ones, as the page counts them.  taken: for which game it was taken last, ""
    where no board was found.
    """

    seed: int
    name: str
    conventions: tuple[str, ...]
    cause: str
    message: str
    truth: str
    wrong: tuple[str, ...]
    moves: int
    seconds: float
    taken: str = ""

    @property
    def ended(self) -> bool:
        """Whether the game was played to its end, and the run ended with it."""
        return bool(self.truth) and self.cause in ("won", "lost", "drawn")

    @property
    def true(self) -> bool:
        """Whether it ended, and how it went was told as it was."""
        return self.ended and self.cause == self.truth


def draw_page(seed: int) -> tuple[str, dict[str, Any]]:
    """A game and the settings of its page; the same for a seed."""
    rng = np.random.default_rng([seed, 0xC0417])
    name = list(GAMES)[seed % len(GAMES)]
    looks, _ = GAMES[name]
    drawn: dict[str, Any] = {"seed": seed}
    drawn |= {key: values[rng.integers(len(values))] for key, values in ({"end": ENDS} | LOOKS | looks).items()}
    if name != "flood_it":
        rival = list(RIVALS)[rng.integers(len(RIVALS))]
        seats = ["person", rival] if rng.random() < 0.5 else [rival, "person"]
        drawn |= {"first": seats[0], "second": seats[1], "pause": RIVALS[rival][rng.integers(len(RIVALS[rival]))]}
    for key, values in _conventions(name).items():
        if key == "end" or rng.random() < STRANGE:
            drawn[key] = values[rng.integers(len(values))]
    if drawn.get("variant") == FOR_FOUR:
        drawn |= dict.fromkeys(SEATS, rival) | {SEATS[rng.integers(len(SEATS))]: "person"}
    return name, {key: value for key, value in drawn.items() if value is not None}


def _conventions(name: str) -> Habits:
    return EVERYWHERE | ({} if name == "flood_it" else FOR_TWO) | GAMES[name][1]


def conventions_of(name: str, settings: dict[str, Any]) -> tuple[str, ...]:
    """What a page's settings are told as."""
    seat = [f"seat={each}" for each in SEATS if settings.get(each) == "person"]
    usual = {key: values[0] for key, values in _conventions(name).items() if key != "end"}
    told = (f"{key}={settings[key]}" for key in ("end", *usual) if settings.get(key, usual.get(key)) != usual.get(key))
    early = ["answer=early"] if settings.get("pause", SLOW) < settings.get("animation", 0) else []
    late = ["answer=late"] if settings.get("pause", 0) >= SLOW else []
    return (*seat, *told, *early, *late)


def truth_of(told: dict[str, Any]) -> str:
    """How the first game went by the page's referee, "" where it did not end."""
    if not told["ended"]:
        return ""
    first = told["ended"][0]
    if "won" in first:
        return "won" if first["won"] else "lost"
    if first["winner"] is None:
        return "drawn"
    return "won" if told["seats"][first["winner"]] == "person" else "lost"


def wrong_presses(told: dict[str, Any]) -> Iterator[str]:
    """The presses that nothing justified: beside everything, on what cannot be played, or after the end.

    A button that hides a shown move is found out by pressing it, once; that a page lacks moves that the game has, by
    trying one.
    """
    over = told["ended"][0]["at"] if told["ended"] else float("inf")
    told_by_pressing = {"hidden", "lacking"}
    for press in told["clicks"]:
        where = f"{press['by']} on {press['target'] or 'nothing'}"
        if press["at"] > over + LATE and press["by"] == "pointer":  # a key such as Escape lays aside what is in hand
            yield f"{where}, {press['at'] - over:.0f} ms after the end"
        elif press["effect"] in told_by_pressing:
            told_by_pressing.remove(press["effect"])
        elif press["effect"] in ("none", "illegal", "new game", "undone", "hidden", "lacking"):
            yield f"{where}: {press['effect']}"


def play_one(pages: PageServer, seed: int, *, runs: Path, page: dict[str, Any] | None = None) -> StrangePage:
    """Plays the page of `seed`, or its game with the settings `page`, in its own browser; the run is kept in `runs`."""
    name, drawn = draw_page(seed)
    page = page or drawn
    url, before = pages.url(name, **page), BEFORE.get(page.get("before", ""), ())
    with closing(BrowserScreen.launch(url, before=before)) as screen:
        return _played(screen, seed, name, page, runs)


def _played(screen: BrowserScreen, seed: int, name: str, page: dict[str, Any], runs: Path) -> StrangePage:
    """Plays the open page."""
    settings = Settings(url=screen.page.url, seconds=0.2, answer=30.0, max_moves=80, runs=str(runs))
    if page.get("mouse") == "board":
        screen.page.locator(".board").hover()
    began = time.monotonic()
    cause, message = ending(lambda: play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)[0])
    seconds = round(time.monotonic() - began, 1)
    told = screen.page.evaluate("({...boardsightReferee})")
    taken = ""
    for folder in runs.iterdir():
        taken = open_run(folder).about.get("game", "")
        (folder / REFEREE).write_text(json.dumps({"page": screen.page.url, **told}), encoding="utf-8")
    wrong = tuple(wrong_presses(told))
    moves = sum(press["effect"] == "move" for press in told["clicks"])
    conventions = conventions_of(name, page)
    return StrangePage(seed, name, conventions, cause, message, truth_of(told), wrong, moves, seconds, taken)


def play_each(numbers: Sequence[int], *, keep: Path | None = None) -> Iterator[StrangePage]:
    """The games of those numbers; keep: where the runs are kept of those that went wrong."""
    with PageServer() as pages, tempfile.TemporaryDirectory() as passing:
        for number in numbers:
            runs = (keep or Path(passing)) / str(number)
            shutil.rmtree(runs, ignore_errors=True)
            runs.mkdir(parents=True)
            page = play_one(pages, number, runs=runs)
            if page.true and not page.wrong:
                shutil.rmtree(runs)
            yield page


def lines(played: Sequence[StrangePage]) -> Iterator[str]:
    """The page of figures: each convention, then each page that went wrong."""
    yield "| convention | pages | ended | told truly | wrong presses |"
    yield "|---|---:|---:|---:|---:|"
    yield _row("all pages", played)
    for name in GAMES:
        yield _row(name, [page for page in played if page.name == name])
    for convention in sorted({each for page in played for each in page.conventions}):
        yield _row(convention, [page for page in played if convention in page.conventions])
    yield ""
    for page in played:
        if page.wrong or not page.true:
            said = f"{page.cause}, truly {page.truth or 'not over'}"
            if page.taken != page.name:
                said += f", taken for {page.taken or 'nothing'}"
            yield f"{page.name} {page.seed}: {said}; {' '.join(page.conventions)}: {page.message[:200]}"
            yield from (f"    {words}" for words in page.wrong[:4])


def _row(what: str, played: Sequence[StrangePage]) -> str:
    facts = (len(played), sum(page.ended for page in played), sum(page.true for page in played))
    return f"| {what} | {' | '.join(map(str, facts))} | {sum(len(page.wrong) for page in played)} |"


def tables(pages: int = PAGES, seed: int = 0, *, keep: Path | None = None) -> Iterator[str]:
    """The page of so many pages, the first of number `seed`; a series that was broken off goes on where it is kept."""
    yield from lines(kept_series(StrangePage, partial(play_each, keep=keep), range(seed, seed + pages), keep=keep))
