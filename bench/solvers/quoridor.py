"""Quoridor in figures: the speed of the rules, small boards proven, and matches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from bench.solvers.random_games import quoridor_games
from games.core import Options
from games.quoridor import GAME
from solvers.arena import Terms, standing
from solvers.core import Limit
from solvers.quoridor.players import AlphaBeta, Exact
from solvers.training.cluster import ThisProcess, Workers
from solvers.training.measure import shared_match

BOARDS = 4096
SHUFFLED = 700
"""Random plies before a speed is measured, so that boards are in all stages of the game."""

SMALL = (*((3, walls) for walls in range(5)), *((5, walls) for walls in range(6)))
"""Sizes and walls of the boards that are solved. On 3x3 at most 4 walls have room, so more change nothing."""


def tables(games: int = 20, seconds: float = 0.1, *, workers: Workers = ThisProcess()) -> Iterator[str]:
    """The rows of every table, as Markdown; `games` of the quick matches, of which each move takes `seconds`.

    workers: who plays the matches.
    """
    yield from speed_table()
    yield ""
    yield from proof_table()
    yield ""
    yield from match_table(games, seconds, workers)


def speed_table() -> Iterator[str]:
    """Uniformly random steps a CPU second on 9x9 with 10 walls, all legal moves known at each."""
    state = GAME.parse("")
    board, start = AlphaBeta.packing.rules(state).board, AlphaBeta.packing.pack(state)[None].copy()
    boards = np.repeat(start, BOARDS, axis=0)
    quoridor_games(board, boards, start, SHUFFLED, 0)

    def rate(plies: int, count: int, play: Callable[[int], object]) -> float:
        """The median of several calls, in millions a second."""
        spent = []
        for seed in range(5):
            began = time.thread_time()
            play(seed)
            spent.append(time.thread_time() - began)
        return plies * count / float(np.median(spent)) / 1e6

    yield "Quoridor 9x9, 10 walls each, uniformly random plies with every legal move known, millions a CPU second"
    yield ""
    yield "| how | M plies/s |"
    yield "|---|---|"
    inside = rate(2000, 64, lambda seed: quoridor_games(board, boards[:64], start, 2000, seed))
    yield f"| inside the kernel, 64 boards | {inside:.1f} |"
    called = rate(1, BOARDS, lambda seed: quoridor_games(board, boards, start, 1, seed))
    yield f"| one ply of {BOARDS} boards a call | {called:.1f} |"


def proof_table() -> Iterator[str]:
    """Who wins small boards."""
    yield "| board | walls each | wins | arrangements of walls | CPU s |"
    yield "|---|---|---|---|---|"
    for side, walls in SMALL:
        decision = Exact().decide(GAME.parse("", Options(rows=side, cols=side, walls=walls)))
        winner = {1: "first", 0: "nobody", -1: "second"}[int(np.sign(decision.score or 0))]
        yield f"| {side}x{side} | {walls} | {winner} | {decision.nodes:,} | {decision.seconds:.2f} |"


def match_table(games: int, seconds: float, workers: Workers = ThisProcess()) -> Iterator[str]:
    """Matches of the usual solver, from seeded random openings, each from both seats."""
    yield "| match | games | won | drawn | lost |"
    yield "|---|---|---|---|---|"
    rivals = ("alphabeta:eval=paths", games, seconds), ("draft", games, seconds), ("mcts:nodes=60000", 4, 1.0)
    for rival, played, limit in rivals:
        terms = Terms(Options(variant="repetition"), openings=6, limit=Limit(seconds=limit))
        result = standing(list(shared_match("quoridor", ("alphabeta", rival), played, 0, terms, workers)))
        name = f"alphabeta, {limit:g} s a move, against {rival}"
        yield f"| {name} | {played} | {result.wins} | {result.draws} | {result.losses} |"
