"""Analyse a recorded game (.blksgf): what a solver would have played, move by move."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.commands.options import add_limit, add_solver, limit_of, solver_of
from bot.commands.table import table
from bot.protocol.answer import decide

SECONDS = 0.5
"""What a move is thought about where no limit is given."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``boardsight analyse``."""
    parser.add_argument("record", metavar="FILE", help="a game in .blksgf, as Pentobi saves it")
    add_solver(parser)
    add_limit(parser)
    parser.add_argument("--json-lines", action="store_true", help="print one JSON object a move")


def run(args: argparse.Namespace) -> int:
    """Print for each move its place among the solver's candidates and what it thinks of both."""
    rows = _analyse(args)
    if args.json_lines:
        for row in rows:
            print(json.dumps(row), flush=True)
    else:
        names = ("turn", "seat", "played", "place", "score", "best", "best_score")
        print(*table(names, [[row[name] for name in names] for row in rows]), sep="\n")
    return 0


def _analyse(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row for each placement of the record; raises SettingsError where it cannot be read."""
    from bot.storage.files import read_file
    from games.blokus import GAME
    from games.blokus.position import empty
    from games.blokus.records import LONGEST, parse_record
    from solvers.core import Limit

    record = read_file(Path(args.record), most=4 * LONGEST, what="a record")  # a letter has at most four bytes
    final = parse_record(record.decode(errors="replace"))
    limit, solver = limit_of(args), solver_of(args, GAME)
    limit = Limit(seconds=SECONDS) if limit.endless else limit
    state = empty(final.board)
    for turn, move in enumerate(final.moves):
        if not move:
            continue
        answer, played = decide(GAME, solver, state, limit), GAME.format_move(move, state)
        candidates = {entry["move"]: entry for entry in answer["candidates"]}
        yield {
            "turn": turn + 1,
            "seat": state.player + 1,
            "played": played,
            "place": list(candidates).index(played) + 1 if played in candidates else None,
            "score": candidates[played]["score"] if played in candidates else None,
            "best": answer["move"],
            "best_score": answer["score"],
        }
        state = state.placed(turn % final.board.colours, move)
