"""The rules of Filler: positions, the moves from them, and what sites do otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

from games.core import BLOCKED, Cell, Grid, IllegalMoveError, Outcome, PositionError
from games.flood import DIGITS, corners_of, neighbours, paint, region

SIZES = range(2, 65)
"""Rows and columns that boards may have: up to far more than any page shows."""

COLOURS = range(3, 11)
"""How many colours there may be: two are always barred."""

IDLE_LIMIT = 4
"""After so many moves in a row without a capture the game is over."""

PATIENT_LIMIT = 12
"""The same where players are given more time."""

Territory = frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Rules:
    """What sites do differently; the defaults are the game's own rules.

    open: the first move may name the rival's colour (no longer true once it was made).
    majority: the game ends once a player owns more than half of the playable cells.
    ring: a move absorbs only cells that touch the territory.
    gain: only colours that capture may be named, while any does.
    kept: players keep their colours, which what they take turns to, and name only colours that capture; who finds none
    is passed over.
    shared: a move may name the rival's colour, at any time.
    patient: the game goes on until twelve moves in a row captured nothing.
    passing: who can capture nothing is passed over.
    """

    open: bool = False
    majority: bool = False
    ring: bool = False
    gain: bool = False
    kept: bool = False
    shared: bool = False
    patient: bool = False
    passing: bool = False

    @property
    def idle_limit(self) -> int:
        """After how many moves in a row without a capture the game is over."""
        return PATIENT_LIMIT if self.patient else IDLE_LIMIT


WORDS = tuple(field.name for field in fields(Rules))
"""The words of a variant that are rules."""


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
        """Every colour but the two territories' own, or but one's own alone, in ascending order."""
        if self.outcome() is not None:
            return ()
        own = self.rules.open or self.rules.shared
        barred = {self.current[self.player]} if own else set(self.current)
        moves = tuple(colour for colour in range(self.colours) if colour not in barred)
        if self.rules.gain or self.rules.kept:
            return tuple(filter(self.captured, moves)) or moves
        return moves

    def play(self, move: int) -> Filler:
        """The position after the player's territory took colour `move`; raises IllegalMoveError."""
        if move not in self.legal_moves():
            raise IllegalMoveError(self.why_illegal(move))
        captured = self.captured(move)
        grown = self.territories[self.player] | captured
        territories = (grown, self.territories[1]) if self.player == 0 else (self.territories[0], grown)
        after = replace(
            self,
            grid=paint(self.grid, grown, self.current[self.player] if self.rules.kept else move),
            territories=territories,
            player=1 - self.player,
            idle=0 if captured else self.idle + 1,
            rules=replace(self.rules, open=False),
        )
        passed = (self.rules.kept and after.enclosed(after.player)) or (self.rules.passing and not after.captures)
        return replace(after, player=self.player) if passed else after

    @property
    def captures(self) -> bool:
        """Whether the player to move can capture anything."""
        return any(map(self.captured, self.legal_moves()))

    def enclosed(self, seat: int) -> bool:
        """Whether nothing that a player may take borders on what that one owns."""
        taken = self.territories[0] | self.territories[1]
        return all(near in taken for cell in self.territories[seat] for near in neighbours(self.grid, cell))

    def outcome(self) -> Outcome | None:
        """Over when all cells are owned or some moves in a row, four by default, captured nothing; more cells win."""
        first, second = self.cells
        playable = sum(kind != BLOCKED for row in self.grid for kind in row)
        if first + second == playable:
            ended = "every cell is owned"
        elif self.rules.kept and self.enclosed(0) and self.enclosed(1):
            ended = "nothing can be captured any more"
        elif self.idle >= self.rules.idle_limit:
            ended = f"{self.idle} moves in a row captured nothing"
        elif self.rules.majority and 2 * max(first, second) > playable:
            ended = "a player owns more than half of the cells"
        else:
            return None
        winner = None if first == second else int(second > first)
        return Outcome((float(first), float(second)), winner, f"{first} to {second} cells: {ended}")

    def why_illegal(self, move: int) -> str:
        """What a person is told of a move that may not be made."""
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
    starts = usual_starts(grid) if starts is None else starts
    for row, col in starts:
        if row not in range(rows) or col not in range(cols) or grid[row][col] == BLOCKED:
            raise PositionError(f"the start {row},{col} is no playable cell of the {rows}x{cols} board")
    territories = connected(grid, starts) if territories is None else territories
    if territories[0] & territories[1]:
        raise PositionError(f"the starts {_at(starts[0])} and {_at(starts[1])} are connected by cells of one colour")
    for start, owned in zip(starts, territories, strict=True):
        if start not in owned or any(grid[row][col] != grid[start.row][start.col] for row, col in owned):
            raise PositionError(f"the territory of {_at(start)} is not of one colour, or does not hold it")
    return Filler(grid, starts, territories, player, colours, idle, rules)


def _at(cell: Cell) -> str:
    return f"@{cell.row},{cell.col}"


def usual_starts(grid: Grid) -> tuple[Cell, Cell]:
    """Top left and bottom right."""
    return corners_of(grid)[0], corners_of(grid)[-1]


def connected(grid: Grid, starts: tuple[Cell, Cell]) -> tuple[Territory, Territory]:
    """What each player owns by what is connected to the own start."""
    return region(grid, starts[0]), region(grid, starts[1])


def owner_of(cell: Cell, territories: tuple[Territory, Territory]) -> int:
    """1 or 2 for a player's cell, 0 for a neutral one."""
    return 1 if cell in territories[0] else 2 if cell in territories[1] else 0
