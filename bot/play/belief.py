"""Which seat is ours and which position the board shows: the possible worlds, the likeliest first.

No clock and no screen: the loop tells what was seen, and asks what to believe and what to wait for.  A world is belied
where somebody should have moved in it and nobody did, or where our move should have had an effect and had none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.settings import Settings
from games.core import BoardsightError

LATE = 1.0
"""Seconds after which the first move may be the other side's own, where both may make the same one."""

GRACE = 5
"""So many times longer is waited for another side that ought to begin, by what is known, than for one that may."""

Made = tuple[Any, Any, str]
"""A move of ours: the position before it, the move, and the way it was made."""


class UnresponsiveError(BoardsightError):
    """The game does not react to `move`, or, where that is None, nobody moves."""

    def __init__(self, message: str, move: Any = None) -> None:
        super().__init__(message)
        self.move = move


@dataclass(frozen=True, slots=True)
class World:
    """One way the game may stand.

    positions: the board is in one of these, in the first where nothing tells them apart.
    seat: ours; None where it is the seat that does not make the next move.
    seconds: for so long another side's move is waited for before this world is belied.
    words: why it is believed, for a person, told once all likelier worlds are belied.
    made: our move that led here, while nobody has answered it: it may only be shown as yet.
    problem: what stops the run where this world is belied, too, if not what belied it.
    """

    positions: tuple[Any, ...]
    seat: int | None
    seconds: float
    words: str = ""
    made: Made | None = None
    problem: UnresponsiveError | None = None

    @property
    def ours(self) -> bool:
        """Whether it is our turn."""
        return bool(self.positions[0].player == self.seat)


class Belief:
    """The worlds that may be true while one game is played; `see` must be called first.

    settings: which seat is ours, where the user says so, and how long is waited for the other side.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._told_seat = settings.own_seat
        self.worlds: tuple[World, ...] = ()

    @property
    def world(self) -> World:
        """The likeliest one."""
        return self.worlds[0]

    @property
    def position(self) -> Any:
        """The position to go on from."""
        return self.world.positions[0]

    @property
    def unsure(self) -> bool:
        """Whether our seat is not known yet."""
        return self._told_seat is None and len(self.worlds) > 1

    @property
    def other(self) -> Any:
        """The position that our move is made in if it is not `position` that the board shows; None for no other."""
        rest = (world.positions[0] for world in self.worlds[1:] if self.unsure and world.seat is not None)
        return next((position for position in rest if position != self.position), None)

    def see(self, positions: Sequence[Any], *, players: int) -> None:
        """Takes the positions that the board may show before anybody moved, the likeliest first.

        Where one side may begin as well as the other, and none that is ours by the settings, it is waited for a while.
        """
        told, settings = self._told_seat, self._settings
        likely = positions[0]
        pair = [likely, *[each for each in positions if each != likely][:1]]
        begins = len(pair) == 1 or likely.player == told  # as the settings say, where they say something
        if told is not None and not begins:
            pair.reverse()
        first, *others = (self._known(each, each.player if told is None else told) for each in pair)
        worlds = [replace(first, words=f"it is our turn: {_name(first.seat)} is ours")]
        worlds += [
            replace(each, words=f"it is not the turn of seat {pair[0].player + 1}: {_name(each.seat)} is ours")
            for each in others
        ]
        if told is None and others:
            words = "it seems not to be our turn: waiting for the other side"
            worlds.append(World(tuple(pair), None, settings.answer, words))
        if players > 1 and (told is None or not begins):
            worlds.insert(0, World(tuple(positions), None, settings.wait * (1 if told is None else GRACE)))
        self.worlds = tuple(worlds)

    def settle(self, position: Any, seat: int) -> None:
        """Takes that the board shows `position`, and that `seat` is ours."""
        self.worlds = (self._known(position, seat),)

    def showed(
        self,
        made: Made,
        after: Any,
        *,
        as_made: bool,
        answered: bool = False,
        waited: float = 0.0,
        tries: int = 1,
        instead: Any = None,
    ) -> str:
        """Takes what our move led to, `after`; gives what to tell a person, if anything.

        made: with the position in which it explains what shows.  instead: that position, where it only looks like the
        one that was believed.  as_made: whether that move was seen, and no other one.
        answered: whether an answer was seen with it.  waited: seconds until it showed, after so many `tries`.
        A press out of turn changes nothing, and the other side may happen to make that very move after it: where that
        may be, an answer is waited for not quite so long.
        """
        before, seat, words = made[0], self.world.seat, ""
        if before not in (self.position, instead):
            seat, words = before.player, f"that was a move of the other side: {_name(before.player)} is ours"
        slow = tries > 1 or waited - self._settings.delay > LATE
        unsure = self.unsure
        if unsure and not as_made:
            seat = 1 - before.player
            words = f"it was the other side's: {_name(seat)} is ours"
        now = replace(self._known(after, seat), made=None if as_made and answered else made)
        self.worlds = (now,)
        if unsure and slow and as_made and not answered and not now.ours:
            soon = min(self._settings.answer, GRACE * max(self._settings.wait, waited))
            theirs, after_all = self._known(after, after.player), self._known(after, seat)
            self.worlds = (
                replace(now, seconds=soon),
                replace(theirs, words=f"nobody answers: that was the other side's move, {_name(theirs.seat)} is ours"),
                replace(after_all, words=f"it was ours after all: {_name(seat)} is ours"),
            )
        return words

    def moved(self, before: Any, after: Any) -> str:
        """Takes a move of another side, in `before`; gives what to tell a person, if anything."""
        seat, words = self.world.seat, ""
        if seat is None:
            seat = 1 - before.player if self._told_seat is None else self._told_seat
            words = f"the other side began: {_name(seat)} is ours"
        self.worlds = (self._known(after, seat),)
        return words

    def belied(self, problem: UnresponsiveError) -> str:
        """Takes that nobody moved, or that our move had no effect; gives what to tell a person of what is left.

        Where it was our turn, the worlds in which we could have made the same move are belied with it, and one is left:
        the seat is doubted once.
        Raises `problem`, or what the believed world names instead, where no world is left.
        """
        left = self.worlds[1:]
        if self.world.ours:
            left = tuple(each for each in left if not (each.ours and problem.move in each.positions[0].legal_moves()))
            left = tuple(replace(each, problem=problem if each.seat is None else None) for each in left[:1])
        if not left:
            raise self.world.problem or problem
        self.worlds = left
        return self.world.words

    def _known(self, position: Any, seat: int | None) -> World:
        return World((position,), seat, self._settings.answer)


def _name(seat: int | None) -> str:
    return "the first seat" if seat == 0 else "the second seat"
