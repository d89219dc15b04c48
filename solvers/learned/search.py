"""Networks that search: the tree of AlphaZero, whose priors and values are a network's."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from games.core import SettingsError
from solvers import find_solver
from solvers.core import Decision, Limit, Move, Progress
from solvers.learned.card import ModelError
from solvers.learned.player import Loaded, NetworkPlayer
from solvers.learned.registry import network_game
from solvers.learned.view import NetworkEvaluator, view_of
from solvers.readable.mcts import EXPLORATION
from solvers.tree_search import TreeSearch


class Prover(Protocol):
    """An exact search that is told what a network likes."""

    def prove(self, state: Any, limit: Limit, *, likely: Sequence[Move]) -> Decision:
        """A proven decision, or one whose `best` are the moves that are left to choose from (none: all).

        `bound` tells the result that the move keeps for certain, where the proof came so far.
        """
        ...


VISITS = 800
"""Of a decision that nothing limits, as AlphaZero's in self-play."""

MOST_NODES = 1 << 19
"""The largest tree, about 20 MB: later visits end at its leaves."""

GROWTH = 8
"""A batch is an eighth of the visits before it: leaves that are chosen together do not learn from each other."""

TOLD_SECONDS = 0.05
"""CPU seconds between two looks at the progress."""


@dataclass(frozen=True)
class NetworkSearch(NetworkPlayer):
    """A tree search with a network that answers with a policy and a value; a limit's nodes are visits of the root.

    A position whose result is proven needs no network: the move that brings it nearest is played.  What hangs below the
    position is kept from one decision to the next.

    nodes, seconds: visits, or CPU seconds, of every decision, whatever the limit allows; 0 to follow the limit.
    proof: the share of those seconds in which the game's exact search may prove the best move first, if it has one.
    proof_nodes: how many positions that search may look at, in place of a share of the seconds; 0 for the share.
    book: whether that search may look openings up, where it has a book.
    batch: leaves judged together, at most; see GROWTH.  exploration: how far visits follow what was seldom tried.
    temperature: 0 to play the move visited most, 1 to draw one in proportion to its visits, by `seed`.
    """

    nodes: int = 0
    seconds: float = 0.0
    proof: float = 0.0
    proof_nodes: int = 0
    book: bool = False
    batch: int = 32
    exploration: float = EXPLORATION
    temperature: float = 0.0
    seed: int = -1
    _trees: list[TreeSearch] = field(default_factory=list, init=False, repr=False, compare=False)
    _provers: list[Prover] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move visited most; candidates' scores are the mean values for the side to move, from -1 to 1.

        Raises ValueError where the game is over, SettingsError and ModelError where no network can search the board.
        """
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        loaded = self._load(state)
        if not {"policy", "value"} <= set(loaded.network.outputs):
            raise ModelError(
                f"this network answers {', '.join(loaded.network.outputs)}: a search needs policy and value"
            )
        view = view_of(self.game, loaded.encoder, loaded.board)
        search = TreeSearch(
            view.packing,
            state,
            scale=view.scale,
            exploration=self.exploration,
            nodes=MOST_NODES,
            before=self._trees[0] if self._trees else None,
        )
        self._trees[:] = [search]
        if (sure := search.sure()) is not None:
            return sure
        visits, seconds = self._allowed(limit)
        left: Sequence[Move] = ()
        if self.proof_nodes or (self.proof and seconds is not None):
            proof = self._prove(loaded, state, seconds)
            if proof.proven or proof.bound is not None:
                return proof
            left, seconds = proof.best, None if seconds is None else seconds - proof.seconds
        self._grow(search, NetworkEvaluator(loaded.network, view, state), visits, seconds, progress)
        if left or not self.temperature:
            return _restricted(search.decision(), left)
        rng = np.random.default_rng(None if self.seed < 0 else [self.seed, len(getattr(state, "moves", ()))])
        return search.drawn(rng, self.temperature)

    def _prove(self, loaded: Loaded, state: Any, seconds: float | None) -> Decision:
        """What the game's exact search proves in its share of the seconds; in all of them, once the result is known."""
        likely = [candidate.move for candidate in self.glance(loaded, state).candidates]
        nodes = self.proof_nodes or None
        share = None if nodes or seconds is None else self.proof * seconds
        proof = self._prover().prove(state, Limit(share, nodes), likely=likely)
        if not proof.proven and proof.bound is not None:
            rest = Limit(None if seconds is None else seconds - proof.seconds, nodes)
            first = [proof.move, *(move for move in likely if move != proof.move)]
            more = self._prover().prove(state, rest, likely=first)
            proof = more if more.proven else proof
        return proof

    def _prover(self) -> Prover:
        """The game's exact search; raises SettingsError where it has none that ends in time."""
        prover = network_game(self.game).prover
        if not prover:
            raise SettingsError(f"nothing proves moves of {self.game} in time: leave proof=0")
        if not self._provers:
            found: Any = find_solver(prover.format(book=str(self.book).lower()), self.game)
            self._provers.append(found)
        return self._provers[0]

    def _grow(
        self, search: TreeSearch, judge: NetworkEvaluator, wanted: int, seconds: float | None, progress: Progress | None
    ) -> None:
        """Visits until a limit is reached or the caller has had enough; at least two, so that some move has one."""
        started = told = time.thread_time()
        search.evaluate(judge, 2, batch=1)
        done = 2
        while done < wanted:
            now = time.thread_time()
            if seconds is not None and now - started >= seconds:
                return
            if progress is not None and now - told >= TOLD_SECONDS:
                told = now
                if progress(search.decision()):
                    return
            visits = min(wanted - done, self.batch, 1 + done // GROWTH)
            search.evaluate(judge, visits, batch=visits)
            done += visits

    def _allowed(self, limit: Limit) -> tuple[int, float | None]:
        """The visits and CPU seconds of a decision."""
        if self.nodes or self.seconds:
            return self.nodes or MOST_NODES, self.seconds or None
        return limit.nodes or (VISITS if limit.seconds is None else MOST_NODES), limit.seconds


def _restricted(decision: Decision, left: Sequence[Move]) -> Decision:
    """The decision for the candidate of `left` that comes first; as it is where nothing is left to choose from."""
    candidates = sorted(decision.candidates, key=lambda candidate: bool(left) and candidate.move not in left)
    if not left or candidates[0].move == decision.move:
        return decision
    first = candidates[0]
    return replace(decision, move=first.move, score=first.score, line=(first.move,), candidates=tuple(candidates))
