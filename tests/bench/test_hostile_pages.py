"""The bot against bundled pages on which things go wrong, in a real Chromium; the page's referee tells every press."""

from __future__ import annotations

import pytest

from bench.hostile.pages import ON_PAGES, judge, page_plan, play_one
from bot.faults.plans import KINDS, Fault, FaultPlan
from bot.screens.browser import BrowserScreen
from bot.web.pages import PageServer


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("flood_it", "late"),
        ("connect_four", "double"),
        ("quoridor", "zoom"),
        ("filler", "dialog"),
        ("flood_it", "deal"),
    ],
)
def test_each_fault_of_a_page_is_survived_or_stops_the_run_with_its_cause(
    browser: BrowserScreen, page_server: PageServer, name: str, kind: str
) -> None:
    fault = Fault(kind, move=2, after=0.15, seconds=1.2, x=0.4 if KINDS[kind].on == "sight" else 30, y=0.5, factor=0.9)
    judged = play_one(browser, page_server, name, 5, plan=FaultPlan((fault,), lag=0.05, animation=0.1))
    assert judged.offences == ()
    assert judged.happened == (kind,), (judged.ended, judged.message)
    assert judged.right, (judged.ended, judged.message)
    assert judged.kept
    assert judged.finished or not KINDS[kind].passes


def test_a_page_gets_of_a_plan_what_it_can_bring_about() -> None:
    assert {fault.kind for seed in range(300) for fault in page_plan(seed).faults} == set(ON_PAGES)


def test_presses_beside_everything_or_before_the_last_was_heard_are_offences() -> None:
    def press(at: float, hit: str = "cell", **more: object) -> dict[str, object]:
        return {"x": 3.0, "y": 4.0, "at": at, "hit": hit, "effect": "move", **more}

    moved = [{"kind": "move", "at": 900.0}, {"kind": "drop", "at": 4900.0}]
    presses = [press(100), press(1000, "none"), press(5000, "none")]
    assert judge(presses, moved) == ["5.000 s: a press beside the board and its controls: 3, 4"]
    late = [press(100, heard=3000.0), press(2000), press(4000, effect="waiting"), press(5000)]
    assert [said.partition(" s: ")[0] for said in judge(late, [])] == ["2.000", "5.000"]
