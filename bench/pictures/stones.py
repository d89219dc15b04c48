"""Draws boards of stones and marks: on squares between lines, and on the crossings of lines."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bench.pictures import layout, marks
from bench.pictures.colours import Theme, darker, distance, lighter, random_colour
from bench.pictures.layout import Room
from bench.pictures.truth import TrueBoard, board_on
from bot.screens.drawn.painter import Extent, Face, Lines, Rim, Stack, Style, paint_cells, paint_ground, paint_lines
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from games import find_game
from games.core import Options

SIZES: dict[str, tuple[tuple[int, int], ...]] = {
    "reversi": ((8, 8), (8, 8), (8, 8), (6, 6), (10, 10)),
    "mnk": ((3, 3), (3, 3), (15, 15), (15, 15), (19, 19), (5, 5), (13, 13), (9, 9)),
}
"""Sizes of each game, the usual ones more than once."""

CROSSED = 0.7
"""How often boards of 9 places and more have their stones on crossings: there gomoku is played on boards of go."""

FRESH = 0.05
"""The share of the boards on which nothing stands yet."""

GREENS: tuple[Colour, ...] = ((0, 128, 64), (46, 139, 87), (76, 154, 112), (0, 100, 0), (34, 110, 60))
WOODS: tuple[Colour, ...] = ((222, 184, 135), (240, 201, 120), (200, 160, 100), (205, 170, 125))
APART = 25.0
"""How different, in CIE L*a*b*, stones look from each other and from the board."""


@dataclass(frozen=True, slots=True)
class StoneSkin:
    """How the board looks.

    ground: under all places.  lines: between the places or across them.  size: a stone's
    diameter, as a part of the pitch.  signs: marks in place of stones.  players: the darker one first.
    shine: whether stones are lit from above.
    """

    ground: Colour
    lines: Lines
    size: float
    signs: tuple[str, str] | None
    players: tuple[Colour, Colour]
    shine: bool


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[TrueBoard, Room]:
    """Draw a board of `game` on `page`, as a game of random moves leaves it."""
    rows, cols = SIZES[game][rng.integers(len(SIZES[game]))]
    crossed = game == "mnk" and rows >= 9 and rng.random() < CROSSED
    room, extent = layout.cut(page, rng, rows, cols, least=16)
    skin = _skin(rng, theme, game, few=rows < 5)
    grid, legal, last = _position(rng, game, rows, cols)
    style = Style({kind: _stack(skin, kind) for kind in range(3)}, skin.ground, lines=None if crossed else skin.lines)
    if rng.random() < 0.5:
        reach = float(rng.uniform(2, 0.4 * extent.down))
        style = replace(style, rim=Rim(darker(skin.ground, float(rng.uniform(0.2, 0.8))), reach, reach / 3))
    paint_ground(page, extent, style)
    if crossed:
        x, y = extent.centre(0, 0)
        paint_lines(page, Extent(x, y, extent.across, extent.down, rows - 1, cols - 1), skin.lines)
        if rng.random() < 0.6:
            far = 3 if rows > 9 else 2
            for row in (far, rows // 2, rows - 1 - far):
                for col in (far, cols // 2, cols - 1 - far):
                    page.disc(*extent.centre(row, col), 0.1 * extent.down, skin.lines.paint)
    paint_cells(page, extent, style, grid)
    if legal and rng.random() < 0.3:
        for row, col in legal:
            page.disc(*extent.centre(row, col), 0.14 * extent.down, darker(skin.ground, 0.3), alpha=0.8)
    if last is not None and rng.random() < 0.3:
        page.disc(*extent.centre(*last), 0.12 * extent.down, (220, 30, 30))
    board = board_on(page, game, extent, grid)
    board.cell = (skin.size * extent.across * page.scale, skin.size * extent.down * page.scale)
    board.skin = "crossings" if crossed else "signs" if skin.signs else "squares"
    board.palette = [skin.ground, *skin.players]
    return board, room


Place = tuple[int, int]


def _position(
    rng: np.random.Generator, game: str, rows: int, cols: int
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int8]], list[Place], Place | None]:
    """The grid after some random moves, where the next one may go if that is told, and where the last one went."""
    rules = find_game(game)
    state = rules.deal(rng, Options(rows=rows, cols=cols, length=3 if rows < 5 else 5 if game == "mnk" else None))
    last = None
    (apart,) = rng.spawn(1)  # so that the rest of the picture is as it would be without
    most = 1 if apart.random() < FRESH else min(rows * cols, 70)
    for _ in range(int(rng.integers(0, most))):
        moves = state.legal_moves()
        if not moves:
            break
        last = moves[rng.integers(len(moves))]
        state = state.play(last)
    legal = [tuple(move) for move in state.legal_moves()] if game == "reversi" else []
    return rules.show(state).grid, legal, None if last is None else tuple(last)


def _skin(rng: np.random.Generator, theme: Theme, game: str, *, few: bool) -> StoneSkin:
    signs = None
    if game == "mnk" and rng.random() < 0.5:
        signs = ("cross", "ring") if rng.random() < 0.7 else tuple(rng.choice(marks.SIGNS, 2, replace=False))
    usual = GREENS if game == "reversi" else WOODS
    ground = usual[rng.integers(len(usual))]
    if signs or rng.random() < 0.3:
        ground = theme.panel if rng.random() < 0.6 else theme.page
    elif rng.random() < 0.25:
        ground = random_colour(rng, (0.1, 0.8), (0.25, 0.85))
    ink = darker(ground, float(rng.uniform(0.35, 0.9))) if sum(ground) > 240 else lighter(ground, 0.4)
    lines = Lines(ink, float(rng.choice([1, 1, 2, 3])), outer=rng.random() < 0.85)
    if few and rng.random() < 0.5:  # as people draw noughts and crosses
        lines = Lines(ink, float(rng.choice([2, 4, 6, 8])), outer=False)
    players = ((20, 20, 20), (245, 245, 245))
    for _ in range(40 if signs or rng.random() < 0.3 else 0):
        pair = (random_colour(rng, (0.2, 1), (0.1, 0.95)), random_colour(rng, (0.2, 1), (0.1, 0.95)))
        if distance(*pair) > APART and min(distance(colour, ground) for colour in pair) > APART:
            players = (min(pair, key=sum), max(pair, key=sum))
            break
    if signs and players == ((20, 20, 20), (245, 245, 245)):
        players = (theme.ink, theme.ink)
    return StoneSkin(ground, lines, float(rng.uniform(0.6, 0.92)), signs, players, bool(rng.random() < 0.4))


def _stack(skin: StoneSkin, kind: int) -> Stack:
    if not kind:
        return ()
    colour = skin.players[kind - 1]
    if skin.signs:
        return (marks.mark(skin.signs[kind - 1], colour, 0.85 * skin.size),)
    paint: Paint = Shade(lighter(colour, 0.35), darker(colour, 0.1), "round") if skin.shine else colour
    rim = Face(darker(colour, 0.5), 1 - skin.size, 0.5, even=True, snap=False)
    return rim, Face(paint, 1 - 0.94 * skin.size, 0.5, even=True, snap=False)
