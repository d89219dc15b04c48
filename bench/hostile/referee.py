"""A referee for drawn games: knows the truth of the screen and judges every click by it, whatever the loop believes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.renaming import renamed
from bot.faults.plans import Fault
from bot.faults.screen import HostileScreen
from bot.protocol.values import options_from
from bot.runs.journal import SavedRun
from calibration.frame import Frame, Rect, Spot
from games.core import Game, Gesture

OLD = 0.06
"""Seconds a picture may be old when it is clicked on: a little more than the loop's own bound."""

STOPPING = ("hand", "corner", "ask")
"""The faults after which nothing may be clicked any more."""


@dataclass(frozen=True, slots=True)
class TrueMove:
    """A move the hand made, in truth.

    seen: the position that the clicked picture showed.  clicked: the one the game was in then.
    before, after: those when it heard of the click, which may be later, and what came of it.
    """

    seen: Any
    clicked: Any
    before: Any
    move: Any
    after: Any


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What the last picture that was handed out showed, in truth.

    time: when it was asked for.  sound: whether it was a true picture of one moment, not long ago or now.
    places: the rectangles of the board and the controls in it.  covers: what lay in front of them.
    state: the position the game was in at that moment.
    """

    time: float
    sound: bool
    places: tuple[Rect, ...]
    covers: tuple[Rect, ...]
    state: Any


class WitnessedScreen(HostileScreen):
    """A HostileScreen that keeps the truth of what it showed.

    shown: what the last picture showed, None before the first.
    in_flight: the clicks that were made and not heard yet.  stopped: since when nobody may click any more, or None.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.shown: Shown | None = None
        self.in_flight = 0
        self.stopped: float | None = None
        self._shown_old: Shown | None = None
        super().__init__(*args, **options)

    def grab(self, region: Rect | None = None) -> Frame:
        """What the desktop shows now, or what the plan makes of it; raises ScreenError."""
        self._catch_up()
        fault = self._capture_fault()
        if fault is not None and fault.kind == "raises" and not self._gone:
            self.shown = None
        frame = super().grab(region)
        now = Shown(self.clock.now(), True, self._places(), self._covered(), self.state)
        if fault is None:
            self.shown = self._shown_old = now
        elif fault.kind == "stale" and self._shown_old is not None:
            self.shown = replace(self._shown_old, time=now.time)
        else:
            self.shown = self._shown_by(fault, frame.region, now)
        return frame

    def _strike(self, fault: Fault) -> None:
        if fault.kind in STOPPING and self.state.outcome() is None and self.stopped is None:
            self.stopped = self._now()
        super()._strike(fault)

    def _send(self, gesture: Gesture, lag: float) -> None:
        self.in_flight += 1
        super()._send(gesture, lag)

    def _hear(self, gesture: Gesture) -> None:
        self.in_flight -= 1
        super()._hear(gesture)

    def _shown_by(self, fault: Fault, region: Rect, now: Shown) -> Shown:
        """What a spoilt picture shows, where the truth is `now`: noise is no lie, nor are fewer pixels.

        A torn one of two is true whose older half lacks nothing of the later position in the same place, however far
        either has faded in and whatever lies over them; one whose upper half is as it was is an older one, as true as a
        stale picture is.
        """
        if fault.kind != "torn" or self._old is None or self._shown_old is None or self._latest is None:
            return replace(now, sound=fault.kind != "black")
        then = self._shown_old
        middle = region.y + region.height / 2
        if then.places == now.places and self._alike_below(middle, then.state, now.state):
            return now
        older, latest = (Frame(one, self._desktop).crop(region).pixels for one in (self._old, self._latest))
        half = len(older) // 2
        if np.array_equal(older[half:], latest[half:]):
            return now
        as_it_was = np.array_equal(older[:half], latest[:half])
        return replace(self._shown_old, time=now.time) if as_it_was else replace(now, sound=False)

    def _alike_below(self, y: float, one: Any, other: Any) -> bool:
        """Whether two positions show the same in the part of the board that reaches below `y`."""
        if self.layout is None:
            return True
        board, (before, after) = self.layout.board, (self.game.show(state).grid for state in (one, other))
        first = max(0, int((y - board.y) / board.height * len(before)))
        return np.array_equal(before[first:], after[first:])

    def _places(self) -> tuple[Rect, ...]:
        return () if self.layout is None else (self.layout.board, *self.layout.controls.values())

    def _covered(self) -> tuple[Rect, ...]:
        """What lies in front of the game now."""
        return (*(rect for rect, _ in self._covers), *(self._rect(fault) for fault in self._seen()))


class Referee:
    """The pointer of a WitnessedScreen, between it and the guard: passes everything on and writes down what was wrong.

    offences: a line for each click that nothing justified.  clicks: how many were judged.
    clicked: is called before each.
    """

    def __init__(self, screen: WitnessedScreen, *, clicked: Callable[[], object] = lambda: None) -> None:
        self.offences: list[str] = []
        self.clicks = 0
        self._screen, self._pointer, self._clicked = screen, screen.pointer, clicked

    def tap(self, spot: Spot) -> None:
        """Judge and pass on."""
        self._judge(spot)
        self._pointer.tap(spot)

    def drag(self, start: Spot, end: Spot) -> None:
        """Judge and pass on."""
        self._judge(start, end)
        self._pointer.drag(start, end)

    def hold(self, spot: Spot) -> None:
        """Judge and pass on."""
        self._judge(spot)
        self._pointer.hold(spot)

    def release(self) -> None:
        """Judge and pass on."""
        self._judge(*filter(None, [self._pointer.position()]))
        self._pointer.release()

    def press(self, key: str) -> None:
        """Judge and pass on."""
        self._judge()
        self._pointer.press(key)

    def move(self, spot: Spot) -> None:
        """Pass on."""
        self._pointer.move(spot)

    def position(self) -> Spot | None:
        """Where the pointer is."""
        return self._pointer.position()

    def _judge(self, *spots: Spot) -> None:
        """Write down what is wrong with pressing at `spots` now."""
        screen = self._screen
        screen._catch_up()
        self._clicked()
        self.clicks += 1
        shown, now = screen.shown, screen.clock.now()
        if screen.stopped is not None:
            self._note("after a stop", spots)
        if screen.in_flight:
            self._note("while the last click was not yet heard", spots)
        if shown is None or not shown.sound:
            self._note("on a picture that showed nothing", spots)
        elif now - shown.time > OLD:
            self._note(f"on a picture of {now - shown.time:.2f} s ago", spots)
        else:
            for spot in spots:
                self._place(spot, shown)

    def _place(self, spot: Spot, shown: Shown) -> None:
        if any(rect.contains(spot) for rect in shown.covers):
            self._note("on something in front of the game", (spot,))
        elif not any(rect.contains(spot) for rect in shown.places):
            self._note("beside the board and its controls", (spot,))

    def _note(self, what: str, spots: Sequence[Spot]) -> None:
        places = ", ".join(f"({spot.x:.0f}, {spot.y:.0f})" for spot in spots)
        self.offences.append(f"{self._screen.clock.now():.3f} s: a click {what}: {places}")


def misplayed(game: Game[Any, Any], run: SavedRun, played: Sequence[TrueMove]) -> list[str]:
    """The moves made in another position than the picture showed, or than the journal says the loop believed in.

    Colours may be numbered otherwise in the journal, but each by one number before and after the move.
    A move that was made again in the same position, dealt anew before it showed, is one turn.
    """
    found = [
        f"move {number}: made in another position than the picture showed"
        for number, each in enumerate(played, 1)
        if each.seen != each.clicked
    ]
    made = [turn for turn in run.turns if turn.clicks]
    again = {
        one
        for one, (each, after) in enumerate(pairwise(played))
        if (each.before, each.move) == (after.before, after.move)
    }
    shown = [each for number, each in enumerate(played) if number not in again]
    for number, (turn, each) in enumerate(zip(made, shown, strict=False), 1):
        options = options_from(turn.options)
        believed = [game.show(game.parse(text, options)).grid for text in (turn.state, turn.after)]
        true = game.show(each.before).grid, game.show(each.after).grid
        if turn.outcome == "confirmed" and not _alike(believed[0], true[0]):
            found.append(f"move {number}: the board was misread")
    return found


def _alike(one: NDArray[np.int8], other: NDArray[np.int8]) -> bool:
    """Whether two grids, int8[rows, cols], are the same but for the names of their kinds."""
    if one.shape != other.shape:
        return False
    return renamed(one.ravel().tolist(), other.ravel().tolist())
