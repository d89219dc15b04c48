"""What networks need to know of a game: how it is shown to them, how their outputs name moves, how it is searched.

Every board is seen from the side to move: its own things come first, and the board is turned so that its own corner or
row lies where the first player's does.  So one network plays both seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games import find_game
from games.core import Cell, Drag, Options, SettingsError, Tap, Target
from solvers.core import Move

if TYPE_CHECKING:
    from solvers.compiled import Packing

Planes = NDArray[np.float32]
"""float32[planes, rows, cols]."""

LONGEST = 200
"""Moves of the random game that shows how the moves of a game are made."""


class Symmetry(NamedTuple):
    """Where the planes and the moves of an example come from when it is mirrored or its colours are exchanged.

    planes: int64[planes * rows * cols]: the transformed planes, flattened, have at each place what the original has at
    the place named there, nothing at -1.  actions: int64[actions], likewise of moves.
    """

    planes: NDArray[np.int64]
    actions: NDArray[np.int64]

    def applied(
        self, planes: NDArray[np.float32], policies: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The transformed examples: planes float32[n, planes, rows, cols], policies float32[n, actions]."""
        flat = planes.reshape(len(planes), -1)
        turned = np.where(self.planes >= 0, flat[:, self.planes], np.float32(0))
        return turned.reshape(planes.shape).astype(np.float32), policies[:, self.actions]


@dataclass(frozen=True)
class Encoder:
    """The eyes and the hand of a network for one game on one board; unless a game says otherwise, moves are numbers."""

    board: Options

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns; every encoder says it."""
        raise NotImplementedError

    @property
    def actions(self) -> int:
        """How many moves a network's output tells apart, legal or not."""
        raise NotImplementedError

    def planes(self, state: Any) -> Planes:
        """float32[planes, rows, cols]: what is seen of `state` by the side to move."""
        raise NotImplementedError

    def action(self, move: Move, state: Any) -> int:
        """The number of a move of `state`, as the side to move sees it."""
        number: int = move
        return number

    def move(self, action: int, state: Any) -> Move:
        """The move with that number; the inverse of `action`."""
        return action

    def covered(self, actions: NDArray[np.int64]) -> NDArray[np.float32]:
        """float32[n, rows, cols]: the cells each action covers, for networks that judge pairs; raises SettingsError."""
        raise SettingsError(f"{type(self).__name__} shows no move beside a position: choose a network of positions")

    def facts(self, state: Any) -> list[int]:
        """What the encoder knows of a game and its packed rules do not, see `solvers.kernels.encoding`."""
        return []

    @cached_property
    def identity(self) -> Symmetry:
        """The symmetry that changes nothing."""
        return Symmetry(self.places().ravel(), np.arange(self.actions))

    @cached_property
    def mirror(self) -> Symmetry:
        """The only other symmetry, done twice the identity; raises SettingsError where there is none, or more."""
        raise SettingsError(f"{type(self).__name__} has no mirror: games of colours and without symmetries have none")

    def symmetry(self, rng: np.random.Generator) -> Symmetry:
        """One of the symmetries by chance, each as likely."""
        return self.identity

    def places(self) -> NDArray[np.int64]:
        """int64[planes, rows, cols]: the number of each place."""
        return np.arange(int(np.prod(self.shape))).reshape(self.shape)


class MirroredEncoder(Encoder):
    """One whose game has a mirror."""

    def symmetry(self, rng: np.random.Generator) -> Symmetry:
        """The mirror, or nothing."""
        return self.mirror if rng.random() < 0.5 else self.identity


class ColourEncoder(Encoder):
    """One whose moves are colours, which have the first planes; any exchange of colours is a symmetry."""

    @property
    def actions(self) -> int:
        """One a colour."""
        return self.board.colours or 6

    def symmetry(self, rng: np.random.Generator) -> Symmetry:
        """Some exchange of colours."""
        order, planes = rng.permutation(self.actions), self.places()
        return Symmetry(np.concatenate([planes[order], planes[len(order) :]]).ravel(), order)


@dataclass(frozen=True)
class CellPlanes(Encoder):
    """A plane for the cells of each player, the side to move first, and one for the cells of nobody.

    What any game is seen by that says nothing better: kinds from 1 belong to the players, 0 and others to none. An
    action is a cell where a move is made on one, row by row; then a pair of cells, where moves go from one to another;
    then a place in the list of legal moves, for moves made otherwise. A game has the sorts that one random game shows.
    """

    game: str = ""

    @property
    def shape(self) -> tuple[int, int, int]:
        """One plane more than there are players; the rows and columns of what is shown."""
        rules = find_game(self.game)
        rows, cols = rules.show(rules.deal(np.random.default_rng(0), self.board)).grid.shape
        return (self.board.players or rules.players) + 1, rows, cols

    @property
    def actions(self) -> int:
        """As many as cells, or pairs of them, of each sort."""
        return sum(len(numbers) for numbers in self._numbers.values())

    def planes(self, state: Any) -> Planes:
        """float32[players + 1, rows, cols]: whose each cell is, from the side to move on, and the cells of nobody."""
        grid = find_game(self.game).show(state).grid
        seats = self.shape[0] - 1
        own = [grid == 1 + (state.player + seat) % seats for seat in range(seats)]
        return np.stack([*own, (grid <= 0) | (grid > seats)]).astype(np.float32)

    def action(self, move: Move, state: Any) -> int:
        """The number of a move; raises SettingsError for one beyond those of its sort."""
        made, cols = self._made_on(move, state), self._size[1]
        at = 0 if made else state.legal_moves().index(move)
        for cell in made:
            at = at * self._cells + cell.row * cols + cell.col
        numbers = self._numbers.get(len(made), range(0))
        if at not in range(len(numbers)):
            raise SettingsError(f"{self.game} has more moves than its cells tell apart: write an encoder for it")
        return numbers[at]

    def move(self, action: int, state: Any) -> Move:
        """The legal move with that number."""
        return next(move for move in state.legal_moves() if self.action(move, state) == action)

    def _made_on(self, move: Move, state: Any) -> tuple[Cell, ...]:
        """The one or two cells on which a hand makes a move; none for moves that are made otherwise."""
        made: list[Target] = []
        for gesture in (Tap(move),) if isinstance(move, Cell) else find_game(self.game).gestures(state, move):
            if isinstance(gesture, Tap):
                made.append(gesture.target)
            elif isinstance(gesture, Drag):
                made += (gesture.start, gesture.end)
            else:
                return ()
        cells = tuple(target for target in made if isinstance(target, Cell))
        return cells if len(cells) == len(made) <= 2 else ()

    @cached_property
    def _size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.shape[1:]

    @property
    def _cells(self) -> int:
        """How many cells there are."""
        return self._size[0] * self._size[1]

    @cached_property
    def _numbers(self) -> Mapping[int, range]:
        """On how many cells moves are made, 0 for those made otherwise -> their numbers."""
        rng = np.random.default_rng(0)
        state, sorts = find_game(self.game).deal(rng, self.board), set[int]()
        for _ in range(LONGEST):
            moves = state.legal_moves()
            if not moves:
                break
            sorts.update(len(self._made_on(move, state)) for move in moves)
            state = state.play(moves[rng.integers(len(moves))])
        numbers: dict[int, range] = {}
        first = 0
        for sort in (1, 2, 0):
            if sort in sorts:
                numbers[sort] = range(first, first + self._cells ** max(sort, 1))
                first = numbers[sort].stop
        return numbers


@dataclass(frozen=True)
class PackedGame:
    """What a tree search guided by a network takes beside the encoder.

    packing: of states and moves.  scale: the packed score that counts as a whole win.
    boards: what holds the packed rules of many games (`solvers.kernels.forest`), None where all games have the same.
    """

    packing: Packing
    scale: float = 1.0
    boards: Any = None


@dataclass(frozen=True)
class NetworkGame:
    """All that is known of one game for networks.

    encoders: by the names that cards give them; the game's own has its name.
    packed: what a search takes, imported when it is asked for; None for games without such searches.
    prover: the exact search that often proves the best move within some ten milliseconds, as a solver's name and
    options, "" for none.  models: those that come with Boardsight and are taken first where none is named.
    methods: the ways to learn that know the game, as `solvers.training.methods` names them.
    blocks: residual blocks of a network that learns by self-play and is told no other number.
    batch: "module:class" of what plays many of its boards at once, "" for none.
    label_sources: the module whose LABEL_SOURCES are examples to learn from, "" for none.
    rewards: those of its environments beside the ones of every game.
    """

    encoders: Mapping[str, Callable[[Options], Encoder]]
    packed: Callable[[], PackedGame] | None = None
    prover: str = ""
    models: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    blocks: int = 3
    batch: str = ""
    label_sources: str = ""
    rewards: tuple[str, ...] = ()


def legal_actions(encoder: Encoder, state: Any) -> NDArray[np.int64]:
    """int64[moves]: the numbers of the legal moves, in their order."""
    return np.array([encoder.action(move, state) for move in state.legal_moves()], np.int64)


def action_mask(encoder: Encoder, state: Any) -> NDArray[np.bool_]:
    """bool[actions]: which numbers stand for legal moves."""
    mask = np.zeros(encoder.actions, np.bool_)
    mask[legal_actions(encoder, state)] = True
    return mask
