"""Packed rules and compiled searches; importing this package has the compiling announced."""

from __future__ import annotations

import sys
from typing import Any

from numba.core import event


class _Announcement(event.Listener):
    """Says on standard error that a kernel module is being compiled, once each; a cached start says nothing."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def on_start(self, event: Any) -> None:
        name = event.data["dispatcher"].py_func.__module__
        if not name.startswith(__name__ + ".") or name in self._said:
            return
        self._said.add(name)
        seconds = getattr(sys.modules[name], "COMPILE_SECONDS", 20)
        game = name.removeprefix(__name__ + ".").removesuffix(".rules").replace(".", "_")
        print(f"compiling the solvers, once (about {seconds} s): {game}", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]
