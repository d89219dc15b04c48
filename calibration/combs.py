"""Pitch and phase along one axis: which comb of evenly spaced lines explains a profile of edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MIN_PITCH = 8.0
"""Pixels. Smaller cells cannot be told from text; a 14 px cell at the smallest browser zoom of 67% has 9."""

MIN_STRENGTH = 0.2
"""How much of a profile must swing in step with a pitch for it to be considered; random lines stay under 0.1."""


@dataclass(frozen=True, slots=True)
class Comb:
    """Evenly spaced lines at `phase` + k * `pitch`, in pixels of the picture.

    strength: 0 to 1, how much of the profile lies on the lines (the share of its Fourier component).
    """

    pitch: float
    phase: float
    strength: float

    def lines(self, low: float, high: float) -> NDArray[np.float64]:
        """The lines from `low` to `high`."""
        first, last = np.ceil((low - self.phase) / self.pitch), np.floor((high - self.phase) / self.pitch)
        return np.asarray(self.phase + self.pitch * np.arange(first, last + 1))

    def coarser(self, times: int, through: float) -> Comb:
        """Each `times`-th line, one of them at `through`."""
        pitch = self.pitch * times
        return Comb(pitch, through % pitch, self.strength)


def combs(profile: NDArray[np.float64], offset: int, *, at_most: int) -> list[Comb]:
    """The pitches that `profile`, one weight for each pixel from `offset`, swings with, strongest first.

    The Fourier magnitude of evenly spaced lines peaks at one over their pitch and its multiples, however many lines
    are missing; gaps between cells (two lines each) only lower the peak by the cosine of half the gap's angle.
    """
    total = profile.sum()
    if total <= 0 or len(profile) < 2 * MIN_PITCH:
        return []
    size = 1 << int(np.ceil(np.log2(8 * len(profile))))
    spectrum = np.fft.rfft(profile, size)
    strength = np.abs(spectrum) / total
    low, high = int(np.ceil(size / (len(profile) / 1.5))), int(size / MIN_PITCH)
    inner = strength[low : high + 1]
    if len(inner) < 3:
        return []
    peaks = low + 1 + np.flatnonzero((inner[1:-1] >= inner[:-2]) & (inner[1:-1] > inner[2:]))
    peaks = peaks[strength[peaks] >= MIN_STRENGTH]
    best = peaks[np.argsort(-strength[peaks], kind="stable")[:at_most]]
    return [_comb(profile, strength, int(peak), size, offset) for peak in best]


def _comb(profile: NDArray[np.float64], strength: NDArray[np.float64], peak: int, size: int, offset: int) -> Comb:
    """The comb of one peak: its pitch by the parabola through three magnitudes, its phase by the component itself."""
    left, middle, right = strength[peak - 1 : peak + 2]
    curve = left - 2 * middle + right
    shift = 0.0 if curve == 0 else float(np.clip(0.5 * (left - right) / curve, -0.5, 0.5))
    pitch = size / (peak + shift)
    at = np.flatnonzero(profile)
    component = np.sum(profile[at] * np.exp(-2j * np.pi * at / pitch))
    phase = -np.angle(component) / (2 * np.pi) * pitch
    return Comb(float(pitch), float((offset + phase) % pitch), float(middle))
