"""The picture of what was seen shows what stands on a board, and nothing on what is empty."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.answer import summary
from calibration.board import Calibration, Lattice
from calibration.frame import Frame, Pixel, Rect
from calibration.overlay import ACCENT, overlay
from games.core import Observation

PAGE = (200, 205, 210)
LATTICE = Lattice(Pixel(60, 60), (40, 40), 5, 5, (8, 8))


def board(look: str, game: str) -> Calibration:
    return Calibration(game, LATTICE, (PAGE, (20, 120, 60), (180, 40, 40), (40, 40, 180)), (300, 300), look=look)


def seen(*places: tuple[int, int], side: int = 5) -> Observation:
    grid = np.zeros((side, side), int)
    for row, col in places:
        grid[row, col] = 1
    return Observation.certain(grid.tolist())


def drawn(calibration: Calibration, observation: Observation) -> np.ndarray:
    frame = Frame(np.full((300, 300, 3), PAGE, np.uint8), Rect(0, 0, 300, 300))
    return overlay(frame, calibration, observation)


def test_an_empty_place_is_left_as_it_is() -> None:
    shown = drawn(board("squares", "blokus"), seen((1, 1)))
    assert (shown[94:107, 94:107] != PAGE).any()
    assert (shown[134:147, 134:147] == PAGE).all()


def test_a_wall_is_drawn_as_a_line_along_its_groove() -> None:
    shown = drawn(board("grooves", "quoridor"), seen((3, 4), (3, 5), (3, 6), side=9))
    assert all(tuple(shown[120, x]) == ACCENT for x in range(135, 185))


@pytest.mark.parametrize(
    ("look", "game", "observation", "said"),
    [
        ("coloured", "filler", seen(), "filler: 5x5 cells, 4 colours"),
        ("squares", "blokus", seen((0, 0), (0, 1)), "blokus: 5x5 cells, 2 taken"),
        ("grooves", "quoridor", seen((0, 4), (3, 4), (3, 5), (3, 6), side=9), "quoridor: 5x5 cells, 1 pawns, 1 walls"),
    ],
)
def test_a_few_words_say_what_stands_there(look: str, game: str, observation: Observation, said: str) -> None:
    assert summary(board(look, game), observation) == said
