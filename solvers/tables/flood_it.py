"""Flood-It in figures: how often each solver wins, in how many moves, and how long it thinks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from games.core import Options
from games.flood_it import GAME
from solvers import find_solver

MOVES = 25
"""The moves allowed on the board everybody plays, 14x14 with 6 colours."""

PLAYERS = ("random:seed=1", "greedy", "lookahead", "lookahead:prefer=finish")


def tables(boards: int = 1000) -> Iterator[str]:
    """The rows of every table, as Markdown, on the boards of seeds 0 to `boards` - 1."""
    yield from play_table(boards)


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
        state, count = GAME.deal(np.random.default_rng(seed), Options(14, 14, 6)), 0
        while state.outcome() is None:
            decision = solver.decide(state)
            seconds += decision.seconds
            state, count = state.play(decision.move), count + 1
        moves.append(count)
    return moves, seconds
