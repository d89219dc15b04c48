"""What else stands on pages and desktops: text, menus, adverts, tables, windows, browser chrome, photographs."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from bench.pictures import marks
from bench.pictures.colours import FLAT, Theme, darker, lighter, random_colour
from bench.pictures.colours import theme as random_theme
from bot.screens.drawn.painter import mix
from calibration.board import Colour
from calibration.canvas import Canvas, Shade
from calibration.frame import Box, Pixels

WORDS = (
    *(
        "game",
        "new",
        "play",
        "score",
        "moves",
        "level",
        "the",
        "of",
        "your",
        "and",
        "best",
        "board",
        "settings",
        "about",
    ),
    *("help", "undo", "player", "turn", "red", "blue", "win", "over", "share", "daily", "puzzle", "sign", "in", "home"),
    *("news", "store", "free", "more", "rules", "click", "here", "to", "start", "options", "colour", "size", "time"),
)


GOODS = ("BUY", "Add", "$4.99", "SALE", "Get", "Try it", "3 left", "NEW")
"""Words on the goods of a shop."""


def words(rng: np.random.Generator, count: int) -> str:
    """`count` words of page prose."""
    return " ".join(WORDS[i] for i in rng.integers(len(WORDS), size=count))


def furnish(page: Canvas, rng: np.random.Generator, theme: Theme, strip: Box, colours: Sequence[Colour]) -> None:
    """Put a few things into the free `strip`, some of them in the board's own `colours`."""
    margin = 8.0
    y, left = strip.y + margin, strip.x + margin
    width = strip.width - 2 * margin
    while width > 60 and strip.y + strip.height - margin - y > 26 and rng.random() < 0.8:
        room = strip.y + strip.height - margin - y
        box = Box(left, y, width, min(room, float(rng.uniform(24, 200))))
        kind = rng.choice(
            ["heading", "prose", "buttons", "card", "advert", "swatch", "table", "progress", "icons", "nothing"]
        )
        y += _THINGS[str(kind)](page, rng, theme, box, colours) + float(rng.uniform(6, 30))


def _heading(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    size = min(float(rng.uniform(16, 44)), box.height * 0.8, box.width / 7)
    text = words(rng, int(rng.integers(1, 3))).title()
    middle = rng.random() < 0.5
    x = box.x + box.width / 2 if middle else box.x
    page.text(
        x,
        box.y + size / 2,
        text,
        size,
        theme.ink,
        anchor="middle" if middle else "left",
        bold=rng.random() < 0.6,
        serif=rng.random() < 0.2,
    )
    return size * 1.2


def _prose(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    size = float(rng.uniform(10, 17))
    lines = int(np.clip(box.height / (1.5 * size), 1, rng.integers(1, 9)))
    per_line = max(1, int(box.width / (size * 3.4)))
    for line in range(lines):
        text = words(rng, per_line if line < lines - 1 else max(1, per_line // 2))
        page.text(box.x, box.y + (line + 0.7) * 1.5 * size, text, size, mix(theme.page, theme.ink, 0.8))
    return lines * 1.5 * size


def _buttons(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    height, x = min(float(rng.uniform(22, 44)), box.height), box.x
    radius = float(rng.choice([0, 4, 8, height / 2]))
    colour = theme.accent if rng.random() < 0.6 or not colours else colours[int(rng.integers(len(colours)))]
    for _ in range(int(rng.integers(1, 5))):
        text = words(rng, 1).title()
        width = 24 + 0.3 * height * len(text)
        if x + width > box.x + box.width:
            break
        page.fill(Box(x, box.y, width, height), colour, radius=radius, ring=0 if rng.random() < 0.7 else 1)
        page.text(
            x + width / 2,
            box.y + height / 2,
            text,
            0.42 * height,
            theme.ink if sum(colour) > 400 else (255, 255, 255),
            anchor="middle",
        )
        x += width + 8
    return height


def _card(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    page.fill(box, theme.panel, radius=float(rng.choice([0, 6, 12])))
    page.fill(box, theme.line, radius=6, ring=1)
    inner = Box(box.x + 10, box.y + 8, box.width - 20, box.height - 16)
    if inner.width > 40 and inner.height > 16:
        _prose(page, rng, theme, inner, colours)
    return box.height


def _advert(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    one, two = random_colour(rng, (0.3, 1), (0.4, 1)), random_colour(rng, (0.3, 1), (0.4, 1))
    page.fill(box, Shade(one, two, "across" if rng.random() < 0.5 else "down"), radius=float(rng.choice([0, 8])))
    if rng.random() < 0.3:
        page.paste(box.x, box.y, photograph(rng, round(box.width * page.scale), round(box.height * page.scale)))
    for _ in range(int(rng.integers(0, 4))):
        x, y = box.x + rng.uniform(0.1, 0.9) * box.width, box.y + rng.uniform(0.2, 0.8) * box.height
        colour = (
            colours[int(rng.integers(len(colours)))]
            if len(colours) and rng.random() < 0.5
            else FLAT[rng.integers(len(FLAT))]
        )
        marks.sign(page, marks.SIGNS[rng.integers(12)], x, y, float(rng.uniform(5, 0.3 * box.height)), colour)
    page.text(
        box.x + box.width / 2,
        box.y + box.height / 2,
        words(rng, 2).upper(),
        min(26, 0.3 * box.height),
        (255, 255, 255),
        anchor="middle",
        bold=True,
    )
    return box.height


def _swatch(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    """Whose turn it is, or the score: one or two discs or squares in the board's colours with words."""
    size, y = float(rng.uniform(10, 34)), box.y
    for colour in list(colours)[-int(rng.integers(1, 3)) :]:
        if y + size > box.y + box.height:
            break
        page.fill(Box(box.x, y, size, size), colour, radius=float(rng.choice([0, size / 2, 4])))
        page.text(box.x + size + 8, y + size / 2, f"{words(rng, 1)}: {rng.integers(100)}", 15, theme.ink)
        y += size + 6
    return y - box.y


def shop(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> None:
    """Goods: squares in the board's colours, with one word on, under or over each; none where there is no room."""
    box = Box(box.x + 16, box.y + 8, box.width - 32, box.height - 16)
    size = min(float(rng.uniform(30, 64)), box.width / (1.3 * len(colours)), box.height - 44)
    if size < 24:
        return
    place, letters = int(rng.integers(3)), float(rng.uniform(11, 15))
    word, radius = GOODS[rng.integers(len(GOODS))], float(rng.choice([0, 4, size / 2]))
    top = box.y + 22
    for number, colour in enumerate(colours):
        goods = Box(box.x + 1.3 * size * number, top, size, size)
        page.fill(goods, colour, radius=radius)
        ink = theme.ink if place else (0, 0, 0) if sum(colour) > 330 else (255, 255, 255)
        y = (goods.centre.y, top + size + letters, top - letters)[place]
        page.text(goods.centre.x, y, word, letters, ink, anchor="middle", bold=True)


def _table(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    rows, cols, high = int(rng.integers(2, 7)), int(rng.integers(2, 5)), 22.0
    rows = max(1, min(rows, int(box.height / high)))
    for row in range(rows):
        line = Box(box.x, box.y + row * high, box.width, high)
        if row % 2 == 0:
            page.fill(line, theme.panel)
        page.stroke([(box.x, line.y + high), (box.x + box.width, line.y + high)], 1, theme.line)
        for col in range(cols):
            page.text(box.x + 6 + col * box.width / cols, line.y + high / 2, words(rng, 1), 12, theme.ink)
    return rows * high


def _progress(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    bar = Box(box.x, box.y, box.width, 12)
    page.fill(bar, theme.line, radius=6)
    page.fill(Box(bar.x, bar.y, bar.width * float(rng.uniform(0.1, 0.9)), 12), theme.accent, radius=6)
    return 14


def _icons(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    size, x = float(rng.uniform(7, 13)), box.x
    for _ in range(int(rng.integers(2, 9))):
        if x + 2 * size > box.x + box.width:
            break
        marks.sign(page, marks.SIGNS[rng.integers(12)], x + size, box.y + size, size, theme.ink)
        x += 3.2 * size
    return 2 * size


def _nothing(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box, colours: Sequence[Colour]) -> float:
    return box.height


_THINGS = {
    "heading": _heading, "prose": _prose, "buttons": _buttons, "card": _card, "advert": _advert, "swatch": _swatch,
    "table": _table, "progress": _progress, "icons": _icons, "nothing": _nothing,
}  # fmt: skip


def photograph(rng: np.random.Generator, width: int, height: int) -> Pixels:
    """uint8[height, width, 3]: clouds, hills or blurred colours, with grain, as a photograph has."""
    small = rng.random((max(2, height // 60 + 2), max(2, width // 60 + 2), 3)).astype(np.float32)
    picture = cv2.resize(small, (max(1, width), max(1, height)), interpolation=cv2.INTER_CUBIC)
    finer = rng.random((max(2, height // 12 + 2), max(2, width // 12 + 2), 1)).astype(np.float32)
    detail = cv2.resize(finer, (max(1, width), max(1, height)), interpolation=cv2.INTER_LINEAR)[:, :, None]
    base = np.array(random_colour(rng, (0.2, 0.7), (0.4, 0.9)), dtype=np.float32)
    sky = np.linspace(1.15, 0.7, max(1, height), dtype=np.float32)[:, None, None]
    values = base * sky * (0.75 + 0.4 * picture) * (0.85 + 0.3 * detail)
    values += 4 * rng.standard_normal(values.shape, dtype=np.float32)
    return np.asarray(np.clip(values, 0, 255), dtype=np.uint8)


def wallpaper(desk: Canvas, rng: np.random.Generator) -> None:
    """The desktop behind the windows."""
    kind = rng.random()
    one, two = random_colour(rng, (0.2, 0.9), (0.1, 0.8)), random_colour(rng, (0.2, 0.9), (0.1, 0.8))
    if kind < 0.35:
        desk.fill(desk.box, Shade(one, two))
    elif kind < 0.6:
        height, width = desk.pixels.shape[:2]
        desk.paste(0, 0, photograph(rng, width, height))
    else:
        desk.fill(desk.box, one if kind < 0.9 else (0, 0, 0))


def desktop(desk: Canvas, rng: np.random.Generator) -> None:
    """Wallpaper, icons and a task bar."""
    wallpaper(desk, rng)
    if rng.random() < 0.5:
        for index in range(int(rng.integers(2, 12))):
            x, y = 20 + (index // 7) * 84, 20 + (index % 7) * 86
            desk.fill(Box(x, y, 46, 46), FLAT[rng.integers(len(FLAT))], radius=10)
            marks.sign(desk, marks.SIGNS[rng.integers(12)], x + 23, y + 23, 13, (255, 255, 255))
            desk.text(x + 23, y + 58, words(rng, 1), 12, (255, 255, 255), anchor="middle")
    if rng.random() < 0.6:
        bar = Box(0, desk.height - 40, desk.width, 40)
        desk.fill(bar, (32, 32, 36) if rng.random() < 0.6 else (230, 232, 238))
        for index in range(int(rng.integers(3, 10))):
            desk.fill(Box(10 + index * 44, bar.y + 7, 26, 26), FLAT[rng.integers(len(FLAT))], radius=6)
        desk.text(desk.width - 12, bar.y + 20, "13:47", 14, (200, 200, 200), anchor="right")


def window(desk: Canvas, rng: np.random.Generator, box: Box, title: str) -> Box:
    """Draw a window's frame into `box` of the desktop; returns the rectangle of its inside."""
    dark = rng.random() < 0.4
    bar: Colour = (45, 45, 48) if dark else random_colour(rng, (0.0, 0.3), (0.8, 0.97))
    ink: Colour = (230, 230, 230) if dark else (40, 40, 40)
    high = float(rng.uniform(22, 40))
    desk.fill(Box(box.x + 3, box.y + 5, box.width, box.height), (0, 0, 0), radius=8, alpha=0.3)
    desk.fill(box, bar, radius=float(rng.choice([0, 6])))
    desk.text(box.x + box.width / 2, box.y + high / 2, title, 13, ink, anchor="middle", bold=rng.random() < 0.5)
    for index in range(3):
        x = box.x + box.width - 16 - 24 * index
        marks.sign(desk, ("cross", "square", "dot")[index], x, box.y + high / 2, 5, ink)
    border = float(rng.choice([0, 1, 4]))
    inside = Box(box.x + border, box.y + high, box.width - 2 * border, box.height - high - border)
    if rng.random() < 0.35:
        desk.fill(Box(inside.x, inside.y, inside.width, 24), lighter(bar, 0.3))
        x = inside.x + 10.0
        for word in ("File", "Game", "View", "Help"):
            x += desk.text(x, inside.y + 12, word, 13, ink) + 16
        inside = Box(inside.x, inside.y + 24, inside.width, inside.height - 24)
    return inside


def browser(desk: Canvas, rng: np.random.Generator, box: Box) -> Box:
    """Draw a browser's window into `box`; returns the rectangle of its page."""
    dark = rng.random() < 0.35
    strip: Colour = (32, 33, 36) if dark else random_colour(rng, (0.02, 0.25), (0.82, 0.95))
    bar: Colour = (53, 54, 58) if dark else (252, 252, 253)
    ink: Colour = (225, 225, 225) if dark else (60, 64, 67)
    desk.fill(box, strip)
    x = box.x + float(rng.uniform(6, 80))
    active = int(rng.integers(4))
    for index in range(int(rng.integers(1, 9))):
        wide = float(rng.uniform(90, 230))
        if x + wide > box.x + box.width - 110:
            break
        tab = Box(x, box.y + 7, wide, 34)
        desk.fill(tab, bar if index == active else mix(strip, bar, 0.2), radius=8)
        desk.fill(Box(x + 10, tab.y + 9, 15, 15), FLAT[rng.integers(len(FLAT))], radius=float(rng.choice([0, 4, 8])))
        desk.text(x + 32, tab.y + 17, words(rng, 2)[: int(wide / 10)], 13, ink)
        x += wide + 2
    for index in range(3):
        marks.sign(desk, ("cross", "square", "plus")[index], box.x + box.width - 20 - 36 * index, box.y + 20, 5, ink)
    tools = Box(box.x, box.y + 40, box.width, 40)
    desk.fill(tools, bar)
    for index in range(3):
        marks.sign(desk, ("triangle", "triangle", "ring")[index], box.x + 22 + 34 * index, tools.y + 20, 6, ink)
    desk.fill(Box(box.x + 120, tools.y + 5, box.width - 260, 30), mix(bar, ink, 0.08), radius=15)
    desk.text(box.x + 136, tools.y + 20, f"www.{words(rng, 1)}.com/{words(rng, 1)}", 14, ink)
    for index in range(3):
        desk.disc(box.x + box.width - 30 - 34 * index, tools.y + 20, 9, FLAT[rng.integers(len(FLAT))])
    top = 80.0
    if rng.random() < 0.3:
        desk.fill(Box(box.x, box.y + top, box.width, 30), bar)
        for index in range(int(rng.integers(3, 9))):
            desk.fill(Box(box.x + 14 + index * 110, box.y + top + 8, 14, 14), FLAT[rng.integers(len(FLAT))], radius=3)
            desk.text(box.x + 34 + index * 110, box.y + top + 15, words(rng, 1), 12, ink)
        top += 30
    return Box(box.x, box.y + top, box.width, box.height - top)


def notes(desk: Canvas, rng: np.random.Generator, box: Box) -> None:
    """A small window with text that lies in front of others."""
    look = random_theme(rng)
    inside = window(desk, rng, box, words(rng, 2))
    desk.fill(inside, look.page)
    part = desk.view(inside)
    _prose(part, rng, look, Box(8, 8, max(40.0, inside.width - 16), inside.height), ())


def header(page: Canvas, rng: np.random.Generator, theme: Theme, strip: Box) -> Box:
    """A navigation bar over the page's top, if it fits; returns what is left of the strip."""
    high = float(rng.uniform(30, 64))
    if strip.height < high + 10 or rng.random() < 0.5:
        return strip
    colour = (theme.panel, theme.accent, darker(theme.accent, 0.6))[rng.integers(3)]
    page.fill(Box(0, strip.y, page.width, high), colour)
    ink: Colour = (255, 255, 255) if sum(colour) < 400 else (30, 30, 30)
    x = 20.0 + page.text(20, strip.y + high / 2, words(rng, 1).title(), 0.45 * high, ink, bold=True) + 30
    for _ in range(int(rng.integers(2, 7))):
        x += page.text(x, strip.y + high / 2, words(rng, 1).title(), 14, ink) + 22
    return Box(strip.x, strip.y + high, strip.width, strip.height - high)
