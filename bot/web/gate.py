"""What keeps the server's connections few and short: silent, slow and idle ones make room, and logs stay small.

The time limits and the numbers stand against 1,500 connections that send a header a byte at a time: without them, they
held the server for good.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 10.0
"""Seconds in which a request's head must have come, and a connection may be idle after its answer."""

ANSWERED = 60.0
"""Seconds in which an answer must have been taken."""

MOST, MOST_OF_ADDRESS = 600, 500
"""HTTP connections at once, and those of one address; for another one, the one that waits longest is given up.

With the WebSockets they stay under the 1,024 files that a process may usually open.  Many, so that a connection is not
given up before it could speak where hundreds a second are made.
"""

BACKLOG = 128
"""Connections that wait to be accepted, and are accepted in one turn of the event loop."""

SHOWN, MINUTE = 3, 60.0
"""Lines of one kind that the log shows in so many seconds; the first of them has its traceback."""

LONGEST_LINE = 2_000
"""Characters of a message in the log."""


def address_of(client: Any) -> str:
    """Whose connection it is: the IPv4 address, or the first 64 bits of IPv6's, which a client chooses the rest of.

    >>> address_of(("2001:db8::1:2", 5)), address_of(("127.0.0.1", 5))
    ('2001:db8::/64', '127.0.0.1')
    """
    host = str(client[0]) if client else ""
    if ":" not in host:
        return host
    return str(ipaddress.ip_network((host.partition("%")[0], 64), strict=False))


class GatedHTTP(H11Protocol):
    """An HTTP connection with time limits, one of so many."""

    began: float
    address: str
    _deadline: asyncio.TimerHandle | None = None
    _answering: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin its time, and make room for it."""
        super().connection_made(transport)
        self.began, self.address = self.loop.time(), address_of(self.client)
        self._allow(HEAD)
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """End its time."""
        self._forget_deadline()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Give the answer its time as soon as a request is whole."""
        super().handle_events()
        if self.cycle is not None and self.cycle is not self._answering and not self.cycle.response_complete:
            self._answering = self.cycle
            self._allow(ANSWERED)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand it on: WebSockets have limits of their own."""
        self._forget_deadline()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Begin the time for the next request."""
        super().on_response_complete()
        self._answering = None
        self._allow(HEAD)

    @property
    def waits(self) -> bool:
        """Whether it has asked for nothing that is not answered."""
        return self._answering is None

    def _allow(self, seconds: float) -> None:
        self._forget_deadline()
        if not self.transport.is_closing():
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _make_room(self) -> None:
        every = [each for each in self.connections if isinstance(each, GatedHTTP) and not each.transport.is_closing()]
        address, number = Counter(each.address for each in every).most_common(1)[0]
        if number > MOST_OF_ADDRESS or len(every) > MOST:
            others = [each for each in every if each.address == address and each is not self]
            if others:
                min(others, key=lambda each: (not each.waits, each.began)).transport.abort()


class FewLines(logging.Filter):
    """Shows a few lines of each kind a minute, the first with its traceback, but for text that is no UTF-8.

    So no client can fill a disk with them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is shown; takes a traceback that was shown before from it."""
        text = record.getMessage()
        first_line = re.sub(r"\d+", "0", text.partition("\n")[0])[:80]
        kind = f"{record.name} {first_line} {record.exc_info[0] if record.exc_info else ''}"
        if len(self._seen) > 50:
            self._seen = {each: known for each, known in self._seen.items() if record.created - known[0] < MINUTE}
        if len(self._seen) > 50 and kind not in self._seen:
            kind = "other"
        since, number = self._seen.get(kind, (record.created, 0))
        if record.created - since >= MINUTE:
            since, number = record.created, 0
        self._seen[kind] = (since, number + 1)
        if number >= SHOWN:
            return False
        if number or (
            record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError)
        ):  # a frame that is no UTF-8
            record.exc_info = record.exc_text = None
        record.msg, record.args = text[:LONGEST_LINE], ()
        if number == SHOWN - 1:
            record.msg += " (more of these are not shown in this minute)"
        return True


def keep_logs_small() -> None:
    """Put the filter on the loggers to which a client's doings are told, once."""
    for name in ("asyncio", "uvicorn.error", "websockets.server", "boardsight.table"):
        logger = logging.getLogger(name)
        if not any(isinstance(each, FewLines) for each in logger.filters):
            logger.addFilter(FewLines())
