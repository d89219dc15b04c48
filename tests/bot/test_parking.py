"""Where the pointer waits beside a board."""

import numpy as np

from bot.play.parking import is_plain, place_beside
from calibration.frame import Frame, Pixel, Rect, Spot

BOARD, DESKTOP = Rect(400, 300, 400, 400), Rect(0, 0, 1200, 900)
ABOVE, LEFT, RIGHT = Spot(600, 260), Spot(360, 500), Spot(840, 500)


def test_the_pointer_waits_where_most_room_is_of_what_is_plain() -> None:
    assert place_beside(BOARD, 40, DESKTOP, [], lambda spot: True) == RIGHT
    assert place_beside(BOARD, 40, DESKTOP, [], lambda spot: spot != RIGHT) == LEFT
    assert place_beside(BOARD, 40, DESKTOP, [RIGHT, LEFT], lambda spot: True) == ABOVE
    assert place_beside(BOARD, 40, DESKTOP, [], lambda spot: False) == RIGHT


def test_a_place_is_plain_where_no_edge_of_a_button_is_near() -> None:
    page = np.full((900, 1200, 3), 240, np.uint8)
    page[247:270, 550:650] = 90
    frame = Frame(page, DESKTOP)
    assert not is_plain(frame, Pixel(*ABOVE))
    assert is_plain(frame, Pixel(*LEFT))
    assert not is_plain(frame, Pixel(5000, 5000))
