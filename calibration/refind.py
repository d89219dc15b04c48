"""Find a known board again: at its old place, or wherever its colours fill a rectangle of its size."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice
from calibration.frame import Frame, Pixel, Rect
from calibration.mesh import Mesh, grown, measure, refined
from calibration.observe import Reader
from calibration.sight import Sight
from games.core import UNREAD

READ = 0.9
"""The share of cells that must be read for the board to be there: a pointer or a small window may cover some."""

DRAWN = 0.8
"""The share of borders between cells of different kinds, or of the outline, that must be drawn."""

CLOSED = 0.3
"""The least share of each side of the board that a line must close: page in a cell's colour leaves some cells open."""

OFF = 0.1
"""How far, in pitches, the lines of an unmoved board may be found beside their place: highlights pull."""

LEFT_OVER, FEW_BORDERS = 0.3, 8
"""The share of cells of known colour, and how many borders among them, that show a board with something over it."""

GRAIN = 4
"""Samples to a pitch in the search of the whole picture: two fall inside every cell, whatever its gaps."""

TRIES = 3
"""Places tried, those fullest of the board's colours first."""

SLIP = 2
"""Cells by which the search of the whole picture may be wrong: it counts cells of the page's colour as the board's."""

ROOM = 2.5
"""How much of the surroundings is looked at with the board, in pitches."""


def find_again(frame: Frame, calibration: Calibration) -> Calibration | None:
    """`calibration` as it holds for `frame`: moved, but not resized; None where the board is not seen so.

    The kinds keep their numbers, and the controls move along, as they do when a window is dragged.
    """
    if _still_there(frame, calibration):
        return calibration
    for by in _places(frame, calibration):
        found = _fitted(frame, calibration.moved(by))
        if found is not None:
            return found
    return None


def partly_there(frame: Frame, calibration: Calibration) -> bool:
    """Whether some of the board is at its old place: cells of known colours with edges where these differ."""
    grid = Reader(calibration).read(frame).grid
    known = grid != UNREAD
    if float(known.mean()) < LEFT_OVER:
        return False
    if calibration.look != "coloured":
        return True
    sight, corner = _cut(frame, calibration.lattice)
    if sight is None:
        return False
    mesh = measure(sight, calibration.lattice.moved(Pixel(-corner.x, -corner.y)))
    across = (grid[:, 1:] != grid[:, :-1]) & known[:, 1:] & known[:, :-1]
    down = (grid[1:] != grid[:-1]) & known[1:] & known[:-1]
    drawn = np.concatenate([~np.isnan(mesh.upright[:, 1:-1])[across], ~np.isnan(mesh.level[1:-1])[down]])
    return len(drawn) >= FEW_BORDERS and float(drawn.mean()) >= DRAWN


def _still_there(frame: Frame, calibration: Calibration) -> bool:
    """Whether the board is at its old place."""
    grid = Reader(calibration).read(frame).grid
    if float((grid != UNREAD).mean()) < READ:
        return False
    if calibration.look != "coloured":
        return True
    sight, corner = _cut(frame, calibration.lattice)
    lattice = calibration.lattice.moved(Pixel(-corner.x, -corner.y))
    if sight is None:
        return False
    mesh = measure(sight, lattice)
    now = refined(mesh).origin
    off = max(abs(now.x - lattice.origin.x) / lattice.pitch[0], abs(now.y - lattice.origin.y) / lattice.pitch[1])
    return off <= OFF and _obeys(mesh, grid) > 0


def _places(frame: Frame, calibration: Calibration) -> list[Pixel]:
    """How far the board may have moved, to a quarter of a cell: where its palette covers its size best."""
    if calibration.look != "coloured":
        return []
    lattice = calibration.lattice
    step = max(1, int(min(lattice.pitch) / GRAIN))
    thin = frame.pixels[step // 2 :: step, step // 2 :: step]
    held = np.zeros(thin.shape[:2], np.uint8)
    for colour in set(calibration.palette):
        low = np.clip(np.subtract(colour, calibration.tolerance / 2), 0, 255)
        held |= cv2.inRange(thin, low, np.clip(np.add(colour, calibration.tolerance / 2), 0, 255)).astype(np.uint8)
    _, _, wide, high = lattice.box
    size = (max(1, round(wide / step)), max(1, round(high / step)))
    if size[0] > len(held[0]) or size[1] > len(held):
        return []
    full = cv2.boxFilter((held > 0).astype(np.float32), -1, size, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    found = []
    for _ in range(TRIES):
        top, left = divmod(int(full.argmax()), full.shape[1])
        if full[top, left] < 0.5:
            break
        found.append(Pixel(float(left * step) - lattice.box.x, float(top * step) - lattice.box.y))
        full[max(0, top - size[1] // 2) : top + size[1] // 2, max(0, left - size[0] // 2) : left + size[0] // 2] = 0
    return found


def _fitted(frame: Frame, calibration: Calibration) -> Calibration | None:
    """`calibration` shifted by up to SLIP cells so that borders lie on its lines; None where no board is there."""
    sight, corner = _cut(frame, calibration.lattice)
    if sight is None:
        return None
    here = calibration.lattice.moved(Pixel(-corner.x, -corner.y))
    near = here.moved(Pixel(_phase(sight.upright, here, 0), _phase(sight.level, here, 1)))
    wide = grown(sight, near, SLIP)
    grid = Reader(replace(calibration, lattice=wide, blocked=frozenset())).read(sight.frame).grid
    mesh = measure(sight, wide)
    best, place = 0.0, None
    for top in range(wide.rows - here.rows + 1):
        for left in range(wide.cols - here.cols + 1):
            part = (top, top + here.rows, left, left + here.cols)
            score = _obeys(mesh.part(part), grid[part[0] : part[1], part[2] : part[3]])
            if score > best:
                best, place = score, part
    if place is None:
        return None
    found = refined(mesh.part(place)).origin
    by = Pixel(
        found.x + corner.x - calibration.lattice.origin.x,
        found.y + corner.y - calibration.lattice.origin.y,
    )
    return calibration.moved(by)


def _cut(frame: Frame, lattice: Lattice) -> tuple[Sight | None, Pixel]:
    """The part of the picture with the board and its surroundings, and where its corner is."""
    x, y, width, height = lattice.box
    across, down = (ROOM * pitch for pitch in lattice.pitch)
    left, top = max(0, int(x - across)), max(0, int(y - down))
    right, bottom = min(frame.width, int(x + width + across)), min(frame.height, int(y + height + down))
    if right - left < width / 2 or bottom - top < height / 2:
        return None, Pixel(0, 0)
    part = np.ascontiguousarray(frame.pixels[top:bottom, left:right])
    return Sight(Frame(part, Rect(0, 0, right - left, bottom - top))), Pixel(left, top)


def _phase(edges: NDArray[np.uint8], lattice: Lattice, axis: int) -> float:
    """How far the lattice must move along an axis, at most half a pitch, for its lines to lie on most edges.

    The fullest phase is taken, not the mean of all: edges of highlights and marks inside of cells count for less.
    """
    pitch, start = lattice.pitch[axis], (lattice.box.x, lattice.box.y)[axis]
    profile = edges.sum(axis=axis, dtype=np.float64)
    count = max(1, round(pitch))
    slots = np.rint((np.arange(len(profile)) - start) / pitch * count).astype(np.intp) % count
    sums = np.bincount(slots, weights=profile, minlength=count)
    best = int(np.argmax(sums + (np.roll(sums, 1) + np.roll(sums, -1)) / 2))
    return float((best if best <= count / 2 else best - count) / count * pitch)


def _obeys(mesh: Mesh, grid: NDArray[np.int8]) -> float:
    """How well a board of these kinds lies on the mesh: up to 3, and 0 where it does not lie there at all."""
    seen = float((grid != UNREAD).mean())
    upright, level = ~np.isnan(mesh.upright), ~np.isnan(mesh.level)
    differ = np.concatenate([(grid[:, 1:] != grid[:, :-1]).ravel(), (grid[1:] != grid[:-1]).ravel()])
    lined = np.concatenate([upright[:, 1:-1].ravel(), level[1:-1].ravel()])
    sides = [float(side.mean()) for side in (upright[:, 0], upright[:, -1], level[0], level[-1])]
    outline = float(np.mean(sides))
    inner = float(lined[differ].mean()) if differ.any() else outline
    closed = min(sides) >= CLOSED or len(np.unique(grid)) == 1
    return seen + inner + outline if seen >= READ and inner >= DRAWN and closed else 0.0
