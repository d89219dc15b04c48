"""Runs that are killed at random moments: every journal opens and replays, and nothing but the turn in flight is lost.

``python -m bench kills --set count=200`` makes the record.
Each game is played on the drawn screen by a process of its own, a copy of this one, that SIGKILL ends.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.hostile.screens import play
from bench.results import left_out
from bot.faults.plans import FaultPlan
from bot.runs.journal import open_run
from bot.runs.replay import replay
from games.core import BoardsightError

KILLS = 20
"""Kills of the short run."""

GAMES = ("flood_it", "filler", "connect_four", "quoridor")
"""Games with one click a turn, but where the game is over and nothing shows it."""

MOST_CLICKS, LONGEST = 9, 0.3
"""A game is killed after fewer clicks than that, and at most so many seconds: a turn takes about 0.05."""


@dataclass(frozen=True, slots=True)
class Kill:
    """What a killed run left.

    ended: "before the first click", "in mid-game" or "after its end".  clicks: how many were made, by the pointer.
    turns: how many the journal holds.  wrong: what is wrong with it, "" for nothing.
    """

    ended: str
    clicks: int
    turns: int
    wrong: str = ""


def kill_one(number: int, home: Path) -> Kill:
    """Plays game `number` in another process, kills it at a random moment and looks at what is left."""
    rng = np.random.default_rng([number, 0x911])
    name = GAMES[number % len(GAMES)]
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        try:
            play(name, number, home / "run", plan=FaultPlan(), clicked=lambda: os.write(tell, b"."))
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb", buffering=0) as pipe:
        clicks = 0
        for _ in range(int(rng.integers(MOST_CLICKS))):
            clicks += len(pipe.read(1) or b"")
        time.sleep(float(rng.uniform(0, LONGEST)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        clicks += len(pipe.readall() or b"")
    return _look_at(home / "run", clicks)


def _look_at(folder: Path, clicks: int) -> Kill:
    """What the journal in `folder` says of a run that made so many clicks: one a turn, and what had no effect again."""
    if not folder.exists():
        return Kill("before the first click", clicks, 0, "clicks without a journal" if clicks else "")
    try:
        run = open_run(folder)
        found = [difference for _, differences in replay(run) for difference in differences]
    except BoardsightError as problem:
        return Kill("in mid-game", clicks, 0, str(problem))
    turns = len(run.turns)
    ended = "after its end" if run.end is not None else "in mid-game" if clicks else "before the first click"
    again = sum("attempt" in note for _, note in run.notes)
    lost = clicks - 1 - turns - again if run.end is None else 0
    wrong = f"{lost} turns before the one in flight are lost" if lost > 0 else "; ".join(map(str, found))
    return Kill(ended, clicks, turns, wrong)


def kills(count: int, *, seed: int = 0) -> Iterator[Kill]:
    """So many kills, one after another."""
    play_once()
    for number in range(seed, seed + count):
        home = Path(tempfile.mkdtemp(prefix="boardsight-kill-"))
        try:
            yield kill_one(number, home)
        finally:
            shutil.rmtree(home, ignore_errors=True)


def play_once() -> None:
    """Plays a game of each kind in this process, so that its copies need not load and compile anything."""
    for number, name in enumerate(GAMES):
        home = Path(tempfile.mkdtemp(prefix="boardsight-kill-"))
        play(name, number, home / "run", plan=FaultPlan())
        list(replay(open_run(home / "run")))
        shutil.rmtree(home)


def page(found: list[Kill]) -> Iterator[str]:
    """The figures of many kills."""
    whens = Counter(kill.ended for kill in found)
    yield "| what | figure |"
    yield "|---|---:|"
    yield f"| runs killed | {len(found)} |"
    for when, number in whens.most_common():
        yield f"| killed {when} | {number} |"
    sound = sum(not kill.wrong for kill in found)
    yield f"| journals that open, replay alike and lack at most the turn in flight | {sound} |"
    yield f"| turns kept, of clicks made | {sum(k.turns for k in found)} of {sum(k.clicks for k in found)} |"
    yield from (f"{kill.ended}: {kill.wrong}" for kill in found if kill.wrong)


def tables(count: int = KILLS, seed: int = 0) -> Iterator[str]:
    """The page of so many kills; seed: number of the first game."""
    yield from left_out(GAMES, "its turns are not one click each, or nothing tells these")
    yield ""
    yield from page(list(kills(count, seed=seed)))
