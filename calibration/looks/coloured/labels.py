"""What stands on and beside blobs that may be buttons: a sign, or the same word on each, as on the goods of a shop."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box, Pixels
from calibration.targets import SLACK, STROKE, TargetPatch, bare, same_sign, strokes_of

RIM = 0.15
"""The part of a blob at each side that may be its rim."""

BESIDE = 0.7
"""How far under or over a blob its label reaches, in its height."""

LONGEST = 30.0
"""Pixels that it reaches at most."""

WIDER = 0.25
"""The part of a blob's width by which its label is wider on either side."""

SMALLEST = 4
"""Pixels that a letter is high at least."""

HIGHEST = 0.8
"""The part of the place for a word that it is high at most."""

WIDE = 1.2
"""How many times as wide as high the shortest word is; a letter or a sign is less."""

CORNER = 0.25
"""The part of a blob's sides within which nothing but its rounding lies in a corner: words are longer."""

MOST = 0.6
"""The share of the blobs that must bear one word."""


def is_bare(pixels: Pixels, box: NDArray[np.float64]) -> bool:
    """Whether no sign and no letter stands on a blob; box: float64[4], left, top, width and height."""
    left, top = (round(at + RIM * side) for at, side in zip(box[:2], box[2:], strict=True))
    right, foot = (round(at + (1 - RIM) * side) for at, side in zip(box[:2], box[2:], strict=True))
    return bare(pixels[top:foot, left:right])


def same_word(pixels: Pixels, boxes: NDArray[np.float64], board: Box) -> bool:
    """Whether one word stands on most of the blobs, under or over them; names of their colours are different words.

    boxes: float64[n, 4].  board: it bears no words.
    """
    x, y, width, height = boxes.T
    deep = np.minimum(np.minimum(BESIDE * height, LONGEST), _gap(np.vstack((boxes, board))))
    more = WIDER * width
    under, over = (np.column_stack((x - more, at, width + 2 * more, deep)) for at in (y + height, y - deep))
    for places in (boxes, under, over):
        found = [_word(pixels, place, beside=places is not boxes) for place in places]
        words = [word for word in found if word is not None]
        if len(words) < max(2, MOST * len(boxes)):
            continue
        if any(sum(same_sign(one, other) for other in words) >= max(2, MOST * len(boxes)) for one in words[:2]):
            return True
    return False


def _gap(boxes: NDArray[np.float64]) -> float:
    """How far apart what stands over each other lies, inf where nothing does: what lies between is a word's place."""
    x, y, width, height = boxes.T
    over = (x[:, None] < x + width) & (x < (x + width)[:, None]) & (y[:, None] < y)
    return float((y - (y + height)[:, None])[over].min(initial=np.inf))


def _word(pixels: Pixels, box: NDArray[np.float64], *, beside: bool) -> TargetPatch | None:
    """The one word in a box, on a blob or `beside` it; None where there is none."""
    x, y, width, height = box
    part = pixels[max(0, round(y)) : max(0, round(y + height)), max(0, round(x)) : max(0, round(x + width))]
    if min(part.shape[0], part.shape[1]) <= 2 * (SLACK + SMALLEST):
        return None
    inner = np.zeros((part.shape[0], part.shape[1]), dtype=np.uint8)
    room = np.s_[SLACK:-SLACK, SLACK:-SLACK]
    strokes = strokes_of(part)[room]
    inner[room] = max((strokes > STROKE, strokes < -STROKE), key=lambda mask: float((strokes[mask] ** 2).sum()))
    _, _, stats, _ = cv2.connectedComponentsWithStats(inner, connectivity=8)
    first, last = stats[1:, :2], stats[1:, :2] + stats[1:, 2:4]
    clear = (first > SLACK) & (last < (inner.shape[1] - SLACK, inner.shape[0] - SLACK))
    inside = clear[:, : 1 + beside].all(axis=1)  # else it is a rim, the corner of a disc, another thing
    letters = stats[1:][inside & (stats[1:, 3] >= SMALLEST)]
    letters = letters[letters[:, 3] >= 0.5 * letters[:, 3].max(initial=0)]
    if not len(letters):
        return None
    (x0, y0), (x1, y1) = letters[:, :2].min(axis=0), (letters[:, :2] + letters[:, 2:4]).max(axis=0)
    if not beside and all(
        end <= CORNER * side or start >= (1 - CORNER) * side
        for start, end, side in ((x0, x1, part.shape[1]), (y0, y1, part.shape[0]))
    ):
        return None
    in_line = y1 - y0 <= 1.5 * letters[:, 3].max() and y1 - y0 <= HIGHEST * part.shape[0]
    if not in_line or x1 - x0 < WIDE * (y1 - y0):
        return None
    return TargetPatch(part, (slice(int(y0), int(y1)), slice(int(x0), int(x1))), np.zeros(3))
