"""What turns a piece in hand: keys, buttons, the wheel, a double click; each known by what it did to forms so far."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator

from games.polyominoes import PIECE_OF, PIECES, Shape, flipped, rotated

MISSES = 2
"""Times a key turned nothing until it is used no more: once it may have been lost."""

SURE = 5
"""Times a key turned pieces in one way until it is known to: those that show all eight forms in turn turn a piece over
after three."""

WAYS = tuple((mirrors, quarters) for mirrors in (0, 1) for quarters in range(4))
"""The eight ways to turn a form: so often over, left and right exchanged, and so many quarter turns to the right."""


def turned(form: Shape, way: tuple[int, int]) -> Shape:
    """A form turned in one of the WAYS.

    >>> turned(((0, 0), (0, 1), (1, 0)), (0, 1))
    ((0, 0), (0, 1), (1, 1))
    """
    mirrors, quarters = way
    for turn in (flipped,) * mirrors + (rotated,) * quarters:
        form = turn(form)
    return form


class Turning:
    """What is known of what turns pieces here.

    never: forms that pieces did not take, whatever was done: a page may turn them, and not turn them over.
    """

    def __init__(self) -> None:
        self.never: set[Shape] = set()
        self._did: dict[str, tuple[tuple[int, int], ...]] = {}  # the ways that explain what each key did so far
        self._misses: Counter[str] = Counter()  # how often a key turned nothing, since it last did
        self._alike: Counter[str] = Counter()  # how often it turned a piece, each time in one of those ways

    def __contains__(self, key: str) -> bool:
        """Whether a key turned a piece."""
        return key in self._did

    def __bool__(self) -> bool:
        """Whether anything turned a piece."""
        return bool(self._did)

    def showed(self, key: str, before: Shape, after: Shape) -> bool:
        """Takes what came of `key`; whether anything did, or was due."""
        if before == after:
            changes = self._changes(key, before)
            self._misses[key] += changes
            return not changes
        every = tuple(way for way in WAYS if turned(before, way) == after)
        if not every:
            return True  # what shows is another piece, or a part of this one
        ways = tuple(way for way in self._did.get(key, WAYS) if way in every)
        self._alike[key] = self._alike[key] + 1 if ways else 1
        self._did[key] = ways or every
        self._misses[key] = 0
        return True

    def worth(self, key: str) -> bool:
        """Whether `key` may turn a piece."""
        return self._misses[key] < MISSES

    def next(self, form: Shape, wanted: Shape, keys: Iterable[str], others: Iterator[str]) -> str | None:
        """The key that leads from `form` soonest to the one that is `wanted`, as far as is known.

        Else the next of the `others` that may turn it; None where all is known of the `keys`, or none is left.
        """
        first, worth = self._reached(form, keys), [key for key in keys if self.worth(key)]
        if wanted in first:
            return first[wanted]
        if all(self._alike[key] >= SURE for key in worth):
            return None
        return next((key for key in others if self.worth(key) and self._changes(key, form)), None)

    def _reached(self, form: Shape, keys: Iterable[str]) -> dict[Shape, str | None]:
        """The forms that lead from `form` by what is known, each with the first of the fewest keys to it."""
        known = [key for key in keys if key in self._did and self.worth(key)]
        first: dict[Shape, str | None] = {form: None}
        queue = deque([form])
        while queue:
            here = queue.popleft()
            for key in known:
                after = turned(here, self._did[key][0])
                if after not in first:
                    first[after] = first[here] or key
                    queue.append(after)
        return first

    def give_up(self, form: Shape, seen: Iterable[Shape], keys: Iterable[str]) -> None:
        """Remembers that a piece that lies as `form` takes no forms but those `seen`, and those that `keys` lead to."""
        self.never.update(set(PIECES[PIECE_OF[form]].forms).difference(seen, self._reached(form, keys)))

    def _changes(self, key: str, form: Shape) -> bool:
        """Whether `key`, as far as is known, turns `form` into another one."""
        return any(turned(form, way) != form for way in self._did.get(key, WAYS))
