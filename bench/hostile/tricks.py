"""Games in a real Chromium on pages that change under the pointer; a witness in the page tells what each press met.

``python -m bench tricks --set games=500`` makes the record.  The tricks are drawn from a game's number: popups that
open where the pointer arrives, pages that grow or shift under it, buttons that turn into others, boards that only look
like one.  `tricks.js`, which runs before the scripts of the bundled pages, plays them.
"""

from __future__ import annotations

import bisect
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from bench.hostile.judged import FINISHED, keeps
from bench.results import left_out
from bench.screens.record import ending, kept_series
from bot.faults.plans import LOST, SILENT
from bot.play.result import RunResult
from bot.play.series import play_games
from bot.pointers.browser import BrowserPointer
from bot.runs.journal import open_run
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from bot.web.pages import PAGES, LoopbackServer, PageHandler, PageServer
from calibration.board import Calibration
from calibration.frame import Frame, Rect
from games.core import STAGES, Carry, Drag, Game, Press, Tap, Wait, gestures_of
from solvers.core import Decision

GAMES = 20
"""Games of the short run."""

SCRIPT = Path(__file__).with_name("tricks.js")

BOARDS: dict[str, dict[str, Any]] = {
    "flood_it": {"rows": 6, "cols": 6, "colours": 5, "limit": 30},
    "filler": {"rows": 5, "cols": 6, "colours": 6, "first": "person", "second": "random"},
    "connect_four": {"first": "person", "second": "random"},
    "quoridor": {"size": 5, "first": "person", "second": "random"},
}
"""What is played, with the settings of its page."""

MOST = 5
"""Own moves after which a game is left: each brings the pointer to the page once or more."""

DAWDLING = 1.0
"""Seconds from the last look to the press after which the press counts as made without one: in Chromium they take 0.04
to 0.16, on a machine with ten times as much work as cores up to 0.7."""

STOPS = (*LOST, *SILENT)
"""The errors that name what a trick did: something covers the board or a control, it went, it does not answer."""

WORDS = ("PAY", "BUY", "OK", "Subscribe", "Accept", "Yes", "Sign in", "Get it", "Install", "Vote")
GLYPHS = ("✕", "$", "?", "BUY", "PAY", "★", "Ad", "⚙", "€", "GO", "?!", "Undo")
COLOURS = ("#ffffff", "#fffbd6", "#202330", "#2e7d32", "#d32f2f", "#ffb300", "#1565c0", "#f0f1f5")

TRICKS = {
    "popup": "a popup opens beside the pointer or under it, when it comes to a cell, a button or the board",
    "pay": "a button opens exactly under the pointer when it arrives",
    "rescale": "the page changes its scale when the pointer comes to the board or a button",
    "shift": "the page goes elsewhere when the pointer comes to the board or a button",
    "face": "a button shows a word or sign on the same ground when the pointer comes to it",
    "faces": "some buttons show a word or sign on the same ground after some time",
    "reorder": "the colour buttons change places after a press",
    "scroll": "the page scrolls after a press",
    "decoy": "a smaller board that does nothing stands beside the real one, or a shop's with words below its squares",
    "frame": "the board is in a frame in a frame, of which the outer one moves",
    "dialog": "a dialog opens elsewhere and covers nothing",
}
"""Every trick by name."""

HARMLESS = {"dialog"}
"""Those that cover, move and imitate nothing: the game must go on."""

TWIN = "twin"
"""What the witness calls a decoy without words: a picture does not tell it from a board, its silence does."""

IMPOSSIBLE = {
    "flood_it": (),
    "filler": (),
    "connect_four": ("reorder",),
    "quoridor": ("reorder", "face", "faces"),
}
"""The tricks that want buttons which a game's page has not."""


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick; which of the fields it heeds, `tricks.js` says.

    on: "target", a cell or button, or "board", all of them; of a frame, "press" or "time".
    move, after: it comes so many seconds after so many moves, or after what brings it about.
    times: how often, 0 for always.  seconds: it lasts, 0 while the pointer stays (of a dialog: for good).
    x, y, width, height: CSS pixels; of a popup, x and y are parts of its own size.
    factor: of a size, or which part of the buttons or cells is changed.
    """

    kind: str
    on: str = "target"
    move: int = 0
    after: float = 0.0
    times: int = 0
    seconds: float = 0.0
    x: float = 0.0
    y: float = 0.0
    width: int = 0
    height: int = 0
    factor: float = 1.0
    word: str = ""
    ground: str = "#ffffff"
    ink: str = "#101010"
    size: int = 14
    seed: int = 0


@dataclass(frozen=True)
class TrickedGame:
    """What became of a game on such a page.

    kinds: the tricks of its plan.  struck: how often one was played.  ended, message: the result's cause or the error.
    right: whether it was played to its end or stopped with a cause.  presses: how many.  seen: those on what could be
    seen to be wrong, in words; unseen: those on what came too late for that.  looks: milliseconds from the begin of the
    last look to each press.  kept: whether the journal tells the cause and the last picture.
    """

    name: str
    seed: int
    kinds: tuple[str, ...]
    struck: int
    ended: str
    message: str
    right: bool
    presses: int
    seen: tuple[str, ...]
    unseen: tuple[str, ...]
    looks: tuple[float, ...]
    kept: bool
    seconds: float


def draw_tricks(seed: int, name: str) -> tuple[Trick, ...]:
    """One trick on the page of game `name`, sometimes two; the same for a seed."""
    rng = np.random.default_rng([seed, 0x7121C5])
    kinds = [kind for kind in TRICKS if kind not in IMPOSSIBLE[name]]
    chosen = [kinds[(seed // len(BOARDS)) % len(kinds)]]  # each in turn, so that a short series has them all
    if rng.random() < 0.25:
        chosen.append(str(rng.choice([kind for kind in kinds if kind not in chosen])))
    return tuple(_draw_trick(kind, rng) for kind in chosen)


def _draw_trick(kind: str, rng: np.random.Generator) -> Trick:
    """A trick of that kind: its times, sizes, places, colours and words by chance."""
    ground = str(rng.choice(COLOURS))
    trick = Trick(
        kind,
        on=str(rng.choice(["press", "time"] if kind == "frame" else ["target", "target", "board"])),
        move=int(rng.integers(0, 4)),
        after=round(float(rng.choice([0.0, 0.0, 0.0, rng.uniform(0.02, 1.2)])), 3),
        times=int(rng.choice([0, 1, 1, 2, 3])),
        seconds=round(float(rng.choice([0.0, 0.0, rng.uniform(0.4, 3.0)])), 3),
        x=round(float(rng.uniform(-1.3, 0.4)), 2),
        y=round(float(rng.uniform(-1.3, 0.4)), 2),
        width=int(rng.integers(40, 260)),
        height=int(rng.integers(24, 160)),
        word=str(rng.choice(WORDS)),
        ground=ground,
        ink="#ffffff" if ground in ("#202330", "#2e7d32", "#d32f2f", "#1565c0") else "#101010",
        size=int(rng.integers(11, 26)),
        seed=int(rng.integers(1 << 31)),
    )
    side, scale = float(rng.choice([-1.0, 1.0])), float(rng.choice([rng.uniform(0.7, 0.95), rng.uniform(1.06, 1.3)]))
    far = {"x": side * round(float(rng.uniform(12, 140)), 1), "y": round(float(rng.uniform(-60, 90)), 1)}
    changed: dict[str, dict[str, Any]] = {
        "pay": {"x": -0.5, "y": -0.5},
        "rescale": {"x": float(rng.choice([-1.0, 0.0, 0.5, 1.0])), "factor": round(scale, 3)},
        "shift": far,
        "face": {"word": str(rng.choice(GLYPHS))},
        "faces": {
            "word": str(rng.choice(GLYPHS)),
            "factor": round(float(rng.uniform(0.2, 0.7)), 2),
            "move": max(1, trick.move),  # buttons that bore a sign from the first are buttons with a sign
        },
        "scroll": {"y": round(float(rng.uniform(20, 200)))},
        "decoy": {"x": side, "factor": round(float(rng.uniform(0.35, 0.9)), 2), "word": str(rng.choice(["", "BUY"]))},
        "frame": {**far, "seconds": round(float(rng.uniform(1.0, 4.0)), 2)},
        "dialog": {"x": side, "y": round(float(rng.uniform(0, 1)), 2)},
    }
    return replace(trick, **changed.get(kind, {}))


class TrickServer(PageServer):
    """The bundled pages, which may be shown in frames of their own address, and an empty page for such frames."""

    def __init__(self) -> None:
        LoopbackServer.__init__(self, partial(_FrameHandler, directory=str(PAGES)))

    def tricked(self, name: str, tricks: Sequence[Trick], **settings: Any) -> str:
        """The address of a game's page on which `tricks` are played."""
        plan = {"tricks": json.dumps([asdict(trick) for trick in tricks])}
        if not any(trick.kind == "frame" for trick in tricks):
            return self.url(name, **settings, **plan)
        inner = {"inner": f"{name}.html?{urlencode(settings)}"}
        return f"http://127.0.0.1:{self.port}/frames.html?{urlencode({**plan, **inner})}"


class _FrameHandler(PageHandler):
    policy = PageHandler.policy.replace("frame-ancestors 'none'", "frame-src 'self'; frame-ancestors 'self'")

    def do_GET(self) -> None:  # noqa: N802  # the base class calls it so
        """The empty page, or a bundled one."""
        if not self.path.startswith("/frames.html"):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Games</title><body></body>")


class WatchedScreen:
    """A BrowserScreen whose looks are noted.

    looks: when each picture was asked for, in milliseconds since 1970.
    """

    def __init__(self, screen: BrowserScreen) -> None:
        self._screen = screen
        self.looks: list[float] = []

    def grab(self, region: Rect | None = None) -> Frame:
        """The page, or a part of it."""
        self.looks.append(1e3 * time.time())
        return self._screen.grab(region)

    def close(self) -> None:
        """Nothing: the screen is its owner's."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What presses are meant to meet from a moment on, in milliseconds since 1970: names of a page's `data-press`.

    column: any row of it will do.  palette: the colours by their numbers, for buttons of a colour.
    """

    since: float
    names: frozenset[str]
    columns: frozenset[str]
    palette: tuple[tuple[int, int, int], ...]

    def justifies(self, press: dict[str, Any]) -> bool:
        """Whether a press that met no trick met what was meant."""
        name = str(press["name"])
        if name.startswith("colour:"):
            return f"colour:{self._nearest(str(press['ground']))}" in self.names
        return name in self.names or name.rpartition(",")[2] in self.columns

    def _nearest(self, ground: str) -> int:
        """The number of the colour of a computed style such as "rgb(1, 2, 3)"."""
        colour = np.array([float(part) for part in ground.partition("(")[2].rstrip(")").split(",")[:3]])
        return int(np.argmin(np.abs(np.array(self.palette, dtype=float) - colour).sum(axis=1)))


def meant_by(game: Game[Any, Any], state: Any, decision: Decision, calibration: Calibration, *, since: float) -> Meant:
    """What presses may meet to play the move decided on, in any of the game's ways."""
    names: set[str] = set()
    stages = [f"{way}+{stage}" for stage in STAGES for way in game.ways]
    for gesture in (each for how in (*game.ways, *stages) for each in gestures_of(game, state, decision.move, how)):
        if isinstance(gesture, Press):
            names.add(f"key:{gesture.key}")
        elif not isinstance(gesture, Wait | Carry | Drag):
            targets = (gesture.target, *(gesture.alternatives if isinstance(gesture, Tap) else ()))
            names |= {each if isinstance(each, str) else f"cell:{each.row},{each.col}" for each in targets}
    columns = {name.partition(":")[2] for name in names if name.startswith("column:")}
    return Meant(since, frozenset(names), frozenset(columns), tuple(calibration.palette))


def judge(
    presses: Sequence[dict[str, Any]], looks: Sequence[float], meant: Sequence[Meant]
) -> tuple[list[str], list[str]]:
    """The presses on something wrong: those on what could be seen to be so, and those on what could not.

    What was there when the last picture was asked for could be seen; also what the pointer's arrival brought about at
    once, for a hand that moves there can look before it presses; and what was there for long, whoever did not look.
    """
    seen: list[str] = []
    unseen: list[str] = []
    for press in presses:
        latest = [each for each in meant if each.since <= press["at"]][-1:]
        met = press["trick"] or ("" if latest and latest[0].justifies(press) else press["name"] or "the bare page")
        if not met:
            continue
        at, since = press["at"], press["since"]
        look = bisect.bisect_right(looks, at)
        visible = max(looks[look - 1] if look else 0.0, at - 1e3 * DAWDLING, press["arrived"])
        words = f"a {press['by']} press on {met} at {press['x']:.0f}, {press['y']:.0f}"
        if since:
            words += f", which was there for {at - since:.0f} ms, the pointer for {at - press['arrived']:.0f} ms"
        late = press["by"] == "release" or since > visible or press["trick"] == TWIN
        (unseen if late else seen).append(words)
    return seen, unseen


def play_one(
    screen: BrowserScreen,
    pages: TrickServer,
    name: str,
    seed: int,
    *,
    tricks: Sequence[Trick] | None = None,
    lost: float = 3.0,
) -> TrickedGame:
    """Plays game `name` on its page with the tricks of `seed`, or `tricks`, and judges every press.

    lost: seconds for which a board that is covered or gone is looked for.
    """
    tricks = draw_tricks(seed, name) if tricks is None else tricks
    kinds = tuple(trick.kind for trick in tricks)
    page = {**BOARDS[name], "seed": seed, "animation": (0, 60, 150)[seed % 3], "pause": 100}
    if name == "connect_four" and ({"face", "faces"} & set(kinds) or seed % 8 > 3):
        page["controls"] = "arrows"
    screen.page.goto(pages.tricked(name, tricks, **page))
    began = time.monotonic()
    watched = WatchedScreen(screen)
    meant: list[Meant] = []

    def announce(game: Game[Any, Any], number: int, state: Any, decision: Decision, board: Calibration) -> str:
        meant.append(meant_by(game, state, decision, board, since=1e3 * time.time()))
        return ""

    def play(settings: Settings) -> RunResult:
        about = {"screen": "browser", "settings": asdict(settings)}
        pointer = BrowserPointer(screen)
        (played,) = play_games(watched, pointer, settings, about=about, say=lambda line: None, announce=announce)
        return played.result

    with tempfile.TemporaryDirectory() as runs:
        solver = "greedy" if name == "flood_it" else f"random:seed={seed}"
        settings = Settings(
            game=name, solver=solver, seat="first", max_moves=MOST, runs=runs, patience=1.0, lost=lost, answer=6.0
        )
        ended, message = ending(lambda: play(settings))
        kept = keeps(open_run(next(Path(runs).iterdir())))
    told = screen.page.evaluate("boardsightWitness.told")
    seen, unseen = judge(told["presses"], watched.looks, meant)
    right = ended in FINISHED or (ended in STOPS and not HARMLESS.issuperset(kinds))
    ends = (bisect.bisect_right(watched.looks, press["at"]) for press in told["presses"])
    looks = tuple(
        round(press["at"] - watched.looks[end - 1], 1) for press, end in zip(told["presses"], ends, strict=True) if end
    )
    return TrickedGame(
        *(name, seed, kinds, len(told["struck"]), ended, message, right, len(told["presses"])),
        *(tuple(seen), tuple(unseen), looks, kept, round(time.monotonic() - began, 2)),
    )


def play_each(numbers: Sequence[int]) -> Iterator[TrickedGame]:
    """The games of those numbers, in one Chromium."""
    names = list(BOARDS)
    with TrickServer() as pages:
        screen = open_screen(pages)
        try:
            for number in numbers:
                yield play_one(screen, pages, names[number % len(names)], number)
        finally:
            screen.close()


def open_screen(pages: TrickServer) -> BrowserScreen:
    """A Chromium in whose pages tricks are played."""
    screen = BrowserScreen.launch(pages.url("index"))
    screen.page.add_init_script(path=SCRIPT)
    return screen


def lines(games: Sequence[TrickedGame]) -> Iterator[str]:
    """The page of figures."""
    yield "| what | figure |"
    yield "|---|---:|"
    counts: dict[str, int] = {
        "games in Chromium": len(games),
        "presses, each judged": sum(each.presses for each in games),
        "presses on what could be seen to be wrong": sum(len(each.seen) for each in games),
        "presses on what came too late, or looked like a board": sum(len(each.unseen) for each in games),
        "tricks played": sum(each.struck for each in games),
        "games played to their end": sum(each.ended in FINISHED for each in games),
        "stopped with a cause": sum(each.right and each.ended not in FINISHED for each in games),
        "ended otherwise": sum(not each.right for each in games),
        "journals with a cause and the last picture": sum(each.kept for each in games),
    }
    yield from (f"| {what} | {count} |" for what, count in counts.items())
    looks = sorted(look for each in games for look in each.looks)
    if looks:
        most = looks[min(len(looks) - 1, int(0.95 * len(looks)))]
        yield f"| ms from the last look to the press: median, 95% within | {statistics.median(looks):.0f}, {most:.0f} |"
    yield f"| longest game, s | {max((each.seconds for each in games), default=0.0):.0f} |"
    yield ""
    yield "| trick | games | presses | wrong, could be seen | wrong, too late | to the end | stopped, by cause |"
    yield "|---|---:|---:|---:|---:|---:|---|"
    for kind in TRICKS:
        yield _row(kind, [each for each in games if kind in each.kinds])
    yield ""
    for each in games:
        if each.seen or not each.right:
            yield f"{each.name} {each.seed}: {each.ended} after {', '.join(each.kinds)}: {each.message[:160]}"
            yield from (f"    {words}" for words in each.seen[:4])


def _row(kind: str, games: Sequence[TrickedGame]) -> str:
    causes = Counter(each.ended for each in games if each.ended not in FINISHED)
    cells: list[Callable[[TrickedGame], int]] = [
        lambda each: each.presses,
        lambda each: len(each.seen),
        lambda each: len(each.unseen),
        lambda each: each.ended in FINISHED,
    ]
    figures = " | ".join(str(sum(map(cell, games))) for cell in cells)
    return f"| {kind} | {len(games)} | {figures} | {', '.join(f'{n} {c}' for c, n in causes.most_common())} |"


def tables(games: int = GAMES, seed: int = 0, *, keep: Path | None = None) -> Iterator[str]:
    """The page of so many games, the first of number `seed`; one that was broken off goes on where it is kept."""
    yield from left_out(BOARDS, "its page and its boards are not set up here")
    yield ""
    yield from lines(kept_series(TrickedGame, play_each, range(seed, seed + games), keep=keep))
