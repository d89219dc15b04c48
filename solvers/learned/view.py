"""What ties packed rules to an encoder, and networks as evaluators of packed positions made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import GAMES
from games.core import Options, SettingsError
from solvers.compiled import Packing
from solvers.kernels import encoding
from solvers.learned.encoder import Encoder
from solvers.learned.registry import network_game

Answer = Callable[[NDArray[np.float32]], dict[str, NDArray[np.float32]]]
"""A network: planes in, outputs by name (`solvers.learned.network.OUTPUTS`); "policy" and "value" are asked for."""


@dataclass(frozen=True)
class NetworkView:
    """A game on one board as a tree search with a network sees it.

    game, board: which.  encoder: of readable states.  packing: the game's.
    scale: the packed score that counts as a whole win.
    boards: the class that holds the packed rules of many games, None where all games have the same.
    """

    game: str
    board: Options
    encoder: Encoder
    packing: Packing
    scale: float
    boards: Any

    def facts_of(self, state: Any) -> NDArray[np.int64]:
        """int64[n]: the encoder's facts of a state as the kernels take them, which have no use for an empty array."""
        return np.array([*self.encoder.facts(state), 0], np.int64)


def view_of(game: str, encoder: Encoder, board: Options) -> NetworkView:
    """The view of a game on a board through one of its encoders; raises SettingsError where there is none."""
    packed = network_game(game).packed
    if packed is None:
        known = ", ".join(name for name in GAMES if network_game(name).packed)
        raise SettingsError(f"no search is guided by networks in {game}: choose one of {known}")
    found = packed()
    return NetworkView(game, board, encoder, found.packing, found.scale, found.boards)


class NetworkEvaluator:
    """A network as the Evaluator of the positions that come from one state."""

    def __init__(self, network: Answer, view: NetworkView, state: Any) -> None:
        self._network, self._shape = network, view.encoder.shape
        self._rules, self._facts = view.packing.rules(state), view.facts_of(state)
        self._actions = view.packing.sizes(state).actions

    def __call__(self, positions: NDArray[np.uint64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Weights of every packed move, float32[n, actions], and values, float32[n], of positions uint64[n, words]."""
        planes = np.empty((len(positions), *self._shape), np.float32)
        encoding.encode_all(self._rules, self._facts, positions, planes)
        answer = self._network(planes)
        priors = np.empty((len(positions), self._actions), np.float32)
        encoding.write_all_priors(self._rules, self._facts, positions, answer["policy"], priors)
        return priors, answer["value"]
