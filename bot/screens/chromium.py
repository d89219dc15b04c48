"""A Chromium on this machine: where it is, and a plain window of it for desktop play."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from bot.ports import ScreenError

ENVIRONMENT = "BOARDSIGHT_CHROMIUM"
"""The environment variable that names the browser to use."""

NO_SANDBOX = (
    "let it have its sandbox: install your system's Chromium package, which may make one, or allow user namespaces "
    "(sysctl kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0)"
)
"""What to do where Chromium cannot make its sandbox; it is never started without one behind a user's back."""

STARTS = 30
"""Seconds in which Chromium must have started and ended again; here it took 3 on a busy machine."""

VIEWPORT = (1280, 900)
"""Width and height, in CSS pixels, of a page that is opened where no one says otherwise."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "brave-browser")
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)


def find_chromium(executable: str | Path | None = None) -> Path:
    """The Chromium to start: `executable`, $BOARDSIGHT_CHROMIUM, or the first one installed; raises ScreenError."""
    wanted = executable or os.environ.get(ENVIRONMENT)
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise ScreenError(f"{wanted} is no program: give the path of a Chromium or Chrome")
        return Path(found)
    for candidate in (*_NAMES, *_PLACES):
        found = shutil.which(candidate)
        if found is not None:
            return Path(found)
    raise ScreenError(
        "no Chromium or Chrome was found: install one ('apt install chromium', 'playwright install chromium') "
        f"or name it in ${ENVIRONMENT}"
    )


def has_sandbox() -> bool:
    """Whether Chromium shuts its pages into a sandbox here: for every user but root, for whom it has none on Linux."""
    return sys.platform != "linux" or os.geteuid() != 0


def chromium_flags() -> list[str]:
    """What every Chromium of ours is started with: quiet, and without the sandbox for root alone."""
    flags = ["--no-first-run", "--no-default-browser-check", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync", "--disable-quic", "--disable-gpu"]
    if not has_sandbox():
        flags.append("--no-sandbox")
    return flags


def start_once(program: Path) -> None:
    """Start Chromium as a game does, with a fresh profile, and end it; raises ScreenError with what it said."""
    with tempfile.TemporaryDirectory(prefix="boardsight-chromium-", ignore_cleanup_errors=True) as profile:
        command = [str(program), *chromium_flags(), "--headless", f"--user-data-dir={profile}", "--dump-dom"]
        try:
            subprocess.run([*command, "about:blank"], capture_output=True, text=True, timeout=STARTS, check=True)
        except subprocess.CalledProcessError as problem:
            lines = problem.stderr.strip().splitlines()
            last = lines[-1] if lines else "it said nothing"
            about = next((line for line in lines if "sandbox" in line.lower()), last)
            about = about.rpartition("] ")[2]  # behind the process, the time and the place in its sources
            remedy = NO_SANDBOX if "sandbox" in about.lower() else "start it in a terminal to see why"
            raise ScreenError(f"{program} does not start ({about}): {remedy}") from None
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise ScreenError(f"{program} does not start ({problem}): start it in a terminal to see why") from None


class ChromiumWindow:
    """A Chromium window without tabs or address bar, with a profile of its own, until it is closed."""

    def __init__(self, command: Sequence[str], profile: tempfile.TemporaryDirectory[str]) -> None:
        self._profile = profile
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    @property
    def pid(self) -> int:
        """The process that owns the window."""
        return self._process.pid

    def close(self) -> None:
        """End this browser, and no other; may be called twice."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._profile.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_chromium_window(
    url: str,
    *,
    size: tuple[int, int] = (1000, 900),
    position: tuple[int, int] = (0, 0),
    scale: float = 1.0,
    executable: str | Path | None = None,
    extra: Sequence[str] = (),
) -> ChromiumWindow:
    """Show `url` in a window of `size` at `position`, in desktop units, to be read and clicked like any other.

    scale: device pixels to a CSS pixel, as a HiDPI screen would set it.  extra: more flags, such as ``--display=:7``.
    Raises ScreenError where there is no Chromium. The window needs a moment to appear: look for the board, not for it.
    """
    profile = tempfile.TemporaryDirectory(prefix="boardsight-chromium-", ignore_cleanup_errors=True)
    command = [
        str(find_chromium(executable)),
        *chromium_flags(),
        f"--user-data-dir={profile.name}",
        f"--window-size={size[0]},{size[1]}",
        f"--window-position={position[0]},{position[1]}",
        f"--force-device-scale-factor={scale:g}",
        *extra,
        f"--app={url}",
    ]
    return ChromiumWindow(command, profile)
