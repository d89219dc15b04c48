"""Hedge, a small game that no room knows: sides pass and move twice, and stones change hands and change back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from games.core import (
    Cell,
    Game,
    Grid,
    IllegalMoveError,
    Observation,
    Options,
    Outcome,
    PositionError,
    SettingsError,
    UnreadableError,
)

EMPTY = 0
SIDES = range(2, 10)


@dataclass(frozen=True, slots=True)
class Hedge:
    """A stone is laid where it touches none of its own by an edge; rival stones that it touches so change hands.

    Whoever turned two or more moves again. A side that can lay none passes by itself; where neither can, more stones
    win.

    grid: 0 empty, 1 and 2 the players' stones.
    """

    grid: Grid
    player: int = 0

    def legal_moves(self) -> Sequence[Cell]:
        """Row by row."""
        return self._moves_of(self.player)

    def play(self, move: Cell) -> Hedge:
        """The position after a stone was laid on `move`."""
        if move not in self.legal_moves():
            why = "it is taken or beside an own stone" if self.outcome() is None else "the game is over"
            raise IllegalMoveError(f"no stone can be laid on row {move.row}, col {move.col}: {why}")
        turned = [cell for cell in self._beside(move) if self.grid[cell.row][cell.col] == 2 - self.player]
        own = {move, *turned}
        grid = tuple(
            tuple(self.player + 1 if (row, col) in own else kind for col, kind in enumerate(kinds))
            for row, kinds in enumerate(self.grid)
        )
        return _settled(grid, self.player if len(turned) > 1 else 1 - self.player)

    def outcome(self) -> Outcome | None:
        """Over when neither side can lay a stone."""
        if self._moves_of(0) or self._moves_of(1):
            return None
        first, second = (sum(row.count(kind) for row in self.grid) for kind in (1, 2))
        winner = None if first == second else int(second > first)
        return Outcome((float(first), float(second)), winner, f"{first} to {second} stones")

    def _moves_of(self, seat: int) -> Sequence[Cell]:
        return tuple(
            Cell(row, col)
            for row, kinds in enumerate(self.grid)
            for col, kind in enumerate(kinds)
            if kind == EMPTY and all(self.grid[at.row][at.col] != seat + 1 for at in self._beside((row, col)))
        )

    def _beside(self, cell: tuple[int, int]) -> list[Cell]:
        return _neighbours(cell, len(self.grid), len(self.grid[0]))


@cache
def _neighbours(cell: tuple[int, int], rows: int, cols: int) -> list[Cell]:
    """The neighbours of a cell on a board."""
    row, col = cell
    around = (Cell(row - 1, col), Cell(row, col - 1), Cell(row, col + 1), Cell(row + 1, col))
    return [at for at in around if at.row in range(rows) and at.col in range(cols)]


class HedgeGame(Game[Hedge, Cell]):
    """The rules of Hedge."""

    name = "hedge"

    def deal(self, rng: np.random.Generator, options: Options = Options()) -> Hedge:
        """An empty board, 6x6 unless `options` say otherwise."""
        rows = 6 if options.rows is None else options.rows
        cols = 6 if options.cols is None else options.cols
        if rows not in SIDES or cols not in SIDES:
            raise SettingsError(f"a board of {rows}x{cols} is no Hedge board: each side has 2 to 9 cells")
        if options.variant:
            raise SettingsError(f"Hedge has no variant {options.variant!r}: it is played in one way")
        return Hedge(((EMPTY,) * cols,) * rows)

    def show(self, state: Hedge) -> Observation:
        """The stones."""
        return Observation.certain(state.grid)

    def read(self, observation: Observation, before: Hedge | None = None, seat: int | None = None) -> Hedge:
        """The position in `observation`; the first player is to move unless `before` or `seat` tells."""
        if before is not None:
            return self.follow(observation, before)
        if observation.unread():
            raise UnreadableError(f"{len(observation.unread())} cells could not be read")
        return _settled(tuple(tuple(int(kind) for kind in row) for row in observation.grid), seat or 0)

    def parse(self, text: str, options: Options = Options()) -> Hedge:
        """The position of a text such as ``010/200 2``: the rows from the top, and who is to move."""
        rows, _, player = text.strip().partition(" ")
        if not rows:
            return self.deal(np.random.default_rng(0), options)
        if player not in ("1", "2") or {*rows} - {*"012/"} or len({len(row) for row in rows.split("/")}) > 1:
            raise PositionError(f"{text[:20]!r} is no position: write rows of 0, 1 and 2 joined by /, and who moves")
        return _settled(tuple(tuple(map(int, row)) for row in rows.split("/")), int(player) - 1)

    def format(self, state: Hedge) -> str:
        """The rows from the top, and who is to move."""
        return "/".join("".join(map(str, row)) for row in state.grid) + f" {state.player + 1}"


def _settled(grid: Grid, seat: int) -> Hedge:
    """The position with `seat` to move, where it can, else the other; the first once the game is over."""
    return next((state for state in (Hedge(grid, seat), Hedge(grid, 1 - seat)) if state.legal_moves()), Hedge(grid))


GAME = HedgeGame()
