"""Kernels called in threads of their own: stopped in time, and helped by others that search the same over one table."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

STOP = 0
"""The place in every kernel's ``control`` that ends its search once it is set."""

TICK = 0.02
"""Seconds between two looks at the limits and at the progress while a search runs; a longer one gets its helpers."""

Answer = TypeVar("Answer")


class Helper(NamedTuple):
    """A search whose answer nobody waits for: what it finds stands in the table that it shares.

    control: int64[n], its own.
    """

    work: Callable[[], object]
    control: NDArray[np.int64]


def usable_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def watched(
    work: Callable[[], Answer],
    control: NDArray[np.int64],
    seconds: float | None,
    stopped: Callable[[], bool] | None,
    helpers: Callable[[], Sequence[Helper]] | None = None,
    *,
    at_once: bool = False,
) -> Answer:
    """What `work`, a call into a kernel, returns; sets STOP after `seconds` of its CPU time, or when `stopped` says so.

    With none of these it is a plain call. Otherwise `work` runs in a thread of its own, which does not hold the
    interpreter, and `stopped` is asked in this one about every 20 ms. What takes longer gets `helpers`, `at_once` where
    searches before it, of the same decision, took as long.
    """
    if seconds is None and stopped is None and helpers is None:
        return work()
    future: Future[Answer] = Future()
    clock: Future[int | None] = Future()

    def run() -> None:
        clock.set_result(_own_clock())
        try:
            future.set_result(work())
        except BaseException as error:  # raised again where the result is asked for
            future.set_exception(error)

    thread = started(run)
    beside: list[tuple[Helper, threading.Thread]] = []
    try:
        spent = _time_on(clock.result())
        while not future.done():
            left = TICK if seconds is None else seconds - spent()
            if left <= 0 or (stopped is not None and stopped()):
                control[STOP] = 1
                break
            if not (at_once and helpers is not None and not beside):
                thread.join(min(left, TICK))
            if helpers is not None and not beside and not future.done():
                beside += [(helper, started(helper.work)) for helper in helpers()]
    except BaseException:
        control[STOP] = 1  # Ctrl-C must not leave the kernel running
        raise
    finally:
        thread.join()
        for helper, _ in beside:
            helper.control[STOP] = 1
        for _, other in beside:
            other.join()
    return future.result()


def started(work: Callable[[], object]) -> threading.Thread:
    """A thread that does `work` from now on; it keeps no process alive."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def _own_clock() -> int | None:
    """The clock of this thread's CPU time, None where the system has none.

    Only the thread itself may ask for it: for one that has ended the C library reads freed memory.
    """
    try:
        clock = time.pthread_getcpuclockid(threading.get_ident())
        time.clock_gettime(clock)
    except (AttributeError, OSError):
        return None
    return clock


def _time_on(clock: int | None) -> Callable[[], float]:
    """The CPU time of the thread whose `clock` it is; without one the time of day since now."""
    started = time.monotonic()

    def spent() -> float:
        if clock is None:
            return time.monotonic() - started
        try:
            return time.clock_gettime(clock)
        except OSError:  # it has ended
            return 0.0

    return spent
