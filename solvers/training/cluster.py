"""Where work is done that falls into jobs: in this process, in many, or on a Ray cluster.

Work is a function of a module and a job it takes, both picklable, and its answer depends on the job alone. So it does
not matter who does it, nor that it is done again when a process or a node died: only what was in flight there is lost.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from typing import Any, Protocol, TypeVar

from games.core import BoardsightError, SettingsError, not_installed

TRIES = 4
"""How often a job is begun before it is given up: whoever takes it may have died for reasons of its own."""

LOOK_SECONDS = 5.0
"""Between two looks at whether the cluster has grown."""


AT_ONCE = 512
"""Jobs that are given out before others are made: enough that few wait at the end of them."""

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class ClusterError(BoardsightError):
    """A job could not be done: those who took it died, or none is left."""


class Workers(Protocol):
    """Processes or machines that do the work."""

    def map(self, work: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """The number of each job and its answer, as they are done; raises what the work raises, and ClusterError."""
        ...

    def close(self) -> None:
        """End what was started for them."""
        ...


class ThisProcess:
    """This process does it all."""

    def map(self, work: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """In order."""
        for number, job in enumerate(jobs):
            yield number, work(job)

    def close(self) -> None:
        """Nothing was started."""


class Processes:
    """So many processes of this machine; each begins with a fresh interpreter."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool = self._start()

    def map(self, work: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """As they are done; when a process dies, what all of them had in flight is begun again."""
        left = dict.fromkeys(range(len(jobs)), TRIES)
        while left:
            futures = {self._pool.submit(work, jobs[number]): number for number in left}
            try:
                for future in _as_done(futures):
                    answer = future.result()
                    del left[futures[future]]
                    yield futures[future], answer
            except BrokenProcessPool:
                self.close()
                self._pool = self._start()
                _count_down(left, list(left))

    def close(self) -> None:
        """End them, whatever they have begun."""
        started = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.terminate()
        for process in started:
            process.join()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), initializer=_begin_work)


def in_order(workers: Workers, work: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]:
    """The answers to `jobs` in their order, each as soon as those before it are there; jobs are made as they are due.

    >>> list(in_order(ThisProcess(), abs, [-2, 1]))
    [2, 1]
    """
    left = iter(jobs)
    while some := list(islice(left, AT_ONCE)):
        yield from _sorted(workers.map(work, some))


def _sorted(answers: Iterator[tuple[int, Answer]]) -> Iterator[Answer]:
    early: dict[int, Answer] = {}
    due = 0
    for number, answer in answers:
        early[number] = answer
        while due in early:
            yield early.pop(due)
            due += 1


def _as_done(futures: dict[Future[Any], int]) -> Iterator[Future[Any]]:
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        yield from done


def _count_down(left: dict[int, int], lost: Sequence[int]) -> None:
    """Notes that jobs were lost; raises ClusterError for one that was lost too often."""
    for number in lost:
        left[number] -= 1
        if not left[number]:
            raise ClusterError(
                f"job {number} was lost {TRIES} times with whoever did it: look at their memory and logs"
            )


def _begin_work() -> None:
    """Ctrl-C is for the process that gives out the work; the others end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=[multiprocessing.parent_process()], daemon=True).start()
    _use_one_thread()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _use_one_thread() -> None:
    """One thread for a process's arithmetic: there are as many processes as cores."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = "1"
    if torch := sys.modules.get("torch"):  # where it is imported later it reads them
        torch.set_num_threads(1)


class RayCluster:
    """An actor for each core of a Ray cluster, nodes that come later included.

    address: of the cluster; "auto" for the one this machine belongs to, or a new one of this machine alone.
    """

    def __init__(self, address: str) -> None:
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        try:
            import ray
        except ImportError as error:
            raise SettingsError(not_installed("cluster", "ray")) from error
        self._ray: Any = ray
        self._mine = not ray.is_initialized()
        if self._mine:
            self._join(address)
        self._actor = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(_Worker)
        self._actors: list[Any] = []
        self._coming: dict[Any, Any] = {}

    def _join(self, address: str) -> None:
        """Joins the cluster; raises SettingsError where there is none at `address`."""
        options = {"log_to_driver": False, "include_dashboard": False, "logging_level": "warning"}
        try:
            self._ray.init(address=address, log_to_driver=False, logging_level="warning")
        except ConnectionError as error:
            if address != "auto":
                raise SettingsError(f"there is no Ray cluster at {address}: {error}") from error
            self._ray.init(**options)

    def map(self, work: Callable[[Any], Any], jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """As they are done; the job of an actor that died is begun again by another. Raises what the work raised."""
        ray = self._ray
        place = f"{work.__module__}:{work.__qualname__}"
        left = dict.fromkeys(range(len(jobs)), TRIES)
        waiting = list(left)[::-1]
        flying: dict[Any, tuple[int, Any]] = {}
        while left:
            self._start(len(left))
            busy = {id(actor) for _, actor in flying.values()}
            for actor in [each for each in self._actors if id(each) not in busy]:
                if waiting:
                    number = waiting.pop()
                    flying[actor.do.remote(place, jobs[number])] = number, actor
            if not flying and not self._coming:
                time.sleep(LOOK_SECONDS)  # no core is left: one may join
                continue
            done, _ = ray.wait([*flying, *self._coming], timeout=LOOK_SECONDS)
            for reference in [each for each in done if each in flying]:
                number, actor = flying.pop(reference)
                try:
                    answer = ray.get(reference)
                except (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError):
                    self._actors = [each for each in self._actors if each is not actor]
                    waiting.append(number)
                    _count_down(left, [number])
                    continue
                except ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from None
                del left[number]
                yield number, answer

    def close(self) -> None:
        """Kill the actors, and leave the cluster if it was joined here."""
        for actor in [*self._actors, *self._coming.values()]:
            self._ray.kill(actor)
        self._actors, self._coming = [], {}
        if self._mine:
            self._ray.shutdown()

    def _start(self, wanted: int) -> None:
        """An actor for each core there is, as far as there is work for it; only those that have come get any.

        The cores of a node that died still count for a while: an actor started for them never answers, and is killed
        once they are counted no more.
        """
        ray, cores = self._ray, int(self._ray.cluster_resources().get("CPU", 0))
        if self._coming:
            for reference in ray.wait(list(self._coming), num_returns=len(self._coming), timeout=0)[0]:
                actor = self._coming.pop(reference)
                with suppress(ray.exceptions.RayActorError):
                    ray.get(reference)
                    self._actors.append(actor)
        while self._coming and len(self._actors) + len(self._coming) > cores:
            ray.kill(self._coming.popitem()[1])
        while len(self._actors) + len(self._coming) < min(cores, wanted):
            hired: Any = self._actor.remote()
            self._coming[hired.come.remote()] = hired


class _Worker:
    """What an actor runs: it finds the work by its name, so that nothing but jobs travels."""

    def __init__(self) -> None:
        _use_one_thread()

    def come(self) -> None:
        """Answered as soon as there is a core for it."""

    def do(self, place: str, job: Any) -> Any:
        module, _, name = place.partition(":")
        return getattr(importlib.import_module(module), name)(job)


def workers_for(spec: str) -> Workers:
    """Workers by a word: nothing or 1 this process, a number so many processes, "auto" or an address a Ray cluster."""
    if spec.isdecimal() and int(spec) > 1:
        return Processes(int(spec))
    return ThisProcess() if spec in ("", "1") else RayCluster(spec)
