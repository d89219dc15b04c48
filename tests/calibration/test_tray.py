"""Pieces that wait beside a board are found by the form in which they lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bench.pictures.painted import frame_of, page, painted
from calibration.board import Calibration, Lattice
from calibration.canvas import Canvas, Shade
from calibration.frame import Box, Frame, Pixel
from calibration.looks.squares.tray import glossy_pieces, silhouettes, tray_pieces
from calibration.scene import Scene
from games.core import Cell
from games.polyominoes import PIECES

COLOURS = {1: (122, 53, 196), 2: (239, 138, 23)}
LATTICE = Lattice(Pixel(400, 120), (30.0, 30.0), 14, 14)


def picture(
    unit: int, turned: int, *, part: float = 0.5
) -> tuple[Frame, dict[tuple[int, tuple[tuple[int, int], ...]], tuple[int, int]]]:
    """A page with two trays of pieces made of squares of `unit` pixels, and where the first square of each lies."""
    pixels = page(244, width=1200)
    truth = {}
    for tray, (left, colour) in enumerate(((20, COLOURS[1]), (880, COLOURS[2])), 1):
        for number, piece in enumerate(PIECES):
            form = piece.forms[turned % len(piece.forms)]
            x, y = left + number % 3 * 6 * unit, 40 + number // 3 * 6 * unit
            lines = ["".join("x" if (row, col) in form else "." for col in range(5)) for row in range(5)]
            painted(pixels, lines, {"x": colour}, unit, part, corner=(x - 0.5, y - 0.5))
            truth[tray, form] = (x, y)
    return frame_of(pixels), truth


@pytest.mark.parametrize(("unit", "turned"), [(12, 0), (14, 1), (15, 3)])
def test_all_pieces_of_two_trays_are_found_in_the_form_they_lie(unit: int, turned: int) -> None:
    frame, truth = picture(unit, turned)
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    found = tray_pieces(Scene(frame), calibration)
    assert set(found) == set(truth)
    for (tray, form), at in found.items():
        colour = frame.pixels[int(at.y), int(at.x)]
        assert tuple(colour) == COLOURS[tray]
        x, y = truth[tray, form]
        assert ((at.y - y) // unit, (at.x - x) // unit) in form


@pytest.mark.parametrize("left", [7, 3, 1])
def test_the_last_pieces_of_a_tray_that_is_known_are_found_where_they_are(left: int) -> None:
    pixels = page(244, width=1200)
    for number, piece in enumerate(PIECES[4 : 4 + left]):
        lines = ["".join("x" if (row, col) in piece.forms[0] else "." for col in range(5)) for row in range(5)]
        painted(
            pixels, lines, {"x": COLOURS[1]}, 12, 0.5, corner=(20 + number % 3 * 72 - 0.5, 40 + number // 3 * 72 - 0.5)
        )
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    scene = Scene(frame_of(pixels))
    assert tray_pieces(scene, calibration) == {}
    found = tray_pieces(scene, replace(calibration, controls={"piece:1,X": Pixel(9, 9)}))
    assert set(found) == {(1, piece.forms[0]) for piece in PIECES[4 : 4 + left]}


def test_of_two_alike_the_last_piece_is_the_one_that_lies_where_it_was() -> None:
    pixels = page(244, width=1200)
    for x, y in ((60, 300), (300, 40)):  # the piece, and one that a score shows
        painted(pixels, ["xxx"], {"x": COLOURS[1]}, 12, 0.5, corner=(x - 0.5, y - 0.5))
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    for x, y in ((60, 300), (300, 40)):
        known = replace(calibration, controls={"piece:1,I3": Pixel(x + 18, y + 20)})
        ((_, at),) = tray_pieces(Scene(frame_of(pixels)), known).items()
        assert at == pytest.approx((x + 18, y + 6), abs=3)


def test_a_page_without_pieces_has_no_tray() -> None:
    pixels = page(244, width=1200)
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    assert tray_pieces(Scene(frame_of(pixels)), calibration) == {}


@pytest.mark.parametrize(("unit", "turned"), [(12, 0), (14, 1), (15, 3)])
def test_pieces_that_show_no_squares_are_found_by_their_outline(unit: int, turned: int) -> None:
    frame, truth = picture(unit, turned, part=0)
    for x, y in (LATTICE.centre(Cell(row, col)) for row in range(LATTICE.rows) for col in range(LATTICE.cols)):
        frame.pixels[int(y) - 13 : int(y) + 13, int(x) - 13 : int(x) + 13] = 210  # squares as well
    frame.pixels[690:696] = 210
    for tray, colour in COLOURS.items():  # a score in each tray's colour
        for stroke in range(5):
            frame.pixels[600 : 617 + stroke, 300 * tray + 20 * stroke : 300 * tray + 20 * stroke + 6] = colour
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    found = silhouettes(Scene(frame), calibration)
    assert set(found) == set(truth)
    for (tray, form), at in found.items():
        assert tuple(frame.pixels[int(at.y), int(at.x)]) == COLOURS[tray]
        x, y = truth[tray, form]
        assert ((at.y - y) // unit, (at.x - x) // unit) in form


def test_pieces_of_small_round_squares_that_throw_shadows_on_a_shaded_page_are_found() -> None:
    pixels, truth = page(250, width=1200), set()
    canvas = Canvas(pixels)
    canvas.fill(canvas.box, Shade((255, 255, 255), (240, 246, 252)))
    for number, piece in enumerate(PIECES):
        x, y = 880 + number % 5 * 60, 40 + number // 5 * 60
        for shade, colour in ((1.0, (205, 207, 210)), (0.0, (37, 99, 235))):
            for row, col in piece.forms[0]:
                canvas.fill(Box(x + 9 * col, y + 9 * row + shade, 8, 8), colour, radius=2.5)
        truth.add((1, piece.forms[0]))
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    assert set(silhouettes(Scene(frame_of(pixels)), calibration)) == truth


def test_no_pieces_wait_beside_a_board_that_fills_the_picture() -> None:
    lattice = Lattice(Pixel(15, 15), (30.0, 30.0), 14, 14)
    calibration = Calibration("blokus", lattice, ((210, 210, 210),), (420, 420), look="squares")
    assert silhouettes(Scene(frame_of(page(210, width=420, height=420))), calibration) == {}


def test_the_square_of_a_score_nearer_to_the_middle_of_a_wide_tray_is_none_of_its_pieces() -> None:
    pixels, first = page(24, width=1280, height=600), (40, 100)
    for number, piece in enumerate(PIECES):
        x, y = first[0] + number % 7 * 170, first[1] + number // 7 * 66
        lines = ["".join("x" if (row, col) in piece.forms[0] else "." for col in range(5)) for row in range(5)]
        painted(pixels, lines, {"x": COLOURS[2]}, 17, 0.5, corner=(x - 0.5, y - 0.5))
    painted(pixels, ["x"], {"x": COLOURS[2]}, 17, 0.5, corner=(600, 420))
    board = Calibration("blokus", LATTICE.moved(Pixel(2000, 0)), ((210, 210, 210),), (3000, 600), look="squares")
    at = tray_pieces(Scene(frame_of(pixels)), board)[1, ((0, 0),)]
    assert (at.x, at.y) == (pytest.approx(first[0] + 8, abs=2), pytest.approx(first[1] + 8, abs=2))


def glossy_trays(*, left: int = len(PIECES)) -> tuple[Frame, set[tuple[int, tuple[tuple[int, int], ...]]]]:
    """A page with two trays of glossy squares on panels, in the second of which so many pieces are left; and these."""
    frame, truth = picture(10, 1)
    gone = [key for key in truth if key[0] == 2][left:]
    light = np.linspace(1.6, 0.4, 9)  # of each square, from its upper left corner on
    for (tray, form), (x, y) in truth.items():
        if (tray, form) in gone:
            frame.pixels[y - 4 : y + 50, x - 4 : x + 50] = 244
            continue
        frame.pixels[y - 4 : y + 50, x - 4 : x + 50] = 255
        shaded = np.array(COLOURS[tray]) * np.minimum.outer(light, light)[..., None]
        for row, col in form:
            frame.pixels[y + 10 * row : y + 10 * row + 9, x + 10 * col : x + 10 * col + 9] = shaded.clip(0, 255)
    return frame, set(truth).difference(gone)


def test_pieces_of_glossy_squares_on_panels_are_found() -> None:
    frame, truth = glossy_trays()
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    assert len(tray_pieces(Scene(frame), calibration)) < len(truth) / 2
    assert set(glossy_pieces(Scene(frame), calibration)) == truth


def test_the_last_glossy_pieces_of_a_tray_that_is_known_are_found() -> None:
    frame, truth = glossy_trays(left=3)
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    known = replace(calibration, controls={"piece:2,X": Pixel(9, 9)})
    assert set(glossy_pieces(Scene(frame), known)) == truth


def test_pieces_as_large_as_their_places_are_found_and_places_without_a_square_are_none() -> None:
    pixels = page(244, width=1200)
    kept = [PIECES[0], *PIECES[4:]]
    for number, piece in enumerate(kept):
        form = piece.forms[0]
        side = 1 + max(max(cell) for cell in form)
        unit, x, y = 44 // side, 20 + number % 5 * 70, 40 + number // 5 * 70
        for row, col in np.ndindex(side, side):
            colour = COLOURS[1] if (row, col) in form else (225, 225, 225)
            pixels[y + unit * row : y + unit * (row + 1) - 2, x + unit * col : x + unit * (col + 1) - 2] = colour
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    scene = Scene(frame_of(pixels))
    found = glossy_pieces(scene, replace(calibration, controls={"piece:1,X": Pixel(9, 9)}))
    assert set(found) == {(1, piece.forms[0]) for piece in kept}


@pytest.mark.parametrize("left", [len(PIECES), 5])
def test_glossy_pieces_whose_squares_touch_are_found_by_their_outlines_in_the_tray(left: int) -> None:
    pixels, known = page(250, width=1200), {}
    for number, piece in enumerate(PIECES):
        x, y = 20 + number % 3 * 84, 40 + number // 3 * 60
        known[f"piece:1,{piece.name}"] = Pixel(x + 20, y + 20)
        pixels[y : y + 54, x : x + 76] = 241  # its place
        for row, col in piece.forms[0] if number < left else ():
            square = np.s_[y + 2 + 10 * row : y + 12 + 10 * row, x + 10 + 10 * col : x + 20 + 10 * col]
            pixels[square] = np.array(COLOURS[1]) // 2
            pixels[square][1:-1, 1:-1] = COLOURS[1]
    for letter in range(40):  # words of the page are as large
        pixels[
            20 + 90 * (letter % 7) : 30 + 90 * (letter % 7), 1000 + 14 * (letter // 7) : 1010 + 14 * (letter // 7)
        ] = 30
    calibration = Calibration("blokus", LATTICE, ((210, 210, 210),), (1200, 700), look="squares")
    found = glossy_pieces(Scene(frame_of(pixels)), replace(calibration, controls={} if left > 5 else known))
    assert {form for _, form in found} == {piece.forms[0] for piece in PIECES[:left]}
