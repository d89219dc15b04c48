"""The test that ends a match early, against figures of other programs."""

import numpy as np
import pytest

from solvers.arena import elo
from solvers.sprt import BOUND, log_likelihood_ratio

PUBLISHED = [
    ([223, 9863, 20279 + 1000, 10037, 246], (0.5, 2.5), -3.07),
    ([871, 26175, 55003 + 980, 26678, 821], (0.0, 2.0), -4.98),
]
"""Results of pairs, the two differences in Elo, and the ratio that fastchess's own tests expect (logistic model)."""


@pytest.mark.parametrize(("pairs", "differences", "ratio"), PUBLISHED)
def test_the_ratio_is_that_of_the_field(pairs, differences, ratio):
    assert log_likelihood_ratio(pairs, *differences) == pytest.approx(ratio, abs=0.01)


def test_the_ratio_says_which_difference_is_the_likelier():
    even, better = [10, 20, 40, 20, 10], [2, 10, 40, 30, 18]
    assert log_likelihood_ratio(even, -20, 20) == pytest.approx(0, abs=1e-6)
    assert log_likelihood_ratio(even, 0, 50) < 0 < log_likelihood_ratio(better, 0, 50)
    assert log_likelihood_ratio(better, 50, 0) == pytest.approx(-log_likelihood_ratio(better, 0, 50))
    assert log_likelihood_ratio([0, 0, 0, 0, 100], 0, 50) > BOUND
    assert np.isfinite(log_likelihood_ratio([0, 0, 0, 0, 0], 0, 50))


def test_one_of_twenty_matches_at_most_is_judged_wrongly():
    rng, wrong = np.random.default_rng(1), 0
    chances = [0.1, 0.2, 0.4, 0.2, 0.1]
    assert elo(float(np.dot(chances, np.linspace(0, 1, 5)))) == pytest.approx(0, abs=1e-9)
    for _ in range(60):
        pairs = np.zeros(5)
        while abs(ratio := log_likelihood_ratio(pairs, 0, 60)) < BOUND:
            pairs[rng.choice(5, p=chances)] += 1
        wrong += ratio > 0
    assert wrong <= 6
