"""Deep Q-learning on many boards at once, by self-play and against a pool of the learner's own past.

The maximum is over legal moves alone, networks are double and dueling, targets look several moves ahead.  Every move
is a transition seen by the side that makes it, so what follows counts for the other side: over n moves the target is
``r0 - g r1 + g^2 r2 ... (-g)^n max Q``, the largest Q-value of the legal moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from games.core import SettingsError
from solvers.learned.encoder import Encoder
from solvers.learned.registry import encoder_of, full_options
from solvers.training.batches import BoardBatch, batch_of
from solvers.training.differences import DifferenceLearner
from solvers.training.networks import Mlp, convolving, falling_chance, finish_run
from solvers.training.run import TrainingRun

USUAL_BUDGET = 2_000_000
"""Moves."""

LOOK = 200
"""Rounds of moves between two entries of the log."""

TRIAL_MOVES = 60
"""Rounds of a trial: games of most boards end well within them."""


@dataclass(frozen=True, slots=True)
class DqnSettings:
    """network: "residual" or "colours", with channels and blocks, or "mlp", with layers.

    encoder: what is seen, "" for the game's own.  dueling: value and advantages apart, if the network is not "colours".
    double: the learner chooses the target's move, the slower network says what it is worth.  steps: moves a target
    looks ahead.  discount: of each move.  boards: played at once.  room: moves remembered.  batch: moves a learning
    step takes.  reuse: how often a move is learned from on average.  rate: of Adam.  lag: learning steps between two
    copies to the slower network.  first, last: chance of a random move, falling evenly over the share `decay`.
    pool: the share of boards on which an earlier self plays one side.  reward: "win", or "margin" as a share of the
    board.  warm: moves before it learns.
    """

    encoder: str = ""
    network: str = "residual"
    channels: int = 32
    blocks: int = 2
    layers: tuple[int, ...] = (256, 128)
    dueling: bool = True
    double: bool = True
    steps: int = 3
    discount: float = 0.99
    boards: int = 128
    room: int = 200_000
    batch: int = 256
    reuse: float = 4.0
    rate: float = 5e-4
    lag: int = 500
    first: float = 1.0
    last: float = 0.05
    decay: float = 0.3
    pool: float = 0.25
    reward: str = "win"
    warm: int = 10_000


class QHead(nn.Module):
    """Q-values from features; dueling: the position's value and how much each move differs from the mean."""

    outputs = ("q",)

    def __init__(self, width: int, actions: int, *, dueling: bool) -> None:
        super().__init__()
        self.advantage = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1) if dueling else None

    def forward(self, features: Tensor) -> tuple[Tensor]:
        """``[n, actions]``."""
        advantage: Tensor = self.advantage(features)
        if self.value is None:
            return (advantage,)
        return (self.value(features) + advantage - advantage.mean(dim=1, keepdim=True),)


def build(settings: DqnSettings, shape: tuple[int, int, int], actions: int) -> nn.Module:
    """The network the settings describe; raises SettingsError."""
    network: nn.Module
    if settings.network == "mlp":
        network, width = Mlp(shape, actions, settings.layers, ("q",)), settings.layers[-1]
    else:
        network, width = convolving(settings.network, shape, actions, settings.channels, settings.blocks, ("q",)), 128
    if settings.network != "colours":
        network.set_submodule("heads", QHead(width, actions, dueling=settings.dueling), strict=True)
    return network


class ReplayBuffer:
    """The last moves of every board, in the order they were made."""

    def __init__(self, rounds: int, boards: int, shape: tuple[int, int, int], actions: int) -> None:
        self.planes = np.zeros((rounds, boards, *shape), np.float16)
        self.masks = np.zeros((rounds, boards, actions), np.bool_)
        self.actions = np.zeros((rounds, boards), np.int64)
        self.rewards = np.zeros((rounds, boards), np.float32)
        self.ended = np.zeros((rounds, boards), np.bool_)
        self.made = 0

    def add(
        self, planes: NDArray[Any], masks: NDArray[np.bool_], actions: NDArray[np.int64], batch: BoardBatch
    ) -> None:
        """Remember a round: planes [boards, ...], masks bool[boards, actions], actions int64[boards], the outcome."""
        at = self.made % len(self.planes)
        self.planes[at], self.masks[at], self.actions[at] = planes, masks, actions
        self.rewards[at], self.ended[at] = batch.rewards, batch.ended
        self.made += 1

    def draw(
        self, rng: np.random.Generator, count: int, steps: int, discount: float
    ) -> tuple[
        NDArray[Any], NDArray[np.int64], NDArray[np.float32], NDArray[np.float32], NDArray[Any], NDArray[np.bool_]
    ]:
        """`count` remembered moves: planes, actions, rewards over `steps` moves, and what follows them.

        That is the factor of its worth, 0 where the game ended, its planes and its legal moves: float16[count, planes,
        rows, cols], int64[count], float32[count], float32[count], float16 as before, bool[count, actions].
        """
        rounds = len(self.planes)
        oldest = max(0, self.made - rounds)
        times = rng.integers(oldest, self.made - steps, count)
        boards = rng.integers(0, self.planes.shape[1], count)
        total, factor = np.zeros(count, np.float32), np.ones(count, np.float32)
        for step in range(steps):
            at = (times + step) % rounds
            total += factor * self.rewards[at, boards]
            factor *= -discount * ~self.ended[at, boards]
        start, then = times % rounds, (times + steps) % rounds
        return (
            self.planes[start, boards],
            self.actions[start, boards],
            total,
            factor,
            self.planes[then, boards],
            self.masks[then, boards],
        )


class Learner(DifferenceLearner):
    """The two networks, the optimiser and the past selves."""

    def __init__(self, settings: DqnSettings, shape: tuple[int, int, int], actions: int) -> None:
        super().__init__(lambda: build(settings, shape, actions), rate=settings.rate, lag=settings.lag)
        self.settings = settings
        self.rival = build(settings, shape, actions).to(self.place).eval()
        self.past: list[dict[str, Tensor]] = []
        self.rival.load_state_dict(self.network.state_dict())

    def choose(self, network: nn.Module, planes: NDArray[Any], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """int64[n]: the action of the highest Q-value of those in masks, bool[n, actions], on each board."""
        network.eval()
        with torch.no_grad():
            worths = network(torch.from_numpy(np.ascontiguousarray(planes, np.float32)).to(self.place))[0]
        best: NDArray[np.int64] = np.where(masks, worths.cpu().numpy(), -np.inf).argmax(axis=1)
        return best

    def learn(self, memory: ReplayBuffer, rng: np.random.Generator) -> float:
        """One step on remembered moves; returns the loss."""
        settings = self.settings
        parts = memory.draw(rng, settings.batch, settings.steps, settings.discount)
        planes, actions, total, factor, after, masks = (torch.from_numpy(part).to(self.place) for part in parts)
        self.network.train()
        with torch.no_grad():
            worths = self.slow(after.float())[0].masked_fill(~masks, -torch.inf)
            if settings.double:
                chooser = self.network(after.float())[0].masked_fill(~masks, -torch.inf)
                best = worths.gather(1, chooser.argmax(dim=1, keepdim=True)).squeeze(1)
            else:
                best = worths.max(dim=1).values
            target = total + torch.where(factor == 0, 0.0, factor * best)
        known = self.network(planes.float())[0].gather(1, actions[:, None]).squeeze(1)
        return self.descend(nn.functional.smooth_l1_loss(known, target))

    def remember_self(self, rng: np.random.Generator) -> None:
        """Keep the network as a past self, at most twenty of them, and take one of them as the rival."""
        self.past.append({name: value.detach().cpu().clone() for name, value in self.network.state_dict().items()})
        if len(self.past) > 20:
            self.past.pop(int(rng.integers(1, 20)))
        self.rival.load_state_dict(self.past[int(rng.integers(len(self.past)))])


def learn(run: TrainingRun, settings: DqnSettings) -> None:
    """Play and learn until the budget is spent, then leave the network and its card; raises SettingsError."""
    if settings.reward not in ("win", "margin"):
        raise SettingsError(f"no reward is called {settings.reward!r}: choose win or margin")
    plan, total = run.plan, run.plan.budget or USUAL_BUDGET
    seen = settings.encoder or plan.game
    encoder = _encoder(run, settings)
    learner = Learner(settings, encoder.shape, encoder.actions)
    rounds = settings.room // settings.boards
    memory = ReplayBuffer(rounds, settings.boards, encoder.shape, encoder.actions)
    done = _restore(run, learner) if run.resuming else 0
    batch = batch_of(seen, plan.board, settings.boards, plan.seed * 1_000_003 + done)
    warm, begun = max(settings.warm, settings.batch), done
    losses: list[float] = []
    owed = 0.0
    with run.progress(total, done, "moves"):
        while done < total:
            _play_round(run, settings, learner, memory, batch, done / total)
            done += settings.boards
            if done - begun >= warm and memory.made > settings.steps + 1:
                owed += settings.reuse * settings.boards / settings.batch
                while owed >= 1:
                    losses.append(learner.learn(memory, run.rng))
                    owed -= 1
            if (done // settings.boards) % LOOK == 0 or done >= total:
                figures = {"random": trial(learner, seen, plan.board, seed=done)}
                run.log(done, **figures, loss=float(np.mean(losses or [0.0])), learned=learner.learned)
                losses.clear()
                learner.remember_self(run.rng)
            if run.due() or done >= total:
                run.save(done=done, past=learner.past, **learner.kept())
    _finish(run, settings, learner, total)


def leave(run: TrainingRun, settings: DqnSettings) -> None:
    """Leave the network of the latest checkpoint and its card."""
    encoder = _encoder(run, settings)
    learner = Learner(settings, encoder.shape, encoder.actions)
    _finish(run, settings, learner, _restore(run, learner))


def _finish(run: TrainingRun, settings: DqnSettings, learner: Learner, moves: int) -> None:
    budget, seen = f"{moves:,} moves, {learner.learned:,} steps", settings.encoder or run.plan.game
    finish_run(run, learner.network, _encoder(run, settings), seen, budget=budget, note=", self-play alone")


def _encoder(run: TrainingRun, settings: DqnSettings) -> Encoder:
    plan = run.plan
    return encoder_of(settings.encoder or plan.game, full_options(plan.game, plan.board))


def _play_round(
    run: TrainingRun, settings: DqnSettings, learner: Learner, memory: ReplayBuffer, batch: BoardBatch, progress: float
) -> None:
    """One move on every board, some by chance, some by a past self, remembered."""
    planes, masks = batch.planes(), batch.masks()
    actions = learner.choose(learner.network, planes, masks)
    theirs = np.arange(batch.count) < settings.pool * batch.count
    theirs &= batch.first == (np.arange(batch.count) % 2 == 0)
    if theirs.any():
        actions[theirs] = learner.choose(learner.rival, planes[theirs], masks[theirs])
    chance = falling_chance(settings.first, settings.last, settings.decay, progress)
    by_chance = run.rng.random(batch.count) < chance
    drawn = (run.rng.random(masks.shape, np.float32) * masks).argmax(axis=1)
    actions = np.where(by_chance, drawn, actions)
    batch.step(actions)
    if settings.reward == "win":
        batch.rewards[:] = np.sign(batch.rewards)
    memory.add(planes, masks, actions, batch)


def trial(learner: Learner, seen: str, board: Any, *, seed: int, boards: int = 200) -> float:
    """The share of the points against a random player, each side of as many boards, of the games that end soon."""
    rng, batch = np.random.default_rng(seed), batch_of(seen, board, boards, seed)
    learners = np.arange(boards) % 2 == 0
    open_, points = np.ones(boards, np.bool_), np.zeros(boards)
    for _ in range(TRIAL_MOVES):
        planes, masks = batch.planes(), batch.masks()
        mine = batch.first == learners
        drawn = (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)
        batch.step(np.where(mine, learner.choose(learner.network, planes, masks), drawn))
        just = batch.ended & open_
        points[just] = (1 + np.sign(batch.rewards[just]) * np.where(mine[just], 1, -1)) / 2
        open_ &= ~batch.ended
        if not open_.any():
            break
    return float(points[~open_].mean()) if not open_.all() else 0.5


def _restore(run: TrainingRun, learner: Learner) -> int:
    """The networks and past selves of a checkpoint; the memory begins anew and fills before learning goes on."""
    kept = run.load()
    learner.restore(kept)
    learner.past = kept["past"]
    if learner.past:
        learner.rival.load_state_dict(learner.past[int(run.rng.integers(len(learner.past)))])
    done: int = kept["done"]
    return done
