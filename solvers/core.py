"""What every solver takes and gives: limits, decisions, candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solvers.units import PLAIN, Unit

Move = Any
"""A move of whatever game the solver plays."""


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search must stop; None means no bound of that kind.

    seconds: CPU seconds of the searching thread.  nodes: positions visited.  depth: plies looked ahead.
    lines: how many of the best moves are wanted with an exact score and a line each, from solvers that can (None: one).
    threads: how many threads search, in solvers that can (None: one); only with one do the nodes repeat.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    lines: int | None = None
    threads: int | None = None

    @property
    def endless(self) -> bool:
        """Whether nothing bounds the search."""
        return self.seconds is None and self.nodes is None and self.depth is None


class SearchStoppedError(Exception):
    """Inside a search: its limit was reached, or it is wanted no more."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move a solver considered.

    score: in the solver's own unit, larger is better unless the game counts moves; None if not scored.
    visits: how often a tree search went there, None for other solvers.
    at_most: whether the move may be worse: the search only showed that it is no better than `score`.
    line: the expected moves from here, `move` first, where several lines were asked for.
    """

    move: Move
    score: float | None = None
    visits: int | None = None
    at_most: bool = False
    line: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a solver answers.

    move: the move to play.
    score: games for one: moves to the end (None if the solver does not count them); two-player games: the value
        for the side to move, larger is better.
    proven: whether `score` is exact.  bound: the best proven bound on `score` where it is not.
    line: the expected moves from here, `move` first.
    best: every move known to be equally good as `move`, itself included.
    nodes: positions visited.  seconds: CPU seconds of the search.
    candidates: the moves considered, best first.  depth: the plies that were looked ahead to the end of, where counted.
    unit: what `score` counts.  ranking: what the candidates' scores count, where that is something else.
    """

    move: Move
    score: float | None = None
    proven: bool = False
    line: tuple[Move, ...] = ()
    best: tuple[Move, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    bound: float | None = None
    depth: int | None = None
    unit: Unit = PLAIN
    ranking: Unit | None = None

    def in_order(self, state: Any) -> Iterator[Any]:
        """All moves of `state`, those first of which it tells, the best of all."""
        yield self.move
        yield from (candidate.move for candidate in self.candidates)
        yield from state.legal_moves()


Progress = Callable[[Decision], bool]
"""Called with each better Decision while a search runs; returning True stops the search."""


class Evaluator(Protocol):
    """What judges the leaves of a tree search, many at a time."""

    def __call__(self, positions: NDArray[np.uint64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For packed positions ``uint64[n, words]``, whose side to move decides the view.

        Returns the priors ``float32[n, actions]`` of every move, not negative, legal or not and of any sum, and the
        values ``float32[n]`` from -1, a loss, to 1.
        """
        ...


class Solver(Protocol):
    """Anything that chooses a move.  Solvers are frozen dataclasses; their fields are the options of their names."""

    def decide(self, state: Any, limit: Limit = ..., *, progress: Progress | None = None) -> Decision:
        """The move to play in `state`, which is not over; a stopped search returns its best so far.

        Raises ValueError when the game is over.
        """
        ...
