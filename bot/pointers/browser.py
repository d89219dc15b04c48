"""A pointer and a keyboard inside a Chromium page, by the DevTools protocol."""

from __future__ import annotations

import time
from typing import Any, Protocol

from bot.ports import RIGHT, WHEEL, WHEEL_BACK, PointerError, ScreenError
from calibration.frame import Spot

_KEYS = {
    "enter": ("Enter", 13, "\r"),
    "return": ("Enter", 13, "\r"),
    "space": (" ", 32, " "),
    "esc": ("Escape", 27, ""),
    "escape": ("Escape", 27, ""),
    "tab": ("Tab", 9, ""),
    "backspace": ("Backspace", 8, ""),
    "delete": ("Delete", 46, ""),
    "left": ("ArrowLeft", 37, ""),
    "up": ("ArrowUp", 38, ""),
    "right": ("ArrowRight", 39, ""),
    "down": ("ArrowDown", 40, ""),
    "pageup": ("PageUp", 33, ""),
    "pagedown": ("PageDown", 34, ""),
    "end": ("End", 35, ""),
    "home": ("Home", 36, ""),
}
"""pyautogui's name of a key: its name in the DOM, its virtual key code, the text it types."""

DOUBLE = 0.5
"""Seconds between two taps on one place that are a double click, as most systems have it."""

NOTCH = 100
"""CSS pixels that a page scrolls for a notch of the wheel."""

_MODIFIERS = {"alt": 1, "ctrl": 2, "command": 4, "shift": 8}
"""pyautogui's name of a key that is held down with another: its bit."""


class PageSession(Protocol):
    """Something that speaks the DevTools protocol with one page, such as a BrowserScreen."""

    def send(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call a method; raises ScreenError when the page is gone."""
        ...


class BrowserPointer:
    """A pointer of its own for one page: the user's mouse stays where it is. Spots are CSS pixels of the viewport."""

    def __init__(self, session: PageSession) -> None:
        self._session = session
        self._at: Spot | None = None
        self._held = False
        self._tapped: tuple[Spot | None, float, int] = None, 0.0, 0

    def tap(self, spot: Spot) -> None:
        """Move to `spot`, press and release; raises PointerError.  Two in a moment there are a double click."""
        self.move(spot)
        last, at, count = self._tapped
        now = time.monotonic()
        count = count + 1 if last == spot and now - at < DOUBLE else 1
        self._tapped = spot, now, count
        self._mouse("mousePressed", spot, button="left", clickCount=count)
        self._mouse("mouseReleased", spot, button="left", clickCount=count)

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start`, move to `end` in a few steps, release; raises PointerError."""
        self.move(start)
        self._mouse("mousePressed", start, button="left", clickCount=1)
        for step in (0.25, 0.5, 0.75, 1.0):  # pages tell a drag from a click by its moves
            between = Spot(start.x + (end.x - start.x) * step, start.y + (end.y - start.y) * step)
            self._mouse("mouseMoved", between, button="left", buttons=1)
        self._mouse("mouseReleased", end, button="left", clickCount=1)
        self._at = end

    def hold(self, spot: Spot) -> None:
        """Press at `spot` and keep the button down; raises PointerError."""
        self.move(spot)
        self._mouse("mousePressed", spot, button="left", clickCount=1)
        self._held = True

    def release(self) -> None:
        """Let the button go; raises PointerError."""
        self._held = False
        if self._at is not None:
            self._mouse("mouseReleased", self._at, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press and release a key, named as pyautogui names it, such as "n" or "ctrl+n"; raises PointerError."""
        if key in (WHEEL, WHEEL_BACK) and self._at is not None:
            self._mouse("mouseWheel", self._at, deltaX=0, deltaY=NOTCH if key == WHEEL else -NOTCH)
            return
        if key == RIGHT and self._at is not None:
            for kind in ("mousePressed", "mouseReleased"):
                self._mouse(kind, self._at, button="right", clickCount=1)
            return
        *held, key = key.split("+") if len(key) > 1 else [key]
        if (len(key) != 1 and key not in _KEYS) or any(modifier not in _MODIFIERS for modifier in held):
            names = ", ".join([*_KEYS, *(f"{modifier}+..." for modifier in _MODIFIERS)])
            raise PointerError(f"no key is called {key!r}; besides single characters there are: {names}")
        name, code, text = _KEYS[key] if key in _KEYS else (key, ord(key.upper()), key)
        modifiers = sum(_MODIFIERS[modifier] for modifier in held)
        common = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        text = "" if modifiers & ~_MODIFIERS["shift"] else text
        self._send("Input.dispatchKeyEvent", {"type": "keyDown", "text": text, **common})
        self._send("Input.dispatchKeyEvent", {"type": "keyUp", **common})

    def move(self, spot: Spot) -> None:
        """Rest at `spot`; raises PointerError."""
        self._mouse("mouseMoved", spot, **({"button": "left", "buttons": 1} if self._held else {}))
        self._at = spot

    def position(self) -> Spot | None:
        """Where this pointer was put last, None before that."""
        return self._at

    def _mouse(self, kind: str, spot: Spot, **how: object) -> None:
        self._send("Input.dispatchMouseEvent", {"type": kind, "x": spot.x, "y": spot.y, **how})

    def _send(self, method: str, parameters: dict[str, Any]) -> None:
        try:
            self._session.send(method, parameters)
        except ScreenError as error:
            raise PointerError(str(error)) from error
