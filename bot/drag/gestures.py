"""The gestures that move a piece, each followed by readings until what it does shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.drag.hypotheses import CHANGED
from bot.play.motion import still
from bot.play.observer import Observer, Reading, downsample
from bot.pointers.guard import GuardedPointer
from bot.ports import Clock
from bot.runs.journal import Click
from calibration.cell_patches import ZONES, cell_patches
from calibration.frame import Pixel
from games.core import BoardsightError, Carry, Press, Tap

SETTLE = 0.04
"""Seconds for which a picture must be still to be looked at."""

POLL = 0.05
"""The part of the time waited so far after which the next reading is taken: long waits need no haste."""

APART = 0.012
"""Seconds between two keys: those of one moment are a key held down to X, which busy programs shorten."""

TWICE = 0.6
"""Seconds from one tap to the next two that are a double click, and not the rest of a longer row: most systems join
taps that are up to half a second apart."""

LATELY = 0.7
"""The part of the longest time a step took to show that is still reckoned with after the next one."""

SLOW = 0.3
"""Seconds after which a step that changed nothing is taken to have none to show, where steps show sooner."""

LAGS = 3.0
"""The same in times that steps took to show lately."""

UNRESTED = 0.02
"""The share of a board's zones that may change while it rests: a pointer, a mark."""

Told = TypeVar("Told")


class NotInHandError(BoardsightError):
    """The piece could not be taken, turned or brought where it shall lie; it was put away.

    showed: whether anything showed in hand.  refused: whether it showed, at its place, as what may not lie there.
    """

    def __init__(self, message: str, *, showed: bool, refused: bool = False) -> None:
        super().__init__(message)
        self.showed, self.refused = showed, refused


class Gestures:
    """Gestures on the board that `observer` sees, each followed by a reading that waits for what it does."""

    def __init__(self, observer: Observer, pointer: GuardedPointer, clock: Clock) -> None:
        self.observer = observer
        self.pointer = pointer
        self._clock = clock
        self._lag = 0.0
        self._tapped = -np.inf
        self.took = 0.0, 0.0  # seconds after which what was seen last did not show yet, and did

    @property
    def patience(self) -> float:
        """Seconds after which a gesture that shows nothing is taken for lost."""
        return self.observer.patience

    @property
    def soon(self) -> float:
        """Seconds within which a gesture shows that does as the others did lately."""
        return min(self.patience, max(SLOW, LAGS * self._lag))

    def now(self) -> float:
        """Seconds since some fixed moment."""
        return self._clock.now()

    def act(self, gesture: Tap | Press, place: Pixel, *, times: int = 1) -> Click:
        """One gesture, of which the next reading shows what came; so many taps in a moment count as one."""
        spot = self.observer.spot(place)
        self.pointer.announce(1)
        if isinstance(gesture, Press):
            self._clock.sleep(APART)
            self.pointer.press(gesture.key)
            name = f"key {gesture.key}"
        else:
            if times > 1:
                self._clock.sleep(max(0.0, self._tapped + TWICE - self.now()))
            self.pointer.tap(spot, times=times)
            self._tapped = self.now()
            name = str(gesture.target)
        self.pointer.confirmed()
        return Click(name, place, spot)

    def hold(self, gesture: Tap, place: Pixel) -> Click:
        """Presses where something is to be dragged from, and keeps the button down."""
        spot = self.observer.spot(place)
        self.pointer.announce(1)
        self.pointer.hold(spot)
        return Click(str(gesture.target), place, spot)

    def put_back(self, place: Pixel) -> bool:
        """Lets what is dragged go where it was taken; whether anything was."""
        if not self.pointer.held:
            return False
        self.pointer.put_back(self.observer.spot(place))
        self._tapped = self.now()  # that ends a tap there
        return True

    def press(self, key: str) -> Click:
        """Presses a key."""
        return self.act(Press(key), self.observer.calibration.lattice.origin)

    def hear(self, least: float = 0.0) -> None:
        """Waits as long as gestures took to be heard lately, or `least` seconds: what shows sooner was there before."""
        self._clock.sleep(max(least, self._lag))

    def rests(self, base: NDArray[np.float32]) -> bool:
        """Whether the board still shows as in `base`, its `zones` without a piece in hand: not hidden, not moved."""
        changed = np.abs(self.zones(self.observer.read()) - base).max(axis=2) > CHANGED
        return float(changed.mean()) <= UNRESTED

    def seen(
        self,
        tell: Callable[[Reading], Told],
        shows: Callable[[Told], bool],
        seconds: float,
        *,
        meanwhile: Callable[[], None] | None = None,
        surely: Callable[[Told, bool], bool] = lambda told, slow: False,
    ) -> Told:
        """What `tell` tells of the first still picture that `shows` what is awaited, or of the last after `seconds`.

        How long it took is reckoned with from then on, without what pictures themselves take.
        meanwhile: what is done every now and then until it shows.
        surely: whether one picture is enough to see what was told, also where it is slow, and so would be the next.
        """
        begun = since = last = before = idle = self._clock.now()
        picture: NDArray[np.float32] | None = None
        told: Told | None = None
        while True:
            self.pointer.check()
            reading = self.observer.read()
            now, taken, fresh = self._clock.now(), reading.frame.taken, downsample(reading)
            if picture is None or not still(fresh, picture):
                picture, since, before, told = fresh, taken, last, None
            last, late, rests = taken, taken - begun >= seconds, taken - since >= SETTLE
            if late or told is None or not rests:
                told = tell(reading)
                if shows(told) and (late or rests or surely(told, now - taken > SETTLE)):
                    self.took = before - begun, since - begun
                    self._lag = max(since - begun, LATELY * self._lag)
                    return told
                if late:
                    return told
                told = told if rests else None
            if meanwhile is not None and now - idle >= SLOW:
                meanwhile()
                idle = now
            self._clock.sleep(max(SETTLE / 4, POLL * (now - begun)))

    def zones(self, reading: Reading) -> NDArray[np.float32]:
        """float32[ZONES * rows, ZONES * cols, 3]: the colours of the board's cells, zone by zone."""
        lattice = self.observer.calibration.lattice.moved(Pixel(-reading.offset.x, -reading.offset.y))
        found = cell_patches(reading.frame.pixels, lattice, (0.5, 0.5))
        return found.swapaxes(1, 2).reshape(lattice.rows * ZONES, lattice.cols * ZONES, 3)

    def not_in_hand(self, wish: Carry, *, showed: bool, refused: bool = False) -> NotInHandError:
        """Puts away what may be in hand, and says that the piece of `wish` could not be laid."""
        self.press("esc")
        self._clock.sleep(self.soon)  # nothing need show
        at = f"row {wish.hold.row}, col {wish.hold.col}"
        what = "may not lie there, as it shows" if refused else f"could not be brought there by {wish.by}"
        return NotInHandError(f"the piece of {len(wish.cells)} cells for {at} {what}", showed=showed, refused=refused)
