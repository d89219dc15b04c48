"""Which legal moves lead from one position to another, found by playing them: what happened between two pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONGEST = 12
"""Moves of a line at most where each of them makes the two boards more alike: three rounds of four players."""

MOST_STRAIGHT = 20_000
"""Positions that are looked at for such lines: Blokus's three of 700 placements take some 3,000."""

MOST_CROOKED = 5_000
"""Positions that are looked at for other lines, of two moves: games with 70 moves need no more."""


Look = Callable[[Any], NDArray[np.int8]]
"""State -> int8[rows, cols], what its cells look like."""


def find_line(
    look: Look,
    before: Any,
    wanted: NDArray[np.int8],
    after: Any = None,
    *,
    longest: int = LONGEST,
    turns: int = LONGEST,
) -> tuple[Any, ...] | None:
    """The fewest legal moves from `before` to `after`, or where that is None to a position that looks as `wanted`.

    wanted: int8[rows, cols], as `after` looks.  turns: how often a side begins to move; it may make several moves.
    Found are all lines of one move, those of two where few moves are legal, and those of which every move makes the two
    boards more alike; None where none was found.
    """
    return _Search(look, wanted, after).line(before, longest, turns)


def remembered(before: Any, after: Any) -> tuple[Any, ...]:
    """The moves that `after` has made and `before` has not, but for forced passes; empty if these lead elsewhere."""
    line = tuple(move for move in after.moves[len(before.moves) :] if move != ())
    try:
        for move in line:
            before = before.play(move)
    except ValueError:  # it is another game's, and not legal here
        return ()
    return line if before == after else ()


@dataclass
class _Search:
    """Looks for moves that lead to `goal`, or where that is None to any position that shows `wanted`.

    left: how many more positions may be looked at.
    """

    look: Look
    wanted: NDArray[np.int8]
    goal: Any = None
    left: int = 0
    _steps: dict[Any, list[tuple[int, Any, Any]]] = field(default_factory=dict)
    _dead: set[tuple[Any, int, int, bool]] = field(default_factory=set)

    def line(self, state: Any, longest: int, turns: int) -> tuple[Any, ...] | None:
        """The fewest moves, at most `longest` in at most so many turns; None where none were found."""
        apart = self._apart(state)
        if self._reached(state, apart):
            return ()
        for moves, straight in ((1, True), (2, True), (2, False), *((more, True) for more in range(3, longest + 1))):
            if moves < 4:
                self.left = MOST_STRAIGHT if straight else MOST_CROOKED
            found = self._line(state, apart, moves, turns, straight)
            if found is not None:
                return found
        return None

    def _line(self, state: Any, apart: int, moves: int, turns: int, straight: bool) -> tuple[Any, ...] | None:
        """At most so many moves in so many turns; `straight`: all but the last make the boards more alike."""
        if (state, moves, turns, straight) in self._dead:
            return None
        for wrong, move, follows in self._after(state):
            if self._reached(follows, wrong):
                return (move,)
            left = turns - (follows.player != state.player)
            if moves > 1 and left > 0 and self.left > 0 and (wrong < apart or not straight):
                rest = self._line(follows, wrong, moves - 1, left, straight)
                if rest is not None:
                    return (move, *rest)
        self._dead.add((state, moves, turns, straight))
        return None

    def _after(self, state: Any) -> list[tuple[int, Any, Any]]:
        """Of each move: how many cells are wrong after it, fewest first, the move, and the position."""
        if state not in self._steps:
            steps = []
            for move in state.legal_moves():
                follows = state.play(move)
                if self.goal is not None and follows == self.goal:
                    return [(0, move, follows)]
                steps.append((self._apart(follows), move, follows))
            self.left -= len(steps)
            self._steps[state] = sorted(steps, key=lambda step: step[0])
        return self._steps[state]

    def _reached(self, state: Any, apart: int) -> bool:
        return apart == 0 if self.goal is None else bool(state == self.goal)

    def _apart(self, state: Any) -> int:
        """How many cells of `state` look otherwise than wanted."""
        return int(np.count_nonzero(self.look(state) != self.wanted))
