"""How each game is drawn on the drawn desktop, and where its cells, grooves, buttons and pieces lie."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.screens.drawn.desktop import CANDY, HEADER, MARGIN, TITLE_BAR, Desk, Skin, inset
from bot.screens.drawn.painter import Extent, Face, Lines, Rim, Stack, Style, mix, paint_cells, paint_ground
from calibration.board import Colour
from calibration.canvas import Paint, Shade
from calibration.frame import Rect, Spot
from calibration.looks.grooves.walls import walls_in
from games.core import BLOCKED, Cell, Game, Observation, SettingsError, Target
from games.polyominoes import PIECES, groups_in, shape_of

BUTTON = 40.0
BUTTON_GAP = 12.0
MOST_BUTTONS = 10

BITS = {21: 12.0, 42: 10.0}
"""The side of a square of a piece in its tray, by how many pieces are in it at first."""

APART = 4.0
"""What is left free between the places of pieces in a tray."""

WOOD: tuple[Colour, ...] = ((206, 166, 118), (112, 76, 50), (250, 244, 230), (38, 34, 36))
"""The cells of a Quoridor board, its grooves, and the two pawns."""

WALL: Colour = (238, 196, 70)

GROOVE = 0.2
"""The part of the pitch that a groove takes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a game's window and everything in it lie on the desktop, in pointer units.

    window: with its title bar.  board: the outer edges of the cells' pitch squares, `rows` x `cols` of them.
    gap: what a drawn cell leaves free of its square.  controls: the rectangle of each named control.
    grooves: whether walls are laid in the gaps, which then are places of the game's grid.
    """

    window: Rect
    board: Rect
    rows: int
    cols: int
    gap: float = 0.0
    controls: Mapping[str, Rect] = field(default_factory=dict)
    grooves: bool = False

    def square(self, cell: Cell) -> Rect:
        """The part of the board that is the cell's own, its share of the gap included."""
        width, height = self.board.width / self.cols, self.board.height / self.rows
        return Rect(self.board.x + cell.col * width, self.board.y + cell.row * height, width, height)

    def cell(self, cell: Cell) -> Rect:
        """The cell as drawn."""
        return inset(self.square(cell), self.gap / 2)

    def place(self, row: int, col: int) -> Rect:
        """A place of the game's grid as drawn: a cell, or, on a board with grooves, what lies between two or four."""
        if not self.grooves:
            return self.cell(Cell(row, col))
        cell = self.cell(Cell(row // 2, col // 2))
        x, width = (cell.x + cell.width, self.gap) if col % 2 else (cell.x, cell.width)
        y, height = (cell.y + cell.height, self.gap) if row % 2 else (cell.y, cell.height)
        return Rect(x, y, width, height)

    def extent(self, desk: Desk) -> Extent:
        """Where the cells lie on the sheet of the desktop."""
        x, y, width, height = desk.at(self.board)
        return Extent(x, y, width / self.cols, height / self.rows, self.rows, self.cols)

    def target(self, spot: Spot) -> Target | None:
        """The cell, the wall or the control drawn at `spot`, or None."""
        for name, rect in self.controls.items():
            if rect.contains(spot):
                return name
        if not self.board.contains(spot):
            return None
        row = int((spot.y - self.board.y) * self.rows / self.board.height)
        col = int((spot.x - self.board.x) * self.cols / self.board.width)
        cell = Cell(min(row, self.rows - 1), min(col, self.cols - 1))
        if self.cell(cell).contains(spot):
            return cell
        return self._wall(cell, spot) if self.grooves else None

    def _wall(self, cell: Cell, spot: Spot) -> str | None:
        """The wall that begins in the groove at `spot` beside `cell`; at its last piece the one before."""
        drawn = self.cell(cell)
        row = 2 * cell.row + (spot.y >= drawn.y + drawn.height) - (spot.y < drawn.y)
        col = 2 * cell.col + (spot.x >= drawn.x + drawn.width) - (spot.x < drawn.x)
        if not (0 <= row < 2 * self.rows - 1 and 0 <= col < 2 * self.cols - 1):
            return None
        way = "h" if row % 2 else "v"
        return f"wall:{way},{min(row // 2, self.rows - 2)},{min(col // 2, self.cols - 2)}"


@dataclass(frozen=True, slots=True)
class Painter(ABC):
    """How one game is drawn: usually cells without grooves, told by their colours, and nothing beside them.

    title: the game's name in its window.  how: in which of its game's ways moves are made here, "" for the usual one.
    seen_as: the look by which `calibration` reads it.  pitch: units from cell to cell, where there is room.
    groove: the part of the pitch that lies between cells for walls, 0 where there are none.
    """

    title: str
    how: str = ""
    seen_as: str = "coloured"
    pitch: float = 34.0
    groove: float = 0.0

    def controls(self, observation: Observation, skin: Skin) -> list[str]:
        """The named controls this game shows below its board, from the left."""
        return []

    def trays(self, observation: Observation) -> tuple[list[str], list[str]]:
        """The named pieces that wait left and right of the board."""
        return [], []

    @abstractmethod
    def palette(self, observation: Observation, skin: Skin) -> tuple[Colour, ...]:
        """The colour of each kind of cell."""

    @abstractmethod
    def paint(self, desk: Desk, layout: Layout, observation: Observation, skin: Skin) -> None:
        """Draw the board and its controls, but for those that bear their names."""


@dataclass(frozen=True, slots=True)
class ColouredCells(Painter):
    """A game whose cells are filled with the colour of their kind, with a button for each colour."""

    def controls(self, observation: Observation, skin: Skin) -> list[str]:
        """A button for each colour, where the skin has buttons."""
        return [f"colour:{colour}" for colour in range(observation.numbers["colours"])] if skin.buttons else []

    def palette(self, observation: Observation, skin: Skin) -> tuple[Colour, ...]:
        """As many of the skin's colours as the game has."""
        return skin.palette[: observation.numbers["colours"]]

    def paint(self, desk: Desk, layout: Layout, observation: Observation, skin: Skin) -> None:
        """The cells, then the buttons."""
        paint_board(desk, layout, _tiles(layout, skin, skin.palette), observation.grid)
        for name, rect in layout.controls.items():
            if name.startswith("colour:"):
                colour = skin.palette[int(name.partition(":")[2])]
                desk.paint(rect, colour, radius=rect.width * (0.5 if skin.disc else 0.12))


@dataclass(frozen=True, slots=True)
class Discs(Painter):
    """A game of discs in the round holes of a blue board; skins dress only the page."""

    def palette(self, observation: Observation, skin: Skin) -> tuple[Colour, ...]:
        """The page, which shows through empty holes, red and yellow, then green and blue."""
        players = max(2, int(observation.grid.max()))
        return (skin.page, CANDY[0], CANDY[3], CANDY[1], CANDY[5])[: 1 + players]

    def paint(self, desk: Desk, layout: Layout, observation: Observation, skin: Skin) -> None:
        """The board, then its holes."""
        gap = 6 * layout.cols / layout.board.width
        colours = enumerate(self.palette(observation, skin))
        holes = {kind: (Face(colour, gap=gap, radius=0.5),) for kind, colour in colours}
        paint_board(desk, layout, Style(holes, rim=Rim((38, 92, 178), 6, 8)), observation.grid)


@dataclass(frozen=True, slots=True)
class Stones(Painter):
    """A green board with lines, and dark and light stones between them; skins dress only the page."""

    def palette(self, observation: Observation, skin: Skin) -> tuple[Colour, ...]:
        """The board, the first player's stones and the second's."""
        return ((58, 140, 92), (28, 30, 34), (244, 244, 240))

    def paint(self, desk: Desk, layout: Layout, observation: Observation, skin: Skin) -> None:
        """The board with its lines, then the stones."""
        ground, *players = self.palette(observation, skin)
        stones = {kind: (Face(colour, gap=0.2, radius=0.5),) for kind, colour in enumerate(players, 1)}
        dark = mix(ground, players[0], 0.6)
        style = Style({0: (), **stones}, ground=ground, rim=Rim(dark, 4), lines=Lines(dark))
        paint_board(desk, layout, style, observation.grid)


@dataclass(frozen=True, slots=True)
class Squares(Painter):
    """A board of squares between the trays of its colours, and buttons that turn the piece in hand.

    Skins dress the squares as they dress coloured cells.
    """

    def controls(self, observation: Observation, skin: Skin) -> list[str]:
        """The two turns."""
        return ["rotate", "flip"]

    def trays(self, observation: Observation) -> tuple[list[str], list[str]]:
        """All pieces of the first colour, and of a third one, on the left; the others' on the right."""
        sides: tuple[list[str], list[str]] = ([], [])
        for colour in range(observation.numbers["colours"]):
            sides[colour % 2].extend(f"piece:{colour + 1},{piece.name}" for piece in PIECES)
        return sides

    def palette(self, observation: Observation, skin: Skin) -> tuple[Colour, ...]:
        """The empty square, then the players in the order of the boxed game: blue, yellow, red, green."""
        red, green, blue, yellow = skin.palette[:4]
        return ((196, 200, 208), blue, yellow, red, green)

    def paint(self, desk: Desk, layout: Layout, observation: Observation, skin: Skin) -> None:
        """The squares and the pieces that wait."""
        colours = self.palette(observation, skin)
        paint_board(desk, layout, _tiles(layout, skin, colours), observation.grid)
        laid = {(kind, shape_of(group)) for kind, group in groups_in(observation.grid)}
        for name, rect in layout.controls.items():
            if not name.startswith("piece:"):
                continue
            number, _, piece = name.removeprefix("piece:").partition(",")
            forms = next(each.forms for each in PIECES if each.name == piece)
            if not any((int(number), form) in laid for form in forms):
                side = rect.width / 5
                for row, col in forms[0]:
                    bit = Rect(rect.x + side * col, rect.y + side * row, side, side)
                    desk.paint(inset(bit, 1), colours[int(number)])


@dataclass(frozen=True, slots=True)
class Court(Painter):
    """A wooden board of cells with grooves between them, two pawns and walls; skins dress only the page."""

    seen_as: str = "grooves"
    pitch: float = 50.0
    groove: float = GROOVE

    def palette(self, observation: Observation, skin: Skin) -> tuple[Colour, ...]:
        """The cells, the grooves, the first player's pawn and the second's."""
        return WOOD

    def paint(self, desk: Desk, layout: Layout, observation: Observation, skin: Skin) -> None:
        """The board, its cells, the walls and the pawns."""
        bare, ground, *pawns = self.palette(observation, skin)
        cell = Face(bare, gap=GROOVE, radius=3 / (layout.board.width / layout.cols - layout.gap))
        discs = {kind: (Face(pawn, gap=1 - 0.68 * (1 - GROOVE), radius=0.5),) for kind, pawn in enumerate(pawns, 1)}
        style = Style(discs, rim=Rim(ground, layout.gap / 2, 6), bare=((cell,), (cell,)))
        paint_board(desk, layout, style, observation.grid[::2, ::2])
        for wall in walls_in(observation.grid):
            desk.fill(layout.extent(desk).wall(wall, GROOVE), WALL)


PAINTERS: dict[str, type[Painter]] = {
    "coloured": ColouredCells,
    "discs": Discs,
    "stones": Stones,
    "squares": Squares,
    "grooves": Court,
}
"""How a game says that its boards are drawn -> what draws them."""


def paint_board(desk: Desk, layout: Layout, style: Style, grid: NDArray[np.int8]) -> None:
    """A board where it lies on the desktop; grid: int8[rows, cols], the kind of each cell."""
    extent = layout.extent(desk)
    paint_ground(desk, extent, style)
    paint_cells(desk, extent, style, grid)


def tile(layout: Layout, colour: Colour, skin: Skin) -> Stack:
    """A cell as `skin` dresses it."""
    face: Paint = colour
    if skin.shade:
        face = Shade(mix(colour, (255, 255, 255), skin.shade / 2), mix(colour, (0, 0, 0), skin.shade / 2))
    gap = layout.gap * layout.cols / layout.board.width
    edge = () if skin.edge is None else (Face(skin.edge, gap, skin.radius, ring=1.0),)
    return (Face(face, gap, skin.radius), *edge)


def _tiles(layout: Layout, skin: Skin, colours: Sequence[Colour]) -> Style:
    """Cells in those colours; the page shows where there are none."""
    kinds = {kind: tile(layout, colour, skin) for kind, colour in enumerate(colours)}
    if not skin.gap:
        return Style(kinds)
    return Style(kinds | {BLOCKED: (Face(skin.page),)}, rim=Rim(skin.board, skin.gap))


def find_painter(game: Game[Any, Any]) -> Painter:
    """How `game` is drawn; raises SettingsError where its boards are drawn in a way that this screen does not know."""
    try:
        return PAINTERS[game.drawn](game.title)
    except KeyError:
        raise SettingsError(
            f"nothing draws {game.drawn!r} here, as {game.title} is; choose: {', '.join(PAINTERS)}"
        ) from None


def cells_of(painter: Painter, observation: Observation) -> tuple[int, int]:
    """The rows and columns of cells on the board: every second place of a grid with grooves."""
    rows, cols = observation.grid.shape
    return ((rows + 1) // 2, (cols + 1) // 2) if painter.groove else (rows, cols)


def lay_out(
    painter: Painter, observation: Observation, skin: Skin, corner: Spot, cell: float, *, more: Sequence[str] = ()
) -> Layout:
    """The layout of a window whose top left corner is `corner`, with cells every `cell` units.

    more: controls beside those of the painter.
    """
    rows, cols = cells_of(painter, observation)
    names, trays = [*painter.controls(observation, skin), *more], painter.trays(observation)
    lines = -(-len(names) // MOST_BUTTONS)
    buttons = min(len(names), MOST_BUTTONS) * (BUTTON + BUTTON_GAP) - BUTTON_GAP if names else 0.0
    beside = [_columns(tray, rows * cell) * _slot(tray) + MARGIN if tray else 0.0 for tray in trays]
    width = max(cols * cell + sum(beside), buttons, 240.0) + 2 * MARGIN
    foot = lines * (BUTTON + BUTTON_GAP) - BUTTON_GAP + MARGIN if names else 0.0
    window = Rect(corner.x, corner.y, width, TITLE_BAR + HEADER + rows * cell + MARGIN + foot)
    left = corner.x + (width - sum(beside) - cols * cell) / 2 + beside[0]
    board = Rect(left, corner.y + TITLE_BAR + HEADER, cols * cell, rows * cell)
    start = corner.x + (width - buttons) / 2
    top = board.y + board.height + MARGIN
    controls = {}
    for index, name in enumerate(names):
        line, place = divmod(index, MOST_BUTTONS)
        step = BUTTON + BUTTON_GAP
        controls[name] = Rect(start + place * step, top + line * step, BUTTON, BUTTON)
    for tray, x in zip(trays, (board.x - beside[0], board.x + board.width + MARGIN), strict=True):
        controls |= _in_tray(tray, Spot(x, board.y), board.height)
    gap = painter.groove * cell if painter.groove else skin.gap
    return Layout(window, board, rows, cols, gap, controls, grooves=painter.groove > 0)


def _slot(tray: Sequence[str]) -> float:
    """The room of each piece in its tray: the longest is five squares long."""
    return 5 * BITS[len(tray)] + APART


def _columns(tray: Sequence[str], height: float) -> int:
    """How many columns of pieces a tray of this height has."""
    return -(-len(tray) // max(1, int(height // _slot(tray))))


def _in_tray(tray: Sequence[str], corner: Spot, height: float) -> dict[str, Rect]:
    """The place of each piece of a tray whose top left corner is `corner`."""
    if not tray:
        return {}
    step, across = _slot(tray), _columns(tray, height)
    places = (divmod(index, across) for index in range(len(tray)))
    return {
        name: Rect(corner.x + col * step, corner.y + row * step, step - APART, step - APART)
        for name, (row, col) in zip(tray, places, strict=True)
    }


def paint_game(
    desk: Desk, painter: Painter, layout: Layout, observation: Observation, *, skin: Skin, status: str
) -> None:
    """What is in a game's window: its name, `status` on the right, the board and the controls."""
    window = layout.window
    middle = window.y + TITLE_BAR + HEADER / 2
    desk.write(Spot(window.x + MARGIN, middle), painter.title, 22, skin.ink)
    desk.write(Spot(window.x + window.width - MARGIN, middle), status, 14, skin.ink, anchor="right")
    painter.paint(desk, layout, observation, skin)
    for name, rect in layout.controls.items():
        if ":" not in name:
            desk.paint(rect, skin.board, radius=4)
            desk.write(rect.centre, name, 11, skin.ink, anchor="middle")
