"""Draws boards of Flood-It and Filler: coloured cells, buttons in the same colours, and what stands round them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.pictures import layout, marks, positions
from bench.pictures.colours import Theme, darker, distance, lighter, mix, palette
from bench.pictures.layout import Room, Side
from bench.pictures.truth import Board, Button, board_on, pixel_box
from calibration.board import Colour
from calibration.canvas import Canvas, Paint, Shade
from calibration.frame import Box

Grid8 = NDArray[np.int8]


WORDED = 0.2
"""The share of the rows of buttons that have words on them."""

WORDS = ("Red", "Green", "Blue", "Yellow", "Purple", "Orange", "Pink", "Cyan", "Brown", "Grey", "Turquoise")


@dataclass(frozen=True, slots=True)
class Skin:
    """How the cells look; lengths are shares of the pitch.

    gap: between cells.  radius: of the corners.  ground: what shows in the gaps.  line: a border inside each cell.
    shade: "", "down", "round" or "bevel".  marks: a sign for each colour, "" for none.  dotted: these two colours
    share one RGB and the second has a dot.
    """

    gap: float
    radius: float
    ground: Colour
    line: Colour | None
    shade: str
    marks: tuple[str, ...]
    mark_ink: Colour
    dotted: tuple[int, int] | None
    snap: bool


def draw(page: Canvas, rng: np.random.Generator, theme: Theme, game: str) -> tuple[Board, Room]:
    """Draw a board of `game` ("flood_it" or "filler") on `page`."""
    rows, cols = _size(rng, game)
    small = rows * cols < 36
    count = int(rng.choice([3, 4, 5, 6, 7, 8, 9, 10], p=[0.07, 0.13, 0.13, 0.37, 0.1, 0.1, 0.03, 0.07]))
    if game == "filler":
        count = max(count, 5)
    stretch = 1.0 if rng.random() < 0.87 else float(rng.uniform(0.8, 1.25))
    buttons = small or rng.random() < 0.55  # without them nobody could tell so small a board from a word game
    side: Side = ("below", "above", "left", "right")[rng.choice(4, p=[0.45, 0.2, 0.15, 0.2])]
    size = float(rng.uniform(0.8, 2.2))
    depth = max(size, 0.1 * (cols if side in ("above", "below") else rows)) + 1.2
    room, pitch = layout.cut(
        page, rng, rows, cols, stretch=stretch, least=14, reserve={side: depth} if buttons else None
    )
    colours, skin, clear = _skin(rng, theme, count, pitch[0] * page.scale)
    count = len(colours)
    grid, owner = _position(rng, game, rows, cols, count, clear, late=buttons)
    _draw_cells(page, rng, room.board, pitch, grid, colours, skin, theme, buttons=buttons)
    board = board_on(page, game, room.board, pitch, grid)
    board.palette, board.owner = colours, owner
    board.skin = "marks" if skin.marks else "gaps" if skin.gap else "lines" if skin.line else skin.shade or "touching"
    board.cell = (board.pitch[0] * (1 - skin.gap), board.pitch[1] * (1 - skin.gap))
    if buttons:
        own = {int(grid[0, 0])} if game == "flood_it" else {int(grid[-1, 0]), int(grid[0, -1])}
        board.buttons = _draw_buttons(page, rng, room, side, pitch[1], colours, own, skin)
    if skin.dotted:
        board.tags.append("same-rgb")
    _mark_region(page, rng, board, room.board, pitch)
    return board, room


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


def _skin(rng: np.random.Generator, theme: Theme, count: int, pixels: float) -> tuple[list[Colour], Skin, bool]:
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
    skin = Skin(gap, radius, ground, line, shade, signs, theme.ink, dotted, bool(rng.random() < 0.6))
    return colours, skin, clear


def _position(
    rng: np.random.Generator, game: str, rows: int, cols: int, count: int, clear: bool, *, late: bool
) -> tuple[Grid8, Grid8]:
    """A grid, sometimes with cells that are not playable, and its owners.

    No board is played to its end, and only a `late` one so far that less than a sixth is left of the other colours:
    nothing would tell it from a table where there are no buttons.  Cells without borders show their size only where
    colours meet, so such a board ends sooner.
    """
    most = int(1.6 * np.sqrt(rows * cols))
    moves = 0 if rng.random() < 0.25 else int(rng.integers(1, most))
    walled = game == "flood_it" and clear and rng.random() < 0.08
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


def _draw_cells(
    page: Canvas, rng: np.random.Generator, box: Box, pitch: tuple[float, float], grid: Grid8, colours: list[Colour],
    skin: Skin, theme: Theme, *, buttons: bool,
) -> None:  # fmt: skip
    """Ground, frame, then cell by cell; walls look like a colour only where that has no button."""
    rim = 0.0 if rng.random() < 0.55 else float(rng.uniform(1, 14))
    edge = (theme.line, darker(theme.page, 0.5), (0, 0, 0), theme.accent)[rng.integers(4)]
    if rim and all(distance(edge, c) > 12 for c in colours):
        frame = Box(box.x - rim, box.y - rim, box.width + 2 * rim, box.height + 2 * rim)
        if rng.random() < 0.2:
            shadow = Box(frame.x + 3, frame.y + 5, frame.width, frame.height)
            page.fill(shadow, (0, 0, 0), radius=rim, alpha=0.25)
        page.fill(frame, edge, radius=float(rng.choice([0, 0, rim / 2, rim])))
    if skin.gap or skin.radius:
        page.fill(box, skin.ground)
    shown = skin.ground if skin.gap else theme.page
    wall = shown if not buttons or rng.random() < 0.6 else mix(theme.page, theme.ink, 0.5)
    flat_wall = any(distance(wall, c) < 20 for c in colours)
    trim = (pitch[0] * skin.gap, pitch[1] * skin.gap)
    for (row, col), kind in np.ndenumerate(grid):
        cell = Box(
            box.x + col * pitch[0] + trim[0] / 2,
            box.y + row * pitch[1] + trim[1] / 2,
            pitch[0] - trim[0],
            pitch[1] - trim[1],
        )
        if kind < 0:
            page.fill(Box(box.x + col * pitch[0], box.y + row * pitch[1], *pitch), skin.ground if flat_wall else wall)
            continue
        colour = colours[kind]
        _draw_cell(page, cell, colour, skin)
        x, y, size = *cell.centre, min(cell.width, cell.height)
        ink = lighter(colour, 0.75) if sum(colour) < 330 else darker(colour, 0.75)
        if skin.dotted and kind == skin.dotted[1]:
            page.disc(x, y, 0.14 * size, ink)
        elif skin.marks and len(skin.marks[kind]) == 1:
            page.text(x, y, skin.marks[kind], 0.5 * size, ink, anchor="middle")
        elif skin.marks:
            marks.sign(page, skin.marks[kind], x, y, 0.22 * size, ink, alpha=0.7)


def _draw_cell(page: Canvas, cell: Box, colour: Colour, skin: Skin) -> None:
    size = min(cell.width, cell.height)
    paint: Paint = colour
    if skin.shade == "down":
        paint = Shade(lighter(colour, 0.15), darker(colour, 0.12))
    elif skin.shade == "round":
        paint = Shade(lighter(colour, 0.25), colour, "round")
    page.fill(cell, paint, radius=skin.radius * size, snap=skin.snap)
    if skin.shade == "bevel":
        rim = max(1.0, 0.07 * size)
        page.fill(Box(cell.x, cell.y, cell.width, rim), lighter(colour, 0.45), snap=skin.snap)
        page.fill(Box(cell.x, cell.y, rim, cell.height), lighter(colour, 0.3), snap=skin.snap)
        page.fill(Box(cell.x, cell.y + cell.height - rim, cell.width, rim), darker(colour, 0.4), snap=skin.snap)
        page.fill(Box(cell.x + cell.width - rim, cell.y, rim, cell.height), darker(colour, 0.3), snap=skin.snap)
    if skin.line is not None:
        page.fill(cell, skin.line, ring=max(0.5, 0.02 * size), radius=skin.radius * size, snap=skin.snap)


def _mark_region(page: Canvas, rng: np.random.Generator, board: Board, box: Box, pitch: tuple[float, float]) -> None:
    """Sometimes a sign shows the start cell, or a dot each cell of the player's region."""
    if rng.random() > 0.12 or board.owner is None or "same-rgb" in board.tags:
        return
    every = rng.random() < 0.4
    kind = ("dot", "star", "ring", "heart")[rng.integers(4)]
    start = (0, 0) if board.game == "flood_it" else (board.grid.shape[0] - 1, 0)
    for row, col in np.argwhere(board.owner == 1):
        if not every and (row, col) != start:
            continue
        x, y = box.x + (col + 0.5) * pitch[0], box.y + (row + 0.5) * pitch[1]
        ink = (255, 255, 255) if sum(board.palette[board.grid[row, col]]) < 420 else (20, 20, 20)
        marks.sign(page, kind, x, y, (0.1 if every else 0.22) * min(pitch), ink, alpha=0.8)


def _draw_buttons(
    page: Canvas, rng: np.random.Generator, room: Room, side: Side, pitch: float, colours: list[Colour], own: set[int],
    skin: Skin,
) -> list[Button]:  # fmt: skip
    """Draw a colour button each, in one or two lines beside the board; forbidden ones may be faded, small or gone."""
    lying = side in ("above", "below")
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
    strip = room.take(side, lines * size * (1 + share), away)
    radius = float(rng.choice([0, 0.12, 0.25, 0.5]))
    forbidden = ("plain", "faded", "small", "gone")[rng.choice(4, p=[0.45, 0.25, 0.15, 0.15])]
    order = list(range(len(colours))) if rng.random() < 0.7 else list(rng.permutation(len(colours)))
    rim = (None, (0, 0, 0), (255, 255, 255), (120, 120, 120))[rng.integers(4)]
    sparse = rng.random() < 0.3
    step = along / each if sparse and size * 1.1 < along / each else size * (1 + share)
    start = (along - step * (each - 1) - size) / 2 if rng.random() < 0.7 else 0.0
    buttons = []
    for place, kind in enumerate(order):
        first, second = start + (place % each) * step, (place // each) * size * (1 + share)
        box = (
            Box(strip.x + first, strip.y + second, size, size)
            if lying
            else Box(strip.x + second, strip.y + first, size, size)
        )
        barred = kind in own
        shrunk = barred and forbidden == "small"
        if shrunk:
            box = Box(box.x + size / 4, box.y + size / 4, size / 2, size / 2)
        visible = not (barred and forbidden == "gone")
        if visible:
            _draw_button(page, box, colours[kind], radius, 0.35 if barred and forbidden == "faded" else 1.0, rim)
            if skin.dotted and kind == skin.dotted[1]:
                page.disc(*box.centre, 0.14 * size, (0, 0, 0) if sum(colours[kind]) > 330 else (255, 255, 255))
            elif skin.marks and len(skin.marks[kind]) == 1:
                page.text(*box.centre, skin.marks[kind], 0.4 * size, (30, 30, 30), anchor="middle")
        buttons.append(Button(int(kind), pixel_box(page, box), not barred, visible))
    return buttons


def _draw_worded(
    page: Canvas, rng: np.random.Generator, strip: Box, high: float, colours: list[Colour]
) -> list[Button]:
    """Buttons with words on them in one row, all as long as the longest or each as long as its own."""
    words = [WORDS[index] for index in rng.permutation(len(WORDS))[: len(colours)]]
    gap, room = float(rng.uniform(0.05, 0.6)) * high, float(rng.uniform(0.4, 1.2)) * high
    letters = [len(word) for word in words] if rng.random() < 0.5 else [max(map(len, words))] * len(words)
    wide = [0.3 * high * count + room for count in letters]
    squeeze = min(1.0, strip.width / (sum(wide) + gap * (len(wide) - 1)))
    ink = ((0, 0, 0), (255, 255, 255))[rng.integers(2)]
    x = strip.x + max(0.0, strip.width - squeeze * (sum(wide) + gap * (len(wide) - 1))) / 2
    radius = float(rng.choice([0, 0.1, 0.25]))
    buttons = []
    for kind, (word, width) in enumerate(zip(words, wide, strict=True)):
        box = Box(x, strip.y, squeeze * width, high)
        page.fill(box, colours[kind], radius=radius * high)
        page.text(*box.centre, word, 0.4 * squeeze * high, ink, anchor="middle")
        buttons.append(Button(kind, pixel_box(page, box), True, True))
        x += squeeze * (width + gap)
    return buttons


def _draw_button(page: Canvas, box: Box, colour: Colour, radius: float, alpha: float, rim: Colour | None) -> None:
    page.fill(box, colour, radius=radius * box.width, alpha=alpha)
    if rim is not None:
        page.fill(box, rim, radius=radius * box.width, ring=max(1.0, 0.04 * box.width), alpha=alpha)
