"""A picture prepared for seeing: where its colour changes, and the blobs between these edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.detect import LIKELY, POSSIBLE, Detector, Place
from calibration.frame import Box, Frame, Pixels
from calibration.lattice import Ground, ground
from calibration.repeats import Blobs, Repeat, blobs, repeats

STEP = 12
"""The smallest difference of neighbouring pixels, in the channel that differs most, that counts as an edge.

Page gradients change by 1 or 2 a pixel, JPEG ringing by up to 10; the colours of the palest palettes differ by 20.
"""

SMALLEST, LARGEST = 6, 400
"""Pixels. Sides of the blobs that can be cells: 9 px cells with a gap, and a quarter of a 1600 px board."""

LONGEST_CELL, LONGEST_BAR = 3.0, 8.0
"""How many times as long as wide cells are at most, and buttons."""

FILLED = 0.35
"""The share of its box that a blob fills: a disc 0.79, a rounded square more, a square round an icon half."""

SAME_SIZE = 0.08
"""How much, as a share, the sides of equal blobs differ; two pixels are always allowed for rounding."""

GROUPS = 6
"""Groups of equal blobs followed in a picture; a board's cells were among the first three wherever it was found."""

FEWEST = 4
"""Equal blobs that make a group."""

FIELD, LONGEST = 110, 2.2
"""Pixels, the smallest side of a field; and how many times as long as wide it is at most."""

OUTLINED = 0.6
"""The share of each of its sides that must be an edge for a network of edges to be a field."""

DASH = 9
"""Half pixels. Gaps in a line up to so long are closed: dashes of 6 points at twice the scale leave 12 pixels."""

DETECTOR = Detector()
"""Read from its file when the first picture is looked at with it."""

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Blobs of one size.

    boxes: float64[n, 4], the left and top edge, width and height of each, in pixels.
    """

    boxes: NDArray[np.float64]

    @property
    def size(self) -> tuple[float, float]:
        """The usual width and height."""
        return float(np.median(self.boxes[:, 2])), float(np.median(self.boxes[:, 3]))

    @property
    def centres(self) -> NDArray[np.float64]:
        """float64[n, 2]: the middle (x, y) of each blob."""
        return np.asarray(self.boxes[:, :2] + self.boxes[:, 2:] / 2)

    @property
    def bounds(self) -> Box:
        """The rectangle round all of them."""
        left, top = self.boxes[:, :2].min(axis=0)
        right, bottom = (self.boxes[:, :2] + self.boxes[:, 2:]).max(axis=0)
        return Box(float(left), float(top), float(right - left), float(bottom - top))


class Scene:
    """What every look at a picture needs, computed once and when first asked for.

    An edge at x lies between the pixels x - 1 and x, so that edges and cell borders share one coordinate.
    """

    def __init__(self, frame: Frame, step: int = STEP, coarser: Scene | None = None) -> None:
        self.frame, self.pixels, self.step, self.coarser = frame, frame.pixels, step, coarser
        self.height, self.width = frame.height, frame.width
        self.size = frame.width, frame.height

    @cached_property
    def finer(self) -> Scene:
        """The same picture seen with half the step: pale lines and cells hardly darker than what lies round them."""
        return Scene(self.frame, self.step // 2, self)

    @cached_property
    def upright(self) -> Mask:
        """uint8[height, width]: 1 where colour changes from the pixel on the left."""
        return _steps(self.pixels[:, 1:], self.pixels[:, :-1], (0, 0, 1, 0), self.step)

    @cached_property
    def level(self) -> Mask:
        """uint8[height, width]: 1 where colour changes from the pixel above."""
        return _steps(self.pixels[1:], self.pixels[:-1], (1, 0, 0, 0), self.step)

    @cached_property
    def upright_sums(self) -> NDArray[np.int32]:
        """int32[height + 1, width + 1]: the integral picture of `upright`."""
        return cv2.integral(self.upright).astype(np.int32, copy=False)

    @cached_property
    def level_sums(self) -> NDArray[np.int32]:
        """int32[height + 1, width + 1]: the integral picture of `level`."""
        return cv2.integral(self.level).astype(np.int32, copy=False)

    @cached_property
    def blobs(self) -> NDArray[np.float64]:
        """float64[n, 5]: left, top, width, height and area of every blob without edges that could be a cell."""
        return _cells(self.closed.every)

    @cached_property
    def bars(self) -> NDArray[np.float64]:
        """The same, and those that are too long for a cell: buttons with words on them."""
        return _cells(self.closed.every, longest=LONGEST_BAR)

    @cached_property
    def rough_bars(self) -> NDArray[np.float64]:
        """Blobs and bars that have no edge between neighbouring pixels inside, however uneven they are.

        They are dearer to find, and fewer are of a board; but small buttons that JPEG has spoilt are among them.
        """
        return _cells(self._rough, longest=LONGEST_BAR)

    @cached_property
    def _rough(self) -> NDArray[np.float64]:
        plain = cv2.threshold(cv2.max(self.upright, self.level), 0, 1, cv2.THRESH_BINARY_INV)[1]
        found = cv2.connectedComponentsWithStats(plain, connectivity=4)[2][1:].astype(np.float64)
        return np.asarray(found + np.array([-0.5, -0.5, 0.5, 0.5, 0.0]))  # the pixel before a blob is half of it

    @cached_property
    def closed(self) -> Blobs:
        """The closed blobs of even colour, whatever their form."""
        return blobs(self.pixels, self.step)

    @cached_property
    def fields(self) -> list[Box]:
        """The boxes of large even blobs, and of what large closed outlines hold together."""
        even = self.closed.fields
        every = [*even, *(box for box in self._outlines() if not _known(even, box))]
        return [Box(*(float(value) for value in box)) for box in every]

    def _outlines(self) -> list[NDArray[np.float64]]:
        """The boxes of edges that hang together where all four sides are edges; the largest first.

        It is looked for in a picture of half the size, which takes a quarter of the time, with the gaps of dashed
        lines closed.
        """
        upright, level = (_halved(edges) for edges in (self.upright, self.level))
        upright = cv2.morphologyEx(upright, cv2.MORPH_CLOSE, np.ones((DASH, 1), np.uint8)).astype(np.uint8)
        level = cv2.morphologyEx(level, cv2.MORPH_CLOSE, np.ones((1, DASH), np.uint8)).astype(np.uint8)
        boxes = cv2.connectedComponentsWithStats(cv2.max(upright, level), connectivity=8)[2][1:, :4]
        sides = 2 * boxes[:, 2:]
        large = (sides.min(axis=1) >= FIELD) & (sides.max(axis=1) <= LONGEST * sides.min(axis=1))
        if not large.any():
            return []
        across, down = (cv2.integral(edges).astype(np.int32, copy=False) for edges in (upright, level))
        outlined = [box for box in boxes[large] if _outlined(across, down, box)]
        found = [_outline(self, 2 * box) for box in outlined]
        return sorted(found, key=lambda box: -float(box[2] * box[3]))

    @cached_property
    def afar(self) -> str:
        """How the largest board is drawn that the network sees in a small copy, which takes a fifth of the time."""
        if self.coarser is not None:
            return self.coarser.afar
        place = next(iter(self._far), None)
        return "" if place is None or place.chance(place.kind) < LIKELY else place.kind

    @cached_property
    def _far(self) -> list[Place]:
        return DETECTOR.afar(self.pixels)

    @cached_property
    def places(self) -> list[Place]:
        """The boards that the network sees, the largest first; they do not depend on the step."""
        return DETECTOR.places(self.pixels, self._far) if self.coarser is None else self.coarser.places

    def may_show(self, look: str) -> bool:
        """Whether a board that is drawn so may be in it, as far as the network sees any."""
        return not self.places or any(place.chance(look) >= POSSIBLE for place in self.places)

    @cached_property
    def grounds(self) -> list[tuple[Place, Ground]]:
        """The boards that the network sees, with what speaks for each cell about them."""
        if self.coarser is not None:
            return self.coarser.grounds
        seen = [(place, ground(place, self.pixels)) for place in self.places]
        return [(place, about) for place, about in seen if about is not None]

    @cached_property
    def repeats(self) -> list[Repeat]:
        """The lattices of equal closed blobs, the fullest first."""
        return repeats(self.closed)

    @cached_property
    def shaded(self) -> list[Repeat]:
        """The same with blobs that end at twice the step: those with gradients inside."""
        return repeats(blobs(self.pixels, 2 * self.step))

    @cached_property
    def groups(self) -> list[Group]:
        """The blobs of equal size, those that cover the most first."""
        return _groups(self.blobs)


def _cells(found: NDArray[np.float64], longest: float = LONGEST_CELL) -> NDArray[np.float64]:
    """Those of the blobs, float64[n, 5], whose form could be a cell's, up to `longest` times as long as wide."""
    sides, area = found[:, 2:4], found[:, 4]
    fits = (sides >= SMALLEST).all(axis=1) & (sides <= LARGEST).all(axis=1)
    fits &= (sides.max(axis=1) <= longest * sides.min(axis=1)) & (area >= FILLED * sides.prod(axis=1))
    return np.asarray(found[fits])


def _groups(left: NDArray[np.float64]) -> list[Group]:
    found: list[Group] = []
    while len(left) >= FEWEST and len(found) < 4 * GROUPS:
        alike = _most_alike(left)
        if alike.sum() < FEWEST:
            break
        found.append(Group(left[alike, :4]))
        left = left[~alike]
    return sorted(found, key=lambda group: -len(group.boxes) * min(group.size))[:GROUPS]


def _known(boxes: NDArray[np.float64], box: NDArray[np.float64]) -> bool:
    """Whether one of `boxes` has the same sides, to 3 pixels."""
    ends, other = np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]]), np.hstack([box[:2], box[:2] + box[2:]])
    return bool((np.abs(ends - other).max(axis=1, initial=0.0) <= 3).any())


def _halved(edges: Mask) -> Mask:
    """A picture of edges at half the size: an edge where one of four pixels is one."""
    even = edges[: edges.shape[0] // 2 * 2, : edges.shape[1] // 2 * 2]
    return np.asarray(cv2.max(cv2.max(even[::2, ::2], even[1::2, ::2]), cv2.max(even[::2, 1::2], even[1::2, 1::2])))


def _outlined(upright: NDArray[np.int32], level: NDArray[np.int32], box: NDArray[np.int32]) -> bool:
    """Whether on each side of `box` most is an edge; `upright` and `level` are integral pictures."""
    x, y, width, height = (int(value) for value in box)
    columns, rows = upright[y + height] - upright[y], level[:, x + width] - level[:, x]
    sides = ((columns, x, height), (columns, x + width, height), (rows, y, width), (rows, y + height, width))
    return all(np.diff(sums[max(0, at - 2) : at + 3]).max(initial=0) >= OUTLINED * length for sums, at, length in sides)


def _outline(scene: Scene, box: NDArray[np.int32]) -> NDArray[np.float64]:
    """`box`, known to 3 pixels, with each side where most of it is an edge."""
    x, y, width, height = (int(value) for value in box)
    columns = scene.upright_sums[min(y + height, scene.height)] - scene.upright_sums[y]
    rows = scene.level_sums[:, min(x + width, scene.width)] - scene.level_sums[:, x]
    ends = []
    for sums, at in ((columns, x), (columns, x + width), (rows, y), (rows, y + height)):
        low = max(0, at - 3)
        counts = np.diff(sums[low : at + 5])
        ends.append(low + int(counts.argmax()) if len(counts) else at)
    left, right, top, bottom = ends
    return np.array([left, top, right - left, bottom - top], dtype=np.float64)


def _most_alike(blobs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which blobs have the most frequent size, or nearly."""
    sizes, counts = np.unique(blobs[:, 2:4], axis=0, return_counts=True)
    size = sizes[np.argmax(counts * sizes.min(axis=1))]
    return np.asarray((np.abs(blobs[:, 2:4] - size) <= np.maximum(2.0, SAME_SIZE * size)).all(axis=1))


def _steps(here: Pixels, before: Pixels, border: tuple[int, int, int, int], step: int) -> Mask:
    """1 where any channel changes by `step` or more, with a border of 0 where there is no pixel before."""
    even = cv2.inRange(cv2.absdiff(here, before), (0, 0, 0), (step - 1, step - 1, step - 1))
    mask = cv2.threshold(even, 0, 1, cv2.THRESH_BINARY_INV)[1]
    return cv2.copyMakeBorder(mask, *border, cv2.BORDER_CONSTANT, value=0).astype(np.uint8)
