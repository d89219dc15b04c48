"""The solvers of all connections: made once, on first use, lent to one search at a time, a few searches at once."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bot.web.trainings import PLAYER, Shelf
from solvers.core import Decision, Limit, Progress, Solver

KEPT = 8
"""Solvers that wait for their next search; the one used longest ago goes first, with its table of some 64 MB."""


TURN = 2.0
"""Seconds after which a search ends with what it has, where others wait for their turn."""

FIRSTS = 8
"""First searches at once: as many solvers as a game has, so that none waits for another's compiler."""

LOADING = 1.5
"""Seconds that a first search takes at most where all it needs is compiled already."""


class Players:
    """Searches in threads of their own, twice as many at once as there are processors; others wait their turn.

    Limits are CPU time of the thread, so sharing a processor costs patience, not strength.  A solver's first search,
    for which it may have to be compiled, has threads of its own: a minute of that keeps no other game waiting.
    A search that has had its TURN makes room for one that waits, so that no page can hold every thread for minutes.
    A solver keeps tables that only one search may use, so each search borrows one and gives it back.
    shelf: whose players may be named, too.
    """

    def __init__(self, workers: int | None = None, shelf: Shelf | None = None) -> None:
        self.find = (shelf or Shelf(None)).find
        self._pool = ThreadPoolExecutor(workers or max(4, 2 * (os.cpu_count() or 2)), thread_name_prefix="search")
        self._first = ThreadPoolExecutor(FIRSTS, thread_name_prefix="first search")
        self._ready: dict[tuple[str, str], tuple[asyncio.Future[None], float]] = {}
        self._idle: OrderedDict[tuple[str, str, int], Solver] = OrderedDict()
        self._lock = threading.Lock()
        self._made = 0
        self._waiting = 0

    async def decide(self, spec: str, game: str, state: Any, limit: Limit, progress: Progress) -> Decision:
        """What the solver `spec` of `game` decides; `progress` is called in the search's thread.

        Raises what the solver raises.
        """
        loop, (ready, _) = asyncio.get_running_loop(), self._prepared(spec, game, state)
        try:
            await asyncio.shield(ready)  # the search that waits may be given up, its preparation not
        except Exception:
            self._ready.pop((spec.partition(":")[0], game), None)  # this position was none for it; the next may be
            raise
        with self._lock:
            self._waiting += 1
        begins = threading.Event()
        try:
            search = loop.run_in_executor(self._pool, self._decide, spec, game, state, limit, progress, begins)
            return await search
        finally:
            self._start(begins)

    async def seconds_to_prepare(self, spec: str, game: str, state: Any) -> float:
        """How long it will take still to compile what a solver needs, as far as is known; 0 where it can search.

        0 for a player of a training, too: it is waited for, so that each move is its own.
        """
        if spec.startswith(PLAYER):
            return 0.0
        ready, began = self._prepared(spec, game, state)
        await asyncio.wait([ready], timeout=LOADING)
        if ready.done():
            return 0.0
        return max(1.0, await asyncio.to_thread(_compiling, spec, game) - (time.monotonic() - began))

    def _prepared(self, spec: str, game: str, state: Any) -> tuple[asyncio.Future[None], float]:
        """A solver's first search, begun if need be, and when it was begun."""
        key = spec.partition(":")[0], game
        if key not in self._ready:
            first = asyncio.get_running_loop().run_in_executor(self._first, _search_once, spec, game, state, self.find)
            self._ready[key] = first, time.monotonic()
        return self._ready[key]

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
        return self.find(spec, game)

    def _give_back(self, spec: str, game: str, solver: Solver) -> None:
        with self._lock:
            self._made += 1
            self._idle[spec, game, self._made] = solver
            while len(self._idle) > KEPT:
                self._idle.popitem(last=False)


def _search_once(spec: str, game: str, state: Any, find: Callable[[str, str], Solver]) -> None:
    """Have whatever the solver needs compiled and loaded, by a search that stops at once."""
    find(spec, game).decide(state, Limit(seconds=0.01, nodes=1), progress=lambda _: True)


def _compiling(spec: str, game: str) -> float:
    """Seconds that compiling takes on this machine."""
    from solvers.kernels.ready import expected_seconds  # takes numba

    return expected_seconds(game, spec)
