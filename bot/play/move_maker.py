"""Makes a decided move on the screen: one press at a time, each on a board that was looked at, until the move shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import inf
from typing import Any

from bot.drag.gestures import NotInHandError
from bot.play.aim import AnsweredError, NotOfferedError, WithheldError
from bot.play.belief import Made, UnresponsiveError
from bot.play.changes import Change, out_of_moves
from bot.play.executor import Executor
from bot.play.limits import MoveLimit
from bot.play.modes import in_modes
from bot.play.monitor import AGAIN, Monitor
from bot.play.motion import still
from bot.play.observer import Reading, downsample
from bot.play.recognition import likeliest_right
from bot.play.seen import BoardLostError, ObservedChange, OvertakenError
from bot.runs.journal import Click, JournalWriter
from bot.settings import Settings, parse_place
from calibration.frame import Frame, Pixel
from calibration.locate import other_controls
from games.core import CONFIRM, MODES, Tap
from solvers import find_solver
from solvers.core import Candidate, Decision

FRESH = 0.05
"""A reading older than this many seconds is taken anew before a click: the board may have moved while we thought."""

LESSER = 6
"""So many other moves are thought of where a piece cannot be brought to its place, though it shows in hand.

Only one where nothing showed in hand, though pieces have been brought before: the game may hear no more.
"""

COMING = 6
"""Looks for a button that was seen before but could not be pressed then: it may come back slowly."""

ANSWERS = 4.0
"""Seconds after which what shows under the pointer, and is none of the move, is how the page answers there."""

BARRED = 2
"""So many other first moves are tried where pictures leave open what may not be played: one's own colour, say."""


@dataclass(frozen=True, slots=True)
class Done:
    """A move made, how, after how many seconds of waiting for the game, and what came of it.

    vain: other first moves that had no effect in the same position, where no button tells what may be played.
    """

    made: Made
    clicks: list[Click]
    tries: int
    waited: float
    change: Change
    vain: tuple[Any, ...] = ()


class MoveMaker:
    """Makes moves through `executor`, and looks by `monitor` what came of them; both are there to see.

    decide: the solver's decision among what can be made here.  say: gets a line for a person.
    adopted: is told that the calibration changed, with a picture of the whole screen.
    ask: puts a question to a person and gives the answer, where there is somebody to ask.
    retries: clicks that had to be made again.
    """

    def __init__(
        self,
        executor: Executor,
        monitor: Monitor,
        settings: Settings,
        journal: JournalWriter,
        *,
        say: Callable[[str], None],
        decide: Callable[[Any], Decision],
        adopted: Callable[[Frame], None],
        ask: Callable[[str], str] | None,
    ) -> None:
        self.executor, self.monitor, self._settings, self._journal = executor, monitor, settings, journal
        self._game, self._observer, self._clock = executor.game, executor.observer, executor.clock
        self._decide, self._say, self._adopted, self._ask = decide, say, adopted, ask
        self._limit = MoveLimit(executor.observer)
        self.retries = 0

    def make(
        self,
        reading: Reading,
        state: Any,
        decision: Decision,
        *,
        moves: int = 1,
        allowed: Collection[int] = (),
        tried: tuple[Any, ...] = (),
        doubts: Callable[[Any], Sequence[Any]] = lambda move: (),
    ) -> tuple[Reading, Done]:
        """Makes the decided move, in `state` as `reading` shows it, until the board shows it; gives the latest reading.

        moves: how many moves of ours were made before.  allowed: how many most pages allow.
        tried: other moves that had no effect here.  doubts: the positions that the board may
        show as well, in which a move may not be made: there the move is given up early.
        Raises UnresponsiveError, and OvertakenError where the page allows no more moves.
        """
        executor = self.executor
        decision = decision if moves or tried else self._right_in_most(state, decision)
        self._heed_limit(reading, state, moves, allowed)
        unseen = not (moves or tried or self._observer.calibration.controls)  # they may show in our turn alone
        if unseen or executor.lacks_button(state, decision.move):
            self._find_controls(state, decision.move)
        decision = self._in_modes(reading, state, decision, first=not (moves or tried))
        move = executor.possible(state, decision, reading)
        self._heed_dead_end(reading, state, move)
        move = self._most_telling(state, move, decision, doubts)
        waited, carried, showed = 0.0, False, False
        first: Reading | None = None  # before a press that showed nothing of it at once, beside what glowed, say
        alike = () if moves else self._game.starts(state)
        clicks: list[Click] = []
        ways = [(how, 0) for how in executor.ways(state, move)]
        for attempt, (how, done) in enumerate(ways):
            waited += self._settings.delay
            try:
                reading, clicks = self._pressed(reading, state, move, how, attempt, done=done, last=moves in allowed)
            except NotOfferedError as problem:
                carried = True
                self._retry(str(problem), attempt=attempt + 1, how=how)
                modal = [each for each in ways[attempt + 1 :] if in_modes(each[0])]
                ways[attempt + 1 :] = [] if in_modes(how) else modal  # it may show in another mode
                continue
            except OvertakenError:
                if not carried:
                    raise
                seen, _ = self.monitor.confirm(state, move)  # it may be the press before that shows only now
                if seen.change.moves[:1] != (move,):
                    raise
                return seen.reading, Done((seen.change.before, move, how), clicks, attempt, waited, seen.change)
            except NotInHandError as problem:
                showed |= problem.showed
                ways[attempt + 1 :] = self._carrying(ways[attempt + 1 :], problem, state, move)
                self._retry(str(problem), attempt=attempt + 1, how=how)
                self._adopted(self._observer.find_controls())
                if not executor.turns(state, move) or executor.lacks_button(state, move):
                    break
                continue
            carried, first = True, first or reading
            seen, repaint = self.monitor.confirm(state, move)
            waited += repaint
            change = seen.change
            if change.after != change.before:
                executor.worked(state, move, how, 0 if done else attempt)
                unlike = moves or self._observer.calibration.controls or change.before != state
                vain = () if unlike or change.moves[:1] != (move,) else tried
                return seen.reading, Done((change.before, move, how), clicks, attempt + 1, waited, change, vain)
            if moves in allowed and (end := out_of_moves(self._game, state, shown=True)):
                raise OvertakenError(ObservedChange(seen.reading, end))
            at, met = list(clicks[0].spot) if clicks else [], {"kind": "drop"}
            self._retry("the click had no effect", attempt=attempt + 1, how=how, at=at, fault=met)
            if done:
                ways[attempt + 1 :] = self._left_of(ways[attempt + 1 :], reading, move)
            elif any(executor.shows_something(each, move, alike) for each in (reading, first)):
                if attempt:
                    executor.rest()
                made = len(executor.gestures(state, move, how))
                ways[attempt + 1 : attempt + 1] = [(way, made) for way in executor.further(state, move, how)]
            elif attempt == 1 and self._take_others():
                ways[attempt + 1 : attempt + 1] = [(how, 0)] * 2
            elif attempt and self._game.hidden and doubts(move):
                break
            self.monitor.look_round()
        if doubts(move):
            executor.let_go()
            raise UnresponsiveError(f"{self._game.format_move(move, state)} had no effect", move)
        asked = carried and self._asked_for_button()
        lesser = decision.candidates if (moves or showed) and not carried else ()
        if carried and not asked and executor.give_up(state, move):
            decision = self._decide(state)
            lesser = (Candidate(decision.move), *decision.candidates, *map(Candidate, self._by_worth(state)))
            lesser = tuple(each for each in lesser if (state, each.move) not in executor.unmade)
        lesser = () if len(tried) >= LESSER else tuple(each for each in lesser if each.move not in (*tried, move))
        others = lesser[: LESSER if showed else 1]
        others = (() if moves else self._instead_of_barred(state, (*tried, move))) or others
        words = self._game.format_move(move, state)
        if others:
            executor.unmade.update({move} if showed else ())
            words += " could not be made here; the next best move is tried"
            self._journal.note(words)
            self._say(words)
            decision = replace(decision, move=others[0].move, candidates=others, best=(), line=())
        if others or asked or self._asked_for_button():
            reading, tried = self.monitor.same(state), (*tried, move)
            return self.make(reading, state, decision, moves=moves, allowed=allowed, tried=tried, doubts=doubts)
        raise UnresponsiveError(
            f"{attempt + 1} tries to play {words}, the last by {how!r}, showed no effect in "
            f"{self._settings.patience:g} s each: is the game paused, over, or waiting for something else? "
            f"{self._lacking(state, move)}A button that makes moves final is named with --controls {CONFIRM}=X,Y",
            move,
        )

    def _find_controls(self, state: Any, move: Any) -> None:
        """Looks for controls that did not show before; waits for the button of `move` where that is to come back."""
        targets = {each.target for each in self._game.gestures(state, move) if isinstance(each, Tap)}
        for _ in range(COMING):
            self._adopted(self._observer.find_controls())
            if targets.isdisjoint(self._observer.calibration.disabled) or not self.executor.lacks_button(state, move):
                break
            self.monitor.pause(AGAIN)

    def _take_others(self) -> bool:
        """Whether the same buttons are elsewhere, too, for each player may have some: those are pressed from now on."""
        observer = self._observer
        found = other_controls(observer.look([observer.desktop]), observer.calibration)
        for name in found:
            observer.patches.pop(name, None)
        if found:
            self._say("     the same buttons are elsewhere, too: trying those")
            kinds, known = {name.partition(":")[0] for name in found}, observer.calibration.controls
            kept = {name: at for name, at in known.items() if name.partition(":")[0] not in kinds}
            observer.amend(replace(observer.calibration, controls={**kept, **found}))
            self.executor.adopt()
        return bool(found)

    def _by_worth(self, state: Any) -> list[Any]:
        """The legal moves, those first that end the game or seem best at a glance: a solver may name only what wins."""

        def left(move: Any) -> float:
            after = state.play(move)
            return -inf if after.outcome() is not None else float(self._game.estimate(after))

        return sorted(state.legal_moves(), key=left)

    def _in_modes(self, reading: Reading, state: Any, decision: Decision, *, first: bool) -> Decision:
        """The decision, or another where the page has no mode that hears it; modes are sought before the `first`."""
        if first and self.executor.seek_modes(state, reading):
            self._journal.note("a switch beside the board turns it to other modes")
        heard = not self.executor.lacks_mode(state, decision.move)
        return decision if heard else self._decide(self._game.without(state, decision.move))

    def _carrying(
        self, ways: Sequence[tuple[str, int]], problem: NotInHandError, state: Any, move: Any
    ) -> list[tuple[str, int]]:
        """Of `ways` what is left after a piece was put away: where it showed, the others would lay it as it shows.

        Raises UnresponsiveError where it showed as what may not lie there.
        """
        if problem.refused:
            self._journal.note(str(problem))
            raise UnresponsiveError(str(problem), move) from problem
        return [each for each in ways if not problem.showed or self.executor.carries(state, move, each[0])]

    def _left_of(self, ways: Sequence[tuple[str, int]], reading: Reading, move: Any) -> list[tuple[str, int]]:
        """Of `ways` to make final what is shown, what is left after one that did not: all of each if it hid it."""
        self.executor.stages.forget_button()
        shows = self.executor.shows_something(reading, move)
        return [(how, done if shows else 0) for how, done in ways]

    def _right_in_most(self, state: Any, decision: Decision) -> Decision:
        """The decision with a first move as good that may be made in more positions that the picture may show."""
        if not self._game.hidden:
            return decision
        solver = partial(find_solver, self._settings.solver or self._game.solver, self._game.name)
        return replace(decision, move=likeliest_right(self._game, state, decision, solver))

    def _most_telling(self, state: Any, move: Any, decision: Decision, doubts: Callable[[Any], Sequence[Any]]) -> Any:
        """`move`, or else the best whose piece may lie somewhere in each position that the board may show as well.

        One that cannot tells nothing of where it may lie, where pieces show alike everywhere.
        """
        others = (each.move for each in decision.candidates if not self.executor.lacks_button(state, each.move))
        for each in chain((move,), others, (move,)):
            self.executor.doubt(state, each, doubts(each))
            if not self.executor.hand.untold:
                return each
        return move

    def _instead_of_barred(self, state: Any, tried: tuple[Any, ...]) -> tuple[Candidate, ...]:
        """Another first move than those `tried`, where pictures leave open what may not be played."""
        if not self._game.hidden or self._game.players > 1 or len(tried) > BARRED:
            return ()
        return tuple(Candidate(each) for each in state.legal_moves() if each not in tried)[:1]

    def _heed_limit(self, reading: Reading, state: Any, moves: int, allowed: Collection[int]) -> None:
        """Raises OvertakenError where the page says, beside the same board or over it, that it allows no more moves."""
        if not (self._limit.reached(moves, allowed) or (moves in allowed and self.monitor.spoken(1))):
            return
        end = out_of_moves(self._game, state, shown=True)
        if end is not None and still(downsample(reading), downsample(self._observer.read())):
            raise OvertakenError(ObservedChange(reading, end))

    def _heed_dead_end(self, reading: Reading, state: Any, move: Any) -> None:
        """Raises OvertakenError where who wins is certain and the screen offers no way to make even the best `move`."""
        if self.executor.lacks_button(state, move) and (end := self._game.decided(state)) is not None:
            raise OvertakenError(ObservedChange(reading, Change(state, (), end)))

    def _lacking(self, state: Any, move: Any) -> str:
        """What to ask a person of controls that the move would have and this screen has not."""
        controls = self._observer.calibration.controls
        targets = [each.target for each in self._game.gestures(state, move) if isinstance(each, Tap)]
        lacking = {each.partition(":")[0] for each in targets if isinstance(each, str) and each not in controls}
        kinds = " or ".join(sorted(lacking))
        return f"No {kinds} buttons were seen: are they off the screen? " if lacking else ""

    def _pressed(
        self, reading: Reading, state: Any, move: Any, how: str, attempt: int, *, done: int, last: bool
    ) -> tuple[Reading, list[Click]]:
        """As `_press` does; raises OvertakenError where nothing can be pressed after a page's `last` move.

        Or after a press of the one that ends the game: it was heard, it seems, and what shows is how it ends here; or
        once it is certain who wins.
        """
        try:
            return self._press(reading, state, move, how, attempt, done=done)
        except BoardLostError as problem:
            end = out_of_moves(self._game, state, shown=False) if last else None
            if end is None and attempt and (after := state.play(move)).outcome() is not None:
                end = Change(state, (move,), after, shown=False)
            if end is None and (over := self._game.decided(state)) is not None:
                end = Change(state, (), over, shown=False)
            if end is None:
                raise
            raise OvertakenError(ObservedChange(reading, end)) from problem

    def _press(
        self, reading: Reading, state: Any, move: Any, how: str, attempt: int, *, done: int
    ) -> tuple[Reading, list[Click]]:
        """The reading on which `move` was made, and the clicks.

        done: how many of its gestures are made already.
        A press that was withheld is made once the board and its target are confirmed anew; raises BoardLostError where
        they are not, and NotOfferedError where something else than the move shows under the pointer for as long as
        ANSWERS and the move may be heard in another mode.
        """
        clicks: list[Click] = []
        since = None
        while True:
            if not done:
                reading = self._ready(reading, state, again=attempt > 0 or since is not None)
            elif self._observer.calibration.lattice != reading.learned.lattice:
                reading = self._observer.read()  # the board was found elsewhere since
            try:
                other = self.monitor.other
                made = self.executor.make(state, move, how, attempt, confirmed=reading, done=done, other=other)
            except WithheldError as problem:
                clicks, done = [*clicks, *problem.clicks], problem.done
                elsewhere = MODES in self._game.ways and isinstance(problem, AnsweredError) and not done
                if elsewhere and since is not None and self._clock.now() - since > ANSWERS:
                    raise NotOfferedError(str(problem)) from problem
                since = self._regain(problem, since)
            else:
                return reading, [*clicks, *made]

    def press_new(self) -> None:
        """Taps the control "new" as soon as it shows; raises BoardLostError."""
        began = self._clock.now()
        while True:
            try:
                return self.executor.act(Tap("new"))
            except WithheldError as problem:  # the run and its journal are over: nothing is looked for any more
                if self._clock.now() - began > self._settings.lost / 2:
                    raise BoardLostError(f"no other game can be begun: {problem}") from problem
                self.executor.park()
                self._clock.sleep(AGAIN)

    def insist(self, act: Callable[[], None]) -> None:
        """Does `act`, which presses something, again until its press is not withheld; raises BoardLostError."""
        since = None
        while True:
            try:
                return act()
            except WithheldError as problem:
                since = self._regain(problem, since)

    def _regain(self, problem: WithheldError, since: float | None) -> float:
        """Looks for the board and its controls after a press was withheld; gives since when one is.

        Raises BoardLostError after half as long as is waited for a board that is lost: this one is seen, and may have
        been waited for before.
        """
        now = self._clock.now()
        if since is None:
            self._journal.note(f"a press was not made: {problem}")
        elif now - since > self._settings.lost / 2:
            raise BoardLostError(f"nothing can be pressed here: {problem}") from problem
        self.executor.park()
        if since is None:
            self.executor.watch()
        self.monitor.regain()
        return self._clock.now() if since is None else since  # what was watched for a while was not waited for

    def _ready(self, reading: Reading, state: Any, *, again: bool) -> Reading:
        """A reading that shows `state` and is fresh enough to click on."""
        self.monitor.pause(self._settings.delay)
        self.executor.hear()
        self._journal.flush()  # a kill then loses nothing but the move that is made now
        if again or self._clock.now() - reading.done > FRESH:
            reading = self.monitor.same(state)
        return self.monitor.in_place(reading, state)

    def _retry(self, words: str, **evidence: Any) -> None:
        self.retries += 1
        self._say(f"     {words}")
        self._journal.note(words, **evidence)

    def _asked_for_button(self) -> bool:
        """Asks a person, once, whether a button makes moves final; whether there is one: it is known from then on."""
        if self._ask is None or CONFIRM in self._observer.calibration.controls:
            return False
        place = parse_place(self._ask("nothing happens: is there a button that makes a move final? Its place X,Y"))
        self._ask = None
        if place is not None:
            self.add_control(CONFIRM, place)
            self.executor.forget_ways()
        return place is not None

    def add_control(self, name: str, place: Pixel) -> None:
        """Takes `place` of the picture for a control of this name from now on."""
        calibration = self._observer.calibration
        self._observer.amend(replace(calibration, controls={**calibration.controls, name: place}))
        self.executor.adopt()
