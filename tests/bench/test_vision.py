"""The eye's trainers: what they draw and ask for is true, and what they write answers in OpenCV as it was fitted."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from bench.pictures import draw_picture, flooding
from bench.vision.confidence import rows_of
from bench.vision.detector import DetectorNetwork, export, fit, mixed, shipped
from bench.vision.samples import FINEST, NONE, PART, Truth, answer_of, keep, kept, load, part_of, truth_of
from calibration.detect import CELLS, KINDS, PLANS, WEIGHTS, Glance, Place
from calibration.frame import Box, Pixel
from calibration.lattice import fitted


def spotted(truth: Truth, size: tuple[int, int] = (700, 500)) -> np.ndarray:
    """A grey page with a bright spot on the middle of each cell."""
    pixels = np.full((size[1], size[0], 3), 40, np.uint8)
    for row in range(truth.rows):
        for col in range(truth.cols):
            x, y = truth.origin[0] + col * truth.pitch[0], truth.origin[1] + row * truth.pitch[1]
            pixels[int(y) - 3 : int(y) + 3, int(x) - 3 : int(x) + 3] = 250
    return pixels


def test_a_part_of_a_picture_has_its_middles_where_its_cells_are() -> None:
    truth = Truth(1, (60.0, 80.0), (40.0, 30.0), 12, 15, ())
    pixels, seen = spotted(truth), 0
    for seed in range(12):
        part, told = part_of(pixels, truth, np.random.default_rng(seed))
        shown = part.astype(float) - np.median(part, axis=(0, 1))
        rows, cols = np.nonzero(answer_of(told).heat == 1)
        for row, col in zip(rows, cols, strict=True):
            top, left = CELLS * row, CELLS * col
            seen += 1
            assert np.abs(shown[top : top + CELLS, left : left + CELLS]).max() > 30
    assert seen > 200


def test_covered_and_tiny_cells_are_neither_right_nor_wrong() -> None:
    truth = Truth(2, (100.0, 100.0), (24.0, 24.0), 6, 7, ((2, 3),))
    answer = answer_of(truth)
    covered = int((100 + 2 * 24) // CELLS), int((100 + 3 * 24) // CELLS)
    assert answer.heeded[covered] == 0
    assert (answer.heeded == 0).sum() == 36
    assert set(np.unique(answer.kind)) == {0, 2}
    assert (answer.kind > 0).sum() * PLANS**2 == pytest.approx(24 * 24 * 42, rel=0.15)
    tiny = answer_of(Truth(1, (100.0, 100.0), (FINEST - 1, FINEST - 1), 14, 14, ()))
    assert tiny.heeded[tiny.heat > 0.5].max() == 0
    assert answer_of(NONE).heat.max() == 0


def test_rows_that_the_window_cuts_off_are_no_board_to_an_eye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flooding, "CUT_OFF", 1.0)
    lost = 0
    for seed in range(4):
        picture = draw_picture("flood_it", np.random.default_rng([seed, 74]), size=0.5)
        told, truth = picture.truth, truth_of(picture)
        shown = np.ones((truth.rows, truth.cols), bool)
        shown[tuple(np.array(truth.hidden, int).reshape(-1, 2).T)] = False
        assert shown.any(axis=0).all()
        assert shown.any(axis=1).all()
        middles = np.argwhere(shown)[:, ::-1] * truth.pitch + truth.origin
        whole = np.ones((told["rows"], told["cols"]), bool)
        whole[tuple(np.array(told["hidden_cells"], int).reshape(-1, 2).T)] = False
        assert np.abs(middles - np.array(told["cells"])[whole]).max() < 0.1
        lost += whole.size - shown.size
    assert lost


def test_pictures_are_drawn_once_and_alike(tmp_path: Path) -> None:
    keep(tmp_path / "one", 3, 5)
    first = [path.stat().st_mtime_ns for path in kept(tmp_path / "one")]
    keep(tmp_path / "one", 3, 5)
    assert [path.stat().st_mtime_ns for path in kept(tmp_path / "one")] == first
    keep(tmp_path / "two", 3, 5, processes=2)
    for one, two in zip(kept(tmp_path / "one"), kept(tmp_path / "two"), strict=True):
        assert np.array_equal(load(one)[0], load(two)[0])
        assert load(one)[1] == load(two)[1]


@pytest.mark.slow
def test_a_fit_goes_on_where_it_stopped_and_opencv_answers_as_it_does(tmp_path: Path) -> None:
    keep(tmp_path / "pictures", 4, 6)
    fit(tmp_path / "pictures", tmp_path, seed=1, steps=2)
    detector = fit(tmp_path / "pictures", tmp_path, seed=1, steps=3, processes=2)
    assert [line.split(",")[0] for line in (tmp_path / "log.txt").read_text().splitlines()] == ["step 2", "step 3"]
    assert export(detector, tmp_path / "detector.onnx") < 1e-3
    assert sum(weights.numel() for weights in DetectorNetwork().parameters()) < 310_000
    assert PART[0] % PLANS == PART[1] % PLANS == 0


def test_what_is_shipped_can_be_gone_on_from_and_mixed_with_what_was_learned(tmp_path: Path) -> None:
    known = shipped(WEIGHTS)
    export(mixed(known, known, 0.6), tmp_path / "again.onnx")
    again = shipped(tmp_path / "again.onnx").state_dict()
    assert all(torch.allclose(part, again[name], atol=1e-6) for name, part in known.state_dict().items())


@pytest.mark.parametrize("game", ["flood_it", "connect_four", "blokus", "quoridor", "reversi"])
def test_a_lattice_fitted_to_what_a_perfect_eye_sees_is_the_boards(game: str) -> None:
    for seed in range(3):
        picture = draw_picture(game, np.random.default_rng([77, seed]))
        truth, (height, width) = truth_of(picture), picture.pixels.shape[:2]
        lattice = fitted(_seen(truth, width, height), picture.pixels)
        assert lattice is not None
        assert (lattice.rows, lattice.cols) == (truth.rows, truth.cols)
        far = np.array([[0, 0], [lattice.cols - 1, lattice.rows - 1]])
        ours, theirs = (np.array(one.origin) + far * np.array(one.pitch) for one in (lattice, truth))
        assert np.abs((ours - theirs) / np.array(truth.pitch)).max() < 0.12


def test_lines_tell_a_pitch_that_an_eye_has_wrong_by_a_quarter_of_a_cell_in_all_of_a_board() -> None:
    pixels = np.full((560, 700, 3), 200, np.uint8)
    for at in range(21):
        pixels[80 + 20 * at, 100:500] = pixels[80:480, 100 + 20 * at] = 60
    seen = Truth(KINDS.index("squares"), (110.0, 87.5), (20.0, 20.26), 20, 20, ())
    lattice = fitted(_seen(seen, 700, 560), pixels)
    assert lattice is not None
    assert lattice.pitch == pytest.approx((20, 20), abs=0.05)


@pytest.mark.parametrize(("game", "look"), [("filler", "coloured"), ("connect_four", "discs")])
def test_of_the_boards_proposed_for_a_picture_the_right_one_is_told(game: str, look: str) -> None:
    rows = rows_of("one", draw_picture(game, np.random.default_rng([78, 0])))
    assert any(row["right"] for row in rows if row["look"] == look)


def _seen(truth: Truth, width: int, height: int) -> Place:
    """A board as a network sees it that knows everything but its pitch, of which it has an eighth too much."""
    small = min(truth.pitch) / 18
    wide, high = (round(side / small / PLANS) * PLANS for side in (width, height))
    factor = width / wide, height / high
    answer = answer_of(truth.resized(1 / factor[0], 1 / factor[1]), (wide, high))
    kinds = np.eye(len(KINDS), dtype=np.float32)[answer.kind].transpose(2, 0, 1)
    pitch = 1.12 * truth.pitch[0], 1.12 * truth.pitch[1]
    glance = Glance(answer.heat, kinds, np.ones((2, *answer.kind.shape), np.float32), factor, Pixel(0, 0))
    x, y, cols, rows = cv2.boundingRect((answer.kind > 0).astype(np.uint8))
    box = Box(*(PLANS * by * value for by, value in zip(2 * factor, (x, y, cols, rows), strict=True)))
    return Place(box, pitch, kinds.mean(axis=(1, 2)), glance)
