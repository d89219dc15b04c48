"""What turns a piece in hand: keys, buttons, the wheel, a double click; each known by what it did to forms so far."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

from games.polyominoes import PIECE_OF, PIECES, Shape, flipped, rotated

MISSES = 2
"""Times a key turned nothing until it is used no more, twice as often where it did before: presses may be lost."""

SURE = 3
"""Times a key turned pieces as one habit says until that is known to be its habit."""

Way = tuple[int, int]

WAYS: tuple[Way, ...] = tuple((mirrors, quarters) for mirrors in (0, 1) for quarters in range(4))
"""The eight ways to turn a form: so often over, left and right exchanged, and so many quarter turns to the right."""

ROUNDS = tuple((quarter,) * 3 + (over,) for quarter in ((0, 1), (0, 3)) for over in WAYS[4:])
"""What a key does by turns that shows all eight forms: a quarter turn three times, and then over."""

HABITS: tuple[tuple[Way, ...], ...] = (*((way,) for way in WAYS[1:]), *ROUNDS)
"""What a key may do to a piece at each press since it was taken, by turns."""


def turned(form: Shape, way: Way) -> Shape:
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
        self._may: dict[str, tuple[tuple[Way, ...], ...]] = {}  # the habits that explain what each key did so far
        self._misses: Counter[str] = Counter()  # how often a key turned nothing, since it last did
        self._pressed: Counter[str] = Counter()  # how often it turned the piece in hand
        self._turned: Counter[str] = Counter()  # how often it turned any piece
        self._odd: set[str] = set()  # keys that no habit explains: they lead through a list of forms, say
        self._led: dict[tuple[str, Shape], Shape] = {}  # what followed each form by each key

    def __contains__(self, key: str) -> bool:
        """Whether a key turned a piece."""
        return key in self._may

    def __bool__(self) -> bool:
        """Whether anything turned a piece."""
        return bool(self._may)

    def taken(self) -> None:
        """Takes that a piece was taken anew."""
        self._pressed.clear()

    def showed(self, key: str, before: Shape, after: Shape) -> bool:
        """Takes what came of `key`; whether anything did, or was due."""
        may, number = self._may.get(key, HABITS), self._pressed[key]
        due = all if key in self else any  # of a key that is not known to turn pieces nothing is due
        if before == after and due(_turn(habit, number, before) != before for habit in may):
            self._misses[key] += 1
            return False
        every = tuple(habit for habit in HABITS if _turn(habit, number, before) == after)
        if every:  # else what shows is another piece, or a part of this one
            self._pressed[key] += 1
            self._led[key, before] = after
        if every and before != after:
            if not set(may).intersection(every):
                self._odd.add(key)
            self._may[key] = tuple(habit for habit in may if habit in every) or every
            self._misses[key] = 0
            self._turned[key] += 1
        return True

    def worth(self, key: str) -> bool:
        """Whether `key` may turn a piece."""
        return self._misses[key] < (2 * MISSES if key in self else MISSES)

    def next(self, form: Shape, wanted: Shape, keys: Iterable[str], others: Iterator[str]) -> str | None:
        """The key that leads from `form` soonest to the one that is `wanted`, as far as is known.

        Where no habit explains what one does, forms are sought one after another.  Else the next of the `others` of
        which it is not known whether it turns a piece, or one of which it is not sure how; None where none is left.
        """
        known = [key for key in keys if key in self and self.worth(key)]
        if not self._odd.isdisjoint(known) and (step := self._step(form, wanted, known)) is not None:
            return step
        first = self._reached(form, keys)
        if wanted in first:
            return first[wanted]
        fresh = (key for key in others if key not in self and self.worth(key) and len(_forms(form)) > 1)
        unsure = (key for key in known if not self._sure(key) and (key, form) not in self._led)
        return next(fresh, None) or next(unsure, None)

    def _step(self, form: Shape, wanted: Shape, keys: Sequence[str]) -> str | None:
        """The key that leads soonest to the form that is `wanted`, or where some of `keys` was not pressed yet.

        As far as forms were seen to follow each other; None where all of them lead round without it.
        """
        first: dict[Shape, str | None] = {form: None}
        fresh: str | None = None
        queue = deque([form])
        while queue:
            here = queue.popleft()
            for key in keys:
                after = self._led.get((key, here))
                if after is None:
                    fresh = fresh or first[here] or key
                elif after not in first:
                    first[after] = first[here] or key
                    queue.append(after)
        return first.get(wanted, fresh)

    def _sure(self, key: str) -> bool:
        """Whether it is known what a key that turned pieces does."""
        return len(self._may[key]) == 1 and self._turned[key] >= SURE

    def first(self, form: Shape, wanted: Shape, keys: Iterable[str]) -> str | None:
        """The first of `keys` on the shortest way from `form` to the one that is `wanted`, as far as is known."""
        return self._reached(form, keys).get(wanted)

    def due(self, key: str, form: Shape) -> Shape | None:
        """The form that `key` leads to from `form`; None where that is not known, or it is not known whether any."""
        after = {_turn(habit, self._pressed[key], form) for habit in self._may.get(key, ())}
        return after.pop() if len(after) == 1 and key not in self._odd and after != {form} else None

    def _reached(self, form: Shape, keys: Iterable[str]) -> dict[Shape, str | None]:
        """The forms that lead from `form` by what is known, each with the first key to it.

        By the plainest of the habits that explain what keys did, or else by the others.
        """
        first: dict[Shape, str | None] = {form: None}
        known = [key for key in keys if key in self and self.worth(key)]
        for number in (0, -1):
            habits = {key: self._may[key][number] for key in known}
            start = form, tuple(self._pressed[key] % len(habits[key]) for key in known)
            by: dict[tuple[Shape, tuple[int, ...]], str | None] = {start: None}
            queue = deque([start])
            while queue:
                here, pressed = at = queue.popleft()
                for place, key in enumerate(known):
                    after = _turn(habits[key], pressed[place], here)
                    times = (pressed[place] + 1) % len(habits[key])
                    there = after, (*pressed[:place], times, *pressed[place + 1 :])
                    if there not in by:
                        by[there] = by[at] or key
                        first.setdefault(after, by[there])
                        queue.append(there)
        return first

    def give_up(self, form: Shape, seen: Iterable[Shape], keys: Iterable[str]) -> None:
        """Remembers that a piece that lies as `form` takes no forms but those `seen`, and those that `keys` lead to."""
        self.never.update(set(_forms(form)).difference(seen, self._reached(form, keys)))


def _turn(habit: tuple[Way, ...], number: int, form: Shape) -> Shape:
    """What a key with that habit makes of a form after it was pressed so often."""
    return turned(form, habit[number % len(habit)])


def _forms(form: Shape) -> tuple[Shape, ...]:
    """All forms of the piece that lies so."""
    return PIECES[PIECE_OF[form]].forms
