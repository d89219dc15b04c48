"""Learned players as solvers: a network's first thought, and a table of values; neither searches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import find_game
from solvers import find_solver
from solvers.core import Decision, Limit, Move, Progress, Solver
from solvers.learned.card import Card, ModelError, read_card
from solvers.learned.encoder import Encoder, legal_actions
from solvers.learned.network import Network
from solvers.learned.ranking import ranked
from solvers.learned.registry import check_board, encoder_of, network_game
from solvers.learned.store import find_model, load_once, model_for
from solvers.units import SHARE, VALUE


@dataclass(frozen=True)
class Loaded:
    """A network with what it sees and for which board."""

    network: Network
    encoder: Encoder
    board: Any


@dataclass(frozen=True)
class NetworkPlayer:
    """Plays the move its network likes best, without any search; the candidates show what it thinks of each.

    game: the name of the game, from where it stands in the registry.
    model: a model's name, or the path of its card or its run; "" for the one that comes with Boardsight for the board.
    """

    game: str
    model: str = ""

    def decide(self, state: Any, limit: Limit = Limit(), *, progress: Progress | None = None) -> Decision:
        """The best legal move; candidates' scores are Q-values, a policy's probabilities, or values after each move.

        Raises ValueError where the game is over, and SettingsError and ModelError where no network plays the board.
        """
        if not state.legal_moves():
            raise ValueError("the game is over: there is no move to choose")
        return self.glance(self._load(state), state)

    def glance(self, loaded: Loaded, state: Any) -> Decision:
        """What the network thinks of each move at once."""
        moves, started = state.legal_moves(), time.thread_time()
        if loaded.network.judges_pairs:
            worths = worths_of_pairs(loaded, state)
            return ranked(moves, worths, None, time.thread_time() - started)
        if loaded.network.outputs == ("value",):
            worths = worths_after(loaded, state, moves)
            return ranked(moves, worths, None, time.thread_time() - started)
        actions = legal_actions(loaded.encoder, state)
        answer = loaded.network(loaded.encoder.planes(state)[None])
        worths = worths_of(answer, actions)
        value = float(answer["value"][0]) if "value" in answer else None
        ranking = VALUE if "q" in answer else SHARE
        return ranked(moves, worths, value, time.thread_time() - started, ranking=ranking)

    def _load(self, state: Any) -> Loaded:
        name = self.model or model_for(
            self.game, find_game(self.game).options(state), (".onnx",), network_game(self.game).models
        )
        loaded = load_once(name, self.game, _load_network)
        check_board(self.game, loaded.board, state)
        return loaded


def _load_network(card: Card, weights: Path) -> Loaded:
    encoder, network = encoder_of(card.encoder, card.board), Network(weights)
    if network.shape[0] - network.judges_pairs != encoder.shape[0] or network.shape[1:] != encoder.shape[1:]:
        raise ModelError(f"{weights} takes planes of {network.shape}, its card says {encoder.shape}")
    network.check(encoder.actions)
    return Loaded(network, encoder, card.board)


def player_for(game: str, model: str) -> Solver:
    """The player of a model by its name or path; raises SettingsError where it plays another game."""
    return find_solver(spec_for(model), game)


def spec_for(model: str) -> str:
    """The solver that is a model's player, such as ``network:model=runs/mine``, for its name or path."""
    is_table = Path(read_card(find_model(model)).weights).suffix == ".npz"
    return f"{'q-table' if is_table else 'network'}:model={model}"


def check_model(name: str) -> None:
    """Load a model and ask it for a move; raises SettingsError or ModelError that says what is wrong."""
    card = read_card(find_model(name))
    state = find_game(card.game).deal(np.random.default_rng(0), card.board)
    player_for(card.game, name).decide(state)


def worths_of(answer: dict[str, NDArray[np.float32]], actions: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[moves]: the Q-values of `actions` in an answer of one position, else their probabilities."""
    if "q" in answer:
        worths: NDArray[np.float64] = answer["q"][0, actions].astype(np.float64)
        return worths
    logits = answer["policy"][0, actions].astype(np.float64)
    grown = np.exp(logits - logits.max())
    shares: NDArray[np.float64] = grown / grown.sum()
    return shares


def worths_of_pairs(loaded: Loaded, state: Any, actions: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """float64[moves]: what a network that judges pairs thinks of each legal move; actions: their numbers, if known."""
    actions = legal_actions(loaded.encoder, state) if actions is None else actions
    own = loaded.encoder.covered(actions)[:, None]
    planes = np.repeat(loaded.encoder.planes(state)[None], len(actions), axis=0)
    seats = np.full(len(actions), state.player, np.int64)
    answer = loaded.network(np.concatenate([planes, own], axis=1), actions=actions, seats=seats)
    worths: NDArray[np.float64] = answer["q"].astype(np.float64)
    return worths


def worths_after(loaded: Loaded, state: Any, moves: Sequence[Move]) -> NDArray[np.float64]:
    """float64[moves]: the values of the positions after each move, for the side that makes it."""
    after = [state.play(move) for move in moves]
    values = loaded.network(np.stack([loaded.encoder.planes(child) for child in after]))["value"]
    signs = np.array([1.0 if child.player == state.player else -1.0 for child in after])
    worths: NDArray[np.float64] = signs * values
    return worths
