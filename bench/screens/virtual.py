"""An X display in memory with a window manager, where there is no desktop to play on."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from bot.ports import ScreenError

SIZE = (1920, 1080)


@contextmanager
def open_virtual_display(size: tuple[int, int] = SIZE) -> Iterator[str]:
    """Starts Xvfb and openbox, gives the display's name and makes it this process's DISPLAY meanwhile.

    Raises ScreenError where one of them is missing or does not start.
    """
    missing = [name for name in ("Xvfb", "openbox") if shutil.which(name) is None]
    if missing:
        raise ScreenError(f"{' and '.join(missing)} not found: install them (on Debian: apt-get install xvfb openbox)")
    read, write = os.pipe()
    screen = ["-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), *screen], pass_fds=[write], stderr=subprocess.DEVNULL, text=True
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    if not number:
        raise ScreenError(f"Xvfb did not start: it ended with status {server.wait()}")
    before = {name: os.environ.pop(name, None) for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")}
    os.environ["DISPLAY"] = f":{number}"
    manager = subprocess.Popen(["openbox", "--sm-disable"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield f":{number}"
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait()
        del os.environ["DISPLAY"]
        os.environ.update({name: value for name, value in before.items() if value is not None})
