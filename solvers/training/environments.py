"""The games as environments: Gymnasium for one learner, PettingZoo for all seats; thousands of boards are in `batches`.

>>> import gymnasium, solvers.training.environments
>>> environment = gymnasium.make("boardsight/Filler-v0", rows=5, cols=6, opponent="greedy")
>>> planes, info = environment.reset(seed=1)
>>> planes.shape, int(info["action_mask"].sum())
((9, 5, 6), 4)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import register, registry
from numpy.typing import NDArray
from pettingzoo import AECEnv

from games import GAMES, find_game
from games.core import Options, Outcome, SettingsError, choices
from solvers import find_solver
from solvers.arena import seeded
from solvers.core import Solver
from solvers.learned.encoder import action_mask
from solvers.learned.registry import encoder_of, full_options, network_game

NAMES = {f"boardsight/{game.title().replace('_', '')}-v0": game for game in GAMES}
"""The environments that ``gymnasium.make`` knows once this module is imported, and their games."""

ILLEGAL = -10.0
"""The article's reward for a colour that is barred; elsewhere an illegal move loses at once."""

GAME_WON = 50.0
"""The article's reward for a won game, and less for a lost one."""

PALETTE = np.array(
    [
        *((238, 238, 238), (214, 69, 65), (38, 120, 200), (247, 202, 24), (46, 174, 96), (142, 68, 173)),
        *((230, 126, 34), (22, 160, 133), (120, 66, 18), (233, 140, 190), (90, 90, 90)),
    ],
    np.uint8,
)
"""Colours of the kinds of cells from 0, RGB; the last one stands for every other kind."""

CELL = 16
"""Pixels of a cell's side in pictures."""

Reward = Callable[[Any, Any, Outcome | None, int], float]
"""From the position before the learner's move, the one when it moves again (or the end), how it ended, its seat."""


def _result(before: Any, after: Any, ended: Outcome | None, seat: int) -> float:
    """1 for a win, -1 for a loss, at the end."""
    if ended is None:
        return 0.0
    if len(ended.scores) == 1:
        return 1.0 if ended.winner == seat else -1.0
    return 0.0 if ended.winner is None else 1.0 if ended.winner == seat else -1.0


def _margin(before: Any, after: Any, ended: Outcome | None, seat: int) -> float:
    """The own score less the best of the others', at the end: at Filler and Blokus cells."""
    if ended is None:
        return 0.0
    others = [score for other, score in enumerate(ended.scores) if other != seat]
    return ended.scores[seat] - max(others, default=0.0)


def _article(before: Any, after: Any, ended: Outcome | None, seat: int) -> float:
    """Cells the learner's territory gained, and 50 more or less at the end: Filler alone."""
    gained = float(after.cells[seat] - before.cells[seat])
    return gained + GAME_WON * _result(before, after, ended, seat)


REWARDS: dict[str, Reward] = {"result": _result, "margin": _margin, "article": _article}
"""The rewards by name."""

ANY_GAME = ("result", "margin")
"""The rewards of every game."""


class _ShownGame:
    """What both kinds of environment share: a game on a board, shown by an encoder, for a person as text or picture."""

    state: Any

    def _open(self, game: str, encoder: str, render_mode: str | None, variant: dict[str, Any]) -> None:
        """Sets up the game of those words; raises SettingsError for a board or an encoder that there is not."""
        self._deal = Options(**variant)  # with the words that say how to deal, which no position keeps
        self.board = full_options(game, self._deal)
        self.game, self.render_mode = find_game(game), render_mode
        self.encoder = encoder_of(encoder or game, self.board)
        self.seats = self.board.players or self.game.players

    def render(self) -> Any:
        """The position as text (str), or as a picture (uint8[height, width, 3], RGB)."""
        if self.render_mode == "ansi":
            return self.game.format(self.state)
        if self.render_mode == "rgb_array":
            return picture_of(self.game.show(self.state).grid)
        return None


class BoardGame(_ShownGame, gymnasium.Env[NDArray[np.float32], np.int64]):
    """One learner against opponents by name; the learner sees and does what its game's encoder says.

    game: its name.  opponent: a solver with its options, which has every other seat.
    seat: the learner's, -1 for another by chance in each game.
    reward: one of REWARDS.  encoder: a name in `solvers.learned.registry`, "" for the game's own.
    render_mode: "ansi" for text, "rgb_array" for ``uint8[height, width, 3]``.
    variant: the game's options, such as ``rows=7, cols=8`` or ``players=4``.

    An illegal action loses the game at once (reward -1, or less the whole board with "margin"); with "article" it costs
    10 and changes nothing.  `info["action_mask"]` and `action_masks()` say which actions are legal.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        opponent: str = "random",
        seat: int = -1,
        reward: str = "result",
        encoder: str = "",
        render_mode: str | None = None,
        **variant: Any,
    ) -> None:
        self._open(game, encoder, render_mode, variant)
        if reward not in (*ANY_GAME, *network_game(game).rewards):
            raise SettingsError(f"no reward of {game} is called {reward!r}; {choices(reward, REWARDS)}")
        if seat not in range(-1, self.seats):
            raise SettingsError(f"{game} has no seat {seat} here: choose 0 to {self.seats - 1}, or -1 for any")
        self._reward, self._illegal_passes = REWARDS[reward], reward == "article"
        self._wanted_seat, self._opponent_name = seat, opponent
        self._opponent: Solver = find_solver(opponent, game)
        self.seat = max(seat, 0)
        self.state = self.game.deal(np.random.default_rng(0), self._deal)
        self.observation_space = spaces.Box(0.0, 1.0, self.encoder.shape, np.float32)
        self.action_space = spaces.Discrete(self.encoder.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal a new game until it is the learner's turn: float32[planes, rows, cols], and the mask and the seat."""
        super().reset(seed=seed)
        if seed is not None:
            self._opponent = seeded(find_solver(self._opponent_name, self.game.name), seed)
        while True:
            self.state = self.game.deal(self.np_random, self._deal)
            self.seat = int(self.np_random.integers(self.seats)) if self._wanted_seat < 0 else self._wanted_seat
            self._let_others_move()
            if self.state.outcome() is None:
                return self.encoder.planes(self.state), self._info()

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's move and the answers: float32[planes, rows, cols], reward, ended, cut off, info.

        Raises SettingsError once the game is over.
        """
        before, mask = self.state, self.action_masks()
        if before.outcome() is not None:
            raise SettingsError("the game is over: reset the environment")
        if not mask[int(action)]:
            return self._refuse()
        self.state = before.play(self.encoder.move(int(action), before))
        self._let_others_move()
        ended = self.state.outcome()
        reward = self._reward(before, self.state, ended, self.seat)
        return self.encoder.planes(self.state), reward, ended is not None, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[actions]: the legal ones; none once the game is over."""
        mask: NDArray[np.bool_] = action_mask(self.encoder, self.state)
        return mask

    def _refuse(self) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """What an illegal action brings, as `step` returns it, planes float32[planes, rows, cols]."""
        planes = self.encoder.planes(self.state)
        if self._illegal_passes:
            return planes, ILLEGAL, False, False, self._info()
        loss = -float(np.prod(self.encoder.shape[1:])) if self._reward is _margin else -1.0
        return planes, loss, True, False, self._info()

    def _let_others_move(self) -> None:
        while self.state.player != self.seat and self.state.outcome() is None:
            self.state = self.state.play(self._opponent.decide(self.state).move)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat}


def picture_of(grid: NDArray[np.int8]) -> NDArray[np.uint8]:
    """uint8[height, width, 3]: a grid of kinds as squares of colour."""
    kinds = np.where((grid < 0) | (grid >= len(PALETTE)), len(PALETTE) - 1, grid)
    picture: NDArray[np.uint8] = PALETTE[kinds].repeat(CELL, axis=0).repeat(CELL, axis=1)
    return picture


class AllSeats(_ShownGame, AECEnv):  # type: ignore[misc]
    """Every seat of a game is an agent that moves in its turn; observations hold planes and the action mask.

    The planes are those of the side to move, whoever asks; the mask of all others is empty.  Rewards come at the end:
    1, 0 or -1 each, or the margins with reward="margin".  An illegal action loses; the other seats then draw.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "name": "boardsight_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self, game: str, *, reward: str = "result", encoder: str = "", render_mode: str | None = None, **variant: Any
    ) -> None:
        super().__init__()
        self._open(game, encoder, render_mode, variant)
        if reward not in ANY_GAME:
            raise SettingsError(f"no reward for all seats is called {reward!r}: choose result or margin")
        self._reward = REWARDS[reward]
        self.possible_agents = [f"player_{seat + 1}" for seat in range(self.seats)]
        self._rng = np.random.default_rng()
        self.agent_selection = self.possible_agents[0]
        boxes: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0.0, 1.0, self.encoder.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (self.encoder.actions,), np.int8),
        }
        self._observation_spaces = {agent: spaces.Dict(boxes) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(self.encoder.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Planes and mask."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """The encoder's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.state = self.game.deal(self._rng, self._deal)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        self._note_mask()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What `agent` sees: planes float32[planes, rows, cols] and the action mask int8[actions]."""
        mask = np.zeros(self.encoder.actions, np.int8)
        if agent == self.agent_selection:
            mask[:] = action_mask(self.encoder, self.state)
        return {"observation": self.encoder.planes(self.state), "action_mask": mask}

    def step(self, action: int | np.int64 | None) -> None:
        """Play the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        seat = self.possible_agents.index(agent)
        if action is None or not action_mask(self.encoder, self.state)[int(action)]:
            self._end({other: -1.0 if other == agent else 0.0 for other in self.agents})
        else:
            before = self.state
            self.state = before.play(self.encoder.move(int(action), before))
            ended = self.state.outcome()
            if ended is not None:
                rewards = [self._reward(before, self.state, ended, each) for each in range(len(self.agents))]
                self._end(dict(zip(self.agents, rewards, strict=True)))
            else:
                seat = self.state.player
        self.agent_selection = self.possible_agents[seat]
        if not self.terminations[agent]:
            self._note_mask()
        self._accumulate_rewards()
        self._deads_step_first()

    def close(self) -> None:
        """Nothing is held open."""

    def _note_mask(self) -> None:
        """Name the agent to move, and give it its mask as `info`, too."""
        self.agent_selection = self.possible_agents[self.state.player]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": action_mask(self.encoder, self.state).astype(np.int8)}

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)


for _name, _game in NAMES.items():
    if _name not in registry:
        register(id=_name, entry_point=f"{__name__}:{BoardGame.__name__}", kwargs={"game": _game})
