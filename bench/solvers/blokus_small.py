"""Blokus on small boards from opposite corners: the margin with perfect play, and how many first moves win.

``boardsight solve --game blokus --size 8x8 --variant corners --solver exact:megabytes=4096`` takes far longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.blokus import GAME
from games.blokus.position import Blokus
from games.core import Options
from solvers import find_solver

SIDES = (4, 5, 6, 7)
FIRST_MOVES = 7
"""The board whose first moves are proven one by one."""

EXACT = "exact:megabytes=512"


def tables(sides: Sequence[int] = SIDES, first_moves: int = FIRST_MOVES) -> Iterator[str]:
    """The rows of both tables, as Markdown."""
    yield "| board | first minus second, squares | proven | nodes, M | CPU s |"
    yield "|---|---:|---|---:|---:|"
    for side in sides:
        decision = find_solver(EXACT, "blokus").decide(_start(side))
        yield (
            f"| {side}x{side} | {decision.score:+g} | {'yes' if decision.proven else 'NO'} "
            f"| {decision.nodes / 1e6:.2f} | {decision.seconds:.2f} |"
        )
    yield ""
    solver, start, found, seconds = find_solver(EXACT, "blokus"), _start(first_moves), list[float](), 0.0
    for move in start.legal_moves():
        decision = solver.decide(start.play(move))
        seconds += decision.seconds
        if decision.proven and decision.score is not None:
            found.append(-decision.score)
    won, drawn = sum(score > 0 for score in found), sum(score == 0 for score in found)
    yield (
        f"first moves of {first_moves}x{first_moves}: {len(found)} of {len(start.legal_moves())} proven, "
        f"{won} win, {drawn} draw, the best by {max(found):+g}; {seconds:.0f} CPU s"
    )


def _start(side: int) -> Blokus:
    return GAME.parse("", Options(side, side, variant="corners"))
