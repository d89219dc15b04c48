"""What looks like a board of ours in many ways, and belongs to another game."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from bench.pictures import draw_empty
from bench.pictures.painted import frame_of, page
from bot.ports import FakeClock
from bot.screens.drawn.screen import DrawnScreen
from calibration.frame import Pixels
from calibration.locate import BoardNotFoundError, locate
from games import find_game
from games.core import Options


def ruled(pixels: Pixels, side: int, pitch: int, paint: int = 60) -> Pixels:
    """`side` x `side` squares between lines, the first one's corner at (200, 100)."""
    for line in range(side + 1):
        pixels[100 + pitch * line, 200 : 201 + pitch * side] = paint
        pixels[100 : 101 + pitch * side, 200 + pitch * line] = paint
    return pixels


def goban() -> Pixels:
    """A board of 13 x 13 crossings without a stone: its wood goes on for half a square."""
    pixels = page(150, width=1000, height=800)
    pixels[76:701, 176:801] = (220, 180, 92)
    return ruled(pixels, 12, 48)


def sudoku() -> Pixels:
    """Lines between the 9 x 9 squares alone, and digits over all of them."""
    pixels = ruled(page(255, width=1000, height=800), 9, 60)
    for at in (0, 3, 6, 9):
        pixels[97 + 60 * at : 103 + 60 * at, 197:743] = pixels[97:643, 197 + 60 * at : 203 + 60 * at] = 60
    rng = np.random.default_rng(4)
    for row, col in np.argwhere(rng.random((9, 9)) < 0.45):
        at = (200 + 60 * int(col) + 20, 100 + 60 * int(row) + 42)
        cv2.putText(pixels, str(rng.integers(1, 10)), at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (60, 70, 150), 2, cv2.LINE_AA)
    for row, col, shade in ((3, 5, 231), (11, 12, 243)):  # quarters of squares that blurring left a little darker
        pixels[103 + 30 * row : 128 + 30 * row, 203 + 30 * col : 228 + 30 * col] = shade
    return pixels


@pytest.mark.parametrize("other", [goban, sudoku])
def test_another_game_is_not_taken_for_blokus(other: Callable[[], Pixels]) -> None:
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(other()))


def test_the_days_of_a_month_are_no_places_for_discs() -> None:
    pixels = draw_empty(np.random.default_rng([80100, 178, 99])).pixels
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels))


def test_a_bare_board_for_blokus_is_one_where_its_ground_goes_on_for_a_little() -> None:
    pixels = page(150, width=1000, height=800)
    pixels[92:709, 192:809] = (220, 180, 92)
    assert locate(frame_of(ruled(pixels, 12, 50))).game == "blokus"


@pytest.mark.parametrize("seed", range(4))
def test_stones_on_a_board_are_no_cells_of_a_flooding_game(seed: int) -> None:
    pixels = page(210, width=1000, height=800)
    pixels[64:712, 164:812] = (220, 178, 92)
    ruled(pixels, 8, 72)
    for row, col in np.argwhere(stones := np.random.default_rng(seed).choice([0, 0, 1, 2], (9, 9))):
        shade = 20 if stones[row, col] == 1 else 245
        cv2.circle(pixels, (200 + 72 * int(col), 100 + 72 * int(row)), 33, (shade,) * 3, -1, cv2.LINE_AA)
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels), "flood_it")


def test_few_cells_without_a_button_for_each_colour_are_no_flooding_board() -> None:
    pixels = page(210, width=1000, height=800)
    paints = [(199, 164, 228), (109, 163, 101), (200, 40, 40)]
    for row in range(4):
        for col in range(8):
            kind = 2 if (row, col) == (1, 3) else (row + col) % 2
            pixels[100 + 80 * row : 180 + 80 * row, 200 + 80 * col : 280 + 80 * col] = paints[kind]
    for place, paint in enumerate(paints[:2]):
        pixels[460:520, 300 + 80 * place : 360 + 80 * place] = paint
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
        pixels[60 : 60 + len(picture), at : at + picture.shape[1]] = picture
    found = locate(frame_of(pixels), "quoridor").lattice.box
    assert found.width == pytest.approx(width, rel=0.02)
    assert found.x == pytest.approx(left + 12, abs=3)
