"""A piece that keys take, turn and move: followed by every hypothesis that explains the pictures, until one is left.

Nothing is assumed about where a key puts a piece or how far one moves it. Where pieces of its colour hide a part of it
several hypotheses explain a picture; moved on over bare cells, all but one are belied.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bot.drag.gestures import Gestures
from bot.drag.hypotheses import OWN, Hypothesis, exactly, hypotheses, open_places, strongest
from bot.play.observer import Reading
from bot.runs.journal import Click
from calibration.frame import Pixel
from games.core import Carry, Cell
from games.polyominoes import PIECE_OF, PIECES, Shape, shape_of

TURN = "space"
"""The key that turns or flips it: where letters take pieces, they do not turn them."""

TAKES = 3
"""Times a piece is taken: the key may be lost, and a letter stands for several pieces, in turn."""

TURNS = 24
"""Turns after which a form was not found, with some that do nothing among them."""

UNTURNED = 3
"""Turns that do nothing, one after another, after which no other does."""

ROUNDABOUT = (("up", 3), ("left", 3), ("down", 3), ("down", 3), ("right", 3), ("right", 3), ("up", 3), ("up", 3))
"""Keys and cells that lead a piece round the place where it was, until something of it shows."""

ROUNDS = 5
"""Times a piece is moved towards its place: a key may be lost."""

ROUGH = 0.3
"""Cells by which a hypothesis may lie beside another that is the same one, given in zones."""

SHORT, LONG = 0.2, 1.3
"""Cells that an arrow key moves a piece by at least and at most."""

ROUND = 1.0
"""Cells by which the middle of a piece moves where it is turned, at most."""

NEAR = 0.05
"""Cells by which a piece may lie beside where it seems to: it is seen to 0.02 cells on squares of 36 pixels. So much
nearer must one of two places be to be taken for the nearer one: of two alike the one further down and right is meant.
"""

NEARLY = 0.4
"""Cells by which a piece may lie beside its place where it is laid: programs lay it on the nearest cells."""

WHOLE = 0.6
"""The share of a piece that must show at its place, which is bare."""

FORMS = tuple(form for piece in PIECES for form in piece.forms)


class KeyCarrier:
    """Takes a piece by a key and brings it to its place by others."""

    def __init__(self, gestures: Gestures) -> None:
        self._gestures = gestures
        self._step: float | None = None  # cells that an arrow key moves a piece by
        self._base: NDArray[np.float32] = np.zeros((1, 1, 3), dtype=np.float32)  # the board without a piece in hand
        self._grid: NDArray[np.int8] = np.zeros((1, 1), dtype=np.int8)
        self._colour: NDArray[np.float32] | None = None
        self._held: list[Hypothesis] = []

    def carry(self, wish: Carry, start: Pixel) -> list[Click]:
        """Lays the piece; raises NotInHandError after putting it away."""
        rest = self._gestures.observer.read()
        self._base, self._grid = self._gestures.zones(rest), rest.observation.grid
        self._colour, self._held = None, []
        piece, wanted = PIECE_OF[shape_of(wish.cells)], shape_of(wish.cells)
        for attempt in range(TAKES):
            if attempt and not self._held and not self._gestures.rests(self._base):
                break
            clicks = [self._gestures.act(wish.take, start)]
            self._observe(partial(_other_piece, self._held), self._gestures.patience)
            if not self._cleared(wish.hold) or PIECE_OF[self._held[0].form] != piece:
                continue
            if self._turned(wanted, wish.hold) and self._brought(wish):
                return [*clicks, self._gestures.act(wish.lay, start)]
        raise self._gestures.not_in_hand(wish, showed=bool(self._held))

    def _cleared(self, hold: Cell) -> bool:
        """Moves the piece about until one hypothesis is left; whether that was achieved."""
        for number, (way, count) in enumerate(ROUNDABOUT):
            if self._known():
                return True
            if self._held:
                views = self._views(hold)
                self._shift(np.array(views[number % len(views)]) - self._held[0].centre)
                continue
            for _ in range(round(count / (self._step or 1))):
                self._gestures.press(way)
            self._observe(lambda placed: True, self._gestures.soon)
        return self._known()

    def _turned(self, wanted: Shape, hold: Cell) -> bool:
        """Turns the piece until it has the `wanted` form; whether that was achieved."""
        same = 0
        for _ in range(TURNS):
            before = self._held[0]
            if before.form == wanted:
                return True
            self._gestures.press(TURN)
            self._observe(partial(_turn_of, before), self._gestures.soon)
            if not self._cleared(hold) or PIECE_OF[self._held[0].form] != PIECE_OF[wanted]:
                return False
            same = same + 1 if self._held[0].form == before.form else 0
            if same == UNTURNED:
                return False
        return False

    def _brought(self, wish: Carry) -> bool:
        """Moves the piece, whose form is right, to its cells; whether it is there, or nearly: it snaps to them."""
        wanted = np.array([min(row for row, _ in wish.cells), min(col for _, col in wish.cells)])
        for _ in range(ROUNDS):
            placed = self._held[0]
            off = wanted - self._corner(placed)
            if not self._presses(off).any():
                return bool(np.abs(off).max() <= NEARLY and placed.shown >= WHOLE * len(placed.form))
            self._shift(off)
            if not self._cleared(wish.hold) or self._held[0].form != placed.form:
                return False
        return False

    def _corner(self, placed: Hypothesis) -> NDArray[np.float64]:
        """float64[2]: the row and column of the corner of a piece that is seen, as exactly as the steps tell.

        Programs hold a piece by its middle: where that seems to lie on the steps' grid, it does.
        """
        seen = placed.centre + 0.5
        grid = np.rint(seen / (self._step or 1)) * (self._step or 1)
        middle = np.where((np.abs(seen - grid) <= NEAR) & (self._step is not None), grid, seen)
        return np.asarray(middle - 0.5 - np.mean(placed.form, axis=0))

    def _presses(self, off: NDArray[np.float64]) -> NDArray[np.intp]:
        """How many times arrow keys lead nearest to a place `off` cells down and right.

        One, where it is not known yet how far a key moves a piece.
        """
        if self._step is None:
            axis = int(np.abs(off).argmax())
            return np.where(np.arange(2) == axis, np.sign(off) * (np.abs(off) > NEAR), 0).astype(int)
        fewer = np.floor(off / self._step)
        short, over = off - fewer * self._step, (fewer + 1) * self._step - off
        return np.asarray(fewer + (over - short < NEAR), dtype=int)

    def _shift(self, off: NDArray[np.float64]) -> None:
        """Moves the piece by about `off` cells, down and right, by one key at least."""
        counts, before = self._presses(off), self._held
        if not counts.any():
            axis = int(np.abs(off).argmax())
            counts[axis] = np.sign(off[axis]) or 1
        for (forth, back), count in zip((("down", "up"), ("right", "left")), counts.tolist(), strict=True):
            for _ in range(abs(count)):
                self._gestures.press(forth if count > 0 else back)
        self._observe(lambda placed: any(self._follows(placed, old, counts) for old in before), self._gestures.soon)
        if self._known() and len({old.form for old in before}) == 1 and self._held[0].form == before[0].form:
            self._learn(before, counts)

    def _learn(self, before: list[Hypothesis], counts: NDArray[np.intp]) -> None:
        """Takes from where a piece was and is how far a key moves it."""
        went = np.array([(self._held[0].top - old.top, self._held[0].left - old.left) for old in before])
        axis = int(np.abs(counts).argmax())
        if np.ptp(went, axis=0).max() <= ROUGH:
            step = float(went[0, axis] / counts[axis])
            if SHORT <= step <= LONG:
                part = 1 / round(1 / step) if step < 1 else round(step)
                self._step = part if abs(step - part) <= NEAR else step

    def _follows(self, placed: Hypothesis, old: Hypothesis, counts: NDArray[np.intp]) -> bool:
        """Whether a piece that lay as `old` may lie as `placed` after so many keys."""
        went = np.array([placed.top - old.top, placed.left - old.left])
        if placed.form != old.form:
            return False
        if self._step is not None:
            return bool(np.abs(went - counts * self._step).max() <= ROUGH)
        least, most = np.minimum(counts * SHORT, counts * LONG), np.maximum(counts * SHORT, counts * LONG)
        return bool(((went >= least - ROUGH / 2) & (went <= most + ROUGH / 2)).all())

    def _known(self) -> bool:
        """Whether one hypothesis is left."""
        return bool(self._held) and not any(_apart(placed, self._held[0]) for placed in self._held)

    def _observe(self, awaited: Callable[[Hypothesis], bool], seconds: float) -> None:
        """Sees where the piece may lie: as `awaited` where any such hypothesis explains the picture."""
        found, colours = self._gestures.seen(self._explained, lambda told: any(map(awaited, told[0])), seconds)
        self._held = [placed for placed in found if awaited(placed)] or found
        if self._known() and self._colour is not None:
            self._held = [exactly(self._held[0], self._base, colours, self._colour)]

    def _explained(self, reading: Reading) -> tuple[list[Hypothesis], NDArray[np.float32]]:
        """The hypotheses that explain a picture, and its colours."""
        now = self._gestures.zones(reading)
        if self._colour is not None:
            return hypotheses(self._base, now, self._colour, FORMS), now
        new = strongest(self._base, now)
        kinds = np.array(self._gestures.observer.calibration.palette[1:], dtype=np.float32).reshape(-1, 3)
        best: list[Hypothesis] = []
        for colour in [*kinds, *([] if new is None else [new])]:
            found = hypotheses(self._base, now, colour, FORMS)
            if found and (not best or _clear(found[0]) > _clear(best[0])):
                best, self._colour = found, colour
        return best, now

    def _views(self, hold: Cell) -> list[Cell]:
        """Where the piece shows best: the middles of the squares with most cells not of its colour, nearest first."""
        if self._colour is None:
            return open_places(self._grid == 0, hold)
        away = np.abs(np.array(self._gestures.observer.calibration.palette, dtype=np.float32) - self._colour).max(
            axis=1
        )
        own = int(away.argmin())
        return open_places(self._grid != own if away[own] <= OWN else self._grid >= 0, hold)


def _clear(placed: Hypothesis) -> float:
    """How clearly a hypothesis shows, in cells."""
    return placed.shown - 2 * placed.wrong


def _apart(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses are not the same one."""
    return one.form != other.form or max(abs(one.top - other.top), abs(one.left - other.left)) > ROUGH


def _other_piece(before: list[Hypothesis], placed: Hypothesis) -> bool:
    """Whether `placed` is none of the pieces that may have lain there `before`."""
    return PIECE_OF[placed.form] not in {PIECE_OF[each.form] for each in before}


def _turn_of(before: Hypothesis, placed: Hypothesis) -> bool:
    """Whether `placed` is a piece that lay as `before`, turned."""
    away = np.abs(placed.centre - before.centre).max()
    return bool(placed.form != before.form and PIECE_OF[placed.form] == PIECE_OF[before.form] and away <= ROUND)
