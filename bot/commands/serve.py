"""Open a page where any game is played against any solver, which shows how it decides."""

from __future__ import annotations

import argparse
import html
import ipaddress
import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from bot.commands.options import require_web

PORT = 8137

TURNS = 0.0005
"""Seconds after which a thread that runs Python lets another run: searches in Python keep the event loop waiting."""

BEYOND = (
    "warning: other machines can reach this page. Whoever has the token sees your runs' screenshots and uses your "
    "processor, and HTTP carries the token unencrypted: better keep to 127.0.0.1 and use an SSH tunnel"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight serve``."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine alone)")
    parser.add_argument("--port", type=int, default=PORT, help=f"TCP port, 0 for a free one (default: {PORT})")
    parser.add_argument("--name", action="append", default=[], help="host name the page may also be asked for by")
    parser.add_argument(
        "--runs", type=Path, default=Path("runs"), help="folder of runs to watch at /watch.html?run=RUN"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    require_web()
    from bot.web.server import LOOPBACK, bind, build_app, configured
    from bot.web.token import choose_token, with_token

    token = choose_token(os.environ)
    listening = bind(args.host, args.port)
    host = f"[{args.host}]" if ":" in args.host else args.host
    if not is_loopback(listening.getsockname()[0]):
        print(BEYOND, file=sys.stderr, flush=True)
    address = with_token(f"http://{host}:{listening.getsockname()[1]}/", token)
    print(f"the table stands at {address} (Ctrl-C ends it)", flush=True)
    app = build_app(token, names=(*LOOPBACK, host, *args.name), runs=args.runs)
    sys.setswitchinterval(TURNS)
    with open_in_browser(address) if args.open else nullcontext():
        configured(app).run(sockets=[listening])
    return 0


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach `address`, an IP address."""
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


@contextmanager
def open_in_browser(address: str) -> Iterator[None]:
    """Open `address` by a file that only this user can read: everybody can read the words of a command."""
    with tempfile.TemporaryDirectory(prefix="boardsight-") as folder:
        page = Path(folder) / "open.html"
        page.write_text(f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">')
        webbrowser.open(page.as_uri())
        yield
