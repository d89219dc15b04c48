"""Networks that search: the tree of AlphaZero, whose priors and values are a network's."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from solvers.core import Decision, Limit, Progress
from solvers.learned.card import ModelError
from solvers.learned.player import NetworkPlayer
from solvers.learned.sight import Judge, sight_of
from solvers.mcts import EXPLORATION
from solvers.tree_search import TreeSearch

SEARCHING: dict[str, tuple[str, ...]] = {}
"""Game -> its models in the order in which they are taken where none is named."""

VISITS = 800
"""Of a decision that nothing limits, as AlphaZero's in self-play."""

MOST_NODES = 1 << 19
"""The largest tree, about 20 MB: later visits end at its leaves."""

TOLD_SECONDS = 0.05
"""CPU seconds between two looks at the progress."""


@dataclass(frozen=True)
class NetworkSearch(NetworkPlayer):
    """A tree search with a network that answers with a policy and a value; a limit's nodes are visits of the root.

    A position whose result is proven needs no network: the move that brings it nearest is played.  What hangs below the
    position is kept from one decision to the next.

    nodes, seconds: visits, or CPU seconds, of every decision, whatever the limit allows; 0 to follow the limit.
    batch: leaves judged together.
    exploration: how far visits follow what was seldom tried.  temperature: 0 to play the move visited most, 1 to draw
    one in proportion to its visits, by `seed`.
    """

    preferred: ClassVar[Mapping[str, tuple[str, ...]]] = SEARCHING

    nodes: int = 0
    seconds: float = 0.0
    batch: int = 8
    exploration: float = EXPLORATION
    temperature: float = 0.0
    seed: int = -1
    _trees: list[TreeSearch] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move visited most; candidates' scores are the mean values for the side to move, from -1 to 1."""
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        loaded = self._load(state)
        if not {"policy", "value"} <= set(loaded.network.outputs):
            raise ModelError(
                f"this network answers {', '.join(loaded.network.outputs)}: a search needs policy and value"
            )
        seen = sight_of(self.game, loaded.encoder, loaded.board)
        search = TreeSearch(
            seen.packing,
            state,
            scale=seen.scale,
            exploration=self.exploration,
            nodes=MOST_NODES,
            before=self._trees[0] if self._trees else None,
        )
        self._trees[:] = [search]
        if (sure := search.sure()) is not None:
            return sure
        self._grow(search, Judge(loaded.network, seen, state), limit, progress)
        if not self.temperature:
            return search.decision()
        rng = np.random.default_rng(None if self.seed < 0 else [self.seed, len(getattr(state, "moves", ()))])
        return search.drawn(rng, self.temperature)

    def _grow(self, search: TreeSearch, judge: Judge, limit: Limit, progress: Progress | None) -> None:
        """Visits until a limit is reached or the caller has had enough; at least two, so that some move has one."""
        wanted, seconds = self._allowed(limit)
        started = told = time.thread_time()
        search.evaluate(judge, 2, batch=1)
        left = wanted - 2
        while left > 0:
            now = time.thread_time()
            if seconds is not None and now - started >= seconds:
                return
            if progress is not None and now - told >= TOLD_SECONDS:
                told = now
                if progress(search.decision()):
                    return
            visits = min(left, self.batch)
            search.evaluate(judge, visits, batch=visits)
            left -= visits

    def _allowed(self, limit: Limit) -> tuple[int, float | None]:
        """The visits and CPU seconds of a decision."""
        if self.nodes or self.seconds:
            return self.nodes or MOST_NODES, self.seconds or None
        return limit.nodes or (VISITS if limit.seconds is None else MOST_NODES), limit.seconds
