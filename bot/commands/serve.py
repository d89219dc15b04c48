"""Open a page where any game is played against any solver, which shows how it decides."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.commands.options import require_web

PORT = 8137


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

    listening = bind(args.host, args.port)
    host = f"[{args.host}]" if ":" in args.host else args.host
    address = f"http://{host}:{listening.getsockname()[1]}/"
    print(f"the table stands at {address} (Ctrl-C ends it)", flush=True)
    if args.open:
        import webbrowser

        webbrowser.open(address)
    configured(build_app(names=(*LOOPBACK, host, *args.name), runs=args.runs)).run(sockets=[listening])
    return 0
