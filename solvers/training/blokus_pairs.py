"""Q-learning of Blokus over pairs of a position and a placement, after the dissertation: one network judges a pair.

The position's planes (squares of both, pieces left to both: 44) and a plane of the placement's cells go through three
residual blocks; embeddings of the piece's form, of the piece and of the place are added before the last layers. Which
pairs there are is the shape mask: only legal placements are ever judged.

Two ways to learn. "dqn": one network, to which the other side is part of the world; the target of a move is what it
brought until its side moves again, and the best pair then. "negamax": one network a seat, learned together from one
memory; the target of a move is ``r - g max Q'`` over the other's answers by the other's network, with Huber losses
whose sum one Adam minimises.

Many games are played side by side, so that all their pairs are judged at once; of a position and its placements the
first convolution is computed for the position once, and for the cells of each placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from games import find_game
from games.core import Options, SettingsError
from games.polyominoes import PIECE_OF, PIECES
from solvers import find_solver
from solvers.blokus.players import Heuristic
from solvers.core import Solver
from solvers.learned.games.blokus import FORMS
from solvers.training.blokus_games import BlokusGames
from solvers.training.differences import DifferenceLearner
from solvers.training.networks import Named, Residual, falling_chance, falling_rate, finish_run
from solvers.training.run import TrainingRun

USUAL_BUDGET = 2_000
"""Games."""

LOOK = 100
"""Games between two entries of the log."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StateActionSettings:
    """way: "dqn" or "negamax".  opponent: a solver the learner plays one seat of; "self" for both seats its own.

    channels, blocks, width: of the network.  boards: games side by side.  judged: at most so many placements of a
    position are judged while it learns, drawn by chance.  answers: so many of them, the best, are judged again where
    the position is the answer of a target.  room: moves remembered.  batch: moves a learning step takes.  reuse: how
    often a move is learned from on average.  rate: of Adam; it falls to a tenth (cosine).  discount: of the updates.
    lag: learning steps between two copies to the slower network.  first, last: chance of a random move, falling evenly
    over the share `decay`.  reward: "result" or "area" (squares ahead, a share of the board) at the end, or "squares":
    those of each move at once, in rows of the board, and the result at the end.
    """

    way: str = "negamax"
    opponent: str = "self"
    channels: int = 16
    blocks: int = 3
    width: int = 64
    boards: int = 32
    judged: int = 64
    answers: int = 8
    room: int = 20_000
    batch: int = 64
    reuse: float = 8.0
    rate: float = 1e-3
    discount: float = 0.99
    lag: int = 100
    first: float = 1.0
    last: float = 0.05
    decay: float = 0.3
    reward: str = "squares"


class PairNetwork(nn.Module):
    """Q-values of pairs: the position's planes with a plane of the placement, and which placement it is."""

    piece_of: Tensor

    def __init__(self, shape: tuple[int, int, int], *, channels: int, blocks: int, width: int) -> None:
        super().__init__()
        planes, rows, cols = shape
        self.cells = rows * cols
        self.stem = nn.Conv2d(planes + 1, channels, 3, padding=1, bias=False)
        self.body = nn.Sequential(
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
        return self._judged(self.stem(planes), actions)

    def of_each(self, planes: Tensor, owners: Tensor, cells: Tensor, actions: Tensor) -> Tensor:
        """The same for positions ``[m, planes, rows, cols]`` and placements' cells ``[n, 1, rows, cols]``.

        owners: int64[n], the position of each placement.
        """
        weight = self.stem.weight
        position = nn.functional.conv2d(planes, weight[:, :-1], padding=1)
        placement = nn.functional.conv2d(cells, weight[:, -1:], padding=1)
        return self._judged(position[owners] + placement, actions)

    def _judged(self, features: Tensor, actions: Tensor) -> Tensor:
        forms, places = actions // self.cells, actions % self.cells
        known = self.form(forms) + self.piece(self.piece_of[forms]) + self.place(places)
        answer: Tensor = self.head(self.body(features) + known).squeeze(1)
        return answer


class Ply(NamedTuple):
    """A move of a game: who made it in which position, what it laid, and the placements that were best, or judged."""

    seat: int
    planes: NDArray[np.int8]
    action: int
    squares: int
    answers: Numbers


class RememberedMove(NamedTuple):
    """A remembered move: its ply, what it brought, and whose the next one is.

    sign: 1 where the position that is remembered next is the same side's, -1 where it is the other's, 0 at the end.
    """

    ply: Ply
    reward: float
    sign: int


class MoveBatch(NamedTuple):
    """Moves drawn from the memory.

    seats_after, planes_after: of the positions that follow.  answers: int64[answers], those of one position after the
    other, `counts` of them each.
    """

    seats: Numbers
    planes: NDArray[np.int8]
    actions: Numbers
    rewards: NDArray[np.float32]
    signs: Numbers
    seats_after: Numbers
    planes_after: NDArray[np.int8]
    answers: Numbers
    counts: Numbers


class PairReplayBuffer:
    """The last moves, in rows; what follows a move stands in the next row."""

    def __init__(self, room: int, shape: tuple[int, int, int], answers: int) -> None:
        self.planes = np.zeros((room, *shape), np.int8)
        self.seats, self.actions, self.signs, self.counts = (np.zeros(room, np.int64) for _ in range(4))
        self.answers = np.zeros((room, answers), np.int64)
        self.rewards = np.zeros(room, np.float32)
        self.made = 0

    def __len__(self) -> int:
        return min(self.made, len(self.seats))

    def add(self, moves: Sequence[RememberedMove]) -> None:
        """Remember the moves of one side or both, in order, the last with the sign 0."""
        for ply, reward, sign in moves:
            at = self.made % len(self.seats)
            self.seats[at], self.planes[at], self.actions[at] = ply.seat, ply.planes, ply.action
            self.rewards[at], self.signs[at], self.counts[at] = reward, sign, len(ply.answers)
            self.answers[at, : len(ply.answers)] = ply.answers
            self.made += 1

    def draw(self, rng: np.random.Generator, count: int) -> MoveBatch:
        """`count` of them, each as likely."""
        at = rng.integers(0, len(self), count)
        then = (at + 1) % len(self.seats)
        known = np.arange(self.answers.shape[1]) < np.where(self.signs[at] != 0, self.counts[then], 0)[:, None]
        return MoveBatch(
            self.seats[at],
            self.planes[at],
            self.actions[at],
            self.rewards[at],
            self.signs[at],
            self.seats[then],
            self.planes[then],
            self.answers[then][known],
            known.sum(axis=1),
        )


class PairLearner(DifferenceLearner):
    """The networks of a learner: one for each seat, or one for both; and their slower copies."""

    network: nn.ModuleList
    slow: nn.ModuleList

    def __init__(self, settings: StateActionSettings, games: BlokusGames) -> None:
        shape, count = games.encoder.shape, 2 if settings.way == "negamax" else 1

        def networks() -> nn.ModuleList:
            made = (
                PairNetwork(shape, channels=settings.channels, blocks=settings.blocks, width=settings.width)
                for _ in range(count)
            )
            return nn.ModuleList(made)

        super().__init__(networks, rate=settings.rate, lag=settings.lag)
        self.settings, self.games = settings, games
        self.mirror = self.games.encoder.mirror.actions if self.games.rules.symmetric else None

    def values(
        self, networks: nn.ModuleList, seat: int, planes: NDArray[np.int8], owners: Numbers, actions: Numbers
    ) -> Tensor:
        """The Q-values of a seat's placements, each for one of the positions ``[m, planes, side, side]``."""
        network: Any = networks[seat % len(networks)]
        cells = self.games.covered[actions][:, None]
        boards = (torch.from_numpy(each.astype(np.float32)).to(self.place) for each in (planes, cells))
        numbers = (torch.from_numpy(each).to(self.place) for each in (owners, actions))
        seen, laid = (each.contiguous(memory_format=torch.channels_last) for each in boards)  # faster by a fifth
        answer: Tensor = network.of_each(seen, next(numbers), laid, next(numbers))
        return answer

    def judge(self, seat: int, planes: Sequence[NDArray[np.int8]], actions: Sequence[Numbers]) -> list[NDArray[Any]]:
        """For each position float32[n]: what a seat's network thinks of its placements, int64[n]."""
        owners = np.repeat(np.arange(len(planes)), [len(each) for each in actions])
        self.network.eval()
        with torch.no_grad():
            worths = self.values(self.network, seat, np.stack(planes), owners, np.concatenate(actions)).cpu().numpy()
        return np.split(worths, np.cumsum([len(each) for each in actions])[:-1])

    def learn(self, batch: MoveBatch) -> float:
        """One step on remembered moves of both seats: the sum of the seats' Huber losses; returns it."""
        targets = torch.from_numpy(self.targets(batch)).to(self.place)
        loss = torch.zeros((), device=self.place)
        self.network.train()
        for seat in range(len(self.network)):
            mine = np.flatnonzero((batch.seats == seat) | (len(self.network) == 1))
            if len(mine) > 1:
                known = self.values(self.network, seat, batch.planes[mine], np.arange(len(mine)), batch.actions[mine])
                loss = loss + nn.functional.smooth_l1_loss(known, targets[mine])
        return self.descend(loss)

    def targets(self, batch: MoveBatch) -> NDArray[np.float32]:
        """float32[moves]: what each move is worth by its reward and the best of the answers to it."""
        best = np.zeros(len(batch.seats), np.float32)
        owners = np.repeat(np.arange(len(best)), batch.counts)
        for seat in range(len(self.slow)):
            asked = np.flatnonzero((batch.seats_after[owners] == seat) | (len(self.slow) == 1))
            if len(asked):
                rows, places = np.unique(owners[asked], return_inverse=True)
                with torch.no_grad():
                    worths = self.values(self.slow, seat, batch.planes_after[rows], places, batch.answers[asked])
                best[rows] = np.maximum.reduceat(worths.cpu().numpy(), np.searchsorted(places, np.arange(len(rows))))
        targets: NDArray[np.float32] = batch.rewards + np.float32(self.settings.discount) * batch.signs * best
        return targets.astype(np.float32)

    def mirrored(self, batch: MoveBatch) -> MoveBatch:
        """The same moves with rows and columns exchanged, where the board's starts allow it."""
        if self.mirror is None:
            return batch
        planes, after = batch.planes.swapaxes(2, 3), batch.planes_after.swapaxes(2, 3)
        actions, answers = self.mirror[batch.actions], self.mirror[batch.answers]
        return batch._replace(planes=planes, planes_after=after, actions=actions, answers=answers)


class SideBySide:
    """Games under way: the learner's seats by its networks, the other by its opponent."""

    def __init__(self, pairs: PairLearner, board: Options, rng: np.random.Generator) -> None:
        self._pairs, self._games, self._rng = pairs, pairs.games, rng
        opponent = pairs.settings.opponent
        self._rival: Solver | None = None if opponent == "self" else find_solver(opponent, "blokus")
        self._start = find_game("blokus").deal(rng, board)
        count = len(self._games.counts)
        self._states, self._plies = [self._start] * count, [list[Ply]() for _ in range(count)]
        self._learners = np.arange(count) % 2
        for at in range(count):
            self._games.deal(at)

    def round(self, chance: float) -> list[tuple[list[RememberedMove], float]]:
        """A move in every game; of those that ended, the moves and the learner's points, and a new game began.

        chance: of a random move of the learner.
        """
        games, rng = self._games, self._rng
        games.find()
        ended = [self._end(at) for at in np.flatnonzero(games.counts == 0).tolist()]
        if ended:
            games.find()
        seats = np.array([games.seat(at) for at in range(len(games.counts))])
        theirs = (seats != self._learners) & (self._rival is not None)
        seen = {at: games.planes(at) for at in range(len(seats))}
        actions = np.array([self._chosen(at, theirs[at]) for at in seen])
        pairs = self._pairs
        asked = [at for at in seen if pairs.settings.way == "negamax" or not theirs[at]]
        for seat in (0, 1):
            mine = [at for at in asked if seats[at] == seat]
            judged = [self._some(at, int(actions[at])) for at in mine]
            worths = pairs.judge(seat, [seen[at] for at in mine], judged) if mine else []
            for at, those, worth in zip(mine, judged, worths, strict=True):
                order = np.argsort(-worth)[: pairs.settings.answers]
                if not theirs[at] and rng.random() >= chance:
                    actions[at] = those[order[0]]
                self._plies[at].append(
                    Ply(seat, seen[at], int(actions[at]), games.squares(int(actions[at])), those[order])
                )
        for at in set(seen) - set(asked):
            self._plies[at].append(
                Ply(int(seats[at]), seen[at], int(actions[at]), games.squares(int(actions[at])), actions[at : at + 1])
            )
        self._follow(actions)
        games.play(actions)
        return ended

    def _chosen(self, at: int, rivals: bool) -> int:
        """The opponent's move, or a random one."""
        games, rng = self._games, self._rng
        if rivals and isinstance(self._rival, Heuristic):
            first = self._rival.arrange(games.rules, games.positions[at], rng)[0][:1]
            return int(games.numbers(at, first)[0])
        if rivals and self._rival is not None:
            state = self._states[at]
            return games.encoder.action(self._rival.decide(state).move, state)
        return int(rng.choice(games.legal(at)))

    def _some(self, at: int, chosen: int) -> Numbers:
        """int64[at most judged]: the placements to judge, `chosen` among them."""
        legal, most = self._games.legal(at), self._pairs.settings.judged
        if len(legal) <= most:
            return legal
        some = self._rng.choice(legal, most, replace=False)
        if chosen not in some:
            some[0] = chosen
        return some

    def _follow(self, actions: Numbers) -> None:
        """Play actions, int64[boards], in the readable positions, which opponents other than the compiled ones need."""
        if self._rival is None or isinstance(self._rival, Heuristic):
            return
        encoder = self._games.encoder
        for at, state in enumerate(self._states):
            self._states[at] = state.play(encoder.move(int(actions[at]), state))

    def _end(self, at: int) -> tuple[list[RememberedMove], float]:
        """The moves of a game that ended, and the learner's points; the next begins with the seats exchanged."""
        games, settings, learner = self._games, self._pairs.settings, int(self._learners[at])
        margin, plies = games.margin(at), self._plies[at]
        both = self._rival is None
        moves: list[RememberedMove] = []
        if settings.way == "negamax":
            moves += remembered(plies, margin, games.encoder.shape[1], settings.reward)
        else:
            for seat in (0, 1) if both else (learner,):
                moves += remembered(plies, margin, games.encoder.shape[1], settings.reward, seat=seat)
        self._states[at], self._plies[at], self._learners[at] = self._start, [], 1 - learner
        games.deal(at)
        return moves, (1 + float(np.sign(margin)) * (1 - 2 * learner)) / 2


def remembered(
    plies: Sequence[Ply], margin: int, side: int, reward: str, *, seat: int | None = None
) -> list[RememberedMove]:
    """The moves of a game as they are remembered: each player's against the other, or one seat's against the world.

    margin: of the first seat at the end.  side: of the board.  reward: as in `StateActionSettings`.
    """
    kept = [at for at, ply in enumerate(plies) if seat in (None, ply.seat)]
    found = []
    for at, then in zip(kept, [*kept[1:], len(plies)], strict=True):
        ply, sign = plies[at], 0
        own = margin if ply.seat == 0 else -margin
        worth = sum(each.squares * (1 if each.seat == ply.seat else -1) for each in plies[at:then]) / side
        brought = worth if reward == "squares" else 0.0
        if then < len(plies):
            sign = 1 if plies[then].seat == ply.seat else -1
        else:
            brought += own / side**2 if reward == "area" else float(np.sign(own))
        found.append(RememberedMove(ply, brought, sign))
    return found


def learn(run: TrainingRun, settings: StateActionSettings) -> None:
    """Play games, learn from them and leave the networks in the run's folder; raises SettingsError."""
    if settings.way not in ("dqn", "negamax") or settings.reward not in ("result", "area", "squares"):
        raise SettingsError(
            f"way is dqn or negamax and reward result, area or squares, not {settings.way}, {settings.reward}"
        )
    pairs, total = begin(run.plan.board, settings), run.plan.budget or USUAL_BUDGET
    done = _restore(run, pairs) if run.resuming else 0
    memory = PairReplayBuffer(settings.room, pairs.games.encoder.shape, settings.answers)
    play, owed = SideBySide(pairs, run.plan.board, run.rng), 0.0
    losses, points = [0.0], list[float]()
    with run.progress(total, done, "games"):
        while done < total:
            for group in pairs.optimiser.param_groups:
                group["lr"] = falling_rate(settings.rate, done / total)
            chance = falling_chance(settings.first, settings.last, settings.decay, done / total)
            for moves, won in play.round(chance):
                memory.add(moves)
                points.append(won)
                owed += settings.reuse * len(moves) / settings.batch
                done += 1
                if done % LOOK == 0 or done == total:
                    run.log(done, won=float(np.mean(points)), loss=float(np.mean(losses)), learned=pairs.learned)
                    losses, points = losses[-1:], []
            while owed >= 1 and len(memory) >= settings.batch:
                batch = memory.draw(run.rng, settings.batch)
                losses.append(pairs.learn(pairs.mirrored(batch) if run.rng.random() < 0.5 else batch))
                owed -= 1
            if run.due() or done >= total:
                run.save(done=done, **pairs.kept("fast"))
    _finish(run, settings, pairs, total)


def leave(run: TrainingRun, settings: StateActionSettings) -> None:
    """Leave the networks of the latest checkpoint and their card."""
    pairs = begin(run.plan.board, settings)
    _finish(run, settings, pairs, _restore(run, pairs))


def _finish(run: TrainingRun, settings: StateActionSettings, pairs: PairLearner, games: int) -> None:
    budget, note = f"{games:,} games, {pairs.learned:,} steps", f"; {settings.way}, opponent {settings.opponent}"
    finish_run(run, BothSeats(pairs.network), pairs.games.encoder, "blokus", budget=budget, note=note)


class BothSeats(nn.Module):
    """The networks of both seats as one that is told the seat."""

    def __init__(self, networks: nn.ModuleList) -> None:
        super().__init__()
        self.heads = Named("q", pairs=True)
        self.first, self.second = networks[0], networks[-1]

    def forward(self, planes: Tensor, actions: Tensor, seats: Tensor) -> Tensor:
        """float32[n] for ``[n, planes + 1, rows, cols]``, int64[n] and int64[n]."""
        if self.first is self.second:
            alone: Tensor = self.first(planes, actions) + 0.0 * seats
            return alone
        answer = torch.zeros(seats.shape[0])
        for seat, network in enumerate((self.first, self.second)):
            mine = torch.nonzero(seats == seat).squeeze(1)
            answer = answer.index_put((mine,), network(planes[mine], actions[mine]))
        return answer


def begin(board: Options, settings: StateActionSettings) -> PairLearner:
    """Networks that know nothing yet, and their games; raises SettingsError for boards of more than two colours."""
    return PairLearner(settings, BlokusGames(board, settings.boards))


def _restore(run: TrainingRun, pairs: PairLearner) -> int:
    """The networks of a checkpoint; the memory begins anew.  Returns the games played before."""
    kept = run.load()
    pairs.restore(kept, "fast")
    done: int = kept["done"]
    return done
