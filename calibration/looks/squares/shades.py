"""The colours of squares: their tones, tints and start marks, and what can be seen of one under a pointer."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cell_patches import ZONES, CellPatches, median
from calibration.palette import hue_angle
from calibration.regions import components

BESIDE = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=np.float32)
"""The squares that share a side with one."""

RIM = np.ones((ZONES, ZONES), dtype=bool)
RIM[1:-1, 1:-1] = False
"""The zones along a square's border: marks and numbers stand in its middle."""

TOLERANCE = 40.0
"""How far, in the channel that differs most, a square may lie from its colour: gradients and a chequer's tint."""

MARK = 40.0
"""How far, in the channel that differs most, a zone in a square's middle differs from its rim where a mark lies."""

ELECTED = 0.25
"""The share of a square's zones that tells what lies under a pointer; it is the commonest known colour."""

LARGEST = 5
"""The squares of the largest piece."""

OUTER = 0.46
"""How far from its centre a square is looked at where its corners tell a disc from a piece, in pitches."""

FAINT = 80
"""How far, in the channel that differs most, the tint of a start square lies from an empty one at most."""

STRONG = 127
"""The same in a corner where other corners are tinted."""

USUAL, SLIGHT = 0.95, 8
"""The share of the empty squares that a corner must differ more than, by so much of 255, to be tinted a little."""

MIXED = (0.1, 0.85)
"""The share of the second of two colours in a mixture of them."""

HUE = 8.0
"""Degrees that the tones of one colour differ by at most."""


def zone_colours(squares: CellPatches) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """The zones of each square, its colour beside its middle, and the share of the zones there that is so coloured.

    float32[rows, cols, zones, 3], float32[rows, cols, 3] and float32[rows, cols].
    """
    rim = squares[:, :, RIM]
    colours = median(rim, axis=2)
    flat = (np.abs(rim - colours[:, :, None]).max(axis=3) <= 24).mean(axis=2)
    return squares.reshape(*squares.shape[:2], -1, 3), colours, flat.astype(np.float32)


def bears_mark(zones: NDArray[np.float32], colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[...]: squares, float32[..., zones, 3] and float32[..., 3], that are of another colour in their middle."""
    away = np.abs(zones[..., ~RIM.ravel(), :] - colours[..., None, :]).max(axis=-1)
    return np.asarray((away > MARK).any(axis=-1))


def voted(
    zones: NDArray[np.float32], colours: NDArray[np.float32], kinds: NDArray[np.intp], otherwise: int
) -> NDArray[np.intp]:
    """For squares under a pointer, float32[n, zones, 3]: which of `kinds` most can be seen of, if enough of any."""
    away = np.abs(zones[:, :, None] - colours[kinds]).max(axis=3)
    near = (away.min(axis=2) <= TOLERANCE)[:, :, None] & (away.argmin(axis=2)[:, :, None] == np.arange(len(kinds)))
    shares = near.mean(axis=1)
    return np.where(shares.max(axis=1, initial=0.0) >= ELECTED, kinds[shares.argmax(axis=1)], otherwise)


def start_discs(squares: CellPatches, taken: NDArray[np.bool_], ground: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[rows, cols]: the taken squares that only hold a disc, for where a player starts, and none beside them.

    squares: as far as OUTER.  A disc leaves the corners bare, as pieces do not, unless all are round.
    """
    corners = squares[:, :, [0, 0, -1, -1], [0, -1, 0, -1]]
    bare = (np.abs(corners - ground).max(axis=3) <= TOLERANCE).all(axis=2)
    discs = bare & _alone(taken)
    rest = taken & ~discs
    return np.asarray(discs if not rest.any() or bare[rest].mean() < 0.5 else np.zeros_like(taken))


def start_tints(
    colours: NDArray[np.float32], taken: NDArray[np.bool_], ground: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """bool[rows, cols]: the taken squares that are only tinted, for where a player starts: no other is like them.

    Or lit, as under a pointer: that takes away from all colours alike, or adds to them.
    """
    tint = colours - ground
    lit, alone, away = np.ptp(tint, axis=2) <= TOLERANCE / 3, _alone(taken), np.abs(tint).max(axis=2)
    faint = np.argwhere((lit | alone) & taken & (away <= FAINT))
    tints = np.zeros_like(taken)
    for row, col in faint:
        tints[row, col] = (np.abs(colours[taken] - colours[row, col]).max(axis=1) <= TOLERANCE / 2).sum() == 1
    corners = np.zeros_like(taken)
    corners[np.ix_([0, -1], [0, -1])] = True
    usual = np.quantile(away[~taken], USUAL) if (~taken).any() else 0.0
    faintly = (alone | ~taken) & (away > usual + SLIGHT) & (away <= FAINT)
    if (faintly & corners).sum() > 1:  # then all are start squares, and a tint of yellow is a strong one
        tints |= corners & alone & (away <= STRONG)
    return tints


def start_signs(
    zones: NDArray[np.float32], colours: NDArray[np.float32], taken: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """bool[rows, cols]: the taken squares that hold a sign, for where a player starts: no other is like them.

    They lie alone on a diagonal of the board, as starts do.
    """
    down, across = np.indices(taken.shape)
    places = (down == across) | (down + across == len(taken) - 1)
    signs: NDArray[np.bool_] = _alone(taken) & places & bears_mark(zones, colours)
    for row, col in np.argwhere(signs):
        signs[row, col] = (np.abs(colours[taken] - colours[row, col]).max(axis=1) <= TOLERANCE).sum() == 1
    return signs


def _alone(taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The taken squares with none at their sides."""
    beside = cv2.filter2D(taken.astype(np.uint8), -1, BESIDE, borderType=cv2.BORDER_CONSTANT) > 0
    return np.asarray(taken & ~beside)


def tones_of(kinds: NDArray[np.intp], colours: NDArray[np.float32], ground: int) -> dict[int, int]:
    """The kinds that are tones of another player's colour, and whose: a single piece each, the one laid last.

    It touches another piece of its player at a corner.  One that touches a side of such a piece, or none, is not laid
    yet, only shown: it is the ground's, as whatever is no piece and fades to it.  A square that is lit is its piece's.
    """
    sizes = np.bincount(kinds.ravel(), minlength=len(colours))
    players = sorted((kind for kind in np.flatnonzero(sizes) if kind != ground), key=lambda kind: -int(sizes[kind]))
    tones: dict[int, int] = {}
    for place, player in enumerate(players):
        if player in tones:
            continue
        empty, full = colours[ground], colours[player]
        small = [kind for kind in players[place + 1 :] if kind not in tones and sizes[kind] <= LARGEST]
        pale = [kind for kind in small if lies_between(colours[kind], empty, full)]
        alike = [kind for kind in small if kind in pale or hue_angle(full, colours[kind]) <= HUE]
        whole = np.isin(kinds, alike)
        one = whole.sum() <= LARGEST and components(whole) == 1  # also on two tones of ground
        for group in [alike] if one else [[kind] for kind in alike]:
            alone, others = np.isin(kinds, group), kinds == player
            beside, across = (components(alone | others, way) <= components(others, way) for way in (4, 8))
            lit = alone.sum() == 1 and lies_between(colours[group[0]], full, np.full(3, 255, np.float32))
            shown, piece = set(group) <= set(pale), components(alone) == 1
            if piece and ((across and not beside) or (lit and beside)):
                tones |= dict.fromkeys(map(int, group), int(player))
            elif shown or (piece and beside):
                tones |= dict.fromkeys(map(int, group), ground)
    return tones


def lies_between(colour: NDArray[np.float32], one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether a colour, float32[3], is a mixture of two others."""
    way = other - one
    share = float((colour - one) @ way / max(float(way @ way), 1.0))
    return MIXED[0] <= share <= MIXED[1] and bool(np.abs(colour - one - share * way).max() <= TOLERANCE / 3)
