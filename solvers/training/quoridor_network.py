"""Train the network that corrects Quoridor's evaluation.

``python -m solvers.training.quoridor_network FOLDER`` has the search play itself, a piece of games at a time, first by
the evaluation alone, then by the network learned from that; each round ends with a network learned from all pieces so
far. What stands in the folder is not made again, so that it goes on wherever it was stopped; ``--keep`` writes what the
solvers read, and its card. The log of it all is ``log.txt`` there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from games.quoridor import GAME
from solvers.kernels import alphabeta
from solvers.kernels.quoridor import network as packed
from solvers.kernels.quoridor.board import Quoridor
from solvers.kernels.whole_rows import UNITS
from solvers.quoridor.network import CARD, FOLDER, WEIGHTS
from solvers.quoridor.players import AlphaBeta
from solvers.training.kernels import quoridor as games

PIECES = (23,)
"""Pieces of each round."""

PIECE, NODES = 20_000, 2_000
"""Positions of a piece, and how many others are looked at to judge one."""

MATCHED, PACE, ORDERED_PACE = 15_000, 0.88, 0.7
"""Positions a move of the match that ends a round, and the part of them that the network's search has, which is slower,
and that it has with an order of moves."""

HELD_BACK = 2
"""Pieces of the first round that nothing is learned from."""

ORDERED, ORDER_NODES = 2, 6_000
"""Pieces that the order of moves is learned from, and how many positions are looked at for each of their moves."""

ORDER_STEPS, ORDER_BATCH, ORDER_RATE = 1_500, 2_048, 0.05
ORDER_UNIT = 24_000
"""What 1 of the logarithm of a move's odds to be played is worth in weights."""

EPOCHS, BATCH, RATE = 10.0, 1024, 4e-3
OUTCOME = 0.5
"""What the end of a game counts, where a position is of one; the rest is what the search said."""


class RoundedWeights(NamedTuple):
    """A network as `solvers.kernels.quoridor.network.PathsNetwork` has it."""

    rows: NDArray[np.int16]
    heads: NDArray[np.int16]
    shares: NDArray[np.int64]
    order: packed.MoveOrder | None = None

    def arrays(self) -> dict[str, Any]:
        """What is written of them."""
        kept: dict[str, Any] = {"rows": self.rows, "heads": self.heads, "shares": self.shares}
        return kept if self.order is None else kept | self.order._asdict()


@dataclass(frozen=True)
class Lessons:
    """Positions as a network sees them, and what it is to say of each.

    chosen: int16[n, columns], stages: int8[n]: see `games.describe`.  plain: float32[n], the logarithm of the odds to
    win as the evaluation sees it.  targets: float32[n], the chance to win.  ended: float32[n], 1 for a win, 0 for a
    loss, 0.5 for a draw, -1 for positions of no game.
    """

    chosen: NDArray[np.int16]
    stages: NDArray[np.int8]
    plain: NDArray[np.float32]
    targets: NDArray[np.float32]
    ended: NDArray[np.float32]

    def batch(self, some: NDArray[np.int64], *, mirrored: bool = False) -> tuple[torch.Tensor, ...]:
        """Rows, stages and what is to be corrected."""
        chosen = torch.from_numpy(self.chosen[some].astype(np.int64))
        if mirrored:
            chosen = MIRRORED[chosen]
        return chosen, torch.from_numpy(self.stages[some].astype(np.int64)), torch.from_numpy(self.plain[some])


def _mirrored() -> torch.Tensor:
    """int64[ROWS + 1], the row that says the same of the board with left and right exchanged."""
    rows = np.arange(packed.ROWS + 1)
    cells = np.arange(packed.CELLS)
    row, col = cells // packed.SIDE, cells % packed.SIDE
    for first, last in ((packed.OWN, 1), (packed.RIVAL, 1), (packed.H_WALLS, 2), (packed.V_WALLS, 2)):
        rows[first + cells] = first + row * packed.SIDE + np.maximum(packed.SIDE - last - col, 0)
    return torch.from_numpy(rows)


MIRRORED = _mirrored()


class PathsLearner(nn.Module):
    """The network in training, in floating point."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag(packed.ROWS + 1, UNITS, mode="sum", padding_idx=packed.ROWS)
        nn.init.normal_(self.rows.weight, 0, 0.08)
        with torch.no_grad():
            self.rows.weight[packed.ROWS] = 0
        self.offset = nn.Parameter(torch.full((UNITS,), 0.2))
        self.heads = nn.Parameter(torch.zeros(packed.STAGES, UNITS))
        self.constants = nn.Parameter(torch.zeros(packed.STAGES))
        self.shares = nn.Parameter(torch.ones(packed.STAGES))

    def forward(self, chosen: torch.Tensor, stages: torch.Tensor, plain: torch.Tensor) -> torch.Tensor:
        """float32[n]: the logarithm of the odds to win."""
        hidden = (self.rows(chosen) + self.offset).relu()
        learned = (hidden * self.heads[stages]).sum(1) + self.constants[stages]
        odds: torch.Tensor = learned + self.shares[stages] * plain
        return odds

    def rounded(self) -> RoundedWeights:
        """The weights in whole numbers; raises ValueError where they are too large for that."""
        with torch.no_grad():
            rows = self.rows.weight[: packed.ROWS].numpy().copy()
            rows[packed.OWN : packed.OWN + packed.CELLS] += self.offset.numpy()  # each position has one of these
            rows, heads = np.rint(rows * packed.ONE_UNIT), np.rint(self.heads.numpy() * packed.ONE_WEIGHT)
            shares = [self.shares.numpy() * packed.ONE_UNIT, self.constants.numpy() * packed.ODDS]
        most = np.iinfo(np.int16).max
        if np.abs(np.sort(rows, axis=0)[[0, -1]]).max() * (packed.FACTS + games.MOST_WALLS) > most:
            largest = np.sort(np.abs(rows), axis=0)[-packed.FACTS - games.MOST_WALLS :].sum(axis=0).max()
            if largest > most:
                raise ValueError(f"sums of rows come to {largest:.0f}, more than 16 bits hold")
        return RoundedWeights(
            rows.astype(np.int16), heads.astype(np.int16), np.rint(np.stack(shares, 1)).astype(np.int64)
        )


@dataclass
class NetworkTraining:
    """A training in a folder."""

    folder: Path
    seed: int

    def note(self, line: str) -> None:
        """Prints a line and writes it to the log."""
        print(line, flush=True)
        with (self.folder / "log.txt").open("a", encoding="utf-8") as log:
            log.write(f"{line}\n")

    def play(
        self, number: int, pieces: int, weights: RoundedWeights | None, *, nodes: int = 0, name: str = "round"
    ) -> None:
        """Makes the pieces of a round that are not there yet; nodes: instead of NODES."""
        rules, memory, start = _rules(weights), _memory(), AlphaBeta.packing.pack(GAME.parse(""))[None]
        for piece in range(pieces):
            path = self.folder / f"{name}-{number}-{piece:03d}.npz"
            if path.exists():
                continue
            began, room = time.process_time(), games.room_for(PIECE)
            seed = self.seed * 100_000 + number * 1_000 + piece
            count = games.play_games(rules, memory, start, room, nodes or NODES, seed)
            kept = {name: getattr(room, name)[:count] for name in ("positions", "scores", "results", "moves")}
            np.savez_compressed(path, **kept)
            self.note(f"{path.name}: {count} positions in {time.process_time() - began:.0f} s of CPU time")

    def learn(self, number: int) -> RoundedWeights:
        """The network of a round, learned from all pieces there are."""
        path = self.folder / f"round-{number}.npz"
        if path.exists():
            return read(path)
        pieces = [each for back in range(number + 1) for each in sorted(self.folder.glob(f"round-{back}-*.npz"))]
        held, known = lessons(pieces[:HELD_BACK]), lessons(pieces[HELD_BACK:])
        weights = fitted(known, held, self.seed, self.note)
        np.savez_compressed(path, **weights.arrays())
        return weights

    def order(self, number: int, weights: RoundedWeights) -> RoundedWeights:
        """The same with an order of moves, learned from games of this network."""
        self.play(number, ORDERED, weights, nodes=ORDER_NODES, name="order")
        pieces = sorted(self.folder.glob(f"order-{number}-*.npz"))
        return weights._replace(order=fitted_order(moves_of(pieces), self.seed, self.note))

    def match(self, number: int, weights: RoundedWeights, pairs: int) -> None:
        """Notes how the network does against the evaluation alone, with about as much time for either."""
        rules, memories = (_rules(weights), _rules(None)), (_memory(), _memory())
        pace = PACE if weights.order is None else ORDERED_PACE
        nodes, start = np.array([round(pace * MATCHED), MATCHED]), AlphaBeta.packing.pack(GAME.parse(""))[None]
        won = [0, 0, 0]
        for game in range(2 * pairs):
            seed = self.seed * 100_000 + game // 2
            won[games.play_match(rules, memories, start, games.room_for(1), nodes, game % 2, seed)] += 1
        scored = (
            f"{won[0]} won, {won[2]} drawn, {won[1]} lost of {2 * pairs} against eval=paths, {MATCHED} nodes a move"
        )
        self.note(f"round {number}: {scored}")


def _rules(weights: RoundedWeights | None) -> Quoridor:
    """The packed rules, with the tuned evaluation and this network."""
    rules: Quoridor = AlphaBeta.packing.rules(GAME.parse(""))
    return rules if weights is None else rules._replace(network=packed.network_of(*weights))


def _memory() -> alphabeta.Memory:
    return alphabeta.allocate(**AlphaBeta.packing.sizes(GAME.parse(""))._asdict(), table_bytes=4 << 20)


def blank() -> RoundedWeights:
    """A network that says nothing, to see by."""
    nothing = np.zeros((packed.ROWS, UNITS), np.int16)
    return RoundedWeights(nothing, nothing[: packed.STAGES], np.zeros((packed.STAGES, 2), np.int64))


def read(path: Path) -> RoundedWeights:
    """The weights in a file of a training."""
    with np.load(path, allow_pickle=False) as kept:
        return RoundedWeights(kept["rows"], kept["heads"], kept["shares"])


def lessons(pieces: list[Path]) -> Lessons:
    """What is to be learned from these pieces, but for games that are won already."""
    arrays: list[list[NDArray[np.generic]]] = []
    for piece in pieces:
        with np.load(piece, allow_pickle=False) as kept:
            open_still = np.abs(kept["scores"].astype(int)) < games.DECIDED
            arrays.append([kept[name][open_still] for name in ("positions", "scores", "results")])
    positions, scores, results = (np.concatenate(parts) for parts in zip(*arrays, strict=True))
    n = len(positions)
    chosen, stages = np.zeros((n, packed.FACTS + games.MOST_WALLS), np.int16), np.zeros(n, np.int8)
    plain = np.zeros(n, np.int32)
    games.describe(_rules(None), _rules(blank()), positions, chosen, plain, stages)
    ended = np.where(results == games.OPEN, -1.0, (results.astype(float) + 1) / 2)
    said = 1 / (1 + np.exp(-scores.astype(float) / packed.ODDS))
    targets = np.where(ended < 0, said, OUTCOME * ended + (1 - OUTCOME) * said)
    parts = (plain / packed.ODDS, targets, ended)
    return Lessons(chosen, stages, *(part.astype(np.float32) for part in parts))


def fitted(
    known: Lessons, held: Lessons, seed: int, note: Callable[[str], object] = print, epochs: float = EPOCHS
) -> RoundedWeights:
    """A network that has learned what is known; `note` is told what it is worth on what was held back."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # so small a network gains nothing from more
    learner, rng, n = PathsLearner(), np.random.default_rng(seed), len(known.targets)
    steps = max(int(epochs * n / BATCH), 1)
    optimiser = torch.optim.AdamW(learner.parameters(), RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1, pct_start=0.15)
    order = np.concatenate([rng.permutation(n) for _ in range(-(-steps * BATCH // n))])
    for step in range(steps):
        some = order[step * BATCH : (step + 1) * BATCH]
        said = learner(*known.batch(some, mirrored=bool(rng.integers(2))))
        loss = nn.functional.binary_cross_entropy_with_logits(said, torch.from_numpy(known.targets[some]))
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    before, after = surprise(held.plain, held), surprise(answers(learner, held), held)
    note(
        f"{n} positions, {epochs:g} epochs: ends of games surprise by {after:.4f}, the evaluation alone by {before:.4f}"
    )
    return learner.rounded()


def moves_of(pieces: list[Path]) -> games.ListedMoves:
    """What was played in the positions of these pieces, but for games that are won already and only moves."""
    arrays: list[list[NDArray[Any]]] = []
    for piece in pieces:
        with np.load(piece, allow_pickle=False) as kept:
            open_still = np.abs(kept["scores"].astype(int)) < games.DECIDED
            arrays.append([kept[name][open_still] for name in ("positions", "moves")])
    positions, moves = (np.concatenate(parts) for parts in zip(*arrays, strict=True))
    n, width = len(positions), AlphaBeta.packing.sizes(GAME.parse("")).width
    listed = games.ListedMoves(
        np.zeros((n, width), np.int64),
        np.zeros((n, width), np.int16),
        np.zeros((n, 2), np.int16),
        np.zeros((n, width, 2), np.int8),
        np.zeros(n, np.int16),
    )
    games.list_moves(_rules(None), _rules(blank()), _memory(), positions, moves, listed)
    told = (listed.played >= 0) & (listed.kinds[:, 1] != games.NO_MOVE)
    return games.ListedMoves(*(part[told] for part in listed))


class OrderLearner(nn.Module):
    """The order of moves in training: the logarithm of a move's odds to be played, up to a constant of the position."""

    def __init__(self, listed: games.ListedMoves) -> None:
        super().__init__()
        kinds, which = np.unique(listed.kinds, return_inverse=True)
        wall = listed.walls >= 0
        way, cell = np.divmod(np.maximum(listed.walls, 0).astype(np.int64), packed.CELLS)
        steps = np.clip(listed.longer.astype(np.int64) + packed.SHORTER, 0, packed.LENGTHS - 1)
        columns = [which.reshape(listed.kinds.shape), steps[..., 0] * packed.LENGTHS + steps[..., 1]]
        self.sizes = [len(kinds), packed.LENGTHS**2]
        for whose in range(2):
            row, col = packed.beside(listed.pawns[:, whose : whose + 1].astype(np.int64), cell)
            size = int(np.prod(packed.AROUND[1:]))
            columns.append(np.where(wall, (way * packed.AROUND[2] + row) * packed.AROUND[3] + col, size))
            self.sizes.append(size + 1)
        self.seen = torch.from_numpy(np.stack(columns, -1) + np.cumsum([0, *self.sizes[:-1]]))
        self.absent = torch.from_numpy(listed.kinds == games.NO_MOVE)
        self.played = torch.from_numpy(listed.played.astype(np.int64))
        self.weights = nn.Parameter(torch.zeros(sum(self.sizes)))

    def forward(self, some: torch.Tensor) -> torch.Tensor:
        """float32[n, width], of these positions."""
        odds: torch.Tensor = self.weights[self.seen[some]].sum(-1).masked_fill(self.absent[some], -1e9)
        return odds

    def rounded(self) -> packed.MoveOrder:
        """The weights in whole numbers, those of kinds of moves left out: the rules weigh these."""
        _, gains, *around = torch.split((self.weights.detach() * ORDER_UNIT).round(), self.sizes)
        return packed.MoveOrder(
            torch.stack([part[:-1] for part in around]).numpy().astype(np.int32).reshape(packed.AROUND),
            gains.numpy().astype(np.int32).reshape(packed.LENGTHS, packed.LENGTHS),
        )


def fitted_order(listed: games.ListedMoves, seed: int, note: Callable[[str], object] = print) -> packed.MoveOrder:
    """An order of moves; `note` is told where moves come in it that it was not learned from, a tenth."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    learner, rng, n = OrderLearner(listed), np.random.default_rng(seed), len(listed.played)
    known, held = np.arange(n - n // 10), torch.arange(n - n // 10, n)
    optimiser = torch.optim.Adam([learner.weights], ORDER_RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, ORDER_STEPS)
    for _ in range(ORDER_STEPS):
        some = torch.from_numpy(rng.choice(known, ORDER_BATCH))
        loss = nn.functional.cross_entropy(learner(some), learner.played[some])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        learned, plain = learner(held), torch.from_numpy(listed.kinds)[held].double()
    shares = " and ".join(f"{100 * first_few(odds, learner.played[held]):.1f}%" for odds in (learned, plain))
    note(f"{n} positions: the move is among the first {FEW} in {shares} of those held back, learned and by kind alone")
    return learner.rounded()


FEW = 6
"""Moves looked at first, by which an order is judged."""


def first_few(odds: torch.Tensor, played: torch.Tensor) -> float:
    """In what share of positions the move played is among the first FEW; those alike count half."""
    own = odds.gather(1, played[:, None])
    before = (odds > own).sum(1) + ((odds == own).sum(1) - 1) / 2
    return float((before < FEW).float().mean())


def answers(learner: PathsLearner, asked: Lessons) -> NDArray[np.float32]:
    """float32[n]: what the network says of positions."""
    with torch.no_grad():
        parts = np.array_split(np.arange(len(asked.targets)), -(-len(asked.targets) // 8192))
        said: NDArray[np.float32] = torch.cat([learner(*asked.batch(part)) for part in parts]).numpy()
    return said


def surprise(odds: NDArray[np.float32], held: Lessons) -> float:
    """The mean of the negative logarithms of the chances given to how games ended."""
    known = held.ended >= 0
    odds, ended = odds[known], held.ended[known]
    return float(np.mean(np.logaddexp(0, odds) - ended * odds))


def keep(weights: RoundedWeights, training: NetworkTraining) -> None:
    """Writes the weights and their card."""
    content = BytesIO()
    np.savez_compressed(content, **weights.arrays())
    FOLDER.mkdir(exist_ok=True)
    WEIGHTS.write_bytes(content.getvalue())
    log = (training.folder / "log.txt").read_text(encoding="utf-8")
    card = {
        "game": "quoridor, 9x9",
        "holds": f"a network of {packed.ROWS} inputs, {UNITS} hidden units and one output, {packed.STAGES} second "
        "layers, in 16 bits, which corrects the evaluation by paths; and in which order to look at moves",
        "source": f"games of the search against itself, judged by {NODES} nodes, their moves by {ORDER_NODES}, "
        f"seed {training.seed}",
        "measured": [line for line in log.splitlines() if not line.startswith("round-")],
        "made by": f"python -m solvers.training.quoridor_network FOLDER --seed {training.seed} --keep",
        "sha256": sha256(content.getvalue()).hexdigest(),
    }
    CARD.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Trains the network."""
    parser = argparse.ArgumentParser(description="train the network that corrects Quoridor's evaluation")
    parser.add_argument("folder", type=Path, help="what keeps the training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pieces", type=int, nargs="+", default=PIECES, help="of 20,000 positions, of each round")
    parser.add_argument("--pairs", type=int, default=50, help="of games against the evaluation alone, after each round")
    parser.add_argument("--keep", action="store_true", help="have the solvers play by it")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    training, weights = NetworkTraining(asked.folder, asked.seed), None
    for number, pieces in enumerate(asked.pieces):
        training.play(number, pieces, weights)
        weights = training.learn(number)
        if asked.pairs:
            training.match(number, weights, asked.pairs)
    weights = training.order(len(asked.pieces), weights) if weights is not None else None
    if asked.pairs and weights is not None:
        training.match(len(asked.pieces), weights, asked.pairs)
    if asked.keep and weights is not None:
        keep(weights, training)


if __name__ == "__main__":
    main()
