"""Quoridor boards that are hard to read: blurred lines, walls half hidden, tinted goals, marks and pale pawns."""

from __future__ import annotations

from typing import Any, Literal

import cv2
import numpy as np
import pytest

from bench.pictures import draw_picture, grooves
from bench.pictures.painted import frame_of, page
from bot.screens.drawn.painter import Extent, Face, Rim, Style, paint_ground
from calibration.answer import described
from calibration.canvas import Canvas, Shade
from calibration.cell_patches import Changes, PatchSampler
from calibration.frame import Box, Frame, Pixel, Pixels
from calibration.locate import locate
from calibration.looks import reader_of
from calibration.looks.grooves.reader import GrooveReader
from calibration.looks.grooves.walls import pawns_in, walls_in
from games.core import UNREAD

Rgb = tuple[int, int, int]
Wall = tuple[str, int, int]

FINE = 4
"""Boards are drawn so many times as large, and made smaller, so that lines fall between pixels as a browser's do."""

WOOD, DARK, GREY = (205, 165, 105), (70, 45, 48), (140, 140, 140)
WHITE, BLACK, RED, GREEN, BLUE = (255, 255, 255), (0, 0, 0), (200, 30, 30), (40, 170, 80), (30, 60, 200)


class Court:
    """A Quoridor board at (80, 60) in a page; lengths in pixels."""

    def __init__(self, pitch: float, groove: float, cell: Rgb = WOOD, ground: Rgb = WHITE, side: int = 9) -> None:
        self.pitch, self.groove, self.side = pitch, groove, side
        self.canvas = Canvas(page(245, width=FINE * 800, height=FINE * 700), FINE)
        self.extent = Extent(80, 60, pitch, pitch, side, side)
        cells = (Face(cell, groove / pitch),)
        paint_ground(self.canvas, self.extent, Style({}, rim=Rim(ground, groove), bare=(cells, cells)))

    def box(self, left: float, top: float, right: float, foot: float, colour: Rgb, alpha: float = 1.0) -> None:
        self.canvas.fill(Box(80 + left, 60 + top, right - left, foot - top), colour, alpha=alpha)

    def fill(self, row: int, col: int, colour: Rgb) -> None:
        Face(colour, self.groove / self.pitch).paint_on(self.canvas, self.extent.square(row, col))

    def wall(self, wall: Wall, colour: Rgb, thick: float, alpha: float = 1.0) -> None:
        groove = self.groove / self.pitch
        place = self.extent.wall(wall, groove, thick=thick / self.groove, short=1 / self.pitch)
        self.canvas.fill(place, colour, alpha=alpha)

    def split(self, wall: Wall, colour: Rgb) -> None:
        """A wall in two pieces, each as long as a cell."""
        way, row, col = wall
        for step in (0, 1):
            along, across = (
                ((col if way == "h" else row) + step) * self.pitch,
                ((row if way == "h" else col) + 1) * self.pitch,
            )
            half = self.groove / 2
            box = along + half, across - half, along + self.pitch - half, across + half
            left, top, right, foot = box if way == "h" else (box[1], box[0], box[3], box[2])
            self.box(left, top, right, foot, colour)

    def disc(self, row: int, col: int, colour: Rgb, radius: float = 0.3, alpha: float = 1.0) -> None:
        self.canvas.disc(*self.extent.centre(row, col), radius * self.pitch, colour, alpha=alpha)

    def tint(self, row: int, colour: Rgb) -> None:
        """A row of goals: cells and grooves of it show a pawn's colour faintly."""
        half = self.groove / 2
        top, foot = row * self.pitch + half, (row + 1) * self.pitch - half
        self.box(half, top, self.side * self.pitch - half, foot, colour, 0.15)

    def pointer(self, x: float, y: float) -> None:
        """An arrow whose tip lies at (x, y) of the board."""
        form = [(0, 0), (0, 20), (5, 16), (9, 24), (13, 22), (9, 14), (16, 14)]
        outline = [(80 + x + 1.5 * across, 60 + y + 1.5 * down) for across, down in form]
        self.canvas.polygon(outline, BLACK)
        self.canvas.stroke([*outline, outline[0]], 1, WHITE)

    @property
    def frame(self) -> Frame:
        return frame_of(cv2.resize(self.canvas.pixels, (800, 700), interpolation=cv2.INTER_AREA).astype(np.uint8))

    def seen(self) -> tuple[list[list[int]], list[Wall]]:
        """The pawns and walls that are read on it."""
        found: dict[str, Any] = described(frame := self.frame, locate(frame, "quoridor"))
        return sorted(found["pawns"]), sorted((way, row, col) for way, row, col in found["walls"])


def with_pawns(court: Court, first: tuple[int, int] = (8, 4), second: tuple[int, int] = (0, 4)) -> Court:
    court.disc(*first, BLUE)
    court.disc(*second, RED)
    return court


@pytest.mark.parametrize("second", [(0, 4), (3, 4)])
def test_a_board_without_a_frame_goes_on_as_far_as_its_grooves(second: tuple[int, int]) -> None:
    court = Court(56, 10, WOOD, WOOD)
    court.box(-60, -60, 9 * 56 + 60, 9 * 56 + 60, WOOD)
    for at in range(56, 9 * 56, 56):
        court.box(at - 5, 0, at + 5, 9 * 56, WHITE)
        court.box(0, at - 5, 9 * 56, at + 5, WHITE)
    with_pawns(court, (8, 4), second)
    for cell in ((second[0], 3), (second[0], 5), (second[0] + 1, 4)):
        court.disc(*cell, (140, 120, 90))
    assert court.seen() == ([[*second], [8, 4]], [])


@pytest.mark.parametrize("lit", [0, 16])
def test_a_board_whose_cells_are_lit_in_one_half_lies_where_its_grooves_do(lit: int) -> None:
    court = with_pawns(Court(50, 10, WOOD, DARK))
    for row, col in np.ndindex(9, 9):
        x, y = 50 * col + 5, 50 * row + 5
        court.box(x + lit, y, x + lit + 24, y + 40, WHITE, 0.3)
    x, y = locate(court.frame, "quoridor").lattice.origin
    assert (x, y) == (pytest.approx(105, abs=1), pytest.approx(85, abs=1))
    assert court.seen() == ([[0, 4], [8, 4]], [])


@pytest.mark.parametrize("pitch", [47.0, 50.4, 61.6])
@pytest.mark.parametrize("line", [1.0, 1.4, 2.3])
def test_thin_walls_are_seen_over_lines_however_these_fall_between_pixels(pitch: float, line: float) -> None:
    court = with_pawns(Court(pitch, line, (40, 120, 80), (25, 25, 55)))
    laid = [("h", 0, 7), ("h", 2, 0), ("h", 4, 4), ("v", 0, 1), ("v", 0, 3), ("v", 2, 3), ("v", 4, 3), ("v", 6, 5)]
    for wall in laid:
        court.wall(wall, BLUE, line)
    assert court.seen() == ([[0, 4], [8, 4]], laid)


@pytest.mark.parametrize("tinted", [False, True])
def test_a_board_of_pale_lines_is_told_by_how_its_game_begins_though_no_game_is_named(*, tinted: bool) -> None:
    court = with_pawns(Court(54, 1, (250, 250, 252), (200, 205, 225)))
    for row, colour in ((0, RED), (8, BLUE)) if tinted else ():
        court.tint(row, colour)
    assert (found := locate(court.frame)).game == "quoridor"
    assert (found.lattice.rows, found.lattice.cols) == (9, 9)


def test_walls_on_most_sides_of_two_cells_are_no_rings_that_mark_where_a_pawn_may_go() -> None:
    court, laid = Court(60, 10, WOOD, (112, 76, 50), side=5), [("h", 2, 0), ("h", 3, 0), ("v", 3, 1)]
    for wall in laid:
        court.wall(wall, (240, 200, 60), 10)
    assert with_pawns(court, (3, 2), (0, 2)).seen() == ([[0, 2], [3, 2]], laid)


@pytest.mark.parametrize(("row", "col"), [(4, 4), (7, 0)])
def test_a_ring_round_the_one_cell_that_has_the_focus_is_no_wall_and_hides_none(row: int, col: int) -> None:
    court = with_pawns(Court(50, 4, ground=(166, 122, 51)))
    court.wall(("h", 1, 1), RED, 4)
    left, top = 50 * col, 50 * row
    court.box(left - 2, top - 2, left + 52, top + 50, BLACK)  # its foot falls beside the groove
    court.box(left - 2, top + 2, left + 2, top + 50, WHITE)
    court.box(left + 48, top + 2, left + 52, top + 50, DARK)
    court.box(left + 2, top + 2, left + 48, top + 48, WOOD)
    observation = reader_of(locate(court.frame, "quoridor")).read(court.frame)
    assert observation.unread() == []
    assert walls_in(observation.grid) == [("h", 1, 1)]


@pytest.mark.parametrize("way", ["down", "across", "slope"])
def test_light_from_one_side_lifts_no_grooves_and_hides_no_walls(way: Literal["down", "across", "slope"]) -> None:
    court, laid = with_pawns(Court(60, 10, WOOD, (36, 24, 14))), [("h", 1, 1), ("v", 0, 7), ("v", 6, 0)]
    for wall in laid:
        court.wall(wall, (150, 90, 60), 8)
    court.canvas.fill(Box(80, 60, 540, 540), Shade(WHITE, BLACK, way), alpha=0.2)
    assert court.seen() == ([[0, 4], [8, 4]], laid)


@pytest.mark.parametrize(("line", "turn"), [(1, {"player": 0}), (2, {"player": 0}), (8, {})])
def test_rings_round_the_cells_where_a_pawn_may_go_are_no_walls_and_tell_whose_turn_it_is_over_lines(
    line: float, turn: dict[str, int]
) -> None:
    court, pitch, laid = with_pawns(Court(48, line, (245, 245, 244), (214, 211, 209))), 48, [("v", 6, 5)]
    court.wall(laid[0], DARK, max(line, 4))
    for row, col in ((7, 4), (8, 3), (8, 5)):
        left, top, side = 78.5 + line / 2 + col * pitch, 58.5 + line / 2 + row * pitch, pitch + 3 - line
        ring = Box(left, top, side, side)
        court.canvas.fill(ring, (59, 130, 246), radius=4, alpha=0.6, ring=3)
    assert court.seen() == ([[0, 4], [8, 4]], laid)
    observation = reader_of(locate(court.frame, "quoridor")).read(court.frame)
    assert not observation.unread()
    assert observation.numbers == turn


@pytest.mark.parametrize("line", [1.4, 2])
@pytest.mark.parametrize("over", [0, 0.5])
def test_cells_filled_as_marks_beside_lines_hide_no_walls_and_show_none(line: float, over: float) -> None:
    court = Court(50.4, line, (100, 60, 20), WHITE)
    for row, col in ((2, 5), (3, 4), (3, 6), (4, 5)):
        x, y, half = 50.4 * col, 50.4 * row, line / 2 - over
        court.box(x + half, y + half, x + 50.4 - half, y + 50.4 - half, (150, 240, 190))
        court.disc(row, col, (20, 90, 90), 0.15)
    with_pawns(court, (3, 5), (1, 5))
    laid = [("h", 0, 3), ("h", 4, 0), ("v", 4, 7), ("v", 6, 5)]
    for wall in laid:
        court.wall(wall, (40, 215, 60), line)
    assert court.seen() == ([[1, 5], [3, 5]], laid)


@pytest.mark.parametrize("pitch", [44.4, 44.7])
@pytest.mark.parametrize("laid", [[], [("h", 4, 4), ("v", 0, 6), ("v", 7, 2)]])
def test_lines_through_which_tinted_and_marked_cells_show_hold_no_walls(pitch: float, laid: list[Wall]) -> None:
    court = Court(pitch, 1.1, WHITE, (150, 150, 150))
    for row, colour in ((0, (180, 180, 226)), (8, (226, 180, 180))):
        for col in range(9):
            court.fill(row, col, colour)
    for row, col, colour in ((0, 3, (190, 190, 113)), (0, 5, (190, 190, 113)), (1, 4, (227, 227, 127))):
        court.fill(row, col, colour)
    for wall in laid:
        court.wall(wall, (150, 60, 20), 2)
    assert with_pawns(court).seen() == ([[0, 4], [8, 4]], laid)


def test_a_preview_is_told_from_walls_where_marks_tint_the_lines_too() -> None:
    court = Court(32, 2)
    for row, col in ((5, 5), (7, 5), (6, 6)):
        court.box(32 * col + 1, 32 * row + 1, 32 * col + 32, 32 * row + 32, BLACK, 0.25)
    with_pawns(court, (6, 5), (6, 4))
    laid = [("v", 2, 3), ("v", 4, 7), ("v", 5, 0)]
    for wall in laid:
        court.wall(wall, BLACK, 4)
    court.wall(("h", 2, 0), BLACK, 4, alpha=0.3)
    assert court.seen() == ([[6, 4], [6, 5]], laid)


def test_walls_lie_between_cells_that_have_outlines_and_nothing_else_parts() -> None:
    court = Court(43.4, 6.4, BLACK, (250, 250, 250))
    for row, col in np.ndindex(9, 9):
        x, y, half = 43.4 * col, 43.4 * row, 4.2
        court.box(x + half, y + half, x + 43.4 - half, y + 43.4 - half, (250, 250, 250))
    court.disc(8, 4, BLUE, 0.42)
    court.disc(0, 4, RED, 0.42)
    laid = [("h", 0, 1), ("h", 3, 4), ("v", 1, 4), ("v", 7, 3)]
    for wall in laid:
        court.wall(wall, (165, 42, 42), 5)
    assert court.seen() == ([[0, 4], [8, 4]], laid)


@pytest.mark.parametrize("thick", [5, 8])
def test_a_line_with_as_many_walls_as_it_can_hold_is_none(thick: float) -> None:
    court = with_pawns(Court(62.3, 5, (100, 60, 20), (148, 207, 140)))
    laid = [*(("h", 3, col) for col in (0, 2, 4, 6)), ("v", 0, 2), ("v", 4, 2), ("v", 6, 2)]
    for wall in laid:
        court.wall(wall, (70, 76, 68), thick)
    assert court.seen() == ([[0, 4], [8, 4]], laid)


def test_a_groove_of_another_colour_from_end_to_end_holds_no_walls() -> None:
    court = with_pawns(Court(51.3, 1.6, (104, 62, 20), (60, 180, 200)))
    for line in (3 * 51.3, 6 * 51.3):
        court.box(0, line - 0.8, 9 * 51.3, line + 0.8, (20, 90, 100))
        court.box(line - 0.8, 0, line + 0.8, 9 * 51.3, (20, 90, 100))
    court.wall(("v", 1, 4), BLACK, 4)
    assert court.seen() == ([[0, 4], [8, 4]], [("v", 1, 4)])


def test_walls_side_by_side_are_no_tint_of_their_row() -> None:
    court = with_pawns(Court(52, 14, (32, 54, 44), (157, 158, 217)))
    laid = [("v", 4, 0), *(("v", 5, col) for col in (3, 5, 6, 7))]
    for wall in laid:
        court.wall(wall, (177, 193, 189), 14)
    assert court.seen() == ([[0, 4], [8, 4]], laid)


def test_goals_tint_rows_of_cells_in_two_tones() -> None:
    court = Court(70, 9, (100, 60, 20), (160, 220, 215))
    for row, col in np.ndindex(9, 9):
        if (row + col) % 2:
            court.fill(row, col, (110, 80, 45))
    court.tint(0, RED)
    court.tint(8, BLUE)
    assert with_pawns(court, (5, 3), (1, 6)).seen() == ([[1, 6], [5, 3]], [])


def test_a_goals_tint_is_no_wall_however_little_it_lies_off_the_bare_grooves() -> None:
    court = Court(60, 11, (20, 33, 60), (12, 21, 38))
    court.box(5, 5, 535, 55, (38, 151, 255), 0.1)
    court.box(5, 485, 535, 535, (255, 60, 80), 0.14)
    court.disc(0, 4, (255, 130, 154), 0.6, alpha=0.03)  # its glow reaches into the grooves beside it
    frame = with_pawns(court).frame
    grid = reader_of(locate(frame, "quoridor")).read(frame).grid
    assert (pawns_in(grid), walls_in(grid), (grid == UNREAD).any()) == ([[8, 4], [0, 4]], [], False)


def test_marks_in_a_row_of_goals_leave_it_one() -> None:
    court = Court(64, 3, WOOD, (70, 40, 20))
    court.tint(0, BLUE)
    court.tint(8, GREEN)
    for row, col in ((0, 3), (0, 5), (1, 4)):
        court.fill(row, col, RED)
        court.disc(row, col, (90, 120, 30), 0.2)
    court.disc(0, 4, BLUE)
    court.disc(8, 4, GREEN)
    laid = [("h", 4, 6), ("v", 2, 0), ("v", 6, 4)]
    for wall in laid:
        court.wall(wall, (160, 160, 160), 8)
    assert court.seen() == ([[0, 4], [8, 4]], laid)


def test_a_wall_is_seen_of_which_the_pointer_hides_one_half() -> None:
    court = with_pawns(Court(40, 10, (95, 105, 95), (160, 170, 158)))
    laid = [("h", 0, 2), ("h", 6, 5), ("v", 5, 0)]
    for wall in laid:
        court.wall(wall, (45, 210, 205), 9)
    court.pointer(40 * 6 + 11, 40 * 7 - 10)
    assert court.seen() == ([[0, 4], [8, 4]], laid)


def test_a_wall_over_cells_that_are_shaded_is_no_note() -> None:
    court = Court(50, 4, (90, 90, 90), (90, 127, 152))
    for row, col in np.ndindex(9, 9):
        for step in range(46):
            top, left = 50 * row + 2 + step, 50 * col + 2
            court.box(left, top, left + 46, top + 1, (90 - step, 90 - step, 88 - step))
    laid = [("h", 3, 6), ("h", 5, 2), ("v", 3, 1), ("v", 4, 4)]
    for wall in laid:
        court.wall(wall, (92, 20, 79), 4)
    court.disc(0, 1, (120, 190, 30))
    court.disc(5, 3, (190, 0, 110))
    assert court.seen() == ([[0, 1], [5, 3]], laid)


def test_a_pawn_of_a_dark_colour_beside_a_black_one_is_no_ghost_of_it() -> None:
    court = Court(48, 14, (178, 194, 180), (227, 237, 209))
    court.disc(5, 4, BLACK)
    court.disc(6, 4, (45, 65, 125))
    for row, col in ((4, 4), (5, 3), (5, 5)):
        court.disc(row, col, BLACK, alpha=0.3)
    court.pointer(48 * 7.2, 48 * 5.2)
    assert court.seen() == ([[5, 4], [6, 4]], [])


def test_something_of_a_pawns_colour_where_it_cannot_go_is_no_pawn_on_its_way() -> None:
    court = with_pawns(Court(47, 11, (250, 140, 230), (180, 95, 165)))
    calibration = locate(court.frame, "quoridor")
    court.disc(3, 1, (195, 40, 45), 0.28)
    assert len(pawns_in(reader_of(calibration).read(court.frame).grid)) == 2
    court.disc(3, 1, (250, 140, 230), 0.31)
    court.disc(1, 4, (195, 40, 45), 0.28)
    grid = reader_of(calibration).read(court.frame).grid
    assert not pawns_in(grid)
    assert (grid == UNREAD).any()


@pytest.mark.parametrize("groove", [1.4, 12])
def test_a_board_is_read_after_each_change_as_if_it_were_seen_for_the_first_time(groove: float) -> None:
    court = with_pawns(Court(50.4, groove, (40, 120, 80), (25, 25, 55)))
    calibration = locate(court.frame, "quoridor")
    reader = reader_of(calibration)
    laid: list[Wall] = []
    at = (8, 4)
    for step in range(8):
        if step % 3 == 1:
            court.fill(*at, (40, 120, 80))
            at = (at[0] - 1, 4)
            court.disc(*at, BLUE)
        elif step:
            laid.append((("h", "v")[step % 2], step, (step * 5) % 8))
            court.wall(laid[-1], WHITE, max(3, groove))
        grid = reader.read(court.frame).grid
        assert (pawns_in(grid), sorted(walls_in(grid))) == ([list(at), [0, 4]], sorted(laid))
        assert np.array_equal(grid, reader_of(calibration).read(court.frame).grid)


def test_what_is_sampled_anew_where_a_picture_changed_is_what_all_of_it_would_be() -> None:
    rng = np.random.default_rng(4)
    court = Court(41.3, 9)
    lattice = locate(with_pawns(court).frame, "quoridor").lattice
    changes, sampler = Changes(Box(90, 70, 300, 290)), PatchSampler(lattice, (0.44, 0.44))
    pixels = court.frame.pixels
    sampler.take(pixels, changes.take(pixels))
    for _ in range(20):
        pixels = pixels.copy()
        (left, right), (top, foot) = np.sort(rng.integers(90, 390, 2)), np.sort(rng.integers(70, 360, 2))
        pixels[top : foot + 1, left : right + 1] ^= rng.integers(0, 2, dtype=np.uint8) * np.uint8(90)
        kept = sampler.take(pixels, changes.take(pixels))
        assert np.array_equal(kept, PatchSampler(lattice, (0.44, 0.44)).take(pixels))


def test_pixels_outside_of_the_part_looked_at_are_no_change() -> None:
    changes, pixels = Changes(Box(10, 20, 30, 40)), np.zeros((100, 90, 3), np.uint8)
    assert changes.take(pixels) is None
    beside: Pixels = pixels.copy()
    beside[:20] = beside[61:] = 255
    assert not changes.take(beside)
    inside = beside.copy()
    inside[30, 15, 2] = 1
    changed = changes.take(inside)
    assert changed
    assert (changed.rows[31] - changed.rows[30], changed.cols[16] - changed.cols[15]) == (1, 1)


def test_pawns_are_known_by_their_colours_among_plainer_marks_of_where_one_may_go() -> None:
    def court(black: tuple[int, int], white: tuple[int, int]) -> Court:
        found = Court(60, 10, (251, 211, 141), WHITE)
        found.disc(*black, (26, 32, 44), 0.25)
        found.disc(*white, WHITE, 0.25)
        return found

    calibration = locate(court((8, 4), (0, 4)).frame, "quoridor")
    later = court((3, 3), (5, 3))
    for row, colour in ((4, (85, 70, 50)), (6, (125, 110, 85))):  # one is lit, and so they are not alike
        later.disc(row, 3, colour, 0.25)
    for wall in (("v", 3, 2), ("v", 5, 2), ("v", 4, 3), ("h", 2, 3)):
        later.wall(wall, (26, 32, 44), 8)
    grid = GrooveReader(calibration, Pixel(0, 0)).read(later.frame).grid
    assert {int(grid[6, 6]), int(grid[10, 6])} == {1, 2}
    assert (int(grid[8, 6]), int(grid[12, 6])) == (0, 0)


@pytest.mark.parametrize("number", [0, 2, 5])
def test_a_pawn_that_shows_on_a_tinted_row_by_its_rim_alone_is_one(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grooves, "RIMMED", 1.0)
    monkeypatch.setattr(grooves, "LETTERED", 0.0)
    picture = draw_picture("quoridor", np.random.default_rng([6, number]))
    frame = frame_of(picture.pixels)
    seen = described(frame, locate(frame, "quoridor"))
    assert sorted(map(tuple, seen["pawns"])) == sorted(tuple(pawn["cell"]) for pawn in picture.truth["pawns"])


def test_walls_may_be_drawn_in_two_pieces_with_bare_groove_between() -> None:
    court = Court(49, 9, ground=BLUE)
    court.disc(1, 4, GREEN)
    court.disc(6, 4, RED)
    walls: list[Wall] = [("h", 3, 6), ("h", 6, 4), ("v", 2, 1)]
    for wall in walls:
        court.split(wall, (190, 140, 80))
    assert court.seen() == ([[1, 4], [6, 4]], walls)


def test_outlines_of_steps_are_no_parts_of_walls_where_some_sides_of_them_fall_beside_thin_lines() -> None:
    court = Court(48, 1, cell=(245, 244, 242), ground=(214, 211, 207))
    court.disc(6, 4, BLUE)
    court.disc(1, 4, GREEN)
    court.wall(("v", 2, 3), (249, 115, 22), 10)
    for row, col in ((5, 4), (6, 3), (6, 5), (7, 4)):
        off = 0.0 if row == 5 else 1.5
        left, top, right, foot = (each * 48 + off for each in (col, row, col + 1, row + 1))
        for box in ((left, top, right, top + 3), (left, foot - 3, right, foot)):
            court.box(*box, (150, 180, 235))
        for box in ((left, top, left + 3, foot), (right - 3, top, right, foot)):
            court.box(*box, (150, 180, 235))
    grid = reader_of(locate(court.frame, "quoridor")).read(court.frame).grid
    assert (UNREAD not in grid, walls_in(grid)) == (True, [("v", 2, 3)])
