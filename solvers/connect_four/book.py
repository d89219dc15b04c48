"""Connect Four's opening book: the score of every position of at most 10 stones; `bench.training` makes it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solvers.weights import read_verified

FOLDER = Path(__file__).parents[1] / "books"
BOOK, CARD = FOLDER / "connect_four.npz", FOLDER / "connect_four.json"

STONES = 10
HIGH = 7
BOTTOM = sum(1 << (HIGH * col) for col in range(7))


@cache
def load() -> tuple[NDArray[np.uint64], NDArray[np.int8]]:
    """The keys ``uint64[n]`` in ascending order, and the score ``int8[n]`` of each position for its side to move.

    Raises SettingsError where the file is not the one its card describes.
    """
    remedy = "install boardsight again, or play without it: exact:book=false"
    steps, scores = read_verified(BOOK, CARD, "steps", "scores", remedy=remedy)
    return np.cumsum(steps, dtype=np.uint64), scores


def key_of(own: int, every: int) -> int:
    """The number a position and its mirror image have in the book.

    own, every: the stones of the side to move and all stones, as `solvers.kernels.connect_four.rules` packs them.
    """
    return min(own + every, mirrored(own) + mirrored(every)) + BOTTOM


def mirrored(word: int) -> int:
    """A word of columns with left and right exchanged."""
    return sum(((word >> (HIGH * col)) & 127) << (HIGH * (6 - col)) for col in range(7))


def look_up(own: int, every: int) -> int | None:
    """The score of a position that is not over, None where it has more than 10 stones."""
    if every.bit_count() > STONES:
        return None
    keys, scores = load()
    at = int(np.searchsorted(keys, np.uint64(key_of(own, every))))
    return int(scores[at])


def keys_of(positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`key_of` of many positions, ``uint64[n, 2]``."""
    words = positions[:, 0] + positions[:, 1]  # seven bits a column, which tell whose each stone is
    shifts = [np.uint64(HIGH * col) for col in range(7)]
    turned = np.zeros_like(words)
    for left, right in zip(shifts, shifts[::-1], strict=True):
        turned |= (words >> left & np.uint64(127)) << right
    keys: NDArray[np.uint64] = np.minimum(words, turned) + np.uint64(BOTTOM)
    return keys


def look_up_all(positions: NDArray[np.uint64]) -> NDArray[np.int8]:
    """int8[n]: the scores of positions ``uint64[n, 2]`` that are not over and have at most 10 stones."""
    keys, scores = load()
    found: NDArray[np.int8] = scores[np.searchsorted(keys, keys_of(positions))]
    return found
