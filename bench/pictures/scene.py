"""A whole picture: a screen of some size and scale, a desktop or a page on it, one board or none, and noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from bench.pictures import discs, empties, flooding, furniture, grooves, marks, pieces, stones
from bench.pictures.colours import Theme, darker, lighter
from bench.pictures.colours import theme as random_theme
from bench.pictures.layout import Room
from bench.pictures.truth import TrueBoard
from calibration.canvas import Canvas, Shade
from calibration.frame import Box, Pixels
from games import find_game

SCREENS = ((1280, 800), (1920, 1080), (1440, 900), (1366, 768), (1024, 768), (1280, 1024), (800, 900))
"""Sizes in points of the screens and viewports that pictures are taken of."""

BOARDS = {
    "flood_it": flooding.draw,
    "filler": flooding.draw,
    "connect_four": discs.draw,
    "blokus": pieces.draw,
    "quoridor": grooves.draw,
    "reversi": stones.draw,
    "mnk": stones.draw,
}
"""The games whose boards are drawn, and by what."""

UNDRAWN = "nothing draws its boards"
"""Why a bench of drawn pictures leaves a game out."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A drawn screenshot.

    pixels: uint8[height, width, 3], RGB.  truth: what it shows, in the keys of the scored galleries
    (``game``, ``rows``, ``cols``, ``grid``, ``cells``, ``buttons``, ...); ``{"game": None, "subject": ...}``
    for no board.
    """

    pixels: Pixels
    truth: dict[str, Any]


PHOTOGRAPHS = 0.06
"""The share of pages on a photograph."""

LIT = 0.08
"""The share of screens under a night light, or as a projector shows them."""

SHOPS = 0.3
"""The share of strips without furniture in which goods are offered in the board's colours."""


def draw_picture(game: str, rng: np.random.Generator, *, size: float = 1.0) -> Picture:
    """A random screenshot with one board of `game`; size: of the whole picture, all that is on it smaller with it."""
    desk, page, theme = _screen(rng, size)
    board, room = BOARDS[game](page, rng, theme, game)
    _furnish(page, rng, theme, room, board)
    _clip(board, page)
    _cover(desk, rng, board)
    _point(desk, rng, board)
    light = _light(rng)
    pixels, factor = _degrade(rng, light[desk.pixels, (0, 1, 2)])
    board.resized(factor)
    lit = (light[colour, (0, 1, 2)].tolist() for colour in board.palette)
    board.palette = [(red, green, blue) for red, green, blue in lit]
    return Picture(pixels, board.truth(page.scale * factor))


def draw_empty(rng: np.random.Generator, subject: str = "", *, size: float = 1.0) -> Picture:
    """A random screenshot with no board of any game of ours, but `subject` or something random."""
    desk, page, theme = _screen(rng, size)
    subject = empties.draw(page, rng, theme, subject)
    _cover(desk, rng, None)
    _point(desk, rng, None)
    return Picture(_degrade(rng, _light(rng)[desk.pixels, (0, 1, 2)])[0], {"game": None, "subject": subject})


def _screen(rng: np.random.Generator, size: float) -> tuple[Canvas, Canvas, Theme]:
    """The screen, the page on it whose board is to be drawn, and the page's theme; size: of what is usual."""
    width, height = SCREENS[rng.choice(len(SCREENS), p=[0.4, 0.2, 0.1, 0.1, 0.08, 0.06, 0.06])]
    scale = float(rng.choice([1, 1.25, 1.5, 2], p=[0.72, 0.08, 0.1, 0.1]))
    if width * scale > 2600:
        scale = 1.0
    scale *= size
    zoom = float(
        rng.choice([0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5], p=[0.05, 0.05, 0.05, 0.06, 0.64, 0.05, 0.06, 0.04])
    )
    desk = Canvas(np.zeros((round(height * scale), round(width * scale), 3), dtype=np.uint8), scale)
    theme = random_theme(rng)
    inside = _inside(desk, rng)
    page = desk.view(inside, zoom)
    if rng.random() < 0.15:
        page.fill(
            page.box,
            Shade(lighter(theme.page, 0.06), darker(theme.page, 0.15), "down" if rng.random() < 0.7 else "round"),
        )
    else:
        page.fill(page.box, theme.page)
    (apart,) = rng.spawn(1)  # so that the rest of the picture is as it would be without
    if apart.random() < PHOTOGRAPHS:
        page.pixels[:] = furniture.photograph(apart, page.pixels.shape[1], page.pixels.shape[0])
    return desk, page, theme


def _inside(desk: Canvas, rng: np.random.Generator) -> Box:
    """Draw what is round the page: nothing, a browser that fills the screen, or a window on the desktop."""
    kind = rng.random()
    if kind < 0.4:
        return desk.box
    if kind < 0.6:
        return furniture.browser(desk, rng, desk.box)
    furniture.desktop(desk, rng)
    if rng.random() < 0.25:
        corner = rng.uniform(0, 0.6, 2)
        furniture.notes(desk, rng, Box(float(corner[0]) * desk.width, float(corner[1]) * desk.height, 320, 220))
    wide, high = float(rng.uniform(0.55, 0.95)) * desk.width, float(rng.uniform(0.65, 0.95)) * desk.height
    box = Box(float(rng.uniform(0, desk.width - wide)), float(rng.uniform(0, desk.height - high)), wide, high)
    if kind < 0.8:
        return furniture.browser(desk, rng, box)
    return furniture.window(desk, rng, box, furniture.words(rng, 2).title())


def _furnish(page: Canvas, rng: np.random.Generator, theme: Theme, room: Room, board: TrueBoard) -> None:
    """Fill the strips beside the board, some of them; nothing sticks out of its strip over the board."""
    for side, strip in room.strips.items():
        if min(strip.width, strip.height) < 1:
            continue
        sheet = page.view(strip)
        free = furniture.header(sheet, rng, theme, sheet.box) if side == "above" else sheet.box
        if rng.random() < 0.65:
            furniture.furnish(sheet, rng, theme, free, board.palette[-2:])
            continue
        (apart,) = rng.spawn(1)  # so that the rest of the picture is as it would be without
        if len(board.palette) > 2 and apart.random() < SHOPS:
            furniture.shop(sheet, apart, theme, free, board.palette)


def _clip(board: TrueBoard, page: Canvas) -> None:
    """Cells beyond the page's edge cannot be seen."""
    height, width = page.pixels.shape[:2]
    board.hide(Box(page.offset.x, page.offset.y, width, height), inside=False)


def _cover(desk: Canvas, rng: np.random.Generator, board: TrueBoard | None) -> None:
    """Sometimes another window lies in front; over a board only where its game can be read in part."""
    if rng.random() > 0.08:
        return
    wide, high = float(rng.uniform(120, 320)), float(rng.uniform(80, 200))
    box = Box(float(rng.uniform(0, desk.width - wide)), float(rng.uniform(0, desk.height - high)), wide, high)
    if board is not None:
        if find_game(board.game).drawn != "coloured" or board.buttons:
            return
        shadow = Box(*(value * desk.scale for value in (box.x - 1, box.y - 1, wide + 5, high + 7)))
        before = set(board.hidden)
        board.hide(shadow)
        rows, cols = board.grid.shape
        spoilt = len(board.hidden) > 0.25 * rows * cols
        if spoilt or any(cell in board.hidden for cell in ((0, 0), (0, cols - 1), (rows - 1, 0), (rows - 1, cols - 1))):
            board.hidden = before
            return
    furniture.notes(desk, rng, box)


def _point(desk: Canvas, rng: np.random.Generator, board: TrueBoard | None) -> None:
    """The pointer, often where the last click was: on a cell."""
    if rng.random() < 0.5:
        return
    x, y = float(rng.uniform(0, desk.width)), float(rng.uniform(0, desk.height))
    if board is not None and rng.random() < 0.5:
        centres = board.centres().reshape(-1, 2)
        x, y = centres[rng.integers(len(centres))] / desk.scale + rng.normal(0, 0.2, 2) * board.pitch / desk.scale
    before = desk.pixels.copy()
    marks.cursor(desk, x, y, hand=rng.random() < 0.4)
    if board is None:
        return
    covered = board.covered((desk.pixels != before).any(axis=2))
    if find_game(board.game).drawn == "grooves" and covered & set(board.pawns):
        desk.pixels[:] = before  # nobody could say where that pawn stands
    board.hidden |= covered


def _light(rng: np.random.Generator) -> Pixels:
    """uint8[256, 3]: what a screen makes of each level of red, green and blue: darker blue at night, another gamma."""
    (apart,) = rng.spawn(1)  # so that the rest of the picture is as it would be without
    levels = np.linspace(0, 1, 256)[:, None] * np.ones(3)
    if apart.random() < LIT:
        warm = float(apart.uniform(0, 1)) if apart.random() < 0.6 else 0.0
        levels = levels ** float(apart.uniform(0.75, 1.35)) * (1 - warm * np.array([0, 0.15, 0.4]))
    return np.asarray(np.rint(255 * levels), dtype=np.uint8)


def _degrade(rng: np.random.Generator, pixels: Pixels) -> tuple[Pixels, float]:
    """Most screenshots are exact; some were scaled or went through JPEG.  Returns the pixels and the scaling."""
    factor = 1.0
    if rng.random() < 0.1:
        factor = float(rng.uniform(0.8, 1.25))
        size = (round(pixels.shape[1] * factor), round(pixels.shape[0] * factor))
        pixels = np.asarray(
            cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR), dtype=np.uint8
        )
    if rng.random() < 0.15:
        quality = int(rng.integers(60, 96))
        _, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
        decoded = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
        pixels = np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB), dtype=np.uint8)
    return pixels, factor
