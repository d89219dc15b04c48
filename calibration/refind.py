"""Find a known board again: at its old place, or wherever cells of its colours lie at its pitch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice, rgb
from calibration.cell_patches import ZONES
from calibration.frame import Frame, Pixel, Pixels, Rect
from calibration.lines import coherence, periods, symmetry_offset
from calibration.looks import look_named, reader_of
from calibration.mesh import Mesh, grown, measure, refined
from calibration.palette import lighted
from calibration.samples import PointSampler, middle
from calibration.scene import Scene
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

KEPT = 0.5
"""The part of its old confidence from which a board counts as there."""

ENOUGH = 0.85
"""What speaks for a place from which on no other is looked at."""

COHERENT = 0.15
"""How alike, as a correlation, the edges of the rows and columns of a half covered board are; other pages': about 0."""

ENDS = 0.55
"""How alike, as a correlation, the edges of the outermost rows and columns of colours are to those of all of them.

On 49 of 50 drawn boards 0.59 and more; page has few or none.
"""

TOLD = 0.7
"""What speaks for a place of a look's own confidence, halved where the outermost rows and columns have other edges than
the rest: on drawn boards up to 0.66 a cell beside the right place."""

SAMPLES = 4
"""Samples to a pitch in the search of the whole picture: the middle two of them fall into every cell."""

TRIES = 4
"""Places tried, those where most speaks for the board first."""

VARIED, RING = 0.5, 0.3
"""What known colours count where they do not change from cell to cell, and what known colours round the board cost:
plain parts of pages may have a cell's colour, but they are even, and go on."""

SLIP = 2
"""Cells by which the search of the whole picture may be wrong: it counts cells of the page's colour as the board's."""

ROOM = 2.5
"""How much of the surroundings is looked at with the board, in pitches."""

NEAREST = 0.3
"""How far, in pitches, a place of the search may be off: cells that touch are known up to their borders."""

Mask = NDArray[np.uint8]
Shares = NDArray[np.float32]
"""float32[height, width] of samples: how much speaks for the board whose first cell begins at each sample."""


def find_again(frame: Frame, calibration: Calibration) -> Calibration | None:
    """`calibration` as it holds for `frame`: moved, but not resized; None where the board is not seen so.

    The kinds keep their numbers, and the controls move along, as they do when a window is dragged.
    """
    if _still_there(frame, calibration):
        return calibration
    fit = _fitted if look_named(calibration.look).filled else _settled
    best: tuple[float, Calibration | None] = (0.0, None)
    for by in _places(frame, calibration):
        worth, found = fit(frame, calibration.moved(by))
        if found is not None and worth > best[0]:
            best = worth, found
        if worth >= ENOUGH:
            break
    return best[1]


def partly_there(frame: Frame, calibration: Calibration) -> bool:
    """Whether some of the board is at its old place: cells of known colours, with edges where they are due."""
    scene, corner = _cut(frame, calibration.lattice)
    if scene is None or known_share(frame, calibration) < LEFT_OVER:
        return False
    lattice = calibration.lattice.moved(Pixel(-corner.x, -corner.y))
    if not look_named(calibration.look).filled:
        return min(coherence(cells) for cells in _cells(scene, lattice)) >= COHERENT
    grid = reader_of(calibration).read(frame).grid
    known, mesh = grid != UNREAD, measure(scene, lattice)
    across = (grid[:, 1:] != grid[:, :-1]) & known[:, 1:] & known[:, :-1]
    down = (grid[1:] != grid[:-1]) & known[1:] & known[:-1]
    drawn = np.concatenate([edges[due] for edges, due in zip(mesh.drawn, (across, down), strict=True)])
    return len(drawn) >= FEW_BORDERS and float(drawn.mean()) >= DRAWN


def _still_there(frame: Frame, calibration: Calibration) -> bool:
    """Whether the board is at its old place."""
    if known_share(frame, calibration) < (READ if look_named(calibration.look).filled else READ / 2):
        return False
    scene, corner = _cut(frame, calibration.lattice)
    lattice = calibration.lattice.moved(Pixel(-corner.x, -corner.y))
    if scene is None:
        return False
    if not look_named(calibration.look).filled:
        by = _symmetry_shift(scene, lattice)
        still = max(abs(by.x) / lattice.pitch[0], abs(by.y) / lattice.pitch[1]) <= OFF
        return still and _kept(scene, calibration, lattice) >= KEPT
    mesh = measure(scene, lattice)
    now = refined(mesh).origin
    off = max(abs(now.x - lattice.origin.x) / lattice.pitch[0], abs(now.y - lattice.origin.y) / lattice.pitch[1])
    return off <= OFF and _obeys(mesh, _untwinned(reader_of(calibration).read(frame).grid, calibration)) > 0


def known_share(frame: Frame, calibration: Calibration) -> float:
    """The share of the cells whose middle has a known colour: those that are read, where colour is all there is."""
    if look_named(calibration.look).filled:
        return float((reader_of(calibration).read(frame).grid != UNREAD).mean())
    colours = middle(PointSampler(calibration.lattice).take(frame.pixels)).astype(np.float32)
    away = np.linalg.norm(colours[:, None] - np.array(calibration.palette, dtype=np.float32)[None], axis=2)
    return float((away.min(axis=1) <= calibration.tolerance).mean())


def _settled(frame: Frame, calibration: Calibration) -> tuple[float, Calibration | None]:
    """`calibration` shifted so that its cells are the symmetric ones, maybe by SLIP cells; how much speaks for it."""
    scene, corner = _cut(frame, calibration.lattice)
    if scene is None:
        return 0.0, None
    here = calibration.lattice.moved(Pixel(-corner.x, -corner.y))
    by = _symmetry_shift(scene, here)
    worth = _told(scene, calibration, here.moved(by))
    if worth < ENOUGH:
        cols, rows = _slipped(scene, here.moved(by))
        slipped = Pixel(by.x + cols * here.pitch[0], by.y + rows * here.pitch[1])
        closer = _symmetry_shift(scene, here.moved(slipped))  # the rows looked at before were not all of the board
        slipped = Pixel(slipped.x + closer.x, slipped.y + closer.y)
        by, worth = max(
            (by, worth), (slipped, _told(scene, calibration, here.moved(slipped))), key=lambda told: told[1]
        )
    return worth, calibration.moved(by) if worth >= TOLD else None


def _told(scene: Scene, calibration: Calibration, lattice: Lattice) -> float:
    """How much speaks for the board on `lattice`, up to 1."""
    kept = min(1.0, _kept(scene, calibration, lattice))
    return kept * (1 + max(0.0, min(map(_alike_ends, _cells(scene, lattice))))) / 2 if kept >= KEPT else 0.0


def _slipped(scene: Scene, lattice: Lattice) -> tuple[int, int]:
    """By how many columns and rows, up to SLIP, the board must move for its outermost ones to be most like the rest."""
    slips = range(-SLIP, SLIP + 1)
    places = [Pixel(slip * lattice.pitch[0], slip * lattice.pitch[1]) for slip in slips]
    cells = [_cells(scene, lattice.moved(place)) for place in places]
    across, down = ([_alike_ends(pair[axis]) for pair in cells] for axis in (0, 1))
    return slips[int(np.argmax(across))], slips[int(np.argmax(down))]


def _symmetry_shift(scene: Scene, lattice: Lattice) -> Pixel:
    """How far right of and below their places the cells are symmetric, less than NEAREST."""
    across, down = (symmetry_offset(cells.mean(axis=0), NEAREST) for cells in _cells(scene, lattice))
    return Pixel(across * lattice.pitch[0], down * lattice.pitch[1])


def _cells(scene: Scene, lattice: Lattice) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """float64[cols, BINS] and float64[rows, BINS]: where edges run in each column and in each row of the board."""
    x, y, width, height = lattice.box
    rows = slice(max(0, round(y)), max(1, round(y + height)))
    cols = slice(max(0, round(x)), max(1, round(x + width)))
    across = scene.upright[rows].sum(axis=0, dtype=np.float64)
    down = scene.level[:, cols].sum(axis=1, dtype=np.float64)
    return (
        periods(across, lattice.box.centre.x, lattice.pitch[0], lattice.cols),
        periods(down, lattice.box.centre.y, lattice.pitch[1], lattice.rows),
    )


def _alike_ends(cells: NDArray[np.float64]) -> float:
    """The correlation of the edges in the first and the last row with those in all rows: the lower one."""
    away = cells - cells.mean(axis=1, keepdims=True)
    usual = away.mean(axis=0)
    return min(
        float(end @ usual) / (float(np.linalg.norm(end) * np.linalg.norm(usual)) + 1e-9) for end in away[[0, -1]]
    )


def _kept(scene: Scene, calibration: Calibration, lattice: Lattice) -> float:
    """How confident its look is of the board on `lattice`, as a share of what it was; 0 where its ground is another."""
    proposal = look_named(calibration.look).on(scene, lattice, calibration.game)
    if proposal is None or proposal.calibration is None:
        return 0.0
    if dist(proposal.calibration.palette[0], calibration.palette[0]) > calibration.tolerance:
        return 0.0
    return proposal.confidence / max(calibration.confidence, 0.01)


def _untwinned(grid: NDArray[np.int8], calibration: Calibration) -> NDArray[np.int8]:
    """`grid` with kinds that differ by a mark alone taken for one: there is no border between them."""
    for kind in calibration.marked:
        grid = np.where(grid == kind, calibration.palette.index(calibration.palette[kind]), grid).astype(np.int8)
    return grid


@dataclass(frozen=True, slots=True, eq=False)
class Downsampled:
    """A picture sampled SAMPLES times a pitch.

    kinds: uint8[height, width], 1 + the kind of cell that a sample's colour belongs to, 0 for none.
    ground: uint8[height, width], 1 where a sample has the colour between cells; None where that says nothing.
    """

    kinds: Mask
    ground: Mask | None


def _downsampled(pixels: Pixels, calibration: Calibration) -> Downsampled:
    """The samples of a whole picture."""
    across, down = (pitch / SAMPLES for pitch in calibration.lattice.pitch)
    ys = ((np.arange(int(pixels.shape[0] / down)) + 0.5) * down).astype(np.intp)
    xs = ((np.arange(int(pixels.shape[1] / across)) + 0.5) * across).astype(np.intp)
    samples = np.ascontiguousarray(pixels[ys][:, xs])
    ground = look_named(calibration.look).ground(calibration)
    kinds = np.zeros(samples.shape[:2], np.uint8)
    for kind, colour in enumerate(calibration.palette):
        for shade in {colour, *_shades(calibration, kind)} - {ground}:
            kinds[_near(samples, shade, calibration.tolerance) > 0] = kind + 1
    if ground is None or dist(ground, calibration.palette[0]) <= calibration.tolerance:
        return Downsampled(kinds, None)
    return Downsampled(kinds, _near(samples, ground, calibration.tolerance))


def _shades(calibration: Calibration, kind: int) -> list[Colour]:
    """The colours in the middle of a kind's patch, where it has one: discs shine, crosses leave most of it free.

    Or that of its cells that somebody owns, where these are lit.
    """
    if kind >= len(calibration.patches):
        own = np.array(calibration.palette[kind], dtype=np.float32)
        return [] if calibration.lit is None else [rgb(lighted(own[None], *calibration.lit)[0])]
    patch = np.array(calibration.patches[kind], dtype=np.intp).reshape(ZONES, ZONES, 3)[1:-1, 1:-1].reshape(-1, 3)
    return [(int(red), int(green), int(blue)) for red, green, blue in np.unique(patch // 16, axis=0) * 16 + 8]


def _near(samples: Pixels, colour: Colour, tolerance: float) -> Mask:
    """1 where samples have a colour, as far as half the way to the next one."""
    low, high = (np.clip(np.add(colour, side * tolerance / 2), 0, 255) for side in (-1, 1))
    return np.asarray(np.minimum(cv2.inRange(samples, low, high), 1), dtype=np.uint8)


def _places(frame: Frame, calibration: Calibration) -> Iterator[Pixel]:
    """How far the board may have moved, to an eighth of a cell, the likeliest first."""
    lattice = calibration.lattice
    worth = _worth(_downsampled(frame.pixels, calibration), lattice)
    spare = SAMPLES * (SLIP + 1)
    for _ in range(TRIES):
        if not worth.size or worth.max() <= 0:
            return
        top, left = (int(place) for place in np.unravel_index(int(worth.argmax()), worth.shape))
        x, y = ((place / SAMPLES + 0.5) * pitch for place, pitch in zip((left, top), lattice.pitch, strict=True))
        yield Pixel(x - lattice.origin.x, y - lattice.origin.y)
        worth[max(0, top - spare) : top + spare + 1, max(0, left - spare) : left + spare + 1] = 0


def _worth(small: Downsampled, lattice: Lattice) -> Shares:
    """How much speaks for the board: cells of known colours, unlike their neighbours, and others beside it."""
    rows, cols = lattice.rows, lattice.cols
    known = np.minimum(small.kinds, 1)
    cells = _cell_means(known, rows, cols)
    if not cells.size:
        return cells
    height, width = cells.shape
    changes = np.zeros_like(known)
    changes[:, :-SAMPLES] = (
        (small.kinds[:, SAMPLES:] != small.kinds[:, :-SAMPLES]) & known[:, SAMPLES:] & known[:, :-SAMPLES]
    )
    varied = _cell_means(changes, rows, cols - 1)[:height, :width]
    wider = _cell_means(np.pad(known, SAMPLES), rows + 2, cols + 2)[:height, :width]
    beside = (wider * (rows + 2) * (cols + 2) - cells * rows * cols) / (2 * (rows + cols + 2))
    worth = np.where(cells >= READ / 2, cells * (VARIED + varied) - RING * beside, 0)
    if small.ground is not None:
        crossings = np.roll(small.ground, (-(SAMPLES // 2), -(SAMPLES // 2)), (0, 1))
        met = _cell_means(crossings, rows - 1, cols - 1)[:height, :width]
        worth = worth * (VARIED + met)
    return np.asarray(cv2.blur(worth.astype(np.float32), (3, 3)))  # the middle of where it is largest


def _cell_means(mask: Mask, rows: int, cols: int) -> Shares:
    """The mean of a mask over the middles of `rows` x `cols` cells."""
    high, wide = (length - SAMPLES * count + 1 for length, count in zip(mask.shape, (rows, cols), strict=True))
    shares = np.zeros((max(0, high), max(0, wide)), np.float32)
    if not shares.size:
        return shares
    middles = cv2.boxFilter(mask.astype(np.float32), -1, (2, 2), anchor=(0, 0))[1:, 1:]
    for top in range(min(SAMPLES, high)):
        for left in range(min(SAMPLES, wide)):
            part = middles[top::SAMPLES, left::SAMPLES]
            sums = cv2.boxFilter(part, -1, (cols, rows), anchor=(0, 0))
            into = shares[top::SAMPLES, left::SAMPLES]
            into[:] = sums[: into.shape[0], : into.shape[1]]
    return shares


def _fitted(frame: Frame, calibration: Calibration) -> tuple[float, Calibration | None]:
    """`calibration` shifted by up to SLIP cells so that borders lie on its lines; how much speaks for it."""
    scene, corner = _cut(frame, calibration.lattice)
    if scene is None:
        return 0.0, None
    here = calibration.lattice.moved(Pixel(-corner.x, -corner.y))
    near = here.moved(_symmetry_shift(scene, here))
    wide = grown(scene, near, SLIP)
    reader = reader_of(replace(calibration, lattice=wide, blocked=frozenset()))
    grid = _untwinned(reader.read(scene.frame).grid, calibration)
    mesh = measure(scene, wide)
    best, place = 0.0, None
    for top in range(wide.rows - here.rows + 1):
        for left in range(wide.cols - here.cols + 1):
            part = (top, top + here.rows, left, left + here.cols)
            score = _obeys(mesh.part(part), grid[part[0] : part[1], part[2] : part[3]])
            if score > best:
                best, place = score, part
    if place is None:
        return 0.0, None
    lattice = refined(mesh.part(place))
    if min(_alike_ends(cells) for cells in _cells(scene, lattice)) < ENDS:
        return 0.0, None
    found = lattice.origin
    by = Pixel(
        found.x + corner.x - calibration.lattice.origin.x,
        found.y + corner.y - calibration.lattice.origin.y,
    )
    return best / 3, calibration.moved(by)


def _cut(frame: Frame, lattice: Lattice) -> tuple[Scene | None, Pixel]:
    """The part of the picture with the board and its surroundings, and where its corner is."""
    x, y, width, height = lattice.box
    across, down = (ROOM * pitch for pitch in lattice.pitch)
    left, top = max(0, int(x - across)), max(0, int(y - down))
    right, bottom = min(frame.width, int(x + width + across)), min(frame.height, int(y + height + down))
    if right - left < width / 2 or bottom - top < height / 2:
        return None, Pixel(0, 0)
    part = np.ascontiguousarray(frame.pixels[top:bottom, left:right])
    return Scene(Frame(part, Rect(0, 0, right - left, bottom - top))), Pixel(left, top)


def _obeys(mesh: Mesh, grid: NDArray[np.int8]) -> float:
    """How well a board of these kinds lies on the mesh: up to 3, and 0 where it does not lie there at all."""
    seen = float((grid != UNREAD).mean())
    upright, level = ~np.isnan(mesh.upright), ~np.isnan(mesh.level)
    differ = np.concatenate([(grid[:, 1:] != grid[:, :-1]).ravel(), (grid[1:] != grid[:-1]).ravel()])
    lined = np.concatenate([edges.ravel() for edges in mesh.drawn])
    sides = [float(side.mean()) for side in (upright[:, 0], upright[:, -1], level[0], level[-1])]
    outline = float(np.mean(sides))
    inner = float(lined[differ].mean()) if differ.any() else outline
    closed = min(sides) >= CLOSED or len(np.unique(grid)) == 1
    return seen + inner + outline if seen >= READ and inner >= DRAWN and closed else 0.0
