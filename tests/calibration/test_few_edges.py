"""Boards with few edges: a net without outer lines, squares without lines that a banner and a tray touch."""

from __future__ import annotations

import cv2
import numpy as np

from bench.pictures.painted import frame_of, page
from calibration.answer import described
from calibration.locate import locate

INK = (40, 44, 52)
RED, YELLOW, GREEN = (200, 40, 50), (230, 190, 40), (40, 150, 80)


def test_noughts_and_crosses_in_a_net_without_outer_lines_are_connect_four() -> None:
    pixels = page(244, width=900, height=640)
    for at in range(1, 6):
        pixels[79 + 60 * at : 81 + 60 * at, 200:620] = INK
    for at in range(1, 7):
        pixels[80:440, 199 + 60 * at : 201 + 60 * at] = INK
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
    for number, squares_ in enumerate(pieces):
        for row, col in squares_:
            pixels[100 + 20 * row : 120 + 20 * row, 300 + 20 * col : 320 + 20 * col] = (YELLOW, RED)[number // 3]
    frame = frame_of(pixels)
    told = described(frame, locate(frame, "blokus"))
    assert (told["rows"], told["cols"]) == (14, 14)
    assert int((np.array(told["grid"]) > 0).sum()) == sum(map(len, pieces))
