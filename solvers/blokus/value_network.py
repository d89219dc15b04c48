"""Blokus Duo's network that values positions: its weights, which `bench.training.blokus_value` makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from games.blokus.board import BlokusBoard
from solvers.kernels.blokus.value import SIDE, Net, no_net
from solvers.weights import read_verified

FOLDER = Path(__file__).parents[1] / "books"
WEIGHTS, CARD = FOLDER / "blokus_duo.npz", FOLDER / "blokus_duo.json"

SIDES = range(12, SIDE + 1)
"""Boards from corners that it judges."""


@cache
def load() -> Net:
    """The weights that come with the solvers; raises SettingsError where they are not those of their card."""
    rows, heads = read_verified(WEIGHTS, CARD, "rows", "heads", remedy="install boardsight again")
    return Net(rows.astype(np.float32), heads.astype(np.float32))


def net_for(board: BlokusBoard) -> Net:
    """The network for a board, an empty one where it helps none.

    It learned Duo from its fixed start points alone, but judges also Duo where either may start at both (7 of 8 games
    won from playouts at equal time) and boards of two colours that start in the first and the last corner (10 of 10 on
    14x14 cells, 8 of 10 on 12x12, but 2.5 of 6 on 10x10).
    """
    corners = board.variant == "corners" and board.colours == 2 and not board.lies and board.side in SIDES
    return load() if board.variant in ("duo", "duo-either") or corners else no_net()
