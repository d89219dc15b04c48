"""The three seams between Boardsight and the world: a screen, a pointer, a clock."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable

from calibration.frame import Frame, Rect, Spot
from games.core import BoardsightError


class ScreenError(BoardsightError):
    """The screen cannot be grabbed; the message says what to do."""


class PointerError(BoardsightError):
    """The pointer cannot be moved; the message says what to do."""


class Screen(Protocol):
    """A source of pictures."""

    def grab(self, region: Rect | None = None) -> Frame:
        """What `region` of the desktop (None: all of it) shows now; raises ScreenError.

        The frame's own region may be a little larger than the one asked for, where pixels must be whole.
        """
        ...

    def close(self) -> None:
        """Let go of windows, connections and processes; may be called twice."""
        ...


@runtime_checkable
class ReloadableScreen(Screen, Protocol):
    """A screen whose program has an address and can be begun anew."""

    @property
    def address(self) -> str:
        """Where it is, as a URL."""
        ...

    def reload(self) -> None:
        """Load what it shows again, up to where it was found; raises ScreenError."""
        ...


@runtime_checkable
class ScrollableScreen(Screen, Protocol):
    """A screen that may show other parts of what is too large for it."""

    def scroll(self, down: float) -> float:
        """Show what lies so many pointer units further down, or up where negative, as far as it goes on.

        Gives how far it went; raises ScreenError.
        """
        ...

    def scrolled(self) -> float:
        """How far down lies what it shows, in pointer units; raises ScreenError."""
        ...

    def enlarge(self) -> bool:
        """Show more at once, where that is nobody's business; whether it does.  Raises ScreenError."""
        ...


@runtime_checkable
class SpeakingScreen(Screen, Protocol):
    """A screen whose page may open dialogs of the browser's own, which stop it and which no picture shows.

    dialogs: how many it has opened so far, each of which was closed.
    """

    dialogs: int


def dialogs_on(screen: Screen) -> int:
    """How many such dialogs a screen has shown so far; 0 for one that tells of none."""
    return screen.dialogs if isinstance(screen, SpeakingScreen) else 0


def scrolled_by(screen: Screen) -> float:
    """How far down a screen shows a page, 0 for one that does not scroll."""
    return screen.scrolled() if isinstance(screen, ScrollableScreen) else 0.0


def scroll_to(screen: Screen, down: float) -> bool:
    """Lets a screen show again what it did where it was `scrolled_by` so much; whether it showed something else."""
    off = down - scrolled_by(screen)
    return isinstance(screen, ScrollableScreen) and abs(off) >= 1 and bool(screen.scroll(off))


WHEEL, WHEEL_BACK = "wheel", "wheel back"
"""What `Pointer.press` turns instead of a key: the wheel by a notch towards the hand, and away from it."""


RIGHT = "right click"
"""What `Pointer.press` presses and releases instead of a key, where the pointer rests: its secondary button."""


class Pointer(Protocol):
    """What moves and presses the pointer and the keyboard."""

    def tap(self, spot: Spot) -> None:
        """Press and release the primary button at `spot`; raises PointerError."""
        ...

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start`, move to `end`, release; raises PointerError."""
        ...

    def hold(self, spot: Spot) -> None:
        """Press the primary button at `spot` and keep it down, so that moves drag; raises PointerError."""
        ...

    def release(self) -> None:
        """Let a button go that is held, where the pointer is; raises PointerError."""
        ...

    def press(self, key: str) -> None:
        """Press and release a key, one while others are held ("ctrl+n") or RIGHT, or turn the WHEEL.

        Raises PointerError.
        """
        ...

    def move(self, spot: Spot) -> None:
        """Rest at `spot` without pressing; raises PointerError."""
        ...

    def position(self) -> Spot | None:
        """Where the pointer is, or None if this pointer cannot be seen."""
        ...


class Clock(Protocol):
    """A source of time and a way to wait, which tests replace by one that stands still."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Return `seconds` later."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let the process rest."""
        time.sleep(seconds)


class FakeClock:
    """A clock that stands still but for `sleep`, so that lag, animation and time limits are the same in every run."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        """The seconds slept so far, from where the clock was set."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        self._now += max(0.0, seconds)
