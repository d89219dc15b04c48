"""Alpha-beta as a textbook has it, over any two-player game's State: slow, plain, the witness of the compiled one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.core import Outcome, State
from solvers.core import Candidate, Decision, Limit, Move, Progress, SearchStoppedError
from solvers.units import VALUE

Worth = Callable[[Outcome, Any], float]
"""What an ended game is worth to the side to move in its last state."""

Guess = Callable[[Any], float]
"""What a state that goes on may be worth to the side to move."""


def margin(ended: Outcome, state: State[Any]) -> float:
    """The score of the side to move less its rival's."""
    own = ended.scores[state.player]
    return own - (sum(ended.scores) - own)


def level(state: State[Any]) -> float:
    """0: nothing is known of a game that goes on."""
    return 0.0


ASKED_AFTER = 256
"""Nodes between two questions whether the search is still wanted; each takes some 0.1 ms in a game of many moves."""


@dataclass
class _Tree:
    """One search: what it counts with, and how much it has done."""

    worth: Worth
    guess: Guess
    limit: Limit
    started: float
    is_unwanted: Callable[[], bool] = lambda: False
    nodes: int = 0
    guessed: bool = False

    def value(self, state: State[Any], depth: int, alpha: float, beta: float) -> tuple[float, tuple[Move, ...]]:
        """The score for the side to move and the line that leads to it; fail-soft."""
        self.nodes += 1
        if self.limit.nodes is not None and self.nodes > self.limit.nodes:
            raise SearchStoppedError
        if self.limit.seconds is not None and time.thread_time() - self.started > self.limit.seconds:
            raise SearchStoppedError
        if self.nodes % ASKED_AFTER == 0 and self.is_unwanted():
            raise SearchStoppedError
        ended = state.outcome()
        if ended is not None:
            return self.worth(ended, state), ()
        if depth == 0:
            self.guessed = True
            return self.guess(state), ()
        best, line = float("-inf"), ()
        for move in state.legal_moves():
            child = state.play(move)
            if child.player == state.player:
                score, rest = self.value(child, depth - 1, max(alpha, best), beta)
            else:
                score, rest = self.value(child, depth - 1, -beta, -max(alpha, best))
                score = -score
            if score > best:
                best, line = score, (move, *rest)
            if best >= beta:
                break
        return best, line


def search(
    state: State[Any],
    depth: int,
    alpha: float = float("-inf"),
    beta: float = float("inf"),
    *,
    worth: Worth = margin,
    guess: Guess = level,
) -> tuple[float, tuple[Move, ...]]:
    """The score of `state` for its side to move after `depth` plies, and the line; fail-soft outside (alpha, beta).

    >>> from games import find_game
    >>> search(find_game("connect_four").parse("112233"), depth=1)
    (1.0, (3,))
    """
    return _Tree(worth, guess, Limit(), 0.0).value(state, depth, alpha, beta)


@dataclass(frozen=True)
class AlphaBeta:
    """Iterative deepening by the readable search; `depth` plies at most unless the limit asks for other."""

    depth: int = 4

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move of the deepest search that was finished; scores are final margins, 0 where play goes on.

        Raises ValueError when the game is over.
        """
        moves = state.legal_moves()
        if not moves:
            raise ValueError("the game is over: there is no move to choose")
        decision = Decision(moves[0], line=(moves[0],))
        tree = _Tree(margin, level, limit, time.thread_time(), lambda: progress is not None and progress(decision))
        for depth in range(1, (limit.depth or self.depth) + 1):
            tree.guessed = False
            try:
                score, line = tree.value(state, depth, float("-inf"), float("inf"))
            except SearchStoppedError:
                break
            seconds = time.thread_time() - tree.started
            candidates = (Candidate(line[0], score),)
            decision = Decision(
                *(line[0], score, not tree.guessed, line),
                nodes=tree.nodes,
                seconds=seconds,
                candidates=candidates,
                unit=VALUE,
            )
            if decision.proven or (progress is not None and progress(decision)):
                break
        return decision
