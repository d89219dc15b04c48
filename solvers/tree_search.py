"""The compiled Monte Carlo tree search as a solver, with random playouts or with an evaluator's batches."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.core import IllegalMoveError, State
from solvers.compiled import Packing
from solvers.core import Candidate, Decision, Evaluator, Limit, Move, Progress
from solvers.kernels import mcts
from solvers.readable.mcts import EXPLORATION
from solvers.threads import Helper, watched
from solvers.units import VALUE

PLAYOUTS = 10_000
"""How many a decision plays when nothing limits it."""

MOST_NODES = 1 << 21
"""The largest tree, about 80 MB: once it is full, the nodes visited least lose their children."""

MOST_PLAYOUTS = np.iinfo(np.int64).max
"""Of a tree that grows for as long as another one does."""

Grown = TypeVar("Grown", bound="TreeSearch")


@dataclass(frozen=True)
class Mcts:
    """PUCT over a game's packed rules with random playouts; a limit's nodes are playouts.

    Proven scores end playouts early, and the part of the tree that is still of use is kept from one move to the next.

    exploration: how far visits follow what was seldom tried.
    nodes: playouts of every decision, whatever the limit allows; 0 to follow the limit.
    guess: 0 to play leaves out, else how many points of the game's own evaluation are a likely win.
    noise: the share of Dirichlet noise in the root's priors, `concentration` its parameter, for learning by self-play.
    temperature: 0 to play the move visited most, 1 to draw one in proportion to its visits.
    """

    packing: ClassVar[Packing]
    scale: ClassVar[float] = 1.0
    """The packed score that counts as a whole win; less counts in proportion."""

    exploration: float = EXPLORATION
    seed: int = 0
    nodes: int = 0
    guess: float = 0.0
    noise: float = 0.0
    concentration: float = 0.3
    temperature: float = 0.0
    _kept: list[TreeSearch] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move visited most often; its score is the mean result, from -1 to 1."""

        def tree(number: int, before: TreeSearch | None) -> TreeSearch:
            return TreeSearch(
                self.packing,
                state,
                scale=self.scale,
                exploration=self.exploration,
                guess=self.guess,
                seed=self.seed + number,
                before=before,
            )

        search = side_by_side(tree, self._kept, limit.threads or 1)
        rng = np.random.default_rng([self.seed, int(search.tree.control[mcts.SEED])])
        if self.noise:
            search.stir(rng, self.noise, self.concentration)
        playouts = self.nodes or limit.nodes or (PLAYOUTS if limit.seconds is None else MOST_NODES)
        search.play_out(playouts, seconds=None if self.nodes else limit.seconds, progress=progress)
        return search.drawn(rng, self.temperature) if self.temperature else search.decision(lines=limit.lines or 1)


def side_by_side(plant: Callable[[int, Grown | None], Grown], kept: list[Grown], threads: int) -> Grown:
    """The first of as many searches as there are threads, of which the others grow trees of their own beside it.

    plant: gives the search of that number, which takes over the tree of an earlier one.  kept: the searches of the
    decision before, in whose place these stand.
    """
    searches = [plant(number, kept[number] if number < len(kept) else None) for number in range(threads)]
    kept[:] = searches
    searches[0].beside = searches[1:]
    return searches[0]


class TreeSearch:
    """One tree, grown from `state`, which must not be over (ValueError).

    beside: searches whose trees other threads grow meanwhile; what was found at their roots counts as at this one's.
    """

    beside: Sequence[TreeSearch] = ()

    def __init__(
        self,
        packing: Packing,
        state: State[Move],
        *,
        scale: float = 1.0,
        exploration: float = EXPLORATION,
        guess: float = 0.0,
        seed: int = 0,
        nodes: int = MOST_NODES,
        before: TreeSearch | None = None,
    ) -> None:
        """Takes over what hangs below `state` in the tree of `before`, if that is one or two moves up."""
        if state.outcome() is not None:
            raise ValueError("the game is over: there is no move to choose")
        sizes = packing.sizes(state)
        self.packing, self.state = packing, state
        self.family = (packing.family(state), sizes)
        self._rules: Any = packing.rules(state)
        self._actions, self._scale, self._exploration = sizes.actions, scale, exploration
        self._guess = guess * packing.unit
        tree = self._inherit(before) if before is not None and before.family == self.family else None
        if tree is None:
            tree = mcts.plant(nodes=nodes, plies=sizes.plies, words=sizes.words, width=sizes.width, seed=seed)
        self.tree = tree
        self.tree.positions[0] = packing.pack(state)
        self.inherited = int(self.tree.visits[0])
        self._spent = 0.0

    def _inherit(self, before: TreeSearch) -> mcts.Tree | None:
        """The tree of `before` with this state's node for its root, None where it has none."""
        tree = before.tree
        tree.positions[3] = self.packing.pack(self.state)
        node = mcts.find(self._rules, tree)
        if node < 0 or tree.visits[node] == 0:
            return None
        return self._keep(tree, node)

    def _keep(self, tree: mcts.Tree, node: int) -> mcts.Tree:
        """`tree` with `node` for its root."""
        mcts.replant(self._rules, tree, node, 0)
        tree.control[mcts.STOP] = 0
        return tree

    def play_out(self, playouts: int, *, seconds: float | None = None, progress: Progress | None = None) -> None:
        """Grows the tree by playouts, until one of the limits; at least one playout is played."""
        tree = self.tree
        options = self._exploration, self._scale, self._guess
        mcts.grow(self._rules, tree, 1, *options)  # also has it compiled before the clock runs

        def work() -> None:
            started = time.thread_time()
            mcts.grow(self._rules, tree, playouts - 1, *options)
            self._spent += time.thread_time() - started

        told = None if progress is None else lambda: progress(self.decision())
        watched(work, tree.control, seconds, told, self._helpers if self.beside else None)

    def _helpers(self) -> list[Helper]:
        options = MOST_PLAYOUTS, self._exploration, self._scale, self._guess
        return [
            Helper(partial(mcts.grow, other._rules, other.tree, *options), other.tree.control) for other in self.beside
        ]

    def stir(self, rng: np.random.Generator, share: float, concentration: float) -> None:
        """Mixes `share` of Dirichlet noise into the root's priors, so that self-play tries all moves in time."""
        if self.tree.counts[0] < 0:
            mcts.grow(self._rules, self.tree, 1, self._exploration, self._scale, self._guess)
        first, count = int(self.tree.firsts[0]), int(self.tree.counts[0])
        priors = self.tree.priors[first : first + count]
        priors[:] = (1 - share) * priors + share * rng.dirichlet(np.full(count, concentration))

    def evaluate(self, evaluator: Evaluator, visits: int, *, batch: int = 64) -> None:
        """Grows the tree by `visits` visits whose leaves `evaluator` judges, at most `batch` of them at a time."""
        tree = self.tree
        started = time.thread_time()
        leaves = np.zeros(batch, np.int32)
        positions = np.zeros((batch, tree.positions.shape[1]), np.uint64)
        wanted = int(tree.visits[0]) + visits
        while (left := wanted - int(tree.visits[0])) > 0:
            room = leaves[: min(batch, left)]
            found = mcts.gather(self._rules, tree, room, positions, self._exploration, self._scale)
            if found:
                priors, values = evaluator(positions[:found])
                mcts.settle(self._rules, tree, leaves[:found], positions[:found], priors, values)
        self._spent += time.thread_time() - started

    def sure(self) -> Decision | None:
        """The move that brings a proven result nearest; None where the result of the root is not proven."""
        known, value = mcts.is_known(self._rules, self.tree, self._scale)
        if not known:
            return None
        width = self.tree.legal.shape[1]
        moves, scores = np.zeros(width, np.int32), np.zeros(width, np.int64)
        count = mcts.foresee(self._rules, self.tree, moves, scores)
        worths = np.clip(scores[:count] / self._scale, -1, 1)
        if worths.max() < value:
            return None
        order = np.argsort(-scores[:count], kind="stable")
        unpack = self.packing.unpack_move
        candidates = tuple(Candidate(unpack(int(moves[at]), self.state), float(worths[at])) for at in order)
        move = candidates[0].move
        return Decision(move, value, True, (move,), nodes=count, candidates=candidates, unit=VALUE)

    def visits(self) -> NDArray[np.int32]:
        """int32[actions], how often each packed move of the root was followed: what a policy learns from."""
        counts = np.zeros(self._actions, np.int32)
        first, count = int(self.tree.firsts[0]), max(int(self.tree.counts[0]), 0)
        counts[self.tree.moves[first : first + count]] = self.tree.visits[first : first + count]
        return counts

    def decision(self, *, lines: int = 1) -> Decision:
        """What the trees say now, the most visited first; where several `lines` are wanted as many moves have one."""
        tree = self.tree
        visits, won = self._pooled()
        order = sorted(self._children(0), key=lambda child: -visits[int(tree.moves[child])])
        unpack = self.packing.unpack_move
        candidates = []
        for place, at in enumerate(order):
            move = int(tree.moves[at])
            line = self._line(at) if place < lines > 1 else ()
            candidates.append(
                Candidate(unpack(move, self.state), self._value(won[move], visits[move]), visits[move], line=line)
            )
        return Decision(
            candidates[0].move,
            candidates[0].score,
            line=self._line(order[0]),
            nodes=sum(int(search.tree.visits[0]) - search.inherited for search in (self, *self.beside)),
            seconds=self._spent,
            candidates=tuple(candidates),
            unit=VALUE,
        )

    def _pooled(self) -> tuple[Counter[int], dict[int, float]]:
        """How often each packed move of the root was followed, and the sum of its results, in all trees."""
        visits: Counter[int] = Counter()
        won: dict[int, float] = defaultdict(float)
        for tree in (self.tree, *(search.tree for search in self.beside)):
            first, count = int(tree.firsts[0]), max(int(tree.counts[0]), 0)
            for child in range(first, first + count):
                visits[int(tree.moves[child])] += int(tree.visits[child])
                won[int(tree.moves[child])] += float(tree.won[child])
        return visits, won

    def _line(self, node: int) -> tuple[Move, ...]:
        """The moves visited most, from the child `node` of the root on; the tree may be growing while it is read."""
        state, line = self.state, []
        while True:
            following = self.packing.unpack_move(int(self.tree.moves[node]), state)
            try:
                state = state.play(following)
            except IllegalMoveError:
                break  # a pass that only the packed rules write down
            line.append(following)
            below = self._children(node)
            if not below or not self.tree.visits[below[0]]:
                break
            node = below[0]
        return tuple(line)

    def drawn(self, rng: np.random.Generator, temperature: float) -> Decision:
        """As `decision`, but with a move drawn in proportion to its visits to the power of ``1 / temperature``."""
        decision = self.decision()
        shares = np.array([candidate.visits or 0 for candidate in decision.candidates], float)
        shares = (shares / shares.max()) ** (1 / temperature)
        chosen = decision.candidates[int(rng.choice(len(shares), p=shares / shares.sum()))]
        others = tuple(candidate for candidate in decision.candidates if candidate is not chosen)
        line = decision.line if chosen.move == decision.move else (chosen.move,)
        return replace(decision, move=chosen.move, score=chosen.score, line=line, candidates=(chosen, *others))

    def _children(self, node: int) -> list[int]:
        first, count = int(self.tree.firsts[node]), int(self.tree.counts[node])
        return sorted(range(first, first + count), key=lambda child: -int(self.tree.visits[child]))

    def _value(self, won: float, visits: int) -> float | None:
        """The mean of results of that sum."""
        return won / visits if visits else 0.0
