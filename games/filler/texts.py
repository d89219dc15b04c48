"""Filler's positions as texts: what follows the rows of colour digits."""

from __future__ import annotations

from typing import Any

from games.core import Cell, Grid, PositionError
from games.filler.rules import Filler, Territory, owner_of

LONGEST_NUMBER = 10
"""Characters of a number of moves, and of a start, at most."""


def parse_words(words: list[str], grid: Grid) -> dict[str, Any]:
    """The arguments of `position` that the words behind the rows say."""
    found: dict[str, Any] = {}
    corners = [_parse_corner(word) for word in words if word.startswith("@")]
    for word in words:
        if word in ("1", "2"):
            found["player"] = int(word) - 1
        elif word.startswith("+") and word[1:].isdecimal() and len(word) <= LONGEST_NUMBER:
            found["idle"] = int(word[1:])
        elif word.startswith("="):
            found["territories"] = _parse_owners(word[1:], grid)
        elif not word.startswith("@"):
            raise PositionError(f"{word!r} is no part of a Filler position: write the player to move, 1 or 2")
    if corners:
        if len(corners) != 2:
            raise PositionError(f"{len(corners)} start is given: write player 1's and player 2's, ' @r,c @r,c'")
        found["starts"] = (corners[0], corners[1])
    return found


def _parse_corner(text: str) -> Cell:
    row, comma, col = text[1:].partition(",")
    if not comma or not row.isdecimal() or not col.isdecimal() or len(text) > LONGEST_NUMBER:
        raise PositionError(f"{text[:LONGEST_NUMBER]!r} is no start: write '@' row ',' column, both from 0")
    return Cell(int(row), int(col))


def format_owners(state: Filler) -> str:
    """Rows of 1, 2 and . for each cell's owner."""
    letters = ".12"
    return "/".join(
        "".join(letters[owner_of(Cell(row, col), state.territories)] for col in range(len(kinds)))
        for row, kinds in enumerate(state.grid)
    )


def _parse_owners(text: str, grid: Grid) -> tuple[Territory, Territory]:
    rows = text.split("/")
    if [len(row) for row in rows] != [len(row) for row in grid] or set("".join(rows)) - set(".12"):
        raise PositionError(f"{text!r} does not name the owners: write '.', '1' or '2' for every cell of the board")
    first, second = (
        frozenset(Cell(row, col) for row, line in enumerate(rows) for col, letter in enumerate(line) if letter == digit)
        for digit in "12"
    )
    return first, second
