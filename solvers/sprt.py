"""The sequential probability ratio test of a match: stop as soon as one of two differences in strength is the likelier.

The ratio is that of the generalized test (GSPRT) on the results of pairs of games, as chess engines are tested with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

BOUND = math.log(0.95 / 0.05)
"""The logarithm of the ratio at which the test stops: in one of twenty matches it is wrong."""

NEVER = 1e-3
"""What a result that was not seen counts, so that no likelihood is 0."""


def log_likelihood_ratio(pairs: Sequence[float], elo0: float, elo1: float) -> float:
    """How much likelier the results are at a difference of `elo1` than at one of `elo0`, as a logarithm.

    pairs: how many pairs gave 0, 0.5, 1, 1.5 and 2 points of 2.

    >>> round(log_likelihood_ratio([223, 9863, 21279, 10037, 246], 0.5, 2.5), 2)
    -3.07
    """
    counts = np.maximum(np.asarray(pairs, np.float64), NEVER)
    shares = counts / counts.sum()
    low, high = (_likeliest(shares, 1 / (1 + 10 ** (-elo / 400))) for elo in (elo0, elo1))
    return float(counts.sum() * (shares @ np.log(high / low)))


def _likeliest(shares: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """The distribution with that mean under which results in these shares are likeliest, float64[results].

    It is ``shares / (1 + x * (values - mean))`` for the `x` that gives the mean, which is halved down to.
    """
    offsets = np.linspace(0, 1, shares.size) - mean
    low, high = -1 / offsets[-1], -1 / offsets[0]
    for _ in range(100):
        middle = (low + high) / 2
        if (shares * offsets / (1 + middle * offsets)).sum() > 0:
            low = middle
        else:
            high = middle
    found: NDArray[np.float64] = shares / (1 + middle * offsets)
    return found
