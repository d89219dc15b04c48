"""Connect Four: discs in holes, loose discs, crosses and noughts, squares in a table; told by how pieces stack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Face, Lattice
from calibration.faces import ZONES, Faces, Kinds, faces, group, unlikeness
from calibration.frame import Box, Frame, Pixel
from calibration.look import Candidate
from calibration.repeats import EDGE, Repeat, aligned
from calibration.sight import Sight
from games.core import UNREAD, Cell, Observation

SIZES = {
    (6, 7): 1.0, (5, 7): 0.6, (5, 6): 0.7, (6, 8): 0.7, (7, 8): 0.75, (8, 8): 0.6, (7, 9): 0.7, (7, 10): 0.7,
    (6, 9): 0.6, (8, 9): 0.6, (8, 7): 0.6, (5, 8): 0.5, (6, 6): 0.5, (8, 10): 0.5,
}  # fmt: skip
"""How usual the sizes are, rows by columns; the rules were published for 6 x 7, the rest are its variants."""

REACH = 0.42
"""How far from its centre a cell is looked at, in pitches: the whole disc, and a little of what lies round it."""

APART = 8.0
"""Unlikeness from which two cells show different things; noise and shading stay under 5, the palest pieces over 12."""

SURE = 0.9
"""From this confidence on the lines between cells need not be looked for."""

SORTS = 12
"""More different cells than a board has, marks and a pointer included: a page of icons, a calendar."""

GHOST = 0.75
"""A cell less than this part of the way from the empty place to a piece is a preview; a marked piece goes on."""


class Discs:
    """The look of Connect Four."""

    name = "discs"
    games = ("connect_four",)

    def candidates(self, sight: Sight, game: str | None) -> Iterator[Candidate]:
        """The best board on each lattice of equal patches; where none is good, on evenly spaced lines."""
        best = 0.0
        for repeat in sight.repeats[:8]:
            for candidate in _best_on(sight, repeat):
                best = max(best, candidate.confidence)
                yield candidate
        if best < SURE:
            for net in _nets(sight):
                yield from _best_on(sight, net)

    def finish(self, sight: Sight, calibration: Calibration) -> Calibration:
        """`calibration` as it is."""
        return calibration

    def reader(self, calibration: Calibration, offset: Pixel) -> DiscReader:
        """A reader of cells by their faces."""
        return DiscReader(calibration, offset)


LOOK = Discs()


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """A rectangle of cells read as a Connect Four board.

    grid: int8[rows, cols], 0 empty, 1, 2.  faces: of the empty place and of each kind of piece seen.
    floating: pieces with nothing under them.  odd: the share of the cells that are unlike their kind.
    ring: the share of the places beside and under the board that look like empty ones.
    seen: the share of the cells where a patch was found.
    """

    lattice: Lattice
    grid: NDArray[np.int8]
    faces: Faces
    floating: int
    odd: float
    ring: float
    seen: float

    @property
    def confidence(self) -> float:
        """A first guess of the chance that this is a board."""
        ones, twos = int((self.grid == 1).sum()), int((self.grid == 2).sum())
        rows, cols = self.grid.shape
        usual = SIZES[rows, cols]
        fair = 1.0 if abs(ones - twos) <= 1 else 0.6 ** (abs(ones - twos) - 1)
        solid = (1 - 0.5 * self.ring) * (0.5 + 0.5 * self.seen)
        return float(0.98 * usual**0.25 * fair * 0.3**self.floating * np.exp(-6 * self.odd) * solid)

    @property
    def said(self) -> str:
        """What speaks for and against it."""
        rows, cols = self.grid.shape
        return (
            f"{rows}x{cols} places, {int((self.grid > 0).sum())} pieces, {self.floating} of them floating, "
            f"{self.odd:.0%} of the cells odd, {self.ring:.0%} of its surroundings like empty places"
        )


def _best_on(sight: Sight, repeat: Repeat) -> Iterator[Candidate]:
    stacks = [stack for lattice, seen in _rectangles(repeat) if (stack := _stack(sight, lattice, seen)) is not None]
    if stacks:
        best = max(stacks, key=lambda stack: stack.confidence)
        yield Candidate(best.lattice.box, best.said, _calibration(sight, best))


def _rectangles(repeat: Repeat) -> list[tuple[Lattice, float]]:
    """The usual sizes laid over a lattice where most of its patches fall inside, with the share of filled places."""
    lattice, filled = repeat.lattice, repeat.filled
    if not 0.6 <= lattice.pitch[0] / lattice.pitch[1] <= 1.6:
        return []
    found = []
    for rows, cols in SIZES:
        down, right = lattice.rows - rows, lattice.cols - cols
        for top in range(min(0, down), max(0, down) + 1):
            for left in range(min(0, right), max(0, right) + 1):
                inside = int(filled[max(0, top) : max(0, top + rows), max(0, left) : max(0, left + cols)].sum())
                worth = 2.5 * inside - 1.5 * repeat.count - 0.5 * (rows * cols - inside)
                found.append((worth, inside, rows, cols, top, left))
    found.sort(reverse=True)
    return [
        (Lattice(lattice.centre(Cell(top, left)), lattice.pitch, rows, cols), inside / (rows * cols))
        for worth, inside, rows, cols, top, left in found[:4]
        if worth > 0
    ]


def _nets(sight: Sight) -> Iterator[Repeat]:
    """The cells between evenly spaced lines, dashed ones too: of a large even field."""
    for field in sight.closed.fields:
        yield from _divided(sight, Box(*(float(value) for value in field)))


def _divided(sight: Sight, field: Box) -> Iterator[Repeat]:
    """The two usual sizes on whose lines the edges inside a field lie best, with or without a drop row."""
    x, y, width, height = (round(value) for value in field)
    inner = np.s_[y + EDGE : y + height - EDGE, x + EDGE : x + width - EDGE]
    across = sight.upright[inner].sum(axis=0, dtype=np.float64)
    down = sight.level[inner].sum(axis=1, dtype=np.float64)
    found = []
    for rows, cols in {(rows + more, cols) for rows, cols in SIZES for more in (0, 1)}:
        pitch = (field.width / cols, field.height / rows)
        if 0.75 <= pitch[0] / pitch[1] <= 1.33 and min(pitch) >= 20:
            gains = (aligned(across, field.width, cols), aligned(down, field.height, rows))
            found.append((min(gains), rows, cols, pitch))
    for gain, rows, cols, pitch in sorted(found, reverse=True)[:2]:
        if gain > 0.1:
            origin = Pixel(field.x + pitch[0] / 2, field.y + pitch[1] / 2)
            yield Repeat(Lattice(origin, pitch, rows, cols), pitch, np.ones((rows, cols), dtype=bool))


def _stack(sight: Sight, lattice: Lattice, seen: float) -> Stack | None:
    """Read the cells of `lattice` as places and pieces; None where they show too many different things."""
    wider = Lattice(lattice.centre(Cell(-1, -1)), lattice.pitch, lattice.rows + 2, lattice.cols + 2)
    everything = faces(sight.pixels, wider, (REACH, REACH))
    cells = everything[1:-1, 1:-1]
    kinds = group(cells, APART)
    if len(kinds.sizes) > SORTS:
        return None
    mains, roles = _roles(kinds)
    grid = roles[kinds.labels].astype(np.int8)
    looks = kinds.faces[mains]
    away = np.stack([unlikeness(cells, look) for look in looks]).min(axis=0)
    contrast = min((float(unlikeness(one, other)) for one, other in combinations(looks, 2)), default=3 * APART)
    around = np.concatenate([everything[-1, 1:-1], everything[1:-1, 0], everything[1:-1, -1]])
    ring = float((unlikeness(around, looks[0]) < APART).mean())
    odd = float((away > max(APART, 0.4 * contrast)).mean())
    return Stack(lattice, grid, looks, _floating(grid), odd, ring, seen)


def _floating(grid: NDArray[np.int8]) -> int:
    return int(((grid[:-1] > 0) & (grid[1:] == 0)).sum())


def _roles(kinds: Kinds) -> tuple[list[int], NDArray[np.intp]]:
    """Which kinds are the empty place and the pieces (most of them first), and what each kind stands for: 0, 1 or 2.

    Every choice is tried; the best one leaves no piece floating, as many pieces of one player as of the other, and
    few cells unlike their kind.
    """
    count = len(kinds.sizes)
    apart = np.stack([unlikeness(kinds.faces, face) for face in kinds.faces])
    best: tuple[float, list[int], NDArray[np.intp]] | None = None
    for empty in range(min(count, 3)):
        others = [kind for kind in range(min(count, 6)) if kind != empty]
        for players in [(), *((kind,) for kind in others), *combinations(others, 2)]:
            mains = [empty, *players]
            roles = _nearest_roles(kinds, apart, mains)
            grid = roles[kinds.labels].astype(np.int8)
            ones, twos = int((grid == 1).sum()), int((grid == 2).sum())
            unlike = float((np.minimum(apart[:, mains].min(axis=1), 40.0) * kinds.sizes).sum() / kinds.sizes.sum())
            cost = unlike + 6 * _floating(grid) + 3 * max(0, abs(ones - twos) - 1) + 0.2 * len(players)
            if best is None or cost < best[0]:
                best = (cost, mains, roles)
    assert best is not None
    return best[1], best[2]


def _nearest_roles(kinds: Kinds, apart: NDArray[np.float32], mains: list[int]) -> NDArray[np.intp]:
    """What each kind stands for: the nearest main kind, or nothing where it is the preview of a piece."""
    roles = np.asarray(apart[:, mains].argmin(axis=1), dtype=np.intp)
    for kind in range(len(roles)):
        if roles[kind] and kind not in mains:
            whole = _part(kinds.faces[kind], kinds.faces[mains[0]], kinds.faces[mains[roles[kind]]])
            roles[kind] = roles[kind] if whole >= GHOST else 0
    return roles


def _part(face: Faces, empty: Faces, piece: Faces) -> float:
    """How far on the way from the empty place to the piece a face is: the median over the zones where these differ."""
    way = (piece - empty).reshape(-1, 3)
    length = (way**2).sum(axis=1)
    told = length > 0.25 * length.max()
    part = ((face - empty).reshape(-1, 3)[told] * way[told]).sum(axis=1) / length[told]
    return float(np.median(part))


def _calibration(sight: Sight, stack: Stack) -> Calibration:
    middles = stack.faces[:, 2:4, 2:4].reshape(len(stack.faces), -1, 3)
    return Calibration(
        game="connect_four",
        lattice=stack.lattice,
        palette=_colours(np.median(middles, axis=1)),
        size=(sight.width, sight.height),
        controls=_columns(stack.lattice),
        confidence=stack.confidence,
        look=LOOK.name,
        faces=tuple(_colours(face.reshape(-1, 3)) for face in stack.faces),
    )


def _columns(lattice: Lattice) -> dict[str, Pixel]:
    """Where a column is clicked: at its top place, which is free whenever the column can be played."""
    return {f"column:{col}": lattice.centre(Cell(0, col)) for col in range(lattice.cols)}


def _colours(values: NDArray[np.float32]) -> Face:
    return tuple((int(red), int(green), int(blue)) for red, green, blue in np.rint(values))


class DiscReader:
    """Reads a Connect Four board again and again, and learns the pieces that its calibration has not seen yet."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        self._lattice = calibration.lattice.moved(Pixel(-offset.x, -offset.y))
        self._known = [np.array(face, dtype=np.float32).reshape(ZONES, ZONES, 3) for face in calibration.faces]

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now: 0 empty, 1, 2; cells that are covered or like nothing known are UNREAD."""
        cells = faces(frame.pixels, self._lattice, (REACH, REACH))
        grid, confidence = self._match(cells)
        if len(self._known) < 3 and (grid == UNREAD).any():
            self._learn(cells, grid == UNREAD)
            grid, confidence = self._match(cells)
        return Observation(grid, confidence)

    def _match(self, cells: Faces) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """The nearest known kind of each cell and its margin; previews of pieces are empty places."""
        away = np.stack([unlikeness(cells, face) for face in self._known], axis=-1)
        ordered = np.sort(np.concatenate([away, np.full((*away.shape[:2], 1), 120.0)], axis=-1), axis=-1)
        margin = (ordered[..., 1] - ordered[..., 0]) / (ordered[..., 1] + ordered[..., 0] + 1e-6)
        grid = away.argmin(axis=-1).astype(np.int8)
        reach = self._reach()
        for row, col in np.argwhere(ordered[..., 0] > reach):
            grid[row, col] = self._doubtful(cells[row, col], int(grid[row, col]))
        return grid, np.where(grid == UNREAD, 0.0, margin).astype(np.float32)

    def _reach(self) -> float:
        """How unlike its kind a cell may be without a second look."""
        pairs = [float(unlikeness(one, other)) for one, other in combinations(self._known, 2)]
        return max(APART, 0.35 * min(pairs, default=2 * APART))

    def _doubtful(self, face: Faces, kind: int) -> int:
        """A piece with a mark on it, the preview of one, or UNREAD."""
        parts = [_part(face, self._known[0], piece) for piece in self._known[1:]]
        if kind and parts[kind - 1] >= GHOST and float(unlikeness(face, self._known[kind])) < 40:
            return kind
        if any(0.1 < part < GHOST for part in parts) and float(unlikeness(face, self._known[0])) < 40:
            return 0
        return UNREAD

    def _learn(self, cells: Faces, strange: NDArray[np.bool_]) -> None:
        """Take the commonest strange faces for the pieces not seen before."""
        kinds = group(cells[strange][None], APART)
        self._known += list(kinds.faces[: 3 - len(self._known)])
