"""Boards as hobby programs draw them: lines for grooves, marks for moves, words on buttons that lie close by."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.pictures.painted import frame_of, page
from calibration.answer import described
from calibration.frame import Frame, Pixels
from calibration.locate import locate
from calibration.looks.squares import LOOK as SQUARES
from calibration.scene import Scene

WALLS = [["h", 1, 3], ["h", 6, 1], ["v", 3, 5], ["v", 4, 2]]
PAWNS = [[6, 4], [2, 4]]
HINTS = [(6, 3), (6, 5), (5, 4)]


def court(pitch: float, line: int, wall: int, *, hints: bool = False) -> Pixels:
    """A Quoridor board of lines on a window's page, with walls over them that are `wall` pixels wide."""
    pixels = page((70, 90, 90), width=900, height=700)
    pixels[20:680, 100:800] = 250
    at = [round(150 + pitch * place) for place in range(10)]
    for place in at:
        pixels[50 : 50 + at[-1] - at[0] + line, place : place + line] = 20
        pixels[place - 100 : place - 100 + line, at[0] : at[-1] + line] = 20
    for way, row, col in WALLS:
        across, along = (at[row + 1] - 100, at[col]) if way == "h" else (at[col + 1], at[row] - 100)
        side = slice(across + line // 2 - wall // 2, across + line // 2 - wall // 2 + wall)
        length = slice(along + 3, along + round(2 * pitch) - 3)
        pixels[(side, length) if way == "h" else (length, side)] = (165, 42, 42)
    for (row, col), colour in zip(PAWNS, ((20, 40, 230), (230, 30, 30)), strict=True):
        cv2.circle(pixels, middle(pitch, row, col), round(0.33 * pitch), colour, -1, cv2.LINE_AA)
    for row, col in HINTS if hints else ():
        x, y = middle(pitch, row, col)
        half = round(0.42 * pitch)
        pixels[y - half : y + half, x - half : x + half] = (140, 230, 140)
        cv2.circle(pixels, (x, y), round(0.2 * pitch), (220, 60, 60), 3, cv2.LINE_AA)
    return pixels


def middle(pitch: float, row: int, col: int) -> tuple[int, int]:
    return round(150 + pitch * (col + 0.5)), round(50 + pitch * (row + 0.5))


@pytest.mark.parametrize(("pitch", "line", "wall"), [(60, 1, 9), (60, 2, 2), (53.4, 1, 7), (64, 3, 5), (48.6, 1, 4)])
def test_walls_lie_over_lines_as_they_do_in_grooves(pitch: float, line: int, wall: int) -> None:
    seen = described(frame := frame_of(court(pitch, line, wall)), locate(frame))
    assert (seen["game"], seen["pawns"], seen["walls"]) == ("quoridor", PAWNS, WALLS)


def test_marks_of_where_a_pawn_may_go_are_neither_pawns_nor_strangers() -> None:
    seen = described(frame := frame_of(court(60, 2, 8, hints=True)), locate(frame))
    assert (seen["game"], seen["pawns"], seen["walls"]) == ("quoridor", PAWNS, WALLS)


COLOURS = [(230, 40, 40), (250, 210, 30), (40, 90, 220), (40, 170, 80), (150, 60, 180), (250, 140, 30)]


def flooding(rows: int = 9, cols: int = 10, *, gap: int = 2, pitch: int = 30) -> Pixels:
    """A flooding board at (300, 60) in a window that is exactly as wide."""
    rng = np.random.default_rng(11)
    pixels = page((80, 70, 60), width=900, height=600)
    pixels[40 : 60 + 11 * pitch, 300 : 300 + cols * pitch] = 215
    for row, col in np.ndindex(rows, cols):
        y, x = 60 + row * pitch, 300 + col * pitch
        pixels[y + gap : y + pitch - gap, x + gap : x + pitch - gap] = COLOURS[rng.integers(6)]
    return pixels


def button(pixels: Pixels, box: tuple[int, int, int, int], colour: int, word: str = "") -> tuple[float, float]:
    x, y, width, height = box
    pixels[y : y + height, x : x + width] = COLOURS[colour]
    cv2.putText(pixels, word, (x + 8, y + height - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
    return x + width / 2, y + height / 2


def clicked(frame: Frame, buttons: dict[int, tuple[float, float]]) -> bool:
    """Whether each colour's button is known, by the colours that the calibration gives its kinds."""
    calibration = locate(frame, "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (9, 10)
    for colour, (x, y) in buttons.items():
        away = np.abs(np.array(calibration.palette, dtype=int) - COLOURS[colour]).max(axis=1)
        at = calibration.controls.get(f"colour:{int(away.argmin())}")
        if away.min() > 8 or at is None or np.hypot(at.x - x, at.y - y) > 8:
            return False
    return True


def test_buttons_as_long_as_the_words_on_them_are_found() -> None:
    pixels, x, buttons = flooding(), 210, {}
    for colour, word in enumerate(("Red", "Yellow", "Blue", "Green", "Turquoise", "Orange")):
        width = 20 + 11 * len(word)
        buttons[colour] = button(pixels, (x, 430, width, 26), colour, word)
        x += width + 8
    assert clicked(frame_of(pixels), buttons)


def test_a_row_of_buttons_may_be_twice_as_wide_as_the_board() -> None:
    pixels = flooding()
    buttons = {colour: button(pixels, (100 + 120 * colour, 440, 60, 60), colour) for colour in range(6)}
    assert clicked(frame_of(pixels), buttons)


def test_buttons_in_the_step_of_the_cells_under_a_board_are_no_row_of_it() -> None:
    pixels = flooding()
    boxes = [(300 + 60 + 30 * colour + 2, 60 + 9 * 30 + 2, 26, 26) for colour in range(6)]
    assert clicked(frame_of(pixels), {colour: button(pixels, box, colour) for colour, box in enumerate(boxes)})


def test_digits_in_empty_squares_are_told_from_plain_ones() -> None:
    pixels = page(250, width=700, height=600)
    for row, col in np.ndindex(14, 14):
        pixels[40 + 36 * row : 74 + 36 * row, 40 + 36 * col : 74 + 36 * col] = 200
    plain = pixels.copy()
    for row, col in np.ndindex(14, 14):
        if (row * col) % 3 == 1:
            cv2.putText(pixels, "3", (48 + 36 * col, 66 + 36 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (200, 0, 0), 2)
    marked = [
        max(proposal.features["marked"] for proposal in SQUARES.proposals(Scene(frame_of(each)), None))
        for each in (plain, pixels)
    ]
    assert marked[0] == 0
    assert marked[1] > 0.2


def test_pale_lines_say_more_than_a_bare_field() -> None:
    pixels = page(255, width=700, height=600)
    pixels[40:540, 100:600] = 211
    for place in range(0, 500, 25):
        pixels[40:540, 100 + place] = pixels[40 + place, 100:600] = 203
    assert locate(frame_of(pixels), "blokus").lattice.rows == 20
