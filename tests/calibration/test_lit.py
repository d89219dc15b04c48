"""Which changes beside a board are buttons that lit up."""

import numpy as np
import pytest

from bench.pictures.painted import disc, frame_of, page, painted
from calibration.board import Lattice
from calibration.canvas import Canvas
from calibration.frame import Box, Frame, Pixel
from calibration.lit import buttons_beside, lit_buttons
from calibration.switches import switches_beside

BOARD = Box(100, 200, 400, 400)
RED, BLUE, PALE_RED, PALE_BLUE = (216, 64, 48), (45, 110, 210), (236, 187, 178), (183, 200, 226)


def shown(first: tuple[int, int, int], second: tuple[int, int, int], *, side: float, gap: float, round_: bool) -> Frame:
    """A page with two spots of colour above a board, `gap` points between them."""
    kinds = {"1": disc(first, 0.5 * side, side + gap), "2": disc(second, 0.5 * side, side + gap)} if round_ else None
    pixels = painted(page(), ["12"], kinds or {"1": first, "2": second}, side + gap, gap / 2, corner=(300, 60))
    return frame_of(pixels)


@pytest.mark.parametrize("side", [18, 22, 26, 40])
def test_spots_that_show_the_players_colours_are_no_buttons(side: int) -> None:
    then, now = (shown(*colours, side=side, gap=120, round_=True) for colours in ((RED, BLUE), (BLUE, RED)))
    assert lit_buttons(then, now, BOARD) == []


def test_neighbouring_controls_that_change_at_once_are_the_known_ones() -> None:
    then, now = (shown(*colours, side=48, gap=8, round_=False) for colours in ((RED, PALE_BLUE), (PALE_RED, BLUE)))
    assert lit_buttons(then, now, BOARD, [Pixel(328, 88), Pixel(384, 88)]) == []


@pytest.mark.parametrize("side", [40, 90])
def test_a_button_with_a_sign_that_lights_up_is_one(side: int) -> None:
    frames = []
    for ground in ((200, 200, 200), (40, 160, 70)):
        pixels = page()
        canvas = Canvas(pixels)
        canvas.fill(Box(300, 60, side, 40), ground)
        canvas.fill(Box(300 + side / 2 - 2, 68, 4, 24), (20, 20, 20))
        canvas.fill(Box(300 + side / 2 - 8, 78, 16, 4), (20, 20, 20))
        frames.append(frame_of(pixels))
    (seen,) = lit_buttons(*frames, BOARD)
    assert (abs(seen.x - 300 - side / 2) < 3, abs(seen.y - 80) < 3) == (True, True)


def test_buttons_beside_a_board_are_grounds_with_signs_the_nearest_first() -> None:
    canvas = Canvas(pixels := page())
    places = {"far": (300, 40), "outlined": (120, 150), "sloping": (550, 300), "bare": (700, 300), "known": (540, 400)}
    for name, (x, y) in places.items():
        box = Box(x, y, 90, 36)
        canvas.fill(box, (90, 90, 90))
        inner = Box(x + 1, y + 1, 88, 34)
        canvas.fill(inner, (240, 240, 240) if name == "outlined" else (70, 130, 200))
        if name == "sloping":
            for row in range(34):
                canvas.fill(Box(x + 1, y + 1 + row, 88, 1), (70 + 4 * row, 130 + 2 * row, 200))
        for letter in range(0 if name == "bare" else 5):
            canvas.fill(Box(x + 20 + 10 * letter, y + 10, 5, 16), (20, 20, 20))
    canvas.fill(Box(150, 250, 90, 36), (70, 130, 200))
    canvas.fill(Box(170, 260, 5, 16), (20, 20, 20))  # on the board
    seen = buttons_beside(frame_of(pixels), BOARD, [Pixel(585, 418)])
    assert [(round(at.x - 45), round(at.y - 18)) for at in seen] == [
        places[each] for each in ("outlined", "sloping", "far")
    ]


@pytest.mark.parametrize("beside", [True, False])
def test_a_button_hardly_darker_than_the_page_is_one_beside_another_that_is_lit(*, beside: bool) -> None:
    canvas = Canvas(pixels := page())
    left = 610 if beside else 505  # close to the board
    for step in range(3):
        grey = int(pixels[0, 0, 0]) - 4 - 4 * step
        canvas.fill(Box(left + step, 300 + step, 90 - 2 * step, 36 - 2 * step), (grey, grey, grey))
    if beside:
        canvas.fill(Box(510, 300, 90, 36), (20, 160, 230))
    for x in (530, 630) if beside else (525,):
        for letter in range(5):
            canvas.fill(Box(x + 10 * letter, 310, 5, 16), (20, 20, 20))
    board = Lattice(Pixel(BOARD.x + 20, BOARD.y + 20), (40.0, 40.0), 10, 10)
    found = [switch.boxes for switch in switches_beside(frame_of(pixels), board)]
    assert [[round(box.x, -1) for box in boxes] for boxes in found] == ([[510, 610]] if beside else [])


def test_a_last_letter_that_stands_on_two_legs_is_no_arrow_at_a_lists_end() -> None:
    canvas = Canvas(pixels := page())
    for number, ground in enumerate([(190, 215, 250), (250, 250, 255), (250, 250, 255)]):
        x = 520 + 92 * number
        canvas.fill(Box(x, 300, 84, 34), ground)
        for part in (Box(x + 10, 308, 30, 16), Box(x + 60, 315, 10, 3), Box(x + 60, 315, 3, 7), Box(x + 67, 315, 3, 7)):
            canvas.fill(part, (60, 60, 90))
    board = Lattice(Pixel(BOARD.x + 20, BOARD.y + 20), (40.0, 40.0), 10, 10)
    (switch,) = switches_beside(frame_of(pixels), board)
    assert (switch.listed, len(switch.boxes)) == (False, 3)


@pytest.mark.parametrize("lower", [0, 1, 2])
def test_a_first_button_of_a_row_may_begin_a_little_lower_than_the_others(lower: int) -> None:
    canvas = Canvas(pixels := page())
    for number, ground in enumerate([(190, 215, 250), (250, 250, 255), (250, 250, 255)]):
        x, y = 520 + 92 * number, 300 if number else 300 + lower
        canvas.fill(Box(x, y, 84, 34), ground)
        canvas.fill(Box(x + 10, y + 8, 30, 16), (60, 60, 90))
    board = Lattice(Pixel(BOARD.x + 20, BOARD.y + 20), (40.0, 40.0), 10, 10)
    (switch,) = switches_beside(frame_of(pixels), board)
    assert [round(box.x, -1) for box in switch.boxes] == [520, 610, 700]


def test_an_arrow_alone_is_no_list() -> None:
    canvas = Canvas(pixels := page())
    canvas.fill(Box(520, 300, 40, 40), (190, 215, 250))
    for row in range(8):
        canvas.fill(Box(532 + row, 316 + row, 16 - 2 * row, 1), (60, 60, 90))
    board = Lattice(Pixel(BOARD.x + 20, BOARD.y + 20), (40.0, 40.0), 10, 10)
    assert not any(switch.listed for switch in switches_beside(frame_of(pixels), board))


@pytest.mark.parametrize("seed", range(4))
def test_the_noise_of_a_picture_is_no_button(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lines = ["".join(line) for line in rng.choice(list("ab."), (8, 3))]
    pixels = painted(page(200), lines, {"a": (230, 60, 60), "b": (40, 40, 40)}, 24, 4, corner=(560, 60))
    then, now = (
        frame_of(np.clip(pixels + rng.normal(0, 3.1, pixels.shape), 0, 255).astype(np.uint8)) for _ in range(2)
    )
    assert lit_buttons(then, now, BOARD) == []
