"""Blokus's networks that value positions: their weights, which `bench.training.blokus_value` makes."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from games.blokus.board import BlokusBoard
from solvers.kernels.blokus.value import Net, no_net
from solvers.weights import read_verified

FOLDER = Path(__file__).parents[1] / "books"

NETWORKS = ("duo", "classic-2", "classic")
"""Boards that networks learned."""

SIDES = range(12, 15)
"""Boards from corners that Duo's judges."""


def weights_of(network: str) -> Path:
    """The file of a network's weights."""
    return FOLDER / f"blokus_{network.replace('-', '_')}.npz"


def card_of(network: str) -> Path:
    """The file that says how they were made."""
    return weights_of(network).with_suffix(".json")


@cache
def load(network: str) -> Net:
    """The weights that come with the solvers; raises SettingsError where they are not those of their card."""
    files = weights_of(network), card_of(network)
    rows, heads = read_verified(*files, "rows", "heads", remedy="install boardsight again")
    return Net(rows.astype(np.float32), heads.astype(np.float32))


@lru_cache(maxsize=8)
def net_for(board: BlokusBoard) -> Net:
    """The network for a board, an empty one where it helps none.

    Duo's judges also Duo where either may start at both (7 of 8 games won from playouts at equal time) and boards of
    two colours that start in the first and the last corner (10 of 10 on 14x14 cells, 8 of 10 on 12x12, but 2.5 of 6 on
    10x10).
    """
    if board.variant in ("duo", "duo-either"):
        return load("duo")
    if board.variant == "corners" and board.colours == 2 and not board.lies and board.side in SIDES:
        return load("duo")
    usual = board.variant in NETWORKS and not board.lies and board.players in (2, 4)
    return load(board.variant) if usual and weights_of(board.variant).exists() else no_net()
