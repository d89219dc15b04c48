"""Blokus Duo in matches: the tree search against every other player, each with the same CPU time for a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvers.arena import ArenaGame, Terms, standing
from solvers.blokus.players import ORDERS
from solvers.core import Limit
from solvers.training.cluster import ThisProcess, Workers
from solvers.training.measure import shared_match

OTHERS = (
    "random",
    *(f"heuristic:order={order}" for order in ORDERS),
    "mixed",
    "minimax",
    "alphabeta",
    "mcts:net=false",
)
"""Those that look no further than a move take less time than they are given."""

GAMES = 100
SECONDS = 0.02
OPENINGS = 2
"""Random moves before a game; each two games in a row have the same, with the colours exchanged."""


def tables(
    games: int = GAMES, seconds: float = SECONDS, others: Sequence[str] = OTHERS, *, workers: Workers = ThisProcess()
) -> Iterator[str]:
    """A row for each of the others, as Markdown; workers play the matches."""
    yield f"mcts, {games} games on Duo against each, {OPENINGS} random moves first, {seconds:g} CPU seconds a move"
    yield ""
    yield "| against | won | drawn | lost | share of the points, 95% interval | CPU s a move, its own and the other's |"
    yield "|---|---:|---:|---:|---|---|"
    terms = Terms(openings=OPENINGS, limit=Limit(seconds=seconds))
    for number, other in enumerate(others):
        yield _row(other, list(shared_match("blokus", ("mcts", other), games, number, terms, workers)))


def _row(other: str, played: Sequence[ArenaGame]) -> str:
    found = standing(played)
    low, high = (1 / (1 + 10 ** (-bound / 400)) for bound in found.interval)
    share = sum(each.points for each in played) / len(played)
    spent = (
        sum(each.seconds[side] for each in played) / max(sum(each.moves[side] for each in played), 1) for side in (0, 1)
    )
    return (
        f"| {other} | {found.wins} | {found.draws} | {found.losses} | {share:.1%} ({low:.1%} to {high:.1%}) "
        f"| {' and '.join(f'{each:.4f}' for each in spent)} |"
    )
