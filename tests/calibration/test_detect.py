"""The network that sees boards, as it is shipped, and the lattices fitted to what it sees."""

from __future__ import annotations

import hashlib
import tomllib

import cv2
import numpy as np
import pytest

from bench.pictures import Picture, draw_empty, draw_picture
from bench.pictures.judge import judge
from bench.pictures.painted import frame_of
from bench.vision.lattices import NEAR, away
from calibration.answer import described
from calibration.board import Lattice
from calibration.detect import WEIGHTS, Detector
from calibration.frame import Pixel
from calibration.lattice import fitted
from calibration.locate import locate
from calibration.settled import refined
from games import find_game


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    return [
        draw_picture(game, np.random.default_rng([4401, number]))
        for number in range(3)
        for game in ("flood_it", "filler", "connect_four", "quoridor")
    ]


def test_most_boards_are_seen_where_they_lie_and_as_they_are_drawn(pictures: list[Picture]) -> None:
    detector, placed, kinds = Detector(), 0, 0
    for picture in pictures:
        places = detector.places(picture.pixels)
        lattices = [fitted(place, picture.pixels) for place in places]
        placed += any(lattice is not None and away(lattice, picture) <= NEAR for lattice in lattices)
        kinds += any(place.kind == find_game(picture.truth["game"]).drawn for place in places)
    assert placed >= 0.7 * len(pictures)
    assert kinds >= 0.7 * len(pictures)


def test_nothing_is_seen_on_a_page_of_words() -> None:
    assert Detector().places(draw_empty(np.random.default_rng(5), "nothing").pixels) == []


@pytest.mark.parametrize(("count", "pitch"), [(3, 110), (9, 60), (14, 41)])
def test_lines_tell_to_a_part_of_a_pixel_where_cells_lie(count: int, pitch: int) -> None:
    pixels = np.full((700, 700, 3), 246, np.uint8)
    for at in range(1, count):
        line = 60 + pitch * at
        pixels[line - 1 : line + 1, 60 : 60 + pitch * count] = pixels[60 : 60 + pitch * count, line - 1 : line + 1] = 70
    off = pitch * (1 + 0.13 / count)
    found = refined(Lattice(Pixel(60 + 0.55 * off, 60 + 0.4 * off), (off, off), count, count), pixels)
    assert found.pitch == pytest.approx((pitch, pitch), abs=0.02)
    assert found.box[:2] == pytest.approx((60, 60), abs=0.15)


def test_cells_are_as_high_as_wide_where_a_few_discs_of_any_size_tell_less_of_their_height() -> None:
    wrong = []
    for seed in range(20):
        rng, pixels = np.random.default_rng(seed), np.full((520, 600, 3), 246, np.uint8)
        for at in range(60, 481, 60):
            pixels[59:421, at - 1 : at + 1] = 200
        for row, col in np.argwhere(rng.random((6, 7)) < 0.1).tolist():
            cv2.circle(pixels, (90 + 60 * col, 90 + 60 * row), int(rng.integers(14, 27)), (200, 40, 50), -1)
        found = refined(Lattice(Pixel(93, 86), (60.9, 60.6), 6, 7), pixels)
        wrong.append(max(abs(pitch - 60) for pitch in found.pitch))
    assert np.median(wrong) < 0.2


def test_a_board_is_found_that_nothing_but_the_network_leads_to() -> None:
    picture = draw_picture("flood_it", np.random.default_rng([8811, 50, 0]))
    frame = frame_of(picture.pixels)
    assert judge(picture.truth, described(frame, locate(frame, "flood_it")))[0] >= 2


def test_the_card_is_that_of_the_weights() -> None:
    card = tomllib.loads(WEIGHTS.with_suffix(".toml").read_text())
    assert card["sha256"] == hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert WEIGHTS.stat().st_size < 2_000_000
