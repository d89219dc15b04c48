"""Which tray a piece is taken from: each side may have its own, and no picture tells which of them is ours."""

from __future__ import annotations

from collections.abc import Collection

from bot.play.stages import row_of
from games.core import Tap


class Trays:
    """The trays that pieces came to the hand from, by the tray that is theirs by the rules' numbers."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._sought = "", ""  # whose piece was sought last, and the tray that it was sought in

    def unsought(self, take: Tap, controls: Collection[str]) -> int:
        """In how many trays a piece waits, where there are several and it is not known which is ours; else 0."""
        trays = 0 if row_of(take.target) in self._known else len(_waiting(take, controls))
        return trays if trays > 1 else 0

    def piece(self, take: Tap, attempt: int, controls: Collection[str]) -> str:
        """The piece to take: that of its own tray, at a later `attempt` another one's, for trays may be exchanged.

        The tray that such a piece was taken from last is its own, unless the next one did not come from there.
        """
        own, there = row_of(take.target), _waiting(take, controls)
        there.sort(key=lambda each: row_of(each) != self._known.get(own))
        taken = there[0 if own in self._known else attempt % len(there)] if there else str(take.target)
        self._sought = own, row_of(taken)
        return taken

    def came(self, *, showed: bool) -> None:
        """Remembers whether the piece that was sought last showed in hand: it was the right tray, then."""
        own, tray = self._sought
        if showed:
            self._known[own] = tray
        else:
            self._known.pop(own, None)


def _waiting(take: Tap, controls: Collection[str]) -> list[str]:
    """The pieces on the screen that a tap takes."""
    return [str(each) for each in take.alternatives if each in controls]
