"""One game on a page: its positions, who plays, where one looks, what was thought of each position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bot.protocol.answer import describe
from bot.protocol.values import options_from, values_of
from bot.web.marks import changed, marks_of
from bot.web.messages import PERSON, BoardMessage, InitRequest, LineStep, OtherMove, Thought, Value
from games import find_game
from games.core import Game, Options, PositionError, SettingsError
from solvers import find_solver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solvers.core import Decision

LONGEST_LINE = 12
"""Moves of an expected line that are shown on the board."""

FEW = 12
"""So many moves without a score are looked at one by one: all of Connect Four and the flooding games."""

DESCRIBED = 400
"""Candidates that are sent: more than any board but Blokus in mid-game has."""


class OutOfTurnError(SettingsError):
    """The move belongs to another position, or to another player: look at the last UPDATE."""


@dataclass
class Match:
    """One game.  states: its positions, the first one included.  at: the ply that is looked at."""

    game: Game[Any, Any]
    options: Options
    states: list[Any]
    seats: list[str]
    analyst: str
    seconds: float
    moves: list[str] = field(default_factory=list)
    at: int = 0
    thoughts: dict[int, Thought] = field(default_factory=dict)

    @classmethod
    def begin(cls, asked: InitRequest, rng: np.random.Generator) -> Self:
        """The game that `asked` describes, with its moves played; raises the errors of the game."""
        game = find_game(asked.game)
        options = options_from(dict(asked.options))
        seed = np.random.default_rng(asked.seed) if asked.seed is not None else rng
        state = game.deal(seed, options) if asked.start is None else game.parse(asked.start, options)
        match = cls(game, game.options(state), [state], [], "", asked.seconds)
        match.seat(asked.seats, asked.analyst, asked.seconds)
        for number, move in enumerate(asked.moves, 1):
            try:
                match.play(move)
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
        return self.seats[seat]

    def seat(self, seats: Sequence[str], analyst: str, seconds: float) -> None:
        """Change who plays; seats that are not named are a person's.  Raises SettingsError for unknown solvers."""
        players = max(self.options.players or self.game.players, 1)
        taken = [*seats[:players], *[PERSON] * (players - len(seats))]
        for spec in {*taken, analyst} - {PERSON, ""}:
            find_solver(spec, self.game.name)
        self.seats, self.analyst, self.seconds = taken, analyst, seconds

    def play(self, text: str) -> None:
        """Play a move in the position looked at; the moves that followed are dropped.  Raises the game's errors."""
        state = self.state
        move = self.game.parse_move(text, state)
        self._drop(self.at)
        self.states.append(state.play(move))
        self.moves.append(self.game.format_move(move, state))
        self.at += 1

    def check_turn(self, text: str, ply: int) -> None:
        """Whether a person may play a move; raises OutOfTurnError or the game's errors.

        In an earlier position than the last a person may play for anybody: that begins another variation.
        """
        if ply != self.at:
            raise OutOfTurnError(f"the move {text!r} is for the position after {ply} moves; {self.at} is shown")
        if self.mover != PERSON and self.is_last and self.state.outcome() is None:
            raise OutOfTurnError(f"player {self.state.player + 1} is {self.mover}: wait for its move")
        self.game.parse_move(text, self.state)

    def look(self, ply: int) -> None:
        """Show the position after `ply` moves; raises SettingsError where the game has fewer."""
        if ply not in range(len(self.states)):
            raise SettingsError(f"the game has {len(self.moves)} moves, so there is no position after {ply}")
        self.at = ply

    def undo(self) -> None:
        """Take back the last move, and on to the last position in which a person was to move."""
        if not self.moves:
            raise SettingsError("no move has been made: there is nothing to take back")
        plies = [ply for ply in range(len(self.moves)) if self.seats[self.states[ply].player] == PERSON]
        self._drop(plies[-1] if plies else len(self.moves) - 1)
        self.at = len(self.moves)

    def _drop(self, ply: int) -> None:
        del self.states[ply + 1 :]
        del self.moves[ply:]
        self.thoughts = {at: thought for at, thought in self.thoughts.items() if at <= ply}

    def board(self) -> BoardMessage:
        """What is looked at, as the page draws it."""
        state = self.state
        observation = self.game.show(state)
        outcome = state.outcome()
        return BoardMessage(
            ply=self.at,
            player=state.player,
            text=self.game.format(state),
            start=self.game.format(self.states[0]),
            moves=list(self.moves),
            grid=observation.grid.tolist(),
            numbers=dict(observation.numbers),
            legal=[self.game.format_move(move, state) for move in state.legal_moves()],
            marks=marks_of(self.game.name, state),
            last=self._changed(self.states[self.at - 1], state) if self.at else [],
            seats=list(self.seats),
            analyst=self.analyst,
            seconds=self.seconds,
            options=values_of(self.options),
            over=None if outcome is None else outcome.reason,
        )

    def values(self) -> list[Value]:
        """What was thought of each position of the game."""
        return [self._value(ply) for ply in range(len(self.states))]

    def thought(self, decision: Decision, *, solver: str, done: bool) -> Thought:
        """The decision about the position looked at, and its line as steps on the board."""
        shown = replace(decision, candidates=decision.candidates[:DESCRIBED])
        answer = describe(self.game, self.state, shown)
        return Thought(solver=solver, ply=self.at, done=done, answer=answer, line=self._steps(decision.line))

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

    def _steps(self, line: Sequence[Any]) -> list[LineStep]:
        state, steps = self.state, []
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
        owner = marks_of(self.game.name, state).get("owner")
        looks: list[list[int]] = self.game.show(state).grid.tolist() if owner is None else owner
        return looks

    def _value(self, ply: int) -> Value:
        thought = self.thoughts.get(ply)
        score = None if thought is None else thought.answer["score"]
        if thought is None or score is None:
            return None
        return (-score if self.states[ply].player else score), thought.answer["proven"]
