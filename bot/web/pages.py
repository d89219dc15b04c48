"""The bundled games: a loopback server for their pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Self
from urllib.parse import urlencode

from games.core import SettingsError

PAGES = Path(__file__).parent / "page"
"""The pages as they stand in the package: plain HTML, CSS and ES modules."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What the pages may load: nothing from anywhere else."""


def has_page(game: str) -> bool:
    """Whether a page of that name is bundled."""
    return (PAGES / f"{game}.html").is_file()


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
        super().__init__(partial(PageHandler, directory=str(PAGES)))

    def url(self, game: str, **settings: object) -> str:
        """The address of the page of `game` with its `settings`; raises SettingsError for a page there is not."""
        if not has_page(game):
            there_are = ", ".join(sorted(page.stem for page in PAGES.glob("*.html")))
            raise SettingsError(f"there is no page {game!r}; there are: {there_are}")
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
