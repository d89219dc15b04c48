"""Boards painted for a test that is about one thing they show: plain pages, and what lies on places by letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bot.screens.drawn.painter import Extent, Face, Lines, Rim, Stack, Style, mix, paint_cells, paint_ground
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Frame, Pixels, Rect


def frame_of(pixels: Pixels) -> Frame:
    """A frame of the whole picture, a pixel to a pointer's unit; pixels: uint8[height, width, 3]."""
    return Frame(pixels, Rect(0, 0, pixels.shape[1], pixels.shape[0]))


def page(shade: int | Colour = 250, *, width: int = 800, height: int = 700) -> Pixels:
    """uint8[height, width, 3]: a page of one grey, or of a colour."""
    return np.full((height, width, 3), shade, np.uint8)


def disc(colour: Colour, radius: float, pitch: float, *, ring: float = 0.0, shine: float = 0.0) -> Stack:
    """A disc in the middle of a place, or its border `ring` broad; darker by `shine` a point outwards."""
    dark = mix(colour, (0, 0, 0), min(1.0, shine * radius / max(colour)))
    paint: Paint = Shade(colour, dark, "round") if shine else colour
    return (Face(paint, 1 - 2 * radius / pitch, 0.5, ring, even=True, snap=False),)


def painted(
    pixels: Pixels,
    lines: Sequence[str],
    kinds: Mapping[str, Colour | Stack],
    pitch: float,
    gap: float = 0,
    *,
    corner: tuple[float, float] = (100, 60),
    radius: float = 0.0,
    rim: Rim | None = None,
    ruled: Lines | None = None,
    scale: float = 1.0,
    snap: bool = True,
) -> Pixels:
    """`pixels` with a board on them whose first place has its top left corner at `corner`.

    lines: a letter for each place.  kinds: the colour or the faces of a letter; a place without any is left as it is.
    gap: what is free on each side of a place, radius: of the corners (0.5 is a disc), as Face has it.
    ruled: lines over what lies on the places.  All lengths are points; scale: pixels to a point.
    """
    letters = {letter: number for number, letter in enumerate(sorted(kinds), 1)}
    grid = np.array([[letters.get(letter, 0) for letter in line] for line in lines], dtype=np.int8)
    if not grid.size:
        return pixels
    stacks = {
        letters[letter]: (Face(kind, 2 * gap / pitch, radius, snap=snap),) if isinstance(kind[0], int) else kind
        for letter, kind in kinds.items()
    }
    extent, style = Extent(*corner, pitch, pitch, *grid.shape), Style(stacks, rim=rim, lines=ruled, over=True)
    canvas = Canvas(pixels, scale)
    paint_ground(canvas, extent, style)
    paint_cells(canvas, extent, style, grid)
    return pixels
