"""What the cell, or the control beside a board, that shall be pressed looks like, and whether it is what it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box, Pixels
from calibration.unchanged import FRAME, SIDE, SMALLEST, UNLIKE, partly

MIDDLES = 0.06, 0.17
"""The parts of a small picture at each side of its middle that are a control's own, the smaller one of small ones."""

STEP = 16
"""Levels of a channel that count as one where colours are counted: a little more than a pixel may change."""

STROKE = 14.0
"""How much lighter or darker than what is round it a pixel is that belongs to a sign or a letter, 0 to 255."""

FAINT = 4.0
"""How much the faintest of signs differs in that, its darkest and its lightest part."""

FEW = 0.01
"""The share of a bare control's pixels that may seem to belong to a sign."""

PLAIN = 0.12
"""The part of a cell that is more than what a letter on it encloses."""

SAME_SIGN = 0.82
"""How alike the strokes of one sign are in two pictures, as a correlation.

Of words and signs in three sizes on buttons that were lit, darkened, turned light on dark and up to 1.08 times as large
no two pictures of one were less alike than 0.86; of 99% of two different ones less than 0.85, of 95% less than 0.71.
"""

MOVED = 0.03
"""The share of the pixels of what moved a little that look otherwise, as at edges that are smoothed anew."""

SPECK = 2
"""Pixels across that a part of a mark's shadow may show apart from it."""

EQUAL = 6
"""By so much of 255 a sign's pixels differ that is drawn as it was."""

GROWN = (1.0, 1.05, 1.1, 0.95)
"""How many times as large a control may be drawn while the pointer is over it."""

WHOLE = 18
"""Pixels across and down by which signs are told at least: those of small buttons have 9 to 16."""

SLACK = 3
"""Pixels by which what is on a control may move while the pointer is over it, or it is pressed."""

ROUND = 0.06
"""How much the share of its square that a round mark fills may differ from a circle's, or that of an arrow from half of
it; a word or sign fills less, or is no triangle."""

CROSSED = 5
"""Pixels. A line so broad that a mark lies on may be as dark as the mark, so that nothing of it changes there."""

LIT = 0.35
"""The part of the way to white or black by which a control may become lighter or darker under the pointer."""

OFF_TINT = 20.0
"""RGB distance by which a colour that became lighter or darker may be off that way."""

SHADED = 0.5
"""The part of its light that is left to what lies in a shadow at least: in web pages shadows take 0.1 to 0.4 of it."""

FADED = 0.85
"""The part of the way to the colour round it by which a control may be paler that may not be used now: in web pages
0.4 to 0.8."""

OTHER = 24.0
"""RGB distance within which a colour is another control's rather than this one's, further off."""


@dataclass(frozen=True, slots=True, eq=False)
class TargetPatch:
    """A small picture with a control or a cell in its middle.

    pixels: uint8[height, width, 3].  body: the rows and columns that are the control's own, without its rim.
    colour: float64[3], its usual colour.
    """

    pixels: Pixels
    body: tuple[slice, slice]
    colour: NDArray[np.float64]

    @property
    def bare(self) -> bool:
        """Whether there is no sign and no letter on it."""
        return bare(self.pixels[self.body])

    @property
    def signed(self) -> bool:
        """Whether a sign stands in the middle of it: words at the edge of a wide button reach into its body alone."""
        ends = (((3 * part.start + part.stop) // 4, (part.start + 3 * part.stop) // 4 + 1) for part in self.body)
        rows, cols = (slice(*pair) for pair in ends)
        return not bare(self.pixels[rows, cols])

    @property
    def area(self) -> int:
        """The pixels that are its own, without its rim."""
        return _length(self.body[0]) * _length(self.body[1])

    @property
    def plain(self) -> bool:
        """Whether it is bare, and that is no part inside of a letter."""
        return self.bare and self.area >= PLAIN * self.pixels.shape[0] * self.pixels.shape[1]

    @property
    def marked(self) -> bool:
        """Whether the one sign on it is a disc, a ring, an arrow down, or a small square, as moves are marked."""
        height, width = (round(SIDE * side) for side in self.pixels.shape[:2])
        inner = self.pixels[height : len(self.pixels) - height, width : self.pixels.shape[1] - width].astype(np.int16)
        ground = np.median(np.concatenate([inner[0], inner[-1], inner[:, 0], inner[:, -1]]), axis=0)
        return _is_mark(np.abs(inner - ground).max(axis=2))

    def marked_since(self, then: TargetPatch) -> bool:
        """Whether it shows what `then` did under such a mark, or under a stone that is put there for a try."""
        if then.pixels.shape != self.pixels.shape:
            then = _resized(then, self.pixels.shape[:2])
        away = cv2.absdiff(self.pixels, then.pixels).max(axis=2)
        return _is_mark(cv2.morphologyEx(away, cv2.MORPH_CLOSE, np.ones((CROSSED, CROSSED), dtype=np.uint8)))

    def moved_since(self, then: TargetPatch) -> bool:
        """Whether it shows all of what `then` did a little further up, down or aside: pages lift what is pointed at."""
        if then.pixels.shape != self.pixels.shape:
            return False
        for axis, side in enumerate(self.pixels.shape[:2]):
            before, after = (np.moveaxis(pixels, axis, 0) for pixels in (then.pixels, self.pixels))
            for off in range(1, round(SIDE * side) + 1):
                for one, other in ((before[off:], after[:-off]), (before[:-off], after[off:])):
                    if (cv2.absdiff(np.ascontiguousarray(one), np.ascontiguousarray(other)) > UNLIKE).mean() <= MOVED:
                        return True
        return False

    def covered_since(self, then: TargetPatch) -> bool:
        """Whether one side of it shows something else than `then` did, and another not; of other sizes it is not told.

        What a shadow darkens is what it was: the shadow of a window reaches further than the window.
        """
        if then.pixels.shape != self.pixels.shape:
            return False
        before, now = then.pixels.astype(np.float32), self.pixels.astype(np.float32)
        lit = (before * now).sum(axis=2) / np.maximum(1.0, (before * before).sum(axis=2))
        away = np.abs(now - before * np.clip(lit, SHADED, 1.0)[..., None]).max(axis=2)
        mask = cv2.erode((cv2.blur(away, (3, 3)) > OFF_TINT).astype(np.uint8), np.ones((3, 3), dtype=np.uint8))
        height, width = self.pixels.shape[:2]
        inner = Box(FRAME / 2 * width, FRAME / 2 * height, (1 - FRAME) * width, (1 - FRAME) * height)
        return partly(np.asarray(cv2.integral(mask), dtype=np.int32), inner)


def _is_mark(away: NDArray[Any]) -> bool:
    """Whether a disc, a ring, or, in the middle, a small square or an arrow that points down is all there is.

    away: [height, width], up to 255.
    """
    away = np.pad(away, 1)
    strong = float(away.max())
    least = 2 * OFF_TINT if strong > 2 * OFF_TINT else OFF_TINT  # a pale one
    for level in (least, max(OFF_TINT, strong / 2)):  # alone, and drawn up to the middle of its edge
        seen = (away > level).astype(np.uint8)
        every, _ = cv2.findContours(seen, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        found = [each for each in every if max(cv2.boundingRect(each)[2:]) > SPECK]
        if len(found) != 1:
            return False
    x, y, width, height = cv2.boundingRect(found[0])
    filled = cv2.contourArea(found[0]) / max(1, (width - 1) * (height - 1))
    off = max(abs(2 * x + width - seen.shape[1]), abs(2 * y + height - seen.shape[0]))
    square = filled >= 1 - ROUND and off <= SLACK and 2 * max(width, height) <= min(seen.shape)
    corners = cv2.approxPolyDP(found[0], ROUND * width, closed=True)[:, 0]
    arrow = len(corners) == 3 and sum(corners[:, 1] < y + height / 4) == 2 and abs(filled - 0.5) <= ROUND
    arrow = arrow and abs(2 * x + width - seen.shape[1]) <= SLACK
    return abs(width - height) <= 1 + SIDE * max(width, height) and (
        square or arrow or abs(filled - np.pi / 4) <= ROUND
    )


def target_patch(pixels: Pixels) -> TargetPatch:
    """What the control or the cell in the middle of `pixels` looks like."""
    height, width = pixels.shape[:2]
    x = y = 0
    wide, high = width, height
    for part in MIDDLES:
        rows, cols = (slice(round(side * (0.5 - part)), round(side * (0.5 + part)) + 1) for side in (height, width))
        ground = _commonest(pixels[rows, cols].reshape(-1, 3))
        alike = (np.abs(pixels.astype(np.int16) - ground).max(axis=2) <= UNLIKE).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(alike, connectivity=4)
        inner = labels[rows, cols]
        counts = np.bincount(inner[inner > 0], minlength=1)
        if counts.any():
            x, y, wide, high, _ = map(int, stats[int(counts.argmax())])
        if min(wide, high) >= SMALLEST:
            break  # else it is a stroke of a letter
    thick, deep = (max(2, round(SIDE * side)) if side > SMALLEST else 0 for side in (wide, high))
    body = slice(y + deep, y + high - deep), slice(x + thick, x + wide - thick)
    colour = np.median(pixels[body].reshape(-1, 3), axis=0)
    return TargetPatch(pixels, body, np.asarray(colour, dtype=np.float64))


def _commonest(colours: Pixels) -> NDArray[np.float64]:
    """float64[3]: the usual one of most of the colours, uint8[pixels, 3]: none between a letter's and its ground's."""
    steps, counts = np.unique(colours // STEP, axis=0, return_counts=True)
    most = (colours // STEP == steps[counts.argmax()]).all(axis=1)
    return np.asarray(np.median(colours[most], axis=0), dtype=np.float64)


def same_sign(then: TargetPatch, now: TargetPatch) -> bool:
    """Whether both are bare, or bear the same sign or word, in whatever colours."""
    then, now = _of_one_size(then, now)
    if not then.pixels[then.body].size:
        return False  # what lay in its middle does not any more: another control is there
    before, after = bare(then.pixels[then.body]), bare(now.pixels[then.body])
    if before and after:
        return True
    if before or after:  # a letter on a colour that may not be played now may be too faint to count
        return lit_up(then, now)
    if np.allclose(then.pixels[then.body], now.pixels[then.body], atol=EQUAL):
        return True  # as small as a square of a piece, it shows more of what is round it than of itself
    body = tuple(_wide(part, side) for part, side in zip(then.body, then.pixels.shape, strict=False))
    wanted = strokes_of(then.pixels[body])
    for grown in GROWN:
        template = cv2.resize(wanted, None, fx=grown, fy=grown, interpolation=cv2.INTER_AREA)
        rows, cols = (_about(part, size) for part, size in zip(body, template.shape, strict=True))
        seen = strokes_of(now.pixels[rows, cols])
        if seen.shape[0] < template.shape[0] or seen.shape[1] < template.shape[1]:
            continue
        if float(np.abs(cv2.matchTemplate(seen, template, cv2.TM_CCOEFF_NORMED)).max()) >= SAME_SIGN:
            return True
    return False


def sign_in(then: TargetPatch, now: Pixels) -> tuple[float, float] | None:
    """Where the middle (x, y) of what bore a sign lies in the picture `now`, in whatever colours; None for nowhere."""
    wanted, seen = strokes_of(then.pixels[then.body]), strokes_of(now)
    if bare(then.pixels[then.body]) or any(np.less(seen.shape, wanted.shape)):
        return None
    alike = np.abs(cv2.matchTemplate(seen, wanted, cv2.TM_CCOEFF_NORMED))
    row, col = np.unravel_index(alike.argmax(), alike.shape)
    if alike[row, col] < SAME_SIGN:
        return None
    down, right = (part.start for part in then.body)
    height, width = then.pixels.shape[:2]
    return float(col) - right + width / 2, float(row) - down + height / 2


def lit_up(then: TargetPatch, now: TargetPatch) -> bool:
    """Whether what is on a control is what was there, however faint it was while the control could not be used."""
    then, now = _of_one_size(then, now)
    part = tuple(_wide(each, side) for each, side in zip(now.body, now.pixels.shape, strict=False))
    before, after = strokes_of(then.pixels[part]), strokes_of(now.pixels[part])
    if min(np.ptp(before), np.ptp(after)) < FAINT:
        return False
    return float(np.abs(cv2.matchTemplate(after, before, cv2.TM_CCOEFF_NORMED)).max()) >= SAME_SIGN


def _of_one_size(then: TargetPatch, now: TargetPatch) -> tuple[TargetPatch, TargetPatch]:
    """Both with as many rows and columns of pixels: the middle of each where the control itself is as large as it was.

    Of a control whose neighbour has gone more of what is round it is looked at; of one that grew as much more.
    """
    if then.pixels.shape == now.pixels.shape:
        return then, now
    grown = [abs(_length(one) - _length(other)) for one, other in zip(then.body, now.body, strict=True)]
    if max(grown) > 2 * SLACK:
        return _resized(then, now.pixels.shape[:2]), now
    sides = [min(pair) for pair in zip(then.pixels.shape[:2], now.pixels.shape[:2], strict=True)]
    return _middle_of(then, sides), _middle_of(now, sides)


def _length(part: slice) -> int:
    return int(part.stop - part.start)


def _middle_of(patch: TargetPatch, sides: Sequence[int]) -> TargetPatch:
    """So many rows and columns in the middle of a patch."""
    top, left = ((side - wanted) // 2 for side, wanted in zip(patch.pixels.shape, sides, strict=False))
    rows, cols = (
        slice(max(0, part.start - first), max(0, min(side, part.stop - first)))
        for part, first, side in zip(patch.body, (top, left), sides, strict=True)
    )
    return TargetPatch(patch.pixels[top : top + sides[0], left : left + sides[1]], (rows, cols), patch.colour)


def _resized(patch: TargetPatch, shape: tuple[int, ...]) -> TargetPatch:
    """The same patch with so many rows and columns of pixels."""
    pixels = cv2.resize(patch.pixels, shape[::-1], interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    rows, cols = (
        slice(round(part.start * now / then), round(part.stop * now / then))
        for part, now, then in zip(patch.body, shape, patch.pixels.shape, strict=False)
    )
    return TargetPatch(pixels, (rows, cols), patch.colour)


def _wide(part: slice, side: int) -> slice:
    """`part` and what is round it, up to WHOLE of `side` pixels: the middle of a sign is like that of many."""
    more = max(0, WHOLE - (part.stop - part.start) + 1) // 2
    return slice(max(0, part.start - more), min(side, part.stop + more))


def _about(part: slice, size: int) -> slice:
    """So many pixels and SLACK on both sides, with the middle of `part` in their middle."""
    first = (part.start + part.stop - size) // 2
    return slice(max(0, first - SLACK), first + size + SLACK)


def strokes_of(pixels: Pixels) -> NDArray[np.float32]:
    """float32[height, width]: how much lighter each pixel is than those round it."""
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY).astype(np.float32)
    return np.asarray(cv2.blur(grey, (2, 2)) - cv2.GaussianBlur(grey, (0, 0), 4.0), dtype=np.float32)


def bare(pixels: Pixels) -> bool:
    """Whether nothing stands out in a picture: no sign, no letter."""
    return bool((np.abs(strokes_of(pixels)) > STROKE).mean() <= FEW)


def same_tint(then: NDArray[np.float64], now: NDArray[np.float64], others: Sequence[NDArray[np.float64]] = ()) -> bool:
    """Whether a colour is the same but for being a little lighter or darker; colours are float64[3].

    others: colours that it must not be taken for.
    """
    away = float(np.linalg.norm(now - then))
    told = [other for other in others if np.linalg.norm(other - then) > OTHER]
    if any(np.linalg.norm(now - other) < min(OTHER, away) for other in told):
        return False
    return any(on_the_way(then, now, end, LIT) for end in (np.zeros(3), np.full(3, 255.0), 2 * then))


def faded(then: TargetPatch, now: TargetPatch) -> bool:
    """Whether one of both may be the other one, but paler: its colour lies between that one's and that round it."""
    return any(
        on_the_way(full.colour, pale.colour, _around(pale.pixels), FADED) for full, pale in ((then, now), (now, then))
    )


def _around(pixels: Pixels) -> NDArray[np.float64]:
    """float64[3]: the usual colour of a picture's edge."""
    edge = np.concatenate([pixels[[0, -1]].reshape(-1, 3), pixels[:, [0, -1]].reshape(-1, 3)])
    return np.asarray(np.median(edge, axis=0), dtype=np.float64)


def same_outline(then: TargetPatch, now: TargetPatch) -> bool:
    """Whether what is in the middle is as large as it was, in whatever colours."""
    then, now = _of_one_size(then, now)
    ends = [(part.start, part.stop) for part in (*then.body, *now.body)]
    return bool(np.abs(np.subtract(ends[:2], ends[2:])).max() <= SLACK)


def fills(then: TargetPatch, now: TargetPatch) -> bool:
    """Whether what is in the middle lies within what was there, and takes half of it at least, in whatever colours."""
    then, now = _of_one_size(then, now)
    sides = [(one.start - other.start, other.stop - one.stop) for one, other in zip(now.body, then.body, strict=True)]
    return min(map(min, sides)) >= -SLACK and 2 * now.area >= then.area


def on_the_way(then: NDArray[np.float64], now: NDArray[np.float64], end: NDArray[np.float64], most: float) -> bool:
    """Whether a colour lies between two others, no further from the first than that part of the way."""
    return bool(off_the_way(then, now, end, most) <= OFF_TINT)


def off_the_way(
    then: NDArray[np.float64], now: NDArray[np.float64], end: NDArray[np.float64], most: float
) -> NDArray[np.float64]:
    """float64[...]: how far colours lie from the way between two others, of which they have gone that part at most.

    then, now, end: float64[..., 3].
    """
    way, gone = end - then, now - then
    part = np.clip((gone * way).sum(axis=-1) / np.maximum(1.0, (way * way).sum(axis=-1)), 0.0, most)
    return np.asarray(np.linalg.norm(gone - part[..., None] * way, axis=-1))
