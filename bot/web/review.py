"""A game looked through after its end: what each move cost, how well each played, how few moves there could be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.web.chances import accuracy, chance
from bot.web.messages import Costly, Par
from games.core import Game
from solvers.core import Decision

COSTLIEST = 3
"""Moves that are pointed out."""

LEAST = 0.02
"""Of a chance that a move must cost to be pointed out: less is the noise of searches of a third of a second."""


@dataclass(frozen=True)
class Played:
    """A game so far as it was looked through.

    states: its positions, one more than `moves`.  decisions: of the first of them, None where the solver said nothing.
    """

    game: Game[Any, Any]
    states: Sequence[Any]
    moves: Sequence[str]
    decisions: Sequence[Decision | None]

    @property
    def alone(self) -> bool:
        """Whether it is a game for one."""
        return self.game.players == 1

    def costs(self) -> list[Costly | None]:
        """What each move cost, None where that is not known."""
        return self._more_moves() if self.alone else self._less_hope()

    def costly(self) -> list[Costly]:
        """The moves that cost most, the worst first."""
        least = 1 if self.alone else LEAST
        found = [cost for cost in self.costs() if cost is not None and cost.cost >= least]
        return sorted(found, key=lambda cost: (-cost.cost, cost.ply))[:COSTLIEST]

    def accuracy(self) -> list[float | None]:
        """How well each player played, from 0 to 100.

        Of a game for two: the mean of what `chances.accuracy` says of each move.  Of a game for one: the fewest moves
        in a hundred of those made, and those that would still be needed.
        """
        if self.alone:
            left = self.left()
            needed = left[-1] if len(left) == len(self.states) else None
            return [None if needed is None else 100.0 * left[0] / max(len(self.moves) + needed, 1)]
        each: list[list[float]] = [[], []]
        for cost in self.costs():
            if cost is not None:
                each[cost.player].append(accuracy(cost.cost))
        return [sum(some) / len(some) if some else None for some in each]

    def par(self) -> Par | None:
        """How few moves a game for one could take, with one shortest line; None while that is not known."""
        if not self.alone or not self.left():
            return None
        first = self.decisions[0]
        return Par(moves=int(self.left()[0]), proven=first is not None and first.proven, line=self._lines()[0])

    def left(self) -> list[float]:
        """The fewest moves to the end known from each position of a game for one, as far as they were looked at.

        What is known of a position holds for the one before, and a move more.
        """
        left: list[float] = []
        for at in reversed(range(self._seen())):
            decision = self.decisions[at] if at < len(self.decisions) else None
            own = 0.0 if self._won(at) else None if decision is None else decision.score
            later = left[-1] + 1 if left else None
            known = [each for each in (own, later) if each is not None]
            if not known:
                return []
            left.append(min(known))
        return left[::-1]

    def _seen(self) -> int:
        """How many positions something is known of, the end included."""
        seen = len(self.decisions)
        return seen + (seen == len(self.states) - 1 and self.states[-1].outcome() is not None)

    def _won(self, at: int) -> bool:
        outcome = self.states[at].outcome()
        return outcome is not None and outcome.winner == 0

    def _lines(self) -> list[list[str]]:
        """The shortest way known from each position."""
        left = self.left()
        lines: list[list[str]] = [[] for _ in left]
        for at in reversed(range(len(left))):
            decision = self.decisions[at] if at < len(self.decisions) else None
            if decision is not None and decision.score == left[at]:
                lines[at] = self._texts(at, decision.line)
            elif at + 1 < len(left):
                lines[at] = [self.moves[at], *lines[at + 1]]
        return lines

    def _more_moves(self) -> list[Costly | None]:
        left, lines = self.left(), self._lines()
        costs: list[Costly | None] = []
        for at in range(len(left) - 1):
            proven = all(self._proven(each) for each in (at, at + 1))
            costs.append(self._cost(at, lines[at], left[at], left[at + 1] + 1, proven=proven))
        return costs

    def _less_hope(self) -> list[Costly | None]:
        costs: list[Costly | None] = []
        for at in range(min(len(self.moves), self._seen() - 1)):
            decision, mover = self.decisions[at], self.states[at].player
            before, after = self._hope(at, mover), self._hope(at + 1, mover)
            if decision is None or before is None or after is None:
                costs.append(None)
                continue
            equals = self._texts(at, (decision.move,)) + [self._text(at, move) for move in decision.best]
            if self.moves[at] in equals:
                after = before  # that the next search thinks otherwise is its noise
            proven = self._proven(at) and self._proven(at + 1)
            costs.append(self._cost(at, self._texts(at, decision.line), before, after, proven=proven))
        return costs

    def _cost(self, at: int, line: list[str], before: float, after: float, *, proven: bool) -> Costly:
        lost = (after - before) if self.alone else (before - after)
        named = {"ply": at, "player": self.states[at].player, "move": self.moves[at], "line": line}
        better = line[0] if line else self.moves[at]
        return Costly(**named, better=better, before=before, after=after, cost=max(lost, 0.0), proven=proven)

    def _hope(self, at: int, player: int) -> float | None:
        """The chance of `player` to win from a position."""
        outcome = self.states[at].outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner == player)
        decision = self.decisions[at]
        hope = None if decision is None else chance(decision)
        return hope if hope is None or self.states[at].player == player else 1 - hope

    def _proven(self, at: int) -> bool:
        if self.states[at].outcome() is not None:
            return True
        decision = self.decisions[at]
        return decision is not None and decision.proven

    def _text(self, at: int, move: Any) -> str:
        return self.game.format_move(move, self.states[at])

    def _texts(self, at: int, line: Sequence[Any]) -> list[str]:
        texts, state = [], self.states[at]
        for move in line:
            if state.outcome() is not None:
                break
            texts.append(self.game.format_move(move, state))
            state = state.play(move)
        return texts
