"""Levels 1 to 8 of every game of two, for people to play against: seven steps of strength, the same on every machine.

A level looks at the moves as a search of so many positions or plies sees them, and draws one, the better the likelier:
its mistakes are small more often than large, and no two of its games are alike.  What a level's search may cost is
counted, never timed.  ``LEVELS`` of ``solvers.GAME`` are a game's own, measured by ``python -m bench levels``.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from games import find_game, part_of
from games.core import SettingsError, State
from solvers import find_solver
from solvers.any_game import AlphaBeta
from solvers.core import Candidate, Decision, Limit, Move, Progress, Solver

STRONGEST = 8
"""The last level; the first is 1."""

EVERY = 1_000
"""More lines than any position has moves worth telling apart."""


@dataclass(frozen=True, slots=True)
class Level:
    """What makes a level of one game.

    nodes, depth: what its search may look at for a move; nodes even where the depth is small, because a result that is
    proven is asked of every move.  solver: whose search that is, "" for the one that knows the rules alone.
    lines: how many of the best moves are scored exactly, and they alone may be drawn; None: what the search showed of
    the moves beside its best must do, which costs nothing but tells nothing either a ply ahead.
    temperature: how much worse a move is that is drawn e times less often than the best, in points of the score, or of
    the logarithm of visits where those are counted; 0 draws among the best alone, and looks at between half of the
    nodes and all, by chance, so that games differ still.
    spread: whether that is in parts of how far the scores of a position lie apart, for games whose points nobody knows.
    """

    nodes: int
    solver: str = ""
    depth: int | None = None
    lines: int | None = None
    temperature: float = 0.0
    spread: bool = False

    def within(self, limit: Limit, rng: np.random.Generator) -> Limit:
        """`limit`, and what the level's search may look at; one thread, since only that repeats."""
        nodes = self.nodes if self.temperature else round(self.nodes * rng.uniform(0.5, 1.0))
        nodes = min(nodes, limit.nodes or nodes)
        depth = min((each for each in (self.depth, limit.depth) if each is not None), default=None)
        return Limit(limit.seconds, nodes, depth, self.lines)


UNMEASURED = (
    Level(200, depth=1, lines=EVERY, temperature=2.0, spread=True),
    Level(200, depth=1, lines=EVERY, temperature=1.0, spread=True),
    Level(200, depth=1, lines=EVERY, temperature=0.6, spread=True),
    Level(400, depth=2, lines=EVERY, temperature=0.5, spread=True),
    Level(400, depth=2, lines=EVERY, temperature=0.3, spread=True),
    Level(800, depth=3, lines=EVERY, temperature=0.25, spread=True),
    Level(1_500, depth=4, lines=EVERY, temperature=0.12, spread=True),
    Level(3_000),
)
"""The levels of a game, or of a board, that none were measured for; the last takes half a second."""


@dataclass(frozen=True)
class LevelPlayer:
    """Plays at one of the levels; `number`, from 1 to 8, may stand alone, as in ``level:3``.

    It always takes a win at once that its search sees, as all do that look a ply ahead.  The same `seed` plays the same
    move in the same position (-1: a fresh draw each time).  A limit can make it weaker, never stronger.
    """

    alone: ClassVar[str] = "number"
    """The option whose name may be left out."""

    game: str
    number: int = 4
    seed: int = -1

    def __post_init__(self) -> None:
        if not 1 <= self.number <= STRONGEST:
            raise SettingsError(f"there is no level {self.number}: choose one of 1 to {STRONGEST}")

    @property
    def level(self) -> Level:
        """How it plays where that can be."""
        return levels_of(self.game)[self.number - 1]

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """A move drawn from what the level sees, and what it sees.  Raises ValueError when the game is over."""
        if state.outcome() is not None:
            raise ValueError("the game is over: there is no move to choose")
        rng = self._rng(state)
        level, seen = self._seen(state, limit, rng, progress)
        return seen if _wins(state, seen.move) else _with(seen, drawn(seen, level, rng))

    def _seen(
        self, state: State[Move], limit: Limit, rng: np.random.Generator, progress: Progress | None
    ) -> tuple[Level, Decision]:
        """The game's level, or where its solver refuses such a board the one of any game, and what its search found."""
        for level in (self.level, UNMEASURED[self.number - 1]):
            solver: Solver = AlphaBeta(self.game)
            try:
                if level.solver:
                    solver = find_solver(level.solver, self.game)
                return level, solver.decide(state, level.within(limit, rng), progress=progress)
            except SettingsError:
                if not level.solver:
                    raise
        raise AssertionError("the search that knows the rules alone refuses no board")

    def _rng(self, state: State[Move]) -> np.random.Generator:
        """What draws in this position."""
        if self.seed < 0:
            return np.random.default_rng()
        return np.random.default_rng([self.seed, zlib.crc32(find_game(self.game).format(state).encode())])


def levels_of(game: str) -> Sequence[Level]:
    """The levels of `game`, the weakest first: those measured, or those of any game."""
    measured: Sequence[Level] = getattr(part_of(game, "solvers"), "LEVELS", UNMEASURED)
    return measured


def drawn(seen: Decision, level: Level, rng: np.random.Generator) -> Move:
    """A move that the level plays, by what its search has seen."""
    scored = [each for each in seen.candidates if each.score is not None and not (level.lines and each.at_most)]
    if any(each.visits for each in scored):
        scored = [each for each in scored if each.visits]
        worths = np.log([each.visits or 0 for each in scored])
    else:
        worths = np.array([each.score for each in scored], float)
    if level.temperature == 0 or len(scored) < 2:
        return seen.best[int(rng.integers(len(seen.best)))] if seen.best else seen.move
    unit = level.temperature * (float(worths.std()) or 1.0 if level.spread else 1.0)
    return scored[int(rng.choice(len(scored), p=shares(worths / unit)))].move


def shares(worths: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[moves], the chance of each, e times larger for 1 more of its worth.

    >>> shares(np.array([0.0, np.log(3)])).round(2).tolist()
    [0.25, 0.75]
    """
    weights = np.exp(worths - worths.max())
    result: NDArray[np.float64] = weights / weights.sum()
    return result


def _with(seen: Decision, move: Move) -> Decision:
    """What was seen, of one who plays `move`."""
    if move == seen.move:
        return seen
    own = next((each for each in seen.candidates if each.move == move), Candidate(move))
    best = (move, *(each for each in seen.best if each != move)) if move in seen.best else ()
    return replace(
        seen,
        move=move,
        score=own.score,
        proven=seen.proven and bool(best),
        bound=None,
        line=own.line or (move,),
        best=best,
        candidates=(own, *(each for each in seen.candidates if each.move != move)),
    )


def _wins(state: State[Any], move: Move) -> bool:
    ended = state.play(move).outcome()
    return ended is not None and ended.winner == state.player
