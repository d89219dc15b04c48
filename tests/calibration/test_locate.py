"""A board drawn anywhere is found, read and described, whatever its skin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bench.pictures.painted import frame_of
from calibration.board import Calibration, dump_calibration, load_calibration
from calibration.frame import Pixels
from calibration.locate import BoardNotFoundError, locate
from calibration.looks import reader_of
from games import flood_it
from games.core import SettingsError

PALETTE = ((220, 40, 50), (40, 120, 220), (60, 180, 75), (245, 200, 40), (150, 60, 190), (240, 130, 40))


def drawn(
    grid: Sequence[Sequence[int]], *, pitch: float = 28.0, gap: int = 0, scale: float = 1.0, noise: int = 0
) -> Pixels:
    """A desktop of 960 x 640 points with `grid` on it at (300, 90), drawn here and nowhere else in Boardsight."""
    pixels = np.full((int(640 * scale), int(960 * scale), 3), (236, 238, 241), np.uint8)
    pixels[: int(40 * scale)] = (60, 64, 72)
    for row, kinds in enumerate(grid):
        for col, kind in enumerate(kinds):
            top, left = ((90 + pitch * row) * scale, (300 + pitch * col) * scale)
            bottom, right = (top + (pitch - gap) * scale, left + (pitch - gap) * scale)
            pixels[round(top) : round(bottom), round(left) : round(right)] = PALETTE[kind]
    shaken = pixels.astype(int) + np.random.default_rng(5).integers(-noise, noise + 1, pixels.shape)
    return np.clip(shaken, 0, 255).astype(np.uint8)


def same_up_to_names(seen: Sequence[Sequence[int]], truth: Sequence[Sequence[int]]) -> bool:
    pairs = {(a, b) for one, other in zip(seen, truth, strict=True) for a, b in zip(one, other, strict=True)}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("gap", [0, 2])
@pytest.mark.parametrize("pitch", [28.14])
def test_what_is_shown_is_read_back(scale: float, gap: int, pitch: float) -> None:
    state = flood_it.GAME.deal(np.random.default_rng(3))
    frame = frame_of(drawn(state.grid, pitch=pitch, gap=gap, scale=scale, noise=3))
    calibration = locate(frame, "flood_it")
    seen = reader_of(calibration).read(frame).grid.tolist()
    assert same_up_to_names(seen, state.grid)


def test_a_picture_without_a_board_says_what_was_seen() -> None:
    frame = frame_of(drawn([]))
    with pytest.raises(BoardNotFoundError, match="960x640") as caught:
        locate(frame, "flood_it")
    assert caught.value.picture.shape[1] == frame.width
    assert caught.value.picture.shape[0] > frame.height


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    state = flood_it.GAME.deal(np.random.default_rng(3))
    return locate(frame_of(drawn(state.grid)), "flood_it")


def test_a_calibration_survives_its_text(calibration: Calibration) -> None:
    assert load_calibration(dump_calibration(calibration)) == calibration


@pytest.mark.parametrize(
    ("wrong", "right", "named"),
    [
        ("version = 9", "version = 2", "version"),
        ("rows = 0", "rows = 14", "rows"),
        ("game = 7", 'game = "flood_it"', "game"),
    ],
)
def test_a_broken_calibration_names_its_key(calibration: Calibration, wrong: str, right: str, named: str) -> None:
    text = dump_calibration(calibration)
    assert right in text
    with pytest.raises(SettingsError, match=named):
        load_calibration(text.replace(right, wrong))
