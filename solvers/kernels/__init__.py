"""Packed rules and compiled searches.

Importing this package points numba's cache at a folder of the user's own whose name is a hash of these sources:
numba itself would not notice that a function which a cached one calls has changed.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import event

HERE = Path(__file__).parent


def cache_folder() -> Path:
    """Where the compiled code of exactly these sources, in this place, under this numba is kept.

    ``NUMBA_CACHE_DIR`` moves it. Times of change count because numba, too, compiles again when one differs.
    """
    digest = sha256(f"{HERE} {numba.__version__} {sys.version}".encode())
    for source in sorted(HERE.rglob("*.py")):
        digest.update(f"{source.name} {source.stat().st_mtime_ns}".encode())
        digest.update(source.read_bytes())
    root = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("boardsight", appauthor=False)
    return Path(root) / f"kernels-{digest.hexdigest()[:16]}"


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
        game = name.rpartition(".")[2]
        print(f"compiling the solvers, once (about {seconds} s): {game}", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]
