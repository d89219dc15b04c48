"""Train Blokus Duo's network that values positions.

``python -m bench.training.blokus_value STATE.npz --seconds N`` has it play itself and learn for N CPU seconds, from
nothing or from where `STATE` stands, and writes `STATE`; ``--keep`` also writes what `load` reads, and its card.  The
kept weights learned for 1,680 seconds, then for 150 with ``--rate 0.0003`` and for 100 with ``--rate 0.0001``.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.training import blokus_self_play as training
from games.blokus.board import board_of
from games.core import Options
from solvers.blokus.players import MOST_MOVES, rules_of
from solvers.blokus.value_network import CARD, FOLDER, WEIGHTS
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus.value import PLANES, ROWS, STAGES, Net, workspace_of
from solvers.kernels.rows import UNITS

GAMES = 3000
"""Games of a round; what the last ROUNDS of them gave is gone through once after each."""

ROUNDS = 8
BATCH, RATE = 512, 1e-3
NOISE, TRACE, WIDTH = 0.15, 0.8, 24
"""See `bench.training.blokus_self_play.play_games`. The first round is played without the network, by promises."""

FIRST_NOISE, FIRST_TRACE = 2.0, 1.0


class Weights(NamedTuple):
    """A network in training."""

    net: Net
    first: training.Slopes
    second: training.Slopes


@dataclass
class Training:
    """How far a training has come.

    rounds: how many were played.  steps: of Adam.  seconds: of CPU time.  samples: of the last rounds.
    """

    weights: Weights
    rounds: int = 0
    steps: int = 0
    seconds: float = 0.0
    samples: list[training.Samples] = field(default_factory=list)

    def round(self, rules: packed.Blokus, rng: np.random.Generator, rate: float = RATE) -> tuple[float, float]:
        """Plays games and learns from them; returns the loss on the new ones before, and on all of them meanwhile."""
        started = time.thread_time()
        new = _games(rules, self.weights.net, rng, naive=not self.rounds)
        before = self._learn(rules, new, np.arange(len(new.targets)), 0.0, rng)
        self.samples = [*self.samples, new][-ROUNDS:]
        every = training.Samples(*(np.concatenate(arrays) for arrays in zip(*self.samples, strict=True)))
        after = self._learn(rules, every, rng.permutation(len(every.targets)), rate, rng)
        self.rounds += 1
        self.seconds += time.thread_time() - started
        return before, after

    def _learn(
        self,
        rules: packed.Blokus,
        samples: training.Samples,
        order: NDArray[np.int64],
        rate: float,
        rng: np.random.Generator,
    ) -> float:
        net, first, second = self.weights
        slope, player = np.zeros(UNITS, np.float32), _player(rules, net, rng)
        loss = training.learn(player, slope, first, second, samples, order, self.steps, BATCH, rate)
        if rate:
            self.steps += -(-len(order) // BATCH)
        return float(loss)


def _player(rules: packed.Blokus, net: Net, rng: np.random.Generator) -> training.SelfPlayer:
    words, dice = np.zeros(PLANES * rules.side, np.uint64), rng.integers(1 << 62, size=1, dtype=np.uint64)
    return training.SelfPlayer(rules, net, workspace_of(rules.side), words, dice)


def _games(rules: packed.Blokus, net: Net, rng: np.random.Generator, *, naive: bool) -> training.Samples:
    room = GAMES * training.MOST_PLACED
    samples = training.Samples(
        np.zeros((room, PLANES * rules.side), np.uint16),
        np.zeros((room, 2), np.uint32),
        np.zeros(room, np.int8),
        np.zeros(room, np.float32),
    )
    positions, legal = np.zeros((1, packed.words_of(rules)), np.uint64), np.zeros((2, MOST_MOVES), np.int32)
    counts = np.zeros(training.PROMISES, np.int64)
    noise, trace, width = (FIRST_NOISE, FIRST_TRACE, 0) if naive else (NOISE, TRACE, WIDTH)
    player = _player(rules, net, rng)
    count = training.play_games(player, positions, legal, counts, samples, GAMES, noise, trace, width)
    return training.Samples(*(array[:count].copy() for array in samples))  # type: ignore[arg-type]


def begin(rng: np.random.Generator) -> Training:
    """A training of small random weights."""
    rows = rng.normal(0, 0.05, (ROWS, UNITS)).astype(np.float32)
    heads = rng.normal(0, 0.1, (STAGES, UNITS + 1)).astype(np.float32)
    slopes = (training.Slopes(*(np.zeros_like(array) for _ in range(3))) for array in (rows, heads))
    return Training(Weights(Net(rows, heads), *slopes))


def read(path: Path) -> Training:
    """The training that `path` keeps; its samples are played anew."""
    with np.load(path, allow_pickle=False) as kept:
        arrays = {name: kept[name] for name in kept.files}
    first, second = (training.Slopes(*arrays[f"slopes_{layer}"]) for layer in ("rows", "heads"))
    weights = Weights(Net(arrays["rows"], arrays["heads"]), first, second)
    rounds, steps, seconds = arrays["numbers"].tolist()
    return Training(weights, int(rounds), int(steps), seconds)


def write(made: Training, path: Path) -> None:
    """Keeps a training at `path`, without its samples."""
    net, first, second = made.weights
    numbers = np.array([made.rounds, made.steps, made.seconds])
    np.savez(path, rows=net.rows, heads=net.heads, slopes_rows=first, slopes_heads=second, numbers=numbers)


def keep(made: Training, seed: int) -> None:
    """Writes the weights, in half precision, and their card."""
    packed_weights = BytesIO()
    net = made.weights.net
    np.savez_compressed(packed_weights, rows=net.rows.astype(np.float16), heads=net.heads)
    FOLDER.mkdir(exist_ok=True)
    WEIGHTS.write_bytes(packed_weights.getvalue())
    card = {
        "game": "blokus, duo: 14x14, start points e10 and j5",
        "holds": f"a network of {len(net.rows)} inputs, {UNITS} hidden units and one output, {STAGES} second layers",
        "source": f"{made.rounds * GAMES} games against itself in {made.rounds} rounds, seed {seed}, "
        f"{made.seconds:.0f} CPU seconds, learning by temporal differences",
        "made by": "python -m bench.training.blokus_value",
        "sha256": sha256(packed_weights.getvalue()).hexdigest(),
    }
    CARD.write_text(json.dumps(card, indent=2) + "\n")


def main() -> None:
    """Trains the network."""
    parser = argparse.ArgumentParser(description="train the network that values positions of Blokus Duo")
    parser.add_argument("state", type=Path, help="file that keeps the training")
    parser.add_argument("--seconds", type=float, default=600.0, help="CPU seconds to go on for (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=RATE, help="of learning; less at the end (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="have the solvers play by it")
    asked = parser.parse_args()
    rules = rules_of(board_of(Options(variant="duo")))
    made = read(asked.state) if asked.state.exists() else begin(np.random.default_rng(asked.seed))
    rng = np.random.default_rng([asked.seed, made.rounds])
    end = made.seconds + asked.seconds
    while made.seconds < end:
        before, after = made.round(rules, rng, asked.rate)
        print(
            f"round {made.rounds}: loss {before:.4f} on new games, {after:.4f} learning; {made.seconds:.0f} s",
            flush=True,
        )
        write(made, asked.state)
    if asked.keep:
        keep(made, asked.seed)


if __name__ == "__main__":
    main()
