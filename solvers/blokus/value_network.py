"""Blokus Duo's network that values positions: its weights, which `bench.training.blokus_value` makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from games.blokus.board import BlokusBoard
from solvers.kernels.blokus.value import Net, no_net
from solvers.weights import read_verified

FOLDER = Path(__file__).parents[1] / "books"
WEIGHTS, CARD = FOLDER / "blokus_duo.npz", FOLDER / "blokus_duo.json"


@cache
def load() -> Net:
    """The weights that come with the solvers; raises SettingsError where they are not those of their card."""
    rows, heads = read_verified(WEIGHTS, CARD, "rows", "heads", remedy="install boardsight again")
    return Net(rows.astype(np.float32), heads.astype(np.float32))


def net_for(board: BlokusBoard) -> Net:
    """The network for a board, an empty one where none was trained: it knows Duo from its fixed start points alone."""
    return load() if board.variant == "duo" else no_net()
