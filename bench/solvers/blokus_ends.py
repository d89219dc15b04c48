"""Ends of Blokus games: from how many placements before the end on the tree search proves the result."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from games.blokus import GAME
from games.blokus.position import Blokus
from games.core import Options
from solvers import find_solver
from solvers.core import Limit

GAMES = 20
SECONDS = 0.25
PLIES = 16
"""Placements before the end at which a position is looked at, at most."""

PLAYOUTS = 300
"""Of the search that plays the games that are not played at random, from two random placements on."""


def tables(games: int = GAMES, seconds: float = SECONDS, variant: str = "duo", plies: int = PLIES) -> Iterator[str]:
    """A row for each number of placements before the end, as Markdown."""
    yield f"mcts with {seconds:g} CPU seconds on {variant}: results proven, of {games} games played well and at random"
    yield ""
    yield "| placements to the end | played well: proven | CPU s, median | at random: proven | CPU s, median |"
    yield "|---:|---:|---:|---:|---:|"
    rng = np.random.default_rng(0)
    lines = [[_played(variant, opening, rng) for _ in range(games)] for opening in (2, 1 << 10)]
    for left in range(1, plies + 1):
        ends = ([game[-left] for game in line if left <= len(game)] for line in lines)
        yield f"| {left} | {' | '.join(cell for end in ends for cell in _proven(end, seconds))} |"


def _played(variant: str, opening: int, rng: np.random.Generator) -> list[Blokus]:
    """The positions of a game whose first `opening` placements are drawn at random."""
    player, state, positions = find_solver("mcts", "blokus"), GAME.deal(rng, Options(variant=variant)), list[Blokus]()
    while state.outcome() is None:
        moves = state.legal_moves()
        at_random = len(positions) < opening
        positions.append(state)
        state = state.play(
            moves[int(rng.integers(len(moves)))] if at_random else player.decide(state, Limit(nodes=PLAYOUTS)).move
        )
    return positions


def _proven(states: list[Blokus], seconds: float) -> tuple[str, str]:
    """How many of the results are proven, and the median of the CPU seconds."""
    decisions = [find_solver("mcts", "blokus").decide(state, Limit(seconds=seconds)) for state in states]
    if not decisions:
        return "-", "-"
    median = np.median([decision.seconds for decision in decisions])
    return f"{sum(decision.proven for decision in decisions)} of {len(decisions)}", f"{median:.4f}"
