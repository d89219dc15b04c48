"""Positions of Blokus: what lies where, which placements that allows, whose turn it is, who is ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from games.blokus.board import PASS, BlokusBoard, Cells, Move, laid
from games.core import IllegalMoveError, Outcome
from games.polyominoes import MONOMINO, PIECE_OF, PIECES, Shape, shape_of

ALL_PLACED, MONOMINO_LAST = 15, 5
"""The official bonuses: for placing every piece, and for placing the single square last of all."""

Left = tuple[int, ...]
"""The numbers of the pieces a colour still has, in ascending order."""


@dataclass(frozen=True, slots=True)
class Blokus:
    """A Blokus position; two that show the same squares are equal, in whatever order they were laid.

    board: the board, its variant and players.  cells: the cells of each colour.  left: the pieces of each colour.
    active: whether each colour has a placement; once it has none it never will again, and it is skipped.
    colour: the colour to move, 0 when the game is over.
    monomino_last: whether the single square was laid last by each colour; only kept where bonuses count.
    moves: one order of placements, colour after colour, PASS for one that was skipped, that leads here.
    """

    board: BlokusBoard
    cells: tuple[Cells, ...]
    left: tuple[Left, ...]
    active: tuple[bool, ...]
    colour: int
    monomino_last: tuple[bool, ...]
    moves: tuple[Move, ...] = field(default=(), compare=False)

    @property
    def player(self) -> int:
        """The seat to move; with three players the fourth colour is played by each in turn."""
        board = self.board
        if self.colour < board.players:
            return self.colour
        if board.players == 2:
            return self.colour % 2
        return (len(PIECES) - len(self.left[self.colour])) % board.players

    @property
    def covered(self) -> Cells:
        """The cells that are not free."""
        found = 0
        for cells in self.cells:
            found |= cells
        return found

    def locked(self, colour: int) -> Cells:
        """The cells that no further square of `colour` may cover: those covered, and those beside its own."""
        return self.covered | self.board.beside(self.cells[colour])

    def corners(self, colour: int) -> Cells:
        """The cells of which every next piece of `colour` must cover one: across from its own, or its start."""
        own = self.cells[colour]
        return (self.board.across(own) if own else self.board.starts[colour]) & ~self.locked(colour)

    def placements(self, colour: int) -> Iterator[tuple[Shape, Cells]]:
        """Each form of a piece that `colour` can lay, with the bits of the cells where its top left corner may be."""
        stride = self.board.side + 1
        free, corners = self.board.cells & ~self.locked(colour), self.corners(colour)
        if not corners:
            return
        for number in self.left[colour]:
            for form in PIECES[number].forms:
                fits, touches = -1, 0
                for row, col in form:
                    shift = row * stride + col
                    fits &= free >> shift
                    touches |= corners >> shift
                if fits & touches:
                    yield form, fits & touches

    def legal_moves(self) -> Sequence[Move]:
        """Every placement of the colour to move: by piece, by its form, and row by row."""
        if not self.active[self.colour]:
            return ()
        moves = []
        for form, places in self.placements(self.colour):
            moves += [laid(form, corner) for corner in self.board.list(places)]
        return moves

    def play(self, move: Move) -> Blokus:
        """The position after the colour to move covered the cells of `move`; colours that cannot move are skipped."""
        return self.placed(self.colour, move)

    def placed(self, colour: int, move: Move) -> Blokus:
        """The position after `colour`, whether or not it is its turn, covered the cells of `move`.

        Raises IllegalMoveError.
        """
        refusal = self.refusal(colour, move)
        if refusal:
            raise IllegalMoveError(refusal)
        number = PIECE_OF[shape_of(move)]
        cells, left, last = list(self.cells), list(self.left), list(self.monomino_last)
        cells[colour] |= self.board.mask(move)
        left[colour] = tuple(other for other in left[colour] if other != number)
        last[colour] = self.board.bonus and number == MONOMINO
        moves = self.moves
        while len(moves) % self.board.colours != colour:
            moves = (*moves, PASS)
        laid_down = replace(
            self,
            cells=tuple(cells),
            left=tuple(left),
            monomino_last=tuple(last),
            moves=(*moves, move),
        )
        active = tuple(able and any(laid_down.placements(each)) for each, able in enumerate(self.active))
        turns = [(colour + step) % self.board.colours for step in range(1, self.board.colours + 1)]
        return replace(laid_down, active=active, colour=next((turn for turn in turns if active[turn]), 0))

    def refusal(self, colour: int, move: Move) -> str:
        """Why `colour` may not cover the cells of `move`, empty where it may."""
        board, number = self.board, PIECE_OF.get(_shape_of(move))
        if not any(self.active):
            return "the game is over: nobody can place a piece"
        if number is None:
            return f"{len(move)} cells that are no piece: one piece covers 1 to 5 cells connected by edges, in order"
        outside = [cell for cell in move if not board.holds(cell)]
        if outside:
            return f"row {outside[0].row}, col {outside[0].col} is not on the board of {board.side}x{board.side} cells"
        if number not in self.left[colour]:
            return f"piece {PIECES[number].name} has been placed: choose another"
        cells = board.mask(move)
        if cells & self.covered:
            row, col = next(board.list(cells & self.covered))
            return f"row {row}, col {col} is covered: choose free cells"
        if cells & self.locked(colour):
            row, col = next(board.list(cells & self.locked(colour)))
            return f"row {row}, col {col} lies beside a piece of the same colour: they touch at corners alone"
        if not cells & self.corners(colour):
            first = "covers no start point" if not self.cells[colour] else "touches no corner of a piece of its colour"
            return f"the piece {first}"
        return ""

    @property
    def areas(self) -> tuple[int, ...]:
        """How many cells each colour covers."""
        return tuple(cells.bit_count() for cells in self.cells)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat: its cells, and the bonuses where they count; a shared colour counts for nobody."""
        points = [0] * self.board.players
        for colour in range(self.board.players if self.board.players != 2 else self.board.colours):
            points[colour % self.board.players] += self.areas[colour]
            if self.board.bonus and not self.left[colour]:
                points[colour % self.board.players] += ALL_PLACED + MONOMINO_LAST * self.monomino_last[colour]
        return tuple(points)

    def outcome(self) -> Outcome | None:
        """Over when no colour has a placement; most points win."""
        if any(self.active):
            return None
        points = self.scores
        first = [seat for seat, score in enumerate(points) if score == max(points)]
        margin = " to ".join(map(str, points)) + (" points" if self.board.bonus else " squares")
        return Outcome(
            tuple(map(float, points)), first[0] if len(first) == 1 else None, f"{margin}: nobody can place a piece"
        )


def _shape_of(move: Move) -> Shape:
    """The shape of `move` if its cells stand in order, else nothing's."""
    return shape_of(move) if move and all(a < b for a, b in pairwise(move)) else ()


def empty(board: BlokusBoard) -> Blokus:
    """The start position."""
    each = range(board.colours)
    return Blokus(
        board,
        cells=(0,) * board.colours,
        left=tuple(tuple(range(len(PIECES))) for _ in each),
        active=(True,) * board.colours,
        colour=0,
        monomino_last=(False,) * board.colours,
    )
