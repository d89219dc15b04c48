"""Which blobs lie as buttons do: of one size, in a row or a column, or in two on one side of the board."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.frame import Box, Pixel
from calibration.looks.coloured.blobs import LOOSE, ButtonBlobs

SAME_SIZE = 0.15
"""How much the sides of buttons differ, as a share: borders of a chosen one take a few pixels."""

SIDE_BY_SIDE = 4.0
"""Pixels by which the middles of buttons in one row lie apart at most, in its breadth."""

MISSING = 2
"""How many of the board's colours may have no button: those that may not be played now are hidden in some games."""

ALIGNED = 0.2
"""How far, in its own size, a button's middle may lie beside its row's or column's."""

LONGEST_ROW = 10
"""Colours of the game that has most; more equal blobs than twice that are no buttons."""

TOUCHES = 1.5
"""Pixels between a board and a row of its cells that the window cuts off: its lattice may lie so far beside them."""

ROUNDING = 4.0
"""Pixels by which the sides of buttons may differ, however small they are: rims, and what JPEG leaves of them."""

WORD_GAP = 1.5
"""How far apart buttons of different lengths lie in a row at most, in their height."""

OVERLAP = 0.4
"""The part of a row or column of buttons that lies beside the board at least."""

ROWS = 2
"""Rows, or columns, that buttons beside a board are laid in at most."""

SHRUNK = 0.4
"""The least part of the others' size that a button has that may not be played now."""


def rows_of(blobs: ButtonBlobs, board: Box) -> list[NDArray[np.intp]]:
    """Blobs of one size in a row or a column, evenly spaced but for a hidden one; or on one side of the board."""
    found: dict[bytes, NDArray[np.intp]] = {}
    strips: dict[bytes, list[NDArray[np.intp]]] = {}  # what is in line with one need not be found again from the next
    runs: dict[tuple[int, bytes], list[NDArray[np.intp]]] = {}
    for seed in np.flatnonzero(blobs.away.min(axis=1, initial=np.inf) <= LOOSE):
        size = blobs.boxes[seed, 2:]
        allowed = np.maximum(SAME_SIZE * size, ROUNDING)
        alike = np.flatnonzero((np.abs(blobs.boxes[:, 2:] - size) <= allowed).all(axis=1))
        if alike.tobytes() not in strips:
            strips[alike.tobytes()] = list(_strips(blobs, alike, board))
        lines = [_worded(blobs, seed, axis) for axis in (0, 1)] + strips[alike.tobytes()]
        for axis in (0, 1):
            aside = np.abs(blobs.centres[alike] - blobs.centres[seed])[:, 1 - axis]
            row = alike[aside <= ALIGNED * size[1 - axis]]
            if (axis, row.tobytes()) not in runs:
                runs[axis, row.tobytes()] = _even(blobs, row, axis)
            lines += [run for run in runs[axis, row.tobytes()] if seed in run]
        found |= {np.sort(line).tobytes(): line for line in lines if 2 <= len(line) <= 2 * LONGEST_ROW}
    return list(found.values())


def _worded(blobs: ButtonBlobs, seed: np.intp, axis: int) -> NDArray[np.intp]:
    """Those as high as `seed` and next to each other along `axis`, however long: buttons as long as the words on them.

    In a row their middles are in line, in a column their left sides.
    """
    height, lines = blobs.boxes[seed, 3], blobs.boxes[:, 0] if axis else blobs.centres[:, 1]
    low = np.abs(blobs.boxes[:, 3] - height) <= max(SAME_SIZE * height, ROUNDING)
    row = np.flatnonzero(low & (np.abs(lines - lines[seed]) <= ALIGNED * height))
    row = row[np.argsort(blobs.boxes[row, axis], kind="stable")]
    ends = blobs.boxes[row, axis] + blobs.boxes[row, 2 + axis]
    parted = np.flatnonzero(blobs.boxes[row[1:], axis] - ends[:-1] > WORD_GAP * height)
    return next(part for part in np.split(row, parted + 1) if seed in part)


def _strips(blobs: ButtonBlobs, alike: NDArray[np.intp], board: Box) -> Iterator[NDArray[np.intp]]:
    """Those of the equal blobs `alike` that lie on one side of the board, where they make a row or two there."""
    low, high = np.array([board.x, board.y]), np.array([board.x + board.width, board.y + board.height])
    centres = blobs.centres[alike]
    for axis in (0, 1):
        along = (centres[:, 1 - axis] > low[1 - axis]) & (centres[:, 1 - axis] < high[1 - axis])
        for side in (centres[:, axis] < low[axis], centres[:, axis] > high[axis]):
            strip = alike[along & side]
            if len(strip) >= 2 and any(_lines(blobs, strip, each) <= ROWS for each in (0, 1)):
                yield strip


def _lines(blobs: ButtonBlobs, strip: NDArray[np.intp], axis: int) -> int:
    """In how many columns (axis 0) or rows (1) those lie."""
    middles = np.sort(blobs.centres[strip, axis])
    return 1 + int((np.diff(middles) > ALIGNED * blobs.boxes[strip[0], 2 + axis]).sum())


def _even(blobs: ButtonBlobs, line: NDArray[np.intp], axis: int) -> list[NDArray[np.intp]]:
    """The runs of `line` along `axis` in which blobs follow each other at one step, or at more past hidden ones."""
    order = line[np.argsort(blobs.centres[line, axis], kind="stable")]
    if len(order) < 3:
        return [order]
    steps = np.diff(blobs.centres[order, axis])
    step = max(1.0, float(np.sort(steps)[(len(steps) - 1) // 4]))  # the larger ones pass hidden ones over
    regular = np.abs(steps / step - np.clip(np.rint(steps / step), 1, 1 + MISSING)) <= 0.1
    return np.split(order, np.flatnonzero(~regular) + 1)


def next_to(blobs: ButtonBlobs, line: list[int]) -> set[int]:
    """The blobs between those of a row or column, and those that follow them at either end as near as these lie."""
    low, high = blobs.boxes[:, :2], blobs.boxes[:, :2] + blobs.boxes[:, 2:]
    middles, size = blobs.centres, np.median(blobs.boxes[line, 2:], axis=0)
    axis = int(np.ptp(middles[line], axis=0).argmax())
    if np.ptp(middles[line, 1 - axis]) > ALIGNED * size[1 - axis]:
        return set()
    order = sorted(line, key=lambda blob: float(low[blob, axis]))
    first, last = order[0], order[-1]
    gap = float(np.median(low[order[1:], axis] - high[order[:-1], axis]))
    step = float(np.median(np.diff(middles[order, axis])))
    share = blobs.boxes[:, 2:] / size
    fits = (share >= SHRUNK).all(axis=1) & (share <= 1 + SAME_SIZE).all(axis=1)
    fits &= np.abs(middles[:, 1 - axis] - np.median(middles[line, 1 - axis])) <= ALIGNED * size[1 - axis]
    before = np.minimum(abs(low[first] - high - gap), abs(middles[first] - middles - step))[:, axis]
    after = np.minimum(abs(low - high[last] - gap), abs(middles - middles[last] - step))[:, axis]
    between = (low[:, axis] > low[first, axis]) & (high[:, axis] < high[last, axis])
    return set(np.flatnonzero(fits & (between | (np.minimum(before, after) <= ROUNDING))).tolist())


def beside(boxes: NDArray[np.float64], board: Box) -> bool:
    """Whether most of what the boxes span lies over, under or next to the board, and no farther off than it is large.

    The icons of a dock and the tabs of a window may have the board's colours, too.  What touches the board is a row of
    its cells, which the window cuts off.
    """
    low, high = _span(boxes)
    common = shared(boxes, board)
    off = -common.min() > TOUCHES and (-common <= (board.width, board.height)).all()
    return bool((common >= OVERLAP * (high - low)).any() and off)


def shared(boxes: NDArray[np.float64], board: Box) -> NDArray[np.float64]:
    """float64[2]: how much of each axis the board has in common with what the boxes span; negative: how far off."""
    low, high = _span(boxes)
    first, last = np.array([board.x, board.y]), np.array([board.x + board.width, board.y + board.height])
    return np.asarray(np.minimum(high, last) - np.maximum(low, first))


def _span(boxes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first and the last corner of what the boxes span, float64[2] each."""
    return boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)


def vacant(blobs: ButtonBlobs, line: list[int]) -> Pixel | None:
    """The one place between the buttons of even rows and columns where none is seen: it has the page's colour."""
    if len(line) < 3:
        return None
    x, y = (_places(along) for along in blobs.centres[line].T)
    if x is None or y is None:
        return None
    (across, columns), (down, rows) = x, y
    taken = np.zeros((len(rows), len(columns)), dtype=bool)
    taken[down, across] = True
    if taken.sum() != len(line) or (~taken).sum() != 1:
        return None
    row, column = np.argwhere(~taken)[0]
    if row in (0, len(rows) - 1) and column in (0, len(columns) - 1):  # the last row may have fewer
        return None
    return Pixel(float(columns[column]), float(rows[row]))


def _places(along: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]] | None:
    """intp[n]: at which of even places along an axis each is; float64[places]: where these are; None where uneven."""
    ordered = np.sort(along)
    steps = np.diff(ordered)
    step = float(steps[steps > SIDE_BY_SIDE].min(initial=np.inf))
    if np.isinf(step):
        return np.zeros(len(along), dtype=np.intp), ordered[len(along) // 2 : len(along) // 2 + 1]
    place = (along - ordered[0]) / step
    number = np.rint(place).astype(np.intp)
    if np.abs(place - number).max() > 0.1:
        return None
    return number, ordered[0] + step * np.arange(number.max() + 1)
