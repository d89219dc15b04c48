"""What is worked out beside a game: a hint, the par of a board, the review of a game that has ended."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from bot.web.match import Match
from bot.web.messages import PERSON, Hint, Par, Reply, Review
from bot.web.players import Players
from bot.web.review import Played
from games.core import SettingsError
from solvers import LIGHT
from solvers.core import Decision, Limit

HINT, PAR = 0.7, 2.0
"""CPU seconds that a hint and a par may take."""

REVIEW, LONGEST_LOOK = 20.0, 0.4
"""CPU seconds of a whole review at most, and of each of its positions."""

T = TypeVar("T")


class InTurn(Protocol):
    """Does work beside the event loop, in its turn."""

    async def __call__(self, work: Callable[[], T]) -> T:
        """The result of `work`."""
        ...


@dataclass(eq=False)
class Aside:
    """One thing at a time, for one connection; `refuse` tells the page of what went wrong.

    It searches as a game does, one position after the other, so it takes no more than a player's share.
    """

    send: Callable[[Reply], Awaitable[None]]
    refuse: Callable[[Exception], Awaitable[None]]
    players: Players
    work: InTurn
    what: str | None = None
    _task: asyncio.Task[None] | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)

    async def begin(self, what: str | None, match: Match) -> None:
        """Begin a HINT, a PAR or a REVIEW of `match`; None lets a review end with what it has.

        Raises SettingsError where there is nothing to be worked out.
        """
        if what is None:
            self._stopped.set()
            return
        check(what, match)
        await self.end()
        self.what, self._stopped = what, threading.Event()
        does = {"HINT": self._hint, "PAR": self._par, "REVIEW": self._review}[what]
        self._task = asyncio.create_task(self._do(does, match))

    async def end(self) -> None:
        """End what runs and forget what it says."""
        task, self._task, self.what = self._task, None, None
        self._stopped.set()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _do(self, does: Callable[[Match], Awaitable[None]], match: Match) -> None:
        try:
            await does(match)
        except Exception as error:
            await self.refuse(error)

    async def _decide(self, match: Match, state: Any, seconds: float, spec: str = "") -> tuple[str, Decision]:
        """Who decides, and what: `spec`, else the game's own solver, or the first to take over that can."""
        stopped, limit = self._stopped, Limit(seconds=seconds)
        every = (spec,) if spec else (match.game.solver, *match.game.fallbacks)
        for each in every:
            try:
                asked = self.players.decide(each, match.game.name, state, limit, lambda _: stopped.is_set())
                return each, await asked
            except SettingsError:
                if each == every[-1]:
                    raise
        raise AssertionError("there is always a solver")

    async def _hint(self, match: Match) -> None:
        at, state = match.at, match.state
        waits = await self.players.seconds_to_prepare(match.game.solver, match.game.name, state)
        _, decision = await self._decide(match, state, HINT, LIGHT if waits else "")
        await self.send(Hint(ply=at, step=await self.work(lambda: match.step(state, decision.move))))

    async def _par(self, match: Match) -> None:
        _, decision = await self._decide(match, match.states[0], PAR)
        if decision.score is not None:
            await self.send(Par(moves=int(decision.score), proven=decision.proven))

    async def _review(self, match: Match) -> None:
        spec, states, moves = "", list(match.states), list(match.moves)
        last = len(states) - (states[-1].outcome() is not None)
        seconds = min(LONGEST_LOOK, REVIEW / last)
        decisions: list[Decision | None] = []
        if preparing := await self.players.seconds_to_prepare(match.game.solver, match.game.name, states[0]):
            await self.send(review_of(match, states, moves, decisions, preparing=preparing))
        for at, state in enumerate(states[:last]):
            spec, decision = await self._decide(match, state, seconds, spec)
            if self._stopped.is_set() or match.moves != moves:
                break
            decisions.append(decision)
            match.thoughts[at] = await self.work(_bind(match, at, state, decision, spec))
            if at < last - 1:
                await self.send(await self.work(lambda: review_of(match, states, moves, decisions)))
        if match.moves == moves:
            await self.send(await self.work(lambda: review_of(match, states, moves, decisions, finished=True)))


def _bind(match: Match, at: int, state: Any, decision: Decision, spec: str) -> Callable[[], Any]:
    return lambda: match.thought(at, state, decision, solver=spec, done=True)


def review_of(
    match: Match,
    states: list[Any],
    moves: list[str],
    decisions: list[Decision | None],
    *,
    finished: bool = False,
    preparing: float = 0.0,
) -> Review:
    """What is known of a game when so many of its positions were looked at."""
    played = Played(match.game, states, moves, decisions)
    return Review(
        done=len(decisions),
        of=len(states) - (states[-1].outcome() is not None),
        finished=finished,
        values=match.values(),
        accuracy=played.accuracy(),
        costly=played.costly(),
        par=played.par(),
        preparing=preparing,
    )


def check(what: str, match: Match) -> None:
    """Raises SettingsError where there is no hint, par or review to be given."""
    seats = len(match.table.seats)
    if what == "HINT" and (match.state.outcome() is not None or (match.mover != PERSON and match.is_last)):
        raise SettingsError("a hint is for a person who is to move: wait for your turn")
    if what == "PAR" and seats > 1:
        raise SettingsError("a par is for games for one: others are won or lost")
    if what == "REVIEW" and (seats > 2 or not match.moves):
        raise SettingsError("a review is for games for one or two of which a move was made")
