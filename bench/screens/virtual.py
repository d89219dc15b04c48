"""An X display in memory with a window manager, where there is no desktop to play on."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager

from bot.ports import ScreenError
from bot.screens.virtual import SIZE, VirtualDisplay

NAMES = ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")
"""The environment variables that say where a program shows itself."""


@contextmanager
def open_virtual_display(size: tuple[int, int] = SIZE) -> Iterator[str]:
    """Starts Xvfb and openbox, gives the display's name and makes it this process's DISPLAY meanwhile.

    Raises ScreenError where one of them is missing or does not start.
    """
    if shutil.which("openbox") is None:
        raise ScreenError("openbox not found: install it (on Debian: apt-get install openbox)")
    with closing(VirtualDisplay(size)) as display:
        before = {name: os.environ.pop(name, None) for name in NAMES}
        os.environ.update(display.environment)
        manager = subprocess.Popen(["openbox", "--sm-disable"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            yield display.environment["DISPLAY"]
        finally:
            manager.terminate()
            manager.wait()
            for name in display.environment:
                del os.environ[name]
            os.environ.update({name: value for name, value in before.items() if value is not None})
