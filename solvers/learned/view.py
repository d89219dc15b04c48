"""Networks as judges of packed positions: what ties packed rules to an encoder, and the Evaluator made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.blokus.position import Blokus
from games.core import Options, SettingsError
from games.filler import Filler
from games.quoridor.board import Size
from games.quoridor.rules import usual_walls
from solvers import filler
from solvers.blokus import players as blokus
from solvers.compiled import Packing
from solvers.connect_four import players as connect_four
from solvers.kernels import encoding
from solvers.kernels.blokus import small as blokus_small
from solvers.learned.planes import ConnectFourThreats, Encoder, FillerReach
from solvers.quoridor import players as quoridor

Answer = Callable[[NDArray[np.float32]], dict[str, NDArray[np.float32]]]
"""A network: planes in, outputs by name (`solvers.learned.network.OUTPUTS`); "policy" and "value" are asked for."""


@dataclass(frozen=True)
class NetworkView:
    """A game on one board as a tree search with a network sees it.

    game, board: which.  encoder: the readable eye.  packing: the game's.
    scale: the packed score that counts as a whole win.
    facts: the numbers that `solvers.kernels.encoding` wants of a state.
    """

    game: str
    board: Options
    encoder: Encoder
    packing: Packing
    scale: float
    facts: Callable[[Any], list[int]]

    def facts_of(self, state: Any) -> NDArray[np.int64]:
        """int64[n]: `facts` as the kernels take it, which have no use for an empty array."""
        return np.array([*self.facts(state), 0], np.int64)


def view_of(game: str, encoder: Encoder, board: Options) -> NetworkView:
    """The sight of a game on a board through one of its encoders; raises SettingsError where there is none."""
    if game == "connect_four":
        threats = int(isinstance(encoder, ConnectFourThreats))
        return NetworkView(game, board, encoder, connect_four.Packing(), 1.0, lambda state: [threats])
    if game == "filler":
        reach = int(isinstance(encoder, FillerReach))
        return NetworkView(
            game, board, encoder, filler.Packing(), filler.Mcts.scale, lambda state: [*_corners(state), reach]
        )
    if game == "quoridor":
        walls = _walls(board)
        return NetworkView(game, board, encoder, quoridor.Packing(quoridor.TUNED), 1.0, lambda state: [walls])
    if game == "blokus":
        return NetworkView(game, board, encoder, SmallBoardPacking(), BLOKUS_SCALE, lambda state: [])
    known = "connect_four, filler, quoridor, blokus"
    raise SettingsError(f"no search is guided by networks in {game}: choose one of {known}")


BLOKUS_SCALE = 8.0 * 16
"""Eight squares of margin count as a whole win."""


class SmallBoardPacking(blokus.Packing):
    """The packing of boards that fit into a word, the only ones a network's search knows."""

    def rules(self, state: Blokus) -> blokus_small.SmallBlokus:
        """The packed rules; raises SettingsError for larger boards, more colours, and bonuses."""
        rules = super().rules(state)
        if not isinstance(rules, blokus_small.SmallBlokus):
            raise SettingsError("a search guided by a network knows Blokus on at most 8x8 cells with two colours")
        return rules


def _corners(state: Filler) -> list[int]:
    """The cells of both starts."""
    return [cell.row * len(state.grid[0]) + cell.col for cell in state.starts]


def _walls(board: Options) -> int:
    """The walls each player begins with."""
    size = Size(board.rows or 9, board.cols or 9)
    return usual_walls(size) if board.walls is None else board.walls


class NetworkEvaluator:
    """A network as the Evaluator of the positions that come from one state."""

    def __init__(self, network: Answer, view: NetworkView, state: Any) -> None:
        self._network, self._shape = network, view.encoder.shape
        self._rules, self._facts = view.packing.rules(state), view.facts_of(state)
        self._actions = view.packing.sizes(state).actions

    def __call__(self, positions: NDArray[np.uint64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Weights of every packed move, ``float32[n, actions]``, and values, ``float32[n]``."""
        planes = np.empty((len(positions), *self._shape), np.float32)
        encoding.encode_all(self._rules, self._facts, positions, planes)
        answer = self._network(planes)
        priors = np.empty((len(positions), self._actions), np.float32)
        encoding.write_all_priors(self._rules, self._facts, positions, answer["policy"], priors)
        return priors, answer["value"]
