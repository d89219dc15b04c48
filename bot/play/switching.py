"""What beside the board switches it between modes: found before the first move, while no press can lose anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from bot.play.aim import Aiming
from bot.play.observer import Observer, Reading
from bot.pointers.guard import GuardedPointer
from calibration.frame import Box, Pixel, Pixels
from calibration.switches import Switch, switches_beside
from games.core import Target

MODE = "mode"
"""What the names of controls begin with that turn the page to another mode; no picture tells which they are."""

ROW, LIST = f"{MODE}:", f"{MODE}:list"
"""What they begin with that are buttons of a row, before their number, and a list, before how many lines it has."""

LINES, LONG = 4, 10
"""Lines of a list that are modes at most, and those after which the one that showed at first is not sought further."""

RIM = 3.0
"""Pixels at the edge of a switch in which it may show that it has the focus."""

SWITCHES = 4
"""So many switches beside a board are tried at most; of real pages one has three."""


class Switches:
    """Presses what beside the board that `observer` sees may switch it between modes.

    adopt: is called when controls were found, or found to be none.
    modes: the positions of the switch, of those beside the one it had first, in which the board answers the pointer
    otherwise.
    marks: whether the board looks otherwise in them, wherever the pointer is.  slots: whether it does between cells.
    """

    def __init__(
        self, observer: Observer, pointer: GuardedPointer, aim: Aiming, adopt: Callable[[], None] = lambda: None
    ) -> None:
        self._observer, self._pointer, self._aim, self._adopt = observer, pointer, aim, adopt
        self._position = 0
        self.modes: tuple[int, ...] = ()
        self.marks = self.slots = False

    @property
    def positions(self) -> int:
        """How many positions the switch in use has, if each can be chosen whatever it is in; else 0."""
        turner = self._observer.calibration.turner
        if turner.startswith(LIST):
            return int(turner.removeprefix(LIST))
        return self._buttons() if turner == ROW else 0

    def _buttons(self) -> int:
        return sum(name[len(ROW) :].isdigit() for name in self._observer.calibration.controls if name.startswith(ROW))

    def turn(self) -> None:
        """Turns the switch to its next position."""
        self.choose((self._position + 1) % self.positions)

    def choose(self, position: int) -> None:
        """Turns the switch to a position."""
        turner = self._observer.calibration.turner
        self.tap(f"{ROW}{position}" if turner == ROW else turner)
        if turner != ROW:
            self._type("home", *["down"] * position, "enter")
        self._position = position

    def go_back(self) -> None:
        """Turns the switch to its first position, unless it was not turned since."""
        if self._position:
            self.choose(0)

    def _type(self, *keys: str) -> None:
        for key in keys:
            self._pointer.press(key)
            self._pointer.confirmed()

    def tap(self, control: str) -> None:
        """Presses a control; its sign may say which mode it is."""
        observer = self._observer
        observer.patches.pop(control, None)
        self._aim.leave(observer.beside())
        with self._aim.as_it_shows():
            self._pointer.tap(observer.spot(observer.calibration.controls[control]))
        self._pointer.confirmed()

    def seek(self, confirmed: Reading, targets: Sequence[Target], *, alone: bool) -> bool:
        """Whether a switch is found that changes what shows while the pointer rests on `targets`: it is in use, then.

        confirmed: the board as it is.  alone: whether single buttons are pressed, too, any of which may deal anew.
        The switch is back in the position in which it was; so is one that was none, if it shows which it has.
        """
        observer = self._observer
        found = switches_beside(observer.look([observer.desktop]), observer.calibration.lattice)
        found = [each for each in found if each.sure or alone][:SWITCHES]
        usual = [*self._answers(targets)] if found else []
        if self._otherwise(targets, usual):  # something moves by itself
            self._aim.watch()
            usual = [*self._answers(targets)]
            if self._otherwise(targets, usual):
                return False
        for switch in found:
            self._use(switch)
            self.modes = self._modes(switch, confirmed, targets, usual)
            if self.modes:
                return True
            self.forget()
            if not self._same(confirmed):
                break
        return False

    def _modes(
        self, switch: Switch, confirmed: Reading, targets: Sequence[Target], usual: Sequence[Reading]
    ) -> tuple[int, ...]:
        """The positions of the switch in use in which the board, as `confirmed`, answers otherwise than as usual."""
        if not self.positions:
            return self._one(switch, confirmed, targets, usual)
        if switch.listed and not self._begins(switch):
            return ()
        found, shown = list[int](), list[Pixels]()
        for position in range(1, self.positions):
            if position > 1 and not switch.listed:
                self.choose(0)  # a button of the row may turn what another one does
            self.choose(position)
            shown.append(self._looks(switch))
            if switch.listed and any(np.array_equal(shown[-1], each) for each in shown[:-1]):
                break  # its last line was chosen before
            same = self._same(confirmed)
            if same and self._otherwise(targets, usual):
                found.append(position)
            if not same:
                break
        self.choose(0)
        return tuple(found) if self._same(confirmed) else ()

    def _begins(self, switch: Switch) -> bool:
        """Whether the list in use shows its first line; it shows the one it did."""
        self.tap(self._observer.calibration.turner)
        self._type("enter")  # it has the focus now
        first = self._looks(switch)
        self.choose(0)
        if np.array_equal(first, self._looks(switch)):
            return True
        for position in range(1, LONG):
            self.choose(position)
            if np.array_equal(first, self._looks(switch)):
                break
        return False

    def _one(
        self, switch: Switch, confirmed: Reading, targets: Sequence[Target], usual: Sequence[Reading]
    ) -> tuple[int, ...]:
        """As `_modes`, of a single button: it is pressed again until it looks as it did, if it does not at once."""
        turner = self._observer.calibration.turner
        first = self._looks(switch)
        self.tap(turner)
        found = self._same(confirmed) and self._otherwise(targets, usual)
        for _ in range(LINES):
            if np.array_equal(first, self._looks(switch)):
                break
            self.tap(turner)
        return (1,) if found else ()

    def _looks(self, switch: Switch) -> Pixels:
        """What the switch shows, the pointer beside the board; a rim where it has the focus is none of it."""
        self._aim.leave(self._observer.beside())
        box = switch.boxes[0]
        inner = Box(box.x + RIM, box.y + RIM, box.width - 2 * RIM, box.height - 2 * RIM)
        rect = self._observer.rect(inner)
        return self._observer.look([rect]).crop(rect).pixels

    def _otherwise(self, targets: Sequence[Target], usual: Sequence[Reading]) -> bool:
        return any(self._aim.differ(then, now) for then, now in zip(usual, self._answers(targets), strict=False))

    def _answers(self, targets: Sequence[Target]) -> Iterator[Reading]:
        """What shows while the pointer rests on each of `targets`."""
        return (self._aim.answer(target) for target in targets)

    def _same(self, confirmed: Reading) -> bool:
        """Whether the board shows the pieces that it did."""
        self._aim.leave(self._observer.beside())
        reading = self._observer.read()
        self.marks |= self._aim.differ(confirmed, reading)
        self.slots |= self._aim.lights_between(confirmed, reading)
        now = reading.observation.grid
        return now.shape == confirmed.observation.grid.shape and bool((now == confirmed.observation.grid).all())

    def _use(self, switch: Switch) -> None:
        """Takes what was found for controls."""
        if switch.listed:
            turner = f"{LIST}{LINES}"
            self._take(turner, {turner: switch.boxes[0].centre})
        else:
            controls = {f"{ROW}{number}": box.centre for number, box in enumerate(switch.boxes)}
            self._take(ROW if switch.sure else f"{ROW}0", controls)

    def forget(self) -> None:
        """Takes no switch for known."""
        self._take("", {})

    def _take(self, turner: str, controls: Mapping[str, Pixel]) -> None:
        calibration, self._position = self._observer.calibration, 0
        others = {name: at for name, at in calibration.controls.items() if not name.startswith(ROW)}
        self._observer.amend(replace(calibration, controls={**others, **controls}, turner=turner))
        self._adopt()
