"""Work that may take long, done in a few threads, beside the event loop: whoever has used them least comes first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

WORKERS = 2
"""Threads: the work is Python's, of which one runs at a time, so more of them only make the event loop wait."""


@dataclass(eq=False)
class Share:
    """What one client has used: the virtual time at which its last work ended."""

    finish: float = 0.0


class FairPool:
    """Start-time fair queueing (Goyal, Vin, Cheng 1996): work of a client starts after what it had done before.

    So a client that asks a hundred things at once waits for itself, and another one waits for one of them at most.
    """

    def __init__(self, workers: int = WORKERS) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="table")
        self._free = workers
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
        while self._free and self._waiting:
            start, _, share, work, result = heapq.heappop(self._waiting)
            if not result.cancelled():
                self._free -= 1
                self._clock = start
                task = asyncio.create_task(self._do(start, share, work, result))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def _do(self, start: float, share: Share, work: Callable[[], T], result: asyncio.Future[T]) -> None:
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
            share.finish = start + time.perf_counter() - began
            self._free += 1
            self._start_next()
