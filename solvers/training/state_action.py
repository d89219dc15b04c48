"""Q-learning of Blokus over pairs of a position and a placement, after the dissertation: one network judges a pair.

The position's planes (squares of both, pieces left to both: 44) and a plane of the placement's cells go through three
residual blocks; embeddings of the piece's form, of the piece and of the place are added before the last layers. Which
pairs there are is the shape mask: only legal placements are ever judged.

Two ways to learn. "dqn": one network for both sides, whose target is the best pair of the position when it moves again.
"negamax": one network a seat, learned together from one memory; the target of a move is ``r - g max Q'`` over the
other's answers by the other's network, with Huber losses whose sum one Adam minimises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from games import find_game
from games.blokus.pieces import PIECE_OF, PIECES
from games.blokus.position import Blokus
from games.core import Options, SettingsError
from solvers import find_solver
from solvers.learned.planes import FORMS, BlokusPlanes, encoder_of, full_options, legal_actions, placement_planes
from solvers.training.networks import Residual, device, export_pairs, parameters_of
from solvers.training.run import Run

USUAL_BUDGET = 20_000
"""Games."""

LOOK = 50
"""Games between two entries of the log."""


@dataclass(frozen=True, slots=True)
class Settings:
    """way: "dqn" or "negamax".  opponent: a solver the learner plays one seat of; "self" for both seats its own.

    channels, blocks, width: of the network.  room: moves remembered.  batch: moves a learning step takes.
    rate, discount: of the updates.  lag: learning steps between two copies to the slower network.
    first, last: chance of a random move, falling evenly over the share `decay`.  answers: at most so many of the
    answers to a move are judged for its target, drawn by chance; 0 for all.
    reward: "result", or "area", the difference of squares as a share of the board.
    """

    way: str = "negamax"
    opponent: str = "self"
    channels: int = 64
    blocks: int = 3
    width: int = 128
    room: int = 50_000
    batch: int = 64
    rate: float = 1e-4
    discount: float = 0.99
    lag: int = 500
    first: float = 1.0
    last: float = 0.05
    decay: float = 0.5
    answers: int = 48
    reward: str = "result"


class PairNetwork(nn.Module):
    """Q-values of pairs: the position's planes with a plane of the placement, and which placement it is."""

    outputs = ("q",)
    piece_of: Tensor

    def __init__(self, shape: tuple[int, int, int], *, channels: int, blocks: int, width: int) -> None:
        super().__init__()
        planes, rows, cols = shape
        self.cells = rows * cols
        self.body = nn.Sequential(
            nn.Conv2d(planes + 1, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            *(Residual(channels) for _ in range(blocks)),
            nn.Conv2d(channels, 8, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(8 * self.cells, width),
        )
        self.form = nn.Embedding(len(FORMS), width)
        self.piece = nn.Embedding(len(PIECES), width)
        self.place = nn.Embedding(self.cells, width)
        self.register_buffer("piece_of", torch.tensor([PIECE_OF[form] for form in FORMS]))
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, planes: Tensor, actions: Tensor) -> Tensor:
        """float32[n] for ``[n, planes + 1, rows, cols]`` and the numbers of the placements, int64[n]."""
        forms, places = actions // self.cells, actions % self.cells
        known = self.form(forms) + self.piece(self.piece_of[forms]) + self.place(places)
        answer: Tensor = self.head(self.body(planes) + known).squeeze(1)
        return answer


class Move(NamedTuple):
    """A remembered move: what was seen and laid, what it brought at once, and the position to answer.

    seat: who made it.  sign: 1 where the same side answers (the other had no placement), else -1; 0 at the end.
    after: planes of the next position, and `answers` its legal placements; both of that side's view.
    """

    seat: int
    planes: NDArray[np.int8]
    action: int
    reward: float
    sign: int
    after: NDArray[np.int8]
    answers: NDArray[np.int64]


@dataclass
class Pairs:
    """The networks of a learner: one for each seat, or one for both; and their slower copies."""

    settings: Settings
    encoder: BlokusPlanes
    fast: nn.ModuleList = field(init=False)
    slow: nn.ModuleList = field(init=False)

    def __post_init__(self) -> None:
        self.place = device()
        settings, shape = self.settings, self.encoder.shape
        count = 2 if settings.way == "negamax" else 1

        def networks() -> nn.ModuleList:
            made = (
                PairNetwork(shape, channels=settings.channels, blocks=settings.blocks, width=settings.width)
                for _ in range(count)
            )
            return nn.ModuleList(made).to(self.place)

        self.fast, self.slow = networks(), networks()
        self.optimiser = torch.optim.Adam(self.fast.parameters(), lr=settings.rate)
        self.learned = 0
        self.copy()

    def copy(self) -> None:
        """Bring the slower networks up to date."""
        self.slow.load_state_dict(self.fast.state_dict())
        self.slow.eval()

    def values(self, networks: nn.ModuleList, seat: int, planes: NDArray[Any], actions: NDArray[np.int64]) -> Tensor:
        """The Q-values of placements, each with the planes of its own position, ``[n, planes, side, side]``."""
        with_placement = np.concatenate(
            [planes.astype(np.float32), placement_planes(actions, self.encoder.shape[1])[:, None]], axis=1
        )
        network = networks[seat % len(networks)]
        answer: Tensor = network(
            torch.from_numpy(with_placement).to(self.place), torch.from_numpy(actions).to(self.place)
        )
        return answer

    def judge(self, state: Blokus) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The numbers of the legal placements and what the fast network of the seat thinks of each."""
        actions, planes = legal_actions(self.encoder, state), self.encoder.planes(state)
        self.fast.eval()
        with torch.no_grad():
            worths = self.values(self.fast, state.player, np.repeat(planes[None], len(actions), axis=0), actions)
        return actions, worths.cpu().numpy()

    def learn(self, moves: list[Move], rng: np.random.Generator) -> float:
        """One step on remembered moves of both seats: the sum of the seats' Huber losses; returns it."""
        settings = self.settings
        loss = torch.zeros((), device=self.place)
        for seat in range(len(self.fast)):
            mine = [move for move in moves if len(self.fast) == 1 or move.seat == seat]
            if len(mine) < 2:
                continue
            target = torch.tensor([self._target(move, rng) for move in mine], device=self.place)
            self.fast.train()
            planes, actions = np.stack([move.planes for move in mine]), np.array([move.action for move in mine])
            known = self.values(self.fast, seat, planes, actions)
            loss = loss + nn.functional.smooth_l1_loss(known, target)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.fast.parameters(), 10.0)
        self.optimiser.step()
        self.learned += 1
        if self.learned % settings.lag == 0:
            self.copy()
        return float(loss.detach())

    def _target(self, move: Move, rng: np.random.Generator) -> float:
        """What the move is worth by its reward and the best answer to it."""
        if move.sign == 0:
            return move.reward
        answers, most = move.answers, self.settings.answers
        if most and len(answers) > most:
            answers = rng.choice(answers, most, replace=False)
        seat = move.seat if move.sign == 1 else 1 - move.seat
        with torch.no_grad():
            worths = self.values(self.slow, seat, np.repeat(move.after[None], len(answers), axis=0), answers)
        return move.reward + self.settings.discount * move.sign * float(worths.max())


def learn(run: Run, settings: Settings) -> None:
    """Play games and learn from them, and leave the networks in the run's folder."""
    if settings.way not in ("dqn", "negamax") or settings.reward not in ("result", "area"):
        raise SettingsError(f"way is dqn or negamax and reward result or area, not {settings.way}, {settings.reward}")
    pairs, total = begin(run.plan.board, settings), run.plan.budget or USUAL_BUDGET
    done = _restore(run, pairs) if run.resuming else 0
    memory: list[Move] = []
    losses, points = [0.0], [0.5]
    with run.progress(total, done, "games"):
        while done < total:
            left = max(0.0, 1 - done / total / settings.decay)
            chance = settings.last + (settings.first - settings.last) * left
            moves, won = play_game(pairs, run.plan.board, run.rng, chance, learner=done % 2)
            memory = (memory + moves)[-settings.room :]
            points.append(won)
            for _ in range(max(1, len(moves) // 4)):
                if len(memory) >= settings.batch:
                    chosen = run.rng.integers(0, len(memory), settings.batch)
                    losses.append(pairs.learn([memory[at] for at in chosen], run.rng))
            done += 1
            if done % LOOK == 0 or done == total:
                run.log(done, won=float(np.mean(points)), loss=float(np.mean(losses)), learned=pairs.learned)
                losses, points = losses[-1:], points[-1:]
            if run.due() or done == total:
                states = {"fast": pairs.fast.state_dict(), "slow": pairs.slow.state_dict()}
                run.save(done=done, learned=pairs.learned, optimiser=pairs.optimiser.state_dict(), **states)
    export_pairs(BothSeats(pairs.fast), pairs.encoder.shape, pairs.encoder.actions, run.path("model.onnx"))
    note = f"{parameters_of(pairs.fast):,} parameters; {settings.way}, opponent {settings.opponent}"
    run.finish("model.onnx", encoder="blokus", budget=f"{total:,} games, {pairs.learned:,} steps", note=note)


class BothSeats(nn.Module):
    """The networks of both seats as one that is told the seat."""

    outputs = ("q",)

    def __init__(self, networks: nn.ModuleList) -> None:
        super().__init__()
        self.first, self.second = networks[0], networks[-1]

    def forward(self, planes: Tensor, actions: Tensor, seats: Tensor) -> Tensor:
        """float32[n] for ``[n, planes + 1, rows, cols]``, int64[n] and int64[n]."""
        if self.first is self.second:
            alone: Tensor = self.first(planes, actions) + 0.0 * seats
            return alone
        return torch.where(seats == 0, self.first(planes, actions), self.second(planes, actions))


def begin(board: Options, settings: Settings) -> Pairs:
    """Networks that know nothing yet; raises SettingsError for boards of more than two colours."""
    encoder = encoder_of("blokus", full_options("blokus", board))
    assert isinstance(encoder, BlokusPlanes)
    if encoder.shape[0] != 2 * (1 + len(PIECES)):
        raise SettingsError("pairs are learned for two players with a colour each: choose --players 2")
    return Pairs(settings, encoder)


def play_game(
    pairs: Pairs, board: Options, rng: np.random.Generator, chance: float, *, learner: int
) -> tuple[list[Move], float]:
    """The moves of a game, and the learner's points: with an opponent it has the seat `learner`, else both."""
    settings, encoder = pairs.settings, pairs.encoder
    rival = None if settings.opponent == "self" else find_solver(settings.opponent, "blokus")
    state, made = find_game("blokus").deal(rng, board), list[tuple[Blokus, int]]()
    while state.outcome() is None:
        if rival is not None and state.player != learner:
            action = encoder.action(rival.decide(state).move, state)
        elif rng.random() < chance:
            action = int(rng.choice(legal_actions(encoder, state)))
        else:
            actions, worths = pairs.judge(state)
            action = int(actions[worths.argmax()])
        made.append((state, action))
        state = state.play(encoder.move(action, state))
    outcome = state.outcome()
    assert outcome is not None
    margins = (outcome.scores[0] - outcome.scores[1], outcome.scores[1] - outcome.scores[0])
    moves = []
    for number, (before, action) in enumerate(made):
        after = made[number + 1][0] if number + 1 < len(made) else None
        margin = margins[before.player]
        reward = float(np.sign(margin)) if settings.reward == "result" else margin / encoder.shape[1] ** 2
        moves.append(
            Move(
                seat=before.player,
                planes=encoder.planes(before).astype(np.int8),
                action=action,
                reward=reward if after is None else 0.0,
                sign=0 if after is None else 1 if after.player == before.player else -1,
                after=encoder.planes(before if after is None else after).astype(np.int8),
                answers=np.zeros(0, np.int64) if after is None else legal_actions(encoder, after),
            )
        )
    return moves, (1 + float(np.sign(margins[learner]))) / 2


def _restore(run: Run, pairs: Pairs) -> int:
    """The networks of a checkpoint; the memory begins anew.  Returns the games played before."""
    kept = run.load()
    pairs.fast.load_state_dict(kept["fast"])
    pairs.slow.load_state_dict(kept["slow"])
    pairs.optimiser.load_state_dict(kept["optimiser"])
    pairs.learned = kept["learned"]
    done: int = kept["done"]
    return done
