"""A sequence of boards as one picture, to be read like a comic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from games.core import BLOCKED, Observation

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

PAPER = (250, 250, 248)
INK = (40, 40, 44)

PALETTE = (
    (214, 72, 76),
    (72, 118, 214),
    (244, 202, 84),
    (86, 172, 104),
    (152, 96, 190),
    (240, 144, 62),
    (96, 200, 208),
    (232, 140, 180),
    (128, 92, 66),
    (150, 154, 162),
    (60, 64, 72),
    (176, 212, 96),
    (28, 92, 92),
    (120, 32, 64),
    (200, 176, 140),
    (236, 236, 236),
)
"""The colours of kinds 0 to 15, told apart also by their lightness."""

BOARD = 168
"""The longer side of a board in pixels, nearly: cells are whole pixels."""

MARGIN = 12
CAPTION = 18


def storyboard(boards: Sequence[Observation], captions: Sequence[str], *, columns: int = 6) -> Image.Image:
    """The `boards`, at least one and all of one size, each under its caption, `columns` in a row."""
    from PIL import Image, ImageDraw

    rows, cols = boards[0].grid.shape
    cell = max(2, BOARD // max(rows, cols))
    columns = min(columns, len(boards))
    across, down = cols * cell + MARGIN, rows * cell + CAPTION + MARGIN
    size = (columns * across + MARGIN, math.ceil(len(boards) / columns) * down + MARGIN)
    picture = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(picture)
    for number, (board, caption) in enumerate(zip(boards, captions, strict=True)):
        left, top = MARGIN + number % columns * across, MARGIN + number // columns * down
        pen.text((left, top), caption, fill=INK)
        _draw_cells(pen, board, left, top + CAPTION, cell)
    return picture


def _draw_cells(pen: ImageDraw.ImageDraw, board: Observation, left: int, top: int, cell: int) -> None:
    gap = 1 if cell >= 8 else 0
    for (row, col), kind in np.ndenumerate(board.grid):
        if kind != BLOCKED:
            x, y = left + col * cell, top + row * cell
            pen.rectangle((x, y, x + cell - 1 - gap, y + cell - 1 - gap), fill=PALETTE[kind])
