"""Blokus's solvers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from games.blokus import GAME
from games.blokus.board import PASS, BlokusBoard, Move, laid
from games.blokus.position import Blokus
from games.blokus.texts import format_move, parse_points
from games.core import Cell, SettingsError, choices
from games.polyominoes import PIECES, shape_of
from solvers import compiled
from solvers.action_cache import ActionCache
from solvers.core import Candidate, Decision, Limit, Progress, Solver
from solvers.kernels.alphabeta import NODE_LIMIT, NODES, STOP, allocate
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus import orderings, small
from solvers.kernels.blokus import rules as packed_rules
from solvers.kernels.blokus.moves import FOUND, MOST_CORNERS
from solvers.kernels.blokus.ways import FORM_NUMBER, FORMS
from solvers.kernels.minimax import advance, minimax
from solvers.threads import watched
from solvers.units import Unit, lead_in

MOST_MOVES = 8192
"""Room for more placements than a colour can have at once: 1,400 are the most seen in games at random, on any board."""


@lru_cache(maxsize=8)
def rules_of(board: BlokusBoard) -> packed.Blokus:
    """The packed rules of `board`."""
    starts = [[(cell.row, cell.col) for cell in board.list(cells)] for cells in board.starts]
    seats = [colour % board.players for colour in range(board.colours)]
    if board.players == 3 and board.colours == 4:
        seats[3] = -1
    return packed.rules_of(board.side, starts, seats, bonus=board.bonus)


@lru_cache(maxsize=8)
def _small_rules(board: BlokusBoard) -> small.SmallBlokus:
    return small.rules_of(board.side, [[(cell.row, cell.col) for cell in board.list(cells)] for cells in board.starts])


def pack_move(move: Move, board: BlokusBoard) -> int:
    """The packed rules' number of a placement or a pass."""
    if not move:
        return len(FORMS) * board.side**2
    row, col = move[0].row, min(cell.col for cell in move)
    return FORM_NUMBER[shape_of(move)] * board.side**2 + row * board.side + col


def unpack_move(move: int, board: BlokusBoard) -> Move:
    """The placement, or PASS, with that number."""
    form, place = divmod(move, board.side**2)
    return PASS if form == len(FORMS) else laid(FORMS[form], Cell(*divmod(place, board.side)))


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


def count_all(state: Blokus) -> int:
    """The placements that all colours have, whoever is to move."""
    rules = rules_of(state.board)
    positions, found = np.repeat(pack(state, rules), 2, axis=0), np.zeros((MOST_CORNERS, FOUND), np.uint64)
    return int(packed_rules.count_all(rules, positions, found))


class Packing:
    """Blokus's states as packed positions for the searches of two sides."""

    unit = packed.UNIT

    def rules(self, state: Blokus) -> packed.Blokus | small.SmallBlokus:
        """The packed rules of the board; raises SettingsError where more than two seats play."""
        if state.board.players > 2:
            raise SettingsError(f"this search knows two sides, not {state.board.players}: use 'mcts' or 'heuristic'")
        return rules_of(state.board)

    def family(self, state: Blokus) -> Hashable:
        """The board."""
        return state.board

    def sizes(self, state: Blokus) -> compiled.Sizes:
        """Every colour has 21 pieces, and passes while another places its own."""
        rules = rules_of(state.board)
        return compiled.Sizes(_plies(state), packed.words_of(rules), MOST_MOVES, packed.pass_of(rules) + 1)

    def pack(self, state: Blokus) -> NDArray[np.uint64]:
        """uint64[words]: the words of `state`."""
        words: NDArray[np.uint64] = pack(state, rules_of(state.board))[0]
        return words

    def pack_move(self, move: Move, state: Blokus) -> int:
        """The form and where its top left corner lies."""
        return pack_move(move, state.board)

    def unpack_move(self, move: int, state: Blokus) -> Move:
        """The placement with that number."""
        return unpack_move(move, state.board)


class SmallPacking(Packing):
    """The packing in three words of boards that fit into one, the only ones that networks and tables know."""

    def rules(self, state: Blokus) -> small.SmallBlokus:
        """The packed rules; raises SettingsError for larger boards, more colours, and bonuses."""
        if not _is_small(state.board):
            raise SettingsError("networks and tables know Blokus on at most 8x8 cells with two colours: say --size 7x7")
        return _small_rules(state.board)

    def sizes(self, state: Blokus) -> compiled.Sizes:
        """Three words; moves are numbered by the placements that the board has room for."""
        moves = len(self.rules(state).cells) + 1
        return compiled.Sizes(_plies(state), small.WORDS, moves, moves)

    def pack(self, state: Blokus) -> NDArray[np.uint64]:
        """uint64[3]: the squares of the side to move and of its rival, and a status."""
        own, rival = state.colour, 1 - state.colour
        masks = [sum(1 << (8 * cell.row + cell.col) for cell in state.board.list(cells)) for cells in state.cells]
        left = [sum(1 << piece for piece in pieces) for pieces in state.left]
        status = left[own] | left[rival] << 21
        for place, flag in enumerate((not state.active[own], not state.active[rival], own == 1), 42):
            status |= flag << place
        return np.array([masks[own], masks[rival], status], np.uint64)

    def pack_move(self, move: Move, state: Blokus) -> int:
        """The placement's number on this board, behind them all that of a pass."""
        rules = self.rules(state)
        return int(rules.numbers[pack_move(move, state.board)]) if move else len(rules.cells)

    def unpack_move(self, move: int, state: Blokus) -> Move:
        """The placement with that number, or PASS."""
        rules = self.rules(state)
        return PASS if move == len(rules.cells) else unpack_move(int(rules.moves[move]), state.board)


def packing_of(state: Blokus) -> Packing:
    """The packing that is quickest for the board."""
    return SmallPacking() if _is_small(state.board) else Packing()


def _plies(state: Blokus) -> int:
    return 2 * len(PIECES) * state.board.colours


def _is_small(board: BlokusBoard) -> bool:
    return board.side <= small.LARGEST_SIDE and board.colours == 2 and not board.bonus


@dataclass(frozen=True)
class AlphaBeta(compiled.AlphaBeta):
    """Looks ahead; scores are margins of squares, by who has more room where the game is not over.

    cache: a file where decisions of a fixed depth are kept from one run to the next, if it is named.
    """

    packing: ClassVar[compiled.Packing] = Packing()
    window: ClassVar[float] = 2.0
    unit: ClassVar[Unit] = lead_in(GAME)

    cache: str = ""

    def packing_of(self, state: Any) -> Packing:
        """The one of small boards, where they are."""
        return packing_of(state)

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move of the deepest search that was finished, or the one kept for this position and depth."""
        search = partial(super().decide, state, limit, progress=progress)
        return _kept(self.cache, f"alphabeta {self.depth}", state, limit, search)


@dataclass(frozen=True)
class Minimax:
    """Looks `depth` plies ahead without pruning: what alpha-beta saves is measured against it.

    cache: a file where decisions are kept from one run to the next, if it is named.
    """

    depth: int = 2
    cache: str = ""

    def decide(self, state: Blokus, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best move at that depth, the first of equals, or the best of those looked at before a limit."""
        depth = min(limit.depth or self.depth, self.depth)
        return _kept(self.cache, f"minimax {depth}", state, limit, lambda: self._search(state, limit, progress, depth))

    def _search(self, state: Blokus, limit: Limit, progress: Progress | None, depth: int) -> Decision:
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        packing = packing_of(state)
        rules, memory = packing.rules(state), allocate(**packing.sizes(state)._asdict(), table_bytes=1)
        control = memory.control
        control[NODE_LIMIT] = limit.nodes or control[NODE_LIMIT]
        started, found = time.thread_time(), list[Candidate]()
        memory.positions[0] = packing.pack(state)
        for move in state.legal_moves():
            left = None if limit.seconds is None else limit.seconds - (time.thread_time() - started)
            advance(rules, memory, packing.pack_move(move, state))
            score = -watched(partial(minimax, rules, memory, 1, depth - 1), control, left, None)
            if control[STOP] and found:
                break
            found.append(Candidate(move, score / packed.UNIT))
            best = max(found, key=lambda candidate: candidate.score or 0.0)
            if progress is not None and progress(Decision(best.move, best.score, line=(best.move,))):
                break
        found.sort(key=lambda candidate: -(candidate.score or 0.0))
        best = found[0]
        return Decision(
            best.move,
            best.score,
            line=(best.move,),
            nodes=int(control[NODES]),
            seconds=time.thread_time() - started,
            candidates=tuple(found),
            unit=lead_in(GAME),
        )


class Exact(compiled.Exact):
    """Proves the final margin and names every placement that reaches it: small boards, and late positions of others."""

    packing: ClassVar[compiled.Packing] = Packing()
    window: ClassVar[float] = 2.0
    unit: ClassVar[Unit] = lead_in(GAME)
    guess_depth: ClassVar[int] = 4

    def packing_of(self, state: Any) -> Packing:
        """The one of small boards, where they are."""
        return packing_of(state)

    def most(self, state: Blokus) -> int:
        """The cells of the board and the bonuses."""
        return state.board.side**2 + 40


@lru_cache(maxsize=8)
def _cache_at(path: str) -> ActionCache:
    return ActionCache(Path(path))


def _kept(path: str, player: str, state: Blokus, limit: Limit, decide: Callable[[], Decision]) -> Decision:
    """What the file at `path` knows of the position, else the decision, which it then keeps.

    Only decisions that nothing but the depth limits are kept: others would not be made twice alike.
    """
    limited = limit.seconds is not None or limit.nodes is not None
    if not path or limited or player.endswith(" 0") or not any(state.active):
        return decide()
    board = state.board
    question = f"{player} {limit.depth} {board.side} {board.variant} {board.players} {board.bonus}"
    question = f"{question} {state.cells} {state.colour}"
    key = hashlib.sha256(question.encode()).hexdigest()[:24]
    cache = _cache_at(path)
    match cache.get(key):
        case [str(text), int() | float() | None as score]:
            move = parse_points(text, board)
            if not state.refusal(state.colour, move):
                return Decision(move, score, line=(move,), candidates=(Candidate(move, score),), unit=lead_in(GAME))
    decision = decide()
    cache.put(key, [format_move(decision.move, board), decision.score])
    return decision


Counts = NDArray[np.int64]
"""int64[placements, 4], see `solvers.kernels.blokus.orderings`."""

ORDERS: dict[str, Callable[[Counts, NDArray[np.int64]], list[NDArray[np.int64]]]] = {
    "size": lambda counts, forms: [counts[:, orderings.SQUARES]],
    "mine": lambda counts, forms: [counts[:, orderings.MINE]],
    "theirs": lambda counts, forms: [-counts[:, orderings.THEIRS]],
    "difference": lambda counts, forms: [counts[:, orderings.MINE] - counts[:, orderings.THEIRS]],
    "mobility": lambda counts, forms: [-counts[:, orderings.MOBILITY]],
    "shape": lambda counts, forms: [forms],
    "combined": lambda counts, forms: [
        counts[:, orderings.SQUARES],
        counts[:, orderings.MINE] - counts[:, orderings.THEIRS],
        -counts[:, orderings.MOBILITY],
    ],
}
"""The orderings of Table A.1 of the dissertation: what is most wanted of a placement, and what decides among equals.

size: squares of the piece.  mine: own corners afterwards.  theirs: few corners of the others.  difference: both.
mobility: few placements of the others.  shape: a fixed order of the pieces, those of many forms last.  combined: size,
then difference, then mobility.
"""


@dataclass(frozen=True)
class Heuristic:
    """Plays the first placement of an order, drawn among equals; order: one of ORDERS.

    varied: whether one game is not like the next; otherwise the same `seed` draws alike in each (-1: as 0 does, and
    varied by chance; matches give it one for each pair of games).
    """

    order: str = "combined"
    seed: int = -1
    varied: bool = False
    _chance: list[np.random.Generator] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: Blokus, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The placement that comes first; its score is what the order counts first.

        Raises ValueError when the game is over, SettingsError where the ordering is none.
        """
        if self.order not in ORDERS:
            raise SettingsError(f"no ordering is called {self.order!r}; {choices(self.order, ORDERS)}")
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        started = time.thread_time()
        rules = rules_of(state.board)
        moves, counted = self.arrange(rules, pack(state, rules)[0], self._draws(len(state.moves)))
        candidates = tuple(
            Candidate(unpack_move(move, state.board), float(count))
            for move, count in zip(moves.tolist(), counted.tolist(), strict=True)
        )
        spent, first, nodes = time.thread_time() - started, candidates[0], len(moves)
        return Decision(first.move, first.score, line=(first.move,), nodes=nodes, seconds=spent, candidates=candidates)

    def _draws(self, turn: int) -> np.random.Generator:
        if not self.varied:
            return np.random.default_rng([max(self.seed, 0), turn])
        if not self._chance:
            self._chance.append(np.random.default_rng(None if self.seed < 0 else self.seed))
        return self._chance[0]

    def arrange(
        self, rules: packed.Blokus, position: NDArray[np.uint64], rng: np.random.Generator
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The packed placements of ``uint64[words]`` in the order, equals by chance, and what it counts first."""
        moves, counts = np.zeros((1, MOST_MOVES), np.int32), np.zeros((MOST_MOVES, 4), np.int64)
        found = np.zeros((MOST_CORNERS, FOUND), np.uint64)
        positions, wanted = np.stack([position, position]), self.order in ("mobility", "combined")
        total = orderings.measure(rules, positions, moves, found, counts, wanted)
        keys = ORDERS[self.order](counts[:total], moves[0, :total].astype(np.int64) // rules.cells)
        order = np.lexsort([rng.random(total), *(-key for key in reversed(keys))])
        return moves[0, order], keys[0][order]


@dataclass(frozen=True)
class Mixed:
    """Several players, one drawn for each move; agents: their names and chances, such as ``heuristic*3+random*1``.

    The same `seed` draws the same players in the same order (-1: a fresh one).
    """

    agents: str = "heuristic*0.8+random*0.2"
    seed: int = -1
    _rng: np.random.Generator = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rng", np.random.default_rng(None if self.seed < 0 else self.seed))

    def decide(self, state: Blokus, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """What the player that was drawn decides."""
        players, chances = _parse_agents(self.agents)
        chosen = players[int(self._rng.choice(len(players), p=np.array(chances) / sum(chances)))]
        return chosen.decide(state, limit, progress=progress)


@lru_cache(maxsize=32)
def _parse_agents(text: str) -> tuple[list[Solver], list[float]]:
    """The players of ``name*chance+name*chance`` and their chances; raises SettingsError."""
    from solvers import find_solver

    players, chances = [], []
    for part in text.split("+"):
        name, _, chance = part.partition("*")
        try:
            chances.append(float(chance or 1))
        except ValueError:
            chances.append(-1.0)
        if not 0 < chances[-1] < 1e9 or name.strip() == "mixed":
            raise SettingsError(f"{part!r} is no part of a mixed player: write NAME*CHANCE, joined by +")
        players.append(find_solver(name.strip(), "blokus"))
    return players, chances


def sample_tree_sizes(state: Blokus, samples: int, seed: int) -> NDArray[np.float64]:
    """float64[samples], estimates of the number of nodes below `state`: see `solvers.tree_size`."""
    rules = rules_of(state.board)
    positions = np.repeat(pack(state, rules), 2, axis=0)
    found, sizes = np.zeros((MOST_CORNERS, FOUND), np.uint64), np.zeros(samples)
    packed_rules.random_paths(rules, positions, found, sizes, seed)
    return sizes
