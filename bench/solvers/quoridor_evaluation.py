"""Tune Quoridor's evaluation: play games against itself, and fit what its terms say of who won.

    python -m bench.solvers.quoridor_evaluation --seconds 240 --nodes 1500 --seed 1 --games /tmp/games.npz

prints the arguments of `solvers.quoridor.players.worth_of` that explain the games best (logistic regression, with the
lead at equal walls in the middle game scaled to 100).  Games begin with 2 to 8 random moves and end where a score is
proven.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from games.quoridor import GAME, Quoridor
from solvers.core import Limit
from solvers.kernels.quoridor import board as packed
from solvers.kernels.quoridor.evaluation import threats
from solvers.quoridor.players import AlphaBeta

LONGEST = 160
"""Plies after which a game is drawn."""

PARTS = ("lead", "move", "left", "threats")
MIDDLE = 10
"""Walls left to both at which a step's lead is worth 100."""


def opening(rng: np.random.Generator) -> Quoridor:
    """A position after a few moves, half of them steps, the walls near the pawns."""
    state: Quoridor = GAME.deal(rng)
    for _ in range(int(rng.integers(2, 9))):
        steps, row = state.steps(), state.pawns[1 - state.player]
        near = [
            move
            for move in state.size.walls()
            if abs(move.row - row.row) <= 2 and abs(move.col - row.col) <= 2 and state.allows(move)
        ]
        choices: list[Any] = near if near and rng.random() < 0.5 else steps
        state = state.play(choices[int(rng.integers(len(choices)))])
    return state


def played(rng: np.random.Generator, solver: AlphaBeta, nodes: int) -> Iterator[tuple[NDArray[np.uint64], float]]:
    """Each position of one game, packed, with what its side to move got in the end."""
    state, seen, winner = opening(rng), [], None
    while state.outcome() is None and len(state.moves) < LONGEST:
        decision = solver.decide(state, Limit(nodes=int(nodes * (0.5 + rng.random()))))
        seen.append((solver.packing.pack(state), state.player))
        if decision.proven and decision.score:
            winner = state.player if decision.score > 0 else 1 - state.player
            break
        state = state.play(decision.move)
    else:
        ended = state.outcome()
        winner = None if ended is None else ended.winner
    for words, player in seen:
        yield words, 0.5 if winner is None else float(player == winner)


@njit
def threatened(rules: packed.Quoridor, positions: NDArray[np.uint64], steps: NDArray[np.int64]) -> None:
    """What the worst wall and the next would cost each player, into int64[n, 2, 2]; 0 where the rival has none left."""
    for at in range(positions.shape[0]):
        for seat in range(2):
            if packed.left_of(positions[at, packed.STATUS], 1 - seat):
                worst, next_worst = threats(rules.board, positions, at, seat)
                steps[at, seat, 0], steps[at, seat, 1] = worst, next_worst


def terms(positions: NDArray[np.uint64]) -> NDArray[np.float64]:
    """float64[n, 8]: what each argument of `worth_of` is multiplied by, in its order."""
    status, lengths = positions[:, packed.STATUS].astype(np.int64), positions[:, packed.LENGTHS].astype(np.int64)
    side = status >> 32 & 1

    def own_less_rival(first: Any, second: Any) -> Any:
        return np.where(side == 0, first - second, second - first)

    steps = [lengths >> 8 * seat & 255 for seat in (0, 1)]
    left = [status >> 16 + 8 * seat & 255 for seat in (0, 1)]
    few = 1 / (1 + left[0] + left[1])
    lead = -own_less_rival(*steps)
    walls = own_less_rival(*left), own_less_rival(*np.sqrt(left))
    one = np.ones_like(few)
    cost = np.zeros((len(positions), 2, 2), np.int64)
    threatened(AlphaBeta.packing.rules(GAME.parse("")), positions, cost)  # type: ignore[call-arg]
    threats = [-own_less_rival(*np.sqrt(cost[:, :, which].T)) for which in (0, 1)]
    stacked: NDArray[np.float64] = np.stack([lead, lead * few, one, few, *walls, *threats], axis=1).astype(float)
    return stacked


def fitted(factors: NDArray[np.float64], results: NDArray[np.float64], ridge: float = 3.0) -> NDArray[np.float64]:
    """The weights of a logistic regression, by Newton's method."""
    weights = np.zeros(factors.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-factors @ weights))
        slope = factors.T @ (results - chance) - ridge * weights
        curve = (factors * (chance * (1 - chance))[:, None]).T @ factors + ridge * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def loss(factors: NDArray[np.float64], results: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The mean logarithm of how unlikely the results are."""
    chance = np.clip(1 / (1 + np.exp(-factors @ weights)), 1e-9, 1 - 1e-9)
    return float(-(results * np.log(chance) + (1 - results) * np.log(1 - chance)).mean())


def main() -> None:
    """Play, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.0, help="wall seconds to play; 0: only fit the files")
    parser.add_argument("--nodes", type=int, default=1500, help="positions looked at for a move, about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=Path, nargs="+", required=True, help="files of games; the first is written")
    args = parser.parse_args()
    if args.seconds:
        rng, solver, found = np.random.default_rng(args.seed), AlphaBeta(megabytes=16, eval="paths"), []
        began = time.monotonic()
        while time.monotonic() - began < args.seconds:
            found += list(played(rng, solver, args.nodes))
        np.savez_compressed(args.games[0], X=np.array([x for x, _ in found]), Y=np.array([y for _, y in found]))
    files = [np.load(path) for path in args.games]
    factors = terms(np.concatenate([file["X"] for file in files]))
    results = np.concatenate([file["Y"] for file in files])
    weights = fitted(factors, results)
    scale = 100 / (weights[0] + weights[1] / (1 + MIDDLE))
    draft = np.array([100, 0, 40, 0, 60, 0, 0, 0])
    plain = fitted((factors @ draft)[:, None] / 100, results)
    print(f"{len(results)} positions; loss {loss(factors, results, weights):.4f}, ", end="")
    print(f"of the plain formula {loss(factors, results, draft * plain / 100):.4f}")
    for name, pair in zip(PARTS, np.round(weights * scale).astype(int).reshape(-1, 2).tolist(), strict=True):
        print(f"{name}={tuple(pair)}")


if __name__ == "__main__":
    main()
