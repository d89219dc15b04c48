"""Show every setting of `boardsight play`, its value, and which file it is from."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

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
    from bot.settings import load_settings, own_file, tables_read

    settings = asdict(load_settings(args.settings, {}))
    places = {key: str(file) for file, read in tables_read(args.settings) for key in read}
    if args.json:
        print(
            json.dumps({key: {"value": value, "from": places.get(key, "default")} for key, value in settings.items()})
        )
        return 0
    rows = [(key, json.dumps(value), places.get(key, "default")) for key, value in settings.items()]
    print(*table(("setting", "value", "from"), rows), sep="\n")
    print(f"\nyour own file: {own_file()}{'' if own_file().is_file() else ' (not there yet)'}")
    return 0
