"""Grids that flooding leads to are told from other games' grids."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.which import plausible_flood
from games import flood_it
from games.core import Options

RNG = np.random.default_rng(8)
CHEQUER = np.add.outer(np.arange(8), np.arange(8)) % 2


def played(moves: int) -> np.ndarray:
    state = flood_it.GAME.deal(np.random.default_rng(moves), Options(rows=12, cols=12, colours=6))
    for _ in range(moves):
        legal = state.legal_moves()
        state = state.play(legal[moves % len(legal)]) if legal else state
    return np.array(state.grid, dtype=np.int8)


@pytest.mark.parametrize("moves", [0, 3, 8, 15])
def test_positions_of_flood_it_are_plausible(moves: int) -> None:
    assert plausible_flood(played(moves))


@pytest.mark.parametrize(
    ("what", "grid"),
    [
        ("a code of two colours", RNG.integers(0, 2, (21, 21))),
        ("a chequerboard with pieces", np.where(RNG.random((8, 8)) < 0.1, 2, CHEQUER)),
        ("a year of days", RNG.integers(0, 5, (7, 53))),
        ("five words of five letters", RNG.integers(0, 3, (6, 5))),
        ("a palette of forty colours", np.arange(40).reshape(5, 8)),
        ("discs in the middle of a cloth", np.pad(RNG.integers(1, 3, (4, 4)), 2)),
    ],
)
def test_other_lattices_of_colours_are_not(what: str, grid: np.ndarray) -> None:
    assert not plausible_flood(grid.astype(np.int8)), what
