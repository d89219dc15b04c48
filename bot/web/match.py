"""One game on a page: its positions, who plays, where one looks, what was thought of each position."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bot.protocol.answer import describe
from bot.protocol.values import options_from, values_of
from bot.web.chances import chance
from bot.web.marks import ANY_GAME, changed, drawing_of
from bot.web.messages import PERSON, BoardMessage, InitRequest, LineStep, OtherMove, Seating, Thought, Value
from bot.web.pages import taps_of
from bot.web.trainings import PLAYER
from games import find_game
from games.core import Game, Options, PositionError, SettingsError
from solvers import find_solver
from solvers.levels import STRONGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from solvers.core import Decision, Solver

LONGEST_LINE = 12
"""Moves of an expected line that are shown on the board."""

FEW = 12
"""So many moves without a score are looked at one by one: all of Connect Four and the flooding games."""

KEPT = 64
"""Positions that are kept as they were drawn: some 10 KB each."""

DESCRIBED = 400
"""Candidates that are sent: more than any board but Blokus in mid-game has."""


WIDEST, WIDEST_WITH_WALLS, MOST_WALLS = 64, 11, 20
"""Sides of a board that a table shows, and of one with walls, and the walls of each player.

On 19x19 cells with 99 walls each, the legal moves of one position took 0.3 s to find.
"""

CHOSEN: dict[str, range | tuple[float, float] | tuple[str, ...]] = {
    "seed": range(-1, 2**32),
    "depth": range(100),
    "exploration": (0.0, 100.0),
    "temperature": (0.0, 100.0),
    "noise": (0.0, 1.0),
    "guess": (0.0, 1.0),
    "prefer": ("cells", "finish"),
}
"""What a page may choose of a solver, and the values; ``model``, too, is chosen from the names there are.

All else is this machine's: memory (``megabytes``, ``memory_mb``, ``width``), files (``cache``, a model's path), time
beyond that of the move (``seconds``, ``proof``).
"""


LEVEL = "level"
"""The solver that plays at a level: ``level:1`` to the strongest."""


def check_solver(spec: str) -> None:
    """Raises SettingsError for a solver with options that are not for a page to choose."""
    if spec.startswith(PLAYER):  # one that the server named
        return
    name, _, options = spec.partition(":")
    if name == LEVEL and _is_among(options, range(1, STRONGEST + 1)):
        return
    for part in filter(None, options.split(",")):
        key, _, value = part.partition("=")
        if key == "model":
            from solvers.learned.store import model_names

            known = value in model_names()
        else:
            known = _is_among(value, CHOSEN.get(key, ()))
        if not known:
            raise SettingsError(
                f"option {part!r} of solver {name!r} is not for a page to choose: choose model by its name, or "
                f"{', '.join(CHOSEN)} within their bounds; others are given to boardsight solve and boardsight play"
            )


def _is_among(text: str, values: range | tuple[float, float] | tuple[str, ...]) -> bool:
    if isinstance(values, range):
        return text.removeprefix("-").isdecimal() and len(text) < 12 and int(text) in values
    if not values or isinstance(values[0], str):
        return text in values
    try:
        number = float(text)
    except ValueError:
        return False
    return math.isfinite(number) and values[0] <= number <= values[1]


def check_size(options: Options) -> None:
    """Raises SettingsError for a board that is too large for a table."""
    widest = WIDEST_WITH_WALLS if options.walls else WIDEST
    side, walls = max(options.rows or 0, options.cols or 0), options.walls or 0
    if side > widest or walls > MOST_WALLS:
        raise SettingsError(
            f"a board of {options.rows}x{options.cols} with {walls} walls each is too large for a table: it shows up "
            f"to {WIDEST} cells a side, {WIDEST_WITH_WALLS} where there are walls, and {MOST_WALLS} walls each"
        )


class OutOfTurnError(SettingsError):
    """The move belongs to another position, or to another player: look at the last UPDATE."""


@dataclass
class Match:
    """One game.  states: its positions, the first one included.  at: the ply that is looked at.

    table: who plays and what the page is told; a seat for each player.  find: gives the solver of a name and a game.
    number: the page's own.
    """

    game: Game[Any, Any]
    options: Options
    states: list[Any]
    table: Seating
    moves: list[str] = field(default_factory=list)
    at: int = 0
    thoughts: dict[int, Thought] = field(default_factory=dict)
    find: Callable[[str, str], Solver] = find_solver
    number: int = 0
    _boards: dict[int, tuple[Any, BoardMessage]] = field(default_factory=dict)

    @classmethod
    def begin(
        cls,
        asked: InitRequest,
        rng: np.random.Generator,
        left: threading.Event,
        find: Callable[[str, str], Solver] = find_solver,
    ) -> Self:
        """The game that `asked` describes, with its moves played; raises the errors of the game.

        left: is set when nobody waits for it any more, which ends it.  find: as of the match.
        """
        game = find_game(asked.game)
        options = options_from(dict(asked.options))
        usual = game.options(game.deal(np.random.default_rng(0)))
        check_size(replace(options, walls=usual.walls if options.walls is None else options.walls))
        seed = np.random.default_rng(asked.seed) if asked.seed is not None else rng
        state = game.deal(seed, options) if asked.start is None else game.parse(asked.start, options)
        check_size(game.options(state))
        match = cls(game, game.options(state), [state], Seating(), find=find, number=asked.match)
        match.seat(asked)
        for number, move in enumerate(asked.moves, 1):
            if left.is_set():
                raise SettingsError("the page that asked for this game has gone")
            try:
                match.play(*match.after(move))
            except SettingsError as error:
                raise PositionError(f"move {number} of the game, {move!r}: {error}") from error
        match.look(len(match.moves) if asked.at is None else min(asked.at, len(match.moves)))
        return match

    @property
    def state(self) -> Any:
        """The position that is looked at."""
        return self.states[self.at]

    @property
    def is_last(self) -> bool:
        """Whether that is the last one."""
        return self.at == len(self.moves)

    @property
    def mover(self) -> str:
        """Who is to move there: "person" or a solver."""
        seat: int = self.state.player
        return self.table.seats[seat]

    @property
    def thinker(self) -> str:
        """The solver that thinks about it: who is to move, else who looks over a person's shoulder; "" for nobody."""
        if self.mover != PERSON and self.is_last:
            return self.mover
        return self.table.analyst if self.table.analysis else ""

    @property
    def waits(self) -> bool:
        """Whether a solver is to move that waits to be told to: nobody plays but solvers, and step by step."""
        return self.table.pace is None and PERSON not in self.table.seats and self.is_last

    def answers(self, known: Thought, spec: str) -> bool:
        """Whether a decision that is known is one that `spec` would be asked for again, with as many lines."""
        lines = sum("line" in each for each in known.answer["candidates"])
        wanted = min(self.table.lines, len(known.answer["candidates"]))
        return known.solver == spec and (self.table.lines == 1 or lines >= wanted)

    def seat(self, asked: Seating) -> None:
        """Change who plays; seats that are not named are a person's.  Raises SettingsError for unknown solvers."""
        players = max(self.options.players or self.game.players, 1)
        taken = [*asked.seats[:players], *[PERSON] * (players - len(asked.seats))]
        for spec in {*taken, asked.analyst} - {PERSON, ""}:
            check_solver(spec)
            self.find(spec, self.game.name)
        self.table = Seating(**{name: getattr(asked, name) for name in Seating.model_fields} | {"seats": taken})

    def after(self, text: str) -> tuple[str, Any]:
        """A move in the position looked at, as its game writes it, and what it leads to; raises the game's errors."""
        move = self.game.parse_move(text, self.state)
        return self.game.format_move(move, self.state), self.state.play(move)

    def play(self, move: str, after: Any) -> None:
        """Play a move of which `after` told the position it leads to; the moves that followed are dropped."""
        self._drop(self.at)
        self.states.append(after)
        self.moves.append(move)
        self.at += 1

    def check_turn(self, text: str, ply: int) -> None:
        """Whether a person may play a move now; raises OutOfTurnError.

        In an earlier position than the last a person may play for anybody: that begins another variation.
        """
        if ply != self.at:
            raise OutOfTurnError(f"the move {text!r} is for the position after {ply} moves; {self.at} is shown")
        if self.mover != PERSON and self.is_last and self.state.outcome() is None:
            raise OutOfTurnError(f"player {self.state.player + 1} is {self.mover}: wait for its move")

    def look(self, ply: int) -> None:
        """Show the position after `ply` moves; raises SettingsError where the game has fewer."""
        if ply not in range(len(self.states)):
            raise SettingsError(f"the game has {len(self.moves)} moves, so there is no position after {ply}")
        self.at = ply

    def undo(self) -> None:
        """Take back the last move, and on to the last position in which a person was to move."""
        if not self.moves:
            raise SettingsError("no move has been made: there is nothing to take back")
        plies = [ply for ply in range(len(self.moves)) if self.table.seats[self.states[ply].player] == PERSON]
        self._drop(plies[-1] if plies else len(self.moves) - 1)
        self.at = len(self.moves)

    def _drop(self, ply: int) -> None:
        del self.states[ply + 1 :]
        del self.moves[ply:]
        self.thoughts = {at: thought for at, thought in self.thoughts.items() if at <= ply}
        self._boards = {at: drawn for at, drawn in list(self._boards.items()) if at <= ply}

    @property
    def is_drawn(self) -> bool:
        """Whether the position looked at is drawn already."""
        return self._boards.get(self.at, (None, None))[0] is self.state

    def board(self) -> BoardMessage:
        """What is looked at, as the page draws it; a position is drawn once, however often it is looked at."""
        at, moves = self.at, list(self.moves)
        state = self.states[at]
        known, drawn = self._boards.get(at, (None, None))
        if drawn is None or known is not state:
            drawn = self._draw(at)
            if len(self._boards) >= KEPT:
                self._boards.pop(next(iter(self._boards)), None)
            self._boards[at] = state, drawn
        return drawn.model_copy(update={"moves": moves, **self.table.model_dump()})

    def _draw(self, at: int) -> BoardMessage:
        state = self.states[at]
        observation = self.game.show(state)
        outcome, legal = state.outcome(), state.legal_moves()
        pressed = legal if drawing_of(self.game.name) == ANY_GAME else ()
        return BoardMessage(
            match=self.number,
            ply=at,
            player=state.player,
            text=self.game.format(state),
            start=self.game.format(self.states[0]),
            moves=list(self.moves),
            grid=observation.grid.tolist(),
            numbers=dict(observation.numbers),
            legal=[self.game.format_move(move, state) for move in legal],
            taps=[taps_of(self.game.gestures(state, move)) for move in pressed],
            marks=self.game.marks(state),
            last=self._changed(self.states[at - 1], state) if at else [],
            **self.table.model_dump(),
            options=values_of(self.options),
            over=None if outcome is None else outcome.reason,
        )

    def values(self) -> list[Value]:
        """What was thought of each position of the game."""
        return [self._value(ply) for ply in range(len(self.states))]

    def thought(self, at: int, state: Any, decision: Decision, *, solver: str, done: bool) -> Thought:
        """The decision about `state`, the position after `at` moves, and its line as steps on the board."""
        shown = replace(decision, candidates=decision.candidates[:DESCRIBED])
        answer = describe(self.game, state, shown)
        line = self._steps(state, decision.line)
        hope = None if len(self.table.seats) != 2 else self._first(state, chance(decision))
        named = Thought(solver=solver, ply=at, done=done, answer=answer, line=line)
        return named.model_copy(update={"depth": decision.depth, "chance": hope})

    def step(self, state: Any, move: Any) -> LineStep:
        """A move in `state` as the page shows it."""
        return self._steps(state, [move])[0]

    def unscored(self, decision: Decision) -> list[tuple[Any, Any]]:
        """The moves a decision tells no score of, each with the position after it; none where they are too many.

        Moves that end the game are left out: no solver says what they are worth.
        """
        scored = {candidate.move for candidate in decision.candidates if candidate.score is not None}
        moves = [move for move in self.state.legal_moves() if move not in scored]
        if decision.score is None or len(moves) > FEW:
            return []
        after = [(move, self.state.play(move)) for move in moves]
        return [(move, state) for move, state in after if state.outcome() is None]

    def other(self, move: Any, after: Any, decision: Decision) -> OtherMove | None:
        """What a decision about the position `after` says of `move`, as a score of the position looked at."""
        if decision.score is None:
            return None
        if self.game.players == 1:  # counts the moves to the end
            score = decision.score + 1
        else:
            score = decision.score if after.player == self.state.player else -decision.score
        return OtherMove(move=self.game.format_move(move, self.state), score=score, proven=decision.proven)

    def _steps(self, state: Any, line: Sequence[Any]) -> list[LineStep]:
        steps = []
        for move in line[:LONGEST_LINE]:
            if state.outcome() is not None:
                break
            after = state.play(move)
            cells = self._changed(state, after)
            steps.append(LineStep(move=self.game.format_move(move, state), player=state.player, cells=cells))
            state = after
        return steps

    def _changed(self, before: Any, after: Any) -> list[tuple[int, int]]:
        """The cells a move won, where the game has territories; else those that show something new."""
        return changed(*(self._looks(state) for state in (before, after)))

    def _looks(self, state: Any) -> list[list[int]]:
        owner = self.game.marks(state).get("owner")
        looks: list[list[int]] = self.game.show(state).grid.tolist() if owner is None else owner
        return looks

    def _value(self, ply: int) -> Value:
        outcome = self.states[ply].outcome() if ply == len(self.states) - 1 else None
        if outcome is not None and len(outcome.scores) == 2:
            won = None if outcome.winner is None else float(outcome.winner == 0)
            return outcome.scores[0] - outcome.scores[1], True, 0.5 if won is None else won
        if outcome is not None:
            return (0.0, True, None) if outcome.winner == 0 and len(outcome.scores) == 1 else None
        thought = self.thoughts.get(ply)
        score = None if thought is None else thought.answer["score"]
        if thought is None or score is None:
            return None
        return (-score if self.states[ply].player else score), thought.answer["proven"], thought.chance

    @staticmethod
    def _first(state: Any, hope: float | None) -> float | None:
        """The first player's chance, of that of the side to move in `state`."""
        return hope if hope is None or state.player == 0 else 1 - hope
