"""Stable-Baselines3's DQN on Filler as it was published: see `PublishedDqnSettings`.

The learner sees the board turned so that its own corner is the top left one and plays against a random player in either
seat.  While it learns it may name barred colours, which cost it 10 and change nothing: the library's target takes the
maximum over all colours, so it must know what the barred ones are worth.  When it plays they are filtered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3 import DQN
from stable_baselines3.common.callbacks import BaseCallback
from torch import Tensor, nn

from solvers.learned.registry import encoder_of, full_options
from solvers.training.environments import BoardGame
from solvers.training.networks import Named, finish_run
from solvers.training.run import TrainingRun

USUAL_BUDGET = 500_000
"""Steps, as published."""

LOOK = 5_000
"""Steps between two entries of the log."""

BUFFER = ("observations", "actions", "rewards", "dones", "timeouts")
"""What a replay buffer holds that keeps only one observation a step."""


@dataclass(frozen=True, slots=True)
class PublishedDqnSettings:
    """The published figures: hidden layers, learning rate, discount, batch, steps remembered; a random opponent.

    filtered: whether barred colours are filtered while it learns, too; the target then counts on what they never were.
    """

    layers: tuple[int, ...] = (256, 128)
    rate: float = 1e-4
    discount: float = 0.99
    batch: int = 32
    room: int = 100_000
    opponent: str = "random"
    filtered: bool = False


class LegalDqn(DQN):
    """Explores among the actions its environment allows, or among all where `filtered` is no; `draws` is its chance."""

    draws: np.random.Generator
    filtered: bool

    def predict(
        self,
        observation: Any,
        state: Any = None,
        episode_start: Any = None,
        deterministic: bool = False,
    ) -> tuple[NDArray[np.int64], Any]:
        """int64[n]: the allowed action of the highest Q-value, or any allowed one with the chance of the schedule."""
        masks = self._masks()
        if not deterministic and self.draws.random() < self.exploration_rate:
            return self._drawn(masks), state
        with torch.no_grad():
            worths = self.q_net(torch.from_numpy(observation).to(self.device)).cpu().numpy()
        return np.where(masks, worths, -np.inf).argmax(axis=1), state

    def _sample_action(
        self, learning_starts: int, action_noise: Any = None, n_envs: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self.num_timesteps < learning_starts:
            actions = self._drawn(self._masks())
        else:
            actions, _ = self.predict(self._last_obs, deterministic=False)
        return actions, actions

    def _masks(self) -> NDArray[np.bool_]:
        assert self.env is not None
        masks = np.stack(self.env.env_method("action_masks"))
        return masks if self.filtered else np.ones_like(masks)

    def _drawn(self, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        drawn: NDArray[np.int64] = (self.draws.random(masks.shape) * masks).argmax(axis=1)
        return drawn


class RunCallback(BaseCallback):
    """Logs, and keeps checkpoints."""

    def __init__(self, run: TrainingRun, total: int) -> None:
        super().__init__()
        self._run, self._total = run, total

    @property
    def learner(self) -> LegalDqn:
        """The model that calls it."""
        assert isinstance(self.model, LegalDqn)
        return self.model

    def _on_step(self) -> bool:
        done = self.learner.num_timesteps
        if done % LOOK == 0 or done >= self._total:
            games = [episode["r"] for episode in self.learner.ep_info_buffer or []]
            won = float(np.mean([reward > 0 for reward in games])) if games else 0.0
            mean = float(np.mean(games)) if games else 0.0
            self._run.log(done, won=won, reward=mean, exploration=self.learner.exploration_rate)
        elif done % 500 == 0:
            self._run.advance(done)
        return True

    def _on_rollout_end(self) -> None:
        """Keep a checkpoint now that the last step is remembered."""
        if self._run.due() or self.learner.num_timesteps >= self._total:
            keep(self._run, self.learner)


def make(run: TrainingRun, settings: PublishedDqnSettings) -> LegalDqn:
    """The published learner, at its beginning."""
    environment = BoardGame(run.plan.game, reward="article", opponent=settings.opponent, **_variant(run))
    model = LegalDqn(
        "MlpPolicy",
        environment,
        learning_rate=settings.rate,
        gamma=settings.discount,
        batch_size=settings.batch,
        buffer_size=settings.room,
        optimize_memory_usage=True,
        replay_buffer_kwargs={"handle_timeout_termination": False},
        policy_kwargs={"net_arch": list(settings.layers)},
        seed=run.plan.seed,
    )
    model.draws, model.filtered = run.rng, settings.filtered
    return model


def _variant(run: TrainingRun) -> dict[str, Any]:
    board = run.plan.board
    values = {"rows": board.rows, "cols": board.cols, "colours": board.colours, "variant": board.variant}
    return {name: value for name, value in values.items() if value is not None}


def learn(run: TrainingRun, settings: PublishedDqnSettings) -> None:
    """Take the steps, and leave the network and its card."""
    total = run.plan.budget or USUAL_BUDGET
    model = make(run, settings)
    done = restore(run, model) if run.resuming else 0
    with run.progress(total, done, "steps"):
        model.learn(total - done if done else total, callback=RunCallback(run, total), reset_num_timesteps=not done)
    _finish(run, model, total)


def leave(run: TrainingRun, settings: PublishedDqnSettings) -> None:
    """Leave the network of the latest checkpoint and its card."""
    model = make(run, settings)
    _finish(run, model, restore(run, model))


def _finish(run: TrainingRun, model: LegalDqn, steps: int) -> None:
    encoder = encoder_of(run.plan.game, full_options(run.plan.game, run.plan.board))
    note = "; Stable-Baselines3 as published"
    finish_run(run, Flat(model.q_net.q_net), encoder, run.plan.game, budget=f"{steps:,} steps", note=note)


class Flat(nn.Module):
    """The library's layers behind flattened planes, with its output by name."""

    def __init__(self, layers: nn.Module) -> None:
        super().__init__()
        self.layers, self.heads = layers, Named("q")

    def forward(self, planes: Tensor) -> tuple[Tensor]:
        """Q-values ``[n, actions]``."""
        return (self.layers(planes.flatten(1)),)


def keep(run: TrainingRun, model: LegalDqn) -> None:
    """A checkpoint: the networks, the optimiser and the replay buffer's arrays."""
    buffer = model.replay_buffer
    assert buffer is not None
    filled = buffer.buffer_size if buffer.full else buffer.pos + 1  # the last observation follows the last step
    arrays = {name: torch.from_numpy(getattr(buffer, name)[:filled].copy()) for name in BUFFER}
    arrays["observations"] = arrays["observations"].half()
    run.save(
        steps=model.num_timesteps,
        updates=model._n_updates,
        position=buffer.pos,
        full=buffer.full,
        policy=model.policy.state_dict(),
        optimiser=model.policy.optimizer.state_dict(),
        **arrays,
    )


def restore(run: TrainingRun, model: LegalDqn) -> int:
    """Go on from a checkpoint; the game that was played then is dealt anew.  Returns the steps taken before."""
    kept, buffer = run.load(), model.replay_buffer
    assert buffer is not None
    model.policy.load_state_dict(kept["policy"])
    model.policy.optimizer.load_state_dict(kept["optimiser"])
    model.num_timesteps, model._n_updates = kept["steps"], kept["updates"]
    for name in BUFFER:
        array = kept[name].numpy()
        getattr(buffer, name)[: len(array)] = array
    buffer.pos, buffer.full = kept["position"], kept["full"]
    steps: int = kept["steps"]
    return steps
