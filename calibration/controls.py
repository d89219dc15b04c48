"""Colour buttons: the row or column of equal blobs beside the board that shows its colours once each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.board import Calibration
from calibration.frame import Box, Pixel, Pixels

SMALLEST = 10
"""Pixels. A smaller patch of colour is a legend, not a button."""

LARGEST = 4.0
"""Pitches of the board. Nothing larger is a colour button."""

FILLED = 0.6
"""The share of its box that a button fills: a disc fills 0.79, a rounded square more."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A patch of one palette colour beside the board."""

    kind: int
    box: Box


def colour_buttons(pixels: Pixels, calibration: Calibration) -> Mapping[str, Pixel]:
    """The place to click for each colour, as ``"colour:k"``; empty where the game has no such buttons."""
    best: list[Blob] = []
    blobs = _blobs(pixels, calibration)
    for blob in blobs:
        for line in (_row(blob, blobs), _column(blob, blobs)):
            if _worth(line) > _worth(best):
                best = line
    kinds = {blob.kind for blob in best}
    if len(kinds) < max(2, len(calibration.palette) - 2):
        return {}
    return {f"colour:{blob.kind}": blob.box.centre for blob in sorted(best, key=lambda blob: blob.kind)}


def _worth(line: list[Blob]) -> tuple[int, int, float]:
    """More colours first, then fewer doubles, then larger blobs."""
    kinds = len({blob.kind for blob in line})
    return kinds, kinds - len(line), sum(blob.box.width * blob.box.height for blob in line)


def _row(first: Blob, blobs: list[Blob]) -> list[Blob]:
    return [blob for blob in blobs if _alike(first, blob) and abs(blob.box.centre.y - first.box.centre.y) <= 3]


def _column(first: Blob, blobs: list[Blob]) -> list[Blob]:
    return [blob for blob in blobs if _alike(first, blob) and abs(blob.box.centre.x - first.box.centre.x) <= 3]


def _alike(one: Blob, other: Blob) -> bool:
    wide, high = one.box.width / other.box.width, one.box.height / other.box.height
    return 0.85 <= wide <= 1.18 and 0.85 <= high <= 1.18


def _blobs(pixels: Pixels, calibration: Calibration) -> list[Blob]:
    pitch = max(calibration.lattice.pitch)
    left, top, width, height = (round(value) for value in calibration.lattice.box)
    found = []
    for kind, colour in enumerate(calibration.palette):
        low, high = np.clip(np.subtract(colour, 10), 0, 255), np.clip(np.add(colour, 10), 0, 255)
        mask = cv2.inRange(pixels, low, high)
        mask[max(0, top) : max(0, top + height), max(0, left) : max(0, left + width)] = 0
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        sizes = stats[1:count]
        fits = (
            (sizes[:, 2] >= SMALLEST)
            & (sizes[:, 3] >= SMALLEST)
            & (sizes[:, 2] <= LARGEST * pitch)
            & (sizes[:, 3] <= LARGEST * pitch)
            & (sizes[:, 4] >= FILLED * sizes[:, 2] * sizes[:, 3])
        )
        found += [Blob(kind, Box(*(float(value) for value in row[:4]))) for row in sizes[fits]]
    return found
