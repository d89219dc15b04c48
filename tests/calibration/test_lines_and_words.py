"""Boards as hobby programs draw them: lines for grooves, marks for moves, words on buttons that lie close by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.pictures.marks import mark
from bench.pictures.painted import disc, frame_of, page, painted
from bot.screens.drawn.painter import Extent, Face, Lines
from calibration.answer import described
from calibration.board import Lattice
from calibration.canvas import Canvas
from calibration.frame import Box, Frame, Pixel, Pixels
from calibration.locate import find_controls, locate
from calibration.looks.squares import LOOK as SQUARES
from calibration.scene import Scene

WALLS = [("h", 1, 3), ("h", 6, 1), ("v", 3, 5), ("v", 4, 2)]
PAWNS = [[6, 4], [2, 4]]
HINTS = [(6, 3), (6, 5), (5, 4)]


def court(pitch: float, line: int, wall: int, *, hints: bool = False) -> Pixels:
    """A Quoridor board of lines on a window's page, with walls over them that are `wall` pixels wide."""
    pixels = page((70, 90, 90), width=900, height=700)
    canvas = Canvas(pixels)
    canvas.fill(Box(100, 20, 700, 660), (250, 250, 250))
    places = np.full((9, 9), ".")
    for (row, col), player in zip(PAWNS, "12", strict=True):
        places[row, col] = player
    for row, col in HINTS if hints else ():
        places[row, col] = "h"
    kinds = {
        "1": disc((20, 40, 230), 0.33 * pitch, pitch),
        "2": disc((230, 30, 30), 0.33 * pitch, pitch),
        "h": (Face((140, 230, 140), 0.16), *disc((220, 60, 60), 0.2 * pitch, pitch, ring=3)),
    }
    corner = 150 + line / 2, 50 + line / 2
    lines = ["".join(row) for row in places]
    painted(pixels, lines, kinds, pitch, corner=corner, ruled=Lines((20, 20, 20), line))
    extent = Extent(*corner, pitch, pitch, 9, 9)
    for each in WALLS:
        canvas.fill(extent.wall(each, wall / pitch, short=(3 - wall / 2) / pitch), (165, 42, 42))
    return pixels


@pytest.mark.parametrize(("pitch", "line", "wall"), [(60, 1, 9), (60, 2, 2), (53.4, 1, 7), (64, 3, 5), (48.6, 1, 4)])
def test_walls_lie_over_lines_as_they_do_in_grooves(pitch: float, line: int, wall: int) -> None:
    seen = described(frame := frame_of(court(pitch, line, wall)), locate(frame))
    assert (seen["game"], seen["pawns"], seen["walls"]) == ("quoridor", PAWNS, [list(wall) for wall in WALLS])


def test_marks_of_where_a_pawn_may_go_are_neither_pawns_nor_strangers() -> None:
    seen = described(frame := frame_of(court(60, 2, 8, hints=True)), locate(frame))
    assert (seen["game"], seen["pawns"], seen["walls"]) == ("quoridor", PAWNS, [list(wall) for wall in WALLS])


COLOURS = [(230, 40, 40), (250, 210, 30), (40, 90, 220), (40, 170, 80), (150, 60, 180), (250, 140, 30)]


def flooding(rows: int = 9, cols: int = 10, *, gap: int = 2, pitch: int = 30) -> Pixels:
    """A flooding board at (300, 60) in a window that is exactly as wide."""
    rng = np.random.default_rng(11)
    pixels = page((80, 70, 60), width=900, height=600)
    Canvas(pixels).fill(Box(300, 40, cols * pitch, 20 + 11 * pitch), (215, 215, 215))
    lines = ["".join(str(rng.integers(6)) for _ in range(cols)) for _ in range(rows)]
    return painted(pixels, lines, dict(zip("012345", COLOURS, strict=True)), pitch, gap, corner=(300, 60))


def button(pixels: Pixels, box: tuple[int, int, int, int], colour: int, word: str = "") -> tuple[float, float]:
    canvas, (x, y) = Canvas(pixels), Box(*box).centre
    canvas.fill(Box(*box), COLOURS[colour])
    canvas.text(x, y, word, 13, (0, 0, 0), anchor="middle")
    return x, y


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


def test_a_column_of_buttons_as_long_as_their_words_has_none_in_the_colour_of_two() -> None:
    pixels, buttons = flooding(), {}
    for colour, word in enumerate(("Red", "Yellow", "Blue", "Green", "Turquoise", "Orange")):
        buttons[colour] = button(pixels, (630, 60 + 32 * colour, 14 + 9 * len(word), 22), colour, word)
    for place, word in enumerate(("Restart", "Clear"), 6):
        box = Box(630, 60 + 32 * place, 14 + 9 * len(word), 22)
        Canvas(pixels).fill(box, (239, 239, 239))
        Canvas(pixels).text(*box.centre, word, 11, (0, 0, 0), anchor="middle")
    assert clicked(frame_of(pixels), buttons)
    assert len(locate(frame_of(pixels), "flood_it").controls) == 6


def test_the_one_button_that_is_left_of_a_known_row_is_found_where_that_was() -> None:
    known = replace(
        locate(frame_of(flooding()), "flood_it"),
        controls={f"colour:{kind}": Pixel(230 + 70 * kind, 460) for kind in range(6)},
    )
    for kind, colour in enumerate(known.palette[:3]):
        pixels = flooding()
        for part, shown in enumerate((known.palette[(kind + 1) % 3], known.palette[(kind + 2) % 3])):
            Canvas(pixels).fill(Box(300 + 150 * part, 10, 150, 24), shown)  # a score in the players' colours
        Canvas(pixels).fill(Box(425, 435, 50, 50), colour)
        assert find_controls(frame_of(pixels), known) == {f"colour:{kind}": Pixel(450, 460)}


def test_a_row_of_buttons_may_be_twice_as_wide_as_the_board() -> None:
    pixels = flooding()
    buttons = {colour: button(pixels, (100 + 120 * colour, 440, 60, 60), colour) for colour in range(6)}
    assert clicked(frame_of(pixels), buttons)


def test_digits_in_empty_squares_are_told_from_plain_ones() -> None:
    square, digit = Face((200, 200, 200), 1 / 18), mark("3", (200, 0, 0), 0.67)
    lines = ["".join("3" if (row * col) % 3 == 1 else "." for col in range(14)) for row in range(14)]
    marked = []
    for shown in ((square,), (square, digit)):
        sheet = page(250, width=700, height=600)
        scene = Scene(frame_of(painted(sheet, lines, {".": (square,), "3": shown}, 36, corner=(39, 39))))
        board = SQUARES.on(scene, Lattice(Pixel(57, 57), (36, 36), 14, 14), "blokus")
        assert board is not None
        marked.append(board.features["marked"])
    assert marked[0] == 0
    assert marked[1] > 0.2


def test_pale_lines_say_more_than_a_bare_field() -> None:
    lines, kinds = ["." * 20] * 20, {".": (211, 211, 211)}
    pixels = page(255, width=700, height=600)
    painted(pixels, lines, kinds, 25, corner=(100, 40), ruled=Lines((203, 203, 203)))
    assert locate(frame_of(pixels), "blokus").lattice.rows == 20
