"""Quoridor's rules for two: walk to the far row, or place a wall in the rival's way that leaves a path to everybody.

A pawn steps to a neighbouring cell with no wall between, jumps straight over the rival's pawn, or, where a wall or the
edge is behind that, goes to a cell beside it.  The rule book knows no draw; what else may end a game is an option.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from games.core import Cell, IllegalMoveError, Options, Outcome, SettingsError
from games.quoridor.board import (
    LETTERS,
    Size,
    Wall,
    between,
    clashes,
    format_cell,
    format_wall,
    names,
    reaches,
    shortest_path,
    steps,
)

SIDE, WALLS = 9, 10
"""The board of the box, and the walls each player has there."""

SIDES = range(3, len(LETTERS) + 1)
"""Rows and columns that boards may have: on fewer a pawn is at its goal with the first step."""

MOST_WALLS = 99
"""Walls that a player may begin with."""

REPEATS = 3
"""With the variant "repetition" a position that stands for this time is a draw, as in chess."""

VARIANTS = ("repetition",)
"""The words of a variant."""

Move = Cell | Wall
"""A step to a cell, or a wall."""


@dataclass(frozen=True, slots=True)
class Quoridor:
    """A Quoridor position; two that show the same are equal, however they came about.

    pawns: the first player's begins in the middle of the bottom row and goes up, the second's the other way.
    walls: those placed.  left: how many each player has still.  player: the seat to move.
    plies_left: moves after which an undecided game is drawn, None for as many as it takes.
    seen: where repetition draws, how often this position stood before; None where it does not.
    moves: one order of moves that leads here from the start.
    shuffled: the pawns in earlier positions since the last wall, the oldest first; no older one can come back.
    """

    size: Size
    pawns: tuple[Cell, Cell]
    walls: frozenset[Wall]
    left: tuple[int, int]
    player: int = 0
    plies_left: int | None = None
    seen: int | None = None
    moves: tuple[Move, ...] = field(default=(), compare=False)
    shuffled: tuple[tuple[Cell, Cell], ...] = field(default=(), compare=False)

    @property
    def goals(self) -> tuple[int, int]:
        """The row each player wants to reach."""
        return 0, self.size.rows - 1

    def paths(self) -> tuple[list[Cell], list[Cell]]:
        """A shortest path of each player to its row, the rival's pawn aside; empty where there is none."""
        first, second = (
            shortest_path(self.size, self.walls, pawn, goal) for pawn, goal in zip(self.pawns, self.goals, strict=True)
        )
        return first, second

    def steps(self) -> list[Cell]:
        """The cells the pawn of the player to move can go to."""
        return steps(self.size, self.walls, self.pawns[self.player], self.pawns[1 - self.player])

    def legal_moves(self) -> Sequence[Move]:
        """The steps of the pawn, then the walls row by row."""
        if self.outcome() is not None:
            return ()
        moves: list[Move] = [*self.steps()]
        if self.left[self.player]:
            first, second = self.paths()
            cutting = _cutting(first), _cutting(second)
            moves += [wall for wall in self.size.walls() if self._has_place(wall, cutting)]
        return tuple(moves)

    def play(self, move: Move) -> Quoridor:
        """The position after a step or a wall; raises IllegalMoveError."""
        if not self.allows(move):
            raise IllegalMoveError(self.why_illegal(move))
        pawns, left = list(self.pawns), list(self.left)
        walls, shuffled = self.walls, (*self.shuffled, self.pawns)
        if isinstance(move, Wall):
            walls, shuffled = walls | {move}, ()
            left[self.player] -= 1
        else:
            pawns[self.player] = move
        pair = (pawns[0], pawns[1])
        return Quoridor(
            self.size,
            pair,
            walls,
            (left[0], left[1]),
            1 - self.player,
            None if self.plies_left is None else self.plies_left - 1,
            None if self.seen is None else shuffled[-2::-2].count(pair),
            (*self.moves, move),
            shuffled,
        )

    def allows(self, move: Move) -> bool:
        """Whether `move` may be played."""
        if self.outcome() is not None:
            return False
        if isinstance(move, Wall):
            return self.left[self.player] > 0 and self._has_place(move, ({move}, {move}))
        return move in self.steps()

    def outcome(self) -> Outcome | None:
        """Won by the player whose pawn stands on its far row; drawn where the variant or the limit says so."""
        for seat, goal in enumerate(self.goals):
            if self.pawns[seat].row == goal:
                rank = self.size.rows - goal
                return Outcome((1.0 - seat, float(seat)), seat, f"player {seat + 1} reached rank {rank}")
        if self.seen is not None and self.seen >= REPEATS - 1:
            return Outcome((0.5, 0.5), None, f"the same position stood {REPEATS} times")
        if self.plies_left == 0:
            return Outcome((0.5, 0.5), None, f"not decided in {len(self.moves)} moves")
        return None

    def why_illegal(self, move: Move) -> str:
        """What keeps a move from being legal here, for a person."""
        ended = self.outcome()
        if ended is not None:
            return f"the game is over: {ended.reason}"
        if not isinstance(move, Wall):
            here = format_cell(self.pawns[self.player], self.size)
            return f"the pawn on {here} can only go to {names(self.steps(), self.size)}"
        if not self.size.has_room(move):
            return f"{move} is not on the {self.size.rows}x{self.size.cols} board"
        name = format_wall(move, self.size)
        if not self.left[self.player]:
            return f"player {self.player + 1} has no wall left"
        for other in clashes(move):
            if other in self.walls:
                verb = "overlaps" if other.way == move.way else "crosses"
                return f"the wall {name} {verb} {format_wall(other, self.size)}"
        cut = [f"player {seat + 1}" for seat in (0, 1) if not self._reaches(seat, move)]
        return f"the wall {name} would cut off the last path of {' and '.join(cut)}"

    def _has_place(self, wall: Wall, cutting: tuple[Container[Wall], Container[Wall]]) -> bool:
        """Whether `wall` has room and leaves a path to both; only those in `cutting` cut a player's known path."""
        if not self.size.has_room(wall) or any(other in self.walls for other in clashes(wall)):
            return False
        return all(wall not in cuts or self._reaches(seat, wall) for seat, cuts in enumerate(cutting))

    def _reaches(self, seat: int, wall: Wall) -> bool:
        """Whether a player can still come to its row if `wall` is placed."""
        return reaches(self.size, self.walls | {wall}, self.pawns[seat], self.goals[seat])


def _cutting(path: Sequence[Cell]) -> set[Wall]:
    """The walls that would cut `path`."""
    return {wall for one, other in pairwise(path) for wall in between(one, other)}


def usual_walls(size: Size) -> int:
    """Walls of each player where nothing else is said: 10 on 9x9, and as many for the cells there are."""
    return size.rows * size.cols // 8


def start(options: Options = Options()) -> Quoridor:
    """The start position; raises SettingsError for a board or a variant that Quoridor does not have.

    On boards of an even number of columns the pawns begin beside the middle, each to the left as its player sees it.
    """
    size = Size(
        SIDE if options.rows is None else options.rows,
        SIDE if options.cols is None else options.cols,
    )
    if size.rows not in SIDES or size.cols not in SIDES:
        raise SettingsError(
            f"a board of {size.rows}x{size.cols} is no Quoridor board: each side has 3 to {SIDES[-1]} cells"
        )
    walls = usual_walls(size) if options.walls is None else options.walls
    if walls not in range(MOST_WALLS + 1):
        raise SettingsError(f"players have 0 to {MOST_WALLS} walls each, not {walls}")
    if options.players not in (None, 2):
        raise SettingsError(f"Quoridor is played by 2 here, not {options.players}")
    if options.variant and options.variant not in VARIANTS:
        raise SettingsError(f"Quoridor has no variant {options.variant!r}; choose from: {', '.join(VARIANTS)}")
    if options.limit is not None and options.limit < 1:
        raise SettingsError(f"a limit of {options.limit} moves is no game: it is at least 1")
    pawns = (Cell(size.rows - 1, (size.cols - 1) // 2), Cell(0, size.cols // 2))
    seen = 0 if options.variant == "repetition" else None
    return Quoridor(size, pawns, frozenset(), (walls, walls), plies_left=options.limit, seen=seen)
