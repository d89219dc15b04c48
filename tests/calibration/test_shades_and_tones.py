"""What is drawn on cells beside their colour: slopes, letters, discs, tones, and buttons that cannot be seen."""

from __future__ import annotations

import numpy as np
import pytest

from bench.pictures import draw_picture
from bench.pictures.painted import frame_of, page, painted
from calibration.answer import described
from calibration.board import dump_calibration, load_calibration
from calibration.frame import Pixels
from calibration.locate import locate
from calibration.looks import reader_of
from games import GAMES

PAINTS = {"r": (230, 60, 60), "g": (60, 190, 90), "b": (60, 90, 220), "y": (240, 220, 60), "c": (60, 210, 220)}

Rgb = tuple[int, int, int]


def strewn(side: int, kinds: str, seed: int = 5) -> list[str]:
    return ["".join(line) for line in np.random.default_rng(seed).choice(list(kinds), (side, side))]


def same_partition(seen: list[list[int]], lines: list[str]) -> bool:
    """Whether cells of one letter have one number, and those of different letters different ones."""
    pairs = {
        (kind, number) for line, row in zip(lines, seen, strict=True) for kind, number in zip(line, row, strict=True)
    }
    known = all(number >= 0 for _, number in pairs)
    return known and len(pairs) == len({kind for kind, _ in pairs}) == len({number for _, number in pairs})


def test_cells_whose_colour_slopes_from_dark_to_light_are_cells() -> None:
    lines, pixels = strewn(12, "rgbyc"), page(40)
    slope = np.clip(np.add.outer(np.arange(24), np.arange(24)) / 28 - 0.32, 0, 1)[..., None]
    for row, line in enumerate(lines):
        for col, kind in enumerate(line):
            part = np.s_[60 + 28 * row : 84 + 28 * row, 100 + 28 * col : 124 + 28 * col]
            pixels[59 + 28 * row : 85 + 28 * row, 99 + 28 * col : 125 + 28 * col] = 128
            pixels[part] = (45 + slope * (np.array(PAINTS[kind]) - 45)).astype(np.uint8)
    assert same_partition(described(frame := frame_of(pixels), locate(frame, "flood_it"))["grid"], lines)


def test_a_colour_of_which_one_cell_is_left_is_a_kind() -> None:
    lines = strewn(8, "rgb")
    lines[3] = lines[3][:4] + "p" + lines[3][5:]
    paints = PAINTS | {"p": (255, 110, 110)}
    assert same_partition(
        described(frame := frame_of(painted(page(), lines, paints, 40, 2)), locate(frame, "flood_it"))["grid"], lines
    )


def test_columns_beside_a_line_that_scaling_lost_belong_to_the_board() -> None:
    lines = ["c" * 4 + line[4:] for line in strewn(12, "rgbyc")]
    pixels = painted(page(), lines, PAINTS, 30, 1)
    pixels[60:420, 129:131] = np.where(pixels[60:420, 128:129] == 250, 250, pixels[60:420, 128:129])
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (12, 12)


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_the_vacant_place_between_buttons_is_the_missing_colours(hidden: int) -> None:
    paints = PAINTS | {"c": (250, 250, 250)}
    pixels = painted(page(), strewn(9, "rgbyc"), paints, 40, 2)
    order = [kind for kind in "rgby" if kind != "c"]
    order.insert(hidden, "c")
    for place, kind in enumerate(order):
        pixels[500:540, 120 + 60 * place : 160 + 60 * place] = paints[kind]
    calibration = locate(frame_of(pixels), "flood_it")
    kind = calibration.palette.index((250, 250, 250))
    at = calibration.controls[f"colour:{kind}"]
    assert (abs(at.x - (140 + 60 * hidden)) < 10, abs(at.y - 520) < 10) == (True, True)
    assert not calibration.blocked


def test_cells_shaded_from_top_to_bottom_are_no_walls() -> None:
    lines, pixels = ["rrgbyc", "bygbyc", "bcrrgy", "ycbggy", "ycbrrg", "gbyccb"], page()  # red ones lie side by side
    shade = np.linspace(30, -30, 40)[:, None, None]
    for row, line in enumerate(lines):
        for col, kind in enumerate(line):
            part = np.s_[60 + 40 * row : 100 + 40 * row, 100 + 40 * col : 140 + 40 * col]
            pixels[part] = np.clip(np.array(PAINTS[kind]) + shade, 0, 255).astype(np.uint8)
    calibration = locate(frame_of(pixels), "flood_it")
    assert not calibration.blocked


def letters(pixels: Pixels, row: int, col: int, strokes: list[str]) -> None:
    """White strokes in the middle of a cell of a board of 50 pixels a cell, 10 between."""
    for down, line in enumerate(strokes):
        for across, ink in enumerate(line):
            if ink == "x":
                top, left = 60 + 60 * row + 18 + 2 * down, 100 + 60 * col + 18 + 2 * across
                pixels[top : top + 2, left : left + 2] = 255


def test_pawns_may_be_letters() -> None:
    pixels = page()
    for row in range(9):
        for col in range(9):
            pixels[60 + 60 * row : 110 + 60 * row, 100 + 60 * col : 150 + 60 * col] = 0
    letters(pixels, 8, 3, ["x...x", "x...x", "x.x.x", "xx.xx", "x...x"])
    letters(pixels, 1, 4, ["xxxx.", "x...x", "xxxx.", "x...x", "xxxx."])
    seen = described(frame := frame_of(pixels), locate(frame, "quoridor"))
    assert sorted(seen["pawns"]) == [[1, 4], [8, 3]]


PIECES = [
    "..............", "..a...........", "..aaa.........", "..a..a........", "....aa........", "....aa........",
    "......b.......", ".....bbb......", "......b.......", ".......bb.....", ".......bb.....", ".........c....",
    ".........ccc..", "..........c...",
]  # fmt: skip


def duo(lines: list[str], tone: Rgb) -> Pixels:
    """A lined board of 14 x 14 squares of 32 pixels with pieces: a is purple, b orange, c of that tone."""
    paints = {".": (204, 204, 204), "a": (102, 51, 221), "b": (255, 119, 34), "c": tone}
    pixels = painted(page(), lines, paints, 32)
    for line in range(15):
        pixels[60 + 32 * line - 1 : 60 + 32 * line, 100:548] = 240
        pixels[60:508, 100 + 32 * line - 1 : 100 + 32 * line] = 240
    return pixels


def test_the_piece_laid_last_may_have_another_tone_of_its_players_colour() -> None:
    calibration = locate(frame := frame_of(duo(PIECES, (255, 160, 100))), "blokus")
    assert same_partition(reader_of(calibration).read(frame).grid.tolist(), [line.replace("c", "b") for line in PIECES])
    again = load_calibration(dump_calibration(calibration))
    assert reader_of(again).read(frame).grid.tolist() == reader_of(calibration).read(frame).grid.tolist()


def test_a_tone_that_is_seen_for_the_first_time_while_playing_is_its_players() -> None:
    before = frame_of(duo([line.replace("c", ".") for line in PIECES], (0, 0, 0)))
    reader = reader_of(locate(before, "blokus"))
    grid = reader.read(frame_of(duo(PIECES, (255, 160, 100)))).grid
    assert grid[11, 9] == grid[6, 6] > 0
    assert len(reader.learned().marked) == 1


def test_a_disc_on_a_bare_square_marks_where_a_player_starts() -> None:
    pixels = duo(["." * 14] * 4 + ["....a........."] + ["....aaa......."] + ["." * 14] * 8, (0, 0, 0))
    ys, xs = np.mgrid[0:700, 0:800]
    pixels[np.hypot(xs - 100 - 32 * 9.5, ys - 60 - 32 * 9.5) < 13] = (255, 170, 120)
    calibration = locate(frame := frame_of(pixels), "blokus")
    seen = reader_of(calibration).read(frame).grid
    assert (int(seen[9, 9]), int((seen > 0).sum()), len(calibration.palette)) == (0, 4, 2)


def test_tinted_squares_mark_where_the_players_start() -> None:
    pixels = duo(["." * 14] * 14, (0, 0, 0))
    for row, col, tint in ((0, 0, (150, 170, 215)), (13, 13, (190, 165, 215))):
        pixels[60 + 32 * row : 91 + 32 * row, 100 + 32 * col : 131 + 32 * col] = tint
    calibration = locate(frame := frame_of(pixels), "blokus")
    assert not reader_of(calibration).read(frame).grid.any()
    pixels = pixels.copy()
    for row, col in ((0, 0), (1, 0), (1, 1)):
        pixels[60 + 32 * row : 91 + 32 * row, 100 + 32 * col : 131 + 32 * col] = (60, 110, 240)
    assert np.argwhere(reader_of(calibration).read(frame_of(pixels)).grid).tolist() == [[0, 0], [1, 0], [1, 1]]


def test_a_window_of_the_colour_of_some_cells_is_not_the_board() -> None:
    lines, pixels = strewn(10, "rgby"), page(90, width=800, height=700)
    pixels[30:430, 60:480] = PAINTS["g"]
    painted(pixels, lines, PAINTS, 30, 3)
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (10, 10)


def test_icons_far_from_the_board_are_no_buttons_for_some_of_its_colours() -> None:
    pixels = painted(page(), strewn(9, "rgbyc"), PAINTS, 30, 2)
    for place, kind in enumerate("rgby"):
        pixels[600:640, 120 + 60 * place : 160 + 60 * place] = PAINTS[kind]
    assert not locate(frame_of(pixels), "flood_it").controls


def test_buttons_are_known_late_in_a_game_when_most_colours_are_gone() -> None:
    lines = ["r" * 9] * 7 + ["rrrgrrrrr", "rrrrrrrbr"]
    pixels = painted(page(), lines, PAINTS, 40, 2)
    for place, colour in enumerate([PAINTS["g"], PAINTS["b"], PAINTS["y"], PAINTS["c"], (110, 30, 30)]):  # faded red
        pixels[450:490, 120 + 60 * place : 160 + 60 * place] = colour
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (9, 9)
    assert {f"colour:{kind}" for kind in (1, 2)} <= set(calibration.controls)


def test_cells_filled_where_a_pawn_may_go_are_no_pawns() -> None:
    pixels = page()
    for row in range(9):
        for col in range(9):
            pixels[60 + 60 * row : 110 + 60 * row, 100 + 60 * col : 150 + 60 * col] = (205, 165, 105)
    for row, col in ((2, 2), (4, 2), (3, 1), (3, 3)):
        pixels[60 + 60 * row : 110 + 60 * row, 100 + 60 * col : 150 + 60 * col] = (20, 20, 140)
    ys, xs = np.mgrid[0:700, 0:800]
    for row, col, colour in ((3, 2, (110, 50, 140)), (6, 5, (100, 60, 50))):
        pixels[np.hypot(xs - 125 - 60 * col, ys - 85 - 60 * row) < 16] = colour
    seen = described(frame := frame_of(pixels), locate(frame, "quoridor"))
    assert sorted(seen["pawns"]) == [[3, 2], [6, 5]]


def test_cells_without_a_mark_where_all_others_carry_one_are_none_whatever_faded_button_is_near() -> None:
    lines, pixels = strewn(9, "rgbyw", seed=3), page()
    paints = PAINTS | {"w": (190, 190, 190)}
    painted(pixels, lines, paints, 40, 1)
    for row, line in enumerate(lines):
        for col, kind in enumerate(line):
            if kind != "w":
                pixels[72 + 40 * row : 88 + 40 * row, 112 + 40 * col : 128 + 40 * col] = (30, 30, 30)
    for place, colour in enumerate([PAINTS["r"], (178, 205, 184), PAINTS["b"], PAINTS["y"]]):  # green is faded
        pixels[460:500, 120 + 60 * place : 160 + 60 * place] = colour
    blocked = locate(frame_of(pixels), "flood_it").blocked
    assert blocked == {(row, col) for row, line in enumerate(lines) for col, kind in enumerate(line) if kind == "w"}


def test_no_cells_are_missing_where_some_carry_a_ring_as_their_mark() -> None:
    lines, pixels = strewn(9, "rgby", seed=3), page()
    painted(pixels, lines, PAINTS, 40, 1)
    ys, xs = np.mgrid[0:40, 0:40]
    ring = np.abs(np.hypot(xs - 20, ys - 20) - 9) < 2
    for row, line in enumerate(lines):
        for col, kind in enumerate(line):
            cell = pixels[60 + 40 * row : 100 + 40 * row, 100 + 40 * col : 140 + 40 * col]
            cell[ring if kind == "r" else np.hypot(xs - 20, ys - 20) < 8] = 20
    assert not locate(frame_of(pixels), "flood_it").blocked


def test_what_shows_the_page_between_cells_is_no_cell_though_a_window_covers_some() -> None:
    lines, pixels = strewn(12, "rgbyk", seed=4), page(8)
    painted(pixels, lines, PAINTS | {"k": (8, 8, 8)}, 40, 2)
    pixels[180:420, 220:460] = (165, 212, 220)
    blocked = locate(frame_of(pixels), "flood_it").blocked
    seen = [(row, col) for row in range(12) for col in range(12) if not (3 <= row < 9 and 3 <= col < 9)]
    assert {cell for cell in seen if lines[cell[0]][cell[1]] == "k"} == {cell for cell in blocked if cell in seen}


def test_buttons_are_flat_where_the_cells_of_the_board_are_lighter_and_duller() -> None:
    lines = strewn(9, "rgbyc", seed=6)
    dull = {kind: tuple(60 + round(0.75 * channel) for channel in paint) for kind, paint in PAINTS.items()}
    pixels = painted(page(90), lines, dull, 40, 1)  # type: ignore[arg-type]
    for place, kind in enumerate("rgbyc"):
        pixels[450:490, 120 + 60 * place : 160 + 60 * place] = PAINTS[kind]
    calibration = locate(frame := frame_of(pixels), "flood_it")
    seen = reader_of(calibration).read(frame).grid
    first = {kind: next((r, line.index(kind)) for r, line in enumerate(lines) if kind in line) for kind in "rgbyc"}
    at = {kind: calibration.controls[f"colour:{seen[cell]}"].x for kind, cell in first.items()}
    assert {kind: round((x - 140) / 60) for kind, x in at.items()} == dict(zip("rgbyc", range(5), strict=True))


def test_a_row_of_buttons_at_the_foot_of_a_board_is_none_of_its_rows() -> None:
    lines = ["yyyyppr", "yyyypcr", "yyyppcc", "yyycpyc", "yyppbrc", "yybgpyp", "ygpbpyg"]
    paints = PAINTS | {"p": (128, 0, 128)}
    pixels = painted(page(), lines, paints, 60)
    pixels[480:486, 94:526] = (40, 150, 60)
    for place, kind in enumerate("prybrc"):
        pixels[492:542, 163 + 49 * place : 212 + 49 * place] = paints[kind]
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (7, 7)


def test_a_players_cells_along_the_rim_belong_to_the_board_where_no_others_have_equal_neighbours() -> None:
    lines = ["crbygcb", "bgcbrgr", "gcryobg", "orgcyrb", "gbcyrco", "gyobgyc", "gcrgoby"]
    pixels = painted(page(30), lines, PAINTS | {"o": (240, 140, 60)}, 40)
    calibration = locate(frame_of(pixels), "filler")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (7, 7)


def test_two_kinds_of_one_colour_are_told_by_a_mark_where_all_cells_shine_in_the_middle() -> None:
    lines, pixels = strewn(10, "rgbyR", seed=8), page()
    ys, xs = np.mgrid[0:40, 0:40]
    shine = (90 * np.clip(1 - np.hypot(xs - 20, ys - 20) / 20, 0, 1))[..., None]
    for row, line in enumerate(lines):
        for col, kind in enumerate(line):
            cell = pixels[61 + 40 * row : 99 + 40 * row, 101 + 40 * col : 139 + 40 * col]
            cell[:] = np.clip(np.array(PAINTS[kind.lower()]) // 2 + shine[1:-1, 1:-1], 0, 255).astype(np.uint8)
            if kind == "R":
                cell[15:23, 15:23] = 250
    assert same_partition(described(frame := frame_of(pixels), locate(frame, "flood_it"))["grid"], lines)


def test_one_cell_of_another_hue_is_a_kind_however_near_the_next_colour_lies() -> None:
    lines = strewn(8, "ogb", seed=2)
    lines[3] = lines[3][:4] + "t" + lines[3][5:]
    paints = {"o": (225, 143, 77), "g": (2, 206, 149), "t": (16, 211, 111), "b": (21, 7, 183)}
    pixels = painted(page(), lines, paints, 50, 3)
    assert same_partition(described(frame := frame_of(pixels), locate(frame, "flood_it"))["grid"], lines)


def test_bars_across_the_cells_do_not_halve_them() -> None:
    lines, pixels = strewn(10, "rgbyc", seed=9), page(20)
    painted(pixels, lines, PAINTS, 40, 2)
    for row, line in enumerate(lines):
        for col, kind in enumerate(line):
            ink = tuple(channel // 2 for channel in PAINTS[kind])
            pixels[78 + 40 * row : 82 + 40 * row, 102 + 40 * col : 138 + 40 * col] = ink
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (10, 10)


def test_a_half_flooded_board_without_borders_or_buttons_is_found() -> None:
    greys = {"v": (86, 66, 99), "b": (79, 84, 141), "t": (98, 158, 157), "g": (129, 164, 135), "y": (183, 209, 95)}
    lines = ["v" * 14] * 5 + ["vvvvvvvvvvvtvv", "vvvvvvvvvvvvvv", "vvvvvvyvvvvvyv", "gvvvvvyvvtvvyv", "vgvvtbtvytvvtg"]
    lines += ["tvytbtygtbyvtg", "bytgvbbtyvbtyb", "tbybbvtgtybbgt", "ytbgtbvytbgytb"]
    pixels = painted(page(252), lines, greys, 43)
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (14, 14)


@pytest.mark.parametrize("index", [20, 231])
def test_large_regions_in_a_frame_of_one_breadth_are_divided_into_cells(index: int) -> None:
    picture = draw_picture("flood_it", np.random.default_rng([80041, index, list(GAMES).index("flood_it")]))
    calibration = locate(frame_of(picture.pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (picture.truth["rows"], picture.truth["cols"])
