"""Filler, the two-player flooding game: recolour your corner's territory to take in more cells than the rival.

Each player owns a territory that begins at an own corner.  A move names a colour, which must not be the present colour
of either territory; the whole territory takes it and absorbs every neutral cell of that colour connected to it, if
there is any.  The game ends when every cell is owned, or after four moves in a row that captured nothing; cells that
nobody owns then count for nobody.

What sites do otherwise are words of a variant, joined by ``+`` (``--variant phone+majority``):
``phone``: the board is dealt without two like neighbours, as on phones; ``uniform``: each cell's colour is drawn alone;
``open``: the first move may name the rival's colour; ``majority``: the game ends once a player owns more than half;
``ring``: a move absorbs only cells that touch the territory, not those behind them;
``gain``: only colours that capture something may be named while there are any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain, permutations
from math import log
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
    as_grid,
    cells_of,
    corners_of,
    format_grid,
    like_pairs,
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

COLOURS = range(3, 11)
"""How many colours there may be: two are always barred."""

ROWS, COLS, COLOURS_DEALT = 7, 8, 6
"""The board of the game on phones."""

IDLE_LIMIT = 4
"""After so many moves in a row without a capture the game is over."""

Territory = frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Rules:
    """What sites do differently; the defaults are the game's own rules.

    open: the first move may name the rival's colour (no longer true once it was made).
    majority: the game ends once a player owns more than half of the playable cells.
    ring: a move absorbs only cells that touch the territory.
    gain: only colours that capture may be named, while any does.
    """

    open: bool = False
    majority: bool = False
    ring: bool = False
    gain: bool = False


WORDS = tuple(field.name for field in fields(Rules))
DEALS = ("phone", "uniform")
"""The words of a variant: what sites do differently, and how boards are dealt."""


@dataclass(frozen=True, slots=True)
class Filler:
    """A Filler position.

    grid: the colour of each cell from 0, or BLOCKED for a wall.
    starts: the corner of each player.  territories: the cells each player owns.
    player: the seat to move.  colours: how many colours there are.
    idle: how many moves in a row, the last ones, captured nothing.
    """

    grid: Grid
    starts: tuple[Cell, Cell]
    territories: tuple[Territory, Territory]
    player: int
    colours: int
    idle: int = 0
    rules: Rules = field(default=Rules())

    @property
    def current(self) -> tuple[int, int]:
        """The colour of each player's territory."""
        first, second = self.starts
        return self.grid[first.row][first.col], self.grid[second.row][second.col]

    @property
    def cells(self) -> tuple[int, int]:
        """How many cells each player owns."""
        return len(self.territories[0]), len(self.territories[1])

    def captured(self, move: int) -> Territory:
        """The neutral cells that colour `move` would bring the player to move."""
        own = self.territories[self.player]
        taken = self.territories[0] | self.territories[1]
        found: set[Cell] = set()
        frontier = list(own)
        while frontier:
            for cell in neighbours(self.grid, frontier.pop()):
                if cell not in taken and cell not in found and self.grid[cell.row][cell.col] == move:
                    found.add(cell)
                    if not self.rules.ring:
                        frontier.append(cell)
        return frozenset(found)

    def legal_moves(self) -> Sequence[int]:
        """Every colour but the two territories' own, in ascending order."""
        if self.outcome() is not None:
            return ()
        barred = {self.current[self.player]} if self.rules.open else set(self.current)
        moves = tuple(colour for colour in range(self.colours) if colour not in barred)
        if self.rules.gain:
            return tuple(colour for colour in moves if self.captured(colour)) or moves
        return moves

    def play(self, move: int) -> Filler:
        """The position after the player's territory took colour `move`; raises IllegalMoveError."""
        if move not in self.legal_moves():
            raise IllegalMoveError(self._why_illegal(move))
        captured = self.captured(move)
        grown = self.territories[self.player] | captured
        territories = (grown, self.territories[1]) if self.player == 0 else (self.territories[0], grown)
        return replace(
            self,
            grid=paint(self.grid, grown, move),
            territories=territories,
            player=1 - self.player,
            idle=0 if captured else self.idle + 1,
            rules=replace(self.rules, open=False),
        )

    def outcome(self) -> Outcome | None:
        """Over when all cells are owned or four moves in a row captured nothing; more cells win."""
        first, second = self.cells
        playable = sum(kind != BLOCKED for row in self.grid for kind in row)
        if first + second == playable:
            ended = "every cell is owned"
        elif self.idle >= IDLE_LIMIT:
            ended = f"{self.idle} moves in a row captured nothing"
        elif self.rules.majority and 2 * max(first, second) > playable:
            ended = "a player owns more than half of the cells"
        else:
            return None
        winner = None if first == second else int(second > first)
        return Outcome((float(first), float(second)), winner, f"{first} to {second} cells: {ended}")

    def _why_illegal(self, move: int) -> str:
        ended = self.outcome()
        if ended is not None:
            return f"the game is over: {ended.reason}"
        if move not in range(self.colours):
            return f"{move} is no colour here: choose one of 0 to {self.colours - 1}"
        if move == self.current[self.player]:
            return f"the territory has colour {DIGITS[move]} already: choose another"
        if move in self.current:
            return f"colour {DIGITS[move]} is the rival's: choose another"
        return f"colour {DIGITS[move]} captures nothing: choose one that does"


class FillerGame(Game[Filler, int]):
    """The rules of Filler, as every room of Boardsight uses them."""

    name = "filler"
    counted = ("cell", "cells")
    hidden = True
    ways = ("colour", "cell")
    drawn = "coloured"
    small = Options(5, 5, colours=5)
    demo_seconds = 0.0
    offered = ("phone", "uniform", "majority", "ring", "gain")
    variants = (Options(4, 4, colours=5), Options(3, 5, colours=4))
    solver = "exact"
    fallbacks = ("lookahead:depth=3",)

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> Filler:
        """A random board, 7x8 with 6 colours and no two like neighbours unless `options` say otherwise.

        Raises SettingsError.

        Boards are dealt again until the two corners differ.
        """
        rows = ROWS if options.rows is None else options.rows
        cols = COLS if options.cols is None else options.cols
        colours = COLOURS_DEALT if options.colours is None else options.colours
        if rows not in SIZES or cols not in SIZES:
            raise SettingsError(f"a board of {rows}x{cols} is no Filler board: each side has 2 to 64 cells")
        if colours not in COLOURS:
            raise SettingsError(f"Filler is played with 3 to 10 colours, not {colours}")
        words = _words(options.variant)
        deal = _deal_uniform if "uniform" in words else _deal_phone
        while True:
            grid = deal(rng, rows, cols, colours)
            if grid[0][0] != grid[-1][-1]:
                return position(grid, colours=colours, rules=_rules(words))

    def show(self, state: Filler) -> Observation:
        """The grid of colours, and as numbers what a picture of it does not tell.

        ``colours``, ``player``, ``start_row``, ``start_col``, ``rival_row``, ``rival_col``, ``idle``; 1 for each rule
        in force, such as ``majority``; ``owner_R_C`` for a cell whose owner its colour does not tell (0 nobody, 1, 2).
        """
        numbers = {"colours": state.colours, "player": state.player, "idle": state.idle, **self.habits(state)}
        numbers |= {word: 1 for word in WORDS if getattr(state.rules, word)}
        likely = _connected(state.grid, state.starts)
        if likely != state.territories:
            for cell in set().union(*likely, *state.territories):
                if _owner(cell, likely) != _owner(cell, state.territories):
                    numbers[f"owner_{cell.row}_{cell.col}"] = _owner(cell, state.territories)
        return Observation.certain(state.grid, numbers)

    def read(self, observation: Observation, before: Filler | None = None, seat: int | None = None) -> Filler:
        """The position in `observation`; `before`, or one or two moves from it, where `before` is given.

        Without `before`, territories are what is connected to the corners, the opposite ones that own more. `seat` is
        to move; if that is not told, it is likely to be one that has not grown, player 1 first: a first move seldom
        captures nothing.
        Raises UnreadableError for unread cells, connected territories, and a change that no moves explain.
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
        return _first_reading(grid, dict(observation.numbers), seat)

    def odds(self, state: Filler) -> float:
        """Large where no two like neighbours were dealt, as on phones."""
        pairs, alike = like_pairs(state.grid, state.territories[0] | state.territories[1])
        return 0.0 if alike else pairs * log(state.colours / (state.colours - 1))

    def starts(self, state: Filler) -> Sequence[Filler]:
        """The players at each pair of corners, opposite ones first."""
        first, right, low, last = corners_of(state.grid)
        pairs = [(first, last), (low, right), *permutations((first, right, low, last), 2)]
        moved = (_moved_to(state, pair) for pair in pairs if _apart(state.grid, *pair))
        return tuple(dict.fromkeys((state, *moved)))

    def otherwise(self, before: Filler, observation: Observation) -> Sequence[Filler]:
        """The position with its players in the one or two regions that changed, or with one there and one opposite."""
        rows, cols = len(before.grid), len(before.grid[0])
        changed = [start_in(before.grid, cells) for cells in recoloured(before.grid, as_grid(observation.grid))]
        pairs = list(permutations(changed)) if len(changed) == 2 else []
        if len(changed) == 1:
            (here,) = changed
            others = (Cell(rows - 1 - here.row, cols - 1 - here.col), *before.starts)
            pairs = [pair for other in others for pair in ((here, other), (other, here))]
        return [_moved_to(before, (first, second)) for first, second in pairs if _apart(before.grid, first, second)]

    def ruled_otherwise(self, before: Filler) -> Sequence[Filler]:
        """The position where each player owns but the start cell at first, whatever lies beside it."""
        alone = _alone(before.starts)
        return [] if before.territories == alone else [replace(before, territories=alone)]

    def refute(self, grid: NDArray[np.int8]) -> str:
        """Nothing: a deal may have any colour anywhere."""
        return ""

    def gestures(self, state: Filler, move: int, how: str = "") -> Sequence[Tap]:
        """One tap: the colour's button, or any neutral cell of that colour (those the move captures first).

        colour: the button, where the screen has one.  cell: a cell all the same.
        """
        captured = state.captured(move)
        owned = state.territories[0] | state.territories[1]
        wanted = [cell for cell in cells_of(state.grid, move) if cell not in owned]
        wanted.sort(key=lambda cell: cell not in captured)
        if chosen_way(self.ways, how) == "cell" and wanted:
            return (Tap(wanted[0], tuple(wanted)),)
        return (Tap(f"colour:{move}", tuple(wanted)),)

    def marks(self, state: Filler) -> dict[str, Any]:
        """``owner``: 1 or 2 for the players' cells.  ``current``: their colours.  ``cells``: how many.  ``starts``."""
        return {
            "owner": owners(state.grid, *state.territories),
            "current": list(state.current),
            "cells": list(state.cells),
            "starts": [list(start) for start in state.starts],
        }

    def numbers(self, options: Options) -> dict[str, int]:
        """The words of the variant that are rules."""
        return {word: 1 for word in _words(options.variant) if word in WORDS}

    def habits(self, state: Filler) -> dict[str, int]:
        """Where each player starts."""
        names = ("start_row", "start_col", "rival_row", "rival_col")
        return dict(zip(names, chain(*state.starts), strict=True))

    def estimate(self, state: Filler) -> float:
        """How many cells more than its rival the side to move owns."""
        return state.cells[state.player] - state.cells[1 - state.player]

    def options(self, state: Filler) -> Options:
        """The size, the colours and the rules that differ from the game's own."""
        words = [word for word in WORDS if getattr(state.rules, word)]
        size = Options(rows=len(state.grid), cols=len(state.grid[0]), colours=state.colours)
        return replace(size, variant="+".join(words) or None)

    def parse(self, text: str, options: Options = Options()) -> Filler:
        """The position of a text such as ``012/210/001 2 @2,0 @0,2``: rows, player to move, start of each player.

        Raises PositionError.

        Where they are needed, two more words follow: ``+N`` after N moves in a row without a capture, and ``=`` with
        rows of ``1``, ``2`` and ``.`` where the owners are not those of the connected cells.

        >>> GAME.parse("012/210/001 2").legal_moves()
        (2,)
        """
        words = text.split()
        if not words:
            raise PositionError("Filler has no fixed start position: write the board's rows of colour digits")
        grid = parse_grid(words[0])
        fields = _parse_words(words[1:], grid)
        colours = max(3, max(map(max, grid)) + 1) if options.colours is None else options.colours
        return position(grid, colours=colours, rules=_rules(_words(options.variant)), **fields)

    def format(self, state: Filler) -> str:
        """The rows of colour digits, the player to move, and what else `parse` needs."""
        words = [format_grid(state.grid), str(state.player + 1)]
        if state.starts != _usual_starts(state.grid):
            words += [f"@{row},{col}" for row, col in state.starts]
        if state.idle:
            words.append(f"+{state.idle}")
        if state.territories != _connected(state.grid, state.starts):
            words.append("=" + _format_owners(state))
        return " ".join(words)

    def parse_move(self, text: str, state: Filler) -> int:
        """The colour a digit names, if it may be played; raises PositionError or IllegalMoveError."""
        move = parse_colour(text.strip(), state.colours)
        if move not in state.legal_moves():
            raise IllegalMoveError(state._why_illegal(move))
        return move

    def format_move(self, move: int, state: Filler) -> str:
        """The digit of a colour."""
        return DIGITS[move]


def position(
    grid: Grid,
    *,
    colours: int,
    starts: tuple[Cell, Cell] | None = None,
    territories: tuple[Territory, Territory] | None = None,
    player: int = 0,
    idle: int = 0,
    rules: Rules = Rules(),
) -> Filler:
    """A position, checked: by default from the usual corners, each owning what is connected to its start.

    Raises PositionError where that is no position.
    """
    rows, cols = len(grid), len(grid[0])
    if rows not in SIZES or cols not in SIZES:
        raise PositionError(f"a board of {rows}x{cols} is no Filler board: each side has 2 to 64 cells")
    if not 3 <= colours <= len(DIGITS) or max(map(max, grid)) >= colours:
        raise PositionError(
            f"the board shows colour {max(map(max, grid))} where {colours} colours are set (3 to {len(DIGITS)} can be)"
        )
    starts = _usual_starts(grid) if starts is None else starts
    for row, col in starts:
        if row not in range(rows) or col not in range(cols) or grid[row][col] == BLOCKED:
            raise PositionError(f"the start {row},{col} is no playable cell of the {rows}x{cols} board")
    territories = _connected(grid, starts) if territories is None else territories
    if territories[0] & territories[1]:
        raise PositionError(f"the starts {_at(starts[0])} and {_at(starts[1])} are connected by cells of one colour")
    for start, owned in zip(starts, territories, strict=True):
        if start not in owned or any(grid[row][col] != grid[start.row][start.col] for row, col in owned):
            raise PositionError(f"the territory of {_at(start)} is not of one colour, or does not hold it")
    return Filler(grid, starts, territories, player, colours, idle, rules)


def _at(cell: Cell) -> str:
    return f"@{cell.row},{cell.col}"


def _usual_starts(grid: Grid) -> tuple[Cell, Cell]:
    return corners_of(grid)[0], corners_of(grid)[-1]


def _connected(grid: Grid, starts: tuple[Cell, Cell]) -> tuple[Territory, Territory]:
    return region(grid, starts[0]), region(grid, starts[1])


def _owner(cell: Cell, territories: tuple[Territory, Territory]) -> int:
    return 1 if cell in territories[0] else 2 if cell in territories[1] else 0


def _deal_uniform(rng: np.random.Generator, rows: int, cols: int, colours: int) -> Grid:
    """Every cell's colour drawn alone, all with the same chance."""
    return tuple(tuple(int(kind) for kind in row) for row in rng.integers(0, colours, size=(rows, cols)))


def _deal_phone(rng: np.random.Generator, rows: int, cols: int, colours: int) -> Grid:
    """Cell after cell in reading order, each drawn from the colours that its upper and left neighbour do not have."""
    grid: list[list[int]] = []
    for row in range(rows):
        grid.append([])
        for col in range(cols):
            beside = {grid[row][col - 1]} if col else set()
            above = {grid[row - 1][col]} if row else set()
            choices = [colour for colour in range(colours) if colour not in beside | above]
            grid[row].append(choices[int(rng.integers(len(choices)))])
    return tuple(map(tuple, grid))


def _words(variant: str | None) -> list[str]:
    """The words of a variant; raises SettingsError for one that is not known."""
    words = [] if not variant else variant.split("+")
    for word in words:
        if word not in (*DEALS, *WORDS):
            raise SettingsError(f"Filler has no variant {word!r}; join words of: {', '.join((*DEALS, *WORDS))}")
    return words


def _rules(words: list[str]) -> Rules:
    return Rules(**{word: True for word in words if word in WORDS})


LONGEST_NUMBER = 10
"""Characters of a number of moves, and of a start, at most."""


def _parse_words(words: list[str], grid: Grid) -> dict[str, Any]:
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


def _format_owners(state: Filler) -> str:
    letters = ".12"
    return "/".join(
        "".join(letters[_owner(Cell(row, col), state.territories)] for col in range(len(kinds)))
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


def _first_reading(grid: Grid, numbers: dict[str, int], seat: int | None) -> Filler:
    """The position of a picture that no other went before."""
    rows, cols = len(grid), len(grid[0])
    likely = _likely_start(grid)
    start = Cell(numbers.get("start_row", likely.row), numbers.get("start_col", likely.col))
    opposite = Cell(rows - 1 - start.row, cols - 1 - start.col)
    rival = Cell(numbers.get("rival_row", opposite.row), numbers.get("rival_col", opposite.col))
    territories = None
    told = {key: owner for key, owner in numbers.items() if key.startswith("owner_")}
    if told:
        owned = [set(cells) for cells in _connected(grid, (start, rival))]
        for key, owner in told.items():
            cell = Cell(*map(int, key.split("_")[1:]))
            for number, cells in enumerate(owned, start=1):
                cells.discard(cell)
                if number == owner:
                    cells.add(cell)
        territories = (frozenset(owned[0]), frozenset(owned[1]))
    if seat is None:
        seat = _likely_to_move(grid, _connected(grid, (start, rival)))
    try:
        return position(
            grid,
            colours=numbers.get("colours", max(3, max(map(max, grid)) + 1)),
            starts=(start, rival),
            territories=territories,
            player=numbers.get("player", seat),
            idle=numbers.get("idle", 0),
            rules=Rules(**{word: bool(numbers.get(word, 0)) for word in WORDS}),
        )
    except PositionError as error:
        raise UnreadableError(str(error)) from error


def _likely_to_move(grid: Grid, territories: tuple[Territory, Territory]) -> int:
    """The player that is likely to move: on a board dealt without like neighbours, one that has not grown.

    Player 1 where both have grown, and where like neighbours were dealt, so that a player may have grown by the deal.
    """
    if like_pairs(grid, territories[0] | territories[1])[1]:
        return 0
    first, second = (len(cells) == 1 for cells in territories)
    return int(second and not first)


def _likely_start(grid: Grid) -> Cell:
    """The first player's corner: of the two pairs of opposite ones, that which owns more; the usual one if both do."""
    first, right, low, last = corners_of(grid)
    pairs = ((first, last), (low, right))
    owned = [
        0 if any(grid[row][col] == BLOCKED for row, col in pair) else sum(map(len, _connected(grid, pair)))
        for pair in pairs
    ]
    return low if owned[1] > owned[0] else first


def _successor(grid: Grid, before: Filler) -> Filler:
    """`before`, or the position one or two moves later, that looks like `grid`."""
    if grid == before.grid:
        return before
    rows, cols = len(grid), len(grid[0])
    if (rows, cols) != (len(before.grid), len(before.grid[0])):
        raise UnreadableError(f"the board has {rows}x{cols} cells, it had {len(before.grid)}x{len(before.grid[0])}")
    state = before
    for mover in (before.player, 1 - before.player):
        start = before.starts[mover]
        move = grid[start.row][start.col]
        if move not in state.legal_moves():
            break
        state = state.play(move)
        if state.grid == grid:
            return state
    changed = sum(a != b for new, old in zip(grid, before.grid, strict=True) for a, b in zip(new, old, strict=True))
    raise UnreadableError(f"{changed} of {rows * cols} cells changed and no one or two moves explain that")


def _alone(starts: tuple[Cell, Cell]) -> tuple[Territory, Territory]:
    """What players own who begin with one cell each."""
    return frozenset(starts[:1]), frozenset(starts[1:])


def _moved_to(before: Filler, starts: tuple[Cell, Cell]) -> Filler:
    """The same board with the players at `starts`."""
    alone = before.territories == _alone(before.starts)
    return replace(before, starts=starts, territories=_alone(starts) if alone else _connected(before.grid, starts))


def _apart(grid: Grid, first: Cell, second: Cell) -> bool:
    """Whether two players may start there: on playable cells that one colour does not connect."""
    walls = any(grid[row][col] == BLOCKED for row, col in (first, second))
    return not walls and second not in region(grid, first)


GAME = FillerGame()
