"""See, think, act, and look again: the loop that plays a game on a screen.

A click is only a hypothesis.  Each one is made on a picture that was just read, and the next one waits until the board
shows what the rules say the last one should have done.  Whose turn it is comes from the board and the rules as well.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bot.drag.gestures import NotInHandError
from bot.play.changes import Change, movers
from bot.play.executor import Executor
from bot.play.monitor import AGAIN, Monitor, ObservedChange
from bot.play.observer import Observer, Reading, downsample, still
from bot.pointers.guard import GuardedPointer
from bot.ports import Clock, ScreenError
from bot.protocol.answer import describe
from bot.runs.journal import Answer, Click, JournalWriter, Turn
from bot.settings import Settings, parse_controls, parse_place
from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.locate import BoardNotFoundError
from games import find_game
from games.core import CONFIRM, BoardsightError, Game, Options, Outcome
from solvers import DEFAULTS, find_solver
from solvers.core import Decision, Solver

FRESH = 0.05
"""A reading older than this many seconds is taken anew before a click: the board may have moved while we thought."""

FIND = 10
"""Times the board is looked for before there is none: a pawn on its way, a page that is still being painted."""

LATE = 1.0
"""Seconds after which the first move may be the other side's own, where both may make the same one."""

GRACE = 5
"""So many times longer is waited for another side that ought to begin, by what is known, than for one that may."""

LESSER = 6
"""So many other moves are thought of where a piece cannot be brought to its place, though pieces have been before.

Only one where nothing showed in hand: the game may hear no more.
"""

FOREIGN = 2
"""So many moves that the bot did not make are followed (a person's hand, a misplaced button), one more stops it."""

Announce = Callable[[Game[Any, Any], int, Any, Decision, Calibration], str]
"""The line a person gets for a move: of the game, the turn's number, the position, the decision, the board."""


class UnresponsiveError(BoardsightError):
    """The game does not react to `move`, or, where that is None, nobody moves."""

    def __init__(self, message: str, move: Any = None) -> None:
        super().__init__(message)
        self.move = move


class UnexpectedMoveError(BoardsightError):
    """The board keeps showing moves that were not ours."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a run went.

    cause: "won", "lost", "drawn", or "asked" (a limit the user set was reached).
    outcome: the game's, if it ended.  seat: the one played, 0 for the first.  moves: confirmed own ones.
    answers: moves of the other sides that were seen.  retries: clicks that had to be made again.
    misreads: looks that no legal move explained after the picture was still.  recalibrations: times the board was
    found anew.  overhead: per turn, milliseconds that were neither the game's repaint nor an asked-for delay.
    """

    cause: str
    message: str
    outcome: Outcome | None = None
    seat: int = 0
    moves: int = 0
    answers: int = 0
    retries: int = 0
    misreads: int = 0
    recalibrations: int = 0
    seconds: float = 0.0
    overhead: tuple[float, ...] = ()


@dataclass(slots=True)
class _Tally:
    moves: int = 0
    answers: int = 0
    retries: int = 0
    recalibrations: int = 0
    foreign: int = 0
    overhead: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Done:
    """A move made: in which position, how, after how many seconds of waiting for the game, and what came of it."""

    before: Any
    move: Any
    clicks: list[Click]
    tries: int
    waited: float
    change: Change


class Loop:
    """Plays one game on one screen; `say` gets a line for a person at each step.

    ask: puts a question to a person and gives the answer, where there is somebody to ask.
    last: the position a game ended with.
    """

    def __init__(
        self,
        settings: Settings,
        observer: Observer,
        pointer: GuardedPointer,
        clock: Clock,
        journal: JournalWriter,
        *,
        say: Callable[[str], None],
        announce: Announce,
        ask: Callable[[str], str] | None = None,
    ) -> None:
        self._settings = settings
        self._observer = observer
        self._pointer = pointer
        self._clock = clock
        self._journal = journal
        self._say = say
        self._announce = announce
        self._ask = ask
        self._tally = _Tally()
        self._calibration_number = 0
        self._seat = 0
        self._made: tuple[Any, Any, str] | None = None  # the position, our last move in it, and how it was made
        self._other: Any = None  # the board with the other side to move, while nothing has shown that it is not
        self._claimed: float | None = None  # seconds the first move took to show, if the other side may have made it
        self._guessed = False  # whether our seat was changed because nobody answered that move
        self.last: Any = None
        self._game: Game[Any, Any]
        self._solver: Solver
        self._executor: Executor
        self._monitor: Monitor

    def run(self, saved: Calibration | None = None, *, after: Any = None) -> Result:
        """Plays until the game is over or a limit is reached; every stop is kept in the journal.

        saved: a calibration that may still hold.  after: the position that ended the game before, which is waited for
        to go.
        Raises the BoardsightError that stopped the run, after keeping it with the last picture.
        """
        started = self._clock.now()
        try:
            cause, message, outcome = self._play(saved, after)
        except BaseException as problem:
            self._journal.end(type(problem).__name__, str(problem), self._evidence(problem))
            raise
        self._journal.end(cause, message, self._observer.last)
        tally = self._tally
        return Result(
            cause,
            message,
            outcome,
            self._seat,
            tally.moves,
            tally.answers,
            tally.retries,
            self._monitor.misreads,
            tally.recalibrations,
            self._clock.now() - started,
            tuple(tally.overhead),
        )

    def _play(self, saved: Calibration | None, after: Any) -> tuple[str, str, Outcome | None]:
        self._find(saved)
        reading, states = self._monitor.first(unlike=after)
        reading, state = self._take_seat(reading, states)
        if self._settings.dry_run:
            return "asked", self._rehearse(state), None
        while (outcome := state.outcome()) is None:
            if self._settings.max_moves and self._tally.moves >= self._settings.max_moves:
                return "asked", f"stopped after {self._tally.moves} moves, as asked", None
            try:
                reading, state = self._turn(reading, state) if state.player == self._seat else self._wait(state)
            except UnresponsiveError as problem:
                reading, state = self._doubt_seat(reading, state, problem)
        self.last = state
        return self._verdict(outcome), outcome.reason, outcome

    def begin_another(self) -> None:
        """Begins another game after `run` has ended one, as the settings or the calibration's control "new" say.

        Raises SettingsError where neither does.
        """
        wish = self._settings.new_game
        place = parse_place(wish)
        if place is not None:
            self._add_control("new", place)
        if place is not None or not wish:
            self._executor.tap("new")
        elif wish != "wait":
            self._executor.press(wish)
        self._pointer.confirmed()

    def _find(self, saved: Calibration | None) -> None:
        frame = self._first_find(saved)
        calibration = self._observer.calibration
        self._game = find_game(calibration.game)
        spec, self._solver = repeatable_solver(
            self._settings.solver or DEFAULTS.get(self._game.name, "random"), self._game.name
        )
        self._journal.playing(self._game.name, spec)
        self._executor = Executor(self._game, self._observer, self._pointer, self._clock)
        self._monitor = Monitor(
            *(self._game, self._observer, self._executor, self._pointer, self._clock, self._settings, self._journal),
            adopted=self._found_again,
        )
        self._adopted(frame)
        lattice = calibration.lattice
        self._say(
            f"found {self._game.name}: {lattice.rows}x{lattice.cols} cells, {len(calibration.palette)} colours, "
            f"{self._executor.described()} (confidence {calibration.confidence:.3f})"
        )

    def _first_find(self, saved: Calibration | None) -> Frame:
        """The picture on which the board was found, with what the settings tell of it."""
        frame, calibration = self._sight(saved), self._observer.calibration
        controls = {**calibration.controls, **parse_controls(self._settings.controls)}
        self._observer.amend(replace(calibration, controls=controls, how=self._settings.how or calibration.how))
        return frame

    def _sight(self, saved: Calibration | None) -> Frame:
        """The picture on which the board was found; one that is in motion may show none at first."""
        for _ in range(FIND - 1):
            try:
                return self._observer.find(saved)
            except BoardNotFoundError:
                self._clock.sleep(AGAIN)
        return self._observer.find(saved)

    def _adopted(self, frame: Frame) -> None:
        """Keeps the calibration in force and lets the pointer go where it says, and nowhere else."""
        self._calibration_number = self._journal.calibrated(self._observer.calibration, frame)
        self._executor.adopt()

    def _found_again(self, frame: Frame, words: str) -> None:
        """Keeps a calibration that changed, and says so where the board was moved."""
        self._adopted(frame)
        if not words:
            return
        self._tally.recalibrations += 1
        self._say(words)

    def _take_seat(self, reading: Reading, states: tuple[Any, ...]) -> tuple[Reading, Any]:
        """Decides which seat is ours, by the settings or by who moves first while nothing is done.

        states: the positions the board may be in, the likeliest first.  Where nobody moves it is our turn.
        """
        wanted, likely = self._settings.own_seat, states[0]
        self._other = next((each for each in states if each != likely), None)
        if self._game.players == 1 or (wanted is not None and (self._other is None or likely.player == wanted)):
            self._seat = wanted or 0
            return reading, likely
        seen = self._monitor.change(states, seconds=self._settings.wait * (1 if wanted is None else GRACE))
        if seen is not None:
            return self._other_began(seen)
        if wanted is not None:
            likely, self._other = self._other, likely
        self._seat = likely.player
        self._say(f"it is our turn: {self._seat_name()} is ours")
        return reading, likely

    def _other_began(self, seen: ObservedChange) -> tuple[Reading, Any]:
        """Takes the seat that did not make the move that was seen, unless the settings say which is ours."""
        self._other = None
        wanted = self._settings.own_seat
        self._seat = 1 - seen.before.player if wanted is None else wanted
        self._say(f"the other side began: {self._seat_name()} is ours")
        return self._answered(seen)

    def _doubt_seat(self, reading: Reading, state: Any, problem: UnresponsiveError) -> tuple[Reading, Any]:
        """What to play on from where `state` may not be the position: the other side may be to move in it.

        A move that either side could make and that had no effect was made out of turn: the other one is waited for.
        Raises `problem` where that is out of the question.
        """
        other, self._other = self._other, None
        if self._guessed:
            self._guessed, self._seat = False, 1 - state.player
            self._say(f"it was ours after all: {self._seat_name()} is ours")
            return reading, state
        if other is None:
            raise problem
        if self._settings.own_seat is None and problem.move in other.legal_moves():
            self._say("it seems not to be our turn: waiting for the other side")
            seen = self._monitor.change((state, other), seconds=self._settings.answer)
            if seen is None:
                raise problem
            return self._other_began(seen)
        if self._settings.own_seat is None:
            self._seat = other.player
        self._say(f"it is not the turn of seat {state.player + 1}: {self._seat_name()} is ours")
        return reading, other

    def _doubt_claim(self, waited: float, state: Any) -> tuple[Reading, Any]:
        """Waits for an answer to the first move; takes the other seat where there is none.

        A press out of turn changes nothing, and the other side may happen to make that very move after it.
        """
        seconds = min(self._settings.answer, GRACE * max(self._settings.wait, waited))
        seen = self._monitor.change((state,), seconds=seconds, ours=frozenset({self._seat}))
        if seen is not None:
            return self._answered(seen)
        self._seat, self._guessed = state.player, True
        self._say(f"nobody answers: that was the other side's move, {self._seat_name()} is ours")
        return self._observer.read(), state

    def _seat_name(self) -> str:
        return "the first seat" if self._seat == 0 else "the second seat"

    def _rehearse(self, state: Any) -> str:
        """Says the game as it would be played if every click did what the rules say; clicks nothing."""
        number = 0
        while state.outcome() is None and not 0 < self._settings.max_moves <= number:
            number += 1
            decision = self._solver.decide(state, self._settings.search_limit)
            move = self._executor.possible(state, decision)
            how = self._executor.ways(state, move)[0]
            places = self._executor.places(self._executor.gestures(state, move, how), 0)
            at = ", ".join(f"({x:.0f}, {y:.0f})" for x, y in map(self._observer.spot, places))
            self._say(f"{self._announce(self._game, number, state, decision, self._observer.calibration)}  at {at}")
            state = state.play(move)
        ended = state.outcome()
        return f"a dry run of {number} moves, nothing was clicked" + (f"; {ended.reason}" if ended else "")

    def _turn(self, reading: Reading, state: Any) -> tuple[Reading, Any]:
        """Decides and plays one move; gives the reading and the position that follow, answers included."""
        started = self._clock.now()
        decision = self._solver.decide(state, self._settings.search_limit)
        thought = self._clock.now() - started
        self._say(self._announce(self._game, self._tally.moves + 1, state, decision, self._observer.calibration))
        if self._settings.suggest:
            after, done = self._suggested(state, decision)
        else:
            after, done = self._make(reading, state, decision)
        if done.before != state:
            self._seat = done.before.player
            self._say(f"that was a move of the other side: {self._seat_name()} is ours")
        unsure, state = self._unsure(done), done.before
        self._tally.moves += 1
        own = self._clock.now() - started - done.waited
        self._tally.overhead.append(own * 1e3)
        stages = {"grab": reading.grab, "read": reading.read, "decide": thought * 1e3}
        stages |= {"wait": done.waited * 1e3, "own": own * 1e3}
        as_made = self._settings.suggest or done.change.moves[:1] == (done.move,)
        self._keep(reading, state, decision, done, stages, as_made=as_made)
        if not as_made:
            self._follow_foreign_move()
            if unsure:
                self._seat, self._claimed = 1 - state.player, None
                self._say(f"it was the other side's: {self._seat_name()} is ours")
        if len(done.change.moves) > 1:
            self._keep_answer(state.play(done.change.moves[0]), done.change.moves[1:])
            if as_made and self._made is not None:
                self._executor.answered(*self._made)
        return after, done.change.after

    def _make(self, reading: Reading, state: Any, decision: Decision) -> tuple[Reading, _Done]:
        """Makes the decided move with the pointer until the board shows it; raises UnresponsiveError."""
        if self._executor.lacks_button(state, decision.move):
            self._adopted(self._observer.find_controls())
        move = self._executor.possible(state, decision)
        waited, carried, showed = 0.0, False, False
        for attempt, how in enumerate(self._executor.ways(state, move)):
            self._monitor.pause(self._settings.delay)
            waited += self._settings.delay
            self._executor.hear()
            self._journal.flush()  # a kill then loses nothing but the move that is made now
            for button in self._executor.buttons(state, move, how):
                self._monitor.uncovered(button)
            if attempt or self._clock.now() - reading.done > FRESH:
                reading = self._monitor.same(state)
            reading = self._monitor.in_place(reading, state)
            try:
                clicks = self._executor.make(state, move, how, attempt)
            except NotInHandError as problem:
                showed |= problem.showed
                self._tally.retries += 1
                self._journal.note(str(problem), attempt=attempt + 1, how=how)
                self._adopted(self._observer.find_controls())
                continue
            carried = True
            other = self._other if self._settings.own_seat is None else None
            seen, repaint = self._monitor.confirm(state, move, other=other)
            waited += repaint
            if seen.change.after != seen.before:
                self._executor.worked(state, move, how, attempt)
                self._made = seen.before, move, how
                return seen.reading, _Done(seen.before, move, clicks, attempt + 1, waited, seen.change)
            self._tally.retries += 1
            met = {"kind": "drop"}
            self._journal.note(
                "the click had no effect", attempt=attempt + 1, how=how, at=list(clicks[0].spot), fault=met
            )
            self._monitor.look_round()
        lesser = decision.candidates if not carried and self._tally.moves else ()
        others = tuple(candidate for candidate in lesser if candidate.move != move)[: LESSER if showed else 1]
        if others:
            words = f"{self._game.format_move(move, state)} could not be made here; the next best move is tried"
            self._journal.note(words)
            self._say(words)
            rest = replace(decision, move=others[0].move, candidates=others)
            return self._make(self._monitor.same(state), state, rest)
        if self._asked_for_button():
            return self._make(self._monitor.same(state), state, decision)
        raise UnresponsiveError(
            f"{attempt + 1} tries to play {self._game.format_move(move, state)}, the last by {how!r}, "
            f"showed no effect in {self._settings.patience:g} s each: "
            "is the game paused, over, or waiting for something else? A button that makes moves final is named with "
            f"--controls {CONFIRM}=X,Y",
            move,
        )

    def _asked_for_button(self) -> bool:
        """Asks a person, once, whether a button makes moves final; whether there is one: it is known from then on."""
        if self._ask is None or CONFIRM in self._observer.calibration.controls:
            return False
        place = parse_place(self._ask("nothing happens: is there a button that makes a move final? Its place X,Y"))
        self._ask = None
        if place is not None:
            self._add_control(CONFIRM, place)
            self._executor.keep("")
        return place is not None

    def _add_control(self, name: str, place: Pixel) -> None:
        calibration = self._observer.calibration
        self._observer.amend(replace(calibration, controls={**calibration.controls, name: place}))
        self._executor.adopt()

    def _unsure(self, done: _Done) -> bool:
        """Whether the move that was seen may be the other side's: which seat is ours was not known before it."""
        unsure = self._settings.own_seat is None and (self._guessed or self._other is not None)
        slow = done.tries > 1 or done.waited - self._settings.delay > LATE
        self._claimed = done.waited if unsure and slow and len(done.change.moves) == 1 else None
        self._other, self._guessed = None, False
        return unsure

    def _suggested(self, state: Any, decision: Decision) -> tuple[Reading, _Done]:
        """The next position a person brings about, once it is still."""
        seen = self._next_change(state)
        moves = seen.change.moves or (decision.move,)
        return seen.reading, _Done(seen.before, moves[0], [], 0, 0.0, seen.change)

    def _wait(self, state: Any) -> tuple[Reading, Any]:
        """Waits until another side has moved; raises UnresponsiveError."""
        made, self._made = self._made, None
        seen = None if made is None else self._answer_to(state, *made)
        claimed, self._claimed = self._claimed, None
        if seen is None and claimed is not None:
            return self._doubt_claim(claimed, state)
        return self._answered(seen or self._next_change(state, ours=frozenset({self._seat})))

    def _answer_to(self, state: Any, before: Any, move: Any, how: str) -> ObservedChange | None:
        """The answer to our `move`, made by `how`, which led to `state`; None where it takes long.

        A move that shows may be shown only, until it is tapped again or confirmed: what other ways ask for besides is
        done where nobody answers, which changes nothing where the move is made.
        """
        ours, patience = frozenset({self._seat}), self._settings.patience
        for way in self._executor.further(before, move, how):
            self._executor.park()  # what shows under the pointer comes and goes with it
            seen = self._monitor.change((state,), seconds=patience, ours=ours)
            if seen is not None:
                self._executor.answered(before, move, how)
                return seen
            shown = downsample(self._observer.read())
            self._journal.note("nobody answers: the move may only be shown", how=how, tried=way)
            self._executor.go_on(before, move, how, way)
            seen = self._monitor.change((state,), seconds=patience, ours=ours)
            if seen is not None and not self._executor.heard:
                self._executor.answered(
                    before, move, how
                )  # it was made already: this answer is older than the last press
                return seen
            if seen is not None or not still(shown, downsample(self._observer.read())):
                self._executor.keep(way)
                seen = seen or self._monitor.change((state,), seconds=GRACE * patience, ours=ours)
            if seen is not None:
                self._executor.answered(before, move, way)
                return seen
            how = way
        return None

    def _next_change(self, state: Any, ours: frozenset[int] = frozenset()) -> ObservedChange:
        seen = self._monitor.change((state,), seconds=self._settings.answer, ours=ours)
        if seen is None:
            raise UnresponsiveError(
                f"nobody moved for {self._settings.answer:g} s: is it really the turn of "
                f"seat {state.player + 1} (--seat), and does it know?"
            )
        return seen

    def _answered(self, seen: ObservedChange) -> tuple[Reading, Any]:
        self._keep_answer(seen.before, seen.change.moves)
        return seen.reading, seen.change.after

    def _follow_foreign_move(self) -> None:
        self._tally.foreign += 1
        self._say("the board shows another move than ours; going on from there")
        if self._tally.foreign > FOREIGN:
            raise UnexpectedMoveError(
                f"{self._tally.foreign} times the board showed a move that was not ours: "
                "does somebody else play, or are two colours mixed up?  See the run's report"
            )

    def _verdict(self, outcome: Outcome) -> str:
        """How a game ended, for us."""
        if outcome.winner is None:
            return "lost" if self._game.players == 1 else "drawn"
        return "won" if outcome.winner == self._seat else "lost"

    def _evidence(self, problem: BaseException) -> Frame | None:
        """The picture of a stop: the annotated one where no board was found, else the whole screen as it is now."""
        last = self._observer.last
        if isinstance(problem, BoardNotFoundError) and last is not None:
            return Frame(problem.picture, last.region, last.taken)
        try:
            return self._observer.screen.grab()
        except ScreenError:
            return last

    def _keep_answer(self, before: Any, moves: tuple[Any, ...]) -> None:
        """Keeps and says what other sides, or other hands, played from `before`."""
        texts, state = [], before
        for move in moves:
            texts.append(self._game.format_move(move, state))
            state = state.play(move)
        seats = movers(before, moves)
        self._tally.answers += sum(seat != self._seat for seat in seats)
        if texts:
            self._say(f"     seat {seats[0] + 1} played {' '.join(texts)}")
        answer = Answer(self._tally.moves, list(seats), texts, self._game.format(before), self._game.format(state))
        self._journal.answer(answer)

    def _keep(
        self, reading: Reading, state: Any, decision: Decision, done: _Done, stages: dict[str, float], *, as_made: bool
    ) -> None:
        number, calibration = self._tally.moves, self._calibration_number
        picture = f"turn-{number:03}.png"
        outcome = "suggested" if self._settings.suggest else "confirmed" if as_made else "other move"
        follows = state.play(done.move) if as_made else done.change.after
        self._journal.turn(
            picture,
            reading.frame,
            lambda: Turn(
                number=number,
                calibration=calibration,
                picture=picture,
                offset=reading.offset,
                region=reading.frame.region,
                state=self._game.format(state),
                options=describe_options(self._game.options(state)),
                grid=reading.observation.grid.tolist(),
                confidence=[[round(float(c), 3) for c in row] for row in reading.observation.confidence],
                played=self._game.format_move(done.move, state),
                decision=describe(self._game, state, decision),
                clicks=done.clicks,
                tries=done.tries,
                after=self._game.format(follows),
                outcome=outcome,
                milliseconds={stage: round(spent, 3) for stage, spent in stages.items()},
            ),
        )


def repeatable_solver(spec: str, game: str) -> tuple[str, Solver]:
    """The solver `spec` names, and a spec that gives the same player again: with its seed, where chance plays."""
    solver = find_solver(spec, game)
    if getattr(solver, "seed", 0) >= 0:
        return spec, solver
    spec = f"{spec}{',' if ':' in spec else ':'}seed={secrets.randbelow(1 << 31)}"
    return spec, find_solver(spec, game)


def describe_options(options: Options) -> dict[str, Any]:
    """The options that are set."""
    return {name: value for name, value in asdict(options).items() if value is not None}
