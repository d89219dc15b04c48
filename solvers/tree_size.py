"""How many nodes a game's tree has, estimated by random paths.

D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975: follow one random path; if its nodes branch into
``b1, b2, ...`` moves, then ``1 + b1 + b1 b2 + ...`` has the size of the tree as its expected value.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import part_of
from games.core import State


def sample_tree_sizes(state: State[Any], samples: int, seed: int) -> NDArray[np.float64]:
    """float64[samples], one estimate of the number of nodes below `state` (itself included) for each random path.

    >>> from games.flood_it import GAME
    >>> sample_tree_sizes(GAME.parse("012/210/001"), 3, 0).shape
    (3,)
    """
    rng = np.random.default_rng(seed)
    found = np.ones(samples)
    for at in range(samples):
        here, width = state, 1.0
        while moves := here.legal_moves():
            width *= len(moves)
            found[at] += width
            here = here.play(moves[int(rng.integers(len(moves)))])
    return found


def tree_sizes(game: str, state: State[Any], samples: int, seed: int) -> NDArray[np.float64]:
    """As `sample_tree_sizes`, by the game's compiled function where ``solvers.GAME`` names one in its TREE_SIZES."""
    place = getattr(part_of(game, "solvers"), "TREE_SIZES", "")
    if not place:
        return sample_tree_sizes(state, samples, seed)
    module, _, name = place.partition(":")
    sizes: NDArray[np.float64] = getattr(import_module(module), name)(state, samples, seed)
    return sizes
