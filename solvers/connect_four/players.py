"""Connect Four's solvers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from games.connect_four import ConnectFour
from games.core import SettingsError
from solvers import compiled, tree_search
from solvers.connect_four import book as connect_four_book
from solvers.core import Candidate, Decision, Limit, Progress
from solvers.kernels.connect_four import exact
from solvers.kernels.connect_four import rules as packed
from solvers.threads import TICK, Helper, watched
from solvers.units import Unit


class Packing:
    """Connect Four's states as two words: the stones of the side to move, and all stones."""

    unit = packed.UNIT

    def rules(self, state: ConnectFour) -> packed.ConnectFour:
        """The packed rules of the board's size; raises SettingsError where it needs more than 64 bits."""
        try:
            return packed.rules_of(len(state.grid), len(state.grid[0]), state.length)
        except ValueError as error:
            raise SettingsError(f"{error}: use the solver 'mcts-readable'") from error

    def family(self, state: ConnectFour) -> tuple[int, int, int]:
        """The size of the board and the length of a winning row."""
        return len(state.grid), len(state.grid[0]), state.length

    def sizes(self, state: ConnectFour) -> compiled.Sizes:
        """A move for each cell at most, one for each column at a time."""
        cols = len(state.grid[0])
        return compiled.Sizes(len(state.grid) * cols, 2, cols, cols)

    def pack(self, state: ConnectFour) -> NDArray[np.uint64]:
        """uint64[2]: the stones of the side to move, and all stones."""
        rows = len(state.grid)
        stones = [0, 0, 0]
        for row, kinds in enumerate(state.grid):
            for col, kind in enumerate(kinds):
                stones[kind] |= 1 << (col * (rows + 1) + rows - 1 - row)
        return np.array([stones[state.player + 1], stones[1] | stones[2]], np.uint64)

    def pack_move(self, move: int, state: ConnectFour) -> int:
        """The column."""
        return move

    def unpack_move(self, move: int, state: ConnectFour) -> int:
        """The column."""
        return move


def pons(state: ConnectFour) -> Unit:
    """Pons's score: half the cells that are left when a game is won, the more the sooner."""
    left = sum(row.count(0) for row in state.grid)
    return Unit(won=1, last=((left + 1) // 2, left // 2))


class AlphaBeta(compiled.AlphaBeta):
    """Looks ahead; scores are Pons's once proven, and his with fractions for threats before."""

    packing: ClassVar[compiled.Packing] = Packing()

    def unit_in(self, state: ConnectFour) -> Unit:
        """Pons's, of which the stones of a win tell how long it takes."""
        return pons(state)


class Mcts(tree_search.Mcts):
    """Monte Carlo tree search; every win counts the same."""

    packing: ClassVar[compiled.Packing] = Packing()


SIZE = (6, 7, 4)
"""Rows, columns and length of the game that the exact search and its book know."""

CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
"""The columns, the middle ones first."""

FALLBACK_NODES = 20_000
"""Positions to visit for a move where the limits end the proof: some ten milliseconds."""

LINE_NODES = 200_000
"""What the expected line may cost beyond the proof itself; an answer from the book gives its move alone."""


@dataclass(frozen=True)
class Exact:
    """Plays perfectly: proves the score, Pons's, and names every move that reaches it.

    book: whether to look positions of at most 10 stones up.  every: whether to score the other moves exactly, too.
    megabytes: size of the table, which is kept from one decision to the next.
    varied: whether it draws among the best moves, by `seed` (-1: anew each time), instead of playing the first.
    """

    book: bool = True
    every: bool = False
    megabytes: int = 32
    varied: bool = False
    seed: int = -1
    _chance: list[np.random.Generator] = field(default_factory=list, init=False, repr=False, compare=False)
    _memory: list[NDArray[np.uint64]] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: ConnectFour, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The quickest win, else a draw, else the longest resistance; all such moves in `best`.

        Raises ValueError when the game is over, SettingsError for another board.

        Where a limit ends the proof, the move of a short lookahead instead, unproven; a limit of depth that is less
        than the cells left ends it at once.
        """
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        if (len(state.grid), len(state.grid[0]), state.length) != SIZE:
            raise SettingsError("the exact solver plays 6 rows, 7 columns and 4 in a row: use 'alphabeta' for others")
        proof = _Proof(self._table(), state, limit, progress, self.book)
        score = proof.score(state)
        lines = limit.lines or 1
        found = None if score is None else proof.moves(state, score, every=self.every or lines > 1)
        if score is None or found is None:
            guess = AlphaBeta(megabytes=1).decide(state, Limit(nodes=FALLBACK_NODES, depth=limit.depth))
            return replace(guess, nodes=guess.nodes + proof.nodes, seconds=guess.seconds + proof.seconds)
        best = self._ordered([move for move, value in found if value == score])
        scored = sorted(found, key=lambda item: -100 if item[1] is None else item[1], reverse=True)
        told = {
            move: proof.line(state, move, value) for move, value in scored[:lines] if lines > 1 and value is not None
        }
        candidates = tuple(Candidate(move, value, line=told.get(move, ())) for move, value in scored)
        line = told.get(best[0]) or (proof.line(state, best[0], score) if proof.nodes else best[:1])
        seconds, nodes = proof.seconds, proof.nodes
        return Decision(best[0], score, True, line, best, nodes, seconds, candidates, unit=pons(state))

    def prove(self, state: ConnectFour, limit: Limit, *, likely: Sequence[int]) -> Decision:
        """What can be proven in time: first a move that keeps the result, then one of the best score.

        likely: all moves, in the order in which they are tried; it is much faster where the first one is right.
        The decision is proven, or tells in `bound` the result that its move, the only one in `best`, keeps (1 a win or
        0 a draw; -1, where all moves are in `best`, a loss), or has in `best` all moves that were not refuted.
        """
        proof = _Proof(self._table(), state, limit, None, self.book)
        result, open_still = proof.result(state, likely)
        seconds = proof.seconds
        if result is None:
            return Decision(open_still[0], best=open_still, nodes=proof.nodes, seconds=seconds)
        found = proof.first_best(state, result, open_still if result < 0 else (*open_still, *likely))
        move, score = found or (open_still[0], None)
        candidates = (Candidate(move, score), *(Candidate(other) for other in likely if other != move))
        told = Decision(move, score, nodes=proof.nodes, seconds=proof.seconds, candidates=candidates, unit=pons(state))
        if found is None:
            return replace(told, best=open_still, bound=result)
        return replace(told, proven=True, line=(move,), best=(move,))

    def _ordered(self, best: Sequence[int]) -> tuple[int, ...]:
        """The best moves, the one to play first."""
        if not self.varied:
            return tuple(best)
        if not self._chance:
            self._chance.append(np.random.default_rng(None if self.seed < 0 else self.seed))
        return tuple(self._chance[0].permutation(best).tolist())

    def _table(self) -> NDArray[np.uint64]:
        if not self._memory:
            self._memory.append(np.zeros(1 << ((self.megabytes << 17).bit_length() - 1), np.uint64))
            control = np.array([1, 0, 0, 0], np.int64)
            exact.score_of(self._memory[0], control, np.uint64(0), np.uint64(0), 0, 1)  # compiled or loaded, unclocked
        return self._memory[0]


class _Proof:
    """The scores one decision asks for, and what they cost."""

    def __init__(
        self, table: NDArray[np.uint64], state: ConnectFour, limit: Limit, progress: Progress | None, book: bool
    ) -> None:
        self._table, self._limit, self._book = table, limit, book
        nodes = np.iinfo(np.int64).max if limit.nodes is None else limit.nodes
        if limit.depth is not None and limit.depth < exact.CELLS - len(state.moves):
            nodes = 0
        self._control = np.array([0, 0, nodes, len(state.moves) // 2 % 4], np.int64)
        self._beside: list[NDArray[np.int64]] = []
        self._decision = Decision(state.legal_moves()[0])
        self._progress = progress
        self.seconds = 0.0

    @property
    def nodes(self) -> int:
        """Positions visited so far, by all threads."""
        return sum(int(control[exact.NODES]) for control in (self._control, *self._beside))

    def score(self, state: ConnectFour, low: int = exact.LEAST, high: int = exact.MOST) -> int | None:
        """The score of `state`, known to lie in low..high, from the end, the book or the search; None if stopped."""
        ended = state.outcome()
        if ended is not None:
            return 0 if ended.winner is None else -((exact.CELLS + 2 - len(state.moves)) // 2)
        own, every = (int(word) for word in AlphaBeta.packing.pack(state))
        known = connect_four_book.look_up(own, every) if self._book else None
        return self._search(own, every, low, high) if known is None else known

    def result(self, state: ConnectFour, moves: Sequence[int]) -> tuple[int | None, tuple[int, ...]]:
        """1, 0 or -1 for what perfect play makes of `state`, and a move that does, or all where it is lost.

        Where a limit ends the proof, None and the moves that were not refuted: those that may win, else draw.
        """
        for wanted in (1, 0):
            refuted = set()
            for move in moves:
                reply = self.score(state.play(move), -wanted, 1 - wanted)
                if reply is None:
                    return None, tuple(other for other in moves if other not in refuted)
                if reply <= -wanted:
                    return wanted, (move,)
                refuted.add(move)
        return -1, tuple(moves)

    def first_best(self, state: ConnectFour, result: int, moves: Sequence[int]) -> tuple[int, int] | None:
        """The first of `moves` that has the best score, and that score, where its sign is known; None if stopped."""
        low, high = {1: (1, exact.MOST), 0: (0, 0), -1: (exact.LEAST, -1)}[result]
        score = self.score(state, low, high) if result else 0
        if score is None:
            return None
        for move in moves:
            reply = self.score(state.play(move), -score, 1 - score)
            if reply == -score:
                return move, score
            if reply is None:
                break
        return None

    def moves(self, state: ConnectFour, score: int, *, every: bool) -> list[tuple[int, int | None]] | None:
        """Each move, from the centre out, with its score, or None where all that is known is that it is less."""
        found: list[tuple[int, int | None]] = []
        for move in _from_centre(state):
            child = state.play(move)
            reply = self.score(child) if every else self.score(child, -score, -score + 1)
            if reply is None:
                return None
            booked = child.outcome() is not None or (self._book and len(child.moves) <= connect_four_book.STONES)
            found.append((move, -reply if every or booked or reply == -score else None))
        return found

    def line(self, state: ConnectFour, move: int, score: int) -> tuple[int, ...]:
        """The game that follows if both play on perfectly, as far as it can be told cheaply."""
        line, stop = [move], [exact.NODE_LIMIT, exact.STOP]
        state, score, before = state.play(move), -score, self._control[stop]
        self._control[exact.NODE_LIMIT] = min(int(before[0]), int(self._control[exact.NODES]) + LINE_NODES)
        while state.outcome() is None:
            for reply in _from_centre(state):
                if self.score(state.play(reply), -score, -score + 1) == -score:
                    line.append(reply)
                    state, score = state.play(reply), -score
                    break
            else:
                break
        self._control[stop] = before
        return tuple(line)

    def _search(self, own: int, every: int, low: int, high: int) -> int | None:
        control = self._control
        left = None if self._limit.seconds is None else self._limit.seconds - self.seconds
        if left is not None and left <= 0:
            control[exact.STOP] = 1
        if control[exact.STOP]:
            return None
        spent: list[float] = []

        def work() -> int:
            started = time.thread_time()
            answer = int(exact.score_of(self._table, control, np.uint64(own), np.uint64(every), low, high))
            spent.append(time.thread_time() - started)
            return answer

        helpers = partial(self._helpers, own, every, low, high) if (self._limit.threads or 1) > 1 else None
        enough = None if self._progress is None else self._enough
        score = watched(work, control, left, enough, helpers, at_once=self.seconds >= TICK)
        self.seconds += spent[0]
        return None if control[exact.STOP] else score

    def _helpers(self, own: int, every: int, low: int, high: int) -> list[Helper]:
        """Proofs of the same beside this one: from the right, and of what is so if the one or the other side wins."""
        helpers = []
        for number in range(1, self._limit.threads or 1):
            control = np.array([0, 0, np.iinfo(np.int64).max, self._control[exact.AGE]], np.int64)
            least, most = ((low, high), (low, high), (max(low, 1), high), (low, min(high, -1)))[number % 4]
            position = np.uint64(own), np.uint64(every)
            proof = partial(exact.score_of, self._table, control, *position, least, most, number % 2 == 1)
            helpers.append(Helper(proof, control))
            self._beside.append(control)
        return helpers

    def _enough(self) -> bool:
        return self._progress is not None and self._progress(self._decision)


def _from_centre(state: ConnectFour) -> Iterator[int]:
    legal = state.legal_moves()
    return (move for move in CENTRE_FIRST if move in legal)
