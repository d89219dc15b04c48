"""What became of a calibrated board is said in the right word, and a moved board is found again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.board import Calibration
from calibration.check import check
from calibration.frame import Frame, Pixels, Rect
from calibration.locate import locate
from calibration.looks import reader_of
from games import flood_it

COLOURS = ((220, 40, 50), (40, 120, 220), (60, 180, 75), (245, 200, 40), (150, 60, 190), (240, 130, 40))


def shown(grid: list[list[int]], *, left: int = 300, top: int = 90, pitch: int = 28, shift: int = 0) -> Pixels:
    pixels = np.full((700, 1100, 3), (236, 238, 241), np.uint8)
    for row, kinds in enumerate(grid):
        for col, kind in enumerate(kinds):
            y, x = top + pitch * row, left + pitch * col
            pixels[y : y + pitch, x : x + pitch] = np.roll(COLOURS[kind], shift)
    return pixels


def framed(pixels: Pixels) -> Frame:
    return Frame(pixels, Rect(0, 0, pixels.shape[1], pixels.shape[0]))


@pytest.fixture(scope="module")
def grid() -> list[list[int]]:
    return [list(row) for row in flood_it.GAME.deal(np.random.default_rng(8)).grid]


@pytest.fixture(scope="module")
def calibration(grid: list[list[int]]) -> Calibration:
    return locate(framed(shown(grid)), "flood_it")


def half_covered(grid: list[list[int]]) -> Pixels:
    pixels = shown(grid)
    pixels[80:300, 290:520] = (30, 30, 34)
    return pixels


@pytest.mark.parametrize(
    ("verdict", "draw"),
    [
        ("good", shown),
        ("moved", lambda grid: shown(grid, left=417, top=133)),
        ("scaled", lambda grid: shown(grid, pitch=35)),
        ("recoloured", lambda grid: shown(grid, shift=1)),
        ("covered", half_covered),
        ("gone", lambda grid: shown([])),
    ],
)
def test_the_word_fits_what_happened(
    verdict: str, draw: Callable[[list[list[int]]], Pixels], grid: list[list[int]], calibration: Calibration
) -> None:
    found = check(framed(draw(grid)), calibration)
    assert found.verdict == verdict, found.evidence


def test_a_moved_board_is_read_with_the_same_numbers(grid: list[list[int]], calibration: Calibration) -> None:
    before, after = framed(shown(grid)), framed(shown(grid, left=417, top=133))
    moved = locate(after, "flood_it", near=calibration)
    assert moved.lattice.origin.x - calibration.lattice.origin.x == pytest.approx(117, abs=1)
    assert np.array_equal(reader_of(moved).read(after).grid, reader_of(calibration).read(before).grid)


def test_a_won_board_that_moved_is_found_again(grid: list[list[int]], calibration: Calibration) -> None:
    won = [[2] * len(row) for row in grid]
    moved = locate(framed(shown(won, left=352, top=61)), "flood_it", near=calibration)
    assert moved.lattice.origin.x - calibration.lattice.origin.x == pytest.approx(52, abs=1)
    assert moved.lattice.origin.y - calibration.lattice.origin.y == pytest.approx(-29, abs=1)
