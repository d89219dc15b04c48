"""Connect Four: discs in holes, loose discs, crosses and noughts, squares in a table; told by how pieces stack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, CellPatch, Colour, Lattice
from calibration.cell_patches import (
    SHADING,
    ZONES,
    CellPatches,
    Kinds,
    Sampler,
    cell_patches,
    group,
    middles,
    unlikeness,
    varied,
)
from calibration.confidence import chance
from calibration.controls import column_buttons
from calibration.frame import Box, Frame, Pixel, Pixels
from calibration.lines import EDGE, aligned, borders
from calibration.look import Proposal
from calibration.repeats import Repeat
from calibration.scene import STEP, Scene
from calibration.straight import nets
from games.core import UNREAD, Cell, Observation, SettingsError

SIZES = {
    (6, 7): 1.0, (5, 7): 0.6, (5, 6): 0.7, (6, 8): 0.7, (7, 8): 0.75, (8, 8): 0.6, (7, 9): 0.7, (7, 10): 0.7,
    (6, 9): 0.6, (8, 9): 0.6, (8, 7): 0.6, (5, 8): 0.5, (6, 6): 0.5, (8, 10): 0.5,
}  # fmt: skip
"""How usual the sizes are, rows by columns; the rules were published for 6 x 7, the rest are its variants."""

UNUSUAL = 0.02
"""How usual any other size is, where a person points at a board of it."""

REACH = 0.42
"""How far from its centre a cell is looked at, in pitches: the whole disc, and a little of what lies round it."""

UNSEEN = 0.15
"""How much less a rectangle of places counts that shows no blobs: of two nearly as likely one shows more of them."""

HOLES = 0.85
"""The share of its places that show a blob at least where nothing but the holes is looked at."""

ROUND, SHARP = 0.55, 0.77
"""The share of its box that a hole's outline fills at least: a disc 0.79, what shows between discs that touch 0.4; and
that its colour fills, in zones: a disc 0.88, what shows between discs 0.65.
"""

LIT, STEADY = (6.0, 60.0), 6.0
"""How far the ground of the column under the pointer lies from its neighbours', and how much this and itself vary."""

TOUCHING, SQUARE = 0.9, 0.81
"""Pitches that cells are wide between which only lines lie; and the share of their boxes that they fill: discs 0.79."""

SHINE = 16.0
"""Unlikeness up to which a hole may differ from the usual one where light falls on them from one side."""

INSIDE = 0.45
"""The same as a part of a hole's width, where nothing but the holes is looked at."""

APART = 8.0
"""Unlikeness from which two cells show different things; noise and shading stay under 5, the palest pieces over 12."""

GOES_ON, MOST = 0.8, 10
"""Where more of the places beyond a side of lined ones look like their own, the board goes on; and its longest side."""

LIKELY, SURE = 0.5, 0.9
"""The confidence from which a larger board of lines is taken for the one that a part of it was found of; and any."""

CERTAIN = 0.99
"""The confidence from which no other rectangle on a lattice is looked at, if none shows more blobs."""

ABOVE = 0.87
"""A row above of which more looks like the board's own belongs to it; one disc waiting over 7 columns leaves 0.86."""

RECTANGLES = 6
"""Rectangles of usual sizes tried on a lattice: the right one was among the first four wherever it was found."""

SORTS = 12
"""More different cells than a board has, marks and a pointer included: a page of icons, a calendar."""

CHOICES = 12
"""Choices of what is nothing and what a piece that are tried, those first that explain most cells."""

SPECK, WRITTEN = 20.0, 0.3
"""How far a zone lies from that of an empty place that has a speck on it; and the share of those on no board."""

STRAYS = 0.3
"""The share of an outer row's places that show a blob at most where the row is none of the board's."""

SHOWN = 0.9
"""The share of its places that an empty board shows at least, or of the lines between them."""

MAIN = 0.6
"""The share of the cells that show the three commonest things at least: nothing, and a piece of either player."""

DASHED, NARROW = 0.4, 0.05
"""The share of a cell's side that must be an edge, so near to its border, for a line, which may be dashed, to be drawn.
"""

ENDS = 0.5, 0.9, 0.25
"""The parts of a side between which a line goes on, and the share of it there: discs that touch do not reach so far."""

LINED = 0.6
"""The share of the lines between cells that is drawn on a board of lines; pieces may cover the rest."""

SPREAD = 0.5
"""The share of a cell's middle that a piece changes at least: a cross changes 0.6, a pointer on it less than 0.4."""

OUTLINE, SEVERAL = 0.25, 4
"""The same of a piece that is an outline, such as a smiling face, and how many cells must show one: no pointer does."""

MOST_PLACES = 12
"""Rows or columns of a net that can be a board with a little more than that; longer ones are tables."""

EMPTIES = 3
"""The commonest kinds, of which one is the empty place; where a piece has a mark it counts once."""

UNEVEN = 0.7
"""The most by which a single piece may differ from its mirror image, in parts of itself: a pointer differs by 1."""

OTHER = 0.6
"""How far a piece lies from one of the other player, at least, as a part of how far that one lies from an empty place.

A cross and a ring: 0.73; a ring with a mark on it 0.3.
"""

TOLD = 24
"""How far the corners of an empty place must lie from its middle, in the channel that differs most, to be relied on."""

SAME = 16
"""Two colours are one if they lie less than this apart in every channel."""

GHOST = 0.75
"""A cell less than this part of the way from the empty place to a piece is a preview; a marked piece goes on."""


SIGN, CLOSER = 0.7, 0.8
"""The part of the way to a sign from which a cell on another ground shows it, and how much nearer it lies than others.
"""


class Discs:
    """The look of Connect Four."""

    name = "discs"
    games = ("connect_four",)
    usual = MappingProxyType(SIZES)

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best board on each lattice of equal blobs; of paler ones, too, where a likely one seems to go on."""
        found = [one for repeat in scene.repeats[:8] for one in _best_on(scene, repeat, named=game is not None)]
        yield from found
        if scene.step == STEP and any(one.confidence > LIKELY and one.features["ring"] > GOES_ON for one in found):
            for repeat in scene.finer.repeats[:8]:
                yield from _best_on(scene.finer, repeat, named=game is not None)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best board on evenly spaced lines, and on lattices of shaded blobs."""
        for net in _nets(scene):
            yield from _best_on(scene, net, named=game is not None, blobs=False)
        for repeat in scene.shaded[:4]:
            yield from _best_on(scene, repeat, named=game is not None)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        stack = _stack(scene, Laid(lattice, seen=1.0))
        return None if stack is None else _proposal(scene, stack, named=game is not None)

    def ground(self, calibration: Calibration) -> Colour | None:
        """The colour of the corners of the empty place."""
        if not calibration.patches:
            return None
        return _colours(_ground(np.array(calibration.patches[0], dtype=np.float32).reshape(ZONES, ZONES, 3))[None])[0]

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` with the buttons of its columns, where it has any."""
        buttons = column_buttons(scene, calibration.lattice)
        return replace(calibration, controls=buttons) if buttons else calibration

    def reader(self, calibration: Calibration, offset: Pixel) -> DiscReader:
        """A reader of cells by their patches."""
        return DiscReader(calibration, offset)


LOOK = Discs()


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A rectangle of places laid over a lattice of blobs, or where lines alone show them.

    blobs: the lattice of blobs, and the place on it of the rectangle's first one.
    seen: the share of its places where a blob was found; 0 where lines alone show them.
    """

    lattice: Lattice
    blobs: tuple[Repeat, Cell] | None = None
    seen: float = 0.0

    @property
    def count(self) -> float:
        """How many of its places show a blob."""
        return self.seen * self.lattice.rows * self.lattice.cols

    @property
    def beyond(self) -> float:
        """Blobs that lie outside of it on the same lattice, as a share of its places."""
        places = self.lattice.rows * self.lattice.cols
        return 0.0 if self.blobs is None else self.blobs[0].count / places - self.seen

    @property
    def beside(self) -> tuple[NDArray[np.bool_], ...]:
        """bool[cols] twice, bool[rows] twice: along its top, bottom, left and right side, where a blob was found."""
        rows, cols = self.lattice.rows, self.lattice.cols
        if self.blobs is None:
            return tuple(np.zeros(length, dtype=bool) for length in (cols, cols, rows, rows))
        repeat, (top, left) = self.blobs
        around = repeat.shown(top - 1, left - 1, rows + 2, cols + 2)
        return around[0, 1:-1], around[-1, 1:-1], around[1:-1, 0], around[1:-1, -1]

    def grown(self, top: int, foot: int, left: int, right: int) -> Laid:
        """With so many rows or columns more at its sides."""
        rows, cols = self.lattice.rows + top + foot, self.lattice.cols + left + right
        if self.blobs is not None:
            repeat, first = self.blobs
            larger = _laid(repeat, first.row - top, first.col - left, rows, cols)
            return replace(larger, lattice=replace(larger.lattice, gap=self.lattice.gap))
        origin = self.lattice.centre(Cell(-top, -left))
        return Laid(replace(self.lattice, origin=origin, rows=rows, cols=cols), seen=self.seen)


def _laid(repeat: Repeat, top: int, left: int, rows: int, cols: int) -> Laid:
    """The rectangle of that size whose first place is `top`, `left` of a lattice of blobs."""
    lattice = replace(repeat.lattice, origin=repeat.lattice.centre(Cell(top, left)), rows=rows, cols=cols)
    return Laid(lattice, (repeat, Cell(top, left)), repeat.inside(top, left, rows, cols) / (rows * cols))


@dataclass(frozen=True, eq=False)
class Stack:
    """A rectangle of cells read as a Connect Four board.

    laid: where its places lie.  grid: int8[rows, cols], 0 empty, 1, 2.
    patches: of the empty place and of each kind of piece seen.
    floating: pieces with nothing under them.
    odd: the share of the cells that are unlike their kind; pieces with one mark and one whole column count a quarter.
    sides: the share of the places beyond the top, bottom, left and right side that look like its own.
    ring: the worst of these; the row above counts only as a whole, for the next disc may wait there.
    reaching: where lines are drawn between the cells, the share of them that goes on to the outermost cells.
    seen: the share of the cells where a blob was found.  lined: the share of the lines between cells that is drawn.
    contrast: the least unlikeness of two of the patches.  sorts: how many different patches there are.
    framed: the share of the cells that are alike in their corners, where no piece reaches.
    header: 1 where the top row is none of the board's.
    """

    laid: Laid
    grid: NDArray[np.int8]
    patches: CellPatches
    floating: int
    odd: float
    ring: float
    sides: tuple[float, float, float, float]
    reaching: float
    seen: float
    lined: float
    contrast: float
    sorts: int
    framed: float
    header: float

    @property
    def lattice(self) -> Lattice:
        """Where its places lie."""
        return self.laid.lattice

    @cached_property
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""
        ones, twos = int((self.grid == 1).sum()), int((self.grid == 2).sum())
        across, down = self.lattice.pitch
        return {
            "usual": float(np.log(SIZES.get((self.lattice.rows, self.lattice.cols), UNUSUAL))),
            "unfair": min(6, max(0, abs(ones - twos) - 1)) / 3,
            "one sided": float(min(ones, twos) == 0 and ones + twos > 2),
            "floating": min(4, self.floating) / 2,
            "odd": min(0.3, self.odd) * 10,
            "ring": self.ring,
            "reaching": self.reaching,
            "seen": self.seen,
            "lined": self.lined,
            "pieces": float(np.log1p(ones + twos) / 3),
            "bare": float(ones + twos == 0),
            "borne": min(10, int((self.grid[:-1] > 0).sum())) / 10,
            "contrast": min(60.0, self.contrast) / 60,
            "sorts": min(SORTS, self.sorts) / SORTS,
            "stretched": abs(float(np.log(across / down))),
            "framed": self.framed,
            "beyond": min(0.5, self.laid.beyond),
            "header": self.header,
            "small": max(0.0, float(np.log(30 / min(across, down)))),
        }

    @property
    def explanation(self) -> str:
        """What speaks for and against it."""
        rows, cols = self.grid.shape
        return (
            f"{rows}x{cols} places, {int((self.grid > 0).sum())} pieces, {self.floating} of them floating, "
            f"{self.odd:.0%} of the cells odd, {self.ring:.0%} of the places beyond one side like its own"
        )


def _best_on(scene: Scene, repeat: Repeat, *, named: bool, blobs: bool = True) -> Iterator[Proposal]:
    """The likeliest board on a lattice; where it has no `blobs`, lines alone can show its places."""
    hollow = repeat.full < ROUND and _hollow(scene, repeat)
    if hollow and repeat.filled.mean() >= SHOWN:
        repeat, hollow = _discs_round(repeat), False
    places = [laid if blobs else Laid(laid.lattice) for laid in _rectangles(repeat)]
    most = max((laid.count for laid in places), default=0.0)
    read: list[tuple[Proposal, Stack]] = []
    for laid in places:
        stack = _stack(scene, laid)
        if stack is not None and (not hollow or (stack.grid > 0).any()):
            read.append((_proposal(scene, stack, named=named), stack))
            if read[-1][0].confidence >= CERTAIN and laid.count == most and max(stack.sides) <= GOES_ON:
                break
    if not hollow and not any(stack.laid.count == most for _, stack in read):
        holes = (_hole(laid, repeat.size) for laid in places if laid.seen >= HOLES)  # the frame round them may shine
        stacks = [stack for stack in (_stack(scene, hole) for hole in holes) if stack is not None]
        read += [(_proposal(scene, stack, named=named), stack) for stack in stacks]
    if read:
        yield _likeliest(scene, read, named=named)


def _likeliest(scene: Scene, read: list[tuple[Proposal, Stack]], *, named: bool) -> Proposal:
    """The likeliest of the boards on one lattice, or what each of them is a part of."""
    most = max(stack.seen * stack.grid.size for _, stack in read)
    shares = [1 - UNSEEN * (1 - stack.seen * stack.grid.size / most) for _, stack in read]
    ranked = sorted(zip(shares, read, strict=True), key=lambda one: -one[0] * one[1][0].confidence)
    found: list[tuple[float, Proposal]] = []
    for share, (own, stack) in ranked:
        other = _likelier(scene, own, stack, named=named)
        found.append((share * other.confidence, other))
        if other.confidence >= CERTAIN:
            break
    return max(found, key=lambda one: one[0])[1]


def _hollow(scene: Scene, repeat: Repeat) -> bool:
    """Whether the colour of blobs fills less of their boxes than discs do: JPEG frays even the outlines of discs."""
    across, down = repeat.lattice.pitch
    boxes = cell_patches(scene.pixels, repeat.lattice, (repeat.size[0] / across / 2, repeat.size[1] / down / 2))
    away = np.abs(boxes - middles(boxes)[:, :, None, None]).max(axis=-1)[repeat.filled]
    return bool(len(away)) and float((away <= np.median(away[:, [0, 0, -1, -1], [0, -1, 0, -1]]) / 2).mean()) < SHARP


def _discs_round(repeat: Repeat) -> Repeat:
    """The discs that touch each other where `repeat` is what shows between every four of them."""
    lattice, (across, down) = repeat.lattice, repeat.lattice.pitch
    origin = Pixel(lattice.origin.x - across / 2, lattice.origin.y - down / 2)
    discs = replace(lattice, origin=origin, rows=lattice.rows + 1, cols=lattice.cols + 1)
    return Repeat(discs, discs.pitch, np.ones((discs.rows, discs.cols), dtype=bool))


def _likelier(scene: Scene, own: Proposal, stack: Stack, *, named: bool) -> Proposal:
    """The larger board that `stack` is a part of, where that may be one: a row for dropping may be lined, too.

    Or the board without its top row, where this is a row of numbers or arrows; or `own`, which is what it is itself.
    """
    other = _stack(scene, stack.laid.grown(-1, 0, 0, 0)) if stack.header else _whole(scene, stack)
    if other is stack or other is None:
        return own
    found = _proposal(scene, other, named=named)
    least = LIKELY if stack.lined > LINED and not stack.header else min(own.confidence, SURE)
    return found if found.confidence > least else own


def _whole(scene: Scene, stack: Stack) -> Stack:
    """`stack`, or the larger board that it is a part of: where places like its own go on, and the lines between them.

    A few of the places that it has more may be odd: a pointer lies there.
    """
    while max(stack.grid.shape) <= MOST:
        top, foot, left, right = (int(side > GOES_ON) for side in stack.sides)
        top &= stack.lined > LINED or stack.sides[0] > ABOVE
        if not (top or foot or left or right):
            break
        larger = _stack(scene, stack.laid.grown(top, foot, left, right))
        if larger is None or larger.lined <= LINED < stack.lined:
            break
        more = larger.grid.size - stack.grid.size
        if larger.header or larger.odd * larger.grid.size - stack.odd * stack.grid.size > (1 - GOES_ON) * more:
            break
        stack = larger
    return stack


def _hole(laid: Laid, size: tuple[float, float]) -> Laid:
    """The same places, each as large as the blobs found there: what lies between these is not looked at."""
    across, down = laid.lattice.pitch
    return replace(laid, lattice=replace(laid.lattice, gap=(across - size[0], down - size[1])))


def _sampler(lattice: Lattice) -> Sampler:
    """Takes the patches of places with a little of what lies round them, or of the holes alone where there are gaps."""
    if lattice.gap == (0.0, 0.0):
        return Sampler(lattice, (REACH, REACH))
    reach = [INSIDE * (1 - gap / pitch) for gap, pitch in zip(lattice.gap, lattice.pitch, strict=True)]
    return Sampler(lattice, (reach[0], reach[1]))


def _proposal(scene: Scene, stack: Stack, *, named: bool) -> Proposal:
    confidence = chance(LOOK.name, stack.features, named=named)
    return Proposal(stack.lattice.box, stack.explanation, _calibration(scene, stack, confidence), stack.features)


def _rectangles(repeat: Repeat) -> list[Laid]:
    """The usual sizes laid over a lattice where most of its blobs fall inside."""
    lattice, count = repeat.lattice, repeat.count
    if not 0.6 <= lattice.pitch[0] / lattice.pitch[1] <= 1.6:
        return []
    found = []  # of two places that are as good the one is tried first on whose floor the lowest blobs lie
    for (rows, cols), usual in SIZES.items():
        down, right = lattice.rows - rows, lattice.cols - cols
        for top in range(min(0, down), max(0, down) + 1):
            for left in range(min(0, right), max(0, right) + 1):
                inside = repeat.inside(top, left, rows, cols)
                if _overlaps(repeat, top, left, rows, cols):
                    continue
                worth = inside - 0.8 * (count - inside) - 0.7 * (rows * cols - inside) + 25 * usual
                found.append((worth, -abs(top - down), rows, cols, top, left))
    found.sort(reverse=True)
    chosen = [_laid(repeat, -1, -1, lattice.rows + 2, lattice.cols + 2)] if _inner(repeat) else []
    of_size: Counter[tuple[int, int]] = Counter()
    for worth, _, rows, cols, top, left in found:
        if worth > 0 and of_size[rows, cols] < 2 and len(chosen) < RECTANGLES:
            of_size[rows, cols] += 1
            chosen.append(_laid(repeat, top, left, rows, cols))
    return chosen


def _inner(repeat: Repeat) -> bool:
    """Whether all cells between lines may be the inner ones of a board of a usual size without outer lines."""
    rows, cols = repeat.lattice.rows + 2, repeat.lattice.cols + 2
    return (rows, cols) in SIZES and repeat.filled.mean() >= SHOWN and _touching(repeat)


def _touching(repeat: Repeat) -> bool:
    """Whether nothing but lines lies between the blobs: they are no discs."""
    shares = [side / pitch for side, pitch in zip(repeat.size, repeat.lattice.pitch, strict=True)]
    return min(shares) >= TOUCHING and repeat.full >= SQUARE


def _overlaps(repeat: Repeat, top: int, left: int, rows: int, cols: int) -> bool:
    """Whether the top row or a side has hardly a blob where all the rest has them: numbers, arrows, a legend.

    The lowest row is not asked: it fills first, with pieces that may be no blobs.
    """
    inside = repeat.inside(top, left, rows, cols)
    high, wide = rows, cols
    if not _touching(repeat):  # else the outermost cells may lie between lines on three sides, and be no blobs
        high = min(top + rows, repeat.lattice.rows) - max(top, 0)  # beyond the lattice there are no blobs at all
        wide = min(left + cols, repeat.lattice.cols) - max(left, 0)
    sides = [(repeat.inside(top, left, 1, cols), cols, wide * (top >= 0))]
    for col in (left, left + cols - 1):
        sides += [(repeat.inside(top, col, rows, 1), rows, high * (0 <= col < repeat.lattice.cols))]
    return any(
        count <= STRAYS * length and inside - count >= SHOWN * (high * wide - on_lattice)
        for count, length, on_lattice in sides
    )


def _nets(scene: Scene) -> Iterator[Repeat]:
    """The cells between evenly spaced lines, dashed ones too: alone, or in a large even field."""
    for net in nets(scene):
        if max(net.rows, net.cols) <= MOST_PLACES:
            yield Repeat(net, net.pitch, np.ones((net.rows, net.cols), dtype=bool))
    for field in scene.fields:
        yield from _divided(scene, Box(*(float(value) for value in field)))


def _divided(scene: Scene, field: Box) -> Iterator[Repeat]:
    """The two usual sizes on whose lines the edges inside a field lie best, with or without a drop row."""
    x, y, width, height = (round(value) for value in field)
    inner = np.s_[y + EDGE : y + height - EDGE, x + EDGE : x + width - EDGE]
    across = scene.upright[inner].sum(axis=0, dtype=np.float64)
    down = scene.level[inner].sum(axis=1, dtype=np.float64)
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


def _stack(scene: Scene, laid: Laid) -> Stack | None:
    """Read the cells of a lattice as places and pieces; None where they show too many different things."""
    lattice = laid.lattice
    wider = Lattice(lattice.centre(Cell(-1, -1)), lattice.pitch, lattice.rows + 2, lattice.cols + 2, lattice.gap)
    everything = _sampler(wider).take(scene.pixels)
    cells = _unlit(everything[1:-1, 1:-1])
    if varied(cells, 3, MAIN):
        return None
    kinds = group(cells, APART, at_most=SORTS)
    if kinds is None or kinds.sizes[:3].sum() < MAIN * kinds.labels.size:
        return None
    mains, grid = _roles(kinds)
    looks = kinds.patches[mains]
    away = np.stack([unlikeness(cells, look) for look in looks]).min(axis=0)
    contrast = min((float(unlikeness(one, other)) for one, other in combinations(looks, 2)), default=3 * APART)
    if (grid[-1] > 0).all() and not (grid[:-1] > 0).any():
        return None  # what lies under a board that is empty
    inner, lesser, reaching, going = _lined(scene, wider)
    lined, seen = inner > LINED, max(laid.seen, inner)
    if not laid.seen and lesser < LINED:
        return None  # lines alone would show its cells, and half of them lie elsewhere
    if not lined and not (grid > 0).any() and _blank(scene.pixels, lattice):
        return None
    sides = (everything[0, 1:-1], everything[-1, 1:-1], everything[1:-1, 0], everything[1:-1, -1])
    nearest = (cells[0], cells[-1], cells[:, 0], cells[:, -1])
    alike = []
    for side, own, on, held in zip(sides, nearest, going, laid.beside, strict=True):
        pieces = _known(side, looks[1:])
        known = pieces | _known(side, looks[:1]) | (unlikeness(side, own) < APART)  # a frame may be shaded
        if known.any():
            known &= pieces | ~_specked(side, looks[0])
        if (lined and not on) or (not lined and laid.seen >= MAIN):
            known &= pieces | held  # the page may look like an empty place
        alike.append(float(known.mean()))
    ring = max(*alike[1:], float(alike[0] > ABOVE))
    above, below, left, right = alike
    strange = away > max(APART if lattice.gap == (0.0, 0.0) else SHINE, 0.4 * contrast)
    strange &= (kinds.labels != mains[0]) | (unlikeness(_shape(cells), _shape(looks[0])) >= APART)  # the page is shaded
    zone = 2 * REACH * min(lattice.pitch) / ZONES
    if (grid == 0).mean() >= MAIN and _written(cells[grid == 0], looks[0], zone):
        return None
    if not (grid > 0).any() and seen < SHOWN:
        return None
    dressed = strange & (grid > 0) & (kinds.sizes[kinds.labels] > 1)
    lit = strange.all(axis=0)  # the column under the pointer
    if lit.sum() == 1:
        dressed |= strange & lit
    odd = float(strange.mean() - 0.75 * dressed.mean())
    return Stack(
        laid,
        grid,
        looks,
        floating=_floating(grid),
        odd=odd,
        ring=ring,
        sides=(above, below, left, right),
        reaching=reaching if lined else 1.0,
        seen=seen,
        lined=inner,
        contrast=contrast,
        sorts=len(kinds.sizes),
        framed=_framed(cells),
        header=_header(cells, grid, looks[0]),
    )


def _unlit(cells: CellPatches) -> CellPatches:
    """The cells without the shade that the ground of one whole column has, the one that would be played."""
    if cells.shape[1] < 3:
        return cells
    ground = np.median(cells[:, :, [0, 0, -1, -1], [0, -1, 0, -1]], axis=2)
    beside = np.stack([ground[:, [1, *range(cells.shape[1] - 1)]], ground[:, [*range(1, cells.shape[1]), -2]]])
    shift = np.median(ground - beside.mean(axis=0), axis=0)
    col = int(np.abs(shift).max(axis=1).argmax())
    apart = (ground - beside)[:, :, col]
    steady = np.abs(apart - shift[col]).max(axis=(0, 2)) <= STEADY
    if not LIT[0] <= np.abs(shift[col]).max() <= LIT[1] or steady.mean() < SHOWN:
        return cells
    lit = cells[:, col]
    own = np.abs(lit - ground[:, col, None, None]).max(axis=-1, keepdims=True) <= STEADY
    unlit = cells.copy()
    unlit[:, col] = np.where(own, lit - shift[col], lit)
    return unlit


def _shape(some: CellPatches) -> CellPatches:
    """CellPatches without what all of their zones have in common."""
    return np.asarray(some - some.mean(axis=(-3, -2), keepdims=True), dtype=np.float32)


def _blank(pixels: Pixels, lattice: Lattice) -> bool:
    """Whether hardly any of the places differs in itself by more than noise, what lies between them included."""
    cells = cell_patches(pixels, replace(lattice, gap=(0.0, 0.0)), (0.5, 0.5))
    return float((np.ptp(cells, axis=(2, 3)).max(axis=-1) < APART).mean()) >= MAIN


def _written(places: CellPatches, empty: CellPatches, zone: float) -> bool:
    """Whether more than a few empty places have something small on them, such as the days of a calendar.

    In their middle this is so where they differ by more than a pixel more or less makes of the usual one.
    zone: pixels across a zone.
    """
    if not len(places):
        return False
    inner = np.s_[1:-1, 1:-1]
    specks = (np.abs(places - empty).max(axis=-1) - _slopes(empty) / zone)[:, *inner].reshape(len(places), -1)
    small = (specks.max(axis=1) > SPECK) & (np.median(specks, axis=1) < APART)
    return float((small | _specked(places, empty)).mean()) > WRITTEN


def _specked(places: CellPatches, empty: CellPatches) -> NDArray[np.bool_]:
    """bool[...]: which places are empty but for something small."""
    specks = np.abs(places - empty).max(axis=-1)[..., ~_rim(empty)]
    if not specks.size:
        return np.zeros(places.shape[:-3], dtype=bool)
    return np.asarray((specks.max(axis=-1) > SPECK) & (np.median(specks, axis=-1) < APART))


def _header(cells: CellPatches, grid: NDArray[np.int8], empty: CellPatches) -> float:
    """1 where the empty places of the top row differ from those below far more than others do: numbers, arrows."""
    places = grid == 0
    specked = places & _specked(cells, empty)
    if specked[0].sum() > GOES_ON * max(2, places[0].sum()) and specked[1:].sum() <= WRITTEN * places[1:].sum():
        return 1.0
    bare = places[1:] & places[:-1]
    steps = unlikeness(cells[1:], cells[:-1])
    if bare[0].sum() < 2 or not bare[1:].any():
        return 0.0
    return float(np.median(steps[0][bare[0]]) > max(APART, 3 * float(np.median(steps[1:][bare[1:]]))))


def _rim(patch: CellPatches) -> NDArray[np.bool_]:
    """bool[ZONES, ZONES]: where a patch changes to the next zone: half a pixel more or less makes specks there."""
    return np.asarray(_slopes(patch) > SPECK)


def _slopes(patch: CellPatches) -> NDArray[np.float32]:
    """float32[ZONES, ZONES]: how much a patch changes at most to the next zone."""
    across, down = np.abs(np.diff(patch, axis=1)).max(axis=-1), np.abs(np.diff(patch, axis=0)).max(axis=-1)
    slopes = np.zeros((ZONES, ZONES), dtype=np.float32)
    slopes[:, 1:] = across
    slopes[:, :-1] = np.maximum(slopes[:, :-1], across)
    slopes[1:] = np.maximum(slopes[1:], down)
    slopes[:-1] = np.maximum(slopes[:-1], down)
    return slopes


def _framed(cells: CellPatches) -> float:
    """The share of the cells with the same colour in each corner as most have there: what is round the pieces."""
    corners = cells[:, :, [0, 0, -1, -1], [0, -1, 0, -1]].reshape(-1, 4, 3)
    away = np.abs(corners - np.median(corners, axis=0)).max(axis=2)
    return float((away <= SHADING).all(axis=1).mean())


def _known(cells: CellPatches, looks: CellPatches) -> NDArray[np.bool_]:
    """Which cells look like one of `looks`."""
    known = np.zeros(cells.shape[:-3], dtype=bool)
    for look in looks:
        known |= unlikeness(cells, look) < APART
    return known


def _lined(scene: Scene, wider: Lattice) -> tuple[float, float, float, tuple[bool, ...]]:
    """How much of the lines between the cells is drawn, and how much of those that go up or across, whichever is less.

    Then on which part of them they reach the border, and where they go on.
    wider: the board with one place more on all sides.  The lines may go on beyond its top, bottom, left and right side.
    """
    upright, level = _drawn(scene, wider)
    inner = np.concatenate([upright[1:-1, 2:-2].ravel(), level[2:-2, 1:-1].ravel()])
    lesser = min(float(upright[1:-1, 2:-2].mean()), float(level[2:-2, 1:-1].mean()))
    ends = (level[2:-2, 1], level[2:-2, -2], upright[1, 2:-2], upright[-2, 2:-2])
    beyond = (upright[0, 2:-2], upright[-1, 2:-2], level[2:-2, 0], level[2:-2, -1])
    going = tuple(bool(lines.mean() > LINED) for lines in beyond)
    return float(inner.mean()), lesser, min(float(end.mean()) for end in ends), going


def _drawn(scene: Scene, lattice: Lattice) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """bool[rows, cols + 1] and bool[rows + 1, cols]: whether a line is drawn at the cells' left and upper borders."""
    near, far, least = ENDS
    middles = borders(scene, lattice, broad=NARROW, middle=near)
    sides = borders(scene, lattice, broad=NARROW, middle=far)
    upright, level = (
        (side >= DASHED) & (far * side - near * middle >= least * (far - near))
        for side, middle in zip(sides, middles, strict=True)
    )
    return upright, level


def _floating(grid: NDArray[np.int8]) -> int:
    return int(((grid[:-1] > 0) & (grid[1:] == 0)).sum())


def _roles(kinds: Kinds) -> tuple[list[int], NDArray[np.int8]]:
    """Which kinds are the empty place and the pieces (most of them first), and the grid that follows: 0, 1 or 2.

    Every choice is tried; the best one leaves no piece floating, as many pieces of one player as of the other, and
    few cells unlike their kind.
    """
    count = len(kinds.sizes)
    apart = np.stack([unlikeness(kinds.patches, patch) for patch in kinds.patches])
    choices = []
    for empty in sorted({*range(min(count, EMPTIES)), *_things(kinds)[:EMPTIES]}):
        others = [
            kind
            for kind in range(min(count, 6))
            if kind != empty and _piece(kinds.patches[kind], int(kinds.sizes[kind]), kinds.patches[empty])
        ]
        for players in [(), *((kind,) for kind in others), *combinations(others, 2)]:
            unlike = np.minimum(apart[:, [empty, *players]].min(axis=1), 40.0)
            choices.append((float(unlike @ kinds.sizes / kinds.sizes.sum()) + 0.2 * len(players), [empty, *players]))
    parts = cache(lambda empty, piece: _parts(kinds.patches, kinds.patches[empty], kinds.patches[piece]))
    best: tuple[float, list[int], NDArray[np.int8]] | None = None
    for least, mains in sorted(choices)[:CHOICES]:
        if best is not None and least >= best[0]:
            break
        grid = _sorted(kinds, apart, mains, parts)
        uneven = abs(int((grid == 1).sum()) - int((grid == 2).sum()))
        cost = least + 6 * _floating(grid) + 3 * max(0, uneven - 1)
        if best is None or cost < best[0]:
            best = (cost, mains, grid)
    assert best is not None
    return best[1], best[2]


def _things(kinds: Kinds) -> list[int]:
    """The kinds that are not another one, which more cells show, with a mark on it."""
    found: list[int] = []
    for kind, patch in enumerate(kinds.patches):
        if all(_spread(patch, kinds.patches[other]) >= SPREAD for other in found):
            found.append(kind)
    return found


def _sorted(
    kinds: Kinds, apart: NDArray[np.float32], mains: list[int], parts: Callable[[int, int], NDArray[np.float32]]
) -> NDArray[np.int8]:
    """What each cell stands for: its nearest main kind; half a piece is a preview, but under a piece it is a piece."""
    nearest = np.asarray(apart[:, mains].argmin(axis=1), dtype=np.int8)
    roles = nearest.copy()
    for kind in np.flatnonzero(nearest):
        if kind not in mains:
            whole = parts(mains[0], mains[nearest[kind]])[kind]
            roles[kind] = nearest[kind] if whole >= GHOST else 0
    grid, under = roles[kinds.labels], nearest[kinds.labels]
    for row in range(1, len(grid)):
        borne = (grid[row] == 0) & (grid[row - 1] > 0)
        grid[row][borne] = under[row][borne]
    return grid


def _piece(patch: CellPatches, count: int, empty: CellPatches) -> bool:
    """Whether a patch that `count` cells show can be a piece's: it differs from the empty place all over, or evenly."""
    if _spread(patch, empty) >= SPREAD:
        return count > 1 or _even(patch, empty)
    return count >= SEVERAL and _spread(patch, empty) >= OUTLINE


def _spread(patch: CellPatches, empty: CellPatches) -> float:
    """The share of the cell's middle where a patch differs from the empty place."""
    return float((np.abs(patch - empty).max(axis=-1)[1:-1, 1:-1] > 10).mean())


def _even(patch: CellPatches, empty: CellPatches) -> bool:
    """Whether what differs from the empty place is about its own mirror image, as a pointer's never is."""
    strength = np.abs(patch - empty).max(axis=-1)
    return bool(np.abs(strength - strength[:, ::-1]).sum() < UNEVEN * strength.sum())


def _parts(some: CellPatches, empty: CellPatches, piece: CellPatches) -> NDArray[np.float32]:
    """float32[n]: how far on the way from the empty place to the piece each of n patches is.

    It is the median over the zones where these two differ.
    """
    way = (piece - empty).reshape(-1, 3)
    length = (way**2).sum(axis=1)
    told = length > 0.25 * length.max()
    change = (some - empty).reshape(len(some), -1, 3)[:, told]
    return np.asarray(np.median((change * way[told]).sum(axis=2) / length[told], axis=1))


def _calibration(scene: Scene, stack: Stack, confidence: float) -> Calibration:
    bare = Calibration(
        game="connect_four",
        lattice=stack.lattice,
        palette=(),
        size=(scene.width, scene.height),
        controls=_columns(scene.pixels, stack),
        confidence=confidence,
        look=LOOK.name,
    )
    return _with_patches(bare, stack.patches)


def _with_patches(calibration: Calibration, looks: CellPatches) -> Calibration:
    """`calibration` with the patches of the kinds, and the colours of their middles for a palette."""
    middles = np.median(looks[:, 2:4, 2:4].reshape(len(looks), -1, 3), axis=1)
    seen = tuple(_colours(patch.reshape(-1, 3)) for patch in looks)
    return replace(calibration, palette=_colours(middles), patches=seen)


def _open(cells: CellPatches, empty: CellPatches) -> NDArray[np.bool_]:
    """bool[rows, cols]: whether cells that look empty in their middle show the board about it, as the empty place does.

    Holes that show the page look like any page or note of its colour that lies over them.
    """
    inner, corners = middles(cells), cells[..., [0, 0, -1, -1], [0, -1, 0, -1], :]
    due = np.abs(middles(empty) - empty[[0, 0, -1, -1], [0, -1, 0, -1]]).max(axis=-1)
    if due.min() < TOLD:
        return np.ones(cells.shape[:2], dtype=bool)
    shown = np.abs(inner[..., None, :] - corners).max(axis=-1) >= due / 3
    alike = np.abs(inner - middles(empty)).max(axis=-1) < SAME
    return np.asarray(~alike | (shown.sum(axis=-1) >= len(due) - 1))


def _columns(pixels: Pixels, stack: Stack) -> dict[str, Pixel]:
    """Where a column is clicked: at its top place, which is free whenever the column can be played, or above that.

    Above only where the board's own ground goes on there and not at its sides, as it does under a row for dropping:
    elsewhere the page begins, and nobody knows what a click does.
    """
    lattice, ground = stack.lattice, _ground(stack.patches[0])
    places = {f"column:{col}": lattice.centre(Cell(0, col)) for col in range(lattice.cols)}
    above = {f"above:{col}": lattice.centre(Cell(-1, col)) for col in range(lattice.cols)}
    sides = [lattice.centre(Cell(lattice.rows // 2, col)) for col in (-1, lattice.cols)]
    goes_on = all(_shows(pixels, at, ground) for at in above.values())
    return places | above if goes_on and not any(_shows(pixels, at, ground) for at in sides) else places


def _shows(pixels: Pixels, at: Pixel, colour: NDArray[np.float32]) -> bool:
    """Whether the picture shows a colour at a place; not outside of the picture."""
    x, y = round(at.x), round(at.y)
    inside = 0 <= x < pixels.shape[1] and 0 <= y < pixels.shape[0]
    return inside and bool(np.abs(pixels[y, x] - colour).max() < SAME)


def _ground(empty: CellPatches) -> NDArray[np.float32]:
    """float32[3]: the colour of the corners of the empty place."""
    return np.asarray(np.median(empty[[0, 0, -1, -1], [0, -1, 0, -1]], axis=0))


def _colours(values: NDArray[np.float32]) -> CellPatch:
    return tuple((int(red), int(green), int(blue)) for red, green, blue in np.rint(values))


Part = tuple[slice, slice] | NDArray[np.bool_]


def _led_to(cells: CellPatches, empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[rows, cols]: `empty` places and those that look like one beside them, and so on: the page may be shaded."""
    across = unlikeness(cells[:, 1:], cells[:, :-1]) < APART
    down = unlikeness(cells[1:], cells[:-1]) < APART
    led, before = empty.copy(), -1
    while led.sum() != before:
        before = int(led.sum())
        led[:, 1:] |= led[:, :-1] & across
        led[:, :-1] |= led[:, 1:] & across
        led[1:] |= led[:-1] & down
        led[:-1] |= led[1:] & down
    return led


class DiscReader:
    """Reads a Connect Four board again and again, and learns the pieces that its calibration has not seen yet."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        if not calibration.patches:
            raise SettingsError("the calibration lacks the face of an empty place (faces): calibrate anew")
        self._calibration = calibration
        self._whole = calibration.lattice.gap == (0.0, 0.0)  # what lies about the places is seen, too
        self._sampler = _sampler(calibration.lattice.moved(Pixel(-offset.x, -offset.y)))
        self._known = [np.array(patch, dtype=np.float32).reshape(ZONES, ZONES, 3) for patch in calibration.patches]

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now: 0 empty, 1, 2; cells that are covered or like nothing known are UNREAD."""
        cells = self._sampler.take(frame.pixels)
        if self._whole:
            cells = _unlit(cells)
        grid, confidence = self._match(cells)
        if len(self._known) < 3 and (grid == UNREAD).any():
            self._learn(cells, grid == UNREAD)
            grid, confidence = self._match(cells)
        self._bear(cells, grid)
        if self._whole:
            grid[(grid == 0) & ~_open(cells, self._known[0])] = UNREAD
        return Observation(grid, confidence)

    def learned(self) -> Calibration:
        """The calibration with the patches of the pieces seen since."""
        if len(self._known) == len(self._calibration.patches):
            return self._calibration
        return _with_patches(self._calibration, np.stack(self._known))

    def _bear(self, cells: CellPatches, grid: NDArray[np.int8]) -> None:
        """What lies under a piece is a piece, however little of it can be seen: the one of which more zones show.

        Nothing is not what lies there: something like an empty place covers it.
        """
        hollow = np.zeros(grid.shape[1], dtype=bool)
        for row in range(1, len(grid)):
            hollow = (grid[row] == 0) & (hollow | (grid[row - 1] > 0))
            grid[row, hollow] = UNREAD
            for col in np.flatnonzero((grid[row] == UNREAD) & (grid[row - 1] > 0) & ~hollow):
                parts = self._alike(cells[row, col])[1:]
                if len(parts) == 1 or parts.min() < parts.max():
                    grid[row, col] = 1 + int(parts.argmax())

    def _match(self, cells: CellPatches) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """The nearest known kind of each cell and its margin; previews of pieces are empty places."""
        away = np.stack([unlikeness(cells, patch) for patch in self._known], axis=-1)
        ordered = np.sort(np.concatenate([away, np.full((*away.shape[:2], 1), 120.0)], axis=-1), axis=-1)
        margin = (ordered[..., 1] - ordered[..., 0]) / (ordered[..., 1] + ordered[..., 0] + 1e-6)
        grid = away.argmin(axis=-1).astype(np.int8)
        doubtful = ordered[..., 0] > self._reach()
        if doubtful.any():
            shaded = doubtful & _led_to(cells, (grid == 0) & ~doubtful)
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
        if len(self._known) == 2 and self._of_other_player(patch):
            return UNREAD
        same = self._alike(patch, self._telling())
        if same.max() > 0.5 and (same > same.max() - 0.15).sum() == 1:
            return int(same.argmax())
        inner = self._alike(patch, np.s_[1:-1, 1:-1])
        if inner.max() >= 0.75 and (inner > 0.5).sum() == 1:  # only its rim is drawn otherwise
            return int(inner.argmax())
        parts = [float(_parts(patch[None], self._known[0], piece)[0]) for piece in self._known[1:]]
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
        least = 0.5 if _even(patch, self._known[0]) else SIGN
        return part >= least and away[0] < CLOSER * away[1] and faded > APART  # else it is a preview

    def _telling(self) -> NDArray[np.bool_]:
        """bool[ZONES, ZONES]: where the known kinds differ; all over where one is known."""
        apart = np.ptp(np.stack(self._known), axis=0).max(axis=-1) >= SAME
        return np.asarray(apart if apart.any() else ~apart)

    def _alike(self, patch: CellPatches, part: Part = np.s_[:, :]) -> NDArray[np.float64]:
        """float64[kinds]: the share of a cell's zones, or of those in a part of it, that show each known kind."""
        return np.array([(np.abs(patch[part] - known[part]).max(axis=-1) < SAME).mean() for known in self._known])

    def _of_other_player(self, patch: CellPatches) -> bool:
        """Whether a cell shows a piece that is none of the one player's whose pieces are known."""
        empty, known = self._known
        far = OTHER * float(unlikeness(known, empty))
        away = min(float(unlikeness(patch, known)), float(unlikeness(patch, empty)))
        return away > far and _piece(patch, 2, empty) and _even(patch, empty)

    def _learn(self, cells: CellPatches, strange: NDArray[np.bool_]) -> None:
        """Take the commonest strange patches that lie as pieces do for the pieces not seen before."""
        below = np.vstack([strange[1:], np.ones((1, strange.shape[1]), dtype=bool)])
        resting = strange & (below | (np.roll(self._match(cells)[0], -1, axis=0) > 0))
        if resting.any():
            kinds = group(cells[resting][None], APART, at_most=SORTS)
            empty, found = self._known[0], [] if kinds is None else list(zip(kinds.patches, kinds.sizes, strict=True))
            fresh = [patch for patch, size in found if _piece(patch, int(size), empty)]
            self._known += fresh[: 3 - len(self._known)]
