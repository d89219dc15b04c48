"""Quoridor's solvers."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from games.core import Cell, SettingsError
from games.quoridor import Move, Quoridor, Wall
from games.quoridor.board import Size
from solvers import compiled, tree_search
from solvers.core import Candidate, Decision, Limit, Progress
from solvers.kernels.alphabeta import ENTIRE
from solvers.kernels.quoridor import board as packed
from solvers.kernels.quoridor import race
from solvers.kernels.quoridor.moves import first_position
from solvers.quoridor import retrograde as quoridor_retrograde
from solvers.quoridor.network import network_for
from solvers.units import Unit

WORDS_MASK = (1 << 64) - 1


def worth_of(
    *,
    lead: tuple[float, float] = (0.0, 0.0),
    move: tuple[float, float] = (0.0, 0.0),
    left: tuple[float, float] = (0.0, 0.0),
    threats: tuple[float, float] = (0.0, 0.0),
    near: int = 0,
) -> NDArray[np.int64]:
    """The table of an evaluation (`solvers.kernels.quoridor.board.LEAD`), in hundredths of a step.

    lead, move: a constant part, and one that is divided by 1 more than the walls both have left.
    left: what each wall is worth, and what the root of their number.
    threats: what is lost by the worst wall there could be in the own path, and by the next, for the root of its steps.
    near: threats are looked for where the score without them is no further than that from what would matter.
    """
    walls = np.arange(2 * packed.MOST_LEFT + 1)
    rows = [parts[0] + parts[1] / (1 + walls) for parts in (lead, move)]
    rows += [left[0] * walls + left[1] * np.sqrt(walls), *(part * np.sqrt(walls) for part in threats)]
    worth = np.rint(rows).astype(np.int64)
    worth[packed.BEST, 0] = near
    return worth


@lru_cache(maxsize=8)
def _bare(size: Size) -> packed.Quoridor:
    """The rules of a size of board without an evaluation."""
    try:
        rules = packed.rules_of(size.rows, size.cols)
    except ValueError as error:
        raise SettingsError(f"{error}: use the solver 'random'") from None
    race.race(rules.board, np.zeros((1, packed.WORDS), np.uint64), *race.room())  # compiled now, which is not thinking
    return rules


class Packing:
    """Quoridor's states as bits of walls and paths.

    worth: the table of the evaluation.  full: whether every wall must be looked at, as a proof has to.
    learned: whether a network corrects it, on the board that one was trained for.
    """

    unit = packed.STEP

    def __init__(self, worth: NDArray[np.int64], *, full: bool = False, learned: bool = False) -> None:
        self._worth, self._full, self._learned = worth, full, learned

    def rules(self, state: Quoridor) -> packed.Quoridor:
        """The packed rules of the board, with what stood since the last wall; raises SettingsError over 128 cells."""
        rules = _bare(state.size)
        return packed.Quoridor(
            rules.board._replace(layers=np.zeros_like(rules.board.layers)),  # each search needs its own
            full=self._full,
            worth=self._worth,
            history=_history(rules.board, state, int(self.pack(state)[packed.KEY])),
            network=network_for(state) if self._learned else rules.network,
        )

    def family(self, state: Quoridor) -> Hashable:
        """The size of the board."""
        return state.size

    def sizes(self, state: Quoridor) -> compiled.Sizes:
        """As deep as a search can be asked for; the walls and the at most five steps are the moves."""
        slots = 2 * (state.size.rows - 1) * (state.size.cols - 1)
        return compiled.Sizes(ENTIRE, packed.WORDS, slots + 5, packed.ACTIONS)

    def pack(self, state: Quoridor) -> NDArray[np.uint64]:
        """uint64[words]: the packed position of `state`."""
        positions = np.zeros((1, packed.WORDS), np.uint64)
        for way, word in (("h", packed.H_LOW), ("v", packed.V_LOW)):
            bits = sum(1 << _place(Cell(wall.row, wall.col), state) for wall in state.walls if wall.way == way)
            positions[0, word : word + 2] = bits & WORDS_MASK, bits >> 64
        first, second = (_place(pawn, state) for pawn in state.pawns)
        left, quiet = state.left[0] | state.left[1] << 8, min(len(state.shuffled), 127)
        status = first | second << 8 | left << 16 | state.player << 32 | quiet << 40
        positions[0, packed.STATUS] = status
        first_position(_bare(state.size).board, positions, 0)
        words: NDArray[np.uint64] = positions[0]
        return words

    def pack_move(self, move: Move, state: Quoridor) -> int:
        """The number of a cell, or of a wall behind those of the cells."""
        if isinstance(move, Wall):
            return (packed.H if move.way == "h" else packed.V) + _place(Cell(move.row, move.col), state)
        return _place(move, state)

    def unpack_move(self, move: int, state: Quoridor) -> Move:
        """The cell or wall of that number."""
        kind, at = divmod(move, packed.CELLS)
        row, col = divmod(at, state.size.cols)
        return Wall("hv"[kind - 1], row, col) if kind else Cell(row, col)


def _place(cell: Cell, state: Quoridor) -> int:
    return cell.row * state.size.cols + cell.col


def _history(board: packed.Board, state: Quoridor, key: int) -> NDArray[np.uint64]:
    """The hashes of the positions since the last wall, which differ from that of `state` by pawns and side alone."""

    def hash_of(pawns: tuple[Cell, Cell]) -> int:
        first, second = (int(board.zobrist[2 + seat, _place(pawn, state)]) for seat, pawn in enumerate(pawns))
        return first ^ second

    here = hash_of(state.pawns)
    keys = []
    for back, pawns in enumerate(reversed(state.shuffled), start=1):
        then = key ^ here ^ hash_of(pawns)
        keys.append(then ^ WORDS_MASK if back % 2 else then)
    return np.array(keys[::-1], np.uint64)


DRAFT = worth_of(lead=(100, 0), left=(60, 0), move=(40, 0))
"""100 for a step, 60 for a wall, 40 for the move: what others begin with."""

TUNED = worth_of(lead=(35, 714), move=(13, 330), left=(191, 169), threats=(195, 138), near=300)
"""What ``python -m bench.solvers.quoridor_evaluation`` found in 42,406 positions of games that an evaluation without
threats played against itself. They took the loss of the fit from 0.509 to 0.489; how many shortest paths there are and
how narrow they get, the rows still to go, and the room about the pawn took it to 0.508 together. At 20,000 positions a
move it won 41 of 72 games from the one without, for 9% more time.
"""


def decide_race(state: Quoridor) -> Decision:
    """The step that wins soonest, holds a draw, or loses last, where no player has a wall left; the score is proven."""
    if state.outcome() is not None:
        raise ValueError("the game is over: there is no move to choose")
    started = time.thread_time()
    positions, (steps, ends) = Packing(DRAFT).pack(state)[None].copy(), race.room()
    race.race(_bare(state.size).board, positions, steps, ends)
    rival, won = _place(state.pawns[1 - state.player], state), quoridor_retrograde.WIN

    def after(step: Cell) -> int:
        """As `ends` has it, of the side that made the step and with the steps that are still to come; 0: it is home."""
        return int(ends[1 - state.player, rival, _place(step, state)])

    home = state.goals[state.player]
    worths = {step: (1, 0) if step.row == home else (-int(np.sign(after(step))), after(step)) for step in state.steps()}
    order = sorted(worths, key=lambda move: (-worths[move][0], -worths[move][1]))
    best = order[0]
    most = worths[best][0]
    return Decision(
        best,
        won * most,
        proven=True,
        line=(best,),
        best=tuple(move for move in order if worths[move][0] == most),
        nodes=1,
        seconds=time.thread_time() - started,
        candidates=tuple(Candidate(move, float(won * worths[move][0])) for move in order),
        unit=quoridor_retrograde.STEPS,
    )


@dataclass(frozen=True)
class AlphaBeta(compiled.AlphaBeta):
    """Looks ahead, for a second where nothing limits it; scores are steps of lead.

    eval: how it judges positions: on the usual board by a "network" that corrects what the paths say, or by "paths".
    """

    packing: ClassVar[compiled.Packing] = Packing(TUNED)
    learned: ClassVar[compiled.Packing] = Packing(TUNED, learned=True)
    window: ClassVar[float] = 0.5
    unit: ClassVar[Unit] = quoridor_retrograde.STEPS
    usual: ClassVar[Limit] = Limit(seconds=1.0)
    """Few positions are ever proven, so a search without a limit would not end."""

    eval: str = "network"

    def __post_init__(self) -> None:
        if self.eval not in ("network", "paths"):
            raise SettingsError(f"there is no eval={self.eval}: choose network or paths")

    def packing_of(self, state: Any) -> compiled.Packing:
        """With a network or without."""
        return self.learned if self.eval == "network" else self.packing

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move found by the deepest search that was finished; its score is proven where `proven` says so.

        With the network a race that is won or lost once no wall is left is known to its end.
        """
        if self.eval == "network" and not any(state.left):
            known = decide_race(state)
            if known.score:
                return known
        return super().decide(state, self.usual if limit.endless and not self.depth else limit, progress=progress)


@dataclass(frozen=True)
class Draft(AlphaBeta):
    """The same search with a plain evaluation: the yardstick of the tuned one."""

    packing: ClassVar[compiled.Packing] = Packing(DRAFT)

    eval: str = "paths"


@dataclass(frozen=True)
class Exact(compiled.AlphaBeta):
    """Proves small boards, the score of a game that is won being 300 less at most the steps to its end.

    Where nothing limits it, boards with at most 16 places for walls are solved backwards, which also tells draws and
    every move that keeps the value. Else, and on larger boards, it searches: every wall is looked at, and a score is
    proven only where no repetition has a part in it.
    """

    packing: ClassVar[compiled.Packing] = Packing(DRAFT, full=True)
    window: ClassVar[float] = 0.5
    unit: ClassVar[Unit] = quoridor_retrograde.STEPS

    megabytes: int = 256

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move; its score is proven where `proven` says so."""
        if limit.depth is None and not self.depth and not any(state.left):
            return decide_race(state)
        if limit.endless and not self.depth and quoridor_retrograde.fits(state):
            guess = super().decide(state, Limit(depth=1))
            solved = quoridor_retrograde.decide(state, guess, progress)
            if solved is not None:
                return solved
        return super().decide(state, limit, progress=progress)


class Mcts(tree_search.Mcts):
    """Monte Carlo tree search; playouts follow the paths and put walls in the rival's."""

    packing: ClassVar[compiled.Packing] = Packing(TUNED)
