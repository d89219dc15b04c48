"""See, think, act, and look again: the loop that plays a game on a screen.

A click is only a hypothesis.  Each one is made on a picture that was just read, and the next one waits until the board
shows what the rules say the last one should have done.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bot.commands.answer import describe
from bot.eye import Eye, Look, OtherBoardError
from bot.journal import Click, JournalWriter, Turn
from bot.pointers.guard import GuardedPointer
from bot.ports import Clock, ScreenError
from bot.settings import Settings
from calibration.board import Calibration
from calibration.frame import Frame, Pixel, Rect
from calibration.locate import BoardNotFoundError
from games import find_game
from games.core import (
    BoardsightError,
    Drag,
    Game,
    Gesture,
    Options,
    Outcome,
    Press,
    SettingsError,
    UnreadableError,
)
from solvers import DEFAULTS, find_solver
from solvers.core import Decision, Solver

POLL = 0.002
"""Seconds between two looks after a click: shorter than any repaint, long enough to leave the game its processor."""

LATER = 0.05
"""The share of the time waited so far that the next look may come later: slow games are not watched in vain."""

FRESH = 0.05
"""A reading older than this many seconds is taken anew before a click: the board may have moved while we thought."""

STILL = 0.06
"""Two looks this many seconds apart that agree show a board at rest: more than three pictures of a 60 Hz screen."""

AGAIN = 0.25
"""Seconds between two searches of the whole screen: each takes a tenth of a second of the processor."""

TRIES = 2
"""A click without effect is made once more, then the run stops."""

FOREIGN = 2
"""So many moves that the bot did not make are followed (a person's hand, a misplaced button), one more stops it."""

CONTROL = 3.0
"""Half the side of the square round a control's middle that may be clicked, in pointer units."""


Announce = Callable[[Game[Any, Any], int, Any, Decision, Calibration], str]
"""The line a person gets for a move: of the game, the turn's number, the position, the decision, the board."""


class UnresponsiveError(BoardsightError):
    """The game does not react to clicks."""


class BoardLostError(BoardsightError):
    """The board is covered, gone or another one."""


class UnexpectedMoveError(BoardsightError):
    """The board keeps showing moves that were not ours."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a run went.

    cause: "won", "lost", or "asked" (a limit the user set was reached).
    outcome: the game's, if it ended.  moves: confirmed ones.  retries: clicks that had to be made again.
    misreads: looks that no legal move explained after the picture was still.  recalibrations: times the board was
    found anew.  overhead: per turn, milliseconds that were neither the game's repaint nor an asked-for delay.
    """

    cause: str
    message: str
    outcome: Outcome | None = None
    moves: int = 0
    retries: int = 0
    misreads: int = 0
    recalibrations: int = 0
    seconds: float = 0.0
    overhead: tuple[float, ...] = ()


@dataclass(slots=True)
class _Tally:
    moves: int = 0
    retries: int = 0
    misreads: int = 0
    recalibrations: int = 0
    foreign: int = 0
    overhead: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Done:
    """A move made: how, after how many seconds of waiting for the game, and what the board showed then."""

    move: Any
    clicks: list[Click]
    tries: int
    waited: float
    follows: Any


class Loop:
    """Plays one game on one screen; `say` gets a line for a person at each step."""

    def __init__(
        self,
        settings: Settings,
        eye: Eye,
        pointer: GuardedPointer,
        clock: Clock,
        journal: JournalWriter,
        *,
        say: Callable[[str], None],
        announce: Announce,
    ) -> None:
        self._settings = settings
        self._eye = eye
        self._pointer = pointer
        self._clock = clock
        self._journal = journal
        self._say = say
        self._announce = announce
        self._tally = _Tally()
        self._calibration_number = 0
        self._missing = ""
        self._game: Game[Any, Any]
        self._solver: Solver

    def run(self, saved: Calibration | None = None) -> Result:
        """Plays until the game is over or a limit is reached; every stop is kept in the journal.

        Raises the BoardsightError that stopped the run, after keeping it with the last picture.
        """
        started = self._clock.now()
        try:
            cause, message, outcome = self._play(saved)
        except BaseException as problem:
            self._journal.end(type(problem).__name__, str(problem), self._evidence(problem))
            raise
        self._journal.end(cause, message, self._eye.last)
        tally = self._tally
        return Result(
            cause,
            message,
            outcome,
            tally.moves,
            tally.retries,
            tally.misreads,
            tally.recalibrations,
            self._clock.now() - started,
            tuple(tally.overhead),
        )

    def _play(self, saved: Calibration | None) -> tuple[str, str, Outcome | None]:
        self._find(saved)
        look, state = self._first_position()
        if self._settings.dry_run:
            return "asked", self._rehearse(state), None
        while (outcome := state.outcome()) is None:
            if self._settings.max_moves and self._tally.moves >= self._settings.max_moves:
                return "asked", f"stopped after {self._tally.moves} moves, as asked", None
            look, state = self._turn(look, state)
        return _verdict(outcome), outcome.reason, outcome

    def _find(self, saved: Calibration | None) -> None:
        frame = self._eye.find(saved)
        calibration = self._eye.calibration
        self._game = find_game(calibration.game)
        spec, self._solver = repeatable_solver(self._settings.solver or DEFAULTS[self._game.name], self._game.name)
        self._journal.playing(self._game.name, spec)
        self._adopted(frame)
        lattice = calibration.lattice
        self._say(
            f"found {self._game.name}: {lattice.rows}x{lattice.cols} cells, {len(calibration.palette)} colours, "
            f"{'buttons' if calibration.controls else 'no buttons: a cell of the wanted colour is clicked'} "
            f"(confidence {calibration.confidence:.3f})"
        )

    def _adopted(self, frame: Frame) -> None:
        """Keeps the calibration in force and lets the pointer go where it says, and nowhere else."""
        self._calibration_number = self._journal.calibrated(self._eye.calibration, frame)
        places = [self._eye.spot(at) for at in self._eye.calibration.controls.values()]
        controls = [Rect(at.x - CONTROL, at.y - CONTROL, 2 * CONTROL, 2 * CONTROL) for at in places]
        self._pointer.allow([self._eye.board_rect(), *controls])

    def _first_position(self) -> tuple[Look, Any]:
        """The position the board shows once it is still."""
        deadline = self._clock.now() + self._settings.repaint
        previous: Any = None
        problem: UnreadableError | None = None
        while self._clock.now() < deadline:
            look = self._eye.look()
            try:
                state = self._game.read(look.observation)
            except UnreadableError as unreadable:
                previous, problem = None, unreadable
            else:
                if state == previous:
                    self._eye.remember(look)
                    return look, state
                previous = state
            self._pause(STILL)
        raise problem or UnreadableError(f"the board did not come to rest in {self._settings.repaint:g} s")

    def _rehearse(self, state: Any) -> str:
        """Says the game as it would be played if every click did what the rules say; clicks nothing."""
        number = 0
        while state.outcome() is None and not 0 < self._settings.max_moves <= number:
            number += 1
            decision = self._solver.decide(state, self._settings.search_limit)
            move, gestures = self._possible(state, decision)
            at = ", ".join(f"({x:.0f}, {y:.0f})" for x, y in (self._eye.spot(self._place(g, 0)) for g in gestures))
            self._say(f"{self._announce(self._game, number, state, decision, self._eye.calibration)}  at {at}")
            state = state.play(move)
        ended = state.outcome()
        return f"a dry run of {number} moves, nothing was clicked" + (f"; {ended.reason}" if ended else "")

    def _turn(self, look: Look, state: Any) -> tuple[Look, Any]:
        """Decides and plays one move; gives the look and the position that follow."""
        started = self._clock.now()
        decision = self._solver.decide(state, self._settings.search_limit)
        thought = self._clock.now() - started
        self._say(self._announce(self._game, self._tally.moves + 1, state, decision, self._eye.calibration))
        if self._settings.suggest:
            after, follows = self._wait_for_person(state)
            done = _Done(decision.move, [], 0, 0.0, follows)
        else:
            after, done = self._make(look, state, decision)
        self._tally.moves += 1
        own = self._clock.now() - started - done.waited
        self._tally.overhead.append(own * 1e3)
        stages = {"grab": look.grab, "read": look.read, "decide": thought * 1e3}
        stages |= {"wait": done.waited * 1e3, "own": own * 1e3}
        self._keep(look, state, decision, done, stages)
        if not self._settings.suggest and done.follows != state.play(done.move):
            self._follow_foreign_move()
        return after, done.follows

    def _make(self, look: Look, state: Any, decision: Decision) -> tuple[Look, _Done]:
        """Makes the decided move with the pointer until the board shows it; raises UnresponsiveError."""
        move, gestures = self._possible(state, decision)
        expected = state.play(move)
        waited = 0.0
        for attempt in range(TRIES):
            self._pause(self._settings.delay)
            waited += self._settings.delay
            if attempt or self._clock.now() - look.done > FRESH:
                look = self._same_position(state)
            self._pointer.announce(len(gestures))
            clicks = [self._act(gesture, attempt) for gesture in gestures]
            after, follows, repaint = self._confirm(state, expected)
            waited += repaint
            if follows != state:
                return after, _Done(move, clicks, attempt + 1, waited, follows)
            self._tally.retries += 1
            self._journal.note("the click had no effect", attempt=attempt + 1, at=list(clicks[0].spot))
        raise UnresponsiveError(
            f"{TRIES} clicks at {clicks[0].target} showed no effect in {self._settings.patience:g} s each: "
            "is the game paused, over, or waiting for something else?"
        )

    def _follow_foreign_move(self) -> None:
        self._tally.foreign += 1
        self._say("the board shows another move than ours; going on from there")
        if self._tally.foreign > FOREIGN:
            raise UnexpectedMoveError(
                f"{self._tally.foreign} times the board showed a move that was not ours: "
                "does somebody else play, or are two colours mixed up?  See the run's report"
            )

    def _possible(self, state: Any, decision: Decision) -> tuple[Any, Sequence[Gesture]]:
        """The best candidate the screen offers a way to make: a colour may have neither a button nor a cell."""
        problem: SettingsError | None = None
        for move in dict.fromkeys([decision.move, *(candidate.move for candidate in decision.candidates)]):
            gestures = self._game.gestures(state, move)
            try:
                for gesture in gestures:
                    self._place(gesture, 0)
            except SettingsError as missing:
                problem = problem or missing
            else:
                return move, gestures
        assert problem is not None
        raise problem

    def _place(self, gesture: Gesture, attempt: int) -> Pixel:
        """Where a gesture begins; a later attempt takes another of the places that do the same."""
        if isinstance(gesture, Press):
            return Pixel(-1, -1)
        calibration = self._eye.calibration
        if isinstance(gesture, Drag):
            return calibration.find(gesture.start)
        if gesture.target in calibration.controls or not gesture.alternatives:
            return calibration.find(gesture.target)
        return calibration.find(gesture.alternatives[attempt % len(gesture.alternatives)])

    def _act(self, gesture: Gesture, attempt: int) -> Click:
        place = self._place(gesture, attempt)
        spot = self._eye.spot(place)
        if isinstance(gesture, Press):
            self._pointer.press(gesture.key)
            return Click(f"key {gesture.key}", place, spot)
        if isinstance(gesture, Drag):
            self._pointer.drag(spot, self._eye.spot(self._eye.calibration.find(gesture.end)))
            return Click(f"{gesture.start} to {gesture.end}", place, spot)
        self._pointer.tap(spot)
        return Click(str(gesture.target), place, spot)

    def _same_position(self, state: Any) -> Look:
        """A fresh look that shows `state` still; raises BoardLostError where it does not."""
        deadline = self._clock.now() + self._settings.lost
        while True:
            look = self._eye.look()
            if self._explain(look, state) == state:
                return look
            if self._clock.now() > deadline:
                raise BoardLostError(f"the board no longer shows the position decided on: {self._lost_because(look)}")
            self._recover()

    def _confirm(self, before: Any, expected: Any) -> tuple[Look, Any, float]:
        """What the board shows after a click: `expected`, another successor of `before`, or `before` itself.

        Also gives the seconds until the picture first showed it.  Raises BoardLostError.
        """
        clicked = self._clock.now()
        calm, resting = clicked, None
        while True:
            look = self._eye.look()
            now = self._clock.now()
            seen = self._explain(look, before)
            if seen is not None and seen == expected and self._eye.settled(look):
                self._pointer.confirmed()
                self._eye.remember(look)
                return look, seen, look.frame.taken - clicked
            if seen != resting:
                resting, calm = seen, now
            if seen is not None and seen not in (before, expected) and now - calm > STILL:
                self._pointer.confirmed()
                return look, seen, look.frame.taken - clicked
            if seen is not None and seen == expected and now - calm > STILL:
                self._pointer.confirmed()  # a fade that rests below its usual purity: a highlight, say
                return look, seen, look.frame.taken - clicked
            if seen is not None and seen == before and now - calm > self._settings.patience:
                self._pointer.confirmed()
                return look, before, now - clicked
            if seen is None and now - calm > self._settings.patience:
                if expected.outcome() is not None and self._mostly(look, expected):
                    self._journal.note("the last move shows only in part: something covers the finished board")
                    return look, expected, look.frame.taken - clicked
                if now - clicked > self._settings.repaint + self._settings.lost:
                    self._tally.misreads += 1
                    raise BoardLostError(f"the board shows no position after the click: {self._lost_because(look)}")
                if self._recover():
                    calm = self._clock.now()
            self._pause(max(POLL, LATER * (now - clicked)))

    def _explain(self, look: Look, before: Any) -> Any:
        """The position `look` shows, `before` or one move after it; None where it is neither."""
        try:
            return self._game.read(look.observation, before)
        except UnreadableError:
            return None

    def _mostly(self, look: Look, expected: Any) -> bool:
        """Whether at least half of the cells are seen, and all of these as `expected`."""
        wanted = self._game.show(expected).grid
        seen = look.observation.grid >= 0
        return bool(seen.mean() >= 0.5 and (look.observation.grid[seen] == wanted[seen]).all())

    def _recover(self) -> bool:
        """Looks for the board on the whole screen; whether it was found at another place."""
        try:
            frame, calibration = self._eye.find_again()
        except (BoardNotFoundError, OtherBoardError) as problem:
            self._missing = str(problem)
            self._pause(AGAIN)
            return False
        old = self._eye.calibration.lattice
        across = calibration.lattice.origin.x - old.origin.x
        down = calibration.lattice.origin.y - old.origin.y
        grown = calibration.lattice.pitch[0] / old.pitch[0]
        if abs(across) < 1 and abs(down) < 1 and abs(grown - 1) < 0.005:
            self._pause(AGAIN)  # it is where it was: covered or in motion
            return False
        self._missing = ""
        self._eye.adopt(calibration, frame)
        self._adopted(frame)
        self._tally.recalibrations += 1
        words = f"the board moved by {across:+.0f}, {down:+.0f} pixels" + (
            f" and grew {grown:.2f} times" if abs(grown - 1) >= 0.005 else ""
        )
        self._say(words)
        self._journal.note(words)
        return True

    def _wait_for_person(self, state: Any) -> tuple[Look, Any]:
        """The next position a person brings about, once it is still."""
        previous, since = state, self._clock.now()
        while True:
            look = self._eye.look()
            seen = self._explain(look, state)
            now = self._clock.now()
            if seen != previous:
                previous, since = seen, now
            elif seen is not None and seen != state and now - since > STILL:
                return look, seen
            elif seen is None and now - since > self._settings.patience:
                self._recover()
            self._pause(STILL / 3)

    def _pause(self, seconds: float) -> None:
        """Waits, unless a stop was asked for, which raises StoppedError."""
        self._pointer.check()
        self._clock.sleep(seconds)
        self._pointer.check()

    def _lost_because(self, look: Look) -> str:
        if self._missing:
            return self._missing
        unread = look.observation.unread()
        if unread:
            return f"{len(unread)} of {look.observation.grid.size} cells cannot be read; something may cover them"
        return "no legal move explains what it shows; was a new game started?"

    def _evidence(self, problem: BaseException) -> Frame | None:
        """The picture of a stop: the annotated one where no board was found, else the whole screen as it is now."""
        last = self._eye.last
        if isinstance(problem, BoardNotFoundError) and last is not None:
            return Frame(problem.picture, last.region, last.taken)
        try:
            return self._eye.screen.grab()
        except ScreenError:
            return last

    def _keep(self, look: Look, state: Any, decision: Decision, done: _Done, stages: dict[str, float]) -> None:
        number, calibration = self._tally.moves, self._calibration_number
        picture = f"turn-{number:03}.png"
        if self._settings.suggest:
            outcome = "suggested"
        else:
            outcome = "confirmed" if done.follows == state.play(done.move) else "other move"
        self._journal.turn(
            picture,
            look.frame,
            lambda: Turn(
                number=number,
                calibration=calibration,
                picture=picture,
                offset=look.offset,
                region=look.frame.region,
                state=self._game.format(state),
                options=describe_options(self._game.options(state)),
                grid=look.observation.grid.tolist(),
                confidence=[[round(float(c), 3) for c in row] for row in look.observation.confidence],
                played=self._game.format_move(done.move, state),
                decision=describe(self._game, state, decision),
                clicks=done.clicks,
                tries=done.tries,
                after=self._game.format(done.follows),
                outcome=outcome,
                milliseconds={stage: round(spent, 3) for stage, spent in stages.items()},
            ),
        )


def _verdict(outcome: Outcome) -> str:
    """How a game of one player ended."""
    return "lost" if outcome.winner is None else "won"


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
