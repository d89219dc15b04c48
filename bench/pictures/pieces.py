"""Draws boards of Blokus: squares between lines, bevelled, round, with gaps or nothing between them, and trays."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bench.pictures import layout, marks, positions
from bench.pictures.colours import Theme, darker, distance, lighter, palette, random_colour
from bench.pictures.layout import Room, Side
from bench.pictures.stones import WOODS
from bench.pictures.truth import TrueBoard, board_on
from bot.screens.drawn.painter import Extent, Face, Lines, Rim, Stack, Style, mix, paint_cells, paint_ground
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Box
from games.polyominoes import PIECES

FIVES = tuple(form for piece in PIECES if piece.size == 5 for form in piece.forms)
"""The forms of the pieces of five squares."""

FOURS: tuple[tuple[Colour, ...], ...] = (
    ((0, 112, 200), (245, 200, 40), (230, 60, 50), (0, 190, 20)),
    ((37, 99, 235), (234, 179, 8), (220, 38, 38), (22, 163, 74)),
    ((160, 50, 210), (245, 150, 30), (60, 170, 170), (200, 60, 90)),
    ((63, 81, 181), (255, 193, 7), (244, 67, 54), (76, 175, 80)),
)
"""What the four players' colours usually are."""

TRAYS: tuple[tuple[Side, ...], ...] = (("left", "right"), ("right",), ("below",), ("left",), ("above", "below"), ())
"""Beside the board, where the pieces left lie."""

TINTED, TONED, IN_STEP = 0.2, 0.15, 0.15
"""The share of the boards whose start squares are tinted all over, whose last piece is of a paler or darker tone, and
whose trays lie in the board's own step."""

PREVIEWED, LIT, RIMMED, VEILED = 0.08, 0.05, 0.06, 0.05
"""The share of those on which a piece shows pale where it would lie, a square is lit under the pointer, start squares
have broad rims, and a veil lies over all."""

FAINT, FAINTLY = 0.15, (14.0, 45.0)
"""The share of the boards of lines whose lines are hardly darker or paler than the squares, and by how much of 255."""

TILED, CORNER = 0.25, (0.03, 0.3)
"""The share of the boards of lines whose squares are tiles with round corners on a plate that shows between them, which
leaves a spot at each crossing; and the radius of these corners, in pitches."""


BARE, MARGIN = 0.05, (0.0, 0.3)
"""The share of the boards that are empty ones of lines without trays, with little or nothing beside them, many on wood;
and how far their ground goes on beyond the squares, in pitches, at least and at most."""


@dataclass(frozen=True, slots=True)
class SquareSkin:
    """How the board looks.

    ground: an empty square.  lines: the grid lines' colour, None for none.  width: of the lines, in points.
    chequer: how much every other empty square is tinted.  look: of a piece's square:
    "flat", "bevel", "line", "gap", "shade".
    bare: the pieces have no lines between their own squares.
    corner: the radius of the corners of tiles, in pitches, between which the plate shows as lines do; 0 where there
    are lines.
    """

    ground: Colour
    lines: Colour | None
    width: float
    chequer: float
    look: str
    colours: tuple[Colour, ...]
    bare: bool
    corner: float = 0.0


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[TrueBoard, Room]:
    """Draw a Blokus board with its trays on `page`."""
    players = 2 if rng.random() < 0.55 else 4
    size = 14 if players == 2 else 20
    if rng.random() < 0.3:
        size = int(rng.choice([10, 11, 12, 13, 15, 16, 18, 20, 22]))
    trays = TRAYS[rng.choice(len(TRAYS), p=[0.2, 0.3, 0.2, 0.1, 0.1, 0.1])]
    (apart,) = rng.spawn(1)  # so that the rest of the picture is as it would be without
    unusual, lines, fresh = apart.spawn(3)
    bare = fresh.random() < BARE
    reserve: dict[Side, float] = {} if bare else dict.fromkeys(trays, 5.5)
    room, extent = layout.cut(page, rng, size, size, least=13, reserve=reserve)
    skin = _skin(rng, theme, players)
    tinted, toned, in_step = np.array(apart.random(3)) < (TINTED, TONED, IN_STEP)
    skin = _plain(skin, fresh) if bare else _between(skin, lines)
    starts = _starts(rng, size, players)
    many = int(rng.integers(3, 12)), int(rng.integers(8, 11 * players))
    moves = (0, 1, 2, *many)[rng.choice(5, p=[0.15, 0.07, 0.06, 0.32, 0.4])]
    if skin.lines is None:  # only pieces show how large a square is
        moves = max(moves, 2 * players)
    placing = positions.place_pieces(rng, size, players, 0 if bare else moves, starts)
    style = _style(rng, extent.down, skin, theme)
    if bare:
        style = _alone(room, fresh, extent.down, style)
    paint_ground(page, extent, style)
    free = [(place, player) for player, place in enumerate(starts) if not placing.grid[place]]
    if rng.random() < 0.6 and not bare:
        for (row, col), player in free:
            start = marks.mark(("dot", "ring", "diamond")[rng.integers(3)], skin.colours[player], 0.4)
            if tinted:
                start = _tile(skin, mix(skin.ground, skin.colours[player], 0.3), extent.down)
            start.paint_on(page, extent.square(row, col))
    paint_cells(page, extent, style, placing.grid, _toned(placing, skin, extent.down) if toned else {})
    _mark_last(page, rng, extent, placing, skin)
    for place, side in enumerate(reserve):
        _draw_tray(
            page, rng, room, side, extent.down, placing.left[place :: len(reserve)], skin, place, len(reserve), theme,
            in_step=bool(in_step),
        )  # fmt: skip
    board = board_on(page, game, extent, placing.grid)
    _draw_unusual(page, unusual, board, extent, skin, free)
    board.palette = [skin.ground, *skin.colours]
    board.skin = skin.look if skin.lines is not None else "no lines"
    return board, room


def _skin(rng: np.random.Generator, theme: Theme, players: int) -> SquareSkin:
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
    return SquareSkin(
        ground, lines, float(rng.choice([1, 1, 1, 2])), chequer, look, colours, bool(lined and rng.random() < 0.3)
    )


def _between(skin: SquareSkin, rng: np.random.Generator) -> SquareSkin:
    """The skin with faint lines or with tiles, on some of the boards of lines."""
    faint, tiled = np.array(rng.random(2)) < (FAINT, TILED)
    if skin.lines is None:
        return skin
    lines, corner = skin.lines, 0.0
    if faint:
        level, off = sum(skin.ground) / 3, float(rng.uniform(*FAINTLY))
        dark = level > 255 - off or (level > off and rng.random() < 0.7)
        lines = darker(skin.ground, off / level) if dark else lighter(skin.ground, off / (255 - level))
    if tiled and not any(distance(colour, lines) < 25 for colour in skin.colours):
        corner = float(rng.uniform(*CORNER))
    return replace(skin, lines=lines, corner=corner)


def _plain(skin: SquareSkin, rng: np.random.Generator) -> SquareSkin:
    """The skin of an empty board of lines, on wood or on a ground of any colour."""
    wood, own = np.array(rng.random(2)) < (0.5, 0.5)
    ground = WOODS[rng.integers(len(WOODS))] if wood else skin.ground if own else random_colour(rng, (0, 0.5), (0.3, 1))
    share = float(rng.uniform(0.2, 0.9))
    ink = darker(ground, share) if sum(ground) > 250 else lighter(ground, share)
    return replace(skin, ground=ground, lines=ink, width=float(rng.choice([1, 1, 2, 3])), chequer=0.0)


def _alone(room: Room, rng: np.random.Generator, pitch: float, style: Style) -> Style:
    """The style, on most of the boards without a frame but for the ground; leaves little room for what is beside it."""
    little = 0.0 if rng.random() < 0.5 else 0.5
    room.strips = {side: strip for side, strip in room.strips.items() if rng.random() < little}
    if rng.random() < 0.3 or style.ground is None:
        return style
    return replace(style, rim=Rim(style.ground, float(rng.uniform(*MARGIN)) * pitch, 0.0))


def _starts(rng: np.random.Generator, size: int, players: int) -> list[tuple[int, int]]:
    last = size - 1
    if players == 2 and size == 14 and rng.random() < 0.6:
        return [(4, 4), (9, 9)]
    corners = [(0, 0), (0, last), (last, last), (last, 0)]
    return [corners[0], corners[2]] if players == 2 else corners


def _style(rng: np.random.Generator, pitch: float, skin: SquareSkin, theme: Theme) -> Style:
    """The style of the squares, in a frame or without."""
    reach = 0.0 if rng.random() < 0.55 else float(rng.uniform(1, 12))
    rim = None
    if reach:
        edge = (theme.line, (0, 0, 0), (90, 60, 30), theme.accent)[rng.integers(4)]
        rim = Rim(edge, reach, float(rng.choice([0, reach])))
    tinted = (Face(mix(skin.ground, theme.ink, skin.chequer)),) if skin.chequer else ()
    if skin.corner and skin.lines is not None:
        tiles = [_tile(skin, mix(skin.ground, theme.ink, share), pitch) for share in (skin.chequer, 0.0)]
        return Style(
            {player: _square(skin, colour, pitch) for player, colour in enumerate(skin.colours, 1)},
            ground=skin.lines,
            rim=None if rim is None else replace(rim, paint=skin.lines),
            bare=((tiles[0],), (tiles[1],)),
        )
    return Style(
        {player: _square(skin, colour, pitch) for player, colour in enumerate(skin.colours, 1)},
        ground=skin.ground,
        rim=rim,
        lines=None if skin.lines is None else Lines(skin.lines, skin.width),
        over=not skin.bare,
        bare=(tinted, ()),
    )


def _tile(skin: SquareSkin, paint: Paint, pitch: float) -> Face:
    """A square all of one paint, that leaves the lines of tiles bare."""
    return Face(paint, (skin.width + 0.2) / pitch, skin.corner) if skin.corner else Face(paint)


def _square(skin: SquareSkin, colour: Colour, pitch: float) -> Stack:
    """A square of a piece."""
    if skin.corner:
        return (
            _tile(skin, Shade(lighter(colour, 0.15), darker(colour, 0.15)) if skin.look == "shade" else colour, pitch),
        )
    gap = 0.1 if skin.look == "gap" else 0.0
    if skin.look == "line":
        return Face(colour), Face(darker(colour, 0.4), ring=max(1.0, 0.03 * pitch))
    if skin.look == "bevel":
        return Face(colour), Face(colour, form=marks.bevel((0.4, 0.3, 0.35, 0.25)))
    return (Face(Shade(lighter(colour, 0.15), darker(colour, 0.15)) if skin.look == "shade" else colour, gap),)


def _toned(placing: positions.Placing, skin: SquareSkin, pitch: float) -> dict[tuple[int, int], Stack]:
    """The squares of the last piece in a tone of their own."""
    if not placing.last:
        return {}
    colour = skin.colours[placing.grid[placing.last[0]] - 1]
    stack = _square(skin, mix(colour, (255, 255, 255) if sum(colour) < 400 else (0, 0, 0), 0.25), pitch)
    return dict.fromkeys(placing.last, stack)


def _mark_last(
    page: Canvas, rng: np.random.Generator, extent: Extent, placing: positions.Placing, skin: SquareSkin
) -> None:
    """A dot or a number on a square of the last piece."""
    if not placing.last or rng.random() < 0.6:
        return
    row, col = placing.last[rng.integers(len(placing.last))]
    colour = skin.colours[placing.grid[row, col] - 1]
    ink = lighter(colour, 0.7) if sum(colour) < 380 else darker(colour, 0.6)
    if rng.random() < 0.6:
        last = marks.mark("dot", ink, 0.34)
    else:
        last = Face(ink, gap=0.55, form=marks.letter(str(rng.integers(1, 40))))
    last.paint_on(page, extent.square(row, col))


def _draw_unusual(
    page: Canvas,
    rng: np.random.Generator,
    board: TrueBoard,
    extent: Extent,
    skin: SquareSkin,
    free: list[tuple[tuple[int, int], int]],
) -> None:
    """What few pages do: a pale piece where one would lie, a square under the pointer, rims on starts, a veil."""
    previewed, lit, rimmed, veiled = np.array(rng.random(4)) < (PREVIEWED, LIT, RIMMED, VEILED)
    for (row, col), player in free if rimmed else []:
        rim = Face(skin.colours[player], ring=0.12 * extent.down)
        rim.paint_on(page, extent.square(row, col))
    if previewed:
        shape, colour = FIVES[rng.integers(len(FIVES))], skin.colours[rng.integers(len(skin.colours))]
        top, left = rng.integers(0, extent.rows - 4), rng.integers(0, extent.cols - 4)
        for row, col in [(int(top) + down, int(left) + right) for down, right in shape]:
            if not board.grid[row, col]:
                Face(colour, alpha=0.45).paint_on(page, extent.square(row, col))
                board.hidden.add((row, col))  # no picture tells whether it lies
    if lit:
        square = extent.square(int(rng.integers(extent.rows)), int(rng.integers(extent.cols)))
        Face((255, 255, 255), alpha=0.2).paint_on(page, square)
    if veiled:
        marks.veil(page, rng)


def _draw_tray(
    page: Canvas, rng: np.random.Generator, room: Room, side: Side, pitch: float,
    players: tuple[tuple[positions.Shape, ...], ...], skin: SquareSkin, first: int, step: int, theme: Theme,
    *, in_step: bool,
) -> None:  # fmt: skip
    """The pieces left, in rows of small squares, as many as fit; `in_step` with the board's own."""
    away, apart = (1.0 * pitch, 1.0) if in_step else (0.5 * pitch, 0.7)
    depth = min(room.space(side) - away, (12 if side in ("left", "right") else 7) * pitch)
    depth = depth // pitch * pitch if in_step else depth
    if depth < 2.5 * pitch:
        return
    strip = room.take(side, depth, away)
    if rng.random() < 0.3:
        page.fill(strip, theme.panel, radius=6)
    unit = pitch * float(rng.choice([0.35, 0.5, 0.6, 1.0]))
    unit = pitch if in_step else unit
    x, y, tall = strip.x + unit, strip.y + unit, 0.0
    for place, shapes in enumerate(players):
        colour = skin.colours[(first + place * step) % len(skin.colours)]
        for shape in shapes:
            wide, high = max(c for _, c in shape) + 1, max(r for r, _ in shape) + 1
            if x + wide * unit > strip.x + strip.width:
                x, y, tall = strip.x + unit, y + (tall + apart) * unit, 0.0
            if y + high * unit > strip.y + strip.height or x + wide * unit > strip.x + strip.width:
                break
            for row, col in shape:
                for face in _square(skin, colour, unit):
                    face.paint_on(page, Box(x + col * unit, y + row * unit, unit, unit))
            x, tall = x + (wide + apart) * unit, max(tall, high)
        x, y, tall = strip.x + unit, y + (tall + 1) * unit, 0.0
