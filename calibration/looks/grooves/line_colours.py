"""What lies over the lines that part the cells of a square lattice, however blurred and however thin they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.cell_patches import Changed, median
from calibration.frame import Pixels
from calibration.looks.grooves.walls import Colours

STRAY = 1.6
"""Pixels that a line may lie beside its place and its own width."""

ALONG, SAMPLES = 0.3, 9
"""How far from a cell's middle the line beside it is looked at, in pitches: clear of what crosses it; in how many
places."""

BESIDE = 0.13
"""How far from the middle of a line the cell beside it is looked at, in pitches: walls are up to half as wide."""

PALEST, PURE = 0.25, 0.2
"""The least part of the usual change from cell to line that blur leaves of it, and how far beside that it may lie."""

CLEAR, STEADY = 0.75, 0.1
"""The share of the lines that are more blurred than those that tell their colour; how far these may differ in that."""

ALIKE = 22.0
"""How much two pieces of a line differ at most that show the same, in the pixel and the channel that differ most."""

MOSTLY = 0.6
"""The share of a line's pieces that look alike from which they tell how wide bare lines are."""

RARE = 2.0
"""How much more it counts that a piece is unlike a bare one than that few of its line are like it."""

SPARE = 0.1
"""How much more than all of a pixel a line may seem to cover."""

OCTAVE = 1.3
"""How far their widths may lie from the usual one, in powers of two: lines are one pixel wide here and two there."""

LEAST = 8.0
"""The least difference between a line and a cell that says how much of a pixel the line covers."""

INSIDE = 0.08
"""How far from the edge of a broad line at least, in pitches."""

OUTLINED = 4.0
"""Pixels between cells from which only the middle ones show the colour there: cells may have outlines."""

MOST_STEPS = 13
"""Places across a line that are looked at."""

NONE = 0.2
"""A line covers less than that of the pixels beside it; a wall that shows there hides it."""

HIDDEN, HALF = 22.0, 0.5
"""Changes so small do not show a wall on the whole of its line: it may show on some of the pixels that the line covers
so much of at least, where it is thinner, or beside the line where it is wider and of the same colour."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """How the bare lines of a board look: first those across, then those down.

    ground, cell: float32[3], their colour and that of the cells.
    clearest: intp[lines], the step across each at which it shows best.
    cover: float32[lines, steps], how much of each pixel across a line it covers.
    rest: float32[lines, steps, 1, 3], how else it looks than lines of `ground` that cover as much.
    """

    ground: Floats
    cell: Floats
    clearest: NDArray[np.intp]
    cover: Floats
    rest: Floats

    def over(self, some: NDArray[np.intp], strips: Floats) -> Floats:
        """float32[len(some), pieces, 3]: the colour of what lies on some lines, `ground` where nothing does.

        strips: float32[len(some), steps + 2, pieces, 3].
        """
        cover, inner = self.cover[some], strips[:, 1:-1]
        change = _change(inner, _about(strips), cover, self.ground) - self.rest[some]
        weight = np.einsum("ls,ls->l", cover, cover)[:, None, None]
        shown = np.einsum("ls,lspc->lpc", cover, change) / np.maximum(weight, 0.1)  # by least squares
        hidden = np.abs(shown).max(axis=2, keepdims=True) <= HIDDEN
        middle = np.take_along_axis(inner, self.clearest[some, None, None, None], axis=1)
        alike = np.abs(inner - middle).max(axis=3) <= ALIKE
        wide = (alike & (cover < NONE)[:, :, None]).any(axis=1)[:, :, None]
        shown = np.where(wide & ~hidden, middle[:, 0] - self.ground, shown)
        goes_on = np.abs(inner - (self.ground + shown)[:, None]).max(axis=3) <= ALIKE
        goes_on &= np.abs(inner - self.cell).max(axis=3) > ALIKE
        change *= (goes_on | (cover >= HALF)[:, :, None])[..., None]
        widest = np.abs(change).max(axis=3).argmax(axis=1)
        beside = np.take_along_axis(change, widest[:, None, :, None], axis=1)[:, 0]
        return np.asarray(self.ground + np.where(hidden, beside, shown), dtype=np.float32)


class LineColours:
    """Takes the colours of the pieces of line from picture after picture, as they would be were the lines not blurred.

    Of each line it is learned from the picture how much of each pixel across it covers: where it lies, and how blurred
    it is.  What else is seen there lies on it.
    """

    def __init__(self, lattice: Lattice) -> None:
        n = lattice.rows
        reach = round(max(lattice.gap) / 2 + STRAY)
        self._offsets = np.unique(np.rint(np.linspace(-reach, reach, min(2 * reach + 1, MOST_STEPS)))).astype(np.intp)
        self._width = max(lattice.gap)
        lines, pieces = np.arange(n - 1) + 0.5, np.arange(n)[:, None] + np.linspace(-ALONG, ALONG, SAMPLES)
        (x, y), (across, down) = lattice.origin, lattice.pitch
        far = [
            max(reach + 1, round(max(BESIDE * pitch, gap / 2 + INSIDE * pitch)))
            for pitch, gap in zip(lattice.pitch, lattice.gap, strict=True)
        ]
        steps = [np.concatenate([[-end], self._offsets, [end]]) for end in far]
        self._rows = np.floor(y + down * lines).astype(np.intp)[:, None] + steps[1]
        self._cols = np.floor(x + across * lines).astype(np.intp)[:, None] + steps[0]
        self._xs, self._ys = (np.floor(at).astype(np.intp) for at in (x + across * pieces, y + down * pieces))
        self._shape: tuple[int, ...] = ()
        self._lines: _Lines | None = None
        self._last: Colours = {}

    def take(self, pixels: Pixels, changed: Changed | None = None) -> Colours:
        """The colours of the pieces and crossings, and the lines'; the very dict of the last time where none changed.

        changed: where this picture differs from the one that was taken last; None where all must be learned anew.
        """
        if self._shape != pixels.shape:
            self._prepare(pixels)
        flat = pixels.reshape(-1, 3)
        some = self._touched(changed)
        strips = median(flat[self._pieces[some]], axis=3)
        if self._lines is None or changed is None:
            self._lines = _learned(strips, self._offsets, self._width)
            self._crossings = self._crossed(self._lines.clearest)
        over = self._lines.over(some, strips)
        met = self._lines.over(some, flat[self._crossings[some]].astype(np.float32))
        if not self._last or not (np.array_equal(over, self._over[some]) and np.array_equal(met, self._met[some])):
            self._over[some], self._met[some] = over, met
            self._last = self._colours(self._lines.ground)
        return self._last

    def _prepare(self, pixels: Pixels) -> None:
        """Reckons where the samples lie in pictures of this shape."""
        self._shape, (height, width) = pixels.shape, pixels.shape[:2]
        rows, ys = (np.clip(at, 0, height - 1) * width for at in (self._rows, self._ys))
        cols, xs = (np.clip(at, 0, width - 1) for at in (self._cols, self._xs))
        self._places = rows, cols
        self._pieces = np.concatenate([rows[:, :, None, None] + xs, cols[:, :, None, None] + ys])
        lines, n = len(rows), len(xs)
        self._over = np.zeros((2 * lines, n, 3), dtype=np.float32)
        self._met = np.zeros((2 * lines, lines, 3), dtype=np.float32)
        self._lines, self._last = None, {}

    def _touched(self, changed: Changed | None) -> NDArray[np.intp]:
        """The lines of which some pixel may have changed."""
        if changed is None or self._lines is None:
            return np.arange(len(self._pieces))
        differ = []
        for sums, at in ((changed.rows, self._rows), (changed.cols, self._cols)):
            first, last = np.clip(at[:, [0, -1]] + (0, 1), 0, len(sums) - 1).T
            differ.append(sums[last] > sums[first])
        return np.flatnonzero(np.concatenate(differ))

    def _crossed(self, clearest: NDArray[np.intp]) -> NDArray[np.intp]:
        """intp[lines, steps, others]: where lines are crossed by the clearest pixels of the other way's lines."""
        (rows, cols), lines = self._places, np.arange(len(clearest) // 2)
        across, down = cols[lines, 1 + clearest[len(lines) :]], rows[lines, 1 + clearest[: len(lines)]]
        return np.concatenate([rows[:, :, None] + across, cols[:, :, None] + down])

    def _colours(self, ground: Floats) -> Colours:
        lines = len(self._over) // 2
        across, down = self._met[:lines], self._met[lines:].swapaxes(0, 1)
        stronger = np.abs(across - ground).max(axis=2) >= np.abs(down - ground).max(axis=2)
        return {
            "h": self._over[:lines].copy(),
            "v": self._over[lines:].swapaxes(0, 1).copy(),
            "x": np.where(stronger[:, :, None], across, down),
            "ground": ground,
        }


def _learned(strips: Floats, offsets: NDArray[np.intp], width: float) -> _Lines:
    """How the lines look in a picture; strips: float32[lines, steps + 2, pieces, 3].  width: of the lines."""
    about, strips, away = _about(strips), strips[:, 1:-1], np.abs(offsets)
    change = median(np.abs(strips - about).max(axis=3), axis=2)
    if width >= OUTLINED:
        change[:, away > 1] = 0
    clearest = (change - away / len(away)).argmax(axis=1)
    ground = _ground(strips, about, clearest)
    if width < OUTLINED or np.median(change.max(axis=1)) > ALIKE / 2:
        cover, bare = _covers(strips, about, ground)
    else:  # there are outlines round the cells, and nothing between these
        core = away <= width / 2 - 1.5
        cover = np.broadcast_to(core.astype(np.float32), change.shape)
        bare = np.abs(strips[:, core] - ground).max(axis=(1, 3)) <= ALIKE
        bare |= ~bare.any(axis=1, keepdims=True)
    change = _change(strips, about, cover, ground)
    ordered = np.sort(np.where(bare[:, None, :, None], change, np.inf), axis=2)
    rest = np.take_along_axis(ordered, (bare.sum(axis=1) // 2)[:, None, None, None], axis=2)
    return _Lines(ground, median(about.reshape(-1, 3), axis=0), clearest, cover, rest)


def _about(strips: Floats) -> Floats:
    """What strips would show without a line, float32[lines, steps, pieces, 3]: the colours of their ends.

    strips: float32[lines, steps + 2, pieces, 3].
    """
    steps = strips.shape[1] - 2
    share = (np.sign(np.arange(steps) - steps // 2).astype(np.float32) + 1) / 2
    first, last = strips[:, :1], strips[:, -1:]
    return np.asarray(first + share[:, None, None] * (last - first), dtype=np.float32)


def _ground(strips: Floats, about: Floats, best: NDArray[np.intp]) -> Floats:
    """The colour of bare lines, float32[3]: that of most pieces of those lines that are the least blurred."""
    places = best[:, None, None, None]
    shown = np.take_along_axis(strips, places, axis=1)[:, 0]
    change = shown - np.take_along_axis(about, places, axis=1)[:, 0]
    usual = median(change.reshape(-1, 3), axis=0)
    length = max(float(usual @ usual), LEAST**2)
    part = change @ usual / length
    bare = (part > PALEST) & (np.abs(change - part[..., None] * usual).max(axis=2) <= PURE * length**0.5)
    strength = np.nanmedian(np.where(bare.any(axis=1, keepdims=True) & ~bare, np.nan, part), axis=1)
    clear = np.quantile(strength, CLEAR)
    sharp = bare & (np.abs(strength - clear) <= STEADY * clear)[:, None]
    return median(shown[sharp], axis=0) if sharp.any() else median(shown.reshape(-1, 3), axis=0)


def _covers(strips: Floats, about: Floats, ground: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """float32[lines, steps]: how much of each pixel a line covers; bool[lines, pieces]: where it is bare.

    It is seen in the bare pieces: those that change the cells' colour as much, blurred or not, as lines do; and most
    pieces of the line are like them.
    """
    away, way = strips - about, ground - about
    length = np.maximum(np.einsum("...c,...c", way, way), LEAST**2)
    parts = np.einsum("...c,...c", away, way) / length
    wrong = (np.abs(away - parts[..., None] * way).max(axis=3) / np.sqrt(length)).sum(axis=1)
    alike = np.abs(strips[:, :, :, None] - strips[:, :, None]).max(axis=(1, 4)) <= ALIKE
    share = alike.mean(axis=2)
    whole = parts.sum(axis=1)
    wrong += np.maximum(parts - 1 - SPARE, 0).sum(axis=1)  # no line covers more than all of a pixel
    odd = (_unusual(whole, share) + wrong) / max(float(np.median(whole)), 0.5)
    seed = (RARE * odd - share).argmin(axis=1)
    bare = np.take_along_axis(alike, seed[:, None, None], axis=1)[:, 0]
    cover = np.einsum("lsp,lp->ls", parts, bare) / bare.sum(axis=1, keepdims=True)
    return np.asarray(np.clip(cover, 0, 1), dtype=np.float32), bare


def _unusual(whole: Floats, share: Floats) -> Floats:
    """How far pieces, float32[lines, pieces], are from covering as many pixels as bare lines do.

    whole: how many they cover.  share: of the pieces of their line that are alike: bare ones where most are.
    Lines may be one pixel wide here and two there: a line's own width does not count.
    """
    width = np.take_along_axis(whole, share.argmax(axis=1)[:, None], axis=1)[:, 0]
    usual = float(np.median(whole))
    near = np.abs(np.log2(np.maximum(width, 0.01) / max(usual, 0.01))) <= OCTAVE
    told = np.flatnonzero((share.max(axis=1) > MOSTLY) & near)
    if len(told) < 2:
        return np.asarray(np.abs(whole - usual))
    away = np.abs(whole[:, :, None] - width[told])
    own = (np.arange(len(width))[:, None] == told)[:, None]
    return np.asarray(np.where(own, np.inf, away).min(axis=2))


def _change(strips: Floats, about: Floats, cover: Floats, ground: Floats) -> Floats:
    """float32[lines, steps, pieces, 3]: how far strips are from what bare lines would show."""
    return np.asarray(strips - (about + cover[:, :, None, None] * (ground - about)), dtype=np.float32)
