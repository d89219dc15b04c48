"""The bot against bundled pages on which things go wrong, in a real Chromium; the page's referee tells every press."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.commands.play import play_on
from bot.faults import KINDS, Fault, FaultPlan, page_settings
from bot.pointers.browser import BrowserPointer
from bot.screens.browser import BrowserScreen
from bot.settings import Settings
from games.core import BoardsightError

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Show = Callable[..., BrowserScreen]


@pytest.mark.parametrize("kind", ["late", "zoom", "dialog", "deal"])
def test_each_fault_of_a_page_is_survived_or_stops_the_run_with_its_cause(
    show: Show, tmp_path: Path, kind: str
) -> None:
    fault = Fault(kind, move=2, after=0.15, seconds=1.2, x=0.4 if KINDS[kind].on == "sight" else 30, y=0.5, factor=0.9)
    wishes = page_settings(FaultPlan((fault,), lag=0.05, animation=0.1))
    screen = show("flood_it", rows=6, cols=6, colours=4, seed=5, limit=30, **wishes)
    settings = Settings(
        game="flood_it", solver="greedy", runs=str(tmp_path), patience=2.0, lost=4.0, repaint=3.0, delay=0.4
    )
    cause = ""
    try:
        cause = play_on(screen, BrowserPointer(screen), settings, name="browser", quiet=True)[0].cause
    except BoardsightError as problem:
        cause = type(problem).__name__
    clicks: list[dict[str, Any]] = screen.page.evaluate("boardsightReferee.clicks")
    hits = [click["hit"] for click in clicks]
    assert set(hits) <= {"colour", "none"}
    assert hits.count("none") <= (KINDS[kind].on == "board")  # a page that went by less than half a cell is seen late
    assert cause == "won" if KINDS[kind].passes else cause in {"won", *KINDS[kind].causes}
