"""Tuning by games: values that win are come to, whatever it began with."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.spsa import Knob, tune

KNOBS = [Knob("exploration", 0.0, 4.0, False), Knob("depth", 1, 9, True)]
BEST = (3.0, 3)
"""Values in which the players below are the stronger the nearer they are."""


def strength(shares):
    values = [knob.value(share) for knob, share in zip(KNOBS, shares, strict=True)]
    return -sum(
        abs(value - best) / (knob.high - knob.low) for value, best, knob in zip(values, BEST, KNOBS, strict=True)
    )


@pytest.mark.parametrize("begin", [(0.2, 9), (4.0, 1)])
def test_noisy_games_lead_to_the_values_that_win(begin):
    rng = np.random.default_rng(5)

    def compare(number, players):
        chances = [0.5 + (strength(one) - strength(other)) for one, other in players]
        return [2 * float(rng.binomial(2, min(max(chance, 0), 1))) / 2 - 1 for chance in chances]

    came = []
    found = tune(KNOBS, begin, 150, 8, np.random.default_rng(1), compare, lambda number, at: came.append(at))
    exploration, depth = (knob.value(share) for knob, share in zip(KNOBS, found, strict=True))
    assert abs(exploration - 3) < 0.6
    assert depth in (3, 4)
    assert len(came) == 150


def test_a_whole_number_is_moved_by_half_of_one_at_least():
    seen = []

    def compare(number, players):
        seen.extend(players)
        return [0.0] * len(players)

    knob = Knob("depth", 1, 3, True)
    tune([knob], [2], 30, 2, np.random.default_rng(0), compare, lambda number, at: None)
    assert len(seen) == 60
    assert all(knob.value(one[0]) != knob.value(other[0]) for one, other in seen)
