"""Monte Carlo tree search as one reads it in a paper, over any two-player game's State.

PUCT (Silver et al., "Mastering the game of Go without human knowledge", 2017): the move with the largest
``value + exploration * prior * sqrt(visits of the parent) / (1 + visits)``. Where there is no evaluator, priors are
equal and a leaf is worth the end of one random playout.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from games.core import Outcome, State
from solvers.core import Candidate, Decision, Limit, Move, Progress
from solvers.units import VALUE

Evaluate = Callable[[Any], tuple[Mapping[Move, float], float]]
"""State -> (prior of each legal move, value for the side to move in -1..1)."""

EXPLORATION = 1.4
"""How much priors and few visits count against the mean result."""

PLAYOUTS = 1000
"""How many leaves a decision looks at when nothing limits it."""

TOLD_SECONDS = 0.05
"""CPU seconds between two looks at the progress, where 256 playouts take longer."""


def reward(ended: Outcome, player: int) -> float:
    """1 for a win of `player`, -1 for a loss, 0 for a draw."""
    return 0.0 if ended.winner is None else 1.0 if ended.winner == player else -1.0


@dataclass
class Node:
    """A state in the tree, and what the playouts through it won for the side to move in its *parent*."""

    state: State[Any]
    prior: float = 1.0
    visits: int = 0
    won: float = 0.0
    children: dict[Move, Node] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The mean result for the side that moved here; 0 before the first."""
        return self.won / self.visits if self.visits else 0.0

    def best_child(self, exploration: float) -> tuple[Move, Node]:
        """The move to follow, by PUCT."""
        scale = exploration * math.sqrt(self.visits)

        def promise(child: Node) -> float:
            return child.value + scale * child.prior / (1 + child.visits)

        return max(self.children.items(), key=lambda item: promise(item[1]))


def random_playouts(rng: np.random.Generator) -> Evaluate:
    """Equal priors, and the result of one game of random moves."""

    def evaluate(state: State[Any]) -> tuple[Mapping[Move, float], float]:
        moves = state.legal_moves()
        priors = dict.fromkeys(moves, 1.0 / len(moves))
        player = state.player
        while (ended := state.outcome()) is None:
            moves = state.legal_moves()
            state = state.play(moves[int(rng.integers(len(moves)))])
        return priors, reward(ended, player)

    return evaluate


def grow(root: Node, evaluate: Evaluate, exploration: float = EXPLORATION) -> None:
    """One playout: down to a leaf by PUCT, expand and evaluate it, and carry the result back up."""
    path = [root]
    while path[-1].children:
        path.append(path[-1].best_child(exploration)[1])
    leaf = path[-1]
    ended = leaf.state.outcome()
    if ended is not None:
        value = reward(ended, leaf.state.player)
    else:
        priors, value = evaluate(leaf.state)
        leaf.children = {move: Node(leaf.state.play(move), prior) for move, prior in priors.items()}
    mover = root.state.player
    for node in path:
        node.visits += 1
        node.won += value if mover == leaf.state.player else -value
        mover = node.state.player


@dataclass(frozen=True)
class Mcts:
    """The readable tree search with random playouts; a limit's nodes are playouts."""

    exploration: float = EXPLORATION
    seed: int = 0

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move visited most often; its score is the mean result, from -1 to 1.

        Raises ValueError when the game is over.
        """
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        started = time.thread_time()
        evaluate = random_playouts(np.random.default_rng(self.seed))
        root = Node(state)
        told = 0.0
        playouts = limit.nodes or (PLAYOUTS if limit.seconds is None else None)
        while playouts is None or root.visits < playouts:
            grow(root, evaluate, self.exploration)
            spent = time.thread_time() - started
            if root.visits > 1 and limit.seconds is not None and spent > limit.seconds:
                break
            if progress is not None and (root.visits % 256 == 0 or spent - told > TOLD_SECONDS):
                told = spent
                if progress(_decision(root, started)):
                    break
        return _decision(root, started)


def _decision(root: Node, started: float) -> Decision:
    order = sorted(root.children.items(), key=lambda item: item[1].visits, reverse=True)
    candidates = tuple(Candidate(move, node.value, node.visits) for move, node in order)
    line = []
    node = root
    while node.children:
        move, node = max(node.children.items(), key=lambda item: item[1].visits)
        if not node.visits:
            break
        line.append(move)
    best, child = order[0]
    return Decision(
        best,
        child.value,
        line=tuple(line) or (best,),
        nodes=root.visits,
        seconds=time.thread_time() - started,
        candidates=candidates,
        unit=VALUE,
    )
