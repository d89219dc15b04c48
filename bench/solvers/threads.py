"""Several threads in one search: what they need to a proof or a depth, and that they prove what one thread does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np

from games import find_game
from games.core import Options
from solvers import find_solver, threads
from solvers.core import Decision, Limit

COUNTS = (1, 2, 4, 8)

USUAL = Options()


@dataclass(frozen=True)
class Task:
    """Positions so many random plies from the start, and what is asked of the solver."""

    title: str
    game: str
    solver: str
    plies: int
    options: Options = USUAL
    depth: int | None = None


TASKS = (
    Task("Connect Four, 8 stones, proven", "connect_four", "exact:book=false", 8),
    Task("Filler 7x8, proven", "filler", "exact", 4, Options(rows=7, cols=8)),
    Task("Quoridor, 13 plies deep", "quoridor", "alphabeta", 10, depth=13),
)

SMALL = (
    Task("Connect Four, 24 stones", "connect_four", "exact:book=false", 24),
    Task("Connect Four 5x5, 6 stones", "connect_four", "alphabeta", 6, Options(rows=5, cols=5)),
    Task("Filler 4x4", "filler", "exact", 0, Options(rows=4)),
    Task("Quoridor 5x5, a wall each", "quoridor", "alphabeta", 6, Options(rows=5, walls=1)),
)


def tables(positions: int = 12, proofs: int = 10_000) -> Iterator[str]:
    """The rows of both tables, as Markdown; `proofs` small ones in all, with four threads from their first moment."""
    yield f"{positions} random positions each, sums; the answering thread is the one whose result is given"
    yield ""
    yield "| task | threads | nodes of all, M | answering thread, CPU s | of one thread's | wall s | scores as one's |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for task in TASKS:
        yield from _rows(task, positions)
    yield ""
    yield "small proofs with four threads that begin together, beside those of one thread"
    yield ""
    yield "| task | proofs | proven | other scores |"
    yield "|---|---:|---:|---:|"
    for task in SMALL:
        yield _stressed(task, proofs // len(SMALL))


def _rows(task: Task, count: int) -> Iterator[str]:
    """A row for each number of threads."""
    states = positions_of(task, count)
    alone: list[Decision] = []
    for number in COUNTS:
        began = time.monotonic()
        found = [_decide(task, state, number) for state in states]
        wall = time.monotonic() - began
        alone = alone or found
        seconds, once = (sum(decision.seconds for decision in each) for each in (found, alone))
        same = sum(one.score == other.score for one, other in zip(alone, found, strict=True))
        nodes = sum(decision.nodes for decision in found) / 1e6
        yield (
            f"| {task.title} | {number} | {nodes:.2f} | {seconds:.2f} | {seconds / once:.2f} | {wall:.1f} "
            f"| {same} of {count} |"
        )


def _stressed(task: Task, count: int) -> str:
    """How many of the small proofs of four threads give another score than one thread's."""
    alone, together = find_solver(task.solver, task.game), find_solver(task.solver, task.game)
    proven = other = 0
    with mock.patch.object(threads, "TICK", 1e-6):
        for state in positions_of(task, count):
            one, many = alone.decide(state), together.decide(state, Limit(threads=4))
            proven += (both := one.proven and many.proven)
            other += both and one.score != many.score
    return f"| {task.title} | {count} | {proven} | {other} |"


def _decide(task: Task, state: Any, number: int) -> Decision:
    """The decision of a solver whose table is empty."""
    return find_solver(task.solver, task.game).decide(state, Limit(depth=task.depth, threads=number))


def positions_of(task: Task, count: int) -> list[Any]:
    """Random positions that are not over, the same each time."""
    game, rng = find_game(task.game), np.random.default_rng(7)
    found: list[Any] = []
    while len(found) < count:
        state = game.deal(rng, task.options)
        for _ in range(task.plies):
            if state.outcome() is None:
                moves = state.legal_moves()
                state = state.play(moves[rng.integers(len(moves))])
        if state.outcome() is None:
            found.append(state)
    return found
