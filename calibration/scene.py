"""A picture prepared for seeing: where its colour changes, and the blobs between these edges."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.detect import Detector, Place
from calibration.frame import Frame, Pixels
from calibration.lattice import Ground, ground

STEP = 12
"""The smallest difference of neighbouring pixels, in the channel that differs most, that counts as an edge.

Page gradients change by 1 or 2 a pixel, JPEG ringing by up to 10; the colours of the palest palettes differ by 20.
"""

UNDER = (STEP - 1,) * 3
"""The largest difference in each channel that is none."""

SMALLEST, LARGEST = 6, 400
"""Pixels. Sides of the blobs that can be cells: 9 px cells with a gap, and a quarter of a 1600 px board."""

LONGEST_CELL, LONGEST_BAR = 3.0, 8.0
"""How many times as long as wide cells are at most, and buttons."""

CORNERS = 4
"""Corners of the outline of a blob at least; photographs are full of specks that have fewer."""

FIELD, OBLONG = 110, 1.8
"""Pixels, the smallest side of a field; and how many times as long as wide it is at most."""

FILLED = 0.35
"""The share of its box that a blob fills: a disc 0.79, a rounded square more, a square round an icon half."""

SAME_SIZE = 0.08
"""How much, as a share, the sides of equal blobs differ; two pixels are always allowed for rounding."""

GROUPS = 6
"""Groups of equal blobs followed in a picture; a board's cells were among the first three wherever it was found."""

FEWEST = 4
"""Equal blobs that make a group."""

DETECTOR = Detector()
"""Read from its file when the first picture is looked at with it."""

Mask = NDArray[np.uint8]


class Scene:
    """What every look at a picture needs, computed once and when first asked for.

    An edge at x lies between the pixels x - 1 and x, so that edges and cell borders share one coordinate.
    closer: whether boards are looked for in twice the size, as small ones are seen.
    """

    def __init__(self, frame: Frame, *, closer: bool = False) -> None:
        self._closer = closer
        self.frame, self.pixels = frame, frame.pixels
        self.height, self.width = frame.height, frame.width
        self.size = frame.width, frame.height

    @cached_property
    def upright(self) -> Mask:
        """uint8[height, width]: 1 where colour changes from the pixel on the left."""
        return _steps(self.pixels[:, 1:], self.pixels[:, :-1], (0, 0, 1, 0))

    @cached_property
    def level(self) -> Mask:
        """uint8[height, width]: 1 where colour changes from the pixel above."""
        return _steps(self.pixels[1:], self.pixels[:-1], (1, 0, 0, 0))

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
        return _cells(self.closed)

    @cached_property
    def bars(self) -> NDArray[np.float64]:
        """The same, and those that are too long for a cell: buttons with words on them."""
        return _cells(self.closed, longest=LONGEST_BAR)

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
    def closed(self) -> NDArray[np.float64]:
        """float64[n, 5]: left, top, width, height and area of every closed blob of even colour, whatever its form."""
        gradient = cv2.morphologyEx(self.pixels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        even = cv2.inRange(gradient, (0, 0, 0), UNDER)
        contours, links = cv2.findContours(even, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        outlines = [
            contour
            for contour, link in zip(contours, links[0] if contours else (), strict=True)
            if link[3] < 0 and len(contour) >= CORNERS
        ]
        boxes = [(*cv2.boundingRect(outline), cv2.contourArea(outline)) for outline in outlines]
        found = np.array(boxes, dtype=np.float64).reshape(-1, 5) + np.array([-1.0, -1.0, 2.0, 2.0, 0.0])
        found[:, 4] += found[:, 2:4].sum(axis=1) - 4  # the ring that ends a blob is its own, the middle of its outline
        return np.asarray(found)

    @cached_property
    def fields(self) -> NDArray[np.float64]:
        """float64[n, 4]: left, top, width and height of the large ones, less than OBLONG times as long as wide."""
        sides = self.closed[:, 2:4] - 2
        large = (sides.min(axis=1) >= FIELD) & (sides.max(axis=1) <= OBLONG * sides.min(axis=1))
        return np.asarray(self.closed[large, :4])

    @cached_property
    def places(self) -> list[Place]:
        """The boards that the network sees, the largest first."""
        return DETECTOR.places(self.pixels, closer=self._closer)

    @property
    def kind(self) -> str:
        """How the largest board that the network sees is drawn, "" where it sees none."""
        return self.places[0].kind if self.places else ""

    @cached_property
    def grounds(self) -> list[tuple[Place, Ground]]:
        """The boards that the network sees, with what speaks for each cell about them."""
        seen = [(place, ground(place, self.pixels)) for place in self.places]
        return [(place, about) for place, about in seen if about is not None]

    @cached_property
    def groups(self) -> list[NDArray[np.float64]]:
        """float64[n, 4] each: left, top, width and height of blobs of equal size, those that cover the most first."""
        found: list[NDArray[np.float64]] = []
        left = self.blobs[:, :4]
        while len(left) >= FEWEST and len(found) < 4 * GROUPS:
            alike = _most_alike(left)
            if alike.sum() < FEWEST:
                break
            found.append(left[alike])
            left = left[~alike]
        return sorted(found, key=lambda boxes: -len(boxes) * float(np.median(boxes[:, 2:], axis=0).min()))[:GROUPS]


def _cells(found: NDArray[np.float64], longest: float = LONGEST_CELL) -> NDArray[np.float64]:
    """Those of the blobs, float64[n, 5], whose form could be a cell's, up to `longest` times as long as wide."""
    sides, area = found[:, 2:4], found[:, 4]
    fits = (sides >= SMALLEST).all(axis=1) & (sides <= LARGEST).all(axis=1)
    fits &= (sides.max(axis=1) <= longest * sides.min(axis=1)) & (area >= FILLED * sides.prod(axis=1))
    return np.asarray(found[fits])


def _most_alike(blobs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which blobs have the most frequent size, or nearly."""
    sizes, counts = np.unique(blobs[:, 2:4], axis=0, return_counts=True)
    size = sizes[np.argmax(counts * sizes.min(axis=1))]
    return np.asarray((np.abs(blobs[:, 2:4] - size) <= np.maximum(2.0, SAME_SIZE * size)).all(axis=1))


def _steps(here: Pixels, before: Pixels, border: tuple[int, int, int, int]) -> Mask:
    """1 where any channel changes by STEP or more, with a border of 0 where there is no pixel before."""
    even = cv2.inRange(cv2.absdiff(here, before), (0, 0, 0), UNDER)
    mask = cv2.threshold(even, 0, 1, cv2.THRESH_BINARY_INV)[1]
    return cv2.copyMakeBorder(mask, *border, cv2.BORDER_CONSTANT, value=0).astype(np.uint8)
