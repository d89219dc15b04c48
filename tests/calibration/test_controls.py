"""Controls that did not show at first are found later, when the board shows fewer colours than it had."""

import numpy as np

from bot.ports import FakeClock
from bot.screens.drawn.desktop import find_skin
from bot.screens.drawn.screen import DrawnScreen
from calibration.frame import Frame, Rect
from calibration.locate import find_controls
from games import find_game
from games.core import Options

LATE = "000000/000000/000011/002211 1"
"""Colours 3, 4 and 5 have gone from the board."""


def faded(screen: DrawnScreen, colours: set[int]) -> Frame:
    """What the screen shows, with the buttons of `colours` nearly in the page's colour."""
    frame = screen.grab()
    pixels, page = frame.pixels.astype(np.float64), np.array(find_skin("classic").page)
    assert screen.layout is not None
    for colour in colours:
        x, y, width, height = (round(side) for side in screen.layout.controls[f"colour:{colour}"])
        part = np.s_[y : y + height, x : x + width]
        pixels[part] += (page - pixels[part]) * 0.7
    return Frame(pixels.astype(np.uint8), frame.region)


def test_a_button_that_had_faded_is_found_though_colours_have_gone_from_the_board():
    game = find_game("filler")
    state = game.parse(LATE, Options(colours=6))
    screen = DrawnScreen(game, state, clock=FakeClock(), monitors=(Rect(0, 0, 700, 700),))
    known = screen.calibration()
    found = find_controls(faded(screen, {0, 1}), known)
    assert found.keys() == {f"colour:{colour}" for colour in (2, 3, 4, 5)}
    for name, at in found.items():
        assert np.hypot(at.x - known.controls[name].x, at.y - known.controls[name].y) < 2
