"""Flood-It: recolour the region at the start corner until the whole board has one colour.

Cells hang together by their edges; what some pages do otherwise are words of a variant, joined by ``+`` (``--variant
wraps``): ``wraps``: cells at opposite edges of the board are neighbours; ``corners``: cells that share a corner are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core import (
    BLOCKED,
    Cell,
    Game,
    Grid,
    IllegalMoveError,
    Observation,
    Options,
    Outcome,
    PositionError,
    SettingsError,
    Tap,
    UnreadableError,
    chosen_way,
)
from games.flood import (
    DIGITS,
    JOINED,
    as_grid,
    cells_of,
    corners_of,
    enclosed,
    format_grid,
    neighbours,
    owners,
    paint,
    parse_colour,
    parse_grid,
    recoloured,
    region,
    start_in,
)

SIZES = range(2, 65)
"""Rows and columns that boards may have: up to far more than any page shows."""

VARIANTS = ("", *JOINED, "+".join(JOINED))
"""Each set of neighbours that a page may have."""

COLOURS = range(2, 11)
"""How many colours there may be: fewer leave nothing to flood."""


@dataclass(frozen=True, slots=True)
class FloodIt:
    """A Flood-It position.

    grid: the colour of each cell from 0, or BLOCKED for a wall.
    start: the corner whose region the player recolours.
    colours: how many colours may be chosen.
    left: how many moves may still be made, None without a limit.
    joined: which cells are neighbours besides those that share an edge, as words of `games.flood.JOINED`.
    """

    grid: Grid
    start: Cell
    colours: int
    left: int | None = None
    joined: str = ""

    @property
    def player(self) -> int:
        """Always 0: one player."""
        return 0

    @property
    def colour(self) -> int:
        """The colour of the flooded region."""
        return self.grid[self.start.row][self.start.col]

    def flooded(self) -> frozenset[Cell]:
        """The cells of the player's region."""
        return region(self.grid, self.start, self.joined)

    def legal_moves(self) -> Sequence[int]:
        """Every colour but the region's own, in ascending order."""
        if self.outcome() is not None:
            return ()
        return tuple(colour for colour in range(self.colours) if colour != self.colour)

    def play(self, move: int) -> FloodIt:
        """The position after the region took colour `move`; raises IllegalMoveError."""
        if move not in self.legal_moves():
            raise IllegalMoveError(self._why_illegal(move))
        grid = paint(self.grid, self.flooded(), move)
        return replace(self, grid=grid, left=None if self.left is None else self.left - 1)

    def outcome(self) -> Outcome | None:
        """Won when every cell that can be reached from the start has one colour; lost when no move is left.

        Cells that walls cut off from the start count for nothing.
        """
        if enclosed(self.grid, self.flooded(), self.joined):
            return Outcome((1.0,), 0, "the board is flooded")
        if self.left is not None and self.left <= 0:
            return Outcome((0.0,), None, "no move is left")
        return None

    def _why_illegal(self, move: int) -> str:
        ended = self.outcome()
        if ended is not None:
            return f"the game is over: {ended.reason}"
        if move == self.colour:
            return f"the region has colour {DIGITS[move]} already: choose another"
        return f"{move} is no colour here: choose one of 0 to {self.colours - 1}"


class FloodItGame(Game[FloodIt, int]):
    """The rules of Flood-It, as every room of Boardsight uses them."""

    name = "flood_it"
    hidden = True
    title = "Flood-It"
    players = 1
    ways = ("colour", "cell")
    drawn = "coloured"
    small = Options(6, 6, colours=4)
    demo = Options(limit=25)
    demo_seconds = 0.0
    variants = (
        Options(4, 5, colours=4, limit=9),
        Options(2, 2, colours=2),
        *(Options(4, 5, colours=4, variant=joined) for joined in VARIANTS[1:]),
    )
    solver = "anytime"

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> FloodIt:
        """A board of uniformly random colours, 14x14 with 6 colours unless `options` say otherwise.

        Raises SettingsError.
        """
        rows = 14 if options.rows is None else options.rows
        cols = rows if options.cols is None else options.cols
        colours = 6 if options.colours is None else options.colours
        joined = _joined(options.variant)
        if rows not in SIZES or cols not in SIZES:
            raise SettingsError(f"a board of {rows}x{cols} is no Flood-It board: each side has 2 to 64 cells")
        if colours not in COLOURS:
            raise SettingsError(f"Flood-It is played with 2 to 10 colours, not {colours}")
        cells = rng.integers(0, colours, size=(rows, cols))
        grid = tuple(tuple(int(kind) for kind in row) for row in cells)
        return FloodIt(grid, Cell(0, 0), colours, options.limit, joined)

    def show(self, state: FloodIt) -> Observation:
        """The grid, and the numbers ``colours``, ``start_row``, ``start_col`` and, with a limit, ``left``.

        And 1 for each word of the variant, such as ``wraps``.
        """
        numbers = {"colours": state.colours, **self.habits(state)}
        if state.left is not None:
            numbers["left"] = state.left
        return Observation.certain(state.grid, numbers)

    def read(self, observation: Observation, before: FloodIt | None = None, seat: int | None = None) -> FloodIt:
        """The position in `observation`; `before` or one move from it where `before` is given.

        Raises UnreadableError for unread cells and for a change that no move explains.
        """
        unread = observation.unread()
        if unread:
            raise UnreadableError(
                f"{len(unread)} of {observation.grid.size} cells have no known colour, "
                f"the first at row {unread[0].row}, col {unread[0].col}"
            )
        grid = as_grid(observation.grid)
        if before is not None:
            return _successor(grid, before)
        numbers = observation.numbers
        likely = _likely_start(grid)
        start = Cell(numbers.get("start_row", likely.row), numbers.get("start_col", likely.col))
        colours = numbers.get("colours", max(map(max, grid)) + 1)
        joined = "+".join(word for word in JOINED if numbers.get(word))
        return _checked(FloodIt(grid, start, colours, numbers.get("left"), joined))

    def otherwise(self, before: FloodIt, observation: Observation) -> Sequence[FloodIt]:
        """The position with its start where the one region lies that changed."""
        changed = recoloured(before.grid, as_grid(observation.grid), before.joined)
        return [replace(before, start=start_in(before.grid, changed[0]))] if len(changed) == 1 else []

    def starts(self, state: FloodIt) -> Sequence[FloodIt]:
        """The start in each corner."""
        places = [corner for corner in corners_of(state.grid) if state.grid[corner.row][corner.col] != BLOCKED]
        return tuple(dict.fromkeys((state, *(replace(state, start=corner) for corner in places))))

    def ruled_otherwise(self, before: FloodIt) -> Sequence[FloodIt]:
        """The position where other cells are neighbours."""
        return [replace(before, joined=joined) for joined in VARIANTS if joined != before.joined]

    def without(self, state: FloodIt, move: int) -> FloodIt:
        """`state` with walls where it shows that colour, which is none."""
        grid = (tuple(BLOCKED if kind == move else kind for kind in row) for row in state.grid)
        return replace(state, grid=tuple(grid))

    def estimate(self, state: FloodIt) -> float:
        """The part of the cells that is flooded."""
        return len(state.flooded()) / (len(state.grid) * len(state.grid[0]))

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Nothing: a deal may have any colour anywhere."""
        return ""

    def gestures(self, state: FloodIt, move: int, how: str = "") -> Sequence[Tap]:
        """One tap: the colour's button, or any cell of that colour (those that touch the region first).

        colour: the button, where the screen has one.  cell: a cell all the same.
        """
        flooded = state.flooded()
        wanted = [cell for cell in cells_of(state.grid, move) if cell not in flooded]
        wanted.sort(key=lambda cell: flooded.isdisjoint(neighbours(state.grid, cell, state.joined)))
        if chosen_way(self.ways, how) == "cell" and wanted:
            return (Tap(wanted[0], tuple(wanted)),)
        return (Tap(f"colour:{move}", tuple(wanted)),)

    def marks(self, state: FloodIt) -> dict[str, Any]:
        """``owner``: 1 for the flooded cells.  ``current``: the colour that is barred.  ``starts``: the corner."""
        flooded = owners(state.grid, state.flooded())
        return {"owner": flooded, "current": [state.colour], "starts": [list(state.start)]}

    def usual_limits(self, state: FloodIt) -> Collection[int]:
        """25 on 14x14 cells with 6 colours, as most pages and programs allow, and in proportion.

        Of the colours that the board shows, and of those that the page has: a small board may lack one.
        """
        seen = len({kind for row in state.grid for kind in row} - {BLOCKED})
        sides = len(state.grid) + len(state.grid[0])
        return {25 * sides * colours // (28 * 6) for colours in (seen, state.colours)}

    def numbers(self, options: Options) -> dict[str, int]:
        """``left``, where the moves are limited: so many before the first one; the words of the variant."""
        left = {} if options.limit is None else {"left": options.limit}
        return left | {word: 1 for word in _joined(options.variant).split("+") if word}

    def habits(self, state: FloodIt) -> dict[str, int]:
        """Where it starts, and the words of the variant."""
        words = {word: 1 for word in state.joined.split("+") if word}
        return {"start_row": state.start.row, "start_col": state.start.col, **words}

    def options(self, state: FloodIt) -> Options:
        """The size, the colours, the variant and the moves left."""
        size = Options(rows=len(state.grid), cols=len(state.grid[0]), colours=state.colours)
        return replace(size, limit=state.left, variant=state.joined or None)

    def parse(self, text: str, options: Options = Options()) -> FloodIt:
        """The position of a text such as ``012/210/000 @0,2``; raises PositionError.

        The colours are as many as `options` say, or as the largest digit needs (at least 2).

        >>> GAME.parse("01/10 @1,1").legal_moves()
        (1,)
        """
        board, _, corner = text.strip().partition(" @")
        if not board:
            raise PositionError("Flood-It has no fixed start position: write the board's rows of colour digits")
        grid = parse_grid(board)
        colours = max(2, max(map(max, grid)) + 1) if options.colours is None else options.colours
        start = _parse_corner(corner) if corner else Cell(0, 0)
        return _checked(FloodIt(grid, start, colours, options.limit, _joined(options.variant)))

    def format(self, state: FloodIt) -> str:
        """The rows of colour digits, and the start where it is not the top left cell."""
        corner = "" if state.start == Cell(0, 0) else f" @{state.start.row},{state.start.col}"
        return format_grid(state.grid) + corner

    def parse_move(self, text: str, state: FloodIt) -> int:
        """The colour a digit names, if it may be played; raises PositionError or IllegalMoveError."""
        move = parse_colour(text.strip(), state.colours)
        if move not in state.legal_moves():
            raise IllegalMoveError(state._why_illegal(move))
        return move

    def format_move(self, move: int, state: FloodIt) -> str:
        """The digit of a colour."""
        return DIGITS[move]


def _joined(variant: str | None) -> str:
    """The words of a variant in their order; raises SettingsError for one that is not known."""
    words = set(variant.split("+")) if variant else set()
    if strange := sorted(words.difference(JOINED)):
        raise SettingsError(f"Flood-It has no variant {strange[0]!r}; join words of: {', '.join(JOINED)}")
    return "+".join(word for word in JOINED if word in words)


def _likely_start(grid: Grid) -> Cell:
    """The top left cell, or where that is a wall another corner, or the first cell that is none."""
    cells = (Cell(row, col) for row in range(len(grid)) for col in range(len(grid[0])))
    return next((each for each in chain(corners_of(grid), cells) if grid[each.row][each.col] != BLOCKED), Cell(0, 0))


def _checked(state: FloodIt) -> FloodIt:
    rows, cols = len(state.grid), len(state.grid[0])
    if rows not in SIZES or cols not in SIZES:
        raise PositionError(f"a board of {rows}x{cols} is no Flood-It board: each side has 2 to 64 cells")
    if not 2 <= state.colours <= len(DIGITS) or max(map(max, state.grid)) >= state.colours:
        raise PositionError(
            f"the board shows colour {max(map(max, state.grid))} where {state.colours} colours are set "
            f"(from 2 to {len(DIGITS)} can be)"
        )
    if state.start.row not in range(rows) or state.start.col not in range(cols):
        raise PositionError(f"the start {state.start.row},{state.start.col} is not on the {rows}x{cols} board")
    if state.colour == BLOCKED:
        raise PositionError(
            f"the start {state.start.row},{state.start.col} is a wall: name a playable cell with ' @r,c'"
        )
    return state


LONGEST_CORNER = 10
"""Letters of a start at most: the largest board's are 63,63, and numbers of 5,000 digits are none of Python's."""


def _parse_corner(text: str) -> Cell:
    row, comma, col = text.partition(",")
    if not comma or not row.isdecimal() or not col.isdecimal() or len(text) > LONGEST_CORNER:
        raise PositionError(f"'@{text[:LONGEST_CORNER]}' is no start: write '@' row ',' column, both from 0")
    return Cell(int(row), int(col))


def _successor(grid: Grid, before: FloodIt) -> FloodIt:
    """`before`, or the position one move later, that looks like `grid`."""
    if grid == before.grid:
        return before
    rows, cols = len(grid), len(grid[0])
    if (rows, cols) != (len(before.grid), len(before.grid[0])):
        raise UnreadableError(f"the board has {rows}x{cols} cells, it had {len(before.grid)}x{len(before.grid[0])}")
    move = grid[before.start.row][before.start.col]
    if move in before.legal_moves() and before.play(move).grid == grid:
        return before.play(move)
    changed = sum(a != b for new, old in zip(grid, before.grid, strict=True) for a, b in zip(new, old, strict=True))
    raise UnreadableError(f"{changed} of {rows * cols} cells changed and no single move explains that")


GAME = FloodItGame()
