"""Patches of cells taken from picture after picture."""

from __future__ import annotations

import numpy as np

from calibration.board import Lattice
from calibration.cell_patches import PatchSampler, cell_patches, median
from calibration.frame import Pixel

LATTICE = Lattice(Pixel(31.3, 27.8), (20.4, 19.7), 6, 7)
REACH = (0.45, 0.4)


def test_faces_taken_one_after_the_other_are_those_of_each_picture_alone() -> None:
    rng = np.random.default_rng(5)
    pixels = rng.integers(0, 256, (150, 190, 3), dtype=np.uint8)
    sampler = PatchSampler(LATTICE, REACH)
    for _ in range(40):
        pixels = pixels.copy()
        top, left = int(rng.integers(0, 148)), int(rng.integers(0, 188))
        pixels[top : top + int(rng.integers(1, 30)), left : left + int(rng.integers(1, 30))] = rng.integers(0, 256, 3)
        assert np.array_equal(sampler.take(pixels), cell_patches(pixels, LATTICE, REACH))
    larger = np.pad(pixels, ((0, 9), (0, 5), (0, 0)))
    assert np.array_equal(sampler.take(larger), cell_patches(larger, LATTICE, REACH))


def test_what_changes_beside_the_cells_leaves_the_very_same_patches() -> None:
    pixels = np.random.default_rng(5).integers(0, 256, (150, 190, 3), dtype=np.uint8)
    sampler = PatchSampler(LATTICE, REACH)
    before, beside = sampler.take(pixels), pixels.copy()
    beside[30:100, 175:] = 0
    assert sampler.take(beside) is before


def test_the_median_is_numpys() -> None:
    values = np.random.default_rng(6).integers(0, 256, (7, 8, 3)).astype(np.float32)
    for axis in (0, 1, 2):
        assert np.array_equal(median(values, axis), np.median(values, axis=axis))
