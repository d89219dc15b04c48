"""Thousands of boards a call, played by compiled rules: what learners of this project learn from.

A batch is what the kernels of a game keep; `BatchEnvironment` is the same as an environment of Gymnasium's vector kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from games import find_game
from games.core import Options, SettingsError
from solvers.kernels import forest
from solvers.kernels.connect_four import batch as connect_four_batch
from solvers.kernels.connect_four import rules as packed_four
from solvers.kernels.filler import batch as filler_batch
from solvers.kernels.filler import rules as packed_filler
from solvers.kernels.quoridor import batch as quoridor_batch
from solvers.kernels.quoridor import rules as packed_quoridor
from solvers.learned.planes import encoder_of, full_options
from solvers.learned.view import view_of
from solvers.quoridor.players import AlphaBeta as QuoridorAlphaBeta

Masks = NDArray[np.bool_]
Planes = NDArray[np.int8]


class BoardBatch(Protocol):
    """Boards of one game that are played side by side; every view is that of the side to move."""

    count: int
    actions: int
    rewards: NDArray[np.float32]
    ended: NDArray[np.bool_]

    def step(self, actions: NDArray[Any]) -> None:
        """Play one move on every board; finished games begin anew.

        `rewards` then holds what the side that moved won: 1, 0, -1, or its margin as a share of the board; -1 for an
        illegal move.  `ended` says which games are over.
        """
        ...

    def masks(self) -> Masks:
        """bool[count, actions]: the legal actions of each board."""
        ...

    def planes(self) -> NDArray[Any]:
        """[count, planes, rows, cols]: what the game's own encoder shows the side to move."""
        ...

    def first_to_move(self) -> NDArray[np.bool_]:
        """bool[count]: on which boards the first player is to move."""
        ...


class ConnectFourBatch:
    """Connect Four by `solvers.kernels.connect_four.batch`."""

    def __init__(self, board: Options, count: int, seed: int) -> None:
        """`count` empty boards."""
        wanted = full_options("connect_four", board)
        rows, cols = wanted.rows or 6, wanted.cols or 7
        self._rules = packed_four.rules_of(rows, cols, wanted.length or 4)
        self.count, self.actions = count, cols
        self.boards = np.zeros((count, 2), np.uint64)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, np.bool_)
        self._mask, self._planes = np.zeros((count, cols), np.bool_), np.zeros((count, 2, rows, cols), np.int8)

    def step(self, actions: NDArray[Any]) -> None:
        """A disc on every board."""
        connect_four_batch.step(self._rules, self.boards, actions.astype(np.int32), self.rewards, self.ended)

    def masks(self) -> Masks:
        """The columns with room."""
        connect_four_batch.legal(self._rules, self.boards, self._mask)
        return self._mask.copy()

    def planes(self) -> Planes:
        """Own discs, the rival's."""
        connect_four_batch.observe(self._rules, self.boards, self._planes)
        return self._planes.copy()

    def first_to_move(self) -> NDArray[np.bool_]:
        """Where both have as many discs."""
        first: Masks = np.bitwise_count(self.boards[:, packed_four.ALL]) % 2 == 0
        return first


class FillerBatch:
    """Filler by `solvers.kernels.filler.batch`; rewards are margins as shares of the board."""

    def __init__(self, board: Options, count: int, seed: int) -> None:
        """`count` boards dealt from `seed`, phone-style ones unless the variant is "uniform"."""
        wanted = full_options("filler", board)
        if wanted.variant:
            raise SettingsError(f"batches of Filler know its own rules, not {wanted.variant!r}")
        uniform = "uniform" in (board.variant or "").split("+")
        self._size = filler_batch.size_of(wanted.rows or 7, wanted.cols or 8, wanted.colours or 6, uniform=uniform)
        self.count, self.actions, self._seed = count, self._size.colours, seed
        self.boards = np.zeros((count, filler_batch.CLASSES + self._size.colours), np.uint64)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, np.bool_)
        self._mask = np.zeros((count, self.actions), np.bool_)
        self._words, self._view = filler_batch.planes_for(self._size, count)
        filler_batch.deal(self._size, self.boards, seed)

    def step(self, actions: NDArray[Any]) -> None:
        """A colour on every board; new boards are dealt from numbers that follow the seed."""
        self._seed += 1_000_003
        filler_batch.step(self._size, self.boards, actions.astype(np.int32), self.rewards, self.ended, self._seed)

    def masks(self) -> Masks:
        """The colours that are not barred."""
        filler_batch.legal(self._size, self.boards, self._mask)
        return self._mask.copy()

    def planes(self) -> NDArray[np.float32]:
        """As `FillerPlanes`: colours, territories, idle moves; the own corner at the top left."""
        filler_batch.observe(self._size, self.boards, self._words)
        return filler_planes(self._view, self.boards[:, packed_filler.STATUS], self.actions)

    def first_to_move(self) -> NDArray[np.bool_]:
        """Where the side to move owns the top left cell."""
        first: Masks = (self.boards[:, packed_filler.OWN] & np.uint64(1)) != 0
        return first


class FillerReachBatch(FillerBatch):
    """The same as `FillerReach` sees it: with what either side would capture, and how far it is from each cell."""

    def __init__(self, board: Options, count: int, seed: int) -> None:
        """`count` boards dealt from `seed`."""
        super().__init__(board, count, seed)
        options = full_options("filler", board)
        seen = view_of("filler", encoder_of("filler-reach", options), options)
        state = find_game("filler").deal(np.random.default_rng(0), options)
        self._rules, self._owners = seen.packing.rules(state), np.arange(count, dtype=np.int32)
        self._facts = np.repeat(seen.facts_of(state)[None], count, axis=0)
        self._reach = np.zeros((count, *seen.encoder.shape), np.float32)

    def planes(self) -> NDArray[np.float32]:
        """As `FillerReach`."""
        classes, size = self.boards[:, filler_batch.CLASSES :], self._size
        right = np.bitwise_or.reduce(classes & (classes >> np.uint64(1)), axis=1) & size.not_right
        below = np.bitwise_or.reduce(classes & (classes >> np.uint64(size.cols)), axis=1)
        salts = np.zeros(self.count, np.uint64)
        boards = forest.FillerBoards(self._rules, np.ascontiguousarray(classes), right, below, salts)
        forest.encode_owned(boards, self._facts, self._owners, self.boards, self._reach)
        return self._reach.copy()


def filler_planes(view: Planes, status: NDArray[np.uint64], colours: int) -> NDArray[np.float32]:
    """float32[n, colours + 3, rows, cols] of what the kernel observed, ``int8[n, 2, rows, cols]``, and the statuses."""
    count, _, rows, cols = view.shape
    planes = np.zeros((count, colours + 3, rows, cols), np.float32)
    planes[:, :colours] = view[:, :1] == np.arange(colours, dtype=np.int8)[None, :, None, None]
    planes[:, colours], planes[:, colours + 1] = view[:, 1] == 1, view[:, 1] == -1
    planes[:, colours + 2] = ((status >> np.uint64(16)) & np.uint64(15)).astype(np.float32)[:, None, None] / 4
    second = view[:, 1, 0, 0] != 1
    planes[second] = planes[second][:, :, ::-1, ::-1]
    return planes


class QuoridorBatch:
    """Quoridor by `solvers.kernels.quoridor.batch`."""

    def __init__(self, board: Options, count: int, seed: int) -> None:
        """`count` boards at the start."""
        self.board = full_options("quoridor", board)
        if self.board.variant or self.board.limit:
            raise SettingsError("batches of Quoridor know no draws: leave out --variant and --limit")
        state = find_game("quoridor").deal(np.random.default_rng(seed), board)
        packing = QuoridorAlphaBeta.packing
        self._rules, self._start = packing.rules(state), packing.pack(state)[None].copy()
        self._encoder = encoder_of("quoridor", self.board)
        self.count, self.actions = count, self._encoder.actions
        self.boards = np.repeat(self._start, count, axis=0)
        self.rewards, self.ended = np.zeros(count, np.float32), np.zeros(count, np.bool_)
        rows, cols = self._encoder.shape[1:]
        self._mask = np.zeros((count, packed_quoridor.ACTIONS), np.bool_)
        self._view = np.zeros((count, quoridor_batch.PLANES, rows, cols), np.int8)
        self._packed = _quoridor_actions(rows, cols)

    def step(self, actions: NDArray[Any]) -> None:
        """A step or a wall on every board."""
        moves = self._packed[(~self.first_to_move()).astype(np.int64), actions]
        quoridor_batch.step(self._rules, self.boards, self._start, moves, self.rewards, self.ended)

    def masks(self) -> Masks:
        """The legal steps and walls."""
        quoridor_batch.legal(self._rules, self.boards, self._mask)
        numbers = self._packed[(~self.first_to_move()).astype(np.int64)]
        found: Masks = np.take_along_axis(self._mask, numbers.astype(np.int64), axis=1)
        return found

    def planes(self) -> NDArray[np.float32]:
        """As `QuoridorPlanes`, the own goal at the top."""
        quoridor_batch.observe(self._rules, self.boards, self._view)
        planes = self._view[:, :6].astype(np.float32)
        planes[:, 4:] /= max(self.board.walls or 0, 1)
        second = ~self.first_to_move()
        turned = planes[second][:, :, ::-1, ::-1].copy()
        walls = np.zeros_like(turned[:, 2:4])
        walls[:, :, :-1, :-1] = turned[:, 2:4, 1:, 1:]  # a wall is named by another of its four cells then
        turned[:, 2:4] = walls
        planes[second] = turned
        return planes

    def first_to_move(self) -> NDArray[np.bool_]:
        """Where the status says so."""
        first: Masks = (self.boards[:, packed_quoridor.STATUS] & packed_quoridor.SIDE) == 0
        return first


def _quoridor_actions(rows: int, cols: int) -> NDArray[np.int32]:
    """int32[2, actions]: the packed move of each action, as the first and as the second player sees it."""
    cells = np.arange(rows * cols).reshape(rows, cols)
    walls = cells[:-1, :-1]
    found = [
        np.concatenate([view.ravel(), packed_quoridor.H + places.ravel(), packed_quoridor.V + places.ravel()])
        for view, places in ((cells, walls), (cells[::-1, ::-1], walls[::-1, ::-1]))
    ]
    return np.stack(found).astype(np.int32)


BATCHES: dict[str, Callable[[Options, int, int], BoardBatch]] = {
    "connect_four": ConnectFourBatch,
    "filler": FillerBatch,
    "filler-reach": FillerReachBatch,
    "quoridor": QuoridorBatch,
}
"""The encoders of the games that have batched kernels; each game's own has its name."""


def batch_of(encoder: str, board: Options, count: int, seed: int) -> BoardBatch:
    """`count` boards of a game as one of its encoders sees them; raises SettingsError where there are no batches."""
    if encoder not in BATCHES:
        raise SettingsError(f"there are no batches of {encoder}: choose one of {', '.join(BATCHES)}")
    return BATCHES[encoder](board, count, seed)


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
        encoder = encoder_of(game, full_options(game, self._board))
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(0.0, 1.0, encoder.shape, np.float32)
        self.single_action_space = spaces.Discrete(encoder.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = batch_of(game, self._board, num_envs, 0)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal every board."""
        if isinstance(seed, list):
            raise SettingsError("batches are dealt from one seed, not from one for each board")
        super().reset(seed=seed, options=options)
        self._batch = batch_of(self._game, self._board, self.num_envs, int(self.np_random.integers(1 << 31)))
        return self._planes(), {"action_mask": self._batch.masks()}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One move on every board, and with an opponent its answer."""
        self._batch.step(np.asarray(actions))
        rewards, ended = self._batch.rewards.astype(np.float64), self._batch.ended.copy()
        if self._opponent == "random":
            self._batch.step(random_policy(self.np_random)(np.empty(0), self._batch.masks()))
            rewards = np.where(ended, rewards, -self._batch.rewards)
            ended |= self._batch.ended
        return self._planes(), rewards, ended, np.zeros_like(ended), {"action_mask": self._batch.masks()}

    def _planes(self) -> NDArray[np.float32]:
        return self._batch.planes().astype(np.float32)
