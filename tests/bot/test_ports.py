"""What every screen and every pointer promises, asked of each one there is."""

import inspect
import pkgutil
from contextlib import closing
from importlib import import_module

import numpy as np
import pytest
from PIL import Image

import bot.faults
import bot.pointers
import bot.screens
from bot.faults.plans import FaultPlan
from bot.faults.screen import HostileScreen
from bot.pointers.browser import BrowserPointer
from bot.pointers.dry_run import DryRunPointer
from bot.pointers.guard import GuardedPointer
from bot.pointers.mouse import MousePointer
from bot.ports import FakeClock, SystemClock
from bot.screens.browser import BrowserScreen
from bot.screens.desktop import DesktopScreen
from bot.screens.drawn.screen import DrawnScreen
from bot.screens.folder import FolderScreen
from calibration.frame import Rect, Spot
from games.core import BoardsightError
from games.flood_it import GAME


def drawn(request):
    return DrawnScreen(GAME, GAME.deal(np.random.default_rng(1)), scale=1.25, monitors=(Rect(-640, -80, 800, 700),))


def hostile(request):
    return HostileScreen(GAME, GAME.deal(np.random.default_rng(1)), FaultPlan(), clock=FakeClock())


def folder(request):
    path = request.getfixturevalue("tmp_path") / "one.png"
    Image.fromarray(np.random.default_rng(2).integers(0, 256, (300, 400, 3), dtype=np.uint8)).save(path)
    return FolderScreen(path, origin=Spot(-50, 20), scale=1.5)


def desktop(request):
    request.getfixturevalue("x_display")
    return DesktopScreen()


def browser(request):
    url = request.getfixturevalue("page_server").url("flood_it")
    screen = BrowserScreen.launch(url, scale=1.5, executable=request.getfixturevalue("chromium"))
    request.addfinalizer(screen.close)
    return screen


def guarded(request):
    guard = GuardedPointer(drawn(request).pointer)
    guard.announce(5)
    guard.allow([Rect(0, 0, 400, 400)])
    return guard


def mouse(request):
    request.getfixturevalue("x_display")
    return MousePointer()


SCREENS = {
    "DrawnScreen": pytest.param(drawn),
    "FolderScreen": pytest.param(folder),
    "HostileScreen": pytest.param(hostile),
    "DesktopScreen": pytest.param(desktop, marks=pytest.mark.display),
    "BrowserScreen": pytest.param(browser, marks=pytest.mark.browser),
}
POINTERS = {
    "DrawnPointer": pytest.param(lambda request: drawn(request).pointer),
    "DryRunPointer": pytest.param(lambda request: DryRunPointer()),
    "GuardedPointer": pytest.param(guarded),
    "HostilePointer": pytest.param(lambda request: hostile(request).pointer),
    "MousePointer": pytest.param(mouse, marks=pytest.mark.display),
    "BrowserPointer": pytest.param(lambda request: BrowserPointer(browser(request)), marks=pytest.mark.browser),
}


def classes(ending):
    """Every class of the screens, the pointers and the faults whose name has this ending."""
    modules = [
        import_module(found.name)
        for package in (bot.screens, bot.pointers, bot.faults)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    return {
        name
        for module in modules
        for name, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__ and name.endswith(ending)
    }


def test_every_screen_and_pointer_there_is_is_asked_here():
    assert classes("Screen") == set(SCREENS)
    assert classes("Pointer") == set(POINTERS)


@pytest.mark.parametrize("make", SCREENS.values(), ids=SCREENS)
def test_a_screen_shows_whole_frames_and_their_parts(make, request):
    with closing(make(request)) as screen:
        whole = screen.grab()
        assert whole.pixels.dtype == np.uint8
        assert whole.pixels.shape == (whole.height, whole.width, 3)
        assert whole.pixels.flags.c_contiguous
        assert whole.scale[0] == pytest.approx(whole.scale[1], rel=1e-3)
        x, y, width, height = whole.region
        wanted = Rect(x + width * 0.3 + 0.3, y + height * 0.4 + 0.7, 60.4, 41.1)
        part = screen.grab(wanted)
        assert part.scale == pytest.approx(whole.scale)
        assert part.taken >= whole.taken
        left, top, wide, high = part.region
        assert left <= wanted.x < wanted.x + wanted.width <= left + wide + 1e-6
        assert top <= wanted.y < wanted.y + wanted.height <= top + high + 1e-6
        np.testing.assert_array_equal(part.pixels, whole.crop(part.region).pixels)


@pytest.mark.parametrize("make", SCREENS.values(), ids=SCREENS)
def test_a_screen_refuses_a_region_nothing_of_which_it_shows(make, request):
    with closing(make(request)) as screen:
        x, y, width, height = screen.grab().region
        with pytest.raises(BoardsightError, match=r"Rect\("):
            screen.grab(Rect(x + width + 10, y + height + 10, 20, 20))


@pytest.mark.parametrize("make", SCREENS.values(), ids=SCREENS)
def test_a_screen_may_be_closed_twice(make, request):
    screen = make(request)
    screen.close()
    screen.close()


@pytest.mark.parametrize("make", POINTERS.values(), ids=POINTERS)
def test_a_pointer_taps_drags_presses_and_says_where_it_is_or_that_nobody_can_know(make, request):
    pointer = make(request)
    pointer.move(Spot(120, 90))
    assert pointer.position() in (None, Spot(120, 90))
    pointer.tap(Spot(130, 95))
    assert pointer.position() in (None, Spot(130, 95))
    pointer.drag(Spot(130, 95), Spot(180, 140))
    assert pointer.position() in (None, Spot(180, 140))
    pointer.press("enter")
    pointer.press("r")
    pointer.hold(Spot(130, 95))
    pointer.move(Spot(170, 130))
    pointer.release()
    assert pointer.position() in (None, Spot(170, 130))


@pytest.mark.parametrize("clock", [SystemClock(), FakeClock()], ids=["SystemClock", "FakeClock"])
def test_a_clock_goes_on_while_one_sleeps(clock):
    before = clock.now()
    clock.sleep(0.002)
    clock.sleep(0)
    assert clock.now() - before >= 0.002 - 1e-9
