"""Pitch and phase along one axis: which even spacing explains where blobs lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MIN_STRENGTH = 0.4
"""How much of the points must swing in step with a pitch: random points seldom pass 0.3."""

NEAR = 0.15
"""How far from its place, in pitches, a point may lie and still belong: cells may be uneven."""

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spacing:
    """Even places: `phase` + k * `pitch`, in pixels.

    strength: 0 to 1, how much of the points swings in step with them.
    """

    pitch: float
    phase: float
    strength: float

    def number(self, points: Points) -> NDArray[np.intp]:
        """Which place each point is nearest to."""
        return np.rint((points - self.phase) / self.pitch).astype(np.intp)

    def holds(self, points: Points) -> NDArray[np.bool_]:
        """Whether each point lies at a place."""
        place = (points - self.phase) / self.pitch
        return np.asarray(np.abs(place - np.rint(place)) <= NEAR)


def spacings(points: Points, shortest: float, longest: float, *, at_most: int) -> list[Spacing]:
    """The pitches from `shortest` to `longest` that the points are spaced by, strongest first.

    Places with all distances multiples of a pitch make the Fourier component of that pitch large; the grid of pitches
    is so fine that over the extent of the points no phase slips by more than an eighth.
    """
    extent = float(np.ptp(points)) + shortest
    count = int(np.ceil(8 * extent * (1 / shortest - 1 / longest))) + 2
    frequencies = np.linspace(1 / longest, 1 / shortest, min(count, 2000))
    strength = np.abs(np.exp(-2j * np.pi * frequencies[:, None] * points[None, :]).mean(axis=1))
    padded = np.concatenate([[-1.0], strength, [-1.0]])
    peaks = np.flatnonzero((strength >= padded[:-2]) & (strength > padded[2:]) & (strength >= MIN_STRENGTH))
    best = peaks[np.argsort(-strength[peaks], kind="stable")[:at_most]]
    return [_fitted(points, 1 / float(frequencies[peak])) for peak in best]


def _fitted(points: Points, pitch: float) -> Spacing:
    """The spacing of a pitch, fitted by least squares to the points at its places."""
    component = np.exp(-2j * np.pi * points / pitch).mean()
    spacing = Spacing(pitch, float(-np.angle(component) / (2 * np.pi) * pitch), float(abs(component)))
    held = spacing.holds(points)
    number = spacing.number(points)
    if len(np.unique(number[held])) >= 2:
        slope, start = np.polyfit(number[held], points[held], 1)
        spacing = Spacing(float(slope), float(start), spacing.strength)
    return spacing
