"""The server of the analyst's table: HTTP for the page, and a WebSocket on which each connection plays its own game.

It listens on the loopback interface unless it is told otherwise, and answers only who has its token (see
`bot.web.token`).  Only pages it served itself may speak to it: the WebSocket asks for their Origin, every request for
a known Host, so that no other site can, even by a name of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from bot.web.documents import Documents
from bot.web.fair import FairPool
from bot.web.gate import BACKLOG, GatedHTTP, keep_logs_small
from bot.web.lobby import CONNECTIONS, IDLE, Lobby
from bot.web.offline import WORKER, worker
from bot.web.pages import PAGES
from bot.web.players import Players
from bot.web.session import LONGEST_MESSAGE
from bot.web.token import asked_with, choose_token, cookie_for, cookie_name, is_token, kept_in, with_token
from bot.web.trainings import Shelf, curves_of
from bot.web.watching import picture_file
from bot.web.words import languages_in
from games.core import SettingsError

STATIC = Path(__file__).parent / "static"
"""The page as it stands in the package: plain HTML, CSS and ES modules."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; "
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
SMALL = 1_000
"""Bytes of a file that is sent as it is; larger ones are packed, so that the page weighs a third."""

STRANGER = "This page asks for a token: open the address that its terminal printed."
OWN_RIVALS = "/pages/"
"""Where the bundled games stand, whose pages have rivals of their own; their options are a form."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

POLICY_VIOLATION = 1008
"""A WebSocket close code, RFC 6455 and its registry."""


def build_app(
    token: str,
    *,
    names: Sequence[str] = LOOPBACK,
    connections: int = CONNECTIONS,
    idle: float = IDLE,
    runs: Path | None = None,
    static: Path = STATIC,
) -> Starlette:
    """The application.

    token: what it is asked with.  names: by which host names it may be asked; others are refused.
    connections: seats, of which one that was silent for `idle` seconds is given up for another.
    runs: the folder whose runs are listed, watched and played.  static: the page's files.
    """
    shelf = Shelf(runs)
    players, pool = Players(shelf=shelf), FairPool()
    lobby = Lobby(players, pool, shelf, seats=connections, idle=idle)

    async def play(socket: WebSocket) -> None:
        await lobby.serve(socket)

    async def watch(socket: WebSocket) -> None:
        await lobby.show(socket, runs)

    async def picture(request: Request) -> Response:
        try:
            path = request.path_params
            png = await asyncio.to_thread(picture_file, runs or Path(), path["run"], path["name"])
        except SettingsError as error:
            return PlainTextResponse(str(error), status_code=404)
        return Response(png, media_type="image/png")

    async def every_run(_: Request) -> Response:
        listed = await asyncio.to_thread(shelf.runs)
        return JSONResponse([run.model_dump() for run in listed])

    async def curves(request: Request) -> Response:
        try:
            told = await asyncio.to_thread(curves_of, shelf.folder, request.path_params["run"])
        except SettingsError as error:
            return PlainTextResponse(str(error), status_code=404)
        return JSONResponse(told.model_dump())

    async def languages(_: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(languages_in, static / "words"))

    async def service_worker(_: Request) -> Response:
        script = await asyncio.to_thread(worker, {"/": static, OWN_RIVALS: PAGES})
        return Response(script, media_type="text/javascript")

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(players.close)
        await asyncio.to_thread(pool.close)

    routes: list[BaseRoute] = [
        WebSocketRoute("/play", play),
        WebSocketRoute("/watch", watch),
        Route("/runs", every_run),
        Route("/runs/{run}", curves),
        Route("/runs/{run}/{name}", picture),
        Route("/languages", languages),
        Route(f"/{WORKER}", service_worker),
        Mount(OWN_RIVALS.rstrip("/"), StaticFiles(directory=PAGES, html=True)),
        Mount("/", GZipMiddleware(Documents(static), minimum_size=SMALL)),
    ]
    guard = Middleware(Guard, names=tuple(names), token=token)
    return Starlette(routes=routes, middleware=[guard], lifespan=lifespan)


class Guard:
    """Refuses who lacks the token, requests for another Host and WebSockets of another Origin; adds the headers."""

    def __init__(self, app: ASGIApp, names: Sequence[str], token: str) -> None:
        self._app, self._names, self._token = app, names, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on one connection, as ASGI applications do."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookie = cookie_name((scope.get("server") or ("", ""))[1])
        asked = is_token(asked_with(scope["query_string"].decode("latin-1")), self._token)
        knows = asked or is_token(kept_in(headers.get("cookie", ""), cookie), self._token)
        if scope["type"] == "websocket":
            if knows and self._may_speak(headers):
                await self._app(scope, receive, send)
            else:
                await WebSocket(scope, receive, send).close(POLICY_VIOLATION, "not a page of this server")
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                told.update(HEADERS)
                if scope["path"].startswith(OWN_RIVALS):
                    told["Content-Security-Policy"] = POLICY.replace("form-action 'none'", "form-action 'self'")
                if asked:
                    told.append("Set-Cookie", cookie_for(cookie, self._token))
            await send(message)

        if not self._knows(headers.get("host", "")):
            asked = False
            answer = PlainTextResponse("This server has another name.", status_code=421)
            await answer(scope, receive, send_with_headers)
        elif not knows:
            answer = PlainTextResponse(STRANGER, status_code=403)
            await answer(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _may_speak(self, headers: Headers) -> bool:
        host = headers.get("host", "")
        return self._knows(host) and urlsplit(headers.get("origin", "")).netloc == host

    def _knows(self, host: str) -> bool:
        return host.removesuffix(":" + host.rpartition(":")[2]) in self._names or host in self._names


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens there, port 0 for a free one; raises SettingsError that says what to do."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
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
        http=GatedHTTP,
        backlog=BACKLOG,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=16 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    keep_logs_small()
    return uvicorn.Server(config)


class ViewerServer:
    """Serves the table on a free port of the loopback interface from a thread of its own, inside a ``with`` block.

    token: "" for a fresh one.  settings: those of `build_app`.
    """

    def __init__(self, *, port: int = 0, token: str = "", **settings: Any) -> None:
        self._socket = bind("127.0.0.1", port)
        self.token = token or choose_token(os.environ)
        self._server = configured(build_app(self.token, **settings))
        run = {"sockets": [self._socket]}
        self._thread = threading.Thread(target=self._server.run, kwargs=run, name="table", daemon=True)

    @property
    def port(self) -> int:
        """The TCP port that was free."""
        return int(self._socket.getsockname()[1])

    @property
    def origin(self) -> str:
        """What its pages name as their Origin."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The page's address, with the token."""
        return self.address("")

    def address(self, path: str) -> str:
        """The address of something it serves, with the token."""
        return with_token(f"{self.origin}/{path}", self.token)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
