"""The executor: makes a move's gestures where the calibration says, and finds out which way the screen wants them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial, reduce
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.drag.carry import PointerCarrier
from bot.drag.gestures import Gestures, NotInHandError
from bot.drag.hypotheses import by_form, never_laid
from bot.drag.keys import KeyCarrier
from bot.play.aim import Aiming, NotOfferedError, ShownBesideError, WithheldError, where
from bot.play.expected import Expected, expected_of
from bot.play.modes import Modes, in_modes
from bot.play.motion import changed, still
from bot.play.observer import Observer, Reading, downsample
from bot.play.stages import Stages, alike, kind_of, named, row_of, types
from bot.play.trays import Trays
from bot.play.unmade import Unmade
from bot.play.unshown import Probe
from bot.pointers.guard import GuardedPointer
from bot.ports import Clock
from bot.runs.journal import Click
from calibration.board import beside
from calibration.frame import Pixel, Rect, Spot
from games.core import (
    CONFIRM,
    MODES,
    STAGES,
    UNREAD,
    Carry,
    Cell,
    Drag,
    Game,
    Gesture,
    Hover,
    Press,
    SettingsError,
    Tap,
    Target,
    Wait,
    chosen_way,
    gestures_of,
    target_of,
)
from games.polyominoes import Shape, shape_of
from solvers.core import Decision

CONTROL = 3.0
"""Half the side of the square round a control's middle that may be clicked, in pointer units."""

SWALLOWED = 3
"""Tries of a move after which a cell is pressed elsewhere, beside its middle; or one, where something shows there."""

EARLY = 0.75
"""An effect that comes in less than this part of the usual time is not the last press's but that of an earlier one."""

SUDDEN = 0.5
"""What shows in less than this part of the usual time cannot come of the last press, however busy programs were."""

POLL = 0.02
"""Seconds between two looks at whether the last gesture must have been heard."""

LEFT = 0.05
"""Seconds in which what followed the pointer is gone once that has left the board: three pictures of a 60 Hz screen."""

HIDDEN = 0.25
"""A picture of which more than this share looks otherwise in the middle of a move lies behind something."""

NOWHERE = Pixel(-1, -1)
"""The place of a gesture that has none, such as a key."""


class Executor:
    """Makes the moves of `game` on the board that `observer` sees.

    lag: seconds from a gesture until its effect was seen, as it took last; None before any was.
    parked: whether the pointer rests beside the board.  shown: the downsampled picture on which the last move was
    confirmed, where it was: a move that still shows as it did then is not made yet.
    """

    def __init__(self, game: Game[Any, Any], observer: Observer, pointer: GuardedPointer, clock: Clock) -> None:
        self.game, self.observer, self.pointer, self.clock = game, observer, pointer, clock
        self._aim = Aiming(observer, pointer, clock)
        gestures = Gestures(observer, pointer, clock)
        self.stages = Stages(game.ways, observer, self.adopt)
        self._modes = Modes(observer, pointer, self._aim, self.adopt)
        self.hand = PointerCarrier(gestures, self.adopt, lays=(self.stages.look_again, self._aim.lay))
        self._carriers = {"pointer": self.hand.carry, "arrows": KeyCarrier(gestures).carry}
        self._second, self._cells_heard = 0, False  # second tries in a row; whether a press on a cell made a move
        self._covered, self._proven = frozenset[Cell](), set[tuple[str, ...]]()
        self.unmade = Unmade(game, self._kind)
        self._hows: dict[tuple[str, ...], str] = {}  # by kind of move, by its usual way: how such are made here
        self._aside = False  # whether cells are pressed beside their middle
        self._tapped_as = 0  # the attempt whose places the move begun last was tapped at
        self._looked: set[str] = set()  # the ways in which walls lie that were previewed before one was laid
        self._turned: set[str] = set()  # those in which a press laid one that lies the other way
        self._laid: dict[Gesture, Spot] = {}  # where what lays the piece that was carried last was pressed
        self._trays = Trays()
        self.lag: float | None = None
        self.parked = False
        self.shown: NDArray[np.float32] | None = None
        self._carried = False
        self._places: dict[Any, dict[Shape, list[tuple[Cell, ...]]]] = {}  # by position, and by a piece's form
        self._made: float | None = None
        self._begun: NDArray[np.float32] | None = None  # how it looked before a move of several gestures
        self._moving = 0.0  # the share of the cells that may show it by then

    def adopt(self) -> None:
        """Lets the pointer go where the calibration in force says, and nowhere else."""
        calibration = self.observer.calibration
        places = [self.observer.spot(at) for at in calibration.controls.values()]
        controls = [Rect(at.x - CONTROL, at.y - CONTROL, 2 * CONTROL, 2 * CONTROL) for at in places]
        self.pointer.allow([self.observer.board_rect(), *controls])

    def described(self) -> str:
        """How moves will be made, in words."""
        how = self.observer.calibration.how
        kinds = sorted({name.partition(":")[0] for name in self.observer.calibration.controls})
        words = f"controls: {', '.join(kinds)}" if kinds else "no controls: cells are clicked"
        return f"played by {how!r}" if how else words

    def ways(self, state: Any, move: Any) -> list[str]:
        """The ways to try, in order, of those this screen has places for.

        First the one known to work, or the usual one, twice, for a click may be lost; then, unless moves of this kind
        have been made in it, those most like it in words; and then the first again, for several clicks may be lost.
        One that types letters is not the first where there is another: "n" may begin another game.
        A piece that waits in several trays is sought in each first: any may be ours.
        Raises SettingsError where the screen has no place at all, and for a way that no game has.
        """
        every = self._every_way()
        how = self._hows.get(self._kind(state, move), self.observer.calibration.how)
        known = how and chosen_way(every, how)
        ways = [how for how in every if how in (*self.game.ways, known) or how.endswith(f"+{CONFIRM}")]
        if not known and CONFIRM in self.observer.calibration.controls:
            known = f"{ways[0]}+{CONFIRM}"  # first: a move that is only shown would be taken for one that is made
        found: dict[tuple[Gesture, ...], str] = {}
        ways = sorted(ways, key=lambda how: -alike(how, known))
        for how in ways:
            gestures = self.gestures(state, move, how)
            with suppress(SettingsError):
                self.places(gestures, 0)
                found.setdefault(gestures, how)
        if not found:
            self.places(self.gestures(state, move, ways[0]), 0)
        plain = [(gestures, how) for gestures, how in found.items() if known or not types(gestures)]
        (gestures, first), *_ = plain or found.items()
        others = [how for how in found.values() if how != first]
        if kind_of(gestures) not in self._proven:
            trays = sum(self._unsought(each) for each in gestures)
            return [first] * trays + [first, first, *others, first]
        if self.unmade.doubts(state, move):  # at each place once: nothing but a press tells whether the page knows it
            return [first] * max(1, *(len(getattr(each, "alternatives", ())) for each in gestures))
        return [first] * (3 if any(isinstance(gesture, Carry) for gesture in gestures) else 4)  # carrying takes long

    def _every_way(self) -> list[str]:
        return [*self.game.ways, *(f"{way}+{stage}" for stage in STAGES for way in self.game.ways)]

    @property
    def sudden(self) -> bool:
        """Whether it is too soon for what shows now to come of the last gesture; a button that lit up did."""
        made, lag = self._made, self.lag
        return (
            self.stages.lit is None and made is not None and lag is not None and self.clock.now() - made < SUDDEN * lag
        )

    def shows_something(self, reading: Reading, move: Any, alike: Sequence[Any] = ()) -> bool:
        """Whether `move`, or a button that lit up, and nothing else shows since `reading`, the pointer parked.

        alike: positions that the board may show as well; the move may be made in one of them.
        """
        self.park()
        may = [self._expected(each, move, ()) for each in alike if move in each.legal_moves()]
        shown = self._aim.shown(reading, reduce(Expected.joined, may, Expected()))
        return shown is not None and (self.stages.find_button(shown=shown) or shown)

    def further(self, state: Any, move: Any, how: str) -> list[str]:
        """The ways that may be meant where `move`, made by `how`, shows and nobody answers it: see `Stages`."""
        if not self.parked and not self.stages.known(self.gestures(state, move, how)):
            self.park()
            self.clock.sleep(LEFT)  # what follows the pointer is no button that lit up
        return self.stages.further(how, partial(self.gestures, state, move))

    def go_on(self, state: Any, move: Any, how: str, way: str) -> None:
        """Does for `move`, made by `how`, what `way` asks for besides."""
        made, gestures = self.gestures(state, move, how), self.gestures(state, move, way)
        same = next((at for at, pair in enumerate(zip(made, gestures, strict=False)) if pair[0] != pair[1]), None)
        self._begun, self._aim.rests = None, True
        self._aim.expect(self.observer.read(), self._expected(state, move, gestures), begun=True)
        rest = gestures[min(len(made), len(gestures)) if same is None else same :]
        if Tap(CONFIRM) in rest and CONFIRM not in self.observer.calibration.controls:
            return  # it was one of the board's before that moved
        self.pointer.confirmed()
        self.pointer.announce(sum(not isinstance(gesture, Hover | Wait) for gesture in rest))
        for gesture in rest:
            self._act(gesture, self._tapped_as)
        self.pointer.confirmed()
        self.park()

    def answered(self, state: Any, move: Any, how: str) -> None:
        """Remembers that moves like `move` are made by `how`: the other side has answered it."""
        self.stages.answered(self.gestures(state, move, how))

    def keep(self, state: Any, move: Any, how: str) -> None:
        """Makes moves like `move` by `how` from now on, and others until it is known how these are made.

        The pointer rests before each of several taps: whether the one that it rested for needed that is not known.
        """
        if sum(isinstance(gesture, Tap) for gesture in self.gestures(state, move, how)) > 1:
            self.rest()
        self._hows[self._kind(state, move)] = how
        asking = [each for each in self._hows.values() if each not in self.game.ways[:1]]  # for more than most pages do
        self.observer.amend(replace(self.observer.calibration, how=asking[-1] if asking else how))

    def forget_ways(self) -> None:
        """Takes no way of making moves for known any more."""
        self._hows.clear()
        self.observer.amend(replace(self.observer.calibration, how=""))

    def rest(self) -> None:
        """Rests the pointer on places before they are pressed from now on: a first press was not heard."""
        self.observer.amend(replace(self.observer.calibration, rest=True))

    def _kind(self, state: Any, move: Any) -> tuple[str, ...]:
        """What kind of move it is, by the way in which most pages want it made."""
        return kind_of(self.game.gestures(state, move))

    def gestures(self, state: Any, move: Any, how: str) -> tuple[Gesture, ...]:
        """What is done to play `move` in the way `how`."""
        return tuple(gestures_of(self.game, state, move, how))

    def doubt(self, state: Any, move: Any, others: Sequence[Any]) -> None:
        """Lets a carried piece be looked at where it may lie if `others` show: a page may show there that it may."""
        wish = self._carry_of(state, move)
        self.hand.elsewhere, self.hand.untold = (), False
        if wish is not None and others:
            self._places = {each: places for each, places in self._places.items() if each in (state, *others)}
            here, *rivals = (self._laid_like(wish, each) for each in (state, *others))
            never = never_laid(wish.cells, {*here, *chain(*rivals)}, self.game.show(state).grid.shape)
            self.hand.elsewhere = (*never, *(cells[0] for cells in rivals if cells))
            self.hand.untold = not all(rivals)

    def _carry_of(self, state: Any, move: Any) -> Carry | None:
        """The piece that is carried with the pointer to make `move`, if one is."""
        gestures = self.gestures(state, move, self.game.ways[0])
        return next((each for each in gestures if isinstance(each, Carry) and each.by == "pointer"), None)

    def _laid_like(self, wish: Carry, state: Any) -> Sequence[tuple[Cell, ...]]:
        """The cells that a piece of the same form covers in the moves of `state`, which many pieces are asked for."""
        if state not in self._places:
            self._places[state] = by_form(filter(None, (self._carry_of(state, each) for each in state.legal_moves())))
        return self._places[state].get(shape_of(wish.cells), ())

    def turns(self, state: Any, move: Any) -> bool:
        """Whether a piece that is carried to make `move` may take the form that it shall lie in."""
        never = self.hand.turning.never
        wish = self._carry_of(state, move) if never else None
        return wish is None or shape_of(wish.cells) not in never

    def carries(self, state: Any, move: Any, how: str) -> bool:
        """Whether a piece is carried where `move` is made by `how`, so that it is looked at before it is laid."""
        return any(isinstance(gesture, Carry) for gesture in self.gestures(state, move, how))

    def lacks_button(self, state: Any, move: Any) -> bool:
        """Whether `move` has no button where others have one on this screen, as far as is known, or no place at all."""
        controls = self.observer.calibration.controls
        taps = (each for each in self.game.gestures(state, move) if isinstance(each, Tap))
        aims = [each.target for each in taps if not (self._cells_heard and each.alternatives)]
        wanted = [target for target in aims if isinstance(target, str) and target not in controls]
        if (wish := self._carry_of(state, move)) and controls.keys().isdisjoint(getattr(wish.take, "alternatives", ())):
            wanted.append(str(target_of(wish.take)))
        kinds = {name.partition(":")[0] for name in controls}
        with suppress(SettingsError):
            return any(target.partition(":")[0] in kinds for target in wanted) or not self.ways(state, move)
        return True

    def possible(self, state: Any, decision: Decision, reading: Reading | None = None) -> Any:
        """The best move the screen offers a way to make: a colour may have neither a button nor a cell.

        reading: what shows `state`; nothing is pressed on cells that something lies over there.
        """
        self._covered = frozenset() if reading is None else self._covered_in(reading)
        for move in decision.in_order(state):
            if (state, move) in self.unmade or not self.turns(state, move):
                continue
            if self._carry_of(state, move) and self.lacks_button(state, move):
                continue  # keys may take a piece that shows in no tray, but not where the others are taken from trays
            with suppress(SettingsError):
                how = self.ways(state, move)[0]
                first, *_ = gestures = self.gestures(state, move, how)
                astray = row_of(target_of(first)) in self._turned and not in_modes(how)
                if not (astray or self.lacks_mode(state, move)) and self._covered.isdisjoint(self._cells(gestures, 0)):
                    return move
        return decision.move  # of which `ways` says what is missing

    def give_up(self, state: Any, move: Any) -> bool:
        """Whether something else may be played here, now that `move` could not be made."""
        first, *_ = self.game.gestures(state, move)
        return self._modes.give_up(target_of(first)) or self.unmade.give_up(state, move)

    def lacks_mode(self, state: Any, move: Any) -> bool:
        """Whether the page is known to have no mode in which `move` is heard."""
        return self._modes.lacks(target_of(self.game.gestures(state, move)[0]))

    def make(
        self,
        state: Any,
        move: Any,
        how: str,
        attempt: int,
        *,
        confirmed: Reading | None = None,
        done: int = 0,
        other: Any = None,
    ) -> list[Click]:
        """Makes the gestures of `move`; a later attempt takes another of the places that do the same.

        confirmed: the reading that shows `state`.  done: how many of the gestures are made already.
        other: the position that shows if another seat is ours, in which `move` may be made as well.
        Raises WithheldError where a press was not made, NotInHandError.
        """
        gestures = self.gestures(state, move, how)
        if not done:
            self._laid = {}
        if not (done or attempt):
            self.stages.begin(gestures, proven=self.game.players == 1 and kind_of(gestures) in self._proven)
        self.parked, self.shown = False, None
        confirmed = confirmed or self.observer.read()
        self._covered = self._covered_in(confirmed)
        if covered := self._covered.intersection(self._cells(gestures, attempt)):
            raise WithheldError(f"something covers a part of {where(covered)}")
        self._aim.rests = attempt > 0  # the first press may not have been heard
        expected = self._expected(state, move, gestures)
        if other is not None and move in other.legal_moves():
            expected = expected.joined(self._expected(other, move, gestures))
        self._aim.expect(confirmed, expected, begun=done > 0)
        attempt = self._tapped_as if done else attempt  # what shows is made final where it shows
        self._moving = len(expected.cells) / max(1, confirmed.observation.grid.size)
        self._begun = downsample(confirmed) if len(gestures) > 1 else None
        target = target_of(gestures[-1])
        if not done:
            anew = attempt >= SWALLOWED or (attempt == 1 and isinstance(target, Cell) and self._aim.responds(target))
            self._aside = self.observer.calibration.aside != anew
        if not in_modes(how) and (attempt == 1 or row_of(target) not in self._looked):
            self._looked.add(row_of(target))
            self.observer.amend(self._aim.corrected(target))
        carried = any(isinstance(gesture, Carry) and gesture.by == "pointer" for gesture in gestures)
        clicks: list[Click] = []
        number = done
        try:
            if not done:
                self._tapped_as = attempt = self._turn_page(state, how, move, attempt)
                self.pointer.announce(sum(not isinstance(gesture, Hover | Wait) for gesture in gestures))
            for number, gesture in enumerate(gestures[done:], done):  # noqa: B007
                clicks += self._act(gesture, attempt)
        except (NotInHandError, NotOfferedError, WithheldError) as problem:
            self.park()
            if gestures[number] in gestures[:number] and state.play(move).outcome() is not None:
                return clicks  # the first of two presses may have ended the game
            if isinstance(problem, NotInHandError):
                self._trays.came(showed=problem.showed)
            if isinstance(problem, ShownBesideError):
                self._correct(gestures[number], problem.off)
            if isinstance(problem, WithheldError):
                problem.clicks, problem.done = clicks, number
            raise
        if in_modes(how):
            self._modes.leave()
        if carried or expected.grooves or self.observer.calibration.park:
            self.park()  # a piece in the hand, or a wall that follows the pointer, would look as if it lay there
        return clicks

    def _expected(self, state: Any, move: Any, gestures: Sequence[Gesture]) -> Expected:
        """Where `move` may show before it is made."""
        return expected_of(self.game, self.observer.calibration.lattice, state, move, gestures)

    def _turn_page(self, state: Any, how: str, move: Any, attempt: int) -> int:
        """Turns the page to the mode in which it hears a move; gives at which of its places, `attempt` where at any."""
        if in_modes(how) and (laid := self._probe(state, move, how)):
            return self._modes.lay(laid, pressed=attempt > 0)
        first = self.gestures(state, move, how)[0]
        place = first.start if isinstance(first, Drag) else target_of(first)
        if self._modes.known and isinstance(place, Cell):
            self._modes.walk(place, self._probes(state))
        return attempt

    def _probes(self, state: Any) -> list[Probe]:
        """One of each way in which something may be laid between cells."""
        probes = filter(None, (self._probe(state, each) for each in state.legal_moves()))
        return [*{row_of(probe[0].target): probe for probe in probes}.values()]

    def seek_modes(self, state: Any, reading: Reading) -> bool:
        """Whether a switch is found that turns the page to modes in which it hears moves, before our first one.

        reading: what shows `state`.  Nothing is pressed that may deal anew once somebody has moved.
        """
        asked = MODES in self.game.ways and in_modes(self.observer.calibration.how or MODES)
        if not (asked and self.game.is_opened(state) and (wishes := self._probes(state))):
            return False
        self._aim.expect(reading)
        firsts = (target_of(self.gestures(state, each, "")[0]) for each in state.legal_moves())
        steps = [each for each in firsts if isinstance(each, Cell)][:1]
        if found := self._modes.seek(reading, wishes, steps, alone=self.game.is_dealt(state)):
            self._hows[kind_of(wishes[0][:1])] = MODES
            self.observer.amend(replace(self.observer.calibration, how=MODES))
        self.park()
        return found

    def _probe(self, state: Any, move: Any, how: str = MODES) -> Probe | None:
        """Where a move may be pressed, and where it shows then, if that is between cells."""
        tap, expected = (gestures := self.gestures(state, move, how))[0], self._expected(state, move, gestures)
        free = tuple(each for each in getattr(tap, "alternatives", ()) if each not in self._covered)
        return (replace(tap, alternatives=free), expected) if isinstance(tap, Tap) and expected.grooves else None

    def _correct(self, gesture: Gesture, off: tuple[int, int]) -> bool:
        """Whether it is known from now on that such a gesture lays what it lays so many rows and columns beside."""
        calibration = self.observer.calibration
        self.observer.amend(corrected := calibration.corrected(target_of(gesture), off))
        return corrected is not calibration

    def landed(self, state: Any, move: Any, other: Any) -> bool:
        """Whether `other` came of the gestures for `move` because they lay things beside: they are corrected, then.

        Where a wall came that lies the other way, none is made so again.
        """
        (one, *_), (two, *_) = self.game.gestures(state, move), self.game.gestures(state, other)
        wanted, laid = (str(target_of(each)) for each in (one, two))
        if "," in wanted and "," in laid and row_of(wanted) != row_of(laid):
            self._turned.add(row_of(wanted))
            self._modes.laid(laid)
        return self._correct(one, beside(wanted, laid))

    def watch(self) -> None:
        """Learns which cells breathe, nothing being done: that is none of a press's business."""
        self._aim.watch()

    def act(self, gesture: Tap | Press) -> None:
        """Makes a gesture that is no move, such as a tap on the control ``"new"``; raises WithheldError."""
        self.pointer.announce(1)
        self._aim.expect(None)
        self._act(gesture, 0)

    @property
    def heard(self) -> bool:
        """Whether the last gesture's effect was seen, or is due."""
        due = self.observer.patience if self.lag is None else self.lag
        return self._made is None or self.clock.now() - self._made >= due

    def hear(self) -> None:
        """Waits until the last gesture is heard: never are two in doubt."""
        while not self.heard:
            self.clock.sleep(POLL)

    def worked(self, state: Any, move: Any, how: str, attempt: int) -> None:
        """Remembers the way in which `move` could be made, now that its effect is seen.

        A second try may have made good for a lost click, or for one that came too soon: the pointer rests on places
        from then on.  If it is needed twice in a row, a move takes both, where that is a way of the game: the first
        click only showed it.
        """
        if self._made is not None:
            took = self.clock.now() - self._made
            if not attempt or (self.lag is not None and took >= EARLY * self.lag):
                self.lag, self._made = took, None  # else it may be an earlier try's effect, the last still on its way
        self.unmade.made(state, move)
        gestures = self.gestures(state, move, how)
        self._cells_heard |= any(self._cells(gestures, attempt))
        if isinstance(gestures[0], Tap) and self._aside != self.observer.calibration.aside:
            self.observer.amend(replace(self.observer.calibration, aside=self._aside))
        self._modes.laid(target_of(gestures[0]))
        again = 0 if in_modes(how) else attempt  # that asks for no second try and no rest
        self._second = self._second + 1 if again == 1 else 0
        if again:
            self.rest()
        if self._second == 2:
            double = [each for each in self._every_way() if self.gestures(state, move, each) == 2 * gestures]
            how = max(double, key=lambda each: alike(each, how), default=how)
        if self._second != 1:
            self._proven.add(kind_of(self.gestures(state, move, how)))
            self.keep(state, move, how)

    def let_go(self) -> bool:
        """Puts a piece away that was laid down and may still be in the hand; whether there may have been one."""
        if not self._carried:
            return False
        self._carried = False
        self.pointer.confirmed()
        self.act(Press("esc"))
        self.pointer.confirmed()
        return True

    def park(self) -> None:
        """Rests the pointer beside the board, where nothing follows it."""
        self.parked = True
        self.pointer.move(self.observer.beside())

    def stir(self) -> None:
        """Parks the pointer anew, by way of a place beside: what a page that moved under it showed at it goes."""
        x, y = self.observer.beside()
        self.pointer.move(Spot(x + 2, y + 2))
        self.park()
        self.clock.sleep(LEFT)

    def leave_board(self) -> bool:
        """Parks a pointer that may rest on the board; whether the board looks otherwise without it."""
        if (at := self.pointer.position()) is not None and not self.observer.board_region().contains(at):
            return False
        before = downsample(self.observer.read())
        self.park()
        self.clock.sleep(LEFT)
        return not still(before, downsample(self.observer.read()))

    def places(self, gestures: Sequence[Gesture], attempt: int) -> list[Pixel]:
        """Where the gestures begin; raises SettingsError for a control the screen does not have."""
        return [self._place(gesture, attempt) for gesture in gestures]

    def _place(self, gesture: Gesture, attempt: int) -> Pixel:
        if isinstance(gesture, Press | Wait):
            return NOWHERE
        calibration = self.observer.calibration
        if isinstance(gesture, Carry):
            if isinstance(gesture.take, Press):
                return NOWHERE
            return calibration.find(self._trays.piece(gesture.take, attempt, calibration.controls))
        if isinstance(gesture, Drag):
            return calibration.find(gesture.start)
        if isinstance(gesture, Hover) or gesture.target in calibration.controls:
            return calibration.find(gesture.target)
        return calibration.find(self._target(gesture, attempt), aside=self._aside)

    def _target(self, gesture: Tap, attempt: int) -> Target:
        """What is tapped: of places that do the same one that nothing covers, another at each attempt."""
        there = filter(self.observer.calibration.has, gesture.alternatives)
        free = [each for each in there if each not in self._covered] or gesture.alternatives
        return free[attempt % len(free)] if free else gesture.target

    def _covered_in(self, reading: Reading) -> frozenset[Cell]:
        """The cells of the lattice that could not be read; what lies in grooves between them is none."""
        grid = reading.observation.grid
        step = self.observer.calibration.lattice.grid_step(grid)
        return frozenset(Cell(*place) for place in np.argwhere(grid[::step, ::step] == UNREAD).tolist())

    def _cells(self, gestures: Sequence[Gesture], attempt: int) -> Iterator[Cell]:
        """The cells that are tapped."""
        controls = self.observer.calibration.controls
        taps = (each for each in gestures if isinstance(each, Tap) and each.target not in controls)
        yield from (cell for each in taps if isinstance(cell := self._target(each, attempt), Cell))

    def _unsought(self, gesture: Gesture) -> int:
        """In how many trays a piece that is carried waits, where it is not known which is ours."""
        take = getattr(gesture, "take", None)
        return self._trays.unsought(take, self.observer.calibration.controls) if isinstance(take, Tap) else 0

    def _act(self, gesture: Gesture, attempt: int) -> list[Click]:
        if isinstance(gesture, Wait):
            self.clock.sleep(gesture.seconds)
            self._sure()
            return []
        place = self._place(gesture, attempt)
        if isinstance(gesture, Carry):
            self._carried, self.hand.hasty = True, attempt < self._unsought(gesture)
            clicks = self._carriers[gesture.by](gesture, place)
            self._laid = {gesture.lay: clicks[-1].spot}  # it may be held elsewhere than in its middle
            self._trays.came(showed=True)
            self.pointer.confirmed()  # each step was looked at, and what makes the piece lie may be still to come
            return clicks
        spot = self._laid.get(gesture) or self.observer.spot(place)
        if isinstance(gesture, Hover):
            self.pointer.move(spot)
            return []
        if not self.heard:
            self.hear()
            self._sure()
        if isinstance(gesture, Press):
            self.pointer.press(gesture.key)
            name = f"key {gesture.key}"
        elif isinstance(gesture, Drag):
            self.pointer.drag(spot, self.observer.spot(self.observer.calibration.find(gesture.end)))
            name = f"{named(gesture.start)} to {named(gesture.end)}"
        else:
            shown = downsample(self.observer.read()) if gesture.target == CONFIRM else None
            self.pointer.tap(spot)
            self.shown, name = shown, named(gesture.target)
        self._made = self.clock.now()
        return [Click(name, place, spot)]

    def _sure(self) -> None:
        """Looks again before the rest of a move is made; raises NotInHandError where the board is covered by now."""
        shown = downsample(self.observer.read())
        if self._begun is not None and changed(self._begun, shown) > HIDDEN + self._moving:
            self.pointer.confirmed()  # a move that is broken off here is made anew once the board shows again
            raise NotInHandError("something covers the board in the middle of a move", showed=False)
