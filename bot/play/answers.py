"""What is done for a move of ours that nobody answers: it may only be shown, until it is tapped again or confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any

from bot.play.belief import GRACE, Belief, Made
from bot.play.motion import still
from bot.play.move_maker import MoveMaker
from bot.play.observer import downsample
from bot.play.seen import BoardLostError, ObservedChange
from bot.runs.journal import JournalWriter
from bot.settings import Settings
from games.core import PASS, Tap

BUTTONS = 4
"""So many buttons beside a board are pressed, one after the other, where nothing else makes a move final."""

CHANCES = 2
"""How often an answer may happen to come just after a press that asks for nothing, as one does that was covered."""


class Answers:
    """Waits for answers to moves that `maker` made, which `belief` explains.

    tried: what else was done for the last one.
    """

    def __init__(self, maker: MoveMaker, belief: Belief, settings: Settings, journal: JournalWriter) -> None:
        self._maker, self._belief, self._journal = maker, belief, journal
        self._patience, self._soon = settings.patience, min(settings.answer, 2 * GRACE * settings.wait)
        self._sudden: Counter[str] = Counter()  # how often an answer came sooner than a press is heard after each way
        self._guessing = False  # whether buttons are pressed of which no picture tells what they are for
        self._unanswered: Made | None = None  # the last move that was waited for
        self._final = False  # whether the last move is more than shown: what made it may not be pressed again
        self.tried: list[str] = []

    def to(self, made: Made, ours: frozenset[int]) -> ObservedChange | None:
        """The answer to the move that we `made`; None where it takes long.

        What other ways of making it ask for besides is done where nobody answers, which changes nothing where the move
        is made; what took it back instead is not done again.  A move that was waited for in vain is asked about once
        more where it is nobody else's turn, either: buttons are what is left.
        """
        last, self._unanswered = self._unanswered, made
        if made is last:
            return self.by_buttons(made, ours)
        if last is not None and made[0] == last[0].play(last[1]):
            self._maker.executor.answered(*last)  # we made the answer
        self.tried, self._final = [], False
        ways = self._maker.executor.further(*made)
        return self._by(chain(ways, self._buttons(made) if self._guessing else ()), made, ours)

    def by_buttons(self, made: Made, ours: frozenset[int]) -> ObservedChange | None:
        """The answer to our move `made`, or what shows instead, after a button beside the board was pressed.

        None where none of the nearest ones does anything, and where the move is final.  No picture tells what an unlit
        button is for: this is for where the run would end without.
        """
        if self._final:
            return None
        self._guessing = True
        return self._by(islice(self._buttons(made), BUTTONS), made, ours)

    def passed_over(self, ours: frozenset[int]) -> ObservedChange | None:
        """What is played after our side, which cannot move, was to be passed over; None where that takes long.

        Where nothing is, it may be for us to say so: the button for it is sought among the nearest ones.
        """
        executor, controls = self._maker.executor, self._maker.executor.observer.calibration.controls
        answer = partial(self._maker.monitor.change, self._belief.world.positions, ours=ours)
        seen = answer(seconds=self._patience if PASS in controls else self._soon)
        for _ in range(BUTTONS if seen is None else 0):
            if PASS not in executor.observer.calibration.controls:
                if (button := executor.stages.nearest()) is None:
                    break
                executor.stages.take(button, PASS)
            self._journal.note("we cannot move, and nobody does: pressing a button that may say so")
            try:
                self._maker.insist(partial(executor.act, Tap(PASS)))
                executor.pointer.confirmed()
                executor.park()
                seen = answer(seconds=self._soon)
            except BoardLostError as problem:  # it faded, say
                self._journal.note(str(problem))
            if seen is not None or not executor.stages.forget_button(PASS):
                break
        return seen

    def _buttons(self, made: Made) -> Iterator[str]:
        """The way in which our move was `made`, with each of the buttons beside the board after it."""
        executor, how = self._maker.executor, made[2]
        return executor.stages.by_buttons(how, executor.gestures(*made))

    def _by(self, ways: Iterable[str], made: Made, ours: frozenset[int]) -> ObservedChange | None:
        """The answer to the move that we `made`, by whichever of `ways` brings it; None where none does."""
        executor, monitor, observer = self._maker.executor, self._maker.monitor, self._maker.executor.observer
        before, move, how = made
        seen = None
        positions = self._belief.world.positions
        answer = partial(monitor.change, positions, ours=ours, seconds=self._patience)
        for way in ways:
            executor.park()  # what shows under the pointer comes and goes with it
            hidden = -1.0
            while seen is None and hidden < monitor.hidden:  # a board that is not seen tells no silence
                hidden = monitor.hidden
                seen = answer()
            if seen is None:
                shown = downsample(then := observer.read())
                self._journal.note("nobody answers: the move may only be shown", how=how, tried=way)
                self.tried.append(way)
                try:
                    self._maker.insist(partial(executor.go_on, before, move, how, way))
                except BoardLostError as problem:  # a button that faded since, say
                    self._journal.note(str(problem))
                    self._final = True
                    continue
                monitor.relearn(before, move, then)
                seen = monitor.change((*positions, before), ours=ours, seconds=self._patience)
                if (undone := self._taken_back(seen, before, move)) is not None:
                    self._journal.note("that took moves back", tried=way)
                    executor.stages.forget_button()
                    return undone
                if seen is not None and executor.sudden and self._sudden[way] < CHANCES:
                    self._sudden[way] += 1  # it may be older than the last press
                    return seen
                if seen is not None or not still(shown, downsample(observer.read())):
                    executor.keep(before, move, way)
                    seen = seen or answer(seconds=GRACE * self._patience)
                    how = way
                elif not executor.stages.forget_button():
                    how = way
            if seen is not None:
                executor.answered(before, move, how)
                return seen
        return None

    def _taken_back(self, seen: ObservedChange | None, before: Any, move: Any) -> ObservedChange | None:
        """What shows if our `move` in `before`, and others perhaps, do not show any more; None where it does."""
        if seen is not None:
            return seen if seen.change.before == before and seen.change.moves[:1] != (move,) else None
        reading = self._maker.executor.observer.read()
        change = self._belief.explained(reading.observation, before)
        return None if change is None or change.moves else ObservedChange(reading, change)
