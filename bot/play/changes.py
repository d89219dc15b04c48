"""Whose turn it is and what was played, told by the rules from the change between two readings; no text is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core import UNREAD, BoardsightError, Game, Observation, Options, UnreadableError

USUAL = 2
"""So many moves lead from one picture to the next as a rule: ours, and the answer."""

IN_SIGHT = 0.5
"""The share of the cells that must be seen for the covered ones to be told by the rules."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was played between two readings.

    before: the position in which it was, which may only look like the one that was believed.
    moves: in order, whoever made them; empty where nothing was, and where the second reading only corrected what the
    first one did not show (the players' corners).  after: the position they lead to.
    shown: whether the board showed it; else the rules alone tell it.
    lawful: whether the moves lead there by the rules; else the page has rules of its own.
    """

    before: Any
    moves: tuple[Any, ...]
    after: Any
    shown: bool = True
    lawful: bool = True

    @property
    def seats(self) -> tuple[int, ...]:
        """Who made each of the moves."""
        return movers(self.before, self.moves)


def explain(game: Game[Any, Any], before: Any, observation: Observation, *, made: Any = None) -> Change:
    """The moves, of either side and as many as it takes, that turn `before` into what `observation` shows.

    made: the move that was just made in `before`, which then comes first if any explanation begins so: a picture does
    not tell which of two walls was laid first.
    Raises UnreadableError for unread cells, and where no legal moves explain the change.
    """
    if np.array_equal(observation.grid, game.show(before).grid):
        return Change(before, (), before)
    if made is not None and game.players > 1:
        middle = before.play(made)
        try:
            after = game.read(observation, middle)
        except UnreadableError:
            after = None
        answers = () if after is None else game.line(middle, after)
        if answers or after == middle:
            return Change(before, (made, *answers), after)
    after = game.read(observation, before)
    return Change(before, game.line(before, after), after)


def explain_otherwise(
    game: Game[Any, Any], before: Any, observation: Observation, *, made: Any = None, proven: bool = False
) -> Change:
    """As `explain`, from another position that looks like `before`, or by rules of the page's own.

    proven: whether the position is known, so that only the rules may be others: where two play, such as allow more.
    One from which `made` comes first is taken first, but not by a detour: a side that takes its old colour again in
    Filler seems not to have moved.  Raises UnreadableError where none explains it.
    """
    found: Change | None = None
    if not observation.unread() and game.show(before).grid.shape == observation.grid.shape:
        rules = game.ruled_wider if proven and game.players > 1 else game.ruled_otherwise
        ruled = rules(before)
        alike = [] if proven else [other for each in (before, *ruled) for other in game.otherwise(each, observation)]
        for other in (*alike, *ruled):
            with suppress(UnreadableError):
                lawful = made if made in other.legal_moves() else None
                change = explain(game, other, observation, made=lawful)
                if made is None or (change.moves[:1] == (made,) and len(change.moves) <= USUAL):
                    return change
                found = min(found or change, change, key=lambda each: len(each.moves) - (each.moves[:1] == (made,)))
    if found is None:
        raise UnreadableError("no position that looks like the one before explains what the board shows")
    return found


def nearest(game: Game[Any, Any], positions: Iterable[Any], grid: NDArray[np.int8]) -> str:
    """The move of any of `positions` after which the fewest cells would look otherwise than `grid`, in words.

    Nothing where a quarter of them would, and of boards of another size.
    """
    best, words = grid.size // 4, ""
    for before in positions:
        for move in before.legal_moves() if game.show(before).grid.shape == grid.shape else ():
            off = np.argwhere(game.show(before.play(move)).grid != grid)
            if 0 < len(off) < best:
                row, col = off[0].tolist()
                best, name = len(off), game.format_move(move, before)
                words = f"nearest is {name}, but for {best} of them, the first at row {row}, col {col}"
    return words


def explain_in_part(
    game: Game[Any, Any], before: Any, observation: Observation, *, made: Any = None, ours: Collection[int] = ()
) -> Change | None:
    """As `explain` where something covers some cells: the one change with which all cells in sight agree.

    ours: the seats that make no move besides `made`.
    None where no change or more than one does, and where more than half of the cells are covered.
    """
    seen = observation.grid != UNREAD
    if seen.mean() < IN_SIGHT:
        return None
    found: dict[Any, Change] = {}
    for change in likely_changes(before, made=made, ours=ours):
        if np.array_equal(game.show(change.after).grid[seen], observation.grid[seen]):
            found.setdefault(change.after, change)
    return next(iter(found.values())) if len(found) == 1 else None


def likely_changes(before: Any, *, made: Any = None, ours: Collection[int] = ()) -> list[Change]:
    """What may have been played since `before`: nothing, `made`, a move or two of a seat that is none of `ours`."""
    starts = [Change(before, (), before)]
    if made is not None:
        starts.append(Change(before, (made,), before.play(made)))
    changes = list(starts)
    for start in starts:
        changes += _answers(start, ours)
    return changes


def unseen_end(game: Game[Any, Any], before: Any, *, made: Any = None, ours: Collection[int] = ()) -> Change | None:
    """How the game ended, by the rules alone: with `made`, or with a move that nobody saw of a seat not among `ours`.

    None where the rules leave it open: where not each of these moves ends it, or they end it for different winners.
    A game that `made` decides may end with it.
    """
    if made is not None:
        after = before.play(made)
        ended = after if after.outcome() is not None else lately_decided(game, after, before)
        if ended is not None:
            return Change(before, (made,), ended, shown=False)
    changes = [change for change in likely_changes(before, made=made, ours=ours) if made in (None, *change.moves[:1])]
    ends = [(change, outcome) for change in changes if (outcome := change.after.outcome()) is not None]
    replies = sum(len(change.moves) > (made is not None) for change in changes)
    if len({outcome.winner for _, outcome in ends}) != 1 or len(ends) < replies:
        return None
    return replace(ends[0][0], shown=False)


def possible_end(game: Game[Any, Any], before: Any, *, made: Any = None, ours: Collection[int] = ()) -> Change | None:
    """How the game ended, if it did with `made` or with a move of a seat not among `ours` that nobody saw.

    None where it may have ended for several winners, and where it cannot have ended.
    """
    ends: dict[int | None, Change] = {}
    for change in likely_changes(before, made=made, ours=ours):
        ended = change.after if change.after.outcome() is not None else lately_decided(game, change.after, before)
        if ended is not None and made in (None, *change.moves[:1]):
            ends.setdefault(ended.outcome().winner, replace(change, after=ended, shown=False))
    return next(iter(ends.values())) if len(ends) == 1 else None


def may_be_another(game: Game[Any, Any], before: Any, observation: Observation, *, made: Any = None) -> bool:
    """Whether a board that nothing explains may have been dealt anew since `before`.

    It was not where all cells are seen, and all that changed were of one kind and are of one: as in somebody's move,
    where somebody else moves; nor where all that changed is as `made` brings it, but not all that it brings came.
    """
    known, grid = game.show(before).grid, observation.grid
    if known.shape != grid.shape or (grid == UNREAD).any():
        return True
    changed = known != grid
    if game.players == 1:
        due = known if made is None else game.show(before.play(made)).grid
        return not changed.any() or bool((grid != due)[changed].any())
    return len(np.unique(known[changed])) != 1 or len(np.unique(grid[changed])) != 1


def shows_some(game: Game[Any, Any], observation: Observation, before: Any, after: Any) -> bool:
    """Whether some of what tells `after` from `before` is seen as in `after`, and not hidden."""
    wanted = game.show(after).grid
    return bool((observation.grid == wanted)[wanted != game.show(before).grid].any())


def is_hidden(game: Game[Any, Any], observation: Observation, before: Any, after: Any) -> bool:
    """Whether something lies over all that tells `after` from `before`, and over more than a preview of it may.

    Or beside it, where the game ends with it: what is white and lies over a white hole looks like one.
    """
    due, over = game.show(after).grid, observation.grid == UNREAD
    told = due != game.show(before).grid
    unread = np.argwhere(over & ~told & ~np.isin(due, due[told]))  # a flood may be shown on all that it takes
    if after.outcome() is not None:
        over = np.lib.stride_tricks.sliding_window_view(np.pad(over, 1), (3, 3)).any(axis=(2, 3))
    return bool(over[told].all() and unread.size)


def lately_decided(game: Game[Any, Any], position: Any, earlier: Any) -> Any | None:
    """`position` as one that is over, where who wins was still open `earlier`, and is not any more; None elsewhere."""
    ended = game.decided(position)
    return ended if ended is not None and earlier is not None and game.decided(earlier) is None else None


def out_of_moves(game: Game[Any, Any], before: Any, *, shown: bool) -> Change | None:
    """How a game ended that one plays alone and that went no further: the page allows no more moves; None elsewhere.

    shown: whether the board still shows it.
    """
    known = game.show(before)
    numbers = {**known.numbers, **game.numbers(Options(limit=0))}
    if game.players > 1 or numbers == known.numbers:
        return None
    return Change(before, (), game.read(replace(known, numbers=numbers)), shown=shown)


def _answers(start: Change, ours: Collection[int]) -> list[Change]:
    """`start` and a move that a side which is none of `ours` may make then, or two of it where it moves again."""
    once: list[Change] = []
    again: list[Change] = []
    for found, changes in ((once, [start]), (again, once)):
        for change in changes:
            state = change.after
            if state.player not in ours and (change is start or state.player == start.after.player):
                found += [
                    Change(change.before, (*change.moves, move), state.play(move)) for move in state.legal_moves()
                ]
    return once + again


def positions(game: Game[Any, Any], observation: Observation, *, covered: bool = False) -> tuple[Any, ...]:
    """The positions `observation` may show when nothing went before: one where it tells who is to move, else one each.

    The likeliest comes first.  covered: whether the cells that it lacks are so for long: a board that else shows what
    all of its game begin with does so there, too.  Raises UnreadableError.
    """
    observation = (covered and _dealt_in_part(game, observation)) or observation
    return tuple(dict.fromkeys(game.read(observation, seat=seat) for seat in (None, *range(game.players))))


def _dealt_in_part(game: Game[Any, Any], observation: Observation) -> Observation | None:
    """What a board of which some cells are covered shows if it is dealt as all of its game are; None if it is not."""
    seen = observation.grid != UNREAD
    rows, cols = (len(side[:: 2 if game.drawn == "grooves" else 1]) for side in (seen, seen.T))
    with suppress(BoardsightError):
        dealt = game.show(game.deal(np.random.default_rng(0), Options(rows=rows, cols=cols)))
        if np.array_equal(dealt.grid[seen], observation.grid[seen]):
            return replace(observation, grid=dealt.grid)
    return None


def movers(before: Any, moves: tuple[Any, ...]) -> tuple[int, ...]:
    """The seat that made each of `moves`, the first of them in `before`."""
    seats = []
    for move in moves:
        seats.append(before.player)
        before = before.play(move)
    return tuple(seats)
