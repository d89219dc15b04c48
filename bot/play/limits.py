"""What ends games that go on: a page says that it allows no more moves, and nobody may go to and fro for ever.

The first is told without reading: words come up beside the board just then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.play.motion import BLOCK, MOVING, mean_colours
from bot.play.observer import Observer
from calibration.frame import Rect, Spot
from calibration.palette import distances
from solvers.core import Decision

BEFORE = 3
"""Moves before it that tell what changes with every one: a counter, whose digits change by turns."""

ROUND = 2, 20
"""Squares up and down, and left and right, of what changes with every move, in which such may change as well: a number
that gets another digit moves the words beside it."""

WORDS = 12
"""Squares that change where words come up, or take a colour of their own: one of 14 pixels takes 20, a digit 6."""

REPEATS = 2
"""So often a move of ours may lead to the same position."""

STRANGE = 24.0
"""RGB distance of a square from all that showed before from which it has a colour of its own: words in red."""


class MoveLimit:
    """Looks at what lies round the board that `observer` sees before each move near the last that most pages allow."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._looks: dict[int, NDArray[np.float32]] = {}
        self._at: Rect | None = None  # where the board lay in them: all else changes where its window is dragged

    def reached(self, made: int, allowed: Collection[int]) -> bool:
        """Whether after `made` moves, of which most pages allow one of `allowed`, something new shows there."""
        if not any(made <= most <= made + BEFORE for most in allowed):
            return False
        if self._at != (at := self._observer.board_region()):
            self._looks, self._at = {}, at
        now = self._looks[made] = self._round()
        known = [self._looks.get(made - back) for back in range(BEFORE, 0, -1)]
        looks = [*(each for each in known if each is not None and each.shape == now.shape), now]
        if made not in allowed or len(looks) <= BEFORE:
            return False
        *earlier, new = (np.abs(one - other).max(axis=2) > MOVING for one, other in pairwise(looks))
        seen = np.concatenate([*(look.reshape(-1, 3) for look in looks[:-1]), self._observer.calibration.palette])
        strange = distances(now[new], np.unique(seen.round(), axis=0)).min(axis=1, initial=np.inf) > STRANGE
        down, across = ROUND
        for row, col in np.argwhere(np.any(earlier, axis=0)).tolist():
            new[max(0, row - down) : row + down + 1, max(0, col - across) : col + across + 1] = False
        return max(int(new.sum()), int(strange.sum())) >= WORDS

    def _round(self) -> NDArray[np.float32]:
        """The downsampled picture of the screen with nothing where the board and its controls are."""
        observer = self._observer
        squares = mean_colours(observer.look([observer.desktop]).pixels)
        controls = map(observer.surroundings, observer.calibration.controls)
        for x, y, width, height in (observer.board_region(), *controls):
            left, top = observer.pixel(Spot(x, y))
            right, foot = observer.pixel(Spot(x + width, y + height))
            squares[_squares(top, foot), _squares(left, right)] = 0
        return squares


def _squares(first: float, last: float) -> slice:
    return slice(max(0, int(first // BLOCK)), max(0, int(last // BLOCK) + 1))


class Repeats:
    """Remembers to which positions our moves of one game led."""

    def __init__(self) -> None:
        self._stood = Counter[Any]()

    def came(self, position: Any) -> None:
        """A move of ours led to `position`."""
        self._stood[position] += 1

    def avoided(self, state: Any, decision: Decision) -> Decision:
        """The decision, or the next best one where its move led to the same position again and again."""
        fresh = (move for move in decision.in_order(state) if self._stood[state.play(move)] < REPEATS)
        move = next(fresh, decision.move)
        return decision if move == decision.move else replace(decision, move=move, best=(), line=())
