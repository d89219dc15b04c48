"""The bundled games: a loopback server for their pages, and for the rules of those that have no page of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np

from games import GAMES, find_game
from games.core import BoardsightError, Cell, Drag, Options, SettingsError, Tap, Target

PAGES = Path(__file__).parent / "page"
"""The pages as they stand in the package: plain HTML, CSS and ES modules."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What the pages may load: nothing from anywhere else."""


SHARED = PAGES / "shared" / "settings.js"
"""What the pages have in common, the looks of boards of colours among it."""

ANY_GAME = "board"
"""The page on which any game can be played."""

LONGEST_POSITION = 20_000
"""Characters of a request at most: the longest position, of Blokus, has some 1,500."""


def has_page(game: str) -> bool:
    """Whether a page of that name is bundled, beside that of any game."""
    return (PAGES / f"{game}.html").is_file()


def skins_of(game: str) -> list[str]:
    """The looks that the page of `game` has, as its script names them.

    >>> skins_of("reversi")
    ['classic', 'dark']
    """
    own = PAGES / f"{game if has_page(game) else ANY_GAME}.js"
    named = (re.search(r"const SKINS = (\[.*?\])", script.read_text(encoding="utf-8")) for script in (own, SHARED))
    return next((list(json.loads(found[1])) for found in named if found), [])


class LoopbackServer:
    """Serves what `handler` answers on a free port of the loopback interface, inside a ``with`` block."""

    def __init__(self, handler: Callable[..., BaseHTTPRequestHandler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def port(self) -> int:
        """The TCP port that was free."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stop serving and give the port back; may be called twice."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PageServer(LoopbackServer):
    """Serves the bundled pages on a free port of the loopback interface, inside a ``with`` block.

    >>> with PageServer() as pages:
    ...     pages.url("flood_it", size=10, skin="dark").partition("/flood_it")[2]
    '.html?size=10&skin=dark'
    """

    def __init__(self) -> None:
        super().__init__(partial(RulesHandler, directory=str(PAGES)))

    def url(self, game: str, **settings: object) -> str:
        """The address of the page of `game`, its own or that of any game, with its `settings`; raises SettingsError."""
        if not has_page(game):
            if game not in GAMES:
                there_are = ", ".join(sorted({*GAMES, *(page.stem for page in PAGES.glob("*.html"))}))
                raise SettingsError(f"there is no page {game!r}; there are: {there_are}")
            game, settings = ANY_GAME, {"game": game, **settings}
        query = "?" + urlencode(settings, safe=",/") if settings else ""
        return f"http://127.0.0.1:{self.port}/{game}.html{query}"


class PageHandler(SimpleHTTPRequestHandler):
    """Serves the files of one folder, silently, under a policy that lets them load nothing from elsewhere."""

    policy = POLICY
    extensions_map = {  # noqa: RUF012  # the base class declares it so; the machine's own mime table may say otherwise
        "": "application/octet-stream",
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
    }

    def end_headers(self) -> None:
        """Send the policy with every answer."""
        self.send_header("Content-Security-Policy", self.policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def list_directory(self, path: str) -> None:  # type: ignore[override]
        """Show nobody what a folder holds."""
        self.send_error(404, "No such page")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal belongs to the game."""


class RulesHandler(PageHandler):
    """Also answers ``rules?game=NAME&position=TEXT&move=TEXT`` with what stands then, for the page of any game."""

    policy = f"{POLICY}; connect-src 'self'"

    def do_GET(self) -> None:
        """A file, or what the rules say."""
        asked = urlsplit(self.path)
        if asked.path != "/rules":
            super().do_GET()
            return
        status = HTTPStatus.OK
        try:
            if len(asked.query) > LONGEST_POSITION:
                raise SettingsError(
                    f"the request has {len(asked.query)} characters: at most {LONGEST_POSITION} are read"
                )
            answer = stand(dict(parse_qsl(asked.query)))
        except BoardsightError as error:
            status, answer = HTTPStatus.BAD_REQUEST, {"error": str(error)}
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def stand(asked: dict[str, str]) -> dict[str, Any]:
    """How a game stands: at a start dealt from ``seed``, or in ``position``, after ``move`` where that is named.

    Raises BoardsightError for what the rules refuse.

    >>> len(stand({"game": "connect_four"})["legal"])
    7
    """
    game = find_game(asked.get("game", ""))
    numbers = {name: asked[name] for name in ("rows", "cols", "seed") if name in asked}
    if not all(text.isascii() and text.isdecimal() and len(text) < 11 for text in numbers.values()):
        raise SettingsError("rows, cols and seed are whole numbers")
    rows, cols = (int(numbers[name]) if name in numbers else None for name in ("rows", "cols"))
    options = Options(rows, cols)
    if "position" in asked:
        state = game.parse(asked["position"], options)
    else:
        state = game.deal(np.random.default_rng(int(numbers.get("seed", 0))), options)
    if "move" in asked:
        state = state.play(game.parse_move(asked["move"], state))
    ended, moves = state.outcome(), state.legal_moves()
    return {
        "title": game.title,
        "drawn": game.drawn,
        "players": game.players,
        "position": game.format(state),
        "grid": game.show(state).grid.tolist(),
        "player": state.player,
        "legal": [
            {"move": game.format_move(move, state), "taps": taps_of(game.gestures(state, move))} for move in moves
        ],
        "over": ended and {"scores": ended.scores, "winner": ended.winner, "reason": ended.reason},
    }


def taps_of(gestures: Any) -> list[list[str]]:
    """The cells to press one after the other, each as ``row,col``, or those that do alike; none for other gestures."""
    taps: list[list[str]] = []
    for gesture in gestures:
        each: list[tuple[Target, ...]] = []
        if isinstance(gesture, Tap):
            each = [(gesture.target, *gesture.alternatives)]
        elif isinstance(gesture, Drag):
            each = [(gesture.start,), (gesture.end,)]
        taps += [[f"{at.row},{at.col}" for at in targets if isinstance(at, Cell)] for targets in each]
    return taps if taps and all(taps) else []
