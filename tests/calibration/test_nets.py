"""Nets without outer lines, dashed nets, and boards whose frame something touches."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.pictures.painted import frame_of, page
from calibration.answer import described
from calibration.frame import Pixels
from calibration.locate import BoardNotFoundError, locate

INK = (40, 44, 52)
RED, YELLOW, GREEN = (200, 40, 50), (230, 190, 40), (40, 150, 80)


def line(pixels: Pixels, start: tuple[int, int], end: tuple[int, int], dash: int = 0) -> None:
    """A line two pixels broad, in dashes as long as their gaps where `dash` says how long."""
    length = max(end[0] - start[0], end[1] - start[1])
    across = end[0] > start[0]
    for at in range(0, length, 2 * dash or length):
        far = min(at + (dash or length), length)
        low, high = (start[0] + at, start[1]), (start[0] + far, start[1] + 1)
        if not across:
            low, high = (start[0], start[1] + at), (start[0] + 1, start[1] + far)
        cv2.rectangle(pixels, low, high, INK, -1)


def net(rows: int, cols: int, *, outer: bool, dash: int = 0) -> Pixels:
    """A net of cells of 60 pixels whose corner lies at (200, 80)."""
    pixels = page(244, width=900, height=640)
    skip = 0 if outer else 1
    for row in range(skip, rows + 1 - skip):
        line(pixels, (200, 80 + 60 * row), (200 + 60 * cols, 80 + 60 * row), dash)
    for col in range(skip, cols + 1 - skip):
        line(pixels, (200 + 60 * col, 80), (200 + 60 * col, 80 + 60 * rows), dash)
    return pixels


@pytest.mark.parametrize("dash", [0, 6])
@pytest.mark.parametrize("outer", [False, True])
def test_a_net_goes_as_far_as_its_crossing_lines(outer: bool, dash: int) -> None:
    lattice = locate(frame_of(net(6, 7, outer=outer, dash=dash)), "connect_four").lattice
    assert (lattice.rows, lattice.cols) == (6, 7)
    assert lattice.origin == pytest.approx((230, 110), abs=2)


def test_lines_at_uneven_places_are_no_board() -> None:
    pixels = page(244, width=900, height=640)
    for at in (80, 140, 230, 260, 380):
        line(pixels, (200, at), (620, at))
    for at in (200, 290, 320, 450, 600):
        line(pixels, (at, 80), (at, 400))
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels), "connect_four")


def test_noughts_and_crosses_in_a_net_without_outer_lines_are_connect_four() -> None:
    pixels = net(6, 7, outer=False)
    for row, col in ((5, 3), (5, 2), (4, 3)):
        cv2.circle(pixels, (230 + 60 * col, 110 + 60 * row), 20, RED, 5)
    for row, col in ((5, 4), (3, 3), (5, 5)):
        x, y = 230 + 60 * col, 110 + 60 * row
        cv2.line(pixels, (x - 18, y - 18), (x + 18, y + 18), GREEN, 5)
        cv2.line(pixels, (x - 18, y + 18), (x + 18, y - 18), GREEN, 5)
    frame = frame_of(pixels)
    told = described(frame, locate(frame, "connect_four"))
    grid = np.zeros((6, 7), dtype=int)
    grid[[5, 5, 4], [3, 2, 3]], grid[[5, 3, 5], [4, 3, 5]] = 1, 2
    assert (told["rows"], told["cols"]) == (6, 7)
    assert np.array_equal(np.array(told["grid"]) > 0, grid > 0)


def test_a_blokus_board_without_lines_is_found_between_a_banner_and_a_tray() -> None:
    pixels = page(244, width=900, height=640)
    pixels[100:380, 300:580] = (60, 62, 70)
    pixels[60:100, 100:800] = (190, 120, 200)
    pixels[160:300, 580:800] = (215, 214, 210)
    pieces = (
        ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2)),
        ((3, 3), (3, 4), (4, 4), (4, 5)),
        ((5, 6), (6, 6), (7, 6), (6, 7), (6, 5)),
        ((13, 13), (12, 13), (11, 13), (11, 12)),
        ((10, 11), (9, 11), (9, 10), (8, 10)),
        ((7, 9), (7, 8), (6, 9), (5, 9), (5, 8)),
    )
    for number, cells in enumerate(pieces):
        for row, col in cells:
            pixels[100 + 20 * row : 120 + 20 * row, 300 + 20 * col : 320 + 20 * col] = (YELLOW, RED)[number // 3]
    frame = frame_of(pixels)
    told = described(frame, locate(frame, "blokus"))
    assert (told["rows"], told["cols"]) == (14, 14)
    assert int((np.array(told["grid"]) > 0).sum()) == sum(map(len, pieces))
