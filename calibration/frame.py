"""A picture of the screen, and the three spaces that must not be mixed: pixels, spots and cells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor, hypot
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""uint8[height, width, 3], RGB, row 0 at the top."""


class Pixel(NamedTuple):
    """A point in a picture: x to the right, y down, in pixels of that picture from its top left corner."""

    x: float
    y: float


class Spot(NamedTuple):
    """A point of the desktop in the units of the pointer; may be negative on monitors left of or above the first."""

    x: float
    y: float


class Rect(NamedTuple):
    """A rectangle of the desktop in the units of the pointer."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, spot: Spot) -> bool:
        """Whether `spot` lies inside or on the left or top edge."""
        return self.x <= spot.x < self.x + self.width and self.y <= spot.y < self.y + self.height

    @property
    def centre(self) -> Spot:
        """The middle."""
        return Spot(self.x + self.width / 2, self.y + self.height / 2)


class Box(NamedTuple):
    """A rectangle of a picture in its pixels."""

    x: float
    y: float
    width: float
    height: float

    def contains(self, pixel: Pixel) -> bool:
        """Whether `pixel` lies inside or on the left or top edge."""
        return self.x <= pixel.x < self.x + self.width and self.y <= pixel.y < self.y + self.height

    @property
    def centre(self) -> Pixel:
        """The middle."""
        return Pixel(self.x + self.width / 2, self.y + self.height / 2)

    @property
    def area(self) -> float:
        """Pixels in it."""
        return self.width * self.height

    def common(self, other: Box) -> float:
        """Pixels that it has in common with another one."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0.0, across) * max(0.0, down)

    def apart(self, other: Box) -> float:
        """How far another one lies from it, 0 where they touch."""
        across = max(self.x - other.x - other.width, other.x - self.x - self.width, 0.0)
        return hypot(across, max(self.y - other.y - other.height, other.y - self.y - self.height, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a part of the desktop.

    pixels: uint8[height, width, 3], RGB.  region: what it shows, in pointer units.  taken: seconds of the Clock.
    A screen of scale 2 has a region half as wide as its picture.
    """

    pixels: Pixels
    region: Rect
    taken: float = 0.0

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return int(self.pixels.shape[0])

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels to a pointer unit, across and down."""
        return self.width / self.region.width, self.height / self.region.height

    def spot(self, pixel: Pixel) -> Spot:
        """Where on the desktop `pixel` of this picture is."""
        across, down = self.scale
        return Spot(self.region.x + pixel.x / across, self.region.y + pixel.y / down)

    def pixel(self, spot: Spot) -> Pixel:
        """Where in this picture `spot` of the desktop is; outside of it where the spot is."""
        across, down = self.scale
        return Pixel((spot.x - self.region.x) * across, (spot.y - self.region.y) * down)

    def rect(self, box: Box) -> Rect:
        """What part of the desktop `box` of this picture shows."""
        x, y = self.spot(Pixel(box.x, box.y))
        across, down = self.scale
        return Rect(x, y, box.width / across, box.height / down)

    def crop(self, rect: Rect) -> Self:
        """A copy of the whole pixels that `rect` touches, as far as this frame shows them.

        Raises ValueError where nothing of `rect` lies in this frame.
        """
        left, top = self.pixel(Spot(rect.x, rect.y))
        right, bottom = self.pixel(Spot(rect.x + rect.width, rect.y + rect.height))
        # A spot that went through a fraction such as 1.25 and back misses its whole pixel by a rounding error.
        x, y = max(0, floor(left + 1e-6)), max(0, floor(top + 1e-6))
        end, foot = min(self.width, ceil(right - 1e-6)), min(self.height, ceil(bottom - 1e-6))
        if x >= end or y >= foot:
            raise ValueError(f"{rect} lies outside of {self.region}")
        return replace(self, pixels=self.pixels[y:foot, x:end].copy(), region=self.rect(Box(x, y, end - x, foot - y)))
