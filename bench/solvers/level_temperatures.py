"""Fits the levels of a game: ``python -m bench.solvers.level_temperatures GAME [FIRST LAST]``.

From the strongest down: each level is given the temperature, or where that is 0 the nodes, at which the one above wins
the wanted share of points from it.  What else a level is stands in ``solvers.GAME``; what is found is written there.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from games import find_game
from games.core import Options
from solvers.arena import Terms, match, usual_openings
from solvers.levels import STRONGEST, UNMEASURED, Level, LevelPlayer, levels_of

WANTED = 0.68
"""The share of the points that a level wins from the one below: where chance best leaves it between 0.60 and 0.75."""

BATCH, BATCHES = 20, 2
"""Games at one temperature, and how many temperatures are tried."""

STEP = 3.0
"""How many times as much, or as little, as was tried before is tried at most."""

PRIOR = 20.0
"""Games that the guess of a usual slope counts for."""

SLOPE, SLOPE_OF_NODES = 2.0, 0.7
"""How much the logarithm of the odds usually grows where the temperature grows e times, or the nodes fall e times."""


@dataclass(frozen=True)
class TriedPlayer(LevelPlayer):
    """A player of a level that is only tried."""

    tried: Level = UNMEASURED[0]

    @property
    def level(self) -> Level:
        """The one that is tried."""
        return self.tried


def share(game: str, upper: Level, lower: Level, number: int, games: int, seed: int) -> float:
    """Of the points, what `upper` wins from `lower`, the level `number`."""
    found = find_game(game)
    terms = Terms(openings=usual_openings(found, Options()))
    players = TriedPlayer(game, min(number + 1, STRONGEST), tried=upper), TriedPlayer(game, number, tried=lower)
    played = list(match(found, players, games, np.random.default_rng(seed), terms))
    return sum(each.points for each in played) / len(played)


def fitted(tried: Sequence[tuple[float, float, int]], usual: float) -> tuple[float, float]:
    """Height and slope of the logarithm of the odds over that of what was dialled, by shares of so many games.

    >>> height, slope = fitted([(1.0, 0.5, 40_000), (np.e, 0.731, 40_000)], SLOPE)
    >>> abs(round(height, 1)), round(slope, 1)
    (0.0, 1.0)
    """
    logs, shares, games = (np.array(each, float) for each in zip(*tried, strict=True))
    rows = np.stack([np.ones_like(logs), np.log(logs)], axis=1)
    weights = np.array([0.0, usual])
    for _ in range(60):
        odds = 1 / (1 + np.exp(-rows @ weights))
        force = rows.T @ (games * (shares - odds)) - np.array([0.0, PRIOR * (weights[1] - usual)])
        matrix = (rows.T * (games * odds * (1 - odds))) @ rows + np.diag([1e-3, PRIOR])
        weights = weights + np.clip(np.linalg.solve(matrix, force), -1, 1)  # a whole step may fly off
    return float(weights[0]), float(weights[1])


def adjusted(game: str, number: int, upper: Level, shape: Level, seed: int, batches: int) -> Level:
    """`shape` as the level `number`, at the temperature at which `upper` wins WANTED, or with so many nodes."""
    tried: list[tuple[float, float, int]] = []
    by_nodes = shape.temperature == 0
    dial = 1 / shape.nodes if by_nodes else shape.temperature  # the larger the weaker

    def at(dial: float) -> Level:
        return replace(shape, nodes=round(1 / dial)) if by_nodes else replace(shape, temperature=round(dial, 3))

    for batch in range(batches):
        won = share(game, upper, at(dial), number, BATCH, seed * 1_000 + batch)
        tried.append((dial, won, BATCH))
        dials = [each for each, _, _ in tried]
        height, slope = fitted(tried, SLOPE_OF_NODES if by_nodes else SLOPE)
        wanted = (np.log(WANTED / (1 - WANTED)) - height) / max(slope, 0.2)
        dial = float(np.clip(np.exp(wanted), min(dials) / STEP, max(dials) * STEP))
    dialled = (f"{at(each).nodes if by_nodes else each:.3g}: {won:.0%}" for each, won, _ in tried)
    print(f"{game} level {number}: {at(dial)}, tried {', '.join(dialled)}", flush=True)
    return at(dial)


def main(game: str, first: int = STRONGEST - 1, last: int = 1, seed: int = 1, batches: int = BATCHES) -> None:
    """Print the levels from `first` down to `last`."""
    levels = list(levels_of(game))
    for number in range(first, last - 1, -1):
        levels[number - 1] = adjusted(game, number, levels[number], levels[number - 1], seed * 100 + number, batches)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
