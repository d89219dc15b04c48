"""The colours of the pieces of grooves, from picture after picture, however narrow and blurred they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.cell_patches import ZONES, CellPatches, Changed, PatchSampler, median
from calibration.frame import Pixel, Pixels
from calibration.looks.grooves.walls import Colours, Edges

PALEST, FULL, ASIDE, ALIKE = 0.25, 1.25, 14.0, 22.0
"""The least and the largest part of a clear line's change from the cells that another shows, how far beside that its
colour may lie, and how far off it a piece of it that is bare."""

AGREE = 0.25
"""How much more of the cells beside it may show in a piece of one line than usually does in others."""

FITS = 3
"""Times that a plane is laid through the colours of those pieces that lie near the last one."""

PIECE = 0.3
"""How far from a cell's middle the groove beside it is looked at, in pitches: clear of what crosses it."""


class GrooveColours:
    """Takes the colours of the pieces of groove from picture after picture."""

    def __init__(self, lattice: Lattice, gap: NDArray[np.float64]) -> None:
        """gap: the part of the pitch that grooves take, across and down."""
        along = PIECE
        across, down = gap / 2 + 1 / np.array(lattice.pitch)
        self._parts = {
            "h": _between(lattice, (0.0, 0.5), (along, down), along=3),
            "v": _between(lattice, (0.5, 0.0), (across, along), along=2),
            "x": _between(lattice, (0.5, 0.5), (across, down)),
        }
        self._last: tuple[dict[str, CellPatches], Colours] | None = None
        self._zones: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None

    def take(self, pixels: Pixels, changed: Changed | None = None) -> Colours:
        """The colours of the pieces and crossings; the very dict of the last time where none changed.

        changed: where this picture differs from the one that was taken last; None where all must be learned anew.
        Where cells are drawn at whole pixels a narrow groove lies beside its place: of each that zone is taken which
        looks most as the middle of grooves usually does.
        """
        seen = {name: sampler.take(pixels, changed) for name, sampler in self._parts.items()}
        if self._zones is None or changed is None:
            self._zones = _middle_zones(seen["h"], seen["v"].swapaxes(0, 1))
        if self._last is None or any(seen[name] is not self._last[0][name] for name in seen):
            rows, cols = self._zones
            lines = np.arange(len(rows))
            colours = {
                "h": seen["h"][lines, :, rows],
                "v": seen["v"][:, lines, cols],
                "x": seen["x"][lines[:, None], lines, rows[:, None], cols],
            }
            self._last = seen, colours
        return self._last[1]


def _between(
    lattice: Lattice, shift: tuple[float, float], reach: tuple[float, float], along: int | None = None
) -> PatchSampler:
    """Takes the patches of what lies `shift` pitches (x, y) beside the cells, where it lies between them."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    origin = Pixel(x + shift[0] * across, y + shift[1] * down)
    rows, cols = lattice.rows - (shift[1] > 0), lattice.cols - (shift[0] > 0)
    return PatchSampler(Lattice(origin, lattice.pitch, rows, cols), reach, along=along)


def _middle_zones(
    level: NDArray[np.float32], upright: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """intp[lines] twice: which zone across each line, float32[lines, pieces, ZONES, 3], looks usual, the middle first.

    The lines are those across and those down the board.
    """
    half = ZONES // 2
    inner = [lines[:, :, half - 1 : half + 1].reshape(-1, 3) for lines in (level, upright)]
    usual = median(np.concatenate(inner), axis=0)
    aside = 4 * np.abs(np.arange(ZONES) - (ZONES - 1) / 2)
    rows, cols = (
        (np.abs(lines - usual).max(axis=3).min(axis=1) + aside).argmin(axis=1)  # some piece of each line is bare
        for lines in (level, upright)
    )
    return rows, cols


def evened(parts: Colours) -> Colours:
    """The colours as they would be were the board lit alike all over, where light slopes from one side to another.

    What pieces lie off a plane through most of them stays; nothing changes where they lie as near to their median.
    """
    rows, cols = np.indices((2 * len(parts["h"]) + 1, 2 * parts["v"].shape[1] + 1), dtype=np.float32)
    places = {"h": np.s_[1::2, ::2], "v": np.s_[::2, 1::2], "x": np.s_[1::2, 1::2]}
    at = np.concatenate([np.stack([rows[where], cols[where]], axis=-1).reshape(-1, 2) for where in places.values()])
    colours = np.concatenate([parts[way].reshape(-1, 3) for way in places])
    at = np.column_stack([at - at.mean(axis=0), np.ones(len(at), dtype=np.float32)])
    usual = median(colours, axis=0)
    near = flat = np.abs(colours - usual).max(axis=1) <= ALIKE
    plane = np.zeros((3, 3), dtype=np.float32)
    for _ in range(FITS):
        plane = np.linalg.lstsq(at[near], colours[near], rcond=None)[0].astype(np.float32)
        near = np.abs(colours - at @ plane).max(axis=1) <= ALIKE
    if near.sum() <= flat.sum():
        return parts
    slope = (at[:, :2] @ plane[:2]).astype(np.float32)
    sizes = np.cumsum([parts[way].shape[0] * parts[way].shape[1] for way in places])[:-1]
    return {
        way: parts[way] - part.reshape(parts[way].shape)
        for way, part in zip(places, np.split(slope, sizes), strict=True)
    }


def cleared(parts: Colours, edges: Edges, cell: NDArray[np.float32]) -> Colours:
    """The colours as they would be were all cells bare: lines let some of the cells beside show, tinted or marked.

    edges: of the cells.  cell: float32[3], the colour of bare ones.
    """
    shown = {way: np.where(covered[..., None], usual, seen) - cell for way, (seen, covered, usual) in edges.items()}
    level = (shown["h"][:-1, :, 1] + shown["h"][1:, :, 0]) / 2
    upright = (shown["v"][:, :-1, 1] + shown["v"][:, 1:, 0]) / 2
    lines = np.concatenate([parts["h"], parts["v"].swapaxes(0, 1)])
    tints = np.concatenate([level, upright.swapaxes(0, 1)])
    tinted = np.abs(tints).max(axis=2) > ASIDE
    if not tinted.any():
        return parts
    away = lines - median(lines.reshape(-1, 3), axis=0)
    through = (away * tints).sum(axis=2) / np.maximum((tints**2).sum(axis=2), 1.0)
    usual = np.clip(np.median(through[tinted]), 0, 1).astype(np.float32)
    share = np.full(len(lines), usual)
    for line in np.flatnonzero(tinted.any(axis=1)):  # one that falls between two rows of pixels shows more
        own = through[line, tinted[line]]
        if (np.abs(own - usual) <= AGREE).all():  # else a wall lies there
            share[line] = np.median(own)
    across, down = np.split(share, 2)
    crossing = (level[:, :-1] + level[:, 1:]) / 2
    return {
        "h": parts["h"] - across[:, None, None] * level,
        "v": parts["v"] - down[:, None] * upright,
        "x": parts["x"] - usual * crossing,
    }


def levelled(parts: Colours, cell: NDArray[np.float32]) -> Colours:
    """The colours as they would be were no line blurred: bare pieces of each are as those of the clearest lines.

    A line that falls between two rows of pixels shows the cells' colour, too.  cell: float32[3], that colour.
    """
    lines = np.concatenate([parts["h"], parts["v"].swapaxes(0, 1)])
    own = median(lines, axis=1)
    away = own - cell
    clear = np.abs(away).max(axis=1)
    ground = median(own[clear >= np.median(clear)], axis=0)
    way = ground - cell
    share = away @ way / max(float(way @ way), 1.0)
    blurred = (share > PALEST) & (share < FULL) & (np.abs(away - share[:, None] * way).max(axis=1) <= ASIDE)
    blurred &= (np.abs(lines - own[:, None]).max(axis=2) <= ALIKE).mean(axis=1) > 0.5
    level, upright = np.split(np.where(blurred[:, None], ground - own, 0), 2)
    nearer = np.abs(level).max(axis=1)[:, None] < np.abs(upright).max(axis=1)
    return {
        "h": parts["h"] + level[:, None],
        "v": parts["v"] + upright,
        "x": parts["x"] + np.where(nearer[..., None], level[:, None], upright),
    }
