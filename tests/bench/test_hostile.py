"""The loop's promises on hostile screens, each click judged by a referee that knows the truth of the drawn screen."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.hostile.kills import kills
from bench.hostile.referee import Referee, WitnessedScreen
from bench.hostile.screens import BOARDS, HANG, SeriesFigures, play
from bot.faults.plans import KINDS, Fault, FaultPlan, draw_plan, plan_met
from bot.ports import FakeClock
from bot.runs.journal import open_run
from calibration.frame import Spot
from games import find_game
from games.core import Options

LASTING = {"dialog": 6.0, "window": 6.0, "locked": 6.0, "tooltip": 6.0, "cursor": 6.0, "board": 6.0}
FLOOD_IT = find_game("flood_it")


def one(kind: str) -> FaultPlan:
    """That fault alone, in the middle of a game."""
    seconds = LASTING.get(kind, 2.5)
    return FaultPlan((Fault(kind, move=2, after=0.01, seconds=seconds, x=0.4, y=0.5, factor=1.2),), lag=0.1)


def nothing_was_wrong(record: Any) -> None:
    assert record.offences == ()
    assert record.right, (record.ended, record.message, record.happened)
    assert record.kept
    assert record.longest <= HANG


@pytest.mark.parametrize("kind", KINDS)
def test_each_fault_is_survived_or_stops_the_run_with_its_cause(tmp_path: Path, kind: str) -> None:
    name = list(BOARDS)[list(KINDS).index(kind) % 4]
    record = play(name, 4, tmp_path / "run", plan=one(kind))
    assert record.happened == (kind,)
    nothing_was_wrong(record)
    assert record.finished or not KINDS[kind].passes


ONCE_WRONG = {
    "a tooltip like a wall": (
        *("quoridor", 100035),
        FaultPlan((Fault("tooltip", after=0.99, seconds=5.0, x=0.36, y=0.27),), lag=2.4),
    ),
    "half of an older picture": (
        *("quoridor", 100043),
        FaultPlan((Fault("torn", move=3, after=1.32, seconds=3.0),), animation=0.013),
    ),
    "scrolled by a cell and a half": (
        *("quoridor", 100015),
        FaultPlan((Fault("scroll", move=1, after=1.4, y=-47),), animation=1.9),
    ),
    "torn, but nothing changed, and noisy": (
        *("quoridor", 5),
        FaultPlan((Fault("torn", move=2, seconds=3.0),), lag=0.2, noise=2.9),
    ),
    "locked while a piece is in hand, and the key lost that puts it away": (
        *("blokus", 7),
        FaultPlan((Fault("drop", move=2, after=1.797), Fault("locked", move=4, after=0.366, seconds=5.581)), lag=0.199),
    ),
    "a window over buttons alone": ("filler", 400081, FaultPlan((Fault("board", move=1, seconds=6.0),))),
    "buttons that are gone": ("filler", 500021, FaultPlan((Fault("recolour", move=2, after=0.814, x=7.0),))),
    "a window like empty places": (
        *("connect_four", 400198),
        FaultPlan((Fault("board", move=5, after=0.321, seconds=6.2),), lag=2.7),
    ),
    "an answer while a further key is on its way": (
        *("quoridor", 20261151),
        FaultPlan(
            (
                Fault("tooltip", move=4, after=1.268, seconds=4.674, x=0.65, y=0.27),
                Fault("move", move=3, after=1.187, seconds=7.846, x=20.4, y=-37.1),
                Fault("black", move=1, after=0.926, seconds=2.585),
            ),
            lag=1.44,
            animation=1.869,
            noise=0.227,
        ),
    ),
    "a small board that shrank by a twentieth": (
        *("quoridor", 20261723),
        FaultPlan((Fault("resize", move=6, after=0.52, x=39.8, y=29.5, factor=0.95),), animation=0.585),
    ),
    "an effect of the first try, seen after the second": (
        *("quoridor", 30000091),
        FaultPlan(
            (
                Fault("stale", move=3, after=0.317, seconds=1.811),
                Fault("late", move=4, after=1.741, seconds=1.733),
            ),
            lag=2.642,
            animation=1.632,
        ),
    ),
    "a note over a groove and the cells on both sides of it": (
        *("quoridor", 42000099),
        FaultPlan((Fault("tooltip", after=1.412, seconds=6.733, x=0.57, y=0.53),), lag=1.174, animation=1.599),
    ),
    "a note whose text lies over a groove": (
        *("quoridor", 43000051),
        FaultPlan((Fault("tooltip", move=1, after=1.112, seconds=7.126, x=0.5, y=0.12),)),
    ),
    "locked before the board just found was read": (
        *("quoridor", 3),
        FaultPlan((Fault("locked", after=0.03, seconds=6.0),)),
    ),
    "a note over some cells before they were ever read": (
        *("connect_four", 44000158),
        FaultPlan((Fault("tooltip", after=0.02, seconds=6.0, x=0.4, y=0.4),)),
    ),
    "a hand on the pointer before the first click": (
        *("flood_it", 4),
        FaultPlan((Fault("hand", after=0.057),)),
    ),
    "half of a repaint like a move of the position before": ("flood_it", 4, FaultPlan(animation=1.0)),
    "three clicks lost one after the other": ("flood_it", 4, FaultPlan((Fault("drop"), Fault("drop"), Fault("drop")))),
    "a screen that is gone before anything was seen of it": ("flood_it", 4, FaultPlan((Fault("gone"),))),
    "a page that never hears, asked in every way": (
        *("connect_four", 31000338),
        FaultPlan((Fault("deaf", after=0.4),), lag=2.755),
    ),
    "an older picture for so long that the second press comes with the effect of the first": (
        *("quoridor", 31000367),
        FaultPlan((Fault("stale", move=1, after=0.189, seconds=2.674),), lag=1.266, animation=1.076),
    ),
    "a note over most of a disc that lies under another": (
        *("connect_four", 31000350),
        FaultPlan(
            (
                Fault("tooltip", move=4, after=1.83, seconds=5.649, x=0.86, y=0.88, factor=0.89),
                Fault("dialog", move=1, after=1.69, seconds=0.081, x=0.7, y=0.48),
                Fault("move", move=2, after=0.424, x=-25.5, y=24.0),
            )
        ),
    ),
    "a board that scrolled by a row while the last disc was on its way": (
        *("connect_four", 99100334),
        FaultPlan(
            (
                Fault("scroll", move=2, after=0.657, y=-32.7),
                Fault("drop", move=1, after=0.424),
            ),
            lag=2.066,
            noise=0.356,
        ),
    ),
    "a note over the hole that the last disc was to fall into": (
        *("connect_four", 99100846),
        FaultPlan((Fault("tooltip", move=7, after=0.827, seconds=1.588, x=0.42, y=0.23, factor=0.94),), lag=2.538),
    ),
    "the first two discs in one picture, of which the other side's makes a row in our colour": (
        *("connect_four", 99101330),
        FaultPlan((Fault("scroll", after=0.215, y=-10.2),), lag=0.546, noise=0.55),
    ),
    "the first two discs in one picture, ours the other side's by the colours": (
        *("connect_four", 99101826),
        FaultPlan((Fault("window", after=0.168, seconds=4.089, x=0.4, y=0.76),), lag=0.74, animation=1.708),
    ),
    "a board that scrolled by a cell, as if both pawns had gone one on": (
        *("quoridor", 99101823),
        FaultPlan((Fault("scroll", after=1.127, y=20.6),), lag=2.117, animation=0.216),
    ),
    "a board torn where nothing of the later picture is missing": (
        *("quoridor", 99100575),
        FaultPlan((Fault("torn", move=2, after=0.905, seconds=1.178),), animation=0.408, noise=0.119),
    ),
    "a move made again on a board that was dealt before it showed": (
        *("quoridor", 99100791),
        FaultPlan((Fault("deal", after=1.422),), lag=1.313, animation=1.168),
    ),
    "a dialog over the hole that a disc falls into while it is on its way": (
        *("connect_four", 99201334),
        FaultPlan((Fault("dialog", move=3, after=1.041, seconds=5.931, x=0.79, y=0.65),), lag=2.851),
    ),
    "discs found anew by what lies within their rims, a window over some": (
        *("connect_four", 99200766),
        FaultPlan(
            (
                Fault("tooltip", move=1, after=1.195, seconds=3.838, x=0.34, y=0.62, factor=0.88),
                Fault("board", move=2, after=0.067, seconds=6.523, x=0.26, y=0.13, factor=0.82),
            ),
            lag=1.434,
            noise=2.995,
        ),
    ),
    "a window dragged after as many moves as most pages allow": (
        *("flood_it", 99201492),
        FaultPlan((Fault("move", move=10, x=23.2, y=-2.8),)),
    ),
    "icons of other programs like a row of buttons by which a page is turned to walls": (
        *("quoridor", 99300443),
        FaultPlan((Fault("drop", move=6, after=0.555),), animation=0.507, noise=1.687),
    ),
    "discs that only one order of players explains": ("connect_four", 400174, FaultPlan()),
}
"""Games that ended, or clicks that were made, for no good reason until what brought it about was mended."""


@pytest.mark.slow
@pytest.mark.parametrize("what", ONCE_WRONG)
def test_what_once_went_wrong_goes_right(tmp_path: Path, what: str) -> None:
    name, seed, plan = ONCE_WRONG[what]
    record = play(name, seed, tmp_path / "run", plan=plan)
    nothing_was_wrong(record)
    assert len(record.happened) == len(plan.faults)
    assert record.finished or not record.passing


def faults() -> st.SearchStrategy[Fault]:
    """Any fault of a size that a person may meet."""
    times = {"move": st.integers(0, 6), "after": st.floats(0, 2), "seconds": st.floats(0.05, 3)}
    sizes = {"x": st.floats(0, 0.9), "y": st.floats(0, 0.9), "factor": st.floats(0.85, 1.2)}
    return st.builds(Fault, kind=st.sampled_from(list(KINDS)), **times, **sizes)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    met=st.lists(faults(), max_size=3),
    lag=st.floats(0, 3),
    animation=st.floats(0, 2),
    name=st.sampled_from(["flood_it", "filler"]),
)
def test_whatever_happens_no_click_is_wrong_and_the_end_has_its_cause(
    met: list[Fault], lag: float, animation: float, name: str
) -> None:
    with TemporaryDirectory() as folder:
        record = play(name, 4, Path(folder) / "run", plan=FaultPlan(tuple(met), lag=lag, animation=animation))
    nothing_was_wrong(record)


def test_the_same_plan_gives_the_same_game(tmp_path: Path) -> None:
    plan = draw_plan(2)
    first, second = (play("filler", 5, tmp_path / name, plan=plan) for name in ("one", "two"))
    assert (first.happened, first.ended, first.clicks) == (second.happened, second.ended, second.clicks)


def test_the_referee_sees_what_a_careless_hand_does() -> None:
    clock = FakeClock()
    state = FLOOD_IT.deal(np.random.default_rng(1), Options(rows=6, cols=6, colours=4))
    plan = FaultPlan((Fault("black", after=1.0, seconds=1.0), Fault("hand", after=3.0)), lag=0.5)
    screen = WitnessedScreen(FLOOD_IT, state, plan, clock=clock)
    referee = Referee(screen)
    assert screen.layout is not None
    button = screen.layout.controls["colour:1"].centre
    referee.tap(button)
    screen.grab()
    referee.tap(button)
    clock.sleep(0.6)
    screen.grab()
    referee.tap(Spot(3, 3))
    clock.sleep(0.2)
    referee.tap(button)
    clock.sleep(0.7)
    screen.grab()
    referee.tap(button)
    clock.sleep(2.0)
    screen.grab()
    screen.cover(screen.layout.window)
    screen.grab()
    referee.tap(button)
    said = [offence.partition(": a click ")[2].partition(":")[0] for offence in referee.offences]
    assert said == [
        "on a picture that showed nothing",
        "while the last click was not yet heard",
        "beside the board and its controls",
        "on a picture of 0.20 s ago",
        "on a picture that showed nothing",
        "after a stop",
        "on something in front of the game",
    ]


@pytest.mark.parametrize(("kind", "met"), [("hand", "hand"), ("corner", "corner"), ("ask", "ask"), ("deaf", "deaf")])
def test_what_stopped_a_run_is_recorded_too(tmp_path: Path, kind: str, met: str) -> None:
    play("filler", 4, tmp_path / "run", plan=one(kind))
    assert plan_met(open_run(tmp_path / "run")).faults[-1].kind == met


def test_the_page_of_figures_says_what_became_of_each_fault(tmp_path: Path) -> None:
    page = SeriesFigures()
    page.add(play("filler", 4, tmp_path / "run", plan=one("hand")))
    lines = list(page.lines())
    assert "| games | 1 |" in lines
    assert "| clicks that nothing justified | 0 |" in lines
    assert "| hand | 1 | 0 | 1 StoppedError |" in lines


@pytest.mark.slow
def test_killed_runs_leave_journals_that_open_and_lack_at_most_the_turn_in_flight() -> None:
    found = []
    for kill in kills(30):  # how far a game has come when it is killed is the machine's business
        found.append(kill)
        if len(found) >= 6 and kill.ended == "in mid-game":
            break
    assert [kill.wrong for kill in found if kill.wrong] == []
    assert any(kill.ended == "in mid-game" for kill in found)
