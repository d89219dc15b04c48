"""`boardsight report`: writes one self-contained HTML page of a saved run, or a film of it."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument(
        "--film", action="store_true", help="write a film of the run, to be shared, in place of the page"
    )
    parser.add_argument(
        "--output",
        type=Path,
        help="file to write (default: report.html in the run's folder; film.gif for a film, which may be a .png, too)",
    )


def run(args: argparse.Namespace) -> int:
    """Writes the page or the film and prints its path."""
    from bot.runs.film import write_film
    from bot.runs.report import write_report

    print((write_film if args.film else write_report)(args.run_folder, args.output))
    return 0
