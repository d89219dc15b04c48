"""See, think, act, and look again: the loop that plays a game on a screen.

A click is only a hypothesis.  Each one is made on a picture that was just read, and the next one waits until the board
shows what the rules say the last one should have done.  Whose turn it is comes from the board and the rules as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from bot.play.answers import Answers
from bot.play.belief import Belief, UnresponsiveError
from bot.play.changes import movers
from bot.play.executor import Executor
from bot.play.kept import lacks_kinds
from bot.play.limits import Repeats
from bot.play.monitor import AGAIN, Monitor
from bot.play.motion import mean_colours, still
from bot.play.move_maker import Done, MoveMaker
from bot.play.observer import Observer, Reading, downsample
from bot.play.preparing import Preparation, repeatable_solver
from bot.play.recognition import Recognised, alike
from bot.play.result import RunCounts, RunResult
from bot.play.scrolling import FIND, find_in_view
from bot.play.seen import BoardLostError, GameOverError, ObservedChange, OvertakenError
from bot.play.waiting import Patience
from bot.pointers.guard import GuardedPointer
from bot.ports import Clock, ReloadableScreen, ScreenError
from bot.protocol.answer import describe
from bot.protocol.values import values_of
from bot.runs.journal import Answer, JournalWriter, Turn
from bot.settings import RELOAD, Settings, parse_controls, parse_place
from calibration.answer import size
from calibration.board import Calibration
from calibration.dialog import REMEDY
from calibration.frame import Frame, Spot
from calibration.locate import BoardNotFoundError
from games import find_game
from games.core import BoardsightError, Game, Outcome, Press, SettingsError, UnreadableError
from solvers import LIGHT, find_solver
from solvers.core import Decision, Solver

IN_MOTION = 3
"""Times a board that was found in motion is looked for again; one that moves longer blinks or pulses for good."""

EDGE = 2.0
"""Pointer units from the screen's edge at which the pointer waits while no board is found."""

STIRRING = 1.5
"""Seconds for which other parts of the screen may move before the first board is chosen: it may come there yet."""

FOREIGN = 2
"""So many moves that the bot did not make are followed (a person's hand, a misplaced button), one more stops it."""

HIDDEN = (BoardLostError, UnreadableError, UnresponsiveError, SettingsError)
"""What stops a run on a board that something lies over."""

SOON = 0.25
"""Seconds for which the other side is waited for at least where it may begin, however long ago the board was found."""

UNSEEN = "; the last board was not shown"
"""What is said of an end that the rules alone tell: the page took the board away, or dealt another."""

MENU = "where the page shows a menu first, --before 'click text=Start' gets past it"
"""What is said of a page on which no board is found."""

Announce = Callable[[Game[Any, Any], int, Any, Decision, Calibration], str]
"""The line a person gets for a move: of the game, the turn's number, the position, the decision, the board."""


class UnexpectedMoveError(BoardsightError):
    """The board keeps showing moves that were not ours."""


class Loop:
    """Plays one game on one screen; `say` gets a line for a person at each step.

    waits: gets a line every few seconds that it waits; `say` by default.
    ask: puts a question to a person and gives the answer, where there is somebody to ask.
    preparation: compiles a solver that is not ready, while a light one plays; without it the solver is waited for.
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
        waits: Callable[[str], None] | None = None,
        ask: Callable[[str], str] | None = None,
        preparation: Preparation | None = None,
    ) -> None:
        self._preparation = preparation
        self._settings, self._clock, self._journal = settings, clock, journal
        self._observer, self._pointer = observer, pointer
        self._say, self._announce, self._ask = say, announce, ask
        self._waits = waits or say
        self._tally = RunCounts()
        self._foreign = 0
        self._repeats = Repeats()
        self._shown = True
        self._lightly = False  # whether the light solver decided
        self._calibration_number = 0
        self._since: float | None = None
        self._foreseen: tuple[Any, Decision] | None = None
        self.last: Any = None
        self._game: Game[Any, Any]
        self._solver: Solver
        self._belief: Belief
        self._executor: Executor
        self._monitor: Monitor
        self._maker: MoveMaker
        self._answers: Answers

    def run(self, saved: Calibration | None = None, *, after: Any = None, known: Recognised | None = None) -> RunResult:
        """Plays until the game is over or a limit is reached; every stop is kept in the journal.

        saved: a calibration that may still hold.  after: the position that ended the game before, which is waited for
        to go.  known: what the game on the board was recognised as while another one was thought to be played.
        Raises the BoardsightError that stopped the run, after keeping it with the last picture.
        """
        started = self._clock.now()
        try:
            cause, message, outcome = self._play(saved, after, known)
        except BaseException as problem:
            evidence = self._evidence(problem)
            if isinstance(problem, HIDDEN) and evidence and self._observer.is_behind_dialog(evidence):
                problem.args = (f"{problem}; {REMEDY}",)
            menu = isinstance(problem, BoardNotFoundError) and self._settings.url and not self._settings.before
            if menu and "--before" not in str(problem):
                problem.args = (f"{problem}; {MENU}",)
            self._journal.end(type(problem).__name__, str(problem), evidence)
            raise
        self._journal.end(cause, message, self._observer.last)
        counts = {**asdict(self._tally), "overhead": tuple(self._tally.overhead)}
        seat, seconds = self._belief.world.seat or 0, self._clock.now() - started
        counts |= {"retries": self._maker.retries, "misreads": self._monitor.misreads}
        return RunResult(cause, message, outcome, seat, seconds=seconds, **counts)

    def _play(self, saved: Calibration | None, after: Any, known: Recognised | None) -> tuple[str, str, Outcome | None]:
        """Finds the board, takes a seat, makes moves and waits for others in turn, and tells how it ended."""
        frame = self._find(saved)
        if known is None:
            reading, positions = self._monitor.first(unlike=after)
            if saved is None and lacks_kinds(self._observer.calibration, reading.observation.grid):
                frame = self._find(None)  # it had been found while a move was being shown
                reading, positions = self._monitor.first(unlike=after)
            since = frame.taken if self._shows(frame, reading) else reading.frame.taken
            reading = self._take_seat(reading, positions, since)
        else:
            self._belief.settle(known)
            try:
                reading = self._monitor.same(known.position)
                self._belief.understood(reading.observation, None)
            except OvertakenError as moved:
                reading = self._took(moved.seen)
        if self._settings.dry_run:
            return "asked", self._rehearse(self._belief.position), None
        while (outcome := self._outcome()) is None:
            if self._settings.max_moves and self._tally.moves >= self._settings.max_moves:
                return "asked", f"stopped after {self._tally.moves} moves, as asked", None
            reading = self._go_on(reading)
        self.last = self._belief.position
        return self._verdict(outcome), outcome.reason + ("" if self._shown else UNSEEN), outcome

    def _outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, as it may by the rules of some pages while the board is seen."""
        outcome: Outcome | None = self._belief.position.outcome()
        if outcome is None or not self._shown or not self._belief.reopens():
            return outcome
        self._say(f"{outcome.reason}; pages may go on: looking whether this one does")
        return None

    @property
    def habits(self) -> Mapping[str, int]:
        """What was proven of the page's positions that no picture tells."""
        return self._game.habits(self._belief.position) if self._belief.proven else {}

    def begin_another(self) -> None:
        """Begins another game after `run` has ended one, as the settings or the calibration's control "new" say.

        A page is loaded again where neither says how.  Raises BoardLostError where a place cannot be pressed.
        """
        wish, screen = self._settings.new_game, self._observer.screen
        if not wish and "new" not in self._observer.calibration.controls:
            wish = RELOAD
        place = parse_place(wish)
        if place is not None:
            self._maker.add_control("new", place)
        if wish == RELOAD and isinstance(screen, ReloadableScreen):
            screen.reload()
        elif place is not None or not wish:
            self._maker.press_new()
        elif wish != "wait":
            self._executor.act(Press(wish))
        self._pointer.confirmed()

    def _find(self, saved: Calibration | None) -> Frame:
        """Finds the board, and takes what the settings tell of it, the game's solver and what looks and clicks.

        Gives the picture on which it was found.
        """
        patience = Patience(self._clock, lambda seconds: self._waits(f"     looking for a board: {seconds:.0f} s"))
        find = partial(find_in_view, partial(self._sight, saved, patience), self._observer)
        frame, settings = find(), self._settings
        game = find_game(self._observer.calibration.game)
        if Executor(game, self._observer, self._pointer, self._clock).leave_board():
            frame = find()  # what follows the pointer looks like a move
        calibration = self._observer.calibration
        controls = {**calibration.controls, **parse_controls(settings.controls)}
        self._observer.amend(replace(calibration, controls=controls, how=settings.how or calibration.how))
        self._game = find_game(calibration.game)
        self._choose_solver(settings.solver or self._game.solver)
        self._executor = Executor(self._game, self._observer, self._pointer, self._clock)
        self._belief = Belief(settings, self._game, calibration.others)
        self._monitor = Monitor(
            *(self._executor, self._belief, settings, self._journal), adopted=self._found_again, waits=self._waits
        )
        self._maker = MoveMaker(
            *(self._executor, self._monitor, settings, self._journal),
            decide=self._decide,
            say=self._say,
            adopted=self._adopted,
            ask=self._ask,
        )
        self._answers = Answers(self._maker, self._belief, settings, self._journal)
        self._adopted(frame)
        others = [] if settings.game else [each.title for each in alike(self._game)]
        likely = ", or less likely ".join([self._game.title, *others])
        self._say(
            f"found {likely}: {size(calibration)}, {self._executor.described()} "
            f"(confidence {calibration.confidence:.3f})"
        )
        return frame

    def _choose_solver(self, wanted: str) -> str:
        self._wanted = wanted
        self._spec, self._solver = repeatable_solver(wanted, self._game.name)
        self._journal.playing(self._game.name, self._spec)
        return self._spec

    def _foresee(self) -> None:
        """Thinks about the move that is ours if nobody else begins, while they may."""
        mine = [world for world in self._belief.worlds if world.ours]
        if mine and not self._settings.dry_run:
            position = mine[0].positions[0]
            self._foreseen = position, self._decide(position)

    def _decided(self, state: Any) -> Decision:
        """What was thought of beforehand, or else the solver's decision, as if nothing had been."""
        foreseen, self._foreseen = self._foreseen, None
        if foreseen is not None and foreseen[0] == state:
            return foreseen[1]
        if foreseen is not None:
            _, self._solver = repeatable_solver(self._spec, self._game.name)
        return self._decide(state)

    def _decide(self, state: Any) -> Decision:
        """The solver's decision; one that the user did not name, and that refuses the position, is replaced.

        Among moves of the kinds that can be made on this screen, as far as is known.
        """
        state = self._executor.unmade.within(state)
        others = iter(() if self._settings.solver else self._game.fallbacks)
        while True:
            try:
                if self._is_prepared(state):
                    return self._solver.decide(state, self._settings.search_limit)
                return find_solver(LIGHT, self._game.name).decide(state)
            except SettingsError as problem:
                other = next(others, None)
                if other is None:
                    raise
                self._say(f"{problem}; {self._choose_solver(other)} plays")

    def _is_prepared(self, state: Any) -> bool:
        """Whether the solver can decide at once about `state`; what it lacks for that is compiled meanwhile.

        Raises SettingsError where it refuses the position.
        """
        preparation = None if self._settings.dry_run else self._preparation
        self._lightly = preparation is not None and preparation.is_under_way(
            *(self._game, self._wanted, self._solver, state), say=self._say
        )
        return not self._lightly

    def _sight(self, saved: Calibration | None, patience: Patience, tries: int) -> Frame:
        """The picture on which the board was found; one that is in motion may show none, or a fade's colours.

        Of one that stays in motion at its place the best: cells that breathe show colours of their own at times.
        """
        restless: list[tuple[Frame, Calibration]] = []
        for number in range(tries - 1):
            with suppress(BoardNotFoundError):
                frame = self._observer.find(saved)
                if self._at_rest(frame):
                    return frame if saved is not None or self._stood_still(frame) else self._observer.find()
                restless.append((frame, self._observer.calibration))
                if len(restless) > IN_MOTION:
                    frame, game = self._observer.adopt_best(restless), find_game(self._observer.calibration.game)
                    Executor(game, self._observer, self._pointer, self._clock).watch()
                    return frame
            if not (number or restless):
                self._step_aside()
            patience.still()
            self._clock.sleep(AGAIN)
        return self._observer.find(saved, hoped=tries == FIND)

    def _step_aside(self) -> None:
        """Takes the pointer to the edge of the screen: a board may look otherwise under it, by a whole column."""
        if (seen := self._observer.last) is not None:
            x, y, _, height = seen.region
            self._pointer.move(Spot(x + EDGE, y + height / 2))

    def _at_rest(self, frame: Frame) -> bool:
        """Whether the board looks as in `frame`, on which it was found: finding takes longer than a fade's step."""
        return self._shows(frame, self._observer.read())

    def _stood_still(self, frame: Frame) -> bool:
        """Whether the whole screen looks as in `frame`; if not, waits until it does not change, `STIRRING` at most."""
        began, grab = self._clock.now(), self._observer.screen.grab
        shown = first = mean_colours(frame.pixels)
        while not still(shown, now := mean_colours(grab().pixels)) and self._clock.now() - began < STIRRING:
            shown = now
            self._clock.sleep(AGAIN)
        return shown is first

    def _shows(self, frame: Frame, now: Reading) -> bool:
        """Whether the board looked in the whole picture `frame` as it does in `now`."""
        return still(downsample(replace(now, frame=frame.crop(now.frame.region))), downsample(now))

    def _adopted(self, frame: Frame) -> None:
        """Keeps the calibration in force and lets the pointer go where it says, and nowhere else."""
        self._calibration_number = self._journal.calibrated(self._observer.calibration, frame)
        self._executor.adopt()

    def _found_again(self, frame: Frame, words: str) -> None:
        """Keeps a calibration that changed, and says so where the board was moved."""
        self._adopted(frame)
        if words:
            self._tally.recalibrations += 1
            self._say(words)

    def _take_seat(self, reading: Reading, positions: tuple[Any, ...], since: float) -> Reading:
        """Waits for a side that may begin, until it is known which seat is ours; gives the latest reading.

        positions: those the board may show, the likeliest first.  since: when it was first seen to.
        Raises GameOverError.
        """
        outcome = positions[0].outcome()
        if outcome is not None:
            raise GameOverError(f"the game on the board is over already ({outcome.reason}): begin another one there")
        self._tell(self._belief.see(positions, players=self._game.options(positions[0]).players or self._game.players))
        if self._belief.world.seat is None:
            self._since = since
            self._foresee()
        while self._belief.world.seat is None:
            reading = self._go_on(reading)
        return reading

    def _go_on(self, reading: Reading) -> Reading:
        """Plays a turn, or waits for another side's; gives the latest reading.

        Where nothing comes of it, what was believed is belied.  Raises UnresponsiveError where nothing else is likely.
        """
        try:
            return self._turn(reading) if self._belief.world.ours else self._wait()
        except OvertakenError as moved:
            return self._took(moved.seen)
        except UnresponsiveError as problem:
            self._say(self._belief.belied(problem))
            return reading

    def _rehearse(self, state: Any) -> str:
        """Says the game as it would be played if every click did what the rules say; clicks nothing."""
        number = 0
        while state.outcome() is None and not 0 < self._settings.max_moves <= number:
            number += 1
            decision = self._decide(state)
            move = self._executor.possible(state, decision)
            how = self._executor.ways(state, move)[0]
            places = self._executor.places(self._executor.gestures(state, move, how), 0)
            at = ", ".join(f"({x:.0f}, {y:.0f})" for x, y in map(self._observer.spot, places))
            self._say(f"{self._announce(self._game, number, state, decision, self._observer.calibration)}  at {at}")
            state = state.play(move)
        ended = state.outcome()
        return f"a dry run of {number} moves, nothing was clicked" + (f"; {ended.reason}" if ended else "")

    def _turn(self, reading: Reading) -> Reading:
        """Decides and plays one move; gives the latest reading.  Raises UnresponsiveError."""
        state, suggest, started = self._belief.position, self._settings.suggest, self._clock.now()
        decision = self._repeats.avoided(state, self._decided(state))
        thought = self._clock.now() - started
        self._say(self._announce(self._game, self._tally.moves + 1, state, decision, self._observer.calibration))
        after, done = self._suggested(decision) if suggest else self._made(reading, state, decision)
        self._tally.moves += 1
        own = self._clock.now() - started - thought - done.waited
        self._tally.overhead.append(own * 1e3)
        stages = {"grab": reading.grab, "read": reading.read, "decide": thought * 1e3}
        stages |= {"wait": done.waited * 1e3, "own": own * 1e3}
        (before, move, _), seat = done.made, self._belief.world.seat
        moves, self._shown = done.change.moves, done.change.shown
        as_made = suggest or moves[:1] == (move,)
        self._keep(reading, decision, done, stages, as_made=as_made)
        if as_made:
            self._repeats.came(before.play(move))
        else:
            self._follow_foreign_move(before, move, moves)
        words = self._belief.showed(
            done.made,
            done.change,
            as_made=as_made,
            answered=suggest or len(moves) > 1,  # a person makes a move whole
            waited=done.waited,
            tries=done.tries,
        )
        self._tell(words)
        if not as_made and self._belief.world.seat != seat:
            self._executor.forget_ways()  # what seemed to make our moves came with another's
        if len(moves) > 1:
            self._keep_answer(before.play(moves[0]), moves[1:])
            if as_made and not suggest:
                self._executor.answered(*done.made)
        return self._heed_obstacles(done.vain, after)

    def _heed_obstacles(self, vain: Sequence[Any], reading: Reading) -> Reading:
        """Takes cells for obstacles whose colour could not be played, though another one could; the reading then."""
        cells = self._belief.without(vain) if vain else frozenset()
        if cells:
            calibration = self._observer.calibration
            self._observer.amend(replace(calibration, blocked=calibration.blocked | cells))
            self._say(f"{len(cells)} cells are obstacles, it seems: no move colours them")
            reading = self._monitor.same(self._belief.position)
        return reading

    def _made(self, reading: Reading, state: Any, decision: Decision) -> tuple[Reading, Done]:
        """The decided move, made with the pointer, or another where a control is not seen any more that it needs.

        Raises UnresponsiveError.
        """
        belief = self._belief
        make = partial(self._maker.make, moves=belief.made, allowed=belief.allowed, doubts=belief.doubts)
        try:
            return make(reading, state, decision)
        except SettingsError:
            return make(self._monitor.same(state), state, decision)

    def _suggested(self, decision: Decision) -> tuple[Reading, Done]:
        """The next position a person brings about, once it is still."""
        seen = self._next_change(frozenset())
        made = (seen.change.moves or (decision.move,))[0]
        return seen.reading, Done((seen.change.before, made, ""), [], 0, 0.0, seen.change)

    def _wait(self) -> Reading:
        """Waits until another side has moved; raises UnresponsiveError."""
        world = self._belief.world
        ours = frozenset() if world.seat is None else frozenset({world.seat})
        self._since = self._since if world.made is None else self._clock.now()
        if self._belief.passed_over:
            seen = self._answers.passed_over(ours)
        else:
            seen = None if world.made is None else self._answers.to(world.made, ours)
        try:
            return self._took(seen or self._next_change(ours))
        except UnresponsiveError:
            if world.made is None or world.seconds < self._settings.answer or self._belief.unsure:
                raise  # a slow side may think yet, or it is our turn: a move tells that, and asks for less than buttons
            if (seen := self._answers.by_buttons(world.made, ours)) is None:
                raise
            return self._took(seen)

    def _took(self, seen: ObservedChange) -> Reading:
        """Takes what another side played; gives the reading that shows it."""
        self._shown = seen.change.shown
        self._tell(self._belief.moved(seen.change, prompted=bool(self._answers.tried)))
        self._answers.tried = []
        self._keep_answer(seen.change.before, seen.change.moves)
        return seen.reading

    def _next_change(self, ours: frozenset[int]) -> ObservedChange:
        """The next move that anybody makes; raises UnresponsiveError where that takes too long."""
        world, since = self._belief.world, self._since
        self._since = None
        seconds = world.seconds if since is None else max(SOON, world.seconds - (self._clock.now() - since))
        seen = self._monitor.change(world.positions, seconds=seconds, ours=ours)
        if seen is None:
            tried = ", ".join(map(repr, self._answers.tried))
            tried = f"; our move was also made by {tried}" if tried else ""
            remedy = (
                "name ours with --seat" if self._settings.own_seat is None else "leave --seat out, or name the other"
            )
            raise UnresponsiveError(
                f"nobody moved for {world.seconds:g} s (--answer){tried}: "
                f"is it really the turn of seat {self._belief.position.player + 1}?  If not, {remedy}"
            )
        return seen

    def _tell(self, words: str) -> None:
        if words:
            self._say(words)

    def _follow_foreign_move(self, before: Any, move: Any, moves: tuple[Any, ...]) -> None:
        stayed = not self._tally.recalibrations  # else it may have been pressed while the board moved
        if stayed and moves and moves[0] in before.legal_moves() and self._executor.landed(before, move, moves[0]):
            self._say("our move was laid one place beside where it should lie; from now on it is pressed accordingly")
            return
        self._foreign += 1
        self._say("the board shows another move than ours; going on from there")
        if self._foreign > FOREIGN:
            raise UnexpectedMoveError(
                f"{self._foreign} times the board showed a move that was not ours: "
                "does somebody else play, or are two colours mixed up?  See the run's report"
            )

    def _verdict(self, outcome: Outcome) -> str:
        """How a game ended, for us."""
        if outcome.winner is None:
            return "lost" if self._game.players == 1 else "drawn"
        return "won" if outcome.winner == self._belief.world.seat else "lost"

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
        self._tally.answers += sum(seat != self._belief.world.seat for seat in seats)
        if not texts:
            return
        self._say(f"     seat {seats[0] + 1} played {' '.join(texts)}")
        answer = Answer(self._tally.moves, list(seats), texts, self._game.format(before), self._game.format(state))
        self._journal.answer(answer)

    def _keep(
        self, reading: Reading, decision: Decision, done: Done, stages: dict[str, float], *, as_made: bool
    ) -> None:
        """Keeps a turn, with the picture it was decided on."""
        number, calibration = self._tally.moves, self._calibration_number
        state, move, _ = done.made
        lightly = {"solver": LIGHT} if self._lightly else {}
        picture, lawful = f"turn-{number:03}.png", as_made and done.change.lawful
        outcome = "suggested" if self._settings.suggest else "confirmed" if lawful else "other move"
        follows = state.play(move) if lawful else done.change.after
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
                options=values_of(self._game.options(state)),
                grid=reading.observation.grid.tolist(),
                confidence=[[round(float(c), 3) for c in row] for row in reading.observation.confidence],
                played=self._game.format_move(move, state),
                decision=describe(self._game, state, decision) | lightly,
                clicks=done.clicks,
                tries=done.tries,
                after=self._game.format(follows),
                outcome=outcome,
                milliseconds={stage: round(spent, 3) for stage, spent in stages.items()},
            ),
        )
