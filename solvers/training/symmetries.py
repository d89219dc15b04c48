"""The symmetries of games as a network sees them: which planes and which moves change places.

A symmetry is two lists of places: the twin of an example has at each place of its planes, flattened, what the original
has at the place the first list names (nothing at -1), and likewise for its moves and the second list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.blokus.pieces import shape_of
from games.core import Cell, SettingsError
from solvers.learned.planes import FORM_NUMBERS, FORMS, Encoder


class Symmetry(NamedTuple):
    """planes: int64[planes * rows * cols].  actions: int64[actions]."""

    planes: NDArray[np.int64]
    actions: NDArray[np.int64]


Draw = Callable[[np.random.Generator], Symmetry]
"""One of a game's symmetries by chance, the one that changes nothing among them."""


def symmetries_of(game: str, encoder: Encoder) -> Draw:
    """The symmetries of a game; where none is known, the one that changes nothing."""
    nothing = _nothing(encoder)
    if game in ("filler", "flood_it"):
        return lambda rng: _exchanged_colours(encoder, rng.permutation(encoder.actions))
    if game in MIRRORS:
        twin = mirror_of(game, encoder)
        return lambda rng: twin if rng.random() < 0.5 else nothing
    return lambda rng: nothing


def mirror_of(game: str, encoder: Encoder) -> Symmetry:
    """A game's only symmetry beside the one that changes nothing; done twice it changes nothing either.

    Raises SettingsError for games that have none or more.
    """
    if game not in MIRRORS:
        raise SettingsError(f"{game} has no mirror: choose one of {', '.join(MIRRORS)}")
    return MIRRORS[game](encoder)


def transformed(
    symmetry: Symmetry, planes: NDArray[np.float32], policies: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The twins of examples: planes ``[n, planes, rows, cols]``, policies ``[n, actions]``."""
    flat = planes.reshape(len(planes), -1)
    turned = np.where(symmetry.planes >= 0, flat[:, symmetry.planes], np.float32(0))
    return turned.reshape(planes.shape).astype(np.float32), policies[:, symmetry.actions]


def _places(encoder: Encoder) -> NDArray[np.int64]:
    """int64[planes, rows, cols], each place's number."""
    return np.arange(int(np.prod(encoder.shape))).reshape(encoder.shape)


def _nothing(encoder: Encoder) -> Symmetry:
    return Symmetry(_places(encoder).ravel(), np.arange(encoder.actions))


def _mirrored_columns(encoder: Encoder) -> Symmetry:
    return Symmetry(_places(encoder)[:, :, ::-1].ravel(), np.arange(encoder.actions)[::-1].copy())


def _mirrored_walls(encoder: Encoder) -> Symmetry:
    """Left and right exchanged; a wall stands between two columns, so that there is one place less for it."""
    _, rows, cols = encoder.shape
    planes = _places(encoder)[:, :, ::-1].copy()
    for plane in (2, 3):
        planes[plane] = np.roll(planes[plane], -1, axis=1)
        planes[plane, :, -1] = -1
    steps = np.arange(rows * cols).reshape(rows, cols)[:, ::-1].ravel()
    walls = np.arange(2 * (rows - 1) * (cols - 1)).reshape(2, rows - 1, cols - 1)[:, :, ::-1].ravel()
    return Symmetry(planes.ravel(), np.concatenate([steps, rows * cols + walls]))


def _transposed_placements(encoder: Encoder) -> Symmetry:
    """Rows and columns exchanged: the own corner stays at the top left, the rival's opposite."""
    side = encoder.shape[1]
    forms = [FORM_NUMBERS[shape_of([Cell(col, row) for row, col in form])] for form in FORMS]
    numbers = np.arange(encoder.actions).reshape(len(FORMS), side, side)
    return Symmetry(_places(encoder).transpose(0, 2, 1).ravel(), numbers[forms].transpose(0, 2, 1).ravel())


def _exchanged_colours(encoder: Encoder, order: NDArray[np.int64]) -> Symmetry:
    """Colour `c` takes the place of ``order[c]``'s."""
    planes = _places(encoder)
    return Symmetry(np.concatenate([planes[order], planes[len(order) :]]).ravel(), order)


MIRRORS: dict[str, Callable[[Encoder], Symmetry]] = {
    "connect_four": _mirrored_columns,
    "quoridor": _mirrored_walls,
    "blokus": _transposed_placements,
}
"""Game -> its mirror."""
