"""The cells of a mesh by kind, and how strictly a picture obeys them as the board of a flooding game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Lattice, rgb
from calibration.frame import Pixel
from calibration.look import HOPED
from calibration.looks.coloured.flooding import FEW, FEWEST_CELLS, LONGEST, plausible_flood, strewn
from calibration.mesh import INNER, Mesh, measure
from calibration.palette import MAX_KINDS, Palette, cluster, tolerance_of
from calibration.samples import ALIKE, middle, same
from calibration.scene import SAME_SIZE, Scene

PLAIN = 0.7
"""The share of a cell's samples that must be as in all cells of its kind; a mark may take the rest."""

STRICT = 0.7
"""The quality from which cells are not read as round ones, too."""

STRICT_KINDS = range(4, 11)
"""Colours of a board that obeys to the letter."""

FEWEST_HOPED, MOST_OF_FEW = 16, 0.3
"""Cells of a board without buttons that is taken where there is to be one, and its colours, as a share of its cells:
colours to choose from are each there once."""

LATE = 40
"""Cells outside of the regions at the corners that need not lie as chance strews them: most of a game is over."""

VIVID = 40
"""How far apart the channels of a colour lie that is no grey."""

GOES_ON = 0.6
"""The share of the cells beyond one side that must be such as its own where it goes on there: some may be of others."""

FEWEST_ALIKE, MANY = 4, 0.25
"""Cells with edges all round by which such as they are known elsewhere; the share of its cells that are many there."""

CLEAN = 0.95
"""The share of its samples that must be as in all cells of its kind where nothing but its kind is drawn on a cell."""

Cells = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CellKinds:
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
class ColouredBoard:
    """The cells of a lattice read as a board, and how well the picture obeys it.

    wider: the mesh of its cells, and of one more row and column on every side.  size: width and height of the picture.
    """

    wider: Mesh
    kinds: CellKinds
    size: tuple[int, int]

    @cached_property
    def mesh(self) -> Mesh:
        """The mesh of its own cells."""
        return inner(self.wider)

    @cached_property
    def borders(self) -> tuple[Cells, Cells, Cells, Cells]:
        """Between cells side by side, and one below the other: whether they differ, whether an edge is drawn."""
        of, (upright, level) = self.kinds.of, self.mesh.drawn
        return of[:, 1:] != of[:, :-1], upright, of[1:] != of[:-1], level

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
        pitch, about = self.mesh.lattice.pitch, self._about
        clean = float((self.kinds.like >= CLEAN).mean())
        ends = about["rim"] * (1 - about["open"]) * (1 - about["ring"]) * (1 - about["going"])
        return {
            "size": float(np.log(of.size) / np.log(196)),
            "clean": clean,
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
            "flawless": float(self._flawless),
            **about,
            "sealed": ends * clean * self.used * self.drawn * self.good,
            HOPED: float(self._small_and_strict(len(sizes))),
        }

    @cached_property
    def grown(self) -> Lattice:
        """Its lattice, and a row or column more on each side where most of the cells beyond are such as its own.

        Not where they are all of one colour, which may be the page's.
        """
        of = self._beyond
        top, bottom, left, right = (
            int(_going_on(side) > 0 and (side >= 0).mean() >= GOES_ON)
            for side in (of[0, 1:-1], of[-1, 1:-1], of[1:-1, 0], of[1:-1, -1])
        )
        lattice = self.mesh.lattice
        return lattice.part(-top, -left, lattice.rows + top + bottom, lattice.cols + left + right)

    @cached_property
    def _beyond(self) -> NDArray[np.intp]:
        """intp[rows + 2, cols + 2]: the nearest kinds of its own cells and of those beyond; -1 of what is like none."""
        away = np.abs(self.wider.colours[:, :, None].astype(np.float32) - self.kinds.palette.colours).max(axis=3)
        like = (away.min(axis=2) <= ALIKE) & (self.wider.plain >= PLAIN)
        return np.asarray(np.where(like, away.argmin(axis=2), -1))

    @property
    def _about(self) -> dict[str, float]:
        """What lies about it: how much of its rim is drawn, how much of its outer cells runs on, how far it goes on.

        Where the picture cuts the next row or column off, nothing can be told of that.
        """
        wider = self.wider
        upright, level = ~np.isnan(wider.upright), ~np.isnan(wider.level)
        x, y, width, height = wider.lattice.box
        shown = (y >= 0, y + height <= self.size[1], x >= 0, x + width <= self.size[0])
        sides: tuple[tuple[Any, Any, Cells, Cells], ...] = (  # the cells beyond, its own, its rim, the lines beyond it
            (np.s_[0, 1:-1], np.s_[1, 1:-1], level[1, 1:-1], upright[0, 2:-2]),
            (np.s_[-1, 1:-1], np.s_[-2, 1:-1], level[-2, 1:-1], upright[-1, 2:-2]),
            (np.s_[1:-1, 0], np.s_[1:-1, 1], upright[1:-1, 1], level[2:-2, 0]),
            (np.s_[1:-1, -1], np.s_[1:-1, -2], upright[1:-1, -2], level[2:-2, -1]),
        )
        told = [side for side, whole in zip(sides, shown, strict=True) if whole]
        outside = [wider.areas[beyond] for beyond, *_ in told]
        own = [np.isin(wider.areas[outer], np.concatenate(outside)) for _, outer, *_ in told]
        return {
            "rim": min((float(rim.mean()) for *_, rim, _ in told), default=1.0),
            "open": float(np.concatenate(own).mean()) if own else 0.0,
            "ring": max((_going_on(self._beyond[beyond]) for beyond, *_ in told), default=0.0),
            "going": max((float(lines.mean()) for *_, lines in told), default=0.0),
            "well": _bare_on([self._beyond[beyond] for beyond, *_ in told]),
        }

    def elsewhere(self, scene: Scene) -> float:
        """How many blobs as large as its cells, and of their colours, lie beside it, more than two players' buttons.

        As a share of MANY of its cells, up to 1: there it is a part of something.
        """
        x, y, width, height = self.mesh.lattice.box
        boxes = scene.blobs[:, :4]
        (left, top), (across, down) = (boxes[:, :2] + boxes[:, 2:] / 2).T, self.mesh.lattice.pitch
        inside = (left > x) & (left < x + width) & (top > y) & (top < y + height)
        cells = boxes[inside & (boxes[:, 2] <= across + 1) & (boxes[:, 3] <= down + 1), 2:]
        if len(cells) < FEWEST_ALIKE:
            return 0.0
        usual = np.median(cells, axis=0)
        alike = (np.abs(boxes[:, 2:] - usual) <= np.maximum(2.0, SAME_SIZE * usual)).all(axis=1) & ~inside
        colours = scene.pixels[top[alike].astype(int), left[alike].astype(int)].astype(np.float32)
        away = np.abs(colours[:, None] - self.kinds.palette.colours).max(axis=2)
        more = int((away.min(axis=1, initial=np.inf) <= ALIKE).sum()) - 2 * len(self.kinds.palette.colours)
        return float(np.clip(more / (MANY * self.kinds.of.size), 0, 1))

    def _small_and_strict(self, kinds: int) -> bool:
        """Whether the picture obeys to the letter for fewer cells than are taken for a board where none is expected."""
        strict = self.drawn == self.good == 1.0 and self.used == 1.0 and self.kinds.palette.margin >= 0.8
        plain = min(float((self.kinds.like >= CLEAN).mean()), float(np.median(self.kinds.whole))) >= CLEAN
        several = FEWEST_HOPED <= self.kinds.of.size < FEWEST_CELLS and kinds in STRICT_KINDS
        several = several and strewn(self._grid, FEW)
        return strict and plain and several and kinds <= MOST_OF_FEW * self.kinds.of.size and self.shaped(1) == 1.0

    def shaped(self, fewest: int) -> float:
        """1 where it has so many cells, and is not far longer than wide."""
        rows, cols = self.kinds.of.shape
        return float(rows * cols >= fewest and max(rows, cols) <= LONGEST * min(rows, cols))

    @property
    def _flawless(self) -> bool:
        """Whether the picture obeys to the letter, for so many cells and colours that it is hardly anything else."""
        clean = min(float((self.kinds.like >= CLEAN).mean()), float(np.median(self.kinds.whole))) >= CLEAN
        strict = clean and min(self.drawn, self.good) >= 0.995 and self.kinds.palette.margin >= 0.8
        told = len(self.kinds.palette.colours) in STRICT_KINDS and self.kinds.of.size >= 64
        return strict and told and plausible_flood(self._grid)

    @property
    def _grid(self) -> NDArray[np.int8]:
        """int8[rows, cols]: the kinds, -1 for those no game has."""
        return np.where(self.kinds.of > 100, -1, self.kinds.of).astype(np.int8)

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
            game=game or "",
            lattice=self.mesh.lattice,
            palette=tuple(map(rgb, self.kinds.palette.colours)),
            size=(scene.width, scene.height),
            tolerance=tolerance_of(self.kinds.palette.gap),
        )


def _going_on(beyond: NDArray[np.intp]) -> float:
    """How far cells of these kinds, -1 for none, go a board on, up to 1; not where all are of one: it may be a page."""
    counts = np.bincount(beyond[beyond >= 0], minlength=1)
    return min(1.0, 2 * float(counts.sum() - counts.max()) / len(beyond))


def _bare_on(sides: Sequence[NDArray[np.intp]]) -> float:
    """How much more of one kind lies beyond one side than beyond any other, up to 1: the board may be a full part."""
    if len(sides) < 2:
        return 0.0
    most = max(int(side.max(initial=-1)) for side in sides) + 1
    shares = np.array([[float((side == kind).mean()) for kind in range(most)] for side in sides])
    ordered = np.sort(shares, axis=0)
    return float((ordered[-1] - ordered[-2]).max(initial=0.0))


def _every_other(differ: Cells, drawn: Cells) -> bool:
    """Whether only every other of the columns of borders holds an edge; or all, of which every other parts no cells."""
    used, parting = np.asarray(drawn.any(axis=0)), np.asarray(differ.any(axis=0))
    if len(used) < 5:
        return False
    alone = used.sum() >= 2 and not (used[::2].any() and used[1::2].any())
    return bool(alone or (parting[1::2].all() and not parting[::2].any()))


def board_on(scene: Scene, lattice: Lattice) -> ColouredBoard | None:
    """The board on these cells, or on ones twice as long where they are too fine; None where there are too many kinds.

    The borders of round cells need not be straight.
    """
    boards: list[ColouredBoard] = []
    for round_cells in (False, True):
        wider = measure(scene, lattice.ringed, round_cells=round_cells)
        kinds = kinds_of(inner(wider))
        if kinds is not None:
            boards.append(ColouredBoard(wider, kinds, (scene.width, scene.height)))
            if boards[-1].quality >= STRICT:
                break
    best = max(boards, key=lambda board: board.quality, default=None)
    return board_on(scene, best.coarser) if best is not None and any(best.too_fine) else best


def inner(wider: Mesh) -> Mesh:
    """A mesh without its outer rows and columns."""
    return wider.part((1, wider.lattice.rows - 1, 1, wider.lattice.cols - 1))


def kinds_of(mesh: Mesh) -> CellKinds | None:
    """The kinds of the cells that are plain at all; None where there are too many kinds for a board."""
    plain = mesh.plain >= 0.4
    known = mesh.colours[plain]
    if len(known) < 4 or len(np.unique(known >> 3, axis=0)) > 256:
        return None
    palette = cluster(known.astype(np.float32))
    if len(palette.colours) > 4 * MAX_KINDS:
        return None
    palette = palette.without_singles().assigned(known)
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
    return CellKinds(palette, of, like, whole)
