"""Each fault of an environment is found and has its remedy; faults this machine cannot have are put into the probes."""

import json
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bot.commands.doctor import SCREENS, MachineProbes, examine, playable, run
from bot.pointers.guard import StoppedError
from bot.ports import FakeClock, PointerError, ScreenError
from bot.screens.chromium import start_once
from bot.screens.drawn.screen import DrawnScreen
from calibration.frame import Frame, Rect, Spot
from games.core import SettingsError
from games.flood_it import GAME

VERSIONS = {"opencv-python-headless": "4.12.0", **dict.fromkeys(SCREENS, "1.0")}


@pytest.fixture
def probes(tmp_path):
    """probes(**faults): a machine on which everything works but for them."""

    def make(**faults):
        clock = FakeClock()
        screen = DrawnScreen(GAME, GAME.deal(np.random.default_rng(1)), clock=clock, scale=faults.pop("scale", 1.0))
        sound = {
            "environment": {"DISPLAY": ":0"},
            "platform": "linux",
            "python": (3, 11, 2),
            "versions": lambda: VERSIONS,
            "load": lambda module: SimpleNamespace(__version__="1.0"),
            "screen": lambda: screen,
            "pointer": lambda: screen.pointer,
            "permitted": lambda what: True,
            "chromium": lambda: Path("/usr/bin/chromium"),
            "sandboxed": lambda: True,
            "start": lambda program: None,
            "virtual": lambda: True,
            "cache": lambda: tmp_path / "kernels",
            "runs": lambda: tmp_path / "runs",
            "free": lambda folder: 10**10,
            "clock": clock,
        }
        return MachineProbes(**{**sound, **faults})

    return make


def failing(error):
    def fail(*_):
        raise error

    return fail


def wrong(findings):
    return {finding.name: finding for finding in findings if not finding.ok}


def test_a_sound_machine_has_nothing_wrong_and_plays_on_every_screen(probes):
    findings = examine(probes())
    assert wrong(findings) == {}
    assert playable(findings) == ["desktop", "browser", "drawn"]


def test_nothing_is_clicked_and_the_pointer_stays_where_it_is(probes):
    machine = probes()
    before = machine.pointer().position()
    examine(machine)
    assert machine.screen().clicks == []
    assert machine.pointer().position() == before


def pictures(findings):
    return next(finding.what for finding in findings if finding.name == "pictures")


def test_it_says_how_a_page_is_seen(probes):
    assert "on the display :0" in pictures(examine(probes()))
    assert "of our own (Xvfb)" in pictures(examine(probes(environment={})))
    assert "apt install xvfb" in pictures(examine(probes(environment={}, virtual=lambda: False)))
    for other in ({"platform": "darwin"}, {"environment": {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}}):
        assert pictures(examine(probes(**other))) == "over the browser's debugging protocol"


CLOCK = FakeClock()


class Blank:
    """A screen of one colour."""

    def __init__(self, colour):
        self.pixels = np.full((60, 80, 3), colour, np.uint8)

    def grab(self, region=None):
        return Frame(self.pixels, Rect(600, 570, 80, 60))

    def close(self):
        pass


class Slow(Blank):
    """A screen at the far end of a network."""

    def __init__(self, clock):
        self.clock = clock
        self.pixels = np.random.default_rng(0).integers(0, 256, (60, 80, 3), dtype=np.uint8)

    def grab(self, region=None):
        self.clock.sleep(0.12)
        return super().grab(region)


class Far:
    """A pointer at the far end of a network, or one that is stuck."""

    def __init__(self, clock, error=None):
        self.clock, self.error = clock, error

    def position(self):
        return Rect(600, 570, 80, 60).centre

    def move(self, spot):
        if self.error:
            raise self.error
        self.clock.sleep(0.08)


class At(Far):
    """A pointer that says it is there."""

    def __init__(self, x, y):
        super().__init__(CLOCK)
        self.spot = Spot(x, y)

    def position(self):
        return self.spot


class Stretched(Blank):
    """A screen whose pictures have twice as many pixels down as across, to a unit of the pointer."""

    def __init__(self):
        self.pixels = np.random.default_rng(0).integers(0, 256, (1600, 1280, 3), dtype=np.uint8)

    def grab(self, region=None):
        return Frame(self.pixels, Rect(0, 0, 1280, 800))


CUDA = {"torch": "2.9.1", "nvidia-cudnn-cu12": "9.1", "nvidia-nccl-cu12": "2.2"}


def load_failing(name, error):
    def load(module):
        if module == name:
            raise error
        return SimpleNamespace(__version__="1.0")

    return load


ACCESS = PermissionError(13, "Permission denied", "/var/cache")
FAULTS = [
    ("python", {"python": (3, 10, 12)}, "3.10.12", "Python 3.11 or newer"),
    ("numpy", {"load": load_failing("numpy", ImportError("no numpy"))}, "no numpy", "pip install"),
    (
        "numba",
        {"load": load_failing("numba", ImportError("Numba needs NumPy 2.3 or less. Got NumPy 2.4."))},
        "Got NumPy 2.4",
        "-c constraints.txt numba",
    ),
    (
        "opencv",
        {"load": load_failing("cv2", ImportError("libGL.so.1: cannot open shared object file"))},
        "libGL",
        "install opencv-python-headless",
    ),
    (
        "opencv",
        {"load": load_failing("cv2", AttributeError("partially initialized module 'cv2' has no attribute 'dnn'"))},
        "partially initialized",
        "force-reinstall",
    ),
    (
        "opencv wheels",
        {"versions": lambda: {**VERSIONS, "opencv-python": "4.11.0"}},
        "opencv-python 4.11.0, opencv-python-headless 4.12.0",
        "pip uninstall -y opencv-python opencv-python-headless",
    ),
    ("mss", {"versions": lambda: {"pyautogui": "1", "playwright": "1"}}, "no desktop screen", "boardsight[play]"),
    ("playwright", {"versions": lambda: {"pyautogui": "1", "mss": "1"}}, "no browser screen", "boardsight[play]"),
    ("kernel cache", {"cache": failing(ACCESS)}, "Permission denied", "NUMBA_CACHE_DIR"),
    ("display", {"environment": {}}, "DISPLAY is not set", "virtual display"),
    ("wayland", {"environment": {"WAYLAND_DISPLAY": "wayland-0"}}, "Wayland session", "--screen browser"),
    ("wayland", {"environment": {"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}}, "Wayland", "X11 session"),
    (
        "permission to see",
        {"platform": "darwin", "environment": {}, "permitted": lambda what: what != "screen"},
        "only the wallpaper is captured",
        "Screen & System Audio Recording",
    ),
    (
        "permission to click",
        {"platform": "darwin", "environment": {}, "permitted": lambda what: what != "pointer"},
        "every click is swallowed",
        "Accessibility",
    ),
    ("capture", {"screen": lambda: Blank((0, 0, 0))}, "80x60 pixels have the colour (0, 0, 0)", "locked or asleep"),
    ("capture", {"screen": lambda: Blank((31, 80, 140))}, "the colour (31, 80, 140)", "only its wallpaper"),
    ("capture", {"screen": failing(ScreenError("the display is gone: start it"))}, "the display is gone", "start it"),
    ("capture", {"screen": lambda: Slow(CLOCK), "clock": CLOCK}, "in 120.00 ms", "ssh -X"),
    ("pointer", {"pointer": lambda: Far(CLOCK), "clock": CLOCK}, "in 80.00 ms", "ssh -X"),
    ("pointer", {"pointer": failing(PointerError("no tkinter"))}, "no tkinter", "python3-tk"),
    (
        "pointer",
        {"pointer": lambda: Far(CLOCK, StoppedError("corner", "the pointer is in a corner"))},
        "in a corner",
        "middle of the screen",
    ),
    ("pointer", {"pointer": lambda: At(2000, 300)}, "at (2000, 300), outside of the picture", "the same scale"),
    ("pointer", {"pointer": lambda: At(-5, 300)}, "which shows (0, 0) to (1280, 800)", "the same scale"),
    ("scale", {"screen": Stretched}, "1 x 2 pixels to a pointer unit", "the same scale"),
    ("torch", {"versions": lambda: {**VERSIONS, **CUDA}}, "2 packages of CUDA", "whl/cpu"),
    ("settings", {"runs": failing(SettingsError("the file lacks x: write x"))}, "lacks x", "write x"),
    ("runs", {"free": lambda folder: 10**8}, "100 MB free", "delete old ones"),
    ("runs", {"runs": lambda: Path("/proc/none/runs")}, "/proc cannot be written", "--runs FOLDER"),
    ("sandbox", {"start": failing(ScreenError("No usable sandbox!: let it have one"))}, "No usable", "let it have one"),
    ("chromium", {"chromium": failing(ScreenError("no Chromium: install one"))}, "no Chromium", "install one"),
]


@pytest.mark.parametrize(
    ("name", "fault", "what", "remedy"), FAULTS, ids=[f"{name}: {what}" for name, _, what, _ in FAULTS]
)
def test_each_fault_is_found_alone_and_has_its_remedy(probes, name, fault, what, remedy):
    found = wrong(examine(probes(**fault)))
    assert set(found) <= {name, *SCREENS}
    assert what in found[name].what
    assert remedy in found[name].remedy


@pytest.mark.parametrize(
    ("fault", "screens"),
    [
        ({"environment": {}}, ["browser", "drawn"]),
        ({"chromium": failing(ScreenError("none: get one"))}, ["desktop", "drawn"]),
        ({"start": failing(ScreenError("no sandbox: allow it"))}, ["desktop", "drawn"]),
        ({"versions": lambda: {}}, ["drawn"]),
        ({"load": load_failing("cv2", ImportError("broken"))}, []),
    ],
)
def test_what_is_wrong_tells_on_which_screens_one_can_play(probes, fault, screens):
    assert playable(examine(probes(**fault))) == screens


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_the_scale_of_the_screen_is_told(probes, scale):
    findings = {finding.name: finding for finding in examine(probes(scale=scale))}
    assert findings["scale"].what == f"{scale:g} x {scale:g} pixels to a pointer unit"


def test_the_command_says_all_of_it_as_json_and_fails_where_something_is_wrong(capsys):
    status = run(Namespace(json=True))
    answer = json.loads(capsys.readouterr().out)
    assert {"python", "numpy", "numba", "opencv wheels", "kernel cache", "chromium"} <= {
        finding["name"] for finding in answer["findings"]
    }
    assert status == (0 if all(finding["ok"] for finding in answer["findings"]) else 1)
    assert "drawn" in answer["screens"]


def test_the_command_prints_a_line_for_each_finding_and_the_screens(capsys):
    run(Namespace(json=False))
    out = capsys.readouterr().out
    assert "python" in out
    assert "You can play on: " in out


@pytest.mark.parametrize(("sandboxed", "said"), [(True, "works"), (False, "none: Chromium has none for root")])
def test_it_says_how_chromium_is_started(probes, sandboxed, said):
    (found,) = (each for each in examine(probes(sandboxed=lambda: sandboxed)) if each.name == "sandbox")
    assert found.ok
    assert found.what.startswith(said)
    assert "popups blocked, a fresh profile" in found.what


def test_a_chromium_without_a_usable_sandbox_is_told_from_one_that_starts(tmp_path):
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho '[12:1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox!' >&2; exit 1\n")
    program.chmod(0o755)
    with pytest.raises(ScreenError, match=r"\(No usable sandbox!\): let it have its sandbox"):
        start_once(program)
    program.write_text("#!/bin/sh\nexit 0\n")
    start_once(program)
