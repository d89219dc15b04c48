"""Filler's solvers: greedy, lookahead and the exact search."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from games.core import BLOCKED, SettingsError
from games.filler import GAME
from games.filler.rules import Filler, Territory
from solvers import compiled, tree_search
from solvers.core import Candidate, Decision, Limit, Progress
from solvers.kernels.filler import rules as packed
from solvers.units import Unit, lead_in


@dataclass(frozen=True)
class Greedy:
    """Takes the colour that captures most cells, the lowest of them."""

    def decide(self, state: Filler, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The greediest colour; its score is the margin of cells after it; raises ValueError when the game is over."""
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        margin = state.cells[state.player] - state.cells[1 - state.player]
        found = [Candidate(move, margin + len(state.captured(move))) for move in state.legal_moves()]
        found.sort(key=lambda candidate: -(candidate.score or 0))
        best = found[0]
        unit = lead_in(GAME)
        return Decision(best.move, best.score, line=(best.move,), nodes=len(found), candidates=tuple(found), unit=unit)


class Packing:
    """Filler's states as two words of territory and one of status."""

    unit = packed.UNIT

    def rules(self, state: Filler) -> packed.Filler:
        """The packed rules of the board `state` is played on; raises SettingsError for more than 64 cells."""
        rows, cols = len(state.grid), len(state.grid[0])
        if rows * cols > 64:
            raise SettingsError(f"{rows}x{cols} cells do not fit into 64 bits: use the solver 'lookahead'")
        every = range(rows * cols)
        neutral = [
            sum(
                1 << (row * cols + col)
                for row, kinds in enumerate(state.grid)
                for col in range(cols)
                if kinds[col] == c
            )
            for c in range(state.colours)
        ]

        def alike(one: int, other: int) -> bool:
            return state.grid[one // cols][one % cols] == state.grid[other // cols][other % cols] != BLOCKED

        walls = sum(1 << at for at in every if state.grid[at // cols][at % cols] == BLOCKED)
        told = state.rules
        gain = told.gain or told.kept  # who is passed over where colours are kept makes a move without effect here
        ruled = told.majority, told.ring, gain, told.kept, told.shared, told.idle_limit
        salt = hash((rows, cols, *neutral, walls, *ruled))
        return packed.Filler(
            np.array(neutral, np.uint64),
            np.uint64(((1 << (rows * cols)) - 1) ^ walls),
            np.uint64(sum(1 << at for at in every if at % cols)),
            np.uint64(sum(1 << at for at in every if at % cols != cols - 1)),
            np.uint64(sum(1 << at for at in every if at % cols != cols - 1 and alike(at, at + 1))),
            np.uint64(sum(1 << at for at in every if at + cols < rows * cols and alike(at, at + cols))),
            cols,
            state.colours,
            not (told.majority or told.ring or gain or told.shared),
            *ruled,
            np.uint64(salt % (1 << 64)),
        )

    def family(self, state: Filler) -> Hashable:
        """Nothing: the packed rules' hash tells boards apart."""
        return None

    def sizes(self, state: Filler) -> compiled.Sizes:
        """Each cell is captured once, with one idle move less before than end the game, and those at the end."""
        cells = len(state.grid) * len(state.grid[0])
        return compiled.Sizes(state.rules.idle_limit * cells, packed.WORDS, packed.MOST_COLOURS, packed.MOST_COLOURS)

    def pack(self, state: Filler) -> NDArray[np.uint64]:
        """uint64[words]: the territories of the side to move and its rival, and the status."""
        cols = len(state.grid[0])
        words = np.zeros(packed.WORDS, np.uint64)
        own, rival = state.player, 1 - state.player
        words[packed.OWN] = _bits(state.territories[own], cols)
        words[packed.RIVAL] = _bits(state.territories[rival], cols)
        colours, told = state.current, state.rules
        words[packed.STATUS] = packed.status_of(colours[own], colours[rival], state.idle, told.open or told.shared)
        return words

    def pack_move(self, move: int, state: Filler) -> int:
        """The colour."""
        return move

    def unpack_move(self, move: int, state: Filler) -> int:
        """The colour."""
        return move


def _bits(cells: Territory, cols: int) -> int:
    return sum(1 << (row * cols + col) for row, col in cells)


class AlphaBeta(compiled.AlphaBeta):
    """Looks ahead; scores are margins of cells, by who is nearer where the game is not over."""

    packing: ClassVar[compiled.Packing] = Packing()
    window: ClassVar[float] = 2.0
    unit: ClassVar[Unit] = lead_in(GAME)


class Mcts(tree_search.Mcts):
    """Monte Carlo tree search; eight cells of margin count as a whole win."""

    packing: ClassVar[compiled.Packing] = Packing()
    scale: ClassVar[float] = 8.0 * packed.UNIT


class Exact(compiled.Exact):
    """Proves the final margin of boards of at most 64 cells, and names every colour that reaches it."""

    packing: ClassVar[compiled.Packing] = Packing()
    window: ClassVar[float] = 2.0
    unit: ClassVar[Unit] = lead_in(GAME)

    def most(self, state: Filler) -> int:
        """The cells of the board."""
        return sum(map(len, state.grid))
