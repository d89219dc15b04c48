"""How work that falls into jobs grows with those who do it: matches, labels and self-play by 1, 2 and 4 processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from bench.solvers.self_play import play_some
from games.connect_four import GAME
from solvers import find_solver
from solvers.arena import Contest, Terms, pairings, play_contest
from solvers.core import Limit
from solvers.training.cluster import Workers, workers_for

GAMES = 100
"""Of the match."""

POSITIONS, EACH = 960, 32
"""Positions that are labelled, and those of a job."""

SELF_PLAY, OF_A_JOB = 8, 32
"""Jobs of self-play, and the games of each."""

EMPTY = 2_000
"""Jobs in which nothing is done, which tells what it costs to give one out."""

MANY = 1_000
"""Cores that are estimated."""

TERMS = Terms(openings=4, limit=Limit(nodes=2_000))


def tables(processes: Sequence[int] = (1, 2, 4), cluster: str = "") -> Iterator[str]:
    """A row for each number of processes, as Markdown; with an address, one for the Ray cluster there."""
    yield f"Connect Four: matches of mcts against itself, {TERMS.limit.nodes} nodes a move; positions labelled by"
    yield "alphabeta with 5,000 nodes; self-play of 3 blocks of 32 channels with 32 simulations a move"
    yield ""
    yield "| who works | games of a match/s | labels/s | games of self-play/s | empty jobs/s |"
    yield "|---|---:|---:|---:|---:|"
    found: dict[str, list[float]] = {}
    for spec in [*map(str, processes), *([cluster] if cluster else [])]:
        with closing(workers_for(spec)) as working:
            list(working.map(begin, range(2 * max(processes))))  # started and compiled before it is timed
            found[spec] = [_speed(working, work, jobs, each * len(jobs)) for work, jobs, each in _works()]
        name = {"1": "this process", cluster: "a Ray cluster"}.get(spec, f"{spec} processes")
        yield f"| {name} | " + " | ".join(f"{speed:,.0f}" for speed in found[spec]) + " |"
    alone, giving = found["1"], found[cluster or str(max(processes))][-1]
    far = [min(MANY * speed, giving * each) for speed, (_, _, each) in zip(alone, _works()[:-1], strict=False)]
    yield f"| {MANY:,} cores, estimated | " + " | ".join(f"{speed:,.0f}" for speed in far) + " | |"
    yield ""
    yield "The estimate takes cores as fast as one of these, far more jobs than cores, and one process that gives out"
    yield f"the jobs, {giving:,.0f} a second at most: what is more than that is bought with larger jobs."


def _works() -> list[tuple[Callable[[Any], Any], list[Any], int]]:
    """What is done: the work, its jobs, and how many games or positions are in each."""
    return [
        (play_contest, _contests(), 2),
        (label, _batches(), EACH),
        (play_job, list(range(SELF_PLAY)), OF_A_JOB),
        (nothing, list(range(EMPTY)), 1),
    ]


def _speed(working: Workers, work: Callable[[Any], Any], jobs: Sequence[Any], many: int) -> float:
    """How much is done in a second."""
    began = time.perf_counter()
    list(working.map(work, jobs))
    return many / (time.perf_counter() - began)


def _contests() -> list[Contest]:
    starts = pairings(GAME, GAMES, np.random.default_rng(0), TERMS)
    return [Contest(start, ("mcts", "mcts"), 0) for start in starts]


def _batches() -> list[list[str]]:
    """Positions of 12 random moves, as texts."""
    texts: list[str] = []
    rng = np.random.default_rng(1)
    while len(texts) < POSITIONS:
        state = GAME.deal(rng)
        for _ in range(12):
            if moves := state.legal_moves():
                state = state.play(moves[int(rng.integers(len(moves)))])
        if state.legal_moves():
            texts.append(GAME.format(state))
    return [texts[at : at + EACH] for at in range(0, POSITIONS, EACH)]


def label(texts: list[str]) -> list[float | None]:
    """The score of each position."""
    solver = find_solver("alphabeta", GAME.name)
    return [solver.decide(GAME.parse(text), Limit(nodes=5_000)).score for text in texts]


def play_job(seed: int) -> int:
    """Some games of self-play; how many."""
    return play_some(seed, OF_A_JOB).games


def begin(number: int) -> None:
    """Have a process compile and load what the work needs."""
    play_contest(Contest(next(pairings(GAME, 2, np.random.default_rng(number), TERMS)), ("mcts", "mcts"), 0))
    label([""])
    play_some(number, games=2)


def nothing(number: int) -> int:
    """No work at all."""
    return number
