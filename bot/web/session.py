"""One connection: its messages in order, its match, and the search that runs for it."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from pydantic import ValidationError

from bot.web.aside import Aside
from bot.web.fair import FairPool, Share
from bot.web.match import Match, OutOfTurnError
from bot.web.messages import (
    PERSON,
    REQUESTS,
    VERSION,
    AsideRequest,
    Error,
    GameOver,
    InitRequest,
    LookRequest,
    MoveRequest,
    Reply,
    Request,
    SeatsRequest,
    ThinkRequest,
    Thought,
    UndoRequest,
    Update,
)
from bot.web.players import Players
from games.core import BoardsightError, SettingsError
from solvers import LIGHT
from solvers.core import Decision, Limit

LONGEST_MESSAGE = 1 << 16
"""Characters of a message; a longer one is answered by ERROR, one of 16 times as many ends its connection."""

RATE, BURST = 50.0, 100
"""Messages a second that are followed, and how many may come at once; others wait, and with them their sender."""

TOLD = 0.1
"""Seconds between two UPDATEs of a search: what a person can follow."""

Send = Callable[[Reply], Awaitable[None]]

T = TypeVar("T")


@dataclass(eq=False)
class Session:
    """Follows the messages of one connection; `send` gives it a reply.

    Positions are worked out by `pool`, so that the event loop is free for others.
    """

    send: Send
    players: Players
    pool: FairPool
    share: Share = field(default_factory=Share)
    match: Match | None = None
    rng: np.random.Generator = field(default_factory=np.random.default_rng)
    _search: asyncio.Task[None] | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)
    _budget: float = float(BURST)
    _seen: float = field(default_factory=time.monotonic)
    _left: threading.Event = field(default_factory=threading.Event)
    _telling: asyncio.Future[None] | None = None
    _aside: Aside = field(init=False)

    def __post_init__(self) -> None:
        self._aside = Aside(self.send, self._refuse, self.players, self._work)

    async def hear(self, text: str | bytes) -> None:
        """Follow one message; whatever is wrong with it is answered by an ERROR."""
        await self._wait_for_rate()
        try:
            await self._follow(parse(text))
        except Exception as error:  # neither a wrong message nor a fault of ours may end a game
            await self._refuse(error)

    async def _refuse(self, error: Exception) -> None:
        message = str(error)
        if not isinstance(error, BoardsightError):
            logging.getLogger("boardsight.table").error("a message could not be followed", exc_info=error)
            message = "this is a fault of the server: its terminal says more"
        await self.send(Error(error=type(error).__name__, message=message))

    async def close(self) -> None:
        """End the search that runs, and the work that is under way."""
        self._left.set()
        await self._aside.end()
        await self._stop()

    async def _work(self, work: Callable[[], T]) -> T:
        return await self.pool.run(self.share, work)

    async def _wait_for_rate(self) -> None:
        now = time.monotonic()
        self._budget = min(BURST, self._budget + (now - self._seen) * RATE) - 1
        self._seen = now
        if self._budget < 0:
            await asyncio.sleep(-self._budget / RATE)

    async def _follow(self, request: Request) -> None:
        if isinstance(request, InitRequest):
            match = await self._work(lambda: self._begin(request))
            await self._aside.end()
            await self._stop()
            self.match = match
            await self._show()
            return
        match = self._present()
        if isinstance(request, AsideRequest):
            await self._aside.begin(request.what, match)
            return
        if isinstance(request, ThinkRequest):
            if request.on and self._search is None and match.state.outcome() is None:
                self._think(match.mover if match.mover != PERSON else match.table.analyst)
            elif not request.on:
                self._stopped.set()
            return
        if isinstance(request, MoveRequest | UndoRequest) and self._aside.what == "HINT":
            await self._aside.end()
        await self._change(match, request)
        await self._show()

    def _begin(self, request: InitRequest) -> Match:
        match = Match.begin(request, self.rng, self._left, self.players.find)
        match.board()  # draws it here, so that it is at hand when it is shown
        return match

    async def _change(self, match: Match, request: MoveRequest | UndoRequest | LookRequest | SeatsRequest) -> None:
        if isinstance(request, MoveRequest):
            match.check_turn(request.move, request.ply)
            before = match.state
            move, after = await self._work(lambda: match.after(request.move))  # one that is refused lets the search be
            await self._stop()
            if match.state is not before:
                raise OutOfTurnError(f"the search made its move before {request.move!r}: look at the last UPDATE")
            match.play(move, after)
        elif isinstance(request, UndoRequest):
            await self._stop()
            match.undo()
        elif isinstance(request, LookRequest):
            await self._stop()
            match.look(request.ply)
        else:
            await self._stop()
            await self._work(lambda: match.seat(request))

    def _present(self) -> Match:
        if self.match is None:
            raise SettingsError("there is no game yet: send INIT first")
        return self.match

    async def _show(self) -> None:
        """Send the position looked at, and have whoever is to move there think about it."""
        match = self._present()
        board = match.board() if match.is_drawn else await self._work(match.board)
        values = match.values() if match.table.analysis else None
        outcome = match.state.outcome()
        if outcome is not None:
            end = {"winner": outcome.winner, "scores": list(outcome.scores), "reason": outcome.reason}
            await self.send(GameOver(board=board, values=values, **end))
            return
        spec = "" if match.waits else match.thinker
        known = match.thoughts.get(match.at) if match.table.analysis else None
        plays = match.mover == spec and match.is_last
        if known is not None and known.done and (not spec or (match.answers(known, spec) and not plays)):
            await self._tell_whether(Update(thinking=False, board=board, thought=known, values=values))
            return
        await self._tell_whether(Update(thinking=bool(spec), board=board, values=values))
        self._think(spec)

    async def _tell_whether(self, update: Update) -> None:
        """Send an UPDATE; by the time that one says that nobody thinks the next search may begin."""
        if not update.thinking:
            self._rest()
        await self.send(update)

    def _rest(self) -> None:
        """Put the search whose task this is away, as it has nothing more to find."""
        if self._search is asyncio.current_task():
            self._search = None

    def _think(self, spec: str) -> None:
        if spec:
            self._stopped = threading.Event()
            self._search = asyncio.create_task(self._search_for(spec, self._stopped))

    async def _stop(self) -> None:
        """End the search that runs and forget what it says."""
        search, self._search = self._search, None
        self._stopped.set()
        if search is not None:
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)

    async def _search_for(self, spec: str, stopped: threading.Event) -> None:
        """Think about the position looked at, telling the page about it; a solver whose turn it is then plays."""
        match = self._present()
        plays = match.mover == spec and match.is_last
        began = time.monotonic()
        try:
            decision = await self._thought_of(match, spec, stopped, plays=plays)
        except Exception as error:
            await self._refuse(error)
            await self._tell_whether(Update(thinking=False))
            return
        if plays:
            if PERSON not in match.table.seats:
                await asyncio.sleep(max((match.table.pace or 0) - (time.monotonic() - began), 0))
            match.play(*await self._work(lambda: match.after(match.game.format_move(decision.move, match.state))))
            await self._show()  # still as the search, so that what comes meanwhile ends it
        self._rest()

    async def _thought_of(self, match: Match, spec: str, stopped: threading.Event, *, plays: bool) -> Decision:
        """What is decided in the position looked at; the page is told, where it is to be told anything."""
        told, at, state = match.table.analysis, match.at, match.state
        if preparing := await self.players.seconds_to_prepare(spec, match.game.name, state):
            await self.send(Update(thinking=True, preparing=preparing))
            light = await self._decide(match, LIGHT, stopped)
            if told:
                thought = await self._work(lambda: match.thought(at, state, light, solver=LIGHT, done=False))
                await self.send(Update(thinking=True, thought=thought))
            if plays:
                spec, decision = LIGHT, light
        if not (preparing and plays):
            decision = await self._decide(match, spec, stopped)
        if not told:
            return decision
        thought = await self._work(lambda: match.thought(at, state, decision, solver=spec, done=True))
        match.thoughts[match.at] = thought
        others = [] if plays or stopped.is_set() else await self._work(lambda: match.unscored(decision))
        await self._tell_whether(Update(thinking=plays or bool(others), thought=thought, values=match.values()))
        if others:
            await self._look_at(match, others, thought, stopped)
        return decision

    async def _look_at(
        self, match: Match, moves: list[tuple[Any, Any]], thought: Thought, stopped: threading.Event
    ) -> None:
        """Ask the same solver for the score of moves its decision tells none of, within as much time once more."""
        limit = Limit(seconds=match.table.seconds / len(moves))
        for move, after in moves:
            decision = await self.players.decide(
                thought.solver, match.game.name, after, limit, lambda _: stopped.is_set()
            )
            if stopped.is_set():
                break
            other = match.other(move, after, decision)
            if other is not None:
                thought = thought.model_copy(update={"others": [*thought.others, other]})
                match.thoughts[match.at] = thought
                await self.send(Update(thinking=True, thought=thought))
        await self._tell_whether(Update(thinking=False))

    async def _decide(self, match: Match, spec: str, stopped: threading.Event) -> Decision:
        loop, told = asyncio.get_running_loop(), time.monotonic()
        state, at, table = match.state, match.at, match.table

        def progress(decision: Decision) -> bool:
            nonlocal told
            if table.analysis and time.monotonic() - told >= TOLD and not stopped.is_set():
                told = time.monotonic()
                thought = match.thought(at, state, decision, solver=spec, done=False)
                loop.call_soon_threadsafe(self._tell, match, state, thought, stopped)
            return stopped.is_set()

        limit = Limit(seconds=table.seconds, lines=table.lines if table.lines > 1 and table.analysis else None)
        return await self.players.decide(spec, match.game.name, state, limit, progress)

    def _tell(self, match: Match, state: object, thought: Thought, stopped: threading.Event) -> None:
        """Send how far a search has come, unless it was ended or the page has not taken what was sent before."""
        current = self.match is match and match.state is state and self._search is not None and not self._left.is_set()
        if current and self._stopped is stopped and (self._telling is None or self._telling.done()):
            match.thoughts[match.at] = thought
            self._telling = asyncio.ensure_future(self.send(Update(thinking=True, thought=thought)))


def parse(text: str | bytes) -> Request:
    """The request in a message; raises SettingsError that says what is wrong with it."""
    if len(text) > LONGEST_MESSAGE:
        raise SettingsError(f"the message has {len(text)} characters: at most {LONGEST_MESSAGE} are read")
    try:
        request = REQUESTS.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "the message"
        raise SettingsError(f"{where}: {first['msg']}") from None
    if isinstance(request, InitRequest) and request.version != VERSION:
        raise SettingsError(f"the page speaks version {request.version}, this server {VERSION}: load the page again")
    return request
