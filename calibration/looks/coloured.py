"""Boards of coloured cells: Flood-It and Filler, with gaps or without, rounded, lined, walled, half flooded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.annotations import holes, is_wall, marked_cells, start_corner, twins
from calibration.board import Calibration, Colour, Lattice
from calibration.confidence import chance
from calibration.controls import colour_buttons, colours_shown
from calibration.frame import Box, Pixel, Pixels
from calibration.lines import EDGE, aligned
from calibration.look import Proposal
from calibration.mesh import INNER, MOST_CELLS, Mesh, Part, grown, measure, refined
from calibration.palette import MAX_KINDS, Palette, cluster
from calibration.probes import ALIKE, Probes, middle, same
from calibration.read import ColourReader
from calibration.scene import Group, Scene
from calibration.spacings import Spacing, spacings
from calibration.verify import FEWEST_CELLS, FEWEST_WITH_BUTTONS, LONGEST, plausible_flood, strewn
from games.core import Cell

PITCHES = 2
"""Pitches tried along each axis for a group of blobs, the best supported first."""

SPACED = 2.2
"""How far apart, in their own widths, the centres of neighbouring cells may be."""

WHOLE = 0.65
"""How much less, as a share, an outer row may look like its kinds than the board does before it is cut off."""

SPARSE = 0.2
"""What a place without a blob of the group costs where the group is densest: half flooded boards have many."""

PLAIN = 0.7
"""The share of a cell's samples that must be as in all cells of its kind; a mark may take the rest."""

NEAR, FAR = 3, 8
"""Cells looked at round a board whose end was seen, and round one that reaches to the end of what was looked at."""

ROUNDS = 6
"""How often its extent and its lattice are refined at most; most stay the same after two."""

APART = 0.05
"""The share of a usual row's cells that run into an equal neighbour where cells keep apart: under a pointer."""

SEVERAL = 2
"""Borders between equal cells that must be drawn for cells to keep apart."""

OBEYED, DISOBEYED, FEWEST_DUE = 0.95, 0.6, 4
"""The share of the borders between different cells that are drawn in a strict board, that are drawn in a row that is
none of it, and how many there must be to tell.
"""

OFF_LINE = 0.06
"""How far, in pitches, the borders in such a row lie beside the lines."""

FIELDS = 6
"""Large outlined fields looked into for a board whose cells run into each other."""

SIDES, BROADEST = 0.6, 0.2
"""The part of a framed board's sides that is an edge; the broadest rim about one, as a share of the frame."""

PARTS = range(4, 41)
"""Rows and columns that a field is divided into."""

SMALLEST_CELL = 12.0
"""Pixels. In smaller cells chance puts too many edges on the lines."""

ALIGNED = 0.5
"""How much more of the edges inside a field lies on the lines that divide it than chance puts there."""

SLACK = 0.08
"""How much less a division may gain than the best one and still be taken, if it has fewer parts."""

SHOWN = 0.75
"""The share of a small board's colours that have a button: that of the colour played last may be hidden."""

ORDERLY = 0.3
"""The quality from which buttons in the colours of a board are looked for."""

STRICT, CERTAIN = 0.7, 0.98
"""The quality and the confidence from which no better board is looked for."""

FLAWLESS, STRICT_KINDS = 0.6, range(4, 11)
"""The least confidence in a board that obeys to the letter, where a flooding game was asked for; and its colours."""

AROUND = 0.5
"""The share of the cells about a board that must be of one area for that to be a page; a region starts at a corner."""

FARTHER = 24
"""Cells looked at round a board where a region in one of its colours runs out of what was looked at."""

MOST_SHADES = 200
"""Different colours among the cells of what may be a board; there are more in a photo."""

MERGED, ALWAYS, RIM = 0.4, 0.9, 3
"""The share of an outer row's cells that run into each other where it is none: a strip of the page with buttons on it;
the share of all cells of a kind that do so where it is the page's; and the rows at a rim that may be such strips."""

LATE = 40
"""Cells outside of the regions at the corners that need not lie as chance strews them: most of a game is over."""

VIVID = 40
"""How far apart the channels of a colour lie that is no grey."""

CLEAN = 0.95
"""The share of its samples that must be as in all cells of its kind where nothing but its kind is drawn on a cell."""

Cells = NDArray[np.bool_]


class Coloured:
    """The look of the flooding games."""

    name = "coloured"
    games = ("flood_it", "filler")
    usual: Mapping[tuple[int, int], float] = MappingProxyType({})

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best board that each group of equal blobs leads to."""
        return _in_groups(scene, scene.groups, game)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The boards that rougher blobs lead to, and those on the lines that divide large fields."""
        yield from _in_groups(scene, scene.rough_groups, game)
        for field in scene.fields[:FIELDS]:
            outer = Box(*(float(value) for value in field))
            for box in (outer, _framed(scene, outer)):
                divided = None if box is None else _divided(scene, box)
                board = None if divided is None else _board(scene, divided, round_cells=False)
                if board is not None:
                    yield _proposal(scene, board, game)

    def reader(self, calibration: Calibration, offset: Pixel) -> ColourReader:
        """A reader of cells by their colour."""
        return ColourReader(calibration, offset)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        boards = []
        for round_cells in (False, True):
            mesh = measure(scene, lattice, round_cells=round_cells)
            kinds = _kinds(mesh, np.ones(mesh.plain.shape, dtype=bool), _all(mesh))
            if kinds is not None:
                boards.append(Board(mesh, kinds))
        best = max(boards, key=lambda board: board.quality, default=None)
        return None if best is None else Proposal(lattice.box, best.explanation, best.calibration(scene, game))

    def ground(self, calibration: Calibration) -> Colour | None:
        """Not known: cells may touch."""
        return None

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` with the kinds told by marks, the colour buttons, the walls and the start corner."""
        mesh = measure(scene, calibration.lattice)
        of = ColourReader(calibration).read(scene.frame).grid.astype(np.intp)
        marked = marked_cells(scene, mesh)
        pairs = twins(scene, mesh, of, marked)
        known = replace(
            calibration,
            palette=calibration.palette + tuple(calibration.palette[kind] for kind in pairs),
            marked=frozenset(range(len(calibration.palette), len(calibration.palette) + len(pairs))),
        )
        none = holes(scene, mesh, of)
        buttons = colour_buttons(scene, known, none)
        single = np.setdiff1d(of[of >= 0], pairs)  # of two kinds in one colour neither is too frequent
        walls = [int(kind) for kind in single if _wall(scene, known, mesh, of, int(kind), buttons.controls)]
        walls += [kind for kind in none if f"colour:{kind}" not in buttons.controls]
        start = start_corner(of, marked) if calibration.game == "flood_it" else None
        blocked = frozenset(Cell(int(row), int(col)) for row, col in np.argwhere(np.isin(of, walls)))
        return replace(known, palette=buttons.palette, controls=buttons.controls, blocked=blocked, start=start)


def _wall(
    scene: Scene, calibration: Calibration, mesh: Mesh, of: NDArray[np.intp], kind: int, controls: Mapping[str, Pixel]
) -> bool:
    page = np.asarray(_surroundings(scene, calibration.lattice), dtype=np.float64)
    away = float(np.sqrt(((page - calibration.palette[kind]) ** 2).sum()))
    return is_wall(
        scene,
        mesh,
        of,
        kind,
        dull=_greyer(calibration.palette, kind),
        like_page=away <= calibration.tolerance,
        has_button=f"colour:{kind}" in controls,
        buttons=len(controls),
    )


def _greyer(palette: tuple[Colour, ...], kind: int) -> bool:
    """Whether a colour's channels lie less than half as far apart as is usual in `palette`."""
    spans = [max(colour) - min(colour) for colour in palette]
    return spans[kind] < 0.5 * float(np.median(spans))


def _surroundings(scene: Scene, lattice: Lattice) -> Pixels:
    """uint8[3]: the usual colour one cell outside of the board."""
    around = Probes(grown(scene, lattice, 1), count=1)
    ring = np.ones(around.shape, dtype=bool)
    ring[1:-1, 1:-1] = False
    samples = around.take(scene.pixels)[ring.ravel()].swapaxes(0, 1)
    return np.asarray(middle(samples)[0])


LOOK = Coloured()


def _in_groups(scene: Scene, groups: list[Group], game: str | None) -> Iterator[Proposal]:
    """The best board that each of the groups leads to, until one is certain."""
    best: Board | None = None
    for group in groups:
        if best is not None and best.certain:
            return
        if best is not None and _mostly_inside(group, best):
            continue
        boards = _boards(scene, group)
        if not boards:
            width, height = group.size
            explanation = f"{len(group.boxes)} patches of {width:.0f}x{height:.0f} pixels in no even rows and columns"
            yield Proposal(group.bounds, explanation)
            continue
        board = max(boards, key=lambda board: board.worth)
        best = board if best is None or board.worth > best.worth else best
        yield _proposal(scene, board, game)


def _proposal(scene: Scene, board: Board, game: str | None) -> Proposal:
    """A board and what speaks for it, the buttons in its colours too where it is worth looking for them."""
    calibration = board.calibration(scene, game)
    shown, gone = colours_shown(scene, calibration) if board.quality >= ORDERLY else (0.0, 0)
    features = board.features | {"buttons": shown}
    if shown == 1.0 and gone:  # the colours of a game are those of its buttons, near its end too
        kinds = len(calibration.palette) + gone
        features |= {"two": float(kinds <= 2), "kinds": float(kinds / np.sqrt(board.kinds.of.size))}
    if shown >= SHOWN:  # smaller boards are known by their buttons
        features["shaped"] = board.shaped(FEWEST_WITH_BUTTONS)
    confidence = chance(LOOK.name, features, named=game is not None)
    if game is not None and board.flawless:
        confidence = max(confidence, FLAWLESS)
    return Proposal(board.mesh.lattice.box, board.explanation, replace(calibration, confidence=confidence), features)


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The cells of a mesh by kind.

    of: intp[rows, cols], the kind of each cell, -1 where it is not plain.
    like: float32[rows, cols], the share of its inner samples that are as in all cells of its kind.
    whole: float32[rows, cols], the same of all samples, out to its borders.
    """

    palette: Palette
    of: NDArray[np.intp]
    like: NDArray[np.float32]
    whole: NDArray[np.float32]


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
        """How many borders between cells are drawn."""
        _, upright, _, level = self.borders
        return int(upright.sum() + level.sum())

    @cached_property
    def drawn(self) -> float:
        """The share of the borders between cells of different kinds that are drawn."""
        differ_across, upright, differ_down, level = self.borders
        due = int(differ_across.sum() + differ_down.sum())
        return float((differ_across & upright).sum() + (differ_down & level).sum()) / due if due else 1.0

    @cached_property
    def used(self) -> float:
        """The share of the inner lines that are in use anywhere."""
        _, upright, _, level = self.borders
        return float(upright.any(axis=0).mean() * level.any(axis=1).mean())

    @cached_property
    def too_fine(self) -> tuple[bool, bool]:
        """Along x and along y: whether edges lie on every other line alone, so that the cells are twice as long.

        Or, where marks on the cells have edges on all lines, whether every other line alone parts different cells.
        """
        differ_across, upright, differ_down, level = self.borders
        across, down = (
            _every_other(differ, drawn) for differ, drawn in ((differ_across, upright), (differ_down.T, level.T))
        )
        return across, down

    @property
    def coarser(self) -> Lattice:
        """The lattice of cells twice as long along the axes where it is too fine."""
        lattice = self.mesh.lattice
        across, down = (1 + fine for fine in self.too_fine)
        x, y = (
            place + step * (times - 1) / 2
            for place, step, times in zip(lattice.origin, lattice.pitch, (across, down), strict=True)
        )
        pitch = (across * lattice.pitch[0], down * lattice.pitch[1])
        return Lattice(Pixel(x, y), pitch, lattice.rows // down, lattice.cols // across)

    @cached_property
    def good(self) -> float:
        """The share of the cells that look like their kind."""
        return float((self.kinds.like >= PLAIN).mean())

    @property
    def worth(self) -> float:
        """The length of the borders it explains, in pixels, discounted by everything that does not obey."""
        _, upright, _, level = self.borders
        across, down = self.mesh.lattice.pitch
        length = float(upright.sum() * down + level.sum() * across)
        return length * self.quality**2

    @property
    def quality(self) -> float:
        """0 to 1: how strictly the picture obeys."""
        return self.used * self.drawn * self.good * (0.3 + 0.7 * self.kinds.palette.margin)

    @cached_property
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""
        of, sizes = self.kinds.of, np.bincount(self.kinds.of.ravel()[self.kinds.of.ravel() >= 0])
        shares = sizes / max(1, sizes.sum())
        beside, below = float((of[:, 1:] == of[:, :-1]).mean()), float((of[1:] == of[:-1]).mean())
        colours = self.kinds.palette.colours
        rows, cols = of.shape
        pitch = self.mesh.lattice.pitch
        return {
            "size": float(np.log(of.size) / np.log(196)),
            "clean": float((self.kinds.like >= CLEAN).mean()),
            "used": self.used,
            "drawn": self.drawn,
            "good": self.good,
            "margin": self.kinds.palette.margin,
            "kinds": float(len(sizes) / np.sqrt(of.size)),
            "vivid": float(shares[np.ptp(colours, axis=1) >= VIVID].sum()),
            "streaked": abs(beside - below),
            "parted": max(0.0, float((shares**2).sum()) - (beside + below) / 2),
            "mixed": 1 - float(shares.max()),
            "long": abs(float(np.log(rows / cols))),
            "stretched": abs(float(np.log(pitch[0] / pitch[1]))),
            "whole": float(np.median(self.kinds.whole)),
            "two": float(len(sizes) <= 2),
            "many": max(0.0, (len(sizes) - 10) / 10),
            "strewn": float(strewn(self._grid, LATE)),
            "shaped": self.shaped(FEWEST_CELLS),
        }

    def shaped(self, fewest: int) -> float:
        """1 where it has so many cells, and is not far longer than wide."""
        rows, cols = self.kinds.of.shape
        return float(rows * cols >= fewest and max(rows, cols) <= LONGEST * min(rows, cols))

    @property
    def flawless(self) -> bool:
        """Whether the picture obeys to the letter, for so many cells and colours that it can be nothing else.

        Drawn pictures of half flooded boards are few, so that the weights think too little of them.  Of drawn boards
        that are flawless 3,826 were right, and 50 were not; in 2,300 pictures without a board there was none.
        """
        features, kinds = self.features, len(self.kinds.palette.colours)
        strict = min(features["drawn"], features["good"]) >= 0.995 and min(features["clean"], features["whole"]) >= 0.95
        told = (
            features["margin"] >= 0.8
            and features["used"] >= 0.6
            and features["vivid"] >= 0.2
            and features["long"] < 0.8
        )
        return strict and told and kinds in STRICT_KINDS and self.kinds.of.size >= 64 and plausible_flood(self._grid)

    @property
    def _grid(self) -> NDArray[np.int8]:
        """int8[rows, cols]: the kinds, -1 for those no game has."""
        return np.where(self.kinds.of > 100, -1, self.kinds.of).astype(np.int8)

    @property
    def certain(self) -> bool:
        """Whether no better one need be looked for."""
        return self.quality >= STRICT and self.confidence(named=False) >= CERTAIN

    def confidence(self, *, named: bool) -> float:
        """The chance, 0 to 1, that this is a board and this is its lattice; higher where a flooding game is `named`."""
        return chance(LOOK.name, self.features, named=named)

    @property
    def explanation(self) -> str:
        """What speaks for it and against it, in words."""
        rows, cols = self.kinds.of.shape
        return (
            f"{rows}x{cols} cells of {len(self.kinds.palette.colours)} colours, {self.drawn:.0%} of their borders "
            f"drawn, {self.good:.0%} of the cells like their kind"
        )

    def calibration(self, scene: Scene, game: str | None) -> Calibration:
        """What is known of it so far, as a calibration."""
        return Calibration(
            game=game or LOOK.games[0],
            lattice=self.mesh.lattice,
            palette=tuple((int(r), int(g), int(b)) for r, g, b in np.rint(self.kinds.palette.colours)),
            size=(scene.width, scene.height),
            tolerance=max(12.0, self.kinds.palette.gap / 2),
            confidence=self.confidence(named=game is not None),
        )


def _every_other(differ: Cells, drawn: Cells) -> bool:
    """Whether only every other of the columns of borders holds an edge; or all, of which every other parts no cells."""
    used, parting = np.asarray(drawn.any(axis=0)), np.asarray(differ.any(axis=0))
    if len(used) < 5:
        return False
    alone = used.sum() >= 2 and not (used[::2].any() and used[1::2].any())
    return bool(alone or (parting[1::2].all() and not parting[::2].any()))


def _mostly_inside(group: Group, board: Board) -> bool:
    """Whether most blobs of a group lie on a board that is certain enough."""
    box = board.mesh.lattice.box
    return board.quality > 0.5 and float(np.mean([box.contains(Pixel(x, y)) for x, y in group.centres])) > 0.5


def _boards(scene: Scene, group: Group) -> list[Board]:
    """The boards on which the blobs of `group` are cells, one for each pair of pitches that they swing with."""
    (width, height), centres = group.size, group.centres
    found = []
    for across in spacings(centres[:, 0], width, SPACED * width, at_most=PITCHES):
        for down in spacings(centres[:, 1], height, SPACED * height, at_most=PITCHES):
            lattice = _lattice(centres, across, down)
            for round_cells in (False, True):
                board = _board(scene, lattice, round_cells)
                if board is not None:
                    found.append(board)
                    break
            if found and found[-1].certain:
                return found
    return found


def _framed(scene: Scene, field: Box) -> Box | None:
    """The box that a field frames with a rim of one breadth, where edges run along most of all four of its sides."""
    x, y, width, height = (round(value) for value in field)
    inner = np.s_[y + EDGE : y + height - EDGE, x + EDGE : x + width - EDGE]
    columns = np.flatnonzero(scene.upright[inner].sum(axis=0, dtype=np.float64) >= SIDES * height)
    rows = np.flatnonzero(scene.level[inner].sum(axis=1, dtype=np.float64) >= SIDES * width)
    if len(columns) < 2 or len(rows) < 2:
        return None
    left, right, top, bottom = (int(place) + EDGE for place in (columns[0], columns[-1], rows[0], rows[-1]))
    rims = (left, width - 1 - right, top, height - 1 - bottom)
    if max(rims) > BROADEST * min(width, height) or max(rims) - min(rims) > RIM:
        return None
    return Box(x + left, y + top, right - left, bottom - top)


def _divided(scene: Scene, field: Box) -> Lattice | None:
    """The division of a field into cells on whose borders the edges inside it lie: few cells and large regions."""
    x, y, width, height = (round(value) for value in field)
    inner = np.s_[y + EDGE : y + height - EDGE, x + EDGE : x + width - EDGE]
    found = []
    for profile, length in (
        (scene.upright[inner].sum(axis=0, dtype=np.float64), field.width),
        (scene.level[inner].sum(axis=1, dtype=np.float64), field.height),
    ):
        most = min(PARTS.stop, int(length / SMALLEST_CELL))
        gains = [aligned(profile, length, parts) for parts in range(PARTS.start, most)]
        if not gains or max(gains) < ALIGNED:
            return None
        fewest = int(np.argmax(np.array(gains) >= max(gains) - SLACK))  # twice as many parts explain the edges as well
        found.append(length / (PARTS.start + fewest))
    across, down = found
    if not 1 / SPACED <= across / down <= SPACED:
        return None
    origin = Pixel(field.x + across / 2, field.y + down / 2)
    return Lattice(origin, (across, down), round(field.height / down), round(field.width / across))


def _lattice(centres: NDArray[np.float64], across: Spacing, down: Spacing) -> Lattice:
    """The cells where the `centres` that lie at places of both spacings are densest."""
    held = across.holds(centres[:, 0]) & down.holds(centres[:, 1])
    cols, rows = across.number(centres[held, 0]), down.number(centres[held, 1])
    if not held.any():
        return Lattice(Pixel(0, 0), (across.pitch, down.pitch), 0, 0)
    taken = np.full((int(np.ptp(rows)) + 1, int(np.ptp(cols)) + 1), -SPARSE)
    taken[rows - rows.min(), cols - cols.min()] = 1.0
    top, bottom, left, right = _densest(taken)
    origin = Pixel(
        across.phase + across.pitch * float(cols.min() + left), down.phase + down.pitch * float(rows.min() + top)
    )
    return Lattice(origin, (across.pitch, down.pitch), bottom - top, right - left)


def _board(scene: Scene, lattice: Lattice, round_cells: bool) -> Board | None:
    """The board that `lattice` is a part of.

    What lies round it and runs on may be a flooded region, or a page whose colour some cells have: that way is taken
    that gives the better board.
    """
    found, doubtful = _settled(scene, lattice, round_cells, closed=False)
    if doubtful and (found is None or not found.certain):
        other, _ = _settled(scene, lattice, round_cells, closed=True)
        both = [board for board in (found, other) if board is not None]
        found = max(both, key=lambda board: board.worth, default=None)
    if found is not None and any(found.too_fine):
        found, _ = _settled(scene, found.coarser, round_cells, closed=False)
    return None if found is None or any(found.too_fine) else found


def _settled(scene: Scene, lattice: Lattice, round_cells: bool, *, closed: bool) -> tuple[Board | None, bool]:
    """`lattice` grown, cut to its extent and refined until it stays the same; and whether `closed` makes a difference.

    closed: what lies round the lattice on most sides is none of its cells.
    """
    open_ended, doubtful = True, False
    for _ in range(ROUNDS):
        if min(lattice.rows, lattice.cols) < 1 or lattice.rows * lattice.cols > MOST_CELLS:
            return None, doubtful
        mesh = measure(scene, grown(scene, lattice, FAR if open_ended else NEAR), round_cells=round_cells)
        page, part = _page(scene, mesh), _place(mesh.lattice, lattice)
        around = _around(mesh, part)
        doubtful |= bool((around & ~page).any())
        if closed:
            page |= around
        elif open_ended and _runs_out(mesh, page, part):
            mesh = measure(scene, grown(scene, lattice, FARTHER), round_cells=round_cells)
            page, part = _page(scene, mesh), _place(mesh.lattice, lattice)
            doubtful |= bool((_around(mesh, part) & ~page).any())
        extent = _extent(mesh, page, part)
        if extent is None:
            return None, doubtful
        board = mesh.part(extent)
        open_ended = any(end == last for end, last in zip(extent, _all(mesh), strict=True))
        if board.lattice == lattice:
            break
        settled = (board.lattice.rows, board.lattice.cols) == (lattice.rows, lattice.cols)
        lattice = board.lattice if settled else refined(board)
    kinds = _kinds(board, np.ones(board.plain.shape, dtype=bool), _all(board))
    if kinds is None:
        return None, doubtful
    part = _trimmed(board, kinds)
    if part != (0, lattice.rows, 0, lattice.cols):
        board = board.part(part)
        kinds = _kinds(board, np.ones(board.plain.shape, dtype=bool), _all(board))
    if kinds is None or min(board.plain.shape) < 2:
        return None, doubtful
    return Board(board, kinds), doubtful


def _all(mesh: Mesh) -> Part:
    """All rows and columns of a mesh."""
    return 0, mesh.lattice.rows, 0, mesh.lattice.cols


def _place(whole: Lattice, lattice: Lattice) -> Part:
    """Which rows and columns of a grown lattice were there before."""
    left = round((lattice.origin.x - whole.origin.x) / whole.pitch[0])
    top = round((lattice.origin.y - whole.origin.y) / whole.pitch[1])
    return top, top + lattice.rows, left, left + lattice.cols


def _around(mesh: Mesh, part: Part) -> Cells:
    """bool[rows, cols]: the cells of what makes up most of the ring of cells about `part`, all of one area."""
    top, bottom, left, right = part
    inside, wider = np.zeros(mesh.areas.shape, dtype=bool), np.zeros(mesh.areas.shape, dtype=bool)
    inside[top:bottom, left:right] = True
    wider[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = True
    ring = mesh.areas[wider & ~inside]
    if not len(ring):
        return np.zeros(mesh.areas.shape, dtype=bool)
    commonest = int(np.bincount(ring).argmax())
    return np.asarray((mesh.areas == commonest) & ((ring == commonest).mean() >= AROUND))


def _runs_out(mesh: Mesh, page: Cells, part: Part) -> bool:
    """Whether something of a colour of the board in `part` seems to be page: a flooded region that goes on and on."""
    top, bottom, left, right = part
    inside = np.zeros(page.shape, dtype=bool)
    inside[top:bottom, left:right] = True
    board = np.unique(mesh.colours[inside & ~page & (mesh.plain >= PLAIN)], axis=0)
    areas = np.unique(mesh.areas[page & cv2.dilate(inside.astype(np.uint8), np.ones((3, 3))).astype(bool)])
    if not len(board) or not len(areas) or len(board) > MOST_SHADES:
        return False
    open_ = np.stack([np.median(mesh.colours[mesh.areas == area], axis=0) for area in areas])
    away = np.abs(open_[:, None] - board.astype(np.float64)).max(axis=2)
    return bool((away <= ALIKE).any())


def _extent(mesh: Mesh, page: Cells, part: Part) -> Part | None:
    """The rectangle in which cells of the kinds at home in `part` outnumber everything else most."""
    kinds = _kinds(mesh, ~page, part)
    if kinds is None:
        return None
    wanted = (kinds.of >= 0) & (kinds.like >= PLAIN)
    for _ in range(3):
        good = wanted & np.isin(kinds.of, _at_home(mesh, kinds.of, part))
        again = _densest(np.where(good, 1.0, -1.0))
        top, bottom, left, right = again
        if bottom - top < 2 or right - left < 2:
            return None
        if again == part:
            break
        part = again
    return part


def _at_home(mesh: Mesh, of: NDArray[np.intp], part: Part) -> NDArray[np.intp]:
    """The kinds that belong to the board in `part`: they meet other cells there, at drawn borders, in both directions.

    A row of the page or of a toolbar beside the board meets the board on one side only.
    """
    top, bottom, left, right = part
    board, kinds = mesh.part(part), of[top:bottom, left:right]
    upright, level = ~np.isnan(board.upright[:, 1:-1]), ~np.isnan(board.level[1:-1])
    across, down = np.zeros(kinds.shape, dtype=bool), np.zeros(kinds.shape, dtype=bool)
    across[:, 1:] |= upright
    across[:, :-1] |= upright
    down[1:] |= level
    down[:-1] |= level
    size = int(of.max()) + 2
    all_of = np.bincount(kinds.ravel() + 1, minlength=size)[1:]
    cornered = np.bincount(kinds[across & down] + 1, minlength=size)[1:]
    return np.flatnonzero((cornered >= 2) | (cornered >= 0.5 * all_of) & (cornered > 0))


def _page(scene: Scene, mesh: Mesh) -> Cells:
    """bool[rows, cols]: the cells that run on, four and more, into what lies round the mesh.

    Where a cell's outer border is drawn nothing runs on.  Where the picture ends with the mesh, a board may be cut
    off: only what takes a tenth of the rim is page there.
    """
    (x, y), (across, down) = mesh.lattice.origin, mesh.lattice.pitch
    rows, cols = mesh.areas.shape
    rim, ring = np.zeros(mesh.areas.shape, dtype=bool), np.zeros(mesh.areas.shape, dtype=bool)
    for side, drawn, cut_off in (
        (np.s_[:, 0], mesh.upright[:, 0], x <= across),
        (np.s_[:, -1], mesh.upright[:, -1], x + across * cols >= scene.width),
        (np.s_[0], mesh.level[0], y <= down),
        (np.s_[-1], mesh.level[-1], y + down * rows >= scene.height),
    ):
        rim[side] |= np.isnan(drawn)
        ring[side] |= np.isnan(drawn) & (not cut_off)
    sizes = np.bincount(mesh.areas.ravel())
    on_rim = np.bincount(mesh.areas[rim], minlength=len(sizes)) / (2 * (rows + cols) - 4)
    open_ = np.isin(mesh.areas, mesh.areas[ring]) & (sizes[mesh.areas] >= 4)
    return np.asarray(open_ | (on_rim[mesh.areas] >= 0.1))


def _kinds(mesh: Mesh, wanted: Cells, part: Part) -> Kinds | None:
    """The kinds of the wanted cells that are plain at all; None where there are too many kinds for a board.

    The kinds are those of the cells in `part`; the others are of the nearest kind or of none, so that what lies beside
    the board cannot bridge the way from one of its colours to the next.
    """
    plain = wanted & (mesh.plain >= 0.4)
    inside = np.zeros(plain.shape, dtype=bool)
    inside[part[0] : part[1], part[2] : part[3]] = True
    known = mesh.colours[plain & inside]
    if len(known) < 4 or len(np.unique(known >> 3, axis=0)) > 256:
        return None
    palette = cluster(known.astype(np.float32))
    if len(palette.colours) > 4 * MAX_KINDS:
        return None
    palette = palette.without_singles().assigned(mesh.colours[plain])
    plain[plain] = palette.kinds >= 0
    palette = replace(palette, kinds=palette.kinds[palette.kinds >= 0])
    samples = mesh.samples[plain]
    alike = np.zeros(samples.shape[:2], dtype=bool)
    for kind in range(len(palette.colours)):
        mine = palette.kinds == kind
        template = middle(samples[mine].swapaxes(0, 1))
        alike[mine] = same(samples[mine], template[None])
    of = np.full(plain.shape, -1, dtype=np.intp)
    like, whole = np.zeros(plain.shape, dtype=np.float32), np.zeros(plain.shape, dtype=np.float32)
    of[plain], like[plain], whole[plain] = palette.kinds, alike[:, INNER].mean(axis=1), alike.mean(axis=1)
    return Kinds(palette, of, like, whole)


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


def _trimmed(mesh: Mesh, kinds: Kinds) -> Part:
    """The mesh less outer rows and columns that are no cells: cut otherwise, as buttons are, or a broad frame."""
    top, bottom, left, right = 0, kinds.whole.shape[0], 0, kinds.whole.shape[1]
    framed = _frames(mesh, kinds)
    while bottom - top > 2 and right - left > 2:
        here = np.s_[top:bottom, left:right]
        whole, part = kinds.whole[here], kinds.of[here]
        fits = _fits(mesh.part((top, bottom, left, right)), part)
        like = [float(np.median(side)) for side in (whole[0], whole[-1], whole[:, 0], whole[:, -1])]
        for side, (axis, place) in enumerate(((0, 0), (0, -1), (1, 0), (1, -1))):
            if not fits[side] or _alien(part, framed[axis][here], axis, place):
                like[side] = -1.0
        worst = int(np.argmin(like))
        if like[worst] >= WHOLE * float(np.median(whole)):
            break
        top, bottom = top + (worst == 0), bottom - (worst == 1)
        left, right = left + (worst == 2), right - (worst == 3)
    return top, bottom, left, right


def _fits(mesh: Mesh, of: NDArray[np.intp]) -> list[bool]:
    """Whether the first and the last row and column obey as the rest does: buttons beside a board seldom do.

    The borders between different cells are drawn in them, too, and lie as near to the lines.
    """
    fits: list[bool] = []
    across, down = mesh.lattice.pitch
    for kinds, edges, pitch in ((of, mesh.upright[:, 1:-1], across), (of.T, mesh.level[1:-1].T, down)):
        differ, seen = kinds[:, 1:] != kinds[:, :-1], ~np.isnan(edges)
        due, drawn = differ.sum(axis=1), (differ & seen).sum(axis=1)
        away = np.array(
            [np.median(np.abs(line[told])) if told.any() else 0.0 for line, told in zip(edges, seen, strict=True)]
        )
        for outer, inner in ((0, np.s_[1:]), (-1, np.s_[:-1])):
            lost = drawn[inner].sum() >= OBEYED * due[inner].sum() and drawn[outer] < DISOBEYED * due[outer]
            off = away[outer] > max(OFF_LINE * pitch, 3 * away[inner].max())
            fits.append(due[outer] < FEWEST_DUE or not (lost or off))
    return fits


def _alien(of: NDArray[np.intp], merged: Cells, axis: int, place: int) -> bool:
    """Whether many cells of a row (axis 0) or column run into the next of it whose kinds do so nowhere else.

    Or whose kinds always do so, and lie at the rim alone: a flooded region, too, may be drawn without borders.
    """
    shares = merged.mean(axis=1 - axis)
    if shares[place] < MERGED or (shares >= MERGED).sum() > 2 * RIM:
        return False
    rest = np.compress(shares < MERGED, np.where(merged, of, -1), axis=axis)
    counts = np.bincount(of[of >= 0])
    elsewhere = np.bincount(rest[rest >= 0], minlength=len(counts))
    strange = elsewhere <= APART * counts
    inside = of[RIM:-RIM, RIM:-RIM]
    outside = np.bincount(inside[inside >= 0], minlength=len(counts)) == 0
    strange |= outside & (np.bincount(of[merged & (of >= 0)], minlength=len(counts)) >= ALWAYS * counts)
    line, open_ = of.take(place, axis=axis), merged.take(place, axis=axis)
    return float((open_ & strange[line]).mean()) >= MERGED


def _frames(mesh: Mesh, kinds: Kinds) -> tuple[Cells, Cells]:
    """bool[rows, cols]: cells that run into the next of their kind in their row, and in their column.

    None do where it is usual, or where no equal cells are parted.  What runs on along a row is a strip of the page; one
    line between columns that was lost when the picture was scaled is no reason to doubt the columns beside it.
    """
    across = (kinds.of[:, 1:] == kinds.of[:, :-1]) & np.isnan(mesh.upright[:, 1:-1])
    down = (kinds.of[1:] == kinds.of[:-1]) & np.isnan(mesh.level[1:-1])
    in_row, in_column = np.zeros(kinds.of.shape, dtype=bool), np.zeros(kinds.of.shape, dtype=bool)
    in_row[:, 1:] |= across
    in_row[:, :-1] |= across
    in_column[1:] |= down
    in_column[:-1] |= down
    merged = in_row | in_column
    usual = min(float(np.median(merged.mean(axis=axis))) for axis in (0, 1))
    apart = (
        (kinds.of[:, 1:] == kinds.of[:, :-1]).sum() + (kinds.of[1:] == kinds.of[:-1]).sum() - across.sum() - down.sum()
    )
    unusual = usual <= APART and apart >= SEVERAL
    return (in_row, in_column) if unusual else (np.zeros_like(merged), np.zeros_like(merged))
