"""The real mouse and keyboard, moved with pyautogui."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from math import floor
from pathlib import Path
from typing import Any
from warnings import catch_warnings

from bot.pointers.guard import StoppedError
from bot.ports import RIGHT, WHEEL, WHEEL_BACK, PointerError
from bot.screens.desktop import not_opened, why_no_display
from calibration.frame import Spot
from games.core import BoardsightError, not_installed

CONNECTED = "boardsight_display"
"""The attribute of pyautogui that tells which display it is connected to."""


class MousePointer:
    """The machine's pointer; pyautogui's fail-safe stays on: the mouse in a corner of the screen stops everything.

    pyautogui is imported by the first gesture and asked not to rest 0.1 s after each of its calls.
    """

    def __init__(
        self, *, environment: Mapping[str, str] = os.environ, connect: Callable[[], Any] | None = None
    ) -> None:
        self._connect = connect or (lambda: _connect(environment))
        self._module: Any = None

    def tap(self, spot: Spot) -> None:
        """Press and release the primary button at `spot`; raises StoppedError, PointerError."""
        with self._hand() as hand:
            hand.click(*_whole(spot))

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start`, move to `end` over a spot between, release; raises StoppedError, PointerError.

        A page hears of a drag by the moves while the button is down; a single jump is taken for a click by some.
        """
        between = Spot((start.x + end.x) / 2, (start.y + end.y) / 2)
        with self._hand() as hand:
            hand.mouseDown(*_whole(start))
            try:
                for spot in (between, end):
                    hand.dragTo(*_whole(spot), mouseDownUp=False)
            finally:
                hand.mouseUp()

    def hold(self, spot: Spot) -> None:
        """Press at `spot` and keep the button down; raises StoppedError, PointerError."""
        with self._hand() as hand:
            hand.mouseDown(*_whole(spot))

    def release(self) -> None:
        """Let the button go; raises StoppedError, PointerError."""
        with self._hand() as hand:
            hand.mouseUp()

    def press(self, key: str) -> None:
        """Press and release `key`, such as "n" or "ctrl+n" in pyautogui's names; raises StoppedError, PointerError."""
        keys = key.split("+") if len(key) > 1 else [key]
        with self._hand() as hand:
            if key in (WHEEL, WHEEL_BACK):
                hand.scroll(-1 if key == WHEEL else 1)
                return
            if key == RIGHT:
                hand.rightClick()
                return
            for each in keys:
                if not hand.isValidKey(each):
                    raise PointerError(f"no key is called {each!r}; keys are called 'a', '7', 'enter', 'esc', 'left'")
            hand.hotkey(*keys)

    def move(self, spot: Spot) -> None:
        """Rest at `spot`; raises StoppedError, PointerError."""
        with self._hand() as hand:
            hand.moveTo(*_whole(spot))

    def position(self) -> Spot:
        """Where the pointer is; raises PointerError."""
        with self._hand() as hand:
            x, y = hand.position()
        return Spot(x, y)

    @contextmanager
    def _hand(self) -> Iterator[Any]:
        """pyautogui, with its errors turned into ours."""
        if self._module is None:
            self._module = self._connect()
            self._module.PAUSE = 0
            self._module.FAILSAFE = True
        try:
            yield self._module
        except self._module.FailSafeException:
            raise StoppedError("corner", "stopped: the pointer is in a corner of the screen") from None
        except BoardsightError:
            raise
        except Exception as error:  # python3-xlib raises whatever comes where its server is gone: a TypeError, too
            raise PointerError(f"the mouse cannot be moved: {error}; is the display still there?") from error


def _whole(spot: Spot) -> tuple[int, int]:
    """The whole unit that `spot` lies in; pyautogui would round towards 0, which is wrong left of the first monitor."""
    return floor(spot.x), floor(spot.y)


def _connect(environment: Mapping[str, str]) -> Any:
    obstacle = why_no_display(environment)
    if obstacle is not None:
        raise PointerError(obstacle)
    try:
        # What pyautogui imports prints to standard output and leaves files open: neither is for our user to read.
        with _some_xauthority(), redirect_stdout(StringIO()), catch_warnings(action="ignore"):
            pyautogui = _imported(environment.get("DISPLAY"), environment.get("XAUTHORITY"))
    except ImportError:
        raise PointerError(not_installed("play", "pyautogui")) from None
    except SystemExit as error:  # MouseInfo, which pyautogui imports, ends the program where tkinter is missing
        raise PointerError(f"pyautogui cannot start: {error}") from None
    except Exception as error:
        raise PointerError(not_opened(environment, error)) from error
    return pyautogui


def _imported(*display: str | None) -> Any:
    """pyautogui, connected to this display: it keeps the one it is imported on, also when that is gone."""
    known = sys.modules.get("pyautogui")
    if getattr(known, CONNECTED, display) != display:
        for name in [each for each in sys.modules if each.partition(".")[0] == "pyautogui"]:
            del sys.modules[name]
    import pyautogui

    setattr(pyautogui, CONNECTED, display)
    return pyautogui


@contextmanager
def _some_xauthority() -> Iterator[None]:
    """Point python3-xlib to an empty file where there is no ~/.Xauthority, as on virtual displays: it would fail."""
    if "XAUTHORITY" in os.environ or Path("~/.Xauthority").expanduser().exists():
        yield
        return
    os.environ["XAUTHORITY"] = os.devnull
    try:
        yield
    finally:
        del os.environ["XAUTHORITY"]
