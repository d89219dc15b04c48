"""Controls that did not show at first are found later, when the board shows fewer colours than it had."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from bench.pictures.painted import frame_of, painted
from bot.ports import FakeClock
from bot.screens.drawn.desktop import find_skin
from bot.screens.drawn.screen import DrawnScreen
from calibration.answer import answer
from calibration.board import Colour
from calibration.canvas import Canvas
from calibration.frame import Box, Frame, Rect
from calibration.locate import find_controls, locate
from games import find_game
from games.core import Cell, Options

LATE = "000000/000000/000011/002211 1"
"""Colours 3, 4 and 5 have gone from the board."""


def faded(screen: DrawnScreen, colours: set[int]) -> Frame:
    """What the screen shows, with the buttons of `colours` nearly in the page's colour."""
    frame = screen.grab()
    pixels, page = frame.pixels.astype(np.float64), np.array(find_skin("classic").page)
    assert screen.layout is not None
    for colour in colours:
        x, y, width, height = (round(side) for side in screen.layout.controls[f"colour:{colour}"])
        part = np.s_[y : y + height, x : x + width]
        pixels[part] += (page - pixels[part]) * 0.7
    return Frame(pixels.astype(np.uint8), frame.region)


def test_a_button_that_had_faded_is_found_though_colours_have_gone_from_the_board():
    game = find_game("filler")
    state = game.parse(LATE, Options(colours=6))
    screen = DrawnScreen(game, state, clock=FakeClock(), monitors=(Rect(0, 0, 700, 700),))
    known = screen.calibration()
    found = find_controls(faded(screen, {0, 1}), known)
    assert found.keys() == {f"colour:{colour}" for colour in (2, 3, 4, 5)}
    for name, at in found.items():
        assert np.hypot(at.x - known.controls[name].x, at.y - known.controls[name].y) < 2


def test_what_opens_over_a_button_and_is_parted_by_a_word_is_no_button():
    game = find_game("filler")
    state = game.parse("012345/123450/234501/345012 1", Options(colours=6))
    screen = DrawnScreen(game, state, clock=FakeClock(), monitors=(Rect(0, 0, 700, 700),))
    known, frame = screen.calibration(), screen.grab()
    assert screen.layout is not None
    x, y, side, _ = (round(each) for each in screen.layout.controls["colour:2"])
    middle = y + side // 2
    frame.pixels[middle - side - 5 : middle + side + 5, x - 1 : x + side + 1] = np.add(known.palette[2], 16)
    frame.pixels[middle - 3 : middle + 3, x - 1 : x + side + 1] = 255
    found = find_controls(frame, known)
    assert len(found) >= 5
    for name, at in found.items():
        assert np.hypot(at.x - known.controls[name].x, at.y - known.controls[name].y) < 2, name


@pytest.mark.parametrize("seed", [1, 4])
def test_the_ends_of_lines_between_cells_are_no_words_over_the_buttons_close_by(seed: int) -> None:
    colours = [(255, 107, 157), (255, 138, 71), (255, 209, 102), (6, 214, 160), (0, 229, 255), (168, 85, 247)]
    letters, pixels = "abcdef", np.full((900, 1280, 3), (15, 10, 28), np.uint8)
    lines = ["".join(line) for line in np.random.default_rng(seed).choice(list(letters), (14, 14))]
    painted(pixels, lines, dict(zip(letters, colours, strict=True)), 352 / 14, 0.5, corner=(464.2, 208.2))
    canvas = Canvas(pixels)
    for number, colour in enumerate(colours):
        canvas.fill(Box(488 + 52 * number, 571, 44, 44), colour)
    assert len(locate(frame_of(pixels), "flood_it").controls) == 6


def start_of_filler() -> DrawnScreen:
    """A drawn screen of 144 cells in six colours."""
    game = find_game("filler")
    rows = ["".join(str((row + col + row * col % 5) % 6) for col in range(12)) for row in range(12)]
    return DrawnScreen(
        game, game.parse("/".join(rows) + " 1", Options(colours=6)), clock=FakeClock(), monitors=(Rect(0, 0, 700, 700),)
    )


@pytest.mark.parametrize("pale", [{0, 4}, {0, 1, 2, 3, 5}])
def test_buttons_that_have_faded_are_told_as_disabled_and_are_none_to_press(pale: set[int]) -> None:
    screen = start_of_filler()
    seen = locate(faded(screen, pale), "filler")
    own = {seen.palette.index(colour): number for number, colour in enumerate(find_skin("classic").palette[:6])}
    assert {own[int(name.partition(":")[2])] for name in seen.disabled} == pale
    assert {own[int(name.partition(":")[2])] for name in seen.controls} == set(range(6)) - pale


@pytest.mark.parametrize(("shown", "side", "found"), [({1, 2}, 48, True), ({3, 5}, 48, False), ({1, 2}, 14, False)])
def test_two_buttons_of_many_are_told_by_the_colours_beside_a_corner(shown: set[int], side: int, found: bool) -> None:
    """As where the players' cells have colours of their own, and only what lies beside them has a button."""
    skin = find_skin("classic")
    rows = [[(row + col + row * col % 5) % 6 for col in range(12)] for row in range(12)]
    rows[0][0], rows[1][0], rows[11][11] = 6, 2, 7
    pixels = np.full((700, 600, 3), skin.page, dtype=np.uint8)
    for row, col in np.ndindex(12, 12):
        pixels[30 + 44 * row : 73 + 44 * row, 30 + 44 * col : 73 + 44 * col] = skin.palette[rows[row][col]]
    for number, colour in enumerate(shown):
        left = 200 + 60 * number
        pixels[580 : 580 + side, left : left + side] = skin.palette[colour]
    seen = locate(Frame(pixels, Rect(0, 0, 600, 700)), "filler")
    names = {f"colour:{seen.palette.index(skin.palette[colour])}" for colour in shown}
    assert set(seen.controls) == (names if found else set())


@pytest.mark.parametrize("columns", [2, 3])
def test_buttons_in_a_grid_beside_the_board_are_found_however_it_lies(columns: int) -> None:
    skin, (left, top) = find_skin("classic"), (160, 80)
    pixels = np.full((640, 720, 3), skin.page, dtype=np.uint8)
    for row, col in np.ndindex(14, 14):
        x, y = left + 32 * col, top + 32 * row
        pixels[y : y + 32, x : x + 32] = skin.palette[(row + col + row * col % 5) % 6]
    for number in range(6):
        x, y = 20 + 41 * (number % columns), 95 + 41 * (number // columns)
        pixels[y : y + 36, x : x + 36] = skin.palette[number]
    seen = locate(Frame(pixels, Rect(0, 0, 720, 640)), "flood_it")
    assert len(seen.controls) == 6


def test_a_faded_button_is_told_though_it_is_nearest_to_a_colour_that_has_no_button() -> None:
    """As where the players' cells have colours of their own, and one colour alone may be played."""
    game, skin = find_game("filler"), find_skin("classic")
    rows = [[(row + col + row * col % 5) % 6 for col in range(12)] for row in range(12)]
    rows[0][0], rows[11][11] = 6, 7
    state = game.parse("/".join("".join(map(str, row)) for row in rows) + " 1", Options(colours=8))
    screen = DrawnScreen(game, state, clock=FakeClock(), monitors=(Rect(0, 0, 700, 700),))
    frame = faded(screen, {0, 2, 3, 4, 5})
    assert screen.layout is not None
    for owner in (6, 7):
        x, y, width, height = (round(side) for side in screen.layout.controls[f"colour:{owner}"])
        frame.pixels[y : y + height, x : x + width] = skin.page
    seen = locate(frame, "filler")
    own = {skin.palette.index(colour): kind for kind, colour in enumerate(seen.palette)}
    assert seen.controls.keys() == {f"colour:{own[1]}"}
    assert set(seen.disabled) == {f"colour:{own[each]}" for each in (0, 2, 3, 4, 5)}


def test_a_sign_on_a_few_cells_of_several_colours_makes_no_further_kinds():
    screen = start_of_filler()
    frame, known = screen.grab(), screen.calibration()
    for row, col in ((0, 1), (2, 5), (5, 8), (9, 4), (4, 0), (7, 2), (11, 6), (1, 9), (6, 6), (8, 10), (3, 3), (10, 7)):
        x, y = known.lattice.centre(Cell(row, col))
        Canvas(frame.pixels).disc(x, y, 0.16 * known.lattice.pitch[0], (255, 255, 255))
    assert len(locate(frame, "filler").palette) == 6


@pytest.mark.parametrize(
    ("board", "blocked"),
    [("01.2./1.133/..021/13123/0..2.", 8), ("00022/10302/33020/11301/10133", 0)],
    ids=["with obstacles", "with few neighbours alike"],
)
def test_a_small_board_is_told_by_a_button_in_each_colour_that_can_be_played(board: str, blocked: int) -> None:
    game = find_game("flood_it")
    state = game.parse(board, Options(colours=4))
    screen = DrawnScreen(game, state, clock=FakeClock(), monitors=(Rect(0, 0, 700, 700),))
    found = locate(screen.grab())
    assert (found.game, len(found.blocked), len(found.controls)) == ("flood_it", blocked, 4)


def test_obstacles_show_what_lies_between_cells_though_they_lie_at_most_corners_of_these() -> None:
    skin, page = find_skin("classic"), np.full((700, 700, 3), (244, 241, 234), np.uint8)
    page[54:426, 54:426] = 255
    for row, kinds in enumerate((".1.51", "30.12", "1243.", ".0243", "..00.")):
        for col, kind in enumerate(kinds):
            if kind != ".":
                page[62 + 72 * row : 130 + 72 * row, 62 + 72 * col : 130 + 72 * col] = skin.palette[int(kind)]
    for kind in range(6):
        page[500:548, 66 + 60 * kind : 114 + 60 * kind] = skin.palette[kind]
    found = locate(Frame(page, Rect(0, 0, 700, 700)), "flood_it")
    assert (len(found.blocked), len(found.controls)) == (8, 6)


@pytest.mark.parametrize(("shade", "told"), [((0, 128, 0), True), ((110, 110, 40), False)])
def test_a_button_in_another_shade_of_its_colour_is_told_by_the_others(*, shade: Colour, told: bool) -> None:
    palette = ((0, 255, 0), (150, 30, 30), (255, 0, 0), (255, 255, 0), (0, 0, 255))
    page, rng = np.full((700, 700, 3), 255, np.uint8), np.random.default_rng(3)
    for row, col in np.ndindex(10, 10):
        page[40 + 50 * row : 88 + 50 * row, 40 + 50 * col : 88 + 50 * col] = palette[rng.integers(5)]
    for number, colour in enumerate((shade, *palette[1:])):
        page[580:620, 60 + 60 * number : 108 + 60 * number] = colour
    found = locate(Frame(page, Rect(0, 0, 700, 700)), "flood_it")
    lime = f"colour:{found.palette.index((0, 255, 0))}"
    assert (lime in found.controls and found.controls[lime].x < 110) == told


@pytest.mark.parametrize(("signs", "blocked"), [(True, 8), (False, 0)])
def test_dull_cells_that_alone_bear_signs_are_obstacles_though_one_lies_where_a_flood_begins(
    *, signs: bool, blocked: int
) -> None:
    skin, page = find_skin("classic"), np.full((700, 700, 3), (244, 241, 234), np.uint8)
    page[54:498, 54:498] = (51, 54, 63)
    for row, kinds in enumerate((".1000.", "014.33", ".0.1..", "034310", "340.00", "151311")):
        for col, kind in enumerate(kinds):
            x, y = 62 + 72 * col, 62 + 72 * row
            page[y : y + 68, x : x + 68] = (92, 96, 104) if kind == "." else skin.palette[int(kind)]
            if signs and kind == ".":
                page[y + 22 : y + 46, x + 22 : x + 46] = (235, 235, 235)
    for number, kind in enumerate((0, 1, 3, 4, 5)):
        page[540:588, 66 + 60 * number : 114 + 60 * number] = skin.palette[kind]
    found = locate(Frame(page, Rect(0, 0, 700, 700)), "flood_it")
    assert (len(found.blocked), len(found.controls)) == (blocked, 5)


@pytest.mark.parametrize(
    ("grey", "flooded", "blocked"), [((92, 96, 104), 0, 3), ((150, 60, 170), 0, 0), ((92, 96, 104), 4, 0)]
)
def test_a_dull_colour_of_which_far_too_little_is_dealt_is_of_obstacles_where_no_buttons_are(
    grey: Colour, flooded: int, blocked: int
) -> None:
    rows = ("33113420", "00142313", "21111220", "03211142", "22200100", "20020001", "02130031", "10101301")
    rows = tuple("3" * flooded + row[flooded:] if number < flooded else row for number, row in enumerate(rows))
    palette = ((45, 110, 210), (215, 65, 45), (70, 165, 75), (240, 200, 50), grey)
    pixels = np.full((700, 700, 3), 240, np.uint8)
    for row, kinds in enumerate(rows):
        for col, kind in enumerate(kinds):
            pixels[60 + 72 * row : 130 + 72 * row, 60 + 72 * col : 130 + 72 * col] = palette[int(kind)]
    found = locate(Frame(pixels, Rect(0, 0, 700, 700)), "flood_it")
    assert not found.controls
    assert len(found.blocked) == blocked


def test_the_games_that_a_picture_leaves_open_are_both_named():
    frame = start_of_filler().grab()
    told = answer(frame)
    assert (told["game"], told["or"]) == ("flood_it", ["filler"])
    assert "or" not in answer(frame, "filler")


def test_the_sides_beyond_which_a_board_may_go_on_are_told():
    frame = start_of_filler().grab()
    assert "cut" not in answer(frame, "filler")
    *_, (last, _), (beyond, _) = answer(frame, "filler")["cells"][0]
    right = round(last + (beyond - last) / 4)
    part = Frame(np.ascontiguousarray(frame.pixels[:, :right]), Rect(0, 0, right, frame.pixels.shape[0]))
    assert answer(part, "filler")["cut"] == ["right"]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_none_is_found_where_marks_show_and_no_colour_of_the_board():
    game = find_game("flood_it")
    screen = DrawnScreen(game, game.deal(np.random.default_rng(1)))
    known, frame = screen.calibration(), screen.grab()
    pixels = np.full_like(frame.pixels, 250)
    for row, col in np.ndindex(known.lattice.rows, known.lattice.cols):
        if (row + col) % 2:
            x, y = known.lattice.centre(Cell(row, col))
            cv2.circle(pixels, (round(x), round(y)), 6, (0, 0, 0), -1)
    assert find_controls(replace(frame, pixels=pixels), known) == {}


@pytest.mark.parametrize("seed", [0, 4, 5])
def test_the_cells_of_a_row_that_the_window_cuts_off_are_no_buttons(seed: int) -> None:
    kinds = [(63, 81, 181), (96, 125, 139), (0, 150, 136), (255, 235, 59), (255, 87, 34), (156, 39, 176), (233, 30, 99)]
    board = np.array(kinds, dtype=np.uint8)[np.random.default_rng(seed).integers(len(kinds), size=(15, 20))]
    picture = np.full((800, 1280, 3), (40, 46, 54), dtype=np.uint8)
    picture[216:796, 232:1032] = board.repeat(40, axis=0).repeat(40, axis=1)[:580]
    found = locate(Frame(picture, Rect(0, 0, 1280, 800)), game="filler")
    assert (found.lattice.rows, found.lattice.cols, dict(found.controls)) == (14, 20, {})
