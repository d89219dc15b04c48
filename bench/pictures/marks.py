"""Small signs that pages draw into cells, buttons and icons, and the forms of faces that are no plain boxes."""

from __future__ import annotations

import numpy as np

from bench.pictures.colours import darker, lighter
from bot.screens.drawn.painter import Face, Form
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Box

SIGNS = ("dot", "ring", "star", "cross", "heart", "moon", "triangle", "diamond", "plus", "square", "smile", "flower")
"""The signs `sign` can draw."""


def sign(canvas: Canvas, kind: str, x: float, y: float, size: float, paint: Paint, *, alpha: float = 1.0) -> None:
    """Draw one of SIGNS round (x, y), `size` points from the middle to the rim."""
    if kind == "dot":
        canvas.disc(x, y, size, paint, alpha=alpha)
    elif kind == "ring":
        canvas.disc(x, y, size, paint, alpha=alpha, ring=0.32 * size)
    elif kind == "square":
        canvas.fill(_around(x, y, 0.8 * size), paint, alpha=alpha, snap=False)
    elif kind in ("cross", "plus"):
        turn = np.pi / 4 if kind == "cross" else 0
        for angle in (turn, turn + np.pi / 2):
            dx, dy = size * np.cos(angle), size * np.sin(angle)
            canvas.stroke([(x - dx, y - dy), (x + dx, y + dy)], 0.38 * size, paint, alpha=alpha)
    elif kind == "smile":
        canvas.disc(x, y, size, paint, alpha=alpha, ring=0.15 * size)
        for side in (-1, 1):
            canvas.disc(x + side * 0.35 * size, y - 0.25 * size, 0.14 * size, paint, alpha=alpha)
        angles = np.linspace(0.3, np.pi - 0.3, 9)
        canvas.stroke([(x + 0.55 * size * np.cos(a), y + 0.55 * size * np.sin(a)) for a in angles], 0.14 * size, paint)
    else:
        canvas.polygon(_outline(kind, x, y, size), paint, alpha=alpha)


def mark(shape: str, paint: Paint, size: float, *, alpha: float = 1.0) -> Face:
    """One of SIGNS, or a letter, on a cell; it fills the part `size` of the cell's shorter side."""
    form = letter(shape) if len(shape) == 1 else in_box(shape)
    return Face(paint, gap=1 - size, even=True, alpha=alpha, form=form)


def in_box(kind: str) -> Form:
    """One of SIGNS as large as a box."""

    def draw(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
        sign(canvas, kind, *box.centre, box.width / 2, paint, alpha=alpha)

    return draw


def letter(words: str) -> Form:
    """Writing as high as a box, in its middle."""

    def draw(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
        canvas.text(*box.centre, words, box.width, paint, anchor="middle", alpha=alpha)

    return draw


def bar(share: float) -> Form:
    """A strip across the middle of a box, as high as this share of it."""

    def draw(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
        high = share * box.height
        canvas.fill(Box(box.x, box.y + (box.height - high) / 2, box.width, high), paint, alpha=alpha)

    return draw


def bevel(shares: tuple[float, float, float, float], *, snap: bool = True) -> Form:
    """Strips inside a box, lighter at the top and the left by the first two shares, then darker."""

    def draw(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
        colour = paint.start if isinstance(paint, Shade) else paint
        rim = max(1.0, 0.07 * min(box.width, box.height))
        top, left, foot, right = shares
        for strip, tone in (
            (Box(box.x, box.y, box.width, rim), lighter(colour, top)),
            (Box(box.x, box.y, rim, box.height), lighter(colour, left)),
            (Box(box.x, box.y + box.height - rim, box.width, rim), darker(colour, foot)),
            (Box(box.x + box.width - rim, box.y, rim, box.height), darker(colour, right)),
        ):
            canvas.fill(strip, tone, alpha=alpha, snap=snap)

    return draw


def _around(x: float, y: float, reach: float) -> Box:
    return Box(x - reach, y - reach, 2 * reach, 2 * reach)


def _outline(kind: str, x: float, y: float, size: float) -> list[tuple[float, float]]:
    """The corners of a sign that is a polygon."""
    turns = np.linspace(0, 2 * np.pi, 49)[:-1]
    if kind == "star":
        radii = np.where(np.arange(10) % 2, 0.42, 1.0) * size
        turns = np.arange(10) * np.pi / 5 - np.pi / 2
    elif kind == "triangle":
        radii, turns = np.full(3, size), np.arange(3) * 2 * np.pi / 3 - np.pi / 2
    elif kind == "diamond":
        radii, turns = np.full(4, size), np.arange(4) * np.pi / 2
    elif kind == "flower":
        radii = size * (0.75 + 0.25 * np.cos(5 * turns))
    elif kind == "moon":
        outer = [(x + size * np.cos(a), y + size * np.sin(a)) for a in np.linspace(0.25 * np.pi, 1.75 * np.pi, 24)]
        inner = [
            (x + 0.35 * size + 0.8 * size * np.cos(a), y + 0.8 * size * np.sin(a))
            for a in np.linspace(1.66 * np.pi, 0.34 * np.pi, 24)
        ]
        return outer + inner
    else:
        across = 16 * np.sin(turns) ** 3
        down = -(13 * np.cos(turns) - 5 * np.cos(2 * turns) - 2 * np.cos(3 * turns) - np.cos(4 * turns))
        return [(x + size * a / 17, y + size * d / 17) for a, d in zip(across, down, strict=True)]
    return [(x + r * np.cos(a), y + r * np.sin(a)) for r, a in zip(radii, turns, strict=True)]


def veil(canvas: Canvas, rng: np.random.Generator) -> None:
    """Lay something clear and dark or pale over all of a canvas."""
    canvas.fill(canvas.box, ((0, 0, 0), (255, 255, 255))[rng.integers(2)], alpha=float(rng.uniform(0.08, 0.25)))


def cursor(canvas: Canvas, x: float, y: float, *, hand: bool = False) -> None:
    """Draw a mouse pointer whose hot spot is (x, y)."""
    outline = (
        [(0, 0), (0, 17), (4, 13.2), (6.6, 19.2), (9, 18.2), (6.5, 12.4), (12, 12.2)]
        if not hand
        else [
            (0, 0),
            (-1.5, 1),
            (-1.5, 9),
            (-5, 8),
            (-5.5, 10),
            (-1, 17),
            (-1, 20),
            (7, 20),
            (8.5, 14),
            (8.5, 8),
            (1.5, 6.5),
            (1.5, 1),
        ]
    )
    points = [(x + a, y + b) for a, b in outline]
    canvas.polygon(points, (255, 255, 255) if hand else (0, 0, 0))
    canvas.stroke([*points, points[0]], 1.2, (0, 0, 0) if hand else (255, 255, 255))
