"""The drawn desktop under a fault plan: clicks get lost, windows come and go, pictures lie, hands take the mouse."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bot.faults.plans import Fault, FaultPlan
from bot.ports import Clock, PointerError, ScreenError
from bot.screens.drawn.desktop import SKINS
from bot.screens.drawn.screen import DrawnPointer, DrawnScreen, Event
from calibration.frame import Frame, Pixels, Rect, Spot
from games import GAMES, find_game
from games.core import Gesture

SMALLEST_CELL = 14.0
"""Units from cell to cell that no fault goes below: the finder's own bound is 6."""

LOCK_SCREEN = (18, 20, 34)
"""The colour of a locked screen."""

ARROW = np.tri(18, 12, dtype=bool)
"""bool[18, 12]: the cursor's shape."""

INTRUDER = 22.0
"""Units from cell to cell of the other game that may appear."""


class HostileScreen(DrawnScreen):
    """A DrawnScreen on which `plan` happens; takes what a DrawnScreen takes, but for what the plan says.

    ask: is called where the plan has somebody ask for a stop.
    happened: the faults that took place, in order.
    """

    def __init__(
        self,
        game: Any,
        state: Any,
        plan: FaultPlan,
        *,
        clock: Clock,
        ask: Callable[[], None] = lambda: None,
        **options: Any,
    ) -> None:
        self.plan = plan
        self.happened: list[Fault] = []
        self._ask = ask
        self._deaf = self._gone = False
        self._clicks_due: deque[Fault] = deque()
        self._sights: list[tuple[Fault, float]] = []
        self._capture: tuple[Fault, float] | None = None
        self._latest: Pixels | None = None
        self._old: Pixels | None = None
        self._intruder: Pixels | None = None
        events = {move: self._awaits(move) for move in {fault.move for fault in plan.faults}}
        super().__init__(
            game,
            state,
            clock=clock,
            lag=plan.lag,
            animation=plan.animation,
            noise=plan.noise,
            events=events,
            **options,
        )
        self.pointer: DrawnPointer = HostilePointer(self)

    def _awaits(self, move: int) -> Event:
        """Lets every fault of that move happen at its time."""
        due = [fault for fault in self.plan.faults if fault.move == move]

        def wait(screen: DrawnScreen) -> None:
            for fault in due:
                screen.after(fault.after, lambda _, fault=fault: self._strike(fault))  # type: ignore[misc]

        return wait

    # What happens.

    def _strike(self, fault: Fault) -> None:
        """Let one fault take place."""
        if self.state.outcome() is not None:
            return
        self.happened.append(fault)
        act: dict[str, Callable[[], None]] = {
            "move": lambda: self._drag_window(fault.x, fault.y),
            "scroll": lambda: self._drag_window(0, fault.y),
            "resize": lambda: self._grow(fault.factor),
            "zoom": lambda: self._grow(fault.factor, fault.x, fault.y),
            "recolour": lambda: self._dress(int(fault.x)),
            "deal": self._deal_anew,
            "deaf": partial(setattr, self, "_deaf", True),
            "close": self.close_window,
            "lock": lambda: self._sights.append((fault, float("inf"))),
            "hand": lambda: self.pointer.move(Spot(self.pointer.position().x + 90, self.pointer.position().y + 40)),
            "corner": lambda: self.pointer.move(Spot(self._desktop.x, self._desktop.y)),
            "ask": self._ask,
            "gone": partial(setattr, self, "_gone", True),
        }
        if fault.kind in act:
            act[fault.kind]()
        elif fault.kind in ("drop", "double", "late"):
            self._clicks_due.append(fault)
        elif fault.kind in ("black", "torn", "stale", "sized", "raises"):
            self._capture = (fault, self._now() + fault.seconds)
        elif fault.kind in ("dialog", "window"):
            self._cover_game(fault)
        else:
            self._sights.append((fault, self._now() + fault.seconds))

    def _drag_window(self, right: float, down: float) -> None:
        """The window goes by so much, as far as it stays on the first monitor: a part of a board is none."""
        if self.layout is None:
            return
        window, monitor = self.layout.window, self._monitors[0]
        low, high = monitor.x - window.x, monitor.x + monitor.width - window.x - window.width
        top, foot = monitor.y - window.y, monitor.y + monitor.height - window.y - window.height
        self.move_window(round(min(max(right, low), max(low, high))), round(min(max(down, top), max(top, foot))))

    def _grow(self, factor: float, right: float = 0.0, down: float = 0.0) -> None:
        """The cells become `factor` times as large, as far as the window still fits the monitor."""
        before = self._cell
        self.resize_window(max(SMALLEST_CELL, round(before * factor)))
        layout, monitor = self.layout, self._monitors[0]
        if layout is not None and (layout.window.width > monitor.width or layout.window.height > monitor.height):
            self.resize_window(before)
        self._drag_window(right, down)

    def _dress(self, number: int) -> None:
        self._skin = [*SKINS.values()][number % len(SKINS)]
        self._arrange()

    def _deal_anew(self) -> None:
        options = self.game.options(self.state)
        self.deal(self.game.deal(self._rng, options))

    def _cover_game(self, fault: Fault) -> None:
        if self.layout is None:
            return
        whole, board = self.layout.window, self.layout.board
        middle = Rect(board.x + 0.2 * board.width, board.y + 0.2 * board.height, 0.7 * board.width, 0.5 * board.height)
        self.cover(whole if fault.kind == "window" else middle, seconds=fault.seconds)

    # Clicks.

    def _hears(self) -> bool:
        if self._clicks_due and self._clicks_due[0].kind == "drop":
            self._clicks_due.popleft()
            return False
        return super()._hears() and not self._deaf

    def _tell(self, gesture: Gesture) -> None:
        fault = self._clicks_due.popleft() if self._clicks_due else None
        lag = max(self.lag, fault.seconds) if fault is not None and fault.kind == "late" else self.lag
        for _ in range(2 if fault is not None and fault.kind == "double" else 1):
            self._send(gesture, lag)

    def _send(self, gesture: Gesture, lag: float) -> None:
        """Let the game hear of one gesture `lag` seconds from now."""
        if lag:
            self.after(lag, lambda screen: screen._hear(gesture))
        else:
            self._hear(gesture)

    def _hear(self, gesture: Gesture) -> None:
        if not self._deaf:
            super()._hear(gesture)

    def _answer(self) -> None:
        if not self._deaf:
            super()._answer()

    # Pictures.

    def grab(self, region: Rect | None = None) -> Frame:
        """What the desktop shows now, or what the plan makes of it; raises ScreenError."""
        self._catch_up()
        if self._gone:
            raise ScreenError("the display is gone: was its server ended?")
        fault = self._capture_fault()
        if fault is not None and fault.kind == "raises":
            raise ScreenError("the picture could not be taken: try again")
        if fault is not None and fault.kind == "stale" and self._old is not None:
            return Frame(self._old, self._desktop, self.clock.now()).crop(region or self._desktop)
        frame = super().grab(region)
        if fault is None:
            self._old = self._latest
            return frame
        return self._spoilt(fault, frame)

    def _capture_fault(self) -> Fault | None:
        """The fault that befalls pictures now."""
        if self._capture is not None and self.clock.now() >= self._capture[1]:
            self._capture = None
        return None if self._capture is None else self._capture[0]

    def _spoilt(self, fault: Fault, frame: Frame) -> Frame:
        """A picture that is black, torn or of another size."""
        if fault.kind == "black":
            return replace(frame, pixels=np.zeros_like(frame.pixels))
        if fault.kind == "sized":
            return replace(frame, pixels=np.ascontiguousarray(frame.pixels[::2, ::2]))
        pixels = frame.pixels.copy()
        if self._old is not None:
            older = Frame(self._old, self._desktop).crop(frame.region).pixels
            half = len(pixels) // 2
            if older.shape == pixels.shape:
                pixels[half:] = older[half:]
        return replace(frame, pixels=pixels)

    def _seen(self) -> list[Fault]:
        """The faults of sight that last still."""
        self._sights = [(fault, until) for fault, until in self._sights if until > self._now()]
        return [fault for fault, _ in self._sights]

    def _rect(self, fault: Fault) -> Rect:
        """What a fault of sight lies over."""
        if fault.kind in ("lock", "locked"):
            return self._desktop
        if fault.kind == "board":
            height, width = self._other_window().shape[:2]
            corner = self._monitors[0]
            return Rect(
                corner.x, corner.y + corner.height - height / self._scale, *(np.array((width, height)) / self._scale)
            )
        if self.layout is None:
            return Rect(0, 0, 0, 0)
        board = self.layout.board
        width, height = (96, 26) if fault.kind == "tooltip" else (ARROW.shape[1], ARROW.shape[0])
        return Rect(board.x + fault.x * board.width, board.y + fault.y * board.height, width, height)

    def _whole_picture(self) -> Pixels:
        picture = self._latest = super()._whole_picture()
        seen = self._seen()
        if not seen:
            return picture
        picture = self._latest = picture.copy()
        for fault in seen:
            part = picture[self._desk(picture).slices(self._rect(fault))]
            if fault.kind in ("lock", "locked"):
                part[:] = LOCK_SCREEN
            elif fault.kind == "tooltip":
                part[:] = (255, 251, 214)
                part[8:-8:3, 6:-6:5] = (60, 60, 60)
            elif fault.kind == "cursor":
                arrow = np.repeat(np.repeat(ARROW, 4, axis=0), 4, axis=1)[: len(part), : part.shape[1]]
                part[arrow] = (250, 250, 250)
            else:
                part[:] = self._other_window()[-len(part) :, : part.shape[1]] if part.size else part
        return picture

    def _other_window(self) -> Pixels:
        """A window with another game in it."""
        if self._intruder is None:
            drawn = "coloured" if self.game.drawn == "discs" else "discs"
            games = (find_game(name) for name in GAMES)
            other = next(game for game in games if game.drawn == drawn and game.players > 1)
            state = other.deal(np.random.default_rng(1), other.small)
            screen = DrawnScreen(other, state, clock=self.clock, cell=INTRUDER, scale=self._scale, corner=Spot(0, 0))
            assert screen.layout is not None
            self._intruder = screen.grab(screen.layout.window).pixels
        return self._intruder


class HostilePointer(DrawnPointer):
    """The hand on a HostileScreen; raises PointerError once the display is gone."""

    def __init__(self, screen: HostileScreen) -> None:
        super().__init__(screen)
        self._hostile = screen

    def tap(self, spot: Spot) -> None:
        """Press and release at `spot`."""
        self._present()
        super().tap(spot)

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start`, release at `end`."""
        self._present()
        super().drag(start, end)

    def press(self, key: str) -> None:
        """Press and release a key."""
        self._present()
        super().press(key)

    def position(self) -> Spot:
        """Where the pointer is: a hand may have moved it by now."""
        self._hostile._catch_up()
        return super().position()

    def _present(self) -> None:
        if self._hostile._gone:
            raise PointerError("the display is gone: was its server ended?")
