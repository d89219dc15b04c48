"""Connect Four where a part of the board looks like all of it, or what lies about it like a part of it."""

from __future__ import annotations

import numpy as np
import pytest

from bench.pictures import Picture, discs, draw_picture, scene
from bench.pictures.judge import judge
from bench.pictures.painted import disc, frame_of, page, painted
from bot.screens.drawn.painter import Rim, mix
from calibration.answer import described
from calibration.frame import Pixels
from calibration.locate import locate
from calibration.looks import look_named, reader_of
from calibration.scene import Scene
from games import GAMES

LEFT, TOP = 200, 120
BLUE = (20, 80, 190)
PAINTS = {".": (235, 235, 235), "x": (220, 40, 50), "o": (250, 210, 30)}

Rgb = tuple[int, int, int]


@pytest.fixture(autouse=True)
def no_photographs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seed draws the picture that was lost, on a page that is no photograph."""
    monkeypatch.setattr(scene, "PHOTOGRAPHS", 0.0)
    monkeypatch.setattr(discs, "PIERCED", 0.0)


def sloped(start: int, end: int) -> Pixels:
    """A page that gets darker, or paler, from top to bottom."""
    return np.repeat(np.repeat(np.linspace(start, end, 800)[:, None, None], 1000, axis=1), 3, axis=2).astype(np.uint8)


def framed(
    pixels: Pixels, lines: list[str], pitch: int = 50, radius: float = 20, frame: Rgb | None = BLUE, shine: float = 0
) -> Pixels:
    """Discs in holes of `lines`, in a frame or on the bare page; a disc is darker by `shine` a pixel outwards."""
    kinds = {kind: disc(paint, radius, pitch, shine=shine * (kind != ".")) for kind, paint in PAINTS.items()}
    rim = None if frame is None else Rim(frame)
    return painted(pixels, lines, kinds, pitch, corner=(LEFT, TOP), rim=rim)


def arrow(pixels: Pixels, col: int, paint: Rgb, *, pitch: int = 50, reach: int = 10) -> None:
    """A triangle over a column, in the place above its top one, that points down."""
    ys, xs = np.mgrid[0:800, 0:1000]
    x, y = LEFT + pitch * (col + 0.5), TOP - pitch / 2
    down = (ys - y + reach) / 2
    pixels[(np.abs(xs - x) <= reach - down) & (down >= 0)] = paint


def drawn(seed: int, index: int) -> Picture:
    return draw_picture("connect_four", np.random.default_rng([seed, index, list(GAMES).index("connect_four")]))


def read(pixels: Pixels) -> list[str]:
    seen = described(frame := frame_of(pixels), locate(frame, "connect_four"))
    return ["".join(".xo?"[number] for number in row) for row in seen["grid"]]


def exchanged(lines: list[str]) -> list[str]:
    """The same with the players' numbers exchanged, which a picture does not tell."""
    return [line.translate(str.maketrans("xo", "ox")) for line in lines]


WIDE = ["........"] * 4 + ["..x.o...", "oox.xx.."]
TALL = ["..o....x.", "..x....x.", ".ox....o.", "oox.xx.oo", "xxo.xo.xo", "xox.ox.xx", "oooxxooxo"]


@pytest.mark.parametrize("reach", [10, 22])
def test_arrows_over_the_columns_are_no_row_of_any_board(reach: int) -> None:
    pixels = framed(page(246, width=1000, height=800), WIDE)
    for col in range(8):
        arrow(pixels, col, (40, 160, 160), reach=reach)
    assert read(pixels) in (WIDE, exchanged(WIDE))


def test_a_board_goes_on_where_shaded_discs_lie_between_its_empty_places() -> None:
    pixels = framed(page(246, width=1000, height=800), TALL, 40, 16, (60, 110, 120), shine=5)
    assert read(pixels) in (TALL, exchanged(TALL))


def test_each_row_may_show_more_of_the_inner_side_of_its_holes_than_the_one_above() -> None:
    lines = [*["......."] * 4, "..o....", ".xxo.ox"]
    pixels = framed(page(245, width=1000, height=800), lines, pitch=60, radius=26, frame=(250, 250, 250))
    ys, xs = np.mgrid[0:800, 0:1000]
    for row, col in np.ndindex(6, 7):
        x, y = LEFT + 60 * (col + 0.5), TOP + 60 * (row + 0.5)
        hole = np.hypot(xs - x, ys - y) <= 26
        pixels[hole & (np.hypot(xs - x, ys - y - 2 * (row - 2.5)) > 19)] = (0, 0, 0)
    assert read(pixels) in (lines, exchanged(lines))


@pytest.mark.parametrize("lines", [["......"] * 7, [*["......"] * 5, "..o...", ".xxo.o"]])
def test_a_page_may_have_exchanged_rows_and_columns(lines: list[str]) -> None:
    pixels = framed(page(246, width=1000, height=800), lines, frame=(52, 152, 219))
    assert locate(frame_of(pixels)).game == "connect_four"
    assert read(pixels) in (lines, exchanged(lines))


@pytest.mark.parametrize("frame", [BLUE, None])
def test_what_shows_between_holes_that_nearly_touch_is_no_hole(frame: Rgb | None) -> None:
    lines = ["........"] * 7
    assert read(framed(page(246, width=1000, height=800), lines, frame=frame, radius=24.7)) == lines


def test_an_empty_board_goes_on_beside_a_part_of_it_that_the_network_may_mean() -> None:
    frame = frame_of(framed(page(246, width=1000, height=800), ["........"] * 6))
    whole = locate(frame, "connect_four").lattice
    read_as = [
        look_named("discs").on(Scene(frame), whole.part(0, left, 6, cols), None) for left, cols in ((0, 8), (1, 7))
    ]
    assert [None if found is None else found.features["ring"] for found in read_as] == [0.0, 1.0]


def test_a_page_that_gets_darker_behind_lines_leaves_the_places_empty() -> None:
    pixels = sloped(255, 160)
    for col in range(8):
        pixels[TOP : TOP + 360, LEFT + 60 * col : LEFT + 60 * col + 2] = 120
    for row in range(7):
        pixels[TOP + 60 * row : TOP + 60 * row + 2, LEFT : LEFT + 420] = 120
    assert read(pixels) == ["......."] * 6


def test_the_column_under_the_pointer_may_be_shaded_as_dark_as_its_holes() -> None:
    lines = ["......."] * 5 + ["..x...."]
    bare = framed(page(200, width=1000, height=800), lines, frame=None)
    pixels = page(200, width=1000, height=800)
    pixels[TOP : TOP + 300, LEFT + 150 : LEFT + 200] = 227
    pixels = framed(pixels, lines, frame=None)
    assert read(pixels) == lines
    seen = reader_of(locate(frame_of(bare), "connect_four")).read(frame_of(pixels)).grid
    assert ["".join(".x"[number] for number in row) for row in seen] == lines


def test_four_discs_that_won_may_be_the_only_ones_that_are_not_dimmed() -> None:
    lines = [".......", ".......", "...o...", ".oxx...", "xxxxoo.", "oxoxoox"]
    shown = [line if row != 4 else line[:4].upper() + line[4:] for row, line in enumerate(lines)]
    kinds = {"X": disc(PAINTS["x"], 20, 50), ".": disc(PAINTS["."], 20, 50)}
    kinds |= {kind: disc(mix(PAINTS[kind], PAINTS["."], 0.5), 20, 50) for kind in "xo"}
    board = page(246, width=1000, height=800)
    pixels = painted(board, shown, kinds, 50, corner=(LEFT, TOP), rim=Rim(BLUE))
    assert read(pixels) in (lines, exchanged(lines))


def test_no_hole_is_drawn_in_the_colour_of_the_page_behind_it() -> None:
    picture = drawn(80003, 339)
    cells = np.array(picture.truth["cells"])[:, 3:]
    middles = cells[:, :-1].reshape(-1, 2).round().astype(int)
    between = ((cells[:, :-1] + cells[:, 1:]) / 2).reshape(-1, 2).round().astype(int)
    hole, behind = (picture.pixels[at[:, 1], at[:, 0]].astype(int) for at in (middles, between))
    assert np.abs(hole - behind).max(axis=1).min() >= 8


@pytest.mark.parametrize(
    ("seed", "index"),
    [
        pytest.param(80003, 157, id="dashed lines between the places, none round them"),
        pytest.param(80003, 200, id="half of the dashed lines go on beside the board"),
        pytest.param(80005, 308, id="the sides of a frame close beside the lines"),
        pytest.param(80003, 312, id="thin signs in the row below, which are no specks"),
        pytest.param(80003, 194, id="small holes whose outlines JPEG frayed"),
        pytest.param(80004, 169, id="signs that are not their own mirror images"),
        pytest.param(80004, 200, id="a dark board on a page that is hardly darker"),
        pytest.param(80004, 197, id="a sign under the ring that marks the last one"),
    ],
)
def test_boards_are_read_that_were_lost(seed: int, index: int) -> None:
    picture = drawn(seed, index)
    frame = frame_of(picture.pixels)
    stage, why = judge(picture.truth, described(frame, locate(frame, "connect_four")))
    assert stage == 3, why
