"""Flood-It's solvers: greedy, lookahead, beam, and the exact search with its anytime form."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from games.core import Cell, SettingsError
from games.flood import neighbours
from games.flood_it import FloodIt
from solvers.core import Candidate, Decision, Limit, Progress
from solvers.kernels.flood_it import board as packing
from solvers.kernels.flood_it import heap as memory
from solvers.kernels.flood_it import search as searching
from solvers.kernels.flood_it import sequences
from solvers.units import FLOODED, MOVES

SLICE = 20_000
"""Positions visited between two looks at the limit: about 2 ms, so that Ctrl-C and a wish to stop are soon heard."""

PREFERENCES = ("cells", "finish")


def packed(state: FloodIt) -> packing.Packed:
    """The components of `state`, which the kernels search."""
    grid = np.array(state.grid, dtype=np.int8)
    return packing.pack(grid, state.start.row, state.start.col, state.colours, _beside(*grid.shape, state.joined))


@lru_cache(maxsize=16)
def _beside(rows: int, cols: int, joined: str) -> NDArray[np.int32]:
    """int32[rows * cols, n]: the numbers of the neighbours of each cell, -1 where there are fewer."""
    board = ((0,) * cols,) * rows
    every = [neighbours(board, Cell(row, col), joined) for row in range(rows) for col in range(cols)]
    found = np.full((rows * cols, max(map(len, every))), -1, dtype=np.int32)
    for cell, near in enumerate(every):
        found[cell, : len(near)] = [row * cols + col for row, col in near]
    return found


def _require_moves(state: FloodIt, board: packing.Packed) -> None:
    outcome = state.outcome() if board.sizes.size == 1 or state.left == 0 else None  # as the rules take their time
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
        began = time.thread_time()
        board = packed(state)
        _require_moves(state, board)
        depth = self.depth if limit.depth is None else max(1, min(self.depth, limit.depth))
        limited = limit.seconds is not None or limit.nodes is not None or progress is not None
        decision, nodes = None, 0
        for deep in range(1 if limited else depth, depth + 1):
            walk = sequences.begin(board, deep)
            while not sequences.walk(board, walk, SLICE):
                if decision is not None and _spent(limit, nodes + int(walk.at[1]), began):
                    return replace(decision, nodes=nodes + int(walk.at[1]), seconds=time.thread_time() - began)
            nodes += int(walk.at[1])
            decision = self._decision(board, walk, nodes, time.thread_time() - began)
            if (progress is not None and progress(decision)) or _spent(limit, nodes, began):
                break
        assert decision is not None
        return decision

    def _decision(self, board: packing.Packed, walk: sequences.Sequences, nodes: int, seconds: float) -> Decision:
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
            unit=FLOODED,
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


PROOF_WIDTH, UNCUT = 4000, 16_000
"""Positions a layer keeps while a line one move shorter is sought, once one has had more than `UNCUT`; else it proves.

With 4000 from the first layer on, 12 boards of 19x19 took twice as long; with 16,000 4 of 22x22 took a quarter longer.
"""

SLICE_WORDS = 160_000
"""Words of distance sets made between two looks at the limit, some 5 ms."""

LANES = 3
"""Words of a set up to which the search is compiled for exactly so many, 192 components: 14x14 has 136 on average."""


def first_width(components: int) -> int:
    """How many positions a layer keeps for the first answer: a beam as dear as some tenth of the proof to come.

    14 on 14x14, where that takes 0.07 moves more than the optimum; 3 on 10x10, 90 on 19x19; at most 200, which takes
    some 35 ms on 24x24.
    """
    return min(max(round((components / 56) ** 3), 3), 200)


class _Hunt:
    """One search for a shortest line: its heap, its limit and the best line so far."""

    def __init__(self, state: FloodIt, limit: Limit, progress: Progress | None, memory_mb: int) -> None:
        self.began = time.thread_time()
        self.state, self.limit, self.progress = state, limit, progress
        self.nodes, self.stopped = 0, False
        self.line: tuple[int, ...] = ()
        self.room = memory_mb * 2**20 // 8
        board = packed(state)
        self.components = board.sizes.size
        _require_moves(state, board)
        words = max(LANES, board.links.shape[1])
        self.lanes = (0,) * LANES if words == LANES else ()
        self.heap = self._heap(board, words)
        self.bound = searching.lower_bound(self.heap, self.lanes, board.sizes.size)

    def _heap(self, board: packing.Packed, words: int) -> memory.Heap:
        """A heap for `board`, with fewer distance sets where all would take more than a third of the room."""
        nothing = np.empty(0, np.int64)
        for steps in (board.sizes.size + 1, 128, 64, 32, 16, 8, 4, 2):
            needed = memory.prepare(board, words, steps, nothing)
            if needed * 3 <= self.room:
                heap = np.empty(max(1 << 15, needed * 3 // 2), np.int64)
                memory.prepare(board, words, steps, heap)
                return heap
        raise SettingsError(
            f"a board of {board.sizes.size} components cannot be searched in {self.room * 8 >> 20} MB: "
            f"set memory_mb to {(needed * 24 >> 20) + 1} or more"
        )

    @property
    def proven(self) -> bool:
        """Whether no line can be shorter than the best."""
        return bool(self.line) and self.bound >= len(self.line)

    def first_line(self, width: int) -> None:
        """Find a line with a beam of `width`; where a limit may stop it, with one of a single position before.

        That one no limit stops: it visits no more positions than its line has moves.
        """
        enough = self.room  # moves: more than any line has
        if self.limit.seconds is not None or self.limit.nodes is not None:
            self.shorten(enough, 1, unlimited=True)
            self._look_round()
            self.shorten(len(self.line) - 1, width)
        elif self.shorten(enough, width) != memory.FOUND:
            self.shorten(enough, 1, unlimited=True)

    def prove(self) -> None:
        """Shorten the line until it is proven or the search is stopped."""
        while not self.proven and self.shorten(len(self.line) - 1, PROOF_WIDTH, uncut=UNCUT) == memory.FOUND:
            pass
        while not self.proven and self.shorten(self.bound, 0) != memory.RUNNING:
            pass

    def shorten(self, moves: int, width: int, *, uncut: int = 0, unlimited: bool = False) -> int:
        """Look for a line of up to `moves` moves and keep it; memory.FOUND, NONE, CUT, or RUNNING when stopped."""
        steps, words = int(self.heap[memory.STEPS]), int(self.heap[memory.WORDS])
        portion = 1 + SLICE_WORDS // (steps * words)
        memory.begin(self.heap, moves)
        before = self.nodes
        while not self.stopped or unlimited:
            budget = portion if self.limit.nodes is None else min(portion, self.limit.nodes - self.nodes)
            budget = portion if unlimited else max(budget, 1)
            status = searching.search(self.heap, self.lanes, moves, width, uncut, budget)
            self.nodes = before + int(self.heap[memory.NODES])
            if status == memory.FULL:
                self._grow()
            elif status != memory.RUNNING:
                self._note(status, moves)
                return int(status)
            if not unlimited:
                self._look_round()
        return int(memory.RUNNING)

    def _note(self, status: int, moves: int) -> None:
        if status == memory.FOUND:
            self.line = self._found()
        elif status == memory.NONE:
            self.bound = max(self.bound, moves + 1)

    def _found(self) -> tuple[int, ...]:
        heap, links = self.heap, int(self.heap[memory.LINKS])
        line, link = [int(heap[memory.LAST_MOVE])], int(heap[links + int(heap[memory.FIRST_LINK])])
        while link >= 0:
            line.append(link & 15)
            link = int(heap[links + (link >> 4)])
        return tuple(reversed(line))

    def _grow(self) -> None:
        """Move to twice the room, or what is left of it while both heaps stand; stop where that is too little."""
        size = min(self.heap.size * 2, self.room - self.heap.size)
        if size < self.heap.size * 5 // 4:
            self.stopped = True
            return
        larger = np.empty(size, np.int64)
        memory.move(self.heap, larger)
        self.heap = larger

    def report(self) -> None:
        """Tell of the best line so far, and stop if that is wished."""
        if self.line and not self.stopped and self.progress is not None and self.progress(self.decision()):
            self.stopped = True

    def _look_round(self) -> None:
        """Stop where the limit is reached or whoever hears of the progress wishes so."""
        if _spent(self.limit, self.nodes, self.began):
            self.stopped = True
        self.report()

    def decision(self) -> Decision:
        moves = float(len(self.line))
        return Decision(
            self.line[0],
            score=moves,
            proven=self.proven,
            line=self.line,
            best=self.line[:1],
            nodes=self.nodes,
            seconds=time.thread_time() - self.began,
            candidates=(Candidate(self.line[0], moves),),
            bound=None if self.proven else float(self.bound),
            unit=MOVES,
        )


@dataclass(frozen=True)
class Beam:
    """Keeps the `width` best positions of each number of moves and answers the first that floods the board.

    The best have the least proven bound, then the least sum of distances to what is left. A limit that comes sooner
    gives the line of a beam of one position. memory_mb bounds the memory of the search.
    """

    width: int = 100
    memory_mb: int = 250

    def __post_init__(self) -> None:
        if self.width < 1:
            raise SettingsError(f"a beam keeps 1 position or more, not {self.width}")
        _require_memory(self.memory_mb)

    def decide(self, state: FloodIt, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The first move of the shortest line found; its score is the length, proven if the bound says so."""
        hunt = _Hunt(state, limit, progress, self.memory_mb)
        hunt.first_line(self.width)
        return hunt.decision()


@dataclass(frozen=True)
class Exact:
    """Finds a shortest line and proves that there is none shorter.

    A narrow beam gives the first answer. Then lines one move shorter are sought among all positions that the bound
    allows, layer by layer: none is a proof. Where there are very many, shorter lines are ruled out from the shortest
    on instead. A limit, a wish to stop or `memory_mb` megabytes give the best line so far, with the bound proven.
    One thread searches whatever the limit says: with a second one for the other of these two ways, and with the layers
    of both shared among two, proofs on 19x19 took 1.0 to 1.25 times as long.
    `progress` hears every few milliseconds of the best line so far.
    """

    memory_mb: int = 250

    def __post_init__(self) -> None:
        _require_memory(self.memory_mb)

    def decide(self, state: FloodIt, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The first move of a shortest line; its score is the length."""
        hunt = _Hunt(state, limit, progress, self.memory_mb)
        hunt.first_line(first_width(hunt.components))
        hunt.report()
        hunt.prove()
        return self._ranked(state, limit, progress, hunt.decision())

    def _ranked(self, state: FloodIt, limit: Limit, progress: Progress | None, best: Decision) -> Decision:
        """`best` with the shortest lines that begin with other colours, as many as are wanted; each is a search.

        All together may take as long again as `best` was allowed.
        """
        lines, others = limit.lines or 1, [colour for colour in state.legal_moves() if colour != best.move]
        if lines == 1 or not others:
            return best
        part = replace(
            *(limit,),
            seconds=None if limit.seconds is None else limit.seconds / len(others),
            nodes=None if limit.nodes is None else max(1, limit.nodes // len(others)),
            lines=None,
        )
        found, endless = [Candidate(best.move, best.score, line=best.line)], replace(state, left=None)
        for colour in others:
            after = endless.play(colour)
            if after.outcome() is not None:
                found.append(Candidate(colour, 1.0, line=(colour,)))
                continue
            told = Exact(self.memory_mb).decide(after, part, progress=progress)
            best = replace(best, nodes=best.nodes + told.nodes, seconds=best.seconds + told.seconds)
            found.append(Candidate(colour, 1 + (told.score or 0.0), line=(colour, *told.line)))
        found[1:] = sorted(found[1:], key=lambda candidate: candidate.score or 0.0)
        return replace(best, candidates=(*found[:lines], *(replace(each, line=()) for each in found[lines:])))


@dataclass(frozen=True)
class Anytime(Exact):
    """`Exact` for a game that is being played: it stops after `seconds` of CPU time where the limit names none."""

    seconds: float = 1.0

    def decide(self, state: FloodIt, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The first move of the shortest line found in time; its score is the length."""
        if limit.seconds is None:
            limit = replace(limit, seconds=self.seconds)
        return super().decide(state, limit, progress=progress)


def _require_memory(megabytes: int) -> None:
    if megabytes < 1:
        raise SettingsError(f"a search needs 1 MB or more, not memory_mb={megabytes}")


def positions(state: FloodIt, line: Sequence[int]) -> tuple[FloodIt, ...]:
    """`state` and the position after each move of `line`, as a picture of a solution shows them."""
    return tuple(accumulate(line, FloodIt.play, initial=state))
