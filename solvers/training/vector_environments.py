"""Where many games of one variant are played at once: their boards, dealt anew, and the trees that think in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games import find_game
from solvers.kernels import forest
from solvers.learned.view import Answer, NetworkView

DEEPEST = 128
"""Plies a walk through a tree of self-play goes at most; trees of some hundred visits are a tenth as deep."""


class VectorEnvironment:
    """Places for games of one variant, each with a board of its own where boards differ.

    boards: what `solvers.kernels.forest` takes.  facts: int64[places, n], what the encoder must know of each.
    """

    def __init__(self, view: NetworkView, places: int) -> None:
        self.view = view
        self._game = find_game(view.game)
        state = self._game.deal(np.random.default_rng(0), view.board)
        self.sizes = view.packing.sizes(state)
        rules = view.packing.rules(state)
        self.boards = rules if view.boards is None else view.boards.empty(rules, places)
        self.facts = np.zeros((places, len(view.facts_of(state))), np.int64)

    def deal(self, at: int, rng: np.random.Generator, openings: int = 0) -> NDArray[np.uint64]:
        """uint64[words]: the packed start of a new game at place `at`, some random moves into it; it is not over."""
        while True:
            state = self._game.deal(rng, self.view.board)
            for _ in range(openings):
                if moves := state.legal_moves():
                    state = state.play(moves[int(rng.integers(len(moves)))])
            if state.legal_moves():
                break
        if self.view.boards is not None:
            self.boards.put(at, self.view.packing.rules(state))
        self.facts[at] = self.view.facts_of(state)
        return self.view.packing.pack(state)


class VectorSearch:
    """A tree for each place of a vector environment, grown by one network.

    visits: of a root, as many as are kept from one move to the next and added.  exploration: of PUCT.
    each: leaves a tree gives to a batch.
    """

    def __init__(
        self, environment: VectorEnvironment, network: Answer, visits: int, exploration: float, *, each: int = 1
    ) -> None:
        sizes, places = environment.sizes, len(environment.facts)
        self.environment, self._network, self._each, self._exploration = environment, network, each, exploration
        plies, width = min(sizes.plies, DEEPEST), min(sizes.width, environment.view.encoder.actions)
        nodes = 1 + 2 * visits * width
        self.forest = forest.plant_all(places, nodes=nodes, plies=plies, words=sizes.words, width=sizes.width)
        batch = places * each
        self._owners, self._leaves = np.zeros(batch, np.int32), np.zeros(batch, np.int32)
        self._positions = np.zeros((batch, sizes.words), np.uint64)
        self._planes = np.zeros((batch, *environment.view.encoder.shape), np.float32)
        self._priors = np.zeros((batch, sizes.actions), np.float32)
        self.evaluations = 0

    @property
    def visits(self) -> NDArray[np.int32]:
        """int32[places], of the roots."""
        visits: NDArray[np.int32] = self.forest.visits[:, 0]
        return visits

    def think(self, wanted: NDArray[np.int32]) -> None:
        """One batch for the trees whose roots have fewer visits than wanted, int32[places]."""
        environment, scale = self.environment, self.environment.view.scale
        positions, owners, leaves = self._positions, self._owners, self._leaves
        found = forest.gather_all(
            environment.boards, self.forest, wanted, self._each, owners, leaves, positions, self._exploration, scale
        )
        if not found:
            return
        owners, leaves, positions = owners[:found], leaves[:found], positions[:found]
        planes, priors = self._planes[:found], self._priors[:found]
        forest.encode_owned(environment.boards, environment.facts, owners, positions, planes)
        answer = self._network(planes)
        forest.write_owned_priors(environment.boards, environment.facts, owners, positions, answer["policy"], priors)
        forest.settle_all(environment.boards, self.forest, owners, leaves, positions, priors, answer["value"])
        self.evaluations += found

    def think_through(self, wanted: NDArray[np.int32]) -> None:
        """Batches until every root has the visits wanted, int32[places]."""
        while (self.visits < wanted).any():
            self.think(wanted)

    def begin(self, at: int, root: NDArray[np.uint64]) -> None:
        """A fresh tree at place `at` for the position `root`, uint64[words]."""
        self.forest.roots[at] = root
        forest.uproot(self.forest, at)

    def advance(self, at: int, move: int) -> None:
        """Plays a packed move at place `at`; the tree keeps what hangs below it."""
        forest.advance(self.environment.boards, self.forest, at, move)

    def judge(self, at: int) -> tuple[bool, bool, float]:
        """Whether the game at a place is over, whether its result is known, and it, for the side to move."""
        found: tuple[bool, bool, float] = forest.judge(
            self.environment.boards, self.forest, at, self.environment.view.scale
        )
        return found

    def add_noise(self, at: int, rng: np.random.Generator, share: float, concentration: float) -> None:
        """Mixes `share` of Dirichlet noise into an expanded root's priors, `concentration` for all moves together."""
        first, count = int(self.forest.firsts[at, 0]), int(self.forest.counts[at, 0])
        priors = self.forest.priors[at, first : first + count]
        if count > 1:
            priors[:] = (1 - share) * priors + share * rng.dirichlet(np.full(count, concentration / count))

    def children(self, at: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The packed moves of a root and how often each was followed, int32[moves] both."""
        first, count = int(self.forest.firsts[at, 0]), int(self.forest.counts[at, 0])
        return self.forest.moves[at, first : first + count].copy(), self.forest.visits[at, first : first + count].copy()

    def value(self, at: int) -> float:
        """The mean result of a root for the side to move."""
        return -float(self.forest.won[at, 0]) / max(int(self.visits[at]), 1)

    def sure(self, at: int) -> NDArray[np.int32]:
        """int32[n]: the packed moves of a root, whose result is known, that bring the best result nearest."""
        width = self.forest.legal.shape[1]
        moves, scores = np.zeros(width, np.int32), np.zeros(width, np.int64)
        count = forest.foresee_at(self.environment.boards, self.forest, at, moves, scores)
        best: NDArray[np.int32] = moves[:count][scores[:count] == scores[:count].max()]
        return best

    def planes(self, at: int) -> NDArray[np.float16]:
        """float16[planes, rows, cols], what the network sees of a root."""
        planes = np.zeros((1, *self.environment.view.encoder.shape), np.float32)
        owner = np.array([at], np.int32)
        forest.encode_owned(
            self.environment.boards, self.environment.facts, owner, self.forest.roots[at : at + 1], planes
        )
        found: NDArray[np.float16] = planes[0].astype(np.float16)
        return found

    def numbers(self, at: int, moves: NDArray[np.int32]) -> NDArray[np.int64]:
        """int64[moves], the network's numbers of packed moves of a root; -1 for a pass."""
        numbers = np.zeros(len(moves), np.int64)
        forest.number_at(self.environment.boards, self.forest, self.environment.facts, at, moves, numbers)
        return numbers
