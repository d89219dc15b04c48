"""A whole desktop in memory with a game on it: the screen of demos, tests and fault drills."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bot.ports import Clock, ScreenError, SystemClock
from bot.screens.drawn.boards import Layout, Painter, cells_of, find_painter, lay_out, paint_game, tile
from bot.screens.drawn.desktop import (
    PANEL,
    Desk,
    Skin,
    find_skin,
    paint_window,
    wallpaper,
)
from bot.screens.drawn.in_hand import InHand, handle, handle_keys, paint_ringed
from calibration.board import Calibration, Lattice
from calibration.frame import Frame, Pixels, Rect, Spot
from games.core import BLOCKED, CONFIRM, Cell, Drag, Game, Gesture, Observation, Press, Tap, Target, gestures_of

Place = Literal["cell", "control", "board", "window", "cover", "desktop"]
"""What lay under a click; "board" is a gap between cells or a wall, "cover" a window in front of the game."""

DESKTOP = Rect(0, 0, 1280, 800)
"""The one monitor there is unless others are named."""

ROOM = 1 << 16
"""Places at which a picture's noise may begin in what was drawn of it."""

TRANSLUCENT = 0.55
"""How much a piece in hand covers what it is held over, and a move that is only shown as yet what it changes."""

REFUSED = (138, 138, 138)
"""Its colour where it cannot lie."""


@dataclass(frozen=True, slots=True)
class DrawnClick:
    """What the pointer pressed: where, when, what was drawn there, and whether the game heard of it.

    kind: "tap", or the "down" and "up" of a drag.  target: the cell or control hit, None for other places.
    """

    kind: Literal["tap", "down", "up"]
    spot: Spot
    time: float
    place: Place
    target: Target | None
    heard: bool


_Change = tuple[Pixels, list[tuple[int, int]]]

Event = Callable[["DrawnScreen"], None]
"""Something that happens to the desktop, such as ``lambda screen: screen.move_window(40, 30)``."""


class DrawnScreen:
    """A desktop on which any game with a painter can be played; its `pointer` is the only hand on it.

    The game hears a gesture `lag` seconds after it was made and then repaints its changed cells, from the start
    corner outwards, over `animation` seconds.  `noise` is the standard deviation of each grabbed channel.
    Gestures whose numbers, from 0, are in `drops` are swallowed.  ``events[n]`` happens as soon as n moves are
    played.  The hand has the seat that is to move at first, unless `rival_begins`; `rival` chooses the others' moves,
    and makes them `thinking` seconds after it is their turn.  Without it the hand plays every seat.
    The key "n" begins another game, in the position that `another` gives; its moves take the place of the last one's.
    preview: how much, 0 to 1, the move that a tap where the pointer is would make shows already.
    The game hears moves made in the way `how`, of its game's ways, and no others; where pieces wait in trays they are
    taken, turned, held over the board and laid.  By keys they are moved in half cells, inside a ring.
    shown: how much, 0 to 1, a move shows that still waits for its last gesture.
    All time is the clock's: with a FakeClock every run is the same.

    monitors: in pointer units; the first one has the panel.  scale: pixels to a unit.
    corner: the window's top left corner, in the middle of `monitors[0]` if None.  cell: units from cell to cell.

    state: the position the game is in, whatever the picture shows yet.  moves: what was played, in order.
    clicks: everything the pointer pressed.  layout: where the game's window stands, None while it is closed.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        state: Any,
        *,
        clock: Clock | None = None,
        skin: str | Skin = "classic",
        monitors: tuple[Rect, ...] = (DESKTOP,),
        scale: float = 1.0,
        corner: Spot | None = None,
        cell: float | None = None,
        lag: float = 0.0,
        animation: float = 0.0,
        noise: float = 0.0,
        drops: Collection[int] = (),
        events: Mapping[int, Event] | None = None,
        rival: Callable[[Any], Any] | None = None,
        thinking: float = 0.0,
        rival_begins: bool = False,
        another: Callable[[], Any] | None = None,
        preview: float = 0.0,
        how: str = "",
        shown: float = TRANSLUCENT,
        seed: int = 0,
    ) -> None:
        self.game, self.state, self.clock = game, state, clock or SystemClock()
        self.lag, self.animation, self.noise, self.drops = lag, animation, noise, frozenset(drops)
        self._rival, self._thinking, self._another = rival, thinking, another
        self._preview, self._shown = preview, shown
        self._pointed: tuple[Any, Target, _Change | None] | None = None
        self._seat = (state.player + rival_begins) % game.players
        self.moves: list[Any] = []
        self.clicks: list[DrawnClick] = []
        self.pointer = DrawnPointer(self)
        self._painter = find_painter(game)
        self.how = how or self._painter.how
        self._skin = find_skin(skin) if isinstance(skin, str) else skin
        self._monitors, self._scale, self._desktop = monitors, scale, _around(monitors)
        self._rng = np.random.default_rng(seed)
        self._events = dict(events or {})
        self._due: list[tuple[float, int, Event]] = []
        self._order, self._numbers = count(), count()
        self._moment: float | None = None
        self._made: list[Gesture] = []
        self._begun: Any = None  # the one move that the gestures made so far begin
        self._covers: list[tuple[Rect, str]] = []
        self._held: InHand | None = None
        self._cell = _fitting_cell(monitors[0], self._painter, game.show(state)) if cell is None else cell
        self._corner = corner or self._centred()
        self._closed = False
        self._backdrop: Pixels | None = None
        self._picture: Pixels | None = None
        self._repaint: _Repaint | None = None
        self._noise_drawn: NDArray[np.int16] | None = None
        self._arrange()
        self._happen()
        self._call_rival()

    @property
    def layout(self) -> Layout | None:
        """Where the game's window and everything in it lie, in pointer units; None while it is closed."""
        return self._layout

    def grab(self, region: Rect | None = None) -> Frame:
        """What the desktop shows now, in whole pixels; raises ScreenError outside of it."""
        self._catch_up()
        whole = Frame(self._whole_picture(), self._desktop, self.clock.now())
        try:
            frame = whole.crop(region or self._desktop)
        except ValueError as error:
            raise ScreenError(f"nothing to grab: {error}") from None
        if self.noise:
            frame.pixels[:] = np.clip(
                frame.pixels + self._noise_of(frame.pixels.size).reshape(frame.pixels.shape), 0, 255
            )
        return frame

    def _noise_of(self, size: int) -> NDArray[np.int16]:
        """int16[size] of noise: a part, taken by chance, of what was drawn once, which is ten times as quick."""
        if self._noise_drawn is None or len(self._noise_drawn) < size + ROOM:
            self._noise_drawn = np.rint(self._rng.standard_normal(size + ROOM, np.float32) * self.noise).astype(
                np.int16
            )
        start = int(self._rng.integers(ROOM))
        return self._noise_drawn[start : start + size]

    def close(self) -> None:
        """Nothing to let go of; `close_window` closes the game's window."""

    def calibration(self) -> Calibration:
        """The true calibration of a full grab; raises ScreenError while the window is closed."""
        if self._layout is None:
            raise ScreenError("the game's window is closed: there is no board to calibrate on")
        layout, observation = self._layout, self.game.show(self.state)
        across, down = (round(side * self._scale) for side in (self._desktop.width, self._desktop.height))
        whole = Frame(np.broadcast_to(np.uint8(0), (down, across, 3)), self._desktop)
        numbers = observation.numbers
        return Calibration(
            game=self.game.name,
            lattice=Lattice(
                whole.pixel(layout.square(Cell(0, 0)).centre),
                (layout.board.width / layout.cols * self._scale, layout.board.height / layout.rows * self._scale),
                layout.rows,
                layout.cols,
                (layout.gap * self._scale,) * 2 if layout.grooves else (0.0, 0.0),
            ),
            palette=self._painter.palette(observation, self._skin),
            size=(across, down),
            controls={name: whole.pixel(rect.centre) for name, rect in layout.controls.items()},
            start=Cell(numbers["start_row"], numbers["start_col"]) if "start_row" in numbers else None,
            blocked=frozenset(Cell(int(row), int(col)) for row, col in np.argwhere(observation.grid == BLOCKED)),
            confidence=1.0,
            look=self._painter.seen_as,
            how=self._painter.how,
        )

    # What may happen to the desktop, at once or by an Event.

    def after(self, seconds: float, event: Event) -> None:
        """Let `event` happen `seconds` from now."""
        heappush(self._due, (self._now() + seconds, next(self._order), event))

    def play(self, move: Any) -> None:
        """Let the game make `move` itself, as an opponent does; raises IllegalMoveError."""
        before = self.state
        self.state = before.play(move)
        self.moves.append(move)
        self._repaint = _Repaint(before, self._picture, self._now()) if self.animation else None
        self._picture = None
        self._happen()
        self._call_rival()

    def deal(self, state: Any) -> None:
        """Another position of the same size appears, as after a reload."""
        self.state, self._repaint, self._held = state, None, None
        self._forget_gestures()
        self._arrange()

    def move_window(self, right: float, down: float) -> None:
        """The window is dragged so far."""
        self._corner = Spot(self._corner.x + right, self._corner.y + down)
        self._arrange()

    def resize_window(self, cell: float) -> None:
        """The window grows or shrinks until its cells are `cell` units apart; its top left corner stays."""
        self._cell = cell
        self._arrange()

    def close_window(self) -> None:
        """The game is gone from the screen, its position with it."""
        self._closed = True
        self._arrange()

    def open_window(self) -> None:
        """The window is back, as it was."""
        self._closed = False
        self._arrange()

    def cover(self, rect: Rect, *, seconds: float | None = None, title: str = "Updates are ready") -> None:
        """Another window comes to the front at `rect`, to stay, or for so many seconds."""
        cover = (rect, title)
        self._covers.append(cover)
        self._arrange()
        if seconds is not None:
            self.after(seconds, lambda screen: screen._uncover(cover))

    def uncover(self) -> None:
        """Every window in front of the game goes away."""
        self._covers.clear()
        self._arrange()

    def _uncover(self, cover: tuple[Rect, str]) -> None:
        if cover in self._covers:
            self._covers.remove(cover)
            self._arrange()

    # The hand.

    def _tap(self, spot: Spot) -> None:
        self._catch_up()
        target, heard = self._press(spot, "tap")
        if heard and target is not None:
            self._tell(Tap(target))

    def _drag(self, start: Spot, end: Spot) -> None:
        self._catch_up()
        first, heard = self._press(start, "down")
        last, _ = self._press(end, "up", heard=heard)
        if heard and first is not None and last is not None:
            self._tell(Drag(first, last))

    def _key(self, key: str) -> None:
        self._catch_up()
        if self._hears() and not self._closed:
            self._tell(Press(key))

    def _press(
        self, spot: Spot, kind: Literal["tap", "down", "up"], *, heard: bool | None = None
    ) -> tuple[Target | None, bool]:
        place, target = self._hit(spot)
        heard = self._hears() if heard is None else heard
        self.clicks.append(DrawnClick(kind, spot, self.clock.now(), place, target, heard))
        return target, heard

    def _hears(self) -> bool:
        return next(self._numbers) not in self.drops

    def _hit(self, spot: Spot) -> tuple[Place, Target | None]:
        if any(rect.contains(spot) for rect, _ in self._covers):
            return "cover", None
        if self._layout is None or not self._layout.window.contains(spot):
            return "desktop", None
        target = self._layout.target(spot)
        if target is not None:
            return ("cell" if isinstance(target, Cell) else "control"), target
        return ("board" if self._layout.board.contains(spot) else "window"), None

    # The game.

    def _tell(self, gesture: Gesture) -> None:
        if self.lag:
            self.after(self.lag, lambda screen: screen._hear(gesture))
        else:
            self._hear(gesture)

    def _hear(self, gesture: Gesture) -> None:
        """Play the move that the gestures made so far complete; forget them where they begin none."""
        if not self._closed and self._another is not None and gesture == Press("n"):
            self.moves.clear()
            self.deal(self._another())
            self._call_rival()
        if self._closed or self._is_rivals_turn():
            return
        if any(self._painter.trays(self.game.show(self.state))):
            hears = handle_keys if self.how == "keys" else handle
            self._held, laid = hears(self._held, gesture, self.state)
            if laid is not None:
                self.play(laid)
            return
        self._made.append(gesture)
        begun = []
        for move in self.state.legal_moves():
            wanted = [gesture for gesture in self._gestures(move) if isinstance(gesture, Tap | Drag | Press)]
            if len(self._made) <= len(wanted) and all(map(self._does, self._made, wanted)):
                if len(self._made) == len(wanted):
                    self._forget_gestures()
                    self.play(move)
                    return
                begun.append(move)
        if begun:
            self._begun = begun[0] if len(begun) == 1 else None
        elif isinstance(gesture, Press):
            self._made.pop()  # a key that means nothing here
        else:
            again = len(self._made) > 1
            self._forget_gestures()
            if again:
                self._hear(gesture)  # it may begin another move

    def _forget_gestures(self) -> None:
        self._made.clear()
        self._begun = None

    def _gestures(self, move: Any) -> Sequence[Gesture]:
        return gestures_of(self.game, self.state, move, self.how)

    def _does(self, made: Gesture, wanted: Gesture) -> bool:
        """Whether `made` is what `wanted` asks for; where there are buttons, the cells do not stand in for them."""
        if isinstance(made, Tap) and isinstance(wanted, Tap):
            alone = self._layout is not None and wanted.target in self._layout.controls
            return made.target == wanted.target or (not alone and made.target in wanted.alternatives)
        return made == wanted

    def _is_rivals_turn(self) -> bool:
        return self._rival is not None and self.state.player != self._seat and self.state.outcome() is None

    def _call_rival(self) -> None:
        if self._is_rivals_turn():
            self.after(self._thinking, DrawnScreen._answer)

    def _answer(self) -> None:
        if self._rival is not None and self._is_rivals_turn():
            self.play(self._rival(self.state))

    # Time and paint.

    def _catch_up(self) -> None:
        """Let everything happen that is due by now, each at its own moment."""
        while self._due and self._due[0][0] <= self.clock.now():
            self._moment, _, event = heappop(self._due)
            event(self)
        self._moment = None

    def _now(self) -> float:
        """The moment at which what happens now was due, which may be some time before anybody looks."""
        return self.clock.now() if self._moment is None else self._moment

    def _happen(self) -> None:
        event = self._events.pop(len(self.moves), None)
        if event is not None:
            event(self)

    def _arrange(self) -> None:
        """Lay the window out anew and forget every picture of it."""
        self._layout: Layout | None = None if self._closed else self._lay_out(self._corner)
        self._backdrop = self._picture = None
        if self._repaint is not None:
            self._repaint = replace(self._repaint, picture=None)

    def _lay_out(self, corner: Spot) -> Layout:
        more = [CONFIRM] * self.how.endswith(CONFIRM)
        return lay_out(self._painter, self.game.show(self.state), self._skin, corner, self._cell, more=more)

    def _centred(self) -> Spot:
        """The corner that puts the window in the middle of the first monitor, above its panel."""
        window, monitor = self._lay_out(Spot(0, 0)).window, self._monitors[0]
        return Spot(
            round(monitor.x + (monitor.width - window.width) / 2),
            round(monitor.y + (monitor.height - PANEL - window.height) / 2),
        )

    def _whole_picture(self) -> Pixels:
        """The desktop as it looks now, to be read only."""
        picture = self._resting_picture()
        target = None if self._layout is None else self._layout.target(self.pointer.position())
        if self._layout is not None and self._begun is not None:
            return self._mixed(picture, self._layout, self._change_of(self._begun), self._shown)
        if self._preview and self._layout is not None and target is not None:
            return self._previewed(picture, self._layout, target)
        if self._held is not None and self._layout is not None and self._held.at is not None:
            return self._ringed(picture, self._layout, self._held)
        if self._held is None or self._layout is None or not isinstance(target, Cell):
            return picture
        resting, picture, move = picture, picture.copy(), self._held.on(target)
        fits = not self.state.refusal(self._held.colour, move)
        colours = self._painter.palette(self.game.show(self.state), self._skin)
        for cell in filter(self.state.board.holds, move):
            shade = colours[self._held.colour + 1] if fits else REFUSED
            self._desk(picture).paint(self._layout.cell(cell), shade, alpha=TRANSLUCENT)
        return self._behind_covers(picture, resting)

    def _ringed(self, picture: Pixels, layout: Layout, held: InHand) -> Pixels:
        """The picture with a piece that keys move, inside a ring."""
        resting, picture = picture, picture.copy()
        colour = self._painter.palette(self.game.show(self.state), self._skin)[held.colour + 1]
        paint_ringed(self._desk(picture), layout, held, tile(layout, colour, self._skin))
        return self._behind_covers(picture, resting)

    def _previewed(self, picture: Pixels, layout: Layout, target: Target) -> Pixels:
        """The picture with the move half drawn that a tap on `target` would make, if it makes any."""
        if self._pointed is None or self._pointed[:2] != (self.state, target):
            move = self._move_at(target)
            self._pointed = self.state, target, None if move is None else self._change_of(move)
        if self._is_rivals_turn() or self._pointed[2] is None:
            return picture
        return self._mixed(picture, layout, self._pointed[2], self._preview)

    def _mixed(self, picture: Pixels, layout: Layout, change: _Change, share: float) -> Pixels:
        """The picture with a `share` of a move's."""
        picture, (then, places) = picture.copy(), change
        desk = self._desk(picture)
        for row, col in places:
            part = desk.slices(layout.place(row, col))
            picture[part] = picture[part] * (1 - share) + then[part] * share
        return picture

    def _move_at(self, target: Target) -> Any:
        """The move that a tap on `target` makes or begins; None where it makes none."""
        for move in self.state.legal_moves():
            taps = [gesture for gesture in self._gestures(move) if isinstance(gesture, Tap)]
            if taps and target in (taps[0].target, *taps[0].alternatives):
                return move
        return None

    def _change_of(self, move: Any) -> _Change:
        """The picture after `move`, and the places that it changes."""
        after = self.state.play(move)
        changed = np.argwhere(self.game.show(self.state).grid != self.game.show(after).grid)
        return self._paint(after), [(int(row), int(col)) for row, col in changed]

    def _resting_picture(self) -> Pixels:
        """The desktop without what is in hand."""
        if self._picture is None:
            self._picture = self._paint(self.state)
        if self._repaint is None or self._layout is None:
            return self._picture
        passed = (self._now() - self._repaint.began) / self.animation
        if passed >= 1:
            self._repaint = None
            return self._picture
        before = self._repaint.picture
        if before is None:
            before = self._paint(self._repaint.state)
            self._repaint = replace(self._repaint, picture=before)
        return self._fading(before, self._repaint.state, self._layout, passed)

    def _fading(self, before: Pixels, state: Any, layout: Layout, passed: float) -> Pixels:
        """The picture while the changed cells fade in over those of `state` `before`, one ring after another."""
        picture = self._paint(self.state) if self._picture is None else self._picture.copy()
        old, new = self.game.show(state), self.game.show(self.state)
        first = (new.numbers.get("start_row", 0), new.numbers.get("start_col", 0))
        changed = np.argwhere(old.grid != new.grid)
        rings = np.abs(changed - first).sum(axis=1)
        desk = self._desk(picture)
        for (row, col), ring in zip(changed, rings / max(1, rings.max(initial=0)), strict=True):
            done = np.float32(np.clip((passed - 0.7 * ring) / 0.3, 0, 1))
            part = desk.slices(layout.place(int(row), int(col)))
            was, now = before[part], picture[part]
            now[:] = np.round(was * (1 - done) + now * done)
        return picture

    def _paint(self, state: Any) -> Pixels:
        if self._backdrop is None:
            self._backdrop = self._paint_backdrop()
        picture = self._backdrop.copy()
        desk = self._desk(picture)
        if self._layout is not None:
            paint_game(
                desk, self._painter, self._layout, self.game.show(state), skin=self._skin, status=self._status(state)
            )
        for rect, title in self._covers:
            paint_window(desk, rect, title, (240, 241, 245))
        return picture

    def _behind_covers(self, picture: Pixels, resting: Pixels) -> Pixels:
        """The picture with a piece in hand, behind the windows in front of the game."""
        for rect, _ in self._covers:
            part = self._desk(picture).slices(rect)
            picture[part] = resting[part]
        return picture

    def _paint_backdrop(self) -> Pixels:
        """The desktop with the game's window still empty: what stays the same from move to move."""
        picture = wallpaper(self._monitors, self._desktop, self._scale).copy()
        if self._layout is not None:
            title, skin = self._painter.title, self._skin
            paint_window(self._desk(picture), self._layout.window, title, skin.page, dark=skin.ink > skin.page)
        return picture

    def _status(self, state: Any) -> str:
        """A few words that fit beside the name of the game in its narrowest window."""
        outcome, played = state.outcome(), len(self.moves)
        if outcome is not None:
            return f"won in {played} moves" if outcome.winner == self._seat else f"over in {played} moves"
        left = self.game.show(state).numbers.get("left")
        return f"move {played}" if left is None else f"{left} moves left"

    def _desk(self, pixels: Pixels) -> Desk:
        return Desk(pixels, Spot(self._desktop.x, self._desktop.y), self._scale)


class DrawnPointer:
    """The hand on a DrawnScreen; raises nothing."""

    def __init__(self, screen: DrawnScreen) -> None:
        self._screen = screen
        self._spot = Spot(640, 600)
        self._held: Spot | None = None

    def tap(self, spot: Spot) -> None:
        """Press and release at `spot`."""
        self._spot = spot
        self._screen._tap(spot)

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start`, release at `end`."""
        self._spot = end
        self._screen._drag(start, end)

    def hold(self, spot: Spot) -> None:
        """Press at `spot` and keep the button down."""
        self._spot = self._held = spot

    def release(self) -> None:
        """Let it go where the pointer is."""
        held, self._held = self._held, None
        if held is not None:
            self.drag(held, self._spot)

    def press(self, key: str) -> None:
        """Press and release a key."""
        self._screen._key(key)

    def move(self, spot: Spot) -> None:
        """Rest at `spot`; it is also how a test moves the mouse as its user would."""
        self._spot = spot

    def position(self) -> Spot:
        """Where the pointer is."""
        return self._spot


@dataclass(frozen=True, slots=True)
class _Repaint:
    """A change the screen is still showing: from `state`, whose picture may not be painted yet, since `began`."""

    state: Any
    picture: Pixels | None
    began: float


def _around(monitors: tuple[Rect, ...]) -> Rect:
    """The smallest rectangle that holds every monitor."""
    left, top = min(rect.x for rect in monitors), min(rect.y for rect in monitors)
    right = max(rect.x + rect.width for rect in monitors)
    bottom = max(rect.y + rect.height for rect in monitors)
    return Rect(left, top, right - left, bottom - top)


def _fitting_cell(monitor: Rect, painter: Painter, observation: Observation) -> float:
    """Whole units from cell to cell so that a board leaves room for the rest of its window."""
    rows, cols = cells_of(painter, observation)
    return float(max(5, min(painter.pitch, (monitor.height - 250) // rows, (monitor.width - 100) // cols)))
