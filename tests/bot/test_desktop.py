"""The real desktop and the real mouse on a virtual display, and what no such display can have simulated."""

import os
import subprocess
import sys
import time
from warnings import catch_warnings

import numpy as np
import pytest

from bot.pointers.guard import GuardedPointer, StoppedError
from bot.pointers.mouse import MousePointer
from bot.ports import PointerError, ScreenError
from bot.screens.desktop import DesktopScreen, rgb
from calibration.frame import Pixel, Rect, Spot

RED, GREEN = (200, 30, 40), (20, 160, 60)


class Window:
    """A real X window that fills its own rectangle red, turns green when clicked and notes what it hears."""

    def __init__(self, display, x, y, width, height):
        from Xlib import X
        from Xlib.display import Display

        with catch_warnings(action="ignore"):  # python3-xlib leaves a file open
            self.x, self.display = X, Display(display)
        screen = self.display.screen()
        colours = [red << 16 | green << 8 | blue for red, green, blue in (RED, GREEN)]
        self.pen = screen.root.create_gc()
        events = X.ButtonPressMask | X.ButtonReleaseMask | X.Button1MotionMask | X.KeyPressMask
        self.window = screen.root.create_window(
            x,
            y,
            width,
            height,
            0,
            screen.root_depth,
            background_pixel=colours[0],
            event_mask=events,
            override_redirect=1,
        )
        self.window.map()
        self.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.colours, self.size = colours, (width, height)
        self.names = {X.ButtonPress: "down", X.ButtonRelease: "up", X.MotionNotify: "move", X.KeyPress: "key"}
        self.display.sync()

    def heard(self, count):
        """The next `count` events as (kind, x, y) of the desktop; a press turns the window green."""
        found = []
        for _ in range(10_000):
            while self.display.pending_events() and len(found) < count:
                event = self.display.next_event()
                if event.type == self.x.ButtonPress:
                    self.pen.change(foreground=self.colours[1])
                    self.window.fill_rectangle(self.pen, 0, 0, *self.size)
                    self.display.sync()
                if event.type in self.names:
                    found.append((self.names[event.type], event.root_x, event.root_y))
                    if found[-1][0] == "move" and found[-1][1:] == found[-2][1:]:
                        found.pop()  # pyautogui moves the pointer before it presses or releases, even to where it is
            if len(found) == count:
                return found
            time.sleep(0.01)
        raise AssertionError(f"heard only {found}")

    def close(self):
        self.window.destroy()
        self.display.sync()
        self.display.close()


@pytest.fixture
def mouse(x_display):
    pointer = MousePointer()
    pointer.move(Spot(960, 540))
    return pointer


@pytest.fixture
def window(mouse, x_display):
    window = Window(x_display, 300, 200, 120, 90)
    yield window
    window.close()


@pytest.mark.display
class TestOnAVirtualDisplay:
    def test_a_click_lands_on_the_pixel_that_was_seen_and_is_seen_again(self, window, mouse):
        screen = DesktopScreen()
        whole = screen.grab()
        assert (whole.width, whole.height, whole.scale) == (1920, 1080, (1.0, 1.0))
        red = np.argwhere((whole.pixels == RED).all(axis=2))
        assert [tuple(red.min(axis=0)), tuple(red.max(axis=0))] == [(200, 300), (289, 419)]
        spot = whole.spot(Pixel(333.7, 244.2))
        mouse.tap(spot)
        assert window.heard(2) == [("down", 333, 244), ("up", 333, 244)]
        assert mouse.position() == Spot(333, 244)
        part = screen.grab(Rect(300, 200, 120, 90))
        assert part.pixels.shape == (90, 120, 3)
        assert (part.pixels == GREEN).all()
        screen.close()
        screen.close()

    def test_a_fractional_region_is_widened_to_whole_pixels_and_cut_at_the_edge(self, x_display):
        frame = DesktopScreen().grab(Rect(1900.5, -3, 100, 10.2))
        assert frame.region == Rect(1900, 0, 20, 8)
        assert frame.pixels.shape == (8, 20, 3)

    def test_a_region_beyond_the_desktop_cannot_be_grabbed(self, x_display):
        with pytest.raises(ScreenError, match="outside of the desktop"):
            DesktopScreen().grab(Rect(4000, 0, 10, 10))

    def test_a_grab_may_be_written_on(self, x_display):
        frame = DesktopScreen().grab(Rect(0, 0, 5, 5))
        frame.pixels[:] = 7
        assert frame.pixels.flags.c_contiguous

    def test_a_drag_presses_moves_and_releases(self, window, mouse):
        mouse.drag(Spot(310, 210), Spot(400, 280))
        heard = window.heard(4)
        assert heard == [("down", 310, 210), ("move", 355, 245), ("move", 400, 280), ("up", 400, 280)]

    def test_a_key_is_pressed(self, window, mouse):
        mouse.press("r")
        assert [kind for kind, _, _ in window.heard(1)] == ["key"]

    def test_an_unknown_key_is_refused_instead_of_ignored(self, mouse):
        with pytest.raises(PointerError, match="no key is called 'return of the key'"):
            mouse.press("return of the key")

    def test_the_mouse_in_the_corner_stops_it_and_nothing_is_clicked(self, window, mouse):
        mouse.move(Spot(0, 0))
        with pytest.raises(StoppedError) as stopped:
            mouse.tap(Spot(333, 244))
        assert stopped.value.cause == "corner"
        assert mouse.position() == Spot(0, 0)
        subprocess.run(["xdotool", "mousemove", "960", "540"], check=True)

    def test_a_hand_on_the_mouse_stops_the_guarded_bot_before_its_next_click(self, window, mouse):
        guard = GuardedPointer(mouse, desktop=DesktopScreen().desktop)
        guard.allow([Rect(300, 200, 120, 90)])
        guard.tap(Spot(333, 244))
        guard.confirmed()
        guard.tap(Spot(400.9, 280.9))
        guard.confirmed()
        subprocess.run(["xdotool", "mousemove_relative", "--", "-30", "0"], check=True)
        with pytest.raises(StoppedError, match=r"from \(401, 281\) to \(370, 280\)") as stopped:
            guard.tap(Spot(333, 244))
        assert stopped.value.cause == "hand"
        mouse.tap(Spot(310, 210))  # so that there is an end to what the window has heard
        assert [heard[1:] for heard in window.heard(6) if heard[0] == "down"] == [(333, 244), (400, 280), (310, 210)]


class Shot:
    """A picture as mss gives it, of one colour."""

    def __init__(self, width, height, colour=(1, 2, 3)):
        self.width, self.height = width, height
        red, green, blue = colour
        self.raw = bytearray(bytes((blue, green, red, 255)) * (width * height))


class Desktop:
    """A desktop as mss sees it: `points` to the pointer, `scale` times as many pixels, perhaps resized later."""

    def __init__(self, *points, scale=1, colour=(1, 2, 3)):
        self.points, self.scale, self.colour, self.opened = points, scale, colour, 0

    def connect(self):
        self.opened += 1
        return Connection(self)


class Connection:
    def __init__(self, desktop):
        self.desktop, self.size = desktop, desktop.points[0]

    @property
    def monitors(self):
        return [dict(zip(("left", "top", "width", "height"), rect, strict=True)) for rect in self.desktop.points]

    def grab(self, monitor):
        if self.size != self.desktop.points[0]:
            raise RuntimeError("the screen was resized: recreate your MSS object")
        return Shot(monitor["width"] * self.desktop.scale, monitor["height"] * self.desktop.scale, self.desktop.colour)

    def close(self):
        pass


def test_a_monitor_left_of_the_first_has_negative_coordinates():
    desktop = Desktop((-1280, -200, 3200, 1280), (0, 0, 1920, 1080), (-1280, -200, 1280, 1024))
    screen = DesktopScreen(connect=desktop.connect)
    assert screen.desktop == Rect(-1280, -200, 3200, 1280)
    assert screen.grab().spot(Pixel(0, 0)) == Spot(-1280, -200)
    part = screen.grab(Rect(-700.5, -10, 33.4, 20))
    assert part.region == Rect(-701, -10, 34, 20)
    assert part.spot(Pixel(1, 2)) == Spot(-700, -8)


def test_where_the_system_captures_more_pixels_than_points_the_frame_has_that_scale():
    screen = DesktopScreen(connect=Desktop((0, 0, 1440, 900), scale=2).connect)
    frame = screen.grab(Rect(100, 50, 30, 20))
    assert frame.scale == (2.0, 2.0)
    assert frame.spot(Pixel(10, 10)) == Spot(105, 55)


def test_a_resized_screen_is_grabbed_through_a_new_connection():
    desktop = Desktop((0, 0, 800, 600))
    screen = DesktopScreen(connect=desktop.connect)
    screen.grab(Rect(10, 10, 5, 5))
    desktop.points = ((0, 0, 1024, 768),)
    assert screen.grab(Rect(900, 700, 5, 5)).region == Rect(900, 700, 5, 5)
    assert screen.grab(Rect(10, 10, 5, 5)).region == Rect(10, 10, 5, 5)
    assert desktop.opened == 2
    assert screen.grab().region == Rect(0, 0, 1024, 768)


def test_a_black_screen_under_wayland_is_called_by_its_name():
    environment = {"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}
    black = Desktop((0, 0, 80, 60), colour=(0, 0, 0))
    with pytest.raises(ScreenError, match=r"Wayland.*--screen browser"):
        DesktopScreen(connect=black.connect, environment=environment).grab()
    assert DesktopScreen(connect=black.connect, environment={"DISPLAY": ":0"}).grab().width == 80


@pytest.mark.skipif(sys.platform != "linux", reason="only X11 can be without a display")
@pytest.mark.parametrize(
    ("environment", "remedy"),
    [({}, "start a virtual display"), ({"WAYLAND_DISPLAY": "wayland-0"}, "--screen browser")],
)
def test_without_a_display_screen_and_mouse_say_what_to_do(environment, remedy):
    with pytest.raises(ScreenError, match=remedy):
        DesktopScreen(environment=environment).grab()
    with pytest.raises(PointerError, match=remedy):
        MousePointer(environment=environment).tap(Spot(1, 1))


@pytest.mark.skipif(sys.platform != "linux", reason="a display that is gone is an X11 matter")
def test_a_display_that_does_not_answer_is_named():
    with pytest.raises(ScreenError, match=r"the display :4095 cannot be opened"):
        DesktopScreen(environment={"DISPLAY": ":4095"}).grab()


def test_red_green_and_blue_are_told_apart():
    pixels = rgb(Shot(2, 3, (10, 20, 30)))
    assert pixels.shape == (3, 2, 3)
    assert pixels.reshape(-1, 3).tolist() == [[10, 20, 30]] * 6


@pytest.mark.skipif(sys.platform != "linux", reason="only there does pyautogui ask for tkinter")
def test_a_pyautogui_that_ends_the_program_for_want_of_tkinter_is_an_error_like_others(tmp_path):
    (tmp_path / "pyautogui.py").write_text("import sys\nsys.exit('NOTE: You must install tkinter on Linux')\n")
    program = """
from bot.pointers.mouse import MousePointer
from bot.ports import PointerError
try:
    MousePointer().position()
except PointerError as error:
    print(error)
"""
    environment = {**os.environ, "DISPLAY": ":1", "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert said == "pyautogui cannot start: NOTE: You must install tkinter on Linux\n"


@pytest.mark.display
def test_the_mouse_moves_on_each_of_several_displays_that_come_after_one_another():
    program = """
from bench.screens.virtual import open_virtual_display
from bot.pointers.mouse import MousePointer
from calibration.frame import Spot
for x in (100, 300):
    with open_virtual_display((400, 200)):
        MousePointer().move(Spot(x, 150))
        print(*MousePointer().position())
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
    assert said.split() == ["100", "150", "300", "150"]
