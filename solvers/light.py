"""A player of any game that needs nothing compiled: it plays at once, until a stronger one is ready."""

from __future__ import annotations

from dataclasses import dataclass

from games.core import State
from solvers.any_game import AlphaBeta
from solvers.core import Decision, Limit, Move, Progress

FEW, FURTHER = 12, 4
"""Where there are at most so many moves it looks so many plies ahead, elsewhere one: 0.3 s at most, on any board."""


@dataclass(frozen=True)
class Light:
    """Takes the move after which the game's own estimate is best, a few plies on where that is quick."""

    game: str

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move by what the game estimates, whatever the limit.  Raises ValueError when the game is over."""
        plies = FURTHER if len(state.legal_moves()) <= FEW else 1
        return AlphaBeta(self.game, plies).decide(state, Limit(depth=plies), progress=progress)
