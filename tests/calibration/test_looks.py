"""Boards of Connect Four, Blokus and Quoridor are found and read in drawn screenshots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.pictures import draw_picture
from bench.pictures.judge import STAGES, judge
from bench.pictures.marks import mark
from bench.pictures.painted import disc, frame_of, page, painted
from bot.screens.drawn.painter import Lines, Rim
from calibration.answer import described
from calibration.board import Colour, dump_calibration, load_calibration
from calibration.canvas import Canvas
from calibration.check import check
from calibration.frame import Box, Frame, Pixels
from calibration.locate import BoardNotFoundError, locate
from calibration.looks import reader_of
from games.core import UNREAD

SEEDS = range(8)


def drawn(game: str, seed: int) -> tuple[Frame, dict[str, Any]]:
    picture = draw_picture(game, np.random.default_rng([seed, 73]))
    return frame_of(picture.pixels), picture.truth


def well_read(game: str, seed: int) -> bool:
    frame, truth = drawn(game, seed)
    try:
        return judge(truth, described(frame, locate(frame, game)))[0] == len(STAGES) - 1
    except BoardNotFoundError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect_four", "blokus", "quoridor"])
def test_at_least_six_of_eight_drawn_boards_are_read_without_a_flaw(game: str) -> None:
    assert sum(well_read(game, seed) for seed in SEEDS) >= 6


def board_of_discs(grid: list[str], *, hole: Colour = (240, 240, 240)) -> Pixels:
    """A blue frame with round holes; o yellow, x red."""
    paints = {".": hole, "o": (250, 210, 30), "x": (210, 30, 40)}
    kinds = {kind: disc(paint, 24, 60) for kind, paint in paints.items()}
    return painted(page(240, width=640, height=480), grid, kinds, 60, rim=Rim((20, 70, 190)))


EMPTY = ["......."] * 6


def test_pieces_that_an_empty_board_did_not_show_are_learnt_in_the_order_in_which_they_come() -> None:
    reader = reader_of(locate(frame_of(board_of_discs(EMPTY)), "connect_four"))
    first = reader.read(frame_of(board_of_discs([*EMPTY[:5], "...x..."])))
    second = reader.read(frame_of(board_of_discs([*EMPTY[:5], "..ox..."])))
    assert first.grid[5].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert second.grid[5].tolist() == [0, 0, 2, 1, 0, 0, 0]


def test_a_disc_of_nearly_the_hue_of_the_one_that_is_known_is_another_players_once_both_lie_there() -> None:
    def shown(*played: str) -> Frame:
        paints = {".": (1, 4, 14), "o": (252, 178, 115), "x": (247, 221, 133), "d": (214, 146, 90)}
        kinds = {kind: disc(paint, 24, 60) for kind, paint in paints.items()}
        grid = [*EMPTY[len(played) :], *played]
        return frame_of(painted(page(240, width=640, height=480), grid, kinds, 60, rim=Rim((20, 50, 150))))

    first = reader_of(locate(shown(), "connect_four"))
    assert first.read(shown("...o...")).grid[5, 3] == 1
    known = first.learned()
    assert reader_of(known).read(shown("...x...", "...o...")).grid[4:, 3].tolist() == [2, 1]
    assert reader_of(known).read(shown("...d...", "...o...")).grid[4:, 3].tolist() == [1, 1]  # it is only darker


@pytest.mark.parametrize("shade", [0.1, 0.05])
def test_a_frame_that_is_shaded_until_it_looks_like_its_holes_hides_none(shade: float) -> None:
    pixels = board_of_discs(EMPTY, hole=(6, 8, 18)).astype(np.float32)
    slope = np.linspace(1, shade, 360, dtype=np.float32)[:, None, None]
    pixels[60:420] = np.where(
        (pixels[60:420] == (20, 70, 190)).all(axis=2, keepdims=True), pixels[60:420] * slope, pixels[60:420]
    )
    frame = frame_of(pixels.astype(np.uint8))
    assert not reader_of(locate(frame, "connect_four")).read(frame).grid.any()


def test_a_disc_of_which_a_corner_shows_beside_a_note_is_told_by_that_corner_and_not_by_the_note() -> None:
    pixels = board_of_discs([*EMPTY[:3], "......x", "o.....x", "oo....x"])
    reader = reader_of(locate(frame_of(pixels), "connect_four"))
    pixels = pixels.copy()
    Canvas(pixels).fill(Box(478, 378, 162, 102), (255, 248, 215))
    assert reader.read(frame_of(pixels)).grid[5].tolist()[:6] == [2, 2, 0, 0, 0, 0]
    assert reader.read(frame_of(pixels)).grid[5, 6] == 1
    pixels = pixels.copy()
    Canvas(pixels).fill(Box(462, 362, 178, 118), (255, 248, 215))
    assert reader.read(frame_of(pixels)).grid[5, 6] == UNREAD


def test_a_page_of_the_colour_of_empty_places_is_neither_them_nor_their_board() -> None:
    calibration = locate(frame_of(board_of_discs(EMPTY)), "connect_four")
    blank = frame_of(page(240, width=640, height=480))
    assert (reader_of(calibration).read(blank).grid == UNREAD).all()
    assert check(blank, calibration).verdict == "gone"
    noted = board_of_discs(EMPTY)
    Canvas(noted).fill(Box(330, 100, 270, 200), (240, 240, 240))
    grid = reader_of(calibration).read(frame_of(noted)).grid
    assert (grid[1:3, 4:] == UNREAD).all()
    assert not grid[4:].any()
    assert not grid[:, :3].any()


@pytest.mark.parametrize("off", [0.0, -0.5])
def test_holes_are_found_that_thin_outlines_alone_tell_from_a_pale_board(off: float) -> None:
    pixels = page(255, width=1280, height=900).astype(float)
    pixels[295:713, 416:902] = 240, 242, 245
    down, across = np.mgrid[:900, :1280]
    for row, col in np.ndindex(6, 7):
        away = np.hypot(across - 458 - 67 * col - off, down - 336 - 67 * row - off)
        for radius, paint in ((31, (209, 216, 223)), (30, (246, 248, 250))):
            cover = np.clip(radius + 0.5 - away, 0, 1)[..., None]
            pixels += cover * (paint - pixels)
    found = locate(frame_of(pixels.round().astype(np.uint8)))
    assert (found.game, found.lattice.rows, found.lattice.cols) == ("connect_four", 6, 7)


def test_a_calibration_with_faces_comes_back_from_toml() -> None:
    calibration = locate(frame_of(board_of_discs([*EMPTY[:4], "...o...", "..oxx.."])), "connect_four")
    assert load_calibration(dump_calibration(calibration)) == calibration


def board_of_signs(grid: list[str]) -> Pixels:
    """Dashed lines on white in a window that is hardly darker, a row for the next piece on top; rings and crosses."""
    pixels = page(40, width=800, height=700)
    canvas = Canvas(pixels)
    canvas.fill(Box(62, 50, 675, 550), (246, 246, 246))
    canvas.fill(Box(140, 66, 518, 518), (255, 255, 255))
    black = (0, 0, 0)
    signs = {"o": (mark("ring", black, 0.8),), "x": (mark("cross", black, 0.75),)}
    dashed = Lines(black, dash=4.5, outer=False)
    return painted(pixels, grid, signs, 74, corner=(140, 66), ruled=dashed)


@pytest.mark.parametrize("played", ["....o..", "....x.."])
def test_a_board_of_dashed_lines_is_no_larger_one_of_its_window(played: str) -> None:
    calibration = locate(frame_of(board_of_signs(["...o...", *EMPTY[1:], played])), "connect_four")
    assert (calibration.lattice.rows, calibration.lattice.cols) == (6, 7)
    assert calibration.lattice.pitch == pytest.approx((74, 74), abs=0.2)


@pytest.mark.parametrize("order", ["ox", "xo"])
def test_a_cross_is_no_ring_with_a_mark(order: str) -> None:
    first, second = order
    one = frame_of(board_of_signs([f"...{second}...", *EMPTY[1:], f"...{first}..."]))
    two = frame_of(board_of_signs([f"...{first}...", *EMPTY[1:], f"...{first}{second}.."]))
    reader = reader_of(locate(frame_of(board_of_signs([f"...{first}...", *EMPTY])), "connect_four"))
    reader.read(one)
    reader = reader_of(reader.learned())
    assert reader.read(two).grid[5].tolist() == [0, 0, 0, 1, 2, 0, 0]


def dark_board(grid: list[str]) -> Pixels:
    """Dark holes on a dark page; capitals mark the last disc with a bright rim."""
    paints = {"x": (210, 65, 60), "o": (225, 180, 60), ".": (13, 16, 23)}
    kinds = {kind: disc(paint, 28, 72) for kind, paint in paints.items()}
    kinds |= {kind.upper(): (*disc((255, 248, 230), 28, 72), *disc(paints[kind], 25, 72)) for kind in "xo"}
    return painted(page(24, width=740, height=600), grid, kinds, 72, rim=Rim((34, 49, 79)))


@pytest.mark.parametrize("order", ["xO", "Xo", "oX", "Ox", "ox", "xo"])
def test_the_second_colour_is_none_of_the_first_whichever_of_them_is_marked(order: str) -> None:
    reader = reader_of(locate(frame_of(dark_board(EMPTY)), "connect_four"))
    reader.read(frame_of(dark_board([*EMPTY[:5], f"...{order[0]}..."])))
    reader = reader_of(reader.learned())
    grid = reader.read(frame_of(dark_board([*EMPTY[:5], f"..{order[1]}{order[0].lower()}..."]))).grid
    assert grid[5].tolist() == [0, 0, 2, 1, 0, 0, 0]


@pytest.mark.parametrize("order", ["xX", "Xx", "oO", "Oo"])
def test_a_marked_disc_is_none_of_another_player(order: str) -> None:
    reader = reader_of(locate(frame_of(dark_board(EMPTY)), "connect_four"))
    reader.read(frame_of(dark_board([*EMPTY[:5], f"...{order[0]}..."])))
    grid = reader.read(frame_of(dark_board([*EMPTY[:5], f"..{order[1]}{order[0].lower()}..."]))).grid
    assert grid[5].tolist() == [0, 0, 1, 1, 0, 0, 0]


def test_a_disc_that_shines_through_is_another_players_where_it_has_not_the_known_colour() -> None:
    def board(grid: list[str]) -> Frame:
        colours = {"x": (198, 38, 46), "o": (112, 114, 119), ".": (244, 241, 234)}
        kinds = {name: disc(paint, 24, 60) for name, paint in colours.items()}
        return frame_of(painted(page(240, width=640, height=480), grid, kinds, 60, rim=Rim((20, 70, 190))))

    reader = reader_of(locate(board([*EMPTY[:5], "..x...."]), "connect_four"))
    assert reader.read(board([*EMPTY[:5], "..xo..."])).grid[5].tolist() == [0, 0, 1, 2, 0, 0, 0]


@pytest.mark.parametrize("order", ["xo", "ox"])
@pytest.mark.parametrize(
    ("colours", "board_colour"),
    [
        ({"x": (239, 86, 90), "o": (248, 205, 75), ".": (10, 13, 18)}, (30, 58, 110)),
        ({"x": (124, 63, 19), "o": (32, 124, 32), ".": (245, 245, 245)}, (18, 18, 18)),
    ],
    ids=["light red and yellow in black holes", "brown and green in white ones"],
)
def test_the_first_discs_of_both_players_in_one_repaint_are_told_apart(
    colours: dict[str, Any], board_colour: Any, order: str
) -> None:
    def board(grid: list[str]) -> Frame:
        kinds = {name: disc(paint, 25, 60) for name, paint in colours.items()}
        return frame_of(painted(page(240, width=640, height=480), grid, kinds, 60, rim=Rim(board_colour)))

    first, second = order
    reader = reader_of(locate(board([*EMPTY[:5], f"...{first}..."]), "connect_four"))
    last = [*EMPTY[:3], *(f"...{kind}..." for kind in (first, second, first))]
    assert reader.read(board(last)).grid[3:, 3].tolist() == [1, 2, 1]


def test_every_column_of_connect_four_can_be_clicked() -> None:
    calibration = locate(frame_of(board_of_discs(EMPTY)), "connect_four")
    assert [round(calibration.controls[f"column:{col}"].x) for col in range(7)] == [130 + 60 * col for col in range(7)]


@pytest.mark.parametrize("words", [False, True])
def test_above_the_columns_is_clicked_only_where_nothing_is_seen_there(*, words: bool) -> None:
    """A row for dropping discs may have the page's colour; words on a page may be a button's."""
    alone = board_of_discs(EMPTY)
    if words:
        Canvas(alone).text(310, 30, "New game", 20, (20, 20, 20), anchor="middle")
    assert ("above:0" in locate(frame_of(alone), "connect_four").controls) != words


def test_a_grid_with_grooves_has_two_places_a_cell_less_one() -> None:
    frame, truth = drawn("quoridor", 0)
    observation = reader_of(locate(frame, "quoridor")).read(frame)
    assert observation.grid.shape == (2 * truth["rows"] - 1, 2 * truth["cols"] - 1)
    assert int((observation.grid[::2, ::2] > 0).sum()) == 2


def test_a_bare_square_field_is_a_fresh_blokus_board_only_where_blokus_was_asked_for() -> None:
    pixels = page(225, width=640, height=480)
    Canvas(pixels).fill(Box(120, 40, 392, 392), (212, 212, 150))
    assert locate(frame_of(pixels), "blokus").lattice.rows == 14
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels))
