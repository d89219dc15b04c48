"""How far a command is, in one line of the terminal; where the standard error is none, nothing is said."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self

ERASE = "\r\x1b[2K"
"""What empties the terminal's line."""

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells give it: 128 + SIGINT."""

OFTEN = 0.1
"""Seconds between two texts: more could not be read."""


class ProgressLine:
    """A line that is written again and again, inside a ``with`` block, and is gone at its end.

    live: whether anybody sees it.  interrupted: whether Ctrl-C was pressed, where that is listened for: once it asks a
    command to end with what it has, the second time it ends the command.
    """

    def __init__(self, *, listens: bool = False) -> None:
        self.live, self.interrupted = sys.stderr.isatty(), False
        self._listens, self._shown = listens and self.live, -OFTEN
        self._before: Any = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        if self._listens:
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
        if self._listens:
            signal.signal(signal.SIGINT, self._before)

    def show(self, text: str) -> None:
        """Writes `text` in the place of the one before, unless that has just been written."""
        if self.live and time.monotonic() - self._shown >= OFTEN:
            self._shown = time.monotonic()
            print(f"{ERASE}{text}", end="", file=sys.stderr, flush=True)

    @contextmanager
    def ticking(self, text: Callable[[], str]) -> Iterator[None]:
        """Shows what `text` says every second while the block runs; `say` prints meanwhile."""
        ended = threading.Event()

        def tick() -> None:
            while not ended.wait(1.0):
                with self._lock:
                    self.show(text())

        ticker = threading.Thread(target=tick, name="progress", daemon=True)
        if self.live:
            ticker.start()
        try:
            yield
        finally:
            ended.set()
            if self.live:
                ticker.join()

    def say(self, text: str) -> None:
        """Prints `text` to the standard output, where the line was."""
        with self._lock:
            self.clear()
            print(text, flush=True)

    def clear(self) -> None:
        """Empties the line, for what is to be printed there."""
        if self._shown > 0:
            self._shown = -OFTEN
            print(ERASE, end="", file=sys.stderr, flush=True)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True
