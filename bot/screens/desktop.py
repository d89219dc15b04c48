"""The real desktop, grabbed with mss."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil, floor
from typing import Any, Protocol

import numpy as np

from bot.ports import Clock, ScreenError, SystemClock
from calibration.frame import Frame, Pixels, Rect
from games.core import not_installed


class Shot(Protocol):
    """What mss gives for a grab: rows of blue, green, red, unused bytes, `width` x `height` of them."""

    raw: bytearray

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        ...

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        ...


class Grabber(Protocol):
    """What is used of mss; monitors and regions are dicts of whole numbers ``left``, ``top``, ``width``, ``height``."""

    @property
    def monitors(self) -> Sequence[Mapping[str, Any]]:
        """The whole desktop, then each monitor."""
        ...

    def grab(self, monitor: Any, /) -> Shot:
        """A picture of that region; an Exception where it reaches beyond the desktop."""
        ...

    def close(self) -> None:
        """Let go of the display."""
        ...


class DesktopScreen:
    """Every monitor of this machine as one desktop; the second monitor may lie at negative coordinates.

    Regions are in the units in which the pointer moves.  Where the system captures more pixels than that (macOS with
    a Retina display), the frames' scale says so.  mss must be made anew after the screen was resized; this is done
    before each grab of the whole desktop, and whenever a grab of a region fails.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        environment: Mapping[str, str] = os.environ,
        connect: Callable[[], Grabber] | None = None,
    ) -> None:
        self._clock = clock or SystemClock()
        self._environment = environment
        self._connect = connect or (lambda: _connect(environment))
        self._grabber: Grabber | None = None
        self._desktop = Rect(0, 0, 0, 0)

    @property
    def desktop(self) -> Rect:
        """The rectangle that holds every monitor, as last seen."""
        if self._grabber is None:
            self._reconnect()
        return self._desktop

    def grab(self, region: Rect | None = None) -> Frame:
        """What `region` (None: everything) shows now, cut to the desktop and widened to whole units.

        Raises ScreenError with the remedy where nothing can be captured.
        """
        if region is not None and self._grabber is not None:
            try:
                return self._shoot(self._grabber, region)
            except Exception:  # mss raises whatever its backend does; all of it means: try a fresh one
                pass
        grabber = self._reconnect()
        try:
            frame = self._shoot(grabber, region or self._desktop)
        except ScreenError:
            raise
        except Exception as error:
            raise ScreenError(
                f"the desktop cannot be captured: {error}; is the screen locked, or its X server gone?"
            ) from error
        if region is None:
            self._reject_black(frame)
        return frame

    def close(self) -> None:
        """Let go of the display."""
        if self._grabber is not None:
            self._grabber.close()
            self._grabber = None

    def _reconnect(self) -> Grabber:
        fresh = self._connect()
        self.close()  # only now: an X server without any client left may start over
        self._grabber = fresh
        whole = self._grabber.monitors[0]
        self._desktop = Rect(whole["left"], whole["top"], whole["width"], whole["height"])
        return self._grabber

    def _shoot(self, grabber: Grabber, region: Rect) -> Frame:
        whole = self._desktop
        left, top = max(floor(region.x), int(whole.x)), max(floor(region.y), int(whole.y))
        right = min(ceil(region.x + region.width), int(whole.x + whole.width))
        bottom = min(ceil(region.y + region.height), int(whole.y + whole.height))
        if left >= right or top >= bottom:
            raise ScreenError(f"{region} lies outside of the desktop, {whole}: calibrate anew")
        taken = self._clock.now()
        shot = grabber.grab({"left": left, "top": top, "width": right - left, "height": bottom - top})
        return Frame(rgb(shot), Rect(left, top, right - left, bottom - top), taken)

    def _reject_black(self, frame: Frame) -> None:
        """Under Wayland an X client may grab, but sees nothing of the desktop."""
        if is_wayland(self._environment) and not frame.pixels.any():
            raise ScreenError(WAYLAND)


WAYLAND = (
    "this is a Wayland session, where no program may capture the screen or move the pointer: "
    "play in a browser with `--screen browser`, or log in to an X11 session"
)

NO_DISPLAY = (
    "there is no display (DISPLAY is not set): play in a browser with `--screen browser`, play the drawn desktop "
    "with `--screen drawn`, or start a virtual display, such as `xvfb-run -s '-screen 0 1920x1080x24' boardsight play`"
)


def is_wayland(environment: Mapping[str, str]) -> bool:
    """Whether the user's session is a Wayland one, whatever DISPLAY says."""
    return "WAYLAND_DISPLAY" in environment or environment.get("XDG_SESSION_TYPE") == "wayland"


def why_no_display(environment: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """What to do where no display can be reached, None where one may be."""
    if platform in ("darwin", "win32") or environment.get("DISPLAY"):
        return None
    return WAYLAND if is_wayland(environment) else NO_DISPLAY


def not_opened(environment: Mapping[str, str], error: object) -> str:
    """What to say and do when the display does not let us in."""
    display = environment.get("DISPLAY", "")
    return f"the display {display} cannot be opened: {error}; DISPLAY must name a running X server that lets you in"


def rgb(shot: Shot) -> Pixels:
    """uint8[height, width, 3]: the shot's bytes with red first.

    A copy channel by channel: 400x400 in 0.2 ms, 1920x1080 in 3 ms.  ``bgra[..., 2::-1]`` would copy nothing, but
    everything done with it afterwards takes 5 to 20 times as long; Pillow's decoder takes 7 times as long on the
    full screen.
    """
    bgra = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
    pixels = np.empty((shot.height, shot.width, 3), np.uint8)
    for channel in range(3):
        pixels[..., channel] = bgra[..., 2 - channel]
    return pixels


def _connect(environment: Mapping[str, str]) -> Grabber:
    obstacle = why_no_display(environment)
    if obstacle is not None:
        raise ScreenError(obstacle)
    try:
        import mss
    except ImportError:
        raise ScreenError(not_installed("play", "mss")) from None
    try:
        with _key_of(environment):
            grabber: Grabber = mss.MSS(display=environment["DISPLAY"]) if "DISPLAY" in environment else mss.MSS()
    except Exception as error:
        raise ScreenError(not_opened(environment, error)) from error
    return grabber


@contextmanager
def _key_of(environment: Mapping[str, str]) -> Iterator[None]:
    """Lets this process find the file of X's keys that `environment` names: a library asks its own for it."""
    own, wanted = os.environ.get("XAUTHORITY"), environment.get("XAUTHORITY")
    if wanted is None or wanted == own:
        yield
        return
    os.environ["XAUTHORITY"] = wanted
    try:
        yield
    finally:
        del os.environ["XAUTHORITY"]
        if own is not None:
            os.environ["XAUTHORITY"] = own
