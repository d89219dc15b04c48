"""The picture of what was seen: the screen with the board's lattice, kinds, controls and doubts drawn over it."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.answer import summary
from calibration.board import Calibration, Colour
from calibration.frame import Box, Frame, Pixel, Pixels
from calibration.looks import look_named, reader_of
from calibration.unchanged import slices_of
from games.core import BLOCKED, UNREAD, Cell, Observation

ACCENT: Colour = (255, 0, 128)
"""The frame, the lattice's corners and the controls: a colour that boards hardly use."""

DOUBT: Colour = (255, 150, 0)
WRONG: Colour = (255, 0, 0)
"""The rings of doubtful cells and the crosses of cells that were not read."""

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)

DOUBTFUL = 0.5
"""Cells below this confidence are ringed in DOUBT."""

ROOM_FOR_DIGITS = 18.0
"""Pitch in pixels from which a kind's number can be read in its cell; smaller cells get a dot."""

FONT = cv2.FONT_HERSHEY_SIMPLEX


def overlay(frame: Frame, calibration: Calibration, observation: Observation | None = None) -> Pixels:
    """uint8[height, width, 3]: `frame`, darkened beside the board, with everything that is known drawn over it.

    Each cell that holds something shows the number of its kind (a dot where it is small), ringed where it is doubtful,
    crossed where it was not read; each wall a line, each control its name; the caption says game, size and confidence.
    """
    seen = reader_of(calibration).read(frame) if observation is None else observation
    shown, lattice = _darkened(frame.pixels, calibration), calibration.lattice
    _draw_lattice(shown, calibration)
    step = lattice.grid_step(seen.grid)
    for (row, col), kind in np.ndenumerate(seen.grid):
        if not kind and not look_named(calibration.look).filled:
            continue
        across, down = (pitch / step for pitch in lattice.pitch)
        at = Pixel(lattice.origin.x + col * across, lattice.origin.y + row * down)
        if row % step or col % step:  # the part of a wall between two cells, or over a crossing
            reach = (0.0, down / 2) if row % 2 == 0 else (across / 2, 0.0)
            _line(shown, Pixel(at.x - reach[0], at.y - reach[1]), Pixel(at.x + reach[0], at.y + reach[1]))
        else:
            _draw_kind(shown, at, calibration, int(kind), float(seen.confidence[row, col]))
    for name, at in calibration.controls.items():
        cv2.circle(shown, _whole(at), 13, WHITE, -1, cv2.LINE_AA)
        cv2.circle(shown, _whole(at), 13, ACCENT, 2, cv2.LINE_AA)
        _write(shown, name.rpartition(":")[2][:3], at, size=0.5, ink=BLACK, halo=WHITE)
    if calibration.start is not None:
        at, side = lattice.centre(calibration.start), round(0.42 * min(lattice.pitch))
        _frame(shown, Box(at.x - side, at.y - side, 2 * side, 2 * side))
    _draw_caption(shown, calibration, seen)
    return shown


def _darkened(pixels: Pixels, calibration: Calibration) -> Pixels:
    """The picture with everything but the board and the controls at two thirds of its brightness."""
    shown = (pixels * np.float32(0.68)).astype(np.uint8)
    reach = 0.6 * min(calibration.lattice.pitch)
    controls = (Box(at.x - reach, at.y - reach, 2 * reach, 2 * reach) for at in calibration.controls.values())
    for part in map(slices_of, (calibration.lattice.box, *controls)):
        shown[part] = pixels[part]
    return shown


def _draw_lattice(shown: Pixels, calibration: Calibration) -> None:
    corners, veil = calibration.lattice.corners, shown.copy()
    for row in range(corners.rows):
        _line(veil, corners.centre(Cell(row, 0)), corners.centre(Cell(row, corners.cols - 1)), BLACK, 1)
    for col in range(corners.cols):
        _line(veil, corners.centre(Cell(0, col)), corners.centre(Cell(corners.rows - 1, col)), BLACK, 1)
    cv2.addWeighted(veil, 0.35, shown, 0.65, 0, dst=shown)
    _frame(shown, calibration.lattice.box)


def _draw_kind(shown: Pixels, at: Pixel, calibration: Calibration, kind: int, confidence: float) -> None:
    pitch = min(calibration.lattice.pitch)
    place, radius = _whole(at), max(2, round(pitch / 8))
    if kind in (UNREAD, BLOCKED):
        colour = WRONG if kind == UNREAD else (128, 128, 128)
        cv2.drawMarker(shown, place, colour, cv2.MARKER_TILTED_CROSS, 2 * radius, 2, cv2.LINE_AA)
        return
    if confidence < DOUBTFUL:
        cv2.circle(shown, place, round(pitch / 3), DOUBT, 2, cv2.LINE_AA)
    if pitch >= ROOM_FOR_DIGITS:
        _write(shown, str(kind), at, size=min(0.9, pitch / 60))
    else:
        cv2.circle(shown, place, radius, WHITE, -1, cv2.LINE_AA)
        cv2.circle(shown, place, max(1, radius - 1), calibration.palette[kind], -1, cv2.LINE_AA)


def _draw_caption(shown: Pixels, calibration: Calibration, seen: Observation) -> None:
    text = f"{summary(calibration, seen)}, confidence {calibration.confidence:.3f}"
    size = max(0.5, shown.shape[1] / 2400)
    (width, height), _ = cv2.getTextSize(text, FONT, size, 1)
    left, top = _whole(Pixel(*calibration.lattice.box[:2]))
    left, bottom = max(0, left - 1), max(height + 12, top)
    cv2.rectangle(shown, (left, bottom - height - 12), (left + width + 14, bottom), ACCENT, -1)
    cv2.putText(shown, text, (left + 7, bottom - 7), FONT, size, WHITE, 1, cv2.LINE_AA)


def _write(shown: Pixels, text: str, middle: Pixel, *, size: float, ink: Colour = WHITE, halo: Colour = BLACK) -> None:
    """Text round its middle, legible on every colour."""
    (width, height), _ = cv2.getTextSize(text, FONT, size, 1)
    at = round(middle.x) - width // 2, round(middle.y) + height // 2
    cv2.putText(shown, text, at, FONT, size, halo, 3, cv2.LINE_AA)
    cv2.putText(shown, text, at, FONT, size, ink, 1, cv2.LINE_AA)


def _line(shown: Pixels, start: Pixel, end: Pixel, ink: Colour = ACCENT, thick: int = 2) -> None:
    cv2.line(shown, _whole(start), _whole(end), ink, thick, cv2.LINE_8 if thick == 1 else cv2.LINE_AA)


def _frame(shown: Pixels, box: Box) -> None:
    corner = _whole(Pixel(box.x + box.width, box.y + box.height))
    cv2.rectangle(shown, _whole(Pixel(box.x, box.y)), corner, ACCENT, 2, cv2.LINE_AA)


def _whole(at: Pixel) -> tuple[int, int]:
    return round(at.x), round(at.y)
