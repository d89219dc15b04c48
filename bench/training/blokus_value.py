"""Train the networks that value positions of Blokus.

``python -m bench.training.blokus_value STATE.npz --board duo --seconds N`` has one play itself and learn for N CPU
seconds, from nothing or from where `STATE` stands, and writes `STATE`; with ``--searched M`` the last M of them learn
from games of small searches. ``--keep`` also writes what `load` reads, and its card, which says how the kept weights
were made.
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
from games.polyominoes import PIECES
from solvers.blokus.mcts import EXPLORATION_WITH_NETWORK, PARAMETERS
from solvers.blokus.players import MOST_MOVES, rules_of
from solvers.blokus.value_network import NETWORKS, card_of, weights_of
from solvers.kernels.blokus import board as packed
from solvers.kernels.blokus.guided import guided
from solvers.kernels.blokus.value import STAGES, Net, rows_of
from solvers.kernels.mcts import plant

GAMES = {"duo": 3000, "classic-2": 1400, "classic": 350}
"""Games of a round."""

UNITS = 32
"""Hidden ones of a network."""

WINDOW, REUSE = 650_000, 8
"""How many of the latest positions are learned from, and how many of them after each round for each of the new ones."""

BATCH, RATE = 512, 1e-3
NOISE, TRACE, WIDTH = 0.15, 0.8, 24
"""See `bench.training.blokus_self_play.play_games`. The first round is played without the network, by promises."""

FIRST_NOISE, FIRST_TRACE = 2.0, 1.0

VISITS, NODES = 200, 1 << 16
"""Of a search for each placement, and of its tree."""

SEARCHED = 20
"""One in so many games of a round is played by searches, where they are: they take so much longer."""


class Weights(NamedTuple):
    """A network in training."""

    net: Net
    first: training.Slopes
    second: training.Slopes


@dataclass
class Training:
    """How far a training has come.

    rounds, games: how many were played.  searched: games of these, by searches.  steps: of Adam.
    seconds: of CPU time.  samples: of the last rounds.
    """

    weights: Weights
    rounds: int = 0
    games: int = 0
    searched: int = 0
    steps: int = 0
    seconds: float = 0.0
    samples: list[training.Samples] = field(default_factory=list)

    def round(
        self, rules: packed.Blokus, games: int, rng: np.random.Generator, rate: float = RATE, visits: int = 0
    ) -> tuple[float, float]:
        """Plays games and learns from them; returns the loss on the new ones before, and on all of them meanwhile.

        visits: of a search for each placement, 0 for none; the first such games are the only ones to learn from.
        """
        started = time.thread_time()
        new = _games(rules, self.weights.net, games, rng, naive=not self.rounds, visits=visits)
        before = self._learn(rules, new, np.arange(len(new.targets)), 0.0, rng)
        self.samples = [*(self.samples if self.searched or not visits else []), new]
        while sum(len(samples.targets) for samples in self.samples[1:]) > WINDOW:
            self.samples.pop(0)
        every = training.Samples(*(np.concatenate(arrays) for arrays in zip(*self.samples, strict=True)))
        order = rng.permutation(len(every.targets))[: REUSE * len(new.targets)]
        after = self._learn(rules, every, order, rate, rng)
        self.rounds += 1
        self.games += games
        self.searched += games if visits else 0
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
        slope, player = np.zeros(net.rows.shape[1], np.float32), _player(rules, net, rng)
        loss = training.learn(player, slope, first, second, samples, order, self.steps, BATCH, rate)
        if rate:
            self.steps += -(-len(order) // BATCH)
        return float(loss)


def _player(rules: packed.Blokus, net: Net, rng: np.random.Generator) -> training.SelfPlayer:
    dice = rng.integers(1 << 62, size=1, dtype=np.uint64)
    tree = plant(nodes=NODES, plies=0, words=packed.words_of(rules), width=MOST_MOVES, seed=int(dice[0]))
    led = guided(rules, PARAMETERS, net, nodes=NODES, width=MOST_MOVES)
    return training.SelfPlayer(led, tree, dice)


def _games(
    rules: packed.Blokus, net: Net, games: int, rng: np.random.Generator, *, naive: bool, visits: int
) -> training.Samples:
    colours, player = rules.colours, _player(rules, net, rng)
    views = len(set(rules.seats.tolist())) if colours > 2 else 1
    room = games * colours * len(PIECES) * (views if views > 2 else 1)
    fields = player.guided.workspace.fields
    samples = training.Samples(
        np.zeros((room, *fields.shape), fields.dtype),
        np.zeros((room, colours), np.uint32),
        np.zeros((room, 3), np.int8),
        np.zeros(room, np.float32),
    )
    counts = np.zeros(training.PROMISES, np.int64)
    noise, trace, width = (FIRST_NOISE, FIRST_TRACE, 0) if naive else (NOISE, TRACE, WIDTH)
    how = noise, trace, width, visits, EXPLORATION_WITH_NETWORK
    count = training.play_games(player, counts, samples, games, *how)
    return training.Samples(*(array[:count].copy() for array in samples))  # type: ignore[arg-type]


def begin(colours: int, units: int, rng: np.random.Generator) -> Training:
    """A training of small random weights."""
    rows = rng.normal(0, 0.05, (rows_of(colours), units)).astype(np.float32)
    heads = rng.normal(0, 0.1, (STAGES, units + 1)).astype(np.float32)
    slopes = (training.Slopes(*(np.zeros_like(array) for _ in range(3))) for array in (rows, heads))
    return Training(Weights(Net(rows, heads), *slopes))


def read(path: Path) -> Training:
    """The training that `path` keeps; its samples are played anew."""
    with np.load(path, allow_pickle=False) as kept:
        arrays = {name: kept[name] for name in kept.files}
    first, second = (training.Slopes(*arrays[f"slopes_{layer}"]) for layer in ("rows", "heads"))
    weights = Weights(Net(arrays["rows"], arrays["heads"]), first, second)
    rounds, games, searched, steps = arrays["counts"].tolist()
    return Training(weights, rounds, games, searched, steps, float(arrays["seconds"]))


def write(made: Training, path: Path) -> None:
    """Keeps a training at `path`, without its samples."""
    net, first, second = made.weights
    counts = np.array([made.rounds, made.games, made.searched, made.steps])
    weights = {"rows": net.rows, "heads": net.heads, "slopes_rows": first, "slopes_heads": second}
    np.savez(path, counts=counts, seconds=made.seconds, **weights)  # type: ignore[arg-type]


def keep(made: Training, board: str, command: str) -> None:
    """Writes the weights, in half precision, and their card."""
    packed_weights = BytesIO()
    net = made.weights.net
    np.savez_compressed(packed_weights, rows=net.rows.astype(np.float16), heads=net.heads)
    weights_of(board).write_bytes(packed_weights.getvalue())
    card = {
        "game": f"blokus, {board}",
        "holds": "a network of {} inputs, {} hidden units and one output, {} second layers".format(
            *net.rows.shape, STAGES
        ),
        "source": f"{made.games} games against itself, {made.searched} of them by searches of {VISITS} visits, "
        f"{made.seconds:.0f} CPU seconds, learning by temporal differences",
        "made by": command,
        "sha256": sha256(packed_weights.getvalue()).hexdigest(),
    }
    card_of(board).write_text(json.dumps(card, indent=2) + "\n")


def rate_at(progress: float) -> float:
    """The rate of learning after that share of a training: it falls to a tenth over the last fifth."""
    return float(RATE * 10 ** -max(0.0, min(5 * progress - 4, 1.0)))


def main() -> None:
    """Trains a network."""
    parser = argparse.ArgumentParser(description="train a network that values positions of Blokus")
    parser.add_argument("state", type=Path, help="file that keeps the training")
    parser.add_argument("--board", choices=NETWORKS, default="duo", help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=600.0, help="CPU seconds of it all (default: %(default)s)")
    parser.add_argument("--searched", type=float, default=0.0, help="of these, by searches (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="have the solvers play by it")
    asked = parser.parse_args()
    rules = rules_of(board_of(Options(variant=asked.board)))
    made = read(asked.state) if asked.state.exists() else begin(rules.colours, UNITS, np.random.default_rng(asked.seed))
    rng = np.random.default_rng([asked.seed, made.rounds])
    while made.seconds < asked.seconds:
        games, rate = GAMES[asked.board], rate_at(made.seconds / asked.seconds)
        if made.seconds < asked.seconds - asked.searched:
            before, after = made.round(rules, games, rng, rate)
        else:
            before, after = made.round(rules, games // SEARCHED, rng, rate, VISITS)
        print(
            f"round {made.rounds}: loss {before:.4f} on new games, {after:.4f} learning; {made.seconds:.0f} s",
            flush=True,
        )
        write(made, asked.state)
    if asked.keep:
        options = (
            f"--board {asked.board} --seconds {asked.seconds:.0f} --searched {asked.searched:.0f} --seed {asked.seed}"
        )
        keep(made, asked.board, f"python -m bench.training.blokus_value STATE.npz {options} --keep")


if __name__ == "__main__":
    main()
