"""Reversi by the search that knows nothing but rules: ends proven, and matches against greedy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from games.core import Options
from games.reversi import GAME, Reversi
from solvers import find_solver
from solvers.core import Limit


def tables(ends: int = 10, empty: int = 14, games: int = 100, seconds: float = 0.1) -> Iterator[str]:
    """The rows of both tables, as Markdown."""
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
    yield f"alphabeta against greedy, {seconds:g} s a move, from four random plies, the sides beginning in turn"
    yield ""
    yield "| board | games | won | drawn | lost |"
    yield "|---|---:|---:|---:|---:|"
    for size in (8, 6):
        results = [_game(seed, size, seconds) for seed in range(games)]
        yield f"| {size}x{size} | {games} | {results.count(1)} | {results.count(0)} | {results.count(-1)} |"


def _position(seed: int, empty: int) -> Reversi:
    """A position of a random game with so many empty squares, which is not over."""
    rng = np.random.default_rng(seed)
    while True:
        state = GAME.parse("")
        while (moves := state.legal_moves()) and 64 - (state.dark | state.light).bit_count() > empty:
            state = state.play(moves[int(rng.integers(len(moves)))])
        if moves:
            return state


def _game(seed: int, size: int, seconds: float) -> int:
    """1 where alphabeta wins, 0 for a draw, -1 where greedy does."""
    rng = np.random.default_rng(seed)
    state, own = GAME.parse("", Options(rows=size)), seed % 2
    search, greedy = find_solver("alphabeta", "reversi"), find_solver("greedy", "reversi")
    for _ in range(4):
        moves = state.legal_moves()
        state = state.play(moves[int(rng.integers(len(moves)))])
    while (ended := state.outcome()) is None:
        player = search if state.player == own else greedy
        state = state.play(player.decide(state, Limit(seconds=seconds)).move)
    return 0 if ended.winner is None else 1 if ended.winner == own else -1
