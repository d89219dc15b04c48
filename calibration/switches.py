"""What beside a board may switch it between modes: a row of buttons of which one is lit, a list, a button close by."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.board import Lattice
from calibration.frame import Box, Frame, Pixel
from calibration.lit import KNOWN, Button, buttons_in, is_strange

ALIKE = 3
"""Pointer units by which the edges of buttons in one row, or column, are off at most."""

GROUND = 24.0
"""By so much of 255, in the channel that differs most, the ground of the button that is lit differs from others'."""

MOST = 4
"""Buttons of a row that are the modes of a board at most: pawns, walls of either way, and one more."""

PAIR = 2
"""Buttons that turn a piece: one turns it round, one over."""

SIGN, LIKE = (0.15, 0.65), 0.6
"""The width of the arrow at a list's end, in heights of the list, and how alike it is to itself in a mirror."""

FAR = 1.0
"""Sides of the board within which what switches it lies: farther off are buttons of other windows."""

CLOSE = 0.5
"""Pitches from the board within which a single button is one of the board, not of the page round it."""


@dataclass(frozen=True, slots=True)
class Switch:
    """boxes: its buttons in the picture, in their order, but that the one that is lit comes first.

    listed: whether it is a list.  sure: whether it shows that it chooses one of several things.
    """

    boxes: tuple[Box, ...]
    listed: bool = False
    sure: bool = True


def switches_beside(frame: Frame, lattice: Lattice) -> list[Switch]:
    """What may switch the board of a whole picture between modes, what shows that it does first, the nearest first."""
    board, unit = lattice.box, max(frame.scale)
    lists, buttons = [], []
    for each in buttons_in(frame, board):
        if board.apart(each.box) > FAR * max(board.width, board.height):
            continue
        if _is_list(each, unit):
            lists.append(each)
        elif each.usual(frame.scale):
            buttons.append(each)
    rows = [row for row in _rows(buttons, unit) if 2 <= len(row) <= MOST]
    found = []
    for row in rows:
        if (at := _lit(row)) is not None:
            boxes = [each.box for each in row]
            found.append((min(map(board.apart, boxes)), Switch((boxes.pop(at), *boxes))))
    found += [(board.apart(each.box), Switch((each.box,), listed=True)) for each in lists]
    alone = [row[0] for row in _rows(buttons, unit) if len(row) == 1 and not row[0].pale]
    near = CLOSE * max(lattice.pitch)
    single = [(gap, Switch((each.box,), sure=False)) for each in alone if (gap := board.apart(each.box)) <= near]
    return [switch for each in (found, single) for _, switch in sorted(each, key=lambda pair: pair[0])]


def row_beside(frame: Frame, lattice: Lattice, known: Collection[Pixel] = ()) -> list[Pixel]:
    """The middles of the first PAIR of the nearest row of buttons beside a board that look alike but for their signs.

    The last ones of such rows pass, or give up.  known: the middles of controls, which are left out.
    """
    unit, away = max(frame.scale), KNOWN * max(frame.scale)
    usual = [each for each in buttons_in(frame, lattice.box) if each.usual(frame.scale) and not each.pale]
    rows = _rows([each for each in usual if is_strange(each.box, known, away)], unit)
    alike = (
        [each for each in row if _far(each.round, row[0].round) + _far(each.ground, row[0].ground) < GROUND]
        for row in rows
    )
    some = [row for row in alike if 2 <= len(row) <= MOST]
    nearest = min(some, key=lambda row: min(lattice.box.apart(each.box) for each in row), default=[])
    return [each.box.centre for each in nearest[:PAIR]]


def _rows(buttons: Sequence[Button], unit: float) -> list[list[Button]]:
    """The buttons, those that stand next to each other in a row or column together, in its order."""
    left = sorted(buttons, key=lambda each: (each.box.y, each.box.x))
    rows: list[list[Button]] = []
    while left:
        row = [left.pop(0)]
        for along in (0, 1):
            while (more := next((each for each in left if _continues(row, each, along, unit)), None)) is not None:
                row.insert(len(row) if _follows(row[-1], more, along, unit) else 0, more)
                left.remove(more)
            if len(row) > 1:
                break
        rows.append(row)
    return rows


def _continues(row: Sequence[Button], each: Button, along: int, unit: float) -> bool:
    """Whether a button is the next at either end of a row or column: its first one may begin a little lower."""
    return _follows(row[-1], each, along, unit) or _follows(each, row[0], along, unit)


def _follows(one: Button, two: Button, along: int, unit: float) -> bool:
    """Whether a button is the next of a row (along 0) or column (1)."""
    across = 1 - along
    first, second = one.box, two.box
    ends = (second[across] - first[across], second[across] + second[2 + across] - first[across] - first[2 + across])
    gap = second[along] - first[along] - first[2 + along]
    return all(abs(each) <= ALIKE * unit for each in ends) and -ALIKE * unit <= gap <= first.height


def _lit(row: Sequence[Button]) -> int | None:
    """Which of the buttons has another ground than the others, which have one: of two, that unlike what is round it."""
    grounds = [each.ground for each in row]
    if len(row) == 2:
        return int(np.argmax([_far(each.ground, each.round) for each in row])) if _far(*grounds) >= GROUND else None
    odd = [
        at
        for at, ground in enumerate(grounds)
        if all(_far(ground, other) >= GROUND for number, other in enumerate(grounds) if number != at)
    ]
    others = [ground for at, ground in enumerate(grounds) if at not in odd]
    alike = all(_far(ground, others[0]) < GROUND for ground in others)
    return odd[0] if len(odd) == 1 and alike else None


def _far(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    return float(np.abs(one - two).max())


def _is_list(button: Button, unit: float) -> bool:
    """Whether the last of a box's signs stands apart, in the middle of its height, and is an arrow that points down."""
    high = int(button.box.height)
    strokes = _strokes(button)[:, -3 * high :]
    columns = np.flatnonzero(strokes.any(axis=0))
    if not len(columns):
        return False
    breaks = np.flatnonzero(np.diff(columns) > max(1, round(unit)))
    if not len(breaks):
        return False
    first = columns[breaks[-1] + 1]
    rows = np.flatnonzero(strokes[:, first:].any(axis=1))
    sign = strokes[rows[0] : rows[-1] + 1, first : columns[-1] + 1]
    centred = abs((rows[0] + rows[-1] + 1) / 2 - len(strokes) / 2) <= high / 6
    least, most = (share * high for share in SIGN)
    return bool(centred and least <= sign.shape[1] <= most and _points_down(sign))


def _points_down(sign: NDArray[np.bool_]) -> bool:
    """Whether a sign is wider than high, above than below, where it has one tip, and its halves mirror each other."""
    same = (sign & sign[:, ::-1]).sum() / (sign | sign[:, ::-1]).sum()
    tip = np.flatnonzero(sign[-max(1, len(sign) // 3) :].any(axis=0))
    wider = sign[: len(sign) // 2].any(axis=0).sum() > len(tip) == np.ptp(tip) + 1
    return bool(sign.shape[1] > len(sign) and wider and same >= LIKE)


def _strokes(button: Button) -> NDArray[np.bool_]:
    """What is not the ground of a button, a little within its edges."""
    away: NDArray[np.bool_] = np.abs(button.pixels.astype(np.int16) - button.ground).max(axis=2) > 2 * GROUND
    edge = max(2, away.shape[0] // 8)
    return away[edge:-edge, 1:-1]  # the arrow may be close to the end
