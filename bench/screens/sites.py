"""Game pages that strangers wrote, from a folder, in a real Chromium: played by pixels and clicks, with no flag at all.

The pages are no part of this repository.  A folder of them holds a folder for each site, and ``INDEX.tsv``, a line a
site: its name (which is that of its folder), game, repository and commit it is from, page, acts, truth, and notes.

acts: what a person does before the game, such as ``click text=Start; select #level=Hard; press Enter``, in the words
of Playwright; two lists of acts with "|" between them where the page lets one choose a seat.
truth: JavaScript whose value says how the game ended for us, "won", "lost" or "drawn", and else nothing; it is asked
after the game alone.

What pages load from other hosts is taken from ``elsewhere/HOST/PATH`` of the folder, and is not there else.
"""

from __future__ import annotations

import csv
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bench.screens.record import RecordedGame, SeriesRecord, finished
from bot.compose import play_on
from bot.play.terminal import summary
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import LoopbackServer, PageHandler
from games import GAMES

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page, Route

INDEX = "INDEX.tsv"
ELSEWHERE = "elsewhere"

ENDS = ("won", "drawn", "lost")

SECONDS = 180
"""A game that lasts longer is stopped, as by Ctrl-C."""

WAIT = 5_000.0
"""Milliseconds in which what an act names must be there, and in which a page may show how a game ended."""


@dataclass(frozen=True, slots=True)
class Site:
    """A line of the index; `seats` holds the acts of each game that is played."""

    name: str
    game: str
    page: str
    seats: tuple[tuple[str, ...], ...]
    truth: str


def read_index(root: Path) -> list[Site]:
    """The sites of a folder, in the order of its index."""
    with (root / INDEX).open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Site(each["name"], each["game"], each["page"], seats_of(each["acts"]), each["truth"]) for each in lines]


def seats_of(acts: str) -> tuple[tuple[str, ...], ...]:
    """The acts before each of the two games.

    >>> seats_of("click text=Start; press Enter | ")
    (('click text=Start', 'press Enter'), ())
    >>> seats_of("click text=Start")
    (('click text=Start',), ('click text=Start',))
    """
    each = [tuple(act.strip() for act in seat.split(";") if act.strip()) for seat in acts.split("|")]
    return tuple(each if len(each) > 1 else each * 2)


def tables(
    root: str = "sites", games: Sequence[str] = tuple(GAMES), seconds: int = SECONDS, *, keep: Path | None = None
) -> Iterator[str]:
    """A row for each game of each site, and a line that counts them; games that are kept are not played again."""
    folder = Path(root).resolve()
    if not (folder / INDEX).exists():
        yield f"no pages: {folder / INDEX} is not there"
        return
    sites = [site for site in read_index(folder) if site.game in games]
    yield f"{len(sites)} pages as they are, two games each of {seconds} s at most; headless Chromium"
    yield ""
    yield "| site | game | seat | ended | told as the page tells | moves | seconds | what was said |"
    yield "|---|---|---:|---|---|---:|---:|---|"
    record = SeriesRecord(keep)
    every = []
    for site in sites:
        for seat, acts in enumerate(site.seats, 1):
            play = partial(play_one, folder, site, acts, seconds, keep=keep)
            game = record.game(play, site.name, seat)
            every.append(game)
            told = {True: "yes", False: "no", None: "-"}[game.agrees]
            cells = [site.name, site.game, seat, game.cause, told, game.moves, f"{game.seconds:.0f}", said(game)]
            yield f"| {' | '.join(map(str, cells))} |"
    yield ""
    yield (
        f"{len(every)} games: {sum(game.cause in ENDS for game in every)} ended, "
        f"{sum(game.agrees is True for game in every)} told as their pages tell, "
        f"{sum(game.agrees is None for game in every)} of pages that do not tell"
    )


def said(game: RecordedGame) -> str:
    """The last word about a game, on one line that is a table's cell."""
    return " ".join((game.problem or game.score).replace("|", "/").split())


def play_one(
    root: Path,
    site: Site,
    acts: Sequence[str],
    seconds: int,
    name: str,
    seat: int,
    *,
    runs: Path,
    keep: Path | None = None,
) -> RecordedGame:
    """Plays one game of `site` after `acts`; keeps what was said and the page's last picture beside the record."""
    shown = (keep or runs) / f"{name}-{seat}"
    with LoopbackServer(partial(SiteHandler, directory=str(root / name))) as server:
        url = f"http://127.0.0.1:{server.port}/{site.page}"
        screen = BrowserScreen.launch("about:blank")
        try:
            with shown.with_suffix(".txt").open("w", encoding="utf-8") as file, redirect_stdout(file):
                screen.page.on("dialog", print_dialog)
                open_it = partial(open_page, screen.page, url, acts, root / ELSEWHERE)
                game = play_page(screen, open_it, Settings(url=url, runs=str(runs)), seconds, runs)
                screen.page.wait_for_timeout(WAIT)
                screen.page.screenshot(path=shown.with_suffix(".png"))
                truth = screen.page.evaluate(site.truth) if site.truth else None
                print(f"said: {said(game)}\ntruth: {truth}")
        finally:
            screen.close()
    return replace(game, agrees=game.cause == truth if truth in ENDS else None)


def open_page(page: Page, url: str, acts: Sequence[str], elsewhere: Path) -> None:
    """Opens `url` and does the `acts`; what it loads from other hosts is taken from the folder `elsewhere`."""
    host = urlsplit(url).netloc
    page.route(lambda address: urlsplit(address).netloc not in ("", host), partial(answer_from, elsewhere))
    page.goto(url)
    for act in acts:
        do_act(page, act)


def answer_from(elsewhere: Path, route: Route) -> None:
    """Answers a request with the file of its host and path, or not at all."""
    asked = urlsplit(route.request.url)
    path = elsewhere / asked.netloc / asked.path.lstrip("/")
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.abort()


def print_dialog(dialog: Dialog) -> None:
    """Says what a page's dialog says; the screen does away with it."""
    print(f"dialog: {dialog.message}", flush=True)


def do_act(page: Page, act: str) -> None:
    """Does one act; raises ValueError for one of another kind."""
    verb, _, what = act.partition(" ")
    if verb == "click":
        page.click(what, timeout=WAIT)
    elif verb == "select":
        selector, _, value = what.rpartition("=")
        page.select_option(selector, value, timeout=WAIT)
    elif verb == "press":
        page.keyboard.press(what)
    else:
        raise ValueError(f"no act: {act!r}")


def play_page(
    screen: BrowserScreen, open_it: Callable[[], None], settings: Settings, seconds: int, runs: Path
) -> RecordedGame:
    """Plays the page that `open_it` shows on `screen` as a person's command would, for so many seconds at most."""
    began = time.monotonic()
    try:
        open_it()
        with stopped_after(seconds):
            result, _ = play_on(screen, BrowserPointer(screen), settings, name="browser")
    except Exception as error:  # a table tells of everything that goes wrong
        folders = [path for path in runs.iterdir() if path.is_dir()]
        turns = open_run(folders[0]).turns if folders else ()
        name = type(error).__name__
        spent = time.monotonic() - began
        return RecordedGame(name, None, len(turns), 0, 0, spent, problem=f"{name}: {error}")
    return replace(finished(result), score=summary(result))


@contextmanager
def stopped_after(seconds: int) -> Iterator[None]:
    """Ask the run in the block to stop, as Ctrl-C does, when it has lasted so long."""

    def ask(number: int, frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGALRM, ask)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves the files of one site as they are, silently."""

    extensions_map = PageHandler.extensions_map

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal belongs to the table."""
