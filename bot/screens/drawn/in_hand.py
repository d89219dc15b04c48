"""A piece that was taken from its tray on the drawn desktop: it follows the pointer or keys, turns, is laid down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor
from typing import Any

from bot.screens.drawn.boards import Layout
from bot.screens.drawn.desktop import Desk
from bot.screens.drawn.painter import Stack
from calibration.frame import Rect
from games.core import Cell, Drag, Gesture, Press, Tap
from games.polyominoes import PIECE_OF, PIECES, Shape, flipped, middle, rotated, shape_of

Move = tuple[Cell, ...]
"""The cells that a piece covers."""

TURNS = {"r": rotated, "rotate": rotated, "f": flipped, "flip": flipped}
"""The keys and buttons that turn a piece to the right, or over."""


ARROWS = {"up": (-0.5, 0.0), "down": (0.5, 0.0), "left": (0.0, -0.5), "right": (0.0, 0.5)}
"""The keys that move a piece, and by how many cells."""


RING = ((3.6, (120, 120, 120), 0.55), (2.8, (196, 200, 208), 0.55))
"""The ring round a piece that keys move and what is inside of it: reach in cells, colour, and how much it covers."""


@dataclass(frozen=True, slots=True)
class InHand:
    """A piece of `colour`, from 0: under the pointer it is held by the square nearest to its middle.

    at: where keys move it, its middle is: row and column, in cells from the board's corner.
    """

    colour: int
    shape: Shape
    at: tuple[float, float] | None = None

    @property
    def corner(self) -> tuple[float, float]:
        """The row and the column of its corner where keys move it, in cells and parts of one."""
        assert self.at is not None
        down, right = (sum(axis) / len(self.shape) + 0.5 for axis in zip(*self.shape, strict=True))
        return self.at[0] - down, self.at[1] - right

    @property
    def nearest(self) -> Move:
        """The cells nearest to where keys moved it."""
        down, right = (floor(side + 0.5) for side in self.corner)
        return tuple(Cell(row + down, col + right) for row, col in self.shape)

    def on(self, cell: Cell) -> Move:
        """What it covers where it is held over `cell`."""
        down, right = middle(self.shape)
        return tuple(Cell(cell.row + row - down, cell.col + col - right) for row, col in self.shape)


def handle(held: InHand | None, gesture: Gesture, state: Any) -> tuple[InHand | None, Move | None]:
    """What is in hand after `gesture`, and the placement that it made, if it did."""
    if isinstance(gesture, Press):
        return (None if gesture.key == "esc" else _turned(held, gesture.key)), None
    if isinstance(gesture, Drag):
        held = _taken(held, str(gesture.start).removeprefix("piece:"), state)
        return handle(held, Tap(gesture.end), state) if isinstance(gesture.end, Cell) else (held, None)
    if not isinstance(gesture, Tap):
        return held, None
    if isinstance(gesture.target, str):
        kind, _, piece = gesture.target.partition(":")
        return (_taken(held, piece, state) if kind == "piece" else _turned(held, kind)), None
    move = None if held is None else held.on(gesture.target)
    if held is None or move is None or state.refusal(held.colour, move):
        return held, None
    return None, move


def handle_keys(held: InHand | None, gesture: Gesture, state: Any) -> tuple[InHand | None, Move | None]:
    """The same where pieces are taken by their letters, moved by arrows, turned by the space bar and laid by Return.

    A letter that several pieces have takes them in turn.
    """
    if not isinstance(gesture, Press):
        return held, None
    if gesture.key in ARROWS and held is not None and held.at is not None:
        at = (place + step for place, step in zip(held.at, ARROWS[gesture.key], strict=True))
        row, col = (min(max(place, 0.0), float(state.board.side)) for place in at)
        return replace(held, at=(row, col)), None
    if gesture.key == "space" and held is not None:
        forms = PIECES[PIECE_OF[held.shape]].forms
        return replace(held, shape=forms[(forms.index(held.shape) + 1) % len(forms)]), None
    if gesture.key == "enter" and held is not None:
        move = held.nearest
        return (held, None) if state.refusal(held.colour, move) else (None, move)
    if gesture.key == "esc":
        return None, None
    return _named(held, gesture.key, state), None


def _named(held: InHand | None, letter: str, state: Any) -> InHand | None:
    """The next piece of that letter after the one in hand, in its place or in the middle of the board."""
    numbers = [number for number in state.left[state.colour] if PIECES[number].name.lower().startswith(letter)]
    if not numbers:
        return held
    before = None if held is None else PIECE_OF[held.shape]
    after = (numbers.index(before) + 1) % len(numbers) if before in numbers else 0
    middle_of_board = (state.board.side / 2, state.board.side / 2)
    return InHand(state.colour, PIECES[numbers[after]].forms[0], middle_of_board if held is None else held.at)


def _taken(held: InHand | None, piece: str, state: Any) -> InHand | None:
    """The piece ``COLOUR,NAME``, with colours from 1, where it may be taken; else, or again, what was held before."""
    colour, _, name = piece.partition(",")
    found = next((number for number in state.left[state.colour] if PIECES[number].name == name), None)
    if found is None or int(colour) != state.colour + 1:
        return held
    if held is not None and PIECE_OF[shape_of(held.shape)] == found:
        return held
    return InHand(state.colour, PIECES[found].forms[0])


def _turned(held: InHand | None, by: str) -> InHand | None:
    if held is None or by not in TURNS:
        return held
    return replace(held, shape=TURNS[by](held.shape))


def paint_ringed(desk: Desk, layout: Layout, held: InHand, square: Stack) -> None:
    """A piece that keys move, inside a ring that lies over the board like frosted glass; square: what it is made of."""
    assert held.at is not None
    board, pitch = layout.board, layout.board.width / layout.cols
    x, y = (start + pitch * place for start, place in zip(board[:2], held.at[::-1], strict=True))
    for reach, paint, alpha in RING:
        desk.disc(*desk.at(Rect(x, y, 0, 0))[:2], reach * pitch, paint, alpha=alpha)
    top, left = held.corner
    for row, col in held.shape:
        place = Rect(board.x + (left + col) * pitch, board.y + (top + row) * pitch, pitch, pitch)
        for face in square:
            face.paint_on(desk, desk.at(place))
