"""Quoridor's network that corrects the evaluation: its weights, which `solvers.training.quoridor_network` makes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from games.quoridor import Quoridor
from solvers.kernels.quoridor.network import MOST_LEFT, SIDE, MoveOrder, PathsNetwork, network_of, no_network
from solvers.weights import read_verified

FOLDER = Path(__file__).parents[1] / "books"
WEIGHTS, CARD = FOLDER / "quoridor.npz", FOLDER / "quoridor.json"


@cache
def load() -> list[NDArray[Any]]:
    """The weights that come with the solvers; raises SettingsError where they are not those of their card."""
    return read_verified(WEIGHTS, CARD, "rows", "heads", "shares", "around", "gains", remedy="install boardsight again")


def network_for(state: Quoridor) -> PathsNetwork:
    """The network for a position, with room to work in of its own; an empty one where none was trained.

    It knows 9x9, and no more walls than ten for each player.
    """
    size = state.size
    known = (size.rows, size.cols) == (SIDE, SIDE) and max(state.left) <= MOST_LEFT
    if not known or len(state.walls) > 2 * MOST_LEFT:
        return no_network()
    rows, heads, shares, around, gains = load()
    return network_of(rows, heads, shares, MoveOrder(around, gains))
