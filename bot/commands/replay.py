"""`boardsight replay`: walks a saved run offline with today's code and says where it now sees or decides otherwise."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bot.commands.options import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's flags."""
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when anything differs")
    parser.add_argument("--solver", default="", help="the solver that decides now (default: the run's own)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replays; exit status 1 with --strict when anything differs."""
    from bot.runs.journal import open_run
    from bot.runs.replay import replay

    saved = open_run(args.run_folder)
    found = []
    for step, differences in replay(saved, args.solver):
        found.extend(differences)
        if not args.json:
            print(f"{step}: {'; '.join(map(str, differences)) or 'the same'}", flush=True)
    whole = saved.end is not None
    if args.json:
        listed = [{"turn": d.turn, "what": d.what, "then": d.then, "now": d.now} for d in found]
        print(json.dumps({"turns": len(saved.turns), "whole": whole, "differences": listed}))
    else:
        cut = "" if whole else "; the run was interrupted, this is all up to its last whole turn"
        print(f"{len(saved.turns)} turns, {len(found)} differences{cut}")
    return int(bool(found) and args.strict)
