"""Which buttons are beside a board, and which of them lit up, went dark or came between two pictures of one screen."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box, Frame, Pixel, Pixels
from calibration.targets import SAME_SIGN, bare, strokes_of
from calibration.unchanged import UNLIKE, slices_of, strongest

WORD = 14, 5
"""Pointer units across and down between letters and signs of one button at most."""

SIDES = (20, 420), (12, 100)
"""Pointer units across and down of a button's sign, at least, and of a button, at most: a number may be shorter."""

FRAMED = 0.8
"""The share of each side's middle, of a box, that changes where a button's ground does; words leave gaps there."""

FILLED = 0.6
"""The share of a button's box that changes where its ground does; of the box of words that move within a frame, half
does."""

LONGEST = 1200
"""Pointer units that a list is wide at most: some reach over the whole page."""

SOME = 0.1
"""The share of a button's box that changes at least: of words a third does, of a picture's noise a thirtieth."""

SLOPE, PALE = 8, 2
"""By so much of 255 two pixels of one ground, side by side, differ at most; and of one that is hardly paler or darker
than what is round it."""

MUCH = 0.1
"""The share of the picture that changes beside the board where more goes on than that buttons light up."""

KNOWN = 20.0
"""Pointer units from the middle of a known control within which a change is that one's, or a row of controls'."""


RIM, MOVED = 0.08, 0.12
"""How far round a board, in its length, it is looked whether it moved; and the share of that which changes then:
a mark over a column changes a tenth of one side.
"""


def lit_buttons(then: Frame, now: Frame, board: Box, known: Collection[Pixel] = ()) -> list[Pixel]:
    """The middles of buttons that look otherwise in the second picture, the one that changed most first.

    A button bears a sign, and it or its ground came, or the same sign shows more or less clearly.
    board: where the board is, which may change.  known: the middles of controls of which it does not matter.
    """
    if then.pixels.shape != now.pixels.shape:
        return []
    change = strongest(cv2.absdiff(then.pixels, now.pixels))
    change[slices_of(board)] = 0
    side = RIM * max(board.width, board.height)
    wider = Box(board.x - side, board.y - side, board.width + 2 * side, board.height + 2 * side)
    rim = change[slices_of(wider)] > UNLIKE
    if rim.sum() > MOVED * max(1.0, rim.size - board.width * board.height):
        return []  # the board is elsewhere now, and what is beside it with it
    changed = change > UNLIKE
    if not changed.any() or changed.mean() > MUCH:
        return []
    away = KNOWN * max(now.scale)
    found = [
        (float(change[part].sum()), box.centre)
        for box in _boxes(changed, now.scale)
        if is_strange(box, known, away)
        and _is_button(then.pixels[part := slices_of(box)], now.pixels[part], changed[part])
    ]
    return [middle for _, middle in sorted(found, reverse=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Button:
    """What looks like a button: where it lies, what shows there, the colour of its ground, and round it.

    signed: the share of the box that its sign takes.  pale: whether it is hardly paler or darker than what is round it,
    so that it is known by others beside it alone.
    """

    box: Box
    pixels: Pixels
    signed: float
    ground: NDArray[np.float64]
    round: NDArray[np.float64]
    pale: bool = False

    def usual(self, scale: tuple[float, float]) -> bool:
        """Whether it is no longer than buttons are, and its sign no smaller."""
        return self.signed >= SOME and _is_large(self.box, scale)


def buttons_beside(frame: Frame, board: Box, known: Collection[Pixel] = ()) -> list[Pixel]:
    """The middles of what looks like buttons, the one nearest to the board first.

    board: where the board is.  known: the middles of controls, which are left out.
    """
    away = KNOWN * max(frame.scale)
    boxes = (each.box for each in buttons_in(frame, board) if each.usual(frame.scale) and not each.pale)
    found = [(board.apart(box), box.centre) for box in boxes if is_strange(box, known, away)]
    return [middle for _, middle in sorted(found)]


def buttons_in(frame: Frame, board: Box) -> Iterator[Button]:
    """What looks like buttons: even grounds, or such whose colours slope, that bear a sign, with something round them.

    board: where the board is.  Some may be longer than buttons are: lists.
    """
    pixels = frame.pixels
    down, across = (strongest(cv2.absdiff(beside, pixels[:-1, :-1])) for beside in (pixels[1:, :-1], pixels[:-1, 1:]))
    steps = np.full(pixels.shape[:2], 255, dtype=np.uint8)
    steps[:-1, :-1] = cv2.max(down, across)
    steps[slices_of(board)] = 255
    found: list[Box] = []
    for slope in (SLOPE, PALE):
        for button in _grounds(frame, steps <= slope):
            if not any(box.contains(button.box.centre) for box in found):
                found.append(button.box)
                yield replace(button, pale=slope == PALE)


def _grounds(frame: Frame, even: NDArray[np.bool_]) -> Iterator[Button]:
    """The connected parts of a picture that are `even` and look like the grounds of buttons."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(even.astype(np.uint8), connectivity=4)
    for number, (x, y, width, height, area) in enumerate(stats[1:].tolist(), 1):
        box = Box(x, y, width, height)
        part, signed = slices_of(box), 1 - area / box.area
        if _is_large(box, frame.scale, LONGEST) and 0 < signed <= 1 - SOME:
            own, shown = labels[part] == number, frame.pixels[part]
            if _is_framed(own):
                ring = frame.pixels[max(0, y - 3) : y + height + 3, max(0, x - 3) : x + width + 3]
                edge = np.concatenate([ring[0], ring[-1], ring[:, 0], ring[:, -1]])
                yield Button(box, shown, signed, np.median(shown[own], axis=0), np.median(edge, axis=0))


def _boxes(changed: NDArray[np.bool_], scale: tuple[float, float]) -> Iterator[Box]:
    """The boxes of the parts of a picture that changed, words whole, as large as buttons are."""
    kernel = np.ones([round(side * by) | 1 for side, by in zip(WORD[::-1], scale[::-1], strict=True)], dtype=np.uint8)
    whole = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    _, _, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
    yield from (box for box in (Box(*sides[:4]) for sides in stats[1:].tolist()) if _is_large(box, scale))


def _is_large(box: Box, scale: tuple[float, float], widest: float = SIDES[0][1]) -> bool:
    """Whether something is as large as buttons, or their signs, are; widest: pointer units across at most."""
    sides = (SIDES[0][0], widest), SIDES[1]
    return all(least <= side / by <= most for side, by, (least, most) in zip(box[2:], scale, sides, strict=True))


def _is_framed(shown: NDArray[np.bool_]) -> bool:
    """Whether a button's ground shows along the middle of each side of its box."""
    sides = shown[:, :2], shown[:, -2:], shown[:2].T, shown[-2:].T
    return all(side[len(side) // 4 : -(len(side) // 4)].any(axis=1).mean() >= FRAMED for side in sides)


def _is_button(then: Pixels, now: Pixels, changed: NDArray[np.bool_]) -> bool:
    """Whether a part bears a sign, which came, is the same in another light, or is on a ground that changed."""
    inner = tuple(slice(side // 4, side - side // 4) for side in changed.shape)
    if changed.mean() < SOME or bare(now[inner]) or not changed[inner].any():  # a spot of colour, a ring round it
        return False
    framed = _is_framed(changed) and (changed.mean() >= FILLED or bare(then))
    return bool(framed or _alike(strokes_of(then), strokes_of(now)) >= SAME_SIGN)


def _alike(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """How alike two pictures' strokes are, also where dark ones became light."""
    product = float(np.linalg.norm(one) * np.linalg.norm(other))
    return abs(float(np.vdot(one, other))) / product if product else 0.0


def is_strange(box: Box, known: Collection[Pixel], away: float) -> bool:
    """Whether a box lies farther than `away` from all of the `known` places."""
    return all(box.apart(Box(*at, 0, 0)) > away for at in known)
