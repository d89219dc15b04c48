"""`boardsight read`: reads the board in saved screenshots."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bot.commands.options import load_screenshot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
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
    from bot.protocol.answer import error_answer
    from calibration.answer import answer
    from games.core import BoardsightError

    try:
        return answer(load_screenshot(path), game)
    except BoardsightError as problem:
        return error_answer(problem)


def _words(seen: dict[str, Any]) -> str:
    if "error" in seen:
        return str(seen["message"])
    from games import find_game

    names = " or ".join(find_game(name).title for name in (seen["game"], *seen.get("or", ())))
    head = (
        f"{names}, {seen['rows']}x{seen['cols']} cells, confidence {seen['confidence']:.3f}, "
        f"{1e3 * seen['seconds']:.0f} ms"
    )
    if "cut" in seen:
        head += f"; it may go on beyond the {' and '.join(seen['cut'])} of the picture"
    return "\n  ".join([head, *(_court(seen) if "pawns" in seen else _cells(seen))])


def _cells(seen: dict[str, Any]) -> list[str]:
    return [" ".join("." if kind < 0 else format(kind, "x") for kind in row) for row in seen["grid"]]


def _court(seen: dict[str, Any]) -> list[str]:
    """Cells as dots, pawns as numbers, and the walls between them as lines."""
    rows, cols = seen["rows"], seen["cols"]
    text = [[" "] * (4 * cols - 3) for _ in range(2 * rows - 1)]
    for row in range(rows):
        text[2 * row][::4] = "." * cols
    for player, (row, col) in enumerate(seen["pawns"], 1):
        text[2 * row][4 * col] = str(player)
    for way, row, col in seen["walls"]:
        if way == "h":
            text[2 * row + 1][4 * col : 4 * col + 5] = "-----"
        else:
            for down in range(3):
                text[2 * row + down][4 * col + 2] = "|"
    return ["".join(line).rstrip() for line in text]
