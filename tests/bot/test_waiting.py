"""A wait knows for how long the board has shown what it shows, and whether it is at rest."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.play.waiting import LATER, PUZZLED, RESTLESS, STILL, UNSETTLED, BoardWait
from bot.ports import FakeClock


def reading(shade: int) -> Any:
    """A picture of one shade."""
    frame = SimpleNamespace(pixels=np.full((40, 40, 3), shade, dtype=np.uint8))
    return SimpleNamespace(frame=frame, breathing=(), shade=shade)


def wait_on(shown: list[tuple[int, str]], **pace: Any) -> tuple[BoardWait[str], FakeClock]:
    """A wait on pictures of these shades, one after another, of which this is told."""
    clock = FakeClock()
    told = iter(shown)

    def look() -> Any:
        found = reading(0)
        found.frame.pixels[:], found.told = next(told)
        return found

    return BoardWait(clock, look, lambda found: found.told, clock.sleep, **({"least": STILL} | pace)), clock


@pytest.mark.parametrize(
    ("shown", "calm", "lasted"),
    [
        pytest.param([(1, "a")], False, 0, id="one look"),
        pytest.param([(1, "a"), (1, "a")], True, 1, id="the same again"),
        pytest.param([(1, "a"), (2, "a")], True, 1, id="noise"),
        pytest.param([(1, "a"), (90, "a")], False, 1, id="read alike, but in motion"),
        pytest.param([(1, "a"), (90, "a"), (91, "a")], True, 2, id="then at rest"),
        pytest.param([(1, "a"), (1, "a"), (1, "b")], False, 0, id="read otherwise"),
        pytest.param([(1, "a"), (1, "b"), (1, "b")], True, 1, id="read otherwise for long enough"),
        pytest.param([(1, "a"), (1, "a"), (1, "b"), (1, "a")], False, 0, id="as before, after something else"),
        pytest.param([(50 * (at % 2), "a") for at in range(10)], False, 9, id="blinking"),
        pytest.param([(50 * (at % 2), "a") for at in range(12)], True, 11, id="blinking for long"),
    ],
)
def test_a_board_counts_once_it_is_at_rest_or_has_been_read_alike_for_long(
    shown: list[tuple[int, str]], calm: bool, lasted: int
) -> None:
    wait, _ = wait_on(shown, most=STILL)
    for _, told in shown:
        assert wait.look()[1] == told
    assert wait.calm == calm
    assert wait.lasted == pytest.approx(lasted * STILL)
    assert pytest.approx(10 * STILL) == RESTLESS


def test_what_shows_puzzles_after_a_while_and_anew_once_something_was_done_about_it() -> None:
    wait, clock = wait_on([(1, "a")] * 4, most=0.0, least=0.0)
    wait.look()
    clock.sleep(PUZZLED)
    wait.look()
    assert not wait.puzzling
    clock.sleep(0.01)
    wait.look()
    assert wait.puzzling
    wait.anew()
    wait.look()
    assert (wait.puzzling, wait.calm, wait.lasted) == (False, False, 0.0)


@pytest.mark.parametrize(
    ("pace", "pauses"),
    [
        ({"least": 1.0}, [0.0, 1.0, 1.0]),
        ({"least": 1.0, "most": 0.5}, [0.0, 0.5, 0.5]),
        ({"least": 0.0}, [0.0, 0.0, 0.0]),
    ],
)
def test_looks_are_apart_by_a_pause_but_the_first_is_at_once(pace: Any, pauses: list[float]) -> None:
    wait, clock = wait_on([(1, "a")] * 3, **pace)
    times = []
    for _ in pauses:
        before = clock.now()
        wait.look()
        times.append(clock.now() - before)
    assert times == pytest.approx(pauses)


def test_pauses_grow_with_the_time_waited() -> None:
    wait, clock = wait_on([(1, "a")] * 3, least=0.01)
    wait.look()
    clock.sleep(40.0)
    wait.look()
    assert wait.seconds == pytest.approx(40.01)
    before = clock.now()
    wait.look()
    assert clock.now() - before == pytest.approx(LATER * 40.01)


@pytest.mark.parametrize(
    ("shown", "times"),
    [
        pytest.param(lambda at: (90 * (at % 2), "a"), 0, id="one thing, in motion"),
        pytest.param(lambda at: (90 * (at % 2), "ab"[at // 4 % 2]), 2, id="now this, now that"),
        pytest.param(lambda at: (0, "ab"[at // 4 % 2]), 0, id="still, now this, now that"),
    ],
)
def test_it_is_said_every_two_seconds_that_nothing_stays_on_a_board_in_motion(shown: Any, times: int) -> None:
    said: list[float] = []
    looks = [shown(at) for at in range(int(2.5 * UNSETTLED / STILL))]
    wait, clock = wait_on(looks, most=STILL, unsettled=lambda: said.append(clock.now()))
    for _ in looks:
        wait.look()
    assert len(said) == times
