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


def test_what_opens_over_a_button_and_is_parted_by_a_word_is_no_button():
    game = find_game("filler")
    state = game.parse("012345/123450/234501/345012 1", Options(colours=6))
    screen = DrawnScreen(game, state, clock=FakeClock(), monitors=(Rect(0, 0, 700, 700),))
    known, frame = screen.calibration(), screen.grab()
    assert screen.layout is not None
    x, y, side, _ = (round(each) for each in screen.layout.controls["colour:2"])
    middle = y + side // 2
    frame.pixels[middle - side - 5 : middle + side + 5, x - 1 : x + side + 1] = np.add(known.palette[2], 16)
    frame.pixels[middle - 3 : middle + 3, x - 1 : x + side + 1] = 255
    found = find_controls(frame, known)
    assert len(found) >= 5
    for name, at in found.items():
        assert np.hypot(at.x - known.controls[name].x, at.y - known.controls[name].y) < 2, name
