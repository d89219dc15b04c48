"""The solvers of all connections: made once, on first use, lent to one search at a time, a few searches at once."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from solvers import find_solver
from solvers.core import Decision, Limit, Progress, Solver

KEPT = 8
"""Solvers that wait for their next search; the one used longest ago goes first, with its table of some 64 MB."""


TURN = 2.0
"""Seconds after which a search ends with what it has, where others wait for their turn."""

FIRSTS = 8
"""First searches at once: as many solvers as a game has, so that none waits for another's compiler."""


class Players:
    """Searches in threads of their own, twice as many at once as there are processors; others wait their turn.

    Limits are CPU time of the thread, so sharing a processor costs patience, not strength.  A solver's first search,
    for which it may have to be compiled, has threads of its own: a minute of that keeps no other game waiting.
    A search that has had its TURN makes room for one that waits, so that no page can hold every thread for minutes.
    A solver keeps tables that only one search may use, so each search borrows one and gives it back.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._pool = ThreadPoolExecutor(workers or max(4, 2 * (os.cpu_count() or 2)), thread_name_prefix="search")
        self._first = ThreadPoolExecutor(FIRSTS, thread_name_prefix="first search")
        self._ready: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._idle: OrderedDict[tuple[str, str, int], Solver] = OrderedDict()
        self._lock = threading.Lock()
        self._made = 0
        self._waiting = 0

    async def decide(self, spec: str, game: str, state: Any, limit: Limit, progress: Progress) -> Decision:
        """What the solver `spec` of `game` decides; `progress` is called in the search's thread.

        Raises what the solver raises.
        """
        loop, key = asyncio.get_running_loop(), (spec.partition(":")[0], game)
        if key not in self._ready:
            self._ready[key] = loop.run_in_executor(self._first, _search_once, spec, game, state)
        try:
            await asyncio.shield(self._ready[key])  # the search that waits may be given up, its preparation not
        except Exception:
            self._ready.pop(key, None)  # this position was none for it; the next may be
            raise
        with self._lock:
            self._waiting += 1
        begins = threading.Event()
        try:
            search = loop.run_in_executor(self._pool, self._decide, spec, game, state, limit, progress, begins)
            return await search
        finally:
            self._start(begins)

    def close(self) -> None:
        """Wait for the searches that run, which should have been told to stop."""
        self._first.shutdown(wait=False, cancel_futures=True)
        self._pool.shutdown(cancel_futures=True)

    def _start(self, begins: threading.Event) -> None:
        """Count a search as one that waits no more, once: it begins, or it is given up before."""
        with self._lock:
            if not begins.is_set():
                begins.set()
                self._waiting -= 1

    def _decide(
        self, spec: str, game: str, state: Any, limit: Limit, progress: Progress, begins: threading.Event
    ) -> Decision:
        self._start(begins)
        began = time.monotonic()

        def shared(decision: Decision) -> bool:
            return progress(decision) or (self._waiting > 0 and time.monotonic() - began > TURN)

        solver = self._borrow(spec, game)
        try:
            return solver.decide(state, limit, progress=shared)
        finally:
            self._give_back(spec, game, solver)

    def _borrow(self, spec: str, game: str) -> Solver:
        with self._lock:
            for key in reversed(self._idle):
                if key[:2] == (spec, game):
                    return self._idle.pop(key)
        return find_solver(spec, game)

    def _give_back(self, spec: str, game: str, solver: Solver) -> None:
        with self._lock:
            self._made += 1
            self._idle[spec, game, self._made] = solver
            while len(self._idle) > KEPT:
                self._idle.popitem(last=False)


def _search_once(spec: str, game: str, state: Any) -> None:
    """Have whatever the solver needs compiled and loaded, by a search that stops at once."""
    find_solver(spec, game).decide(state, Limit(seconds=0.01, nodes=1), progress=lambda _: True)
