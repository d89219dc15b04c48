"""Reads what lies on the places of a board in picture after picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration
from calibration.cell_patches import ZONES, CellPatches, cluster_patches, unlikeness
from calibration.frame import Frame, Pixel
from calibration.palette import hue_angle
from calibration.places import (
    APART,
    GHOST,
    SAME,
    SORTS,
    SPREAD,
    as_points,
    is_symmetric,
    may_be_piece,
    place_sampler,
    progress,
    share_changed,
    with_patches,
)
from calibration.regions import labels_of
from games.core import UNREAD, Observation, SettingsError

OTHER = 0.6
"""How far a piece lies from one of the other player, at least, as a part of how far that one lies from an empty place.

A cross and a ring: 0.73; a ring with a mark on it 0.3.
"""

COLOUR, ASIDE = 0.45, 0.25
"""The same of the middles alone, and how far one lies beside the way from the empty place to the known piece.

Discs of other colours: 0.49 and 0.29 at least (a light red and a yellow in black holes), where a bright rim leaves the
whole disc at 0.5; a preview is on the way.
"""

HUE, VIVID = 60.0, 50.0
"""Degrees from which two discs are of other hues, and how far both must lie from grey: then it is enough that one lies
`ASIDE` of the way. Light, shade and what shines through of a grey ground leave the hue.
"""

NEAR_HUE, NEAR = 15.0, 24.0
"""The same of pieces that lie beside each other, of which one is known, and how far apart their colours must lie, in
the channel that differs most: an orange disc and one of gold have 20 and 43.
"""

FAINT = 0.35
"""Both of them for a disc of another colour that shines through: a dark one, of which two thirds show, beside a red one
has 0.4 and 0.47; one of the known colour lies on the way, however faint.
"""

SIGN, CLOSER = 0.7, 0.8
"""The part of the way to a sign from which a cell on another ground shows it, and how much nearer it lies than others.
"""


FAINTEST = APART / 2
"""Unlikeness from which an empty place shows something else than it did, on the same still picture."""

Part = tuple[slice, slice] | NDArray[np.bool_]

MIDDLE = np.s_[1:-1, 1:-1]
"""The zones of a cell within its rim."""


def led_to(cells: CellPatches, empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[rows, cols]: `empty` places and those that look like one beside them, and so on: the page may be shaded."""
    across = unlikeness(cells[:, 1:], cells[:, :-1]) < APART
    down = unlikeness(cells[1:], cells[:-1]) < APART
    labels = labels_of(np.ones_like(empty), across, down)
    return np.isin(labels, labels[empty])


def _unlike_hues(one: CellPatches, other: CellPatches, most: float = HUE, least: float = 0.0) -> bool:
    """Whether the middles of two pieces are of two hues, more than `most` apart, and differ by `least` at least."""
    colours = [np.median(each[MIDDLE].reshape(-1, 3), axis=0) for each in (one, other)]
    vivid = all(float(np.linalg.norm(each - each.mean())) >= VIVID for each in colours)
    return vivid and hue_angle(*colours) > most and float(np.abs(colours[0] - colours[1]).max()) >= least


class PlaceReader:
    """Reads places again and again, and learns the pieces that its calibration has not seen yet."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        """Raises SettingsError where the calibration lacks the patch of an empty place."""
        if not calibration.patches:
            raise SettingsError("the calibration lacks the face of an empty place (faces): calibrate anew")
        self._calibration = calibration
        self._sampler = place_sampler(calibration.lattice.moved(Pixel(-offset.x, -offset.y)))
        self._known, self._previews = (
            [np.array(patch, dtype=np.float32).reshape(ZONES, ZONES, 3) for patch in patches]
            for patches in (calibration.patches, calibration.previews)
        )

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now: 0 empty, 1, 2; cells that are covered or like nothing known are UNREAD."""
        return Observation(*self._read(self._take(frame)))

    def _take(self, frame: Frame) -> CellPatches:
        return self._sampler.take(frame.pixels)

    def pointed_at(self, before: Frame, frame: Frame, grid: NDArray[np.int8]) -> Calibration:
        """The calibration with what places that `grid` says are empty show in `frame`, and not `before`: previews.

        The same object where there is nothing new.
        """
        if np.array_equal(before.pixels, frame.pixels):
            return self._calibration
        then, now = self._take(before), self._take(frame)
        looks = now[(grid == 0) & (unlikeness(now, then) >= FAINTEST)]
        known = [*self._known[:1], *self._previews]
        for patch in looks:
            if len(known) <= SORTS and min(float(unlikeness(patch, other)) for other in known) >= FAINTEST:
                known.append(patch)
        fresh = known[1 + len(self._previews) :]
        more = as_points(np.stack(fresh)) if fresh else ()
        return replace(self._calibration, previews=(*self._calibration.previews, *more)) if more else self._calibration

    def _read(self, cells: CellPatches) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """What the cells show and how sure that is, pieces that show for the first time being learned."""
        grid, confidence = self._match(cells)
        strange = grid == UNREAD
        if len(self._known) == 2:
            strange |= self._tinged(cells, grid)
        if len(self._known) < 3 and strange.any():
            pieces = strange & ~self._previewed(cells, self._nearest(cells))
            self._learn(cells, pieces if pieces.any() else strange)  # the piece itself may look so, too
            grid, confidence = self._match(cells)
        return grid, confidence

    def _tinged(self, cells: CellPatches, grid: NDArray[np.int8]) -> NDArray[np.bool_]:
        """bool[rows, cols]: the known pieces that are of another hue than it and lie beside some that are not."""
        tinged = np.zeros(grid.shape, dtype=bool)
        for place in map(tuple, np.argwhere(grid == 1)):
            tinged[place] = _unlike_hues(cells[place], self._known[1], NEAR_HUE, NEAR)
        return tinged & bool(((grid == 1) & ~tinged).any())

    def _nearest(self, cells: CellPatches) -> NDArray[np.float32]:
        """float32[rows, cols]: how unlike the known kind that is most like it each cell is."""
        return np.asarray(np.stack([unlikeness(cells, patch) for patch in self._known]).min(axis=0))

    def _previewed(self, cells: CellPatches, nearest: NDArray[np.float32]) -> NDArray[np.bool_]:
        """bool[rows, cols]: the cells that look like previews, and less like anything known.

        nearest: as `_nearest` gives it.  A preview that a piece itself looks like tells nothing.
        """
        shown = np.zeros(nearest.shape, dtype=bool)
        for preview in self._previews:
            if all(float(unlikeness(preview, piece)) >= APART for piece in self._known[1:]):
                away = unlikeness(cells, preview)
                shown |= (away < APART) & (away < nearest)
        return shown

    def learned(self) -> Calibration:
        """The calibration with the patches of the pieces seen since."""
        if len(self._known) == len(self._calibration.patches):
            return self._calibration
        return with_patches(self._calibration, np.stack(self._known))

    def _match(self, cells: CellPatches) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """The nearest known kind of each cell and its margin; previews of pieces are empty places."""
        away = np.stack([unlikeness(cells, patch) for patch in self._known], axis=-1)
        ordered = np.sort(np.concatenate([away, np.full((*away.shape[:2], 1), 120.0)], axis=-1), axis=-1)
        margin = (ordered[..., 1] - ordered[..., 0]) / (ordered[..., 1] + ordered[..., 0] + 1e-6)
        grid = away.argmin(axis=-1).astype(np.int8)
        doubtful = ordered[..., 0] > self._reach()
        if len(self._known) > 1 and self._previews:
            previewed = self._previewed(cells, ordered[..., 0])
            grid[previewed] = 0
            doubtful &= ~previewed
        if doubtful.any():
            shaded = doubtful & led_to(cells, (grid == 0) & ~doubtful)
            grid[shaded] = 0
            for row, col in np.argwhere(doubtful & ~shaded):
                grid[row, col] = self._doubtful(cells[row, col], int(grid[row, col]))
        return grid, np.where(grid == UNREAD, 0.0, margin).astype(np.float32)

    def _reach(self) -> float:
        """How unlike its kind a cell may be without a second look."""
        pairs = [float(unlikeness(one, other)) for one, other in combinations(self._known, 2)]
        return max(APART, 0.35 * min(pairs, default=2 * APART))

    def _doubtful(self, patch: CellPatches, kind: int) -> int:
        """What a cell shows under a pointer or a mark, the preview of a piece (nothing), or UNREAD."""
        if len(self._known) < 3 and self._is_unknown_piece(patch):
            return UNREAD
        same = self._alike(patch, self._telling())
        if same.max() > 0.5 and (same > same.max() - 0.15).sum() == 1:
            return int(same.argmax())
        inner = self._alike(patch, MIDDLE)
        if inner.max() >= 0.75 and (inner > 0.5).sum() == 1:  # only its rim is drawn otherwise
            return int(inner.argmax())
        parts = [float(progress(patch[None], self._known[0], piece)[0]) for piece in self._known[1:]]
        if kind and parts[kind - 1] >= GHOST and float(unlikeness(patch, self._known[kind])) < 40:
            return kind
        if kind and self._dressed(patch, kind, parts[kind - 1]):
            return kind
        if any(0.1 < part < GHOST for part in parts) and float(unlikeness(patch, self._known[0])) < 40:
            return 0
        return UNREAD

    def _dressed(self, patch: CellPatches, kind: int, part: float) -> bool:
        """Whether a cell shows a piece where all others are dimmed, or a sign on another ground or under a ring."""
        away = np.sort([float(unlikeness(patch, known)) for known in self._known])
        faded = float(unlikeness(patch, self._known[0] + part * (self._known[kind] - self._known[0])))
        if part >= 1 and faded < 2 * APART:
            return True
        least = 0.5 if is_symmetric(patch, self._known[0]) else SIGN
        return part >= least and away[0] < CLOSER * away[1] and faded > APART  # else it is a preview

    def _telling(self) -> NDArray[np.bool_]:
        """bool[ZONES, ZONES]: where the known kinds differ; all over where one is known."""
        apart = np.ptp(np.stack(self._known), axis=0).max(axis=-1) >= SAME
        return np.asarray(apart if apart.any() else ~apart)

    def _alike(self, patch: CellPatches, part: Part = np.s_[:, :]) -> NDArray[np.float64]:
        """float64[kinds]: the share of a cell's zones, or of those in a part of it, that show each known kind."""
        return np.array([(np.abs(patch[part] - known[part]).max(axis=-1) < SAME).mean() for known in self._known])

    def _is_unknown_piece(self, patch: CellPatches) -> bool:
        """Whether a cell shows a piece that is none of those known: as thin as a letter, or half a cell small."""
        empty, *pieces = self._known
        told = np.abs(patch - empty).max() >= SAME  # else it is no more than lit
        if not (told and may_be_piece(patch, 2, empty) and is_symmetric(patch, empty)):
            return False
        return not pieces or self._away(patch, self._known) > OTHER or self._has_other_colour(patch, pieces[0])

    def _has_other_colour(self, patch: CellPatches, known: CellPatches) -> bool:
        """Whether a cell shows a disc of another colour than the one known, whatever is drawn round either."""
        empty = self._known[0]
        if share_changed(known, empty) < SPREAD:
            return False
        part = max(0.0, float(progress(patch[None], empty, known)[0]))
        aside = self._away(patch, [empty + part * (known - empty)], MIDDLE)
        away = self._away(patch, self._known, MIDDLE)
        told = away > COLOUR or _unlike_hues(patch, known)
        return (told and aside > ASIDE) or min(away, aside) > FAINT

    def _away(self, patch: CellPatches, others: Sequence[CellPatches], part: Part = np.s_[:, :]) -> float:
        """How far a part of a cell is from the nearest of `others`, in parts of the way from nothing to a piece."""
        away = min(float(unlikeness(patch[part], other[part])) for other in others)
        return away / float(unlikeness(self._known[1][part], self._known[0][part]))

    def _learn(self, cells: CellPatches, strange: NDArray[np.bool_]) -> None:
        """Take the commonest strange patches for the pieces not seen before."""
        if strange.any():
            kinds = cluster_patches(cells[strange][None], APART, at_most=SORTS)
            empty, found = self._known[0], [] if kinds is None else list(zip(kinds.patches, kinds.sizes, strict=True))
            fresh = [patch for patch, size in found if may_be_piece(patch, int(size), empty)]
            self._known += fresh[: 3 - len(self._known)]
