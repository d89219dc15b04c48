"""The monitor: looks again and again until the board shows something, and finds it where it was moved to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.play.belief import Belief
from bot.play.changes import (
    Change,
    is_hidden,
    likely_changes,
    may_be_another,
    nearest,
    out_of_moves,
    positions,
    shows_some,
)
from bot.play.executor import Executor
from bot.play.kept import OtherBoardError
from bot.play.motion import still
from bot.play.observer import Reading, downsample
from bot.play.seen import BoardLostError, ForeignMoveError, GameOverError, ObservedChange, OvertakenError
from bot.play.waiting import PUZZLED, STILL, BoardWait, Shown
from bot.ports import dialogs_on, scroll_to, scrolled_by
from bot.runs.journal import JournalWriter
from bot.settings import Settings
from calibration.frame import Frame, Pixel
from calibration.locate import BoardNotFoundError
from calibration.looks import look_named
from calibration.veiled import ClearView, place_colours
from games.core import UNREAD, Cell, Observation, UnreadableError

POLL = 0.002
"""Seconds between two looks after a click: shorter than any repaint, long enough to leave the game its processor."""

SELDOM = 0.1
"""Seconds between two looks at most, while another side thinks: a person does not notice the delay."""

AGAIN, RARELY = 0.25, 1.0
"""Seconds between two searches of the whole screen, growing, up to the second: each takes a tenth of a second of the
processor."""

HIDDEN = 1.0
"""Seconds that a board is not understood after which it counts as hidden: a longer repaint looks like that, too."""

ANEW = 3
"""Each search so many times in a row in vain goes as if for the first time: of a small board that moved by a cell and a
half, or grew a little, enough lies where it was to be taken for it."""

MOVES = 2
"""Times that a board which is found elsewhere is waited for anew: one that moves all the time is lost."""


class Monitor:
    """Watches the board that `executor` makes moves on; `belief` explains what it shows.

    adopted: is told, with a picture of the whole screen, of each calibration that takes the place of the one before:
    in words where the board was moved, with none where a new kind of piece was seen.
    waits: is told what is waited for, and for how long, every few seconds.
    """

    def __init__(
        self,
        executor: Executor,
        belief: Belief,
        settings: Settings,
        journal: JournalWriter,
        *,
        adopted: Callable[[Frame, str], None],
        waits: Callable[[str], None],
    ) -> None:
        self._waits, self._belief = waits, belief
        self._executor, self._settings, self._journal, self._adopted = executor, settings, journal, adopted
        self._game, self._observer = executor.game, executor.observer
        self._pointer, self._clock = executor.pointer, executor.clock
        self._missing, self._in_vain = "", 0
        self._parked: float | None = None
        self._stirred, self._own_rules = -np.inf, False
        self._blind: float | None = None
        self._dark, self._dialogs = self._observer.blind, (dialogs_on(self._observer.screen),) * 2
        self._margin: NDArray[np.float32] | None = None
        self._cover: tuple[bytes, float] = b"", 0.0
        self._clear: Reading | None = None
        self._brought: NDArray[np.int8] | None = None  # what our last move brings, while it did not
        self._down = scrolled_by(self._observer.screen)
        self.misreads, self.hidden = 0, 0.0  # seconds for which something lay over the board, if for long

    @property
    def other(self) -> Any:
        """The position that the board shows if another seat is ours; None where that is known."""
        return self._belief.other

    def spoken(self, steps: int = 0) -> bool:
        """Whether the page said something since the board was understood last, or `steps` times before that."""
        return dialogs_on(self._observer.screen) > self._dialogs[-1 - steps]

    def first(self, *, unlike: Any = None) -> tuple[Reading, tuple[Any, ...]]:
        """The positions the board may show once it is still, as `changes.positions` gives them.

        unlike: a position that is over, which must be gone first.
        What is covered by then is waited for longer, as for a board that is lost.
        Raises UnreadableError, BoardLostError where it cannot even be found any more, and GameOverError.
        """
        problem: UnreadableError | None = None
        show = self._game.show

        def tell(observation: Observation, *, covered: bool) -> tuple[Any, ...]:
            nonlocal problem
            try:
                return positions(self._game, observation, covered=covered)
            except UnreadableError as unreadable:
                problem = unreadable
                if not observation.unread():
                    self._observer.doubt()
                return ()

        wait = self._wait_for("a board at rest", tell, least=STILL, most=STILL)
        limit, watched = self._settings.repaint, False
        while self._clock.now() - wait.begun < limit:
            reading, found = wait.look()
            puzzled = not found and wait.seconds > PUZZLED
            if not watched and (wait.restless or puzzled or self._observer.pales()):
                watched = True
                began = self._clock.now()
                self._executor.watch()  # cells that breathe are read otherwise from then on
                limit += self._clock.now() - began
                wait.anew()
            elif found:
                fresh = unlike is None or all((show(each).grid != show(unlike).grid).any() for each in found)
                if fresh and wait.calm:
                    self._understood(reading)
                    self._observer.remember(reading)
                    return reading, found
                continue
            if wait.seconds > PUZZLED:
                self._recover()  # it may have moved since it was found
            if self._missing or reading.observation.unread():
                limit = self._settings.repaint + self._settings.lost
        if self._missing and problem is not None:
            raise BoardLostError(self._lost_because(reading)) from problem
        if found and wait.calm:
            raise GameOverError("the board shows the game that is over: did no other one begin (--new-game)?")
        raise problem or UnreadableError(f"the board did not come to rest in {self._settings.repaint:g} s")

    def same(self, state: Any) -> Reading:
        """A fresh reading that shows `state` still; raises BoardLostError where it does not.

        Raises OvertakenError where somebody moved, or a press of ours was heard late, and where a page on which one
        plays alone has dealt another board, or shows none after as many moves as most allow.
        """
        unsure = self._belief.unsure or not self._belief.begun
        states = [state, *([self._belief.other] if self._belief.other is not None else [])]
        tell = partial(self._belief.played, states=states, ours=() if unsure else (state.player,))
        wait = self._wait_for("the board to show the position decided on", tell, most=0.0)
        moved = 0
        while True:
            reading, change = wait.look()
            if change is not None and change.after == state:
                if reading.observation.unread() and self._clear and (end := self._belief.allowed_all(state)):
                    raise OvertakenError(ObservedChange(reading, end))  # what lies there came after the last move
                return reading
            if change is None and self._brought is not None and wait.calm and self._mostly(reading, state):
                return reading
            if change is not None and wait.calm and self._believed(wait):
                self._understood(reading, change.after)
                raise OvertakenError(ObservedChange(reading, change))
            if change is None and wait.puzzling:
                self._belief.recognise(reading.observation, None)
            whole = not reading.observation.unread() and wait.lasted > self._settings.repaint
            if change is None and self._belief.begun and whole and not self._recover() and not self._missing:
                end = out_of_moves(self._game, state, shown=False)
                if end is not None:
                    self._understood(reading)
                    raise OvertakenError(ObservedChange(reading, end))
            if wait.seconds > self._settings.lost * (1 + min(moved, MOVES)):
                if (end := self._belief.allowed_all(state) or self._belief.decided(state)) is not None:
                    raise OvertakenError(ObservedChange(reading, end))
                raise BoardLostError(self._lost_because(reading))
            if reading.observation.unread() or not self._executor.let_go():
                moved += self._recover()

    def confirm(self, before: Any, made: Any) -> tuple[ObservedChange, float]:
        """What the board shows after `made` was clicked: that move, with or without answers, another move, or nothing.

        Also gives the seconds until the picture first showed it.  Raises BoardLostError.
        """
        words = f"{self._game.format_move(made, before)} to show"
        wait = self._wait_for(words, partial(self._belief.led_to, before=before, made=made), least=POLL)
        patience, after, covered = self._settings.patience, before.play(made), self._cover[0]
        self._brought, ended = self._game.show(after).grid, after.outcome() is not None
        while True:
            reading, change = wait.look()
            waited = reading.frame.taken - wait.begun
            if waited < patience and self._only_shown(reading):
                wait.anew()
            elif change is None or change.after == change.before:
                hidden = partial(is_hidden, self._game, reading.observation, before, after)
                seen = change is not None and not (ended and self._cover[0] != covered and hidden())
                # Some cells may show what is not made yet; those of a move that ends the game may be drawn otherwise.
                late = wait.lasted > patience
                silent = late and (not ended or shows_some(self._game, reading.observation, after, before))
                if (late and seen) or (silent and not hidden() and self._mostly(reading, before)):
                    self._pointer.confirmed()
                    return ObservedChange(reading, change or Change(before, (), before)), wait.seconds
                if not seen and (told := self._told_late(reading, wait, before, made)) is not None:
                    return told, waited
            elif self._made(reading, made, change, wait, foreseen=change.before == before):
                self._pointer.confirmed()
                self._understood(reading, change.after, made=made)
                return ObservedChange(reading, change), waited

    def _made(self, reading: Reading, made: Any, change: Change, wait: BoardWait[Any], *, foreseen: bool) -> bool:
        """Whether what shows is to be believed: the move made, at once where it shows purely; else what stays.

        foreseen: whether it was made in the position that was believed; half of a repaint may look like another's.
        """
        before = change.before
        met = len(reading.learned.palette) > len(self._observer.calibration.palette)
        if met and self._left_alone():
            return False  # what follows the pointer may lie over a piece that shows for the first time
        flies = self._executor.hand.drags  # back, if it may not lie where it was let go
        if foreseen and not flies and change.after == before.play(made) and self._observer.settled(reading):
            self._observer.remember(reading)
            return True
        by_us = [move for move, seat in zip(change.moves, change.seats, strict=True) if seat == before.player]
        ours = by_us in ([], [made]) and (foreseen or before != self._belief.earlier)  # half a flood is one of before
        return wait.calm and (ours or self._believed(wait)) and not self._moved(reading, wait)

    def change(
        self, states: Sequence[Any], *, seconds: float, ours: frozenset[int] = frozenset()
    ) -> ObservedChange | None:
        """The next move that anybody makes in one of `states`, once the board is still; None after `seconds`.

        states: the positions the board may be in; the first one that explains by moves what it shows is taken.
        ours: seats whose moves would be made by a hand that is not the bot's, and are believed late.
        Raises BoardLostError, ForeignMoveError.
        """
        words = f"the other side's move, at most {seconds:.0f} s"
        tell = partial(self._belief.played, states=states, ours=ours)
        wait = self._wait_for(words, tell, least=STILL / 3, most=SELDOM)
        understood = wait.begun
        while True:
            reading, told = wait.look()
            if told is None:
                end = self._end(reading, wait, understood, states, ours=ours)
                if end is not None:
                    return end
                continue
            understood = wait.now
            by_us = bool(ours.intersection(told.seats)) or not told.moves
            if told.after not in states and wait.calm and (not by_us or self._believed(wait)):
                if self._moved(reading, wait):
                    continue
                self._understood(reading, told.after)
                return ObservedChange(reading, told)
            if wait.seconds > seconds:
                return None

    def relearn(self, before: Any, made: Any, then: Reading) -> None:
        """Learns anew what the pieces look like that `made` was the first to bring: `then` it was only shown.

        Nothing where it looks as it did, or is not there any more.
        """
        known, brought = self._game.show(before).grid, self._game.show(before.play(made)).grid
        places = [Cell(*place) for place in np.argwhere(brought != known).tolist()]
        kind, last = int(brought[places[0]]), len(self._observer.calibration.palette) - 1
        if kind != last or kind in known or self._observer.calibration.lattice.grid_step(known) > 1:
            return
        wait = self._wait_for("the move to lie still", lambda observation, **_: observation.grid.tobytes(), least=POLL)
        otherwise = False
        while wait.seconds < self._settings.patience and not (wait.calm and (otherwise or wait.puzzling)):
            reading, _ = wait.look()
            shown, fresh = int(reading.observation.grid[places[0]]), len(reading.learned.palette) > last + 1
            otherwise = fresh or shown != kind or places[0] in self._observer.changed(then, reading)
            otherwise &= shown != known[places[0]]  # that was taken back
        if otherwise:
            self._observer.relearn(kind, places[0])
            self._journal.note("the pieces look otherwise than when the move was only shown")

    def look_round(self) -> None:
        """Looks whether the board has moved by so little that it is still read where it was: its buttons are beside."""
        self._search(anew=True)

    def regain(self) -> None:
        """Looks for the board after a press was not made, and for its controls where it has not moved."""
        if not self._recover():
            self._adopted(self._observer.find_controls(), "")

    def in_place(self, reading: Reading, state: Any) -> Reading:
        """`reading`, or where its margin is not what it was, a fresh one that shows `state`, the board found again.

        A board that went by less than half a cell is read as before. Raises BoardLostError.
        """
        if not self._surrounded_otherwise(reading):
            return reading
        self._search()
        reading = self.same(state)
        self._margin = self._observer.margin(reading)
        return reading

    def _moved(self, reading: Reading, wait: BoardWait[Any]) -> bool:
        """Whether the board was moved from where it is read, and found there: pieces one cell on are legal moves."""
        moved = self._surrounded_otherwise(reading) and self._search()
        if moved:
            wait.anew()
        return moved

    def _surrounded_otherwise(self, reading: Reading) -> bool:
        """Whether the margin of the board is another than when this was asked last."""
        known, self._margin = self._margin, self._observer.margin(reading)
        return known is not None and not still(self._margin, known)

    def pause(self, seconds: float) -> None:
        """Waits, unless a stop was asked for, which raises StoppedError."""
        self._pointer.check()
        self._clock.sleep(seconds)
        self._pointer.check()

    def _end(
        self,
        reading: Reading,
        wait: BoardWait[Any],
        since: float,
        states: Sequence[Any],
        *,
        made: Any = None,
        ours: Collection[int],
    ) -> ObservedChange | None:
        """How the game ended, if a picture that nothing has explained for a while is that of its end; else puzzles.

        since: when the board was last understood.  states: the positions it may have shown then.  made: the move made
        since.  ours: seats that made no other.  Raises ForeignMoveError, BoardLostError.
        """
        gone = [each for each in states if may_be_another(self._game, each, reading.observation, made=made)]
        ending = made is not None and any(before.play(made).outcome() is not None for before in gone)
        if wait.puzzling:
            for before in states:
                through = self._end_through(reading, before, made, ours)
                if through is not None:
                    self._journal.note("the finished board shows only in part, or behind something")
                    return ObservedChange(reading, through)
        try:
            self._puzzle_over(reading, wait, since, made=made, ending=ending)
        except BoardLostError as problem:
            spoken = self.spoken() or self._observer.is_taken_away(reading)
            for before in gone if ours else ():
                if unseen := self._belief.unseen_end(before, made=made, ours=ours, spoken=spoken):
                    self._journal.note(f"the rules tell how the game ended, the board does not: {problem}")
                    return ObservedChange(reading, unseen)
            raise
        return None

    def _told_late(self, reading: Reading, wait: BoardWait[Any], before: Any, made: Any) -> ObservedChange | None:
        """What came of `made`, if a picture that nothing has explained for a while tells: an end, or rules of its own.

        A page on which one plays alone may flood its board by rules of its own, and what it shows then is all that
        counts; where what changed shows any other kind than the move brings, another board was dealt.
        Raises ForeignMoveError, BoardLostError.
        """
        try:
            return self._end(reading, wait, wait.begun, [before], made=made, ours=(before.player,))
        except BoardLostError as problem:
            shown, grid = self._game.show(before).grid, reading.observation.grid
            whole = isinstance(problem, ForeignMoveError) and self._game.players == 1 and shown.shape == grid.shape
            due = self._game.show(before.play(made))
            if not whole or set(grid[grid != shown].tolist()) != set(due.grid[due.grid != shown].tolist()):
                if (end := self._belief.allowed_all(before, made)) is None:
                    raise
                return ObservedChange(reading, end)
            numbers = {**due.numbers, **reading.observation.numbers}
            after = self._game.read(replace(reading.observation, numbers=numbers))
            self._journal.note(f"the page has rules of its own, what it shows counts: {problem}")
            self._own_rules = True
            self._pointer.confirmed()
            self._understood(reading, made=made)
            return ObservedChange(reading, Change(before, (made,), after, lawful=False))

    def _end_through(self, reading: Reading, before: Any, made: Any, ours: Collection[int]) -> Change | None:
        """The moves that ended the game, where the finished board shows in part or through what lies over it."""
        likely = likely_changes(before, made=made, ours=ours)
        if all(change.after.outcome() is None for change in likely):
            return None
        if made is not None and self._mostly(reading, expected := before.play(made)):
            ended = expected.outcome() is not None and shows_some(self._game, reading.observation, before, expected)
            return Change(before, (made,), expected) if ended else None
        clear, lattice = self._clear, self._observer.calibration.lattice
        if clear is None or clear.frame.pixels.shape != reading.frame.pixels.shape:
            return None
        then, now = (
            place_colours(
                each.frame.pixels, lattice.moved(Pixel(-each.offset.x, -each.offset.y)), each.observation.grid
            )
            for each in (clear, reading)
        )
        changes = list({self._game.show(change.after).grid.tobytes(): change for change in likely}.values())
        grids = [self._game.show(change.after).grid for change in changes]
        number = ClearView(then, clear.observation.grid, lattice.grid_step(grids[0])).shows(now, grids)
        return changes[number] if number is not None and changes[number].after.outcome() is not None else None

    def _wait_for(
        self, what: str, tell: Callable[..., Shown], *, least: float = 0.0, most: float = np.inf
    ) -> BoardWait[Shown]:
        """A wait for `what` the board will show.

        tell: is asked what an observation shows; covered: whether the cells it lacks are so for long.
        """

        def still_waiting(seconds: float) -> None:
            because = f"; {self._missing.split('. ')[0]}" if self._missing else ""  # what to do comes with the end
            self._waits(f"     waiting for {what}: {seconds:.0f} s{because}")

        def told(reading: Reading) -> Shown:
            shown = tell(reading.observation, covered=self._stays_covered(reading))
            self._note_blindness(reading, seen=bool(shown))
            return shown

        look, watch = self._observer.read, self._executor.watch  # what a side owns may breathe
        return BoardWait(
            self._clock, look, told, self.pause, waits=still_waiting, unsettled=watch, least=least, most=most
        )

    def _stays_covered(self, reading: Reading) -> bool:
        """Whether something has covered the same cells for so long that it may stay there: a bar with words, say."""
        cover, now = (reading.observation.grid == UNREAD).tobytes(), self._clock.now()
        if cover != self._cover[0]:
            self._cover = cover, now
        return any(cover) and now - self._cover[1] >= self._settings.patience

    def _note_blindness(self, reading: Reading, *, seen: bool) -> None:
        """Keeps, once the board is understood again, for how long it was not, where that was longer than a repaint."""
        now, dark = self._clock.now(), self._observer.blind - self._dark
        if dark:
            self._dark = self._observer.blind
            self._journal.note(f"no picture for {dark:.1f} s", fault={"kind": "raises", "seconds": round(dark, 3)})
        if not seen:
            self._blind = now if self._blind is None and reading.observation.unread() else self._blind
        elif self._blind is not None:
            spent, self._blind = now - self._blind, None
            if spent > HIDDEN:
                self.hidden += spent
                self._executor.stages.overlook()
                words = f"the board could not be read for {spent:.1f} s: something lay over it"
                self._journal.note(words, fault={"kind": "window", "seconds": round(spent, 3)})

    def _believed(self, wait: BoardWait[Any]) -> bool:
        """Whether a move of ours that the executor did not make counts: it has shown for long, the pointer parked.

        Somebody may move in the bot's place; far oftener the picture is wrong for a while: a piece that follows the
        pointer, a tooltip like a wall, half of an older picture.
        """
        return not self._left_alone(wait.begun) and wait.now - max(wait.since, self._stirred) >= self._settings.patience

    def _left_alone(self, begun: float = -np.inf) -> bool:
        """Parks the pointer, lest what follows it is taken for a move; whether it was over the board, or may be.

        begun: from when on it must have moved: a page may have moved under it and show what it showed there.
        """
        parked = self._executor.parked
        if parked and self._stirred >= begun:
            return False
        self._executor.stir()
        self._stirred = self._clock.now()
        if not parked:
            self._parked = self._stirred
        return True

    def _understood(self, reading: Reading, after: Any = None, *, made: Any = None) -> None:
        """Learns from a reading of a board at rest: new pieces, and to park the pointer where that made it readable.

        after: the position that it shows, where that is known.  made: our move that led to it, where it was one.
        """
        self._in_vain, self._brought = 0, None
        self._dialogs = self._dialogs[-1], dialogs_on(self._observer.screen)
        if not reading.observation.unread():
            self._clear = reading
            self._belief.understood(reading.observation, made)
        picture = self._observer.learn(reading, None if after is None else self._game.show(after).grid)
        if picture is not None:
            self._clear = None  # its pieces may be numbered otherwise
            self._adopted(picture, "")
        if self._parked is not None and self._clock.now() - self._parked < PUZZLED:
            self._observer.amend(replace(self._observer.calibration, park=True))
            self._journal.note("the pointer is parked beside the board from now on: something follows it")
        self._parked = None

    def _puzzle_over(
        self, reading: Reading, wait: BoardWait[Any], since: float, *, made: Any = None, ending: bool = False
    ) -> None:
        """Does what can be done about a picture that nothing has explained for a while.

        In this order: put away a piece that may be in hand, park the pointer, look elsewhere, give up.
        since: when the board was last understood.  made: the move made since.  ending: whether it ends the game by the
        rules, after which boards are covered, taken away or dealt anew for good.
        Raises ForeignMoveError, BoardLostError, and OtherGameError where the user named no game.
        """
        if not wait.puzzling:
            return
        if self._executor.let_go() or self._left_alone():
            wait.anew()
            return
        now = self._clock.now()
        legible = not reading.observation.unread()
        self._belief.recognise(reading.observation, made)
        rest = 0.0 if ending or self._own_rules else self._settings.repaint
        if legible and now - wait.since > rest and not self._recover() and not self._missing:
            self.misreads += 1
            raise ForeignMoveError(self._lost_because(reading))
        if now - since > (self._settings.lost / 2 if ending else self._settings.repaint + self._settings.lost):
            self.misreads += 1
            raise BoardLostError(self._lost_because(reading))
        if self._recover():
            wait.anew()

    def _only_shown(self, reading: Reading) -> bool:
        """Whether the board still looks as it did when the move was confirmed."""
        shown = self._executor.shown
        return shown is not None and still(downsample(reading), shown)

    def _mostly(self, reading: Reading, expected: Any) -> bool:
        """Whether at least half of the cells are seen, and all of these as `expected`, but what breathes.

        A move that was tried may show in a colour of its own, on all that it takes: it is not made, or may not be.
        """
        wanted, shown, brought = self._game.show(expected).grid, reading.observation.grid, self._brought
        seen = shown >= 0
        if brought is not None and wanted.shape == seen.shape:
            taken = np.isin(wanted, brought[brought != wanted])
            seen &= (brought == wanted) & ~taken | (brought == shown)
        if wanted.shape == seen.shape and look_named(self._observer.calibration.look).filled:
            for cell in self._observer.breathing:  # a pale one is taken for the nearest kind, whatever is drawn on it
                seen[cell] = False
        return bool(seen.mean() >= 0.5 and (shown[seen] == wanted[seen]).all())

    def _recover(self) -> bool:
        """Looks for the board on the whole screen; whether it was found at another place. If not, rests for a while."""
        if self._search():
            return True
        if self._in_vain == 1 and not self._missing and look_named(self._observer.calibration.look).filled:
            self._executor.watch()  # what a side owns may breathe, and grows
        self.pause(min(RARELY, AGAIN * self._in_vain))
        return False

    def _search(self, *, anew: bool = False) -> bool:
        """Looks for the board on the whole screen; whether it was found at another place.

        anew: whether to look for any such board: one that is known is found again where it shrank a little, too.
        """
        self._in_vain += 1
        scroll_to(self._observer.screen, self._down)  # a key or the wheel, for a piece, scrolls a page
        try:
            frame, calibration = self._observer.find_again(anew=anew or self._in_vain % ANEW == 0)
        except (BoardNotFoundError, OtherBoardError) as problem:
            self._missing = str(problem)
            return False
        self._missing = ""
        old, new = self._observer.calibration.lattice, calibration.lattice
        (across, down), grown = np.subtract(new.origin, old.origin), new.pitch[0] / old.pitch[0]
        if abs(across) < 1 and abs(down) < 1 and abs(grown - 1) < 0.005:
            return False  # it is where it was: covered or in motion
        if not anew and max(abs(across), abs(down)) < old.pitch[0] and self._search(anew=True):
            return True
        self._in_vain, self._margin = 0, None
        self._observer.adopt(calibration, frame)
        grew = f" and grew {grown:.2f} times" if abs(grown - 1) >= 0.005 else ""
        words = f"the board moved by {across:+.0f}, {down:+.0f} pixels{grew}"
        (right, foot), kind = frame.scale, "zoom" if grew else "move"
        met = {"kind": kind, "x": round(across / right, 1), "y": round(down / foot, 1), "factor": round(grown, 3)}
        self._journal.note(words, fault=met)
        self._adopted(frame, words)
        if self._executor.parked:
            self._executor.stir()  # it may lie on the board now
        return True

    def _lost_because(self, reading: Reading) -> str:
        """Why the board shows no position, in one way for each cause whenever it is met, and what to do about it."""
        if self._missing:
            return f"the board was found and is seen no more: {self._missing}"
        grid, unread = reading.observation.grid, len(reading.observation.unread())
        if unread:
            return f"{unread} of the board's {grid.size} cells cannot be read: uncover it, or begin the game anew"
        seen = grid if self._clear is None else self._clear.observation.grid
        many = np.count_nonzero(seen != grid) if seen.shape == grid.shape else grid.size
        told = nearest(self._game, (each for world in self._belief.worlds for each in world.positions), grid)
        told = f" ({told})" if told else ""
        return f"no legal move explains that {many} of {grid.size} cells changed{told}: was a new game started?"
