"""Damaged input for everything that is read, and the fuzzer itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.fuzz.attack import Tally, faults, feed
from bench.fuzz.damage import damaged
from bench.fuzz.targets import TARGETS, fuzz


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_input_is_taken_or_refused_by_name(name: str, seed: int) -> None:
    seeds, target = TARGETS[name]
    tally = Tally()
    feed(target, damaged(seeds(), np.random.default_rng(seed)), tally)
    assert tally.faults == {}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.one_of(st.binary(max_size=300), st.text(max_size=200).map(lambda text: text.encode(errors="replace"))))
@pytest.mark.parametrize("name", TARGETS)
def test_what_was_never_good_input_is_taken_or_refused_by_name(name: str, data: bytes) -> None:
    tally = Tally()
    feed(TARGETS[name][1], data, tally)
    assert tally.faults == {}


def test_the_fuzzer_sees_a_fault_an_endless_loop_and_its_own_good_inputs_taken() -> None:
    def broken(data: bytes) -> None:
        raise KeyError(data)

    tally = Tally()
    feed(broken, b"x", tally)
    assert [said.split()[0] for said in tally.faults] == ["KeyError"]
    assert faults({"broken": tally})[0][0] == "broken"
    for name, each in fuzz(len(TARGETS), seed=1).items():
        assert (each.taken, each.refused.total()) == (1, 0), name
