"""What a solver's score says of the chance to win, and what a move that lowers it costs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from solvers.units import VALUE

if TYPE_CHECKING:
    from solvers.core import Decision

SPREADS = {"step": 6.4, "disc": 10.0, "cell": 1.1}
"""By what a unit counts: the lead with which 73 games of 100 are won.

Fitted to how 24 games of each game's own solver ended, at 0.03 s a move and with every seventh move left to chance.
"""

SPREAD = 6.0
"""The same where nothing was fitted: in the middle of those."""

FALL, TOP = 0.04354, 103.1668
"""Of lichess's accuracy of a move: 103.1668 exp(-0.04354 lost) - 3.1669, where `lost` is in percent."""


def chance(decision: Decision) -> float | None:
    """The chance of the side to move to win, a draw counted as half a win; None where the score says nothing of it.

    A proven score is 1, 0.5 or 0.  A value from -1 to 1 is half way between; a lead is a logistic of it.
    """
    score, unit = decision.score, decision.unit
    if score is None or unit.share:
        return None
    if decision.proven or (unit.many and abs(score) >= unit.won):
        return 0.5 + 0.5 * ((score > 0) - (score < 0))
    if unit == VALUE:
        return min(max((1 + score) / 2, 0.0), 1.0)
    return 1 / (1 + math.exp(-min(max(score / SPREADS.get(unit.one, SPREAD), -30.0), 30.0)))


def accuracy(lost: float) -> float:
    """How good a move was, from 0 to 100, that lost so much of a chance; the curve is lichess's.

    >>> accuracy(0.0), round(accuracy(0.1)), round(accuracy(0.5))
    (100.0, 64, 9)
    """
    return min(max(TOP * math.exp(-FALL * 100 * lost) - (TOP - 100), 0.0), 100.0)
