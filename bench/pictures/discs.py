"""Draws boards of Connect Four: framed holes, loose discs, tables, grid lines, crosses and noughts, faces."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bench.pictures import layout, marks, positions
from bench.pictures.colours import Theme, darker, distance, lighter, random_colour
from bench.pictures.layout import Room
from bench.pictures.truth import TrueBoard, board_on
from bot.screens.drawn.painter import (
    Extent,
    Face,
    Form,
    Lines,
    Rim,
    Stack,
    Style,
    mix,
    paint_cells,
    paint_ground,
    paint_lines,
)
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Box, Pixels

PAIRS: tuple[tuple[Colour, Colour], ...] = (
    ((220, 20, 40), (250, 215, 20)),
    ((255, 0, 0), (255, 255, 0)),
    ((200, 30, 30), (30, 30, 30)),
    ((20, 20, 20), (220, 20, 60)),
    ((231, 76, 60), (52, 152, 219)),
    ((244, 67, 54), (76, 175, 80)),
    ((255, 99, 71), (70, 130, 180)),
    ((230, 80, 180), (80, 210, 230)),
)
"""What players' colours usually are."""


LOST = 5.0
"""How different, in CIE L*a*b*, a hole and the page behind it look at least: below 3 nobody sees that it is there."""


@dataclass(frozen=True, slots=True)
class DiscSkin:
    """How the board looks; lengths are shares of the smaller pitch.

    frame: the colour between holes, None where the page shows.  hole: an empty place, None where what is behind shows.
    lines: grid lines of that colour (with `dash`).  size: a piece's radius.  rim: an outline of holes.
    piece: "disc", "square", or a pair of signs such as "cross ring".  shade: "", "down", "round", "rim", "star".
    kind: a word for all of it.
    """

    frame: Paint | None
    hole: Paint | None
    lines: Colour | None
    dash: float
    size: float
    rim: Colour | None
    piece: str
    shade: str
    players: tuple[Colour, Colour]
    kind: str

    @property
    def pierced(self) -> bool:
        """Whether the page shows through the holes of a frame."""
        return self.kind == "framed" and self.hole is None


BELOW, OBLONG = 0.08, (0.06, 0.5, 1.8)
"""The share of the boards with numbers or arrows under their columns; of those whose places are far wider than high or
higher than wide, and how many times as wide at least and at most."""

PIERCED = 0.12
"""The share of frames with holes through which the page shows."""

DEEP = (0.06, 0.7, 0.85, 0.15)
"""The share of thick frames seen from before their middle, of whose inner sides each row shows more or less than the
next; how wide what is seen through their holes is, in parts of these, and how far off their middles at most."""

CUT = 0.5
"""The share of strips for the disc to be dropped that are divided as the board is."""

FAINT, FAINTLY = 0.04, (0.012, 0.035)
"""The share of plain frames whose holes are hardly lighter or darker than they are; and by which part of the way to
white or black.
"""

TOUCHING = 0.05
"""The share of frames whose holes touch each other."""


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[TrueBoard, Room]:
    """Draw a Connect Four board on `page`."""
    rows, cols = (
        (6, 7)
        if rng.random() < 0.82
        else ((5, 6), (7, 8), (8, 8), (7, 9), (5, 7), (6, 8), (7, 10), (7, 6))[rng.integers(8)]
    )
    extra = ("none", "drop row", "numbers", "arrows", "hover")[rng.choice(5, p=[0.5, 0.17, 0.1, 0.08, 0.15])]
    stretch = 1.0 if rng.random() < 0.75 else float(rng.uniform(0.85, 1.18))
    (apart,) = rng.spawn(1)  # so that the rest of the picture is as it would be without
    stretch = float(apart.uniform(*OBLONG[1:])) if apart.random() < OBLONG[0] else stretch
    room, extent = layout.cut(
        page, rng, rows, cols, stretch=stretch, least=26, reserve={} if extra == "none" else {"above": 1.4}
    )
    skin = _skin(rng, theme, _behind(page, room.board))
    discs = 0 if rng.random() < 0.2 else int(rng.integers(1, rows * cols - 2))
    grid = positions.stack(rng, rows, cols, discs)
    four = positions.won(rng, grid) if rng.random() < 0.25 else []
    shown = ("ring", "glow", "line", "dim", "none")[rng.choice(5, p=[0.25, 0.2, 0.2, 0.15, 0.2])] if four else "none"
    style = _style(rng, extent, skin)
    behind = page.pixels.copy()
    paint_ground(page, extent, style)
    if skin.pierced:
        _pierce(page, behind, extent, skin.size)
    if skin.frame is not None and rng.random() < 0.2 and style.rim is not None:
        _draw_feet(page, extent, style.rim, darker(_colour(skin.frame) or (0, 0, 0), 0.3))
    lines = _lines(rng, skin)
    if lines is not None:
        paint_lines(page, extent, lines)
    if extra == "hover" and rng.random() < 0.5:
        column = Box(extent.x + rng.integers(cols) * extent.across, extent.y, extent.across, extent.board.height)
        page.fill(column, theme.ink, alpha=float(rng.uniform(0.05, 0.12)))
    oval = rng.random() < 0.5  # holes of an uneven lattice are ovals as often as circles
    even = not oval or apart.spawn(1)[0].random() < 0.5  # and the discs in them, too
    style = replace(style, kinds={kind: _place(skin, kind, shown="", oval=oval, even=even) for kind in range(3)})
    won = {at: _place(skin, int(grid[at]), shown=shown, oval=oval, even=even) for at in four}
    if shown == "dim":
        cover = Face(
            _colour(skin.hole) or _colour(skin.frame) or theme.page, 1 - 2 * skin.size, 0.5, 0, 0.25, True, False
        )
        style = replace(style, kinds={kind: (*stack, cover) if kind else stack for kind, stack in style.kinds.items()})
    paint_cells(page, extent, style, grid, won)
    deep = rng.spawn(1)[0]
    if skin.kind == "framed" and skin.piece == "disc" and not oval and shown == "none" and deep.random() < DEEP[0]:
        _deepen(page, deep, extent, skin)
    pitch = (extent.across, extent.down)
    reach = skin.size * min(pitch)
    _mark_last(page, rng, room, pitch, grid, reach)
    _mark_four(page, room, pitch, four, shown, reach)
    _draw_above(page, rng, room, pitch, skin, extra, cols, theme)
    if apart.random() < BELOW and room.space("below") > 1.1 * pitch[1]:
        _draw_signs(page, room.take("below", pitch[1]), pitch, cols, theme, numbers=apart.random() < 0.5, up=True)
    board = board_on(page, game, extent, grid)
    board.cell = (2 * reach * page.scale, 2 * reach * page.scale)
    board.skin = skin.kind
    board.palette = [_colour(skin.hole) or _colour(skin.frame) or theme.page, *skin.players]
    return board, room


def _colour(paint: Paint | None) -> Colour | None:
    return paint.start if isinstance(paint, Shade) else paint


def _behind(page: Canvas, board: Box) -> list[Colour]:
    """The colours of the page where a board is to be drawn, from side to side: it may be shaded."""
    part = page.view(board).pixels
    rows, cols = (np.linspace(0, length - 1, 5).astype(int) for length in part.shape[:2])
    return [(int(red), int(green), int(blue)) for red, green, blue in part[np.ix_(rows, cols)].reshape(-1, 3)]


def _seen(hole: Colour, ink: Colour, behind: list[Colour]) -> Colour:
    """The colour of holes, with as much of `ink` as it takes for nobody to lose one on a shaded page."""
    darkened = [mix(hole, ink, share) for share in np.linspace(0, 0.9, 10)]
    return next((one for one in darkened if min(distance(one, colour) for colour in behind) >= LOST), hole)


def _skin(rng: np.random.Generator, theme: Theme, behind: list[Colour]) -> DiscSkin:
    kind = ("framed", "loose", "lines", "table", "signs")[rng.choice(5, p=[0.45, 0.18, 0.12, 0.12, 0.13])]
    frame: Paint | None = None
    hole: Paint | None = None
    lines: Colour | None = None
    rim: Colour | None = None
    size = float(rng.uniform(0.33, 0.48))
    if kind == "framed":
        blue = ((0, 90, 200), (30, 60, 160), (25, 118, 210), (12, 12, 50), (80, 60, 30))[rng.integers(5)]
        base = blue if rng.random() < 0.6 else random_colour(rng, (0.1, 0.9), (0.15, 0.95))
        frame = Shade(lighter(base, 0.15), darker(base, 0.15)) if rng.random() < 0.25 else base
        hole = (theme.page, (255, 255, 255), lighter(base, 0.4), darker(base, 0.45), (30, 30, 30))[
            rng.choice(5, p=[0.3, 0.25, 0.15, 0.2, 0.1])
        ]
        if distance(hole, base) < 18:
            hole = lighter(base, 0.6) if sum(base) < 400 else darker(base, 0.5)
        rim = darker(base, 0.4) if rng.random() < 0.3 else None
        (apart,) = rng.spawn(1)  # so that other boards are as they would be without
        if min(distance(base, colour) for colour in behind) > 18 and apart.random() < PIERCED:
            hole = rim = None
        size = 0.5 if apart.random() < TOUCHING else size
        if hole is not None and frame == base and apart.random() < FAINT:
            hole, rim = (lighter if sum(base) < 400 else darker)(base, float(apart.uniform(*FAINTLY))), None
    elif kind == "loose":
        hole = _seen(mix(theme.page, theme.ink, float(rng.uniform(0.12, 0.4))), theme.ink, behind)
    elif kind in ("lines", "signs"):
        lines = mix(theme.page, theme.ink, float(rng.uniform(0.3, 1.0)))
        frame = None if rng.random() < 0.6 else theme.panel
    else:
        hole = _seen(mix(theme.page, theme.ink, float(rng.uniform(0.12, 0.3))), theme.ink, behind)
        size = float(rng.uniform(0.42, 0.49))
    ground = hole or frame or theme.page
    shown = behind if kind == "framed" and hole is None else []
    players = _players(rng, [c for c in (_colour(ground), _colour(frame), theme.page, *shown) if c is not None])
    piece = "disc"
    if kind == "table":
        piece = "square"
    if kind == "signs":
        piece = "cross ring" if rng.random() < 0.5 else " ".join(rng.choice(marks.SIGNS, 2, replace=False))
        size = float(rng.uniform(0.28, 0.42))
        if rng.random() < 0.4:
            players = (theme.ink, theme.ink)
    shade = "" if rng.random() < 0.55 else ("down", "round", "rim", "star")[rng.integers(4)]
    return DiscSkin(frame, hole, lines, float(rng.choice([0, 0, 3, 6])), size, rim, piece, shade, players, str(kind))


def _players(rng: np.random.Generator, grounds: list[Colour]) -> tuple[Colour, Colour]:
    """Two colours that differ from each other and from what lies behind them."""
    for attempt in range(400):
        pair = PAIRS[rng.integers(len(PAIRS))]
        if attempt > 20 or rng.random() < 0.25:
            pair = (random_colour(rng, (0.3, 1), (0.2, 1)), random_colour(rng, (0.3, 1), (0.2, 1)))
        if rng.random() < 0.5:
            pair = (pair[1], pair[0])
        if distance(*pair) > 28 and all(distance(c, g) > 25 for c in pair for g in grounds):
            return pair
    return (220, 20, 40), (250, 215, 20)


def _style(rng: np.random.Generator, extent: Extent, skin: DiscSkin) -> Style:
    """The frame with its margin and shadow."""
    if skin.frame is None:
        return Style({})
    pitch = min(extent.across, extent.down)
    margin = float(rng.uniform(0, 0.25)) * pitch if rng.random() < 0.7 else 0.0
    shadow = (4.0, 6.0, 0.3) if rng.random() < 0.3 else None
    return Style({}, rim=Rim(skin.frame, margin, float(rng.choice([0, margin, 0.4 * pitch])), shadow))


def _pierce(page: Canvas, behind: Pixels, extent: Extent, size: float) -> None:
    """Let `behind`, the page's pixels as they were, show through round holes of a radius of `size` pitches."""
    mask = Canvas(np.zeros_like(page.pixels), page.scale)
    for row, col in np.ndindex(extent.rows, extent.cols):
        mask.disc(*extent.centre(row, col), size * min(extent.across, extent.down), (255, 255, 255))
    share = mask.pixels / 255
    page.pixels[:] = np.rint(behind * share + page.pixels * (1 - share))


def _deepen(page: Canvas, rng: np.random.Generator, extent: Extent, skin: DiscSkin) -> None:
    """Shows the inner sides of a thick frame's holes about what lies in them, in each row more or less of them."""
    radius, (_, least, most, off) = skin.size * min(extent.across, extent.down), DEEP
    inner, way = float(rng.uniform(least, most)), off * radius * (1 if rng.random() < 0.5 else -1)
    mask = Canvas(np.zeros_like(page.pixels), page.scale)
    for row, col in np.ndindex(extent.rows, extent.cols):
        x, y = extent.centre(row, col)
        mask.disc(x, y, radius, (255, 255, 255))
        mask.disc(x, y + way * (2 * row / (extent.rows - 1) - 1), inner * radius, (0, 0, 0))
    share, side = mask.pixels / 255, darker(_colour(skin.frame) or (40, 40, 40), float(rng.uniform(0.5, 1.0)))
    page.pixels[:] = np.rint(np.array(side) * share + page.pixels * (1 - share))


def _draw_feet(page: Canvas, extent: Extent, rim: Rim, dark: Colour) -> None:
    """What a frame stands on."""
    foot, board = 0.35 * extent.across, extent.board
    for x in (board.x - rim.reach - foot, board.x + board.width + rim.reach):
        top, high = board.y - rim.reach - 0.1 * extent.down, board.height + 2 * rim.reach + 0.5 * extent.down
        page.fill(Box(x, top, foot, high), dark, radius=4)


def _lines(rng: np.random.Generator, skin: DiscSkin) -> Lines | None:
    if skin.lines is None:
        return None
    width = float(rng.choice([1, 1, 2, 3]))
    return Lines(skin.lines, width, skin.dash, outer=rng.random() >= 0.15, snap=False)


def _place(skin: DiscSkin, player: int, *, shown: str, oval: bool, even: bool) -> Stack:
    """A hole, and of player 1 or 2 the piece in it, `even` as wide as high; one of four in a row may glow."""
    gap, round_ = 1 - 2 * skin.size, not oval
    faces: list[Face] = []
    if skin.hole is not None:
        radius = 0.0 if skin.piece == "square" else 0.5
        if skin.rim is not None:
            faces.append(Face(skin.rim, gap, radius, even=round_, form=_wider(2, radius)))
        faces.append(Face(skin.hole, gap, radius, even=round_, snap=False))
    if not player:
        return tuple(faces)
    colour, glows = skin.players[player - 1], shown == "glow"
    if glows:
        faces.append(Face(lighter(colour, 0.6), gap, 0.5, even=even, snap=False))
    small = 1 - 2 * skin.size * (0.85 if glows else 0.97)
    if skin.piece == "square":
        faces.append(Face(colour, gap, even=even, snap=False))
    elif skin.piece != "disc":
        faces.append(marks.mark(skin.piece.split()[player - 1], colour, 1 - small))
    else:
        paint: Paint = colour
        if skin.shade == "down":
            paint = Shade(lighter(colour, 0.1), darker(colour, 0.3))
        elif skin.shade == "round":
            paint = Shade(lighter(colour, 0.35), darker(colour, 0.1), "round")
        faces.append(Face(paint, small, 0.5, even=even, snap=False))
        if skin.shade == "rim":
            faces.append(Face(darker(colour, 0.25), 1 - 0.75 * (1 - small), even=True, form=_groove))
        elif skin.shade == "star":
            faces.append(marks.mark(("star", "moon")[player - 1], lighter(colour, 0.5), 0.5 * (1 - small)))
    return tuple(faces)


def _wider(by: float, radius: float) -> Form:
    """A box that goes on for `by` points round its place."""

    def draw(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
        wider = Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)
        canvas.fill(wider, paint, radius=radius * (max(box.width, box.height) + 2 * by), alpha=alpha, snap=False)

    return draw


def _groove(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
    """A ring as is pressed into a disc."""
    canvas.disc(*box.centre, box.width / 2, paint, alpha=alpha, ring=0.08 * box.width)


def _mark_last(
    page: Canvas, rng: np.random.Generator, room: Room, pitch: tuple[float, float], grid: positions.Grid8, reach: float
) -> None:
    """Sometimes a dot or a ring shows the last disc."""
    tops = [(int((grid[:, col] == 0).sum()), col) for col in range(grid.shape[1]) if grid[:, col].any()]
    if not tops or rng.random() > 0.12:
        return
    row, col = tops[rng.integers(len(tops))]
    x, y = room.board.x + (col + 0.5) * pitch[0], room.board.y + (row + 0.5) * pitch[1]
    if rng.random() < 0.5:
        page.disc(x, y, 0.25 * reach, (255, 255, 255))
    else:
        page.disc(x, y, reach, (255, 255, 255), ring=0.12 * reach)


def _mark_four(
    page: Canvas, room: Room, pitch: tuple[float, float], four: list[tuple[int, int]], shown: str, reach: float
) -> None:
    """A ring round each disc of the row that won, or a line through it."""
    places = [(room.board.x + (col + 0.5) * pitch[0], room.board.y + (row + 0.5) * pitch[1]) for row, col in four]
    if shown == "ring":
        for x, y in places:
            page.disc(x, y, reach, (255, 255, 255), ring=0.15 * reach)
    elif shown == "line":
        places.sort()
        page.stroke([places[0], places[-1]], max(2.0, 0.12 * reach), (255, 255, 255))


def _draw_above(
    page: Canvas, rng: np.random.Generator, room: Room, pitch: tuple[float, float], skin: DiscSkin, extra: str,
    cols: int, theme: Theme,
) -> None:  # fmt: skip
    """What stands over the columns: the disc to be dropped, a strip for it, numbers or arrows."""
    if extra == "none" or room.space("above") < 1.05 * pitch[1]:
        return
    away = float(rng.uniform(0, 0.3)) * pitch[1] if room.space("above") > 1.4 * pitch[1] else 0.0
    strip = room.take("above", pitch[1], away)
    column = int(rng.integers(cols))
    middle = strip.y + pitch[1] / 2
    if extra in ("drop row", "hover"):
        if extra == "drop row":
            shade = mix(theme.page, theme.ink, float(rng.uniform(0.05, 0.5)))
            page.fill(strip, shade)
            (apart,) = rng.spawn(1)  # so that the rest of the picture is as it would be without
            if apart.random() < CUT:
                _cut(page, apart, strip, cols, shade)
        alpha = 1.0 if extra == "drop row" else float(rng.uniform(0.4, 1))
        x = strip.x + (column + 0.5) * pitch[0]
        if skin.piece in ("disc", "square"):
            page.disc(x, middle, skin.size * min(pitch), skin.players[rng.integers(2)], alpha=alpha)
        else:
            marks.sign(page, skin.piece.split()[0], x, middle, skin.size * min(pitch), skin.players[0], alpha=alpha)
        return
    _draw_signs(page, strip, pitch, cols, theme, numbers=extra == "numbers", up=False)


def _cut(page: Canvas, rng: np.random.Generator, strip: Box, cols: int, shade: Colour) -> None:
    """Divides a strip into places as wide as the columns below it: by lines, or each with an edge of its own."""
    wide, line = strip.width / cols, (darker if sum(shade) > 380 else lighter)(shade, float(rng.uniform(0.08, 0.4)))
    width, framed = float(rng.choice([1, 1, 2, 3])), rng.random() < 0.5
    for col in range(cols + 1):
        page.fill(Box(strip.x + col * wide - width / 2, strip.y, width, strip.height), line)
    for y in (strip.y, strip.y + strip.height - width) if framed else ():
        page.fill(Box(strip.x, y, strip.width, width), line)


def _draw_signs(
    page: Canvas, strip: Box, pitch: tuple[float, float], cols: int, theme: Theme, *, numbers: bool, up: bool
) -> None:
    """A number or an arrow for each column, in a row above or below the board."""
    y, reach = strip.centre.y, 0.25 * min(pitch) * (-1 if up else 1)
    for col in range(cols):
        x = strip.x + (col + 0.5) * pitch[0]
        if numbers:
            page.text(x, y, str(col + 1), 0.4 * pitch[1], theme.ink, anchor="middle")
        else:
            page.polygon([(x - reach, y - reach / 2), (x + reach, y - reach / 2), (x, y + reach)], theme.accent)
