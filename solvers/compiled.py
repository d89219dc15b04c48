"""The compiled alpha-beta as a solver: one dataclass for every game that has packed rules.

A game joins with a `Packing` (its states as packed positions) and a subclass of `AlphaBeta` that names it.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from games.core import IllegalMoveError, State
from solvers.core import Candidate, Decision, Limit, Move, Progress
from solvers.kernels import alphabeta
from solvers.kernels.rules import SCORE_LIMIT
from solvers.threads import TICK, Helper, watched
from solvers.units import PLAIN, Unit


class Sizes(NamedTuple):
    """What a search needs to know of a game's packed positions.

    plies: no game is longer from here.  words: uint64 words of a position.
    width: no position has more legal moves.  actions: every move is less than that.
    """

    plies: int
    words: int
    width: int
    actions: int


class Packing(Protocol):
    """How the states and moves of a game become packed ones."""

    @property
    def unit(self) -> int:
        """What one point of the game's score is in the packed rules' scores."""
        ...

    def rules(self, state: Any) -> Any:
        """The packed rules `state` is played by; raises SettingsError where they cannot be packed.

        Each call gives new ones where a search writes to them.
        """
        ...

    def family(self, state: Any) -> Hashable:
        """Something equal for states whose scores may share a table: everything `identify` leaves out."""
        ...

    def sizes(self, state: Any) -> Sizes:
        """How large a search from `state` is at most."""
        ...

    def pack(self, state: Any) -> NDArray[np.uint64]:
        """uint64[words]: the packed position of `state`."""
        ...

    def pack_move(self, move: Move, state: Any) -> int:
        """The packed rules' number of `move`."""
        ...

    def unpack_move(self, move: int, state: Any) -> Move:
        """The move with that number in `state`."""
        ...


@dataclass(frozen=True)
class AlphaBeta:
    """Iterative deepening with aspiration windows over a game's packed rules.

    depth: plies to look ahead at most, 0 for as many as the limits allow.  megabytes: size of the table, which is kept
    from one decision to the next.  Without any limit it searches until the score is proven.
    """

    packing: ClassVar[Packing]
    window: ClassVar[float] = 1.0
    """Half the first aspiration window, in points of the game's score."""
    unit: ClassVar[Unit] = PLAIN
    """What scores count."""

    depth: int = 0
    megabytes: int = 64
    _memories: dict[Hashable, alphabeta.Memory] = field(default_factory=dict, init=False, repr=False, compare=False)

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move found by the deepest search that was finished; its score is proven where `proven` says so.

        Raises ValueError when the game is over.
        """
        if state.outcome() is not None:
            raise ValueError("the game is over: there is no move to choose")
        search = self.search(state, limit, progress)
        return self._deepened(search, min(limit.depth or alphabeta.ENTIRE, self.depth or alphabeta.ENTIRE))

    def _deepened(self, search: Search, depth: int, *, start: int = 1) -> Decision:
        """The decision after as many of `start`, ... `depth` plies as the limits allow.

        Where several lines are wanted it is that of the deepest search that found them all, unless one was proven.
        """
        ranked = None
        for _ in search.deepen(depth, start=start):
            if search.rank():
                ranked = search.decision
            if search.tell():
                break
        return search.told() if ranked is None or search.decision.proven else search.told(ranked)

    def packing_of(self, state: State[Move]) -> Packing:
        """How the positions of this board are packed; most games have one way."""
        return self.packing

    def unit_in(self, state: Any) -> Unit:
        """What the scores of `state` count."""
        return self.unit

    def search(self, state: State[Move], limit: Limit, progress: Progress | None = None) -> Search:
        """A search of `state` that stands ready, with the table of earlier ones."""
        packing = self.packing_of(state)
        sizes, family = packing.sizes(state), packing.family(state)
        memory = self._memories.get(family)
        if memory is None or memory.moves.shape[0] < sizes.plies + 2:
            memory = alphabeta.allocate(**sizes._asdict(), table_bytes=self.megabytes << 20)
            self._memories.clear()  # one table at a time
            self._memories[family] = memory
            _compile(packing.rules(state), memory)
        search = Search(packing, state, memory, limit=limit, progress=progress, window=self.window)
        search.decision = replace(search.decision, unit=self.unit_in(state))
        return search


@dataclass(frozen=True)
class Exact(AlphaBeta):
    """Proves the final margin, and names every move that reaches it.

    Deepening gives a move at once; half of a limit's seconds go to the proof, and where that does not end, the rest to
    deeper search, whose move is then not proven. The equally good moves are told only if the time lasts.
    """

    guess_depth: ClassVar[int] = 10
    """Plies looked ahead before the proof begins: its first window, and the table's first order of moves."""

    def most(self, state: Any) -> int:
        """No final margin from `state` is larger; raises NotImplementedError where a game does not say."""
        raise NotImplementedError

    def decide(self, state: State[Move], limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move; its score is the final margin once `proven` says so.

        Raises ValueError when the game is over.
        """
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        search = self.search(state, limit, progress)
        for _ in search.deepen(min(limit.depth or alphabeta.ENTIRE, self.guess_depth)):
            if limit.depth is not None:
                search.rank()
            if search.tell():
                return search.decision
        if search.stopped:
            return search.decision
        if not search.decision.proven and limit.depth is None:
            self._prove(search, 0.5)
        if search.decision.proven:
            best = search.equals(round((search.decision.score or 0) * self.packing.unit))
            search.rank()
            return replace(search.told(), best=best or ())
        return self._deepened(search, limit.depth or alphabeta.ENTIRE, start=self.guess_depth + 1)

    def end(self, state: State[Move], limit: Limit, *, progress: Progress | None = None) -> Decision:
        """As `decide`, but all of the limits go to the proof: what other moves are as good is not told."""
        search = self.search(state, limit, progress)
        for _ in search.deepen(self.guess_depth):
            if search.tell():
                return search.decision
        if not (search.stopped or search.decision.proven):
            self._prove(search, 1.0)
        if search.decision.proven:
            search.rank()
        return search.told()

    def prove(self, state: State[Move], limit: Limit, *, likely: Sequence[Move]) -> Decision:
        """As `decide`; `likely`, the moves in the order in which they are thought best, is of no use here."""
        return self.decide(state, limit)

    def _prove(self, search: Search, share: float) -> None:
        """Tries to prove the margin within a share of what is left of the limits; the decision says whether it did."""
        most = self.most(search.state) * self.packing.unit
        guess = round((search.decision.score or 0) * self.packing.unit)
        with search.within(share):
            score = search.prove(guess, -most, most)
        if score is not None:
            search.decision = search.described(score, True, search.line())


def _compile(rules: Any, memory: alphabeta.Memory) -> None:
    """Has the search for these rules compiled or loaded, which must not count as thinking."""
    memory.control[alphabeta.STOP] = 1
    alphabeta.search(rules, memory, 0, 0, -1, 1)


class Search:
    """One decision in the making: the root, its limits, what is known so far."""

    def __init__(
        self,
        packing: Packing,
        state: State[Move],
        memory: alphabeta.Memory,
        *,
        limit: Limit = Limit(),
        progress: Progress | None = None,
        window: float = 1.0,
    ) -> None:
        self.packing, self.state, self.memory = packing, state, memory
        self.rules, self._root = packing.rules(state), packing.pack(state)
        self._limit, self._progress, self._window = limit, progress, round(window * packing.unit)
        self._spent = 0.0
        self._beside: list[tuple[Any, alphabeta.Memory]] = []
        self._cancelled = False
        self._moves = state.legal_moves()
        self._after: dict[Move, tuple[Any, NDArray[np.uint64]]] = {}
        self.decision = Decision(self._moves[0], line=(self._moves[0],))
        control = memory.control
        control[alphabeta.STOP] = control[alphabeta.HELPED] = control[alphabeta.NODES] = 0
        control[alphabeta.NODE_LIMIT] = np.iinfo(np.int64).max if limit.nodes is None else max(limit.nodes, 1)
        control[alphabeta.AGE] = (control[alphabeta.AGE] + 1) % 64
        memory.killers.fill(-1)
        np.right_shift(memory.history, 3, out=memory.history)

    @contextmanager
    def within(self, share: float) -> Iterator[None]:
        """Leaves what happens inside only `share` of the seconds and nodes left; the rest is there again afterwards."""
        limit, control = self._limit, self.memory.control
        spent, visited = self._spent, int(control[alphabeta.NODES])
        if limit.seconds is not None:
            self._limit = replace(limit, seconds=spent + share * (limit.seconds - spent))
        if limit.nodes is not None:
            control[alphabeta.NODE_LIMIT] = visited + round(share * (limit.nodes - visited))
        try:
            yield
        finally:
            self._limit = limit
            if limit.nodes is not None:
                control[alphabeta.NODE_LIMIT] = limit.nodes
            done = limit.nodes is not None and control[alphabeta.NODES] >= limit.nodes
            late = limit.seconds is not None and self._spent >= limit.seconds
            control[alphabeta.STOP] = int(done or late or self._cancelled)

    @property
    def stopped(self) -> bool:
        """Whether a limit was reached, or the caller had enough."""
        return bool(self.memory.control[alphabeta.STOP])

    def deepen(self, depth: int, *, start: int = 1) -> Iterator[Decision]:
        """The decision after `start`, ... `depth` plies, until one is proven or a limit is reached."""
        guess = round((self.decision.score or 0) * self.packing.unit)
        for plies in range(start, depth + 1):
            found = self._aspire(plies, guess)
            line = self.line()
            if found is None:
                if line and self.decision.move != line[0]:
                    self.decision = replace(self.told(), move=line[0], line=line, candidates=(Candidate(line[0]),))
                    yield self.decision
                self.decision = self.told()
                return
            guess, proven = found
            self.decision = replace(self.described(guess, proven, line), depth=plies)
            yield self.decision
            if proven:
                return

    def prove(self, guess: int, least: int, most: int) -> int | None:
        """The packed value of the game, known to lie in least..most, by null windows from `guess` on (MTD(f)).

        Scores are multiples of the unit. None if stopped before; afterwards `line` holds the best play of both.
        """
        unit = self.packing.unit
        asked = guess // unit * unit
        while least < most:
            found = self.value(alphabeta.ENTIRE, asked - 1, asked)
            if found is None:
                return None
            if found[0] >= asked:
                least = found[0]
                asked = least + unit
            else:
                asked = most = found[0] // unit * unit
        return None if self.value(alphabeta.ENTIRE, least - 1, least + 1) is None else least

    def equals(self, score: int) -> tuple[Move, ...] | None:
        """The moves that reach the proven `score`, that of the line first; None if stopped before all are known."""
        best = [self.decision.move]
        for move in self._moves:
            if move != best[0]:
                found = self.value_after(move, alphabeta.ENTIRE, score - 1, score)
                if found is None:
                    return None
                if found[0] >= score:
                    best.append(move)
        return tuple(best)

    def rank(self) -> bool:
        """Gives the best moves an exact score and a line each, as many as are wanted; False where that was not done.

        Each move is searched as deep as the decision, to the end where that is proven: a null window tells whether it
        is among the best so far, and only those that are, are searched for their value.
        """
        lines = self._limit.lines or 1
        if lines == 1 or self.stopped:
            return False
        decision = self.decision
        depth = alphabeta.ENTIRE if decision.proven or decision.depth is None else decision.depth
        top = round((decision.score or 0) * self.packing.unit)
        found, bounds = [(top, decision.move, decision.line)], []
        likely = {candidate.move: None for candidate in decision.candidates} | dict.fromkeys(self._moves)
        for move in list(likely)[1:]:
            floor = sorted((score for score, *_ in found), reverse=True)[lines - 1] if len(found) >= lines else None
            scored = None if floor is None else self.value_after(move, depth - 1, floor, floor + 1)
            if floor is None or (scored is not None and scored[0] > floor):
                scored = self.value_after(move, depth - 1, -SCORE_LIMIT if floor is None else floor, top + 1)
                if scored is not None:
                    found.append((min(scored[0], top), move, (move, *self.line(1, self._after[move][0]))))
            elif scored is not None:
                bounds.append(Candidate(move, self._points(min(scored[0], floor)), at_most=True))
            if scored is None:
                return False
        found.sort(key=lambda each: -each[0])
        best = [Candidate(move, self._points(score), line=line) for score, move, line in found[:lines]]
        rest = [Candidate(move, self._points(score), at_most=True) for score, move, _ in found[lines:]] + bounds
        rest.sort(key=lambda candidate: -(candidate.score or 0.0))
        self.decision = replace(decision, candidates=(*best, *rest))
        return True

    def _points(self, score: int) -> float:
        """A packed score in the game's own points."""
        return round(score / self.packing.unit) if self.decision.proven else score / self.packing.unit

    def value(self, depth: int, alpha: int, beta: int) -> tuple[int, bool] | None:
        """The packed score within (alpha, beta) at `depth` plies and whether it is proven; None if stopped before."""
        self.memory.positions[0] = self._root
        return self._run(0, depth, alpha, beta)

    def value_after(self, move: Move, depth: int, alpha: int, beta: int) -> tuple[int, bool] | None:
        """As `value`, for the same side, if it plays `move` and `depth` plies follow."""
        if move not in self._after:
            state = self.state.play(move)
            self._after[move] = state, self.packing.pack(state)
        after, self.memory.positions[1] = self._after[move]
        if after.player == self.state.player:  # the state has skipped the pass that the packed rules would play
            return self._run(1, depth, alpha, beta)
        found = self._run(1, depth, -beta, -alpha)
        return None if found is None else (-found[0], found[1])

    def _run(self, ply: int, depth: int, alpha: int, beta: int) -> tuple[int, bool] | None:
        memory, rules = self.memory, self.rules
        left = None if self._limit.seconds is None else self._limit.seconds - self._spent
        if left is not None and left <= 0:
            memory.control[alphabeta.STOP] = 1
        if self.stopped:
            return None

        def work() -> tuple[int, bool]:
            started = time.thread_time()
            answer: tuple[int, bool] = alphabeta.search(rules, memory, ply, depth, alpha, beta)
            self._spent += time.thread_time() - started
            return answer

        helpers = partial(self._helpers, ply, depth, alpha, beta) if (self._limit.threads or 1) > 1 else None
        told = None if self._progress is None else self.tell
        found = watched(work, memory.control, left, told, helpers, at_once=self._spent >= TICK)
        return None if self.stopped else found

    def _helpers(self, ply: int, depth: int, alpha: int, beta: int) -> list[Helper]:
        """Searches of row `ply` beside this one, each with an order of moves of its own, every other one deeper."""
        while len(self._beside) < (self._limit.threads or 1) - 1:
            memory = alphabeta.beside(self.memory, seed=len(self._beside))
            self._beside.append((self.packing.rules(self.state), memory))
        self.memory.busy.fill(0)
        self.memory.control[alphabeta.HELPED] = 1
        helpers = []
        for number, (rules, memory) in enumerate(self._beside):
            memory.control[alphabeta.STOP], memory.control[alphabeta.HELPED] = 0, 1
            memory.positions[: ply + 1] = self.memory.positions[: ply + 1]
            plies = min(depth + 1 - number % 2, alphabeta.ENTIRE)
            search = partial(alphabeta.search, rules, memory, ply, plies, alpha, beta)
            helpers.append(Helper(search, memory.control))
        return helpers

    def line(self, ply: int = 0, state: State[Move] | None = None) -> tuple[Move, ...]:
        """The moves the last search expects from `ply` on, where `state` stood, as far as it noted them."""
        state, moves = state or self.state, []
        for move in self.memory.lines[ply, : self.memory.lengths[ply]].tolist():
            following = self.packing.unpack_move(move, state)
            try:
                state = state.play(following)
            except IllegalMoveError:
                break
            moves.append(following)
        return tuple(moves)

    def described(self, score: int, proven: bool, line: tuple[Move, ...]) -> Decision:
        """The decision for a packed score and the line that leads to it."""
        line = line or self.decision.line
        points = score / self.packing.unit
        shown = round(points) if proven else points
        counted = self.told()
        best = Candidate(line[0], shown)
        others = self._others(line[0], shown)
        return replace(counted, move=line[0], score=shown, proven=proven, line=line, candidates=(best, *others))

    def _others(self, move: Move, most: float) -> list[Candidate]:
        """The moves beside `move`, which is worth `most`, by what they are worth at most as far as the table tells."""
        memory, width, unpack = self.memory, self.memory.moves.shape[1], self.packing.unpack_move
        memory.positions[0] = self._root
        moves, scores = np.zeros(width, np.int32), np.zeros(width, np.int64)
        known = alphabeta.outlook(self.rules, memory, moves, scores)
        found = [
            Candidate(unpack(int(packed), self.state), min(int(score) / self.packing.unit, most), at_most=True)
            for packed, score in zip(moves[:known], scores[:known], strict=True)
        ]
        found.sort(key=lambda candidate: -(candidate.score or 0.0))
        return [candidate for candidate in found if candidate.move != move]

    def told(self, decision: Decision | None = None) -> Decision:
        """The decision, or an earlier one, with what it has cost up to now."""
        memories = self.memory, *(memory for _, memory in self._beside)
        nodes = sum(int(memory.control[alphabeta.NODES]) for memory in memories)
        return replace(decision or self.decision, nodes=nodes, seconds=self._spent)

    def tell(self) -> bool:
        """Shows the caller the decision so far, unless it has had enough before; whether it has now."""
        if not self._cancelled and self._progress is not None:
            self._cancelled = self._progress(self.told())
        return self._cancelled

    def _aspire(self, depth: int, guess: int) -> tuple[int, bool] | None:
        """The score at `depth`, from a narrow window about `guess` that widens on the side where it fails."""
        width = self._window
        alpha, beta = (-SCORE_LIMIT, SCORE_LIMIT) if depth == 1 else (guess - width, guess + width)
        while True:
            found = self.value(depth, alpha, beta)
            if found is None or alpha < found[0] < beta:
                return found
            width *= 4
            if found[0] <= alpha:
                alpha = max(found[0] - width, -SCORE_LIMIT)
            else:
                beta = min(found[0] + width, SCORE_LIMIT)
