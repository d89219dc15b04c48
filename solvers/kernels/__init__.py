"""Packed rules and compiled searches; importing this package has the compiling announced."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from numba.core import event


class Compiling(event.Listener):
    """Counts the kernels that are compiled inside a ``with`` block, in place of their announcement.

    kernels: how many were, those that others call included.  show: is told of each one that begins.
    """

    def __init__(self, show: Callable[[int], None] | None = None) -> None:
        self.kernels = 0
        self._show = show

    def __enter__(self) -> Self:
        event.unregister("numba:compile", _announcement)  # type: ignore[no-untyped-call]
        event.register("numba:compile", self)  # type: ignore[no-untyped-call]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        event.unregister("numba:compile", self)  # type: ignore[no-untyped-call]
        event.register("numba:compile", _announcement)  # type: ignore[no-untyped-call]

    def on_start(self, event: Any) -> None:
        """One more kernel begins to be compiled."""
        self.kernels += 1
        if self._show is not None:
            self._show(self.kernels)

    def on_end(self, event: Any) -> None:
        """It is done."""


class _Announcement(event.Listener):
    """Says on standard error that solvers are being compiled, once for each game; a cached start says nothing."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._depth = 0

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth > 1:  # what the announced one calls
            return
        classes = [kind.instance_class for kind in event.data["args"] if hasattr(kind, "instance_class")]
        modules = [event.data["dispatcher"].py_func.__module__, *(made.__module__ for made in classes)]
        names = [name.split(".")[2] for name in modules if name.startswith(__name__ + ".")]
        games = [name for name in names if hasattr(sys.modules[f"{__name__}.{name}"], "COMPILE_SECONDS")]
        game = next(iter(games), "")
        if game not in self._said and (game or not self._said):
            self._said |= {game, ""}
            about = _about(game) if game else ""
            erase = "\r\x1b[2K" * sys.stderr.isatty()  # a line that shows progress is written again
            print(f"{erase}compiling the solvers, once{about}", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        self._depth -= 1


def _about(game: str) -> str:
    from solvers.kernels.ready import expected_seconds

    return f" (about {expected_seconds(game, ''):.0f} s): {game}"


_announcement = _Announcement()
event.register("numba:compile", _announcement)  # type: ignore[no-untyped-call]
