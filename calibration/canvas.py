"""A sheet to draw on in layout points, with the sub-pixel coverage that browsers and canvases paint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Colour
from calibration.frame import Box, Pixel, Pixels

Coverage = NDArray[np.float32]
"""float32[height, width] in 0..1: how much of each pixel a shape covers."""


@dataclass(frozen=True, slots=True)
class Shade:
    """A gradient from `start` to `end`: downwards, across, from corner to corner, or from the middle out.

    From corner to corner it is even near both of them, and so steeper between.
    """

    start: Colour
    end: Colour
    way: Literal["down", "across", "slope", "round"] = "down"


Paint = Colour | Shade


class _Patch(NamedTuple):
    """The part of the sheet that a shape touches: rows, columns and the shape's coverage of them."""

    rows: slice
    cols: slice
    coverage: Coverage


class Canvas:
    """A rectangle of a picture, addressed in points from its own top left corner.

    pixels: uint8[height, width, 3], a view into the picture: what falls outside is clipped.
    scale: pixels to a point.  offset: where the point (0, 0) lies in the whole picture.
    """

    def __init__(self, pixels: Pixels, scale: float = 1.0, offset: Pixel = Pixel(0, 0)) -> None:
        self.pixels, self.scale, self.offset = pixels, scale, offset

    @property
    def width(self) -> float:
        """Points from left to right."""
        return float(self.pixels.shape[1] / self.scale)

    @property
    def height(self) -> float:
        """Points from top to bottom."""
        return float(self.pixels.shape[0] / self.scale)

    @property
    def box(self) -> Box:
        """The whole sheet."""
        return Box(0, 0, self.width, self.height)

    def view(self, box: Box, zoom: float = 1.0) -> Canvas:
        """The part of this sheet in `box`, with points `zoom` times as large."""
        left, top = (max(0, round(value * self.scale)) for value in box[:2])
        right, bottom = (max(0, round(value * self.scale)) for value in (box.x + box.width, box.y + box.height))
        part = self.pixels[top:bottom, left:right]
        return Canvas(part, self.scale * zoom, Pixel(self.offset.x + left, self.offset.y + top))

    def place(self, x: float, y: float) -> Pixel:
        """Where the point (x, y) lies in the whole picture."""
        return Pixel(self.offset.x + x * self.scale, self.offset.y + y * self.scale)

    def edges(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of `box` in whole pixels, so that neighbours touch and no hairline is lost."""
        x, y, width, height = (value * self.scale for value in box)
        left, top = round(x), round(y)
        return left, top, max(round(x + width), left + (width > 0)), max(round(y + height), top + (height > 0))

    def fill(
        self,
        box: Box,
        paint: Paint,
        *,
        radius: float = 0.0,
        alpha: float = 1.0,
        snap: bool = True,
        ring: float = 0.0,
    ) -> None:
        """Paint a box with round corners; `snap` moves its edges to whole pixels, `ring` leaves only a border."""
        x, y, width, height = (value * self.scale for value in box)
        if snap:
            left, top, right, bottom = self.edges(box)
            x, y = left, top
            width, height = right - x, bottom - y
            if radius <= 0 and ring <= 0 and alpha >= 1 and not isinstance(paint, Shade):
                self.pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = paint
                return
        radius = min(radius * self.scale, width / 2, height / 2)
        patch = self._cover(x, y, width, height, radius)
        if ring > 0:
            inset = ring * self.scale
            if snap:
                inset = max(1.0, round(inset))
            hole = self._cover(x + inset, y + inset, width - 2 * inset, height - 2 * inset, max(0.0, radius - inset))
            rows = slice(hole.rows.start - patch.rows.start, hole.rows.stop - patch.rows.start)
            cols = slice(hole.cols.start - patch.cols.start, hole.cols.stop - patch.cols.start)
            patch.coverage[rows, cols] -= hole.coverage
        self._blend(patch, paint, alpha)

    def disc(self, x: float, y: float, radius: float, paint: Paint, *, alpha: float = 1.0, ring: float = 0.0) -> None:
        """Paint a disc round (x, y), or with `ring` its border of that width."""
        box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
        self.fill(box, paint, radius=radius, alpha=alpha, snap=False, ring=ring)

    def polygon(self, points: Sequence[tuple[float, float]], paint: Paint, *, alpha: float = 1.0) -> None:
        """Paint the inside of a closed outline."""
        corners = np.array(points, dtype=np.float64) * self.scale
        low, high = np.floor(corners.min(axis=0)).astype(int) - 1, np.ceil(corners.max(axis=0)).astype(int) + 2
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.uint8)
        cv2.fillPoly(mask, [np.round((corners - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, shift=4)
        self._stamp(mask, int(low[0]), int(low[1]), paint, alpha)

    def stroke(
        self,
        points: Sequence[tuple[float, float]],
        width: float,
        paint: Paint,
        *,
        dash: float = 0.0,
        alpha: float = 1.0,
    ) -> None:
        """Draw a line through `points`, `width` thick; `dash` cuts it into dashes of that length."""
        if dash:
            points = list(points)
            for (ax, ay), (bx, by) in pairwise(points):
                steps = max(1, int(np.hypot(bx - ax, by - ay) / dash))
                for i in range(0, steps, 2):
                    u, v = i / steps, min(1.0, (i + 1) / steps)
                    ends = ((ax + (bx - ax) * u, ay + (by - ay) * u), (ax + (bx - ax) * v, ay + (by - ay) * v))
                    self.stroke(ends, width, paint, alpha=alpha)
            return
        path = np.array(points, dtype=np.float64) * self.scale
        thick = max(1, round(width * self.scale))
        low, high = (
            np.floor(path.min(axis=0)).astype(int) - thick - 1,
            np.ceil(path.max(axis=0)).astype(int) + thick + 2,
        )
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), dtype=np.uint8)
        cv2.polylines(mask, [np.round((path - low) * 16).astype(np.int32)], False, 255, thick, cv2.LINE_AA, shift=4)
        self._stamp(mask, int(low[0]), int(low[1]), paint, alpha)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        paint: Paint,
        *,
        anchor: Literal["left", "middle", "right"] = "left",
        bold: bool = False,
        serif: bool = False,
        alpha: float = 1.0,
    ) -> float:
        """Write `words` with their middle at height y, `size` points large; returns their width in points."""
        finer = 3
        font = cv2.FONT_HERSHEY_COMPLEX if serif else cv2.FONT_HERSHEY_SIMPLEX
        factor = size * self.scale * finer / 30
        thick = max(1, round(factor * (4.2 if bold else 2.4)))
        (width, height), _ = cv2.getTextSize(words, font, factor, thick)
        pad = thick + finer
        wide, tall = -(-(width + 2 * pad) // finer) * finer, -(-(height + int(0.6 * height) + 2 * pad) // finer) * finer
        mask = np.zeros((tall, wide), dtype=np.uint8)
        cv2.putText(mask, words, (pad, pad + height), font, factor, 255, thick, cv2.LINE_AA)
        mask = cv2.resize(mask, (wide // finer, tall // finer), interpolation=cv2.INTER_AREA).astype(np.uint8)
        points = width / finer / self.scale
        left = x - {"left": 0.0, "middle": points / 2, "right": points}[anchor]
        top = y * self.scale - (pad + height / 2) / finer
        self._stamp(mask, round(left * self.scale - pad / finer), round(top), paint, alpha)
        return points

    def paste(self, x: float, y: float, picture: Pixels) -> None:
        """Put pixels, uint8[height, width, 3], on the sheet with their top left corner at the point (x, y)."""
        left, top = round(x * self.scale), round(y * self.scale)
        mask = np.full(picture.shape[:2], 255, dtype=np.uint8)
        rows, cols, part = self._clip(mask, left, top)
        if part.size:
            self.pixels[rows, cols] = picture[rows.start - top : rows.stop - top, cols.start - left : cols.stop - left]

    def _cover(self, x: float, y: float, width: float, height: float, radius: float) -> _Patch:
        """The coverage of a box in pixels of this sheet."""
        tall, wide = self.pixels.shape[:2]
        left, right = (int(np.clip(value, 0, wide)) for value in (np.floor(x), np.ceil(x + width)))
        top, bottom = (int(np.clip(value, 0, tall)) for value in (np.floor(y), np.ceil(y + height)))
        across = np.arange(left, max(left, right), dtype=np.float32) + 0.5
        down = np.arange(top, max(top, bottom), dtype=np.float32) + 0.5
        if radius <= 0:
            wide_share = np.clip(np.minimum(across + 0.5, x + width) - np.maximum(across - 0.5, x), 0, 1)
            high_share = np.clip(np.minimum(down + 0.5, y + height) - np.maximum(down - 0.5, y), 0, 1)
            cover = np.outer(high_share, wide_share)
        else:
            beside = np.abs(across - (x + width / 2)) - (width / 2 - radius)
            above = (np.abs(down - (y + height / 2)) - (height / 2 - radius))[:, None]
            outside = np.hypot(np.maximum(beside, 0), np.maximum(above, 0))
            cover = np.clip(0.5 + radius - outside - np.minimum(np.maximum(beside, above), 0), 0, 1)
        rows, cols = slice(top, top + cover.shape[0]), slice(left, left + cover.shape[1])
        return _Patch(rows, cols, np.asarray(cover, dtype=np.float32))

    def _clip(self, mask: Pixels | NDArray[np.uint8], left: int, top: int) -> tuple[slice, slice, NDArray[np.uint8]]:
        tall, wide = self.pixels.shape[:2]
        rows = slice(min(max(0, top), tall), max(0, min(tall, top + mask.shape[0])))
        cols = slice(min(max(0, left), wide), max(0, min(wide, left + mask.shape[1])))
        return (
            rows,
            cols,
            mask[max(0, rows.start - top) : rows.stop - top, max(0, cols.start - left) : cols.stop - left],
        )

    def _stamp(self, mask: NDArray[np.uint8], left: int, top: int, paint: Paint, alpha: float) -> None:
        rows, cols, part = self._clip(mask, left, top)
        if rows.stop > rows.start and cols.stop > cols.start and part.size:
            self._blend(_Patch(rows, cols, np.asarray(part / 255, dtype=np.float32)), paint, alpha)

    def _blend(self, patch: _Patch, paint: Paint, alpha: float) -> None:
        if not patch.coverage.size:
            return
        sheet = self.pixels[patch.rows, patch.cols]
        over = _colours(paint, patch.coverage.shape[0], patch.coverage.shape[1])
        share = patch.coverage * alpha
        blended = np.ones(len(share), dtype=np.bool_)
        if not isinstance(paint, Shade):  # rows that are covered wholly need no arithmetic
            blended = share.min(axis=1) < 1
            sheet[~blended] = np.rint(over)
        under = sheet[blended]
        sheet[blended] = np.rint(under + (over - under) * share[blended, :, None]).astype(np.uint8)


def _colours(paint: Paint, height: int, width: int) -> NDArray[np.float32]:
    """float32[height or 1, width or 1, 3]: the colour of each pixel of a patch, one for all where they agree."""
    if not isinstance(paint, Shade):
        return np.array(paint, dtype=np.float32)[None, None]
    start, end = np.array(paint.start, dtype=np.float32), np.array(paint.end, dtype=np.float32)
    down, across = np.linspace(0, 1, height)[:, None], np.linspace(0, 1, width)[None, :]
    if paint.way == "round":
        share = np.clip(2 * np.hypot(down - 0.5, across - 0.5), 0, 1)
    elif paint.way == "slope":
        share = np.clip(0.82 * (down + across) - 0.32, 0, 1)
    else:
        share = down if paint.way == "down" else across
    share = share.astype(np.float32)
    return np.asarray(start + (end - start) * share[:, :, None], dtype=np.float32)
