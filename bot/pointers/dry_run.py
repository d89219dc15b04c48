"""A pointer that only notes what it would do."""

from __future__ import annotations

from typing import Literal, NamedTuple

from calibration.frame import Spot


class Stroke(NamedTuple):
    """One thing a pointer was asked to do; `end` is set for drags, `key` for presses."""

    kind: Literal["tap", "drag", "hold", "release", "press", "move"]
    spot: Spot | None = None
    end: Spot | None = None
    key: str | None = None


class DryRunPointer:
    """Notes every gesture in `strokes` and makes none."""

    def __init__(self) -> None:
        self.strokes: list[Stroke] = []

    def tap(self, spot: Spot) -> None:
        """Note a click."""
        self.strokes.append(Stroke("tap", spot))

    def drag(self, start: Spot, end: Spot) -> None:
        """Note a drag."""
        self.strokes.append(Stroke("drag", start, end))

    def hold(self, spot: Spot) -> None:
        """Note where a button would be held down."""
        self.strokes.append(Stroke("hold", spot))

    def release(self) -> None:
        """Note that it would be let go."""
        self.strokes.append(Stroke("release"))

    def press(self, key: str) -> None:
        """Note a key."""
        self.strokes.append(Stroke("press", key=key))

    def move(self, spot: Spot) -> None:
        """Note where the pointer would rest."""
        self.strokes.append(Stroke("move", spot))

    def position(self) -> Spot | None:
        """None: no pointer is moved, so whose hand moves the real one does not matter."""
        return None
