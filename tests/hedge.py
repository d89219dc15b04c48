"""Hedge, a small game that no room knows: sides pass and move twice, and stones change hands and change back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core import Cell, Grid, IllegalMoveError, Outcome

EMPTY = 0


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
            raise IllegalMoveError(f"row {move.row}, col {move.col} is no place for a stone, or the game is over")
        turned = [cell for cell in self._beside(move) if self.grid[cell.row][cell.col] == 2 - self.player]
        own = {move, *turned}
        grid = tuple(
            tuple(self.player + 1 if (row, col) in own else kind for col, kind in enumerate(kinds))
            for row, kinds in enumerate(self.grid)
        )
        following = (self.player, 1 - self.player) if len(turned) > 1 else (1 - self.player, self.player)
        return next((after for seat in following if (after := Hedge(grid, seat)).legal_moves()), Hedge(grid, 0))

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
            if kind == EMPTY and all(self.grid[at.row][at.col] != seat + 1 for at in self._beside(Cell(row, col)))
        )

    def _beside(self, cell: Cell) -> list[Cell]:
        row, col = cell
        around = (Cell(row - 1, col), Cell(row, col - 1), Cell(row, col + 1), Cell(row + 1, col))
        return [at for at in around if at.row in range(len(self.grid)) and at.col in range(len(self.grid[0]))]
