"""Who may sit at the tables: WebSockets take a seat when they speak, and give it up when they are silent for long."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.protocol.values import values_of
from bot.web.fair import FairPool
from bot.web.gate import address_of
from bot.web.marks import drawing_of
from bot.web.match import LEVEL
from bot.web.messages import Catalogue, Error, GameInfo, Reply
from bot.web.players import Players
from bot.web.session import Session
from bot.web.trainings import Shelf
from bot.web.watching import Watched, follow
from games import GAMES, find_game
from games.core import Game, SettingsError
from solvers import solver_names
from solvers.levels import STRONGEST
from solvers.models import models_of

CONNECTIONS, OF_ADDRESS = 200, 150
"""Seats, and those that one address may take; another one is refused."""

SILENT, WATCHERS = 64, 64
"""WebSockets that have not spoken yet, and those that watch, at once; for another, the eldest is given up."""

SPEAKS, IDLE, LONGEST_IDLE = 30.0, 60.0, 3600.0
"""Seconds in which a new WebSocket must speak, after which a silent seat is given up where others want one, and always.

A page whose connection is given up makes another and takes its game up again.
"""

TAKEN = 30.0
"""Seconds in which a reply must have been taken."""

MOST_WAITING, MOST_BYTES = 1_000, 2 << 20
"""Messages that wait to be followed and their bytes; more of them end their connection."""

TRY_LATER, POLICY_VIOLATION = 1013, 1008
"""WebSocket close codes, RFC 6455 and its registry."""


@dataclass(eq=False)
class Guest:
    """One WebSocket.  heard: when it spoke last.  told_to_go: the close code and the reason, once it is given up."""

    socket: WebSocket
    address: str
    heard: float = field(default_factory=time.monotonic)
    told_to_go: tuple[int, str] | None = None
    going: asyncio.Event = field(default_factory=asyncio.Event)

    def give_up(self, code: int, reason: str) -> None:
        """End its connection soon."""
        if self.told_to_go is None:
            self.told_to_go = code, reason
        self.going.set()

    async def send(self, reply: Reply | Watched) -> None:
        """Send it a reply; one that is not taken in time ends the connection."""
        try:
            async with asyncio.timeout(TAKEN):
                await self.socket.send_text(reply.model_dump_json())
        except TimeoutError:
            self.give_up(POLICY_VIOLATION, "replies were not taken")
        except (WebSocketDisconnect, RuntimeError):
            pass  # the page has gone: `receive` says so, too


class Lobby:
    """Lets so many connections in, and gives each a Session, or a run to watch."""

    def __init__(
        self, players: Players, pool: FairPool, shelf: Shelf, *, seats: int = CONNECTIONS, idle: float = IDLE
    ) -> None:
        self._players, self._pool, self._shelf = players, pool, shelf
        self._seats, self._idle = seats, idle
        self._silent: list[Guest] = []
        self._seated: list[Guest] = []
        self._watchers: list[Guest] = []
        self._catalogue = catalogue()

    async def serve(self, socket: WebSocket) -> None:
        """Have the page at the other end play, until it goes."""
        async with _greeted(socket, self._silent, SILENT) as guest:
            session = Session(guest.send, self._players, self._pool)
            try:
                await guest.send(await asyncio.to_thread(self._with_players))
                messages: asyncio.Queue[str | bytes] = asyncio.Queue()
                await _until_one_ends(
                    guest.going.wait(), self._listen(guest, messages), _follow_each(messages, session)
                )
            finally:
                await session.close()
                _take_out(guest, self._seated)

    def _with_players(self) -> Catalogue:
        """The catalogue with the players that trainings have left by now."""
        games = [
            game.model_copy(update={"solvers": [*game.solvers, *self._shelf.players(game.name)]})
            for game in self._catalogue.games
        ]
        return self._catalogue.model_copy(update={"games": games})

    async def show(self, socket: WebSocket, runs: Path | None) -> None:
        """Tell the page at the other end what the bot does, until it goes: its query names the ``run``, or none."""
        async with _greeted(socket, self._watchers, WATCHERS) as guest:
            name = socket.query_params.get("run", "")
            await _until_one_ends(guest.going.wait(), _ignore(guest), _tell(guest, runs, name))

    async def _listen(self, guest: Guest, messages: asyncio.Queue[str | bytes]) -> None:
        """Put what comes into `messages`, at once, so that it is seen when the page goes."""
        sizes: list[int] = []
        while True:
            try:
                async with asyncio.timeout(LONGEST_IDLE if guest in self._seated else SPEAKS):
                    message = await guest.socket.receive()
            except TimeoutError:
                guest.give_up(TRY_LATER, "nothing was said")
                return
            if message["type"] != "websocket.receive":
                return
            guest.heard = time.monotonic()
            if guest not in self._seated and not self._seat(guest):
                guest.give_up(TRY_LATER, "every table is taken: try again later")
                return
            text = message.get("text") or message.get("bytes") or ""
            sizes.append(len(text))
            del sizes[: len(sizes) - 1 - messages.qsize()]  # those of what still waits, and of this one
            if len(sizes) > MOST_WAITING or sum(sizes) > MOST_BYTES:
                guest.give_up(POLICY_VIOLATION, "too many messages wait")
                return
            messages.put_nowait(text)

    def _seat(self, guest: Guest) -> bool:
        """Whether it found a seat: a free one, or one whose guest has long been silent."""
        if sum(each.address == guest.address for each in self._seated) >= OF_ADDRESS:
            return False
        if len(self._seated) >= self._seats:
            eldest = min(self._seated, key=lambda each: each.heard)
            if guest.heard - eldest.heard < self._idle:
                return False
            _take_out(eldest, self._seated)
            eldest.give_up(TRY_LATER, "another page wants this seat")
        _take_out(guest, self._silent)
        self._seated.append(guest)
        return True


@contextlib.asynccontextmanager
async def _greeted(socket: WebSocket, among: list[Guest], most: int) -> AsyncIterator[Guest]:
    """A new guest, for whom the eldest `among` so many makes room; its connection is closed at the end."""
    await socket.accept()
    guest = Guest(socket, address_of(socket.client))
    among.append(guest)
    if len(among) > most:
        among.pop(0).give_up(TRY_LATER, "others wait")
    try:
        yield guest
    finally:
        _take_out(guest, among)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone
            await socket.close(*(guest.told_to_go or (1000, "")))


async def _until_one_ends(*works: Coroutine[Any, Any, object]) -> None:
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _follow_each(messages: asyncio.Queue[str | bytes], session: Session) -> None:
    while True:
        await session.hear(await messages.get())


async def _ignore(guest: Guest) -> None:
    while (await guest.socket.receive())["type"] == "websocket.receive":
        pass


async def _tell(guest: Guest, runs: Path | None, name: str) -> None:
    try:
        if runs is None:
            raise SettingsError("this server shows no runs: start it with --runs FOLDER")
        async for line in follow(runs, name):
            await guest.send(line)
    except SettingsError as error:
        await guest.send(Error(error=type(error).__name__, message=str(error)))
        await guest.going.wait()  # else the page would ask again and again


def _take_out(guest: Guest, among: list[Guest]) -> None:
    if guest in among:
        among.remove(guest)


def fields_of(game: Game[Any, Any], options: Mapping[str, int | str]) -> list[str | list[str]]:
    """What a person may choose of a new game: the numbers of its usual variant, for one a limit, and a variant."""
    numbers = [name for name, value in options.items() if isinstance(value, int)]
    limit = ["limit"] if game.players == 1 else []
    return [*numbers, *limit, *([["", *game.offered]] if game.offered else [])]


def catalogue() -> Catalogue:
    """Every game of the registry, with its solvers and its usual variant."""
    import numpy as np

    games = []
    for name in GAMES:
        game = find_game(name)
        options = values_of(game.options(game.deal(np.random.default_rng(0))))
        games.append(
            GameInfo(
                name=name,
                title=game.title,
                drawing=drawing_of(name),
                drawn=game.drawn,
                falls=game.pieces_fall,
                players=game.players,
                solvers=solver_names(name),
                models=list(models_of(name)),
                levels=STRONGEST if LEVEL in solver_names(name) else 0,
                solver=game.solver,
                options=options,
                fields=fields_of(game, options),
            )
        )
    return Catalogue(games=games)
