"""Flood-It in figures: how often each solver wins, in how many moves, and how long it thinks."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from games.core import Options
from games.flood_it import GAME, FloodIt
from solvers import find_solver

MOVES = 25
"""The moves allowed on the board everybody plays, 14x14 with 6 colours."""

PLAYERS = ("greedy", "lookahead", "lookahead:prefer=finish")

SOLUTIONS = (
    (10, "exact", 1000),
    (14, "beam:width=14", 1000),
    (14, "beam:width=100", 1000),
    (14, "exact", 1000),
    (18, "exact", 100),
    (19, "exact", 100),
    (24, "beam:width=200", 20),
    (24, "anytime", 20),
)
"""Size of the boards, with 6 colours; solver; boards: in the order of the memory they take."""


def tables(boards: int = 1000) -> Iterator[str]:
    """The rows of every table, as Markdown, on the boards of seeds 0 to `boards` - 1."""
    yield from play_table(boards)
    yield ""
    yield from solution_table(boards)


def play_table(boards: int) -> Iterator[str]:
    """Each solver's share of 14x14 boards flooded within 25 moves and its mean count, with 95% intervals."""
    yield f"{boards} random 14x14 boards, 6 colours, {MOVES} moves allowed"
    yield ""
    yield "| solver | won | 95% | mean moves | 95% | CPU ms a move |"
    yield "|---|---|---|---|---|---|"
    for spec in PLAYERS:
        moves, seconds = _play(spec, boards)
        won = sum(count <= MOVES for count in moves)
        low, high = wilson(won, boards)
        spread = 1.96 * float(np.std(moves, ddof=1)) / math.sqrt(boards)
        yield (
            f"| {spec} | {won / boards:.1%} | {low:.1%} to {high:.1%} | {np.mean(moves):.2f} | ±{spread:.2f} "
            f"| {1000 * seconds / sum(moves):.3f} |"
        )


def solution_table(boards: int) -> Iterator[str]:
    """The length of each solver's lines from the start, what is proven, CPU time and memory; at most `boards` boards.

    The memory is what the process has taken at its peak since the table began, so a row hides what smaller ones took.
    """
    yield "| board | solver | boards | mean moves | proven | CPU ms: mean | p50 | p95 | max | peak MB |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for size in (14, 19):  # loads every compiled function, those for large boards and for growing included
        find_solver("exact", GAME.name).decide(_deal(0, size))
    before = _peak_mb()
    for size, spec, count in SOLUTIONS:
        solver = find_solver(spec, GAME.name)
        decisions = [solver.decide(_deal(seed, size)) for seed in range(min(count, boards))]
        times = 1000 * np.array([decision.seconds for decision in decisions])
        yield (
            f"| {size}x{size} | {spec} | {len(decisions)} | {np.mean([len(one.line) for one in decisions]):.3f} "
            f"| {np.mean([one.proven for one in decisions]):.1%} | {times.mean():.2f} | {np.median(times):.2f} "
            f"| {np.quantile(times, 0.95):.2f} | {times.max():.2f} | {_peak_mb() - before:.0f} |"
        )


def _deal(seed: int, size: int) -> FloodIt:
    return GAME.deal(np.random.default_rng(seed), Options(size, size, 6))


def _peak_mb() -> float:
    """The most memory this process has held, in MB; 0 where the system does not tell (Windows)."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95% score interval of a share (Wilson 1927).

    >>> tuple(round(end, 3) for end in wilson(95, 100))
    (0.888, 0.978)
    """
    z = 1.96
    centre = (successes + z * z / 2) / (trials + z * z)
    half = z / (trials + z * z) * math.sqrt(successes * (trials - successes) / trials + z * z / 4)
    return centre - half, centre + half


def _play(spec: str, boards: int) -> tuple[Sequence[int], float]:
    """The moves the solver needs on each board without a limit, and the CPU seconds of all its decisions."""
    solver = find_solver(spec, GAME.name)
    moves, seconds = [], 0.0
    for seed in range(boards):
        state, count = _deal(seed, 14), 0
        while state.outcome() is None:
            decision = solver.decide(state)
            seconds += decision.seconds
            state, count = state.play(decision.move), count + 1
        moves.append(count)
    return moves, seconds
