"""Goods in the board's colours are no colour buttons, nor are other buttons beside these."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.ports import FakeClock
from bot.screens.drawn.desktop import find_skin
from bot.screens.drawn.screen import DrawnScreen
from calibration.frame import Frame, Rect
from calibration.locate import locate
from games import find_game
from games.core import Options

GAME = find_game("flood_it")
NAMES = ("Red", "Green", "Blue", "Gold", "Violet")


def written(pixels: np.ndarray, words: tuple[str, ...], places: list[Rect], where: str) -> None:
    """Writes a word on, under or over each place."""
    for number, rect in enumerate(places):
        word = words[number % len(words)]
        (wide, high), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 0.45, 1)
        x = round(rect.centre.x - wide / 2)
        y = round({"on": rect.centre.y + high / 2, "under": rect.y + rect.height + high + 5, "over": rect.y - 8}[where])
        cv2.putText(pixels, word, (x, y), cv2.FONT_HERSHEY_DUPLEX, 0.45, (20, 20, 20), 1, cv2.LINE_AA)


def goods(words: tuple[str, ...], where: str, *, side: int = 40) -> Frame:
    """A board without buttons, under which squares in its colours stand, with words."""
    state = GAME.deal(np.random.default_rng(5), Options(rows=9, cols=9, colours=5))
    screen = DrawnScreen(GAME, state, clock=FakeClock(), skin="cells", cell=30.0, monitors=(Rect(0, 0, 700, 700),))
    frame, layout = screen.grab(), screen.layout
    assert layout is not None
    board = layout.board
    places = [Rect(board.x + 1.35 * side * number, board.y + board.height + 24, side, side) for number in range(5)]
    pixels = frame.pixels.copy()
    pixels[round(board.y + board.height) + 3 : round(board.y + board.height) + 90, round(board.x) - 20 :] = 250
    for rect, colour in zip(places, find_skin("cells").palette, strict=False):
        pixels[round(rect.y) : round(rect.y) + side, round(rect.x) : round(rect.x) + side] = colour
    written(pixels, words, places, where)
    return Frame(pixels, frame.region)


@pytest.mark.parametrize("where", ["on", "under", "over"])
@pytest.mark.parametrize("word", ["BUY", "$5", "Add it"])
def test_squares_that_all_carry_one_word_are_no_buttons(where: str, word: str) -> None:
    assert locate(goods((word,), where), "flood_it").controls == {}


@pytest.mark.parametrize("where", ["on", "under", "over"])
@pytest.mark.parametrize("words", [NAMES, ("1", "2", "3", "4", "5"), ("A", "B", "C", "D", "E"), ("",), ("x",)])
def test_squares_with_a_sign_or_a_name_each_are_buttons(where: str, words: tuple[str, ...]) -> None:
    assert locate(goods(words, where), "flood_it").controls.keys() == {f"colour:{kind}" for kind in range(5)}


@pytest.mark.parametrize("count", [1, 2])
def test_grey_buttons_with_signs_in_the_row_of_the_colours_are_none_of_them(count: int) -> None:
    frame = goods(("",), "on", side=26)
    bare = locate(frame, "flood_it")
    x, y = (round(side) for side in bare.controls["colour:0"])
    pixels = frame.pixels.copy()
    rights = [max(round(at.x) for at in bare.controls.values()) + 35 * number for number in range(1, count + 1)]
    for right, sign in zip(rights, ("@", "?"), strict=False):
        pixels[y - 13 : y + 13, right - 13 : right + 13] = 170
        cv2.putText(pixels, sign, (right - 6, y + 5), cv2.FONT_HERSHEY_DUPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA)
    found = locate(Frame(pixels, frame.region), "flood_it")
    assert found.palette == bare.palette
    assert found.controls.keys() == bare.controls.keys()
    assert y == pytest.approx(found.controls["colour:0"].y, abs=2)
    assert x == pytest.approx(found.controls["colour:0"].x, abs=2)
