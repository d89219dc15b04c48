"""Inputs given to what reads them, and what became of each."""

from __future__ import annotations

import contextlib
import io
import resource
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import FrameType

import numpy as np

from bench.fuzz.damage import damaged
from games.core import BoardsightError

SLOW = 0.5
"""CPU seconds from which an input is an outlier: the usual one takes less than a millisecond."""

HANG = 20.0
"""Wall seconds after which an input is given up."""

GROWTH = 256
"""Megabytes by which one target may raise the process's peak."""

Target = Callable[[bytes], object]
"""What reads an input; it returns, or raises a BoardsightError."""


class HangError(Exception):
    """An input was given up after HANG seconds."""


@dataclass
class Tally:
    """What became of one target's inputs.

    faults: the text of each kind of error without a name of ours -> the first input that brought it about.
    slowest: CPU seconds, and the input.  grown: megabytes by which the process's peak rose.
    """

    inputs: int = 0
    taken: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    faults: dict[str, bytes] = field(default_factory=dict)
    slowest: tuple[float, bytes] = (0.0, b"")
    seconds: float = 0.0
    grown: int = 0


def report(tallies: dict[str, Tally]) -> Iterator[str]:
    """The table of a run, and every fault with its input."""
    yield "| what is read | inputs | taken | refused by name | faults | inputs/s | slowest, ms | MB more |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, tally in tallies.items():
        yield (
            f"| {name} | {tally.inputs} | {tally.taken} | {tally.refused.total()} | {len(tally.faults)} "
            f"| {tally.inputs / max(tally.seconds, 1e-9):.0f} | {1e3 * tally.slowest[0]:.0f} | {tally.grown} |"
        )
    yield ""
    yield f"{sum(tally.inputs for tally in tallies.values())} inputs, {len(faults(tallies))} kinds of faults"
    for name, fault, data in faults(tallies):
        yield f"\n{name}: {fault.strip()}\n  input: {data[:400]!r}"


def faults(tallies: dict[str, Tally]) -> list[tuple[str, str, bytes]]:
    """Every fault: its target, what was raised, the input; inputs that took too long or too much are faults, too."""
    found = [(name, fault, data) for name, tally in tallies.items() for fault, data in tally.faults.items()]
    for name, tally in tallies.items():
        if tally.slowest[0] > SLOW:
            found.append((name, f"an input took {tally.slowest[0]:.1f} s", tally.slowest[1]))
        if tally.grown > GROWTH:
            found.append((name, f"the process grew by {tally.grown} MB", b""))
    return found


def attack(target: Target, seeds: Sequence[bytes], rng: np.random.Generator, count: int) -> Tally:
    """Give `target` so many damaged `seeds`, the sound ones first."""
    tally = Tally()
    with hang_told():
        for data in seeds:
            feed(target, data, Tally())  # compiles and imports what is lazy
        peak = _peak()
        for number in range(count):
            feed(target, seeds[number] if number < len(seeds) else damaged(seeds, rng), tally)
        tally.grown = _peak() - peak
    return tally


def feed(target: Target, data: bytes, tally: Tally) -> None:
    """Give `target` one input and write down what became of it."""
    began = time.thread_time()
    _watch(HANG)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            target(data)
        tally.taken += 1
    except BoardsightError as error:
        tally.refused[type(error).__name__] += 1
        if not str(error):
            tally.faults.setdefault("an error without a message", data)
    except Exception as error:  # what this is all about
        lines = traceback.extract_tb(error.__traceback__)
        where = f"{lines[-1].filename}:{lines[-1].lineno}"
        tally.faults.setdefault(f"{type(error).__name__} in {where}: {str(error)[:200]}", data)
    finally:
        _watch(0)
    spent = time.thread_time() - began
    tally.inputs += 1
    tally.seconds += spent
    if spent > tally.slowest[0]:
        tally.slowest = (spent, data)


@contextlib.contextmanager
def hang_told() -> Iterator[None]:
    """Inside, an input that takes too long raises HangError, in the main thread of systems that have such alarms."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(number: int, frame: FrameType | None) -> None:
        raise HangError(f"no answer after {HANG:g} s")

    before = signal.signal(signal.SIGALRM, give_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)


def _watch(seconds: float) -> None:
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
