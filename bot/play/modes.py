"""Modes of a page: what a press on its board lays may depend on what was turned before; the pointer shows it there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from bot.drag.gestures import NotInHandError
from bot.play.aim import Aiming, NotOfferedError, Under, WithheldError
from bot.play.expected import Expected
from bot.play.observer import Observer, Reading
from bot.play.stages import row_of
from bot.play.switching import MODE, Switches
from bot.play.unshown import KEYS, Probe, Unshown
from bot.pointers.guard import GuardedPointer
from bot.ports import RIGHT, WHEEL, WHEEL_BACK
from games.core import MODES, Target

TURNS, ROUND = 3, 12
"""Presses of what may turn it after each of which it is looked, as pages have two to four modes; and those after which
it is back where it was, however many there are."""

PLACES = 2
"""So many of the places of what may be laid, a groove and a cell, show whether a mode lays anything."""


def in_modes(how: str) -> bool:
    """Whether a way of making moves turns the page to a mode of its own first."""
    return MODES in how.split("+")


class Modes:
    """Turns the page that `observer` sees to the mode in which a press makes a move, and back.

    Nothing is pressed on the board for that: the page must show under the pointer what a press would lay.
    """

    def __init__(
        self, observer: Observer, pointer: GuardedPointer, aim: Aiming, adopt: Callable[[], None] = lambda: None
    ) -> None:
        self._observer, self._pointer, self._aim = observer, pointer, aim
        self._switches = Switches(observer, pointer, aim, adopt)
        self._unshown: Unshown | None = None  # of a page that shows no move in its place
        self._sought = False
        self._at: int | None = None  # which of the places that a move has is pressed, if known
        self._keys: tuple[str, ...] = KEYS
        self._turned = 0  # times the page was turned since a press laid nothing
        self._cycle = 0  # after how many it is in the same mode again, 0 while that is not known
        self._returns = False  # whether a page goes back by itself once something was laid

    @property
    def known(self) -> bool:
        """Whether it is known what turns this page."""
        return bool(self._observer.calibration.turner)

    def seek(self, confirmed: Reading, wishes: Sequence[Probe], steps: Sequence[Target], *, alone: bool) -> bool:
        """Whether a switch beside the board turns it to a mode in which it answers the pointer otherwise.

        Sought once, where it shows nothing of `wishes`, one of each way; it is in the mode in which it was afterwards.
        steps: places that are pressed in that.  alone: see `Switches.seek`.
        """
        if self._sought or any(name.startswith(MODE) for name in self._observer.calibration.controls if not self.known):
            return False
        self._sought = True
        if self.known and not self._switches.positions:
            return False
        try:
            return (self.known and self._is_shown(wishes)) or self._seek(confirmed, wishes, steps, alone=alone)
        except WithheldError:  # something moves, or lies over it
            with suppress(WithheldError):
                self._switches.go_back()
            self._switches.forget()
            return False

    def _seek(self, confirmed: Reading, wishes: Sequence[Probe], steps: Sequence[Target], *, alone: bool) -> bool:
        """As `seek`; raises WithheldError."""
        shown = self._answer(wishes)
        if shown is Under.OTHER:
            self._aim.watch()  # something may change by itself
            shown = self._answer(wishes)
        if shown is not Under.NOTHING:
            return False
        targets = [*wishes[0][0].alternatives[:PLACES], *steps]
        if not self._switches.seek(confirmed, targets, alone=alone):
            return False
        if self._is_shown(wishes):
            return True
        if self._switches.positions:
            rows = [row_of(tap.target) for tap, _ in wishes]
            self._unshown = Unshown(self._switches, self._aim, rows, self._press)
        else:
            self._switches.forget()
        return self._unshown is not None

    def _answer(self, wishes: Sequence[Probe]) -> Under:
        """What shows under the pointer where the first of `wishes` would be laid for which anything does."""
        every = (self._aim.under(tap.target, expected) for tap, expected in wishes)
        return next((shown for shown in every if shown is not Under.NOTHING), Under.NOTHING)

    def _is_shown(self, wishes: Sequence[Probe]) -> bool:
        """Whether one of `wishes` shows under the pointer in a mode to which the page is turned."""
        turner = self._observer.calibration.turner
        for _ in range(TURNS):
            self._turn(turner)
            tap, expected = wishes[0]
            shows = (self._aim.under(place, expected) is not Under.NOTHING for place in tap.alternatives[:PLACES])
            for wish in wishes if any(shows) else ():
                if (at := self._shown(wish, pressed=False)) is not None:
                    self._learn(wish, at, turner)
                    return True
        self._switches.go_back()
        return False

    def lacks(self, target: Target) -> bool:
        """Whether no mode of the page lays what is pressed at `target`, as far as is known."""
        return self._unshown is not None and self._unshown.lacks(target)

    def give_up(self, target: Target) -> bool:
        """Whether something may be laid still where nothing could be that lies as at `target`."""
        return self._unshown is not None and self._unshown.give_up(target)

    def laid(self, target: Target) -> None:
        """Remembers that the last press laid what is pressed at `target`."""
        if self._unshown is not None:
            self._unshown.laid(target)

    def lay(self, wish: Probe, *, pressed: bool) -> int:
        """Turns the page until a press lays what is wished; gives at which of its places that shows.

        pressed: whether the first place was pressed in this mode, in vain.
        Raises NotInHandError where it shows nowhere, NotOfferedError where others did: the page is in the mode in which
        it was, then.
        """
        if self._unshown is not None:
            return self._unshown.lay(wish)
        for turner in self._turners():
            for turns in range(TURNS + 1 if turner else 1):
                if (at := self._shown(wish, pressed=pressed and turns == 0, clear=True)) is not None:
                    self._learn(wish, at, turner if turns else "")
                    return at
                self._turn(turner)
            for _ in range(ROUND - TURNS - 1 if turner else 0):
                self._turn(turner)
        words = "the page shows nothing of this move under the pointer in any mode"
        raise NotInHandError(words, showed=False) if self._at is None else NotOfferedError(words)

    def leave(self) -> None:
        """Turns a page back in whose modes cells or grooves are marked: what was laid could not be told there."""
        if self._switches.positions and (self._switches.marks or self._switches.slots):
            self._aim.leave(self._observer.beside())
            self._pointer.confirmed()  # the press laid something or did not: what shows here does not tell
            with suppress(WithheldError):
                self._switches.go_back()

    def walk(self, target: Target, probes: Sequence[Probe]) -> None:
        """Turns the page until a press lays nothing, on `target` or where something of `probes` may be laid.

        Raises WithheldError where it always does.
        """
        if self._unshown is not None or self._switches.positions:  # in its first position nothing showed
            self._switches.go_back()
            return
        for _ in range(ROUND):
            if not self._lays(target, probes):
                self._turn_back(target, probes)
                return
            self._turn(self._observer.calibration.turner)
        raise WithheldError("a press there lays something in every mode of the page")

    def _turn_back(self, target: Target, probes: Sequence[Probe]) -> None:
        """Turns the page on, where nothing shows in any mode, until it was turned as often as takes it back."""
        off = self._turned % self._cycle if self._cycle and not self._returns else 0
        if off:
            for _ in range(self._cycle):
                self._turn(self._observer.calibration.turner)
                self._returns |= self._lays(target, probes)
        for _ in range(self._cycle - off if off and not self._returns else 0):
            self._turn(self._observer.calibration.turner)
        self._turned = 0

    def _lays(self, target: Target, probes: Sequence[Probe]) -> bool:
        """Whether a press lays something, on `target` or where something of `probes` may be laid."""
        return self._aim.under(target, Expected()) is not Under.NOTHING or any(map(self._is_offered, probes))

    def _turners(self) -> Iterator[str]:
        """What may turn the page: what is known to, or the controls that do and the other button of the pointer."""
        calibration = self._observer.calibration
        if self.known or self._at is not None:
            yield calibration.turner
        else:
            yield from [name for name in calibration.controls if name.startswith(MODE)] or [RIGHT]

    def _shown(self, wish: Probe, *, pressed: bool, clear: bool = False) -> int | None:
        """At which of its places the move shows under the pointer, turned by a key where that turns what shows.

        clear: raises WithheldError where something lies over the board.
        """
        tap, expected = wish
        for number, place in enumerate(tap.alternatives):
            if self._at in (None, number):
                shown = self._aim.under(place, expected, clear=clear)
                if shown is Under.OTHER and self._turned_by_key(place, expected):
                    return number
                if shown is Under.MOVE and (number or self._at == 0 or not pressed):
                    return number
        return None

    def _turned_by_key(self, place: Target, expected: Expected) -> bool:
        """Whether a key turned what shows under the pointer to what is expected; one that does nothing is none."""
        for key in self._keys:
            then = self._observer.read()
            self._press(key)
            if self._aim.under(place, expected) is Under.MOVE:
                self._keys = (key,)
                return True
            if self._aim.differ(then, self._observer.read()):
                self._press(WHEEL_BACK if key == WHEEL else key)
            else:
                self._keys = tuple(other for other in self._keys if other != key)
        return False

    def _learn(self, wish: Probe, at: int, turner: str) -> None:
        """Remembers what showed the move at that place, and after how many turns it does again."""
        first, self._at = self._at is None, at
        if first:
            self._check_that_it_follows(wish)
        if turner and not self._cycle:
            self._observer.amend(replace(self._observer.calibration, turner=turner))
            for self._cycle in range(1, ROUND):
                self._turn(turner)
                if self._is_offered(wish):
                    return
            self._cycle = 0

    def _check_that_it_follows(self, wish: Probe) -> None:
        """Raises WithheldError where what shows stays without the pointer: an earlier press was late."""
        if self._aim.lies(wish[1], self._observer.beside()):
            raise WithheldError("the move shows without the pointer")

    def _is_offered(self, probe: Probe) -> bool:
        tap, expected = probe
        return self._at is not None and self._aim.under(tap.alternatives[self._at], expected) is Under.MOVE

    def _turn(self, turner: str) -> None:
        if not turner:
            return
        if self._switches.positions:
            self._switches.turn()
        elif turner in self._observer.calibration.controls:
            self._switches.tap(turner)
        else:
            self._press(turner)
        self._aim.turned()
        self._turned += 1

    def _press(self, key: str) -> None:
        self._pointer.press(key)
        self._pointer.confirmed()
