"""What makes a move final that a screen only shows at first: a button that lights up with it, Return, the same tap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist

from bot.play.observer import Observer
from calibration.board import Lattice
from calibration.frame import Frame, Pixel
from calibration.lit import buttons_beside, lit_buttons
from games.core import CONFIRM, STAGES, Gesture, Press, Tap, Target, target_of

NEAR = 3.0
"""How far beside a row of controls one of them may lie, in pixels."""

EVEN = 0.15
"""How far beside its place in a row of controls, in steps, one of them may lie."""

Gestures = tuple[Gesture, ...]


class Stages:
    """Finds out what makes moves final on the screen that `observer` sees.

    ways: the game's own.  adopt: is called when the button was found, or found to be none.
    """

    def __init__(self, ways: Sequence[str], observer: Observer, adopt: Callable[[], None]) -> None:
        self._ways, self._observer, self._adopt = ways, observer, adopt
        self._before: Frame | None = None  # the whole screen before a move, while it may be shown only
        self._hidden = False  # whether something may have lain over the screen since
        self._idle: list[Pixel] = []  # buttons that lit up with a move and do not make it final
        self._answered: set[tuple[str, ...]] = set()
        self._taken: dict[str, Pixel] = {}  # the buttons that were taken for controls

    def begin(self, made: Gestures, *, proven: bool) -> None:
        """Looks at the screen before a move, unless what makes it final is known.

        proven: whether it is known how moves are made so, where nobody answers them.
        """
        known = proven or self.known(made) or CONFIRM in self._observer.calibration.controls
        self._before, self._hidden = None if known else self._observer.look([self._observer.desktop]), False

    def known(self, made: Gestures) -> bool:
        """Whether moves like the one `made` are known to be final."""
        return kind_of(made) in self._answered

    def look_again(self) -> None:
        """Looks at the screen with a piece in hand: what that lights up, or shows it, makes no move final."""
        if self._before is not None:
            self._before = self._observer.look([self._observer.desktop])

    def overlook(self) -> None:
        """Takes no change since the last move for a button that lit up with it: something lay over the screen."""
        self._hidden = True

    def find_button(self, *, shown: bool = False) -> bool:
        """Whether a button lit up with the move made last: from then on it is the control that makes moves final.

        Not one again that was found not to.  shown: whether it was the move itself that hid some cells.
        """
        calibration = self._observer.calibration
        if self._before is None or (self._hidden and not shown) or CONFIRM in calibration.controls:
            return False
        now, known = self._observer.look([self._observer.desktop]), [*calibration.controls.values(), *self._idle]
        lit = lit_buttons(self._before, now, calibration.lattice.box, known)
        lit = [at for at in lit if not _in_row(at, calibration.controls)]  # one that may be used again now
        lit = [at for at in lit if not _over_board(at, calibration.lattice)]
        if lit:
            self.take(lit[0])
        return bool(lit)

    def by_buttons(self, how: str, made: Gestures) -> Iterator[str]:
        """The way of a move `made` by `how` with a button after it: once for each beside the board, from the nearest.

        None once a move of its kind was answered, or where such a button is known.
        """
        observer, (way, _, stage) = self._observer, (how or self._ways[0]).rpartition("+")
        how = way if stage in STAGES else how or self._ways[0]
        while not self.known(made) and CONFIRM not in observer.calibration.controls:
            if (button := self.nearest()) is None:
                return
            self.take(button)
            yield f"{how}+{CONFIRM}"

    def nearest(self) -> Pixel | None:
        """The nearest button beside the board that is no control, and was not found to be none."""
        observer = self._observer
        known = [*observer.calibration.controls.values(), *self._idle]
        beside = buttons_beside(observer.look([observer.desktop]), observer.calibration.lattice.box, known)
        return beside[0] if beside else None

    @property
    def lit(self) -> Pixel | None:
        """Where a button was found that may make moves final; None where none was."""
        return self._taken.get(CONFIRM)

    def take(self, button: Pixel, name: str = CONFIRM) -> None:
        """Takes a button for the control that makes moves final, or for another."""
        calibration = self._observer.calibration
        self._observer.amend(replace(calibration, controls={**calibration.controls, name: button}))
        self._adopt()
        self._taken[name] = button

    def forget_button(self, name: str = CONFIRM) -> bool:
        """Takes a button that was taken so for none that does it; whether there was one."""
        if (idle := self._removed(name)) is not None:
            self._idle.append(idle)
        return idle is not None

    def _removed(self, name: str = CONFIRM) -> Pixel | None:
        """The button that was taken so, which is no control any more; None where there is none."""
        controls, taken = dict(self._observer.calibration.controls), self._taken.get(name)
        if taken is None or controls.get(name) != taken:
            return None
        del controls[name], self._taken[name]
        self._observer.patches.pop(name, None)
        self._observer.amend(replace(self._observer.calibration, controls=controls))
        self._adopt()
        return taken

    def answered(self, made: Gestures) -> None:
        """Remembers that moves like the one `made` are final: the other side has answered it.

        A button that lit up with it and was not pressed, "Undo" perhaps, is no control.
        """
        self._answered.add(kind_of(made))
        if Tap(CONFIRM) not in made:
            self._removed()

    def further(self, how: str, gestures_by: Callable[[str], Gestures]) -> list[str]:
        """The ways that begin as `how` does and may be meant where a move, made so, shows and nobody answers it.

        gestures_by: the gestures that make it in a way.  None once a move of its kind was answered.  A button that lit
        up comes first, then keys: a tap may take back what is only shown.
        """
        made = gestures_by(how)
        if self.known(made):
            return []
        self.find_button()
        found: dict[Gestures, str] = {}
        way = how or self._ways[0]
        if made == gestures_by(self._ways[0]):
            way = self._ways[0]  # what it asks for besides is for moves of other kinds
        stages = () if way.rpartition("+")[2] in STAGES else STAGES
        again = bool(stages) and isinstance(gestures_by(f"{way}+{STAGES[0]}")[-1], Tap)
        staged = [f"{way}+{stage}" for stage in stages if again or stage != STAGES[0]]
        for way in (*self._ways, *staged):
            gestures = gestures_by(way)
            placed = CONFIRM in self._observer.calibration.controls or Tap(CONFIRM) not in gestures
            whole = isinstance(gestures[-1], Tap | Press)
            if placed and whole and len(gestures) > 1 and gestures != made and gestures[0] == made[0]:
                found.setdefault(gestures, way)
        last = {way: gestures_by(way)[-1] for way in found.values()}
        stage = how.rpartition("+")[2]
        otherwise = stage in STAGES and stage != CONFIRM  # that makes moves of other kinds final, and no button did

        def order(way: str) -> tuple[bool, bool]:
            lit = self.lit is not None and last[way] == Tap(CONFIRM)
            return lit == otherwise, not isinstance(last[way], Press)

        return sorted(last, key=order)


def _in_row(at: Pixel, controls: Mapping[str, Pixel]) -> bool:
    """Whether a place is one of a row or column of controls of one kind, between them or next to them."""
    kinds: dict[str, list[Pixel]] = {}
    for name, place in controls.items():
        kinds.setdefault(name.partition(":")[0], []).append(place)
    for places in kinds.values():
        for along, across in ((0, 1), (1, 0)):
            row = sorted(place[along] for place in places if abs(place[across] - at[across]) <= NEAR)
            steps = [second - first for first, second in pairwise(row) if second - first > NEAR]
            off = (at[along] - row[0]) / min(steps) if steps else 0.5
            if abs(off - round(off)) <= EVEN and -1 <= round(off) <= len(places) + 2:
                return True
    return False


def _over_board(at: Pixel, lattice: Lattice) -> bool:
    """Whether a place is the middle of one that a row over the board would have: what may fall shows there."""
    beside = lattice.ringed.cell(at)
    return beside is not None and beside.row == 0 and dist(lattice.ringed.centre(beside), at) <= NEAR


def kind_of(gestures: Sequence[Gesture]) -> tuple[str, ...]:
    """What the gestures of some moves have in common: pawns go to cells, walls to grooves."""
    aims = [(type(each).__name__, target_of(each)) for each in gestures]
    return tuple(f"{name} {target.partition(':')[0] if isinstance(target, str) else 'cell'}" for name, target in aims)


def row_of(target: Target) -> str:
    """The tray in which a piece waits, or the way in which a wall lies."""
    return str(target).partition(",")[0]


def alike(how: str, other: str) -> int:
    """How many words two ways have in common."""
    return len(set(how.split("+")) & set(other.split("+")))


def named(target: Target) -> str:
    """What a place is called where it is told which was pressed."""
    return target if isinstance(target, str) else f"row {target.row}, col {target.col}"


def types(gestures: Sequence[Gesture]) -> bool:
    """Whether a letter is pressed."""
    keys = (getattr(gesture, "take", gesture) for gesture in gestures)
    return any(isinstance(each, Press) and len(each.key) == 1 and each.key.isalpha() for each in keys)
