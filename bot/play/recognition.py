"""Which game it is that a page plays, told by how its board changed: colours may flood for one player or for two."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.play.changes import explain, explain_otherwise, positions
from calibration.board import Calibration
from calibration.looks import look_named
from games import GAMES, find_game
from games.core import BoardsightError, Cell, Game, Observation, Tap, UnreadableError, target_of
from solvers.core import Decision, Limit, Solver

SURELY = 5.0
"""The odds, as a logarithm, from which a deal tells the game: one board of 150 would look so by chance."""

AS_GOOD = 0.2
"""CPU seconds for which it is looked whether another first move is as good: a move that is not heard costs four."""


@dataclass(frozen=True, slots=True)
class SeenStep:
    """What a board showed, after we made the move `made`; None where we made none."""

    observation: Observation
    made: Any = None


@dataclass(frozen=True, slots=True)
class Recognised:
    """A game that explains all steps: its position now, and our seat.

    begun: how many of our moves came before the answers that showed with them.  moves: how many we made altogether.
    moved: the seats of which moves were seen.  pressed: those of our last moves, which nobody answered.
    barred: whether it was told by a move that had no effect, which the game that was thought to be played allows.
    steps: what told it.
    """

    game: Game[Any, Any]
    position: Any
    seat: int
    begun: int = 0
    moves: int = 0
    moved: frozenset[int] = frozenset()
    pressed: tuple[int, ...] = ()
    barred: bool = False
    steps: tuple[SeenStep, ...] = field(default=(), compare=False)


class OtherGameError(BoardsightError):
    """The board is that of another game than was thought; `recognised` is None where it only may be."""

    def __init__(self, game: Game[Any, Any], recognised: Recognised | None = None) -> None:
        words = f"this is {game.title}: going on" if recognised else f"nothing is heard: is it {game.title}?"
        super().__init__(words)
        self.game, self.recognised = game, recognised


def told_by_controls(calibration: Calibration, observation: Observation) -> tuple[Game[Any, Any], Any] | None:
    """A game drawn so and a start of it in which just those moves may be made that have a button; None where none is.

    On some pages a colour that may not be played has a pale button, one that is crossed out, or none.
    """
    for name in look_named(calibration.look).games:
        game = find_game(name)
        with suppress(UnreadableError):
            for state in game.starts(game.read(observation)):
                moves = (gesture for move in state.legal_moves() for gesture in game.gestures(state, move))
                wanted = {each.target for each in moves if isinstance(each, Tap) and isinstance(each.target, str)}
                if wanted and wanted == set(calibration.controls):
                    return game, state
    return None


def told_by_breathing(
    calibration: Calibration, observation: Observation, breathing: Collection[Cell]
) -> tuple[Game[Any, Any], Any] | None:
    """A game drawn so and a start of it with its players in just those cells; None where there is none."""
    for game in map(find_game, look_named(calibration.look).games):
        with suppress(UnreadableError):
            for state in game.starts(game.read(observation)):
                places = game.habits(state)
                if breathing and set(breathing) == {
                    Cell(row, places[name.replace("_row", "_col")])
                    for name, row in places.items()
                    if name.endswith("_row")
                }:
                    return game, state
    return None


def first_guess(
    calibration: Calibration, observation: Observation, breathing: Collection[Cell] = ()
) -> tuple[Game[Any, Any], Any] | None:
    """The game and a start of it that cells which breathe tell, or the buttons, or how the board was dealt.

    None where nothing does.
    """
    told = told_by_breathing(calibration, observation, breathing) or told_by_controls(calibration, observation)
    if told is not None:
        return told
    for game in map(find_game, look_named(calibration.look).games):
        with suppress(UnreadableError):
            state = game.read(observation)
            if game.hidden and game.odds(state) > SURELY:
                return game, state
    return None


def alike(game: Game[Any, Any]) -> list[Game[Any, Any]]:
    """The games of which a first picture may be as well as of `game`."""
    drawn = [find_game(name) for name in GAMES if name != game.name and find_game(name).drawn == game.drawn]
    return [each for each in drawn if each.hidden and game.hidden]


def likeliest_right(game: Game[Any, Any], state: Any, decision: Decision, solver: Callable[[], Solver]) -> Any:
    """The move decided on, or one proven as good that may be made in more of what a first picture may show.

    Players may start elsewhere than in `state`, and it may be another game, in which the rival's colour is not played.
    """
    observation = game.show(state)
    worlds = [(game, start) for start in game.starts(state)]
    for other in alike(game):
        with suppress(UnreadableError):
            worlds += [(other, start) for start in other.starts(other.read(observation))]
    pressed = [{_pressed(each, start, move) for move in start.legal_moves()} for each, start in worlds]
    right = {move: sum(_pressed(game, state, move) in each for each in pressed) for move in state.legal_moves()}
    for move in sorted(right, key=lambda move: -right[move]):
        if right[move] <= right[decision.move] or _as_good(state, move, decision, solver):
            return move if right[move] > right[decision.move] else decision.move
    return decision.move


def _as_good(state: Any, move: Any, decision: Decision, solver: Callable[[], Solver]) -> bool:
    """Whether `move` is proven to end a game for one as soon as the move decided on, or known to be as good."""
    after = state.play(move)
    if not decision.proven or decision.score is None or after.outcome() is not None or state.player != after.player:
        return move in decision.best
    score = solver().decide(after, Limit(seconds=AS_GOOD)).score
    return score is not None and score + 1 <= decision.score


def _pressed(game: Game[Any, Any], state: Any, move: Any) -> str:
    """What is pressed for a move, where each has a button."""
    return str(target_of(game.gestures(state, move)[0]))


def recognise(known: Game[Any, Any], steps: Sequence[SeenStep]) -> Recognised | None:
    """The game, drawn as `known` is, by whose rules moves lead through all of `steps`; None where there is none.

    By rules that only allow more moves where by its usual ones none is, or a move of ours would have come later than it
    did; and where somebody else has moved by any rules.
    """
    starts: list[tuple[Game[Any, Any], Any]] = []
    for game in map(find_game, GAMES):
        if game.name != known.name and game.drawn == known.drawn:
            with suppress(UnreadableError):
                starts += [(game, start) for start in positions(game, steps[0].observation)]
    best = _best_told(starts, steps[1:])
    moves = sum(step.made is not None for step in steps)
    late = not best or best[0].begun < moves
    wider = [(game, other) for game, start in starts for other in game.ruled_wider(start)] if late else []
    if wider and _moved_by_two(steps):
        told = [each for each in _best_told(wider, steps[1:]) if not best or each.begun == moves]
        best = told if len(set(map(_next, told))) == 1 else best
    return replace(best[0], steps=tuple(steps)) if best else None


def _next(told: Recognised) -> tuple[Any, ...]:
    """Whether it is our turn, and what every move leads to: players may be numbered otherwise in what is the same."""
    game, position = told.game, told.position
    boards = {move: game.show(position.play(move)).grid.tobytes() for move in position.legal_moves()}
    return game.name, position.player == told.seat, frozenset(boards.items())


def _moved_by_two(steps: Sequence[SeenStep]) -> bool:
    """Whether several kinds came at once, or some elsewhere than our move brought: one player's flood does neither."""
    ours: NDArray[np.bool_] | None = None
    for before, after in pairwise(steps):
        then, now = before.observation.grid, after.observation.grid
        changed = now != then
        if len(np.unique(now[changed])) > 1 or (ours is not None and changed.any() and not changed[ours].any()):
            return True
        brought = changed & (now == after.made)
        ours = brought if brought.any() else ours
    return False


def _best_told(starts: Sequence[tuple[Game[Any, Any], Any]], steps: Sequence[SeenStep]) -> list[Recognised]:
    """The games from those of `starts` that explain all `steps`, and most of our moves as made before their answers."""
    found: list[Recognised] = []
    for game, start in starts:
        with suppress(UnreadableError):
            found.append(_retold(game, start, steps))
    most = max((each.begun for each in found), default=0)
    return [each for each in found if each.begun == most]


def played_alone(known: Game[Any, Any], steps: Sequence[SeenStep]) -> Recognised | None:
    """The game for one, drawn as `known` is, that a board may be of by whatever rules; None where there is none.

    Its player starts where the first of our moves changed the board.
    """
    last = steps[-1].observation
    for game in map(find_game, GAMES):
        if game.players == 1 and game.drawn == known.drawn and game.name != known.name:
            with suppress(UnreadableError):
                moved = ((one, two) for one, two in pairwise(steps) if two.made is not None)
                begun = (game.otherwise(positions(game, one.observation)[0], two.observation) for one, two in moved)
                habits = next((game.habits(each[0]) for each in begun if each), {})
                numbers = {**last.numbers, **habits}
                return Recognised(game, positions(game, replace(last, numbers=numbers))[0], 0)
    return None


def _retold(game: Game[Any, Any], position: Any, steps: Sequence[SeenStep]) -> Recognised:
    """The game from `position` on; raises UnreadableError where the rules do not explain a step."""
    seat, told, begun, moved, pressed = position.player, False, 0, frozenset[int](), tuple[int, ...]()
    for step in steps:
        made = step.made if step.made in position.legal_moves() else None
        try:
            change = explain(game, position, step.observation, made=made)
        except UnreadableError:
            change = explain_otherwise(game, position, step.observation, made=made)
        seats = change.seats
        first = step.made is not None and change.moves[:1] == (step.made,)
        if step.made is not None and seats and (first or not told):  # a later position may number the players otherwise
            seat, told = (seats[0] if first else 1 - seats[0]), True
        begun += first
        if seats:
            pressed = tuple(dict.fromkeys((*pressed, *seats))) if first and len(seats) == 1 else ()
        moved |= frozenset(seats) if change.lawful else frozenset()
        position = change.after
    if not told:
        raise UnreadableError("none of our moves tells which seat is ours")
    return Recognised(game, position, seat if game.players > 1 else 0, begun, moved=moved, pressed=pressed)
