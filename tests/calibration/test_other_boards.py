"""What looks like a board of ours in many ways, and belongs to another game."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from bench.pictures import draw_empty
from bench.pictures.marks import mark
from bench.pictures.painted import frame_of, page, painted
from bot.ports import FakeClock
from bot.screens.drawn.painter import Lines
from bot.screens.drawn.screen import DrawnScreen
from calibration.canvas import Canvas
from calibration.frame import Box, Pixels
from calibration.locate import BoardNotFoundError, locate
from games import find_game
from games.core import Options

WOOD = (220, 180, 92)


def ruled(pixels: Pixels, side: int, pitch: int, paint: int = 60) -> Pixels:
    """`side` x `side` squares between lines, the first one's corner at (200, 100)."""
    return painted(pixels, ["." * side] * side, {}, pitch, corner=(200, 100), ruled=Lines((paint,) * 3))


def goban() -> Pixels:
    """A board of 13 x 13 crossings without a stone: its wood goes on for half a square."""
    pixels = page(150, width=1000, height=800)
    Canvas(pixels).fill(Box(176, 76, 625, 625), WOOD)
    return ruled(pixels, 12, 48)


def sudoku() -> Pixels:
    """Lines between the 9 x 9 squares alone, and digits over all of them."""
    pixels = ruled(page(255, width=1000, height=800), 9, 60)
    canvas, thick = Canvas(pixels), Lines((60, 60, 60), 6)
    painted(pixels, ["..."] * 3, {}, 180, corner=(200, 100), ruled=thick)
    rng = np.random.default_rng(4)
    lines = ["".join(rng.choice(list("123456789" + "." * 11), 9)) for _ in range(9)]
    digits = {digit: (mark(digit, (60, 70, 150), 0.5),) for digit in "123456789"}
    painted(pixels, lines, digits, 60, corner=(200, 100))
    for row, col, shade in ((3, 5, 231), (11, 12, 243)):  # quarters of squares that blurring left a little darker
        canvas.fill(Box(203 + 30 * col, 103 + 30 * row, 25, 25), (shade,) * 3)
    return pixels


@pytest.mark.parametrize("other", [goban, sudoku])
def test_another_game_is_not_taken_for_blokus(other: Callable[[], Pixels]) -> None:
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(other()))


def test_the_days_of_a_month_are_no_places_for_discs() -> None:
    pixels = draw_empty(np.random.default_rng([80100, 178, 99]), "date picker").pixels
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels))


@pytest.mark.parametrize(
    ("subject", "seed"),
    [
        ("seats", (600101, 140)),
        ("falling blocks", (600101, 82)),
        ("seats", (611101, 388)),  # of which those beside the aisle seem buttons
    ],
)
def test_a_part_of_many_such_cells_and_what_fell_into_a_well_are_no_flooding_boards(
    subject: str, seed: tuple[int, int]
) -> None:
    picture = draw_empty(np.random.default_rng([*seed, 99]), subject)
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(picture.pixels))


def test_a_bare_board_for_blokus_is_one_where_its_ground_goes_on_for_a_little() -> None:
    pixels = page(150, width=1000, height=800)
    Canvas(pixels).fill(Box(192, 92, 617, 617), WOOD)
    assert locate(frame_of(ruled(pixels, 12, 50))).game == "blokus"


def test_few_cells_without_a_button_for_each_colour_are_no_flooding_board() -> None:
    pixels = page(210, width=1000, height=800)
    paints = {"a": (199, 164, 228), "b": (109, 163, 101), "c": (200, 40, 40)}
    painted(pixels, ["abababab", "babcbaba", "abababab", "babababa"], paints, 80, corner=(200, 100))
    painted(pixels, ["ab"], paints, 80, 10, corner=(290, 450))
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels), "flood_it")


@pytest.mark.parametrize("left", [60, 500])
def test_of_two_boards_beside_each_other_the_larger_is_taken(left: int) -> None:
    game = find_game("quoridor")
    state = game.deal(np.random.default_rng(1), Options(rows=5, cols=5))
    screen = DrawnScreen(game, state, clock=FakeClock())
    x, y, width, height = screen.calibration().lattice.box
    board = screen.grab().pixels[int(y) - 12 : int(y + height) + 12, int(x) - 12 : int(x + width) + 12]
    smaller = cv2.resize(board, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    pixels = page(235, width=900, height=400)
    for picture, at in ((board, left), (smaller, 560 - left)):
        Canvas(pixels).paste(at, 60, picture)
    found = locate(frame_of(pixels), "quoridor").lattice.box
    assert found.width == pytest.approx(width, rel=0.02)
    assert found.x == pytest.approx(left + 12, abs=3)
