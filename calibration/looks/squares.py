"""Blokus: a large square of small squares, empty or in a few colours whose pieces touch at corners alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from math import atan2, degrees
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import straight
from calibration.board import Calibration, Colour, Lattice
from calibration.cell_patches import ZONES, CellPatches, Sampler, cell_patches, median
from calibration.confidence import chance
from calibration.frame import Box, Frame, Pixel
from calibration.lines import EDGE, aligned, borders
from calibration.look import Proposal
from calibration.palette import cluster
from calibration.scene import STEP, Scene
from calibration.tray import tray_pieces
from games.blokus.pieces import PIECE_OF, PIECES
from games.core import UNREAD, Cell, Observation

SIZES = {14: 1.0, 20: 1.0, 16: 0.6, 12: 0.6, 10: 0.6, 15: 0.5, 18: 0.5, 22: 0.4, 11: 0.4, 13: 0.4, 17: 0.3}
"""How usual the sizes are: 14 for two players, 20 for four, the rest in variants."""

REACH = 0.34
"""How far from its centre a square is looked at, in pitches: inside bevels and lines."""

BESIDE = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=np.float32)
"""The squares that share a side with one."""

RIM = np.ones((ZONES, ZONES), dtype=bool)
RIM[1:-1, 1:-1] = False
"""The zones along a square's border: marks and numbers stand in its middle."""

MOST_KINDS = 12
"""More colours than ground, chequer, four players and marks have: a picture."""

TOLERANCE = 40.0
"""How far, in the channel that differs most, a square may lie from its colour: gradients and a chequer's tint."""

TINTED = 0.04
"""The share of the squares that each tint of a chequered ground has at least."""

DRAWN = 0.8
"""The share of a square's side that must be an edge for its border to count as drawn."""

GAP = 0.065
"""How far beside its border, as a part of the pitch, a square may end: half the widest gap seen, 9 pixels of 72."""

CLOSED = 0.6
"""The share of a board's own border that is drawn at least; its ground may be the page's on one side."""

ALIGNED = 0.3
"""How much more of the edges inside a field lies on the lines that divide it than chance puts there: 0.1 by chance."""

LINED = 0.6
"""The share of the lines between squares that is drawn on a board of lines; pieces may cover the rest."""

ENCLOSED, DIVIDED = 24, 4
"""Enclosed squares that are looked into, and how many divisions of them are read: of a grid any part is a square."""

SPARE = 8
"""Rows and columns around a net that may belong to the board, too."""

BLANK = 0.002
"""The share of a bare field's pixels that are edges at most: the rims of two start marks are half of it."""

FULL = 0.7
"""The part of a full set of pieces that must wait beside a bare field for it to be taken for a fresh board."""

BARE = 0.5
"""The confidence in a bare field, which shows no size: as likely right as wrong."""

MARK = 40.0
"""How far, in the channel that differs most, a zone in a square's middle differs from its rim where a mark lies."""

CLEAR = 0.6
"""The share of its rim that must be of one colour for a square to be taken as that colour."""

ELECTED = 0.25
"""The share of a square's zones that tells what lies under a pointer; it is the commonest known colour."""

MOST_COVERED = 12
"""Squares that a pointer covers at most; where there are more something else lies over them."""

FEW = 0.1
"""A player has more than this part of the squares of the one who has most, but for the first moves."""

LARGEST = 5
"""The squares of the largest piece."""

OUTER = 0.46
"""How far from its centre a square is looked at where its corners tell a disc from a piece, in pitches."""

FAINT = 80
"""How far, in the channel that differs most, the tint of a start square lies from an empty one at most."""

HUE, CHROMA = 8.0, 60
"""Degrees that the tones of one colour differ by at most, and how far the channels of a colour lie apart at least."""


class Squares:
    """The look of Blokus."""

    name = "squares"
    games = ("blokus",)
    usual = MappingProxyType({(side, side): usual for side, usual in SIZES.items()})

    def proposals(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """The best boards on each lattice of equal blobs."""
        for lattice, drawn in _on_blobs(scene):
            yield from _read(scene, lattice, drawn, named=game is not None)

    def further(self, scene: Scene, game: str | None) -> Iterator[Proposal]:
        """What divides large square fields; a bare field as a fresh board where Blokus is known to be, or pieces wait.

        Nothing shows how large its squares are; it is taken to have the usual size for two.
        """
        for lattice in _in_fields(scene):
            yield from _read(scene, lattice, _outlined_share(scene, lattice), named=game is not None)
        for lattice in _enclosed(scene):
            field = _field(scene, lattice, _outlined_share(scene, lattice))
            if field is not None and field.pieces and field.lined < LINED:  # the squares of a grid are blobs
                yield _proposal(scene, field, named=game is not None)
        for lattice in _bare(scene) if scene.step < STEP else ():  # pale lines would say more
            field = _field(scene, lattice, 1.0)
            if (
                field is not None
                and (game in self.games or field.tray >= FULL)
                and _smooth(scene, lattice)
                and not field.pieces
                and field.edge >= 0.9
                and field.flat >= 0.95
            ):
                yield Proposal(lattice.box, "a bare square field", _calibration(scene, field, BARE), field.features)

    def on(self, scene: Scene, lattice: Lattice, game: str | None) -> Proposal | None:
        """The board on these cells."""
        field = None if lattice.rows != lattice.cols else _field(scene, lattice, 1.0)
        return None if field is None else _proposal(scene, field, named=game is not None)

    def ground(self, calibration: Calibration) -> Colour | None:
        """Not known: cells may touch."""
        return None

    def finish(self, scene: Scene, calibration: Calibration) -> Calibration:
        """`calibration` with the pieces that wait beside the board as controls ``piece:TRAY,NAME``."""
        waiting = tray_pieces(scene, calibration)
        controls = {
            f"piece:{tray},{PIECES[PIECE_OF[form]].name}": at
            for (tray, form), at in waiting.items()
            if form in PIECE_OF
        }
        return replace(calibration, controls=controls)

    def reader(self, calibration: Calibration, offset: Pixel) -> SquareReader:
        """A reader of squares by their colour."""
        return SquareReader(calibration, offset)


LOOK = Squares()


@dataclass(frozen=True, eq=False)
class Field:
    """A square lattice read as a Blokus board.

    grid: int8[side, side], 0 empty, 1.. the players.  palette: the empty square's colour and the players'; tones: those
    at its end that are a player's, too, of the piece laid last.
    broken: groups of squares that no legal pieces explain, as a share of all groups.  flat: the share of plain squares.
    loose: the share of groups that touch none of their own kind at a corner, as all but the first do.
    drawn: the share of the edges on the lattice's lines, and those around it, that lie inside.  edge: the share of its
    border that is drawn.  lined: the share of the lines inside that are drawn.  ring: the share of the squares along
    one side of it, the worst, that look like its own.  tray: how many pieces wait beside it, in parts of a full set.
    marked: the share of the empty squares that hold something else in their middle: a digit, a disc, a flag.
    """

    lattice: Lattice
    grid: NDArray[np.int8]
    palette: tuple[Colour, ...]
    tones: frozenset[int]
    pieces: int
    broken: float
    loose: float
    flat: float
    drawn: float
    edge: float
    lined: float
    ring: float
    tray: float
    marked: float

    @cached_property
    def features(self) -> dict[str, float]:
        """What the chance that it is a board is reckoned from."""
        sizes = np.bincount(self.grid.ravel())[1:]
        side = self.lattice.rows
        return {
            "usual": float(np.log(SIZES.get(side, 0.1))),
            "pieces": 1 - 0.8**self.pieces,
            "bare": float(self.pieces == 0),
            "broken": self.broken,
            "loose": self.loose,
            "plain": self.flat,
            "drawn": self.drawn,
            "edge": self.edge,
            "lined": self.lined,
            "ring": self.ring,
            "tray": min(1.0, self.tray),
            "marked": self.marked,
            "players": float(len(sizes) == 3) + 2 * float(len(sizes) > 4),
            "uneven": float(np.ptp(sizes) / sizes.max()) if len(sizes) > 1 else 1.0,
            "piece size": float(sizes.sum() / max(1, self.pieces) / LARGEST),
            "crowded": float((self.grid > 0).mean()),
        }

    @property
    def explanation(self) -> str:
        """What speaks for and against it."""
        side = self.lattice.rows
        return (
            f"{side}x{side} squares, {self.pieces} pieces, {self.broken:.0%} of them illegal, {self.flat:.0%} of the "
            f"squares plain, {self.drawn:.0%} of the lines inside, {self.edge:.0%} of its border drawn"
        )


def _read(scene: Scene, lattice: Lattice, drawn: float, *, named: bool) -> Iterator[Proposal]:
    """The proposal on a lattice, if it can be read as a board at all.

    Where nobody named the game, a bare net whose ground goes on for half a square is the board of a game played on the
    crossings, as Go is.
    """
    field = _field(scene, lattice, drawn)
    if field is not None and (named or field.pieces or not _bordered(scene, field)):
        yield _proposal(scene, field, named=named)


def _bordered(scene: Scene, field: Field) -> bool:
    """Whether the ground goes on beyond the outer lines on all sides, and ends before a whole square more."""
    wider = _ringed(field.lattice)
    away = np.abs(cell_patches(scene.pixels, wider, (0.5, 0.5)) - np.array(field.palette[0], dtype=np.float32)).max(
        axis=-1
    )
    near = away <= TOLERANCE / 2
    sides = near[-1, 1:-1], near[0, 1:-1, ::-1], near[1:-1, -1].swapaxes(1, 2), near[1:-1, 0].swapaxes(1, 2)[:, ::-1]
    return all(side[:, 1].mean() >= DRAWN > 1 - DRAWN >= side[:, -1].mean() for side in sides)


def _proposal(scene: Scene, field: Field, *, named: bool) -> Proposal:
    confidence = chance(LOOK.name, field.features, named=named)
    return Proposal(field.lattice.box, field.explanation, _calibration(scene, field, confidence), field.features)


def _in_fields(scene: Scene) -> Iterator[Lattice]:
    """The division of each large square field."""
    for box in scene.fields:
        field = Box(*(float(value) for value in box))
        if abs(field.width / field.height - 1) <= 0.04:
            yield from (lattice for _, lattice in _divided(scene, field))


def _enclosed(scene: Scene) -> Iterator[Lattice]:
    """The best divisions of the squares that long edges enclose, large ones before the parts of them."""
    found = [part for field in islice(straight.squares(scene), ENCLOSED) for part in _divided(scene, field)]
    found.sort(key=lambda part: -part[0] * part[1].box.width)
    yield from (lattice for _, lattice in found[:DIVIDED])


def _on_blobs(scene: Scene) -> Iterator[tuple[Lattice, float]]:
    """Squares of a usual size on every net of equal blobs, with the share of the net's edges that lie inside."""
    tried: list[Lattice] = []
    for repeat in scene.repeats[:5]:
        across, down = repeat.lattice.pitch
        known = any(_alike(repeat.lattice, other) for other in tried)
        if 0.95 <= across / down <= 1.05 and repeat.count >= 10 and not known:
            tried.append(repeat.lattice)
            yield from _squares(scene, repeat.lattice)


def _divided(scene: Scene, field: Box) -> Iterator[tuple[float, Lattice]]:
    """The division of a large square blob into squares on whose lines the edges inside it lie, and how well they do.

    See `calibration.lines.aligned`; no division at all where they lie anywhere.
    """
    x, y, width, height = (round(value) for value in field)
    inner = np.s_[y + EDGE : y + height - EDGE, x + EDGE : x + width - EDGE]
    profiles = [
        (scene.upright[inner].sum(axis=0, dtype=np.float64), field.width),
        (scene.level[inner].sum(axis=1, dtype=np.float64), field.height),
    ]
    if min(profile.sum() for profile, _ in profiles) < 4 * 13:
        return
    gain, side = max((min(aligned(profile, length, side) for profile, length in profiles), side) for side in SIZES)
    if gain >= ALIGNED:
        pitch = (field.width / side, field.height / side)
        yield gain, Lattice(Pixel(field.x + pitch[0] / 2, field.y + pitch[1] / 2), pitch, side, side)


def _bare(scene: Scene) -> Iterator[Lattice]:
    """The largest square field, cut as an empty board for two players is."""
    side = 14
    square = [Box(*(float(value) for value in box)) for box in scene.fields]
    square = [box for box in square if abs(box.width / box.height - 1) <= 0.02 and box.width >= 13 * side]
    for box in sorted(square, key=lambda box: -box.width)[:1]:
        pitch = (box.width / side, box.height / side)
        yield Lattice(Pixel(box.x + pitch[0] / 2, box.y + pitch[1] / 2), pitch, side, side)


def _smooth(scene: Scene, lattice: Lattice) -> bool:
    """Whether a field has hardly an edge inside: a start mark or two."""
    x, y, width, height = (round(value) for value in lattice.box)
    inner = np.s_[y + EDGE : y + height - EDGE, x + EDGE : x + width - EDGE]
    return bool(max(scene.upright[inner].mean(), scene.level[inner].mean()) <= BLANK)


def _alike(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices have one pitch and phase, and about one place."""
    if abs(one.pitch[0] / other.pitch[0] - 1) > 0.01:
        return False
    steps = ((one.origin.x - other.origin.x) / other.pitch[0], (one.origin.y - other.origin.y) / other.pitch[1])
    return all(abs(step - round(step)) < 0.15 and abs(step) < 25 for step in steps)


def _wider(scene: Scene, net: Lattice, spare: int) -> tuple[Lattice, int, int]:
    """`net` with up to `spare` more rows and columns on all sides, and how many of them lie above and to the left."""
    left = min(spare, int(net.origin.x / net.pitch[0] - 0.5))
    top = min(spare, int(net.origin.y / net.pitch[1] - 0.5))
    right = min(spare, int((scene.width - 1 - net.centre(Cell(0, net.cols - 1)).x) / net.pitch[0] - 0.5))
    bottom = min(spare, int((scene.height - 1 - net.centre(Cell(net.rows - 1, 0)).y) / net.pitch[1] - 0.5))
    left, top, right, bottom = max(0, left), max(0, top), max(0, right), max(0, bottom)
    wide = Lattice(net.centre(Cell(-top, -left)), net.pitch, net.rows + top + bottom, net.cols + left + right)
    return wide, top, left


def _share(scene: Scene, lattice: Lattice) -> float:
    """The share of the edges on the lines of a board and those around it that lie inside."""
    wide, top, left = _wider(scene, lattice, SPARE)
    upright, level = (part >= DRAWN for part in borders(scene, wide, broad=GAP))
    rows, cols = slice(top, top + lattice.rows), slice(left, left + lattice.cols)
    inside = upright[rows, left : left + lattice.cols + 1].sum() + level[top : top + lattice.rows + 1, cols].sum()
    return float(inside / max(1, upright.sum() + level.sum()))


def _outlined_share(scene: Scene, lattice: Lattice) -> float:
    """The same of a field whose own outline says where the board ends."""
    return 0.5 + 0.5 * _share(scene, lattice)


def _squares(scene: Scene, net: Lattice) -> Iterator[tuple[Lattice, float]]:
    """The squares of a usual size that hold most of the net's edges and whose own border is drawn."""
    wide, _, _ = _wider(scene, net, SPARE)
    if max(wide.rows, wide.cols) > 60:
        return
    upright, level = borders(scene, wide, broad=GAP)
    sums_u = cv2.integral((upright >= DRAWN).astype(np.uint8)).astype(np.int64)
    sums_l = cv2.integral((level >= DRAWN).astype(np.uint8)).astype(np.int64)
    everything = int(sums_u[-1, -1] + sums_l[-1, -1])
    found = []
    for side, usual in SIZES.items():
        if side > min(wide.rows, wide.cols):
            continue
        inside = _sums(sums_u, side, side + 1) + _sums(sums_l, side + 1, side)
        beside, below = _sums(sums_u, side, 1), _sums(sums_l, 1, side)
        border = beside[:, : -side or None] + beside[:, side:] + below[: -side or None] + below[side:]
        closed = border / (4 * side)
        worth = inside / max(1, everything) * closed**2 * usual**0.3
        worth[closed < CLOSED] = 0
        for place in np.argsort(-worth, axis=None)[:2]:
            row, col = np.unravel_index(place, worth.shape)
            if worth[row, col] > 0:
                share = float(inside[row, col]) / everything
                found.append((float(worth[row, col]), share, side, int(row), int(col)))
    found.sort(reverse=True)
    for _, share, side, row, col in found[:3]:
        yield Lattice(wide.centre(Cell(row, col)), wide.pitch, side, side), share


def _sums(sums: NDArray[np.int64], high: int, wide: int) -> NDArray[np.int64]:
    """The sum over every rectangle of that height and width, from an integral picture."""
    return sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]


def _field(scene: Scene, lattice: Lattice, drawn: float) -> Field | None:
    """Read the cells of `lattice` as squares and pieces; None where they have too many colours."""
    side = lattice.rows
    last = lattice.centre(Cell(side - 1, side - 1))
    if min(lattice.origin) < 0 or last.x >= scene.width or last.y >= scene.height:
        return None
    zones, colours, flat = _colours(cell_patches(scene.pixels, lattice, (REACH, REACH)))
    clear = flat >= CLEAR
    if clear.mean() < 0.5 or len(np.unique(np.rint(colours[clear] / 8), axis=0)) > 100:
        return None
    palette = cluster(colours[clear])
    count = len(palette.colours)
    if count > MOST_KINDS:
        return None
    kinds = np.full((side, side), -1, dtype=np.intp)
    kinds[clear] = palette.kinds
    kinds = _without_strays(_without_chequer(kinds, palette.colours))
    ground = min(range(min(count, 5)), key=lambda kind: (_illegal(kinds, kind)[0], -(kinds == kind).sum()))
    kinds[kinds < 0] = _voted(zones[kinds < 0], palette.colours, np.unique(kinds[kinds >= 0]), ground)
    taken, empty = kinds != ground, palette.colours[ground]
    starts = _discs(cell_patches(scene.pixels, lattice, (OUTER, OUTER)), taken, empty) | _tints(colours, taken, empty)
    kinds[starts] = ground
    tones = _tones(kinds, palette.colours, ground)
    for tone, player in tones.items():
        kinds[kinds == tone] = player
    tones = {tone: player for tone, player in tones.items() if player != ground}
    illegal, pieces = _illegal(kinds, ground)
    upright, level = (part >= DRAWN for part in borders(scene, lattice, broad=GAP))
    if _halved(upright[:, 1:-1]) or _halved(level[1:-1].T):
        return None
    players = [kind for kind in range(count) if kind != ground and (kinds == kind).any()]
    numbers = np.zeros(count, dtype=np.int8)
    numbers[players] = np.arange(1, len(players) + 1)
    shades = tuple(_rgb(palette.colours[kind]) for kind in (ground, *players, *tones))
    illegal = illegal if len(players) <= 4 else 1.0
    field = Field(
        lattice,
        numbers[kinds],
        shades,
        frozenset(range(len(shades) - len(tones), len(shades))),
        pieces,
        broken=illegal,
        loose=_loose(kinds, ground),
        flat=float(clear.mean()),
        drawn=drawn,
        edge=_edge(scene, lattice),
        lined=float((upright[:, 1:-1].mean() + level[1:-1].mean()) / 2),
        ring=_ring(scene, lattice, np.array(shades, dtype=np.float32)),
        tray=0.0,
        marked=_marked(zones[kinds == ground], colours[kinds == ground]),
    )
    return replace(field, tray=len(tray_pieces(scene, _calibration(scene, field, 0.0))) / len(PIECES))


def _halved(lines: NDArray[np.bool_]) -> bool:
    """Whether every other line is drawn, and none between: the squares are twice as large.

    lines: bool[squares, lines between them].
    """
    shares = lines.mean(axis=0)
    return any(shares[start::2].min() >= DRAWN and shares[1 - start :: 2].max() <= 1 - DRAWN for start in (0, 1))


def _ring(scene: Scene, lattice: Lattice, shades: NDArray[np.float32]) -> float:
    """The share of the squares along one side, the worst, that have one of the `shades` and the lines of the rest.

    Where no lines are drawn inside, none are to be seen there: then the board's own border must not be drawn.
    """
    wider = _ringed(lattice)
    upright, level = (part >= DRAWN for part in borders(scene, wider, broad=GAP))
    lined = float((upright[1:-1, 2:-2].mean() + level[2:-2, 1:-1].mean()) / 2) >= LINED
    _, colours, flat = _colours(cell_patches(scene.pixels, wider, (REACH, REACH)))
    away = np.abs(colours[:, :, None] - shades).max(axis=3).min(axis=2)
    known = (flat >= CLEAR) & (away <= TOLERANCE / 2)
    places = (known[0, 1:-1], known[-1, 1:-1], known[1:-1, 0], known[1:-1, -1])
    going = (upright[0, 2:-2], upright[-1, 2:-2], level[2:-2, 0], level[2:-2, -1])
    own = (level[1, 1:-1], level[-2, 1:-1], upright[1:-1, 1], upright[1:-1, -2])
    return max(
        min(float(place.mean()), float(lines.mean()) if lined else 1 - float(border.mean()))
        for place, lines, border in zip(places, going, own, strict=True)
    )


def _ringed(lattice: Lattice) -> Lattice:
    """The lattice with one more row and column on every side."""
    return Lattice(lattice.centre(Cell(-1, -1)), lattice.pitch, lattice.rows + 2, lattice.cols + 2)


def _colours(squares: CellPatches) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """The zones of each square, its colour beside its middle, and the share of the zones there that is so coloured.

    float32[rows, cols, zones, 3], float32[rows, cols, 3] and float32[rows, cols].
    """
    rim = squares[:, :, RIM]
    colours = median(rim, axis=2)
    flat = (np.abs(rim - colours[:, :, None]).max(axis=3) <= 24).mean(axis=2)
    return squares.reshape(*squares.shape[:2], -1, 3), colours, flat.astype(np.float32)


def _marked(zones: NDArray[np.float32], colours: NDArray[np.float32]) -> float:
    """The share of squares, float32[n, zones, 3] and float32[n, 3], that are of another colour in their middle."""
    away = np.abs(zones[:, ~RIM.ravel()] - colours[:, None]).max(axis=2)
    return float((away > MARK).any(axis=1).mean()) if len(away) else 0.0


def _voted(
    zones: NDArray[np.float32], colours: NDArray[np.float32], kinds: NDArray[np.intp], otherwise: int
) -> NDArray[np.intp]:
    """For squares under a pointer, float32[n, zones, 3]: which of `kinds` most can be seen of, if enough of any."""
    away = np.abs(zones[:, :, None] - colours[kinds]).max(axis=3)
    near = (away.min(axis=2) <= TOLERANCE)[:, :, None] & (away.argmin(axis=2)[:, :, None] == np.arange(len(kinds)))
    shares = near.mean(axis=1)
    return np.where(shares.max(axis=1, initial=0.0) >= ELECTED, kinds[shares.argmax(axis=1)], otherwise)


def _discs(squares: CellPatches, taken: NDArray[np.bool_], ground: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[rows, cols]: the taken squares that only hold a disc, for where a player starts, and none beside them.

    squares: as far as OUTER.  A disc leaves the corners bare, as pieces do not, unless all are round.
    """
    corners = squares[:, :, [0, 0, -1, -1], [0, -1, 0, -1]]
    bare = (np.abs(corners - ground).max(axis=3) <= TOLERANCE).all(axis=2)
    discs = bare & _alone(taken)
    rest = taken & ~discs
    return np.asarray(discs if not rest.any() or bare[rest].mean() < 0.5 else np.zeros_like(taken))


def _tints(colours: NDArray[np.float32], taken: NDArray[np.bool_], ground: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[rows, cols]: the taken squares that are only tinted, for where a player starts: no other is like them."""
    faint = np.argwhere(_alone(taken) & (np.abs(colours - ground).max(axis=2) <= FAINT))
    tints = np.zeros_like(taken)
    for row, col in faint:
        tints[row, col] = (np.abs(colours[taken] - colours[row, col]).max(axis=1) <= TOLERANCE / 2).sum() == 1
    return tints


def _alone(taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The taken squares with none at their sides."""
    beside = cv2.filter2D(taken.astype(np.uint8), -1, BESIDE, borderType=cv2.BORDER_CONSTANT) > 0
    return np.asarray(taken & ~beside)


def _tones(kinds: NDArray[np.intp], colours: NDArray[np.float32], ground: int) -> dict[int, int]:
    """The kinds that are tones of another player's colour, and whose: a single piece each, the one laid last.

    It touches another piece of its player at a corner.  One that touches a side of such a piece is not laid yet: it is
    the ground's.
    """
    sizes = np.bincount(kinds.ravel(), minlength=len(colours))
    players = sorted((kind for kind in np.flatnonzero(sizes) if kind != ground), key=lambda kind: -int(sizes[kind]))
    tones: dict[int, int] = {}
    for player, kind in combinations(players, 2):
        if player in tones or kind in tones or sizes[kind] > LARGEST or _turned(colours[player], colours[kind]) > HUE:
            continue
        alone, others, both = (np.isin(kinds, some) for some in ((kind,), (player,), (kind, player)))
        if _parts(alone, 4) != 1:
            continue
        if _parts(both, 4) <= _parts(others, 4):
            tones[int(kind)] = ground
        elif _parts(both, 8) <= _parts(others, 8):
            tones[int(kind)] = int(player)
    return tones


def _parts(squares: NDArray[np.bool_], connectivity: int) -> int:
    """How many parts squares make that hang together at their sides (4), or at their corners, too (8)."""
    return int(cv2.connectedComponents(squares.astype(np.uint8), connectivity=connectivity)[0]) - 1


def _turned(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Degrees between the hues of two colours, 180 where one has none."""
    if min(float(np.ptp(one)), float(np.ptp(other))) < CHROMA:
        return 180.0
    angles = [degrees(atan2(3**0.5 * (green - blue), 2 * red - green - blue)) for red, green, blue in (one, other)]
    apart = abs(angles[0] - angles[1])
    return float(min(apart, 360 - apart))


def _without_strays(kinds: NDArray[np.intp]) -> NDArray[np.intp]:
    """The kinds with -1 for those of one or two squares where others have many times more: players move in turn.

    Where there are more kinds than four players and the ground have, those of one or two squares are none of them.
    """
    sizes = np.bincount(kinds[kinds >= 0])
    others = np.sort(sizes)[:-1]
    few = (sizes <= 2) & ((sizes < FEW * others.max(initial=0)) | ((sizes > 0).sum() > 5))
    return np.where((kinds >= 0) & few[kinds], -1, kinds)


def _rgb(colour: NDArray[np.float32]) -> Colour:
    red, green, blue = (int(value) for value in np.rint(colour))
    return red, green, blue


def _without_chequer(kinds: NDArray[np.intp], colours: NDArray[np.float32]) -> NDArray[np.intp]:
    """The kinds with two of like colour taken for one where each lies on squares of one parity alone."""
    parity = np.add.outer(np.arange(len(kinds)), np.arange(len(kinds))) % 2
    often = [kind for kind in range(len(colours)) if (kinds == kind).mean() >= TINTED]
    odd = {kind: float(parity[kinds == kind].mean()) for kind in often}
    for one, other in combinations(often, 2):
        parted = min(odd[one], odd[other]) < 0.03 and max(odd[one], odd[other]) > 0.97
        if parted and np.abs(colours[one] - colours[other]).max() <= 2 * TOLERANCE:
            return np.where(kinds == other, one, kinds)
    return kinds


def _edge(scene: Scene, lattice: Lattice) -> float:
    """The share of the board's four sides along which colour changes."""
    x, y, width, height = lattice.box
    pad = max(3, round(GAP * lattice.pitch[0]))
    shares = []
    for at in (x, x + width):
        column = round(at)
        part = scene.upright[round(y) : round(y + height), max(0, column - pad) : column + pad + 1]
        shares.append(float(part.any(axis=1).mean()) if part.size else 0.0)
    for at in (y, y + height):
        row = round(at)
        part = scene.level[max(0, row - pad) : row + pad + 1, round(x) : round(x + width)]
        shares.append(float(part.any(axis=0).mean()) if part.size else 0.0)
    return float(np.mean(shares))


def _illegal(kinds: NDArray[np.intp], ground: int) -> tuple[float, int]:
    """The share of groups too large for a piece or hanging alone, were `ground` the empty square; their number."""
    groups = wrong = 0
    for kind in range(int(kinds.max()) + 1):
        if kind == ground:
            continue
        mine = (kinds == kind).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mine, connectivity=4)
        sizes = stats[1:count, 4]
        groups += count - 1
        wrong += int((sizes > LARGEST).sum()) + max(0, _parts(kinds == kind, 8) - 1)
    return (min(1.0, wrong / groups) if groups else 0.0), groups


def _loose(kinds: NDArray[np.intp], ground: int) -> float:
    """The share of groups that touch no other group of their kind at a corner; one of each kind may."""
    groups = loose = 0
    for kind in range(int(kinds.max()) + 1):
        mine = (kinds == kind).astype(np.uint8)
        if kind == ground or not mine.any():
            continue
        count = cv2.connectedComponents(mine, connectivity=4)[0] - 1
        labels, whole = cv2.connectedComponents(mine, connectivity=4)[1], cv2.connectedComponents(mine)[1]
        alone = sum(len(np.unique(labels[whole == part])) == 1 for part in range(1, int(whole.max()) + 1))
        groups, loose = groups + count, loose + max(0, alone - 1)
    return loose / groups if groups else 0.0


def _calibration(scene: Scene, field: Field, confidence: float) -> Calibration:
    return Calibration(
        game="blokus",
        lattice=field.lattice,
        palette=field.palette,
        marked=field.tones,
        size=(scene.width, scene.height),
        confidence=confidence,
        look=LOOK.name,
    )


class SquareReader:
    """Reads a Blokus board again and again, and learns the colours that its calibration has not seen yet."""

    def __init__(self, calibration: Calibration, offset: Pixel) -> None:
        self._calibration = calibration
        lattice = calibration.lattice.moved(Pixel(-offset.x, -offset.y))
        self._sampler, self._outer = Sampler(lattice, (REACH, REACH)), Sampler(lattice, (OUTER, OUTER))
        self._palette = [np.array(colour, dtype=np.float32) for colour in calibration.palette]
        self._marked = set(calibration.marked)
        players = [kind for kind in range(1, len(self._palette)) if kind not in self._marked]
        self._owners = [
            min(players, key=lambda player: _turned(self._palette[player], self._palette[kind]), default=kind)
            if kind in self._marked
            else kind
            for kind in range(len(self._palette))
        ]

    def read(self, frame: Frame) -> Observation:
        """What `frame` shows now: 0 empty, 1.. the players; covered squares and unknown colours are UNREAD."""
        zones, colours, flat = _colours(self._sampler.take(frame.pixels))
        grid, confidence = self._match(colours, flat)
        strange = (grid == UNREAD) & (flat >= CLEAR)
        if strange.any():
            taken, empty = strange | (grid > 0), self._palette[0]
            starts = _discs(self._outer.take(frame.pixels), taken, empty) | _tints(colours, taken, empty)
            starts &= strange
            flat = np.where(starts, 0.0, flat).astype(np.float32)
            while len(self._palette) - len(self._marked) < 5 and self._learn(colours[(grid == UNREAD) & (flat >= 0.8)]):
                grid, confidence = self._match(colours, flat)
            grid[starts] = 0
        covered = (grid == UNREAD) & (flat < CLEAR)
        if 0 < covered.sum() <= MOST_COVERED:
            voted = _voted(zones[covered], np.stack(self._palette), np.arange(len(self._palette)), UNREAD)
            grid[covered] = np.where(voted == UNREAD, UNREAD, np.array(self._owners)[voted])
        return Observation(grid, confidence)

    def learned(self) -> Calibration:
        """The calibration with the players' colours seen since."""
        if len(self._palette) == len(self._calibration.palette):
            return self._calibration
        palette = tuple(_rgb(colour) for colour in self._palette)
        return replace(self._calibration, palette=palette, marked=frozenset(self._marked))

    def _match(
        self, colours: NDArray[np.float32], flat: NDArray[np.float32]
    ) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        known = np.stack(self._palette)
        away = np.abs(colours[:, :, None] - known[None, None]).max(axis=3)
        ordered = np.sort(np.concatenate([away, np.full((*away.shape[:2], 1), 255.0)], axis=2), axis=2)
        seen = (ordered[..., 0] < TOLERANCE) & (flat >= CLEAR)
        margin = (ordered[..., 1] - ordered[..., 0]) / (ordered[..., 1] + ordered[..., 0] + 1e-6)
        grid = np.where(seen, np.array(self._owners)[away.argmin(axis=2)], UNREAD).astype(np.int8)
        return grid, np.where(seen, margin, 0.0).astype(np.float32)

    def _learn(self, strange: NDArray[np.float32]) -> bool:
        """Take the commonest strange colour for a player's, or a tone of one, if two squares have it."""
        near = np.abs(strange[:, None] - strange[None]).max(axis=2) < TOLERANCE / 2
        if near.sum(axis=1).max(initial=0) < 2:
            return False
        middle = np.median(strange[near[near.sum(axis=1).argmax()]], axis=0).astype(np.float32)
        number = len(self._palette)
        like = [kind for kind in range(1, number) if _turned(self._palette[kind], middle) <= HUE]
        self._owners.append(self._owners[like[0]] if like else number)
        self._marked |= {number} if like else set()
        self._palette.append(middle)
        return True
