"""Blokus in figures: how fast random games are played, with every placement known before each is made."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from bench.solvers import blokus_bitmasks
from bench.solvers.random_games import blokus_games
from games.blokus.board import board_of
from games.core import Options
from solvers.blokus.players import MOST_MOVES, rules_of
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus.moves import FOUND, MOST_CORNERS

ROUNDS = 5
"""Each figure is the best of so many: what else the machine does only ever slows it."""

BOARDS = (
    ("Duo", Options(variant="duo"), 6000),
    ("Classic, four players", Options(variant="classic"), 3000),
)

DISSERTATION = ((4, 0.57), (7, 1.38), (10, 2.62), (20, 8.93))
"""Board, and seconds for 100,000 steps in Table 4.1 of the dissertation, opposite corners."""


def tables() -> Iterator[str]:
    """The rows of both tables, as Markdown."""
    yield from speed_table()
    yield ""
    yield from step_table()


def speed_table() -> Iterator[str]:
    """Placements made a second, uniformly at random, on one core."""
    yield "| board | moves a game | placements to choose from | counted and picked, M moves/s | listed, M moves/s |"
    yield "|---|---|---|---|---|"
    for name, options, games in BOARDS:
        counted, made, seen = _random_games(options, games, listing=False)
        listed, _, _ = _random_games(options, games, listing=True)
        yield (
            f"| {name} | {made / games:.2f} | {seen / made:.0f} "
            f"| {made / counted / 1e6:.2f} | {made / listed / 1e6:.2f} |"
        )


def step_table() -> Iterator[str]:
    """Seconds for 100,000 steps: the dissertation's own, its method compiled, lists and counts."""
    yield "seconds for 100,000 steps of random games, opposite corners"
    yield ""
    yield "| board | dissertation | its bitmasks, compiled | listed | counted and picked |"
    yield "|---|---|---|---|---|"
    for side, published in DISSERTATION:
        options, games = Options(side, side, variant="corners"), 3000
        masks, made = _games_by_masks(options, games)
        times = [masks / made]
        for listing in (True, False):
            seconds, steps, _ = _random_games(options, games, listing=listing)
            times.append(seconds / steps)
        yield f"| {side}x{side} | {published} | " + " | ".join(f"{1e5 * each:.3f}" for each in times) + " |"


def _random_games(options: Options, games: int, *, listing: bool) -> tuple[float, int, int]:
    """CPU seconds, placements made, placements found."""
    rules = rules_of(board_of(options))
    positions = np.zeros((1, packed.words_of(rules)), np.uint64)
    found, moves = np.zeros((MOST_CORNERS, FOUND), np.uint64), np.zeros((1, MOST_MOVES), np.int32)

    def play(count: int) -> tuple[int, int]:
        made, seen, _ = blokus_games(rules, positions, found, moves, count, 7, listing)
        return made, seen

    return _best(play, games)


def _games_by_masks(options: Options, games: int) -> tuple[float, int]:
    rules, masks = rules_of(board_of(options)), blokus_bitmasks.masks()
    positions, moves = np.zeros((1, packed.words_of(rules)), np.uint64), np.zeros((1, MOST_MOVES), np.int32)

    def play(count: int) -> tuple[int, int]:
        made, seen = blokus_bitmasks.random_games_by_masks(rules, positions, masks, moves, count, 7)
        return made, seen

    seconds, made, _ = _best(play, games)
    return seconds, made


def _best(play: Callable[[int], tuple[int, int]], games: int) -> tuple[float, int, int]:
    play(1)  # has it compiled before the clock runs
    times = []
    for _ in range(ROUNDS):
        started = time.thread_time()
        made, seen = play(games)
        times.append(time.thread_time() - started)
    return min(times), made, seen
