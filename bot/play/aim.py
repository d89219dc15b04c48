"""The aim: the pointer is moved to where it shall press, and the board and the target looked at again, before it does.

Pages change when the pointer arrives: things pop up under it, boards change their scale, buttons turn into others.
What belongs to a move may show by then: the move itself, half drawn, a mark on the target or on all that does the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import Enum
from math import dist

import numpy as np
from numpy.typing import NDArray

from bot.play.expected import ROUND, Expected, about, between, edges, every_groove
from bot.play.faces import ControlFaces
from bot.play.motion import breathing
from bot.play.observer import Observer, Reading, rescaled
from bot.pointers.guard import GuardedPointer
from bot.ports import Clock
from bot.runs.journal import Click
from calibration.board import Calibration, Lattice
from calibration.frame import Box, Frame, Pixel, Pixels, Rect, Spot
from calibration.looks import look_named
from calibration.targets import TargetPatch, same_sign, target_patch
from calibration.unchanged import (
    BoardChange,
    board_change,
    came_in,
    changed_cells,
    changed_sides,
    largest_change,
    place_at,
    sides_of,
    stirring,
)
from games.core import UNREAD, BoardsightError, Cell, SettingsError, Target

ARRIVES = 0.004
"""Seconds from when the pointer arrives until it is looked at what that brings about: programs repaint in 1 to 3 ms."""

FRESH, AGAIN = 0.08, 3
"""Seconds from a look to the press after which it is looked once more, and looks at most: on a busy machine a page
repaints late, and it takes long to compare the pictures."""

RESTS = 0.15
"""Seconds that the pointer rests where presses on places it just came to were not heard: pages want up to a tenth."""

LATE, STIRS = 0.5, 2.0
"""Seconds after which what shows under a pointer that rests is there, and pointer units by which it is moved to see it:
three times as long as it rests where pages want it to."""

WATCHED, LOOKS = 1.4, 14
"""Seconds for which a board is watched for cells that breathe, and looks in that time: they do in 0.6 to 2 seconds."""

BESIDE = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Rows and columns by which pages lay walls beside the part of a groove that is pressed."""

CHANGED = 0.002
"""The share of the board that may change beside all that may: a text cursor, a clock's second."""

RIM = 0.02
"""The share of what shows round the board that may change where the target is on it; a page that scrolls changes half
of it and more."""

TOOLTIP = 0.3
"""The same where the target is a control beside the board, which is compared itself: its name may show beside it."""


class WithheldError(BoardsightError):
    """A press was not made: when the pointer was there, the board or the target was not as it was confirmed.

    done: how many gestures of the move were made before.  clicks: those.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.done = 0
        self.clicks: list[Click] = []


class ShownBesideError(WithheldError):
    """What the pointer would lay shows beside the place where it shall lie; `off`: so many rows and columns."""

    def __init__(self, off: tuple[int, int]) -> None:
        super().__init__(f"what would be laid shows {off[0]:+} rows and {off[1]:+} columns beside its place")
        self.off = off


class AnsweredError(WithheldError):
    """The board shows something under the pointer that is none of the move."""


class NotOfferedError(BoardsightError):
    """The page shows under the pointer what a press would lay, and shows nothing of this move: it may not be made."""


class Under(Enum):
    """What shows between cells under the pointer: nothing, the move that is expected, or something else."""

    NOTHING = "nothing"
    MOVE = "move"
    OTHER = "other"


class Aiming:
    """Looks at the board that `observer` sees, and at the target, each time before `pointer` presses.

    rests: whether the pointer rests there before that.
    """

    def __init__(self, observer: Observer, pointer: GuardedPointer, clock: Clock) -> None:
        self._observer, self._pointer, self._clock = observer, pointer, clock
        self._faces = ControlFaces(observer)
        self._confirmed: Reading | None = None
        self._unpointed: Reading | None = None  # the board without the pointer in the mode the page was turned to since
        self._expected = self._before = Expected()
        self._played: Reading | None = None  # the board as it was confirmed last
        self._latest: frozenset[Cell] = frozenset()  # where it differed from the one confirmed before it
        self._begun = False
        self._left: Box | None = None
        self._offers = False  # whether a move showed in its place before it was made
        self._tips: dict[str | None, list[Cell]] = {}  # of which cells a control's name covers a part while pointed at
        self._marks: list[TargetPatch] = []  # what other cells of a move showed while its place was pointed at
        self._board = Rect(0, 0, 1, 1)
        self._unsteady: NDArray[np.bool_] | None = None  # where the board changes by itself, until somebody moves
        self._restless = frozenset[int]()  # the sides of the board on which something changes while nothing is done
        self._answered: Spot | None = None  # where the pointer was when too much changed
        self._lays = False  # whether the next press lays what was seen in hand at its place
        self.rests = False
        pointer.witness = self._look

    def expect(self, confirmed: Reading | None, expected: Expected = Expected(), *, begun: bool = False) -> None:
        """The next presses make a move on the board as `confirmed`; where that is None, as it shows before each.

        begun: whether some of the move's gestures were made before, so that any cell may be marked by now.
        """
        if confirmed is None or confirmed is not self._played:
            self._unsteady = None
        self._latest = self._since(confirmed)
        self._confirmed, self._begun, self._board = confirmed, begun, self._observer.board_region()
        self._unpointed = None
        self._before, self._expected, self._lays = self._expected, expected, False

    @contextmanager
    def as_it_shows(self) -> Iterator[None]:
        """The presses in the block are made on the board as it shows before each: what turns a page may mark it all."""
        confirmed, self._confirmed = self._confirmed, None
        try:
            yield
        finally:
            self._confirmed = confirmed

    def _since(self, confirmed: Reading | None) -> frozenset[Cell]:
        """Where pieces lie since the move before: they may fade for a while, or be marked as the last ones."""
        observer = self._observer
        if confirmed is None or look_named(observer.calibration.look).filled:
            return self._latest
        then, self._played = self._played, confirmed
        grid, lattice = confirmed.observation.grid, observer.calibration.lattice
        if then is None or then.observation.grid.shape != grid.shape or lattice.grid_step(grid) != 1:
            return frozenset()
        changed = np.argwhere(then.observation.grid != grid)
        return frozenset(Cell(*place) for place in changed.tolist()) or self._latest

    def lay(self) -> None:
        """The next press lays a piece where it is seen in hand, on a board on which pages mark where it may lie."""
        self._confirmed, self._lays = self._observer.recent(FRESH), True

    def _look(self, spot: Spot) -> None:
        """Moves the pointer to `spot`; raises WithheldError where something is not as it was before."""
        observer, board = self._observer, self._observer.board_region()
        if not observer.desktop.contains(spot):
            raise WithheldError("the place to press lies outside of the screen")
        confirmed = self._confirmed if board == self._board else None  # else the board was found elsewhere since
        before = observer.read() if confirmed is None or (self._begun and not self._lays) else confirmed
        control = self._control_at(spot)
        known = None if control is None else self._faces.known(control)
        self._pointer.move(spot)
        self._clock.sleep(RESTS if self.rests or observer.calibration.rest else ARRIVES)
        for _ in range(AGAIN):
            asked = self._clock.now()
            self._check(spot, before, confirmed, control, known)
            if self._clock.now() - asked <= FRESH:
                break
        self._left, self._begun = _round(observer, spot), True

    def _check(
        self, spot: Spot, before: Reading, confirmed: Reading | None, control: str | None, known: TargetPatch | None
    ) -> None:
        """Looks at the board and the target with the pointer on it; raises WithheldError as `_look` does."""
        observer = self._observer
        at = observer.pixel(spot)
        target = (
            observer.surroundings(control) if control else observer.rect(place_at(observer.calibration.lattice, at))
        )
        frame = observer.look([observer.board_region(), target])
        if control is None and self._expected.grooves:
            self._check_preview(before, frame, spot)
        self._compare(before, frame, spot, beside=RIM if control is None else TOOLTIP, control=control)
        if confirmed is not None and self._begun:
            self._compare(confirmed, frame, spot, beside=TOOLTIP, inside=1.0)
        if control is not None and known is not None:
            if problem := self._faces.unlike(control, known, frame):
                raise WithheldError(problem)
        elif not self._lays:
            self._compare_place(frame, target, at)
            self._learn_marks(before, frame, at)
        observer.meet_previews(before, frame)

    def _learn_marks(self, before: Reading, frame: Frame, at: Pixel) -> None:
        """Keeps what came since `before` on other cells of the move than the one pressed: where a disc will lie."""
        lattice, seen = self._observer.calibration.lattice, frame.crop(before.frame.region).pixels
        others = self._expected.cells - {lattice.cell(at)}
        if not others or seen.shape != before.frame.pixels.shape:
            return
        for cell in others & changed_cells(before.frame.pixels, seen, self._lattice(before)):
            mark = self._observer.cell(cell, frame)
            if not (mark.plain or any(same_sign(each, mark) for each in self._marks)):
                self._marks.append(mark)

    def _control_at(self, spot: Spot) -> str | None:
        """The control that is pressed at `spot`; None for a place that is a cell of the board, or above one."""
        observer = self._observer
        calibration = observer.calibration
        for name, at in calibration.controls.items():
            if dist(observer.spot(at), spot) <= 1 and not _is_place(
                calibration.lattice, at, observer.patches.get(name)
            ):
                return name
        return None

    def _compare(
        self,
        before: Reading,
        frame: Frame,
        spot: Spot,
        *,
        beside: float,
        inside: float = CHANGED,
        control: str | None = None,
    ) -> None:
        """Raises WithheldError where more of the board differs from `before`, or a part of a cell is covered.

        Not where just these cells were covered when the pointer came to the `control` before: its name shows there.
        """
        seen = frame.crop(before.frame.region)
        if rescaled(seen.scale, before.frame.scale) or seen.pixels.shape != before.frame.pixels.shape:
            raise WithheldError("the picture changed its scale when the pointer came to the target")
        lattice = self._observer.calibration.lattice
        cells = self._expected.cells | self._before.cells | self._latest | self._observer.breathing
        if self._begun:
            cells = self._every_cell()
        free = [_round(self._observer, spot), *self._expected.grooves, *self._before.grooves, *edges(lattice, cells)]
        if lattice.grid_step(before.observation.grid) == 1:
            free += between(lattice, self._expected.cells)
        free += [] if self._left is None else [self._left]
        change = self._change(before, seen.pixels, free, cells)
        covered = self._covered(change, before)
        if covered and (control is None or covered != self._tips.get(control)):
            self._tips[control] = covered
            raise WithheldError(f"something covers a part of {where(covered)}")
        for share, most, what in ((change.inside, inside, "the board"), (change.beside, beside, "what is round it")):
            if share > most:
                self._answered = spot
                raise AnsweredError(f"{share:.1%} of {what} changed when the pointer came to the target")

    def _every_cell(self) -> frozenset[Cell]:
        lattice = self._observer.calibration.lattice
        return frozenset(Cell(row, col) for row in range(lattice.rows) for col in range(lattice.cols))

    def _covered(self, change: BoardChange, before: Reading) -> list[Cell]:
        """The cells of which something covers a part; what a pawn does that breathes, or shall go, is a part of it."""
        grid, own = before.observation.grid, set(self._observer.breathing)
        if not look_named(self._observer.calibration.look).filled:
            step = self._observer.calibration.lattice.grid_step(grid)
            own |= {cell for cell in self._expected.cells if grid[step * cell.row, step * cell.col] > 0}
        return [cell for cell in change.covered if cell not in own]

    def shown(self, before: Reading, elsewhere: Expected = Expected()) -> bool | None:
        """Whether the move shows in its place, or `elsewhere`; None where something else changed since `before`."""
        now = self._observer.read()
        if now.frame.pixels.shape != before.frame.pixels.shape or now.offset != before.offset:
            return None
        lattice, expected = self._lattice(before), self._expected.joined(elsewhere)
        then, seen = before.frame.pixels, now.frame.pixels
        change = self._change(before, seen, expected.grooves, expected.cells | self._observer.breathing)
        if change.inside > CHANGED or change.beside > CHANGED or self._covered(change, before):
            return None
        breathed = {lattice.cell(box.centre) for box in before.breathing}  # what the move shows on may seem to since
        came = changed_cells(then, seen, lattice) & expected.cells - breathed
        return bool(came) or self._lies(before, seen, expected.grooves)

    def _lattice(self, reading: Reading) -> Lattice:
        """The board's lattice in the picture of a reading."""
        return self._observer.calibration.lattice.moved(Pixel(-reading.offset.x, -reading.offset.y))

    def _change(self, before: Reading, seen: Pixels, free: Iterable[Box], cells: Collection[Cell]) -> BoardChange:
        """What changed since `before` beside what is `free` to, and what changes by itself: some cells, some sides."""
        lattice, then = self._lattice(before), before.frame.pixels
        sides = [side for number, side in enumerate(sides_of(lattice, then)) if number in self._restless]
        free = [*_inside(before, free), *sides, *self._breath(lattice)]
        return board_change(then, self._calm(before, seen), lattice, free=free, cells=cells)

    def _calm(self, before: Reading, seen: Pixels) -> Pixels:
        """What is seen, but as `before` where the board changes by itself."""
        if self._unsteady is None or not (self._unsteady.shape == seen.shape[:2] == before.frame.pixels.shape[:2]):
            return seen
        return np.asarray(np.where(self._unsteady[:, :, None], before.frame.pixels, seen), dtype=np.uint8)

    def _breath(self, lattice: Lattice) -> list[Box]:
        """What lies on and round the cells that breathe: a pawn that bobs reaches over its own."""
        return [about(lattice, lattice.centre(cell)) for cell in self._observer.breathing]

    def watch(self) -> None:
        """Learns which cells change while nothing is done, and show the same piece all the time: they swell or glow.

        Or one that is taken for another at times, where they come back.
        What only goes away meanwhile, such as a popup over a cell, is none of it.
        """
        observer = self._observer
        first = observer.read()
        shown, otherwise = [first], set[Cell]()
        for _ in range(LOOKS):
            self._clock.sleep(WATCHED / LOOKS)
            now = observer.read()
            if now.frame.pixels.shape != first.frame.pixels.shape:
                return
            known = (first.observation.grid != UNREAD) & (now.observation.grid != UNREAD)
            other = known & (first.observation.grid != now.observation.grid)
            otherwise.update(Cell(*place) for place in np.argwhere(other).tolist())
            shown.append(now)
        filled = observer.calibration.lattice.grid_step(other) == 1
        if not other.any():  # it shows again what it showed at first
            self._unsteady = stirring([each.frame.pixels for each in shown])
        if len(otherwise) > (2 if filled else 0):
            return
        lattice, pictures = self._lattice(first), [each.frame.pixels for each in shown]
        self._restless |= self._answering(pictures[-1], lattice)
        if (cells := breathing(pictures, lattice, otherwise)) is not None:
            observer.breathe(cells, shown)
            self._restless |= changed_sides(pictures, lattice)

    def _answering(self, then: Pixels, lattice: Lattice) -> frozenset[int]:
        """The sides of the board that look otherwise than `then` while the pointer is where a press was withheld."""
        if self._answered is None:
            return frozenset()
        pictures = []
        for place in (self._answered, self._observer.beside()):
            self._pointer.move(place)
            self._clock.sleep(LATE)
            pictures.append(self._observer.read().frame.pixels)
        self._answered = None
        with_it, without = (
            changed_sides([then, each], lattice) if each.shape == then.shape else frozenset[int]() for each in pictures
        )
        return with_it - without

    def _check_preview(self, before: Reading, frame: Frame, spot: Spot) -> None:
        """Raises ShownBesideError where what came since `before` lies as the move shall, but beside its place.

        And NotOfferedError where nothing comes at the first try, though others did before they were made, or something
        else does, such as a wall that lies the other way; not where the board itself looks otherwise by then.
        """
        seen, expected = frame.crop(before.frame.region).pixels, self._expected
        beside = [off for off in BESIDE if self._previewed(before, seen, off, spot, expected)]
        here, began = self._previewed(before, seen, (0, 0), spot, expected), self._clock.now()
        if len(beside) == 1 and not here:
            raise ShownBesideError(beside[0])
        while not (here or self._begun or self.rests) and (self._offers or self._other(before, seen, spot)):
            if self._clock.now() - began > self._observer.patience:
                if self._only_between(before, seen, spot):
                    raise NotOfferedError("the page shows nothing of this move under the pointer, as it did of others")
                raise AnsweredError("the board looks otherwise since the pointer came to the target")
            self._clock.sleep(RESTS)
            seen = self._observer.read().frame.pixels
            here = self._previewed(before, seen, (0, 0), spot, expected)
        self._offers |= here

    def _other(self, before: Reading, seen: Pixels, spot: Spot) -> bool:
        """Whether something came since `before` between cells, and nothing on them."""
        came = self._lies(before, seen, every_groove(self._observer.calibration.lattice))
        return came and self._only_between(before, seen, spot)

    def _only_between(self, before: Reading, seen: Pixels, spot: Spot) -> bool:
        """Whether all looks as `before` but what lies between cells, and round `spot`."""
        return self._spared(before, seen, spot, every_groove(self._observer.calibration.lattice))

    def corrected(self, target: Target) -> Calibration:
        """The calibration in force, or one by which the move shows in its place where the pointer presses `target`.

        What shows at another place may be the late preview of this one: it is gone when the pointer is back, then.
        """
        calibration = self._observer.calibration
        others = [each for off in BESIDE if (each := calibration.corrected(target, off)) is not calibration]
        if others and not self._previews(calibration, target):
            for other in others:
                with suppress(SettingsError):  # no place lies there
                    if all(self._previews(each, target) == (each is other) for each in (other, calibration, other)):
                        return other
        return calibration

    def _previews(self, calibration: Calibration, target: Target) -> bool:
        """Whether the move shows in its place while the pointer rests where `target` would be pressed."""
        before, spot = self._confirmed, self._observer.spot(calibration.find(target))
        self._pointer.move(spot)
        self._clock.sleep(RESTS)
        seen = self._observer.read().frame.pixels
        return before is not None and self._previewed(before, seen, (0, 0), spot, self._expected)

    def turned(self) -> None:
        """Tells what shows under the pointer by how the board is now: the page may mark other places in this mode."""
        self.leave(self._observer.beside())
        self._unpointed = self._observer.read()

    @property
    def _without(self) -> Reading | None:
        """What the board shows while the pointer rests nowhere on it."""
        return self._unpointed or self._confirmed

    def under(self, target: Target, expected: Expected, *, clear: bool = False) -> Under:
        """What shows between cells since the board was confirmed while the pointer rests on `target`.

        clear: raises WithheldError where something else covers a part of a cell: it came over the board.
        """
        before, spot = self._without, self._observer.spot(self._observer.calibration.find(target))
        self._pointer.move(Spot(spot.x + STIRS, spot.y + STIRS))  # some pages show it anew only as the pointer moves
        self._pointer.move(spot)
        shown, began, self._begun = Under.NOTHING, self._clock.now(), True  # what turned the page may have marked cells
        while shown is Under.NOTHING and before is not None and self._clock.now() - began < LATE:
            self._clock.sleep(RESTS)
            seen = self._observer.read().frame.pixels
            if self._previewed(before, seen, (0, 0), spot, expected):
                shown = Under.MOVE
            elif self._lies(before, seen, every_groove(self._observer.calibration.lattice)):
                shown = Under.OTHER
                if clear:
                    self._check_uncovered(before, seen)
        return shown

    def _check_uncovered(self, before: Reading, seen: Pixels) -> None:
        """Raises WithheldError where what came since `before` covers a part of a cell, and not of its rim alone."""
        lattice = self._observer.calibration.lattice
        wide, high = (max(gap, ROUND * pitch) / 2 for gap, pitch in zip(lattice.gap, lattice.pitch, strict=True))
        walls = every_groove(replace(lattice, gap=(wide, high)))  # as thick as the grooves are drawn
        if covered := self._covered(self._change(before, seen, walls, self._every_cell()), before):
            raise WithheldError(f"something covers a part of {where(covered)}")

    def answer(self, target: Target) -> Reading:
        """What the board shows while the pointer rests on `target`."""
        spot = self._observer.spot(self._observer.calibration.find(target))
        self._pointer.move(Spot(spot.x + STIRS, spot.y + STIRS))
        self.leave(spot)
        return self._observer.read()

    def responds(self, target: Target) -> bool:
        """Whether the board shows anything while the pointer rests on `target` that it does not without it."""
        return self.differ(*self._without_and_with(target))

    def _without_and_with(self, target: Target) -> tuple[Reading, Reading]:
        """What the board shows while the pointer is beside it, and while it rests on `target`."""
        self.leave(self._observer.beside())
        return self._observer.read(), self.answer(target)

    def differ(self, then: Reading, now: Reading) -> bool:
        """Whether the board looks otherwise in the second picture, beside what breathes."""
        if then.frame.pixels.shape != now.frame.pixels.shape or then.offset != now.offset:
            return False
        lattice, breathing = self._lattice(then), self._observer.breathing
        first, second = then.frame.pixels, self._calm(then, now.frame.pixels)
        marked = changed_cells(first, second, lattice) - breathing
        return bool(marked) or board_change(first, second, lattice, free=self._breath(lattice)).inside > CHANGED

    def lights_between(self, then: Reading, now: Reading) -> bool:
        """Whether something lies between cells in the second picture that did not in the first."""
        return self._lies(then, now.frame.pixels, every_groove(self._observer.calibration.lattice))

    def follower(self, target: Target) -> tuple[int, int]:
        """How wide and high, in pixels, the largest thing is that shows while the pointer rests on `target` alone.

        The next press may be made there, whatever that is: some pages show it beside the place where it shall lie.
        """
        then, now = self._without_and_with(target)
        self.lay()
        first, second = then.frame.pixels, now.frame.pixels
        return largest_change(first, second) if first.shape == second.shape else (0, 0)

    def leave(self, beside: Spot) -> None:
        """Moves the pointer `beside` the board, until what showed under it is gone."""
        self._pointer.move(beside)
        self._clock.sleep(RESTS)

    def lies(self, expected: Expected, beside: Spot) -> bool:
        """Whether what is expected shows in its place while the pointer is `beside` the board."""
        before = self._without
        self.leave(beside)
        return before is not None and self._lies(before, self._observer.read().frame.pixels, expected.grooves)

    def _lies(self, before: Reading, seen: Pixels, grooves: Iterable[Box]) -> bool:
        """Whether something lies since `before` in one of those places between cells where no cell breathes."""
        breath = self._breath(self._observer.calibration.lattice)
        still = (box for box in grooves if not any(each.contains(box.centre) for each in breath))
        return any(self._came(before, seen, still))

    def _came(self, before: Reading, seen: Pixels, grooves: Iterable[Box]) -> list[bool]:
        """In which of those places between cells something lies since `before`."""
        if seen.shape != before.frame.pixels.shape:
            return []
        seen = self._calm(before, seen)
        return [came_in(before.frame.pixels, seen, box) for box in _inside(before, grooves)]

    def _previewed(self, before: Reading, seen: Pixels, off: tuple[int, int], spot: Spot, expected: Expected) -> bool:
        """Whether something came since `before` in all pieces of what is expected between cells, and no more.

        off: so many rows and columns beside.
        """
        across, down = self._observer.calibration.lattice.pitch
        grooves = (box._replace(x=box.x + off[1] * across, y=box.y + off[0] * down) for box in expected.grooves)
        here = Expected(grooves=tuple(grooves))
        came = self._came(before, seen, here.pieces)
        return bool(came) and all(came) and self._spared(before, seen, spot, here.grooves)

    def _spared(self, before: Reading, seen: Pixels, spot: Spot, free: Iterable[Box]) -> bool:
        """Whether all but `free` and round `spot` looks as `before`, and cells that may be marked."""
        if seen.shape != before.frame.pixels.shape:
            return False
        pawns = {Cell(*place) for place in np.argwhere(before.observation.grid[::2, ::2] > 0).tolist()}  # they may glow
        cells = self._every_cell() if self._begun else pawns | self._observer.breathing
        change = self._change(before, seen, (*free, _round(self._observer, spot)), cells)
        return change.inside <= CHANGED and change.beside <= (TOOLTIP if self._begun else CHANGED)

    def _compare_place(self, frame: Frame, target: Rect, at: Pixel) -> None:
        """Raises WithheldError where a cell is half covered, or bears a sign that none bore at first, and no piece."""
        now, faces = target_patch(frame.crop(target).pixels), self._observer.faces
        own = next(faces(at), None)
        if now.marked or (own is not None and now.marked_since(own)):
            return
        problem = ""
        if own is not None and all(now.covered_since(face) for face in faces(at)):
            problem = "something covers a part of the place to press"
        elif not (now.plain or any(same_sign(known, now) for known in (*faces(at), *self._marks))):
            problem = "the place to press bears a sign that no cell did when the board was found"
        if problem and (own is None or not now.moved_since(own)):  # the dearest to ask, and seldom
            raise AnsweredError(problem)


def where(cells: Collection[Cell]) -> str:
    """Which cells are meant, told of the first.

    >>> where([Cell(2, 1), Cell(0, 4)])
    'row 0, col 4, the first of 2 cells'
    """
    return f"row {min(cells).row}, col {min(cells).col}" + f", the first of {len(cells)} cells" * (len(cells) > 1)


def _inside(reading: Reading, boxes: Iterable[Box]) -> list[Box]:
    """Boxes of the full picture in that of a reading."""
    x, y = reading.offset
    return [box._replace(x=box.x - x, y=box.y - y) for box in boxes]


def _is_place(lattice: Lattice, at: Pixel, known: TargetPatch | None) -> bool:
    """Whether a control is a cell of the board, or a bare place where another row would be: above a column."""
    beside = lattice.ringed.cell(at)
    if beside is None or lattice.cell(at) is not None:
        return beside is not None
    return known is not None and known.bare and dist(lattice.ringed.centre(beside), at) <= 1


def _round(observer: Observer, spot: Spot) -> Box:
    """The part of the full picture round a target in which anything may show."""
    return about(observer.calibration.lattice, observer.pixel(spot))
