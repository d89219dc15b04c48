"""Laying in modes of a page that does not show under the pointer, in its place, what a press would lay there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.play.aim import Aiming, NotOfferedError
from bot.play.expected import Expected
from bot.play.stages import row_of
from bot.play.switching import Switches
from bot.ports import RIGHT, WHEEL
from games.core import Tap, Target

KEYS = (WHEEL, "r")
"""What turns, on some pages, what shows under the pointer already: a letter may do anything where nothing does."""

LONG = 2.0
"""How much longer than wide what is laid between cells is at least, if it follows the pointer."""

FIRST = 1
"""Which place of a wish is pressed first: one is a groove, and after it come cells, which pages with modes hear.

That before it, the groove itself, where a page lights them up in those modes.
"""

Probe = tuple[Tap, Expected]
"""How a move is made, and where it shows before."""


class Unshown:
    """Turns `switches` to where a press may lay a wish, and remembers what a press laid there.

    rows: the ways in which what is laid may lie, in an order that the positions of a switch may have, too.
    press: presses a key.
    """

    def __init__(self, switches: Switches, aim: Aiming, rows: Sequence[str], press: Callable[[str], None]) -> None:
        self._switches, self._aim, self._rows, self._press = switches, aim, rows, press
        self._known: dict[str, tuple[int, int]] = {}  # by way: the position of the switch, and which place is pressed
        self._vain: set[str] = set()  # ways in which nothing could be laid
        self._wished = ""  # the way in which what was wished for last lies
        self._tried, self._tries = (0, FIRST), 0  # the last press, and how many laid nothing since one did

    def lacks(self, target: Target) -> bool:
        """Whether no position of the switch lays what is pressed at `target`, as far as is known."""
        return row_of(target) in self._vain

    def give_up(self, target: Target) -> bool:
        """Takes nothing for laid any more that lies as at `target`; whether anything else may be."""
        self._vain.add(row_of(target))
        return not self._vain.issuperset(self._rows)

    def laid(self, target: Target) -> None:
        """Remembers that the last press laid what is pressed at `target`; not where nothing was pressed for such.

        What lies another way than was wished for is had by another position of the switch, or by none.
        """
        if self._tries and row_of(target) in self._rows:
            self._known[row_of(target)], self._tries = self._tried, 0
            if self._wished != row_of(target) and not self._free(self._wished):
                self._vain.add(self._wished)

    def _free(self, row: str) -> list[int]:
        """The positions of the switch that lay nothing which lies in another way, as far as is known."""
        taken = {position for other, (position, _) in self._known.items() if other != row}
        return [position for position in self._switches.modes if position not in taken]

    def lay(self, wish: Probe) -> int:
        """Turns the page to where a press may lay what is wished; gives at which of its places.

        Raises NotOfferedError where what follows the pointer lies another way, whatever is turned.
        """
        tap, expected = wish
        row, places, modes = row_of(tap.target), tap.alternatives, self._switches.modes
        position = modes[self._rows.index(row)] if len(modes) == len(self._rows) else modes[0]
        position = position if position in (free := self._free(row) or modes) else free[0]
        self._wished = row
        _, likely = next(iter(self._known.values()), (0, 0 if self._switches.slots else FIRST))
        order = sorted(range(len(places)), key=lambda place: place != likely)
        position, at = self._known.get(row, (position, order[self._tries % len(order)]))
        self._tried, self._tries = (position, at), self._tries + 1
        self._switches.choose(position)
        for key in (*KEYS, RIGHT, ""):
            across = _lies_across(*self._aim.follower(places[at]))
            if across in (_lies_across(*expected.extent), None):
                return at
            self._press(key) if key else None
        raise NotOfferedError("what follows the pointer lies another way")


def _lies_across(width: float, height: float) -> bool | None:
    """Whether something so wide and high lies across, rather than upright; None for neither."""
    longer, shorter = max(width, height), min(width, height)
    return width > height if longer >= LONG * max(1.0, shorter) else None
