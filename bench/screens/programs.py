"""Programs of others on the display of this process."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.compose import open_devices
from bot.ports import Pointer, Screen
from bot.settings import Settings


def home_of(folder: Path) -> dict[str, str]:
    """The environment of a program that keeps its settings in `folder`."""
    return {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": f"{folder}/.config"}


@contextmanager
def running(*command: str, environment: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a program, and ends it with the block."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def desktop_program(*command: str, environment: dict[str, str] | None = None) -> Iterator[tuple[Screen, Pointer]]:
    """Runs a program on the desktop, and gives the screen it is on and the pointer."""
    with running(*command, environment=environment), open_devices(Settings(screen="desktop")) as devices:
        yield devices
