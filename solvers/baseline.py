"""The yardstick any game can be measured against: uniformly random legal moves."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from games.core import State
from solvers.core import Candidate, Decision, Limit, Move, Progress


@dataclass(frozen=True)
class Random:
    """Plays every legal move with the same probability; the same `seed` plays the same game (-1: a fresh one)."""

    seed: int = -1
    _rng: np.random.Generator = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rng", np.random.default_rng(None if self.seed < 0 else self.seed))

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """A random legal move; the candidates are all of them in the order drawn."""
        moves = list(state.legal_moves())
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        order = [moves[index] for index in self._rng.permutation(len(moves))]
        return Decision(order[0], line=(order[0],), nodes=1, candidates=tuple(map(Candidate, order)))
