"""The picture of what was seen: the screen with the board's lattice, kinds, controls and doubts drawn over it."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.answer import summary
from calibration.board import Calibration, Colour
from calibration.frame import Frame, Pixel, Pixels
from calibration.looks import look_named, reader_of
from games.core import BLOCKED, UNREAD, Cell, Observation

ACCENT: Colour = (255, 0, 128)
"""The frame, the lattice's corners and the controls: a colour that boards hardly use."""

DOUBT: Colour = (255, 150, 0)
WRONG: Colour = (255, 0, 0)
"""The rings of doubtful cells and the crosses of cells that were not read."""

DOUBTFUL = 0.5
"""Cells below this confidence are ringed in DOUBT."""

ROOM_FOR_DIGITS = 18.0
"""Pitch in pixels from which a kind's number can be read in its cell; smaller cells get a dot."""


def overlay(frame: Frame, calibration: Calibration, observation: Observation | None = None) -> Pixels:
    """uint8[height, width, 3]: `frame`, darkened beside the board, with everything that is known drawn over it.

    Each cell that holds something shows the number of its kind (a dot where it is small), ringed where it is doubtful,
    crossed where it was not read; each wall a line, each control its name; the caption says game, size and confidence.
    """
    seen = reader_of(calibration).read(frame) if observation is None else observation
    shown = _darkened(frame.pixels, calibration)
    _draw_lattice(shown, calibration)
    grooved = seen.grid.shape[0] != calibration.lattice.rows
    for cell, kind, confidence in _kinds(seen, empty=not look_named(calibration.look).filled):
        if grooved and (cell.row % 2 or cell.col % 2):
            _draw_wall(shown, _centre(calibration, seen, cell), calibration, upright=cell.row % 2 == 0)
        else:
            _draw_kind(shown, _centre(calibration, seen, cell), calibration, kind, confidence)
    for name, at in calibration.controls.items():
        _draw_control(shown, at, name)
    if calibration.start is not None:
        at = calibration.lattice.centre(calibration.start)
        side = round(0.42 * min(calibration.lattice.pitch))
        cv2.rectangle(shown, *_corners(at, side), ACCENT, 2, cv2.LINE_AA)
    _draw_caption(shown, calibration, seen)
    return shown


def _darkened(pixels: Pixels, calibration: Calibration) -> Pixels:
    """The picture with everything but the board and the controls at two thirds of its brightness."""
    shown = (pixels * np.float32(0.68)).astype(np.uint8)
    lattice = calibration.lattice
    reach = 0.6 * min(lattice.pitch)
    boxes = [(lattice.box.x, lattice.box.y, lattice.box.x + lattice.box.width, lattice.box.y + lattice.box.height)]
    boxes += [(at.x - reach, at.y - reach, at.x + reach, at.y + reach) for at in calibration.controls.values()]
    for box in boxes:
        left, top, right, bottom = (max(0, round(value)) for value in box)
        shown[top:bottom, left:right] = pixels[top:bottom, left:right]
    return shown


def _draw_lattice(shown: Pixels, calibration: Calibration) -> None:
    lattice = calibration.lattice
    x, y, width, height = lattice.box
    lines = [(x + col * lattice.pitch[0], y, x + col * lattice.pitch[0], y + height) for col in range(lattice.cols + 1)]
    lines += [(x, y + row * lattice.pitch[1], x + width, y + row * lattice.pitch[1]) for row in range(lattice.rows + 1)]
    veil = shown.copy()
    for line in lines:
        left, top, right, bottom = map(round, line)
        cv2.line(veil, (left, top), (right, bottom), (0, 0, 0), 1)
    cv2.addWeighted(veil, 0.35, shown, 0.65, 0, dst=shown)
    box = (round(x), round(y)), (round(x + width), round(y + height))
    cv2.rectangle(shown, *box, ACCENT, 2, cv2.LINE_AA)


def _kinds(seen: Observation, *, empty: bool) -> list[tuple[Cell, int, float]]:
    """Each place, its kind and its confidence; only those that hold something, where 0 is an empty place."""
    return [
        (Cell(int(row), int(col)), int(kind), float(seen.confidence[row, col]))
        for (row, col), kind in np.ndenumerate(seen.grid)
        if kind or not empty
    ]


def _centre(calibration: Calibration, seen: Observation, cell: Cell) -> Pixel:
    """The middle of an observed place: grids with grooves have a place between each two cells."""
    lattice = calibration.lattice
    if seen.grid.shape == (lattice.rows, lattice.cols):
        return lattice.centre(cell)
    across, down = lattice.pitch
    return Pixel(lattice.origin.x + cell.col * across / 2, lattice.origin.y + cell.row * down / 2)


def _draw_kind(shown: Pixels, at: Pixel, calibration: Calibration, kind: int, confidence: float) -> None:
    pitch = min(calibration.lattice.pitch)
    place, radius = (round(at.x), round(at.y)), max(2, round(pitch / 8))
    if kind in (UNREAD, BLOCKED):
        colour = WRONG if kind == UNREAD else (128, 128, 128)
        cv2.drawMarker(shown, place, colour, cv2.MARKER_TILTED_CROSS, 2 * radius, 2, cv2.LINE_AA)
        return
    if confidence < DOUBTFUL:
        cv2.circle(shown, place, round(pitch / 3), DOUBT, 2, cv2.LINE_AA)
    if pitch >= ROOM_FOR_DIGITS:
        _write(shown, str(kind), place, size=min(0.9, pitch / 60))
    else:
        cv2.circle(shown, place, radius, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(shown, place, max(1, radius - 1), calibration.palette[kind], -1, cv2.LINE_AA)


def _draw_wall(shown: Pixels, at: Pixel, calibration: Calibration, *, upright: bool) -> None:
    """The part of a wall between two cells, or over a crossing."""
    across, down = (pitch / 4 for pitch in calibration.lattice.pitch)
    reach = (0.0, down) if upright else (across, 0.0)
    ends = [(round(at.x + side * reach[0]), round(at.y + side * reach[1])) for side in (-1, 1)]
    cv2.line(shown, ends[0], ends[1], ACCENT, 2, cv2.LINE_AA)


def _draw_control(shown: Pixels, at: Pixel, name: str) -> None:
    place = round(at.x), round(at.y)
    cv2.circle(shown, place, 13, (255, 255, 255), -1, cv2.LINE_AA)
    cv2.circle(shown, place, 13, ACCENT, 2, cv2.LINE_AA)
    _write(shown, name.rpartition(":")[2][:3], place, size=0.5, ink=(0, 0, 0), halo=(255, 255, 255))


def _draw_caption(shown: Pixels, calibration: Calibration, seen: Observation) -> None:
    lattice = calibration.lattice
    text = f"{summary(calibration, seen)}, confidence {calibration.confidence:.3f}"
    size = max(0.5, shown.shape[1] / 2400)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, bottom = max(0, round(lattice.box.x) - 1), max(height + 12, round(lattice.box.y))
    cv2.rectangle(shown, (left, bottom - height - 12), (left + width + 14, bottom), ACCENT, -1)
    cv2.putText(shown, text, (left + 7, bottom - 7), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 1, cv2.LINE_AA)


def _write(
    shown: Pixels,
    text: str,
    middle: tuple[int, int],
    *,
    size: float,
    ink: Colour = (255, 255, 255),
    halo: Colour = (0, 0, 0),
) -> None:
    """Text round its middle, legible on every colour."""
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    at = middle[0] - width // 2, middle[1] + height // 2
    cv2.putText(shown, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, halo, 3, cv2.LINE_AA)
    cv2.putText(shown, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)


def _corners(at: Pixel, reach: int) -> tuple[tuple[int, int], tuple[int, int]]:
    x, y = round(at.x), round(at.y)
    return (x - reach, y - reach), (x + reach, y + reach)
