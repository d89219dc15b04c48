"""Thousands of boards a call, played by compiled rules: what learners of this project learn from.

A batch is what the kernels of a game keep; `BatchEnvironment` is the same as an environment of Gymnasium's vector kind.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from games import find_game
from games.core import Options, SettingsError
from solvers.kernels import batch, forest
from solvers.learned.encoder import Encoder
from solvers.learned.registry import encoder_names, encoder_of, full_options, network_game
from solvers.learned.view import view_of

Masks = NDArray[np.bool_]


class BoardBatch:
    """Boards of one game that are played side by side; all is shown from the view of the side to move.

    encoder: what is shown.  count: how many boards.  actions: that the encoder tells apart.
    boards: uint64[count, words], as the game's kernels lay them out.  rewards: float32[count], what the side that moved
    last won: 1, 0, -1, or its margin as a share of the board; -1 for an illegal move.  ended: bool[count], whether its
    game was over then.  first: bool[count], on which boards the first player is to move.
    """

    def __init__(self, encoder: str, board: Options, count: int, seed: int) -> None:
        """`count` boards at the start, dealt from `seed`; raises SettingsError for a variant without batches."""
        game = encoder.partition("-")[0]
        self.board = full_options(game, board)
        self._check(board)
        self.encoder: Encoder = encoder_of(encoder, self.board)
        view = view_of(game, self.encoder, self.board)
        state = find_game(game).deal(np.random.default_rng(seed), board)
        sizes = view.packing.sizes(state)
        self.rules: Any = view.packing.rules(state)
        self.start = view.packing.pack(state)[None]
        self.count, self.actions = count, self.encoder.actions
        self.boards = np.repeat(self.start, count, axis=0)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, np.bool_)
        self.first = np.ones(count, np.bool_)
        self._scale, self._room = view.scale, batch.room_for(sizes.words, sizes.width)
        self._facts = np.repeat(view.facts_of(state)[None], count, axis=0)
        self._owners = np.arange(count, dtype=np.int32)

    def step(self, actions: NDArray[Any]) -> None:
        """Play one move on every board, actions: int[count]; finished games begin anew.

        `rewards` and `ended` then say what came of it.
        """
        numbers = actions.astype(np.int64)
        batch.step(self.rules, self._room, self._facts[0], self.boards, numbers, self._scale, self.rewards, self.ended)
        self._renew()
        self.first = ~self.first | self.ended

    def masks(self) -> Masks:
        """bool[count, actions]: the legal actions of each board."""
        mask = np.empty((self.count, self.actions), np.bool_)
        batch.legal(self.rules, self._room, self._facts[0], self.boards, mask)
        return mask

    def planes(self) -> NDArray[np.float32]:
        """float32[count, planes, rows, cols]: what the encoder shows the side to move."""
        planes = np.empty((self.count, *self.encoder.shape), np.float32)
        forest.encode_owned(self.rules, self._facts, self._owners, self.boards, planes)
        return planes

    def _renew(self) -> None:
        """Puts new boards in the places of finished games."""
        self.boards[self.ended] = self.start

    def _check(self, board: Options) -> None:
        """Raises SettingsError where the kernels do not know the variant: boards have no past and no limit."""
        if self.board.variant or self.board.limit:
            raise SettingsError("batches know no draws by repetition or limits: leave out --variant and --limit")


def batch_of(encoder: str, board: Options, count: int, seed: int) -> BoardBatch:
    """`count` boards of a game as one of its encoders sees them; raises SettingsError where there are no batches."""
    place = network_game(encoder.partition("-")[0]).batch if encoder in encoder_names() else ""
    if not place:
        known = ", ".join(name for name in encoder_names() if network_game(name.partition("-")[0]).batch)
        raise SettingsError(f"there are no batches of {encoder}: choose one of {known}")
    module, _, kind = place.partition(":")
    found: BoardBatch = getattr(import_module(module), kind)(encoder, board, count, seed)
    return found


Policy = Callable[[NDArray[Any], Masks], NDArray[np.int64]]
"""Chooses an action for each board, from ``[n, planes, rows, cols]`` and ``bool[n, actions]``."""


def random_policy(rng: np.random.Generator) -> Policy:
    """Every legal action with the same chance."""

    def choose(planes: NDArray[Any], masks: Masks) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)
        return chosen

    return choose


class BatchEnvironment(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """Many boards as one environment of Gymnasium's vector kind; finished games begin anew within the step.

    opponent: "self", so that each step is one move and the view changes sides, or "random", who answers each move; the
    side that did not end a game begins the next.  `infos["action_mask"]` says which actions are legal.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(self, game: str, num_envs: int, *, opponent: str = "self", **variant: Any) -> None:
        """`num_envs` boards of a game that has batched kernels."""
        if opponent not in ("self", "random"):
            raise SettingsError(f"batches have no opponent {opponent!r}: choose self or random")
        self._game, self._board, self._opponent = game, Options(**variant), opponent
        self._batch = batch_of(game, self._board, num_envs, 0)
        encoder, self.num_envs = self._batch.encoder, num_envs
        self.single_observation_space = spaces.Box(0.0, 1.0, encoder.shape, np.float32)
        self.single_action_space = spaces.Discrete(encoder.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal every board: float32[n, planes, rows, cols], and the masks; raises SettingsError for a list of seeds."""
        if isinstance(seed, list):
            raise SettingsError("batches are dealt from one seed, not from one for each board")
        super().reset(seed=seed, options=options)
        self._batch = batch_of(self._game, self._board, self.num_envs, int(self.np_random.integers(1 << 31)))
        return self._batch.planes(), {"action_mask": self._batch.masks()}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One move on every board, actions: int64[n], and with an opponent its answer.

        Planes float32[n, planes, rows, cols], rewards float64[n], ended and cut off bool[n], and the action masks.
        """
        self._batch.step(np.asarray(actions))
        rewards, ended = self._batch.rewards.astype(np.float64), self._batch.ended.copy()
        if self._opponent == "random":
            self._batch.step(random_policy(self.np_random)(np.empty(0), self._batch.masks()))
            rewards = np.where(ended, rewards, -self._batch.rewards)
            ended |= self._batch.ended
        return self._batch.planes(), rewards, ended, np.zeros_like(ended), {"action_mask": self._batch.masks()}
