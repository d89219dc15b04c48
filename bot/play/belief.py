"""What may be true of the game on the board: which it is, which seat is ours, the position; the likeliest first.

No clock and no screen: the loop and the monitor tell what was seen, and ask what explains it, what to believe and what
to wait for.  A world is belied where somebody should have moved in it and nobody did, where our move should have had
an effect and had none, and where another one alone explains what shows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import takewhile
from typing import Any

import numpy as np

from bot.play.changes import (
    Change,
    explain,
    explain_in_part,
    explain_otherwise,
    lately_decided,
    out_of_moves,
    possible_end,
    unseen_end,
)
from bot.play.recognition import OtherGameError, Recognised, SeenStep, played_alone, recognise
from bot.settings import SEATS, Settings
from games import find_game
from games.core import BLOCKED, BoardsightError, Cell, Game, Observation, SettingsError, UnreadableError

LATE = 1.0
"""Seconds after which the first move may be the other side's own, where both may make the same one."""

GRACE = 5
"""So many times longer is waited for another side that ought to begin, by what is known, than for one that may."""

NOT_OURS = "it seems not to be our turn: waiting for the other side"
"""What a person is told where it is not known which other seat is ours."""

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
    alone: whether nobody else moves here: `seat` is what tells who won, and each turn is ours.
    """

    positions: tuple[Any, ...]
    seat: int | None
    seconds: float
    words: str = ""
    made: Made | None = None
    problem: UnresponsiveError | None = None
    alone: bool = False

    @property
    def ours(self) -> bool:
        """Whether it is our turn."""
        return self.alone or bool(self.positions[0].player == self.seat)


@dataclass(slots=True)
class _StartSearch:
    """The search for the world in which a first move of ours has an effect, on boards that look alike.

    vain: the moves that had none.  doubted: the world in which the first of them was made, once another was tried.
    patient: whether each is made in every way before it is given up: only once all were tried with few presses.
    """

    vain: list[Any] = field(default_factory=list)
    doubted: World | None = None
    patient: bool = False

    def failed(self, move: Any, world: World, other: World | None) -> World | None:
        """Where to make the next one after `move` had no effect in `world`; None for nowhere.

        other: the likeliest in which it is no move; where there is none, all are tried once more, patiently.
        """
        self.vain.append(move)
        if other is not None:
            self.doubted = self.doubted or world
            return other
        if self.doubted is None or self.patient:
            return None
        self.vain, self.patient = [], True
        return replace(self.doubted, words="nothing is heard anywhere: trying longer")


STEPS = 3
"""So many of the last pictures that were understood another game must explain, too, for the board to be that one's."""


class Belief:
    """The worlds that may be true while `game` is played; `see` must be called first.

    settings: game and seat, where the user says them, and how long is waited for the other side.
    others: games whose board it may be as well.
    made: how many moves of ours were seen.  allowed: how many most pages allow; none where that is not limited.
    earlier: the position before the latest moves; None before any.
    """

    def __init__(self, settings: Settings, game: Game[Any, Any], others: Sequence[str] = ()) -> None:
        self._settings, self._other_games = settings, () if settings.game else others
        self._told_seat = settings.own_seat
        self._game = game
        self._players = game.players
        self._moved: set[int] = set()
        self._mover: int | None = None  # who moved last
        self.earlier: Any = None
        self._others: set[int] = set()  # seats that are not ours
        self._pressed: tuple[int, ...] = ()  # seats whose moves we made, in the order of the first, and nobody answered
        self.made = 0
        self.allowed: Collection[int] = ()
        self._steps: list[SeenStep] = []
        self._known: dict[Any, Change | None] = {}
        self._unrecognised: tuple[bytes, Any] | None = None
        self._start = _StartSearch()
        self._alike: tuple[Observation, Any, list[tuple[World, frozenset[Any]]]] | None = None
        self._settled = self._barred = False
        self._reopened = False
        self._slow = True  # whether others may think for as long as the user says, and let no turn pass
        self.worlds: tuple[World, ...] = ()
        self._until: tuple[World, ...] = ()  # as they were before our last move

    @property
    def proven(self) -> bool:
        """Whether moves were seen of each side, so that nothing is left open by the game's pictures."""
        return not self._game.hidden or len(self._moved) == self._players

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
    def passed_over(self) -> bool:
        """Whether our side, which cannot move, comes between the seat that moved last and the one to move."""
        if self._mover is None:
            return False
        seats = ((self._mover + step) % self._players for step in range(1, self._players))
        return self.world.seat in list(takewhile(lambda seat: seat != self.position.player, seats))

    @property
    def other(self) -> Any:
        """The position that our move is made in if it is not `position` that the board shows; None for no other."""
        rest = (world.positions[0] for world in self.worlds[1:] if self.unsure and world.seat is not None)
        return next((position for position in rest if position != self.position), None)

    def doubts(self, move: Any) -> list[Any]:
        """The positions that may be ours to move in as well, where `move`, our first, is none, while each is tried."""
        return [] if self._start.patient else [world.positions[0] for world in self._lookalikes(move)]

    @property
    def begun(self) -> bool:
        """Whether a move was seen."""
        return len(self._steps) > 1

    def explained(
        self,
        observation: Observation,
        before: Any,
        made: Any = None,
        *,
        ours: Collection[int] = (),
        covered: bool = False,
    ) -> Change | None:
        """The moves that lead from `before` to what shows; None where none do.

        ours: seats that make no other move than `made`.  covered: whether some cells will not be seen: the rest tells.
        """

        def told() -> Change | None:
            try:
                return explain(self._game, before, observation, made=made)
            except UnreadableError:
                if not covered:
                    return None
                return explain_in_part(self._game, before, observation, made=made, ours=ours)

        return self._once((observation.grid.tobytes(), before, made, covered, frozenset(ours)), told)

    def _once(self, asked: tuple[Any, ...], tell: Callable[[], Change | None]) -> Change | None:
        """What `tell` gives, asked once of a picture: boards stay as they are for many looks."""
        if asked not in self._known:
            if len(self._known) > 2 * STEPS:
                self._known.clear()
            self._known[asked] = tell()
        return self._known[asked]

    def _otherwise(self, observation: Observation, before: Any, made: Any = None) -> Change | None:
        """The moves that lead to what shows from a position that only looks like `before`, or by the page's rules."""

        def told() -> Change | None:
            try:
                return explain_otherwise(self._game, before, observation, made=made, proven=self.proven)
            except UnreadableError:
                return None

        return self._once((observation.grid.tobytes(), before, made, self.proven), told)

    def led_to(self, observation: Observation, before: Any, made: Any, *, covered: bool = False) -> Change | None:
        """What came of `made` in `before`, or in the position that shows if the other seat is ours; None for nothing.

        Or in the position before the latest moves, where these were only shown: a piece that was let go where it may
        not lie may stay there until another one is taken.

        That in which `made` comes first, and then others' moves, is taken first, but not by a detour: a side that takes
        its old colour again in Filler seems not to have moved.
        """
        states = [before, *([] if self.other is None or made not in self.other.legal_moves() else [self.other])]
        told = [self.explained(observation, each, made, ours=(each.player,), covered=covered) for each in states]
        if not any(each.moves[:1] in ((), (made,)) for each in told if each):
            alike = [self._otherwise(observation, each, made) for each in states]
            told = [*told, *alike] if any(told) else alike
        if not any(told) and self.earlier is not None and made in self.earlier.legal_moves():
            told = [self.explained(observation, self.earlier, made, ours=(self.earlier.player,))]
        fewest = min((len(change.moves) for change in told if change is not None), default=0)
        begun = (each for each in told if each and each.moves[:1] == (made,) and len(each.moves) <= fewest + 1)
        return next(begun, min(filter(None, told), key=lambda change: len(change.moves), default=None))

    def played(
        self, observation: Observation, states: Sequence[Any], *, ours: Collection[int], covered: bool = False
    ) -> Change | None:
        """The moves that lead to what shows from the first of `states`, or else none from one; None for neither.

        Or from the position before the latest moves, of which only a part was drawn when they were seen, or which were
        taken back.
        """
        told = [self.explained(observation, each, ours=ours, covered=covered) for each in states]
        if not any(told):
            told = [self._otherwise(observation, each) for each in states]
        if not any(told) and self.earlier is not None:
            told = [self.explained(observation, self.earlier, ours=ours) or self._otherwise(observation, self.earlier)]
        return max(filter(None, told), key=lambda change: bool(change.moves), default=None)

    def allowed_all(self, before: Any, made: Any = None) -> Change | None:
        """How the game ended if the page allows as many moves as most do; None for not.

        The last is `made`, or the one before, and `made` was not heard any more.
        """
        for moves in ((), (made,)) if made is not None else ((),):
            if self.made + len(moves) in self.allowed:
                end = out_of_moves(self._game, before.play(made) if moves else before, shown=False)
                return end and replace(end, before=before, moves=moves)
        return None

    def unseen_end(
        self, before: Any, *, made: Any = None, ours: Collection[int] = (), spoken: bool = False
    ) -> Change | None:
        """How the game ended, by the rules alone, on a board that is gone: see `unseen_end` and `allowed_all`.

        With `made`, where that ends it: a page that most likely allows no more moves may well have heard it.
        spoken: whether the page said something since, or took its board away, as most do only at the end: see
        `possible_end`.
        """
        end = unseen_end(self._game, before, made=made, ours=ours) or self.allowed_all(before)
        if end is None and spoken:
            end = possible_end(self._game, before, made=made, ours=ours)
        return self.decided(before) if end is None else end

    def decided(self, position: Any) -> Change | None:
        """That the game ended in `position`, if the latest moves left nothing open of who wins."""
        ended = lately_decided(self._game, position, self.earlier)
        return None if ended is None else Change(position, (), ended, shown=False)

    def reopens(self) -> bool:
        """Takes that the game, which is over, goes on as it does by the rules of some pages: once, where it may."""
        longer = None if self._reopened else self._game.reopened(self.position)
        if longer is None:
            return False
        self._reopened, self.worlds = True, (self._world(longer, self.world.seat),)
        return True

    def understood(self, observation: Observation, made: Any) -> None:
        """Takes that the board showed this at rest, after our move `made`, if it was one."""
        self._steps = [*self._steps[1 - STEPS :], SeenStep(observation, made)]
        self._unrecognised = None

    def recognise(self, observation: Observation, made: Any) -> None:
        """Raises OtherGameError where another game explains what the board showed so far, and shows now.

        Not where the user named the game, nor once it has explained more than a few of our moves and what came of them;
        a picture that none explained is not asked about again.
        """
        shows = observation.grid.tobytes(), made
        if not observation.unread() and shows != self._unrecognised and self.made <= STEPS:
            self._unrecognised = shows
            self._doubt_game([*self._steps, SeenStep(observation, made)])

    def _doubt_game(self, steps: Sequence[SeenStep], vain: Any = None) -> None:
        """Raises OtherGameError where another game explains `steps`, and that the move `vain` had no effect then."""
        found = None if self._settings.game or len(steps) < 2 else recognise(self._game, steps)
        if found is not None and (vain is None or vain not in found.position.legal_moves()):
            pending = len(steps) > len(self._steps) and steps[-1].made is not None
            raise OtherGameError(found.game, replace(found, moves=self.made + pending, barred=vain is not None))

    def see(self, positions: Sequence[Any], *, players: int) -> str:
        """Takes the positions that the board may show before anybody moved; gives what to tell a person, if anything.

        positions: the likeliest first.  Raises SettingsError for a seat that the game has not.
        Where one side may begin as well as the other, and none that is ours by the settings, it is waited for a while.
        """
        told, settings, self._players = self._told_seat, self._settings, players
        if told is not None and told >= players:
            many = "is played alone, leave it out" if players == 1 else f"is played by {players} here"
            raise SettingsError(f"--seat {settings.seat}: {self._game.title} {many}")
        likely = positions[0]
        self.allowed = self._game.usual_limits(likely)
        pair = [likely, *[each for each in positions if each != likely][:1]]
        begins = len(pair) == 1 or likely.player == told  # as the settings say, where they say something
        if told is not None and not begins:
            pair.reverse()
        first, *others = (self._world(each, each.player if told is None else told) for each in pair)
        worlds = [replace(first, words=f"it is our turn: {_name(first.seat)} is ours")]
        worlds += [
            replace(each, words=f"it is not the turn of seat {pair[0].player + 1}: {_name(each.seat)} is ours")
            for each in others
        ]
        if told is None and players > 1:
            worlds.append(World(tuple(pair), None, settings.answer, NOT_OURS))
        if players > 1 and (told is None or not begins):
            worlds.insert(0, World(tuple(positions), None, settings.wait * (1 if told is None else GRACE)))
        self.worlds = tuple(worlds)
        if told is None or likely.player == told or len(positions) > 1:
            return ""
        return f"by the board it is the turn of seat {likely.player + 1}, which --seat {settings.seat} says is not ours"

    def settle(self, known: Recognised) -> None:
        """Takes what was recognised while another game was thought to be played; its name is no user's, then.

        Where nobody answered moves of ours that were of several seats, nobody else moves.
        """
        self._pressed, alone = known.pressed, len(known.pressed) > 1
        world = replace(self._world(known.position, known.pressed[0] if alone else known.seat), alone=alone)
        if len(known.moved) < known.game.players:  # perhaps nobody else ever moves
            world = replace(world, seconds=min(world.seconds, GRACE * self._settings.wait))
        self.worlds, self.made, self._settled = (world,), known.moves, True
        self.allowed, self._steps = self._game.usual_limits(known.position), list(known.steps)
        self._moved, self._barred = set(known.moved), known.barred

    def showed(
        self,
        made: Made,
        change: Change,
        *,
        as_made: bool,
        answered: bool = False,
        waited: float = 0.0,
        tries: int = 1,
    ) -> str:
        """Takes the change that our move `made` led to; gives what to tell a person, if anything.

        as_made: whether that move was seen, and no other one.
        answered: whether an answer was seen with it.  waited: seconds until it showed, after so many `tries`.
        A press out of turn changes nothing, and the other side may happen to make that very move after it: where that
        may be, an answer is waited for not quite so long.
        Raises OtherGameError where one plays alone, and another move than ours came, which another game explains.
        """
        before, after, seat, alone, words = change.before, change.after, self.world.seat, self.world.alone, ""
        self._until = self.worlds
        if self._players == 1 and change.moves and not as_made:
            self._doubt_game(self._steps)
        if change.moves:
            made = before, change.moves[0], made[2]
        self.made += before != self.earlier or before in (self.position, self.other)  # else the last one was none
        self._start = _StartSearch()
        self._prove(change)
        if before not in (self.position, self.other):
            words = self._other_rules(before, self.position)
            if as_made and self._told_seat is None:
                seat = before.player  # who moves is named otherwise where the players start elsewhere
        if before == self.other:
            seat, words = before.player, f"that was a move of the other side: {_name(before.player)} is ours"
        slow = tries > 1 or waited - self._settings.delay > LATE
        unsure = self.unsure
        likely: tuple[World, ...] = (self._world(after, seat),)
        if unsure and change.moves and not as_made:
            likely = self._without(after, before.player)
            words = _told("it was the other side's", likely[0].seat)
        now = replace(likely[0], made=None if as_made and answered else made)
        self.worlds = (now, *likely[1:])
        self._pressed = tuple(dict.fromkeys((*self._pressed, before.player))) if as_made and not answered else ()
        if as_made and not answered and (alone or len(self._pressed) > 1 or (unsure and not now.ours)):
            soon = min(self._settings.answer, GRACE * max(self._settings.wait, waited))
            told = "nobody answers"
            if len(self._pressed) > 1:
                every = replace(self._world(after, self._pressed[0]), alone=True, words=f"{told}: we move each side")
                late = replace(now, seat=before.player, words=NOT_OURS)
                self.worlds = (every, late) if alone else (replace(now, seconds=soon), every)
                return words
            theirs, after_all = self._world(after, after.player), replace(self._world(after, seat), made=made)
            self.worlds = (
                replace(now, seconds=soon if slow else now.seconds),
                replace(theirs, words=f"{told}: that was the other side's move, {_name(theirs.seat)} is ours"),
                replace(after_all, words=f"it was ours after all: {_name(seat)} is ours"),
            )
        return words

    def without(self, moves: Sequence[Any]) -> frozenset[Cell]:
        """Takes that none of `moves` can be played on this page; gives the cells that are obstacles, then.

        Nothing is taken where no cell is one for that, or the game would be over.  Raises OtherGameError where another
        game explains that the last of `moves` had no effect.
        """
        self._doubt_game(self._steps, moves[-1])
        lacking = reduce(self._game.without, moves, self.position)
        now, before = (self._game.show(each).grid == BLOCKED for each in (lacking, self.position))
        cells = frozenset(Cell(int(row), int(col)) for row, col in np.argwhere(now & ~before))
        if cells and lacking.outcome() is None:
            self.worlds, self.allowed = (self._world(lacking, self.world.seat),), self._game.usual_limits(lacking)
            return cells
        return frozenset()

    def moved(self, change: Change, *, prompted: bool = False) -> str:
        """Takes the moves of another side; gives what to tell a person, if anything.

        prompted: whether they came of what else was done for our move, our first perhaps not: it may have been theirs.
        Raises SettingsError where it began with the seat that the user says is ours.
        """
        seat, words = self.world.seat, self._other_rules(change.before, self.position) if change.moves else ""
        if change.moves and not self._moved and change.before.player == self._told_seat:
            raise SettingsError(
                f"seat {change.before.player + 1} has moved, and it was not us: ours is the other one, not the one of "
                f"--seat {self._settings.seat}; name that, or leave it out"
            )
        self._prove(change)
        self._pressed = ()
        likely: tuple[World, ...] = (self._world(change.after, seat),)
        if self.world.made is not None and change == Change(self.world.made[0], (), self.world.made[0]):
            self.made -= 1  # our move was taken back: as much is open as before it
            likely = self._until if self._until[0].positions[0] == change.after else likely
        elif seat is None or (self.unsure and seat == change.before.player):
            likely = self._without(change.after, change.before.player, *change.seats)
            words = _told("the other side began", likely[0].seat)
        elif prompted and self.unsure and change.seats:
            likely = (*likely, self._world(change.after, change.seats[-1]))
        self.worlds = likely
        return words

    def _without(self, position: Any, *seats: int) -> tuple[World, ...]:
        """What may be true of `position` now that `seats` are not ours: the one to move is, where it waits long."""
        self._others.update(seats)
        left = [seat for seat in range(self._players) if seat not in self._others] or [position.player]
        if self._told_seat is not None or len(left) == 1:
            return (self._world(position, left[0] if self._told_seat is None else self._told_seat),)
        late = World((position,), None, self._settings.answer, NOT_OURS)
        if position.player not in left:
            return (late,)
        ours = replace(
            self._world(position, position.player), words=f"it is our turn: {_name(position.player)} is ours"
        )
        return replace(late, seconds=self._settings.wait), ours, late

    def _other_rules(self, before: Any, position: Any) -> str:
        """What to tell a person where the page turns out to have other rules than those of `position`: `before`'s."""
        options, assumed = (self._game.options(each) for each in (before, position))
        if options.walls != assumed.walls:
            return f"this page has {options.walls} walls a player: going on"
        variant, known = options.variant, assumed.variant
        return f"this page plays the variant {variant or 'of most pages'!r}: going on" if variant != known else ""

    def _prove(self, change: Change) -> None:
        self.earlier = change.before
        if change.lawful and change.moves:
            self._moved.update(change.seats)
            self._mover = change.seats[-1]

    def belied(self, problem: UnresponsiveError) -> str:
        """Takes that nobody moved, or that our move had no effect; gives what to tell a person of what is left.

        Where it was our turn, other seats' turns and boards that only look like this one, where none of the moves that
        had no effect may be made, come first: with few presses in each, and if none of them had one either, in every
        way, for presses may be lost.  Then the worlds in which we could have made the same move are belied, and one is
        left: the seat is doubted once.  Raises `problem`, or what the believed world names instead, where no world is
        left, and OtherGameError where another game explains that nobody moved, or where nothing was heard in this one.
        """
        left = self.worlds[1:]
        if self.world.ours:
            lookalike = next(self._lookalikes(problem.move), None)
            if (other := self._start.failed(problem.move, self.world, lookalike)) is not None:
                self.worlds = (other, *left)
                return other.words
            left = tuple(each for each in left if not (each.ours and problem.move in each.positions[0].legal_moves()))
            left = tuple(replace(each, problem=problem if each.seat is None else None) for each in left[:1])
        if not left and problem.move is None:
            if len(self._moved) < self._players and not self._barred:
                self._doubt_game(self._steps)
            left = () if self._reopened else tuple(self._our_turns(self.position, self.world.seat))  # it was over
            self._players = self._game.options(left[0].positions[0]).players or self._players if left else self._players
        if not left and (ended := self._game.decided(self.position)) is not None:
            left = (self._world(ended, self.world.seat),)
        if not left and problem.move is None:
            self._doubt_players()
            left = tuple(self._other_seat()) or tuple(self._let_pass(problem))
        if not left and self._other_games and not self.begun:
            raise OtherGameError(find_game(self._other_games[0]))
        if not left and problem.move is not None and self._players == 1 and self.made <= STEPS:
            self._doubt_game(self._steps, problem.move)
        if not left:
            raise self.world.problem or problem
        self.worlds = left
        return self.world.words

    def _other_seat(self) -> Iterator[World]:
        """That the seat to move is ours, once, where ours was only recognised: another may have made the same move."""
        if self._settled and self._told_seat is None:
            self._settled, seat = False, self.position.player
            yield replace(self._world(self.position, seat), words=f"nobody moves: {_name(seat)} is ours")

    def _let_pass(self, problem: UnresponsiveError) -> Iterator[World]:
        """That it is our turn, as the others let theirs pass: they do on some pages, or what they did does not show."""
        seat, told = self.world.seat, len(self._moved) == self._players
        turned = self._game.turned_to(self.position, seat) if told and seat is not None else None
        if turned is not None:
            self._slow = False
            words = f"nobody moves: the other side lets its turn pass, it seems, and {_name(seat)} goes on"
            yield replace(self._world(turned, seat), words=words, problem=problem)

    def _doubt_players(self) -> None:
        """Raises OtherGameError where nobody but us ever moved, on a board that may be a game's for one."""
        told = self._barred or (self._settings.game and not self._settled)
        if not told and self.made and self._steps and not self.proven:
            alone = played_alone(self._game, self._steps)
            if alone is not None:
                raise OtherGameError(alone.game, replace(alone, moves=self.made))

    def _lookalikes(self, move: Any) -> Iterator[World]:
        """That before our first move another seat is ours, or the board lies otherwise, so that `move` is none."""
        if not self.made and self._steps:
            tried = (*self._start.vain, move)
            yield from (world for world, legal in self._rivals() if legal.isdisjoint(tried))

    def _rivals(self) -> Sequence[tuple[World, frozenset[Any]]]:
        """What may be true as well before our first move, and the moves that are ours then: each is asked often."""
        seen, before = self._steps[-1].observation, self.position
        if self._alike is None or self._alike[0] is not seen or self._alike[1] != before:
            worlds = [each for each in self.worlds[1:] if each.ours]
            if self._game.hidden:
                others = (*self._game.otherwise(before, seen), *self._game.ruled_otherwise(before))
                start = partial(replace, words="the players may start elsewhere: trying that")
                worlds = [start(self._world(other, other.player)) for other in others]
            self._alike = seen, before, [(each, frozenset(each.positions[0].legal_moves())) for each in worlds]
        return self._alike[2]

    def _world(self, position: Any, seat: int | None) -> World:
        """That `seat` is ours; where by other rules it may be its turn, others are waited for not quite so long."""
        answer = self._settings.answer
        if not self._slow or (not self.proven and any(self._our_turns(position, seat))):
            answer = min(answer, GRACE * self._settings.wait)
        return World((position,), seat, answer)

    def _our_turns(self, position: Any, seat: int | None) -> Iterator[World]:
        """That it is the turn of `seat`, which it is not by the rules of `position`, by those of other variants."""
        if seat not in (None, position.player):
            for other in self._game.ruled_otherwise(position):
                if other.player == seat:
                    yield World((other,), seat, self._settings.answer, self._other_rules(other, position))


def _told(what: str, seat: int | None) -> str:
    return "" if seat is None else f"{what}: {_name(seat)} is ours"


def _name(seat: int | None) -> str:
    return f"the {SEATS[(seat or 0) + 1]} seat"
