"""Work that may take long, done in a few threads, beside the event loop: whoever has used them least comes first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

WORKERS = 2
"""Threads: the work is Python's, of which one runs at a time, so more of them only make the event loop wait."""

HEAVY, HALVED = 0.3, 10.0
"""Seconds of work that make a client heavy, and in which what it has used counts for half."""


@dataclass(eq=False)
class Share:
    """What one client has used.

    finish: the virtual time at which its last work ended.  spent: its seconds of late, as they were at time `at`.
    """

    finish: float = 0.0
    spent: float = 0.0
    at: float = 0.0

    def is_heavy(self, now: float) -> bool:
        """Whether it has used so much of late that it must leave a thread to others."""
        return self._left(now) > HEAVY

    def add(self, seconds: float, now: float) -> None:
        """Note what it has used."""
        self.spent, self.at = self._left(now) + seconds, now

    def _left(self, now: float) -> float:
        return self.spent * math.exp2((self.at - now) / HALVED)


class FairPool:
    """Start-time fair queueing (Goyal, Vin, Cheng 1996): work of a client starts after what it had done before.

    So a client that asks a hundred things at once waits for itself, and another one waits for one of them at most.
    Clients that use much leave one thread to those that do not.
    """

    def __init__(self, workers: int = WORKERS) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="table")
        self._workers = self._free = workers
        self._heavy = 0
        self._clock = 0.0
        self._waiting: list[tuple[float, int, Share, Callable[[], Any], asyncio.Future[Any]]] = []
        self._numbers = itertools.count()
        self._running: set[asyncio.Task[None]] = set()

    async def run(self, share: Share, work: Callable[[], T]) -> T:
        """The result of `work`, done in a thread; raises what it raises.  Work whose caller is cancelled is dropped."""
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        start = max(self._clock, share.finish)
        heapq.heappush(self._waiting, (start, next(self._numbers), share, work, result))
        self._start_next()
        return await result

    def close(self) -> None:
        """Drop what waits and wait for what runs."""
        self._pool.shutdown(cancel_futures=True)

    def _start_next(self) -> None:
        now, kept = time.perf_counter(), []
        while self._free and self._waiting:
            item = heapq.heappop(self._waiting)
            start, _, share, work, result = item
            heavy = share.is_heavy(now)
            if result.cancelled():
                continue
            if heavy and self._heavy >= max(self._workers - 1, 1):
                kept.append(item)
                continue
            self._free -= 1
            self._heavy += heavy
            self._clock = start
            task = asyncio.create_task(self._do(start, share, work, result, heavy))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        for item in kept:
            heapq.heappush(self._waiting, item)

    async def _do(
        self, start: float, share: Share, work: Callable[[], T], result: asyncio.Future[T], heavy: bool
    ) -> None:
        began = time.perf_counter()
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._pool, work)
        except Exception as error:
            if not result.cancelled():
                result.set_exception(error)
        else:
            if not result.cancelled():
                result.set_result(found)
        finally:
            now = time.perf_counter()
            share.finish = start + now - began
            share.add(now - began, now)
            self._free += 1
            self._heavy -= heavy
            self._start_next()
