"""Modes of a page, on a page that is nothing but its modes: found, left again, and never mistaken."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.drag.gestures import NotInHandError
from bot.play.aim import NotOfferedError, Under
from bot.play.expected import Expected
from bot.play.modes import Modes
from bot.ports import WHEEL
from calibration.board import Calibration, Lattice
from calibration.frame import Pixel, Spot
from games.core import Cell, Tap

BOARD = Calibration("quoridor", Lattice(Pixel(20, 20), (40, 40), 5, 5, gap=(8, 8)), ((0, 0, 0),), (300, 300))

WALLS = {way: Tap(f"wall:{way},1,1", (f"wall:{way},1,1", Cell(1, 1), Cell(1, 2))) for way in "hv"}
"""What may be laid, and where it may be pressed."""

SHOWN = {way: (Expected(frozenset({Cell(9, number)}))) for number, way in enumerate("hv")}
"""Where that shows before."""


class Page:
    """A page whose cells lay a wall in the mode of its way, which the right button turns; "" where they lay none.

    offers: whether it lays walls yet.  returns: whether it goes back to the first mode once it laid one.
    """

    def __init__(self, modes: str, *, returns: bool = False) -> None:
        self.modes, self.returns, self.offers, self.now = [*modes.replace("-", " ")], returns, True, 0
        self.pressed: list[str] = []
        self.observer: Any = SimpleNamespace(
            calibration=BOARD, patches={}, beside=lambda: Spot(0, 0), read=lambda: self.mode
        )
        self.observer.amend = lambda calibration: setattr(self.observer, "calibration", calibration)

    @property
    def mode(self) -> str:
        return self.modes[self.now].strip()

    def press(self, key: str) -> None:
        self.pressed.append(key)
        self.now = (self.now + (key == "right click")) % len(self.modes)

    def confirmed(self) -> None: ...

    def turned(self) -> None: ...

    def under(self, target: Any, expected: Expected, *, clear: bool = False) -> Under:
        if not (isinstance(target, Cell) and self.mode and self.offers):
            return Under.NOTHING
        return Under.MOVE if target == Cell(1, 1) and expected == SHOWN[self.mode] else Under.OTHER

    def differ(self, then: str, now: str) -> bool:
        return then != now

    def lies(self, expected: Expected, beside: Spot) -> bool:
        return False

    def lay(self, modes: Modes, way: str) -> None:
        assert WALLS[way].alternatives[modes.lay((WALLS[way], SHOWN[way]), pressed=True)] == Cell(1, 1)
        assert self.mode == way
        if self.returns:
            self.now = 0


def modes_of(page: Page) -> Modes:
    given = cast(Any, page)
    return Modes(given.observer, given, given)


PROBES = [(WALLS[way], SHOWN[way]) for way in "hv"]


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("each", ["-hv", "-vh", "-h-v"])
def test_a_page_is_turned_to_the_mode_of_a_wall_and_back_for_the_pawn(each: str, returns: bool) -> None:
    page = Page(each, returns=returns)
    modes = modes_of(page)
    for way in "hvvh":
        page.lay(modes, way)
        modes.walk(Cell(3, 3), PROBES)
        assert page.mode == ""


@pytest.mark.parametrize("returns", [False, True])
def test_the_pawn_is_moved_in_its_mode_where_no_wall_is_offered_any_more(returns: bool) -> None:
    page = Page("-hv", returns=returns)
    modes = modes_of(page)
    for way in "hv"[: 1 + returns]:
        page.lay(modes, way)
        modes.walk(Cell(3, 3), PROBES if page.offers else [])
    page.lay(modes, "v")
    page.offers = False
    with pytest.raises(NotOfferedError):
        modes.lay((WALLS["h"], SHOWN["h"]), pressed=False)
    modes.walk(Cell(3, 3), PROBES)
    assert page.mode == ""


@pytest.mark.parametrize("each", ["-", "--", "---", "----"])
def test_a_page_that_shows_nothing_is_left_in_the_mode_in_which_it_was(each: str) -> None:
    page = Page(each)
    with pytest.raises(NotInHandError):
        modes_of(page).lay(PROBES[0], pressed=True)
    assert (page.now, page.observer.calibration.turner) == (0, "")


def test_a_key_that_turns_nothing_is_pressed_once() -> None:
    page = Page("-hv")
    modes = modes_of(page)
    for way in "hvvh":
        page.lay(modes, way)
    assert [key for key in page.pressed if key != "right click"] == [WHEEL, "r"]
