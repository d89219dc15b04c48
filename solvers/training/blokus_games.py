"""Games of Blokus between two colours side by side, as a network that judges pairs sees them.

Everything is seen from the side to move, as `solvers.learned.games.blokus.BlokusPlanes` shows it, and placements have
its numbers; the rules are the packed ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.blokus.board import board_of
from games.core import Cell, Options, SettingsError
from games.polyominoes import PIECES, shape_of
from solvers.blokus.players import MOST_MOVES, rules_of
from solvers.kernels.blokus import board as packed
from solvers.learned.games.blokus import FORM_NUMBERS, FORMS, BlokusPlanes, placement_planes
from solvers.learned.registry import encoder_of, full_options
from solvers.training.kernels import blokus_boards

COLOURS = 2
"""One for each player."""


class BlokusGames:
    """`count` games; those that were not dealt yet have no placements.

    counts: int64[count], how many placements the side to move has, 0 where a game is over.
    covered: int8[actions, side, side], the cells of every placement, none for one that reaches beyond the edge.
    """

    def __init__(self, board: Options, count: int) -> None:
        """Raises SettingsError for boards of more than two colours."""
        full = full_options("blokus", board)
        encoder = encoder_of("blokus", full)
        assert isinstance(encoder, BlokusPlanes)
        if encoder.shape[0] != COLOURS * (1 + len(PIECES)):
            raise SettingsError("pairs are learned for two players with a colour each: choose --players 2")
        self.encoder, self.rules = encoder, rules_of(board_of(full))
        self.counts = np.zeros(count, np.int64)
        self.positions = np.zeros((count, packed.words_of(self.rules)), np.uint64)
        self.covered, self._turned = _placements(encoder.shape[1])
        self._moves = np.zeros((count, MOST_MOVES), np.int32)
        self._planes = np.zeros((count, *encoder.shape), np.int8)

    def deal(self, at: int) -> None:
        """Begin a game at place `at`."""
        packed.set_up(self.rules, self.positions, at)
        self._planes[at, :COLOURS], self._planes[at, COLOURS:] = 0, 1

    def find(self) -> None:
        """Find the placements on every board."""
        blokus_boards.find_all(self.rules, self.positions, self._moves, self.counts)

    def seat(self, at: int) -> int:
        """Who is to move."""
        return int(self.positions[at, self.rules.status] & packed.COLOUR)

    def planes(self, at: int) -> NDArray[np.int8]:
        """int8[planes, side, side]: what the side to move sees."""
        planes: NDArray[np.int8] = self._planes[at]
        if self.seat(at) == 0:
            return planes.copy()
        own, rival = planes[COLOURS + len(PIECES) :], planes[COLOURS : COLOURS + len(PIECES)]
        turned: NDArray[np.int8] = np.concatenate([planes[1::-1], own, rival])[:, ::-1, ::-1]
        return turned

    def legal(self, at: int) -> NDArray[np.int64]:
        """int64[counts[at]]: the numbers of the placements."""
        return self.numbers(at, self._moves[at, : self.counts[at]])

    def numbers(self, at: int, moves: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """int64[n]: the numbers of packed placements int[n] as the side to move sees them, and the other way round."""
        return self._turned[moves] if self.seat(at) else moves.astype(np.int64)

    def squares(self, action: int) -> int:
        """How many squares a placement has."""
        return int(self.rules.size_of[action // self.rules.cells])

    def margin(self, at: int) -> int:
        """The squares of the first colour less those of the second."""
        mine, theirs = self._planes[at, :COLOURS].sum(axis=(1, 2), dtype=np.int64).tolist()
        return int(mine - theirs)

    def play(self, actions: NDArray[np.int64]) -> None:
        """Lay a piece on every board; actions: int64[count], -1 for none."""
        chosen = np.full(len(actions), -1, np.int64)
        for at in np.flatnonzero(actions >= 0).tolist():
            seat, move = self.seat(at), int(self.numbers(at, actions[at : at + 1])[0])
            piece = self.rules.piece_of[move // self.rules.cells]
            self._planes[at, seat] |= self.covered[move]
            self._planes[at, COLOURS + seat * len(PIECES) + piece] = 0
            chosen[at] = move
        blokus_boards.put_all(self.rules, self.positions, chosen)


def _placements(side: int) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """int8[actions, side, side], the cells of each placement; int64[actions], its number upside down, -1 for none."""
    covered = np.zeros((len(FORMS) * side * side, side, side), np.int8)
    turned = np.full(len(covered), -1, np.int64)
    for form, cells in enumerate(FORMS):
        high, wide = (1 + max(part) for part in zip(*cells, strict=True))
        other = FORM_NUMBERS[shape_of([Cell(-row, -col) for row, col in cells])]
        for row in range(side - high + 1):
            for col in range(side - wide + 1):
                number = (form * side + row) * side + col
                turned[number] = (other * side + side - high - row) * side + side - wide - col
    legal = np.flatnonzero(turned >= 0)
    covered[legal] = placement_planes(legal, side)
    return covered, turned
