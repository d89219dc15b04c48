"""Solvers of any game of two sides in which one wins what the other loses, from its rules alone."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from games import find_game
from games.core import Game, State
from solvers.core import Candidate, Decision, Limit, Move, Progress, SearchStoppedError
from solvers.units import Unit, lead_in

INFINITY = float("inf")

ASKED_AFTER = 64
"""Nodes between two looks at the time and at the progress; each node takes 0.05 to 0.5 ms."""

ORDERED = 2
"""Plies left from which the moves that seem best come first: below, looking at all of them costs more."""

MANY = 1_000
"""More moves than any position has: they weigh less than any estimate."""

ENTRIES = 1_000_000
"""Positions that a search remembers at most; 0.5 kB each."""


class Known(NamedTuple):
    """What was found of a position.

    depth: plies that were looked ahead.  low, high: bounds of its value for its side to move.
    move: the best one.  guessed: whether an estimate went into the value.
    """

    depth: int
    low: float
    high: float
    move: Move
    guessed: bool


@dataclass
class PositionTree:
    """One search by alpha-beta with a table; values are margins of points for the side to move.

    game: whose rules they are, and whose estimate of a position that goes on.
    """

    game: Game[Any, Any]
    limit: Limit
    is_unwanted: Callable[[], bool] = lambda: False
    started: float = field(default_factory=time.thread_time)
    nodes: int = 0
    stopped: bool = False
    known: dict[State[Any], Known] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """CPU seconds since it began."""
        return time.thread_time() - self.started

    def value(self, state: State[Any], depth: int, alpha: float, beta: float) -> tuple[float, bool]:
        """The value of `state` after `depth` plies, and whether it holds an estimate; fail-soft outside (alpha, beta).

        Raises SearchStoppedError at the limit.
        """
        self._count()
        ended = state.outcome()
        if ended is not None:
            own = ended.scores[state.player]
            return own - (sum(ended.scores) - own), False
        if depth <= 0:
            return self.game.estimate(state), True
        known = self.known.get(state)
        if known is not None and (known.depth >= depth or not known.guessed):
            if known.low >= beta or known.low == known.high:
                return known.low, known.guessed
            if known.high <= alpha:
                return known.high, known.guessed
        best, guessed, chosen = -INFINITY, False, None
        for move, child in self.children(state, depth, known):
            score, unsure = self.after(state, child, depth, max(alpha, best), beta, scout=chosen is not None)
            guessed |= unsure
            if score > best:
                best, chosen = score, move
                if best >= beta:
                    break
        if len(self.known) < ENTRIES or known is not None:
            low, high = (best if best > alpha else -INFINITY), (best if best < beta else INFINITY)
            self.known[state] = Known(depth, low, high, chosen, guessed)
        return best, guessed

    def after(
        self, state: State[Any], child: State[Any], depth: int, alpha: float, beta: float, *, scout: bool
    ) -> tuple[float, bool]:
        """The value of `child`, a ply after `state`, for the side to move in `state`, which may move again.

        scout: whether to ask first, in a window of no width, if it is more than `alpha` at all.
        """
        if scout and alpha < beta:
            score, guessed = self.after(state, child, depth, alpha, math.nextafter(alpha, INFINITY), scout=False)
            if not alpha < score < beta:
                return score, guessed
            alpha = score
        if child.player == state.player:
            return self.value(child, depth - 1, alpha, beta)
        score, guessed = self.value(child, depth - 1, -beta, -alpha)
        return 0.0 - score, guessed

    def children(self, state: State[Any], depth: int, known: Known | None) -> Sequence[tuple[Move, State[Any]]]:
        """The moves and where they lead, the one that was best before first."""
        pairs = [(move, state.play(move)) for move in state.legal_moves()]
        if depth >= ORDERED:
            worths = {move: self._glance(state, child) for move, child in pairs}
            pairs.sort(key=lambda pair: -worths[pair[0]])
        if known is not None:
            pairs.sort(key=lambda pair: pair[0] != known.move)
        return pairs

    def line(self, state: State[Any]) -> tuple[Move, ...]:
        """The best moves from `state` on, as far as the table knows them."""
        moves: list[Move] = []
        while (known := self.known.get(state)) is not None and known.move is not None:
            moves.append(known.move)
            state = state.play(known.move)
        return tuple(moves)

    def _glance(self, state: State[Any], child: State[Any]) -> float:
        """What `child` seems worth to the side to move in `state`: by the estimate, then by the moves it leaves."""
        worth = -self.game.estimate(child) or -float(len(child.legal_moves())) / MANY
        return worth if child.player != state.player else -worth

    def _count(self) -> None:
        self.nodes += 1
        if self.limit.nodes is not None and self.nodes > self.limit.nodes:
            raise SearchStoppedError
        if self.nodes % ASKED_AFTER == 0:
            late = self.limit.seconds is not None and self.seconds > self.limit.seconds
            if late or self.is_unwanted():
                raise SearchStoppedError


@dataclass(frozen=True)
class AlphaBeta:
    """Iterative deepening with a table of positions, by the game's own estimate of positions that go on, if it has one.

    depth: plies at most where the limit names none; 0 goes on until the value is proven.
    """

    game: str
    depth: int = 4

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move of the deepest search that was finished; scores are margins of points for the side to move.

        Raises ValueError when the game is over.
        """
        moves = state.legal_moves()
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        unit = lead_in(find_game(self.game))
        decision = Decision(moves[0], line=(moves[0],), candidates=tuple(map(Candidate, moves)), unit=unit)
        tree = PositionTree(find_game(self.game), limit, lambda: progress is not None and progress(decision))
        bounded = limit.seconds is not None or limit.nodes is not None
        deepest = limit.depth or (None if bounded else self.depth) or INFINITY
        depth = 0
        while depth < deepest and not decision.proven:
            depth += 1
            decision = self._search(tree, state, depth, decision)
            if tree.stopped or (progress is not None and progress(decision)):
                break
        return decision

    def _search(self, tree: PositionTree, state: State[Move], depth: int, best: Decision) -> Decision:
        """The decision of a search of `depth` plies, or as far as it comes; `best` is that of the search before.

        A search that is stopped has looked at the move that was best before, if at any.
        """
        value, guessed, lines = -INFINITY, False, tree.limit.lines or 1
        bounds: dict[Move, float] = {}
        known: dict[Move, tuple[Move, ...]] = {}
        try:
            for number, (move, child) in enumerate(tree.children(state, depth, tree.known.get(state))):
                floor = (
                    sorted((bounds[each] for each in known), reverse=True)[lines - 1]
                    if len(known) >= lines
                    else -INFINITY
                )
                score, unsure = tree.after(state, child, depth, floor, INFINITY, scout=number >= lines)
                guessed |= unsure
                bounds[move] = score
                if score > floor:
                    known[move] = (move, *tree.line(child))
                if score > value:
                    value = score
                    best = replace(best, move=move, score=score, line=known[move])
        except SearchStoppedError:
            tree.stopped = True
        else:
            tree.known[state] = Known(depth, value, value, best.move, guessed)
        left = [each.move for each in best.candidates if each.move not in bounds]
        others = [move for move in (*sorted(bounds, key=lambda move: -bounds[move]), *left) if move != best.move]
        exact = [move for move in others if move in known][: lines - 1]  # of the others only bounds are known
        candidates = (
            Candidate(best.move, best.score, line=best.line if lines > 1 else ()),
            *(Candidate(move, bounds[move], line=known[move]) for move in exact),
            *(Candidate(move) for move in others if move not in exact),
        )
        proven = not guessed and not tree.stopped
        return replace(best, nodes=tree.nodes, seconds=tree.seconds, proven=proven, candidates=candidates)


@dataclass(frozen=True)
class Greedy:
    """Takes the move after which most cells show its own kind, the first of several; looks no further."""

    game: str

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move that gains most cells; scores are cells.  Raises ValueError when the game is over."""
        moves = state.legal_moves()
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        show, own = find_game(self.game).show, state.player + 1
        cells = [int(np.count_nonzero(show(state.play(move)).grid == own)) for move in moves]
        order = sorted(range(len(moves)), key=lambda at: -cells[at])
        candidates = tuple(Candidate(moves[at], float(cells[at])) for at in order)
        best = moves[order[0]]
        unit = Unit("cell", "cells")
        return Decision(best, candidates[0].score, line=(best,), nodes=len(moves), candidates=candidates, unit=unit)
