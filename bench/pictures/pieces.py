"""Draws boards of Blokus: squares with grid lines, bevels, gaps or nothing between them, and trays of pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.pictures import layout, marks, positions
from bench.pictures.colours import Theme, darker, distance, lighter, mix, palette
from bench.pictures.layout import Room, Side
from bench.pictures.truth import Board, board_on
from calibration.board import Colour
from calibration.canvas import Canvas, Shade
from calibration.frame import Box

FOURS: tuple[tuple[Colour, ...], ...] = (
    ((0, 112, 200), (245, 200, 40), (230, 60, 50), (0, 190, 20)),
    ((37, 99, 235), (234, 179, 8), (220, 38, 38), (22, 163, 74)),
    ((160, 50, 210), (245, 150, 30), (60, 170, 170), (200, 60, 90)),
    ((63, 81, 181), (255, 193, 7), (244, 67, 54), (76, 175, 80)),
)
"""What the four players' colours usually are."""

TRAYS: tuple[tuple[Side, ...], ...] = (("left", "right"), ("right",), ("below",), ("left",), ("above", "below"), ())
"""Beside the board, where the pieces left lie."""


@dataclass(frozen=True, slots=True)
class Skin:
    """How the board looks.

    ground: an empty square.  lines: the grid lines' colour, None for none.  width: of the lines, in points.
    chequer: how much every other empty square is tinted.  look: of a piece's square:
    "flat", "bevel", "line", "gap", "shade".
    bare: the pieces have no lines between their own squares.
    """

    ground: Colour
    lines: Colour | None
    width: float
    chequer: float
    look: str
    colours: tuple[Colour, ...]
    bare: bool


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[Board, Room]:
    """Draw a Blokus board with its trays on `page`."""
    players = 2 if rng.random() < 0.55 else 4
    size = 14 if players == 2 else 20
    if rng.random() < 0.3:
        size = int(rng.choice([10, 11, 12, 13, 15, 16, 18, 20, 22]))
    trays = TRAYS[rng.choice(len(TRAYS), p=[0.2, 0.3, 0.2, 0.1, 0.1, 0.1])]
    reserve: dict[Side, float] = dict.fromkeys(trays, 5.5)
    room, pitch = layout.cut(page, rng, size, size, least=13, reserve=reserve)
    skin = _skin(rng, theme, players)
    starts = _starts(rng, size, players)
    many = int(rng.integers(3, 12)), int(rng.integers(8, 11 * players))
    moves = (0, 1, 2, *many)[rng.choice(5, p=[0.15, 0.07, 0.06, 0.32, 0.4])]
    if skin.lines is None:  # only pieces show how large a square is
        moves = max(moves, 2 * players)
    placing = positions.place_pieces(rng, size, players, moves, starts)
    _draw_ground(page, rng, room.board, pitch[1], skin, size, theme)
    free = [(place, player) for player, place in enumerate(starts) if not placing.grid[place]]
    if rng.random() < 0.6:
        for (row, col), player in free:
            x, y = room.board.x + (col + 0.5) * pitch[1], room.board.y + (row + 0.5) * pitch[1]
            marks.sign(page, ("dot", "ring", "diamond")[rng.integers(3)], x, y, 0.2 * pitch[1], skin.colours[player])
    for (row, col), owner in np.ndenumerate(placing.grid):
        if owner:
            _draw_square(
                page,
                room.board.x + col * pitch[1],
                room.board.y + row * pitch[1],
                pitch[1],
                skin.colours[owner - 1],
                skin,
            )
    if skin.lines is not None and not skin.bare:
        _draw_lines(page, room.board, pitch[1], size, skin)
    _mark_last(page, rng, room.board, pitch[1], placing, skin)
    for place, side in enumerate(reserve):
        _draw_tray(
            page, rng, room, side, pitch[1], placing.left[place :: len(reserve)], skin, place, len(reserve), theme
        )
    board = board_on(page, game, room.board, (pitch[1], pitch[1]), placing.grid)
    board.palette = [skin.ground, *skin.colours]
    board.skin = skin.look if skin.lines is not None else "no lines"
    return board, room


def _skin(rng: np.random.Generator, theme: Theme, players: int) -> Skin:
    ground = (
        theme.panel,
        (170, 165, 170),
        (255, 255, 255),
        (45, 48, 56),
        (220, 220, 215),
        mix(theme.page, theme.ink, 0.2),
    )[rng.integers(6)]
    lined = rng.random() < 0.8
    lines = None
    if lined:
        lines = (
            darker(ground, float(rng.uniform(0.12, 0.6)))
            if sum(ground) > 250
            else lighter(ground, float(rng.uniform(0.12, 0.6)))
        )
    elif distance(ground, theme.page) < 8:
        ground = mix(theme.page, theme.ink, 0.15)
    colours = FOURS[rng.integers(len(FOURS))][:players]
    if rng.random() < 0.3 or any(distance(c, ground) < 25 for c in colours):
        colours = tuple(palette(rng, players, avoid=[ground, ground, *([lines] if lines else [])]))
    chequer = 0.0 if rng.random() < 0.9 else float(rng.uniform(0.04, 0.12))
    look = ("flat", "bevel", "line", "gap", "shade")[rng.choice(5, p=[0.4, 0.2, 0.15, 0.15, 0.1])]
    return Skin(
        ground, lines, float(rng.choice([1, 1, 1, 2])), chequer, look, colours, bool(lined and rng.random() < 0.3)
    )


def _starts(rng: np.random.Generator, size: int, players: int) -> list[tuple[int, int]]:
    last = size - 1
    if players == 2 and size == 14 and rng.random() < 0.6:
        return [(4, 4), (9, 9)]
    corners = [(0, 0), (0, last), (last, last), (last, 0)]
    return [corners[0], corners[2]] if players == 2 else corners


def _draw_ground(
    page: Canvas, rng: np.random.Generator, box: Box, pitch: float, skin: Skin, size: int, theme: Theme
) -> None:
    """Frame, empty squares and lines."""
    rim = 0.0 if rng.random() < 0.55 else float(rng.uniform(1, 12))
    if rim:
        edge = (theme.line, (0, 0, 0), (90, 60, 30), theme.accent)[rng.integers(4)]
        page.fill(
            Box(box.x - rim, box.y - rim, box.width + 2 * rim, box.height + 2 * rim),
            edge,
            radius=float(rng.choice([0, rim])),
        )
    page.fill(box, skin.ground)
    if skin.chequer:
        tint = mix(skin.ground, theme.ink, skin.chequer)
        for row in range(size):
            for col in range(row % 2, size, 2):
                page.fill(Box(box.x + col * pitch, box.y + row * pitch, pitch, pitch), tint)
    if skin.lines is not None:
        _draw_lines(page, box, pitch, size, skin)


def _draw_lines(page: Canvas, box: Box, pitch: float, size: int, skin: Skin) -> None:
    assert skin.lines is not None
    for index in range(size + 1):
        page.fill(Box(box.x + index * pitch - skin.width / 2, box.y, skin.width, box.height), skin.lines)
        page.fill(Box(box.x, box.y + index * pitch - skin.width / 2, box.width, skin.width), skin.lines)


def _draw_square(page: Canvas, x: float, y: float, pitch: float, colour: Colour, skin: Skin) -> None:
    box = Box(x, y, pitch, pitch)
    if skin.look == "gap":
        box = Box(x + 0.05 * pitch, y + 0.05 * pitch, 0.9 * pitch, 0.9 * pitch)
    page.fill(box, Shade(lighter(colour, 0.15), darker(colour, 0.15)) if skin.look == "shade" else colour)
    rim = max(1.0, 0.07 * pitch)
    if skin.look == "line":
        page.fill(box, darker(colour, 0.4), ring=max(1.0, 0.03 * pitch))
    elif skin.look == "bevel":
        page.fill(Box(x, y, pitch, rim), lighter(colour, 0.4))
        page.fill(Box(x, y, rim, pitch), lighter(colour, 0.3))
        page.fill(Box(x, y + pitch - rim, pitch, rim), darker(colour, 0.35))
        page.fill(Box(x + pitch - rim, y, rim, pitch), darker(colour, 0.25))


def _mark_last(
    page: Canvas, rng: np.random.Generator, box: Box, pitch: float, placing: positions.Placing, skin: Skin
) -> None:
    """A dot or a number on a square of the last piece."""
    if not placing.last or rng.random() < 0.6:
        return
    row, col = placing.last[rng.integers(len(placing.last))]
    colour = skin.colours[placing.grid[row, col] - 1]
    ink = lighter(colour, 0.7) if sum(colour) < 380 else darker(colour, 0.6)
    x, y = box.x + (col + 0.5) * pitch, box.y + (row + 0.5) * pitch
    if rng.random() < 0.6:
        page.disc(x, y, 0.17 * pitch, ink)
    else:
        page.text(x, y, str(rng.integers(1, 40)), 0.45 * pitch, ink, anchor="middle")


def _draw_tray(
    page: Canvas, rng: np.random.Generator, room: Room, side: Side, pitch: float,
    players: tuple[tuple[positions.Shape, ...], ...], skin: Skin, first: int, step: int, theme: Theme,
) -> None:  # fmt: skip
    """The pieces left, in rows of small squares, as many as fit."""
    away = 0.5 * pitch
    depth = min(room.space(side) - away, (12 if side in ("left", "right") else 7) * pitch)
    if depth < 2.5 * pitch:
        return
    strip = room.take(side, depth, away)
    if rng.random() < 0.3:
        page.fill(strip, theme.panel, radius=6)
    unit = pitch * float(rng.choice([0.35, 0.5, 0.6, 1.0]))
    x, y, tall = strip.x + unit, strip.y + unit, 0.0
    for place, shapes in enumerate(players):
        colour = skin.colours[(first + place * step) % len(skin.colours)]
        for shape in shapes:
            wide, high = max(c for _, c in shape) + 1, max(r for r, _ in shape) + 1
            if x + wide * unit > strip.x + strip.width:
                x, y, tall = strip.x + unit, y + (tall + 0.7) * unit, 0.0
            if y + high * unit > strip.y + strip.height or x + wide * unit > strip.x + strip.width:
                break
            for row, col in shape:
                _draw_square(page, x + col * unit, y + row * unit, unit, colour, skin)
            x, tall = x + (wide + 0.7) * unit, max(tall, high)
        x, y, tall = strip.x + unit, y + (tall + 1) * unit, 0.0
