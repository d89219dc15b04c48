"""Boards that are hard to see: no lines, few colours, walls in two colours, pointers, faint and shaded discs."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bench.pictures import draw_picture
from bench.pictures.painted import disc, frame_of, page, painted
from bot.screens.drawn.painter import Face, mix
from calibration.answer import described
from calibration.board import Calibration, Lattice
from calibration.canvas import Canvas, Shade
from calibration.confidence import chance, ensemble_of
from calibration.frame import Box, Pixel, Pixels
from calibration.locate import locate
from calibration.look import HOPED, KIND, Look
from calibration.looks import LOOKS, look_named
from calibration.looks.coloured.reader import ColourReader
from calibration.looks.squares.shades import start_tints
from calibration.scene import Scene

WHITE, BLACK, GREY = (255, 255, 255), (0, 0, 0), (128, 128, 128)


def discs(ground: int, place: int, paints: dict[str, tuple[int, int, int]], lines: list[str], shaded: bool) -> Pixels:
    """Discs of 48 pixels at every 60; `shaded` ones are half as dark again in the middle as at their rim."""
    kinds = {".": disc((place, place, place), 24, 60)}
    for kind, paint in paints.items():
        (face,) = disc(paint, 24, 60)
        kinds[kind] = (replace(face, paint=Shade(mix(paint, BLACK, 0.5), paint, "round") if shaded else paint),)
    return painted(page(ground, width=640, height=480), lines, kinds, 60)


PIECES = [
    "aa............", "a.............", ".aa...........", "..a...........", "..aa..........", "....aaa.......",
    "......a.......", ".......bb.....", "........bb....", "..........b...", "..........bbb.", "..........b...",
    "............bb", "............bb",
]  # fmt: skip


def test_blokus_pieces_without_lines_between_their_squares_show_the_size_of_a_square() -> None:
    paints = {".": (60, 62, 70), "a": (30, 90, 220), "b": (250, 160, 30)}
    seen = described(frame := frame_of(painted(page(250, height=600), PIECES, paints, 30)), locate(frame, "blokus"))
    numbers = {".": 0, "a": 1, "b": 2}
    assert [[numbers[kind] for kind in line] for line in PIECES] in (
        seen["grid"],
        [[(0, 2, 1)[n] for n in line] for line in seen["grid"]],
    )


def test_a_few_large_regions_are_divided_where_their_edges_lie() -> None:
    lines = ["rrrrrbgb", "rrrrrrrg", "rgrgrrgb", "rrgggrrg", "grgbbrrb", "ggbgrrgb", "grbbbgrg", "bgbrggrb"]
    paints = {"r": (250, 10, 10), "g": (10, 240, 240), "b": (10, 10, 130)}
    calibration = locate(frame_of(painted(page(250, height=600), lines, paints, 60)), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (8, 8)


def test_a_flooded_region_larger_than_what_is_looked_at_first_belongs_to_the_board() -> None:
    rng = np.random.default_rng(4)
    grid = rng.choice(list("rgby"), (24, 24))
    grid[:15, :] = np.where(np.add.outer(np.arange(15), np.arange(24)) < 30, "r", grid[:15, :])
    paints = {"r": (230, 60, 60), "g": (60, 190, 90), "b": (60, 90, 220), "y": (240, 220, 60)}
    calibration = locate(
        frame_of(painted(page(250, height=600), ["".join(line) for line in grid], paints, 20)), "flood_it"
    )
    assert (calibration.lattice.rows, calibration.lattice.cols) == (24, 24)


def court(walls: list[tuple[str, int, int, tuple[int, int, int]]]) -> Pixels:
    """A Quoridor board of 9 x 9 cells of 40 pixels with grooves of 10, and two pawns."""
    square = Face((160, 130, 115), 0.2)
    kinds = {"r": (square, *disc((220, 40, 40), 13, 50)), "b": (square, *disc((40, 60, 220), 13, 50)), ".": (square,)}
    lines = ["....r....", *["........."] * 7, "....b...."]
    pixels = painted(page((110, 90, 80), width=800, height=600), lines, kinds, 50, corner=(95, 55))
    for way, row, col, colour in walls:
        x, y = 100 + 50 * col, 60 + 50 * row
        Canvas(pixels, 1.0).fill(Box(x, y + 40, 90, 10) if way == "h" else Box(x + 40, y, 10, 90), colour)
    return pixels


@pytest.mark.parametrize(
    "walls",
    [
        pytest.param(
            [("h", 0, 0, BLACK), ("h", 3, 4, WHITE), ("v", 5, 5, BLACK), ("v", 2, 1, WHITE)], id="black beside white"
        ),
        pytest.param(
            [(way, 2, col, WHITE) for way, col in (("h", 0), ("h", 2), ("h", 4), ("h", 6))], id="a full groove"
        ),
    ],
)
def test_walls_lie_where_they_were_laid(walls: list[tuple[str, int, int, tuple[int, int, int]]]) -> None:
    seen = described(frame := frame_of(court(walls)), locate(frame, "quoridor"))
    assert sorted(map(tuple, seen["walls"])) == sorted(wall[:3] for wall in walls)


def test_a_pointer_on_a_cell_is_no_pawn() -> None:
    pixels = court([])
    for step in range(18):
        pixels[230 + step, 270 : 270 + max(1, int(0.6 * step))] = BLACK
    seen = described(frame := frame_of(pixels), locate(frame, "quoridor"))
    assert sorted(seen["pawns"]) == [[0, 4], [8, 4]]


STACK = ["......."] * 3 + ["...x...", "..oxo..", ".xoxox."]


@pytest.mark.parametrize(
    ("ground", "place", "shaded"), [pytest.param(246, 238, False, id="faint"), pytest.param(40, 230, True, id="shaded")]
)
def test_discs_are_found_in_faint_places_and_with_gradients(ground: int, place: int, shaded: bool) -> None:
    paints = {"o": (250, 220, 40), "x": (220, 40, 50)}
    seen = described(frame := frame_of(discs(ground, place, paints, STACK, shaded)), locate(frame, "connect_four"))
    assert sum(sum(number > 0 for number in line) for line in seen["grid"]) == 9


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("named", [False, True])
def test_each_feature_of_a_proposal_has_a_weight(look: Look, named: bool) -> None:
    game = look.games[0]
    picture = draw_picture(game, np.random.default_rng(3))
    scene, asked = Scene(frame_of(picture.pixels)), game if named else None
    proposals = list(look.every(scene, asked))
    last = min(proposals, key=lambda proposal: proposal.confidence)  # the likeliest may be told more of
    ensemble = ensemble_of(look.name, named=named)
    assert ensemble is not None
    assert sorted(set(last.features) - {HOPED, *([KIND] if named else [])}) == sorted(ensemble.names)
    assert chance(look.name, last.features, named=named) == pytest.approx(last.confidence)


def test_a_look_without_weights_is_as_likely_right_as_wrong_and_less_where_its_game_was_not_asked_for() -> None:
    assert chance("stones on crossings", {"seen": 1.0}, named=True) == 0.5
    assert chance("stones on crossings", {"seen": 1.0}, named=False) == 0.25


def test_a_cell_that_slopes_and_has_a_frame_in_it_is_told_by_what_others_look_like() -> None:
    colours = np.array([(30, 240, 30), (240, 230, 40), (30, 80, 240), (250, 20, 200)], dtype=np.float32)
    grid = np.random.default_rng(3).integers(0, 4, (6, 6))
    slope = np.add.outer(np.arange(20), np.arange(20))[..., None] / 38
    pixels = page(40, width=200, height=200)
    for row, col in np.ndindex(grid.shape):
        face = 40 + slope * (colours[grid[row, col]] - 40)
        if (row, col) == (5, 5):
            face[[2, 3, -4, -3]] = face[:, [2, 3, -4, -3]] = 255
        pixels[20 + 25 * row : 40 + 25 * row, 20 + 25 * col : 40 + 25 * col] = face
    palette = tuple((int(red), int(green), int(blue)) for red, green, blue in 40 + 0.5 * (colours - 40))
    lattice = Lattice(Pixel(29.5, 29.5), (25.0, 25.0), 6, 6)
    calibration = Calibration("flood_it", lattice, palette, (200, 200), look="coloured", tolerance=36.0)
    assert ColourReader(calibration).read(frame_of(pixels)).grid.tolist() == grid.tolist()


@pytest.mark.parametrize(("corner", "tinted"), [((254, 240, 138), True), ((253, 224, 10), False)])
def test_a_strong_tint_in_a_corner_is_a_start_where_other_corners_are_tinted_and_a_piece_is_none(
    corner: tuple[int, int, int], *, tinted: bool
) -> None:
    empty = np.array((248, 250, 252), dtype=np.float32)
    colours = np.broadcast_to(empty, (8, 8, 3)).copy()
    starts = ((191, 219, 254), corner, (187, 247, 208), (254, 202, 202))
    for place, colour in zip([(0, 0), (0, -1), (-1, 0), (-1, -1)], starts, strict=True):
        colours[place] = colour
    found = start_tints(colours, np.abs(colours - empty).max(axis=2) > 0, empty)
    assert found.sum() == 3 + tinted
    assert found[0, -1] == tinted


def test_a_start_that_glows_is_one_where_all_other_corners_are_a_little_grey() -> None:
    empty = np.array((38, 49, 66), dtype=np.float32)
    colours = np.broadcast_to(empty, (20, 20, 3)).copy()
    for place, colour in zip([(0, 0), (0, -1), (-1, 0), (-1, -1)], [(48, 89, 154), *[(55, 65, 81)] * 3], strict=True):
        colours[place] = colour
    assert start_tints(colours, np.abs(colours - empty).max(axis=2) > 10, empty).sum() == 4


def test_a_piece_of_one_square_in_a_corner_is_no_start_where_no_corner_is_tinted() -> None:
    empty = np.array((248, 250, 252), dtype=np.float32)
    colours = np.broadcast_to(empty, (8, 8, 3)).copy()
    colours[0, -1] = (254, 240, 138)
    assert not start_tints(colours, np.abs(colours - empty).max(axis=2) > 0, empty).any()


@pytest.mark.parametrize(("ground", "hole"), [((217, 222, 233), (222, 224, 235)), ((29, 24, 19), (36, 28, 18))])
def test_holes_hardly_lighter_than_the_board_are_found_and_pieces_in_them_read(
    ground: tuple[int, int, int], hole: tuple[int, int, int]
) -> None:
    pixels = page(248, width=1280, height=900)
    pixels[218:632, 400:880], pixels[220:630, 402:878] = (198, 203, 220), ground
    places = [(441 + round(66.3 * col), 259 + round(66.2 * row)) for row, col in np.ndindex(6, 7)]
    for place in places:
        cv2.circle(pixels, place, 30, hole, -1, cv2.LINE_AA)
    found = locate(frame_of(pixels))
    assert (found.game, found.lattice.rows, found.lattice.cols) == ("connect_four", 6, 7)
    cv2.circle(pixels, places[38], 30, (214, 60, 60), -1, cv2.LINE_AA)
    grid = look_named(found.look).reader(found, Pixel(0, 0)).read(frame_of(pixels)).grid
    assert grid[5].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert not grid[:5].any()
