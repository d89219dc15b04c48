"""Filler in figures: perfect play from the start, perfect play against greedy, and batched play."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from bench.solvers.random_games import filler_games, planes_for
from games.core import Options
from games.filler import GAME
from solvers import find_solver
from solvers.arena import Terms, standing
from solvers.filler.players import Packing
from solvers.kernels.filler import deals
from solvers.training.cluster import ThisProcess, Workers
from solvers.training.measure import shared_match


def tables(boards: int = 100, *, workers: Workers = ThisProcess()) -> Iterator[str]:
    """The rows of every table, as Markdown, on so many boards; workers play the match."""
    yield from proof_table(boards)
    yield ""
    yield from greedy_table(boards, workers)
    yield ""
    yield from batch_table()


def proof_table(boards: int) -> Iterator[str]:
    """CPU time to prove the margin and every best colour of 7x8 boards from the start, and who wins."""
    yield f"Filler 7x8, 6 colours, {boards} boards of each kind, proven from the start with every best colour"
    yield ""
    yield "| boards | proven | median s | mean s | max s | median nodes | first player wins | draws | losses |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for variant in ("phone", "uniform"):
        solver = find_solver("exact", "filler")
        solver.decide(GAME.deal(np.random.default_rng(boards), Options(rows=4, cols=4)))  # compiled
        rngs = (np.random.default_rng(seed) for seed in range(boards))
        found = [solver.decide(GAME.deal(rng, Options(variant=variant))) for rng in rngs]
        seconds = [decision.seconds for decision in found]
        signs = [np.sign(decision.score or 0) for decision in found]
        yield (
            f"| {variant} | {sum(decision.proven for decision in found)} | {np.median(seconds):.3f} "
            f"| {np.mean(seconds):.3f} | {max(seconds):.3f} | {np.median([decision.nodes for decision in found]):.0f} "
            f"| {signs.count(1)} | {signs.count(0)} | {signs.count(-1)} |"
        )


def greedy_table(boards: int, workers: Workers = ThisProcess()) -> Iterator[str]:
    """Perfect play against greedy, each board from both seats."""
    found = standing(list(shared_match("filler", ("exact", "greedy"), 2 * boards, 0, Terms(), workers)))
    won, drawn, lost = (games / (2 * boards) for games in (found.wins, found.draws, found.losses))
    yield f"exact against greedy, {boards} phone's boards from both seats:"
    yield f"{won:.1%} won, {drawn:.1%} drawn, {lost:.1%} lost"


def batch_table() -> Iterator[str]:
    """Random plies a second on 4,096 boards, each observed."""
    rules = Packing().rules(GAME.deal(np.random.default_rng(0)))
    boards, (planes, _) = np.zeros((4096, deals.CLASSES + 6), np.uint64), planes_for(rules, 4096)
    deals.deal(rules, False, boards, 0)
    filler_games(rules, boards, planes, 1, 0)
    started = time.thread_time()
    games = filler_games(rules, boards, planes, 500, 1)
    seconds = time.thread_time() - started
    plies = 4096 * 500
    yield f"Random play on 4,096 boards at once: {plies / seconds / 1e6:.1f} million plies/s with observations"
    yield f"({plies / games:.1f} plies a game)"
