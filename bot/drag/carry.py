"""Carrying a piece: picked up, turned and moved until the board shows it where it shall lie, and laid down.

Nothing is assumed about how a piece lies in the hand at first or what a key does to it: each step is looked at.
A piece in the hand is what the board shows beside its resting picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bot.drag.gestures import SETTLE, SLOW, Gestures
from bot.drag.hypotheses import open_places
from bot.drag.segmentation import PieceSegment, segment_piece
from bot.drag.turning import Turning
from bot.play.aim import WithheldError
from bot.play.observer import Reading
from bot.ports import WHEEL, WHEEL_BACK, scroll_to, scrolled_by
from bot.runs.journal import Click
from calibration.cell_patches import ZONES
from calibration.frame import Frame, Pixel, Spot
from calibration.lit import lit_buttons
from calibration.switches import row_beside
from games.core import Carry, Cell, Press, Tap
from games.polyominoes import LARGEST, PIECE_OF, PIECES, Shape, shape_of

DOUBLE = "double click"
KEYS, OTHERS = ("r", "f", WHEEL, "space", "e", "right", "up"), (DOUBLE,)
"""What turns or flips a piece in the programs that were seen: keys, the wheel, two taps on it in its tray."""

TURN = "turn:"
"""What the names of controls begin with that turn the piece in hand: buttons that lit up with it."""

TAKES = 2
"""Times a piece is taken until it shows: the press may be lost."""

HASTE = 1.0
"""Seconds in which a piece shows on most pages that is taken from the right one of several trays."""

TURNS = 24
"""Turns after which a piece's form was not found: eight forms, each by way of every key."""

OVER = 2
"""Keys that may turn a piece over, each with all quarter turns after it, where only its place shows all of it."""

ROUNDS = 4
"""Times a piece is moved towards its place."""

NEARLY = 0.4
"""Cells by which a piece may seem to lie beside its place: those that are drawn a little larger seem to be a third of a
cell off where they lie right."""

BEFORE = 0.2
"""Cells by which it may lie left of or above its place."""

TINT = 20.0
"""How much the colour of a piece in hand differs where it may lie from where it may not, on pages that show it: grey or
red instead of its own by 40 and more; what it lies over half clear by 5."""


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """A piece to be laid on a board, the board's colours without it, and where it shows whole however it is held."""

    wish: Carry
    base: NDArray[np.float32]
    open: Cell

    @property
    def wanted(self) -> Shape:
        return shape_of(self.wish.cells)

    @property
    def corner(self) -> NDArray[np.float64]:
        """float64[2]: the row and the column of the piece's top left corner where it shall lie."""
        return np.min(np.array(self.wish.cells, dtype=np.float64), axis=0)  # type: ignore[no-any-return]


class PointerCarrier:
    """Takes a piece with the pointer, under which it shows half clear, turns it by keys and lays it by a tap.

    Or by buttons that light up with it.  adopt: is called when such were found, or found to be none.  lays: are called
    before a piece is laid.  Where a piece that is taken shows on the board and follows no pointer, taps bring it to its
    place, and what makes moves final lays it there.  Where a tap takes none it is dragged, with the button held down.
    elsewhere: cells of the piece to be carried where it may lie in no case, and those where it may if not at its place.
    untold: whether it may have to lie where its form cannot, so that `elsewhere` lacks a place.
    hasty: whether it may wait in another tray, where it is sought next: one that does not show is given up soon.
    turning: what is known of what turns pieces.
    drags: whether a piece is in hand only while a button is held down, if known: what may not lie where it is let go
    flies back then.
    """

    def __init__(self, gestures: Gestures, adopt: Callable[[], None], *, lays: Sequence[Callable[[], None]]) -> None:
        self._gestures, self._adopt, self._lays = gestures, adopt, lays
        self._unlit: Frame | None = None  # the whole screen with empty hands, while it is not known what turns pieces
        self._nudged = -1.0
        self._doubtful = -np.inf  # when a press seemed to turn nothing
        self._set: bool | None = None  # whether pieces follow no pointer, and come where the board is tapped, if known
        self.drags: bool | None = None
        self._late = 0.0  # seconds after which a piece follows the pointer, where it does not at once
        self._from, self._waiting = Pixel(0.0, 0.0), ""  # where the piece was taken, and the control there
        self._lasting = False  # whether buttons were sought that do not light up with a piece
        self._moved: set[str] = set()  # the controls of pieces that were put back
        self.elsewhere: tuple[Sequence[Cell], ...] = ()
        self.untold, self.hasty = False, False
        self.turning = Turning()

    def carry(self, wish: Carry, start: Pixel) -> list[Click]:
        """Lays the piece; raises NotInHandError after putting it away.

        start: where it is taken, unless by a key.
        """
        controls = self._gestures.observer.calibration.controls
        self._from, self._waiting = start, next((name for name, at in controls.items() if at == start), "")
        if self._waiting in self._moved:
            self._seek()
        try:
            return self._carry(wish)
        finally:
            self._put_back()

    def _carry(self, wish: Carry) -> list[Click]:
        observer = self._gestures.observer
        if self.turning or self._buttons():
            self._unlit = None
        elif self._unlit is None:  # else a piece that was not laid may be in the hand yet
            self._unlit = observer.look([observer.desktop])
        rest = observer.recent(SETTLE)
        bare = rest.observation.grid == 0
        middle = Cell(len(bare) // 2, len(bare.T) // 2)
        task = _Task(wish, self._gestures.zones(rest), open_places(bare, middle, LARGEST - 1)[0])
        places = [*open_places(bare, wish.hold), task.open]
        segment: PieceSegment | None = None
        showed: list[Shape] = []
        first = min(HASTE, self._gestures.patience) if self.hasty else self._gestures.patience  # it was heard by then
        for attempt, drag in enumerate([bool(self.drags)] * TAKES + [True] * (self.drags is None)):
            if attempt and not self._gestures.rests(task.base):
                break
            try:
                click = self._take(wish.take, drag=drag, anew=not attempt)
            except WithheldError:
                if not attempt:
                    raise
                break  # what was taken covers the place it was taken from
            self.turning.taken()
            self._gestures.hear()
            for place in places:
                self._point(self._gestures.observer.calibration.find(place))
                seconds = first if place == places[0] else self._gestures.soon
                segment = self._shown(task, lambda segment: segment is not None, seconds)
                if self._set is None and not drag and (found := self._is_set(task, place)) is not None:
                    self._set = found
                    self._point(self._gestures.observer.calibration.find(place))
                    segment = self._shown(task, lambda segment: segment is not None, self._gestures.soon)
                showed += [] if segment is None else [segment.form]
                if segment is not None and segment.form in _forms(task):
                    self.drags = drag
                    if self._turned(task, segment):
                        if self._is_refused(task):
                            raise self._gestures.not_in_hand(wish, showed=True, refused=True)
                        self._unlit = None
                        return [click, self._lay()]
                if task.wanted in self.turning.never:
                    break
            clipped = showed and task.wanted not in self.turning.never and set(showed).isdisjoint(_forms(task))
            if clipped and self._comes_to_show(task):
                return [click, self._lay()]
            if segment is not None:
                break  # it was in the hand, and cannot be laid
            if len(task.wanted) == 1 and not drag:  # it lies where the pointer is, however little of it shows
                self._point(self._gestures.observer.calibration.find(wish.hold))
                return [click, self._lay()]
            self._put_back()
        raise self._gestures.not_in_hand(wish, showed=segment is not None)

    def _comes_to_show(self, task: _Task) -> bool:
        """Whether the piece shows at its place in one of its forms, held at one spot of what is round it or another.

        On a crowded board that may be the only place where all of it does, if it shows over free cells alone.
        """
        first, last = np.min(task.wish.cells, axis=0), np.max(task.wish.cells, axis=0)
        every = [Cell(*map(int, at)) for at in first + list(np.ndindex(*(last - first + 1)))]
        every.sort(key=lambda cell: float(np.abs(np.subtract(cell, (first + last) / 2)).sum()))
        for key in self._round():
            if key:
                self._press(key, task.wish.take)
            for cell in every:
                self._point(self._gestures.observer.calibration.find(cell))
                self._gestures.hear()
                if _lies(task, self._shown(task, lambda segment: True, self._gestures.soon)):
                    return _lies(task, self._shown(task, partial(_lies, task), self._gestures.soon, rests=True))
        return False

    def _round(self) -> Iterator[str]:
        """What leads a piece through its forms, as far as is known: nothing first, and quarter turns after each key."""
        keys = sorted((key for key in self._keys() if key != DOUBLE), key=lambda key: key not in self.turning)
        worth = [key for key in keys if self.turning.worth(key)] if self.turning and not self._set else []
        quarter, *others = worth or [""]
        for key in ("", *others[:OVER]) if quarter else ():
            yield from (key, quarter, quarter, quarter)

    def _take(self, take: Tap | Press, *, drag: bool, anew: bool) -> Click:
        """Takes the piece where it waits; anew: or where it is found then, if what waits there is another one."""
        waited = self._from
        try:
            return self._taken(take, drag=drag)
        except WithheldError:
            if anew:
                self._seek()
            if self._from == waited:
                raise
            return self._taken(take, drag=drag)

    def _taken(self, take: Tap | Press, *, drag: bool) -> Click:
        if drag and isinstance(take, Tap):
            return self._gestures.hold(take, self._from)
        return self._gestures.act(take, self._from)

    def _is_set(self, task: _Task, place: Cell) -> bool | None:
        """Whether the piece stays where it shows when the pointer leaves `place`; None where none shows."""

        def tell(reading: Reading) -> PieceSegment | None:
            return segment_piece(task.base, self._gestures.zones(reading), len(task.wanted))

        observer = self._gestures.observer
        first = tell(observer.read())
        if first is None or first.form not in _forms(task):
            return None
        top, left = first.top, first.left

        def moved(segment: PieceSegment | None) -> bool:
            return segment is None or max(abs(segment.top - top), abs(segment.left - left)) > NEARLY

        row = place.row - 1 if place.row > observer.calibration.lattice.rows // 2 else place.row + 1
        self._point(observer.calibration.find(Cell(row, place.col)))
        stayed = not moved(self._gestures.seen(tell, moved, self._gestures.patience))
        before, followed = self._gestures.took
        self._late = followed if before > SLOW and not stayed else 0.0
        return stayed

    def _turned(self, task: _Task, segment: PieceSegment) -> bool:
        """Turns and moves the piece that shows as `segment` until it lies where it shall; whether that was achieved."""
        if segment.form != task.wanted and not self._set and not self.drags:
            self._find_buttons()  # what lights up with a piece that is set may lay it; none is pressed while one drags
        seen = {segment.form}
        keys = self._in_turn()
        for _ in range(TURNS):
            if segment.form == task.wanted:
                segment = self._settled(task, segment)
            if segment.form == task.wanted:
                return self._brought(task, segment)
            every = sorted(self._keys(), key=lambda key: key != DOUBLE)  # it is seen best as it lay first
            easy = self.turning.first(segment.form, task.wanted, every[1:])
            key = easy or self.turning.next(segment.form, task.wanted, every, keys)
            if key is None:
                self.turning.give_up(segment.form, seen, self._keys())
                return False
            shown = self._turn(key, task, segment)
            if shown is None or shown.form not in _forms(task):
                return False
            segment = shown
            seen.add(segment.form)
        return False

    def _turn(self, key: str, task: _Task, segment: PieceSegment) -> PieceSegment | None:
        """Turns the piece that shows as `segment` by `key`; what shows of it then.

        What is not known to turn pieces is waited for as long as others take: if it is only late, `_settled` sees it.
        Where it is known how the piece lies then, one picture that shows it so is enough.
        """
        screen, known, wanted = self._gestures.observer.screen, key in self.turning, self.turning.due(key, segment.form)
        down = scrolled_by(screen)
        self._press(key, task.wish.take)
        seconds = self._gestures.patience if known else self._gestures.soon + SLOW
        shown = self._shown(task, partial(_turn_of, segment), seconds, nudged=True, form=wanted)
        if scroll_to(screen, down):  # what shows on a board that went by is no form of it
            shown = self._shown(task, partial(_turn_of, segment), self._gestures.soon, nudged=True)
        if shown is None or shown.form not in _forms(task):
            shown = self._in_open(task)
        due = self.turning.showed(key, segment.form, segment.form if shown is None else shown.form)
        if not due:
            self._doubtful = self._gestures.now()
        if key == WHEEL and not due:
            self._gestures.press(WHEEL_BACK)  # what it scrolled
        if not due and (scroll_to(screen, down) or key == WHEEL):
            shown = self._shown(task, partial(_turn_of, segment), self._gestures.soon)
        if key.startswith(TURN) and not due:
            self._forget(key)
        return shown

    def _in_open(self, task: _Task) -> PieceSegment | None:
        """What shows of the piece where all of it does: the board's edge may cut it off elsewhere."""
        self._point(self._gestures.observer.calibration.find(task.open))
        return self._shown(task, lambda segment: segment is not None, self._gestures.soon, nudged=True)

    def _settled(self, task: _Task, segment: PieceSegment) -> PieceSegment:
        """The piece as it shows once a press that seemed to turn nothing can turn it no more."""
        left = self._doubtful + self._gestures.patience - self._gestures.now()
        shown = self._shown(task, partial(_turn_of, segment), left, nudged=True) if left > 0 else None
        return shown if shown is not None and _turn_of(segment, shown) else segment

    def _press(self, key: str, take: Tap | Press) -> None:
        """Does what may turn the piece in hand."""
        at, button = self._at(), self._buttons().get(key)
        if button is not None:
            self._gestures.act(Tap(key), button)
        elif key == DOUBLE:
            self._put_back()
            self._gestures.act(take, self._from, times=2)
            if self.drags and isinstance(take, Tap):
                self._take_again(take)
        else:
            self._gestures.press(key)
            return
        self._gestures.pointer.move(at)

    def _take_again(self, take: Tap) -> None:
        """Takes the piece again where it waits, after something was done there that may have turned it."""
        self._gestures.pointer.move(self._gestures.observer.beside())
        self._gestures.hear(SLOW)
        self._seek()
        self._gestures.hold(take, self._from)

    def _seek(self) -> None:
        """Looks where the piece waits that was put back: it may lie otherwise, and a page may tidy its tray up."""
        observer = self._gestures.observer
        observer.patches.pop(self._waiting, None)
        observer.find_controls()
        self._adopt()
        self._from = observer.calibration.controls.get(self._waiting, self._from)

    def _put_back(self) -> None:
        """Lets what is dragged, if anything is, go where it waits: it may lie otherwise there from then on."""
        if self._gestures.put_back(self._from):
            self._moved.add(self._waiting)
            self._gestures.observer.patches.pop(self._waiting, None)

    def _buttons(self) -> dict[str, Pixel]:
        """The controls that turn a piece, or may."""
        controls = self._gestures.observer.calibration.controls
        return {name: at for name, at in controls.items() if name.startswith(TURN)}

    def _find_buttons(self) -> None:
        """Takes the buttons that lit up with the piece in hand for controls that may turn it."""
        observer, unlit = self._gestures.observer, self._unlit
        if unlit is not None:
            known, now = observer.calibration, observer.look([observer.desktop])
            lit = lit_buttons(unlit, now, known.lattice.box, list(known.controls.values()))
            self._take_for_buttons(_numbered(lit))
            self._unlit = None if lit else unlit

    def _find_lasting(self) -> None:
        """Takes a row of buttons for controls that may turn a piece, where nothing does that was tried: once."""
        observer, self._lasting = self._gestures.observer, True
        if not self._buttons():
            known, now = observer.calibration, observer.look([observer.desktop])
            self._take_for_buttons(_numbered(row_beside(now, known.lattice, list(known.controls.values()))))

    def _forget(self, key: str) -> None:
        """Takes a button for one that turns nothing, such as one that puts the piece away."""
        self._take_for_buttons({name: at for name, at in self._buttons().items() if name != key})

    def _take_for_buttons(self, buttons: Mapping[str, Pixel]) -> None:
        """Lets `buttons` and no others be the controls that turn a piece."""
        observer = self._gestures.observer
        for name in buttons:
            observer.patches.pop(name, None)  # it reached half the way to one that is none
        others = {name: at for name, at in observer.calibration.controls.items() if not name.startswith(TURN)}
        observer.amend(replace(observer.calibration, controls={**others, **buttons}))
        self._adopt()

    def _keys(self) -> list[str]:
        """What may turn the piece in hand, which is put back for two taps on it where that holds a button down."""
        return [*KEYS, *({} if self.drags else self._buttons()), *OTHERS]

    def _in_turn(self) -> Iterator[str]:
        """The keys and buttons that may turn a piece, by turns.

        Two taps come last, where nothing else does: a press on the tray may take the piece out of the hand.
        One that is dragged is put back for them.
        """
        for turn in range(TURNS):
            if turn == 1 and not (self.turning or self.drags or self._lasting):
                self._find_lasting()
            yield from (key for key in self._keys() if key != DOUBLE or self.drags or (turn and not self.turning))

    def _brought(self, task: _Task, segment: PieceSegment) -> bool:
        """Moves the piece, whose form is right, to its cells; whether it is there, or nearly: it snaps to them.

        Not by a pointer beside the board: what shows is none that it carries.
        """
        for _ in range(ROUNDS):
            if not _lies(task, segment):
                self._move(task.corner - (segment.top, segment.left))
            shown = self._shown(task, partial(_lies, task), self._gestures.soon, nudged=True, rests=True)
            if shown is None or shown.form != task.wanted:
                return False
            segment = shown
            if _lies(task, segment):
                return self._gestures.observer.board_rect().contains(self._at())
        return False

    def _is_refused(self, task: _Task) -> bool:
        """Whether the piece, at its place, shows as where it may not lie, and does not elsewhere; else it is there.

        Or whether it shows alike everywhere, and may lie in another form at a place where this one cannot.
        """
        if not self.elsewhere:
            return False
        never, *others = (replace(task, wish=replace(task.wish, cells=tuple(cells))) for cells in self.elsewhere)
        refused = self._tint(task, never)
        allowed = _apart(self._tint(never, task), refused)
        at = task
        for other in others:
            if allowed or _apart(self._tint(at, other), refused):
                return not allowed
            at = other
        self._tint(at, task)
        return self.untold and not allowed

    def _tint(self, at: _Task, to: _Task) -> NDArray[np.float32]:
        """float32[3]: the colour in which the piece shows when it is moved from one of two places to the other."""
        self._move(to.corner - at.corner)
        self._shown(to, partial(_lies, to), self._gestures.soon, nudged=True)

        def tell(reading: Reading) -> NDArray[np.float32]:
            zones = self._gestures.zones(reading)
            cells = [zones[ZONES * r : ZONES * (r + 1), ZONES * c : ZONES * (c + 1)] for r, c in to.wish.cells]
            return np.asarray(np.median(np.concatenate(cells).reshape(-1, 3), axis=0))

        return self._gestures.seen(tell, lambda colour: True, self._gestures.soon)  # it may fade in

    def _shown(
        self,
        task: _Task,
        awaited: Callable[[PieceSegment | None], bool],
        seconds: float,
        *,
        nudged: bool = False,
        form: Shape | None = None,
        rests: bool = False,
    ) -> PieceSegment | None:
        """The piece in hand as soon as it shows as `awaited`, or what shows of it after `seconds`.

        nudged: whether the pointer is moved to and fro meanwhile.
        form: that of which one picture is enough; of any, where pictures take long and it need not be seen to rest.
        """

        def tell(reading: Reading) -> PieceSegment | None:
            return segment_piece(task.base, self._gestures.zones(reading), len(task.wanted), held=self._held())

        def surely(segment: PieceSegment | None, slow: bool) -> bool:
            enough = slow and not rests
            return segment is not None and (segment.form == form or (enough and segment.form in _forms(task)))

        return self._gestures.seen(tell, awaited, seconds, meanwhile=self._nudge if nudged else None, surely=surely)

    def _nudge(self) -> None:
        """Moves the pointer by a pixel: some programs show a turned piece only then."""
        at = self._at()
        self._nudged = -self._nudged
        self._gestures.pointer.move(at._replace(x=at.x + self._nudged))

    def _move(self, off: NDArray[np.float64]) -> None:
        """Moves the piece by `off` cells, down and right."""
        observer, at = self._gestures.observer, self._at()
        across, down = observer.calibration.lattice.pitch
        off = np.rint(off) if self._set else off
        here = observer.pixel(at)
        self._point(Pixel(here.x + off[1] * across, here.y + off[0] * down))

    def _point(self, at: Pixel) -> None:
        """Brings the piece to a place: by the pointer that it follows, or by a tap there."""
        spot = self._gestures.observer.spot(at)
        if self._set and self._gestures.observer.board_rect().contains(spot):
            self._gestures.pointer.announce(1)
            self._gestures.pointer.tap(spot)
            self._gestures.pointer.confirmed()
        else:
            self._gestures.pointer.move(spot)
            if self._late:  # until then it shows where the pointer was before
                self._gestures.hear(self._late)

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
        """Taps where the pointer is; a piece that was set there is laid by what makes moves final."""
        at = self._at()
        if not self._set:
            for look in self._lays:
                look()
            self._gestures.pointer.announce(1)
            if self.drags:
                self._gestures.pointer.release()
            else:
                self._gestures.pointer.tap(at)
        return Click("where it lies", self._gestures.observer.pixel(at), at)


def _numbered(places: Sequence[Pixel]) -> dict[str, Pixel]:
    """Places of buttons as controls that turn a piece."""
    return {f"{TURN}{number}": at for number, at in enumerate(places, 1)}


def _forms(task: _Task) -> tuple[Shape, ...]:
    """Every form in which the piece can lie."""
    return PIECES[PIECE_OF[task.wanted]].forms


def _lies(task: _Task, segment: PieceSegment | None) -> bool:
    """Whether the piece shows where it shall lie, or nearly."""
    off = np.full(2, np.inf) if segment is None else task.corner - (segment.top, segment.left)
    return segment is not None and segment.form == task.wanted and off.max() <= BEFORE and bool(off.min() >= -NEARLY)


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether a piece in hand shows in two colours."""
    return float(np.abs(one - other).max()) > TINT


def _turn_of(before: PieceSegment, shown: PieceSegment | None) -> bool:
    """Whether a segment is the piece that showed as `before`, turned."""
    return shown is not None and len(shown.form) == len(before.form) and shown.form != before.form
