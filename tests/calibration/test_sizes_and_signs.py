"""Boards of rarer sizes, and what is drawn on cells or beside them: marks, shading, won lines, icons, buttons."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.pictures.painted import disc, frame_of, page, painted
from bot.ports import FakeClock
from bot.screens.drawn.painter import Rim
from bot.screens.drawn.screen import DrawnScreen
from calibration.answer import described
from calibration.frame import Pixels
from calibration.locate import BoardNotFoundError, find_controls, locate
from calibration.palette import UNLIT, Lit, lighted
from calibration.refind import find_again
from games import find_game
from games.core import Options

COLOURS = ((214, 60, 60), (60, 150, 220), (70, 180, 90), (240, 200, 60), (150, 80, 190))


def strewn(rows: int, cols: int) -> list[list[int]]:
    return np.random.default_rng(8).integers(0, 5, (rows, cols)).tolist()  # type: ignore[no-any-return]


def coloured(grid: list[list[int]], pitch: int = 36, gap: int = 1) -> Pixels:
    """Cells of `grid`, the first one's corner at (300, 100)."""
    lines = ["".join(map(str, kinds)) for kinds in grid]
    kinds = dict(zip("01234", COLOURS, strict=True))
    return painted(page(246, width=900, height=640), lines, kinds, pitch, gap, corner=(300, 100))


@pytest.mark.parametrize("shown", [0.2, 0.35, 0.45])
def test_a_board_of_which_the_picture_shows_a_column_in_part_is_as_certain_as_a_whole_one(shown: float) -> None:
    found = locate(frame_of(coloured(strewn(13, 13))[:, : 300 + round(36 * (12 + shown))]))
    assert (found.game, found.lattice.rows, found.lattice.cols) == ("flood_it", 13, 12)
    assert found.confidence > 0.95


@pytest.mark.parametrize("gap", [0, 1, 4])
def test_a_board_is_told_from_a_page_of_one_of_its_colours(gap: int) -> None:
    lines = ["".join(map(str, kinds)) for kinds in strewn(10, 10)]
    kinds = dict(zip("01234", ((246, 246, 246), *COLOURS[1:]), strict=True))
    pixels = painted(page(246, width=900, height=640), lines, kinds, 36, gap, corner=(300, 100))
    found = locate(frame_of(pixels))
    assert (found.game, found.lattice.rows, found.lattice.cols) == ("flood_it", 10, 10)


@pytest.mark.parametrize("side", [12, 14, 16, 20])
def test_a_blokus_board_has_the_size_that_its_lines_show(side: int) -> None:
    pixels = page(246, width=900, height=640)
    for line in range(side + 1):
        pixels[60 + 26 * line, 200 : 200 + 26 * side + 1] = 150
        pixels[60 : 60 + 26 * side + 1, 200 + 26 * line] = 150
    for row, col, colour in ((0, 0, COLOURS[0]), (0, 1, COLOURS[0]), (side - 1, side - 1, COLOURS[1])):
        pixels[61 + 26 * row : 86 + 26 * row, 201 + 26 * col : 226 + 26 * col] = colour
    lattice = locate(frame_of(pixels), "blokus").lattice
    assert (lattice.rows, lattice.cols) == (side, side)


@pytest.mark.parametrize("lit", [(1.17, 255.0, 1.0), (1.1, 0.0, 1.15)], ids=["lighter", "more vivid"])
def test_a_board_is_found_where_it_went_most_of_which_is_owned_and_lit(lit: Lit) -> None:
    def shown(grid: list[list[int]], owned: list[tuple[int, int]], down: int = 0) -> Pixels:
        pixels = coloured(grid, gap=0)
        for row, col in owned:
            paint = lighted(np.array([COLOURS[grid[row][col]]], np.float32), *lit)[0]
            pixels[100 + 36 * row : 136 + 36 * row, 300 + 36 * col : 336 + 36 * col] = paint
        return np.roll(pixels, down, axis=0)

    start = strewn(10, 10)
    known = locate(frame_of(shown(start, [(0, 0)])), "flood_it")
    assert known.lit is not None
    assert known.lit == pytest.approx(lit, abs=0.02)
    owned = [(row, col) for row in range(10) for col in range(10) if start[row][col] not in (1, 2)]
    after = [[0 if (row, col) in owned else kind for col, kind in enumerate(line)] for row, line in enumerate(start)]
    found = find_again(frame_of(shown(after, owned, down=29)), known)
    assert found is not None
    assert found.lattice.origin == pytest.approx((known.lattice.origin.x, known.lattice.origin.y + 29), abs=0.5)


def test_two_owners_whose_only_cells_are_both_lit_have_the_colours_of_their_buttons() -> None:
    colours = {"r": (216, 65, 47), "g": (68, 166, 72), "b": (47, 111, 208), "y": (242, 198, 46), "p": (138, 75, 184)}
    colours["c"] = (51, 188, 201)
    lit = {each.upper(): tuple(round(255 - 0.8 * (255 - part)) for part in colours[each]) for each in "rb"}
    lines = ["Rbpcgypy", "bpcgbcyb", "grybyrbp", "rgpcrprb", "gbrbyrbg", "pybyrgpc", "cpygpcrB"]
    pixels = painted(page(246, width=900, height=640), lines, colours | lit, 36, 4, corner=(300, 100))
    for number, (kind, colour) in enumerate(colours.items()):
        part = tuple(round(246 - 0.35 * (246 - each)) for each in colour) if kind in "rb" else colour
        pixels[367:393, 297 + 60 * number : 323 + 60 * number] = part
    seen = locate(frame_of(pixels))
    assert set(seen.palette) == {*colours.values()}
    assert {seen.palette[int(name.partition(":")[2])] for name in seen.disabled} == {colours["r"], colours["b"]}


def test_squares_of_14_and_16_pixels_by_turns_are_squares_of_one_board() -> None:
    pixels = page(246, width=900, height=640)
    pixels[58:402, 198:542] = 120
    sides = [14, 16] * 10
    edges = 200 + np.cumsum([0, *(side + 2 for side in sides)])
    for top in range(60, 60 + 20 * 17, 17):
        for left, side in zip(edges[:-1], sides, strict=True):
            pixels[top : top + 15, left : left + side] = 240
    lattice = locate(frame_of(pixels), "blokus").lattice
    assert (lattice.rows, lattice.cols) == (20, 20)


def stacked(
    lines: list[str], *, pitch: int = 60, ring: tuple[tuple[int, int], ...] = (), paint: int = 255, held: int = 21
) -> Pixels:
    """Discs in the holes of a blue frame, those at `ring` with a white rim."""
    lines = [
        "".join(line[col] if (row, col) not in ring else line[col].upper() for col in range(len(line)))
        for row, line in enumerate(lines)
    ]
    discs = {
        kind: disc(colour, held, pitch)
        for kind, colour in ((".", (235, 235, 235)), ("x", (220, 40, 50)), ("o", (250, 210, 30)))
    }
    rims = {
        kind.upper(): (*stack, disc((paint,) * 3, held, pitch, ring=4)[0])
        for kind, stack in discs.items()
        if kind != "."
    }
    frame = Rim((20, 80, 190))
    return painted(page(246, width=900, height=640), lines, discs | rims, pitch, corner=(200, 60), rim=frame)


SMALL = [".......", ".......", "...x...", "..oxo..", "x.xoxoo"]
WON = [".......", ".......", ".......", "...o...", "x.oox..", "xxxxoo."]


def numbered(lines: list[str]) -> tuple[list[list[int]], ...]:
    ways = ({".": 0, "x": 1, "o": 2}, {".": 0, "x": 2, "o": 1})
    return tuple([[way[kind] for kind in line] for line in lines] for way in ways)


def test_five_rows_of_seven_are_not_taken_for_a_part_of_them() -> None:
    seen = described(frame := frame_of(stacked(SMALL)), locate(frame, "connect_four"))
    assert seen["grid"] in numbered(SMALL)


def test_the_discs_of_a_won_row_are_discs_whatever_is_drawn_round_them() -> None:
    pixels = stacked(WON, ring=((5, 0), (5, 1), (5, 2), (5, 3)))
    seen = described(frame := frame_of(pixels), locate(frame, "connect_four"))
    assert seen["grid"] in numbered(WON)


def test_an_empty_board_of_small_holes_at_a_broken_pitch_is_no_calendar() -> None:
    pixels = page(246, width=900, height=640)
    ys, xs = np.mgrid[0:640, 0:900]
    pixels[60:240, 200:412] = (20, 20, 30)
    for row in range(6):
        for col in range(7):
            away = np.hypot(xs - 215.4 - 30.2 * col, ys - 75.3 - 29.7 * row)
            light = np.clip(12.5 - away, 0, 1)[..., None]
            pixels = (pixels * (1 - light) + 250 * light).astype(np.uint8)
    lattice = locate(frame_of(pixels), "connect_four").lattice
    assert (lattice.rows, lattice.cols) == (6, 7)


def test_dashed_lines_on_the_page_itself_are_a_board() -> None:
    pixels = page(246, width=900, height=640)
    dash = np.arange(900) % 12 < 6
    for line in range(8):
        pixels[100:461, 200 + 60 * line][dash[:361]] = 40
    for line in range(7):
        pixels[100 + 60 * line, 200:621][dash[:421]] = 40
    lattice = locate(frame_of(pixels), "connect_four").lattice
    assert (lattice.rows, lattice.cols) == (6, 7)


def test_shading_makes_no_second_kind_of_a_colour() -> None:
    grid = strewn(9, 9)
    pixels = coloured(grid).astype(float)
    ys, xs = np.mgrid[0:324, 0:324]
    away = np.hypot(xs % 36 - 17.5, ys % 36 - 17.5)[..., None]
    board = pixels[100:424, 300:624]
    pixels[100:424, 300:624] = board + np.clip(0.3 * (1 - away / 18), 0, 1) * (255 - board)
    seen = described(frame := frame_of(pixels.astype(np.uint8)), locate(frame, "flood_it"))
    pairs = {(a, b) for one, other in zip(seen["grid"], grid, strict=True) for a, b in zip(one, other, strict=True)}
    assert len(pairs) == 5


def swatches(pixels: Pixels, places: list[tuple[int, int]]) -> Pixels:
    for (x, y), colour in zip(places, COLOURS, strict=True):
        pixels[y - 13 : y + 13, x - 13 : x + 13] = colour
    return pixels


@pytest.mark.parametrize(
    ("places", "buttons"),
    [
        pytest.param([(340 + 60 * n, 470) for n in range(5)], 5, id="under the board"),
        pytest.param([(20 + 34 * n, 620) for n in range(5)], 0, id="in a dock far off"),
        pytest.param([(30, 40), (700, 60), (120, 500), (850, 300), (60, 300)], 0, id="strewn over the page"),
    ],
)
def test_colours_are_buttons_where_they_stand_together_beside_the_board(
    places: list[tuple[int, int]], buttons: int
) -> None:
    controls = locate(frame_of(swatches(coloured(strewn(9, 9)), places)), "flood_it").controls
    assert len(controls) == buttons


def test_buttons_that_are_found_anew_are_those_of_the_kinds_known_though_one_looks_like_a_lit_start() -> None:
    def shown(grid: list[list[int]]) -> Pixels:
        pixels = swatches(coloured(grid), [(340 + 60 * number, 470) for number in range(5)])
        pixels[(pixels == COLOURS[4]).all(axis=2)] = (150, 42, 42)  # the first one, darker
        return pixels

    before = strewn(9, 9)
    after = [[3 if kind == 4 else kind for kind in row] for row in before]
    after[0][:2] = 4, 4
    known = locate(frame_of(shown(before)), "flood_it")
    assert known.lit == locate(frame_of(shown(after)), "flood_it").lit == UNLIT
    assert find_controls(frame_of(shown(after)), known) == known.controls


def test_buttons_of_several_cells_in_the_step_of_the_board_are_no_rows_of_it() -> None:
    board = ["".join(map(str, line)) for line in strewn(14, 14)]
    lines = [*["000 111 222 33"] * 3, " " * 14, *board]
    kinds = dict(zip("01234", COLOURS, strict=True))
    pixels = painted(page(246, width=900, height=640), lines, kinds, 28, 0, corner=(300, 40))
    lattice = locate(frame_of(pixels)).lattice
    assert (lattice.rows, lattice.cols) == (14, 14)


def test_buttons_that_shrank_and_drew_together_in_their_row_may_not_be_pressed() -> None:
    pixels = coloured(strewn(9, 9))
    for colour, left, side in zip(COLOURS, (340, 370, 392, 414, 444), (26, 18, 18, 26, 26), strict=True):
        pixels[470 - side : 470, left : left + side] = colour
    seen = locate(frame_of(pixels), "filler")
    assert {seen.palette[int(name.partition(":")[2])] for name in seen.disabled} == set(COLOURS[1:3])
    assert {seen.palette[int(name.partition(":")[2])] for name in seen.controls} == {COLOURS[0], *COLOURS[3:]}


@pytest.mark.parametrize("buttons", [True, False])
def test_so_small_a_lattice_of_colours_is_a_game_where_each_colour_has_a_button(buttons: bool) -> None:
    pixels = coloured(strewn(4, 5))
    if not buttons:
        with pytest.raises(BoardNotFoundError):
            locate(frame_of(pixels))
        return
    lattice = locate(frame_of(swatches(pixels, [(315 + 36 * n, 290) for n in range(5)]))).lattice
    assert (lattice.rows, lattice.cols) == (4, 5)


def test_eight_colours_in_two_rows_are_no_board_even_where_flood_it_is_asked_for() -> None:
    with pytest.raises(BoardNotFoundError, match="no flood_it board"):
        locate(frame_of(coloured([[0, 1, 2, 3], [4, 0, 1, 2]])), "flood_it")


@pytest.mark.parametrize("lines", ["rows", "columns"])
def test_a_flooded_band_of_the_pages_colour_parts_no_board(lines: str) -> None:
    grid = np.array(strewn(14, 14))
    grid[4] = 4
    pixels = coloured((grid if lines == "rows" else grid.T).tolist(), pitch=24, gap=0)
    pixels[(pixels == 246).all(axis=2)] = COLOURS[4]
    lattice = locate(frame_of(pixels), "flood_it").lattice
    assert (lattice.rows, lattice.cols) == (14, 14)


@pytest.mark.parametrize("seed", [3, 5])
def test_large_cells_go_on_as_far_as_such_are_drawn_however_few_the_network_sees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    colours = ((0, 48, 73), (255, 193, 61), (199, 125, 255), (209, 56, 59), (35, 139, 243), (79, 119, 45))
    pixels = page(225, width=1280, height=900)
    pixels[255:747, 8:1272] = 255
    grid = rng.integers(0, 6, (4, 6))
    for row, col in np.ndindex(4, 6):
        while (row and grid[row, col] == grid[row - 1, col]) or (col and grid[row, col] == grid[row, col - 1]):
            grid[row, col] = rng.integers(0, 6)
        x, y = 18 + round(207.4 * col), 265 + 118 * row
        pixels[y : y + 118, x : 18 + round(207.4 * (col + 1))] = colours[grid[row, col]]
        for word, place in ((f"Tile {6 * row + col + 1}", (x + 80, y + 55)), (f"({row},{col})", (x + 82, y + 75))):
            cv2.putText(pixels, word, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (240, 240, 240), 1, cv2.LINE_AA)
    for button in range(6):
        pixels[215:245, 18 + 209 * button : 217 + 209 * button] = colours[(button + 1) % 6]
    found = locate(frame_of(pixels))
    assert (found.lattice.rows, found.lattice.cols, len(found.controls)) == (4, 6, 6)


@pytest.mark.parametrize(("game", "side", "seed"), [("flood_it", 5, 6), ("flood_it", 5, 7), ("filler", 6, 6)])
def test_a_small_board_without_buttons_is_found_beside_larger_things_on_a_desktop(
    game: str, side: int, seed: int
) -> None:
    rules = find_game(game)
    state = rules.deal(np.random.default_rng(seed), Options(rows=side, cols=side, colours=4))
    screen = DrawnScreen(rules, state, clock=FakeClock(), skin="cells")
    lattice = locate(screen.grab(), game).lattice
    assert (lattice.rows, lattice.cols) == (side, side)
