"""One way to wait for pictures: look until the board shows what is waited for, and know how long it has shown it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.play.motion import still
from bot.play.observer import Reading, downsample
from bot.ports import Clock

STILL = 0.06
"""Two looks this many seconds apart that agree show a board at rest: more than three pictures of a 60 Hz screen."""

RESTLESS = 0.6
"""What is shown for so many seconds counts though something still moves: a mark that blinks."""

PUZZLED = 1.0
"""Seconds that a picture may stay unexplained before something is done about it."""

UNSETTLED = 2.0
"""Seconds in which nothing has shown long enough to be believed: some of the board changes by itself all the time."""

LATER = 0.05
"""The share of the time waited so far that the next look may come later: slow games are not watched in vain."""

SILENT = 5.0
"""Seconds after which a person is told what is waited for, again and again."""

Shown = TypeVar("Shown")


class Patience:
    """Tells a person every few seconds for how long something has been waited for.

    waits: is told how many seconds it is since the wait `begun`.
    """

    def __init__(self, clock: Clock, waits: Callable[[float], None]) -> None:
        self._clock, self._waits, self._told = clock, waits, 0
        self.begun = clock.now()

    def still(self) -> None:
        """Says that it is waited still, where nothing was said of it for a while."""
        seconds = self._clock.now() - self.begun
        if seconds // SILENT > self._told:
            self._told = int(seconds // SILENT)
            self._waits(seconds)


class BoardWait(Generic[Shown]):
    """A wait for something that the board will show.

    look: takes a reading.  tell: says what a reading shows.  pause: lets so many seconds pass.
    waits: is told, every few seconds, for how long it has been.  unsettled: is called where nothing stays for long.
    least, most: seconds between two looks, which grow with the time waited.
    begun, now: when the wait began, and when the latest reading was there.
    since: when the board first showed what it shows, without showing anything else since.
    """

    def __init__(
        self,
        clock: Clock,
        look: Callable[[], Reading],
        tell: Callable[[Reading], Shown],
        pause: Callable[[float], None],
        *,
        waits: Callable[[float], None] = lambda seconds: None,
        unsettled: Callable[[], None] = lambda: None,
        least: float,
        most: float = np.inf,
    ) -> None:
        self._clock, self._look, self._tell, self._pause = clock, look, tell, pause
        self._unsettled = unsettled
        self._patience, self._least, self._most = Patience(clock, waits), least, most
        self._resting: Reading | None = None
        self._picture: NDArray[np.float32] | None = None
        self._shown: Shown
        self._still = 0.0
        self._looked = False
        self.begun = self.now = self.since = self._calmed = clock.now()

    @property
    def seconds(self) -> float:
        """How long the wait has been at the latest reading."""
        return self.now - self.begun

    @property
    def lasted(self) -> float:
        """For how many seconds the board has shown what it shows."""
        return self.now - self.since

    @property
    def calm(self) -> bool:
        """Whether the board has shown one thing long enough to be believed."""
        return self.now - max(self.since, self._still) >= STILL or self.lasted >= RESTLESS

    @property
    def restless(self) -> bool:
        """Whether something moves all the time on a board that shows one thing, or nothing."""
        return self.lasted >= RESTLESS and self.now - self._still < STILL

    @property
    def puzzling(self) -> bool:
        """Whether something must be done about what shows, if nothing explains it."""
        return self.lasted > PUZZLED

    def look(self) -> tuple[Reading, Shown]:
        """The next reading, after a pause unless it is the first, and what it shows."""
        if self._looked:
            self._pause(min(self._most, max(self._least, LATER * self.seconds)))
        self._looked = True
        reading = self._look()
        shows = self._tell(reading)
        self.now = self._clock.now()
        self._patience.still()
        if self._resting is None or shows != self._shown:
            self.since = self.now
        if self._resting is None or self._moved(reading, self._resting):
            self._resting, self._still = reading, self.now
        self._shown = shows
        if self.calm:
            self._calmed = self.now
        elif self.now - self._calmed > UNSETTLED:
            self._unsettled()
            self.anew()
        return reading, shows

    def _moved(self, reading: Reading, resting: Reading) -> bool:
        """Whether something moved since `resting`, whose picture is only made smaller where there is another."""
        before = downsample(resting) if self._picture is None else self._picture
        now = downsample(reading)
        moved = not still(now, before)
        self._picture = now if moved else before
        return moved

    def anew(self) -> None:
        """Forgets what was shown: something was done about it."""
        self._resting = self._picture = None
        self._calmed = self._clock.now()
