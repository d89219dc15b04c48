"""How the drawn desktop looks: skins, windows, wallpaper; everything is painted at the screen's own scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from calibration.board import Colour
from calibration.canvas import Canvas, Paint
from calibration.frame import Box, Pixels, Rect, Spot
from games.core import SettingsError, choices

CANDY: tuple[Colour, ...] = (
    (229, 72, 77),
    (63, 168, 92),
    (58, 123, 213),
    (246, 201, 68),
    (146, 84, 193),
    (240, 136, 49),
    (64, 190, 198),
    (233, 121, 176),
    (122, 86, 62),
    (128, 139, 150),
)
"""Ten colours, each at least 67 apart from every other in RGB."""

PASTEL: tuple[Colour, ...] = (
    (244, 154, 154),
    (166, 213, 158),
    (152, 190, 236),
    (250, 226, 148),
    (203, 170, 226),
    (248, 190, 138),
    (150, 220, 218),
    (246, 178, 212),
    (190, 160, 140),
    (176, 184, 192),
)
"""The same order of hues, near white and as near to each other as 35."""


@dataclass(frozen=True, slots=True)
class Skin:
    """How a game's window is dressed; lengths in pointer units.

    page, ink, board: the colours of the page, of its text and behind the cells.
    gap: what is left free between two cells.  radius: of a cell's corners, as a part of its side.
    edge: the colour of a line round each cell.  shade: how much lighter a cell's top is than its foot, 0 to 1.
    buttons: whether each colour has a button; else a cell of the colour is clicked.
    disc: whether those buttons are round.
    """

    palette: tuple[Colour, ...] = CANDY
    page: Colour = (250, 250, 252)
    ink: Colour = (44, 48, 58)
    board: Colour = (226, 229, 236)
    gap: float = 2.0
    radius: float = 0.0
    edge: Colour | None = None
    shade: float = 0.0
    buttons: bool = True
    disc: bool = True


SKINS: dict[str, Skin] = {
    "classic": Skin(),
    "rounded": Skin(gap=4.0, radius=0.28, shade=0.12),
    "seamless": Skin(gap=0.0, disc=False),
    "bordered": Skin(gap=0.0, edge=(40, 40, 46), disc=False),
    "dark": Skin(page=(28, 30, 38), ink=(226, 228, 236), board=(44, 47, 58), gap=3.0, radius=0.18),
    "pastel": Skin(palette=PASTEL, gap=1.0),
    "glossy": Skin(gap=2.0, radius=0.5, shade=0.3),
    "cells": Skin(gap=1.0, buttons=False),
}
"""The skins by name."""

Anchor = Literal["left", "middle", "right"]

TITLE_BAR = 34.0
HEADER = 46.0
MARGIN = 20.0
PANEL = 44.0


def find_skin(name: str) -> Skin:
    """The skin called `name`; raises SettingsError naming the skins there are."""
    try:
        return SKINS[name]
    except KeyError:
        raise SettingsError(f"no skin is called {name!r}; {choices(name, SKINS)}") from None


class Desk(Canvas):
    """The whole desktop as a sheet to draw on with rectangles in pointer units.

    pixels: uint8[height, width, 3], RGB.  corner: the spot of their top left corner.  scale: pixels to a unit.
    """

    def __init__(self, pixels: Pixels, corner: Spot, scale: float) -> None:
        super().__init__(pixels, scale)
        self._corner = corner

    def at(self, rect: Rect) -> Box:
        """Where `rect` of the desktop lies on this sheet."""
        return Box(rect.x - self._corner.x, rect.y - self._corner.y, rect.width, rect.height)

    def slices(self, rect: Rect) -> tuple[slice, slice]:
        """The rows and columns of `rect` that are on this sheet."""
        left, top, right, bottom = (max(0, edge) for edge in self.edges(self.at(rect)))
        return slice(top, bottom), slice(left, right)

    def paint(self, rect: Rect, paint: Paint, *, radius: float = 0.0, alpha: float = 1.0) -> None:
        """Paint `rect`, which may have round corners and let through what is under it."""
        self.fill(self.at(rect), paint, radius=radius, alpha=alpha)

    def shadow(self, rect: Rect, reach: float) -> None:
        """Darken the surroundings of `rect`, less and less over `reach`."""
        left, top, right, bottom = self.edges(self.at(rect))
        margin = round(reach * self.scale)
        across, down = (
            np.maximum(np.abs(np.arange(-margin, size + margin) + 0.5 - size / 2) - size / 2, 0.0)
            for size in (right - left, bottom - top)
        )
        near = np.clip(1 - np.hypot(across[None, :], down[:, None]) / margin, 0, 1)
        self._stamp(np.round(70 * near**2).astype(np.uint8), left - margin, top - margin, (0, 0, 0), 1.0)

    def write(self, spot: Spot, words: str, size: float, colour: Colour, *, anchor: Anchor = "left") -> None:
        """Write `words` with their middle at the height of `spot`, in the typeface that comes with Pillow."""
        mask = _words(words, round(size * self.scale))
        height, width = mask.shape
        x = (spot.x - self._corner.x) * self.scale - {"left": 0, "middle": width / 2, "right": width}[anchor]
        y = (spot.y - self._corner.y) * self.scale - height / 2
        self._stamp(mask, round(x), round(y), colour, 1.0)


@lru_cache(maxsize=256)
def _words(words: str, size: int) -> NDArray[np.uint8]:
    """uint8[height, width]: how much ink lies on each pixel."""
    font = ImageFont.load_default(max(4, size))
    left, _, right, _ = font.getbbox(words)
    picture = Image.new("L", (int(right - left) + 2, int(size * 1.5)), 0)
    ImageDraw.Draw(picture).text((1 - left, picture.height / 2), words, fill=255, font=font, anchor="lm")
    return np.array(picture, np.uint8)


def inset(rect: Rect, by: float) -> Rect:
    """`rect` made smaller by so much on each side."""
    return Rect(rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by)


def paint_window(desk: Desk, rect: Rect, title: str, page: Colour, *, dark: bool = False) -> None:
    """An empty window with a title bar, its three buttons and a soft shadow."""
    desk.shadow(Rect(rect.x, rect.y + 5, rect.width, rect.height), 16)
    bar: Colour = (40, 42, 52) if dark else (232, 233, 238)
    desk.paint(rect, bar, radius=8)
    desk.paint(Rect(rect.x, rect.y + TITLE_BAR, rect.width, rect.height - TITLE_BAR), page)
    middle = rect.y + TITLE_BAR / 2
    desk.write(
        Spot(rect.x + rect.width / 2, middle), title, 13, (200, 202, 212) if dark else (70, 72, 82), anchor="middle"
    )
    for index, colour in enumerate(((237, 106, 94), (244, 191, 79), (97, 197, 84))):
        desk.paint(Rect(rect.x + 14 + 20 * index, middle - 6, 12, 12), colour, radius=6)


@lru_cache(maxsize=8)
def wallpaper(monitors: tuple[Rect, ...], desktop: Rect, scale: float) -> Pixels:
    """The whole desktop without the game, read-only: hills at dusk, a panel, two windows of somebody's work."""
    pixels = np.zeros((round(desktop.height * scale), round(desktop.width * scale), 3), np.uint8)
    desk = Desk(pixels, Spot(desktop.x, desktop.y), scale)
    for monitor in monitors:
        rows, cols = desk.slices(monitor)
        pixels[rows, cols] = _hills(cols.stop - cols.start, rows.stop - rows.start)
    _paint_work(desk, monitors[0])
    _paint_panel(desk, monitors[0])
    pixels.flags.writeable = False
    return pixels


def _hills(width: int, height: int) -> Pixels:
    """uint8[height, width, 3]: a sky from violet to peach over five ridges, each darker and nearer."""
    stops = np.array([(52, 58, 110), (124, 98, 150), (232, 158, 136), (250, 206, 160)], np.float32)
    down = np.linspace(0, 3, height)
    sky = np.stack([np.interp(down, range(4), stops[:, channel]) for channel in range(3)], axis=-1)
    picture = np.repeat(sky[:, None, :], width, axis=1).astype(np.float32)
    across = np.linspace(0, 1, width)
    for ridge in range(5):
        waves = np.sin(across * (5 + 2 * ridge) + 1.7 * ridge) + 0.45 * np.sin(across * (13 + 5 * ridge) + 0.6 * ridge)
        crest = height * (0.52 + 0.1 * ridge + 0.035 * waves)
        colour = np.array((122 - 22 * ridge, 98 - 15 * ridge, 138 - 18 * ridge), np.float32)
        top, foot = int(crest.min()), min(int(crest.max()) + 2, height)
        cover = np.clip(np.arange(top, foot)[:, None] - crest[None, :], 0, 1)[..., None].astype(np.float32)
        picture[top:foot] += (colour - picture[top:foot]) * cover
        picture[foot:] = colour
    return np.round(picture).astype(np.uint8)


def _paint_work(desk: Desk, monitor: Rect) -> None:
    """A text editor and a folder, partly under where the game will stand."""
    notes = Rect(monitor.x + 36, monitor.y + 44, 430, 380)
    paint_window(desk, notes, "packing-list.txt", (255, 255, 255))
    lines = (
        "Saturday, the hut",
        " ",
        "  2 ropes, 60 m",
        "  stove + two cartridges",
        "  map 1:25 000",
        "  first-aid kit",
    )
    for number, line in enumerate((*lines, "  bread, cheese, apples", " ", "train 07:42, platform 5")):
        desk.write(Spot(notes.x + 22, notes.y + 62 + 26 * number), line, 15, (56, 60, 70))
    folder = Rect(monitor.x + monitor.width - 476, monitor.y + monitor.height - 410, 440, 320)
    paint_window(desk, folder, "Pictures", (246, 247, 250))
    names = ("2019", "2020", "2021", "alps", "garden", "sea", "winter", "inbox")
    for number, name in enumerate(names):
        x, y = folder.x + 36 + 102 * (number % 4), folder.y + 74 + 112 * (number // 4)
        desk.paint(Rect(x, y - 8, 26, 14), (66, 134, 196), radius=4)
        desk.paint(Rect(x, y, 62, 46), (92, 160, 220), radius=6)
        desk.write(Spot(x + 31, y + 64), name, 13, (70, 74, 84), anchor="middle")


def _paint_panel(desk: Desk, monitor: Rect) -> None:
    """The panel along the foot of the first monitor."""
    panel = Rect(monitor.x, monitor.y + monitor.height - PANEL, monitor.width, PANEL)
    desk.paint(panel, (20, 20, 34), alpha=0.78)
    middle = panel.centre.y
    for index, colour in enumerate(((98, 126, 234), (239, 132, 88), (86, 182, 130), (214, 96, 138))):
        desk.paint(Rect(panel.x + 16 + 44 * index, middle - 14, 28, 28), colour, radius=8)
    desk.write(Spot(panel.x + panel.width - 20, middle), "Sat 14:05", 14, (232, 232, 240), anchor="right")
