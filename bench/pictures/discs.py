"""Draws boards of Connect Four: framed holes, loose discs, tables, grid lines, crosses and noughts, faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.pictures import layout, marks, positions
from bench.pictures.colours import Theme, darker, distance, lighter, mix, random_colour
from bench.pictures.layout import Room
from bench.pictures.truth import Board, board_on
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Box

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
class Skin:
    """How the board looks; lengths are shares of the smaller pitch.

    frame: the colour between holes, None where the page shows.  hole: an empty place, None where the page shows.
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


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[Board, Room]:
    """Draw a Connect Four board on `page`."""
    rows, cols = (
        (6, 7) if rng.random() < 0.82 else ((5, 6), (7, 8), (8, 8), (7, 9), (5, 7), (6, 8), (7, 10))[rng.integers(7)]
    )
    extra = ("none", "drop row", "numbers", "arrows", "hover")[rng.choice(5, p=[0.5, 0.17, 0.1, 0.08, 0.15])]
    stretch = 1.0 if rng.random() < 0.75 else float(rng.uniform(0.85, 1.18))
    room, pitch = layout.cut(
        page, rng, rows, cols, stretch=stretch, least=26, reserve={} if extra == "none" else {"above": 1.4}
    )
    skin = _skin(rng, theme, _behind(page, room.board))
    discs = 0 if rng.random() < 0.2 else int(rng.integers(1, rows * cols - 2))
    grid = positions.stack(rng, rows, cols, discs)
    four = positions.won(rng, grid) if rng.random() < 0.25 else []
    shown = ("ring", "glow", "line", "dim", "none")[rng.choice(5, p=[0.25, 0.2, 0.2, 0.15, 0.2])] if four else "none"
    _draw_ground(page, rng, room, pitch, skin, rows, cols)
    if extra == "hover" and rng.random() < 0.5:
        column = Box(room.board.x + rng.integers(cols) * pitch[0], room.board.y, pitch[0], room.board.height)
        page.fill(column, theme.ink, alpha=float(rng.uniform(0.05, 0.12)))
    reach = skin.size * min(pitch)
    squash = rng.random() < 0.5  # holes of an uneven lattice are ovals as often as circles
    for (row, col), player in np.ndenumerate(grid):
        x, y = room.board.x + (col + 0.5) * pitch[0], room.board.y + (row + 0.5) * pitch[1]
        wide = (skin.size * pitch[0], skin.size * pitch[1]) if squash else (reach, reach)
        _draw_hole(page, skin, x, y, wide)
        if player and shown == "glow" and (row, col) in four:
            page.disc(x, y, reach, lighter(skin.players[player - 1], 0.6))
        if player:
            small = 0.85 if shown == "glow" and (row, col) in four else 0.97
            _draw_piece(page, skin, x, y, reach * small, int(player), wide)
        if player and shown == "dim" and (row, col) not in four:
            cover = _colour(skin.hole) or _colour(skin.frame) or theme.page
            page.disc(x, y, reach, cover, alpha=0.25)
    _mark_last(page, rng, room, pitch, grid, reach)
    _mark_four(page, room, pitch, four, shown, reach)
    _draw_above(page, rng, room, pitch, skin, extra, cols, theme)
    board = board_on(page, game, room.board, pitch, grid)
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


def _skin(rng: np.random.Generator, theme: Theme, behind: list[Colour]) -> Skin:
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
    elif kind == "loose":
        hole = _seen(mix(theme.page, theme.ink, float(rng.uniform(0.12, 0.4))), theme.ink, behind)
    elif kind in ("lines", "signs"):
        lines = mix(theme.page, theme.ink, float(rng.uniform(0.3, 1.0)))
        frame = None if rng.random() < 0.6 else theme.panel
    else:
        hole = _seen(mix(theme.page, theme.ink, float(rng.uniform(0.12, 0.3))), theme.ink, behind)
        size = float(rng.uniform(0.42, 0.49))
    ground = hole or frame or theme.page
    players = _players(rng, [c for c in (_colour(ground), _colour(frame), theme.page) if c is not None])
    piece = "disc"
    if kind == "table":
        piece = "square"
    if kind == "signs":
        piece = "cross ring" if rng.random() < 0.5 else " ".join(rng.choice(marks.SIGNS, 2, replace=False))
        size = float(rng.uniform(0.28, 0.42))
        if rng.random() < 0.4:
            players = (theme.ink, theme.ink)
    shade = "" if rng.random() < 0.55 else ("down", "round", "rim", "star")[rng.integers(4)]
    return Skin(frame, hole, lines, float(rng.choice([0, 0, 3, 6])), size, rim, piece, shade, players, str(kind))


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


def _draw_ground(
    page: Canvas, rng: np.random.Generator, room: Room, pitch: tuple[float, float], skin: Skin, rows: int, cols: int
) -> None:
    """The frame with its margin, feet and shadow, or the grid lines."""
    box = room.board
    if skin.frame is not None:
        margin = float(rng.uniform(0, 0.25)) * min(pitch) if rng.random() < 0.7 else 0.0
        outer = Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
        if rng.random() < 0.3:
            page.fill(Box(outer.x + 4, outer.y + 6, outer.width, outer.height), (0, 0, 0), radius=margin, alpha=0.3)
        page.fill(outer, skin.frame, radius=float(rng.choice([0, margin, 0.4 * min(pitch)])))
        if rng.random() < 0.2:
            foot, dark = 0.35 * pitch[0], darker(_colour(skin.frame) or (0, 0, 0), 0.3)
            for x in (outer.x - foot, outer.x + outer.width):
                page.fill(Box(x, outer.y - 0.1 * pitch[1], foot, outer.height + 0.5 * pitch[1]), dark, radius=4)
    if skin.lines is not None:
        width = float(rng.choice([1, 1, 2, 3]))
        inner = rng.random() < 0.15
        for col in range(inner, cols + 1 - inner):
            x = box.x + col * pitch[0]
            page.stroke([(x, box.y), (x, box.y + box.height)], width, skin.lines, dash=skin.dash)
        for row in range(inner, rows + 1 - inner):
            y = box.y + row * pitch[1]
            page.stroke([(box.x, y), (box.x + box.width, y)], width, skin.lines, dash=skin.dash)


def _draw_hole(page: Canvas, skin: Skin, x: float, y: float, reach: tuple[float, float]) -> None:
    if skin.hole is None:
        return
    box = Box(x - reach[0], y - reach[1], 2 * reach[0], 2 * reach[1])
    radius = 0.0 if skin.piece == "square" else max(reach)
    if skin.rim is not None:
        page.fill(Box(box.x - 2, box.y - 2, box.width + 4, box.height + 4), skin.rim, radius=radius + 2, snap=False)
    page.fill(box, skin.hole, radius=radius, snap=False)


def _draw_piece(
    page: Canvas, skin: Skin, x: float, y: float, reach: float, player: int, hole: tuple[float, float]
) -> None:
    colour = skin.players[player - 1]
    if skin.piece == "square":
        page.fill(Box(x - hole[0], y - hole[1], 2 * hole[0], 2 * hole[1]), colour, snap=False)
    elif skin.piece != "disc":
        marks.sign(page, skin.piece.split()[player - 1], x, y, reach, colour)
    elif skin.shade == "down":
        page.disc(x, y, reach, Shade(lighter(colour, 0.1), darker(colour, 0.3)))
    elif skin.shade == "round":
        page.disc(x, y, reach, Shade(lighter(colour, 0.35), darker(colour, 0.1), "round"))
    else:
        page.disc(x, y, reach, colour)
        if skin.shade == "rim":
            page.disc(x, y, 0.75 * reach, darker(colour, 0.25), ring=0.12 * reach)
        elif skin.shade == "star":
            marks.sign(page, ("star", "moon")[player - 1], x, y, 0.5 * reach, lighter(colour, 0.5))


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
    page: Canvas, rng: np.random.Generator, room: Room, pitch: tuple[float, float], skin: Skin, extra: str, cols: int,
    theme: Theme,
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
            page.fill(strip, mix(theme.page, theme.ink, float(rng.uniform(0.05, 0.5))))
        alpha = 1.0 if extra == "drop row" else float(rng.uniform(0.4, 1))
        x = strip.x + (column + 0.5) * pitch[0]
        if skin.piece in ("disc", "square"):
            page.disc(x, middle, skin.size * min(pitch), skin.players[rng.integers(2)], alpha=alpha)
        else:
            marks.sign(page, skin.piece.split()[0], x, middle, skin.size * min(pitch), skin.players[0], alpha=alpha)
        return
    for col in range(cols):
        x = strip.x + (col + 0.5) * pitch[0]
        if extra == "numbers":
            page.text(x, middle, str(col + 1), 0.4 * pitch[1], theme.ink, anchor="middle")
        else:
            reach = 0.25 * min(pitch)
            page.polygon(
                [(x - reach, middle - reach / 2), (x + reach, middle - reach / 2), (x, middle + reach)], theme.accent
            )
