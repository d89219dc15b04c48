"""Boards that the finder misses are read as soon as a person points at two corner cells."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bench.pictures.painted import disc, frame_of, page, painted
from calibration.canvas import Canvas
from calibration.frame import Box, Frame, Pixel, Pixels
from calibration.locate import BoardNotFoundError, locate
from calibration.looks import reader_of
from games.core import Cell, SettingsError

Grid = NDArray[np.int8]
Drawn = tuple[Pixels, Grid, Pixel, float]
"""The picture, what stands on the board, the middle of its first cell and its pitch."""

PAINTS = ((220, 40, 50), (40, 120, 220), (60, 180, 75), (245, 200, 40), (150, 60, 190), (240, 130, 40))


KINDS = {str(kind): paint for kind, paint in enumerate(PAINTS)}


def lettered(grid: Grid) -> list[str]:
    """A line of digits for each row."""
    return ["".join(map(str, row)) for row in grid]


def a_part_of_a_mosaic() -> Drawn:
    everything = np.random.default_rng(4).integers(0, 5, (14, 20)).astype(np.int8)
    pixels = page(240, width=900, height=640)
    painted(pixels, lettered(everything), KINDS, 42, 1, corner=(29, 19))
    return pixels, everything[3:11, 5:13], Pixel(260, 166), 42


def tiles_as_rough_as_stone() -> Drawn:
    rng = np.random.default_rng(4)
    grid = rng.integers(0, 6, (8, 8)).astype(np.int8)
    pixels = np.full((640, 900, 3), (205, 198, 180), np.int16)
    for (row, col), kind in np.ndenumerate(grid):
        pixels[90 + 50 * row : 140 + 50 * row, 200 + 50 * col : 250 + 50 * col] = PAINTS[kind]
    pixels += rng.integers(-22, 23, pixels.shape, dtype=np.int16)
    return np.clip(pixels, 0, 255).astype(np.uint8), grid, Pixel(225, 115), 50


def five_discs_on_a_bare_page() -> Drawn:
    pixels, grid = page(246, width=900, height=640), np.zeros((6, 7), np.int8)
    for row, col, kind in ((5, 3, 1), (4, 3, 2), (3, 3, 1), (5, 2, 2), (5, 4, 1)):
        grid[row, col] = kind
    discs = {str(kind): disc(PAINTS[kind + 1], 22, 60) for kind in (1, 2)}
    return painted(pixels, lettered(grid), discs, 60, corner=(170, 90)), grid, Pixel(200, 120), 60


def four_pieces_on_a_field_without_lines() -> Drawn:
    pixels, grid = page((244, 241, 234), width=900, height=640), np.zeros((14, 14), np.int8)
    Canvas(pixels).fill(Box(180, 60, 476, 476), (211, 208, 143))
    for kind, piece in (
        (1, ((4, 4), (4, 5), (5, 4), (6, 4), (6, 3))),
        (1, ((7, 5), (7, 6), (8, 6), (8, 7))),
        (2, ((9, 9), (9, 8), (9, 10), (8, 9))),
        (2, ((10, 11), (11, 11), (12, 11))),
    ):
        for row, col in piece:
            grid[row, col] = kind
    painted(pixels, lettered(grid), {"1": (51, 51, 51), "2": (255, 255, 255)}, 34, corner=(180, 60))
    return pixels, grid, Pixel(197, 77), 34


def squares_hardly_lighter_than_their_grooves() -> Drawn:
    pixels, grid = page((40, 44, 52), width=900, height=640), np.zeros((17, 17), np.int8)
    for row, col in np.ndindex(9, 9):
        pixels[60 + 56 * row : 106 + 56 * row, 200 + 56 * col : 246 + 56 * col] = (44, 48, 56)
    pixels[274:284, 312:414] = (220, 180, 90)
    grid[7, 4:7] = 1
    for player, (row, col), paint in ((1, (7, 4), (230, 230, 220)), (2, (1, 5), (200, 90, 70))):
        cv2.circle(pixels, (223 + 56 * col, 83 + 56 * row), 15, paint, -1, cv2.LINE_AA)
        grid[2 * row, 2 * col] = player
    return pixels, grid, Pixel(223, 83), 56


def beside_a_larger_one(draw: Callable[[], Drawn]) -> Callable[[], Drawn]:
    """The picture, and right of it the same larger and upside down: the finder takes that one."""

    def both() -> Drawn:
        pixels, grid, first, pitch = draw()
        other = cv2.resize(pixels[::-1], None, fx=1.4, fy=1.4, interpolation=cv2.INTER_NEAREST)
        sheet = np.broadcast_to(pixels[0, 0], (len(other), pixels.shape[1] + other.shape[1], 3)).copy()
        sheet[: len(pixels), : pixels.shape[1]], sheet[:, pixels.shape[1] :] = pixels, other
        return sheet, grid, first, pitch

    return both


BOARDS = [
    ("flood_it", a_part_of_a_mosaic),
    ("filler", a_part_of_a_mosaic),
    ("connect_four", five_discs_on_a_bare_page),
    ("blokus", beside_a_larger_one(four_pieces_on_a_field_without_lines)),
    ("quoridor", beside_a_larger_one(squares_hardly_lighter_than_their_grooves)),
]


def well_read(frame: Frame, game: str, grid: Grid, corners: tuple[Pixel, Pixel] | None = None) -> bool:
    try:
        seen = reader_of(locate(frame, game, corners=corners)).read(frame).grid
    except BoardNotFoundError:
        return False
    pairs = set(zip(seen.ravel().tolist(), grid.ravel().tolist(), strict=True)) if seen.shape == grid.shape else set()
    return 0 < len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


@pytest.mark.parametrize("off", [0.0, 0.2])
@pytest.mark.parametrize(("game", "draw"), BOARDS, ids=[game for game, _ in BOARDS])
def test_two_corner_cells_are_enough_where_the_finder_is_lost(game: str, draw: Callable[[], Drawn], off: float) -> None:
    pixels, grid, first, pitch = draw()
    frame = frame_of(pixels)
    rows, cols = grid.shape if game != "quoridor" else ((side + 1) // 2 for side in grid.shape)
    last = Pixel(first.x + (cols - 1 - off / 2) * pitch, first.y + (rows - 1 + off) * pitch)
    assert not well_read(frame, game, grid)
    assert well_read(frame, game, grid, corners=(Pixel(first.x + off * pitch, first.y - off * pitch), last))


@pytest.mark.parametrize(
    ("game", "draw"),
    [
        ("filler", tiles_as_rough_as_stone),
        ("blokus", four_pieces_on_a_field_without_lines),
        ("quoridor", squares_hardly_lighter_than_their_grooves),
    ],
)
def test_rough_tiles_a_field_without_lines_and_faint_grooves_are_found(game: str, draw: Callable[[], Drawn]) -> None:
    pixels, grid, _, _ = draw()
    assert well_read(frame_of(pixels), game, grid)


def test_the_size_a_person_gives_is_taken() -> None:
    pixels, _, first, pitch = a_part_of_a_mosaic()
    corners = (first, Pixel(first.x + 3 * pitch, first.y + 2 * pitch))
    assert locate(frame_of(pixels), "flood_it", corners=corners, size=(5, 7)).lattice.rows == 5


def test_what_a_game_cannot_be_is_refused_even_where_a_person_points_at_it() -> None:
    pixels, _, first, _ = four_pieces_on_a_field_without_lines()
    last = Pixel(first.x + 13 * 34, first.y + 13 * 34)
    with pytest.raises(BoardNotFoundError, match="no board of blokus: 3 of 4 pieces are larger"):
        locate(frame_of(pixels), "blokus", corners=(first, last), size=(27, 27))


def test_a_game_can_be_told_between_two_corner_cells() -> None:
    pixels, _, first, pitch = squares_hardly_lighter_than_their_grooves()
    corners = (first, Pixel(first.x + 8 * pitch, first.y + 8 * pitch))
    assert locate(frame_of(pixels), corners=corners).game == "quoridor"


def test_a_board_too_small_to_be_sure_of_is_taken() -> None:
    pixels, _, first, _ = a_part_of_a_mosaic()
    lattice = locate(frame_of(pixels), "flood_it", corners=(first, Pixel(first.x + 126, first.y + 84))).lattice
    assert (lattice.rows, lattice.cols) == (3, 4)
    assert lattice.centre(Cell(0, 0)) == pytest.approx(first, abs=1.5)


def test_corners_in_the_wrong_order_are_told_so() -> None:
    with pytest.raises(SettingsError, match="top left corner cell first"):
        locate(frame_of(a_part_of_a_mosaic()[0]), "flood_it", corners=(Pixel(400, 300), Pixel(100, 100)))


def test_a_photograph_is_no_board_even_where_a_person_points_at_it() -> None:
    pixels = np.random.default_rng(2).integers(0, 256, (300, 300, 3)).astype(np.uint8)
    with pytest.raises(BoardNotFoundError, match="too many different things"):
        locate(frame_of(pixels), "filler", corners=(Pixel(20, 20), Pixel(280, 280)))
