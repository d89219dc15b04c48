"""`boardsight doctor`: says what on this machine keeps Boardsight from playing, and what to do about it."""

from __future__ import annotations

import argparse
from typing import Any

from bot.commands.options import add_json


def add_parser(subparsers: Any) -> None:
    """The command's flags."""
    add_json(subparsers.add_parser("doctor", help="say what keeps the bot from playing here", description=__doc__))


def run(args: argparse.Namespace) -> int:
    """Examines; exit status as `bot.doctor.run` gives it."""
    from bot import doctor

    return doctor.run(json=args.json)
