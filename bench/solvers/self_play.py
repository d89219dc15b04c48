"""Self-play in figures: simulations a second inside the trees, games a second with a network."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np

from games.core import Options
from solvers.kernels import forest
from solvers.learned.registry import encoder_of
from solvers.learned.view import view_of
from solvers.training.alphazero import AlphaZeroSettings, answer_of, new_network
from solvers.training.cluster import Processes
from solvers.training.self_play import Report, SelfPlaySettings, play_itself
from solvers.training.vector_environments import VectorEnvironment

PROCESSES = 2
"""One for each core of the machine the figures are asked for."""

TREES, EACH, ROUNDS = 256, 8, 40

GAMES = 256
"""Of self-play in each process."""


def tables() -> Iterator[str]:
    """The rows of both tables, as Markdown."""
    yield from tree_table()
    yield ""
    yield from games_table()


def tree_table() -> Iterator[str]:
    """How fast the trees grow when the evaluator costs nothing: even priors, every value 0."""
    yield f"Simulations a second of CPU time with an evaluator that costs nothing, {TREES} trees of Connect Four"
    yield ""
    yield "| visits of a move | leaves of a tree in a batch | million/s, one process | two processes together |"
    yield "|---|---|---|---|"
    for visits, each in ((32, EACH), (32, 1), (800, EACH)):
        speeds = _at_once(_grow, (visits, each))
        yield f"| {visits} | {each} | {speeds[0] / 1e6:.2f} | {sum(speeds) / 1e6:.2f} |"


def games_table() -> Iterator[str]:
    """Whole games of self-play with an untrained network of 3 blocks of 32 channels, every search full."""
    yield "Self-play of Connect Four, 3 residual blocks of 32 channels, 32 simulations a move, per second of CPU time"
    yield ""
    yield "| process | games/s | moves of a game | evaluations a game |"
    yield "|---|---|---|---|"
    found = _at_once(_play, 0)
    for number, (speed, plies, evaluations) in enumerate(found, start=1):
        yield f"| {number} | {speed:.1f} | {plies:.1f} | {evaluations:.0f} |"
    yield f"| together | {sum(speed for speed, _, _ in found):.1f} | | |"


def _at_once(work: Callable[[Any], Any], job: Any) -> list[Any]:
    """What `work` measures in two processes side by side."""
    with closing(Processes(PROCESSES)) as workers:
        return [found for _, found in workers.map(work, [job] * PROCESSES)]


def _grow(job: tuple[int, int]) -> float:
    """Simulations a second for some visits of a move and leaves of a tree in a batch: the median of some rounds."""
    visits, each = job
    view = view_of("connect_four", encoder_of("connect_four", Options()), Options())
    environment = VectorEnvironment(view, TREES)
    root, sizes = environment.deal(0, np.random.default_rng(0)), environment.sizes
    trees = forest.plant_all(
        TREES, nodes=1 + 2 * visits * sizes.width, plies=sizes.plies, words=sizes.words, width=sizes.width
    )
    batch = TREES * each
    owners, leaves = np.zeros(batch, np.int32), np.zeros(batch, np.int32)
    positions, wanted = np.zeros((batch, sizes.words), np.uint64), np.full(TREES, visits, np.int32)
    priors, values = np.ones((batch, sizes.actions), np.float32), np.zeros(batch, np.float32)

    def once() -> float:
        for at in range(TREES):
            forest.uproot(trees, at)
            trees.roots[at] = root
        started = time.thread_time()
        while (trees.visits[:, 0] < wanted).any():
            n = forest.gather_all(environment.boards, trees, wanted, each, owners, leaves, positions, 1.4, 1.0)
            forest.settle_all(environment.boards, trees, owners[:n], leaves[:n], positions[:n], priors[:n], values[:n])
        return TREES * visits / (time.thread_time() - started)

    once()
    return float(np.median([once() for _ in range(max(3, ROUNDS * 32 // visits))]))


def _play(seed: int) -> tuple[float, float, float]:
    """Games a second, and the mean moves and evaluations of a game."""
    play_some(seed, games=4)  # compiled
    started = time.process_time()
    report = play_some(seed)
    spent = time.process_time() - started
    return GAMES / spent, report.plies / GAMES, report.evaluations / GAMES


def play_some(seed: int, games: int = GAMES) -> Report:
    """Games of an untrained network against itself."""
    packed = new_network("connect_four", Options(), AlphaZeroSettings(channels=32, blocks=3), seed)
    view = view_of("connect_four", encoder_of("connect_four", Options()), Options())
    settings = SelfPlaySettings(visits=32, fast=32, share=1.0, places=64)
    return play_itself(view, answer_of(packed), settings, games, 1)[1]
