"""The one painter of boards: a board's style, and how it is painted, on the drawn desktop and in generated pictures.

Whatever a game is called, its board is a rim, a ground, empty places, lines, and on each place a stack of faces: tiles,
discs in their holes, squares of pieces, pawns, marks.  Walls lie between places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Colour
from calibration.canvas import Canvas, Paint
from calibration.frame import Box, Pixel, Pixels
from calibration.looks.grooves.walls import Wall

Form = Callable[[Canvas, Box, Paint, float], None]
"""Draws a shape of its own into a box: canvas, box, paint, alpha."""


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`one` with `share` (0..1) of `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Face:
    """A shape on a place of a board: a box, with a `radius` of 0.5 a disc, or what `form` draws.

    gap: what is left free of the place, as a part of the pitch.  even: as wide as high, however oblong the place is.
    radius: of the corners, as a part of the shorter side.  ring: the width in points where only a border is drawn.
    snap: whether the edges lie between whole pixels.
    """

    paint: Paint
    gap: float = 0.0
    radius: float = 0.0
    ring: float = 0.0
    alpha: float = 1.0
    even: bool = False
    snap: bool = True
    form: Form | None = None

    def box(self, square: Box) -> Box:
        """Where it lies on the place that fills `square`."""
        across, down = square.width * self.gap, square.height * self.gap
        box = Box(square.x + across / 2, square.y + down / 2, square.width - across, square.height - down)
        if not self.even:
            return box
        side, (x, y) = min(box.width, box.height), square.centre
        return Box(x - side / 2, y - side / 2, side, side)

    def paint_on(self, canvas: Canvas, square: Box) -> None:
        """Draw it on the place that fills `square`."""
        box = self.box(square)
        if self.form is not None:
            self.form(canvas, box, self.paint, self.alpha)
        else:
            radius = self.radius * min(box.width, box.height)
            canvas.fill(box, self.paint, radius=radius, alpha=self.alpha, snap=self.snap, ring=self.ring)


Stack = tuple[Face, ...]
"""What lies on a place, from below."""


@dataclass(frozen=True, slots=True)
class Rim:
    """What goes on round a board, and under it; lengths in points.

    reach: how far.  shadow: how far to the right and down a shadow of it falls, and how dark that is.
    """

    paint: Paint
    reach: float = 0.0
    radius: float = 0.0
    shadow: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines between places, `width` points broad; with `outer` also round them all.

    dash: the length of dashes.  snap: whether the edges lie between whole pixels.
    """

    paint: Colour
    width: float = 1.0
    dash: float = 0.0
    outer: bool = True
    snap: bool = True


@dataclass(frozen=True, slots=True)
class Style:
    """How a board is drawn.

    kinds: what lies on a place by its number in the grid.  bare: what lies on every place, under the lines: on those
    whose row and column add up to an even number, and on the others.  over: whether lines go over what lies on places.
    """

    kinds: Mapping[int, Stack]
    ground: Paint | None = None
    rim: Rim | None = None
    lines: Lines | None = None
    over: bool = False
    bare: tuple[Stack, Stack] = ((), ())

    @property
    def flat(self) -> bool:
        """Whether one colour lies under all places, before anything is drawn on these."""
        under = self.ground
        if under is None and self.rim is not None and 0.3 * self.rim.radius <= self.rim.reach:  # 1 - cos(45 degrees)
            under = self.rim.paint
        return isinstance(under, tuple)


@dataclass(frozen=True, slots=True)
class Extent:
    """Where the places of a board lie on a sheet: the outer corner of the first, and the pitch; in points."""

    x: float
    y: float
    across: float
    down: float
    rows: int
    cols: int

    @property
    def board(self) -> Box:
        """The outer edges of all places."""
        return Box(self.x, self.y, self.cols * self.across, self.rows * self.down)

    def square(self, row: int, col: int) -> Box:
        """The place, its share of the gaps included."""
        return Box(self.x + col * self.across, self.y + row * self.down, self.across, self.down)

    def centre(self, row: int, col: int) -> Pixel:
        """The middle of a place."""
        return Pixel(self.x + (col + 0.5) * self.across, self.y + (row + 0.5) * self.down)

    def wall(self, wall: Wall, groove: float, *, thick: float = 1.0, short: float = 0.0) -> Box:
        """A wall beside two places.

        groove: its width, and short: what is cut off each end of the wall, as parts of the pitch.  thick: the wall's
        width as a part of the groove's.
        """
        way, row, col = wall
        broad, long = thick * groove * self.down, (2 - groove - 2 * short) * self.down
        x, y = self.x + (col + 1) * self.across, self.y + (row + 1) * self.down
        wide, high = (long, broad) if way == "h" else (broad, long)
        return Box(x - wide / 2, y - high / 2, wide, high)


def paint_ground(canvas: Canvas, extent: Extent, style: Style) -> None:
    """The rim, the ground, the bare places and the lines."""
    board = extent.board
    if style.rim is not None:
        paint_rim(canvas, board, style.rim)
    if style.ground is not None:
        canvas.fill(board, style.ground)
    if any(style.bare):
        places = np.add.outer(np.arange(extent.rows), np.arange(extent.cols)) % 2
        _paint_stacks(canvas, extent, dict(enumerate(style.bare)), places, {}, flat=style.flat)
    if style.lines is not None:
        paint_lines(canvas, extent, style.lines)


def paint_cells(
    canvas: Canvas,
    extent: Extent,
    style: Style,
    grid: NDArray[np.int8],
    special: Mapping[tuple[int, int], Stack] | None = None,
) -> None:
    """What lies on the places.

    grid: int8[rows, cols], the kind of each.  special: what lies on some, whatever their kind.
    """
    flat = style.flat and style.lines is None and style.bare == ((), ())
    _paint_stacks(canvas, extent, style.kinds, grid, special or {}, flat=flat)
    if style.over and style.lines is not None:
        paint_lines(canvas, extent, style.lines)


def _paint_stacks(
    canvas: Canvas,
    extent: Extent,
    kinds: Mapping[int, Stack],
    grid: NDArray[np.integer[Any]],
    special: Mapping[tuple[int, int], Stack],
    *,
    flat: bool,
) -> None:
    """What lies on each place; what looks alike wherever it lies is drawn once in each size and copied."""
    alike = {kind for kind, stack in kinds.items() if _one_box(stack) and (flat or _covers(stack[0]))}
    tall, wide = canvas.pixels.shape[:2]
    copies: dict[tuple[int, int, int], Pixels] = {}
    for (row, col), kind in np.ndenumerate(grid):
        square = extent.square(row, col)
        stack = special.get((row, col)) or kinds.get(int(kind), ())
        if kind not in alike or (row, col) in special:
            for face in stack:
                face.paint_on(canvas, square)
            continue
        left, top, right, bottom = canvas.edges(stack[0].box(square))
        key = int(kind), bottom - top, right - left
        whole = left >= 0 and top >= 0 and right <= wide and bottom <= tall
        if whole and key in copies:
            canvas.pixels[top:bottom, left:right] = copies[key]
            continue
        for face in stack:
            face.paint_on(canvas, square)
        if whole:
            copies[key] = canvas.pixels[top:bottom, left:right].copy()


def _one_box(stack: Stack) -> bool:
    """Whether the faces fill the same whole pixels, and so look alike wherever they lie on flat ground."""
    same = len({(face.gap, face.even) for face in stack}) == 1
    return same and all(face.snap and face.form is None for face in stack)


def _covers(face: Face) -> bool:
    """Whether nothing shows of what lies under it in its box."""
    return face.radius == face.ring == 0 and face.alpha == 1


def paint_rim(canvas: Canvas, board: Box, rim: Rim) -> None:
    """The rim round a board and its shadow."""
    reach = rim.reach
    outer = Box(board.x - reach, board.y - reach, board.width + 2 * reach, board.height + 2 * reach)
    if rim.shadow is not None:
        right, down, dark = rim.shadow
        shadow = Box(outer.x + right, outer.y + down, outer.width, outer.height)
        canvas.fill(shadow, (0, 0, 0), radius=reach, alpha=dark)
    canvas.fill(outer, rim.paint, radius=rim.radius)


def paint_lines(canvas: Canvas, extent: Extent, lines: Lines) -> None:
    """The lines between the places of a board."""
    board, skip = extent.board, 0 if lines.outer else 1
    downs = [extent.x + col * extent.across for col in range(skip, extent.cols + 1 - skip)]
    acrosses = [extent.y + row * extent.down for row in range(skip, extent.rows + 1 - skip)]
    if lines.snap:
        for x in downs:
            for y, high in _dashes(board.y, board.height, lines.dash):
                canvas.fill(Box(x - lines.width / 2, y, lines.width, high), lines.paint)
        for y in acrosses:
            for x, wide in _dashes(board.x, board.width, lines.dash):
                canvas.fill(Box(x, y - lines.width / 2, wide, lines.width), lines.paint)
        return
    ends = [((x, board.y), (x, board.y + board.height)) for x in downs]
    ends += [((board.x, y), (board.x + board.width, y)) for y in acrosses]
    for start, end in ends:
        canvas.stroke([start, end], lines.width, lines.paint, dash=lines.dash)


def _dashes(start: float, length: float, dash: float) -> list[tuple[float, float]]:
    """Where the dashes of a line begin, and their lengths, with as much between them; the whole line for 0."""
    if not dash:
        return [(start, length)]
    return [(start + at, min(dash, length - at)) for at in np.arange(0.0, length, 2 * dash).tolist()]
