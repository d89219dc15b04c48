"""An X display in memory, for a window that nobody needs to see: Xvfb, for the programs of one run alone."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from bot.ports import ScreenError
from bot.screens.desktop import DesktopScreen

SIZE = (1920, 1080)

LOCAL = (256).to_bytes(2, "big")
"""What stands in a file of X's keys before one of this very machine (FamilyLocal of X.h)."""


class VirtualDisplay:
    """Xvfb until it is closed, or its last program and we are gone: it never outlives a run, however that ends.

    It listens on no network, and lets in only programs that have its key.
    environment: what a program needs to show itself there.  screen: all that it shows.
    """

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        """Start it; raises ScreenError where it is missing, or does not start."""
        program = shutil.which("Xvfb")
        if program is None:
            raise ScreenError("Xvfb not found: install it (on Debian: apt-get install xvfb)")
        self._folder = tempfile.TemporaryDirectory(prefix="boardsight-display-", ignore_cleanup_errors=True)
        keys = Path(self._folder.name) / "keys"
        secret = secrets.token_bytes(16)
        keys.write_bytes(_key(secret, ""))
        read, write = os.pipe()
        screen = ["-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-terminate"]
        self._server = subprocess.Popen(
            [program, "-displayfd", str(write), "-auth", str(keys), *screen],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        keys.write_bytes(_key(secret, number))  # programs look for their display's own one
        self.environment = {"DISPLAY": f":{number}", "XAUTHORITY": str(keys)}
        self.screen = DesktopScreen(environment=self.environment)
        try:
            if not number:
                raise ScreenError(f"Xvfb did not start: it ended with status {self._server.wait()}")
            self.screen.grab()  # from now on it ends with our connection to it
        except ScreenError:
            self.close()
            raise

    def close(self) -> None:
        """End it; may be called twice."""
        self.screen.close()
        self._server.terminate()
        self._server.wait()
        self._folder.cleanup()


def _key(secret: bytes, display: str) -> bytes:
    """A file of X's keys with one for `display`: four texts, each behind its length."""
    texts = (socket.gethostname().encode(), display.encode(), b"MIT-MAGIC-COOKIE-1", secret)
    return LOCAL + b"".join(len(text).to_bytes(2, "big") + text for text in texts)
