"""Draws boards of Quoridor: cells with grooves, walls, pawns, and the hints and previews that are neither."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from bench.pictures import layout, marks, positions
from bench.pictures.colours import Theme, darker, distance, lighter, random_colour
from bench.pictures.layout import Room, Side
from bench.pictures.truth import TrueBoard, board_on
from bot.screens.drawn.painter import Extent, Face, Form, Lines, Rim, Stack, Style, mix, paint_ground
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Box
from calibration.looks.grooves.walls import Wall

WOODS: tuple[Colour, ...] = ((139, 90, 43), (205, 164, 99), (101, 60, 20), (222, 184, 135), (60, 40, 30))


NARROW = 0.065
"""Grooves below this part of the pitch are lines."""

OBLONG, STRETCHED = 0.1, (0.6, 1.7)
"""The share of the boards whose cells are no squares, and how many times as wide as high these are."""

OPEN = 0.08
"""The share of the boards without a frame: grooves run between the cells alone, which go over into what is round them.
"""

HOMELY, PALE = 0.06, (0.07, 0.3)
"""The share of the boards whose cells have the page's colour, half of them without a frame, and how far from it to that
of its text their grooves are, at least and at most."""

LINED = 0.2
"""The share of the boards whose cells are parted by lines; walls lie over these and may be wider."""

LETTERED, NOTED = 0.06, 0.05
"""The share of the boards whose pawns are letters, and on which a small note lies where nothing stands."""

RIMMED = 0.05
"""The share of the boards of which a pawn has about the colour of its row of goals and shows by its rim."""

SPLIT = 0.05
"""The share of those whose walls are drawn in two pieces."""

LIT, VEILED, SLOPED = 0.05, 0.05, 0.08
"""The share of those on which a cell is lit under the pointer, a veil lies over all, and light falls from a side."""

HALVED = (0.06, 0.4, 0.7)
"""The share of the boards whose cells are lit along one side, and the part of a cell that is, at least and at most."""


@dataclass(frozen=True, slots=True)
class GrooveSkin:
    """How the board looks; lengths are shares of the pitch.

    groove: its width.  cell, ground: the colours of cells and grooves.
    outline: of the cells, None for none.  walls: one colour a player.
    thick: a wall's width as a share of the groove's.  inset: how much shorter a wall is at each end.
    radius: of the cells' corners.  pawn: "disc", "ringed", "rimmed", "figure", "square" or a sign.
    chequer: tint of every other cell.  split: whether a wall is drawn in two pieces, each as long as a cell.
    """

    groove: float
    cell: Colour
    ground: Colour
    outline: Colour | None
    walls: tuple[Colour, Colour]
    thick: float
    inset: float
    radius: float
    pawn: str
    pawns: tuple[Colour, Colour]
    chequer: float
    split: bool = False


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[TrueBoard, Room]:
    """Draw a Quoridor board on `page`."""
    size = 9 if rng.random() < 0.88 else int(rng.choice([5, 7, 11]))
    apart, shape, more = rng.spawn(3)  # so that the rest of the picture is as it would be without
    stretch = float(shape.uniform(*STRETCHED)) if shape.random() < OBLONG else 1.0
    room, extent = layout.cut(page, rng, size, size, stretch=stretch, least=26)
    pitch = extent.down
    skin = _skin(rng, theme, pitch * page.scale)
    if apart.spawn(1)[0].random() < SPLIT:
        skin = replace(skin, split=True)
    if more.random() < LETTERED:
        skin = replace(skin, pawn="letter")
    elif shape.spawn(1)[0].random() < RIMMED:
        skin = replace(skin, pawn="rimmed", pawns=(mix(skin.cell, (255, 255, 255), 0.3), skin.pawns[1]))
    most = {5: 6, 7: 12}.get(size, 20)
    walls = positions.lay_walls(rng, size, size, 0 if rng.random() < 0.25 else int(rng.integers(1, most + 1)))
    pawns = _pawns(rng, size)
    box = room.board
    half = skin.groove * pitch / 2
    style, margin = _style(rng, pitch, skin)
    paint_ground(page, extent, style)
    over, halves = more.spawn(2)
    if halves.random() < HALVED[0]:
        _light_halves(page, halves, extent, skin)
    if skin.outline is None and stretch == 1 and apart.random() < (0.5 if skin.cell == theme.page else OPEN):
        _open_rim(page, apart, box, size, skin)
    if rng.random() < 0.15 and room.space("left") > 30:
        for index in range(size):
            y = box.y + (index + 0.5) * pitch
            page.text(box.x - margin - 12, y, str(size - index), 14, theme.ink, anchor="middle")
        room.shrink("left", 26 + margin)
    if rng.random() < 0.15:
        for row, player in ((0, 0), (size - 1, 1)):
            page.fill(
                Box(box.x + half, box.y + row * pitch + half, box.width - 2 * half, pitch - 2 * half),
                skin.pawns[player],
                alpha=0.15,
            )
    for col in range(size if skin.pawn == "rimmed" else 0):
        Face(darker(skin.pawns[0], 0.06), skin.groove).paint_on(page, extent.square(size - 1, col))
    owners = rng.integers(0, 2, len(walls))
    for wall, owner in zip(walls, owners, strict=True):
        _draw_wall(page, extent, skin, wall, skin.walls[owner], 1.0)
    _draw_hints(page, rng, extent, skin, walls if (owners == 0).any() else [], pawns, size)
    for player, (row, col) in enumerate(pawns):
        _draw_pawn(page, skin, extent.square(row, col), player, 1.0)
    _draw_stock(page, rng, room, pitch, skin, theme, most - len(walls))
    lit, veiled, sloped = np.array(over.random(3)) < (LIT, VEILED, SLOPED)
    if lit:
        cell = Face((255, 255, 255), skin.groove, alpha=0.2)
        cell.paint_on(page, extent.square(int(over.integers(size)), int(over.integers(size))))
    if veiled:
        marks.veil(page, over)
    if sloped:
        ways: tuple[Literal["down", "across", "slope"], ...] = ("down", "across", "slope")
        light = Shade((255, 255, 255), (0, 0, 0), ways[over.integers(3)])
        board_box = Box(extent.x, extent.y, size * extent.across, size * extent.down)
        page.fill(board_box, light, alpha=float(over.uniform(0.1, 0.25)))
    if more.random() < NOTED:
        _draw_note(page, more, extent, size, [*pawns, *(cell for wall in walls for cell in _about(wall))], theme)
    board = board_on(page, game, extent, np.zeros((size, size), dtype=np.int8))
    board.cell = (board.pitch[0] * (1 - skin.groove), board.pitch[1] * (1 - skin.groove))
    board.pawns, board.walls = pawns, walls
    board.skin = "outlined" if skin.outline else "lined" if skin.groove < NARROW else skin.pawn
    return board, room


def _skin(rng: np.random.Generator, theme: Theme, pixels: float) -> GrooveSkin:
    (homely,) = rng.spawn(1)
    lined = rng.random() < LINED
    groove = float(rng.integers(1, 5)) / pixels if lined else float(rng.uniform(max(0.07, 3.0 / pixels), 0.3))
    while True:
        cell = WOODS[rng.integers(5)] if rng.random() < 0.3 else random_colour(rng, (0, 0.6), (0.2, 1.0))
        ground = (theme.page, darker(cell, 0.3), lighter(cell, 0.4), random_colour(rng, (0.2, 0.8), (0.2, 0.9)))[
            rng.integers(4)
        ]
        if distance(cell, ground) > (30 if lined else 14):
            break
    if homely.random() < HOMELY:
        cell, ground = theme.page, mix(theme.page, theme.ink, float(homely.uniform(*PALE)))
    one = _unlike(rng, [cell, ground], 32)
    other = one if rng.random() < 0.6 else _unlike(rng, [cell, ground], 32)
    walls = (one, one if _preview(ground, one, other) or _preview(ground, other, one) else other)
    first = _unlike(rng, [cell], 35)
    pawns = (first, _unlike(rng, [cell, first], 35))
    if walls[0] != walls[1] and rng.random() < 0.6:
        pawns = walls if distance(*walls) > 20 else pawns
    outline = None
    if not lined and rng.random() < 0.06:  # some pages draw cells and grooves alike, and only an outline between them
        ground, outline = cell, darker(cell, 0.8) if sum(cell) > 300 else lighter(cell, 0.7)
    even = rng.random() < 0.5
    return GrooveSkin(
        groove=max(groove, 0.1) if outline else groove,
        cell=cell,
        outline=outline,
        ground=ground,
        walls=walls,
        thick=max(1.0, _thick(rng, pixels) / groove) if lined else 1.0 if even else float(rng.uniform(0.55, 1.15)),
        inset=0.0 if rng.random() < 0.5 else float(rng.uniform(0, 0.12)),
        radius=0.0 if lined or rng.random() < 0.6 else float(rng.choice([0.06, 0.12, 0.2])),
        pawn=("disc", "ringed", "figure", "square", "smile", "star")[
            rng.choice(6, p=[0.5, 0.15, 0.15, 0.06, 0.08, 0.06])
        ],
        pawns=pawns,
        chequer=0.0 if rng.random() < 0.85 else float(rng.uniform(0.04, 0.12)),
    )


def _thick(rng: np.random.Generator, pixels: float) -> float:
    """The width of a wall over lines: as wide as they, or up to a sixth of a cell."""
    return 0.0 if rng.random() < 0.3 else float(rng.uniform(3.0 / pixels, 0.16))


def _preview(ground: Colour, wall: Colour, pale: Colour) -> bool:
    """Whether `pale` looks as `wall` does where it is half clear, so that nobody could tell which is laid."""
    return any(distance(pale, mix(ground, wall, share)) < 20 for share in np.linspace(0.2, 0.9, 8))


def _unlike(rng: np.random.Generator, others: list[Colour], apart: float) -> Colour:
    """A colour that stands out from `others`."""
    for _ in range(300):
        colour = random_colour(rng, (0.0, 1.0), (0.0, 1.0))
        if rng.random() < 0.3:
            colour = ((0, 0, 0), (255, 255, 255), (200, 30, 30), (30, 60, 200), (230, 190, 20))[rng.integers(5)]
        if all(distance(colour, other) >= apart for other in others):
            return colour
    return (0, 0, 0) if sum(others[0]) > 380 else (255, 255, 255)


def _pawns(rng: np.random.Generator, size: int) -> list[tuple[int, int]]:
    middle = size // 2
    if rng.random() < 0.3:
        return [(size - 1, middle), (0, middle)]
    while True:
        (r1, r2), (c1, c2) = rng.integers(0, size, 2), np.clip(np.round(rng.normal(middle, size / 5, 2)), 0, size - 1)
        if (r1, c1) != (r2, c2):
            return [(int(r1), int(c1)), (int(r2), int(c2))]


def _style(rng: np.random.Generator, pitch: float, skin: GrooveSkin) -> tuple[Style, float]:
    """The grooves' ground and the cells; how far the ground goes on round these."""
    margin = float(rng.choice([-0.5 * skin.groove, 0, 0.2])) * pitch
    rim = Rim(skin.ground, margin, float(rng.choice([0, 0, 6])))
    shaded, lined = rng.random() < 0.12, rng.random() < 0.2
    if skin.groove < NARROW:  # between cells that are drawn at whole pixels lines of one pixel would be lost
        return Style({}, ground=skin.cell, rim=rim, lines=Lines(skin.ground, skin.groove * pitch)), margin
    radius = skin.radius / (1 - skin.groove)
    cells = []
    for colour in (skin.cell, mix(skin.cell, skin.ground, skin.chequer)):
        faces = [Face(Shade(lighter(colour, 0.12), darker(colour, 0.1)) if shaded else colour, skin.groove, radius)]
        if skin.outline is not None or lined:
            faces.append(Face(skin.outline or darker(colour, 0.25), skin.groove, radius, ring=1))
        cells.append(tuple(faces))
    return Style({}, rim=rim, bare=(cells[0], cells[1])), margin


def _light_halves(page: Canvas, rng: np.random.Generator, extent: Extent, skin: GrooveSkin) -> None:
    """Each cell is lit along one and the same side."""
    share, alpha = float(rng.uniform(*HALVED[1:])), float(rng.uniform(0.15, 0.35))
    far, across = rng.random(2) < 0.5
    for row, col in np.ndindex(extent.rows, extent.cols):
        x, y, wide, high = Face((255, 255, 255), skin.groove).box(extent.square(row, col))
        long, tall = (share * wide, high) if across else (wide, share * high)
        page.fill(Box(x + far * (wide - long), y + far * (high - tall), long, tall), (255, 255, 255), alpha=alpha)


def _open_rim(page: Canvas, rng: np.random.Generator, box: Box, size: int, skin: GrooveSkin) -> None:
    """Paints the ground of a board in its cells' colour, and its grooves as bars that end with the cells."""
    pitch, short = box.width / size, float(rng.uniform(0, 0.1)) * box.width / size
    out = float(rng.uniform(0, 0.5)) * pitch
    page.fill(Box(box.x - out, box.y - out, box.width + 2 * out, box.height + 2 * out), skin.cell)
    wide, long, half = skin.groove * pitch, box.width - 2 * short, skin.groove * pitch / 2
    radius = wide / 2 if rng.random() < 0.5 else 0.0
    for index in range(1, size):
        page.fill(Box(box.x + index * pitch - half, box.y + short, wide, long), skin.ground, radius=radius)
        page.fill(Box(box.x + short, box.y + index * pitch - half, long, wide), skin.ground, radius=radius)


def _draw_wall(page: Canvas, extent: Extent, skin: GrooveSkin, wall: Wall, colour: Colour, alpha: float) -> None:
    place = extent.wall(wall, skin.groove, thick=skin.thick, short=skin.inset)
    x, y, width, height = place
    far = skin.groove * extent.down
    long, high = (width - far) / 2, (height - far) / 2
    parts = [place]
    if skin.split and wall[0] == "h":
        parts = [Box(x, y, long, height), Box(x + long + far, y, long, height)]
    elif skin.split:
        parts = [Box(x, y, width, high), Box(x, y + high + far, width, high)]
    for part in parts:
        page.fill(part, colour, alpha=alpha, radius=skin.radius * min(place.width, place.height))


def _draw_pawn(page: Canvas, skin: GrooveSkin, square: Box, player: int, alpha: float) -> None:
    for face in _pawn(skin, player, alpha):
        face.paint_on(page, square)


def _pawn(skin: GrooveSkin, player: int, alpha: float) -> Stack:
    """A pawn, clear where it only shows where it might go."""
    colour, gap = skin.pawns[player], 1 - 0.7 * (1 - skin.groove)
    disc = Face(colour, gap, 0.5, even=True, alpha=alpha, snap=False)
    if skin.pawn == "square":
        return (Face(colour, gap, even=True, alpha=alpha),)
    if skin.pawn == "figure":
        return (Face(colour, gap, even=True, alpha=alpha, form=_figure),)
    if skin.pawn == "letter":
        return (marks.mark("AB"[player], colour, 0.7 * (1 - gap), alpha=alpha),)
    if skin.pawn in ("smile", "star"):
        ink = (20, 20, 20) if sum(colour) > 380 else (240, 240, 240)
        return disc, marks.mark(skin.pawn, ink, 0.6 * (1 - gap), alpha=alpha)
    if skin.pawn in ("ringed", "rimmed"):
        dark, broad = (0.5, 0.075) if skin.pawn == "ringed" else (0.3, 0.05)
        return disc, Face(darker(colour, dark), gap, even=True, alpha=alpha, form=_ring(broad))
    return (disc,)


def _figure(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
    """A head over a skirt."""
    (x, y), size = box.centre, box.width / 2
    canvas.disc(x, y - 0.45 * size, 0.45 * size, paint, alpha=alpha)
    foot, neck = y + size, y - 0.2 * size
    skirt = [(x - 0.75 * size, foot), (x - 0.25 * size, neck), (x + 0.25 * size, neck), (x + 0.75 * size, foot)]
    canvas.polygon(skirt, paint, alpha=alpha)


def _ring(broad: float) -> Form:
    """A ring as large as its box; broad: how broad, as a part of the box."""

    def draw(canvas: Canvas, box: Box, paint: Paint, alpha: float) -> None:
        canvas.disc(*box.centre, box.width / 2, paint, alpha=alpha, ring=broad * box.width)

    return draw


def _draw_hints(
    page: Canvas, rng: np.random.Generator, extent: Extent, skin: GrooveSkin, walls: list[Wall],
    pawns: list[tuple[int, int]], size: int,
) -> None:  # fmt: skip
    """Where the pawn may go, and a wall that the pointer would lay: both pale."""
    if rng.random() < 0.4:
        mover = int(rng.integers(2))
        row, col = pawns[mover]
        kind = ("pawn", "dot", "tint", "mark", "frame")[rng.integers(5)]
        shade, ring = random_colour(rng, (0.3, 1.0), (0.4, 1.0)), random_colour(rng, (0.5, 1.0), (0.3, 1.0))
        inside = 1 - skin.groove
        hints: dict[str, Stack] = {
            "dot": (Face(skin.pawns[mover], 1 - 0.28 * inside, 0.5, alpha=0.7, snap=False),),
            "mark": (Face(shade, skin.groove), Face(ring, 1 - 0.5 * inside, form=_ring(0.15))),
            "tint": (Face(skin.pawns[mover], skin.groove, alpha=0.25),),
            "frame": (Face(ring, skin.groove - 0.08, 0.1, ring=0.06 * min(extent.across, extent.down), alpha=0.8),),
        }
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            place = (row + dr, col + dc)
            if place in pawns or not (0 <= place[0] < size and 0 <= place[1] < size):
                continue
            pale = _pawn(skin, mover, float(rng.uniform(0.2, 0.4))) if kind == "pawn" else hints[kind]
            for face in pale:
                face.paint_on(page, extent.square(*place))
    if walls and rng.random() < 0.2:  # a preview is known by its paleness beside a wall
        preview = (("h", "v")[rng.integers(2)], int(rng.integers(size - 1)), int(rng.integers(size - 1)))
        spot, *others = (
            extent.wall(wall, skin.groove, thick=skin.thick, short=skin.inset) for wall in (preview, *walls)
        )
        if not any(_meet(spot, other) for other in others):
            _draw_wall(page, extent, skin, preview, skin.walls[0], float(rng.uniform(0.25, 0.45)))


def _about(wall: Wall) -> list[tuple[int, int]]:
    """The four cells that meet in a wall's middle."""
    _, row, col = wall
    return [(row + down, col + right) for down in (0, 1) for right in (0, 1)]


def _draw_note(
    page: Canvas, rng: np.random.Generator, extent: Extent, size: int, taken: list[tuple[int, int]], theme: Theme
) -> None:
    """A tooltip of one line over two to four cells with nothing on or about them; none where there are no such."""
    wide = int(rng.integers(2, min(5, size)))
    row, col = int(rng.integers(size)), int(rng.integers(size - wide + 1))
    if any(abs(at - row) < 2 and -2 < left - col < wide + 1 for at, left in taken):
        return
    x, y = extent.x + (col + float(rng.uniform(0, 0.5))) * extent.across, extent.y + (row + 0.3) * extent.down
    note = Box(x, y, (wide - 0.5) * extent.across, 0.4 * extent.down)
    page.fill(note, (25, 25, 30) if rng.random() < 0.6 else theme.panel, radius=4)
    page.text(note.x + 6, note.centre.y, "Your turn", 0.26 * extent.down, (240, 240, 240), anchor="left")


def _meet(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width and other.x < one.x + one.width
        and one.y < other.y + other.height and other.y < one.y + one.height
    )  # fmt: skip


def _draw_stock(
    page: Canvas, rng: np.random.Generator, room: Room, pitch: float, skin: GrooveSkin, theme: Theme, left: int
) -> None:
    """Spare walls beside the board: standing in a row, or one with a number."""
    kind = ("none", "counts", "row", "sides")[rng.choice(4, p=[0.3, 0.3, 0.2, 0.2])]
    thick, long = max(2.0, skin.groove * pitch), 1.2 * pitch
    if kind == "counts" and room.space("right") > 3 * pitch:
        strip = room.take("right", 3 * pitch, 0.4 * pitch)
        for player in range(2):
            y = strip.y + (0.5 + 0.8 * player) * pitch
            size = 0.8 * pitch / (1 - skin.groove)
            _draw_pawn(page, skin, Box(strip.x + 0.3 * pitch - size / 2, y - size / 2, size, size), player, 1)
            page.fill(Box(strip.x + 0.8 * pitch, y - thick / 2, long, thick), skin.walls[player])
            page.text(strip.x + 2.2 * pitch, y, f"x {left // 2}", 0.35 * pitch, theme.ink)
    stocks: dict[str, tuple[Side, ...]] = {"row": ("below",), "sides": ("above", "below")}
    for player, side in enumerate(stocks.get(kind, ())):
        if room.space(side) < 1.8 * pitch:
            continue
        strip = room.take(side, 1.3 * pitch, 0.35 * pitch)
        step = room.board.width / 10
        for index in range(left // 2):
            page.fill(Box(strip.x + (index + 0.3) * step, strip.y, thick, long), skin.walls[player])
