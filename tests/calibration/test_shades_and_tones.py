"""What is drawn on cells beside their colour: slopes, letters, discs, tones, and buttons that cannot be seen."""

from __future__ import annotations

import numpy as np
import pytest

from bench.pictures import draw_picture
from bench.pictures.marks import bar, mark
from bench.pictures.painted import disc, frame_of, page, painted
from bot.screens.drawn.painter import Face, Lines, Stack
from calibration.answer import described
from calibration.board import dump_calibration, load_calibration
from calibration.canvas import Canvas, Shade
from calibration.frame import Box, Pixels
from calibration.locate import locate
from calibration.looks import reader_of
from games import GAMES
from games.core import UNREAD

PAINTS = {"r": (230, 60, 60), "g": (60, 190, 90), "b": (60, 90, 220), "y": (240, 220, 60), "c": (60, 210, 220)}

Rgb = tuple[int, int, int]


def strewn(side: int, kinds: str, seed: int = 5) -> list[str]:
    return ["".join(line) for line in np.random.default_rng(seed).choice(list(kinds), (side, side))]


def brighter(paint: Rgb, by: int) -> Rgb:
    red, green, blue = (min(255, max(0, channel + by)) for channel in paint)
    return red, green, blue


def same_partition(seen: list[list[int]], lines: list[str]) -> bool:
    """Whether cells of one letter have one number, and those of different letters different ones."""
    pairs = {
        (kind, number) for line, row in zip(lines, seen, strict=True) for kind, number in zip(line, row, strict=True)
    }
    known = all(number >= 0 for _, number in pairs)
    return known and len(pairs) == len({kind for kind, _ in pairs}) == len({number for _, number in pairs})


def test_cells_whose_colour_slopes_from_dark_to_light_are_cells() -> None:
    lines, frame = strewn(12, "rgbyc"), Face((128, 128, 128), 2 / 28)
    sloping = {kind: (frame, Face(Shade((45, 45, 45), paint, "slope"), 4 / 28)) for kind, paint in PAINTS.items()}
    shown = frame_of(painted(page(40), lines, sloping, 28))
    assert same_partition(described(shown, locate(shown, "flood_it"))["grid"], lines)


def test_a_colour_of_which_one_cell_is_left_is_a_kind() -> None:
    lines = strewn(8, "rgb")
    lines[3] = lines[3][:4] + "p" + lines[3][5:]
    paints = PAINTS | {"p": (255, 110, 110)}
    assert same_partition(
        described(frame := frame_of(painted(page(), lines, paints, 40, 2)), locate(frame, "flood_it"))["grid"], lines
    )


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_the_vacant_place_between_buttons_is_the_missing_colours(hidden: int) -> None:
    paints = PAINTS | {"c": (250, 250, 250)}
    pixels = painted(page(), strewn(9, "rgbyc"), paints, 40, 2)
    order = [kind for kind in "rgby" if kind != "c"]
    order.insert(hidden, "c")
    painted(pixels, ["".join(order)], paints, 60, 10, corner=(110, 490))
    calibration = locate(frame_of(pixels), "flood_it")
    kind = calibration.palette.index((250, 250, 250))
    at = calibration.controls[f"colour:{kind}"]
    assert (abs(at.x - (140 + 60 * hidden)) < 10, abs(at.y - 520) < 10) == (True, True)
    assert not calibration.blocked


@pytest.mark.parametrize("alpha", [0.35, 0.6])
def test_a_small_board_is_known_by_its_buttons_where_that_of_the_colour_in_play_is_pale(alpha: float) -> None:
    lines = ["yryy", "gbrg", "bcyg", "ggrc"]
    pixels = painted(page(), lines, PAINTS, 90, 4)
    red, green, blue = (round(250 + alpha * (part - 250)) for part in PAINTS["y"])
    pale = {"y": (red, green, blue)}
    painted(pixels, ["rygbc"], PAINTS | pale, 60, 10, corner=(110, 490))
    seen = described(frame := frame_of(pixels), locate(frame))
    assert seen["game"] == "flood_it"
    assert same_partition(seen["grid"], lines)


def test_pawns_may_be_letters() -> None:
    lines = ["." * 9] * 9
    lines[1], lines[8] = "....B....", "...W....."
    cell = Face((0, 0, 0), 1 / 6)
    kinds = {".": (cell,), **{letter: (cell, mark(letter, (255, 255, 255), 0.35)) for letter in "BW"}}
    pixels = painted(page(), lines, kinds, 60, corner=(95, 55))
    seen = described(frame := frame_of(pixels), locate(frame, "quoridor"))
    assert sorted(seen["pawns"]) == [[1, 4], [8, 3]]


PIECES = [
    "..............", "..a...........", "..aaa.........", "..a..a........", "....aa........", "....aa........",
    "......b.......", ".....bbb......", "......b.......", ".......bb.....", ".......bb.....", ".........c....",
    ".........ccc..", "..........c...",
]  # fmt: skip


BARE = (204, 204, 204)


def duo(lines: list[str], **others: Rgb | Stack) -> Pixels:
    """A lined board of 14 x 14 squares of 32 pixels with pieces: a is purple, b orange, `others` as they are said."""
    kinds = {".": BARE, "a": (102, 51, 221), "b": (255, 119, 34)} | others
    return painted(page(), lines, kinds, 32, ruled=Lines((240, 240, 240)))


def test_the_piece_laid_last_may_have_another_tone_of_its_players_colour() -> None:
    calibration = locate(frame := frame_of(duo(PIECES, c=(255, 160, 100))), "blokus")
    assert same_partition(reader_of(calibration).read(frame).grid.tolist(), [line.replace("c", "b") for line in PIECES])
    again = load_calibration(dump_calibration(calibration))
    assert reader_of(again).read(frame).grid.tolist() == reader_of(calibration).read(frame).grid.tolist()


def test_a_tone_that_is_seen_for_the_first_time_while_playing_is_its_players() -> None:
    before = frame_of(duo([line.replace("c", ".") for line in PIECES]))
    reader = reader_of(locate(before, "blokus"))
    grid = reader.read(frame_of(duo(PIECES, c=(255, 160, 100)))).grid
    assert grid[11, 9] == grid[6, 6] > 0
    assert len(reader.learned().marked) == 1


def test_a_disc_on_a_bare_square_marks_where_a_player_starts() -> None:
    lines = ["." * 14] * 4 + ["....a........."] + ["....aaa......."] + ["." * 14] * 8
    lines[9] = ".........s...."
    pixels = duo(lines, s=(Face(BARE), *disc((255, 170, 120), 13, 32)))
    calibration = locate(frame := frame_of(pixels), "blokus")
    seen = reader_of(calibration).read(frame).grid
    assert (int(seen[9, 9]), int((seen > 0).sum()), len(calibration.palette)) == (0, 4, 2)


def test_tinted_squares_mark_where_the_players_start() -> None:
    tints: dict[str, Rgb] = {"s": (150, 170, 215), "t": (190, 165, 215)}
    calibration = locate(frame := frame_of(duo(["s" + "." * 13, *["." * 14] * 12, "." * 13 + "t"], **tints)), "blokus")
    assert not reader_of(calibration).read(frame).grid.any()
    played = duo(["p" + "." * 13, "pp" + "." * 12, *["." * 14] * 11, "." * 13 + "t"], **tints, p=(60, 110, 240))
    assert np.argwhere(reader_of(calibration).read(frame_of(played)).grid).tolist() == [[0, 0], [1, 0], [1, 1]]


def test_a_first_piece_of_one_square_is_seen_where_players_start_and_nowhere_else() -> None:
    calibration = locate(frame_of(duo(["." * 14] * 14)), "blokus")
    begun = ["a" + "." * 13, "aaa" + "." * 11, *["." * 14] * 11, "." * 13 + "p"]
    paints: dict[str, Rgb] = {"a": (60, 110, 240), "p": (240, 170, 60)}
    assert reader_of(calibration).read(frame_of(duo(begun, **paints))).grid[13, 13] == 2
    begun[12:] = ["." * 4 + "p" + "." * 9, "." * 14]
    assert reader_of(calibration).read(frame_of(duo(begun, **paints))).grid[12, 4] == UNREAD


def test_a_window_of_the_colour_of_some_cells_is_not_the_board() -> None:
    lines, pixels = strewn(10, "rgby"), page(90, width=800, height=700)
    Canvas(pixels).fill(Box(60, 30, 420, 400), PAINTS["g"])
    painted(pixels, lines, PAINTS, 30, 3)
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (10, 10)


def test_buttons_are_known_late_in_a_game_when_most_colours_are_gone() -> None:
    lines = ["r" * 9] * 7 + ["rrrgrrrrr", "rrrrrrrbr"]
    pixels = painted(page(), lines, PAINTS, 40, 2)
    painted(pixels, ["gbycr"], PAINTS | {"r": (110, 30, 30)}, 60, 10, corner=(110, 440))  # red is faded
    calibration = locate(frame_of(pixels), "flood_it")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (9, 9)
    assert {f"colour:{kind}" for kind in (1, 2)} <= set(calibration.controls)


def test_cells_filled_where_a_pawn_may_go_are_no_pawns() -> None:
    lines = ["." * 9] * 2 + ["..m......", ".m1m.....", "..m......", "." * 9, ".....2..."] + ["." * 9] * 2
    cell, filled = Face((205, 165, 105), 1 / 6), Face((20, 20, 140), 1 / 6)
    pawns = {"1": (cell, *disc((110, 50, 140), 16, 60)), "2": (cell, *disc((100, 60, 50), 16, 60))}
    pixels = painted(page(), lines, {".": (cell,), "m": (filled,)} | pawns, 60, corner=(95, 55))
    seen = described(frame := frame_of(pixels), locate(frame, "quoridor"))
    assert sorted(seen["pawns"]) == [[3, 2], [6, 5]]


def test_buttons_are_flat_where_the_cells_of_the_board_are_lighter_and_duller() -> None:
    lines = strewn(9, "rgbyc", seed=6)
    dull = {kind: tuple(60 + round(0.75 * channel) for channel in paint) for kind, paint in PAINTS.items()}
    pixels = painted(page(90), lines, dull, 40, 1)  # type: ignore[arg-type]
    painted(pixels, ["rgbyc"], PAINTS, 60, 10, corner=(110, 440))
    calibration = locate(frame := frame_of(pixels), "flood_it")
    seen = reader_of(calibration).read(frame).grid
    first = {kind: next((r, line.index(kind)) for r, line in enumerate(lines) if kind in line) for kind in "rgbyc"}
    at = {kind: calibration.controls[f"colour:{seen[cell]}"].x for kind, cell in first.items()}
    assert {kind: round((x - 140) / 60) for kind, x in at.items()} == dict(zip("rgbyc", range(5), strict=True))


def test_two_kinds_of_one_colour_are_told_by_a_mark_where_all_cells_shine_in_the_middle() -> None:
    lines, kinds = strewn(10, "rgbyR", seed=8), dict[str, Stack]()
    for kind, (red, green, blue) in PAINTS.items():
        dull = red // 2, green // 2, blue // 2
        kinds[kind] = (Face(Shade(brighter(dull, 90), dull, "round"), 0.05),)
    kinds["R"] = (*kinds["r"], Face((250, 250, 250), 0.8))
    pixels = painted(page(), lines, kinds, 40)
    assert same_partition(described(frame := frame_of(pixels), locate(frame, "flood_it"))["grid"], lines)


def test_one_cell_of_another_hue_is_a_kind_however_near_the_next_colour_lies() -> None:
    lines = strewn(8, "ogb", seed=2)
    lines[3] = lines[3][:4] + "t" + lines[3][5:]
    paints = {"o": (225, 143, 77), "g": (2, 206, 149), "t": (16, 211, 111), "b": (21, 7, 183)}
    pixels = painted(page(), lines, paints, 50, 3)
    assert same_partition(described(frame := frame_of(pixels), locate(frame, "flood_it"))["grid"], lines)


def test_bars_across_the_cells_do_not_halve_them() -> None:
    kinds = {
        kind: (Face((red, green, blue), 0.1), Face((red // 2, green // 2, blue // 2), 0.1, form=bar(1 / 9)))
        for kind, (red, green, blue) in PAINTS.items()
    }
    pixels = painted(page(20), strewn(10, "rgbyc", seed=9), kinds, 40)
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
