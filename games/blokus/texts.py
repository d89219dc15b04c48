"""Texts of Blokus: points such as ``e10``, placements such as ``e8,d9,e9,f9,e10``, and games of them."""

from __future__ import annotations

import re

from games.blokus.board import BlokusBoard, Move
from games.blokus.position import Blokus, empty
from games.core import Cell, IllegalMoveError, PositionError

COLUMNS = "abcdefghijklmnopqrst"
"""The letters of columns 0, 1, ... in texts."""

FORCED = "-"
"""The text of a turn that a colour had to let pass."""

MOST_TURNS = 400
"""More turns than a game can have: 84 placements, and passes of three colours beside each."""

POINT = re.compile(r"([a-t])([1-9]|1[0-9]|20)", re.ASCII)
"""A point of a text: a column's letter and a row's number, counted from the bottom."""


def format_move(move: Move, board: BlokusBoard) -> str:
    """The points from the lowest rank up, from the left in each; ``-`` for a pass."""
    ordered = sorted(move, key=lambda cell: (-cell.row, cell.col))
    return ",".join(f"{COLUMNS[col]}{board.side - row}" for row, col in ordered) or FORCED


def parse_points(text: str, board: BlokusBoard) -> Move:
    """The cells of a point list in any order; raises PositionError."""
    cells = []
    for word in text.strip().lower().split(","):
        point = POINT.fullmatch(word.strip())
        cell = Cell(board.side - int(point[2]), COLUMNS.index(point[1])) if point else None
        if cell is None or not board.holds(cell):
            last = f"{COLUMNS[board.side - 1]}{board.side}"
            raise PositionError(f"{word!r} is no point from a1 to {last}: write a placement such as 'a1,b1,b2'")
        cells.append(cell)
    if len(set(cells)) != len(cells):
        raise PositionError(f"{text.strip()!r} names a point twice")
    return tuple(sorted(cells))


def parse_game(text: str, board: BlokusBoard) -> Blokus:
    """The position after the placements of `text`, colour after colour; raises PositionError.

    ``-`` lets a colour pass, which must have no placement in the position the text ends with; a colour that has none
    may also be left out.
    """
    words = text.split()
    if len(words) > MOST_TURNS:
        raise PositionError(f"{len(words)} turns are more than a game has ({MOST_TURNS})")
    state, turn, passed = empty(board), 0, set[int]()
    for number, word in enumerate(words, 1):
        colour = turn % board.colours
        if word == FORCED:
            passed.add(colour)
            turn += 1
            continue
        rest = [turn + step for step in range(board.colours)]
        turn = next((later for later in rest if _waits(state, later % board.colours, passed)), turn)
        try:
            state = state.placed(turn % board.colours, parse_points(word, board))
        except (PositionError, IllegalMoveError) as error:
            raise PositionError(f"turn {number} of the game, {word!r}: {error}") from error
        turn += 1
    for colour in passed:
        if state.active[colour]:
            raise PositionError(f"colour {colour + 1} passed, but it can still place a piece")
    return state


def _waits(state: Blokus, colour: int, passed: set[int]) -> bool:
    return state.active[colour] and colour not in passed


def format_game(state: Blokus) -> str:
    """The placements of one order that leads to `state`."""
    return " ".join(format_move(move, state.board) for move in state.moves)
