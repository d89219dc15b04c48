"""Quoridor: equal cells with grooves between them, two pawns, and walls that fill grooves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import dist
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.board import Calibration, Colour, Lattice
from calibration.cell_patches import (
    ZONES,
    CellPatches,
    Changed,
    Changes,
    Kinds,
    Sampler,
    group,
    median,
    unlikeness,
    varied,
)
from calibration.confidence import chance
from calibration.frame import Frame, Pixel, Pixels
from calibration.look import Proposal
from calibration.repeats import Repeat
from calibration.scene import Scene
from calibration.strokes import Strokes
from calibration.walls import (
    MOST_WALLS,
    Colours,
    Edges,
    Lying,
    Wall,
    edges_of,
    lying,
    overlaid,
    places,
    smooth,
    whole_walls,
)
from games.core import UNREAD, Cell, Observation

SIZES = {9: 1.0, 7: 0.8, 5: 0.7, 11: 0.7}
"""How usual the sizes are; the published game has 9 x 9 cells."""

UNUSUAL = 0.02
"""How usual any other size is, where a person points at a board of it."""

NARROWEST, THIN, WIDEST = 0.003, 0.055, 0.6
"""The parts of the pitch that grooves take; thin ones are lines, over which walls lie that are wider than they."""

NARROW = 8.0
"""Pixels. Grooves narrower than that are seen as lines are, pixel by pixel."""

BLURRED, FAINTEST = 2.0, 6.0
"""Pixels by which a groove must look narrower than blobs say to be taken so, and the least change that is a groove.
"""

PIECE = 0.3
"""How far from a cell's middle the groove beside it is looked at, in pitches: clear of what crosses it."""

ANEW = 0.5
"""The share of a board's rows of pixels that change where all of it is learned anew: it may have faded in, or moved."""

PATCH, LINED_PATCH = 0.44, 0.38
"""How far from its middle a cell is looked at, as a part of its width; where walls lie over lines."""

CLOSER = 0.5
"""The part of a patch that is looked at where nothing is seen to stand on cells: marks as small as a letter."""

FOUND = 0.6
"""The share of the cells that are found as blobs at least, where no others are: walls may hide some."""

GUESSES = 3
"""How many widths of the grooves are tried where a person points at a board."""

APART = 7.0
"""Unlikeness from which two cells show different things; noise and shading stay under 5."""

MOST_KINDS = 30
"""More different cells than tints, pawns, previews and a pointer make: a page of icons or numbers."""

BARE = 0.5
"""The share of the cells with nothing on them, in one or two tints, at least."""


FAINT = 15.0
"""The mean change of a cell's middle from which something stands on it; a star on a pale pawn's disc changes 25."""


SAME = 30.0
"""RGB distance within which two things on cells are of one colour; the pawns of a game lie farther apart."""


TAKEN = 2
"""Cells of a goal row of its own tint on which something may stand: the others look alike."""

FEWEST_TINTED = 3
"""Cells of one tint that lie in a row of goals alone: in a row of two tints there are four of one, and maybe a pawn."""

LOPSIDED = 0.7
"""How much less what is all on one side of a cell counts as a pawn."""

FEWEST_HINTS, ALIKE = 2, 20.0
"""Marks of where a pawn may go, of which a pawn in the open has three or four; and how unlike they may be."""

FILLED = 3
"""As many of them where pawns may seem pale beside them: filled cells."""

RIMMED = 30.0
"""How far, in the channel that differs most, the rim of a filled cell may lie off its colour.

Blur takes parts of it past 20; that of cells which a note covers in part lies past 40.
"""

PAIRED = 6
"""Things on cells that stand out most, among which the two pawns are looked for."""

UNSHARP = 5.0
"""How far beside the way from the cell to a pawn's colour a ghost's may lie by the noise of JPEG."""

UNLIKE = 0.6
"""How much less a pair of things with nothing of their forms in common may be the pawns: one is a pointer."""


class Grooves:
    """The look of Quoridor."""

    name = "grooves"
    games = ("quoridor",)
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best board on each lattice of equal blobs with room between them."""
        for repeat in scene.repeats[:8]:
            laid = ((CourtSampler(_narrowed(scene.pixels, lattice)), seen) for lattice, seen in _squares(repeat))
            read = (sampler.court(scene.pixels, seen) for sampler, seen in laid)
            courts = [court for court in read if court is not None]
            if courts:
                yield _likeliest(scene, courts, named=game is not None)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """None."""
        return iter(())

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells, with the grooves that explain most of what lies between them."""
        if lattice.rows != lattice.cols:
            return None
        gaps = [lattice.gap] if lattice.gap != (0.0, 0.0) else _gaps(scene, lattice)
        boards = [replace(lattice, gap=gap) for gap in gaps]
        read = (CourtSampler(board).court(scene.pixels, 1.0) for board in boards)
        courts = [court for court in read if court is not None]
        return _likeliest(scene, courts, named=game is not None) if courts else None

    def ground(self, calibration: Calibration) -> Colour | None:
        """The bare grooves' colour."""
        return calibration.palette[1]

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` as it is."""
        return calibration

    def reader(self, calibration: Calibration, offset: Pixel) -> CourtReader:
        """A reader of pawns and walls."""
        return CourtReader(calibration, offset)


LOOK = Grooves()


@dataclass(frozen=True, eq=False)
class Court:
    """A square of cells read as a Quoridor board.

    pawns: their cells, the more certain first.  walls: as they lie.  odd: places of grooves, in an Observation's grid,
    on which something lies that is no whole wall.  bare: the share of cells that look like the commonest.
    strangers: the cells on which something is that is no pawn and no ghost of one, with its colour.
    even: the share of grooves that are bare or part of a wall.  seen: the share of cells found as blobs.
    sorts: how many different cells there are.  grooves: the colours of what lies between them.
    palette: the colours of the cells, of the bare grooves and of the pawns.
    """

    lattice: Lattice
    pawns: tuple[Cell, ...]
    walls: tuple[Wall, ...]
    odd: tuple[Cell, ...]
    bare: float
    strangers: Mapping[Cell, Colour]
    even: float
    seen: float
    sorts: int
    grooves: Colours
    palette: tuple[Colour, ...]

    @cached_property
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""
        middle, ground = self.palette[:2]
        return {
            "usual": float(np.log(SIZES.get(self.lattice.rows, UNUSUAL))),
            "two": float(len(self.pawns) == 2),
            "strangers": min(6, len(self.strangers)) / 2,
            "bare": self.bare,
            "uneven": 1 - self.even,
            "seen": self.seen,
            "walls": float(np.log1p(len(self.walls)) / 3),
            "none": float(not self.walls),
            "too many": float(len(self.walls) > MOST_WALLS),
            "sorts": min(MOST_KINDS, self.sorts) / 10,
            "smooth": smooth(self.grooves, np.array(ground, dtype=np.float32)),
            "contrast": min(60.0, max(abs(one - other) for one, other in zip(middle, ground, strict=True))) / 60,
            "gap": float(self.lattice.gap[0] / self.lattice.pitch[0]),
            "level": float(np.abs(np.log(self.lattice.pitch[0] / self.lattice.pitch[1])) * 20),
        }

    @property
    def explanation(self) -> str:
        """What speaks for and against it."""
        return (
            f"{self.lattice.rows}x{self.lattice.cols} cells, {self.bare:.0%} of them bare, {len(self.pawns)} pawns, "
            f"{len(self.strangers)} more things, {len(self.walls)} walls, {self.even:.0%} of the grooves explained"
        )


def _likeliest(scene: Scene, courts: list[Court], *, named: bool) -> Proposal:
    chances = [chance(LOOK.name, court.features, named=named) for court in courts]
    court, confidence = courts[int(np.argmax(chances))], max(chances)
    return Proposal(court.lattice.box, court.explanation, _calibration(scene, court, confidence), court.features)


def _gaps(scene: Scene, lattice: Lattice) -> list[tuple[float, float]]:
    """The likeliest widths of the grooves: where, beside the cells' middles, most edges run on both sides."""
    x, y, width, height = (round(value) for value in lattice.box)
    part = np.s_[max(0, y) : max(1, y + height), max(0, x) : max(1, x + width)]
    bins = np.linspace((1 - WIDEST) / 2, (1 - NARROWEST) / 2, 25)
    edges = np.zeros(len(bins) - 1)
    for axis, profile in enumerate((scene.upright[part].mean(axis=0), scene.level[part].mean(axis=1))):
        places = (np.arange(len(profile)) + max(0, (x, y)[axis]) - lattice.origin[axis]) / lattice.pitch[axis]
        edges += np.histogram(np.abs(places - np.rint(places)), bins, weights=profile)[0]
    best = np.argsort(-edges, kind="stable")[:GUESSES]
    shares = 1 - (bins[best] + bins[best + 1])
    return [(float(share) * lattice.pitch[0], float(share) * lattice.pitch[1]) for share in shares]


def _squares(repeat: Repeat) -> Iterator[tuple[Lattice, float]]:
    """The usual squares laid over a lattice, the best filled first, with the share of filled places."""
    lattice, count = repeat.lattice, repeat.count
    if not 0.9 <= lattice.pitch[0] / lattice.pitch[1] <= 1.1:
        return
    found = []
    for side in SIZES:
        down, right = lattice.rows - side, lattice.cols - side
        for top in range(min(0, down), max(0, down) + 1):
            for left in range(min(0, right), max(0, right) + 1):
                inside = repeat.inside(top, left, side, side)
                found.append((2.5 * inside - 1.5 * count - 0.8 * side * side, inside, side, top, left))
    found.sort(reverse=True)
    for place, (worth, inside, side, top, left) in enumerate(found[:2]):
        if worth > 0 or (place == 0 and inside == count and inside >= FOUND * side * side):
            gap = (lattice.pitch[0] - repeat.size[0], lattice.pitch[1] - repeat.size[1])
            yield Lattice(lattice.centre(Cell(top, left)), lattice.pitch, side, side, gap), inside / side**2


def _narrowed(pixels: Pixels, lattice: Lattice) -> Lattice:
    """`lattice` with grooves as narrow as they look: of a blurred cell a smaller blob is found than it is."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    widths = (
        _width(pixels.swapaxes(0, 1), lattice.cols, (x, y), (across, down)),
        _width(pixels, lattice.rows, (y, x), (down, across)),
    )
    gap = tuple(new if new < old - BLURRED else old for old, new in zip(lattice.gap, widths, strict=True))
    return replace(lattice, gap=(gap[0], gap[1]))


def _width(pixels: Pixels, count: int, origin: tuple[float, float], pitch: tuple[float, float]) -> float:
    """How many pixels high the grooves are between `count` rows of as many cells: where most differ from the cells.

    origin, pitch: of the lattice, down and along.
    """
    reach = round(pitch[0] / 3)
    rows = _rows_about(pixels, count, origin[0], pitch[0], reach)
    places = origin[1] + pitch[1] * (np.arange(count)[:, None] + np.array([-0.15, 0.0, 0.15])).ravel()
    columns = np.clip(np.floor(places).astype(np.intp), 0, pixels.shape[1] - 1)
    strips = pixels[rows[:, :, None], columns].astype(np.float32)
    beside = (strips[:, :1] + strips[:, -1:]) / 2
    change = np.median(np.abs(strips - beside).max(axis=3), axis=(0, 2))
    high = np.flatnonzero(change > max(FAINTEST, 0.5 * float(change.max())))
    return float(high[-1] - high[0] + 1) if len(high) else float("inf")


def _rows_about(pixels: Pixels, count: int, origin: float, pitch: float, reach: int) -> NDArray[np.intp]:
    """intp[count - 1, 2 * reach + 1]: the rows of pixels about the middle between each two of `count` rows of cells."""
    middles = np.floor(origin + pitch * (np.arange(count - 1) + 0.5)).astype(np.intp)
    return np.asarray(np.clip(middles[:, None] + np.arange(-reach, reach + 1), 0, len(pixels) - 1), dtype=np.intp)


class CourtSampler:
    """Reads a lattice as a Quoridor board in picture after picture, anew what lies on cells or grooves that changed."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        gap = np.array(lattice.gap) / lattice.pitch
        self._fits = bool(gap.min() >= NARROWEST and gap.max() <= WIDEST)
        reach = (1 - gap) * np.where(gap < THIN, LINED_PATCH, PATCH)
        self._cells = Sampler(lattice, (float(reach[0]), float(reach[1])))
        fine = gap.max() < THIN or max(lattice.gap) < NARROW
        self._grooves = Strokes(lattice) if fine else _Grooves(lattice, gap)
        self._centres = Sampler(lattice, (float(reach[0]) * CLOSER, float(reach[1]) * CLOSER))
        self._changes = Changes(lattice.box)
        self._court: Court | None = None
        self._seen: tuple[CellPatches, _Standing | None] | None = None
        self._lay: tuple[Colours, NDArray[np.bool_], Lying] | None = None

    def court(self, pixels: Pixels, seen: float) -> Court | None:
        """What `pixels` show; None where its cells leave no room for walls or have nothing in common."""
        if not self._fits:
            return None
        changed = self._changes.take(pixels)
        if changed is not None and changed.rows[-1] > ANEW * self.lattice.box.height:
            changed = None
        if changed is None or changed or self._court is None:
            self._court = self._read(pixels, changed, seen)
        return self._court

    def _read(self, pixels: Pixels, changed: Changed | None, seen: float) -> Court | None:
        cells = self._cells.take(pixels, changed)
        if self._seen is None or self._seen[0] is not cells:
            self._seen = cells, self._standing(pixels, cells)
        on = self._seen[1]
        grooves = self._grooves.take(pixels, changed)
        if on is None:
            return None
        if self._lay is None or self._lay[0] is not grooves or not np.array_equal(self._lay[1], on.filled):
            self._lay = grooves, on.filled, lying(grooves, on.filled, None if self._lay is None else self._lay[2])
        between = self._lay[2]
        under = overlaid(between.walls, grooves, on.edges)
        return Court(
            self.lattice,
            on.pawns,
            tuple(wall for wall in between.walls if wall not in under),
            (*between.odd, *(place for wall in under for place in places(wall))),
            bare=on.bare,
            strangers=on.strangers,
            even=between.even,
            seen=seen,
            sorts=on.sorts,
            grooves=grooves,
            palette=(_rgb(on.middle), _rgb(between.ground), *on.pawn_colours),
        )

    def _standing(self, pixels: Pixels, cells: CellPatches) -> _Standing | None:
        """What is on the cells, from nearer by where no two pawns are seen: they may be single letters."""
        on = _standing(cells)
        if on is None or len(on.pawns) == 2:
            return on
        closer = _standing(self._centres.take(pixels))
        if closer is None or len(closer.pawns) < 2:
            return on
        return replace(on, pawns=closer.pawns, pawn_colours=closer.pawn_colours, strangers=closer.strangers)


@dataclass(frozen=True, slots=True, eq=False)
class _Standing:
    """What is on the cells.  See `Court`.

    pawn_colours: the colours of the pawns.  middle: that of the commonest cells.
    filled: bool[rows, cols], cells marked as places where a pawn may go.
    """

    edges: Edges
    filled: NDArray[np.bool_]
    pawns: tuple[Cell, ...]
    strangers: Mapping[Cell, Colour]
    pawn_colours: tuple[Colour, ...]
    bare: float
    sorts: int
    middle: NDArray[np.float32]


def _standing(cells: CellPatches) -> _Standing | None:
    """What is on these cells; None where they have nothing in common."""
    if varied(cells, 2, BARE):
        return None
    kinds = group(cells, APART, at_most=MOST_KINDS)
    if kinds is None:
        return None
    plain = _plain(kinds)
    if not plain.any():
        return None
    bare = cells.copy()
    for row, col in np.argwhere(~plain):
        bare[row, col] = _ground(cells, plain, int(row), int(col))
    standing, strangers, hints = _pawns(cells, plain, bare)
    filled = np.zeros_like(plain)
    for cell in hints:
        filled[cell] = _to_the_rim(cells[cell])
    return _Standing(
        edges_of(cells, bare, plain, filled),
        filled,
        tuple(standing),
        {cell: _centre_colour(cells[cell]) for cell in strangers},
        tuple(_centre_colour(cells[pawn]) for pawn in standing),
        bare=float(plain.mean()),
        sorts=len(kinds.sizes),
        middle=median(cells[kinds.labels == 0].reshape(-1, 3), axis=0),
    )


def _plain(kinds: Kinds) -> NDArray[np.bool_]:
    """bool[rows, cols]: cells with nothing on them, of the commonest kinds or of a goal row's own."""
    rows, cols = kinds.labels.shape
    common = kinds.sizes >= rows - TAKEN
    if not common.any():
        return np.zeros((rows, cols), dtype=np.bool_)
    for row in (kinds.labels[0], kinds.labels[-1], kinds.labels[:, 0], kinds.labels[:, -1]):
        held = np.bincount(row, minlength=len(common))
        common |= (held == kinds.sizes) & (held >= FEWEST_TINTED)
    return np.isin(kinds.labels, np.flatnonzero(common))


def _rgb(colour: NDArray[np.float32]) -> Colour:
    red, green, blue = colour.tolist()
    return round(red), round(green), round(blue)


def _centre_colour(patch: NDArray[np.float32]) -> Colour:
    """The colour in the middle of a cell."""
    return _rgb(median(patch[2:4, 2:4].reshape(-1, 3), axis=0))


def _to_the_rim(cell: NDArray[np.float32]) -> bool:
    """Whether the rim of a cell, float32[zones, zones, 3], has one colour: that of a cell covered in part has two."""
    rim = np.concatenate([cell[[0, -1]].reshape(-1, 3), cell[:, [0, -1]].reshape(-1, 3)])
    return bool((np.abs(rim - median(rim, axis=0)).max(axis=1) <= RIMMED).all())


def _pawns(
    cells: CellPatches, plain: NDArray[np.bool_], bare: CellPatches
) -> tuple[list[Cell], list[Cell], list[Cell]]:
    """The two cells of like form that stand out most and are no ghosts of each other, others that do, and hints."""
    rows, cols = plain.shape
    change = cells - bare
    inner = change[:, :, 1:-1, 1:-1]
    strength = np.abs(inner).max(axis=-1).reshape(rows, cols, -1)
    strong = strength.mean(axis=2) * _symmetry(change)
    tint = np.zeros((rows, cols, 3))
    for row, col in np.argwhere(~plain):
        top = np.argsort(strength[row, col])[-4:]
        tint[row, col] = inner[row, col].reshape(-1, 3)[top].mean(axis=0)
    order = [Cell(int(r), int(c)) for r, c in np.argwhere(~plain & (strong > FAINT))]
    order.sort(key=lambda cell: -strong[cell])
    pale = {one for one in order for other in order if _reached(one, other) and _ghost(tint[one], tint[other])}
    vivid = [cell for cell in order if cell not in pale]
    hints = _hints(order, cells, fewest=FILLED) or _hints(vivid, cells, fewest=FEWEST_HINTS)
    order = [cell for cell in order if cell not in hints]
    forms = strength > 0.5 * strength.max(axis=2, keepdims=True)
    pairs = {
        (one, other): float(strong[one] * strong[other]) * (1 - UNLIKE * (1 - _overlap(forms[one], forms[other]))) ** 2
        for one, other in combinations(order[:PAIRED], 2)
        if not (_reached(one, other) and _ghost(tint[other], tint[one]))
    }
    pawns = list(max(pairs, key=lambda pair: pairs[pair], default=order[:2]))
    least = 0.5 * min((float(strong[pawn]) for pawn in pawns), default=0.0)
    strangers = [
        cell
        for cell in order
        if cell not in pawns
        and strong[cell] > least
        and not any(_reached(cell, pawn) and _ghost(tint[cell], tint[pawn]) for pawn in pawns)
    ]
    return pawns, strangers, hints


def _hints(things: list[Cell], cells: CellPatches, *, fewest: int) -> list[Cell]:
    """Those of the things on cells that show where a pawn may go: all that look alike, where they lie about another.

    The pawn in their middle may look like them: they are its ghosts.
    """
    for one in things:
        like = [cell for cell in things if unlikeness(cells[one], cells[cell]) <= ALIKE]
        middle = [pawn for pawn in like if len(like) > 2 and all(_beside(cell, pawn) for cell in like if cell != pawn)]
        like = [cell for cell in like if cell not in middle]
        rest = [cell for cell in things if cell not in like]
        about = any(all(_reached(cell, pawn) for cell in like) for pawn in rest)
        if about and len(like) >= fewest and len(rest) >= 2:
            return like
    return []


def _symmetry(change: CellPatches) -> NDArray[np.float32]:
    """float32[rows, cols]: 1 where what is on a cell is its own mirror image, as pawns nearly are, to 0.3 where not.

    The pointer, and what sticks out over the board from beside it, are not.
    """
    strength = np.abs(change).max(axis=-1)
    uneven = np.abs(strength - strength[..., ::-1]).sum(axis=(2, 3)) / (strength.sum(axis=(2, 3)) + 1e-6)
    return np.asarray(1 - LOPSIDED * np.minimum(1.0, uneven), dtype=np.float32)


def _overlap(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """How much two forms, bool[zones], have in common, as a part of both together."""
    return float((one & other).sum() / max(1, (one | other).sum()))


def _beside(cell: Cell, pawn: Cell) -> bool:
    return abs(cell.row - pawn.row) + abs(cell.col - pawn.col) == 1


def _reached(cell: Cell, pawn: Cell) -> bool:
    """Whether a pawn could go there in one move, jumping included."""
    return 1 <= abs(cell.row - pawn.row) + abs(cell.col - pawn.col) <= 2


def _ground(cells: NDArray[np.float32], plain: NDArray[np.bool_], row: int, col: int) -> NDArray[np.float32]:
    """How the cell would look without anything on it: as the nearest bare cells of its row and its colour do."""
    found = np.argwhere(plain)
    away = np.abs(found - (row, col)).sum(axis=1) + 3 * ((found.sum(axis=1) - row - col) % 2) + 2 * (found[:, 0] != row)
    near = found[np.argsort(away, kind="stable")[:3]]
    return median(cells[near[:, 0], near[:, 1]], axis=0)


def _ghost(one: NDArray[np.float64], pawn: NDArray[np.float64]) -> bool:
    """Whether `one` is a paler version of `pawn`."""
    length = float(np.linalg.norm(pawn))
    if length == 0:
        return False
    part = float(one @ pawn) / length**2
    beside = float(np.linalg.norm(one - part * pawn))
    return part < 0.85 and beside < min(0.2 * length, UNSHARP + 0.25 * float(np.linalg.norm(one)))


class _Grooves:
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

        changed: as of `Strokes.take`.
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
) -> Sampler:
    """Takes the patches of what lies `shift` pitches (x, y) beside the cells, where it lies between them."""
    (x, y), (across, down) = lattice.origin, lattice.pitch
    origin = Pixel(x + shift[0] * across, y + shift[1] * down)
    rows, cols = lattice.rows - (shift[1] > 0), lattice.cols - (shift[0] > 0)
    return Sampler(Lattice(origin, lattice.pitch, rows, cols), reach, along=along)


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


def _calibration(scene: Scene, court: Court, confidence: float) -> Calibration:
    """The calibration; of two pawns the lower one is taken for the first player's, who starts at the bottom."""
    palette = court.palette
    if len(court.pawns) == 2 and court.pawns[0].row < court.pawns[1].row:
        palette = (*palette[:2], palette[3], palette[2])
    return Calibration(
        game="quoridor",
        lattice=court.lattice,
        palette=palette,
        size=(scene.width, scene.height),
        confidence=confidence,
        look=LOOK.name,
    )


class CourtReader:
    """Reads a Quoridor board again and again."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        self._calibration = calibration
        self._sampler = CourtSampler(calibration.lattice.moved(Pixel(-offset.x, -offset.y)))
        self._colours = calibration.palette[2:]

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now, as int8[2 * rows - 1, 2 * cols - 1]: cells lie at even places, grooves between them.

        A cell is 0, or 1 or 2 where that player's pawn stands; a place of a groove is 1 where a wall lies, also the
        crossing under a wall's middle.  Previews of moves and walls are neither.  A piece of groove that something
        else than a whole wall lies on is UNREAD, and so is everything where two pawns do not show.
        """
        rows, cols = self._sampler.lattice.rows, self._sampler.lattice.cols
        court = self._sampler.court(frame.pixels, 1.0)
        grid = np.zeros((2 * rows - 1, 2 * cols - 1), dtype=np.int8)
        if court is None or len(court.pawns) < 2:
            return Observation(np.full_like(grid, UNREAD), np.zeros(grid.shape, dtype=np.float32))
        for way, row, col in court.walls:
            if way == "h":
                grid[2 * row + 1, 2 * col : 2 * col + 3] = 1
            else:
                grid[2 * row : 2 * row + 3, 2 * col + 1] = 1
        for place in court.odd:
            grid[place] = UNREAD
        for player, cell in enumerate(self._in_order(court), 1):
            grid[2 * cell.row, 2 * cell.col] = UNREAD if self._on_its_way(court) else player
        return Observation(grid, np.full(grid.shape, court.even, dtype=np.float32))

    def learned(self) -> Calibration:
        """The calibration as it is: both pawns stand on the board from the start."""
        return self._calibration

    def _on_its_way(self, court: Court) -> bool:
        """Whether a pawn's colour shows on two cells: it fades out of one while it fades into the other."""
        if len(self._colours) < 2 or max(abs(a - b) for a, b in zip(*self._colours, strict=True)) <= SAME:
            return False
        shown = [*zip(court.pawns, court.palette[2:], strict=True), *court.strangers.items()]
        return any(
            _reached(cell, other)
            for pawn in self._colours
            for (cell, _), (other, _) in combinations([seen for seen in shown if dist(seen[1], pawn) <= SAME], 2)
        )

    def _in_order(self, court: Court) -> tuple[Cell, ...]:
        """The pawns in the players' order, as the calibration's colours tell."""
        if len(self._colours) < 2:
            return court.pawns
        (first, second), (one, other) = court.palette[2:], self._colours
        kept = dist(first, one) + dist(second, other) <= dist(first, other) + dist(second, one)
        return court.pawns if kept else court.pawns[::-1]


def pawns(grid: NDArray[np.int8]) -> list[list[int]]:
    """The [row, col] of each pawn in an Observation's grid with grooves, in the order of the players."""
    cells = grid[::2, ::2]
    return [[int(row), int(col)] for player in (1, 2) for row, col in np.argwhere(cells == player)]


def walls(grid: NDArray[np.int8]) -> list[Wall]:
    """The walls in an Observation's grid with grooves."""
    parts = {"h": grid[1::2, ::2] == 1, "v": grid[::2, 1::2] == 1, "x": grid[1::2, 1::2] == 1}
    return whole_walls(parts)
