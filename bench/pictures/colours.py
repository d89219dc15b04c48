"""Colours as designers choose them: palettes that can be told apart, page themes, tints and shades."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.screens.drawn.painter import mix
from calibration.board import Colour

CLASSIC: tuple[Colour, ...] = (
    (255, 0, 0), (0, 0, 255), (255, 255, 0), (0, 128, 0), (255, 165, 0), (128, 0, 128), (0, 255, 255), (255, 192, 203),
    (0, 255, 0), (255, 0, 255), (0, 0, 0), (255, 255, 255), (128, 128, 128), (165, 42, 42), (0, 128, 128), (0, 0, 128),
)  # fmt: skip
"""The named colours that hand-written pages use."""

FLAT: tuple[Colour, ...] = (
    (26, 188, 156), (46, 204, 113), (52, 152, 219), (155, 89, 182), (52, 73, 94), (241, 196, 15), (230, 126, 34),
    (231, 76, 60), (236, 240, 241), (149, 165, 166), (22, 160, 133), (192, 57, 43), (44, 62, 80), (243, 156, 18),
)  # fmt: skip
"""The flat colours that many style sheets copy."""

NEAREST = 15.0
"""Two cell colours of one board differ by at least this much in CIE L*a*b*: designers' closest pairs (neighbouring
greys or pastels) lie between 15 and 20; below that people mix them up too."""


def random_colour(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    """A colour of any hue with its saturation and value in the given ranges (0..1)."""
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return round(red * 255), round(green * 255), round(blue * 255)


def lighter(colour: Colour, share: float) -> Colour:
    """`colour` mixed with white."""
    return mix(colour, (255, 255, 255), share)


def darker(colour: Colour, share: float) -> Colour:
    """`colour` mixed with black."""
    return mix(colour, (0, 0, 0), share)


def distance(one: Colour, other: Colour) -> float:
    """How different two colours look: their distance in CIE L*a*b*."""
    return float(np.linalg.norm(_lab([one])[0] - _lab([other])[0]))


def _lab(colours: Sequence[Colour]) -> NDArray[np.float32]:
    flat = np.array(colours, dtype=np.float32).reshape(1, -1, 3) / 255
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_RGB2LAB)[0], dtype=np.float32)


def palette(rng: np.random.Generator, count: int, *, avoid: Sequence[Colour] = ()) -> list[Colour]:
    """`count` colours of one style that differ by NEAREST from each other, and from those in `avoid`."""
    style = rng.choice(
        ["classic", "flat", "vivid", "pastel", "muted", "one hue", "any"], p=[0.2, 0.15, 0.2, 0.13, 0.12, 0.08, 0.12]
    )
    hue = rng.random()
    chosen: list[Colour] = []
    for attempt in range(4000):
        if len(chosen) == count:
            break
        candidate = _candidate(rng, str(style) if attempt < 400 else "any", hue)
        if all(distance(candidate, other) >= NEAREST for other in [*chosen, *avoid]):
            chosen.append(candidate)
    return chosen


def _candidate(rng: np.random.Generator, style: str, hue: float) -> Colour:
    if style == "classic":
        return CLASSIC[rng.integers(len(CLASSIC))]
    if style == "flat":
        return FLAT[rng.integers(len(FLAT))]
    if style == "vivid":
        return random_colour(rng, (0.65, 1.0), (0.7, 1.0))
    if style == "pastel":
        return random_colour(rng, (0.15, 0.5), (0.85, 1.0))
    if style == "muted":
        return random_colour(rng, (0.2, 0.6), (0.3, 0.85))
    if style == "one hue":
        red, green, blue = colorsys.hsv_to_rgb(
            (hue + rng.uniform(-0.12, 0.12)) % 1, rng.uniform(0.05, 0.9), rng.uniform(0.25, 1)
        )
        return round(red * 255), round(green * 255), round(blue * 255)
    return random_colour(rng, (0.0, 1.0), (0.05, 1.0))


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a page: its ground, its writing, its panels, its lines and an accent."""

    page: Colour
    ink: Colour
    panel: Colour
    line: Colour
    accent: Colour
    dark: bool


def theme(rng: np.random.Generator) -> Theme:
    """Light pages are more frequent than dark or coloured ones."""
    kind = rng.choice(["white", "light", "dark", "coloured"], p=[0.35, 0.25, 0.25, 0.15])
    if kind == "white":
        page: Colour = (255, 255, 255)
    elif kind == "light":
        page = random_colour(rng, (0.0, 0.15), (0.88, 1.0))
    elif kind == "dark":
        page = random_colour(rng, (0.0, 0.5), (0.0, 0.25))
    else:
        page = random_colour(rng, (0.2, 0.9), (0.3, 0.95))
    dark = sum(page) < 360
    ink = lighter(page, rng.uniform(0.7, 1)) if dark else darker(page, rng.uniform(0.7, 1))
    return Theme(
        page=page,
        ink=ink,
        panel=lighter(page, 0.08) if dark else darker(page, float(rng.choice([0.03, 0.06, 0.1]))),
        line=mix(page, ink, float(rng.uniform(0.12, 0.4))),
        accent=random_colour(rng, (0.5, 1.0), (0.5, 0.95)),
        dark=dark,
    )
