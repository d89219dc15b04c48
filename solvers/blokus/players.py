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

from games.blokus.board import PASS, BlokusBoard, Move, laid
from games.blokus.pieces import PIECES, shape_of
from games.blokus.position import Blokus
from games.blokus.texts import format_move, parse_points
from games.core import Cell, SettingsError
from solvers import compiled
from solvers.action_cache import ActionCache
from solvers.blokus.value_network import net_for
from solvers.core import Candidate, Decision, Limit, Progress, Solver
from solvers.kernels.alphabeta import NODE_LIMIT, NODES, STOP, allocate
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus import mcts as tree_kernel
from solvers.kernels.blokus import orderings, small
from solvers.kernels.blokus.moves import FOUND, MOST_CORNERS
from solvers.kernels.blokus.rules import random_paths
from solvers.kernels.blokus.value import no_net
from solvers.kernels.blokus.ways import FORM_NUMBER, FORMS
from solvers.kernels.minimax import advance, minimax

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


class Packing:
    """Blokus's states as packed positions for the searches of two sides; small boards take three words."""

    unit = packed.UNIT

    def rules(self, state: Blokus) -> packed.Blokus | small.SmallBlokus:
        """The packed rules of the board; raises SettingsError where more than two seats play."""
        if state.board.players > 2:
            raise SettingsError(f"this search knows two sides, not {state.board.players}: use 'mcts' or 'heuristic'")
        return _small_rules(state.board) if _is_small(state.board) else rules_of(state.board)

    def family(self, state: Blokus) -> Hashable:
        """The board."""
        return state.board

    def sizes(self, state: Blokus) -> compiled.Sizes:
        """Every colour has 21 pieces, and passes while another places its own."""
        rules = self.rules(state)
        plies = 2 * len(PIECES) * state.board.colours
        if isinstance(rules, small.SmallBlokus):
            return compiled.Sizes(plies, small.WORDS, len(rules.cells) + 1, len(rules.cells) + 1)
        return compiled.Sizes(plies, packed.words_of(rules), MOST_MOVES, packed.pass_of(rules) + 1)

    def pack(self, state: Blokus) -> NDArray[np.uint64]:
        """The words of `state`."""
        rules = self.rules(state)
        if isinstance(rules, small.SmallBlokus):
            return _pack_small(state)
        words: NDArray[np.uint64] = pack(state, rules)[0]
        return words

    def pack_move(self, move: Move, state: Blokus) -> int:
        """The form and where its top left corner lies, or a small board's number of that."""
        rules, number = self.rules(state), pack_move(move, state.board)
        if isinstance(rules, packed.Blokus):
            return number
        return int(rules.numbers[number]) if move else len(rules.cells)

    def unpack_move(self, move: int, state: Blokus) -> Move:
        """The placement with that number."""
        rules = self.rules(state)
        if isinstance(rules, packed.Blokus):
            return unpack_move(move, state.board)
        return PASS if move == len(rules.cells) else unpack_move(int(rules.moves[move]), state.board)


class SmallPacking(Packing):
    """The packing of boards that fit into a word, the only ones a network's search knows."""

    def rules(self, state: Blokus) -> small.SmallBlokus:
        """The packed rules; raises SettingsError for larger boards, more colours, and bonuses."""
        rules = super().rules(state)
        if not isinstance(rules, small.SmallBlokus):
            raise SettingsError("a search guided by a network knows Blokus on at most 8x8 cells with two colours")
        return rules


def _is_small(board: BlokusBoard) -> bool:
    return board.side <= small.LARGEST_SIDE and board.colours == 2 and not board.bonus


def _pack_small(state: Blokus) -> NDArray[np.uint64]:
    own, rival = state.colour, 1 - state.colour
    masks = [sum(1 << (8 * cell.row + cell.col) for cell in state.board.list(cells)) for cells in state.cells]
    left = [sum(1 << piece for piece in pieces) for pieces in state.left]
    status = left[own] | left[rival] << 21
    for place, said in enumerate((not state.active[own], not state.active[rival], own == 1), 42):
        status |= said << place
    return np.array([masks[own], masks[rival], status], np.uint64)


@dataclass(frozen=True)
class AlphaBeta(compiled.AlphaBeta):
    """Looks ahead; scores are margins of squares, by who has more room where the game is not over.

    cache: a file where decisions of a fixed depth are kept from one run to the next, if it is named.
    """

    packing: ClassVar[compiled.Packing] = Packing()
    window: ClassVar[float] = 2.0

    cache: str = ""

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
        packing = Packing()
        rules, memory = packing.rules(state), allocate(**packing.sizes(state)._asdict(), table_bytes=1)
        control = memory.control
        control[NODE_LIMIT] = limit.nodes or control[NODE_LIMIT]
        started, found = time.thread_time(), list[Candidate]()
        memory.positions[0] = packing.pack(state)
        for move in state.legal_moves():
            left = None if limit.seconds is None else limit.seconds - (time.thread_time() - started)
            advance(rules, memory, packing.pack_move(move, state))
            score = -compiled.watched(partial(minimax, rules, memory, 1, depth - 1), control, left, None)
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
        )


class Exact(compiled.Exact):
    """Proves the final margin and names every placement that reaches it: small boards, and late positions of others."""

    packing: ClassVar[compiled.Packing] = Packing()
    window: ClassVar[float] = 2.0
    guess_depth: ClassVar[int] = 4

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
    said = f"{player} {limit.depth} {board.side} {board.variant} {board.players} {board.bonus}"
    said = f"{said} {state.cells} {state.colour}"
    key = hashlib.sha256(said.encode()).hexdigest()[:24]
    cache = _cache_at(path)
    match cache.get(key):
        case [str(text), int() | float() | None as score]:
            move = parse_points(text, board)
            if not state.refusal(state.colour, move):
                return Decision(move, score, line=(move,), candidates=(Candidate(move, score),))
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

    varied: whether one game is not like the next; otherwise the same `seed` draws alike in each.
    """

    order: str = "combined"
    seed: int = 0
    varied: bool = False
    _chance: list[np.random.Generator] = field(default_factory=list, init=False, repr=False, compare=False)

    def decide(self, state: Blokus, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The placement that comes first; its score is what the order counts first."""
        if self.order not in ORDERS:
            raise SettingsError(f"no ordering is called {self.order!r}: choose one of {', '.join(ORDERS)}")
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
            return np.random.default_rng([self.seed, turn])
        if not self._chance:
            self._chance.append(np.random.default_rng(self.seed))
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


# The worths were found step by step in matches of players that lay what is worth most at a glance: the sets on the way
# won 56% to 67% of 300 games against round numbers. These are the last set rounded, which was not matched itself.
PARAMETERS = tree_kernel.SearchParameters(
    exploration=0.7,
    temperature=4.0,
    rave=40.0,
    squares=4.0,
    opened=1.3,
    covered=3.6,
    near=1.7,
    lost=-0.9,
    invading=0.0,
    liberties=0.75,
    middle=11.4,
    large=243.0,
    covering=180.0,
    draws=1.0,
    margin=0.3,
    scale=8.0,
    fpu=0.05,
    besides=80.0,
    heat=0.2,
    trust=1.0,
)

# With a network, in matches of 24 games at 0.02 s a move: a heat of 0.25 won 62% against 0.5, one of 0.12 56% against
# 0.25; an exploration of 0.35 56% against 0.7; 30 or 40 children instead of 80 changed nothing.
GUIDED = PARAMETERS._replace(exploration=0.35)

PLAYOUTS = 10_000
"""How many a decision plays when nothing limits it."""

MOST_NODES = 1 << 21
"""The largest tree, about 90 MB; when it is full, playouts go on from its leaves."""


@dataclass(frozen=True)
class Mcts:
    """The strong player: tree search with priors, RAVE and playouts that know the game; a limit's nodes are playouts.

    On Duo a network values positions (`solvers.blokus.value_network`), elsewhere playouts do, and everywhere with
    net=false. The tree is kept while a game goes on. exploration, temperature, rave: see
    `solvers.kernels.blokus.mcts.SearchParameters`; an exploration of 0 is that of GUIDED with a network and that of
    PARAMETERS without.
    """

    exploration: float = 0.0
    temperature: float = PARAMETERS.temperature
    rave: float = PARAMETERS.rave
    seed: int = 0
    net: bool = True
    _trees: dict[BlokusBoard, tuple[tuple[Move, ...], tree_kernel.Tree]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def decide(self, state: Blokus, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The placement visited most often; its score is the mean result, from -1 to 1."""
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        rules, tree = rules_of(state.board), self._tree(state)
        parameters = GUIDED if len(tree.net.rows) else PARAMETERS
        exploration = self.exploration or parameters.exploration
        parameters = parameters._replace(exploration=exploration, temperature=self.temperature, rave=self.rave)
        tree_kernel.grow(rules, tree, parameters, 2)  # also has it compiled before the clock runs
        playouts = limit.nodes or (PLAYOUTS if limit.seconds is None else np.iinfo(np.int64).max)
        before, spent = int(tree.control[tree_kernel.PLAYED]), [0.0]

        def work() -> None:
            started = time.thread_time()
            tree_kernel.grow(rules, tree, parameters, playouts - 2)
            spent[0] = time.thread_time() - started

        def told() -> Decision:
            played = int(tree.control[tree_kernel.PLAYED]) - before + 2
            return _decision(state, tree, played, spent[0])

        compiled.watched(work, tree.control, limit.seconds, None if progress is None else lambda: progress(told()))
        return told()

    def _tree(self, state: Blokus) -> tree_kernel.Tree:
        """The tree of an earlier decision from where `state` stands in it, or a new one."""
        rules = rules_of(state.board)
        moves, tree = self._trees.pop(state.board, ((), None))
        if tree is not None:
            node = _find(tree, state, moves)
            if node is None:
                tree = None
            else:
                tree_kernel.uproot(tree, node)
                tree.positions[0] = pack(state, rules)[0]
                tree.control[tree_kernel.STOP] = 0
        if tree is None:
            net = net_for(state.board) if self.net else no_net()
            position = pack(state, rules)[0]
            tree = tree_kernel.plant(rules, position, nodes=MOST_NODES, width=MOST_MOVES, seed=self.seed, net=net)
        self._trees.clear()  # one tree at a time
        self._trees[state.board] = (state.moves, tree)
        return tree


def _find(tree: tree_kernel.Tree, state: Blokus, moves: tuple[Move, ...]) -> int | None:
    """The node of `state` in a tree whose root stands after `moves`, None where it has none with children."""
    if state.moves[: len(moves)] != moves:
        return None
    node = 0
    for move in state.moves[len(moves) :]:
        if move:
            first, count = int(tree.firsts[node]), max(int(tree.counts[node]), 0)
            places = np.flatnonzero(tree.moves[first : first + count] == pack_move(move, state.board))
            if not len(places):
                return None
            node = first + int(places[0])
    return node if tree.counts[node] > 0 and tree.colours[node] == state.colour else None


def _decision(state: Blokus, tree: tree_kernel.Tree, played: int, seconds: float) -> Decision:
    """What the tree says now, the most visited placement first."""
    order = _by_visits(tree, 0)

    def score(node: int) -> float | None:
        visits = int(tree.visits[node])
        return 2 * float(tree.won[node]) / visits - 1 if visits else None

    candidates = tuple(
        Candidate(unpack_move(int(tree.moves[node]), state.board), score(node), int(tree.visits[node]))
        for node in order
    )
    line, node = [candidates[0].move], order[0]
    while (below := _by_visits(tree, node)) and tree.visits[below[0]]:
        node = below[0]
        line.append(unpack_move(int(tree.moves[node]), state.board))
    first = candidates[0]
    return Decision(first.move, first.score, line=tuple(line), nodes=played, seconds=seconds, candidates=candidates)


def _by_visits(tree: tree_kernel.Tree, node: int) -> list[int]:
    first, count = int(tree.firsts[node]), int(tree.counts[node])
    return sorted(range(first, first + count), key=lambda child: -int(tree.visits[child]))


def sample_tree_sizes(state: Blokus, samples: int, seed: int) -> NDArray[np.float64]:
    """float64[samples], estimates of the number of nodes below `state`: see `solvers.tree_size`."""
    rules = rules_of(state.board)
    positions = np.repeat(pack(state, rules), 2, axis=0)
    found, sizes = np.zeros((MOST_CORNERS, FOUND), np.uint64), np.zeros(samples)
    random_paths(rules, positions, found, sizes, seed)
    return sizes
