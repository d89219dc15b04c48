"""`boardsight report`: writes one self-contained HTML page of a saved run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_parser(subparsers: Any) -> None:
    """The command's flags."""
    parser = subparsers.add_parser("report", help="write the HTML page of a saved run", description=__doc__)
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("--output", type=Path, help="HTML file to write (default: report.html in the run's folder)")


def run(args: argparse.Namespace) -> int:
    """Writes the page and prints its path."""
    from bot.runs.report import write_report

    print(write_report(args.run_folder, args.output))
    return 0
