"""`boardsight keep`: turns a step of a saved run into a fixture of the test suite: the screen and its truth."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("step", type=int, metavar="STEP", help="the turn's number, from 1")
    parser.add_argument("--name", help="the fixture's name (default: the run's and the step's)")
    parser.add_argument("--to", type=Path, default=Path("fixtures/screens"), help="folder of the fixtures")


def run(args: argparse.Namespace) -> int:
    """Writes the picture and its truth and prints their paths."""
    from bot.runs.fixtures import keep
    from bot.runs.journal import open_run

    for path in keep(open_run(args.run_folder), args.step, args.to, name=args.name):
        print(path)
    return 0
