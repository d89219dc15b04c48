"""Boards of coloured cells: Flood-It and Filler, with gaps or without, rounded, lined, walled, half flooded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice
from calibration.combs import Comb, combs
from calibration.controls import colour_buttons
from calibration.frame import Pixel, Pixels
from calibration.look import Candidate
from calibration.mesh import MOST_CELLS, Mesh, Part, grown, measure, refined
from calibration.observe import Reader
from calibration.palette import MAX_KINDS, Palette, cluster
from calibration.particulars import is_wall, marked_cells, start_corner, twins
from calibration.probes import Probes, likeness, middle
from calibration.sight import Group, Sight
from games.core import Cell

PITCHES = 2
"""Pitches tried along each axis for a group of patches, the best supported first."""

SPACED = 2.2
"""How far apart, in their own widths, the centres of neighbouring cells may be."""

PLAIN = 0.7
"""The share of a cell's samples that must be as in all cells of its kind; a mark may take the rest."""

MARGINS = (8, 3, 2, 2)
"""Cells looked at round a board, each time its extent and its lattice are refined; most stay the same after two."""

Cells = NDArray[np.bool_]


class Coloured:
    """The look of the flooding games."""

    name = "coloured"
    games = ("flood_it", "filler")

    def candidates(self, sight: Sight, game: str | None) -> Iterator[Candidate]:
        """The best board that each group of equal patches leads to."""
        best: Board | None = None
        for group in sight.groups:
            if best is not None and _mostly_inside(group, best):
                continue
            boards = _boards(sight, group)
            if not boards:
                width, height = group.size
                said = f"{len(group.boxes)} patches of {width:.0f}x{height:.0f} pixels in no even rows and columns"
                yield Candidate(group.bounds, said)
                continue
            board = max(boards, key=lambda board: board.worth)
            best = board if best is None or board.worth > best.worth else best
            yield Candidate(board.mesh.lattice.box, board.said, board.calibration(sight, game or self.games[0]))

    def finish(self, sight: Sight, calibration: Calibration) -> Calibration:
        """`calibration` with the kinds told by marks, the colour buttons, the walls and the start corner."""
        mesh = measure(sight, calibration.lattice)
        of = Reader(calibration).read(sight.frame).grid.astype(np.intp)
        marked = marked_cells(sight, mesh)
        pairs = twins(mesh, of, marked)
        known = replace(
            calibration,
            palette=calibration.palette + tuple(calibration.palette[kind] for kind in pairs),
            marked=frozenset(range(len(calibration.palette), len(calibration.palette) + len(pairs))),
        )
        buttons = colour_buttons(sight, known)
        walls = [kind for kind in np.unique(of[of >= 0]) if _wall(sight, known, of, int(kind), buttons.controls)]
        start = start_corner(of, marked) if calibration.game == "flood_it" else None
        blocked = frozenset(Cell(int(row), int(col)) for row, col in np.argwhere(np.isin(of, walls)))
        return replace(known, palette=buttons.palette, controls=buttons.controls, blocked=blocked, start=start)


def _wall(
    sight: Sight, calibration: Calibration, of: NDArray[np.intp], kind: int, controls: Mapping[str, Pixel]
) -> bool:
    page = np.asarray(_surroundings(sight, calibration.lattice), dtype=np.float64)
    away = float(np.sqrt(((page - calibration.palette[kind]) ** 2).sum()))
    return is_wall(
        of,
        kind,
        like_page=away <= calibration.tolerance,
        has_button=f"colour:{kind}" in controls,
        buttons=bool(controls),
    )


def _surroundings(sight: Sight, lattice: Lattice) -> Pixels:
    """uint8[3]: the usual colour one cell outside of the board."""
    around = Probes(grown(sight, lattice, 1), count=1)
    ring = np.ones(around.shape, dtype=bool)
    ring[1:-1, 1:-1] = False
    samples = around.take(sight.pixels)[ring.ravel()].swapaxes(0, 1)
    return np.asarray(middle(samples)[0])


LOOK = Coloured()


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The cells of a mesh by kind.

    of: intp[rows, cols], the kind of each cell, -1 where it is not plain.
    like: float32[rows, cols], the share of its samples that are as in all cells of its kind.
    """

    palette: Palette
    of: NDArray[np.intp]
    like: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Board:
    """A mesh cut down to the cells that make a board, and how well the picture obeys it."""

    mesh: Mesh
    kinds: Kinds

    @cached_property
    def borders(self) -> tuple[Cells, Cells, Cells, Cells]:
        """Between cells side by side, and one below the other: whether they differ, whether an edge is drawn."""
        of = self.kinds.of
        return (
            of[:, 1:] != of[:, :-1],
            ~np.isnan(self.mesh.upright[:, 1:-1]),
            of[1:] != of[:-1],
            ~np.isnan(self.mesh.level[1:-1]),
        )

    @cached_property
    def told(self) -> int:
        """How many borders between cells of different kinds are drawn."""
        differ_across, upright, differ_down, level = self.borders
        return int((differ_across & upright).sum() + (differ_down & level).sum())

    @cached_property
    def drawn(self) -> float:
        """The share of the borders between cells of different kinds that are drawn."""
        differ_across, _, differ_down, _ = self.borders
        return self.told / max(1, int(differ_across.sum() + differ_down.sum()))

    @cached_property
    def used(self) -> float:
        """The share of the inner lines that are in use anywhere."""
        differ_across, upright, differ_down, level = self.borders
        across, down = (differ_across & upright).any(axis=0), (differ_down & level).any(axis=1)
        return float(across.mean() * down.mean())

    @cached_property
    def good(self) -> float:
        """The share of the cells that look like their kind."""
        return float((self.kinds.like >= PLAIN).mean())

    @property
    def worth(self) -> float:
        """The length of the borders it explains, in pixels, discounted by everything that does not obey."""
        differ_across, upright, differ_down, level = self.borders
        across, down = self.mesh.lattice.pitch
        length = float((differ_across & upright).sum() * down + (differ_down & level).sum() * across)
        return length * self.quality**2

    @property
    def quality(self) -> float:
        """0 to 1: how strictly the picture obeys."""
        return self.used * self.drawn * self.good * (0.3 + 0.7 * self.kinds.palette.margin)

    @property
    def confidence(self) -> float:
        """The chance, 0 to 1, that this is a board and this is its lattice."""
        evidence = 1 - np.exp(-self.told / 12)
        return float(evidence * self.quality)

    @property
    def said(self) -> str:
        """What speaks for it and against it, in words."""
        rows, cols = self.kinds.of.shape
        return (
            f"{rows}x{cols} cells of {len(self.kinds.palette.colours)} colours, {self.drawn:.0%} of their borders "
            f"drawn, {self.good:.0%} of the cells like their kind"
        )

    def calibration(self, sight: Sight, game: str) -> Calibration:
        """What is known of it so far, as a calibration."""
        return Calibration(
            game=game,
            lattice=self.mesh.lattice,
            palette=tuple((int(r), int(g), int(b)) for r, g, b in np.rint(self.kinds.palette.colours)),
            size=(sight.width, sight.height),
            tolerance=max(12.0, self.kinds.palette.gap / 2),
            confidence=self.confidence,
        )


def _mostly_inside(group: Group, board: Board) -> bool:
    """Whether most patches of a group lie on a board that is certain enough."""
    box = board.mesh.lattice.box
    return board.quality > 0.5 and float(np.mean([box.contains(Pixel(x, y)) for x, y in group.centres])) > 0.5


def _boards(sight: Sight, group: Group) -> list[Board]:
    """The boards on which the patches of `group` are cells, one for each pair of pitches that they swing with."""
    (width, height), centres = group.size, group.centres
    found = []
    for across in combs(centres[:, 0], width, SPACED * width, at_most=PITCHES):
        for down in combs(centres[:, 1], height, SPACED * height, at_most=PITCHES):
            board = _board(sight, _lattice(centres, across, down))
            found += [] if board is None else [board]
    return found


def _lattice(centres: NDArray[np.float64], across: Comb, down: Comb) -> Lattice:
    """The cells from the first to the last of the `centres` that lie at places of both combs."""
    held = across.holds(centres[:, 0]) & down.holds(centres[:, 1])
    cols, rows = across.number(centres[held, 0]), down.number(centres[held, 1])
    left, top = (int(cols.min()), int(rows.min())) if held.any() else (0, 0)
    origin = Pixel(across.phase + across.pitch * left, down.phase + down.pitch * top)
    pitch = (across.pitch, down.pitch)
    return (
        Lattice(origin, pitch, int(np.ptp(rows)) + 1, int(np.ptp(cols)) + 1)
        if held.any()
        else Lattice(origin, pitch, 0, 0)
    )


def _board(sight: Sight, lattice: Lattice) -> Board | None:
    """The board that `lattice` is a part of: grown, cut to its extent, refined, until it stays the same."""
    for margin in MARGINS:
        if min(lattice.rows, lattice.cols) < 1 or lattice.rows * lattice.cols > MOST_CELLS:
            return None
        mesh = measure(sight, grown(sight, lattice, margin))
        part = _extent(mesh)
        if part is None:
            return None
        board = mesh.part(part)
        if board.lattice == lattice:
            break
        settled = (board.lattice.rows, board.lattice.cols) == (lattice.rows, lattice.cols)
        lattice = board.lattice if settled else refined(board)
    kinds = _kinds(board, np.ones(board.plain.shape, dtype=bool))
    if kinds is None or len(kinds.palette.colours) < 2:
        return None
    return Board(board, kinds)


def _extent(mesh: Mesh) -> Part | None:
    """The rectangle in which cells of the board's kinds outnumber everything else most."""
    kinds = _kinds(mesh, ~_page(mesh))
    if kinds is None:
        return None
    wanted = (kinds.of >= 0) & (kinds.like >= PLAIN)
    part = _densest(np.where(wanted, 1.0, -1.0))
    for _ in range(3):
        top, bottom, left, right = part
        if bottom - top < 2 or right - left < 2:
            return None
        good = wanted & np.isin(kinds.of, _at_home(mesh, kinds.of, part))
        again = _densest(np.where(good, 1.0, -1.0))
        if again == part:
            return part
        part = again
    return part


def _at_home(mesh: Mesh, of: NDArray[np.intp], part: Part) -> NDArray[np.intp]:
    """The kinds that belong to the board in `part`: they meet other kinds there, at drawn borders, in both directions.

    A row of the page or of a toolbar beside the board meets the board on one side only.
    """
    top, bottom, left, right = part
    board, kinds = mesh.part(part), of[top:bottom, left:right]
    upright = (kinds[:, 1:] != kinds[:, :-1]) & ~np.isnan(board.upright[:, 1:-1])
    level = (kinds[1:] != kinds[:-1]) & ~np.isnan(board.level[1:-1])
    across, down = np.zeros(kinds.shape, dtype=bool), np.zeros(kinds.shape, dtype=bool)
    across[:, 1:] |= upright
    across[:, :-1] |= upright
    down[1:] |= level
    down[:-1] |= level
    size = int(of.max()) + 2
    all_of = np.bincount(kinds.ravel() + 1, minlength=size)[1:]
    cornered = np.bincount(kinds[across & down] + 1, minlength=size)[1:]
    return np.flatnonzero((cornered >= 2) | (cornered >= 0.5 * all_of) & (cornered > 0))


def _page(mesh: Mesh) -> Cells:
    """bool[rows, cols]: the cells that run on into what lies round the mesh."""
    ring = np.ones(mesh.areas.shape, dtype=bool)
    ring[1:-1, 1:-1] = False
    shares = np.bincount(mesh.areas[ring], minlength=int(mesh.areas.max()) + 1) / ring.sum()
    return np.asarray(shares[mesh.areas] >= 0.1)


def _kinds(mesh: Mesh, wanted: Cells) -> Kinds | None:
    """The kinds of the wanted cells that are plain at all; None where there are too many kinds for a board."""
    plain = wanted & (mesh.plain >= 0.4)
    colours = mesh.colours[plain]
    if len(colours) < 4 or len(np.unique(colours >> 3, axis=0)) > 256:
        return None
    palette = cluster(colours.astype(np.float32))
    if len(palette.colours) > 4 * MAX_KINDS:
        return None
    palette = palette.without_singles()
    samples = mesh.samples[plain]
    like = np.zeros(len(colours), dtype=np.float32)
    for kind in range(len(palette.colours)):
        mine = palette.kinds == kind
        template = middle(samples[mine].swapaxes(0, 1))
        like[mine] = likeness(samples[mine], np.broadcast_to(template, samples[mine].shape))
    of, all_like = np.full(plain.shape, -1, dtype=np.intp), np.zeros(plain.shape, dtype=np.float32)
    of[plain], all_like[plain] = palette.kinds, like
    return Kinds(palette, of, all_like)


def _densest(values: NDArray[np.float64]) -> Part:
    """The rectangle of the largest sum: Kadane's scan, for all pairs of rows at once."""
    rows = values.shape[0]
    sums = np.vstack([np.zeros(values.shape[1]), values.cumsum(axis=0)])
    tops, bottoms = np.triu_indices(rows + 1, 1)
    lines = np.zeros((len(tops), values.shape[1] + 1))
    np.cumsum(sums[bottoms] - sums[tops], axis=1, out=lines[:, 1:])
    gains = lines - np.minimum.accumulate(lines, axis=1)
    pair, right = np.unravel_index(int(np.argmax(gains)), gains.shape)
    left = np.argmin(lines[pair, : right + 1])
    return int(tops[pair]), int(bottoms[pair]), int(left), int(right)
