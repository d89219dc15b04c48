"""A page on which a person points at two corner cells of a board on a screenshot, served on the loopback interface."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import Any

from bot.storage.pictures import encode_png
from bot.web.pages import POLICY, LoopbackServer, PageHandler
from calibration.answer import summary
from calibration.board import Calibration
from calibration.frame import Frame, Pixel
from calibration.locate import locate
from calibration.looks import reader_of
from calibration.overlay import overlay
from games.core import BoardsightError, SettingsError

FOLDER = Path(__file__).parent / "assist_page"
"""The page as it stands in the package."""

LONGEST = 10_000
"""Bytes of a wish; more is none of the page's."""


class AssistServer(LoopbackServer):
    """Lets a person point at the board in `frame`, inside a ``with`` block; `wait` gives what was confirmed.

    Only who knows `url`, which holds a secret, sees the screenshot.  game: its name; None: it is told from the picture.
    """

    def __init__(self, frame: Frame, game: str | None = None) -> None:
        self.frame, self.game = frame, game
        self._secret = secrets.token_urlsafe(16)
        self._calibration: Calibration | None = None
        self._ended, self._busy = Event(), Lock()
        self._pictures = {"screenshot.png": encode_png(frame.pixels)}
        super().__init__(partial(_AssistHandler, self, directory=str(FOLDER)))

    @property
    def host(self) -> str:
        """The address without the secret, as browsers name it to the server."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{self.host}/{self._secret}/assist.html"

    def wait(self) -> Calibration:
        """The board that the person confirms, as soon as that happens; raises SettingsError where none is wanted."""
        while not self._ended.wait(0.2):  # in short waits, so that Ctrl-C is heard
            pass
        if self._calibration is None:
            raise SettingsError("no board was pointed at: nothing is saved")
        return self._calibration

    def inner_path(self, path: str, host: str | None) -> str | None:
        """What stands behind the secret, None for anybody who does not know it or was led here by another page."""
        secret, _, rest = path.partition("?")[0].lstrip("/").partition("/")
        known = secrets.compare_digest(secret.encode(), self._secret.encode())
        return rest if known and host == self.host else None

    def picture(self, name: str) -> bytes | None:
        """A picture of the page as PNG: the screenshot, or what is seen on it."""
        return self._pictures.get(name)

    def look(self, wish: dict[str, Any]) -> dict[str, Any]:
        """What lies between the corners of a wish: ``{"first": [x, y], "last": [x, y], "rows", "cols"}``."""
        first, last = (Pixel(*map(float, wish[name])) for name in ("first", "last"))
        size = (int(wish["rows"]), int(wish["cols"])) if wish.get("rows") and wish.get("cols") else None
        with self._busy:
            self._calibration = found = locate(self.frame, self.game, corners=(first, last), size=size)
            seen = reader_of(found).read(self.frame)
            self._pictures["seen.png"] = encode_png(overlay(self.frame, found, seen))
        lattice = found.lattice
        return {
            "rows": lattice.rows,
            "cols": lattice.cols,
            "message": f"{summary(found, seen)}, {len(found.controls) or 'no'} controls, "
            f"confidence {found.confidence:.2f}",
        }

    def end(self, wish: dict[str, Any]) -> dict[str, Any]:
        """Takes the board that was seen last, or none where the wish has no ``keep``."""
        if not wish.get("keep"):
            self._calibration = None
        elif self._calibration is None:
            raise SettingsError("point at the two corner cells first")
        self._ended.set()
        return {"message": "Saved: close this page." if wish.get("keep") else "Nothing is saved: close this page."}


class _AssistHandler(PageHandler):
    policy = POLICY + "; connect-src 'self'"

    def __init__(self, assist: AssistServer, *args: Any, **kwargs: Any) -> None:
        self._assist = assist
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:  # noqa: N802  # the name that the base class calls
        inner = self._assist.inner_path(self.path, self.headers.get("Host"))
        picture = None if inner is None else self._assist.picture(inner)
        if picture is not None:
            self._send(200, "image/png", picture)
        elif inner is None:
            self.send_error(404, "No such page")
        else:
            self.path = f"/{inner}"
            super().do_GET()

    def do_POST(self) -> None:  # noqa: N802
        inner = self._assist.inner_path(self.path, self.headers.get("Host"))
        wishes: dict[str | None, Callable[[dict[str, Any]], dict[str, Any]]]
        wishes = {"look": self._assist.look, "end": self._assist.end}
        if inner not in wishes or self.headers.get("Content-Type") != "application/json":
            self.send_error(404, "No such page")
            return
        try:
            length = max(0, min(LONGEST, int(self.headers.get("Content-Length", 0))))
            answer = wishes[inner](json.loads(self.rfile.read(length)))
        except BoardsightError as problem:
            answer = {"error": str(problem)}
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as problem:
            answer = {"error": f"that is no wish of this page: {problem!r}"}
        self._send(200, "application/json", json.dumps(answer).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
