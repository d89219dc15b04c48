"""`boardsight read`: reads the board in saved screenshots."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any


def add_parser(subparsers: Any) -> None:
    """The command's flags."""
    parser = subparsers.add_parser("read", help="read the board in screenshots", description=__doc__)
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE", help="PNG or JPEG file")
    parser.add_argument("--game", default=None, help="the game's name (default: recognise it)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object (one picture)")
    form.add_argument("--json-lines", action="store_true", help="print one JSON object a line, one for each picture")


def run(args: argparse.Namespace) -> int:
    """Reads each picture; exit status 1 when one of them shows no board."""
    from games.core import SettingsError

    if args.json and len(args.pictures) > 1:
        raise SettingsError("--json prints one object: use --json-lines for several pictures")
    status = 0
    for path in args.pictures:
        seen = read_picture(path, args.game)
        status = max(status, int("error" in seen))
        if args.json or args.json_lines:
            print(json.dumps(seen), flush=True)
        else:
            print(f"{path}: {_words(seen)}")
    return status


def read_picture(path: Path, game: str | None) -> dict[str, Any]:
    """The JSON object of one picture: what stands on the board, or why there is none."""
    from bot.commands.answer import error_answer
    from bot.pictures import load_frame
    from calibration.answer import answer
    from games.core import BoardsightError

    try:
        return answer(load_frame(path), game)
    except BoardsightError as problem:
        return error_answer(problem)


def _words(seen: dict[str, Any]) -> str:
    if "error" in seen:
        return f"{seen['error']}: {seen['message']}"
    head = (
        f"{seen['game']}, {seen['rows']}x{seen['cols']}, confidence {seen['confidence']:.3f}, "
        f"{1e3 * seen['seconds']:.0f} ms"
    )
    rows = [" ".join("." if kind < 0 else format(kind, "x") for kind in row) for row in seen["grid"]]
    return "\n  ".join([head, *rows])
