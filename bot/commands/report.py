"""`boardsight report`: writes one self-contained HTML page of a saved run."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("--output", type=Path, help="HTML file to write (default: report.html in the run's folder)")


def run(args: argparse.Namespace) -> int:
    """Writes the page and prints its path."""
    from bot.runs.report import write_report

    print(write_report(args.run_folder, args.output))
    return 0
