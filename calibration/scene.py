"""A picture prepared for seeing: where its colour changes, and the blobs between these edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.detect import Detector, Place
from calibration.frame import Box, Frame, Pixels
from calibration.lattice import Ground, ground

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

CORNERS = 4
"""Corners of the outline of a blob at least; photographs are full of specks that have fewer."""

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
        return _cells(self._closed)

    @cached_property
    def bars(self) -> NDArray[np.float64]:
        """The same, and those that are too long for a cell: buttons with words on them."""
        return _cells(self._closed, longest=LONGEST_BAR)

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
    def _closed(self) -> NDArray[np.float64]:
        """float64[n, 5]: the box of each closed blob of even colour, and the area in its outline."""
        gradient = cv2.morphologyEx(self.pixels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        even = cv2.inRange(gradient, (0, 0, 0), (self.step - 1, self.step - 1, self.step - 1))
        contours, links = cv2.findContours(even, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        outlines = [
            contour
            for contour, link in zip(contours, links[0] if contours else (), strict=True)
            if link[3] < 0 and len(contour) >= CORNERS
        ]
        found = [(*cv2.boundingRect(outline), cv2.contourArea(outline)) for outline in outlines]
        boxes = np.array(found, np.float64).reshape(-1, 5) + np.array([-1.0, -1.0, 2.0, 2.0, 0.0])
        boxes[:, 4] += boxes[:, 2:4].sum(axis=1) - 4  # the ring that ends a blob is its own
        return np.asarray(boxes)

    @cached_property
    def places(self) -> list[Place]:
        """The boards that the network sees, the largest first; they do not depend on the step."""
        return DETECTOR.places(self.pixels) if self.coarser is None else self.coarser.places

    @cached_property
    def grounds(self) -> list[tuple[Place, Ground]]:
        """The boards that the network sees, with what speaks for each cell about them."""
        if self.coarser is not None:
            return self.coarser.grounds
        seen = [(place, ground(place, self.pixels)) for place in self.places]
        return [(place, about) for place, about in seen if about is not None]

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
