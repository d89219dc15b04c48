"""Carrying a piece: picked up, turned and moved until the board shows it where it shall lie, and laid down.

Nothing is assumed about how a piece lies in the hand at first or what a key does to it: each step is looked at.
A piece in the hand is what the board shows beside its resting picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bot.drag.gestures import SLOW, Gestures
from bot.drag.hypotheses import open_places
from bot.drag.segmentation import PieceSegment, segment_piece
from bot.play.observer import Reading
from bot.ports import WHEEL, WHEEL_BACK
from bot.runs.journal import Click
from calibration.frame import Pixel, Spot
from games.core import Carry, Press, Tap
from games.polyominoes import PIECE_OF, PIECES, Shape, shape_of

DOUBLE = "double click"
KEYS = ("r", "f", "space", WHEEL, DOUBLE)
"""What turns or flips the piece in hand in the programs that were seen: keys, the wheel, two taps on it in its tray."""

TAKES = 2
"""Times a piece is taken until it shows: the press may be lost."""

TURNS, VAIN = 24, 10
"""Turns after which a piece's form was not found: eight forms, each by way of every key; two rounds with none new."""

MISSES = 2
"""Times a key turned nothing until it is used no more: once it may have been lost."""

ROUNDS = 4
"""Times a piece is moved towards its place."""

NEARLY = 0.4
"""Cells by which a piece may seem to lie beside its place: those that are drawn a little larger seem to be a third of a
cell off where they lie right."""

BEFORE = 0.2
"""Cells by which it may lie left of or above its place."""


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """A piece to be laid on a board, and the board's colours without it."""

    wish: Carry
    base: NDArray[np.float32]

    @property
    def wanted(self) -> Shape:
        return shape_of(self.wish.cells)


class PointerCarrier:
    """Takes a piece with the pointer, under which it shows half clear, turns it by keys and lays it by a tap."""

    def __init__(self, gestures: Gestures) -> None:
        self._gestures = gestures
        self._misses: Counter[str] = Counter()  # how often a key turned nothing, since it last did
        self._turners: set[str] = set()
        self._nudged = -1.0

    def carry(self, wish: Carry, start: Pixel) -> list[Click]:
        """Lays the piece; raises NotInHandError after putting it away.

        start: where it is taken, unless by a key.
        """
        rest = self._gestures.observer.read()
        task = _Task(wish, self._gestures.zones(rest))
        places = open_places(rest.observation.grid == 0, wish.hold)
        segment: PieceSegment | None = None
        for attempt in range(TAKES):
            if attempt and not self._gestures.rests(task.base):
                break
            click = self._gestures.act(wish.take, start)
            self._gestures.hear()
            for place in places:
                self._point(self._gestures.observer.calibration.find(place))
                seconds = self._gestures.patience if place == places[0] else SLOW  # it was heard by then
                segment = self._shown(task, lambda segment: segment is not None, seconds)
                if segment is not None and segment.form in _forms(task) and self._turned(task, segment, start):
                    return [click, self._lay()]
            if segment is not None:
                break  # it was in the hand, and cannot be laid
        raise self._gestures.not_in_hand(wish, showed=segment is not None)

    def _turned(self, task: _Task, segment: PieceSegment, start: Pixel) -> bool:
        """Turns and moves the piece that shows as `segment` until it lies where it shall; whether that was achieved.

        start: where it was taken.
        """
        seen = {segment.form}
        keys = self._keys()
        key, vain = next(keys, None), 0
        for _ in range(TURNS):
            if segment.form == task.wanted:
                return self._brought(task, segment)
            if key is None or vain == VAIN:
                return False
            self._turn(key, task.wish.take, start)
            shown = self._shown(task, partial(_turn_of, segment), self._gestures.patience, nudged=True)
            turned = shown is not None and shown.form != segment.form
            self._misses[key] = 0 if turned else self._misses[key] + 1
            self._turners.update([key] if turned else [])
            if key == WHEEL and not turned:
                self._gestures.press(WHEEL_BACK)  # what it scrolled
                shown = self._shown(task, partial(_turn_of, segment), SLOW)
            if shown is None or shown.form not in _forms(task):
                return False
            vain = vain + 1 if shown.form in seen else 0
            if not vain:
                keys = self._keys()  # a piece that was turned over has all of its turns before it
            key = next(keys, None)
            segment = shown
            seen.add(segment.form)
        return False

    def _turn(self, key: str, take: Tap | Press, start: Pixel) -> None:
        """Does what may turn the piece in hand."""
        if key != DOUBLE:
            self._gestures.press(key)
            return
        at = self._at()
        for _ in range(2):
            self._gestures.act(take, start)
        self._gestures.pointer.move(at)

    def _keys(self) -> Iterator[str]:
        """The keys to turn with, those that turned a piece before first, each as long as it brings what is new.

        Two taps come last, once no key was just lost: a press on the tray may take the piece out of the hand.
        """
        known = sorted(KEYS, key=lambda key: key not in self._turners)
        for turn in range(TURNS):
            yield from (key for key in known if self._misses[key] < MISSES and (turn or key != DOUBLE))

    def _brought(self, task: _Task, segment: PieceSegment) -> bool:
        """Moves the piece, whose form is right, to its cells; whether it is there, or nearly: it snaps to them.

        Not by a pointer beside the board: what shows is none that it carries.
        """
        wanted = np.min(task.wish.cells, axis=0)

        def there(segment: PieceSegment | None) -> bool:
            off = np.full(2, np.inf) if segment is None else wanted - (segment.top, segment.left)
            return segment is not None and segment.form == task.wanted and off.max() <= BEFORE and off.min() >= -NEARLY

        for _ in range(ROUNDS):
            if there(segment):
                return self._gestures.observer.board_rect().contains(self._at())
            self._move(wanted - (segment.top, segment.left))
            shown = self._shown(task, there, SLOW, nudged=True)
            if shown is None or shown.form != task.wanted:
                return False
            segment = shown
        return there(segment) and self._gestures.observer.board_rect().contains(self._at())

    def _shown(
        self, task: _Task, awaited: Callable[[PieceSegment | None], bool], seconds: float, *, nudged: bool = False
    ) -> PieceSegment | None:
        """The piece in hand as soon as it shows as `awaited`, or what shows of it after `seconds`.

        nudged: whether the pointer is moved to and fro meanwhile.
        """

        def tell(reading: Reading) -> PieceSegment | None:
            return segment_piece(task.base, self._gestures.zones(reading), len(task.wanted), held=self._held())

        return self._gestures.seen(tell, awaited, seconds, meanwhile=self._nudge if nudged else None)

    def _nudge(self) -> None:
        """Moves the pointer by a pixel: some programs show a turned piece only then."""
        at = self._at()
        self._nudged = -self._nudged
        self._gestures.pointer.move(at._replace(x=at.x + self._nudged))

    def _move(self, off: NDArray[np.float64]) -> None:
        """Moves the piece by `off` cells, down and right."""
        observer, at = self._gestures.observer, self._at()
        across, down = observer.calibration.lattice.pitch
        here = observer.pixel(at)
        self._point(Pixel(here.x + off[1] * across, here.y + off[0] * down))

    def _point(self, at: Pixel) -> None:
        self._gestures.pointer.move(self._gestures.observer.spot(at))

    def _at(self) -> Spot:
        """Where the pointer is; on the board, for it carries a piece."""
        at = self._gestures.pointer.position()
        assert at is not None
        return at

    def _held(self) -> tuple[float, float]:
        """Where on the board the pointer is, in cells from its top left corner."""
        lattice, at = self._gestures.observer.calibration.lattice, self._gestures.observer.pixel(self._at())
        x, y, _, _ = lattice.box
        return (at.y - y) / lattice.pitch[1], (at.x - x) / lattice.pitch[0]

    def _lay(self) -> Click:
        """Taps where the pointer is."""
        at = self._at()
        self._gestures.pointer.announce(1)
        self._gestures.pointer.tap(at)
        return Click("where it lies", self._gestures.observer.pixel(at), at)


def _forms(task: _Task) -> tuple[Shape, ...]:
    """Every form in which the piece can lie."""
    return PIECES[PIECE_OF[task.wanted]].forms


def _turn_of(before: PieceSegment, shown: PieceSegment | None) -> bool:
    """Whether a segment is the piece that showed as `before`, turned."""
    return shown is not None and len(shown.form) == len(before.form) and shown.form != before.form
