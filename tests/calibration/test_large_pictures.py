"""Pictures larger than any screen are looked at in bounded time and memory, and boards in them found as exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.pictures.painted import frame_of
from bot.cli import main
from bot.screens.drawn.screen import DrawnScreen
from bot.storage.pictures import save_picture
from calibration import locate as locating
from calibration.board import Calibration
from calibration.frame import Frame, Pixel, Pixels
from calibration.locate import BoardNotFoundError, locate
from calibration.looks import reader_of
from calibration.scene import Scene
from games import find_game
from games.core import Cell, Options

MOST = 4_096 * 4_096
GAMES = {"flood_it": Options(), "connect_four": Options(), "quoridor": Options(), "blokus": Options()}


def screenshot(game: str) -> tuple[Pixels, Calibration]:
    """A drawn board, with its buttons if it has any, and where it is."""
    found = find_game(game)
    screen = DrawnScreen(found, found.deal(np.random.default_rng(2), GAMES[game]))
    return screen.grab().pixels, screen.calibration()


def laid(shot: Pixels, size: int, corner: tuple[int, int]) -> Frame:
    """A picture of `size` pixels across and down with `shot` at `corner`, x and y."""
    pixels = np.full((size, size, 3), (58, 62, 70), np.uint8)
    pixels[corner[1] : corner[1] + shot.shape[0], corner[0] : corner[0] + shot.shape[1]] = shot
    return frame_of(pixels)


def agrees(seen: Calibration, truth: Calibration) -> bool:
    """Whether both have the same cells, each within 0.1 of a pitch."""
    sizes = [(each.lattice.rows, each.lattice.cols) for each in (seen, truth)]
    corners = [Cell(0, 0), Cell(truth.lattice.rows - 1, truth.lattice.cols - 1)]
    apart = [
        abs(a - b) / truth.lattice.pitch[0]
        for corner in corners
        for a, b in zip(seen.find(corner), truth.find(corner), strict=True)
    ]
    return sizes[0] == sizes[1] and max(apart) <= 0.1


@pytest.fixture
def scenes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pixels of every picture that is looked at in full."""
    seen: list[int] = []

    class Counted(Scene):
        def __init__(self, frame: Frame, *step: int) -> None:
            seen.append(frame.width * frame.height)
            super().__init__(frame, *step)

    monkeypatch.setattr(locating, "Scene", Counted)
    return seen


def test_a_board_in_the_largest_picture_is_found_without_looking_at_all_of_it_in_full(scenes: list[int]) -> None:
    shot, truth = screenshot("flood_it")
    seen = locate(laid(shot, 8_192, (3_001, 4_003)), "flood_it")
    assert agrees(seen, truth.moved(Pixel(3_001, 4_003)))
    assert seen.size == (8_192, 8_192)
    assert max(scenes) <= MOST


@pytest.mark.parametrize("game", GAMES)
def test_a_board_in_a_large_picture_is_the_one_that_a_small_picture_shows(
    game: str, scenes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    shot, truth = screenshot(game)
    small = locate(frame_of(shot), game)
    monkeypatch.setattr(locating, "AT_ONCE", 2_400_000)
    frame = laid(shot, 2_801, (407, 1_203))
    seen = locate(frame, game)
    assert agrees(seen, truth.moved(Pixel(407, 1_203)))
    assert max(scenes) <= 2_400_000
    assert seen.controls.keys() == small.controls.keys()
    near = max(seen.lattice.pitch) / 2  # a piece is pointed at in one of its squares
    for name, at in seen.controls.items():
        assert max(abs(at.x - 407 - small.controls[name].x), abs(at.y - 1_203 - small.controls[name].y)) < near, name
    assert (reader_of(seen).read(frame).grid == reader_of(small).read(frame_of(shot)).grid).all()


def test_a_board_that_fills_a_large_picture_is_found_as_its_copy_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shot, truth = screenshot("flood_it")
    monkeypatch.setattr(locating, "AT_ONCE", shot.shape[0] * shot.shape[1])
    frame = frame_of(np.repeat(np.repeat(shot, 2, axis=0), 2, axis=1))
    seen = locate(frame, "flood_it")
    small = locate(frame_of(shot), "flood_it")
    assert seen.controls == {name: Pixel(2 * at.x, 2 * at.y) for name, at in small.controls.items()}
    assert agrees(seen, truth.enlarged(2, (frame.width, frame.height)))


def test_a_large_picture_without_a_board_says_that_a_copy_was_looked_at() -> None:
    frame = frame_of(np.full((8_192, 4_097, 3), 70, np.uint8))
    with pytest.raises(BoardNotFoundError, match=r"a copy of 1/2 its size .* less than 12 pixels .* only the part"):
        locate(frame)


def test_a_person_is_told_that_a_large_picture_takes_long(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot, _ = screenshot("connect_four")
    save_picture(tmp_path / "shot.png", shot)
    assert main(["read", str(tmp_path / "shot.png"), "--json"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(locating, "AT_ONCE", 500_000)
    assert main(["read", str(tmp_path / "shot.png"), "--json"]) == 0
    assert "pixels: to find a board in so many takes seconds" in capsys.readouterr().err
