"""Blokus's strong player: the shared tree search, guided by what is known of the game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.blokus.board import BlokusBoard, Move
from games.blokus.position import Blokus
from solvers.blokus.players import MOST_MOVES, Exact, count_all, pack, pack_move, rules_of, unpack_move
from solvers.blokus.value_network import net_for
from solvers.compiled import Sizes
from solvers.core import Decision, Limit, Progress
from solvers.kernels import mcts
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus.guided import GuidedBlokus, SearchParameters, guided
from solvers.kernels.blokus.value import no_net
from solvers.tree_search import MOST_PLAYOUTS, PLAYOUTS, TreeSearch, side_by_side

# The worths were found step by step in matches of players that lay what is worth most at a glance: the sets on the way
# won 56% to 67% of 300 games against round numbers. These are the last set rounded, which was not matched itself.
PARAMETERS = SearchParameters(
    temperature=4.0,
    rave=40.0,
    squares=4.0,
    opened=1.3,
    covered=3.6,
    near=1.7,
    lost=-0.9,
    liberties=0.75,
    middle=11.4,
    large=243.0,
    covering=180.0,
    margin=0.3,
    scale=8.0,
    fpu=0.05,
    besides=80.0,
    heat=0.2,
    trust=1.0,
    playout=0.5,
    opening=10.0,
    middle_game=24.0,
)

# With a network, in matches of 24 games at 0.02 s a move: a heat of 0.25 won 62% against 0.5, one of 0.12 56% against
# 0.25; an exploration of 0.35 56% against 0.7; 30 or 40 children instead of 80 changed nothing.
EXPLORATION, EXPLORATION_WITH_NETWORK = 0.7, 0.35

NODE_BYTES = 49
"""Memory of a node, with what is noted of it."""

PROVEN_NODES = 1_200_000
"""Positions that the exact search looks at in a second, about; it decides only whether a proof is tried."""


def cost_of_proof(placements: int) -> float:
    """How many positions the exact search looks at to prove a game's end, given the placements of all colours.

    The median of 199 positions of 14 games on Duo is the cube of their number over 10.6; two of three lie within a
    factor of 2.4 of it.
    """
    return placements**3 / 10


class Guidance:
    """Blokus's states as packed positions for a tree search of any number of seats, and what guides it.

    parameters: what it is tuned by.  net: whether a network values positions where there is one.  nodes: of a tree.
    """

    unit = 1

    def __init__(self, parameters: SearchParameters, *, net: bool, nodes: int) -> None:
        self._parameters, self._net, self._nodes = parameters, net, nodes

    def rules(self, state: Blokus) -> GuidedBlokus:
        """The packed rules of the board, with room for what a search notes."""
        net = net_for(state.board) if self._net else no_net()
        return guided(rules_of(state.board), self._parameters, net, nodes=self._nodes, width=MOST_MOVES)

    def family(self, state: Blokus) -> BlokusBoard:
        """The board."""
        return state.board

    def sizes(self, state: Blokus) -> Sizes:
        """Walks stand in one row."""
        rules = rules_of(state.board)
        return Sizes(0, packed.words_of(rules), MOST_MOVES, packed.pass_of(rules) + 1)

    def pack(self, state: Blokus) -> NDArray[np.uint64]:
        """uint64[words]: the packed position of `state`."""
        words: NDArray[np.uint64] = pack(state, rules_of(state.board))[0]
        return words

    def pack_move(self, move: Move, state: Blokus) -> int:
        """The form and where its top left corner lies."""
        return pack_move(move, state.board)

    def unpack_move(self, move: int, state: Blokus) -> Move:
        """The placement with that number."""
        return unpack_move(move, state.board)


class GuidedSearch(TreeSearch):
    """A tree whose results are from 0 to 1 for the seat that moved, kept for as long as a game goes on."""

    state: Blokus

    def _inherit(self, before: Any) -> mcts.Tree | None:
        node = _find(before, self.state)
        if node is None:
            return None
        self._rules = before._rules  # what was noted of the tree's nodes stands there
        return self._keep(before.tree, node)

    def _value(self, won: float, visits: int) -> float | None:
        return 2 * won / visits - 1 if visits else None


def _find(before: Any, state: Blokus) -> int | None:
    """The node of `state` in the tree of an earlier search, None where it has none with children."""
    tree, moves, node = before.tree, before.state.moves, 0
    if state.moves[: len(moves)] != moves:
        return None
    for move in filter(None, state.moves[len(moves) :]):
        first, count = int(tree.firsts[node]), max(int(tree.counts[node]), 0)
        places = np.flatnonzero(tree.moves[first : first + count] == pack_move(move, state.board))
        if not len(places):
            return None
        node = first + int(places[0])
    return node if tree.counts[node] > 0 and before._rules.colours[node] == state.colour else None


@dataclass(frozen=True)
class Mcts:
    """The strong player: tree search with priors, RAVE and playouts that know the game; a limit's nodes are playouts.

    A network values positions where there is one (`solvers.blokus.value_network`), elsewhere playouts do, as they do
    everywhere with net=false; from the middle game on both do, of which a playout counts for `playout` at most. The
    tree is kept while a game goes on. exploration: of PUCT, 0 for the usual.
    temperature, rave: see `solvers.kernels.blokus.guided.SearchParameters`; rave is of no use with a network, where it
    won 45, drew 8 and lost 47 of 100 games at equal time.
    proof: the share of a limit in which the exact search may prove how the game ends, where it can be expected to.
    megabytes: of a tree, one for each thread; once it is full, what was visited least goes.
    """

    exploration: float = 0.0
    temperature: float = PARAMETERS.temperature
    rave: float = PARAMETERS.rave
    playout: float = PARAMETERS.playout
    seed: int = 0
    net: bool = True
    proof: float = 0.5
    megabytes: int = 100
    _exact: Exact = field(default_factory=Exact, init=False, repr=False, compare=False)
    _kept: list[GuidedSearch] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: Blokus, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The placement visited most often; its score is the mean result, from -1 to 1, or the margin once `proven`."""
        proof = self._prove(state, limit, progress)
        if proof is not None and proof.proven:
            return proof
        spent = proof.seconds if proof is not None else 0.0
        seconds = None if limit.seconds is None else max(limit.seconds - spent, 0.0)
        parameters = PARAMETERS._replace(temperature=self.temperature, rave=self.rave, playout=self.playout)
        usual = EXPLORATION_WITH_NETWORK if self.net and len(net_for(state.board).rows) else EXPLORATION

        nodes = (self.megabytes << 20) // NODE_BYTES

        def tree(number: int, before: GuidedSearch | None) -> GuidedSearch:
            guidance, exploration = Guidance(parameters, net=self.net, nodes=nodes), self.exploration or usual
            return GuidedSearch(
                guidance, state, exploration=exploration, seed=self.seed + number, nodes=nodes, before=before
            )

        search = side_by_side(tree, self._kept, limit.threads or 1)
        playouts = limit.nodes or (PLAYOUTS if seconds is None else MOST_PLAYOUTS)
        search.play_out(playouts, seconds=seconds, progress=progress)
        decision = search.decision(lines=limit.lines or 1)
        return replace(decision, seconds=decision.seconds + spent)

    def _prove(self, state: Blokus, limit: Limit, progress: Progress | None) -> Decision | None:
        """What the exact search says with its share of the limit; None where no proof is to be expected of it."""
        if state.board.players > 2 or not self.proof or not state.legal_moves():
            return None
        seconds = None if limit.seconds is None else self.proof * limit.seconds
        nodes = limit.nodes or (PLAYOUTS if seconds is None else None)
        bounds = (nodes or np.inf, np.inf if seconds is None else seconds * PROVEN_NODES)
        if cost_of_proof(count_all(state)) > min(bounds):
            return None
        return self._exact.end(state, replace(limit, seconds=seconds, nodes=nodes, depth=None), progress=progress)
