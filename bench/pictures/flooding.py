"""Draws boards of Flood-It and Filler: coloured cells, buttons in the same colours, and what stands round them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bench.pictures import layout, marks, positions
from bench.pictures.colours import Theme, darker, distance, lighter, palette
from bench.pictures.layout import Room, Side
from bench.pictures.truth import TrueBoard, TrueButton, board_on, pixel_box
from bot.screens.drawn.painter import Extent, Face, Rim, Stack, Style, mix, paint_cells, paint_ground
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Box

Grid8 = NDArray[np.int8]


WORDED = 0.2
"""The share of the rows of buttons that have words on them."""

HOMELY, CUT_OFF = 0.12, 0.1
"""The share of boards of which one colour is the page's, and of those that the page's edge cuts off."""

SEEN = 12.0
"""How different a button looks from the page, in CIE L*a*b*, that people see without a rim."""

UNUSUAL = 0.05
"""The share of the plain boards whose cells are drawn as few games do; under chances of their own, so that all other
pictures of a seed stay as they are."""

SIGNED = 0.3
"""The share of boards with cells that are not playable on which these bear a sign."""

WORDS = ("Red", "Green", "Blue", "Yellow", "Purple", "Orange", "Pink", "Cyan", "Brown", "Grey", "Turquoise")


@dataclass(frozen=True, slots=True)
class TileSkin:
    """How the cells look; lengths are shares of the pitch.

    gap: between cells.  radius: of the corners.  ground: what shows in the gaps.  line: a border inside each cell.
    shade: "", "down", "slope", "round" or "bevel".  marks: a sign for each colour, "" for none.  dotted: these two
    colours share one RGB and the second has a dot.  bar: whether one lies across each cell.  glow: whether each shines
    into the gaps.
    """

    gap: float
    radius: float
    ground: Colour
    line: Colour | None
    shade: str
    marks: tuple[str, ...]
    dotted: tuple[int, int] | None
    snap: bool
    bar: bool = False
    glow: bool = False


OTHERS = 0.3
"""The share of rows of colour buttons, with room for it, that end in a button of another kind."""

STEPPED = 0.05
"""The share of rows of colour buttons whose sides are whole cells, in line with the board's."""

OPPOSITE: dict[Side, Side] = {"above": "below", "below": "above", "left": "right", "right": "left"}

OTHER_WORDS = ("New", "?", "Undo", "Menu", "X")


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[TrueBoard, Room]:
    """Draw a board of `game` ("flood_it" or "filler") on `page`."""
    rows, cols = _size(rng, game)
    small = rows * cols < 36
    count = int(rng.choice([3, 4, 5, 6, 7, 8, 9, 10], p=[0.07, 0.13, 0.13, 0.37, 0.1, 0.1, 0.03, 0.07]))
    if game == "filler":
        count = max(count, 5)
    stretch = 1.0 if rng.random() < 0.87 else float(rng.uniform(0.8, 1.25))
    (varied,) = rng.spawn(1)
    (unusual,) = varied.spawn(1)
    if stretch == 1 and unusual.random() < UNUSUAL:
        stretch = float(np.exp(unusual.uniform(-0.7, 0.7)))
    buttons = small or rng.random() < 0.55  # without them nobody could tell so small a board from a word game
    side: Side = ("below", "above", "left", "right")[rng.choice(4, p=[0.45, 0.2, 0.15, 0.2])]
    size = float(rng.uniform(0.8, 2.2))
    depth = max(size, 0.1 * (cols if side in ("above", "below") else rows)) + 1.2
    room, extent = layout.cut(
        page, rng, rows, cols, stretch=stretch, least=14, reserve={side: depth} if buttons else None
    )
    (further,) = unusual.spawn(1)
    if further.random() < CUT_OFF:
        room, extent = _cut_off(further, page, room, extent, side if buttons else "")
    colours, skin, clear = _skin(rng, theme, count, extent.across * page.scale)
    skin = _varied(skin, varied)
    count = len(colours)
    (blocked,) = further.spawn(1)
    walled = game == "filler" and clear and blocked.random() < UNUSUAL
    grid, owner = _position(rng, game, rows, cols, count, clear, late=buttons, walled=walled)
    style = _style(rng, extent, colours, skin, theme, buttons=buttons)
    if blocked.random() < SIGNED:
        sign = marks.SIGNS[blocked.integers(len(marks.SIGNS))]
        style = replace(style, kinds={**style.kinds, -1: (*style.kinds[-1], marks.mark(sign, theme.ink, 0.5))})
    framed = 0.0
    if not buttons and further.random() < UNUSUAL:
        style, framed = _framed(room, extent, style, theme)
    paint_ground(page, extent, style)
    paint_cells(page, extent, style, grid)
    board = board_on(page, game, extent, grid)
    board.palette, board.owner = colours, owner
    board.skin = "marks" if skin.marks else "gaps" if skin.gap else "lines" if skin.line else skin.shade or "touching"
    board.cell = (board.pitch[0] * (1 - skin.gap), board.pitch[1] * (1 - skin.gap))
    if buttons:
        own = {int(grid[0, 0])} if game == "flood_it" else {int(grid[-1, 0]), int(grid[0, -1])}
        board.buttons = _draw_buttons(page, rng, room, side, extent, colours, own, skin)
    if skin.dotted:
        board.tags.append("same-rgb")
    _mark_region(page, rng, board, extent)
    _draw_unusual(page, unusual, room, board, extent, theme, framed=framed > 0)
    for edge in OPPOSITE:
        room.shrink(edge, framed)
    if further.random() < UNUSUAL:
        _draw_hover(page, further, extent)
    return board, room


def _cut_off(
    rng: np.random.Generator, page: Canvas, room: Room, extent: Extent, buttons: Side | Literal[""]
) -> tuple[Room, Extent]:
    """The board moved over an edge of the page, up to three rows or columns off it: buttons stay on the other side."""
    side = OPPOSITE[buttons] if buttons else tuple(OPPOSITE)[rng.integers(4)]
    off, lying = float(rng.integers(3)) + float(rng.uniform(0.65, 1)), side in ("above", "below")
    if (extent.rows if lying else extent.cols) < off + 5:
        return room, extent
    x, y, width, height = extent.board
    if lying:
        y = -off * extent.down if side == "above" else page.height - height + off * extent.down
    else:
        x = -off * extent.across if side == "left" else page.width - width + off * extent.across
    return layout.around(page, replace(extent, x=x, y=y))


def _framed(room: Room, extent: Extent, style: Style, theme: Theme) -> tuple[Style, float]:
    """The style with a broad frame for letters and numbers, where there is room on all sides; and how broad it is."""
    reach = 0.9 * min(extent.across, extent.down)
    if min(room.space(side) for side in OPPOSITE) < reach:
        return style, 0.0
    return replace(style, rim=Rim(theme.panel, reach)), reach


def _draw_hover(page: Canvas, rng: np.random.Generator, extent: Extent) -> None:
    """One cell lit as where the pointer rests, or in a thin rim."""
    square = extent.square(int(rng.integers(extent.rows)), int(rng.integers(extent.cols)))
    ring = 0.0 if rng.random() < 0.5 else 2.0
    Face((255, 255, 255), ring=ring, alpha=0.9 if ring else 0.15).paint_on(page, square)


def _size(rng: np.random.Generator, game: str) -> tuple[int, int]:
    kind = rng.random()
    if rng.random() < 0.04:
        return int(rng.integers(4, 6)), int(rng.integers(4, 7))
    if game == "filler" and kind < 0.35:
        return ((7, 8), (8, 7), (10, 10), (9, 14), (20, 40))[rng.integers(5)]
    if kind < 0.75:
        side = int(rng.choice([6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 22, 24, 26]))
        return side, side
    rows = int(rng.integers(6, 25))
    return rows, int(rng.integers(max(6, rows // 2), min(31, 2 * rows + 1)))


def _skin(rng: np.random.Generator, theme: Theme, count: int, pixels: float) -> tuple[list[Colour], TileSkin, bool]:
    """Colours, their look, and whether the cells can be told apart even inside one region."""
    gap = 0.0 if rng.random() < 0.55 else float(rng.uniform(max(0.02, 1 / pixels), 0.2))
    ground = (
        theme.page
        if rng.random() < 0.4
        else (theme.panel, (0, 0, 0), (255, 255, 255), (60, 60, 60), theme.line)[rng.integers(5)]
    )
    avoid = [theme.page, ground] if gap else [theme.page]
    lined = rng.random() < (0.3 if gap == 0 else 0.1)
    if lined and rng.random() < 0.25:
        avoid = []
    colours = palette(rng, count, avoid=avoid)
    (homely,) = rng.spawn(1)
    if homely.random() < HOMELY and min(distance(theme.page, colour) for colour in colours[1:]) > 25:
        colours[0] = theme.page
    dotted = None
    if len(colours) > 5 and rng.random() < 0.04:
        colours[-1] = colours[0]
        dotted = (0, len(colours) - 1)
    line = None
    if lined:
        line = min(((0, 0, 0), (255, 255, 255), (90, 90, 90)), key=lambda c: -min(distance(c, o) for o in colours))
        line = mix(line, colours[0], float(rng.uniform(0, 0.4)))
    signs: tuple[str, ...] = ()
    if rng.random() < 0.12 and not dotted:
        choice = ("digits", "letters", "one", "each")[rng.integers(4)]
        signs = {
            "digits": tuple("1234567890"), "letters": tuple("ABCDEFGHIJ"), "one": (marks.SIGNS[rng.integers(12)],) * 10,
            "each": tuple(rng.permutation(marks.SIGNS)),
        }[choice]  # fmt: skip
    shade = "" if rng.random() < 0.75 else ("down", "round", "bevel")[rng.integers(3)]
    radius = 0.0 if rng.random() < 0.68 or not gap else float(rng.choice([0.08, 0.15, 0.25, 0.5]))
    if lined and line is not None and any(distance(line, c) < 12 for c in colours):
        line = None
    clear = (gap > 0 and min(distance(ground, c) for c in colours) > 12) or line is not None or shade == "bevel"
    skin = TileSkin(gap, radius, ground, line, shade, signs, dotted, bool(rng.random() < 0.6))
    return colours, skin, clear


def _varied(skin: TileSkin, rng: np.random.Generator) -> TileSkin:
    """Plain cells sometimes slope from one corner to the other, have a bar across them, or shine into their gaps."""
    (apart,) = rng.spawn(1)
    if skin.gap >= 0.08 and apart.random() < UNUSUAL:
        skin = replace(skin, glow=True)
    if skin.shade or skin.marks or skin.dotted or rng.random() > UNUSUAL:
        return skin
    return replace(skin, shade="slope") if rng.random() < 0.5 else replace(skin, bar=True)


def _position(
    rng: np.random.Generator, game: str, rows: int, cols: int, count: int, clear: bool, *, late: bool, walled: bool
) -> tuple[Grid8, Grid8]:
    """A grid, sometimes with cells that are not playable, and its owners.

    No board is played to its end, and only a `late` one so far that less than a sixth is left of the other colours:
    nothing would tell it from a table where there are no buttons.  Cells without borders show their size only where
    colours meet, so such a board ends sooner.
    """
    most = int(1.6 * np.sqrt(rows * cols))
    moves = 0 if rng.random() < 0.25 else int(rng.integers(1, most))
    walled |= game == "flood_it" and clear and rng.random() < 0.08
    while True:
        grid = rng.integers(0, count, (rows, cols)).astype(np.int8)
        if game == "filler" and rng.random() < 0.5:
            grid = positions.unequal(rng, rows, cols, count)
        if walled:
            walls = rng.random((rows, cols)) < 0.15
            walls[:, 0] = walls[0, :] = walls[-1, :] = walls[:, -1] = False
            grid[walls] = -1
        if game == "flood_it":
            owner = positions.flood(rng, grid, count, moves, (0, 0)).astype(np.int8)
        else:
            owner = positions.duel(rng, grid, count, 2 * moves // 2, ((rows - 1, 0), (0, cols - 1)))
        sizes = np.bincount(grid[grid >= 0])
        open_ = (sizes > 0).sum() > 1 and (late or sizes.max() <= 5 / 6 * sizes.sum())
        if open_ and (clear or _tells_size(grid)):
            return grid, owner
        moves = moves * 2 // 3


def _tells_size(grid: Grid8) -> bool:
    """Whether colours meet often enough to show how large a cell is: at two of five lines, a few cells each."""
    across = (grid[:, 1:] != grid[:, :-1]).sum(axis=0)
    down = (grid[1:] != grid[:-1]).sum(axis=1)
    return all((line >= min(3, len(grid) // 3)).mean() >= 0.4 for line in (across, down))


def _style(
    rng: np.random.Generator, extent: Extent, colours: list[Colour], skin: TileSkin, theme: Theme, *, buttons: bool
) -> Style:
    """The style of the cells, with a rim or without; walls look like a colour only where that has no button."""
    reach = 0.0 if rng.random() < 0.55 else float(rng.uniform(1, 14))
    edge = (theme.line, darker(theme.page, 0.5), (0, 0, 0), theme.accent)[rng.integers(4)]
    rim = None
    if reach and all(distance(edge, c) > 12 for c in colours):
        shadow = (3.0, 5.0, 0.25) if rng.random() < 0.2 else None
        rim = Rim(edge, reach, float(rng.choice([0, 0, reach / 2, reach])), shadow)
    shown = skin.ground if skin.gap else theme.page
    wall = shown if not buttons or rng.random() < 0.6 else mix(theme.page, theme.ink, 0.5)
    if any(distance(wall, c) < 20 for c in colours):
        wall = skin.ground
    kinds = {kind: _tile(skin, kind, colour, min(extent.across, extent.down)) for kind, colour in enumerate(colours)}
    return Style({-1: (Face(wall),)} | kinds, skin.ground if skin.gap or skin.radius else None, rim)


def _tile(skin: TileSkin, kind: int, colour: Colour, pitch: float) -> Stack:
    """What a cell of a kind looks like; pitch: the shorter one."""
    size = 1 - skin.gap
    paint: Paint = colour
    if skin.shade == "down":
        paint = Shade(lighter(colour, 0.15), darker(colour, 0.12))
    elif skin.shade == "slope":
        paint = Shade(darker(colour, 0.6), colour, "slope")
    elif skin.shade == "round":
        paint = Shade(lighter(colour, 0.25), colour, "round")
    faces = [Face(paint, skin.gap, skin.radius, snap=skin.snap)]
    if skin.glow:
        faces.insert(0, Face(colour, 0.3 * skin.gap, max(skin.radius, 0.1), alpha=0.4, snap=False))
    if skin.shade == "bevel":
        faces.append(Face(colour, skin.gap, form=marks.bevel((0.45, 0.3, 0.4, 0.3), snap=skin.snap)))
    if skin.bar:
        faces.append(Face(darker(colour, 0.5), 1 - 0.9 * size, form=marks.bar(0.11)))
    if skin.line is not None:
        ring = max(0.5, 0.02 * size * pitch)
        faces.append(Face(skin.line, skin.gap, skin.radius, ring=ring, snap=skin.snap))
    ink = lighter(colour, 0.75) if sum(colour) < 330 else darker(colour, 0.75)
    if skin.dotted and kind == skin.dotted[1]:
        faces.append(marks.mark("dot", ink, 0.28 * size))
    elif skin.marks and len(skin.marks[kind]) == 1:
        faces.append(marks.mark(skin.marks[kind], ink, 0.5 * size))
    elif skin.marks:
        faces.append(marks.mark(skin.marks[kind], ink, 0.44 * size, alpha=0.7))
    return tuple(faces)


def _mark_region(page: Canvas, rng: np.random.Generator, board: TrueBoard, extent: Extent) -> None:
    """Sometimes a sign shows the start cell, or a dot each cell of the player's region."""
    if rng.random() > 0.12 or board.owner is None or "same-rgb" in board.tags:
        return
    every = rng.random() < 0.4
    kind = ("dot", "star", "ring", "heart")[rng.integers(4)]
    start = (0, 0) if board.game == "flood_it" else (board.grid.shape[0] - 1, 0)
    for row, col in np.argwhere(board.owner == 1):
        if not every and (row, col) != start:
            continue
        ink = (255, 255, 255) if sum(board.palette[board.grid[row, col]]) < 420 else (20, 20, 20)
        marks.mark(kind, ink, 0.2 if every else 0.44, alpha=0.8).paint_on(page, extent.square(int(row), int(col)))


def _draw_unusual(
    page: Canvas, rng: np.random.Generator, room: Room, board: TrueBoard, extent: Extent, theme: Theme, *, framed: bool
) -> None:
    """What few pages do: words on every cell, letters round the board, cells of one's own that stand out, a veil."""
    worded, lettered, apart, veiled = rng.random(4) < UNUSUAL
    if worded and "same-rgb" not in board.tags and extent.down * page.scale > 24:
        for row, col in np.argwhere(board.grid >= 0):
            x, y = extent.centre(int(row), int(col))
            ink = (255, 255, 255) if sum(board.palette[board.grid[row, col]]) < 420 else (20, 20, 20)
            page.text(
                x, y - 0.12 * extent.down, f"Tile {col}", 0.2 * min(extent.across, extent.down), ink, anchor="middle"
            )
            page.text(x, y + 0.14 * extent.down, f"({row},{col})", 0.16 * extent.across, ink, anchor="middle")
    if (lettered or framed) and not board.buttons:
        _draw_letters(page, room, extent, theme)
    if apart and board.owner is not None:
        _draw_apart(page, rng, board, extent)
    if veiled:
        marks.veil(page, rng)


def _draw_letters(page: Canvas, room: Room, extent: Extent, theme: Theme) -> None:
    """Letters over the columns and numbers left of the rows, where there is room for them."""
    size = 0.45 * min(extent.across, extent.down)
    if min(room.space("above"), room.space("left")) < 2 * size:
        return
    strip, side = room.take("above", 1.6 * size), room.take("left", 1.6 * size)
    for col in range(extent.cols):
        at = extent.centre(0, col).x
        page.text(at, strip.y + 0.8 * size, chr(65 + col % 26), size, theme.ink, anchor="middle")
    for row in range(extent.rows):
        at = extent.centre(row, 0).y
        page.text(side.x + 0.8 * size, at, str(row + 1), size, theme.ink, anchor="middle")


def _draw_apart(page: Canvas, rng: np.random.Generator, board: TrueBoard, extent: Extent) -> None:
    """The player's cells in thick rims, or larger or paler than others as they pulse or blink; or signs on a few."""
    (apart,) = rng.spawn(1)
    kind = ("rim", "larger", "signs")[rng.integers(3)]
    kind = "paler" if apart.random() < 0.25 else kind
    sign = marks.SIGNS[rng.integers(len(marks.SIGNS))]
    for row, col in np.argwhere((rng.random(board.grid.shape) < 0.08) if kind == "signs" else board.owner == 1):
        colour = board.palette[board.grid[row, col]]
        square = extent.square(int(row), int(col))
        ink = (255, 255, 255) if sum(colour) < 420 else (20, 20, 20)
        if kind == "rim":
            Face(ink, 0.06, ring=0.09 * min(extent.across, extent.down), alpha=0.8).paint_on(page, square)
        elif kind == "paler":
            Face((255, 255, 255), alpha=0.12).paint_on(page, square)
        elif kind == "larger":
            Face(colour, -0.12, snap=False).paint_on(page, square)
        elif board.grid[row, col] >= 0 and "same-rgb" not in board.tags:
            marks.mark(sign, ink, 0.5, alpha=0.8).paint_on(page, square)


def _draw_buttons(
    page: Canvas, rng: np.random.Generator, room: Room, side: Side, extent: Extent, colours: list[Colour],
    own: set[int], skin: TileSkin,
) -> list[TrueButton]:  # fmt: skip
    """Draw a colour button each, in one or two lines beside the board; forbidden ones may be faded, small or gone."""
    pitch, lying = extent.down, side in ("above", "below")
    apart, paleness = rng.spawn(2)  # so that the rest of the picture is as it would be without
    (stepped,) = paleness.spawn(1)
    (unusual,) = stepped.spawn(1)
    far, shaded, named = unusual.random(3) < UNUSUAL
    (wider,) = unusual.spawn(1)
    wide = float(wider.uniform(1.5, 3)) if wider.random() < UNUSUAL else 1.0
    if lying and stepped.random() < STEPPED and (buttons := _draw_stepped(page, stepped, room, side, extent, colours)):
        return buttons
    along = room.board.width if lying else room.board.height
    lines = 2 if rng.random() < 0.15 and len(colours) > 3 else 1
    each = -(-len(colours) // lines)
    share = 0.0 if rng.random() < 0.15 else float(rng.uniform(0.08, 0.6))
    away = float(rng.uniform(0.15, 0.6)) * pitch
    deep = room.space(side) - away
    size = min(
        along / (each * (1 + share)), deep / (lines * (1 + share)) * 0.95, float(rng.uniform(0.8, 2.4)) * pitch, 90
    )
    if size * page.scale < 10:
        return []
    if lying and lines == 1 and rng.random() < WORDED:
        return _draw_worded(page, rng, room.take(side, 1.3 * min(size, 40), away), min(size, 40), colours)
    (stacked,) = wider.spawn(1)
    if not lying and lines == 1 and stacked.random() < WORDED:
        high = min(size, 40, along / (1.7 * len(colours)), deep / 4)
        return _draw_worded(page, stacked, room.take(side, min(deep, 4 * high), away), high, colours, stacked=True)
    spare = room.space(side) - away - lines * size * (1 + share)
    if far:
        away += max(0.0, float(unusual.uniform(0, 1)) * min(spare, 0.8 * min(room.board.width, room.board.height)))
    named = named and lying and lines == 1 and spare > 16
    strip = room.take(side, lines * size * (1 + share) + 16 * named, away)
    radius = float(rng.choice([0, 0.12, 0.25, 0.5]))
    forbidden = ("plain", "faded", "small", "gone")[rng.choice(4, p=[0.45, 0.25, 0.15, 0.15])]
    faded = float(paleness.uniform(0.3, 0.75))
    order = list(range(len(colours))) if rng.random() < 0.7 else list(rng.permutation(len(colours)))
    rim = (None, (0, 0, 0), (255, 255, 255), (120, 120, 120))[rng.integers(4)]
    sparse = rng.random() < 0.3
    wide = min(wide, along / (each * size * (1 + share))) if lying and lines == 1 else 1.0
    wide = wide if wide > 1.3 else 1.0
    step = along / each if sparse and size * wide * 1.1 < along / each else size * wide * (1 + share)
    start = (along - step * (each - 1) - size * wide) / 2 if rng.random() < 0.7 else 0.0
    buttons = []
    for place, kind in enumerate(order):
        first, second = start + (place % each) * step, (place // each) * size * (1 + share)
        box = (
            Box(strip.x + first, strip.y + second, size * wide, size)
            if lying
            else Box(strip.x + second, strip.y + first, size, size)
        )
        barred = kind in own
        shrunk = barred and forbidden == "small"
        if shrunk:
            box = Box(box.x + box.width / 4, box.y + size / 4, box.width / 2, size / 2)
        visible = not (barred and forbidden == "gone")
        if visible:
            colour = colours[kind]
            paint = Shade(lighter(colour, 0.25), darker(colour, 0.2)) if shaded else colour
            _draw_button(page, box, paint, radius, faded if barred and forbidden == "faded" else 1.0, rim)
            if named:
                ink = (20, 20, 20) if sum(page.pixels[0, 0].tolist()) > 380 else (240, 240, 240)
                page.text(box.centre.x, box.y + size + 9, WORDS[kind], min(12, 0.3 * size), ink, anchor="middle")
            if skin.dotted and kind == skin.dotted[1]:
                page.disc(*box.centre, 0.14 * size, (0, 0, 0) if sum(colours[kind]) > 330 else (255, 255, 255))
            elif skin.marks and len(skin.marks[kind]) == 1:
                page.text(*box.centre, skin.marks[kind], 0.4 * size, (30, 30, 30), anchor="middle")
        buttons.append(TrueButton(int(kind), pixel_box(page, box), not barred, visible))
    if apart.random() < OTHERS and lines == 1 and start + each * step + size <= along:
        _draw_other(page, apart, box, step if lying else 0.0, 0.0 if lying else step, radius)
    return buttons


def _draw_stepped(
    page: Canvas, rng: np.random.Generator, room: Room, side: Side, extent: Extent, colours: list[Colour]
) -> list[TrueButton]:
    """Buttons of several cells in the board's own step, a cell of page between them; none where there is no room."""
    most = min(int(room.space(side) / extent.down) - 1, (extent.cols + 1) // len(colours) - 1, 4)
    if most < 2:
        return []
    cells = int(rng.integers(2, most + 1))
    away = int(rng.integers(1, int(room.space(side) / extent.down) - cells + 1))
    strip = room.take(side, cells * extent.down, min(away, 2) * extent.down)
    buttons = []
    for kind, colour in enumerate(colours):
        x = strip.x + kind * (cells + 1) * extent.across
        box = Box(x, strip.y, cells * extent.across, cells * extent.down)
        page.fill(box, colour)
        buttons.append(TrueButton(kind, pixel_box(page, box), True, True))
    return buttons


def _draw_other(page: Canvas, rng: np.random.Generator, last: Box, right: float, down: float, radius: float) -> None:
    """A grey button with a sign on it next to the `last` one of the colours': it begins anew, or opens settings."""
    box, level = Box(last.x + right, last.y + down, last.width, last.height), int(rng.integers(90, 225))
    page.fill(box, (level, level, level), radius=radius * box.width)
    ink = (30, 30, 30) if level > 140 else (245, 245, 245)
    if rng.random() < 0.5:
        marks.sign(page, marks.SIGNS[rng.integers(len(marks.SIGNS))], *box.centre, 0.28 * box.width, ink)
    else:
        page.text(*box.centre, OTHER_WORDS[rng.integers(len(OTHER_WORDS))], 0.3 * box.width, ink, anchor="middle")


def _draw_worded(
    page: Canvas, rng: np.random.Generator, strip: Box, high: float, colours: list[Colour], *, stacked: bool = False
) -> list[TrueButton]:
    """Buttons with words on them in one row or column, all as long as the longest or each as long as its own."""
    words = [WORDS[index] for index in rng.permutation(len(WORDS))[: len(colours)]]
    gap, room = float(rng.uniform(0.05, 0.6)) * high, float(rng.uniform(0.4, 1.2)) * high
    letters = [len(word) for word in words] if rng.random() < 0.5 else [max(map(len, words))] * len(words)
    wide = [0.3 * high * count + room for count in letters]
    along = max(wide) if stacked else sum(wide) + gap * (len(wide) - 1)
    squeeze = min(1.0, strip.width / along)
    ink = ((0, 0, 0), (255, 255, 255))[rng.integers(2)]
    x, y = strip.x + max(0.0, strip.width - squeeze * along) / 2, strip.y
    radius = float(rng.choice([0, 0.1, 0.25]))
    buttons = []
    for kind, (word, width) in enumerate(zip(words, wide, strict=True)):
        box = Box(x, y, squeeze * width, high)
        _draw_button(page, box, colours[kind], radius, 1.0, None)
        page.text(*box.centre, word, 0.4 * squeeze * high, ink, anchor="middle")
        buttons.append(TrueButton(kind, pixel_box(page, box), True, True))
        if stacked:
            y += high + gap
        else:
            x += squeeze * (width + gap)
    return buttons


def _draw_button(page: Canvas, box: Box, paint: Paint, radius: float, alpha: float, rim: Colour | None) -> None:
    """Draw one button; it has a rim where nobody could tell it from the page without."""
    radius *= min(box.width, box.height)
    x, y = (int(page.scale * at) for at in box.centre)
    high, wide, _ = page.pixels.shape
    red, green, blue = page.pixels[min(y, high - 1), min(x, wide - 1)].tolist()
    ground = (red, green, blue)
    unseen = not isinstance(paint, Shade) and distance(paint, ground) < SEEN
    if unseen and (rim is None or distance(rim, ground) < SEEN):
        rim = mix(ground, (0, 0, 0) if sum(ground) > 380 else (255, 255, 255), 0.4)
    page.fill(box, paint, radius=radius, alpha=alpha)
    if rim is not None:
        page.fill(box, rim, radius=radius, ring=max(1.0, 0.04 * box.width), alpha=alpha)
