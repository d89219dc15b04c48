"""The guard: no click outside of the board, none before the last one is understood, none after a stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import dist
from types import FrameType

from bot.ports import Pointer
from calibration.frame import Rect, Spot
from games.core import BoardsightError

HAND = 6.0
"""How far, in pointer units, the pointer may be from where it was left before a hand must have moved it.

Pointers round to whole units (1 off at scale 2), a nudged table moves an optical mouse by 2 or 3, a hand by tens.
"""

STAYED = 1.5
"""How far, in pointer units, it may be from where it was before, where it has not gone yet: that is rounded, too."""

CORNER = 2.0
"""How near, in pointer units, to a corner of the desktop the pointer calls for a stop."""


class StoppedError(BoardsightError):
    """Somebody or something stopped the hand; `cause` is "asked", "corner" or "hand"."""

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(message)
        self.cause = cause


class GuardError(BoardsightError):
    """A click was refused that the screen as last confirmed does not justify; look again before the next one."""


class GuardedPointer:
    """A pointer that refuses what a careful hand would not do.

    It clicks only inside the rectangles of the last `allow`, of which there are none at first; only one gesture (or
    as many as `announce` said) until `confirmed`; and nothing at all any more once `stop` is set, the pointer rests in
    a corner of `desktop`, or somebody has moved it since it was first looked at: from then on every call raises the
    same StoppedError.

    witness: moves the pointer to a spot and looks once more before it is pressed; raises to prevent that.
    held: whether a button is held down.
    """

    def __init__(
        self, pointer: Pointer, *, stop: threading.Event | None = None, desktop: Rect | None = None, hand: float = HAND
    ) -> None:
        self._pointer, self._hand = pointer, hand
        self._stop = stop or threading.Event()
        self._corners = [] if desktop is None else _corners(desktop)
        self._allowed: tuple[Rect, ...] = ()
        self._left: Spot | None = None
        self._before: Spot | None = None
        self._free = 1
        self._open = False
        self._stopped: StoppedError | None = None
        self.held = False
        self.witness: Callable[[Spot], None] | None = None

    def allow(self, rects: Sequence[Rect]) -> None:
        """From now on only spots inside one of `rects`, as the last picture confirmed them, may be clicked."""
        self._allowed = tuple(rects)

    def announce(self, gestures: int) -> None:
        """The next move takes so many gestures; raises GuardError while the last one is not confirmed."""
        if self._open:
            raise GuardError("a gesture was made whose effect nobody has seen: confirm it before the next move")
        self._free = gestures

    def confirmed(self) -> None:
        """The picture has told what came of the last gestures, be it nothing: one more is free."""
        self._free, self._open = 1, False

    def stop(self, cause: str, message: str) -> StoppedError:
        """Let nothing be clicked any more; gives the error that says so, the first one where there was one."""
        if self._stopped is None:
            self._stopped = StoppedError(cause, message)
        return self._stopped

    def check(self) -> None:
        """Raise StoppedError if there is a reason to stop; waiting loops call this between two looks."""
        if self._stopped is None and self._stop.is_set():
            self.stop("asked", "stopped as asked: nothing more is clicked")
        if self._stopped is None:
            self._check_hand(self._pointer.position())
        if self._stopped is not None:
            if self.held:
                self._let_go()
            raise self._stopped

    def tap(self, spot: Spot, *, times: int = 1) -> None:
        """Press and release at `spot`; raises GuardError, StoppedError, PointerError, and what the witness raises.

        times: how often in a moment: a double click is one gesture, and looking between its clicks takes too long.
        """
        self._permit(spot)

        def taps() -> None:
            for _ in range(times):
                self._pointer.tap(spot)

        self._act(spot, taps)

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start`, release at `end`; raises as `tap` does."""
        self._permit(start, end)
        self._act(end, lambda: self._pointer.drag(start, end))

    def hold(self, spot: Spot) -> None:
        """Press at `spot` and keep the button down, which is no gesture yet; raises as `tap` does."""
        self._permit(spot)
        self._leave(spot)
        self.held = True
        self._pointer.hold(spot)

    def release(self) -> None:
        """Let the button go where the pointer was moved last; raises as `tap` does there."""
        spot = self._left
        self._permit(*([] if spot is None else [spot]))
        self._act(spot, self._let_go)

    def put_back(self, spot: Spot) -> None:
        """Let a button that is held go at `spot`, where it was pressed: nothing comes of that; raises PointerError."""
        if self.held:
            self._leave(spot)
            self._pointer.move(spot)
            self._let_go()

    def _let_go(self) -> None:
        self.held = False
        self._pointer.release()

    def press(self, key: str) -> None:
        """Press and release a key; raises GuardError, StoppedError, PointerError."""
        self._permit()
        self._act(self._left, lambda: self._pointer.press(key))

    def move(self, spot: Spot) -> None:
        """Rest at `spot`, allowed or not: nothing is pressed there; raises StoppedError, PointerError."""
        self.check()
        self._leave(spot)
        self._pointer.move(spot)

    def position(self) -> Spot | None:
        """Where the pointer is."""
        return self._pointer.position()

    def _permit(self, *spots: Spot) -> None:
        """Raise unless one gesture at `spots` may be made now."""
        self.check()
        if self._free == 0:
            raise GuardError("the last gesture is not confirmed: look what came of it before the next one")
        for spot in spots:
            if not any(rect.contains(spot) for rect in self._allowed):
                raise GuardError(
                    f"{_words(spot)} is neither on the board nor on a control as last confirmed "
                    f"({len(self._allowed)} places are allowed): calibrate anew"
                )
        for spot in reversed(spots):  # a drag begins at the first one
            if self.witness is not None:
                self.witness(spot)
                self.check()

    def _act(self, left: Spot | None, gesture: Callable[[], None]) -> None:
        """Make `gesture`, after which the pointer rests at `left`; one that fails half-way counts as made."""
        self._free -= 1
        self._open = True
        self._leave(left)
        try:
            gesture()
        except StoppedError as error:  # the pointer's own fail-safe
            self._stopped = error
            raise

    def _leave(self, spot: Spot | None) -> None:
        """Remembers that the pointer is sent to `spot`, from where it was left."""
        if spot != self._left:
            self._before, self._left = self._left, spot

    def _check_hand(self, position: Spot | None) -> None:
        if position is None:
            return
        if self._left is None:
            self._left = position  # where it rested when there was nothing to stop yet
        if any(max(abs(position.x - x), abs(position.y - y)) <= CORNER for x, y in self._corners):
            self.stop("corner", f"stopped: the pointer is in a corner of the screen, at {_words(position)}")
        elif dist(position, self._left) > self._hand and not self._on_its_way(position):
            self.stop(
                "hand",
                f"stopped: somebody moved the pointer from {_words(self._left)} to {_words(position)}; it is yours",
            )

    def _on_its_way(self, position: Spot) -> bool:
        """Whether the pointer has not gone yet: a window manager that is busy keeps it where a button was pressed."""
        return self._before is not None and dist(position, self._before) <= STAYED


@contextmanager
def stop_on_signals(stop: threading.Event) -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM set `stop`, and a second Ctrl-C raise KeyboardInterrupt.

    Who heard SIGTERM before hears it at the end: it is meant for more than what is stopped here.
    Python lets only the main thread handle signals, so this must be entered there.
    """
    heard: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()
        heard.append(number)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        whole = before[signal.SIGTERM]
        if signal.SIGTERM in heard and callable(whole):
            whole(signal.SIGTERM, None)


def _corners(desktop: Rect) -> list[tuple[float, float]]:
    """The four outermost spots a pointer can reach."""
    right, bottom = desktop.x + desktop.width - 1, desktop.y + desktop.height - 1
    return [(x, y) for x in (desktop.x, right) for y in (desktop.y, bottom)]


def _words(spot: Spot) -> str:
    return f"({spot.x:.0f}, {spot.y:.0f})"
