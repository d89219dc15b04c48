"""The server of the analyst's table: HTTP for the page, and a WebSocket on which each connection plays its own game.

It listens on the loopback interface unless it is told otherwise.  Only pages it served itself may speak to it: the
WebSocket asks for their Origin, every request for a known Host, so that no other site can, even by a name of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from bot.protocol.values import values_of
from bot.web.messages import Catalogue, Error, GameInfo, Reply
from bot.web.players import Players
from bot.web.session import LONGEST_MESSAGE, Session
from bot.web.watching import Watched, follow, picture_file
from games import GAMES, find_game
from games.core import SettingsError
from solvers import DEFAULTS, solver_names

STATIC = Path(__file__).parent / "static"
"""The page as it stands in the package: plain HTML, CSS and ES modules."""

CONNECTIONS = 200
"""Connections at once; another one is refused."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

Tell = Callable[[Reply | Watched], Awaitable[None]]

TRY_LATER, POLICY_VIOLATION = 1013, 1008
"""WebSocket close codes, RFC 6455 and its registry."""


def build_app(
    *, names: Sequence[str] = LOOPBACK, connections: int = CONNECTIONS, runs: Path | None = None
) -> Starlette:
    """The application.

    names: by which host names it may be asked; others are refused.  runs: the folder whose runs may be watched.
    """
    players, lobby = Players(), Lobby(connections)

    async def play(socket: WebSocket) -> None:
        await lobby.serve(socket, players)

    async def watch(socket: WebSocket) -> None:
        await lobby.show(socket, runs)

    async def picture(request: Request) -> Response:
        try:
            path = request.path_params
            png = await asyncio.to_thread(picture_file, runs or Path(), path["run"], path["name"])
        except SettingsError as error:
            return PlainTextResponse(str(error), status_code=404)
        return Response(png, media_type="image/png")

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(players.close)

    routes: list[BaseRoute] = [
        WebSocketRoute("/play", play),
        WebSocketRoute("/watch", watch),
        Route("/runs/{run}/{name}", picture),
        Mount("/", StaticFiles(directory=STATIC, html=True)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, names=tuple(names))], lifespan=lifespan)


class Guard:
    """Refuses requests for another Host and WebSockets of another Origin, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on one connection, as ASGI applications do."""
        if scope["type"] == "websocket" and not self._may_speak(Headers(scope=scope)):
            await WebSocket(scope, receive, send).close(POLICY_VIOLATION, "not a page of this server")
            return
        if scope["type"] == "http" and not self._knows(Headers(scope=scope).get("host", "")):
            await PlainTextResponse("This server has another name.", status_code=421)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _may_speak(self, headers: Headers) -> bool:
        host = headers.get("host", "")
        return self._knows(host) and urlsplit(headers.get("origin", "")).netloc == host

    def _knows(self, host: str) -> bool:
        return host.removesuffix(":" + host.rpartition(":")[2]) in self._names or host in self._names


class Lobby:
    """Lets so many connections in, and gives each a Session, or a run to watch."""

    def __init__(self, connections: int) -> None:
        self._free = connections
        self._catalogue = catalogue()

    async def serve(self, socket: WebSocket, players: Players) -> None:
        """Have the page at the other end play, until it goes."""
        async with self._seat(socket) as send:
            if send is None:
                return
            session = Session(send, players)
            try:
                await send(self._catalogue)
                while (message := await socket.receive())["type"] == "websocket.receive":
                    await session.hear(message.get("text") or message.get("bytes") or "")
            finally:
                await session.close()

    async def show(self, socket: WebSocket, runs: Path | None) -> None:
        """Tell the page at the other end what the bot does, until it goes: its query names the ``run``, or none."""
        async with self._seat(socket) as send:
            if send is None:
                return
            telling = asyncio.create_task(self._tell(send, runs, socket.query_params.get("run", "")))
            try:
                while (await socket.receive())["type"] == "websocket.receive":
                    pass
            finally:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)

    async def _tell(self, send: Tell, runs: Path | None, name: str) -> None:
        try:
            if runs is None:
                raise SettingsError("this server shows no runs: start it with --runs FOLDER")
            async for line in follow(runs, name):
                await send(line)
        except SettingsError as error:
            await send(Error(error=type(error).__name__, message=str(error)))

    @contextlib.asynccontextmanager
    async def _seat(self, socket: WebSocket) -> AsyncIterator[Tell | None]:
        """What sends a reply to the page; None where every table is taken."""
        await socket.accept()
        if not self._free:
            await socket.close(TRY_LATER, "every table is taken: try again later")
            yield None
            return
        self._free -= 1

        async def send(reply: Reply | Watched) -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the page has gone: `receive` says so, too
                await socket.send_text(reply.model_dump_json())

        try:
            yield send
        finally:
            self._free += 1


def catalogue() -> Catalogue:
    """Every game of the registry, with its solvers and its usual variant."""
    import numpy as np

    games = []
    for name in GAMES:
        game = find_game(name)
        options = values_of(game.options(game.deal(np.random.default_rng(0))))
        usual = DEFAULTS.get(name, "random")
        games.append(
            GameInfo(name=name, players=game.players, solvers=solver_names(name), solver=usual, options=options)
        )
    return Catalogue(games=games)


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens there, port 0 for a free one; raises SettingsError that says what to do."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=256)
    except (OSError, OverflowError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise SettingsError(
            f"cannot listen on {host}, port {port} ({reason}): choose others with --host, --port"
        ) from None
    return listening


def configured(app: Starlette) -> uvicorn.Server:
    """The server with its bounds: a message 16 times too long ends its connection before it is held in memory."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=16 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    log = logging.getLogger("uvicorn.error")  # its filters are a list: one is enough for all servers
    if _without_trace_of_text not in log.filters:
        log.addFilter(_without_trace_of_text)
    return uvicorn.Server(config)


def _without_trace_of_text(record: logging.LogRecord) -> bool:
    """Has a frame of text that is no UTF-8, which ends its connection with close code 1007, told of in one line."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


class ViewerServer:
    """Serves the table on a free port of the loopback interface from a thread of its own, inside a ``with`` block."""

    def __init__(self, app: Starlette | None = None, *, port: int = 0) -> None:
        self._socket = bind("127.0.0.1", port)
        self._server = configured(app or build_app())
        run = {"sockets": [self._socket]}
        self._thread = threading.Thread(target=self._server.run, kwargs=run, name="table", daemon=True)

    @property
    def port(self) -> int:
        """The TCP port that was free."""
        return int(self._socket.getsockname()[1])

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
