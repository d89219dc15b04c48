"""Blokus's solvers."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from games.blokus.board import PASS, Board, Move, laid
from games.blokus.pieces import PIECES, shape_of
from games.blokus.position import Blokus
from games.core import Cell, SettingsError
from solvers import compiled
from solvers.kernels import blokus as packed

MOST_MOVES = 4096
"""More placements than a colour can have at once: 1,400 are the most seen in games at random, on any board."""


def rules_of(board: Board) -> packed.Blokus:
    """The packed rules of `board`."""
    starts = [[(cell.row, cell.col) for cell in board.list(cells)] for cells in board.starts]
    seats = [colour % board.players for colour in range(board.colours)]
    if board.players == 3 and board.colours == 4:
        seats[3] = -1
    return packed.rules_of(board.side, starts, seats, bonus=board.bonus)


def pack_move(move: Move, board: Board) -> int:
    """The packed rules' number of a placement or a pass."""
    if not move:
        return len(packed.FORMS) * board.side**2
    row, col = move[0].row, min(cell.col for cell in move)
    return packed.FORM_NUMBER[shape_of(move)] * board.side**2 + row * board.side + col


def unpack_move(move: int, board: Board) -> Move:
    """The placement, or PASS, with that number."""
    form, place = divmod(move, board.side**2)
    return PASS if form == len(packed.FORMS) else laid(packed.FORMS[form], Cell(*divmod(place, board.side)))


def pack(state: Blokus, rules: packed.Blokus) -> NDArray[np.uint64]:
    """uint64[1, words]: the packed position of `state`."""
    positions = np.zeros((1, packed.words_of(rules)), np.uint64)
    packed.set_up(rules, positions, 0)
    for turn, move in enumerate(state.moves):
        positions[0, rules.status] = turn % rules.colours
        if move:
            packed.put(rules, positions, 0, pack_move(move, state.board))
    done = sum(1 << (packed.DONE + colour) for colour, active in enumerate(state.active) if not active)
    positions[0, rules.status] = done | state.colour
    return positions


class Packing:
    """Blokus's states as packed positions, for the searches of two seats."""

    unit = packed.UNIT

    def rules(self, state: Blokus) -> packed.Blokus:
        """The packed rules of the board; raises SettingsError where more than two seats play."""
        if state.board.players > 2:
            raise SettingsError(f"this search knows two sides, not {state.board.players}: use 'mcts' or 'heuristic'")
        return rules_of(state.board)

    def family(self, state: Blokus) -> Hashable:
        """The board."""
        return state.board

    def sizes(self, state: Blokus) -> compiled.Sizes:
        """Every colour has 21 pieces, and passes while another places its own."""
        rules = self.rules(state)
        plies = 2 * len(PIECES) * rules.colours
        return compiled.Sizes(plies, packed.words_of(rules), MOST_MOVES, packed.pass_of(rules) + 1)

    def pack(self, state: Blokus) -> NDArray[np.uint64]:
        """The words of `state`."""
        words: NDArray[np.uint64] = pack(state, self.rules(state))[0]
        return words

    def pack_move(self, move: Move, state: Blokus) -> int:
        """The form and where its top left corner lies."""
        return pack_move(move, state.board)

    def unpack_move(self, move: int, state: Blokus) -> Move:
        """The placement with that number."""
        return unpack_move(move, state.board)
