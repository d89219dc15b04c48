"""Reversi by the search that knows nothing but rules: ends proven, and matches against greedy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from games.core import Options
from games.reversi import GAME, Reversi
from solvers import find_solver
from solvers.arena import OPENINGS, Terms, standing
from solvers.core import Limit
from solvers.training.cluster import ThisProcess, Workers
from solvers.training.measure import shared_match


def tables(
    ends: int = 10, empty: int = 14, games: int = 100, seconds: float = 0.1, *, workers: Workers = ThisProcess()
) -> Iterator[str]:
    """The rows of both tables, as Markdown; workers play the matches."""
    yield f"Positions of random games with {empty} empty squares, proven by alphabeta"
    yield ""
    yield "| positions | proven | median s | max s | median nodes |"
    yield "|---:|---:|---:|---:|---:|"
    solver = find_solver("alphabeta:depth=0", "reversi")
    found = [solver.decide(_position(seed, empty)) for seed in range(ends)]
    spent = [decision.seconds for decision in found]
    yield (
        f"| {ends} | {sum(decision.proven for decision in found)} | {np.median(spent):.1f} | {max(spent):.1f} "
        f"| {np.median([decision.nodes for decision in found]):.0f} |"
    )
    yield ""
    yield f"alphabeta against greedy, {seconds:g} s a move, {OPENINGS} random plies first, each start from both sides"
    yield ""
    yield "| board | games | won | drawn | lost |"
    yield "|---|---:|---:|---:|---:|"
    for size in (8, 6):
        terms = Terms(Options(rows=size), OPENINGS, limit=Limit(seconds=seconds))
        result = standing(list(shared_match("reversi", ("alphabeta", "greedy"), games, 0, terms, workers)))
        yield f"| {size}x{size} | {games} | {result.wins} | {result.draws} | {result.losses} |"


def _position(seed: int, empty: int) -> Reversi:
    """A position of a random game with so many empty squares, which is not over."""
    rng = np.random.default_rng(seed)
    while True:
        state = GAME.parse("")
        while (moves := state.legal_moves()) and 64 - (state.dark | state.light).bit_count() > empty:
            state = state.play(moves[int(rng.integers(len(moves)))])
        if moves:
            return state
