"""What became of a calibrated board is said in the right word, for every game."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from bench.pictures import draw_picture
from calibration.board import Calibration, dump_calibration, load_calibration
from calibration.check import check
from calibration.frame import Frame, Pixels, Rect
from calibration.locate import ENOUGH, BoardNotFoundError, locate
from calibration.looks import reader_of

GAMES = ("flood_it", "filler", "connect_four", "blokus", "quoridor")
DESK = (1100, 1500, 3)


def on_desk(window: Pixels, *, left: int = 40, top: int = 30) -> Frame:
    """A plain desktop with a window on it."""
    pixels = np.full(DESK, (52, 60, 72), np.uint8)
    pixels[top : top + len(window), left : left + len(window[0])] = window
    return Frame(pixels, Rect(0, 0, DESK[1], DESK[0]))


@pytest.fixture(scope="module", params=GAMES)
def known(request: pytest.FixtureRequest) -> tuple[Pixels, Calibration]:
    """A window whose board shows whole and is found where it is, and its calibration, saved and loaded."""
    number = GAMES.index(request.param)
    for seed in range(60):
        picture = draw_picture(request.param, np.random.default_rng([seed, number, 31]))
        window, truth = picture.pixels, picture.truth
        if len(window) <= 850 and len(window[0]) <= 1100 and not truth["hidden_cells"]:
            try:
                found = locate(on_desk(window), request.param)
            except BoardNotFoundError:
                continue
            shift = np.subtract(found.lattice.origin, truth["cells"][0][0]) - (40, 30)
            if found.confidence < ENOUGH:
                continue  # told by its buttons alone
            if (found.lattice.rows, found.lattice.cols) == (truth["rows"], truth["cols"]) and np.hypot(*shift) < 1:
                return window, load_calibration(dump_calibration(found))
    raise AssertionError("no drawn window is small enough")


def covered(window: Pixels, calibration: Calibration) -> Frame:
    frame = on_desk(window)
    x, y, width, height = (round(value) for value in calibration.lattice.box)
    part = frame.pixels[y - 9 : y + height // 2, x - 9 : x + width // 2]
    part[:] = np.linspace(90, 250, part.shape[1], dtype=np.uint8)[None, :, None]
    return frame


CHANGES: dict[str, Callable[[Pixels, Calibration], Frame]] = {
    "good": lambda window, _: on_desk(window),
    "moved": lambda window, _: on_desk(window, left=287, top=191),
    "scaled": lambda window, _: on_desk(cv2.resize(window, None, fx=1.25, fy=1.25).astype(np.uint8)),
    "recoloured": lambda window, _: on_desk(255 - np.roll(window, 1, axis=2)),
    "covered": covered,
    "gone": lambda window, _: on_desk(np.full_like(window, 236)),
}


@pytest.mark.slow
@pytest.mark.parametrize("verdict", CHANGES)
def test_the_word_fits_what_happened(known: tuple[Pixels, Calibration], verdict: str) -> None:
    window, calibration = known
    told = check(CHANGES[verdict](window, calibration), calibration)
    assert told.verdict == verdict, told.evidence
    assert told.evidence


@pytest.mark.slow
def test_a_moved_board_is_read_as_before(known: tuple[Pixels, Calibration]) -> None:
    window, calibration = known
    before, after = on_desk(window), on_desk(window, left=287, top=191)
    moved = locate(after, calibration.game, near=calibration)
    assert np.subtract(moved.lattice.origin, calibration.lattice.origin) == pytest.approx((247, 161), abs=1.5)
    assert np.array_equal(reader_of(moved).read(after).grid, reader_of(calibration).read(before).grid)
