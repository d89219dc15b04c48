"""Games on hostile screens: random fault plans on the drawn screen, every click judged by one who knows the truth.

``python -m bench hostile --set games=2000 seed=1`` makes the record, ``make soak`` plays for hours.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench.hostile.judged import FINISHED, JudgedGame, keeps
from bench.hostile.referee import Referee, TrueMove, WitnessedScreen, misplayed
from bench.results import left_out
from bench.screens.record import ending
from bot.faults.plans import KINDS, FaultPlan, draw_plan
from bot.faults.screen import HostileScreen
from bot.play.loop import Loop
from bot.play.observer import Observer
from bot.play.terminal import Terminal
from bot.pointers.guard import GuardedPointer
from bot.ports import FakeClock
from bot.runs.journal import JournalWriter, SavedRun, open_run
from bot.screens.drawn.screen import DESKTOP
from bot.settings import Settings
from calibration.frame import Frame, Rect
from games import find_game
from games.core import Options

GAMES = 40
"""Games of the short run."""

SMALL = Rect(0, 0, 720, 560)
"""A desktop that holds the small boards."""

HANG = 30.0
"""Seconds of the screen's clock without a click, a move or a fault, after which a run counts as hanging."""


ANSWER = HANG - 8
"""Seconds another side may think; a click of ours that had no effect may have gone before."""


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """How a game is played here.

    plies: random moves made before the bot comes.  most: moves after which it stops, 0 for none.
    monitor: the desktop, small where it can be: finding a board takes a time that grows with it.  cell: its pitch.
    """

    options: Options = field(default=Options())
    solver: str = "random:seed=7"
    plies: int = 0
    most: int = 0
    monitor: Rect = SMALL
    cell: float | None = 30.0


BOARDS: dict[str, BoardSetup] = {
    "flood_it": BoardSetup(Options(rows=7, cols=7, colours=5, limit=40), solver="greedy"),
    "filler": BoardSetup(Options(rows=6, cols=6, colours=5)),
    "connect_four": BoardSetup(plies=14),
    "quoridor": BoardSetup(Options(rows=5, cols=5), most=6),
    "blokus": BoardSetup(plies=6, most=4, monitor=DESKTOP, cell=None),
}
"""The games that can be played; two random pawns would walk about for a hundred moves, and a tray holds 21 pieces."""

USUAL = ("flood_it", "filler", "connect_four", "quoridor")
"""Those that are played where none are named: carrying a piece takes many presses and ten times as long."""


@dataclass(frozen=True)
class DrawnGame(JudgedGame):
    """A game on a drawn screen.

    longest: seconds of the screen's clock without anything happening.  spent: CPU seconds.
    """

    plan: FaultPlan
    longest: float
    clicks: int
    spent: float


class _StillnessClock(FakeClock):
    """A clock that notes the longest time in which nothing happened."""

    def __init__(self) -> None:
        super().__init__()
        self.last, self.longest = 0.0, 0.0
        self.marks: Callable[[], object] = lambda: None
        self._known: object = None

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        known = self.marks()
        if known != self._known:
            self._known, self.last = known, self.now()
        self.longest = max(self.longest, self.now() - self.last)


class _HandScreen(WitnessedScreen):
    """A WitnessedScreen that writes down the moves of the hand, and whether it was ever seen."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.hand: list[TrueMove] = []
        self.seen = False
        self._at_click: tuple[Any, Any] = (None, None)
        super().__init__(*args, **options)

    def grab(self, region: Rect | None = None) -> Frame:
        frame = super().grab(region)
        self.seen = True
        return frame

    def play(self, move: Any) -> None:
        before, ours = self.state, not self._is_rivals_turn()
        super().play(move)
        if ours:
            self.hand.append(TrueMove(*self._at_click, before, move, before.play(move)))

    def _press(self, *args: Any, **options: Any) -> Any:
        self._at_click = (None if self.shown is None else self.shown.state), self.state
        return super()._press(*args, **options)


def play(
    name: str,
    seed: int,
    folder: Path,
    *,
    plan: FaultPlan | None = None,
    settings: Settings | None = None,
    clicked: Callable[[], object] = lambda: None,
) -> DrawnGame:
    """Plays one game of `name` on a drawn screen with the plan of `seed`, or `plan`, and judges it.

    clicked: is called before each click.
    """
    began = time.process_time()
    board, game, rng = BOARDS[name], find_game(name), np.random.default_rng(seed)
    state = _advanced(game.deal(rng, board.options), board.plies, rng)
    plan = draw_plan(seed) if plan is None else plan
    clock, stop = _StillnessClock(), threading.Event()
    screen = _HandScreen(
        *(game, state, plan),
        clock=clock,
        monitors=(board.monitor,),
        cell=board.cell,
        ask=stop.set,
        seed=seed + 1,  # what is dealt later shall not be the first board again
        rival=_chance(seed) if game.players > 1 else None,
        thinking=0.4,
    )
    referee = Referee(screen, clicked=clicked)
    clock.marks = lambda: (
        len(screen.moves),
        referee.clicks,
        len(screen.happened),
        len(screen._covers),
        len(screen._seen()),
    )
    guard = GuardedPointer(referee, stop=stop, desktop=board.monitor)
    settings = settings or Settings(solver=board.solver, game=name, seat="first", answer=ANSWER, max_moves=board.most)
    run, ended, message = _run(screen, guard, clock, settings, folder, game.options(state))
    happened = tuple(fault.kind for fault in screen.happened)
    offences = (*referee.offences, *misplayed(game, run, screen.hand))
    allowed = {cause for kind in happened for cause in KINDS[kind].causes}
    over = screen.state.outcome() is not None or (ended == "asked" and len(screen.hand) >= settings.max_moves > 0)
    right = (ended in FINISHED and over) or ended in allowed
    spent = time.process_time() - began
    return DrawnGame(
        *(name, seed, happened, ended, message, right, offences, keeps(run, seen=screen.seen)),
        plan=plan,
        longest=clock.longest,
        clicks=referee.clicks,
        spent=spent,
    )


def _run(
    screen: HostileScreen, guard: GuardedPointer, clock: FakeClock, settings: Settings, folder: Path, options: Options
) -> tuple[SavedRun, str, str]:
    """The run as its journal tells it, how it ended, and in what words."""
    observer = Observer(screen, clock, settings.game, options=options, patience=settings.patience)
    terminal = Terminal(colours=False)
    with JournalWriter(folder, {"screen": "drawn", "settings": {}}) as journal:
        loop = Loop(settings, observer, guard, clock, journal, say=lambda line: None, announce=terminal.announce)
        ended, message = ending(loop.run)
    return open_run(folder), ended, message


def _advanced(state: Any, plies: int, rng: np.random.Generator) -> Any:
    """`state` after so many random moves that do not end the game."""
    for _ in range(plies):
        for index in rng.permutation(len(state.legal_moves())):
            follows = state.play(state.legal_moves()[index])
            if follows.outcome() is None:
                state = follows
                break
    return state


def _chance(seed: int) -> Callable[[Any], Any]:
    rng = np.random.default_rng([seed, 9])
    return lambda state: state.legal_moves()[rng.integers(len(state.legal_moves()))]


@dataclass
class SeriesFigures:
    """The figures of many games."""

    games: list[DrawnGame] = field(default_factory=list)
    memory: list[tuple[int, float, int]] = field(default_factory=list)

    def add(self, game: DrawnGame) -> None:
        """Take another game in, and how much memory (MB) and how many descriptors the process has by now."""
        self.games.append(game)
        if len(self.games) % 10 == 0:
            gc.collect()
            self.memory.append((len(self.games), _resident(), len(os.listdir("/proc/self/fd"))))

    def lines(self) -> Iterator[str]:
        """The figures."""
        games = self.games
        passing = [game for game in games if game.passing]
        finished = sum(game.finished for game in passing)
        outside = sum(": a click " in offence for game in games for offence in game.offences)
        wrong = sum(offence.startswith("move ") for game in games for offence in game.offences)
        yield "| what | figure |"
        yield "|---|---:|"
        yield f"| games | {len(games)} |"
        yield f"| clicks, each judged | {sum(game.clicks for game in games)} |"
        yield f"| clicks that nothing justified | {outside} |"
        yield f"| wrong moves | {wrong} |"
        yield f"| finished or stopped with the right cause | {sum(game.right for game in games)} |"
        share = 100 * finished / max(1, len(passing))
        yield f"| finished, where what happened passes | {finished} of {len(passing)} ({share:.1f}%) |"
        yield f"| journals with a cause and the last picture | {sum(game.kept for game in games)} |"
        yield f"| longest time without anything happening, s | {max((r.longest for r in games), default=0):.1f} |"
        yield f"| over {HANG:g} s | {sum(game.longest > HANG for game in games)} |"
        yield f"| CPU seconds a game | {sum(game.spent for game in games) / max(1, len(games)):.2f} |"
        if len(self.memory) > 2:
            warm, last = self.memory[len(self.memory) // 4], self.memory[-1]
            yield f"| memory after {warm[0]} and {last[0]} games, MB | {warm[1]:.0f}, {last[1]:.0f} |"
            yield f"| descriptors then | {warm[2]}, {last[2]} |"
        yield ""
        yield from self._by_fault()
        for game in games:
            if game.flawed:
                yield from game.told(f"lag {game.plan.lag}, animation {game.plan.animation}")

    def _by_fault(self) -> Iterator[str]:
        yield "| fault | games | finished | stopped, by cause |"
        yield "|---|---:|---:|---|"
        for kind in ("nothing", *KINDS):
            games = [r for r in self.games if (kind in r.happened if kind != "nothing" else not r.happened)]
            causes = Counter(game.ended for game in games if not game.finished)
            stops = ", ".join(f"{count} {cause}" for cause, count in causes.most_common())
            yield f"| {kind} | {len(games)} | {sum(game.finished for game in games)} | {stops} |"
        yield ""


def _resident() -> float:
    """Megabytes the process holds."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def soak(
    figures: SeriesFigures, numbers: Sequence[int], *, names: Sequence[str] = USUAL, seconds: float = float("inf")
) -> Iterator[DrawnGame]:
    """Plays the games of those numbers, or as many as there is time for; gives each when `figures` have it."""
    began = time.monotonic()
    for number in numbers:
        if time.monotonic() - began > seconds:
            return
        home = Path(tempfile.mkdtemp(prefix="boardsight-hostile-"))
        try:
            figures.add(play(names[number % len(names)], number, home / "run"))
        finally:
            shutil.rmtree(home, ignore_errors=True)
        yield figures.games[-1]


def tables(games: int = GAMES, seed: int = 0, hours: float = 0.0, only: Sequence[str] = USUAL) -> Iterator[str]:
    """The page of so many games, or as many as there are `hours` for; seed: number of the first one's plan."""
    yield from left_out(only, "its boards are not set up here, or take long")
    yield ""
    figures = SeriesFigures()
    deque(soak(figures, range(seed, seed + games), names=only, seconds=3600 * hours or float("inf")), maxlen=0)
    yield from figures.lines()
