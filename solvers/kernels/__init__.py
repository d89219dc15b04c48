"""Packed rules and compiled searches; importing this package has the compiling announced."""

from __future__ import annotations

import sys
from typing import Any

from numba.core import event


class _Announcement(event.Listener):
    """Says on standard error that a game's kernels are being compiled, once each; a cached start says nothing."""

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
        for game in (games or names)[:1]:
            if game not in self._said:
                self._said.add(game)
                seconds = getattr(sys.modules[f"{__name__}.{game}"], "COMPILE_SECONDS", 20)
                print(f"compiling the solvers, once (about {seconds} s): {game}", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        self._depth -= 1


event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]
