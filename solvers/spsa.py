"""Simultaneous perturbation stochastic approximation: better values of several options from games alone.

Of Spall, "Implementation of the simultaneous perturbation algorithm" (1998), which chess engines are tuned with: all
options are moved at once by chance, up or down, and the two players so made play each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

PERTURBED, STEP = 0.15, 0.1
"""How far the options are moved to be compared, and the longest first step after it, in parts of their ranges."""

FADING_PERTURBATION, FADING_STEP, STEADY = 0.101, 0.602, 0.1
"""Spall's exponents, and the part of all rounds after which steps begin to fade."""


@dataclass(frozen=True, slots=True)
class Knob:
    """An option with its range; whole: whether it is a whole number."""

    name: str
    low: float
    high: float
    whole: bool

    def value(self, share: float) -> float:
        """The value at `share` of the range, which is held within it."""
        value = self.low + (self.high - self.low) * min(max(share, 0.0), 1.0)
        return floor(value + 0.5) if self.whole else value

    def share(self, value: float) -> float:
        """Where in the range a value lies."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


Shares = NDArray[np.float64]
"""float64[knobs]: where in its range each option is."""


def tune(
    knobs: Sequence[Knob],
    begin: Sequence[float],
    rounds: int,
    pairs: int,
    rng: np.random.Generator,
    compare: Callable[[int, Sequence[tuple[Shares, Shares]]], Sequence[float]],
    told: Callable[[int, Shares], None],
) -> Shares:
    """The mean of the second half of the rounds, each of which compares `pairs` pairs of players.

    begin: the values to begin with.  compare: is given the number of a round and its pairs of players, and says of each
    how much better the first did, from -1 to 1.  told: is called with a round's number and where it came to.
    """
    at = np.array([knob.share(value) for knob, value in zip(knobs, begin, strict=True)])
    least = np.array([0.5 / (knob.high - knob.low) if knob.whole else 0.0 for knob in knobs])
    passed: list[Shares] = []
    for number in range(rounds):
        far = np.maximum(PERTURBED / (number + 1) ** FADING_PERTURBATION, least)
        step = STEP * ((1 + STEADY * rounds) / (number + 1 + STEADY * rounds)) ** FADING_STEP
        signs = rng.choice((-1.0, 1.0), (pairs, len(knobs)))
        results = np.asarray(compare(number, [(at + far * each, at - far * each) for each in signs]))
        at = np.clip(at + step * (results[:, None] * signs).mean(axis=0), 0.0, 1.0)
        passed.append(at)
        told(number, at)
    mean: Shares = np.mean(passed[len(passed) // 2 :], axis=0)
    return mean
