"""Players by networks that judge pairs of a position and a move, which can look at the answers to their moves."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from solvers import find_solver
from solvers.core import Decision, Limit, Progress
from solvers.learned.encoder import legal_actions
from solvers.learned.player import Loaded, NetworkPlayer, worths_of_pairs
from solvers.learned.ranking import ranked

DISCOUNT = 0.99
"""Of what follows a move, as such networks learn."""


@dataclass(frozen=True)
class PairPlayer(NetworkPlayer):
    """Plays the move its network likes best; where it is told to look ahead, by the other side's best answer to it.

    ahead: so many of the moves that it likes best are judged anew, by the squares they lay, in rows of the board, and
    by what the network says of the best that can follow, or by the result where nothing can: what such networks learn
    to foretell, where their reward is "squares". 0 to play without any search.
    proof_nodes: how many positions the exact search may look at to prove how the game ends before the network is asked.
    """

    ahead: int = 0
    proof_nodes: int = 0
    _provers: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best legal move; its score is the final margin once `proven`.  Raises as `NetworkPlayer` does."""
        if not (self.proof_nodes and state.legal_moves()):
            return super().decide(state, limit, progress=progress)
        if not self._provers:
            self._provers.append(find_solver("exact", self.game))
        proof: Decision = self._provers[0].end(state, Limit(nodes=self.proof_nodes))
        if proof.proven:
            return proof
        decision = super().decide(state, limit, progress=progress)
        return replace(decision, nodes=decision.nodes + proof.nodes, seconds=decision.seconds + proof.seconds)

    def glance(self, loaded: Loaded, state: Any) -> Decision:
        """What the network thinks of each move, those behind the ones looked into keep their order."""
        if not (self.ahead and loaded.network.judges_pairs):
            return super().glance(loaded, state)
        moves, started = state.legal_moves(), time.thread_time()
        actions = legal_actions(loaded.encoder, state)
        worths = worths_of_pairs(loaded, state, actions)
        order = np.argsort(-worths, kind="stable")
        looked = order[: self.ahead]
        brought = loaded.encoder.covered(actions[looked]).sum(axis=(1, 2)) / loaded.encoder.shape[1]
        worths[looked] = brought + [_following(loaded, state, moves[at]) for at in looked.tolist()]
        rest = order[self.ahead :]
        if len(rest):
            worths[rest] -= max(0.0, worths[rest[0]] - worths[looked].min())
        found = ranked(moves, worths, None, time.thread_time() - started)
        return replace(found, nodes=1 + len(looked))


def _following(loaded: Loaded, state: Any, move: Any) -> float:
    """What comes after a move, for the side that makes it: the best its network sees there, or the result."""
    after = state.play(move)
    if (outcome := after.outcome()) is not None:
        return 0.0 if outcome.winner is None else 1.0 if outcome.winner == state.player else -1.0
    best = DISCOUNT * float(worths_of_pairs(loaded, after).max())
    return best if after.player == state.player else -best
