"""`boardsight doctor`: says what on this machine keeps Boardsight from playing, and what to do about it."""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path
from statistics import median
from typing import Any

from bot.commands.options import add_json
from bot.pointers.mouse import MousePointer
from bot.ports import Clock, Pointer, Screen, SystemClock
from bot.screens.chromium import find_chromium, has_sandbox, start_once
from bot.screens.desktop import WAYLAND, DesktopScreen, is_wayland, why_no_display
from bot.settings import load_settings
from calibration.frame import Frame, Rect
from games.core import BoardsightError

OLDEST_PYTHON = (3, 11)

SLOW = 0.05
"""Seconds: a grab of 400x400 or a move of the pointer takes about 0.001 on a local display, 0.1 over a network."""

TRIES = 7
"""How often a latency is measured; the median counts."""

ROOM = 500_000_000
"""Bytes that should be free where runs are kept: five long games on a large screen."""

LIBRARIES = {"numpy": "numpy", "numba": "numba", "opencv": "cv2", "pillow": "PIL"}
"""What everything needs: the name a reader knows -> the module."""

SCREENS = {"mss": "desktop", "pyautogui": "desktop", "playwright": "browser"}
"""What only some screens need: the distribution -> the screen."""


PERMISSIONS = {
    "permission to see": ("screen", "only the wallpaper is captured", "Screen & System Audio Recording"),
    "permission to click": ("pointer", "every click is swallowed", "Accessibility"),
}
"""What macOS must allow: the finding -> what is asked for, what happens without it, where it is given."""

NEEDS: dict[str, set[str]] = {
    "desktop": {"mss", "pyautogui", "display", "wayland", *PERMISSIONS, "capture", "pointer"},
    "browser": {"playwright", "chromium", "sandbox"},
    "drawn": set(),
}
"""Each screen -> the findings that must be right to play on it, besides those that everything needs."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    what: what was seen.  remedy: what to do where it is not `ok`.
    """

    name: str
    ok: bool
    what: str
    remedy: str = ""


def _checked(name: str, ok: bool, what: str, remedy: str) -> Finding:
    """A Finding with the remedy only where it is not `ok`."""
    return Finding(name, ok, what, "" if ok else remedy)


def _installed() -> dict[str, str]:
    return {found.metadata["Name"].lower(): found.version for found in distributions() if found.metadata["Name"]}


def _cache() -> Path:
    from solvers.kernels.cache import cache_folder

    return cache_folder()


def _permitted(what: str) -> bool:
    """Whether macOS lets this program see other windows ("screen") or move the pointer ("pointer")."""
    framework, function = {
        "screen": ("CoreGraphics", "CGPreflightScreenCaptureAccess"),
        "pointer": ("ApplicationServices", "AXIsProcessTrusted"),
    }[what]
    ask = getattr(ctypes.CDLL(f"/System/Library/Frameworks/{framework}.framework/{framework}"), function)
    ask.restype = ctypes.c_bool
    return bool(ask())


@dataclass(frozen=True, slots=True)
class MachineProbes:
    """How the doctor looks at a machine; each can be replaced to look at another, or at a fault.

    versions: distribution (in lower case) -> version.  load: imports a module.  permitted: asks macOS.
    screen, pointer: connect to the desktop.  chromium: finds the browser.  sandboxed: whether it shuts its pages in.
    start: starts and ends it as a game does; raises ScreenError.  virtual: whether there is Xvfb.
    cache: where compiled kernels are kept.
    runs: the folder for runs that the settings name.  free: bytes that are free where a folder is.
    """

    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    platform: str = sys.platform
    python: tuple[int, ...] = sys.version_info[:3]
    versions: Callable[[], Mapping[str, str]] = _installed
    load: Callable[[str], Any] = import_module
    screen: Callable[[], Screen] = DesktopScreen
    pointer: Callable[[], Pointer] = MousePointer
    permitted: Callable[[str], bool] = _permitted
    chromium: Callable[[], Path] = find_chromium
    sandboxed: Callable[[], bool] = has_sandbox
    start: Callable[[Path], None] = start_once
    virtual: Callable[[], bool] = lambda: shutil.which("Xvfb") is not None
    cache: Callable[[], Path] = _cache
    runs: Callable[[], Path] = lambda: Path(load_settings(None, {}).runs)
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    clock: Clock = field(default_factory=SystemClock)


def examine(probes: MachineProbes = MachineProbes()) -> list[Finding]:
    """Everything there is to say about a machine; nothing is clicked, and the pointer only moves to where it is."""
    versions = probes.versions()
    return [
        _look_at_python(probes),
        *(_look_at_library(probes, name, module) for name, module in LIBRARIES.items()),
        _look_at_wheels(versions),
        *(_look_at_screen(versions, name, screen) for name, screen in SCREENS.items()),
        _look_at_torch(versions),
        _look_at_cache(probes),
        *_look_at_runs(probes),
        *_look_at_desktop(probes),
        *_look_at_chromium(probes),
    ]


def playable(findings: Sequence[Finding]) -> list[str]:
    """The screens one can play on after these findings."""
    wrong = {finding.name for finding in findings if not finding.ok}
    if wrong & {"python", "opencv wheels", *LIBRARIES}:
        return []
    return [screen for screen, names in NEEDS.items() if not names & wrong]


def _look_at_python(probes: MachineProbes) -> Finding:
    version, oldest = (".".join(map(str, number)) for number in (probes.python, OLDEST_PYTHON))
    ok = probes.python >= OLDEST_PYTHON
    return _checked("python", ok, version, f"install Python {oldest} or newer and make a new venv with it")


def _look_at_library(probes: MachineProbes, name: str, module: str) -> Finding:
    try:
        return Finding(name, True, str(probes.load(module).__version__))
    except Exception as error:  # a broken wheel raises what it likes; that is what the user must read
        return Finding(name, False, f"cannot be imported: {error}", _library_remedy(name, str(error)))


def _library_remedy(name: str, error: str) -> str:
    if name == "opencv" and ".so" in error:
        return "pip uninstall -y opencv-python && pip install opencv-python-headless (it needs no system library)"
    return f"pip install --force-reinstall -c constraints.txt {'opencv-python-headless' if name == 'opencv' else name}"


def _look_at_wheels(versions: Mapping[str, str]) -> Finding:
    """Every OpenCV wheel brings a folder of the same name, ``cv2``: two of them overwrite each other."""
    wheels = sorted(f"{name} {version}" for name, version in versions.items() if name.startswith("opencv-"))
    if len(wheels) <= 1:
        return Finding("opencv wheels", True, wheels[0] if wheels else "opencv from elsewhere")
    names = " ".join(wheel.split()[0] for wheel in wheels)
    return Finding(
        "opencv wheels",
        False,
        f"{len(wheels)} of them overwrite each other: {', '.join(wheels)}",
        f"pip uninstall -y {names} && pip install opencv-python-headless",
    )


def _look_at_screen(versions: Mapping[str, str], name: str, screen: str) -> Finding:
    what = versions.get(name, f"not installed: no {screen} screen")
    return _checked(name, name in versions, what, "pip install 'boardsight[play]'")


def _look_at_torch(versions: Mapping[str, str]) -> Finding:
    """Plain ``torch`` on Linux brings every library of CUDA, gigabytes that our small networks never use."""
    heavy = [name for name in versions if name.startswith("nvidia-")]
    if "torch" not in versions or not heavy:
        return Finding("torch", True, versions.get("torch", "not installed: only training and learned players need it"))
    return Finding(
        "torch",
        False,
        f"{versions['torch']} came with {len(heavy)} packages of CUDA, several gigabytes that nothing here uses",
        f"pip uninstall -y torch triton {' '.join(sorted(heavy))} && "
        "pip install torch --index-url https://download.pytorch.org/whl/cpu",
    )


def _look_at_runs(probes: MachineProbes) -> Iterator[Finding]:
    """Whether the settings can be read, and a run can be kept where they say."""
    try:
        folder = probes.runs()
    except BoardsightError as error:
        yield Finding("settings", False, *_sentences(str(error)))
        return
    yield Finding("settings", True, "can be read, or are the usual ones")
    there = next((each for each in (folder, *folder.absolute().parents) if each.is_dir()), Path("/"))
    try:
        with tempfile.TemporaryFile(dir=there):
            free = probes.free(there)
    except OSError as error:
        what = f"{there} cannot be written: {error.strerror}"
        yield Finding("runs", False, what, "name a folder of your own: --runs FOLDER, or runs in your own settings")
        return
    enough = free >= ROOM
    what = f"{folder}, {free / 1e6:.0f} MB free"
    yield _checked("runs", enough, what, "a run takes up to 100 MB: delete old ones, or name --runs")


def _look_at_cache(probes: MachineProbes) -> Finding:
    name = "kernel cache"
    try:
        folder = probes.cache()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ImportError) as error:
        return Finding(
            name,
            False,
            f"cannot be written, so every start compiles the solvers again: {error}",
            "set NUMBA_CACHE_DIR to a folder of your own",
        )
    return Finding(name, True, str(folder))


def _look_at_desktop(probes: MachineProbes) -> Iterator[Finding]:
    obstacle = why_no_display(probes.environment, probes.platform)
    if is_wayland(probes.environment):
        yield Finding("wayland", False, *_sentences(WAYLAND))
    elif obstacle is not None:
        yield Finding("display", False, *_sentences(obstacle))
    if obstacle is not None:
        return
    yield Finding("display", True, probes.environment.get("DISPLAY", probes.platform))
    if probes.platform == "darwin":
        yield from _look_at_permissions(probes)
    seen = yield from _look_at_capture(probes)
    yield _look_at_pointer(probes, seen)


def _look_at_permissions(probes: MachineProbes) -> Iterator[Finding]:
    """Without them macOS shows only the wallpaper and swallows every click, and says nothing."""
    place = "System Settings > Privacy & Security"
    for name, (what, missing, pane) in PERMISSIONS.items():
        ok = probes.permitted(what)
        remedy = f"allow your terminal in {place} > {pane}, then quit the terminal and open it again"
        yield _checked(name, ok, "granted" if ok else f"not granted: {missing}", remedy)


def _look_at_capture(probes: MachineProbes) -> Generator[Finding, None, Rect | None]:
    """Whether the screen can be seen; gives what part of the desktop it shows, None where it cannot."""
    try:
        screen = probes.screen()
        frame = screen.grab()
        middle = frame.region.centre
        seconds = _latency(probes.clock, lambda: screen.grab(Rect(middle.x - 200, middle.y - 200, 400, 400)))
        screen.close()
    except BoardsightError as error:
        yield Finding("capture", False, *_sentences(str(error)))
        return None
    yield _judge_capture(frame, seconds)
    across, down = frame.scale
    what, remedy = (
        f"{across:g} x {down:g} pixels to a pointer unit",
        "give all monitors the same scale, or play on the first one",
    )
    yield _checked("scale", abs(across - down) < 0.01, what, remedy)
    return frame.region


def _judge_capture(frame: Frame, seconds: float) -> Finding:
    size = f"{frame.width}x{frame.height}"
    if (frame.pixels == frame.pixels[0, 0]).all():
        return Finding(
            "capture",
            False,
            f"all {size} pixels have the colour {tuple(map(int, frame.pixels[0, 0]))}",
            "the screen is empty, locked or asleep, or only its wallpaper may be seen: open a window and look again",
        )
    return _timed("capture", f"{size}; 400x400", seconds)


def _look_at_pointer(probes: MachineProbes, seen: Rect | None) -> Finding:
    """Whether the pointer answers, in the units of the pictures: programs that scale hide HiDPI from some of them."""
    try:
        pointer = probes.pointer()
        spot = pointer.position()
        if spot is None:
            return Finding("pointer", False, "nobody knows where it is", "use a pointer that says where it is")
        if seen is not None and not seen.contains(spot):
            what = f"at ({spot.x:.0f}, {spot.y:.0f}), outside of the picture, which shows {_words(seen)}"
            return Finding("pointer", False, what, "give all monitors the same scale, and start the terminal again")
        seconds = _latency(probes.clock, lambda: pointer.move(spot))
    except BoardsightError as error:
        return Finding("pointer", False, str(error), _pointer_remedy(str(error)))
    return _timed("pointer", f"at ({spot.x:.0f}, {spot.y:.0f}); a move", seconds)


def _words(rect: Rect) -> str:
    right, foot = rect.x + rect.width, rect.y + rect.height
    return f"({rect.x:.0f}, {rect.y:.0f}) to ({right:.0f}, {foot:.0f})"


def _pointer_remedy(error: str) -> str:
    if "tkinter" in error:  # a library of pyautogui ends the program without it
        return "sudo apt-get install python3-tk (or your system's package of tkinter)"
    return "move the mouse into the middle of the screen and look again"


def _timed(name: str, what: str, seconds: float) -> Finding:
    remedy = "is the display on another machine (ssh -X, VNC)? run boardsight there"
    return _checked(name, seconds < SLOW, f"{what} in {1000 * seconds:.2f} ms", remedy)


def _look_at_chromium(probes: MachineProbes) -> Iterator[Finding]:
    """Where the browser is, and whether it shuts the pages of strangers in."""
    try:
        program = probes.chromium()
    except BoardsightError as error:
        yield Finding("chromium", False, *_sentences(str(error)))
        return
    yield Finding("chromium", True, str(program))
    yield _look_at_pictures(probes)
    habits = "popups blocked, a fresh profile"
    if not probes.sandboxed():
        what = f"none: Chromium has none for root, so play strangers' pages as another user; {habits}"
        yield Finding("sandbox", True, what)
        return
    try:
        probes.start(program)
    except BoardsightError as error:
        yield Finding("sandbox", False, *_sentences(str(error)))
    else:
        yield Finding("sandbox", True, f"works; {habits}")


def _look_at_pictures(probes: MachineProbes) -> Finding:
    """How a page in a browser of our own is seen."""
    shown = probes.platform.startswith("linux") and "mss" in probes.versions() and not is_wayland(probes.environment)
    if shown and probes.environment.get("DISPLAY"):
        return Finding("pictures", True, f"of the page's window on the display {probes.environment['DISPLAY']}")
    if shown and probes.virtual():
        return Finding("pictures", True, "of the page's window on a virtual display of our own (Xvfb)")
    hint = "" if not shown else "; Xvfb makes them 20 times as quick: apt install xvfb"
    return Finding("pictures", True, f"over the browser's debugging protocol{hint}")


def _latency(clock: Clock, act: Callable[[], object]) -> float:
    """The median seconds of a few times `act`."""
    seconds = []
    for _ in range(TRIES):
        start = clock.now()
        act()
        seconds.append(clock.now() - start)
    return median(seconds)


def _sentences(message: str) -> tuple[str, str]:
    """Our errors read "what happened: what to do"; the two halves."""
    what, _, remedy = message.partition(": ")
    return what, remedy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print what was found and on which screens one can play; 1 where something is wrong."""
    findings = examine()
    screens = playable(findings)
    if args.json:
        print(json.dumps({"findings": [asdict(finding) for finding in findings], "screens": screens}))
    else:
        for finding in findings:
            print(f"{'ok   ' if finding.ok else 'WRONG'}  {finding.name:19}  {finding.what}")
            if not finding.ok:
                print(f"{'':28}{finding.remedy}")
        print(f"\nYou can play on: {', '.join(screens) or 'no screen yet'}.")
    return 0 if all(finding.ok for finding in findings) else 1
