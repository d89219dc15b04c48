"""Carrying a piece: picked up, turned and moved until the board shows it where it shall lie, and laid down.

Nothing is assumed about how a piece lies in the hand at first or what a key does to it: the hand looks after each step.
A piece in the hand is what the board shows beside its resting picture: as many cells as the piece has, of one colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from bot.eye import MOVING, Eye, Look, grain, still
from bot.journal import Click
from bot.pointers.guard import GuardedPointer
from bot.ports import Clock
from calibration.faces import ZONES, faces
from calibration.frame import Pixel, Spot
from games.blokus.pieces import Shape, flipped, rotated, shape_of
from games.core import BoardsightError, Carry, Cell, Press, Tap

TURNS = {"pointer": ("r", "f", "space"), "arrows": ("space",)}
"""Keys that turn or flip the piece in hand in the programs that were seen; one that does nothing is not used again.

Where letters take pieces, they do not turn them.
"""

TAKES = 3
"""Times a piece is taken until it shows: the press may be lost, and a letter stands for several pieces, in turn."""

STEPS = 24
"""Turns after which a piece's form was not found: eight forms, each by way of every key."""

SETTLE = 0.04
"""Seconds of a still picture after which the next step is made, where steps show sooner: several keys show in turn."""

APART = 0.012
"""Seconds between two keys: those of one moment are a key held down to X, which busy programs shorten."""

LATELY = 0.7
"""The part of the longest time a step took to show that is still reckoned with after the next one."""

SHOWS = 6
"""Squares of `bot.eye.GRAIN` pixels that change where a piece is turned or moved: a cell of 10 pixels has so many."""

SLOW = 0.3
"""Seconds after which a step that changed nothing is taken to have none to show."""

ROUNDABOUT = (("up", 3), ("left", 3), ("down", 3), ("down", 3), ("right", 3), ("right", 3), ("up", 3), ("up", 3))
"""Keys and cells that lead a piece round the place where it was, until something of it shows."""

ROUNDS = 4
"""Times a piece is moved towards its place: how far an arrow key moves it shows only then."""

TELLING = 3
"""Cells of a piece whose form tells it from a part of a ring."""

LARGEST = 5
"""Cells of the largest piece."""

REACH = 2
"""How many cells a piece reaches from the one it is held by, where that is the nearest to its middle."""

PLACES = 3
"""Open places at which a piece in hand is looked for, before the one where it shall lie."""

FULL = 0.7
"""The share of its cells that a piece covers: gaps and round corners take the rest, handles round it are thinner."""

CUT = 0.55
"""That share where the colour of pieces is known: one between cells may be cut off by the edge of the board."""

PALE = 0.6
"""The part of a piece's contrast below which something is no piece."""

NEARLY = 0.4
"""Cells by which a piece may seem to lie beside its place: programs lay it on the nearest cells, and those that draw
one in hand a little larger seem to be a third of a cell off where it lies right."""

CHANGED = 10.0
"""How much a cell's colour changes, in the channel that differs most, where a piece is shown over it."""

ALIKE = 30.0
"""How much the cells of one piece in hand differ: it is half clear, and lies over a chequer."""

BEFORE = 0.2
"""Cells by which it may lie left of or above its place: a quarter of a cell is taken for the one before by Pentobi."""

BEVELLED = 55.0
"""How much zones of a piece differ from its colour where that is known: light and dark edges make up a part of them."""

Form = tuple[Cell, ...]
"""Cells from (0, 0), in order."""


class NotInHandError(BoardsightError):
    """The piece could not be taken, turned or brought where it shall lie; it was put away."""


class Carrier:
    """Carries pieces on the board that `eye` sees."""

    def __init__(self, eye: Eye, pointer: GuardedPointer, clock: Clock) -> None:
        self._eye = eye
        self._pointer = pointer
        self._clock = clock
        self._useless: set[str] = set()
        self._last: NDArray[np.float32] | None = None
        self._opaque = False  # whether a piece in hand has its own colour; one under the pointer is a ghost
        self._colour: NDArray[np.float32] | None = None  # of opaque pieces in hand
        self._lag = 0.0  # seconds that a step took to show, lately
        self._forms: set[Shape] = set()  # of the piece that is carried
        self._grid: NDArray[np.int8] = np.zeros((1, 1), dtype=np.int8)  # the board below the piece
        self._step = 1.0  # cells that an arrow key moves a piece by, as far as is known

    def carry(self, wish: Carry, start: Pixel) -> list[Click]:
        """Lays the piece; raises NotInHandError after putting it away.

        start: where it is taken, unless by a key.
        """
        rest = self._eye.look()
        base, self._grid = self._colours(rest), rest.observation.grid
        self._colour = None  # players of two colours take them in turn
        self._forms = _every_form(wish.cells)
        self._opaque = wish.by == "arrows"
        clicks: list[Click] = []
        places = self._views(wish.hold) if wish.by == "pointer" else [wish.hold]
        ghost: Ghost | None = None
        for _ in range(TAKES):
            if ghost is not None and isinstance(wish.take, Tap):
                break  # it was in the hand, and cannot be laid
            clicks = [self._act(wish.take, start)]
            for place in places:
                if wish.by == "pointer":
                    self._pointer.move(self._eye.spot(self._eye.calibration.find(place)))
                ghost = self._seen(wish, base) if place == places[-1] else self._shown(base, len(wish.cells))
                whole = ghost is not None and len(ghost.form) == len(wish.cells)
                if ghost is not None and not whole and isinstance(wish.take, Press):
                    break  # another piece of that letter
                if ghost is not None and whole and self._turned(wish, base, ghost):
                    return [*clicks, self._lay(wish)]
        self._act(Press("esc"), start)
        self._shown(base, len(wish.cells))  # until it is gone
        at = f"row {wish.hold.row}, col {wish.hold.col}"
        raise NotInHandError(f"the piece of {len(wish.cells)} cells for {at} could not be brought there by {wish.by}")

    def _turned(self, wish: Carry, base: NDArray[np.float32], ghost: Ghost) -> bool:
        """Turns and moves the piece that shows as `ghost` until it lies where it shall; whether that was achieved."""
        wanted, seen = _form(wish.cells), {ghost.form}
        keys = self._keys(wish)
        key = next(keys, None)
        for _ in range(STEPS):
            if ghost.form == wanted:
                return self._brought(wish, base, ghost)
            if key is None:
                return False
            self._act(Press(key), self._eye.calibration.lattice.origin)
            shown = self._seen(wish, base)
            if shown is None or len(shown.form) != len(wish.cells):
                return False
            if shown.form == ghost.form and len(seen) > 1:
                self._useless.add(key)
            if shown.form in seen:
                key = next(keys, None)
            ghost = shown
            seen.add(ghost.form)
        return False

    def _seen(self, wish: Carry, base: NDArray[np.float32]) -> Ghost | None:
        """The piece in hand, moved about until it shows; None where it never does.

        It cannot be told from own pieces it lies over: once a part of it shows it goes where most is bare.
        Some programs show a turned piece only once it is moved.
        """
        ghost = self._shown(base, len(wish.cells))
        for number, (way, count) in enumerate(ROUNDABOUT):
            if ghost is not None and ghost.form in self._forms:
                return ghost
            if wish.by == "arrows" and ghost is not None:
                views = self._views(wish.hold)
                self._move(wish, np.array(views[number % len(views)]) - (ghost.top + 1, ghost.left + 1))
            elif wish.by == "arrows":
                for _ in range(round(count / self._step)):
                    self._act(Press(way), self._eye.calibration.lattice.origin)
            else:
                at = self._pointer.position()
                assert at is not None
                self._pointer.move(at._replace(x=at.x + (1 if way in ("right", "down") else -1)))
            ghost = self._shown(base, len(wish.cells))
        return ghost

    def _keys(self, wish: Carry) -> Iterator[str]:
        """The keys to turn with: each until it brings nothing new, then the next, round and round."""
        for _ in range(STEPS):
            yield from (key for key in TURNS[wish.by] if key not in self._useless)

    def _brought(self, wish: Carry, base: NDArray[np.float32], ghost: Ghost) -> bool:
        """Moves the piece, whose form is right, to its cells; whether it is there, or nearly: it snaps to them."""
        wanted = np.array([min(row for row, _ in wish.cells), min(col for _, col in wish.cells)])
        for _ in range(ROUNDS):
            off = wanted - (ghost.top, ghost.left)
            if off.max() <= BEFORE and off.min() >= -NEARLY:
                return True
            steps = self._move(wish, off)
            shown = self._shown(base, len(wish.cells))
            if shown is None or shown.form != ghost.form:
                shown, steps = self._seen(wish, base), np.zeros(2, dtype=int)
            if shown is None or shown.form != ghost.form:
                return False
            went = np.abs((shown.top - ghost.top, shown.left - ghost.left))
            if np.abs(steps).max() > 0 and went.max() > NEARLY:
                self._step = float(went[np.abs(steps).argmax()] / np.abs(steps).max())
            ghost = shown
        return False

    def _move(self, wish: Carry, off: NDArray[np.float64]) -> NDArray[np.intp]:
        """Moves the piece by `off` cells, down and right; gives how many times the arrow keys were pressed."""
        if wish.by == "arrows":
            steps = np.floor(off / self._step + 0.5).astype(int)  # of two places alike the one further down and right
            if not steps.any():  # between cells a part of it may lie over its own, and it seems nearer than it is
                axis = int(np.abs(off).argmax())
                steps[axis] = np.sign(off[axis])
            for (forth, back), count in zip((("down", "up"), ("right", "left")), steps.tolist(), strict=True):
                for _ in range(abs(count)):
                    self._act(Press(forth if count > 0 else back), self._eye.calibration.lattice.origin)
            return np.asarray(steps)
        across, down = self._eye.calibration.lattice.pitch
        at, here = self._pointer.position(), self._eye.spot(Pixel(0, 0))
        step = self._eye.spot(Pixel(off[1] * across, off[0] * down))
        assert at is not None
        self._pointer.move(Spot(at.x + step.x - here.x, at.y + step.y - here.y))
        return np.zeros(2, dtype=int)

    def _lay(self, wish: Carry) -> Click:
        at = self._pointer.position()
        if isinstance(wish.lay, Press) or at is None:
            return self._act(wish.lay, self._eye.calibration.lattice.origin)
        self._pointer.announce(1)
        self._pointer.tap(at)
        return Click("where it lies", self._eye.pixel(at), at)

    def _act(self, gesture: Tap | Press, place: Pixel) -> Click:
        """One gesture, of which the next look shows what came."""
        spot = self._eye.spot(place)
        self._pointer.announce(1)
        if isinstance(gesture, Press):
            self._clock.sleep(APART)
            self._pointer.press(gesture.key)
            name = f"key {gesture.key}"
        else:
            self._pointer.tap(spot)
            name = str(gesture.target)
        self._pointer.confirmed()
        return Click(name, place, spot)

    def _shown(self, base: NDArray[np.float32], count: int) -> Ghost | None:
        """The piece in hand once the picture is still; None where none shows.

        base: the cells' colours without a piece in hand.
        """
        begun = self._clock.now()
        picture, since, first = self._last, begun, None
        while True:
            self._pointer.check()
            look = self._eye.look()
            now, fresh = self._clock.now(), grain(look)
            if picture is None or not still(fresh, picture):
                picture, since = fresh, now
            moved = self._last is None or _changed(fresh, self._last)
            if moved and first is None:
                first = now - begun
                self._lag = max(first, LATELY * self._lag)
            if now - since >= max(SETTLE, self._lag) and (moved or now - begun >= max(SLOW, 3 * self._lag)):
                self._last = fresh
                colours = self._colours(look)
                ghost = find_ghost(base, colours, count, colour=self._colour)
                if self._opaque and self._colour is None:
                    ghost = self._first_seen(base, colours, count)
                return ghost
            self._clock.sleep(SETTLE / 4)

    def _first_seen(self, base: NDArray[np.float32], now: NDArray[np.float32], count: int) -> Ghost | None:
        """The opaque piece in hand, whose colour is known from then on.

        Round one that lies over its own only a ring shows: a colour that no piece on the board has must have its form.
        """
        found: list[tuple[bool, int, Ghost, NDArray[np.float32]]] = []
        new = strongest(base, now)
        for colour in [*np.array(self._eye.calibration.palette[1:], dtype=np.float32), *([] if new is None else [new])]:
            ghost = find_ghost(base, now, count, colour=colour)
            whole = ghost is not None and ghost.form in self._forms
            if ghost is not None and (self._kind_of(colour) or (whole and count >= TELLING)):
                found.append((whole, len(ghost.form), ghost, colour))
        if not found:
            return None
        whole, _, ghost, colour = max(found, key=lambda each: each[:2])
        self._colour = colour if whole else None
        return ghost

    def _kind_of(self, colour: NDArray[np.float32] | None) -> int:
        """The kind of cell that pieces of a colour become; 0 where none has been seen."""
        pieces = np.array(self._eye.calibration.palette[1:], dtype=np.float32)
        if colour is None or not len(pieces):
            return 0
        away = np.abs(pieces - colour).max(axis=1)
        return 1 + int(away.argmin()) if away.min() <= BEVELLED else 0

    def _views(self, hold: Cell) -> list[Cell]:
        """Where the piece in hand shows best: over bare cells, once its colour is known over another's as well."""
        kind = self._kind_of(self._colour)
        return open_places(self._grid != kind if kind else self._grid == 0, hold)

    def _colours(self, look: Look) -> NDArray[np.float32]:
        """float32[ZONES * rows, ZONES * cols, 3]: the colours of the board's cells, zone by zone."""
        lattice = self._eye.calibration.lattice.moved(Pixel(-look.offset.x, -look.offset.y))
        zones = faces(look.frame.pixels, lattice, (0.5, 0.5))
        return zones.swapaxes(1, 2).reshape(lattice.rows * ZONES, lattice.cols * ZONES, 3)


def _changed(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether a step shows between two pictures, given as their grain; noise does not count."""
    return one.shape != other.shape or int((np.abs(one - other).max(axis=2) > MOVING).sum()) >= SHOWS


def open_places(bare: NDArray[np.bool_], hold: Cell) -> list[Cell]:
    """Where a piece in hand is held to see it whole: the cells with most bare ones round them, the nearest first.

    It is a ghost: over pieces of its own colour it does not show.

    bare: bool[rows, cols].  hold: where the piece shall be held in the end.
    """
    round_it = np.pad(bare, REACH).astype(int)
    windows = np.lib.stride_tricks.sliding_window_view(round_it, (2 * REACH + 1, 2 * REACH + 1)).sum(axis=(2, 3))
    away = ((np.indices(bare.shape) - np.array(hold)[:, None, None]) ** 2).sum(axis=0)
    order = np.lexsort((away.ravel(), -windows.ravel()))[:PLACES]
    return list(dict.fromkeys([*(Cell(*divmod(int(at), bare.shape[1])) for at in order), hold]))


@dataclass(frozen=True, slots=True, eq=False)
class Ghost:
    """A piece in hand as it shows.

    form: its cells.  top, left: where its top left corner is, in cells and parts of one.
    contrast: how much it changes the colour of what it lies over.  colour: its own, float32[3].
    """

    form: Form
    top: float
    left: float
    contrast: float
    colour: NDArray[np.float32]


def find_ghost(
    base: NDArray[np.float32], now: NDArray[np.float32], count: int, *, colour: NDArray[np.float32] | None = None
) -> Ghost | None:
    """The piece in one colour among what changed from `base` to `now`; None where there is none.

    Of several the one in most contrast to what was there: handles and rings round a piece are paler. It has `count`
    cells, unless there is none so large. A half clear piece that lies over several colours shows in several: what
    hangs together and is a piece of `count` cells is one, then.
    base, now: float32[ZONES * rows, ZONES * cols, 3], as finely as a piece may lie between cells.
    colour: of pieces in hand, where that is known.
    """
    change = np.abs(now - base).max(axis=2)
    if colour is not None:
        change[np.abs(now - colour).max(axis=2) > BEVELLED] = 0
    alike = ALIKE if colour is None else 2 * BEVELLED
    full = FULL if colour is None else CUT
    found: list[Ghost] = []
    for zones in _patches(change > CHANGED, now, alike):
        ghosts = (_piece_of(zones, size, full, change, now) for size in range(1, LARGEST + 1))
        found += [ghost for ghost in ghosts if ghost is not None]
    most = max((ghost.contrast for ghost in found), default=0.0)
    strong = [ghost for ghost in found if ghost.contrast >= PALE * most]
    best = max(strong, key=lambda ghost: (len(ghost.form) == count, len(ghost.form)), default=None)
    if colour is None and (best is None or len(best.form) != count):
        mixed = (_piece_of(zones, count, full, change, now) for zones in _patches(change > CHANGED, now, np.inf))
        return next((ghost for ghost in mixed if ghost is not None), best)
    return best


def _patches(changed: NDArray[np.bool_], now: NDArray[np.float32], alike: float) -> Iterator[NDArray[np.intp]]:
    """The changed zones, intp[n, 2], that hang together, neighbours of `alike` colours."""
    left = set(map(tuple, np.argwhere(changed).tolist()))
    while left:
        patch, frontier = set(), [left.pop()]
        while frontier:
            here = frontier.pop()
            patch.add(here)
            row, col = here
            for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                if near in left and np.abs(now[near] - now[here]).max() <= alike:
                    left.remove(near)
                    frontier.append(near)
        yield np.array(sorted(patch))


def strongest(base: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """float32[3]: the colour that changed most from `base` to `now`, an opaque piece's; None where nothing changed."""
    change = np.abs(now - base).max(axis=2)
    if not (change > CHANGED).any():
        return None
    most = np.percentile(change[change > CHANGED], 95)
    return np.asarray(np.median(now[change >= PALE * most], axis=0))


def _piece_of(
    zones: NDArray[np.intp], count: int, full: float, change: NDArray[np.float32], now: NDArray[np.float32]
) -> Ghost | None:
    """The piece that covers these zones; None where they are no `count` cells."""
    if not full * count <= len(zones) / ZONES**2 <= 1.1 * count:
        return None
    corner, extent = zones.min(axis=0), np.ptp(zones, axis=0) + 1
    begins, ends = corner == 0, corner + extent == change.shape  # there it may be cut off by the edge of the board
    sides = np.maximum(1, np.where(begins ^ ends, np.ceil(extent / ZONES - NEARLY), np.rint(extent / ZONES)))
    over = sides * ZONES - extent
    top, left = corner - np.where(begins & ~ends, over, np.where(ends & ~begins, 0, over / 2))
    places, filled = np.unique(((zones - (top, left)) // ZONES).astype(int), axis=0, return_counts=True)
    cells = places[filled >= full / 2 * ZONES**2]
    if len(cells) != count:
        return None
    form = tuple(Cell(int(row), int(col)) for row, col in cells)
    at = zones[:, 0], zones[:, 1]
    contrast, colour = float(np.median(change[at])), np.median(now[at], axis=0)
    return Ghost(form, float(top) / ZONES, float(left) / ZONES, contrast, colour)


def _every_form(cells: Form) -> set[Shape]:
    """The forms in which a piece can lie: turned, and flipped over."""
    turned = list(accumulate(range(3), lambda shape, _: rotated(shape), initial=shape_of(cells)))
    return {*turned, *map(flipped, turned)}


def _form(cells: Form) -> Form:
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return tuple(sorted(Cell(row - top, col - left) for row, col in cells))
