"""Draws what is no board of ours: tables, calendars, charts, keyboards, colour pickers, and other games' boards."""

from __future__ import annotations

import colorsys

import numpy as np

from bench.pictures import furniture, marks
from bench.pictures.colours import FLAT, Theme, darker, lighter, random_colour
from bench.pictures.furniture import words
from bot.screens.drawn.painter import mix
from calibration.board import Colour
from calibration.canvas import Canvas
from calibration.frame import Box


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, subject: str = "") -> str:
    """Fill `page` with one large thing, `subject` or a random one, and furniture round it; returns the thing's name."""
    kind = str(rng.choice(sorted(_SUBJECTS)))
    (apart,) = rng.spawn(1)  # so that the pictures of a seed stay as they are
    if apart.random() < 0.15:
        kind = str(apart.choice(sorted(_NEARLY)))
    kind = subject or kind
    wide, high = float(rng.uniform(0.45, 0.85)) * page.width, float(rng.uniform(0.5, 0.85)) * page.height
    box = Box(float(rng.uniform(0.02, 0.98)) * (page.width - wide), 0.9 * (page.height - high), wide, high)
    (_SUBJECTS | _NEARLY)[kind](page, rng, theme, box)
    above = furniture.header(page, rng, theme, Box(0, 0, page.width, box.y))
    for strip in (above, Box(0, box.y, box.x, box.height), Box(box.x + wide, box.y, page.width - box.x - wide, high)):
        furniture.furnish(page, rng, theme, strip, FLAT)
    return kind


def _nothing(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    furniture.furnish(page, rng, theme, box, FLAT)


def _spreadsheet(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    high, wide = float(rng.uniform(18, 30)), float(rng.uniform(50, 120))
    rows, cols = int(box.height / high), int(box.width / wide)
    tint = rng.random() < 0.4
    page.fill(Box(box.x, box.y, cols * wide, rows * high), (255, 255, 255))
    for row in range(rows):
        for col in range(cols):
            cell = Box(box.x + col * wide, box.y + row * high, wide, high)
            if row == 0 or col == 0:
                page.fill(cell, (232, 234, 237))
                page.text(*cell.centre, str(row) if col == 0 else chr(64 + col), 12, (80, 80, 80), anchor="middle")
            elif tint and rng.random() < 0.2:
                page.fill(cell, lighter(FLAT[rng.integers(len(FLAT))], 0.5))
            elif rng.random() < 0.5:
                page.text(
                    cell.x + wide - 5,
                    cell.centre.y,
                    f"{rng.integers(10000) / 100:.2f}",
                    12,
                    (30, 30, 30),
                    anchor="right",
                )
            page.fill(Box(cell.x, cell.y, wide + 1, high + 1), (200, 200, 204), ring=1)


def _calendar(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    rows = int(rng.integers(5, 7))
    wide, high = box.width / 7, box.height / rows
    gap = float(rng.choice([0, 0, 3]))
    first, boxed = int(rng.integers(7)), rng.random() < 0.7
    for index in range(rows * 7):
        cell = Box(box.x + index % 7 * wide, box.y + index // 7 * high, wide - gap, high - gap)
        page.fill(cell, theme.panel)
        if boxed:
            page.fill(Box(cell.x, cell.y, wide + 1 - gap, high + 1 - gap), theme.line, ring=1)
        if first <= index < first + 30:
            page.text(cell.x + 12, cell.y + 12, str(index - first + 1), 13, theme.ink)
            for event in range(int(rng.integers(0, 3)) if high > 50 else 0):
                colour = FLAT[rng.integers(len(FLAT))]
                page.fill(Box(cell.x + 4, cell.y + 24 + 16 * event, wide - 8 - gap, 13), colour, radius=3)
    today = int(rng.integers(rows * 7))
    page.disc(box.x + today % 7 * wide + 12, box.y + today // 7 * high + 12, 10, theme.accent, alpha=0.6)


def _date_picker(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """Seven columns by six rows of small numbers, one or two of them in a disc: the size of a Connect Four board."""
    pitch = min(box.width / 7, box.height / 7, float(rng.uniform(30, 60)))
    page.fill(Box(box.x - 8, box.y - 8, 7 * pitch + 16, 7 * pitch + 16), theme.panel, radius=8)
    round_days = rng.random() < 0.4
    for index in range(49):
        x, y = box.x + (index % 7 + 0.5) * pitch, box.y + (index // 7 + 0.5) * pitch
        if index < 7:
            page.text(x, y, "MTWTFSS"[index], 0.3 * pitch, mix(theme.page, theme.ink, 0.6), anchor="middle")
        elif 9 <= index < 40:
            if round_days:
                page.disc(x, y, 0.4 * pitch, mix(theme.page, theme.ink, 0.12))
            if rng.random() < 0.06:
                page.disc(x, y, 0.4 * pitch, theme.accent)
            page.text(x, y, str(index - 8), 0.32 * pitch, theme.ink, anchor="middle")


def _colour_picker(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """Rows of swatches in which every column is a hue and every row a shade."""
    cols, rows = int(rng.integers(8, 13)), int(rng.integers(5, 9))
    pitch = min(box.width / cols, box.height / rows, float(rng.uniform(18, 70)))
    gap, radius = float(rng.choice([0, 2, 5])), float(rng.choice([0, 3, pitch / 2]))
    for row in range(rows):
        for col in range(cols):
            if row == 0:
                grey = round(255 * col / (cols - 1))
                colour: Colour = (grey, grey, grey)
            else:
                light = 1 - row / (rows + 0.5)
                parts = colorsys.hls_to_rgb(col / cols, light, 0.85)
                colour = (round(parts[0] * 255), round(parts[1] * 255), round(parts[2] * 255))
            page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch - gap, pitch - gap), colour, radius=radius)


def _photos(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    cols, rows = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    wide, high, gap = box.width / cols, box.height / rows, float(rng.uniform(2, 14))
    for row in range(rows):
        for col in range(cols):
            picture = furniture.photograph(rng, round((wide - gap) * page.scale), round((high - gap) * page.scale))
            page.paste(box.x + col * wide, box.y + row * high, picture)


def _keyboard(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    unit = min(box.width / 15, box.height / 5.5)
    body = mix(theme.page, theme.ink, 0.3)
    page.fill(Box(box.x - 8, box.y - 8, 15 * unit + 16, 5 * unit + 16), body, radius=8)
    for row, keys in enumerate(("1234567890-=", "QWERTYUIOP[]", "ASDFGHJKL;'", "ZXCVBNM,./", "     ")):
        x = box.x + (0, 0.5, 0.8, 1.2, 2)[row] * unit
        for key in keys:
            wide = unit * (1 if key != " " else float(rng.uniform(1, 3)))
            page.fill(Box(x + 2, box.y + row * unit + 2, wide - 4, unit - 4), theme.panel, radius=5)
            page.text(x + wide / 2, box.y + (row + 0.5) * unit, key, 0.35 * unit, theme.ink, anchor="middle")
            x += wide


def _chart(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    for index in range(6):
        y = box.y + index * box.height / 5
        page.stroke([(box.x, y), (box.x + box.width, y)], 1, theme.line)
        page.text(box.x - 6, y, str(100 - 20 * index), 11, theme.ink, anchor="right")
    bars, series = int(rng.integers(4, 20)), int(rng.integers(1, 4))
    step = box.width / bars
    if rng.random() < 0.5:
        for index in range(bars):
            for part in range(series):
                high = float(rng.uniform(0.05, 0.95)) * box.height
                wide = 0.8 * step / series
                page.fill(Box(box.x + index * step + part * wide, box.y + box.height - high, wide, high), FLAT[part])
        return
    for part in range(series):
        heights = np.clip(0.5 + np.cumsum(rng.normal(0, 0.08, 60)), 0, 1)
        points = [(box.x + i * box.width / 59, box.y + (1 - h) * box.height) for i, h in enumerate(heights)]
        page.stroke(points, 2, FLAT[part])


def _activity(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """A year of days as seven rows of small squares in the shades of one colour."""
    pitch = min(box.width / 53, float(rng.uniform(11, 18)))
    colour = FLAT[rng.integers(len(FLAT))]
    for col in range(53):
        for row in range(7):
            level = max(0, int(rng.integers(-4, 5)))
            paint = mix(theme.panel, colour, 0.25 * level)
            page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch * 0.8, pitch * 0.8), paint, radius=2)


def _chess(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    pitch = min(box.width, box.height) / 8
    light = random_colour(rng, (0.05, 0.3), (0.85, 1.0))
    dark = random_colour(rng, (0.3, 0.6), (0.35, 0.65))
    discs = rng.random() < 0.3
    for row in range(8):
        for col in range(8):
            page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch, pitch), dark if (row + col) % 2 else light)
            x, y = box.x + (col + 0.5) * pitch, box.y + (row + 0.5) * pitch
            ink: Colour = (250, 250, 250) if row > 3 else (25, 25, 25)
            if discs and (row < 3 or row > 4) and (row + col) % 2:
                page.disc(x, y, 0.38 * pitch, ink if ink[0] < 100 else (200, 40, 40))
            elif not discs and (row in (0, 1, 6, 7) or rng.random() < 0.1) and rng.random() < 0.85:
                marks.sign(page, marks.SIGNS[rng.integers(2, 12)], x, y, 0.3 * pitch, ink)


def _sudoku(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    pitch = min(box.width, box.height) / 9
    page.fill(Box(box.x, box.y, 9 * pitch, 9 * pitch), (255, 255, 255))
    for index in range(10):
        width = 3 if index % 3 == 0 else 1
        page.stroke([(box.x + index * pitch, box.y), (box.x + index * pitch, box.y + 9 * pitch)], width, (40, 40, 50))
        page.stroke([(box.x, box.y + index * pitch), (box.x + 9 * pitch, box.y + index * pitch)], width, (40, 40, 50))
    for row in range(9):
        for col in range(9):
            if rng.random() < 0.4:
                x, y = box.x + (col + 0.5) * pitch, box.y + (row + 0.5) * pitch
                page.text(x, y, str(rng.integers(1, 10)), 0.6 * pitch, (30, 60, 140), anchor="middle")


def _minesweeper(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    rows, cols = ((9, 9), (16, 16), (16, 30))[rng.integers(3)]
    pitch = min(box.width / cols, box.height / rows)
    inks = ((0, 0, 255), (0, 128, 0), (255, 0, 0), (0, 0, 128))
    for row in range(rows):
        for col in range(cols):
            cell = Box(box.x + col * pitch, box.y + row * pitch, pitch, pitch)
            page.fill(cell, (189, 189, 189))
            if (row - rows / 2) ** 2 + (col - cols / 2) ** 2 > rng.uniform(4, rows * cols / 3):
                page.fill(Box(cell.x, cell.y, pitch, 0.1 * pitch), (255, 255, 255))
                page.fill(Box(cell.x, cell.y, 0.1 * pitch, pitch), (255, 255, 255))
                page.fill(Box(cell.x, cell.y + 0.9 * pitch, pitch, 0.1 * pitch), (123, 123, 123))
                page.fill(Box(cell.x + 0.9 * pitch, cell.y, 0.1 * pitch, pitch), (123, 123, 123))
                continue
            page.fill(cell, (123, 123, 123), ring=1)
            if rng.random() < 0.6:
                number = int(rng.integers(1, 5))
                page.text(*cell.centre, str(number), 0.6 * pitch, inks[number - 1], anchor="middle", bold=True)


def _draughts(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """Discs on the dark ones of squares of two tones."""
    pitch = min(box.width, box.height) / 8
    dark, light = ((120, 80, 50), (240, 220, 180)) if rng.random() < 0.6 else ((70, 70, 70), (200, 60, 50))
    for row in range(8):
        for col in range(8):
            uneven = (row + col) % 2
            page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch, pitch), dark if uneven else light)
            if uneven and row not in (3, 4) and rng.random() < 0.9:
                ink: Colour = (245, 240, 230) if row > 4 else (20, 20, 20)
                page.disc(box.x + (col + 0.5) * pitch, box.y + (row + 0.5) * pitch, 0.4 * pitch, ink)


def _tiles_2048(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    pitch = min(box.width, box.height) / 4
    page.fill(Box(box.x, box.y, 4 * pitch, 4 * pitch), (187, 173, 160), radius=6)
    shades: tuple[Colour, ...] = (
        (205, 193, 180),
        (238, 228, 218),
        (237, 224, 200),
        (242, 177, 121),
        (245, 149, 99),
        (246, 124, 95),
    )
    for row in range(4):
        for col in range(4):
            level = int(rng.integers(6))
            cell = Box(box.x + (col + 0.06) * pitch, box.y + (row + 0.06) * pitch, 0.88 * pitch, 0.88 * pitch)
            page.fill(cell, shades[level], radius=4)
            if level:
                page.text(*cell.centre, str(2**level), 0.4 * pitch, (119, 110, 101), anchor="middle", bold=True)


def _crossword(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    size = int(rng.integers(9, 16))
    pitch = min(box.width, box.height) / size
    for row in range(size):
        for col in range(size):
            cell = Box(box.x + col * pitch, box.y + row * pitch, pitch + 1, pitch + 1)
            black = rng.random() < 0.2
            page.fill(cell, (0, 0, 0) if black else (255, 255, 255))
            page.fill(cell, (60, 60, 60), ring=1)
            if not black and rng.random() < 0.3:
                page.text(
                    cell.x + 0.5 * pitch,
                    cell.y + 0.55 * pitch,
                    chr(65 + rng.integers(26)),
                    0.55 * pitch,
                    (20, 20, 20),
                    anchor="middle",
                )


def _word_guess(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """Six rows of five letters in green, yellow and grey."""
    pitch = min(box.width / 5, box.height / 6)
    paints: tuple[Colour, ...] = ((106, 170, 100), (201, 180, 88), (120, 124, 126))
    guessed = int(rng.integers(0, 6))
    for row in range(6):
        for col in range(5):
            cell = Box(box.x + col * pitch + 3, box.y + row * pitch + 3, pitch - 6, pitch - 6)
            if row < guessed:
                page.fill(cell, paints[rng.integers(3)])
                page.text(
                    *cell.centre, chr(65 + rng.integers(26)), 0.5 * pitch, (255, 255, 255), anchor="middle", bold=True
                )
            else:
                page.fill(cell, theme.line, ring=2)


def _icons(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """A launcher: a lattice of icons with names under them."""
    pitch = float(rng.uniform(64, 130))
    for row in range(int(box.height / pitch)):
        for col in range(int(box.width / pitch)):
            x, y = box.x + (col + 0.5) * pitch, box.y + (row + 0.4) * pitch
            colour = FLAT[rng.integers(len(FLAT))]
            page.fill(Box(x - 0.27 * pitch, y - 0.27 * pitch, 0.54 * pitch, 0.54 * pitch), colour, radius=0.12 * pitch)
            marks.sign(page, marks.SIGNS[rng.integers(12)], x, y, 0.15 * pitch, (255, 255, 255))
            page.text(x, y + 0.42 * pitch, words(rng, 1), 0.13 * pitch, theme.ink, anchor="middle")


def _code(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """An editor or a terminal: short coloured words on lines of one height."""
    page.fill(box, (30, 30, 34))
    for line in range(int(box.height / 18)):
        x, y = box.x + 40 + 24 * int(rng.integers(4)), box.y + 9 + 18 * line
        page.text(box.x + 30, y, str(line + 1), 12, (110, 110, 120), anchor="right")
        for _ in range(int(rng.integers(0, 7))):
            if x > box.x + box.width - 90:
                break
            x += page.text(x, y, words(rng, 1), 13, lighter(FLAT[rng.integers(8)], 0.2)) + 8


def _square_code(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """A QR code: black and white modules with three eyes."""
    size = int(rng.choice([21, 25, 29, 33]))
    pitch = float(max(3, int(min(box.width, box.height) * float(rng.uniform(0.3, 1)) / size)))
    page.fill(Box(box.x - 4 * pitch, box.y - 4 * pitch, (size + 8) * pitch, (size + 8) * pitch), (255, 255, 255))
    for row, col in np.argwhere(rng.random((size, size)) < 0.5):
        page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch, pitch), (0, 0, 0))
    for row, col in ((0, 0), (0, size - 7), (size - 7, 0)):
        for inset, colour in ((-1, 255), (0, 0), (1, 255), (2, 0)):
            side = (7 - 2 * inset) * pitch
            page.fill(
                Box(box.x + (col + inset) * pitch, box.y + (row + inset) * pitch, side, side), (colour, colour, colour)
            )


def _elements(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """The periodic table: a ragged lattice in a few colours, with letters."""
    pitch = min(box.width / 18, box.height / 9)
    paints = [lighter(FLAT[i], 0.2) for i in rng.permutation(len(FLAT))[:8]]
    spans = {
        0: (0, 17),
        1: (0, 1, *range(12, 18)),
        2: (0, 1, *range(12, 18)),
        **{r: tuple(range(18)) for r in range(3, 7)},
    }
    for row, cols in spans.items():
        for col in cols:
            cell = Box(box.x + col * pitch + 1, box.y + row * pitch + 1, pitch - 2, pitch - 2)
            page.fill(cell, paints[min(7, col // 3 + (row > 3))])
            page.text(*cell.centre, words(rng, 1)[:2].title(), 0.35 * pitch, (30, 30, 30), anchor="middle")


def _menus(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """Cards in a lattice, as shops and video sites show them."""
    cols, rows = int(rng.integers(2, 6)), int(rng.integers(2, 4))
    wide, high = box.width / cols, box.height / rows
    for row in range(rows):
        for col in range(cols):
            card = Box(box.x + col * wide + 6, box.y + row * high + 6, wide - 12, high - 12)
            page.fill(card, theme.panel, radius=8)
            page.fill(Box(card.x, card.y, card.width, 0.6 * card.height), FLAT[rng.integers(len(FLAT))])
            page.text(card.x + 8, card.y + 0.72 * card.height, words(rng, 2), 14, theme.ink, bold=True)
            page.text(card.x + 8, card.y + 0.88 * card.height, words(rng, 3), 11, darker(theme.line, 0.3))


_SUBJECTS = {
    "nothing": _nothing,
    "spreadsheet": _spreadsheet,
    "calendar": _calendar,
    "date picker": _date_picker,
    "colour picker": _colour_picker,
    "photos": _photos,
    "keyboard": _keyboard,
    "chart": _chart,
    "activity": _activity,
    "chess": _chess,
    "sudoku": _sudoku,
    "minesweeper": _minesweeper,
    "draughts": _draughts,
    "2048": _tiles_2048,
    "crossword": _crossword,
    "word guess": _word_guess,
    "icons": _icons,
    "code": _code,
    "square code": _square_code,
    "elements": _elements,
    "menus": _menus,
}


def _seats(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """The seats of a hall or a plane: rows with an aisle, free and taken ones in two or three colours."""
    cols, rows = int(rng.integers(8, 20)), int(rng.integers(5, 14))
    pitch = min(box.width / (cols + 1), box.height / rows)
    aisle, radius = int(rng.integers(2, cols - 1)), float(rng.choice([0.1, 0.25, 0.4])) * pitch
    paints = [FLAT[i] for i in rng.permutation(len(FLAT))[:3]]
    for row in range(rows):
        for col in range(cols):
            x = box.x + (col + (col >= aisle)) * pitch
            seat = Box(x + 0.1 * pitch, box.y + (row + 0.1) * pitch, 0.8 * pitch, 0.8 * pitch)
            page.fill(seat, paints[rng.choice(3, p=[0.6, 0.3, 0.1])], radius=radius)


def _heat_map(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """A table of numbers shown as shades of two colours, with names beside it."""
    size = int(rng.integers(5, 16))
    pitch = min(box.width / (size + 3), box.height / (size + 1))
    low, high = (random_colour(rng, (0.4, 1), (0.3, 0.9)) for _ in range(2))
    noted = rng.random() < 0.5
    for row in range(size):
        page.text(
            box.x + 2.8 * pitch, box.y + (row + 0.5) * pitch, words(rng, 1), 0.3 * pitch, theme.ink, anchor="right"
        )
        for col in range(size):
            value = 1.0 if row == col else float(rng.beta(2, 2))
            cell = Box(box.x + (col + 3) * pitch, box.y + row * pitch, pitch, pitch)
            page.fill(cell, mix(low, high, value))
            if noted:
                page.text(*cell.centre, f"{value:.1f}", 0.32 * pitch, (255, 255, 255), anchor="middle")


def _falling_blocks(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """A well of ten columns, half filled with squares in the colours of the pieces that fell into it."""
    cols, rows = 10, 20
    pitch = min(box.width / cols, box.height / rows)
    page.fill(Box(box.x - 3, box.y - 3, cols * pitch + 6, rows * pitch + 6), theme.line)
    page.fill(Box(box.x, box.y, cols * pitch, rows * pitch), (12, 12, 20))
    height = rng.integers(2, rows // 2)
    for row in range(rows - int(height), rows):
        for col in np.flatnonzero(rng.random(cols) < 0.8):
            paint = FLAT[rng.integers(8)]
            page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch - 1, pitch - 1), paint)


def _goods(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """Colours of paint or yarn to buy: small squares in rows, each with its name under it."""
    wide, high = float(rng.uniform(50, 90)), float(rng.uniform(60, 100))
    paints = [random_colour(rng, (0.1, 1), (0.3, 1)) for _ in range(24)]
    round_ = rng.random() < 0.4
    for row in range(int(box.height / high)):
        for col in range(int(box.width / wide)):
            side = 0.6 * min(wide, high)
            at = Box(box.x + (col + 0.5) * wide - side / 2, box.y + row * high, side, side)
            page.fill(at, paints[rng.integers(len(paints))], radius=side / 2 if round_ else 4)
            page.text(at.centre.x, at.y + side + 10, words(rng, 1), 11, theme.ink, anchor="middle")


def _word_board(page: Canvas, rng: np.random.Generator, theme: Theme, box: Box) -> None:
    """Fifteen by fifteen squares, some of them tinted, on which words of lettered tiles cross."""
    pitch = min(box.width, box.height) / 15
    bare = random_colour(rng, (0, 0.3), (0.6, 0.95))
    tints = [lighter(FLAT[i], 0.4) for i in rng.permutation(len(FLAT))[:4]]
    tinted = rng.random((8, 8)) < 0.2
    for row, col in np.ndindex(15, 15):
        at = min(row, 14 - row), min(col, 14 - col)
        paint = tints[sum(at) % 4] if tinted[min(at), max(at)] else bare
        page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch, pitch), paint)
    for index in range(16):
        page.stroke([(box.x + index * pitch, box.y), (box.x + index * pitch, box.y + 15 * pitch)], 1, theme.line)
        page.stroke([(box.x, box.y + index * pitch), (box.x + 15 * pitch, box.y + index * pitch)], 1, theme.line)
    lines = rng.choice(np.arange(1, 14, 2), int(rng.integers(1, 6)), replace=False)
    for number, line in enumerate(lines):
        first, long = int(rng.integers(0, 10)), int(rng.integers(3, 6))
        for along in range(first, first + long):
            row, col = (along, line) if number % 2 else (line, along)
            tile = Box(box.x + (col + 0.04) * pitch, box.y + (row + 0.04) * pitch, 0.92 * pitch, 0.92 * pitch)
            page.fill(tile, (240, 217, 165), radius=0.1 * pitch)
            page.text(*tile.centre, chr(65 + rng.integers(26)), 0.6 * pitch, (40, 30, 20), anchor="middle", bold=True)


_NEARLY = {
    "seats": _seats,
    "word board": _word_board,
    "heat map": _heat_map,
    "falling blocks": _falling_blocks,
    "goods": _goods,
}
"""What has come later than _SUBJECTS, and is drawn under chances of its own."""
