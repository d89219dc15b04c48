"""Boards of Connect Four, Blokus and Quoridor are found and read in drawn screenshots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from calibration.answer import described
from calibration.board import dump_calibration, load_calibration
from calibration.frame import Frame, Pixels, Rect
from calibration.locate import BoardNotFoundError, locate
from calibration.observe import Reader
from calibration.pictures import draw_picture

SEEDS = range(8)


def frame_of(pixels: Pixels) -> Frame:
    return Frame(pixels, Rect(0, 0, pixels.shape[1], pixels.shape[0]))


def drawn(game: str, seed: int) -> tuple[Frame, dict[str, Any]]:
    picture = draw_picture(game, np.random.default_rng([seed, 73]))
    return frame_of(picture.pixels), picture.truth


def well_read(game: str, seed: int) -> bool:
    frame, truth = drawn(game, seed)
    try:
        seen = described(frame, locate(frame, game))
    except BoardNotFoundError:
        return False
    if game == "quoridor":
        pawns = sorted(pawn["cell"] for pawn in truth["pawns"])
        walls = sorted([wall["o"], wall["row"], wall["col"]] for wall in truth["walls"])
        return bool(sorted(seen["pawns"]) == pawns and sorted(seen["walls"]) == walls)
    pairs = set(zip(np.ravel(truth["grid"]).tolist(), np.ravel(seen["grid"]).tolist(), strict=True)) | {(0, 0)}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect_four", "blokus", "quoridor"])
def test_at_least_six_of_eight_drawn_boards_are_read_without_a_flaw(game: str) -> None:
    assert sum(well_read(game, seed) for seed in SEEDS) >= 6


def board_of_discs(grid: list[str]) -> Pixels:
    """A blue frame with round holes; o yellow, x red."""
    pixels = np.full((480, 640, 3), 240, np.uint8)
    pixels[60:420, 100:520] = (20, 70, 190)
    paints = {".": (240, 240, 240), "o": (250, 210, 30), "x": (210, 30, 40)}
    ys, xs = np.mgrid[0:480, 0:640]
    for row, line in enumerate(grid):
        for col, kind in enumerate(line):
            pixels[(xs - 130 - 60 * col) ** 2 + (ys - 90 - 60 * row) ** 2 < 24**2] = paints[kind]
    return pixels


EMPTY = ["......."] * 6


def test_pieces_that_an_empty_board_did_not_show_are_learnt_in_the_order_in_which_they_come() -> None:
    reader = Reader(locate(frame_of(board_of_discs(EMPTY)), "connect_four"))
    first = reader.read(frame_of(board_of_discs([*EMPTY[:5], "...x..."])))
    second = reader.read(frame_of(board_of_discs([*EMPTY[:5], "..ox..."])))
    assert first.grid[5].tolist() == [0, 0, 0, 1, 0, 0, 0]
    assert second.grid[5].tolist() == [0, 0, 2, 1, 0, 0, 0]


def test_a_calibration_with_faces_comes_back_from_toml() -> None:
    calibration = locate(frame_of(board_of_discs([*EMPTY[:4], "...o...", "..oxx.."])), "connect_four")
    assert load_calibration(dump_calibration(calibration)) == calibration


def test_every_column_of_connect_four_can_be_clicked() -> None:
    calibration = locate(frame_of(board_of_discs(EMPTY)), "connect_four")
    assert [round(calibration.controls[f"column:{col}"].x) for col in range(7)] == [130 + 60 * col for col in range(7)]


def test_a_grid_with_grooves_has_two_places_a_cell_less_one() -> None:
    frame, truth = drawn("quoridor", 0)
    observation = Reader(locate(frame, "quoridor")).read(frame)
    assert observation.grid.shape == (2 * truth["rows"] - 1, 2 * truth["cols"] - 1)
    assert int((observation.grid[::2, ::2] > 0).sum()) == 2


def test_a_bare_square_field_is_a_fresh_blokus_board_only_where_blokus_was_asked_for() -> None:
    pixels = np.full((480, 640, 3), 225, np.uint8)
    pixels[40:432, 120:512] = (212, 212, 150)
    assert locate(frame_of(pixels), "blokus").lattice.rows == 14
    with pytest.raises(BoardNotFoundError):
        locate(frame_of(pixels))
