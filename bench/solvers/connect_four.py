"""Connect Four in figures: our exact search beside bitbully's on the same positions, and batched play."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.solvers.random_games import connect_four_games
from games.connect_four import GAME, ConnectFour
from solvers import find_solver
from solvers.connect_four import book as connect_four_book
from solvers.connect_four.players import AlphaBeta
from solvers.kernels.connect_four import exact
from solvers.kernels.connect_four import rules as packed


class Kind(NamedTuple):
    """One of the six classes Pons's solver is measured by: stones on the board, plies to the end in perfect play."""

    name: str
    stones: range
    plies: range
    positions: int


KINDS = (
    Kind("end-easy", range(29, 38), range(14), 1000),
    Kind("middle-easy", range(15, 29), range(14), 1000),
    Kind("middle-medium", range(15, 29), range(14, 29), 100),
    Kind("begin-easy", range(6, 15), range(14), 50),
    Kind("begin-medium", range(6, 15), range(14, 29), 30),
    Kind("begin-hard", range(6, 15), range(29, 43), 20),
)

TABLE_ENTRIES = 1 << 22
"""32 MiB, as the solver has."""


def tables() -> Iterator[str]:
    """The rows of every table, as Markdown."""
    yield from solve_table()
    yield ""
    yield from start_table()
    yield ""
    yield from answer_table()
    yield ""
    yield from batch_table()


def solve_table() -> Iterator[str]:
    """CPU time to prove a random position of each class without a book, by us and by bitbully where it is installed."""
    peer = _bitbully()
    yield "Connect Four, CPU time to prove a position's score without a book, mean and median (random positions, no win"
    yield "in one)"
    yield ""
    yield "| class | positions | boardsight | nodes | million nodes/s | bitbully | times bitbully |"
    yield "|---|---|---|---|---|---|---|"
    table, control = np.zeros(TABLE_ENTRIES, np.uint64), np.array([0, 0, np.iinfo(np.int64).max, 0], np.int64)
    for kind, states in zip(KINDS, sample(np.random.default_rng(4)), strict=True):
        positions = np.array([AlphaBeta.packing.pack(state) for state in states])
        scores = np.zeros(len(states), np.int8)
        exact.scores_of(table, control, positions[:1], scores[:1])  # compiled
        table.fill(0)
        control[exact.NODES] = 0
        ours = []
        for at in range(len(states)):
            started = time.thread_time()
            exact.scores_of(table, control, positions[at : at + 1], scores[at : at + 1])
            ours.append(time.thread_time() - started)
        nodes = int(control[exact.NODES])
        row = f"| {kind.name} | {len(states)} | {_shown_both(ours)} | {nodes // len(states)} "
        row += f"| {nodes / sum(ours) / 1e6:.1f} | "
        if peer is None:
            yield row + "not installed (`pip install 'boardsight[book]'`) | |"
        else:
            theirs = _peer_times(peer, states, scores)
            times = (measure(theirs) / measure(ours) for measure in (np.mean, np.median))
            yield row + f"{_shown_both(theirs)} | {', '.join(f'{each:.2f}' for each in times)} |"


def sample(rng: np.random.Generator) -> Iterator[list[ConnectFour]]:
    """Random positions of each class, in which nobody has won or can win at once; the same for the same `rng`."""
    table, control = np.zeros(TABLE_ENTRIES, np.uint64), np.array([0, 0, np.iinfo(np.int64).max, 0], np.int64)
    for kind in KINDS:
        found: list[ConnectFour] = []
        while len(found) < kind.positions:
            state = _random_position(rng, int(rng.choice(kind.stones)))
            if state is None:
                continue
            own, every = AlphaBeta.packing.pack(state)
            score = connect_four_book.look_up(int(own), int(every))
            if score is None:
                score = exact.score_of(table, control, own, every, exact.LEAST, exact.MOST)
            if _plies_left(score, len(state.moves)) in kind.plies:
                found.append(state)
        yield found


def start_table() -> Iterator[str]:
    """The empty board with the book."""
    solver = find_solver("exact", "connect_four")
    start = GAME.parse("")
    solver.decide(start)
    times = []
    for _ in range(20):
        started = time.thread_time()
        decision = solver.decide(start)
        times.append(time.thread_time() - started)
    scores = {candidate.move: candidate.score for candidate in decision.candidates}
    yield "The empty board with the book: " + " ".join(f"{scores[move]:g}" for move in range(7))
    yield f"in {_shown(float(np.median(times)))}, of which {_shown(decision.seconds)} is search"


def answer_table(positions: int = 200) -> Iterator[str]:
    """Whole answers, every best move of them, where the book has just ended and proofs are longest."""
    rng, solver, stones = np.random.default_rng(9), find_solver("exact", "connect_four"), connect_four_book.STONES + 1
    states = [_random_position(rng, stones) for _ in range(positions)]
    times = [solver.decide(state).seconds for state in states if state is not None]
    yield f"Answers, with all best moves, in {len(times)} random positions of {stones} stones: "
    late = _shown(np.quantile(times, 0.95))
    yield f"median {_shown(np.median(times))}, 95% within {late}, the longest {_shown(max(times))}"


def batch_table() -> Iterator[str]:
    """Random plies a second on 4,096 boards."""
    rules, boards = packed.rules_of(6, 7, 4), np.zeros((4096, 2), np.uint64)
    connect_four_games(rules, boards, 1, 0)
    started = time.thread_time()
    games = connect_four_games(rules, boards, 1000, 1)
    seconds = time.thread_time() - started
    yield f"Random play on 4,096 boards at once: {4.096 / seconds:.1f} million plies/s ({4_096_000 / games:.1f} a game)"


def _random_position(rng: np.random.Generator, stones: int) -> ConnectFour | None:
    state = GAME.parse("")
    for _ in range(stones):
        state = state.play(int(rng.choice(state.legal_moves())))
        if state.outcome() is not None:
            return None
    wins = (state.play(move).outcome() for move in state.legal_moves())
    return None if any(ended is not None and ended.winner is not None for ended in wins) else state


def _plies_left(score: int, stones: int) -> int:
    """How long perfect play lasts from a position with this score."""
    if score == 0:
        return exact.CELLS - stones
    last = 44 - 2 * abs(score)  # stones at the win, or one less
    return last - stones if (last - stones) % 2 == (score > 0) else last - 1 - stones


def _bitbully() -> Callable[[ConnectFour], int] | None:
    """Bitbully's exact score of a position, by its own search without a book; None where it is not installed."""
    if find_spec("bitbully") is None:
        return None
    from bitbully import bitbully_core

    solver: Any = bitbully_core.BitBullyCore()

    def score(state: ConnectFour) -> int:
        board = bitbully_core.BoardCore()
        board.play(list(state.moves))
        return int(solver.mtdf(board, 0))

    return score


def _peer_times(peer: Callable[[ConnectFour], int], states: list[ConnectFour], scores: NDArray[np.int8]) -> list[float]:
    """CPU seconds of the peer for each position; its answers must be ours."""
    answers, seconds = [], []
    for state in states:
        started = time.thread_time()
        answers.append(peer(state))
        seconds.append(time.thread_time() - started)
    if answers != scores.tolist():
        raise ValueError(f"bitbully answers {answers}, we answer {scores.tolist()}")
    return seconds


def _shown_both(seconds: list[float]) -> str:
    return f"{_shown(np.mean(seconds))}, {_shown(np.median(seconds))}"


def _shown(seconds: float | np.floating[Any]) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e6:.1f} us"
