"""Flood-It's solvers: greedy and lookahead."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from games.core import SettingsError
from games.flood_it import FloodIt
from solvers.core import Candidate, Decision, Limit, Progress
from solvers.kernels import flood_it as kernel

SLICE = 20_000
"""Positions visited between two looks at the limit: about 2 ms, so that Ctrl-C and a wish to stop are soon heard."""

PREFERENCES = ("cells", "finish")


def packed(state: FloodIt) -> kernel.Packed:
    """The components of `state`, which the kernels search."""
    grid = np.array(state.grid, dtype=np.int8)
    return kernel.pack(grid, state.start.row, state.start.col, state.colours)


def _require_moves(state: FloodIt) -> None:
    outcome = state.outcome()
    if outcome is not None:
        raise ValueError(f"the game is over: {outcome.reason}; there is no move to choose")


@dataclass(frozen=True)
class Lookahead:
    """Tries every sequence of `depth` colours and plays the first colour of the one that floods the most cells.

    prefer: what decides between sequences that flood the whole board: ``cells`` leaves it at the lowest colour,
    ``finish`` takes the one with the fewest moves.
    The candidates' scores are the cells flooded at the end of the best sequence that begins with each move.
    A limit that is reached gives the decision of the deepest lookahead that was completed.
    """

    depth: int = 4
    prefer: str = "cells"

    def __post_init__(self) -> None:
        if self.depth not in range(1, 13):
            raise SettingsError(f"lookahead goes from 1 to 12 moves deep, not {self.depth}")
        if self.prefer not in PREFERENCES:
            raise SettingsError(f"lookahead can prefer {' or '.join(PREFERENCES)}, not {self.prefer!r}")

    def decide(self, state: FloodIt, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move whose best sequence floods the most cells, the lowest colour among equals."""
        _require_moves(state)
        began = time.thread_time()
        board = packed(state)
        depth = self.depth if limit.depth is None else max(1, min(self.depth, limit.depth))
        limited = limit.seconds is not None or limit.nodes is not None or progress is not None
        decision, nodes = None, 0
        for deep in range(1 if limited else depth, depth + 1):
            walk = kernel.sequences(board, deep)
            while not kernel.walk(board, walk, SLICE):
                if decision is not None and _spent(limit, nodes + int(walk.at[1]), began):
                    return replace(decision, nodes=nodes + int(walk.at[1]), seconds=time.thread_time() - began)
            nodes += int(walk.at[1])
            decision = self._decision(board, walk, nodes, time.thread_time() - began)
            if (progress is not None and progress(decision)) or _spent(limit, nodes, began):
                break
        assert decision is not None
        return decision

    def _decision(self, board: kernel.Packed, walk: kernel.Sequences, nodes: int, seconds: float) -> Decision:
        most, soonest = walk.most.tolist(), walk.soonest.tolist()
        legal = [colour for colour, cells in enumerate(most) if cells >= 0]
        finish = soonest if self.prefer == "finish" else [0] * len(soonest)
        takes = (board.classes & board.links[0]).any(axis=1)  # else a move that takes nothing could win every tie
        legal.sort(key=lambda colour: (-most[colour], finish[colour], not takes[colour], colour))
        return Decision(
            legal[0],
            line=(legal[0],),
            nodes=nodes,
            seconds=seconds,
            candidates=tuple(Candidate(colour, float(most[colour])) for colour in legal),
        )


@dataclass(frozen=True)
class Greedy:
    """Plays the colour that floods the most cells now, the lowest among equals; the candidates' scores are cells."""

    def decide(self, state: FloodIt, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The move that makes the region largest."""
        return Lookahead(1).decide(state, limit, progress=progress)


def _spent(limit: Limit, nodes: int, began: float) -> bool:
    """Whether `limit` is reached after so many nodes by a search that began at thread time `began`."""
    if limit.nodes is not None and nodes >= limit.nodes:
        return True
    return limit.seconds is not None and time.thread_time() - began >= limit.seconds
