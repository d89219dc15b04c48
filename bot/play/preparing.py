"""Strong solvers are compiled in processes of their own, while light ones play."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.protocol.values import values_of
from games.core import Game
from solvers import find_solver
from solvers.core import Solver

AT_ONCE = 1.0
"""CPU seconds of compiling that nobody needs to bridge."""

ROOT = Path(__file__).parents[2]
"""Where the packages of this project stand."""


class Preparation:
    """The processes that compile for one run, inside a ``with`` block; what they have not ended then is ended."""

    def __init__(self) -> None:
        self._processes: dict[Path, subprocess.Popen[bytes]] = {}
        self._ready: set[Path] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes.values():
            process.terminate()
            process.wait()

    def is_under_way(
        self, game: Game[Any, Any], spec: str, solver: Solver, state: Any, *, say: Callable[[str], None]
    ) -> bool:
        """Whether what `solver`, named by `spec`, needs for `state` is still being compiled, which is begun if need be.

        say: is told when that begins, and when it has ended.
        """
        from solvers.kernels.ready import expected_seconds, kernels_of, mark_of  # takes numba

        mark = mark_of(game.name, spec, solver, state)
        if mark in self._ready:
            return False
        if mark not in self._processes:
            seconds = expected_seconds(game.name, spec) if kernels_of(solver) else 0.0
            if seconds > AT_ONCE and not mark.exists():
                self._processes[mark] = _compiling(game, spec, state)
                say(f"playing lightly while the strong solver is being prepared: {seconds:.0f} s")
                return True
        elif self._processes[mark].poll() is None:
            return True
        else:
            say("the strong solver is ready and plays from here on")
        self._ready.add(mark)
        return False

    def late(self) -> str:
        """What is said at the end of a game in which the strong solver never played, "" where it did."""
        waiting = [process for process in self._processes.values() if process.poll() is None]
        return "the strong solver was late: `boardsight warm` prepares it beforehand" if waiting else ""


def _compiling(game: Game[Any, Any], spec: str, state: Any) -> subprocess.Popen[bytes]:
    """A process that compiles; it imports from here and nowhere else, whatever the current folder holds."""
    options = values_of(game.options(state))
    size = f"{options.pop('rows')}x{options.pop('cols')}"
    words = ["warm", game.name, "--solver", spec, "--size", size]
    words += [f"--{name}={value}" for name, value in options.items()]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "bot.cli", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us, who end it
    )


def repeatable_solver(spec: str, game: str) -> tuple[str, Solver]:
    """The solver `spec` names, and a spec that gives the same player again: with its seed, where chance plays."""
    solver = find_solver(spec, game)
    if getattr(solver, "seed", 0) >= 0:
        return spec, solver
    spec = f"{spec}{',' if ':' in spec else ':'}seed={secrets.randbelow(1 << 31)}"
    return spec, find_solver(spec, game)
