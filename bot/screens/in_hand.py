"""A piece that was taken from its tray on the drawn desktop: it follows the pointer, turns, and is laid down."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.blokus import Blokus, Move
from games.blokus.pieces import PIECE_OF, PIECES, Shape, flipped, middle, rotated, shape_of
from games.core import Cell, Drag, Gesture, Press, Tap

TURNS = {"r": rotated, "rotate": rotated, "f": flipped, "flip": flipped}
"""The keys and buttons that turn a piece to the right, or over."""


@dataclass(frozen=True, slots=True)
class InHand:
    """A piece of `colour`, from 0, held by the square nearest to its middle."""

    colour: int
    shape: Shape

    def on(self, cell: Cell) -> Move:
        """What it covers where it is held over `cell`."""
        down, right = middle(self.shape)
        return tuple(Cell(cell.row + row - down, cell.col + col - right) for row, col in self.shape)


def handle(held: InHand | None, gesture: Gesture, state: Blokus) -> tuple[InHand | None, Move | None]:
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


def _taken(held: InHand | None, piece: str, state: Blokus) -> InHand | None:
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
