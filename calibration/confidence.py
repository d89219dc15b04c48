"""How likely a proposal is a board and read right: the odds that small networks see in the features of its look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WEIGHTS = Path(__file__).with_name("confidence.npz")
"""What ``python -m bench.vision.confidence --write`` fitted."""

FURTHEST = 3.0
"""Deviations from the mean up to which a feature is believed: beyond, the pictures of the fit showed nothing."""

UNFITTED = 0.5
"""The chance of a look that no weights were fitted for, where its game was asked for: as likely right as wrong; else
squared, for the board that it reads right is as likely another game's.
"""

LEAST = 0.0001
"""The chance below which, and as far under 1, something is as good as certain."""

Features = Mapping[str, float]
"""What speaks for and against a proposal, by name; each of the order of 1."""


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Networks of one hidden layer, of the same form, whose odds are averaged.

    names: of the n features, in their order.  mean, deviation: float64[n], of the features in the fit; usual:
    float64[n], their mean where the reading was right, which stands for those that were not looked at.
    direct: float64[networks, n], what a feature tells by itself.  inner: float64[networks, hidden, n], thresholds and
    outer: float64[networks, hidden], what features tell together.  bias: float64[networks].
    likeliest: float64[2], what the logarithm of the odds of the likeliest reading of a picture is multiplied and raised
    by: one of them is right, so that it is so more often than it seems by itself.
    """

    names: tuple[str, ...]
    usual: NDArray[np.float64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    direct: NDArray[np.float64]
    inner: NDArray[np.float64]
    thresholds: NDArray[np.float64]
    outer: NDArray[np.float64]
    bias: NDArray[np.float64]
    likeliest: NDArray[np.float64]

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Features, float64[..., n], as the networks take them."""
        return np.clip((values - self.mean) / self.deviation, -FURTHEST, FURTHEST)

    def odds(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """float64[rows]: the logarithm of the odds for each row of features, float64[rows, n]."""
        x = self.scaled(values)
        hidden = np.tanh(np.einsum("khn,rn->krh", self.inner, x) + self.thresholds[:, None])
        every = x @ self.direct.T + np.einsum("krh,kh->rk", hidden, self.outer) + self.bias
        return np.asarray(every.mean(axis=1))


def chance(look: str, features: Features, *, named: bool) -> float:
    """The chance, 0 to 1, that a proposal of `look` with these features is a board and is read right.

    named: whether one of the look's games was asked for: other games' boards need not be told from it then, and what
    no other game leads to may be the end of this one.  UNFITTED stands for weights where the look has none.
    """
    ensemble = ensemble_of(look, named=named)
    if ensemble is None:
        return UNFITTED if named else UNFITTED**2
    values = [features.get(name, usual) for name, usual in zip(ensemble.names, ensemble.usual, strict=True)]
    odds = float(ensemble.odds(np.array([values]))[0])
    return _chance_of(odds)


def chance_of_likeliest(look: str, known: float, *, named: bool) -> float:
    """The chance that the likeliest proposal of a look is right as such, where by itself it is `known`."""
    ensemble = ensemble_of(look, named=named)
    if ensemble is None:
        return known
    known = min(1 - LEAST, max(LEAST, known))
    times, raised = ensemble.likeliest
    return _chance_of(float(times) * log(known / (1 - known)) + float(raised))


def _chance_of(odds: float) -> float:
    """The chance that the logarithm of odds stands for."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))


@cache
def ensemble_of(look: str, *, named: bool) -> Ensemble | None:
    """The networks of a look, of its own games' pictures alone where one was asked for; None where it has none."""
    name = label(look, named=named)
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        parts = {key.split("/")[1]: kept[key] for key in kept.files if key.split("/")[0] == name}
    if not parts:
        return None
    names = tuple(str(feature) for feature in parts.pop("names"))
    return Ensemble(names, **{key: values.astype(np.float64) for key, values in parts.items()})


def label(look: str, *, named: bool) -> str:
    """What the weights of a look are called in WEIGHTS."""
    return look if named else f"{look} of any game"
