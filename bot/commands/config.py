"""Show every setting of `boardsight play`, its value, and which file it is from."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bot.commands.options import add_json
from bot.commands.table import table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight config``."""
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="TOML file (default: your own, and boardsight.toml here)"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line a setting, or ``{NAME: {"value": ..., "from": FILE or "default"}}``, once all were checked."""
    from bot.settings import Settings, own_file, tables_read

    given: dict[str, Any] = {}
    places: dict[str, str] = {}
    for file, read in tables_read(args.settings):
        given |= read
        places |= dict.fromkeys(read, str(file))
    settings = asdict(Settings(**given))
    if args.json:
        print(
            json.dumps({key: {"value": value, "from": places.get(key, "default")} for key, value in settings.items()})
        )
        return 0
    rows = [(key, json.dumps(value), places.get(key, "default")) for key, value in settings.items()]
    print(*table(("setting", "value", "from"), rows), sep="\n")
    print(f"\nyour own file: {own_file()}{'' if own_file().is_file() else ' (not there yet)'}")
    return 0
