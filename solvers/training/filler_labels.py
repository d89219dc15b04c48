"""Filler's examples: every best colour of positions that are proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import find_game
from games.core import Options
from solvers import find_solver
from solvers.core import Limit
from solvers.learned.registry import encoder_of, full_options
from solvers.training.label_sources import Arrays, Augmented, LabelledPositions

PROOF_NODES = 10_000_000
"""Positions a proof may visit before it is left out: about a second; nearly all boards of 7x8 take less."""


@dataclass(frozen=True)
class FillerMargins:
    """Every best colour, proven, of positions of games of random and of greedy colours on phone-style boards.

    Mirror images are no other positions here, because the own corner is always the top left one; but every exchange of
    colours gives a new one that is as good.
    """

    board: Options
    encoder: str = "filler-reach"

    EARLY = 12
    """Plies by which every position is an example; the first are one twelfth as often, as their proofs take longest."""

    def make(self, count: int, seed: int) -> Arrays:
        """Planes, best moves and margins, [count, ...], of positions that the exact search proves in time."""
        rng, encoder = np.random.default_rng(seed), encoder_of(self.encoder, self._board)
        exact = find_solver("exact", "filler")
        planes = np.zeros((count, *encoder.shape), np.int8)
        best, legal = np.zeros((count, encoder.actions), np.bool_), np.zeros((count, encoder.actions), np.bool_)
        margins, boards, at = np.zeros(count, np.int8), np.zeros(count, np.uint64), 0
        while at < count:
            board = rng.integers(1 << 63)
            game = self._game(rng)
            chosen = np.flatnonzero(rng.random(len(game)) * self.EARLY < np.arange(1, len(game) + 1))
            for ply in chosen[::-1]:  # what is proven of the end helps to prove the beginning
                state = game[ply]
                decision = exact.decide(state, Limit(nodes=PROOF_NODES))
                if at < count and decision.proven and decision.best:
                    planes[at], margins[at] = np.round(encoder.planes(state)), int(decision.score or 0)
                    boards[at] = board
                    best[at, list(decision.best)], legal[at, list(state.legal_moves())] = True, True
                    at += 1
        return {"planes": planes, "best": best, "legal": legal, "margins": margins, "boards": boards}

    def _game(self, rng: np.random.Generator) -> list[Any]:
        """The positions of a game whose players are as greedy as chance says, until it is over."""
        greedy = find_solver("greedy", "filler")
        state, tastes, found = find_game("filler").deal(rng, self._board), rng.random(2), []
        while moves := state.legal_moves():
            found.append(state)
            sensible = rng.random() < tastes[state.player]
            state = state.play(greedy.decide(state).move if sensible else moves[int(rng.integers(len(moves)))])
        return found

    def labelled(self, arrays: Arrays) -> LabelledPositions:
        """Of arrays [n, ...]: the moves that keep the margin; values are who wins."""
        best = arrays["best"].astype(np.bool_)
        values = np.sign(arrays["margins"].astype(np.float32))
        planes, legal = arrays["planes"].astype(np.int8), arrays["legal"].astype(np.bool_)
        common = np.zeros(len(planes), np.bool_)
        return LabelledPositions(planes, best, best, legal, values, arrays["boards"].astype(np.uint64), common)

    def augmented(self, planes: NDArray[np.int8], moves: NDArray[np.float32], rng: np.random.Generator) -> Augmented:
        """Each with its colours exchanged by chance: int8[n, planes, rows, cols] and float32[n, actions]."""
        order = rng.random(moves.shape).argsort(axis=1)
        planes, rows = planes.copy(), np.arange(len(planes))[:, None]
        planes[:, : moves.shape[1]] = planes[rows, order]
        return planes, moves[rows, order]

    @property
    def _board(self) -> Options:
        return full_options("filler", self.board)


LABEL_SOURCES = {"exact": FillerMargins}
"""The name that a setting gives -> the source."""
