"""Whether a board still shows what it showed once the pointer is there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Box, Pixel, Pixels
from games.core import Cell

GROUND, GROUND_STEP = 0.6, 7
"""The share of a board's place that shows the page's ground once the board is gone; one pixel in so many tells that."""

COARSE, EVERYWHERE, DIMMED, SAME_PAGE = 8.0, 0.9, 0.7, 0.4
"""A veil over a page, in a picture of that part of its size: the share of what stands out beside a board that is
dimmed, the part of its contrast that is left at most, and how alike it is still, as a correlation: some may have been
played with."""

UNLIKE = 12.0
"""How much a pixel changes, in the channel that differs most of a mean over 3x3, where something else shows.

Noise of 3 a pixel leaves differences of 1.4.
"""

BLURRED = 1.5
"""Pixels from its edge to which a mean over 3x3 takes what changed beside a cell, with half a one by rounding."""

SIDE = 0.15
"""The part of a cell at each of its sides by which it is told what covers a part of it."""

UNEVEN = 0.35
"""How much more of one side of a cell than of another may change: what belongs to the cell changes all sides alike."""

FRAME = 0.2
"""The part of a pitch that lies between round cells at most, which may seem to touch."""

SMALLEST = 8
"""Pixels across or down that are more than a stroke of a letter."""

COMPARED = 100
"""Pixels across or down to which the picture of a board is reduced before it is looked for in another one."""

SAME_BOARD = 0.9
"""How alike the pictures of one board are, as a correlation, when nothing was played on it."""


@dataclass(frozen=True, slots=True)
class BoardChange:
    """What changed of a board where nothing might.

    beside: the share of what shows round the cells.  inside: the share of the board.
    covered: cells that might change, but of which something covers a part.
    """

    beside: float
    inside: float
    covered: tuple[Cell, ...]


def board_change(
    then: Pixels, now: Pixels, lattice: Lattice, *, free: Sequence[Box] = (), cells: Collection[Cell] = ()
) -> BoardChange:
    """What changed from one picture of a board to another of the same shape; `lattice` is that of both.

    free: where anything may show.  cells: those that may change as cells do: inside, or all of them.
    """
    if np.array_equal(then, now):
        return BoardChange(0.0, 0.0, ())
    unlike = np.asarray(strongest(cv2.blur(cv2.absdiff(then, now), (3, 3))) > UNLIKE, dtype=np.uint8)
    mask = cv2.erode(unlike, np.ones((3, 3), dtype=np.uint8))  # a mean reaches a pixel over the edge of what changed
    every = np.asarray(cv2.integral(mask), dtype=np.int32)
    for box in free:
        mask[slices_of(box)] = 0
    sums = np.asarray(cv2.integral(mask), dtype=np.int32)
    boxes = {cell: _drawn(lattice, cell) for cell in sorted(cells)} if mask.any() else {}
    # A mark on the target may reach over a cell beside it: that one is as it was but for what is free.
    covered = tuple(cell for cell, box in boxes.items() if partly(sums, box) and partly(every, box))
    for box in boxes.values():
        mask[slices_of(box)] = 0
    inner = mask[slices_of(lattice.box)]
    within = int(inner.sum())
    return BoardChange(
        (int(mask.sum()) - within) / max(1, mask.size - inner.size), within / max(1, inner.size), covered
    )


def strongest(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    """uint8[height, width]: the largest channel of each pixel, where numpy's own way takes ten times as long.

    pixels: uint8[height, width, 3].
    """
    red, green, blue = cv2.split(pixels)
    return np.asarray(cv2.max(cv2.max(red, green), blue), dtype=np.uint8)


def sides_of(lattice: Lattice, pixels: Pixels) -> tuple[Box, ...]:
    """What lies above a board in a picture, below it, and on its left and right."""
    (x, y, width, height), (down, across, _) = lattice.box, pixels.shape
    right, foot = x + width, y + height
    return (
        Box(0, 0, across, y),
        Box(0, foot, across, down - foot),
        Box(0, 0, x, down),
        Box(right, 0, across - right, down),
    )


def changed_sides(pictures: Sequence[Pixels], lattice: Lattice) -> frozenset[int]:
    """The numbers of the sides of which a part looks otherwise in some of pictures of one shape."""
    change = np.max([strongest(cv2.absdiff(pictures[0], each)) for each in pictures], axis=0) > UNLIKE
    sides = sides_of(lattice, pictures[0])
    return frozenset(number for number, side in enumerate(sides) if change[slices_of(side)].any())


def stirring(pictures: Sequence[Pixels]) -> NDArray[np.bool_]:
    """bool[height, width]: where pictures of one board in turn change and change back, and next to that.

    What glows does so over its cell; what only comes or goes changes once.
    """
    since = np.stack([strongest(cv2.absdiff(pictures[0], each)) for each in pictures])
    furthest, most = since.argmax(axis=0), since.max(axis=0)
    back = np.zeros(furthest.shape, dtype=np.bool_)
    for number, each in enumerate(since):
        back |= (number > furthest) & (most > each + UNLIKE / 2)
    return np.asarray(cv2.dilate(back.astype(np.uint8), np.ones((3, 3), dtype=np.uint8)) > 0)


def changed_cells(then: Pixels, now: Pixels, lattice: Lattice) -> frozenset[Cell]:
    """The cells of which something looks otherwise in the second picture; `lattice` is that of both."""
    every = (Cell(row, col) for row in range(lattice.rows) for col in range(lattice.cols))
    away = strongest(cv2.blur(cv2.absdiff(then, now), (3, 3))) > UNLIKE
    return frozenset(cell for cell in every if away[slices_of(_within(_drawn(lattice, cell)))].any())


def _within(box: Box) -> Box:
    """The part of a box to which no mean over 3x3 takes what lies beside it, rounded to pixels as it may be."""
    x, y, width, height = box
    return Box(x + BLURRED, y + BLURRED, width - 2 * BLURRED, height - 2 * BLURRED)


def largest_change(then: Pixels, now: Pixels) -> tuple[int, int]:
    """How wide and high, in pixels, the largest part is that looks otherwise in the second picture; (0, 0) for none."""
    away = np.asarray(strongest(cv2.absdiff(then, now)) > UNLIKE, dtype=np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(away, connectivity=8)
    _, width, height = max(((area, width, height) for *_, width, height, area in stats[1:].tolist()), default=(0, 0, 0))
    return width, height


def came_in(then: Pixels, now: Pixels, box: Box) -> bool:
    """Whether most of the middle of a box looks otherwise in the second picture."""
    x, y, width, height = box
    middle = slices_of(Box(x + width / 4, y + height / 4, width / 2, height / 2))
    if not then[middle].size:
        return False  # it lies outside
    return bool((cv2.absdiff(then[middle], now[middle]).max(axis=2) > UNLIKE).mean() > 0.5)


def lay_beside(then: Pixels, known: Box, now: Pixels, found: Box) -> bool:
    """Whether what shows in `found` was to be seen before, beside a board at `known`: then it is not that board.

    then, now: two pictures of one screen.  A board that moved looks more like itself than like what lay beside it.
    """
    by = max(1.0, min(found.width, found.height) / COMPARED)
    picture, template = (_reduced(part, by) for part in (then, now[slices_of(found)]))
    high, wide = template.shape
    if high > picture.shape[0] or wide > picture.shape[1] or min(high, wide) < SMALLEST:
        return False
    alike = cv2.matchTemplate(picture, template, cv2.TM_CCOEFF_NORMED)
    left, right = round(known.x / by) - wide, round((known.x + known.width) / by)
    top, foot = round(known.y / by) - high, round((known.y + known.height) / by)
    own = np.s_[max(0, top + 1) : max(0, foot), max(0, left + 1) : max(0, right)]  # where it would overlap the board
    itself = float(alike[own].max(initial=-1))
    alike[own] = -1
    return float(alike.max()) >= max(SAME_BOARD, itself)


def taken_away(then: Pixels, board: Box, now: Pixels) -> bool:
    """Whether a board was taken away, not covered: where it was, `now` shows mostly what was round it in `then`.

    then: the whole picture, uint8[height, width, 3].  now: one of the board's place.
    """
    beside = np.ones(then.shape[:2], dtype=bool)
    beside[slices_of(board)] = False
    colours, counts = np.unique(then[beside][::GROUND_STEP], axis=0, return_counts=True)
    away = np.abs(now.astype(np.int16) - colours[counts.argmax()]).max(axis=2)
    return bool((away <= UNLIKE).mean() >= GROUND)


def is_veiled(then: Pixels, board: Box, now: Pixels) -> bool:
    """Whether a page lies under a veil: what stands out beside the board does as it did, but less, everywhere.

    then, now: uint8[height, width, 3], two whole pictures of it.
    """
    if then.shape != now.shape:
        return False
    before, after = (_reduced(each, COARSE).astype(np.float32) for each in (then, now))
    beside = np.ones(before.shape, dtype=bool)
    beside[slices_of(Box(*(side / COARSE for side in board)))] = False
    before, after = before[beside], after[beside]
    stands, left = (np.abs(each - np.median(each)) for each in (before, after))
    told = stands > UNLIKE  # what stands out from the page's ground
    if not told.any() or (left <= DIMMED * stands)[told].mean() < EVERYWHERE or not after[told].std():
        return False
    return bool(np.corrcoef(before[told], after[told])[0, 1] >= SAME_PAGE)


def _reduced(pixels: Pixels, by: float) -> NDArray[np.uint8]:
    """uint8[height, width]: a grey picture of that part of its size."""
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.resize(grey, None, fx=1 / by, fy=1 / by, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def place_at(lattice: Lattice, at: Pixel) -> Box:
    """The cell, or the part of a groove beside one, in which a place on the board or just beside it lies, as drawn."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    centre = lattice.centre(Cell(round((at.y - y) / down), round((at.x - x) / across)))
    sides = [_side(*each) for each in zip(at, centre, lattice.pitch, lattice.gap, strict=True)]
    return Box(sides[0][0], sides[1][0], sides[0][1], sides[1][1])


def _side(at: float, centre: float, pitch: float, gap: float) -> tuple[float, float]:
    """Where the cell round `centre` begins along an axis, and its length; or the groove beside it that holds `at`."""
    if abs(at - centre) <= (pitch - gap) / 2 or not gap:
        return centre - (pitch - gap) / 2, pitch - gap
    return centre + (pitch if at > centre else -pitch) / 2 - gap / 2, gap


def _drawn(lattice: Lattice, cell: Cell) -> Box:
    """A cell without the groove round it."""
    (x, y), (across, down), (wide, high) = lattice.centre(cell), lattice.pitch, lattice.gap
    return Box(x - (across - wide) / 2, y - (down - high) / 2, across - wide, down - high)


def slices_of(box: Box) -> tuple[slice, slice]:
    """The pixels of a box, as far as there are any."""
    left, top = max(0, round(box.x)), max(0, round(box.y))
    return slice(top, max(top, round(box.y + box.height))), slice(left, max(left, round(box.x + box.width)))


def partly(sums: NDArray[np.int32], box: Box) -> bool:
    """Whether one side of a box changed and another did not, as far as the picture shows them.

    sums: int32[height + 1, width + 1], integral.
    """
    if not _share(sums, box):
        return False
    top, foot, left, right = _shown(sums, box)
    x, y, width, height = _within(
        Box(left, top, right - left, foot - top)
    )  # a cell may be drawn a pixel beside where it seems to lie
    thick, high = SIDE * width, SIDE * height
    sides = (
        Box(x, y, width, high),
        Box(x, y + height - high, width, high),
        Box(x, y, thick, height),
        Box(x + width - thick, y, thick, height),
    )
    shares = [_share(sums, side) for side in sides]
    one, two = (_share(sums, Box(at, y, width / 2, height)) for at in (x, x + width / 2))
    upper, lower = (_share(sums, Box(x, at, width, height / 2)) for at in (y, y + height / 2))
    return max(max(shares) - min(shares), abs(one - two), abs(upper - lower)) > UNEVEN


def _shown(sums: NDArray[np.int32], box: Box) -> tuple[int, int, int, int]:
    """The first row of a box that the picture has and the one after its last, and the same of its columns."""
    rows, cols = slices_of(box)
    high, wide = len(sums) - 1, sums.shape[1] - 1
    return min(rows.start, high), min(rows.stop, high), min(cols.start, wide), min(cols.stop, wide)


def _share(sums: NDArray[np.int32], box: Box) -> float:
    """The share of a box that changed."""
    top, foot, left, right = _shown(sums, box)
    if foot <= top or right <= left:
        return 0.0
    total = int(sums[foot, right]) - int(sums[top, right]) - int(sums[foot, left]) + int(sums[top, left])
    return float(total / ((foot - top) * (right - left)))
