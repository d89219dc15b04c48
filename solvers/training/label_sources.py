"""Who knows the answers: exact solvers and finished games, as examples for a network to learn from.

A label source fills arrays with examples in pieces, each from a seed of its own, so that a stopped run loses one piece
at most; what a network sees of them is made from those arrays when it learns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from games.core import Options, SettingsError, choices
from solvers.learned.registry import network_game

Arrays = dict[str, NDArray[np.generic]]
"""Examples as they are kept, each array with one row an example."""


@dataclass(frozen=True, slots=True)
class LabelledPositions:
    """Examples as a network sees them.

    planes: int8[n, planes, rows, cols].  best: bool[n, actions], the moves that are as good as any.
    keeps: bool[n, actions], those that keep what the position is worth: a win, a draw or a loss.
    legal: bool[n, actions].  values: float32[n] from -1 to 1, for the side to move.
    groups: uint64[n], the same for positions that say much of each other: all are learned from, or none.
    common: bool[n], positions that nearly every game comes to, and so few that each is learned from.
    """

    planes: NDArray[np.int8]
    best: NDArray[np.bool_]
    keeps: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    values: NDArray[np.float32]
    groups: NDArray[np.uint64]
    common: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.values)


class LabelSource(Protocol):
    """Makes examples of one game."""

    @property
    def encoder(self) -> str:
        """What the network sees, a name in `solvers.learned.registry`."""
        ...

    def make(self, count: int, seed: int) -> Arrays:
        """About `count` examples, arrays of [n, ...], the same for the same seed."""
        ...

    def labelled(self, arrays: Arrays) -> LabelledPositions:
        """Those examples, arrays of [n, ...], as a network sees them."""
        ...

    def augmented(self, planes: NDArray[np.int8], moves: NDArray[np.float32], rng: np.random.Generator) -> Augmented:
        """The same examples mirrored or with other colours, by chance: planes, and ``float32[n, actions]``."""
        ...


Augmented = tuple[NDArray[np.int8], NDArray[np.float32]]


def label_source_of(name: str, game: str, board: Options) -> LabelSource:
    """The source of that name for a board; raises SettingsError."""
    place = network_game(game).label_sources
    known: dict[str, Callable[[Options], LabelSource]] = import_module(place).LABEL_SOURCES if place else {}
    if name not in known:
        raise SettingsError(f"{game} has no teacher {name!r}; {choices(name, known)}")
    return known[name](board)
